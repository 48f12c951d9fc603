"""Connected components of the overlaps of cells: overlaps that are connected become one part.

Two overlaps are connected where they meet across a face that two cells of one body share: where that face, a polygon
known in advance, and the other cell have an area in common. A body that is divided into cells then behaves as if it
were not. Around a round hole the face is the polygon less the hole. Where a face between cells of the first body lies
in one between cells of the second, two overlaps can meet there although all four cells differ; faces are then clipped
by slightly enlarged cells. The components are kept by union-find.
"""

from __future__ import annotations

import math

from ...compiler import kernel, outlined_kernel, separate_kernel
from ...kind_registry import CONE, CYLINDER, PLANE, SPHERE
from ...spatial import add, cross, dot, matmul, put3, put6, rotate, rotate_back, scale, sub, sym, vec
from .overlap_layout import (
    BODY_BOXES,
    BODY_TABLE,
    CELL_A,
    CELL_B,
    CELL_FACES,
    CELL_HOLES,
    CELL_KIND,
    CELL_NUMBERS,
    CELL_ROW,
    CELL_VERTICES,
    CENTROID,
    COUPLE,
    FACE,
    FACE_CORNERS,
    FACE_COUNT,
    GUESS,
    HOLE_COUNT,
    OTHER,
    PAIR_NAME,
    PART_AREA,
    PART_INERTIA,
    PART_LARGEST,
    PART_POTENTIAL,
    PART_SIZE,
    PART_VOLUME,
    PLANES,
    POLYGON,
    SHARED,
    SPRING_PUSH,
    VOLUME_PART_KEY,
    WITH,
)
from .polyhedron_clipping import clip_polygon, place3
from .volume_moments import join_parts

SUBMERGED = 1e-6  # vector area over V^(2/3) below which it determines no normal
NEAR = 1e-9  # of the size of a face: enlargement of a cell where two faces may be coplanar


@kernel
def cell_row(n, io, cell):
    """Where the row of a cell begins among the integers."""
    return io + n[io + BODY_TABLE] + CELL_ROW * cell


@kernel
def nearest_to_origin(points, first, count, u, v):
    """Distance of a convex polygon from the origin in projection along u x v (u, v orthonormal); zero inside."""
    least = math.inf
    turns_left, turns_right = True, True
    for i in range(count):
        p = vec(points, first + i, 0)
        q = vec(points, first + (i + 1 if i + 1 < count else 0), 0)
        a, b = dot(u, p), dot(v, p)
        e, f = dot(u, q) - a, dot(v, q) - b
        # the origin is inside where it is on the same side of all edges; else the nearest point of an edge
        side = e * b - f * a
        turns_left = turns_left and side <= 0.0
        turns_right = turns_right and side >= 0.0
        l2 = e * e + f * f
        s = 0.0 if l2 == 0.0 else min(1.0, max(0.0, -(a * e + b * f) / l2))
        least = min(least, math.hypot(a + s * e, b + s * f))
    if (turns_left or turns_right) and not (turns_left and turns_right):
        return 0.0
    return least


@kernel
def clip_face(x, n, fo, row, R, shift, points, count, scratch, margin):
    """Clips the polygon in the first rows by the planes of a polyhedron, enlarged by `margin`."""
    at = fo + n[row + CELL_NUMBERS] + 3 * n[row + CELL_VERTICES]
    for f in range(n[row + PLANES]):
        k = at + 4 * f
        normal = rotate(R, place3(x, k))
        count = clip_polygon(points, 0, count, scratch, normal, x[k + 3] + dot(normal, shift) + margin)
        if count == 0:
            break
    return count


@kernel
def polygon_area(points, count):
    """Area of the polygon in the first rows [m^2]."""
    total = (0.0, 0.0, 0.0)
    o = vec(points, 0, 0)
    for i in range(1, count - 1):
        total = add(total, cross(sub(vec(points, i, 0), o), sub(vec(points, i + 1, 0), o)))
    return 0.5 * math.sqrt(dot(total, total))


