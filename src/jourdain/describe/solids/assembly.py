"""Mass and stiffness of a mesh, and the strains and stresses of its displacements.

With B the strains (xx, yy, zz, xy, yz, zx, shear as angles) of nodal displacements and D Hooke's law,
K = int B^T D B dV and M = int rho N^T N dV (Zienkiewicz & Taylor 2000, volume 1, chapter 2). Degrees of freedom are
ordered node by node.

Strains of the cells of a mesh, and sparse matrices summed from what cells have.

Strains in space are xx, yy, zz, xy, yz, zx, shear as angles. Those of a plane mesh are xx, yy, xy in plane stress, and
xx, yy, zz, xy in plane strain, where zz is zero, and in a body of revolution. Of that the mesh is the half section in
which x is the radius and y runs along the axis: zz is the hoop strain u_x / x, and dV = 2 pi x dA (Zienkiewicz & Taylor
2000, volume 1, chapter 5).

Linear elements that do not lock: their change of volume is averaged, their change of form is not.

A material that hardly changes its volume asks every integration point of a linear element to keep its own, which leaves
the nodes too little to move with. Averaged over a cell it is one condition a cell: with b = tr B the change of volume
of nodal displacements, kappa = E / (3 (1 - 2 nu)), and D' = D - kappa 1 1^T, Hooke's law for changes of form,

    K = int B^T D' B dV + kappa sum_c G_c^T G_c / V_c,   G_c = int_c b dV,

which is the B-bar method with mean dilatation (Hughes 1980, Int. J. Numer. Meth. Eng. 15, 1413; Nagtegaal, Parks &
Rice 1974). In a triangle or tetrahedron b is constant, and one condition a cell still too many: there it is averaged
over the cells around a node, weighed by its shape function N_a: G_a = int N_a b dV, V_a = int N_a dV (Bonet & Burton
1998, Commun. Numer. Meth. Eng. 14, 437).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from .elements import ELEMENTS, cube_rule, simplex_rule

if TYPE_CHECKING:
    from ..contact.materials import Material
    from .fe_mesh import SolidMesh


def hooke(material: Material, plane: str | None) -> np.ndarray:
    """Hooke's law of an isotropic material, stresses of strains: (6, 6) in space, (4, 4) for xx, yy, zz, xy in plane
    strain and of bodies of revolution, (3, 3) for xx, yy, xy in plane stress."""
    E, nu = material.E, material.nu
    if plane == "stress":
        return E / (1.0 - nu * nu) * np.array([[1.0, nu, 0.0], [nu, 1.0, 0.0], [0.0, 0.0, 0.5 * (1.0 - nu)]])
    shear, lame = 0.5 * E / (1.0 + nu), E * nu / ((1.0 + nu) * (1.0 - 2.0 * nu))
    s = 6 if plane is None else 4
    out = shear * np.eye(s)
    out[:3, :3] = 2.0 * shear * np.eye(3) + lame
    return out


def matrices(
    mesh: SolidMesh, material: Material, density: float, plane: str | None, thickness: float, averaged: bool = False
) -> tuple[Any, Any]:
    """Mass and stiffness, both (N d, N d), sparse by columns.

    thickness    of a plane part [m], 1 in space and of a body of revolution
    averaged     whether the change of volume is averaged (see `dilatation`), so that nothing locks when Poisson's
                 ratio is nearly a half
    """
    points, weights = mesh.element.quadrature
    N, D, d = mesh.element.shapes(points), hooke(material, plane), mesh.dimensions
    if averaged:
        D[:3, :3] -= bulk_modulus(material)
    total = SparseSum(d * len(mesh.points), d * len(mesh.points), 2)
    for cells in chunks(mesh):
        B, volume = strain_matrices(mesh, cells, points, plane)
        volume = thickness * volume * weights
        K = np.einsum("mp,mpai,ab,mpbj->mij", volume, B, D, B, optimize=True)
        scalar = np.einsum("mp,pa,pb->mab", density * volume, N, N, optimize=True)
        M = np.zeros_like(K)
        for a in range(d):
            M[:, a::d, a::d] = scalar
        dofs = entries(cells, d)
        total.add(dofs, dofs, M, K)
    M, K = total.sums
    if averaged:
        K = K + thickness * volumetric_stiffness(mesh, material, plane)
    for one in (M, K):
        one.eliminate_zeros()
    return M, K


def volume_of(mesh: SolidMesh, plane: str | None, thickness: float) -> float:
    """[m^3]"""
    if plane != "axisymmetric":
        return thickness * mesh.volume
    points, weights = mesh.element.quadrature
    return float(sum(np.sum(strain_matrices(mesh, cells, points, plane)[1] @ weights) for cells in chunks(mesh)))


def strains_at_nodes(mesh: SolidMesh, plane: str | None = None, averaged: bool = False) -> Any:
    """Strains at the nodes from displacements: sparse (N strains, N d).

    In each cell a field that is linear in its corners is fitted to the strains at the integration points of the linear
    element, where they are most accurate (Barlow 1976); cells of a node are averaged by volume. With `averaged` changes
    of volume are those that the stiffness knows.
    """
    from scipy.sparse import diags_array

    element, d = mesh.element, mesh.dimensions
    low = ELEMENTS[element.linear]
    order = 2 if element.edges or not element.simplex else 1
    at, _ = (simplex_rule if element.simplex else cube_rule)(d, order)
    fit = np.linalg.pinv(low.shapes(at)) if len(at) > 1 else np.ones((len(low.corners), 1))
    to_nodes = low.shapes(element.nodes) @ fit
    s = normals(plane) + (3 if d == 3 else 1)
    total = SparseSum(s * len(mesh.points), d * len(mesh.points), 1)
    weight = np.zeros(len(mesh.points))
    at_cell = 0
    for cells in chunks(mesh):
        B, _ = strain_matrices(mesh, cells, at, plane)
        volume = mesh.volumes[at_cell : at_cell + len(cells)]
        at_cell += len(cells)
        blocks = np.einsum("m,np,mpsj->mnsj", volume, to_nodes, B, optimize=True)
        total.add(entries(cells, s), entries(cells, d), blocks.reshape(len(cells), -1, d * element.size))
        np.add.at(weight, cells.ravel(), np.repeat(volume, element.size))
    found = (diags_array(np.repeat(1.0 / np.maximum(weight, 1e-300), s)) @ total.sums[0]).tocsr()
    return with_dilatation(found, mesh, plane, s) if averaged else found


def in_space(values: np.ndarray, plane: str | None) -> np.ndarray:
    """Strains or stresses of a part, plane or not, with all six components (..., 6), those that it lacks zero."""
    if plane is None:
        return values
    out = np.zeros((*values.shape[:-1], 6))
    out[..., [0, 1, 3] if plane == "stress" else slice(4)] = values
    return out


def von_mises(stress: np.ndarray) -> np.ndarray:
    """Equivalent stress (...) of stresses (..., 6), xx, yy, zz, xy, yz, zx (von Mises 1913)."""
    xx, yy, zz, xy, yz, zx = np.moveaxis(stress, -1, 0)
    normal = (xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2
    return np.sqrt(0.5 * normal + 3.0 * (xy * xy + yz * yz + zx * zx))


AT_ONCE = 4_000_000
"""Entries of element matrices that are made at once."""


def normals(plane: str | None) -> int:
    """How many of the strains are normal ones; they come first."""
    return 2 if plane == "stress" else 3


def gradients(mesh: SolidMesh, cells: np.ndarray, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Derivatives of the shape functions by positions (m, p, k, d) at reference points; volumes per weight (m, p)."""
    partials = mesh.element.partials(at)
    J = np.einsum("pki,mkj->mpij", partials, mesh.points[cells])
    return np.einsum("pki,mpji->mpkj", partials, np.linalg.inv(J)), np.linalg.det(J)


