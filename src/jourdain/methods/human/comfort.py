"""Human exposure to vibration: frequency weightings, doses and the comfort of a ride (ISO 2631-1:1997, BS 6841:1987).

A weighting is a band of two poles at either end, a transition from acceleration to velocity and an upward step
(ISO 2631-1, annex A, eqs. A.1 to A.4):

    H = s^2 / (s^2 + w1 s / q + w1^2)  *  w2^2 / (s^2 + w2 s / q + w2^2)
        *  (1 + s / w3) / (1 + s / (Q4 w4) + (s / w4)^2)
        *  (w5 / w6)^2 (1 + s / (Q5 w5) + (s / w5)^2) / (1 + s / (Q6 w6) + (s / w6)^2),      q = 1 / sqrt(2)

It is applied to samples as the sum of its poles, each integrated exactly along straight lines between them.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...basics.arguments import checked
from ...basics.errors import ModelError
from ...basics.values import as_array, as_number, shown, suggestion


class Weighting(NamedTuple):
    """Frequencies [Hz] and resonant quality factors of a weighting; None where a part is left out."""

    f1: float
    f2: float
    f3: float | None = None
    f4: float | None = None
    Q4: float | None = None
    f5: float | None = None
    Q5: float | None = None
    f6: float | None = None
    Q6: float | None = None


WEIGHTINGS = {
    "Wk": Weighting(0.4, 100.0, 12.5, 12.5, 0.63, 2.37, 0.91, 3.35, 0.91),
    "Wd": Weighting(0.4, 100.0, 2.0, 2.0, 0.63),
    "Wf": Weighting(0.08, 0.63, None, 0.25, 0.86, 0.0625, 0.80, 0.1, 0.80),
    "Wc": Weighting(0.4, 100.0, 8.0, 8.0, 0.63),
    "We": Weighting(0.4, 100.0, 1.0, 1.0, 0.63),
    "Wj": Weighting(0.4, 100.0, None, None, None, 3.75, 0.91, 5.32, 0.91),
}
"""ISO 2631-1:1997, tables A.1 and A.2: Wk along the spine, Wd across it, Wf motion sickness, Wc backrest across, We
rotations, Wj recumbent head."""
REACTIONS = (
    (0.315, "not uncomfortable"),
    (0.63, "a little uncomfortable"),
    (1.0, "fairly uncomfortable"),
    (1.6, "uncomfortable"),
    (2.5, "very uncomfortable"),
)
"""Where the reactions of ISO 2631-1, C.2.3, end [m/s^2]; they overlap there, and the upper ends are taken."""


@checked
def weighting_factor(frequency: ArrayLike, weighting: str = "Wk") -> np.ndarray:
    """Complex factor of a weighting at frequencies [Hz]; its absolute value is what the standard's tables have."""
    zeros, poles, gain = _roots(weighting)
    s = 2j * np.pi * as_array(frequency, "frequency")
    out = np.full(np.shape(s), complex(gain))
    for zero in zeros:
        out = out * (s - zero)
    for pole in poles:
        out = out / (s - pole)
    return out


@checked
def weigh(acceleration: ArrayLike, step: float, weighting: str = "Wk") -> np.ndarray:
    """Weighted acceleration of evenly spaced samples along the first axis, from rest; `step` between them [s]."""
    from scipy.signal import lfilter

    a = as_array(acceleration, "acceleration")
    h = as_number(step, "step")
    if a.ndim == 0 or len(a) < 2 or not np.all(np.isfinite(a)):
        raise ModelError.at("acceleration", f"has shape {a.shape}; give two finite samples or more")
    if not math.isfinite(h) or h <= 0.0:
        raise ModelError.at("step", f"is {shown(step)} s; give a time above 0")
    zeros, poles, gain = _roots(weighting)
    out = np.zeros(a.shape)
    for k, pole in enumerate(poles):
        rest = np.delete(poles, k)
        residue = gain * np.prod(pole - zeros) / np.prod(pole - rest)
        grown = np.exp(pole * h)
        one, two = _integrals(pole * h)
        b = h * np.array([two, one - two])  # of the sample there, and of the one before
        part = lfilter(b, [1.0, -grown], a.astype(complex), axis=0)
        # the filter takes a sample of zero before the first; a ramp up to it would be another motion
        part -= lfilter(b[:1], [1.0, -grown], _first(a), axis=0)
        out += np.real(residue * part)
    return out


def _first(a: np.ndarray) -> np.ndarray:
    only = np.zeros(a.shape, complex)
    only[0] = a[0]
    return only


def _integrals(z: complex) -> tuple[complex, complex]:
    """(e^z - 1) / z and (e^z - 1 - z) / z^2."""
    if abs(z) > 0.2:
        return (np.exp(z) - 1.0) / z, (np.exp(z) - 1.0 - z) / z**2
    one = two = 0.0 + 0.0j
    for n in range(12, -1, -1):
        one = one * z + 1.0 / math.factorial(n + 1)
        two = two * z + 1.0 / math.factorial(n + 2)
    return one, two


