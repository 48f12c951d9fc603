"""`jd.Fmu`: a functional mock-up unit as a controller, or as a force, of a simulation."""

from __future__ import annotations

import ctypes
import math
import os
import weakref
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics.arguments import checked
from ..basics.errors import ModelError
from ..control.controller import Controller
from ..control.sampled import NUMBERS, PYTHON, PythonFunction, check_divides
from ..describe.laws import BoundLaw, ControlLaw
from ..export.variables import read_inputs, read_outputs
from .archive import Archive, FmuError
from .binary import COSIMULATION, EXCHANGE, Binary, VariableBlock
from .fmi2 import Binary2
from .fmi3 import Binary3
from .fmi_description import FmuDescription, read_description

if TYPE_CHECKING:
    from ..model.model import Model

Terms = str | tuple[str, float] | Sequence[tuple[str, float]]


def instance_of(archive: Archive, description: FmuDescription, mode: str, name: str) -> Binary:
    """An instance of an FMU, of its version; `begin` makes it run."""
    return (Binary2 if description.version == 2 else Binary3)(archive, description, mode, name)


@checked
class Fmu(Controller):
    """An FMU, FMI 2.0 or 3.0, that acts on a model: a motor, a hydraulic drive, a controller, an environment.

    It is given what it needs of the plant, and its outputs act as efforts of joints or as forces at frames. It runs as
    machine code of whoever made it, with all rights of this process: use files that you trust.

    file          the FMU
    inputs        variables of the FMU, each with what of the plant it is given: a coordinate "elbow", a velocity
                  "v:elbow", the motion of a frame "payload.origin.x" (as exports name outputs), a contact
                  "contact:touch.force.x", or "time"; ("elbow", 100.0) with a factor, a list of such for a sum
    outputs       variables of the FMU, each with where it acts: "effort:elbow" [N m], or at a frame, world axes,
                  "payload.origin.fx" [N]; with factors as well
    period        between communication points [s]; needed in co-simulation, and in model exchange where the FMU has
                  events, which are looked for at these times. Fixed steps must divide it
    mode          "co-simulation" (its own solver) or "model exchange" (its states are integrated with the model's);
                  by default the first where there is a `period`, the second where there is none
    parameters    values of its parameters and start values, by name
    inputs_at     in co-simulation: "end", each step of the FMU over a period takes the inputs of the period's end, so
                  that what passes straight through is not late; or "start"
    """

    def __init__(
        self,
        file: str | os.PathLike[str],
        inputs: Mapping[str, Terms] | None = None,
        outputs: Mapping[str, Terms] | None = None,
        period: float | None = None,
        *,
        mode: str | None = None,
        parameters: Mapping[str, Any] | None = None,
        inputs_at: str = "end",
        name: str | None = None,
    ) -> None:
        self.archive = Archive(file)
        self.description = read_description(self.archive.description, str(self.archive.file))
        self.name = self.archive.file.stem if name is None else name
        self.mode = mode or (EXCHANGE if period is None else COSIMULATION)
        if self.mode not in (EXCHANGE, COSIMULATION):
            raise ModelError.at(self.name, f'mode is {mode!r}; "{COSIMULATION}" or "{EXCHANGE}"')
        if inputs_at not in ("start", "end"):
            raise ModelError.at(self.name, f'inputs_at is {inputs_at!r}; "start" or "end"')
        number = isinstance(period, int | float | np.number) and not isinstance(period, bool)
        if period is not None and (not number or not math.isfinite(period) or not period > 0.0):
            raise ModelError.at(self.name, f"period is {period!r}; give a time above 0 [s]")
        self.description.way(self.mode)
        self.period, self.inputs_at = period, inputs_at
        self.inputs, self.outputs = dict(inputs or {}), dict(outputs or {})
        self.parameters = dict(parameters or {})
        for word, names in (("inputs", self.inputs), ("outputs", self.outputs)):
            for one in names:
                variable = self.description.variable(one)
                if variable.kind != "Float64" or variable.array:
                    raise FmuError(f"{self.description.file}: {word}: {one!r} is no real number; connect others")
        for one in self.inputs:
            if self.description.variable(one).causality != "input":
                found = [key for key, each in self.description.variables.items() if each.causality == "input"]
                raise FmuError(
                    f"{self.description.file}: {one!r} is no input; its inputs are {', '.join(found) or 'none'}"
                )
        if self.mode == COSIMULATION and period is None:
            raise ModelError.at(self.name, "co-simulation needs a period: how often does it exchange data?")

    def instance(self) -> Binary:
        """A new instance, not initialised yet."""
        return instance_of(self.archive, self.description, self.mode, self.name)

    def bind(self, model: Model) -> BoundLaw:
        """The FMU at this plant."""
        unit = self.instance()
        plugs = FmuConnections(self, model)
        if self.mode == COSIMULATION:
            return BoundCosimulation(self, unit, plugs, model)
        unit.begin(0.0, self.parameters)
        events = bool(self.description.indicators) or unit.way.every_step or math.isfinite(unit.next_time)
        if events and self.period is None:
            raise ModelError.at(
                self.name,
                "it has events, or wants to know of every step; give period=, the times at which these are looked for",
            )
        return BoundExchange(self, unit, plugs, model, events)


