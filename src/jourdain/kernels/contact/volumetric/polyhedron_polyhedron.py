"""Narrow phase of volumetric contact: bodies of convex cells with flat faces, half-spaces and wedges."""

from __future__ import annotations

from ...compiler import entry_point, kernel
from ...kind_registry import PLANE
from ...model_arrays import ModelArrays, Workspace
from ...signatures import Vector
from ...spatial import dot, mat, rotate, rotate_back, sub, sym, vec
from ..contact_layout import (
    CAPACITY_PAIRS,
    CAPACITY_POINTS,
    CAPACITY_STACK,
    CELL_FLOATS,
    CELL_INTEGERS,
    CONTACT_FIRST,
    CONTACT_NORMAL,
    CONTACT_SECOND,
    INERTIA_NORMAL,
    SHAPE_CODE,
    SHAPE_FLOATS,
    SHAPE_P,
    SHAPE_R,
)
from ..narrow_phase.unit_vectors import three
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
    row = model.contact_index[c]
    points, pairs, stack = row[CAPACITY_POINTS], row[CAPACITY_PAIRS], row[CAPACITY_STACK]
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
    x, n, f = model.shape_floats, model.shape_integers, model.shape_index[a, CELL_FLOATS]
    at = f + n[model.shape_index[a, CELL_INTEGERS] + BODY_BOXES]
    j = model.shape_index[b, SHAPE_FLOATS]
    up = rotate(mat(ws.shapes, b, SHAPE_R), three(x, j))
    R, p = mat(ws.shapes, a, SHAPE_R), vec(ws.shapes, a, SHAPE_P)
    # n_A = R_WA^T n_W; support of the box along it
    own = rotate_back(R, up)
    reach = abs(own[0]) * x[at + 3] + abs(own[1]) * x[at + 4] + abs(own[2]) * x[at + 5]
    middle = dot(own, three(x, at)) + dot(up, sub(p, vec(ws.shapes, b, SHAPE_P)))
    return middle - reach - x[j + 3], up


@kernel
def distance_below(model, ws, a, b):
    """Lower bound of the distance of two bodies of cells [m], the role of a site at that gap, and a direction."""
    if model.shape_index[b, SHAPE_CODE] == PLANE:
        gap, up = height_of_box(model, ws, a, b)
        return gap, 0, up
    return far(model, ws, a, b), -1, (0.0, 0.0, 1.0)


@kernel
def take_parts(model, ws, c, parts, count, latched):
    """Turns the first `count` rows of parts into sites; returns how many sites there are."""
    a = model.contact_index[c, CONTACT_FIRST]
    if count < 0 or count >= ws.sites.shape[0]:
        ws.flags.capacity_exceeded = 2
        count = 0
    if count == 0:
        put_gap(ws, -1, 0.0, vec(ws.shapes, a, SHAPE_P), (0.0, 0.0, 1.0))
        return 1
    for s in range(count):
        part = (parts[s, PART_VOLUME], vec(parts, s, CENTROID), sym(parts, s, PART_INERTIA))
        put_part(ws, s, parts[s, VOLUME_PART_KEY], part, vec(parts, s, GUESS), 0.0, parts[s, PART_AREA])
        put_springs(ws, s, (vec(parts, s, SPRING_PUSH), vec(parts, s, COUPLE), parts[s, PART_POTENTIAL]))
    return settle(model, ws, c, count, latched)


@entry_point
def find_polyhedron_polyhedron(model: ModelArrays, ws: Workspace, c: int, latched: Vector) -> int:
    """Overlap parts of two bodies with flat faces; returns the number of sites."""
    row = model.contact_index[c]
    a, b = row[CONTACT_FIRST], row[CONTACT_SECOND]
    gap, role, up = distance_below(model, ws, a, b)
    if gap > 0.0:
        put_gap(ws, role, gap, vec(ws.shapes, a, SHAPE_P), up)
        return 1
    scratch = overlap_scratch_of(model, ws, c)
    x, n, at = model.shape_floats, model.shape_integers, model.shape_index
    R_a, p_a = mat(ws.shapes, a, SHAPE_R), vec(ws.shapes, a, SHAPE_P)
    R_b, p_b = mat(ws.shapes, b, SHAPE_R), vec(ws.shapes, b, SHAPE_P)
    fa, ia, fb, ib = at[a, CELL_FLOATS], at[a, CELL_INTEGERS], at[b, CELL_FLOATS], at[b, CELL_INTEGERS]
    sprung = row[CONTACT_NORMAL] != INERTIA_NORMAL
    count = find_flat_parts(x, n, fa, ia, fb, ib, R_a, p_a, R_b, p_b, scratch, sprung)
    return take_parts(model, ws, c, scratch.parts, count, latched)
