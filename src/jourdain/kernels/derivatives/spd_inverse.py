"""Inverse of a symmetric positive definite matrix by Cholesky factorisation, and products with it.

Inner loops run along rows, several rows at a time, to reduce memory traffic.
"""

from __future__ import annotations

from ..compiler import kernel, outlined_kernel


@kernel
def factor(A):
    """Cholesky factorisation A = U^T U, U in the upper triangle; elimination by four rows at a time."""
    n = A.shape[0]
    for first in range(0, n, 4):
        end = min(first + 4, n)
        for k in range(first, end):
            d = A[k, k] ** -0.5
            for j in range(k, n):
                A[k, j] *= d
            for i in range(k + 1, end):
                x = A[k, i]
                for j in range(i, n):
                    A[i, j] -= x * A[k, j]
        for i in range(end, n):  # there are four rows above
            a, b, c, d = A[first, i], A[first + 1, i], A[first + 2, i], A[first + 3, i]
            for j in range(i, n):
                A[i, j] -= a * A[first, j] + b * A[first + 1, j] + (c * A[first + 2, j] + d * A[first + 3, j])


@kernel
def invert_factor(A):
    """U^-1 in the place of U, from the last row on: row i is -1/U_ii times the sum of U_ik times row k of it."""
    n = A.shape[0]
    for i in range(n - 1, -1, -1):
        e = 1.0 / A[i, i]
        for k in range(i + 1, n):
            A[k, i] = -e * A[i, k]
            A[i, k] = 0.0
        A[i, i] = e
        whole = i + 1 + (n - i - 1) // 4 * 4
        for k in range(i + 1, whole, 4):
            a, b, c, d = A[k, i], A[k + 1, i], A[k + 2, i], A[k + 3, i]
            # of the four rows the later ones begin later; left of that are the saved entries of their columns
            A[i, k] += a * A[k, k]
            A[i, k + 1] += a * A[k, k + 1] + b * A[k + 1, k + 1]
            A[i, k + 2] += a * A[k, k + 2] + b * A[k + 1, k + 2] + c * A[k + 2, k + 2]
            for j in range(k + 3, n):
                A[i, j] += a * A[k, j] + b * A[k + 1, j] + (c * A[k + 2, j] + d * A[k + 3, j])
        for k in range(whole, n):
            x = A[k, i]
            for j in range(k, n):
                A[i, j] += x * A[k, j]


@outlined_kernel
def invert(A, out):
    """out = A^-1 = U^-1 U^-T for a symmetric positive definite A, given by its upper triangle and overwritten."""
    n = A.shape[0]
    factor(A)
    invert_factor(A)
    for i in range(n):
        for k in range(i):
            A[i, k] = A[k, i]
    for i in range(n):
        for j in range(i + 1):
            out[i, j] = 0.0
        whole = i + (n - i) // 4 * 4
        for k in range(i, whole, 4):
            a, b, c, d = A[i, k], A[i, k + 1], A[i, k + 2], A[i, k + 3]
            for j in range(i + 1):
                out[i, j] += a * A[k, j] + b * A[k + 1, j] + (c * A[k + 2, j] + d * A[k + 3, j])
        for k in range(whole, n):
            x = A[i, k]
            for j in range(i + 1):
                out[i, j] += x * A[k, j]
    for i in range(n):
        for j in range(i):
            out[j, i] = out[i, j]


@outlined_kernel
def minus_product(A, B, out):
    """out = -A B, square; four rows of B at a time, and two of out (for odd n the last but one is computed twice)."""
    n = A.shape[0]
    rest = n % 4
    if n == 1:
        out[0, 0] = -A[0, 0] * B[0, 0]
        return
    for pair in range(0, n, 2):
        i = min(pair, n - 2)
        # remainder modulo four: up to three rows, zero times another row for those that do not exist
        second, third = 1 if rest > 1 else 0, 2 if rest > 2 else 0
        a, b, c = 0.0 * A[i, 0], 0.0 * A[i, 0], 0.0 * A[i, 0]
        e, f, g = a, a, a
        if rest > 0:
            a, e = A[i, 0], A[i + 1, 0]
        if rest > 1:
            b, f = A[i, 1], A[i + 1, 1]
        if rest > 2:
            c, g = A[i, 2], A[i + 1, 2]
        for j in range(n):
            p, q, r = B[0, j], B[second, j], B[third, j]
            out[i, j] = -(a * p + b * q + c * r)
            out[i + 1, j] = -(e * p + f * q + g * r)
        for k in range(rest, n, 4):
            a, b, c, d = A[i, k], A[i, k + 1], A[i, k + 2], A[i, k + 3]
            e, f, g, h = A[i + 1, k], A[i + 1, k + 1], A[i + 1, k + 2], A[i + 1, k + 3]
            for j in range(n):
                p, q, r, s = B[k, j], B[k + 1, j], B[k + 2, j], B[k + 3, j]
                out[i, j] -= a * p + b * q + (c * r + d * s)
                out[i + 1, j] -= e * p + f * q + (g * r + h * s)
