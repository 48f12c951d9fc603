"""State feedback, with and without an observer: LQR and LQG on the linearised flexible plant."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ..basics.arguments import checked
from ..basics.errors import ModelError
from ..basics.types import ByName
from ..basics.values import suggestion
from ..describe.laws import BoundLaw, ControlLaw
from ..describe.motions import Motion
from ..model.selection import entries
from .controller import Controller
from .gearing import through_gears
from .linear_plant import LinearPlant, all_seen, deviation, input_weight, linear_plant, state_weight
from .linear_quadratic import Regulator, discretize, kalman, lqr, matrix, pair, sampled_lqr
from .parameters import Entry

if TYPE_CHECKING:
    from ..model.model import Model
    from ..model.state import State

NO_LIMIT = 1e300


@checked
class Observer:
    """Luenberger's observer x' = A x + B u + L (y - C x) (1964), or the same in discrete time, x(k+1) = ...

    A, B, C     of the plant
    gain        L (states, measurements); `jd.control.kalman(A, C, W, V).gain` for a Kalman filter
    discrete    whether A, B and the gain are those of samples
    """

    def __init__(self, A: ArrayLike, B: ArrayLike, C: ArrayLike, gain: ArrayLike, *, discrete: bool = False) -> None:
        self.A, self.B = pair(A, B, "A", "B")
        self.C, self.gain, self.discrete = matrix(C, "C"), matrix(gain, "gain"), discrete
        n, y = len(self.A), len(self.C)
        if self.C.shape[1] != n:
            raise ModelError.at("C", f"has {self.C.shape[1]} columns; A has {n} states")
        if self.gain.shape != (n, y):
            raise ModelError.at("gain", f"has shape {self.gain.shape}; {n} states and {y} measurements take ({n}, {y})")

    @property
    def poles(self) -> np.ndarray:
        """Those of the error, A - L C."""
        return np.linalg.eigvals(self.A - self.gain @ self.C)


@checked
class StateFeedback(Controller):
    """effort = nominal - gain x: x the deviation of a plant from a state, or an observer's estimate of it.

    gain           (inputs, 2 n): of the displacements of `coordinates` in the tangent space (differences of numbers,
                   rotation vectors, see `displacement`), then of their rates; with an observer (inputs, its
                   states)
    state          where the plant is to be
    inputs         names of the velocities on which the efforts act, one a row of the gain
    coordinates    names of velocities, as in `model.names.v`; a joint's or body's name stands for all of its own. None:
                   all
    effort         nominal efforts, a dict or (nv,); None for none
    reference      profiles that coordinates are to follow, by name, instead of staying at the state
    limit          largest effort either way: a number, or a dict by input
    observer       `Observer`; it gets the effort that the limits leave
    measured       names of coordinates whose displacement is measured, with an observer
    rates          names of coordinates whose velocity is measured, behind those
    """

    def __init__(
        self,
        gain: ArrayLike,
        state: State,
        inputs: Iterable[str],
        *,
        coordinates: Iterable[str] | None = None,
        effort: ByName | None = None,
        reference: Mapping[str, Motion] | None = None,
        limit: float | Mapping[str, float] | None = None,
        observer: Observer | None = None,
        measured: Iterable[str] = (),
        rates: Iterable[str] = (),
        name: str = "state feedback",
    ) -> None:
        self.name, self.state, self.nominal, self.limit = name, state, effort, limit
        self.gain = matrix(gain, f"{name}: gain")
        self.inputs = tuple(inputs)
        self.coordinates = None if coordinates is None else tuple(coordinates)
        self.reference = dict(reference or {})
        self.observer: Observer | None = observer
        self.measured, self.rates = tuple(measured), tuple(rates)
        if len(self.gain) != len(self.inputs):
            raise ModelError.at(name, f"the gain has {len(self.gain)} rows; there are {len(self.inputs)} inputs")

    def bind(self, model: Model) -> BoundLaw:
        """The law, its numbers laid out for this plant."""
        from ..kernels.control.state_feedback import FeedbackParameters, observed_feedback, state_feedback
        from ..model.kernel_calls import checked_efforts

        actuated = entries(model, self.inputs, f"{self.name}: inputs")
        names = model.names.v if self.coordinates is None else self.coordinates
        moving = entries(model, names, f"{self.name}: coordinates")
        m, n = self.gain.shape
        if len(actuated) != m:
            raise ModelError.at(self.name, f"the gain has {m} rows; the inputs are {len(actuated)} efforts")
        if len(self.state.q) != model.nq:
            raise ModelError.at(self.name, f"its state has {len(self.state.q)} coordinates; this model has {model.nq}")
        nominal = checked_efforts(model, self.nominal)
        most = self._limits(model, actuated)
        numbers: dict[str, Any] = {
            "inputs": [
                {"v": k, "nominal": nominal[k], "limit": limit} for k, limit in zip(actuated, most, strict=True)
            ],
            "states": n,
            "gain": self.gain,
            "deviation": deviation(model, self.state, names, self.reference),
        }
        if self.observer is None:
            if n != 2 * len(moving):
                text = f"the gain has {n} columns; {len(moving)} coordinates and their rates take {2 * len(moving)}"
                raise ModelError.at(self.name, text)
            law, states = ControlLaw("state feedback", state_feedback), 0
        else:
            seen = self._seen(model, moving)
            one = self.observer
            sizes = (len(one.A), one.B.shape[1], len(one.C))
            if sizes != (n, m, len(seen)):
                text = f"the observer has {sizes[0]} states, {sizes[1]} inputs and {sizes[2]} measurements"
                raise ModelError.at(self.name, f"{text}; here there are {n}, {m} and {len(seen)}")
            numbers |= {"A": one.A - one.gain @ one.C, "B": one.B, "L": one.gain, "measured": seen}
            law, states = ControlLaw("observed feedback", observed_feedback, discrete=bool(one.discrete)), n
        bound = BoundLaw(law, FeedbackParameters.packed(**numbers), states=states)
        bound.name = self.name
        inputs = [Entry(model.names.v[k], int(model.arrays.q_index[k]), k) for k in actuated]
        return through_gears(model, inputs, bound, measured=False)

    def _seen(self, model: Model, moving: list[int]) -> list[int]:
        out = []
        for names, shift in ((self.measured, 0), (self.rates, len(moving))):
            for k in entries(model, names, f"{self.name}: measured"):
                if k not in moving:
                    raise ModelError.at(model.names.v[k], f"{self.name}: is measured but not among the coordinates")
                out.append(moving.index(k) + shift)
        return out

    def _limits(self, model: Model, actuated: list[int]) -> list[float]:
        names = [model.names.v[k] for k in actuated]
        if self.limit is None:
            return [NO_LIMIT] * len(names)
        given = self.limit if isinstance(self.limit, Mapping) else dict.fromkeys(names, self.limit)
        for name, value in given.items():
            if name not in names:
                raise ModelError.at(str(name), f"{self.name}: limit: no such input; {suggestion(str(name), names)}")
            if not (np.isfinite(value) and value > 0.0):
                raise ModelError.at(str(name), f"{self.name}: limit is {value}; give more than zero")
        return [float(given.get(name, NO_LIMIT)) for name in names]


def _regulator(plant: LinearPlant, Q: Any, R: Any, period: float | None) -> Regulator:
    Q, R, names = state_weight(plant, Q), input_weight(plant, R), plant.states
    if period is None:
        return lqr(plant.A, plant.B, Q, R, names=names)
    return sampled_lqr(plant.A, plant.B, Q, R, period, names)


@checked
class LQR(StateFeedback):
    """The linear quadratic regulator of a model near a state, flexible coordinates included.

    model        that the gain is designed on: the plant's, or another with the same coordinates
    state        an equilibrium; the efforts that it takes are given as nominal ones
    Q            weights of displacements and rates: (2n, 2n), its diagonal, a number, or a dict from names to the
                 weight of a displacement or to two (displacement, rate); what is not named has none
    R            weights of the efforts: (m, m), its diagonal, a number, or a dict from names
    inputs       names of the velocities on which efforts act; None: every joint that is not held, its motor where it
                 has one
    hold         names of velocities that are left out, and kept by something else
    period       None: continuous. A number [s]: the gain of a digital regulator with the same cost, for
                 `jd.control.Sampled(..., period)`
    reference, limit    as in `StateFeedback`

    `gain`, `poles` and `plant` (A, B, names) say what came out. Laws that are forces and contacts that touch count in
    the plant. Where they have states of their own (bristles, relaxation, those of laws), which no coordinate shows, LQR
    refuses and `LQG` estimates them.
    """

    def __init__(
        self,
        model: Model,
        state: State,
        Q: ByName,
        R: ByName,
        *,
        inputs: Iterable[str] | None = None,
        hold: Iterable[str] = (),
        effort: ByName | None = None,
        period: float | None = None,
        reference: Mapping[str, Motion] | None = None,
        limit: float | Mapping[str, float] | None = None,
        name: str = "LQR",
    ) -> None:
        self.plant: LinearPlant = linear_plant(model, state, inputs, hold, effort)
        all_seen(self.plant, name)
        found = _regulator(self.plant, Q, R, period)
        self.poles, self.cost, self.period = found.poles, found.cost, period
        super().__init__(
            found.gain,
            state,
            self.plant.inputs,
            coordinates=self.plant.names,
            effort=self.plant.effort,
            reference=reference,
            limit=limit,
            name=name,
        )


@checked
class LQG(StateFeedback):
    """`LQR` on the estimate of a Kalman filter that sees only what is measured.

    measured    names of coordinates whose displacement is measured
    rates       names of coordinates whose velocity is measured, behind those
    W           intensity of the efforts that disturb each coordinate [effort^2 s]: a number, one for each, or a matrix
    V           intensity of the noise of each measurement [rad^2 s or m^2 s]; with a period its variance
    period      None: continuous. A number [s]: a digital regulator and filter, for `jd.control.Sampled(..., period)`

    The others as in `LQR`. `observer` is the filter, `poles` are those of both. States of laws and of contacts that
    touch are estimated too: `plant.states` has their names, "z:...", under which Q may weigh them.
    """

    observer: Observer

    def __init__(
        self,
        model: Model,
        state: State,
        Q: ByName,
        R: ByName,
        W: ArrayLike,
        V: ArrayLike,
        *,
        measured: Iterable[str] = (),
        rates: Iterable[str] = (),
        inputs: Iterable[str] | None = None,
        hold: Iterable[str] = (),
        effort: ByName | None = None,
        period: float | None = None,
        reference: Mapping[str, Motion] | None = None,
        limit: float | Mapping[str, float] | None = None,
        name: str = "LQG",
    ) -> None:
        measured, rates = tuple(measured), tuple(rates)
        self.plant, self.period = linear_plant(model, state, inputs, hold, effort), period
        regulator = _regulator(self.plant, Q, R, period)
        A, B, G, names = self.plant.A, self.plant.B, self.plant.G, self.plant.states
        C = self._outputs(measured, rates)
        if period is None:
            found = kalman(A, C, W, V, G=G, names=names)
        else:
            (A, B), G = discretize(A, B, period), discretize(A, G, period)[1] / np.sqrt(period)
            found = kalman(A, C, W, V, G=G, discrete=True, names=names)
        observer = Observer(A, B, C, found.gain, discrete=period is not None)
        self.poles = np.concatenate([regulator.poles, found.poles])
        super().__init__(
            regulator.gain,
            state,
            self.plant.inputs,
            coordinates=self.plant.names,
            effort=self.plant.effort,
            reference=reference,
            limit=limit,
            observer=observer,
            measured=measured,
            rates=rates,
            name=name,
        )

    def _outputs(self, measured: tuple[str, ...], rates: tuple[str, ...]) -> np.ndarray:
        n = len(self.plant.names)
        rows = []
        for names, shift in ((measured, 0), (rates, n)):
            for name in names:
                if name not in self.plant.names:
                    text = f"measured: no such coordinate; {suggestion(str(name), self.plant.names)}"
                    raise ModelError.at(str(name), text)
                row = np.zeros(len(self.plant.states))
                row[self.plant.names.index(name) + shift] = 1.0
                rows.append(row)
        if not rows:
            raise ModelError.at("measured", "nothing is; name coordinates in measured= or rates=")
        return np.array(rows)
