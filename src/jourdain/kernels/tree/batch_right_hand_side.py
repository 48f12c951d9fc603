"""The right-hand side of a run at many states in one call, for what is not integrated here: differences and blocks."""

from __future__ import annotations

from ..compiler import entry_point
from ..model_arrays import ModelArrays, RunTables, Workspace
from ..signatures import Cube, Matrix, Vector
from ..spatial import quaternion_matrix, rotate
from ..stage_functions import StageFunctions
from .path_coordinates import loose_rates


@entry_point
def rates_rows(
    stages: StageFunctions, model: ModelArrays, task: RunTables, p: Vector, ws: Workspace, t: float, q: Matrix,
    v: Matrix, z: Matrix, latched: Vector, acceleration: Matrix, dz: Matrix, supplied: Matrix, felt: Cube,
) -> None:  # fmt: skip
    """The rates at every row of q, v and z: accelerations, rates of the states, what controllers supply, and what every
    contact does (rows, contacts, 6): force on its first body and torque."""
    for i in range(q.shape[0]):
        stages.rates(model, task, stages, t, q[i], v[i], z[i], latched, p, ws, acceleration[i], dz[i])
        for k in range(v.shape[1]):
            supplied[i, k] = ws.supplied[k]
        for c in range(felt.shape[1]):
            for k in range(6):
                felt[i, c, k] = ws.felt[c, k]


@entry_point
def coordinate_rates(model: ModelArrays, ws: Workspace, q: Vector, v: Vector, out: Vector) -> None:
    """dq/dt (nq,) at the velocity v: quaternions turn by half their product with the angular velocity."""
    for k in range(v.size):
        if model.q_index[k] >= 0:
            out[model.q_index[k]] = v[k]
    for g in range(model.groups.shape[0]):
        j, k = model.groups[g, 0], model.groups[g, 1]
        if model.groups[g, 2] == 1:
            R = quaternion_matrix(q[j + 3], q[j + 4], q[j + 5], q[j + 6])
            out[j], out[j + 1], out[j + 2] = rotate(R, (v[k + 3], v[k + 4], v[k + 5]))
            j += 3
        w, x, y, z = q[j], q[j + 1], q[j + 2], q[j + 3]
        a, b, c = 0.5 * v[k], 0.5 * v[k + 1], 0.5 * v[k + 2]
        out[j] = -x * a - y * b - z * c
        out[j + 1] = w * a + y * c - z * b
        out[j + 2] = w * b + z * a - x * c
        out[j + 3] = w * c + x * b - y * a
    if model.loose.shape[0] > 0:
        loose_rates(model, ws, q, v, out)
