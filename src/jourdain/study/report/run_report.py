"""A run as one self-contained HTML page: the verdict first, then the replay with its plots, and how to reproduce it.

The page opens from a file, with no server; see `jourdain.study.report.page` for what it may and may not do.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...basics.errors import JourdainError
from ...basics.markup import Markup, escape
from ...view.packing import Packer, pack_scene
from ...view.sampling import turning_samples
from ...view.scene import Scene, scene
from ...view.staging import stage, visible
from ...view.stills import chart_svg, data_address, figure_svg, scene_png
from ..scenario.limits import Judgement, judge, tightest
from . import tables as parts
from .page import LARGEST, page, paragraphs, section, write_page
from .time_plots import (
    GHOST_COLOURS,
    Chart,
    PlotLine,
    charts,
    common,
    default_charts,
    energy_charts,
    pack_chart,
    page_times,
    with_ghosts,
    with_limits,
)
from .verdict import limit_table, verdict

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from ...results.run import Run

FULL = (1500, 4000)
"""Most frames of the replay, and most samples of a line, of a page that is not too large with them."""
_COARSER = 0.6
_TURNS = 300
"""Touchdowns, peaks and ends of contact that a page keeps in any case, the largest first."""
_FEWEST = (60, 200)


def write_report(
    run: Run,
    path: str | Path,
    title: str | None = None,
    figures: Mapping[str, Figure | str | Sequence[str]] | None = None,
    notes: str | Iterable[str] = (),
    ghosts: Mapping[str, Run] | None = None,
    judgements: Sequence[Judgement] | None = None,
    warnings: Iterable[str] = (),
) -> Path:
    """Write the report of a run: report.html, under 5 MB, with a moving replay and plots that zoom.

    title         None: the scenario's name, or the system's
    figures       caption -> a matplotlib Figure, or what `run.plot` takes as one name or several panels; None: those
                  of the scenario, or else coordinates, efforts and contact forces. The energy is always there
    notes         paragraphs of plain text
    ghosts        label -> another run that is shown with it: translucent in the replay, dashed in the plots
    judgements    of the acceptance limits; None: `jourdain.study.scenario.limits.judge` makes them
    warnings      lines of plain text
    """
    scenario = parts.scenario_of(run)
    title = title if title is not None else str(scenario.get("name") or run.model.name)
    ghosts = dict(ghosts or {})
    judged = list(judgements) if judgements is not None else judge(run)
    drawn, pictures = _wanted(run, figures)
    groups = [(caption, [with_ghosts(with_limits(c, judged), ghosts) for c in made]) for caption, made in drawn]
    found = parts.moments(run, judged)
    replay = ReplayScenes.of([(title, run), *ghosts.items()], scenario.get("replay") or {}, found)
    text = [notes] if isinstance(notes, str) else list(notes)
    worst = tightest(judged)
    words = paragraphs(str(scenario.get("task") or "")) + "".join(f"<p>{escape(one)}</p>" for one in text)
    task = f'<section class="task">{words}</section>' if words else ""
    head = [parts.header(run, title, "Jourdain run"), verdict(run, judged), parts.warning_box(warnings), task]
    rest = [
        parts.key_numbers(run),
        pictures,
        section("Energy", plot_places([("", energy_charts(run))], "energy"), "energies"),
        section("Frequencies", parts.modes(run)),
        section("Events", parts.events(run)),
        section("Contacts", parts.contacts(run)),
        section("Peaks", parts.peaks(run)),
        section("End state", parts.end_state(run)),
        section("System", parts.system(run.model.description)),
        section("To reproduce", parts.reproduction(run)),
    ]
    body = [*head, workbench(replay, groups, found), section("Limits", limit_table(judged), "limits"), *rest]
    placed = [*placed_charts(groups, "plot"), *placed_charts([("", energy_charts(run))], "energy")]
    times = run.record.time
    facts = {"start": float(times[0]), "end": float(times[-1]), "moments": found, "worst": _known(worst)}
    return write_page(path, fitted(title, body, replay, placed, facts))


def _known(worst: Judgement | None) -> float | None:
    """The time of the limit that decides [s]; None where there is none."""
    return worst.time if worst is not None and math.isfinite(worst.time) else None


@dataclass
class ReplayScenes:
    """The moving picture of one run or more, before it is packed.

    runs       with their labels, the one that is shown solid first
    scenes     of the runs, or the reason why there are none
    staged     how they are looked at
    moments    times worth a look, which get pictures of their own [s]
    """

    runs: list[tuple[str, Run]]
    scenes: list[Scene]
    staged: dict[str, Any]
    reason: str = ""
    still: str = ""
    moments: list[float] = field(default_factory=list)

    @classmethod
    def of(
        cls, runs: Sequence[tuple[str, Run]], settings: Mapping[str, Any], found: Sequence[Mapping[str, Any]]
    ) -> ReplayScenes:
        """The replay of runs with a scenario's settings; its still picture is of the last of the moments found."""
        replay = cls(list(runs), [], {})
        try:
            replay.moments = [float(one["time"]) for one in found]
            replay.scenes = [visible(scene(run, limit=FULL[0], also=replay.moments)) for _, run in runs]
        except JourdainError as error:
            replay.reason = str(error)
            return replay
        replay.staged = stage(replay.scenes, settings)
        time = replay.scenes[0].time
        when = found[-1]["time"] if found else float(time[-1])
        sample = min(int(time.searchsorted(when)), len(time) - 1)
        replay.still = data_address(scene_png(replay.scenes[0], replay.staged, sample), "png")
        return replay

    def forces(self) -> list[PlotLine]:
        """The sizes of the contact forces that it shows."""
        return [
            PlotLine("", arrow.name, "N", "", arrow.time, np.linalg.norm(np.nan_to_num(arrow.force), axis=1))
            for one in self.scenes
            for arrow in one.arrows
        ]

    def turns(self) -> list[float]:
        """Times that its numbers must have: moments, touchdowns and peaks [s]."""
        runs = [run for _, run in self.runs] if self.scenes else []
        return [*self.moments, *(float(run.record.time[i]) for run in runs for i in turning_samples(run)[:_TURNS])]

    def pack(self, packer: Packer, frames: int, samples: np.ndarray) -> list[dict[str, Any]]:
        """The scenes with at most so many frames, their forces at the samples of the page [s]."""
        packed = []
        for i, (label, run) in enumerate(self.runs if self.scenes else ()):
            full = self.scenes[i]
            shown = full if len(full.time) <= frames else visible(scene(run, limit=frames, also=self.moments))
            tint = GHOST_COLOURS[(i - 1) % len(GHOST_COLOURS)] if i else None
            where = {frame.name: int(frame.bone) for frame in shown.frames}
            contacts = run.model.description.get("contacts", [])
            carriers = {one["name"]: where.get(one["first"]["address"], -1) for one in contacts}
            packed.append(
                pack_scene(
                    shown,
                    packer,
                    self.staged["size"],
                    name=label,
                    ghost=i > 0,
                    tint=tint,
                    carriers=carriers,
                    samples=samples,
                )
            )
        return packed


