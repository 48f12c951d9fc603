"""The mortar form in a plane: gaps that are integrals over the surface instead of those of its nodes.

A node's gap is the mean of the distance of its surface from the other one, weighted by its shape function (Puso &
Laursen 2004). The integral is split where segments of the two surfaces end, so that it is exact for straight ones: a
constant pressure then passes through meshes that do not match. At every point of the quadrature the distance is that
from the nearest point of the other segment, so that forces act along the line between the two and make no moment.
Only where the other surface is near, by `NEAR` sizes of its segments, does it take part (`fade`).
"""

from __future__ import annotations

import math

from ..compiler import called, kernel
from ..spatial import accumulate3, add, cross, dot, put3, scale, sub, vec
from .layout import (
    FACET_NODE,
    FACET_POINT,
    NODE_AREA,
    NODE_GAP,
    NODE_NORMAL,
    NODE_OUT,
    PAIR_GROUP,
    PAIR_GROUPS,
    PAIR_NODE,
    PAIR_NODES,
    PAIR_OWN,
    PAIR_OWNS,
    REACH,
)
from .search import FAR, has_point, near_facet

GAUSS = 0.7745966692414834  # of three points, sqrt(3 / 5)
NEAR = 3.0
"""How far the other surface may be to take part, over the reach."""


@kernel
def reach_of(s, pair):
    """How far away the other surface may be [m]."""
    return NEAR * s.numbers[pair, REACH]


@kernel
def fade(s, pair, away):
    """1 where the other surface is near, and not behind as the other side of a thin part is; 0 where it is far; smooth
    between, so that what is met does not jump."""
    far = reach_of(s, pair) if away > 0.0 else s.numbers[pair, REACH]
    x = min(max(2.0 - 2.0 * abs(away) / far, 0.0), 1.0)
    return x * x * (3.0 - 2.0 * x)


@kernel
def beside(s, f, g, reach):
    """Whether facet f and the box of group g are nearer to each other than `reach`, along all axes."""
    near = True
    for d in range(3):
        low, high = FAR, -FAR
        for k in range(s.facets[f, 0]):
            x = s.place[s.facets[f, FACET_POINT + k], d]
            low, high = min(low, x), max(high, x)
        if low - reach > s.boxes[g, 3 + d] or high + reach < s.boxes[g, d]:
            near = False
    return near


@kernel
def share(s, f, g, w, mine, other, n):
    """Adds the part w of an integral, at the weights of the points of facet f and of facet g, whose normal is n."""
    for k in range(s.facets[f, 0]):
        i = s.facets[f, FACET_NODE + k]
        if i < 0 or mine[k] == 0.0:
            continue
        phi = w * mine[k]
        s.node[i, NODE_AREA] += phi
        accumulate3(s.node, i, NODE_NORMAL, scale(phi, n))
        for j in range(s.facets[f, 0]):
            point, part = s.facets[f, FACET_POINT + j], phi * mine[j]
            s.weights[i, point] += part
            accumulate3(s.arrows, i, 3 * point, scale(part, n))
        for j in range(s.facets[g, 0]):
            point, part = s.facets[g, FACET_POINT + j], -phi * other[j]
            s.weights[i, point] += part
            accumulate3(s.arrows, i, 3 * point, scale(part, n))


@kernel
def neighbours(s, f, g):
    """Whether two facets have a point in common."""
    found = False
    for k in range(s.facets[f, 0]):
        if has_point(s, g, s.facets[f, FACET_POINT + k]) == 1:
            found = True
    return found


@called
def inside(s, pair, f, x, e):
    """Whether a place on facet f is inside of what the pair touches, by the nearest facet there. A facet may face
    another one that lies behind it, beside which its surface passes."""
    best = FAR
    first = s.pairs[pair, PAIR_GROUP]
    for g in range(first, first + s.pairs[pair, PAIR_GROUPS]):
        away = 0.0
        for d in range(3):
            off = max(max(s.boxes[g, d] - x[d], x[d] - s.boxes[g, 3 + d]), 0.0)
            away += off * off
        if away >= best * best:
            continue
        for other in range(s.groups[g, 0], s.groups[g, 0] + s.groups[g, 1]):
            if not neighbours(s, f, other):
                gap, _, _ = near_facet(s, other, x, e)
                if abs(gap) < abs(best):
                    best = gap
    return best < 0.0


