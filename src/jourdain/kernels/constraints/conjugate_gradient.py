"""Multipliers by preconditioned conjugate gradients, S never formed: Negrut, NATO ASI 2002, after Hestenes & Stiefel.

A product S x is A M^-1 A^T x: the wrenches of all rows inward, the response outward, the rows of it; O(N) each, closed
loops or not. The preconditioner W is an old factor of S, or its diagonal blocks, one a constraint. With e = b,

    c = W^-1 e,    d = c + beta d,    x += alpha d,    e -= alpha S d,    alpha = e.c / d.S d,    beta = e.c / old e.c;

the paper prints d = e + beta d, which is not conjugate where W is not one. With the exact factor one step is all.
"""

from __future__ import annotations

import math

from ..algebra import Wrench
from ..bodies.body_dispatch import has_sparse_mass
from ..bodies.nodal_layout import NODAL_REST
from ..columns import ARM, DOFS, EV, FLEX, PARENT, D, N, S, U, V
from ..compiler import entry_point, kernel, optional_kernel, outlined_kernel
from ..flat_arrays import accumulate, accumulate31, get, put, vec1
from ..linalg.cholesky import factor_symmetric, method_scratch, solve_symmetric
from ..model_arrays import ModelArrays, RunTables, Workspace
from ..signatures import Vector
from ..spatial import add, cross, dot, scale, sub, vec
from ..tree.kinematics import kinematics
from ..tree.markers import marker_frame
from ..tree.nodal_elimination import sweep_nodal
from .articulated_inertias import articulated_inertias, eliminate_lone
from .constraint_jacobian import constraint_wrench, lay_rows, push_entries, row_accelerations
from .constraint_layout import (
    BLOCKS,
    CODE,
    CONSTRAINT_FIRST,
    CONSTRAINT_ROW,
    CONSTRAINT_ROWS,
    COUPLING,
    DRIFT,
    HOLONOMIC,
    KEEP_TOLERANCE,
    ON_FIRST,
    PRECISION,
    REFRESH,
    ROW_FORCE,
    ROW_RATE,
    VALUE,
)
from .schur_complement import DEPENDENT, factor_rows, own_block, reduce_rows, solve_rows
from .sparsity import (
    ACTIVE,
    ACTIVE_COUNT,
    DELTA_AT,
    LINES,
    LINK_RECORD,
    RECORDS,
    REST_AT,
    RIGHT_AT,
    S_AT,
    SOLVE_BODIES,
    SOLVE_BODY_COUNT,
    SOLVE_CHANGED,
    SOLVE_PLACES,
    TAKEN,
)
from .stabilization import TRIALS, UNREACHED, add_response, move_coordinates, violation
from .tree_sweeps import outward, push_carrier, push_internal, rows_times, sweep_rows

# the method's own numbers: then e, c, d, x (rows each), wrenches (6 a body), blocks (BLOCK a constraint)
GRADIENT_AGE = 0  # evaluations since the preconditioner was made
GRADIENT_STEPS = 1  # of the last solution
GRADIENT_VECTORS = 2
BLOCK = 36


@kernel
def gradient_scratch(model, ws):
    """Where e, c, d, x, the wrenches and the blocks begin in Workspace.solve."""
    n = ws.rows.shape[0]
    e = method_scratch(model, ws) + GRADIENT_VECTORS
    wrench = e + 4 * n
    return e, e + n, e + 2 * n, e + 3 * n, wrench, wrench + 6 * model.table.shape[0]


