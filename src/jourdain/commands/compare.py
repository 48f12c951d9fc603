"""`jourdain compare`: runs side by side in one report, or a run beside what was measured."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .completion import run_files
from .exits import epilogue, print_json

if TYPE_CHECKING:
    from ..results.run import Run

EPILOGUE = epilogue(
    "jourdain compare out/reach/run.nc out/reach-soft-gains/run.nc",
    "jourdain compare before.nc after.nc --out gains.html",
    "jourdain compare out/reach/run.nc measured.csv --map map.yaml",
    notes=(
        "The first run is the one that the others are compared with; there may be more than two. A run that was",
        "interrupted or killed can be compared too, as far as it came.",
        "A log (.csv, .parquet, .mcap) behind a run is compared with it; a map says which column is which quantity:",
        "time: t, elbow: q1, or elbow: {column: q1, unit: deg, gain: 1, offset: 0, delay: 0.01}.",
    ),
)


def compare(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="A.nc B.nc ...", help="Run files, two or more; or one and logs.", autocompletion=run_files
        ),
    ],
    out: Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="The page to write.")] = Path(
        "comparison.html"
    ),
    names: Annotated[
        Path | None, typer.Option("--map", metavar="FILE", help="Which column of a log is which quantity (YAML).")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object on stdout, text on stderr.")] = False,
) -> None:
    """Show runs, or a run and measurements, side by side in a page."""
    from ..basics.storage import make_folder
    from ..results.load import load
    from ..study.fit.logs import is_log
    from ..study.progress import ProgressReporter, gathered_warnings
    from ..study.report.comparison import write_comparison

    if len(files) < 2:
        raise typer.BadParameter("give two run files or more, or a run file and a log", param_hint="A.nc B.nc ...")
    if any(map(is_log, files)):
        _with_logs(files, out, names, as_json)
        return
    if names is not None:
        raise typer.BadParameter(
            "a map is for logs, .csv, .parquet or .mcap; all files here are runs", param_hint="--map"
        )
    with gathered_warnings(ProgressReporter()) as found:
        runs = {name: load(path) for name, path in zip(labels(files), files, strict=True)}
        make_folder(out.parent)
        path = write_comparison(runs, out)
    if as_json:
        verdicts = {name: verdict(run) for name, run in runs.items()}
        print_json({"runs": verdicts, "warnings": found, "files": {"report": str(path)}, "exit_code": 0})
        return
    for line in table(runs):
        typer.echo(line)
    typer.echo(path)


def _with_logs(files: list[Path], out: Path, names: Path | None, as_json: bool) -> None:
    """A run beside logs."""
    from ..basics.storage import make_folder
    from ..results.load import load
    from ..study.fit.logs import is_log, read_log
    from ..study.report.log_comparison import distances, write_log_comparison

    runs = [path for path in files if not is_log(path)]
    if len(runs) != 1:
        raise typer.BadParameter(
            f"give one run file beside the logs; there are {len(runs)}", param_hint="A.nc B.csv ..."
        )
    called = dict(zip(files, labels(files), strict=True))
    run = load(runs[0])
    logs = {called[path]: read_log(path, names) for path in files if is_log(path)}
    found = {name: distances(run, log) for name, log in logs.items()}
    make_folder(out.parent)
    path = write_log_comparison(run, logs, out, called[runs[0]])
    if as_json:
        stated = {name: [one.to_dict() for one in many] for name, many in found.items()}
        print_json({"run": verdict(run), "logs": stated, "files": {"report": str(path)}, "exit_code": 0})
        return
    for name, many in found.items():
        typer.echo(name)
        width = max(len(one.quantity) for one in many)
        for one in many:
            share = f", {100.0 * one.share:.3g} % of its spread" if one.share == one.share else ""
            lag = f", lags by {1e3 * one.delay:.3g} ms" if one.delay == one.delay else ""
            largest = f"largest {one.largest:.4g} at {one.time:.4g} s"
            typer.echo(f"  {one.quantity:<{width}}  rms {one.rms:.4g} {one.unit}{share}; {largest}{lag}")
    typer.echo(path)


def labels(files: list[Path]) -> list[str]:
    """Names that distinguish files: what is left of their paths without what all share at both ends."""
    parts = [path.resolve().with_suffix("").parts for path in files]
    first = len(os.path.commonprefix(parts))
    last = len(os.path.commonprefix([part[: first - 1 : -1] if first else part[::-1] for part in parts]))
    short = ["/".join(part[first : len(part) - last]) or str(path) for part, path in zip(parts, files, strict=True)]
    letters = [chr(ord("A") + i) if i < 26 else str(i) for i in range(len(files))]
    return [name if short.count(name) == 1 else f"{name} ({x})" for name, x in zip(short, letters, strict=True)]


def verdict(run: Run) -> dict[str, Any]:
    """What a run file says of itself."""
    from ..study.scenario.limits import judge

    stated = run.options.get("scenario") or {}
    return {
        "file": str(run.path),
        "scenario": stated.get("name"),
        "variant": stated.get("variant") or None,
        "partial": run.partial,
        "simulated": [float(run.record.time[0]), float(run.record.time[-1])],
        "limits": [one.to_dict() for one in judge(run)],
    }


def table(runs: dict[str, Run]) -> list[str]:
    """Every limit, with its value in each run, as `jourdain run` prints them."""
    from ..study.report.verdict import bound_text
    from ..study.scenario.limits import judge
    from .run import mark, value

    width = max(map(len, runs))
    judged = {name: {one.limit.name: one for one in judge(run)} for name, run in runs.items()}
    lines = []
    for limit in dict.fromkeys(limit for many in judged.values() for limit in many):
        lines.append(limit)
        for name, many in judged.items():
            if limit in many:
                one = many[limit]
                lines.append(f"  {name:<{width}}  {mark(one)}  {value(one)}; {bound_text(one.limit, one.unit)}")
    return lines + [
        f"{name} is a part of a run, up to {run.record.time[-1]:.6g} s" for name, run in runs.items() if run.partial
    ]
