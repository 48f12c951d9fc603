"""Spectra and frequency responses from records, and the input that makes a system answer as it was measured.

With X(f_k) = dt sum x_n exp(-2 pi i k n / N) of each of n_d frames (Bendat & Piersol 2010, chapter 11),

    G_xx = 2 / (n_d N dt) sum |X|^2,   G_xy = 2 / (n_d N dt) sum X* Y,   H1 = G_xy / G_xx,
    coherence = |G_xy|^2 / (G_xx G_yy).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from ...basics.arguments import checked
from ...basics.errors import ModelError
from ...basics.values import as_array, as_number, shown

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
        told = np.where(G_xx * G_yy > 0.0, np.abs(G_xy) ** 2 / (G_xx * G_yy), np.nan)
    return Response(np.fft.rfftfreq(frame, dt), H, told, G_xx, G_yy)


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
