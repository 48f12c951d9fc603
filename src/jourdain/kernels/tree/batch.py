"""The model functions at many states in one call: a row of every array is a state.

What acts at a state besides efforts is found by the stages of a run: contacts, and forces by laws. Functions that call
these return the row that they stopped at: the number of rows, or less where the pairs of piles had no room.
"""

from __future__ import annotations

from ..compiler import entry_point, kernel
from ..flat_arrays import put_value
from ..model_arrays import ModelArrays, RunTables, Workspace
from ..records import given
from ..rows import clear_row
from ..signatures import Cube, Integers, Matrix, Vector
from ..stage_functions import StageFunctions
from .kinematics import kinematics
from .markers import apply_loads, apply_wrench
from .model_functions import (
    acceleration,
    bias,
    centre_at,
    energies,
    jacobian,
    mass_matrix,
    momentum_at,
    solve_forward,
    solve_inverse,
)
from .newton_euler import newton_euler_efforts
from .right_hand_side import sense
from .struts import apply_struts


@kernel
def move(model, stages, t, q, v, z, latched, ws, dz):
    """Motion of all bodies, with the pairs of piles listed; whether there was room for these."""
    ws.ledger.time = t
    if given(stages.accept):
        clear_row(ws.lists)
        ws.flags.capacity_exceeded = 0
        stages.accept(model, stages.touch, 0, q, v, z, latched, ws, dz)
        if ws.flags.capacity_exceeded == 1:
            return False
    kinematics(model, ws, q, v)
    return True


@kernel
def load(model, task, stages, t, q, v, z, latched, p, ws, dz):
    """Lets all that acts besides efforts act on the bodies, whose motion is known."""
    apply_loads(model, ws, q, v)
    apply_struts(model, ws, q, v)
    if given(stages.contact):
        stages.contact(model, stages.touch, q, v, z, latched, ws, dz)
    for i in range(len(task.sensed_quantities)):
        sense(model, ws, task, i, q, v)
    if given(stages.law):
        stages.law(model, task, t, q, v, z, p, ws, ws.supplied, dz)


@entry_point
def forward_rows(
    stages: StageFunctions, model: ModelArrays, task: RunTables, p: Vector, ws: Workspace, first: int, t: Vector,
    q: Matrix, v: Matrix, z: Matrix, latched: Matrix, dz: Vector, effort: Matrix, out: Matrix, supplied: Matrix,
) -> int:  # fmt: skip
    """Accelerations (rows, nv) under `effort` and all that acts, from row `first` on; where ws.known is 1 that in `out`
    is given. `supplied` gets the efforts: given ones, and those that known accelerations take."""
    for i in range(first, q.shape[0]):
        if not move(model, stages, t[i], q[i], v[i], z[i], latched[i], ws, dz):
            return i
        load(model, task, stages, t[i], q[i], v[i], z[i], latched[i], p, ws, dz)
        solve_forward(model, ws, q[i], v[i], effort[i], latched[i], out[i])
        for k in range(v.shape[1]):
            supplied[i, k] = ws.supplied[k]
    return q.shape[0]


@entry_point
def inverse_rows(
    stages: StageFunctions, model: ModelArrays, task: RunTables, p: Vector, ws: Workspace, first: int, t: Vector,
    q: Matrix, v: Matrix, z: Matrix, latched: Matrix, dz: Vector, wanted: Matrix, out: Matrix,
) -> int:  # fmt: skip
    """Efforts (rows, nv) that give the accelerations `wanted` against all that acts, from row `first` on."""
    for i in range(first, q.shape[0]):
        if not move(model, stages, t[i], q[i], v[i], z[i], latched[i], ws, dz):
            return i
        load(model, task, stages, t[i], q[i], v[i], z[i], latched[i], p, ws, dz)
        solve_inverse(model, ws, q[i], v[i], wanted[i], latched[i], out[i])
    return q.shape[0]


@kernel
def push(model, ws, q, v, markers, wrenches):
    """Lets (moment, force), six numbers a marker, world axes, act at markers."""
    for j in range(markers.size):
        k = 6 * j
        moment = (wrenches[k], wrenches[k + 1], wrenches[k + 2])
        force = (wrenches[k + 3], wrenches[k + 4], wrenches[k + 5])
        apply_wrench(model, ws, markers[j], q, v, moment, force)