@kernel
def face_meets(x, n, fo, io, cell, R, shift, points, count, scratch, margin):
    """Clips the polygon in the first rows by a cell, by its flat faces only.

    Returns how many corners remain; 0 where it has no area in common with the cell.
    """
    row = cell_row(n, io, cell)
    kind = n[row + CELL_KIND]
    if kind != SPHERE and kind != CYLINDER and kind != CONE:
        count = clip_face(x, n, fo, row, R, shift, points, count, scratch, margin)
        return count
    # round cell: axes u, v, w and centre; corners are taken from the centre
    at = fo + n[row + CELL_NUMBERS]
    w = rotate(R, (x[at + 2], x[at + 5], x[at + 8]))
    centre = add(shift, rotate(R, place3(x, at + 9)))
    u = rotate(R, (x[at], x[at + 3], x[at + 6]))
    v = rotate(R, (x[at + 1], x[at + 4], x[at + 7]))
    for i in range(count):
        put3(points, i, 0, sub(vec(points, i, 0), centre))
    radius = x[at + 12]
    if kind == SPHERE:
        # sphere: distance of the polygon from the centre, within its plane and across
        a = sub(vec(points, 1, 0), vec(points, 0, 0))
        normal = cross(a, sub(vec(points, 2, 0), vec(points, 0, 0)))
        normal = scale(1.0 / math.sqrt(dot(normal, normal)), normal)
        height = dot(normal, vec(points, 0, 0))
        e = scale(1.0 / math.sqrt(dot(a, a)), a)
        d = nearest_to_origin(points, 0, count, e, cross(normal, e))
        return count if d * d + height * height < radius * radius else 0
    # cylinder and cone: clip by the ends, then distance from the axis; a cone by central projection from its apex
    half = x[at + 13] if kind == CYLINDER else 0.5 * x[at + 13]
    top = half if kind == CYLINDER else half * (1.0 - 1e-9)
    count = clip_polygon(points, 0, count, scratch, w, top)
    if count > 0:
        count = clip_polygon(points, 0, count, scratch, scale(-1.0, w), half)
    if count == 0:
        return 0
    if kind == CONE:
        for i in range(count):
            p = vec(points, i, 0)
            f = 2.0 * half / (half - dot(w, p))
            put3(points, i, 0, scale(f, sub(p, scale(dot(w, p), w))))
    return count if nearest_to_origin(points, 0, count, u, v) < radius else 0


@kernel
def bore_radius(x, at, pieces, z):
    """Radius of a round hole at a height; beyond an end that of the end."""
    for k in range(pieces):
        i = at + 12 + 4 * k
        if z <= x[i + 3] or k == pieces - 1:
            return x[i] + x[i + 1] * min(max(z, x[i + 2]), x[i + 3])
    return 0.0


@outlined_kernel
def reaches_past_hole(x, n, f_one, i_one, row, R, shift, f_two, two, R_two, away, points, count, height):
    """Whether the area common to a cell and a face extends beyond the round hole that ends in the face.

    row       of the block with the hole; R, shift its body; two, R_two, away the other cell and its body
    points    `count` corners of the area common to a flat cell and the face
    height    of the face along the axis of the hole
    """
    hole = i_one + n[row + CELL_HOLES]
    pieces, at = n[hole], f_one + n[hole + 1]
    # axes T and origin t of the hole; its radius at the face
    T = matmul(R, (x[at], x[at + 1], x[at + 2], x[at + 3], x[at + 4], x[at + 5], x[at + 6], x[at + 7], x[at + 8]))
    t = add(shift, rotate(R, place3(x, at + 9)))
    wide = bore_radius(x, at, pieces, height)
    kind = n[two + CELL_KIND]
    if kind != SPHERE and kind != CYLINDER:
        far = 0.0
        for k in range(count):
            v = rotate_back(T, sub(vec(points, k, 0), t))
            far = max(far, math.hypot(v[0], v[1]))
        return far > wide
    # round cell in the axes of the hole: a sphere makes a disc in the face, a cylinder an ellipse
    own = f_two + n[two + CELL_NUMBERS]
    c = rotate_back(T, sub(add(away, rotate(R_two, place3(x, own + 9))), t))
    radius = x[own + 12]
    if kind == SPHERE:
        return math.hypot(c[0], c[1]) + math.sqrt(max(radius * radius - (c[2] - height) ** 2, 0.0)) > wide
    u = rotate_back(T, rotate(R_two, (x[own + 2], x[own + 5], x[own + 8])))
    if u[2] == 0.0:
        return True
    f = (height - c[2]) / u[2]
    return math.hypot(c[0] + f * u[0], c[1] + f * u[1]) + radius / abs(u[2]) > wide


