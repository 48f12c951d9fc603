"""Rotations and free joints in implicit methods: from increments to displacements of the held side and back, another
starting point, and the exponential of a constant velocity."""

from __future__ import annotations

import math

from ..algebra import Quaternion, cross, rotation_matrix
from ..compiler import kernel, outlined_kernel
from ..flat_arrays import put_value, quaternion_at, vector_at
from ..rotations import turned_quaternion
from ..tree.motions import prescribe


@kernel
def tangent_factors(angle2):
    """(1 - cos a) / a^2 and (a - sin a) / a^3."""
    if angle2 < 1e-4:
        return 0.5 - angle2 / 24.0 + angle2 * angle2 / 720.0, 1.0 / 6.0 - angle2 / 120.0 + angle2 * angle2 / 5040.0
    a = math.sqrt(angle2)
    return (1.0 - math.cos(a)) / angle2, (a - math.sin(a)) / (angle2 * a)


@kernel
def rotation_vector(q):
    """The rotation vector of a unit quaternion, no longer than pi."""
    if q.w < 0.0:
        q = -q
    s = math.sqrt(q.x * q.x + q.y * q.y + q.z * q.z)
    k = 2.0 * math.atan2(s, q.w) / s if s > 1e-8 else 2.0 / q.w
    return k * q.vector


@kernel
def increment_quaternion(theta):
    """The quaternion of a rotation vector."""
    return turned_quaternion(Quaternion(1.0, 0.0, 0.0, 0.0), theta)


@outlined_kernel
def to_displacement(model, q, increment, y):
    """y = T y: a change of the increments as a displacement of the held side; q is what the increments lead to.

    For R = R_n exp(theta), T = 1 - (1 - cos a) / a^2 theta~ + (a - sin a) / a^3 theta~^2 (the inverse of
    `rotation_vector_rate`).
    """
    for g in range(len(model.rotations)):
        rotation = model.rotations[g]
        k = rotation.v
        theta, r = vector_at(increment, k), vector_at(y, k)
        a, b = tangent_factors(theta @ theta)
        t = cross(theta, r)
        put_value(y, k, r - a * t + b * cross(theta, t))
        if rotation.free:
            put_value(y, k + 3, rotation_matrix(quaternion_at(q, rotation.q + 3)).T @ vector_at(y, k + 3))


@outlined_kernel
def exponential(model, q, motion, y):
    """Increments y (first nv entries) of what moves for a unit of time at the constant velocity `motion` from q.

    A free joint moves along a screw: p = R_n (1 + (1 - cos a) / a^2 theta~ + (a - sin a) / a^3 theta~^2) u.
    """
    for k in range(model.q_index.size):
        y[k] = motion[k]
    along_screws(model, q, y)


@outlined_kernel
def along_screws(model, q, y):
    """`exponential` in place: the first nv entries of y are the velocity, and become the increments."""
    for g in range(len(model.rotations)):
        rotation = model.rotations[g]
        k = rotation.v
        if rotation.free:
            theta, u = vector_at(y, k), vector_at(y, k + 3)
            a, b = tangent_factors(theta @ theta)
            t = cross(theta, u)
            put_value(y, k + 3, rotation_matrix(quaternion_at(q, rotation.q + 3)) @ (u + a * t + b * cross(theta, t)))


@outlined_kernel
def recentre(model, end, y):
    """y = the increments y as seen from the point that the increments `end` lead to."""
    # the end is added here because it is taken off every entry below
    for g in range(len(model.rotations)):
        k = model.rotations[g].v
        theta = vector_at(end, k)
        seen = turned_quaternion(increment_quaternion(-theta), vector_at(y, k))
        put_value(y, k, rotation_vector(seen) + theta)
    count = model.paths.shape[0]
    for p in range(count):
        at = y.size - 3 * (count - p)
        theta = vector_at(end, at)
        seen = turned_quaternion(increment_quaternion(vector_at(y, at)), -theta)
        put_value(y, at, rotation_vector(seen) + theta)
    for i in range(end.size):
        y[i] -= end[i]


@outlined_kernel
def hold_known(model, task, t, buffers, q, v, y):
    """Increments of prescribed entries are those of their profiles at time t."""
    if len(task.motions) == 0:
        return
    nv = v.size
    prescribe(model, task, t, buffers.q, buffers.v, buffers.acceleration)
    for i in range(len(task.motions)):
        k = task.motions[i].v
        j = model.q_index[k]
        y[k] = buffers.q[j] - q[j]
        y[nv + k] = buffers.v[k] - v[k]
