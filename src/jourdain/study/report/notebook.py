"""How runs and studies show themselves in a notebook: everything inside the cell, nothing from outside."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...basics.html_tables import html_table
from ...basics.markup import escape
from ..scenario.limits import judge
from . import tables as parts
from .run_report import ReplayScenes, fitted, placed_charts, wanted_charts, workbench
from .time_plots import with_limits
from .verdict import verdict

if TYPE_CHECKING:
    from ...model.model import Model
    from ...results.run import Run
    from ..sweeps.designs import Parameter
    from ..sweeps.study import Study

FRAMES = (400, 1200)
"""Most frames of the replay and samples of a line in a cell: a notebook keeps what it shows."""
HEIGHT = 640
"""Of the cell's window [px]."""


def run_html(run: Run) -> str:
    """Verdict, replay and plots in a window of their own, which may run its script and nothing else."""
    title = str(parts.scenario_of(run).get("name") or run.model.name)
    judged = judge(run)
    found = parts.moments(run, judged)
    groups = [(caption, [with_limits(one, judged) for one in made]) for caption, made in wanted_charts(run)]
    replay = ReplayScenes.of([(title, run)], parts.scenario_of(run).get("replay") or {}, found)
    body = [parts.header(run, title, "Jourdain run"), verdict(run, judged), workbench(replay, groups, found)]
    times = run.record.time
    facts = {"start": float(times[0]), "end": float(times[-1]), "moments": found, "worst": None}
    page = fitted(title, body, replay, placed_charts(groups, "plot"), facts, FRAMES)
    return (
        f'<iframe sandbox="allow-scripts" title="{escape(title)}" srcdoc="{escape(page)}" width="100%" '
        f'height="{HEIGHT}" style="border: 0; width: 100%; height: {HEIGHT}px"></iframe>'
    )


def model_html(model: Model) -> str:
    """Coordinates and velocities, with their units."""
    rows = [("q", name, unit) for name, unit in zip(model.names.q, model.units.q, strict=True)]
    rows += [("v", name, unit) for name, unit in zip(model.names.v, model.units.v, strict=True)]
    bodies = f"{len(model.bodies)} bod{'y' if len(model.bodies) == 1 else 'ies'}"
    return html_table(f"Model {model.name}: {bodies}, {model.nv} velocities", ("", "name", "unit"), rows)


def study_html(study: Study) -> str:
    """What is varied, and how."""
    rows = [(one.name or ", ".join(one.at), _values(one)) for one in study.parameters]
    return html_table(
        f"Study {study.name}: {study.task or 'many variants of a scenario'}", ("parameter", "values"), rows
    )


def _values(one: Parameter) -> str:
    if one.values is not None:
        return ", ".join(str(value) for value in one.values)
    if one.range is not None:
        return f"{one.range[0]:g} to {one.range[1]:g}" + (f", {one.count} values" if one.count else "")
    return f"normal, mean {one.normal[0]:g}, deviation {one.normal[1]:g}" if one.normal is not None else ""