@kernel
def height_along_hole(x, n, f_one, i_one, row, polygon, corners):
    """Height of a face along the axis of the hole of a block; nan for a face that is not across the axis."""
    at = f_one + n[i_one + n[row + CELL_HOLES] + 1]
    axis = (x[at + 2], x[at + 5], x[at + 8])
    low, high = math.inf, -math.inf
    size = 0.0
    for k in range(corners):
        v = sub(place3(x, polygon + 3 * k), place3(x, at + 9))
        low, high = min(low, dot(axis, v)), max(high, dot(axis, v))
        size = max(size, dot(v, v))
    return 0.5 * (low + high) if (high - low) ** 2 <= NEAR * NEAR * size else math.nan


@outlined_kernel
def meet_across(x, n, f_one, i_one, first, second, R, p, f_two, i_two, cell, other, R_two, p_two, o, points):
    """Whether a face between two cells of one body has an area in common with a cell of another body.

    first, second    the cells that share the face
    cell, other      of the other body; where they differ the face must meet both, each slightly enlarged
    o                a point nearby, from which positions are taken
    """
    row = cell_row(n, i_one, first)
    scratch = points.shape[0] // 2
    for k in range(n[row + FACE_COUNT]):
        face = i_one + n[i_one + SHARED] + FACE * (n[row + CELL_FACES] + k)
        if n[face + OTHER] != second:
            continue
        # corners of the shared face, from o
        count = n[face + FACE_CORNERS]
        shift = sub(p, o)
        size = 0.0
        for i in range(count):
            corner = add(shift, rotate(R, place3(x, f_one + n[face + POLYGON] + 3 * i)))
            put3(points, i, 0, corner)
            size = max(size, abs(corner[0]), abs(corner[1]), abs(corner[2]))
        margin = 0.0 if cell == other else NEAR * size
        # clipped by the cell, or by both cells
        away = sub(p_two, o)
        count = face_meets(x, n, f_two, i_two, cell, R_two, away, points, count, scratch, margin)
        if cell != other and count > 2:
            count = face_meets(x, n, f_two, i_two, other, R_two, away, points, count, scratch, margin)
        if count <= 2 or (cell == other and not polygon_area(points, count) > 0.0):
            continue
        # an area within the hole of a block is no connection
        through = True
        for side in range(2):
            block = cell_row(n, i_one, first if side == 0 else second)
            if n[block + HOLE_COUNT] & 1 == 1:
                height = height_along_hole(x, n, f_one, i_one, block, f_one + n[face + POLYGON], n[face + FACE_CORNERS])
                if not math.isnan(height):
                    two = cell_row(n, i_two, cell)
                    through = through and reaches_past_hole(
                        x, n, f_one, i_one, block, R, shift, f_two, two, R_two, away, points, count, height
                    )
        if through:
            return True
    return False


@kernel
def first_of(pairs, r):
    """Root of row r in the union-find forest."""
    while pairs[r, WITH] != r:
        r = pairs[r, WITH]
    return r


@kernel
def middle(x, n, fo, io, R, p):
    """Centre of the box about all cells of a body, world axes."""
    return add(p, rotate(R, place3(x, fo + n[io + BODY_BOXES])))


@kernel
def way_out(x, n, fa, ia, i, fb, ib, j, R_a, p_a, R_b, p_b):
    """Unit vector along which to push the first body out where a cell is wholly inside the other."""
    one, two = cell_row(n, ia, i), cell_row(n, ib, j)
    if n[two + CELL_KIND] == PLANE:
        return rotate(R_b, place3(x, fb + n[two + CELL_NUMBERS]))
    if n[one + CELL_KIND] == PLANE:
        return scale(-1.0, rotate(R_a, place3(x, fa + n[one + CELL_NUMBERS])))
    way = sub(middle(x, n, fa, ia, R_a, p_a), middle(x, n, fb, ib, R_b, p_b))
    size = math.sqrt(dot(way, way))
    return scale(1.0 / size, way) if size > 0.0 else way


@kernel
def join_springs(parts, u, r, c):
    """Adds the springs of row r to those of row u, whose centroid becomes c; couples are moved to c."""
    one, two = vec(parts, u, SPRING_PUSH), vec(parts, r, SPRING_PUSH)
    couple = add(vec(parts, u, COUPLE), cross(sub(vec(parts, u, CENTROID), c), one))
    couple = add(couple, add(vec(parts, r, COUPLE), cross(sub(vec(parts, r, CENTROID), c), two)))
    put3(parts, u, SPRING_PUSH, add(one, two))
    put3(parts, u, COUPLE, couple)
    known = parts[u, PART_POTENTIAL] >= 0.0 and parts[r, PART_POTENTIAL] >= 0.0
    parts[u, PART_POTENTIAL] = parts[u, PART_POTENTIAL] + parts[r, PART_POTENTIAL] if known else -1.0


