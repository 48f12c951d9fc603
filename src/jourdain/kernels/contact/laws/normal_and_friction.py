"""Normal and friction laws of a contact site: forces, rates of their states, and stored energies.

Gonthier 2007, chapter 3. His x is the gap: depth = -x and rate = -v_n are positive while the shapes press together, and
in `normal_force` x is the depth of the spring. Bristles have a stiffness and a damping a unit of load, [1/m] and [s/m].
"""

from __future__ import annotations

import math

from ...algebra import cross
from ...compiler import kernel
from ...flat_arrays import put_value, vector_at
from ...kind_registry import BRISTLE, COULOMB, POWER

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
def relaxed(law, depth, touching, z, i, dz):
    """Depth of the spring: less the part present at touchdown, which decays (Gonthier 2007, eqs. 3.44 and 3.45) [m]."""
    if law.relaxation > 0.0:
        dz[i] = -z[i] / law.relaxation
        return depth - z[i] if touching else 0.0
    return depth


@kernel
def normal_force(code, law, k, depth, rate, speed, touching, z, i, dz):
    """Force of a built-in law [N], elastic force [N], energy [J], stiffness [N/m] and damping [N s/m].

    `law` is a row of `NormalParameters`. POWER: k x^p (1 + a rate) with a = damping / speed (Gonthier 2007, eq. 3.19).
    KELVIN: k x + c rate.
    """
    x = relaxed(law, depth, touching, z, i, dz)
    if x <= 0.0:
        return 0.0, 0.0, 0.0, 0.0, 0.0
    if code == POWER:
        e = law.exponent
        elastic = k * powered(x, e)
        damping = elastic * law.damping / max(speed, law.slow_speed)
        stored = elastic * x / (e + 1.0)
        stiffness = e * elastic / x
    else:
        elastic = k * x
        damping = law.damping
        stored = 0.5 * elastic * x
        stiffness = k
    force = elastic + damping * rate
    if force < 0.0 and not law.adhesive:
        force = 0.0
    return force, elastic, stored, stiffness, damping


@kernel
def direction(u, small):
    """u / |u|, with a smooth passage through zero below the length `small` (Gonthier 2007, eq. 3.33, made C1)."""
    length = math.sqrt(u @ u)
    if length >= small:
        return 1.0 / length * u
    r = length / small
    return (1.5 - 0.5 * r * r) / small * u


@kernel
def saturated(u, most):
    """u, shortened to the length `most` (Gonthier 2007, eq. 3.39)."""
    length = math.sqrt(u @ u)
    if length <= most:
        return u
    return most / length * u


@kernel
def bristle_force(law, load, slip, normal, turning, z, i, dz):
    """Bristle friction on the first shape [N] and the energy in the bristles [J]; Gonthier 2007, eqs. 3.28 to 3.42.

    The deflection z is stored in world axes; `turning`, the angular velocity of the second shape, turns it with that
    shape, and only its component across the normal counts.
    """
    s0, s1, vs, kinetic = law.stiffness, law.damping, law.stribeck, law.kinetic
    state = vector_at(z, i)
    bent = state - (state @ normal) * normal
    # stick s, eq. 3.30; rate of the deflection, eqs. 3.29, 3.31 and 3.34
    stick = math.exp(-(slip @ slip) / (vs * vs))
    sliding = kinetic / s1 * direction(slip, law.small_speed) - s0 / s1 * bent
    bending = stick * slip + (1.0 - stick) * sliding
    # dwell s_dw and mu_max, eqs. 3.36 and 3.37
    dwell = stick
    if law.dwell > 0.0:
        dwell = z[i + 3]
        lag = law.dwell if stick >= dwell else s1 / s0
        dz[i + 3] = (stick - dwell) / lag
    most = kinetic + (law.static - kinetic) * dwell
    # saturation at mu_max, eq. 3.39, with a consistent rate, eq. 3.41; omega_WB x z turns it with B
    pull = s0 * bent + s1 * bending
    if pull @ pull > most * most:
        pull = saturated(pull, most)
        bending = 1.0 / s1 * (pull - s0 * bent)
    put_value(dz, i, bending + cross(turning, state))
    force = -load * (pull + law.viscous * slip)
    return force, 0.5 * load * s0 * (bent @ bent)


@kernel
def sticking_damping(code, law, load):
    """`friction_damping` in stick: of the bristles, or 0.86 mu / v_s, the steepest Stribeck slope [N s/m]."""
    if code == BRISTLE:
        return load * max(law.damping, 0.86 * law.static / law.stribeck)
    if code == COULOMB:
        return load * 1.5 * law.kinetic / law.small_speed
    return 0.0


@kernel
def friction_damping(code, law, load, slip):
    """Damping of friction that a step has to resolve, at a slip speed [N s/m]; viscous friction is left out.

    Sliding resists a change of direction by mu / slip, and a step that removes all of the slip ends in stick: the step
    size must resolve HALTING times that.
    """
    sticking, small = sticking_damping(code, law, load), 0.0
    if code == BRISTLE:
        small = law.stribeck
    elif code == COULOMB:
        small = law.small_speed
    if slip > SLIDES * small and small > 0.0:
        return min(load * HALTING * law.kinetic / slip, sticking)
    return sticking


@kernel
def coulomb_force(law, load, slip):
    """Kinetic friction, smooth through zero below the transition speed [N]."""
    return -load * law.kinetic * direction(slip, law.small_speed)
