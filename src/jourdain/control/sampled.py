"""Digital controllers: sampled, late, quantised, with the sensors that they see the plant through."""

from __future__ import annotations

import ctypes
import inspect
import itertools
import math
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics.arguments import checked
from ..basics.errors import ModelError
from ..basics.types import AnyController
from ..basics.values import enough_digits, suggestion
from ..describe.laws import AnyLaw, BoundLaw, ControlLaw, as_law
from .controller import Controller
from .gearing import at_motor
from .sensors import ForceSensor, JointSensor, PoseSensor

if TYPE_CHECKING:
    from ..model.model import Model


@checked
class Sampled(Controller):
    """A controller that looks at the plant every `period` and holds its effort in between (zero-order hold).

    controller      one of `jd.control`, a law, or a plain Python function f(t, q, v) or f(t, q, v, s) that returns the
                    efforts: nv numbers, or a dict from names to numbers. q, v and s are what the sensors read
    period          between samples [s]; the first is at the start of the run. Fixed steps must divide it
    delay           from a sample to the moment its effort takes effect [s]
    quantisation    resolution of the positions read [rad or m]: a number for all, or a dict by coordinate. Velocities
                    are then differences of these positions, as an encoder gives them
    sensors         JointSensor, PoseSensor, ForceSensor; without them what is read is true
    markers         addresses that a Python function senses, 13 numbers each in s; a law says its own
    contacts        contacts that it senses, 6 numbers each
    seed            of the noise: a whole number; the same seed gives the same run

    The states of a continuous controller move on by Euler steps of one period, those of a discrete one as it says.
    """

    def __init__(
        self,
        controller: AnyController | Callable,
        period: float,
        delay: float = 0.0,
        quantisation: float | Mapping[str, float] | None = None,
        *,
        sensors: Sequence[JointSensor | PoseSensor | ForceSensor] = (),
        markers: Sequence[str] = (),
        contacts: Sequence[str] = (),
        seed: int = 0,
        name: str | None = None,
    ) -> None:
        given = getattr(controller, "name", getattr(controller, "__name__", type(controller).__name__))
        self.name = f"sampled {given}" if name is None else name
        for what, value, least in (("period", period, 0.0), ("delay", delay, -1.0)):
            number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
            if not number or not math.isfinite(value) or value <= least or value < 0.0:
                raise ModelError.at(
                    self.name, f"{what} is {value!r}; give a time [s]{', above 0' if least == 0.0 else ''}", what
                )
        if not isinstance(seed, int | np.integer) or not 0 <= seed < 2**53:
            raise ModelError.at(self.name, f"seed is {seed!r}; give a whole number from 0 to 2^53", "seed")
        for sensor in sensors:
            if not isinstance(sensor, JointSensor | PoseSensor | ForceSensor):
                raise ModelError.at(
                    self.name,
                    f"sensors: got {type(sensor).__name__}; give JointSensor, PoseSensor or ForceSensor",
                    "sensors",
                )
        self.controller, self.period, self.delay = controller, float(period), float(delay)
        self.quantisation, self.sensors, self.seed = quantisation, tuple(sensors), int(seed)
        self.markers, self.contacts = tuple(markers), tuple(contacts)

    @property
    def binds_at_once(self) -> bool:  # type: ignore[override]
        """As the controller behind it."""
        return getattr(self.controller, "binds_at_once", False)

    def bind(self, model: Model) -> BoundLaw:
        """The controller at its instants, for this plant."""
        law = getattr(self.controller, "is_law", False) or hasattr(self.controller, "bind")
        if law:
            if self.markers or self.contacts:
                raise ModelError.at(self.name, "markers and contacts are for Python functions; a law names its own")
            inner = as_law(self.controller, self.name, model)
            if inner.inner is not None:
                raise ModelError.at(self.name, "a sampled controller cannot be sampled again")
        elif callable(self.controller):
            inner = PythonFunction(self.controller, model, self.markers, self.contacts)
        else:
            raise ModelError.at(
                self.name, f"got {type(self.controller).__name__}; give a controller, a law or a Python function"
            )
        return BoundSampled(self, inner, model)


