"""Whether a triangle surface cuts through itself."""

from __future__ import annotations

import numpy as np

from ...basics.errors import Problem

BLOCK = 2_000_000
"""Pairs of triangles looked at together."""
MARGIN = 1e-9
"""Relative to an edge: how far inside an edge and a triangle must be of each other to cut."""


def intersection_problems(vertices: np.ndarray, triangles: np.ndarray, address: str) -> list[Problem]:
    """Two triangles of a closed surface that cut through each other, where there are any."""
    found = crossing(vertices, triangles)
    if found is None:
        return []
    i, j = found
    told = f"mesh cuts through itself: triangles {i} and {j} cross"
    return [Problem(address, f"{told}; repair it, for instance with trimesh or manifold3d")]


def crossing(vertices: np.ndarray, triangles: np.ndarray) -> tuple[int, int] | None:
    """The first two triangles found of which an edge of one goes through the inside of the other, or None."""
    corners = vertices[triangles]
    low, high = corners.min(axis=1), corners.max(axis=1)
    order = np.argsort(low[:, 0], kind="stable")
    last = np.searchsorted(low[order, 0], high[order, 0], side="right")
    first: list[np.ndarray] = []
    second: list[np.ndarray] = []
    waiting = 0
    for k, i in enumerate(order):
        others = order[k + 1 : last[k]]
        near = (low[others, 1:] <= high[i, 1:]).all(axis=1) & (high[others, 1:] >= low[i, 1:]).all(axis=1)
        others = others[near]
        first.append(np.full(len(others), i))
        second.append(others)
        waiting += len(others)
        if waiting > BLOCK or k == len(order) - 1:
            a, b = np.concatenate(first), np.concatenate(second)
            for one, other in ((a, b), (b, a)):
                hit = _pierced(corners, triangles, one, other)
                if hit is not None:
                    return hit
            first, second, waiting = [], [], 0
    return None


def _pierced(corners: np.ndarray, triangles: np.ndarray, one: np.ndarray, other: np.ndarray) -> tuple[int, int] | None:
    """A pair in which an edge of `one` goes through the inside of `other` (Moeller & Trumbore 1997)."""
    a, b, c = np.moveaxis(corners[other], 1, 0)
    u, v = b - a, c - a
    normal = np.cross(u, v)
    for k in range(3):
        p, q = corners[one, k], corners[one, (k + 1) % 3]
        ends = triangles[one][:, [k, (k + 1) % 3]]
        apart = (ends[:, :, None] != triangles[other][:, None, :]).all(axis=(1, 2))
        way = q - p
        across = np.einsum("ij,ij->i", normal, way)
        steep = apart & (np.abs(across) > MARGIN * np.linalg.norm(normal, axis=1) * np.linalg.norm(way, axis=1))
        with np.errstate(divide="ignore", invalid="ignore"):
            r = a - p
            t = np.einsum("ij,ij->i", normal, r) / across
            n = np.cross(way, r)
            s1 = -np.einsum("ij,ij->i", v, n) / across
            s2 = np.einsum("ij,ij->i", u, n) / across
            inside = (t > MARGIN) & (t < 1.0 - MARGIN) & (s1 > MARGIN) & (s2 > MARGIN) & (s1 + s2 < 1.0 - MARGIN)
        hits = np.flatnonzero(steep & inside)
        if len(hits):
            pair = sorted((int(one[hits[0]]), int(other[hits[0]])))
            return pair[0], pair[1]
    return None
