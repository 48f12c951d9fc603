"""Radau IIA of order 5: three stages, simplified Newton iteration, error control and dense output.

Hairer & Wanner, "Solving Ordinary Differential Equations II" (1996), section IV.8 (RADAU5). The increments Z_i of the
stages solve (A^-1 Z)_i / h = f(Z_i); with A^-1 = T diag(g, [[a, -b], [b, a]]) T^-1 their corrections are one real and
one complex system. All is in increments from the start of the step, so that the method keeps its order on the group.
Rows of the history: 0 to 2 the polynomial of the last step, 3 its end; of the trial: 0 to 2 the stages, 3 rates of one,
4 to 6 its polynomial, 7 scratch, 8 error.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from ..algebra import Mat3, Vec3
from ..compiler import entry_point, outlined_kernel
from ..rows import Row, table_of
from ..tree.joints import displace, tangent_rate
from .lie_group import hold_known, recentre, to_displacement
from .loop_records import Loop
from .newton import (
    CONVERGED,
    DIVERGES,
    correct_complex,
    correct_real,
    correction_size,
    factorise_complex,
    factorise_real,
    judge,
    weigh,
    weighted,
)
from .newton_jacobian import refresh
from .step_points import point, residual

RADAU_ITERATIONS, RADAU_ITERATIONS_FIXED = 8, 24
"""Corrections of a step at most, where the step may be shortened and where it is given."""


class RadauTable(Row):
    """`Corrector.table`, matrices by rows."""

    c: Annotated[np.ndarray, 3]  # nodes
    A_inverse: Annotated[np.ndarray, 9]
    T: Annotated[np.ndarray, 9]
    T_inverse: Mat3
    dense: Annotated[np.ndarray, 9]  # coefficients of the dense output in rising powers
    error: Vec3  # weights
    g: float  # eigenvalues g and a + i b
    a: float
    b: float


radau_table = table_of(RadauTable)


@outlined_kernel
def predict(model, co, h):
    """Stages that go on along the polynomial of the last step, seen from its end."""
    n, c = co.trial.shape[1], radau_table(co.table).c
    ratio = h / co.integrator.last_step
    for i in range(3):
        x = 1.0 + c[i] * ratio
        for k in range(n):
            co.trial[i, k] = x * (co.history[0, k] + x * (co.history[1, k] + x * co.history[2, k]))
        recentre(model, co.history[3], co.trial[i])


@outlined_kernel
def hold_stages(run, t, h):
    """Puts the prescribed entries of the three stages where they belong."""
    Z, y, c = run.memory.trial, run.buffers.y, radau_table(run.memory.table).c
    for i in range(3):
        for k in range(y.size):
            y[k] = Z[i, k]
        hold_known(run.model, run.task, t + c[i] * h, run.buffers, run.q, run.v, y)
        for k in range(y.size):
            Z[i, k] = y[k]


@entry_point
def radau_attempt(run: Loop, t: float, h: float) -> float:
    """Tries a step; its increments are left in buffers.y. Returns its error over the tolerance, -1 where the
    corrections do not converge. buffers.K[0] holds the rates at the start."""
    model, ws, buffers, co, q, v = run.model, run.ws, run.buffers, run.memory, run.q, run.v
    nv, n = v.size, buffers.y.size
    integrator, table, Z, y = co.integrator, radau_table(co.table), co.trial, buffers.y
    A_inverse, T, dense = table.A_inverse, table.T, table.dense
    states = integrator.states
    size_n = 2 * nv + states
    if integrator.restart:
        integrator.restart, integrator.steps = False, 0
    mu_real = table.g / h
    most = RADAU_ITERATIONS if integrator.adaptive else RADAU_ITERATIONS_FIXED
    integrator.fresh = False
    weigh(run)
    status, rate_of = DIVERGES, 0.0
    # a second attempt where the first, with an older matrix, did not converge
    for attempt in range(2):
        if integrator.aged or attempt == 1:
            if integrator.fresh:
                break
            refresh(run, t, q, v, run.z)
            weigh(run)
        # one real and one complex system, Hairer & Wanner 1996, section IV.8
        factorise_real(co, mu_real, mu_real)
        factorise_complex(co, table.a / h, table.b / h)
        # stages begin on the last step's polynomial, multipliers where they were
        if integrator.steps > 0:
            predict(model, co, h)
        else:
            for i in range(3):
                for k in range(n):
                    Z[i, k] = 0.0
        for i in range(1, 4):
            for r in range(co.force.shape[1]):
                co.force[i, r] = co.force[0, r]
        size = 0.0
        for iteration in range(most):
            co.counts.iterations += 1
            hold_stages(run, t, h)
            # residuals of the stages
            for i in range(3):
                at = t + table.c[i] * h
                for k in range(n):
                    y[k] = Z[i, k]
                point(run, i + 1, at)
                for k in range(n):
                    x = 0.0
                    for j in range(3):
                        x += A_inverse[3 * i + j] * Z[j, k]
                    Z[3, k] = x / h
                residual(run, i + 1, y, Z[3], co.force[i + 1], co.residuals[i])
            # in the coordinates in which the three stages are one real and one complex system (Hairer & Wanner, IV.8)
            for k in range(co.residual.size):
                r = table.T_inverse @ Vec3(co.residuals[0, k], co.residuals[1, k], co.residuals[2, k])
                co.residual[k], co.residual_c[k] = r.x, r.y + 1j * r.z
            correct_real(co)
            correct_complex(co)
            # and back: corrections of each stage, and their size
            before = size
            size = 0.0
            for i in range(3):
                displace(model, q, Z[i], buffers.q)
                for k in range(co.residual.size):
                    w = co.residual_c[k]
                    x = T[3 * i] * co.residual[k] + T[3 * i + 1] * w.real + T[3 * i + 2] * w.imag
                    co.residuals[3, k] = x
                if integrator.adaptive:
                    size += weighted(co, co.residuals[3], size_n) ** 2
                else:
                    size += correction_size(co, co.residuals[3], size_n) ** 2
                # from displacements to increments, by the inverse tangent map
                for k in range(nv):
                    buffers.v[k] = co.residuals[3, k]
                tangent_rate(model, buffers.q, buffers.v, Z[i], Z[7])
                for k in range(nv):
                    Z[i, k] += Z[7, k]
                for k in range(nv, n):
                    Z[i, k] += co.residuals[3, k]
                for r in range(co.force.shape[1]):
                    co.force[i + 1, r] += co.residuals[3, n + r]
            size = (size / 3.0) ** 0.5
            status, rate_of = judge(size, before, iteration, most, integrator.tolerance)
            integrator.iterations = iteration + 1
            if status != 0:
                break
        if status == CONVERGED:
            break
    if status != CONVERGED:
        integrator.aged = True
        return -1.0
    # converged: stages as they were corrected last, their error, and the dense output
    if rate_of > 0.1:
        integrator.aged = True
    hold_stages(run, t, h)
    error = embedded(model, ws, buffers, co, 0, q, v, h)
    if error >= 1.0 and (integrator.steps == 0 or integrator.rejected):
        # at the first and after a rejected step the estimate is filtered once more
        for k in range(n):
            y[k] = Z[8, k]
        point(run, 1, t)
        if integrator.form == 0:
            error = embedded(model, ws, buffers, co, 1, q, v, h)
    for k in range(n):
        y[k] = Z[2, k]
        for i in range(3):
            x = 0.0
            for j in range(3):
                x += dense[3 * i + j] * Z[j, k]
            Z[4 + i, k] = x
    return error


@outlined_kernel
def embedded(model, ws, buffers, co, stage, q, v, h):
    """Size of the error estimate (g / h - J)^-1 (f + sum e_i Z_i / h), which is of third order; itself in row 8."""
    nv, n = v.size, buffers.y.size
    error, Z, r = radau_table(co.table).error, co.trial, co.residual
    for k in range(r.size):
        r[k] = 0.0
    for k in range(n):
        x = error @ Vec3(Z[0, k], Z[1, k], Z[2, k])
        r[k] = -buffers.K[stage, k] - x / h
        Z[7, k] = 0.0
    for k in range(nv):
        if ws.known[k] != 0:
            r[k] = 0.0
            r[nv + k] = 0.0
    to_displacement(model, q, Z[7], r)
    for k in range(nv):
        buffers.acceleration[k] = r[nv + k]
    for i in range(nv):
        x = 0.0
        for j in range(nv):
            x += co.M[i, j] * buffers.acceleration[j]
        r[nv + i] = x
    correct_real(co)
    states = co.integrator.states
    for k in range(nv):
        buffers.v[k] = r[k]
    tangent_rate(model, q, buffers.v, Z[7], Z[8])
    for k in range(nv, n):
        Z[8, k] = r[k] if k < 2 * nv + states else 0.0
    return weighted(co, r, 2 * nv + states)


@entry_point
def radau_between(run: Loop, t: float, x: float, h: float) -> None:
    """The increments at the fraction x of the step: the polynomial of the collocation, into buffers.y."""
    y, Q = run.buffers.y, run.memory.trial
    for k in range(y.size):
        y[k] = x * (Q[4, k] + x * (Q[5, k] + x * Q[6, k]))


@entry_point
def radau_finish(run: Loop, h: float, error: float) -> float:
    """Remembers an accepted step; returns how much longer the next one may be (Gustafsson 1994)."""
    co = run.memory
    integrator = co.integrator
    for k in range(co.history.shape[1]):
        for i in range(3):
            co.history[i, k] = co.trial[4 + i, k]
        co.history[3, k] = co.trial[2, k]
    for r in range(co.force.shape[1]):
        co.force[0, r] = co.force[3, r]
    safety = 0.9 * (2.0 * RADAU_ITERATIONS + 1.0) / (2.0 * RADAU_ITERATIONS + integrator.iterations)
    grow = 10.0
    if error > 0.0:
        grow = error**-0.25
        if integrator.steps > 0 and integrator.last_error > 0.0:
            grow *= min(1.0, h / integrator.last_step * (integrator.last_error / error) ** 0.25)
        grow = min(10.0, safety * grow)
    integrator.last_step, integrator.last_error = h, error
    integrator.steps += 1
    return 1.0 if 0.95 < grow < 1.2 else max(grow, 0.2)
