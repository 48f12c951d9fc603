"""Events of a run, at a time or when a condition is met: coordinates that are locked, released or taken over, and
connections that close or open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics.arguments import checked
from ..basics.errors import ModelError, Problem
from ..basics.types import NameOrNames
from ..basics.values import shown, suggestion
from .conditions import BoundCondition, Condition, bound_condition
from .motions import Motion

if TYPE_CHECKING:
    from ..model.model import Model

NAMED = ("lock", "release", "connect", "disconnect")
"""What an event does to things by name."""


class EventWarning(UserWarning):
    """An event whose condition was never met."""


@checked
@dataclass(frozen=True)
class Event:
    """Something that happens once in a run: at a time, or when a condition is met.

    at         time [s], on the clock of the run
    when       ("elbow", ">", 1.57) or ("elbow", "<", 1.57) for a coordinate that passes a value;
               (("hand.tip", "payload.handle"), "<", 0.01) or ">" for the distance of two frames [m], "slower" or
               "faster" for the speed of one against the other [m/s]; ("touch", "touches") or "parts" for a contact that
               begins or ends; or a condition (`jd.condition`). It is met when it becomes true: one that is true at the
               start must first be false
    lock       names of coordinates that stay where they are from then on; a joint or a flexible body means all of its
               own. To lock a coordinate that moves is an impact: see `jourdain.run.impacts`
    release    names of locked or prescribed coordinates that are free from then on
    motions    profiles that take over coordinates, as in `simulate`; their clock starts at the event, and their values
               are displaced so as to begin where the coordinate is. A profile that begins with another velocity than
               the coordinate has is an impact too
    connect    names of connections (`System.connect`) that are there from then on. A joint closes where the frames are:
               it holds the second frame as it then is to the first. What moves against it is an impact
    disconnect names of connections that are gone from then on
    name       in `run.events` and in messages
    """

    at: float | None = None
    when: tuple[Any, ...] | Condition | BoundCondition | None = None
    lock: NameOrNames = ()
    release: NameOrNames = ()
    motions: Mapping[str, Motion] = field(default_factory=dict)
    name: str = ""
    connect: NameOrNames = ()
    disconnect: NameOrNames = ()

    def __post_init__(self) -> None:
        for what in NAMED:
            given = getattr(self, what)
            given = (given,) if isinstance(given, str) else tuple(given) if isinstance(given, Iterable) else given
            if not isinstance(given, tuple) or not all(isinstance(name, str) for name in given):
                raise ModelError.at(
                    "event", f'{what} is {shown(given)}; give a name or names, such as {what}="elbow"', what
                )
            object.__setattr__(self, what, given)
        if self.motions is not None and not isinstance(self.motions, Mapping):
            raise ModelError.at(
                "event", f"motions is {type(self.motions).__name__}; give a dict from names to profiles", "motions"
            )
        object.__setattr__(self, "motions", dict(self.motions or {}))
        if not self.name:
            done = {"lock": self.lock, "release": self.release, "move": tuple(self.motions)}
            done |= {"connect": self.connect, "disconnect": self.disconnect}
            words = "; ".join(f"{what} {', '.join(names)}" for what, names in done.items() if names)
            object.__setattr__(self, "name", words)
        if not (self.motions or any(getattr(self, what) for what in NAMED)):
            raise ModelError.at(
                self.name or "event", "it does nothing; give lock=, release=, motions=, connect= or disconnect="
            )
        if (self.at is None) == (self.when is None):
            raise ModelError.at(self.name, "give either at= (a time [s]) or when= (a condition)")
        number = isinstance(self.at, int | float | np.number) and not isinstance(self.at, bool)
        if self.at is not None and not (number and np.isfinite(self.at)):
            raise ModelError.at(self.name, f"at is {self.at!r}; give a finite time [s]", "at")


@dataclass(frozen=True)
class Happening:
    """An event that happened, in `run.events`.

    time       [s]
    name       of the event
    impulse    by the names of the coordinates that are held from then on: what it took to change their velocities at
               once [N m s, N s]; empty where no velocity changed
    loss       energy lost [J]: kinetic energy, and what springs held that were disconnected
    wrench     by the names of the connections that were closed then: the impulse on the first body at its frame, world
               axes, moment [N m s] then force [N s]
    """

    time: float
    name: str
    impulse: dict[str, float] = field(default_factory=dict)
    loss: float = 0.0
    wrench: dict[str, list[float]] = field(default_factory=dict)


def entries(model: Model, name: str, what: str) -> list[int]:
    """Entries of v that a name means: one coordinate, or all of a joint, or all internal ones of a body."""
    if name in model.index.v:
        found = [model.index.v[name]]
    else:
        known = [*model.joints, *model.bodies]
        found = [k for one, k in model.index.v.items() if name in known and one.startswith(f"{name}.")]
    if not found:
        raise ModelError.at(name, f"{what}: no such coordinate; {suggestion(name, model.index.v)}", what)
    if np.any(model.arrays.q_index[found] < 0):
        raise ModelError.at(
            name,
            f"{what}: rotations and free joints cannot be held or moved entry by entry; lock joints of one axis",
            what,
        )
    return found


def check_events(events: Any, model: Model, start: float, until: float, moved: Iterable[str]) -> tuple[Event, ...]:
    """The events of a run as a tuple, or a `ModelError` with all that is wrong; moved: prescribed from the start."""
    given = () if events is None else events
    if isinstance(given, Event):
        given = (given,)
    if not isinstance(given, list | tuple):
        raise ModelError.at("events", f"got {type(given).__name__}; give a list of jd.Event")
    problems: list[Problem] = []
    for i, event in enumerate(given):
        if not isinstance(event, Event):
            what = f'got {shown(event)}; give jd.Event(at=12.0, lock="elbow")'
            raise ModelError.at(f"events[{i}]", what)
        if event.at is not None and not start <= event.at < until:
            problems.append(
                Problem(
                    event.name,
                    f"happens at {event.at:g} s, and the run goes from {start:g} to {until:g} s; "
                    "give a time within it, before its end",
                    "at",
                )
            )
        problems += _names(event, model)
    if problems:
        raise ModelError(problems)
    problems = _order(given, model, {model.index.v[name] for name in moved})
    if problems:
        raise ModelError(problems)
    return tuple(given)


def _names(event: Event, model: Model) -> list[Problem]:
    problems: list[Problem] = []
    used: dict[int, str] = {}
    try:
        if event.when is not None:
            bound_condition(event.when, model, event.name)
    except ModelError as error:
        problems += error.problems
    for what, names in (("lock", event.lock), ("release", event.release), ("motions", event.motions)):
        for name in names:
            try:
                found = entries(model, name, what)
            except ModelError as error:
                problems += error.problems
                continue
            if what == "motions" and (name not in model.index.v or not isinstance(event.motions[name], Motion)):
                got = type(event.motions[name]).__name__
                why = f"motions: got {got}; give each coordinate a profile, such as jd.Cycloid"
                problems.append(Problem(name, why))
            for k in found:
                if k in used:
                    why = f"{event.name}: named in {used[k]} and in {what}; give it once"
                    problems.append(Problem(model.names.v[k], why))
                used[k] = what
    known = model.connections.ways
    for what in ("connect", "disconnect"):
        for name in getattr(event, what):
            if name not in known:
                hint = suggestion(name, known) if known else "declare it by system.connect(..., active=False)"
                problems.append(Problem(name, f"{event.name}: no such connection to {what}; {hint}"))
    problems += [
        Problem(name, f"{event.name}: named in connect and in disconnect; give it once")
        for name in event.connect
        if name in event.disconnect
    ]
    return problems


def _order(events: Sequence[Event], model: Model, moved: set[int]) -> list[Problem]:
    """Locks of what is locked and releases of what is free, as far as times alone determine it."""
    problems: list[Problem] = []
    untimed: set[int] = set()
    holds = set(moved)
    for event in events:
        held = [k for name in (*event.lock, *event.motions) for k in entries(model, name, "lock")]
        holds |= set(held)
        if event.when is not None:
            untimed |= {*held, *(k for name in event.release for k in entries(model, name, "release"))}
    status = dict.fromkeys(moved, "moved")
    timed = [(one.at, i) for i, one in enumerate(events) if one.at is not None]
    closed = set(model.connections.closed)
    loose = {name for one in events if one.when is not None for name in (*one.connect, *one.disconnect)}
    for event in [events[i] for _, i in sorted(timed)]:
        problems += follow(event, model, status, untimed)
        problems += follow_connections(event, closed, loose)
    for event in events:
        for name in event.release:
            for k in entries(model, name, "release"):
                if k in untimed and k not in holds:
                    problems.append(Problem(model.names.v[k], f"{event.name}: nothing ever holds it"))
    return problems


def follow(event: Event, model: Model, status: dict[int, str], beyond: Iterable[int] = ()) -> list[Problem]:
    """Changes who holds what, entry by entry of v, as an event does; what is wrong with it but for entries `beyond`."""
    problems = []
    names = model.names.v
    at = "" if event.at is None else f" at {event.at:g} s"
    for name in event.release:
        for k in entries(model, name, "release"):
            if k not in status and k not in beyond:
                why = f"{event.name}: nothing holds it{at}; release what is locked or prescribed"
                problems.append(Problem(names[k], why))
            status.pop(k, None)
    for name in event.lock:
        for k in entries(model, name, "lock"):
            if status.get(k) == "locked" and k not in beyond:
                problems.append(Problem(names[k], f"{event.name}: it is locked already{at}; release it first"))
            status[k] = "locked"
    for name in event.motions:
        status[model.index.v[name]] = "moved"
    return problems


def follow_connections(event: Event, closed: set[str], beyond: Iterable[str] = ()) -> list[Problem]:
    """Changes which connections are there, as an event does; what is wrong with it but for those `beyond`."""
    problems = []
    at = "" if event.at is None else f" at {event.at:g} s"
    for name in event.disconnect:
        if name not in closed and name not in beyond:
            problems.append(Problem(name, f"{event.name}: it is not connected{at}; disconnect what is"))
        closed.discard(name)
    for name in event.connect:
        if name in closed and name not in beyond:
            problems.append(Problem(name, f"{event.name}: it is connected already{at}; disconnect it first"))
        closed.add(name)
    return problems