@called
def along_both(s, pair, f, g, e):
    """Adds the part of the integrals where segment f of a surface lies over segment g of the other one."""
    a, c = vec(s.place, s.facets[f, FACET_POINT], 0), vec(s.place, s.facets[g, FACET_POINT], 0)
    t = sub(vec(s.place, s.facets[f, FACET_POINT + 1], 0), a)
    u = sub(vec(s.place, s.facets[g, FACET_POINT + 1], 0), c)
    length = math.sqrt(dot(t, t))
    n, m = cross(t, e), cross(u, e)
    if dot(n, m) >= 0.0:  # they do not face each other
        return
    # where the other segment begins and ends, along this one
    low, high = dot(sub(c, a), t) / (length * length), dot(sub(add(c, u), a), t) / (length * length)
    low, high = max(min(low, high), 0.0), min(max(low, high), 1.0)
    if high - low <= 1e-12:
        return
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    m = scale(1.0 / math.sqrt(dot(m, m)), m)
    for point in range(3):
        xi = middle + (point - 1.0) * GAUSS * half
        w = half * length * (8.0 / 9.0 if point == 1 else 5.0 / 9.0)
        x = add(a, scale(xi, t))
        d = sub(x, c)
        away = dot(d, m)
        w *= fade(s, pair, away)
        if w > 0.0 and (away >= 0.0 or inside(s, pair, f, x, e)):
            eta, zero = dot(d, u) / dot(u, u), 0.0 * xi
            share(s, f, g, w, (1.0 - xi, xi, zero, zero), (1.0 - eta, eta, zero, zero), m)


@called
def forget_integrals(s, pair):
    """Makes room for the integrals of a pair; weights are zero already."""
    first, last = s.pairs[pair, PAIR_NODE], s.pairs[pair, PAIR_NODE] + s.pairs[pair, PAIR_NODES]
    for i in range(first, last):
        s.node[i, NODE_AREA] = 0.0
        put3(s.node, i, NODE_NORMAL, (0.0, 0.0, 0.0))
        for k in range(3 * s.points.size):
            s.arrows[i, k] = 0.0


@called
def means(s, pair):
    """Gaps and normals of the nodes of a pair from the integrals; weights are then over the node's part of the
    surface, so that multipliers are forces, along the mean of the normals."""
    first, last = s.pairs[pair, PAIR_NODE], s.pairs[pair, PAIR_NODE] + s.pairs[pair, PAIR_NODES]
    for i in range(first, last):
        n, whole = vec(s.node, i, NODE_NORMAL), s.node[i, NODE_AREA]
        area = math.sqrt(dot(n, n))
        s.node[i, NODE_GAP], s.node[i, NODE_AREA] = FAR, area
        if area == 0.0:
            put3(s.node, i, NODE_NORMAL, scale(-1.0, vec(s.node, i, NODE_OUT)))
            continue
        put3(s.node, i, NODE_NORMAL, scale(1.0 / area, n))
        gap = 0.0
        for k in range(s.points.size):
            if s.weights[i, k] != 0.0:
                s.weights[i, k] /= whole
                put3(s.arrows, i, 3 * k, scale(1.0 / area, vec(s.arrows, i, 3 * k)))
                gap += dot(vec(s.arrows, i, 3 * k), vec(s.place, k, 0))
        s.node[i, NODE_GAP] = gap


@called
def lay_mortar(s, pair, e):
    """Weights, gaps and normals of the nodes of a pair in a plane, after `outward` and `lay_boxes`."""
    forget_integrals(s, pair)
    own, first = s.pairs[pair, PAIR_OWN], s.pairs[pair, PAIR_GROUP]
    for f in range(own, own + s.pairs[pair, PAIR_OWNS]):
        for g in range(first, first + s.pairs[pair, PAIR_GROUPS]):
            if beside(s, f, g, reach_of(s, pair)):
                for other in range(s.groups[g, 0], s.groups[g, 0] + s.groups[g, 1]):
                    along_both(s, pair, f, other, e)
    means(s, pair)