def _terms(given: Terms, where: str) -> list[tuple[str, float]]:
    """Names with factors."""
    if isinstance(given, str):
        return [(given, 1.0)]
    rows = [given] if isinstance(given, tuple) and len(given) == 2 and isinstance(given[0], str) else list(given)
    out = []
    for row in rows:
        fits = isinstance(row, tuple | list) and len(row) == 2 and isinstance(row[0], str)
        if not fits or not isinstance(row[1], int | float) or not math.isfinite(row[1]):
            raise ModelError.at(where, f'got {row!r}; give a name, or ("name", factor)')
        out.append((row[0], float(row[1])))
    return out


class FmuConnections:
    """What of a plant goes into an FMU, and what of the FMU goes into the plant.

    rows      of the inputs: (input, place, factor), places being those of (q, v, s, time) one behind the other
    acts      of the outputs: (output, entry of v or None, marker, component, factor)
    markers   that are sensed, and contacts, as a law senses them
    """

    def __init__(self, fmu: Fmu, model: Model) -> None:
        self.model = model
        self.given = VariableBlock([fmu.description.variable(one).reference for one in fmu.inputs])
        self.asked = VariableBlock([fmu.description.variable(one).reference for one in fmu.outputs])
        addresses = {number: address for address, number in model.markers.items()}
        sensed = [[(self._sensed(fmu.name, model, name), factor) for name, factor in _terms(terms, fmu.name)]
                  for terms in fmu.inputs.values()]  # fmt: skip
        flat = [one for row in sensed for one, _ in row if one is not None]
        self.markers = tuple(dict.fromkeys(addresses[one.where] for one in flat if one.kind == "motion"))
        self.contacts = tuple(
            dict.fromkeys(model.contacts.names[one.where] for one in flat if one.kind == "contact_wrench")
        )
        behind = model.nq + model.nv
        touch = behind + 13 * len(self.markers)
        self.size = touch + 6 * len(self.contacts)
        self.rows = np.zeros((len(sensed), self.size + 1))
        for i, row in enumerate(sensed):
            for one, factor in row:
                if one is None:
                    at = self.size
                elif one.kind in ("q", "v"):
                    at = one.where + (model.nq if one.kind == "v" else 0)
                elif one.kind == "motion":
                    at = behind + 13 * self.markers.index(addresses[one.where]) + one.part
                else:
                    at = touch + 6 * self.contacts.index(model.contacts.names[one.where]) + one.part
                self.rows[i, at] += factor
        self.efforts: list[tuple[int, int, float]] = []
        self.wrenches: dict[str, list[tuple[int, int, float]]] = {}
        for i, terms in enumerate(fmu.outputs.values()):
            for name, factor in _terms(terms, fmu.name):
                for target in read_inputs(model, [name], ()):
                    if target.kind == "effort":
                        self.efforts.append((i, target.where, factor))
                    else:
                        self.wrenches.setdefault(addresses[target.where], []).append((i, target.part, factor))

    @staticmethod
    def _sensed(fmu: str, model: Model, name: str) -> Any:
        """One number of the plant; None for time."""
        if name == "time":
            return None
        found = read_outputs(model, [name], ())
        kinds = {one.kind for one in found}
        if (
            len(found) != 1
            or not kinds <= {"q", "v", "motion", "contact_wrench"}
            or (kinds == {"contact_wrench"} and found[0].part > 5)
        ):
            raise ModelError.at(
                fmu, f'inputs: "{name}" is not one number that it can sense; give a coordinate, "v:" and a velocity, '
                "the motion of a frame or a component of a contact's force or torque"
            )  # fmt: skip
        return found[0]

    def read(self, t: float, q: np.ndarray, v: np.ndarray, s: np.ndarray) -> None:
        """Lays the inputs."""
        self.given.values[:] = self.rows @ np.concatenate([q, v, s, (t,)])

    def act(self, q: np.ndarray, effort: np.ndarray) -> None:
        """Adds what the outputs do to the efforts."""
        values = self.asked.values
        if not np.all(np.isfinite(values)):
            raise FmuError("an output is not a finite number")
        for i, k, factor in self.efforts:
            effort[k] += factor * values[i]
        for address, parts in self.wrenches.items():
            wrench = np.zeros(6)
            for i, part, factor in parts:
                wrench[part] += factor * values[i]
            effort += self.model.jacobian(address, q).T @ wrench


