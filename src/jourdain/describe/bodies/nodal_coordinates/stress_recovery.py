"""From the points of Gauss of a shell's elements, where strains are good, to its corners.

The strains of a cubic that bends are exact to a higher order at two points of Gauss a side than anywhere else (Barlow
1976), and a straight line through them is off at the corners by the square of the element's side: q l^2 / 12 of a
moment under a load q. So a polynomial of second order is laid through the points of an element and those of its
neighbours (superconvergent patch recovery; Zienkiewicz & Zhu 1992), as far as the points determine its coefficients:
of one row of elements there is none of second order across. Neighbours beyond a fold, and those whose normals go the
other way, do not count.
"""

from __future__ import annotations

import numpy as np

SMOOTH = np.cos(0.9)
"""Cosine between the normals of neighbours across which strains go on."""
TOLD = 1e-6
"""What of a coefficient's column must be left beside those before it, over its size, for the points to determine it."""


def powers(place: np.ndarray) -> np.ndarray:
    """1, x, y, x y, x^2, y^2, x^2 y, x y^2 at places (p, 2)."""
    x, y = place.T
    return np.stack([np.ones_like(x), x, y, x * y, x * x, y * y, x * x * y, x * y * y], axis=1)


def independent(columns: np.ndarray) -> list[int]:
    """Columns that do not follow from those before them, the first ones preferred."""
    kept: list[int] = []
    basis = np.zeros((len(columns), 0))
    for j, column in enumerate(columns.T):
        left = column - basis @ (basis.T @ column)
        size = np.linalg.norm(left)
        if size > TOLD * np.linalg.norm(column) and len(kept) < len(columns):
            basis = np.column_stack([basis, left / size])
            kept.append(j)
    return kept


def weights(points: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """What the values at points (p, 2) count at corners (c, 2), (c, p), by least squares."""
    P = powers(points)
    kept = independent(P)
    return powers(corners)[:, kept] @ np.linalg.pinv(P[:, kept])


def turn(axes: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Tensors (11, 22, twice 12) along `other` (p, 2, 3) as those along `axes` (c, 2, 3), (c, p, 3, 3)."""
    c = np.einsum("ci,pi->cp", axes[:, 0], other[:, 0])
    s = np.einsum("ci,pi->cp", axes[:, 0], other[:, 1])
    size = np.hypot(c, s)
    c, s = c / size, s / size
    rows = [[c * c, s * s, c * s], [s * s, c * c, -c * s], [-2.0 * c * s, 2.0 * c * s, c * c - s * s]]
    return np.moveaxis(np.array(rows), (0, 1), (2, 3))


def neighbours(cells: np.ndarray, normals: np.ndarray) -> list[np.ndarray]:
    """Elements that share a node with each, itself first, and go on smoothly from it."""
    at: dict[int, list[int]] = {}
    for k, cell in enumerate(cells):
        for node in cell:
            at.setdefault(int(node), []).append(k)
    out = []
    for k, cell in enumerate(cells):
        some = [j for j in dict.fromkeys(j for node in cell for j in at[int(node)]) if j != k]
        out.append(np.array([k, *(j for j in some if normals[j] @ normals[k] > SMOOTH)]))
    return out


def recovery(cells: np.ndarray, points: np.ndarray, axes: np.ndarray, corners: np.ndarray, ends: np.ndarray):
    """The matrix (12 m, 12 m), sparse, from tensors (11, 22, twice 12) at four points of each of m elements to corners.

    points, corners    their places (4 m, 3)
    axes, ends         axes (4 m, 2, 3) of both
    """
    from scipy.sparse import coo_array

    m = len(cells)
    middle = axes.reshape(m, 4, 2, 3).mean(axis=1)
    normals = np.cross(middle[:, 0], middle[:, 1])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    rows, columns, values = [], [], []
    for k, near in enumerate(neighbours(cells, normals)):
        own, all_ = 4 * k + np.arange(4), (4 * near[:, None] + np.arange(4)).ravel()
        origin = points[own].mean(axis=0)
        size = np.max(np.linalg.norm(corners[own] - origin, axis=1))
        plane = middle[k] / size
        w = weights((points[all_] - origin) @ plane.T, (corners[own] - origin) @ plane.T)
        block = w[:, :, None, None] * turn(ends[own], axes[all_])
        c, p, i, j = np.nonzero(block)
        rows.append(3 * own[c] + i)
        columns.append(3 * all_[p] + j)
        values.append(block[c, p, i, j])
    parts = (np.concatenate(values), (np.concatenate(rows), np.concatenate(columns)))
    return coo_array(parts, shape=(12 * m, 12 * m)).tocsr()
