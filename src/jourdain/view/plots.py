"""The figures of a run: time histories in panels over one time axis, and the energy bookkeeping."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics.errors import JourdainError
from ..results.channels import ENERGY, Channels, unknown
from ..results.quantities import KINDS, quantity

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..results.run import Run

PALETTE = ("#2f6fb2", "#d9792b", "#3f9b66", "#b8486b", "#7b63b8", "#9a7b2d", "#2d9aa5", "#6d8f2f")
"""Colours of lines, in turn: distinct on white and on dark, and for most colour-blind readers."""

AXIS_COLOURS = {"x": "#c8453b", "y": "#3f9b66", "z": "#2f6fb2"}
"""Colours of the world's axes."""

ENERGY_COLOURS = dict(zip(ENERGY, PALETTE, strict=False)) | {"total": "#5b6470", "balance": "#c8453b"}

_THEMES = {
    "light": {"ink": "#1f2933", "soft": "#7b8794", "grid": "#e4e7eb", "ground": "#ffffff"},
    "dark": {"ink": "#e4e7eb", "soft": "#9aa5b1", "grid": "#323f4b", "ground": "#161b22"},
}
_TITLES = {
    "q": "",
    "v": "rate of ",
    "effort": "effort at ",
    "z": "state ",
    "energy": "energy: ",
    "frame": "position of ",
}
_MOST_POINTS = 4000
_MOST_KEYS = 10


@dataclass
class PanelCurve:
    """One line of a panel."""

    values: np.ndarray
    label: str
    unit: str
    colour: str


@dataclass
class AxesPanel:
    """One pair of axes: a title, and the lines in it."""

    title: str
    curves: list[PanelCurve]

    @property
    def unit(self) -> str:
        """The units of the lines; "SI" for one that is not known."""
        return ", ".join(dict.fromkeys(curve.unit or "SI" for curve in self.curves))


def plot(run: Run, *names: str | Sequence[str], figure: Figure | None = None, theme: str = "light") -> Figure:
    """A figure with one panel a name, over a shared time axis.

    A name is a coordinate (`"elbow"`), an address (`"payload.origin"`: its position in world axes), a term of
    the energy (`"total"`), or says its kind: `"v:elbow"`, `"effort:elbow"`, `"z:biceps.activation"`, `"energy:work"`,
    `"frame:payload.origin"`; and all names of `quantities`, such as `"contact:touch.force"`. A list of names
    shares one panel. Without names: all coordinates and velocities, by unit.

    figure  draw into this one; None makes one that `matplotlib.pyplot.show()` shows
    theme   "light" or "dark"
    """
    panels = [panel(run, name) for name in names] if names else list(overview(run))
    if not panels:
        raise JourdainError(f"the run of {run.model.name!r} has no coordinates to plot; name an address or an energy")
    return draw(run, panels, figure=figure, theme=theme)


def plot_energy(run: Run, *, figure: Figure | None = None, theme: str = "light") -> Figure:
    """The energy bookkeeping [J]: where the energy is, and the balance, zero but for integration error."""
    energy = run.channels.energy
    # A term that stays at zero says nothing; the total is always drawn.
    shown = [name for name in ENERGY if np.any(energy.column(name) != 0.0)]
    terms = [PanelCurve(energy.column(n), n, "J", ENERGY_COLOURS[n]) for n in (*shown, "total")]
    balance = [PanelCurve(energy.column("balance"), "balance", "J", ENERGY_COLOURS["balance"])]
    title = f"balance: total - initial - work + dissipated; within {energy.error:.1e} of the energy that moves"
    return draw(run, [AxesPanel("energy", terms), AxesPanel(title, balance)], figure=figure, theme=theme)


