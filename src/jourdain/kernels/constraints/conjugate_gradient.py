"""Multipliers by preconditioned conjugate gradients, S never formed: Negrut, NATO ASI 2002, after Hestenes & Stiefel.

A product S x is A M^-1 A^T x: the wrenches of all rows inward, the response outward, the rows of it; O(N) each, closed
loops or not. The preconditioner W is an old factor of S, or its diagonal blocks, one a constraint. With e = b,

    c = W^-1 e,    d = c + beta d,    x += alpha d,    e -= alpha S d,    alpha = e.c / d.S d,    beta = e.c / old e.c;

the paper prints d = e + beta d, which is not conjugate where W is not one. With the exact factor one step is all.
"""

from __future__ import annotations

import math

from ..algebra import Wrench, shift_back
from ..bodies.body_dispatch import has_sparse_mass
from ..bodies.nodal_layout import nodal_blocks
from ..compiler import entry_point, kernel, optional_kernel, outlined_kernel
from ..flat_arrays import accumulate, add_value, get, put, wrench_at
from ..kind_registry import COUPLING
from ..linalg.cholesky import factor_symmetric, method_scratch, solve_symmetric
from ..model_arrays import ModelArrays, RunTables, Workspace
from ..rows import Row, row_at
from ..signatures import Vector
from ..tree.kinematics import kinematics
from ..tree.markers import marker_kinematics
from ..tree.nodal_elimination import sweep_nodal
from .articulated_inertias import articulated_inertias, eliminate_lone
from .constraint_jacobian import (
    constraint_wrenches,
    coupling_force,
    lay_rows,
    push_entries,
    row_accelerations,
    violated,
)
from .schur_complement import DEPENDENT, factor_rows, own_block, reduce_rows, solve_rows
from .sparsity import path_of
from .stabilization import TRIALS, UNREACHED, add_response, move_coordinates, violation
from .tree_sweeps import outward, push_carrier, push_internal, rows_times, sweep_rows


class GradientState(Row):
    """The method's own numbers in Workspace.solve; behind them e, c, d, x (rows each), wrenches (6 a body), blocks
    (BLOCK a constraint)."""

    age: float  # evaluations since the preconditioner was made
    steps: float  # of the last solution


gradient_state, GRADIENT_STATE = row_at(GradientState), GradientState.size

BLOCK = 36
"""Numbers of a diagonal block."""


@kernel
def gradient_scratch(model, ws):
    """Where e, c, d, x, the wrenches and the blocks begin in Workspace.solve."""
    n = len(ws.constraint_rows)
    e = method_scratch(model, ws) + GRADIENT_STATE
    wrench = e + 4 * n
    return e, e + n, e + 2 * n, e + 3 * n, wrench, wrench + 6 * len(model.tree)


@optional_kernel("flexible", returns=Wrench)
def pass_internal(model, ws, i, y, f):
    """Eliminates the internal coordinates of body i, whose efforts begin at ws.solve[y], from a wrench."""
    node, flex = model.tree[i], ws.flex
    n, o = node.ne, node.flex
    if has_sparse_mass(model, i):  # what is left of the efforts stays as it is, and `outward` answers to it
        return sweep_nodal(model, ws, i, y, flex, nodal_blocks(model, i).rest, f)
    for k in range(n - 1, -1, -1):
        if get(ws.known, node.ev + k) != 0:
            continue
        g = ws.dofs[node.ev + k].D * get(ws.solve, y + k)
        for l in range(k):
            accumulate(ws.solve, y + l, -g * get(flex, o + 6 * n + n * k + l))
        f -= g * wrench_at(flex, o + 6 * k)
    return f


@kernel
def pull_marker(model, ws, m, f, wrench, q, v):
    """Adds a wrench f on marker m to those of the bodies about their origins, from solve[wrench] on."""
    i, rest = model.markers[m].body, ws.layout.rest
    if i == 0:
        return
    arm, _, _ = marker_kinematics(model, ws, m, q, v)
    if model.tree[i].ne > 0:
        push_internal(model, ws, i, model.markers[m].station, rest + model.tree[i].ev, f)
    add_value(ws.solve, wrench + 6 * i, shift_back(f, arm))


