"""Convex polyhedra in round holes: the corners that penetrate the wall, each a part of its own.

The hole is x^2 + y^2 <= a + b z + c z^2, the solid around it z0 <= z <= z1 (as in revolution_polyhedron.py). A slice is
a convex polygon outside of a disc: pieces between a chain of the polygon's sides and the arc under it, in closed form.
Pieces of neighbouring slices that overlap in angle, or have two faces in common, belong to one part.
"""

from __future__ import annotations

import math

from ...compiler import kernel, outlined_kernel
from ...spatial import rotate, rotate_back, sub
from .gauss_rules import GAUSS_10, add_slice, soft
from .planar_sections import add_sections, arc_section, disc_section, no_section, subtract_sections, triangle_section
from .revolution_polyhedron import find_breaks, lay_lines
from .volume_moments import moments_of, part_of, place_part, put_row

CORNER_CORNERS = 8  # largest number of parts of a pair
# Columns of a part during accumulation: moments (10), their origin (3), N (3); the slice it was last in, with its range
# of angle (2) and faces (a bit each) there, and those in the slice before.
ORIGIN, WALL, SLICE, ANGLE, CORNER_SPAN, CORNER_FACES, BEFORE, BEFORE_SPAN, BEFORE_FACES = (
    10,
    13,
    16,
    17,
    18,
    19,
    20,
    21,
    22,
)
GATHER = 23
PIECE = 7  # of a polygon's side outside of the disc: from (2), to (2), whether its ends are on the circle (2), its face


@outlined_kernel
def sides_outside(radius, lines, count, z, pieces):
    """Sides of a polygon outside of a disc about (0, 0), in order; returns how many, -1 without a polygon."""
    n = 0
    sides = 0
    for i in range(count):
        ux, uy = lines[i, 0], lines[i, 1]
        d = lines[i, 2] + lines[i, 3] * z
        # clip line i by the other half-planes to [low, high]; of coincident lines the first counts
        low, high = -math.inf, math.inf
        for j in range(count):
            if j == i:
                continue
            vx, vy = lines[j, 0], lines[j, 1]
            c, s = vx * ux + vy * uy, vy * ux - vx * uy
            scratch = lines[j, 2] + lines[j, 3] * z - c * d
            if s > 1e-14:
                high = min(high, scratch / s)
            elif s < -1e-14:
                low = max(low, scratch / s)
            elif scratch < 0.0 or (scratch == 0.0 and c > 0.0 and j < i):
                low, high = 1.0, -1.0
                break
        if not high > low:
            continue
        sides += 1
        # the parts outside of the disc: before and after its chord [-h, h]
        h2 = (radius - d) * (radius + d)
        h = math.sqrt(h2) if h2 > 0.0 else -1.0
        for part in range(2):
            a, b = low, high
            if h > 0.0:
                if part == 0:
                    b = min(b, -h)
                else:
                    a = max(a, h)
            elif part == 1:
                break
            if not b > a:
                continue
            # end points, whether they are on the circle, and the face
            pieces[n, 0], pieces[n, 1] = d * ux - a * uy, d * uy + a * ux
            pieces[n, 2], pieces[n, 3] = d * ux - b * uy, d * uy + b * ux
            pieces[n, 4] = 1.0 if h > 0.0 and a == h else 0.0
            pieces[n, 5] = 1.0 if h > 0.0 and b == -h else 0.0
            pieces[n, 6] = i
            n += 1
    return n if sides > 0 else -1


@kernel
def _turn(angle):
    """An angle modulo 2 pi."""
    return angle - 2.0 * math.pi * math.floor(angle / (2.0 * math.pi))


@kernel
def _overlap(a, span_a, b, span_b):
    """Whether two ranges of angle, from a on by span_a and from b on by span_b, overlap."""
    return _turn(b - a) <= span_a or _turn(a - b) <= span_b


@kernel
def _share_two(a, b):
    """Whether two sets of faces have two in common."""
    both = int(a) & int(b)
    return both & (both - 1) != 0


