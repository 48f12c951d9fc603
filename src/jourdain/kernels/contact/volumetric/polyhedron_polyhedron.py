"""Narrow phase of volumetric contact: bodies of convex cells with flat faces, half-spaces and wedges."""

from __future__ import annotations

from ...algebra import Vec3
from ...compiler import entry_point, kernel
from ...flat_arrays import vector_at
from ...kind_registry import PLANE
from ...model_arrays import ModelArrays, Workspace
from ...signatures import Vector
from ..contact_layout import INERTIA_NORMAL
from ..overlap_volumes.cell_overlap import find_flat_parts
from ..overlap_volumes.overlap_layout import (
    PAIR,
    PART,
    POINT,
    VERTEX,
    OverlapScratch,
    box_rows,
    cell_body,
    cell_pairs,
    clip_points,
    clip_vertices,
    header_at,
    node_pairs,
    overlap_parts,
)
from .overlap_parts import far, put_gap, put_part, settle


@kernel
def overlap_scratch_of(model, ws, c):
    """Tables in the scratch of a workspace for contact c."""
    row = model.contacts[c]
    points, pairs, stack = row.capacity_points, row.capacity_pairs, row.capacity_stack
    f, n = POINT * points, VERTEX * points
    m = n + PAIR * pairs
    return OverlapScratch(
        clip_points(ws.overlap_scratch[:f], 0),
        clip_vertices(ws.links[:n], 0),
        overlap_parts(ws.overlap_scratch[f : f + PART * pairs], 0),
        cell_pairs(ws.links[n:m], 0),
        node_pairs(ws.links[m : m + 2 * stack], 0),
    )


@kernel
def body_of(model, ws, shape):
    """A shape as a body of cells."""
    row, state = model.shapes[shape], ws.shapes[shape]
    floats, integers = model.shape_floats, model.shape_integers
    return cell_body(floats, integers, row.cell_floats, row.cell_integers, state.R_WS, state.p_WS)


@kernel
def height_of_box(model, ws, a, b):
    """Gap between plane B and the bounding box of all cells of body A, negative where they overlap [m], and the plane's
    normal in world axes.
    """
    x, first, j = model.shape_floats, model.shapes[a], model.shapes[b].floats
    box = box_rows(x, first.cell_floats + header_at(model.shape_integers, first.cell_integers).boxes)[0]
    A, B = ws.shapes[a], ws.shapes[b]
    up = B.R_WS @ vector_at(x, j)
    # n_A = R_WA^T n_W; support of the box along it
    own, half = A.R_WS.T @ up, box.half
    reach = abs(own.x) * half[0] + abs(own.y) * half[1] + abs(own.z) * half[2]
    middle = own @ box.middle + up @ (A.p_WS - B.p_WS)
    return middle - reach - x[j + 3], up


@kernel
def distance_below(model, ws, a, b):
    """Lower bound of the distance of two bodies of cells [m], the role of a site at that gap, and a direction."""
    if model.shapes[b].code == PLANE:
        gap, up = height_of_box(model, ws, a, b)
        return gap, 0, up
    return far(model, ws, a, b), -1, Vec3(0.0, 0.0, 1.0)


@kernel
def take_parts(model, ws, c, parts, count, latched):
    """Turns the first `count` rows of parts into sites; returns how many sites there are."""
    if count < 0 or count >= len(ws.sites):
        ws.flags.capacity_exceeded = 2
        count = 0
    if count == 0:
        put_gap(ws, -1, 0.0, ws.shapes[model.contacts[c].first].p_WS, Vec3(0.0, 0.0, 1.0))
        return 1
    for s in range(count):
        row = parts[s]
        put_part(ws, s, row.key, row.part, row.guess, 0.0, row.area)
        ws.sites[s].springs = row.springs
    return settle(model, ws, c, count, latched)


@entry_point
def find_polyhedron_polyhedron(model: ModelArrays, ws: Workspace, c: int, latched: Vector) -> int:
    """Overlap parts of two bodies with flat faces; returns the number of sites."""
    row = model.contacts[c]
    a, b = row.first, row.second
    gap, role, up = distance_below(model, ws, a, b)
    if gap > 0.0:
        put_gap(ws, role, gap, ws.shapes[a].p_WS, up)
        return 1
    scratch = overlap_scratch_of(model, ws, c)
    sprung = row.normal_kind != INERTIA_NORMAL
    count = find_flat_parts(body_of(model, ws, a), body_of(model, ws, b), scratch, sprung)
    return take_parts(model, ws, c, scratch.parts, count, latched)
