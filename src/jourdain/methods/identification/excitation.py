"""`jd.excite`: the motion that makes unknowns best known within limits.

Joints follow finite Fourier series (Swevers, Ganseman, Tuekel, De Schutter & Van Brussel 1997, IEEE TRA 13(5)),

    q(t) = q0 + sum_k  a_k / (w k) sin(w k t) + b_k / (w k) (1 - cos(w k t)),    w = 2 pi / until,

with sum a_k = 0 and sum k b_k = 0, so that they begin and end at rest, without acceleration, and where they began.
What a motion determines of the unknowns is in the information matrix F = J' J of the sensitivities J of what is
measured, over its noise, in units of the unknowns' sizes. Its determinant is made as large ("D": the volume of what is
left uncertain is least), or the trace of its inverse as small as can be ("A": the sum of the squared errors is least;
Pukelsheim 1993).

Limits of places and velocities are linear in the coefficients: a shape is scaled until one is met. Others are met by
making it smaller. So every motion that is looked at is within all limits, and the search is free.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...basics.arguments import checked
from ...basics.errors import JourdainError, ModelError
from ...basics.values import random_from, shown, suggestion
from ...compile.variation import with_parameters
from ...describe.motions import Table
from ...model.model import Model
from ...model.state import State
from ...results.quantities import understand
from .experiment import Drive, Experiment
from .sensitivity import QUICK, scale_of

CRITERIA = ("D", "A")
FAINT = 1e-6
"""Information, over the size of an unknown, that is added to every direction, so that one that nothing shows counts as
bad and not as impossible."""
MARGIN = 0.01
"""Part of a limit that is kept free, for what lies between samples."""
SMALLER = 8
"""How often a motion that breaks a limit is halved, at most."""


@dataclass(frozen=True, eq=False)
class Excitation:
    """A motion that determines unknowns.

    motions       profiles by coordinate, for `jd.simulate` and for the robot
    state         where it begins
    until         when it ends [s]
    errors        standard errors that the unknowns will have, by name
    information   (n, n) in units of the unknowns' sizes
    criterion     its logarithm of the determinant ("D"), or of the trace of the inverse with the sign turned ("A")
    began         the same of the motion that the search began with
    hidden        unknowns that the motion does not show
    peaks         lowest and highest value of everything that is limited
    """

    motions: dict[str, Table]
    state: State
    until: float
    errors: dict[str, float]
    information: np.ndarray
    criterion: float
    began: float
    hidden: tuple[str, ...]
    peaks: dict[str, tuple[float, float]]

    def __str__(self) -> str:
        lines = [f"{name:28} will be known to +- {error:.3g}" for name, error in self.errors.items()]
        lines += [f"{name}: {low:.4g} ... {high:.4g}" for name, (low, high) in self.peaks.items()]
        return "\n".join(lines)


class FourierSeries:
    """Finite Fourier series of some coordinates, by free numbers.

    joints       names of coordinates
    start        (n,) their places at the start
    harmonics    how many
    """

    def __init__(self, joints: Sequence[str], start: np.ndarray, until: float, harmonics: int, samples: int) -> None:
        self.joints, self.start, self.until = list(joints), start, until
        self.time = np.linspace(0.0, until, samples)
        k = np.arange(1, harmonics + 1)
        w = 2.0 * np.pi / until * k
        phase = np.outer(self.time, w)
        zero_a = np.linalg.svd(np.ones((1, harmonics)))[2][1:].T
        zero_b = np.linalg.svd(k[None].astype(float))[2][1:].T
        sine, cosine = np.sin(phase), np.cos(phase)
        self.places = np.hstack([sine / w @ zero_a, (1.0 - cosine) / w @ zero_b])
        self.rates = np.hstack([cosine @ zero_a, sine @ zero_b])
        self.accelerations = np.hstack([-sine * w @ zero_a, cosine * w @ zero_b])

    @property
    def free(self) -> int:
        """How many free numbers there are."""
        return len(self.joints) * self.places.shape[1]

    def __call__(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Places, velocities and accelerations (samples, joints)."""
        c = x.reshape(len(self.joints), -1).T
        return self.start + self.places @ c, self.rates @ c, self.accelerations @ c

    def motions(self, x: np.ndarray, begin: float) -> dict[str, Table]:
        """Profiles of splines through the samples, at rest at both ends."""
        places, _, _ = self(x)
        return {name: Table(begin + self.time, places[:, i]) for i, name in enumerate(self.joints)}


