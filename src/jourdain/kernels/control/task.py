"""What a tip is asked to do: its reference, its errors, and the force that it feels, world axes, (angular, linear)."""

from __future__ import annotations

import math

from ..algebra import Motion, Quaternion, Vec3, Wrench, cross, rotation_matrix, shift_back
from ..compiler import kernel
from ..flat_arrays import motion_at, put_value, quaternion_at, vector_at
from ..parameter_rows import Block, Parameters
from ..rotations import matrix_quaternion
from .mapping import Profile, reference
from .paths import path_motion

PROFILES = -1  # in place of the code of a path: three profiles and a constant quaternion


class TaskReference(Parameters):
    """What a tip is asked to do."""

    path: int  # code of a path, or PROFILES
    data: Block[float]  # of the path
    profiles: Block[Profile]  # x, y, z
    quaternion: Quaternion
    frame: int  # where in s the frame lies that it is relative to, -1 for the world


@kernel
def rotation_between(R_to, R_from):
    """Rotation vector, world axes, that turns R_from into R_to; its length is at most pi."""
    q = matrix_quaternion(R_to @ R_from.T)
    n = math.sqrt(q.x * q.x + q.y * q.y + q.z * q.z)
    k = 2.0 if n < 1e-8 else 2.0 * math.atan2(n, q.w) / n
    return k * q.vector


@kernel
def task_reference(task, t, s):
    """Position, rotation, velocity and acceleration (angular, linear) of the reference, world axes.

    The acceleration of a frame F that it is relative to is not measured, and taken as zero.
    """
    frame = task.frame
    if task.path == PROFILES:
        x, dx, ddx = reference(task.profiles[0], t)
        y, dy, ddy = reference(task.profiles[1], t)
        z, dz, ddz = reference(task.profiles[2], t)
        place, q, none = Vec3(x, y, z), task.quaternion, Vec3(0.0, 0.0, 0.0)
        V, A = Motion(none, Vec3(dx, dy, dz)), Motion(none, Vec3(ddx, ddy, ddz))
    else:
        place, q, V, A = path_motion(task.path, task.data, t)
    R = rotation_matrix(q)
    if frame >= 0:
        R_WF, V_WF = rotation_matrix(quaternion_at(s, frame + 3)), motion_at(s, frame + 7)
        o = V_WF.angular
        r, u, w = R_WF @ place, R_WF @ V.linear, R_WF @ V.angular
        a = R_WF @ A.linear + (2.0 * cross(o, u) + cross(o, cross(o, r)))
        A = Motion(R_WF @ A.angular + cross(o, w), a)
        V = Motion(w + o, u + (cross(o, r) + V_WF.linear))
        place, R = r + vector_at(s, frame), R_WF @ R
    return place, R, V, A


@kernel
def sensed_wrench(s, at, offset):
    """The wrench that the tip feels from a contact whose six numbers (force, torque) begin at s[at], about the tip.

    offset    from the tip to the origin of its shape, which is the first of the contact, world axes
    """
    return shift_back(Wrench(vector_at(s, at + 3), vector_at(s, at)), offset)


@kernel
def task_errors(motion, target, e, de, a):
    """Errors of place and rate (6,) each, and the reference's acceleration (6,), of a marker with these 13 numbers."""
    place, R, V, A = target
    turn = rotation_between(R, rotation_matrix(quaternion_at(motion, 3)))
    put_value(e, 0, Motion(turn, place - vector_at(motion, 0)))
    put_value(de, 0, V - motion_at(motion, 7))
    put_value(a, 0, A)
