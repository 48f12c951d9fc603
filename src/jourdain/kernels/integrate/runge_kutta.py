"""Explicit Runge-Kutta methods on the group, driven by a table (`tableaux`): a method is numbers, not code.

Within a step every configuration is the starting one displaced by an increment in its tangent space (Munthe-Kaas
1999), so a method is a plain Runge-Kutta method on y = (increment, v, z), and keeps its order on rotations.
"""

from __future__ import annotations

import math

from ..compiler import entry_point, kernel
from .loop_records import Loop
from .state_steps import combine, evaluate


@entry_point
def explicit_attempt(run: Loop, t: float, h: float) -> float:
    """Tries a step; K[0] holds the rates at its start."""
    table, K, y = run.tableau, run.buffers.K, run.buffers.y
    run.integrator.restart, run.clock.dense = False, False
    for s in range(1, table.sizes.error):
        combine(K, table.A[s], s, h, y)
        evaluate(run, run.stages, s, t + table.c[s] * h, run.q, run.v, run.z)
    combine(K, table.b, table.sizes.step, h, y)
    if not run.integrator.adaptive:
        return 0.0
    error = error_norm(run.model, table, K, h, run.q, run.v, run.z, y, run.clock.rtol, run.clock.atol)
    return error if error == error else math.inf


@kernel
def error_norm(model, table, K, h, q, v, z, y, rtol, atol):
    """Root mean square of the error estimate over atol + rtol |y|; work and dissipation do not count.

    A rotation counts as of size one. The two estimates of dop853 are blended as in Hairer's code.
    """
    nv = v.size
    n = 2 * nv + z.size - 2
    stages = table.sizes.error
    fine, coarse = 0.0, 0.0
    for k in range(n):
        a, b = 0.0, 0.0
        for i in range(stages):
            a += table.error[0, i] * K[i, k]
            b += table.error[1, i] * K[i, k]
        if k < nv:
            j = model.q_index[k]
            size = max(abs(q[j]), abs(q[j] + y[k])) if j >= 0 else 1.0
        elif k < 2 * nv:
            size = max(abs(v[k - nv]), abs(v[k - nv] + y[k]))
        else:
            size = max(abs(z[k - 2 * nv]), abs(z[k - 2 * nv] + y[k]))
        scale = 1.0 / (atol + rtol * size)
        fine += (a * scale) ** 2
        coarse += (b * scale) ** 2
    if fine == 0.0 and coarse == 0.0:
        return 0.0
    return abs(h) * fine / math.sqrt((fine + 0.01 * coarse) * n)


@entry_point
def explicit_between(run: Loop, t: float, x: float, h: float) -> None:
    """Dense output of the step that was tried last; the stages that only this needs are made when first asked for."""
    table, K, y = run.tableau, run.buffers.K, run.buffers.y
    if x == 1.0:
        combine(K, table.b, table.sizes.step, h, y)
        return
    if not run.clock.dense:
        for s in range(table.sizes.error, table.A.shape[0]):
            combine(K, table.A[s], s, h, y)
            evaluate(run, run.stages, s, t + table.c[s] * h, run.q, run.v, run.z)
        run.clock.dense = True
    for k in range(y.size):
        y[k] = 0.0
    for i in range(table.A.shape[0]):
        c = 0.0
        for j in range(table.dense.shape[1] - 1, -1, -1):
            c = (c + table.dense[i, j]) * x
        c *= h
        if c != 0.0:
            for k in range(y.size):
                y[k] += c * K[i, k]


@entry_point
def explicit_finish(run: Loop, h: float, error: float) -> float:
    """How much longer the next step may be."""
    if error == 0.0:
        return 10.0
    return min(10.0, 0.9 * error ** (-1.0 / (run.tableau.sizes.error_order + 1.0)))


@kernel
def size_of_entry(model, q, v, z, k):
    """Entry k of a state, one for a rotation."""
    nv = v.size
    if k >= 2 * nv:
        return z[k - 2 * nv]
    if k >= nv:
        return v[k - nv]
    return q[model.q_index[k]] if model.q_index[k] >= 0 else 1.0


@entry_point
def explicit_first(run: Loop, t: float) -> float:
    """Size of the first step: Hairer, Norsett & Wanner 1993, section II.4. K[0] must hold the rates at the start."""
    model, q, v, z, rtol, atol = run.model, run.q, run.v, run.z, run.clock.rtol, run.clock.atol
    n = 2 * v.size + z.size - 2
    K, y = run.buffers.K, run.buffers.y
    d0, d1 = 0.0, 0.0
    for k in range(n):
        x = size_of_entry(model, q, v, z, k)
        scale = atol + rtol * abs(x)
        d0 += (x / scale) ** 2
        d1 += (K[0, k] / scale) ** 2
    h = 1e-6
    if d0 > 1e-10 and d1 > 1e-10:
        h = 0.01 * math.sqrt(d0 / d1)
    for k in range(y.size):
        y[k] = h * K[0, k]
    evaluate(run, run.stages, 1, t + h, q, v, z)
    d2 = 0.0
    for k in range(n):
        x = size_of_entry(model, q, v, z, k)
        d2 += ((K[1, k] - K[0, k]) / (atol + rtol * abs(x))) ** 2
    slope = max(math.sqrt(d1 / max(n, 1)), math.sqrt(d2 / max(n, 1)) / h)
    order = run.tableau.sizes.error_order + 1.0
    h1 = (0.01 / slope) ** (1.0 / order) if slope > 1e-15 else max(1e-6, 1e-3 * h)
    return min(100.0 * h, h1)
