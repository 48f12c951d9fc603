"""The right-hand side of a run at many states in one call, for what is not integrated here: differences and blocks."""

from __future__ import annotations

from ..algebra import Quaternion, rotation_matrix
from ..compiler import entry_point
from ..flat_arrays import put_value, quaternion_at, vector_at
from ..model_arrays import ModelArrays, RunTables, Workspace
from ..signatures import Cube, Matrix, Vector
from ..stage_functions import StageFunctions
from .path_coordinates import rates_without_velocity


@entry_point
def rates_rows(
    stages: StageFunctions, model: ModelArrays, task: RunTables, p: Vector, ws: Workspace, t: float, q: Matrix,
    v: Matrix, z: Matrix, latched: Vector, acceleration: Matrix, dz: Matrix, supplied: Matrix, contact_wrenches: Cube,
) -> None:  # fmt: skip
    """The rates at every row of q, v and z: accelerations, rates of the states, what controllers supply, and what every
    contact does (rows, contacts, 6): force on its first body and torque."""
    for i in range(q.shape[0]):
        stages.rates(model, task, stages, t, q[i], v[i], z[i], latched, p, ws, acceleration[i], dz[i])
        for k in range(v.shape[1]):
            supplied[i, k] = ws.supplied[k]
        for c in range(contact_wrenches.shape[1]):
            put_value(contact_wrenches[i, c], 0, ws.contact_wrenches[c].force)
            put_value(contact_wrenches[i, c], 3, ws.contact_wrenches[c].torque)


@entry_point
def coordinate_rates(model: ModelArrays, ws: Workspace, q: Vector, v: Vector, out: Vector) -> None:
    """dq/dt (nq,) at the velocity v: quaternions turn by half their product with the angular velocity."""
    for k in range(v.size):
        if model.q_index[k] >= 0:
            out[model.q_index[k]] = v[k]
    for g in range(len(model.rotations)):
        j, k = model.rotations[g].q, model.rotations[g].v
        if model.rotations[g].free:
            put_value(out, j, rotation_matrix(quaternion_at(q, j + 3)) @ vector_at(v, k + 3))
            j += 3
        put_value(out, j, quaternion_at(q, j) @ Quaternion(0.0, 0.5 * v[k], 0.5 * v[k + 1], 0.5 * v[k + 2]))
    if model.without_velocity.shape[0] > 0:
        rates_without_velocity(model, ws, q, v, out)
