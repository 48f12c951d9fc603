"""Derivatives for the corrections: analytical for the tree alone, by differences of all that acts otherwise."""

from __future__ import annotations

from ..compiler import called, gate, kernel
from ..composite import composite_mass_matrix
from ..constraints.layout import FORCE
from ..derivatives import inverse_derivatives
from ..joints import displace, tangent_rate
from ..kinematics import kinematics
from ..slopes.applied import applied_slopes, multiplier_slopes
from .layout import AGED, CALLS, FORM, FRESH, JACOBIANS, LAWS, STATES
from .newton import forget_factors

STEP = 1e-8
"""Step of the forward differences by displacements and velocities, over their size or one [rad, m, and rates]."""
STATE_STEP = 1e-9
"""The same by integrated states, some of which, such as the deflection of bristles, are small."""


@kernel
def free_of_known(co, ws):
    """Takes prescribed entries out: nothing depends on them, and their accelerations are known."""
    nv = co.M.shape[0]
    for k in range(nv):
        if ws.known[k] == 0:
            continue
        for j in range(nv):
            co.M[k, j] = co.M[j, k] = 0.0
            co.C[k, j] = co.C[j, k] = 0.0
            co.K[k, j] = co.K[j, k] = 0.0
        co.M[k, k] = 1.0
        for i in range(int(co.numbers[STATES])):
            co.force_z[k, i] = 0.0
            co.z_x[i, k] = 0.0
            co.z_v[i, k] = 0.0
        for r in range(co.A.shape[0]):
            co.A[r, k] = 0.0
            co.rate_x[r, k] = 0.0


@called
def under_multipliers(co, ws, acceleration):
    """Adds M^-1 A^T lambda to the accelerations, by conjugate gradients: only derivatives depend on it."""
    nv = co.M.shape[0]
    x, r, d = co.residual[:nv], co.right[:nv], co.scale[:nv]  # the weights in `scale` are set anew after this
    rr = 0.0
    for i in range(nv):
        x[i] = 0.0
        r[i] = 0.0
        if ws.known[i] == 0:
            for row in range(co.rows.shape[0]):
                r[i] += co.rows[row, i] * co.force[0, row]
        d[i] = r[i]
        rr += r[i] * r[i]
    first = rr
    for _ in range(4 * nv):
        if rr <= 1e-20 * first:
            break
        dMd = 0.0
        for i in range(nv):
            for j in range(nv):
                dMd += d[i] * co.mass[i, j] * d[j]
        a = rr / dMd
        for i in range(nv):
            x[i] += a * d[i]
            if ws.known[i] == 0:
                for j in range(nv):
                    r[i] -= a * co.mass[i, j] * d[j]
        old = rr
        rr = 0.0
        for i in range(nv):
            rr += r[i] * r[i]
        for i in range(nv):
            d[i] = r[i] + rr / old * d[i]
    for i in range(nv):
        acceleration[i] += x[i]


@called
def refresh(rates, free, model, task, slope, rows, p, ws, buffers, co, t, q, v, z, latched):
    """Takes the derivatives at a state anew."""
    for j in range(q.size):
        buffers.q[j] = q[j]
    for k in range(v.size):
        buffers.v[k] = v[k]
    rates(model, task, free, t, buffers.q, buffers.v, z, latched, p, ws, buffers.acceleration, buffers.dz)
    co.counts[CALLS] += 1
    if co.numbers[FORM] > 0.0:
        rows(model, task, t, buffers.q, buffers.v, ws, co)
        for r in range(co.A.shape[0]):
            for k in range(v.size):
                co.A[r, k] = co.rows[r, k]
        under_multipliers(co, ws, buffers.acceleration)
    slope(rates, free, model, task, rows, p, ws, buffers, co, t, q, v, z, latched)
    free_of_known(co, ws)
    forget_factors(co)
    co.numbers[AGED], co.numbers[FRESH] = 0.0, 1.0
    co.counts[JACOBIANS] += 1


@called
def refresh_here(rates, free, model, task, slope, rows, p, ws, buffers, co, t, q, v, z, latched):
    """`refresh` at the last point that was evaluated; q, v, z are where the step began, for the weights."""
    for j in range(q.size):
        co.q[j] = buffers.q[j]
    for k in range(v.size):
        co.v[k] = buffers.v[k]
    for k in range(z.size):
        co.z[k] = buffers.z[k]
    refresh(rates, free, model, task, slope, rows, p, ws, buffers, co, t, co.q, co.v, co.z, latched)


@gate
def tree_jacobian(rates, free, model, task, rows, p, ws, buffers, co, t, q, v, z, latched):
    """Derivatives of a tree on which nothing else acts, by the recursion of `derivatives`."""
    inverse_derivatives(model, ws, co.slopes, buffers.q, buffers.v, buffers.acceleration, latched, co.K, co.C, co.M)


