"""Normal and friction laws of a contact site: forces, rates of their states, and stored energies.

Gonthier 2007, chapter 3, with depth = -x, rate = -v_n: both positive while the shapes press together.
"""

from __future__ import annotations

import math

from ...compiler import kernel
from ...kind_registry import BRISTLE, COULOMB, POWER
from ...spatial import add, dot, scale, sub
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

SLIDES = 2.0  # times the Stribeck, or transition, speed above which a contact counts as sliding: stick is exp(-4)
HALTING = (
    2.5  # step times decay rate at which an explicit method is still stable: friction then stops the slip in a step
)


@kernel
def powered(x, p):
    """x^p for x >= 0; the common exponents without a logarithm."""
    if p == 1.5:
        return x * math.sqrt(x)
    if p == 1.0:
        return x
    return x**p


@kernel
def relaxed(p, at, depth, touching, z, i, dz):
    """Depth of the spring: less the part present at touchdown, which decays (Gonthier 2007, eqs. 3.44 and 3.45) [m]."""
    if p[at + RELAXATION] > 0.0:
        dz[i] = -z[i] / p[at + RELAXATION]
        return depth - z[i] if touching else 0.0
    return depth


@kernel
def normal_force(law, p, at, k, depth, rate, speed, touching, z, i, dz):
    """Force of a built-in law [N], elastic force [N], energy [J], stiffness [N/m] and damping [N s/m].

    POWER: k x^p (1 + a rate) with a = LAW_DAMPING / speed (Gonthier 2007, eq. 3.19). KELVIN: k x + c rate.
    """
    x = relaxed(p, at, depth, touching, z, i, dz)
    if x <= 0.0:
        return 0.0, 0.0, 0.0, 0.0, 0.0
    if law == POWER:
        e = p[at + EXPONENT]
        elastic = k * powered(x, e)
        damping = elastic * p[at + LAW_DAMPING] / max(speed, p[at + SLOW_SPEED])
        stored = elastic * x / (e + 1.0)
        stiffness = e * elastic / x
    else:
        elastic = k * x
        damping = p[at + LAW_DAMPING]
        stored = 0.5 * elastic * x
        stiffness = k
    force = elastic + damping * rate
    if force < 0.0 and p[at + ADHESIVE] == 0.0:
        force = 0.0
    return force, elastic, stored, stiffness, damping


@kernel
def direction(u, small):
    """u / |u|, with a smooth passage through zero below the length `small` (Gonthier 2007, eq. 3.33, made C1)."""
    length = math.sqrt(dot(u, u))
    if length >= small:
        return scale(1.0 / length, u)
    r = length / small
    return scale((1.5 - 0.5 * r * r) / small, u)


@kernel
def saturated(u, most):
    """u, shortened to the length `most` (Gonthier 2007, eq. 3.39)."""
    length = math.sqrt(dot(u, u))
    if length <= most:
        return u
    return scale(most / length, u)


@kernel
def bristle_force(p, at, load, slip, normal, turning, z, i, dz):
    """Bristle friction on the first shape [N] and the energy in the bristles [J]; Gonthier 2007, eqs. 3.28 to 3.42.

    The deflection z is stored in world axes; `turning`, the angular velocity of the second shape, turns it with that
    shape, and only its component across the normal counts.
    """
    s0, s1, vs = p[at + BRISTLE_STIFFNESS], p[at + BRISTLE_DAMPING], p[at + STRIBECK]
    kinetic = p[at + KINETIC_FRICTION]
    state = (z[i], z[i + 1], z[i + 2])
    bent = sub(state, scale(dot(state, normal), normal))
    # stick s, eq. 3.30; rate of the deflection, eqs. 3.29, 3.31 and 3.34
    stick = math.exp(-dot(slip, slip) / (vs * vs))
    sliding = sub(scale(kinetic / s1, direction(slip, p[at + SMALL_SPEED])), scale(s0 / s1, bent))
    bending = add(scale(stick, slip), scale(1.0 - stick, sliding))
    # dwell s_dw and mu_max, eqs. 3.36 and 3.37
    dwell = stick
    if p[at + DWELL] > 0.0:
        dwell = z[i + 3]
        lag = p[at + DWELL] if stick >= dwell else s1 / s0
        dz[i + 3] = (stick - dwell) / lag
    most = kinetic + (p[at + STATIC] - kinetic) * dwell
    # saturation at mu_max, eq. 3.39, with a consistent rate, eq. 3.41; omega_WB x z turns it with B
    pull = add(scale(s0, bent), scale(s1, bending))
    if dot(pull, pull) > most * most:
        pull = saturated(pull, most)
        bending = scale(1.0 / s1, sub(pull, scale(s0, bent)))
    dz[i] = bending[0] + turning[1] * state[2] - turning[2] * state[1]
    dz[i + 1] = bending[1] + turning[2] * state[0] - turning[0] * state[2]
    dz[i + 2] = bending[2] + turning[0] * state[1] - turning[1] * state[0]
    force = scale(-load, add(pull, scale(p[at + VISCOUS], slip)))
    return force, 0.5 * load * s0 * dot(bent, bent)


@kernel
def sticking_damping(law, p, at, load):
    """`friction_damping` in stick: of the bristles, or 0.86 mu / v_s, the steepest Stribeck slope [N s/m]."""
    if law == BRISTLE:
        return load * max(p[at + BRISTLE_DAMPING], 0.86 * p[at + STATIC] / p[at + STRIBECK])
    if law == COULOMB:
        return load * 1.5 * p[at + KINETIC_FRICTION] / p[at + SMALL_SPEED]
    return 0.0


@kernel
def friction_damping(law, p, at, load, slip):
    """Upper bound of the derivative of friction by the slip at a slip speed [N s/m].

    Sliding resists a change of direction by mu / slip, and a step that removes all of the slip ends in stick: the step
    size must resolve HALTING times that.
    """
    sticking, small = sticking_damping(law, p, at, load), 0.0
    if law == BRISTLE:
        small = p[at + STRIBECK]
    elif law == COULOMB:
        small = p[at + SMALL_SPEED]
    if slip > SLIDES * small and small > 0.0:
        return min(load * HALTING * p[at + KINETIC_FRICTION] / slip, sticking)
    return sticking


@kernel
def coulomb_force(p, at, load, slip):
    """Kinetic friction, smooth through zero below the transition speed [N]."""
    return scale(-load * p[at + KINETIC_FRICTION], direction(slip, p[at + SMALL_SPEED]))
