"""Springs of two cells with flat faces, the foundation being in the faces of the second; see springs.py."""

from __future__ import annotations

import math

from ...algebra import cross
from ...compiler import kernel, outlined_kernel
from .connected_components import NEAR
from .overlap_layout import MOST_INNER, planes_of
from .overlap_values import Springs
from .polyhedron_clipping import clip, load_polyhedron, turned
from .springs import face_springs, is_inner, no_springs, springs_about, unknown_springs
from .volume_moments import no_moments, part_of, tetrahedron_moments

INNER = 2  # side of the faces of the clipped polyhedron that are on interior faces of the second body
ALIKE = 1e-9  # sine of the angle between two faces below which they are parallel


@outlined_kernel
def measure_pressed(points, vertices, count, normal, offset):
    """Volume and centroid of the clipped polyhedron, and force and torque of the pressure of depth d under a plane on
    its interior faces.

    These are the integrals over the interior faces of d n and of r x d n, r taken from the origin of the points.
    """
    m, o = no_moments(), points[0].place
    push, turn = o.zero, o.zero
    level = offset - normal @ o
    for v in range(count):
        vertices[v].seen = 0
    # walk around each face by its half-edges; triangles (a, b, c) form a fan from its first vertex
    for v in range(count):
        for k in range(3):
            if vertices[v].seen & (1 << k):
                continue
            vertices[v].seen |= 1 << k
            a = points[v].place - o
            inner = vertices[v].sides[k] == INNER
            t = vertices[v].edges[k]
            b = points[t >> 2].place - o
            while True:
                w, j = t >> 2, turned(t & 3)
                if w == v and j == k:
                    break
                vertices[w].seen |= 1 << j
                t = vertices[w].edges[j]
                c = points[t >> 2].place - o
                m += tetrahedron_moments(a, b, c)
                if inner:
                    # over a triangle int f g = area / 12 (sum f sum g + sum f_i g_i) of linear f and g
                    area = 0.5 * cross(b - a, c - a)
                    da, db, dc = level - normal @ a, level - normal @ b, level - normal @ c
                    total = da + db + dc
                    push += total / 3.0 * area
                    at = ((total + da) * a + (total + db) * b) + (total + dc) * c
                    turn += cross(1.0 / 12.0 * at, area)
                b = c
    part = part_of(m, o)
    return part.volume, part.centroid, push, turn + cross(o, push)


@kernel
def plane_at(planes, k, R, shift):
    """Normal and offset of plane k, the pose of its body being R, shift."""
    m = R @ planes[k].normal
    return m, planes[k].offset + m @ shift


@kernel
def reached_faces(planes, faces, inner, R, shift, points, count, first, own):
    """Bits of the faces of B that are nearer than face `first` to some point of the clipped polyhedron.

    -1 where an interior face bounds the polyhedron. Differences of depths are linear, with their minimum at a vertex,
    so only vertices are tested, and not even these where a sphere about the centroid, `own` in B, excludes a face.
    """
    # bounding sphere of the polyhedron about its centroid, radius squared `wide`
    c = shift + R @ own
    wide = 0.0
    for v in range(count):
        away = points[v].place - c
        wide = max(wide, away @ away)
    n, offset = planes[first].normal, planes[first].offset
    reached = 0
    for k in range(faces):
        if k == first:
            continue
        # depth under face k less that under `first`: o - m . x; for an interior face its depth
        m, o = planes[k].normal, planes[k].offset
        within = is_inner(inner, k)
        if not within:
            m, o = m - n, o - offset
        scratch = o - m @ own
        if scratch > 0.0 and scratch * scratch > 1.001 * (m @ m) * wide:
            continue
        m = R @ m
        o += m @ shift
        # the sphere does not decide: test the vertices, in the axes of the points
        for v in range(count):
            p = points[v].place
            scratch = o - m @ p
            if within and scratch <= NEAR * math.sqrt(p @ p):
                return -1
            if not within and scratch < 0.0:
                reached |= 1 << min(k, MOST_INNER)
                break
    return reached


@outlined_kernel
def clip_to_face(planes, faces, inner, g, R, shift, points, vertices, count):
    """Clips the polyhedron to the points of B nearest to its face g; returns the number of vertices as `clip`."""
    n, offset = plane_at(planes, g, R, shift)
    count = clip(points, vertices, count, n, offset, 1)
    for k in range(faces):
        if count <= 0:
            break
        if k == g:
            continue
        m, o = plane_at(planes, k, R, shift)
        if is_inner(inner, k):
            count = clip(points, vertices, count, m, o, INNER)
            continue
        # bisector of the faces g and k; parallel faces are compared by their offsets
        m, o = m - n, o - offset
        size = math.sqrt(m @ m)
        if size < ALIKE:
            if o < 0.0 or (o == 0.0 and k < g):
                return 0
        else:
            count = clip(points, vertices, count, 1.0 / size * m, o / size, 1)
    return count


@outlined_kernel
def flat_springs(A, i, B, j, scratch, count, o, V, c, N):
    """Springs of cells i and j with the overlap already clipped into the workspace: V at c, vector area N.

    Points of the workspace, and c, are taken from o. Where one face is nearest to all vertices, it is so for the whole
    overlap; else cell i is clipped again to the cell of each face that is reached.
    """
    one, two, points, vertices = A.cells[i], B.cells[j], scratch.points, scratch.vertices
    planes, faces, inner, shift = planes_of(B, two), two.planes, two.holes >> 1, B.p - o
    # face of B nearest to the centroid; done if it is nearest to all vertices too
    first, least = -1, math.inf
    own = B.R.T @ (c - shift)
    for k in range(faces):
        if not is_inner(inner, k):
            d = planes[k].offset - planes[k].normal @ own
            if d < least:
                first, least = k, d
    if first < 0:
        return unknown_springs(V, N)
    reached = reached_faces(planes, faces, inner, B.R, shift, points, count, first, own)
    if reached == 0:
        m, level = plane_at(planes, first, B.R, shift)
        return face_springs(V, c, m, level)
    if one.vertices == 0:
        return unknown_springs(V, N)
    # sum over the faces reached: volume in the cell of each, and pressure on the interior faces that bound it
    springs = no_springs()
    for g in range(faces):
        known = g != first and reached >= 0 and (reached >> min(g, MOST_INNER)) & 1 == 0
        if known or is_inner(inner, g):
            continue
        count = load_polyhedron(A, one, A.p - o, points, vertices)
        count = clip_to_face(planes, faces, inner, g, B.R, shift, points, vertices, count)
        if count == 0:
            continue
        m, level = plane_at(planes, g, B.R, shift)
        W, d, more, turn = measure_pressed(points, vertices, count, m, level)
        if count < 0:
            W = math.nan
        springs += springs_about(W, d, m, level, c) + Springs(more, turn - cross(c, more), 0.0)
    return springs
