"""Energy, momentum and centre of mass, after `kinematics`; and the power of an orbital frame."""

from __future__ import annotations

from ..algebra import Vec3, Wrench, cross
from ..compiler import kernel, optional_kernel
from ..flat_arrays import put_value
from .flexible import internal_kinetic, internal_momentum
from .orbit import orbital_potential, potential_rate, relative_motion


@kernel
def mechanical_energy(model, ws, v):
    """Kinetic energy of motion relative to the world, and potential, zero at the world's origin, of uniform gravity
    or of an orbit with its centrifugal part [J]."""
    kinetic, potential = energy_of_bodies(model, ws, v, 1, len(model.tree))
    if model.gravity.size > 3:
        potential += orbital_potential(model, ws)
    return kinetic, potential


@kernel
def energy_of_bodies(model, ws, v, first, last):
    """The same of the bodies from `first` to before `last`, without the potential of an orbit."""
    g = model.orbit.gravity
    kinetic = potential = ws.bodies[0].p_WB.zero.x
    for i in range(first, last):
        node, own, body = model.tree[i], model.bodies[i], ws.bodies[i]
        m, c, V = own.mass, body.first_moment, relative_motion(model, ws, i)
        omega, velocity = V.angular, V.linear
        J_omega = body.inertia @ omega
        kinetic += 0.5 * m * (velocity @ velocity) + velocity @ cross(omega, c) + 0.5 * (omega @ J_omega)
        for k in range(node.v, node.v + node.nv):
            kinetic += 0.5 * own.armature * v[k] * v[k]
        if node.ne > 0:
            kinetic += V @ internal_momentum(model, ws, i, v) + internal_kinetic(model, ws, i, v)
        potential -= m * (g @ body.p_WB) + g @ c
    return kinetic, potential


@kernel
def total_momentum(model, ws, v, point, unturning):
    """Angular momentum about `point` [kg m^2/s] and linear momentum [kg m/s], world axes.

    Of motion relative to the world, or to axes through its origin that do not turn; these differ in an orbit.
    """
    total = ws.bodies[0].bias_force.zero
    for i in range(1, len(model.tree)):
        body, V = ws.bodies[i], relative_motion(model, ws, i)
        c, omega, velocity = body.first_moment, V.angular, V.linear
        if unturning:
            omega, velocity = body.omega, body.velocity
        p = model.bodies[i].mass * velocity + cross(omega, c)
        h = body.inertia @ omega + cross(c, velocity)
        if model.tree[i].ne > 0:
            more = internal_momentum(model, ws, i, v)
            h, p = h + more.moment, p + more.force
        total += Wrench(h + cross(body.p_WB - point, p), p)
    return total


@optional_kernel("orbit", returns=1)
def frame_power(model, ws, v):
    """Power of a frame that does not turn evenly on a circle, -Omega' . L + dV/dt (see `orbit`) [W]."""
    if model.orbit.eccentricity == 0.0 and model.orbit.oblateness == 0.0:
        return ws.bodies[0].p_WB.zero.x
    L = total_momentum(model, ws, v, Vec3(0.0, 0.0, 0.0), True).moment
    return potential_rate(model, ws) - ws.bodies[0].acceleration.angular @ L


@kernel
def mass_centre(model, ws, out):
    """Total mass [kg], returned, and the centre of mass [m], world axes."""
    first, mass = ws.bodies[0].p_WB.zero, 0.0
    for i in range(1, len(model.tree)):
        m = model.bodies[i].mass
        mass += m
        first += m * ws.bodies[i].p_WB + ws.bodies[i].first_moment
    put_value(out, 0, 1.0 / mass * first)
    return mass
