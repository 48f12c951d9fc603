"""All rows of the constraints: their values, rates and accelerations, and what they do to the coordinates.

These rows are the constraint Jacobian A of A v + c = 0.

A dv/dt + BIAS is the acceleration of the rows and A^T lambda the effort of their multipliers. A row's two wrenches are
in balance, so that it reaches only the coordinates between its markers and the body where their paths meet.
"""

from __future__ import annotations

from ..bodies.body_dispatch import flexible_station, support, supported
from ..bodies.lumped_beam import vec1
from ..columns import ACC, ARM, BIAS_A, DOFS, EV, OMEGA, PARENT, PHI, POS, REST_A, ROT, STATION, N, S, V
from ..compiler import kernel, outlined_kernel, separate_kernel
from ..spatial import add, cross, dot, mat, put3, rotate, scale, sub, vec
from ..tree.markers import apply_wrench, marker_acceleration, marker_frame
from ..tree.motions import profile
from ..tree.orbit import relative_motion
from .constraint_layout import (
    BIAS,
    CODE,
    CONSTRAINT_COUNT,
    CONSTRAINT_FIRST,
    CONSTRAINT_FLOATS,
    CONSTRAINT_MOTION,
    CONSTRAINT_ROW,
    CONSTRAINT_ROWS,
    CONSTRAINT_SECOND,
    COUPLING,
    DRIFT,
    ENTRIES,
    GOAL,
    MOTION_FLOATS,
    ON_FIRST,
    ON_SECOND,
    ROW_FORCE,
    ROW_RATE,
    SWING,
    VALUE,
)
from .frame_constraints import pair_rows


@kernel
def coupling_row(model, ws, c, t, q, v):
    """sum of k_j q_j less its goal, or sum of k_j v_j less its goal for a coupling of velocities."""
    data, at = model.constraint_floats, model.constraint_index[c, CONSTRAINT_FLOATS]
    goal, rate, acceleration = data[at + GOAL], 0.0, 0.0
    if model.constraint_index[c, CONSTRAINT_MOTION] >= 0:
        where = model.constraint_index[c, MOTION_FLOATS]
        goal, rate, acceleration = profile(model.constraint_index[c, CONSTRAINT_MOTION], data, where, t)
    value = 0.0 * ws.work[0, 0]
    speed = 0.0 * ws.work[0, 0]
    first = model.constraint_index[c, ENTRIES]
    holonomic = model.constraint_index[c, CODE] == COUPLING
    for j in range(first, first + model.constraint_index[c, CONSTRAINT_COUNT]):
        k = data[model.constraint_entries[j, 2]]
        speed += k * v[model.constraint_entries[j, 1]]
        if holonomic:
            value += k * q[model.constraint_entries[j, 0]]
    r = model.constraint_index[c, CONSTRAINT_ROW]
    ws.rows[r, VALUE] = value - goal if holonomic else 0.0 * value
    ws.rows[r, DRIFT] = -rate if holonomic else -goal
    ws.rows[r, ROW_RATE] = speed + ws.rows[r, DRIFT]
    ws.rows[r, SWING] = -acceleration if holonomic else -rate
    ws.rows[r, BIAS] = ws.rows[r, SWING]


@separate_kernel
def lay_rows(model, ws, t, q, v):
    """Wrenches, VALUE, RATE, DRIFT and SWING of every row at time t, after `kinematics`; not BIAS."""
    for c in range(model.constraint_index.shape[0]):
        if model.constraint_index[c, CODE] >= COUPLING:
            coupling_row(model, ws, c, t, q, v)
        else:
            pair_rows(model, ws, c, t, q, v)


@outlined_kernel
def rest_accelerations(model, ws):
    """Accelerations of all bodies where no coordinate accelerates, gravity taken off, into ws.work[:, REST_A]."""
    table, work = model.table, ws.work
    none = scale(0.0, vec(work, 0, OMEGA))
    put3(work, 0, REST_A, vec(work, 0, ACC) if model.gravity.size > 3 else none)
    put3(work, 0, REST_A + 3, none)
    for i in range(1, table.shape[0]):
        p = table[i, PARENT]
        alpha = vec(work, p, REST_A)
        a = add(vec(work, p, REST_A + 3), cross(alpha, vec(work, i, ARM)))
        put3(work, i, REST_A, add(alpha, vec(work, i, BIAS_A)))
        put3(work, i, REST_A + 3, add(a, vec(work, i, BIAS_A + 3)))


