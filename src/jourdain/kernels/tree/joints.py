"""Joints: pose and motion columns of each kind, in world axes; those of files of their own are in `kernels.joints`.

The kernel frame of a body is the frame that its joint holds; a one-axis joint turns about, or slides along, its z.
Entries of v, with the power-dual efforts:
revolute angle; prismatic slide; screw angle; cylindrical angle, slide; universal angles about a, then b; spherical
angular velocity in body axes; planar x, y (carrier's axes) and angle; free angular velocity and velocity in body axes;
rail place along a parent that deforms (on a rigid one it is prismatic); tabled the inputs of its table.
"""

from __future__ import annotations

from ..algebra import Motion, Vec3, cross, rotation_matrix, turned_z
from ..compiler import kernel
from ..flat_arrays import put_value, quaternion_at, vector_at
from ..joints.plugin_joints import MODULES
from ..joints.tabled import table_motion, table_pose
from ..kind_dispatch import chain
from ..kind_registry import (
    CYLINDRICAL,
    FREE,
    PLANAR,
    PRISMATIC,
    RAIL,
    REVOLUTE,
    SCREW,
    SPHERICAL,
    TABLED,
    UNIVERSAL,
    WELD,
)
from ..rotations import axis_rotation, rotation_vector_rate, turned_quaternion

JOINT_OF = "model.tree[i].joint"


@kernel
def known_pose(model, i, R_WM, q, circle, k):
    """Rotation of the body and displacement of its origin from the carrying marker M, world axes. k: first entry in
    q."""
    kind = model.tree[i].joint
    z, none = R_WM.z_axis, R_WM.z_axis.zero
    if kind == REVOLUTE:
        return turned_z(R_WM, circle[0, k], circle[1, k]), none
    if kind == PRISMATIC:
        return R_WM, q[k] * z
    if kind == SCREW:
        return turned_z(R_WM, circle[0, k], circle[1, k]), (q[k] * model.bodies[i].pitch) * z
    if kind == CYLINDRICAL:
        return turned_z(R_WM, circle[0, k], circle[1, k]), q[k + 1] * z
    if kind == UNIVERSAL:
        R = R_WM @ axis_rotation(model.bodies[i].first_axis, q[k])
        return R @ axis_rotation(model.bodies[i].second_axis, q[k + 1]), none
    if kind == SPHERICAL:
        return R_WM @ rotation_matrix(quaternion_at(q, k)), none
    if kind == PLANAR:
        return turned_z(R_WM, circle[0, k + 2], circle[1, k + 2]), R_WM @ Vec3(q[k], q[k + 1], 0.0)
    if kind == FREE:
        return R_WM @ rotation_matrix(quaternion_at(q, k + 3)), R_WM @ vector_at(q, k)
    if kind == TABLED:
        R, p = table_pose(model, i, q, k)
        return R_WM @ R, R_WM @ p
    return R_WM, none


joint_pose = chain("joint_pose", "pose", "model, i, R_WM, q, circle, k", JOINT_OF, MODULES, known_pose, __name__)


@kernel
def free_columns(dofs, k, R_WB):
    """Motion columns S of a free joint, from row k of `dofs` on: turns about and shifts along the body's axes."""
    x, y, z, o = R_WB.x_axis, R_WB.y_axis, R_WB.z_axis, R_WB.z_axis.zero
    dofs[k].S = Motion(x, o)
    dofs[k + 1].S = Motion(y, o)
    dofs[k + 2].S = Motion(z, o)
    dofs[k + 3].S = Motion(o, x)
    dofs[k + 4].S = Motion(o, y)
    dofs[k + 5].S = Motion(o, z)


