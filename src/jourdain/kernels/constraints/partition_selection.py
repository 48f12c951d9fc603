"""Projection that moves dependent coordinates only, and their choice: Terze & Lefeber 2002; Blajer, Schiehlen & Schirm.

Any r coordinates with a regular block of A take the violation of r independent rows out, but a poor choice pushes the
motion along the constraints. Best are those whose directions lie nearest to the constrained ones in the metric of the
kinetic energy: ratio_i = sqrt([A^T (A M^-1 A^T)^-1 A]_ii / M_ii). With S = L D L^T these are the lengths of the columns
of C = D^-1/2 L^-1 A diag(M_ii)^-1/2, and r of them that are far from dependent are found by taking the longest column
and its direction out of the others, r times (Golub's pivoting). Holonomic rows share one choice for positions and
velocities; where there are rows of velocities only, velocities have one of their own.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ..compiler import entry_point, kernel, outlined_kernel, separate_kernel
from ..flat_arrays import accumulate, get, put
from ..model_arrays import ModelArrays, RunTables, Workspace
from ..signatures import Integers, Vector
from ..tree.composite import composite_mass_matrix
from ..tree.kinematics import kinematics
from .articulated_inertias import articulated_inertias
from .constraint_jacobian import constraint_of, lay_rows, row_jacobian, violated
from .schur_complement import factor_rows, reduce_rows
from .stabilization import TRIALS, UNREACHED, is_holonomic, move_coordinates, violation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ..model_arrays import ModelArrays

SURE = 0.1
"""Newton's method goes to the solution nearby while its first step, times the curvature over the slope, is below a half
(Kantorovich 1948); this is half a decade on the safe side."""
REGULAR = 1e-7
"""Length of a column that is left, or smallest pivot, over the largest, below which a violation cannot be taken out."""


def partition_scratch(arrays: ModelArrays, candidates: Sequence[int] | None) -> tuple[np.ndarray, np.ndarray]:
    """What the part of these methods begins with; `candidates` are the entries of v that may move, None for all.

    Numbers: mass matrix, A, C, a square of rows, a right side. Integers: which entries may move, how many rows are
    taken of positions and of velocities, these rows and the entries that move for them, of both, and a choice that is
    being made.
    """
    nv, nr = len(arrays.q_index), int(np.sum(arrays.constraints.columns.rows))
    allowed = np.ones(nv, np.int64) if candidates is None else np.zeros(nv, np.int64)
    if candidates is not None:
        allowed[list(candidates)] = 1
    return np.zeros(nv * nv + 2 * nr * nv + nr * nr + nr), np.concatenate([allowed, np.zeros(2 + 5 * nr, np.int64)])


@kernel
def numbers_of(model, ws):
    """Where the mass matrix, A, C, the square and the right side begin in ws.solve."""
    nv, nr = model.q_index.size, len(ws.constraint_rows)
    mass = ws.layout.own
    jacobian = mass + nv * nv
    columns = jacobian + nr * nv
    square = columns + nr * nv
    return mass, jacobian, columns, square, square + nr * nr


@kernel
def integers_of(model, ws, level):
    """Where the candidates, the number of rows taken, these rows and the entries that move begin in ws.solve_links."""
    nv, nr = model.q_index.size, len(ws.constraint_rows)
    allowed = ws.layout.own_links
    taken = allowed + nv + 2 + 2 * nr * level
    return allowed, allowed + nv + level, taken, taken + nr


@outlined_kernel
def dense_jacobian(model, ws, q, v):
    """A, row after row, into the part of the method."""
    _, jacobian, _, _, _ = numbers_of(model, ws)
    nv = model.q_index.size
    for r in range(len(ws.constraint_rows)):
        row_jacobian(model, ws, r, q, v, ws.solve, jacobian + r * nv)


@kernel
def weighted_columns(model, ws):
    """C of the rows that the factor has taken; zero in the others and in entries that may not move."""
    links, solve = ws.solve_links, ws.solve
    mass, jacobian, columns, _, _ = numbers_of(model, ws)
    allowed, _, _, _ = integers_of(model, ws, 0)
    nv, nr = model.q_index.size, len(ws.constraint_rows)
    for r in range(nr):
        p = links[ws.layout.places + r]
        for k in range(nv if p >= 0 else 0):
            put(solve, columns + p * nv + k, get(solve, jacobian + r * nv + k))
    for k in range(nv):
        if links[allowed + k] == 0 or ws.known[k] != 0:
            for p in range(ws.layout.place_count):
                put(solve, columns + p * nv + k, 0.0)
    for p in range(ws.layout.place_count):
        line = ws.layout.L + links[ws.layout.lines + p]
        for j in range(links[ws.layout.begins + p], p):
            x = get(solve, line + j)
            if x != 0.0 and get(solve, ws.layout.inverse + j) != 0.0:
                for k in range(nv):
                    accumulate(solve, columns + p * nv + k, -x * get(solve, columns + j * nv + k))
    for p in range(ws.layout.place_count):
        scale = math.sqrt(get(solve, ws.layout.inverse + p))
        for k in range(nv):
            m = get(solve, mass + k * nv + k)
            put(solve, columns + p * nv + k, get(solve, columns + p * nv + k) * scale / math.sqrt(m))


@kernel
def is_of_level(model, ws, r, level):
    """Whether row r is one of those to be met by positions (level 0) or by velocities (1)."""
    links = ws.solve_links
    if links[ws.layout.taken + r] == 0 or links[ws.layout.places + r] < 0:
        return False
    c = constraint_of(model, r)
    return level == 1 or r - model.constraints[c].row < model.constraints[c].holonomic


@outlined_kernel
def choose_dependent(model, ws, q, v, level):
    """Chooses the entries of v that take out violations of positions (level 0) or velocities (1).

    Needs the factor of the rows of that level, the mass matrix and A (`dense_jacobian`) in the part of the method.
    Returns how many there are, -1 where the candidates cannot do it, or the rows lack rank here: a choice that was made
    for fewer would let go of the others further on. The choice before is kept then.
    """
    links, solve = ws.solve_links, ws.solve
    weighted_columns(model, ws)
    _, _, columns, _, _ = numbers_of(model, ws)
    allowed, number, taken, moving = integers_of(model, ws, level)
    nv, nr = model.q_index.size, ws.layout.place_count
    chosen = allowed + nv + 2 + 4 * len(ws.constraint_rows)
    # rows of this level that are independent here
    count, lacking = 0, 0
    for r in range(len(ws.constraint_rows)):
        if is_of_level(model, ws, r, level):
            independent = get(solve, ws.layout.inverse + links[ws.layout.places + r]) != 0.0
            count += 1 if independent else 0
            lacking += 0 if independent else 1
    if lacking > 0:
        return -1
    # the projective criterion: the longest column moves, and its direction is taken out of the others
    most = 0.0
    for n in range(count):
        best, length = -1, 0.0
        for k in range(nv):
            square = 0.0
            for p in range(nr):
                square += get(solve, columns + p * nv + k) ** 2
            if square > length:
                best, length = k, square
        if n == 0:
            most = length
        if best < 0 or not length > REGULAR * REGULAR * most:
            return -1
        links[chosen + n] = best
        for k in range(nv):
            if k == best:
                continue
            along = 0.0
            for p in range(nr):
                along += get(solve, columns + p * nv + k) * get(solve, columns + p * nv + best)
            along /= length
            for p in range(nr):
                accumulate(solve, columns + p * nv + k, -along * get(solve, columns + p * nv + best))
        for p in range(nr):
            put(solve, columns + p * nv + best, 0.0)
    # only now is the choice before given up
    for n in range(count):
        links[moving + n] = links[chosen + n]
    n = 0
    for r in range(len(ws.constraint_rows)):
        if is_of_level(model, ws, r, level):
            links[taken + n] = r
            n += 1
    links[number] = count
    return count


@separate_kernel
def prepare_choice(model, ws, t, q, v, level):
    """`choose_dependent` from a state: mass matrix, A, factor, choice; leaves kinematics and rows of the state."""
    nv = model.q_index.size
    mass, _, _, _, _ = numbers_of(model, ws)
    composite_mass_matrix(model, ws, ws.solve[mass : mass + nv * nv].reshape(nv, nv))
    kinematics(model, ws, q, v)
    lay_rows(model, ws, t, q, v)
    dense_jacobian(model, ws, q, v)
    articulated_inertias(model, ws)
    reduce_rows(model, ws, q, v)
    factor_rows(model, ws, level == 1)
    return choose_dependent(model, ws, q, v, level)


@outlined_kernel
def move_dependent(model, ws, q, v, level, rates):
    """Changes of the chosen entries that take the violation g of the rows taken, or its rates, out; into
    ws.solve[delta ...].

    Solves A_d x = -g by elimination with row pivoting, A from `dense_jacobian`. Returns 1 where A_d is singular.
    """
    links, solve = ws.solve_links, ws.solve
    _, jacobian, _, square, right = numbers_of(model, ws)
    _, number, taken, moving = integers_of(model, ws, level)
    nv, n = model.q_index.size, links[number]
    # A_d and -g of the rows taken
    for a in range(n):
        r = links[taken + a]
        put(solve, right + a, -violated(ws.constraint_rows[r], rates))
        for b in range(n):
            put(solve, square + a * n + b, get(solve, jacobian + r * nv + links[moving + b]))
    # elimination, the largest entry of each column as its pivot
    for a in range(n):
        best = a
        for i in range(a + 1, n):
            if abs(get(solve, square + i * n + a)) > abs(get(solve, square + best * n + a)):
                best = i
        pivot = get(solve, square + best * n + a)
        if pivot == 0.0:
            return 1
        if best != a:
            for b in range(a, n):
                x = get(solve, square + a * n + b)
                put(solve, square + a * n + b, get(solve, square + best * n + b))
                put(solve, square + best * n + b, x)
            x = get(solve, right + a)
            put(solve, right + a, get(solve, right + best))
            put(solve, right + best, x)
        for i in range(a + 1, n):
            x = get(solve, square + i * n + a) / pivot
            if x != 0.0:
                for b in range(a + 1, n):
                    accumulate(solve, square + i * n + b, -x * get(solve, square + a * n + b))
                accumulate(solve, right + i, -x * get(solve, right + a))
    # back substitution, into the places of the chosen entries
    delta = ws.layout.delta
    for k in range(nv):
        put(solve, delta + k, 0.0)
    for a in range(n - 1, -1, -1):
        x = get(solve, right + a)
        for b in range(a + 1, n):
            x -= get(solve, square + a * n + b) * get(solve, delta + links[moving + b])
        put(solve, delta + links[moving + a], x / get(solve, square + a * n + a))
    return 0


@kernel
def pivots(model, ws, level):
    """Smallest and largest pivot of the block that `move_dependent` has factored."""
    _, _, _, square, _ = numbers_of(model, ws)
    _, number, _, _ = integers_of(model, ws, level)
    n = ws.solve_links[number]
    low, high = math.inf, 0.0
    for a in range(n):
        x = abs(get(ws.solve, square + a * n + a))
        low, high = min(low, x), max(high, x)
    return low, high


@kernel
def is_sure(model, ws, worst):
    """Whether a violation is small enough for the entries that move: near a singular position they would run away.

    The slope is the smallest pivot, and a row curves by about its largest slope in a radian.
    """
    low, high = pivots(model, ws, 0)
    return worst * high <= SURE * low * low


@kernel
def is_regular(model, ws, level):
    """Whether velocities of the entries that move can be solved for."""
    low, high = pivots(model, ws, level)
    return low >= REGULAR * high


@kernel
def rate_violation(ws):
    """Largest rate of the violation of a row that is taken."""
    worst, links = 0.0, ws.solve_links
    for r in range(len(ws.constraint_rows)):
        if links[ws.layout.taken + r] != 0:
            worst = max(worst, abs(ws.constraint_rows[r].rate))
    return worst


@kernel
def is_near(model, ws, tolerance):
    """Whether constraints that could not be met, near a singular position, are so near that later steps can."""
    return violation(model, ws) <= UNREACHED * tolerance


@outlined_kernel
def settle_dependent_positions(model, ws, t, q, v, tolerance):
    """Newton's method on the entries chosen for positions; kinematics and rows are those of q. 1 where it cannot."""
    worst = violation(model, ws)
    for _ in range(TRIALS):
        dense_jacobian(model, ws, q, v)
        if worst <= tolerance:
            return 0
        if move_dependent(model, ws, q, v, 0, False) != 0 or not is_sure(model, ws, worst):
            return 1
        move_coordinates(model, ws, q)
        kinematics(model, ws, q, v)
        lay_rows(model, ws, t, q, v)
        before = worst
        worst = violation(model, ws)
        if not worst < 0.5 * before:
            break
    dense_jacobian(model, ws, q, v)
    return 0 if worst <= UNREACHED * tolerance else 1


