"""Markers: pose, velocity, acceleration and Jacobian of a frame on a body, and wrenches applied there.

All need the motion of the bodies first (`kinematics`); q and v are those that it was given. Velocities and
accelerations are relative to the world, which turns where there is an orbit.
"""

from __future__ import annotations

from ..bodies.body_dispatch import flexible_station, internal_forces_at, support, supported
from ..bodies.lumped_beam import vec1
from ..columns import DOFS, EV, FORCE, PARENT, PHI, POS, ROT, STATION, N, S, V
from ..compiler import kernel, separate_kernel
from ..spatial import accumulate3, add, cross, dot, mat, matmul, matrix_quaternion, rotate, scale, sub, vec
from .orbit import relative_acceleration, relative_motion


@kernel
def marker_frame(model, ws, m, q, v):
    """Arm from the origin of its body, rotation, and velocity (angular, linear) of marker m, world axes."""
    body = model.marker_index[m, 0]
    R = mat(ws.work, body, ROT)
    omega, velocity = relative_motion(model, ws, body)
    r = vec(model.marker_pose, m, 9)
    turn = mat(model.marker_pose, m, 0)
    if model.table[body, N] > 0:
        r, deformed, u, w, _, _ = flexible_station(model, ws, body, model.marker_index[m, 1], q, v)
        r = rotate(R, r)
        velocity = add(velocity, add(cross(omega, r), rotate(R, u)))
        return r, matmul(R, matmul(deformed, turn)), add(omega, rotate(R, w)), velocity
    r = rotate(R, r)
    return r, matmul(R, turn), omega, add(velocity, cross(omega, r))


@kernel
def marker_state(model, ws, m, q, v, out, at):
    """13 numbers from out[at] on: position, quaternion, angular velocity, velocity; world axes."""
    r, R, omega, velocity = marker_frame(model, ws, m, q, v)
    out[at], out[at + 1], out[at + 2] = add(vec(ws.work, model.marker_index[m, 0], POS), r)
    out[at + 3], out[at + 4], out[at + 5], out[at + 6] = matrix_quaternion(R)
    out[at + 7], out[at + 8], out[at + 9] = omega
    out[at + 10], out[at + 11], out[at + 12] = velocity


@kernel
def marker_acceleration(model, ws, m, q, v, acceleration, out):
    """Acceleration (angular, linear) of marker m, world axes, after accelerations have been solved for."""
    body = model.marker_index[m, 0]
    R = mat(ws.work, body, ROT)
    omega, _ = relative_motion(model, ws, body)
    alpha, a = relative_acceleration(model, ws, body)
    r = vec(model.marker_pose, m, 9)
    n = model.table[body, N]
    if n > 0:
        r, _, u, w, a_bias, alpha_bias = flexible_station(model, ws, body, model.marker_index[m, 1], q, v)
        base = ws.flex.size - 6 * n
        count, where = support(model, body, model.marker_index[m, 1])
        for j in range(count):
            x = acceleration[model.table[body, EV] + supported(model, where, j)]
            a_bias = add(a_bias, scale(x, vec1(ws.flex, base + 6 * j + 3)))
            alpha_bias = add(alpha_bias, scale(x, vec1(ws.flex, base + 6 * j)))
        a = add(a, add(rotate(R, a_bias), scale(2.0, cross(omega, rotate(R, u)))))
        more = add(rotate(R, alpha_bias), cross(omega, rotate(R, w)))
    else:
        more = scale(0.0, omega)
    r = rotate(R, r)
    out[3], out[4], out[5] = add(a, add(cross(alpha, r), cross(omega, cross(omega, r))))
    out[0], out[1], out[2] = add(alpha, more)


