"""Scalar helpers that are safe for complex numbers, so that a complex step can differentiate any kernel.

A comparison looks at the real part only; `absolute` and the others keep the derivative of the branch they take.
"""

from __future__ import annotations

import cmath
import math

from .compiler import kernel


@kernel
def sine_cosine(x):
    """(sin x, cos x) of a real or complex number."""
    return math.sin(x), math.cos(x)


@sine_cosine.of_complex
def _sine_cosine(x):
    return cmath.sin(x), cmath.cos(x)


@kernel
def near_sine_cosine(x):
    """(sin x, cos x) for |x| < 5e5, without a branch, so that a loop of them runs several at a time.

    Reduction by pi/2 in three parts (Cody & Waite 1980), exact for the quotients allowed here; minimax polynomials of
    Sun's fdlibm 5.3 (k_sin.c, k_cos.c), error below one unit in the last place.
    """
    k = math.floor(x * 0.6366197723675814 + 0.5)
    r = x - k * 1.57079632673412561417
    r -= k * 6.07710050630396597660e-11
    r -= k * 2.02226624879595063154e-21
    z = r * r
    s = z * 1.58969099521155010221e-10 - 2.50507602534068634195e-08
    s = z * s + 2.75573137070700676789e-06
    s = z * s - 1.98412698298579493134e-04
    s = z * s + 8.33333333332248946124e-03
    s = z * s - 1.66666666666666324348e-01
    s = r + r * z * s
    c = z * -1.13596475577881948265e-11 + 2.08757232129817482790e-09
    c = z * c - 2.75573143513906633035e-07
    c = z * c + 2.48015872894767294178e-05
    c = z * c - 1.38888888888741095749e-03
    c = z * c + 4.16666666666666019037e-02
    c = (1.0 - 0.5 * z) + z * z * c
    quadrant = k - 4.0 * math.floor(0.25 * k)
    odd = quadrant == 1.0 or quadrant == 3.0
    a = c if odd else s
    b = s if odd else c
    return (-a if quadrant >= 2.0 else a), (-b if quadrant == 1.0 or quadrant == 2.0 else b)


@kernel
def circle(q, out, begin, end):
    """Sine and cosine of the entries of q from `begin` to before `end` into the rows of out."""
    far = 0.0
    for k in range(begin, end):
        far = max(far, abs(q[k]))
    if far < 5e5:
        for k in range(begin, end):
            out[0, k], out[1, k] = near_sine_cosine(q[k])
    else:
        for k in range(begin, end):
            out[0, k], out[1, k] = sine_cosine(q[k])


@circle.of_complex
def _circle(q, out, begin, end):
    for k in range(begin, end):
        out[0, k], out[1, k] = sine_cosine(q[k])


@kernel
def root(x):
    """The square root of a positive number, real or complex."""
    return math.sqrt(x)


@root.of_complex
def _root(x):
    return cmath.sqrt(x)


@kernel
def positive(x):
    """x where it is positive, else zero."""
    return x if x.real > 0.0 else 0.0 * x


@kernel
def absolute(x):
    """|x|, differentiable by complex step away from zero."""
    return x if x.real >= 0.0 else -x


@kernel
def sign(x):
    """-1, 0 or 1 by the real part."""
    return 1.0 if x.real > 0.0 else (-1.0 if x.real < 0.0 else 0.0)


@kernel
def clip(x, low, high):
    """x between low and high (real bounds)."""
    return low + 0.0 * x if x.real < low else (high + 0.0 * x if x.real > high else x)


@kernel
def sinc(x2):
    """sin(x) / x as a function of x squared; series below |x| = 0.03, exact to rounding."""
    if x2.real < 1e-3:
        return 1.0 - x2 / 6.0 * (1.0 - x2 / 20.0 * (1.0 - x2 / 42.0 * (1.0 - x2 / 72.0)))
    x = x2**0.5
    return sine_cosine(x)[0] / x


@kernel
def inverse_tangent_factor(x2):
    """(1 - x/2 cot(x/2)) / x^2 as a function of x squared: the last factor of the inverse tangent map of SO(3).

    Iserles, Munthe-Kaas, Norsett, Zanna, "Lie-group methods", Acta Numerica 2000, appendix B.
    """
    if x2.real < 1e-2:
        return 1.0 / 12.0 + x2 * (1.0 / 720.0 + x2 * (1.0 / 30240.0 + x2 * (1.0 / 1209600.0 + x2 / 47900160.0)))
    x = x2**0.5
    s, c = sine_cosine(0.5 * x)
    return (1.0 - 0.5 * x * c / s) / x2


@kernel
def tangent_factors(x2):
    """a = (1 - cos x) / x^2, b = (x - sin x) / x^3 and their derivatives by x^2, as functions of x squared."""
    if x2.real < 1e-2:
        a = 0.5 - x2 / 24.0 * (1.0 - x2 / 30.0 * (1.0 - x2 / 56.0 * (1.0 - x2 / 90.0)))
        b = 1.0 / 6.0 - x2 / 120.0 * (1.0 - x2 / 42.0 * (1.0 - x2 / 72.0 * (1.0 - x2 / 110.0)))
        da = -1.0 / 24.0 + x2 / 360.0 * (1.0 - x2 / 37.333333333333336 * (1.0 - x2 / 67.5 * (1.0 - x2 / 105.6)))
        db = -1.0 / 120.0 + x2 / 2520.0 * (1.0 - x2 / 48.0 * (1.0 - x2 / 82.5 * (1.0 - x2 / 124.8)))
        return a, b, da, db
    x = x2**0.5
    s, c = sine_cosine(x)
    a = (1.0 - c) / x2
    b = (x - s) / (x2 * x)
    return a, b, 0.5 * (s / x - 2.0 * a) / x2, 0.5 * (a - 3.0 * b) / x2
