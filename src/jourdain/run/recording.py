"""What a run keeps as it goes: samples, a journal on disk, a bar on the terminal; and the `Run` that comes of it."""

from __future__ import annotations

import os
import sys
import time as clock
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ..basics.storage import WriteError
from ..results.run import Record, Run
from .constraint_drift import Passed, largest_of, passed_of
from .plan import Plan

JOURNAL_ROWS = 1000
"""Samples after which the journal of a saved run gets a chunk."""
JOURNAL_PAUSE = 2.0
"""Wall-clock time after which it gets what there is, however little; longer in runs of many minutes [s]."""


class Recording:
    """The samples of a run that is under way.

    loop     the record that the compiled loop runs on
    stopped  where it failed, its time and why; such a run is not trusted
    state    q, v, z and what contacts have latched: the loop changes them
    """

    loop: Any
    state: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]

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
        self.stopped: dict[str, Any] | None = None
        self.bar: Any = None
        self.passed: Passed | None = None

    def _options(self) -> dict[str, Any]:
        """What the run file says of how the run was made."""
        told = self.plan.options() | self.about
        if self.loop.memory is not None:
            from .implicit.memory import statistics

            told["statistics"] = statistics(self.loop.memory)
        gap = largest_of(self.plan, self.loop.ws)
        if gap is not None:
            told["gap"] = gap._asdict()
        if self.passed is not None:
            told["singular"] = self.passed._asdict()
        if self.stopped is not None:
            told["stopped"] = self.stopped
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
            self.passed = passed_of(self.plan, self.loop.ws)
        self._look_at_bodies()
        if self.journal is not None:
            self._flush()
            return self.journal.finish(self._options(), partial=partial)
        return self._in_memory(partial)

    def _look_at_bodies(self) -> None:
        """Warns of flexible bodies that left what their models hold for."""
        if self.plan.model.arrays.flexible.size:
            from .validity import look

            look(self.plan.model, *(np.concatenate([getattr(c, name) for c in self.chunks]) for name in ("time", "q")))

    def _in_memory(self, partial: bool) -> Run | None:
        if not self.chunks:
            return None
        return Run(self.plan.base, Record.concatenate(self.chunks), self._options(), partial=partial)

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
