"""The mortar form in a plane: gaps that are integrals over the surface instead of those of its nodes.

A node's gap is the mean of the distance of its surface from the other one, weighted by its shape function (Puso &
Laursen 2004). The integral is split where segments of the two surfaces end, so that it is exact for straight ones: a
constant pressure then passes through meshes that do not match. At every point of the quadrature the distance is that
from the nearest point of the other segment. Only where the other surface is near, by `NEAR` sizes of its segments, does
it take part (`fade`).

Forces are along the derivative of the whole integral, that of its ends and of its length included (`shift_ends`): a gap
that stays closed then takes no work, and as it does not change when all is moved or turned together, forces add to
zero and make no moment. Over flat surfaces these parts vanish with the distance. Round ones with one or two segments in
touch have distances of both signs within a mean of zero: there a collision of discs gained 19 % of energy without them.
"""

from __future__ import annotations

import math

from ..algebra import Vec3
from ..compiler import kernel, outlined_kernel
from ..spatial import accumulate3, add, cross, dot, put3, scale, sub, vec
from .closest_point import FAR, has_point, near_facet
from .surface_layout import (
    FACET_NODE,
    FACET_POINT,
)

GAUSS = 0.7745966692414834  # of three points, sqrt(3 / 5)
NEAR = 3.0
"""How far the other surface may be to take part, over the reach."""


@kernel
def reach_of(s, pair):
    """How far away the other surface may be [m]."""
    return NEAR * s.laws[pair].reach


@kernel
def fade(s, pair, away):
    """1 where the other surface is near, and not behind as the other side of a thin part is; 0 where it is far; smooth
    between, so that what is met does not jump."""
    far = reach_of(s, pair) if away > 0.0 else s.laws[pair].reach
    x = min(max(2.0 - 2.0 * abs(away) / far, 0.0), 1.0)
    return x * x * (3.0 - 2.0 * x)


@kernel
def fade_derivative(s, pair, away):
    """The derivative of `fade` by the distance."""
    far = reach_of(s, pair) if away > 0.0 else s.laws[pair].reach
    x = min(max(2.0 - 2.0 * abs(away) / far, 0.0), 1.0)
    return (-12.0 if away > 0.0 else 12.0) * x * (1.0 - x) / far


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
def share(s, f, g, w, pull, away, mine, other, n):
    """Adds the part w of an integral, at the weights of the points of facet f and of facet g, whose normal is n and
    which is so far away; pull: the derivative of w times the distance by the distance."""
    for k in range(s.facets[f, 0]):
        i = s.facets[f, FACET_NODE + k]
        if i < 0 or mine[k] == 0.0:
            continue
        phi, along = w * mine[k], scale(pull * mine[k], n)
        s.node[i].area += phi
        s.node[i].gap += phi * away
        s.node[i].normal += Vec3(along)
        for j in range(s.facets[f, 0]):
            point = s.facets[f, FACET_POINT + j]
            s.weights[i, point] += phi * mine[j]
            accumulate3(s.arrows, i, 3 * point, scale(mine[j], along))
        for j in range(s.facets[g, 0]):
            point = s.facets[g, FACET_POINT + j]
            s.weights[i, point] -= phi * other[j]
            accumulate3(s.arrows, i, 3 * point, scale(-other[j], along))


@kernel
def push_own(s, i, point, along):
    """Adds a derivative by the place of a point of the node's own surface."""
    accumulate3(s.arrows, i, 3 * point, along)
    s.node[i].normal += Vec3(along)


@kernel
def shift_end(s, f, i, end, at, by):
    """Adds what an end of an integral along segment f does that is at a point of the other surface: its coordinate
    `at` along f moves with that point and with both of f, and the integral by `by` with it."""
    first, second = s.facets[f, FACET_POINT], s.facets[f, FACET_POINT + 1]
    a = vec(s.place, first, 0)
    t = sub(vec(s.place, second, 0), a)
    per = by / dot(t, t)
    r = sub(sub(vec(s.place, end, 0), a), scale(2.0 * at, t))
    accumulate3(s.arrows, i, 3 * end, scale(per, t))
    push_own(s, i, first, scale(-per, add(t, r)))
    push_own(s, i, second, scale(per, r))


@outlined_kernel
def shift_ends(s, f, w, pull, away, mine, z, half, slope, ends, low, high):
    """Adds to the derivatives of a point of the quadrature, z of (-1, 1), that its integral has other ends and another
    length: `slope` is by how much the distance changes along segment f, and ends are the points of the other surface at
    which the integral begins and ends, -1 where that is at those of f."""
    first, second = s.facets[f, FACET_POINT], s.facets[f, FACET_POINT + 1]
    t = sub(vec(s.place, second, 0), vec(s.place, first, 0))
    for k in range(2):
        i = s.facets[f, FACET_NODE + k]
        if i < 0:
            continue
        phi = mine[k] * away * w
        along = scale(phi / dot(t, t), t)
        push_own(s, i, first, scale(-1.0, along))
        push_own(s, i, second, along)
        moved = pull * mine[k] * slope + (away * w if k == 1 else -away * w)
        if ends[0] >= 0:
            shift_end(s, f, i, ends[0], low, 0.5 * (moved * (1.0 - z) - phi / half))
        if ends[1] >= 0:
            shift_end(s, f, i, ends[1], high, 0.5 * (moved * (1.0 + z) + phi / half))


