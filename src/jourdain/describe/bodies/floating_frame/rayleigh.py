"""Rayleigh damping, by its coefficients or by the damping ratios that it should have."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from ....basics.arguments import checked
from ....basics.errors import ModelError
from ....basics.values import as_array, as_number, shown


@checked
class Rayleigh(tuple):
    """Damping alpha M + beta K of a flexible body: the pair (alpha [1/s], beta [s]).

    alpha, beta    the coefficients; or
    ratios         two frequencies with the damping ratios there: ((10.0, 0.01), (100.0, 0.02)), in Hz

    At the circular frequency w the ratio is (alpha / w + beta w) / 2 (Rayleigh 1877, section 97): a convex curve, below
    two equal ratios between their frequencies and above them outside.
    """

    def __new__(
        cls, alpha: float | None = None, beta: float | None = None, *, ratios: ArrayLike | None = None
    ) -> Rayleigh:
        if ratios is None:
            if alpha is None or beta is None:
                raise ModelError.at("Rayleigh", "give alpha and beta, or ratios=((10.0, 0.01), (100.0, 0.02)) in Hz")
            pair = as_number(alpha, "Rayleigh: alpha"), as_number(beta, "Rayleigh: beta")
            if not all(np.isfinite(one) and one >= 0.0 for one in pair):
                raise ModelError.at("Rayleigh", f"alpha and beta are {shown(pair)}; give finite numbers, none negative")
            return super().__new__(cls, pair)
        if alpha is not None or beta is not None:
            raise ModelError.at("Rayleigh", "got ratios and coefficients; give one or the other")
        table = as_array(ratios, "Rayleigh: ratios")
        if table.shape != (2, 2) or not np.all(np.isfinite(table)):
            raise ModelError.at(
                "Rayleigh: ratios", f"got {shown(ratios)}; give two pairs of a frequency [Hz] and a damping ratio"
            )
        (f1, z1), (f2, z2) = table.tolist()
        if not (f1 > 0.0 and f2 > 0.0 and f1 != f2) or z1 < 0.0 or z2 < 0.0:
            raise ModelError.at(
                "Rayleigh: ratios", f"got {shown(ratios)}; give two different frequencies above zero, no ratio negative"
            )
        a, b = 2.0 * np.pi * f1, 2.0 * np.pi * f2
        alpha, beta = 2.0 * a * b * (b * z1 - a * z2) / (b * b - a * a), 2.0 * (b * z2 - a * z1) / (b * b - a * a)
        size = z1 + z2
        if alpha < -1e-12 * size * a or beta < -1e-12 * size / b:
            low, high = sorted((z1 * f1 / f2, z1 * f2 / f1))
            raise ModelError.at(
                "Rayleigh: ratios",
                f"no damping has the ratio {z1:g} at {f1:g} Hz and {z2:g} at {f2:g} Hz: the second can be {low:.4g} to "
                f"{high:.4g}",
            )
        return super().__new__(cls, (max(0.0, float(alpha)), max(0.0, float(beta))))

    def __getnewargs__(self) -> tuple[float, float]:
        return self.alpha, self.beta

    @property
    def alpha(self) -> float:
        """Of the mass matrix [1/s]."""
        return self[0]

    @property
    def beta(self) -> float:
        """Of the stiffness matrix [s]."""
        return self[1]

    def ratio(self, frequency: ArrayLike) -> np.ndarray:
        """Damping ratio at frequencies [Hz]."""
        w = 2.0 * np.pi * np.asarray(frequency, float)
        return 0.5 * (self.alpha / w + self.beta * w)

    def __repr__(self) -> str:
        return f"Rayleigh(alpha={self.alpha:g}, beta={self.beta:g})"
