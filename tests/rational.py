"""Overlaps of convex polyhedra in exact arithmetic: an oracle that shares nothing with the kernels.

The surface of the overlap is every face of one solid clipped by all planes of the other, and the same the other way
round; faces that lie in one plane and look the same way are taken once. Moments are sums over tetrahedra.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

import numpy as np

from jourdain.describe.shapes.polyhedra import Polyhedron


class Exact(NamedTuple):
    """Volume, centroid and inertia of an overlap, as floats of exact numbers."""

    volume: float
    centroid: np.ndarray
    inertia: np.ndarray


def _sub(a, b):
    return tuple(x - y for x, y in zip(a, b, strict=True))


def _dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def _cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def _faces(solid: Polyhedron, R: np.ndarray, p: np.ndarray):
    """Polygons with exact corners, and planes (normal, offset), where the floats of the pose put them."""
    turn = [[Fraction(float(x)) for x in row] for row in R]
    shift = [Fraction(float(x)) for x in p]
    points = []
    for vertex in solid.vertices:
        v = [Fraction(float(x)) for x in vertex]
        points.append(tuple(_dot(row, v) + s for row, s in zip(turn, shift, strict=True)))
    out = []
    for face in solid.faces:
        polygon = [points[i] for i in face]
        normal = _cross(_sub(polygon[1], polygon[0]), _sub(polygon[2], polygon[1]))
        out.append((polygon, normal, _dot(normal, polygon[0])))
    return out


def _clip(polygon, normal, offset):
    away = [_dot(normal, p) - offset for p in polygon]
    out = []
    for i, p in enumerate(polygon):
        j = (i + 1) % len(polygon)
        if away[i] <= 0:
            out.append(p)
        if (away[i] < 0) != (away[j] < 0) and away[i] != 0 and away[j] != 0:
            f = away[i] / (away[i] - away[j])
            out.append(tuple(a + f * (b - a) for a, b in zip(p, polygon[j], strict=True)))
    return out


def _same_plane(n, d, m, e):
    return _cross(n, m) == (0, 0, 0) and _dot(n, m) > 0 and d * _dot(m, m) == e * _dot(n, m)


def overlap(one: Polyhedron, R: np.ndarray, p: np.ndarray, other: Polyhedron, S: np.ndarray, q: np.ndarray) -> Exact:
    """What two solids have in common, at poses (R, p) and (S, q). Every vertex of a solid must have three faces."""
    first, second = _faces(one, R, p), _faces(other, S, q)
    surface = []
    for polygon, _, _ in first:
        for _, m, e in second:
            polygon = _clip(polygon, m, e) if polygon else polygon
        surface.append(polygon)
    for polygon, n, d in second:
        if any(_same_plane(n, d, m, e) for _, m, e in first):
            continue
        for _, m, e in first:
            polygon = _clip(polygon, m, e) if polygon else polygon
        surface.append(polygon)
    surface = [polygon for polygon in surface if len(polygon) >= 3]
    if not surface:
        return Exact(0.0, np.zeros(3), np.zeros((3, 3)))
    o = surface[0][0]
    volume, moment = Fraction(0), [Fraction(0)] * 3
    second_moments = [[Fraction(0)] * 3 for _ in range(3)]
    for polygon in surface:
        a = _sub(polygon[0], o)
        for k in range(1, len(polygon) - 1):
            b, c = _sub(polygon[k], o), _sub(polygon[k + 1], o)
            d = _dot(a, _cross(b, c))
            s = tuple(x + y + z for x, y, z in zip(a, b, c, strict=True))
            volume += d / 6
            for i in range(3):
                moment[i] += d * s[i] / 24
                for j in range(3):
                    second_moments[i][j] += d * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + s[i] * s[j]) / 120
    if volume <= 0:
        return Exact(0.0, np.zeros(3), np.zeros((3, 3)))
    centre = [m / volume for m in moment]
    C = np.array([[float(second_moments[i][j] - volume * centre[i] * centre[j]) for j in range(3)] for i in range(3)])
    centroid = np.array([float(x + y) for x, y in zip(o, centre, strict=True)])
    return Exact(float(volume), centroid, np.trace(C) * np.eye(3) - C)
