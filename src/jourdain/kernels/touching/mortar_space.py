"""The mortar form in space: integrals over triangles, cut where those of the two surfaces end (Puso & Laursen 2004).

Facets are triangles, or quadrangles as four triangles around their middle, on which what is interpolated is linear
(Kim 1999, eq. A.7). A triangle of the other surface is seen along the normal of one of this surface; their common part
is a polygon (Sutherland & Hodgman 1974), cut into triangles, on which the products of two linear functions are
integrated exactly by the middles of the sides. A constant pressure then passes through flat meshes that do not match,
where the interpolation shares it among nodes as the cells do: triangles and parallelograms.
"""

from __future__ import annotations

import math

from ..compiler import called, kernel
from ..spatial import add, cross, dot, scale, sub, vec
from .layout import FACET_POINT, PAIR_GROUP, PAIR_GROUPS, PAIR_OWN, PAIR_OWNS
from .mortar import beside, fade, forget_integrals, inside, means, reach_of, share

SLIVER = 1e-12
"""Part of a triangle below which an overlap is left out."""


@kernel
def corner(s, f, part, k):
    """Corner k of triangle `part` of a facet."""
    count = s.facets[f, 0]
    if count == 4 and k == 2:
        x = add(vec(s.place, s.facets[f, FACET_POINT], 0), vec(s.place, s.facets[f, FACET_POINT + 1], 0))
        x = add(x, add(vec(s.place, s.facets[f, FACET_POINT + 2], 0), vec(s.place, s.facets[f, FACET_POINT + 3], 0)))
        return scale(0.25, x)
    return vec(s.place, s.facets[f, FACET_POINT + (part + k) % count], 0)


@kernel
def spread(count, part, u, v, w):
    """Weights of the points of a facet where those of the corners of its triangle `part` are u, v and w."""
    if count == 3:
        return (u, v, w, 0.0 * w)
    q = 0.25 * w
    if part == 0:
        return (u + q, v + q, q, q)
    if part == 1:
        return (q, u + q, v + q, q)
    if part == 2:
        return (q, q, u + q, v + q)
    return (v + q, q, q, u + q)


@called
def clip(P, count, ax, ay, bx, by):
    """Cuts the polygon in rows [0:count] of P by the left side of the line from a to b; how many corners are left."""
    made = 0
    for k in range(count):
        j = k + 1 if k + 1 < count else 0
        here = (bx - ax) * (P[k, 1] - ay) - (by - ay) * (P[k, 0] - ax)
        there = (bx - ax) * (P[j, 1] - ay) - (by - ay) * (P[j, 0] - ax)
        if here >= 0.0:
            P[10 + made, 0], P[10 + made, 1] = P[k, 0], P[k, 1]
            made += 1
        if (here > 0.0 and there < 0.0) or (here < 0.0 and there > 0.0):
            x = here / (here - there)
            P[10 + made, 0] = P[k, 0] + x * (P[j, 0] - P[k, 0])
            P[10 + made, 1] = P[k, 1] + x * (P[j, 1] - P[k, 1])
            made += 1
    for k in range(made):
        P[k, 0], P[k, 1] = P[10 + k, 0], P[10 + k, 1]
    return made


@kernel
def barycentric(x, y, ax, ay, bx, by, cx, cy):
    """Weights of the corners of a triangle at a point of its plane."""
    area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    v = ((x - ax) * (cy - ay) - (y - ay) * (cx - ax)) / area
    w = ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / area
    return 1.0 - v - w, v, w


@called
def over_both(s, pair, f, part, g, other):
    """Adds the part of the integrals where triangle `part` of facet f lies over triangle `other` of facet g."""
    a, b, c = corner(s, f, part, 0), corner(s, f, part, 1), corner(s, f, part, 2)
    p, q, r = corner(s, g, other, 0), corner(s, g, other, 1), corner(s, g, other, 2)
    ab, ac = sub(b, a), sub(c, a)
    n = cross(ab, ac)
    m = cross(sub(q, p), sub(r, p))
    if dot(n, m) >= 0.0:  # they do not face each other
        return
    m = scale(1.0 / math.sqrt(dot(m, m)), m)
    area = math.sqrt(dot(n, n))
    n = scale(1.0 / area, n)
    e = scale(1.0 / math.sqrt(dot(ab, ab)), ab)
    d = cross(n, e)
    # both in the plane of the first one; the other one turns backwards there, so its corners are taken backwards
    bx, cx, cy = dot(ab, e), dot(ac, e), dot(ac, d)
    p, q, r = sub(p, a), sub(q, a), sub(r, a)
    px, py, qx, qy, rx, ry = dot(p, e), dot(p, d), dot(q, e), dot(q, d), dot(r, e), dot(r, d)
    P = s.polygon
    P[0, 0], P[0, 1], P[1, 0], P[1, 1], P[2, 0], P[2, 1] = px, py, rx, ry, qx, qy
    count = clip(P, 3, 0.0, 0.0, bx, 0.0)
    count = clip(P, count, bx, 0.0, cx, cy)
    count = clip(P, count, cx, cy, 0.0, 0.0)
    for k in range(1, count - 1):
        piece = (P[k, 0] - P[0, 0]) * (P[k + 1, 1] - P[0, 1]) - (P[k, 1] - P[0, 1]) * (P[k + 1, 0] - P[0, 0])
        if piece <= SLIVER * area:
            continue
        for side in range(3):
            i = 0 if side == 0 else k + side - 1
            j = k + side if side < 2 else 0
            x, y = 0.5 * (P[i, 0] + P[j, 0]), 0.5 * (P[i, 1] + P[j, 1])
            u, v, w = barycentric(x, y, 0.0, 0.0, bx, 0.0, cx, cy)
            place = add(scale(x, e), scale(y, d))
            away = dot(sub(place, p), m)
            part_of = fade(s, pair, away)
            if part_of > 0.0 and (away >= 0.0 or inside(s, pair, f, add(a, place), (0.0, 0.0, 0.0))):
                foot = sub(place, scale(away, m))
                fx, fy = dot(foot, e), dot(foot, d)
                l, h, o = barycentric(fx, fy, px, py, qx, qy, rx, ry)
                mine, their = spread(s.facets[f, 0], part, u, v, w), spread(s.facets[g, 0], other, l, h, o)
                share(s, f, g, part_of * piece / 6.0, part_of * piece / 6.0, away, mine, their, m)


@called
def lay_mortar_in_space(s, pair):
    """Weights, gaps and normals of the nodes of a pair in space, after `outward` and `lay_boxes`."""
    forget_integrals(s, pair)
    own, first = s.pairs[pair, PAIR_OWN], s.pairs[pair, PAIR_GROUP]
    for f in range(own, own + s.pairs[pair, PAIR_OWNS]):
        for g in range(first, first + s.pairs[pair, PAIR_GROUPS]):
            if not beside(s, f, g, reach_of(s, pair)):
                continue
            for h in range(s.groups[g, 0], s.groups[g, 0] + s.groups[g, 1]):
                for part in range(4 if s.facets[f, 0] == 4 else 1):
                    for other in range(4 if s.facets[h, 0] == 4 else 1):
                        over_both(s, pair, f, part, h, other)
    means(s, pair)
