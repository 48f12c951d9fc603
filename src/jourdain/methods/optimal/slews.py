"""Rest-to-rest slews of flexible arms and craft that leave no vibration, also where a frequency is not as it seems.

Vibration that is left is zero for several plants at once, whose frequencies lie across the band of the error, under one
and the same input: frequency sampling (Singer & Seering 1992, ASME J. Dyn. Sys. 114(1)), which with more plants is
the specified insensitivity of Singhose, Derezinski & Singer 1996, here on the nonlinear models themselves and with any
cost. With time as the cost and bounded efforts it is the robust minimum-time slew of Liu & Wie 1992, J. Guidance 15(3).

A model whose actuated joints are moved: inputs are the accelerations of these, and efforts follow.

With M^-1 of the tree, a its acceleration without efforts on the joints J that are moved, and w what these shall have,

    tau = (M^-1_JJ)^-1 (w - a_J),    dtau = (M^-1_JJ)^-1 (dw - da_J),    da = da|tau + M^-1_:J dtau,

where da|tau are the derivatives of forward dynamics at that effort (Featherstone 2008, section 9.2, hybrid dynamics).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ...basics.arguments import checked
from ...basics.errors import ModelError
from ...basics.values import shown, suggestion
from ...model.derivatives import inverse_dynamics_derivatives
from ...model.state import State
from . import costs
from .costs import Cost, Term
from .model_plant import ModelPlant
from .plant_family import PlantFamily, off_models
from .plants import Nodes, PlantQuantity, direct
from .problem import Problem, horizon, still_rows
from .schemes import TimeMesh
from .trajectory import Trajectory
from .transcription import DecisionVariables

if TYPE_CHECKING:
    from ...model.model import Model


class AccelerationPlant(ModelPlant):
    """A model without contacts, laws and loops, some of whose joints have the accelerations that are given."""

    def __init__(self, model: Model, state: State, inputs: Iterable[str] | None = None) -> None:
        super().__init__(model, state, inputs)
        self.inputs = tuple(f"acceleration:{model.names.v[k]}" for k in self.actuated)

    def split(self, nodes: Nodes) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Coordinates, velocities, and the efforts that the accelerations take."""
        q, v, wanted = super().split(nodes)
        J = self.actuated
        without, _, _, inverse = self.forward(nodes.t, q, v, np.zeros_like(v))
        effort = np.zeros_like(v)
        effort[:, J] = np.linalg.solve(inverse[:, J][:, :, J], (wanted - without)[:, J, None])[:, :, 0]
        return q, v, effort

    def partials(self, nodes: Nodes) -> tuple[np.ndarray, np.ndarray]:
        rates, J = super().partials(nodes)
        by_effort = J[:, :, self._inputs].copy()
        D = self._effort_partials(J)
        J[:, :, self._inputs] = 0.0
        J[:, :, :-1] += by_effort @ D
        return rates, J

    def curvature(self, nodes: Nodes, weights: np.ndarray) -> None:
        """To be differenced: what the tree has is by efforts."""
        return None

    @property
    def _inputs(self) -> slice:
        first = len(self.states)
        return slice(first, first + len(self.actuated))

    def _effort_partials(self, J: np.ndarray) -> np.ndarray:
        """Derivatives of the efforts (n, inputs, local less time) from those of the rates at given efforts."""
        rows = self.model.nq + np.array(self.actuated)
        own = J[:, rows]
        right = -own[:, :, :-1]
        right[:, :, self._inputs] = np.eye(len(self.actuated))
        return np.linalg.solve(own[:, :, self._inputs], right)

    def quantity(self, name: str) -> PlantQuantity:
        kind, _, rest = str(name).partition(":")
        index = self.model.index.v
        if kind == "effort" and rest in index and index[rest] in self.actuated:
            return self._effort(name, self.actuated.index(index[rest]), self.model.units.effort[index[rest]])
        return super().quantity(name)

    def _effort(self, name: str, k: int, unit: str) -> PlantQuantity:
        """The effort that a moved joint takes."""

        def values(nodes: Nodes) -> np.ndarray:
            return self.split(nodes)[2][:, self.actuated[k]]

        def partials(nodes: Nodes) -> tuple[np.ndarray, np.ndarray]:
            out = np.zeros((len(nodes.t), nodes.local))
            out[:, :-1] = self._effort_partials(ModelPlant.partials(self, nodes)[1])[:, k]
            return values(nodes), out

        return PlantQuantity(name, unit, None, values, partials)


