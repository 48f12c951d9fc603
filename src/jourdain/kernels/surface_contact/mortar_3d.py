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

from ..algebra import Vec2, Vec3, cross, plane_cross
from ..compiler import kernel, outlined_kernel
from ..flat_arrays import add_value
from ..rows import copy_row
from .closest_point import point_of
from .mortar_2d import beside, fade, fade_derivative, forget_integrals, inside, means, reach_of, share

SLIVER = 1e-12
"""Part of a triangle below which an overlap is left out."""
ASLANT = 1e-9
"""Sine of the angle of two sides up to which they do not cut each other, for the derivative."""

# `PolygonCorner.side`: 0 ... 2 are sides of the other triangle; `PolygonCorner.kind`: 0 ... 2 are corners of the other
# one; from CUT on, 3 times its side more, and ours
OWN_SIDE = 3
OWN_CORNER, CUT = 3, 4


@kernel
def corner(s, facet, part, k):
    """Corner k of triangle `part` of a facet."""
    if facet.count == 4 and k == 2:
        x = point_of(s, facet, 0) + point_of(s, facet, 1)
        return 0.25 * (x + (point_of(s, facet, 2) + point_of(s, facet, 3)))
    return point_of(s, facet, (part + k) % facet.count)


@kernel
def spread(count, part, weights):
    """Weights of the points of a facet from those of the corners of its triangle `part`."""
    u, v, w = weights.x, weights.y, weights.z
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
def clip(polygon, count, line, a, b):
    """Cuts the polygon in rows [0:count] by the left side of side `line`, from a to b, of this triangle; how many
    corners are left."""
    made, side = 0, b - a
    for k in range(count):
        this, that, cut = polygon[k], polygon[k + 1 if k + 1 < count else 0], polygon[10 + made]
        here, there = plane_cross(side, this.place - a), plane_cross(side, that.place - a)
        if here >= 0.0:
            copy_row(cut, this)
            if here == 0.0 and there < 0.0:
                cut.side = OWN_SIDE
            made += 1
            cut = polygon[10 + made]
        if (here > 0.0 and there < 0.0) or (here < 0.0 and there > 0.0):
            cut.place = this.place + here / (here - there) * (that.place - this.place)
            cut.side = OWN_SIDE if here > 0.0 else this.side
            cut.kind = OWN_CORNER if this.side == OWN_SIDE else CUT + 3 * this.side + line
            made += 1
    for k in range(made):
        copy_row(polygon[k], polygon[10 + k])
    return made


@kernel
def barycentric(x, a, b, c):
    """Weights of the corners of a triangle at a point of its plane."""
    area = plane_cross(b - a, c - a)
    v = plane_cross(x - a, c - a) / area
    w = plane_cross(b - a, x - a) / area
    return Vec3(1.0 - v - w, v, w)


@kernel
def push_corner(s, i, facet, part, k, along):
    """Adds a derivative by the place of corner k of triangle `part` of a facet to those of node i."""
    shares = spread(facet.count, part, Vec3(1.0 * (k == 0), 1.0 * (k == 1), 1.0 * (k == 2)))
    for j in range(facet.count):
        if shares[j] != 0.0:
            add_value(s.arrows[i], 3 * facet.points[j], shares[j] * along)


@outlined_kernel
def move_corner(s, f, part, g, other, k, frame, own, met, height):
    """Adds what the place of corner k of the polygon does to the integrals of the nodes of facet f: it moves with the
    place of triangle `other` of facet g at weights `met` of its corners, which is so high above triangle `part` of f,
    over weights `own` of that.

    frame    the axes in its plane, two sides of it, and twice its area
    """
    mine, theirs, (e, d, ab, ac, area) = s.facets[f], s.facets[g], frame
    x = spread(mine.count, part, s.polygon[k].by_x)
    y = spread(mine.count, part, s.polygon[k].by_y)
    for j in range(mine.count):
        i = mine.nodes[j]
        if i < 0:
            continue
        out = x[j] * e + y[j] * d
        push_corner(s, i, theirs, other, 0, met.x * out)
        push_corner(s, i, theirs, other, 1, met.y * out)
        push_corner(s, i, theirs, other, 2, met.z * out)
        turn_b, turn_c = height / area * cross(ac, out), height / area * cross(out, ab)
        push_corner(s, i, mine, part, 0, turn_b + turn_c - own.x * out)
        push_corner(s, i, mine, part, 1, -(turn_b + own.y * out))
        push_corner(s, i, mine, part, 2, -(turn_c + own.z * out))
        s.node[i].normal -= out


