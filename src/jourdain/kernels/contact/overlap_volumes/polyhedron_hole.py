"""Convex polyhedra in round holes: the corners that penetrate the wall, each a part of its own.

The hole is x^2 + y^2 <= a + b z + c z^2, the solid around it z0 <= z <= z1 (as in revolution_polyhedron.py). A slice is
a convex polygon outside of a disc: pieces between a chain of the polygon's sides and the arc under it, in closed form.
Pieces of neighbouring slices that overlap in angle, or have two faces in common, belong to one part.
"""

from __future__ import annotations

import math

from ...algebra import Vec3
from ...compiler import kernel, outlined_kernel
from ...rows import clear_row
from .gauss_rules import GAUSS_10, slice_moments_of, soft
from .overlap_values import Section
from .planar_sections import arc_section, clip_side, disc_section, no_section, triangle_section
from .revolution_polyhedron import find_breaks, lay_lines, radius_at
from .volume_moments import moments_of, no_moments, part_of, place_part, put_row

GATHERED_MOST = 8  # largest number of parts of a pair
NOWHERE = -9  # GatheredPart.slice of a part that is in no slice


@outlined_kernel
def sides_outside(radius, lines, count, z, pieces):
    """Sides of a polygon outside of a disc about (0, 0), in order; returns how many, -1 without a polygon."""
    n = 0
    sides = 0
    for i in range(count):
        line = lines[i]
        ux, uy = line.ux, line.uy
        d = line.d + line.slope * z
        low, high = clip_side(lines, count, i, z, -math.inf, math.inf)
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
            piece = pieces[n]
            piece.start_x, piece.start_y = d * ux - a * uy, d * uy + a * ux
            piece.end_x, piece.end_y = d * ux - b * uy, d * uy + b * ux
            piece.leaves_circle, piece.meets_circle = h > 0.0 and a == h, h > 0.0 and b == -h
            piece.line = i
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
    both = a & b
    return both & (both - 1) != 0


@outlined_kernel
def _gather(s, walls, angle, span, faces, z, w, face, number, parts, used):
    """Adds a piece of a slice to the part that it belongs to; returns how many parts there are then.

    s, walls       moments of the piece about the axis, and the vector area of the wall in it per height
    angle, span    its range of angle; faces a bit each
    face           1, -1 where the slice is an end of the solid, else 0
    """
    if not s.area > 0.0:
        return used
    # a part in the previous slice, or in this one, belongs to the piece if it overlaps in angle or shares two faces
    home = -1
    for k in range(used):
        part = parts[k]
        near = False
        if part.slice == number - 1:
            near = _overlap(part.angle, part.span, angle, span) or _share_two(part.faces, faces)
        elif part.slice == number:
            near = _overlap(part.angle_before, part.span_before, angle, span)
            near = near or _share_two(part.faces_before, faces)
        if not near:
            continue
        if home < 0:
            home = k
        else:
            # the piece connects two parts: the moments of the second are added to the first, and its row is emptied
            first = parts[home]
            first.moments += moments_of(part_of(part.moments, part.origin), first.origin)
            first.area += part.area
            part.slice, part.moments = NOWHERE, no_moments()
    # no such part: a new one, with moments about the centroid of this piece
    if home < 0:
        if used == GATHERED_MOST:
            return used
        home = used
        used += 1
        clear_row(parts[home])
        parts[home].origin, parts[home].slice = Vec3(s.x / s.area, s.y / s.area, z), NOWHERE
    # moments of the piece about the origin of its part, by the parallel-axis theorem
    part = parts[home]
    o = part.origin
    x, y = s.x / s.area - o.x, s.y / s.area - o.y
    local = Section(
        s.area,
        s.area * x,
        s.area * y,
        s.xx - s.x * s.x / s.area + s.area * x * x,
        s.yy - s.y * s.y / s.area + s.area * y * y,
        s.xy - s.x * s.y / s.area + s.area * x * y,
    )
    part.moments += slice_moments_of(local, z - o.z, w)
    part.area += w * walls + Vec3(0.0, 0.0, face * s.area)
    # range of angle and faces of the part in this slice, and in the one before it
    if part.slice == number:
        if span > part.span:
            part.angle, part.span = angle, span
        part.faces = part.faces | faces
        return used
    if part.slice == number - 1:
        part.angle_before, part.span_before, part.faces_before = part.angle, part.span, part.faces
    else:
        part.angle_before, part.span_before, part.faces_before = angle, span, faces
    part.angle, part.span, part.faces, part.slice = angle, span, faces, number
    return used


