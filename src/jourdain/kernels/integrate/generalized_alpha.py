"""Generalized-alpha and Newmark on the group: Arnold & Bruels 2007; Bruels, Cardona & Arnold 2012.

With the equations of motion met at the end of the step, a' the acceleration there and w that of the algorithm,

    (1 - alpha_m) w' + alpha_m w = (1 - alpha_f) a' + alpha_f a,
    q' = q exp(h v + h^2 ((1/2 - beta) w + beta w')),    v' = v + h ((1 - gamma) w + gamma w').

Integrated states and the bookkeeping follow the formula of v. alpha_m = alpha_f = 0 is Newmark's method. A free joint
moves along a screw. Rows of the history: 0 accelerations and rates a at the start, 1 those of the algorithm w, 2 a one
step earlier; of the trial: 0 a', 1 w', 3 and 4 rates of the increments at both ends, 5 scratch, 6 increments.
"""

from __future__ import annotations

import math

from ..compiler import entry_point, kernel, outlined_kernel
from ..records import given
from ..tree.joints import displace, tangent_rate
from .implicit_layout import AGAIN
from .lie_group import along_screws, hold_known
from .loop_records import Loop
from .newton import CONVERGED, DIVERGES, correct_real, correction_size, factorise_real, judge, weigh, weighted
from .newton_jacobian import refresh, refresh_here
from .partitioned.cable_forces import forces_asked
from .step_points import point, residual

ALPHA_ITERATIONS = 16
"""Corrections of a step at most."""
SLOW = 0.25
"""Rate of convergence above which derivatives are taken anew at the last point."""
RENEWED = 8
"""How often that is done in a step at most."""
RENEWAL = 2.0
"""Corrections that take as long as the derivatives by one coordinate: two evaluations, and four answers."""
TINY = 0.1
"""A correction over the tolerance that ends a step with surfaces that touch: there the states are settled, and what is
left is rounding of forces that are large."""
TOUCHING = 60
"""Corrections of a step with surfaces that touch at most; whenever nodes change their state they are counted anew."""


@kernel
def touches(run):
    """Whether surfaces touch by multipliers, whose impulses are then part of the increments."""
    return given(run.surfaces)


@outlined_kernel
def increments(run, h, q, v, y):
    """The increments that the accelerations of the trial make, and impulses of surfaces that touch."""
    co, nv, n = run.memory, v.size, y.size
    am, af, beta, gamma = co.integrator.alpha_m, co.integrator.alpha_f, co.integrator.beta, co.integrator.gamma
    a, w, a1, w1 = co.history[0], co.history[1], co.trial[0], co.trial[1]
    # w' = x a' + z a - u w
    x, z, u = (1.0 - af) / (1.0 - am), af / (1.0 - am), am / (1.0 - am)
    # one walk over the vectors, which of long cables are more than a cache holds
    for k in range(nv):
        before = w[nv + k]
        after = x * a1[nv + k] + z * a[nv + k] - u * before
        w1[nv + k] = after
        y[nv + k] = h * ((1.0 - gamma) * before + gamma * after)
        y[k] = h * v[k] + h * h * ((0.5 - beta) * before + beta * after)
    for k in range(2 * nv, n):
        w1[k] = x * a1[k] + z * a[k] - u * w[k]
        y[k] = h * ((1.0 - gamma) * w[k] + gamma * w1[k])
    if touches(run):
        for k in range(nv):
            y[k] += run.surfaces.jump[0, k]
            y[nv + k] += run.surfaces.jump[1, k]
        for tree in range(run.surfaces.trees.size):
            i = run.surfaces.trees[tree]
            for k in range(run.model.tree[i].nv):
                y[nv + run.model.tree[i].v + k] += run.surfaces.turn[tree, k]
        # what is lost where nodes land is lost within a step: no part of it is for the next ones
        k = 2 * nv + run.z.size - 1
        y[k] = 0.5 * h * (a[k] + a1[k]) + run.surfaces.loss[0]
        y[k - 1] = 0.5 * h * (a[k - 1] + a1[k - 1]) + run.surfaces.loss[1]
    along_screws(run.model, q, y)


@kernel
def wants_forces(run):
    """1 where points of corrections are asked for forces; models without sparse bodies have no partition."""
    return forces_asked(run.model, run.partition) if given(run.partition) else 0.0


@kernel
def trial_point(run, t):
    """Rates of the trial; of cables that rest on the world forces, where corrections begin from these."""
    run.ws.flags.cable_forces = run.memory.integrator.forces_asked
    point(run, 1, t)
    run.ws.flags.cable_forces = False


@outlined_kernel
def forget_surfaces(run, nv):
    """A step begins without impulses, losses and turns of surfaces that touch."""
    if touches(run):
        for k in range(nv):
            run.surfaces.jump[0, k], run.surfaces.jump[1, k] = 0.0, 0.0
        run.surfaces.loss[0], run.surfaces.loss[1] = 0.0, 0.0
        for tree in range(run.surfaces.trees.size):
            for k in range(6):
                run.surfaces.turn[tree, k] = 0.0


