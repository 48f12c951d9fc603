"""Lengths and unit vectors with a fallback where the length is zero: from a centre, off an axis, from a corner."""

from __future__ import annotations

import math

from ...compiler import kernel
from ...spatial import dot, scale

NOTHING = 1e-150  # a length whose square is still a normal number; below it there is no direction [m]


@kernel
def three(numbers, i):
    """Three numbers of a list, from entry i on."""
    return (numbers[i], numbers[i + 1], numbers[i + 2])


@kernel
def from_centre(p, fallback):
    """(length, direction) of p; the direction is `fallback` where there is none."""
    length = math.sqrt(dot(p, p))
    if length > NOTHING:
        return length, scale(1.0 / length, p)
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