def _roots(weighting: str) -> tuple[np.ndarray, np.ndarray, float]:
    """Zeros and poles [rad/s] and the gain of a weighting."""
    if weighting not in WEIGHTINGS:
        raise ModelError.at("weighting", f"{shown(weighting)} is unknown; {suggestion(str(weighting), WEIGHTINGS)}")
    w = WEIGHTINGS[weighting]
    turn = 2.0 * math.pi
    zeros, poles, gain = [0.0j, 0.0j], [*_pair(w.f1, math.sqrt(0.5)), *_pair(w.f2, math.sqrt(0.5))], (turn * w.f2) ** 2
    if w.f4 is not None and w.Q4 is not None:
        poles += _pair(w.f4, w.Q4)
        gain *= (turn * w.f4) ** 2
        if w.f3 is not None:
            zeros.append(complex(-turn * w.f3))
            gain /= turn * w.f3
    if w.f5 is not None and w.Q5 is not None and w.f6 is not None and w.Q6 is not None:
        zeros += _pair(w.f5, w.Q5)
        poles += _pair(w.f6, w.Q6)
    return np.array(zeros), np.array(poles), gain


def _pair(f: float, Q: float) -> list[complex]:
    """Roots of 1 + s / (Q w) + (s / w)^2."""
    w = 2.0 * math.pi * f
    return [complex(one) for one in np.roots([1.0, w / Q, w * w]).astype(complex)]


@checked
class DirectionComfort(NamedTuple):
    """Exposure to a vibration of one direction at one place.

    rms      of the weighted acceleration [m/s^2]
    vdv      vibration dose value, (integral a_w^4 dt)^(1/4) [m/s^1.75]
    mtvv     the largest r.m.s. over one second [m/s^2]
    crest    largest weighted acceleration over the r.m.s.
    """

    rms: float
    vdv: float
    mtvv: float
    crest: float


@checked
class Comfort(NamedTuple):
    """The comfort of a ride.

    places      exposure in each direction, factors not yet taken
    rms         sqrt(sum (k rms)^2) [m/s^2]
    vdv         (sum (k vdv)^4)^(1/4) [m/s^1.75]
    reaction    of people to that r.m.s. in public transport (ISO 2631-1, C.2.3)
    """

    places: Mapping[str, DirectionComfort]
    rms: float
    vdv: float
    reaction: str


@checked
def exposure(weighted: ArrayLike, step: float) -> DirectionComfort:
    """Measures of a weighted acceleration (samples,) [m/s^2], `step` between samples [s]."""
    a = as_array(weighted, "weighted")
    h = as_number(step, "step")
    if a.ndim != 1 or len(a) < 2 or not h > 0.0:
        raise ModelError.at("weighted", f"has shape {a.shape} and a step of {shown(step)} s; give samples and a step")
    mean = math.sqrt(_integral(a**2, h) / (h * (len(a) - 1)))
    decay = math.exp(-h)  # ISO 2631-1, eq. 3: an exponential window of one second
    from scipy.signal import lfilter

    running = lfilter([1.0 - decay], [1.0, -decay], a**2)
    largest = float(np.max(np.abs(a)))
    crest = largest / mean if mean > 0.0 else 0.0
    return DirectionComfort(mean, _integral(a**4, h) ** 0.25, math.sqrt(float(np.max(running))), crest)


def _integral(y: np.ndarray, h: float) -> float:
    return float(h * (np.sum(y) - 0.5 * (y[0] + y[-1])))


@checked
def comfort(
    accelerations: Mapping[str, ArrayLike],
    step: float,
    weightings: Mapping[str, str] | str = "Wk",
    factors: Mapping[str, float] | float = 1.0,
) -> Comfort:
    """The comfort of a ride from accelerations at places and in directions of the body.

    accelerations    samples (n,) [m/s^2] by names of your choice: "seat z", "back x"
    step             between samples [s]
    weightings       one for all, or by these names: "Wk", "Wd", ...
    factors          k of ISO 2631-1, 8.2.3, 0 to 1: one for all, or by these names

    The dose over several is (sum VDV^4)^(1/4), BS 6841; Valentini & Vita 2002 print it without the inner power.
    """
    names = list(accelerations)
    if not names:
        raise ModelError.at("accelerations", "got none; give samples by names, such as {'seat z': a}")
    kinds = _by_name(weightings, names, "weightings")
    shares = {name: as_number(k, f"factors: {name}") for name, k in _by_name(factors, names, "factors").items()}
    places = {name: exposure(weigh(accelerations[name], step, kinds[name]), step) for name in names}
    rms = math.sqrt(sum((shares[name] * one.rms) ** 2 for name, one in places.items()))
    dose = sum((shares[name] * one.vdv) ** 4 for name, one in places.items()) ** 0.25
    reaction = next((words for limit, words in REACTIONS if rms < limit), "extremely uncomfortable")
    return Comfort(places, rms, dose, reaction)


def _by_name(given: object, names: Sequence[str], what: str) -> dict:
    if not isinstance(given, Mapping):
        return dict.fromkeys(names, given)
    for name in (*names, *given):
        if name not in given or name not in names:
            raise ModelError.at(what, f"given for {', '.join(map(str, given))}; give it for {', '.join(names)}")
    return dict(given)
