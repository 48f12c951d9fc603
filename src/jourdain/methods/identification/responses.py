"""Spectra and frequency responses from records, and the input that makes a system answer as it was measured.

With X(f_k) = dt sum x_n exp(-2 pi i k n / N) of each of n_d frames (Bendat & Piersol 2010, chapter 11),

    G_xx = 2 / (n_d N dt) sum |X|^2,   G_xy = 2 / (n_d N dt) sum X* Y,   H1 = G_xy / G_xx,
    coherence = |G_xy|^2 / (G_xx G_yy).

Frequency responses that were measured: the values of unknowns with which a model answers as the record does.

    minimise  sum_k |ln H(i w_k, x) - ln G_k|^2 / s_k^2,

H the response of the model, linear near a state, from an effort or a wrench to a motion or a force; G the measured one
and s its relative error. The logarithm weighs resonances and what lies between them alike, and outliers less than the
plain difference does (logarithmic least squares, Pintelon & Schoukens 2012, System Identification, 9.9). Its real part
is the amplitude, its imaginary part the phase, of which whole turns do not count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...basics.arguments import checked
from ...basics.errors import ModelError
from ...basics.values import as_array, as_number, shown
from ...compile.variation import with_parameters
from ...model.model import Model
from ...model.state import State
from .spectra import SpectralFit, differences, numbers_of, solve
from .unknowns import Unknowns

WINDOWS = ("none", "hann")


@dataclass(frozen=True, eq=False)
class Response:
    """A frequency response from records.

    frequency      (n,) [Hz]
    response       H1 (n,), output over input
    coherence      (n,), 1 where the output is the input's alone; 1 everywhere from a single frame
    input, output  one-sided spectra (n,), squares of the signals' units a hertz
    """

    frequency: np.ndarray
    response: np.ndarray
    coherence: np.ndarray
    input: np.ndarray
    output: np.ndarray


@checked
def estimate_response(
    x: ArrayLike, y: ArrayLike, spacing: float, frame: int = 1024, *, window: str = "none", overlap: float = 0.0
) -> Response:
    """The frequency response of a system from samples of what went in and what came out.

    x, y       input and output, samples at the same times
    spacing    of samples [s]
    frame      samples of a frame; averages are over all whole frames
    window     "hann", or "none" where frames are periods of a signal that repeats itself
    overlap    of frames, 0 to 0.9
    """
    given, taken, dt = as_array(x, "x"), as_array(y, "y"), as_number(spacing, "spacing")
    if given.ndim != 1 or given.shape != taken.shape or not np.all(np.isfinite(np.append(given, taken))):
        raise ModelError.at(
            "y", f"x has the shape {given.shape} and y {taken.shape}; give as many finite samples of each"
        )
    if not isinstance(frame, int) or not 8 <= frame <= len(given):
        raise ModelError.at("frame", f"got {shown(frame)}; give 8 to {len(given)} samples")
    if window not in WINDOWS:
        raise ModelError.at("window", f"got {shown(window)}; give one of {', '.join(WINDOWS)}")
    if dt <= 0.0 or not 0.0 <= overlap <= 0.9:
        raise ModelError.at("spacing", f"is {dt:g} s and overlap {overlap:g}; give more than 0 s and 0 to 0.9")
    shape = np.ones(frame) if window == "none" else 0.5 - 0.5 * np.cos(2.0 * np.pi * np.arange(frame) / frame)
    hop = max(1, round(frame * (1.0 - overlap)))
    begins = range(0, len(given) - frame + 1, hop)
    X, Y = (dt * np.array([np.fft.rfft(shape * one[i : i + frame]) for i in begins]) for one in (given, taken))
    factor = 2.0 / (frame * dt * np.mean(shape**2))
    G_xx, G_yy = (factor * np.mean(np.abs(one) ** 2, axis=0) for one in (X, Y))
    G_xy = factor * np.mean(X.conj() * Y, axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        H = np.where(G_xx > 0.0, G_xy / G_xx, np.nan)
        stated = np.where(G_xx * G_yy > 0.0, np.abs(G_xy) ** 2 / (G_xx * G_yy), np.nan)
    return Response(np.fft.rfftfreq(frame, dt), H, stated, G_xx, G_yy)


@dataclass(frozen=True, eq=False)
class Reconstruction:
    """An input that was found from an output.

    input     (n,), of the last pass
    output    (n,), what the system answered to it
    errors    of the spectra in the band, |target - answer| over target, after each pass; the first is without any
    """

    input: np.ndarray
    output: np.ndarray
    errors: np.ndarray


@checked
def reconstruct_input(
    simulate: Callable[[np.ndarray], ArrayLike],
    target: ArrayLike,
    response: Response,
    band: tuple[float, float],
    *,
    gain: float = 0.7,
    passes: int = 5,
    start: ArrayLike | None = None,
) -> Reconstruction:
    """The input to which a system answers as measured, found by passes through a simulation of it.

    D <- D + gain H^-1 (Y_target - Y), D and Y the spectra of input and answer, complex, line by line in the band: the
    method of Yoo, Kim & Kim 2003 with amplitudes throughout, where the paper adds power spectra. For a linear system
    with an exact response one pass at gain 1 is enough; others need a gain below 1.

    simulate    answers a period of an input (n,) with one of the output (n,), settled
    target      the output that was measured, a period (n,)
    response    of the system or of one like it, from frames of n samples
    band        (low, high) [Hz]; outside of it the input stays as it is
    start       (n,) to begin with; None for zero
    """
    wanted = np.array(as_array(target, "target"), float)
    n = len(wanted) if wanted.ndim == 1 else 0
    if n == 0 or len(response.frequency) != n // 2 + 1:
        raise ModelError.at(
            "target",
            f"has the shape {wanted.shape} and the response {len(response.frequency)} lines; give a frame of it",
        )
    low, high = float(band[0]), float(band[1])
    lines = (response.frequency >= low) & (response.frequency <= high) & np.isfinite(response.response)
    lines &= np.abs(response.response) > 0.0
    if not lines.any():
        raise ModelError.at("band", f"has no line of the response between {low:g} and {high:g} Hz")
    drive = np.zeros(n) if start is None else np.array(as_array(start, "start"), float)
    Y, goal, errors = np.zeros(n // 2 + 1, complex), np.fft.rfft(wanted), []
    for k in range(passes + 1):
        answer = np.array(as_array(simulate(drive.copy()), "simulate"), float)
        if answer.shape != wanted.shape:
            raise ModelError.at("simulate", f"answered with the shape {answer.shape}; give {wanted.shape}")
        Y = np.fft.rfft(answer)
        off = np.abs(np.abs(goal[lines]) ** 2 - np.abs(Y[lines]) ** 2).sum()
        errors.append(off / (np.abs(goal[lines]) ** 2).sum())
        if k < passes:
            D = np.fft.rfft(drive)
            D[lines] += gain * (goal[lines] - Y[lines]) / response.response[lines]
            drive = np.fft.irfft(D, n)
    return Reconstruction(drive, answer, np.array(errors))


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
    stated = noise.get(pair, ERROR) if isinstance(noise, Mapping) else noise
    spread = np.broadcast_to(np.asarray(stated, float), hz.shape)
    if not np.all(np.isfinite(spread)) or np.any(spread <= 0.0):
        raise ModelError.at(where, "noise: give relative errors above zero")
    return hz, seen, spread
