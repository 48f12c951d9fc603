"""Overlaps of bodies made of cells of any kind: flat and round ones, and blocks with a round hole.

The dispatch from a pair of cells to its kernel is here alone. Positions are from the origin of the first body, so that
nothing is lost far from the origin of the world.
"""

from __future__ import annotations

import math

from ...algebra import Mat3, Vec3
from ...compiler import entry_point, kernel, outlined_kernel, separate_kernel
from ...kind_registry import CAPSULE, CONE, CYLINDER, SPHERE
from ...signatures import Constants, IntegerConstants
from ...signatures import Mat3 as Nine
from ...signatures import Vec3 as Three
from .bvh import list_pairs
from .cell_overlap import flat_overlap, write_part
from .connected_components import merge
from .cylinder_cylinder import cylinder_cylinder
from .overlap_layout import (
    AXES,
    FEATURES,
    OverlapScratch,
    SliceScratch,
    axes_at,
    bore_at,
    bore_pieces,
    cell_body,
    overlap_tables,
    planes_of,
    round_at,
    slice_tables,
)
from .overlap_values import Part, Revolved, Wall
from .peg_hole import peg_hole
from .polyhedron_hole import polyhedron_hole
from .sphere_overlap import sphere_capsule, sphere_cone, sphere_cylinder, sphere_polyhedron, sphere_round
from .spherical_caps import nothing, sphere_sphere
from .springs import ball_springs, is_inner, opposite, row_springs, unknown_springs
from .springs_hole import SURFACE, WITHIN
from .springs_round import round_flat, round_springs
from .volume_moments import join_parts, put_row

ACROSS = 1e-9  # sine of the angle between a face of a block and the slices of its hole below which they are parallel


@kernel
def is_flat(kind):
    """Whether the faces of a cell are flat."""
    return kind != SPHERE and kind != CYLINDER and kind != CONE and kind != CAPSULE


@kernel
def append_planes(body, cell, p, planes, count, axis):
    """Appends the planes of a flat cell, except those across an axis; returns how many there are then.

    p    the origin of its body, from where positions are taken
    """
    own = planes_of(body, cell)
    for f in range(cell.planes):
        m = body.R @ own[f].normal
        along = m @ axis
        if 1.0 - along * along < ACROSS * ACROSS:
            continue
        planes[count].normal, planes[count].offset = m, own[f].offset + m @ p
        count += 1
    return count


@outlined_kernel
def round_round(kind, R, p, r, l, other, S, q, s, m, slices):
    """(part, N) of two round solids: a sphere with any, or two cylinders."""
    if kind == SPHERE and other == SPHERE:
        part, _n = sphere_sphere(p, r, q, s)
        way = p - q
        d = math.sqrt(way @ way)
        N = way.zero
        if part.volume > 0.0 and d > abs(r - s):
            h = 0.5 * (d * d + s * s - r * r) / d
            N = math.pi * (s * s - h * h) / d * way
        return part, N
    if kind == SPHERE:
        if other == CYLINDER:
            return sphere_cylinder(S, q, s, m, False, p, r)
        if other == CONE:
            return sphere_cone(S, q, s, m, False, p, r)
        return sphere_capsule(S, q, s, m, p, r)
    return cylinder_cylinder(R, p, r, l, S, q, s, m, slices.polygon, slices.breaks)


@kernel
def piece_at(pieces, count, k):
    """Piece k of 3 of a round hole; those before the first have zero length."""
    skip = 3 - count
    wall = pieces[k - skip if k >= skip else 0].wall
    return Wall(wall.a, wall.b, wall.low, wall.high if k >= skip else wall.low)


@kernel
def squared(wall):
    """A piece of a hole as x^2 + y^2 <= a + b z + c z^2 between two heights."""
    a, b = wall.a, wall.b
    return Revolved(a * a, 2.0 * a * b, b * b, wall.low, wall.high)


@outlined_kernel
def ball_bored(block, cell, p, pieces, count, S, q, centre, radius, slices):
    """(part, N) of a sphere and a block with a round hole, the second.

    By slices across the hole the block is unbounded sideways, by its planes it has no hole. Where the sphere reaches
    past the sides of the block the smaller of the two overlaps is taken: right unless the overlap itself has both a
    side and the hole in it.
    """
    part, N = nothing(centre), centre.zero
    for k in range(count):
        wall = pieces[k].wall
        ends = (k == 0, k == count - 1)
        own, M = sphere_round(S, q, (wall.a, wall.b, False), wall.low, wall.high, ends, True, centre, radius)
        if own.volume > 0.0:
            part, N = join_parts(own, part), N + M
    # does the sphere reach past a side of the block?
    planes = slices.planes
    sides = append_planes(block, cell, p, planes, 0, S.z_axis)
    beyond = False
    for k in range(sides):
        beyond = beyond or planes[k].normal @ centre - planes[k].offset > -radius
    if beyond:
        sides = append_planes(block, cell, p, planes, 0, centre.zero)
        own, M = sphere_polyhedron(centre, radius, planes, sides, slices.lines, slices.breaks)
        if own.volume < part.volume:
            return own, M
    return part, N


