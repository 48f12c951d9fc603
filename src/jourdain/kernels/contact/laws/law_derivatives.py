"""Derivatives of the contact laws, forward mode: the first-order change of each law for given changes of its arguments.

Each function differentiates its law in laws/normal_and_friction.py line by line, in the branch that the law takes.
"""

from __future__ import annotations

import math

from ...algebra import cross
from ...compiler import kernel
from ...kind_registry import POWER
from .normal_and_friction import direction, powered


@kernel
def normal_change(code, law, k, depth, rate, speed, touching, relaxed, d_depth, d_rate, d_relaxed):
    """Change of `normal_force`; `relaxed` is its state. Before touchdown its impact speed is at least the rate."""
    x, dx = depth, d_depth
    if law.relaxation > 0.0:
        if not touching:
            return 0.0
        x, dx = depth - relaxed, d_depth - d_relaxed
    if x <= 0.0:
        return 0.0
    if code == POWER:
        e = law.exponent
        elastic = k * powered(x, e)
        stiffness = e * elastic / x
        # before touchdown the impact speed is the rate itself: a rate is constant then
        rising = not touching and rate > speed
        least = max(rate if rising else speed, law.slow_speed)
        a = law.damping / least
        force = elastic * (1.0 + a * rate)
        change = stiffness * dx * (1.0 + a * rate)
        if not (rising and rate > law.slow_speed):
            change += elastic * a * d_rate
    else:
        force = k * x + law.damping * rate
        change = k * dx + law.damping * d_rate
    if force < 0.0 and not law.adhesive:
        return 0.0
    return change


@kernel
def direction_change(u, small, du):
    """Change of `direction`."""
    length = math.sqrt(u @ u)
    if length >= small:
        e = 1.0 / length * u
        return 1.0 / length * (du - (e @ du) * e)
    r = length / small
    return (1.5 - 0.5 * r * r) / small * du - (u @ du) / (small * small * small) * u


@kernel
def coulomb_change(law, load, slip, d_load, d_slip):
    """Change of `coulomb_force`."""
    small = law.small_speed
    change = d_load * direction(slip, small) + load * direction_change(slip, small, d_slip)
    return -law.kinetic * change


@kernel
def bristle_change(
    law, load, slip, normal, turning, state, dwell, d_load, d_slip, d_normal, d_turning, d_state, d_dwell
):
    """Changes of `bristle_force` and of the rates of its states: force (3), deflection (3), dwell."""
    s0, s1, vs = law.stiffness, law.damping, law.stribeck
    kinetic, small = law.kinetic, law.small_speed
    # deflection across the normal, and its change
    along = state @ normal
    bent = state - along * normal
    d_along = d_state @ normal + state @ d_normal
    d_bent = d_state - (d_along * normal + along * d_normal)
    # stick s, eq. 3.30, and dz/dt of eqs. 3.29 and 3.34
    stick = math.exp(-(slip @ slip) / (vs * vs))
    d_stick = -2.0 * (slip @ d_slip) / (vs * vs) * stick
    sliding = kinetic / s1 * direction(slip, small) - s0 / s1 * bent
    d_sliding = kinetic / s1 * direction_change(slip, small, d_slip) - s0 / s1 * d_bent
    bending = stick * slip + (1.0 - stick) * sliding
    d_bending = d_stick * (slip - sliding) + (stick * d_slip + (1.0 - stick) * d_sliding)
    # dwell and mu_max, eqs. 3.36 and 3.37
    d_rest = 0.0
    if law.dwell > 0.0:
        lag = law.dwell if stick >= dwell else s1 / s0
        d_rest = (d_stick - d_dwell) / lag
    else:
        dwell, d_dwell = stick, d_stick
    most = kinetic + (law.static - kinetic) * dwell
    # saturation, eqs. 3.39 and 3.41: the length is mu_max, only the direction follows the pull
    pull = s0 * bent + s1 * bending
    d_pull = s0 * d_bent + s1 * d_bending
    size = math.sqrt(pull @ pull)
    if size > most:
        e = 1.0 / size * pull
        across = most / size * (d_pull - (e @ d_pull) * e)
        d_pull = across + (law.static - kinetic) * d_dwell * e
        pull = most * e
        d_bending = 1.0 / s1 * (d_pull - s0 * d_bent)
    # transport by omega_WB, and the friction force, eq. 3.42
    d_rate = d_bending + (cross(d_turning, state) + cross(turning, d_state))
    viscous = law.viscous
    d_force = d_load * (pull + viscous * slip) + load * (d_pull + viscous * d_slip)
    return -d_force, d_rate, d_rest