def _bounds(limits: Mapping[str, Any]) -> dict[str, tuple[float, float]]:
    out = {}
    for name, given in limits.items():
        try:
            if isinstance(given, int | float):
                low, high = -float(given), float(given)
            else:
                low, high = (x if one is None else float(one) for one, x in zip(given, (-np.inf, np.inf), strict=True))
        except (TypeError, ValueError):
            raise ModelError.at(name, f"limits: got {shown(given)}; give a number or (lowest, highest)") from None
        if not low < high:
            raise ModelError.at(name, f"limits: {low:g} to {high:g}; give the lower one first")
        out[str(name)] = (low, high)
    return out


class _ExcitationSearch:
    """Motions within limits, and what they determine."""

    def __init__(self, model: Model, state: State, values: Mapping[str, float], series: FourierSeries,
                 limits: Mapping[str, tuple[float, float]], measured: Sequence[str], noise: Mapping[str, float],
                 options: Mapping[str, Any], criterion: str) -> None:  # fmt: skip
        self.model, self.state, self.values, self.series = model, state, dict(values), series
        self.measured, self.options, self.criterion = list(measured), options, criterion
        self.noise = np.array([noise.get(name, 1.0) for name in measured])
        self.limits = limits
        self.inner = {
            name: (low + MARGIN * abs(low), high - MARGIN * abs(high)) for name, (low, high) in limits.items()
        }
        self.scales = {name: scale_of(value) for name, value in values.items()}
        own = [f"effort:{name}" for name in series.joints]
        # all that moves is prescribed, and efforts are measured: inverse dynamics gives them without a run
        self.direct = model.nv == len(series.joints) and set(measured) <= set(own) and not model.contacts.names
        self.direct = self.direct and not model.latched and not model.constraint_names
        self.direct = self.direct and not any(name.startswith("state.") for name in values)
        self.pairs: list[tuple[Model, Model, float]] = []
        if self.direct:
            for name, value in values.items():
                h = QUICK * self.scales[name]
                up, down = (with_parameters(model, {name: value + side * h}, True) for side in (1.0, -1.0))
                self.pairs.append((up, down, h))
        self.rest = [name for name in limits if name.removeprefix("q:").removeprefix("v:") not in series.joints]

    def linear(self, x: np.ndarray) -> float:
        """The largest factor with which places and velocities of a shape are within limits."""
        q, v, _ = self.series(x)
        most = np.inf
        for name, (low, high) in self.limits.items():
            base = name.removeprefix("q:").removeprefix("v:")
            if base not in self.series.joints:
                continue
            i = self.series.joints.index(base)
            rate = name.startswith("v:")
            moved = v[:, i] if rate else q[:, i] - self.series.start[i]
            span = (low, high) if rate else (low - self.series.start[i], high - self.series.start[i])
            for reach, end in ((-np.min(moved), -span[0]), (np.max(moved), span[1])):
                if reach > 1e-12:
                    most = min(most, end / reach)
        return float(most)

    def efforts(self, model: Model, x: np.ndarray) -> np.ndarray:
        """Efforts (samples, measured) by inverse dynamics."""
        q, v, a = self.series(x)
        order = [self.series.joints.index(name) for name in self.model.names.v]
        tau = model.inverse_dynamics(model.states(q[:, order], v[:, order]), a[:, order])
        return tau[:, [self.model.index.v[name.removeprefix("effort:")] for name in self.measured]]

    def experiment(self, x: np.ndarray) -> Experiment:
        """The run of a motion."""
        drive = Drive(motions=self.series.motions(x, self.state.time), **self.options)
        return Experiment(self.model, self.state, self.state.time + self.series.time, drive)

    def stated(self, x: np.ndarray, names: Sequence[str]) -> dict[str, np.ndarray]:
        """Quantities along a motion by name."""
        if self.direct and all(name.startswith("effort:") for name in names):
            kept, self.measured = self.measured, list(names)
            found = self.efforts(self.model, x)
            self.measured = kept
        else:
            found = self.experiment(x).outputs({}, names)
        return {name: found[:, i] for i, name in enumerate(names)}

    def within(self, x: np.ndarray) -> np.ndarray:
        """The shape made as large as the limits let it be."""
        size = self.linear(x)
        x = (1.0 - MARGIN) * size * x
        for _ in range(SMALLER if self.rest else 0):
            found = self.stated(x, self.rest)
            over = [
                np.max(found[name]) > self.inner[name][1] or np.min(found[name]) < self.inner[name][0]
                for name in self.rest
            ]
            if not any(over):
                break
            x = 0.7 * x
        else:
            if self.rest:
                raise ModelError.at(
                    self.rest[0], "limits: even a motion that is small breaks it; it is broken at rest, or too narrow"
                )
        return x

    def partials(self, x: np.ndarray) -> np.ndarray:
        """What is measured by the unknowns, (samples x measured, n), over noise and in sizes of the unknowns."""
        size = np.array(list(self.scales.values()))
        if self.direct:
            columns = [(self.efforts(up, x) - self.efforts(down, x)) / (2.0 * h) for up, down, h in self.pairs]
            J = np.stack(columns, axis=-1)
        else:
            from .sensitivity import partials

            J = partials(self.experiment(x), self.measured, self.values, self.scales, exact=False)[1]
        return (J / self.noise[:, None]).reshape(-1, len(self.values)) * size

    def worth(self, J: np.ndarray) -> float:
        """The criterion of sensitivities."""
        s = np.linalg.svd(J, compute_uv=False)
        s2 = s**2 + FAINT**2
        return float(np.sum(np.log(s2))) if self.criterion == "D" else float(-np.log(np.sum(1.0 / s2)))

    def value(self, x: np.ndarray) -> float:
        """The criterion of a shape; very bad where it cannot be run."""
        if not np.any(x):
            return -1e30
        try:
            return self.worth(self.partials(self.within(x)))
        except JourdainError:
            return -1e30


