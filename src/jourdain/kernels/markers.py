"""Markers: pose, velocity, acceleration and Jacobian of a frame on a body, and wrenches applied there."""

from __future__ import annotations

from .compiler import kernel
from .layout import ACC, DOFS, OMEGA, PARENT, POS, ROT, VEL, WRENCH, S, V
from .spatial import (
    accumulate3,
    add,
    cross,
    mat,
    matmul,
    matrix_quaternion,
    rotate,
    sub,
    vec,
)


@kernel
def marker_arm(model, ws, m):
    """From the origin of the body that carries marker m to the marker, world axes [m]."""
    body = model.marker_index[m, 0]
    return rotate(mat(ws.work, body, ROT), vec(model.marker_pose, m, 9))


@kernel
def marker_rotation(model, ws, m):
    """Rotation of marker m to the world."""
    return matmul(mat(ws.work, model.marker_index[m, 0], ROT), mat(model.marker_pose, m, 0))


@kernel
def marker_state(model, ws, m, out, at):
    """13 numbers from out[at] on: position, quaternion, angular velocity, velocity; world axes."""
    body = model.marker_index[m, 0]
    r = marker_arm(model, ws, m)
    omega = vec(ws.work, body, OMEGA)
    p = add(vec(ws.work, body, POS), r)
    w, x, y, z = matrix_quaternion(marker_rotation(model, ws, m))
    v = add(vec(ws.work, body, VEL), cross(omega, r))
    out[at], out[at + 1], out[at + 2] = p
    out[at + 3], out[at + 4], out[at + 5], out[at + 6] = w, x, y, z
    out[at + 7], out[at + 8], out[at + 9] = omega
    out[at + 10], out[at + 11], out[at + 12] = v


@kernel
def marker_velocity(model, ws, m, out):
    """Velocity (angular, linear) of marker m, world axes, after `kinematics`."""
    body = model.marker_index[m, 0]
    omega = vec(ws.work, body, OMEGA)
    out[0], out[1], out[2] = omega
    out[3], out[4], out[5] = add(vec(ws.work, body, VEL), cross(omega, marker_arm(model, ws, m)))


@kernel
def marker_acceleration(model, ws, m, out):
    """Acceleration (angular, linear) of marker m, world axes, after accelerations have been solved for."""
    body = model.marker_index[m, 0]
    r = marker_arm(model, ws, m)
    omega = vec(ws.work, body, OMEGA)
    alpha = vec(ws.work, body, ACC)
    a = add(vec(ws.work, body, ACC + 3), add(cross(alpha, r), cross(omega, cross(omega, r))))
    out[0], out[1], out[2] = alpha
    out[3], out[4], out[5] = sub(a, vec(ws.work, 0, ACC + 3))


@kernel
def marker_jacobian(model, ws, m, out):
    """Jacobian (6, nv) of marker m: velocity (angular, linear) in world axes = out @ v."""
    work, dof, table = ws.work, ws.dof, model.table
    out[:, :] = 0.0
    body = model.marker_index[m, 0]
    point = add(vec(work, body, POS), marker_arm(model, ws, m))
    while body > 0:
        r = sub(point, vec(work, body, POS))
        first = table[body, V]
        for k in range(first, first + table[body, DOFS]):
            s = vec(dof, k, S)
            out[0, k], out[1, k], out[2, k] = s
            out[3, k], out[4, k], out[5, k] = add(vec(dof, k, S + 3), cross(s, r))
        body = table[body, PARENT]


@kernel
def clear_wrenches(ws):
    for i in range(ws.work.shape[0]):
        for c in range(WRENCH, WRENCH + 6):
            ws.work[i, c] = 0.0


@kernel
def apply_wrench(model, ws, m, moment, force):
    """Adds a moment and a force, world axes, at marker m. Returns the power that they supply [W]."""
    body = model.marker_index[m, 0]
    r = marker_arm(model, ws, m)
    omega = vec(ws.work, body, OMEGA)
    about_origin = add(moment, cross(r, force))
    accumulate3(ws.work, body, WRENCH, about_origin)
    accumulate3(ws.work, body, WRENCH + 3, force)
    v = vec(ws.work, body, VEL)
    return (
        omega[0] * about_origin[0]
        + omega[1] * about_origin[1]
        + omega[2] * about_origin[2]
        + v[0] * force[0]
        + v[1] * force[1]
        + v[2] * force[2]
    )


@kernel
def apply_marker_wrench(model, ws, m, axes, w, at):
    """`apply_wrench` of (moment, force) from w[at] on, given in the axes of marker `axes`, -1 for the world."""
    moment = (w[at], w[at + 1], w[at + 2])
    force = (w[at + 3], w[at + 4], w[at + 5])
    if axes >= 0:
        R = marker_rotation(model, ws, axes)
        moment = rotate(R, moment)
        force = rotate(R, force)
    return apply_wrench(model, ws, m, moment, force)


@kernel
def apply_loads(model, ws):
    """Applies the constant loads of the model. Returns the power that they supply [W]."""
    power = 0.0 * ws.work[0, 0]
    for i in range(model.loads.shape[0]):
        m, axes = model.load_index[i, 0], model.load_index[i, 1]
        power += apply_marker_wrench(model, ws, m, axes, model.loads[i], 0)
    return power


@kernel
def wrench_efforts(model, ws, out):
    """Efforts (nv,) of all applied wrenches: S^T of what acts on each body and everything outboard of it."""
    work, dof, table = ws.work, ws.dof, model.table
    nb = table.shape[0]
    out[:] = 0.0
    for i in range(nb - 1, 0, -1):
        point = vec(work, i, POS)
        n = vec(work, i, WRENCH)
        f = vec(work, i, WRENCH + 3)
        b = i
        while b > 0:
            moment = add(n, cross(sub(point, vec(work, b, POS)), f))
            first = table[b, V]
            for k in range(first, first + table[b, DOFS]):
                s = vec(dof, k, S)
                l = vec(dof, k, S + 3)
                out[k] += (
                    s[0] * moment[0] + s[1] * moment[1] + s[2] * moment[2] + l[0] * f[0] + l[1] * f[1] + l[2] * f[2]
                )
            b = table[b, PARENT]