class BoundCosimulation(BoundLaw):
    """An FMU that steps by itself: a digital controller whose effort holds between communication points."""

    def __init__(self, fmu: Fmu, unit: Binary, plugs: FmuConnections, model: Model) -> None:
        self.fmu, self.unit, self.plugs = fmu, unit, plugs
        inner = PythonFunction(self._sample, model, plugs.markers, plugs.contacts)
        inner.name = fmu.name
        assert fmu.period is not None
        from ..kernels.control.sampling import SampledParameters, hold

        head = SampledParameters.packed(period=fmu.period, ring=1, nv=model.nv, nq=model.nq)
        start = np.zeros(2 * model.nv + 3)
        start[model.nv + 1] = -1.0
        parameters = np.concatenate([head, inner.parameters])
        super().__init__(ControlLaw("fmu", hold), parameters, states=len(start), start=start, markers=plugs.markers,
                         contacts=plugs.contacts)  # fmt: skip
        self.name, self.inner = fmu.name, inner

    def begin(self, t: float, z: np.ndarray) -> None:
        """The FMU is initialised anew at the first communication point, with its inputs there."""
        self.last: float | None = None

    def _sample(self, t: float, q: np.ndarray, v: np.ndarray, s: np.ndarray) -> np.ndarray:
        unit, plugs = self.unit, self.plugs
        if self.last is None:
            plugs.read(t, q, v, s)
            unit.begin(t, self.fmu.parameters, plugs.given)
        else:
            if self.fmu.inputs_at == "end":
                plugs.read(t, q, v, s)
            unit.write(plugs.given)
            unit.step(self.last, t - self.last)
            if self.fmu.inputs_at == "start":
                plugs.read(t, q, v, s)
        self.last = t
        unit.read(plugs.asked)
        effort = np.zeros(len(v))
        plugs.act(q, effort)
        return effort

    def fit(self, step: float) -> None:
        """An error where a fixed step does not divide the period."""
        if self.fmu.period is not None:
            check_divides(self.name, "period", self.fmu.period, step)


_BOUND: weakref.WeakValueDictionary[int, BoundExchange] = weakref.WeakValueDictionary()
_NUMBER, _ARRAY = ctypes.c_double, ctypes.c_void_p


@ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, _NUMBER, *[_ARRAY] * 6)
def _rates(number: int, t: float, *arrays: Any) -> int:
    return _BOUND[number].rates(t, *arrays)


