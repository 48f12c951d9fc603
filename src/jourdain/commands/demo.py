"""`jourdain demo`: the first thing to try."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from .exits import epilogue

EPILOGUE = epilogue("jourdain demo", "jourdain demo --out elsewhere")


def demo(
    out: Annotated[
        Path, typer.Option("--out", "-o", metavar="DIR", help="Folder for the run file, the figures and report.html.")
    ] = Path("out/demo"),
) -> None:
    """Run the demonstration and write its report."""
    from ..study.demo import run_demo

    for path in run_demo(out):
        typer.echo(path)
