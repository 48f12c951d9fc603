"""The model functions as kernels, for Python and for compiled user code.

Each takes `model.arrays`, a workspace (`jourdain.kernels.workspace(model.arrays)`) and arrays, and writes into `out`.
Passive efforts of the joints and struts are in all of them; applied forces only between `begin` and `finish_...`. In an
elliptic orbit the time is read from ws.ledger.time.
"""

from __future__ import annotations

from ..bodies.body_dispatch import strain_energy
from ..compiler import entry_point, kernel, need
from ..flat_arrays import put_value, vector_at, wrench_at
from ..model_arrays import ModelArrays, Workspace
from ..model_arrays import workspace as overlap_scratch_of
from ..signatures import Integers, Matrix, Vector
from .articulated import articulated_accelerations
from .composite import composite_mass_matrix
from .invariants import mass_centre, mechanical_energy, total_momentum
from .joint_springs import passive_efforts, passive_energy
from .joints import displace
from .kinematics import kinematics
from .markers import apply_loads, apply_marker_wrench, marker_acceleration, marker_jacobian, marker_state
from .newton_euler import newton_euler_efforts
from .orbit import body_attraction
from .path_coordinates import displace_without_velocity_scalar
from .struts import apply_struts, strut_energy


def workspace(arrays: ModelArrays, dtype: type = float) -> Workspace:
    """Scratch for the kernels of a model, float64 or complex128; compiled functions may then be called with it."""
    need(arrays.features)
    return overlap_scratch_of(arrays, dtype)


@kernel
def _accelerations(model, ws, q, v, effort, latched, out):
    for k in range(v.size):
        ws.effort[k] = effort[k]
    passive_efforts(model, q, v, latched, ws.effort)
    articulated_accelerations(model, ws, ws.effort, out)


@kernel
def solve_forward(model, ws, q, v, effort, latched, out):
    """Accelerations under `effort` and what acts already; ws.supplied gets the efforts that known ones take."""
    for k in range(v.size):
        ws.supplied[k] = 0.0
    passive_efforts(model, q, v, latched, ws.supplied)
    _accelerations(model, ws, q, v, effort, latched, out)
    for k in range(v.size):
        ws.supplied[k] = ws.effort[k] - ws.supplied[k]


@kernel
def solve_inverse(model, ws, q, v, acceleration, latched, out):
    """Efforts that give `acceleration` against what acts already."""
    newton_euler_efforts(model, ws, acceleration, out)
    for k in range(v.size):
        ws.effort[k] = 0.0
    passive_efforts(model, q, v, latched, ws.effort)
    for k in range(v.size):
        out[k] -= ws.effort[k]


@kernel
def _at_rest(model, ws, q):
    for k in range(ws.supplied.size):
        ws.supplied[k] = 0.0
    kinematics(model, ws, q, ws.supplied)


@entry_point
def forward_dynamics(model: ModelArrays, ws: Workspace, q: Vector, v: Vector, effort: Vector, out: Vector) -> None:
    """Accelerations (nv,) under `effort` (nv,), springs, dampers, stops, struts and gravity."""
    kinematics(model, ws, q, v)
    apply_struts(model, ws, q, v)
    _accelerations(model, ws, q, v, effort, ws.scratch[:0], out)


@entry_point
def inverse_dynamics(
    model: ModelArrays, ws: Workspace, q: Vector, v: Vector, acceleration: Vector, out: Vector
) -> None:
    """Efforts (nv,) that give `acceleration` (nv,), beyond what springs, dampers, stops, struts and gravity do."""
    kinematics(model, ws, q, v)
    apply_struts(model, ws, q, v)
    solve_inverse(model, ws, q, v, acceleration, ws.scratch[:0], out)


@entry_point
def forward_state(
    model: ModelArrays, ws: Workspace, q: Vector, v: Vector, effort: Vector, latched: Vector, out: Vector
) -> None:
    """`begin` and `finish_forward` in one, where no wrenches are to be added in between."""
    kinematics(model, ws, q, v)
    apply_loads(model, ws, q, v)
    apply_struts(model, ws, q, v)
    solve_forward(model, ws, q, v, effort, latched, out)


@entry_point
def inverse_state(
    model: ModelArrays, ws: Workspace, q: Vector, v: Vector, acceleration: Vector, latched: Vector, out: Vector
) -> None:
    """`begin` and `finish_inverse` in one."""
    kinematics(model, ws, q, v)
    apply_loads(model, ws, q, v)
    apply_struts(model, ws, q, v)
    solve_inverse(model, ws, q, v, acceleration, latched, out)


@entry_point
def begin(model: ModelArrays, ws: Workspace, q: Vector, v: Vector) -> None:
    """Motion of all bodies at (q, v), and the model's constant loads; wrenches may then be added."""
    kinematics(model, ws, q, v)
    apply_loads(model, ws, q, v)
    apply_struts(model, ws, q, v)


@entry_point
def add_wrench(model: ModelArrays, ws: Workspace, marker: int, axes: int, q: Vector, v: Vector, wrench: Vector) -> None:
    """Adds (moment, force) at a marker, in the axes of marker `axes` (-1: world's), after `begin`."""
    apply_marker_wrench(model, ws, marker, axes, q, v, wrench_at(wrench, 0))


@entry_point
def finish_forward(
    model: ModelArrays, ws: Workspace, q: Vector, v: Vector, effort: Vector, latched: Vector, out: Vector
) -> None:
    """Accelerations under `effort` and what acts since `begin`, with friction at `latched`.

    Where ws.known is 1 the acceleration in `out` is given, and ws.supplied gets the effort that it takes.
    """
    solve_forward(model, ws, q, v, effort, latched, out)


