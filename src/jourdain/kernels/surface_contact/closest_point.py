"""Which point of a facet is nearest to a node, and how far it is.

Facets are segments in a plane, triangles, and quadrangles that are four triangles around their middle (Kim 1999,
appendix A.2). The distance is negative behind a facet.
"""

from __future__ import annotations

import math

from ..compiler import kernel, outlined_kernel
from ..spatial import add, cross, dot, scale, sub, vec
from .surface_layout import FACET_RIM

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
    d = sub(x, foot)
    along, length = dot(d, n), math.sqrt(dot(d, d))
    if rim == 2 and along < 0.0:
        return length, scale(1.0 / length, d), 0
    if inside == 1:
        return along, n, 1
    within = BEYOND * size
    if length * length - along * along <= within * within and (rim == 0 or along >= -within):
        return along, n, 1
    if rim == 0 and along < CORNER * length:
        return -length, scale(-1.0 / length, d), 0
    return length, scale(1.0 / length, d), 0


@outlined_kernel
def near_segment(x, a, b, e, rim):
    """(gap, normal, weights) of x and a segment from a to b, e being across its plane and the outside on its right; the
    weights are those of four points, of which a segment has two. rim: as `GONE` says, that bit only where it counts."""
    t = sub(b, a)
    t = sub(t, scale(dot(t, e), e))
    length = math.sqrt(dot(t, t))
    n = scale(1.0 / length, cross(t, e))
    d = sub(x, a)
    d = sub(d, scale(dot(d, e), e))
    s = dot(d, t) / (length * length)
    inside = 1 if 0.0 <= s <= 1.0 else 0
    below, s = s, clip(s)
    there = 2 if rim >= GONE else (rim if s == 0.0 else rim >> 1) & 1
    gap, n, over = beyond(d, scale(s, t), n, length, inside, there)
    if over == 1:
        s = below
    return gap, n, (1.0 - s, s, 0.0 * s, 0.0 * s)


@outlined_kernel
def near_triangle(x, a, b, c, rim):
    """The same of a triangle, with its weights at a, b and c: Ericson, Real-Time Collision Detection (2005), 5.1.5.
    rim: bits 0 to 2 of its sides ab, bc and ca, 3 to 5 of its corners, where two sides meet, then GONE."""
    ab, ac, ap = sub(b, a), sub(c, a), sub(x, a)
    n = cross(ab, ac)
    area = math.sqrt(dot(n, n))
    n = scale(1.0 / area, n)
    size = math.sqrt(area)
    d1, d2 = dot(ab, ap), dot(ac, ap)
    bp = sub(x, b)
    d3, d4 = dot(ab, bp), dot(ac, bp)
    cp = sub(x, c)
    d5, d6 = dot(ab, cp), dot(ac, cp)
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
    foot = add(scale(u, a), add(scale(v, b), scale(w, c)))
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
    middle = scale(0.25, add(add(a, b), add(c, d)))
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
def near_facet(s, f, x, e, below):
    """(gap, normal, weights) of a place and facet f; e is across the plane of segments; below: 1 where the place was
    behind the facet before, which counts where the surface ends there."""
    a, b = vec(s.place, s.facets[f, 1], 0), vec(s.place, s.facets[f, 2], 0)
    count, rim = s.facets[f, 0], s.facets[f, FACET_RIM]
    if below == 0:
        rim &= SIDES
    if count == 2:
        return near_segment(x, a, b, e, rim)
    c = vec(s.place, s.facets[f, 3], 0)
    if count == 3:
        gap, n, (u, v, w) = near_triangle(x, a, b, c, whole_triangle(rim))
        return gap, n, (u, v, w, 0.0 * w)
    return near_quadrangle(x, a, b, c, vec(s.place, s.facets[f, 4], 0), rim)


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
def facet_normal(s, f, e):
    """Outward normal of facet f, times its length or twice its area."""
    a, b = vec(s.place, s.facets[f, 1], 0), vec(s.place, s.facets[f, 2], 0)
    if s.facets[f, 0] == 2:
        return cross(sub(b, a), e)
    c = vec(s.place, s.facets[f, 3], 0)
    if s.facets[f, 0] == 3:
        return cross(sub(b, a), sub(c, a))
    return cross(sub(c, a), sub(vec(s.place, s.facets[f, 4], 0), b))


@kernel
def has_point(s, f, point):
    """1 where a facet has a point."""
    for k in range(1, s.facets[f, 0] + 1):
        if s.facets[f, k] == point:
            return 1
    return 0
