"""Markers: pose, velocity, acceleration and Jacobian of a frame on a body, and wrenches applied there.

All need the motion of the bodies first (`kinematics`); q and v are those that it was given. Velocities and
accelerations are relative to the world, which turns where there is an orbit.
"""

from __future__ import annotations

from ..algebra import Motion, Wrench, cross, shift, shift_back
from ..bodies.body_dispatch import flexible_station, internal_forces_at, support, supported
from ..compiler import kernel, optional_kernel
from ..flat_arrays import motion_at, put_value, vector_at
from ..rotations import matrix_quaternion
from .orbit import relative_acceleration, relative_motion


@kernel
def marker_kinematics(model, ws, m, q, v):
    """Of marker M on body B: arm p_BM, rotation R_WM and velocity V_WM, world axes."""
    place, pose = model.markers[m], model.marker_poses[m]
    R_WB, V = ws.bodies[place.body].R_WB, relative_motion(model, ws, place.body)
    if model.tree[place.body].ne > 0:
        r, deformed, u, w, _, _ = flexible_station(model, ws, place.body, place.station, q, v)
        r = R_WB @ r
        velocity = V.linear + (cross(V.angular, r) + R_WB @ u)
        return r, R_WB @ (deformed @ pose.R_BM), Motion(V.angular + R_WB @ w, velocity)
    r = R_WB @ pose.p_BM
    return r, R_WB @ pose.R_BM, shift(V, r)


@kernel
def marker_state(model, ws, m, q, v, out, at):
    """13 numbers from out[at] on: position, quaternion, angular velocity, velocity; world axes."""
    r, R, V = marker_kinematics(model, ws, m, q, v)
    put_value(out, at, ws.bodies[model.markers[m].body].p_WB + r)
    put_value(out, at + 3, matrix_quaternion(R))
    put_value(out, at + 7, V)


@kernel
def marker_acceleration(model, ws, m, q, v, acceleration, out):
    """Acceleration (angular, linear) of marker m, world axes, after accelerations have been solved for."""
    place = model.markers[m]
    node, R = model.tree[place.body], ws.bodies[place.body].R_WB
    omega, A = relative_motion(model, ws, place.body).angular, relative_acceleration(model, ws, place.body)
    alpha, a = A.angular, A.linear
    r, more = model.marker_poses[m].p_BM, omega.zero
    if node.ne > 0:
        x, _, u, w, a_bias, alpha_bias = flexible_station(model, ws, place.body, place.station, q, v)
        own = Motion(alpha_bias, a_bias)
        base = ws.flex.size - 6 * node.ne
        count, where = support(model, place.body, place.station)
        for j in range(count):
            own += acceleration[node.ev + supported(model, where, j)] * motion_at(ws.flex, base + 6 * j)
        a += R @ own.linear + 2.0 * cross(omega, R @ u)
        more = R @ own.angular + cross(omega, R @ w)
        r = x
    r = R @ r
    put_value(out, 0, Motion(alpha + more, a + (cross(alpha, r) + cross(omega, cross(omega, r)))))


@kernel
def lay_motion(out, k, s):
    """Writes a motion into column k of a Jacobian."""
    w, u = s.angular, s.linear
    out[0, k], out[1, k], out[2, k] = w.x, w.y, w.z
    out[3, k], out[4, k], out[5, k] = u.x, u.y, u.z


@kernel
def column_motion(J, k):
    """Column k of a Jacobian (6, nv) as a motion."""
    return Motion(J[0, k], J[1, k], J[2, k], J[3, k], J[4, k], J[5, k])


@kernel
def marker_jacobian(model, ws, m, q, v, out):
    """Jacobian (6, nv) of marker m: velocity (angular, linear) in world axes = out @ v."""
    tree, place = model.tree, model.markers[m]
    out[:, :] = 0.0
    b = place.body
    r, _, _ = marker_kinematics(model, ws, m, q, v)
    point = ws.bodies[b].p_WB + r
    # what the coordinates of its own body do
    if tree[b].ne > 0:
        R, base = ws.bodies[b].R_WB, ws.flex.size - 6 * tree[b].ne
        count, where = support(model, b, place.station)
        for j in range(count):
            w, u = vector_at(ws.flex, base + 6 * j), vector_at(ws.flex, base + 6 * j + 3)
            lay_motion(out, tree[b].ev + supported(model, where, j), Motion(R @ w, R @ u))
    # the joints inboard of it, and the coordinates of the bodies that carry them
    while b > 0:
        node = tree[b]
        r = point - ws.bodies[b].p_WB
        for k in range(node.v, node.v + node.nv):
            lay_motion(out, k, shift(ws.dofs[k].S, r))
        count, where = support(model, node.parent, node.station)
        for j in range(count):
            c = tree[node.parent].ev + supported(model, where, j)
            lay_motion(out, c, shift(motion_at(ws.flex, node.phi + 6 * j), r))
        b = node.parent


@kernel
def apply_wrench(model, ws, m, q, v, moment, force):
    """Lets a moment and a force, world axes, act at marker m. Returns the power that they supply [W]."""
    f = Wrench(moment, force)
    r, _, V = marker_kinematics(model, ws, m, q, v)
    push_marker(model, ws, m, r, f)
    return f @ V


@kernel
def push_marker(model, ws, m, r, f):
    """`apply_wrench` right after `marker_kinematics`, which gave the arm r and left the shapes in ws.flex."""
    place = model.markers[m]
    if place.body > 0:
        node, body = model.tree[place.body], ws.bodies[place.body]
        if node.ne > 0:
            R, base = body.R_WB, ws.flex.size - 6 * node.ne
            be = internal_forces_at(model, place.body)
            count, where = support(model, place.body, place.station)
            for j in range(count):
                theta, psi = R @ vector_at(ws.flex, base + 6 * j), R @ vector_at(ws.flex, base + 6 * j + 3)
                ws.flex[be + supported(model, where, j)] -= theta @ f.moment + psi @ f.force
        body.bias_force -= shift_back(f, r)


@kernel
def apply_marker_wrench(model, ws, m, axes, q, v, f):
    """`apply_wrench` of a wrench that is given in the axes of marker `axes`, -1 for the world."""
    moment, force = f.moment, f.force
    if axes >= 0:
        _, R, _ = marker_kinematics(model, ws, axes, q, v)
        moment, force = R @ moment, R @ force
    return apply_wrench(model, ws, m, q, v, moment, force)


@optional_kernel("loads", returns=1)
def act_loads(model, ws, q, v):
    """`apply_loads` of a model that has some."""
    power = ws.bodies[0].p_WB.zero.x
    for i in range(len(model.constant_loads)):
        where = model.load_markers[i]
        power += apply_marker_wrench(model, ws, where.marker, where.axes, q, v, model.constant_loads[i].wrench)
    return power


@kernel
def apply_loads(model, ws, q, v):
    """Applies the constant loads of the model. Returns the power that they supply [W]."""
    if len(model.constant_loads) > 0:
        return act_loads(model, ws, q, v)
    return ws.bodies[0].p_WB.zero.x
