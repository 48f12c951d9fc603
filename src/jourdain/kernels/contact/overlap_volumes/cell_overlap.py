"""Overlap parts of bodies made of convex cells with flat faces."""

from __future__ import annotations

import math

from ...compiler import entry_point, kernel, outlined_kernel, separate_kernel
from ...signatures import Constants, IntegerConstants, Mat3, Vec3
from ...spatial import add, dot, put3, put6, rotate, scale, sub
from .bvh import list_pairs
from .connected_components import cell_row, merge
from .overlap_layout import (
    CELL_A,
    CELL_B,
    CELL_NUMBERS,
    CELL_VERTICES,
    CELLS,
    CENTROID,
    COUPLE,
    EDGES,
    FEATURES,
    GUESS,
    PAIR_NAME,
    PART_AREA,
    PART_INERTIA,
    PART_POTENTIAL,
    PART_VOLUME,
    PLANES,
    SPRING_PUSH,
    VOLUME_PART_KEY,
    WITH,
    OverlapScratch,
)
from .polyhedron_clipping import clip_by, load_polyhedron, measure, place3
from .springs import unknown_springs
from .springs_flat import flat_springs


@kernel
def write_part(scratch, r, i, j, part, area, key, springs):
    """Writes row r: an overlap of cells i and j, its guess of the normal as a vector area, and its springs."""
    V, c, J = part
    scratch.parts[r, PART_VOLUME] = V
    put3(scratch.parts, r, CENTROID, c)
    put6(scratch.parts, r, PART_INERTIA, J)
    put3(scratch.parts, r, GUESS, area)
    scratch.parts[r, PART_AREA] = math.sqrt(dot(area, area))
    scratch.parts[r, VOLUME_PART_KEY] = key
    push, couple, potential = springs
    put3(scratch.parts, r, SPRING_PUSH, push)
    put3(scratch.parts, r, COUPLE, couple)
    scratch.parts[r, PART_POTENTIAL] = potential
    scratch.pairs[r, CELL_A] = i
    scratch.pairs[r, CELL_B] = j
    scratch.pairs[r, WITH] = r
    scratch.pairs[r, PAIR_NAME] = key


@outlined_kernel
def clip_cells(x, n, fa, ia, i, fb, ib, j, R_a, p_a, R_b, p_b, scratch):
    """Clips cells i and j against each other: their common polyhedron into the workspace.

    Returns the number of its vertices, the point that they are taken from, and 1 where side 1 of its faces belongs to
    the second body, -1 where to the first. The cell with more planes is clipped by the planes of the other.
    """
    one, two = cell_row(n, ia, i), cell_row(n, ib, j)
    swapped = n[one + CELL_VERTICES] == 0 or (n[two + CELL_VERTICES] > 0 and n[two + PLANES] > n[one + PLANES])
    f, g, io = fa, fb, ia
    R, p, S, q = R_a, p_a, R_b, p_b
    sign = 1.0
    if swapped:
        one, two, f, g, io = two, one, fb, fa, ib
        R, p, S, q = R_b, p_b, R_a, p_a
        sign = -1.0
    at, other = f + n[one + CELL_NUMBERS], g + n[two + CELL_NUMBERS] + 3 * n[two + CELL_VERTICES]
    # points are taken from the first vertex of the clipped cell, p + corner in world axes
    corner = rotate(R, place3(x, at))
    count = load_polyhedron(
        x, n, at, io + n[one + EDGES], n[one + CELL_VERTICES], R, scale(-1.0, corner), scratch.points, scratch.links
    )
    shift = sub(sub(q, p), corner)
    count = clip_by(x, other, n[two + PLANES], S, shift, scratch.points, scratch.links, count)
    return count, add(p, corner), sign


@outlined_kernel
def flat_overlap(x, n, fa, ia, i, fb, ib, j, R_a, p_a, R_b, p_b, scratch, r, sprung):
    """Overlap of cells i and j, both with flat faces and one of them bounded, into row r; returns whether there is one.

    sprung    whether its springs are needed

    The guess of the normal is the vector area of the second body's surface within the first, in the direction of the
    force on the first: exact for flat faces on each other, smooth as edges and corners come in, and minus the
    derivative of the volume by the position of the first.
    """
    count, o, sign = clip_cells(x, n, fa, ia, i, fb, ib, j, R_a, p_a, R_b, p_b, scratch)
    if count == 0:
        return False
    (V, c, J), area = measure(scratch.points, scratch.links, count)
    if count < 0:
        V = math.nan
    elif not V > 0.0:
        return False
    key = FEATURES * (i * n[ib + CELLS] + j)
    area = scale(sign, area)
    springs = unknown_springs(V, area)
    if sprung:
        springs = flat_springs(x, n, fa, ia, i, fb, ib, j, R_a, p_a, R_b, p_b, scratch, count, o, V, c, area)
    write_part(scratch, r, i, j, (V, add(o, c), J), area, key, springs)
    return True


@separate_kernel
def find_flat_parts(x, n, fa, ia, fb, ib, R_a, p_a, R_b, p_b, scratch, sprung):
    """Overlap parts of two bodies of cells with flat faces into room.parts.

    x, n      floats and integers of the shapes, in the columns of overlap_layout.py
    fa, ia    where those of the first body begin; fb, ib of the second
    R, p      their poses in the world
    sprung    whether their springs are needed

    Returns how many there are, or -1 where the capacity for pairs of cells is exceeded.
    """
    near = list_pairs(x, n, fa, ia, fb, ib, R_a, p_a, R_b, p_b, scratch.pairs, scratch.stack)
    count = 0
    for k in range(near):
        i, j = scratch.pairs[k, CELL_A], scratch.pairs[k, CELL_B]
        if flat_overlap(x, n, fa, ia, i, fb, ib, j, R_a, p_a, R_b, p_b, scratch, count, sprung):
            count += 1
    if near < 0:
        return -1
    return merge(x, n, fa, ia, fb, ib, R_a, p_a, R_b, p_b, scratch, count)


@entry_point
def flat_parts(
    x: Constants, n: IntegerConstants, fb: int, ib: int, R_a: Mat3, p_a: Vec3, R_b: Mat3, p_b: Vec3,
    scratch: OverlapScratch,
) -> int:  # fmt: skip
    """`find_flat_parts` of two bodies in consecutive arrays, for Python to call."""
    return find_flat_parts(x, n, 0, 0, fb, ib, R_a, p_a, R_b, p_b, scratch, False)