@kernel
def neighbours(s, f, g):
    """Whether two facets have a point in common."""
    found = False
    for k in range(s.facets[f, 0]):
        if has_point(s, g, s.facets[f, FACET_POINT + k]) == 1:
            found = True
    return found


@outlined_kernel
def inside(s, pair, f, x, e):
    """Whether a place on facet f is inside of what the pair touches, by the nearest facet there. A facet may face
    another one that lies behind it, beside which its surface passes."""
    best = FAR
    first = s.pairs[pair].group
    for g in range(first, first + s.pairs[pair].groups):
        away = 0.0
        for d in range(3):
            off = max(max(s.boxes[g, d] - x[d], x[d] - s.boxes[g, 3 + d]), 0.0)
            away += off * off
        if away >= best * best:
            continue
        for other in range(s.groups[g, 0], s.groups[g, 0] + s.groups[g, 1]):
            if not neighbours(s, f, other):
                gap, _, _ = near_facet(s, other, x, e, 0)
                if abs(gap) < abs(best):
                    best = gap
    return best < 0.0


@outlined_kernel
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
    begin, end = s.facets[g, FACET_POINT], s.facets[g, FACET_POINT + 1]
    if low > high:
        low, high, begin, end = high, low, end, begin
    ends = (begin if low > 0.0 else -1, end if high < 1.0 else -1)
    low, high = max(low, 0.0), min(high, 1.0)
    if high - low <= 1e-12:
        return
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    m = scale(1.0 / math.sqrt(dot(m, m)), m)
    for point in range(3):
        z = (point - 1.0) * GAUSS
        xi = middle + z * half
        w = half * length * (8.0 / 9.0 if point == 1 else 5.0 / 9.0)
        x = add(a, scale(xi, t))
        d = sub(x, c)
        away = dot(d, m)
        pull = w * (fade(s, pair, away) + away * fade_derivative(s, pair, away))
        w *= fade(s, pair, away)
        if w > 0.0 and (away >= 0.0 or inside(s, pair, f, x, e)):
            eta, zero = dot(d, u) / dot(u, u), 0.0 * xi
            mine = (1.0 - xi, xi, zero, zero)
            share(s, f, g, w, pull, away, mine, (1.0 - eta, eta, zero, zero), m)
            shift_ends(s, f, w, pull, away, mine, z, half, dot(m, t), ends, low, high)


@outlined_kernel
def forget_integrals(s, pair):
    """Zeros for the integrals of a pair; weights are zero already."""
    first, last = s.pairs[pair].node, s.pairs[pair].node + s.pairs[pair].nodes
    for i in range(first, last):
        s.node[i].area, s.node[i].gap = 0.0, 0.0
        s.node[i].normal = Vec3(0.0, 0.0, 0.0)
        for k in range(3 * s.points.size):
            s.arrows[i, k] = 0.0


@outlined_kernel
def means(s, pair):
    """Gaps and normals of the nodes of a pair from the integrals; weights are then over the node's part of the
    surface, so that multipliers are forces, along the mean of the normals. That a gap which is not closed changes with
    the part as well is left out."""
    first, last = s.pairs[pair].node, s.pairs[pair].node + s.pairs[pair].nodes
    for i in range(first, last):
        n, whole = tuple(s.node[i].normal), s.node[i].area
        area = math.sqrt(dot(n, n))
        gap, s.node[i].gap, s.node[i].area = s.node[i].gap, FAR, area
        if area == 0.0:
            s.node[i].normal = Vec3(scale(-1.0, tuple(s.node[i].outward)))
            continue
        s.node[i].normal = Vec3(scale(1.0 / area, n))
        for k in range(s.points.size):
            if s.weights[i, k] != 0.0:
                s.weights[i, k] /= whole
                put3(s.arrows, i, 3 * k, scale(1.0 / area, vec(s.arrows, i, 3 * k)))
        s.node[i].gap = gap / area


@outlined_kernel
def lay_mortar(s, pair, e):
    """Weights, gaps and normals of the nodes of a pair in a plane, after `outward` and `lay_boxes`."""
    forget_integrals(s, pair)
    own, first = s.pairs[pair].own, s.pairs[pair].group
    for f in range(own, own + s.pairs[pair].owns):
        for g in range(first, first + s.pairs[pair].groups):
            if beside(s, f, g, reach_of(s, pair)):
                for other in range(s.groups[g, 0], s.groups[g, 0] + s.groups[g, 1]):
                    along_both(s, pair, f, other, e)
    means(s, pair)
