"""Energy, momentum and centre of mass, after `kinematics`."""

from __future__ import annotations

from .compiler import kernel
from .flexible import internal_kinetic, internal_momentum
from .layout import JW, MASS, MC, OMEGA, POS, VEL, N
from .spatial import add, cross, dot, scale, sym, sym_times, vec


@kernel
def mechanical_energy(model, ws, v):
    """Kinetic energy, and potential of uniform gravity (zero at the world's origin) [J]."""
    g = (model.gravity[0], model.gravity[1], model.gravity[2])
    kinetic = 0.0 * ws.work[0, 0]
    potential = 0.0 * ws.work[0, 0]
    for i in range(1, model.table.shape[0]):
        m = model.data[i, MASS]
        c = vec(ws.work, i, MC)
        velocity = vec(ws.work, i, VEL)
        omega = vec(ws.work, i, OMEGA)
        Jw = sym_times(sym(ws.work, i, JW), omega)
        kinetic += 0.5 * m * dot(velocity, velocity) + dot(velocity, cross(omega, c)) + 0.5 * dot(omega, Jw)
        if model.table[i, N] > 0:
            angular, linear = internal_momentum(model, ws, i, v)
            kinetic += dot(omega, angular) + dot(velocity, linear) + internal_kinetic(model, ws, i, v)
        potential -= m * dot(g, vec(ws.work, i, POS)) + dot(g, c)
    return kinetic, potential


@kernel
def total_momentum(model, ws, v, point, out):
    """Angular momentum about `point` [kg m^2/s], then linear momentum [kg m/s], world axes."""
    zero = 0.0 * ws.work[0, 0]
    L = (zero, zero, zero)
    P = (zero, zero, zero)
    for i in range(1, model.table.shape[0]):
        c = vec(ws.work, i, MC)
        velocity = vec(ws.work, i, VEL)
        omega = vec(ws.work, i, OMEGA)
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
    out[0], out[1], out[2] = L
    out[3], out[4], out[5] = P


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
