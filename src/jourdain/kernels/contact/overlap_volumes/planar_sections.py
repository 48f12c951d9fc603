"""Planar sections in closed form: area and moments of discs, of discs clipped by lines, and of two discs.

Moments of a section about a point o, a `Section`, are taken from o and add. Everything is a sum of triangles and
circular segments that are all positive, about a point near the section: so a sliver a billionth of the disc has the
same relative accuracy as the whole disc.
"""

from __future__ import annotations

import math

from ...algebra import Vec3
from ...compiler import kernel, outlined_kernel
from ...fixed_size import operation
from .overlap_values import Section

SMALL_ARC = 0.6  # half angle below which the moments of a segment are summed as series, to rounding [rad]
NOTHING = 1e-12  # of a radius: two points of a circle nearer than this coincide
# power series in the square of the half angle: of the area over t^3, int x over t^5, int x^2 over t^7, int y^2 over t^5
SEGMENT_AREA = (
    2.0 / 3.0, -2.0 / 15.0, 4.0 / 315.0, -0.0007054673721340388, 2.565335898669232e-05,
    -6.577784355562133e-07, 1.2529113058213587e-08, -1.8425166262078804e-10, 2.1549902060910882e-12,
)  # fmt: skip
SEGMENT_X = (
    2.0 / 15.0, -11.0 / 315.0, 17.0 / 3780.0, -0.00036956870290203624, 2.133411855634078e-05,
    -9.143927794721446e-07, 3.0255958321629034e-08, -7.962104817578651e-10, 1.7061655999029194e-11,
)  # fmt: skip
SEGMENT_XX = (
    4.0 / 105.0, -4.0 / 315.0, 4.0 / 1925.0, -0.00022101355434688767, 1.7027064646112266e-05,
    -1.004908567933778e-06, 4.705852113041109e-08, -1.7931981360627673e-09, 5.670629790189548e-11,
)  # fmt: skip
SEGMENT_YY = (
    2.0 / 15.0, -4.0 / 63.0, 2.0 / 135.0, -0.002180535513868847, 0.00022430244652466876,
    -1.7102239324461548e-05, 1.0061983295721235e-06, -4.707576105205983e-08, 1.7933828495090037e-09,
)  # fmt: skip


@operation
def _series(t, coefficients):
    """A polynomial of t, the constant term first, by Horner's rule."""
    total = coefficients[-1]
    for c in reversed(coefficients[:-1]):
        total = c + t * total
    return total


@outlined_kernel
def unit_segment(angle):
    """(area, first moment, second moments across and along the chord) of the segment of a unit disc within +-angle.

    x is the height over the chord, y runs along it from its middle; 0 <= angle <= pi. With s, c the sine and cosine:

        A = t - s c,  int x = 2/3 s^3 - c A,  int x^2 = (t - sin 4t / 4) / 4 - 4/3 c s^3 + c^2 A,
        int y^2 = t/4 - sin 2t / 6 + sin 4t / 48.

    These suffer cancellation as t^7 for small angles; there their power series are summed.
    """
    if angle < SMALL_ARC:
        # power series in t^2, to rounding below SMALL_ARC
        q = angle * angle
        t3 = q * angle
        A, x = t3 * _series(q, SEGMENT_AREA), t3 * q * _series(q, SEGMENT_X)
        xx, yy = t3 * q * q * _series(q, SEGMENT_XX), t3 * q * _series(q, SEGMENT_YY)
        return A, x, xx, yy
    # closed forms
    s, c = math.sin(angle), math.cos(angle)
    sc = s * c
    s3 = s * s * s
    A = angle - sc
    x = 2.0 / 3.0 * s3 - c * A
    xx = 0.25 * (angle - sc * (1.0 - 2.0 * s * s)) - 4.0 / 3.0 * c * s3 + c * c * A
    yy = 0.25 * (angle - sc) - s3 * c / 6.0
    return A, x, xx, yy


@operation
def no_section():
    """Zero moments of a section."""
    return Section.of((0.0,) * 6)


