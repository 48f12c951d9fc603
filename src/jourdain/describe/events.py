"""Events of a run: coordinates that are locked, released or taken over at a time, or when a condition is met."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from ..basics.errors import ModelError, Problem
from ..basics.types import NameOrNames
from ..basics.values import as_array, shown, suggestion
from .laws import UserFunction
from .motions import Motion

if TYPE_CHECKING:
    from ..model.model import Model

ARGUMENTS = ("t", "q", "v", "z", "s", "p")


class EventWarning(UserWarning):
    """An event whose condition was never met."""


class Condition(UserFunction):
    """What `@jd.condition` makes of a function; calling it with numbers binds them as the parameters p."""

    article, kind = "a", "condition"

    def __init__(self, function: Callable, markers: Sequence[str], contacts: Sequence[str]) -> None:
        super().__init__(function, 0, ARGUMENTS)
        self.markers, self.contacts = tuple(markers), tuple(contacts)

    def __call__(self, *parameters: float) -> BoundCondition:
        return BoundCondition(self, parameters)

    def __repr__(self) -> str:
        return f"condition {self.name}"


class BoundCondition:
    """A condition with its parameters."""

    def __init__(self, condition: Condition, parameters: Sequence[float], words: Any = None) -> None:
        self.condition, self.name = condition, condition.name
        self.parameters = np.atleast_1d(as_array(parameters, self.name)) if len(parameters) else np.zeros(0)
        self.words = {"condition": self.name, "parameters": self.parameters.tolist()} if words is None else words
        if not np.all(np.isfinite(self.parameters)):
            raise ModelError.at(self.name, f"parameters are {self.parameters}; give finite numbers")

    def check(self, model: Model, t: float, q: np.ndarray, v: np.ndarray, z: np.ndarray) -> None:
        """Runs it once in the interpreter: compiled code does not look whether an index is in range."""
        one = self.condition
        sensed = [model.frame_path(address, q[None], v[None])[0] for address in one.markers]
        s = np.concatenate([np.zeros(0), *sensed, np.zeros(6 * len(one.contacts))])
        try:
            value = one.function(t, q.copy(), v.copy(), z.copy(), s, self.parameters.copy())
        except IndexError as error:
            sizes = f"q has {len(q)} entries, v {len(v)}, z {len(z)}, s {len(s)} and p {len(self.parameters)}"
            raise ModelError.at(self.name, f"{error}; here {sizes}") from error
        except Exception:  # whatever else is wrong, the compiler says better
            return
        if not isinstance(value, int | float | np.number | np.bool_) or not np.isfinite(value):
            raise ModelError.at(
                self.name, f"a condition returns a finite number, met above zero; at the start it is {value!r}"
            )


@overload
def condition(function: Callable, *, markers: Sequence[str] = (), contacts: Sequence[str] = ()) -> Condition: ...
@overload
def condition(
    function: None = None, *, markers: Sequence[str] = (), contacts: Sequence[str] = ()
) -> Callable[[Callable], Condition]: ...
def condition(
    function: Callable | None = None, *, markers: Sequence[str] = (), contacts: Sequence[str] = ()
) -> Condition | Callable[[Callable], Condition]:
    """Make a condition of a function f(t, q, v, z, s, p) that returns a number: it is met when this rises above zero.

    t       time [s]
    q, v    all coordinates and velocities
    z       the integrated states of the run: those of its contacts, then those of its laws
    s       what it senses, as in `law`: 13 numbers a marker, 6 a contact
    p       its parameters, bound by calling the condition: ``near(0.1)``
    """
    if function is None:
        return lambda f: Condition(f, markers, contacts)
    return Condition(function, markers, contacts)


def _passes(t, q, v, z, s, p):
    return p[1] * (q[int(p[0])] - p[2])


PASSES = Condition(_passes, (), ())
"""Whether a coordinate has passed a value: p = (entry of q, direction, value)."""


@dataclass(frozen=True)
class Event:
    """Something that happens once in a run: at a time, or when a condition is met.

    at         time [s], on the clock of the run
    when       ("elbow", ">", 1.57) or ("elbow", "<", 1.57) for a coordinate that passes a value, or a condition
               (`jd.condition`). It is met when it becomes true: one that is true at the start must first be false
    lock       names of coordinates that stay where they are from then on; a joint or a flexible body means all of its
               own. To lock a coordinate that moves is an impact: see `jourdain.run.impacts`
    release    names of locked or prescribed coordinates that are free from then on
    motions    profiles that take over coordinates, as in `simulate`; their clock starts at the event, and their values
               are displaced so as to begin where the coordinate is. A profile that begins with another velocity than
               the coordinate has is an impact too
    name       in `run.events` and in messages
    """

    at: float | None = None
    when: tuple[str, str, float] | Condition | BoundCondition | None = None
    lock: NameOrNames = ()
    release: NameOrNames = ()
    motions: Mapping[str, Motion] = field(default_factory=dict)
    name: str = ""

    def __post_init__(self) -> None:
        for what in ("lock", "release"):
            given = getattr(self, what)
            given = (given,) if isinstance(given, str) else tuple(given) if isinstance(given, Iterable) else given
            if not isinstance(given, tuple) or not all(isinstance(name, str) for name in given):
                raise ModelError.at("event", f'{what} is {shown(given)}; give a name or names, such as {what}="elbow"')
            object.__setattr__(self, what, given)
        if self.motions is not None and not isinstance(self.motions, Mapping):
            raise ModelError.at(
                "event", f"motions is {type(self.motions).__name__}; give a dict from names to profiles"
            )
        object.__setattr__(self, "motions", dict(self.motions or {}))
        if not self.name:
            done = {"lock": self.lock, "release": self.release, "move": tuple(self.motions)}
            words = "; ".join(f"{what} {', '.join(names)}" for what, names in done.items() if names)
            object.__setattr__(self, "name", words)
        if not (self.lock or self.release or self.motions):
            raise ModelError.at(self.name or "event", "it does nothing; give lock=, release= or motions=")
        if (self.at is None) == (self.when is None):
            raise ModelError.at(self.name, "give either at= (a time [s]) or when= (a condition)")
        number = isinstance(self.at, int | float | np.number) and not isinstance(self.at, bool)
        if self.at is not None and not (number and np.isfinite(self.at)):
            raise ModelError.at(self.name, f"at is {self.at!r}; give a finite time [s]")


@dataclass(frozen=True)
class Happening:
    """An event that happened, in `run.events`.

    time       [s]
    name       of the event
    impulse    by the names of the coordinates that are held from then on: what it took to change their velocities at
               once [N m s, N s]; empty where no velocity changed
    loss       kinetic energy lost [J]
    """

    time: float
    name: str
    impulse: dict[str, float] = field(default_factory=dict)
    loss: float = 0.0


def entries(model: Model, name: str, what: str) -> list[int]:
    """Entries of v that a name means: one coordinate, or all of a joint, or all internal ones of a body."""
    if name in model.index.v:
        found = [model.index.v[name]]
    else:
        known = [*model.joints, *model.bodies]
        found = [k for one, k in model.index.v.items() if name in known and one.startswith(f"{name}.")]
    if not found:
        raise ModelError.at(name, f"{what}: no such coordinate; {suggestion(name, model.index.v)}")
    if np.any(model.arrays.q_index[found] < 0):
        raise ModelError.at(
            name, f"{what}: rotations and free joints cannot be held or moved entry by entry; lock joints of one axis"
        )
    return found


def bound_condition(event: Event, model: Model) -> BoundCondition:
    """The condition of an event, bound to the model."""
    when = event.when
    if isinstance(when, Condition):
        return when()
    if isinstance(when, BoundCondition):
        return when
    if not isinstance(when, tuple) or len(when) != 3 or when[1] not in (">", "<"):
        raise ModelError.at(
            event.name, f'when is {shown(when)}; give ("elbow", ">", 1.57), or a condition made by @jd.condition'
        )
    name, sign, value = when
    if name not in model.index.q:
        raise ModelError.at(str(name), f"when: no such coordinate; {suggestion(str(name), model.index.q)}")
    if not isinstance(value, int | float | np.number) or not np.isfinite(value):
        raise ModelError.at(event.name, f"when: {name} is compared with {value!r}; give a finite number")
    numbers = (model.index.q[name], 1.0 if sign == ">" else -1.0, float(value))
    return BoundCondition(PASSES, numbers, [name, sign, float(value)])


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
            bound_condition(event, model)
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
    return problems


def _order(events: Sequence[Event], model: Model, moved: set[int]) -> list[Problem]:
    """Locks of what is locked and releases of what is free, as far as times alone tell."""
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
    for event in [events[i] for _, i in sorted(timed)]:
        problems += follow(event, model, status, untimed)
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
