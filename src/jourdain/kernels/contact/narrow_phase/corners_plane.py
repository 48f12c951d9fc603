"""Narrow phase: corners and rims of a shape with a plane."""

from __future__ import annotations

import math

from ...compiler import entry_point, kernel
from ...kind_registry import BOX, CONE, CYLINDER
from ...model_arrays import ModelArrays, Workspace
from ...spatial import add, dot, mat, put3, rotate, rotate_back, sub, vec
from ..contact_layout import (
    GAP,
    ROLE,
    SHAPE_CODE,
    SHAPE_FLOATS,
    SHAPE_INTEGERS,
    SHAPE_P,
    SHAPE_R,
    SITE_NORMAL,
    SITE_POINT,
)
from .unit_vectors import three

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
    R, origin = mat(ws.shapes, a, SHAPE_R), vec(ws.shapes, a, SHAPE_P)
    j = model.shape_index[b, SHAPE_FLOATS]
    # n_W = R_WB n_B, n_A = R_WA^T n_W, and the height of Ao above the plane; a point P of A is at height + n_A . p_AoP
    n = rotate(mat(ws.shapes, b, SHAPE_R), three(model.shape_floats, j))
    down = rotate_back(R, n)
    height = dot(n, sub(origin, vec(ws.shapes, b, SHAPE_P))) - model.shape_floats[j + 3]

    shape, i, numbers = model.shape_index[a, SHAPE_CODE], model.shape_index[a, SHAPE_FLOATS], model.shape_floats
    # shapes with few corners: all of them are sites
    if shape == BOX:
        for corner in range(8):
            x = numbers[i] if corner & 4 else -numbers[i]
            y = numbers[i + 1] if corner & 2 else -numbers[i + 1]
            z = numbers[i + 2] if corner & 1 else -numbers[i + 2]
            _put_point(ws, corner, corner, R, origin, n, (x, y, z), height + dot(down, (x, y, z)))
        return 8
    if shape == CYLINDER:
        _put_rim(ws, 0, R, origin, n, down, height, numbers[i], numbers[i + 1])
        _put_rim(ws, 3, R, origin, n, down, height, numbers[i], -numbers[i + 1])
        return 6
    if shape == CONE:
        apex = (0.0, 0.0, 0.5 * numbers[i + 1])
        _put_point(ws, 0, 0, R, origin, n, apex, height + dot(down, apex))
        _put_rim(ws, 1, R, origin, n, down, height, numbers[i], -0.5 * numbers[i + 1])
        return 4

    # convex mesh: all vertices below the plane, else the lowest
    found, nearest, least = 0, 0, math.inf
    for vertex in range(model.shape_integers[model.shape_index[a, SHAPE_INTEGERS]]):
        p = three(numbers, i + 3 * vertex)
        gap = height + dot(down, p)
        if gap <= 0.0:
            _put_point(ws, found, vertex, R, origin, n, p, gap)
            found += 1
        if gap < least:
            nearest, least = vertex, gap
    if found == 0:
        _put_point(ws, 0, nearest, R, origin, n, three(numbers, i + 3 * nearest), least)
        found = 1
    return found


@kernel
def _put_point(ws, site, role, R, origin, n, p, gap):
    ws.sites[site, ROLE] = role
    ws.sites[site, GAP] = gap
    put3(ws.sites, site, SITE_NORMAL, n)
    put3(ws.sites, site, SITE_POINT, add(origin, rotate(R, p)))


@kernel
def lowest_direction(down):
    """Unit vector (x, y) towards the lowest point of a rim about z over a plane of normal `down`, in the axes of the
    shape.

    On a rim parallel to the plane no point is lowest, and following the smallest tilt would carry the sites, and the
    friction states remembered with them, around the rim. So the direction is the body's x there and blends into the
    lowest as the sine of the tilt grows to FLAT.
    """
    x, y = -down[0], -down[1]
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
        p = (radius * x, radius * y, z)
        _put_point(ws, first + k, first + k, R, origin, n, p, height + dot(down, p))
        x, y = -0.5 * x - 0.8660254037844386 * y, 0.8660254037844386 * x - 0.5 * y
