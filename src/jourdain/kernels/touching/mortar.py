"""The mortar form in a plane: gaps that are integrals over the surface instead of those of its nodes.

A node's gap is the mean of the distance of both surfaces, weighted by its shape function on its own surface (Puso &
Laursen 2004). The integral is split where segments of the two surfaces end, so that it is exact for straight ones: a
constant pressure then passes through meshes that do not match.
"""

from __future__ import annotations

import math

from ..compiler import called, kernel
from ..spatial import add, cross, dot, scale, sub, vec
from .layout import (
    NODE_AREA,
    NODE_GAP,
    NODE_NORMAL,
    NODE_OUT,
    NODE_POINT,
    PAIR_FACET,
    PAIR_FACETS,
    PAIR_NODE,
    PAIR_NODES,
    PAIR_OWN,
    PAIR_OWNS,
    REACH,
)
from .search import FAR

GAUSS = 0.7745966692414834  # of three points, sqrt(3 / 5)


@kernel
def node_of(s, pair, point):
    """The node of a pair at a point."""
    first = s.pairs[pair, PAIR_NODE]
    for i in range(first, first + s.pairs[pair, PAIR_NODES]):
        if s.nodes[i, NODE_POINT] == point:
            return i
    return -1


@called
def along_both(s, pair, f, g, e):
    """Adds the part of the integrals where segment f of a surface lies over segment g of the other one."""
    pa, pb = s.facets[f, 1], s.facets[f, 2]
    qa, qb = s.facets[g, 1], s.facets[g, 2]
    a, c = vec(s.place, pa, 0), vec(s.place, qa, 0)
    t, u = sub(vec(s.place, pb, 0), a), sub(vec(s.place, qb, 0), c)
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
        y = add(c, scale(eta, u))
        if dot(sub(y, x), n) < -reach:  # behind: the other side of a thin part
            continue
        for end in range(2):
            i = node_of(s, pair, pb if end == 1 else pa)
            if i < 0:
                continue
            phi = w * (xi if end == 1 else 1.0 - xi)
            s.node[i, NODE_AREA] += phi
            s.weights[i, pa] += phi * (1.0 - xi)
            s.weights[i, pb] += phi * xi
            s.weights[i, qa] -= phi * (1.0 - eta)
            s.weights[i, qb] -= phi * eta


@called
def lay_mortar(s, pair, e):
    """Weights, gaps and normals of the nodes of a pair, after `outward`; weights are over the node's part of the
    surface, so that multipliers are forces."""
    first, last = s.pairs[pair, PAIR_NODE], s.pairs[pair, PAIR_NODE] + s.pairs[pair, PAIR_NODES]
    for i in range(first, last):
        s.node[i, NODE_AREA] = 0.0
    own, other = s.pairs[pair, PAIR_OWN], s.pairs[pair, PAIR_FACET]
    for f in range(own, own + s.pairs[pair, PAIR_OWNS]):
        for g in range(other, other + s.pairs[pair, PAIR_FACETS]):
            along_both(s, pair, f, g, e)
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
