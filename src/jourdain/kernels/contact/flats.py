"""Overlaps of bodies with flat faces as sites: boxes, convex meshes, cells, half-spaces and wedges."""

from __future__ import annotations

from ..compiler import gate, kernel
from ..layout import CROWDED
from ..spatial import dot, mat, rotate, rotate_back, sub, sym, vec
from .distance import three
from .layout import (
    CELL_FLOATS,
    CELL_INTEGERS,
    FIRST,
    PLANE,
    ROOM_PAIRS,
    ROOM_POINTS,
    ROOM_STACK,
    SECOND,
    SHAPE,
    SHAPE_FLOATS,
    SHAPE_P,
    SHAPE_R,
)
from .overlaps import far, put_gap, put_part, settle
from .volumes.cells import find_flat_parts
from .volumes.layout import AREA, BOXES, CENTROID, GUESS, INERTIA, KEY, LINK, PAIR, PART, POINT, VOLUME, Room


@kernel
def room_of(model, ws, c):
    """The scratch of a workspace, parted for contact c."""
    row = model.contact_index[c]
    points, pairs, stack = row[ROOM_POINTS], row[ROOM_PAIRS], row[ROOM_STACK]
    f, n = POINT * points, LINK * points
    m = n + PAIR * pairs
    return Room(
        ws.room[:f].reshape((points, POINT)),
        ws.links[:n].reshape((points, LINK)),
        ws.room[f : f + PART * pairs].reshape((pairs, PART)),
        ws.links[n:m].reshape((pairs, PAIR)),
        ws.links[m : m + 2 * stack].reshape((stack, 2)),
    )


@kernel
def height_of_box(model, ws, a, b):
    """How far above plane b the box about all cells of body a is, and the normal; below zero where it is cut."""
    x, n, f = model.shape_floats, model.shape_integers, model.shape_index[a, CELL_FLOATS]
    at = f + n[model.shape_index[a, CELL_INTEGERS] + BOXES]
    j = model.shape_index[b, SHAPE_FLOATS]
    up = rotate(mat(ws.shapes, b, SHAPE_R), three(x, j))
    R, p = mat(ws.shapes, a, SHAPE_R), vec(ws.shapes, a, SHAPE_P)
    own = rotate_back(R, up)
    reach = abs(own[0]) * x[at + 3] + abs(own[1]) * x[at + 4] + abs(own[2]) * x[at + 5]
    middle = dot(own, three(x, at)) + dot(up, sub(p, vec(ws.shapes, b, SHAPE_P)))
    return middle - reach - x[j + 3], up


@kernel
def distance_below(model, ws, a, b):
    """At most the distance of two bodies of cells, the role of a site at that gap, and a direction."""
    if model.shape_index[b, SHAPE] == PLANE:
        gap, up = height_of_box(model, ws, a, b)
        return gap, 0, up
    return far(model, ws, a, b), -1, (0.0, 0.0, 1.0)


@kernel
def take_parts(model, ws, c, parts, count, latched):
    """The first `count` rows of parts as sites; returns how many sites there are."""
    a = model.contact_index[c, FIRST]
    if count < 0 or count >= ws.sites.shape[0]:
        ws.books[CROWDED] = 2.0
        count = 0
    if count == 0:
        put_gap(ws, -1, 0.0, vec(ws.shapes, a, SHAPE_P), (0.0, 0.0, 1.0))
        return 1
    for s in range(count):
        part = (parts[s, VOLUME], vec(parts, s, CENTROID), sym(parts, s, INERTIA))
        put_part(ws, s, parts[s, KEY], part, vec(parts, s, GUESS), 0.0, parts[s, AREA])
    return settle(model, ws, c, count, latched)


@gate
def find_flats(model, ws, c, latched):
    """The parts of two bodies with flat faces."""
    row = model.contact_index[c]
    a, b = row[FIRST], row[SECOND]
    gap, role, up = distance_below(model, ws, a, b)
    if gap > 0.0:
        put_gap(ws, role, gap, vec(ws.shapes, a, SHAPE_P), up)
        return 1
    room = room_of(model, ws, c)
    count = find_flat_parts(
        model.shape_floats,
        model.shape_integers,
        model.shape_index[a, CELL_FLOATS],
        model.shape_index[a, CELL_INTEGERS],
        model.shape_index[b, CELL_FLOATS],
        model.shape_index[b, CELL_INTEGERS],
        mat(ws.shapes, a, SHAPE_R),
        vec(ws.shapes, a, SHAPE_P),
        mat(ws.shapes, b, SHAPE_R),
        vec(ws.shapes, b, SHAPE_P),
        room,
    )
    return take_parts(model, ws, c, room.parts, count, latched)
