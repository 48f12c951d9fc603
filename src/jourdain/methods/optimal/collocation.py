"""Direct collocation with IPOPT, on a mesh that is refined until its estimated error is small enough."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ...basics.arguments import checked
from ...basics.errors import ModelError
from ...basics.values import shown, suggestion
from .guesses import first_guess, sizes
from .interior import stage_minimise
from .ipopt import Solution, minimise
from .numeric_problem import NumericProblem
from .plants import Nodes
from .schemes import TimeMesh, even_mesh, scheme_named
from .stage_structure import stages_of
from .trajectory import Trajectory
from .transcription import HESSIANS, DecisionVariables, Transcription
from .units import in_units, judged, magnitude, unit_of

if TYPE_CHECKING:
    from .problem import Problem

SOLVERS = ("ipopt", "stage")
GAUSS = np.polynomial.legendre.leggauss(5)
"""Points and weights at which the error of an interval is integrated."""
MOST = 5
"""Intervals that one is divided into at once."""


@checked
def collocation(
    problem: Problem,
    intervals: int = 20,
    scheme: str = "hermite-simpson",
    hessian: str = "exact",
    tolerance: float | None = None,
    rounds: int = 8,
    guess: Any = None,
    accuracy: float = 1e-8,
    iterations: int = 500,
    options: Mapping[str, float | int | str] | None = None,
    check: bool = True,
    solver: str = "ipopt",
    allow_unconverged: bool = False,
) -> Trajectory:
    """A trajectory by direct collocation (Betts 2010, chapter 4).

    intervals     of the first mesh
    scheme        "trapezoidal", "hermite-simpson" or "radau": of orders 2, 4 and 5
    hessian       "exact": second derivatives by differences of exact gradients; "gauss-newton": of the cost alone, from
                  the gradients of its squares; "l-bfgs": gathered from gradients
    tolerance     estimated error of every interval, over the size of the states, until which the mesh is refined;
                  None: the first mesh is the last
    rounds        of refinement, at most
    guess         a `Trajectory`, or a `Run` of the model; None: straight from the beginning to the end
    accuracy      of the optimality conditions
    iterations    of IPOPT, at most
    options       further ones of IPOPT, by its own names
    check         whether a problem without a solution is an error that says which limit cannot be met
    solver        "ipopt", or "stage": an interior-point method of the same kind whose linear equations are solved
                  interval by interval, which takes less time. What it cannot solve, IPOPT takes over from the guess
    allow_unconverged    whether a trajectory that is no optimum is returned, and not raised as an OptimisationError
                  whose `partial` it is
    """
    if solver not in SOLVERS:
        raise ModelError.at("solver", f"got {shown(solver)}; {suggestion(str(solver), SOLVERS)}")
    if solver == "stage" and hessian == "l-bfgs":
        raise ModelError.at("hessian", '"l-bfgs" is IPOPT\'s; take "exact" or "gauss-newton", or solver="ipopt"')
    if hessian not in HESSIANS:
        raise ModelError.at("hessian", f"got {shown(hessian)}; {suggestion(str(hessian), HESSIANS)}")
    if not isinstance(intervals, int) or intervals < 1:
        raise ModelError.at("intervals", f"got {shown(intervals)}; give a whole number, one or more")
    mesh = even_mesh(scheme_named(scheme), intervals)
    point = first_guess(problem, mesh, guess)
    given, size = problem, magnitude(problem.task, mesh, point, sizes(problem, mesh, point))
    unit = unit_of(size)
    problem = in_units(given, unit)
    task = problem.task
    stated = {"tol": accuracy, "max_iter": iterations} | dict(options or {})
    count, history = 0, {"intervals": [], "cost": [], "error": [], "iterations": []}  # type: ignore[var-annotated]
    for _ in range(rounds + 1):
        program = Transcription(task, mesh, sizes(problem, mesh, point), hessian)
        solution = _minimised(program, program.unknowns(point), stated, solver)
        point, count = program.point(solution.x), count + solution.iterations
        if not mesh.scheme.shared:
            point.U[0] = np.einsum("k,ku->u", mesh.scheme.values(np.zeros(1))[0], point.U[mesh.own[0]])
        errors = interval_errors(task, mesh, point)
        for key, value in zip(history, (len(mesh.lengths), solution.value, errors.max(), solution.iterations)):
            history[key].append(value)
        if not solution.solved or tolerance is None or errors.max() <= tolerance:
            break
        finer = refined(mesh, errors, tolerance)
        point = _carried(task, mesh, finer, point)
        mesh = finer
    else:
        point = _carried(task, finer, mesh, point)
    if solution.infeasible and check:
        from .infeasible import explained

        raise explained(problem, mesh, point, stated)
    defects = solution.multipliers[: program.defects] / program.row_size[: program.defects]
    found = Trajectory(
        problem, mesh, point, cost=solution.value, converged=solution.solved, status=solution.status, iterations=count,
        error=float(errors.max()), costates=mesh.unmixed(defects.reshape(-1, task.nx)), history=history,
    )  # fmt: skip
    return judged(found, given, unit, size, allow_unconverged)


def _minimised(program: Transcription, x: np.ndarray, stated: dict[str, Any], solver: str) -> Solution:
    """By stages where that is asked for and leads to an optimum, or else by IPOPT."""
    count = 0
    if solver == "stage":
        found = stage_minimise(program, x, stages_of(program), float(stated["tol"]), int(stated["max_iter"]))
        if found.solved:
            return found
        count = found.iterations
    solution = minimise(program, x, stated)
    return replace(solution, iterations=count + solution.iterations)


def interval_errors(task: NumericProblem, mesh: TimeMesh, point: DecisionVariables) -> np.ndarray:
    """Error of every interval (N,): the integral of |dx/dt - f| along its polynomials, over the size of the states.

    Betts 2010, eq. 4.152: the polynomials fulfil the equations at their points, and between these only nearly.
    """
    nodes = Nodes(task.begin + point.T * mesh.times, point.X, point.U, point.p)
    F = task.plant.rates(nodes)
    local = 0.5 * (GAUSS[0] + 1.0)
    s = (mesh.fractions[:-1, None] + mesh.lengths[:, None] * local).ravel()
    X, U = mesh.sample(s, point.X, point.U, F, point.T)
    values = mesh.scheme.values(local)
    wanted = np.einsum("gk,nkx->ngx", values, F[mesh.own])
    found = task.plant.rates(Nodes(task.begin + point.T * s, X, U, point.p)).reshape(wanted.shape)
    off = np.einsum("g,ngx->nx", 0.5 * GAUSS[1], np.abs(wanted - found)) * (point.T * mesh.lengths)[:, None]
    size = 1.0 + np.max(np.abs(point.X), axis=0)
    return np.max(off / size, axis=1)


def refined(mesh: TimeMesh, errors: np.ndarray, tolerance: float) -> TimeMesh:
    """A mesh on which intervals with too large an error are divided, into as many as the order asks for."""
    wanted = (np.maximum(errors, 1e-300) / tolerance) ** (1.0 / (mesh.scheme.order + 1))
    parts = np.where(errors > tolerance, np.clip(np.ceil(wanted), 2, MOST), 1).astype(int)
    ends = [
        np.linspace(a, b, k + 1)[:-1] for a, b, k in zip(mesh.fractions[:-1], mesh.fractions[1:], parts, strict=True)
    ]
    return TimeMesh(mesh.scheme, np.append(np.concatenate(ends), 1.0))


def _carried(task: NumericProblem, old: TimeMesh, new: TimeMesh, point: DecisionVariables) -> DecisionVariables:
    """The same trajectory on another mesh."""
    nodes = Nodes(task.begin + point.T * old.times, point.X, point.U, point.p)
    X, U = old.sample(new.times, point.X, point.U, task.plant.rates(nodes), point.T)
    return DecisionVariables(X, U, point.T, point.p)
