"""What holds states, quantities and ends in differential dynamic programming: multipliers and penalties.

Augmented Lagrangian (Bertsekas 1996, chapter 2): with s = lambda + rho (y - limit), active where s has the sign of the
side, (s^2 - lambda^2) / (2 rho) is added to the cost; after every solution lambda becomes s, and rho grows where what
is missed has not become a tenth of what it was.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...basics.errors import ModelError
from .plants import Nodes
from .shooting_problem import rest_of

if TYPE_CHECKING:
    from .numeric_problem import NumericProblem

GROWTH = 10.0
"""Factor by which penalties grow."""
ENOUGH = 0.1
"""Part of what was missed before that a solution may miss without the penalties growing."""


def held(y: np.ndarray, low: Any, high: Any, multiplier: Any, rho: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Value, first and second derivative of what holds y between limits, as in the kernel of the same name."""
    upper, lower = multiplier + rho * (y - high), multiplier + rho * (y - low)
    equal = low == high
    active = equal | (upper > 0.0)
    slope = np.where(active, upper, np.where(lower < 0.0, lower, 0.0))
    return 0.5 * (slope**2 - multiplier**2) / rho, slope, np.where(active | (lower < 0.0), rho, 0.0)


def missed(y: np.ndarray, low: Any, high: Any) -> np.ndarray:
    """How far y is outside its limits."""
    return np.maximum(np.maximum(low - y, y - high), 0.0)


