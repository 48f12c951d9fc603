"""The loop of compiled slices around one run."""

from __future__ import annotations

import time as clock
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

from ..basics.errors import ModelError
from ..basics.storage import WriteError
from ..model.contact_start import crowded_problems
from ..model.contact_states import accept, contact_accept
from ..results.run import Run
from .constraint_drift import largest_of, passed_of
from .contact_steps import StepCheck
from .error_reporting import ErrorReporting
from .loop import loop
from .thread_partition import ThreadPartition

SLICE = 0.05
"""Wall-clock time of one compiled slice [s]: how often progress, Ctrl-C and the journal get their turn."""
GROWTH = 64
"""How many times as many steps as the last one a slice has at most: handing a slice its functions costs near 1 ms."""


class Runner(ErrorReporting):
    """Runs a plan, slice by slice."""

    def run(self) -> Run:
        plan, model = self.plan, self.plan.model
        self.nz = len(model.names.z) + plan.laws.states
        self.loop = loop(plan, plan.workspace())
        self.pool = ThreadPartition(plan) if plan.pool > 1 else None
        for piece in plan.laws.pieces:
            piece.bound.begin(plan.start, plan.z[slice(*piece.z)])
            if piece.sampler is not None and hasattr(piece.sampler.law, "attach"):
                piece.sampler.law.attach(self.loop.ws.control, piece.sampler.places)
        self.state = (plan.q, plan.v, plan.z, plan.latched)
        if self.save is not None:
            from ..results.journal import Journal

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
            run = self._finish()
            assert run is not None  # every run has its first sample
            return run
        except WriteError as error:
            raise self._unwritten(error) from error
        finally:
            if self.pool is not None:
                self.pool.close()
            if self.bar is not None:
                self.bar.stop()
            if self.journal is not None:
                self.journal.release()

    def _tape(self, rows: int) -> Any:
        """Room for the samples of the next slice."""
        from ..kernels.integrate.loop_records import tape

        out = tape(rows, self.plan.model.nq, self.plan.model.nv, self.nz)
        out.time[:] = np.nan  # a row is written where its time is a number
        self.loop = self.loop._replace(tape=out)
        return out

    def _together(self) -> AbstractContextManager[None]:
        """While this lasts the other threads help, where there are any."""
        if self.pool is None:
            return nullcontext()
        self.loop = self.pool.lay(self.loop)
        return self.pool.at_work(self.loop)

    def _fixed(self) -> None:
        from ..kernels.integrate.loop import DEEP, HAPPENED, INTERRUPTED, LOOP_NO_ROOM, LOOP_OPEN, LOOP_STUCK, OK

        plan, model = self.plan, self.plan.model
        go = plan.stepper.ready(model.features).python
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
            with self._stopping(out), self._together():
                status, reached, rows = go(self.loop, plan.start, plan.step, done, end, plan.steps, plan.every, 0)
            self._keep(out, rows)
            if status == LOOP_NO_ROOM:
                self._make_room()
                end, status = int(reached), OK
            if status == HAPPENED:
                end, status = int(reached), OK
            if status == INTERRUPTED:
                self._stopped(plan.start + reached * plan.step)
            if status == LOOP_OPEN:
                self._opened(plan.start + reached * plan.step)
            if status == LOOP_STUCK:
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
        from ..kernels.integrate.loop import (
            DEEP,
            FULL,
            INTERRUPTED,
            LOOP_NO_ROOM,
            LOOP_OPEN,
            LOOP_STUCK,
            NOT_FINITE,
            OK,
            TOO_SMALL,
        )
        from ..kernels.integrate.loop_records import NEXT, NOW, READY

        plan, model, coming = self.plan, self.plan.model, self.plan.switching
        go = plan.stepper.ready(model.features).python
        ticks = self.loop.clock
        begun = last = clock.perf_counter()
        trials, rows = 16, 256
        self._switch(plan.start)
        while ticks[NOW] < plan.until or ticks[READY] < 0.0:
            target = min(plan.until, coming.next_time)
            out = self._tape(rows)
            with self._stopping(out), self._together():
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
            if status == LOOP_OPEN:
                self._opened(ticks[NOW])
            if status == LOOP_STUCK:
                self._unsolved(ticks[NOW])
            if status == NOT_FINITE:
                self._fail(ticks[NOW])
            if status == DEEP:
                self._sunk(ticks[NOW])
            if status == LOOP_NO_ROOM:
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
        ledger = z[-2:].copy()
        for i in due:
            try:
                plan.switching.happen(i, t, q, v, z, self.loop.ws.known)
            except ModelError as error:
                self._refuse(t, error)
        if plan.switching.model is not plan.model:
            self._go_on(t)
        if due:
            self.loop = self.loop._replace(task=plan.task())
            if self.loop.memory is not None:
                from .implicit.memory import restart

                restart(self.loop.memory)
        if t == plan.start:
            z[-2:] = ledger  # what was lost before the first sample is not of this run
        elif due and plan.model.contacts.names:
            self._look_again()
        return bool(due)

    def _go_on(self, t: float) -> None:
        """Connections have changed at time t: the loop goes on in another model, with all that it remembers."""
        plan, old, before = self.plan, self.loop, self.plan.model
        plan.past_gap, plan.past_passed = largest_of(plan, old.ws), passed_of(plan, old.ws)
        try:
            plan.change_model(t)
        except ModelError as error:
            plan.model = before
            self._refuse(t, error)
        fresh = plan.workspace()
        kept = {name: getattr(fresh, name) for name in ("rows", "solve", "solve_links")}
        self.loop = loop(plan, old.ws._replace(**kept).holding(old.ws))._replace(clock=old.clock)
        if old.memory is not None:
            self.loop.memory.counts[:] += old.memory.counts

    def _look_again(self) -> None:
        """Velocities have changed at once: what contacts know of the speeds of approach is old."""
        from ..kernels.contact.contact_layout import FLIGHT_GAP

        run, model = self.loop, self.plan.model
        run.ws.flights[:, FLIGHT_GAP] = -1.0
        contact_accept(model, run.stages.touch, 0, *self.state, run.ws)

    def _make_room(self) -> None:
        """More room for the pairs of piles that are near each other; sites beyond those asked for are an error."""
        from ..kernels.columns import CAPACITY_EXCEEDED

        if self.loop.ws.ledger[CAPACITY_EXCEEDED] != 1.0:
            self._fail(self.plan.start, str(ModelError(crowded_problems(self.plan.model))))
        mine = self.loop.ws
        mine.ledger[CAPACITY_EXCEEDED] = 0.0
        ws = accept(self.plan.model, 0, *self.state, 2 * len(mine.pairs) // len(mine.shapes) + 1)
        ws.known[:], ws.ledger[:] = mine.known, mine.ledger
        kept = {
            name: getattr(mine, name) for name in ("sensed", "control", "control_workspaces", "solve", "solve_links")
        }
        self.loop = self.loop._replace(ws=ws._replace(**kept).holding(mine))
