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

from ..algebra import Motion, Sym3, Vec3, Wrench, cross
from ..bodies.body_dispatch import internal_attraction, internal_forces_at
from ..bodies.gravity_gradient import (
    central_field,
    central_potential,
    central_wrench,
    oblate_field,
    oblate_potential,
    oblate_wrench,
)
from ..compiler import entry_point, kernel, optional_kernel
from ..flat_arrays import put_value
from ..rows import table_of
from ..signatures import Vector
from .tree_rows import Orbit

orbit_of = table_of(Orbit)


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
    a, e, n = orbit.semi_axis, orbit.eccentricity, orbit.mean_motion
    M = orbit.mean_anomaly + n * t
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
    out[0], out[1], out[2], out[3], out[4] = keplerian(orbit_of(orbit), t)


@optional_kernel("orbit")
def place_frame(model, ws):
    """Rotation of row 0, and radius and pole of the frame, at the time ws.ledger.time."""
    orbit, ledger, world = model.orbit, ws.ledger, ws.bodies[0]
    R, rate, spin, spin_rate, anomaly = keplerian(orbit, ledger.time.real)
    ledger.radius, ledger.radius_rate = R, rate
    world.omega = Vec3(0.0, 0.0, spin)
    world.acceleration = Motion(Vec3(0.0, 0.0, spin_rate), world.acceleration.linear)
    if orbit.oblateness != 0.0:
        u, i = orbit.perigee + anomaly, orbit.inclination
        ledger.pole = Vec3(math.sin(i) * math.sin(u), math.sin(i) * math.cos(u), math.cos(i))


@kernel
def strength(orbit):
    """1/2 mu J2 times the square of the equatorial radius [m^5/s^2]."""
    return 0.5 * orbit.mu * orbit.oblateness


@kernel
def centred(model, ws, i):
    """Mass, first moment c about the origin, place of the centre of mass, and inertia about it, of body i."""
    m, c, J = model.bodies[i].mass, ws.bodies[i].first_moment, ws.bodies[i].inertia
    d = inverse_mass(m) * c
    about_centre = Sym3(
        J.xx - c.y * d.y - c.z * d.z,
        J.yy - c.x * d.x - c.z * d.z,
        J.zz - c.x * d.x - c.y * d.y,
        J.xy + c.x * d.y,
        J.xz + c.x * d.z,
        J.yz + c.y * d.z,
    )
    return m, c, ws.bodies[i].p_WB + d, about_centre


@kernel
def inverse_mass(m):
    """1 / m, of a body without mass zero."""
    return 1.0 / m if m > 0.0 else 0.0


@kernel
def pull(orbit, ledger, m, x, J):
    """Wrench of gravity about the centre of mass, less that at the frame's origin."""
    f = central_wrench(orbit.mu, ledger.radius, x, m, J)
    if orbit.oblateness != 0.0:
        f += oblate_wrench(strength(orbit), ledger.pole, ledger.radius, x, m, J)
    return f


@optional_kernel("orbit")
def attract_bodies(model, ws, first, last):
    """Lets gravity, less that at the frame's origin, act on the bodies from `first` to before `last`."""
    for i in range(first, last):
        m, c, x, J = centred(model, ws, i)
        f = pull(model.orbit, ws.ledger, m, x, J)
        ws.bodies[i].bias_force += -Wrench(f.moment + cross(inverse_mass(m) * c, f.force), f.force)


@optional_kernel("orbit")
def attract_internal(model, ws, q, v, first, last):
    """Lets the same gravity act on the internal coordinates of these bodies.

    With P_k = dc/de_k, and J about the body's origin, V = m U(x + c/m) + 1/2 G : (J - (c^2 1 - c c^T) / m) gives
    -dV/de_k = P_k . (force - G c) / m - 1/2 G : dJ/de_k.
    """
    orbit, ledger = model.orbit, ws.ledger
    for i in range(first, last):
        if model.tree[i].ne > 0 and model.bodies[i].mass > 0.0:
            m, c, x, J = centred(model, ws, i)
            f = pull(orbit, ledger, m, x, J)
            _, G = central_field(orbit.mu, ledger.radius, x)
            if orbit.oblateness != 0.0:
                _, more = oblate_field(strength(orbit), ledger.pole, ledger.radius, x)
                G += more
            internal_attraction(model, ws, i, q, v, 1.0 / m * (f.force - G @ c), G)


