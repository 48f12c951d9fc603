"""Inward pass: composite sums, and the derivatives of the efforts from them.

With I, B, F the composite inertia, rate matrix and force of everything outboard of entry k, and (S, R, A, D) its
columns (motion, rate, second, mixed), an entry j inboard of it and k itself get

    dq[j, k] = S_j . (I A_k + B R_k + S_k x* F),    dv[j, k] = S_j . (I D_k + B S_k),
    dq[k, j] = (I S_k) . A_j + (B^T S_k) . R_j,     dv[k, j] = (I S_k) . D_j + (B^T S_k) . S_j,

where B takes angular parts only: Singh, Russo & Wensing 2022, "Efficient analytical derivatives of rigid-body dynamics
using spatial vector algebra"; Pogorelov 2003, eq. 2, with his I_Omega, I_Pi and k' collected in B. O(n^2) for a chain.
Loads in world axes add the change by the rotation of their bodies (his F_R).
"""

from __future__ import annotations

from ..columns import DOFS, FORCE, JOINT, PARENT, POS, N, V
from ..compiler import kernel
from ..joints.plugin_joints import turns_with_body
from ..spatial import add, cross, mat, rotate, rotate_back, sub, sym, vec
from .derivative_layout import (
    C_FIRST,
    C_INERTIA,
    C_MASS,
    C_RATE_F,
    C_RATE_N,
    C_TURN_F,
    C_TURN_N,
    COLUMN_S,
    PARTIAL_BODY,
    PARTIAL_MIXED,
    PARTIAL_RATE,
    PARTIAL_SECOND,
    REF,
)
from .entry_pairs import inboard_pairs, pair, push, within
from .internal_coordinates import internal_pairs, load_carrier


@kernel
def efforts_inward(model, ws, sl, K, C, M):
    """Derivatives of all efforts by displacements, velocities and accelerations into K, C and M, after
    `columns_outward`.
    """
    table, work, bodies, columns = model.table, ws.work, sl.bodies, sl.columns
    loaded = model.loads.shape[0] > 0
    end = PARTIAL_BODY if loaded else C_TURN_N
    for i in range(table.shape[0] - 1, 0, -1):
        # I, B and F of all that is outboard of the joint, as one body about the reference point
        m = bodies[i, C_MASS]
        c = vec(bodies, i, C_FIRST)
        J = sym(bodies, i, C_INERTIA)
        rate_n, rate_f = mat(bodies, i, C_RATE_N), mat(bodies, i, C_RATE_F)
        f = vec(work, i, FORCE + 3)
        n = add(vec(work, i, FORCE), cross(sub(vec(work, i, POS), vec(bodies, i, REF)), f))
        together = turns_with_body(table[i, JOINT])
        if table[i, N] > 0:
            internal_pairs(model, sl, i, loaded, K, C, M)
        first = table[i, V]
        last = first + table[i, DOFS]
        # P = I S_k, Q = B^T S_k; wrenches on inboard entries by q_k: (x, y) = I A_k + B R_k + S_k x* F,
        # by v_k: (d, e) = I D_k + B S_k
        for k in range(first, last):
            s, t = vec(columns, k, COLUMN_S), vec(columns, k, COLUMN_S + 3)
            P, Pl = push(m, c, J, s, t)
            Q = add(rotate_back(rate_n, s), rotate_back(rate_f, t))
            r = vec(columns, k, PARTIAL_RATE)
            x, y = push(m, c, J, vec(columns, k, PARTIAL_SECOND), vec(columns, k, PARTIAL_SECOND + 3))
            x = add(add(x, rotate(rate_n, r)), add(cross(s, n), cross(t, f)))
            y = add(add(y, rotate(rate_f, r)), cross(s, f))
            d, e = push(m, c, J, vec(columns, k, PARTIAL_MIXED), vec(columns, k, PARTIAL_MIXED + 3))
            d, e = add(d, rotate(rate_n, s)), add(e, rotate(rate_f, s))
            L = r
            if loaded:
                turn_n, turn_f = mat(bodies, i, C_TURN_N), mat(bodies, i, C_TURN_F)
                L = add(rotate_back(turn_n, s), rotate_back(turn_f, t))
                x, y = add(x, rotate(turn_n, s)), add(y, rotate(turn_f, s))
            # pairs of entries of this joint, then with all entries inboard of it
            motion = (P, Pl, Q, L)
            if together:
                for j in range(first, last):
                    within(sl, j, k, motion, loaded, K, C, M)
            else:
                within(sl, k, k, motion, loaded, K, C, M)
                for j in range(first, k):
                    pair(sl, j, j, k, motion, (x, y), (d, e), loaded, K, C, M)
            inboard_pairs(model, sl, i, k, motion, (x, y), (d, e), loaded, K, C, M)
        # composite sums are added to the parent's, without shift: there is one reference point
        p = table[i, PARENT]
        if p > 0:
            if table[p, N] > 0:
                load_carrier(model, sl, i, loaded, K, C, M)
            for j in range(C_MASS, end):
                bodies[p, j] += bodies[i, j]
