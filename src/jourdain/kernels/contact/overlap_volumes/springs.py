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

*Springs* are this force, its couple about the centroid of the overlap, and the energy, over k_v.
"""

from __future__ import annotations

import math

from ...algebra import cross
from ...compiler import kernel
from ...fixed_size import operation
from .overlap_layout import MOST_INNER
from .overlap_values import Springs


@kernel
def unknown_springs(V, N):
    """V along the vector area N of the surface of B in A: the direction in which V decreases fastest; no potential."""
    size = math.sqrt(N @ N)
    return Springs(V / size * N if size > 0.0 else N.zero, N.zero, -1.0)


@operation
def no_springs():
    """Zero springs."""
    return Springs.of((0.0,) * 7)


@operation
def face_springs(V, c, n, offset):
    """Springs where one face n . x = offset of B is nearest to all points of the overlap."""
    return Springs(V * n, n.zero, V * (offset - n @ c))


@operation
def ball_springs(part, centre, radius):
    """Springs of a foundation in the surface of a sphere, the force being on the sphere. d = (R^2 - r^2) / 2 R is the
    depth to first order, whose gradient needs the centroid only; the force is central, so there is no couple.
    """
    V, J, away = part.volume, part.inertia, centre - part.centroid
    spread = V * (away @ away) + 0.5 * (J.xx + J.yy + J.zz)
    return Springs(V / radius * away, away.zero, 0.5 * (radius * V - spread / radius))


@operation
def opposite(springs):
    """The springs of the other solid, by action and reaction."""
    return Springs(-springs.push, -springs.couple, springs.potential)


@operation
def springs_about(V, c, n, offset, about):
    """Springs about a point of a face n . x = offset whose cell has the volume V at c."""
    push = V * n
    return Springs(push, cross(c - about, push), V * (offset - n @ c))


@kernel
def is_inner(inner, k):
    """Whether plane k of a cell is an interior face of its body, wholly between cells, by the bits of `inner`."""
    return k < MOST_INNER and (inner >> k) & 1 == 1


@kernel
def row_springs(row):
    """Springs of a `SlicedPart`; along its vector area where they are not known."""
    if row.springs.potential < 0.0:
        return unknown_springs(row.part.volume, row.area)
    return row.springs
