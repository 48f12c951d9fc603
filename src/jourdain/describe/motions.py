"""Prescribed profiles of coordinates: a value with its rate and acceleration at every time."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ..basics.arguments import checked
from ..basics.errors import ModelError
from ..basics.fields import Described
from ..basics.registry import Kinds
from ..basics.value_types import Array, ValueType
from ..basics.values import as_array, as_number, shown

PIECES, CYCLOID, SINE = 0, 1, 2


MOTIONS: Kinds[Motion] = Kinds("motion")
"""The kinds of profiles that descriptions know."""


@checked
class Motion(Described, ABC):
    """A profile. `numbers` lays it out for the kernels, beginning from the state's value where it is free to."""

    kind: ClassVar[str]
    code: int

    def __init_subclass__(cls, known: bool = True, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls.kind = cls.__name__
        if known:
            MOTIONS.enter(cls)

    @abstractmethod
    def numbers(self, value: float, name: str) -> np.ndarray:
        """What the kernel reads, for the coordinate `name` that starts at `value`."""

    def described_value(self, name: str) -> Any:
        """Its numbers are written as floats."""
        value = getattr(self, name)
        return None if value is None else np.asarray(value, float)

    def _finite(self, name: str, **given: float) -> None:
        for what, number in given.items():
            if not np.isfinite(number):
                raise ModelError.at(name, f"{type(self).__name__}: {what} is {number}; give a finite number")


@checked
@dataclass(frozen=True)
class Cycloid(Motion):
    """From the state's value to `to`, at rest at both ends, held before and after.

    q = q0 + (to - q0) (x - sin(2 pi x) / 2 pi), x = (t - start) / duration: Damaren & Sharf 1995, eq. 33.

    to          [rad or m]
    duration    [s]
    start       [s]
    """

    to: float
    duration: float
    start: float = 0.0
    code = CYCLOID

    def numbers(self, value: float, name: str) -> np.ndarray:
        self._finite(name, to=self.to, duration=self.duration, start=self.start)
        if self.duration <= 0.0:
            raise ModelError.at(name, f"Cycloid: duration is {self.duration:g} s; give more than zero", "duration")
        return np.array([value, self.start, self.duration, self.to - value])


@checked
@dataclass(frozen=True)
class Sine(Motion):
    """offset + amplitude sin(2 pi frequency t + phase).

    amplitude    [rad or m]
    frequency    [Hz]
    phase        [rad]
    offset       [rad or m]; None: such that the profile starts from the state's value
    """

    amplitude: float
    frequency: float
    phase: float = 0.0
    offset: float | None = None
    code = SINE

    def numbers(self, value: float, name: str) -> np.ndarray:
        self._finite(name, amplitude=self.amplitude, frequency=self.frequency, phase=self.phase)
        offset = value - self.amplitude * np.sin(self.phase) if self.offset is None else self.offset
        return np.array([offset, self.amplitude, 2.0 * np.pi * self.frequency, self.phase])


@checked
@dataclass(frozen=True, init=False)
class Polynomial(Motion):
    """c0 + c1 t + c2 t^2 + ..., for all times.

    coefficients    in rising powers [rad or m, over s^k]: ``Polynomial(5.0, 0.05)`` or ``Polynomial([5.0, 0.05])``
    """

    coefficients: Any
    code = PIECES
    field_types: ClassVar[Mapping[str, ValueType]] = {"coefficients": Array(depth=1)}

    def __init__(self, coefficients: ArrayLike, *more: float) -> None:
        if more:
            coefficients = tuple(as_number(one, "Polynomial: coefficients") for one in (coefficients, *more))
        object.__setattr__(self, "coefficients", coefficients)

    def numbers(self, value: float, name: str) -> np.ndarray:
        c = np.atleast_1d(as_array(self.coefficients, name))
        if c.ndim != 1 or len(c) == 0 or not np.all(np.isfinite(c)):
            raise ModelError.at(name, f"Polynomial: coefficients are {shown(c)}; give finite numbers", "coefficients")
        return np.concatenate([[0.0, 1.0, len(c) - 1.0, 0.0, 0.0, 1.0], c])


@checked
@dataclass(frozen=True)
class Table(Motion):
    """A spline with two continuous derivatives through the values, with given speeds at its ends.

    Beyond its ends it goes on at these speeds: held where they are zero, as they are unless given.

    times     [s], increasing
    values    [rad or m]
    speeds    at the first and at the last time [rad/s or m/s]
    """

    times: Any
    values: Any
    speeds: Any = (0.0, 0.0)
    if TYPE_CHECKING:  # what may be given; the fields hold what is made of it

        def __init__(self, times: ArrayLike, values: ArrayLike, speeds: ArrayLike = (0.0, 0.0)) -> None: ...

    code = PIECES
    field_types: ClassVar[Mapping[str, ValueType]] = dict.fromkeys(("times", "values"), Array(depth=1)) | {
        "speeds": Array(2)
    }

    def numbers(self, value: float, name: str) -> np.ndarray:
        from scipy.interpolate import CubicSpline

        times, values = as_array(self.times, f"{name}: times"), as_array(self.values, f"{name}: values")
        speeds = as_array(self.speeds, f"{name}: speeds")
        if times.ndim != 1 or times.shape != values.shape or len(times) < 2:
            raise ModelError.at(
                name, f"Table: {times.shape} times and {values.shape} values; give as many of both, two at least"
            )
        if speeds.shape != (2,) or not np.all(np.isfinite(speeds)):
            raise ModelError.at(
                name,
                f"Table: speeds is {shown(self.speeds)}; give two finite numbers, at its begin and at its end",
                "speeds",
            )
        if not (np.all(np.isfinite(times)) and np.all(np.isfinite(values))):
            raise ModelError.at(name, "Table: times or values are not finite")
        if not np.all(np.diff(times) > 0.0):
            at = int(np.argmin(np.diff(times)))
            raise ModelError.at(name, f"Table: times must increase; {times[at]:g} is followed by {times[at + 1]:g}")
        spline = CubicSpline(times, values, bc_type=((1, speeds[0]), (1, speeds[1])))
        coefficients = spline.c[::-1].T
        if not np.any(speeds):
            return np.concatenate([[0.0, len(times) - 1.0, 3.0, 1.0], times, coefficients.ravel()])
        # A straight piece before and one behind; the kernel lets the end pieces go on.
        span = times[-1] - times[0]
        knots = [times[0] - span, *times, times[-1] + span]
        before = [values[0] - speeds[0] * span, speeds[0], 0.0, 0.0]
        behind = [values[-1], speeds[1], 0.0, 0.0]
        return np.concatenate([[0.0, len(times) + 1.0, 3.0, 0.0], knots, before, coefficients.ravel(), behind])


def motion_from_dict(data: Any, address: str = "profile") -> Motion:
    """The profile that its `to_dict` wrote."""
    return MOTIONS.from_dict(data, address)
