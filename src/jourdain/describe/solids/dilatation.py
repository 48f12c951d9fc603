"""Linear elements that do not lock: their change of volume is averaged, their change of form is not.

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

from typing import TYPE_CHECKING, Any

import numpy as np

from .strains import SparseSum, chunks, entries, strain_matrices

if TYPE_CHECKING:
    from ..contact.materials import Material
    from .fe_mesh import SolidMesh


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
