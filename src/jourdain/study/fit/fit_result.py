"""What `jd.identify` returns: unknowns with what their values are worth, and records beside the fitted model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from ...compile.variation import with_parameters
from ...methods.identification.estimates import FittedChannel
from ...methods.identification.output_error import OutputError, SearchResult
from ...methods.identification.statistics import Combination, FitQuality, Whiteness, channel_residuals, hints, whiteness
from ...model.model import Model
from ...results.run import Run

CONFIDENCE = 0.95


@dataclass(frozen=True, eq=False)
class Comparison:
    """A channel of a record beside the fitted model.

    record, name      which
    time              (n,) [s]
    channel           measured and fitted values with the noise
    whiteness         whether what is left is noise
    """

    record: str
    time: np.ndarray
    channel: FittedChannel
    whiteness: Whiteness

    @property
    def name(self) -> str:
        """Of the quantity."""
        return self.channel.name

    @property
    def rms(self) -> float:
        """Root mean square of what is left, in the unit of the quantity."""
        return float(np.sqrt(np.mean((self.channel.measured - self.channel.fitted) ** 2)))

    @property
    def explained(self) -> float:
        """Part of the variation that the model explains: 1 - |measured - fitted| / |measured - mean|."""
        measured = self.channel.measured
        spread = float(np.linalg.norm(measured - np.mean(measured)))
        return 1.0 - float(np.linalg.norm(measured - self.channel.fitted)) / spread if spread > 0.0 else np.nan


class Fit:
    """Unknowns that were identified: `print(fit)` for all.

    values            by address; not-a-number where the records do not determine it
    errors            standard errors
    intervals         95 % confidence intervals
    correlation       {(address, address): value} of those that are determined
    unidentifiable    combinations of unknowns that no record shows, each in words and with its coefficients
    undetermined      addresses that have no value, each with the reason
    comparisons       measured and fitted channels of all records; `validation` those of records that were kept apart
    noise             standard deviation by channel, given or estimated
    hints             what besides the model would explain what is left
    converged         whether the search came to its end
    model             with the values; what is not determined has one of the values that fit alike
    """

    def __init__(
        self, base: Model, problem: OutputError, found: SearchResult, made: FitQuality, names: Sequence[str]
    ) -> None:
        self._base, self.problem, self.estimate, self._worth = base, problem, found, made
        unknowns = problem.unknowns
        self._kept = [i for i, name in enumerate(unknowns.names) if name in set(names)]
        reported = unknowns.reported(found.x)
        self._all = dict(zip(unknowns.names, reported, strict=True))
        self.names = [unknowns.names[i] for i in self._kept]
        self.undetermined = {name: why for name, why in made.undetermined.items() if name in self.names}
        self.values = {name: np.nan if name in self.undetermined else float(self._all[name]) for name in self.names}
        self.errors = {unknowns.names[i]: float(made.errors[i]) for i in self._kept}
        self.unidentifiable: tuple[Combination, ...] = made.unidentifiable
        self.noise = dict(found.noise)
        self.freedom = made.freedom
        self.converged = found.converged
        self.iterations = found.iterations
        self.comparisons = _comparisons(problem, found)
        self.validation: list[Comparison] = []
        self.hints = list(problem.suspicions) or [
            one
            for c in self.comparisons
            for one in hints(c.name, c.time, c.channel.measured, c.channel.fitted, float(c.channel.noise))
        ]

    @cached_property
    def intervals(self) -> dict[str, tuple[float, float]]:
        """95 % confidence intervals; of Student's distribution where the noise was estimated."""
        from scipy.stats import norm, t

        side = 0.5 + 0.5 * CONFIDENCE
        k = float(t.ppf(side, self.freedom) if self.problem.estimated else norm.ppf(side))
        return {
            name: (np.nan, np.nan) if name in self.undetermined else (value - k * error, value + k * error)
            for (name, value), error in zip(self.values.items(), self.errors.values(), strict=True)
        }

    @cached_property
    def correlation(self) -> dict[tuple[str, str], float]:
        """Of pairs of determined unknowns."""
        C, names = self._worth.covariance, self.problem.unknowns.names
        good = [i for i in self._kept if names[i] not in self.undetermined and C[i, i] > 0.0]
        return {
            (names[i], names[j]): float(C[i, j] / np.sqrt(C[i, i] * C[j, j]))
            for n, i in enumerate(good)
            for j in good[:n]
        }

    @cached_property
    def model(self) -> Model:
        """The model with the values; what is not determined has one of the values that fit alike."""
        places = self.problem.experiments[0].places
        return with_parameters(self._base, {name: x for name, x in self._all.items() if name in places})

    @property
    def at_bounds(self) -> list[str]:
        """Unknowns that ended on one of their bounds: their intervals mean little."""
        u, x = self.problem.unknowns, self.estimate.x
        near = 1e-6 * u.scale
        return [name for i, name in enumerate(u.names) if x[i] - u.low[i] < near[i] or u.high[i] - x[i] < near[i]]

    @property
    def bounded(self) -> list[str]:
        """Words on unknowns that ended on one of their bounds."""
        text = "it ended on a bound, {:g}; widen its bounds, or hold it there: its interval means little"
        return [f"{name}: {text.format(self._all[name])}" for name in self.at_bounds if name in self.names]

    @property
    def chi2(self) -> float:
        """Sum of squares of the residuals over the noise; near `freedom` where the model describes the records."""
        return float(np.sum(self.estimate.residuals[: self.estimate.samples] ** 2))

    def unit(self, name: str) -> str:
        """Unit of an unknown."""
        table = self._base.parameters
        return table.unit(name) if name in table else ""  # type: ignore[attr-defined]

    def run(self, record: int = 0) -> Run:
        """The run of the fitted model beside a record (from 0)."""
        values = self.problem.unknowns.of_model(self.estimate.x, record)
        return self.problem.experiments[record].run(values)

    def report(self, path: str | Path) -> Path:
        """Write a page with the values, the fit, the residuals and the intervals; nothing from outside in it."""
        from ..report.fit_report import write_fit_report

        return write_fit_report(self, path)

    def __str__(self) -> str:
        lines = []
        for name in self.names:
            if name in self.undetermined:
                lines.append(f"{name:28} not determined: {self.undetermined[name]}")
                continue
            low, high = self.intervals[name]
            unit = f" [{self.unit(name)}]" if self.unit(name) not in ("", "1") else ""
            lines.append(
                f"{name:28} {self.values[name]:<12.6g} +- {self.errors[name]:<9.2g} {low:.6g} ... {high:.6g}{unit}"
            )
        for one in self.comparisons:
            white = "white" if one.whiteness.white else "not white"
            lines.append(f"{one.record}, {one.name}: rms {one.rms:.3g}, {100 * one.explained:.2f} % explained, {white}")
        return "\n".join([*lines, *self.hints, *self.bounded])

    def __repr__(self) -> str:
        return str(self)


def _comparisons(problem: OutputError, found: SearchResult) -> list[Comparison]:
    out = []
    for i, j, residuals in channel_residuals(problem, found):
        record, channel = problem.records[i], problem.records[i].channels[j]
        noise = found.noise[channel.name]
        fitted = channel.values + noise * residuals
        stated = FittedChannel(channel.name, channel.unit, channel.values, fitted, noise)
        out.append(Comparison(record.name, channel.time, stated, whiteness(residuals)))
    return out
