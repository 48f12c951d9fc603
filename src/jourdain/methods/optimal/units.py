"""The unit in which a cost is counted while it is made least, and what becomes of a search that found no optimum.

Solvers end where gradients are below their accuracy, in absolute numbers (Waechter & Biegler 2006, eq. 5 and 6): a cost
of 1e-8, as of grams or of hours, is at its optimum for them wherever it is. So costs that are far from one are counted
in a unit of their own, a power of two, that of the guess (Betts 2010, section 1.16).
"""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from ...basics.errors import OptimisationError
from .plants import Nodes

if TYPE_CHECKING:
    from .numeric_problem import NumericProblem
    from .problem import Problem
    from .schemes import TimeMesh
    from .trajectory import Trajectory
    from .transcription import DecisionVariables

LEAST, MOST = 1e-2, 1e10
"""Costs between these are counted as they are."""
NOTHING = 1e-10
"""Cost of a guess, over what its sizes would cost, that is none."""
ENDLESS = 1e6
"""Cost below zero, over that of the guess, of a search that does not end, from which on it falls for ever."""
_Found = TypeVar("_Found", bound="Trajectory")


def magnitude(task: NumericProblem, mesh: TimeMesh, point: DecisionVariables, size: np.ndarray) -> float:
    """What a trajectory costs, all terms taken as positive; where that is nothing, what unknowns of their sizes would.

    size    of all unknowns, as of `guesses.sizes`
    """
    nodes = Nodes(task.begin + point.T * mesh.times, point.X, point.U, point.p)
    both = [one.partials(nodes) for one in task.quantities]
    stride = task.nx + task.nu
    local = np.concatenate([size[:stride], size[mesh.size * stride + 1 :], [0.0]])
    Y, spread = np.zeros((2, mesh.size, len(both)))
    for k, (values, partials) in enumerate(both):
        Y[:, k], spread[:, k] = values, np.abs(partials) @ local
    found = []
    for linear, squared in ((np.abs(Y), (Y - task.target) ** 2), (spread, spread**2)):
        along = linear @ np.abs(task.linear) + squared @ np.abs(task.squared)
        last = linear[-1] @ np.abs(task.end_linear) + squared[-1] @ np.abs(task.end_squared)
        found.append(point.T * float(np.abs(mesh.weights) @ along) + float(last) + abs(task.time_weight) * point.T)
    own, possible = found
    if not np.isfinite(own) or own <= NOTHING * possible:
        own = possible
    return own if np.isfinite(own) and own > 0.0 else 1.0


def unit_of(size: float) -> float:
    """The unit of costs of such a size: a power of two, so that nothing but the end of a search depends on it."""
    return 1.0 if LEAST <= size <= MOST else float(np.exp2(np.round(np.log2(size))))


def counted(task: NumericProblem, unit: float) -> NumericProblem:
    """A task whose cost is counted in a unit."""
    if unit == 1.0:
        return task
    words = ("linear", "squared", "end_linear", "end_squared", "time_weight")
    return replace(task, **{word: getattr(task, word) / unit for word in words})


def in_units(problem: Problem, unit: float) -> Problem:
    """The same problem, its cost counted in a unit."""
    if unit == 1.0:
        return problem
    out = copy(problem)
    out.task = counted(problem.task, unit)
    return out


def judged(found: _Found, problem: Problem, unit: float, size: float, allow: bool) -> _Found:
    """A trajectory with its cost as the problem counts it; an error where it is no optimum, unless that is allowed.

    size    of the cost, that of the guess
    """
    found.problem = problem
    found.cost *= unit
    if found.costates is not None:
        found.costates = found.costates * unit
    if "cost" in found.history:
        found.history["cost"] = [unit * one for one in found.history["cost"]]
    if found.converged or allow:
        return found
    raise unsolved(found, found.cost, size, [problem])


def unsolved(found: Any, cost: float, size: float, problems: list[Problem]) -> OptimisationError:
    """The error of a search that found no optimum."""
    name = problems[0].plant.name
    endless = _endless(problems) if cost < -ENDLESS * size else ""
    if endless:
        message = f"the cost has no least value: it fell to {cost:.3g}, by {endless}, which nothing limits"
        remedy = "give it limits=, or a cost of the other sign"
    else:
        message = f"no optimum was found: {found.status}, after {found.iterations} iterations"
        remedy = "give another guess=, more iterations= or intervals="
        if " is missed by " in found.status:
            remedy = "widen that, give more time, or another guess="
    text = f"{name}: {message}; {remedy}. The best that there is: error.partial, or allow_unconverged=True"
    return OptimisationError(text, found)


def _endless(problems: list[Problem]) -> str:
    """What makes a cost fall for ever: quantities without limits that it rewards."""
    out = []
    for problem in problems:
        task = problem.task
        for k, one in enumerate(task.quantities):
            bounds = [task.path[k]]
            if one.column is not None and one.column < task.nx + task.nu:
                bounds.append(np.concatenate([task.x, task.u])[one.column])
            low, high = np.max([pair[0] for pair in bounds]), np.min([pair[1] for pair in bounds])
            squared = min(task.squared[k], task.end_squared[k]) < 0.0 and not np.all(np.isfinite([low, high]))
            linear = task.linear[k] + task.end_linear[k]
            if squared or (linear < 0.0 and high == np.inf) or (linear > 0.0 and low == -np.inf):
                out.append(f'"{one.name}"')
    return ", ".join(dict.fromkeys(out))
