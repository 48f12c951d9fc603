"""Normal of an overlap part: the principal axis of its volume inertia that is nearest to a geometric guess.

Gonthier 2007, eqs. 4.199 to 4.201 and A.28 to A.31. Plain inverse iteration would converge to the smallest principal
moment, but in flat parts the normal belongs to the largest. So the iteration is shifted by the Rayleigh quotient
(Rayleigh quotient iteration, cubic convergence), with the adjugate in place of the inverse: they differ by the factor
det A only, and the adjugate exists where A is singular.
"""

from __future__ import annotations

import math

from ...algebra import Sym3
from ...compiler import kernel

KEPT = 0.95  # weight r_n of the last normal in the guess, eq. A.31
AGREEING = 0.5  # cosine between guess and last normal below which the last normal is ignored
ITERATIONS = 15
DEGENERATE = 0.2  # relative gap of two second moments below which the normal blends into the guess
FLAT, BENT = 1.0, 4.0  # s_n A^2 / V^3 from which a patch begins to be, and is, curved; 1/12 to 1/3 where it is flat


@kernel
def adjugate(A):
    """Adjugate of a symmetric matrix (Gonthier 2007, eq. A.28)."""
    return Sym3(
        A.yy * A.zz - A.yz * A.yz,
        A.xx * A.zz - A.xz * A.xz,
        A.xx * A.yy - A.xy * A.xy,
        A.xz * A.yz - A.xy * A.zz,
        A.xy * A.yz - A.xz * A.yy,
        A.xy * A.xz - A.yz * A.xx,
    )


@kernel
def unit(a, instead):
    """a / |a|; `instead` where a is zero."""
    length = math.sqrt(a @ a)
    if length > 0.0:
        return 1.0 / length * a
    return instead


@kernel
def principal_axis(J, guess):
    """Unit eigenvector of J nearest to a unit guess, with the sign of the guess: Rayleigh quotient iteration."""
    trace = J.xx + J.yy + J.zz
    if not trace > 0.0:
        return guess
    A = 1.0 / trace * J
    x = guess
    for _ in range(ITERATIONS):
        # residual of the eigenpair (shift, x), relative to the trace
        Ax = A @ x
        shift = x @ Ax
        left = Ax - shift * x
        if left @ left < 1e-32:
            break
        # y ~ (A - shift I)^-1 x up to a factor
        y = adjugate(Sym3(A.xx - shift, A.yy - shift, A.zz - shift, A.xy, A.xz, A.yz)) @ x
        length = math.sqrt(y @ y)
        if length < 1e-30:
            break
        y = (1.0 if x @ y > 0.0 else -1.0) / length * y
        moved = y - x
        x = y
        if moved @ moved < 1e-28:
            break
    return x


@kernel
def second_moments(J, n):
    """(s_n, s_1, s_2) of a part with normal n: along n, and the two principal ones across n, s_1 >= s_2 [m^5]."""
    half = 0.5 * (J.xx + J.yy + J.zz)
    across = n @ (J @ n)
    # second moments S = tr(J)/2 I - J; s_1 and s_2 from sum and product: n . adj(S) n is the determinant of S across n
    S = Sym3(half - J.xx, half - J.yy, half - J.zz, -J.xy, -J.xz, -J.yz)
    product = n @ (adjugate(S) @ n)
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
    if guess @ last < AGREEING:
        last = guess
    n = principal_axis(J, unit((1.0 - KEPT) * guess + KEPT * last, guess))
    if n @ guess <= 0.0:
        return guess
    # where the axis is not certain the normal blends into the guess
    sure = certainty(J, n, V, area)
    if sure < 1.0:
        n = unit(sure * n + (1.0 - sure) * guess, guess)
    return n
