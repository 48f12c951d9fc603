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

from ...algebra import Wrench
from ...columns import DOFS, EV, JOINT, OMEGA, PARENT, POS, ROT, STATION, VEL, N, S, V
from ...compiler import kernel, optional_kernel, separate_kernel
from ...joints.plugin_joints import turns_with_body
from ...spatial import add, cross, dot, mat, put3, rotate, rotate_back, scale, sub, vec
from ...tree.markers import marker_frame
from ..derivative_layout import D_VEL, GROUP, LEVER, MOVE, PARTIAL_SHAPE, PATH_D, PATH_ENTRY, PATH_R, PATH_S
from ..internal_at_markers import station_partials


@kernel
def put_column(sl, row, entry, group, s, t, turn, move, spin, drift, lever):
    """Writes row `row` of sl.path."""
    sl.path_index[row, PATH_ENTRY], sl.path_index[row, GROUP] = entry, group
    put3(sl.path, row, PATH_S, s)
    put3(sl.path, row, PATH_S + 3, t)
    put3(sl.path, row, PATH_D, turn)
    put3(sl.path, row, PATH_D + 3, move)
    put3(sl.path, row, PATH_R, spin)
    put3(sl.path, row, PATH_R + 3, drift)
    put3(sl.path, row, LEVER, lever)


@kernel
def joint_column(ws, sl, row, k, group, arm, omega, velocity, w, u):
    """The column of entry k of a joint, where all that is inboard moves with (w, u), u at the marker."""
    s = vec(ws.dof, k, S)
    t = add(vec(ws.dof, k, S + 3), cross(s, arm))
    spin = cross(s, sub(omega, w))
    drift = add(cross(w, t), cross(s, sub(velocity, u)))
    put_column(sl, row, k, group, s, t, s, t, spin, drift, (0.0, 0.0, 0.0))


@optional_kernel("flexible")
def station_columns(model, ws, sl, row, body, station, place, omega, velocity, q, v):
    """Columns of the internal coordinates of a body through its station at model.floats[station], for a marker at
    `place` that moves with (omega, velocity).
    """
    st = sl.station
    R = mat(ws.work, body, ROT)
    nothing = ws.bodies[body].bias_force.zero
    r, V, _ = station_partials(model, sl, body, station, q, v, v, nothing.force, nothing, sl.stiffness)
    r, u, w = rotate(R, r), rotate(R, V.linear), rotate(R, V.angular)
    # motion of the station S and of the body frame B: omega_WB, omega_WS, velocity of S at the marker
    omega_b = vec(ws.work, body, OMEGA)
    arm = sub(place, add(vec(ws.work, body, POS), r))
    omega_s = add(omega_b, w)
    velocity_s = add(add(vec(ws.work, body, VEL), u), add(cross(omega_b, r), cross(omega_s, arm)))
    ev, group = model.table[body, EV], model.table.shape[0] + body
    for k in range(model.table[body, N]):
        s, t = rotate(R, vec(st, k, PARTIAL_SHAPE)), rotate(R, vec(st, k, PARTIAL_SHAPE + 3))
        turn, move = rotate(R, vec(st, k, MOVE)), rotate(R, vec(st, k, MOVE + 3))
        spin, drift = rotate(R, vec(st, k, D_VEL)), rotate(R, vec(st, k, D_VEL + 3))
        # rigid displacement from the station to the marker, and R as above
        lever = cross(turn, arm)
        drift = add(add(drift, cross(omega_b, move)), add(cross(spin, arm), cross(omega_s, lever)))
        drift = add(drift, cross(turn, sub(velocity, velocity_s)))
        spin = add(spin, cross(turn, sub(omega, omega_s)))
        put_column(sl, row + k, ev + k, group, s, add(t, cross(s, arm)), turn, add(move, lever), spin, drift, lever)


