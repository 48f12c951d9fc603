"""What `jourdain run` does with a scenario: simulate and save it, judge it, draw its figures, write its report.

A folder holds `run.nc`, `report.html`, `figures/`, and `run-<variant>.nc` of the variant that the replay shows as a
ghost. An earlier result stays until a whole new one takes its place: a run that stops before its end goes beside it,
with `-partial` in its names.
"""

from __future__ import annotations

import re
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...basics.errors import JourdainError, SimulationError
from ...basics.storage import WriteError, atomic_write, make_folder
from ...results.journal import journal_folder, reached, remove_journal, set_aside
from ...results.run import Run
from ..progress import ProgressReporter, gathered_warnings, working_time

if TYPE_CHECKING:
    from .limits import Judgement
    from .scenario import Scenario

RUN = "run.nc"
REPORT = "report.html"
FIGURES = "figures"


@dataclass
class Outcome:
    """What became of a scenario.

    status      "passed", "failed" (limits not met), "done" (there are no limits), "untrusted" (the energy balance does
                not close: nothing is passed), "stopped" (the simulation failed), "interrupted", or "unwritten" (the
                run is saved, figures or report could not be); what stopped a run stays its status whatever becomes of
                the report
    run         the run; None when it stopped before its first sample
    judgements  on each limit
    ghosts      runs of variants that the replay shows beside it
    files       what was written: "run", "report", "figures" (a list), and "run-<variant>" of ghosts
    warnings    given on the way
    message     why it stopped, or is not trusted
    fault       what went wrong with verdict, figures or report; the rest is there
    wall        time that the simulation took, without that of compiling [s]
    """

    scenario: Scenario
    folder: Path
    status: str = "done"
    run: Run | None = None
    judgements: list[Judgement] = field(default_factory=list)
    ghosts: dict[str, Run] = field(default_factory=dict)
    files: dict[str, Any] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    message: str = ""
    fault: Exception | None = None
    wall: float = 0.0

    @property
    def worst(self) -> Judgement | None:
        """The limit that decides; see `jourdain.study.scenario.limits.tightest`."""
        from .limits import tightest

        return tightest(self.judgements)

    @property
    def ended(self) -> bool:
        """Whether the simulation came to its end; nothing that happens later changes the status of one that did not."""
        return self.status not in ("stopped", "interrupted")

    @property
    def kept(self) -> bool:
        """Whether an earlier run.nc stayed, because this run did not reach its end."""
        return self.run is not None and self.run.path != self.folder / RUN

    def to_dict(self) -> dict[str, Any]:
        """All of it, as JSON can hold it."""
        run, worst = self.run, self.worst
        return {
            "status": self.status,
            "passed": {"passed": True, "failed": False, "untrusted": False}.get(self.status),
            "scenario": self.scenario.name,
            "variant": self.scenario.variant or None,
            "file": None if self.scenario.path is None else str(self.scenario.path),
            "hash": self.scenario.hash,
            "message": self.message or None,
            "fault": None if self.fault is None else str(self.fault) or type(self.fault).__name__,
            "worst": None if worst is None else worst.to_dict(),
            "limits": [one.to_dict() for one in self.judgements],
            "simulated": None if run is None else [float(run.record.time[0]), float(run.record.time[-1])],
            "until": float(self.scenario.until),
            "partial": run is None or run.partial,
            "energy_balance": None if run is None else run.channels.energy.error,
            "trust": None if run is None else run.trusted.to_dict(),
            "wall_time": round(self.wall, 3),
            "warnings": self.warnings,
            "files": {name: [str(p) for p in path] if isinstance(path, list) else str(path)
                      for name, path in self.files.items()},
        }  # fmt: skip


