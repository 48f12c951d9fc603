"""The stages of a run that multipliers keep on its constraints: forces at every evaluation, projection at every step.

M a + h = f + A^T lambda with A a + b = 0 gives A M^-1 A^T lambda = -(A a_0 + b), a_0 being the accelerations of the
tree alone. Baumgarte (1972) adds gains times the violation and its rate to b. Projection moves q by -M^-1 A^T S^-1 g
until the violation g is rounding, then v once by the same with the violation's rate: the nearest point in the metric
of the kinetic energy, tangent space by tangent space (Terze & Lefeber 2002; Blajer 2002).
"""

from __future__ import annotations

from ..algebra import rotation_matrix
from ..compiler import entry_point, kernel, separate_kernel
from ..flat_arrays import get, motion_at, put_value, quaternion_at, vector_at
from ..model_arrays import ModelArrays, RunTables, Workspace
from ..signatures import Matrix, Vector
from ..tree.joints import displace
from ..tree.kinematics import kinematics
from ..tree.path_coordinates import displace_without_velocity_scalar
from .articulated_inertias import articulated_inertias, eliminate_lone
from .constraint_jacobian import apply_rows, lay_rows, row_accelerations
from .schur_complement import factor, factor_rows, reduce_rows, solve_rows
from .tree_sweeps import respond

TRIALS = 25
"""Corrections of positions in one step at most."""
UNREACHED = 1e6
"""A violation that does not shrink any more is a failure above this, over the tolerance."""


@entry_point
def act(model: ModelArrays, q: Vector, v: Vector, ws: Workspace) -> None:
    """Lets the multipliers of the last evaluation act on the bodies, and on ws.effort."""
    apply_rows(model, ws, q, v)


@kernel
def correct_accelerations(model, ws, effort, acceleration):
    """Adds what the multipliers do to accelerations, and to the efforts on entries whose acceleration is known."""
    respond(model, ws)
    add_response(model, ws, effort, acceleration)


@kernel
def add_response(model, ws, effort, acceleration):
    """Adds the response that `outward` left."""
    links, solve = ws.solve_links, ws.solve
    delta, push, motion = ws.layout.delta, ws.layout.push, ws.layout.motion
    for k in range(acceleration.size):
        if ws.known[k] == 0:
            acceleration[k] += get(solve, delta + k)
        else:
            effort[k] += get(solve, push + k)
    for b in range(ws.layout.body_count):
        i = links[ws.layout.bodies + b]
        ws.bodies[i].acceleration += motion_at(solve, motion + 6 * i)


@kernel
def find_multipliers(model, task, t, q, v, ws, acceleration):
    """Multipliers of all rows into ws.constraint_rows, after `articulated_accelerations`."""
    rows = ws.constraint_rows
    lay_rows(model, ws, t, q, v)
    eliminate_lone(model, ws)
    reduce_rows(model, ws, q, v)
    factor(model, ws, True, True)
    right = ws.layout.right
    row_accelerations(model, ws, q, v, acceleration, ws.solve[right : right + len(rows)])
    gain, damping = task.stabilization.value_gain, task.stabilization.rate_gain
    for r in range(len(rows)):
        rows[r].multiplier = -(get(ws.solve, right + r) + gain * rows[r].value + damping * rows[r].rate)
    solve_rows(model, ws)


@entry_point
def constrain(
    model: ModelArrays, task: RunTables, t: float, q: Vector, v: Vector, ws: Workspace, effort: Vector,
    acceleration: Vector,
) -> None:  # fmt: skip
    """Multipliers, and the accelerations and efforts that they lead to; what moves a constraint does work."""
    find_multipliers(model, task, t, q, v, ws, acceleration)
    correct_accelerations(model, ws, effort, acceleration)
    for r in range(len(ws.constraint_rows)):
        ws.ledger.work_rate -= ws.constraint_rows[r].multiplier * ws.constraint_rows[r].drift


@kernel
def violation(model, ws):
    """Largest violation of a holonomic row that is taken."""
    worst = 0.0
    links = ws.solve_links
    for c in range(len(model.constraints)):
        first = model.constraints[c].row
        for r in range(first, first + model.constraints[c].holonomic):
            if links[ws.layout.taken + r] != 0:
                worst = max(worst, abs(ws.constraint_rows[r].value))
    return worst


@kernel
def is_holonomic(model):
    """Whether all rows are."""
    for c in range(len(model.constraints)):
        if model.constraints[c].holonomic < model.constraints[c].rows:
            return False
    return True


@kernel
def deforms(model):
    """Whether bodies with internal coordinates are among them: `kinematics` overwrites what eliminates those."""
    for i in range(len(model.tree)):
        if model.tree[i].ne > 0:
            return True
    return False


