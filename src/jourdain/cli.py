"""The command line."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(help="Flexible multibody dynamics, contact and control.", no_args_is_help=True, add_completion=False)


@app.command()
def demo(
    out: Annotated[Path, typer.Option(help="Folder for the run file, the figures and report.html")] = Path("out/demo"),
) -> None:
    """Simulate a two-link arm on a free-floating base; write run.nc, figures and report.html."""
    from .study.demo import run_demo

    for path in run_demo(out):
        typer.echo(path)


@app.command()
def warmup() -> None:
    """Compile the kernels now, so that later runs start at once."""
    from .kernels.compiler import cache_folder
    from .kernels.entries import FUNCTIONS, first_class

    for name in FUNCTIONS:
        typer.echo(f"compiling {name}")
        first_class(name)
    typer.echo(f"ready, in {cache_folder()}")


@app.command()
def version() -> None:
    """Print the version."""
    from . import __version__

    typer.echo(__version__)
