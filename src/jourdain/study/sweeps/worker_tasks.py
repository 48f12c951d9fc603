"""What a worker does: variants of a study, run and measured. A failure is a result with a reason, never an error."""

from __future__ import annotations

import atexit
import os
import shutil
import tempfile
import threading
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any, NamedTuple

from ...basics.errors import JourdainError, SimulationError
from ..scenario.scenario import JUDGED, TIMING, Scenario
from .criteria import measure
from .store import DONE, FAILED, UNTRUSTED, Result
from .study import Bundle, Study
from .variants import ParsedScenario, PreparedScenario

if TYPE_CHECKING:
    from ...results.run import Run

BATCH = 256
"""Variants that run in one compiled loop, so that their samples fit into memory."""


class SweepStopped(BaseException):
    """The sweep was told to stop while this variant ran; it has no result."""


class Finished(NamedTuple):
    """Results of some variants, units of the variables where a run told them, and warnings."""

    results: list[Result]
    units: list[str]
    warnings: list[str]


def run_rows(study: Study, rows: Sequence[Sequence[Any]], stop: Callable[[], bool] | None = None) -> Finished:
    """Run variants with these values of the parameters.

    stop    says whether to leave off; a variant that was running then has no result
    """
    fast = quick_base(study)
    if fast is not None:
        return _together(study, fast, rows)
    results: list[Result] = []
    units: list[str] = []

    def progress(time: float) -> None:
        if stop is not None and stop():
            raise SweepStopped

    for row in rows:
        if stop is not None and stop():
            raise SweepStopped
        result, stated = _alone(study, row, progress)
        results.append(result)
        units = units or stated
    return Finished(results, units, [])


def _alone(study: Study, row: Sequence[Any], progress: Callable[[float], None]) -> tuple[Result, list[str]]:
    try:
        scenario = study.base.scenario(row)
        run = scenario.simulate(progress=progress)
        return _measured(run, scenario, study)
    except SweepStopped:
        raise
    except MemoryError:
        return Result(FAILED, (), "there is not enough memory"), []
    except Exception as error:
        return Result(FAILED, (), reason(error)), []


def _measured(run: Run, scenario: Scenario, study: Study) -> tuple[Result, list[str]]:
    """What a run says, and units; where it is not trusted, so does the result, with the reason."""
    values, units = measure(run, scenario.limits, study.criteria)
    if not run.trusted:
        return Result(UNTRUSTED, values, f"not trusted: {run.trusted.reason}"), units
    return Result(DONE, values), units


def reason(error: BaseException) -> str:
    """Why a variant failed, in one line."""
    if isinstance(error, SimulationError):
        text = error.described
    elif getattr(error, "problems", None):
        first = error.problems[0]  # type: ignore[attr-defined]
        text = f"{first.address}: {first.message}" if first.address else first.message
    elif isinstance(error, JourdainError):
        text = str(error)
    else:
        text = f"{type(error).__name__}: {error}"
    return " ".join(text.split())


def quick_base(study: Study) -> PreparedScenario | None:
    """A base whose variants run in one compiled loop; None where they need a run each."""
    found = study.__dict__.get("quick_base", False)
    if found is False:
        found = study.__dict__["quick_base"] = _quick_base(study)
    return found


def _quick_base(study: Study) -> PreparedScenario | None:
    base = study.base
    if isinstance(base, PreparedScenario):
        return base if base.batched else None
    if not isinstance(base, ParsedScenario) or not all(one.numeric for one in study.parameters):
        return None
    addresses = [address for one in study.parameters for address in one.at]
    if not all(address.startswith(("state.q.", "state.v.")) for address in addresses):
        return None
    scenario: Scenario = study.scenario
    if scenario.control is not None:
        return None  # controllers may begin from the state of the scenario
    try:
        made = PreparedScenario(scenario, study.parameters)
    except JourdainError:
        return None
    return made if made.batched else None


def _together(study: Study, base: PreparedScenario, rows: Sequence[Sequence[Any]]) -> Finished:
    """Variants that share the model and differ in states and parameters of laws, in one compiled loop."""
    from ...run.ensemble import simulate_many
    from ...run.plan import Timing

    scenario = base.prepared
    times = {name: getattr(scenario, name) for name in TIMING}
    timing = Timing(scenario.state.time, **times)
    options = {name: getattr(scenario, name) for name in (*TIMING, *JUDGED) if name != "output"}
    results: list[Result] = []
    units: list[str] = []
    for first in range(0, len(rows), BATCH):
        some = rows[first : first + BATCH]
        try:
            states, table = base.arrays(some)
            many = simulate_many(
                scenario.model, states, parameters=table if table.size else None, output=timing.every * timing.step,
                controller=scenario.controller, workers=1, **options,
            )  # fmt: skip
        except Exception as error:
            results += [Result(FAILED, (), reason(error))] * len(some)
            continue
        for case in range(len(many)):
            if case in many.failed:
                text = f"{scenario.model.name}: stopped at t = {many.failed[case]:.9g} s: {many.reasons[case]}"
                results.append(Result(FAILED, (), text))
                continue
            result, stated = _measured(many[case], scenario, study)
            results.append(result)
            units = units or stated
    return Finished(results, units, [])


_STUDIES: dict[str, Study] = {}
_READING = threading.Lock()


def study_of(bundle: Bundle) -> Study:
    """The study of a bundle, read once in a process, from a temporary folder of its own."""
    with _READING:
        if bundle.hash not in _STUDIES:
            from .study_file import load_study

            folder = unpack(bundle)
            _STUDIES[bundle.hash] = load_study(folder / bundle.main, root=folder)
        return _STUDIES[bundle.hash]


def unpack(bundle: Bundle) -> Path:
    """The files of a bundle in a temporary folder, which is removed when the process ends."""
    folder = Path(tempfile.mkdtemp(prefix="jourdain-study-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for name, raw in bundle.files.items():
        inside = PurePosixPath(name)
        if inside.is_absolute() or ".." in inside.parts or os.path.isabs(name):
            raise JourdainError(f"the study names a file {name!r} outside its folder")
        path = folder / inside
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(raw)
    return folder


def run_bundle(bundle: Bundle, rows: Sequence[Sequence[Any]]) -> Finished:
    """The same in another process, of this machine or of a cluster; warnings come back too."""
    os.environ.setdefault("JOURDAIN_AHEAD", "off")
    study = study_of(bundle)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        found = run_rows(study, rows)
    kinds = (UserWarning, RuntimeWarning)
    said = dict.fromkeys(" ".join(str(one.message).split()) for one in caught if issubclass(one.category, kinds))
    return found._replace(warnings=list(said))
