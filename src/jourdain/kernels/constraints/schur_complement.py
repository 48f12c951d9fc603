"""S = A M^-1 A^T by its skyline, its factor, and multipliers for any right side.

S is the Schur complement of the mass matrix in the KKT system.

S is summed from the shares that the rows leave on coordinates that they have in common. Its L D L^T stays within the
skyline (Jennings 1966). Rows that are not taken (`exchange`) are left out, and their multipliers are zero; so are those
whose pivot is lost in rounding, which depend on those before them.
"""

from __future__ import annotations

from ..compiler import kernel, separate_kernel
from ..flat_arrays import get, put
from .constraint_layout import CONSTRAINT_ROW, CONSTRAINT_ROWS, HOLONOMIC, ROW_FORCE
from .sparsity import (
    ACTIVE,
    ACTIVE_COUNT,
    BEGINS,
    BOUND_AT,
    INVERSE_AT,
    L_AT,
    LEAST_AT,
    LINES,
    LINK_PAIR,
    LINK_RECORD,
    LINK_WIDTH,
    PAIR_COUNT,
    PAIRS,
    PLACE_COUNT,
    RECORDS,
    RIGHT_AT,
    S_AT,
    SHARE_AT,
    SKYLINE,
    SOLVE_PLACES,
    TAKEN,
    Y,
)
from .tree_sweeps import sweep_rows

DEPENDENT = 1e-11
"""A pivot of S below this, over its diagonal, is that of a row which depends on others; a diagonal below this, over
what the wrench of the row could do if no joint gave way to it, that of a row which does nothing."""


@kernel
def first_place(model, ws, c):
    """Place of the first row of constraint c that has one."""
    links = ws.solve_links
    active = links[links[links[RECORDS] + LINK_RECORD * c + ACTIVE]]
    return links[links[SOLVE_PLACES] + model.constraint_index[c, CONSTRAINT_ROW] + active]


@kernel
def own_block(model, ws, c):
    """Entries of S of the rows of constraint c with each other."""
    links, solve = ws.solve_links, ws.solve
    record = links[RECORDS] + LINK_RECORD * c
    width, y, share = links[record + LINK_WIDTH], links[record + Y], links[SHARE_AT]
    count = links[record + ACTIVE_COUNT]
    if count == 0:
        return
    place = first_place(model, ws, c)
    for r in range(count):
        a = y + r * width
        line = links[S_AT] + links[links[LINES] + place + r] + place
        for s in range(r + 1):
            b = y + s * width + share
            total = 0.0 * solve[a]
            for j in range(width):
                total += get(solve, a + j) * get(solve, b + j)
            put(solve, line + s, total)


@kernel
def shared_block(model, ws, pair):
    """Entries of S of the rows of two constraints that share coordinates."""
    links, solve = ws.solve_links, ws.solve
    share = links[SHARE_AT]
    c, d = links[pair], links[pair + 1]
    both, shared = links[pair + 2], links[pair + 3]
    if first_place(model, ws, c) < first_place(model, ws, d):
        c, d = d, c
        mine, theirs = 1, 0
    else:
        mine, theirs = 0, 1
    y_c, width_c = links[links[RECORDS] + LINK_RECORD * c + Y], links[links[RECORDS] + LINK_RECORD * c + LINK_WIDTH]
    y_d, width_d = links[links[RECORDS] + LINK_RECORD * d + Y], links[links[RECORDS] + LINK_RECORD * d + LINK_WIDTH]
    place_c, place_d = first_place(model, ws, c), first_place(model, ws, d)
    count_d = links[links[RECORDS] + LINK_RECORD * d + ACTIVE_COUNT]
    for r in range(links[links[RECORDS] + LINK_RECORD * c + ACTIVE_COUNT]):
        line = links[S_AT] + links[links[LINES] + place_c + r] + place_d
        a = y_c + r * width_c
        for s in range(count_d):
            b = y_d + s * width_d + share
            total = 0.0 * solve[a]
            for j in range(shared):
                total += get(solve, a + links[both + 2 * j + mine]) * get(solve, b + links[both + 2 * j + theirs])
            put(solve, line + s, total)


@separate_kernel
def reduce_rows(model, ws, q, v):
    """Sweeps all rows inward and sums S, after the elimination of the tree."""
    links = ws.solve_links
    for c in range(model.constraint_index.shape[0]):
        sweep_rows(model, ws, c, q, v)
        own_block(model, ws, c)
    for i in range(links[PAIR_COUNT]):
        shared_block(model, ws, links[PAIRS] + LINK_PAIR * i)


