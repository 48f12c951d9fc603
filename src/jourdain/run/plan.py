"""The options of a run, checked and completed: what `simulate` and `simulate_many` share."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..basics.errors import ModelError, Problem, inside
from ..basics.values import enough_digits, suggestion
from ..describe.conditions import bound_condition
from ..describe.constraints.methods import as_method
from ..describe.events import Event, check_events
from ..describe.motions import Motion
from ..kernels.integrate.method_names import ADAPTIVE, FIXED
from ..model.contact_start import begin_contacts
from ..model.model import Model
from ..model.run_stages import ConstraintFunctions, Laws, gather, tables, with_conditions
from ..model.state import State
from ..model.topology_change import connected
from ..results.trust import TOLERANCE, check_tolerance
from .constraint_drift import Gap, SingularPoint
from .constraint_start import start_roles
from .contact_steps import check_step_check
from .events import EventHandling, Profile, outside
from .implicit import FORMS, IMPLICIT, ImplicitMethod, implicit_method
from .partitioned import check_free, check_partitioned
from .redundancy import Roles, row_roles, set_pivots
from .surface_contact import check_apart, check_touching
from .thread_partition import check_workers, is_cut, pool_size

WITH_IMPLICIT_METHODS = ("projection", "baumgarte", "unstabilised")
"""Constraint methods that implicit integrators take."""
MOST_SAMPLES = 20_000
"""Samples that a fixed-step run keeps at most when `output` is not given."""

MOST_STEPS = 1e15
"""Steps of the longest run, so that their numbers are exact."""


def _whole_steps(duration: float, step: float) -> bool:
    """Whether a time is a whole number of steps, but for rounding."""
    steps = max(1, round(duration / step))
    return abs(steps * step - duration) <= 1e-6 * step * max(1.0, steps * 1e-6)


class Timing:
    """When a run begins and ends and where its steps are, checked and completed.

    start    time of the state that it begins from [s]; the others are those of `simulate`
    """

    def __init__(
        self,
        start: float,
        until: float,
        step: float | None = None,
        method: str | ImplicitMethod | None = None,
        output: float | None = None,
        rtol: float = 1e-9,
        atol: float = 1e-11,
        max_step: float | None = None,
        form: str | None = None,
    ) -> None:
        self.start = float(start)
        self.implicit = implicit_method(method)
        self.form = form
        problems: list[Problem] = []
        if not np.isfinite(self.start):
            problems.append(Problem("time", f"the state's time is {self.start}; give a finite time [s]"))
        times = {"until": until, "step": step, "output": output, "max_step": max_step, "rtol": rtol, "atol": atol}
        for what, value in times.items():
            if value is None and what not in ("until", "rtol", "atol"):
                continue
            if not isinstance(value, int | float | np.number) or isinstance(value, bool) or not np.isfinite(value):
                problems.append(Problem(what, f"got {value!r}; give a finite number"))
            elif what != "until" and not value > 0.0:
                problems.append(Problem(what, f"got {value!r}; give a number above zero"))
        if not problems and until <= self.start:
            problems.append(Problem("until", f"got {until:g} s; the state is at {self.start:g} s already"))
        if method is None:
            method = "dop853" if step is None else "rk4"
        if self.implicit is not None:
            method = self.implicit.name
            if self.implicit.chooses and step is not None:
                problems.append(Problem("step", f'"{method}" chooses its steps; leave out step=, or give max_step='))
        elif method not in FIXED + ADAPTIVE:
            hint = suggestion(str(method), (*FIXED, *ADAPTIVE, *IMPLICIT))
            problems.append(Problem("method", f'"{method}" does not exist; {hint}'))
        elif method in FIXED and step is None:
            problems.append(Problem("step", f'"{method}" takes fixed steps; give step= [s]'))
        elif method in ADAPTIVE and step is not None:
            problems.append(Problem("step", f'"{method}" chooses its steps; leave out step=, or give max_step='))
        if form is not None and form not in FORMS:
            problems.append(Problem("form", f"got {form!r}; allowed are {', '.join(FORMS)}"))
        elif form is not None and self.implicit is None:
            known = ", ".join(f'"{name}"' for name in IMPLICIT)
            why = f'form="{form}" is for implicit methods, and "{method}" is explicit'
            problems.append(Problem("form", f"{why}; give method= one of {known}, or leave out form="))
        if problems:
            raise ModelError(problems)
        self.method, self.until = str(method), float(until)
        self.fixed = method in FIXED or (self.implicit is not None and step is not None)
        self.rtol, self.atol = float(rtol), float(atol)
        self.max_step = math.inf if max_step is None else float(max_step)
        self.interval = 0.0 if output is None else float(output)
        if step is not None:
            self._fixed(float(step), output)

    def _fixed(self, step: float, output: float | None) -> None:
        duration = self.until - self.start
        if not duration / step < MOST_STEPS:
            raise ModelError.at("step", f"got {step:g} s for a run of {duration:g} s; more than 1e15 steps end never")
        self.steps = max(1, round(duration / step))
        if not _whole_steps(duration, step):
            fits = enough_digits(duration / math.ceil(duration / step), lambda near: _whole_steps(duration, near))
            raise ModelError.at(
                "step", f"{duration:g} s is not a whole number of steps of {step:g} s; {fits} s would do"
            )
        self.step = duration / self.steps
        if output is None:
            self.every = max(1, math.ceil(self.steps / MOST_SAMPLES))
            return
        self.every = round(output / step)
        if self.every < 1 or abs(self.every * step - output) > 1e-6 * output:
            count = max(1, self.every)
            near = enough_digits(count * step, lambda near: abs(count * step - near) <= 1e-6 * near)
            raise ModelError.at(
                "output", f"{output:g} s is not a whole number of steps of {step:g} s; {near} s would do"
            )

    def fit(self, events: Sequence[Event]) -> None:
        """Times of events lie between steps, not within them."""
        problems = []
        for event in events:
            if event.at is None:
                continue
            if not self._between(event.at):
                low = self.start + math.floor((event.at - self.start) / self.step) * self.step
                why = f"happens at {event.at:.9g} s, within a step of {self.step:.9g} s"
                first, second = (enough_digits(t, self._between) for t in (low, low + self.step))
                do = f"{first} s or {second} s would do, or an adaptive method"
                problems.append(Problem(event.name, f"{why}; {do}", "at"))
        if problems:
            raise ModelError(problems)

    def _between(self, t: float) -> bool:
        """Whether a time is that at which a fixed step begins."""
        return abs(self.start + self.step_of(t) * self.step - t) <= 1e-6 * self.step

    def step_of(self, t: float) -> int:
        """Number of the fixed step that begins at time t."""
        return round((t - self.start) / self.step)


@dataclass(frozen=True, kw_only=True)
class Options:
    """What a run may be asked beside its end and its step; their meaning is that of `simulate`."""

    method: str | ImplicitMethod | None = None
    output: float | None = None
    motions: Mapping[str, Motion] | None = None
    controller: Any = None
    rtol: float = 1e-9
    atol: float = 1e-11
    max_step: float | None = None
    events: Any = None
    form: str | None = None
    constraints: Any = None
    step_check: str = "refuse"
    energy_tolerance: float = TOLERANCE
    workers: int | None = 1


class Plan(Timing):
    """The options of a run, checked and completed; `prepare` then compiles and binds what the run needs.

    cases    whether many states are run side by side
    given    what `Options` lists; `asked` has it as it was

    After `prepare`:

    base          the model at the start; `model` is the one of the connections that are closed now
    laws          forces of the model and controllers, bound to it
    q, v, z, latched    the state at the start, which the loop changes
    events        events of the run, and who prescribes which coordinate
    roles         of the rows of constraints, where rows are redundant
    past_gap, past_singular    of the models of before, where connections have changed
    """

    model: Model
    constraint_functions: ConstraintFunctions | None
    """Functions that make a run meet its constraints, None where it has none."""
    laws: Laws
    q: np.ndarray
    v: np.ndarray
    z: np.ndarray
    latched: np.ndarray
    peaks: np.ndarray
    events: EventHandling
    own_parameters: np.ndarray

    def __init__(
        self, model: Model, state: State, until: float, step: float | None = None, *, cases: bool = False, **given: Any
    ) -> None:
        asked = Options(**given)
        if not isinstance(model, Model):
            raise ModelError.at("model", f"got {type(model).__name__}; give a Model, from system.compile()")
        if not isinstance(state, State):
            raise ModelError.at("state", f"got {type(state).__name__}; give a State, from model.state(...)")
        super().__init__(
            state.time, until, step, asked.method, asked.output, asked.rtol, asked.atol, asked.max_step, asked.form
        )
        self.base, self.state, self.asked = model, state, asked
        self.step_check = check_step_check(asked.step_check)
        self.energy_tolerance = check_tolerance(asked.energy_tolerance)
        if cases and self.implicit is not None:
            raise ModelError.at("method", f'"{self.method}" is for jd.simulate; give an explicit method')
        self.constraints = as_method(asked.constraints)
        self._use(model)
        check_touching(model, self)
        check_partitioned(model, self)
        self.by_trees = False
        self.threads = self._threads(check_workers(asked.workers))
        self.roles: Roles | None = None
        from ..kernels.integrate.loop import adaptive_steps, fixed_cases, fixed_steps

        self.stepper = adaptive_steps if not self.fixed else fixed_cases if cases else fixed_steps
        self.has_laws = asked.controller is not None or len(model.law_forces) > 0
        if asked.motions is not None and not isinstance(asked.motions, Mapping):
            raise ModelError.at("motions", f"got {type(asked.motions).__name__}; give a dict from names to profiles")
        self.motions = dict(asked.motions or {})
        self.past_gap: Gap | None = None
        self.past_singular: SingularPoint | None = None

    def prepare(self) -> Plan:
        """Compiles what the run needs, binds laws and events, and refuses a state that no run can begin from."""
        model, asked = self.model, self.asked
        self._compile()
        self.laws = gather(model, asked.controller)
        if self.laws.sampled == 2 and self.constraint_functions is not None and self.constraints.rates is not None:
            raise ModelError.at(
                "controller",
                f"it senses what joints transmit, which {type(self.constraints).__name__} does not compute; use "
                "jd.constraints.Projection()",
            )
        self.q, self.v, self.latched, self.z = (part[0] for part in self.initials([self.state]))
        check_apart(model, self.q, self.v)
        self.peaks = model.workspace().peaks.array.copy()
        self._bind_events()
        if self.constraint_functions is not None:
            self.events.stabilization = self.constraints.numbers(model, self.q).numbers
            self.roles = start_roles(model, self.start, self.q, self.v, self.events.profiles, self.constraints.skips)
        if self.fixed:
            for law in self.laws.bound:
                law.fit(self.step)
        for piece, law in zip(self.laws.pieces, self.laws.bound, strict=True):
            law.check(model, self.start, self.q, self.v, model.nv if piece.marker == -1 else 6)
        return self

    def _bind_events(self) -> None:
        """Prescribed motions and events of the run; conditions are bound to the model, and their kernels called."""
        model = self.model
        profiles = prescribed(model, self.q, self.v, self.motions, self.start, self.until)
        check_free(model, profiles)
        events = check_events(self.asked.events, model, self.start, self.until, self.motions)
        if self.fixed:
            self.fit(events)
        conditions = [bound_condition(event.when, model, event.name) for event in events if event.when is not None]
        for condition in conditions:
            condition.check(model, self.start, self.q, self.v, self.z[:-2])
        self.own_parameters = self.laws.parameters
        self.laws = with_conditions(model, self.laws, conditions)
        self.events = EventHandling(model, profiles, events, self.laws, self.until)
        if self.events.connects:
            self._prepare_connections()

    def _threads(self, workers: int | None) -> int:
        """How many threads share the run."""
        if self.constraint_functions is not None and self.constraints.rates is not None:
            return 1
        self.by_trees = workers != 1 and self.implicit is None and is_cut(self.model)
        return pool_size(self.model, workers, self.by_trees)

    def _use(self, model: Model) -> None:
        """Takes another model, if the run's methods can meet its constraints."""
        self.constraints.check(model)
        looped = len(model.arrays.constraints) > 0
        if self.implicit is not None and looped:
            self.form = self.form or self.implicit.form
            if self.constraints.kind not in WITH_IMPLICIT_METHODS:
                allowed = ", ".join(f'"{name}"' for name in WITH_IMPLICIT_METHODS)
                why = f'"{self.constraints.kind}" is for explicit methods, and "{self.method}" is implicit'
                raise ModelError.at("constraints", f"{why}; give {allowed}, or an explicit method")
        self.model, self.constraint_functions = model, None
        if looped or self.constraints.trees:
            from ..kernels.constraints.row_selection import watch_closure
            from ..kernels.constraints.stabilization import act

            found = ConstraintFunctions(*self.constraints.stages_of(model), watch_closure if looped else None, act)
            self.constraint_functions = found

    def _prepare_connections(self) -> None:
        """Whether the method can go on where connections close and open; compiles what it then needs."""
        if self.constraints.rates is not None:
            raise ModelError.at(
                "constraints",
                f'"{self.constraints.kind}" integrates momenta, and events that connect change velocities at once; use '
                "jd.constraints.Projection()",
            )
        closed = copy(self)
        closed._use(connected(self.base, {name: {} for name in self.base.connections.ways}))
        closed._compile()
        self.form = closed.form

    def change_model(self, t: float) -> None:
        """The run goes on at time t in the model of the connections that are closed then."""
        before = self.model, self.constraint_functions
        try:
            self._use(self.events.model)
            self.roles, self.events.stabilization = None, None
            if self.constraint_functions is not None:
                self.events.stabilization = self.constraints.numbers(self.model, self.q).numbers
                if self.constraints.skips and len(self.model.constraints):
                    self.roles = row_roles(self.model, t, self.q, self.events.profiles)
        except ModelError:
            self.model, self.constraint_functions = before
            raise

    def _compile(self) -> None:
        """Compiles what the run needs, as far as it is known: before its laws are bound, without them."""
        from ..kernels.compiling.parallel_compilation import prepare
        from .loop import needed

        prepare(needed(self))

    def task(self) -> Any:
        """What the kernels read of it; laws are compiled here."""
        if self.events.tables is None:
            self.events.tables = tables(self.laws)
        return self.events.task()

    @property
    def rates(self) -> Any:
        """Which right-hand side the run takes."""
        from ..kernels.tree.right_hand_side import tree_rates

        if self.constraint_functions is not None and self.constraints.rates is not None:
            return self.constraints.rates
        if self.threads <= 1 or not self.by_trees:
            return tree_rates
        from ..kernels.parallel.parallel_rates import pool_rates

        return pool_rates

    def initials(self, states: Sequence[State]) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """q, v, latched values and the integrated states z of states, a row each, copied and checked."""
        model = self.model
        problems: list[Problem] = []
        q = _rows([state.q for state in states], "q", model.names.q, problems)
        v = _rows([state.v for state in states], "v", model.names.v, problems)
        if problems:
            raise ModelError(problems)
        own, more = len(model.names.z), self.laws.states
        given = [np.asarray(state.z, float) for state in states]
        z = np.concatenate([np.zeros(own), self.laws.start, np.zeros(2)])
        z = np.tile(z, (len(states), 1))
        for row, one in zip(z, given):
            if len(one) not in (own, own + more):
                raise ModelError.at("z", f"the state has {len(one)} internal states; give {own} or {own + more}")
            row[: len(one)] = one
        latched, z = z[:, : model.latched].copy(), z[:, model.latched :].copy()
        # what sticking friction holds already was not lost in this run: see `record`
        friction = int(np.sum(model.arrays.joint_springs.columns.friction > 0.0))
        springs, at = model.arrays.joint_springs.columns, model.arrays.spring_entries.columns.q[:friction]
        k, most = springs.friction_stiffness[:friction], springs.friction[:friction]
        z[:, -1] = 0.5 * np.sum(np.clip(k * (q[:, at] - latched[:, :friction]), -most, most) ** 2 / k, axis=1)
        if model.contacts.names:
            for i in range(len(states)):
                z[i, -1] += begin_contacts(model, q[i], v[i], z[i], latched[i])
        return q, v, latched, z

    def workspace(self) -> Any:
        """A workspace of the run's own, with its prescribed entries marked."""
        from ..kernels.model_arrays import workspace

        laws = self.laws
        scratch = None if self.constraint_functions is None else self.constraints.scratch(self.model)
        ws = workspace(
            self.model.arrays,
            sensed=laws.sensed,
            control=laws.control,
            control_workspaces=[one.arrays for one in laws.control_workspaces],
            keeping=scratch,
            roles=None if self.roles is None else self.roles.roles,
            surfaces=len(self.model.description.get("touching", ())),
        )
        if self.roles is not None:
            set_pivots(ws, self.roles)
        ws.known[list(self.events.profiles)] = 1
        ws.flags.sampled = laws.sampled
        ws.flags.watched = laws.watched
        if ws.flags.watched == 1 and self.constraint_functions is not None and self.constraints.rates is not None:
            ws.flags.watched = 2  # conditions see velocities, which the right-hand side makes of what it integrates
        return ws

    def options(self) -> dict[str, Any]:
        """What the run file says of how the run was made."""
        out: dict[str, Any] = {"method": self.method, "until": self.until, "start": self.start}
        if self.fixed:
            out |= {"step": self.step, "output": self.every * self.step}
        else:
            out |= {"rtol": self.rtol, "atol": self.atol, "output": self.interval or None}
            out["max_step"] = self.max_step if math.isfinite(self.max_step) else None
        sensors = [list(one) for law in self.laws.bound for one in law.fitted]
        if sensors:
            out["sensors"] = sensors
        if self.implicit is not None:
            out["method_options"] = self.implicit.options()
            out["form"] = self.form
        if self.constraint_functions is not None or self.events.connects:
            out["constraints"] = self.constraints.to_dict()
        out["energy_tolerance"] = self.energy_tolerance if math.isfinite(self.energy_tolerance) else None
        out["laws"] = [piece.law.name for piece in self.laws.pieces]
        out["parameters"] = self.own_parameters.tolist()
        out["motions"] = {name: motion.to_dict() for name, motion in self.motions.items()}
        if self.events.events:
            out["events"] = self.events.to_list()
        out["z_names"] = [*self.model.names.z, *self.laws.names]
        for law in self.laws.bound:
            for what, entries in law.recorded.items():
                out[what] = [*out.get(what, ()), *entries]
        if self.threads > 1:
            out["workers"] = self.threads
        seeds = {law.name: law.seed for law in self.laws.bound if law.seed is not None}
        out["seed"] = seeds or None
        return out


