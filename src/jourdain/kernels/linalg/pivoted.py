"""LU factorisation of square matrices, real or complex, that may lack rank because of redundant constraints."""

from __future__ import annotations

from ..compiler import separate_kernel

LOST = 1e-13
"""Pivots below this times the largest entry of their original row count as rounding: their unknown is set to zero."""


@separate_kernel
def factorise(A, pivots, sizes):
    """LU factorisation A = P L U in place with scaled partial pivoting; `sizes` is scratch (n,).

    pivots[k] is the row that was interchanged with row k, and minus that less one where no pivot was found: the row
    with the smallest remainder, which is one that depends on others, is then left out.
    """
    n = A.shape[0]
    # scale of each row: its largest entry
    for i in range(n):
        largest = 0.0
        for j in range(n):
            largest = max(largest, abs(A[i, j]))
        sizes[i] = largest
    # pivot: largest entry of the column over the scale of its row
    for k in range(n):
        best, chosen = 0.0, k
        for i in range(k, n):
            size = abs(A[i, k])
            if size > LOST * abs(sizes[i]):
                size /= abs(sizes[i])
                if size > best:
                    best, chosen = size, i
        # no pivot: the row with the smallest remainder depends on others and is left out
        lost = best == 0.0
        if lost:
            least = -1.0
            for i in range(k, n):
                A[i, k] = 0.0
                largest = 0.0
                for j in range(k + 1, n):
                    largest = max(largest, abs(A[i, j]))
                if sizes[i] != 0.0:
                    largest /= abs(sizes[i])
                if least < 0.0 or largest < least:
                    least, chosen = largest, i
        pivots[k] = -chosen - 1 if lost else chosen
        if chosen != k:
            for j in range(n):
                A[k, j], A[chosen, j] = A[chosen, j], A[k, j]
            sizes[k], sizes[chosen] = sizes[chosen], sizes[k]
        if lost:
            continue
        # elimination of the rows below
        inverse = 1.0 / A[k, k]
        for i in range(k + 1, n):
            x = A[i, k]
            if x != 0.0:
                x *= inverse
                A[i, k] = x
                for j in range(k + 1, n):
                    A[i, j] -= x * A[k, j]


@separate_kernel
def substitute(A, pivots, b):
    """b = A^-1 b after `factorise`, by forward and back substitution; unknowns without a pivot are zero."""
    n = A.shape[0]
    for k in range(n):
        p = pivots[k] if pivots[k] >= 0 else -pivots[k] - 1
        if p > k:
            b[k], b[p] = b[p], b[k]
    for k in range(n):
        if pivots[k] < 0:
            continue
        x = b[k]
        for i in range(k + 1, n):
            b[i] -= A[i, k] * x
    for k in range(n - 1, -1, -1):
        if pivots[k] < 0:
            b[k] = 0.0
            continue
        x = b[k]
        for j in range(k + 1, n):
            x -= A[k, j] * b[j]
        b[k] = x / A[k, k]
