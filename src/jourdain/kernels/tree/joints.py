"""Joints: pose and motion columns of each kind, in world axes; those of files of their own are in `kernels.joints`.

The kernel frame of a body is the frame that its joint holds; a one-axis joint turns about, or slides along, its z.
Entries of v, with the power-dual efforts:
revolute angle; prismatic slide; screw angle; cylindrical angle, slide; universal angles about a, then b; spherical
angular velocity in body axes; planar x, y (carrier's axes) and angle; free angular velocity and velocity in body axes;
rail place along a parent that deforms (on a rigid one it is prismatic); tabled the inputs of its table.
"""

from __future__ import annotations

from ..columns import AXIS_A, AXIS_B, DOFS, JOINT, PITCH, Q, S
from ..compiler import kernel
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
from ..spatial import (
    add,
    axis_rotation,
    cross,
    matmul,
    put3,
    quaternion_increment,
    quaternion_matrix,
    rotate,
    rotation_vector_rate,
    scale,
    turn_z,
    vec,
)

JOINT_OF = f"model.table[i, {JOINT}]"


@kernel
def known_pose(model, i, R_WM, q, circle, k):
    """Rotation of the body and displacement of its origin from the carrying marker, world axes. k: first entry in q."""
    kind = model.table[i, JOINT]
    zero = 0.0 * R_WM[0]
    none = (zero, zero, zero)
    if kind == REVOLUTE:
        return turn_z(R_WM, circle[0, k], circle[1, k]), none
    if kind == PRISMATIC:
        return R_WM, scale(q[k], (R_WM[2], R_WM[5], R_WM[8]))
    if kind == SCREW:
        return turn_z(R_WM, circle[0, k], circle[1, k]), scale(q[k] * model.data[i, PITCH], (R_WM[2], R_WM[5], R_WM[8]))
    if kind == CYLINDRICAL:
        return turn_z(R_WM, circle[0, k], circle[1, k]), scale(q[k + 1], (R_WM[2], R_WM[5], R_WM[8]))
    if kind == UNIVERSAL:
        turned = matmul(R_WM, axis_rotation(vec(model.data, i, AXIS_A), q[k]))
        return matmul(turned, axis_rotation(vec(model.data, i, AXIS_B), q[k + 1])), none
    if kind == SPHERICAL:
        return matmul(R_WM, quaternion_matrix(q[k], q[k + 1], q[k + 2], q[k + 3])), none
    if kind == PLANAR:
        return turn_z(R_WM, circle[0, k + 2], circle[1, k + 2]), rotate(R_WM, (q[k], q[k + 1], zero))
    if kind == FREE:
        R = matmul(R_WM, quaternion_matrix(q[k + 3], q[k + 4], q[k + 5], q[k + 6]))
        return R, rotate(R_WM, (q[k], q[k + 1], q[k + 2]))
    if kind == TABLED:
        R, p = table_pose(model, i, q, k)
        return matmul(R_WM, R), rotate(R_WM, p)
    return R_WM, none


joint_pose = chain("joint_pose", "pose", "model, i, R_WM, q, circle, k", JOINT_OF, MODULES, known_pose, __name__)


@kernel
def column(dof, k, angular, linear):
    put3(dof, k, S, angular)
    put3(dof, k, S + 3, linear)


