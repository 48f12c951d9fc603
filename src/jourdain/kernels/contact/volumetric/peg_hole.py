"""Narrow phase of volumetric contact: a peg, box or convex mesh in the solid around a round hole."""

from __future__ import annotations

from ...algebra import Vec3
from ...compiler import entry_point, kernel
from ...kind_registry import CYLINDER
from ...model_arrays import ModelArrays, Workspace
from ...signatures import Vector
from ..contact_layout import INERTIA_NORMAL
from ..overlap_volumes.overlap_layout import GATHERED, LINE, PIECE, gathered_parts, side_pieces, sliced_parts
from ..overlap_volumes.overlap_values import Revolved, Wall
from ..overlap_volumes.peg_hole import peg_hole
from ..overlap_volumes.polyhedron_hole import GATHERED_MOST, polyhedron_hole
from ..overlap_volumes.revolution_polyhedron import BREAKS
from ..overlap_volumes.springs import row_springs
from ..overlap_volumes.springs_hole import SURFACE
from .overlap_parts import direction_of, lay_planes, line_scratch, put_gap, put_part, settle


@kernel
def hole_scratch(model, ws, c):
    """Scratch for a polyhedron in a hole, behind that for slices: pieces, gathered parts, and the parts found."""
    count = model.contacts[c].capacity_points
    a = (4 + LINE) * count + BREAKS
    b = a + 2 * PIECE * count
    d = b + GATHERED_MOST * GATHERED
    scratch = ws.overlap_scratch
    return side_pieces(scratch, a), gathered_parts(scratch, b), sliced_parts(scratch, d)


@entry_point
def find_peg_hole(model: ModelArrays, ws: Workspace, c: int, latched: Vector) -> int:
    """Overlap parts of a peg, box or convex mesh A in a cylindrical hole B: a tilted peg touches on two sides. Returns
    the number of sites.
    """
    row = model.contacts[c]
    a, b = row.first, row.second
    f, i, j = model.shape_floats, model.shapes[a].floats, model.shapes[b].floats
    # Q = R_WA, q = p_WoAo; R = R_WB, p = p_WoBo; radius and half length of the hole [m]
    Q, q, R, p = ws.shapes[a].R_WS, ws.shapes[a].p_WS, ws.shapes[b].R_WS, ws.shapes[b].p_WS
    wide, half = f[j], f[j + 1]
    pieces, parts, rows = hole_scratch(model, ws, c)
    if model.shapes[a].code == CYLINDER:
        hole, ends = (Wall(wide, 0.0, -half, half),), (SURFACE, SURFACE)
        sprung = row.normal_kind != INERTIA_NORMAL
        count = peg_hole(R, p, hole, (True, True), Q, q, f[i], f[i + 1], rows, ends, sprung)
    else:
        planes, lines, breaks, _cell = line_scratch(model, ws, c)
        faces = lay_planes(model, ws, a, planes)
        holes = (Revolved(wide * wide, 0.0, 0.0, -half, half),)
        count = polyhedron_hole(R, p, holes, (True, True), Q, q, planes, faces, lines, breaks, pieces, parts, rows)
    # the vector area of a part gives its area and the guess of its normal
    up = Vec3(0.0, 0.0, 1.0)
    found = 0
    for k in range(count):
        own = rows[k]
        if own.part.volume > 0.0:
            area, guess = direction_of(own.area, direction_of(p - q, up)[1])
            put_part(ws, found, own.feature, own.part, guess, 0.0, area)
            ws.sites[found].springs = row_springs(own)
            found += 1
    if found == 0:
        put_gap(ws, -1, 0.0, q, up)
        return 1
    return settle(model, ws, c, found, latched)