def fitted(
    title: str,
    body: Sequence[str],
    replay: ReplayScenes,
    placed: Sequence[tuple[str, Chart]],
    facts: dict[str, Any],
    most: tuple[int, int] = FULL,
) -> str:
    """The page, with as many frames and samples as it can hold, but no more than `most`."""
    frames = min(most[0], max([len(one.time) for one in replay.scenes], default=most[0]))
    frames, samples = max(frames, _FEWEST[0]), most[1]
    while True:
        packer = Packer()
        drawn = [line for _, chart in placed for line in chart.lines] + replay.forces()
        time = page_times(drawn, samples, replay.turns()) if drawn else np.zeros(1)
        data = facts | {
            "format": 1,
            "replay": replay.staged,
            "scenes": replay.pack(packer, frames, time),
            "plots": [pack_chart(chart, place, packer, time) for place, chart in placed],
        }
        text = page(title, body, data, packer.text())
        if len(text.encode("utf-8", "replace")) <= LARGEST or (frames, samples) == _FEWEST:
            return text
        frames, samples = (max(int(_COARSER * n), few) for n, few in zip((frames, samples), _FEWEST))


def workbench(
    replay: ReplayScenes, groups: Sequence[tuple[str, Sequence[Chart]]], found: Sequence[dict[str, Any]]
) -> str:
    """The replay and the plots beside each other: one clock moves both."""
    still = f'<img id="still" alt="Still picture of the scene" src="{replay.still}">' if replay.still else ""
    none = f'<p class="about">No replay: {escape(replay.reason)}</p>' if replay.reason else ""
    lines = (
        '<p id="no-webgl" class="about" hidden>This browser has no WebGL: a still picture stands in for the replay.</p>'
        '<noscript><p class="about">Scripts are off: pictures stand in for the replay and the plots.</p></noscript>'
    )
    place = f'<div id="stage">{still}</div>' if still else '<div id="stage" hidden></div>'
    figure = f'<div class="replay">{place}{none}{lines}<div id="controls"></div>{parts.moment_list(found)}</div>'
    plots = f'<div class="plots">{plot_places(groups, "plot")}</div>' if groups else ""
    return f'<section class="workbench" id="workbench">{figure}{plots}</section>'


