"""`jourdain train`: fly a flexible arm to a satellite, in the browser."""

from __future__ import annotations

import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from .exits import epilogue

EPILOGUE = epilogue(
    "jourdain train                             the page, with all lessons",
    "jourdain train capture                     the page, with one lesson started",
    "jourdain train --out site                  the page as files, for a web server",
    "jourdain train --flight capture-flight.json    a flight that a page saved, as a run",
    notes=(
        "Lessons: approach, track, capture, berth. A page is served on this machine only (127.0.0.1); nothing is sent",
        "to the network. A flight that ends is kept in a folder of its own: run.nc for `jourdain view`, report.html,",
        "score.json. The browser needs WebGL and WebAssembly with 64-bit memory: Chromium 133, Firefox 134, or later.",
        "Ctrl-C ends it.",
    ),
)


def train(
    lesson: Annotated[str | None, typer.Argument(metavar="[LESSON]", help="Begin with this lesson.")] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="DIR", help="Write the page into this folder instead.")
    ] = None,
    keep: Annotated[Path, typer.Option("--keep", metavar="DIR", help="Folder for flights.")] = Path("out/train"),
    flight: Annotated[
        Path | None, typer.Option("--flight", metavar="FILE", help="Keep a flight that a page saved, and leave.")
    ] = None,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Where to serve; 0 takes a free one.")] = 0,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Say the address, open no browser.")] = False,
) -> None:
    """Fly an arm to a satellite in the browser, and be scored."""
    from ..train.lesson import lesson as find_lesson

    if lesson is not None:
        find_lesson(lesson)
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(line_buffering=True)
    if out is not None:
        write(out)
    elif flight is not None:
        keep_flight(flight, keep)
    else:
        serve(lesson, keep, port, not no_browser)


def write(out: Path) -> None:
    """The page as files."""
    from ..train.bundle import write_folder

    write_folder(out, lambda name: typer.echo(f"{out / name}"))


def keep_flight(path: Path, keep: Path) -> None:
    """A flight that was saved by hand, as a run."""
    from ..basics.errors import JourdainError
    from ..train.session import keep as keep_it
    from ..train.session import read_flight

    try:
        text = path.read_bytes()
    except OSError as error:
        raise JourdainError(f"{path}: {error.strerror}") from error
    flight = read_flight(text)
    stated = keep_it(flight, text, keep / path.stem)
    typer.echo(stated["folder"])
    typer.echo(stated["summary"])


def serve(lesson: str | None, keep: Path, port: int, browser: bool) -> None:
    """The page, until Ctrl-C."""
    from ..train.server import Trainer

    with Trainer(keep, port) as trainer:
        address = trainer.address + (f"#{lesson}" if lesson else "")
        typer.echo(f"trainer at {address} (this machine only); flights go to {keep}")
        if browser:
            import webbrowser

            webbrowser.open(address)
        seen = 0
        with suppress(KeyboardInterrupt):
            while True:
                time.sleep(0.5)
                for stated in trainer.kept[seen:]:
                    typer.echo(f"{stated['folder']}: {stated['summary']}")
                seen = len(trainer.kept)
