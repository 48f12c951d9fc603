"""Rotations and free joints in implicit methods: from increments to displacements of the held side and back, another
starting point, and the exponential of a constant velocity."""

from __future__ import annotations

import math

from ..compiler import kernel, outlined_kernel
from ..flat_arrays import put31, vec1
from ..spatial import add, cross, dot, quaternion_increment, quaternion_matrix, rotate, rotate_back, scale
from ..tree.motions import prescribe


@kernel
def tangent_factors(angle2):
    """(1 - cos a) / a^2 and (a - sin a) / a^3."""
    if angle2 < 1e-4:
        return 0.5 - angle2 / 24.0 + angle2 * angle2 / 720.0, 1.0 / 6.0 - angle2 / 120.0 + angle2 * angle2 / 5040.0
    a = math.sqrt(angle2)
    return (1.0 - math.cos(a)) / angle2, (a - math.sin(a)) / (angle2 * a)


@kernel
def rotation_vector(w, x, y, z):
    """The rotation vector of a unit quaternion, no longer than pi."""
    if w < 0.0:
        w, x, y, z = -w, -x, -y, -z
    s2 = x * x + y * y + z * z
    s = math.sqrt(s2)
    k = 2.0 * math.atan2(s, w) / s if s > 1e-8 else 2.0 / w
    return (k * x, k * y, k * z)


@outlined_kernel
def to_displacement(model, q, increment, y):
    """y = T y: a change of the increments as a displacement of the held side; q is what the increments lead to.

    For R = R_n exp(theta), T = 1 - (1 - cos a) / a^2 theta~ + (a - sin a) / a^3 theta~^2 (the inverse of
    `rotation_vector_rate`).
    """
    for g in range(model.groups.shape[0]):
        j, k = model.groups[g, 0], model.groups[g, 1]
        theta, r = vec1(increment, k), vec1(y, k)
        a, b = tangent_factors(dot(theta, theta))
        t = cross(theta, r)
        put31(y, k, add(add(r, scale(-a, t)), scale(b, cross(theta, t))))
        if model.groups[g, 2] == 1:
            R = quaternion_matrix(q[j + 3], q[j + 4], q[j + 5], q[j + 6])
            put31(y, k + 3, rotate_back(R, vec1(y, k + 3)))


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
    for g in range(model.groups.shape[0]):
        j, k = model.groups[g, 0], model.groups[g, 1]
        if model.groups[g, 2] == 1:
            theta, u = vec1(y, k), vec1(y, k + 3)
            a, b = tangent_factors(dot(theta, theta))
            t = cross(theta, u)
            R = quaternion_matrix(q[j + 3], q[j + 4], q[j + 5], q[j + 6])
            put31(y, k + 3, rotate(R, add(add(u, scale(a, t)), scale(b, cross(theta, t)))))


@outlined_kernel
def recentre(model, end, y):
    """y = the increments y as seen from the point that the increments `end` lead to."""
    for g in range(model.groups.shape[0]):
        k = model.groups[g, 1]
        theta, other = vec1(end, k), vec1(y, k)
        w, a, b, c = quaternion_increment(1.0, 0.0, 0.0, 0.0, scale(-1.0, theta))
        w, a, b, c = quaternion_increment(w, a, b, c, other)
        # the end is added here because it is taken off every entry below
        put31(y, k, add(rotation_vector(w, a, b, c), theta))
    count = model.paths.shape[0]
    for p in range(count):
        at = y.size - 3 * (count - p)
        theta, other = vec1(end, at), vec1(y, at)
        w, a, b, c = quaternion_increment(1.0, 0.0, 0.0, 0.0, other)
        w, a, b, c = quaternion_increment(w, a, b, c, scale(-1.0, theta))
        put31(y, at, add(rotation_vector(w, a, b, c), theta))
    for i in range(end.size):
        y[i] -= end[i]


@outlined_kernel
def hold_known(model, task, t, buffers, q, v, y):
    """Increments of prescribed entries are those of their profiles at time t."""
    if task.motion_index.shape[0] == 0:
        return
    nv = v.size
    prescribe(model, task, t, buffers.q, buffers.v, buffers.acceleration)
    for i in range(task.motion_index.shape[0]):
        k = task.motion_index[i, 0]
        j = model.q_index[k]
        y[k] = buffers.q[j] - q[j]
        y[nv + k] = buffers.v[k] - v[k]
