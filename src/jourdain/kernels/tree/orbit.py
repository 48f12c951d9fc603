"""The world as an orbital frame: its motion, and gravity on every body.

The frame's origin moves on a Keplerian orbit; x is outward along the local vertical, y horizontal towards the motion,
z along the orbit normal. Coordinates are relative to it. Inside the recursions velocities are those seen from axes
that move with the origin and do not turn, so that row 0 turns with the rate Omega of the true anomaly and every
inertial force of the turning frame (centrifugal, Coriolis, Euler) comes out of the recursions as they are. Those axes
fall with the acceleration of gravity at the origin, so that bodies feel gravity at their place less gravity there.

What a user sees is relative to the frame again. With T the kinetic energy of relative velocities, V the potential of
gravity less that of the origin's, and C = -1/2 int |Omega x p|^2 dm, the energy T + V + C obeys

    d/dt (T + V + C) = power of forces - Omega' . L + dV/dt at fixed place,

L being the angular momentum about the origin seen from axes that do not turn. In a circular orbit the last two terms
vanish and T + V + C is the Jacobi integral; in an elliptic one they are booked as work of the frame.
"""

from __future__ import annotations

import math

from ..algebra import Vec3
from ..bodies.body_dispatch import internal_attraction, internal_forces_at
from ..bodies.gravity_gradient import (
    central_field,
    central_potential,
    central_wrench,
    oblate_field,
    oblate_potential,
    oblate_wrench,
)
from ..columns import (
    ACC,
    ECCENTRICITY,
    FORCE,
    INCLINATION,
    JW,
    MASS,
    MC,
    MEAN_ANOMALY,
    MEAN_MOTION,
    MU,
    OBLATENESS,
    OMEGA,
    PERIGEE,
    POS,
    SEMI_AXIS,
    VEL,
    N,
)
from ..compiler import entry_point, kernel, optional_kernel
from ..signatures import Vector
from ..spatial import accumulate3, add, add6, cross, dot, scale, sub, sym, sym_times, vec


@kernel
def eccentric_anomaly(M, e):
    """E of Kepler's equation E - e sin E = M, to rounding, |M| <= pi.

    Newton's method from above: on (0, pi) the function is convex, and not negative at each of pi, M + e and
    M / (1 - e), so that it falls to the root without overshoot, for every e < 1.
    """
    sign = -1.0 if M < 0.0 else 1.0
    M = sign * M
    E = min(math.pi, M + e, M / (1.0 - e))
    for _ in range(100):
        step = (E - e * math.sin(E) - M) / (1.0 - e * math.cos(E))
        E -= step
        if step <= 1e-16 * E:
            break
    return sign * E


@kernel
def keplerian(orbit, t):
    """Radius, its rate, rate of the true anomaly, its rate, and the true anomaly at time t."""
    a, e, n = orbit[SEMI_AXIS], orbit[ECCENTRICITY], orbit[MEAN_MOTION]
    M = orbit[MEAN_ANOMALY] + n * t
    if e == 0.0:
        return a, 0.0, n, 0.0, M
    M -= 2.0 * math.pi * math.floor(M / (2.0 * math.pi) + 0.5)
    E = eccentric_anomaly(M, e)
    s, c = math.sin(E), math.cos(E)
    w = 1.0 - e * c
    b = math.sqrt(1.0 - e * e)
    R = a * w
    rate = n * a * e * s / w
    spin = n * b / (w * w)
    return R, rate, spin, -2.0 * spin * rate / R, math.atan2(b * s, c - e)


@entry_point
def orbital_frame(orbit: Vector, t: float, out: Vector) -> None:
    """`keplerian` into out (5,)."""
    out[0], out[1], out[2], out[3], out[4] = keplerian(orbit, t)


