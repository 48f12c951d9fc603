"""The elastic foundation of the second of two solids as a potential of their overlap.

Where a point is d below the surface of the second solid, its foundation (Winkler) presses with k_v d on the surface of
the first that is there. The energy

    U = k_v int_{A and B} d dV

is a function of the relative pose alone, and d is zero all over the surface of B. So what derives from it does no work
around a closed path: moving A by s and turning it by t changes U by k_v int grad d . (s + t x r) dV, which gives A the
force -k_v int grad d dV and the torque of the same density, Archimedes' buoyancy in a field d instead of a depth of
water. Where one flat face of B with normal n is the nearest of all points of the overlap, -grad d = n, and these are
k_v V n at the centroid: the normal force of Gonthier 2007, eq. 4.62, along the normal of that face.

Of a convex polyhedron d is the least of the depths under its faces. The points that are nearest to face g are a convex
polyhedron too, the cell of g (a straight skeleton cuts B into them), so that an overlap near an edge or a corner is
summed over such cells. Faces that a body of cells has within it, wholly between two of its cells, are not surface: d
does not count them, and where d jumps there, by the depth over the length of the patch, the jump presses on the face
between, so that the sum is the exact gradient of U still.

*Springs* are (push (3) [m^3], couple about the centroid of the overlap (3) [m^4], potential [m^4]): force, torque and
energy over k_v. A negative potential says that it is not known.
"""

from __future__ import annotations

import math

from ...compiler import kernel
from ...spatial import add, cross, dot, scale, sub, vec
from .overlap_layout import MOST_INNER

NONE = (0.0, 0.0, 0.0)


@kernel
def unknown_springs(V, N):
    """V along the vector area N of the second's surface in the first: the direction in which V falls fastest."""
    size = math.sqrt(dot(N, N))
    return (scale(V / size, N) if size > 0.0 else NONE), NONE, -1.0


@kernel
def face_springs(V, c, n, offset):
    """Of one face n . x = offset that is the nearest of all points of the overlap."""
    return scale(V, n), NONE, V * (offset - dot(n, c))


@kernel
def ball_springs(V, c, J, centre, radius):
    """Of a foundation in the surface of a ball, the push being on the ball: d = (R^2 - r^2) / 2 R, the depth to its
    first order, whose gradient needs no more than the centroid. Along the line to the centre, so no couple."""
    away = sub(centre, c)
    spread = V * dot(away, away) + 0.5 * (J[0] + J[1] + J[2])
    return scale(V / radius, away), NONE, 0.5 * (radius * V - spread / radius)


@kernel
def opposite(springs):
    """What the other solid feels."""
    push, couple, potential = springs
    return scale(-1.0, push), scale(-1.0, couple), potential


@kernel
def add_face(springs, V, c, n, offset, about):
    """Springs about a point with those of one more face, whose share of the overlap is V at c."""
    push, couple, potential = springs
    more = scale(V, n)
    return add(push, more), add(couple, cross(sub(c, about), more)), potential + V * (offset - dot(n, c))


@kernel
def is_inner(inner, k):
    """Whether plane k of a cell lies wholly between it and other cells of its body, by the bits of `inner`."""
    return k < MOST_INNER and (inner >> k) & 1 == 1


@kernel
def put_row_springs(rows, i, springs):
    """Push, couple about the centroid and potential of row i."""
    push, couple, potential = springs
    for k in range(3):
        rows[i, 14 + k] = push[k]
        rows[i, 17 + k] = couple[k]
    rows[i, 20] = potential


@kernel
def row_springs(rows, i):
    """Springs of row i; along its vector area where they are not known."""
    if rows[i, 20] < 0.0:
        return unknown_springs(rows[i, 0], vec(rows, i, 10))
    return vec(rows, i, 14), vec(rows, i, 17), rows[i, 20]