def strain_matrices(
    mesh: SolidMesh, cells: np.ndarray, at: np.ndarray, plane: str | None
) -> tuple[np.ndarray, np.ndarray]:
    """B (m, p, strains, k d) at reference points, and volumes per weight (m, p); of a plane part for a unit thickness,
    of a body of revolution for all of the circle."""
    partials, volume = gradients(mesh, cells, at)
    m, p, k, d = partials.shape
    n = normals(plane)
    pairs = ((0, 1),) if d == 2 else ((0, 1), (1, 2), (2, 0))
    B = np.zeros((m, p, n + len(pairs), k, d))
    for a in range(d):
        B[:, :, a, :, a] = partials[..., a]
    for row, (a, b) in enumerate(pairs):
        B[:, :, n + row, :, a] = partials[..., b]
        B[:, :, n + row, :, b] = partials[..., a]
    if plane == "axisymmetric":
        N = mesh.element.shapes(at)
        radius = np.einsum("pk,mk->mp", N, mesh.points[cells][:, :, 0])
        B[:, :, 2, :, 0] = N / radius[:, :, None]
        volume = 2.0 * np.pi * radius * volume
    return B.reshape(m, p, n + len(pairs), k * d), volume


def chunks(mesh: SolidMesh) -> Iterator[np.ndarray]:
    """Cells, so many at a time that their matrices fit into memory."""
    p = len(mesh.element.quadrature[1])
    each = (mesh.dimensions * mesh.element.size) ** 2 + 6 * p * mesh.dimensions * mesh.element.size
    step = max(1, AT_ONCE // each)
    for first in range(0, len(mesh.cells), step):
        yield mesh.cells[first : first + step]


def entries(cells: np.ndarray, each: int) -> np.ndarray:
    """Rows of the nodes of cells (m, k) in a vector with so many numbers a node, (m, k each)."""
    return (each * cells[:, :, None] + np.arange(each)).reshape(len(cells), -1)


class SparseSum:
    """Sparse matrices (rows, columns) that are summed from those of cells.

    sums    what they are, by columns
    """

    def __init__(self, rows: int, columns: int, count: int) -> None:
        self.shape = (rows, columns)
        self.sums: list[Any] = [None] * count

    def add(self, rows: np.ndarray, columns: np.ndarray, *blocks: np.ndarray) -> None:
        """Adds blocks (m, r, c) at rows (m, r) and columns (m, c)."""
        from scipy.sparse import coo_array

        shape = blocks[0].shape
        index = (np.broadcast_to(rows[:, :, None], shape).ravel(), np.broadcast_to(columns[:, None, :], shape).ravel())
        for i, block in enumerate(blocks):
            one = coo_array((block.ravel(), index), shape=self.shape).tocsc()
            self.sums[i] = one if self.sums[i] is None else self.sums[i] + one


def bulk_modulus(material: Material) -> float:
    """[Pa]"""
    return material.E / (3.0 * (1.0 - 2.0 * material.nu))


def dilatation(mesh: SolidMesh, plane: str | None) -> tuple[Any, np.ndarray]:
    """Integrals of the change of volume, sparse (r, N d), and of one, (r,) [m^3]: a row a cell, of triangles and
    tetrahedra a row a node."""
    points, weights = mesh.element.quadrature
    simplex, d = mesh.element.simplex, mesh.dimensions
    N = mesh.element.shapes(points) if simplex else np.ones((len(points), 1))
    rows = len(mesh.points) if simplex else len(mesh.cells)
    total, sizes, first = SparseSum(rows, d * len(mesh.points), 1), np.zeros(rows), 0
    for cells in chunks(mesh):
        B, volume = strain_matrices(mesh, cells, points, plane)
        change = np.sum(B[:, :, :3], axis=2)
        index = cells if simplex else first + np.arange(len(cells))[:, None]
        total.add(index, entries(cells, d), np.einsum("mp,pa,mpj->maj", volume * weights, N, change, optimize=True))
        np.add.at(sizes, index, (volume * weights) @ N)
        first += len(cells)
    return total.sums[0], sizes


def volumetric_stiffness(mesh: SolidMesh, material: Material, plane: str | None) -> Any:
    """kappa sum G^T G / V, sparse (N d, N d), of a plane part for a unit thickness."""
    from scipy.sparse import diags_array

    G, V = dilatation(mesh, plane)
    return (G.T @ diags_array(bulk_modulus(material) / V) @ G).tocsc()


def with_dilatation(strains: Any, mesh: SolidMesh, plane: str | None, each: int) -> Any:
    """Strains at nodes, sparse (N strains, N d), with the change of volume that the stiffness knows."""
    from scipy.sparse import coo_array, csr_array, diags_array

    G, V = dilatation(mesh, plane)
    change = diags_array(1.0 / V) @ G
    nodes = len(mesh.points)
    if not mesh.element.simplex:  # the mean of the cells of a node, by volume
        column = np.repeat(np.arange(len(mesh.cells)), mesh.element.size)
        share = coo_array((np.repeat(V, mesh.element.size), (mesh.cells.ravel(), column))).tocsr()
        change = diags_array(1.0 / (share @ np.ones(len(V)))) @ share @ change
    own = sum(strains[a::each] for a in range(3))
    rows = (each * np.arange(nodes)[:, None] + np.arange(3)).ravel()
    spread = csr_array((np.full(3 * nodes, 1.0 / 3.0), (rows, np.repeat(np.arange(nodes), 3))),
                       shape=(each * nodes, nodes))  # fmt: skip
    return (strains + spread @ (change - own)).tocsr()
