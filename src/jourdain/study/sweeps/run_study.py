"""What `jourdain sweep` does with a study: run it, report on it, and replay single variants."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...basics.errors import JourdainError
from ...basics.storage import WriteError, make_folder
from ..progress import ProgressReporter, gathered_warnings
from ..report.study_report import CASES
from ..scenario.run_scenario import REPORT, Outcome, interruptible, run_scenario
from .statistics import ranked
from .store import BAD, FAILED, STORE, UNTRUSTED, WAITING, ResultStore
from .study import Study
from .study_file import load_study
from .sweep import SweepJob, labelled, row_of, running

if TYPE_CHECKING:
    import xarray as xr

"""Folder of the replays."""
_WHICH = re.compile(r"(worst|best):([1-9][0-9]{0,5})\Z")


@dataclass
class SweepOutcome:
    """What became of a study.

    status      "done", "failures" (some variants failed), "interrupted", or "unwritten" (the report could not be)
    data        the results so far
    files       what was written: "store", "report"
    """

    study: Study
    folder: Path
    data: xr.Dataset
    status: str = "done"
    message: str = ""
    files: dict[str, Path] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """The essence, as JSON can hold it."""
        from .statistics import rate

        share, status = rate(self.data), self.data["status"].values
        worst = ranked(self.study, self.data)[:5]
        return {
            "status": self.status,
            "study": self.study.name,
            "hash": self.study.hash,
            "message": self.message or None,
            "variants": self.study.size,
            "ran": int((status != WAITING).sum()),
            "failed": int((status == FAILED).sum()),
            "untrusted": int((status == UNTRUSTED).sum()),
            "success": share._asdict() if self.study.limits else None,
            "worst": [self._one(number) for number in worst],
            "best": self.data.attrs.get("best"),
            "warnings": self.warnings,
            "files": {name: str(path) for name, path in self.files.items()},
        }

    def _one(self, number: int) -> dict[str, Any]:
        one = self.data.sel(variant=number)
        names = [p.name for p in self.study.parameters]
        return {
            "variant": number,
            "parameters": {name: one[name].item() for name in names},
            "command": self.study.command(number),
        }


def run_study(
    path: Path,
    folder: Path,
    *,
    workers: int | None = None,
    mode: str = "auto",
    dask: Any = None,
    tls: dict[str, str] | None = None,
    overwrite: bool = False,
    report: bool = True,
    reporter: ProgressReporter | None = None,
) -> SweepOutcome:
    """Run what is left of a study and write its report; options as those of `jourdain.sweep`."""
    reporter = reporter or ProgressReporter()
    study = load_study(path)
    with (
        interruptible(),
        gathered_warnings(reporter, numbers=False) as warnings,
        running(study, folder, workers, mode, dask, tls, overwrite) as job,
    ):
        found = SweepOutcome(study, folder, job.dataset(), files={"store": folder / STORE}, warnings=warnings)
        try:
            job.run(reporter)
        except KeyboardInterrupt:
            found.status, found.message = "interrupted", "interrupted; the same command goes on from there"
            job.farm.close()
        found.data = job.dataset()
        for text in job.warnings.values():
            reporter.say(f"warning: {text}")
        found.warnings += job.warnings.values()
        if found.status == "done" and bool((found.data["status"] == FAILED).any()):
            found.status = "failures"
        elif found.status == "done" and bool((found.data["status"] == UNTRUSTED).any()):
            found.status = "untrusted"
        if report:
            _report(found, job, reporter)
    return found


def _report(found: SweepOutcome, job: SweepJob, reporter: ProgressReporter) -> None:
    from ..report.study_report import write_study_report

    try:
        if found.status != "interrupted":
            _replays(found, job, reporter)
        found.files["report"] = write_study_report(found.study, found.data, found.folder / REPORT)
    except KeyboardInterrupt:
        found.status, found.message = "interrupted", "all variants are done; the report is not written"
    except WriteError as error:
        found.status, found.message = "unwritten", f"{error}; the results are in {found.files['store']}"


def _replays(found: SweepOutcome, job: SweepJob, reporter: ProgressReporter) -> None:
    """Runs and replays of the variants that the report opens, those that are not there yet."""
    wanted = wanted_replays(found.study, found.data)
    missing = [number for number in wanted if not (case_folder(found.folder, number) / REPORT).is_file()]
    with reporter.count(f"{found.study.name}: replays", len(missing)) as show:
        for done, number in enumerate(missing):
            try:
                scenario = found.study.base.scenario(row_of(found.study, job.store, number))
                outcome = write_case(found.study, scenario, number, found.folder, ProgressReporter(quiet=True))
            except WriteError:
                raise
            except JourdainError:
                continue  # it failed in the study too, and its reason is in the report
            if outcome.status == "interrupted":
                raise KeyboardInterrupt
            show(done + 1, 0)


def wanted_replays(study: Study, data: xr.Dataset) -> list[int]:
    """Numbers of the variants that get a replay: the worst ones, or every cell of the first map."""
    from ..report.maps import cells, first_map

    order = ranked(study, data)
    if study.search is not None:
        best = data.attrs.get("best")
        order = [best, *(one for one in order if one != best)] if best is not None else order
    if study.layout.replays != "map":
        return order[: int(study.layout.replays)]
    pair = first_map(study, data)
    opened = [cell.variant for cell in cells(study, data, *pair)] if pair is not None else []
    return list(dict.fromkeys([*order[:5], *opened]))


def case_folder(folder: Path, number: int) -> Path:
    """Where the run and the report of a variant are."""
    return folder / CASES / f"{number:05d}"


def write_case(study: Study, scenario: Any, number: int, folder: Path, reporter: ProgressReporter) -> Outcome:
    """Run a variant by itself, and write its run file and report."""
    scenario.name = f"{study.name}: variant {number}"
    return run_scenario(
        scenario, make_folder(case_folder(folder, number)), figures=False, overwrite=True, reporter=reporter
    )


def replay_variant(path: Path, folder: Path, which: str, reporter: ProgressReporter | None = None) -> Outcome:
    """Run one variant of a study that has been run, and write its run file and report.

    which    its number, or "worst:1", "best:2" ...
    """
    from ..report.study_report import write_study_report

    study = load_study(path)
    if not (folder / STORE).is_dir():
        raise JourdainError(f"{folder / STORE}: there is no such store; run `jourdain sweep {path}` first")
    store = ResultStore(study, folder)
    try:
        costs = SweepJob(study, store, None, 1).costs() if study.search is not None else None
        data = labelled(study, store, costs)
        number = chosen(study, data, which)
        scenario = study.base.scenario(row_of(study, store, number))
    finally:
        store.close()
    outcome = write_case(study, scenario, number, folder, reporter or ProgressReporter())
    if (folder / REPORT).is_file():
        write_study_report(study, data, folder / REPORT)
    return outcome


def chosen(study: Study, data: xr.Dataset, which: str) -> int:
    """The number of a variant that was named."""
    numbers: Sequence[int] = [int(one) for one in data["variant"].values]
    found = _WHICH.match(which)
    if found:
        order = ranked(study, data)
        place = int(found.group(2))
        if place > len(order):
            raise JourdainError(f"--replay {which}: {len(order)} variants have been run")
        return order[place - 1] if found.group(1) == "worst" else _best(study, data, order)[place - 1]
    if not re.fullmatch(r"[0-9]{1,7}", which):
        raise JourdainError(f"--replay {which}: give the number of a variant, or such as worst:1 or best:1")
    if int(which) not in numbers:
        raise JourdainError(f"--replay {which}: there are variants 0 to {len(numbers) - 1}")
    return int(which)


def _best(study: Study, data: xr.Dataset, order: Sequence[int]) -> list[int]:
    """The other way round, those that failed last."""
    rows = zip(data["variant"].values, data["status"].values, strict=True)
    failed = {int(number) for number, status in rows if status in BAD}
    return [one for one in reversed(order) if one not in failed] + [one for one in order if one in failed]
