"""The samples of a run under way, the journal of a saved run, and the bar on the terminal."""

from __future__ import annotations

import os
import sys
import time as clock
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics.storage import WriteError
from ..basics.warn import warn
from ..model.bodies import body_of
from ..model.model import Model
from ..results.run import Record, Run
from .plan import Plan

if TYPE_CHECKING:
    from ..describe.bodies.body import Body

JOURNAL_ROWS = 1000
"""Samples after which the journal of a saved run gets a chunk."""
JOURNAL_PAUSE = 2.0
"""Wall-clock time after which it gets what there is, however little; longer in runs of many minutes [s]."""


class RangeWarning(UserWarning):
    """A flexible body bends, turns or is strained beyond what its model holds for."""


def warn_out_of_range(model: Model, time: np.ndarray, q: np.ndarray) -> None:
    """Warns of each body that leaves its range, once: when, by what, how far, and what to do.

    time    (nt,) [s]
    q       (nt, nq); rows that are not finite are left out
    """
    for body, columns in _flexible(model):
        worst = None
        with np.errstate(all="ignore"):
            for one in body.excesses(q[:, columns]):
                over = np.nan_to_num(one.values / one.limit, nan=0.0, posinf=0.0)
                if np.max(over, initial=0.0) > 1.0 and (worst is None or np.max(over) > worst[0]):
                    worst = float(np.max(over)), one, float(time[int(np.argmax(over > 1.0))])
        if worst is not None:
            part, one, since = worst
            reached = f"its {one.what} reaches {part * one.limit:.3g}{one.unit}"
            warn(
                f'{model.name}: body "{body.name}" leaves what its model holds for at t = {since:.4g} s: {reached}, '
                f"and {one.limit:g}{one.unit} is the most {one.why}; {one.remedy}",
                RangeWarning,
            )


def _flexible(model: Model) -> list[tuple[Body, list[int]]]:
    """Bodies with internal coordinates, and where these are in q."""
    found = [body_of(model, model.bodies[i - 1]) for i in model.arrays.flexible]
    bodies = [body for body in found if body is not None]
    return [(body, [model.index.q[one] for one in body.coordinate_names()]) for body in bodies]


class Recorder:
    """Takes the samples of every slice and makes the `Run` of them.

    describe    what the run file says of how the run was made, asked for when it is written
    save        file to write; the samples go to a journal beside it until then
    watch       called with the samples of every slice
    """

    def __init__(
        self,
        plan: Plan,
        describe: Callable[[], dict[str, Any]],
        save: str | os.PathLike[str] | None = None,
        watch: Callable[[Record], None] | None = None,
    ) -> None:
        self.plan, self.describe, self.watch = plan, describe, watch
        self.chunks: list[Record] = []
        self.flushed = self.waiting = 0
        self.began = clock.perf_counter()
        self.due = self.began + JOURNAL_PAUSE
        self.journal: Any = None
        if save is not None:
            from ..results.journal import Journal

            self.journal = Journal(Path(save), plan.model, describe())

    def append(self, tape: Any, rows: int) -> None:
        """Copies the first rows of the tape of a slice."""
        if not rows:
            return
        self.chunks.append(Record(*(np.array(column[:rows]) for column in tape)))
        if self.watch is not None:
            self.watch(self.chunks[-1])
        self.waiting += rows
        if self.journal is not None and (self.waiting >= JOURNAL_ROWS or clock.perf_counter() > self.due):
            self._flush()

    def _flush(self) -> None:
        """Appends the chunks that are not on disk yet to the journal."""
        if self.waiting:
            self.journal.append(Record.concatenate(self.chunks[self.flushed :]))
        self.flushed, self.waiting = len(self.chunks), 0
        now = clock.perf_counter()
        self.due = now + max(JOURNAL_PAUSE, 0.01 * (now - self.began))

    def finish(self, partial: bool) -> Run | None:
        """The run up to now, saved where that was asked for; None where it has no sample yet."""
        if not self.chunks:
            if self.journal is not None:
                self.journal.discard()
            return None
        if not partial:
            self.chunks[-1].time[-1] = self.plan.until
        if self.plan.model.arrays.flexible.size:
            time, q = (np.concatenate([getattr(one, name) for one in self.chunks]) for name in ("time", "q"))
            warn_out_of_range(self.plan.model, time, q)
        if self.journal is not None:
            self._flush()
            return self.journal.finish(self.describe(), partial=partial)
        return self._in_memory(partial)

    def _in_memory(self, partial: bool) -> Run | None:
        if not self.chunks:
            return None
        return Run(self.plan.base, Record.concatenate(self.chunks), self.describe(), partial=partial)

    def not_written(self, error: WriteError) -> WriteError:
        """The error of a full disk: where the run stopped, and what is left of it."""
        run = self._in_memory(partial=True)
        until = "nothing" if run is None else f"up to {run.record.time[-1]:.6g} s"
        left = ""
        if self.flushed:
            left = f"; {self.journal.folder} keeps what was written before"
        elif self.journal is not None:
            self.journal.discard()
        why = f"{error.reason}. {self.plan.model.name} was simulated {until}, and could not be saved{left}"
        return WriteError(error.path, why, partial=run)

    def close(self) -> None:
        """Lets go of the journal."""
        if self.journal is not None:
            self.journal.release()


class Progress:
    """Tells how far a run is: to a function, or by a bar on the terminal.

    wanted    that of `simulate`: None for a bar once the run is long, True or False to insist, or a function
    """

    def __init__(self, plan: Plan, wanted: bool | Callable[[float], None] | None) -> None:
        self.plan, self.wanted = plan, wanted
        self.bar: Any = None

    def show(self, fraction: float, elapsed: float) -> None:
        """A part of the run is done, after `elapsed` seconds."""
        if callable(self.wanted):
            self.wanted(self.plan.start + fraction * (self.plan.until - self.plan.start))
            return
        wanted = sys.stderr.isatty() if self.wanted is None else self.wanted
        if not wanted or (self.bar is None and elapsed < 1.0 and self.wanted is None):
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

    def close(self) -> None:
        """Takes the bar away."""
        if self.bar is not None:
            self.bar.stop()
