"""A problem in numbers: rows of rates and quantities at nodes, their weights in the cost, and their bounds.

Methods see no names: `NumericProblem` is what a `Problem` lays out for them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from .plants import Nodes, Plant, PlantQuantity

DIFFERENCE = 6e-6
"""Step of central differences of exact gradients, over the size of what is moved: the cube root of rounding."""


@dataclass(frozen=True)
class EndRows:
    """Equations of the last state that are no quantities: residual (m,) and its derivatives (m, nx).

    names    one for each row
    """

    names: tuple[str, ...]
    values: Callable[[np.ndarray], np.ndarray]
    partials: Callable[[np.ndarray], np.ndarray]


@dataclass
class NumericProblem:
    """What is to be solved.

    plant         what is controlled
    quantities    those that cost or limits take, one a row
    linear, squared, target              (rows,) of the cost along the way: linear y + squared (y - target)^2
    end_linear, end_squared, end_target  (rows,) of that at the end
    time_weight   of the final time in the cost
    path          (rows, 2) bounds along the way; infinite where there are none
    end           (rows, 2) bounds at the end
    x, u, p       (n, 2) bounds of states, inputs and parameters along the way
    x_start, x_end    (nx, 2) of the states at both ends
    duration      (2,) bounds of the final time [s]
    begin         time at which it begins [s]
    periodic      states that end where they began
    end_rows      further equations of the last state
    """

    plant: Plant
    quantities: list[PlantQuantity]
    linear: np.ndarray
    squared: np.ndarray
    target: np.ndarray
    end_linear: np.ndarray
    end_squared: np.ndarray
    end_target: np.ndarray
    time_weight: float
    path: np.ndarray
    end: np.ndarray
    x: np.ndarray
    u: np.ndarray
    p: np.ndarray
    x_start: np.ndarray
    x_end: np.ndarray
    duration: np.ndarray
    begin: float = 0.0
    periodic: list[int] = field(default_factory=list)
    end_rows: list[EndRows] = field(default_factory=list)
    x_size: np.ndarray | None = None
    u_size: np.ndarray | None = None

    @property
    def nx(self) -> int:
        return len(self.plant.states)

    @property
    def nu(self) -> int:
        return len(self.plant.inputs)

    @property
    def parameters(self) -> int:
        return len(self.plant.parameters)

    def values(self, nodes: Nodes) -> tuple[np.ndarray, np.ndarray]:
        """Rates (n, nx) and quantities (n, rows)."""
        rows = [one.values(nodes) for one in self.quantities]
        return self.plant.rates(nodes), np.stack(rows, 1) if rows else np.zeros((len(nodes.t), 0))

    def partials(self, nodes: Nodes) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Rates, quantities, and their derivatives (n, nx, local) and (n, rows, local)."""
        F, FJ = self.plant.partials(nodes)
        found = [one.partials(nodes) for one in self.quantities]
        n = len(nodes.t)
        Y = np.stack([one[0] for one in found], 1) if found else np.zeros((n, 0))
        YJ = np.stack([one[1] for one in found], 1) if found else np.zeros((n, 0, nodes.local))
        return F, Y, FJ, YJ

    @property
    def bent(self) -> np.ndarray:
        """Which second derivatives by the states and inputs of a node may differ from zero (nx + nu, nx + nu)."""
        out = self.plant.bent | np.eye(self.nx + self.nu, dtype=bool)
        return out | any(one.column is None for one in self.quantities)

    def curvature(self, nodes: Nodes, rates: np.ndarray, rows: np.ndarray) -> np.ndarray:
        """Second derivatives (n, local, local) of the weighted sum of rates (n, nx) and quantities (n, rows).

        Central differences of the exact gradients, over all nodes at once: an error of some 1e-10 of the gradients.
        """
        own = self.plant.curvature(nodes, rates)
        if own is None:
            own = self._differenced(nodes, self.plant.curved, lambda at: _weighed(rates, self.plant.partials(at)[1]))
        out = own
        smooth = [k for k, one in enumerate(self.quantities) if one.column is None and one.smooth]
        smooth = [k for k in smooth if np.any(rows[:, k] != 0.0)]
        if smooth:
            taken = [self.quantities[k] for k in smooth]

            def slope(at: Nodes) -> np.ndarray:
                return sum(rows[:, k, None] * one.partials(at)[1] for k, one in zip(smooth, taken, strict=True))

            out += self._differenced(nodes, list(range(nodes.local)), slope)
        return out

    def _differenced(self, nodes: Nodes, taken: list[int], slope: Callable[[Nodes], np.ndarray]) -> np.ndarray:
        """Differences (n, local, local) of gradients (n, local) by some local unknowns, the others seen from these."""
        out = np.zeros((len(nodes.t), nodes.local, nodes.local))
        for j in taken:
            h = DIFFERENCE * max(1.0, self._size(nodes, j))
            out[:, j] = (slope(nodes.moved(j, h)) - slope(nodes.moved(j, -h))) / (2.0 * h)
        left = [j for j in range(nodes.local) if j not in taken]
        every = range(len(nodes.t))
        out[np.ix_(every, left, taken)] = out[np.ix_(every, taken, left)].swapaxes(1, 2)
        return 0.5 * (out + out.swapaxes(1, 2))

    def _size(self, nodes: Nodes, j: int) -> float:
        if j < self.nx:
            return float(np.max(np.abs(nodes.X[:, j])))
        if j < self.nx + self.nu:
            return float(np.max(np.abs(nodes.U[:, j - self.nx])))
        if j < nodes.local - 1:
            return float(abs(nodes.p[j - self.nx - self.nu]))
        return float(np.max(np.abs(nodes.t)))

    def running(self, Y: np.ndarray) -> np.ndarray:
        """What the trajectory costs a second (n,)."""
        return Y @ self.linear + (Y - self.target) ** 2 @ self.squared

    def final(self, y: np.ndarray, duration: float) -> float:
        """What its end costs."""
        return float(y @ self.end_linear + (y - self.end_target) ** 2 @ self.end_squared + self.time_weight * duration)


def _weighed(rates: np.ndarray, partials: np.ndarray) -> np.ndarray:
    return np.einsum("nr,nrl->nl", rates, partials)
