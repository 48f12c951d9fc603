"""Mass and stiffness of a mesh, and the strains and stresses of its displacements.

With B the strains (xx, yy, zz, xy, yz, zx, shear as angles) of nodal displacements and D Hooke's law,
K = int B^T D B dV and M = int rho N^T N dV (Zienkiewicz & Taylor 2000, volume 1, chapter 2). Degrees of freedom are
ordered node by node.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ..contact.materials import Material
    from .mesh import SolidMesh

AT_ONCE = 4_000_000
"""Entries of element matrices that are made at once."""


def hooke(material: Material, plane: str | None) -> np.ndarray:
    """Hooke's law of an isotropic material: stresses of strains, (6, 6) in space, (3, 3) for xx, yy, xy in a plane."""
    E, nu = material.E, material.nu
    if plane == "stress":
        return E / (1.0 - nu * nu) * np.array([[1.0, nu, 0.0], [nu, 1.0, 0.0], [0.0, 0.0, 0.5 * (1.0 - nu)]])
    shear, bulk = 0.5 * E / (1.0 + nu), E * nu / ((1.0 + nu) * (1.0 - 2.0 * nu))
    d = 2 if plane == "strain" else 3
    normal = 2.0 * shear * np.eye(d) + bulk
    out = np.zeros((3 * d - 3, 3 * d - 3))
    out[:d, :d] = normal
    out[np.arange(d, 3 * d - 3), np.arange(d, 3 * d - 3)] = shear
    return out


def gradients(mesh: SolidMesh, cells: np.ndarray, at: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Derivatives of the shape functions by positions (m, p, k, d) at reference points; volumes per weight (m, p)."""
    slopes = mesh.element.slopes(at)
    J = np.einsum("pki,mkj->mpij", slopes, mesh.points[cells])
    return np.einsum("pki,mpji->mpkj", slopes, np.linalg.inv(J)), np.linalg.det(J)


def strain_matrices(slopes: np.ndarray) -> np.ndarray:
    """B (m, p, strains, k d) from the derivatives of the shape functions (m, p, k, d)."""
    m, p, k, d = slopes.shape
    B = np.zeros((m, p, 3 * d - 3, k, d))
    for a in range(d):
        B[:, :, a, :, a] = slopes[..., a]
    pairs = ((0, 1),) if d == 2 else ((0, 1), (1, 2), (2, 0))
    for row, (a, b) in enumerate(pairs):
        B[:, :, d + row, :, a] = slopes[..., b]
        B[:, :, d + row, :, b] = slopes[..., a]
    return B.reshape(m, p, 3 * d - 3, k * d)


def _chunks(mesh: SolidMesh) -> Iterator[np.ndarray]:
    """Cells, so many at a time that their matrices fit into memory."""
    p = len(mesh.element.quadrature[1])
    each = (mesh.dimensions * mesh.element.size) ** 2 + 6 * p * mesh.dimensions * mesh.element.size
    step = max(1, AT_ONCE // each)
    for first in range(0, len(mesh.cells), step):
        yield mesh.cells[first : first + step]


def matrices(
    mesh: SolidMesh, material: Material, density: float, plane: str | None, thickness: float
) -> tuple[Any, Any]:
    """Mass and stiffness, both (N d, N d), sparse by columns.

    thickness    of a plane part [m], 1 in space
    """
    from scipy.sparse import coo_array

    points, weights = mesh.element.quadrature
    N, D, d = mesh.element.shapes(points), hooke(material, plane), mesh.dimensions
    size = d * len(mesh.points)
    totals: list[Any] = [None, None]
    for cells in _chunks(mesh):
        slopes, volume = gradients(mesh, cells, points)
        volume = thickness * volume * weights
        B = strain_matrices(slopes)
        K = np.einsum("mp,mpai,ab,mpbj->mij", volume, B, D, B, optimize=True)
        scalar = np.einsum("mp,pa,pb->mab", density * volume, N, N, optimize=True)
        dofs = (d * cells[:, :, None] + np.arange(d)).reshape(len(cells), -1)
        M = np.zeros_like(K)
        for a in range(d):
            M[:, a::d, a::d] = scalar
        rows, columns = (np.broadcast_to(one, K.shape).ravel() for one in (dofs[:, :, None], dofs[:, None, :]))
        for i, block in enumerate((M, K)):
            one = coo_array((block.ravel(), (rows, columns)), shape=(size, size)).tocsc()
            totals[i] = one if totals[i] is None else totals[i] + one
    for one in totals:
        one.eliminate_zeros()
    return totals[0], totals[1]


def strains_at_nodes(mesh: SolidMesh) -> Any:
    """Strains at the nodes from displacements: sparse (N strains, N d).

    In each cell a field that is linear in its corners is fitted to the strains at the integration points of the linear
    element, where they are most accurate (Barlow 1976); cells of a node are averaged by volume.
    """
    from scipy.sparse import coo_array, diags_array

    element, d = mesh.element, mesh.dimensions
    from .elements import ELEMENTS, cube_rule, simplex_rule

    low = ELEMENTS[element.linear]
    order = 2 if element.edges or not element.simplex else 1
    at, _ = (simplex_rule if element.simplex else cube_rule)(d, order)
    fit = np.linalg.pinv(low.shapes(at)) if len(at) > 1 else np.ones((len(low.corners), 1))
    to_nodes = low.shapes(element.nodes) @ fit
    s, k = 3 * d - 3, element.size
    total: Any = None
    weight = np.zeros(len(mesh.points))
    at_cell = 0
    for cells in _chunks(mesh):
        slopes, _ = gradients(mesh, cells, at)
        B = strain_matrices(slopes)
        volume = mesh.volumes[at_cell : at_cell + len(cells)]
        at_cell += len(cells)
        blocks = np.einsum("m,np,mpsj->mnsj", volume, to_nodes, B, optimize=True)
        rows = (s * cells[:, :, None] + np.arange(s)).reshape(len(cells), k * s)
        columns = (d * cells[:, :, None] + np.arange(d)).reshape(len(cells), k * d)
        shape = (len(cells), k * s, k * d)
        index = (np.broadcast_to(rows[:, :, None], shape).ravel(), np.broadcast_to(columns[:, None, :], shape).ravel())
        one = coo_array((blocks.ravel(), index), shape=(s * len(mesh.points), d * len(mesh.points))).tocsr()
        total = one if total is None else total + one
        np.add.at(weight, cells.ravel(), np.repeat(volume, k))
    return (diags_array(np.repeat(1.0 / np.maximum(weight, 1e-300), s)) @ total).tocsr()


def in_space(values: np.ndarray, material: Material, plane: str | None) -> np.ndarray:
    """Strains or stresses (..., 3) of a plane part, as stresses (..., 6); those in space as they are."""
    if plane is None:
        return values
    out = np.zeros((*values.shape[:-1], 6))
    out[..., [0, 1, 3]] = values
    if plane == "strain":
        out[..., 2] = material.nu * (values[..., 0] + values[..., 1])
    return out


def von_mises(stress: np.ndarray) -> np.ndarray:
    """Equivalent stress (...) of stresses (..., 6), xx, yy, zz, xy, yz, zx (von Mises 1913)."""
    xx, yy, zz, xy, yz, zx = np.moveaxis(stress, -1, 0)
    normal = (xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2
    return np.sqrt(0.5 * normal + 3.0 * (xy * xy + yz * yz + zx * zx))