COSTS = {"effort": costs.effort, "time": costs.time, "peak": costs.peak, "residual": costs.residual}
INTERVALS = (40, 200)
"""Fewest and most of a collocation by default."""
WAYS: dict[str, type[ModelPlant]] = {"motion": AccelerationPlant, "effort": ModelPlant}


@checked
class Slew(Problem):
    """The problem of a slew; for its arguments see `slew`. Limits are of the model itself, not of its variants."""

    plant: PlantFamily

    def __init__(
        self,
        model: Model,
        start: Any = None,
        *,
        end: Mapping[str, Any],
        until: float | tuple[float, float],
        cost: str | Cost = "effort",
        limits: Mapping[str, Any] | None = None,
        inputs: Iterable[str] | None = None,
        by: str = "motion",
        robust: float | Mapping[str, float] | None = None,
        plants: int = 3,
    ) -> None:
        if by not in WAYS:
            raise ModelError.at("by", f"got {shown(by)}; {suggestion(str(by), WAYS)}")
        if isinstance(cost, str) and cost not in COSTS:
            raise ModelError.at("cost", f"got {shown(cost)}; {suggestion(cost, COSTS)}, or a cost")
        self.cost = COSTS[cost]() if isinstance(cost, str) else cost
        if not isinstance(self.cost, Cost):
            raise ModelError.at("cost", f"got {shown(cost)}; {', '.join(COSTS)}, or a cost")
        if not isinstance(end, Mapping) or not end:
            raise ModelError.at("end", f"got {shown(end)}; give coordinates and where they end, {{'shoulder': 1.0}}")
        self.model, self.by, self.limits = model, by, dict(limits or {})
        state = start if hasattr(start, "q") else model.state(q=dict(start or {}))
        first = WAYS[by](model, settled(model, state, ModelPlant(model, state, inputs).actuated), inputs)
        self.end = _ends(model, first, end)
        self.held = tuple(model.names.v[k] for k in first.actuated)
        some = [first]
        if robust is not None:
            for one in off_models(model, first.state, self.held, robust, plants):
                some.append(WAYS[by](one, settled(one, first.state, first.actuated), inputs))
        kinds = {term.kind for term in self.cost.terms}
        self.plant = PlantFamily(some, "peak" in kinds)
        self.start = np.concatenate([np.concatenate([one.state.q, one.state.v]) for one in some])
        self.rest, self.soft = True, "residual" in kinds
        begin = float(first.state.time)
        self._lay(begin, horizon(until, begin), (), (), {"peak": (0.0, None)} if self.plant.parameters else None)

    @property
    def first(self) -> ModelPlant:
        """The plant that is meant."""
        return self.plant.plants[0]  # type: ignore[return-value]

    @property
    def enough(self) -> int:
        """Intervals that follow the fastest mode."""
        assert self.model is not None
        hz = self.model.frequencies(self.first.state, hold=self.held).hz
        return int(np.clip(np.ceil(6.0 * np.max(hz, initial=0.0) * self.task.duration[1]), *INTERVALS))

    def _end(self, name: str, given: Any) -> None:
        before = len(self.end_rows)
        super()._end(name, given)
        self.end_rows[before:] = [self.plant.rows_of(0, one) for one in self.end_rows[before:]]

    def _come_to_rest(self) -> None:
        """Velocities vanish and what is not moved is where it stays, in every plant.

        Joints that are moved are in every variant where they are in the model: they have no equations there.
        """
        for k, (one, part) in enumerate(zip(self.plant.plants, self.plant.parts, strict=True)):
            assert isinstance(one, ModelPlant)
            for j in range(one.model.nv):
                at = part.start + one.model.nq + j
                moved = j in one.actuated
                if np.any(np.isfinite(self.x_end[at])) or (moved and k and self.by == "motion"):
                    continue
                if moved or not self.soft:
                    self.x_end[at] = 0.0
            rows = None if self.soft else still_rows(one)
            if rows is not None:
                self.end_rows.append(self.plant.rows_of(k, rows))

    def _costs(self) -> list[list[float]]:
        whole, plain, own = self.cost, list[Term](), list[Term]()
        efforts = [f"effort:{name}" for name in self.held]
        for term in whole.terms:
            if term.kind == "efforts":
                plain += [Term("quantity", term.weight, name) for name in efforts]
            else:
                (own if term.kind in ("peak", "residual") else plain).append(term)
        rows: list[tuple[int, int, float]] = []
        for term in own:
            if term.kind == "peak":
                for name in efforts:
                    one = self.plant.quantity(name)
                    self.path_bounds[self._added(self.plant.below_peak(one, -1.0))] = (-np.inf, 0.0)
                    self.path_bounds[self._added(self.plant.below_peak(one, 1.0))] = (0.0, np.inf)
                at = len(self.plant.states) + len(self.plant.inputs)
                rows.append((self._added(direct("peak", "", at)), 3, term.weight))
            else:
                weight = term.weight / len(self.plant.plants)
                rows += [(self._added(one), 4, weight) for one in self._left()]
        self.cost = Cost(tuple(plain))
        out = super()._costs()
        self.cost = whole
        for row, column, weight in rows:
            out[row][column] += weight
        return out

    def _added(self, one: PlantQuantity) -> int:
        self._quantities.append(one)
        return len(self._quantities) - 1

    def _left(self) -> list[PlantQuantity]:
        """Quantities whose squares are the energy of small vibrations about rest at the end, of every plant."""
        out = []
        for k, one in enumerate(self.plant.plants):
            assert isinstance(one, ModelPlant)
            model, actuated = one.model, one.actuated
            q = one.state.q.copy()
            for j in actuated:
                at = int(model.arrays.q_index[j])
                pair = self.x_end[at] if at >= 0 else np.array([-np.inf, np.inf])
                if pair[0] != pair[1]:
                    text = "residual() takes joints that end at one value each; give these in end"
                    raise ModelError.at(model.names.v[j], text)
                q[at] = pair[0]
            rest = settled(model, State(one.state.time, q, np.zeros(model.nv), one.state.z), actuated)
            left = [j for j in range(model.nv) if j not in actuated and model.arrays.q_index[j] >= 0]
            columns = [int(model.arrays.q_index[j]) for j in left]
            M = model.mass_matrix(rest)[np.ix_(left, left)]
            K = inverse_dynamics_derivatives(model, rest).dq[np.ix_(left, left)]
            for matrix, places, middle, word in (
                (M, [model.nq + j for j in left], np.zeros(len(left)), "speed"),
                (K, columns, rest.q[columns], "strain"),
            ):
                for i, row in enumerate(_root(matrix)):
                    full = np.zeros(model.nq + model.nv)
                    full[places] = row
                    out.append(self.plant.linear(k, f"residual {word} {i} #{k}", full, float(row @ middle)))
        return out

    def guessed(self, mesh: TimeMesh) -> DecisionVariables:
        """Joints by a smooth step, all else at rest, and what that takes."""
        one, model, s = self.first, self.first.model, mesh.times
        T = float(np.mean(self.task.duration))
        step, rate = s**3 * (10.0 - 15.0 * s + 6.0 * s**2), 30.0 * s**2 * (1.0 - s) ** 2 / T
        second = 60.0 * s * (1.0 - s) * (1.0 - 2.0 * s) / T**2
        X = np.tile(self.start, (mesh.size, 1))
        v, a = np.zeros((mesh.size, model.nv)), np.zeros((mesh.size, model.nv))
        for k in range(model.nv):
            j = int(model.arrays.q_index[k])
            if j < 0 or not np.all(np.isfinite(self.x_end[j])):
                continue
            by = float(np.mean(self.x_end[j])) - self.start[j]
            v[:, k], a[:, k] = rate * by, second * by
            for part in self.plant.parts:
                X[:, part.start + j] = self.start[part.start + j] + step * by
                X[:, part.start + model.nq + k] = v[:, k]
        states = model.states(X[:, : model.nq].copy(), v)
        efforts = np.asarray(model.inverse_dynamics(states, a))[:, one.actuated]
        U = efforts if self.by == "effort" else a[:, one.actuated]
        peak = [float(np.max(np.abs(efforts)))] if self.plant.parameters else []
        low, high = self.task.u.T
        return DecisionVariables(X, np.clip(U, low, high), T, np.array(peak))

    def trajectory(self, found: Trajectory) -> Trajectory:
        """The trajectory of the model itself, with its efforts, out of that of all variants."""
        plant, part = self.first, self.plant.parts[0]
        nodes = self.plant.nodes_of(0, found.nodes)
        efforts = np.ascontiguousarray(plant.split(nodes)[2][:, plant.actuated])
        assert self.model is not None
        low, high = (float(one) + self.task.begin for one in self.task.duration)
        until = low if low == high else (low, high)
        plain = Problem(
            self.model, plant.state, until=until, end=self.end, cost=costs.effort(), limits=self.limits,
            inputs=self.held,
        )  # fmt: skip
        return Trajectory(
            plain, found.mesh, DecisionVariables(found.point.X[:, part].copy(), efforts, found.point.T, np.zeros(0)),
            cost=found.cost, converged=found.converged, status=found.status, iterations=found.iterations,
            error=found.error, history=found.history,
        )  # fmt: skip


