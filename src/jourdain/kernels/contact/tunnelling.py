"""Tunnelling: whether two shapes may have passed through each other within a step without any stage seeing an overlap.

The gap of two shapes changes no faster than the points of one move in the axes of the other. To touch and part again
within a step they must travel the gap at its start, the gap at its end, and the way through each other: the sum of
their thicknesses where they meet centrally, less at the rim. A step is suspect when 1.2 times the mean of the speeds at
its two ends covers the gaps and a quarter of the thicknesses. Two spheres can then miss only a touch less deep than 3 %
of the sum of their radii.
"""

from __future__ import annotations

import math

from ..compiler import kernel
from ..kind_registry import SPHERE
from ..spatial import cross, dot, sub, vec
from .contact_layout import (
    BALL,
    FLIGHT_GAP,
    FLIGHT_SPEED,
    FLIGHT_STEP,
    GAP,
    SHAPE_CODE,
    SHAPE_OMEGA,
    SHAPE_P,
    SHAPE_V,
    THICKNESS,
)

THROUGH = 0.25  # fraction of the thicknesses that shapes may travel within a step besides their gaps
MORE = 1.2  # travel allowed for, over the mean of the speeds at both ends of the step


@kernel
def way_through(model, a, b):
    """Distance that two shapes may travel while they overlap [m]; infinite where one is a half-space."""
    return THROUGH * (model.shape_pose[a, THICKNESS] + model.shape_pose[b, THICKNESS])


@kernel
def speed_in_axes(model, ws, a, b):
    """Upper bound of the speed of the points of shape a in the axes of shape b [m/s]; of a sphere its centre."""
    # v_BAo_W: velocity of Ao relative to the frame of B, then omega_BA times the bounding radius
    away = sub(vec(ws.shapes, a, SHAPE_P), vec(ws.shapes, b, SHAPE_P))
    u = sub(vec(ws.shapes, a, SHAPE_V), vec(ws.shapes, b, SHAPE_V))
    u = sub(u, cross(vec(ws.shapes, b, SHAPE_OMEGA), away))
    speed = math.sqrt(dot(u, u))
    turn = sub(vec(ws.shapes, a, SHAPE_OMEGA), vec(ws.shapes, b, SHAPE_OMEGA))
    if model.shape_index[a, SHAPE_CODE] != SPHERE and dot(turn, turn) > 0.0:
        speed += math.sqrt(dot(turn, turn)) * model.shape_pose[a, BALL]
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
        gap = min(gap, sites[s, GAP])
    return gap


@kernel
def longest_undetected(model, ws, c, a, b, gap):
    """Two steps [s]: the longest from the last accepted state to this one in which the shapes cannot have passed
    through each other, and the longest that is safe at any gap. Infinite where nothing can pass unseen.
    """
    way, before = way_through(model, a, b), ws.flights[c, FLIGHT_GAP]
    if way == math.inf or before < 0.0 or gap < 0.0:
        return math.inf, math.inf
    speed = 0.5 * MORE * (ws.flights[c, FLIGHT_SPEED] + speed_of_gap(model, ws, a, b))
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
    if ws.ledger.step > longest:
        known = ws.flights[c, FLIGHT_STEP]
        ws.flights[c, FLIGHT_STEP] = sure if known == 0.0 else min(known, sure)
    ws.flights[c, FLIGHT_GAP] = gap
    ws.flights[c, FLIGHT_SPEED] = speed_of_gap(model, ws, a, b)
