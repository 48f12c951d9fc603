"""Derivatives of the contact laws, forward mode: the first-order change of each law for given changes of its arguments.

Each function differentiates its law in laws/normal_and_friction.py line by line, in the branch that the law takes.
"""

from __future__ import annotations

import math

from ...compiler import kernel
from ...kind_registry import POWER
from ...spatial import add, cross, dot, scale, sub
from ..contact_layout import (
    ADHESIVE,
    BRISTLE_DAMPING,
    BRISTLE_STIFFNESS,
    DWELL,
    EXPONENT,
    KINETIC_FRICTION,
    LAW_DAMPING,
    RELAXATION,
    SLOW_SPEED,
    SMALL_SPEED,
    STATIC,
    STRIBECK,
    VISCOUS,
)
from .normal_and_friction import direction, powered


@kernel
def normal_change(law, p, at, k, depth, rate, speed, touching, relaxed, d_depth, d_rate, d_relaxed):
    """Change of `normal_force`; `relaxed` is its state. Before touchdown its impact speed is at least the rate."""
    x, dx = depth, d_depth
    if p[at + RELAXATION] > 0.0:
        if not touching:
            return 0.0
        x, dx = depth - relaxed, d_depth - d_relaxed
    if x <= 0.0:
        return 0.0
    if law == POWER:
        e = p[at + EXPONENT]
        elastic = k * powered(x, e)
        stiffness = e * elastic / x
        # before touchdown the impact speed is the rate itself: a rate is constant then
        rising = not touching and rate > speed
        least = max(rate if rising else speed, p[at + SLOW_SPEED])
        a = p[at + LAW_DAMPING] / least
        force = elastic * (1.0 + a * rate)
        change = stiffness * dx * (1.0 + a * rate)
        if not (rising and rate > p[at + SLOW_SPEED]):
            change += elastic * a * d_rate
    else:
        force = k * x + p[at + LAW_DAMPING] * rate
        change = k * dx + p[at + LAW_DAMPING] * d_rate
    if force < 0.0 and p[at + ADHESIVE] == 0.0:
        return 0.0
    return change


@kernel
def direction_change(u, small, du):
    """Change of `direction`."""
    length = math.sqrt(dot(u, u))
    if length >= small:
        e = scale(1.0 / length, u)
        return scale(1.0 / length, sub(du, scale(dot(e, du), e)))
    r = length / small
    return sub(scale((1.5 - 0.5 * r * r) / small, du), scale(dot(u, du) / (small * small * small), u))


@kernel
def coulomb_change(p, at, load, slip, d_load, d_slip):
    """Change of `coulomb_force`."""
    small = p[at + SMALL_SPEED]
    change = add(scale(d_load, direction(slip, small)), scale(load, direction_change(slip, small, d_slip)))
    return scale(-p[at + KINETIC_FRICTION], change)


@kernel
def bristle_change(
    p, at, load, slip, normal, turning, state, dwell, d_load, d_slip, d_normal, d_turning, d_state, d_dwell
):
    """Changes of `bristle_force` and of the rates of its states: force (3), deflection (3), dwell."""
    s0, s1, vs = p[at + BRISTLE_STIFFNESS], p[at + BRISTLE_DAMPING], p[at + STRIBECK]
    kinetic, small = p[at + KINETIC_FRICTION], p[at + SMALL_SPEED]
    # deflection across the normal, and its change
    along = dot(state, normal)
    bent = sub(state, scale(along, normal))
    d_along = dot(d_state, normal) + dot(state, d_normal)
    d_bent = sub(d_state, add(scale(d_along, normal), scale(along, d_normal)))
    # stick s, eq. 3.30, and dz/dt of eqs. 3.29 and 3.34
    stick = math.exp(-dot(slip, slip) / (vs * vs))
    d_stick = -2.0 * dot(slip, d_slip) / (vs * vs) * stick
    sliding = sub(scale(kinetic / s1, direction(slip, small)), scale(s0 / s1, bent))
    d_sliding = sub(scale(kinetic / s1, direction_change(slip, small, d_slip)), scale(s0 / s1, d_bent))
    bending = add(scale(stick, slip), scale(1.0 - stick, sliding))
    d_bending = add(scale(d_stick, sub(slip, sliding)), add(scale(stick, d_slip), scale(1.0 - stick, d_sliding)))
    # dwell and mu_max, eqs. 3.36 and 3.37
    d_rest = 0.0
    if p[at + DWELL] > 0.0:
        lag = p[at + DWELL] if stick >= dwell else s1 / s0
        d_rest = (d_stick - d_dwell) / lag
    else:
        dwell, d_dwell = stick, d_stick
    most = kinetic + (p[at + STATIC] - kinetic) * dwell
    # saturation, eqs. 3.39 and 3.41: the length is mu_max, only the direction follows the pull
    pull = add(scale(s0, bent), scale(s1, bending))
    d_pull = add(scale(s0, d_bent), scale(s1, d_bending))
    size = math.sqrt(dot(pull, pull))
    if size > most:
        e = scale(1.0 / size, pull)
        across = scale(most / size, sub(d_pull, scale(dot(e, d_pull), e)))
        d_pull = add(across, scale((p[at + STATIC] - kinetic) * d_dwell, e))
        pull = scale(most, e)
        d_bending = scale(1.0 / s1, sub(d_pull, scale(s0, d_bent)))
    # transport by omega_WB, and the friction force, eq. 3.42
    d_rate = add(d_bending, add(cross(d_turning, state), cross(turning, d_state)))
    viscous = p[at + VISCOUS]
    d_force = add(scale(d_load, add(pull, scale(viscous, slip))), scale(load, add(d_pull, scale(viscous, d_slip))))
    return scale(-1.0, d_force), d_rate, d_rest
