"""`jd.simulate`: a model, from a state, for a time."""

from __future__ import annotations

import math
import os
import sys
import time as clock
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from .contact.checking import begin_contacts, crowded_problems
from .contact.evaluation import accept
from .contact.steps import StepCheck
from .errors import ModelError, Problem, SimulationError
from .model import Model, State
from .motions import Motion
from .run import Record, Run
from .stability import too_long
from .stages import Laws, assemble, gather
from .values import suggestion

if TYPE_CHECKING:
    from .kernels.layout import Task

FIXED = ("euler", "heun", "rk3", "rk4", "rk5")
ADAPTIVE = ("dopri5", "dop853")
LATER = ("generalized-alpha", "newmark", "bdf", "radau")
SLICE = 0.05
"""Wall-clock time of one compiled slice [s]: how often progress, Ctrl-C and the journal get their turn."""
GROWTH = 64
"""How many times as many steps as the last one a slice has at most: handing a slice its functions costs near 1 ms."""
JOURNAL_ROWS = 1000
"""Samples after which the journal of a saved run gets a chunk."""
ROWS = 20_000
"""Samples that a fixed-step run keeps at most when `output` is not given."""


class Plan:
    """The options of a run, checked and completed: what `simulate` and `simulate_many` share."""

    def __init__(
        self,
        model: Model,
        state: State,
        until: float,
        step: float | None,
        method: str | None,
        output: float | None,
        motions: Mapping[str, Motion] | None,
        controller: Any,
        rtol: float,
        atol: float,
        max_step: float | None,
    ) -> None:
        if not isinstance(model, Model):
            raise ModelError.at("model", f"got {type(model).__name__}; give a Model, from system.compile()")
        if not isinstance(state, State):
            raise ModelError.at("state", f"got {type(state).__name__}; give a State, from model.state(...)")
        self.model, self.state = model, state
        self.start = float(state.time)
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
        if method in LATER:
            problems.append(Problem("method", f'"{method}" is not there yet; use "dop853" or a fixed step'))
        elif method not in FIXED + ADAPTIVE:
            hint = suggestion(str(method), FIXED + ADAPTIVE)
            problems.append(Problem("method", f'"{method}" does not exist; {hint}'))
        elif method in FIXED and step is None:
            problems.append(Problem("step", f'"{method}" takes fixed steps; give step= [s]'))
        elif method in ADAPTIVE and step is not None:
            problems.append(Problem("step", f'"{method}" chooses its steps; leave out step=, or give max_step='))
        if problems:
            raise ModelError(problems)
        self.method, self.until = method, float(until)
        self.rtol, self.atol = float(rtol), float(atol)
        self.max_step = math.inf if max_step is None else float(max_step)
        self.interval = 0.0 if output is None else float(output)
        if method in FIXED:
            self._fixed(float(step), output)
        self.laws: Laws = gather(model, controller)
        self.q, self.v, self.latched, self.z = self.initial(state)
        self.peaks = model.workspace().peaks.copy()
        if motions is not None and not isinstance(motions, Mapping):
            raise ModelError.at("motions", f"got {type(motions).__name__}; give a dict from names to profiles")
        self.motions = dict(motions or {})
        self.task: Task = self._task(self.motions)
        if method in FIXED:
            for law in self.laws.bound:
                law.fit(self.step)
        for piece, law in zip(self.laws.pieces, self.laws.bound, strict=True):
            law.check(model, self.start, self.q, self.v, model.nv if piece.marker < 0 else 6)

    @property
    def rates(self) -> str:
        """Which right-hand side the run takes."""
        if self.laws.pieces:
            return "loaded_rates" if self.laws.sampled == 2 else "rates"
        return "touching_rates" if self.model.contacts.names else "lawless_rates"

    @property
    def fixed(self) -> bool:
        """Whether the method takes fixed steps."""
        return self.method in FIXED

    def _fixed(self, step: float, output: float | None) -> None:
        duration = self.until - self.start
        self.steps = max(1, round(duration / step))
        if abs(self.steps * step - duration) > 1e-6 * step * max(1.0, self.steps * 1e-6):
            fits = duration / math.ceil(duration / step)
            raise ModelError.at(
                "step", f"{duration:g} s is not a whole number of steps of {step:g} s; {fits:.9g} s would do"
            )
        self.step = duration / self.steps
        if output is None:
            self.every = max(1, math.ceil(self.steps / ROWS))
            return
        self.every = round(output / step)
        if self.every < 1 or abs(self.every * step - output) > 1e-6 * output:
            near = max(1, self.every) * step
            raise ModelError.at(
                "output", f"{output:g} s is not a whole number of steps of {step:g} s; {near:.9g} s would do"
            )

    def initial(self, state: State) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """q, v, latched values and the integrated states z of a state, copied and checked."""
        model = self.model
        problems = []
        for what, values, names in (("q", state.q, model.names.q), ("v", state.v, model.names.v)):
            if np.shape(values) != (len(names),):
                problems.append(
                    Problem(what, f"the state has {np.shape(values)} numbers; this model has ({len(names)},)")
                )
            elif not np.all(np.isfinite(values)):
                bad = names[int(np.argmin(np.isfinite(values)))]
                problems.append(Problem(bad, f"{what} is not a finite number"))
        if problems:
            raise ModelError(problems)
        from .kernels.layout import FRICTION, FRICTION_STIFFNESS

        own = len(model.names.z)
        given = np.array(state.z, float)
        if len(given) not in (own, own + self.laws.states):
            raise ModelError.at(
                "z", f"the state has {len(given)} internal states; give {own} or {own + self.laws.states}"
            )
        latched = given[: model.latched].copy()
        z = np.concatenate([np.zeros(own - model.latched), self.laws.start, np.zeros(2)])
        z[: len(given) - model.latched] = given[model.latched :]
        # what sticking friction holds already was not lost in this run: see `record`
        friction = int(np.sum(model.arrays.springs[:, FRICTION] > 0.0))
        springs, at = model.arrays.springs[:friction], model.arrays.spring_index[:friction, 0]
        k, most = springs[:, FRICTION_STIFFNESS], springs[:, FRICTION]
        z[-1] = 0.5 * np.sum(np.clip(k * (np.asarray(state.q)[at] - latched[:friction]), -most, most) ** 2 / k)
        q, v = np.array(state.q, float), np.array(state.v, float)
        if model.contacts.names:
            z[-1] += begin_contacts(model, q, v, z, latched)
        return q, v, latched, z

    def _task(self, motions: Mapping[str, Motion]) -> Task:
        from .kernels.entries import task
        from .kernels.motions import profile

        model = self.model
        index, data, problems = [], [], []
        at = 0
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
                problems.append(
                    Problem(name, f"motions: got {type(motion).__name__}; give a profile, such as jd.Cycloid")
                )
                continue
            try:
                numbers = motion.numbers(float(self.q[j]), name)
            except ModelError as error:
                problems += error.problems
                continue
            value, rate, _ = profile.py_func(motion.code, numbers, 0, self.start)
            for what, mine, theirs in (("q", value, self.q[j]), ("v", rate, self.v[k])):
                if abs(mine - theirs) > 1e-9 * max(1.0, abs(mine)):
                    problems.append(
                        Problem(
                            name,
                            f"motions: the profile starts with {what} = {mine:.9g}, the state with {theirs:.9g}; "
                            f'set {what}={{"{name}": {mine:.9g}}} in the state, or change the profile',
                        )
                    )
            index.append((k, motion.code, at))
            data.append(numbers)
            at += len(numbers)
        if problems:
            raise ModelError(problems)
        return task(np.array(index).reshape(-1, 3), np.concatenate([np.zeros(0), *data]), self.laws.sensors)

    def workspace(self) -> Any:
        """A workspace of the run's own, with its prescribed entries marked."""
        from .kernels.layout import SAMPLED, workspace

        laws = self.laws
        ws = workspace(self.model.arrays, sensed=laws.sensed, control=laws.control, piloted=laws.piloted)
        ws.known[self.task.motion_index[:, 0]] = 1
        ws.books[SAMPLED] = laws.sampled
        return ws

    def options(self) -> dict[str, Any]:
        """What the run file says of how the run was made."""
        out: dict[str, Any] = {"method": self.method, "until": self.until, "start": self.start}
        if self.fixed:
            out |= {"step": self.step, "output": self.every * self.step}
        else:
            out |= {"rtol": self.rtol, "atol": self.atol, "output": self.interval or None}
            out["max_step"] = self.max_step if math.isfinite(self.max_step) else None
        out["laws"] = [piece.law.name for piece in self.laws.pieces]
        out["parameters"] = self.laws.parameters.tolist()
        out["motions"] = {name: motion.to_dict() for name, motion in self.motions.items()}
        out["z_names"] = [*self.model.names.z, *self.laws.names]
        seeds = {law.name: law.seed for law in self.laws.bound if getattr(law, "seed", None) is not None}
        out["seed"] = seeds or None
        return out


