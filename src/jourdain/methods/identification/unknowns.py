"""What a fit looks for: unknowns by address, their bounds and priors, and the numbers that a search varies.

Of most unknowns the search varies the value itself. "payload.inertial" are the ten numbers of a rigid body at once, in
coordinates in which all of them are physical (`pseudo_inertia`). "offset:CHANNEL", "gain:CHANNEL" and "delay:CHANNEL"
belong to a sensor; "state.q.NAME" is the start of every record by itself, "state.q.NAME@2" that of the second.

Inertias that are always physical: the log-Cholesky coordinates of the pseudo-inertia.

Ten numbers of a rigid body, mass, first moments and inertia, belong to some distribution of mass where its 4 x 4
pseudo-inertia

    P = [[S, h], [h', m]],    S = tr(I) / 2 - I about the origin,    h = m c

is positive definite (Wensing, Kim & Slotine 2018). With P = U U', U upper triangular,

    U = exp(a) [[exp(d1), s12, s13, t1], [0, exp(d2), s23, t2], [0, 0, exp(d3), t3], [0, 0, 0, 1]],

any ten numbers (a, d1, d2, d3, s12, s23, s13, t1, t2, t3) are a body (Rucker & Wensing 2022, IEEE RA-L 7(2), eq. 17).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...basics.errors import ModelError, Problem
from ...basics.values import shown, suggestion
from ...describe.parameters import STATE
from .experiment import Experiment

SENSOR = re.compile(r"(offset|gain|delay):(.+)\Z")
"""An unknown of a sensor: which, and the channel."""
START = {"offset": 0.0, "gain": 1.0, "delay": 0.0}
INERTIAL = ".inertial"


class Unknowns:
    """Unknowns in the order of the search.

    names      addresses whose values are reported
    start      (n,) numbers that the search begins with
    low, high  (n,) bounds of these
    scale      (n,) their sizes
    """

    def __init__(
        self,
        given: Sequence[str] | Mapping[str, Any],
        experiments: Sequence[Experiment],
        channels: Sequence[str],
        start: Mapping[str, float] | None = None,
        priors: Mapping[str, Sequence[float]] | None = None,
    ) -> None:
        if isinstance(given, str) or not len(given):
            raise ModelError.at(
                "unknowns", f"got {shown(given)}; give addresses, with bounds: {{'fore.EI': (100, 5000)}}"
            )
        wanted = dict(given) if isinstance(given, Mapping) else dict.fromkeys(given)
        self.experiments, self.channels = experiments, channels
        self.names: list[str] = []
        self.groups: list[tuple[str, int, int]] = []
        x: list[float] = []
        bounds: list[tuple[float, float]] = []
        problems: list[Problem] = []
        given_start = dict(start or {})
        for name, limits in self._spread(wanted).items():
            try:
                if name.endswith(INERTIAL):
                    self._body(name, limits, x, bounds)
                    continue
                base = name.partition("@")[0] if STATE.match(name) else name
                value = given_start.pop(name, given_start.get(base))
                value = self._value(name) if value is None else float(value)
                low, high = _limits(name, limits)
            except ModelError as error:
                problems += error.problems
                continue
            self.names.append(name)
            x.append(float(np.clip(value, low, high)))
            bounds.append((low, high))
        known = [*self.names, *(name.partition("@")[0] for name in self.names)]
        for word, those in (("start", given_start), ("priors", priors or {})):
            problems += [
                Problem(one, f"{word}: is no unknown; {suggestion(one, known)}") for one in those if one not in known
            ]
        if problems:
            raise ModelError(problems)
        self.start = np.array(x)
        self.low, self.high = np.array(bounds, float).reshape(-1, 2).T
        self.priors = {name: (float(pair[0]), float(pair[1])) for name, pair in (priors or {}).items()}
        for name, (_, deviation) in self.priors.items():
            if not deviation > 0.0:
                raise ModelError.at(name, f"priors: a deviation of {deviation:g}; give mean and deviation, above zero")
        self.scale = self._scales()

    def _spread(self, wanted: Mapping[str, Any]) -> dict[str, Any]:
        """States at the start become one unknown a record."""
        count = len(self.experiments)
        out: dict[str, Any] = {}
        for name, limits in wanted.items():
            if isinstance(name, str) and STATE.match(name) and "@" not in name and count > 1:
                out |= {f"{name}@{i + 1}": limits for i in range(count)}
            else:
                out[str(name)] = limits
        return out

    def _body(self, name: str, limits: Any, x: list[float], bounds: list[tuple[float, float]]) -> None:
        """The ten numbers of a body."""
        if limits is not None:
            raise ModelError.at(name, "takes no bounds: it is physical whatever it is; give None")
        body = name.removesuffix(INERTIAL)
        table = self.experiments[0]
        mass, *rest = (table.value(f"{body}.{word}") for word in WORDS)
        tensor = np.zeros((3, 3))
        tensor[np.triu_indices(3)] = rest[3:]
        tensor = tensor + np.triu(tensor, 1).T
        self.groups.append((body, len(x), len(self.names)))
        self.names += [f"{body}.{word}" for word in WORDS]
        x += list(to_coordinates(mass, np.array(rest[:3]), tensor, name))
        bounds += [(-np.inf, np.inf)] * 10

    def _value(self, name: str) -> float:
        sensor = SENSOR.match(name)
        if sensor:
            if sensor.group(2) not in self.channels:
                raise ModelError.at(name, f"there is no such channel; {suggestion(sensor.group(2), self.channels)}")
            return START[sensor.group(1)]
        base, _, number = name.partition("@")
        if number and (not number.isdigit() or not 1 <= int(number) <= len(self.experiments)):
            raise ModelError.at(name, f"there are records 1 to {len(self.experiments)}")
        return self.experiments[int(number) - 1 if number else 0].value(base)

    def _scales(self) -> np.ndarray:
        width = np.where(np.isfinite(self.high - self.low), self.high - self.low, 0.0)
        out = np.maximum(np.abs(self.start), 0.1 * width)
        for name, (_, deviation) in self.priors.items():
            for i, one in enumerate(self.names):
                if name in (one, one.partition("@")[0]) and self._single(i) is not None:
                    out[self._single(i)] = max(out[self._single(i)], deviation)
        inside = np.zeros(len(out), bool)
        for _, at, _ in self.groups:
            inside[at : at + 10] = True
        return np.where(inside | (out == 0.0), 1.0, out)

    def _single(self, i: int) -> int | None:
        """The place in the search of reported value i, None within a body."""
        if any(first <= i < first + 10 for _, _, first in self.groups):
            return None
        return i  # a body has ten numbers in both

    def reported(self, x: np.ndarray) -> np.ndarray:
        """Values (names) of a point of the search."""
        out = np.array(x, float)
        for _, at, first in self.groups:
            out[first : first + 10] = numbers(x[at : at + 10])
        return out

    def sizes(self, x: np.ndarray) -> np.ndarray:
        """Sizes of the reported values, by which changes of them are small or large."""
        out = self.scale.copy()
        for _, at, first in self.groups:
            ten = numbers(x[at : at + 10])
            mass, bulk = ten[0], ten[4] + ten[7] + ten[9]
            length = float(np.linalg.norm(ten[1:4]) + np.sqrt(bulk / mass))
            out[first : first + 10] = [mass, *[length] * 3, *[bulk] * 6]
        return out

    def slope(self, x: np.ndarray) -> np.ndarray:
        """Derivatives of the reported values by the search's numbers, (n, n); of bodies by central differences."""
        out = np.eye(len(x))
        for _, at, first in self.groups:
            block = x[at : at + 10]
            for k in range(10):
                step = np.zeros(10)
                step[k] = 1e-6
                out[first : first + 10, at + k] = (numbers(block + step) - numbers(block - step)) / 2e-6
        return out

    def of_model(self, x: np.ndarray, record: int) -> dict[str, float]:
        """Values of parameters of the model and of the start of a record (from 0)."""
        out = {}
        for name, value in zip(self.names, self.reported(x), strict=True):
            base, _, number = name.partition("@")
            if SENSOR.match(name) or (number and int(number) != record + 1):
                continue
            out[base] = float(value)
        return out

    def of_sensor(self, x: np.ndarray, channel: str) -> dict[str, float]:
        """Offset, gain and delay of a channel."""
        values = dict(zip(self.names, x, strict=True))
        return {what: float(values.get(f"{what}:{channel}", START[what])) for what in START}

    def concerns(self, k: int, record: int) -> bool:
        """Whether number k of the search has to do with a record."""
        number = self.names[k].partition("@")[2] if self._single(k) is not None else ""
        return not number or int(number) == record + 1

    def is_sensor(self, k: int) -> bool:
        """Whether number k of the search is one of a sensor."""
        return self._single(k) is not None and SENSOR.match(self.names[k]) is not None


