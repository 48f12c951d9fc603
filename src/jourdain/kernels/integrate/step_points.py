"""What every method does at a point of its step: rates of the motion, and how far a guess of them is off."""

from __future__ import annotations

from ..compiler import entry_point, kernel, outlined_kernel
from ..constraints.constraint_jacobian import lay_rows, row_jacobian
from ..model_arrays import ModelArrays, RunTables, Workspace
from ..signatures import Vector
from ..tree.composite import composite_mass_matrix
from ..tree.kinematics import kinematics
from .implicit_layout import Corrector
from .lie_group import to_displacement
from .state_steps import evaluate


@entry_point
def all_rows(model: ModelArrays, task: RunTables, t: float, q: Vector, v: Vector, ws: Workspace, co: Corrector) -> None:
    """Rows of the constraints, how far they are violated, and the mass matrix, at a state; rows that are not taken are
    zero, and met. Where unknowns are partitioned there is no mass matrix."""
    links = ws.solve_links
    ws.ledger.time = t
    kinematics(model, ws, q, v)
    lay_rows(model, ws, t, q, v)
    for r in range(co.rows.shape[0]):
        if links[ws.layout.taken + r] == 0:
            for k in range(v.size):
                co.rows[r, k] = 0.0
            co.gap[0, r], co.gap[1, r] = 0.0, 0.0
            continue
        row_jacobian(model, ws, r, q, v, co.rows[r], 0)
        co.gap[0, r] = ws.constraint_rows[r].value
        co.gap[1, r] = ws.constraint_rows[r].rate
    if co.mass.shape[1] > 0:
        composite_mass_matrix(model, ws, co.mass)


@kernel
def lay_constraints(run, t):
    """Rows of the constraints at the state in the buffers, where multipliers are unknowns."""
    if run.integrator.form > 0:
        run.method.rows(run.model, run.task, t, run.buffers.q, run.buffers.v, run.ws, run.memory)


@outlined_kernel
def point(run, stage, t):
    """Rates at the increments buffers.y into row `stage` of buffers.K, and the rows of the constraints there."""
    evaluate(run, run.free, stage, t, run.q, run.v, run.z)
    run.memory.counts.evaluations += 1
    lay_constraints(run, t)


@outlined_kernel
def residual(run, stage, y, rate, force, out):
    """out = how far `rate` (n,) is from the rates of the last `point`, as displacement, force, and rates of z.

    y are the increments of the point, force its multipliers. Of a constrained system the power of what moves it is
    completed here: of rows that move with time, and of prescribed entries that carry forces of constraints.
    """
    ws, buffers, co = run.ws, run.buffers, run.memory
    nv, n, K = ws.known.size, y.size, buffers.K
    constrained = co.integrator.form > 0
    # power of what moves with time
    if constrained:
        power = 0.0
        for r in range(co.rows.shape[0]):
            power -= force[r] * ws.constraint_rows[r].drift
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
    # difference of the rates; prescribed entries have none
    for k in range(n):
        out[k] = rate[k] - K[stage, k]
    for k in range(nv):
        if ws.known[k] != 0:
            out[k] = 0.0
            out[nv + k] = 0.0
    to_displacement(run.model, buffers.q, y, out)
    # and of accelerations the force, M a - A^T force
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
