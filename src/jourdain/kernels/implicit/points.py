"""What every method does at a point of its step: rates of the motion, and how far a guess of them is off."""

from __future__ import annotations

from ..compiler import called, gate
from ..steppers import evaluate
from .group import to_displacement
from .layout import CALLS, FORM


@gate
def no_rows(model, task, t, q, v, ws, co):
    """The rows of no constraint; the others write co.rows, co.gap and co.mass."""


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

    y are the increments of the point, force its multipliers.
    """
    nv = ws.known.size
    n = y.size
    K = buffers.K
    for k in range(n):
        out[k] = rate[k] - K[stage, k]
    for k in range(nv):
        if ws.known[k] != 0:
            out[k] = 0.0
            out[nv + k] = 0.0
    to_displacement(model, buffers.q, y, out)
    constrained = co.numbers[FORM] > 0.0
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
        out[n + r] = co.gap[0, r] if co.numbers[FORM] == 3.0 else co.gap[1, r]
