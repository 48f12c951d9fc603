"""Internal coordinates in the inward pass: composites of children, and pairs with all inboard entries."""

from __future__ import annotations

from ..algebra import rigid_body_force
from ..compiler import optional_kernel
from .entry_pairs import inboard_pairs, pair, turning_effort, turning_force


@optional_kernel("flexible")
def load_carrier(model, sl, i, loaded, K, C, M):
    """Adds the composite of child i to the internal coordinates of its carrier: each is an entry with the column of the
    marker there, and there are derivatives between all pairs of them.
    """
    p = model.tree[i].parent
    row, ev, size = sl.shape_rows[i], model.tree[p].ev, model.tree[p].ne
    sums = sl.composites[i]
    m, c, J = sums.mass, sums.first_moment, sums.inertia
    N_rate, F_rate = sums.moment_rate, sums.force_rate
    for k in range(size):
        # as in `efforts_inward`: P = I S, wrenches by displacement and by velocity
        column, effort = sl.entry_columns[row + k], sl.entry_efforts[ev + k]
        S = column.S
        P = rigid_body_force(J, c, m, S)
        push_q = rigid_body_force(J, c, m, column.second) + turning_force(N_rate, F_rate, column.rate)
        push_v = rigid_body_force(J, c, m, column.mixed) + turning_force(N_rate, F_rate, S.angular)
        if loaded:
            push_q += turning_force(sums.moment_turn, sums.force_turn, column.turn)
            effort.turn += turning_effort(sums.moment_turn, sums.force_turn, S)
        # for the pairs of this coordinate with inboard entries, then its pairs within the body
        effort.inertial += P
        effort.rate += turning_effort(N_rate, F_rate, S)
        effort.push_q += push_q
        effort.push_v += push_v
        for l in range(size):
            S = sl.entry_columns[row + l].S
            K[ev + l, ev + k] += S @ push_q
            C[ev + l, ev + k] += S @ push_v
            M[ev + l, ev + k] += S @ P


@optional_kernel("flexible")
def internal_pairs(model, sl, i, loaded, K, C, M):
    """Pairs of the internal coordinates of body i with its own joint and with all entries inboard of it."""
    node = model.tree[i]
    for k in range(node.ev, node.ev + node.ne):
        effort = sl.entry_efforts[k]
        P, Q, L, push_q, push_v = effort.inertial, effort.rate, effort.turn, effort.push_q, effort.push_v
        for j in range(node.v, node.v + node.nv):
            pair(sl, j, j, k, P, Q, L, push_q, push_v, loaded, K, C, M)
        inboard_pairs(model, sl, i, k, P, Q, L, push_q, push_v, loaded, K, C, M)