def run_scenario(
    scenario: Scenario,
    folder: str | Path,
    *,
    report: bool = True,
    figures: bool = True,
    overwrite: bool = False,
    reporter: ProgressReporter | None = None,
    workers: int | None = 1,
    verify: bool = False,
) -> Outcome:
    """Simulate a scenario and write everything that comes of it into a folder, which is made.

    report      write report.html
    figures     draw figures/*.png
    overwrite   remove what an earlier run that was killed left here, once this one is whole; otherwise it is kept
                under another name
    reporter    how to tell of progress and warnings
    workers     threads that share a large model, as in `jourdain.simulate`
    verify      run it again with half the step, or a tenth of the tolerances, as in `jourdain.simulate`

    A simulation that fails or is interrupted is an outcome: what there is of it is saved and reported. A run that
    cannot be saved is a `WriteError`.
    """
    reporter = reporter or ProgressReporter()
    outcome = Outcome(scenario, make_folder(folder))
    ghosts = _ghosts(scenario)
    names = (RUN, *(_file_of(ghost) for ghost in ghosts))
    found = [_clear(outcome.folder / name, overwrite, reporter) for name in names]
    with interruptible(), gathered_warnings(reporter) as outcome.warnings:
        try:
            _simulate(outcome, ghosts, reporter, workers, verify)
        finally:
            if outcome.run is not None:
                outcome.files = {"run": outcome.run.path, **outcome.files}
            if overwrite:
                _remove_left([one for one in found if one is not None], outcome, reporter)
        run = outcome.run
        if not outcome.ended:
            reporter.say(f"{scenario.name}: {outcome.message}")
        if run is None:
            return outcome
        makers: dict[str, Callable[[], Any]] = {"limits": lambda: _judge(outcome, run)}
        if figures:
            makers["figures"] = lambda: draw_figures(run, scenario, _beside(outcome, FIGURES))
        if report:
            makers["report"] = lambda: _report(outcome, run)
        for name, make in makers.items():
            try:
                made = make()
            except KeyboardInterrupt:
                outcome.message = f"{outcome.message or 'interrupted'}; {run.path} is saved, not all of the rest"
                outcome.status = "interrupted" if outcome.ended else outcome.status
                reporter.say(f"{scenario.name}: {outcome.message}")
                break
            except Exception as error:  # the verdict and the other files are worth having without it
                outcome.fault = outcome.fault or error
            else:
                outcome.files |= {name: made} if made is not None else {}
        _faulty(outcome, run)
    return outcome


def _faulty(outcome: Outcome, run: Run) -> None:
    """Say of a run whose files could not all be written that it is saved."""
    if isinstance(outcome.fault, WriteError):
        text = f"{outcome.fault}; {run.path} is saved"
        outcome.message = f"{outcome.message}; {text}" if outcome.message else text
        outcome.status = "unwritten" if outcome.ended else outcome.status


def _simulate(
    outcome: Outcome, ghosts: dict[str, Scenario], reporter: ProgressReporter, workers: int | None, verify: bool
) -> None:
    scenario, folder = outcome.scenario, outcome.folder
    begun = working_time()
    try:
        with reporter.run(scenario.name, scenario.time, scenario.until) as show:
            outcome.run = scenario.simulate(save=folder / RUN, progress=show, workers=workers, verify=verify)
        outcome.wall = working_time() - begun
        for name, ghost in ghosts.items():
            with reporter.run(f"{scenario.name}: {name}", ghost.time, ghost.until) as show:
                outcome.ghosts[name] = ghost.simulate(save=folder / _file_of(name), progress=show, workers=workers)
            outcome.files[Path(_file_of(name)).stem] = outcome.ghosts[name].path
    except KeyboardInterrupt as interrupt:
        outcome.status, outcome.message = "interrupted", "interrupted"
        _stopped(outcome, interrupt)
    except JourdainError as error:
        text = error.summary if isinstance(error, SimulationError) else str(error)
        if isinstance(error, WriteError) or (outcome.run is None and not isinstance(error, SimulationError)):
            raise
        if outcome.run is None:
            outcome.status, outcome.message = "stopped", text
            _stopped(outcome, error)
        else:
            failed = next(name for name in ghosts if name not in outcome.ghosts)
            outcome.warnings.append(f'the variant "{failed}", which was to be shown beside it, failed: {text}')
            reporter.say(f"warning: {outcome.warnings[-1]}")
    if outcome.run is not None and not outcome.wall:
        outcome.wall = working_time() - begun


def _stopped(outcome: Outcome, error: BaseException) -> None:
    """Take what there is of a run that did not reach its end."""
    partial = getattr(error, "partial", None)
    if outcome.run is not None:
        outcome.message += " while a variant ran; the scenario itself is whole"
    elif partial is None and journal_folder(outcome.folder / RUN).is_dir():
        outcome.message += f" while it was being saved; {journal_folder(outcome.folder / RUN)} keeps it"
    elif partial is None:
        outcome.message += " before the first sample; nothing was written"
    else:
        outcome.run = partial
        last, until = f"{partial.record.time[-1]:.6g}", f"{outcome.scenario.until:g}"
        how_far = f" at {last} s of {until} s" if outcome.status == "interrupted" else f" ({last} s of {until} s saved)"
        outcome.message += how_far


def _judge(outcome: Outcome, run: Run) -> None:
    from .limits import judge

    outcome.judgements = judge(run, outcome.scenario.limits)
    if outcome.status == "done" and not run.trusted:
        outcome.status, outcome.message = "untrusted", f"not trusted: {run.trusted.reason}"
    if outcome.status == "done" and outcome.judgements:
        outcome.status = "passed" if all(one.passed for one in outcome.judgements) else "failed"