def prescribed(
    model: Model, q: np.ndarray, v: np.ndarray, motions: Mapping[str, Motion], start: float, until: float
) -> dict[int, Profile]:
    """The profiles of a run by entries of v; a `ModelError` says where one does not fit the state or its limits."""
    from ..kernels.tree.motions import profile

    found: dict[int, Profile] = {}
    problems: list[Problem] = []
    for name, motion in motions.items():
        if name not in model.index.v:
            hint = suggestion(str(name), model.index.v)
            problems.append(Problem(str(name), f"motions: no such coordinate; {hint}"))
            continue
        k = model.index.v[name]
        j = int(model.arrays.q_index[k])
        if j < 0:
            problems.append(Problem(name, "motions: rotations and free joints cannot be prescribed entry by entry"))
            continue
        if not isinstance(motion, Motion):
            problems.append(Problem(name, f"motions: got {type(motion).__name__}; give a profile, such as jd.Cycloid"))
            continue
        try:
            numbers = motion.numbers(float(q[j]), name)
        except ModelError as error:
            problems += error.problems
            continue
        value, rate, _ = profile.py_func(motion.code, numbers, 0, start)
        for what, mine, theirs in (("q", value, q[j]), ("v", rate, v[k])):
            if abs(mine - theirs) > 1e-9 * max(1.0, abs(mine)):
                problems.append(
                    Problem(
                        name,
                        f"motions: the profile starts with {what} = {mine:.9g}, the state with {theirs:.9g}; "
                        f'set {what}={{"{name}": {mine:.9g}}} in the state, or change the profile',
                    )
                )
        found[k] = motion.code, numbers
        problems += outside(model, name, found[k], start, until)
    if problems:
        raise ModelError(inside("motions", problems))
    return found


def _rows(given: list[np.ndarray], what: str, names: Sequence[str], problems: list[Problem]) -> np.ndarray:
    """Coordinates or velocities of states, a row each; what is wrong with them goes to `problems`."""
    for values in given:
        if np.shape(values) != (len(names),):
            text = f"the state has {np.shape(values)} numbers; this model has ({len(names)},)"
            problems.append(Problem(what, text))
            return np.zeros((len(given), len(names)))
    rows = np.array(given, float).reshape(len(given), len(names))
    if not np.all(np.isfinite(rows)):
        bad = names[int(np.argmin(np.all(np.isfinite(rows), axis=0)))]
        problems.append(Problem(bad, f"{what} is not a finite number"))
    return rows
