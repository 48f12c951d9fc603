"""Fewer triangles for a surface that is looked at: within a tolerance, and not too many."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

GRID = 2.0**20
"""Places of a surface along its longest side that are distinguished."""


class DecimatedSurface(NamedTuple):
    """A surface with fewer triangles.

    vertices     (n, 3) [m]
    triangles    (m, 3)
    labels       (m,) of the triangles
    uv           (n, 2) of the vertices; None where none were given
    error        within which every vertex is of the planes of the faces that it stands for [m]
    """

    vertices: np.ndarray
    triangles: np.ndarray
    labels: np.ndarray
    uv: np.ndarray | None
    error: float


def simplified(
    vertices: np.ndarray,
    triangles: np.ndarray,
    labels: np.ndarray | None = None,
    uv: np.ndarray | None = None,
    *,
    tolerance: float,
    most: int,
    furthest: float,
) -> DecimatedSurface:
    """A surface by fewer triangles, by collapse of edges (`kernels.mesh_decimation`).

    labels       (m,) of the triangles; a border between two labels stays where it is, within the tolerance
    uv           (n, 2) places of the vertices in a texture; vertices along its seams stay
    tolerance    error up to which edges collapse anyhow [m]
    most         triangles; where there are more, the error may be larger,
    furthest     up to this [m]
    """
    from ...kernels.mesh_decimation import simplify

    labels = np.zeros(len(triangles), np.int64) if labels is None else np.asarray(labels, np.int64)
    source, corners, fixed = welded(vertices, triangles, uv)
    whole = (corners[:, 0] != corners[:, 1]) & (corners[:, 1] != corners[:, 2]) & (corners[:, 2] != corners[:, 0])
    faces = np.ascontiguousarray(np.column_stack([corners, labels])[whole], np.int64)
    places = np.ascontiguousarray(vertices[source], np.float64)
    n, m = len(places), len(faces)
    moved = np.zeros((0, 2)) if uv is None else np.ascontiguousarray(uv[source], np.float64)
    middle = places.mean(axis=0) if n else np.zeros(3)  # squares of distances from afar would cancel
    places -= middle
    reached = np.zeros(1)
    count = simplify(
        places, moved, fixed, faces, float(tolerance), int(most), float(furthest), np.zeros(n + 1, np.int64),
        np.zeros(3 * m, np.int64), np.zeros((n, 10)), np.zeros(n, np.int64), np.zeros(n, np.int64), np.zeros(10),
        reached,
    )  # fmt: skip
    faces = faces[:count]
    used, corners = np.unique(faces[:, :3], return_inverse=True)
    kept = moved[used] if uv is not None else None
    return DecimatedSurface(places[used] + middle, corners.reshape(-1, 3), faces[:, 3], kept, float(reached[0]))


def welded(
    vertices: np.ndarray, triangles: np.ndarray, uv: np.ndarray | None = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Which vertex each of the welded ones copies (k,), triangles of these, and which are at a seam of a texture (k,).

    Vertices in one place become one; those that are in several places of a texture do not.
    """
    low = vertices.min(axis=0) if len(vertices) else np.zeros(3)
    side = float(np.max(vertices.max(axis=0) - low, initial=0.0)) or 1.0
    codes = np.rint((vertices - low) * (GRID / side)).astype(np.int64)
    place = (codes[:, 0] * 2**21 + codes[:, 1]) * 2**21 + codes[:, 2]
    _, where = np.unique(place, return_inverse=True)
    key = where.astype(np.int64)
    if uv is not None:
        spots = np.rint(np.clip(uv, -1e3, 1e3) * 2.0**13).astype(np.int64)
        _, spot = np.unique(spots[:, 0] * 2**26 + spots[:, 1], return_inverse=True)
        key = key * (int(spot.max(initial=0)) + 1) + spot
    _, source, which = np.unique(key, return_index=True, return_inverse=True)
    copies = np.bincount(where[source], minlength=int(where.max(initial=-1)) + 1)
    return source, which[triangles].reshape(-1, 3), (copies[where[source]] > 1).astype(np.int64)
