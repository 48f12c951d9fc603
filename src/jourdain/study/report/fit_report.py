"""The report of a fit: the values and what they are worth, the records beside the model, and what is left."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from ...basics.markup import escape
from ...view.plots import line_colours
from .page import heading, section, table, write_page
from .run_report import ReplayScenes, fitted, placed_charts, plot_places
from .tables import warning_box
from .time_plots import Chart, PlotLine
from .verdict import banner

if TYPE_CHECKING:
    from ..fit.fit_result import Comparison, Fit

CORRELATED = 0.9
"""Correlation beyond which a pair is listed."""


def write_fit_report(fit: Fit, path: str | Path) -> Path:
    """Write the page of a fit."""
    name = fit.model.name
    compared = [*fit.comparisons, *fit.validation]
    shown = [(_caption(one, one in fit.validation), [_beside(one)]) for one in compared]
    left = [(_caption(one, one in fit.validation), [_left(one)]) for one in compared]
    body = [
        heading("Jourdain identification", name, _about(fit)),
        _verdict(fit),
        warning_box(_warnings(fit)),
        section("Values", _values(fit), "values"),
        section("What the records cannot tell", _lost(fit), "unidentifiable"),
        section("Correlations", _correlations(fit), "correlations"),
        section("Records", _records(fit) + plot_places(shown, "plot"), "records"),
        section("What is left", plot_places(left, "left"), "residuals"),
    ]
    placed = [*placed_charts(shown, "plot"), *placed_charts(left, "left")]
    times = np.concatenate([one.time for one in compared])
    facts = {"start": float(np.min(times)), "end": float(np.max(times)), "moments": [], "worst": None}
    return write_page(path, fitted(name, body, ReplayScenes([], [], {}), placed, facts))


def _about(fit: Fit) -> str:
    records = len({one.record for one in fit.comparisons})
    samples = sum(len(one.time) for one in fit.comparisons)
    return f"{len(fit.names)} unknowns · {records} record{'' if records == 1 else 's'} · {samples:,} samples"


def _verdict(fit: Fit) -> str:
    count = len(fit.names) - len(fit.undetermined)
    head = f"{count} of {len(fit.names)} unknowns are determined"
    white = all(one.whiteness.white for one in fit.comparisons)
    words = "What is left of the records is noise." if white else "What is left of the records is not noise."
    kind = "pass" if fit.converged and white and not fit.undetermined else "fail" if not fit.converged else "none"
    return banner(kind, "Fitted" if fit.converged else "Not converged", head, f"<p>{words}</p>")


def _warnings(fit: Fit) -> list[str]:
    out = list(fit.hints)
    if fit.at_bounds:
        out.append(f"on a bound, where intervals mean little: {', '.join(fit.at_bounds)}")
    return out


def _values(fit: Fit) -> str:
    rows = []
    for name in fit.names:
        unit = fit.unit(name)
        if name in fit.undetermined:
            rows.append([name, "not determined", "", "", unit, ""])
            continue
        value, error, (low, high) = fit.values[name], fit.errors[name], fit.intervals[name]
        part = f"{100.0 * error / abs(value):.2g} %" if value else ""
        rows.append([name, f"{value:.6g}", f"{error:.2g}", f"{low:.6g} … {high:.6g}", unit, part])
    noise = [[f"noise of {name}", f"{value:.4g}", "", "", "", ""] for name, value in fit.noise.items()]
    return table(("unknown", "value", "standard error", "95 % interval", "unit", "error"), rows + noise, "numbers")


def _lost(fit: Fit) -> str:
    return table(("combination",), [[str(one)] for one in fit.unidentifiable])


def _correlations(fit: Fit) -> str:
    pairs = sorted(fit.correlation.items(), key=lambda one: -abs(one[1]))
    rows = [[a, b, f"{value:+.3f}"] for (a, b), value in pairs if abs(value) > CORRELATED or len(pairs) <= 6]
    if not rows and pairs:
        return f"<p>The largest is {pairs[0][1]:+.3f}, of {escape(pairs[0][0][0])} and {escape(pairs[0][0][1])}.</p>"
    return table(("", "", "correlation"), rows)


def _records(fit: Fit) -> str:
    rows = [
        [
            one.record,
            one.name,
            "kept apart" if one in fit.validation else "fitted",
            f"{len(one.time):,}",
            f"{one.rms:.3g} {one.channel.unit}".strip(),
            f"{100.0 * one.explained:.2f} %",
            f"{one.whiteness.probability:.2g}",
        ]
        for one in (*fit.comparisons, *fit.validation)
    ]
    heads = ("record", "channel", "", "samples", "rms of what is left", "explained", "probability of white noise")
    return table(heads, rows, "numbers")


def _caption(one: Comparison, apart: bool) -> str:
    return f"{one.name}, {one.record}{', kept apart' if apart else ''}"


def _beside(one: Comparison) -> Chart:
    """Measured and fitted, each a line."""
    colours = line_colours(2)
    measured = PlotLine("", "measured", one.channel.unit, colours[0], one.time, np.asarray(one.channel.measured))
    fitted_line = PlotLine(
        "", "model", one.channel.unit, colours[1], one.time, np.asarray(one.channel.fitted), dash=[7, 4]
    )
    return Chart("", [measured, fitted_line])


def _left(one: Comparison) -> Chart:
    """Residuals over the noise."""
    return Chart(
        "", [PlotLine("", "over its noise", "1", line_colours(1)[0], one.time, np.asarray(one.channel.residuals))]
    )
