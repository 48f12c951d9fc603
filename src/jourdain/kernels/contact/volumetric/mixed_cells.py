"""Narrow phase of volumetric contact: bodies of convex cells of which some are round or have round holes."""

from __future__ import annotations

from ...compiler import entry_point, kernel
from ...model_arrays import ModelArrays, Workspace
from ...signatures import Vector
from ..contact_layout import INERTIA_NORMAL
from ..overlap_volumes.cylinder_cylinder import CROSSED_CORNERS as POLYGON
from ..overlap_volumes.mixed_overlap import find_mixed_parts
from ..overlap_volumes.overlap_layout import (
    FEATURES,
    GATHERED,
    LINE,
    PAIR,
    PART,
    PIECE,
    POINT,
    SLICED,
    VERTEX,
    SliceScratch,
    cell_pairs,
    gathered_parts,
    half_spaces,
    side_pieces,
    slice_lines,
    sliced_parts,
)
from ..overlap_volumes.polyhedron_hole import GATHERED_MOST
from ..overlap_volumes.revolution_polyhedron import BREAKS
from .overlap_parts import put_gap
from .polyhedron_polyhedron import body_of, distance_below, overlap_scratch_of, take_parts


@kernel
def slices_of(model, ws, c):
    """Tables in the scratch behind that of `overlap_scratch_of`, for slices of round cells and holes."""
    row = model.contacts[c]
    m, pairs = row.capacity_points, row.capacity_pairs
    k = POINT * m + PART * pairs
    lines, breaks = k + 4 * m, k + (4 + LINE) * m
    pieces = breaks + BREAKS
    gathered = pieces + 2 * PIECE * m
    polygon = gathered + GATHERED_MOST * GATHERED
    rows = polygon + 4 * POLYGON
    cell = rows + FEATURES * SLICED
    near = VERTEX * m + PAIR * pairs + 2 * row.capacity_stack
    floats = ws.overlap_scratch
    return SliceScratch(
        planes=half_spaces(floats, k),
        lines=slice_lines(floats, lines),
        breaks=floats[breaks:pieces],
        pieces=side_pieces(floats, pieces),
        gathered=gathered_parts(floats, gathered),
        polygon=floats[polygon:rows].reshape((2 * POLYGON, 2)),
        rows=sliced_parts(floats, rows),
        pairs=cell_pairs(ws.links[near : near + PAIR * pairs], 0),
        cell=half_spaces(floats, cell),
    )


@entry_point
def find_mixed_cells(model: ModelArrays, ws: Workspace, c: int, latched: Vector) -> int:
    """Overlap parts of two bodies of cells, with flat faces, round or with round holes; returns the number of sites."""
    row = model.contacts[c]
    a, b = row.first, row.second
    gap, role, up = distance_below(model, ws, a, b)
    if gap > 0.0:
        put_gap(ws, role, gap, ws.shapes[a].p_WS, up)
        return 1
    scratch, slices = overlap_scratch_of(model, ws, c), slices_of(model, ws, c)
    sprung = row.normal_kind != INERTIA_NORMAL
    count = find_mixed_parts(body_of(model, ws, a), body_of(model, ws, b), scratch, slices, sprung)
    return take_parts(model, ws, c, scratch.parts, count, latched)