@entry_point
def finish_inverse(
    model: ModelArrays, ws: Workspace, q: Vector, v: Vector, acceleration: Vector, latched: Vector, out: Vector
) -> None:
    """Efforts that give `acceleration` against what acts since `begin`, with friction at `latched`."""
    solve_inverse(model, ws, q, v, acceleration, latched, out)


@entry_point
def bias(model: ModelArrays, ws: Workspace, q: Vector, v: Vector, out: Vector) -> None:
    """Efforts (nv,) at zero acceleration: mass_matrix @ acceleration + bias = effort."""
    for k in range(v.size):
        ws.supplied[k] = 0.0
    kinematics(model, ws, q, v)
    apply_struts(model, ws, q, v)
    solve_inverse(model, ws, q, v, ws.supplied, ws.scratch[:0], out)


@entry_point
def mass_matrix(model: ModelArrays, ws: Workspace, q: Vector, out: Matrix) -> None:
    """Mass matrix (nv, nv)."""
    _at_rest(model, ws, q)
    composite_mass_matrix(model, ws, out)


@entry_point
def jacobian(model: ModelArrays, ws: Workspace, marker: int, q: Vector, out: Matrix) -> None:
    """Jacobian (6, nv) of a marker: velocity (angular, linear), world axes, at the marker."""
    _at_rest(model, ws, q)
    marker_jacobian(model, ws, marker, q, ws.supplied, out)


@entry_point
def marker_motion(model: ModelArrays, ws: Workspace, marker: int, q: Vector, v: Vector, out: Vector) -> None:
    """13 numbers of a marker: position, quaternion, angular velocity, velocity; world axes."""
    kinematics(model, ws, q, v)
    marker_state(model, ws, marker, q, v, out, 0)


@entry_point
def acceleration(
    model: ModelArrays, ws: Workspace, marker: int, q: Vector, v: Vector, coordinate_acceleration: Vector, out: Vector
) -> None:
    """Acceleration (angular, linear) of a marker, world axes, from the accelerations of all entries of v."""
    kinematics(model, ws, q, v)
    newton_euler_efforts(model, ws, coordinate_acceleration, ws.effort)
    marker_acceleration(model, ws, marker, q, v, coordinate_acceleration, out)


@entry_point
def body_motion(
    model: ModelArrays, ws: Workspace, i: int, q: Vector, v: Vector, coordinate_acceleration: Vector, out: Vector
) -> None:
    """What a body's own equations ask for, world axes, into out (15 + n,): angular velocity, angular acceleration and
    acceleration of its origin, uniform gravity taken off, as seen from axes that do not turn; then the moment and
    force that an orbit's gravity puts on it, and those on its internal coordinates."""
    kinematics(model, ws, q, v)
    newton_euler_efforts(model, ws, coordinate_acceleration, ws.effort)
    put_value(out, 0, ws.bodies[i].omega)
    put_value(out, 3, ws.bodies[i].acceleration)
    body_attraction(model, ws, i, q, v, out, 9)


@entry_point
def marker_path(model: ModelArrays, ws: Workspace, markers: Integers, q: Matrix, v: Matrix, out: Matrix) -> None:
    """`marker_motion` of each marker for every row of q (nt, nq) and v (nt, nv), into out (nt, 13 each)."""
    for i in range(q.shape[0]):
        kinematics(model, ws, q[i], v[i])
        for k in range(markers.size):
            marker_state(model, ws, markers[k], q[i], v[i], out[i], 13 * k)


@entry_point
def displaced(model: ModelArrays, ws: Workspace, q: Vector, increment: Vector, out: Vector) -> None:
    """q moved by an increment (nv,) of the tangent space."""
    displace(model, q, increment, out)
    displace_without_velocity_scalar(model, ws, q, increment, out)


@kernel
def energies(model, ws, q, v, latched, out):
    """Kinetic, gravity and strain energy [J] of bodies whose motion is known."""
    out[0], out[1] = mechanical_energy(model, ws, v)
    out[2] = passive_energy(model, q, latched) + strain_energy(model, q) + strut_energy(model, ws, q, v)


@entry_point
def energy(model: ModelArrays, ws: Workspace, q: Vector, v: Vector, latched: Vector, out: Vector) -> None:
    """Kinetic, gravity and strain energy [J]."""
    kinematics(model, ws, q, v)
    energies(model, ws, q, v, latched, out)


@kernel
def momentum_at(model, ws, q, v, point, unturning, out):
    """Angular momentum about `point`, then linear momentum, (6,), of motion relative to the world, or to axes through
    its origin that do not turn."""
    kinematics(model, ws, q, v)
    put_value(out, 0, total_momentum(model, ws, v, vector_at(point, 0), unturning))


@kernel
def centre_at(model, ws, q, out):
    """Centre of mass (3,), world axes; returns the total mass [kg]."""
    _at_rest(model, ws, q)
    return mass_centre(model, ws, out)


@entry_point
def momentum(model: ModelArrays, ws: Workspace, q: Vector, v: Vector, point: Vector, out: Vector) -> None:
    """Angular momentum about `point`, then linear momentum, of motion relative to the world, world axes, (6,)."""
    momentum_at(model, ws, q, v, point, False, out)


@entry_point
def unturning_momentum(model: ModelArrays, ws: Workspace, q: Vector, v: Vector, point: Vector, out: Vector) -> None:
    """`momentum` of motion relative to axes through the world's origin that do not turn, in an orbit."""
    momentum_at(model, ws, q, v, point, True, out)


@entry_point
def centre_of_mass(model: ModelArrays, ws: Workspace, q: Vector, out: Vector) -> float:
    """Centre of mass (3,), world axes; returns the total mass [kg]."""
    return centre_at(model, ws, q, out)
