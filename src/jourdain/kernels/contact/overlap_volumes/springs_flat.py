"""Springs of two cells with flat faces, the foundation being in the faces of the second; see springs.py."""

from __future__ import annotations

import math

from ...compiler import kernel, outlined_kernel
from ...spatial import add, cross, dot, rotate, rotate_back, scale, sub, vec
from .connected_components import NEAR, cell_row
from .overlap_layout import CELL_NUMBERS, CELL_VERTICES, EDGES, HOLE_COUNT, MOST_INNER, PLANES, SEEN, TAG
from .polyhedron_clipping import clip, load_polyhedron, place3, turned
from .springs import NONE, add_face, face_springs, is_inner, unknown_springs
from .volume_moments import add_moments, part_of, tetrahedron_moments

INNER = 2  # tag of the faces of the clipped polyhedron that are on interior faces of the second body
ALIKE = 1e-9  # sine of the angle between two faces below which they are parallel


@outlined_kernel
def measure_pressed(points, links, count, normal, offset):
    """(V, c) of the clipped polyhedron, and force and torque of the pressure of depth d under a plane on its interior
    faces.

    These are the integrals over the interior faces of d n and of r x d n, r taken from the origin of the points.
    """
    zero = 0.0
    m = (zero, zero, zero, zero, zero, zero, zero, zero, zero, zero)
    push, turn = NONE, NONE
    o = vec(points, 0, 0)
    level = offset - dot(normal, o)
    for v in range(count):
        links[v, SEEN] = 0
    # walk around each face by its half-edges; triangles (a, b, c) form a fan from its first vertex
    for v in range(count):
        for k in range(3):
            if links[v, SEEN] & (1 << k):
                continue
            links[v, SEEN] |= 1 << k
            a = sub(vec(points, v, 0), o)
            inner = links[v, TAG + k] == INNER
            t = links[v, k]
            b = sub(vec(points, t >> 2, 0), o)
            while True:
                w, j = t >> 2, turned(t & 3)
                if w == v and j == k:
                    break
                links[w, SEEN] |= 1 << j
                t = links[w, j]
                c = sub(vec(points, t >> 2, 0), o)
                m = add_moments(m, tetrahedron_moments(a, b, c))
                if inner:
                    # over a triangle int f g = area / 12 (sum f sum g + sum f_i g_i) of linear f and g
                    area = scale(0.5, cross(sub(b, a), sub(c, a)))
                    da, db, dc = level - dot(normal, a), level - dot(normal, b), level - dot(normal, c)
                    total = da + db + dc
                    push = add(push, scale(total / 3.0, area))
                    at = add(add(scale(total + da, a), scale(total + db, b)), scale(total + dc, c))
                    turn = add(turn, cross(scale(1.0 / 12.0, at), area))
                b = c
    V, at, _J = part_of(m, o)
    return V, at, push, add(turn, cross(o, push))


@kernel
def plane_of(x, at, k, R, shift):
    """Normal and offset of plane k of the cell whose planes begin at x[at]; the pose of its body is R, shift."""
    m = rotate(R, place3(x, at + 4 * k))
    return m, x[at + 4 * k + 3] + dot(m, shift)


@kernel
def reached_faces(x, at, planes, inner, R, shift, points, count, first, own):
    """Bits of the faces of B that are nearer than face `first` to some point of the clipped polyhedron.

    -1 where an interior face bounds the polyhedron. Differences of depths are linear, with their minimum at a vertex,
    so only vertices are tested, and not even these where a sphere about the centroid, `own` in B, excludes a face.
    """
    # bounding sphere of the polyhedron about its centroid, radius squared `wide`
    c = add(shift, rotate(R, own))
    wide = 0.0
    for v in range(count):
        away = sub(vec(points, v, 0), c)
        wide = max(wide, dot(away, away))
    n, offset = place3(x, at + 4 * first), x[at + 4 * first + 3]
    reached = 0
    for k in range(planes):
        if k == first:
            continue
        # depth under face k less that under `first`: o - m . x; for an interior face its depth
        m, o = place3(x, at + 4 * k), x[at + 4 * k + 3]
        within = is_inner(inner, k)
        if not within:
            m, o = sub(m, n), o - offset
        scratch = o - dot(m, own)
        if scratch > 0.0 and scratch * scratch > 1.001 * dot(m, m) * wide:
            continue
        m = rotate(R, m)
        o += dot(m, shift)
        # the sphere does not decide: test the vertices, in the axes of the points
        for v in range(count):
            p = vec(points, v, 0)
            scratch = o - dot(m, p)
            if within and scratch <= NEAR * math.sqrt(dot(p, p)):
                return -1
            if not within and scratch < 0.0:
                reached |= 1 << min(k, MOST_INNER)
                break
    return reached


