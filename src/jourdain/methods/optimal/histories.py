"""A planned trajectory as the record of a run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .plants import Nodes

if TYPE_CHECKING:
    from ...results.run import Run
    from .trajectory import Trajectory


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