def _limits(name: str, given: Any) -> tuple[float, float]:
    """Lower and upper bound; None for none."""
    if given is None:
        return -np.inf, np.inf
    try:
        low, high = (x if one is None else float(one) for one, x in zip(given, (-np.inf, np.inf), strict=True))
    except (TypeError, ValueError):
        raise ModelError.at(name, f"got {shown(given)}; give (lowest, highest), None for no bound") from None
    if not low < high:
        raise ModelError.at(name, f"got {low:g} to {high:g}; give the lower bound first")
    return low, high


WORDS = ("mass", "com.x", "com.y", "com.z") + tuple(f"inertia.{ij}" for ij in ("xx", "xy", "xz", "yy", "yz", "zz"))
"""Names of a body's ten inertial parameters; inertia is about the centre of mass."""


def pseudo_inertia(mass: float, com: np.ndarray, inertia: np.ndarray) -> np.ndarray:
    """P (4, 4) of a body with this inertia (3, 3) about its centre of mass."""
    about = inertia + mass * (com @ com * np.eye(3) - np.outer(com, com))
    out = np.empty((4, 4))
    out[:3, :3] = 0.5 * np.trace(about) * np.eye(3) - about
    out[:3, 3] = out[3, :3] = mass * com
    out[3, 3] = mass
    return out