class BoundSampled(BoundLaw):
    """A sampled controller laid out for the kernels; the layout is that of `kernels.control.sampling`."""

    inner: BoundLaw

    def __init__(self, sampled: Sampled, inner: BoundLaw, model: Model) -> None:
        self.inner, self.sampled = inner, sampled
        forces = [one for one in sampled.sensors if isinstance(one, ForceSensor)]
        poses = [one for one in sampled.sensors if isinstance(one, PoseSensor)]
        self.extra = sum(one.extra for one in forces)
        self.loaded = any(one.joint is not None for one in forces)
        self.seed = sampled.seed
        joined = {item["joint"]["name"]: item for item in model.description["bodies"]}
        seats = [joined[one.joint] for one in forces if one.joint in joined]
        joints = [row for one in sampled.sensors if isinstance(one, JointSensor) for row in one.rows(model)]
        read = {model.names.v[row["v"]] for row in joints}
        self.fitted = (
            *(("joint", name) for name in joined if any(one == name or one.startswith(f"{name}.") for one in read)),
            *(("pose", one.at) for one in poses),
            *(("force", f"{item['body']['name']}.{item['at']}") for item in seats),
        )
        period = sampled.period
        ring = int(sampled.delay / period + 1e-6) + 1
        base = 13 * len(inner.markers)
        markers = {address: 13 * i for i, address in enumerate(inner.markers)}
        contacts = {name: base + 6 * i for i, name in enumerate(inner.contacts)}
        behind = base + 6 * len(inner.contacts)
        joints = self._at_motors(self._quantised(joints, model))
        states = model.nv + 3 + inner.states + ring * model.nv + (0 if sampled.quantisation is None else model.nq)
        pose_rows = []
        for pose in poses:
            row = pose.row(markers, period)
            pose_rows.append(row | {"ring": states})
            states += 13 * (row["age"] // row["every"] + 2)
        force_rows = []
        for force in forces:
            force_rows.append(force.row(model, contacts, behind))
            behind += 6 * force.extra
        from ..kernels.control.sampling import SampledParameters, hold

        own = SampledParameters.packed(
            period=period,
            delay=sampled.delay,
            seed=sampled.seed,
            ring=ring,
            nv=model.nv,
            nq=model.nq,
            states=inner.states,
            discrete=inner.law.discrete,
            differenced=sampled.quantisation is not None,
            coordinates=joints,
            poses=pose_rows,
            forces=force_rows,
        )
        parameters = np.concatenate([own, inner.parameters])
        start = np.zeros(states)
        start[model.nv + 1] = -1.0
        start[model.nv + 3 : model.nv + 3 + inner.states] = inner.start
        law = ControlLaw("hold", hold)
        super().__init__(law, parameters, states=states, start=start, markers=inner.markers, contacts=inner.contacts)
        self.name = sampled.name
        self.inputs = {word: (len(own) + at, unit) for word, (at, unit) in inner.inputs.items()}

    def _quantised(self, rows: list[dict[str, Any]], model: Model) -> list[dict[str, Any]]:
        """The joint sensors' rows with the resolutions of `quantisation` in them."""
        given = self.sampled.quantisation
        if given is None:
            return rows
        one = {model.names.v[k]: (k, int(j)) for k, j in enumerate(model.arrays.q_index) if j >= 0}
        steps = dict(given) if isinstance(given, Mapping) else dict.fromkeys(one, given)
        for name, step in steps.items():
            if name not in one:
                raise ModelError.at(
                    str(name), f"quantisation: no such coordinate; {suggestion(str(name), one)}", "quantisation"
                )
            if not isinstance(step, int | float | np.number) or not math.isfinite(step) or step <= 0.0:
                raise ModelError.at(
                    str(name), f"quantisation is {step!r}; give a resolution above 0 [rad or m]", "quantisation"
                )
            k, j = one[name]
            mine = [row for row in rows if row["v"] == k]
            if mine:
                mine[0]["resolution"] = step
            else:
                rows.append({"q": j, "v": k, "resolution": step})
        return rows

    def _at_motors(self, rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """The rows with those of joints that are measured at their motors turned into the motors'."""
        taken = {row["v"] for row in rows}
        out = []
        for row in rows:
            gear = at_motor(self.inner, row["v"])
            if gear is None:
                out.append(row)
            elif gear.motor_v not in taken:
                scales = dict.fromkeys(("noise", "resolution", "rate_noise"), abs(gear.ratio))
                scales |= dict.fromkeys(("bias", "rate_bias"), gear.ratio)
                turned = {key: row.get(key, 0.0) * scale for key, scale in scales.items()}
                out.append(turned | {"q": gear.motor_q, "v": gear.motor_v})
        return out

    def fit(self, step: float) -> None:
        """An error where a fixed step does not divide the period and the delay."""
        for what, time in (("period", self.sampled.period), ("delay", self.sampled.delay)):
            check_divides(self.name, what, time, step, least=1 if what == "period" else 0)


def check_divides(name: str, what: str, time: float, step: float, least: int = 1) -> None:
    """An error where a time is no whole number of fixed steps, `least` or more."""
    count = round(time / step)
    if abs(count * step - time) > 1e-6 * step or count < least:
        whole = max(1, math.ceil(time / step))
        fits = enough_digits(time / whole, lambda near: abs(whole * near - time) <= 1e-6 * near)
        raise ModelError.at(
            name, f"its {what} of {time:g} s is no whole number of steps of {step:g} s; {fits} s would do"
        )


_FUNCTIONS: weakref.WeakValueDictionary[int, PythonFunction] = weakref.WeakValueDictionary()
NUMBERS = itertools.count()


@ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_double)
def _call(number: int, t: float) -> int:
    return _FUNCTIONS[number].call(t)


class PythonLaw(AnyLaw):
    """What the compiled loop calls for every Python function: one pointer, and the number of the function."""

    name = "python"
    pointer = ctypes.cast(_call, ctypes.c_void_p).value


PYTHON = PythonLaw()


class PythonFunction(BoundLaw):
    """A Python function as the controller inside a `Sampled`."""

    outside = True

    def __init__(self, function: Callable, model: Model, markers: Sequence[str], contacts: Sequence[str]) -> None:
        self.number = next(NUMBERS)
        _FUNCTIONS[self.number] = self
        super().__init__(PYTHON, [self.number], states=0, markers=markers, contacts=contacts)
        self.function, self.plant = function, model
        self.name = getattr(function, "__name__", type(function).__name__)
        try:
            count = len(inspect.signature(function).parameters)
        except (TypeError, ValueError):
            count = 3
        if count not in (3, 4):
            raise ModelError.at(
                self.name, f"takes {count} arguments; a Python controller takes (t, q, v) or (t, q, v, s)"
            )
        self.senses = count == 4

    def attach(self, numbers: np.ndarray, places: tuple[tuple[int, int], ...]) -> None:
        """Gives the function the arrays of a run's workspace that hold what it reads and what it asks for."""
        read = [numbers[a:b] for a, b in places[:3]]
        self.given = tuple(read) if self.senses else tuple(read[:2])
        self.asked = numbers[places[3][0] : places[3][1]]
        self.error = None

    def call(self, t: float) -> int:
        """Calls the function, from the loop; 1 where it raised."""
        try:
            answer = self.function(t, *self.given)
            if isinstance(answer, Mapping):
                for name, value in answer.items():
                    if name not in self.plant.index.v:
                        hint = suggestion(str(name), self.plant.index.v)
                        raise ModelError.at(str(name), f"{self.name}: no such velocity; {hint}")
                    self.asked[self.plant.index.v[name]] = value
            elif answer is not None:
                if np.shape(answer) != self.asked.shape:
                    raise ModelError.at(
                        self.name, f"returned shape {np.shape(answer)}; give {len(self.asked)} efforts, or a dict"
                    )
                self.asked[:] = answer
        except BaseException as error:  # goes on in `simulate`
            self.error = error
            return 1
        return 0
