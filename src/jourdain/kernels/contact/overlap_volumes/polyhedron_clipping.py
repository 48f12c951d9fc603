"""Clipping of convex polyhedra by half-spaces (Sutherland-Hodgman in three dimensions), with the moments of the result.

A polyhedron is a graph in which every vertex has three edges (a vertex with more is several at one place). To clip,
vertices are classified as inside or outside by the sign of one number each; new vertices are put on the edges between
the two, and each face that they are on is closed by a new edge between them. Every step depends on these signs alone,
so the surface stays closed whatever their rounding, and volumes are right to rounding (topology-oriented method of
Sugihara 1994, Computing 53; graphs of three edges a vertex as in Powell & Abel 2015, J. Comput. Phys. 297).

Points are taken from a place near the overlap, not from the origin of the world, and moments from a vertex.
"""

from __future__ import annotations

from ...algebra import Vec3, cross
from ...compiler import kernel, outlined_kernel
from ...flat_arrays import vector_at
from .overlap_layout import planes_of
from .volume_moments import no_moments, part_of, tetrahedron_moments


@kernel
def turned(k):
    """The edge of a vertex by which a face continues that arrived by edge k."""
    return 0 if k == 2 else k + 1


@outlined_kernel
def load_polyhedron(body, cell, shift, points, vertices):
    """Loads a cell of a body into the workspace: its vertices R x + shift, all faces of side 0; returns how many."""
    for v in range(cell.vertices):
        points[v].place = shift + body.R @ vector_at(body.floats, cell.floats + 3 * v)
        edges, sides = vertices[v].edges, vertices[v].sides
        for k in range(3):
            edges[k] = body.integers[cell.edges + 3 * v + k]
            sides[k] = 0
    return cell.vertices


@outlined_kernel
def clip(points, vertices, count, normal, offset, side):
    """Clips the polyhedron to the half-space normal . x <= offset; the new face gets that side.

    Returns the number of vertices that remain, 0 where nothing does, and -1 where the workspace is too small.
    """
    # classify: signed depth under the plane, and the new index of each vertex that stays
    kept = 0
    for v in range(count):
        s = offset - normal @ points[v].place
        points[v].distance = s
        vertices[v].place = kept if s >= 0.0 else -1
        if s >= 0.0:
            kept += 1
    if kept == count or kept == 0:
        return kept
    # a new vertex on every edge from inside to outside: 0 is its old edge, 1 and 2 go along the new face
    total = count
    for v in range(count):
        if vertices[v].place < 0:
            continue
        for k in range(3):
            edge = vertices[v].edges[k]
            w = edge >> 2
            if w >= count or vertices[w].place >= 0:
                continue
            if total == len(points):
                return -1
            points[total].place = between(points[v], points[w])
            vertices[total].edges[0] = 4 * v + k
            vertices[total].sides[0] = vertices[w].sides[edge & 3]
            vertices[total].sides[2] = side
            vertices[v].edges[k] = 4 * total
            total += 1
    # link each new vertex to the next: walk around its old face until the walk meets a new vertex
    for u in range(count, total):
        t = vertices[u].edges[0]
        while (t >> 2) < count:
            t = vertices[t >> 2].edges[turned(t & 3)]
        w = t >> 2
        vertices[w].edges[1] = 4 * u + 2
        vertices[u].edges[2] = 4 * w + 1
        vertices[w].sides[1] = vertices[u].sides[0]
    # compact: move the vertices to their new indices and renumber the edges
    for v in range(total):
        m = vertices[v].place if v < count else kept + v - count
        if m < 0:
            continue
        points[m].place = points[v].place
        for i in range(3):
            t = vertices[v].edges[i]
            w = t >> 2
            w = vertices[w].place if w < count else kept + w - count
            vertices[m].edges[i] = 4 * w + (t & 3)
            vertices[m].sides[i] = vertices[v].sides[i]
    return kept + total - count


@kernel
def between(one, other):
    """Where the line between two points on different sides of a plane meets it."""
    a, b = one.distance, other.distance
    return 1.0 / (a - b) * (a * other.place - b * one.place)


@outlined_kernel
def measure(points, vertices, count):
    """The part of the polyhedron in the workspace, and the vector area of its faces of side 1 [m^2].

    Each face is a fan of triangles; with the first vertex each makes a tetrahedron (divergence theorem).
    """
    m, area = no_moments(), Vec3(0.0, 0.0, 0.0)
    if count <= 0:
        return part_of(m, area), area
    # every half-edge is visited once; moments are about the first vertex
    o = points[0].place
    for v in range(count):
        vertices[v].seen = 0
    for v in range(count):
        for k in range(3):
            if vertices[v].seen & (1 << k):
                continue
            vertices[v].seen |= 1 << k
            # walk around the face on the left of edge k of vertex v; a, b, c is a triangle of its fan
            a = points[v].place - o
            side = vertices[v].sides[k]
            t = vertices[v].edges[k]
            b = points[t >> 2].place - o
            swept = o.zero
            while True:
                w, j = t >> 2, turned(t & 3)
                if w == v and j == k:
                    break
                vertices[w].seen |= 1 << j
                t = vertices[w].edges[j]
                c = points[t >> 2].place - o
                m += tetrahedron_moments(a, b, c)
                if side == 1:
                    swept += cross(b - a, c - a)
                b = c
            area += swept
    return part_of(m, o), 0.5 * area


@kernel
def clip_by(body, cell, shift, points, vertices, count):
    """Clips the polyhedron by the planes of a cell of a body, whose origin is at `shift`.

    Returns the number of vertices that remain, as `clip`.
    """
    planes = planes_of(body, cell)
    for f in range(cell.planes):
        normal = body.R @ planes[f].normal
        count = clip(points, vertices, count, normal, planes[f].offset + normal @ shift, 1)
        if count <= 0:
            break
    return count


@kernel
def clip_polygon(points, count, spare, normal, offset):
    """Clips the convex polygon in the first rows by the half-space below a plane, in place (Sutherland-Hodgman).

    Rows from `spare` on are scratch. Returns the number of corners that remain.
    """
    inside = 0
    for v in range(count):
        s = offset - normal @ points[v].place
        points[v].distance = s
        if s >= 0.0:
            inside += 1
    if inside == count or inside == 0:
        return inside
    # keep inner corners, add the intersection of every edge that crosses
    total = 0
    for v in range(count):
        one, other = points[v], points[0 if v == count - 1 else v + 1]
        if one.distance >= 0.0:
            points[spare + total].place = one.place
            total += 1
        if (one.distance >= 0.0) != (other.distance >= 0.0):
            points[spare + total].place = between(one, other)
            total += 1
    for i in range(total):
        points[i].place = points[spare + i].place
    return total