@kernel
def marker_rest(model, ws, m, q, v):
    """Acceleration (angular, linear) of marker m relative to the world where no coordinate accelerates."""
    body = model.marker_index[m, 0]
    R = mat(ws.work, body, ROT)
    V = relative_motion(model, ws, body)
    omega, velocity = tuple(V.angular), tuple(V.linear)
    alpha, a = vec(ws.work, body, REST_A), vec(ws.work, body, REST_A + 3)
    if model.gravity.size > 3:
        spin, spin_rate, x = vec(ws.work, 0, OMEGA), vec(ws.work, 0, ACC), vec(ws.work, body, POS)
        alpha = sub(alpha, add(spin_rate, cross(spin, omega)))
        a = sub(a, add(cross(spin_rate, x), cross(spin, add(scale(2.0, velocity), cross(spin, x)))))
    r = vec(model.marker_pose, m, 9)
    more = scale(0.0, omega)
    if model.table[body, N] > 0:
        r, _, u, w, a_bias, alpha_bias = flexible_station(model, ws, body, model.marker_index[m, 1], q, v)
        a = add(a, add(rotate(R, a_bias), scale(2.0, cross(omega, rotate(R, u)))))
        more = add(rotate(R, alpha_bias), cross(omega, rotate(R, w)))
    r = rotate(R, r)
    return add(alpha, more), add(a, add(cross(alpha, r), cross(omega, cross(omega, r))))


@outlined_kernel
def bias_rows(model, ws, q, v):
    """BIAS of every row, after `lay_rows`."""
    rest_accelerations(model, ws)
    rows = ws.rows
    for c in range(model.constraint_index.shape[0]):
        if model.constraint_index[c, CODE] >= COUPLING:
            continue
        alpha_A, a_A = marker_rest(model, ws, model.constraint_index[c, CONSTRAINT_FIRST], q, v)
        alpha_B, a_B = marker_rest(model, ws, model.constraint_index[c, CONSTRAINT_SECOND], q, v)
        first = model.constraint_index[c, CONSTRAINT_ROW]
        for r in range(first, first + model.constraint_index[c, CONSTRAINT_ROWS]):
            along_A = dot(vec(rows, r, ON_FIRST), alpha_A) + dot(vec(rows, r, ON_FIRST + 3), a_A)
            along_B = dot(vec(rows, r, ON_SECOND), alpha_B) + dot(vec(rows, r, ON_SECOND + 3), a_B)
            rows[r, BIAS] = along_A + along_B + rows[r, SWING]


@kernel
def place_rows(model, ws, t, q, v):
    """Everything of every row at time t but its multiplier, after `kinematics`."""
    lay_rows(model, ws, t, q, v)
    bias_rows(model, ws, q, v)


@separate_kernel
def row_accelerations(model, ws, q, v, acceleration, out):
    """A dv/dt + BIAS of every row into out, from the bodies' accelerations (ws.work[:, ACC]), after `lay_rows`."""
    rows = ws.rows
    for c in range(model.constraint_index.shape[0]):
        first = model.constraint_index[c, CONSTRAINT_ROW]
        if model.constraint_index[c, CODE] >= COUPLING:
            out[first] = rows[first, SWING]
            begin = model.constraint_index[c, ENTRIES]
            for j in range(begin, begin + model.constraint_index[c, CONSTRAINT_COUNT]):
                k = model.constraint_floats[model.constraint_entries[j, 2]]
                out[first] += k * acceleration[model.constraint_entries[j, 1]]
            continue
        marker_acceleration(model, ws, model.constraint_index[c, CONSTRAINT_FIRST], q, v, acceleration, ws.scratch)
        alpha_A, a_A = vec1(ws.scratch, 0), vec1(ws.scratch, 3)
        marker_acceleration(model, ws, model.constraint_index[c, CONSTRAINT_SECOND], q, v, acceleration, ws.scratch)
        alpha_B, a_B = vec1(ws.scratch, 0), vec1(ws.scratch, 3)
        for r in range(first, first + model.constraint_index[c, CONSTRAINT_ROWS]):
            along_A = dot(vec(rows, r, ON_FIRST), alpha_A) + dot(vec(rows, r, ON_FIRST + 3), a_A)
            along_B = dot(vec(rows, r, ON_SECOND), alpha_B) + dot(vec(rows, r, ON_SECOND + 3), a_B)
            out[r] = along_A + along_B + rows[r, SWING]


@kernel
def push_station(model, ws, m, q, v, moment, force, out, at):
    """Adds what a wrench at marker m does to the internal coordinates of its own body; returns the marker's place."""
    body = model.marker_index[m, 0]
    r, _, _, _ = marker_frame(model, ws, m, q, v)
    n = model.table[body, N]
    if n > 0:
        R = mat(ws.work, body, ROT)
        base = ws.flex.size - 6 * n
        count, where = support(model, body, model.marker_index[m, 1])
        for j in range(count):
            theta = rotate(R, vec1(ws.flex, base + 6 * j))
            psi = rotate(R, vec1(ws.flex, base + 6 * j + 3))
            out[at + model.table[body, EV] + supported(model, where, j)] += dot(theta, moment) + dot(psi, force)
    return add(vec(ws.work, body, POS), r)


@kernel
def push_joint(model, ws, i, point, moment, force, out, at):
    """Adds what a wrench at a point outboard of body i does to its joint and its carrier; returns the parent."""
    table = model.table
    about = add(moment, cross(sub(point, vec(ws.work, i, POS)), force))
    first = table[i, V]
    for k in range(first, first + table[i, DOFS]):
        out[at + k] += dot(vec(ws.dof, k, S), about) + dot(vec(ws.dof, k, S + 3), force)
    p = table[i, PARENT]
    if table[p, N] == 0:
        return p
    count, where = support(model, p, table[i, STATION])
    for j in range(count):
        theta = vec1(ws.flex, table[i, PHI] + 6 * j)
        psi = vec1(ws.flex, table[i, PHI] + 6 * j + 3)
        out[at + table[p, EV] + supported(model, where, j)] += dot(theta, about) + dot(psi, force)
    return p


