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
    """Run the flagship: an arm in orbit presses on a payload.

    The arm is flexible, its base floats; it touches the payload, presses and slides, and its report is written.
    """
    from ..study.demo import run_demo
    from ..study.progress import ProgressReporter
    from .run import finish

    finish(run_demo(out, reporter=ProgressReporter()), as_json=False)
