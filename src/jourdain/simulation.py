"""`jd.simulate`: a model, from a state, for a time."""

from __future__ import annotations

import os
import sys
import time as clock
import warnings
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from .constraints.closure import largest_gap, warn_open
from .constraints.redundancy import near_singular
from .contact.checking import crowded_problems, sunk
from .contact.evaluation import accept, contact_accept
from .contact.steps import StepCheck, StepRefused
from .errors import ModelError, SimulationError
from .events import EventWarning
from .implicit import FORMS, ImplicitMethod
from .loops import loop
from .model import Model, State
from .motions import Motion
from .plan import Plan
from .run import Record, Run
from .stability import too_long
from .storage import WriteError
from .trust import TOLERANCE, TrustWarning, simplified

SLICE = 0.05
"""Wall-clock time of one compiled slice [s]: how often progress, Ctrl-C and the journal get their turn."""
GROWTH = 64
"""How many times as many steps as the last one a slice has at most: handing a slice its functions costs near 1 ms."""
JOURNAL_ROWS = 1000
"""Samples after which the journal of a saved run gets a chunk."""
JOURNAL_PAUSE = 2.0
"""Wall-clock time after which it gets what there is, however little; longer in runs of many minutes [s]."""


def simulate(
    model: Model,
    state: State,
    until: float,
    step: float | None = None,
    method: str | ImplicitMethod | None = None,
    *,
    output: float | None = None,
    motions: Mapping[str, Motion] | None = None,
    controller: Any = None,
    rtol: float = 1e-9,
    atol: float = 1e-11,
    max_step: float | None = None,
    form: str | None = None,
    events: Any = None,
    progress: bool | Callable[[float], None] | None = None,
    save: str | os.PathLike[str] | None = None,
    about: Mapping[str, Any] | None = None,
    watch: Callable[[Record], None] | None = None,
    constraints: Any = None,
    step_check: str = "refuse",
    energy_tolerance: float = TOLERANCE,
) -> Run:
    """Simulate a model from a state.

    until         time at which it ends [s]
    step          of the fixed-step methods [s]
    method        "euler", "heun", "rk3", "rk4", "rk5" at a fixed step (rk4 when only `step` is given);
                  "dopri5", "dop853" choose their steps (dop853 when neither is given);
                  implicit ones, for what is stiff: "bdf", "radau", "generalized-alpha" and "newmark", which choose
                  their steps unless `step` is given (bdf always does). jd.BDF, jd.Radau, jd.GeneralizedAlpha and
                  jd.Newmark are the same with options
    output        interval of what is kept [s]. Without it: every accepted step of an adaptive method; every step of a
                  fixed one, thinned so that at most 20,000 are kept
    motions       profiles that prescribe coordinates: {"elbow": jd.Cycloid(to=1.57, duration=60.0)}
    controller    a law, or a list of laws
    rtol, atol    tolerances of the adaptive methods
    max_step      the longest step that an adaptive method may take [s]
    form          how constraints enter an implicit method: "index-3" (positions; what generalized-alpha and newmark
                  take), "index-2" (velocities; bdf and radau) or "index-1" (accelerations)
    events        a list of `jd.Event`: coordinates locked, released or taken over at a time, or when a condition is
                  met. What happened is in run.events
    progress      None: a bar on a terminal once the run is long; True or False to insist; or a function of the
                  simulated time [s], called about twenty times a second
    save          file to write; a long run appends to a journal beside it and loses nothing when it is killed
    about         what is to be kept with the run, as JSON can hold it: run.options["scenario"]
    watch         is called with the samples of every slice as they come, some twenty times a second, from this
                  thread; `jourdain.view.live` shows them
    constraints   how the run is kept on its constraints: "projection" (the default), "baumgarte", "unstabilised" or
                  an object such as jd.Projection(partition="optimal"), jd.Baumgarte(rate=50.0)
    step_check    "refuse": a fixed step that a contact does not bear stops the run; "warn" goes on, with a StepWarning
    energy_tolerance    part of the energy that moves which the balance may be off by; beyond it run.trusted is false,
                  and a TrustWarning says so. math.inf for none
    """
    plan = Plan(
        model, state, until, step, method, output, motions, controller, rtol, atol, max_step, events,
        constraints=constraints, form=form, step_check=step_check, energy_tolerance=energy_tolerance,
    )  # fmt: skip
    runner = _Runner(plan, progress, save, about, watch)
    run = runner.run()
    if plan.kept is not None:
        warn_open(plan, runner.loop.ws)
    for name in plan.switching.unmet():
        warnings.warn(
            f'{model.name}: event "{name}" never happened: its condition was not met up to {plan.until:g} s',
            EventWarning,
            stacklevel=2,
        )
    if not run.trusted:
        warnings.warn(f"{model.name}: not trusted: {run.trusted.reason}", TrustWarning, stacklevel=2)
    return run


