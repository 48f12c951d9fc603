"""The inverse of a symmetric positive matrix, and products with it, with rows in the inner loops."""

from __future__ import annotations

from ..compiler import kernel


@kernel
def invert(A, out):
    """out = A^-1 for a symmetric positive A, of which the upper half is read; A is used up.

    A = U^T U by Cholesky; U^-1 takes its place row by row, and out = U^-1 U^-T.
    """
    n = A.shape[0]
    for k in range(n):
        d = A[k, k] ** -0.5
        for j in range(k, n):
            A[k, j] *= d
        for i in range(k + 1, n):
            x = A[k, i]
            for j in range(i, n):
                A[i, j] -= x * A[k, j]
    for i in range(n - 1, -1, -1):
        d = 1.0 / A[i, i]
        for k in range(i + 1, n):
            A[k, i] = -d * A[i, k]
            A[i, k] = 0.0
        A[i, i] = d
        for k in range(i + 1, n):
            x = A[k, i]
            for j in range(k, n):
                A[i, j] += x * A[k, j]
    for i in range(n):
        for k in range(i):
            A[i, k] = A[k, i]
    for i in range(n):
        for j in range(n):
            out[i, j] = 0.0
        for k in range(i, n):
            x = A[i, k]
            for j in range(i + 1):
                out[i, j] += x * A[k, j]
    for i in range(n):
        for j in range(i):
            out[j, i] = out[i, j]


@kernel
def minus_product(A, B, out):
    """out = -A B, square; four rows of B at a time, so that out goes through memory a quarter as often."""
    n = A.shape[0]
    rest = n % 4
    for i in range(n):
        for j in range(n):
            out[i, j] = 0.0
        for k in range(rest):
            x = A[i, k]
            for j in range(n):
                out[i, j] -= x * B[k, j]
        for k in range(rest, n, 4):
            a, b, c, d = A[i, k], A[i, k + 1], A[i, k + 2], A[i, k + 3]
            for j in range(n):
                out[i, j] -= a * B[k, j] + b * B[k + 1, j] + (c * B[k + 2, j] + d * B[k + 3, j])
