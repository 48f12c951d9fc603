"""Columns of internal coordinates at the markers of their body: under a child's joint, and under loads."""

from __future__ import annotations

from ..algebra import Motion, Wrench, cross, shift, shift_back
from ..bodies.lumped_layout import UNDEFORMED, lumped_body
from ..compiler import kernel, optional_kernel
from ..kind_registry import MODAL
from ..tree.markers import marker_kinematics
from .station_derivatives import lumped_station_partials, modal_station_partials


@kernel
def station_partials(model, sl, i, at, q, v, acceleration, arm, f, K):
    """Derivatives of the motion of the station of body i at model.floats[at], by the kind of the body, and the
    stiffness of a wrench f, about the point `arm` there, in the axes of the body.

    Returns position, velocity and acceleration of the station, in these axes.
    """
    node, stations = model.tree[i], sl.station_partials
    n, e, ev = node.ne, node.e, node.ev
    if node.kind == MODAL:
        return modal_station_partials(model.floats, at, n, q, e, v, ev, acceleration, stations, arm, f, K)
    body = lumped_body(model, i)
    s, g = 0.5 * body.twice_s, 0.0 if body.inertia == UNDEFORMED else 1.0
    return lumped_station_partials(
        model.floats, at, node.floats, body.scheme, s, g, n, q, e, v, ev, acceleration, stations, arm, f, K
    )


@kernel
def in_axes(R, s):
    """A motion in other axes."""
    return Motion(R @ s.angular, R @ s.linear)


@kernel
def wrench_in_axes(R, f):
    """A wrench in other axes."""
    return Wrench(R @ f.moment, R @ f.force)


@kernel
def turned_force(sl, n, ev, R, arm, f, with_load, K):
    """Adds the derivatives of a wrench f at the station of sl.station_partials by displacements of the n coordinates.

    with_load    whether f turns with the axes of a load, else with the station
    arm          from the reference point to the station; everything in world axes except the rows of
                 sl.station_partials, which are in those of the body, R
    """
    for k in range(n):
        own, effort = sl.station_partials[k], sl.entry_efforts[ev + k]
        t = R @ (own.load_turn if with_load else own.move.angular)
        x, y = cross(t, f.moment), cross(t, f.force)
        effort.push_q += Wrench(x + (cross(R @ own.move.linear, f.force) + cross(arm, y)), y)
        turned = wrench_in_axes(R.T, Wrench(x, y))
        for l in range(n):
            K[ev + l, ev + k] += sl.station_partials[l].shape @ turned


@optional_kernel("flexible", returns=(Motion, Motion))
def carried_columns(model, ws, sl, i, q, v, acceleration, K):
    """Columns of the carrier's internal coordinates for body i, and the motion of the marker M that carries it:
    velocity and spatial acceleration at the reference point.

    At M, with velocity V and classical acceleration A, a displacement that turns by t and moves by r changes the
    angular velocity relative to M by dw - t x omega, and so on; `second` and `mixed` of an entry's column are those
    changes and 2 V x d omega, the difference of classical and spatial accelerations.
    """
    # wrench of body i on its carrier P, and the arm, in the axes of P
    body, p = ws.bodies[i], model.tree[i].parent
    n, ev, carrier = model.tree[p].ne, model.tree[p].ev, ws.bodies[p]
    R, omega, alpha = carrier.R_WB, carrier.omega, carrier.acceleration.angular
    f, arm = body.bias_force, body.p_PB
    at = model.tree[i].station
    # motion of M: r = p_PoMo, relative velocity and acceleration; then V, A, omega_WM and alpha_WM in world axes
    r, V_own, A_own = station_partials(
        model, sl, p, at, q, v, acceleration, R.T @ arm, wrench_in_axes(R.T, f), K
    )  # fmt: skip
    r, V_own, A_own = R @ r, in_axes(R, V_own), in_axes(R, A_own)
    x = sl.composites[p].reference - (carrier.p_WB + r)
    swing = cross(omega, r)
    V = carrier.velocity + (swing + V_own.linear)
    A = carrier.acceleration.linear + (cross(alpha, r) + cross(omega, swing + 2.0 * V_own.linear))
    A += A_own.linear
    omega_M = omega + V_own.angular
    alpha_M = alpha + (A_own.angular + cross(omega, V_own.angular))
    turned_force(sl, n, ev, R, -x, shift_back(f, arm - r), False, K)
    # the column of each coordinate, moved from M to the common reference point of the tree by x = p_MoRef
    for k in range(n):
        own, column = sl.station_partials[k], sl.entry_columns[sl.shape_rows[i] + k]
        S, move, dV = in_axes(R, own.shape), in_axes(R, own.move), in_axes(R, own.velocity)
        by_e, by_rate, turn = in_axes(R, own.acceleration), in_axes(R, own.acceleration_v), move.angular
        # changes relative to M: those relative to P, with the motion of P, less the rotation of the axes of M
        rate = dV.angular - cross(turn, omega_M)
        second = by_e.angular + cross(omega, dV.angular) - cross(turn, alpha_M) + cross(omega_M, rate)
        second_l = by_e.linear + cross(alpha, move.linear)
        second_l += cross(omega, cross(omega, move.linear) + 2.0 * dV.linear)
        second_l = second_l - cross(turn, A) + 2.0 * cross(V, rate)
        mixed = by_rate.angular + cross(omega + omega_M, S.angular)
        mixed_l = by_rate.linear + 2.0 * (cross(omega, S.linear) + cross(V, S.angular))
        column.S, column.rate, column.turn = shift(S, x), rate, turn
        column.second, column.mixed = shift(Motion(second, second_l), x), shift(Motion(mixed, mixed_l), x)
    # classical to spatial acceleration, at the reference point
    A = A - cross(omega_M, V) + cross(alpha_M, x)
    return Motion(omega_M, V + cross(omega_M, x)), Motion(alpha_M, A)


@optional_kernel("flexible")
def flexible_load(model, ws, sl, i, q, v, K):
    """Contribution of load i to the internal coordinates; a load in world axes does not turn with its marker."""
    m, axes = model.load_markers[i].marker, model.load_markers[i].axes
    place = model.markers[m]
    b = place.body
    n, ev, R, f = model.tree[b].ne, model.tree[b].ev, ws.bodies[b].R_WB, model.constant_loads[i].wrench
    if axes >= 0:
        _, R_WA, _ = marker_kinematics(model, ws, axes, q, v)
        f = wrench_in_axes(R_WA, f)
        none = f.zero
        station_partials(model, sl, b, model.markers[axes].station, q, v, v, none.force, none, K)
    for k in range(n):
        own = sl.station_partials[k]
        own.load_turn = own.move.angular if axes >= 0 else own.load_turn.zero
    # inverse dynamics subtracts the load from the effort
    f = -f
    r, _, _ = marker_kinematics(model, ws, m, q, v)
    station_partials(model, sl, b, place.station, q, v, v, R.T @ r, wrench_in_axes(R.T, f), K)
    turned_force(sl, n, ev, R, ws.bodies[b].p_WB + r - sl.composites[b].reference, f, True, K)
    if axes >= 0:
        return
    for k in range(n):
        # relative to the body, which turns by d, the load -(moment, force) changes by d x (moment, force)
        S, effort = in_axes(R, sl.station_partials[k].shape), sl.entry_efforts[ev + k]
        effort.turn += cross(S.angular, f.moment) + cross(S.linear, f.force)
