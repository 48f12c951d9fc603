"""What step an explicit method bears, to explain a run that exploded."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from .model import Model


@lru_cache(maxsize=16)
def imaginary_limit(method: str) -> float:
    """Largest omega h of an undamped oscillation that a fixed-step method does not make grow; 0 where it always does.

    Stability function R(z) = 1 + z b^T (1 - z A)^-1 1 on the imaginary axis (Hairer & Wanner 1996, section IV.2).
    """
    from .kernels.tableaux import tableau

    table = tableau(method)
    n = len(table.b)
    ones = np.ones(n)
    grid = np.linspace(0.01, 4.0, 400)
    for y in grid:
        growth = abs(1.0 + 1j * y * table.b @ np.linalg.solve(np.eye(n) - 1j * y * table.A[:n, :n], ones))
        if growth > 1.0 + 1e-9:
            return float(y - 0.01)
    return float(grid[-1])


_FASTEST: dict[str, tuple[str, float]] = {}


def fastest_mode(model: Model) -> tuple[str, float]:
    """The body with the highest natural frequency, its frame held, and that frequency [rad/s]; ("", 0) when rigid."""
    if model.hash not in _FASTEST:
        from .bodies import KINDS, body_from_dict

        best = ("", 0.0)
        for entry in model.description["bodies"]:
            if entry["body"]["kind"] in KINDS:
                frequencies = body_from_dict(entry["body"]).clamped_frequencies()
                if len(frequencies) and frequencies[-1] > best[1]:
                    best = (entry["body"]["name"], float(frequencies[-1]))
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
