"""Assembly modes: the distinct ways in which the loops close while some coordinates are held.

Newton's method from many random configurations finds closures. Those that differ in coordinates alone are one: turns
of an angle, signs of a quaternion, and links between spherical and universal joints that are turned about the line
through them, by which nothing else moves (`alike`). The six legs of a hexapod can be put in 2^6 ways for each pose of
its platform, of which there are 40 at most (Dietmaier 1998). Then each closure is followed along its curve, one held
coordinate being let go, which finds those that it is connected with: they belong to the same circuit, and the mechanism
can go from one to the other without being taken apart.

Whether two closures of a mechanism are one: the same places of everything, links that idle aside.

A link between spherical and universal joints can be put in turned about the line through them, and nothing else moves:
a universal joint has the angles (a, b) and (a + pi, pi - b) for one direction of its second shaft's axis. Two closures
are the same where all frames of all bodies are at the same places, and a body that is directed otherwise is held,
against bodies that are not turned as it is, by spherical and universal joints and rods alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...basics.arguments import checked
from ...basics.errors import ModelError
from ...basics.pose import matrix_from_quaternion
from ...basics.values import random_from
from ...describe.motions import Polynomial
from ...model.selection import internal_entries
from ...model.state import State
from .continuation import Path, trace
from .curve import Closure, dofs_error, rank_of
from .motion import closed

if TYPE_CHECKING:
    from ...model.model import Model


@checked
@dataclass(frozen=True, eq=False)
class AssemblyMode:
    """A way in which the loops close.

    state      with it, at rest
    circuit    number of its circuit: modes with the same number are connected by motion
    """

    state: State
    circuit: int


class KnownClosures(NamedTuple):
    """Closures so far: their coordinates, and where these put the frames (`alike.Places.of`)."""

    q: list[np.ndarray]
    looks: list[np.ndarray]


@checked
def assembly_modes(
    model: Model,
    hold: Mapping[str, float] | Iterable[str] = (),
    start: State | None = None,
    tries: int = 200,
    seed: int = 0,
    length: float = 100.0,
    turned: bool = False,
) -> list[AssemblyMode]:
    """The distinct closures of a mechanism.

    hold      coordinates that are held: a dict with their values, or names, held as in `start`. With them the
              mechanism must have no freedom left
    start     a state; None for the zero configuration
    tries     random configurations that are tried
    seed      of these
    length    of the curves that connect modes, at most [rad, m: the norm of all]
    turned    True: links between spherical and universal joints that are turned about the line through these make
              further modes. Otherwise modes that differ by this alone are one, whose places of all frames are the same

    What is found is certain, that nothing is missing is not: more tries make it likelier. Sorted by circuit. Each
    circuit is followed with the first of the held coordinates let go; without any, each mode is its own circuit.
    """
    start = model.state() if start is None else start
    if isinstance(hold, str):
        raise ModelError.at("hold", f'got "{hold}"; give a tuple of names, or a dict from names to values')
    random = random_from(seed)
    values = dict(hold) if isinstance(hold, Mapping) else {name: _value(model, start, name) for name in hold}
    curve = Closure(model, values, None, start)
    found, places = KnownClosures([], []), FramePlaces(model, turned)
    for q in (start.q, *(_scattered(model, random) for _ in range(tries))):
        _include(curve, places, found, closed(curve, q, start.time, 40), start.time)
    if not found.q:
        raise ModelError.at("hold", f"no closure was found in {tries} tries; hold other values, or try more")
    for q in found.q:
        partials = curve.partials(q, start.time)
        spare = model.nv - rank_of(partials[:, :-1])
        if spare and len(found.q) > 1:
            raise dofs_error(curve, partials, spare)
    circuits = _circuits(curve, places, found, values, start, length)
    modes = [AssemblyMode(model.state(q=q, time=start.time), c) for q, c in zip(found.q, circuits, strict=True)]
    return sorted(modes, key=lambda mode: mode.circuit)


def _value(model: Model, start: State, name: str) -> float:
    k = model.index.v.get(name, -1)
    if k < 0 or model.arrays.q_index[k] < 0:
        raise ModelError.at(str(name), "hold: no such coordinate of one axis")
    return float(start.q[model.arrays.q_index[k]])


def _scattered(model: Model, random: np.random.Generator) -> np.ndarray:
    """A random configuration; internal coordinates of bodies stay at rest."""
    q = np.array(model.neutral)
    units = model.units.v
    size = max(float(np.max(np.abs(model.pose(frame, q).position))) for frame in model.frame_names)
    internal = internal_entries(model)
    for k, j in enumerate(model.arrays.q_index):
        if j < 0 or k in internal:
            continue
        low, high = model.ranges.get(model.names.q[j], (-np.pi, np.pi) if units[k] == "rad/s" else (-size, size))
        q[j] = random.uniform(low, high)
    for j, _, free in model.arrays.rotations.array:
        if free:
            q[j : j + 3] = random.uniform(-size, size, 3)
        turn = random.normal(size=4)
        q[j + 3 * free : j + 3 * free + 4] = turn / np.linalg.norm(turn)
    return q


def _wrapped(curve: Closure, q: np.ndarray, t: float) -> np.ndarray:
    """Angles between -pi and pi, where that leaves the loops closed."""
    model = curve.model
    units = model.units.v
    turned = q.copy()
    left = {*internal_entries(model), *curve.driven}
    for k, j in enumerate(model.arrays.q_index):
        if j >= 0 and units[k] == "rad/s" and k not in left:
            turned[j] = np.remainder(q[j] + np.pi, 2.0 * np.pi) - np.pi
    return turned if np.max(np.abs(curve.residual(turned, t)), initial=0.0) < 1e-9 else q


def _include(curve: Closure, places: FramePlaces, found: KnownClosures, q: np.ndarray | None, t: float) -> int:
    """Adds a closure where it is new; its number, -1 for none."""
    if q is None:
        return -1
    q = _wrapped(curve, q, t)
    look = places.of(q)
    for i, one in enumerate(found.looks):
        if places.same(one, look):
            return i
    found.q.append(q)
    found.looks.append(look)
    return len(found.q) - 1


def _circuits(
    curve: Closure, places: FramePlaces, found: KnownClosures, values: Mapping[str, float], start: State, length: float
) -> list[int]:
    """The circuit of each closure; those that are met on the way are added."""
    names = list(values)
    circuits: dict[int, int] = {}
    if not names:
        return list(range(len(found.q)))
    model, name = curve.model, names[0]
    held = float(values[name])
    units = model.units.v
    period = 2.0 * np.pi if units[model.index.v[name]] == "rad/s" else np.inf
    i = 0
    while i < len(found.q):
        if i not in circuits:
            circuits[i] = max(circuits.values(), default=-1) + 1
            loose = Closure(model, {**values, name: Polynomial([0.0, 1.0])}, None, start, frozen=start.time)
            for direction in (1, -1):
                path = trace(loose, start=(found.q[i], held), direction=direction, length=length)
                for q in _crossings(curve, path, held, period):
                    at = _include(curve, places, found, closed(curve, q, start.time), start.time)
                    if at >= 0:
                        circuits.setdefault(at, circuits[i])
                if path.stopped == "closed" or abs(path.time[-1] - held) > 2.0 * period:
                    break
        i += 1
    return [circuits[k] for k in range(len(found.q))]


def _crossings(curve: Closure, path: Path, held: float, period: float) -> Iterator[np.ndarray]:
    """Configurations of a path near which the coordinate that was let go is where it was held, turns aside."""
    at = curve.model.arrays.q_index[curve.driven[0]]
    for i in range(1, len(path)):
        before, after = path.time[i - 1] - held, path.time[i] - held
        turns = 0.0 if np.isinf(period) else period * np.round(0.5 * (before + after) / period)
        if (before - turns) * (after - turns) <= 0.0 and before != after:
            part = (turns - before) / (after - before)
            way = curve.apart(path.q[i - 1], path.q[i])
            q = curve.moved(path.q[i - 1], part * way)
            q[at] = held
            yield q


ALIKE = 1e-6
"""Difference of frames' places [m] and of directions below which they are the same."""
POINTS = ("spherical", "universal", "rod", "free")
"""Joints that hold a point of a body, or nothing: about a line through their points it may be turned."""


