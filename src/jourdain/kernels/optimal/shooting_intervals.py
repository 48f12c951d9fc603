"""One interval of a shooting problem: end state and cost under its inputs, and the derivatives of both.

An interval is some steps of an explicit Runge-Kutta method (`tableau`), or of the semi-implicit Euler method,

    v' = v + h a(q, v, u),    q' = q + h E(q) v',

after which quaternions are normalised. Derivatives are those of these very steps (internal differentiation): with S the
derivative of the state by the unknowns of the interval, each stage f has df = J S + its derivatives by inputs and time,
and S is stepped as the state is. Costs are integrated with the weights of the method, or by the rectangle rule for the
semi-implicit one.

Unknowns of an interval are its first state, its inputs (linear ones also at its end), and for shooting the duration T
of the whole and the parameters.
"""

from __future__ import annotations

from ..compiler import kernel, outlined_kernel
from ..records import NestedRecord, Record, f64, given, i64, row, rows
from ..rows import Row
from ..tree.tree_rows import RotationGroup
from .controlled_plant import RATE_AT, REMEMBER, SLOPE_AT, ControlledPlant, coordinate_partials_at, coordinate_rates_at


class ShootingSettings(Row):
    """`ShootingProblem.settings`."""

    steps: int  # of an interval
    linear: bool  # whether inputs are linear in it, or constant
    semi_implicit: bool  # the method
    unknown: bool  # whether duration and parameters are unknowns
    coordinates: int  # how many


class ShootingProblem(Record, name="Sh"):
    """The plant, the integration method and the cost of a shooting problem.

    A, b, c     Butcher tableau of the method
    q_index     (nv,) coordinate of each velocity, and rotations as of a model; empty for equations
    place       (n,) state of each entry of the tangent space, -1 for those of rotations and free joints
    cost_at     (costs,) local unknown, its weights cost_linear and cost_square, and cost_target
    K, y, u     (stages, nx) rates, (nx,) state, (nu,) inputs of a stage
    J           (nx, local) derivatives of the rates
    KS, SY      (stages, nx, m), (nx, m) derivatives of rates and of the state of a stage
    """

    controlled = NestedRecord(ControlledPlant)
    rates = RATE_AT
    partials = SLOPE_AT
    remember = REMEMBER
    settings = row(ShootingSettings)
    A = f64(2)
    b = f64(1)
    c = f64(1)
    q_index = i64(1)
    rotations = rows(RotationGroup)
    place = i64(1)
    cost_at = i64(1)
    cost_linear = f64(1)
    cost_square = f64(1)
    cost_target = f64(1)
    K = f64(2)
    y = f64(1)
    u = f64(1)
    J = f64(2)
    KS = f64(3)
    SY = f64(2)


@kernel
def blend(sh, ua, ub, s):
    """Inputs at the fraction s of an interval, into sh.u."""
    linear = sh.settings.linear
    for i in range(sh.u.size):
        sh.u[i] = ua[i] + s * (ub[i] - ua[i]) if linear else ua[i]


@kernel
def local(sh, x, u, j):
    """The j-th local unknown: states, inputs, parameters."""
    if j < x.size:
        return x[j]
    if j < x.size + u.size:
        return u[j - x.size]
    return sh.controlled.p[j - x.size - u.size]


@kernel
def running(sh, x, u):
    """Running cost per second."""
    out = 0.0
    for r in range(sh.cost_at.size):
        y = local(sh, x, u, sh.cost_at[r])
        off = y - sh.cost_target[r]
        out += sh.cost_linear[r] * y + sh.cost_square[r] * off * off
    return out


@kernel
def make_unit(sh, x):
    """Normalises the quaternions of a state."""
    for g in range(len(sh.rotations)):
        at = sh.rotations[g].q + 3 * sh.rotations[g].free
        s = (x[at] ** 2 + x[at + 1] ** 2 + x[at + 2] ** 2 + x[at + 3] ** 2) ** -0.5
        for j in range(at, at + 4):
            x[j] *= s


@kernel
def make_unit_partials(sh, x, S):
    """The same with the derivatives S of the state: the projection (1 - e e^T) / |p|."""
    for g in range(len(sh.rotations)):
        at = sh.rotations[g].q + 3 * sh.rotations[g].free
        s = (x[at] ** 2 + x[at + 1] ** 2 + x[at + 2] ** 2 + x[at + 3] ** 2) ** -0.5
        for j in range(at, at + 4):
            x[j] *= s
        for k in range(S.shape[1]):
            along = x[at] * S[at, k] + x[at + 1] * S[at + 1, k] + x[at + 2] * S[at + 2, k] + x[at + 3] * S[at + 3, k]
            for j in range(at, at + 4):
                S[j, k] = s * (S[j, k] - along * x[j])


