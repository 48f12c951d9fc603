"""Derivatives for the corrections: those of `derivatives` where they cover a run, else differences of all that acts."""

from __future__ import annotations

from ..compiler import entry_point, kernel, outlined_kernel
from ..derivatives.dynamics_derivatives import inverse_derivatives
from ..records import given
from ..signatures import Vector
from ..tree.composite import composite_mass_matrix
from ..tree.joints import displace, tangent_rate
from ..tree.kinematics import kinematics
from .implicit_layout import HISTORY
from .loop_records import Loop
from .newton import couple, forget_factors
from .state_steps import rates_at
from .step_points import lay_constraints

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
        for i in range(co.integrator.states):
            co.force_z[k, i] = 0.0
            co.z_x[i, k] = 0.0
            co.z_v[i, k] = 0.0
        for r in range(co.A.shape[0]):
            co.A[r, k] = 0.0
            co.rate_x[r, k] = 0.0


@outlined_kernel
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


@outlined_kernel
def refresh(run, t, q, v, z):
    """Takes the derivatives at a state anew."""
    model, task, ws, b, co, method = run.model, run.task, run.ws, run.buffers, run.memory, run.method
    for j in range(q.size):
        b.q[j] = q[j]
    for k in range(v.size):
        b.v[k] = v[k]
    if co.M.shape[1] > 0 or run.partition.rest.size + run.partition.ports.size > 0:  # else nothing asks for rates
        rates_at(run, run.free, t, b.q, b.v, z)
        co.counts.evaluations += 1
    lay_constraints(run, t)
    if co.integrator.form > 0:
        for r in range(co.A.shape[0]):
            for k in range(v.size):
                co.A[r, k] = co.rows[r, k]
        if co.M.shape[1] > 0:
            under_multipliers(co, ws, b.acceleration)
    method.slope(run, t, q, v, z)
    if given(method.applied):
        laws = co.integrator.laws
        method.applied(
            model, task, run.free, t, b.q, b.v, z, run.latched, run.p, ws, co.partials, co.applied, laws, co.K, co.C
        )
    for r in range(co.A.shape[0]):
        ws.constraint_rows[r].multiplier = co.force[0, r]
        for k in range(v.size):
            co.rate_x[r, k] = 0.0
    if given(method.closing):
        method.closing(model, t, b.q, b.v, ws, co.partials, co.applied, co.K, co.rate_x)
    for r in range(co.A.shape[0]):
        if ws.solve_links[ws.layout.taken + r] == 0:
            for k in range(v.size):
                co.rate_x[r, k] = 0.0
    if co.M.shape[1] > 0:
        free_of_known(co, ws)
        couple(co, given(run.surfaces))  # with surface contact the answers of all unknowns are asked for
    forget_factors(co)
    co.integrator.aged, co.integrator.fresh = False, True
    co.counts.jacobians += 1


@outlined_kernel
def refresh_here(run, t):
    """`refresh` at the last point that was evaluated."""
    b, co = run.buffers, run.memory
    for j in range(co.q.size):
        co.q[j] = b.q[j]
    for k in range(co.v.size):
        co.v[k] = b.v[k]
    for k in range(co.z.size):
        co.z[k] = b.z[k]
    refresh(run, t, co.q, co.v, co.z)


@entry_point
def tree_jacobian(run: Loop, t: float, q: Vector, v: Vector, z: Vector) -> None:
    """Derivatives of a tree on which nothing else acts, by the recursion of `derivatives`."""
    b, co = run.buffers, run.memory
    inverse_derivatives(run.model, run.ws, co.partials, b.q, b.v, b.acceleration, run.latched, co.K, co.C, co.M)


@kernel
def generalised_force(run, t, base, out):
    """out = M (a_base - a) - A^T lambda at the last evaluation: what the state changes in the equations of motion."""
    ws, buffers, co, nv = run.ws, run.buffers, run.memory, base.size
    for i in range(nv):
        x = 0.0
        for j in range(nv):
            x += co.M[i, j] * (base[j] - buffers.acceleration[j])
        out[i] = x
    if co.integrator.form > 0:
        lay_constraints(run, t)
        for i in range(nv):
            x = 0.0
            for j in range(nv):
                if ws.known[j] == 0:
                    x += co.mass[i, j] * (base[j] - buffers.acceleration[j])
            for r in range(co.rows.shape[0]):
                x -= co.rows[r, i] * co.force[0, r]
            out[i] = x


