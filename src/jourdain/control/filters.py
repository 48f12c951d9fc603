"""Filters: transfer functions of one signal, and controllers that see or act through them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ..basics.arguments import checked
from ..basics.errors import ModelError
from ..basics.types import AnyController
from ..basics.values import as_array, shown, suggestion
from ..describe.laws import BoundLaw, ControlLaw, as_law
from ..model.selection import entries, joint_entries
from .controller import Controller
from .gearing import at_motor, scratch_before

if TYPE_CHECKING:
    from ..model.model import Model
    from ..model.state import State

SIGNALS = {"position": 0, "velocity": 1, "derivative": 2, "effort": 3}


@checked
class Filter:
    """A transfer function: (b0 s^n + ... + bn) / (a0 s^m + ... + am), or in z with a period.

    numerator, denominator    coefficients, highest power first; or a python-control system alone
    period                    None: continuous. A number [s]: discrete

    A, B, C, D is a state-space form of it: x' (or the next x) = A x + B u, y = C x + D u.
    """

    def __init__(self, numerator: Any, denominator: Any = None, period: float | None = None) -> None:
        from scipy.signal import tf2ss

        if denominator is None:
            self._from_system(numerator)
            return
        b, a = (
            np.atleast_1d(as_array(x, what)) for x, what in ((numerator, "numerator"), (denominator, "denominator"))
        )
        if b.ndim != 1 or a.ndim != 1 or not b.size or not a.size or not np.all(np.isfinite([*b, *a])) or a[0] == 0:
            raise ModelError.at("Filter", f"got {shown(b)} / {shown(a)}; give coefficients, the first below not zero")
        if len(np.trim_zeros(b, "f")) > len(a):
            raise ModelError.at("Filter", f"{shown(b)} / {shown(a)} rises without bound; give no more zeros than poles")
        none = np.zeros(0)
        A, B, C, D = tf2ss(b, a) if len(a) > 1 else (np.zeros((0, 0)), none, none, b[-1] / a[0])
        self._put(A, B, C, D, period)

    def _from_system(self, system: Any) -> None:
        if not hasattr(system, "to_ss") and not hasattr(system, "A"):
            if not hasattr(system, "num") and not hasattr(system, "zeros"):
                text = f"got {shown(system)} alone; give a denominator too, or a transfer function or system"
                raise ModelError.at("numerator", text)
            import control

            system = control.ss(system)
        found = system if hasattr(system, "A") else system.to_ss()
        if np.shape(found.D) not in ((1, 1), ()):
            raise ModelError.at("Filter", f"the system has outputs and inputs {np.shape(found.D)}; give one of each")
        time = getattr(found, "dt", 0) or None
        self._put(found.A, found.B, found.C, found.D, None if time is None or time is True else float(time))

    def _put(self, A: Any, B: Any, C: Any, D: Any, period: float | None) -> None:
        if period is not None and not (np.isfinite(period) and period > 0.0):
            raise ModelError.at("Filter", f"period is {period}; give more than zero [s], or None", "period")
        self.A = np.atleast_2d(np.asarray(A, float)) if np.size(A) else np.zeros((0, 0))
        self.B, self.C = np.ravel(np.asarray(B, float)), np.ravel(np.asarray(C, float))
        self.D, self.period = float(np.squeeze(D)), period

    @classmethod
    def low_pass(cls, hz: float, damping: float | None = None) -> Filter:
        """First order, w / (s + w); with a damping ratio second order, w^2 / (s^2 + 2 damping w s + w^2)."""
        w = 2.0 * np.pi * _positive(hz, "hz")
        if damping is None:
            return cls([w], [1.0, w])
        return cls([w * w], [1.0, 2.0 * _positive(damping, "damping") * w, w * w])

    @classmethod
    def notch(cls, hz: float, width: float = 0.5, depth: float = 0.0) -> Filter:
        """(s^2 + 2 depth width w s + w^2) / (s^2 + 2 width w s + w^2): `depth` at the frequency, 1 far from it."""
        w = 2.0 * np.pi * _positive(hz, "hz")
        zeta = _positive(width, "width")
        return cls([1.0, 2.0 * depth * zeta * w, w * w], [1.0, 2.0 * zeta * w, w * w])

    @classmethod
    def lead_lag(cls, zero_hz: float, pole_hz: float) -> Filter:
        """(1 + s / zero) / (1 + s / pole): lead where the zero is the lower one, lag where the pole is."""
        zero, pole = 2.0 * np.pi * _positive(zero_hz, "zero_hz"), 2.0 * np.pi * _positive(pole_hz, "pole_hz")
        return cls([1.0 / zero, 1.0], [1.0 / pole, 1.0])

    @classmethod
    def differentiator(cls, hz: float) -> Filter:
        """s w / (s + w): the derivative of what is slower, whose complement w / (s + w) is the low pass."""
        w = 2.0 * np.pi * _positive(hz, "hz")
        return cls([w, 0.0], [1.0, w])

    @property
    def order(self) -> int:
        """Number of states."""
        return len(self.A)

    def discrete(self, period: float, prewarp: float | None = None) -> Filter:
        """The filter at samples, by Tustin's rule s = k (z - 1) / (z + 1), k = 2 / period.

        prewarp    frequency that keeps its response [Hz]: k = w / tan(w period / 2)
        """
        if self.period is not None:
            raise ModelError.at("Filter", f"it is discrete already, with a period of {self.period:g} s")
        h = _positive(period, "period")
        k = 2.0 / h
        if prewarp is not None:
            w = 2.0 * np.pi * _positive(prewarp, "prewarp")
            if w * h >= np.pi:
                raise ModelError.at("prewarp", f"{prewarp:g} Hz is beyond half the sampling rate of {1.0 / h:g} Hz")
            k = w / np.tan(0.5 * w * h)
        n = self.order
        inverse = np.linalg.inv(k * np.eye(n) - self.A)
        B, C = inverse @ self.B, self.C @ inverse
        out = object.__new__(Filter)
        out._put(inverse @ (k * np.eye(n) + self.A), 2.0 * k * B, C, self.D + self.C @ B, h)
        return out

    def response(self, hz: ArrayLike) -> np.ndarray:
        """Complex gain at frequencies [Hz]."""
        w = 2.0 * np.pi * as_array(hz, "hz")
        s = 1j * w if self.period is None else np.exp(1j * w * self.period)
        gains = [self.C @ np.linalg.solve(x * np.eye(self.order) - self.A, self.B) + self.D for x in np.atleast_1d(s)]
        return np.reshape(gains, np.shape(w))

    def __call__(self, values: Any, period: float | None = None) -> np.ndarray:
        """Samples (nt,) filtered, from rest at the first value; a continuous filter takes their period [s]."""
        one = self if self.period is not None else self.discrete(_positive(period or 0.0, "period"))
        values = as_array(values, "values")
        x = one.rest(float(values[0]))
        out = np.empty(len(values))
        for i, u in enumerate(values):
            out[i] = one.C @ x + one.D * u
            x = one.A @ x + one.B * u
        return out

    def rest(self, value: float) -> np.ndarray:
        """States after a constant signal; zero where the filter does not come to rest."""
        left = (np.eye(self.order) - self.A) if self.period is not None else -self.A
        if not self.order or np.linalg.cond(left) > 1e12:
            return np.zeros(self.order)
        return np.linalg.solve(left, self.B * value)

    def __mul__(self, other: Filter) -> Filter:
        """Both, one behind the other."""
        if self.period != other.period:
            raise ModelError.at("Filter", f"periods {self.period} and {other.period} differ; make both discrete alike")
        n, m = self.order, other.order
        A = np.block([[self.A, np.outer(self.B, other.C)], [np.zeros((m, n)), other.A]])
        out = object.__new__(Filter)
        B = np.concatenate([self.B * other.D, other.B])
        out._put(A, B, np.concatenate([self.C, self.D * other.C]), self.D * other.D, self.period)
        return out


@checked
class Filtered(Controller):
    """A controller that sees, or acts, through a filter.

    controller    one of `jd.control`, or a law
    filter        `Filter`; continuous, or discrete with the period of the `Sampled` around it
    on            names of coordinates (velocities); None: all one-axis joints
    signal        what is filtered: "velocity", "position", "effort"; or "derivative": the filter makes the velocity
                  of the position (`Filter.differentiator`), as where only positions are measured
    state         where filters of positions begin; None: at zero
    """

    def __init__(
        self,
        controller: AnyController,
        filter: Filter,
        on: Iterable[str] | None = None,
        signal: str = "velocity",
        state: State | None = None,
        name: str | None = None,
    ) -> None:
        given = getattr(controller, "name", type(controller).__name__)
        self.name = f"filtered {given}" if name is None else name
        if signal not in SIGNALS:
            raise ModelError.at(self.name, f"signal is {shown(signal)}; {suggestion(str(signal), SIGNALS)}", "signal")
        if not isinstance(filter, Filter):
            raise ModelError.at(self.name, f"got {type(filter).__name__}; give a jd.control.Filter")
        self.controller, self.filter, self.signal, self.state = controller, filter, signal, state
        self.on = None if on is None else tuple(on)

    @property
    def binds_at_once(self) -> bool:  # type: ignore[override]
        """As the controller behind it."""
        return getattr(self.controller, "binds_at_once", False)

    def bind(self, model: Model) -> BoundLaw:
        """The filter and the controller behind it, as one law."""
        inner = as_law(self.controller, self.name, model)
        if inner.inner is not None:
            raise ModelError.at(self.name, "put the filter inside: Sampled(Filtered(...)), with a discrete filter")
        if not isinstance(inner.law, ControlLaw):
            raise ModelError.at(self.name, "a user's law has states of its own for a filter; give one of jd.control")
        index = [int(k) for k in joint_entries(model)] if self.on is None else entries(model, self.on, self.name)
        motors = {k: gear.motor_v for k in index if (gear := at_motor(inner, k)) is not None}
        index = list(dict.fromkeys(motors.get(k, k) for k in index))
        one = self.filter
        digital = one.period is not None
        if inner.law.discrete and not digital:
            raise ModelError.at(self.name, "the controller is discrete; make the filter so: filter.discrete(period)")
        from ..kernels.control.filters import LAW_BEHIND, FilterParameters

        channels, start = [], []
        for k in index:
            j = int(model.arrays.q_index[k])
            if j < 0:
                raise ModelError.at(model.names.v[k], f"{self.name}: is part of a rotation, which is no signal")
            channels.append(
                {"signal": SIGNALS[self.signal], "q": j, "v": k, "A": one.A, "B": one.B, "C": one.C, "D": one.D}
            )
            at = float(self.state.q[j]) if self.state is not None and self.signal in ("position", "derivative") else 0.0
            start += [*one.rest(at)]
        bound = BoundFilter(
            ChainedLaw(inner.law, digital),
            FilterParameters.packed(
                channels=channels, period=one.period or 0.0, discrete=inner.law.discrete, behind=inner.parameters
            ),
            states=len(start) + inner.states,
            start=np.concatenate([start, inner.start]),
            markers=inner.markers,
            contacts=inner.contacts,
            model=inner.model if inner.law.uses_model else model,
            scratch=LAW_BEHIND + model.nq + 2 * model.nv + inner.scratch,
        )
        bound.name, bound.inner_law = self.name, inner
        return bound


class ChainedLaw(ControlLaw):
    """A filter and the law behind it."""

    def __init__(self, inner: ControlLaw, digital: bool) -> None:
        from ..kernels.control.filters import filtered

        super().__init__(f"filtered {inner.name}", filtered, discrete=digital)
        self.inner_law = inner

    def _key(self) -> tuple[Any, ...]:
        return (*super()._key(), self.inner_law)


class BoundFilter(BoundLaw):
    """A filter with the law behind it; its scratch begins with where that is."""

    inner_law: BoundLaw

    def needed(self) -> list[Any]:
        return super().needed() + self.inner_law.needed()

    def initial_scratch(self) -> np.ndarray:
        return scratch_before(self, self.inner_law)


def _positive(value: float, what: str) -> float:
    number = float(value)
    if not (np.isfinite(number) and number > 0.0):
        raise ModelError.at(what, f"got {value}; give more than zero")
    return number
