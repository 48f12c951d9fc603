"""What step an explicit method bears, to explain a run that exploded."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from .model import Model


def imaginary_limit(method: str) -> float:
    """Largest omega h of an undamped oscillation that a fixed-step method does not make grow; 0: it always does."""
    return _limit(method, 1j)


def real_limit(method: str) -> float:
    """Largest rate times h of a decay that a fixed-step method does not make grow."""
    return _limit(method, -1.0 + 0.0j)


@lru_cache(maxsize=16)
def contact_limit(method: str) -> float:
    """Largest omega h of an undamped impact: stable, or growing by 1 % in the half oscillation that it lasts."""
    stable = imaginary_limit(method)
    if stable > 0.0:
        return stable
    grid = np.geomspace(1e-3, 1.0, 200)
    growth = np.array([np.log(abs(_amplification(method, 1j * y))) * np.pi / y for y in grid])
    return float(grid[growth <= 0.01].max(initial=grid[0]))


@lru_cache(maxsize=16)
def _limit(method: str, direction: complex) -> float:
    """How far the stability region |R(z)| <= 1 reaches along a direction."""
    grid = np.linspace(0.01, 4.0, 400)
    for y in grid:
        if abs(_amplification(method, direction * y)) > 1.0 + 1e-9:
            return float(y - 0.01)
    return float(grid[-1])


def _amplification(method: str, z: complex) -> complex:
    """R(z) = 1 + z b^T (1 - z A)^-1 1 of a method (Hairer & Wanner 1996, section IV.2)."""
    from ..kernels.integrate.tableaux import tableau

    table = tableau(method)
    n = len(table.b)
    return 1.0 + z * table.b @ np.linalg.solve(np.eye(n) - z * table.A[:n, :n], np.ones(n))


_FASTEST: dict[str, tuple[str, float]] = {}


def fastest_mode(model: Model) -> tuple[str, float]:
    """The body with the highest natural frequency, its frame held, and that frequency [rad/s]; ("", 0) when rigid."""
    if model.hash not in _FASTEST:
        from .bodies import body_of

        best = ("", 0.0)
        for name in model.bodies:
            body = body_of(model, name)
            frequencies = np.zeros(0) if body is None else body.clamped_frequencies()
            if len(frequencies) and frequencies[-1] > best[1]:
                best = (name, float(frequencies[-1]))
        _FASTEST[model.hash] = best
    return _FASTEST[model.hash]


def too_long(model: Model, method: str, step: float) -> str:
    """What to say of a step that is too long for the fastest mode of a flexible body, its frame held; "" if it is not.

    A payload lowers that frequency and a free root raises it, so this explains a run that failed and refuses none.
    """
    limit = imaginary_limit(method)
    if not model.flexible or limit == 0.0:
        return ""
    name, omega = fastest_mode(model)
    if omega * step <= limit:
        return ""
    return (
        f'the fastest mode of "{name}" has {omega:.4g} rad/s ({omega / (2.0 * np.pi):.4g} Hz) with its frame held, and '
        f'"{method}" then bears {limit / omega:.2g} s; give step={0.9 * limit / omega:.2g}, fewer modes, or an '
        "adaptive method"
    )
