"""Runs side by side in one page: verdicts, limits, plots and replays over each other, and what was changed."""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...basics.errors import JourdainError
from ...basics.markup import Markup, escape
from ...basics.storage import plain
from ..scenario.limits import Judgement, judge
from . import tables as parts
from .page import heading, jump, section, table, write_page
from .run_report import ReplayScenes, fitted, placed_charts, plot_places, wanted_charts, workbench
from .time_plots import Chart, PlotLine, with_ghosts, with_limits
from .verdict import bound_text, margin_text, mark_text, value_text, verdict

if TYPE_CHECKING:
    from ...results.run import Run


def write_comparison(runs: Mapping[str, Run], path: str | Path) -> Path:
    """Write a page that compares two runs or more; the first is the one that the others are compared with.

    runs    by the labels that they have in the page
    """
    if len(runs) < 2:
        raise JourdainError(f"a comparison needs two runs or more; got {len(runs)}")
    labels = list(runs)
    first = runs[labels[0]]
    others = {label: runs[label] for label in labels[1:]}
    judged = {label: judge(run) for label, run in runs.items()}
    groups = [
        (caption, [_overlaid(with_limits(chart, judged[labels[0]]), labels[0], others) for chart in made])
        for caption, made in wanted_charts(first)
    ]
    found = parts.moments(first, judged[labels[0]])
    settings = parts.scenario_of(first).get("replay") or {}
    replay = ReplayScenes.of(list(runs.items()), settings, found)
    energy = [("", _balances(runs))]
    title = " and ".join(labels)
    body = [
        heading("Jourdain comparison", title, " · ".join(dict.fromkeys(run.model.name for run in runs.values()))),
        f'<div class="verdicts">{"".join(_card(label, runs[label], judged[label]) for label in labels)}</div>',
        section("Limits", _limits(judged)),
        workbench(replay, groups, found),
        section("What differs", "".join(_differs(labels[0], first, label, run) for label, run in others.items())),
        section("Key numbers", _numbers(runs)),
        section("Energy", plot_places(energy, "energy"), "energies"),
        section("To reproduce", "".join(f"<h3>{escape(k)}</h3>{parts.reproduction(run)}" for k, run in runs.items())),
    ]
    times = [run.record.time for run in runs.values()]
    facts = {
        "start": float(min(time[0] for time in times)),
        "end": float(max(time[-1] for time in times)),
        "moments": found,
    }
    placed = [*placed_charts(groups, "plot"), *placed_charts(energy, "energy")]
    return write_page(path, fitted(title, body, replay, placed, facts))


def _overlaid(chart: Chart, label: str, others: Mapping[str, Run]) -> Chart:
    both = with_ghosts(chart, others)
    lines = [line if line.ghost else replace(line, label=f"{line.label} · {label}") for line in both.lines]
    return replace(both, lines=lines)


def _balances(runs: Mapping[str, Run]) -> list[Chart]:
    """Total energy and balance of every run."""
    from ...view.plots import line_colours

    out = []
    for term, words in (("total", "Total energy"), ("balance", "Balance: total − initial − work + dissipated")):
        lines = [
            PlotLine("", label, "J", colour, run.record.time, run.channels.energy.column(term))
            for (label, run), colour in zip(runs.items(), line_colours(len(runs)))
        ]
        out.append(Chart(words, lines))
    return out


def _card(label: str, run: Run, judgements: Sequence[Judgement]) -> str:
    return f'<div><p class="kind">{escape(label)}</p>{verdict(run, judgements)}</div>'


def _limits(judged: Mapping[str, Sequence[Judgement]]) -> str:
    """Every limit of any run, with the values of all, and how the last compares with the first."""
    labels = list(judged)
    names = dict.fromkeys(one.limit.name for many in judged.values() for one in many)
    rows = []
    for name in names:
        mine = [next((one for one in judged[label] if one.limit.name == name), None) for label in labels]
        allowed = dict.fromkeys(bound_text(one.limit, one.unit) for one in mine if one)
        rows.append([name, "; ".join(allowed), *(_verdict_cell(one) for one in mine), _change(mine[0], mine[-1])])
    return table(("limit", "allowed", *labels, "change"), rows, "limits compared")


def _verdict_cell(one: Judgement | None) -> str:
    if one is None:
        return "no such limit"
    at = f" at {jump(one.time)}" if math.isfinite(one.time) else ""
    return Markup(
        f"{mark_text(one)} {escape(value_text(one))}{at}"
        f"<br><small>margin {margin_text(one)}{escape('; ' + one.note if one.note else '')}</small>"
    )


def _change(first: Judgement | None, last: Judgement | None) -> str:
    """How the margin changed: more of it is better."""
    if first is None or last is None or not (math.isfinite(first.margin) and math.isfinite(last.margin)):
        return ""
    more, unit = last.limit.shown(last.value - first.value), last.limit.unit or last.unit
    value = f"{more:+.4g} {unit}".strip() if math.isfinite(more) else ""
    more = 100.0 * (last.margin - first.margin)
    kind = "better" if more > 0.05 else "worse" if more < -0.05 else "same"
    words = f"margin {more:+.1f} points: {kind}" if kind != "same" else "same"
    return Markup(f'{escape(value)}<br><small class="{kind}">{escape(words.replace("-", "−"))}</small>')


