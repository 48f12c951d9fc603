"""LU factorisation of the leading part of a square array, for systems whose number of unknowns changes often."""

from __future__ import annotations

from ..compiler import outlined_kernel

LOST = 1e-14
"""Pivots below this times the largest entry count as rounding: their unknown is set to zero."""
WIDE = 4
"""Columns that are eliminated together: the width of a block."""


@outlined_kernel
def row_times(A, i, b, first, last):
    """Row i of A times b, entries first ... last; four partial sums, which are independent."""
    x, y, z, w = 0.0, 0.0, 0.0, 0.0
    j = first
    while j + 3 < last:
        x += A[i, j] * b[j]
        y += A[i, j + 1] * b[j + 1]
        z += A[i, j + 2] * b[j + 2]
        w += A[i, j + 3] * b[j + 3]
        j += 4
    while j < last:
        x += A[i, j] * b[j]
        j += 1
    return (x + y) + (z + w)


@outlined_kernel
def eliminate_columns(A, n, k, last, largest, pivots):
    """Factorises columns k ... last of the rows from k on, by partial pivoting with whole rows."""
    for c in range(k, last):
        chosen, best = c, abs(A[c, c])
        for i in range(c + 1, n):
            if abs(A[i, c]) > best:
                chosen, best = i, abs(A[i, c])
        lost = not best > LOST * largest
        pivots[c] = -chosen - 1 if lost else chosen
        if chosen != c:
            for j in range(n):
                A[c, j], A[chosen, j] = A[chosen, j], A[c, j]
        if lost:
            for i in range(c, n):
                A[i, c] = 0.0
            continue
        inverse = 1.0 / A[c, c]
        for i in range(c + 1, n):
            x = A[i, c] * inverse
            A[i, c] = x
            for j in range(c + 1, last):
                A[i, j] -= x * A[c, j]


@outlined_kernel
def factor_leading(A, n, pivots):
    """LU factorisation A = P L U of the leading n rows and columns, in place, by blocks of WIDE columns.

    pivots[k] is the row that was interchanged with row k, and minus that less one where no pivot was found.
    """
    largest = 0.0
    for i in range(n):
        for j in range(n):
            largest = max(largest, abs(A[i, j]))
    k = 0
    while k < n:
        last = min(k + WIDE, n)
        eliminate_columns(A, n, k, last, largest, pivots)
        # block row of U, then the rank-WIDE update of the rest
        for c in range(k + 1, last):
            for d in range(k, c):
                x = A[c, d]
                for j in range(last, n):
                    A[c, j] -= x * A[d, j]
        if last - k == WIDE:
            for i in range(last, n):
                a, b, c, d = A[i, k], A[i, k + 1], A[i, k + 2], A[i, k + 3]
                for j in range(last, n):
                    A[i, j] -= a * A[k, j] + b * A[k + 1, j] + c * A[k + 2, j] + d * A[k + 3, j]
        k = last


@outlined_kernel
def solve_leading(A, n, pivots, b):
    """b = A^-1 b after `factor_leading`; unknowns without a pivot are zero."""
    for k in range(n):
        p = pivots[k] if pivots[k] >= 0 else -pivots[k] - 1
        if p != k:
            b[k], b[p] = b[p], b[k]
    for i in range(n):
        b[i] -= row_times(A, i, b, 0, i)
    for i in range(n - 1, -1, -1):
        b[i] = (b[i] - row_times(A, i, b, i + 1, n)) / A[i, i] if pivots[i] >= 0 else 0.0
