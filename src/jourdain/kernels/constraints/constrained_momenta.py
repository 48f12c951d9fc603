"""Canonical momenta of a system with constraints, index 2: velocities of momenta that obey A v + c = 0.

Constraint forces change the momenta M v. What is integrated is p = M v - A^T mu instead, mu being the time integral of
the multipliers since the step began: its rate

    dp/dt = effort + ... (as in a tree) - (dA/dt)^T mu

has no multipliers in it, and mu comes out where v does, M v = p + A^T mu with A v + c = 0. So no acceleration is solved
for, and violations of the velocity do not add up. At an accepted step the position is projected and mu begins anew.
"""

from __future__ import annotations

from ..compiler import entry_point, kernel, separate_kernel
from ..model_arrays import ModelArrays, RunTables, Workspace
from ..signatures import Vector
from ..tree.joints import displace, tangent_rate
from ..tree.kinematics import kinematics
from .articulated_inertias import eliminate_lone
from .canonical_momenta import keep_momenta, momenta_of, own_vectors, read_momenta, velocities_of, weigh
from .constraint_jacobian import lay_rows, rows_transposed
from .schur_complement import factor_rows, reduce_rows, solve_rows
from .stabilization import correct_accelerations, settle_positions
from .tree_sweeps import rows_times

SPAN = 1e-5
"""Time over which the turning of the rows is differenced, over that of a unit of motion: the error, 1e-10 of a term
that is small as the step is, is that of rounding."""


@separate_kernel
def linked_velocities(model, ws, t, q, p, v):
    """v of momenta p under the constraints; mu is left in the multipliers of ws.constraint_rows."""
    velocities_of(model, ws, q, p, v)
    lay_rows(model, ws, t, q, ws.effort)
    eliminate_lone(model, ws)
    reduce_rows(model, ws, q, ws.effort)
    factor_rows(model, ws, True)
    rows_times(model, ws, q, ws.effort, v)
    for r in range(len(ws.constraint_rows)):
        ws.constraint_rows[r].multiplier = -(ws.constraint_rows[r].multiplier + ws.constraint_rows[r].drift)
    solve_rows(model, ws)
    correct_accelerations(model, ws, p, v)


@kernel
def turn_rows(model, ws, t, q, v):
    """(dA/dt)^T mu along the motion into the method's own numbers, by a central difference; ws is left at rest."""
    nv = v.size
    solve = ws.solve
    _, _, _, turn = own_vectors(model, ws)
    increment = solve[ws.layout.delta : ws.layout.delta + nv]
    pushed = solve[ws.layout.rest : ws.layout.rest + nv]
    state = solve[ws.layout.state : ws.layout.state + q.size]
    most = 1.0
    for k in range(nv):
        most = max(most, abs(v[k]))
        turn[k] = 0.0
    span = SPAN / most
    for side in range(2):
        sign = 2.0 * side - 1.0
        for k in range(nv):
            increment[k] = 0.0
        tangent_rate(model, q, v, increment, pushed)
        for k in range(nv):
            increment[k] = sign * span * pushed[k]
            pushed[k] = 0.0
            ws.effort[k] = 0.0
        for j in range(q.size):
            state[j] = q[j]
        displace(model, q, increment, state)
        ws.ledger.time = t + sign * span
        kinematics(model, ws, state, ws.effort)
        lay_rows(model, ws, t + sign * span, state, ws.effort)
        rows_transposed(model, ws, state, ws.effort, pushed)
        for k in range(nv):
            turn[k] += sign * pushed[k] / (2.0 * span)
    ws.ledger.time = t


@kernel
def linked_held(model, t, q, v, ws):
    """`momenta.momenta_held` under constraints."""
    _, weight, p, _ = own_vectors(model, ws)
    ws.ledger.time = t
    if ws.flags.cached <= 0:
        momenta_of(model, ws, q, v, p)
        velocities_of(model, ws, q, p, v)
        weigh(model, ws, weight)
        keep_momenta(model, v, ws)
    else:
        read_momenta(model, v, ws)
    linked_velocities(model, ws, t, q, p, v)


@entry_point
def adjust_linked(model: ModelArrays, task: RunTables, t: float, q: Vector, v: Vector, ws: Workspace) -> None:
    """`StageFunctions.adjust` of a run in momenta under constraints: velocities in the place of what a stage holds."""
    linked_held(model, t, q, v, ws)
    turn_rows(model, ws, t, q, v)


@entry_point
def settle_linked(model: ModelArrays, task: RunTables, t: float, q: Vector, v: Vector, z: Vector, ws: Workspace) -> int:
    """`StageFunctions.settle` of such a run: coordinates on the constraints, velocities of the momenta there, mu
    zero."""
    nv = v.size
    _, _, p, _ = own_vectors(model, ws)
    if ws.flags.cached == 1:
        read_momenta(model, v, ws)
    else:
        momenta_of(model, ws, q, v, p)
    for k in range(nv):
        ws.effort[k] = 0.0
    if settle_positions(model, t, q, ws.effort, ws, task.stabilization.tolerance) == 2:
        return 1
    linked_velocities(model, ws, t, q, p, v)
    momenta_of(model, ws, q, v, p)
    keep_momenta(model, v, ws)
    return 0
