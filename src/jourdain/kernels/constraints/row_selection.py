"""Which rows get multipliers where more are given than are independent, and whether a run is still on all of them.

The rank of the rows of an overconstrained linkage is the same wherever it goes, but rows that are independent in one
place may depend on each other in another, and a row may vanish there: where Bennett's linkage is stretched out, the
rows along its line do. As many as the rank are taken, those of largest volume: with C_ij = S_ij sqrt(w_i w_j),
S = A M^-1 A^T, the product of the pivots of C is the squared volume of the rows taken, in the metric of the kinetic
energy. The weights w make one of metres and radians and do not change as the mechanism moves (`run.redundancy`): rows
scaled to length one would hide that one vanishes. The largest pivot each time finds rows of nearly the largest volume
(Golub & Van Loan, section 5.4.2; Goreinov & Tyrtyshnikov 2001). On the constraints any independent rows give the same
motion; off them, within a step, they do not, and all of them together contradict each other. So rows are exchanged
between steps only, where the state is on the constraints: nothing jumps.
"""

from __future__ import annotations

import math

from ..compiler import entry_point, kernel, outlined_kernel
from ..flat_arrays import get, put
from ..model_arrays import ModelArrays, RunTables, Workspace
from ..signatures import Vector
from ..tree.kinematics import kinematics
from .articulated_inertias import articulated_inertias
from .constraint_jacobian import constraint_of, lay_rows
from .schur_complement import factor_rows, reduce_rows
from .sparsity import Nearness, nearness_at, worst_at

WORN = 0.3
"""Part of its largest value below which a pivot of the rows taken may not fall: other rows are looked for."""
BETTER = math.log(2.0)
"""How much larger the squared volume of others must be."""
LOST = 1e-10
"""A largest pivot below this is that of a place where all rows together lose rank: nothing is exchanged there."""
CLOSE = 0.7
"""A pivot below this, over the largest that it had, may be that of a place within a long step of an adaptive method
from a singular configuration; whether it is, is looked at where the run ends (`jourdain.run.constraint_drift`)."""
NEARNESS = Nearness.size
SMOOTH = 1e-8
"""Least pivot of a row, over what it is when the row is taken: see `jourdain.run.redundancy`."""


@kernel
def choice_at(ws):
    """Where the largest pivots, the weights and the dense C begin in Workspace.solve."""
    pivots = ws.layout.choice
    weights = pivots + ws.layout.place_count
    return pivots, weights, weights + len(ws.constraint_rows)


@kernel
def pivot_of(ws, p):
    """The pivot of a place after `factor_rows`; 0 of a row that was let go."""
    inverse = get(ws.solve, ws.layout.inverse + p)
    return 1.0 / inverse if inverse > 0.0 else 0.0


@kernel
def has_worn(ws):
    """Whether a pivot of the rows taken has fallen below WORN of its largest value, which is remembered.

    Each pivot for itself: what one loop loses, another may gain.
    """
    links, solve = ws.solve_links, ws.solve
    pivots, _, _ = choice_at(ws)
    worn = False
    for r in range(len(ws.constraint_rows)):
        if links[ws.layout.taken + r] == 0:
            continue
        p = links[ws.layout.places + r]
        pivot = pivot_of(ws, p)
        worn = worn or not pivot >= WORN * get(solve, pivots + p)
        put(solve, pivots + p, max(pivot, get(solve, pivots + p)))
    return worn


@kernel
def remember_pivots(ws):
    """Pivots are to be compared with those of now."""
    pivots, _, _ = choice_at(ws)
    for p in range(ws.layout.place_count):
        put(ws.solve, pivots + p, pivot_of(ws, p))


@kernel
def log_volume(ws):
    """Logarithm of the squared volume of the rows taken, after `factor_rows`; minus infinity where they depend."""
    links, solve = ws.solve_links, ws.solve
    _, weights, _ = choice_at(ws)
    total = 0.0
    for r in range(len(ws.constraint_rows)):
        if links[ws.layout.taken + r] == 0:
            continue
        pivot = pivot_of(ws, links[ws.layout.places + r])
        if not pivot > 0.0:
            return -math.inf
        total += math.log(get(solve, weights + r) * pivot)
    return total


