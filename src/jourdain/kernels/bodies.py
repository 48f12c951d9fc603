"""Bodies: inertia and markers of each kind. The one place that knows the body codes."""

from __future__ import annotations

from .compiler import kernel
from .layout import ART_H, ART_J, ART_M, FORCE, INERTIA, JW, MASS, MC, MOMENT
from .spatial import cross, put3, put6, put9, rotate, rotate_sym, sym, sym_times, vec


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
