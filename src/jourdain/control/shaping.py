"""Input shaping: a motion delayed and added to itself so that what it excites cancels.

Singer & Seering 1990 (ZV, ZVD), Singhose, Derezinski & Singer 1996 (EI).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..basics.arguments import checked
from ..basics.errors import ModelError
from ..basics.values import as_array, shown, suggestion
from ..describe.motions import PIECES, Motion

KINDS = ("ZV", "ZVD", "EI")


@checked
class Shaper:
    """Impulses whose vibrations of one mode, or of several, cancel.

    frequency    natural frequency of the mode, undamped [Hz]: `model.frequencies(state, hold=...).hz`; several for
                 several modes
    damping      its ratio, one for each frequency or one for all; under 1
    kind         "ZV": no residual vibration at the frequency, half a period long; "ZVD": nor any first derivative of it
                 by the frequency, a period long; "EI": as long, with a residual of `vibration` at the frequency and
                 none on either side of it
    vibration    residual that "EI" allows, as a part of the unshaped one

    `times` [s] and `amplitudes`, which add up to one, are the impulses.
    """

    def __init__(
        self, frequency: ArrayLike, damping: ArrayLike = 0.0, kind: str = "ZV", vibration: float = 0.05
    ) -> None:
        if kind not in KINDS:
            raise ModelError.at("Shaper", f"kind is {shown(kind)}; {suggestion(str(kind), KINDS)}", "kind")
        hz, zeta = np.atleast_1d(as_array(frequency, "frequency")), np.atleast_1d(as_array(damping, "damping"))
        if hz.ndim != 1 or not len(hz) or not np.all(np.isfinite(hz) & (hz > 0.0)):
            raise ModelError.at("frequency", f"got {shown(frequency)}; give natural frequencies above zero [Hz]")
        if len(zeta) not in (1, len(hz)) or not np.all((zeta >= 0.0) & (zeta < 1.0)):
            raise ModelError.at("damping", f"got {shown(damping)}; give a ratio from 0 to below 1 for each frequency")
        if kind == "EI" and not 0.0 < vibration < 1.0:
            raise ModelError.at("vibration", f"got {vibration}; give a part between 0 and 1")
        self.kind = kind
        self.times, self.amplitudes = np.zeros(1), np.ones(1)
        for f, z in zip(hz, np.broadcast_to(zeta, hz.shape), strict=True):
            times, amplitudes = _impulses(kind, 2.0 * np.pi * f, float(z), vibration)
            self.times = np.add.outer(self.times, times).ravel()
            self.amplitudes = np.multiply.outer(self.amplitudes, amplitudes).ravel()
        order = np.argsort(self.times)
        self.times, self.amplitudes = self.times[order], self.amplitudes[order]

    @property
    def duration(self) -> float:
        """By how much a shaped motion is longer [s]."""
        return float(self.times[-1])

    def residual(self, frequency: ArrayLike, damping: float = 0.0) -> np.ndarray:
        """Amplitude that a mode is left with, over that after one impulse of the same sum.

        V = e^(-zeta w t_n) |sum A_i e^(zeta w t_i) e^(i w_d t_i)|, Singer & Seering 1990: the shaped amplitude at the
        last impulse, over the unshaped one at its only impulse.

        frequency    [Hz]
        """
        w = 2.0 * np.pi * as_array(frequency, "frequency")
        pole = w * (damping + 1j * np.sqrt(1.0 - damping**2))
        return np.abs(np.exp(np.multiply.outer(pole, self.times - self.times[-1])) @ self.amplitudes)

    def shape(self, motion: Motion, value: float = 0.0, until: float | None = None, pieces: int = 200) -> ShapedMotion:
        """The motion, shaped: the sum of its delayed copies, each by its amplitude.

        motion    a profile, such as `jd.Cycloid`
        value     of the coordinate where the motion begins, for profiles that begin from the state's value [rad or m]
        until     how long the motion itself lasts [s]; None: as a Cycloid or Table says
        pieces    polynomials of fifth degree in each stretch between the beginnings and ends of the copies, which
                  have the motion's value, rate and acceleration at their ends: an error of the sixth order
        """
        return ShapedMotion(motion, self.times, self.amplitudes, float(value), _ends(motion, until), pieces)

    def __repr__(self) -> str:
        pulses = ", ".join(f"{a:.4f} at {t:.4g} s" for a, t in zip(self.amplitudes, self.times, strict=True))
        return f"<Shaper {self.kind}: {pulses}>"


@dataclass(frozen=True)
class ShapedMotion(Motion, known=False):
    """What `Shaper.shape` makes; held before and after.

    motion        the profile
    delays        of its copies [s]
    amplitudes    of its copies
    value         where the motion begins
    ends          begin and end of the motion itself [s]
    pieces        polynomials a stretch
    """

    motion: Motion
    delays: Any
    amplitudes: Any
    value: float
    ends: tuple[float, float]
    pieces: int
    code = PIECES

    def numbers(self, value: float, name: str) -> np.ndarray:
        times = _knots(self.ends, np.asarray(self.delays), self.pieces)
        states = self.sample(times)
        coefficients = hermite_coefficients(np.diff(times), states)
        return np.concatenate([[0.0, len(times) - 1.0, 5.0, 1.0], times, coefficients.ravel()])

    def sample(self, times: Sequence[float] | np.ndarray) -> np.ndarray:
        """Value, rate and acceleration at times (nt, 3)."""
        from ..kernels.tree.motions import profile

        numbers = self.motion.numbers(self.value, "motion")
        out = np.zeros((len(times), 3))
        for delay, amplitude in zip(self.delays, self.amplitudes, strict=True):
            at = np.clip(np.asarray(times) - delay, *self.ends)
            out += amplitude * np.array([profile.py_func(self.motion.code, numbers, 0, t) for t in at])
        return out

    def described_value(self, name: str) -> Any:
        return getattr(self, name)


def _impulses(kind: str, w: float, zeta: float, vibration: float) -> tuple[np.ndarray, np.ndarray]:
    """Times [s] and amplitudes for one mode of natural frequency w [rad/s]."""
    half = np.pi / (w * np.sqrt(1.0 - zeta**2))
    K = np.exp(-zeta * w * half)
    if kind == "ZV":
        return half * np.arange(2.0), np.array([1.0, K]) / (1.0 + K)
    if kind == "ZVD":
        return half * np.arange(3.0), np.array([1.0, 2.0 * K, K * K]) / (1.0 + K) ** 2
    if zeta == 0.0:
        return half * np.arange(3.0), np.array([1.0 + vibration, 2.0 * (1.0 - vibration), 1.0 + vibration]) / 4.0
    return _insensitive(w, zeta, vibration)


def _insensitive(w: float, zeta: float, vibration: float) -> tuple[np.ndarray, np.ndarray]:
    """EI with damping: the residual is `vibration` and has derivative zero at w, and is zero at one on either side.

    Six equations for two amplitudes, two times and the two frequencies, by Newton's method from the undamped solution,
    the damping raised in steps.
    """
    from scipy.optimize import fsolve

    def signal(x: np.ndarray, at: float, z: float) -> complex:
        pole = 2.0 * np.pi * at * (z + 1j * np.sqrt(1.0 - z * z))
        amplitudes = np.array([x[0], x[1], 1.0 - x[0] - x[1]])
        return complex(np.sum(amplitudes * np.exp(pole * (np.array([0.0, x[2], x[3]]) - x[3]))))

    def off(x: np.ndarray, z: float) -> list[float]:
        below, above = signal(x, x[4], z), signal(x, x[5], z)
        h = 1e-5
        size = [abs(signal(x, at, z)) for at in (1.0 - h, 1.0, 1.0 + h)]
        return [below.real, below.imag, above.real, above.imag, size[1] - vibration, (size[2] - size[0]) / (2.0 * h)]

    side = np.arccos((vibration - 1.0) / (1.0 + vibration)) / np.pi
    x = np.array([(1.0 + vibration) / 4.0, (1.0 - vibration) / 2.0, 0.5, 1.0, side, 2.0 - side])
    for z in np.linspace(0.0, zeta, 2 + int(40.0 * zeta))[1:]:
        x, info, flag, _ = fsolve(off, x, args=(z,), full_output=True, xtol=1e-13)
        if flag != 1 and np.max(np.abs(info["fvec"])) > 1e-9:
            raise ModelError.at("Shaper", f"no EI shaper with a damping of {zeta:g} was found; use ZVD")
    period = 2.0 * np.pi / w
    return period * np.array([0.0, x[2], x[3]]), np.array([x[0], x[1], 1.0 - x[0] - x[1]])


def _ends(motion: Motion, until: float | None) -> tuple[float, float]:
    if not isinstance(motion, Motion):
        raise ModelError.at("shape", f"got {type(motion).__name__}; give a profile, such as jd.Cycloid")
    if isinstance(motion, ShapedMotion):
        return motion.ends[0], motion.ends[1] + float(np.max(motion.delays))
    begin = float(getattr(motion, "start", 0.0))
    if np.any(getattr(motion, "speeds", 0.0)):
        raise ModelError.at(
            "shape", "a Table that begins or ends with a speed cannot be shaped; let it begin and end at rest"
        )
    if hasattr(motion, "times"):
        begin, end = float(motion.times[0]), float(motion.times[-1])
    elif hasattr(motion, "duration"):
        end = begin + float(motion.duration)
    elif until is None:
        raise ModelError.at("shape", f"a {type(motion).__name__} has no end of its own; give until= [s]")
    else:
        end = float(until)
    return begin, end if until is None else float(until)


def _knots(ends: tuple[float, float], delays: np.ndarray, pieces: int) -> np.ndarray:
    """Times between which the sum is smooth, each stretch cut into pieces."""
    corners = np.unique(np.round(np.concatenate([ends[0] + delays, ends[1] + delays]), 12))
    stretches = [np.linspace(a, b, pieces + 1)[:-1] for a, b in zip(corners[:-1], corners[1:], strict=True)]
    return np.concatenate([*stretches, corners[-1:]])


def hermite_coefficients(h: np.ndarray, states: np.ndarray) -> np.ndarray:
    """Coefficients (n, 6) in rising powers of the polynomials with these values, rates and accelerations."""
    h = h[:, None]
    p0, v0, a0 = (states[:-1, i : i + 1] for i in range(3))
    p1, v1, a1 = (states[1:, i : i + 1] for i in range(3))
    d = p1 - p0 - v0 * h - 0.5 * a0 * h**2
    e = v1 - v0 - a0 * h
    f = a1 - a0
    return np.hstack(
        [
            p0,
            v0,
            0.5 * a0,
            (10.0 * d - 4.0 * e * h + 0.5 * f * h**2) / h**3,
            (-15.0 * d + 7.0 * e * h - f * h**2) / h**4,
            (6.0 * d - 3.0 * e * h + 0.5 * f * h**2) / h**5,
        ]
    )
