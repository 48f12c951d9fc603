"""Which point of a facet is nearest to a node, and how far it is.

Facets are segments in a plane, triangles, and quadrangles that are four triangles around their middle (Kim 1999,
appendix A.2). The distance is negative behind a facet.
"""

from __future__ import annotations

import math

from ..algebra import Vec3, cross
from ..compiler import kernel, outlined_kernel

FAR = 1e30
BEYOND = 0.02
"""How far facets reach over their rims, over their size: a node at an edge does not see it turn away."""
RIM = 1e-4
"""Weight of a point of a facet below which a place is as good as at its rim."""
CORNER = -0.5
"""Cosine, to the normal, beyond which a point off the end of a facet is behind it."""
GONE, SIDES = 16, 15
"""Bits of what is known of a facet's rim: 1 << k where the surface ends or turns away at side k, which begins at point
k, or at end k of a segment; GONE where it ends at one of them."""


@kernel
def clip(x):
    """x within 0 and 1."""
    return min(max(x, 0.0), 1.0)


@kernel
def beyond(x, foot, n, size, inside, rim):
    """(signed distance, normal, over) of a point x whose nearest point of a facet with normal n is `foot`; inside: 1
    where the foot is not on its rim; rim: 1 where the surface ends or turns away there, so that nothing is behind, 2
    where the point has gone by an end before: as long as it is below it stays apart, as it would jump to the other
    side.
    over: 1 where the normal is that of the facet. Then the point that is met is the one below, a little off the rim:
    force and opposite have one line, and the distance changes as the weights of that point say."""
    d = x - foot
    along, length = d @ n, math.sqrt(d @ d)
    if rim == 2 and along < 0.0:
        return length, 1.0 / length * d, 0
    if inside == 1:
        return along, n, 1
    within = BEYOND * size
    if length * length - along * along <= within * within and (rim == 0 or along >= -within):
        return along, n, 1
    if rim == 0 and along < CORNER * length:
        return -length, -1.0 / length * d, 0
    return length, 1.0 / length * d, 0


@outlined_kernel
def near_segment(x, a, b, e, rim):
    """(gap, normal, weights) of x and a segment from a to b, e being across its plane and the outside on its right; the
    weights are those of four points, of which a segment has two. rim: as `GONE` says, that bit only where it counts."""
    t = b - a
    t = t - (t @ e) * e
    length = math.sqrt(t @ t)
    n = 1.0 / length * cross(t, e)
    d = x - a
    d = d - (d @ e) * e
    s = d @ t / (length * length)
    inside = 1 if 0.0 <= s <= 1.0 else 0
    below, s = s, clip(s)
    there = 2 if rim >= GONE else (rim if s == 0.0 else rim >> 1) & 1
    gap, n, over = beyond(d, s * t, n, length, inside, there)
    if over == 1:
        s = below
    return gap, n, (1.0 - s, s, 0.0 * s, 0.0 * s)


@outlined_kernel
def near_triangle(x, a, b, c, rim):
    """The same of a triangle, with its weights at a, b and c: Ericson, Real-Time Collision Detection (2005), 5.1.5.
    rim: bits 0 to 2 of its sides ab, bc and ca, 3 to 5 of its corners, where two sides meet, then GONE."""
    ab, ac, ap, bp, cp = b - a, c - a, x - a, x - b, x - c
    n = cross(ab, ac)
    area = math.sqrt(n @ n)
    n = 1.0 / area * n
    size = math.sqrt(area)
    d1, d2, d3, d4, d5, d6 = ab @ ap, ac @ ap, ab @ bp, ac @ bp, ab @ cp, ac @ cp
    va, vb, vc = d3 * d6 - d5 * d4, d5 * d2 - d1 * d6, d1 * d4 - d3 * d2
    # inside: 1 where that point is not on the rim
    inside, total = 0, 1.0 / (va + vb + vc)
    u, v, w = 0.0 * d1, 0.0 * d1, 0.0 * d1
    # weights of the nearest point, and which side (0 to 2) or corner (3 to 5) it is on
    side = 0
    if d1 <= 0.0 and d2 <= 0.0:
        u, side = 1.0 + u, 3
    elif d3 >= 0.0 and d4 <= d3:
        v, side = 1.0 + v, 4
    elif vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        v = d1 / (d1 - d3)
        u = 1.0 - v
    elif d6 >= 0.0 and d5 <= d6:
        w, side = 1.0 + w, 5
    elif vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        w, side = d2 / (d2 - d6), 2
        u = 1.0 - w
    elif va <= 0.0 and d4 - d3 >= 0.0 and d5 - d6 >= 0.0:
        w, side = (d4 - d3) / ((d4 - d3) + (d5 - d6)), 1
        v = 1.0 - w
    else:
        inside = 1
        v, w = vb * total, vc * total
        u = 1.0 - v - w
    foot = u * a + (v * b + w * c)
    # the distance, and the point below where the normal is that of the triangle
    gap, n, over = beyond(x, foot, n, size, inside, 2 if rim >= GONE << 2 else (rim >> side) & 1)
    if over == 1:
        v, w = vb * total, vc * total
        u = 1.0 - v - w
    return gap, n, (u, v, w)


