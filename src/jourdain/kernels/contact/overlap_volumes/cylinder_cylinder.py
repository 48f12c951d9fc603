"""Cylinder with cylinder: slices parallel to both axes are rectangles.

A plane parallel to both axes cuts both cylinders in rectangles, whose overlap is a convex polygon in closed form. The
slices are integrated along the common normal of the axes by 16 Gauss-Legendre points a panel, in that of `soft`.
"""

from __future__ import annotations

import math

from ...algebra import Mat3, Vec3, cross
from ...compiler import kernel, outlined_kernel
from .gauss_rules import GAUSS_16, slice_moments_of, soft, sort_breaks
from .planar_sections import no_section, triangle_section
from .volume_moments import no_moments, part_of, place_part

PARALLEL = 1e-9  # sine of the angle between axes below which they are parallel
CROSSED_LOOKS = 12  # samples in the search for heights at which a corner passes a side
CROSSED_CORNERS = 12  # largest number of corners of a polygon


@outlined_kernel
def cut_polygon(polygon, count, nx, ny, d):
    """Clips a polygon by the half-plane nx x + ny y <= d (Sutherland-Hodgman); returns the number of corners.

    polygon    rows (x, y), twice CROSSED_CORNERS: the second half is scratch
    """
    n = 0
    if count == 0:
        return 0
    px, py = polygon[count - 1, 0], polygon[count - 1, 1]
    before = d - nx * px - ny * py
    for i in range(count):
        x, y = polygon[i, 0], polygon[i, 1]
        here = d - nx * x - ny * y
        if (before > 0.0) != (here > 0.0):
            f = before / (before - here)
            polygon[CROSSED_CORNERS + n, 0], polygon[CROSSED_CORNERS + n, 1] = px + f * (x - px), py + f * (y - py)
            n += 1
        if here > 0.0:
            polygon[CROSSED_CORNERS + n, 0], polygon[CROSSED_CORNERS + n, 1] = x, y
            n += 1
        px, py, before = x, y, here
    for i in range(n):
        polygon[i, 0], polygon[i, 1] = polygon[CROSSED_CORNERS + i, 0], polygon[CROSSED_CORNERS + i, 1]
    return n


@outlined_kernel
def rectangles(pair, z, polygon, ox, oy):
    """The overlap of both rectangles at a height z: moments about (ox, oy), and the sides of the second in it.

    pair    (ra, ha, rb, hb, zb, bx, by, c, s): radius and half length of the first, along x at height 0; of the second,
            along (c, s), its middle at (bx, by, zb)

    The sides are their lengths times normals, with the slope of the wall as third component: integrated over z, the
    vector area of the second's surface in the first.
    """
    ra, ha, rb, hb, zb, bx, by, c, s = pair
    wa, wb = (ra - z) * (ra + z), (rb - z + zb) * (rb + z - zb)
    if not (wa > 0.0 and wb > 0.0):
        return no_section(), Vec3(0.0, 0.0, 0.0)
    # half widths of the rectangles; that of the first is clipped by the four sides of the second
    wa, wb = math.sqrt(wa), math.sqrt(wb)
    polygon[0, 0], polygon[0, 1], polygon[1, 0], polygon[1, 1] = -ha, -wa, ha, -wa
    polygon[2, 0], polygon[2, 1], polygon[3, 0], polygon[3, 1] = ha, wa, -ha, wa
    along, over = c * bx + s * by, c * by - s * bx
    n = cut_polygon(polygon, 4, c, s, along + hb)
    n = cut_polygon(polygon, n, -c, -s, hb - along)
    n = cut_polygon(polygon, n, -s, c, over + wb)
    n = cut_polygon(polygon, n, s, -c, wb - over)
    m, N = no_section(), Vec3(0.0, 0.0, 0.0)
    if n < 3:
        return m, N
    x0, y0 = polygon[0, 0] - ox, polygon[0, 1] - oy
    for i in range(n):
        j = i + 1 if i + 1 < n else 0
        ax, ay, bx, by = polygon[i, 0], polygon[i, 1], polygon[j, 0], polygon[j, 1]
        if 0 < i < n - 1:
            m += triangle_section(x0, y0, ax - ox, ay - oy, bx - ox, by - oy)
        # a side of the second is recognised by its middle, which is on one of its four lines
        mx, my = 0.5 * (ax + bx), 0.5 * (ay + by)
        size = math.sqrt((bx - ax) ** 2 + (by - ay) ** 2)
        u, v = c * mx + s * my - along, c * my - s * mx - over
        eps = 1e-12 * (ha + hb + ra + rb)
        if hb - math.fabs(u) < eps:
            k = math.copysign(size, u)
            N += Vec3(k * c, k * s, 0.0)
        elif wb - math.fabs(v) < eps:
            k = math.copysign(size, v)
            N += Vec3(-k * s, k * c, size * (z - zb) / wb)
    return m, N