@separate_kernel
def merge(x, n, fa, ia, fb, ib, R_a, p_a, R_b, p_b, scratch, count):
    """Merges the connected overlaps in the first `count` rows of room.parts and room.pairs; returns how many parts
    remain.

    A part has the key of its largest overlap, and room.pairs tells for every pair of cells to which part it belongs.
    Guesses of the normal come as vector areas and are left as unit vectors; where a cell is wholly inside the other and
    there is no such area, the guess is the line between the centres of the bodies, or the normal of a half-space.
    """
    parts, pairs = scratch.parts, scratch.pairs
    # union-find: every overlap is its own root
    for r in range(count):
        pairs[r, WITH] = r
        parts[r, PART_LARGEST] = parts[r, PART_VOLUME]
    # union of two overlaps that meet across the face that two cells share
    for r in range(count):
        for s in range(r):
            u, w = first_of(pairs, s), first_of(pairs, r)
            if u == w:
                continue
            i, j = pairs[s, CELL_A], pairs[s, CELL_B]
            k, l = pairs[r, CELL_A], pairs[r, CELL_B]
            o = vec(parts, r, CENTROID)
            if i != k:
                one = meet_across(x, n, fa, ia, i, k, R_a, p_a, fb, ib, j, l, R_b, p_b, o, scratch.points)
            else:
                one = meet_across(x, n, fb, ib, j, l, R_b, p_b, fa, ia, i, i, R_a, p_a, o, scratch.points)
            if one:
                pairs[max(u, w), WITH] = min(u, w)
    # volumes, moments, springs and vector areas add up in the root; the key of the largest overlap stays
    for r in range(count):
        u = first_of(pairs, r)
        if u == r:
            continue
        p = (parts[u, PART_VOLUME], vec(parts, u, CENTROID), sym(parts, u, PART_INERTIA))
        q = (parts[r, PART_VOLUME], vec(parts, r, CENTROID), sym(parts, r, PART_INERTIA))
        V, c, J = join_parts(p, q)
        join_springs(parts, u, r, c)
        parts[u, PART_VOLUME] = V
        put3(parts, u, CENTROID, c)
        put6(parts, u, PART_INERTIA, J)
        put3(parts, u, GUESS, add(vec(parts, u, GUESS), vec(parts, r, GUESS)))
        if parts[r, PART_LARGEST] > parts[u, PART_LARGEST]:
            parts[u, PART_LARGEST], parts[u, VOLUME_PART_KEY] = parts[r, PART_LARGEST], parts[r, VOLUME_PART_KEY]
    for r in range(count):
        pairs[r, WITH] = first_of(pairs, r)
    # compact the parts to the first rows; their vector areas become area and unit normal
    total = 0
    for r in range(count):
        if pairs[r, WITH] != r:
            pairs[r, WITH] = pairs[pairs[r, WITH], WITH]
            continue
        for k in range(PART_SIZE):
            parts[total, k] = parts[r, k]
        area = vec(parts, total, GUESS)
        size = math.sqrt(dot(area, area))
        parts[total, PART_AREA] = size
        if size > SUBMERGED * parts[total, PART_VOLUME] ** (2.0 / 3.0):
            put3(parts, total, GUESS, scale(1.0 / size, area))
        else:
            i, j = pairs[r, CELL_A], pairs[r, CELL_B]
            put3(parts, total, GUESS, way_out(x, n, fa, ia, i, fb, ib, j, R_a, p_a, R_b, p_b))
        pairs[r, WITH] = total
        total += 1
    if count < pairs.shape[0]:
        pairs[count, CELL_A] = -1
    return total


@kernel
def part_with(scratch, key):
    """The part that the overlap of this key belongs to, or -1: how a part is recognised from step to step.

    A part that spreads over several cells has the key of its largest overlap, which changes as it moves; the overlap
    that was the largest still belongs to some part.
    """
    for r in range(scratch.pairs.shape[0]):
        if scratch.pairs[r, CELL_A] < 0:
            break
        if scratch.pairs[r, PAIR_NAME] == key:
            return scratch.pairs[r, WITH]
    return -1
