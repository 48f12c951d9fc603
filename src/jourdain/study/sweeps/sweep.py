"""`jd.sweep`: all variants of a study, on all cores, into one labelled dataset."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ...basics import units
from ...basics.arguments import checked
from ...basics.errors import JourdainError, ModelError, Problem
from ...basics.platforms import cores
from ...basics.storage import make_folder
from ...basics.values import suggestion
from ..progress import ProgressReporter, alike, gathered_warnings
from ..scenario.scenario import Scenario
from .criteria import Criterion
from .designs import Design, Parameter
from .evolution import Search, place_rows
from .executors import MODES, DaskExecutor, Processes, Threads, VariantBatch, cluster_client
from .store import BAD, DONE, WAITING, Memory, ResultStore, reason_text
from .study import Study, study_problems
from .study_file import load_study
from .variants import PreparedScenario
from .worker_tasks import BATCH, quick_base

if TYPE_CHECKING:
    import xarray as xr


@checked
def sweep(
    study: Study | Scenario | str | os.PathLike[str] | Mapping[str, Any],
    parameters: Mapping[str, Any] | None = None,
    *,
    design: Design | str | None = None,
    criteria: Mapping[str, Criterion] | None = None,
    out: str | os.PathLike[str] | None = None,
    workers: int | None = None,
    mode: str = "auto",
    dask: Any = None,
    tls: Mapping[str, str] | None = None,
    overwrite: bool = False,
    root: str | os.PathLike[str] | None = None,
    progress: bool | None = None,
) -> xr.Dataset:
    """Run all variants of a study and give their results, labelled.

    study         a study file, a mapping of what one would say, a Study, or a `Scenario` with `parameters`
    parameters    of a Scenario made in Python: addresses of `model.parameters`, "state.q.NAME", "state.v.NAME" or
                  "LAW[0]" (number 0 of that law), each with a list of values or a `Parameter`
    design        of those: "grid" unless given, or a `Design`
    criteria      of those, by name
    out           folder for the results, which a later call completes where this one is killed; None: none are kept
    workers       threads or processes; None: as many as there are cores
    mode          "threads", "processes", or "auto": threads where the variants share a model, else processes
    dask          address of a Dask scheduler, or a client, instead of this machine; it must be trusted
    tls           files for a scheduler that takes TLS: {"ca": ..., "cert": ..., "key": ...}
    overwrite     begin again where the folder has results
    root          folder that files named by the study must lie in; None: that of the study file
    progress      False: say nothing

    The dataset has the dimension `variant`; parameters are coordinates on it, limits and criteria variables, with
    `success`, `margin`, `status` (1 done, 2 failed, 3 not trusted) and `reason`. Variants that fail do not stop the
    others. The results are the same whatever runs them, and however often they were interrupted.
    """
    chosen = as_study(study, parameters, design, criteria, root)
    reporter = ProgressReporter(quiet=progress is False)
    with running(chosen, out, workers, mode, dask, tls, overwrite) as job, gathered_warnings(reporter, numbers=False):
        job.run(reporter)
        for text in job.warnings.values():
            reporter.say(f"warning: {text}")
        return job.dataset()


@checked
def evolve(
    study: Study | str | os.PathLike[str] | Mapping[str, Any], search: Search | None = None, **options: Any
) -> xr.Dataset:
    """Search for the best values of a study's parameters by evolution.

    study      as that of `sweep`
    search     how; None: as the study's section `search` says
    options    of `sweep`

    The dataset has every run, in the order of the generations, with `generation` and `cost`; its attribute `best` is
    the number of the best variant. The same seed gives the same runs, whoever runs them.
    """
    names = ("parameters", "design", "criteria", "root")
    chosen = as_study(study, **{name: options.pop(name, None) for name in names})
    if search is not None:
        chosen = replace(chosen, search=search, design=None)
    if chosen.search is None:
        raise ModelError.at("search", "the study has no section search; give search=jd.study.Search(minimise=...)")
    return sweep(chosen, **options)


def as_study(
    study: Any,
    parameters: Mapping[str, Any] | None = None,
    design: Design | str | None = None,
    criteria: Mapping[str, Criterion] | None = None,
    root: str | os.PathLike[str] | None = None,
) -> Study:
    """The study that `sweep` was given."""
    if not isinstance(study, Scenario):
        if parameters is not None or design is not None or criteria is not None:
            raise ModelError.at("parameters", "belong to a Scenario made in Python; a study has its own")
        return study if isinstance(study, Study) else load_study(study, root=root)
    if not parameters:
        raise ModelError.at("parameters", "say what is varied: {address: values}")
    some = [
        replace(one, name=one.name or name) if isinstance(one, Parameter) else Parameter(name, one, name=name)
        for name, one in parameters.items()
    ]
    kept = [replace(one, name=name) for name, one in (criteria or {}).items()]
    chosen = design if isinstance(design, Design) else Design(design or "grid")
    problems = chosen.problems(some) + study_problems(some, kept, study.limits)
    if problems:
        raise ModelError([Problem(*one) for one in problems])
    return Study(study.name, PreparedScenario(study, some), tuple(some), chosen, tuple(kept), study.task)


@contextmanager
def running(
    study: Study,
    out: str | os.PathLike[str] | None = None,
    workers: int | None = None,
    mode: str = "auto",
    dask: Any = None,
    tls: Mapping[str, str] | None = None,
    overwrite: bool = False,
) -> Iterator[SweepJob]:
    """A job of a study, its store open and its workers at hand."""
    if mode not in MODES:
        raise ModelError.at("mode", f"got {mode!r}; {suggestion(str(mode), MODES)}")
    if workers is not None and (not isinstance(workers, int) or isinstance(workers, bool) or workers < 1):
        raise ModelError.at("workers", f"got {workers!r}; give a whole number, or None for all cores")
    with ExitStack() as stack:
        store = Memory(study) if out is None else ResultStore(study, make_folder(Path(out)), overwrite)
        stack.callback(store.close)
        farm: Any
        if dask is not None:
            client = stack.enter_context(cluster_client(dask, dict(tls or {}))) if isinstance(dask, str) else dask
            farm, count = DaskExecutor(study, client), max(1, sum(client.nthreads().values()))
        else:
            count = workers or cores()
            threads = mode == "threads" or (mode == "auto" and (study.shares_model or study.bundle is None))
            farm = Threads(study, count) if threads else Processes(study, count)
        stack.callback(farm.close)
        yield SweepJob(study, store, farm, count)


class SweepJob:
    """A study on its way: what is done is in the store, the rest goes to the farm."""

    def __init__(self, study: Study, store: Memory, farm: Any, workers: int) -> None:
        self.study, self.store, self.farm, self.workers = study, store, farm, workers
        self.status = store.get("status")
        self.warnings: dict[str, str] = {}

    @property
    def begun(self) -> int:
        """Variants that were done before."""
        return int(np.sum(self.status != WAITING))

    def run(self, reporter: ProgressReporter) -> None:
        """Everything that is not done yet."""
        study = self.study
        if self.begun:
            reporter.say(f"{study.name}: {self.begun} of {study.size} variants are done already")
        with reporter.count(study.name, study.size, self.begun) as show:
            self.show = show
            if study.search is not None:
                self._search(study.search)
            else:
                if not self.begun:
                    self.store.put("parameters", 0, coded(study, study.rows))
                self._finish(range(len(study.rows)), study.rows)
        self.store.settle()

    def _finish(self, variants: range, rows: Sequence[Sequence[Any]]) -> None:
        """The variants of a range that are not done, with these values."""
        for task, found in self.farm.run(self._tasks(variants, rows)):
            if found.units and not self.store.units:
                self.store.put_units(found.units)
            self.store.keep(task.first, found.results)
            self.status[task.first : task.first + len(task.rows)] = [one.status for one in found.results]
            for text in found.warnings:
                self.warnings.setdefault(alike(text), text)
            self.show(self.begun, int(np.sum(np.isin(self.status, BAD))))

    def _tasks(self, variants: range, rows: Sequence[Sequence[Any]]) -> list[VariantBatch]:
        """What is left of a range: one by one, or in pieces where variants run together in one loop."""
        waiting = [i for i in variants if self.status[i] == WAITING]
        together = BATCH if quick_base(self.study) is not None else 1
        longest = max(1, min(together, len(waiting) // (4 * self.workers)))
        tasks: list[VariantBatch] = []
        for i in waiting:
            last = tasks[-1] if tasks else None
            if last is not None and last.first + len(last.rows) == i and len(last.rows) < longest:
                last.rows.append(rows[i - variants.start])  # type: ignore[attr-defined]
            else:
                tasks.append(VariantBatch(i, [rows[i - variants.start]]))
        return tasks

    def _search(self, search: Search) -> None:
        """Generation by generation; what earlier ones found decides what the next ones try."""
        size = len(self.study.parameters)
        for number in range(search.generations):
            part = search.generation(number)
            places = search.places(number, size, self.store.get("places")[: part.start], self.costs()[: part.start])
            rows = place_rows(self.study.parameters, places)
            self.store.put("places", part.start, places)
            self.store.put("parameters", part.start, coded(self.study, rows))
            self._finish(range(part.start, part.stop), rows)
            if search.reached(float(np.min(self.costs()))):
                return

    def costs(self) -> np.ndarray:
        """What the runs of a search cost; infinite where there is none yet."""
        search = self.study.search
        assert search is not None
        values = self.store.get("values")
        names = [one.name for one in self.study.columns]
        found = {name: values[:, i] for i, name in enumerate(names)}
        if "score" in search.variables:
            found["score"] = self._scores(found)
        cost = search.cost(found)
        return np.where(self.status == DONE, cost, np.inf)

    def _scores(self, found: Mapping[str, np.ndarray]) -> np.ndarray:
        from .scoring import leaves, membership

        if self.study.score is None:
            raise JourdainError('the search asks for "score"; the study has no section score')
        total = np.zeros(len(self.status))
        for leaf in leaves(self.study.score):
            total = total + leaf.weight * membership(leaf.spec, found[leaf.spec["variable"]])
        return total

    def dataset(self) -> xr.Dataset:
        """What there is so far, labelled."""
        return labelled(self.study, self.store, self.costs() if self.study.search is not None else None)


def coded(study: Study, rows: Sequence[Sequence[Any]]) -> np.ndarray:
    """Values of the parameters as numbers: those that are none become their place in the list of values."""
    out = np.empty((len(rows), len(study.parameters)))
    for k, one in enumerate(study.parameters):
        if one.numeric:
            out[:, k] = [float(row[k]) for row in rows]
        else:
            places = {repr(value): i for i, value in enumerate(one.choices or ())}
            out[:, k] = [places[repr(row[k])] for row in rows]
    return out


def row_of(study: Study, store: Memory, variant: int) -> tuple[Any, ...]:
    """Values of the parameters of a variant."""
    if study.search is None:
        return study.rows[variant]
    return place_rows(study.parameters, store.get("places")[variant : variant + 1])[0]


def labelled(study: Study, store: Memory, costs: np.ndarray | None = None) -> xr.Dataset:
    """The results of a study as a dataset over `variant`."""
    import xarray as xr

    status = store.get("status")
    kept = np.arange(len(status))
    if study.search is not None:
        kept = np.flatnonzero(np.isfinite(store.get("parameters")[:, 0]))
    given, values = store.get("parameters")[kept], store.get("values")[kept]
    coordinates: dict[str, Any] = {"variant": kept}
    for k, one in enumerate(study.parameters):
        where = {"address": ", ".join(one.at)} | ({"units": units.in_si(one.unit)} if one.unit else {})
        if one.numeric:
            coordinates[one.name] = ("variant", given[:, k], where)
        else:
            words = [value if isinstance(value, str) else repr(value) for value in one.choices or ()]
            coordinates[one.name] = ("variant", np.array([words[int(i)] if i == i else "" for i in given[:, k]]), where)
    out: dict[str, Any] = {}
    for k, (column, unit) in enumerate(zip(study.columns, store.units or [""] * len(study.columns))):
        out[column.name] = ("variant", values[:, k], {"units": unit, "about": column.about})
    out["success"] = ("variant", (status[kept] == DONE) & (values[:, 0] == 1.0), {"about": study.columns[0].about})
    out["status"] = ("variant", status[kept], {"about": "0 not run yet, 1 done, 2 failed, 3 not trusted"})
    reasons = store.get("reason")[kept]
    bad = {int(i): reason_text(reasons[i]) for i in np.flatnonzero(np.isin(status[kept], BAD))}
    out["reason"] = (
        "variant",
        np.array([bad.get(i, "") for i in range(len(kept))]),
        {"about": "why it failed, or is not trusted"},
    )
    attrs: dict[str, Any] = {"study": study.name, "hash": study.hash, "task": study.task}
    if costs is not None and study.search is not None:
        search = study.search
        number = np.zeros(len(status), np.int64)
        for g in range(search.generations):
            number[search.generation(g)] = g
        out["cost"] = ("variant", costs[kept], {"about": "what the search makes small"})
        coordinates["generation"] = ("variant", number[kept])
        if np.any(np.isfinite(costs[kept])):
            attrs["best"] = int(kept[np.argmin(costs[kept])])
    found = xr.Dataset(out, coordinates, attrs)
    if study.score is not None and study.search is None:
        from .scoring import score

        found = score(found, study.score)
    return found


def folder_of(path: Path) -> Path:
    """Where the results of a study file go unless told."""
    return Path("out") / path.stem
