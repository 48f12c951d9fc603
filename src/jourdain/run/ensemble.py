"""`jd.simulate_many`: one model, many initial states or parameters, on all cores, with no Python in between."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ..basics.arguments import checked
from ..basics.errors import ModelError
from ..basics.types import Controllers, Events, KeptBy, OneOrManyStates
from ..basics.values import as_array
from ..basics.warn import warn
from ..describe.motions import Motion
from ..model.contact_start import penetration
from ..model.model import Model
from ..model.start_state_limits import warn_of_start
from ..model.state import State
from ..results.run import Record, Run
from ..results.trust import TOLERANCE, Trust, TrustWarning, closes, judge
from .constraint_start import check_start
from .contact_steps import StepCheck, StepRefused, StepWarning
from .error_reporting import LAW_FAILED, failed_law, law_reason
from .gpu.cases import Cases, check_device, check_plan
from .loop import features, loop
from .plan import Plan
from .recording import warn_out_of_range

if TYPE_CHECKING:
    import xarray as xr

NOT_FINITE = "the state stopped being finite; try a smaller step"
"""Why a case failed, where nothing more is known."""


class Ensemble:
    """Many runs of one model at the same sample times.

    model      what was run
    time       (nt,) [s]
    record     arrays with the case as first dimension: q (cases, nt, nq), v, z, effort, energy
    failed     cases that stopped, left their constraints or were refused, and when [s]; their later samples are
               not-a-number
    reasons    why they did
    """

    def __init__(
        self,
        model: Model,
        record: Record,
        options: dict[str, Any],
        failed: dict[int, float],
        reasons: dict[int, str] | None = None,
    ) -> None:
        self.model = model
        self.record = record
        self.options = options
        self.failed = failed
        self.reasons = {case: NOT_FINITE for case in failed} | (reasons or {})

    @cached_property
    def _trust(self) -> list[Trust | None]:
        """Whether the energy balance of each case closes; None of those that failed."""
        fine, errors, tolerance = closes(self.model, self.record.energy, self.options)
        return [
            None if case in self.failed
            else Trust(float(errors[case]), tolerance) if fine[case]
            else judge(self.model, self._case(case), self.options)
            for case in range(len(self))
        ]  # fmt: skip

    @cached_property
    def untrusted(self) -> dict[int, Trust]:
        """Cases whose energy balance does not close, each with when and why; see `Run.trusted`."""
        return {case: one for case, one in enumerate(self._trust) if one is not None and not one}

    @property
    def time(self) -> np.ndarray:
        """Sample times (nt,) [s]."""
        return self.record.time

    def __len__(self) -> int:
        return len(self.record.q)

    def __iter__(self) -> Iterator[Run]:
        return (self[case] for case in range(len(self)))

    def __getitem__(self, case: int) -> Run:
        """One case as a Run; a failed one up to its last finite sample."""
        if not isinstance(case, int | np.integer):
            raise TypeError(f"a case is a whole number, got {case!r}; the arrays of all cases are in .record")
        case = range(len(self))[case]
        run = Run(self.model, self._case(case), self.options, partial=case in self.failed)
        if self._trust[case] is not None:
            run.__dict__["trusted"] = self._trust[case]  # it was judged with the others
        return run

    def _case(self, case: int) -> Record:
        """Samples of a case; of one that failed up to the last before that."""
        r = self.record
        keep = slice(None)
        if case in self.failed:
            reached = (r.time <= self.failed[case]) & np.isfinite(r.energy[case, :, 0])
            keep = slice(0, max(1, int(np.sum(reached))))
        columns = (r.q[case], r.v[case], r.z[case], r.effort[case], r.energy[case])
        return Record(r.time[keep], *(np.array(column[keep]) for column in columns))

    def _labelled(self, values: np.ndarray, names: Sequence[str], what: str) -> xr.Dataset:
        import xarray as xr

        coordinates = {"case": np.arange(len(self)), "time": self.time}
        columns = {name: (("case", "time"), values[:, :, i]) for i, name in enumerate(names)}
        return xr.Dataset(columns, coordinates, attrs={"what": what, "model": self.model.name})

    @property
    def q(self) -> xr.Dataset:
        """Coordinates by name, dimensions (case, time)."""
        return self._labelled(self.record.q, self.model.names.q, "q")

    @property
    def v(self) -> xr.Dataset:
        """Velocities by name, dimensions (case, time)."""
        return self._labelled(self.record.v, self.model.names.v, "v")

    @property
    def effort(self) -> xr.Dataset:
        """Supplied efforts by name, dimensions (case, time)."""
        return self._labelled(self.record.effort, self.model.names.v, "effort")

    @property
    def energy(self) -> xr.Dataset:
        """Energies [J], with `total` and `balance`, dimensions (case, time)."""
        from ..results.run import ENERGY

        out = self._labelled(self.record.energy, ENERGY, "energy")
        out["total"] = out["kinetic"] + out["gravity"] + out["strain"] + out["contact"]
        out["balance"] = out["total"] - out["total"].isel(time=0) - out["work"] + out["dissipated"]
        return out

    def __repr__(self) -> str:
        bad = f", {len(self.failed)} failed" if self.failed else ""
        bad += f", {len(self.untrusted)} not trusted" if self.untrusted else ""
        return f"<Ensemble of {self.model.name!r}: {len(self)} cases, {len(self.time)} samples{bad}>"


@checked
def simulate_many(
    model: Model,
    states: OneOrManyStates,
    until: float,
    step: float | None = None,
    method: str | None = None,
    *,
    parameters: ArrayLike | None = None,
    output: float | None = None,
    motions: Mapping[str, Motion] | None = None,
    controller: Controllers | None = None,
    rtol: float = 1e-9,
    atol: float = 1e-11,
    max_step: float | None = None,
    events: Events | None = None,
    workers: int | None = None,
    constraints: KeptBy | None = None,
    step_check: str = "refuse",
    energy_tolerance: float = TOLERANCE,
    device: str | None = None,
) -> Ensemble:
    """Simulate a model from many states, on all cores or on a GPU.

    states        a State for each case, or one for all
    parameters    (cases, np) parameters of the laws, one row a case, in the order of the laws; None: as bound
    output        interval of what is kept [s]; without it a fixed-step run keeps its first and last sample
    events        none: they happen in `simulate` only
    constraints   as in `simulate`; every state must be on the constraints
    workers       threads; None: as many as there are cores
    step_check    as in `simulate`: cases whose step is too large for the stiffness of a contact fail, or are warned of
    device        "cuda": a thread a case on an NVIDIA GPU, explicit methods at fixed steps; None or "cpu": here
    The rest as in `simulate`. All cases start at the same time. One that fails does not stop the others; cases whose
    energy balance does not close are in `Ensemble.untrusted`, and a TrustWarning says so.
    """
    check_device(device)
    if not (events is None or (isinstance(events, list | tuple) and not events)):
        raise ModelError.at("events", "they need Python within a run; use jd.simulate, case by case")
    given = [states] if isinstance(states, State) else list(states)
    if not given:
        raise ModelError.at("states", "got none; give at least one State")
    starts = {state.time for state in given}
    if len(starts) > 1:
        raise ModelError.at("states", f"they start at {len(starts)} different times; give them one time")
    plans = [
        Plan(
            model,
            state,
            until,
            step,
            cases=True,
            method=method,
            output=output,
            motions=motions,
            controller=controller,
            rtol=rtol,
            atol=atol,
            max_step=max_step,
            constraints=constraints,
            step_check=step_check,
            energy_tolerance=energy_tolerance,
        ).prepare()  # fmt: skip
        for state in _distinct(given, motions)
    ]
    plan = plans[0]
    for state in given[1:]:
        if plan.constraint_functions is not None:
            check_start(model, state.time, np.array(state.q, float), np.array(state.v, float), {}, warns=False)
    warn_of_start(model, given)
    values, cases = _check_cases(plan, given, parameters, workers)
    if not plan.fixed and output is None:
        raise ModelError.at("output", f'"{plan.method}" chooses its steps; give output= [s] for common sample times')
    if device == "cuda":
        check_plan(plan)
    many = _Batch(plan, given, values, cases, workers).run(device == "cuda")
    _warn_of_failures(many, model.name)
    return many


def _check_cases(plan: Plan, given: list[State], parameters: Any, workers: Any) -> tuple[np.ndarray, int]:
    """Parameters of the laws, a row a case or one for all, and how many cases there are."""
    values = plan.laws.parameters[None]
    if parameters is not None:
        values = np.atleast_2d(as_array(parameters, "parameters"))
        if values.shape[1] != len(plan.laws.parameters):
            raise ModelError.at(
                "parameters", f"rows of {values.shape[1]} numbers; the laws take {len(plan.laws.parameters)}"
            )
        if not np.all(np.isfinite(values)):
            raise ModelError.at("parameters", "some are not finite numbers")
    if workers is not None and (not isinstance(workers, int) or workers < 1):
        raise ModelError.at("workers", f"got {workers!r}; give a whole number of threads, or None for all cores")
    cases = max(len(given), len(values))
    for what, count in (("states", len(given)), ("parameters", len(values))):
        if count not in (1, cases):
            raise ModelError.at(what, f"{count} of them for {cases} cases; give one for all, or one a case")
    for law in plan.laws.bound:
        for one in (law, law.inner):
            if one is not None and one.outside:
                raise ModelError.at(
                    one.name, "a Python function cannot run on all cores; make it a law, or use jd.simulate"
                )
    return values, cases


def _warn_of_failures(many: Ensemble, name: str) -> None:
    """Warns of cases that failed for a reason of their own, and of those that are not trusted."""
    stopped = {case: many.reasons[case] for case in many.failed if many.reasons[case] != NOT_FINITE}
    for kind, bad in ((StepWarning, stopped), (TrustWarning, {k: one.reason for k, one in many.untrusted.items()})):
        if bad:
            first, word = next(iter(bad)), "failed" if kind is StepWarning else "not trusted"
            warn(f"{name}: {len(bad)} of {len(many)} cases {word}; case {first}: {bad[first]}", kind)


def _distinct(states: list[State], motions: Any) -> list[State]:
    """The states that a plan must be made for: all where motions start from them, else the first."""
    if motions and len(states) > 1:
        raise ModelError.at("motions", "a profile starts from the state's value; give one state for all cases")
    return states[:1]


class _Batch:
    def __init__(
        self, plan: Plan, states: list[State], parameters: np.ndarray, cases: int, workers: int | None
    ) -> None:
        from ..kernels.control.sampling import SampledParameters

        self.plan = plan
        self.cases = cases
        self.parameters = np.array(np.broadcast_to(parameters, (cases, parameters.shape[1])), order="C")
        for piece in plan.laws.pieces:
            if piece.sampler is not None:  # each case its own noise
                self.parameters[:, piece.p[0] + SampledParameters.columns.seed] += np.arange(cases)
        shaped = [np.array(np.broadcast_to(c, (cases, c.shape[1])), order="C") for c in plan.initials(states)]
        self.q, self.v, self.latched, self.z = shaped
        self.workers = max(1, min(cases, workers or os.cpu_count() or 1))

    def run(self, on_gpu: bool = False) -> Ensemble:
        """All cases, here or on a GPU."""
        plan, model = self.plan, self.plan.model
        if plan.fixed:
            if not plan.interval:
                plan.every = plan.steps
            times = plan.start + plan.step * np.arange(0, plan.steps, plan.every)
            times = np.append(times, plan.until)
        else:
            count = int((plan.until - plan.start) / plan.interval * (1.0 + 1e-12)) + 1
            times = plan.start + plan.interval * np.arange(count)
            if times[-1] < plan.until - 1e-9 * plan.interval:
                times = np.append(times, plan.until)
        widths = (model.nq, model.nv, len(model.names.z) + plan.laws.states, model.nv, 6)
        # rows are written once, by the threads: a row was reached where its time is a number
        self.times = np.full((self.cases, len(times)), np.nan)
        self.columns = [np.empty((self.cases, len(times), width)) for width in widths]
        self.done = np.zeros(self.cases, np.int64)
        self.failed: dict[int, float] = {}
        self.reasons: dict[int, str] = {}
        self.warned: dict[str, str] = {}
        if on_gpu:
            for column in self.columns:
                column[:] = np.nan
            self._on_gpu()
        else:
            self._on_cores()
        for text in self.warned.values():
            warn(text, StepWarning)
        record = Record(times, *self.columns)
        if model.arrays.flexible.size:
            warn_out_of_range(model, self.times.reshape(-1), self.columns[0].reshape(-1, model.nq))
        options = plan.options() | {"cases": self.cases}
        return Ensemble(model, record, options, dict(sorted(self.failed.items())), self.reasons)

    def _on_cores(self) -> None:
        plan = self.plan
        bounds = np.linspace(0, self.cases, self.workers * (1 if self.workers == 1 else 4) + 1).astype(int)
        work = self._fixed if plan.fixed else self._adaptive
        self.go = plan.stepper.ready(features(plan)).python
        self.first = loop(plan, plan.workspace())
        with ThreadPoolExecutor(self.workers) as pool:
            for future in [pool.submit(work, a, b) for a, b in zip(bounds, bounds[1:], strict=False) if b > a]:
                future.result()

    def _on_gpu(self) -> None:
        from ..kernels.contact.contact_rows import ContactPeak, Flight
        from ..kernels.rows import Table

        plan = self.plan
        state = {"p": self.parameters, "q": self.q, "v": self.v, "z": self.z, "latched": self.latched}
        cases = Cases(plan, state, self.times, self.columns)
        cases.run()
        stopped = np.flatnonzero(cases.done[:, 0] == LAW_FAILED).tolist()
        for case in np.flatnonzero((cases.done[:, 0] < plan.steps) & (cases.done[:, 0] != LAW_FAILED)).tolist():
            self.failed[case] = plan.start + float(cases.done[case, 0]) * plan.step
        for case in range(self.cases) if plan.model.contacts.names else ():
            flags = SimpleNamespace(penetration_exceeded=int(cases.done[case, 1]))
            peaks, flights = Table(cases.kept["peaks"][case], ContactPeak), Table(cases.kept["flights"][case], Flight)
            if case not in stopped:
                self._check_contacts(
                    case, SimpleNamespace(flags=flags, peaks=peaks, flights=flights, known=cases.known)
                )
        if stopped:
            self._rerun_first(stopped)

    def _rerun_first(self, stopped: list[int]) -> None:
        """A GPU does not say what stopped a case: the first of them runs here, and says it for all."""
        plan, first = self.plan, stopped[0]
        self.go = plan.stepper.ready(features(plan)).python
        self.first = loop(plan, plan.workspace())
        self._fixed(first, first + 1)
        why = self.reasons.get(first, "")
        for case in stopped[1:]:
            rows = int(np.sum(np.isfinite(self.times[case])))
            self.failed[case] = float(self.times[case, max(rows - 1, 0)]) if rows else plan.start
            self.reasons[case] = f"a law failed, as in case {first}: {why}"

    def _loop(self, tape: Any) -> Any:
        """A record of a thread's own: the compiled functions and the model are those of all."""
        from ..kernels.integrate.loop_records import buffers

        plan, model, first = self.plan, self.plan.model, self.first
        state = {name: getattr(first, name).copy() for name in ("p", "q", "v", "z", "latched", "integrator", "clock")}
        rows = len(first.buffers.K)
        scratch = buffers(rows, model.nq, model.nv, len(plan.z), len(model.arrays.paths))
        return first._replace(ws=plan.workspace(), buffers=scratch, tape=tape, **state)

    def _fixed(self, a: int, b: int) -> None:
        from ..kernels.integrate.loop_records import Tape

        plan = self.plan
        ws = None
        touching = bool(plan.model.contacts.names)
        for first in range(a, b) if touching else (a,):
            last = first + 1 if touching else b
            flat = [
                column[first:last].reshape((last - first) * column.shape[1], column.shape[2]) for column in self.columns
            ]
            run = self._loop(Tape(self.times[first:last].reshape(-1), *flat))
            if ws is not None:
                run = run._replace(ws=ws)
            ws = run.ws
            self._steps(run, first, last)
            for case in range(first, last):
                if 0 <= self.done[case] < plan.steps:
                    self.failed[case] = plan.start + float(self.done[case]) * plan.step
                if self.done[case] < plan.steps:
                    self._clear_unreached(case)
            if touching:
                self._check_contacts(first, ws)

    def _steps(self, run: Any, first: int, last: int) -> None:
        """The steps of cases; one in which a law fails is left, and those behind it go on."""
        plan = self.plan
        self.done[first:last] = LAW_FAILED
        while first < last:
            try:
                self.go(
                    run, plan.start, plan.step, plan.steps, plan.every, self.parameters[first:last],
                    self.q[first:last], self.v[first:last], self.z[first:last], self.latched[first:last],
                    self.times.shape[1], self.done[first:last],
                )  # fmt: skip
                return
            except Exception as error:
                case = int(first) + int(np.argmax(self.done[first:last] == LAW_FAILED))
                self._failed_law(case, error, run.ws)
                passed, first = case + 1 - first, case + 1
                columns = (getattr(run.tape, name) for name in run.tape.fields)
                run = run._replace(tape=type(run.tape)(*(one[passed * self.times.shape[1] :] for one in columns)))

    def _failed_law(self, case: int, error: Exception, ws: Any) -> None:
        """Notes a case that a law of a user's stopped; any other error goes on."""
        law, t = failed_law(error, ws)
        if not law:
            raise error
        self.failed[case], self.reasons[case] = t, f'"{law}" at t = {t:.9g} s: {law_reason(error)}'

    def _clear_unreached(self, case: int) -> None:
        """Leaves not-a-number in the rows that a case did not reach."""
        for column in self.columns:
            column[case, np.isnan(self.times[case])] = np.nan

    def _check_contacts(self, case: int, ws: Any) -> None:
        """Whether the step was short enough for the contacts of a case, and whether shapes stayed out of each other."""

        plan, model = self.plan, self.plan.model
        if ws.flags.penetration_exceeded != 0:
            self.reasons[case] = penetration(model, ws)[1]
        if not plan.fixed:
            return
        check = StepCheck(model, plan.method, plan.step, plan.events.held, plan.step_check, self._note_warning)
        q = self.q[case] if np.all(np.isfinite(self.q[case])) else model.neutral
        try:
            check.check_peaks(ws.peaks.array, q)
            if case not in self.failed:
                check.check_state(q, self.v[case], self.z[case], self.latched[case], ws.known)
            check.warn_of_tunnelling(ws.flights.array)
        except StepRefused as refused:
            self.reasons[case], self.failed[case] = str(refused), plan.start
            for column in self.columns:
                column[case, 1:] = np.nan

    def _note_warning(self, text: str) -> None:
        """Keeps a warning of a case, once where those of others differ in numbers only."""
        self.warned.setdefault(re.sub(r"[0-9.e+-]+", "#", text), text)

    def _adaptive(self, a: int, b: int) -> None:
        from ..kernels.integrate.loop_records import tape
        from ..kernels.integrate.loop_status import Status
        from ..kernels.rows import copy_row

        plan, model = self.plan, self.plan.model
        out = tape(self.times.shape[1] + 8, model.nq, model.nv, self.columns[2].shape[2])
        run = self._loop(out)
        start, integrator = run.clock.copy(), run.integrator.copy()
        for case in range(a, b):
            run.p[:], run.q[:], run.v[:] = self.parameters[case], self.q[case], self.v[case]
            run.z[:], run.latched[:] = self.z[case], self.latched[case]
            copy_row(run.clock, start)
            copy_row(run.integrator, integrator)
            out.time[:] = np.nan
            try:
                status, rows = self.go(run, plan.until, np.iinfo(np.int64).max, 0)
            except Exception as error:
                self._failed_law(case, error, run.ws)
                status, rows = Status.OK, int(np.argmax(np.append(np.isnan(out.time), True)))
            for column, made in zip((self.times, *self.columns), out, strict=True):
                column[case, :rows] = made[:rows]
            if status != Status.OK:
                self.failed[case] = float(run.clock.now)
            self._clear_unreached(case)
            if plan.model.contacts.names:
                self._check_contacts(case, run.ws)