@operation
def disc_section(radius, x, y):
    """A whole disc centred at (x, y), moments about the origin."""
    A = math.pi * radius * radius
    m = 0.25 * A * radius * radius
    return Section(A, A * x, A * y, m + A * x * x, m + A * y * y, A * x * y)


@operation
def triangle_section(ax, ay, bx, by, cx, cy):
    """A triangle, positive where its corners run anticlockwise."""
    A = 0.5 * ((bx - ax) * (cy - ay) - (by - ay) * (cx - ax))
    sx, sy = ax + bx + cx, ay + by + cy
    k = A / 12.0
    return Section(
        A,
        A / 3.0 * sx,
        A / 3.0 * sy,
        k * (ax * ax + bx * bx + cx * cx + sx * sx),
        k * (ay * ay + by * by + cy * cy + sy * sy),
        k * (ax * ay + bx * by + cx * cy + sx * sy),
    )


@outlined_kernel
def segment_section(radius, x, y, ux, uy, angle):
    """The segment of a disc centred at (x, y), within +-angle of the direction (ux, uy); 0 <= angle <= pi."""
    A, m, mm, ww = unit_segment(angle)
    r2 = radius * radius
    A, m, mm, ww = r2 * A, r2 * radius * m, r2 * r2 * mm, r2 * r2 * ww
    d = radius * math.cos(angle)
    px, py = x + d * ux, y + d * uy
    return Section(
        A,
        A * px + m * ux,
        A * py + m * uy,
        A * px * px + 2.0 * m * px * ux + mm * ux * ux + ww * uy * uy,
        A * py * py + 2.0 * m * py * uy + mm * uy * uy + ww * ux * ux,
        A * px * py + m * (px * uy + py * ux) + (mm - ww) * ux * uy,
    )


@outlined_kernel
def half_angle(depth, radius):
    """Half the angle of the segment of that depth: 2 asin sqrt(depth / 2 radius), accurate for slivers [rad]."""
    x = depth / (2.0 * radius)
    return 2.0 * math.asin(math.sqrt(min(max(x, 0.0), 1.0)))


@outlined_kernel
def arc_section(radius, x, y, ax, ay, bx, by, alone):
    """The segment between the arc from a anticlockwise to b and its chord; a and b are from the centre (x, y) of the
    disc.

    alone    whether this arc is the only one of the circle: then two nearly coincident points may have a whole turn
             between them, as rounding decides, else nothing
    """
    cross, dot = ax * by - ay * bx, ax * bx + ay * by
    angle = math.atan2(cross, dot)
    if angle < 0.0:
        ex, ey = bx - ax, by - ay
        if not alone and ex * ex + ey * ey < NOTHING * radius * radius:
            return no_section()
        angle += 2.0 * math.pi
    # direction of the middle of the arc: from the sum of a and b, or across the chord, whichever is longer
    half = 0.5 * angle
    ux, uy = ax + bx, ay + by
    size = math.sqrt(ux * ux + uy * uy)
    chord = math.sqrt((bx - ax) ** 2 + (by - ay) ** 2)
    if chord > size:
        ux, uy, size = by - ay, ax - bx, chord
    elif half > 0.5 * math.pi:
        ux, uy = -ux, -uy
    if size == 0.0:
        return no_section()
    return segment_section(radius, x, y, ux / size, uy / size, half)


@kernel
def clip_side(lines, count, i, z, low, high):
    """What is left of the points from `low` to `high` of line i at a height z within all other half-planes.

    Of coincident lines the first counts. Nothing is left where the second number is not above the first.
    """
    line = lines[i]
    ux, uy, d = line.ux, line.uy, line.d + line.slope * z
    for j in range(count):
        if j == i:
            continue
        other = lines[j]
        vx, vy = other.ux, other.uy
        c, s = vx * ux + vy * uy, vy * ux - vx * uy
        spare = other.d + other.slope * z - c * d
        if s > 1e-14:
            high = min(high, spare / s)
        elif s < -1e-14:
            low = max(low, spare / s)
        elif spare < 0.0 or (spare == 0.0 and c > 0.0 and j < i):
            return low, low
    return low, high


