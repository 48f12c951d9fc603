"""Fixed points by what the last iterates taught."""

from __future__ import annotations

import numpy as np

DEPTH = 8
"""Most iterates that are remembered."""


class Anderson:
    """Anderson's mixing (1965; Walker & Ni 2011): of x = g(x), the combination of the last iterates whose residuals
    g(x) - x are smallest together, by least squares.

    relaxation    a factor instead: x + relaxation (g(x) - x)
    """

    def __init__(self, relaxation: float | None = None) -> None:
        self.relaxation = relaxation
        self.x: list[np.ndarray] = []
        self.g: list[np.ndarray] = []

    def next(self, x: np.ndarray, g: np.ndarray) -> np.ndarray:
        """The next iterate after x, whose image is g."""
        if self.relaxation is not None:
            return x + self.relaxation * (g - x)
        self.x, self.g = [*self.x, x][-DEPTH:], [*self.g, g][-DEPTH:]
        if len(self.x) == 1:
            return g
        residuals = np.array([b - a for a, b in zip(self.x, self.g, strict=True)])
        steps, images = np.diff(residuals, axis=0).T, np.diff(np.array(self.g), axis=0).T
        weights, *_ = np.linalg.lstsq(steps, residuals[-1], rcond=1e-12)
        return g - images @ weights
