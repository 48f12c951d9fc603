"""The report of a study: how many succeed and how sure that is, where, what matters, and the worst to look at."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...basics.errors import JourdainError
from ...basics.markup import Markup, escape
from ..sweeps.criteria import MARGIN, SUCCESS
from ..sweeps.statistics import influences, ranked, rate, wilson
from ..sweeps.store import BAD, DONE, FAILED, UNTRUSTED, WAITING
from . import tables as parts
from .maps import cells, histogram_svg, map_svg, pairs, shown
from .page import heading, paragraphs, section, table, write_page
from .run_report import ReplayScenes, fitted, placed_charts, wanted_charts, workbench
from .time_plots import with_limits
from .verdict import banner

if TYPE_CHECKING:
    import xarray as xr

    from ...results.run import Run
    from ..sweeps.study import Study

WORST = 5
"""Worst variants that are listed first."""
MOST_CASES = 1200
CASES = "cases"
"""Lines of the list of cases."""
MOST_FAILURES = 60


def write_study_report(study: Study, data: xr.Dataset, path: str | Path) -> Path:
    """Write the report of a study: one page, with links to the replays that lie in `cases` beside it."""
    folder = Path(path).parent
    links = replays(folder, data)
    wanted = pairs(study, data)
    order = ranked(study, data)
    opened = [cell.variant for pair in wanted for cell in cells(study, data, *pair)]
    listed = list(dict.fromkeys([*order[:WORST], *opened, *order]))[:MOST_CASES]
    run, number = _first_replay(folder, order if study.search is None else [data.attrs.get("best"), *order], links)
    groups, found, replay = [], [], ReplayScenes([], [], {})
    if run is not None:
        from ..scenario.limits import judge

        judged = judge(run)
        groups = [(caption, [with_limits(chart, judged) for chart in made]) for caption, made in wanted_charts(run)]
        found = parts.moments(run, judged)
        title = f"variant {number}"
        replay = ReplayScenes.of([(title, run)], parts.scenario_of(run).get("replay") or {}, found)
    task = f'<section class="task">{paragraphs(study.task)}</section>' if study.task else ""
    body = [
        _header(study, data),
        _verdict(study, data),
        task,
        section(
            "The best found" if study.search is not None else f"The worst {WORST}", _worst(study, data, order, links)
        ),
        section(f"Replay of variant {number}", workbench(replay, groups, found)) if run is not None else "",
        section("Search", _search(study, data)),
        section("Maps", "".join(_maps(study, data, pair, links) for pair in wanted), "maps"),
        section(
            "Distributions",
            f'<div class="maps">{"".join(histogram_svg(data, one) for one in _measured(study, data))}</div>',
        ),
        section("Success by parameter", _rates(study, data)),
        section("Sensitivities", "".join(_influence(study, data, one) for one in _measured(study, data))),
        section("Score", _score(study, data)),
        section("Failures", _failures(study, data)),
        section("Cases", _cases(study, data, listed, links)),
        section("To reproduce", _reproduction(study, data)),
    ]
    times = run.record.time if run is not None else [0.0, 1.0]
    facts = {"start": float(times[0]), "end": float(times[-1]), "moments": found, "worst": None}
    return write_page(path, fitted(study.name, body, replay, placed_charts(groups, "plot"), facts))


def replays(folder: Path, data: xr.Dataset) -> dict[int, str]:
    """Addresses of the replays that are there, by variant, seen from the report."""
    known = {int(one) for one in data["variant"].values}
    found = {}
    for one in sorted((folder / CASES).glob("[0-9]*/report.html")):
        if one.parent.name.isdigit() and int(one.parent.name) in known:
            found[int(one.parent.name)] = f"{CASES}/{one.parent.name}/report.html"
    return found


def _first_replay(folder: Path, order: list[Any], links: dict[int, str]) -> tuple[Run | None, int]:
    """The run of the first of some variants that has one."""
    from ...results.load import load

    for number in order[:WORST]:
        if number in links:
            try:
                return load(folder / Path(links[number]).parent / "run.nc"), int(number)
            except (JourdainError, OSError):
                continue
    return None, 0


def _header(study: Study, data: xr.Dataset) -> str:
    ran = int((data["status"] != WAITING).sum())
    kind = "search" if study.search is not None else f"{study.design.method} design" if study.design else ""
    about = f"{ran} of {study.size} variants · {len(study.parameters)} parameters · {kind}"
    return heading("Jourdain study", study.name, about)


def _verdict(study: Study, data: xr.Dataset) -> str:
    status = data["status"].values
    failed, ran = int(np.sum(status == FAILED)), int(np.sum(status != WAITING))
    untrusted = int(np.sum(status == UNTRUSTED))
    words = []
    if study.limits and ran:
        share = rate(data)
        head = f"{share.successes} of {share.trials} variants keep every limit: {share.rate:.1%}"
        words.append(f"Between {share.low:.1%} and {share.high:.1%} with 95 % confidence (Wilson).")
        seal = f"{share.rate:.0%}"
        kind = "pass" if share.successes == share.trials else "fail" if not share.successes else "none"
    else:
        head, seal, kind = f"{ran} variants were run", "Done", "none"
    if failed:
        words.append(f"{failed} failed and count as no success; their reasons are below.")
    if untrusted:
        words.append(f"{untrusted} are not trusted, for the reasons that are told of each, and count as no success.")
    if ran < study.size and study.search is None:
        words.append(f"{study.size - ran} are not run yet: give the command again.")
    detail = f"<p>{escape(' '.join(words))}</p>" if words else ""
    return banner(kind, seal, head, detail)


def _values(study: Study, one: Any) -> list[str]:
    out = []
    for parameter in study.parameters:
        value = one[parameter.name].item()
        out.append(f"{value:.5g}" if isinstance(value, float) else str(value))
    return out


def _measured(study: Study, data: xr.Dataset) -> list[str]:
    """Shown variables that are more than yes or no."""
    names = [one for one in shown(study) if one != SUCCESS]
    if study.limits and MARGIN not in names:
        names.append(MARGIN)
    return [one for one in names if np.any(np.isfinite(np.asarray(data[one].values, float)))]


def _worst(study: Study, data: xr.Dataset, order: list[int], links: dict[int, str]) -> str:
    if study.search is not None:
        cost = data["cost"].values
        order = [int(data["variant"].values[i]) for i in np.argsort(cost, kind="stable") if math.isfinite(cost[i])]
    return _table(study, data, order[:WORST], links, anchors=False)


def _table(study: Study, data: xr.Dataset, numbers: list[int], links: dict[int, str], anchors: bool) -> str:
    names = [one for one in shown(study) if one in data]
    at = {int(n): i for i, n in enumerate(data["variant"].values)}
    rows = []
    for number in numbers:
        one = data.isel(variant=at[number])
        label = escape(str(number))
        mark = Markup(f'<span id="case-{number}">{label}</span>' if anchors else label)
        to = Markup(f'<a href="{escape(links[number], quote=True)}">replay</a>') if number in links else ""
        cells_ = [_number(one[name].item(), name, str(data[name].attrs.get("units", ""))) for name in names]
        if one["status"].item() == FAILED:
            cells_ = ["failed", *([""] * (len(names) - 1))]
        elif one["status"].item() == UNTRUSTED:
            cells_[0] = "not trusted"
        rows.append([mark, *_values(study, one), *cells_, to, Markup(f"<code>{escape(study.command(number))}</code>")])
    heads = ("variant", *(one.name for one in study.parameters), *names, "", "command")
    return table(heads, rows)


def _number(value: Any, name: str, unit: str) -> str:
    if name == SUCCESS:
        return "yes" if value else "no"
    return f"{value:.5g} {unit}".strip() if isinstance(value, int | float) and math.isfinite(value) else "–"


def _maps(study: Study, data: xr.Dataset, pair: tuple[str, str], links: dict[int, str]) -> str:
    drawn = "".join(map_svg(study, data, *pair, name, links) for name in shown(study) if name in data)
    text = "Means over the variants of a cell; a cell opens its worst variant: its replay, or its line under Cases."
    return (
        f"<h3>{escape(pair[0])} and {escape(pair[1])}</h3>"
        f'<p class="about">{text} The command is shown when you point at it.</p><div class="maps">{drawn}</div>'
    )


def _rates(study: Study, data: xr.Dataset) -> str:
    """Success rates at every value of the listed parameters, with their intervals."""
    if not study.limits:
        return ""
    out = []
    ran = data["status"].values != WAITING
    for one in study.parameters:
        if one.choices is None or len(one.choices) > 24:
            continue
        rows = []
        values = data[one.name].values
        for value in dict.fromkeys(values[ran].tolist()):
            inside = ran & (values == value)
            share = wilson(int(np.sum(data["success"].values[inside])), int(np.sum(inside)))
            bar = f'<progress class="pass" max="100" value="{round(100 * share.rate)}"></progress>'
            label = f"{value:.5g}" if isinstance(value, float) else str(value)
            text = f"{share.rate:.1%} ({share.low:.1%} to {share.high:.1%})"
            rows.append([label, Markup(f"{escape(text)} {bar}"), f"{share.successes} of {share.trials}"])
        out.append(table((one.name, "success, with 95 % confidence", ""), rows))
    return "".join(out)


def _influence(study: Study, data: xr.Dataset, name: str) -> str:
    found = influences(study, data, name)
    if not found or all(math.isnan(one.rank) for one in found.values()):
        return ""
    first = any(not math.isnan(one.first) for one in found.values())
    total = any(not math.isnan(one.total) for one in found.values())
    heads = ["parameter", "rank correlation", "standardised regression"]
    heads += ["first-order Sobol index"] * first + ["total Sobol index"] * total
    rows = []
    for parameter, one in sorted(found.items(), key=lambda item: -abs(np.nan_to_num(item[1].rank))):
        numbers = [one.rank, one.regression, *([one.first] * first), *([one.total] * total)]
        rows.append([parameter, *("–" if math.isnan(x) else f"{x:+.3f}" for x in numbers)])
    return f"<h3>{escape(name)}</h3>" + table(heads, rows)


def _search(study: Study, data: xr.Dataset) -> str:
    """The best so far, generation by generation."""
    if study.search is None:
        return ""
    rows, best = [], math.inf
    for number in dict.fromkeys(data["generation"].values.tolist()):
        inside = data["generation"].values == number
        costs = data["cost"].values[inside]
        known = costs[np.isfinite(costs)]
        best = min(best, float(known.min())) if len(known) else best
        mean = f"{known.mean():.5g}" if len(known) else "–"
        rows.append([str(number), f"{best:.6g}", mean, str(int(np.sum(~np.isfinite(costs))))])
    words = " + ".join(f"{weight:g} x {name}" for name, weight in study.search.weights.items())
    return f'<p class="about">Cost: {escape(words)}</p>' + table(("generation", "best so far", "mean", "failed"), rows)


def _score(study: Study, data: xr.Dataset) -> str:
    if study.score is None or "score" not in data:
        return ""
    from ..sweeps.scoring import leaves

    weights = [[leaf.path or str(leaf.spec["variable"]), f"{leaf.weight:.4f}"] for leaf in leaves(study.score)]
    order = sorted((int(rank), i) for i, rank in enumerate(data["rank"].values) if rank)[:10]
    rows = []
    for rank, i in order:
        one = data.isel(variant=i)
        number = int(one["variant"])
        rows.append([str(rank), str(number), *_values(study, one), f"{float(one['score']):.4f}",
                     Markup(f"<code>{escape(study.command(number))}</code>")])  # fmt: skip
    rejected = int(np.sum(data["rank"].values == 0))
    note = f'<p class="about">{rejected} variants failed or were rejected, and have no score.</p>' if rejected else ""
    heads = ("rank", "variant", *(one.name for one in study.parameters), "score", "command")
    return table(("goal", "weight"), weights) + note + table(heads, rows)


def _failures(study: Study, data: xr.Dataset) -> str:
    bad = np.flatnonzero(np.isin(data["status"].values, BAD))
    rows = []
    for i in bad[:MOST_FAILURES]:
        one = data.isel(variant=int(i))
        rows.append([str(int(one["variant"])), *_values(study, one), str(one["reason"].item())])
    more = f'<p class="about">{len(bad) - MOST_FAILURES} more.</p>' if len(bad) > MOST_FAILURES else ""
    return table(("variant", *(one.name for one in study.parameters), "reason"), rows) + more


def _cases(study: Study, data: xr.Dataset, numbers: list[int], links: dict[int, str]) -> str:
    rest = int(np.sum(data["status"].values != WAITING)) - len(numbers)
    more = f'<p class="about">{rest} more are in results.zarr.</p>' if rest > 0 else ""
    return _table(study, data, numbers, links, anchors=True) + more


def _reproduction(study: Study, data: xr.Dataset) -> str:
    from ...results.metadata import installed_versions

    name = "STUDY.yaml" if study.path is None else study.path.name
    facts = [["command", f"jourdain sweep {name}"], ["study hash", study.hash]]
    facts += [["variants done", str(int(np.sum(data["status"].values == DONE)))]]
    facts += [[key, str(value)] for key, value in installed_versions().items()]
    sources = ""
    if study.bundle is not None:
        for file, raw in study.bundle.files.items():
            if file.endswith((".yaml", ".yml")):
                text = raw.decode("utf-8", "replace")
                sources += f"<details><summary>{escape(file)}</summary><pre>{escape(text)}</pre></details>"
    return table(("software", ""), facts) + sources