@gate
def acting_jacobian(rates, free, model, task, rows, p, ws, buffers, co, t, q, v, z, latched):
    """Derivatives of a tree on which contacts and laws act."""
    inverse_derivatives(model, ws, co.slopes, buffers.q, buffers.v, buffers.acceleration, latched, co.K, co.C, co.M)
    laws = int(co.numbers[LAWS])
    applied_slopes(
        model, task, free, t, buffers.q, buffers.v, z, latched, p, ws, co.slopes, co.applied, laws, co.K, co.C
    )


@gate
def closed_jacobian(rates, free, model, task, rows, p, ws, buffers, co, t, q, v, z, latched):
    """Derivatives of a tree under the forces of constraints."""
    inverse_derivatives(model, ws, co.slopes, buffers.q, buffers.v, buffers.acceleration, latched, co.K, co.C, co.M)
    forces_of_rows(model, ws, buffers, co, t)


@gate
def whole_jacobian(rates, free, model, task, rows, p, ws, buffers, co, t, q, v, z, latched):
    """Derivatives of a tree on which contacts, laws and constraints act."""
    acting_jacobian(rates, free, model, task, rows, p, ws, buffers, co, t, q, v, z, latched)
    forces_of_rows(model, ws, buffers, co, t)


@kernel
def forces_of_rows(model, ws, buffers, co, t):
    """Adds the derivatives of A^T lambda and of the rows' rates."""
    for r in range(co.A.shape[0]):
        ws.rows[r, FORCE] = co.force[0, r]
        for k in range(co.rate_x.shape[1]):
            co.rate_x[r, k] = 0.0
    multiplier_slopes(model, t, buffers.q, buffers.v, ws, co.slopes, co.applied, co.K, co.rate_x)


@kernel
def generalised_force(model, task, rows, t, ws, buffers, co, base, out):
    """out = M (a_base - a) - A^T lambda at the last evaluation: what the state changes in the equations of motion."""
    nv = base.size
    for i in range(nv):
        x = 0.0
        for j in range(nv):
            x += co.M[i, j] * (base[j] - buffers.acceleration[j])
        out[i] = x
    if co.numbers[FORM] > 0.0:
        rows(model, task, t, buffers.q, buffers.v, ws, co)
        for i in range(nv):
            x = 0.0
            for j in range(nv):
                if ws.known[j] == 0:
                    x += co.mass[i, j] * (base[j] - buffers.acceleration[j])
            for r in range(co.rows.shape[0]):
                x -= co.rows[r, i] * co.force[0, r]
            out[i] = x


@gate
def difference_jacobian(rates, free, model, task, rows, p, ws, buffers, co, t, q, v, z, latched):
    """Derivatives of everything that acts, by forward differences of the rates."""
    nv, states = v.size, int(co.numbers[STATES])
    kinematics(model, ws, buffers.q, buffers.v)
    composite_mass_matrix(model, ws, co.M)
    free_of_known(co, ws)
    # the rows of `residuals` are scratch here: accelerations, rates of z, forces, a displacement
    base, still, force, move = co.residuals[0], co.residuals[1], co.residuals[2], co.residuals[3]
    for k in range(nv):
        base[k] = buffers.acceleration[k]
    base = base[:nv]
    for i in range(states):
        still[i] = buffers.dz[i]
    generalised_force(model, task, rows, t, ws, buffers, co, base, force)
    for c in range(2 * nv + states):
        k = c if c < nv else c - nv
        known = c < 2 * nv and ws.known[k] != 0
        for j in range(q.size):
            buffers.q[j] = q[j]
        for j in range(nv):
            buffers.v[j] = v[j]
        for j in range(z.size):
            buffers.z[j] = z[j]
        step = STEP
        if known:
            step = 0.0
        elif c < nv:
            if model.q_index[k] >= 0:
                step *= max(1.0, abs(q[model.q_index[k]]))
            for j in range(nv):
                buffers.v[j] = 0.0
                buffers.y[j] = 0.0
            buffers.v[k] = step
            tangent_rate(model, q, buffers.v, buffers.y, move)
            displace(model, q, move, buffers.q)
            for j in range(nv):
                buffers.v[j] = v[j]
        elif c < 2 * nv:
            step *= max(1.0, abs(v[k]))
            buffers.v[k] += step
        else:
            k = c - 2 * nv
            step = STATE_STEP * max(1.0, abs(z[k]))
            buffers.z[k] += step
        if not known:
            rates(
                model, task, free, t, buffers.q, buffers.v, buffers.z, latched, p, ws, buffers.acceleration, buffers.dz
            )
            co.counts[CALLS] += 1
            generalised_force(model, task, rows, t, ws, buffers, co, base, move)
        for i in range(nv):
            x = 0.0 if known else (move[i] - force[i]) / step
            if c < nv:
                co.K[i, k] = x
            elif c < 2 * nv:
                co.C[i, k] = x
            else:
                co.force_z[i, k] = -x
        for i in range(states):
            x = 0.0 if known else (buffers.dz[i] - still[i]) / step
            if c < nv:
                co.z_x[i, k] = x
            elif c < 2 * nv:
                co.z_v[i, k] = x
            else:
                co.z_z[i, k] = x
