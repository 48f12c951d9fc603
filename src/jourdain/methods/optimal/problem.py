"""What trajectory is wanted: from where to where, at what cost, within which limits, all by name.

A model whose parameters are among the unknowns: masses, stiffnesses, lengths by their addresses.

Derivatives by states and efforts are those of the model with the values at hand. Those by a parameter are central
differences of whole models, extrapolated twice (Richardson 1911): of sixth order, so that what is left is rounding.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...basics.arguments import checked
from ...basics.errors import ModelError
from ...basics.values import as_number, shown, suggestion
from ...describe.parameters import addresses, find, read
from ...model.derivatives import inverse_dynamics_derivatives
from ...model.state import State
from .costs import Cost
from .model_plant import ModelPlant
from .numeric_problem import EndRows, NumericProblem
from .plants import Nodes, Ode, Plant, PlantQuantity, direct

if TYPE_CHECKING:
    from ...model.model import Model
    from .schemes import TimeMesh
    from .trajectory import Trajectory
    from .transcription import DecisionVariables


METHODS = {"collocation": "collocation", "shooting": "multiple_shooting", "ddp": "ddp", "scgra": "scgra"}
"""How a trajectory is found, and the module that does it."""
TOUCHING = ("shooting", "ddp")
"""Methods that know contacts."""


@checked
class Problem:
    """A trajectory to be found.

    plant       a model, or a system of differential equations (`jd.optimal.Ode`)
    state       where it begins: a `State` of the model; of a system a dict of all its states
    until       when it ends [s]: a number, or (earliest, latest) for a final time that is to be found
    end         where it ends: quantities with a value, or with (low, high), None for none; a joint with a rotation
                takes a `Pose` or a rotation
    cost        what is to be least: sums and multiples of `effort()`, `time()`, `square(name)`, `integral(name)`,
                `final(name)`, `final_square(name)`
    limits      of quantities along the way: {"effort:elbow": (-50, 50), "tip.z": (0.1, None)}. Joints' own limits hold
                too
    inputs      names of the velocities on which efforts act, of a joint with a drive its motor's; None: every joint of
                one axis
    rest        whether a model comes to rest: velocities that `end` does not name are zero at the end, and what no
                input acts on (modes of flexible bodies) is where it stays at rest
    free        names of states whose value at the beginning is to be found
    periodic    names of states that end where they begin, True for all
    unknowns    parameters of a system that are to be found: {"mass": (1.0, 5.0)}, of a model by their addresses:
                {"spring.stiffness": (10.0, 500.0)}
    """

    def __init__(
        self,
        plant: Model | Ode,
        state: Any,
        *,
        until: float | tuple[float, float],
        end: Mapping[str, Any] | None = None,
        cost: Cost,
        limits: Mapping[str, Any] | None = None,
        inputs: Iterable[str] | None = None,
        rest: bool = True,
        free: Iterable[str] = (),
        periodic: bool | Iterable[str] = (),
        unknowns: Mapping[str, tuple[float, float]] | None = None,
    ) -> None:
        if not isinstance(cost, Cost):
            raise ModelError.at("cost", f"got {shown(cost)}; give a cost, such as jd.optimal.effort()")
        self.cost, self.end, self.limits = cost, dict(end or {}), dict(limits or {})
        self.model: Model | None = None if isinstance(plant, Ode) else plant
        self.plant: Plant
        if isinstance(plant, Ode):
            if inputs is not None:
                raise ModelError.at("inputs", "a system of equations has those that it was made with; leave it out")
            self.plant, begin = plant, 0.0
            start = _numbers(plant, state)
        else:
            from .model_plant import ModelPlant

            if not hasattr(state, "q"):
                raise ModelError.at("state", f"got {shown(state)}; give a state of the model, model.state(...)")
            if unknowns:
                self.plant = DesignedPlant(plant, state, inputs, unknowns)
            else:
                self.plant = ModelPlant(plant, state, inputs)
            begin = float(state.time)
            start = np.concatenate([state.q, state.v])
        self.start, self.rest = start, rest and self.model is not None
        self._lay(begin, horizon(until, begin), free, periodic, unknowns)

    def _lay(self, begin: float, duration: np.ndarray, free: Any, periodic: Any, unknowns: Any) -> None:
        plant = self.plant
        nx, nu = len(plant.states), len(plant.inputs)
        self._rows: dict[str, int] = {}
        self._quantities: list[Any] = []
        self.x, self.u, self.p = _open(nx), _open(nu), _fixed(plant, unknowns)
        self.x_start, self.x_end = np.stack([self.start, self.start], 1), _open(nx)
        self.end_rows: list[Any] = []
        self._joint_limits()
        names = list(plant.states)
        self.free = [_state(names, name, "free") for name in free]
        self.x_start[self.free] = self.x[self.free]
        if periodic is True:
            self.periodic = list(range(nx))
        else:
            self.periodic = [_state(names, name, "periodic") for name in periodic or ()]
        self.path_bounds: dict[int, tuple[float, float]] = {}
        self.end_bounds: dict[int, tuple[float, float]] = {}
        for name, given in self.limits.items():
            self._limit(name, value_range(given, f"limits: {name}"))
        for name, given in self.end.items():
            self._end(name, given)
        if self.rest:
            self._come_to_rest()
        costs = self._costs()
        count = len(self._quantities)
        path, end = _open(count), _open(count)
        for bounds, out in ((self.path_bounds, path), (self.end_bounds, end)):
            for k, pair in bounds.items():
                out[k] = pair
        words = ("linear", "squared", "target", "end_linear", "end_squared", "end_target")
        weights: dict[str, Any] = {
            word: np.array([row[k] for row in costs], float).reshape(count) for k, word in enumerate(words)
        }
        self.task = NumericProblem(
            plant, self._quantities, **weights, time_weight=self.time_weight, path=path, end=end, x=self.x, u=self.u,
            p=self.p, x_start=self.x_start, x_end=self.x_end, duration=duration, begin=begin, periodic=self.periodic,
            end_rows=self.end_rows,
        )  # fmt: skip

    def _joint_limits(self) -> None:
        """Coordinates keep within the limits of their joints, and lengths within their ends."""
        if self.model is None:
            return
        from ...model.selection import joint_limits

        low, high = joint_limits(self.model)
        for k, j in enumerate(self.model.arrays.q_index):
            if j >= 0:
                self.x[j] = low[k], high[k]
        for name, pair in self.model.ranges.items():
            self.x[self.model.index.q[name]] = pair

    def row(self, name: str) -> int:
        """The row of a quantity, made when it is first asked for."""
        if name not in self._rows:
            self._quantities.append(self.plant.quantity(name))
            self._rows[name] = len(self._quantities) - 1
        return self._rows[name]

    def _limit(self, name: str, pair: tuple[float, float]) -> None:
        found = self.plant.quantity(name)
        if found.column is None or found.column >= len(self.x) + len(self.u):
            self.path_bounds[self.row(name)] = pair
            return
        out, at = (self.x, found.column) if found.column < len(self.x) else (self.u, found.column - len(self.x))
        low, high = max(out[at, 0], pair[0]), min(out[at, 1], pair[1])
        if low > high:
            text = f"is limited to {shown(pair)}, its joint to ({out[at, 0]:g}, {out[at, 1]:g})"
            raise ModelError.at(name, f"{text}; the two leave nothing")
        out[at] = low, high
        if out is self.x and at not in self.free and not low <= self.start[at] <= high:
            raise ModelError.at(name, f"begins at {self.start[at]:g} and is limited to ({low:g}, {high:g})")
        if out is self.x and at in self.free:
            self.x_start[at] = out[at]

    def _end(self, name: str, given: Any) -> None:
        if self.model is not None:
            rows = rotation_end(self.model, name, given)
            if rows is not None:
                bounds, equations = rows
                for at, value in bounds.items():
                    self.x_end[at] = value
                self.end_rows.append(equations)
                return
        pair = value_range(given, f"end: {name}", single=True)
        found = self.plant.quantity(name)
        if found.column is not None and found.column < len(self.x):
            at = found.column
            low, high = self.x[at]
            if pair[0] > high or pair[1] < low:
                raise ModelError.at(name, f"is to end at {shown(given)} and is limited to ({low:g}, {high:g})")
            self.x_end[at] = pair
        else:
            self.end_bounds[self.row(name)] = pair

    def _come_to_rest(self) -> None:
        model = self.model
        assert model is not None
        for k in range(model.nv):
            if not np.any(np.isfinite(self.x_end[model.nq + k])):
                self.x_end[model.nq + k] = 0.0
        rows = still_rows(self.plant)
        if rows is not None and self.plant.parameters and np.any(np.asarray(model.description.get("gravity", 0.0))):
            text = "where it hangs at rest depends on them; leave out gravity, or give rest=False and an end"
            raise ModelError.at(f"unknowns: {self.plant.parameters[0]}", text)
        if rows is not None:
            self.end_rows.append(rows)

    def _costs(self) -> list[list[float]]:
        """linear, squared, target along the way and at the end, a row for each quantity; the weight of time apart."""
        self.time_weight = 0.0
        taken: list[tuple[int, Any]] = []
        for term in self.cost.terms:
            if term.kind == "time":
                self.time_weight += term.weight
            elif term.kind in ("peak", "residual"):
                raise ModelError.at("cost", f"{term.kind}() is a criterion of jd.optimal.slew; take another")
            elif term.kind == "efforts":
                taken += [(self.row(name), term) for name in self.plant.inputs]
            else:
                name = term.name
                if isinstance(self.plant, Ode) and name.startswith("effort:"):
                    name = name.removeprefix("effort:")
                taken.append((self.row(name), term))
        out = [[0.0] * 6 for _ in self._quantities]
        for k, term in taken:
            row, at = out[k], 0 if term.where == "along" else 3
            if not term.square:
                row[at] += term.weight
                continue
            # two squares of one quantity are one about their mean, and a constant that nothing depends on
            weight = row[at + 1] + term.weight
            if weight != 0.0:
                row[at + 2] = (row[at + 1] * row[at + 2] + term.weight * term.target) / weight
            row[at + 1] = weight
        return out

    def guessed(self, mesh: TimeMesh) -> DecisionVariables | None:
        """Where a search begins, where the problem knows better than a straight way."""
        return None

    def solve(self, method: str = "collocation", **options: Any) -> Trajectory:
        """The trajectory, by "collocation", "shooting", "ddp" or "scgra".

        Options are those of the method: see the functions of these names in `jd.optimal`.
        """
        if method not in METHODS:
            raise ModelError.at("method", f"got {shown(method)}; {suggestion(str(method), METHODS)}")
        if self.model is not None and self.model.contacts.names and method not in TOUCHING:
            text = f'contacts have no place in "{method}"; leave them out of the model, or take "shooting" or "ddp"'
            raise ModelError.at(self.model.contacts.names[0], text)
        from importlib import import_module

        return getattr(import_module(f".{METHODS[method]}", __package__), method)(self, **options)

    def __repr__(self) -> str:
        return f"<Problem of {self.plant.name!r}: {self.cost!r}>"


def _open(count: int) -> np.ndarray:
    return np.tile([-np.inf, np.inf], (count, 1))


def _state(names: list[str], name: Any, what: str) -> int:
    if name not in names:
        raise ModelError.at(str(name), f"{what}: no such state; {suggestion(str(name), names)}")
    return names.index(name)


def _numbers(plant: Ode, state: Any) -> np.ndarray:
    if not isinstance(state, Mapping):
        raise ModelError.at("state", f"got {shown(state)}; give a dict of the states {', '.join(plant.states)}")
    for name in state:
        _state(list(plant.states), name, "state")
    missing = [name for name in plant.states if name not in state]
    if missing:
        raise ModelError.at(missing[0], "state: has no value; give one, or a guess for a state that is free")
    out = np.array([as_number(state[name], name) for name in plant.states])
    for name, value in zip(plant.states, out, strict=True):
        if not np.isfinite(value):
            raise ModelError.at(name, f"state: got {value}; give a finite number")
    return out


def _fixed(plant: Plant, unknowns: Any) -> np.ndarray:
    """Bounds (np, 2) of the parameters: their values, but for those that are to be found."""
    values = getattr(plant, "values", np.zeros(len(plant.parameters)))
    out = np.stack([values, values], axis=1).reshape(-1, 2)
    for name, given in (unknowns or {}).items():
        if name not in plant.parameters:
            raise ModelError.at(str(name), f"unknowns: no such parameter; {suggestion(str(name), plant.parameters)}")
        out[plant.parameters.index(name)] = value_range(given, f"unknowns: {name}")
    return out


def value_range(given: Any, what: str, single: bool = False) -> tuple[float, float]:
    """(low, high), infinite for None; one number is both."""
    if isinstance(given, tuple | list) and len(given) == 2:
        low, high = (
            sign * np.inf if one is None else as_number(one, what) for one, sign in zip(given, (-1.0, 1.0), strict=True)
        )
        if low > high:
            raise ModelError.at(what, f"got {shown(given)}; the low one must come first")
        return float(low), float(high)
    if not single:
        raise ModelError.at(what, f"got {shown(given)}; give (low, high), None for none")
    value = as_number(given, what)
    return value, value


def horizon(until: Any, begin: float) -> np.ndarray:
    low, high = value_range(until, "until", single=True)
    if not begin < low or not np.isfinite(high):
        raise ModelError.at("until", f"got {shown(until)}; give a time after {begin:g} s, or (earliest, latest)")
    return np.array([low - begin, high - begin])


def rotation_end(model: Model, name: str, given: Any) -> tuple[dict[int, float], EndRows] | None:
    """Of a joint with a rotation: its place as values of states, its quaternion as three equations; None of others.

    The equations are the vector part of the conjugate of the wanted quaternion times the one that is there.
    """
    for j, k, free in model.arrays.rotations.array:
        if model.owners[k] != name:
            continue
        at = int(j + 3 * free)
        wanted = model.state(q={name: given}).q
        w, x, y, z = wanted[at : at + 4]
        rows = np.zeros((3, model.nq + model.nv))
        rows[:, at : at + 4] = [[-x, w, z, -y], [-y, -z, w, x], [-z, y, -x, w]]
        place = {int(i): float(wanted[i]) for i in range(j, at)}
        names = tuple(f"end: {name}.{axis}" for axis in "xyz")
        return place, EndRows(names, rows.__matmul__, lambda state, rows=rows: rows)  # type: ignore[misc]
    return None


def still_rows(plant: Any) -> EndRows | None:
    """That entries on which no input acts take no effort to stay where they are; None where inputs act on all.

    Where no force acts on some entry wherever it is (a free base without gravity), it has no equation.
    """
    model, actuated = plant.model, set(plant.actuated)
    left = [k for k in range(model.nv) if k not in actuated]

    def at(state: np.ndarray) -> State:
        q = state[: model.nq].copy()
        for j in model.quaternions:
            q[j : j + 4] /= np.linalg.norm(q[j : j + 4])
        return State(plant.state.time, q, np.zeros(model.nv), plant.state.z)

    def stiffness(state: np.ndarray) -> np.ndarray:
        found = inverse_dynamics_derivatives(model, at(state)).dq[left]
        return found @ plant.tangent(state[None, : model.nq])[0]

    rng = np.random.default_rng(0)
    probe = np.concatenate([plant.state.q, plant.state.v])
    moved = probe + np.concatenate([1e-2 * rng.normal(size=model.nq), np.zeros(model.nv)])
    elastic = np.max(np.abs(stiffness(moved)), axis=1, initial=0.0) > 1e-12
    if not np.any(elastic):
        return None
    left = [k for k, one in zip(left, elastic, strict=True) if one]

    def size() -> np.ndarray:
        found = np.abs(stiffness(moved)).max(axis=1)
        return np.maximum(found, 1e-12)

    scale = size()

    def values(state: np.ndarray) -> np.ndarray:
        return np.asarray(model.inverse_dynamics(at(state)))[left] / scale

    def partials(state: np.ndarray) -> np.ndarray:
        out = np.zeros((len(left), model.nq + model.nv))
        out[:, : model.nq] = stiffness(state) / scale[:, None]
        return out

    return EndRows(tuple(f"rest: {model.names.v[k]}" for k in left), values, partials)


KEPT = 64
"""Models with other values that are kept."""
STEP = 8e-3
"""Longest step of a parameter, over its size."""
WEIGHTS = {1.0: 1.0 / 45.0, 0.5: -20.0 / 45.0, 0.25: 64.0 / 45.0}
"""Of central differences over one, half and a quarter of the step: those of order two and four cancel."""


class DesignedPlant(ModelPlant):
    """A model without contacts, laws and loops, of which some numbers are to be found.

    parameters    their addresses
    values        that the model has
    """

    def __init__(self, model: Model, state: State, inputs: Iterable[str] | None, unknowns: Mapping[str, Any]) -> None:
        super().__init__(model, state, inputs)
        places = addresses(model.description)
        self.parameters = tuple(str(one) for one in unknowns)
        found = [find(model.description, one, places) for one in self.parameters]
        self.values = np.array([read(model.description, one) for one in found])
        self._models: dict[tuple[float, ...], ModelPlant] = {}

    def at(self, p: np.ndarray) -> ModelPlant:
        """The plant with these values of the parameters."""
        from ...compile.variation import with_parameters

        key = tuple(float(one) for one in p)
        if key not in self._models:
            while len(self._models) >= KEPT:
                del self._models[next(iter(self._models))]
            made = with_parameters(self.model, dict(zip(self.parameters, key, strict=True)), True)
            names = tuple(self.model.names.v[k] for k in self.actuated)
            self._models[key] = ModelPlant(made, self.state, names)
        return self._models[key]

    @property
    def curved(self) -> list[int]:
        """Efforts enter affinely."""
        first = len(self.states) + len(self.inputs)
        return [*range(len(self.states)), *range(first, first + len(self.parameters))]

    def curvature(self, nodes: Nodes, weights: np.ndarray) -> None:
        """To be differenced: what the tree has knows no parameters."""
        return None

    def rates(self, nodes: Nodes) -> np.ndarray:
        return self.at(nodes.p).rates(_inner(nodes))

    def partials(self, nodes: Nodes) -> tuple[np.ndarray, np.ndarray]:
        rates, J = self.at(nodes.p).partials(_inner(nodes))
        return rates, self._widened(J, nodes, self.rates)

    def _widened(self, J: np.ndarray, nodes: Nodes, values: Callable[[Nodes], np.ndarray]) -> np.ndarray:
        """Derivatives (..., states, inputs, time) with those by the parameters before time."""
        first = len(self.states) + len(self.inputs)
        out = np.zeros((*J.shape[:-1], nodes.local))
        out[..., :first], out[..., -1] = J[..., :first], J[..., -1]
        for k, value in enumerate(nodes.p):
            size = STEP * (abs(value) or 1.0)
            for part, weight in WEIGHTS.items():
                h = part * size
                sides = [values(nodes.moved(first + k, sign * h)) for sign in (1.0, -1.0)]
                out[..., first + k] += weight * (sides[0] - sides[1]) / (2.0 * h)
        return out

    def quantity(self, name: str) -> PlantQuantity:
        if name in self.parameters:
            k = self.parameters.index(name)
            return direct(name, "", len(self.states) + len(self.inputs) + k)
        one = super().quantity(name)
        if one.column is not None:
            return one

        def values(nodes: Nodes) -> np.ndarray:
            return self.at(nodes.p).quantity(name).values(_inner(nodes))

        def partials(nodes: Nodes) -> tuple[np.ndarray, np.ndarray]:
            found, J = self.at(nodes.p).quantity(name).partials(_inner(nodes))
            return found, self._widened(J, nodes, values)

        return replace(one, values=values, partials=partials)


def _inner(nodes: Nodes) -> Nodes:
    """Nodes as a plain model takes them."""
    return Nodes(nodes.t, nodes.X, nodes.U, np.zeros(0))