@outlined_kernel
def _gather(s, walls, angle, span, faces, z, w, face, number, parts, used):
    """Adds a piece of a slice to the part that it belongs to; returns how many parts there are then.

    s, walls       moments of the piece about the axis, and the vector area of the wall in it per height
    angle, span    its range of angle; faces a bit each
    face           1, -1 where the slice is an end of the solid, else 0
    """
    if not s[0] > 0.0:
        return used
    # a part in the previous slice, or in this one, belongs to the piece if it overlaps in angle or shares two faces
    home = -1
    for k in range(used):
        if parts[k, SLICE] == number - 1.0:
            near = _overlap(parts[k, ANGLE], parts[k, CORNER_SPAN], angle, span) or _share_two(
                parts[k, CORNER_FACES], faces
            )
        elif parts[k, SLICE] == number:
            near = _overlap(parts[k, BEFORE], parts[k, BEFORE_SPAN], angle, span)
            near = near or _share_two(parts[k, BEFORE_FACES], faces)
        else:
            near = False
        if not near:
            continue
        if home < 0:
            home = k
        else:
            # the piece connects two parts: the moments of the second are added to the first, and its row is emptied
            o = (parts[k, ORIGIN], parts[k, ORIGIN + 1], parts[k, ORIGIN + 2])
            V, c, J = part_of(_ten(parts, k), o)
            o = (parts[home, ORIGIN], parts[home, ORIGIN + 1], parts[home, ORIGIN + 2])
            more = moments_of(V, c, J, o)
            for i in range(10):
                parts[home, i] += more[i]
            for i in range(3):
                parts[home, WALL + i] += parts[k, WALL + i]
            parts[k, SLICE] = -9.0
            for i in range(10):
                parts[k, i] = 0.0
    # no such part: a new one, with moments about the centroid of this piece
    if home < 0:
        if used == CORNER_CORNERS:
            return used
        home = used
        used += 1
        for i in range(GATHER):
            parts[home, i] = 0.0
        parts[home, ORIGIN], parts[home, ORIGIN + 1], parts[home, ORIGIN + 2] = s[1] / s[0], s[2] / s[0], z
        parts[home, SLICE] = -9.0
    # moments of the piece about the origin of its part, by the parallel-axis theorem
    o = (parts[home, ORIGIN], parts[home, ORIGIN + 1], parts[home, ORIGIN + 2])
    x, y = s[1] / s[0] - o[0], s[2] / s[0] - o[1]
    local = (
        s[0],
        s[0] * x,
        s[0] * y,
        s[3] - s[1] * s[1] / s[0] + s[0] * x * x,
        s[4] - s[2] * s[2] / s[0] + s[0] * y * y,
        s[5] - s[1] * s[2] / s[0] + s[0] * x * y,
    )
    m = add_slice(_ten(parts, home), local, z - o[2], w)
    for i in range(10):
        parts[home, i] = m[i]
    for i in range(3):
        parts[home, WALL + i] += w * walls[i]
    parts[home, WALL + 2] += face * s[0]
    # range of angle and faces of the part in this slice, and in the one before it
    if parts[home, SLICE] == number:
        if span > parts[home, CORNER_SPAN]:
            parts[home, ANGLE], parts[home, CORNER_SPAN] = angle, span
        parts[home, CORNER_FACES] = int(parts[home, CORNER_FACES]) | faces
        return used
    if parts[home, SLICE] == number - 1.0:
        parts[home, BEFORE], parts[home, BEFORE_SPAN] = parts[home, ANGLE], parts[home, CORNER_SPAN]
        parts[home, BEFORE_FACES] = parts[home, CORNER_FACES]
    else:
        parts[home, BEFORE], parts[home, BEFORE_SPAN], parts[home, BEFORE_FACES] = angle, span, faces
    parts[home, ANGLE], parts[home, CORNER_SPAN], parts[home, CORNER_FACES], parts[home, SLICE] = (
        angle,
        span,
        faces,
        number,
    )
    return used


@kernel
def _ten(parts, k):
    return (
        parts[k, 0],
        parts[k, 1],
        parts[k, 2],
        parts[k, 3],
        parts[k, 4],
        parts[k, 5],
        parts[k, 6],
        parts[k, 7],
        parts[k, 8],
        parts[k, 9],
    )


@outlined_kernel
def _slice(solid, lines, k, z, w, face, number, pieces, parts, used):
    """Accumulates one slice at height z of weight w; returns how many parts there are then."""
    r2 = solid[0] + z * (solid[1] + solid[2] * z)
    radius = math.sqrt(max(r2, 0.0))
    rise = 0.5 * solid[1] + solid[2] * z
    n = sides_outside(radius, lines, k, z, pieces)
    if n <= 0:
        return used
    # a piece begins where a side leaves the disc
    start = -1
    for i in range(n):
        if pieces[i, 4] > 0.0:
            start = i
            break
    # no side meets the circle: the polygon is disjoint from the disc or surrounds it
    if start < 0:
        s = no_section(radius)
        around = True
        for i in range(n):
            ax, ay, bx, by = pieces[i, 0], pieces[i, 1], pieces[i, 2], pieces[i, 3]
            s = add_sections(s, triangle_section(pieces[0, 0], pieces[0, 1], ax, ay, bx, by))
            around = around and ax * by - ay * bx > 0.0
        wall = 0.0
        if around:
            s = subtract_sections(s, disc_section(radius, 0.0, 0.0))
            wall = 2.0 * math.pi * rise
        return _gather(s, (0.0, 0.0, wall), 0.0, 2.0 * math.pi, 0, z, w, face, number, parts, used)
    # each piece: fan of triangles along its sides, less the circular segment under its chord
    s = no_section(radius)
    x0 = y0 = 0.0
    faces = 0
    for step in range(n):
        i = start + step
        if i >= n:
            i -= n
        ax, ay, bx, by = pieces[i, 0], pieces[i, 1], pieces[i, 2], pieces[i, 3]
        if pieces[i, 4] > 0.0:
            x0, y0, s, faces = ax, ay, no_section(radius), 0
        faces |= 1 << int(pieces[i, 6])
        s = add_sections(s, triangle_section(x0, y0, ax, ay, bx, by))
        if pieces[i, 5] > 0.0:
            s = subtract_sections(s, arc_section(radius, 0.0, 0.0, x0, y0, bx, by, False))
            angle = math.atan2(y0, x0)
            span = _turn(math.atan2(by, bx) - angle)
            walls = (y0 - by, bx - x0, rise * span)
            used = _gather(s, walls, angle, span, faces, z, w, face, number, parts, used)
    return used