@optional_kernel("flexible", returns=(3, 3))
def pass_internal(model, ws, i, y, moment, force):
    """Eliminates the internal coordinates of body i, whose efforts begin at ws.solve[y], from a wrench."""
    n, ev, o = model.table[i, N], model.table[i, EV], model.table[i, FLEX]
    ee = o + 6 * n
    if has_sparse_mass(model, i):  # what is left of the efforts stays as it is, and `outward` answers to it
        left = sweep_nodal(model, ws, i, y, ws.flex, o + NODAL_REST * n, Wrench(moment, force))
        return tuple(left.moment), tuple(left.force)
    for k in range(n - 1, -1, -1):
        if get(ws.known, ev + k) != 0:
            continue
        g = ws.dof[ev + k, D] * get(ws.solve, y + k)
        for l in range(k):
            accumulate(ws.solve, y + l, -g * get(ws.flex, ee + n * k + l))
        moment = sub(moment, scale(g, vec1(ws.flex, o + 6 * k)))
        force = sub(force, scale(g, vec1(ws.flex, o + 6 * k + 3)))
    return moment, force


@outlined_kernel
def inward(model, ws, q, v):
    """What the multipliers of ws.rows leave of efforts on their way inward, into solve[REST_AT ...]."""
    links, solve, table, dof = ws.solve_links, ws.solve, model.table, ws.dof
    rest = links[REST_AT]
    _, _, _, _, wrench, _ = gradient_scratch(model, ws)
    for k in range(model.q_index.size):
        put(solve, rest + k, 0.0)
    for j in range(6 * table.shape[0]):
        put(solve, wrench + j, 0.0)
    # each row pulls on both of its bodies, about their origins; a coupling pulls on coordinates
    for c in range(model.constraint_index.shape[0]):
        if model.constraint_index[c, CODE] >= COUPLING:
            push_entries(model, ws, c, solve[rest : rest + model.q_index.size])
            continue
        first, count = model.constraint_index[c, CONSTRAINT_ROW], model.constraint_index[c, CONSTRAINT_ROWS]
        for side in range(2):
            m = model.constraint_index[c, CONSTRAINT_FIRST + side]
            i = model.marker_index[m, 0]
            if i == 0:
                continue
            moment, force = constraint_wrench(ws, first, count, ON_FIRST + 6 * side)
            arm, _, _, _ = marker_frame(model, ws, m, q, v)
            if table[i, N] > 0:
                push_internal(model, ws, i, model.marker_index[m, 1], rest + table[i, EV], moment, force)
            accumulate31(solve, wrench + 6 * i, add(moment, cross(arm, force)))
            accumulate31(solve, wrench + 6 * i + 3, force)
    # inward as in the articulated recursion: what a joint feels, it passes on less the share that moves it
    for b in range(links[SOLVE_BODY_COUNT] - 1, -1, -1):
        i = links[links[SOLVE_BODIES] + b]
        n, f = vec1(solve, wrench + 6 * i), vec1(solve, wrench + 6 * i + 3)
        if table[i, N] > 0:
            n, f = pass_internal(model, ws, i, rest + table[i, EV], n, f)
        for k in range(table[i, V] + table[i, DOFS] - 1, table[i, V] - 1, -1):
            x = get(solve, rest + k) + dot(vec(dof, k, S), n) + dot(vec(dof, k, S + 3), f)
            put(solve, rest + k, x)
            if ws.known[k] == 0:
                n = sub(n, scale(dof[k, D] * x, vec(dof, k, U)))
                f = sub(f, scale(dof[k, D] * x, vec(dof, k, U + 3)))
        p = table[i, PARENT]
        # about the origin of the carrier
        if p > 0:
            if table[p, N] > 0:
                push_carrier(model, ws, i, rest + table[p, EV], n, f)
            accumulate31(solve, wrench + 6 * p, add(n, cross(vec(ws.work, i, ARM), f)))
            accumulate31(solve, wrench + 6 * p + 3, f)


@kernel
def times_rows(model, ws, q, v):
    """S x, x being ws.rows[:, FORCE], which it replaces."""
    inward(model, ws, q, v)
    outward(model, ws)
    delta = ws.solve_links[DELTA_AT]
    rows_times(model, ws, q, v, ws.solve[delta : delta + model.q_index.size])


