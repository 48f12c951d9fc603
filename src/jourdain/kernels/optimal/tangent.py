"""States as points of a Lie group: differences, displacements, and derivatives in the tangent space.

An entry of the tangent space is a number of the state, except for rotations, whose difference is the rotation vector
from one to the other in the axes of the first, and free joints, whose displacement is in these axes too.
"""

from __future__ import annotations

from ..algebra import Vec3, conjugate, rotation_matrix
from ..compiler import kernel, outlined_kernel
from ..derivatives.rate_jacobian import turning
from ..flat_arrays import add_value, put_value, quaternion_at, vector_at
from ..integrate.lie_group import rotation_vector
from ..rotations import turned_quaternion


@outlined_kernel
def difference(sh, x, base, out):
    """out (n,) = the displacement from the state `base` to x."""
    for k in range(out.size):
        if sh.place[k] >= 0:
            out[k] = x[sh.place[k]] - base[sh.place[k]]
    for g in range(len(sh.rotations)):
        rotation = sh.rotations[g]
        j, k, at = rotation.q, rotation.v, rotation.q + 3 * rotation.free
        held = quaternion_at(base, at)
        # logarithm of the relative quaternion
        put_value(out, k, rotation_vector(conjugate(held) @ quaternion_at(x, at)))
        if rotation.free:
            put_value(out, k + 3, rotation_matrix(held).T @ (vector_at(x, j) - vector_at(base, j)))


@outlined_kernel
def displace(sh, x, by, factor):
    """x = x displaced by factor times `by` (n,), in place."""
    for k in range(by.size):
        if sh.place[k] >= 0:
            x[sh.place[k]] += factor * by[k]
    for g in range(len(sh.rotations)):
        rotation = sh.rotations[g]
        j, k, at = rotation.q, rotation.v, rotation.q + 3 * rotation.free
        held = quaternion_at(x, at)
        if rotation.free:
            add_value(x, j, rotation_matrix(held) @ (factor * vector_at(by, k + 3)))
        put_value(x, at, turned_quaternion(held, factor * vector_at(by, k)))


@kernel
def columns_to_tangent(sh, x, M, rows, out):
    """out (rows, n + rest) = M (rows, nx + rest) times the derivative of the state x by displacements."""
    n, nx = sh.place.size, x.size
    for r in range(rows):
        for k in range(n):
            if sh.place[k] >= 0:
                out[r, k] = M[r, sh.place[k]]
        for k in range(M.shape[1] - nx):
            out[r, n + k] = M[r, nx + k]
    for g in range(len(sh.rotations)):
        rotation = sh.rotations[g]
        j, k, at = rotation.q, rotation.v, rotation.q + 3 * rotation.free
        W = turning(x, at)
        R = rotation_matrix(quaternion_at(x, at))
        for r in range(rows):
            a, b, c, d = M[r, at], M[r, at + 1], M[r, at + 2], M[r, at + 3]
            put_value(out[r], k, 0.5 * (a * Vec3(W[0]) + b * Vec3(W[1]) + c * Vec3(W[2]) + d * Vec3(W[3])))
            if rotation.free:
                put_value(out[r], k + 3, R.T @ Vec3(M[r, j], M[r, j + 1], M[r, j + 2]))


@kernel
def rows_to_tangent(sh, x, M, out):
    """out (n, columns) = displacements of the state x for the changes in the columns of M (nx, ...)."""
    for l in range(out.shape[1]):
        for k in range(sh.place.size):
            if sh.place[k] >= 0:
                out[k, l] = M[sh.place[k], l]
    for g in range(len(sh.rotations)):
        rotation = sh.rotations[g]
        j, k, at = rotation.q, rotation.v, rotation.q + 3 * rotation.free
        W = turning(x, at)
        R = rotation_matrix(quaternion_at(x, at))
        for l in range(out.shape[1]):
            a, b, c, d = M[at, l], M[at + 1, l], M[at + 2, l], M[at + 3, l]
            turned = 2.0 * (a * Vec3(W[0]) + b * Vec3(W[1]) + c * Vec3(W[2]) + d * Vec3(W[3]))
            out[k, l], out[k + 1, l], out[k + 2, l] = turned.x, turned.y, turned.z
            if rotation.free:
                moved = R.T @ Vec3(M[j, l], M[j + 1, l], M[j + 2, l])
                out[k + 3, l], out[k + 4, l], out[k + 5, l] = moved.x, moved.y, moved.z
