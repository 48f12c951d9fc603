"""Which rows get multipliers where more are given than are independent, and whether a run is still on all of them.

The rank of the rows of an overconstrained linkage is the same wherever it goes, but rows that are independent in one
place may depend on each other in another. As many as the rank are taken, those of largest volume: with the scaled
C_ij = S_ij / sqrt(S_ii S_jj), S = A M^-1 A^T, the product of the pivots of C is the squared volume of the rows taken,
in the metric of the kinetic energy. The largest pivot each time finds rows of nearly the largest volume (Golub &
Van Loan, section 5.4.2; Goreinov & Tyrtyshnikov 2001). On the constraints any independent rows give the same motion;
off them, within a step, they do not, and all of them together contradict each other. So rows are exchanged between
steps only, where the state is on the constraints: nothing jumps.
"""

from __future__ import annotations

import math

from ..columns import TIME
from ..compiler import called, gate, kernel
from ..flat import get, put
from ..tree.kinematics import kinematics
from .inertias import articulated_inertias
from .layout import CONSTRAINT_ROW, HOLONOMIC, KEEP_LOOKS, OPENING, VALUE
from .multipliers import DEPENDENT, factor_rows, reduce_rows
from .rows import constraint_of, lay_rows
from .structure import (
    BEGINS,
    BOUND_AT,
    CHOICE_AT,
    GAP_AT,
    INVERSE_AT,
    LEAST_AT,
    LINES,
    PLACE_COUNT,
    RANK_HOLONOMIC,
    S_AT,
    SOLVE_CHANGED,
    SOLVE_PLACES,
    SOLVE_RANK,
    SPARE,
    TAKEN,
)

WORN = math.log(0.3)
"""Part of its largest squared volume below which other rows are looked for."""
BETTER = math.log(2.0)
"""How much larger theirs must be."""
LOST = 1e-10
"""A largest pivot below this is that of a place where all rows together lose rank: nothing is exchanged there."""
SMOOTH = 1e-8
"""Least pivot of a row, over what it is when the row is taken: see `jourdain.run.redundancy`."""
UNSEEN = 1.0
"""A logarithm of a volume that none has: nothing was looked at yet."""


@kernel
def log_volume(model, ws):
    """Logarithm of the squared volume of the rows taken, after `factor_rows`; minus infinity where they depend."""
    links, solve = ws.solve_links, ws.solve
    total = 0.0
    for r in range(ws.rows.shape[0]):
        if links[links[TAKEN] + r] == 0:
            continue
        p = links[links[SOLVE_PLACES] + r]
        inverse = get(solve, links[INVERSE_AT] + p)
        if not inverse > 0.0:
            return -math.inf
        total -= math.log(inverse * get(solve, links[S_AT] + links[links[LINES] + p] + p))
    return total


@kernel
def lay_scaled(model, ws):
    """C (places, places), both halves, behind the volume; rows that do nothing here are zero."""
    links, solve = ws.solve_links, ws.solve
    n, at = links[PLACE_COUNT], links[CHOICE_AT] + 1
    for p in range(n):
        line = links[S_AT] + links[links[LINES] + p]
        for o in range(p + 1):
            x = get(solve, line + o) if o >= links[links[BEGINS] + p] else 0.0
            put(solve, at + p * n + o, x)
    for r in range(ws.rows.shape[0]):
        p = links[links[SOLVE_PLACES] + r]
        if p >= 0 and not get(solve, at + p * n + p) > DEPENDENT * get(solve, links[BOUND_AT] + r):
            put(solve, at + p * n + p, 0.0)
    for p in range(n):
        size = get(solve, at + p * n + p)
        scale = 1.0 / math.sqrt(size) if size > 0.0 else 0.0
        for o in range(p):
            put(solve, at + p * n + o, get(solve, at + p * n + o) * scale * get(solve, at + o * n + o))
        put(solve, at + p * n + p, scale)
    for p in range(n):
        for o in range(p):
            put(solve, at + o * n + p, get(solve, at + p * n + o))
        put(solve, at + p * n + p, 1.0 if get(solve, at + p * n + p) > 0.0 else 0.0)


@kernel
def take_place(ws, p):
    """Takes the direction of a place out of all others; its own entries become zero."""
    links, solve = ws.solve_links, ws.solve
    n, at = links[PLACE_COUNT], links[CHOICE_AT] + 1
    pivot = get(solve, at + p * n + p)
    for i in range(n):
        x = get(solve, at + i * n + p) / pivot
        if i != p and x != 0.0:
            for j in range(n):
                put(solve, at + i * n + j, get(solve, at + i * n + j) - x * get(solve, at + p * n + j))
    for i in range(n):
        put(solve, at + i * n + p, 0.0)
        put(solve, at + p * n + i, 0.0)


