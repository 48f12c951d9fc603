"""Derivatives of all efforts by a force between the bodies of two markers.

A force f on the first body and a torque T, both with opposite sign on the second, at a point P have the generalised
force  Q_j = c_j . f + w_j . T  on entry j, with c_j, w_j the relative velocity at P and angular velocity of a unit of
v_j. As entry k is displaced, f and T change, P moves, and so do the bodies (`standing_wrench`):

    dQ_j/dx_k = c_j . df_k + w_j . (dT_k + dP_k x f) - s_j^A . (dA_k x f) + s_j^B . (dB_k x f) + standing wrenches,

A and B the markers, at which the wrenches act.
"""

from __future__ import annotations

from ...algebra import Motion, Wrench, cross, shift
from ...compiler import kernel, outlined_kernel
from ...tree.markers import marker_kinematics
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
        row = i if i < na else nv + i - na
        k, own = sl.marker_entries[row].v, sl.marker_columns[row]
        # a new row for an entry that is met first
        if ap.entries[nv + k] < 0:
            ap.entries[nv + k] = count
            ap.entries[count] = k
            pair, none = ap.pairs[count], own.S.zero
            pair.S_A, pair.displacement_A, pair.rate_A = none, none, none
            pair.S_B, pair.displacement_B, pair.rate_B = none, none, none
            count += 1
        pair = ap.pairs[ap.entries[nv + k]]
        if i < na:
            pair.S_A, pair.displacement_A, pair.rate_A = own.S, own.displacement, own.rate
        else:
            pair.S_B, pair.displacement_B, pair.rate_B = own.S, own.displacement, own.rate
    return na, nb, count


@kernel
def place_pair(ap, count, arm_a, arm_b):
    """Relative velocity columns at a point at arm_a from the first marker, at arm_b from the second."""
    for i in range(count):
        pair = ap.pairs[i]
        relative = shift(pair.S_A, arm_a) - shift(pair.S_B, arm_b)
        pair.velocity, pair.omega = relative.linear, relative.angular


@kernel
def hastened(rate, displacement, arm, omega, moved):
    """The velocity that a unit of displacement of an entry adds to a body, at a point at `arm` from its marker that is
    itself displaced by `moved`; rate and displacement are those of the marker, which turns with omega."""
    away = moved - displacement.linear
    return Motion(rate.angular, rate.linear + (cross(rate.angular, arm) + cross(omega, away)))


@outlined_kernel
def add_pair(ap, count, force, K, C):
    """Adds -dQ/dx to K and -dQ/dv to C except the standing wrenches, from the columns of `pairs`."""
    pairs, entries = ap.pairs, ap.entries
    for b in range(count):
        k, by = entries[b], pairs[b]
        df, fv, tv = by.force, by.force_v, by.torque_v
        turning = by.torque + cross(by.point, force)
        at_a, at_b = cross(by.displacement_A.linear, force), cross(by.displacement_B.linear, force)
        for a in range(count):
            pair = pairs[a]
            slope = pair.velocity @ df + pair.omega @ turning
            slope += pair.S_B.angular @ at_b - pair.S_A.angular @ at_a
            K[entries[a], k] -= slope
            C[entries[a], k] -= pair.velocity @ fv + pair.omega @ tv


@kernel
def add_standing(model, ws, sl, na, nb, first, second, on_a, on_b, force, q, v, K):
    """Adds -dQ/dx of a constant force on the first marker's body, opposite on the second's, with their moments."""
    standing_wrench(model, ws, sl, 0, na, first, Wrench(on_a, force), q, v, K)
    standing_wrench(model, ws, sl, 1, nb, second, -Wrench(on_b, force), q, v, K)
