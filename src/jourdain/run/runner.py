"""The loop of compiled slices around one run: how many steps a slice has, and what happens between two of them."""

from __future__ import annotations

import os
import time as clock
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

from ..basics.errors import ModelError
from ..basics.storage import WriteError
from ..kernels.integrate.loop_status import Status
from ..results.run import Record, Run
from .contact_steps import StepCheck, StepRefused
from .error_reporting import ErrorReporting
from .plan import Plan
from .recording import Progress
from .simulation import Simulation

SLICE = 0.05
"""Wall-clock time of one compiled slice [s]: how often progress, Ctrl-C and the journal get their turn."""
FIRST = 16
"""Steps of the first slice."""
GROWTH = 64
"""How many times as many steps as the last one a slice has at most: handing a slice its functions costs near 1 ms."""
SAME_TIME = 1e-14
"""Part of a time [s], or of one second, by which two times that are the same may differ."""


class Slice(NamedTuple):
    """How a slice ended, the time that it reached [s], and how many rows of the tape it wrote."""

    status: Status
    time: float
    rows: int


def next_size(size: int, made: int, seconds: float) -> int:
    """Steps of the next slice, from those made in the last one and what it took."""
    return max(1, min(GROWTH * size, int(made * SLICE / max(seconds, 1e-9))))


class FixedSteps:
    """Slices at a fixed step; they end at the times of events.

    tape_rows    rows that the next slice may write
    time         that the run has reached, that of an event where one is due [s]
    fraction     of the run that is done
    """

    def __init__(self, plan: Plan) -> None:
        self.plan, self.done, self.size = plan, 0, FIRST
        self.row_missing = False
        self.made = 0

    def begin(self, loop: Any) -> None:
        """The run begins."""

    @property
    def unfinished(self) -> bool:
        """Whether there are steps to make, or a last row after an event at the end."""
        return self.done < self.plan.steps or self.row_missing

    @property
    def end(self) -> int:
        """Number of the step before which the next slice ends."""
        plan = self.plan
        end = min(plan.steps, self.done + self.size)
        return min(end, plan.step_of(plan.events.next_time)) if plan.events.timed else end

    @property
    def tape_rows(self) -> int:
        return (self.end - 1) // self.plan.every - (self.done - 1) // self.plan.every + 1

    def advance(self, call: Callable[..., Any], loop: Any) -> Slice:
        """Calls the compiled loop for one slice."""
        plan = self.plan
        status, reached, rows = call(loop, plan.start, plan.step, self.done, self.end, plan.steps, plan.every, 0)
        self.made, self.done = max(1, reached - self.done), int(reached)
        return Slice(Status(status), plan.start + reached * plan.step, rows)

    def resize(self, seconds: float) -> None:
        """Chooses the size of the next slice from the time that the last one took [s]."""
        self.size = next_size(self.size, self.made, seconds)

    @property
    def time(self) -> float:
        events = self.plan.events
        if events.timed and self.plan.step_of(events.next_time) == self.done:
            return events.next_time
        return self.plan.start + self.done * self.plan.step

    def after_events(self, happened: bool) -> None:
        """Events may have changed the state."""
        self.row_missing = happened and self.done == self.plan.steps

    @property
    def fraction(self) -> float:
        return self.done / self.plan.steps


class AdaptiveSteps:
    """Slices of error-controlled steps; they end where events are due. The interface is that of `FixedSteps`."""

    clock: Any

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.size, self.tape_rows, self.made = FIRST, 256, 0

    def begin(self, loop: Any) -> None:
        self.clock = loop.clock

    @property
    def unfinished(self) -> bool:

        return bool(self.clock.now < self.plan.until or self.clock.ready < 0)

    def advance(self, call: Callable[..., Any], loop: Any) -> Slice:

        plan = self.plan
        target = min(plan.until, plan.events.next_time)
        found, rows = call(loop, target, self.size, 0)
        status = Status(found)
        if target - self.clock.now <= SAME_TIME * max(1.0, abs(target)):
            self.clock.now = target
            status = Status.OK if status == Status.STEP_TOO_SMALL else status
            if target < plan.until and rows and loop.tape.time[rows - 1] == target:
                rows -= 1  # the sample at the time of an event is just after it
        if status == Status.TAPE_FULL and rows == 0:
            self.tape_rows *= 4
        self.made = self.size if status == Status.OK else 0
        return Slice(status, self.time, rows)

    def resize(self, seconds: float) -> None:
        if self.made:
            self.size = next_size(self.size, self.made, seconds)

    @property
    def time(self) -> float:

        return self.clock.now

    def after_events(self, happened: bool) -> None:

        if happened:
            if self.plan.implicit is not None:
                self.clock.next_step = 0.0
            late = self.plan.until - self.time <= SAME_TIME * max(1.0, abs(self.plan.until))
            self.clock.ready = -1.0 if late or not self.plan.interval else 0.0

    @property
    def fraction(self) -> float:
        return (self.time - self.plan.start) / (self.plan.until - self.plan.start)


