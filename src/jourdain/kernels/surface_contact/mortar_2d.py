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

from ..algebra import Vec3, cross
from ..compiler import kernel, outlined_kernel
from ..flat_arrays import add_value, put_value, vector_at
from .closest_point import FAR, distance_of_box, farther, has_point, near_facet, point_of

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
def beside(s, facet, box, reach):
    """Whether a facet and the box of a group are nearer to each other than `reach`, along all axes."""
    low = high = point_of(s, facet, 0)
    for k in range(1, facet.count):
        x = point_of(s, facet, k)
        low, high = -farther(-low, -x), farther(high, x)
    least, most = box.low, box.high
    over_x = low.x - reach <= most.x and high.x + reach >= least.x
    over_y = low.y - reach <= most.y and high.y + reach >= least.y
    return over_x and over_y and low.z - reach <= most.z and high.z + reach >= least.z


@kernel
def share(s, f, g, w, pull, away, mine, other, n):
    """Adds the part w of an integral, at the weights of the points of facet f and of facet g, whose normal is n and
    which is so far away; pull: the derivative of w times the distance by the distance."""
    own, met = s.facets[f], s.facets[g]
    for k in range(own.count):
        i = own.nodes[k]
        if i < 0 or mine[k] == 0.0:
            continue
        node, weights, arrows = s.node[i], s.weights[i], s.arrows[i]
        phi, along = w * mine[k], (pull * mine[k]) * n
        node.area += phi
        node.gap += phi * away
        node.normal += along
        for j in range(own.count):
            weights[own.points[j]] += phi * mine[j]
            add_value(arrows, 3 * own.points[j], mine[j] * along)
        for j in range(met.count):
            weights[met.points[j]] -= phi * other[j]
            add_value(arrows, 3 * met.points[j], -other[j] * along)


@kernel
def push_own(s, i, point, along):
    """Adds a derivative by the place of a point of the node's own surface."""
    add_value(s.arrows[i], 3 * point, along)
    s.node[i].normal += along


@kernel
def shift_end(s, first, second, i, end, at, by):
    """Adds what an end of an integral along the segment from `first` to `second` does that is at a point of the other
    surface: its coordinate `at` along the segment moves with that point and with both of the segment, and the integral
    by `by` with it."""
    a = s.place[first].position
    t = s.place[second].position - a
    per = by / (t @ t)
    r = s.place[end].position - a - 2.0 * at * t
    add_value(s.arrows[i], 3 * end, per * t)
    push_own(s, i, first, -per * (t + r))
    push_own(s, i, second, per * r)


@outlined_kernel
def shift_ends(s, f, w, pull, away, mine, z, half, slope, ends, low, high):
    """Adds to the derivatives of a point of the quadrature, z of (-1, 1), that its integral has other ends and another
    length: `slope` is by how much the distance changes along segment f, and ends are the points of the other surface at
    which the integral begins and ends, -1 where that is at those of f."""
    first, second = s.facets[f].points[0], s.facets[f].points[1]
    t = s.place[second].position - s.place[first].position
    for k in range(2):
        i = s.facets[f].nodes[k]
        if i < 0:
            continue
        phi = mine[k] * away * w
        along = phi / (t @ t) * t
        push_own(s, i, first, -along)
        push_own(s, i, second, along)
        moved = pull * mine[k] * slope + (away * w if k == 1 else -away * w)
        if ends[0] >= 0:
            shift_end(s, first, second, i, ends[0], low, 0.5 * (moved * (1.0 - z) - phi / half))
        if ends[1] >= 0:
            shift_end(s, first, second, i, ends[1], high, 0.5 * (moved * (1.0 + z) + phi / half))


@kernel
def neighbours(a, b):
    """Whether two facets have a point in common."""
    for k in range(a.count):
        if has_point(b, a.points[k]):
            return True
    return False


