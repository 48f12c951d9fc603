"""The sequential conjugate gradient-restoration algorithm (Miele, Pritchard & Damoulakis 1970; Chen 1999, chapter 6).

Cycles of two phases, both on the collocated problem. A gradient phase lowers the cost I at first order, constraints
kept at first order: with variations A of states, B of inputs and C of parameters,

    minimise  g (A, B, C) + 1/2 (integral B^2 dt + C^2)   such that   J (A, B, C) = 0,

conjugate to the one before: what it was, times gamma = Q / Q_before, is added. Restoration phases then bring the
constraint error P back, each by the least change of inputs and parameters that removes it at first order,

    minimise  1/2 (integral B^2 dt + C^2)   such that   J (A, B, C) = -c.

The multipliers are those of Chen's eq. 6.5 to 6.8; both linear two-point problems are one sparse solution. A gradient
phase is halved until it leaves no more than P*, and until restoration brings P back with the cost lower than before.

    P = integral |dx/dt - F|^2 dt + |psi|^2         Q = integral |f_u - F_u lambda|^2 dt + |the same by parameters|^2

Squares of inputs are in the units of `input_units`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...basics.arguments import checked
from ...basics.errors import ModelError
from .collocation import interval_errors
from .guesses import first_guess, sizes
from .schemes import even_mesh, scheme_named
from .trajectory import Trajectory
from .transcription import DecisionVariables, Transcription
from .units import in_units, judged, magnitude, unit_of

if TYPE_CHECKING:
    from .problem import Problem

HALVINGS = 30
LARGEST = 1.0
"""Constraint error that a gradient phase may leave (Miele's P*): from beyond, restoration leads anywhere or nowhere."""
SHORTEST = 1e-2
"""Part of a restoration below which it is given up: the gradient phase was too long."""


@checked
def scgra(
    problem: Problem,
    intervals: int = 50,
    scheme: str = "trapezoidal",
    guess: Any = None,
    feasibility: float = 1e-16,
    optimality: float = 1e-5,
    cycles: int = 200,
    restarts: int = 20,
    allow_unconverged: bool = False,
) -> Trajectory:
    """A trajectory by the sequential conjugate gradient-restoration algorithm, which knows no limits along the way.

    intervals      of the mesh
    scheme         as of collocation
    guess          as of collocation
    feasibility    P at which restoration ends
    optimality     Q at which the algorithm ends, over 1 + |I|
    cycles         of gradient and restoration, at most
    restarts       cycles after which directions are no longer conjugate to the ones before
    allow_unconverged    whether a trajectory that is no optimum is returned, and not raised as an OptimisationError
                   whose `partial` it is

    The trajectory's `history` has a list for each of phase ("gradient" or "restoration"), P, Q, cost and step.
    """
    _refuse_limits(problem)
    mesh = even_mesh(scheme_named(scheme), intervals)
    point = first_guess(problem, mesh, guess)
    given, size = problem, magnitude(problem.task, mesh, point, sizes(problem, mesh, point))
    unit = unit_of(size)
    problem = in_units(given, unit)
    program = Transcription(problem.task, mesh, _ones(problem, mesh), "l-bfgs")
    search = _LinearProblems(problem, program, feasibility, input_units(problem, program, point))
    x = program.unknowns(point)
    x[search.fixed] = search.program.x_low[search.fixed]
    x = search.restored(x)
    cost, before, last, gamma, done = search.program.value(x), None, np.inf, 0.0, False
    count = 0
    for count in range(1, cycles + 1):
        Q, direction, multipliers = search.direction(x, before, gamma)
        slope = float(search.program.gradient(x)[search.moving] @ direction[search.moving])
        if before is not None and slope >= 0.0:
            Q, direction, multipliers = search.direction(x, None, 0.0)
        if Q <= optimality * (1.0 + abs(cost)):
            search.note("gradient", x, Q, 0.0)
            done = True
            break
        step = search.line(x, direction, multipliers)
        for _ in range(HALVINGS):
            tried = x + step * direction
            if search.P(tried) <= LARGEST:
                search.note("gradient", tried, Q, step)
                found = search.restored(tried)
                lower = search.program.value(found)
                if lower < cost and search.P(found) <= feasibility:
                    break
            step *= 0.5
        else:
            break
        x, cost, before = found, lower, direction
        gamma = Q / last if count % restarts and np.isfinite(last) else 0.0
        last = Q
    point = search.program.point(x)
    status = "solved" if done else "no further descent" if count < cycles else "too many cycles"
    best = Trajectory(
        problem, mesh, point, cost=cost, converged=done, status=status, iterations=count,
        error=float(interval_errors(problem.task, mesh, point).max()), history=search.history,
    )  # fmt: skip
    return judged(best, given, unit, size, allow_unconverged)


def _ones(problem: Problem, mesh: Any) -> np.ndarray:
    task = problem.task
    return np.ones(mesh.size * (task.nx + task.nu) + 1 + task.parameters)


def input_units(problem: Problem, program: Transcription, point: DecisionVariables) -> np.ndarray:
    """(nu,) squares of the units in which inputs are measured: such that half their square costs one, where it costs.

    The algorithm depends on units as every gradient does; a force that costs a thousand times as much as a torque makes
    it slow in newtons.
    """
    task = problem.task
    _, _, _, YJ = task.partials(program.nodes(point))
    by_input = YJ[:, :, task.nx : task.nx + task.nu]
    found = np.mean(np.einsum("r,nru->nu", 2.0 * task.squared, by_input**2), axis=0)
    return np.where(found > 0.0, found, 1.0)


def _refuse_limits(problem: Problem) -> None:
    """The algorithm has equations only."""
    task, plant = problem.task, problem.plant
    names = [*plant.states, *plant.inputs]
    for name, pair in zip(names, [*task.x, *task.u], strict=True):
        if np.any(np.isfinite(pair)):
            raise ModelError.at(name, 'has limits, which "scgra" does not know; leave them out, or take "collocation"')
    for one, path, end in zip(task.quantities, task.path, task.end, strict=True):
        if np.any(np.isfinite(path)) or np.isfinite(end).any() and end[0] != end[1]:
            raise ModelError.at(one.name, 'has limits, which "scgra" does not know; take "collocation"')


class _LinearProblems:
    """The two linear problems of a program, and what happened.

    moving    unknowns that may change
    weight    of their squares in the phases: none for states, the quadrature's for inputs, one for T and parameters
    """

    def __init__(self, problem: Problem, program: Transcription, feasibility: float, units: np.ndarray) -> None:
        self.program, self.feasibility = program, feasibility
        self.fixed = np.flatnonzero(program.x_low == program.x_high)
        self.moving = np.setdiff1d(np.arange(program.count), self.fixed)
        task, mesh = problem.task, program.mesh
        inner = np.zeros((mesh.size, program.stride))
        inner[:, task.nx :] = mesh.weights[:, None] * float(np.mean(task.duration)) * units
        weight = np.append(inner.ravel(), np.ones(1 + task.parameters))
        self.weight = weight[self.moving]
        spans = np.full(len(program.g_low), 1.0)
        count, rows = len(mesh.lengths), mesh.rows // len(mesh.lengths)
        spans[: program.defects] = np.repeat(mesh.lengths * float(np.mean(task.duration)), rows * task.nx)
        assert count * rows * task.nx == program.defects
        self.spans = spans
        self.history: dict[str, list[Any]] = {"phase": [], "P": [], "Q": [], "cost": [], "step": []}

    def residual(self, x: np.ndarray) -> np.ndarray:
        return self.program.constraints(x) - self.program.g_low

    def P(self, x: np.ndarray) -> float:
        """The constraint error."""
        return float(np.sum(self.residual(x) ** 2 / self.spans))

    def note(self, phase: str, x: np.ndarray, Q: float, step: float) -> None:
        values = (phase, self.P(x), Q, self.program.value(x), step)
        for key, value in zip(self.history, values, strict=True):
            self.history[key].append(value)

    def solve(self, x: np.ndarray, slope: np.ndarray, residual: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """(d, lambda): W d + J^T lambda = -gradient, J d = -residual."""
        from scipy.sparse import bmat, coo_matrix, diags
        from scipy.sparse.linalg import splu

        program = self.program
        shape = (len(program.g_low), program.count)
        J = coo_matrix((program.jacobian(x), program.jacobian_at), shape=shape).tocsc()[:, self.moving]
        matrix = bmat([[diags(self.weight), J.T], [J, None]], format="csc")
        found = splu(matrix).solve(np.concatenate([-slope, -residual]))
        d = np.zeros(program.count)
        d[self.moving] = found[: len(self.moving)]
        return d, found[len(self.moving) :]

    def direction(self, x: np.ndarray, before: np.ndarray | None, gamma: float) -> tuple[float, np.ndarray, np.ndarray]:
        """Q, the direction of a gradient phase, and its multipliers."""
        slope = self.program.gradient(x)[self.moving]
        none = np.zeros(len(self.program.g_low))
        steepest, multipliers = self.solve(x, slope, none)
        Q = float(np.sum(self.weight * steepest[self.moving] ** 2))
        if before is None or gamma == 0.0:
            return Q, steepest, multipliers
        bent, multipliers = self.solve(x, slope - gamma * self.weight * before[self.moving], none)
        return Q, bent, multipliers

    def line(self, x: np.ndarray, d: np.ndarray, multipliers: np.ndarray) -> float:
        """The step along a direction at which the cost with its multipliers is least: a parabola, then its least."""

        def J(step: float) -> float:
            y = x + step * d
            return self.program.value(y) + float(multipliers @ self.residual(y))

        start = J(0.0)
        slope = float(self.program.gradient(x) @ d)
        step = 1.0
        for _ in range(HALVINGS):
            hessian = J(step) - start - slope * step
            if np.isfinite(hessian) and hessian > 0.0:
                best = -0.5 * slope * step**2 / hessian
                if 0.3 * step < best < 3.0 * step:
                    return best
                step = float(np.clip(best, 0.1 * step, 10.0 * step))
            else:
                step = 2.0 * step if np.isfinite(hessian) else 0.25 * step
        return step

    def restored(self, x: np.ndarray) -> np.ndarray:
        """Restoration phases until P is small enough; each halved until P falls."""
        for _ in range(HALVINGS):
            P = self.P(x)
            if P <= self.feasibility:
                break
            d, _ = self.solve(x, np.zeros(len(self.moving)), self.residual(x))
            step = 1.0
            while not self.P(x + step * d) < P and step > SHORTEST:
                step *= 0.5
            if step <= SHORTEST:
                break
            x = x + step * d
            self.note("restoration", x, float("nan"), step)
        return x
