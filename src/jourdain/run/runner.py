"""The loop of compiled slices around one run."""

from __future__ import annotations

import os
import time as clock
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from ..basics.storage import WriteError
from ..kernels.integrate.loop_status import Status
from ..results.run import Record, Run
from .contact_steps import StepCheck, StepRefused
from .error_reporting import ErrorReporting
from .plan import Plan
from .recording import Progress
from .simulation import EventRefused, Simulation
from .slices import AdaptiveSteps, FixedSteps, Slice

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
        except EventRefused as refused:
            self.errors.event_refused(refused)

    def _contact_check(self) -> StepCheck | None:
        """The check of fixed steps of explicit methods, after its look at the start."""
        plan = self.plan
        if not plan.fixed or plan.implicit is not None or not plan.model.contacts.names:
            return None
        check = StepCheck(plan.model, plan.method, plan.step, plan.events.held, plan.step_check)
        try:
            check.look(plan.peaks, plan.q)
        except StepRefused as refused:
            self.errors.step_refused(plan.start, refused)
        return check

    def _check_contacts(self, check: StepCheck, part: Slice) -> None:
        """Whether the step was short enough for the contacts of a slice."""
        plan, ws = self.plan, self.simulation.loop.ws
        finite = part.status != Status.NOT_FINITE and bool(np.all(np.isfinite(plan.q)))
        try:
            check.look(ws.peaks, plan.q if finite else plan.model.neutral)
            if part.status not in FAILURES:
                check.look_at(*self.simulation.state, ws.known)
                check.look_through(ws.flights)
        except StepRefused as refused:
            self.errors.step_refused(part.time, refused)