@outlined_kernel
def make_preconditioner(model, task, ws, q, v):
    """An exact factor of S, or the factors of its diagonal blocks, at the present state."""
    links, solve = ws.solve_links, ws.solve
    put(solve, method_scratch(model, ws) + GRADIENT_AGE, 0.0)
    if task.constraining[BLOCKS] == 0.0:
        reduce_rows(model, ws, q, v)
        factor_rows(model, ws, True)
        return
    _, _, _, _, _, blocks = gradient_scratch(model, ws)
    for c in range(model.constraint_index.shape[0]):
        sweep_rows(model, ws, c, q, v)
        own_block(model, ws, c)
        record = links[RECORDS] + LINK_RECORD * c
        rows, n = links[SOLVE_PLACES] + model.constraint_index[c, CONSTRAINT_ROW], links[record + ACTIVE_COUNT]
        at = blocks + BLOCK * c
        for a in range(n):
            i = links[links[record + ACTIVE] + a]
            taken = links[links[TAKEN] + model.constraint_index[c, CONSTRAINT_ROW] + i] != 0
            p = links[rows + i]
            for b in range(a + 1):
                j = links[links[record + ACTIVE] + b]
                both = taken and links[links[TAKEN] + model.constraint_index[c, CONSTRAINT_ROW] + j] != 0
                place = links[S_AT] + links[links[LINES] + p] + links[rows + j]
                put(solve, at + a * n + b, get(solve, place) if both else 0.0)
        factor_symmetric(solve, at, n, DEPENDENT)


@outlined_kernel
def precondition(model, task, ws, all_rows):
    """c = W^-1 e; zero of rows that are not holonomic, unless all count."""
    links, solve, rows = ws.solve_links, ws.solve, ws.rows
    e, c, _, _, block, blocks = gradient_scratch(model, ws)
    if task.constraining[BLOCKS] == 0.0:
        for r in range(rows.shape[0]):
            rows[r, ROW_FORCE] = get(solve, e + r)
        solve_rows(model, ws)
        for r in range(rows.shape[0]):
            put(solve, c + r, rows[r, ROW_FORCE])
    for i in range(model.constraint_index.shape[0]):
        first, count = model.constraint_index[i, CONSTRAINT_ROW], model.constraint_index[i, CONSTRAINT_ROWS]
        if task.constraining[BLOCKS] != 0.0:
            record = links[RECORDS] + LINK_RECORD * i
            active, n = links[record + ACTIVE], links[record + ACTIVE_COUNT]
            for r in range(count):
                put(solve, c + first + r, 0.0)
            for a in range(n):
                put(solve, block + a, get(solve, e + first + links[active + a]))
            solve_symmetric(solve, blocks + BLOCK * i, n, solve, block)
            for a in range(n):
                put(solve, c + first + links[active + a], get(solve, block + a))
        for r in range(count if all_rows else model.constraint_index[i, HOLONOMIC], count):
            put(solve, c + first + r, 0.0)


@outlined_kernel
def conjugate(model, task, ws, q, v, all_rows):
    """Solves S x = b, b being ws.rows[:, FORCE], which x replaces; the steps it took are counted.

    Rows that depend on others, and those left out, have no part in W, nor in x.
    """
    solve, rows, n = ws.solve, ws.rows, ws.rows.shape[0]
    e, c, d, x, _, _ = gradient_scratch(model, ws)
    for r in range(n):
        put(solve, e + r, rows[r, ROW_FORCE])
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
        if not size > task.constraining[PRECISION] ** 2 * first:
            break
        for r in range(n):
            put(solve, d + r, get(solve, c + r) + (size / before if step > 0 else 0.0) * get(solve, d + r))
            rows[r, ROW_FORCE] = get(solve, d + r)
        times_rows(model, ws, q, v)
        curvature = 0.0
        for r in range(n):
            curvature += get(solve, d + r) * rows[r, ROW_FORCE]
        if not curvature > 0.0:
            break
        alpha = size / curvature
        for r in range(n):
            accumulate(solve, x + r, alpha * get(solve, d + r))
            accumulate(solve, e + r, -alpha * rows[r, ROW_FORCE])
        before = size
        steps += 1
    for r in range(n):
        rows[r, ROW_FORCE] = get(solve, x + r)
    put(solve, method_scratch(model, ws) + GRADIENT_STEPS, steps + 0.0)


