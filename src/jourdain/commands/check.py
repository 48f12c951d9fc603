"""`jourdain check`: every mistake in a scenario or study file, with its place and its remedy."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .completion import scenario_files
from .exits import Exit, epilogue, mistake, print_json
from .imports import IGNORE, PACKAGES, ROOT, folders

EPILOGUE = epilogue(
    "jourdain check reach.yaml",
    "jourdain check reach.yaml --json",
    "jourdain check gains.yaml                 a study, its scenario included",
    notes=(
        "Prints file:line:column: address: what is wrong; what would be right. Nothing is simulated or written.",
        "Everything that `jourdain run` would refuse is found; the first time that takes as long to compile as a run.",
        "--quick compiles nothing, for editors. Exit code 0 when all is well, 2 when there is a mistake.",
        "An editor that knows JSON Schema finds most of them while you type: see `jourdain schema --help`.",
    ),
)


def check(
    scenario: Annotated[
        Path, typer.Argument(metavar="SCENARIO.yaml", help="The scenario or study file.", autocompletion=scenario_files)
    ],
    root: ROOT = None,
    packages: PACKAGES = None,
    ignore: IGNORE = False,
    quick: Annotated[
        bool,
        typer.Option("--quick", help="Leave out what takes compiled kernels: controllers of tips, designs."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object on stdout.")] = False,
) -> None:
    """Say what is wrong with a scenario or a study, and where."""
    from ..study.scenario.scenario_file import check_scenario
    from ..study.sweeps.study_file import check_study, is_study

    if is_study(scenario):
        mistakes = check_study(scenario, thorough=not quick)
    else:
        mistakes = check_scenario(scenario, root=root, thorough=not quick, packages=folders(packages), ignore=ignore)
    code = Exit.INPUT if mistakes else Exit.DONE
    if as_json:
        stated = {"file": str(scenario), "ok": not mistakes, "mistakes": [mistake(one) for one in mistakes]}
        print_json(stated | {"exit_code": int(code)})
    else:
        for one in mistakes:
            typer.echo(str(one), err=True)
        if not mistakes:
            typer.echo(f"{scenario}: no mistakes")
        elif len(mistakes) > 1:
            typer.echo(f"{scenario}: {len(mistakes)} mistakes", err=True)
    raise typer.Exit(int(code))