@optional_kernel("orbit")
def place_frame(model, ws):
    """Rotation of row 0, and radius and pole of the frame, at the time ws.ledger.time."""
    gravity, ledger, work = model.gravity, ws.ledger, ws.work
    R, rate, spin, spin_rate, anomaly = keplerian(gravity, ledger.time.real)
    ledger.radius, ledger.radius_rate = R, rate
    work[0, OMEGA + 2] = spin
    work[0, ACC + 2] = spin_rate
    if gravity[OBLATENESS] != 0.0:
        u, i = gravity[PERIGEE] + anomaly, gravity[INCLINATION]
        ledger.pole = Vec3(math.sin(i) * math.sin(u), math.sin(i) * math.cos(u), math.cos(i))


@kernel
def strength(gravity):
    """1/2 mu J2 times the square of the equatorial radius [m^5/s^2]."""
    return 0.5 * gravity[MU] * gravity[OBLATENESS]


@kernel
def pole(ledger):
    """Axis of the attracting body."""
    return tuple(ledger.pole)


@kernel
def centred(data, work, i):
    """Mass, first moment c about the origin, place of the centre of mass, and inertia about it, of body i."""
    m, c = data[i, MASS], vec(work, i, MC)
    w = 1.0 / m if m > 0.0 else 0.0
    d = scale(w, c)
    xx, yy, zz, xy, xz, yz = sym(work, i, JW)
    J = (
        xx - c[1] * d[1] - c[2] * d[2],
        yy - c[0] * d[0] - c[2] * d[2],
        zz - c[0] * d[0] - c[1] * d[1],
        xy + c[0] * d[1],
        xz + c[0] * d[2],
        yz + c[1] * d[2],
    )
    return m, c, add(vec(work, i, POS), d), J


@kernel
def pull(gravity, ledger, m, x, J):
    """Moment about the centre of mass and force of gravity, less that at the frame's origin."""
    moment, force = central_wrench(gravity[MU], ledger.radius, x, m, J)
    if gravity[OBLATENESS] != 0.0:
        more, more_f = oblate_wrench(strength(gravity), pole(ledger), ledger.radius, x, m, J)
        moment, force = add(moment, more), add(force, more_f)
    return moment, force


@optional_kernel("orbit")
def attract_bodies(model, ws, first, last):
    """Lets gravity, less that at the frame's origin, act on the bodies from `first` to before `last`."""
    gravity, data, ledger, work = model.gravity, model.data, ws.ledger, ws.work
    for i in range(first, last):
        m, c, x, J = centred(data, work, i)
        moment, force = pull(gravity, ledger, m, x, J)
        arm = scale(1.0 / m if m > 0.0 else 0.0, c)
        accumulate3(work, i, FORCE, scale(-1.0, add(moment, cross(arm, force))))
        accumulate3(work, i, FORCE + 3, scale(-1.0, force))


@optional_kernel("orbit")
def attract_internal(model, ws, q, v, first, last):
    """Lets the same gravity act on the internal coordinates of these bodies.

    With P_k = dc/de_k, and J about the body's origin, V = m U(x + c/m) + 1/2 G : (J - (c^2 1 - c c^T) / m) gives
    -dV/de_k = P_k . (force - G c) / m - 1/2 G : dJ/de_k.
    """
    gravity, ledger = model.gravity, ws.ledger
    for i in range(first, last):
        if model.table[i, N] > 0 and model.data[i, MASS] > 0.0:
            m, c, x, J = centred(model.data, ws.work, i)
            _, force = pull(gravity, ledger, m, x, J)
            _, G = central_field(gravity[MU], ledger.radius, x)
            if gravity[OBLATENESS] != 0.0:
                G = add6(G, oblate_field(strength(gravity), pole(ledger), ledger.radius, x)[1])
            internal_attraction(model, ws, i, q, v, scale(1.0 / m, sub(force, sym_times(G, c))), G)


@kernel
def body_attraction(model, ws, i, q, v, out, at):
    """What gravity, less that at the frame's origin, does to body i, into out[at]: moment, force, world axes, and the
    forces on its internal coordinates. It leaves those in the body's block b."""
    for k in range(6 + model.table[i, N]):
        out[at + k] = 0.0
    if model.gravity.size > 3:
        attract_body(model, ws, i, q, v, out, at)


