"""`jourdain sweep`: many variants of a scenario, on all cores, with a report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .completion import scenario_files
from .exits import Exit, complain, epilogue, print_json

if TYPE_CHECKING:
    import xarray as xr

    from ..study.sweeps.run_study import SweepOutcome

EXITS = {
    "done": Exit.DONE,
    "failures": Exit.SIMULATION,
    "untrusted": Exit.UNTRUSTED,
    "interrupted": Exit.INTERRUPTED,
    "unwritten": Exit.WRITING,
}
EPILOGUE = epilogue(
    "jourdain sweep gains.yaml                       into out/gains",
    "jourdain sweep gains.yaml --workers 8",
    "jourdain sweep gains.yaml --replay worst:1      the worst variant: its run, report and replay",
    "jourdain sweep gains.yaml --replay 17           variant 17",
    "jourdain sweep gains.yaml --dask tcp://head:8786",
    notes=(
        "Into the folder go results.zarr (every variant, as it is done), report.html, and cases/NUMBER with the run",
        "and the replay of the worst variants. A sweep that was interrupted or killed goes on where it stopped when",
        "the same command is given again; results of another study are never mixed in. A variant that fails is kept",
        "with its reason, and the exit code is then 3; 5 where one is not trusted, its energy balance being open.",
        "What a Dask scheduler sends is run: it must be trusted.",
    ),
)


def sweep(
    study: Annotated[Path, typer.Argument(metavar="STUDY.yaml", help="The study file.", autocompletion=scenario_files)],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="DIR", help="Folder for the results; out/NAME by default.")
    ] = None,
    workers: Annotated[
        int | None,
        typer.Option("--workers", "-w", metavar="N", min=1, help="Threads or processes; all cores unless given."),
    ] = None,
    mode: Annotated[
        str,
        typer.Option("--mode", metavar="MODE", help="threads, processes, or auto: threads where a model is shared."),
    ] = "auto",
    dask: Annotated[
        str | None, typer.Option("--dask", metavar="ADDRESS", help="A Dask scheduler instead of this machine.")
    ] = None,
    tls_ca: Annotated[
        Path | None, typer.Option("--tls-ca", metavar="FILE", help="Certificate of the scheduler's authority.")
    ] = None,
    tls_cert: Annotated[
        Path | None, typer.Option("--tls-cert", metavar="FILE", help="Certificate of this side.")
    ] = None,
    tls_key: Annotated[Path | None, typer.Option("--tls-key", metavar="FILE", help="Its key.")] = None,
    replay: Annotated[
        str | None,
        typer.Option("--replay", metavar="WHICH", help="Replay one variant: its number, worst:1, best:1 ..."),
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Begin again, where the folder has results already.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object on stdout, text on stderr.")] = False,
    no_report: Annotated[bool, typer.Option("--no-report", help="Write no report.html, and no replays.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing of the progress.")] = False,
) -> None:
    """Run many variants of a scenario and report on them.

    A variant is the scenario with other values at some addresses; the study file says which, and what is kept.
    """
    from ..study.progress import ProgressReporter
    from ..study.sweeps.run_study import replay_variant, run_study
    from ..study.sweeps.sweep import folder_of

    if dask is not None and workers is not None:
        raise typer.BadParameter("a cluster has its own workers; give one of both", param_hint="--workers")
    folder = out if out is not None else folder_of(study)
    if replay is not None:
        from .run import finish

        finish(replay_variant(study, folder, replay, ProgressReporter(quiet)), as_json)
    tls = {"ca": tls_ca, "cert": tls_cert, "key": tls_key}
    given = {name: str(path) for name, path in tls.items() if path is not None}
    if given and dask is None:
        raise typer.BadParameter("belongs to --dask", param_hint="--tls-...")
    found = run_study(
        study, folder, workers=workers, mode=mode, dask=dask, tls=given, overwrite=overwrite, report=not no_report,
        reporter=ProgressReporter(quiet),
    )  # fmt: skip
    finish_sweep(found, as_json)


def finish_sweep(found: SweepOutcome, as_json: bool) -> None:
    """Say what came of a study, and end with its exit code."""
    code = EXITS[found.status]
    if as_json:
        print_json(found.to_dict() | {"exit_code": int(code)})
        if found.message:
            complain(found.message)
    else:
        for line in summary(found):
            typer.echo(line)
    raise typer.Exit(int(code))


def summary(found: SweepOutcome) -> list[str]:
    """How many succeeded, with what confidence, the worst, and what was written."""
    from ..study.sweeps.statistics import rate

    data = found.data
    heads = {"done": "DONE", "failures": "DONE", "untrusted": "DONE"}
    ran = int((data["status"] != 0).sum())
    lines = [f"{heads.get(found.status, 'STOPPED')}  {found.study.name}: {ran} of {found.study.size} variants"]
    if found.message:
        lines[0] += f"; {found.message}"
    if found.study.limits and ran:
        share = rate(data)
        lines.append(f"  success {share.rate:.1%}, between {share.low:.1%} and {share.high:.1%} with 95 % confidence")
    lines += [f"  {text}" for text in worst_lines(found, data)]
    for status, word in ((2, "failed"), (3, "not trusted")):
        bad = data.isel(variant=(data["status"].values == status))
        for number, why in list(zip(bad["variant"].values, bad["reason"].values))[:3]:
            lines.append(f"  {word}: variant {number}: {str(why).removeprefix('not trusted: ')}")
        if bad.sizes["variant"] > 3:
            lines.append(f"  {word}: {bad.sizes['variant'] - 3} more; their reasons are in the report and the store")
    return lines + [str(path) for path in found.files.values()]


def worst_lines(found: SweepOutcome, data: xr.Dataset) -> list[str]:
    """The worst variants, or the best of a search, with their values."""
    from ..study.sweeps.statistics import ranked

    if found.study.search is not None:
        best = data.attrs.get("best")
        if best is None:
            return []
        one = data.sel(variant=best)
        return [f"best: variant {best} at {values(found, one)}; cost {float(one['cost']):.5g}"]
    order = ranked(found.study, data)[:1]
    return [f"worst: variant {number} at {values(found, data.sel(variant=number))}" for number in order]


def values(found: SweepOutcome, one: Any) -> str:
    """Values of the parameters of a variant, as text."""
    said = []
    for parameter in found.study.parameters:
        value = one[parameter.name].item()
        said.append(f"{parameter.name} {value:.5g}" if isinstance(value, float) else f"{parameter.name} {value}")
    return ", ".join(said)
