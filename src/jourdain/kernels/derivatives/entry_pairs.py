"""Derivatives between an entry of v and those inboard of it, from its wrenches and their columns: the dot products of
composite_sums.py.
"""

from __future__ import annotations

import numpy as np

from ..columns import DOFS, EV, PARENT, N, V
from ..compiler import kernel
from ..spatial import add, cross, dot, scale, sub, sym_times
from .derivative_layout import COLUMN_S, PARTIAL_MIXED, PARTIAL_RATE, PARTIAL_SECOND, PARTIAL_TURN


@kernel
def at(table, i, c):
    """Three entries of row i, i not negative (see flat_arrays.py)."""
    i = np.uintp(i)
    return (table[i, c], table[i, c + 1], table[i, c + 2])


@kernel
def push(m, c, J, alpha, a):
    """(moment, force) = I (alpha, a) of a rigid inertia: mass m, first moment c, inertia J."""
    return add(sym_times(J, alpha), cross(c, a)), sub(scale(m, a), cross(c, alpha))


@kernel
def pair(sl, row, j, k, motion, push_q, push_v, loaded, K, C, M):
    """All derivatives between entry k and an entry j inboard of it, whose column is at `row`."""
    columns = sl.columns
    P, Pl, Q, L = motion
    s, t = at(columns, row, COLUMN_S), at(columns, row, COLUMN_S + 3)
    K[j, k] = dot(s, push_q[0]) + dot(t, push_q[1])
    C[j, k] = dot(s, push_v[0]) + dot(t, push_v[1])
    M[j, k] = dot(s, P) + dot(t, Pl)
    M[k, j] = M[j, k]
    stiff = (
        dot(P, at(columns, row, PARTIAL_SECOND))
        + dot(Pl, at(columns, row, PARTIAL_SECOND + 3))
        + dot(Q, at(columns, row, PARTIAL_RATE))
    )
    if loaded:
        stiff += dot(L, at(columns, row, PARTIAL_TURN))
    K[k, j] = stiff
    C[k, j] = dot(P, at(columns, row, PARTIAL_MIXED)) + dot(Pl, at(columns, row, PARTIAL_MIXED + 3)) + dot(Q, s)


@kernel
def within(sl, j, k, motion, loaded, K, C, M):
    """Row k, column j of the derivatives between two entries that turn together, as those of a ball joint."""
    columns = sl.columns
    P, Pl, Q, L = motion
    s = at(columns, j, COLUMN_S)
    stiff = (
        dot(P, at(columns, j, PARTIAL_SECOND))
        + dot(Pl, at(columns, j, PARTIAL_SECOND + 3))
        + dot(Q, at(columns, j, PARTIAL_RATE))
    )
    if loaded:
        stiff += dot(L, at(columns, j, PARTIAL_TURN))
    K[k, j] = stiff
    C[k, j] = dot(P, at(columns, j, PARTIAL_MIXED)) + dot(Pl, at(columns, j, PARTIAL_MIXED + 3)) + dot(Q, s)
    M[k, j] = dot(P, s) + dot(Pl, at(columns, j, COLUMN_S + 3))


@kernel
def inboard_pairs(model, sl, b, k, motion, push_q, push_v, loaded, K, C, M):
    """`pair` with every entry inboard of body b, except those of its own joint."""
    table = model.table
    p = table[b, PARENT]
    while b > 0:
        row = sl.shape_rows[b]
        for j in range(table[p, N]):
            pair(sl, row + j, table[p, EV] + j, k, motion, push_q, push_v, loaded, K, C, M)
        b = p
        p = table[b, PARENT]
        first = table[b, V]
        for j in range(first, first + table[b, DOFS]):
            pair(sl, j, j, k, motion, push_q, push_v, loaded, K, C, M)
