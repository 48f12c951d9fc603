"""`jourdain examples`: list what comes with Jourdain, run it, or copy its source."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .completion import example_names
from .exits import epilogue, print_json

if TYPE_CHECKING:
    from ..study.gallery import Example

EPILOGUE = epilogue(
    "jourdain examples                          list them",
    "jourdain examples heavy_top                run one; its figure goes to out/heavy_top",
    "jourdain examples dynamics/heavy_top --copy mine      copy its source into the folder mine",
    notes=("A scenario is run as `jourdain run` does, a study as `jourdain sweep`, with their exit codes.",),
)


def examples(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]", help="Run this one; its folder may be left out.", autocompletion=example_names
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="DIR", help="Folder for its figures; out/NAME by default.")
    ] = None,
    copy: Annotated[
        Path | None, typer.Option("--copy", metavar="DIR", help="Copy its source into this folder instead.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object on stdout, text on stderr.")] = False,
) -> None:
    """List the examples, run one, or copy its source.

    Examples are short programs that end with a figure; scenarios are files for `jourdain run`.
    """
    from ..study.gallery import copy_source, example, find_examples
    from ..study.progress import ProgressReporter, gathered_warnings

    if name is None:
        if out is not None or copy is not None:
            raise typer.BadParameter("give the name of an example too", param_hint="NAME")
        list_examples(find_examples(), as_json)
        return
    with gathered_warnings(ProgressReporter()):
        one = example(name)
    if copy is not None:
        stated([str(path) for path in copy_source(one, copy)], one, as_json)
        return
    folder = out if out is not None else Path("out") / one.short
    if one.is_scenario:
        run_it(one, folder, as_json)
    else:
        stated(program(one, folder), one, as_json)


def program(one: Example, folder: Path) -> list[str]:
    """Run an example; what it prints is not the result, so it goes to stderr."""
    import sys
    from contextlib import redirect_stdout

    from ..study.gallery import run_program

    typer.echo(f"jourdain: {one.name}: {one.summary}", err=True)
    with redirect_stdout(sys.stderr):
        return [str(path) for path in run_program(one, folder)]


def run_it(one: Example, folder: Path, as_json: bool) -> None:
    """Run a scenario, or a study."""
    from ..study.progress import ProgressReporter
    from ..study.scenario.run_scenario import run_scenario
    from ..study.sweeps.study_file import is_study
    from .run import choose, finish

    if is_study(one.path):
        from ..study.sweeps.run_study import run_study
        from .sweep import finish_sweep

        finish_sweep(run_study(one.path, folder, reporter=ProgressReporter()), as_json)
    finish(run_scenario(choose(one.path, None, []), folder, reporter=ProgressReporter()), as_json)


def stated(files: list[str], one: Example, as_json: bool) -> None:
    """Say what was written."""
    if as_json:
        print_json({"name": one.name, "summary": one.summary, "files": files, "exit_code": 0})
        return
    for path in files:
        typer.echo(path)


def list_examples(found: list[Example], as_json: bool) -> None:
    """One line each, by folder."""
    from ..study.gallery import folder_title

    if as_json:
        listed = [
            {
                "name": one.name,
                "summary": one.summary,
                "file": str(one.path),
                "scenario": one.is_scenario,
                "picture": None if one.picture is None else str(one.picture),
            }
            for one in found
        ]
        print_json({"examples": listed, "exit_code": 0})
        return
    width = max((len(one.name) for one in found), default=0)
    for folder, group in groupby(found, key=lambda one: one.folder):
        typer.echo(f"\n{folder_title(folder)}")
        for one in group:
            typer.echo(f"  {one.name:<{width}}  {one.summary}")
            if one.picture is not None:
                typer.echo(f"  {'':<{width}}  picture: {one.picture}")
    typer.echo("\n`jourdain examples NAME` runs one; `jourdain examples NAME --copy DIR` copies its source.")
