"""Energy, momentum and centre of mass, after `kinematics`; and the power of an orbital frame."""

from __future__ import annotations

from ..columns import ACC, ARMATURE, DOFS, ECCENTRICITY, JW, MASS, MC, OBLATENESS, OMEGA, POS, VEL, N, V
from ..compiler import kernel, optional_kernel
from ..spatial import add, cross, dot, scale, sym, sym_times, vec
from .flexible import internal_kinetic, internal_momentum
from .orbit import orbital_potential, potential_rate, relative_motion


@kernel
def mechanical_energy(model, ws, v):
    """Kinetic energy of motion relative to the world, and potential, zero at the world's origin, of uniform gravity
    or of an orbit with its centrifugal part [J]."""
    kinetic, potential = energy_of_bodies(model, ws, v, 1, model.table.shape[0])
    if model.gravity.size > 3:
        potential += orbital_potential(model, ws)
    return kinetic, potential


@kernel
def energy_of_bodies(model, ws, v, first, last):
    """The same of the bodies from `first` to before `last`, without the potential of an orbit."""
    g = (model.gravity[0], model.gravity[1], model.gravity[2])
    kinetic = 0.0 * ws.work[0, 0]
    potential = 0.0 * ws.work[0, 0]
    for i in range(first, last):
        m = model.data[i, MASS]
        c = vec(ws.work, i, MC)
        omega, velocity = relative_motion(model, ws, i)
        Jw = sym_times(sym(ws.work, i, JW), omega)
        kinetic += 0.5 * m * dot(velocity, velocity) + dot(velocity, cross(omega, c)) + 0.5 * dot(omega, Jw)
        for k in range(model.table[i, V], model.table[i, V] + model.table[i, DOFS]):
            kinetic += 0.5 * model.data[i, ARMATURE] * v[k] * v[k]
        if model.table[i, N] > 0:
            angular, linear = internal_momentum(model, ws, i, v)
            kinetic += dot(omega, angular) + dot(velocity, linear) + internal_kinetic(model, ws, i, v)
        potential -= m * dot(g, vec(ws.work, i, POS)) + dot(g, c)
    return kinetic, potential


@kernel
def total_momentum(model, ws, v, point, unturning):
    """Angular momentum about `point` [kg m^2/s] and linear momentum [kg m/s], world axes.

    Of motion relative to the world, or to axes through its origin that do not turn; these differ in an orbit.
    """
    zero = 0.0 * ws.work[0, 0]
    L = (zero, zero, zero)
    P = (zero, zero, zero)
    for i in range(1, model.table.shape[0]):
        c = vec(ws.work, i, MC)
        omega, velocity = relative_motion(model, ws, i)
        if unturning:
            omega, velocity = vec(ws.work, i, OMEGA), vec(ws.work, i, VEL)
        p = add(scale(model.data[i, MASS], velocity), cross(omega, c))
        h = add(sym_times(sym(ws.work, i, JW), omega), cross(c, velocity))
        if model.table[i, N] > 0:
            angular, linear = internal_momentum(model, ws, i, v)
            h = add(h, angular)
            p = add(p, linear)
        x = vec(ws.work, i, POS)
        arm = (x[0] - point[0], x[1] - point[1], x[2] - point[2])
        L = add(L, add(h, cross(arm, p)))
        P = add(P, p)
    return L, P


@optional_kernel("orbit", returns=1)
def frame_power(model, ws, v):
    """Power of a frame that does not turn evenly on a circle, -Omega' . L + dV/dt (see `orbit`) [W]."""
    if model.gravity[ECCENTRICITY] == 0.0 and model.gravity[OBLATENESS] == 0.0:
        return 0.0 * ws.work[0, 0]
    zero = 0.0 * ws.work[0, 0]
    L, _ = total_momentum(model, ws, v, (zero, zero, zero), True)
    return potential_rate(model, ws) - dot(vec(ws.work, 0, ACC), L)


@kernel
def mass_centre(model, ws, out):
    """Total mass [kg], returned, and the centre of mass [m], world axes."""
    zero = 0.0 * ws.work[0, 0]
    first = (zero, zero, zero)
    mass = 0.0
    for i in range(1, model.table.shape[0]):
        m = model.data[i, MASS]
        mass += m
        first = add(first, add(scale(m, vec(ws.work, i, POS)), vec(ws.work, i, MC)))
    out[0], out[1], out[2] = scale(1.0 / mass, first)
    return mass
