"""Overlaps of bodies made of cells of any kind: flat and round ones, and blocks with a round hole.

The dispatch from a pair of cells to its kernel is here alone. Positions are from the origin of the first body, so that
nothing is lost far from the origin of the world.
"""

from __future__ import annotations

import math

from ...compiler import entry_point, kernel, outlined_kernel, separate_kernel
from ...kind_registry import CAPSULE, CONE, CYLINDER, SPHERE
from ...signatures import Constants, IntegerConstants, Mat3, Vec3
from ...spatial import add, dot, matmul, rotate, rotate_back, scale, sub, sym, vec
from .bvh import list_pairs
from .cell_overlap import flat_overlap, write_part
from .connected_components import cell_row, merge
from .cylinder_cylinder import cylinder_cylinder
from .overlap_layout import (
    CELL_A,
    CELL_B,
    CELL_HOLES,
    CELL_KIND,
    CELL_NUMBERS,
    CELL_VERTICES,
    CELLS,
    FEATURES,
    HOLE_COUNT,
    PLANES,
    OverlapScratch,
    SliceScratch,
)
from .peg_hole import peg_hole
from .polyhedron_clipping import place3
from .polyhedron_hole import polyhedron_hole
from .sphere_overlap import sphere_capsule, sphere_cone, sphere_cylinder, sphere_polyhedron, sphere_round
from .spherical_caps import sphere_sphere
from .springs import ball_springs, is_inner, opposite, put_row_springs, row_springs, unknown_springs
from .springs_hole import SURFACE, WITHIN
from .springs_round import round_flat, round_springs
from .volume_moments import join_parts, put_row

ACROSS = 1e-9  # sine of the angle between a face of a block and the slices of its hole below which they are parallel


@kernel
def is_flat(kind):
    """Whether the faces of a cell are flat."""
    return kind != SPHERE and kind != CYLINDER and kind != CONE and kind != CAPSULE


@kernel
def pose_at(x, at, R, p):
    """The pose from x[at] on, in a body of rotation R at p."""
    own = (x[at], x[at + 1], x[at + 2], x[at + 3], x[at + 4], x[at + 5], x[at + 6], x[at + 7], x[at + 8])
    return matmul(R, own), add(p, rotate(R, place3(x, at + 9)))


@kernel
def append_planes(x, n, fo, row, R, p, planes, count, axis):
    """Appends the planes of a flat cell, except those across an axis; returns how many there are then."""
    at = fo + n[row + CELL_NUMBERS] + 3 * n[row + CELL_VERTICES]
    for f in range(n[row + PLANES]):
        k = at + 4 * f
        m = rotate(R, place3(x, k))
        along = dot(m, axis)
        if 1.0 - along * along < ACROSS * ACROSS:
            continue
        planes[count, 0], planes[count, 1], planes[count, 2] = m
        planes[count, 3] = x[k + 3] + dot(m, p)
        count += 1
    return count


@outlined_kernel
def round_round(kind, R, p, r, l, other, S, q, s, m, slices):
    """(V, c, J, N) of two round solids: a sphere with any, or two cylinders."""
    if kind == SPHERE and other == SPHERE:
        V, c, J, _n = sphere_sphere(p, r, q, s)
        way = sub(p, q)
        d = math.sqrt(dot(way, way))
        N = (0.0, 0.0, 0.0)
        if V > 0.0 and d > abs(r - s):
            h = 0.5 * (d * d + s * s - r * r) / d
            N = scale(math.pi * (s * s - h * h) / d, way)
        return V, c, J, N
    if kind == SPHERE:
        if other == CYLINDER:
            return sphere_cylinder(S, q, s, m, False, p, r)
        if other == CONE:
            return sphere_cone(S, q, s, m, False, p, r)
        return sphere_capsule(S, q, s, m, p, r)
    return cylinder_cylinder(R, p, r, l, S, q, s, m, slices.polygon, slices.breaks)


@kernel
def piece_at(x, at, pieces, k):
    """Piece k of 3 of a round hole, (a, b, z0, z1); those before the first have zero length."""
    skip = 3 - pieces
    i = at + 12 + 4 * (k - skip if k >= skip else 0)
    return (x[i], x[i + 1], x[i + 2], x[i + 3] if k >= skip else x[i + 2])


