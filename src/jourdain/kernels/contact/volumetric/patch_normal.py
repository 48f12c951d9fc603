"""Normal of an overlap part: the principal axis of its volume inertia that is nearest to a geometric guess.

Gonthier 2007, eqs. 4.199 to 4.201 and A.28 to A.31. Plain inverse iteration would converge to the smallest principal
moment, but in flat parts the normal belongs to the largest. So the iteration is shifted by the Rayleigh quotient
(Rayleigh quotient iteration, cubic convergence), with the adjugate in place of the inverse: they differ by the factor
det A only, and the adjugate exists where A is singular.
"""

from __future__ import annotations

import math

from ...compiler import kernel
from ...spatial import add, dot, scale, sub, sym_times

KEPT = 0.95  # weight r_n of the last normal in the guess, eq. A.31
AGREEING = 0.5  # cosine between guess and last normal below which the last normal is ignored
ITERATIONS = 15
DEGENERATE = 0.2  # relative gap of two second moments below which the normal blends into the guess
FLAT, BENT = 1.0, 4.0  # s_n A^2 / V^3 from which a patch begins to be, and is, curved; 1/12 to 1/3 where it is flat


@kernel
def adjugate(A):
    """Adjugate of a symmetric 3 x 3 matrix, 6 numbers (Gonthier 2007, eq. A.28)."""
    return (
        A[1] * A[2] - A[5] * A[5],
        A[0] * A[2] - A[4] * A[4],
        A[0] * A[1] - A[3] * A[3],
        A[4] * A[5] - A[3] * A[2],
        A[3] * A[5] - A[4] * A[1],
        A[3] * A[4] - A[5] * A[0],
    )


@kernel
def unit(a, instead):
    """a / |a|; `instead` where a is zero."""
    length = math.sqrt(dot(a, a))
    if length > 0.0:
        return scale(1.0 / length, a)
    return instead


@kernel
def principal_axis(J, guess):
    """Unit eigenvector of J nearest to a unit guess, with the sign of the guess: Rayleigh quotient iteration."""
    trace = J[0] + J[1] + J[2]
    if not trace > 0.0:
        return guess
    k = 1.0 / trace
    A = (k * J[0], k * J[1], k * J[2], k * J[3], k * J[4], k * J[5])
    x = guess
    for _ in range(ITERATIONS):
        # residual of the eigenpair (shift, x), relative to the trace
        Ax = sym_times(A, x)
        shift = dot(x, Ax)
        left = sub(Ax, scale(shift, x))
        if dot(left, left) < 1e-32:
            break
        # y ~ (A - shift I)^-1 x up to a factor
        y = sym_times(adjugate((A[0] - shift, A[1] - shift, A[2] - shift, A[3], A[4], A[5])), x)
        length = math.sqrt(dot(y, y))
        if length < 1e-30:
            break
        y = scale((1.0 if dot(x, y) > 0.0 else -1.0) / length, y)
        moved = sub(y, x)
        x = y
        if dot(moved, moved) < 1e-28:
            break
    return x


@kernel
def second_moments(J, n):
    """(s_n, s_1, s_2) of a part with normal n: along n, and the two principal ones across n, s_1 >= s_2 [m^5]."""
    half = 0.5 * (J[0] + J[1] + J[2])
    across = dot(n, sym_times(J, n))
    # second moments S = tr(J)/2 I - J; s_1 and s_2 from sum and product: n . adj(S) n is the determinant of S across n
    S = (half - J[0], half - J[1], half - J[2], -J[3], -J[4], -J[5])
    product = dot(n, sym_times(adjugate(S), n))
    root = math.sqrt(max(0.25 * across * across - product, 0.0))
    return half - across, 0.5 * across + root, max(0.5 * across - root, 0.0)


@kernel
def rise(x):
    """0 below 0, 1 above 1, smooth between."""
    x = min(max(x, 0.0), 1.0)
    return x * x * (3.0 - 2.0 * x)


@kernel
def certainty(J, n, V, area):
    """1 where the principal axis n is the normal of a flat patch; falls smoothly to 0 where the inertia does not tell
    it.

    That is where the part is as deep as it is wide, and where its extent along n exceeds the depth V / area, as that of
    a peg lying in its hole. An area of 0 means that it is not known.
    """
    sn, s1, s2 = second_moments(J, n)
    if not s2 > 0.0:
        return 0.0 * V
    gap = min(abs(s1 - sn) / (s1 + abs(sn)), abs(s2 - sn) / (s2 + abs(sn)))
    return rise(gap / DEGENERATE) * rise((BENT - sn * area * area / (V * V * V)) / (BENT - FLAT))


@kernel
def part_normal(J, guess, last, V, area):
    """Normal of a part from the geometric guess and that of the last accepted step, eq. A.31; world axes."""
    if dot(guess, last) < AGREEING:
        last = guess
    n = principal_axis(J, unit(add(scale(1.0 - KEPT, guess), scale(KEPT, last)), guess))
    if dot(n, guess) <= 0.0:
        return guess
    # where the axis is not certain the normal blends into the guess
    sure = certainty(J, n, V, area)
    if sure < 1.0:
        n = unit(add(scale(sure, n), scale(1.0 - sure, guess)), guess)
    return n