@outlined_kernel
def spend(run):
    """Of partitioned unknowns derivatives cost about as much as RENEWAL corrections for each of the rest, and one for
    each row of loops and coordinate of applied forces; they are taken anew when the steps since have made so many more
    than the first one."""
    integrator, s = run.memory.integrator, run.partition
    if integrator.fresh:
        integrator.base, integrator.spent = integrator.iterations, 0.0
    integrator.spent += max(integrator.iterations - integrator.base, 0.0)
    if integrator.spent > RENEWAL * s.rest.size + s.loops.count.size + s.applied.count[0]:
        integrator.aged = True


@entry_point
def alpha_attempt(run: Loop, t: float, h: float) -> float:
    """Tries a step; its increments are left in buffers.y. Returns its error over the tolerance, -1 where the
    corrections do not converge, or -2 where energy rises by surfaces that touch. After a restart buffers.K[0] holds the
    rates at the start."""
    model, task, ws, buffers, co, q, v = run.model, run.task, run.ws, run.buffers, run.memory, run.q, run.v
    nv, n = v.size, buffers.y.size
    integrator = co.integrator
    states = integrator.states
    y = buffers.y
    a, w, a1 = co.history[0], co.history[1], co.trial[0]
    fresh, ratio = 0, 1.0
    if integrator.restart:
        fresh = 1
        if given(run.method.resume):
            run.method.resume(run, t)
        for k in range(n):
            a[k] = buffers.K[0, k]
            w[k] = a[k]
        integrator.restart, integrator.steps, integrator.spacing = False, 0, h
    if integrator.spacing != h:
        # w is the acceleration at a time that is off by a part of the step
        ratio = h / integrator.spacing
        for k in range(n):
            w[k] = a[k] + (w[k] - a[k]) * ratio
        integrator.spacing = h
    if given(run.method.begin):
        run.method.begin(run, fresh, ratio)
    weigh(run)
    # at the end: accelerations change by mu where velocities do by one, velocities by nu where displacements do
    kappa = (1.0 - integrator.alpha_f) / (1.0 - integrator.alpha_m)
    mu = 1.0 / (integrator.gamma * h * kappa)
    nu = integrator.gamma / (integrator.beta * h)
    integrator.fresh = False
    integrator.forces_asked = wants_forces(run)
    status = DIVERGES
    # with the matrix at hand first; where that does not converge, with a fresh one
    for attempt in range(2):
        if integrator.aged or attempt == 1:
            if integrator.fresh:
                break
            refresh(run, t, q, v, run.z)
            weigh(run)
        factorise_real(co, mu, nu)
        for k in range(n):
            a1[k] = a[k]
        for r in range(co.force.shape[1]):
            co.force[1, r] = co.force[0, r]
        size, rate = 0.0, 0.0
        forget_surfaces(run, nv)
        since, renewed, changes, again = 0, 0, 0, False
        for iteration in range(TOUCHING if given(run.method.correct) else ALPHA_ITERATIONS):
            # the point that the accelerations lead to, and what is left of the equations there
            increments(run, h, q, v, y)
            hold_known(model, task, t + h, buffers, q, v, y)
            trial_point(run, t + h)
            co.counts.iterations += 1
            for k in range(nv):
                a1[k] = buffers.K[1, k]
                if ws.known[k] != 0:
                    a1[nv + k] = buffers.K[1, nv + k]
            if given(run.method.correct):
                if given(run.method.balance):
                    for k in range(n):  # `balance` looks at this point again
                        co.trial[2, k] = y[k]
                changes = run.method.correct(run, t + h, 1 if iteration == 0 else 0)
                if changes < 0:
                    status = DIVERGES
                    break
            else:
                residual(run, 1, y, a1, co.force[1], co.residual)
                correct_real(co)
            # corrections: accelerations by mu times those of the velocities, and multipliers
            before = size
            size = correction_size(co, co.residual, 2 * nv + states)
            for k in range(nv, n):
                a1[k] += mu * co.residual[k]
            for r in range(co.force.shape[1]):
                co.force[1, r] += co.residual[n + r]
            status, rate = judge(size, before, since, ALPHA_ITERATIONS, integrator.tolerance)
            integrator.iterations = iteration + 1
            since += 1
            if changes > AGAIN or (again and status == DIVERGES):  # other equations than those of the last correction
                since, size, status, again = 0, 0.0, 0, False
                continue
            again = changes == AGAIN
            if again:  # gaps or momentum are not met yet
                status = 0
                continue
            floor = run.surfaces.floor[0] if touches(run) else 0.0
            if given(run.method.correct) and size <= max(TINY * integrator.tolerance, floor):
                status = CONVERGED
            if status != CONVERGED and rate > SLOW and math.isfinite(size) and renewed < RENEWED:
                refresh_here(run, t + h)
                weigh(run)
                factorise_real(co, mu, nu)
                since, size, status = 0, 0.0, 0
                renewed += 1
            if status != 0:
                break
        if status == CONVERGED:
            if rate > 0.3 or (integrator.iterations > 5 and co.M.shape[1] > 0):
                integrator.aged = True
            if co.M.shape[1] == 0:
                spend(run)
            break
    if status != CONVERGED:
        integrator.aged = True
        return -1.0
    # converged: the increments of the last accelerations
    increments(run, h, q, v, y)
    hold_known(model, task, t + h, buffers, q, v, y)
    if given(run.method.balance):
        if run.method.balance(run, h) != 0:
            integrator.aged = True
            return -2.0
    error = 0.0
    if integrator.adaptive:
        error = local_error(model, co, h, q, v)
        ends(model, ws, buffers, co, q, v, y)
    return error