@kernel
def lay_scaled(ws):
    """C (places, places), both halves."""
    links, solve = ws.solve_links, ws.solve
    _, weights, at = choice_at(ws)
    n = ws.layout.place_count
    for p in range(n):
        line = ws.layout.S + links[ws.layout.lines + p]
        for o in range(p + 1):
            x = get(solve, line + o) if o >= links[ws.layout.begins + p] else 0.0
            put(solve, at + p * n + o, x)
            put(solve, at + o * n + p, x)
    for r in range(len(ws.constraint_rows)):
        p = links[ws.layout.places + r]
        scale = math.sqrt(get(solve, weights + r))
        for o in range(n if p >= 0 else 0):
            put(solve, at + p * n + o, scale * get(solve, at + p * n + o))
            put(solve, at + o * n + p, scale * get(solve, at + o * n + p))


@kernel
def take_place(ws, p):
    """Takes the direction of a place out of all others; its own entries become zero."""
    solve = ws.solve
    n, (_, _, at) = ws.layout.place_count, choice_at(ws)
    pivot = get(solve, at + p * n + p)
    for i in range(n):
        x = get(solve, at + i * n + p) / pivot
        if i != p and x != 0.0:
            for j in range(n):
                put(solve, at + i * n + j, get(solve, at + i * n + j) - x * get(solve, at + p * n + j))
    for i in range(n):
        put(solve, at + i * n + p, 0.0)
        put(solve, at + p * n + i, 0.0)


@outlined_kernel
def best_rows(model, ws):
    """Marks by a 2 the rows of large volume, holonomic ones first; returns the logarithm of its square, or minus
    infinity where all rows together lack rank, and nothing is marked."""
    links, solve = ws.solve_links, ws.solve
    n, (_, _, at) = ws.layout.place_count, choice_at(ws)
    lay_scaled(ws)
    total, largest = 0.0, 0.0
    for p in range(n):
        largest = max(largest, get(solve, at + p * n + p))
    for count in range(ws.layout.rank):
        best, most = -1, LOST * largest
        for r in range(len(ws.constraint_rows)):
            p = links[ws.layout.places + r]
            if p < 0:
                continue
            c = constraint_of(model, r)
            holonomic = r - model.constraints[c].row < model.constraints[c].holonomic
            pivot = get(solve, at + p * n + p)
            if holonomic == (count < ws.layout.holonomic_rank) and pivot > most:
                best, most = r, pivot
        if best < 0:
            for r in range(len(ws.constraint_rows)):
                links[ws.layout.taken + r] &= 1
            return -math.inf
        total += math.log(most)
        links[ws.layout.taken + best] |= 2
        take_place(ws, links[ws.layout.places + best])
    return total


@kernel
def take_marked(model, ws, better):
    """Takes the rows that `best_rows` marked, or, where they are not better, keeps those that are taken."""
    links = ws.solve_links
    for r in range(len(ws.constraint_rows)):
        marks = links[ws.layout.taken + r]
        links[ws.layout.taken + r] = marks >> 1 if better else marks & 1


@kernel
def renew_least(ws):
    """Least pivots of the rows taken, after `factor_rows`."""
    links, solve = ws.solve_links, ws.solve
    for p in range(ws.layout.place_count):
        inverse = get(solve, ws.layout.inverse + p)
        diagonal = get(solve, ws.layout.S + links[ws.layout.lines + p] + p)
        put(solve, ws.layout.least + p, SMOOTH * max(1.0 / inverse, 0.01 * diagonal) if inverse > 0.0 else 0.0)