@outlined_kernel
def semi_step(sh, h, x):
    """x after a semi-implicit Euler step with rates in K[0]; K[1] is overwritten."""
    nq, rate = sh.settings.coordinates, sh.K[1]
    for k in range(nq, x.size):
        x[k] += h * sh.K[0, k]
    coordinate_rates_at(sh.rotations, sh.q_index, x, nq, x, nq, rate)
    for j in range(nq):
        x[j] += h * rate[j]


@outlined_kernel
def shoot(sh, t, span, x, ua, ub, latched):
    """Integrates the state x through an interval of length `span` [s], in place; returns its cost."""
    steps, K, y, cost = sh.settings.steps, sh.K, sh.y, 0.0
    h = span / steps
    for step in range(steps):
        for s in range(1 if sh.settings.semi_implicit else sh.b.size):
            # stage s of the Runge-Kutta method
            for k in range(x.size):
                y[k] = x[k]
            for j in range(s):
                a = h * sh.A[s, j]
                if a != 0.0:
                    for k in range(x.size):
                        y[k] += a * K[j, k]
            blend(sh, ua, ub, (step + sh.c[s]) / steps)
            cost += h * sh.b[s] * running(sh, y, sh.u)
            sh.rates(sh.controlled, t + (step + sh.c[s]) * h, y, sh.u, latched, K[s])
        if sh.settings.semi_implicit:
            semi_step(sh, h, x)
        else:
            for s in range(sh.b.size):
                for k in range(x.size):
                    x[k] += h * sh.b[s] * K[s, k]
        make_unit(sh, x)
        if given(sh.remember):
            sh.remember(sh.controlled, x, latched)
    return cost


@kernel
def rate_partials_of(sh, nx, nu, S, at, since, out):
    """out = derivatives of the rates of a stage by the unknowns of the interval; J is of the rates, S of the state.

    at       fraction of the interval
    since    derivative of the time of the stage by T
    """
    J, m = sh.J, S.shape[1]
    for r in range(nx):
        for k in range(m):
            out[r, k] = 0.0
        # df = J_x S + J_u du
        for j in range(nx):
            a = J[r, j]
            if a != 0.0:
                for k in range(m):
                    out[r, k] += a * S[j, k]
        if sh.settings.linear:
            for i in range(nu):
                out[r, nx + i] += (1.0 - at) * J[r, nx + i]
                out[r, nx + nu + i] += at * J[r, nx + i]
        else:
            for i in range(nu):
                out[r, nx + i] += J[r, nx + i]
        if sh.settings.unknown:
            # duration, by the time of the stage, and parameters
            count = sh.controlled.p.size
            first = m - 1 - count
            out[r, first] += since * J[r, nx + nu + count]
            for i in range(count):
                out[r, first + 1 + i] += J[r, nx + nu + i]


@kernel
def cost_partials_of(sh, x, u, S, at, weight, by_T, g, H):
    """Adds weight times the running cost of a stage to g and (Gauss-Newton) to H; by_T is d weight / dT."""
    nx, nu, m = x.size, u.size, g.size
    globals_too = sh.settings.unknown
    first = m - 1 - sh.controlled.p.size
    if globals_too:
        g[first] += by_T * running(sh, x, u)
    for r in range(sh.cost_at.size):
        j = sh.cost_at[r]
        y = local(sh, x, u, j)
        slope = sh.cost_linear[r] + 2.0 * sh.cost_square[r] * (y - sh.cost_target[r])
        hessian = 2.0 * weight * sh.cost_square[r]
        # a state depends on all unknowns through S
        if j < nx:
            for k in range(m):
                a = S[j, k]
                if a != 0.0:
                    g[k] += weight * slope * a
                    if hessian != 0.0:
                        for l in range(m):
                            H[k, l] += hessian * a * S[j, l]
                    if globals_too:
                        H[first, k] += by_T * slope * a
                        H[k, first] += by_T * slope * a
            continue
        # a parameter or a constant input is one unknown, a linear input depends on two
        one, two, a, b = j, j, 1.0, 0.0
        if j >= nx + nu:
            one = two = first + 1 + j - nx - nu
        elif sh.settings.linear:
            two, a, b = j + nu, 1.0 - at, at
        for k, c in ((one, a), (two, b)):
            if c != 0.0 and k < m:
                g[k] += weight * slope * c
                if globals_too:
                    H[first, k] += by_T * slope * c
                    H[k, first] += by_T * slope * c
                for l, d in ((one, a), (two, b)):
                    if d != 0.0:
                        H[k, l] += hessian * c * d