@kernel
def whole_triangle(rim):
    """What is known of the rim of a facet that is a triangle, for `near_triangle`."""
    ab, bc, ca = rim & 1, (rim >> 1) & 1, (rim >> 2) & 1
    return ab | bc << 1 | ca << 2 | (ab | ca) << 3 | (ab | bc) << 4 | (bc | ca) << 5 | (rim & GONE) << 2


@kernel
def quarter(rim, before, first, after):
    """The same of the triangle of a quadrangle's side `first` and its middle, where nothing ends; before and after are
    the sides that meet it."""
    mine, left, right = (rim >> first) & 1, (rim >> before) & 1, (rim >> after) & 1
    return mine | (mine | left) << 3 | (mine | right) << 4 | (rim & GONE) << 2


@outlined_kernel
def near_quadrangle(x, a, b, c, d, rim):
    """The same of a quadrangle: weights (4 u + w, 4 v + w, w, w) / 4 of the triangle of two corners and the middle
    (Kim 1999, eq. A.7)."""
    middle = 0.25 * ((a + b) + (c + d))
    gap, n, (u, v, w) = near_triangle(x, a, b, middle, quarter(rim, 3, 0, 1))
    q = 0.25 * w
    weights = (u + q, v + q, q, q)
    one, m, (u, v, w) = near_triangle(x, b, c, middle, quarter(rim, 0, 1, 2))
    q = 0.25 * w
    if abs(one) < abs(gap):
        gap, n, weights = one, m, (q, u + q, v + q, q)
    one, m, (u, v, w) = near_triangle(x, c, d, middle, quarter(rim, 1, 2, 3))
    q = 0.25 * w
    if abs(one) < abs(gap):
        gap, n, weights = one, m, (q, q, u + q, v + q)
    one, m, (u, v, w) = near_triangle(x, d, a, middle, quarter(rim, 2, 3, 0))
    q = 0.25 * w
    if abs(one) < abs(gap):
        gap, n, weights = one, m, (v + q, q, q, u + q)
    return gap, n, weights


@kernel
def point_of(s, facet, k):
    """Where point k of a facet is."""
    return s.place[facet.points[k]].position


@kernel
def near_facet(s, facet, x, e, below):
    """(gap, normal, weights) of a place and a facet; e is across the plane of segments; below: 1 where the place was
    behind the facet before, which counts where the surface ends there."""
    a, b = point_of(s, facet, 0), point_of(s, facet, 1)
    count, rim = facet.count, facet.rim
    if below == 0:
        rim &= SIDES
    if count == 2:
        return near_segment(x, a, b, e, rim)
    c = point_of(s, facet, 2)
    if count == 3:
        gap, n, (u, v, w) = near_triangle(x, a, b, c, whole_triangle(rim))
        return gap, n, (u, v, w, 0.0 * w)
    return near_quadrangle(x, a, b, c, point_of(s, facet, 3), rim)


@kernel
def is_over(weights, count):
    """1 where the point with these weights is within a facet of so many points, 0 where it is at its rim or beyond."""
    found = 1 if weights[0] > RIM and weights[1] > RIM else 0
    if count > 2 and weights[2] <= RIM:
        found = 0
    if count > 3 and weights[3] <= RIM:
        found = 0
    return found


@kernel
def facet_normal(s, facet, e):
    """Outward normal of a facet, times its length or twice its area."""
    a, b = point_of(s, facet, 0), point_of(s, facet, 1)
    if facet.count == 2:
        return cross(b - a, e)
    c = point_of(s, facet, 2)
    if facet.count == 3:
        return cross(b - a, c - a)
    return cross(c - a, point_of(s, facet, 3) - b)


@kernel
def has_point(facet, point):
    """Whether a facet has a point."""
    for k in range(facet.count):
        if facet.points[k] == point:
            return True
    return False


@kernel
def farther(a, b):
    """The larger coordinates of two places."""
    return Vec3(max(a.x, b.x), max(a.y, b.y), max(a.z, b.z))


@kernel
def distance_of_box(box, x):
    """Square of the distance of a place from the box of a group [m^2]; 0 inside."""
    off = farther(farther(box.low - x, x - box.high), Vec3(0.0, 0.0, 0.0))
    return off @ off
