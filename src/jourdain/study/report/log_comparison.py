"""A run beside what was measured: plots over each other, and how far they are apart, in one page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...basics.errors import ModelError
from ...basics.markup import Markup, escape
from ...results.quantities import quantity
from ..fit.logs import Log, factor
from ..scenario.limits import judge
from . import tables as parts
from .page import heading, jump, section, table, write_page
from .run_report import ReplayScenes, fitted, placed_charts, workbench
from .time_plots import GHOST_COLOURS, Chart, PlotLine
from .verdict import verdict

if TYPE_CHECKING:
    from ...results.run import Run

_TRIED = 401
"""Delays that are tried for each quantity."""


@dataclass(frozen=True)
class Distance:
    """How far a measured quantity is from that of a run, over the time that both cover.

    quantity    its name
    unit        of the numbers
    samples     that were compared
    mean        of measured minus simulated
    rms         root of the mean square of measured minus simulated
    largest     of its magnitudes
    time        of the largest [s]
    share       rms by the standard deviation of what was measured; NaN where it is constant
    delay       by which the measured one lags the run where the two fit best [s]; NaN where it is constant
    """

    quantity: str
    unit: str
    samples: int
    mean: float
    rms: float
    largest: float
    time: float
    share: float
    delay: float

    def to_dict(self) -> dict[str, Any]:
        """Its numbers, those that do not exist as None."""
        return {key: None if value != value else value for key, value in vars(self).items()}


def distances(run: Run, log: Log) -> list[Distance]:
    """How far the log is from the run, quantity by quantity; a `ModelError` where they have none in common."""
    return [_distance(run, name, *_fitting(run, log, name)) for name in _shared(run, log)]


def write_log_comparison(run: Run, logs: Mapping[str, Log], path: str | Path, label: str = "run") -> Path:
    """Write a page that shows a run beside logs of the same: distances, plots, and what is between them.

    logs    by the labels that they have in the page
    """
    found = {name: distances(run, log) for name, log in logs.items()}
    names = dict.fromkeys(one.quantity for many in found.values() for one in many)
    groups = [(name, list(_charts(run, name, logs))) for name in names]
    judged = judge(run)
    moments = parts.moments(run, judged)
    replay = ReplayScenes.of([(label, run)], parts.scenario_of(run).get("replay") or {}, moments)
    title = " and ".join((label, *logs))
    body = [
        heading("Jourdain comparison with measurements", title, run.model.name),
        f'<div class="verdicts"><div><p class="kind">{escape(label)}</p>{verdict(run, judged)}</div></div>',
        *(section(f"Distance from {name}", _table(many)) for name, many in found.items()),
        workbench(replay, groups, moments),
        section("To reproduce", parts.reproduction(run)),
    ]
    time = run.record.time
    facts = {"start": float(time[0]), "end": float(time[-1]), "moments": moments}
    return write_page(path, fitted(title, body, replay, placed_charts(groups, "plot"), facts))


def _shared(run: Run, log: Log) -> list[str]:
    """Quantities of the log that the run knows; all of them must be, or the map is wrong."""
    from ...results.channels import UnknownNameError

    names = []
    for name in log.channels:
        try:
            quantity(run, name)
        except UnknownNameError as error:
            raise ModelError.at(name, f"{log.name}: {error}; say in a map which column is which quantity") from None
        names.append(name)
    return names


def _fitting(run: Run, log: Log, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Times and values of a log in the unit of the quantity, within the run."""
    time, values = log[name]
    values = values * factor(name, log.units.get(name, ""), quantity(run, name).unit)
    here = run.record.time
    good = np.isfinite(time) & np.isfinite(values) & (time >= here[0]) & (time <= here[-1])
    if np.count_nonzero(good) < 2:
        span = f"{here[0]:g} to {here[-1]:g} s"
        raise ModelError.at(name, f"{log.name} has no two samples within the run, {span}; shift its time by a map")
    return time[good], values[good]


def _distance(run: Run, name: str, time: np.ndarray, values: np.ndarray) -> Distance:
    one = quantity(run, name)
    here = run.record.time
    apart = values - np.interp(time, here, one.values)
    at = int(np.argmax(np.abs(apart)))
    spread = float(np.std(values))
    rms = float(np.sqrt(np.mean(apart**2)))
    moved = spread > 0.0 and float(np.std(one.values)) > 0.0
    delay = _delay(here, one.values, time, values) if moved else np.nan
    share = rms / spread if moved else np.nan
    largest = float(np.abs(apart[at]))
    return Distance(name, one.unit, len(time), float(np.mean(apart)), rms, largest, float(time[at]), share, delay)


def _delay(here: np.ndarray, simulated: np.ndarray, time: np.ndarray, values: np.ndarray) -> float:
    """The delay, a tenth of the record at most, at which measured and simulated fit best in the least squares."""
    most = 0.1 * (time[-1] - time[0])
    tried = np.linspace(-most, most, _TRIED)
    inside = (time - most >= here[0]) & (time + most <= here[-1])
    if np.count_nonzero(inside) < 2:
        return float("nan")
    cost = [np.mean((values[inside] - np.interp(time[inside] - d, here, simulated)) ** 2) for d in tried]
    k = int(np.argmin(cost))
    if 0 < k < _TRIED - 1:
        before, now, after = cost[k - 1 : k + 2]
        bend = before - 2.0 * now + after
        step = 0.5 * (before - after) / bend if bend > 0.0 else 0.0
        return float(tried[k] + step * (tried[1] - tried[0]))
    return float(tried[k])


def _charts(run: Run, name: str, logs: Mapping[str, Log]) -> list[Chart]:
    """What was simulated and measured over each other; and what is between them."""
    one = quantity(run, name)
    here = run.record.time
    drawn = [PlotLine(name, "simulated", one.unit, "#4477aa", here, one.values)]
    left = []
    for k, (label, log) in enumerate(logs.items()):
        if name not in log.channels:
            continue
        time, values = _fitting(run, log, name)
        colour = GHOST_COLOURS[k % len(GHOST_COLOURS)]
        drawn.append(PlotLine("", label, one.unit, colour, time, values, ghost=True))
        left.append(PlotLine("", label, one.unit, colour, time, values - np.interp(time, here, one.values)))
    return [Chart("", drawn), Chart("measured − simulated", left)]


def _table(many: list[Distance]) -> str:
    rows = []
    for one in many:
        share = f"{100.0 * one.share:.2f} %" if one.share == one.share else "–"
        delay = f"{1e3 * one.delay:+.3g} ms".replace("-", "−") if one.delay == one.delay else "–"
        largest = Markup(f"{one.largest:.4g} {escape(one.unit)} at {jump(one.time)}")
        mean = f"{one.mean:+.4g} {one.unit}".replace("-", "−")
        rows.append([one.quantity, str(one.samples), f"{one.rms:.4g} {one.unit}", share, mean, largest, delay])
    heads = ("quantity", "samples", "rms", "of its spread", "mean", "largest", "measured lags by")
    return table(heads, rows, "distances from the measured")
