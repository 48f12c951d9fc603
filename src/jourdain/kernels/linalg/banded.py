"""LU factorisation of banded matrices with partial pivoting, real or complex, without allocation.

A matrix of n rows with kl diagonals below the main one and ku above is stored by columns: entry (i, j) is at band[j, kl
+ ku + i - j], the rows of `band` being 2 kl + ku + 1 long; the first kl of each are room for the fill-in of pivoting.
Golub & Van Loan, Matrix Computations (2013), section 4.3; O(n kl (kl + ku)).
"""

from __future__ import annotations

from ..compiler import kernel


@kernel
def factor_band(band, kl, ku, pivots):
    """Factorises the matrix in place; returns 0, or 1 + the column without a pivot."""
    n, top = band.shape[0], kl + ku
    reach = 0
    for j in range(n):
        last = min(kl, n - 1 - j)
        # partial pivoting within the band; `reach` is the last column that row interchanges fill
        p, most = 0, abs(band[j, top])
        for i in range(1, last + 1):
            if abs(band[j, top + i]) > most:
                p, most = i, abs(band[j, top + i])
        pivots[j] = j + p
        if not most > 0.0:
            return j + 1
        reach = max(reach, min(j + ku + p, n - 1))
        if p != 0:
            for c in range(j, reach + 1):
                x = band[c, top + j - c]
                band[c, top + j - c] = band[c, top + j + p - c]
                band[c, top + j + p - c] = x
        # column of L, and update of the columns to the right
        for i in range(1, last + 1):
            band[j, top + i] /= band[j, top]
        for c in range(j + 1, reach + 1):
            x = band[c, top + j - c]
            for i in range(1, last + 1):
                band[c, top + j + i - c] -= band[j, top + i] * x
    return 0


@kernel
def solve_band(band, kl, ku, pivots, x):
    """Overwrites the right-hand side x with the solution, after `factor_band`."""
    n, top = band.shape[0], kl + ku
    for j in range(n):
        p = pivots[j]
        y = x[p]
        if p != j:
            x[p] = x[j]
            x[j] = y
        for i in range(1, min(kl, n - 1 - j) + 1):
            x[j + i] -= band[j, top + i] * y
    for j in range(n - 1, -1, -1):
        x[j] /= band[j, top]
        for i in range(max(0, j - top), j):
            x[i] -= band[j, top + i - j] * x[j]
