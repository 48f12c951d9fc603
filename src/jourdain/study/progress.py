"""Telling a person what goes on: how far a run is, how long it still takes, and what it warns of; on stderr."""

from __future__ import annotations

import re
import sys
import time as clock
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

FIRST = 2.0
"""Wall-clock time before the first line where there is no terminal [s]."""
PAUSE = 5.0
"""Wall-clock time between two lines where there is no terminal; a long run says less often how far it is [s]."""


class ProgressReporter:
    """Says how far runs are: a bar on a terminal, a line now and then elsewhere, nothing of it when `quiet`."""

    def __init__(self, quiet: bool = False) -> None:
        self.quiet = quiet

    def say(self, text: str) -> None:
        """One line; a bar that is being shown stays below it."""
        print(f"jourdain: {text}", file=sys.stderr, flush=True)

    @contextmanager
    def run(self, name: str, start: float, until: float) -> Iterator[Any]:
        """A function of the simulated time [s] that shows how far a run has come."""
        if self.quiet:
            yield lambda time: None
        elif sys.stderr.isatty():
            with self._shown(name, start, until) as show:
                yield show
        else:
            yield _Lines(self, name, start, until)

    @contextmanager
    def _shown(self, name: str, start: float, until: float) -> Iterator[Any]:
        bar = _bar("{task.fields[now]} of {task.fields[end]} s")
        line = bar.add_task(_plain(name), total=until - start, now=f"{start:.4g}", end=f"{until:.6g}", start=False)

        def show(time: float) -> None:
            if not bar.live.is_started:
                bar.start()
                bar.start_task(line)
            bar.update(line, completed=time - start, now=f"{time:.4g}")

        try:
            yield show
        finally:
            bar.stop()

    @contextmanager
    def count(self, name: str, total: int, begun: int = 0) -> Iterator[Any]:
        """A function of how many of `total` are done and how many failed, which shows it; `begun` were done before."""
        if self.quiet:
            yield lambda done, failed: None
        elif sys.stderr.isatty():
            with self._counted(name, total, begun) as show:
                yield show
        else:
            yield _Counts(self, name, total, begun)

    @contextmanager
    def _counted(self, name: str, total: int, begun: int) -> Iterator[Any]:
        bar = _bar("{task.fields[now]} of {task.fields[end]}{task.fields[bad]}")
        line = bar.add_task(_plain(name), total=total, completed=begun, now=begun, end=total, bad="")

        def show(done: int, failed: int) -> None:
            bar.update(line, completed=done, now=done, bad=f", {failed} failed" if failed else "")

        with bar:
            yield show


def _bar(counted: str) -> Any:
    """A bar on the terminal that says how much is done and how long the rest takes."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = TextColumn("{task.description}"), BarColumn(), TextColumn(counted)
    left = TimeRemainingColumn(elapsed_when_finished=True), TextColumn("to go")
    return Progress(*columns, *left, console=Console(file=sys.stderr), transient=True)


def _plain(name: str) -> str:
    """A name whose brackets are no markup."""
    from rich.markup import escape

    return escape(name)


class _Counts:
    """How many are done, in lines, for files and pipes."""

    def __init__(self, reporter: ProgressReporter, name: str, total: int, begun: int) -> None:
        self.reporter, self.name, self.total, self.before = reporter, name, total, begun
        self.begun = working_time()
        self.next = FIRST

    def __call__(self, done: int, failed: int) -> None:
        elapsed = working_time() - self.begun
        if elapsed < self.next or not self.before < done < self.total:
            return
        self.next = elapsed + max(PAUSE, 0.2 * elapsed)
        left = duration(elapsed * (self.total - done) / (done - self.before))
        bad = f", {failed} failed" if failed else ""
        self.reporter.say(f"{self.name}: {done} of {self.total} variants{bad}, {left} to go")


class _Lines:
    """Progress in lines, for files and pipes."""

    def __init__(self, reporter: ProgressReporter, name: str, start: float, until: float) -> None:
        self.reporter, self.name, self.start, self.until = reporter, name, start, until
        self.begun: float | None = None
        self.next = FIRST

    def __call__(self, time: float) -> None:
        now = clock.monotonic()
        if self.begun is None:
            self.begun = now
        elapsed = now - self.begun
        done = (time - self.start) / (self.until - self.start)
        if elapsed < self.next or not 0.0 < done < 1.0:
            return
        self.next = elapsed + max(PAUSE, 0.2 * elapsed)
        left = f"{duration(elapsed * (1.0 - done) / done)} to go"
        self.reporter.say(f"{self.name}: {time:.4g} of {self.until:.6g} s simulated, {left}")


def working_time() -> float:
    """A clock that stands still while kernels are compiled [s]."""
    log = sys.modules.get(f"{__package__.rpartition('.')[0]}.kernels.compiling.compile_log")
    return clock.monotonic() - (0.0 if log is None else log.spent())


def duration(seconds: float) -> str:
    """A time as a person says it: "8 s", "3 min 20 s", "2 h 5 min"."""
    whole = max(1, round(seconds))
    if whole < 100:
        return f"{whole} s"
    if whole < 6000:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def alike(text: str) -> str:
    """A text without its numbers: warnings of variants that differ in nothing else are one."""
    return re.sub(r"[-+]?[0-9][0-9.]*(?:e[-+]?[0-9]+)?", "#", text)


@contextmanager
def gathered_warnings(reporter: ProgressReporter, numbers: bool = True) -> Iterator[list[str]]:
    """The warnings that are given meanwhile, each once, as lines of text; they are said as they come.

    numbers    False: those that differ in numbers only are one
    """
    found: list[str] = []
    seen: set[str] = set()

    def show(message: Any, category: type[Warning], *where: Any) -> None:
        text = " ".join(str(message).split())
        key = text if numbers else alike(text)
        if issubclass(category, UserWarning | RuntimeWarning) and key not in seen:
            seen.add(key)
            found.append(text)
            reporter.say(f"warning: {text}")

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = show  # type: ignore[assignment]
        yield found