@outlined_kernel
def inside(s, pair, f, x, e):
    """Whether a place on facet f is inside of what the pair touches, by the nearest facet there. A facet may face
    another one that lies behind it, beside which its surface passes."""
    best = FAR
    first = s.pairs[pair].group
    for g in range(first, first + s.pairs[pair].groups):
        if distance_of_box(s.boxes[g], x) >= best * best:
            continue
        for other in range(s.groups[g].facet, s.groups[g].facet + s.groups[g].facets):
            if not neighbours(s.facets[f], s.facets[other]):
                gap, _, _ = near_facet(s, s.facets[other], x, e, 0)
                if abs(gap) < abs(best):
                    best = gap
    return best < 0.0


@outlined_kernel
def along_both(s, pair, f, g, e):
    """Adds the part of the integrals where segment f of a surface lies over segment g of the other one."""
    own, met = s.facets[f], s.facets[g]
    a, c = point_of(s, own, 0), point_of(s, met, 0)
    t, u = point_of(s, own, 1) - a, point_of(s, met, 1) - c
    length = math.sqrt(t @ t)
    n, m = cross(t, e), cross(u, e)
    if n @ m >= 0.0:  # they do not face each other
        return
    # where the other segment begins and ends, along this one
    low, high = (c - a) @ t / (length * length), (c + u - a) @ t / (length * length)
    begin, end = met.points[0], met.points[1]
    if low > high:
        low, high, begin, end = high, low, end, begin
    ends = (begin if low > 0.0 else -1, end if high < 1.0 else -1)
    low, high = max(low, 0.0), min(high, 1.0)
    if high - low <= 1e-12:
        return
    middle, half = 0.5 * (low + high), 0.5 * (high - low)
    m = 1.0 / math.sqrt(m @ m) * m
    for point in range(3):
        z = (point - 1.0) * GAUSS
        xi = middle + z * half
        w = half * length * (8.0 / 9.0 if point == 1 else 5.0 / 9.0)
        x = a + xi * t
        d = x - c
        away = d @ m
        pull = w * (fade(s, pair, away) + away * fade_derivative(s, pair, away))
        w *= fade(s, pair, away)
        if w > 0.0 and (away >= 0.0 or inside(s, pair, f, x, e)):
            eta, zero = d @ u / (u @ u), 0.0 * xi
            mine = (1.0 - xi, xi, zero, zero)
            share(s, f, g, w, pull, away, mine, (1.0 - eta, eta, zero, zero), m)
            shift_ends(s, f, w, pull, away, mine, z, half, m @ t, ends, low, high)


@outlined_kernel
def forget_integrals(s, pair):
    """Zeros for the integrals of a pair; weights are zero already."""
    first = s.pairs[pair].node
    for i in range(first, first + s.pairs[pair].nodes):
        node = s.node[i]
        node.area = node.gap = 0.0
        node.normal = Vec3(0.0, 0.0, 0.0)
        for k in range(3 * s.points.size):
            s.arrows[i, k] = 0.0


@outlined_kernel
def means(s, pair):
    """Gaps and normals of the nodes of a pair from the integrals; weights are then over the node's part of the
    surface, so that multipliers are forces, along the mean of the normals. That a gap which is not closed changes with
    the part as well is left out."""
    first = s.pairs[pair].node
    for i in range(first, first + s.pairs[pair].nodes):
        node, arrows = s.node[i], s.arrows[i]
        n, whole, gap = node.normal, node.area, node.gap
        area = math.sqrt(n @ n)
        node.gap, node.area = FAR, area
        if area == 0.0:
            node.normal = -node.outward
            continue
        node.normal = 1.0 / area * n
        for k in range(s.points.size):
            if s.weights[i, k] != 0.0:
                s.weights[i, k] /= whole
                put_value(arrows, 3 * k, 1.0 / area * vector_at(arrows, 3 * k))
        node.gap = gap / area


@outlined_kernel
def lay_mortar(s, pair, e):
    """Weights, gaps and normals of the nodes of a pair in a plane, after `outward` and `lay_boxes`."""
    forget_integrals(s, pair)
    own, first = s.pairs[pair].own, s.pairs[pair].group
    for f in range(own, own + s.pairs[pair].owns):
        for g in range(first, first + s.pairs[pair].groups):
            if beside(s, s.facets[f], s.boxes[g], reach_of(s, pair)):
                for other in range(s.groups[g].facet, s.groups[g].facet + s.groups[g].facets):
                    along_both(s, pair, f, other, e)
    means(s, pair)