@kernel
def factor(model, ws, all_rows, smooth):
    """L D L^T of S, of the holonomic rows or of all; the others get no multiplier.

    smooth    True: a pivot d below the least one e that was given for it is not left out at once: its inverse is
              d / (d^2 + e^2), so that accelerations have no jump where a mechanism passes a singular configuration
    """
    links, solve = ws.solve_links, ws.solve
    index = model.constraint_index
    S, L, inverse = links[S_AT], links[L_AT], links[INVERSE_AT]
    begins, lines = links[BEGINS], links[LINES]
    for j in range(links[SKYLINE]):
        put(solve, L + j, get(solve, S + j))
    # 1 marks a row that takes part; one that nothing can move, to rounding, does not
    for c in range(index.shape[0]):
        for r in range(index[c, CONSTRAINT_ROWS]):
            place = links[links[SOLVE_PLACES] + index[c, CONSTRAINT_ROW] + r]
            if place < 0:
                continue
            taken = links[links[TAKEN] + index[c, CONSTRAINT_ROW] + r] != 0 and (all_rows or r < index[c, HOLONOMIC])
            bound = get(solve, links[BOUND_AT] + index[c, CONSTRAINT_ROW] + r).real
            diagonal = get(solve, L + links[lines + place] + place).real
            put(solve, inverse + place, 1.0 if taken and diagonal > DEPENDENT * bound else 0.0)
    # L D L^T row by row within the skyline: a row begins at its first entry that is not zero
    for p in range(links[PLACE_COUNT]):
        begin = links[begins + p]
        line = L + links[lines + p]
        diagonal = get(solve, line + p)
        if get(solve, inverse + p) == 0.0:
            for j in range(begin, p):
                put(solve, line + j, 0.0)
            continue
        for j in range(begin, p):
            other = links[begins + j]
            across = L + links[lines + j]
            x = get(solve, line + j)
            for k in range(max(begin, other), j):
                x -= get(solve, line + k) * get(solve, across + k)
            put(solve, line + j, x)
        # entries of L are those of L D over the pivots before; what they leave of the diagonal is the pivot
        pivot = diagonal
        for j in range(begin, p):
            x = get(solve, line + j)
            l = x * get(solve, inverse + j)
            pivot -= x * l
            put(solve, line + j, l)
        # a pivot below its least value is a row that follows from others
        given = get(solve, links[LEAST_AT] + p)
        least = given if given.real > 0.0 else DEPENDENT * diagonal
        gradual = smooth and given.real > 0.0
        if pivot.real <= 0.0 or (not gradual and pivot.real <= least.real):
            put(solve, inverse + p, 0.0)
        elif gradual:
            put(solve, inverse + p, pivot / (pivot * pivot + least * least))
        else:
            put(solve, inverse + p, 1.0 / pivot)


@kernel
def factor_rows(model, ws, all_rows):
    """`factor` with dependent rows left out."""
    factor(model, ws, all_rows, False)


@kernel
def solve_rows(model, ws):
    """Multipliers of the right side in ws.rows[:, FORCE], which they replace."""
    links, solve, rows = ws.solve_links, ws.solve, ws.rows
    L, inverse, right = links[L_AT], links[INVERSE_AT], links[RIGHT_AT]
    begins, lines, places = links[BEGINS], links[LINES], links[SOLVE_PLACES]
    n = links[PLACE_COUNT]
    for r in range(rows.shape[0]):
        if links[places + r] >= 0:
            put(solve, right + links[places + r], rows[r, ROW_FORCE])
    for p in range(n):
        x = get(solve, right + p)
        line = L + links[lines + p]
        for j in range(links[begins + p], p):
            x -= get(solve, line + j) * get(solve, right + j)
        put(solve, right + p, x)
    for p in range(n):
        put(solve, right + p, get(solve, right + p) * get(solve, inverse + p))
    for p in range(n - 1, -1, -1):
        x = get(solve, right + p)
        if x != 0.0:
            line = L + links[lines + p]
            for j in range(links[begins + p], p):
                if get(solve, inverse + j) != 0.0:
                    put(solve, right + j, get(solve, right + j) - get(solve, line + j) * x)
    for r in range(rows.shape[0]):
        rows[r, ROW_FORCE] = get(solve, right + links[places + r]) if links[places + r] >= 0 else 0.0