@checked
def excite(
    model: Model,
    unknowns: Sequence[str] | Mapping[str, Any],
    until: float,
    limits: Mapping[str, Any],
    *,
    joints: Sequence[str] | None = None,
    state: State | None = None,
    quantities: Sequence[str] | None = None,
    noise: Mapping[str, float] | None = None,
    harmonics: int = 4,
    criterion: str = "D",
    samples: int = 101,
    evaluations: int = 300,
    seed: int = 0,
    **options: Any,
) -> Excitation:
    """The motion of joints that makes unknowns best known within limits.

    unknowns      addresses, as `jd.identify` takes them; bounds are not looked at
    until         duration of the motion [s]; it is one period of the series
    limits        by quantity, a number for both sides or (lowest, highest): {"elbow": 1.2, "v:elbow": 2.0,
                  "effort:elbow": (-40, 40)}. Every joint that moves needs one of its place or of its velocity
    joints        coordinates that are moved; None for those whose place or velocity is limited
    state         where it begins; at rest in the zero configuration unless given
    quantities    what will be measured; the efforts of the joints unless given
    noise         their standard deviations; one unit unless given
    harmonics     of the series, 2 or more; the highest has harmonics / until [Hz]
    criterion     "D": the determinant of the information is largest; "A": the sum of squared errors is least
    samples       along the motion
    evaluations   of the search, from some random shapes on
    options       as `jd.simulate` takes them: rtol, method, constraints ...
    """
    names = list(unknowns)
    if isinstance(unknowns, str) or not names:
        raise ModelError.at("unknowns", f"got {shown(unknowns)}; give a list of addresses")
    if criterion not in CRITERIA:
        raise ModelError.at("criterion", f"got {criterion!r}; allowed are {', '.join(CRITERIA)}")
    if harmonics < 2 or not until > 0.0 or samples < 4 * harmonics:
        raise ModelError.at("harmonics", "give 2 or more, a duration above zero, and samples for four a harmonic")
    start = model.state() if state is None else state
    bounds = _bounds(limits)
    for name in bounds:
        understand(model, name)
    moved = _moved(model, bounds, joints)
    begin = np.array([start.q[model.index.q[name]] for name in moved])
    series = FourierSeries(moved, begin, float(until), harmonics, samples)
    stated = [f"effort:{name}" for name in moved] if quantities is None else list(quantities)
    probe = Experiment(model, start, start.time + series.time, Drive())
    probe.check(stated)
    values = {name: probe.value(name) for name in names}
    options = {"rtol": 1e-8, "atol": 1e-10, **options}
    search = _ExcitationSearch(model, start, values, series, bounds, stated, noise or {}, options, criterion)
    best, began = _searched(search.value, series.free, evaluations, random_from(seed))
    x = search.within(best)
    J = search.partials(x)
    return _made(search, x, J, began)


