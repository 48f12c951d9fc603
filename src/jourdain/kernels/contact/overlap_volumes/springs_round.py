"""Springs of round solids with convex polyhedra, half-spaces and wedges, the foundation being in the flat faces."""

from __future__ import annotations

import math

from ...compiler import kernel, outlined_kernel
from ...kind_registry import CONE, CYLINDER, SPHERE
from ...spatial import dot, rotate_back, scale, sub, vec
from .capsule_overlap import capsule_polyhedron
from .revolution_polyhedron import cone_polyhedron, cylinder_polyhedron
from .sphere_overlap import sphere_polyhedron
from .springs import NONE, add_face, face_springs, is_inner, unknown_springs

ALIKE = 1e-9  # sine of the angle between two faces below which they are parallel


@kernel
def depth_under(planes, k, x):
    """Depth of x under plane k [m]."""
    return planes[k, 3] - dot(vec(planes, k, 0), x)


@kernel
def nearest_face(planes, count, inner, x):
    """The face that is nearest to a point inside the polyhedron; -1 where all are interior faces."""
    best, least = -1, math.inf
    for k in range(count):
        if not is_inner(inner, k):
            d = depth_under(planes, k, x)
            if d < least:
                best, least = k, d
    return best


@outlined_kernel
def face_cell(planes, count, inner, g, cell):
    """Half-spaces of the cell of points of a polyhedron that are nearest to face g, into rows of `cell`; returns how
    many.

    0 where the cell is empty, as for a plane that is given twice. Interior faces bound the cell without being surface.
    """
    n, offset = vec(planes, g, 0), planes[g, 3]
    cell[0, 0], cell[0, 1], cell[0, 2], cell[0, 3] = n[0], n[1], n[2], offset
    rows = 1
    for k in range(count):
        if k == g:
            continue
        m, o = vec(planes, k, 0), planes[k, 3]
        # bisector of the faces g and k; of parallel faces the nearer one wins
        if not is_inner(inner, k):
            m, o = sub(m, n), o - offset
            size = math.sqrt(dot(m, m))
            if size < ALIKE:
                if o < 0.0 or (o == 0.0 and k < g):
                    return 0
                continue
            m, o = scale(1.0 / size, m), o / size
        cell[rows, 0], cell[rows, 1], cell[rows, 2], cell[rows, 3] = m[0], m[1], m[2], o
        rows += 1
    return rows


@kernel
def support(kind, R, p, r, l, m):
    """Support function max m . x of a round solid, m of any length; l is the length of a cone, else half of it."""
    own = rotate_back(R, m)
    across = math.sqrt(own[0] * own[0] + own[1] * own[1])
    if kind == SPHERE:
        reach = r * math.sqrt(dot(m, m))
    elif kind == CYLINDER:
        reach = r * across + l * abs(own[2])
    elif kind == CONE:
        reach = max(0.5 * l * own[2], r * across - 0.5 * l * own[2])
    else:
        reach = r * math.sqrt(dot(m, m)) + l * abs(own[2])
    return dot(m, p) + reach


@outlined_kernel
def round_flat(kind, R, p, r, l, planes, count, lines, breaks):
    """(V, c, J, N) of a round solid and a convex polyhedron, half-space or wedge, the second."""
    if kind == SPHERE:
        return sphere_polyhedron(p, r, planes, count, lines, breaks)
    if kind == CYLINDER:
        return cylinder_polyhedron(R, p, r, l, planes, count, lines, breaks)
    if kind == CONE:
        return cone_polyhedron(R, p, r, l, planes, count, lines, breaks)
    return capsule_polyhedron(R, p, r, l, planes, count, lines, breaks)


@outlined_kernel
def round_springs(kind, R, p, r, l, planes, count, inner, cell, lines, breaks, V, c, N):
    """Springs in the faces of a convex polyhedron, the second, whose overlap with a round solid has volume V at c and
    vector area N.

    cell             scratch, `count` rows of 4
    lines, breaks    scratch as of `revolved_polyhedron`
    """
    first = nearest_face(planes, count, inner, c)
    if first < 0:
        return unknown_springs(V, N)
    n, offset = vec(planes, first, 0), planes[first, 3]
    # one face suffices where the support function shows it nearest to the whole round solid
    single = True
    for k in range(count):
        if k != first and not is_inner(inner, k):
            single = single and support(kind, R, p, r, l, sub(vec(planes, k, 0), n)) <= planes[k, 3] - offset
    if single:
        return face_springs(V, c, n, offset)
    # else the sum over the cells of all faces reached
    springs = (NONE, NONE, 0.0)
    for g in range(count):
        if is_inner(inner, g):
            continue
        m = vec(planes, g, 0)
        if g != first and support(kind, R, p, r, l, sub(m, n)) <= planes[g, 3] - offset:
            continue
        rows = face_cell(planes, count, inner, g, cell)
        if rows > 0:
            W, d, _J, _N = round_flat(kind, R, p, r, l, cell, rows, lines, breaks)
            if W > 0.0:
                springs = add_face(springs, W, d, m, planes[g, 3], c)
    return springs