@kernel
def note_nearness(ws, t, q, v):
    """Remembers the accepted state of the smallest pivot of each place, over the largest that it had, by the factor of
    the last evaluation, correction or choice."""
    links, solve, at, width = ws.solve_links, ws.solve, ws.layout.near, ws.layout.near_width
    for r in range(len(ws.constraint_rows)):
        p = links[ws.layout.places + r]
        if p < 0 or links[ws.layout.taken + r] == 0:
            continue
        own = at + 1 + width * p
        near, pivot = nearness_at(solve, own)[0], pivot_of(ws, p)
        if near.most == 0.0:  # also of a run that goes on with other connections
            near.ratio = CLOSE
        near.most = max(near.most, pivot)
        if pivot < near.ratio * near.most:
            near.ratio, near.time, near.step = pivot / near.most, t, t - get(solve, at)
            state = own + NEARNESS
            if width > NEARNESS:
                for j in range(q.size):
                    put(solve, state + j, q[j])
                for k in range(v.size):
                    put(solve, state + q.size + k, v[k])
    put(solve, at, t)


@kernel
def begin_nearness(ws, t):
    """Nothing is known where a run begins."""
    put(ws.solve, ws.layout.near, t)
    for p in range(ws.layout.place_count):
        near = nearness_at(ws.solve, ws.layout.near + 1 + ws.layout.near_width * p)[0]
        near.ratio, near.most = CLOSE, 0.0


@outlined_kernel
def exchange_rows(model, ws, q, v):
    """Takes other rows where the volume of those that are taken has worn; rows and kinematics are those of the state.

    A pivot is compared with its largest value since rows were looked for, so that a state near a singular
    configuration, where the volume of any rows vanishes, does not search at every step.
    """
    solve = ws.solve
    articulated_inertias(model, ws)
    reduce_rows(model, ws, q, v)
    factor_rows(model, ws, True)
    if not has_worn(ws):
        return
    mine, best = log_volume(ws), best_rows(model, ws)
    if best > mine + BETTER:
        take_marked(model, ws, True)
        for p in range(ws.layout.place_count):
            put(solve, ws.layout.least + p, 0.0)
        factor_rows(model, ws, True)
        renew_least(ws)
        ws.layout.changed = True
    else:
        take_marked(model, ws, False)
    if best > -math.inf:
        remember_pivots(ws)


@kernel
def begin_rows(ws):
    """The rows that a run begins with are taken, and nothing is known of violations."""
    links, solve, n = ws.solve_links, ws.solve, len(ws.constraint_rows)
    for r in range(n):
        links[ws.layout.taken + r] = links[ws.layout.taken + n + r]
        put(solve, ws.layout.least + r, get(solve, ws.layout.least + n + r))
    pivots, _, _ = choice_at(ws)
    for p in range(ws.layout.place_count):
        put(solve, pivots + p, math.inf)


@kernel
def note_violation(model, ws, t):
    """Largest violation of any holonomic row now; the largest of the run is remembered."""
    worst, row = 0.0, -1
    for c in range(len(model.constraints)):
        first = model.constraints[c].row
        for r in range(first, first + model.constraints[c].holonomic):
            gap = abs(ws.constraint_rows[r].value)
            if gap != gap:
                return gap
            if gap > worst:
                worst, row = gap, r
    largest = worst_at(ws.solve, ws.layout.worst)[0]
    if worst > largest.value:
        largest.value, largest.time, largest.row = worst, t, row
    return worst


@entry_point
def watch_closure(
    model: ModelArrays, task: RunTables, t: float, q: Vector, v: Vector, ws: Workspace, first: int
) -> int:
    """`StageFunctions.closure`: 1 where a row is violated by more than the method allows, taken or not; rows that have
    come to depend on others are exchanged. `first` is 1 where a run begins."""
    redundant = ws.layout.spare > 0
    if first == 1:
        largest = worst_at(ws.solve, ws.layout.worst)[0]
        largest.value, largest.time, largest.row = 0.0, 0.0, 0
        begin_nearness(ws, t)
        if redundant:
            begin_rows(ws)
    if redundant or first == 1 or task.stabilization.rows_stale:
        ws.ledger.time = t
        kinematics(model, ws, q, v)
        lay_rows(model, ws, t, q, v)
    if not note_violation(model, ws, t) <= task.stabilization.drift_limit:
        return 1
    if redundant:
        exchange_rows(model, ws, q, v)
        if first == 1:
            ws.layout.changed = False
    if first == 0:
        note_nearness(ws, t, q, v)
    return 0
