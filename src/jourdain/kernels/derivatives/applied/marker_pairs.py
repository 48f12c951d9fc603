"""Derivatives of all efforts by a force between the bodies of two markers.

A force f on the first body and a torque T, both with opposite sign on the second, at a point P have the generalised
force  Q_j = c_j . f + w_j . T  on entry j, with c_j, w_j the relative velocity at P and angular velocity of a unit of
v_j. As entry k is displaced, f and T change, P moves, and so do the bodies (`standing_wrench`):

    dQ_j/dx_k = c_j . df_k + w_j . (dT_k + dP_k x f) - s_j^A . (dA_k x f) + s_j^B . (dB_k x f) + standing wrenches,

A and B the markers, at which the wrenches act.
"""

from __future__ import annotations

from ...algebra import cross
from ...compiler import kernel, outlined_kernel
from ...flat_arrays import put_value, vector_at
from ...tree.markers import marker_kinematics
from ..derivative_layout import PATH_D, PATH_ENTRY, PATH_R, PATH_S
from .applied_layout import ON_A, ON_B, PAIR_C, PAIR_F, PAIR_FV, PAIR_P, PAIR_T, PAIR_TV, PAIR_W
from .marker_columns import path_columns, standing_wrench


@kernel
def marker_place(model, ws, m, q, v):
    """Position and velocity (angular, linear) of a marker."""
    r, _, V = marker_kinematics(model, ws, m, q, v)
    return ws.bodies[model.markers[m].body].p_WB + r, V.angular, V.linear


@outlined_kernel
def gather_pair(model, ws, sl, ap, first, second, q, v):
    """Columns of two markers in one table, a row for each entry that moves one of them.

    Returns how many entries move the first, the second, and one of them.
    """
    nv = v.size
    na = path_columns(model, ws, sl, 0, first, q, v)
    nb = path_columns(model, ws, sl, 1, second, q, v)
    for k in range(nv):
        ap.entries[nv + k] = -1
    count = 0
    for i in range(na + nb):
        row, side = (i, ON_A) if i < na else (nv + i - na, ON_B)
        k = sl.path_index[row, PATH_ENTRY]
        # a new row for an entry that is met first
        if ap.entries[nv + k] < 0:
            ap.entries[nv + k] = count
            ap.entries[count] = k
            for j in range(ON_A, PAIR_C):
                ap.pair[count, j] = 0.0
            count += 1
        for j in range(ON_B - ON_A):
            ap.pair[ap.entries[nv + k], side + j] = sl.path[row, j]
    return na, nb, count


@kernel
def place_pair(ap, count, arm_a, arm_b):
    """Relative velocity columns at a point at arm_a from the first marker, at arm_b from the second."""
    pair = ap.pair
    for i in range(count):
        sa, sb = vector_at(pair[i], ON_A + PATH_S), vector_at(pair[i], ON_B + PATH_S)
        ca = vector_at(pair[i], ON_A + PATH_S + 3) + cross(sa, arm_a)
        cb = vector_at(pair[i], ON_B + PATH_S + 3) + cross(sb, arm_b)
        put_value(pair[i], PAIR_C, ca - cb)
        put_value(pair[i], PAIR_W, sa - sb)


@kernel
def displaced(pair, i, side, arm):
    """(rotation, displacement at `arm` from the marker) of one side by a unit of entry i."""
    turn = vector_at(pair[i], side + PATH_D)
    return turn, vector_at(pair[i], side + PATH_D + 3) + cross(turn, arm)


@kernel
def hastened(pair, i, side, arm, omega, moved):
    """(angular velocity, velocity) that a unit of displacement of entry i adds on one side, at a point at `arm` from
    the marker that is itself displaced by `moved`.
    """
    spin = vector_at(pair[i], side + PATH_R)
    away = moved - vector_at(pair[i], side + PATH_D + 3)
    return spin, vector_at(pair[i], side + PATH_R + 3) + (cross(spin, arm) + cross(omega, away))


@outlined_kernel
def add_pair(ap, count, force, K, C):
    """Adds -dQ/dx to K and -dQ/dv to C except the standing wrenches, from the columns of `pair`."""
    pair, entries = ap.pair, ap.entries
    for b in range(count):
        k = entries[b]
        df, fv, tv = vector_at(pair[b], PAIR_F), vector_at(pair[b], PAIR_FV), vector_at(pair[b], PAIR_TV)
        turning = vector_at(pair[b], PAIR_T) + cross(vector_at(pair[b], PAIR_P), force)
        at_a = cross(vector_at(pair[b], ON_A + PATH_D + 3), force)
        at_b = cross(vector_at(pair[b], ON_B + PATH_D + 3), force)
        for a in range(count):
            c, w = vector_at(pair[a], PAIR_C), vector_at(pair[a], PAIR_W)
            slope = c @ df + w @ turning
            slope += vector_at(pair[a], ON_B + PATH_S) @ at_b - vector_at(pair[a], ON_A + PATH_S) @ at_a
            K[entries[a], k] -= slope
            C[entries[a], k] -= c @ fv + w @ tv


@kernel
def add_standing(model, ws, sl, na, nb, first, second, on_a, on_b, force, q, v, K):
    """Adds -dQ/dx of a constant force on the first marker's body, opposite on the second's, with their moments."""
    standing_wrench(model, ws, sl, 0, na, first, tuple(on_a), tuple(force), q, v, K)
    standing_wrench(model, ws, sl, 1, nb, second, tuple(-on_b), tuple(-force), q, v, K)