def draw(run: Run, panels: Sequence[AxesPanel], *, figure: Figure | None = None, theme: str = "light") -> Figure:
    """Draw panels over the run's time [s]."""
    with _style(theme):
        if figure is None:
            import matplotlib.pyplot as plt

            figure = plt.figure()
        figure.set_facecolor(_THEMES[theme]["ground"])
        figure.set_size_inches(8.0, 0.7 + 2.0 * len(panels))
        figure.set_layout_engine("constrained")
        axes = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
        for axis, panel in zip(axes, panels, strict=True):
            _draw_panel(axis, run.record.time, panel)
        axes[-1].set_xlabel("time [s]")
        figure.align_ylabels(axes)
    return figure


def _draw_panel(axis: Axes, time: np.ndarray, panel: AxesPanel) -> None:
    mixed = len({curve.unit for curve in panel.curves}) > 1
    for curve in panel.curves:
        t, y = thin(time, curve.values)
        marker = "o" if len(t) == 1 else None
        label = f"{curve.label} [{curve.unit or 'SI'}]" if mixed else curve.label
        axis.plot(t, y, color=curve.colour, label=_literal(label), marker=marker)
    axis.set_title(_literal(panel.title), loc="left")
    axis.set_ylabel(f"[{panel.unit}]")
    if time[-1] > time[0]:
        axis.set_xlim(time[0], time[-1])
    if 1 < len(panel.curves) <= _MOST_KEYS:
        axis.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.2)
    axis.margins(y=0.08)
    # The power of ten of the ticks goes to the right: the title is on the left.
    axis.yaxis.get_offset_text().set(x=1.0, horizontalalignment="right")


