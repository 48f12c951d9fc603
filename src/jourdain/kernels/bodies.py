"""Bodies: inertia and markers of each kind. The one place that knows the body codes."""

from __future__ import annotations

from .compiler import flexible_only, kernel
from .layout import (
    ART_H,
    ART_J,
    ART_M,
    EV,
    FLOATS,
    FORCE,
    INERTIA,
    JW,
    MASS,
    MC,
    MOMENT,
    E,
    N,
)
from .slices import sliced_dissipation, sliced_inertia, sliced_strain, station, vec1
from .spatial import cross, exponential, put3, put6, put9, rotate, rotate_sym, sym, sym_times, vec


@kernel
def rigid_inertia(model, ws, i, R, omega):
    """Inertia and bias force of a rigid body about its origin, in world axes.

    moment = J alpha + c x a + omega x J omega,  force = m a + alpha x c + omega x (omega x c), c the first moment.
    """
    work = ws.work
    m = model.data[i, MASS]
    c = rotate(R, vec(model.data, i, MOMENT))
    J = rotate_sym(R, sym(model.data, i, INERTIA))
    zero = 0.0 * omega[0]
    put3(work, i, MC, c)
    put6(work, i, JW, J)
    put6(work, i, ART_J, J)
    put9(work, i, ART_H, (zero, -c[2], c[1], c[2], zero, -c[0], -c[1], c[0], zero))
    put6(work, i, ART_M, (m + zero, m + zero, m + zero, zero, zero, zero))
    put3(work, i, FORCE, cross(omega, sym_times(J, omega)))
    put3(work, i, FORCE + 3, cross(omega, cross(omega, c)))


@kernel
def flexible_inertia(model, ws, i, q, v):
    """Inertia, bias and internal forces of a body with internal coordinates: rows of ws.work and its blocks of ws.flex.

    The blocks are M_re (n x 6: moment, force; world axes), M_ee (n x n) and the bias and internal force (n).
    """
    sliced_inertia(model, ws, i, q, v)


def _nowhere(model, ws, i, at, q, v):
    zero = 0.0 * ws.flex[0]
    none = (zero, zero, zero)
    return none, (zero, zero, zero, zero, zero, zero, zero, zero, zero), none, none, none, none


@flexible_only(_nowhere)
def flexible_station(model, ws, i, at, q, v):
    """A marker on a body with internal coordinates, its numbers beginning at model.floats[at], in the body's frame.

    Returns position, rotation, velocity, angular velocity and the accelerations (linear, angular) that remain when
    those of the internal coordinates are zero. Its shapes (theta, psi) are the last 6 n numbers of ws.flex.
    """
    table = model.table
    n = table[i, N]
    d = vec1(model.floats, table[i, FLOATS])
    base = ws.flex.size - 6 * n
    r, theta, u, w, a, alpha = station(model.floats, at, d, n, q, table[i, E], v, table[i, EV], ws.flex, base)
    return r, exponential(theta), u, w, a, alpha


@kernel
def strain_energy(model, q):
    """Energy stored inside the bodies [J]."""
    energy = 0.0 * q[0] if q.size > 0 else 0.0
    for i in range(1, model.table.shape[0]):
        if model.table[i, N] > 0:
            energy += sliced_strain(model, i, q)
    return energy


@kernel
def internal_dissipation(model, v):
    """Power dissipated inside the bodies [W]."""
    power = 0.0 * v[0] if v.size > 0 else 0.0
    for i in range(1, model.table.shape[0]):
        if model.table[i, N] > 0:
            power += sliced_dissipation(model, i, v)
    return power
