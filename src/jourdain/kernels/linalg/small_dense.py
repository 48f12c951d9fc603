"""Small dense linear algebra in place: Cholesky, Householder QR and the matrix exponential. Nothing is allocated."""

from __future__ import annotations

import math

from ..compiler import entry_point, kernel
from ..signatures import Matrix, Vector


@kernel
def multiply(A, B, out):
    """out = A B."""
    for i in range(A.shape[0]):
        for j in range(B.shape[1]):
            total = 0.0 * A[0, 0]
            for k in range(A.shape[1]):
                total += A[i, k] * B[k, j]
            out[i, j] = total


@kernel
def cholesky(A):
    """Cholesky factorisation A = L L^T, L into the lower triangle; 0, or 1 + the row without a positive pivot."""
    n = A.shape[0]
    for j in range(n):
        d = A[j, j]
        for k in range(j):
            d -= A[j, k] * A[j, k]
        if not d.real > 0.0:
            return j + 1
        d = d**0.5
        A[j, j] = d
        for i in range(j + 1, n):
            x = A[i, j]
            for k in range(j):
                x -= A[i, k] * A[j, k]
            A[i, j] = x / d
    return 0


@kernel
def cholesky_solve(L, B):
    """B = (L L^T)^-1 B, for every column, by forward and back substitution."""
    n = L.shape[0]
    for c in range(B.shape[1]):
        for i in range(n):
            x = B[i, c]
            for k in range(i):
                x -= L[i, k] * B[k, c]
            B[i, c] = x / L[i, i]
        for i in range(n - 1, -1, -1):
            x = B[i, c]
            for k in range(i + 1, n):
                x -= L[k, i] * B[k, c]
            B[i, c] = x / L[i, i]


@kernel
def householder(A, columns):
    """Householder QR factorisation: turns [A | B] into [R | Q^T B] in place, R in the first `columns` columns; the
    zeros below are not written.

    Reflections x - v (v . x) 2 / (v . v) with the sign that does not cancel (Golub & Van Loan 2013, section 5.2).
    """
    m, n = A.shape[0], A.shape[1]
    for j in range(columns):
        tail = 0.0 * A[0, 0]
        for i in range(j + 1, m):
            tail += A[i, j] * A[i, j]
        head = A[j, j]
        if tail.real == 0.0:
            continue
        # v_1 = x_1 + sign(x_1) |x|, without cancellation
        length = (head * head + tail) ** 0.5
        if head.real > 0.0:
            length = -length
        v = head - length
        scale = 2.0 / (v * v + tail)
        for c in range(j + 1, n):
            # reflection of the columns to the right
            along = v * A[j, c]
            for i in range(j + 1, m):
                along += A[i, j] * A[i, c]
            along *= scale
            A[j, c] -= along * v
            for i in range(j + 1, m):
                A[i, c] -= along * A[i, j]
        A[j, j] = length


@kernel
def back_substitute(R, columns, c, x):
    """x = R^-1 c, the triangle R in the first columns, c in column c; 0, or 1 + the row that is singular."""
    for i in range(columns - 1, -1, -1):
        if R[i, i].real == 0.0:
            return i + 1
        total = R[i, c]
        for k in range(i + 1, columns):
            total -= R[i, k] * x[k]
        x[i] = total / R[i, i]
    return 0


@kernel
def exponential(A, E, work, term):
    """Matrix exponential E = exp(A) by scaling and squaring: Taylor series of A / 2^k to the 14th power, squared k
    times; A, work and term are overwritten.

    |A / 2^k| <= 1/2 leaves a relative remainder of 2^-15 / 15!, below rounding. Suited to the |A| of order one of a
    sampling period; the squarings of a large one, far from normal, lose digits.
    """
    n = A.shape[0]
    size = 0.0
    for i in range(n):
        row = 0.0
        for j in range(n):
            row += abs(A[i, j])
        size = max(size, row)
    # scaling: A / 2^k of norm at most 1/2
    halvings = 0
    while size > 0.5:
        size *= 0.5
        halvings += 1
    factor = math.ldexp(1.0, -halvings)
    for i in range(n):
        for j in range(n):
            A[i, j] *= factor
            E[i, j] = 1.0 if i == j else 0.0
            term[i, j] = E[i, j]
    # Taylor series
    for k in range(1, 15):
        multiply(term, A, work)
        for i in range(n):
            for j in range(n):
                term[i, j] = work[i, j] / k
                E[i, j] += term[i, j]
    # squaring
    for _ in range(halvings):
        multiply(E, E, work)
        for i in range(n):
            for j in range(n):
                E[i, j] = work[i, j]


@entry_point
def solve_positive(A: Matrix, B: Matrix) -> int:
    """B = A^-1 B by Cholesky factorisation, A symmetric positive definite and overwritten; returns as `cholesky`."""
    bad = cholesky(A)
    if bad == 0:
        cholesky_solve(A, B)
    return bad


@entry_point
def least_squares(A: Matrix, columns: int, x: Vector) -> int:
    """Least squares: x that minimises |A[:, :columns] x - A[:, columns]|, by Householder QR; returns as
    `back_substitute`.
    """
    householder(A, columns)
    return back_substitute(A, columns, columns, x)


@entry_point
def matrix_exponential(A: Matrix, E: Matrix, work: Matrix, term: Matrix) -> None:
    """E = exp(A); see `exponential`."""
    exponential(A, E, work, term)
