"""Narrow phase of volumetric contact: bodies of convex cells with flat faces, half-spaces and wedges."""

from __future__ import annotations

from ...compiler import entry_point, kernel
from ...flat_arrays import vec1
from ...kind_registry import PLANE
from ...model_arrays import ModelArrays, Workspace
from ...signatures import Vector
from ...spatial import dot, rotate, rotate_back, sub, sym, vec
from ..contact_layout import (
    INERTIA_NORMAL,
)
from ..overlap_volumes.cell_overlap import find_flat_parts
from ..overlap_volumes.overlap_layout import (
    BODY_BOXES,
    CENTROID,
    COUPLE,
    GUESS,
    LINK,
    PAIR_SIZE,
    PART_AREA,
    PART_INERTIA,
    PART_POTENTIAL,
    PART_SIZE,
    PART_VOLUME,
    POINT_SIZE,
    SPRING_PUSH,
    VOLUME_PART_KEY,
    OverlapScratch,
)
from .overlap_parts import far, put_gap, put_part, put_springs, settle


@kernel
def overlap_scratch_of(model, ws, c):
    """Views of the scratch of a workspace for contact c."""
    row = model.contacts[c]
    points, pairs, stack = row.capacity_points, row.capacity_pairs, row.capacity_stack
    f, n = POINT_SIZE * points, LINK * points
    m = n + PAIR_SIZE * pairs
    return OverlapScratch(
        ws.overlap_scratch[:f].reshape((points, POINT_SIZE)),
        ws.links[:n].reshape((points, LINK)),
        ws.overlap_scratch[f : f + PART_SIZE * pairs].reshape((pairs, PART_SIZE)),
        ws.links[n:m].reshape((pairs, PAIR_SIZE)),
        ws.links[m : m + 2 * stack].reshape((stack, 2)),
    )


@kernel
def height_of_box(model, ws, a, b):
    """Gap between plane B and the bounding box of all cells of body A, negative where they overlap [m], and the plane's
    normal in world axes.
    """
    x, n, f = model.shape_floats, model.shape_integers, model.shapes[a].cell_floats
    at = f + n[model.shapes[a].cell_integers + BODY_BOXES]
    j = model.shapes[b].floats
    up = rotate(tuple(ws.shapes[b].R_WS), vec1(x, j))
    R, p = tuple(ws.shapes[a].R_WS), tuple(ws.shapes[a].p_WS)
    # n_A = R_WA^T n_W; support of the box along it
    own = rotate_back(R, up)
    reach = abs(own[0]) * x[at + 3] + abs(own[1]) * x[at + 4] + abs(own[2]) * x[at + 5]
    middle = dot(own, vec1(x, at)) + dot(up, sub(p, tuple(ws.shapes[b].p_WS)))
    return middle - reach - x[j + 3], up


@kernel
def distance_below(model, ws, a, b):
    """Lower bound of the distance of two bodies of cells [m], the role of a site at that gap, and a direction."""
    if model.shapes[b].code == PLANE:
        gap, up = height_of_box(model, ws, a, b)
        return gap, 0, up
    return far(model, ws, a, b), -1, (0.0, 0.0, 1.0)


@kernel
def take_parts(model, ws, c, parts, count, latched):
    """Turns the first `count` rows of parts into sites; returns how many sites there are."""
    a = model.contacts[c].first
    if count < 0 or count >= len(ws.sites):
        ws.flags.capacity_exceeded = 2
        count = 0
    if count == 0:
        put_gap(ws, -1, 0.0, tuple(ws.shapes[a].p_WS), (0.0, 0.0, 1.0))
        return 1
    for s in range(count):
        part = (parts[s, PART_VOLUME], vec(parts, s, CENTROID), sym(parts, s, PART_INERTIA))
        put_part(ws, s, parts[s, VOLUME_PART_KEY], part, vec(parts, s, GUESS), 0.0, parts[s, PART_AREA])
        put_springs(ws, s, (vec(parts, s, SPRING_PUSH), vec(parts, s, COUPLE), parts[s, PART_POTENTIAL]))
    return settle(model, ws, c, count, latched)


@entry_point
def find_polyhedron_polyhedron(model: ModelArrays, ws: Workspace, c: int, latched: Vector) -> int:
    """Overlap parts of two bodies with flat faces; returns the number of sites."""
    row = model.contacts[c]
    a, b = row.first, row.second
    gap, role, up = distance_below(model, ws, a, b)
    if gap > 0.0:
        put_gap(ws, role, gap, tuple(ws.shapes[a].p_WS), up)
        return 1
    scratch = overlap_scratch_of(model, ws, c)
    x, n, at = model.shape_floats, model.shape_integers, model.shapes
    R_a, p_a = tuple(ws.shapes[a].R_WS), tuple(ws.shapes[a].p_WS)
    R_b, p_b = tuple(ws.shapes[b].R_WS), tuple(ws.shapes[b].p_WS)
    fa, ia, fb, ib = at[a].cell_floats, at[a].cell_integers, at[b].cell_floats, at[b].cell_integers
    sprung = row.normal_kind != INERTIA_NORMAL
    count = find_flat_parts(x, n, fa, ia, fb, ib, R_a, p_a, R_b, p_b, scratch, sprung)
    return take_parts(model, ws, c, scratch.parts, count, latched)
