"""The plots of a report: what is drawn, over which times, and how it travels into the page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...results.channels import STORED, UnknownNameError
from ...results.solid_fields import meshed
from ...view.packing import Packer
from ...view.plots import ENERGY_COLOURS, line_colours, panel, thin

if TYPE_CHECKING:
    from ...results.run import Run
    from ..scenario.limits import Judgement

HEIGHT = 170
"""Of a plot [px]."""
MOST_LINES = 12
"""Lines of one plot; the ones that move most are kept."""
GHOST_COLOURS = ("#e8489b", "#12b3c7", "#a3b81f", "#b38867")
"""Colours of runs that are shown with another one: none of them that of a line."""
_MOST_PEAKS = 4
_MANY = 200
_DASHES = ([7, 4], [2, 3], [9, 3, 2, 3])


@dataclass(frozen=True, eq=False)
class PlotLine:
    """One line of a plot: values (nt,) over time (nt,) [s]; `name` is what asks for it, "" where nothing does."""

    name: str
    label: str
    unit: str
    colour: str
    time: np.ndarray
    values: np.ndarray
    ghost: bool = False
    dash: list[int] | None = None


@dataclass(frozen=True, eq=False)
class Chart:
    """One plot; the first `stacked` of its lines are drawn on top of one another as areas."""

    title: str
    lines: list[PlotLine]
    stacked: int = 0
    limits: list[dict[str, Any]] = field(default_factory=list)

    @property
    def unit(self) -> str:
        """Of the lines."""
        return self.lines[0].unit if self.lines else ""


def charts(run: Run, wanted: Mapping[str, Sequence[str | Sequence[str]]]) -> list[tuple[str, list[Chart]]]:
    """Plots by caption. A caption has several names, each a plot of its own, or lists of names that share one.

    Lines of different units never share one.
    """
    out = []
    for caption, names in wanted.items():
        made = [chart for name in names for chart in _by_unit(*_lines(run, name))]
        if len(made) == 1:
            made = [replace(made[0], title="")]
        out.append((caption, made))
    return out


def default_charts(run: Run) -> list[tuple[str, list[Chart]]]:
    """Coordinates, what drives them, and what touches, where there is any of it."""
    groups: list[tuple[str, list[PlotLine]]] = []
    coordinates = _channel(run, "q")
    groups.append(("Coordinates", [line for line in coordinates if line.unit != "1"] or coordinates))
    groups.append(("Efforts", _channel(run, "effort")))
    contacts = run.contact.display_names
    groups.append(("Contact forces", [_line(run, f"contact:{name}.normal_force") for name in contacts]))
    groups.append(("Peak pressures", [_line(run, f"contact:{name}.pressure") for name in run.contact.surfaces]))
    groups.append(("Peak von Mises stresses", [_line(run, f"field:{name}.von_mises") for name in meshed(run.model)]))
    out = []
    for caption, lines in groups:
        moving = [line for line in lines if np.ptp(np.nan_to_num(line.values)) > 0.0]
        made = list(_by_unit("", _recoloured(moving)))
        if made:
            out.append((caption, made))
    return out


def energy_charts(run: Run) -> list[Chart]:
    """What is stored and what is lost, stacked, under what was put in; and the balance between them.

    A potential has no level of its own: each is drawn from its lowest.
    """
    time, energy = run.record.time, run.channels.energy
    stored = {name: energy.column(name) for name in STORED}
    levels = {name: 0.0 if name == "kinetic" else float(np.nanmin(values)) for name, values in stored.items()}
    terms = {name: values - levels[name] for name, values in stored.items()} | {
        "dissipated": energy.column("dissipated")
    }
    drawn = {name: values for name, values in terms.items() if np.any(values != 0.0)}
    areas = [PlotLine("", name, "J", ENERGY_COLOURS[name], time, values) for name, values in drawn.items()]
    start = sum(float(values[0]) - levels[name] for name, values in stored.items())
    put_in = PlotLine("", "initial + work", "J", "", time, start + energy.column("work"), dash=[6, 4])
    balance = PlotLine("", "balance", "J", ENERGY_COLOURS["balance"], time, energy.column("balance"))
    title = f"Balance: within {energy.error:.1e} of the {energy.scale:.3g} J that move"
    return [
        Chart("Stored and dissipated, under what was put in", [*areas, put_in], len(areas)),
        Chart(title, [balance]),
    ]


def with_ghosts(chart: Chart, runs: Mapping[str, Run]) -> Chart:
    """The plot with the same lines of other runs; a line that another run does not have is left out.

    They are dashed, but beside one line alone of another colour.
    """
    added = []
    alone = len(chart.lines) == 1
    for k, (label, run) in enumerate(runs.items()):
        for line in chart.lines:
            if not line.name:
                continue
            try:
                other = _line(run, line.name)
            except UnknownNameError:
                continue
            dash = None if alone else _DASHES[k % len(_DASHES)]
            colour = GHOST_COLOURS[k % len(GHOST_COLOURS)] if alone else line.colour
            added.append(replace(other, label=f"{line.label} · {label}", colour=colour, ghost=True, dash=dash))
    return replace(chart, lines=[*chart.lines, *added])


def with_limits(chart: Chart, judgements: Iterable[Judgement]) -> Chart:
    """The plot with the limits on its lines."""
    names = {line.name for line in chart.lines if line.name}
    found = []
    for one in judgements:
        limit = one.limit
        if limit.quantity not in names:
            continue
        for value in (limit.bound, -limit.bound) if limit.within is not None else (limit.bound,):
            found.append({"value": value, "label": limit.name})
    return replace(chart, limits=found)


def page_times(lines: Iterable[PlotLine], most: int, also: Iterable[float] = ()) -> np.ndarray:
    """The samples that a page shows numbers of [s]: one set for the replay and all plots, so that they say the same.

    lines    what is drawn, the forces of the replay too
    most     samples of a line that is drawn alone; all together take twice as many
    also     times that are kept in any case
    """
    lines, each = list(lines), most
    while True:
        kept = [thin(line.time, line.values, each)[0] for line in lines]
        time = np.unique(np.concatenate([*kept, np.array([float(t) for t in also])]))
        if len(time) <= 2 * most or each <= 20:
            return time
        each = int(0.7 * each)


def pack_chart(chart: Chart, place: str, packer: Packer, time: np.ndarray) -> dict[str, Any]:
    """A plot as JSON can hold it; `place` is the element that it goes to, `time` the samples of the page [s]."""
    values = values_at(chart.lines, time)
    own = [i for i, line in enumerate(chart.lines) if not line.ghost]
    marked = own if len(own) <= _MOST_PEAKS and not chart.stacked and len(time) > 2 else []
    peaks = [{"series": i, "sample": int(np.nanargmax(np.abs(values[i])))} for i in marked if _moves(values[i])]
    return {
        "id": place,
        "height": HEIGHT,
        "x": packer.array(time, "f64"),
        "stacked": chart.stacked,
        "limits": chart.limits,
        "peaks": peaks,
        "series": [
            {
                "label": line.label,
                "unit": line.unit,
                "colour": line.colour,
                "ghost": line.ghost,
                "dash": line.dash,
                "y": packer.array(y, _kind(y)),
            }
            for line, y in zip(chart.lines, values)
        ],
    }


def _kind(values: np.ndarray) -> str:
    """How numbers travel: a run that blew up has some that single precision cannot hold."""
    return "f32" if not np.any(np.abs(values[np.isfinite(values)]) > np.finfo(np.float32).max) else "f64"


def _moves(values: np.ndarray) -> bool:
    finite = values[np.isfinite(values)]
    return bool(len(finite)) and float(np.ptp(finite)) > 0.0


def common(lines: Sequence[PlotLine], most: int) -> tuple[np.ndarray, list[np.ndarray]]:
    """Times at which any line is drawn, and all lines at them; a line ends where its own samples do."""
    time = page_times(lines, most)
    return time, values_at(lines, time)


def values_at(lines: Sequence[PlotLine], time: np.ndarray) -> list[np.ndarray]:
    """All lines at some times; a line ends where its own samples do."""
    return [np.interp(time, line.time, line.values, left=np.nan, right=np.nan) for line in lines]


def _lines(run: Run, name: str | Sequence[str]) -> tuple[str, list[PlotLine]]:
    if isinstance(name, str):
        found = panel(run, name)
        lines = _of(run, found.curves)
        return found.title, [replace(lines[0], name=name)] if len(lines) == 1 else lines
    pairs = [_lines(run, one) for one in name]
    return ", ".join(title for title, _ in pairs), _recoloured([line for _, lines in pairs for line in lines])


def _channel(run: Run, kind: str) -> list[PlotLine]:
    """Every line of the coordinates or of the efforts; of thousands by their columns alone, which is a thousand times
    quicker, as a dozen of them will be drawn."""
    found = getattr(run.channels, kind)
    if len(found) <= _MANY:
        return [_line(run, f"{kind}:{name}") for name in found.names]
    time = run.record.time
    return [
        PlotLine(f"{kind}:{name}", name, unit, "", time, found.values[:, i])
        for i, (name, unit) in enumerate(zip(found.names, found.units, strict=True))
    ]


def _line(run: Run, name: str) -> PlotLine:
    return _lines(run, name)[1][0]


def _of(run: Run, curves: Iterable[Any]) -> list[PlotLine]:
    return [
        PlotLine(c.label if c.label in run.channels.q else "", c.label, c.unit, c.colour, run.record.time, c.values)
        for c in curves
    ]


def _recoloured(lines: Sequence[PlotLine]) -> list[PlotLine]:
    return [replace(line, colour=colour) for line, colour in zip(lines, line_colours(len(lines)))]


def _by_unit(title: str, lines: Sequence[PlotLine]) -> Iterator[Chart]:
    units = list(dict.fromkeys(line.unit for line in lines))
    whole = title
    for unit in units:
        mine = [line for line in lines if line.unit == unit]
        # a panel that is parted by unit names in each part what is in it
        title = whole if len(units) == 1 or not whole else ", ".join(line.label for line in mine[:3])
        if len(mine) > MOST_LINES:
            swings = [-float(np.ptp(np.nan_to_num(line.values))) for line in mine]
            kept = set(np.argsort(swings, kind="stable")[:MOST_LINES].tolist())
            text = f"{title} ({MOST_LINES} of {len(mine)}, those that move most)".strip()
            mine = [line for i, line in enumerate(mine) if i in kept]
            yield Chart(text, _recoloured(mine))
        else:
            yield Chart(title, list(mine))
