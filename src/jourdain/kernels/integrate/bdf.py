"""Backward differentiation formulas of order 1 to 5, with a step and an order that the error chooses.

The last points of the motion are kept as backward differences D_i at a constant spacing, interpolated to another one
when the step changes (Shampine & Reichelt 1997, with their kappa zero: the formulas are the classical ones). With the
prediction sum D_i and gamma_k = sum_{j <= k} 1 / j,

    gamma_k d / h + (1 / h) sum_{i = 1..k} gamma_i D_i = f(prediction + d),    error = d / (k + 1).

All points are increments from the state at the start of the step. When a step is accepted they are seen from its end,
rotations through the logarithm, so that the formulas hold in one chart at a time and keep their order on the group.
Rows of the history: D_0 to D_7; of the trial: 0 the prediction, 1 the correction d, 2 rates, 4 and 5 scratch; between
steps, points.
"""

from __future__ import annotations

from ..compiler import entry_point, outlined_kernel
from ..tree.joints import displace, tangent_rate
from .lie_group import hold_known, recentre
from .loop_records import Loop
from .newton import CONVERGED, DIVERGES, correct_real, factorise_real, judge, weigh, weighted
from .newton_jacobian import refresh
from .step_points import point, residual

BDF_ITERATIONS = 5
"""Corrections of a step at most."""
BDF_ROWS = 8


@outlined_kernel
def respace(co, order, ratio):
    """The differences at a spacing `ratio` times as wide, by the polynomial through the last order + 1 points."""
    n = co.history.shape[1]
    D, R = co.history, co.trial
    # value of the polynomial at -j ratio: sum_i D_i prod_{m < i} (m - j ratio) / (m + 1)
    for j in range(order + 1):
        for k in range(n):
            R[j, k] = 0.0
        c = 1.0
        for i in range(order + 1):
            for k in range(n):
                R[j, k] += c * D[i, k]
            c *= (i - j * ratio) / (i + 1.0)
    differences(R, D, order)


@outlined_kernel
def differences(points, out, order):
    """out_i = sum_j (-1)^j C(i, j) points_j, for i up to `order`; it is its own inverse."""
    n = points.shape[1]
    for i in range(order + 1):
        c = 1.0
        for k in range(n):
            out[i, k] = 0.0
        for j in range(i + 1):
            for k in range(n):
                out[i, k] += c * points[j, k]
            c *= -(i - j) / (j + 1.0)


@entry_point
def bdf_attempt(run: Loop, t: float, h: float) -> float:
    """As `alpha_attempt`."""
    model, task, buffers, co, q, v = run.model, run.task, run.buffers, run.memory, run.q, run.v
    nv, n = v.size, buffers.y.size
    integrator, D, y = co.integrator, co.history, buffers.y
    states = integrator.states
    if integrator.restart:
        for i in range(BDF_ROWS):
            for k in range(n):
                D[i, k] = 0.0
        # prescribed entries are put where they belong, and the difference follows
        for k in range(n):
            D[1, k] = h * buffers.K[0, k]
        integrator.restart, integrator.order, integrator.equal_steps, integrator.spacing = False, 1, 0, h
    order = integrator.order
    if integrator.spacing != h:
        respace(co, order, h / integrator.spacing)
        integrator.spacing, integrator.equal_steps = h, 0
    # prediction from the backward differences, and psi, what the formula takes of the past
    gamma = 0.0
    predicted, d, rate = co.trial[0], co.trial[1], co.trial[2]
    psi = co.trial[4]
    for k in range(n):
        predicted[k] = 0.0
        psi[k] = 0.0
    for i in range(1, order + 1):
        gamma += 1.0 / i
        for k in range(n):
            predicted[k] += D[i, k]
            psi[k] += gamma * D[i, k]
    mu = gamma / h
    integrator.fresh = False
    weigh(run)
    status, rate_of = DIVERGES, 0.0
    # with the matrix at hand first; where that does not converge, with a fresh one
    for attempt in range(2):
        if integrator.aged or attempt == 1:
            if integrator.fresh:
                break
            refresh(run, t, q, v, run.z)
            weigh(run)
        factorise_real(co, mu, mu)
        for k in range(n):
            d[k] = 0.0
        for r in range(co.force.shape[1]):
            co.force[1, r] = co.force[0, r]
        size = 0.0
        for iteration in range(BDF_ITERATIONS):
            for k in range(n):
                y[k] = predicted[k] + d[k]
            hold_known(model, task, t + h, buffers, q, v, y)
            point(run, 1, t + h)
            co.counts.iterations += 1
            for k in range(n):
                rate[k] = (psi[k] + gamma * d[k]) / h
            residual(run, 1, y, rate, co.force[1], co.residual)
            correct_real(co)
            before = size
            size = weighted(co, co.residual, 2 * nv + states)
            # a displacement is a change of the increments through the inverse tangent map
            displace(model, q, y, buffers.q)
            for k in range(nv):
                buffers.v[k] = co.residual[k]
            tangent_rate(model, buffers.q, buffers.v, y, co.trial[5])
            for k in range(nv):
                d[k] += co.trial[5, k]
            for k in range(nv, n):
                d[k] += co.residual[k]
            for r in range(co.force.shape[1]):
                co.force[1, r] += co.residual[n + r]
            status, rate_of = judge(size, before, iteration, BDF_ITERATIONS, integrator.tolerance)
            integrator.iterations = iteration + 1
            if status != 0:
                break
        if status == CONVERGED:
            break
    # not converged: the matrix is old; slowly: it will be made anew
    if status != CONVERGED:
        integrator.aged = True
        return -1.0
    if rate_of > 0.3:
        integrator.aged = True
    for k in range(n):
        y[k] = predicted[k] + d[k]
    hold_known(model, task, t + h, buffers, q, v, y)
    for k in range(n):
        d[k] = y[k] - predicted[k]
    # the next difference, d, is the error but for its factor
    return weighted(co, d, 2 * nv + states) / (order + 1.0)