@kernel
def body_attraction(model, ws, i, q, v, out, at):
    """What gravity, less that at the frame's origin, does to body i, into out[at]: moment, force, world axes, and the
    forces on its internal coordinates. It leaves those in the body's block b."""
    for k in range(6 + model.tree[i].ne):
        out[at + k] = 0.0
    if model.gravity.size > 3:
        attract_body(model, ws, i, q, v, out, at)


@optional_kernel("orbit")
def attract_body(model, ws, i, q, v, out, at):
    """`body_attraction` in an orbit."""
    n = model.tree[i].ne
    m, c, x, J = centred(model, ws, i)
    f = pull(model.orbit, ws.ledger, m, x, J)
    put_value(out, at, Wrench(f.moment + cross(inverse_mass(m) * c, f.force), f.force))
    be = internal_forces_at(model, i)
    for k in range(n):
        ws.flex[be + k] = 0.0
    attract_internal(model, ws, q, v, 1, len(model.tree))
    for k in range(n):
        out[at + 6 + k] = -ws.flex[be + k]


@kernel
def relative_motion(model, ws, i):
    """Velocity of body i, at its origin, relative to the world."""
    body = ws.bodies[i]
    if model.gravity.size > 3:
        spin = ws.bodies[0].omega
        return Motion(body.omega - spin, body.velocity - cross(spin, body.p_WB))
    return Motion(body.omega, body.velocity)


@kernel
def relative_acceleration(model, ws, i):
    """Acceleration of body i, at its origin, relative to the world."""
    body, world = ws.bodies[i], ws.bodies[0]
    alpha, a = body.acceleration.angular, body.acceleration.linear - world.acceleration.linear
    if model.gravity.size > 3:
        spin, spin_rate, x = world.omega, world.acceleration.angular, body.p_WB
        V = relative_motion(model, ws, i)
        alpha -= spin_rate + cross(spin, V.angular)
        a -= cross(spin_rate, x) + cross(spin, 2.0 * V.linear + cross(spin, x))
    return Motion(alpha, a)


@optional_kernel("orbit", returns=1)
def orbital_potential(model, ws):
    """V + C of all bodies, zero for particles at the frame's origin [J]."""
    orbit, ledger, spin = model.orbit, ws.ledger, ws.bodies[0].omega
    energy = spin.zero.x
    for i in range(1, len(model.tree)):
        m, _, x, J = centred(model, ws, i)
        energy += central_potential(orbit.mu, ledger.radius, x, m, J)
        if orbit.oblateness != 0.0:
            energy += oblate_potential(strength(orbit), ledger.pole, ledger.radius, x, m, J)
        around = cross(spin, x)
        energy -= 0.5 * (m * (around @ around) + spin @ (J @ spin))
    return energy


@optional_kernel("orbit", returns=1)
def potential_rate(model, ws):
    """dV/dt at fixed places in the frame [W]: its origin moves along the radius, and the pole turns.

    V less its value at the origin depends on R through the places and through g(R) = -mu / R^2, and turning the pole by
    -Omega dt is as turning all bodies by Omega dt about the attracting centre.
    """
    orbit, ledger, spin = model.orbit, ws.ledger, ws.bodies[0].omega
    mu, R, rate = orbit.mu, ledger.radius, ledger.radius_rate
    power, here = spin.zero.x, spin.zero
    centre = Vec3(R, 0.0, 0.0)
    for i in range(1, len(model.tree)):
        m, _, x, J = centred(model, ws, i)
        f = central_wrench(mu, R, x, m, J)
        power += rate * (2.0 * mu / (R * R * R) * m * x.x - f.force.x)
        if orbit.oblateness != 0.0:
            f = oblate_wrench(strength(orbit), ledger.pole, R, x, m, J)
            g, _ = oblate_field(strength(orbit), ledger.pole, R, here)
            origin = m * g
            power -= rate * (f.force.x - origin.x)
            turning = f.moment + cross(centre + x, f.force)
            power -= spin @ (turning - cross(centre, origin))
    return power
