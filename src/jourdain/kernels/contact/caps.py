"""Overlaps of a ball with a half-space or another ball: spherical caps, in closed form."""

from __future__ import annotations

import math

from ..compiler import gate, kernel
from ..spatial import add, dot, mat, rotate, scale, sub, vec
from .distance import from_centre, three
from .layout import FIRST, PLANE, SECOND, SHAPE, SHAPE_FLOATS, SHAPE_P, SHAPE_R
from .overlaps import put_gap, put_part, settle
from .volumes.moments import join_parts


@kernel
def cap(radius, depth, pole, n):
    """The part (V, c, J) of a ball within `depth` of its pole; n is unit, from the pole to the centre.

    In powers of the depth, which lose no digits in thin caps: V = pi d^2 (R - d / 3), centroid at
    u = pi (2/3 R d^3 - d^4 / 4) / V from the pole, and inertias J_nn = pi/2 (4/3 R^2 d^3 - R d^4 + d^5 / 5) and
    J_tt = J_nn / 2 + pi (R d^4 / 2 - d^5 / 5) - V u^2.
    """
    R, d = radius, depth
    d2 = d * d
    V = math.pi * d2 * (R - d / 3.0)
    u = d * (2.0 / 3.0 * R - 0.25 * d) / (R - d / 3.0)
    Jn = 0.5 * math.pi * d2 * d * (4.0 / 3.0 * R * R - R * d + 0.2 * d2)
    # pi d^4 (R / 2 - d / 5) - V u^2 = pi d^4 (R^2 / 18 - R d / 30 + d^2 / 240) / (R - d / 3)
    along = math.pi * d2 * d2 * (R * R / 18.0 - R * d / 30.0 + d2 / 240.0) / (R - d / 3.0)
    Jt = 0.5 * Jn + along
    k = Jn - Jt
    J = (
        Jt + k * n[0] * n[0],
        Jt + k * n[1] * n[1],
        Jt + k * n[2] * n[2],
        k * n[0] * n[1],
        k * n[0] * n[2],
        k * n[1] * n[2],
    )
    return V, add(pole, scale(u, n)), J


@gate
def find_caps(model, ws, c, latched):
    """The part of a ball and a plane, or of two balls."""
    row = model.contact_index[c]
    a, b = row[FIRST], row[SECOND]
    f, at = model.shape_floats, model.shape_index[b, SHAPE_FLOATS]
    radius = f[model.shape_index[a, SHAPE_FLOATS]]
    centre = vec(ws.shapes, a, SHAPE_P)
    away = sub(centre, vec(ws.shapes, b, SHAPE_P))
    if model.shape_index[b, SHAPE] == PLANE:
        n = rotate(mat(ws.shapes, b, SHAPE_R), three(f, at))
        depth = radius - dot(n, away) + f[at + 3]
        pole = sub(centre, scale(radius, n))
        if depth <= 0.0:
            put_gap(ws, -depth, pole, n)
            return 1
        depth = min(depth, 2.0 * radius)
        part = cap(radius, depth, pole, n)
        put_part(ws, 0, 0, part, n, depth, math.pi * depth * max(2.0 * radius - depth, 1e-9 * radius))
        return settle(model, ws, c, 1, latched)
    other = f[at]
    x = (ws.shapes[b, SHAPE_R], ws.shapes[b, SHAPE_R + 3], ws.shapes[b, SHAPE_R + 6])
    length, n = from_centre(away, x)
    depth = radius + other - length
    pole = sub(centre, scale(radius, n))
    if depth <= 0.0:
        put_gap(ws, -depth, pole, n)
        return 1
    if length <= abs(radius - other):
        small = min(radius, other)
        middle = centre if radius <= other else vec(ws.shapes, b, SHAPE_P)
        part = cap(small, 2.0 * small, sub(middle, scale(small, n)), n)
        put_part(ws, 0, 0, part, n, 2.0 * small, math.pi * small * small)
        return settle(model, ws, c, 1, latched)
    first = 0.5 * depth * (other + length - radius) / length
    second = 0.5 * depth * (radius + length - other) / length
    up = cap(radius, first, pole, n)
    down = cap(other, second, add(vec(ws.shapes, b, SHAPE_P), scale(other, n)), scale(-1.0, n))
    put_part(ws, 0, 0, join_parts(up, down), n, depth, math.pi * first * (2.0 * radius - first))
    return settle(model, ws, c, 1, latched)
