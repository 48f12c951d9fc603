"""Plots beside a moving scene: quantities of a run over time, with a line at the time that is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics.errors import JourdainError
from ..results.quantities import known_quantities, quantity
from .plots import PALETTE, thin

if TYPE_CHECKING:
    from viser import ViserServer

    from ..results.run import Run

MOST = 800
"""Points of a line: more than the pixels of a panel."""
NONE = "(none)"
SLOTS = 3


def choices(run: Run) -> list[str]:
    """Names that can be plotted, those that one asks for most first."""
    names = list(known_quantities(run.model))
    order = {"contact": 0, "field": 1, "deflection": 1, "effort": 3, "v": 4, "energy": 5}

    def rank(name: str) -> int:
        kind, colon, _ = name.partition(":")
        if colon:
            return order.get(kind, 6)
        return 2 if name in run.model.index.q else 6

    return sorted(names, key=rank)


def first_choices(run: Run) -> list[str]:
    """What is plotted at first: figures of the scenario, or a contact force, a deflection, a coordinate."""
    told = run.options.get("scenario") or {}
    names = [name for figure in told.get("figures") or () for name in figure.get("quantities") or ()]
    piles = set(run.model.contacts.names[len(run.model.description.get("contacts", [])) :])
    names += [f"contact:{one}.{'normal_force' if one in piles else 'force'}" for one in run.contact.display_names[:1]]
    rest = choices(run)
    names += [one for one in rest if one.startswith("deflection:")][-1:]
    names += [one for one in rest if one.startswith("field:")][:1]
    joints = [name for name in run.model.names.q if name in run.model.joints]
    names += [*joints[:3], "energy:total"]
    kept = list(dict.fromkeys(names))[:SLOTS]
    return kept + [NONE] * (SLOTS - len(kept))


class Trace:
    """One plot: a line, and a vertical one at the time that is shown."""

    def __init__(self, server: ViserServer, colour: str, name: str, dark: bool) -> None:
        from viser import uplot

        self.name = ""
        self.time = self.values = np.array([0.0, 1.0])
        self.now: float | None = None
        ink = "#e8eaed" if dark else "#30363d"
        self.plot: Any = server.gui.add_uplot(
            data=(np.array([0.0, 1.0]), np.zeros(2), np.zeros(2)),
            series=(
                uplot.Series(label="t"),
                uplot.Series(label="value", stroke=colour, width=1.6, points={"show": False}),
                uplot.Series(label="now", stroke=ink, width=1.2, points={"show": False}),
            ),
            scales={"x": uplot.Scale(time=False)},
            legend=uplot.Legend(show=False),
            cursor=uplot.Cursor(drag={"x": True, "y": False}),
            height=150,
            padding=(10, 24, 0, 0),
            visible=False,
        )
        self.wanted = name

    def load(self, run: Run) -> None:
        """The values of the quantity that is wanted."""
        self.name = self.wanted
        if self.name == NONE:
            self.plot.visible = False
            return
        try:
            found = quantity(run, self.name)
        except JourdainError:
            self.plot.visible = False
            return
        self.time, self.values = thin(found.time, found.values, MOST)
        unit = f" [{found.unit}]" if found.unit not in ("", "1") else ""
        self.plot.title = f"{found.label}{unit}"
        low, high = _range(self.values)
        start, end = float(self.time[0]), float(self.time[-1])
        # ranges are told: the line at the time shown is not a number elsewhere
        self.plot.scales = {
            "x": {"time": False, "range": (start, end if end > start else start + 1.0)},
            "y": {"range": (low, high)},
        }
        self.now = None
        self.plot.visible = True

    def show(self, t: float) -> None:
        """The line at time t [s]."""
        if self.name == NONE or not self.plot.visible or self.now == t:
            return
        self.now = t
        i = int(np.searchsorted(self.time, t))
        low, high = _range(self.values)
        here = float(np.interp(t, self.time, self.values))
        line = np.full(len(self.time) + 2, np.nan)
        line[i : i + 2] = low, high
        self.plot.data = (np.insert(self.time, i, [t, t]), np.insert(self.values, i, [here, here]), line)


def _range(values: np.ndarray) -> tuple[float, float]:
    """From the least to the largest value, and a little room."""
    finite = values[np.isfinite(values)]
    low, high = (float(finite.min()), float(finite.max())) if len(finite) else (0.0, 1.0)
    room = 0.06 * (high - low) or 0.5 * abs(high) or 0.5
    return low - room, high + room


def traces(server: ViserServer, run: Run, dark: bool) -> list[Trace]:
    """Plots with a choice of what each shows."""
    names = [NONE, *choices(run)]
    out = []
    for i, name in enumerate(first_choices(run)):
        if name not in names:
            names.append(name)
        choice = server.gui.add_dropdown(f"plot {i + 1}", names, initial_value=name)
        trace = Trace(server, PALETTE[i], name, dark)
        trace.load(run)
        out.append(trace)

        def chosen(_: Any, trace: Trace = trace, choice: Any = choice) -> None:
            trace.wanted = choice.value

        choice.on_update(chosen)
    return out