@outlined_kernel
def local_error(model, co, h, q, v):
    """Size of the difference to the integral of the parabola through the last three accelerations, third order; what is
    stiff is filtered by the matrix of the corrections, as in RADAU5 (Hairer & Wanner 1996, section IV.8)."""
    nv = v.size
    integrator = co.integrator
    states = integrator.states
    a0, a1, am = co.history[0], co.trial[0], co.history[2]
    w0, w1 = co.history[1], co.trial[1]
    beta, gamma = integrator.beta, integrator.gamma
    first = integrator.steps == 0
    p = 1.0 if first else integrator.last_step / h
    # weights of the parabola's integrals, once and twice; p is the ratio of the last two steps
    v1, v0, vm = (1.0 / 3.0 + 0.5 * p) / (1.0 + p), (1.0 / 6.0 + 0.5 * p) / p, -1.0 / (6.0 * p * (1.0 + p))
    x1, x0, xm = (1.0 / 12.0 + p / 6.0) / (1.0 + p), (1.0 / 12.0 + p / 3.0) / p, -1.0 / (12.0 * p * (1.0 + p))
    kappa = (1.0 - integrator.alpha_f) / (1.0 - integrator.alpha_m)
    mu, nu = 1.0 / (gamma * h * kappa), gamma / (beta * h)
    # what the step made of the positions, less the parabola's; two points alone at the first step
    r = co.residual
    for k in range(r.size):
        r[k] = 0.0
    for k in range(nv):
        j = nv + k
        mine = h * h * ((0.5 - beta) * w0[j] + beta * w1[j])
        if first:
            r[k] = -nu * h * h * (a1[j] - a0[j]) / 12.0
        else:
            r[k] = -nu * (mine - h * h * (x1 * a1[j] + x0 * a0[j] + xm * am[j]))
    # the same of velocities and states
    error = co.trial[5]
    for j in range(nv, 2 * nv + states):
        mine = h * ((1.0 - gamma) * w0[j] + gamma * w1[j])
        if first:
            error[j] = h * (a1[j] - a0[j]) / 6.0
        else:
            error[j] = mine - h * (v1 * a1[j] + v0 * a0[j] + vm * am[j])
    # through the matrix of the corrections, which damps what is stiff
    for i in range(nv):
        x = 0.0
        for j in range(nv):
            x += co.M[i, j] * error[nv + j]
        r[nv + i] = -mu * x
    for j in range(2 * nv, 2 * nv + states):
        r[j] = -mu * error[j]
    correct_real(co)
    return weighted(co, r, 2 * nv + states)


@outlined_kernel
def ends(model, ws, buffers, co, q, v, y):
    """Rates of the increments at both ends of the trial, for dense output; the increments go to row 6."""
    nv, n = v.size, y.size
    rate0, rate1 = co.trial[3], co.trial[4]
    for k in range(n):
        co.trial[6, k] = y[k]
        rate0[k] = co.history[0, k]
        rate1[k] = co.trial[0, k]
        co.trial[7, k] = 0.0
    tangent_rate(model, q, v, co.trial[7], rate0)
    displace(model, q, y, buffers.q)
    for k in range(nv):
        buffers.v[k] = v[k] + y[nv + k]
    tangent_rate(model, buffers.q, buffers.v, y, rate1)


@entry_point
def alpha_between(run: Loop, t: float, x: float, h: float) -> None:
    """The increments at the fraction x of the step, by cubics: into buffers.y."""
    co, y = run.memory, run.buffers.y
    x2, x3 = x * x, x * x * x
    for k in range(y.size):
        end, f0, f1 = co.trial[6, k], h * co.trial[3, k], h * co.trial[4, k]
        y[k] = (3.0 * x2 - 2.0 * x3) * end + (x - 2.0 * x2 + x3) * f0 + (x3 - x2) * f1


@entry_point
def alpha_finish(run: Loop, h: float, error: float) -> float:
    """Remembers an accepted step; returns how much longer the next one may be."""
    co = run.memory
    if given(run.method.store):
        run.method.store(run)
    for k in range(co.history.shape[1]):
        co.history[2, k] = co.history[0, k]
        co.history[0, k] = co.trial[0, k]
        co.history[1, k] = co.trial[1, k]
    for r in range(co.force.shape[1]):
        co.force[0, r] = co.force[1, r]
    co.integrator.last_step, co.integrator.last_error = h, error
    co.integrator.steps += 1
    grow = 2.0 if error == 0.0 else min(2.0, 0.9 * error ** (-1.0 / 3.0))
    return 1.0 if 0.9 < grow < 1.2 else grow