@outlined_kernel
def inward(model, ws, q, v):
    """What the multipliers of ws.constraint_rows leave of efforts on their way inward, into solve[rest ...]."""
    layout, solve, tree, nv = ws.layout, ws.solve, model.tree, model.q_index.size
    rest = layout.rest
    _, _, _, _, wrench, _ = gradient_scratch(model, ws)
    for k in range(nv):
        put(solve, rest + k, 0.0)
    for j in range(6 * len(tree)):
        put(solve, wrench + j, 0.0)
    # each row pulls on both of its bodies, about their origins; a coupling pulls on coordinates
    for c in range(len(model.constraints)):
        constraint = model.constraints[c]
        if constraint.kind >= COUPLING:
            push_entries(model, c, coupling_force(model, ws, c), solve, rest)
            continue
        F_A, F_B = constraint_wrenches(model, ws, c)
        pull_marker(model, ws, constraint.marker_A, F_A, wrench, q, v)
        pull_marker(model, ws, constraint.marker_B, F_B, wrench, q, v)
    # inward as in the articulated recursion: what a joint feels, it passes on less the share that moves it
    for b in range(layout.body_count - 1, -1, -1):
        i = ws.solve_links[layout.bodies + b]
        node = tree[i]
        f = wrench_at(solve, wrench + 6 * i)
        if node.ne > 0:
            f = pass_internal(model, ws, i, rest + node.ev, f)
        for k in range(node.v + node.nv - 1, node.v - 1, -1):
            dof = ws.dofs[k]
            x = get(solve, rest + k) + dof.S.angular @ f.moment + dof.S.linear @ f.force
            put(solve, rest + k, x)
            if ws.known[k] == 0:
                f -= dof.D * x * dof.U
        # about the origin of the carrier
        p = node.parent
        if p > 0:
            if tree[p].ne > 0:
                push_carrier(model, ws, i, rest + tree[p].ev, f)
            add_value(solve, wrench + 6 * p, shift_back(f, ws.bodies[i].p_PB))


@kernel
def times_rows(model, ws, q, v):
    """S x, x being the multipliers of ws.constraint_rows, which it replaces."""
    inward(model, ws, q, v)
    outward(model, ws)
    delta = ws.layout.delta
    rows_times(model, ws, q, v, ws.solve[delta : delta + model.q_index.size])


@outlined_kernel
def make_preconditioner(model, task, ws, q, v):
    """An exact factor of S, or the factors of its diagonal blocks, at the present state."""
    links, solve = ws.solve_links, ws.solve
    gradient_state(solve, method_scratch(model, ws)).age = 0
    if not task.stabilization.block_diagonal:
        reduce_rows(model, ws, q, v)
        factor_rows(model, ws, True)
        return
    _, _, _, _, _, blocks = gradient_scratch(model, ws)
    for c in range(len(model.constraints)):
        sweep_rows(model, ws, c, q, v)
        own_block(model, ws, c)
        path = path_of(ws, c)
        rows, n = ws.layout.places + model.constraints[c].row, path.active_count
        at = blocks + BLOCK * c
        for a in range(n):
            i = links[path.active + a]
            taken = links[ws.layout.taken + model.constraints[c].row + i] != 0
            p = links[rows + i]
            for b in range(a + 1):
                j = links[path.active + b]
                both = taken and links[ws.layout.taken + model.constraints[c].row + j] != 0
                place = ws.layout.S + links[ws.layout.lines + p] + links[rows + j]
                put(solve, at + a * n + b, get(solve, place) if both else 0.0)
        factor_symmetric(solve, at, n, DEPENDENT)


@outlined_kernel
def precondition(model, task, ws, all_rows):
    """c = W^-1 e; zero of rows that are not holonomic, unless all count."""
    links, solve, rows = ws.solve_links, ws.solve, ws.constraint_rows
    e, c, _, _, block, blocks = gradient_scratch(model, ws)
    if not task.stabilization.block_diagonal:
        for r in range(len(rows)):
            rows[r].multiplier = get(solve, e + r)
        solve_rows(model, ws)
        for r in range(len(rows)):
            put(solve, c + r, rows[r].multiplier)
    for i in range(len(model.constraints)):
        first, count = model.constraints[i].row, model.constraints[i].rows
        if task.stabilization.block_diagonal:
            path = path_of(ws, i)
            active, n = path.active, path.active_count
            for r in range(count):
                put(solve, c + first + r, 0.0)
            for a in range(n):
                put(solve, block + a, get(solve, e + first + links[active + a]))
            solve_symmetric(solve, blocks + BLOCK * i, n, solve, block)
            for a in range(n):
                put(solve, c + first + links[active + a], get(solve, block + a))
        for r in range(count if all_rows else model.constraints[i].holonomic, count):
            put(solve, c + first + r, 0.0)


