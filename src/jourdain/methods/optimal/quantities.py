"""Quantities of `jd.quantity` at nodes of a trajectory, with derivatives.

Coordinates, velocities and efforts are unknowns themselves. Places and velocities of frames have the derivatives of
compiled kernels, and so have distances. All else that a run has is read from a run made of the nodes, and differenced.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ...model.derivatives import analytical
from ...model.kernel_calls import derivative_scratch
from ...model.selection import motors
from ...results.quantities import LENGTHS, PLACE, PLACE_UNITS, understand
from .plants import Nodes, PlantQuantity, differenced, direct

if TYPE_CHECKING:
    from ...results.run import Run
    from .model_plant import ModelPlant


def model_quantity(plant: ModelPlant, name: str) -> PlantQuantity:
    """A quantity of a model by its name; an `UnknownNameError` says what exists."""
    model = plant.model
    kind, colon, rest = str(name).partition(":")
    units = model.units
    if not colon and name in model.index.q or kind == "q" and rest in model.index.q:
        j = model.index.q[rest or name]
        return direct(name, units.q[j], j)
    known = understand(model, name)
    if kind == "v" and rest in model.index.v or not colon and name in model.index.v:
        k = model.index.v[rest or name]
        return direct(name, units.v[k], model.nq + k)
    if kind == "effort":
        return _effort(plant, name, rest, units.effort[model.index.v[rest]])
    frame, _, part = str(name).rpartition(".")
    if not colon and frame in model.markers and part in PLACE_UNITS and analytical(model):
        return _place(plant, name, frame, part)
    if kind == "distance" and analytical(model):
        return _distance(plant, name, rest)

    def values(nodes: Nodes) -> np.ndarray:
        return np.asarray(known.read(nodes_run(plant, nodes, kind == "energy"))[0], float)

    still = kind in ("deflection", "strain", "distance", "offset", "angle", "field")
    count = model.nq if still else model.nq + model.nv
    acts = kind in ("reaction",)
    columns = [*range(count), *(range(model.nq + model.nv, model.nq + model.nv + len(plant.inputs)) if acts else ())]
    return differenced(name, known.unit, values, columns)


def nodes_run(plant: ModelPlant, nodes: Nodes, energies: bool = True) -> Run:
    """A run whose samples are the nodes, whatever their times, with energies that states have, where wanted."""
    from ...model.batch import States
    from ...results.channels import ENERGY
    from ...results.run import Record, Run

    model = plant.model
    q, v, effort = plant.split(nodes)
    n = len(q)
    z = np.tile(plant.state.z, (n, 1))
    energy = np.zeros((n, len(ENERGY)))
    if energies:
        found = model.energy(States(np.ascontiguousarray(nodes.t, float), q, v, z))
        for k, what in enumerate(("kinetic", "gravity", "strain")):
            energy[:, k] = getattr(found, what)
    return Run(model, Record(np.arange(n, dtype=float), q, v, z, effort, energy))


def _effort(plant: ModelPlant, name: str, rest: str, unit: str) -> PlantQuantity:
    """The effort on an entry: an input; of a joint with a drive its motor's times the gear; zero where nothing acts."""
    model, first = plant.model, len(plant.states)
    k = model.index.v[rest]
    if k in plant.actuated:
        return direct(name, unit, first + plant.actuated.index(k))
    factors = {
        plant.actuated.index(m): gear
        for m, (joint, gear) in motors(model).items()
        if joint == k and m in plant.actuated
    }

    def values(nodes: Nodes) -> np.ndarray:
        return sum((gear * nodes.U[:, at] for at, gear in factors.items()), np.zeros(len(nodes.t)))

    def partials(nodes: Nodes) -> tuple[np.ndarray, np.ndarray]:
        out = np.zeros((len(nodes.t), nodes.local))
        for at, gear in factors.items():
            out[:, first + at] = gear
        return values(nodes), out

    return PlantQuantity(name, unit, None, values, partials)


def _motion(plant: ModelPlant, frame: str, nodes: Nodes) -> tuple[np.ndarray, np.ndarray]:
    """The path of a frame (n, 13), and derivatives (n, 9, local) of place, angular velocity and velocity."""
    from ...kernels.optimal.node_dynamics import marker_jacobian_rows
    from ...kernels.tree.batch import jacobian_rows

    model, nq, nv = plant.model, plant.model.nq, plant.model.nv
    q, v, _ = plant.split(nodes)
    marker = model.marker(frame)
    J, S = np.empty((len(q), 6, nv)), np.empty((len(q), 6, nv))
    jacobian_rows.ready(model.features).python(model.arrays, plant.workspace, marker, q, J)
    marker_jacobian_rows.ready(model.features).python(
        model.arrays, plant.workspace, derivative_scratch(model), marker, q, v, S
    )
    tangent = plant.tangent(nodes.X[:, :nq])
    out = np.zeros((len(q), 9, nodes.local))
    out[:, :3, :nq] = J[:, 3:] @ tangent
    out[:, 3:, :nq] = S @ tangent
    out[:, 3:, nq : nq + nv] = J
    return model.frame_path(frame, q, v), out


def _place(plant: ModelPlant, name: str, frame: str, part: str) -> PlantQuantity:
    """Place, velocity or angular velocity of a frame along an axis, or the size of one of the last two."""

    def read(path: np.ndarray) -> np.ndarray:
        if part in LENGTHS:
            return np.linalg.norm(path[:, LENGTHS[part]], axis=1)
        return path[:, PLACE[part]]

    def partials(nodes: Nodes) -> tuple[np.ndarray, np.ndarray]:
        path, D = _motion(plant, frame, nodes)
        if part in LENGTHS:
            size = np.maximum(read(path), 1e-12)
            rows = D[:, 3:6] if part == "spin" else D[:, 6:9]
            return read(path), np.einsum("nk,nkl->nl", path[:, LENGTHS[part]] / size[:, None], rows)
        row = PLACE[part] if PLACE[part] < 3 else PLACE[part] - 4
        return read(path), D[:, row]

    def values(nodes: Nodes) -> np.ndarray:
        q, v, _ = plant.split(nodes)
        return read(plant.model.frame_path(frame, q, v))

    return PlantQuantity(name, PLACE_UNITS[part], None, values, partials)


def _distance(plant: ModelPlant, name: str, rest: str) -> PlantQuantity:
    """How far two frames are apart."""
    from ...results.quantities import address_pair

    one, _, other, _ = address_pair(plant.model, rest, "distance:a.tip:b.origin")

    def values(nodes: Nodes) -> np.ndarray:
        q, v, _ = plant.split(nodes)
        apart = plant.model.frame_path(one, q, v)[:, :3] - plant.model.frame_path(other, q, v)[:, :3]
        return np.linalg.norm(apart, axis=1)

    def partials(nodes: Nodes) -> tuple[np.ndarray, np.ndarray]:
        (a, da), (b, db) = _motion(plant, one, nodes), _motion(plant, other, nodes)
        apart = a[:, :3] - b[:, :3]
        size = np.linalg.norm(apart, axis=1)
        return size, np.einsum("nk,nkl->nl", apart / np.maximum(size, 1e-12)[:, None], da[:, :3] - db[:, :3])

    return PlantQuantity(name, "m", None, values, partials)
