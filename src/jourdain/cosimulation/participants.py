"""What a co-simulation is made of: models, FMUs, and programs of your own, each with inputs and outputs by name."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..basics.arguments import checked
from ..basics.errors import ModelError
from ..basics.types import Controllers, KeptBy
from ..describe.motions import Motion
from ..export.instance import Instance
from ..model.linear.signals import WRENCH
from ..model.model import Model
from ..model.state import State
from .archive import Archive, FmuError
from .binary import COSIMULATION, VariableBlock
from .fmi_description import read_description
from .fmu import instance_of

Signal = Callable[[float], np.ndarray]
"""Inputs as a function of time [s]."""
DUAL = dict(zip(WRENCH, ("wx", "wy", "wz", "vx", "vy", "vz"), strict=True))
"""The velocity that a component of a wrench does work along."""


@checked
class Part(ABC):
    """A part of a co-simulation. A program of your own is a subclass with the four functions below.

    name         in connections: "name.output"
    inputs       names of its inputs
    outputs      names of its outputs
    step_size    every macro step is a whole number of these [s]; None where any will do
    work         energy that each input has brought in so far [J]; not-a-number where the participant does not give it
    """

    name: str
    inputs: Sequence[str]
    outputs: Sequence[str]
    step_size: float | None = None
    work: np.ndarray

    @abstractmethod
    def begin(self, inputs: np.ndarray) -> float:
        """Goes to its start, with inputs; returns its time [s]."""

    @abstractmethod
    def read(self) -> np.ndarray:
        """The outputs, as they are now."""

    @abstractmethod
    def advance(self, t: float, h: float, inputs: Signal) -> None:
        """Steps from t by h [s]; inputs are a function of time."""

    @abstractmethod
    def keep(self) -> Any:
        """All that it remembers, to return to."""

    @abstractmethod
    def back(self, kept: Any) -> None:
        """Returns to what was kept."""


@checked
class ModelPart(Part):
    """A model, stepped by compiled code.

    name       in connections
    model      from system.compile()
    inputs     "effort:elbow" [N m], or a force at a frame, "payload.origin.fx" [N]
    outputs    coordinates "elbow", velocities "v:elbow", motions of frames "payload.origin.x", as exports have them
    step       of the method [s]; a macro step is a whole number of these

    The others are those of `jd.export.c`.
    """

    def __init__(
        self,
        name: str,
        model: Model,
        *,
        inputs: Sequence[str],
        outputs: Sequence[str],
        state: State | None = None,
        step: float = 1e-3,
        controller: Controllers | None = None,
        method: str = "rk4",
        motions: Mapping[str, Motion] | None = None,
        constraints: KeptBy | None = None,
    ) -> None:
        self.name = name
        flows = [_flow(one) for one in inputs]
        self.instance = Instance(
            model, state=state, controller=controller, method=method, step=step, motions=motions,
            constraints=constraints, inputs=list(inputs), outputs=[*outputs, *flows],
        )  # fmt: skip
        self.inputs, self.outputs, self.step_size = list(self.instance.inputs), list(outputs), float(step)
        self._read = [self.instance.index(one) for one in outputs]
        self._flows = [self.instance.index(_flow(one)) for one in self.inputs]
        self.work = np.zeros(len(self.inputs))

    def begin(self, inputs: np.ndarray) -> float:
        """The state that it was made with."""
        self.instance.reset()
        self.instance.apply(inputs)
        self.work[:] = 0.0
        return self.instance.time

    def read(self) -> np.ndarray:
        """The outputs, as they are now."""
        return np.array([self.instance.get(index) for index in self._read])

    def advance(self, t: float, h: float, inputs: Signal) -> None:
        """Steps of the method; in each the inputs are those of its middle, which is of second order in the step."""
        size, instance = self.instance.step_size, self.instance
        speeds = np.array([instance.get(index) for index in self._flows])
        for k in range(round(h / size)):
            values = inputs(t + (k + 0.5) * size)
            instance.step(values)
            after = np.array([instance.get(index) for index in self._flows])
            self.work += 0.5 * size * values * (speeds + after)
            speeds = after

    def keep(self) -> Any:
        """A copy of the instance."""
        return self.instance.keep(), self.work.copy()

    def back(self, kept: Any) -> None:
        """Returns to a copy."""
        self.instance.back(kept[0])
        self.work[:] = kept[1]


def _flow(name: str) -> str:
    """The velocity that an input does work along."""
    head, _, part = name.rpartition(".")
    if head and part in DUAL:
        return f"{head}.{DUAL[part]}"
    return f"v:{name.removeprefix('effort:')}"


@checked
class FmuPart(Part):
    """An FMU in co-simulation.

    name          in connections
    file          the FMU: machine code that runs with all rights of this process
    inputs        names of its inputs that are connected, and `outputs`
    step          every communication step is a whole number of these [s]; None where any will do
    substeps      of how many communication steps a macro step is made, so that inputs that change are followed
    parameters    values by name
    flows         for the energy of the coupling: the output that is the velocity along which an input does work
    start         time of its start [s]
    """

    def __init__(
        self,
        name: str,
        file: str | os.PathLike[str],
        *,
        inputs: Sequence[str],
        outputs: Sequence[str],
        step: float | None = None,
        substeps: int = 8,
        parameters: Mapping[str, Any] | None = None,
        flows: Mapping[str, str] | None = None,
        start: float = 0.0,
    ) -> None:
        self.name, self.inputs, self.outputs = name, list(inputs), list(outputs)
        archive = Archive(file)
        description = read_description(archive.description, str(file))
        for one in (*inputs, *outputs, *(flows or {}).values()):
            variable = description.variable(one)
            if variable.kind != "Float64" or variable.array:
                raise FmuError(f"{file}: {one!r} is no real number; connect others")
        self.unit = instance_of(archive, description, COSIMULATION, name)
        self.step_size, self.substeps, self.start = step, int(substeps), float(start)
        if self.substeps < 1:
            raise ModelError.at(name, f"substeps is {substeps!r}; give a whole number, 1 or more")
        self.parameters = dict(parameters or {})
        self._given = VariableBlock([description.variable(one).reference for one in inputs])
        self._asked = VariableBlock([description.variable(one).reference for one in outputs])
        known = flows or {}
        self._moving = VariableBlock([description.variable(known[one]).reference for one in inputs if one in known])
        self._known_inputs = [i for i, one in enumerate(inputs) if one in known]
        self.work = np.full(len(self.inputs), np.nan)

    def begin(self, inputs: np.ndarray) -> float:
        """A new instance."""
        self._given.values[:] = inputs
        self.unit.begin(self.start, self.parameters, self._given)
        self.work[:] = np.nan
        self.work[self._known_inputs] = 0.0
        return self.start

    def read(self) -> np.ndarray:
        """The outputs, as they are now."""
        return self.unit.read(self._asked).copy()

    def advance(self, t: float, h: float, inputs: Signal) -> None:
        """Communication steps, each with the inputs of its middle."""
        count = self.substeps if self.step_size is None else min(self.substeps, max(1, round(h / self.step_size)))
        if self.step_size is not None:
            whole = round(h / self.step_size)
            count = next(k for k in range(count, 0, -1) if whole % k == 0)
        size = h / count
        for k in range(count):
            self._given.values[:] = inputs(t + (k + 0.5) * size)
            before = self.unit.read(self._moving).copy()
            self.unit.write(self._given)
            self.unit.step(t + k * size, size)
            after = self.unit.read(self._moving)
            self.work[self._known_inputs] += 0.5 * size * self._given.values[self._known_inputs] * (before + after)

    def keep(self) -> Any:
        """The state of the FMU, where it can give it."""
        return self.unit.keep(), self.work.copy()

    def back(self, kept: Any) -> None:
        """Returns to it."""
        self.unit.back(kept[0])
        self.work[:] = kept[1]

    def forget(self, kept: Any) -> None:
        """Gives the memory of what was kept back."""
        self.unit.forget(kept[0])
