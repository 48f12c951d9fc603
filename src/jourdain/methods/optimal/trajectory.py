"""What a solution is: states and inputs along the way, as arrays by name, motions, efforts and a run."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ...basics.arguments import checked
from ...basics.errors import ModelError
from ...basics.values import as_array, shown
from .plants import Nodes
from .schemes import TimeMesh
from .transcription import DecisionVariables

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ...results.run import Run
    from .planned import Feedforward, PlannedMotion
    from .problem import Problem


DENSE = 4
"""Samples of a run for each node of the trajectory."""


@checked
class Trajectory:
    """A trajectory that was found.

    problem       that it solves
    cost          what it costs
    duration      how long it takes [s]
    parameters    those of a system, with the values that they have
    converged     whether the method ended as it should; `status` says how
    iterations    that the method took
    error         largest error of an interval that was estimated, over the size of the states; nan where none was
    history       what the method records of each of its iterations, a dict of lists
    """

    def __init__(
        self,
        problem: Problem,
        mesh: TimeMesh,
        point: DecisionVariables,
        *,
        cost: float,
        converged: bool,
        status: str,
        iterations: int,
        error: float = float("nan"),
        costates: np.ndarray | None = None,
        history: Mapping[str, list[Any]] | None = None,
    ) -> None:
        self.problem, self.mesh, self.point = problem, mesh, point
        self.cost, self.converged, self.status = cost, converged, status
        self.iterations, self.error, self.costates = iterations, error, costates
        self.history = dict(history or {})

    @property
    def duration(self) -> float:
        """How long it takes [s]."""
        return self.point.T

    @property
    def times(self) -> np.ndarray:
        """(n,) of the nodes [s]."""
        return self.problem.task.begin + self.point.T * self.mesh.times

    @property
    def states(self) -> np.ndarray:
        """(n, nx) at the nodes, as `problem.plant.states` are named."""
        return self.point.X

    @property
    def inputs(self) -> np.ndarray:
        """(n, nu) at the nodes, as `problem.plant.inputs` are named."""
        return self.point.U

    @property
    def parameters(self) -> dict[str, float]:
        """That were among the unknowns, or of a system of equations, with their values."""
        return dict(zip(self.problem.plant.parameters, self.point.p.tolist(), strict=True))

    @property
    def nodes(self) -> Nodes:
        """Its nodes, as plants take them."""
        return Nodes(self.times, self.point.X, self.point.U, self.point.p)

    @cached_property
    def rates(self) -> np.ndarray:
        """(n, nx) of the states at the nodes."""
        return self.problem.plant.rates(self.nodes)

    def sample(self, t: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
        """States (nt, nx) and inputs (nt, nu) at times [s], by the polynomials of the collocation."""
        s = (np.atleast_1d(as_array(t, "t")) - self.problem.task.begin) / self.point.T
        if np.any((s < -1e-9) | (s > 1.0 + 1e-9)):
            raise ModelError.at(
                "t", f"got {shown(t)}; the trajectory is from {self.times[0]:g} to {self.times[-1]:g} s"
            )
        return self.mesh.sample(np.clip(s, 0.0, 1.0), self.point.X, self.point.U, self.rates, self.point.T)

    def __getitem__(self, name: str) -> np.ndarray:
        """A quantity at the nodes (n,)."""
        return self.problem.plant.quantity(name).values(self.nodes)

    def at(self, name: str, t: ArrayLike) -> np.ndarray:
        """A quantity at times [s]."""
        times = np.atleast_1d(as_array(t, "t"))
        return self.problem.plant.quantity(name).values(Nodes(times, *self.sample(times), self.point.p))

    def _model(self, what: str) -> Any:
        if self.problem.model is None:
            raise ModelError.at(what, "a system of equations has none; a trajectory of a model does")
        return self.plant.model

    @cached_property
    def plant(self) -> Any:
        """The plant, with the parameters that were found."""
        plant: Any = self.problem.plant
        return plant.at(self.point.p) if hasattr(plant, "at") else plant

    @property
    def model(self) -> Any:
        """The model, with the parameters that were found."""
        return self._model("model")

    @cached_property
    def motions(self) -> dict[str, PlannedMotion]:
        """Profiles of the coordinates that inputs move, for `simulate(..., motions=best.motions)`."""
        from .planned import PlannedMotion

        model, plant = self._model("motions"), self.plant
        out = {}
        for k in plant.actuated:
            j = int(model.arrays.q_index[k])
            if j >= 0:
                columns = [self.point.X[:, j], self.point.X[:, model.nq + k], self.rates[:, model.nq + k]]
                out[model.names.v[k]] = PlannedMotion(self.times, np.stack(columns, axis=1))
        return out

    @cached_property
    def efforts(self) -> Feedforward:
        """The inputs over time as a controller, for `simulate(..., controller=best.efforts)`.

        Behind the end a trajectory that comes to rest is held by what its last state takes; another is let go.
        """
        from .planned import Feedforward

        model, plant = self._model("efforts"), self.plant
        scheme, h = self.mesh.scheme, self.point.T * self.mesh.lengths
        U = self.point.U[self.mesh.own]
        powers = np.arange(len(scheme.points))
        rows = [np.pad(one.coef, (0, len(powers) - len(one.coef))) for one in scheme.lagrange]
        basis: np.ndarray = np.stack(rows)
        coefficients = np.einsum("nku,kd->und", U, basis) / h[None, :, None] ** powers
        after = np.zeros(U.shape[2])
        if self.problem.rest:
            after = np.asarray(model.inverse_dynamics(self.last))[plant.actuated]
        knots = self.problem.task.begin + self.point.T * self.mesh.fractions
        return Feedforward(tuple(model.names.v[k] for k in plant.actuated), knots, coefficients, after)

    @property
    def first(self) -> Any:
        """The state of the model at the beginning, from which simulations with it start."""
        return self._state(0)

    @property
    def last(self) -> Any:
        """The state of the model at the end, at rest where the trajectory comes to rest."""
        return self._state(len(self.times) - 1)

    def _state(self, k: int) -> Any:
        from ...model.state import State

        self._model("state")
        plant = self.plant
        here = slice(k, k + 1)
        q, v, _ = plant.split(Nodes(self.times[here], self.point.X[here], self.point.U[here], self.point.p))
        return State(float(self.times[k]), q[0], v[0], plant.state.z.copy())

    @cached_property
    def run(self) -> Run:
        """The trajectory as a run, for plots, limits and reports: what was planned, not a simulation of it.

        Work is the integral of efforts times velocities, and what is dissipated that of their power less the rate of
        the energy, so that the balance is the error of the collocation.
        """
        self._model("run")
        return planned_run(self, DENSE)

    def report(self, path: Any, title: str | None = None) -> Any:
        """Writes its report, a page with a replay and plots."""
        return self.run.report(path, title=title or f"Planned: {self._model('report').name}", notes=[self.summary])

    def plot_history(self) -> Figure:
        """How the search went, a panel for each list of `history`; gradient and restoration phases marked as such."""
        if not any(self.history.values()):
            raise ModelError.at("plot_history", f"the method recorded nothing of its iterations: {self.status}")
        return history_figure(self.history)

    @property
    def summary(self) -> str:
        """A line that says what came out."""
        plant = self.problem.plant
        text = f"{plant.name}: cost {self.cost:.8g} in {self.duration:.6g} s, {self.status}"
        return (
            f"{text} after {self.iterations} iterations, {len(self.mesh.lengths)} intervals ({self.mesh.scheme.name})"
        )

    def __repr__(self) -> str:
        return f"<Trajectory of {self.summary}>"


def planned_run(trajectory: Trajectory, dense: int) -> Run:
    """Samples at the nodes and `dense` - 1 between each two."""
    from ...results.run import Record, Run

    plant: Any = trajectory.plant
    nodes = trajectory.times
    fractions = np.arange(dense) / dense
    times = np.append((nodes[:-1, None] + np.diff(nodes)[:, None] * fractions).ravel(), nodes[-1])
    X, U = trajectory.sample(times)
    here = Nodes(times, X, U, trajectory.point.p)
    q, v, effort = plant.split(here)
    z = np.tile(plant.state.z, (len(times), 1))
    record = Record(times, q, v, z, effort, _energies(plant, here, effort, v))
    options = {"method": "planned", "cost": trajectory.cost, "status": trajectory.status}
    return Run(plant.model, record, options)


def _energies(plant: Any, nodes: Nodes, effort: np.ndarray, v: np.ndarray) -> np.ndarray:
    from .quantities import nodes_run

    out = nodes_run(plant, nodes).record.energy.copy()
    rates, h = plant.rates(nodes), 1e-5
    sides = []
    for sign in (1.0, -1.0):
        moved = Nodes(nodes.t, nodes.X + sign * h * rates, nodes.U, nodes.p)
        sides.append(nodes_run(plant, moved).record.energy[:, :3].sum(axis=1))
    power = np.sum(effort * v, axis=1)
    taken = power - (sides[0] - sides[1]) / (2.0 * h)
    steps = np.diff(nodes.t)
    for column, rate in ((5, power), (4, taken)):
        out[1:, column] = np.cumsum(0.5 * steps * (rate[1:] + rate[:-1]))
    return out


MARKS = {"gradient": "v", "restoration": "^"}
SMALLEST = 1e-16
"""What is smaller is drawn as this."""


def history_figure(history: Mapping[str, list[Any]]) -> Figure:
    """A panel for each list of numbers, by iteration; of gradient and restoration its errors in one, phase by phase."""
    import matplotlib.pyplot as plt

    phased = "phase" in history
    single = [name for name, one in history.items() if one and name not in (("phase", "P", "Q") if phased else ())]
    count = len(single) + phased
    figure, axes = plt.subplots(1, count, figsize=(1.0 + 3.6 * count, 3.4), squeeze=False, layout="constrained")
    panels = list(axes[0])
    if phased:
        draw_phases(panels.pop(0), history)
    for panel, name in zip(panels, single, strict=True):
        values = np.asarray(history[name], float)
        panel.plot(np.arange(1, len(values) + 1), values, ".-")
        if np.all(values > 0.0) and np.max(values) > 100.0 * np.min(values):
            panel.set_yscale("log")
        panel.set(xlabel="phase" if phased else "iteration", title=name)
    return figure


def draw_phases(panel: Axes, history: Mapping[str, list[Any]]) -> None:
    """Constraint error P after every phase, marked by its kind, and optimality error Q after those of the gradient."""
    kind, P, Q = np.array(history["phase"]), *(np.maximum(history[name], SMALLEST) for name in "PQ")
    steps = np.arange(1, len(kind) + 1)
    panel.semilogy(steps, P, color="0.7", label="constraint error P")
    for phase, mark in MARKS.items():
        at = kind == phase
        panel.semilogy(steps[at], P[at], mark, label=f"after {phase}")
    at = kind == "gradient"
    panel.semilogy(steps[at], Q[at], "k.-", label="optimality error Q")
    panel.set(xlabel="phase")
    panel.legend(fontsize=8)