@kernel
def marker_jacobian(model, ws, m, q, v, out):
    """Jacobian (6, nv) of marker m: velocity (angular, linear) in world axes = out @ v."""
    work, dof, table = ws.work, ws.dof, model.table
    out[:, :] = 0.0
    body = model.marker_index[m, 0]
    r, _, _, _ = marker_frame(model, ws, m, q, v)
    point = add(vec(work, body, POS), r)
    n = table[body, N]
    if n > 0:
        R = mat(work, body, ROT)
        base = ws.flex.size - 6 * n
        count, where = support(model, body, model.marker_index[m, 1])
        for j in range(count):
            c = table[body, EV] + supported(model, where, j)
            out[0, c], out[1, c], out[2, c] = rotate(R, vec1(ws.flex, base + 6 * j))
            out[3, c], out[4, c], out[5, c] = rotate(R, vec1(ws.flex, base + 6 * j + 3))
    while body > 0:
        r = sub(point, vec(work, body, POS))
        first = table[body, V]
        for k in range(first, first + table[body, DOFS]):
            s = vec(dof, k, S)
            out[0, k], out[1, k], out[2, k] = s
            out[3, k], out[4, k], out[5, k] = add(vec(dof, k, S + 3), cross(s, r))
        p = table[body, PARENT]
        count, where = support(model, p, table[body, STATION])
        for j in range(count):
            c = table[p, EV] + supported(model, where, j)
            s = vec1(ws.flex, table[body, PHI] + 6 * j)
            out[0, c], out[1, c], out[2, c] = s
            out[3, c], out[4, c], out[5, c] = add(vec1(ws.flex, table[body, PHI] + 6 * j + 3), cross(s, r))
        body = p


@kernel
def apply_wrench(model, ws, m, q, v, moment, force):
    """Lets a moment and a force, world axes, act at marker m. Returns the power that they supply [W]."""
    r, _, omega, velocity = marker_frame(model, ws, m, q, v)
    push_marker(model, ws, m, r, moment, force)
    return dot(moment, omega) + dot(force, velocity)


@kernel
def push_marker(model, ws, m, r, moment, force):
    """`apply_wrench` right after `marker_frame` of the marker, which gave its arm r and left its shapes in ws.flex."""
    body = model.marker_index[m, 0]
    if body > 0:
        n = model.table[body, N]
        if n > 0:
            R = mat(ws.work, body, ROT)
            base = ws.flex.size - 6 * n
            be = internal_forces_at(model, body)
            count, where = support(model, body, model.marker_index[m, 1])
            for j in range(count):
                theta = rotate(R, vec1(ws.flex, base + 6 * j))
                psi = rotate(R, vec1(ws.flex, base + 6 * j + 3))
                ws.flex[be + supported(model, where, j)] -= dot(theta, moment) + dot(psi, force)
        accumulate3(ws.work, body, FORCE, scale(-1.0, add(moment, cross(r, force))))
        accumulate3(ws.work, body, FORCE + 3, scale(-1.0, force))


@kernel
def apply_marker_wrench(model, ws, m, axes, q, v, w, at):
    """`apply_wrench` of (moment, force) from w[at] on, given in the axes of marker `axes`, -1 for the world."""
    moment = (w[at], w[at + 1], w[at + 2])
    force = (w[at + 3], w[at + 4], w[at + 5])
    if axes >= 0:
        _, R, _, _ = marker_frame(model, ws, axes, q, v)
        moment = rotate(R, moment)
        force = rotate(R, force)
    return apply_wrench(model, ws, m, q, v, moment, force)


@separate_kernel
def act_loads(model, ws, q, v):
    """`apply_loads` of a model that has some."""
    power = 0.0 * ws.work[0, 0]
    for i in range(model.loads.shape[0]):
        m, axes = model.load_index[i, 0], model.load_index[i, 1]
        power += apply_marker_wrench(model, ws, m, axes, q, v, model.loads[i], 0)
    return power


@kernel
def apply_loads(model, ws, q, v):
    """Applies the constant loads of the model. Returns the power that they supply [W]."""
    if model.loads.shape[0] > 0:
        return act_loads(model, ws, q, v)
    return 0.0 * ws.work[0, 0]