@entry_point
def bdf_between(run: Loop, t: float, x: float, h: float) -> None:
    """The increments at the fraction x of the step: the polynomial through its end and the last points."""
    co = run.memory
    y, D, d = run.buffers.y, co.history, co.trial[1]
    order = co.integrator.order
    for k in range(y.size):
        y[k] = 0.0
    # in s = x - 1 from the end of the step, whose differences are D_i' = sum_{j >= i} D_j + d
    c = 1.0
    for i in range(order + 1):
        for k in range(y.size):
            total = d[k]
            for j in range(max(i, 1), order + 1):
                total += D[j, k]
            y[k] += c * total
        c *= (x - 1.0 + i) / (i + 1.0)


@entry_point
def bdf_finish(run: Loop, h: float, error: float) -> float:
    """Remembers an accepted step and chooses the order of the next one; returns how much longer that may be."""
    model, co = run.model, run.memory
    integrator, D = co.integrator, co.history
    n = D.shape[1]
    order = integrator.order
    d, end = co.trial[1], co.trial[9]
    # differences at the new point
    for k in range(n):
        D[order + 2, k] = d[k] - D[order + 1, k]
        D[order + 1, k] = d[k]
    for i in range(order, -1, -1):
        for k in range(n):
            D[i, k] += D[i + 1, k]
    integrator.equal_steps += 1
    integrator.last_step, integrator.last_error = h, error
    for r in range(co.force.shape[1]):
        co.force[0, r] = co.force[1, r]
    # after order + 1 equal steps: the order with which the next step may be longest
    grow = 1.0
    top = integrator.top_order
    if integrator.equal_steps >= order + 1:
        size = 2 * co.M.shape[0] + integrator.states
        safety = 0.9 * (2.0 * BDF_ITERATIONS + 1.0) / (2.0 * BDF_ITERATIONS + integrator.iterations)
        best = max(error, 1e-10) ** (-1.0 / (order + 1.0))
        chosen = order
        fixed = integrator.fixed_order
        if order > 1 and not fixed:
            other = max(weighted(co, D[order], size) / order, 1e-10) ** (-1.0 / order)
            if other > best:
                best, chosen = other, order - 1
        if order < top:
            other = max(weighted(co, D[order + 2], size) / (order + 2.0), 1e-10) ** (-1.0 / (order + 2.0))
            if other > best or fixed:
                best, chosen = other, order + 1
        grow = min(10.0, safety * best)
        if chosen != order or grow >= 1.2 or grow < 0.9:
            integrator.order, integrator.equal_steps = chosen, 0
        else:
            grow = 1.0
    # increments count from the new point: through the values of past points, where rotations are among them
    last = min(order + 2, BDF_ROWS - 1)
    if len(model.rotations) + model.paths.shape[0] > 0:
        differences(D, co.trial, last)
        for k in range(n):
            end[k] = co.trial[0, k]
        for i in range(1, last + 1):
            recentre(model, end, co.trial[i])
        for k in range(n):
            co.trial[0, k] = 0.0
        differences(co.trial, D, last)
    for k in range(n):
        D[0, k] = 0.0
    return grow
