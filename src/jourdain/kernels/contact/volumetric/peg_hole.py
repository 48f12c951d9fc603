"""Narrow phase of volumetric contact: a peg, box or convex mesh in the solid around a round hole."""

from __future__ import annotations

from ...compiler import entry_point, kernel
from ...kind_registry import CYLINDER
from ...model_arrays import ModelArrays, Workspace
from ...signatures import Vector
from ...spatial import sub, sym, vec
from ..contact_layout import (
    INERTIA_NORMAL,
)
from ..overlap_volumes.peg_hole import peg_hole
from ..overlap_volumes.polyhedron_hole import CORNER_CORNERS, GATHER, PIECE, polyhedron_hole
from ..overlap_volumes.revolution_polyhedron import BREAKS, PANEL_LINE
from ..overlap_volumes.springs import row_springs
from ..overlap_volumes.springs_hole import SURFACE
from .overlap_parts import direction_of, lay_planes, line_scratch, put_gap, put_part, put_springs, settle

FOUND = 21  # numbers of a part as `peg_hole` and `polyhedron_hole` write them
HOLE_V, CENTROID, HOLE_INERTIA, HOLE_AREA, HOLE_KEY = 0, 1, 4, 10, 13


@kernel
def hole_scratch(model, ws, c):
    """Scratch for a polyhedron in a hole, behind that for slices: pieces, gathered parts, and rows of parts found."""
    count = model.contacts[c].capacity_points
    a = (4 + PANEL_LINE) * count + BREAKS
    b = a + 2 * PIECE * count
    d = b + CORNER_CORNERS * GATHER
    pieces, parts = (
        ws.overlap_scratch[a:b].reshape((2 * count, PIECE)),
        ws.overlap_scratch[b:d].reshape((CORNER_CORNERS, GATHER)),
    )
    return pieces, parts, ws.overlap_scratch[d : d + CORNER_CORNERS * FOUND].reshape((CORNER_CORNERS, FOUND))


@entry_point
def find_peg_hole(model: ModelArrays, ws: Workspace, c: int, latched: Vector) -> int:
    """Overlap parts of a peg, box or convex mesh A in a cylindrical hole B: a tilted peg touches on two sides. Returns
    the number of sites.
    """
    row = model.contacts[c]
    a, b = row.first, row.second
    f, i, j = model.shape_floats, model.shapes[a].floats, model.shapes[b].floats
    # Q = R_WA, q = p_WoAo; R = R_WB, p = p_WoBo; radius and half length of the hole [m]
    Q, q = tuple(ws.shapes[a].R_WS), tuple(ws.shapes[a].p_WS)
    R, p = tuple(ws.shapes[b].R_WS), tuple(ws.shapes[b].p_WS)
    wide, half = f[j], f[j + 1]
    pieces, parts, rows = hole_scratch(model, ws, c)
    if model.shapes[a].code == CYLINDER:
        hole, ends, sprung = ((wide, 0.0, -half, half),), (SURFACE, SURFACE), row.normal_kind != INERTIA_NORMAL
        count = peg_hole(R, p, hole, (True, True), Q, q, f[i], f[i + 1], rows, ends, sprung)
    else:
        planes, lines, breaks, _cell = line_scratch(model, ws, c)
        faces = lay_planes(model, ws, a, planes)
        holes = ((wide * wide, 0.0, 0.0, -half, half),)
        count = polyhedron_hole(R, p, holes, (True, True), Q, q, planes, faces, lines, breaks, pieces, parts, rows)
    # the vector area of a part gives its area and the guess of its normal
    found = 0
    for k in range(count):
        if rows[k, HOLE_V] > 0.0:
            area, guess = direction_of(vec(rows, k, HOLE_AREA), direction_of(sub(p, q), (0.0, 0.0, 1.0))[1])
            put_part(
                ws,
                found,
                rows[k, HOLE_KEY],
                (rows[k, HOLE_V], vec(rows, k, CENTROID), sym(rows, k, HOLE_INERTIA)),
                guess,
                0.0,
                area,
            )
            put_springs(ws, found, row_springs(rows, k))
            found += 1
    if found == 0:
        put_gap(ws, -1, 0.0, q, (0.0, 0.0, 1.0))
        return 1
    return settle(model, ws, c, found, latched)
