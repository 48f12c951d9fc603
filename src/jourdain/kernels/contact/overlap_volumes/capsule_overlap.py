"""Capsules with planes and convex polyhedra: a cylinder and two half spheres, each by slices across the axis."""

from __future__ import annotations

from ...compiler import outlined_kernel
from .overlap_values import Revolved
from .revolution_polyhedron import revolved_polyhedron
from .volume_moments import join_parts


@outlined_kernel
def capsule_polyhedron(R, p, radius, half, planes, count, lines, breaks):
    """(part, N) of a capsule (axis z of R, middle p, cylindrical part 2 half) and a convex polyhedron, world axes.

    One plane alone is a half-space. Arguments and error as of `revolved_polyhedron`.
    """
    r2, h2 = radius * radius, half * half
    part, N = revolved_polyhedron(R, p, Revolved(r2, 0.0, 0.0, -half, half), planes, count, lines, breaks)
    for side in (-1.0, 1.0):
        low = half if side > 0.0 else -half - radius
        solid = Revolved(r2 - h2, 2.0 * side * half, -1.0, low, low + radius)
        end, M = revolved_polyhedron(R, p, solid, planes, count, lines, breaks)
        part, N = join_parts(part, end), N + M
    return part, N