@kernel
def _corner(pair, z, which):
    """Signed distance of a corner of one rectangle from a side of the other: 16 pairs whose distance varies with z."""
    ra, ha, rb, hb, zb, bx, by, c, s = pair
    wa = math.sqrt(max((ra - z) * (ra + z), 0.0))
    wb = math.sqrt(max((rb - z + zb) * (rb + z - zb), 0.0))
    end = 1.0 if which & 1 else -1.0
    side = 1.0 if which & 2 else -1.0
    other = 1.0 if which & 4 else -1.0
    if which & 8:
        return s * (end * hb) + c * (side * wb) + by - other * wa
    return c * (side * wa - by) - s * (end * ha - bx) - other * wb


@outlined_kernel
def _breaks(pair, low, high, breaks):
    """Heights at which a corner passes a side, sorted, low and high among them; returns how many."""
    # radii, half lengths and pose of the second cylinder in the axes of the first
    ra, ha, rb, hb, zb, bx, by, c, s = pair
    breaks[0], breaks[1] = low, high
    n = 2
    # a corner passes an end, whose line does not move with z: the half width w there is known, z = +- sqrt(r^2 - w^2)
    for end in (-1.0, 1.0):
        for over in (-1.0, 1.0):
            if s * s > 0.0:
                w = (over * hb - c * (end * ha - bx) + s * by) / s
                if w * w < ra * ra:
                    z = math.sqrt(ra * ra - w * w)
                    for side in (-1.0, 1.0):
                        if low < side * z < high:
                            breaks[n] = side * z
                            n += 1
                w = (over * ha - bx - c * end * hb) / s
                if w * w < rb * rb:
                    z = math.sqrt(rb * rb - w * w)
                    for side in (-1.0, 1.0):
                        if low < zb + side * z < high:
                            breaks[n] = zb + side * z
                            n += 1
    # a corner passes a side, which moves with z: sign changes of `_corner`, by bisection
    for which in range(16):
        z0, f0 = low, _corner(pair, low, which)
        for i in range(CROSSED_LOOKS):
            x = soft(2.0 * (i + 1) / CROSSED_LOOKS - 1.0)[0]
            z1 = 0.5 * (low + high) + 0.5 * (high - low) * x
            f1 = _corner(pair, z1, which)
            if f0 * f1 < 0.0 and n < breaks.size:
                a, b, fb = z0, z1, f1
                z = a
                for _ in range(40):
                    z = 0.5 * (a + b)
                    f = _corner(pair, z, which)
                    if f * fb < 0.0:
                        a = z
                    else:
                        b, fb = z, f
                breaks[n] = z
                n += 1
            z0, f0 = z1, f1
    sort_breaks(breaks, n)
    return n


@outlined_kernel
def cylinder_cylinder(R, p, ra, ha, Q, q, rb, hb, polygon, breaks):
    """(part, N) of two cylinders (axis z of R and of Q, middles p and q; radii and half lengths), world axes.

    polygon, breaks    scratch: 2 CROSSED_CORNERS x 2, and 64 numbers
    N                  area of the second's surface in the first times its mean normal

    The heights at which corners of the rectangles pass sides are found first, so that panels are smooth; error below
    1e-7 of the smaller cylinder, 1e-6 for nearly parallel ones whose ends meet. Parallel axes are sliced across the
    line between them.
    """
    u, v = R.z_axis, Q.z_axis
    w = q - p
    n = cross(u, v)
    sine = math.sqrt(n @ n)
    m, N, o = no_moments(), n.zero, n.zero
    # normal n of the slices: the common normal of both axes; for parallel axes the line between them
    if sine < PARALLEL:
        n = w - (w @ u) * u
        size = math.sqrt(n @ n)
        if size > PARALLEL * (ra + rb):  # for coincident axes n would be rounding, maybe along them
            n = 1.0 / size * n
        else:
            n = R.x_axis
        v = math.copysign(1.0, u @ v) * u
    else:
        n = 1.0 / sine * n
    # the second cylinder in the axes T = (u, n x u, n) of the slices: q - p and its axis
    T = Mat3(u, cross(n, u), n).T
    b, d = T.T @ w, T.T @ v
    pair = (ra, ha, rb, hb, b.z, b.x, b.y, d.x, d.y)
    low, high = max(-ra, b.z - rb), min(ra, b.z + rb)
    if not high > low:
        return part_of(m, p), N
    # panels of 16 Gauss-Legendre points; moments about the centroid of the first slice that is not empty
    count = _breaks(pair, low, high, breaks)
    found = False
    for i in range(count - 1):
        middle, half = 0.5 * (breaks[i] + breaks[i + 1]), 0.5 * (breaks[i + 1] - breaks[i])
        if half <= 1e-15 * (ra + rb):
            continue
        s = rectangles(pair, middle, polygon, 0.0, 0.0)[0]
        if not s.area > 0.0:
            continue
        if not found:
            found, o = True, Vec3(s.x / s.area, s.y / s.area, middle)
        for j in range(16):
            x, k = GAUSS_16[j]
            x, slope = soft(x)
            z, k = middle + half * x, half * k * slope
            s, sides = rectangles(pair, z, polygon, o.x, o.y)
            m += slice_moments_of(s, z - o.z, k)
            N += k * sides
    return place_part(T, p, part_of(m, o)), T @ N