@kernel
def bend(corner, n, t):
    """Turns derivatives by the place of a corner that stays on a line along t into those by its way along n."""
    across = n @ t
    if abs(across) <= ASLANT * math.sqrt((n @ n) * (t @ t)):
        across = math.inf
    along = (corner.by_x * t.x + corner.by_y * t.y) / across
    corner.by_x, corner.by_y = along * n.x, along * n.y


@outlined_kernel
def grow(s, f, part, amounts, frame, n):
    """Adds what the area of triangle `part` of facet f does to the integrals of its nodes, which are `amounts`."""
    facet, (_, _, ab, ac, area) = s.facets[f], frame
    to_b, to_c = 1.0 / area * cross(ac, n), 1.0 / area * cross(n, ab)
    for k in range(facet.count):
        i = facet.nodes[k]
        if i >= 0:
            push_corner(s, i, facet, part, 0, -amounts[k] * (to_b + to_c))
            push_corner(s, i, facet, part, 1, amounts[k] * to_b)
            push_corner(s, i, facet, part, 2, amounts[k] * to_c)


@kernel
def partials(corner, x, y):
    """Adds to the derivatives of the integrals by the place of a corner."""
    corner.by_x += x
    corner.by_y += y


@kernel
def piece_partials(a, b, c, by):
    """Adds what the size of a piece of the polygon, of the corners a, b and c, does to the integrals."""
    p, q, r = a.place, b.place, c.place
    partials(a, by * (q.y - r.y), by * (r.x - q.x))
    partials(b, by * (r.y - p.y), by * (p.x - r.x))
    partials(c, by * (p.y - q.y), by * (q.x - p.x))


@kernel
def in_plane(x, frame):
    """A vector by the axes of the plane of a triangle."""
    return Vec2(x @ frame[0], x @ frame[1])


@outlined_kernel
def move_corners(s, f, part, g, other, count, frame, n, mine, their):
    """`move_corner` of all corners of the polygon that are of the other triangle.

    mine, their    places of the corners of the two triangles, from the first corner of ours; ours in the plane
    """
    (a, b, c), (p, q, r) = mine, their
    for k in range(count):
        this = s.polygon[k]
        kind = this.kind
        if kind == OWN_CORNER:
            continue
        weights = Vec3(1.0 * (kind == 0), 1.0 * (kind == 1), 1.0 * (kind == 2))
        if kind >= CUT:
            side, line = (kind - CUT) // 3, (kind - CUT) % 3
            begin = p if side == 0 else (r if side == 1 else q)
            way = in_plane((r if side == 0 else (q if side == 1 else p)) - begin, frame)
            at = (this.place - in_plane(begin, frame)) @ way / (way @ way)
            # sides run from the first corner to the third, on to the second, and back
            if side == 0:
                weights = Vec3(1.0 - at, 0.0, at)
            elif side == 1:
                weights = Vec3(0.0, at, 1.0 - at)
            else:
                weights = Vec3(at, 1.0 - at, 0.0)
            bend(this, Vec2(way.y, -way.x), b - a if line == 0 else (c - b if line == 1 else c - a))
        y = weights.x * p + (weights.y * q + weights.z * r)
        move_corner(s, f, part, g, other, k, frame, barycentric(this.place, a, b, c), weights, y @ n)