@kernel
def renew(model, task, ws, q, v):
    """Makes the preconditioner where a run begins, where it is due, where the last solution took long, and where rows
    were exchanged: those that it leaves out have no multiplier."""
    o = method_scratch(model, ws)
    long = get(ws.solve, o + GRADIENT_STEPS) > 5.0 + math.sqrt(ws.rows.shape[0] + 0.0)
    changed = ws.solve_links[SOLVE_CHANGED] != 0
    if ws.flags.cached < 0 or changed or long or get(ws.solve, o + GRADIENT_AGE) >= task.constraining[REFRESH]:
        make_preconditioner(model, task, ws, q, v)
        ws.flags.cached = 0
        ws.solve_links[SOLVE_CHANGED] = 0
    accumulate(ws.solve, o + GRADIENT_AGE, 1.0)


@entry_point
def constrain_gradients(
    model: ModelArrays, task: RunTables, t: float, q: Vector, v: Vector, ws: Workspace, effort: Vector,
    acceleration: Vector,
) -> None:  # fmt: skip
    """`StageFunctions.constrain` by conjugate gradients."""
    rows = ws.rows
    lay_rows(model, ws, t, q, v)
    eliminate_lone(model, ws)
    renew(model, task, ws, q, v)
    right = ws.solve_links[RIGHT_AT]
    row_accelerations(model, ws, q, v, acceleration, ws.solve[right : right + rows.shape[0]])
    for r in range(rows.shape[0]):
        rows[r, ROW_FORCE] = -get(ws.solve, right + r)
    conjugate(model, task, ws, q, v, True)
    inward(model, ws, q, v)
    outward(model, ws)
    add_response(model, ws, effort, acceleration)
    for r in range(rows.shape[0]):
        ws.ledger.work_rate -= rows[r, ROW_FORCE] * rows[r, DRIFT]


@outlined_kernel
def respond_to(model, task, q, v, ws, column, all_rows):
    """Change of v that takes a column of ws.rows out, into solve[DELTA_AT ...], by conjugate gradients."""
    articulated_inertias(model, ws)
    for r in range(ws.rows.shape[0]):
        ws.rows[r, ROW_FORCE] = -ws.rows[r, column]
    conjugate(model, task, ws, q, v, all_rows)
    inward(model, ws, q, v)
    outward(model, ws)


@entry_point
def settle_gradients(
    model: ModelArrays, task: RunTables, t: float, q: Vector, v: Vector, z: Vector, ws: Workspace
) -> int:
    """`StageFunctions.settle`: projection in the metric of kinetic energy, as `stabilization.settle`, by conjugate
    gradients."""
    tolerance = task.constraining[KEEP_TOLERANCE]
    ws.ledger.time = t
    kinematics(model, ws, q, v)
    lay_rows(model, ws, t, q, v)
    worst = violation(model, ws)
    for _ in range(TRIALS):
        if worst <= tolerance:
            break
        respond_to(model, task, q, v, ws, VALUE, False)
        move_coordinates(model, ws, q)
        kinematics(model, ws, q, v)
        lay_rows(model, ws, t, q, v)
        before = worst
        worst = violation(model, ws)
        if not worst < 0.5 * before:
            break
    if not worst <= UNREACHED * tolerance:
        return 1
    respond_to(model, task, q, v, ws, ROW_RATE, True)
    for k in range(v.size):
        v[k] += get(ws.solve, ws.solve_links[DELTA_AT] + k)
    return 0
