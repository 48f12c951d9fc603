"""Lengths and unit vectors with a fallback where the length is zero: from a centre, off an axis, from a corner."""

from __future__ import annotations

import math

from ...algebra import Mat3, Vec3, cross
from ...compiler import kernel

NOTHING = 1e-150  # a length whose square is still a normal number; below it there is no direction [m]


@kernel
def from_centre(p, fallback):
    """(length, direction) of p; the direction is `fallback` where there is none."""
    length = math.sqrt(p @ p)
    if length > NOTHING:
        return length, 1.0 / length * p
    return length, fallback


@kernel
def across(p):
    """(distance from the z axis, unit vector x, y away from it); towards x on the axis itself."""
    rho = math.sqrt(p[0] * p[0] + p[1] * p[1])
    if rho > NOTHING:
        return rho, p[0] / rho, p[1] / rho
    return rho, 1.0 + 0.0 * rho, 0.0 * rho


@kernel
def from_corner(r, z, a, b):
    """(distance from a corner of the half-plane, unit vector from it); (a, b) at the corner itself."""
    d = math.sqrt(r * r + z * z)
    if d > NOTHING:
        return d, r / d, z / d
    return d, a, b


@kernel
def across_vector(n):
    """A vector across the unit vector n, not normalised."""
    o = 0.0 * n.x
    return Vec3(o, -n.z, n.y) if n.x * n.x < 0.5 else Vec3(-n.y, n.x, o)


@kernel
def axes_about(t, n):
    """Rotation whose axes are the unit vectors t, n x t and n."""
    u = cross(n, t)
    return Mat3(t.x, u.x, n.x, t.y, u.y, n.y, t.z, u.z, n.z)
