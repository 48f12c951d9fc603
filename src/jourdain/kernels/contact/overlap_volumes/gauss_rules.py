"""Gauss-Legendre quadrature, rows of (node, weight) on (-1, 1), and the moments of solids by slices."""

from __future__ import annotations

import math

from ...algebra import Vec3
from ...compiler import kernel
from ...fixed_size import operation
from .overlap_values import Moments

GAUSS_6 = (
    (-0.9324695142031519, 0.17132449237917027), (-0.6612093864662645, 0.3607615730481387),
    (-0.2386191860831969, 0.46791393457269104), (0.2386191860831969, 0.46791393457269104),
    (0.6612093864662645, 0.3607615730481387), (0.9324695142031519, 0.17132449237917027),
)  # fmt: skip
GAUSS_8 = (
    (-0.9602898564975362, 0.10122853629037706), (-0.7966664774136267, 0.22238103445337443),
    (-0.525532409916329, 0.3137066458778869), (-0.18343464249564978, 0.36268378337836166),
    (0.18343464249564978, 0.36268378337836166), (0.525532409916329, 0.3137066458778869),
    (0.7966664774136267, 0.22238103445337443), (0.9602898564975362, 0.10122853629037706),
)  # fmt: skip
GAUSS_10 = (
    (-0.9739065285171717, 0.06667134430868814), (-0.8650633666889845, 0.1494513491505804),
    (-0.6794095682990244, 0.219086362515982), (-0.4333953941292472, 0.2692667193099965),
    (-0.14887433898163122, 0.2955242247147528), (0.14887433898163122, 0.2955242247147528),
    (0.4333953941292472, 0.2692667193099965), (0.6794095682990244, 0.219086362515982),
    (0.8650633666889845, 0.1494513491505804), (0.9739065285171717, 0.06667134430868814),
)  # fmt: skip
GAUSS_16 = (
    (-0.9894009349916499, 0.027152459411754176), (-0.9445750230732326, 0.062253523938647456),
    (-0.8656312023878318, 0.0951585116824926), (-0.755404408355003, 0.12462897125553407),
    (-0.6178762444026438, 0.1495959888165767), (-0.45801677765722737, 0.16915651939500265),
    (-0.2816035507792589, 0.18260341504492364), (-0.09501250983763744, 0.18945061045506864),
    (0.09501250983763744, 0.18945061045506864), (0.2816035507792589, 0.18260341504492364),
    (0.45801677765722737, 0.16915651939500265), (0.6178762444026438, 0.1495959888165767),
    (0.755404408355003, 0.12462897125553407), (0.8656312023878318, 0.0951585116824926),
    (0.9445750230732326, 0.062253523938647456), (0.9894009349916499, 0.027152459411754176),
)  # fmt: skip


@operation
def soft(u):
    """(value, derivative) of the cubic (3 u - u^3) / 2 on (-1, 1), a change of variable for quadrature.

    It removes the square-root singularities with which cross-sections begin and end: a Gauss rule in u then converges
    as fast as for a polynomial.
    """
    return 0.5 * u * (3.0 - u * u), 1.5 * (1.0 - u * u)


@operation
def slice_moments_of(s, z, w):
    """Moments of a slice of thickness w at height z, with a section of moments s about the same point."""
    V = w * s.area
    first = Vec3(w * s.x, w * s.y, V * z)
    return Moments(V, first, w * s.xx, w * s.yy, V * z * z, w * s.xy, w * s.x * z, w * s.y * z)


@operation
def prism_moments(s, low, high):
    """Moments of a prism of section s from height low to high."""
    w = high - low
    m = slice_moments_of(s, 0.5 * (low + high), w)
    xx, yy, zz, xy, xz, yz = m.second
    return Moments(m.volume, m.first, xx, yy, zz + s.area * w * w * w / 12.0, xy, xz, yz)


@kernel
def sort_breaks(breaks, n):
    """Sorts the first n numbers, by insertion."""
    for i in range(1, n):
        z, j = breaks[i], i
        while j > 0 and breaks[j - 1] > z:
            breaks[j] = breaks[j - 1]
            j -= 1
        breaks[j] = z


@kernel
def quadratic_roots(a, b, c):
    """Real roots of a x^2 + b x + c, the smaller first, without cancellation; infinity for a root that does not exist.

    Stable formula (Kahan): q = -(b + sign(b) sqrt(D)) / 2, and the roots are q / a and c / q.
    """
    D = b * b - 4.0 * a * c
    if not D >= 0.0:
        return math.inf, math.inf
    q = -0.5 * (b + math.copysign(math.sqrt(D), b))
    first = q / a if a != 0.0 else math.inf
    second = c / q if q != 0.0 else (0.0 if a != 0.0 else math.inf)
    return min(first, second), max(first, second)