@kernel
def squared(piece):
    """A piece of a hole as x^2 + y^2 <= a + b z + c z^2 between two heights."""
    a, b, z0, z1 = piece
    return (a * a, 2.0 * a * b, b * b, z0, z1)


@outlined_kernel
def ball_bored(x, n, fo, row, R, p, at, pieces, S, q, centre, radius, slices):
    """(V, c, J, N) of a sphere and a block with a round hole, the second.

    By slices across the hole the block is unbounded sideways, by its planes it has no hole. Where the sphere reaches
    past the sides of the block the smaller of the two overlaps is taken: right unless the overlap itself has both a
    side and the hole in it.
    """
    V, c, J = 0.0, centre, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    N = (0.0, 0.0, 0.0)
    for k in range(pieces):
        a, b, z0, z1 = piece_at(x, at, pieces, 3 - pieces + k)
        W, d, K, M = sphere_round(S, q, (a, b, False), z0, z1, (k == 0, k == pieces - 1), True, centre, radius)
        if W > 0.0:
            V, c, J = join_parts((W, d, K), (V, c, J))
            N = add(N, M)
    # does the sphere reach past a side of the block?
    count = append_planes(x, n, fo, row, R, p, slices.planes, 0, (S[2], S[5], S[8]))
    beyond = False
    for k in range(count):
        beyond = beyond or dot(vec(slices.planes, k, 0), centre) - slices.planes[k, 3] > -radius
    if beyond:
        count = append_planes(x, n, fo, row, R, p, slices.planes, 0, (0.0, 0.0, 0.0))
        W, d, K, M = sphere_polyhedron(centre, radius, slices.planes, count, slices.lines, slices.breaks)
        if W < V:
            return W, d, K, M
    return V, c, J, N


@kernel
def axis_in_hole(x, at, pieces, S, q, R, p, half):
    """Whether the axis of a peg passes through a round hole, in the middle of the heights that they share."""
    u, c = rotate_back(S, (R[2], R[5], R[8])), rotate_back(S, sub(p, q))
    if u[2] * u[2] < 0.01:
        return False
    first, last = piece_at(x, at, pieces, 3 - pieces), piece_at(x, at, pieces, 2)
    low, high = max(first[2], c[2] - half * abs(u[2])), min(last[3], c[2] + half * abs(u[2]))
    z = 0.5 * (low + high)
    z = min(max(z, first[2]), last[3])
    ex, ey = c[0] + (z - c[2]) * u[0] / u[2], c[1] + (z - c[2]) * u[1] / u[2]
    wide = 0.0
    for k in range(3 - pieces, 3):
        a, b, z0, z1 = piece_at(x, at, pieces, k)
        if z0 <= z <= z1:
            wide = max(wide, a + b * z)
    return ex * ex + ey * ey < wide * wide


@kernel
def corners_in(T, t, holes, R, p, count, slices):
    """`polyhedron_hole` of the first `count` planes, both ends of the hole being faces of the block."""
    return polyhedron_hole(
        T,
        t,
        holes,
        (True, True),
        R,
        p,
        slices.planes,
        count,
        slices.lines,
        slices.breaks,
        slices.pieces,
        slices.gathered,
        slices.rows,
    )


@outlined_kernel
def hole_borders(x, n, fo, row, S, axis):
    """Kinds of the lower and the upper end of the hole in a block (springs_hole.py); 0 without a face across it."""
    at = fo + n[row + CELL_NUMBERS] + 3 * n[row + CELL_VERTICES]
    low = high = 0
    for k in range(n[row + PLANES]):
        along = dot(rotate(S, place3(x, at + 4 * k)), axis)
        if 1.0 - along * along < ACROSS * ACROSS:
            border = WITHIN if is_inner(n[row + HOLE_COUNT] >> 1, k) else SURFACE
            low, high = (low, border) if along > 0.0 else (border, high)
    return low, high