@outlined_kernel
def _slice(solid, lines, k, z, w, face, number, pieces, parts, used):
    """Accumulates one slice at height z of weight w; returns how many parts there are then."""
    radius = radius_at(solid, z)
    rise = 0.5 * solid.b + solid.c * z
    n = sides_outside(radius, lines, k, z, pieces)
    if n <= 0:
        return used
    # a piece begins where a side leaves the disc
    start = -1
    for i in range(n):
        if pieces[i].leaves_circle:
            start = i
            break
    # no side meets the circle: the polygon is disjoint from the disc or surrounds it
    if start < 0:
        s = no_section()
        around = True
        for i in range(n):
            piece = pieces[i]
            ax, ay, bx, by = piece.start_x, piece.start_y, piece.end_x, piece.end_y
            s += triangle_section(pieces[0].start_x, pieces[0].start_y, ax, ay, bx, by)
            around = around and ax * by - ay * bx > 0.0
        wall = 0.0
        if around:
            s -= disc_section(radius, 0.0, 0.0)
            wall = 2.0 * math.pi * rise
        return _gather(s, Vec3(0.0, 0.0, wall), 0.0, 2.0 * math.pi, 0, z, w, face, number, parts, used)
    # each piece: fan of triangles along its sides, less the circular segment under its chord
    s = no_section()
    x0 = y0 = 0.0
    faces = 0
    for step in range(n):
        i = start + step
        if i >= n:
            i -= n
        piece = pieces[i]
        ax, ay, bx, by = piece.start_x, piece.start_y, piece.end_x, piece.end_y
        if piece.leaves_circle:
            x0, y0, s, faces = ax, ay, no_section(), 0
        faces |= 1 << piece.line
        s += triangle_section(x0, y0, ax, ay, bx, by)
        if piece.meets_circle:
            s -= arc_section(radius, 0.0, 0.0, x0, y0, bx, by, False)
            angle = math.atan2(y0, x0)
            span = _turn(math.atan2(by, bx) - angle)
            walls = Vec3(y0 - by, bx - x0, rise * span)
            used = _gather(s, walls, angle, span, faces, z, w, face, number, parts, used)
    return used


@outlined_kernel
def polyhedron_hole(R, p, holes, ends, Q, q, planes, count, lines, breaks, pieces, parts, rows):
    """Parts of a convex polyhedron, the first, and the solid around a round hole, the second, world axes.

    R, p      rotation and origin of the hole, whose axis is z
    holes     its pieces upwards, a `Revolved` each
    ends      (bool, bool): whether the lowest and the highest height are faces of the solid
    Q, q      rotation and position of the polyhedron, by which parts are named
    planes    its half-spaces, world axes; `count` of them, at most 63
    rows      the parts found, a `SlicedPart` each
    lines, breaks, pieces, parts    scratch: count, BREAKS, 2 count, GATHERED_MOST

    Returns the number of parts. The key is the quadrant of the polyhedron across the hole that the part is in, and 4
    more for the upper of two parts in one quadrant. Error 1e-7 of the polyhedron.
    """
    used, number = 0, 0
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
                number += 1
                used = _slice(solid, lines, k, middle + half * v, half * w * slope, 0.0, number, pieces, parts, used)
        if h == len(holes) - 1 and ends[1] and above < 0:
            used = _slice(solid, lines, k, z1, 0.0, 1.0, number + 1, pieces, parts, used)
    return _name_parts(R, p, Q, q, parts, used, rows)


@outlined_kernel
def _name_parts(R, p, Q, q, parts, used, rows):
    """Writes the parts into rows, with their keys; returns how many."""
    # axis of the polyhedron that is nearest to that of the hole
    axis = Q.T @ R.z_axis
    best = 0 if axis.x * axis.x > max(axis.y * axis.y, axis.z * axis.z) else 2
    if best == 2 and axis.y * axis.y > axis.z * axis.z:
        best = 1
    count = 0
    for k in range(used):
        found = parts[k]
        if not found.moments.volume > 0.0:
            continue
        part = place_part(R, p, part_of(found.moments, found.origin))
        # quadrant of the centroid across that axis; the upper of two in one quadrant gets 4 more
        x = Q.T @ (part.centroid - q)
        u = x.y if best == 0 else x.x
        v = x.y if best == 2 else x.z
        key = (1 if u > 0.0 else 0) + (2 if v > 0.0 else 0)
        for i in range(count):
            other = rows[i]
            if other.feature == key:
                if (part.centroid - other.part.centroid) @ R.z_axis >= 0.0:
                    key += 4
                else:
                    other.feature += 4
        put_row(rows[count], part, R @ found.area, key)
        count += 1
    return count