@optional_kernel("orbit")
def attract_body(model, ws, i, q, v, out, at):
    """`body_attraction` in an orbit."""
    gravity, ledger, n = model.gravity, ws.ledger, model.table[i, N]
    m, c, x, J = centred(model.data, ws.work, i)
    moment, force = pull(gravity, ledger, m, x, J)
    out[at], out[at + 1], out[at + 2] = add(moment, cross(scale(1.0 / m if m > 0.0 else 0.0, c), force))
    out[at + 3], out[at + 4], out[at + 5] = force
    be = internal_forces_at(model, i)
    for k in range(n):
        ws.flex[be + k] = 0.0
    attract_internal(model, ws, q, v, 1, model.table.shape[0])
    for k in range(n):
        out[at + 6 + k] = -ws.flex[be + k]


@kernel
def relative_motion(model, ws, i):
    """Angular velocity of body i and velocity of its origin, relative to the world."""
    omega, velocity = vec(ws.work, i, OMEGA), vec(ws.work, i, VEL)
    if model.gravity.size > 3:
        spin = vec(ws.work, 0, OMEGA)
        return sub(omega, spin), sub(velocity, cross(spin, vec(ws.work, i, POS)))
    return omega, velocity


@kernel
def relative_acceleration(model, ws, i):
    """Angular acceleration of body i and acceleration of its origin, relative to the world."""
    alpha = vec(ws.work, i, ACC)
    a = sub(vec(ws.work, i, ACC + 3), vec(ws.work, 0, ACC + 3))
    if model.gravity.size > 3:
        spin, spin_rate, x = vec(ws.work, 0, OMEGA), vec(ws.work, 0, ACC), vec(ws.work, i, POS)
        omega, velocity = relative_motion(model, ws, i)
        alpha = sub(alpha, add(spin_rate, cross(spin, omega)))
        a = sub(a, add(cross(spin_rate, x), cross(spin, add(scale(2.0, velocity), cross(spin, x)))))
    return alpha, a


@optional_kernel("orbit", returns=1)
def orbital_potential(model, ws):
    """V + C of all bodies, zero for particles at the frame's origin [J]."""
    gravity, ledger = model.gravity, ws.ledger
    spin = vec(ws.work, 0, OMEGA)
    energy = 0.0 * ws.work[0, 0]
    for i in range(1, model.table.shape[0]):
        m, _, x, J = centred(model.data, ws.work, i)
        energy += central_potential(gravity[MU], ledger.radius, x, m, J)
        if gravity[OBLATENESS] != 0.0:
            energy += oblate_potential(strength(gravity), pole(ledger), ledger.radius, x, m, J)
        around = cross(spin, x)
        energy -= 0.5 * (m * dot(around, around) + dot(spin, sym_times(J, spin)))
    return energy


@optional_kernel("orbit", returns=1)
def potential_rate(model, ws):
    """dV/dt at fixed places in the frame [W]: its origin moves along the radius, and the pole turns.

    V less its value at the origin depends on R through the places and through g(R) = -mu / R^2, and turning the pole by
    -Omega dt is as turning all bodies by Omega dt about the attracting centre.
    """
    gravity, ledger = model.gravity, ws.ledger
    mu, R, rate = gravity[MU], ledger.radius, ledger.radius_rate
    power = 0.0 * ws.work[0, 0]
    here = (power, power, power)
    spin = vec(ws.work, 0, OMEGA)
    for i in range(1, model.table.shape[0]):
        m, _, x, J = centred(model.data, ws.work, i)
        _, force = central_wrench(mu, R, x, m, J)
        power += rate * (2.0 * mu / (R * R * R) * m * x[0] - force[0])
        if gravity[OBLATENESS] != 0.0:
            moment, force = oblate_wrench(strength(gravity), pole(ledger), R, x, m, J)
            origin = scale(m, oblate_field(strength(gravity), pole(ledger), R, here)[0])
            power -= rate * (force[0] - origin[0])
            turning = add(moment, cross((R + x[0], x[1], x[2]), force))
            power -= dot(spin, sub(turning, cross((R, 0.0 * R, 0.0 * R), origin)))
    return power