@outlined_kernel
def bored_rows(x, n, f, row, R, p, fo, io, other, S, q, slices, sprung):
    """Parts of a cell and a block with a round hole, the second, into slices.rows; returns how many.

    The foundation of a sphere is in its own surface, that of a peg in the hole; for blocks in holes no potential is
    known.

    f, row, R, p           the cell and its body
    fo, io, other, S, q    the block and its body
    """
    hole = io + n[other + CELL_HOLES]
    pieces, at = n[hole], fo + n[hole + 1]
    T, t = pose_at(x, at, S, q)
    first, second, third = piece_at(x, at, pieces, 0), piece_at(x, at, pieces, 1), piece_at(x, at, pieces, 2)
    axis = (T[2], T[5], T[8])
    kind = n[row + CELL_KIND]
    rows = slices.rows
    # flat cell: intersected with the planes of the block, its corners beyond the walls of the hole
    if is_flat(kind):
        count = append_planes(x, n, f, row, R, p, slices.planes, 0, (0.0, 0.0, 0.0))
        count = append_planes(x, n, fo, other, S, q, slices.planes, count, axis)
        if pieces == 1:
            return corners_in(T, t, (squared(third),), R, p, count, slices)
        if pieces == 2:
            a, b, z0, z1 = second
            half = 0.5 * (z0 + z1)
            first, second = (a, b, z0, half), (a, b, half, z1)
        return corners_in(T, t, (squared(first), squared(second), squared(third)), R, p, count, slices)
    # round cell: a sphere, a peg whose axis is in the hole, or one beside it, where the hole does not matter
    own = f + n[row + CELL_NUMBERS]
    Q, c = pose_at(x, own, R, p)
    r, l = x[own + 12], 0.0
    if kind == SPHERE:
        V, d, J, N = ball_bored(x, n, fo, other, S, q, at, pieces, T, t, c, r, slices)
    else:
        l = x[own + 13]
        if axis_in_hole(x, at, pieces, T, t, Q, c, l):
            borders = hole_borders(x, n, fo, other, S, axis)
            return peg_hole(T, t, (first, second, third), (True, True), Q, c, r, l, rows, borders, sprung)
        count = append_planes(x, n, fo, other, S, q, slices.planes, 0, (0.0, 0.0, 0.0))
        V, d, J, N = round_flat(kind, Q, c, r, l, slices.planes, count, slices.lines, slices.breaks)
    put_row(rows, 0, V, d, J, N, 0)
    if kind == SPHERE:
        put_row_springs(rows, 0, ball_springs(V, d, J, c, r))
    return 1


@kernel
def numbers_of(x, at, kind):
    """Radius and length, or half length, of a round cell."""
    return x[at + 12], 0.0 if kind == SPHERE else x[at + 13]


@outlined_kernel
def curved_overlap(x, n, fa, one, R_a, fb, two, R_b, p_b, slices, sprung):
    """(V, c, J, N) and springs of two cells without holes of which one is round, from the origin of the first body.

    The foundation is in the sphere where there is one, else in the flat faces; for two cylinders no potential is known.
    """
    o = (0.0, 0.0, 0.0)
    kind, other = n[one + CELL_KIND], n[two + CELL_KIND]
    at, there = fa + n[one + CELL_NUMBERS], fb + n[two + CELL_NUMBERS]
    flat_a, flat_b = is_flat(kind), is_flat(other)
    # one is flat: the round one is taken as the first, and N changes its sign where that swaps them
    if flat_a or flat_b:
        f, row, R, p, g, round_row, S, q = fb, two, R_b, p_b, at, one, R_a, o
        sign = 1.0
        if flat_a:
            f, row, R, p, g, round_row, S, q = fa, one, R_a, o, there, two, R_b, p_b
            sign = -1.0
        T, c = pose_at(x, g, S, q)
        planes, lines, breaks = slices.planes, slices.lines, slices.breaks
        count = append_planes(x, n, f, row, R, p, planes, 0, o)
        which = n[round_row + CELL_KIND]
        r, l = numbers_of(x, g, which)
        V, d, J, N = round_flat(which, T, c, r, l, planes, count, lines, breaks)
        # springs in the sphere or in the flat faces
        springs = unknown_springs(V, N)
        if sprung and V > 0.0 and which == SPHERE:
            springs = ball_springs(V, d, J, c, r)
        elif sprung and V > 0.0:
            inner = n[row + HOLE_COUNT] >> 1
            springs = round_springs(which, T, c, r, l, planes, count, inner, slices.cell, lines, breaks, V, d, N)
        if flat_a:
            springs = opposite(springs)
        return V, d, J, scale(sign, N), springs
    # both are round: a sphere comes first
    T, c = pose_at(x, at, R_a, o)
    U, d = pose_at(x, there, R_b, p_b)
    r, l = numbers_of(x, at, kind)
    s, m = numbers_of(x, there, other)
    if other == SPHERE and kind != SPHERE:
        V, e, J, N = round_round(other, U, d, s, m, kind, T, c, r, l, slices)
        return V, e, J, scale(-1.0, N), opposite(ball_springs(V, e, J, d, s))
    V, e, J, N = round_round(kind, T, c, r, l, other, U, d, s, m, slices)
    if kind == SPHERE:
        return V, e, J, N, ball_springs(V, e, J, c, r)
    return V, e, J, N, unknown_springs(V, N)