@outlined_kernel
def vary(run, q, v, z, kind, group):
    """Displaces the entries of a group (kind 0), changes their velocities (1), or an integrated state (2) in buffers.

    The steps are left in the last row of co.trial; the result is 0 where all of the group is prescribed.
    """
    model, ws, buffers, co, nv = run.model, run.ws, run.buffers, run.memory, v.size
    steps, move = co.trial[HISTORY - 1], co.residuals[3]
    for j in range(q.size):
        buffers.q[j] = q[j]
    for j in range(nv):
        buffers.v[j] = v[j]
    for j in range(z.size):
        buffers.z[j] = z[j]
    if kind == 2:
        steps[group] = STATE_STEP * max(1.0, abs(z[group]))
        buffers.z[group] += steps[group]
        return 1
    some = 0
    for k in range(nv):
        steps[k] = 0.0
        if co.group[k] != group or ws.known[k] != 0:
            continue
        some = 1
        if kind == 1:
            steps[k] = STEP * max(1.0, abs(v[k]))
            buffers.v[k] += steps[k]
        else:
            j = model.q_index[k]
            steps[k] = STEP * max(1.0, abs(q[j])) if j >= 0 else STEP
    if kind == 0 and some == 1:
        for k in range(nv):
            buffers.v[k] = steps[k]
            buffers.y[k] = 0.0
        tangent_rate(model, q, buffers.v, buffers.y, move)
        displace(model, q, move, buffers.q)
        for k in range(nv):
            buffers.v[k] = v[k]
    return some


@entry_point
def difference_jacobian(run: Loop, t: float, q: Vector, v: Vector, z: Vector) -> None:
    """Derivatives of everything that acts, by forward differences of the rates.

    Entries of a group share a difference: no effort depends on two of them (Curtis, Powell & Reid 1974).
    """
    model, ws, buffers, co = run.model, run.ws, run.buffers, run.memory
    nv, states = v.size, co.integrator.states
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
    if co.integrator.form > 0:
        # the accelerations so far are those under the multipliers; the forces are compared without
        rates_at(run, run.free, t, buffers.q, buffers.v, z)
        co.counts.evaluations += 1
    generalised_force(run, t, base, force)
    for i in range(nv):
        for k in range(nv):
            co.K[i, k] = 0.0
            co.C[i, k] = 0.0
    # by coordinates, then by velocities, then by states
    groups = 0
    for k in range(nv):
        groups = max(groups, co.group[k] + 1)
    steps = co.trial[HISTORY - 1]
    for kind in range(3):
        # states have no groups: each is moved alone
        for g in range(groups if kind < 2 else states):
            if vary(run, q, v, z, kind, g) == 0:
                continue
            rates_at(run, run.free, t, buffers.q, buffers.v, buffers.z)
            co.counts.evaluations += 1
            co.counts.differences += 1
            generalised_force(run, t, base, move)
            if kind == 2:
                for i in range(nv):
                    co.force_z[i, g] = (force[i] - move[i]) / steps[g]
                for i in range(states):
                    co.z_z[i, g] = (buffers.dz[i] - still[i]) / steps[g]
                continue
            # each row belongs to the one entry of the group that it depends on
            for k in range(nv):
                if steps[k] == 0.0:
                    continue
                for i in range(nv):
                    if co.pattern[i, k] != 0:
                        x = (move[i] - force[i]) / steps[k]
                        if kind == 0:
                            co.K[i, k] = x
                        else:
                            co.C[i, k] = x
                for i in range(states):
                    x = (buffers.dz[i] - still[i]) / steps[k]
                    if kind == 0:
                        co.z_x[i, k] = x
                    else:
                        co.z_v[i, k] = x