FAILURES = {
    Status.NOT_FINITE: ErrorReporting.not_finite,
    Status.STEP_TOO_SMALL: ErrorReporting.step_too_small,
    Status.INTERRUPTED: ErrorReporting.controller_raised,
    Status.CONSTRAINTS_OPEN: ErrorReporting.constraints_open,
    Status.NOT_CONVERGED: ErrorReporting.not_converged,
    Status.PENETRATION_EXCEEDED: ErrorReporting.penetration_exceeded,
}
"""What ends a run after a slice. After the other statuses it goes on: there are more steps to make, events to apply,
or memory to enlarge."""
WHATEVER_THE_STEP = (Status.INTERRUPTED, Status.CONSTRAINTS_OPEN, Status.NOT_CONVERGED)
"""Failures that are reported as they are, and not as those of a step too large for the stiffness of a contact."""


class Runner:
    """Runs a plan that is prepared, slice by slice.

    progress, save, about, watch    those of `simulate`
    advises       whether shorter steps are tried before they are advised
    simulation    the run under way
    """

    simulation: Simulation
    errors: ErrorReporting

    def __init__(
        self,
        plan: Plan,
        progress: bool | Callable[[float], None] | None = None,
        save: str | os.PathLike[str] | None = None,
        about: Mapping[str, Any] | None = None,
        watch: Callable[[Record], None] | None = None,
        advises: bool = True,
    ) -> None:
        self.plan, self.advises = plan, advises
        self.progress = Progress(plan, progress)
        self.given = save, about, watch

    def run(self) -> Run:
        """The whole run."""
        steps = FixedSteps(self.plan) if self.plan.fixed else AdaptiveSteps(self.plan)
        self.simulation = simulation = Simulation(self.plan, steps.tape_rows, *self.given)
        self.errors = ErrorReporting(simulation, self._trial if self.advises else None)
        try:
            try:
                self._slices(steps)
            except KeyboardInterrupt as interrupt:
                interrupt.partial = simulation.finish(partial=True)  # type: ignore[attr-defined]
                raise
            run = simulation.finish()
            assert run is not None  # every run has its first sample
            return run
        except WriteError as error:
            raise simulation.recorder.not_written(error) from error
        finally:
            self.progress.close()
            simulation.close()

    @staticmethod
    def _trial(plan: Plan, look: Callable[[float], None]) -> Run:
        return Runner(plan.prepare(), look, advises=False).run()

    def _slices(self, steps: FixedSteps | AdaptiveSteps) -> None:
        """Calls the compiled loop until the end; between two slices samples, events and progress get their turn."""

        plan, simulation = self.plan, self.simulation
        call = plan.stepper.ready(plan.model.features).python
        steps.begin(simulation.loop)
        began = last = clock.perf_counter()
        self._apply_events(plan.start)
        check = self._contact_check()
        while steps.unfinished:
            tape = simulation.new_tape(steps.tape_rows)
            try:
                with simulation.threads_at_work():
                    part = steps.advance(call, simulation.loop)
            except Exception as error:
                self.errors.law_failed(error, tape)
            simulation.recorder.append(tape, part.rows)
            if part.status == Status.CAPACITY_EXCEEDED and not simulation.enlarge_capacity():
                self.errors.too_many_sites()
            if check is not None and part.status not in WHATEVER_THE_STEP:
                self._check_contacts(check, part)
            if part.status in FAILURES:
                FAILURES[part.status](self.errors, part.time)
            now = clock.perf_counter()
            steps.resize(now - last)
            last = now
            happened = self._apply_events(steps.time)
            steps.after_events(happened)
            if happened and check is not None:
                check.held = dict.fromkeys(plan.events.held, 0.0)
            self.progress.show(steps.fraction, now - began)

    def _apply_events(self, t: float) -> bool:
        try:
            return self.simulation.apply_events(t)
        except ModelError as error:
            self.errors.event_refused(t, error)

    def _contact_check(self) -> StepCheck | None:
        """The check of fixed steps of explicit methods, after its look at the start."""
        plan = self.plan
        if not plan.fixed or plan.implicit is not None or not plan.model.contacts.names:
            return None
        check = StepCheck(plan.model, plan.method, plan.step, plan.events.held, plan.step_check)
        try:
            check.check_peaks(plan.peaks, plan.q)
        except StepRefused as refused:
            self.errors.step_refused(plan.start, refused)
        return check

    def _check_contacts(self, check: StepCheck, part: Slice) -> None:
        """Whether the step was short enough for the contacts of a slice."""
        plan, ws = self.plan, self.simulation.loop.ws
        finite = part.status != Status.NOT_FINITE and bool(np.all(np.isfinite(plan.q)))
        try:
            check.check_peaks(ws.peaks.array, plan.q if finite else plan.model.neutral)
            if part.status not in FAILURES:
                check.check_state(*self.simulation.state, ws.known)
                check.warn_of_tunnelling(ws.flights.array)
        except StepRefused as refused:
            self.errors.step_refused(part.time, refused)