@kernel
def axis_in_hole(pieces, count, S, q, R, p, half):
    """Whether the axis of a peg passes through a round hole, in the middle of the heights that they share."""
    u, c = S.T @ R.z_axis, S.T @ (p - q)
    if u.z * u.z < 0.01:
        return False
    bottom, top = pieces[0].wall.low, pieces[count - 1].wall.high
    low, high = max(bottom, c.z - half * abs(u.z)), min(top, c.z + half * abs(u.z))
    z = 0.5 * (low + high)
    z = min(max(z, bottom), top)
    ex, ey = c.x + (z - c.z) * u.x / u.z, c.y + (z - c.z) * u.y / u.z
    wide = 0.0
    for k in range(count):
        wall = pieces[k].wall
        if wall.low <= z <= wall.high:
            wide = max(wide, wall.a + wall.b * z)
    return ex * ex + ey * ey < wide * wide


@kernel
def corners_in(T, t, holes, R, p, count, slices):
    """`polyhedron_hole` of the first `count` planes, both ends of the hole being faces of the block."""
    planes, lines, breaks = slices.planes, slices.lines, slices.breaks
    pieces, parts, rows = slices.pieces, slices.gathered, slices.rows
    return polyhedron_hole(T, t, holes, (True, True), R, p, planes, count, lines, breaks, pieces, parts, rows)


@outlined_kernel
def hole_borders(block, cell, axis):
    """Kinds of the lower and the upper end of the hole in a block (springs_hole.py); 0 without a face across it."""
    planes = planes_of(block, cell)
    low = high = 0
    for k in range(cell.planes):
        along = (block.R @ planes[k].normal) @ axis
        if 1.0 - along * along < ACROSS * ACROSS:
            border = WITHIN if is_inner(cell.holes >> 1, k) else SURFACE
            low, high = (low, border) if along > 0.0 else (border, high)
    return low, high


@outlined_kernel
def bored_rows(body, cell, p, block, other, q, slices, sprung):
    """Parts of a cell of a body at p and a block at q with a round hole, the second, into slices.rows; returns how
    many.

    The foundation of a sphere is in its own surface, that of a peg in the hole; for blocks in holes no potential is
    known.
    """
    bore = bore_at(block.integers, other.bore)
    axes, count = axes_at(block.floats, bore.floats), bore.pieces
    pieces = bore_pieces(block.floats, bore.floats + AXES)
    T, t = block.R @ axes.R, q + block.R @ axes.p
    first, second, third = piece_at(pieces, count, 0), piece_at(pieces, count, 1), piece_at(pieces, count, 2)
    axis, kind, planes = T.z_axis, cell.kind, slices.planes
    # flat cell: intersected with the planes of the block, its corners beyond the walls of the hole
    if is_flat(kind):
        faces = append_planes(body, cell, p, planes, 0, p.zero)
        faces = append_planes(block, other, q, planes, faces, axis)
        if count == 1:
            return corners_in(T, t, (squared(third),), body.R, p, faces, slices)
        if count == 2:
            half = 0.5 * (second.low + second.high)
            first = Wall(second.a, second.b, second.low, half)
            second = Wall(second.a, second.b, half, second.high)
        return corners_in(T, t, (squared(first), squared(second), squared(third)), body.R, p, faces, slices)
    # round cell: a sphere, a peg whose axis is in the hole, or one beside it, where the hole does not matter
    own = round_at(body.floats, cell.floats)
    Q, c, r = body.R @ own.R, p + body.R @ own.p, own.radius
    if kind == SPHERE:
        part, N = ball_bored(block, other, q, pieces, count, T, t, c, r, slices)
    else:
        l = own.length
        if axis_in_hole(pieces, count, T, t, Q, c, l):
            borders = hole_borders(block, other, axis)
            holes = (first, second, third)
            return peg_hole(T, t, holes, (True, True), Q, c, r, l, slices.rows, borders, sprung)
        faces = append_planes(block, other, q, planes, 0, p.zero)
        part, N = round_flat(kind, Q, c, r, l, planes, faces, slices.lines, slices.breaks)
    put_row(slices.rows[0], part, N, 0)
    if kind == SPHERE:
        slices.rows[0].springs = ball_springs(part, c, r)
    return 1


@kernel
def round_cell(body, cell, p):
    """Rotation, position, radius and length, or half length, of a round cell of a body at p."""
    own = round_at(body.floats, cell.floats)
    return body.R @ own.R, p + body.R @ own.p, own.radius, 0.0 if cell.kind == SPHERE else own.length