class ExtraTerms:
    """Quantities and equations that the kernels do not know: their costs, and what holds them.

    path, ended    multipliers of limits of quantities, (N + 1, rows) and (rows,)
    equations      multipliers of equations of the last state, one array each
    """

    def __init__(self, task: NumericProblem, times: np.ndarray, duration: float, size: np.ndarray) -> None:
        self.task, self.times = task, task.begin + duration * times
        self.rest = rest_of(task)
        self.rows = self.rest.used
        for r in (*self.rest.ended, *np.flatnonzero((task.end_linear != 0) | (task.end_squared != 0))):
            column = task.quantities[r].column
            if column is not None and column >= task.nx:
                told = 'is an input, which has no value at the end in "ddp"; leave it out, or take "shooting"'
                raise ModelError.at(task.quantities[r].name, told)
        lengths = np.diff(times) * duration
        self.weights = np.zeros(len(times))
        self.weights[:-1] += 0.5 * lengths
        self.weights[1:] += 0.5 * lengths
        self.path = np.zeros((len(times), len(self.rest.path)))
        self.ended = np.zeros(len(self.rest.ended))
        self.equations = [np.zeros(len(one.names)) for one in task.end_rows]
        spans = np.concatenate([task.path[self.rest.path], task.end[self.rest.ended]])
        sizes = np.array([max(1.0, *np.abs(pair[np.isfinite(pair)])) for pair in spans])
        self.path_size, self.ended_size = sizes[: len(self.rest.path)], sizes[len(self.rest.path) :]
        self.rho = 1.0

    @property
    def nothing(self) -> bool:
        """Whether there are none."""
        return not len(self.rows) and not self.equations

    def _nodes(self, X: np.ndarray, U: np.ndarray) -> Nodes:
        return Nodes(self.times, X, np.concatenate([U, U[-1:]]), self.task.p[:, 0])

    def values(self, X: np.ndarray, U: np.ndarray) -> np.ndarray:
        """Quantities at the nodes (N + 1, all rows); those that nobody asks for are zero."""
        out = np.zeros((len(X), len(self.task.quantities)))
        nodes = self._nodes(X, U)
        for r in self.rows:
            out[:, r] = self.task.quantities[r].values(nodes)
        return out

    def price(self, Y: np.ndarray) -> float:
        """What quantities cost, without what holds them."""
        task, along, end = self.task, self.rest.cost, self.rest.end
        y, last = Y[:, along], Y[-1, end]
        out = self.weights @ (y @ task.linear[along] + (y - task.target[along]) ** 2 @ task.squared[along])
        out += last @ task.end_linear[end] + (last - task.end_target[end]) ** 2 @ task.end_squared[end]
        return float(out)

    def _holds(self, Y: np.ndarray) -> tuple[Any, Any]:
        task, path, ended = self.task, self.rest.path, self.rest.ended
        (low, high), (first, last) = task.path[path].T, task.end[ended].T
        along = held(Y[:, path], low, high, self.path, self.rho / self.path_size**2)
        return along, held(Y[-1, ended], first, last, self.ended, self.rho / self.ended_size**2)

    def value(self, X: np.ndarray, U: np.ndarray) -> float:
        """What quantities and equations cost, and what holds them."""
        if self.nothing:
            return 0.0
        Y = self.values(X, U)
        along, end = self._holds(Y)
        out = self.price(Y) + float(np.sum(along[0])) + float(np.sum(end[0]))
        for one, multiplier in zip(self.task.end_rows, self.equations, strict=True):
            r = one.values(X[-1])
            out += float(multiplier @ r + 0.5 * self.rho * r @ r)
        return out

    def partials(self, X: np.ndarray, U: np.ndarray, G: np.ndarray, B: np.ndarray) -> None:
        """Adds derivatives by the numbers of states and inputs to G (N + 1, nx + nu) and B."""
        if self.nothing:
            return
        task, nodes, width = self.task, self._nodes(X, U), G.shape[1]
        Y, YJ = np.zeros((len(X), len(task.quantities))), np.zeros((len(X), len(task.quantities), width))
        for r in self.rows:
            values, partials = task.quantities[r].partials(nodes)
            Y[:, r], YJ[:, r] = values, partials[:, :width]
        YJ[-1, :, task.nx :] = 0.0
        slope, bend = np.zeros_like(Y), np.zeros_like(Y)
        for r in self.rest.cost:
            slope[:, r] += self.weights * (task.linear[r] + 2.0 * task.squared[r] * (Y[:, r] - task.target[r]))
            bend[:, r] += self.weights * 2.0 * task.squared[r]
        for r in self.rest.end:
            slope[-1, r] += task.end_linear[r] + 2.0 * task.end_squared[r] * (Y[-1, r] - task.end_target[r])
            bend[-1, r] += 2.0 * task.end_squared[r]
        along, end = self._holds(Y)
        slope[:, self.rest.path] += along[1]
        bend[:, self.rest.path] += along[2]
        slope[-1, self.rest.ended] += end[1]
        bend[-1, self.rest.ended] += end[2]
        G += np.einsum("nr,nrl->nl", slope, YJ)
        B += np.einsum("nr,nrk,nrl->nkl", bend, YJ, YJ)
        for one, multiplier in zip(task.end_rows, self.equations, strict=True):
            r, J = one.values(X[-1]), one.partials(X[-1])
            G[-1, : task.nx] += J.T @ (multiplier + self.rho * r)
            B[-1, : task.nx, : task.nx] += self.rho * J.T @ J

    def misses(self, X: np.ndarray, U: np.ndarray) -> dict[str, float]:
        """By how much limits and equations are missed, over their size, each by its name."""
        if self.nothing:
            return {}
        Y, task = self.values(X, U), self.task
        out = {}
        for r, size in zip(self.rest.path, self.path_size, strict=True):
            out[f"limits: {task.quantities[r].name}"] = float(np.max(missed(Y[:, r], *task.path[r]))) / size
        for r, size in zip(self.rest.ended, self.ended_size, strict=True):
            out[f"end: {task.quantities[r].name}"] = float(missed(Y[-1, r], *task.end[r])) / size
        for one in task.end_rows:
            out |= {f"end: {name}": abs(float(x)) for name, x in zip(one.names, one.values(X[-1]), strict=True)}
        return out

    def update(self, X: np.ndarray, U: np.ndarray) -> None:
        """Multipliers for the next solution."""
        if self.nothing:
            return
        along, end = self._holds(self.values(X, U))
        self.path, self.ended = along[1], end[1]
        pairs = zip(self.task.end_rows, self.equations, strict=True)
        self.equations = [old + self.rho * one.values(X[-1]) for one, old in pairs]
