"""The phases of a run: what was connected when."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..model.topology_change import connected

if TYPE_CHECKING:
    from ..model.model import Model
    from .run import Run

ROUNDING = 1e-12
"""Times of an event and of the sample just after it agree but for this, over the larger of one and the time [s]."""


def phases(run: Run) -> list[tuple[int, Model]]:
    """First sample and model of every phase; the first one is that of `run.model`."""
    found, closed = [(0, run.model)], dict(run.model.connections.closed)
    events = [one for one in run.options.get("events") or () if one.get("time") is not None and "closing" in one]
    for one in sorted(events, key=lambda one: one["time"]):
        closed = {name: how for name, how in closed.items() if name not in one["disconnect"]} | one["closing"]
        at = one["time"]
        first = int(np.searchsorted(run.record.time, at - ROUNDING * max(1.0, abs(at))))
        found = [before for before in found if before[0] < first] + [(first, connected(run.model, closed))]
    return found
