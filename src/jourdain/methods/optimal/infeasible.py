"""Why a problem has no solution: the limits and ends that cannot be met together, and by how much they are missed.

Every limit and every end gets a slack, one number for the whole trajectory, and the sum of the slacks is made least,
dynamics kept (the elastic mode of Gill, Murray & Saunders 2005). What keeps a slack cannot be met.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...basics.errors import ModelError
from .guesses import sizes
from .ipopt import minimise
from .numeric_problem import EndRows, NumericProblem
from .plants import Nodes, Plant, PlantQuantity, direct
from .schemes import TimeMesh
from .transcription import DecisionVariables, Transcription

if TYPE_CHECKING:
    from .problem import Problem

Item = tuple[str, PlantQuantity, np.ndarray, float, str]
MISSED = 1e-4
"""Slack, over the size of what it belongs to, from which a limit counts as not met."""


class RelaxedPlant(Plant):
    """A plant with slacks among its parameters."""

    def __init__(self, plant: Plant, slacks: int) -> None:
        self.base, self.name, self.states, self.inputs = plant, plant.name, plant.states, plant.inputs
        self.own = len(plant.parameters)
        self.parameters = (*plant.parameters, *(f"slack {k}" for k in range(slacks)))
        self.first = len(plant.states) + len(plant.inputs) + self.own
        self.slacks = slacks

    @property
    def pattern(self) -> np.ndarray:
        return self.base.pattern

    @property
    def curved(self) -> list[int]:
        return [j if j < self.first else j + self.slacks for j in self.base.curved]

    def inner(self, nodes: Nodes) -> Nodes:
        """Nodes as the plant itself takes them."""
        return Nodes(nodes.t, nodes.X, nodes.U, nodes.p[: self.own])

    def widened(self, J: np.ndarray) -> np.ndarray:
        """Derivatives with columns of the slacks before that of time."""
        zero = np.zeros((*J.shape[:-1], self.slacks))
        return np.concatenate([J[..., : self.first], zero, J[..., self.first :]], axis=-1)

    def rates(self, nodes: Nodes) -> np.ndarray:
        return self.base.rates(self.inner(nodes))

    def partials(self, nodes: Nodes) -> tuple[np.ndarray, np.ndarray]:
        F, J = self.base.partials(self.inner(nodes))
        return F, self.widened(J)

    def quantity(self, name: str) -> PlantQuantity:
        raise NotImplementedError

    def eased(self, one: PlantQuantity, slack: int, sign: float) -> PlantQuantity:
        """A quantity plus or minus a slack."""
        at = self.own + slack

        def values(nodes: Nodes) -> np.ndarray:
            return one.values(self.inner(nodes)) + sign * nodes.p[at]

        def partials(nodes: Nodes) -> tuple[np.ndarray, np.ndarray]:
            found, J = one.partials(self.inner(nodes))
            wide = self.widened(J)
            wide[:, self.first + slack] = sign
            return found + sign * nodes.p[at], wide

        return PlantQuantity(one.name, one.unit, None, values, partials, smooth=False)


def explained(problem: Problem, mesh: TimeMesh, point: DecisionVariables, options: Mapping[str, Any]) -> ModelError:
    """The error that says which limits cannot be met, and how far away they are."""
    items = _items(problem)
    task, plant = _elastic(problem, items)
    slack = np.array([item[3] for item in items])
    p = np.concatenate([point.p, slack])
    start = DecisionVariables(point.X, point.U, point.T, p)
    holder = _Holder(problem, task)
    program = Transcription(task, mesh, sizes(holder, mesh, start), "exact")  # type: ignore[arg-type]
    solution = minimise(program, program.unknowns(start), {**options, "tol": 1e-6, "max_iter": 500})
    if not solution.solved:
        text = f"no trajectory was found that keeps its limits, nor which cannot be kept ({solution.status})"
        return ModelError.at(problem.plant.name, f"{text}; give another guess, or more intervals")
    left = program.point(solution.x).p[plant.own :]
    missed = [(s / item[3], item, s) for s, item in zip(left, items, strict=True) if s > MISSED * item[3]]
    if not missed:
        text = "the limits can be met, but no way there was found from this guess"
        return ModelError.at(problem.plant.name, f"{text}; give another guess, or more intervals")
    missed.sort(key=lambda one: -one[0])
    lines = [f"{item[0]} is missed by {s:.4g}" for _, item, s in missed]
    against = _against(program, items, solution.multipliers, {item[0] for _, item, _ in missed})
    held = f", held back by {', '.join(against)}" if against else ""
    text = f"cannot be met: {'; '.join(lines)}{held}; widen one of them, or give more time"
    return ModelError.at(missed[0][1][0], text)


def _against(program: Transcription, items: list[Item], multipliers: np.ndarray, missed: set[str]) -> list[str]:
    """Limits that are met and push against those that are not, the strongest first."""
    sides = [(item[0], item[4], item[3]) for item in items for k in (0, 1) if np.isfinite(item[2][k])]
    multipliers = multipliers / program.row_size
    along = np.abs(multipliers[program.first[1] : program.first[2]]).reshape(len(program.ruled), -1).sum(axis=0)
    ends = np.abs(multipliers[program.first[2] : program.first[2] + len(program.ended)])
    pushed: dict[str, float] = {}
    for number, rows in ((along, program.limited), (ends, program.ended)):
        for force, row in zip(number, rows, strict=True):
            name, _, size = sides[row]
            pushed[name] = pushed.get(name, 0.0) + float(force) * size
    least = 1e-3 * max(pushed.values(), default=0.0)
    found = [(force, name) for name, force in pushed.items() if force > least and name not in missed]
    return [name for _, name in sorted(found, reverse=True)]


class _Holder:
    """What `sizes` asks of a problem."""

    def __init__(self, problem: Problem, task: NumericProblem) -> None:
        self.task, self.model, self.plant = task, problem.model, problem.plant


def _items(problem: Problem) -> list[Item]:
    """Name, quantity, bounds, size and place ("along" or "end") of every limit and end."""
    task, plant = problem.task, problem.plant
    nx = task.nx
    out = []

    def add(name: str, one: PlantQuantity, pair: np.ndarray, where: str) -> None:
        finite = np.abs(pair[np.isfinite(pair)])
        if len(finite):
            out.append((name, one, pair, float(np.max(finite)) or 1.0, where))

    names = [*plant.states, *plant.inputs]
    for column, pair in enumerate([*task.x, *task.u]):
        add(f"limits: {names[column]}", direct(names[column], "", column), pair, "along")
    for column, pair in enumerate(task.x_end):
        add(f"end: {names[column]}", direct(names[column], "", column), pair, "end")
    for k, one in enumerate(task.quantities):
        add(f"limits: {one.name}", one, task.path[k], "along")
        add(f"end: {one.name}", one, task.end[k], "end")
    for rows in task.end_rows:
        for i, name in enumerate(rows.names):
            add(name, _last(rows, i, nx), np.zeros(2), "end")
    return out


def _last(rows: EndRows, i: int, nx: int) -> PlantQuantity:
    """An equation of the last state as a quantity of the last node."""

    def values(nodes: Nodes) -> np.ndarray:
        out = np.zeros(len(nodes.t))
        out[-1] = rows.values(nodes.X[-1])[i]
        return out

    def partials(nodes: Nodes) -> tuple[np.ndarray, np.ndarray]:
        out = np.zeros((len(nodes.t), nodes.local))
        out[-1, :nx] = rows.partials(nodes.X[-1])[i]
        return values(nodes), out

    return PlantQuantity(rows.names[i], "", None, values, partials, smooth=False)


def _elastic(problem: Problem, items: list[Item]) -> tuple[NumericProblem, RelaxedPlant]:
    """The task in which only slacks cost, and limits and ends hold up to them."""
    task = problem.task
    plant = RelaxedPlant(problem.plant, len(items))
    quantities, path, end = [], [], []
    none = [-np.inf, np.inf]
    for k, (_, one, pair, _, where) in enumerate(items):
        for side, sign in ((0, 1.0), (1, -1.0)):
            if np.isfinite(pair[side]):
                bound = [pair[0], np.inf] if side == 0 else [-np.inf, pair[1]]
                quantities.append(plant.eased(one, k, sign))
                path.append(bound if where == "along" else none)
                end.append(bound if where == "end" else none)
    for k in range(len(items)):
        quantities.append(direct(f"slack {k}", "", plant.first + k))
        path.append(none)
        end.append(none)
    count, zero = len(quantities), np.zeros(len(quantities))
    weights = zero.copy()
    weights[count - len(items) :] = [1.0 / item[3] for item in items]
    wide = np.tile(none, (task.nx, 1))
    slack = np.array([[0.0, np.inf]] * len(items)).reshape(-1, 2)
    return replace(
        task, plant=plant, quantities=quantities, linear=zero, squared=zero, target=zero, end_linear=weights,
        end_squared=zero, end_target=zero, time_weight=0.0, path=np.array(path), end=np.array(end), x=wide,
        u=np.tile(none, (task.nu, 1)), p=np.concatenate([task.p, slack]), x_end=wide, end_rows=[],
    ), plant  # fmt: skip
