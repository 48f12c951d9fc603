"""`jourdain tour`: ten minutes for newcomers, in the terminal and in the browser."""

from __future__ import annotations

import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from .exits import Exit, epilogue

EPILOGUE = epilogue(
    "jourdain tour",
    "jourdain tour --out somewhere --no-browser",
    "jourdain tour --yes                     without waiting between the steps",
)
STUDY = """\
# Nine arms that press softer and harder, with less damping and with more.
jourdain: 1
name: Stiffness and damping of the hand
scenario: flagship.yaml
parameters:
  stiffness: {at: controller.slow.stiffness, values: [40.0, 80.0, 160.0]}   # [N/m]
  damping: {at: controller.slow.damping, values: [60.0, 100.0, 200.0]}      # [N s/m]
criteria:
  peak force: {quantity: contact:touch.force, take: max}
"""


@dataclass(frozen=True)
class Step:
    """One step of the tour: what it shows, what is typed, and the page that it leaves behind.

    fine    exit codes with which it may end: a missed limit is part of the tour
    """

    title: str
    words: str
    command: str
    page: str = ""
    fine: tuple[int, ...] = (Exit.DONE, Exit.LIMITS)


STEPS = (
    Step(
        "Run",
        "A flexible arm on a free spacecraft touches a payload of 35 tonnes and presses on it with 15 N. All of it\n"
        "is one file, {out}/flagship.yaml, which is yours to change. It is simulated and judged by its limits.",
        "run {out}/flagship.yaml --out {out}/first",
        "first/report.html",
    ),
    Step(
        "Change",
        "Any value of the file has an address. A hand that is half as damped: which limits does it still keep?",
        "run {out}/flagship.yaml --set controller.slow.damping=50 --out {out}/less-damped",
        "less-damped/report.html",
    ),
    Step(
        "Compare",
        "Both runs over each other in one page, with what was changed, and what became better and worse by it.",
        "compare {out}/first/run.nc {out}/less-damped/run.nc --out {out}/comparison.html",
        "comparison.html",
    ),
    Step(
        "Sweep",
        "Nine runs at once, over stiffness and damping, on all cores. {out}/gains.yaml says which; the report has\n"
        "the map.",
        "sweep {out}/gains.yaml --out {out}/gains",
        "gains/report.html",
    ),
)
NEXT = """\
That was it. From here:
  jourdain view {out}/first/run.nc           the replay in 3-D, with forces
  jourdain view {out}/flagship.yaml --pose   the model with a slider for every joint
  jourdain examples                          more scenarios and scripts by subject
  jourdain train                             fly an arm to a satellite yourself
  jourdain export {out}/flagship.yaml --c DIR   the same model as C code
"""


def tour(
    context: typer.Context,
    out: Annotated[Path, typer.Option("--out", "-o", metavar="DIR", help="Folder for all that is written.")] = Path(
        "out/tour"
    ),
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Go on without waiting between the steps.")] = False,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Say where the pages are, open none.")] = False,
) -> None:
    """Ten minutes for newcomers: run, change, compare, sweep.

    Each step says what it shows and which command it takes, runs it, and opens its page in the browser.
    """
    from ..basics.storage import make_folder
    from ..study.demo import SCENARIOS

    make_folder(out)
    shutil.copyfile(SCENARIOS / "flagship.yaml", out / "flagship.yaml")
    (out / "gains.yaml").write_text(STUDY, encoding="utf-8")
    for i, step in enumerate(STEPS, 1):
        command = step.command.format(out=out)
        typer.echo(f"\n{i} of {len(STEPS)}: {step.title}\n{step.words.format(out=out)}\n\n    jourdain {command}\n")
        if not yes:
            typer.prompt("Press Enter to go on, Ctrl-C to leave", default="", show_default=False)
        code = run_words(context, [part.format(out=out) for part in shlex.split(step.command)])
        if code not in step.fine:
            typer.echo(f"\nThe step ended with exit code {code}; the text above says why.", err=True)
            raise typer.Exit(code)
        page = out / step.page
        typer.echo(f"\nTo look at: {page}")
        if not no_browser:
            open_page(page)
    typer.echo("\n" + NEXT.format(out=out))


def run_words(context: typer.Context, words: list[str]) -> int:
    """Run a command in this process, as if it had been typed; its exit code."""
    command = context.find_root().command
    try:
        found = command.main(words, prog_name="jourdain", standalone_mode=False)
    except typer.Exit as done:
        return done.exit_code
    return found if isinstance(found, int) else 0


def open_page(page: Path) -> None:
    """Open a page in the browser, where there is one."""
    import webbrowser

    webbrowser.open(page.resolve().as_uri())
