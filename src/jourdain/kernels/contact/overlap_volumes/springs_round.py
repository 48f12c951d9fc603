"""Springs of round solids with convex polyhedra, half-spaces and wedges, the foundation being in the flat faces."""

from __future__ import annotations

import math

from ...compiler import kernel, outlined_kernel
from ...kind_registry import CONE, CYLINDER, SPHERE
from .capsule_overlap import capsule_polyhedron
from .revolution_polyhedron import cone_polyhedron, cylinder_polyhedron
from .sphere_overlap import sphere_polyhedron
from .springs import face_springs, is_inner, no_springs, springs_about, unknown_springs

ALIKE = 1e-9  # sine of the angle between two faces below which they are parallel


@kernel
def depth_under(planes, k, x):
    """Depth of x under plane k [m]."""
    return planes[k].offset - planes[k].normal @ x


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
    n, offset = planes[g].normal, planes[g].offset
    cell[0].normal, cell[0].offset = n, offset
    rows = 1
    for k in range(count):
        if k == g:
            continue
        m, o = planes[k].normal, planes[k].offset
        # bisector of the faces g and k; of parallel faces the nearer one wins
        if not is_inner(inner, k):
            m, o = m - n, o - offset
            size = math.sqrt(m @ m)
            if size < ALIKE:
                if o < 0.0 or (o == 0.0 and k < g):
                    return 0
                continue
            m, o = 1.0 / size * m, o / size
        cell[rows].normal, cell[rows].offset = m, o
        rows += 1
    return rows


@kernel
def support(kind, R, p, r, l, m):
    """Support function max m . x of a round solid, m of any length; l is the length of a cone, else half of it."""
    own = R.T @ m
    across = math.sqrt(own.x * own.x + own.y * own.y)
    if kind == SPHERE:
        reach = r * math.sqrt(m @ m)
    elif kind == CYLINDER:
        reach = r * across + l * abs(own.z)
    elif kind == CONE:
        reach = max(0.5 * l * own.z, r * across - 0.5 * l * own.z)
    else:
        reach = r * math.sqrt(m @ m) + l * abs(own.z)
    return m @ p + reach


@outlined_kernel
def round_flat(kind, R, p, r, l, planes, count, lines, breaks):
    """(part, N) of a round solid and a convex polyhedron, half-space or wedge, the second."""
    if kind == SPHERE:
        return sphere_polyhedron(p, r, planes, count, lines, breaks)
    if kind == CYLINDER:
        return cylinder_polyhedron(R, p, r, l, planes, count, lines, breaks)
    if kind == CONE:
        return cone_polyhedron(R, p, r, l, planes, count, lines, breaks)
    return capsule_polyhedron(R, p, r, l, planes, count, lines, breaks)


@outlined_kernel
def round_springs(kind, R, p, r, l, planes, count, inner, cell, lines, breaks, part, N):
    """Springs in the faces of a convex polyhedron, the second, whose overlap with a round solid has vector area N.

    cell             scratch, `count` rows
    lines, breaks    scratch as of `revolved_polyhedron`
    """
    first = nearest_face(planes, count, inner, part.centroid)
    if first < 0:
        return unknown_springs(part.volume, N)
    n, offset = planes[first].normal, planes[first].offset
    # one face suffices where the support function shows it nearest to the whole round solid
    single = True
    for k in range(count):
        if k != first and not is_inner(inner, k):
            single = single and support(kind, R, p, r, l, planes[k].normal - n) <= planes[k].offset - offset
    if single:
        return face_springs(part.volume, part.centroid, n, offset)
    # else the sum over the cells of all faces reached
    springs = no_springs()
    for g in range(count):
        if is_inner(inner, g):
            continue
        m, level = planes[g].normal, planes[g].offset
        if g != first and support(kind, R, p, r, l, m - n) <= level - offset:
            continue
        rows = face_cell(planes, count, inner, g, cell)
        if rows > 0:
            own, _N = round_flat(kind, R, p, r, l, cell, rows, lines, breaks)
            if own.volume > 0.0:
                springs += springs_about(own.volume, own.centroid, m, level, part.centroid)
    return springs