@kernel
def move_coordinates(model, ws, q):
    """Displaces q by the change that `respond` left; places of free joints move along their carriers' axes."""
    solve = ws.solve
    delta, state = ws.layout.delta, ws.layout.state
    increment = solve[delta : delta + model.q_index.size]
    trial = solve[state : state + q.size]
    for j in range(q.size):
        trial[j] = q[j]
    for g in range(len(model.rotations)):
        group = model.rotations[g]
        if group.free:
            R = rotation_matrix(quaternion_at(q, group.q + 3))
            put_value(increment, group.v + 3, R @ vector_at(increment, group.v + 3))
    displace(model, trial, increment, q)
    displace_without_velocity_scalar(model, ws, trial, increment, q)


@separate_kernel
def settle_positions(model, t, q, v, ws, tolerance):
    """Newton's method along M^-1 A^T from a factor that is made anew where it converges slowly.

    Returns how it ended: 0 on the constraints at once, 1 after corrections, 2 where it could not; rows and kinematics
    are those of q.
    """
    ws.ledger.time = t
    kinematics(model, ws, q, v)
    lay_rows(model, ws, t, q, v)
    worst = violation(model, ws)
    if worst <= tolerance:
        return 0
    soft = deforms(model)
    fresh = True
    for _ in range(TRIALS):
        if fresh or soft:
            articulated_inertias(model, ws)
            reduce_rows(model, ws, q, v)
            factor_rows(model, ws, False)
        for r in range(len(ws.constraint_rows)):
            ws.constraint_rows[r].multiplier = -ws.constraint_rows[r].value
        solve_rows(model, ws)
        respond(model, ws)
        move_coordinates(model, ws, q)
        kinematics(model, ws, q, v)
        lay_rows(model, ws, t, q, v)
        before = worst
        worst = violation(model, ws)
        if worst <= tolerance:
            return 1
        if not worst < 0.5 * before:
            if fresh or soft:
                return 1 if worst <= UNREACHED * tolerance else 2
            fresh = True
        else:
            fresh = worst > 0.01 * before
    return 1 if worst <= UNREACHED * tolerance else 2


@kernel
def settle_velocities(model, q, v, ws, tolerance, factored):
    """Takes the rate of the violation out of v; `factored` where the factor of the positions is at hand."""
    worst = 0.0
    links = ws.solve_links
    for r in range(len(ws.constraint_rows)):
        if links[ws.layout.taken + r] != 0:
            worst = max(worst, abs(ws.constraint_rows[r].rate))
    if worst <= tolerance:
        return
    soft = deforms(model)
    if soft or not factored:
        articulated_inertias(model, ws)
        reduce_rows(model, ws, q, v)
    if soft or not factored or not is_holonomic(model):
        factor_rows(model, ws, True)
    for r in range(len(ws.constraint_rows)):
        ws.constraint_rows[r].multiplier = -ws.constraint_rows[r].rate
    solve_rows(model, ws)
    respond(model, ws)
    delta = ws.layout.delta
    for k in range(v.size):
        v[k] += get(ws.solve, delta + k)


@entry_point
def settle(model: ModelArrays, task: RunTables, t: float, q: Vector, v: Vector, z: Vector, ws: Workspace) -> int:
    """Brings q and v back to the constraints, by the metric of the kinetic energy; 1 where it cannot."""
    tolerance = task.stabilization.tolerance
    ended = settle_positions(model, t, q, v, ws, tolerance)
    if ended == 2:
        return 1
    settle_velocities(model, q, v, ws, tolerance, ended == 1)
    return 0


@entry_point
def row_responses(
    model: ModelArrays, task: RunTables, t: float, q: Vector, v: Vector, ws: Workspace, S: Matrix, response: Matrix
) -> None:
    """S = A M^-1 A^T (rows, rows), dense, and M^-1 A^T (nv, rows), as the sweeps have them."""
    ws.ledger.time = t
    kinematics(model, ws, q, v)
    lay_rows(model, ws, t, q, v)
    articulated_inertias(model, ws)
    reduce_rows(model, ws, q, v)
    n, delta = len(ws.constraint_rows), ws.layout.delta
    for r in range(n):
        for j in range(n):
            ws.constraint_rows[j].multiplier = 1.0 if j == r else 0.0
        respond(model, ws)
        for k in range(v.size):
            response[k, r] = get(ws.solve, delta + k)
    links = ws.solve_links
    for a in range(n):
        for b in range(n):
            i, j = links[ws.layout.places + a], links[ws.layout.places + b]
            p, o = max(i, j), min(i, j)
            S[a, b] = 0.0
            if o >= 0 and o >= links[ws.layout.begins + p]:
                S[a, b] = get(ws.solve, ws.layout.S + links[ws.layout.lines + p] + o)