@kernel
def stage_state(sh, s, h, by_T, x, S):
    """State of a stage and its derivatives, into sh.y and sh.SY."""
    y, SY, m = sh.y, sh.SY, S.shape[1]
    for r in range(x.size):
        y[r] = x[r]
        for k in range(m):
            SY[r, k] = S[r, k]
    for j in range(s):
        a = sh.A[s, j]
        if a != 0.0:
            for r in range(x.size):
                y[r] += h * a * sh.K[j, r]
                for k in range(m):
                    SY[r, k] += h * a * sh.KS[j, r, k]
                if sh.settings.unknown:
                    SY[r, m - 1 - sh.controlled.p.size] += by_T * a * sh.K[j, r]


@outlined_kernel
def semi_step_partials(sh, h, by_T, x, S):
    """A semi-implicit Euler step of the state and its derivatives; rates are in K[0], their derivatives in KS[0]."""
    nq, m, nx, J, rate = sh.settings.coordinates, S.shape[1], x.size, sh.J, sh.K[1]
    first = m - 1 - sh.controlled.p.size
    for r in range(nq, nx):
        x[r] += h * sh.K[0, r]
        for k in range(m):
            S[r, k] += h * sh.KS[0, r, k]
        if sh.settings.unknown:
            S[r, first] += by_T * sh.K[0, r]
    # derivatives of E(q) v' by coordinates and new velocities
    for r in range(nq):
        for k in range(nx):
            J[r, k] = 0.0
    coordinate_partials_at(sh.rotations, sh.q_index, x, nq, x, nq, J, nq)
    coordinate_rates_at(sh.rotations, sh.q_index, x, nq, x, nq, rate)
    for r in range(nq):
        for k in range(m):
            sh.SY[r, k] = 0.0
        for j in range(nx):
            a = J[r, j]
            if a != 0.0:
                for k in range(m):
                    sh.SY[r, k] += a * S[j, k]
    for r in range(nq):
        x[r] += h * rate[r]
        for k in range(m):
            S[r, k] += h * sh.SY[r, k]
        if sh.settings.unknown:
            S[r, first] += by_T * rate[r]


@outlined_kernel
def shoot_partials(sh, begin, t, span, T, x, ua, ub, latched, S, g, H):
    """The same with derivatives: S (nx, m) of the state at the end, g (m,) and H (m, m) of the cost.

    H is the Gauss-Newton approximation: products of first derivatives, without second ones. Of the duration it has the
    products of which it is a factor.
    """
    steps, K, cost = sh.settings.steps, sh.K, 0.0
    nx, nu, m = x.size, ua.size, S.shape[1]
    h, by_T = span / steps, span / steps / T
    for r in range(nx):
        for k in range(m):
            S[r, k] = 1.0 if r == k else 0.0
    for k in range(m):
        g[k] = 0.0
        for l in range(m):
            H[k, l] = 0.0
    for step in range(steps):
        for s in range(1 if sh.settings.semi_implicit else sh.b.size):
            # stage s with its derivatives
            at, time = (step + sh.c[s]) / steps, t + (step + sh.c[s]) * h
            stage_state(sh, s, h, by_T, x, S)
            blend(sh, ua, ub, at)
            cost += h * sh.b[s] * running(sh, sh.y, sh.u)
            cost_partials_of(sh, sh.y, sh.u, sh.SY, at, h * sh.b[s], by_T * sh.b[s], g, H)
            sh.partials(sh.controlled, time, sh.y, sh.u, latched, K[s], sh.J)
            rate_partials_of(sh, nx, nu, sh.SY, at, (time - begin) / T, sh.KS[s])
        if sh.settings.semi_implicit:
            semi_step_partials(sh, h, by_T, x, S)
        else:
            for s in range(sh.b.size):
                for r in range(nx):
                    x[r] += h * sh.b[s] * K[s, r]
                    for k in range(m):
                        S[r, k] += h * sh.b[s] * sh.KS[s, r, k]
                    if sh.settings.unknown:
                        S[r, m - 1 - sh.controlled.p.size] += by_T * sh.b[s] * K[s, r]
        make_unit_partials(sh, x, S)
        if given(sh.remember):
            sh.remember(sh.controlled, x, latched)
    return cost