@outlined_kernel
def conjugate(model, task, ws, q, v, all_rows):
    """Solves S x = b, b being the multipliers of ws.constraint_rows, which x replaces; the steps it took are counted.

    Rows that depend on others, and those left out, have no part in W, nor in x.
    """
    solve, rows, n = ws.solve, ws.constraint_rows, len(ws.constraint_rows)
    e, c, d, x, _, _ = gradient_scratch(model, ws)
    for r in range(n):
        put(solve, e + r, rows[r].multiplier)
        put(solve, d + r, 0.0)
        put(solve, x + r, 0.0)
    first, before, steps = 0.0, 1.0, 0
    for step in range(2 * n + 1):
        precondition(model, task, ws, all_rows)
        size = 0.0
        for r in range(n):
            size += get(solve, e + r) * get(solve, c + r)
        if step == 0:
            first = size
        if not size > task.stabilization.residual**2 * first:
            break
        for r in range(n):
            put(solve, d + r, get(solve, c + r) + (size / before if step > 0 else 0.0) * get(solve, d + r))
            rows[r].multiplier = get(solve, d + r)
        times_rows(model, ws, q, v)
        curvature = 0.0
        for r in range(n):
            curvature += get(solve, d + r) * rows[r].multiplier
        if not curvature > 0.0:
            break
        alpha = size / curvature
        for r in range(n):
            accumulate(solve, x + r, alpha * get(solve, d + r))
            accumulate(solve, e + r, -alpha * rows[r].multiplier)
        before = size
        steps += 1
    for r in range(n):
        rows[r].multiplier = get(solve, x + r)
    gradient_state(solve, method_scratch(model, ws)).steps = steps


@kernel
def renew(model, task, ws, q, v):
    """Makes the preconditioner where a run begins, where it is due, where the last solution took long, and where rows
    were exchanged: those that it leaves out have no multiplier."""
    state = gradient_state(ws.solve, method_scratch(model, ws))
    long = state.steps > 5.0 + math.sqrt(len(ws.constraint_rows) + 0.0)
    changed = ws.layout.changed
    if ws.flags.cached < 0 or changed or long or state.age >= task.stabilization.refresh:
        make_preconditioner(model, task, ws, q, v)
        ws.flags.cached = 0
        ws.layout.changed = False
    state.age += 1


@entry_point
def constrain_gradients(
    model: ModelArrays, task: RunTables, t: float, q: Vector, v: Vector, ws: Workspace, effort: Vector,
    acceleration: Vector,
) -> None:  # fmt: skip
    """`StageFunctions.constrain` by conjugate gradients."""
    rows = ws.constraint_rows
    lay_rows(model, ws, t, q, v)
    eliminate_lone(model, ws)
    renew(model, task, ws, q, v)
    right = ws.layout.right
    row_accelerations(model, ws, q, v, acceleration, ws.solve[right : right + len(rows)])
    for r in range(len(rows)):
        rows[r].multiplier = -get(ws.solve, right + r)
    conjugate(model, task, ws, q, v, True)
    inward(model, ws, q, v)
    outward(model, ws)
    add_response(model, ws, effort, acceleration)
    for r in range(len(rows)):
        ws.ledger.work_rate -= rows[r].multiplier * rows[r].drift


@outlined_kernel
def respond_to(model, task, q, v, ws, rates, all_rows):
    """Change of v that takes the violation of the rows, or its rates, out; into solve[delta ...], by conjugate
    gradients."""
    articulated_inertias(model, ws)
    for r in range(len(ws.constraint_rows)):
        ws.constraint_rows[r].multiplier = -violated(ws.constraint_rows[r], rates)
    conjugate(model, task, ws, q, v, all_rows)
    inward(model, ws, q, v)
    outward(model, ws)


@entry_point
def settle_gradients(
    model: ModelArrays, task: RunTables, t: float, q: Vector, v: Vector, z: Vector, ws: Workspace
) -> int:
    """`StageFunctions.settle`: projection in the metric of kinetic energy, as `stabilization.settle`, by conjugate
    gradients."""
    tolerance = task.stabilization.tolerance
    ws.ledger.time = t
    kinematics(model, ws, q, v)
    lay_rows(model, ws, t, q, v)
    worst = violation(model, ws)
    for _ in range(TRIALS):
        if worst <= tolerance:
            break
        respond_to(model, task, q, v, ws, False, False)
        move_coordinates(model, ws, q)
        kinematics(model, ws, q, v)
        lay_rows(model, ws, t, q, v)
        before = worst
        worst = violation(model, ws)
        if not worst < 0.5 * before:
            break
    if not worst <= UNREACHED * tolerance:
        return 1
    respond_to(model, task, q, v, ws, True, True)
    for k in range(v.size):
        v[k] += get(ws.solve, ws.layout.delta + k)
    return 0
