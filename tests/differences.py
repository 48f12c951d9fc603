"""Differences that are exact enough to judge derivatives of kernels to 1e-8 and better."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

SIXTH = {1: 45.0 / 60.0, 2: -9.0 / 60.0, 3: 1.0 / 60.0}
"""Weights of f(kh) - f(-kh) over h: the error is h^6 / 140 of the seventh derivative (Fornberg 1988, table 1)."""


def sixth(function: Callable[[float], np.ndarray], h: float = 3e-3) -> np.ndarray:
    """The derivative at zero of a function of a displacement. At h = 3e-3 of numbers near one, h^6 / 140 is 5e-18 of
    the seventh derivative, and rounding over h is 1e-13."""
    return sum(weight * (function(k * h) - function(-k * h)) for k, weight in SIXTH.items()) / h
