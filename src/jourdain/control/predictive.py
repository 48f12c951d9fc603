"""Generalised predictive control in state space, with redundant drives (Belda, Bohm & Valasek 2002)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..basics.arguments import checked
from ..basics.errors import ModelError
from ..basics.values import as_array, numbers, shown, suggestion
from ..describe.laws import BoundLaw, ControlLaw
from ..describe.motions import Motion
from ..model.selection import entries
from .controller import Controller
from .linear_plant import all_seen, deviation, linear_plant
from .linear_quadratic import discretize, matrix, pair, weight
from .parameters import profiles

if TYPE_CHECKING:
    from ..model.model import Model
    from ..model.state import State

FORMS = {"normal": 0, "qr": 1}
NO_LIMIT = 1e300


class HorizonPlan(NamedTuple):
    """Inputs (N, m) and outputs (N, y) over the horizon, and the value of the criterion."""

    inputs: np.ndarray
    outputs: np.ndarray
    cost: float


@checked
class GPC:
    """Inputs over a horizon that bring x(k+1) = A x(k) + B u(k), y = C x nearest to a reference, eq. 7 to 16.

    A, B, C       discrete (`jd.control.discretize`)
    horizon       N samples
    penalty       of the inputs: a number, one for each, or (m, m); above zero unless every input is seen in the outputs
    increments    penalty of the inputs' changes from sample to sample, in the same forms: smooth histories
    weights       of the outputs, one each; None: 1
    form          "qr": the root form, by reflections; "normal": by normal equations. Both give the same inputs; the
                  root form loses half as many digits

    `gain` is the first input for a deviation of the reference (m, N y), `state_gain` that for a state (m, n), and
    `before_gain` that for the input before (m, m): u = gain w - state_gain x + before_gain u(k-1).
    """

    def __init__(
        self,
        A: ArrayLike,
        B: ArrayLike,
        C: ArrayLike,
        horizon: int,
        penalty: ArrayLike,
        form: str = "qr",
        *,
        increments: ArrayLike = 0.0,
        weights: ArrayLike | None = None,
    ) -> None:
        if form not in FORMS:
            raise ModelError.at("form", f"got {shown(form)}; {suggestion(str(form), FORMS)}")
        if not isinstance(horizon, int | np.integer) or horizon < 1:
            raise ModelError.at("horizon", f"got {shown(horizon)}; give a whole number of samples, 1 or more")
        self.form, self.horizon = form, int(horizon)
        self.A, self.B = pair(A, B, "A", "B")
        C = matrix(C, "C")
        if C.shape[1] != len(self.A):
            raise ModelError.at("C", f"has {C.shape[1]} columns; A has {len(self.A)} states")
        m, y = self.B.shape[1], len(C)
        scale = np.ones(y) if weights is None else as_array(weights, "weights")
        if scale.shape != (y,) or not np.all(scale >= 0.0):
            raise ModelError.at("weights", f"got {shown(weights)}; give one for each of {y} outputs, none negative")
        self.scale = np.sqrt(scale)
        self.C = C
        self.penalty = weight(penalty, m, "penalty", "inputs")
        self.increments = weight(increments, m, "increments", "inputs")

    def plan(
        self, x: ArrayLike, reference: ArrayLike, *, affine: ArrayLike | None = None, before: ArrayLike | None = None
    ) -> HorizonPlan:
        """The best inputs from the state x (n,).

        reference    outputs wanted at the samples k+1 ... k+N: (N, y), or (y,) for all
        affine       c of x(k+1) = A x + B u + c (n,), of a linearisation along a motion
        before       the input before (m,), where increments are penalised
        """
        from ..kernels.control.predictive import plan

        n, m, y, N = len(self.A), self.B.shape[1], len(self.C), self.horizon
        w = np.broadcast_to(as_array(reference, "reference"), (N, y)) if _fits(reference, N, y) else None
        if w is None:
            raise ModelError.at("reference", f"has shape {np.shape(reference)}; give ({N}, {y}) or ({y},)")
        start = _vector(x, n, "x")
        c = np.zeros(n) if affine is None else _vector(affine, n, "affine")
        last = np.zeros(m) if before is None else _vector(before, m, "before")
        root = self.form == "qr"
        penalty, increments = (
            (_upper(self.penalty), _upper(self.increments)) if root else (self.penalty, self.increments)
        )
        rows = N * (y + m + m * bool(np.any(self.increments))) if root else N * m
        G, S, u = np.zeros((N * y, N * m)), np.zeros((rows, N * m + 1)), np.zeros(N * m)
        f, e = np.zeros(N * y), np.zeros(N * y)
        goal = np.ascontiguousarray((w * self.scale).ravel())
        scratch = np.zeros(n), np.zeros(n), np.zeros((n, m)), np.zeros((n, m))
        C = np.ascontiguousarray(self.C * self.scale[:, None])
        given = (FORMS[self.form], self.A, self.B, C, c, start, goal, penalty, increments, last)
        if rows < N * m or plan(*given, G, f, e, S, u, *scratch) != 0:
            raise ModelError.at(
                "penalty", "the inputs are not determined: some have no effect; give a penalty above zero"
            )
        found = u.reshape(N, m)
        steps = np.diff(np.vstack([last, found]), axis=0)
        off = goal - f - G @ u
        cost = off @ off + np.sum(found @ self.penalty * found) + np.sum(steps @ self.increments * steps)
        with np.errstate(divide="ignore", invalid="ignore"):
            outputs = np.where(self.scale > 0.0, (f + G @ u).reshape(N, y) / self.scale, np.nan)
        return HorizonPlan(found, outputs, float(cost))

    def move(
        self, x: ArrayLike, reference: ArrayLike, *, affine: ArrayLike | None = None, before: ArrayLike | None = None
    ) -> np.ndarray:
        """The first input (m,) of the plan, the one that is applied."""
        return self.plan(x, reference, affine=affine, before=before).inputs[0]

    @property
    def poles(self) -> np.ndarray:
        """Those of the closed loop; with increments penalised the input before is a state too."""
        n, m = self.B.shape
        if not np.any(self.increments):
            return np.linalg.eigvals(self.A - self.B @ self.state_gain)
        closed = np.hstack([self.A - self.B @ self.state_gain, self.B @ self.before_gain])
        return np.linalg.eigvals(np.vstack([closed, np.hstack([-self.state_gain, self.before_gain])]))

    @cached_property
    def gain(self) -> np.ndarray:
        """(m, N y)"""
        N, y = self.horizon, len(self.C)
        zero = np.zeros(len(self.A))
        return np.array([self.move(zero, row.reshape(N, y)) for row in np.eye(N * y)]).T

    @cached_property
    def state_gain(self) -> np.ndarray:
        """(m, n)"""
        return -np.array([self.move(row, np.zeros(len(self.C))) for row in np.eye(len(self.A))]).T

    @cached_property
    def before_gain(self) -> np.ndarray:
        """(m, m)"""
        zero = np.zeros(len(self.A))
        return np.array([self.move(zero, np.zeros(len(self.C)), before=row) for row in np.eye(self.B.shape[1])]).T


@checked
def allocate(
    transmission: ArrayLike,
    force: ArrayLike,
    *,
    prefer: ArrayLike | None = None,
    least: ArrayLike | None = None,
    signs: ArrayLike | None = None,
) -> np.ndarray:
    """Drive efforts u (m,) with R^T T u = FM, eq. 17, of redundant drives.

    transmission    R^T T (n, m): generalised forces of unit drive efforts, m >= n
    force           FM (n,)
    prefer          drive efforts to stay near (m,); None: zero, which is the pseudoinverse
    least           anti-backlash: every drive pulls with at least this effort, a number or one each (0 or more)
    signs           which way (m,), -1 or 1; None: that of `prefer` where it is given, else 1

    The null space of R^T T is free: u is the nearest to `prefer` that keeps the signs (least-distance programming,
    Lawson & Hanson 1974, ch. 23). Where it cannot, the error names the drives.
    """
    T = matrix(transmission, "transmission")
    n, m = T.shape
    FM = _vector(force, n, "force")
    ideal = np.zeros(m) if prefer is None else _vector(prefer, m, "prefer")
    U, values, V = np.linalg.svd(T)
    if m < n or values[-1] <= 1e-12 * values[0]:
        raise ModelError.at(
            "transmission", f"{m} drives do not give every one of {n} forces (singular values {numbers(values)})"
        )
    u = ideal + np.linalg.pinv(T) @ (FM - T @ ideal)
    if least is None:
        return u
    floor = np.broadcast_to(as_array(least, "least"), (m,)) if np.ndim(least) == 0 else _vector(least, m, "least")
    if signs is None:
        way = np.where(ideal < 0.0, -1.0, 1.0)
    else:
        way = _vector(signs, m, "signs")
    if not np.all(np.abs(way) == 1.0) or not np.all(floor >= 0.0):
        raise ModelError.at("least", "signs are -1 or 1, and least is zero or more")
    N = V[n:].T
    return u + N @ _least_distance(way[:, None] * N, floor - way * u)


def _least_distance(A: np.ndarray, b: np.ndarray) -> np.ndarray:
    """The smallest z with A z >= b (LDP of Lawson & Hanson 1974, section 23.4)."""
    from scipy.optimize import nnls

    if np.all(b <= 0.0):
        return np.zeros(A.shape[1])
    scale = max(float(np.max(np.abs(b))), 1e-300)
    E = np.vstack([A.T, b / scale])
    wanted = np.zeros(len(E))
    wanted[-1] = 1.0
    y, left = nnls(E, wanted)
    r = E @ y - wanted
    if left < 1e-9:
        drives = ", ".join(str(i) for i in np.flatnonzero(y > 0.0))
        raise ModelError.at(
            "least", f"the null space cannot keep the signs of drives {drives}; lower least, or change signs"
        )
    return -r[:-1] / r[-1] * scale


@checked
class Predictive(Controller):
    """Predictive control of a model: coordinates follow profiles that are known ahead.

    model         that the prediction is made with: the plant's, or another with the same names
    state         about which it is linearised, an equilibrium, where `relinearize` is off. States of contacts that
                  touch and of laws are refused: the controller does not see them
    horizon       N samples
    penalty, increments, weights, form    as in `GPC`
    period        of the samples [s]; put it into `jd.control.Sampled(..., period)`
    reference     profiles of the coordinates that are to be followed, by name: the outputs
    inputs        names of the velocities on which efforts act; None: every joint that is not held
    hold          names of velocities that are left out
    relinearize   True: linearised anew at every sample about where the plant is, along its motion; its free response
                  counts (an affine term). False: gains computed beforehand about `state`
    limit         largest effort either way, a number, or one for each input. The plan does not know it: an input that
                  is larger is cut, and what was planned on the others then overshoots. So it takes cut=True
    cut           whether inputs are cut at `limit`
    """

    def __init__(
        self,
        model: Model,
        state: State,
        horizon: int,
        penalty: ArrayLike,
        period: float,
        reference: Mapping[str, Motion],
        *,
        inputs: Iterable[str] | None = None,
        hold: Iterable[str] = (),
        relinearize: bool = True,
        increments: ArrayLike = 0.0,
        weights: ArrayLike | None = None,
        form: str = "qr",
        limit: ArrayLike | None = None,
        name: str = "GPC",
        cut: bool = False,
    ) -> None:
        if limit is not None and not cut:
            raise ModelError.at(
                name,
                "its plan knows no limits: inputs are found without, and would be cut at the limit, which overshoots "
                "where it acts; say so with cut=True, or leave limit out and give a larger penalty and a longer "
                "horizon",
            )
        self.name, self.state, self.period, self.model = name, state, float(period), model
        self.plant = linear_plant(model, state, inputs, hold)
        all_seen(self.plant, name)
        self.relinearize, self.reference = relinearize, dict(reference)
        if not self.reference:
            raise ModelError.at(name, "there is nothing to follow; give reference={name: profile}")
        n = len(self.plant.names)
        C = np.zeros((len(self.reference), 2 * n))
        for i, one in enumerate(self.reference):
            if one not in self.plant.names:
                raise ModelError.at(
                    str(one), f"reference: no such coordinate; {suggestion(str(one), self.plant.names)}", "reference"
                )
            if not isinstance(self.reference[one], Motion):
                got = type(self.reference[one]).__name__
                raise ModelError.at(one, f"reference: got {got}; give a profile, such as jd.Cycloid", "reference")
            C[i, self.plant.names.index(one)] = 1.0
        A, B = discretize(self.plant.A, self.plant.B, self.period)
        self.design = GPC(A, B, C, horizon, penalty, form, increments=increments, weights=weights)
        m = len(self.plant.inputs)
        most = np.full(m, NO_LIMIT) if limit is None else np.broadcast_to(as_array(limit, "limit"), (m,))
        if not np.all(most > 0.0):
            raise ModelError.at(name, f"limit is {shown(limit)}; give more than zero", "limit")
        self.limit = most
        if relinearize:
            if len(model.arrays.rotations):
                raise ModelError.at(
                    name, "rotations and free joints cannot be predicted along; hold them in a model apart"
                )
            if n != model.nv:
                raise ModelError.at(
                    name, "hold has no meaning with relinearize=True; give a model without what is held", "hold"
                )

    def bind(self, model: Model) -> BoundLaw:
        """The law, its numbers laid out for this plant."""
        bound = self._relinearized(model) if self.relinearize else self._scheduled(model)
        bound.name = self.name
        return bound

    def _start(self, name: str) -> float:
        """Value of a coordinate at the state."""
        return float(self.state.q[self.model.arrays.q_index[self.model.index.v[name]]])

    def _profiles(self) -> list[dict[str, Any]]:
        """The references."""
        return profiles((one.code, one.numbers(self._start(name), name)) for name, one in self.reference.items())

    def _scheduled(self, model: Model) -> BoundLaw:
        from ..kernels.control.predictive import ScheduledParameters, scheduled

        d, plant = self.design, self.plant
        actuated = entries(model, plant.inputs, f"{self.name}: inputs")
        nominal = [plant.effort[self.model.index.v[name]] for name in plant.inputs]
        p = ScheduledParameters.packed(
            inputs=[
                {"v": k, "nominal": effort, "limit": most}
                for k, effort, most in zip(actuated, nominal, self.limit, strict=True)
            ],
            outputs=[
                {"reference": one, "offset": self._start(name)}
                for name, one in zip(self.reference, self._profiles(), strict=True)
            ],
            states=len(d.A),
            horizon=d.horizon,
            period=self.period,
            Kw=d.gain,
            Kx=d.state_gain,
            Kb=d.before_gain,
            deviation=deviation(model, self.state, plant.names, None),
        )
        return BoundLaw(ControlLaw("predictive control", scheduled, discrete=True), p, states=len(plant.inputs))

    def _relinearized(self, model: Model) -> BoundLaw:
        from ..kernels.control.predictive import PredictiveParameters, relinearized

        d, plant, own = self.design, self.plant, self.model
        m, n, y, N = len(plant.inputs), own.nv, len(d.C), d.horizon
        for name in own.names.q:
            if name not in model.index.q:
                raise ModelError.at(
                    name, f"{self.name}: the plant has no such coordinate; {suggestion(name, model.index.q)}"
                )
        root = d.form == "qr"
        penalty, increments = (_upper(d.penalty), _upper(d.increments)) if root else (d.penalty, d.increments)
        rows = N * (y + m + m * bool(np.any(d.increments))) if root else N * m
        p = PredictiveParameters.packed(
            q_map=[model.index.q[name] for name in own.names.q],
            q_rest=own.neutral,
            v_map=[model.index.v[name] for name in own.names.v],
            inputs=[
                {"v": model.index.v[name], "controlled": own.index.v[name], "limit": most}
                for name, most in zip(plant.inputs, self.limit, strict=True)
            ],
            outputs=[
                {"v": own.index.v[name], "weight": s, "reference": one}
                for name, s, one in zip(self.reference, d.scale, self._profiles(), strict=True)
            ],
            horizon=N,
            period=self.period,
            form=FORMS[d.form],
            rows=rows,
            penalty=penalty,
            increments=increments,
        )
        side = 2 * n + m + 1
        scratch = (
            6 * n + 4 * side**2 + 2 * n * y + N * y * N * m + N * y + rows * (N * m + 1) + N * m + 8 * n + 4 * n * m
        )
        start = [plant.effort[own.index.v[name]] for name in plant.inputs]
        law = ControlLaw("predictive control", relinearized, discrete=True)
        return BoundLaw(law, p, states=m, start=start, model=own, scratch=scratch)


def _upper(W: np.ndarray) -> np.ndarray:
    """r with r^T r = W, W not negative."""
    values, X = np.linalg.eigh(W)
    return np.ascontiguousarray((X * np.sqrt(np.maximum(values, 0.0))) @ X.T)


def _vector(value: Any, size: int, what: str) -> np.ndarray:
    array = np.atleast_1d(as_array(value, what))
    if array.shape != (size,) or not np.all(np.isfinite(array)):
        raise ModelError.at(what, f"got {shown(value)}; give {size} finite numbers")
    return np.ascontiguousarray(array)


def _fits(reference: Any, N: int, y: int) -> bool:
    return np.shape(reference) in ((N, y), (y,), ())
