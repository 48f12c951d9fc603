"""Narrow phase: corners and rims of a shape with a plane."""

from __future__ import annotations

import math

from ...algebra import Vec3
from ...compiler import entry_point, kernel
from ...flat_arrays import vector_at
from ...kind_registry import BOX, CONE, CYLINDER
from ...model_arrays import ModelArrays, Workspace

FLAT = 1e-3  # sine of the tilt of a rim below which its contact points blend into points fixed on the body


@entry_point
def find_corners_plane(model: ModelArrays, ws: Workspace, a: int, b: int) -> int:
    """Sites of a box, cylinder, cone or convex mesh A on a plane B; returns how many.

    box         8 vertices; role 4 i + 2 j + k with i, j, k = 1 on the positive side of x, y, z
    cylinder    3 points of each rim, roles 0 to 2 at +z and 3 to 5 at -z
    cone        the apex, role 0, and 3 points of the rim
    convex      the vertices below the plane, or the nearest where there are none; the role is the vertex's number, and
                ws.sites has rows for all of them
    """
    A, B, j = ws.shapes[a], ws.shapes[b], model.shapes[b].floats
    R, origin = A.R_WS, A.p_WS
    # n_W = R_WB n_B, n_A = R_WA^T n_W, and the height of Ao above the plane; a point P of A is at height + n_A . p_AoP
    n = B.R_WS @ vector_at(model.shape_floats, j)
    down = R.T @ n
    height = n @ (origin - B.p_WS) - model.shape_floats[j + 3]

    shape, i, numbers = model.shapes[a].code, model.shapes[a].floats, model.shape_floats
    # shapes with few corners: all of them are sites
    if shape == BOX:
        for corner in range(8):
            x = numbers[i] if corner & 4 else -numbers[i]
            y = numbers[i + 1] if corner & 2 else -numbers[i + 1]
            z = numbers[i + 2] if corner & 1 else -numbers[i + 2]
            p = Vec3(x, y, z)
            _put_point(ws, corner, corner, R, origin, n, p, height + down @ p)
        return 8
    if shape == CYLINDER:
        _put_rim(ws, 0, R, origin, n, down, height, numbers[i], numbers[i + 1])
        _put_rim(ws, 3, R, origin, n, down, height, numbers[i], -numbers[i + 1])
        return 6
    if shape == CONE:
        apex = Vec3(0.0, 0.0, 0.5 * numbers[i + 1])
        _put_point(ws, 0, 0, R, origin, n, apex, height + down @ apex)
        _put_rim(ws, 1, R, origin, n, down, height, numbers[i], -0.5 * numbers[i + 1])
        return 4

    # convex mesh: all vertices below the plane, else the lowest
    found, nearest, least = 0, 0, math.inf
    for vertex in range(model.shape_integers[model.shapes[a].integers]):
        p = vector_at(numbers, i + 3 * vertex)
        gap = height + down @ p
        if gap <= 0.0:
            _put_point(ws, found, vertex, R, origin, n, p, gap)
            found += 1
        if gap < least:
            nearest, least = vertex, gap
    if found == 0:
        _put_point(ws, 0, nearest, R, origin, n, vector_at(numbers, i + 3 * nearest), least)
        found = 1
    return found


@kernel
def _put_point(ws, site, role, R, origin, n, p, gap):
    row = ws.sites[site]
    row.role, row.gap, row.normal, row.point = role, gap, n, origin + R @ p


@kernel
def lowest_direction(down):
    """Unit vector (x, y) towards the lowest point of a rim about z over a plane of normal `down`, in the axes of the
    shape.

    On a rim parallel to the plane no point is lowest, and following the smallest tilt would carry the sites, and the
    friction states remembered with them, around the rim. So the direction is the body's x there and blends into the
    lowest as the sine of the tilt grows to FLAT.
    """
    x, y = -down.x, -down.y
    sine = math.sqrt(x * x + y * y)
    if sine >= FLAT:
        return x / sine, y / sine
    # cubic blend 3 k^2 - 2 k^3 between the two directions
    k = sine / FLAT
    k = k * k * (3.0 - 2.0 * k)
    if sine > 0.0:
        x, y = k * x / sine + 1.0 - k, k * y / sine
    else:
        x, y = 1.0 + 0.0 * x, 0.0 * y
    length = math.sqrt(x * x + y * y)
    if length > 0.0:
        return x / length, y / length
    return 1.0 + 0.0 * x, 0.0 * y


@kernel
def _put_rim(ws, first, R, origin, n, down, height, radius, z):
    """Three points of a rim: the lowest, and those at 120 degrees to it."""
    x, y = lowest_direction(down)
    for k in range(3):
        p = Vec3(radius * x, radius * y, z)
        _put_point(ws, first + k, first + k, R, origin, n, p, height + down @ p)
        x, y = -0.5 * x - 0.8660254037844386 * y, 0.8660254037844386 * x - 0.5 * y
