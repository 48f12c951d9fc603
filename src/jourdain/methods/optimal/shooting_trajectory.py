"""A trajectory by shooting: inputs that are constant or linear in intervals, states that follow from them by steps."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ...basics.arguments import checked
from ...basics.errors import ModelError
from ...basics.values import as_array, shown
from .plants import Nodes
from .trajectory import Trajectory

if TYPE_CHECKING:
    from .planned import Feedforward, Tracking


@checked
class ShootingTrajectory(Trajectory):
    """A trajectory that was found by shooting.

    integrator    and how many of its steps an interval has
    constant      whether inputs are constant in intervals, or linear
    gains         (N, nu, 2 nv) of a model by displacements and velocities, (N, nu, nx) of equations: the feedback that
                  holds the trajectory; None where the method has none
    error         of the intervals, over the size of the states: by halving their steps (Richardson)
    """

    def __init__(
        self, *given: Any, integrator: str, steps: int, constant: bool, gains: np.ndarray | None = None, **named: Any
    ) -> None:
        super().__init__(*given, **named)
        self.integrator, self.steps, self.constant, self.gains = integrator, steps, constant, gains
        del self.error  # found when it is asked for

    @cached_property
    def error(self) -> float:  # type: ignore[override]
        """The largest difference at the end of an interval that half the step makes, over 1 - 2^-order."""
        from .shooting_problem import ORDERS, lead

        task, order = self.problem.task, ORDERS[self.integrator]
        ends = [lead(task, self.integrator, n, self) for n in (self.steps, 2 * self.steps)]
        off = np.max(np.abs(ends[0] - ends[1]) / (1.0 + np.max(np.abs(self.point.X), axis=0)), initial=0.0)
        return float(off / (1.0 - 0.5**order))

    @cached_property
    def _polynomials(self) -> np.ndarray:
        """(N, nx, 4) coefficients of the time since an interval began: Hermite's, by states and rates at both ends."""
        X, U, h = self.point.X, self.point.U, np.diff(self.times)[:, None]
        ends = U[:-1] if self.constant else U[1:]
        rates = self.problem.plant.rates
        left = rates(Nodes(self.times[:-1], X[:-1], U[:-1], self.point.p))
        right = rates(Nodes(self.times[1:], X[1:], ends, self.point.p))
        rise = (X[1:] - X[:-1]) / h
        return np.stack([X[:-1], left, (3.0 * rise - 2.0 * left - right) / h, (left + right - 2.0 * rise) / h**2], -1)

    @cached_property
    def _inputs(self) -> np.ndarray:
        """(N, nu, 2) coefficients in the same way."""
        U = self.point.U
        slope = 0.0 * U[:-1] if self.constant else (U[1:] - U[:-1]) / np.diff(self.times)[:, None]
        return np.stack([U[:-1], slope], axis=-1)

    def sample(self, t: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """States (nt, nx), by polynomials of the third degree, and inputs (nt, nu) at times [s]."""
        at, times = np.atleast_1d(as_array(t, "t")), self.times
        slack = 1e-9 * self.point.T
        if np.any((at < times[0] - slack) | (at > times[-1] + slack)):
            raise ModelError.at("t", f"got {shown(t)}; the trajectory is from {times[0]:g} to {times[-1]:g} s")
        k = np.clip(np.searchsorted(times, at, "right") - 1, 0, len(times) - 2)
        x = (np.clip(at, times[0], times[-1]) - times[k])[:, None]
        c, u = self._polynomials[k], self._inputs[k]
        states = c[:, :, 0] + x * (c[:, :, 1] + x * (c[:, :, 2] + x * c[:, :, 3]))
        return states, u[:, :, 0] + x * u[:, :, 1]

    def _after(self) -> np.ndarray:
        """What is given behind the end: what the last state takes, where the trajectory comes to rest."""
        plant: Any = self.problem.plant
        if not self.problem.rest:
            return np.zeros(len(plant.actuated))
        return np.asarray(self._model("efforts").inverse_dynamics(self.last))[plant.actuated]

    @cached_property
    def efforts(self) -> Feedforward:
        """The inputs over time as a controller, for `simulate(..., controller=best.efforts)`."""
        from .planned import Feedforward

        model = self._model("efforts")
        plant: Any = self.problem.plant
        names = tuple(model.names.v[k] for k in plant.actuated)
        return Feedforward(names, self.times, self._inputs.swapaxes(0, 1), self._after())

    @cached_property
    def feedback(self) -> Tracking:
        """The inputs and the feedback that holds the trajectory, for `simulate(..., controller=best.feedback)`.

        Gains are those of the interval; behind the end the last ones hold the last state.
        """
        from .planned import Tracking

        model = self._model("feedback")
        if self.gains is None:
            raise ModelError.at("feedback", 'this method finds no gains; take "ddp", or best.efforts')
        plant: Any = self.problem.plant
        names = tuple(model.names.v[k] for k in plant.actuated)
        last = self.last
        held, after = np.zeros((1, *self._polynomials.shape[1:])), np.zeros((1, len(names), 2))
        held[0, :, 0], after[0, :, 0] = np.concatenate([last.q, last.v]), self._after()
        states, efforts = np.concatenate([self._polynomials, held]), np.concatenate([self._inputs, after])
        return Tracking(names, self.times, efforts, states, self.gains)

    @property
    def scheme(self) -> str:
        """How it was made, as text."""
        kind = "constant" if self.constant else "linear"
        return f"{self.integrator}, {kind} inputs"

    @property
    def summary(self) -> str:
        """A line that says what came out."""
        return super().summary.replace(f"({self.mesh.scheme.name})", f"({self.scheme})")