@outlined_kernel
def push_pair(model, ws, c, q, v, m_A, f_A, m_B, f_B, out, at):
    """Adds to out[at:] the efforts of balanced wrenches on the two markers of constraint c."""
    A, B = model.constraint_index[c, CONSTRAINT_FIRST], model.constraint_index[c, CONSTRAINT_SECOND]
    p_A = push_station(model, ws, A, q, v, m_A, f_A, out, at)
    p_B = push_station(model, ws, B, q, v, m_B, f_B, out, at)
    i, j = model.marker_index[A, 0], model.marker_index[B, 0]
    while i != j:
        if i > j:
            i = push_joint(model, ws, i, p_A, m_A, f_A, out, at)
        else:
            j = push_joint(model, ws, j, p_B, m_B, f_B, out, at)


@kernel
def constraint_of(model, r):
    """The constraint that row r belongs to."""
    low, high = 0, model.constraint_index.shape[0] - 1
    while low < high:
        middle = (low + high + 1) // 2
        if model.constraint_index[middle, CONSTRAINT_ROW] <= r:
            low = middle
        else:
            high = middle - 1
    return low


@separate_kernel
def row_jacobian(model, ws, r, q, v, out, at):
    """Row r of A into out[at : at + nv], after `lay_rows`."""
    rows, c = ws.rows, constraint_of(model, r)
    for k in range(v.size):
        out[at + k] = 0.0
    if model.constraint_index[c, CODE] >= COUPLING:
        begin = model.constraint_index[c, ENTRIES]
        for j in range(begin, begin + model.constraint_index[c, CONSTRAINT_COUNT]):
            out[at + model.constraint_entries[j, 1]] += model.constraint_floats[model.constraint_entries[j, 2]]
        return
    m_A, f_A = vec(rows, r, ON_FIRST), vec(rows, r, ON_FIRST + 3)
    m_B, f_B = vec(rows, r, ON_SECOND), vec(rows, r, ON_SECOND + 3)
    push_pair(model, ws, c, q, v, m_A, f_A, m_B, f_B, out, at)


@kernel
def constraint_wrench(ws, first, count, column):
    """Moment and force of all rows of a constraint, times their multipliers, on the marker that `column` tells."""
    moment, force = scale(0.0, vec(ws.rows, first, column)), scale(0.0, vec(ws.rows, first, column))
    for r in range(first, first + count):
        moment = add(moment, scale(ws.rows[r, ROW_FORCE], vec(ws.rows, r, column)))
        force = add(force, scale(ws.rows[r, ROW_FORCE], vec(ws.rows, r, column + 3)))
    return moment, force


@outlined_kernel
def rows_transposed(model, ws, q, v, out):
    """out += A^T lambda, lambda being ws.rows[:, FORCE], after `lay_rows`."""
    for c in range(model.constraint_index.shape[0]):
        first, count = model.constraint_index[c, CONSTRAINT_ROW], model.constraint_index[c, CONSTRAINT_ROWS]
        if model.constraint_index[c, CODE] >= COUPLING:
            push_entries(model, ws, c, out)
            continue
        m_A, f_A = constraint_wrench(ws, first, count, ON_FIRST)
        m_B, f_B = constraint_wrench(ws, first, count, ON_SECOND)
        push_pair(model, ws, c, q, v, m_A, f_A, m_B, f_B, out, 0)


@kernel
def push_entries(model, ws, c, out):
    """Adds the efforts of a coupling's multiplier."""
    force = ws.rows[model.constraint_index[c, CONSTRAINT_ROW], ROW_FORCE]
    begin = model.constraint_index[c, ENTRIES]
    for j in range(begin, begin + model.constraint_index[c, CONSTRAINT_COUNT]):
        out[model.constraint_entries[j, 1]] += force * model.constraint_floats[model.constraint_entries[j, 2]]


@outlined_kernel
def apply_rows(model, ws, q, v):
    """Lets the multipliers ws.rows[:, FORCE] act: wrenches on the bodies, and efforts of couplings in ws.effort."""
    for c in range(model.constraint_index.shape[0]):
        first, count = model.constraint_index[c, CONSTRAINT_ROW], model.constraint_index[c, CONSTRAINT_ROWS]
        if model.constraint_index[c, CODE] >= COUPLING:
            push_entries(model, ws, c, ws.effort)
            continue
        m_A, f_A = constraint_wrench(ws, first, count, ON_FIRST)
        m_B, f_B = constraint_wrench(ws, first, count, ON_SECOND)
        apply_wrench(model, ws, model.constraint_index[c, CONSTRAINT_FIRST], q, v, m_A, f_A)
        apply_wrench(model, ws, model.constraint_index[c, CONSTRAINT_SECOND], q, v, m_B, f_B)
