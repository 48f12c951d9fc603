"""Conservative elastic foundation: contact forces as the gradient of a potential of the overlap of two solids.

Where a point is d below the surface of the second solid B, its foundation (Winkler) presses with k_v d on the surface
of the first solid A. The energy

    U = k_v int_{A and B} d dV

is a function of the relative pose alone, and d is zero all over the surface of B. So the forces derived from it do no
work around a closed path: translating A by s and rotating it by t changes U by k_v int grad d . (s + t x r) dV, which
gives A the force -k_v int grad d dV and the torque of the same density: the buoyancy of Archimedes in a field d instead
of the depth of water. Where one flat face of B with normal n is the nearest to all points of the overlap, -grad d = n,
and the force is k_v V n at the centroid: the normal force of Gonthier 2007, eq. 4.62, along the normal of that face.

For a convex polyhedron d is the minimum of the depths under its faces. The points that are nearest to face g form a
convex polyhedron too, the cell of g (the straight skeleton divides B into these cells), so that an overlap near an edge
or a corner is summed over such cells. The interior faces of a body of cells, wholly between two of its cells, are not
surface: d ignores them, and where d jumps there, by the depth over the length of the patch, the jump acts as a pressure
on the interior face, so that the sum remains the exact gradient of U.

*Springs* are (force (3) [m^3], couple about the centroid of the overlap (3) [m^4], potential [m^4]): force, torque and
energy over k_v. A negative potential means that it is not known.
"""

from __future__ import annotations

import math

from ...compiler import kernel
from ...spatial import add, cross, dot, scale, sub, vec
from .overlap_layout import MOST_INNER

NONE = (0.0, 0.0, 0.0)


@kernel
def unknown_springs(V, N):
    """V along the vector area N of the surface of B in A: the direction in which V decreases fastest; no potential."""
    size = math.sqrt(dot(N, N))
    return (scale(V / size, N) if size > 0.0 else NONE), NONE, -1.0


@kernel
def face_springs(V, c, n, offset):
    """Springs where one face n . x = offset of B is nearest to all points of the overlap."""
    return scale(V, n), NONE, V * (offset - dot(n, c))


@kernel
def ball_springs(V, c, J, centre, radius):
    """Springs of a foundation in the surface of a sphere, the force being on the sphere. d = (R^2 - r^2) / 2 R is the
    depth to first order, whose gradient needs the centroid only; the force is central, so there is no couple.
    """
    away = sub(centre, c)
    spread = V * dot(away, away) + 0.5 * (J[0] + J[1] + J[2])
    return scale(V / radius, away), NONE, 0.5 * (radius * V - spread / radius)


@kernel
def opposite(springs):
    """The springs of the other solid, by action and reaction."""
    push, couple, potential = springs
    return scale(-1.0, push), scale(-1.0, couple), potential


@kernel
def add_face(springs, V, c, n, offset, about):
    """Adds to springs about a point those of a face n . x = offset whose cell has the volume V at c."""
    push, couple, potential = springs
    more = scale(V, n)
    return add(push, more), add(couple, cross(sub(c, about), more)), potential + V * (offset - dot(n, c))


@kernel
def is_inner(inner, k):
    """Whether plane k of a cell is an interior face of its body, wholly between cells, by the bits of `inner`."""
    return k < MOST_INNER and (inner >> k) & 1 == 1


@kernel
def put_row_springs(rows, i, springs):
    """Writes force, couple about the centroid and potential into row i."""
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
