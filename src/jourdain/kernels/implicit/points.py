"""What every method does at a point of its step: rates of the motion, and how far a guess of them is off."""

from __future__ import annotations

from ..compiler import called, gate
from ..composite import composite_mass_matrix
from ..constraints.layout import DRIFT, RATE, VALUE
from ..constraints.rows import lay_rows, row_jacobian
from ..kinematics import kinematics
from ..layout import TIME
from ..steppers import evaluate
from .group import to_displacement
from .layout import CALLS, FORM


@gate
def no_rows(model, task, t, q, v, ws, co):
    """The rows of no constraint; the others write co.rows, co.gap and co.mass."""


@gate
def all_rows(model, task, t, q, v, ws, co):
    """Rows of the constraints, how far they are violated, and the mass matrix, at a state."""
    ws.books[TIME] = t
    kinematics(model, ws, q, v)
    lay_rows(model, ws, t, q, v)
    for r in range(co.rows.shape[0]):
        row_jacobian(model, ws, r, q, v, co.rows[r], 0)
        co.gap[0, r] = ws.rows[r, VALUE]
        co.gap[1, r] = ws.rows[r, RATE]
    composite_mass_matrix(model, ws, co.mass)


@called
def point(rates, free, model, task, rows, p, ws, buffers, co, stage, t, q, v, z, latched):
    """Rates at the increments buffers.y into row `stage` of buffers.K, and the rows of the constraints there."""
    evaluate(rates, free, model, task, p, ws, buffers, stage, t, q, v, z, latched)
    co.counts[CALLS] += 1
    if co.numbers[FORM] > 0.0:
        rows(model, task, t, buffers.q, buffers.v, ws, co)


@called
def residual(model, ws, buffers, co, stage, y, rate, force, out):
    """out = how far `rate` (n,) is from the rates of the last `point`, as displacement, force, and rates of z.

    y are the increments of the point, force its multipliers. Of a constrained system the power of what moves it is
    completed here: of rows that move with time, and of prescribed entries that carry forces of constraints.
    """
    nv = ws.known.size
    n = y.size
    K = buffers.K
    constrained = co.numbers[FORM] > 0.0
    if constrained:
        power = 0.0
        for r in range(co.rows.shape[0]):
            power -= force[r] * ws.rows[r, DRIFT]
        for i in range(nv):
            if ws.known[i] != 0:
                x = 0.0
                for j in range(nv):
                    if ws.known[j] == 0:
                        x += co.mass[i, j] * (rate[nv + j] - K[stage, nv + j])
                for r in range(co.rows.shape[0]):
                    x -= co.rows[r, i] * force[r]
                power += x * buffers.v[i]
        K[stage, 2 * nv + buffers.z.size - 2] += power
    for k in range(n):
        out[k] = rate[k] - K[stage, k]
    for k in range(nv):
        if ws.known[k] != 0:
            out[k] = 0.0
            out[nv + k] = 0.0
    to_displacement(model, buffers.q, y, out)
    for k in range(nv):
        buffers.acceleration[k] = out[nv + k]
    for i in range(nv):
        x = 0.0
        if ws.known[i] == 0:
            if constrained:
                for j in range(nv):
                    x += co.mass[i, j] * buffers.acceleration[j]
                for r in range(co.rows.shape[0]):
                    x -= co.rows[r, i] * force[r]
            else:
                for j in range(nv):
                    x += co.M[i, j] * buffers.acceleration[j]
        out[nv + i] = x
    for r in range(co.rows.shape[0]):
        out[n + r] = co.gap[int(co.by_velocity[r]), r]