@outlined_kernel
def disc_in_lines(radius, lines, count, z, ox, oy):
    """The disc of that radius about (0, 0) within half-planes: moments about (ox, oy), and its straight sides.

    lines    rows `SliceLine`, sorted by the angle of their normals

    The sides are the sum of their lengths times (ux, uy, -slope): integrated over z, the areas of the planes that the
    lines belong to times their normals.
    """
    found = 0
    sides = Vec3(0.0, 0.0, 0.0)
    on_circle = False
    cut = False
    m = no_section()
    x0 = y0 = px = py = 0.0
    first_on_circle = False
    for i in range(count):
        # chord [low, high] of line i in the disc: a line beyond the disc cuts nothing, one with the disc behind it all
        line = lines[i]
        ux, uy = line.ux, line.uy
        d = line.d + line.slope * z
        if d >= radius:
            continue
        if d <= -radius:
            return no_section(), Vec3(0.0, 0.0, 0.0)
        cut = True
        high = math.sqrt((radius - d) * (radius + d))
        low = -high
        begin, end = clip_side(lines, count, i, z, low, high)
        if not end > begin:
            continue
        from_circle, to_circle = begin == low, end == high
        low, high = begin, end
        # boundary from a to b: fan of triangles from the first corner, and the segment of the arc that leads to a
        ax, ay = d * ux - low * uy, d * uy + low * ux
        bx, by = d * ux - high * uy, d * uy + high * ux
        if found == 0:
            x0, y0, first_on_circle = ax, ay, from_circle
        else:
            m += triangle_section(x0 - ox, y0 - oy, px - ox, py - oy, ax - ox, ay - oy)
            if on_circle and from_circle:
                m += arc_section(radius, -ox, -oy, px, py, ax, ay, False)
            m += triangle_section(x0 - ox, y0 - oy, ax - ox, ay - oy, bx - ox, by - oy)
        px, py, on_circle = bx, by, to_circle
        size = high - low
        sides += size * Vec3(ux, uy, -line.slope)
        found += 1
    # close the boundary: no side left means nothing or the whole disc, else the last arc
    if found == 0:
        return (no_section() if cut else disc_section(radius, -ox, -oy)), sides
    if on_circle and first_on_circle:
        m += arc_section(radius, -ox, -oy, px, py, x0, y0, found == 1)
    return m, sides


@outlined_kernel
def discs_common(r, R, e, ox):
    """Intersection of the discs of radius r about (e, 0), e >= 0, and R about (0, 0); moments about (ox, 0)."""
    if e >= r + R or r <= 0.0 or R <= 0.0:
        return no_section()
    if e + r <= R:
        return disc_section(r, e - ox, 0.0)
    if e + R <= r:
        return disc_section(R, -ox, 0.0)
    # lens of two segments on their common chord
    depth_r, depth_R = common_depths(r, R, e)
    a = segment_section(r, e - ox, 0.0, -1.0, 0.0, half_angle(depth_r, r))
    return a + segment_section(R, -ox, 0.0, 1.0, 0.0, half_angle(depth_R, R))


@operation
def common_depths(r, R, e):
    """Depths of the two segments, of the disc r and of the disc R, on either side of their common chord."""
    overlap = r + R - e
    return overlap * (R - r + e) / (2.0 * e), overlap * (r - R + e) / (2.0 * e)


@outlined_kernel
def disc_outside_disc(r, R, e, ox):
    """The disc of radius r about (e, 0), e >= 0, outside of the disc R about (0, 0); moments about (ox, 0).

    A lune: the segment of the first beyond the common chord, less that of the second.
    """
    if r <= 0.0 or e + r <= R:
        return no_section()
    if R <= 0.0 or e >= r + R:
        return disc_section(r, e - ox, 0.0)
    if e + R <= r:
        return disc_section(r, e - ox, 0.0) - disc_section(R, -ox, 0.0)
    depth_r, depth_R = common_depths(r, R, e)
    a = segment_section(r, e - ox, 0.0, 1.0, 0.0, half_angle(2.0 * r - depth_r, r))
    return a - segment_section(R, -ox, 0.0, 1.0, 0.0, half_angle(depth_R, R))
