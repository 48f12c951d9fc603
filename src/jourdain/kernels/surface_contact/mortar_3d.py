"""The mortar form in space: integrals over triangles, cut where those of the two surfaces end (Puso & Laursen 2004).

Facets are triangles, or quadrangles as four triangles around their middle, on which what is interpolated is linear
(Kim 1999, eq. A.7). A triangle of the other surface is seen along the normal of one of this surface; their common part
is a polygon (Sutherland & Hodgman 1974), cut into triangles, on which the products of two linear functions are
integrated exactly by the middles of the sides. A constant pressure then passes through flat meshes that do not match,
where the interpolation shares it among nodes as the cells do: triangles and parallelograms.

Forces are along the derivative of the whole integral, as in a plane (`mortar_2d`), point by point of the quadrature.
Over places that are fixed in a triangle of this surface its own corners do not move: what changes are the distance, the
area of the triangle, and the corners of the polygon that are corners or on sides of the other triangle. With y = x + h
n such a corner on the other triangle and x its place in this one, x moves by dy - dx - h dn, dx at fixed weights of the
corners; where it is on a side of this triangle, along that side. All of this vanishes when the two are moved or turned
together, so that forces add to zero and make no moment.
"""

from __future__ import annotations

import math

from ..algebra import Vec3
from ..compiler import kernel, outlined_kernel
from ..spatial import accumulate3, add, cross, dot, scale, sub, vec
from .mortar_2d import beside, fade, fade_derivative, forget_integrals, inside, means, reach_of, share
from .surface_layout import FACET_NODE, FACET_POINT

SLIVER = 1e-12
"""Part of a triangle below which an overlap is left out."""
ASLANT = 1e-9
"""Sine of the angle of two sides up to which they do not cut each other, for the derivative."""

# columns of the polygon: place, the side that begins at a corner, what the corner is, and derivatives of the integrals
# of the three weights by its place
MORTAR_SIDE, MORTAR_CORNER, MORTAR_PARTIALS = 2, 3, 4
OWN_SIDE = 3  # of this triangle; 0 ... 2 are sides of the other one
OWN_CORNER, CUT = 3, 4  # 0 ... 2 are corners of the other one; from CUT on, 3 times its side more, and ours


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


@outlined_kernel
def clip(P, count, line, ax, ay, bx, by):
    """Cuts the polygon in rows [0:count] of P by the left side of side `line`, from a to b, of this triangle; how many
    corners are left."""
    made = 0
    for k in range(count):
        j = k + 1 if k + 1 < count else 0
        here = (bx - ax) * (P[k, 1] - ay) - (by - ay) * (P[k, 0] - ax)
        there = (bx - ax) * (P[j, 1] - ay) - (by - ay) * (P[j, 0] - ax)
        if here >= 0.0:
            P[10 + made, 0], P[10 + made, 1] = P[k, 0], P[k, 1]
            P[10 + made, MORTAR_SIDE] = OWN_SIDE if here == 0.0 and there < 0.0 else P[k, MORTAR_SIDE]
            P[10 + made, MORTAR_CORNER] = P[k, MORTAR_CORNER]
            made += 1
        if (here > 0.0 and there < 0.0) or (here < 0.0 and there > 0.0):
            x = here / (here - there)
            P[10 + made, 0] = P[k, 0] + x * (P[j, 0] - P[k, 0])
            P[10 + made, 1] = P[k, 1] + x * (P[j, 1] - P[k, 1])
            P[10 + made, MORTAR_SIDE] = OWN_SIDE if here > 0.0 else P[k, MORTAR_SIDE]
            P[10 + made, MORTAR_CORNER] = (
                OWN_CORNER if P[k, MORTAR_SIDE] == OWN_SIDE else CUT + 3 * P[k, MORTAR_SIDE] + line
            )
            made += 1
    for k in range(made):
        for c in range(MORTAR_PARTIALS):
            P[k, c] = P[10 + k, c]
    return made


