"""Clipping of convex polyhedra by half-spaces (Sutherland-Hodgman in three dimensions), with the moments of the result.

A polyhedron is a graph in which every vertex has three edges (a vertex with more is several at one place). To clip,
vertices are classified as inside or outside by the sign of one number each; new vertices are put on the edges between
the two, and each face that they are on is closed by a new edge between them. Every step depends on these signs alone,
so the surface stays closed whatever their rounding, and volumes are right to rounding (topology-oriented method of
Sugihara 1994, Computing 53; graphs of three edges a vertex as in Powell & Abel 2015, J. Comput. Phys. 297).

Points are taken from a place near the overlap, not from the origin of the world, and moments from a vertex.
"""

from __future__ import annotations

from ...compiler import kernel, outlined_kernel
from ...spatial import add, cross, dot, rotate, scale, sub, vec
from .overlap_layout import DISTANCE, PLACE, SEEN, TAG
from .volume_moments import add_moments, part_of, tetrahedron_moments


@kernel
def place3(x, k):
    """Three entries of a flat array."""
    return (x[k], x[k + 1], x[k + 2])


@kernel
def turned(k):
    """The edge of a vertex by which a face continues that arrived by edge k."""
    return 0 if k == 2 else k + 1


@outlined_kernel
def load_polyhedron(floats, integers, at, edges, count, R, shift, points, links):
    """Loads a polyhedron of `count` vertices into the workspace: its points R x + shift, all faces of side 0.

    at       its first vertex in the floats
    edges    its edges in the integers
    """
    for v in range(count):
        p = add(shift, rotate(R, place3(floats, at + 3 * v)))
        points[v, 0], points[v, 1], points[v, 2] = p[0], p[1], p[2]
        for k in range(3):
            links[v, k] = integers[edges + 3 * v + k]
            links[v, TAG + k] = 0
    return count


@outlined_kernel
def clip(points, links, count, normal, offset, side):
    """Clips the polyhedron to the half-space normal . x <= offset; the new face gets that side.

    Returns the number of vertices that remain, 0 where nothing does, and -1 where the workspace is too small.
    """
    # classify: signed depth under the plane, and the new index of each vertex that stays
    kept = 0
    for v in range(count):
        s = offset - (normal[0] * points[v, 0] + normal[1] * points[v, 1] + normal[2] * points[v, 2])
        points[v, DISTANCE] = s
        if s >= 0.0:
            links[v, PLACE] = kept
            kept += 1
        else:
            links[v, PLACE] = -1
    if kept == count or kept == 0:
        return kept
    # a new vertex on every edge from inside to outside: 0 is its old edge, 1 and 2 go along the new face
    total = count
    for v in range(count):
        if links[v, PLACE] < 0:
            continue
        for k in range(3):
            w = links[v, k] >> 2
            if w >= count or links[w, PLACE] >= 0:
                continue
            if total == points.shape[0]:
                return -1
            a, b = points[v, DISTANCE], points[w, DISTANCE]
            f = 1.0 / (a - b)
            for i in range(3):
                points[total, i] = f * (a * points[w, i] - b * points[v, i])
            links[total, 0] = 4 * v + k
            links[total, TAG] = links[w, TAG + (links[v, k] & 3)]
            links[total, TAG + 2] = side
            links[v, k] = 4 * total
            total += 1
    # link each new vertex to the next: walk around its old face until the walk meets a new vertex
    for u in range(count, total):
        t = links[u, 0]
        while (t >> 2) < count:
            t = links[t >> 2, turned(t & 3)]
        w = t >> 2
        links[w, 1] = 4 * u + 2
        links[u, 2] = 4 * w + 1
        links[w, TAG + 1] = links[u, TAG]
    # compact: move the vertices to their new indices and renumber the edges
    for v in range(total):
        m = links[v, PLACE] if v < count else kept + v - count
        if m < 0:
            continue
        for i in range(3):
            points[m, i] = points[v, i]
            t = links[v, i]
            w = t >> 2
            w = links[w, PLACE] if w < count else kept + w - count
            links[m, i] = 4 * w + (t & 3)
            links[m, TAG + i] = links[v, TAG + i]
    return kept + total - count


@outlined_kernel
def measure(points, links, count):
    """The part (V, c, J) of the polyhedron in the workspace, and the vector area of its faces of side 1 [m^2].

    Each face is a fan of triangles; with the first vertex each makes a tetrahedron (divergence theorem).
    """
    zero = 0.0
    m = (zero, zero, zero, zero, zero, zero, zero, zero, zero, zero)
    area = (zero, zero, zero)
    if count <= 0:
        return part_of(m, area), area
    # every half-edge is visited once; moments are about the first vertex
    o = vec(points, 0, 0)
    for v in range(count):
        links[v, SEEN] = 0
    for v in range(count):
        for k in range(3):
            if links[v, SEEN] & (1 << k):
                continue
            links[v, SEEN] |= 1 << k
            # walk around the face on the left of edge k of vertex v; a, b, c is a triangle of its fan
            a = sub(vec(points, v, 0), o)
            side = links[v, TAG + k]
            t = links[v, k]
            b = sub(vec(points, t >> 2, 0), o)
            swept = (zero, zero, zero)
            while True:
                w, j = t >> 2, turned(t & 3)
                if w == v and j == k:
                    break
                links[w, SEEN] |= 1 << j
                t = links[w, j]
                c = sub(vec(points, t >> 2, 0), o)
                m = add_moments(m, tetrahedron_moments(a, b, c))
                if side == 1:
                    swept = add(swept, cross(sub(b, a), sub(c, a)))
                b = c
            area = add(area, swept)
    return part_of(m, o), scale(0.5, area)


@kernel
def clip_by(floats, at, count, R, shift, points, links, vertices):
    """Clips the polyhedron by `count` planes of another, from floats[at] on, whose pose is R, shift.

    Returns the number of vertices that remain, as `clip`.
    """
    for f in range(count):
        k = at + 4 * f
        normal = rotate(R, place3(floats, k))
        vertices = clip(points, links, vertices, normal, floats[k + 3] + dot(normal, shift), 1)
        if vertices <= 0:
            break
    return vertices


@kernel
def clip_polygon(points, first, count, scratch, normal, offset):
    """Clips the convex polygon in rows first .. first + count by the half-space below a plane, in place
    (Sutherland-Hodgman).

    Rows first + room .. first + 2 room are scratch. Returns the number of corners that remain.
    """
    inside = 0
    for v in range(first, first + count):
        s = offset - dot(normal, vec(points, v, 0))
        points[v, DISTANCE] = s
        if s >= 0.0:
            inside += 1
    if inside == count or inside == 0:
        return inside
    # Sutherland-Hodgman: keep inner corners, add the intersection of every edge that crosses
    new = first + scratch
    for i in range(count):
        v = first + i
        w = first if i == count - 1 else v + 1
        a, b = points[v, DISTANCE], points[w, DISTANCE]
        if a >= 0.0:
            for c in range(3):
                points[new, c] = points[v, c]
            new += 1
        if (a >= 0.0) != (b >= 0.0):
            f = 1.0 / (a - b)
            for c in range(3):
                points[new, c] = f * (a * points[w, c] - b * points[v, c])
            new += 1
    total = new - first - scratch
    for i in range(total):
        for c in range(3):
            points[first + i, c] = points[first + scratch + i, c]
    return total
