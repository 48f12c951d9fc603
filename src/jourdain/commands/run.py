"""`jourdain run`: simulate a scenario, save the run, judge it, write its report."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .completion import scenario_files
from .exits import Afterwards, Exit, epilogue, exit_codes, explain, print_json
from .imports import IGNORE, PACKAGES, ROOT, folders

if TYPE_CHECKING:
    from ..study.scenario.limits import Judgement
    from ..study.scenario.run_scenario import Outcome
    from ..study.scenario.scenario import Scenario

EXITS = {
    "passed": Exit.DONE,
    "done": Exit.DONE,
    "failed": Exit.LIMITS,
    "untrusted": Exit.UNTRUSTED,
    "stopped": Exit.SIMULATION,
    "interrupted": Exit.INTERRUPTED,
    "unwritten": Exit.WRITING,
}
EPILOGUE = epilogue(
    "jourdain run reach.yaml                           into out/reach",
    'jourdain run reach.yaml --variant "soft gains"    another variant of the file',
    "jourdain run reach.yaml --set simulation.until=20 --set controller.stiffness=400",
    "jourdain run reach.yaml --json > verdict.json     for scripts",
    notes=(
        "Into the folder go run.nc (the samples, and all it takes to see them again), report.html (one page, to",
        "open in a browser), figures/*.png, and run-NAME.nc of a variant that the replay shows as a ghost. What",
        "was there before stays until a whole new file takes its place. Ctrl-C ends a run in order: what there is",
        "of it is saved (as run-partial.nc where a whole run.nc is already there).",
        "",
        *exit_codes(),
    ),
)


def run(
    scenario: Annotated[
        Path, typer.Argument(metavar="SCENARIO.yaml", help="The scenario file.", autocompletion=scenario_files)
    ],
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="DIR", help="Folder for the results; out/NAME by default.")
    ] = None,
    variant: Annotated[
        str | None, typer.Option("--variant", metavar="NAME", help="Run this variant that the file describes.")
    ] = None,
    changes: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="ADDRESS=VALUE", help="Change a value of the file; may be given more than once."),
    ] = None,
    root: ROOT = None,
    packages: PACKAGES = None,
    ignore: IGNORE = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object on stdout, text on stderr.")] = False,
    no_report: Annotated[bool, typer.Option("--no-report", help="Write no report.html.")] = False,
    no_figures: Annotated[bool, typer.Option("--no-figures", help="Draw no figures/*.png.")] = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Remove what a killed run left in the folder, instead of keeping it.")
    ] = False,
    workers: Annotated[
        int,
        typer.Option(
            "--workers",
            "-w",
            metavar="N",
            min=1,
            help="Threads that share one large model: granular piles, many mechanisms.",
        ),
    ] = 1,
    verify: Annotated[
        bool, typer.Option("--verify", help="Run again with half the step, or a tenth of the tolerances, and compare.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Say nothing of the progress.")] = False,
) -> None:
    """Simulate a scenario, judge it and write its report.

    The verdict comes first: passed or not, with what margin, and the worst moment. Then the files that were written.
    """
    from ..study.progress import ProgressReporter
    from ..study.scenario.run_scenario import run_scenario

    chosen = choose(scenario, variant, changes or [], root, folders(packages), ignore)
    outcome = run_scenario(
        chosen,
        out if out is not None else default_folder(scenario, variant),
        report=not no_report,
        figures=not no_figures,
        overwrite=overwrite,
        reporter=ProgressReporter(quiet),
        workers=workers,
        verify=verify,
    )
    finish(outcome, as_json)


def finish(outcome: Outcome, as_json: bool) -> None:
    """Say what came of a run, and end with its exit code, which a fault of the report changes of a whole run only."""
    code = EXITS[outcome.status]
    if outcome.fault is not None and outcome.ended:
        code = explain(outcome.fault)[0]
    if as_json:
        print_json(outcome.to_dict() | {"exit_code": int(code)})
    else:
        for line in summary(outcome):
            typer.echo(line)
    if outcome.fault is not None:
        raise Afterwards(code, outcome.fault)
    raise typer.Exit(int(code))


def choose(
    path: Path,
    variant: str | None,
    changes: list[str],
    root: Path | None = None,
    packages: dict[str, Path] | None = None,
    ignore: bool = False,
) -> Scenario:
    """The scenario of a file, or a variant of it, with some values changed."""
    from ..basics.errors import JourdainError
    from ..basics.values import suggestion
    from ..study.scenario.scenario_file import load_scenario

    values = dict(change(text) for text in changes)
    scenario = load_scenario(path, root=root, overrides=values, packages=packages, ignore=ignore)
    if variant is None:
        return scenario
    if variant not in scenario.variants:
        raise JourdainError(f'{path}: there is no variant "{variant}"; {suggestion(variant, scenario.variants)}')
    return scenario.variants[variant]


def change(text: str) -> tuple[str, str]:
    """Address and value of an option --set."""
    address, equals, value = text.partition("=")
    if not equals or not address.strip():
        raise typer.BadParameter(f"got {text!r}; give ADDRESS=VALUE, such as simulation.until=20", param_hint="--set")
    return address.strip(), value


def default_folder(scenario: Path, variant: str | None) -> Path:
    """Where the results of a scenario go by default."""
    from ..study.scenario.run_scenario import slug

    return Path("out") / (scenario.stem if variant is None else f"{scenario.stem}-{slug(variant)}")


def summary(outcome: Outcome) -> list[str]:
    """The verdict first, then what was written."""
    heads = {"passed": "PASS", "failed": "FAIL", "done": "DONE", "untrusted": "NOT TRUSTED"}
    head = heads.get(outcome.status, "STOPPED")
    name = outcome.scenario.name + (f" ({outcome.scenario.variant})" if outcome.scenario.variant else "")
    worst = outcome.worst
    if outcome.status in ("passed", "failed") and worst is not None:
        said = f"{margin(worst)}: {worst.limit.name}, {value(worst)}"
    else:
        said = outcome.message.removeprefix("not trusted: ") or "the file asks for no limits"
    lines = [f"{head}  {name}: {said}"]
    if outcome.judgements:
        from ..study.report.verdict import bound_text

        width = max(len(one.limit.name) for one in outcome.judgements)
        for one in outcome.judgements:
            allowed = bound_text(one.limit, one.unit)
            lines.append(f"  {mark(one)}  {one.limit.name:<{width}}  {value(one)}; {allowed}")
    run = outcome.run
    if run is not None:
        lines.append(f"{run.duration:.6g} s simulated in {outcome.wall:.1f} s")
        if run.trusted:
            lines.append(f"checked: {', '.join(str(one) for one in run.trusted.checks)}")
    for name, path in outcome.files.items():
        lines += [str(one) for one in path] if isinstance(path, list) else [str(path)]
        if name == "run" and run is not None and run.partial:
            lines[-1] += "  (partial: what there is of it)"
    if outcome.kept:
        lines.append(f"{outcome.folder / 'run.nc'} is the earlier run, untouched")
    return lines


def mark(one: Judgement) -> str:
    """The verdict on one limit in four letters; a bound that was kept in a run without an end is open."""
    return "pass" if one.passed else "open" if one.open else "FAIL"


def margin(one: Judgement) -> str:
    """How much was left, or was missing, as text."""
    if one.margin != one.margin:
        return one.note or "it could not be judged"
    if one.passed or one.note:
        return one.note or f"margin {one.margin:.1%}"
    return f"missed by {-one.margin:.1%}" if one.margin > -10.0 else f"missed by {-one.margin:.3g} times the limit"


def value(one: Judgement) -> str:
    """The value that decided, and when."""
    if one.value != one.value:
        return one.note
    from ..study.report.verdict import value_text

    return f"{value_text(one)} at {one.time:.5g} s" + (f" ({one.place})" if one.place else "")