@checked
def slew(
    model: Model,
    start: Any = None,
    *,
    end: Mapping[str, Any],
    until: float | tuple[float, float],
    cost: str | Cost = "effort",
    limits: Mapping[str, Any] | None = None,
    inputs: Iterable[str] | None = None,
    by: str = "motion",
    robust: float | Mapping[str, float] | None = None,
    plants: int = 3,
    intervals: int | None = None,
    hessian: str | None = None,
    **options: Any,
) -> Trajectory:
    """A slew from rest to rest that leaves no vibration.

    start        coordinates of joints at the beginning, or a state; what vibrates is at rest there
    end          coordinates of joints at the end; joints that are not named end where they began, unless `end` has
                 other quantities (places of frames), which leave them to be found
    until        when it ends [s], or (earliest, latest) for a time that is to be found
    cost         "effort", "time", "peak" (the largest effort), "residual" (the energy of vibration that is left, where
                 the time is too short for none), or a cost such as `effort() + 10 * time()`
    limits       of quantities of the model along the way: {"effort:shoulder": (-50, 50), "deflection:boom": (None, 1)}
    inputs       names of the joints that move; None: every joint of one axis
    by           "motion": joints follow the motion whatever the structure does, as under a stiff servo; "effort":
                 joints are free, and efforts are given over time
    robust       part by which every frequency may be off, 0.1 for 10 %, or parts of parameters by address,
                 {"payload.mass": 0.2}: no vibration is left at either end of that band, nor in its middle
    plants       across the band at which none is left: 3, or 5 for a wide one
    intervals    of the collocation; None: six for each period of the fastest mode, between 40 and 200
    hessian      of the collocation; None: "gauss-newton" where the cost is of squares, or else "exact"
    options      further ones of `jd.optimal.collocation`
    """
    problem = Slew(
        model, start, end=end, until=until, cost=cost, limits=limits, inputs=inputs, by=by, robust=robust, plants=plants
    )
    if hessian is None:
        squares = all(term.kind in ("efforts", "residual") or term.square for term in problem.cost.terms)
        hessian = "gauss-newton" if squares and "time" not in {one.kind for one in problem.cost.terms} else "exact"
    intervals = problem.enough if intervals is None else intervals
    return problem.trajectory(problem.solve("collocation", intervals=intervals, hessian=hessian, **options))


