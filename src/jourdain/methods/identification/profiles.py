"""Confidence intervals from the likelihood itself, where the linearised ones are too narrow.

The end of a 95 % interval of a parameter is where the least weighted sum of squares that is left to all others, motion
included, has risen by 1.96^2 (Bates & Watts 1988, 6.1). Where the law is linear in the parameter this is 1.96 standard
errors, and where it is curved it is not.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .fitting import Fit, fit

FAR = 1.0
"""Change of theta at which the search for an end gives up: the record does not determine it."""
CLOSE = 0.05
"""How far sqrt(rise of the sum of squares) may be from what is wanted: a fortieth of 1.96."""
STEEP = 3.0
"""Roots beyond this many times what is wanted say little of where it is: the search halves."""
MOST = 16
"""Fits in the search for one end."""


class HeldParameter:
    """Forces with one entry of theta held."""

    def __init__(self, forces: Any, entry: int, value: float) -> None:
        self.forces, self.entry, self.value, self.motion = forces, entry, value, forces.motion

    def full(self, theta: np.ndarray) -> np.ndarray:
        """theta with the held entry."""
        return np.insert(theta, self.entry, self.value)

    def suit(self, theta: np.ndarray) -> int:
        """Steps within an interval."""
        return self.forces.suit(self.full(theta))

    def residuals(self, theta: np.ndarray, c: np.ndarray) -> np.ndarray:
        """As of the forces."""
        return self.forces.residuals(self.full(theta), c)

    def by_theta(self, theta: np.ndarray, c: np.ndarray) -> np.ndarray:
        """As of the forces, without the held entry."""
        return np.delete(self.forces.by_theta(self.full(theta), c), self.entry, axis=1)

    def by_motion(self, theta: np.ndarray, c: np.ndarray) -> np.ndarray:
        """As of the forces."""
        return self.forces.by_motion(self.full(theta), c)


def profile_end(forces: Any, found: Fit, entry: int, error: float, side: float, wanted: float) -> float:
    """theta[entry] on one side (-1, 1) where sqrt of the rise is `wanted`; infinite when that is beyond `FAR`.

    Every search begins at the farthest fit that is still inside the interval. One that begins outside may stay there,
    where other parameters have run away to make up for this one, and the interval then looks too narrow.
    """
    best = found.theta[entry]
    theta, c = np.delete(found.theta, entry), found.c
    low, high, step = (0.0, 0.0), None, min(wanted * error, FAR)
    for _ in range(MOST):
        other = fit(HeldParameter(forces, entry, best + side * step), forces.motion, theta, c, informed=False)
        root = float(np.sqrt(max(other.chi2 - found.chi2, 0.0)))
        if abs(root - wanted) < CLOSE:
            return best + side * step
        if root < wanted:
            if step == FAR:
                return side * np.inf
            low, theta, c = (step, root), other.theta, other.c
        else:
            high = (step, root)
        if high is None:
            step = min(FAR, step * min(2.5, 1.1 * wanted / max(root, 1e-3)))
            continue
        if high[0] - low[0] < CLOSE * error:  # as steep as a wall
            break
        part = (wanted - low[1]) / (high[1] - low[1]) if high[1] < STEEP * wanted else 0.5
        step = low[0] + (high[0] - low[0]) * float(np.clip(part, 0.1, 0.9))
    return best + side * (high[0] if high else step)
