"""States as points of a Lie group: differences, displacements, and derivatives in the tangent space.

An entry of the tangent space is a number of the state, except for rotations, whose difference is the rotation vector
from one to the other in the axes of the first, and free joints, whose displacement is in these axes too.
"""

from __future__ import annotations

from ..compiler import kernel, outlined_kernel
from ..derivatives.rate_jacobian import turning
from ..integrate.lie_group import rotation_vector
from ..spatial import quaternion_increment, quaternion_matrix


@outlined_kernel
def difference(sh, x, base, out):
    """out (n,) = the displacement from the state `base` to x."""
    for k in range(out.size):
        if sh.place[k] >= 0:
            out[k] = x[sh.place[k]] - base[sh.place[k]]
    for g in range(sh.groups.shape[0]):
        j, k = sh.groups[g, 0], sh.groups[g, 1]
        at = j + 3 * sh.groups[g, 2]
        a, b, c, d = base[at], base[at + 1], base[at + 2], base[at + 3]
        w, x1, y1, z1 = x[at], x[at + 1], x[at + 2], x[at + 3]
        # logarithm of the relative quaternion conj(base) * x
        r = rotation_vector(
            a * w + b * x1 + c * y1 + d * z1,
            a * x1 - b * w - c * z1 + d * y1,
            a * y1 + b * z1 - c * w - d * x1,
            a * z1 - b * y1 + c * x1 - d * w,
        )
        for i in range(3):
            out[k + i] = r[i]
        if sh.groups[g, 2] == 1:
            R = quaternion_matrix(a, b, c, d)
            for i in range(3):
                out[k + 3 + i] = 0.0
                for l in range(3):
                    out[k + 3 + i] += R[3 * l + i] * (x[j + l] - base[j + l])


@outlined_kernel
def displace(sh, x, by, factor):
    """x = x displaced by factor times `by` (n,), in place."""
    for k in range(by.size):
        if sh.place[k] >= 0:
            x[sh.place[k]] += factor * by[k]
    for g in range(sh.groups.shape[0]):
        j, k = sh.groups[g, 0], sh.groups[g, 1]
        at = j + 3 * sh.groups[g, 2]
        if sh.groups[g, 2] == 1:
            R = quaternion_matrix(x[at], x[at + 1], x[at + 2], x[at + 3])
            for i in range(3):
                for l in range(3):
                    x[j + i] += factor * R[3 * i + l] * by[k + 3 + l]
        turn = (factor * by[k], factor * by[k + 1], factor * by[k + 2])
        w, a, b, c = quaternion_increment(x[at], x[at + 1], x[at + 2], x[at + 3], turn)
        x[at], x[at + 1], x[at + 2], x[at + 3] = w, a, b, c


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
    for g in range(sh.groups.shape[0]):
        j, k = sh.groups[g, 0], sh.groups[g, 1]
        at = j + 3 * sh.groups[g, 2]
        W = turning(x, at)
        R = quaternion_matrix(x[at], x[at + 1], x[at + 2], x[at + 3])
        for r in range(rows):
            for i in range(3):
                out[r, k + i] = 0.5 * (
                    M[r, at] * W[0][i] + M[r, at + 1] * W[1][i] + M[r, at + 2] * W[2][i] + M[r, at + 3] * W[3][i]
                )
                if sh.groups[g, 2] == 1:
                    out[r, k + 3 + i] = M[r, j] * R[i] + M[r, j + 1] * R[3 + i] + M[r, j + 2] * R[6 + i]


@kernel
def rows_to_tangent(sh, x, M, out):
    """out (n, columns) = displacements of the state x for the changes in the columns of M (nx, ...)."""
    for c in range(out.shape[1]):
        for k in range(sh.place.size):
            if sh.place[k] >= 0:
                out[k, c] = M[sh.place[k], c]
    for g in range(sh.groups.shape[0]):
        j, k = sh.groups[g, 0], sh.groups[g, 1]
        at = j + 3 * sh.groups[g, 2]
        W = turning(x, at)
        R = quaternion_matrix(x[at], x[at + 1], x[at + 2], x[at + 3])
        for c in range(out.shape[1]):
            for i in range(3):
                out[k + i, c] = 2.0 * (
                    M[at, c] * W[0][i] + M[at + 1, c] * W[1][i] + M[at + 2, c] * W[2][i] + M[at + 3, c] * W[3][i]
                )
                if sh.groups[g, 2] == 1:
                    out[k + 3 + i, c] = R[i] * M[j, c] + R[3 + i] * M[j + 1, c] + R[6 + i] * M[j + 2, c]
