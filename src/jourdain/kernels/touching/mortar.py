"""The mortar form in a plane: gaps that are integrals over the surface instead of those of its nodes.

A node's gap is the mean of the distance of both surfaces, weighted by its shape function on its own surface (Puso &
Laursen 2004). The integral is split where segments of the two surfaces end, so that it is exact for straight ones: a
constant pressure then passes through meshes that do not match. Only where the other surface is near, by `NEAR` sizes
of the segment, does it take part.
"""

from __future__ import annotations

import math

from ..compiler import called, kernel
from ..spatial import add, cross, dot, scale, sub, vec
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
from .search import FAR

GAUSS = 0.7745966692414834  # of three points, sqrt(3 / 5)
NEAR = 3.0
"""How far the other surface may be to take part, over the reach."""


@kernel
def reach_of(s, pair):
    """How far away the other surface may be [m]."""
    return NEAR * s.numbers[pair, REACH]


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
def share(s, f, g, w, mine, other):
    """Adds the part w of an integral, at the weights of the points of facet f and of facet g."""
    for k in range(s.facets[f, 0]):
        i = s.facets[f, FACET_NODE + k]
        if i < 0 or mine[k] == 0.0:
            continue
        phi = w * mine[k]
        s.node[i, NODE_AREA] += phi
        for j in range(s.facets[f, 0]):
            s.weights[i, s.facets[f, FACET_POINT + j]] += phi * mine[j]
        for j in range(s.facets[g, 0]):
            s.weights[i, s.facets[g, FACET_POINT + j]] -= phi * other[j]


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
    n = scale(1.0 / length, n)
    # where the other segment begins and ends, along this one
    low, high = dot(sub(c, a), t) / (length * length), dot(sub(add(c, u), a), t) / (length * length)
    low, high = max(min(low, high), 0.0), min(max(low, high), 1.0)
    if high - low <= 1e-12:
        return
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    reach = s.numbers[pair, REACH]
    for point in range(3):
        xi = middle + (point - 1.0) * GAUSS * half
        w = half * length * (8.0 / 9.0 if point == 1 else 5.0 / 9.0)
        x = add(a, scale(xi, t))
        eta = min(max(dot(sub(x, c), t) / dot(u, t), 0.0), 1.0)
        away = dot(sub(add(c, scale(eta, u)), x), n)
        if -reach <= away <= reach_of(s, pair):  # not the other side of a thin part, not far
            zero = 0.0 * xi
            share(s, f, g, w, (1.0 - xi, xi, zero, zero), (1.0 - eta, eta, zero, zero))


@called
def forget_integrals(s, pair):
    """Makes room for the integrals of a pair; weights are zero already."""
    first, last = s.pairs[pair, PAIR_NODE], s.pairs[pair, PAIR_NODE] + s.pairs[pair, PAIR_NODES]
    for i in range(first, last):
        s.node[i, NODE_AREA] = 0.0


@called
def means(s, pair):
    """Gaps and normals of the nodes of a pair from the integrals; weights are then over the node's part of the
    surface, so that multipliers are forces."""
    first, last = s.pairs[pair, PAIR_NODE], s.pairs[pair, PAIR_NODE] + s.pairs[pair, PAIR_NODES]
    for i in range(first, last):
        n = scale(-1.0, vec(s.node, i, NODE_OUT))
        s.node[i, NODE_NORMAL], s.node[i, NODE_NORMAL + 1], s.node[i, NODE_NORMAL + 2] = n
        s.node[i, NODE_GAP] = FAR
        area = s.node[i, NODE_AREA]
        if area > 0.0:
            gap = 0.0
            for k in range(s.points.size):
                if s.weights[i, k] != 0.0:
                    s.weights[i, k] /= area
                    gap += s.weights[i, k] * dot(n, vec(s.place, k, 0))
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
