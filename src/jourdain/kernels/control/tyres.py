"""Tyres that stand on a road at one point: a force on the frame of a wheel, along the world's z."""

from __future__ import annotations

import math

from ..compiler import entry_point, kernel
from ..scalar import positive
from ..signatures import Vector

TYRE_RADIUS, TYRE_STIFFNESS, TYRE_CUBIC, TYRE_DAMPING, TYRE_SPEED, TYRE_SPACING = 0, 1, 2, 3, 4, 5
TYRE_ROAD = 6  # coefficients of the road's spline


@kernel
def road_height(p, x):
    """Height and slope of a road that repeats itself, a uniform cubic B-spline, at a place [m]."""
    n = p.size - TYRE_ROAD
    place = x / p[TYRE_SPACING]
    floor = math.floor(place)
    t = place - floor
    i = int(floor) % n
    a, b = p[TYRE_ROAD + (i + n - 1) % n], p[TYRE_ROAD + i]
    c, d = p[TYRE_ROAD + (i + 1) % n], p[TYRE_ROAD + (i + 2) % n]
    s = 1.0 - t
    inner = (4.0 + t * t * (3.0 * t - 6.0)) * b + (4.0 + s * s * (3.0 * s - 6.0)) * c
    height = (s * s * s * a + inner + t * t * t * d) / 6.0
    slope = (-s * s * a + t * (3.0 * t - 4.0) * b - s * (3.0 * s - 4.0) * c + t * t * d) / (2.0 * p[TYRE_SPACING])
    return height, slope


@entry_point
def tyre(t: float, q: Vector, v: Vector, z: Vector, s: Vector, p: Vector, effort: Vector, dz: Vector) -> None:
    """k d + k3 d^3 + c d', d the depth of the road in the undeformed tyre; never less than 0.

    s: the wheel's marker; the road passes under it at the speed p[SPEED] beside its own motion along x.
    """
    height, slope = road_height(p, s[0] + p[TYRE_SPEED] * t)
    depth = height + p[TYRE_RADIUS] - s[2]
    rate = slope * (s[10] + p[TYRE_SPEED]) - s[12]
    if depth > 0.0:
        force = depth * (p[TYRE_STIFFNESS] + p[TYRE_CUBIC] * depth * depth) + p[TYRE_DAMPING] * rate
        effort[5] += positive(force)
