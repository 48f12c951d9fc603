"""Tunnelling: whether two shapes may have passed through each other within a step without any stage seeing an overlap.

The gap of two shapes changes no faster than the points of one move in the axes of the other. To touch and part again
within a step they must travel the gap at its start, the gap at its end, and the way through each other: the sum of
their thicknesses where they meet centrally, less at the rim. A step is suspect when 1.2 times the mean of the speeds at
its two ends covers the gaps and a quarter of the thicknesses. Two spheres can then miss only a touch less deep than 3 %
of the sum of their radii.
"""

from __future__ import annotations

import math

from ..algebra import cross
from ..compiler import kernel
from ..kind_registry import SPHERE

THROUGH = 0.25  # fraction of the thicknesses that shapes may travel within a step besides their gaps
MORE = 1.2  # travel allowed for, over the mean of the speeds at both ends of the step


@kernel
def way_through(model, a, b):
    """Distance that two shapes may travel while they overlap [m]; infinite where one is a half-space."""
    return THROUGH * (model.shape_poses[a].thickness + model.shape_poses[b].thickness)


@kernel
def speed_in_axes(model, ws, a, b):
    """Upper bound of the speed of the points of shape a in the axes of shape b [m/s]; of a sphere its centre."""
    # v_BAo_W: velocity of Ao relative to the frame of B, then omega_BA times the bounding radius
    A, B = ws.shapes[a], ws.shapes[b]
    omega_A, omega_B = A.omega, B.omega
    away = A.p_WS - B.p_WS
    u = A.velocity - B.velocity - cross(omega_B, away)
    speed = math.sqrt(u @ u)
    turn = omega_A - omega_B
    if model.shapes[a].code != SPHERE and turn @ turn > 0.0:
        speed += math.sqrt(turn @ turn) * model.shape_poses[a].ball
    return speed


@kernel
def speed_of_gap(model, ws, a, b):
    """Upper bound of the rate at which the gap of two shapes changes [m/s]."""
    return min(speed_in_axes(model, ws, a, b), speed_in_axes(model, ws, b, a))


@kernel
def least_gap(sites, count):
    """Smallest gap of the first `count` sites [m]."""
    gap = math.inf
    for s in range(count):
        gap = min(gap, sites[s].gap)
    return gap


@kernel
def longest_undetected(model, ws, c, a, b, gap):
    """Two steps [s]: the longest from the last accepted state to this one in which the shapes cannot have passed
    through each other, and the longest that is safe at any gap. Infinite where nothing can pass unseen.
    """
    flight = ws.flights[c]
    way, before = way_through(model, a, b), flight.gap
    if way == math.inf or before < 0.0 or gap < 0.0:
        return math.inf, math.inf
    speed = 0.5 * MORE * (flight.speed + speed_of_gap(model, ws, a, b))
    if speed == 0.0:
        return math.inf, math.inf
    return (before + gap + way) / speed, way / speed


@kernel
def note_flight(model, ws, c, a, b, count):
    """Stores gap and speed of contact c at an accepted step, and whether a fixed step was too long for it."""
    if way_through(model, a, b) == math.inf:
        return
    gap = least_gap(ws.sites, count)
    longest, sure = longest_undetected(model, ws, c, a, b, gap)
    flight = ws.flights[c]
    if ws.ledger.step > longest:
        known = flight.step
        flight.step = sure if known == 0.0 else min(known, sure)
    flight.gap = gap
    flight.speed = speed_of_gap(model, ws, a, b)
