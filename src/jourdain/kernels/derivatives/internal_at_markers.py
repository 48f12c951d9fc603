"""Columns of internal coordinates at the markers of their body: under a child's joint, and under loads."""

from __future__ import annotations

from ..bodies.lumped_beam import INERTIA_CODE, SCHEME, TANGENT, UNDEFORMED
from ..columns import ACC, ARM, EV, FLOATS, FORCE, INTEGERS, KIND, OMEGA, PARENT, POS, ROT, STATION, VEL, E, N
from ..compiler import kernel, optional_kernel
from ..kind_registry import MODAL
from ..spatial import accumulate3, add, cross, dot, mat, put3, rotate, rotate_back, scale, sub, vec
from ..tree.markers import marker_frame
from .derivative_layout import (
    COLUMN_S,
    D_ACC,
    D_ACC_V,
    D_VEL,
    LOAD_TURN,
    LOADED_TURN,
    MOVE,
    PARTIAL_MIXED,
    PARTIAL_RATE,
    PARTIAL_SECOND,
    PARTIAL_SHAPE,
    PARTIAL_TURN,
    PUSH_Q,
    REF,
)
from .station_derivatives import lumped_station_partials, modal_station_partials


@kernel
def station_partials(model, sl, i, at, q, v, acceleration, arm, moment, force, K):
    """Derivatives of the motion of the station of body i at model.floats[at], by the kind of the body, and the
    stiffness of a force and its moment about the point `arm` there, in the axes of the body.
    """
    table, own = model.table, model.table[i, INTEGERS]
    n, e, ev = table[i, N], table[i, E], table[i, EV]
    if table[i, KIND] == MODAL:
        return modal_station_partials(model.floats, at, n, q, e, v, ev, acceleration, sl.station, arm, moment, force, K)
    scheme = model.integers[own + SCHEME]
    s = 0.5 * model.integers[own + TANGENT]
    g = 0.0 if model.integers[own + INERTIA_CODE] == UNDEFORMED else 1.0
    return lumped_station_partials(
        model.floats,
        at,
        table[i, FLOATS],
        scheme,
        s,
        g,
        n,
        q,
        e,
        v,
        ev,
        acceleration,
        sl.station,
        arm,
        moment,
        force,
        K,
    )


@kernel
def turned_force(sl, n, ev, R, arm, moment, force, turn, K):
    """Adds the derivatives of a (moment, force) at the station of sl.station by displacements of the n coordinates.

    turn    column of the rotations with which the force turns
    arm     from the reference point to the station; everything in world axes except the rows of sl.station, which are
            in those of the body, R
    """
    st = sl.station
    for k in range(n):
        t = rotate(R, vec(st, k, turn))
        x, y = cross(t, moment), cross(t, force)
        accumulate3(sl.entries, ev + k, PUSH_Q + 3, y)
        moved = cross(rotate(R, vec(st, k, MOVE + 3)), force)
        accumulate3(sl.entries, ev + k, PUSH_Q, add(x, add(moved, cross(arm, y))))
        x, y = rotate_back(R, x), rotate_back(R, y)
        for l in range(n):
            K[ev + l, ev + k] += dot(vec(st, l, PARTIAL_SHAPE), x) + dot(vec(st, l, PARTIAL_SHAPE + 3), y)


