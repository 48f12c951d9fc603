"""Strains of the cells of a mesh, and sparse matrices summed from what cells have.

Strains in space are xx, yy, zz, xy, yz, zx, shear as angles. Those of a plane mesh are xx, yy, xy in plane stress, and
xx, yy, zz, xy in plane strain, where zz is zero, and in a body of revolution. Of that the mesh is the half section in
which x is the radius and y runs along the axis: zz is the hoop strain u_x / x, and dV = 2 pi x dA (Zienkiewicz & Taylor
2000, volume 1, chapter 5).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .fe_mesh import SolidMesh

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
