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

from ..algebra import force_cross, rigid_body_force, shift_back
from ..compiler import kernel
from ..joints.plugin_joints import turns_with_body
from .entry_pairs import inboard_pairs, pair, turning_effort, turning_force, within
from .internal_coordinates import internal_pairs, load_carrier


@kernel
def efforts_inward(model, ws, sl, K, C, M):
    """Derivatives of all efforts by displacements, velocities and accelerations into K, C and M, after
    `columns_outward`.
    """
    tree = model.tree
    loaded = len(model.constant_loads) > 0
    for i in range(len(tree) - 1, 0, -1):
        node, sums = tree[i], sl.composites[i]
        # I, B and F of all that is outboard of the joint, as one body about the reference point
        m, c, J = sums.mass, sums.first_moment, sums.inertia
        N_rate, F_rate = sums.moment_rate, sums.force_rate
        F = shift_back(ws.bodies[i].bias_force, ws.bodies[i].p_WB - sums.reference)
        together = turns_with_body(node.joint)
        if node.ne > 0:
            internal_pairs(model, sl, i, loaded, K, C, M)
        first, last = node.v, node.v + node.nv
        # P = I S_k, Q = B^T S_k; wrenches on inboard entries by q_k: I A_k + B R_k + S_k x* F, by v_k: I D_k + B S_k
        for k in range(first, last):
            column = sl.entry_columns[k]
            S, R = column.S, column.rate
            P, Q = rigid_body_force(J, c, m, S), turning_effort(N_rate, F_rate, S)
            push_q = rigid_body_force(J, c, m, column.second) + turning_force(N_rate, F_rate, R) + force_cross(S, F)
            push_v = rigid_body_force(J, c, m, column.mixed) + turning_force(N_rate, F_rate, S.angular)
            L = R
            if loaded:
                L = turning_effort(sums.moment_turn, sums.force_turn, S)
                push_q += turning_force(sums.moment_turn, sums.force_turn, S.angular)
            # pairs of entries of this joint, then with all entries inboard of it
            if together:
                for j in range(first, last):
                    within(sl, j, k, P, Q, L, loaded, K, C, M)
            else:
                within(sl, k, k, P, Q, L, loaded, K, C, M)
                for j in range(first, k):
                    pair(sl, j, j, k, P, Q, L, push_q, push_v, loaded, K, C, M)
            inboard_pairs(model, sl, i, k, P, Q, L, push_q, push_v, loaded, K, C, M)
        # composite sums are added to the parent's, without shift: there is one reference point
        if node.parent > 0:
            if tree[node.parent].ne > 0:
                load_carrier(model, sl, i, loaded, K, C, M)
            carrier = sl.composites[node.parent]
            carrier.mass += m
            carrier.first_moment += c
            carrier.inertia += J
            carrier.moment_rate += N_rate
            carrier.force_rate += F_rate
            if loaded:
                carrier.moment_turn += sums.moment_turn
                carrier.force_turn += sums.force_turn