def simulate(
    model: Model,
    state: State,
    until: float,
    step: float | None = None,
    method: str | None = None,
    *,
    output: float | None = None,
    motions: Mapping[str, Motion] | None = None,
    controller: Any = None,
    rtol: float = 1e-9,
    atol: float = 1e-11,
    max_step: float | None = None,
    events: Any = None,
    progress: bool | None = None,
    save: str | os.PathLike[str] | None = None,
) -> Run:
    """Simulate a model from a state.

    until         time at which it ends [s]
    step          of the fixed-step methods [s]
    method        "euler", "heun", "rk3", "rk4", "rk5" at a fixed step (rk4 when only `step` is given);
                  "dopri5", "dop853" choose their steps (dop853 when neither is given)
    output        interval of what is kept [s]. Without it: every accepted step of an adaptive method; every step of a
                  fixed one, thinned so that at most 20,000 are kept
    motions       profiles that prescribe coordinates: {"elbow": jd.Cycloid(to=1.57, duration=60.0)}
    controller    a law, or a list of laws
    rtol, atol    tolerances of the adaptive methods
    max_step      the longest step that an adaptive method may take [s]
    events        none yet
    progress      None: a bar on a terminal once the run is long; True or False to insist
    save          file to write; a long run appends to a journal beside it and loses nothing when it is killed
    """
    if events:
        raise ModelError.at("events", "events are not there yet; run up to their time and go on from run.state()")
    plan = Plan(model, state, until, step, method, output, motions, controller, rtol, atol, max_step)
    return _Runner(plan, progress, save).run()


