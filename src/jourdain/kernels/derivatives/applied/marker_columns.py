"""Motion of a marker by every entry of v that carries it: to first order, to second order, and under a wrench.

The entries on the path from a marker to the root are listed outermost first. Each has the velocity of the marker by a
unit of its own, S, and the effect of a unit of its displacement: the displacement of the marker, D (S itself, except
for bodies whose displaced pose is not that of their shapes), and the change R of the marker's velocity. With w, u the
velocity (angular, linear) of what is just inboard of an entry that turns all outboard of it by t and moves the marker
by m,

    R = (t x (omega - w), w x m + t x (velocity - u)),

u at the position of the marker: what is outboard turns as one, and the velocity of the rest is that at the new position
of the marker. A wrench (n, f) that stands still while its marker moves has the generalised force s_j . n + t_j . f on
entry j, and

    by entry k inboard of j     (t_k x s_j) . n + (t_k x t_j) . f,
    by entry k outboard of j    (s_j x m_k) . f,

the first also among the entries of a ball or free joint, whose columns all turn with the body. Pogorelov 2003, eq. 2
(the matrix of forces); between coordinates of one flexible body the shapes themselves change
(station_derivatives.py).
"""

from __future__ import annotations

from ...algebra import Motion, cross, force_cross, shift
from ...compiler import kernel, optional_kernel, separate_kernel
from ...joints.plugin_joints import turns_with_body
from ...tree.markers import marker_kinematics
from ..internal_at_markers import in_axes, station_partials, wrench_in_axes


@kernel
def put_column(sl, row, entry, group, S, displacement, rate, lever):
    """Writes row `row` of sl.marker_columns."""
    column, place = sl.marker_columns[row], sl.marker_entries[row]
    place.v, place.group = entry, group
    column.S, column.displacement, column.rate, column.lever = S, displacement, rate, lever


@kernel
def joint_column(ws, sl, row, k, group, arm, V, V_in):
    """The column of entry k of a joint on a marker that moves with V, where all that is inboard moves with V_in."""
    S = shift(ws.dofs[k].S, arm)
    s = S.angular
    spin = cross(s, V.angular - V_in.angular)
    drift = cross(V_in.angular, S.linear) + cross(s, V.linear - V_in.linear)
    put_column(sl, row, k, group, S, S, Motion(spin, drift), s.zero)


@optional_kernel("flexible")
def station_columns(model, ws, sl, row, b, station, place, V, q, v):
    """Columns of the internal coordinates of body b through its station at model.floats[station], for a marker at
    `place` that moves with V.
    """
    node, body = model.tree[b], ws.bodies[b]
    R, omega, nothing = body.R_WB, body.omega, body.bias_force.zero
    r, V_own, _ = station_partials(model, sl, b, station, q, v, v, nothing.force, nothing, sl.stiffness)
    r, V_own = R @ r, in_axes(R, V_own)
    # motion of the station S: omega_WS, and its velocity at the marker
    arm = place - (body.p_WB + r)
    omega_S = omega + V_own.angular
    velocity_S = body.velocity + V_own.linear + (cross(omega, r) + cross(omega_S, arm))
    group = len(model.tree) + b
    for k in range(node.ne):
        own = sl.station_partials[k]
        S, move, dV = in_axes(R, own.shape), in_axes(R, own.move), in_axes(R, own.velocity)
        # rigid displacement from the station to the marker, and R as above
        turn = move.angular
        lever = cross(turn, arm)
        drift = dV.linear + cross(omega, move.linear) + (cross(dV.angular, arm) + cross(omega_S, lever))
        drift += cross(turn, V.linear - velocity_S)
        spin = dV.angular + cross(turn, V.angular - omega_S)
        displacement = Motion(turn, move.linear + lever)
        put_column(sl, row + k, node.ev + k, group, shift(S, arm), displacement, Motion(spin, drift), lever)


@separate_kernel
def path_columns(model, ws, sl, side, m, q, v):
    """Columns of marker m into the rows of sl.marker_columns from side * nv on, after `kinematics`; returns how
    many."""
    tree, b, station = model.tree, model.markers[m].body, model.markers[m].station
    r, _, V = marker_kinematics(model, ws, m, q, v)
    place = ws.bodies[b].p_WB + r
    row = side * v.size
    count = 0
    if tree[b].ne > 0:
        station_columns(model, ws, sl, row, b, station, place, V, q, v)
        count += tree[b].ne
    while b > 0:
        # velocity at the marker just inboard of each entry: that of the body less the entries passed
        node, body = tree[b], ws.bodies[b]
        arm = place - body.p_WB
        V_in = shift(Motion(body.omega, body.velocity), arm)
        first, last = node.v, node.v + node.nv
        together = turns_with_body(node.joint)
        if together:
            for k in range(first, last):
                V_in -= v[k] * shift(ws.dofs[k].S, arm)
        for k in range(last - 1, first - 1, -1):
            if not together:
                V_in -= v[k] * shift(ws.dofs[k].S, arm)
            joint_column(ws, sl, row + count, k, b if together else 0, arm, V, V_in)
            count += 1
        b = node.parent
        if tree[b].ne > 0:
            station_columns(model, ws, sl, row + count, b, node.station, place, V, q, v)
            count += tree[b].ne
    return count


@optional_kernel("flexible")
def bent_shapes(model, ws, sl, m, place, f, q, v, K):
    """Adds to K the derivatives of a wrench f at `place`, on marker m, through the change of the shapes."""
    b, station = model.markers[m].body, model.markers[m].station
    while b > 0:
        if model.tree[b].ne > 0 and station >= 0:
            R = ws.bodies[b].R_WB
            arm = R.T @ (place - ws.bodies[b].p_WB)
            station_partials(model, sl, b, station, q, v, v, arm, wrench_in_axes(R.T, -f), K)
        station = model.tree[b].station
        b = model.tree[b].parent


@separate_kernel
def standing_wrench(model, ws, sl, side, count, m, f, q, v, K):
    """Subtracts from K the derivatives by displacements of the generalised force of a constant wrench f at marker
    m, world axes: adds -dQ/dx, after `path_columns` of that side.
    """
    columns, entries = sl.marker_columns, sl.marker_entries
    base = side * v.size
    for a in range(base, base + count):
        S, entry = columns[a].S, entries[a]
        # (x s) . n + (x t) . f = x . (s x n + t x f)
        turning = force_cross(S, f).moment
        lifting = cross(f.force, S.angular)
        for b in range(base, base + count):
            # entries of one group turn together; else a is inboard or outboard of b, by their order
            if entry.group > 0 and entry.group == entries[b].group:
                if entry.group < len(model.tree):
                    slope = columns[b].displacement.angular @ turning
                else:
                    slope = columns[b].lever @ lifting
            elif a <= b:
                slope = columns[b].displacement.angular @ turning
            else:
                slope = columns[b].displacement.linear @ lifting
            K[entry.v, entries[b].v] -= slope
    b = model.markers[m].body
    if b > 0 and model.flexible.size > 0:
        r, _, _ = marker_kinematics(model, ws, m, q, v)
        bent_shapes(model, ws, sl, m, ws.bodies[b].p_WB + r, f, q, v, K)
