"""Tyres that stand on a road at one point: a force on the frame of a wheel, along the world's z."""

from __future__ import annotations

import math

from ..compiler import entry_point, kernel
from ..parameter_rows import Block, Parameters
from ..scalar import positive
from ..signatures import Vector


class TyreParameters(Parameters):
    """A tyre, and the road on which it stands."""

    radius: float  # undeformed [m]
    stiffness: float  # k [N/m]
    cubic: float  # k3 [N/m^3]
    damping: float  # c [N s/m]
    speed: float  # at which the road passes under it, beside its own motion along x [m/s]
    spacing: float  # of the road's spline [m]
    road: Block[float]  # its coefficients [m]


@kernel
def road_height(road, spacing, x):
    """Height and slope of a road that repeats itself, a uniform cubic B-spline, at a place [m]."""
    n = road.size
    place = x / spacing
    floor = math.floor(place)
    t = place - floor
    i = int(floor) % n
    a, b = road[(i + n - 1) % n], road[i]
    c, d = road[(i + 1) % n], road[(i + 2) % n]
    s = 1.0 - t
    inner = (4.0 + t * t * (3.0 * t - 6.0)) * b + (4.0 + s * s * (3.0 * s - 6.0)) * c
    height = (s * s * s * a + inner + t * t * t * d) / 6.0
    slope = (-s * s * a + t * (3.0 * t - 4.0) * b - s * (3.0 * s - 4.0) * c + t * t * d) / (2.0 * spacing)
    return height, slope


@entry_point
def tyre(t: float, q: Vector, v: Vector, z: Vector, s: Vector, p: Vector, effort: Vector, dz: Vector) -> None:
    """k d + k3 d^3 + c d', d the depth of the road in the undeformed tyre; never less than 0.

    s: the wheel's marker.
    """
    law = TyreParameters(p)
    height, slope = road_height(law.road, law.spacing, s[0] + law.speed * t)
    depth = height + law.radius - s[2]
    rate = slope * (s[10] + law.speed) - s[12]
    if depth > 0.0:
        force = depth * (law.stiffness + law.cubic * depth * depth) + law.damping * rate
        effort[5] += positive(force)
