"""All rows of the constraints: their values, rates and accelerations, and what they do to the coordinates.

These rows are the constraint Jacobian A of A v + c = 0.

A dv/dt + BIAS is the acceleration of the rows and A^T lambda the effort of their multipliers. A row's two wrenches are
in balance, so that it reaches only the coordinates between its markers and the body where their paths meet.
"""

from __future__ import annotations

from ..algebra import Motion, cross, shift, shift_back
from ..bodies.body_dispatch import flexible_station, support, supported
from ..compiler import kernel, outlined_kernel, separate_kernel
from ..flat_arrays import motion_at
from ..kind_registry import COUPLING
from ..tree.markers import apply_wrench, marker_acceleration, marker_kinematics
from ..tree.motions import profile
from ..tree.orbit import relative_motion
from .frame_constraints import pair_rows


@kernel
def coupling_row(model, ws, c, t, q, v):
    """sum of k_j q_j less its goal, or sum of k_j v_j less its goal for a coupling of velocities."""
    data, coupling = model.constraint_floats, model.constraints[c]
    goal, rate, acceleration = data[coupling.floats], 0.0, 0.0
    if coupling.motion >= 0:
        goal, rate, acceleration = profile(coupling.motion, data, coupling.motion_floats, t)
    zero = ws.bodies[0].p_WB.zero.x
    value, speed = zero, zero
    holonomic = coupling.kind == COUPLING
    for j in range(coupling.entry, coupling.entry + coupling.entries):
        entry = model.coupled_entries[j]
        k = data[entry.coefficient]
        speed += k * v[entry.v]
        if holonomic:
            value += k * q[entry.q]
    row = ws.constraint_rows[coupling.row]
    row.value = value - goal if holonomic else zero
    drift = -rate if holonomic else -goal
    row.drift = drift
    row.rate = speed + drift
    row.swing = -acceleration if holonomic else -rate
    row.bias = row.swing


@separate_kernel
def lay_rows(model, ws, t, q, v):
    """Wrenches, value, rate, drift and swing of every row at time t, after `kinematics`; not its bias."""
    for c in range(len(model.constraints)):
        if model.constraints[c].kind >= COUPLING:
            coupling_row(model, ws, c, t, q, v)
        else:
            pair_rows(model, ws, c, t, q, v)


@outlined_kernel
def rest_accelerations(model, ws):
    """Accelerations of all bodies where no coordinate accelerates, gravity taken off."""
    world = ws.bodies[0]
    none = world.omega.zero
    world.rest = Motion(world.acceleration.angular if model.gravity.size > 3 else none, none)
    for i in range(1, len(model.tree)):
        body = ws.bodies[i]
        body.rest = shift(ws.bodies[model.tree[i].parent].rest, body.p_PB) + body.bias


@kernel
def marker_rest(model, ws, m, q, v):
    """Acceleration of marker m relative to the world where no coordinate accelerates."""
    place = model.markers[m]
    body, V = ws.bodies[place.body], relative_motion(model, ws, place.body)
    R, omega = body.R_WB, V.angular
    alpha, a = body.rest.angular, body.rest.linear
    if model.gravity.size > 3:
        spin, spin_rate, x = ws.bodies[0].omega, ws.bodies[0].acceleration.angular, body.p_WB
        alpha -= spin_rate + cross(spin, omega)
        a -= cross(spin_rate, x) + cross(spin, 2.0 * V.linear + cross(spin, x))
    r, more = model.marker_poses[m].p_BM, omega.zero
    if model.tree[place.body].ne > 0:
        p, _, u, w, a_bias, alpha_bias = flexible_station(model, ws, place.body, place.station, q, v)
        a += R @ a_bias + 2.0 * cross(omega, R @ u)
        more = R @ alpha_bias + cross(omega, R @ w)
        r = p
    r = R @ r
    return Motion(alpha + more, a + (cross(alpha, r) + cross(omega, cross(omega, r))))


@outlined_kernel
def bias_rows(model, ws, q, v):
    """The bias of every row, after `lay_rows`."""
    rest_accelerations(model, ws)
    for c in range(len(model.constraints)):
        constraint = model.constraints[c]
        if constraint.kind >= COUPLING:
            continue
        A_A = marker_rest(model, ws, constraint.marker_A, q, v)
        A_B = marker_rest(model, ws, constraint.marker_B, q, v)
        for r in range(constraint.row, constraint.row + constraint.rows):
            row = ws.constraint_rows[r]
            row.bias = row.on_A @ A_A + row.on_B @ A_B + row.swing


@kernel
def place_rows(model, ws, t, q, v):
    """Everything of every row at time t but its multiplier, after `kinematics`."""
    lay_rows(model, ws, t, q, v)
    bias_rows(model, ws, q, v)


@separate_kernel
def row_accelerations(model, ws, q, v, acceleration, out):
    """A dv/dt + bias of every row into out, from the bodies' accelerations, after `lay_rows`."""
    for c in range(len(model.constraints)):
        constraint = model.constraints[c]
        first = constraint.row
        if constraint.kind >= COUPLING:
            out[first] = ws.constraint_rows[first].swing
            for j in range(constraint.entry, constraint.entry + constraint.entries):
                entry = model.coupled_entries[j]
                out[first] += model.constraint_floats[entry.coefficient] * acceleration[entry.v]
            continue
        marker_acceleration(model, ws, constraint.marker_A, q, v, acceleration, ws.scratch)
        A_A = motion_at(ws.scratch, 0)
        marker_acceleration(model, ws, constraint.marker_B, q, v, acceleration, ws.scratch)
        A_B = motion_at(ws.scratch, 0)
        for r in range(first, first + constraint.rows):
            row = ws.constraint_rows[r]
            out[r] = row.on_A @ A_A + row.on_B @ A_B + row.swing


