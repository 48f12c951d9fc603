"""Derivatives between an entry of v and those inboard of it, from its wrenches and their columns: the dot products of
composite_sums.py.
"""

from __future__ import annotations

from ..algebra import Wrench
from ..compiler import kernel
from ..fixed_size import operation


@operation
def turning_force(moment_rate, force_rate, r):
    """B r: the wrench by an angular velocity, or a rotation, r."""
    return Wrench(moment_rate @ r, force_rate @ r)


@operation
def turning_effort(moment_rate, force_rate, S):
    """B^T S: the effort along a motion S by angular velocities."""
    return moment_rate.T @ S.angular + force_rate.T @ S.linear


@kernel
def pair(sl, row, j, k, P, Q, L, push_q, push_v, loaded, K, C, M):
    """All derivatives between entry k and an entry j inboard of it, whose column is at `row`."""
    column = sl.entry_columns[row]
    S = column.S
    K[j, k] = S @ push_q
    C[j, k] = S @ push_v
    M[j, k] = S @ P
    M[k, j] = M[j, k]
    stiff = P @ column.second + Q @ column.rate
    if loaded:
        stiff += L @ column.turn
    K[k, j] = stiff
    C[k, j] = P @ column.mixed + Q @ S.angular


@kernel
def within(sl, j, k, P, Q, L, loaded, K, C, M):
    """All derivatives between two entries that turn together, as those of a ball joint."""
    column = sl.entry_columns[j]
    S = column.S
    stiff = P @ column.second + Q @ column.rate
    if loaded:
        stiff += L @ column.turn
    K[k, j] = stiff
    C[k, j] = P @ column.mixed + Q @ S.angular
    M[k, j] = P @ S


@kernel
def inboard_pairs(model, sl, b, k, P, Q, L, push_q, push_v, loaded, K, C, M):
    """`pair` with every entry inboard of body b, except those of its own joint."""
    tree = model.tree
    p = tree[b].parent
    while b > 0:
        row = sl.shape_rows[b]
        for j in range(tree[p].ne):
            pair(sl, row + j, tree[p].ev + j, k, P, Q, L, push_q, push_v, loaded, K, C, M)
        b = p
        p, first = tree[b].parent, tree[b].v
        for j in range(first, first + tree[b].nv):
            pair(sl, j, j, k, P, Q, L, push_q, push_v, loaded, K, C, M)
