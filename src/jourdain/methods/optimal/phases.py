"""A trajectory of several phases, each a problem of its own, that are joined at their ends.

What a phase begins with is a linear function of what the one before ends with, x'(0) = L x(T) + c: the same states by
name, by default. So a rocket drops a stage, an arm stops on its way, and a leg that stands leaves the ground and comes
down again, with one model for each of the contacts (a fixed contact sequence). Phases are solved as one nonlinear
program, whose blocks are those of the phases (Betts 2010, section 4.7).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np

from ...basics.arguments import checked
from ...basics.errors import ModelError
from ...basics.values import as_number, shown, suggestion
from .collocation import interval_errors
from .guesses import first_guess, sizes
from .ipopt import minimise
from .numeric_problem import NumericProblem
from .problem import Problem, value_range
from .schemes import TimeMesh, even_mesh, scheme_named
from .trajectory import Trajectory
from .transcription import HESSIANS, DecisionVariables, Transcription
from .units import counted, magnitude, unit_of, unsolved

CONSTANT = "constant"
"""In a link, the number that is added."""
Link = Mapping[str, Any] | None


@checked
class Phases:
    """Problems one after another.

    problems    of the phases. Their times begin at zero each; where the first begins is as its problem says, and the
                state of the others is a guess
    links       one for each joint between two phases: a dict from states of the later phase to a number, to None for a
                state that is free, or to factors of states of the earlier one, {"m": {"m": 1.0, "constant": -0.2}}.
                States that it does not name go on as the state of the same name; None names none
    cycle       a link from the last phase to the first, for a motion that repeats; {} for the same states
    until       (earliest, latest) of the whole [s], or one time; None leaves it to the phases
    """

    def __init__(
        self,
        problems: Sequence[Problem],
        links: Sequence[Link] | None = None,
        cycle: Link = None,
        until: float | tuple[float, float] | None = None,
    ) -> None:
        self.problems = list(problems) if isinstance(problems, list | tuple) else []
        if not self.problems or not all(isinstance(one, Problem) for one in self.problems):
            raise ModelError.at("problems", f"got {shown(problems)}; give a list of jd.optimal.Problem")
        count = len(self.problems)
        stated = [None] * (count - 1) if links is None else list(links)
        if len(stated) != count - 1:
            raise ModelError.at(
                "links", f"got {len(stated)} for {count} phases; give {count - 1}, None for the same states"
            )
        self.links = [_link(self.problems[k], self.problems[k + 1], one, k) for k, one in enumerate(stated)]
        self.cycle = None if cycle is None else _link(self.problems[-1], self.problems[0], cycle, count - 1)
        self.until = None if until is None else np.array(value_range(until, "until", single=True))
        self.tasks = [self._task(k) for k in range(count)]

    def _task(self, k: int) -> NumericProblem:
        """The task of a phase, whose start is what the link says."""
        task, link = self.problems[k].task, self.links[k - 1] if k else self.cycle
        if link is None:
            return task
        start = task.x.copy()
        if link.given:
            start[list(link.given)] = np.array(list(link.given.values()))[:, None]
        return replace(task, x_start=start)

    def solve(
        self,
        intervals: int | Sequence[int] = 20,
        scheme: str = "hermite-simpson",
        hessian: str = "exact",
        accuracy: float = 1e-8,
        iterations: int = 500,
        guess: PhasedTrajectory | Sequence[Any] | None = None,
        options: Mapping[str, float | int | str] | None = None,
        allow_unconverged: bool = False,
    ) -> PhasedTrajectory:
        """The trajectory, by direct collocation; arguments as those of `jd.optimal.collocation`.

        intervals    of each phase
        guess        a trajectory of the same phases, or a guess for each
        """
        if hessian not in HESSIANS:
            raise ModelError.at("hessian", f"got {shown(hessian)}; {suggestion(str(hessian), HESSIANS)}")
        count = len(self.problems)
        each = [intervals] * count if isinstance(intervals, int) else list(intervals)
        if len(each) != count or not all(isinstance(one, int) and one > 0 for one in each):
            raise ModelError.at("intervals", f"got {shown(intervals)}; give a whole number, or one for each phase")
        some: Any = guess.phases if isinstance(guess, PhasedTrajectory) else guess
        guesses = [None] * count if some is None else list(some)
        meshes = [even_mesh(scheme_named(scheme), one) for one in each]
        points = [first_guess(*one) for one in zip(self.problems, meshes, guesses, strict=True)]
        every = zip(self.problems, meshes, points, strict=True)
        size = sum(magnitude(one.task, mesh, point, sizes(one, mesh, point)) for one, mesh, point in every)
        unit = unit_of(size)
        counting = copy(self)
        counting.tasks = [counted(task, unit) for task in self.tasks]
        program = JoinedPhases(counting, meshes, points, hessian)
        stated = {"tol": accuracy, "max_iter": iterations} | dict(options or {})
        solution = minimise(program, program.unknowns(points), stated)
        if solution.infeasible:
            raise ModelError.at("phases", self._missed(program, solution.x))
        out = []
        for task, problem, part, mesh in zip(self.tasks, self.problems, program.parts, meshes, strict=True):
            own = program.own(part, solution.x)
            point = program.programs[program.parts.index(part)].point(own)
            if not mesh.scheme.shared:
                point.U[0] = np.einsum("k,ku->u", mesh.scheme.values(np.zeros(1))[0], point.U[mesh.own[0]])
            error = float(interval_errors(task, mesh, point).max())
            cost = unit * program.programs[program.parts.index(part)].value(own)
            out.append(Trajectory(
                problem, mesh, point, cost=cost, converged=solution.solved, status=solution.status,
                iterations=solution.iterations, error=error,
            ))  # fmt: skip
        found = PhasedTrajectory(out, unit * solution.value, solution.solved, solution.status, solution.iterations)
        if not found.converged and not allow_unconverged:
            raise unsolved(found, found.cost, size, self.problems)
        return found

    def _missed(self, program: JoinedPhases, x: np.ndarray) -> str:
        """Which rows are missed most, as text."""
        found = program.constraints(x)
        off = np.maximum(program.g_low - found, found - program.g_high)
        row = int(np.argmax(off))
        return f"no trajectory keeps all limits, ends and links; {program.named(row)} is missed by most"

    def __repr__(self) -> str:
        return f"<Phases of {', '.join(repr(one.plant.name) for one in self.problems)}>"


@checked
class PhasedTrajectory:
    """Trajectories one after another.

    phases        one `Trajectory` each
    cost          of all
    converged, status, iterations    how the solver ended
    """

    def __init__(self, phases: list[Trajectory], cost: float, converged: bool, status: str, iterations: int) -> None:
        self.phases, self.cost, self.converged = phases, cost, converged
        self.status, self.iterations = status, iterations

    @property
    def duration(self) -> float:
        """How long all take [s]."""
        return float(sum(one.duration for one in self.phases))

    @property
    def times(self) -> np.ndarray:
        """(phases + 1,) at which phases begin, and the end [s]."""
        return np.concatenate([[0.0], np.cumsum([one.duration for one in self.phases])])

    def __getitem__(self, name: str) -> np.ndarray:
        """A quantity at the nodes of all phases that have it, times (n, 2): time since the beginning, and value."""
        rows = []
        for begin, one in zip(self.times[:-1], self.phases, strict=True):
            try:
                values = one[name]
            except ModelError:
                continue
            rows.append(np.stack([begin + one.times - one.times[0], values], axis=1))
        if not rows:
            raise ModelError.at(str(name), "no phase has such a quantity")
        return np.concatenate(rows)

    def __repr__(self) -> str:
        text = f"cost {self.cost:.8g} in {self.duration:.6g} s, {self.status} after {self.iterations} iterations"
        return f"<PhasedTrajectory of {len(self.phases)} phases: {text}>"


class _Joint:
    """A link in numbers: rows of the later phase's states that are factors of the earlier's, and given values."""

    def __init__(self) -> None:
        self.rows: list[tuple[int, dict[int, float], float]] = []
        self.given: dict[int, float] = {}


def _link(before: Problem, behind: Problem, stated: Link, number: int) -> _Joint:
    old, new = list(before.plant.states), list(behind.plant.states)
    where = f"links[{number}]"
    out = _Joint()
    given = dict(stated or {})
    for name in given:
        if name not in new:
            raise ModelError.at(f"{where}: {name}", f"the later phase has no such state; {suggestion(str(name), new)}")
    for k, name in enumerate(new):
        if name not in given:
            if name not in old:
                text = f"the earlier phase has no such state; say what it is in {where}, None for free"
                raise ModelError.at(name, text)
            out.rows.append((k, {old.index(name): 1.0}, 0.0))
        elif isinstance(given[name], Mapping):
            factors, constant = {}, 0.0
            for one, value in given[name].items():
                number_ = as_number(value, f"{where}: {name}")
                if one == CONSTANT:
                    constant = number_
                elif one in old:
                    factors[old.index(one)] = number_
                else:
                    text = f"the earlier phase has no state {shown(one)}; {suggestion(str(one), old)}"
                    raise ModelError.at(f"{where}: {name}", text)
            out.rows.append((k, factors, constant))
        elif given[name] is not None:
            out.given[k] = as_number(given[name], f"{where}: {name}")
    return out


class JoinedPhases:
    """Phases as one nonlinear program (`ipopt.NonlinearProgram`): their rows, links, shared parameters and the time."""

    def __init__(self, phases: Phases, meshes: list[TimeMesh], points: list[DecisionVariables], hessian: str) -> None:
        self.phases = phases
        self.programs = []
        for problem, task, mesh, point in zip(phases.problems, phases.tasks, meshes, points, strict=True):
            self.programs.append(Transcription(task, mesh, sizes(problem, mesh, point), hessian))
        ends = np.cumsum([0, *(one.count for one in self.programs)])
        self.parts = [slice(int(a), int(b)) for a, b in zip(ends[:-1], ends[1:], strict=True)]
        rows = np.cumsum([0, *(len(one.g_low) for one in self.programs)])
        self.row_parts = [slice(int(a), int(b)) for a, b in zip(rows[:-1], rows[1:], strict=True)]
        self.x_low = np.concatenate([one.x_low for one in self.programs])
        self.x_high = np.concatenate([one.x_high for one in self.programs])
        self._join(int(rows[-1]), int(ends[-1]))
        self._lay()

    def _join(self, first: int, count: int) -> None:
        """Linear rows between phases, in scaled unknowns: what, columns, factors, low and high."""
        self.extra: list[tuple[str, list[int], list[float], float, float]] = []
        size = np.concatenate([one.size for one in self.programs])
        links = [(k, k + 1, one) for k, one in enumerate(self.phases.links)]
        if self.phases.cycle is not None:
            links.append((len(self.programs) - 1, 0, self.phases.cycle))
        for a, b, link in links:
            old = self.programs[a]
            last = self.parts[a].start + (old.mesh.size - 1) * old.stride
            names = self.phases.problems[b].plant.states
            for k, factors, constant in link.rows:
                columns = [self.parts[b].start + k, *(last + j for j in factors)]
                numbers = [1.0, *(-one for one in factors.values())]
                scale = size[columns[0]]
                scaled = [one * size[at] / scale for one, at in zip(numbers, columns, strict=True)]
                self.extra.append((f"link: {names[k]}", columns, scaled, constant / scale, constant / scale))
        known: dict[str, int] = {}
        for part, one in zip(self.parts, self.programs, strict=True):
            for j, name in enumerate(one.task.plant.parameters):
                at = part.start + int(one.globals[1 + j])
                if name in known:
                    ratio = size[known[name]] / size[at]
                    self.extra.append((f"parameter: {name}", [at, known[name]], [1.0, -ratio], 0.0, 0.0))
                known.setdefault(name, at)
        if self.phases.until is not None:
            columns = [part.start + int(one.globals[0]) for part, one in zip(self.parts, self.programs, strict=True)]
            whole = float(np.max(self.phases.until[np.isfinite(self.phases.until)]))
            low, high = self.phases.until / whole
            self.extra.append(("until", columns, [size[at] / whole for at in columns], float(low), float(high)))
        self.first, self.count = first, count

    def _lay(self) -> None:
        self.g_low = np.concatenate([*(one.g_low for one in self.programs), [row[3] for row in self.extra]])
        self.g_high = np.concatenate([*(one.g_high for one in self.programs), [row[4] for row in self.extra]])
        rows, columns = [], []
        for rows_of, part, one in zip(self.row_parts, self.parts, self.programs, strict=True):
            rows.append(rows_of.start + one.jacobian_at[0])
            columns.append(part.start + one.jacobian_at[1])
        for k, (_, at, _, _, _) in enumerate(self.extra):
            rows.append(np.full(len(at), self.first + k))
            columns.append(np.array(at))
        self.jacobian_at = np.concatenate(rows), np.concatenate(columns)
        self.constant = np.concatenate([np.zeros(0), *(row[2] for row in self.extra)])
        found = [one.hessian_at for one in self.programs]
        self.hessian_at = None
        if all(one is not None for one in found):
            pairs = [(part.start + at[0], part.start + at[1]) for part, at in zip(self.parts, found, strict=True)]  # type: ignore[index]
            self.hessian_at = np.concatenate([one[0] for one in pairs]), np.concatenate([one[1] for one in pairs])

    def own(self, part: slice, x: np.ndarray) -> np.ndarray:
        """Unknowns of a phase."""
        return np.ascontiguousarray(x[part])

    def unknowns(self, points: list[DecisionVariables]) -> np.ndarray:
        """Trajectories of the phases as unknowns."""
        return np.concatenate([one.unknowns(point) for one, point in zip(self.programs, points, strict=True)])

    def named(self, row: int) -> str:
        """What a row of the constraints is, as text."""
        if row >= self.first:
            return self.extra[row - self.first][0]
        k = next(k for k, part in enumerate(self.row_parts) if row < part.stop)
        one, row = self.programs[k], row - self.row_parts[k].start
        plant = self.phases.problems[k].plant
        if row < one.defects:
            return f"phase {k}: the equation of {plant.states[row % one.task.nx]}"
        if row < one.first[2]:
            limited = one.limited[(row - one.first[1]) % len(one.limited)]
            return f"phase {k}: the limit of {one.task.quantities[limited].name}"
        return f"phase {k}: an end"

    def value(self, x: np.ndarray) -> float:
        return sum(one.value(self.own(part, x)) for part, one in zip(self.parts, self.programs, strict=True))

    def gradient(self, x: np.ndarray) -> np.ndarray:
        some = zip(self.parts, self.programs, strict=True)
        return np.concatenate([one.gradient(self.own(part, x)) for part, one in some])

    def constraints(self, x: np.ndarray) -> np.ndarray:
        found = [one.constraints(self.own(part, x)) for part, one in zip(self.parts, self.programs, strict=True)]
        return np.concatenate([*found, [float(np.dot(row[2], x[row[1]])) for row in self.extra]])

    def jacobian(self, x: np.ndarray) -> np.ndarray:
        found = [one.jacobian(self.own(part, x)) for part, one in zip(self.parts, self.programs, strict=True)]
        return np.concatenate([*found, self.constant])

    def hessian(self, x: np.ndarray, sigma: float, multipliers: np.ndarray) -> np.ndarray:
        some = zip(self.parts, self.row_parts, self.programs, strict=True)
        return np.concatenate([one.hessian(self.own(part, x), sigma, multipliers[rows]) for part, rows, one in some])