@outlined_kernel
def bored_overlap(x, n, fa, ia, i, fb, ib, j, R_a, p_a, R_b, p_b, scratch, slices, r, sprung):
    """Overlaps of cells i and j, one of them with a round hole, into the rows from r on; returns how many."""
    one, two = cell_row(n, ia, i), cell_row(n, ib, j)
    key = FEATURES * (i * n[ib + CELLS] + j)
    o, away, sign = (0.0, 0.0, 0.0), sub(p_b, p_a), 1.0
    if n[two + HOLE_COUNT] & 1 == 1:
        found = bored_rows(x, n, fa, one, R_a, o, fb, ib, two, R_b, away, slices, sprung)
    else:
        found = bored_rows(x, n, fb, two, R_b, away, fa, ia, one, R_a, o, slices, sprung)
        sign = -1.0
    count = 0
    for k in range(found):
        row = slices.rows
        if row[k, 0] > 0.0:
            springs = row_springs(row, k)
            if sign < 0.0:
                springs = opposite(springs)
            part = (row[k, 0], add(p_a, vec(row, k, 1)), sym(row, k, 4))
            write_part(scratch, r + count, i, j, part, scale(sign, vec(row, k, 10)), key + int(row[k, 13]), springs)
            count += 1
    return count


@outlined_kernel
def mixed_overlap(x, n, fa, ia, i, fb, ib, j, R_a, p_a, R_b, p_b, scratch, slices, r, sprung):
    """Overlaps of cells i and j into the rows from r on; returns how many, at most FEATURES."""
    one, two = cell_row(n, ia, i), cell_row(n, ib, j)
    if (n[one + HOLE_COUNT] | n[two + HOLE_COUNT]) & 1 == 1:
        return bored_overlap(x, n, fa, ia, i, fb, ib, j, R_a, p_a, R_b, p_b, scratch, slices, r, sprung)
    if is_flat(n[one + CELL_KIND]) and is_flat(n[two + CELL_KIND]):
        return 1 if flat_overlap(x, n, fa, ia, i, fb, ib, j, R_a, p_a, R_b, p_b, scratch, r, sprung) else 0
    V, c, J, N, springs = curved_overlap(x, n, fa, one, R_a, fb, two, R_b, sub(p_b, p_a), slices, sprung)
    if not V > 0.0:
        return 0
    key = FEATURES * (i * n[ib + CELLS] + j)
    write_part(scratch, r, i, j, (V, add(p_a, c), J), N, key, springs)
    return 1


@separate_kernel
def find_mixed_parts(x, n, fa, ia, fb, ib, R_a, p_a, R_b, p_b, scratch, slices, sprung):
    """`find_flat_parts` of bodies whose cells may be round or have round holes; `slices` is additional scratch."""
    near = list_pairs(x, n, fa, ia, fb, ib, R_a, p_a, R_b, p_b, slices.pairs, scratch.stack)
    if near < 0:
        return -1
    count = 0
    for k in range(near):
        if count + FEATURES > scratch.parts.shape[0]:
            return -1
        i, j = slices.pairs[k, CELL_A], slices.pairs[k, CELL_B]
        count += mixed_overlap(x, n, fa, ia, i, fb, ib, j, R_a, p_a, R_b, p_b, scratch, slices, count, sprung)
    return merge(x, n, fa, ia, fb, ib, R_a, p_a, R_b, p_b, scratch, count)


@entry_point
def mixed_parts(
    x: Constants, n: IntegerConstants, fb: int, ib: int, R_a: Mat3, p_a: Vec3, R_b: Mat3, p_b: Vec3,
    scratch: OverlapScratch, slices: SliceScratch,
) -> int:  # fmt: skip
    """`find_mixed_parts` of two bodies in consecutive arrays, for Python to call."""
    return find_mixed_parts(x, n, 0, 0, fb, ib, R_a, p_a, R_b, p_b, scratch, slices, False)
