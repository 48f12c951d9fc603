"""FASTSIM: tangential forces of rolling contact on strips of a patch by the simplified theory (Kalker 1982).

With creepages xi_x, xi_y, spin phi, flexibilities L and the pressure p = k_p (a^2 - x^2) / 2 R on a strip of half
length a(y), from the leading edge x = a backwards,

    dq_x/dx = xi_x / L1 - phi y / L3,   dq_y/dx = xi_y / L2 + phi x / L3,   |q| <= mu p.

A step is a trial with the midpoint slip, returned to the circle mu p at its end; where slip begins within the step is
interpolated, so that forces are of second order, and exact where nothing slips.
"""

from __future__ import annotations

import math

from ...compiler import entry_point, kernel
from ...rows import Row, table_of
from ...signatures import Vector


class PatchStrip(Row):
    """A strip of a patch along the direction of rolling."""

    y: float  # its position across [m]
    width: float  # its weight [m]
    half: float  # its half length a [m]


class RollingPatch(Row):
    """Numbers of a patch in rolling contact."""

    radius: float  # R of the parabola of pressure [m]
    pressure: float  # k_p [N/m^3]
    friction: float  # mu
    flexibility_x: float  # L1 [m^3/N]
    flexibility_y: float  # L2 [m^3/N]
    flexibility_spin: float  # L3 [m^3/N]


patch_strips, rolling_patch = table_of(PatchStrip), table_of(RollingPatch)


@kernel
def strip_forces(patch, strip, xi_x, xi_y, phi, steps):
    """Forces per width (x, y) [N/m] of a strip and the fraction of its length that slips."""
    y, a = strip.y, strip.half
    # increments of the trial per step: the two differential equations times dx
    dx = 2.0 * a / steps
    limit = patch.friction * patch.pressure / (2.0 * patch.radius)
    along = (xi_x / patch.flexibility_x - phi * y / patch.flexibility_spin) * dx
    across, turn = xi_y / patch.flexibility_y * dx, phi / patch.flexibility_spin * dx
    x, u, v = a, 0.0, 0.0
    force_x, force_y, sliding = 0.0, 0.0, 0.0
    for _ in range(steps):
        # trial traction (u, v), and the bound mu p at both ends of the step
        trial_u = u + along
        trial_v = v + across + turn * (x - 0.5 * dx)
        spare = limit * max(a * a - x * x, 0.0) - math.sqrt(u * u + v * v)
        x -= dx
        bound = limit * max(a * a - x * x, 0.0)
        size = math.sqrt(trial_u * trial_u + trial_v * trial_v)
        if size > bound:
            # adhesion up to where trial and bound meet, both linear over the step; slip from there on the circle mu p
            sticks = max(spare, 0.0) / (max(spare, 0.0) + size - bound)
            force_x += 0.5 * dx * sticks * (2.0 * u + sticks * (trial_u - u))
            force_y += 0.5 * dx * sticks * (2.0 * v + sticks * (trial_v - v))
            u += sticks * (trial_u - u)
            v += sticks * (trial_v - v)
            trial_u *= bound / size
            trial_v *= bound / size
            slips = 1.0 - sticks
            sliding += slips
        else:
            slips = 1.0
        # trapezoidal rule
        force_x += 0.5 * dx * slips * (u + trial_u)
        force_y += 0.5 * dx * slips * (v + trial_v)
        u, v = trial_u, trial_v
    return force_x, force_y, sliding / steps


@kernel
def patch_forces(patch, strips, xi_x, xi_y, phi, steps):
    """Forces (x, y) [N] of a patch on the rail along the creepage, and the fraction of its area that slips."""
    force_x, force_y, sliding, area = 0.0, 0.0, 0.0, 0.0
    for i in range(len(strips)):
        strip = strips[i]
        a, w = strip.half, strip.width
        x, y, slips = strip_forces(patch, strip, xi_x, xi_y, phi, steps)
        force_x += w * x
        force_y += w * y
        sliding += w * a * slips
        area += w * a
    return force_x, force_y, sliding / area


@entry_point
def creep_forces(strips: Vector, numbers: Vector, creepages: Vector, steps: int, out: Vector) -> None:
    """Forces (x, y) [N] and slipping fraction of the area into out (3,); strips (3 n,), creepages (x, y, spin)."""
    patch, table = rolling_patch(numbers), patch_strips(strips, 0)
    out[0], out[1], out[2] = patch_forces(patch, table, creepages[0], creepages[1], creepages[2], steps)
