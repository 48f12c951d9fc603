"""A run under way: the record of the compiled loop, the samples up to now, and what changes both between slices."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

from ..model.contact_states import accept, contact_accept
from ..results.run import Record, Run
from .constraint_drift import SingularPoint, largest_of, singular_of
from .loop import loop
from .plan import Plan
from .recording import Recorder
from .thread_partition import ThreadPartition


class Simulation:
    """A plan that is being run.

    tape_rows   rows of samples of the first slice
    loop        the record that the compiled loop runs on
    state       q, v, z and what contacts have latched: the loop changes them
    recorder    the samples up to now
    stopped     time and reason of a run that failed; such a run is not trusted
    singular    a singular configuration that the run passed
    """

    def __init__(
        self,
        plan: Plan,
        tape_rows: int,
        save: str | os.PathLike[str] | None = None,
        about: Mapping[str, Any] | None = None,
        watch: Callable[[Record], None] | None = None,
    ) -> None:
        self.plan = plan
        self.about = {} if about is None else {"scenario": dict(about)}
        self.loop = loop(plan, plan.workspace(), tape_rows)
        self.state = (plan.q, plan.v, plan.z, plan.latched)
        self.stopped: dict[str, Any] | None = None
        self.singular: SingularPoint | None = None
        for piece in plan.laws.pieces:
            piece.bound.begin(plan.start, plan.z[slice(*piece.z)])
            if piece.sampler is not None and hasattr(piece.sampler.law, "attach"):
                piece.sampler.law.attach(self.loop.ws.control, piece.sampler.places)
        self.recorder = Recorder(plan, self.describe, save, watch)
        self.threads = ThreadPartition(plan) if plan.threads > 1 else None

    def describe(self) -> dict[str, Any]:
        """What the run file says of how the run was made."""
        out = self.plan.options() | self.about
        if self.loop.memory is not None:
            from .implicit.memory import statistics

            out["statistics"] = statistics(self.loop.memory)
        gap = largest_of(self.plan, self.loop.ws)
        if gap is not None:
            out["gap"] = gap._asdict()
        if self.singular is not None:
            out["singular"] = self.singular._asdict()
        if self.stopped is not None:
            out["stopped"] = self.stopped
        return out

    def finish(self, partial: bool = False) -> Run | None:
        """The run up to now, None where it has no sample; a partial one did not reach its end."""
        if not partial:
            self.singular = singular_of(self.plan, self.loop.ws)
        return self.recorder.finish(partial)

    def close(self) -> None:
        """Ends threads and lets go of the journal."""
        if self.threads is not None:
            self.threads.close()
        self.recorder.close()

    def new_tape(self, rows: int) -> Any:
        """Memory for the samples of the next slice; a row is written where its time is a number."""
        from ..kernels.integrate.loop_records import tape

        if len(self.loop.tape.time) < rows:
            model = self.plan.model
            self.loop = self.loop._replace(tape=tape(rows, model.nq, model.nv, self.loop.tape.z.shape[1]))
        self.loop.tape.time[:] = np.nan
        return self.loop.tape

    def threads_at_work(self) -> AbstractContextManager[None]:
        """While this lasts the other threads help, where there are any."""
        if self.threads is None:
            return nullcontext()
        self.loop = self.threads.share(self.loop)
        return self.threads.at_work(self.loop)

    def apply_events(self, t: float) -> bool:
        """Lets the events that are due at time t happen; whether there were any. One that cannot is a `ModelError`."""
        plan = self.plan
        due = plan.events.due(t, self.loop.ws.control)
        q, v, z, _ = self.state
        ledger = z[-2:].copy()
        for i in due:
            plan.events.apply(i, t, q, v, z, self.loop.ws.known)
        if plan.events.model is not plan.model:
            self._change_model(t)
        if due:
            self.loop = self.loop._replace(task=plan.task())
            if self.loop.memory is not None:
                from .implicit.memory import restart

                restart(self.loop.memory)
        if t == plan.start:
            z[-2:] = ledger  # what was lost before the first sample is not of this run
        elif due and plan.model.contacts.names:
            self._forget_approach_speeds()
        return bool(due)

    def _change_model(self, t: float) -> None:
        """Connections have changed at time t: the loop goes on in another model, with all that it remembers."""
        plan, old = self.plan, self.loop
        plan.past_gap, plan.past_singular = largest_of(plan, old.ws), singular_of(plan, old.ws)
        plan.change_model(t)
        fresh = plan.workspace()
        own = {"constraint_rows": fresh.constraint_rows.array, "solve": fresh.solve, "solve_links": fresh.solve_links}
        self.loop = loop(plan, old.ws._replace(**own).holding(old.ws))._replace(clock=old.clock)
        if old.memory is not None:
            self.loop.memory.counts.numbers[:] += old.memory.counts.numbers

    def _forget_approach_speeds(self) -> None:
        """Velocities have changed at once: what contacts know of the speeds of approach is old."""
        self.loop.ws.flights.columns.gap[:] = -1.0
        contact_accept(self.plan.model, self.loop.stages.touch, 0, *self.state, self.loop.ws)

    def enlarge_capacity(self) -> bool:
        """Memory for more pairs of shapes that are near each other; False where more sites touch than were asked for,
        which is an error."""

        old = self.loop.ws
        if old.flags.capacity_exceeded != 1:
            return False
        old.flags.capacity_exceeded = 0
        ws = accept(self.plan.model, 0, *self.state, 2 * len(old.pairs) // len(old.shapes) + 1)
        ws.known[:], ws.ledger.numbers[:], ws.flags.numbers[:] = old.known, old.ledger.numbers, old.flags.numbers
        own = {name: getattr(old, name) for name in ("sensed", "control", "control_workspaces", "solve", "solve_links")}
        self.loop = self.loop._replace(ws=ws._replace(**own).holding(old))
        return True
