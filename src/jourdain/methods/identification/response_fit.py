"""Frequency responses that were measured: the values of unknowns with which a model answers as the record does.

    minimise  sum_k |ln H(i w_k, x) - ln G_k|^2 / s_k^2,

H the response of the model, linear near a state, from an effort or a wrench to a motion or a force; G the measured one
and s its relative error. The logarithm weighs resonances and what lies between them alike, and outliers less than the
plain difference does (logarithmic least squares, Pintelon & Schoukens 2012, System Identification, 9.9). Its real part
is the amplitude, its imaginary part the phase, of which whole turns do not count.
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
from ...model.model import Model
from ...model.state import State
from .spectra import SpectralFit, differences, numbers_of, solve
from .unknowns import Unknowns

ERROR = 0.05
"""Relative error of a response, where none is given."""
ROUNDING = 1e-12
"""Response over the largest that its modes could give, which is none."""
FEWEST = 4
"""Lines of a spectrum at least."""


@dataclass(frozen=True, eq=False)
class ResponseFit(SpectralFit):
    """Unknowns from frequency responses.

    frequencies    [Hz] by (input, output); `measured` and `fitted` the complex responses there
    """

    frequencies: dict[tuple[str, str], np.ndarray]
    measured: dict[tuple[str, str], np.ndarray]
    fitted: dict[tuple[str, str], np.ndarray]

    def __str__(self) -> str:
        lines = self.lines()
        for pair, seen in self.measured.items():
            off = 100.0 * np.median(np.abs(self.fitted[pair] / seen - 1.0))
            lines.append(f"{pair[0]} -> {pair[1]}: {len(seen)} lines, off by {off:.3g} % in the median")
        return "\n".join(lines)


class _Responses:
    """Logarithms of the responses, amplitudes and phases, as functions of the numbers of a search."""

    tight = slice(0, 0)

    def __init__(
        self,
        unknowns: Unknowns,
        base: Model,
        state: State,
        effort: Any,
        hold: Sequence[str],
        spectra: Mapping[tuple[str, str], tuple[np.ndarray, np.ndarray, np.ndarray]],
    ) -> None:
        self.unknowns, self.base, self.state, self.effort, self.hold = unknowns, base, state, effort, list(hold)
        self.spectra = spectra
        self.inputs = list(dict.fromkeys(one for one, _ in spectra))
        self.outputs = list(dict.fromkeys(one for _, one in spectra))

    def responses(self, x: np.ndarray) -> dict[tuple[str, str], np.ndarray]:
        """H at the measured lines."""
        model = with_parameters(self.base, self.unknowns.of_model(x, 0), True)
        linear = model.linearize(self.state, self.effort, self.inputs, self.outputs, hold=self.hold)
        values, right = np.linalg.eig(linear.A)
        entering = np.linalg.solve(right, linear.B.astype(complex))
        leaving = linear.C @ right
        found = {}
        for (start, end), (hz, _, _) in self.spectra.items():
            i, o = self.inputs.index(start), self.outputs.index(end)
            far = 1.0 / (2j * np.pi * hz[:, None] - values)
            H = linear.D[o, i] + np.sum(leaving[o] * entering[:, i] * far, axis=1)
            most = np.linalg.norm(leaving[o]) * np.linalg.norm(entering[:, i]) * np.max(np.abs(far), axis=1)
            if np.all(np.abs(H) <= ROUNDING * most):
                raise ModelError.at(f"{start} -> {end}", "the model does not answer at all: nothing connects the two")
            found[start, end] = H
        return found

    def residuals(self, x: np.ndarray) -> np.ndarray:
        found = self.responses(x)
        parts = []
        for pair, (_, seen, spread) in self.spectra.items():
            off = np.log(found[pair] / seen)
            parts += [off.real / spread, off.imag / spread]
        return np.concatenate(parts)

    def jacobian(self, x: np.ndarray) -> np.ndarray:
        return differences(self.unknowns, x, self.residuals)


@checked
def identify_response(
    model: Model,
    responses: Mapping[tuple[str, str], tuple[Any, Any]],
    unknowns: Sequence[str] | Mapping[str, Any],
    *,
    state: State | None = None,
    effort: Any = None,
    hold: Iterable[str] = (),
    noise: float | Mapping[tuple[str, str], Any] = ERROR,
    start: Mapping[str, float] | None = None,
) -> ResponseFit:
    """The values of unknowns with which a model has measured frequency responses.

    responses      {("elbow", "payload.origin.vz"): (hz, H)}: from an input to an output, both named as
                   `model.linearize` has them, frequencies [Hz] and complex values in SI units
    unknowns       addresses with bounds, as `jd.identify` takes them; parameters of the model only
    state          near which it was measured, at rest or in a steady motion; `effort` and `hold` as `model.linearize`
                   takes them
    noise          relative error of the responses: one number, or by pair one or one a line
    start          values to begin with; resonances should lie nearer to the measured ones than to their neighbours
    """
    spectra = {pair: _spectrum(pair, one, noise) for pair, one in responses.items()}
    if not spectra:
        raise ModelError.at("responses", 'give at least one, {("elbow", "tip.vz"): (hz, H)}')
    here = model.state() if state is None else state
    numbers = numbers_of(model, here, unknowns, start, "frequency responses")
    problem = _Responses(numbers, model, here, effort, list(hold), spectra)
    best = solve(problem, numbers)
    return ResponseFit(
        **best.shared(model),
        frequencies={pair: one[0] for pair, one in spectra.items()},
        measured={pair: one[1] for pair, one in spectra.items()},
        fitted=problem.responses(best.x),
    )


def _spectrum(pair: Any, given: Any, noise: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Frequencies, values and errors of a response, checked."""
    if not (isinstance(pair, tuple) and len(pair) == 2 and all(isinstance(one, str) for one in pair)):
        raise ModelError.at("responses", f'got the key {shown(pair)}; give ("input", "output")')
    where = " -> ".join(pair)
    if not (isinstance(given, tuple) and len(given) == 2):
        raise ModelError.at(where, f"got {shown(given)}; give (frequencies [Hz], complex values)")
    hz, seen = np.asarray(given[0], float).ravel(), np.asarray(given[1], complex).ravel()
    if hz.shape != seen.shape or len(hz) < FEWEST:
        raise ModelError.at(
            where, f"{len(hz)} frequencies and {len(seen)} values; give as many of both, {FEWEST} or more"
        )
    if not np.all(np.isfinite(hz)) or np.any(hz <= 0.0):
        raise ModelError.at(where, "its frequencies are to be finite and above zero [Hz]")
    if not np.all(np.isfinite(seen)) or np.any(seen == 0.0):
        raise ModelError.at(where, "its values are to be finite and not zero; leave out lines that were not measured")
    told = noise.get(pair, ERROR) if isinstance(noise, Mapping) else noise
    spread = np.broadcast_to(np.asarray(told, float), hz.shape)
    if not np.all(np.isfinite(spread)) or np.any(spread <= 0.0):
        raise ModelError.at(where, "noise: give relative errors above zero")
    return hz, seen, spread