@entry_point
def settle_partition(
    model: ModelArrays, task: RunTables, t: float, q: Vector, v: Vector, z: Vector, ws: Workspace
) -> int:
    """Brings q and v back to the constraints by dependent entries, chosen anew at every step; 1 where it cannot."""
    tolerance = task.stabilization.tolerance
    ws.ledger.time = t
    kinematics(model, ws, q, v)
    lay_rows(model, ws, t, q, v)
    if max(violation(model, ws), rate_violation(ws)) <= tolerance:
        return 0
    level = 0
    fails = prepare_choice(model, ws, t, q, v, 0) < 0 or settle_dependent_positions(model, ws, t, q, v, tolerance) != 0
    if not fails and not is_holonomic(model):
        level = 1
        fails = prepare_choice(model, ws, t, q, v, 1) < 0
    if fails or move_dependent(model, ws, q, v, level, True) != 0 or not is_regular(model, ws, level):
        return 0 if is_near(model, ws, tolerance) else 1
    delta = ws.layout.delta
    for k in range(v.size):
        v[k] += get(ws.solve, delta + k)
    return 0


@entry_point
def chosen_entries(
    model: ModelArrays, task: RunTables, t: float, q: Vector, v: Vector, ws: Workspace, out: Integers
) -> None:
    """The choice at a state: entries of v for positions, then for velocities, each behind their number, into out."""
    ws.ledger.time = t
    at = 0
    for level in range(2):
        kinematics(model, ws, q, v)
        lay_rows(model, ws, t, q, v)
        count = prepare_choice(model, ws, t, q, v, level)
        _, _, _, moving = integers_of(model, ws, level)
        out[at] = count
        for n in range(max(count, 0)):
            out[at + 1 + n] = ws.solve_links[moving + n]
        at += 1 + len(ws.constraint_rows)
