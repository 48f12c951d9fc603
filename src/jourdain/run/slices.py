"""Slices of a run: how many steps the compiled loop is asked for at a time, at a fixed step or with error control."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from ..kernels.integrate.loop_status import Status

if TYPE_CHECKING:
    from .plan import Plan

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
        from ..kernels.integrate.loop_records import NOW, READY

        return bool(self.clock[NOW] < self.plan.until or self.clock[READY] < 0.0)

    def advance(self, call: Callable[..., Any], loop: Any) -> Slice:
        from ..kernels.integrate.loop_records import NOW

        plan = self.plan
        target = min(plan.until, plan.events.next_time)
        found, rows = call(loop, target, self.size, 0)
        status = Status(found)
        if target - self.clock[NOW] <= SAME_TIME * max(1.0, abs(target)):
            self.clock[NOW] = target
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
        from ..kernels.integrate.loop_records import NOW

        return self.clock[NOW]

    def after_events(self, happened: bool) -> None:
        from ..kernels.integrate.loop_records import NEXT, READY

        if happened:
            if self.plan.implicit is not None:
                self.clock[NEXT] = 0.0
            late = self.plan.until - self.time <= SAME_TIME * max(1.0, abs(self.plan.until))
            self.clock[READY] = -1.0 if late or not self.plan.interval else 0.0

    @property
    def fraction(self) -> float:
        return (self.time - self.plan.start) / (self.plan.until - self.plan.start)
