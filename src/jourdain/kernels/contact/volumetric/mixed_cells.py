"""Narrow phase of volumetric contact: bodies of convex cells of which some are round or have round holes."""

from __future__ import annotations

from ...compiler import entry_point, kernel
from ...model_arrays import ModelArrays, Workspace
from ...signatures import Vector
from ..contact_layout import (
    INERTIA_NORMAL,
)
from ..overlap_volumes.cylinder_cylinder import CROSSED_CORNERS as POLYGON
from ..overlap_volumes.mixed_overlap import find_mixed_parts
from ..overlap_volumes.overlap_layout import FEATURES, LINK, PAIR_SIZE, PART_SIZE, POINT_SIZE, SliceScratch
from ..overlap_volumes.polyhedron_hole import CORNER_CORNERS, GATHER, PIECE
from ..overlap_volumes.revolution_polyhedron import BREAKS, PANEL_LINE
from .overlap_parts import put_gap
from .polyhedron_polyhedron import distance_below, overlap_scratch_of, take_parts

FOUND = 21  # numbers of a part in a hole, springs included


@kernel
def slices_of(model, ws, c):
    """Views of the scratch behind that of `overlap_scratch_of`, for slices of round cells and holes."""
    row = model.contacts[c]
    m, pairs = row.capacity_points, row.capacity_pairs
    k = POINT_SIZE * m + PART_SIZE * pairs
    lines, breaks = k + 4 * m, k + (4 + PANEL_LINE) * m
    pieces = breaks + BREAKS
    gathered = pieces + 2 * PIECE * m
    polygon = gathered + CORNER_CORNERS * GATHER
    rows = polygon + 4 * POLYGON
    near = LINK * m + PAIR_SIZE * pairs + 2 * row.capacity_stack
    cell = rows + FEATURES * FOUND
    return SliceScratch(
        ws.overlap_scratch[k:lines].reshape((m, 4)),
        ws.overlap_scratch[lines:breaks].reshape((m, PANEL_LINE)),
        ws.overlap_scratch[breaks:pieces],
        ws.overlap_scratch[pieces:gathered].reshape((2 * m, PIECE)),
        ws.overlap_scratch[gathered:polygon].reshape((CORNER_CORNERS, GATHER)),
        ws.overlap_scratch[polygon:rows].reshape((2 * POLYGON, 2)),
        ws.overlap_scratch[rows:cell].reshape((FEATURES, FOUND)),
        ws.links[near : near + PAIR_SIZE * pairs].reshape((pairs, PAIR_SIZE)),
        ws.overlap_scratch[cell : cell + 4 * m].reshape((m, 4)),
    )


@entry_point
def find_mixed_cells(model: ModelArrays, ws: Workspace, c: int, latched: Vector) -> int:
    """Overlap parts of two bodies of cells, with flat faces, round or with round holes; returns the number of sites."""
    row = model.contacts[c]
    a, b = row.first, row.second
    gap, role, up = distance_below(model, ws, a, b)
    if gap > 0.0:
        put_gap(ws, role, gap, tuple(ws.shapes[a].p_WS), up)
        return 1
    scratch = overlap_scratch_of(model, ws, c)
    # R_WA, p_WoAo, R_WB, p_WoBo, and where the tables of the two bodies begin
    x, n, at = model.shape_floats, model.shape_integers, model.shapes
    R_a, p_a = tuple(ws.shapes[a].R_WS), tuple(ws.shapes[a].p_WS)
    R_b, p_b = tuple(ws.shapes[b].R_WS), tuple(ws.shapes[b].p_WS)
    fa, ia, fb, ib = at[a].cell_floats, at[a].cell_integers, at[b].cell_floats, at[b].cell_integers
    slices, sprung = slices_of(model, ws, c), row.normal_kind != INERTIA_NORMAL
    count = find_mixed_parts(x, n, fa, ia, fb, ib, R_a, p_a, R_b, p_b, scratch, slices, sprung)
    return take_parts(model, ws, c, scratch.parts, count, latched)
