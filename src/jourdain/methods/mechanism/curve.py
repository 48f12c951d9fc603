"""Curves of closures: Phi(q, t) = 0, one equation fewer than unknowns.

A curve has as many displacements x (tangent space) as velocities, and a parameter t, which is the time of its drivers.
`Closure` is that of a model: the rows of its loops, and a row for each driver.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ...basics.arguments import checked
from ...basics.errors import ModelError, Problem
from ...basics.types import Drivers
from ...basics.values import as_array, shown, suggestion
from ...describe.motions import Motion, Polynomial
from ...model.displacement import apart, moved

if TYPE_CHECKING:
    from ...model.model import Model
    from ...model.state import State


@checked
class Curve(ABC):
    """Equations of a curve in (q, t).

    names    of the displacements, in order
    """

    names: tuple[str, ...]

    @abstractmethod
    def residual(self, q: np.ndarray, t: float) -> np.ndarray:
        """Phi (rows,)."""

    @abstractmethod
    def partials(self, q: np.ndarray, t: float) -> np.ndarray:
        """Phi by displacements and by t (rows, displacements + 1)."""

    @abstractmethod
    def curvature(self, q: np.ndarray, t: float, along: np.ndarray) -> np.ndarray:
        """The second derivative of Phi along a straight line (rows,); `along` is (displacements, t)."""

    def moved(self, q: np.ndarray, x: np.ndarray) -> np.ndarray:
        """q displaced by x."""
        return q + x

    def apart(self, q0: np.ndarray, q: np.ndarray) -> np.ndarray:
        """The displacement that leads from q0 to q."""
        return q - q0

    @property
    def size(self) -> int:
        """How many displacements there are."""
        return len(self.names)


class DrivenCoordinate:
    """A coordinate that is given over time: by a profile, a number, or values at times (a spline through them)."""

    def __init__(self, name: str, given: Motion | ArrayLike, times: ArrayLike | None, value: float) -> None:
        self.name = name
        self._spline: Any = None
        if isinstance(given, Motion):
            self._code, self._numbers = given.code, given.numbers(value, name)
            return
        numbers = as_array(given, name)
        if numbers.ndim == 0 and np.isfinite(numbers):
            self._code, self._numbers = Polynomial.code, Polynomial([float(numbers)]).numbers(value, name)
        elif (
            times is not None and numbers.shape == np.shape(times) and len(numbers) > 3 and np.all(np.isfinite(numbers))
        ):
            from scipy.interpolate import CubicSpline

            self._spline = CubicSpline(times, numbers)
        else:
            how = "as many finite values as there are times, four at least" if times is not None else "a number"
            raise ModelError.at(name, f"drivers: got {shown(given)}; give a profile such as jd.Polynomial, or {how}")

    def at(self, t: float) -> tuple[float, float, float]:
        """Value, rate and acceleration."""
        if self._spline is not None:
            value, rate, acceleration = (float(self._spline(t, order)) for order in range(3))
            return value, rate, acceleration
        from ...kernels.tree.motions import profile

        return profile.py_func(self._code, self._numbers, 0, t)


@checked
class Closure(Curve):
    """The closures of a model's loops under drivers.

    drivers    from names of coordinates to profiles, numbers, or values at `times`
    times      of those values [s]
    start      whose coordinates profiles begin from
    frozen     time at which constraints that move stand still while drivers go on [s]; None: all have one clock
    """

    def __init__(
        self,
        model: Model,
        drivers: Drivers | None = None,
        times: ArrayLike | None = None,
        start: State | None = None,
        frozen: float | None = None,
    ) -> None:
        self.model, self.names, self.frozen = model, model.names.v, frozen
        _only_positions(model)
        if drivers is not None and not isinstance(drivers, Mapping):
            raise ModelError.at(
                "drivers", f'got {shown(drivers)}; give a dict, such as {{"crank": jd.Polynomial([0, 1])}}'
            )
        q = model.neutral if start is None else start.q
        self.drivers: list[DrivenCoordinate] = []
        self.driven: list[int] = []
        problems = []
        for name, given in (drivers or {}).items():
            k = model.index.v.get(name, -1)
            if k < 0 or model.arrays.q_index[k] < 0:
                known = [one for i, one in enumerate(model.names.v) if model.arrays.q_index[i] >= 0]
                problems.append(Problem(str(name), f"drivers: no such coordinate; {suggestion(str(name), known)}"))
                continue
            self.driven.append(k)
            self.drivers.append(DrivenCoordinate(name, given, times, float(q[model.arrays.q_index[k]])))
        if problems:
            raise ModelError(problems)

    def residual(self, q: np.ndarray, t: float) -> np.ndarray:
        own = self.model.constraints.residual(q, time=self._clock(t))
        at = self.model.arrays.q_index[self.driven]
        return np.concatenate([own, q[at] - [one.at(t)[0] for one in self.drivers]])

    def jacobian(self, q: np.ndarray, t: float) -> np.ndarray:
        """Phi by displacements (rows, nv)."""
        return np.vstack([self.model.constraints.jacobian(q, time=self._clock(t)), np.eye(self.model.nv)[self.driven]])

    def drift(self, q: np.ndarray, t: float) -> np.ndarray:
        """Phi by t (rows,)."""
        own = self.model.constraints.rate(self.model.state(q=q, time=self._clock(t)))
        own = own if self.frozen is None else 0.0 * own
        return np.concatenate([own, [-one.at(t)[1] for one in self.drivers]])

    def partials(self, q: np.ndarray, t: float) -> np.ndarray:
        return np.column_stack([self.jacobian(q, t), self.drift(q, t)])

    def second(self, q: np.ndarray, v: np.ndarray, t: float) -> np.ndarray:
        """-Gamma: what the acceleration of Phi has besides Phi_q dv/dt (rows,)."""
        own = self._bias(q, v, t)
        if self.frozen is not None:
            own = 0.5 * (own + self._bias(q, -v, t)) - self._bias(q, 0.0 * v, t)
        return np.concatenate([own, [-one.at(t)[2] for one in self.drivers]])

    def _bias(self, q: np.ndarray, v: np.ndarray, t: float) -> np.ndarray:
        return self.model.constraints.bias(self.model.state(q=q, v=v, time=self._clock(t)))

    def _clock(self, t: float) -> float:
        return t if self.frozen is None else self.frozen

    def curvature(self, q: np.ndarray, t: float, along: np.ndarray) -> np.ndarray:
        x, pace = along[:-1], along[-1]
        here, there = self.second(q, x, t), self.second(q, -x, t)
        still = self.second(q, 0.0 * x, t)
        return 0.5 * (here + there) - still + 0.5 * pace * (here - there) + pace**2 * still

    def moved(self, q: np.ndarray, x: np.ndarray) -> np.ndarray:
        return moved(self.model, q, x)

    def apart(self, q0: np.ndarray, q: np.ndarray) -> np.ndarray:
        return apart(self.model, q0, q)


def _only_positions(model: Model) -> None:
    """Refuses rows that say something about velocities only: they leave positions open."""
    columns = model.arrays.constraints.columns
    loose = np.flatnonzero(columns.holonomic < columns.rows)
    if len(loose):
        name = model.constraints.names[int(loose[0])]
        raise ModelError.at(
            name, "it constrains velocities, not positions: kinematics by positions has no meaning; simulate instead"
        )


def independent_rows(partials: np.ndarray, rank: int) -> np.ndarray:
    """Rows that span all of them, as many as the rank, the farthest from those before first.

    By their own lengths: of length one, a row that vanishes somewhere would count there as any other.
    """
    from scipy.linalg import qr

    _, _, order = qr(partials.T, mode="economic", pivoting=True)
    return np.sort(order[:rank])


WORN = 0.3
"""Least singular value of rows that were chosen, over that of all, below which others are."""


def have_worn(partials: np.ndarray, rows: np.ndarray) -> bool:
    """Whether rows that spanned all of them have become nearly dependent where all have not."""
    if len(partials) == len(rows):
        return False
    mine, every = (np.linalg.svd(some, compute_uv=False)[len(rows) - 1] for some in (partials[rows], partials))
    return bool(mine < WORN * every)


def rank_of(matrix: np.ndarray, tolerance: float = 1e-9) -> int:
    """Numerical rank."""
    if not matrix.size:
        return 0
    singular = np.linalg.svd(matrix, compute_uv=False)
    return int(np.sum(singular > tolerance * max(singular[0], 1e-300)))


def dofs_error(curve: Curve, partials: np.ndarray, spare: int) -> ModelError:
    """The error that names what drivers leave free: `spare` directions of Phi's null space are too many."""
    _, _, V = np.linalg.svd(partials[:, :-1])
    free = np.max(np.abs(V[len(V) - spare :]), axis=0)
    order = [i for i in np.argsort(-free) if free[i] > 0.3 * np.max(free)][:4]
    names = ", ".join(f'"{curve.names[i]}"' for i in order)
    return ModelError.at(
        "drivers",
        f"they leave {spare} freedom{'s' * (spare > 1)}, of {names}; drive as many, or begin where it is not singular",
    )
