"""Corrections whose unknowns, well ordered, lie near the diagonal: chains of bodies and of loops. Cost is linear there.

Only of systems without integrated states: their unknowns are velocities and multipliers.
"""

from __future__ import annotations

from ..compiler import kernel, optional_kernel
from ..linalg.banded import factor_band, solve_band
from ..linalg.pivoted import LOST


@kernel
def coefficient(co, i, j, per, both, turn):
    """Entry (i, j) of the matrix that `assemble_matrix` makes."""
    nv = co.M.shape[0]
    if i < nv and j < nv:
        return co.M[i, j] + per * co.C[i, j] + both * co.K[i, j]
    if i < nv:
        return 0.0 * per - co.A[j - nv, i]
    if j < nv:
        return co.A[i - nv, j] + turn * co.by_velocity[i - nv] * co.rate_x[i - nv, j]
    return 0.0 * per


@optional_kernel("band", returns=int)
def factorise_band(co, band, pivots, sizes, mu, nu):
    """The factors of the matrix of a correction; 1 where it lacks rank, which the dense factors can deal with.

    Rows are divided by their largest entries, so that a pivot is judged as `linear.factorise` does. Rows of constraints
    that hold nothing, as those across the plane of a planar loop, get no multiplier; their size is noted as zero.
    """
    below, above = co.integrator.below, co.integrator.above
    m, top = co.order.size, below + above
    per, both, turn = 1.0 / mu, 1.0 / (mu * nu), 1.0 / nu
    for i in range(m):
        sizes[i] = 0.0
    for j in range(m):
        for i in range(band.shape[1]):
            band[j, i] = 0.0
        for i in range(max(0, j - above), min(m, j + below + 1)):
            x = coefficient(co, co.order[i], co.order[j], per, both, turn)
            band[j, top + i - j] = x
            sizes[i] = max(sizes[i], abs(x))
    nv = co.M.shape[0]
    largest = 0.0
    for i in range(m):
        if co.order[i] >= nv:
            largest = max(largest, sizes[i])
    for i in range(m):
        if co.order[i] >= nv and sizes[i] <= LOST * largest:
            sizes[i] = 0.0
        elif not sizes[i] > 0.0:
            return 1
    for j in range(m):
        for i in range(max(0, j - above), min(m, j + below + 1)):
            if sizes[i] > 0.0:
                band[j, top + i - j] /= sizes[i]
            else:
                band[j, top + i - j] = 1.0 if i == j else 0.0
    if factor_band(band, below, above, pivots) != 0:
        return 1
    for j in range(m):
        if not abs(band[j, top]) > LOST:
            return 1
    return 0


@optional_kernel("band")
def substitute_band(co, band, pivots, sizes, right, placed):
    """The solution in the place of the right side, after `factorise_band`."""
    m = co.order.size
    for i in range(m):
        placed[i] = right[co.order[i]] / sizes[i] if sizes[i] > 0.0 else 0.0
    solve_band(band, co.integrator.below, co.integrator.above, pivots, placed)
    for i in range(m):
        right[co.order[i]] = placed[i]