@kernel
def known_motion(model, i, R_WM, R, q, v, k, dof):
    """Writes the motion columns of a joint, from row k of `dof` on.

    Returns its relative velocity (angular w, linear u) and the velocity products that are left when
    the columns turn with the carrier: dS/dt v - omega_carrier x (w, u).
    """
    kind = model.table[i, JOINT]
    zero = 0.0 * R[0]
    none = (zero, zero, zero)
    z = (R[2], R[5], R[8])
    if kind == WELD or kind == RAIL:  # what moves along a rail is its carrier: `flexible.carried_kinematics`
        return none, none, none, none
    if kind == REVOLUTE:
        column(dof, k, z, none)
        return scale(v[k], z), none, none, none
    if kind == PRISMATIC:
        column(dof, k, none, z)
        return none, scale(v[k], z), none, none
    if kind == SCREW:
        l = scale(model.data[i, PITCH], z)
        column(dof, k, z, l)
        return scale(v[k], z), scale(v[k], l), none, none
    if kind == CYLINDRICAL:
        column(dof, k, z, none)
        column(dof, k + 1, none, z)
        return scale(v[k], z), scale(v[k + 1], z), none, none
    if kind == UNIVERSAL:
        a = rotate(R_WM, vec(model.data, i, AXIS_A))
        b = rotate(R, vec(model.data, i, AXIS_B))
        column(dof, k, a, none)
        column(dof, k + 1, b, none)
        # b is carried by the body, which turns about a as well
        return add(scale(v[k], a), scale(v[k + 1], b)), none, scale(v[k] * v[k + 1], cross(a, b)), none
    if kind == PLANAR:
        x = (R_WM[0], R_WM[3], R_WM[6])
        y = (R_WM[1], R_WM[4], R_WM[7])
        column(dof, k, none, x)
        column(dof, k + 1, none, y)
        column(dof, k + 2, z, none)
        return scale(v[k + 2], z), add(scale(v[k], x), scale(v[k + 1], y)), none, none
    if kind == TABLED:
        w, u, more, more_l = table_motion(model, i, q, v, model.table[i, Q], k, dof)
        for c in range(k, k + model.table[i, DOFS]):
            column(dof, c, rotate(R_WM, vec(dof, c, S)), rotate(R_WM, vec(dof, c, S + 3)))
        return rotate(R_WM, w), rotate(R_WM, u), rotate(R_WM, more), rotate(R_WM, more_l)
    # spherical and free: angular velocity in the body's axes
    x = (R[0], R[3], R[6])
    y = (R[1], R[4], R[7])
    column(dof, k, x, none)
    column(dof, k + 1, y, none)
    column(dof, k + 2, z, none)
    w = rotate(R, (v[k], v[k + 1], v[k + 2]))
    if kind == FREE:
        column(dof, k + 3, none, x)
        column(dof, k + 4, none, y)
        column(dof, k + 5, none, z)
        u = rotate(R, (v[k + 3], v[k + 4], v[k + 5]))
        # the linear columns turn with the body, not with the carrier
        return w, u, none, cross(w, u)
    return w, none, none, none


joint_motion = chain(
    "joint_motion", "motion", "model, i, R_WM, R, q, v, k, dof", JOINT_OF, MODULES, known_motion, __name__
)


@kernel
def tangent_rate(model, q, v, increment, rate):
    """Rate of the increments from which `displace` makes q, at the velocity v.

    increment is zero at the start of a step. Rotations use the inverse tangent map of SO(3) (Munthe-Kaas);
    the position of a free joint is a vector, and its velocity is turned out of the body's axes.
    """
    tangent_rates(model, q, v, increment, rate, 0, v.size, 0, model.groups.shape[0])


@kernel
def tangent_rates(model, q, v, increment, rate, first, last, begin, end):
    """`tangent_rate` of the entries of v from `first` to before `last`, which have the groups from `begin` to before
    `end` among them."""
    for k in range(first, last):
        rate[k] = v[k]
    for g in range(begin, end):
        j, k = model.groups[g, 0], model.groups[g, 1]
        theta = (increment[k], increment[k + 1], increment[k + 2])
        d = rotation_vector_rate(theta, (v[k], v[k + 1], v[k + 2]))
        rate[k], rate[k + 1], rate[k + 2] = d
        if model.groups[g, 2] == 1:
            R = quaternion_matrix(q[j + 3], q[j + 4], q[j + 5], q[j + 6])
            d = rotate(R, (v[k + 3], v[k + 4], v[k + 5]))
            rate[k + 3], rate[k + 4], rate[k + 5] = d


@kernel
def displace(model, q, increment, out):
    """out = q moved by the first nv entries of `increment`: added to numbers, on the group for rotations."""
    displace_entries(model, q, increment, out, 0, model.q_index.size, 0, model.groups.shape[0])


@kernel
def displace_entries(model, q, increment, out, first, last, begin, end):
    """`displace` by the entries from `first` to before `last`, which have the groups from `begin` to before `end`
    among them."""
    for k in range(first, last):
        j = model.q_index[k]
        if j >= 0:
            out[j] = q[j] + increment[k]
    for g in range(begin, end):
        j, k = model.groups[g, 0], model.groups[g, 1]
        if model.groups[g, 2] == 1:
            out[j] = q[j] + increment[k + 3]
            out[j + 1] = q[j + 1] + increment[k + 4]
            out[j + 2] = q[j + 2] + increment[k + 5]
            j += 3
        theta = (increment[k], increment[k + 1], increment[k + 2])
        turned = quaternion_increment(q[j], q[j + 1], q[j + 2], q[j + 3], theta)
        out[j], out[j + 1], out[j + 2], out[j + 3] = turned