def settled(model: Model, state: State, actuated: list[int]) -> State:
    """The state at rest, joints where they are and all else in equilibrium with them."""
    still = State(state.time, state.q.copy(), np.zeros(model.nv), state.z.copy())
    left = [k for k in range(model.nv) if k not in actuated]
    off = np.asarray(model.inverse_dynamics(still))[left]
    if not len(left) or np.max(np.abs(off)) < 1e-10:
        return still
    found = model.equilibrium(still, hold=[model.names.v[k] for k in actuated])
    return State(state.time, found.state.q.copy(), np.zeros(model.nv), state.z.copy())


def _ends(model: Model, plant: ModelPlant, end: Mapping[str, Any]) -> dict[str, Any]:
    """Ends of all joints that move: where they began by default."""
    out = dict(end)
    if all(name in model.index.q for name in end):
        for k in plant.actuated:
            name = model.names.v[k]
            if name in model.index.q and name not in out:
                out[name] = float(plant.state.q[model.index.q[name]])
    return out


def _root(matrix: np.ndarray) -> np.ndarray:
    """Rows R with R^T R half of a matrix that is not negative."""
    values, vectors = np.linalg.eigh(0.5 * (matrix + matrix.T))
    return np.sqrt(0.5 * np.maximum(values, 0.0))[:, None] * vectors.T