def _differs(label: str, first: Run, other: str, run: Run) -> str:
    rows = [list(row) for row in differences(first, run)]
    head = f"<h3>{escape(label)} and {escape(other)}</h3>"
    text = text_difference(first, run)
    diff = f"<details><summary>Lines of the scenario files</summary><pre>{escape(text)}</pre></details>" if text else ""
    same = '<p class="about">Nothing in the system, the scenario or the options.</p>'
    return head + (table(("address", label, other), rows) or same) + diff


def _numbers(runs: Mapping[str, Run]) -> str:
    rows: list[list[str]] = [
        ["simulated time", *(f"{run.duration:g} s" for run in runs.values())],
        ["samples", *(f"{len(run):,}" for run in runs.values())],
        ["method", *(str(run.options.get("method") or "") for run in runs.values())],
        [
            "energy balance",
            *(f"{run.channels.energy.error:.1e} of {run.channels.energy.scale:.3g} J" for run in runs.values()),
        ],
    ]
    for words, kind in (("fastest", "v"), ("largest effort", "effort")):
        tops = [
            {unit: (value, name, when) for unit, name, value, when in parts.largest(getattr(run.channels, kind))}
            for run in runs.values()
        ]
        for unit in dict.fromkeys(unit for top in tops for unit in top):
            cells = [_peak_cell(top[unit], unit) if unit in top else "" for top in tops]
            rows.append([f"{words} [{unit or 'SI'}]", *cells])
    return table(("", *runs), rows)


def _peak_cell(top: tuple[float, str, float], unit: str) -> str:
    value, name, when = top
    return Markup(f"{value:.4g} {escape(unit)}, <bdi>{escape(name)}</bdi> at {jump(when)}")


_DEEPEST = 12
_FEW = 5
"""Entries of one list that are told one by one."""
_ENTRY = re.compile(r"\[\d+\]$")
_SHORT = 9
"""A list longer than this is compared entry by entry."""
_FOLLOWS = ("z_names", "events", "scenario", "command")
"""Options that follow from others, or are told elsewhere."""
ABSENT = "–"
"""What stands for a value that one of two does not have."""


def differences(first: Run, second: Run) -> list[tuple[str, str, str]]:
    """(address, value of the first, value of the second) of everything that is not the same."""
    one, other = (dict(_stated(run)) for run in (first, second))
    found: dict[str, list[tuple[str, str, str]]] = {}
    for address in dict.fromkeys((*one, *other)):
        a, b = one.get(address, ABSENT), other.get(address, ABSENT)
        if a != b:
            found.setdefault(_ENTRY.sub("", address), []).append((address, a, b))
    out = []
    for base, rows in found.items():
        if len(rows) > _FEW:
            a, b = (f"{sum(_ENTRY.sub('', address) == base for address in stated)} entries" for stated in (one, other))
            rows = [(f"{base}: {len(rows)} entries", a, b)]
        out += rows
    return out


def text_difference(first: Run, second: Run) -> str:
    """The two scenario files as a unified diff; "" where they are the same or one is missing."""
    one, other = (str((run.options.get("scenario") or {}).get("text") or "") for run in (first, second))
    if not one or not other or one == other:
        return ""
    lines = difflib.unified_diff(one.splitlines(), other.splitlines(), lineterm="", n=2)
    return "\n".join(list(lines)[2:])


def _stated(run: Run) -> Iterator[tuple[str, str]]:
    scenario = run.options.get("scenario")
    if isinstance(scenario, dict):
        yield "scenario.name", str(scenario.get("name"))
        yield "scenario.variant", str(scenario.get("variant") or ABSENT)
        for address, value in (scenario.get("overrides") or {}).items():
            yield from _leaves(value, f"changed: {address}", 0)
        for part in ("limits", "replay", "files"):
            yield from _leaves(scenario.get(part), f"scenario.{part}", 0)
    for key, value in plain(run.options).items():
        if key not in _FOLLOWS:
            yield from _leaves(value, f"options.{key}", 0)
    yield from _leaves(plain(run.model.description), "", 0)


def _leaves(value: Any, address: str, depth: int) -> Iterator[tuple[str, str]]:
    """(address, text) of every value in a description; items of lists go by their names, where they have one."""
    if isinstance(value, dict) and depth < _DEEPEST:
        for key, item in value.items():
            yield from _leaves(item, f"{address}.{key}" if address else str(key), depth + 1)
    elif isinstance(value, list) and depth < _DEEPEST and value and all(isinstance(item, dict) for item in value):
        for i, item in enumerate(value):
            name = item.get("name") or (item.get("body") or {}).get("name") if isinstance(item, dict) else None
            yield from _leaves(item, f"{address}[{name if isinstance(name, str) else i}]", depth + 1)
    elif isinstance(value, list) and len(value) > _SHORT and depth < _DEEPEST:
        for i, item in enumerate(value):
            yield from _leaves(item, f"{address}[{i}]", depth + 1)
    elif value is not None:
        text = f"{value:.9g}" if isinstance(value, float) else str(value)
        yield address, text if len(text) <= 200 else text[:197] + "..."