@separate_kernel
def path_columns(model, ws, sl, side, m, q, v):
    """Columns of marker m into the rows of sl.path from side * nv on, after `kinematics`; returns how many."""
    table, work = model.table, ws.work
    body = model.marker_index[m, 0]
    r, _, omega, velocity = marker_frame(model, ws, m, q, v)
    place = add(vec(work, body, POS), r)
    row = side * v.size
    count = 0
    if table[body, N] > 0:
        station_columns(model, ws, sl, row, body, model.marker_index[m, 1], place, omega, velocity, q, v)
        count += table[body, N]
    while body > 0:
        # velocity at the marker just inboard of each entry: that of the body less the entries passed
        arm = sub(place, vec(work, body, POS))
        w = vec(work, body, OMEGA)
        u = add(vec(work, body, VEL), cross(w, arm))
        first, last = table[body, V], table[body, V] + table[body, DOFS]
        together = turns_with_body(table[body, JOINT])
        if together:
            for k in range(first, last):
                s = vec(ws.dof, k, S)
                w = sub(w, scale(v[k], s))
                u = sub(u, scale(v[k], add(vec(ws.dof, k, S + 3), cross(s, arm))))
        for k in range(last - 1, first - 1, -1):
            if not together:
                s = vec(ws.dof, k, S)
                w = sub(w, scale(v[k], s))
                u = sub(u, scale(v[k], add(vec(ws.dof, k, S + 3), cross(s, arm))))
            joint_column(ws, sl, row + count, k, body if together else 0, arm, omega, velocity, w, u)
            count += 1
        p = table[body, PARENT]
        if table[p, N] > 0:
            station_columns(model, ws, sl, row + count, p, table[body, STATION], place, omega, velocity, q, v)
            count += table[p, N]
        body = p
    return count


@optional_kernel("flexible")
def bent_shapes(model, ws, sl, m, place, moment, force, q, v, K):
    """Adds to K the derivatives of a wrench at `place`, on marker m, through the change of the shapes."""
    body = model.marker_index[m, 0]
    station = model.marker_index[m, 1]
    while body > 0:
        if model.table[body, N] > 0 and station >= 0:
            R = mat(ws.work, body, ROT)
            arm = rotate_back(R, sub(place, vec(ws.work, body, POS)))
            n, f = rotate_back(R, scale(-1.0, moment)), rotate_back(R, scale(-1.0, force))
            station_partials(model, sl, body, station, q, v, v, arm, Wrench(n, f), K)
        station = model.table[body, STATION]
        body = model.table[body, PARENT]


@separate_kernel
def standing_wrench(model, ws, sl, side, count, m, moment, force, q, v, K):
    """Subtracts from K the derivatives by displacements of the generalised force of a constant (moment, force) at
    marker m, world axes: adds -dQ/dx, after `path_columns` of that side.
    """
    path, index = sl.path, sl.path_index
    base = side * v.size
    for a in range(base, base + count):
        s, t = vec(path, a, PATH_S), vec(path, a, PATH_S + 3)
        # (x s) . n + (x t) . f = x . (s x n + t x f)
        turning = add(cross(s, moment), cross(t, force))
        lifting = cross(force, s)
        for b in range(base, base + count):
            # entries of one group turn together; else a is inboard or outboard of b, by their order
            if index[a, GROUP] > 0 and index[a, GROUP] == index[b, GROUP]:
                if index[a, GROUP] < model.table.shape[0]:
                    slope = dot(vec(path, b, PATH_D), turning)
                else:
                    slope = dot(vec(path, b, LEVER), lifting)
            elif a <= b:
                slope = dot(vec(path, b, PATH_D), turning)
            else:
                slope = dot(vec(path, b, PATH_D + 3), lifting)
            K[index[a, PATH_ENTRY], index[b, PATH_ENTRY]] -= slope
    body = model.marker_index[m, 0]
    if body > 0 and model.flexible.size > 0:
        r, _, _, _ = marker_frame(model, ws, m, q, v)
        bent_shapes(model, ws, sl, m, add(vec(ws.work, body, POS), r), moment, force, q, v, K)
