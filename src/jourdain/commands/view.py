"""`jourdain view`: a run in 3-D, in the browser."""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .completion import viewable_files
from .exits import epilogue

if TYPE_CHECKING:
    from ..results.run import Run

EPILOGUE = epilogue(
    "jourdain view out/reach/run.nc",
    "jourdain view reach.yaml --live            watch a scenario while it runs",
    "jourdain view reach.yaml --pose            move its joints before it runs, see its modes",
    "jourdain view out/reach/run.nc --port 8090 --no-browser",
    notes=(
        "A page is served on this machine only (127.0.0.1); nothing is sent to the network. Ctrl-C ends it.",
        "A run that was interrupted or killed is shown as far as it came. Nothing is saved: `jourdain run` does that.",
    ),
)


def view(
    file: Annotated[
        Path,
        typer.Argument(metavar="RUN.nc|SCENARIO.yaml", help="What to look at.", autocompletion=viewable_files),
    ],
    live: Annotated[bool, typer.Option("--live", help="Simulate the scenario, and show it as it goes.")] = False,
    posed: Annotated[bool, typer.Option("--pose", help="Do not simulate: move the joints, see modes.")] = False,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Where to serve; 0 takes a free one.")] = 0,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Say the address, open no browser.")] = False,
) -> None:
    """Look at a run, or at a scenario as it runs, in 3-D."""
    from ..study.gallery import SCENARIO_ENDINGS

    # The address is for whoever reads it, a pipe too, and the command then stays.
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(line_buffering=True)
    if file.suffix in SCENARIO_ENDINGS:
        with suppress(KeyboardInterrupt):  # which is how one leaves
            if posed:
                pose_scenario(file, port, not no_browser)
            else:
                show_scenario(file, live, port, not no_browser)
    elif posed:
        raise typer.BadParameter("takes a scenario file, whose model is then shown", param_hint="--pose")
    elif live:
        raise typer.BadParameter("takes a scenario file, which is then simulated", param_hint="--live")
    else:
        show_file(file, port, not no_browser)


def show_file(file: Path, port: int, browser: bool) -> None:
    """Replay a run file, or what a run that was killed left of it."""
    from ..results.load import load
    from ..study.progress import ProgressReporter, gathered_warnings
    from ..view.viewer import show

    with gathered_warnings(ProgressReporter()):
        run = load(file)
    show(run, port, browser)


def pose_scenario(file: Path, port: int, browser: bool) -> None:
    """The model of a scenario as it starts, with sliders."""
    from ..study.progress import ProgressReporter, gathered_warnings
    from ..view.posing import pose
    from .run import choose

    with gathered_warnings(ProgressReporter()):
        scenario = choose(file, None, [])
    pose(scenario.model, scenario.state, port=port, open_browser=browser)


def show_scenario(file: Path, live: bool, port: int, browser: bool) -> None:
    """Simulate a scenario, then replay it; or show it as it goes. Nothing is saved."""
    from ..study.progress import ProgressReporter, gathered_warnings
    from ..view.live import watch
    from ..view.viewer import show
    from .run import choose

    reporter = ProgressReporter()
    scenario = choose(file, None, [])
    with gathered_warnings(reporter), reporter.run(scenario.name, scenario.time, scenario.until) as progress:
        if not live:
            show(scenario.simulate(progress=progress), port, browser)
            return
        with watch(scenario.model, port, browser, scenario.about()) as page:
            run: Run
            try:
                run = scenario.simulate(progress=progress, watch=page)
            except KeyboardInterrupt as interrupt:
                partial = getattr(interrupt, "partial", None)
                if partial is None:
                    raise
                run = partial
            with suppress(KeyboardInterrupt):
                if run.partial:
                    reporter.say(f"stopped at {run.record.time[-1]:.6g} s; Ctrl-C again ends the page")
                page.finish(run)
                page.wait()