def to_coordinates(mass: float, com: np.ndarray, inertia: np.ndarray, name: str = "body") -> np.ndarray:
    """Log-Cholesky coordinates (10,) of a body; one without volume, whose P is singular, is refused."""
    P = pseudo_inertia(mass, np.asarray(com, float), np.asarray(inertia, float))
    # the upper triangular factor is the lower one of the matrix turned round
    try:
        U = np.linalg.cholesky(P[::-1, ::-1])[::-1, ::-1]
    except np.linalg.LinAlgError:
        raise ModelError.at(
            name, "its inertia is that of no body with a volume (a triangle inequality is an equality); start elsewhere"
        ) from None
    a = np.log(U[3, 3])
    V = U / U[3, 3]
    return np.array([a, *np.log(np.diag(V)[:3]), V[0, 1], V[1, 2], V[0, 2], *V[:3, 3]])


def from_coordinates(x: np.ndarray) -> tuple[float, np.ndarray, np.ndarray]:
    """Mass, centre of mass (3,) and inertia (3, 3) about it of log-Cholesky coordinates."""
    a, d1, d2, d3, s12, s23, s13, t1, t2, t3 = x
    rows = [[np.exp(d1), s12, s13, t1], [0.0, np.exp(d2), s23, t2], [0.0, 0.0, np.exp(d3), t3], [0.0, 0.0, 0.0, 1.0]]
    U = np.exp(a) * np.array(rows)
    P = U @ U.T
    mass, com = P[3, 3], P[:3, 3] / P[3, 3]
    about = np.trace(P[:3, :3]) * np.eye(3) - P[:3, :3]
    return float(mass), com, about - mass * (com @ com * np.eye(3) - np.outer(com, com))


def numbers(x: np.ndarray) -> np.ndarray:
    """The ten numbers of a body in the order of `WORDS`."""
    mass, com, inertia = from_coordinates(x)
    return np.array([mass, *com, *inertia[np.triu_indices(3)]])