def placed_charts(groups: Sequence[tuple[str, Sequence[Chart]]], prefix: str) -> list[tuple[str, Chart]]:
    """Every plot with the element that it goes to."""
    flat = [chart for _, made in groups for chart in made]
    return [(f"{prefix}-{i}", chart) for i, chart in enumerate(flat)]


def plot_places(groups: Sequence[tuple[str, Sequence[Chart]]], prefix: str) -> str:
    """The elements of the plots: each holds a small drawing until the script puts the plot in its place."""
    out, count = [], 0
    for caption, made in groups:
        if caption:
            out.append(f"<h3>{escape(caption)}{_unit(made[0]) if len(made) == 1 else ''}</h3>")
        for chart in made:
            time, values = common(chart.lines, 300)
            lines = [(line.label, line.colour, y) for line, y in zip(chart.lines, values)]
            drawn = data_address(chart_svg(time, lines, chart.unit).encode("utf-8", "replace"), "svg+xml")
            name = chart.title or caption
            head = f"<figcaption>{escape(chart.title)}{_unit(chart)}</figcaption>" if chart.title else ""
            if not chart.title and len(made) > 1:
                head = f"<figcaption>{_unit(chart)}</figcaption>"
            image = f'<img alt="{escape(name)}" src="{drawn}">'
            out.append(f'<figure class="plot">{head}<div id="{prefix}-{count}" class="chart">{image}</div></figure>')
            count += 1
    return "".join(out)


def _unit(chart: Chart) -> str:
    return Markup(f' <span class="unit">[{escape(chart.unit or "SI")}]</span>')


def wanted_charts(run: Run) -> list[tuple[str, list[Chart]]]:
    """The plots that a run's scenario asks for, or else the usual ones."""
    stated = parts.scenario_of(run).get("figures") or []
    if not stated:
        return default_charts(run)
    return charts(run, {str(one["title"]): [list(one["quantities"])] for one in stated})


def _wanted(
    run: Run, figures: Mapping[str, Figure | str | Sequence[str]] | None
) -> tuple[list[tuple[str, list[Chart]]], str]:
    """The plots asked for, and the markup of pictures that were given ready."""
    if figures is None:
        return wanted_charts(run), ""
    ready: dict[str, Any] = {caption: one for caption, one in figures.items() if hasattr(one, "savefig")}
    names: dict[str, Sequence[str | Sequence[str]]] = {}
    for caption, one in figures.items():
        if caption not in ready:
            names[caption] = [one] if isinstance(one, str) else list(one)  # type: ignore[arg-type]
    markup = "".join(
        f'<figure><img class="paper" alt="{escape(caption)}" src="{figure_svg(one)}">'
        f"<figcaption>{escape(caption)}</figcaption></figure>"
        for caption, one in ready.items()
    )
    made = charts(run, names) if names else default_charts(run) if ready else []
    return made, section("Figures", markup)