@entry_point
def reaction_rows(
    stages: StageFunctions, model: ModelArrays, task: RunTables, p: Vector, ws: Workspace, first: int, t: Vector,
    q: Matrix, v: Matrix, z: Matrix, latched: Matrix, dz: Vector, effort: Matrix, markers: Integers, wrenches: Matrix,
    acceleration: Vector, out: Cube,
) -> int:  # fmt: skip
    """What carriers do to their bodies through the joints, into out (rows, bodies + 1, 6): (moment about the origin of
    the body's kernel frame, force), world axes.

    Newton and Euler's equations of all that is outboard: inertia forces less all that is applied. Accelerations are
    those under `effort`; `wrenches` (rows, 6 a marker) act at `markers` besides.
    """
    for i in range(first, q.shape[0]):
        if not move(model, stages, t[i], q[i], v[i], z[i], latched[i], ws, dz):
            return i
        load(model, task, stages, t[i], q[i], v[i], z[i], latched[i], p, ws, dz)
        push(model, ws, q[i], v[i], markers, wrenches[i])
        solve_forward(model, ws, q[i], v[i], effort[i], latched[i], acceleration)
        kinematics(model, ws, q[i], v[i])
        load(model, task, stages, t[i], q[i], v[i], z[i], latched[i], p, ws, dz)
        push(model, ws, q[i], v[i], markers, wrenches[i])
        newton_euler_efforts(model, ws, acceleration, ws.effort)
        for b in range(out.shape[1]):
            put_value(out[i, b], 0, ws.bodies[b].bias_force)
    return q.shape[0]


@entry_point
def energy_rows(
    stages: StageFunctions, model: ModelArrays, ws: Workspace, first: int, t: Vector, q: Matrix, v: Matrix, z: Matrix,
    latched: Matrix, dz: Vector, out: Matrix,
) -> int:  # fmt: skip
    """Kinetic, gravity, strain and contact energy (rows, 4) [J], from row `first` on."""
    for i in range(first, q.shape[0]):
        if not move(model, stages, t[i], q[i], v[i], z[i], latched[i], ws, dz):
            return i
        energies(model, ws, q[i], v[i], latched[i], out[i])
        out[i, 3] = 0.0
        if given(stages.contact):
            ws.flags.energies_wanted = True
            stages.contact(model, stages.touch, q[i], v[i], z[i], latched[i], ws, dz)
            ws.flags.energies_wanted = False
            for c in range(len(ws.contact_wrenches)):
                out[i, 3] += ws.contact_wrenches[c].stored
    return q.shape[0]


@entry_point
def mass_matrix_rows(model: ModelArrays, ws: Workspace, q: Matrix, out: Cube) -> None:
    """Mass matrices (rows, nv, nv)."""
    for i in range(q.shape[0]):
        mass_matrix(model, ws, q[i], out[i])


@entry_point
def bias_rows(model: ModelArrays, ws: Workspace, t: Vector, q: Matrix, v: Matrix, out: Matrix) -> None:
    """Efforts (rows, nv) at zero acceleration."""
    for i in range(q.shape[0]):
        ws.ledger.time = t[i]
        bias(model, ws, q[i], v[i], out[i])


@entry_point
def jacobian_rows(model: ModelArrays, ws: Workspace, marker: int, q: Matrix, out: Cube) -> None:
    """Jacobians (rows, 6, nv) of a marker."""
    for i in range(q.shape[0]):
        jacobian(model, ws, marker, q[i], out[i])


@entry_point
def acceleration_rows(
    model: ModelArrays, ws: Workspace, marker: int, t: Vector, q: Matrix, v: Matrix, wanted: Matrix, out: Matrix
) -> None:
    """Accelerations (rows, 6) of a marker, angular and linear, from those of all entries of v."""
    for i in range(q.shape[0]):
        ws.ledger.time = t[i]
        acceleration(model, ws, marker, q[i], v[i], wanted[i], out[i])


@entry_point
def momentum_rows(
    model: ModelArrays, ws: Workspace, unturning: int, t: Vector, q: Matrix, v: Matrix, point: Vector, out: Matrix
) -> None:
    """Angular momenta about `point`, then linear ones (rows, 6); `unturning` as in the function of that name."""
    for i in range(q.shape[0]):
        ws.ledger.time = t[i]
        momentum_at(model, ws, q[i], v[i], point, unturning == 1, out[i])


@entry_point
def centre_rows(model: ModelArrays, ws: Workspace, q: Matrix, out: Matrix) -> None:
    """Centres of mass (rows, 3)."""
    for i in range(q.shape[0]):
        centre_at(model, ws, q[i], out[i])
