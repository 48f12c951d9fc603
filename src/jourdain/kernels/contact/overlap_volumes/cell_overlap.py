"""Overlap parts of bodies made of convex cells with flat faces."""

from __future__ import annotations

import math

from ...algebra import Mat3, Vec3
from ...compiler import entry_point, kernel, outlined_kernel, separate_kernel
from ...flat_arrays import vector_at
from ...signatures import Constants, IntegerConstants
from ...signatures import Mat3 as Nine
from ...signatures import Vec3 as Three
from .bvh import list_pairs
from .connected_components import merge
from .overlap_layout import FEATURES, OverlapScratch, cell_body, overlap_tables
from .overlap_values import Part
from .polyhedron_clipping import clip_by, load_polyhedron, measure
from .springs import unknown_springs
from .springs_flat import flat_springs


@kernel
def write_part(scratch, r, i, j, part, area, key, springs):
    """Writes row r: an overlap of cells i and j, its guess of the normal as a vector area, and its springs."""
    row, pair = scratch.parts[r], scratch.pairs[r]
    row.part, row.guess, row.area, row.springs = part, area, math.sqrt(area @ area), springs
    row.key = key
    pair.first, pair.second, pair.part, pair.key = i, j, r, key


@outlined_kernel
def clip_cells(A, i, B, j, scratch):
    """Clips cells i and j against each other: their common polyhedron into the workspace.

    Returns the number of its vertices, the point that they are taken from, and 1 where side 1 of its faces belongs to
    the second body, -1 where to the first. The cell with more planes is clipped by the planes of the other.
    """
    one, two = A.cells[i], B.cells[j]
    first, second, sign = A, B, 1.0
    if one.vertices == 0 or (two.vertices > 0 and two.planes > one.planes):
        one, two, first, second, sign = two, one, B, A, -1.0
    # points are taken from the first vertex of the clipped cell, p + corner in world axes
    corner = first.R @ vector_at(first.floats, one.floats)
    count = load_polyhedron(first, one, -corner, scratch.points, scratch.vertices)
    shift = (second.p - first.p) - corner
    count = clip_by(second, two, shift, scratch.points, scratch.vertices, count)
    return count, first.p + corner, sign


@outlined_kernel
def flat_overlap(A, i, B, j, scratch, r, sprung):
    """Overlap of cells i and j, both with flat faces and one of them bounded, into row r; returns whether there is one.

    sprung    whether its springs are needed

    The guess of the normal is the vector area of the second body's surface within the first, in the direction of the
    force on the first: exact for flat faces on each other, smooth as edges and corners come in, and minus the
    derivative of the volume by the position of the first.
    """
    count, o, sign = clip_cells(A, i, B, j, scratch)
    if count == 0:
        return False
    part, area = measure(scratch.points, scratch.vertices, count)
    V, c = part.volume, part.centroid
    if count < 0:
        V = math.nan
    elif not V > 0.0:
        return False
    area = sign * area
    springs = unknown_springs(V, area)
    if sprung:
        springs = flat_springs(A, i, B, j, scratch, count, o, V, c, area)
    write_part(scratch, r, i, j, Part(V, o + c, part.inertia), area, FEATURES * (i * B.count + j), springs)
    return True


@separate_kernel
def find_flat_parts(A, B, scratch, sprung):
    """Overlap parts of two bodies of cells with flat faces into scratch.parts.

    sprung    whether their springs are needed

    Returns how many there are, or -1 where the capacity for pairs of cells is exceeded.
    """
    near = list_pairs(A, B, scratch.pairs, scratch.stack)
    count = 0
    for k in range(near):
        i, j = scratch.pairs[k].first, scratch.pairs[k].second
        if flat_overlap(A, i, B, j, scratch, count, sprung):
            count += 1
    if near < 0:
        return -1
    return merge(A, B, scratch, count)


@entry_point
def flat_parts(
    x: Constants, n: IntegerConstants, fb: int, ib: int, R_a: Nine, p_a: Three, R_b: Nine, p_b: Three,
    scratch: OverlapScratch,
) -> int:  # fmt: skip
    """`find_flat_parts` of two bodies in consecutive arrays, for Python to call."""
    A, B = cell_body(x, n, 0, 0, Mat3(R_a), Vec3(p_a)), cell_body(x, n, fb, ib, Mat3(R_b), Vec3(p_b))
    return find_flat_parts(A, B, overlap_tables(scratch), False)