@kernel
def violated(row, rates):
    """How far a row is violated, or the rate of that."""
    return row.rate if rates else row.value


@kernel
def push_station(model, ws, m, q, v, f, out, at):
    """Adds what a wrench f at marker m does to the internal coordinates of its own body; returns the marker's place."""
    place = model.markers[m]
    node, body = model.tree[place.body], ws.bodies[place.body]
    r, _, _ = marker_kinematics(model, ws, m, q, v)
    if node.ne > 0:
        R, base = body.R_WB, ws.flex.size - 6 * node.ne
        count, where = support(model, place.body, place.station)
        for j in range(count):
            phi = motion_at(ws.flex, base + 6 * j)
            out[at + node.ev + supported(model, where, j)] += Motion(R @ phi.angular, R @ phi.linear) @ f
    return body.p_WB + r


@kernel
def push_joint(model, ws, i, point, f, out, at):
    """Adds what a wrench f at a point outboard of body i does to its joint and its carrier; returns the parent."""
    node = model.tree[i]
    f = shift_back(f, point - ws.bodies[i].p_WB)
    for k in range(node.v, node.v + node.nv):
        out[at + k] += ws.dofs[k].S @ f
    carrier = model.tree[node.parent]
    if carrier.ne == 0:
        return node.parent
    count, where = support(model, node.parent, node.station)
    for j in range(count):
        out[at + carrier.ev + supported(model, where, j)] += motion_at(ws.flex, node.phi + 6 * j) @ f
    return node.parent


@outlined_kernel
def push_pair(model, ws, c, q, v, F_A, F_B, out, at):
    """Adds to out[at:] the efforts of balanced wrenches on the two markers of constraint c."""
    A, B = model.constraints[c].marker_A, model.constraints[c].marker_B
    p_A = push_station(model, ws, A, q, v, F_A, out, at)
    p_B = push_station(model, ws, B, q, v, F_B, out, at)
    i, j = model.markers[A].body, model.markers[B].body
    while i != j:
        if i > j:
            i = push_joint(model, ws, i, p_A, F_A, out, at)
        else:
            j = push_joint(model, ws, j, p_B, F_B, out, at)


@kernel
def constraint_of(model, r):
    """The constraint that row r belongs to."""
    low, high = 0, len(model.constraints) - 1
    while low < high:
        middle = (low + high + 1) // 2
        if model.constraints[middle].row <= r:
            low = middle
        else:
            high = middle - 1
    return low


@separate_kernel
def row_jacobian(model, ws, r, q, v, out, at):
    """Row r of A into out[at : at + nv], after `lay_rows`."""
    c = constraint_of(model, r)
    for k in range(v.size):
        out[at + k] = 0.0
    if model.constraints[c].kind >= COUPLING:
        push_entries(model, c, 1.0, out, at)
        return
    row = ws.constraint_rows[r]
    push_pair(model, ws, c, q, v, row.on_A, row.on_B, out, at)


@kernel
def constraint_wrenches(model, ws, c):
    """Wrenches of all rows of constraint c, times their multipliers, on its two markers."""
    first = model.constraints[c].row
    F_A, F_B = ws.constraint_rows[first].on_A.zero, ws.constraint_rows[first].on_B.zero
    for r in range(first, first + model.constraints[c].rows):
        row = ws.constraint_rows[r]
        F_A += row.multiplier * row.on_A
        F_B += row.multiplier * row.on_B
    return F_A, F_B


@outlined_kernel
def rows_transposed(model, ws, q, v, out):
    """out += A^T lambda, lambda being the multipliers of ws.constraint_rows, after `lay_rows`."""
    for c in range(len(model.constraints)):
        if model.constraints[c].kind >= COUPLING:
            push_entries(model, c, coupling_force(model, ws, c), out, 0)
            continue
        F_A, F_B = constraint_wrenches(model, ws, c)
        push_pair(model, ws, c, q, v, F_A, F_B, out, 0)


@kernel
def coupling_force(model, ws, c):
    """Multiplier of a coupling."""
    return ws.constraint_rows[model.constraints[c].row].multiplier


@kernel
def push_entries(model, c, force, out, at):
    """Adds the efforts of a coupling to out[at:]."""
    coupling = model.constraints[c]
    for j in range(coupling.entry, coupling.entry + coupling.entries):
        entry = model.coupled_entries[j]
        out[at + entry.v] += force * model.constraint_floats[entry.coefficient]


@outlined_kernel
def apply_rows(model, ws, q, v):
    """Lets the multipliers of ws.constraint_rows act: wrenches on the bodies, and efforts of couplings in ws.effort."""
    for c in range(len(model.constraints)):
        if model.constraints[c].kind >= COUPLING:
            push_entries(model, c, coupling_force(model, ws, c), ws.effort, 0)
            continue
        F_A, F_B = constraint_wrenches(model, ws, c)
        apply_wrench(model, ws, model.constraints[c].marker_A, q, v, F_A.moment, F_A.force)
        apply_wrench(model, ws, model.constraints[c].marker_B, q, v, F_B.moment, F_B.force)
