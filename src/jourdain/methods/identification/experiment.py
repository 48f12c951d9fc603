"""An experiment: a run that is made again with other values of parameters, at the same times."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ...basics.errors import ModelError
from ...basics.values import suggestion
from ...compile.variation import with_parameters
from ...describe.laws import as_law
from ...describe.motions import Motion
from ...describe.parameters import LAW, STATE, addresses, find, read
from ...model.model import Model
from ...model.state import State
from ...results.quantities import quantity, understand
from ...results.run import Run
from ...run.lockstep import in_step, may_lock
from ...run.plan import Plan
from ...run.simulate import simulate

KEPT = 64
"""Models with other values that are kept."""
TIGHT = 1e-11
"""Tolerance of runs whose steps cannot be given, so that their differences have little noise."""


@dataclasses.dataclass(frozen=True)
class Drive:
    """What drives a run and how it is integrated: as `jd.simulate` takes it."""

    step: float | None = None
    method: Any = None
    motions: Mapping[str, Motion] | None = None
    controller: Any = None
    rtol: float = 1e-10
    atol: float = 1e-12
    max_step: float | None = None
    constraints: Any = None
    events: Any = None


class Experiment:
    """A model from a state, looked at at some times.

    model, state    what it begins with
    times           (nt,) at which quantities are wanted [s], increasing, not before the state's
    drive           what acts on it
    models          that were made of this one with other values, shared by experiments with it
    """

    def __init__(
        self,
        model: Model,
        state: State,
        times: Sequence[float] | np.ndarray,
        drive: Drive,
        models: dict[tuple[Any, ...], Model] | None = None,
    ) -> None:
        self.model, self.state, self.drive = model, state, drive
        self.models = {} if models is None else models
        self.times = np.ascontiguousarray(times, float)
        if self.times.ndim != 1 or not len(self.times) or not np.all(np.isfinite(self.times)):
            raise ModelError.at("times", "give finite times [s] in a list")
        if np.any(np.diff(self.times) <= 0.0) or self.times[0] < state.time - 1e-12:
            raise ModelError.at("times", f"they must increase, from {state.time:g} s, the time of the state, on")
        self.places = addresses(model.description)
        given = drive.controller
        some = [] if given is None else list(given) if isinstance(given, list | tuple) else [given]
        self.laws = [as_law(one, "controller", model) for one in some]
        self._grid: np.ndarray | None = None

    @cached_property
    def locked(self) -> bool:
        """Whether runs take the same steps."""
        return self.drive.step is None and may_lock(self._plan(self.model, self.state, self.laws))

    def value(self, address: str) -> float:
        """The value that a parameter has; a `ModelError` where there is none."""
        state, law = STATE.match(address), LAW.match(address)
        if state:
            kind, name = state.groups()
            index = getattr(self.model.index, kind)
            if name not in index:
                raise ModelError.at(address, f"there is no such coordinate; {suggestion(name, index)}")
            if kind == "q" and not np.any(self.model.arrays.q_index == index[name]):
                raise ModelError.at(address, "rotations are no numbers to be varied one by one")
            return float(getattr(self.state, kind)[index[name]])
        if law and address not in self.places:
            known = {one.name: one.parameters for one in self.laws}
            name, number = law.group(1), int(law.group(2))
            if name in known and number < len(known[name]):
                return float(known[name][number])
        return read(self.model.description, find(self.model.description, address, self.places))

    def case(self, values: Mapping[str, float], checked: bool = False) -> tuple[Model, State, list[Any]]:
        """Model, state and laws with these values."""
        own = {one: x for one, x in values.items() if one in self.places}
        starts = {one: x for one, x in values.items() if STATE.match(one)}
        model = self._model(own, checked) if own else self.model
        state = self._state(model)
        for address, x in starts.items():
            kind, name = STATE.match(address).groups()  # type: ignore[union-attr]
            getattr(state, kind)[getattr(model.index, kind)[name]] = x
        if model.constraint_names:
            held = [STATE.match(one).group(2) for one in starts]  # type: ignore[union-attr]
            state = model.assemble(state, hold=held)
        laws = []
        for law in self.laws:
            numbers = law.parameters.copy()
            for i in range(len(numbers)):
                numbers[i] = values.get(f"{law.name}[{i}]", numbers[i])
            changed = not np.array_equal(numbers, law.parameters)
            laws.append(law.with_parameters(numbers) if changed else law)
        return model, state, laws

    def _model(self, own: Mapping[str, float], checked: bool) -> Model:
        key = tuple(own.items())
        if key not in self.models:
            while len(self.models) >= KEPT:
                del self.models[next(iter(self.models))]
            self.models[key] = with_parameters(self.model, own, checked)
        return self.models[key]

    def _state(self, model: Model) -> State:
        """The state at the start, for a model with other values; sticking that has come or gone is at rest there."""
        old = self.state
        if model.names.z == self.model.names.z:
            return old.copy()
        known = dict(zip(self.model.names.z, old.z, strict=False))
        z = {name: known[name] for name in model.names.z if name in known}
        return model.state(old.q, old.v, old.time, z)

    def _plan(self, model: Model, state: State, laws: list[Any]) -> Plan:
        drive = self.drive
        method = drive.method if drive.step is None else None
        return Plan(
            model, state, max(self.times[-1], state.time + 1e-9), method=method, motions=drive.motions,
            controller=laws or None, rtol=drive.rtol, atol=drive.atol, max_step=drive.max_step, events=drive.events,
            constraints=drive.constraints,
        ).prepare()  # fmt: skip

    def lock(self, values: Mapping[str, float]) -> None:
        """Lets later runs take the steps that the one with these values wants."""
        if not self.locked:
            return
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            run = self._free(*self.case(values, checked=True), None)
        steps = run.record.time
        # a sample is the end of a step; steps that it would make tiny go
        near = np.searchsorted(self.times, steps)
        left = np.abs(self.times[np.clip(near, 0, len(self.times) - 1)] - steps)
        right = np.abs(self.times[np.clip(near - 1, 0, len(self.times) - 1)] - steps)
        least = 1e-3 * float(np.median(np.diff(steps)))
        inner = steps[(np.minimum(left, right) > least) & (steps < self.times[-1])]
        self._grid = np.unique(np.concatenate([[self.state.time], inner, self.times]))

    def run(self, values: Mapping[str, float], checked: bool = False) -> Run:
        """The run with these values; its samples hold `times`."""
        model, state, laws = self.case(values, checked)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if self.locked:
                if self._grid is None:
                    self.lock(values)
                assert self._grid is not None
                return in_step(self._plan(model, state, laws), self._grid, np.isin(self._grid, self.times))
            return self._free(model, state, laws, self._interval)

    @cached_property
    def _interval(self) -> float | None:
        """The interval of output that has all times among it, or None where there is none."""
        steps = np.diff(np.concatenate([[self.state.time], self.times]))
        steps = steps[steps > 0.0]
        if not len(steps):
            return None
        least = float(np.min(steps))
        counts = (self.times - self.state.time) / least
        return least if np.max(np.abs(counts - np.round(counts))) < 1e-6 else least / 4.0

    def _free(self, model: Model, state: State, laws: list[Any], output: float | None) -> Run:
        drive = self.drive
        until = float(self.times[-1])
        tight = min(drive.rtol, TIGHT) if output is not None and drive.step is None else drive.rtol
        if drive.step is not None:
            until = state.time + np.ceil((until - state.time) / drive.step - 1e-9) * drive.step
            output = None
        return simulate(
            model, state, until, drive.step, drive.method, output=output, motions=drive.motions,
            controller=laws or None, rtol=tight, atol=min(drive.atol, tight), max_step=drive.max_step,
            constraints=drive.constraints, events=drive.events, progress=False, energy_tolerance=np.inf,
        )  # fmt: skip

    def check(self, quantities: Sequence[str]) -> None:
        """Refuses names that mean nothing for the model."""
        for name in quantities:
            understand(self.model, name)

    def outputs(self, values: Mapping[str, float], quantities: Sequence[str], checked: bool = False) -> np.ndarray:
        """The quantities at the times, (nt, number of them)."""
        run = self.run(values, checked)
        return self.sampled(run, quantities)

    def sampled(self, run: Run, quantities: Sequence[str]) -> np.ndarray:
        """Quantities of a run at the times, (nt, number of them); by a cubic spline where samples lie between."""
        t = run.record.time
        at = np.clip(np.searchsorted(t, self.times - 1e-9), 0, len(t) - 1)
        there = np.max(np.abs(t[at] - self.times)) < 1e-7
        columns = []
        for name in quantities:
            found = quantity(run, name).values
            if there:
                columns.append(found[at])
            else:
                from scipy.interpolate import CubicSpline

                columns.append(CubicSpline(t, found)(self.times))
        return np.column_stack(columns) if columns else np.zeros((len(self.times), 0))
