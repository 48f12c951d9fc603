"""Mass and stiffness of a mesh, and the strains and stresses of its displacements.

With B the strains (xx, yy, zz, xy, yz, zx, shear as angles) of nodal displacements and D Hooke's law,
K = int B^T D B dV and M = int rho N^T N dV (Zienkiewicz & Taylor 2000, volume 1, chapter 2). Degrees of freedom are
ordered node by node.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .dilatation import bulk_modulus, volumetric_stiffness, with_dilatation
from .elements import ELEMENTS, cube_rule, simplex_rule
from .strains import SparseSum, chunks, entries, normals, strain_matrices

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