@outlined_kernel
def polyhedron_hole(R, p, holes, ends, Q, q, planes, count, lines, breaks, pieces, parts, rows):
    """Parts of a convex polyhedron, the first, and the solid around a round hole, the second, world axes.

    R, p      rotation and origin of the hole, whose axis is z
    holes     its pieces upwards, each (a, b, c, z0, z1): x^2 + y^2 <= a + b z + c z^2 between two heights
    ends      (bool, bool): whether the lowest and the highest height are faces of the solid
    Q, q      rotation and position of the polyhedron, by which parts are named
    planes    its rows (unit normal, offset), world axes; `count` of them, at most 63
    rows      the parts found, a row each: V, c (3), J (6), N (3), key
    lines, breaks, pieces, parts    scratch: count x PANEL_LINE, BREAKS, 2 count x PIECE, CORNER_CORNERS x GATHER

    Returns the number of parts. The key is the quadrant of the polyhedron across the hole that the part is in, and 4
    more for the upper of two parts in one quadrant. Error 1e-7 of the polyhedron.
    """
    used, number = 0, 0.0
    for h in range(len(holes)):
        solid = holes[h]
        k, z0, z1, below, above = lay_lines(R, p, solid, planes, count, lines, False)
        if k <= 0:
            continue
        # panels of 10 Gauss-Legendre points between the breaks; the ends of the hole add their areas to N
        n = find_breaks(solid, lines, k, z0, z1, breaks, False)
        if h == 0 and ends[0] and below < 0:
            used = _slice(solid, lines, k, z0, 0.0, -1.0, number, pieces, parts, used)
        tiny = 1e-15 * (z1 - z0)
        for i in range(n - 1):
            middle, half = 0.5 * (breaks[i] + breaks[i + 1]), 0.5 * (breaks[i + 1] - breaks[i])
            if half <= tiny:
                continue
            for j in range(10):
                u, w = GAUSS_10[j]
                v, slope = soft(u)
                number += 1.0
                used = _slice(solid, lines, k, middle + half * v, half * w * slope, 0.0, number, pieces, parts, used)
        if h == len(holes) - 1 and ends[1] and above < 0:
            used = _slice(solid, lines, k, z1, 0.0, 1.0, number + 1.0, pieces, parts, used)
    return _name_parts(R, p, Q, q, parts, used, rows)


@outlined_kernel
def _name_parts(R, p, Q, q, parts, used, rows):
    """Writes the parts into rows, with their keys; returns how many."""
    # axis of the polyhedron that is nearest to that of the hole
    axis = rotate_back(Q, (R[2], R[5], R[8]))
    best = 0 if axis[0] * axis[0] > max(axis[1] * axis[1], axis[2] * axis[2]) else 2
    if best == 2 and axis[1] * axis[1] > axis[2] * axis[2]:
        best = 1
    count = 0
    for k in range(used):
        if not parts[k, 0] > 0.0:
            continue
        o = (parts[k, ORIGIN], parts[k, ORIGIN + 1], parts[k, ORIGIN + 2])
        V, c, J = place_part(R, p, part_of(_ten(parts, k), o))
        N = rotate(R, (parts[k, WALL], parts[k, WALL + 1], parts[k, WALL + 2]))
        # quadrant of the centroid across that axis; the upper of two in one quadrant gets 4 more
        x = rotate_back(Q, sub(c, q))
        u = x[1] if best == 0 else x[0]
        v = x[1] if best == 2 else x[2]
        key = (1 if u > 0.0 else 0) + (2 if v > 0.0 else 0)
        for i in range(count):
            if rows[i, 13] == key:
                height = 0.0
                for j in range(3):
                    height += (c[j] - rows[i, 1 + j]) * R[2 + 3 * j]
                if height >= 0.0:
                    key += 4
                else:
                    rows[i, 13] += 4.0
        put_row(rows, count, V, c, J, N, key)
        count += 1
    return count