@optional_kernel("flexible", returns=(3, 3, 3, 3))
def carried_columns(model, ws, sl, i, q, v, acceleration, K):
    """Columns of the carrier's internal coordinates for body i, and the motion of the marker M that carries it.

    At M, with velocity V and classical acceleration A, a displacement that turns by t and moves by r changes the
    angular velocity relative to M by dw - t x omega, and so on; PARTIAL_SECOND and PARTIAL_MIXED are those changes and
    2 V x d omega, the difference of classical and spatial accelerations.
    """
    table, work, st, columns = model.table, ws.work, sl.station, sl.columns
    # wrench of body i on its carrier P, and the arm, in the axes of P
    p = table[i, PARENT]
    n, ev = table[p, N], table[p, EV]
    R = mat(work, p, ROT)
    omega, alpha = vec(work, p, OMEGA), vec(work, p, ACC)
    ref = vec(sl.bodies, p, REF)
    moment, force, arm = vec(work, i, FORCE), vec(work, i, FORCE + 3), vec(work, i, ARM)
    n_b, f_b, arm_b = rotate_back(R, moment), rotate_back(R, force), rotate_back(R, arm)
    at = table[i, STATION]
    # motion of M: r = p_PoMo, u and w relative to P; then V, A, omega_WM and alpha_WM in world axes
    r, u, w, a_own, alpha_own = station_partials(model, sl, p, at, q, v, acceleration, arm_b, n_b, f_b, K)
    r, u, w = rotate(R, r), rotate(R, u), rotate(R, w)
    moment = add(moment, cross(sub(arm, r), force))
    place = add(vec(work, p, POS), r)
    x = sub(ref, place)
    swing = cross(omega, r)
    V = add(vec(work, p, VEL), add(swing, u))
    A = add(vec(work, p, ACC + 3), add(cross(alpha, r), cross(omega, add(swing, scale(2.0, u)))))
    A = add(A, rotate(R, a_own))
    omega_m = add(omega, w)
    alpha_m = add(alpha, add(rotate(R, alpha_own), cross(omega, w)))
    turned_force(sl, n, ev, R, scale(-1.0, x), moment, force, MOVE, K)
    # the column of each coordinate, moved from M to the common reference point of the tree by x = p_MoRef
    for k in range(n):
        row = sl.shape_rows[i] + k
        s, t = rotate(R, vec(st, k, PARTIAL_SHAPE)), rotate(R, vec(st, k, PARTIAL_SHAPE + 3))
        turn, move = rotate(R, vec(st, k, MOVE)), rotate(R, vec(st, k, MOVE + 3))
        dw, du = rotate(R, vec(st, k, D_VEL)), rotate(R, vec(st, k, D_VEL + 3))
        # changes relative to M: those relative to P, with the motion of P, less the rotation of the axes of M
        rate = sub(dw, cross(turn, omega_m))
        second = add(rotate(R, vec(st, k, D_ACC)), cross(omega, dw))
        second = add(sub(second, cross(turn, alpha_m)), cross(omega_m, rate))
        second_l = add(rotate(R, vec(st, k, D_ACC + 3)), cross(alpha, move))
        second_l = add(second_l, cross(omega, add(cross(omega, move), scale(2.0, du))))
        second_l = add(sub(second_l, cross(turn, A)), scale(2.0, cross(V, rate)))
        mixed = add(rotate(R, vec(st, k, D_ACC_V)), cross(add(omega, omega_m), s))
        mixed_l = add(rotate(R, vec(st, k, D_ACC_V + 3)), scale(2.0, add(cross(omega, t), cross(V, s))))
        put3(columns, row, COLUMN_S, s)
        put3(columns, row, COLUMN_S + 3, add(t, cross(s, x)))
        put3(columns, row, PARTIAL_RATE, rate)
        put3(columns, row, PARTIAL_SECOND, second)
        put3(columns, row, PARTIAL_SECOND + 3, add(second_l, cross(second, x)))
        put3(columns, row, PARTIAL_MIXED, mixed)
        put3(columns, row, PARTIAL_MIXED + 3, add(mixed_l, cross(mixed, x)))
        put3(columns, row, PARTIAL_TURN, turn)
    # classical to spatial acceleration, at the reference point
    A = add(sub(A, cross(omega_m, V)), cross(alpha_m, x))
    return omega_m, add(V, cross(omega_m, x)), alpha_m, A


@optional_kernel("flexible")
def flexible_load(model, ws, sl, i, q, v, K):
    """Contribution of load i to the internal coordinates; a load in world axes does not turn with its marker."""
    m, axes = model.load_index[i, 0], model.load_index[i, 1]
    body = model.marker_index[m, 0]
    n, ev, st = model.table[body, N], model.table[body, EV], sl.station
    R = mat(ws.work, body, ROT)
    moment, force = vec(model.loads, i, 0), vec(model.loads, i, 3)
    none = (0.0, 0.0, 0.0)
    if axes >= 0:
        _, A, _, _ = marker_frame(model, ws, axes, q, v)
        moment, force = rotate(A, moment), rotate(A, force)
        station_partials(model, sl, body, model.marker_index[axes, 1], q, v, v, none, none, none, K)
    for k in range(n):
        put3(st, k, LOAD_TURN, vec(st, k, MOVE) if axes >= 0 else none)
    # inverse dynamics subtracts the load from the effort
    moment, force = scale(-1.0, moment), scale(-1.0, force)
    r, _, _, _ = marker_frame(model, ws, m, q, v)
    n_b, f_b, r_b = rotate_back(R, moment), rotate_back(R, force), rotate_back(R, r)
    station_partials(model, sl, body, model.marker_index[m, 1], q, v, v, r_b, n_b, f_b, K)
    x = sub(add(vec(ws.work, body, POS), r), vec(sl.bodies, body, REF))
    turned_force(sl, n, ev, R, x, moment, force, LOAD_TURN, K)
    if axes >= 0:
        return
    for k in range(n):
        s, t = rotate(R, vec(st, k, PARTIAL_SHAPE)), rotate(R, vec(st, k, PARTIAL_SHAPE + 3))
        # relative to the body, which turns by d, the load -(moment, force) changes by d x (moment, force)
        accumulate3(sl.entries, ev + k, LOADED_TURN, add(cross(s, moment), cross(t, force)))