def _moved(model: Model, bounds: Mapping[str, Any], joints: Sequence[str] | None) -> list[str]:
    named = [name.removeprefix("q:").removeprefix("v:") for name in bounds]
    found = list(dict.fromkeys(name for name in named if name in model.index.v)) if joints is None else list(joints)
    for name in found:
        if name not in model.index.v or name not in model.index.q:
            raise ModelError.at(name, f"joints: no coordinate that can be moved; {suggestion(name, model.index.v)}")
    for name in found:
        if name not in named:
            raise ModelError.at(name, "limits: neither its place nor its velocity is limited; give one of them")
    if not found:
        raise ModelError.at("limits", "none is of a place or a velocity; give those of the joints that are to move")
    return found


def _searched(
    value: Callable[[np.ndarray], float], free: int, evaluations: int, rng: np.random.Generator
) -> tuple[np.ndarray, float]:
    """The best shape found, and the worth of the first."""
    from scipy.optimize import minimize

    first = max(4, evaluations // 10)
    shapes = rng.normal(size=(first, free))
    worth = [value(x) for x in shapes]
    if max(worth) <= -1e29:
        value_error = "no motion that was tried is within the limits and can be run; widen them, or look at the state"
        raise ModelError.at("limits", value_error)
    best = shapes[int(np.argmax(worth))]
    made = minimize(
        lambda x: -value(x / np.linalg.norm(x)), best / np.linalg.norm(best), method="Powell",
        options={"maxfev": max(1, evaluations - first), "xtol": 1e-3, "ftol": 1e-4},
    )  # fmt: skip
    x = made.x if -made.fun > max(worth) else best
    return x / np.linalg.norm(x), float(worth[0])


def _made(search: _ExcitationSearch, x: np.ndarray, J: np.ndarray, began: float) -> Excitation:
    s, Vt = np.linalg.svd(J, full_matrices=False)[1:]
    s = np.where(s > 1e-6 * s[0], s, 1e-9 * max(s[0], FAINT))
    deviations = np.sqrt(np.sum((Vt.T / s) ** 2, axis=1))
    names = list(search.values)
    hidden = tuple(name for name, one in zip(names, deviations, strict=True) if one > 1e3)
    errors = {name: float(one * search.scales[name]) for name, one in zip(names, deviations, strict=True)}
    q, v, _ = search.series(x)
    peaks = {}
    for name in search.limits:
        base = name.removeprefix("q:").removeprefix("v:")
        if base in search.series.joints:
            i = search.series.joints.index(base)
            stated = v[:, i] if name.startswith("v:") else q[:, i]
        else:
            stated = search.stated(x, [name])[name]
        peaks[name] = (float(np.min(stated)), float(np.max(stated)))
    motions = search.series.motions(x, search.state.time)
    until = search.state.time + search.series.until
    return Excitation(
        motions=motions,
        state=search.state,
        until=until,
        errors=errors,
        information=J.T @ J,
        criterion=search.worth(J),
        began=began,
        hidden=hidden,
        peaks=peaks,
    )
