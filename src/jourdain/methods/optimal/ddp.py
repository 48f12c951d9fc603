"""Differential dynamic programming with limits: a trajectory, and the feedback that holds it.

Inputs are constant in every interval. A sweep back in time over the linear model of the intervals and the quadratic one
of the cost gives a policy, a rollout of it the next trajectory (Mayne 1966; without second derivatives of the dynamics,
Li & Todorov 2004, "iLQR"). Limits of inputs are kept in the sweep (Tassa, Mansard & Todorov 2014), all others and ends
by an augmented Lagrangian (`ExtraTerms`). Intervals need not join at first, and do after a whole step (Mastalli et al.
2020). Rotations are points of a group: differences and derivatives are of the tangent space.

What holds states, quantities and ends in differential dynamic programming: multipliers and penalties.

Augmented Lagrangian (Bertsekas 1996, chapter 2): with s = lambda + rho (y - limit), active where s has the sign of the
side, (s^2 - lambda^2) / (2 rho) is added to the cost; after every solution lambda becomes s, and rho grows where what
is missed has not become a tenth of what it was.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...basics.arguments import checked
from ...basics.errors import ModelError
from ...basics.values import shown
from .guesses import first_guess, sizes
from .numeric_problem import NumericProblem
from .plants import Nodes, Ode
from .schemes import even_mesh, scheme_named
from .shooting_problem import rest_of, shooting_arrays
from .shooting_trajectory import ShootingTrajectory
from .transcription import DecisionVariables
from .units import in_units, judged, magnitude, unit_of

if TYPE_CHECKING:
    from .problem import Problem


ARMIJO = 1e-4
"""Part of the directional derivative that a step must gain (Armijo)."""
CUTS = 12
"""Times that a step is halved."""
LEAST, MOST = 1e-9, 1e8
"""Regularisation: below the first it is none, at the second the search ends."""


@checked
def ddp(
    problem: Problem,
    intervals: int = 50,
    integrator: str = "rk4",
    steps: int = 1,
    guess: Any = None,
    accuracy: float = 1e-8,
    feasibility: float = 1e-6,
    iterations: int = 300,
    rounds: int = 20,
    penalty: float = 10.0,
    gaps: bool = True,
    allow_unconverged: bool = False,
) -> ShootingTrajectory:
    """A trajectory by differential dynamic programming, with the feedback that holds it: `trajectory.gains`.

    intervals      of the horizon, each with constant inputs
    integrator     "rk4" of fourth order, or "semi-implicit" of first, for models
    steps          of the integrator in an interval
    guess          a `Trajectory`, or a `Run` of the model; None: straight from the beginning to the end
    accuracy       of the cost, over 1 + cost: what a further step may still gain
    feasibility    by how much limits of states and ends may be missed, over their size
    iterations     sweeps in all, at most
    rounds         of multipliers, at most
    penalty        of limits and ends in the first round, over 1 + the cost of the guess
    gaps           whether the guess's states are kept and gaps between intervals closed on the way; False: rolled out
    allow_unconverged    whether a trajectory that is no optimum is returned, and not raised as an OptimisationError
                   whose `partial` it is

    Contacts act by their laws, whose derivatives are included; what a law latches (the speed of an impact) is
    frozen in them. The final time is fixed. Limits of inputs hold exactly, those of states and ends to `feasibility`,
    at the nodes.
    """
    _refuse(problem)
    given, size = problem, 1.0
    if isinstance(intervals, int) and intervals > 0:
        mesh = even_mesh(scheme_named("trapezoidal"), intervals)
        point = first_guess(problem, mesh, guess)
        size = magnitude(problem.task, mesh, point, sizes(problem, mesh, point))
    unit = unit_of(size)
    search = _DdpIterate(in_units(given, unit), intervals, integrator, steps, penalty)
    search.begin(guess, gaps)
    before, solved, count = np.inf, False, 0
    for turn in range(rounds):
        goal = accuracy if turn or not search.holds else max(accuracy, 1e-4)
        left = iterations - len(search.history["cost"])
        solved = search.descend(goal, left)
        miss, count = search.miss(), len(search.history["cost"])
        search.note_round(miss)
        if (miss <= feasibility and goal == accuracy) or count >= iterations:
            break
        if miss > feasibility:
            search.update(miss > ENOUGH * before)
        before = miss
    done = solved and miss <= feasibility
    status = "solved" if done else _status(search.misses(), feasibility, count >= iterations)
    return judged(search.trajectory(done, status, count), given, unit, size, allow_unconverged)


def _status(misses: dict[str, float], feasibility: float, spent: bool) -> str:
    """Why it ended, and what is missed most."""
    most = sorted(misses, key=lambda name: -misses[name])[:3]
    stated = [f"{name} is missed by {misses[name]:.2g} of its size" for name in most if misses[name] > feasibility]
    return "; ".join((["too many iterations"] if spent else []) + stated) or "no further descent"


def _refuse(problem: Problem) -> None:
    task = problem.task
    if task.duration[0] != task.duration[1]:
        raise ModelError.at("until", '"ddp" knows a fixed final time only; give a number, or take "shooting"')
    if task.periodic:
        raise ModelError.at("periodic", '"ddp" begins at a given state; take "shooting" or "collocation"')
    if problem.free:
        raise ModelError.at("free", '"ddp" begins at a given state; take "shooting" or "collocation"')
    if np.any(task.p[:, 0] != task.p[:, 1]):
        raise ModelError.at("unknowns", '"ddp" knows no unknown parameters; take "shooting" or "collocation"')


class _DdpIterate:
    """A trajectory that is being improved: states X (N + 1, nx), inputs U (N, nu), and the records of the kernels."""

    def __init__(self, problem: Problem, intervals: int, integrator: str, steps: int, penalty: float) -> None:
        from ...kernels.optimal import ddp as kernels

        if not isinstance(intervals, int) or intervals < 1:
            raise ModelError.at("intervals", f"got {shown(intervals)}; give a whole number, one or more")
        self.problem, self.task, self.penalty = problem, problem.task, penalty
        self.mesh = even_mesh(scheme_named("trapezoidal"), intervals)
        self.sh = shooting_arrays(self.task, integrator, steps)
        self.integrator, self.steps = integrator, steps
        self.T, self.begin_at = float(self.task.duration[0]), self.task.begin
        self.sh.controlled.p[:] = self.task.p[:, 0]
        self.ddp_rollout, self.ddp_cost = kernels.ddp_rollout.ready().python, kernels.ddp_cost.ready().python
        self.ddp_partials, self.ddp_tangent = kernels.ddp_partials.ready().python, kernels.ddp_tangent.ready().python
        self.ddp_backward, self.ddp_predict = kernels.ddp_backward.ready().python, kernels.ddp_predict.ready().python
        self.N, self.nx, self.nu, self.n = intervals, self.task.nx, self.task.nu, len(self.sh.place)
        self.history: dict[str, list[Any]] = {"cost": [], "step": [], "regularisation": [], "gap": [], "round": []}
        self.rounds, self.mu, self.merit, self.stale = 0, 0.0, 0.0, True

    @property
    def holds(self) -> bool:
        """Whether anything but limits of inputs is to be held."""
        bound = np.isfinite(self.guard.low) | np.isfinite(self.guard.high)
        return bool(np.any(bound) or len(self.extras.path.T) or len(self.extras.ended) or self.extras.equations)

    def begin(self, guess: Any, gaps: bool) -> None:
        """The first trajectory, scales and penalties."""
        from ...kernels.optimal.ddp import Penalties, Sweep

        task, N, nx, nu, n = self.task, self.N, self.nx, self.nu, self.n
        point = first_guess(self.problem, self.mesh, guess)
        own = guess is not None and getattr(guess, "constant", False) and len(guess.mesh.lengths) == N
        U = point.U[:-1] if own else 0.5 * (point.U[1:] + point.U[:-1])
        self.X = np.ascontiguousarray(point.X)
        self.X[0] = task.x_start[:, 0]
        self.U = np.ascontiguousarray(np.clip(U, task.u[:, 0], task.u[:, 1]))
        for j in getattr(self.problem.model, "quaternions", ()):
            self.X[:, j : j + 4] /= np.linalg.norm(self.X[:, j : j + 4], axis=1)[:, None]
        size = sizes(self.problem, self.mesh, point)
        self.size = size[:nx]
        low, high = np.tile(task.x[:, 0], (N + 1, 1)), np.tile(task.x[:, 1], (N + 1, 1))
        low[0], high[0] = -np.inf, np.inf
        low[N], high[N] = np.maximum(low[N], task.x_end[:, 0]), np.minimum(high[N], task.x_end[:, 1])
        ends = np.zeros((3, nx))
        for r, one in enumerate(task.quantities):
            if one.column is not None and one.column < nx:
                ends[:, one.column] += task.end_linear[r], task.end_squared[r], task.end_target[r]
        limits = {"low": low, "high": high, "u_low": task.u[:, 0].copy(), "u_high": task.u[:, 1].copy()}
        limits |= {"multiplier": np.zeros((N + 1, nx)), "rho": np.ones(nx)}
        self.guard = Penalties(**limits, end_linear=ends[0], end_square=ends[1], end_target=ends[2])
        self.extras = ExtraTerms(task, self.mesh.times, self.T, size)
        width = n + nu
        weight = 1.0 / size[nx : nx + nu] ** 2
        shapes: dict[str, Any] = {
            "F": (N, n, width),
            "g": (N + 1, width),
            "H": (N + 1, width, width),
            "gaps": (N + 1, n),
        }
        shapes |= {"K": (N, nu, n), "s": (N, nu), "V": (n, n), "v": n, "W": (max(n, nu), width), "Q": (width, width)}
        shapes |= {"H": (N + 1, width, width), "q": width, "R": (nu, nu), "X": (nu, n + 1), "B": (4, nu), "free": nu}
        self.sweep = Sweep.zeros(shapes | dict.fromkeys(("S", "SX"), (nx, nx + nu)), weight=weight)
        turning = len(self.sh.rotations) > 0
        self.G = np.zeros((N + 1, nx + nu)) if turning else self.sweep.g
        self.B = np.zeros((N + 1, nx + nu, nx + nu)) if turning else self.sweep.H
        self.turned = np.zeros((nx + nu, width))
        self.y, self.cost = np.zeros(nx), np.zeros(N)
        self.latched = np.zeros((N + 1, 0))
        self.new_latched = self.latched
        if self.problem.model is not None:
            plant: Any = self.problem.plant
            self.latched = np.tile(plant.begun, (N + 1, 1))
            self.new_latched = self.latched.copy()
        self.remembered = np.zeros(self.latched.shape[1])
        self.Xn, self.Un = np.zeros_like(self.X), np.zeros_like(self.U)
        if not gaps:
            self.roll()
        price = self.price()
        weigh = self.penalty * (1.0 + abs(price if np.isfinite(price) else 0.0))
        self.guard.rho[:] = weigh / self.size**2
        self.extras.rho = weigh
        weight *= 1.0 + abs(price)
        self.total = self.evaluate()

    def roll(self) -> None:
        """States that follow from the inputs."""
        arguments = (self.T, self.mesh.lengths, self.X, self.U, 0.0, 0, self.new_latched, self.Xn, self.Un, self.cost)
        total = self.ddp_rollout(self.sh, self.guard, self.sweep, self.begin_at, *arguments)
        if total >= 1e300:
            raise ModelError.at("guess", "its inputs lead nowhere finite; give another, or gaps=True")
        self.take()

    def take(self) -> None:
        """What was tried is the trajectory."""
        self.X, self.Xn = self.Xn, self.X
        self.U, self.Un = self.Un, self.U
        self.latched, self.new_latched = self.new_latched, self.latched
        self.stale = True

    def evaluate(self) -> float:
        """Cost of the trajectory, with what holds it."""
        total = self.ddp_cost(
            self.sh, self.guard, self.begin_at, self.T, self.mesh.lengths, self.X, self.U, self.latched, self.y,
            self.cost,
        )  # fmt: skip
        return total + self.extras.value(self.X, self.U)

    def price(self) -> float:
        """Cost of the trajectory alone."""
        self.evaluate()
        guard, last = self.guard, self.X[-1]
        end = guard.end_linear @ last + guard.end_square @ (last - guard.end_target) ** 2
        out = float(np.sum(self.cost) + end)
        return out if self.extras.nothing else out + self.extras.price(self.extras.values(self.X, self.U))

    def expand(self) -> None:
        """Derivatives along the trajectory, where they are not at hand."""
        if not self.stale:
            return
        self.stale = False
        self.ddp_partials(
            self.sh, self.guard, self.sweep, self.begin_at, self.T, self.mesh.lengths, self.X, self.U, self.latched,
            self.y, self.remembered, self.G, self.B,
        )  # fmt: skip
        self.extras.partials(self.X, self.U, self.G, self.B)
        if len(self.sh.rotations):
            self.ddp_tangent(self.sh, self.sweep, self.X, self.G, self.B, self.turned)

    def descend(self, accuracy: float, most: int) -> bool:
        """Sweeps and rollouts until a step would gain too little; whether it came to that."""
        expected, self.changed = np.zeros(2), self.stale and self.rounds > 0
        for turn in range(most):
            self.expand()
            gap = self.gap()
            if self.ddp_backward(self.sweep, self.guard, self.U, self.mu) >= 0:
                if not self.stiffen():
                    return False
                continue
            self.ddp_predict(self.sweep, expected)
            if gap > 0.0:
                self.merit = max(self.merit, 2.0 * max(0.0, expected[0] + 0.5 * expected[1]) / gap)
            slope = expected[0] - self.merit * gap
            gain = -(slope + 0.5 * expected[1])
            small = abs(gain) <= accuracy * (1.0 + abs(self.total)) and gap == 0.0
            if small and (turn or not self.changed or not slope < 0.0):
                return True
            before = self.total
            found = slope < 0.0 and self.search(slope, gap)
            if found and gap == 0.0 and before - self.total <= 0.1 * accuracy * (1.0 + abs(self.total)):
                return True  # contacts that open and close within steps bend the cost more than the model knows
            if not found and (small or not self.stiffen()):
                return bool(small)
        return False

    def gap(self) -> float:
        """Sum of the gaps between intervals, over the sizes of states; none where it is rounding."""
        gaps = self.sweep.gaps
        found = float(np.sum(np.abs(gaps)))
        return found if found > 1e-12 * gaps.size * (1.0 + float(np.max(np.abs(self.X)))) else 0.0

    def search(self, slope: float, gap: float) -> bool:
        """A rollout with as long a step as gains; whether there is one."""
        step, start = 1.0, self.total + self.merit * gap
        for _ in range(CUTS):
            arguments = (self.mesh.lengths, self.X, self.U, step, 1, self.new_latched, self.Xn, self.Un, self.cost)
            self.new_latched[0] = self.latched[0]
            total = self.ddp_rollout(self.sh, self.guard, self.sweep, self.begin_at, self.T, *arguments)
            if total < 1e300:
                total += self.extras.value(self.Xn, self.Un)
            if total + (1.0 - step) * self.merit * gap <= start + ARMIJO * step * slope:
                self.take()
                self.total = total
                for key, value in zip(self.history, (total, step, self.mu, (1.0 - step) * gap, self.rounds)):
                    self.history[key].append(value)
                self.mu = self.mu / 5.0 if self.mu > LEAST else 0.0
                return True
            step *= 0.5
        return False

    def stiffen(self) -> bool:
        """More regularisation, until there is too much."""
        self.mu = max(1e-3, 8.0 * self.mu)
        return self.mu < MOST

    def miss(self) -> float:
        """The most by which limits and ends are missed, over their size."""
        return max(self.misses().values())

    def misses(self) -> dict[str, float]:
        """By how much limits and ends are missed, over their size, each by its name."""
        own = missed(self.X, self.guard.low, self.guard.high) / self.size
        out = self.extras.misses(self.X, self.U)
        for k, name in enumerate(self.task.plant.states):
            out[f"end: {name}"] = max(float(own[-1, k]), out.get(f"end: {name}", 0.0))
            out[f"limits: {name}"] = max(float(np.max(own[:-1, k])), out.get(f"limits: {name}", 0.0))
        return out

    def note_round(self, miss: float) -> None:
        self.rounds += 1
        self.history.setdefault("miss", []).append(miss)  # one a round

    def update(self, stiffer: bool) -> None:
        """Multipliers of what has been found, and larger penalties where that was not enough."""
        guard = self.guard
        bound = np.isfinite(guard.low) | np.isfinite(guard.high)
        found = held(self.X, guard.low, guard.high, guard.multiplier, guard.rho)[1]
        guard.multiplier[:] = np.where(bound, found, 0.0)
        self.extras.update(self.X, self.U)
        if stiffer:
            guard.rho[:] *= GROWTH
            self.extras.rho *= GROWTH
        self.mu, self.merit, self.stale = 0.0, 0.0, True
        self.total = self.evaluate()

    def trajectory(self, done: bool, status: str, count: int) -> ShootingTrajectory:
        """What has been found, with the feedback of the last sweep."""
        self.expand()
        self.ddp_backward(self.sweep, self.guard, self.U, max(self.mu, 0.0))
        point = DecisionVariables(
            self.X.copy(), np.concatenate([self.U, self.U[-1:]]), self.T, self.task.p[:, 0].copy()
        )
        gains = self.sweep.K.copy()
        model = self.problem.model
        if not isinstance(self.problem.plant, Ode) and model is not None and not len(self.sh.rotations):
            columns = np.concatenate([model.arrays.q_index, model.nq + np.arange(model.nv)])
            gains = gains[:, :, columns]
        return ShootingTrajectory(
            self.problem, self.mesh, point, cost=self.price(), converged=done, status=status, iterations=count,
            history=self.history, integrator=self.integrator, steps=self.steps, constant=True, gains=gains,
        )  # fmt: skip


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
                text = 'is an input, which has no value at the end in "ddp"; leave it out, or take "shooting"'
                raise ModelError.at(task.quantities[r].name, text)
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
        slope, hessian = np.zeros_like(Y), np.zeros_like(Y)
        for r in self.rest.cost:
            slope[:, r] += self.weights * (task.linear[r] + 2.0 * task.squared[r] * (Y[:, r] - task.target[r]))
            hessian[:, r] += self.weights * 2.0 * task.squared[r]
        for r in self.rest.end:
            slope[-1, r] += task.end_linear[r] + 2.0 * task.end_squared[r] * (Y[-1, r] - task.end_target[r])
            hessian[-1, r] += 2.0 * task.end_squared[r]
        along, end = self._holds(Y)
        slope[:, self.rest.path] += along[1]
        hessian[:, self.rest.path] += along[2]
        slope[-1, self.rest.ended] += end[1]
        hessian[-1, self.rest.ended] += end[2]
        G += np.einsum("nr,nrl->nl", slope, YJ)
        B += np.einsum("nr,nrk,nrl->nkl", hessian, YJ, YJ)
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