@outlined_kernel
def over_both(s, pair, f, part, g, other):
    """Adds the part of the integrals where triangle `part` of facet f lies over triangle `other` of facet g."""
    own, met, polygon = s.facets[f], s.facets[g], s.polygon
    origin = corner(s, own, part, 0)
    ab, ac = corner(s, own, part, 1) - origin, corner(s, own, part, 2) - origin
    p, q, r = corner(s, met, other, 0), corner(s, met, other, 1), corner(s, met, other, 2)
    n, m = cross(ab, ac), cross(q - p, r - p)
    if n @ m >= 0.0:  # they do not face each other
        return
    m = 1.0 / math.sqrt(m @ m) * m
    area = math.sqrt(n @ n)
    n = 1.0 / area * n
    e = 1.0 / math.sqrt(ab @ ab) * ab
    frame = (e, cross(n, e), ab, ac, area)
    # both in the plane of the first one; the other one turns backwards there, so its corners are taken backwards
    a, b, c = Vec2(0.0, 0.0), Vec2(ab @ e, 0.0), in_plane(ac, frame)
    p, q, r = p - origin, q - origin, r - origin
    p2, q2, r2 = in_plane(p, frame), in_plane(q, frame), in_plane(r, frame)
    polygon[0].place, polygon[1].place, polygon[2].place = p2, r2, q2
    polygon[0].kind, polygon[1].kind, polygon[2].kind = 0, 2, 1
    for k in range(3):
        polygon[k].side = k
    count = clip(polygon, 3, 0, a, b)
    count = clip(polygon, count, 1, b, c)
    count = clip(polygon, count, 2, c, a)
    some, sums = False, Vec3(0.0, 0.0, 0.0)
    for k in range(count):
        polygon[k].by_x = polygon[k].by_y = sums
    # by how much the weights of the corners and the distance change along the axes
    lean_x = Vec3(-1.0 / b.x, 1.0 / b.x, 0.0)
    lean_y = Vec3((c.x / b.x - 1.0) / c.y, -c.x / (b.x * c.y), 1.0 / c.y)
    slope = in_plane(m, frame)
    # triangles of the overlap, each by the midpoints of its sides: exact for squares
    for k in range(1, count - 1):
        first = polygon[0].place
        piece = plane_cross(polygon[k].place - first, polygon[k + 1].place - first)
        if piece <= SLIVER * area:
            continue
        for side in range(3):
            begin, end = polygon[0 if side == 0 else k + side - 1], polygon[k + side if side < 2 else 0]
            x = 0.5 * (begin.place + end.place)
            place = x.x * e + x.y * frame[1]
            away = (place - p) @ m
            part_of = fade(s, pair, away)
            # forces on both facets, shared by the weights of their corners
            if part_of > 0.0 and (away >= 0.0 or inside(s, pair, f, origin + place, Vec3(0.0, 0.0, 0.0))):
                weights = barycentric(x, a, b, c)
                mine = spread(own.count, part, weights)
                their = spread(met.count, other, barycentric(in_plane(place - away * m, frame), p2, q2, r2))
                pull = part_of + away * fade_derivative(s, pair, away)
                share(s, f, g, part_of * piece / 6.0, pull * piece / 6.0, away, mine, their, m)
                some, value = True, part_of * away
                sums += value * piece / 6.0 * weights
                # how the integrals change as the corners of the overlap move
                by_x = (value * lean_x + pull * weights * slope.x) * piece / 12.0
                by_y = (value * lean_y + pull * weights * slope.y) * piece / 12.0
                partials(begin, by_x, by_y)
                partials(end, by_x, by_y)
                piece_partials(polygon[0], polygon[k], polygon[k + 1], weights * value / 6.0)
    if some:
        grow(s, f, part, spread(own.count, part, sums), frame, n)
        move_corners(s, f, part, g, other, count, frame, n, (a, b, c), (p, q, r))


@outlined_kernel
def lay_mortar_in_space(s, pair):
    """Weights, gaps and normals of the nodes of a pair in space, after `outward` and `lay_boxes`."""
    forget_integrals(s, pair)
    own, first = s.pairs[pair].own, s.pairs[pair].group
    for f in range(own, own + s.pairs[pair].owns):
        for g in range(first, first + s.pairs[pair].groups):
            if not beside(s, s.facets[f], s.boxes[g], reach_of(s, pair)):
                continue
            for h in range(s.groups[g].facet, s.groups[g].facet + s.groups[g].facets):
                for part in range(4 if s.facets[f].count == 4 else 1):
                    for other in range(4 if s.facets[h].count == 4 else 1):
                        over_both(s, pair, f, part, h, other)
    means(s, pair)