class _Runner:
    """The loop of compiled slices around one run."""

    def __init__(
        self,
        plan: Plan,
        progress: bool | Callable[[float], None] | None,
        save: str | os.PathLike[str] | None,
        about: Mapping[str, Any] | None = None,
        watch: Callable[[Record], None] | None = None,
    ) -> None:
        self.plan, self.watch = plan, watch
        self.about = {} if about is None else {"scenario": dict(about)}
        self.chunks: list[Record] = []
        self.flushed = self.waiting = 0
        self.begun = clock.perf_counter()
        self.due = self.begun + JOURNAL_PAUSE
        self.journal: Any = None
        self.save = None if save is None else Path(save)
        self.progress = progress
        self.bar: Any = None

    def run(self) -> Run:
        plan, model = self.plan, self.plan.model
        self.nz = len(model.names.z) + plan.laws.states
        self.loop = loop(plan, plan.workspace())
        for piece in plan.laws.pieces:
            if piece.sampler is not None and hasattr(piece.sampler.law, "attach"):
                piece.sampler.law.attach(self.loop.ws.control, piece.sampler.places)
        self.state = (plan.q, plan.v, plan.z, plan.latched)
        if self.save is not None:
            from .journal import Journal

            self.journal = Journal(self.save, model, self._options())
        try:
            try:
                if plan.fixed:
                    self._fixed()
                else:
                    self._adaptive()
            except KeyboardInterrupt as interrupt:
                interrupt.partial = self._finish(partial=True)  # type: ignore[attr-defined]
                raise
            return self._finish()
        except WriteError as error:
            raise self._unwritten(error) from error
        finally:
            if self.bar is not None:
                self.bar.stop()
            if self.journal is not None:
                self.journal.release()

    def _options(self) -> dict[str, Any]:
        """What the run file says of how the run was made."""
        told = self.plan.options() | self.about
        if self.loop.memory is not None:
            from .implicit.scheme import statistics

            told["statistics"] = statistics(self.loop.memory)
        gap = largest_gap(self.plan.model, self.loop.ws)
        if gap is not None:
            told["gap"] = gap._asdict()
        return told

    def _unwritten(self, error: WriteError) -> WriteError:
        """What to say when the disk is full: where it stopped, and what is left of it."""
        run = self._in_memory(partial=True)
        until = "nothing" if run is None else f"up to {run.record.time[-1]:.6g} s"
        kept = ""
        if self.flushed:
            kept = f"; {self.journal.folder} keeps what was written before"
        elif self.journal is not None:
            self.journal.discard()
        told = f"{error.reason}. {self.plan.model.name} was simulated {until}, and could not be saved{kept}"
        return WriteError(error.path, told, partial=run)

    def _tape(self, rows: int) -> Any:
        """Room for the samples of the next slice."""
        from .kernels.integrate.records import tape

        out = tape(rows, self.plan.model.nq, self.plan.model.nv, self.nz)
        self.loop = self.loop._replace(tape=out)
        return out

    def _fixed(self) -> None:
        from .kernels.entries import entry
        from .kernels.integrate.loop import DEEP, HAPPENED, INTERRUPTED, NO_ROOM, OK, OPEN, STUCK

        plan, model = self.plan, self.plan.model
        go = entry(plan.stepper, model.features).python
        begun = last = clock.perf_counter()
        done, slice_steps = 0, 16
        coming = plan.switching
        self._switch(plan.start)
        check = None
        if model.contacts.names and plan.implicit is None:
            check = StepCheck(model, plan.method, plan.step, plan.switching.held, plan.step_check)
            self._looking(plan.start, check.look, plan.peaks, plan.q)
        owed = False
        while done < plan.steps or owed:
            end = min(plan.steps, done + slice_steps)
            if coming.timed:
                end = min(end, plan.step_of(coming.next_time))
            rows = (end - 1) // plan.every - (done - 1) // plan.every + 1
            out = self._tape(rows)
            status, reached, rows = go(self.loop, plan.start, plan.step, done, end, plan.steps, plan.every, 0)
            self._keep(out, rows)
            if status == NO_ROOM:
                self._make_room()
                end, status = int(reached), OK
            if status == HAPPENED:
                end, status = int(reached), OK
            if status == INTERRUPTED:
                self._stopped(plan.start + reached * plan.step)
            if status == OPEN:
                self._opened(plan.start + reached * plan.step)
            if status == STUCK:
                self._unsolved(plan.start + reached * plan.step)
            t = plan.start + reached * plan.step
            if check is not None:
                finite = status in (OK, DEEP) and bool(np.all(np.isfinite(plan.q)))
                self._looking(t, check.look, self.loop.ws.peaks, plan.q if finite else model.neutral)
            if status == DEEP:
                self._sunk(t)
            if status != OK:
                self._fail(t)
            if check is not None:
                self._looking(t, check.look_at, *self.state, self.loop.ws.known)
                check.look_through(self.loop.ws.flights)
            now = clock.perf_counter()
            made = max(1, end - done)
            slice_steps = max(1, min(GROWTH * slice_steps, int(made * SLICE / max(now - last, 1e-9))))
            last, done = now, end
            t = plan.start + done * plan.step
            if coming.timed and plan.step_of(coming.next_time) == done:
                t = coming.next_time
            happened = self._switch(t)
            owed = happened and done == plan.steps
            if happened and check is not None:
                check.held = dict.fromkeys(coming.held, 0.0)
            self._show(done / plan.steps, now - begun)

    def _adaptive(self) -> None:
        from .kernels.entries import entry
        from .kernels.integrate.loop import DEEP, FULL, INTERRUPTED, NO_ROOM, NOT_FINITE, OK, OPEN, STUCK, TOO_SMALL
        from .kernels.integrate.records import NEXT, NOW, READY

        plan, model, coming = self.plan, self.plan.model, self.plan.switching
        go = entry(plan.stepper, model.features).python
        ticks = self.loop.clock
        begun = last = clock.perf_counter()
        trials, rows = 16, 256
        self._switch(plan.start)
        while ticks[NOW] < plan.until or ticks[READY] < 0.0:
            target = min(plan.until, coming.next_time)
            out = self._tape(rows)
            status, used = go(self.loop, target, trials, 0)
            there = target - ticks[NOW] <= 1e-14 * max(1.0, abs(target))
            if there:
                ticks[NOW] = target
                status = OK if status == TOO_SMALL else status
                if target < plan.until and used and out.time[used - 1] == target:
                    used -= 1  # the sample at the time of an event is just after it
            self._keep(out, used)
            if status == FULL and used == 0:
                rows *= 4
            if status == INTERRUPTED:
                self._stopped(ticks[NOW])
            if status == OPEN:
                self._opened(ticks[NOW])
            if status == STUCK:
                self._unsolved(ticks[NOW])
            if status == NOT_FINITE:
                self._fail(ticks[NOW])
            if status == DEEP:
                self._sunk(ticks[NOW])
            if status == NO_ROOM:
                self._make_room()
            if status == TOO_SMALL:
                why = f"the step fell below the resolution of time; rtol={plan.rtol:g} cannot be met"
                self._fail(ticks[NOW], why, self._another_form())
            now = clock.perf_counter()
            if status == OK:
                trials = max(1, min(GROWTH * trials, int(trials * SLICE / max(now - last, 1e-9))))
            last = now
            if self._switch(ticks[NOW]):
                ticks[NEXT] = ticks[NEXT] if self.loop.memory is None else 0.0
                late = plan.until - ticks[NOW] <= 1e-14 * max(1.0, abs(plan.until))
                ticks[READY] = -1.0 if late or not plan.interval else 0.0
            self._show((ticks[NOW] - plan.start) / (plan.until - plan.start), now - begun)

    def _switch(self, t: float) -> bool:
        """Lets the events that are due at time t happen; whether there were any."""
        plan = self.plan
        due = plan.switching.take(t, self.loop.ws.control)
        q, v, z, _ = self.state
        books = z[-2:].copy()
        for i in due:
            try:
                plan.switching.happen(i, t, q, v, z, self.loop.ws.known)
            except ModelError as error:
                self._refuse(t, error)
        if due:
            self.loop = self.loop._replace(task=plan.task())
            if self.loop.memory is not None:
                from .implicit.scheme import restart

                restart(self.loop.memory)
        if t == plan.start:
            z[-2:] = books  # what was lost before the first sample is not of this run
        elif due and plan.model.contacts.names:
            self._look_again()
        return bool(due)

    def _look_again(self) -> None:
        """Velocities have changed at once: what contacts know of the speeds of approach is old."""
        from .kernels.contact.layout import FLIGHT_GAP
        from .stages import contact_stages

        run, model = self.loop, self.plan.model
        run.ws.flights[:, FLIGHT_GAP] = -1.0
        contact_accept(model, contact_stages(model)[1], run.stages.touch, 0, *self.state, run.ws)

    def _looking(self, t: float, look: Callable[..., None], *arguments: Any) -> None:
        """Looks whether the step bears the contacts; a run that is refused stops at time t."""
        try:
            look(*arguments)
        except StepRefused as refused:
            raise SimulationError(
                f"{self.plan.model.name}: refused at t = {t:.9g} s: {refused}. "
                "Everything up to then is in error.partial",
                time=t,
                culprit=refused.contact,
                partial=self._finish(partial=True),
            ) from None

    def _sunk(self, t: float) -> None:
        """Shapes are so deep in each other that their contact means nothing any more."""
        name, why = sunk(self.plan.model, self.loop.ws)
        raise SimulationError(
            f"{self.plan.model.name}: stopped at t = {t:.9g} s: {why}. Everything up to then is in error.partial",
            time=t,
            culprit=name,
            partial=self._finish(partial=True),
        )

    def _unsolved(self, t: float) -> None:
        """The corrections of an implicit step do not converge, however short it is."""
        self._fail(t, "the equations of a step could not be solved, however short the step", self._another_form())

    def _another_form(self) -> str:
        """What to try where an implicit method does not get on with the constraints; "" where that is not the case."""
        plan = self.plan
        if plan.implicit is None or not len(plan.model.arrays.constraint_index):
            return ""
        others = " or ".join(f'form="{form}"' for form in FORMS if form != plan.form)
        return f'the constraints enter it as form="{plan.form}": try {others}, or another tolerance'

    def _opened(self, t: float) -> None:
        """The run is not on its constraints any more."""
        from .kernels.layout import UNCLOSED

        plan = self.plan
        gap = largest_gap(plan.model, self.loop.ws)
        if self.loop.ws.books[UNCLOSED] != 2.0 or gap is None:
            self._fail(t, "the constraints could not be met")
        else:
            finer = "a shorter step" if plan.fixed else "a tighter rtol"
            how = 'constraints="projection", or ' if plan.constraints.drifts else ""
            self._fail(
                t,
                f'the run has left its constraints: "{gap.constraint}" is open by {gap.largest:.3g} m or rad',
                f"give {how}{finer}",
                gap.constraint,
            )

    def _refuse(self, t: float, error: ModelError) -> None:
        """An event that cannot happen as it was told."""
        raise SimulationError(
            f"{self.plan.model.name}: stopped by an event at t = {t:.9g} s: {error}. "
            "Everything up to then is in error.partial",
            time=t,
            culprit=error.problems[0].address,
            partial=self._finish(partial=True),
        ) from error

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

        if self.loop.ws.books[CROWDED] != 1.0:
            self._fail(self.plan.start, str(ModelError(crowded_problems(self.plan.model))))
        mine = self.loop.ws
        mine.books[CROWDED] = 0.0
        ws = accept(self.plan.model, 0, *self.state, 2 * len(mine.pairs) // len(mine.shapes) + 1)
        ws.known[:], ws.books[:] = mine.known, mine.books
        kept = {name: getattr(mine, name) for name in ("sensed", "control", "pilots", "solve", "solve_links")}
        self.loop = self.loop._replace(ws=ws._replace(**kept).holding(mine))

    def _keep(self, out: Any, rows: int) -> None:
        if not rows:
            return
        self.chunks.append(Record(*(np.array(column[:rows]) for column in out)))
        if self.watch is not None:
            self.watch(self.chunks[-1])
        self.waiting += rows
        if self.journal is not None and (self.waiting >= JOURNAL_ROWS or clock.perf_counter() > self.due):
            self._flush()

    def _flush(self) -> None:
        """Puts the chunks that are not on disk yet into the journal."""
        if self.waiting:
            self.journal.append(Record.concatenate(self.chunks[self.flushed :]))
        self.flushed, self.waiting = len(self.chunks), 0
        now = clock.perf_counter()
        self.due = now + max(JOURNAL_PAUSE, 0.01 * (now - self.begun))

    def _finish(self, partial: bool = False) -> Run | None:
        if not self.chunks:
            if self.journal is not None:
                self.journal.discard()
            return None
        if not partial:
            self.chunks[-1].time[-1] = self.plan.until
        self._look_at_bodies()
        if self.journal is not None:
            self._flush()
            return self.journal.finish(self._options(), partial=partial)
        return self._in_memory(partial)

    def _look_at_bodies(self) -> None:
        """Warns of flexible bodies that left what their models hold for."""
        if self.plan.model.arrays.flexible.size:
            from .ranges import look

            look(self.plan.model, *(np.concatenate([getattr(c, name) for c in self.chunks]) for name in ("time", "q")))

    def _in_memory(self, partial: bool) -> Run | None:
        if not self.chunks:
            return None
        return Run(self.plan.model, Record.concatenate(self.chunks), self._options(), partial=partial)

    def _fail(self, t: float, why: str = "", instead: str = "", culprit: str = "") -> None:
        try:
            partial = self._finish(partial=True)
        except OSError as error:
            partial = None
            why = f"{why or 'the state stopped being finite'} (and the partial run could not be saved: {error})"
        culprit = culprit or self._culprit()
        where = f' at "{culprit}"' if culprit else ""
        if not why:
            why = "the state stopped being finite"
        remedy = (
            f"try a step below {self.plan.step / 4:.3g} s, or an adaptive method"
            if self.plan.fixed
            else simplified(self.plan.model)
            or "look for a force that grows without bound, or a mass that is almost zero"
        )
        if self.plan.fixed and self.loop.memory is None:
            remedy = too_long(self.plan.model, self.plan.method, self.plan.step) or remedy
        remedy = instead or remedy
        if self.plan.kept is not None:
            start = self.plan.start, np.asarray(self.plan.state.q)
            singular = near_singular(self.plan.model, start, (t, self.state[0]), self.plan.switching.profiles)
            if singular is not None:
                why, remedy = singular
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
        if callable(self.progress):
            self.progress(self.plan.start + fraction * (self.plan.until - self.plan.start))
            return
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
