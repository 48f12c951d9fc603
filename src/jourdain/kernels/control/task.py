"""What a tip is asked to do: its reference, its errors, and the force that it feels, world axes, (angular, linear)."""

from __future__ import annotations

import math

from ..algebra import Quaternion
from ..compiler import kernel
from ..parameter_rows import Block, Parameters
from ..spatial import add, cross, matmul, matrix_quaternion, quaternion_matrix, rotate, scale, sub
from .mapping import Profile, reference
from .paths import tip_path, tip_turn

PROFILES = -1  # in place of the code of a path: three profiles and a constant quaternion


class TaskReference(Parameters):
    """What a tip is asked to do."""

    path: int  # code of a path, or PROFILES
    data: Block[float]  # of the path
    profiles: Block[Profile]  # x, y, z
    quaternion: Quaternion
    frame: int  # where in s the frame lies that it is relative to, -1 for the world


@kernel
def transposed(R):
    """R^T."""
    return (R[0], R[3], R[6], R[1], R[4], R[7], R[2], R[5], R[8])


@kernel
def rotation_between(R_to, R_from):
    """Rotation vector, world axes, that turns R_from into R_to; its length is at most pi."""
    w, x, y, z = matrix_quaternion(matmul(R_to, transposed(R_from)))
    n = math.sqrt(x * x + y * y + z * z)
    k = 2.0 if n < 1e-8 else 2.0 * math.atan2(n, w) / n
    return (k * x, k * y, k * z)


@kernel
def task_reference(task, t, s):
    """Position, velocity, acceleration, rotation, angular velocity and acceleration of the reference, world axes.

    The acceleration of a frame that it is relative to is not measured, and taken as zero.
    """
    frame = task.frame
    if task.path == PROFILES:
        x, dx, ddx = reference(task.profiles[0], t)
        y, dy, ddy = reference(task.profiles[1], t)
        z, dz, ddz = reference(task.profiles[2], t)
        r, u, a = (x, y, z), (dx, dy, dz), (ddx, ddy, ddz)
        qw, qx, qy, qz = tuple(task.quaternion)
        R = quaternion_matrix(qw, qx, qy, qz)
        w, dw = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    else:
        one = tip_path(task.path, task.data, 0, t)
        two = tip_turn(task.path, task.data, 0, t)
        r, u, a = (one[0], one[1], one[2]), (one[3], one[4], one[5]), (one[6], one[7], one[8])
        R = quaternion_matrix(two[0], two[1], two[2], two[3])
        w, dw = (two[4], two[5], two[6]), (two[7], two[8], two[9])
    if frame >= 0:
        R_F = quaternion_matrix(s[frame + 3], s[frame + 4], s[frame + 5], s[frame + 6])
        o = (s[frame + 7], s[frame + 8], s[frame + 9])
        r, u, a = rotate(R_F, r), rotate(R_F, u), rotate(R_F, a)
        a = add(a, add(scale(2.0, cross(o, u)), cross(o, cross(o, r))))
        u = add(u, add(cross(o, r), (s[frame + 10], s[frame + 11], s[frame + 12])))
        r = add(r, (s[frame], s[frame + 1], s[frame + 2]))
        R = matmul(R_F, R)
        w = rotate(R_F, w)
        dw = add(rotate(R_F, dw), cross(o, w))
        w = add(w, o)
    return r, u, a, R, w, dw


@kernel
def sensed_wrench(s, at, offset):
    """(moment, force) that the tip feels from a contact whose six numbers begin at s[at], about the tip.

    offset    from the tip to the origin of its shape, which is the first of the contact, world axes
    """
    force = (s[at], s[at + 1], s[at + 2])
    return add((s[at + 3], s[at + 4], s[at + 5]), cross(offset, force)), force


@kernel
def task_errors(motion, at, target, e, de, a):
    """Errors of place and rate (6,) each, and the reference's acceleration (6,), of a marker whose 13 numbers begin at
    motion[at]."""
    r, u, acceleration, R, w, dw = target
    place = sub(r, (motion[at], motion[at + 1], motion[at + 2]))
    turn = rotation_between(R, quaternion_matrix(motion[at + 3], motion[at + 4], motion[at + 5], motion[at + 6]))
    for i in range(3):
        de[i] = -motion[at + 7 + i]
        de[3 + i] = -motion[at + 10 + i]
    e[0], e[1], e[2] = turn
    e[3], e[4], e[5] = place
    de[0] += w[0]
    de[1] += w[1]
    de[2] += w[2]
    de[3] += u[0]
    de[4] += u[1]
    de[5] += u[2]
    a[0], a[1], a[2] = dw
    a[3], a[4], a[5] = acceleration
