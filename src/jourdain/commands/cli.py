"""The command line: `jourdain`, and `python -m jourdain`."""

from __future__ import annotations

from typing import Annotated

import typer

from . import (
    check,
    compare,
    demo,
    examples,
    export,
    live,
    reproduce,
    run,
    schema,
    sweep,
    tour,
    train,
    version,
    view,
    warmup,
)
from .exits import Commands, epilogue, exit_codes

EPILOGUE = epilogue(
    "jourdain demo                       a first result: out/demo/report.html",
    "jourdain tour                       ten minutes for newcomers: run, change, compare, sweep",
    "jourdain examples                   what comes with Jourdain",
    "jourdain check reach.yaml           what is wrong with a scenario, and where",
    "jourdain run reach.yaml             simulate it, judge it, report it",
    "jourdain view out/reach/run.nc      look at it in 3-D",
    "jourdain compare A.nc B.nc          two runs in one report",
    "jourdain sweep gains.yaml           many variants of a scenario, on all cores",
    "jourdain export reach.yaml --c DIR  the model as C code, to run without Python",
    "jourdain train                      fly an arm to a satellite, in the browser",
    "jourdain reproduce                  the numbers of the sources, beside ours",
    "jourdain live reach.yaml            in real time, its controller driving model or robot",
    notes=(
        "`jourdain COMMAND --help` says more of each. `jourdain --install-completion` lets the shell complete",
        "commands, options, files and the names of examples.",
        "",
        *exit_codes(),
    ),
)

app = typer.Typer(
    cls=Commands,
    help="Flexible multibody dynamics, contact and control: describe a task in a file, run it, look at it, judge it.",
    epilog=EPILOGUE,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        version.version(as_json=False)
        raise typer.Exit


@app.callback()
def main(
    debug: Annotated[
        bool, typer.Option("--debug", envvar="JOURDAIN_DEBUG", help="Show where an error comes from.")
    ] = False,
    show_version: Annotated[
        bool, typer.Option("--version", help="Print the version and leave.", callback=_print_version, is_eager=True)
    ] = False,
) -> None:
    """Options that come before the command."""


for module, command in (
    (run, run.run),
    (check, check.check),
    (view, view.view),
    (compare, compare.compare),
    (sweep, sweep.sweep),
    (export, export.export),
    (train, train.train),
    (live, live.live),
    (examples, examples.examples),
    (demo, demo.demo),
    (reproduce, reproduce.reproduce),
    (tour, tour.tour),
    (schema, schema.schema),
    (warmup, warmup.warmup),
    (version, version.version),
):
    app.command(epilog=module.EPILOGUE)(command)
