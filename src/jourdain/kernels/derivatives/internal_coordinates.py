"""Internal coordinates in the inward pass: composites of children, and pairs with all inboard entries."""

from __future__ import annotations

from ..columns import DOFS, EV, PARENT, N, V
from ..compiler import optional_kernel
from ..spatial import accumulate3, add, dot, mat, rotate, rotate_back, sym, vec
from .derivative_layout import (
    C_FIRST,
    C_INERTIA,
    C_MASS,
    C_RATE_F,
    C_RATE_N,
    C_TURN_F,
    C_TURN_N,
    COLUMN_S,
    LOADED_RATE,
    LOADED_TURN,
    PARTIAL_LOADED,
    PARTIAL_MIXED,
    PARTIAL_RATE,
    PARTIAL_SECOND,
    PARTIAL_TURN,
    PUSH_Q,
    PUSH_V,
)
from .entry_pairs import at, inboard_pairs, pair, push


@optional_kernel("flexible")
def load_carrier(model, sl, i, loaded, K, C, M):
    """Adds the composite of child i to the internal coordinates of its carrier: each is an entry with the column of the
    marker there, and there are derivatives between all pairs of them.
    """
    table, bodies, columns, entries = model.table, sl.bodies, sl.columns, sl.entries
    p = table[i, PARENT]
    row, ev, size = sl.shape_rows[i], table[p, EV], table[p, N]
    m = bodies[i, C_MASS]
    c = vec(bodies, i, C_FIRST)
    J = sym(bodies, i, C_INERTIA)
    rate_n, rate_f = mat(bodies, i, C_RATE_N), mat(bodies, i, C_RATE_F)
    turn_n, turn_f = mat(bodies, i, C_TURN_N), mat(bodies, i, C_TURN_F)
    for k in range(size):
        # as in `efforts_inward`: P = I S, (x, y) by displacement, (d, e) by velocity
        s, t = at(columns, row + k, COLUMN_S), at(columns, row + k, COLUMN_S + 3)
        P, Pl = push(m, c, J, s, t)
        r = at(columns, row + k, PARTIAL_RATE)
        x, y = push(m, c, J, at(columns, row + k, PARTIAL_SECOND), at(columns, row + k, PARTIAL_SECOND + 3))
        x, y = add(x, rotate(rate_n, r)), add(y, rotate(rate_f, r))
        d, e = push(m, c, J, at(columns, row + k, PARTIAL_MIXED), at(columns, row + k, PARTIAL_MIXED + 3))
        d, e = add(d, rotate(rate_n, s)), add(e, rotate(rate_f, s))
        if loaded:
            turn = at(columns, row + k, PARTIAL_TURN)
            x, y = add(x, rotate(turn_n, turn)), add(y, rotate(turn_f, turn))
            accumulate3(entries, ev + k, LOADED_TURN, add(rotate_back(turn_n, s), rotate_back(turn_f, t)))
        # for the pairs of this coordinate with inboard entries, then its pairs within the body
        accumulate3(entries, ev + k, PARTIAL_LOADED, P)
        accumulate3(entries, ev + k, PARTIAL_LOADED + 3, Pl)
        accumulate3(entries, ev + k, LOADED_RATE, add(rotate_back(rate_n, s), rotate_back(rate_f, t)))
        accumulate3(entries, ev + k, PUSH_Q, x)
        accumulate3(entries, ev + k, PUSH_Q + 3, y)
        accumulate3(entries, ev + k, PUSH_V, d)
        accumulate3(entries, ev + k, PUSH_V + 3, e)
        for l in range(size):
            s, t = at(columns, row + l, COLUMN_S), at(columns, row + l, COLUMN_S + 3)
            K[ev + l, ev + k] += dot(s, x) + dot(t, y)
            C[ev + l, ev + k] += dot(s, d) + dot(t, e)
            M[ev + l, ev + k] += dot(s, P) + dot(t, Pl)


@optional_kernel("flexible")
def internal_pairs(model, sl, i, loaded, K, C, M):
    """Pairs of the internal coordinates of body i with its own joint and with all entries inboard of it."""
    table, entries = model.table, sl.entries
    for k in range(table[i, EV], table[i, EV] + table[i, N]):
        motion = (
            vec(entries, k, PARTIAL_LOADED),
            vec(entries, k, PARTIAL_LOADED + 3),
            vec(entries, k, LOADED_RATE),
            vec(entries, k, LOADED_TURN),
        )
        push_q = (vec(entries, k, PUSH_Q), vec(entries, k, PUSH_Q + 3))
        push_v = (vec(entries, k, PUSH_V), vec(entries, k, PUSH_V + 3))
        for j in range(table[i, V], table[i, V] + table[i, DOFS]):
            pair(sl, j, j, k, motion, push_q, push_v, loaded, K, C, M)
        inboard_pairs(model, sl, i, k, motion, push_q, push_v, loaded, K, C, M)