def thin(time: np.ndarray, values: np.ndarray, most: int = _MOST_POINTS) -> tuple[np.ndarray, np.ndarray]:
    """At most `most` samples that look the same: the lowest and the highest of every bin are kept."""
    n = len(time)
    if n <= most:
        return time, values
    edges = np.linspace(0, n, most // 2 + 1).astype(int)[:-1]
    finite = np.where(np.isfinite(values), values, 0.0)
    bins = np.repeat(edges, np.diff(np.append(edges, n)))
    order = np.lexsort((finite, bins))
    lowest = order[edges]
    highest = order[np.append(edges[1:], n) - 1]
    broken = np.flatnonzero(~np.isfinite(values))[:most]
    keep = np.unique(np.concatenate([[0, n - 1], lowest, highest, broken]))
    return time[keep], values[keep]


def panel(run: Run, name: str | Sequence[str]) -> AxesPanel:
    """What `plot` draws for one of its names."""
    if not isinstance(name, str):
        parts = [panel(run, part) for part in name]
        if not parts:
            raise JourdainError("plot was given an empty list of names; give at least one name a panel")
        curves = [curve for part in parts for curve in part.curves]
        for curve, colour in zip(curves, line_colours(len(curves)), strict=True):
            curve.colour = colour
        return AxesPanel(", ".join(part.title for part in parts), curves)
    if _is_quantity(run, name):
        found = quantity(run, name)
        return AxesPanel(found.label, [PanelCurve(found.values, found.label, found.unit, PALETTE[0])])
    kind, channel = _resolve(run, name)
    title = _TITLES[kind] + channel
    if kind == "frame":
        path = run.frame(channel).path
        title = _TITLES[kind] + run.frame(channel).address
        return AxesPanel(
            title, [PanelCurve(path[:, i], f"{channel} {x}", "m", AXIS_COLOURS[x]) for i, x in enumerate("xyz")]
        )
    curves = _curves(run, getattr(run.channels, kind), channel)
    if kind == "effort" and channel in run.channels.effort.names:
        curves = [replace(curves[0], values=quantity(run, f"effort:{channel}").values)]
    return AxesPanel(title, curves)


def _is_quantity(run: Run, name: str) -> bool:
    """Whether a name is one that only `quantities` knows: of contacts, shapes, pairs, or a part of a frame."""
    kind, colon, _ = name.partition(":")
    if colon:
        return kind in KINDS and kind not in _TITLES
    return (
        name not in run.channels.q
        and name not in run.channels.energy
        and name.rpartition(".")[0] in run.model.frame_names
    )


def _resolve(run: Run, name: str) -> tuple[str, str]:
    """(kind, channel) of what a user calls `name`."""
    kind, colon, channel = name.partition(":")
    if colon and kind in _TITLES:
        if kind == "frame":
            run.frame(channel)
        elif channel not in getattr(run.channels, kind):
            getattr(run.channels, kind).column(channel)
        return kind, channel
    for kind in ("q", "energy"):
        if name in getattr(run.channels, kind):
            return kind, name
    if name in run.model.frame_names or f"{name}.origin" in run.model.frame_names:
        return "frame", name
    if name in run.channels.v:
        return "v", name
    known = (
        *run.channels.q.names,
        *run.channels.energy.names,
        *run.model.frame_names,
        *(f"v:{n}" for n in run.channels.v.names),
    )
    raise unknown("coordinate, energy or address", name, known, "the model has none")


def _curves(run: Run, channels: Channels, name: str) -> list[PanelCurve]:
    names = (name,) if name in channels.names else channels.members(name)
    if channels.kind == "energy":
        colours = [ENERGY_COLOURS[n] for n in names]
    else:
        # A coordinate, its rate and its effort share a colour.
        places = {
            n: i
            for i, n in enumerate(dict.fromkeys((*run.channels.q.names, *run.channels.v.names, *run.channels.z.names)))
        }
        colours = line_colours(len(names), places[names[0]])
    return [PanelCurve(channels.column(n), n, channels.unit(n), c) for n, c in zip(names, colours, strict=True)]


def overview(run: Run) -> Iterator[AxesPanel]:
    """All coordinates and velocities, one panel a unit."""
    for channels, title in ((run.channels.q, "coordinates"), (run.channels.v, "velocities")):
        for unit in dict.fromkeys(channels.units):
            curves = [
                _curves(run, channels, n)[0] for n, u in zip(channels.names, channels.units, strict=True) if u == unit
            ]
            for curve, colour in zip(curves, line_colours(len(curves)), strict=True):
                curve.colour = colour
            count = f" ({len(curves)})" if len(curves) > _MOST_KEYS else ""
            yield AxesPanel(f"{title}{count}", curves)


def line_colours(count: int, first: int = 0) -> list[str]:
    """Colours of so many lines, from a place in the palette on."""
    return [PALETTE[(first + i) % len(PALETTE)] for i in range(count)]


def _literal(text: str) -> str:
    """Text as it is: no mathematics after a dollar, no line kept from the legend by an underscore."""
    text = text.replace("$", r"\$")
    return " " + text if text.startswith("_") else text


@contextmanager
def _style(theme: str) -> Iterator[None]:
    import matplotlib as mpl

    if theme not in _THEMES:
        raise JourdainError(f"theme {theme!r} is not known; use one of {', '.join(map(repr, _THEMES))}")
    look = _THEMES[theme]
    style: Any = {
        "figure.facecolor": look["ground"],
        "axes.facecolor": look["ground"],
        "savefig.facecolor": look["ground"],
        "text.color": look["ink"],
        "axes.titlecolor": look["ink"],
        "axes.labelcolor": look["soft"],
        "axes.edgecolor": look["grid"],
        "xtick.color": look["soft"],
        "ytick.color": look["soft"],
        "grid.color": look["grid"],
        "axes.grid": True,
        "axes.axisbelow": True,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.titlesize": 10,
        "axes.labelsize": 9,
        "xtick.labelsize": 8,
        "ytick.labelsize": 8,
        "legend.fontsize": 8,
        "legend.frameon": False,
        "lines.linewidth": 1.4,
        "axes.formatter.limits": (-3, 4),
        "axes.formatter.useoffset": False,
        "text.usetex": False,
    }
    with mpl.rc_context(style):
        yield
