"""Direct multiple shooting with IPOPT (Bock & Plitt 1984): intervals are stepped through, and joined by the solver.

Unknowns are the states and inputs at the ends of N intervals, T and parameters. With E_k where the steps of interval k
lead from its own first state,

    minimise    sum c_k + phi(Y_n, T)    such that    x_(k+1) - E_k(x_k, u_k, u_(k+1), T, p) = 0,

and limits and ends as of collocation. No error grows over more than an interval, so that unstable plants are no worse
than others. All derivatives are those of the steps themselves, of all intervals in one call.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ...basics.arguments import checked
from ...basics.errors import ModelError
from ...basics.values import shown, suggestion
from .guesses import first_guess, sizes
from .ipopt import minimise
from .schemes import TimeMesh, even_mesh, scheme_named
from .shooting_problem import rest_of, shooting_arrays
from .shooting_trajectory import ShootingTrajectory
from .transcription import HESSIANS, DecisionVariables, Transcription
from .units import in_units, judged, magnitude, unit_of

if TYPE_CHECKING:
    from .problem import Problem

INPUTS = ("linear", "constant")


@checked
def shooting(
    problem: Problem,
    intervals: int = 20,
    integrator: str = "rk4",
    steps: int = 1,
    inputs: str = "linear",
    hessian: str = "exact",
    guess: Any = None,
    accuracy: float = 1e-8,
    iterations: int = 500,
    options: Mapping[str, float | int | str] | None = None,
    check: bool = True,
    allow_unconverged: bool = False,
) -> ShootingTrajectory:
    """A trajectory by direct multiple shooting.

    intervals     of the horizon
    integrator    "rk4" of fourth order, or "semi-implicit" of first, for models
    steps         of it in an interval
    inputs        "linear" in intervals, without jumps; "constant", with jumps
    hessian       "exact": differences of exact gradients; "gauss-newton": of the cost alone; "l-bfgs": of gradients
    guess         a `Trajectory`, or a `Run` of the model; None: straight from the beginning to the end
    accuracy      of the optimality conditions
    iterations    of IPOPT, at most
    options       further ones of IPOPT, by its own names
    check         whether a problem without a solution is an error that says which limit cannot be met
    allow_unconverged    whether a trajectory that is no optimum is returned, and not raised as an OptimisationError
                  whose `partial` it is

    Limits hold at the ends of intervals. `trajectory.error` is what half the steps would change. Contacts act by their
    laws, as in "ddp".
    """
    for what, given, known in (("hessian", hessian, HESSIANS), ("inputs", inputs, INPUTS)):
        if given not in known:
            raise ModelError.at(what, f"got {shown(given)}; {suggestion(str(given), known)}")
    if not isinstance(intervals, int) or intervals < 1:
        raise ModelError.at("intervals", f"got {shown(intervals)}; give a whole number, one or more")
    mesh = even_mesh(scheme_named("trapezoidal"), intervals)
    point = first_guess(problem, mesh, guess)
    wanted, size = problem, magnitude(problem.task, mesh, point, sizes(problem, mesh, point))
    unit = unit_of(size)
    problem = in_units(wanted, unit)
    stated = {"tol": accuracy, "max_iter": iterations} | dict(options or {})
    program = Shooting(problem, mesh, sizes(problem, mesh, point), hessian, integrator, steps, inputs == "linear")
    solution = minimise(program, program.unknowns(point), stated)
    point = program.point(solution.x)
    if inputs == "constant":
        point.U[-1] = point.U[-2]
    if solution.infeasible and check and not getattr(problem.model, "law_forces", ()):
        from .infeasible import explained

        raise explained(problem, mesh, point, stated)
    pulls = solution.multipliers[: program.defects] / program.row_size[: program.defects]
    found = ShootingTrajectory(
        problem, mesh, point, cost=solution.value, converged=solution.solved, status=solution.status,
        iterations=solution.iterations, costates=pulls.reshape(-1, problem.task.nx), integrator=integrator, steps=steps,
        constant=inputs == "constant",
    )  # fmt: skip
    return judged(found, wanted, unit, size, allow_unconverged)


class Shooting(Transcription):
    """The nonlinear program of shooting; rows, unknowns and scales are those of collocation on the same nodes.

    linear    whether inputs are linear in intervals
    width     unknowns m of an interval
    """

    def __init__(
        self,
        problem: Problem,
        mesh: TimeMesh,
        size: np.ndarray,
        hessian: str,
        integrator: str,
        steps: int,
        linear: bool,
    ) -> None:
        from ...kernels.optimal import multiple_shooting as kernels

        task = problem.task
        self.sh = shooting_arrays(task, integrator, steps, linear, unknown=True)
        self.linear, self.N = linear, len(mesh.lengths)
        self.width = task.nx + task.nu * (2 if linear else 1) + 1 + task.parameters
        self.rest = rest_of(task)
        self.shooting_rows, self.shooting_jacobian_rows = (
            kernels.shooting_rows.ready().python,
            kernels.shooting_jacobian_rows.ready().python,
        )
        self.shooting_hessian = kernels.shooting_hessian.ready().python
        self.latched = np.tile(getattr(task.plant, "begun", np.zeros(0)), (self.N + 1, 1))
        self.remembered = np.zeros(self.latched.shape[1])
        priced = (task.end_squared != 0.0) | (task.end_linear != 0.0)
        self.noded = bool(len(self.rest.cost) or len(self.rest.path) or len(self.rest.ended) or np.any(priced))
        super().__init__(task, mesh, size, hessian)
        if not linear:  # nothing depends on the last inputs
            last = (mesh.size - 1) * self.stride + task.nx + np.arange(task.nu)
            self.x_low[last] = self.x_high[last] = np.clip(0.0, self.x_low[last], self.x_high[last])

    def _own(self) -> np.ndarray:
        """Unknowns (N, m) of each interval."""
        nx, nu, stride = self.task.nx, self.task.nu, self.stride
        k = np.arange(self.N)[:, None] * stride
        parts = [k + np.arange(nx + nu)]
        if self.linear:
            parts.append(k + stride + nx + np.arange(nu))
        parts.append(np.broadcast_to(self.globals, (self.N, len(self.globals))))
        return np.concatenate(parts, axis=1)

    def _lay_jacobian(self) -> None:
        nx, own = self.task.nx, self._own()
        every = np.arange(self.N * nx).reshape(self.N, nx)
        shape = (self.N, nx, self.width)
        after = (np.arange(self.N)[:, None] + 1) * self.stride + np.arange(nx)
        rows = [np.broadcast_to(every[:, :, None], shape).ravel(), every.ravel()]
        columns = [np.broadcast_to(own[:, None, :], shape).ravel(), after.ravel()]
        self._lay_others(rows, columns)

    def _lay_hessian(self) -> None:
        if self.hessian_kind == "l-bfgs":
            self.hessian_at = None
            return
        own = self._own()
        self.pairs = np.tril_indices(self.width)
        one, two = own[:, self.pairs[0]].ravel(), own[:, self.pairs[1]].ravel()
        rows, columns = np.maximum(one, two), np.minimum(one, two)
        if self.noded:
            super()._lay_hessian()
            assert self.hessian_at is not None
            rows, columns = np.append(self.hessian_at[0], rows), np.append(self.hessian_at[1], columns)
        self.hessian_at = rows, columns
        self.hessian_scale = self.size[rows] * self.size[columns]

    def _given(self, point: DecisionVariables) -> tuple[Any, ...]:
        self.sh.controlled.p[:] = point.p
        return self.sh, self.task.begin, point.T, self.mesh.fractions, point.X, point.U, self.latched

    def _values(self, x: np.ndarray) -> tuple[DecisionVariables, np.ndarray, np.ndarray]:
        """Point, where intervals lead (N, nx), quantities, with the cost of the intervals kept."""

        def compute() -> tuple[Any, ...]:
            point = self.point(x)
            ends, cost = np.zeros((self.N, self.task.nx)), np.zeros(self.N)
            self.shooting_rows(*self._given(point), ends, cost)
            return point, ends, self._quantities(point)[0], cost

        found: Any = self._kept("values", x, compute)
        self.cost = found[3]
        return found[:3]

    def _quantities(self, point: DecisionVariables, partials: bool = False) -> tuple[np.ndarray, np.ndarray | None]:
        """Quantities (n, rows) at nodes, and their derivatives (n, rows, local)."""
        nodes, task = self.nodes(point), self.task
        if not partials:
            found = [one.values(nodes) for one in task.quantities]
            return (np.stack(found, 1) if found else np.zeros((len(point.X), 0))), None
        both = [one.partials(nodes) for one in task.quantities]
        if not both:
            return np.zeros((len(point.X), 0)), np.zeros((len(point.X), 0, nodes.local))
        return np.stack([one[0] for one in both], 1), np.stack([one[1] for one in both], 1)

    def _partials(self, x: np.ndarray) -> Any:
        """Point, quantities, their derivatives, and S, g, H of the intervals."""

        def compute() -> tuple[Any, ...]:
            point, N, nx, m = self.point(x), self.N, self.task.nx, self.width
            if self.latched.shape[1]:
                self._values(x)
            ends, cost = np.zeros((N, nx)), np.zeros(N)
            S, g, H = np.zeros((N, nx, m)), np.zeros((N, m)), np.zeros((N, m, m))
            self.shooting_jacobian_rows(*self._given(point), self.remembered, ends, cost, S, g, H)
            return point, *self._quantities(point, True), S, g, H

        return self._kept("partials", x, compute)

    def _running(self, Y: np.ndarray) -> np.ndarray:
        """What the rest costs a second (n,): quantities that the kernels do not know."""
        task, rows = self.task, self.rest.cost
        return Y[:, rows] @ task.linear[rows] + (Y[:, rows] - task.target[rows]) ** 2 @ task.squared[rows]

    def value(self, x: np.ndarray) -> float:
        point, _, Y = self._values(x)
        rest = point.T * float(self.mesh.weights @ self._running(Y))
        return float(np.sum(self.cost)) + rest + self.task.final(Y[-1], point.T)

    def _rest_weights(self, Y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Derivatives of the cost of the rest by quantities: a second along (n, rows), and at the end (rows,)."""
        along, end = self._cost_weights(Y)
        left = np.ones(along.shape[1], bool)
        left[self.rest.cost] = False
        along[:, left] = 0.0
        return along, end

    def gradient(self, x: np.ndarray) -> np.ndarray:
        point, Y, YJ, _, g, _ = self._partials(x)
        along, end = self._rest_weights(Y)
        W = point.T * self.mesh.weights[:, None] * along
        W[-1] += end
        out = self._gathered(np.einsum("nr,nrl->nl", W, YJ))
        out[self.globals[0]] += self.mesh.weights @ self._running(Y) + self.task.time_weight
        np.add.at(out, self._own(), g)
        return out * self.size

    def constraints(self, x: np.ndarray) -> np.ndarray:
        point, ends, Y = self._values(x)
        return np.concatenate([(point.X[1:] - ends).ravel(), *self._others(point, Y)]) / self.row_size

    def jacobian(self, x: np.ndarray) -> np.ndarray:
        point, _, YJ, S, _, _ = self._partials(x)
        parts = [-S.ravel(), np.ones(self.N * self.task.nx), *self._other_partials(point, YJ)]
        return np.concatenate(parts) * self.jacobian_scale

    def hessian(self, x: np.ndarray, sigma: float, multipliers: np.ndarray) -> np.ndarray:
        point, Y, YJ, _, _, H = self._partials(x)
        scaled = multipliers / self.row_size
        if self.hessian_kind == "exact":
            blocks = self._curvature(point, sigma, -scaled[: self.defects].reshape(self.N, self.task.nx))
        else:
            blocks = sigma * H
        parts = [blocks[:, self.pairs[0], self.pairs[1]].ravel()]
        if self.noded:
            parts.insert(0, self._rest_hessian(point, Y, YJ, sigma, scaled))
        return np.concatenate(parts) * self.hessian_scale

    def _curvature(self, point: DecisionVariables, sigma: float, pull: np.ndarray) -> np.ndarray:
        """Second derivatives (N, m, m) of the intervals."""
        nx, nu, m = self.task.nx, self.task.nu, self.width
        moving = np.ones(m, np.int64)
        fixed = self.x_low[self.globals] == self.x_high[self.globals]
        moving[m - len(fixed) :] = ~fixed
        buffers = [np.zeros(size) for size in (nx, nu, nu)]
        scratch = np.zeros(nx), np.zeros((nx, m)), np.zeros(m), np.zeros((m, m))
        out = np.zeros((self.N, m, m))
        pull = np.ascontiguousarray(pull)
        self.shooting_hessian(*self._given(point), self.remembered, *buffers, sigma, pull, moving, *scratch, out)
        return out

    def _rest_hessian(
        self, point: DecisionVariables, Y: np.ndarray, YJ: np.ndarray, sigma: float, scaled: np.ndarray
    ) -> np.ndarray:
        """Numbers of the Hessian of all that quantities at nodes do."""
        mesh, task = self.mesh, self.task
        along, end = self._rest_weights(Y)
        timed = sigma * mesh.weights[:, None] * along
        rows = point.T * timed
        rows[np.ix_(self.ruled, self.limited)] += scaled[self.first[1] : self.first[2]].reshape(len(self.ruled), -1)
        rows[-1] += sigma * end
        rows[-1, self.ended] += scaled[self.first[2] : self.first[2] + len(self.ended)]
        curved = any(one.column is None and one.smooth for one in task.quantities)
        if self.hessian_kind == "exact" and curved:
            H = task.curvature(self.nodes(point), np.zeros_like(point.X), rows)
        else:
            H = np.zeros((mesh.size, YJ.shape[2], YJ.shape[2]))
        squares = np.zeros_like(Y)
        squares[:, self.rest.cost] = (sigma * point.T * mesh.weights[:, None] * 2.0 * task.squared)[:, self.rest.cost]
        squares[-1] += sigma * 2.0 * task.end_squared
        H += np.einsum("nr,nrk,nrl->nkl", squares, YJ, YJ)
        return self._laid(H, np.einsum("nr,nrl->nl", timed, YJ))