@kernel
def known_motion(model, i, R_WM, R, q, v, k, dofs):
    """Writes the motion columns S of a joint, from row k of `dofs` on.

    Returns its relative velocity and the velocity products that are left when the columns turn with the carrier:
    dS/dt v - omega_carrier x (w, u).
    """
    kind = model.tree[i].joint
    x, y, z, o = R.x_axis, R.y_axis, R.z_axis, R.z_axis.zero
    none = Motion(o, o)
    if kind == WELD or kind == RAIL:  # what moves along a rail is its carrier: `flexible.carried_kinematics`
        return none, none
    if kind == REVOLUTE:
        dofs[k].S = Motion(z, o)
        return Motion(v[k] * z, o), none
    if kind == PRISMATIC:
        dofs[k].S = Motion(o, z)
        return Motion(o, v[k] * z), none
    if kind == SCREW:
        l = model.bodies[i].pitch * z
        dofs[k].S = Motion(z, l)
        return Motion(v[k] * z, v[k] * l), none
    if kind == CYLINDRICAL:
        dofs[k].S = Motion(z, o)
        dofs[k + 1].S = Motion(o, z)
        return Motion(v[k] * z, v[k + 1] * z), none
    if kind == UNIVERSAL:
        a = R_WM @ model.bodies[i].first_axis
        b = R @ model.bodies[i].second_axis
        dofs[k].S = Motion(a, o)
        dofs[k + 1].S = Motion(b, o)
        # b is carried by the body, which turns about a as well
        return Motion(v[k] * a + v[k + 1] * b, o), Motion((v[k] * v[k + 1]) * cross(a, b), o)
    if kind == PLANAR:
        x_M, y_M = R_WM.x_axis, R_WM.y_axis
        dofs[k].S = Motion(o, x_M)
        dofs[k + 1].S = Motion(o, y_M)
        dofs[k + 2].S = Motion(z, o)
        return Motion(v[k + 2] * z, v[k] * x_M + v[k + 1] * y_M), none
    if kind == TABLED:
        # columns and velocity in the carrier's axes, turned into the world's
        V, A = table_motion(model, i, q, v, model.tree[i].q, k, dofs)
        for c in range(k, k + model.tree[i].nv):
            dofs[c].S = Motion(R_WM @ dofs[c].S.angular, R_WM @ dofs[c].S.linear)
        return Motion(R_WM @ V.angular, R_WM @ V.linear), Motion(R_WM @ A.angular, R_WM @ A.linear)
    if kind == FREE:
        free_columns(dofs, k, R)
        w, u = R @ vector_at(v, k), R @ vector_at(v, k + 3)
        # the linear columns turn with the body, not with the carrier
        return Motion(w, u), Motion(o, cross(w, u))
    # spherical: angular velocity in the body's axes
    dofs[k].S = Motion(x, o)
    dofs[k + 1].S = Motion(y, o)
    dofs[k + 2].S = Motion(z, o)
    return Motion(R @ vector_at(v, k), o), none


joint_motion = chain(
    "joint_motion", "motion", "model, i, R_WM, R, q, v, k, dofs", JOINT_OF, MODULES, known_motion, __name__
)


@kernel
def tangent_rate(model, q, v, increment, rate):
    """Rate of the increments from which `displace` makes q, at the velocity v.

    increment is zero at the start of a step. Rotations use the inverse tangent map of SO(3) (Munthe-Kaas);
    the position of a free joint is a vector, and its velocity is turned out of the body's axes.
    """
    tangent_rates(model, q, v, increment, rate, 0, v.size, 0, len(model.rotations))


@kernel
def tangent_rates(model, q, v, increment, rate, first, last, begin, end):
    """`tangent_rate` of the entries of v from `first` to before `last`, which have the groups from `begin` to before
    `end` among them."""
    for k in range(first, last):
        rate[k] = v[k]
    for g in range(begin, end):
        j, k = model.rotations[g].q, model.rotations[g].v
        w = rotation_vector_rate(vector_at(increment, k), vector_at(v, k))
        put_value(rate, k, w)
        if model.rotations[g].free:
            u = rotation_matrix(quaternion_at(q, j + 3)) @ vector_at(v, k + 3)
            put_value(rate, k + 3, u)


@kernel
def displace(model, q, increment, out):
    """out = q moved by the first nv entries of `increment`: added to numbers, on the group for rotations."""
    displace_entries(model, q, increment, out, 0, model.q_index.size, 0, len(model.rotations))


@kernel
def displace_entries(model, q, increment, out, first, last, begin, end):
    """`displace` by the entries from `first` to before `last`, which have the groups from `begin` to before `end`
    among them."""
    for k in range(first, last):
        j = model.q_index[k]
        if j >= 0:
            out[j] = q[j] + increment[k]
    for g in range(begin, end):
        j, k = model.rotations[g].q, model.rotations[g].v
        if model.rotations[g].free:
            out[j] = q[j] + increment[k + 3]
            out[j + 1] = q[j + 1] + increment[k + 4]
            out[j + 2] = q[j + 2] + increment[k + 5]
            j += 3
        p = turned_quaternion(quaternion_at(q, j), vector_at(increment, k))
        put_value(out, j, p)
