"""Who holds which coordinate in a run, which connections are closed, and what events change of both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics.errors import ModelError, Problem
from ..describe.conditions import bound_condition
from ..describe.events import Event, Happening, entries, follow, follow_connections
from ..describe.motions import CYCLOID, SINE, Motion, Polynomial
from ..model.topology_change import Closing, closing_at, connected, spring_energy
from .constraint_start import check_start, not_met
from .impacts import Impact, impact
from .partitioned import check_free

if TYPE_CHECKING:
    from ..kernels.model_arrays import RunTables
    from ..model.model import Model
    from ..model.run_stages import Laws

Profile = tuple[int, np.ndarray]
"""Code and numbers of a profile, as the kernels read them."""


def displaced(motion: Motion, value: float, name: str, t: float) -> Profile:
    """A profile whose clock starts at time t and whose values begin at `value`."""
    from ..kernels.tree.motions import profile

    numbers = motion.numbers(value, name)
    if motion.code == CYCLOID:
        numbers[1] += t
    elif motion.code == SINE:
        numbers[3] -= numbers[2] * t
    else:
        numbers[4 : 5 + int(numbers[1])] += t
    numbers[0] += value - profile.py_func(motion.code, numbers, 0, t)[0]
    return motion.code, numbers


def outside(model: Model, name: str, one: Profile, start: float, until: float) -> list[Problem]:
    """Whether a profile leaves the range of its coordinate; seen at 1001 times."""
    from ..kernels.tree.motions import profile

    if name not in model.ranges:
        return []
    low, high = model.ranges[name]
    slack = 1e-9 * (high - low)
    for t in np.linspace(start, until, 1001):
        x = profile.py_func(*one, 0, t)[0]
        if not low - slack <= x <= high + slack:
            where = f"the profile is at {x:.6g} m at {t:.6g} s"
            return [Problem(name, f"motions: {where}; it must stay between {low:g} and {high:g} m")]
    return []


class EventHandling:
    """The holders of all coordinates of a run, and the events that are to come.

    profiles     of the held entries of v
    events       all of the run
    laws         of the run; among them conditions, and where these are remembered
    tables       of the laws, once they are compiled (`run_stages.tables`)
    stabilization    numbers of the constraint method, None for zeros
    timed        times [s] and numbers of the events to come that have a time, in their order
    happened     what happened, in the order of the events; None for what has not yet
    base         the model at the start; `model` is the one of the connections that are closed now
    closed       these connections, and what they found where they were closed
    """

    def __init__(
        self, model: Model, profiles: dict[int, Profile], events: Sequence[Event], laws: Laws, until: float
    ) -> None:
        self.model, self.profiles, self.events, self.until = model, profiles, tuple(events), until
        self.laws = laws
        self.tables: dict[str, np.ndarray] | None = None
        self.status = dict.fromkeys(profiles, "moved")
        self.happened: list[Happening | None] = [None] * len(self.events)
        self.timed = sorted((float(event.at), i) for i, event in enumerate(self.events) if event.at is not None)
        self.waiting = [i for i, event in enumerate(self.events) if event.when is not None]
        self.stabilization: np.ndarray | None = None
        self.base, self.closed = model, dict(model.connections.closed)
        self.found: list[dict[str, Closing]] = [{} for _ in self.events]

    @property
    def connects(self) -> bool:
        """Whether events close or open connections."""
        return any(event.connect or event.disconnect for event in self.events)

    def task(self) -> RunTables:
        """The held entries as the kernels read them."""
        from ..kernels.law_table import run_tables

        index, at = [], 0
        for k, (code, numbers) in self.profiles.items():
            index.append((k, code, at))
            at += len(numbers)
        data = [numbers for _, numbers in self.profiles.values()]
        held = np.array(index).reshape(-1, 3), np.concatenate([np.zeros(0), *data])
        return run_tables(*held, self.laws.sensors, self.stabilization, **(self.tables or {}))

    @property
    def held(self) -> tuple[str, ...]:
        """Names of the held entries of v."""
        return tuple(self.model.names.v[k] for k in self.profiles)

    @property
    def next_time(self) -> float:
        """Time of the next timed event [s], infinite where there is none."""
        return self.timed[0][0] if self.timed else np.inf

    def due(self, t: float, memory: np.ndarray) -> list[int]:
        """Events that are due by time t, or whose conditions were met, in the order of the run's list; each once."""
        from ..kernels.law_table import DONE, MET

        due = []
        while self.timed and self.timed[0][0] <= t:
            due.append(self.timed.pop(0)[1])
        for i, watch in zip(self.waiting, self.laws.watches, strict=True):
            if memory[watch.at] == MET:
                memory[watch.at] = DONE
                due.append(i)
        return sorted(due)

    def apply(self, i: int, t: float, q: np.ndarray, v: np.ndarray, z: np.ndarray, known: np.ndarray) -> None:
        """Event number i at time t: changes v, the work and the loss in z, and who is held."""
        model, event = self.model, self.events[i]
        problems = follow(event, model, self.status)
        if problems:
            raise ModelError(problems)
        released = [k for name in event.release for k in entries(model, name, "release")]
        taken: dict[int, Profile] = {}
        for name in event.lock:
            for k in entries(model, name, "lock"):
                value = float(q[model.arrays.q_index[k]])
                taken[k] = Polynomial.code, Polynomial([value]).numbers(value, name)
        for name, motion in event.motions.items():
            k = model.index.v[name]
            taken[k] = displaced(motion, float(q[model.arrays.q_index[k]]), name, t)
            problems += outside(model, name, taken[k], t, self.until)
        if problems:
            raise ModelError(problems)
        check_free(model, taken)
        from ..kernels.tree.motions import profile

        released_energy, given_energy = self._connect(i, q, v, t)
        for k in released:
            known[k] = 0
            del self.profiles[k]
        wanted = {k: float(profile.py_func(*one, 0, t)[1]) for k, one in taken.items()}
        done = impact(self.model, q, v, wanted, known, t, closes=bool(event.connect))
        self.profiles |= taken
        known[list(taken)] = 1
        v[:] = done.v
        z[-2] += done.work + given_energy
        z[-1] += done.loss + released_energy
        if event.connect:
            check_start(self.model, t, q, v, self.profiles, warns=False)
        names = model.names.v
        impulse = {names[k]: float(done.impulse[k]) for k in np.flatnonzero(known) if done.impulse[k] != 0.0}
        wrench = self._wrenches(event, done, q, t)
        self.happened[i] = Happening(float(t), event.name, impulse, done.loss + released_energy, wrench)

    def _connect(self, i: int, q: np.ndarray, v: np.ndarray, t: float) -> tuple[float, float]:
        """Closes and opens what event number i tells; the energy that springs lose with it, and bring [J]."""
        event, base = self.events[i], self.base
        if not (event.connect or event.disconnect):
            return 0.0, 0.0
        closed = dict(self.closed)
        problems = follow_connections(event, set(closed))
        if problems:
            raise ModelError(problems)
        lost = sum(spring_energy(base, name, closed.pop(name), q) for name in event.disconnect)
        self.found[i] = {name: closing_at(base, name, q) for name in event.connect}
        gained = sum(spring_energy(base, name, one, q) for name, one in self.found[i].items())
        self.closed = closed | self.found[i]
        self.model = connected(base, self.closed)
        problems = not_met(self.model, t, q, event.connect)
        if problems:
            raise ModelError(problems)
        return float(lost), float(gained)

    def _wrenches(self, event: Event, done: Impact, q: np.ndarray, t: float) -> dict[str, list[float]]:
        """Impulses of the constraints that an event closed, on their first bodies."""
        rows = self.model.constraints
        there = [name for name in event.connect if name in rows.names]
        if not there:
            return {}
        wrenches = rows.table(q, np.zeros(self.model.nv), t).columns.on_A
        return {name: (done.rows[rows.slice(name)] @ wrenches[rows.slice(name)]).tolist() for name in there}

    def to_list(self) -> list[dict[str, Any]]:
        """The events, and what became of them, for run files."""
        out = []
        for event, happening, found in zip(self.events, self.happened, self.found, strict=True):
            one: dict[str, Any] = {"name": event.name, "lock": list(event.lock), "release": list(event.release)}
            if event.connect or event.disconnect:
                one |= {"connect": list(event.connect), "disconnect": list(event.disconnect)}
            one["at"] = None if event.at is None else float(event.at)
            one["when"] = None if event.when is None else bound_condition(event.when, self.model, event.name).words
            one["motions"] = {name: motion.to_dict() for name, motion in event.motions.items()}
            if happening is not None:
                one |= {"time": happening.time, "impulse": happening.impulse, "loss": happening.loss}
                one |= {"wrench": happening.wrench, "closing": found} if "connect" in one else {}
            out.append(one)
        return out

    def unmet(self) -> list[str]:
        """Names of the events that did not happen."""
        return [one.name for one, done in zip(self.events, self.happened, strict=True) if done is None]