@kernel
def barycentric(x, y, ax, ay, bx, by, cx, cy):
    """Weights of the corners of a triangle at a point of its plane."""
    area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax)
    v = ((x - ax) * (cy - ay) - (y - ay) * (cx - ax)) / area
    w = ((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / area
    return 1.0 - v - w, v, w


@kernel
def push_corner(s, i, f, part, k, along):
    """Adds a derivative by the place of corner k of triangle `part` of facet f to those of node i."""
    shares = spread(s.facets[f, 0], part, 1.0 * (k == 0), 1.0 * (k == 1), 1.0 * (k == 2))
    for j in range(s.facets[f, 0]):
        if shares[j] != 0.0:
            accumulate3(s.arrows, i, 3 * s.facets[f, FACET_POINT + j], scale(shares[j], along))


@outlined_kernel
def move_corner(s, f, part, g, other, k, frame, u, v, w, weights, height):
    """Adds what the place of corner k of the polygon does to the integrals of the nodes of facet f: it moves with the
    place of triangle `other` of facet g at `weights` of its corners, which is so high above triangle `part` of f, over
    the weights u, v and w of that.

    frame    the axes in its plane, two sides of it, and twice its area
    """
    P, (e, d, ab, ac, area) = s.polygon, frame
    x = spread(s.facets[f, 0], part, P[k, MORTAR_PARTIALS], P[k, MORTAR_PARTIALS + 2], P[k, MORTAR_PARTIALS + 4])
    y = spread(s.facets[f, 0], part, P[k, MORTAR_PARTIALS + 1], P[k, MORTAR_PARTIALS + 3], P[k, MORTAR_PARTIALS + 5])
    for j in range(s.facets[f, 0]):
        i = s.facets[f, FACET_NODE + j]
        if i < 0:
            continue
        out = add(scale(x[j], e), scale(y[j], d))
        for c in range(3):
            push_corner(s, i, g, other, c, scale(weights[c], out))
        turn_b, turn_c = scale(height / area, cross(ac, out)), scale(height / area, cross(out, ab))
        push_corner(s, i, f, part, 0, sub(add(turn_b, turn_c), scale(u, out)))
        push_corner(s, i, f, part, 1, scale(-1.0, add(turn_b, scale(v, out))))
        push_corner(s, i, f, part, 2, scale(-1.0, add(turn_c, scale(w, out))))
        s.node[i].normal += Vec3(scale(-1.0, out))


@kernel
def bend(P, k, nx, ny, tx, ty):
    """Turns derivatives by the place of a corner that stays on a line along t into those by its way along n."""
    across = nx * tx + ny * ty
    if abs(across) <= ASLANT * math.sqrt((nx * nx + ny * ny) * (tx * tx + ty * ty)):
        across = math.inf
    for c in range(MORTAR_PARTIALS, MORTAR_PARTIALS + 6, 2):
        along = (P[k, c] * tx + P[k, c + 1] * ty) / across
        P[k, c], P[k, c + 1] = along * nx, along * ny


@outlined_kernel
def grow(s, f, part, amounts, frame, n):
    """Adds what the area of triangle `part` of facet f does to the integrals of its nodes, which are `amounts`."""
    _, _, ab, ac, area = frame
    to_b, to_c = scale(1.0 / area, cross(ac, n)), scale(1.0 / area, cross(n, ab))
    for k in range(s.facets[f, 0]):
        i = s.facets[f, FACET_NODE + k]
        if i >= 0:
            push_corner(s, i, f, part, 0, scale(-amounts[k], add(to_b, to_c)))
            push_corner(s, i, f, part, 1, scale(amounts[k], to_b))
            push_corner(s, i, f, part, 2, scale(amounts[k], to_c))


@kernel
def partials(P, k, c, x, y):
    """Adds to the derivatives of integral c by the place of corner k."""
    P[k, MORTAR_PARTIALS + 2 * c] += x
    P[k, MORTAR_PARTIALS + 2 * c + 1] += y


@kernel
def piece_partials(P, k, c, by):
    """Adds what the size of piece k of the polygon, of its corners 0, k and k + 1, does to integral c."""
    partials(P, 0, c, by * (P[k, 1] - P[k + 1, 1]), by * (P[k + 1, 0] - P[k, 0]))
    partials(P, k, c, by * (P[k + 1, 1] - P[0, 1]), by * (P[0, 0] - P[k + 1, 0]))
    partials(P, k + 1, c, by * (P[0, 1] - P[k, 1]), by * (P[k, 0] - P[0, 0]))


@outlined_kernel
def move_corners(s, f, part, g, other, count, frame, n, mine, their):
    """`move_corner` of all corners of the polygon that are of the other triangle.

    mine, their    places of the corners of the two triangles in the plane, from the first corner of ours
    """
    P = s.polygon
    (bx, cx, cy), (p, q, r) = mine, their
    e, d = frame[0], frame[1]
    for k in range(count):
        kind = int(P[k, MORTAR_CORNER])
        if kind == OWN_CORNER:
            continue
        weights = (1.0 * (kind == 0), 1.0 * (kind == 1), 1.0 * (kind == 2))
        if kind >= CUT:
            side, line = (kind - CUT) // 3, (kind - CUT) % 3
            begin = p if side == 0 else (r if side == 1 else q)
            way = sub(r if side == 0 else (q if side == 1 else p), begin)
            sx, sy = dot(way, e), dot(way, d)
            at = ((P[k, 0] - dot(begin, e)) * sx + (P[k, 1] - dot(begin, d)) * sy) / (sx * sx + sy * sy)
            # sides run from the first corner to the third, on to the second, and back
            if side == 0:
                weights = (1.0 - at, 0.0, at)
            elif side == 1:
                weights = (0.0, at, 1.0 - at)
            else:
                weights = (at, 1.0 - at, 0.0)
            if line == 0:
                bend(P, k, sy, -sx, bx, 0.0 * bx)
            elif line == 1:
                bend(P, k, sy, -sx, cx - bx, cy)
            else:
                bend(P, k, sy, -sx, cx, cy)
        y = add(scale(weights[0], p), add(scale(weights[1], q), scale(weights[2], r)))
        u, v, w = barycentric(P[k, 0], P[k, 1], 0.0, 0.0, bx, 0.0, cx, cy)
        move_corner(s, f, part, g, other, k, frame, u, v, w, weights, dot(y, n))


@outlined_kernel
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
    P[0, MORTAR_CORNER], P[1, MORTAR_CORNER], P[2, MORTAR_CORNER] = 0.0, 2.0, 1.0
    for k in range(3):
        P[k, MORTAR_SIDE] = k
    count = clip(P, 3, 0, 0.0, 0.0, bx, 0.0)
    count = clip(P, count, 1, bx, 0.0, cx, cy)
    count = clip(P, count, 2, cx, cy, 0.0, 0.0)
    for k in range(count):
        for j in range(MORTAR_PARTIALS, MORTAR_PARTIALS + 6):
            P[k, j] = 0.0
    some, sums = False, (0.0, 0.0, 0.0)
    # by how much the weights of the corners and the distance change along the axes
    lean = ((-1.0 / bx, 1.0 / bx, 0.0), ((cx / bx - 1.0) / cy, -cx / (bx * cy), 1.0 / cy))
    mx, my = dot(m, e), dot(m, d)
    # triangles of the overlap, each by the midpoints of its sides: exact for squares
    for k in range(1, count - 1):
        piece = (P[k, 0] - P[0, 0]) * (P[k + 1, 1] - P[0, 1]) - (P[k, 1] - P[0, 1]) * (P[k + 1, 0] - P[0, 0])
        if piece <= SLIVER * area:
            continue
        for side in range(3):
            i = 0 if side == 0 else k + side - 1
            j = k + side if side < 2 else 0
            x, y = 0.5 * (P[i, 0] + P[j, 0]), 0.5 * (P[i, 1] + P[j, 1])
            own = barycentric(x, y, 0.0, 0.0, bx, 0.0, cx, cy)
            place = add(scale(x, e), scale(y, d))
            away = dot(sub(place, p), m)
            part_of = fade(s, pair, away)
            # forces on both facets, shared by the weights of their corners
            if part_of > 0.0 and (away >= 0.0 or inside(s, pair, f, add(a, place), (0.0, 0.0, 0.0))):
                foot = sub(place, scale(away, m))
                l, h, o = barycentric(dot(foot, e), dot(foot, d), px, py, qx, qy, rx, ry)
                mine = spread(s.facets[f, 0], part, own[0], own[1], own[2])
                pull = part_of + away * fade_derivative(s, pair, away)
                their = spread(s.facets[g, 0], other, l, h, o)
                share(s, f, g, part_of * piece / 6.0, pull * piece / 6.0, away, mine, their, m)
                some, value = True, part_of * away
                sums = add(sums, scale(value * piece / 6.0, own))
                # how the integral changes as the corners of the overlap move
                for c in range(3):
                    gx, gy = value * lean[0][c] + pull * own[c] * mx, value * lean[1][c] + pull * own[c] * my
                    partials(P, i, c, gx * piece / 12.0, gy * piece / 12.0)
                    partials(P, j, c, gx * piece / 12.0, gy * piece / 12.0)
                    piece_partials(P, k, c, own[c] * value / 6.0)
    if some:
        frame = (e, d, ab, ac, area)
        grow(s, f, part, spread(s.facets[f, 0], part, sums[0], sums[1], sums[2]), frame, n)
        move_corners(s, f, part, g, other, count, frame, n, (bx, cx, cy), (p, q, r))


@outlined_kernel
def lay_mortar_in_space(s, pair):
    """Weights, gaps and normals of the nodes of a pair in space, after `outward` and `lay_boxes`."""
    forget_integrals(s, pair)
    own, first = s.pairs[pair].own, s.pairs[pair].group
    for f in range(own, own + s.pairs[pair].owns):
        for g in range(first, first + s.pairs[pair].groups):
            if not beside(s, f, g, reach_of(s, pair)):
                continue
            for h in range(s.groups[g, 0], s.groups[g, 0] + s.groups[g, 1]):
                for part in range(4 if s.facets[f, 0] == 4 else 1):
                    for other in range(4 if s.facets[h, 0] == 4 else 1):
                        over_both(s, pair, f, part, h, other)
    means(s, pair)