class BoundExchange(BoundLaw):
    """An FMU whose states are integrated with those of the model, at every stage of the method.

    With events its states lie among those of a digital controller (`kernels.control.sampling`), which looks for events
    at its instants, and moves them there.
    """

    outside = True

    def __init__(self, fmu: Fmu, unit: Binary, plugs: FmuConnections, model: Model, events: bool) -> None:
        self.fmu, self.unit, self.plugs, self.plant = fmu, unit, plugs, model
        number = next(NUMBERS)
        address = ctypes.cast(_rates, ctypes.c_void_p).value
        assert address is not None
        own = len(unit.states)
        first = unit.get_states().copy()
        self.at = model.nv + 3 if events else 0
        from ..kernels.control.external_laws import ExternalLawParameters, foreign
        from ..kernels.control.sampling import SampledParameters

        start = first
        head = np.zeros(0)
        if events:
            assert fmu.period is not None
            self.inner = Events(self, plugs)
            head = SampledParameters.packed(
                period=fmu.period, ring=1, nv=model.nv, nq=model.nq, states=own, discrete=True
            )
            # the instants call a function of `control.sampled` by its number, the stages one here: one number
            number = int(self.inner.parameters[0])
            start = np.concatenate([np.zeros(model.nv), [0.0, -1.0, 0.0], first, np.zeros(model.nv)])
        _BOUND[number] = self
        self.sizes = (model.nq, model.nv, len(start), 13 * len(plugs.markers) + 6 * len(plugs.contacts))
        parameters = np.concatenate([head, ExternalLawParameters.packed(number=number, address=address)])
        super().__init__(ControlLaw("fmu", foreign), parameters, states=len(start), start=start, markers=plugs.markers,
                         contacts=plugs.contacts)  # fmt: skip
        self.name, self.own = fmu.name, own
        self._views: dict[tuple[int, int], np.ndarray] = {}

    def begin(self, t: float, z: np.ndarray) -> None:
        """A new instance at the time of the start; its states are those of the run."""
        self.error = None
        self.unit.begin(t, self.fmu.parameters)
        self.z = z
        self._views.clear()

    def rates(self, t: float, *pointers: Any) -> int:
        """Efforts and rates of the states, from the loop; 1 where the FMU failed."""
        if self.error is not None:
            return 1
        try:
            sizes = (*self.sizes, self.plant.nv, self.sizes[2])
            q, v, z, s, effort, dz = map(self._array, pointers, sizes)
            self.look(t, q, v, z[self.at : self.at + self.own], s)
            dz[self.at : self.at + self.own] = self.unit.rates()
            self.unit.read(self.plugs.asked)
            self.plugs.act(q, effort)
        except BaseException as error:  # goes on in `simulate`
            self.error = error
            return 1
        return 0

    def _array(self, address: int | None, size: int) -> np.ndarray:
        """The array at an address of the loop, of which there are few; nothing is read there but while it is given."""
        if not size or address is None:
            return np.zeros(0)
        found = self._views.get((address, size))
        if found is None:
            found = self._views[address, size] = np.ctypeslib.as_array((_NUMBER * size).from_address(address))
        return found

    def look(self, t: float, q: np.ndarray, v: np.ndarray, x: np.ndarray, s: np.ndarray) -> None:
        """Brings the FMU to a state of the run."""
        self.unit.put_states(t, x)
        self.plugs.read(t, q, v, s)
        self.unit.write(self.plugs.given)

    def fit(self, step: float) -> None:
        """An error where a fixed step does not divide the period."""
        if self.fmu.period is not None:
            check_divides(self.name, "period", self.fmu.period, step)


class Events(PythonFunction):
    """What looks for events of an FMU in model exchange, at the instants of its period."""

    def __init__(self, owner: BoundExchange, plugs: FmuConnections) -> None:
        super().__init__(lambda t, q, v, s: None, owner.plant, plugs.markers, plugs.contacts)
        from ..kernels.control.external_laws import foreign

        self.law, self.owner = ControlLaw("fmu events", foreign, discrete=True), weakref.ref(owner)
        self.law.pointer = PYTHON.pointer
        self.states = len(owner.unit.states)
        self.start = np.zeros(self.states)
        self.parameters = np.array([self.number, 0.0])
        self.name = owner.fmu.name

    def attach(self, numbers: np.ndarray, places: tuple[tuple[int, int], ...]) -> None:
        """Takes what it reads, and the place of the states as they go on."""
        super().attach(numbers, places)
        self.next_states = numbers[places[4][0] : places[4][1]]
        self.signs: np.ndarray | None = None
        owner = self.owner()
        self.due = math.inf if owner is None else owner.unit.next_time

    def call(self, t: float) -> int:
        """At an instant: reports the step to the FMU, looks at its indicators, lets events happen."""
        owner = self.owner()
        try:
            assert owner is not None and owner.fmu.period is not None
            unit, x = owner.unit, owner.z[owner.at : owner.at + owner.own]
            q, v, s = self.given
            owner.look(t, q, v, x, s)
            signs = np.sign(unit.indicators())
            crossed = self.signs is not None and bool(np.any(signs * self.signs < 0.0))
            asked = self.signs is not None and unit.completed()
            self.signs = signs.copy()
            if crossed or asked or t >= self.due - 1e-7 * owner.fmu.period:
                changed, self.due = unit.event()
                if changed:
                    self.next_states[:] = unit.get_states()
                    self.signs = np.sign(unit.indicators())
                    return 0
            self.next_states[:] = x
        except BaseException as error:  # goes on in `simulate`
            self.error = error
            return 1
        return 0
