"""Scalar helpers that are safe for complex numbers, so that a complex step can differentiate any kernel.

A comparison looks at the real part only; `absolute` and the others keep the derivative of the branch they take.
"""

from __future__ import annotations

import cmath
import math

from numba import types
from numba.extending import overload

from .compiler import kernel


def sine(x):
    """sin(x) of a real or complex number."""
    return cmath.sin(x) if isinstance(x, complex) else math.sin(x)


def cosine(x):
    """cos(x) of a real or complex number."""
    return cmath.cos(x) if isinstance(x, complex) else math.cos(x)


@overload(sine)
def _sine(x):
    return (lambda x: cmath.sin(x)) if isinstance(x, types.Complex) else (lambda x: math.sin(x))


@overload(cosine)
def _cosine(x):
    return (lambda x: cmath.cos(x)) if isinstance(x, types.Complex) else (lambda x: math.cos(x))


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
    return sine(x) / x


@kernel
def inverse_tangent_factor(x2):
    """(1 - x/2 cot(x/2)) / x^2 as a function of x squared: the last factor of the inverse tangent map of SO(3).

    Iserles, Munthe-Kaas, Norsett, Zanna, "Lie-group methods", Acta Numerica 2000, appendix B.
    """
    if x2.real < 1e-2:
        return 1.0 / 12.0 + x2 * (1.0 / 720.0 + x2 * (1.0 / 30240.0 + x2 * (1.0 / 1209600.0 + x2 / 47900160.0)))
    x = x2**0.5
    return (1.0 - 0.5 * x * cosine(0.5 * x) / sine(0.5 * x)) / x2
