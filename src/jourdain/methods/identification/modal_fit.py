"""Modes that were measured: the values of unknowns with which a model has these frequencies and damping ratios.

    minimise  sum_i (ln f_i(x) - ln m_i)^2 / s_i^2 + sum_i (z_i(x) - c_i)^2 / r_i^2,

f and z natural frequencies and damping ratios near a state, m and c the measured ones, s the relative error of a
frequency, r the error of a ratio (Friswell & Mottershead 1995, Finite Element Model Updating, 8.2). Modes keep to their
shapes: at every step a mode of the model is the one whose shape is most like that which it had (modal assurance
criterion, Allemang & Brown 1982), so that modes may pass each other.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...basics.arguments import checked
from ...basics.errors import ModelError
from ...basics.values import shown
from ...compile.variation import with_parameters
from ...model.linear.modes import Frequencies
from ...model.model import Model
from ...model.state import State
from .spectra import SpectralFit, differences, numbers_of, solve
from .unknowns import Unknowns

ERROR = 0.01
"""Relative error of a frequency, where none is given."""
RATIO = 0.1
"""Error of a damping ratio over itself, where none is given."""


@dataclass(frozen=True, eq=False)
class ModalFit(SpectralFit):
    """Unknowns from modes.

    measured    frequencies [Hz], and `fitted` those of the model
    damping     ratios of the model
    """

    measured: np.ndarray
    fitted: np.ndarray
    damping: np.ndarray

    def __str__(self) -> str:
        pairs = zip(self.measured, self.fitted, strict=True)
        return "\n".join([*self.lines(), *(f"{a:10.4g} Hz measured {b:10.4g} Hz fitted" for a, b in pairs)])


class _Modes:
    """Frequencies and ratios of the modes that were measured, as functions of the numbers of a search."""

    tight = slice(0, 0)

    def __init__(self, unknowns: Unknowns, state: State, hold: Sequence[str], wanted: Sequence[int], stated: np.ndarray,
                 ratios: np.ndarray | None, errors: np.ndarray) -> None:  # fmt: skip
        self.unknowns, self.state, self.hold, self.wanted = unknowns, state, list(hold), list(wanted)
        self.stated, self.ratios, self.deviations = stated, ratios, errors
        self.base = unknowns.experiments[0].model
        self.shapes: np.ndarray | None = None

    def near(self, x: np.ndarray) -> Frequencies:
        values = self.unknowns.of_model(x, 0)
        model = with_parameters(self.base, {name: one for name, one in values.items()}, True)
        return model.frequencies(self.state, hold=self.hold)

    def numbers(self, x: np.ndarray, follow: bool = False) -> np.ndarray:
        """Logarithms of the frequencies, then ratios."""
        found = self.near(x)
        at = self.matched(found)
        if follow:
            self.shapes = found.shapes[:, at]
        parts = [np.log(found.hz[at])]
        if self.ratios is not None:
            parts.append(found.damping[at])
        return np.concatenate(parts)

    def matched(self, found: Frequencies) -> list[int]:
        """Which modes are those that were measured: by number at first, then by shape, no mode twice."""
        if self.shapes is None:
            if max(self.wanted) >= len(found.hz):
                raise ModelError.at(
                    "modes", f"mode {max(self.wanted) + 1} was asked for; the model has {len(found.hz)}"
                )
            return self.wanted
        from scipy.optimize import linear_sum_assignment

        a, b = self.shapes, np.nan_to_num(found.shapes)
        like = np.abs(a.conj().T @ b) ** 2 / np.outer(
            np.sum(np.abs(a) ** 2, axis=0), np.maximum(np.sum(np.abs(b) ** 2, axis=0), 1e-300)
        )
        return [int(j) for j in linear_sum_assignment(-like)[1]]

    def residuals(self, x: np.ndarray) -> np.ndarray:
        target = np.log(self.stated) if self.ratios is None else np.concatenate([np.log(self.stated), self.ratios])
        return (self.numbers(x) - target) / self.deviations

    def jacobian(self, x: np.ndarray) -> np.ndarray:
        self.numbers(x, follow=True)
        return differences(self.unknowns, x, self.numbers) / self.deviations[:, None]


@checked
def identify_modes(
    model: Model,
    frequencies: Sequence[float],
    unknowns: Sequence[str] | Mapping[str, Any],
    *,
    state: State | None = None,
    hold: Iterable[str] = (),
    damping: Sequence[float] | None = None,
    noise: float | Sequence[float] = ERROR,
    damping_noise: float | Sequence[float] | None = None,
    modes: Sequence[int] | None = None,
    start: Mapping[str, float] | None = None,
) -> ModalFit:
    """The values of unknowns with which a model has measured natural frequencies and damping ratios.

    frequencies      measured [Hz], of the slowest modes of the model, or of `modes`
    unknowns         addresses with bounds, as `jd.identify` takes them; parameters of the model only
    state, hold      near which, and with what held, as `model.frequencies` takes them
    damping          measured ratios, as many
    noise            relative error of the frequencies, one or one each
    damping_noise    error of the ratios, one or one each; a tenth of them unless given
    modes            numbers of the measured modes from 1, slowest first, in the model as it is; they keep to their
                     shapes
    start            values to begin with
    """
    stated = np.atleast_1d(np.asarray(frequencies, float))
    if stated.ndim != 1 or not len(stated) or not np.all(np.isfinite(stated)) or np.any(stated <= 0.0):
        raise ModelError.at("frequencies", f"got {shown(frequencies)}; give numbers above zero [Hz]")
    wanted = list(range(len(stated))) if modes is None else [int(i) - 1 for i in modes]
    if len(wanted) != len(stated) or min(wanted) < 0 or len(set(wanted)) != len(wanted):
        raise ModelError.at("modes", f"got {shown(modes)}; give {len(stated)} numbers from 1, each once")
    spread = np.broadcast_to(np.asarray(noise, float), stated.shape).astype(float)
    ratios = None if damping is None else np.asarray(damping, float)
    if ratios is not None:
        if ratios.shape != stated.shape:
            raise ModelError.at(
                "damping", f"{ratios.shape} ratios and {stated.shape} frequencies; give as many of both"
            )
        given = RATIO * np.abs(ratios) if damping_noise is None else np.asarray(damping_noise, float)
        spread = np.concatenate([spread, np.broadcast_to(given, stated.shape)])
    if not np.all(np.isfinite(spread)) or np.any(spread <= 0.0):
        raise ModelError.at("noise", "give errors above zero")
    here = model.state() if state is None else state
    numbers = numbers_of(model, here, unknowns, start, "modes")
    problem = _Modes(numbers, here, list(hold), wanted, stated, ratios, spread)
    problem.numbers(numbers.start, follow=True)
    best = solve(problem, numbers)
    last = problem.near(best.x)
    at = problem.matched(last)
    return ModalFit(**best.shared(model), measured=stated, fitted=last.hz[at], damping=last.damping[at])