class _Runner:
    """The loop of compiled slices around one run."""

    def __init__(self, plan: Plan, progress: bool | None, save: str | os.PathLike[str] | None) -> None:
        self.plan = plan
        self.chunks: list[Record] = []
        self.flushed = self.waiting = 0
        self.journal: Any = None
        self.save = None if save is None else Path(save)
        self.progress = progress
        self.bar: Any = None

    def run(self) -> Run:
        from .kernels import entries
        from .kernels.tableaux import tableau

        plan, model = self.plan, self.plan.model
        announce(["law", plan.rates, "fixed_steps" if plan.fixed else "adaptive_steps"], model.flexible)
        table = tableau(plan.method)
        self.nz = len(model.names.z) + plan.laws.states
        self.head = (
            entries.first_class(plan.rates, model.flexible),
            assemble(model, plan.laws),
            model.arrays,
            plan.task,
        )
        self.ws = plan.workspace()
        for piece, law in zip(plan.laws.pieces, plan.laws.bound, strict=True):
            if piece.sampler is not None and hasattr(law.inner, "attach"):
                law.inner.attach(self.ws.control, piece.sampler.places)
        self.buffers = entries.buffers(table.A.shape[0], model.nq, model.nv, len(plan.z), len(model.arrays.paths))
        self.state = (plan.q, plan.v, plan.z, plan.latched)
        if self.save is not None:
            from .journal import Journal

            self.journal = Journal(self.save, model, plan.options())
        try:
            if plan.fixed:
                self._fixed(table)
            else:
                self._adaptive(table)
        except KeyboardInterrupt as interrupt:
            interrupt.partial = self._finish(partial=True)  # type: ignore[attr-defined]
            raise
        finally:
            if self.bar is not None:
                self.bar.stop()
        return self._finish()

    def _fixed(self, table: Any) -> None:
        from .kernels.entries import entry, tape
        from .kernels.steppers import INTERRUPTED, NO_ROOM, OK

        plan, model = self.plan, self.plan.model
        go = entry("fixed_steps", model.flexible)
        begun = last = clock.perf_counter()
        done, slice_steps = 0, 16
        check = None
        if model.contacts.names:
            check = StepCheck(model, plan.method, plan.step, tuple(plan.motions))
            check.look(plan.peaks, plan.q)
        while done < plan.steps:
            end = min(plan.steps, done + slice_steps)
            rows = (end - 1) // plan.every - (done - 1) // plan.every + 1
            out = tape(rows, model.nq, model.nv, self.nz)
            status, reached, rows = go(
                *self.head, table, plan.laws.parameters, self.ws, self.buffers, *self.state,
                plan.start, plan.step, done, end, plan.steps, plan.every, out, 0,
            )  # fmt: skip
            self._keep(out, rows)
            if status == NO_ROOM:
                self._make_room()
                end, status = int(reached), OK
            if status == INTERRUPTED:
                self._stopped(plan.start + reached * plan.step)
            if status != OK:
                if check is not None:
                    check.look(self.ws.peaks, plan.model.neutral)
                self._fail(plan.start + reached * plan.step)
            if check is not None:
                check.look(self.ws.peaks, plan.q)
                check.look_at(*self.state, self.ws.known)
                check.look_through(self.ws.flights)
            now = clock.perf_counter()
            slice_steps = max(1, min(GROWTH * slice_steps, int(slice_steps * SLICE / max(now - last, 1e-9))))
            last, done = now, end
            self._show(done / plan.steps, now - begun)

    def _adaptive(self, table: Any) -> None:
        from .kernels.entries import entry, tape
        from .kernels.steppers import FULL, INTERRUPTED, NO_ROOM, NOT_FINITE, OK, TOO_SMALL

        plan, model = self.plan, self.plan.model
        go = entry("adaptive_steps", model.flexible)
        ticks = np.zeros(6)
        ticks[0] = ticks[3] = plan.start
        begun = last = clock.perf_counter()
        trials, rows = 16, 256
        while ticks[0] < plan.until:
            out = tape(rows, model.nq, model.nv, self.nz)
            status, used = go(
                *self.head, table, plan.laws.parameters, self.ws, self.buffers, *self.state,
                ticks, plan.until, plan.rtol, plan.atol, plan.max_step, plan.interval, trials, out, 0,
            )  # fmt: skip
            self._keep(out, used)
            if status == FULL and used == 0:
                rows *= 4
            if status == INTERRUPTED:
                self._stopped(ticks[0])
            if status == NOT_FINITE:
                self._fail(ticks[0])
            if status == NO_ROOM:
                self._make_room()
            if status == TOO_SMALL:
                self._fail(ticks[0], f"the step fell below the resolution of time; rtol={plan.rtol:g} cannot be met")
            now = clock.perf_counter()
            if status == OK:
                trials = max(1, min(GROWTH * trials, int(trials * SLICE / max(now - last, 1e-9))))
            last = now
            self._show((ticks[0] - plan.start) / (plan.until - plan.start), now - begun)

    def _stopped(self, t: float) -> None:
        """A Python controller raised: its error goes on, with what was computed up to then."""
        for law in self.plan.laws.bound:
            error = getattr(getattr(law, "inner", None), "error", None)
            if error is not None:
                error.partial = self._finish(partial=True)
                if not isinstance(error, KeyboardInterrupt):
                    error.add_note(f"raised by the controller {law.inner.name} at t = {t:.9g} s")
                raise error
        self._fail(t, "a controller stopped it")

    def _make_room(self) -> None:
        """More room for the pairs of piles that are near each other; sites beyond those asked for are an error."""
        from .kernels.layout import CROWDED

        if self.ws.books[CROWDED] != 1.0:
            self._fail(self.plan.start, str(ModelError(crowded_problems(self.plan.model))))
        mine = self.ws
        known, books = mine.known, mine.books
        q, v, z, latched = self.state
        self.ws = accept(self.plan.model, 0, q, v, z, latched, 2 * len(self.ws.pairs) // len(self.ws.shapes) + 1)
        self.ws.known[:] = known
        self.ws = self.ws._replace(sensed=mine.sensed, control=mine.control, piloted=mine.piloted)
        books[CROWDED] = 0.0
        self.ws.books[:] = books

    def _keep(self, out: Any, rows: int) -> None:
        if not rows:
            return
        self.chunks.append(Record(*(np.array(column[:rows]) for column in out)))
        self.waiting += rows
        if self.journal is not None and self.waiting >= JOURNAL_ROWS:
            self._flush()

    def _flush(self) -> None:
        """Puts the chunks that are not on disk yet into the journal."""
        if self.waiting:
            self.journal.append(Record.concatenate(self.chunks[self.flushed :]))
        self.flushed, self.waiting = len(self.chunks), 0

    def _finish(self, partial: bool = False) -> Run | None:
        if not self.chunks:
            return None
        if not partial:
            self.chunks[-1].time[-1] = self.plan.until
        if self.journal is not None:
            self._flush()
            return self.journal.finish(self.plan.options(), partial=partial)
        return Run(self.plan.model, Record.concatenate(self.chunks), self.plan.options(), partial=partial)

    def _fail(self, t: float, why: str = "") -> None:
        try:
            partial = self._finish(partial=True)
        except OSError as error:
            partial = None
            why = f"{why or 'the state stopped being finite'} (and the partial run could not be saved: {error})"
        culprit = self._culprit()
        where = f' at "{culprit}"' if culprit else ""
        if not why:
            why = "the state stopped being finite"
        remedy = (
            f"try a step below {self.plan.step / 4:.3g} s, or an adaptive method"
            if self.plan.fixed
            else "look for a force that grows without bound, or a mass that is almost zero"
        )
        if self.plan.fixed:
            remedy = too_long(self.plan.model, self.plan.method, self.plan.step) or remedy
        raise SimulationError(
            f"{self.plan.model.name}: stopped at t = {t:.9g} s{where}: {why}; {remedy}. "
            "Everything up to then is in error.partial",
            time=t,
            culprit=culprit,
            partial=partial,
        )

    def _culprit(self) -> str:
        """The joint or body whose velocity is not finite, or the fastest one."""
        v = self.state[1]
        if not len(v):
            return ""
        return self.plan.model.owners[int(np.argmax(np.where(np.isfinite(v), np.abs(v), np.inf)))]

    def _show(self, fraction: float, elapsed: float) -> None:
        wanted = sys.stderr.isatty() if self.progress is None else self.progress
        if not wanted or (self.bar is None and elapsed < 1.0 and self.progress is None):
            return
        if self.bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

            self.bar = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                TextColumn("{task.percentage:>3.0f} %"),
                TimeRemainingColumn(),
                console=Console(file=sys.stderr),
                transient=True,
            )
            self.bar.start()
            self.line = self.bar.add_task(self.plan.model.name, total=1.0)
        self.bar.update(self.line, completed=fraction)


def announce(names: list[str], flexible: bool) -> None:
    """Say what is happening when the kernels are not in the cache yet, so that nobody thinks it hangs."""
    from .kernels.compiler import cache_folder
    from .kernels.entries import ready

    cold = not cache_folder().exists()
    if cold and not all(ready(name, flexible) for name in names):
        print("jourdain: compiling the kernels once, about half a minute; later runs start at once", file=sys.stderr)