def _report(outcome: Outcome, run: Run) -> Path:
    from ..report.run_report import write_report

    notes = [outcome.message[:1].upper() + outcome.message[1:] + "."] if outcome.message else []
    if outcome.scenario.optimise:
        notes.append(f"Planned: {outcome.scenario.trajectory.summary}.")
    if outcome.scenario.overrides:
        changed = ", ".join(f"{address} = {value}" for address, value in outcome.scenario.overrides.items())
        notes.append(f"Changed from what the file says: {changed}.")
    return write_report(
        run,
        _beside(outcome, REPORT),
        notes=notes,
        ghosts=outcome.ghosts,
        judgements=outcome.judgements,
        warnings=outcome.warnings,
    )


def _beside(outcome: Outcome, name: str) -> Path:
    """Where a file or folder goes: by its name, or with -partial in it when the run itself had to."""
    path = outcome.folder / name
    return path.with_name(f"{path.stem}-partial{path.suffix}") if outcome.kept else path


def draw_figures(run: Run, scenario: Scenario, folder: Path) -> list[Path]:
    """The figures that a scenario asks for, and the energy, as PNG files in a folder."""
    from matplotlib.figure import Figure

    from ...view.plots import plot, plot_energy

    make_folder(folder)
    drawn = {"energy": plot_energy(run, figure=Figure())}
    for panel in scenario.figures:
        drawn[_free(slug(panel.title), drawn)] = plot(run, *_by_unit(run, panel.quantities), figure=Figure())
    paths = []
    for name, figure in drawn.items():
        path = folder / f"{name}.png"
        with atomic_write(path) as temporary, open(temporary, "wb") as stream:
            figure.savefig(stream, dpi=120, format="png")
        paths.append(path)
    return paths


def _by_unit(run: Run, names: Any) -> list[list[str]]:
    """Names that share a panel: those of one unit."""
    from ...results.quantities import quantity

    panels: dict[str, list[str]] = {}
    for name in names:
        panels.setdefault(quantity(run, name).unit, []).append(name)
    return list(panels.values())


def _ghosts(scenario: Scenario) -> dict[str, Scenario]:
    name = scenario.replay.ghost
    return {} if name is None or name not in scenario.variants else {name: scenario.variants[name]}


def _file_of(variant: str) -> str:
    return f"run-{slug(variant)}.nc"


def slug(text: str) -> str:
    """A text as part of a file's name."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:60].strip("-") or "unnamed"


def _free(name: str, taken: Any) -> str:
    number = 2
    first = name
    while name in taken:
        name, number = f"{first}-{number}", number + 1
    return name


def _clear(path: Path, overwrite: bool, reporter: ProgressReporter) -> Path | None:
    """Make room for a run where an earlier one was killed: what it left gets another name; that, or None."""
    folder = journal_folder(path)
    if not folder.is_dir():
        return None
    until = reached(folder)
    kept = set_aside(path)
    if kept is not None and not overwrite:
        how_far = "" if until is None else f", up to {until:.6g} s"
        reporter.say(
            f"found what a run that was killed had left{how_far}; kept as {kept}: `jourdain view {kept}` shows it"
        )
    return kept


def _remove_left(found: list[Path], outcome: Outcome, reporter: ProgressReporter) -> None:
    """Remove what killed runs had left, now that what takes its place is whole; otherwise say what is kept."""
    for kept in found:
        if outcome.run is None or outcome.run.partial or outcome.status in ("stopped", "interrupted"):
            reporter.say(f"what a run that was killed had left is kept as {kept}, since this one is not whole")
            continue
        try:
            remove_journal(journal_folder(kept))
            reporter.say("removed what a run that was killed had left")
        except (JourdainError, OSError) as error:
            reporter.say(f"warning: what a run that was killed had left is kept: {error}")


@contextmanager
def interruptible() -> Iterator[None]:
    """SIGTERM, and a terminal that is closed, are taken as Ctrl-C is: the run ends in order and is saved."""
    names = ("SIGTERM", "SIGHUP") if threading.current_thread() is threading.main_thread() else ()
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]

    def interrupt(number: int, frame: Any) -> None:
        raise KeyboardInterrupt

    # What was told to be ignored, as nohup does, stays so.
    before = {number: signal.getsignal(number) for number in numbers if signal.getsignal(number) == signal.SIG_DFL}
    for number in before:
        signal.signal(number, interrupt)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