@called
def best_rows(model, ws):
    """Marks by a 2 the rows of large volume, holonomic ones first; returns the logarithm of its square, or minus
    infinity where all rows together lack rank, and nothing is marked."""
    links, solve = ws.solve_links, ws.solve
    n, at = links[PLACE_COUNT], links[CHOICE_AT] + 1
    lay_scaled(model, ws)
    total = 0.0
    for count in range(links[SOLVE_RANK]):
        best, most = -1, LOST
        for r in range(ws.rows.shape[0]):
            p = links[links[SOLVE_PLACES] + r]
            if p < 0:
                continue
            c = constraint_of(model, r)
            holonomic = r - model.constraint_index[c, CONSTRAINT_ROW] < model.constraint_index[c, HOLONOMIC]
            pivot = get(solve, at + p * n + p)
            if holonomic == (count < links[RANK_HOLONOMIC]) and pivot > most:
                best, most = r, pivot
        if best < 0:
            for r in range(ws.rows.shape[0]):
                links[links[TAKEN] + r] &= 1
            return -math.inf
        total += math.log(most)
        links[links[TAKEN] + best] |= 2
        take_place(ws, links[links[SOLVE_PLACES] + best])
    return total


@kernel
def take_marked(model, ws, better):
    """Takes the rows that `best_rows` marked, or, where they are not better, keeps those that are taken."""
    links = ws.solve_links
    for r in range(ws.rows.shape[0]):
        marks = links[links[TAKEN] + r]
        links[links[TAKEN] + r] = marks >> 1 if better else marks & 1


@kernel
def renew_least(ws):
    """Least pivots of the rows taken, after `factor_rows`."""
    links, solve = ws.solve_links, ws.solve
    for p in range(links[PLACE_COUNT]):
        inverse = get(solve, links[INVERSE_AT] + p)
        diagonal = get(solve, links[S_AT] + links[links[LINES] + p] + p)
        put(solve, links[LEAST_AT] + p, SMOOTH * max(1.0 / inverse, 0.01 * diagonal) if inverse > 0.0 else 0.0)


@called
def exchange_rows(model, ws, q, v):
    """Takes other rows where the volume of those that are taken has worn; rows and kinematics are those of the state.

    The volume is remembered at its largest since rows were looked for, so that a state near a singular configuration,
    where the volume of any rows vanishes, does not search at every step.
    """
    links, solve = ws.solve_links, ws.solve
    at = links[CHOICE_AT]
    articulated_inertias(model, ws)
    reduce_rows(model, ws, q, v)
    factor_rows(model, ws, True)
    mine, before = log_volume(model, ws), get(solve, at)
    if before != UNSEEN and mine > -math.inf and mine >= before + WORN:
        put(solve, at, max(mine, before))
        return
    best = best_rows(model, ws)
    if best > mine + BETTER:
        take_marked(model, ws, True)
        for p in range(links[PLACE_COUNT]):
            put(solve, links[LEAST_AT] + p, 0.0)
        factor_rows(model, ws, True)
        renew_least(ws)
        links[SOLVE_CHANGED] = 1
        mine = best
    else:
        take_marked(model, ws, False)
    put(solve, at, mine)


@kernel
def begin_rows(ws):
    """The rows that a run begins with are taken, and nothing is known of violations."""
    links, solve, n = ws.solve_links, ws.solve, ws.rows.shape[0]
    for r in range(n):
        links[links[TAKEN] + r] = links[links[TAKEN] + n + r]
        put(solve, links[LEAST_AT] + r, get(solve, links[LEAST_AT] + n + r))
    put(solve, links[CHOICE_AT], UNSEEN)


@kernel
def note_violation(model, ws, t):
    """Largest violation of any holonomic row now; the largest of the run is remembered."""
    links, solve = ws.solve_links, ws.solve
    worst, row = 0.0, -1
    for c in range(model.constraint_index.shape[0]):
        first = model.constraint_index[c, CONSTRAINT_ROW]
        for r in range(first, first + model.constraint_index[c, HOLONOMIC]):
            gap = abs(ws.rows[r, VALUE])
            if gap != gap:
                return gap
            if gap > worst:
                worst, row = gap, r
    if worst > get(solve, links[GAP_AT]):
        put(solve, links[GAP_AT], worst)
        put(solve, links[GAP_AT] + 1, t)
        put(solve, links[GAP_AT] + 2, row + 0.0)
    return worst


@gate
def watch_closure(model, task, t, q, v, ws, first):
    """`Stages.closure`: 1 where a row is violated by more than the method allows, taken or not; rows that have come to
    depend on others are exchanged. `first` is 1 where a run begins."""
    links = ws.solve_links
    redundant = links[SPARE] > 0
    if first == 1:
        for j in range(3):
            put(ws.solve, links[GAP_AT] + j, 0.0)
        if redundant:
            begin_rows(ws)
    if redundant or first == 1 or task.constraining[KEEP_LOOKS] != 0.0:
        ws.books[TIME] = t
        kinematics(model, ws, q, v)
        lay_rows(model, ws, t, q, v)
    if not note_violation(model, ws, t) <= task.constraining[OPENING]:
        return 1
    if redundant:
        exchange_rows(model, ws, q, v)
        if first == 1:
            links[SOLVE_CHANGED] = 0
    return 0
