"""The compile log: says that something is being compiled, each time that it is, and for how long.

On a terminal a bar with the name of what is being compiled; elsewhere one line for all that is compiled together.
`spent()` is the time that this process has spent so, which is nobody's simulated time.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

NAMED = 6
"""Names that a line gives at most."""


class CompileLog:
    """What is being compiled now."""

    def __init__(self) -> None:
        self.spent = 0.0
        self.lock = threading.RLock()
        self.depth = 0
        self.bar: Any = None
        self.line: Any = None
        self.done = 0
        self.names: list[str] = []
        self.shown = False

    @contextmanager
    def together(self, names: list[str]) -> Iterator[None]:
        """While several things are compiled."""
        with self.lock:
            start = time.perf_counter()
            if self.depth == 0:
                self.names, self.shown = names, False
            self.depth += 1
            try:
                yield
            finally:
                self.depth -= 1
                if self.depth == 0:
                    self.spent += time.perf_counter() - start
                    if self.bar is not None:
                        self.bar.stop()
                        self.bar = None

    def wait(self, name: str) -> None:
        """Says that another process is compiling something that is needed here."""
        print(f"jourdain: waiting for another process, which compiles {name}", file=sys.stderr, flush=True)

    def expect(self, left: int) -> None:
        """How many are left to be compiled, as far as is known."""
        if self.bar is not None:
            self.bar.update(self.line, total=self.done + left)

    @contextmanager
    def one(self, name: str) -> Iterator[None]:
        """While one of them is, or it alone."""
        with self.together([name]):
            if not self.shown:
                self._start(self.names)
            if self.bar is not None:
                self.bar.update(self.line, description=f"compiling {name}")
            yield
            self.done += 1
            if self.bar is not None:
                self.bar.update(self.line, completed=self.done)

    def _start(self, names: list[str]) -> None:
        self.done, self.shown = 0, True
        if not sys.stderr.isatty() or not self._show(len(names)):
            shown = ", ".join(names[:NAMED]) + (f" and {len(names) - NAMED} more" if len(names) > NAMED else "")
            print(f"jourdain: compiling {shown}; cached", file=sys.stderr, flush=True)

    def _show(self, count: int) -> bool:
        """Shows a bar; False where another one is being shown."""
        from rich.console import Console
        from rich.errors import LiveError
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=Console(file=sys.stderr),
            transient=True,
        )
        try:
            bar.start()
        except LiveError:
            return False
        self.bar, self.line = bar, bar.add_task("compiling", total=count)
        return True


COMPILE_LOG = CompileLog()


def spent() -> float:
    """Time spent on compiling in this process [s]."""
    return COMPILE_LOG.spent