class FramePlaces:
    """What distinguishes closures of a model.

    turned    whether links that idle distinguish them too
    """

    def __init__(self, model: Model, turned: bool = False) -> None:
        self.model = model
        self.frames = [name for name in model.frame_names if name != "world"]
        self.origins = [self.frames.index(f"{body}.origin") for body in model.bodies]
        number = {body: i for i, body in enumerate(model.bodies)}
        stated = model.description
        pairs = [(one["to"], one["body"]["name"], one["joint"]["kind"]) for one in stated.get("bodies", ())]
        pairs += [(one["first"], one["second"], one["element"]["kind"]) for one in stated.get("connections", ())]
        self.joints = [
            (*(number.get(str(end).partition(".")[0], -1) for end in (first, second)), kind in POINTS)
            for first, second, kind in pairs
            if kind != "spring"
        ]
        held = [sum(i in joint[:2] for joint in self.joints) for i in range(len(number))]
        self.idle = np.array([not turned and count > 1 for count in held], bool)
        """Bodies that may be turned: those of one joint are ends, whose direction is what they are for."""

    def of(self, q: np.ndarray) -> np.ndarray:
        """Places and quaternions of all frames (frames, 7)."""
        return self.model.frame_path(self.frames, q[None], np.zeros((1, self.model.nv)))[0, :, :7]

    def same(self, one: np.ndarray, other: np.ndarray) -> bool:
        """Whether two closures are one."""
        if np.max(np.abs(one[:, :3] - other[:, :3]), initial=0.0) > ALIKE:
            return False
        a, b = one[self.origins, 3:], other[self.origins, 3:]
        apart = np.minimum(np.max(np.abs(a - b), axis=1), np.max(np.abs(a + b), axis=1)) > ALIKE
        if not np.any(apart):
            return True
        if np.any(apart & ~self.idle):
            return False
        turns = {int(i): matrix_from_quaternion(b[i]) @ matrix_from_quaternion(a[i]).T for i in np.flatnonzero(apart)}
        still = np.eye(3)
        return all(
            loose or np.max(np.abs(turns.get(first, still) - turns.get(second, still))) < ALIKE
            for first, second, loose in self.joints
        )
