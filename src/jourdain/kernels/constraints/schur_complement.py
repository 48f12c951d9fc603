"""S = A M^-1 A^T by its skyline, its factor, and multipliers for any right side.

S is the Schur complement of the mass matrix in the KKT system.

S is summed from the shares that the rows leave on coordinates that they have in common. Its L D L^T stays within the
skyline (Jennings 1966). Rows that are not taken (`exchange`) are left out, and their multipliers are zero; so are those
whose pivot is lost in rounding, which depend on those before them.
"""

from __future__ import annotations

from ..compiler import kernel, separate_kernel
from ..flat_arrays import get, put
from .sparsity import path_of, shared_at
from .tree_sweeps import sweep_rows

DEPENDENT = 1e-11
"""A pivot of S below this, over its diagonal, is that of a row which depends on others; a diagonal below this, over
what the wrench of the row could do if no joint gave way to it, that of a row which does nothing."""


@kernel
def first_place(model, ws, c):
    """Place of the first row of constraint c that has one."""
    active = ws.solve_links[path_of(ws, c).active]
    return ws.solve_links[ws.layout.places + model.constraints[c].row + active]


@kernel
def own_block(model, ws, c):
    """Entries of S of the rows of constraint c with each other."""
    links, solve, path = ws.solve_links, ws.solve, path_of(ws, c)
    width, y, share, count = path.width, path.y, ws.layout.share, path.active_count
    if count == 0:
        return
    place = first_place(model, ws, c)
    for r in range(count):
        a = y + r * width
        line = ws.layout.S + links[ws.layout.lines + place + r] + place
        for s in range(r + 1):
            b = y + s * width + share
            total = 0.0 * solve[a]
            for j in range(width):
                total += get(solve, a + j) * get(solve, b + j)
            put(solve, line + s, total)


@kernel
def shared_block(model, ws, pair):
    """Entries of S of the rows of two constraints that share coordinates."""
    links, solve, share = ws.solve_links, ws.solve, ws.layout.share
    c, d, both, shared = pair.first, pair.second, pair.shared, pair.count
    if first_place(model, ws, c) < first_place(model, ws, d):
        c, d = d, c
        mine, theirs = 1, 0
    else:
        mine, theirs = 0, 1
    path_c, path_d = path_of(ws, c), path_of(ws, d)
    y_c, width_c, y_d, width_d = path_c.y, path_c.width, path_d.y, path_d.width
    place_c, place_d, count_d = first_place(model, ws, c), first_place(model, ws, d), path_d.active_count
    for r in range(path_c.active_count):
        line = ws.layout.S + links[ws.layout.lines + place_c + r] + place_d
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
    for c in range(len(model.constraints)):
        sweep_rows(model, ws, c, q, v)
        own_block(model, ws, c)
    pairs = shared_at(ws.solve_links, ws.layout.pairs)
    for i in range(ws.layout.pair_count):
        shared_block(model, ws, pairs[i])


@kernel
def factor(model, ws, all_rows, smooth):
    """L D L^T of S, of the holonomic rows or of all; the others get no multiplier.

    smooth    True: a pivot d below the least one e that was given for it is not left out at once: its inverse is
              d / (d^2 + e^2), so that accelerations have no jump where a mechanism passes a singular configuration
    """
    links, solve = ws.solve_links, ws.solve
    S, L, inverse = ws.layout.S, ws.layout.L, ws.layout.inverse
    begins, lines = ws.layout.begins, ws.layout.lines
    for j in range(ws.layout.skyline):
        put(solve, L + j, get(solve, S + j))
    # 1 marks a row that takes part; one that nothing can move, to rounding, does not
    for c in range(len(model.constraints)):
        constraint = model.constraints[c]
        first = constraint.row
        for r in range(constraint.rows):
            place = links[ws.layout.places + first + r]
            if place < 0:
                continue
            taken = links[ws.layout.taken + first + r] != 0 and (all_rows or r < constraint.holonomic)
            bound = get(solve, ws.layout.bound + first + r).real
            diagonal = get(solve, L + links[lines + place] + place).real
            put(solve, inverse + place, 1.0 if taken and diagonal > DEPENDENT * bound else 0.0)
    # L D L^T row by row within the skyline: a row begins at its first entry that is not zero
    for p in range(ws.layout.place_count):
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
        given = get(solve, ws.layout.least + p)
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
    """Multipliers of the right side in the multipliers of ws.constraint_rows, which they replace."""
    links, solve, rows = ws.solve_links, ws.solve, ws.constraint_rows
    L, inverse, right = ws.layout.L, ws.layout.inverse, ws.layout.right
    begins, lines, places = ws.layout.begins, ws.layout.lines, ws.layout.places
    n = ws.layout.place_count
    for r in range(len(rows)):
        if links[places + r] >= 0:
            put(solve, right + links[places + r], rows[r].multiplier)
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
    for r in range(len(rows)):
        rows[r].multiplier = get(solve, right + links[places + r]) if links[places + r] >= 0 else 0.0