@outlined_kernel
def clip_to_face(x, at, planes, inner, g, R, shift, points, links, count):
    """Clips the polyhedron to the points of B nearest to its face g; returns the number of vertices as `clip`."""
    n, offset = plane_of(x, at, g, R, shift)
    count = clip(points, links, count, n, offset, 1)
    for k in range(planes):
        if count <= 0:
            break
        if k == g:
            continue
        m, o = plane_of(x, at, k, R, shift)
        if is_inner(inner, k):
            count = clip(points, links, count, m, o, INNER)
            continue
        # bisector of the faces g and k; parallel faces are compared by their offsets
        m, o = sub(m, n), o - offset
        size = math.sqrt(dot(m, m))
        if size < ALIKE:
            if o < 0.0 or (o == 0.0 and k < g):
                return 0
        else:
            count = clip(points, links, count, scale(1.0 / size, m), o / size, 1)
    return count


@outlined_kernel
def flat_springs(x, n, fa, ia, i, fb, ib, j, R_a, p_a, R_b, p_b, scratch, count, o, V, c, N):
    """Springs of cells i and j with the overlap already clipped into the workspace: V at c, vector area N.

    Points of the workspace, and c, are taken from o. Where one face is nearest to all vertices, it is so for the whole
    overlap; else cell i is clipped again to the cell of each face that is reached.
    """
    one, two = cell_row(n, ia, i), cell_row(n, ib, j)
    at, planes = fb + n[two + CELL_NUMBERS] + 3 * n[two + CELL_VERTICES], n[two + PLANES]
    inner, shift = n[two + HOLE_COUNT] >> 1, sub(p_b, o)
    # face of B nearest to the centroid; done if it is nearest to all vertices too
    first, least = -1, math.inf
    own = rotate_back(R_b, sub(c, shift))
    for k in range(planes):
        if not is_inner(inner, k):
            d = x[at + 4 * k + 3] - dot(place3(x, at + 4 * k), own)
            if d < least:
                first, least = k, d
    if first < 0:
        return unknown_springs(V, N)
    reached = reached_faces(x, at, planes, inner, R_b, shift, scratch.points, count, first, own)
    if reached == 0:
        m, level = plane_of(x, at, first, R_b, shift)
        return face_springs(V, c, m, level)
    if n[one + CELL_VERTICES] == 0:
        return unknown_springs(V, N)
    # sum over the faces reached: volume in the cell of each, and pressure on the interior faces that bound it
    push, couple, potential = NONE, NONE, 0.0
    for g in range(planes):
        known = g != first and reached >= 0 and (reached >> min(g, MOST_INNER)) & 1 == 0
        if known or is_inner(inner, g):
            continue
        own = fa + n[one + CELL_NUMBERS]
        count = load_polyhedron(
            x, n, own, ia + n[one + EDGES], n[one + CELL_VERTICES], R_a, sub(p_a, o), scratch.points, scratch.links
        )
        count = clip_to_face(x, at, planes, inner, g, R_b, shift, scratch.points, scratch.links, count)
        if count == 0:
            continue
        m, level = plane_of(x, at, g, R_b, shift)
        W, d, more, turn = measure_pressed(scratch.points, scratch.links, count, m, level)
        if count < 0:
            W = math.nan
        push, couple, potential = add_face((push, couple, potential), W, d, m, level, c)
        push, couple = add(push, more), add(couple, sub(turn, cross(c, more)))
    return push, couple, potential
