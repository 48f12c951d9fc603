"""Multiple shooting: all intervals of a trajectory in one call, with derivatives of where each leads."""

from __future__ import annotations

from ..compiler import gate
from .shots import shoot, shoot_slopes


@gate
def shot_rows(sh, begin, T, fractions, X, U, latched, ends, cost):
    """Where each interval leads from its own first state, into ends (N, nx), and what it costs.

    U          (N + 1, nu) inputs at the ends of intervals; constant ones are those at the beginning
    latched    (N + 1, values) that contacts remember at each node
    """
    for k in range(ends.shape[0]):
        for j in range(X.shape[1]):
            ends[k, j] = X[k, j]
        for j in range(latched.shape[1]):
            latched[k + 1, j] = latched[k, j]
        span = T * (fractions[k + 1] - fractions[k])
        cost[k] = shoot(sh, begin + T * fractions[k], span, ends[k], U[k], U[k + 1], latched[k + 1])


@gate
def shot_slope_rows(sh, begin, T, fractions, X, U, latched, remembered, ends, cost, S, g, H):
    """The same with derivatives by the unknowns of each interval: S (N, nx, m), g (N, m), H (N, m, m)."""
    for k in range(ends.shape[0]):
        for j in range(X.shape[1]):
            ends[k, j] = X[k, j]
        for j in range(latched.shape[1]):
            remembered[j] = latched[k, j]
        span, t = T * (fractions[k + 1] - fractions[k]), begin + T * fractions[k]
        cost[k] = shoot_slopes(sh, begin, t, span, T, ends[k], U[k], U[k + 1], remembered, S[k], g[k], H[k])