@outlined_kernel
def curved_overlap(A, i, B, j, slices, sprung):
    """(part, N, springs) of two cells without holes of which one is round, from the origin of the first body.

    The foundation is in the sphere where there is one, else in the flat faces; for two cylinders no potential is known.
    """
    one, two = A.cells[i], B.cells[j]
    p, q = A.p.zero, B.p - A.p
    # one is flat: the round one is taken as the first, and N changes its sign where that swaps them
    flat_a, flat_b = is_flat(one.kind), is_flat(two.kind)
    if flat_a or flat_b:
        block, flat, o, body, cell, c, sign = B, two, q, A, one, p, 1.0
        if flat_a:
            block, flat, o, body, cell, c, sign = A, one, p, B, two, q, -1.0
        kind = cell.kind
        T, c, r, l = round_cell(body, cell, c)
        planes, lines, breaks = slices.planes, slices.lines, slices.breaks
        count = append_planes(block, flat, o, planes, 0, p)
        part, N = round_flat(kind, T, c, r, l, planes, count, lines, breaks)
        # springs in the sphere or in the flat faces
        springs = unknown_springs(part.volume, N)
        if sprung and part.volume > 0.0 and kind == SPHERE:
            springs = ball_springs(part, c, r)
        elif sprung and part.volume > 0.0:
            inner = flat.holes >> 1
            springs = round_springs(kind, T, c, r, l, planes, count, inner, slices.cell, lines, breaks, part, N)
        if flat_a:
            springs = opposite(springs)
        return part, sign * N, springs
    # both are round: a sphere comes first
    T, c, r, l = round_cell(A, one, p)
    U, d, s, m = round_cell(B, two, q)
    if two.kind == SPHERE and one.kind != SPHERE:
        part, N = round_round(two.kind, U, d, s, m, one.kind, T, c, r, l, slices)
        return part, -N, opposite(ball_springs(part, d, s))
    part, N = round_round(one.kind, T, c, r, l, two.kind, U, d, s, m, slices)
    if one.kind == SPHERE:
        return part, N, ball_springs(part, c, r)
    return part, N, unknown_springs(part.volume, N)


@outlined_kernel
def bored_overlap(A, i, B, j, scratch, slices, r, sprung):
    """Overlaps of cells i and j, one of them with a round hole, into the rows from r on; returns how many."""
    one, two = A.cells[i], B.cells[j]
    key = FEATURES * (i * B.count + j)
    o, away, sign = A.p.zero, B.p - A.p, 1.0
    if two.holes & 1 == 1:
        found = bored_rows(A, one, o, B, two, away, slices, sprung)
    else:
        found = bored_rows(B, two, away, A, one, o, slices, sprung)
        sign = -1.0
    count = 0
    for k in range(found):
        row = slices.rows[k]
        part = row.part
        if part.volume > 0.0:
            springs = row_springs(row)
            if sign < 0.0:
                springs = opposite(springs)
            part = Part(part.volume, A.p + part.centroid, part.inertia)
            write_part(scratch, r + count, i, j, part, sign * row.area, key + row.feature, springs)
            count += 1
    return count


@outlined_kernel
def mixed_overlap(A, i, B, j, scratch, slices, r, sprung):
    """Overlaps of cells i and j into the rows from r on; returns how many, at most FEATURES."""
    one, two = A.cells[i], B.cells[j]
    if (one.holes | two.holes) & 1 == 1:
        return bored_overlap(A, i, B, j, scratch, slices, r, sprung)
    if is_flat(one.kind) and is_flat(two.kind):
        return 1 if flat_overlap(A, i, B, j, scratch, r, sprung) else 0
    part, N, springs = curved_overlap(A, i, B, j, slices, sprung)
    if not part.volume > 0.0:
        return 0
    part = Part(part.volume, A.p + part.centroid, part.inertia)
    write_part(scratch, r, i, j, part, N, FEATURES * (i * B.count + j), springs)
    return 1


@separate_kernel
def find_mixed_parts(A, B, scratch, slices, sprung):
    """`find_flat_parts` of bodies whose cells may be round or have round holes; `slices` is additional scratch."""
    near = list_pairs(A, B, slices.pairs, scratch.stack)
    if near < 0:
        return -1
    count = 0
    for k in range(near):
        if count + FEATURES > len(scratch.parts):
            return -1
        i, j = slices.pairs[k].first, slices.pairs[k].second
        count += mixed_overlap(A, i, B, j, scratch, slices, count, sprung)
    return merge(A, B, scratch, count)


@entry_point
def mixed_parts(
    x: Constants, n: IntegerConstants, fb: int, ib: int, R_a: Nine, p_a: Three, R_b: Nine, p_b: Three,
    scratch: OverlapScratch, slices: SliceScratch,
) -> int:  # fmt: skip
    """`find_mixed_parts` of two bodies in consecutive arrays, for Python to call."""
    A, B = cell_body(x, n, 0, 0, Mat3(R_a), Vec3(p_a)), cell_body(x, n, fb, ib, Mat3(R_b), Vec3(p_b))
    return find_mixed_parts(A, B, overlap_tables(scratch), slice_tables(slices), False)
