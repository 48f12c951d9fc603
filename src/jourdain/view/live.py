"""A run in the browser while it is computed.

    with watch(scenario.model, about=scenario.about()) as live:
        run = scenario.simulate(save=path, watch=live)      # or jd.simulate(model, state, ..., watch=live)
        live.finish(run)
        live.wait()                                         # until Ctrl-C

`watch` starts the page at once and says its address; the scene is there with the first samples. While the run goes on
the page follows its end, or shows any earlier time that one scrubs to. After `finish` it is a replay like any other.
"""

from __future__ import annotations

import threading
import time as clock
from dataclasses import fields
from typing import TYPE_CHECKING, Any

import numpy as np

from ..results.run import Record, Run
from .local_server import address_of, local_server, stop
from .viewer import Viewer, shortened

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ..model.model import Model

REST = 0.002
"""How long the simulation waits after each slice, so that the page gets its turn [s]."""
MOST = 4000
"""Samples that are looked at while the run goes on; when it has ended, all."""
SHARE = 8.0
"""Time between two looks, over the processor time that a look takes: the simulation keeps most of it."""
LEAST = 0.25
"""Least time between two looks [s]."""


def watch(
    model: Model, port: int = 0, open_browser: bool = True, about: Mapping[str, Any] | None = None, say: bool = True
) -> Live:
    """A page that shows a run as it is computed; give it to `simulate` as ``watch``.

    model           that is simulated
    port            on 127.0.0.1; 0 lets the system choose
    open_browser    whether to open a window
    about           what the scenario says of itself: its figures are the first plots
    say             whether to print the address
    """
    live = Live(model, port, about)
    if say:
        print(f"watching {model.name!r} at {live.address} (this machine only)")
    if open_browser:
        import webbrowser

        webbrowser.open(live.address)
    return live


class Live:
    """Takes the samples of a run as they come, and shows them.

    address    of the page
    viewer     None until there is a sample
    """

    def __init__(self, model: Model, port: int = 0, about: Mapping[str, Any] | None = None) -> None:
        self.model = model
        self.viewer: Viewer | None = None
        self._options = {} if about is None else {"scenario": dict(about)}
        self._server = local_server(port, shortened(model.name))
        self._chunks: list[Record] = []
        self._count = 0
        self._lock, self._over, self._ended = threading.Lock(), threading.Event(), threading.Event()
        self._final: Run | None = None
        self._thread = threading.Thread(target=self._work, name="live", daemon=True)
        self._thread.start()

    @property
    def address(self) -> str:
        """What to open in the browser."""
        return address_of(self._server)

    def __call__(self, chunk: Record) -> None:
        """Samples that have just been computed."""
        with self._lock:
            self._chunks.append(chunk)
            self._count += len(chunk)
        clock.sleep(REST)

    def finish(self, run: Run | None) -> None:
        """The run has ended, or was interrupted: show all that there is of it."""
        self._final = run
        self._ended.set()
        self._thread.join(60.0)

    def wait(self) -> None:
        """Until it is stopped, or Ctrl-C."""
        try:
            while not self._over.wait(0.2):
                pass
        except KeyboardInterrupt:
            pass

    def stop(self) -> None:
        """Close the page's server."""
        self._over.set()
        self._ended.set()
        self._thread.join(5.0)
        if self.viewer is not None:
            self.viewer.stop()
        else:
            stop(self._server)

    def __enter__(self) -> Live:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def _run(self) -> Run | None:
        """What there is of the run."""
        with self._lock:
            chunks, count = list(self._chunks), self._count
        if not count:
            return None
        record = Record.concatenate(chunks)
        if count > MOST:
            keep = np.unique(np.linspace(0, count - 1, MOST).astype(int))
            record = Record(**{one.name: getattr(record, one.name)[keep] for one in fields(Record)})
        return Run(self.model, record, self._options, partial=True)

    def _work(self) -> None:
        seen, pause = 0, LEAST
        while not self._ended.wait(pause):
            if self._count == seen:
                continue
            begun, first = clock.thread_time(), self.viewer is None
            seen = self._count
            self._show(self._run(), live=True)
            pause = LEAST if first else max(LEAST, SHARE * (clock.thread_time() - begun))
        if not self._over.is_set():
            self._show(self._final or self._run(), live=False)

    def _show(self, run: Run | None, live: bool) -> None:
        if run is None:
            return
        if self.viewer is None:
            self.viewer = Viewer(run, server=self._server, live=True)
            if not live:
                self.viewer.update(run, live=False)
        else:
            self.viewer.update(run, live)
