"""The model functions on NumPy arrays. Where they take q they also take a State.

mass_matrix @ acceleration + bias = effort. Bias holds velocity terms, gravity, springs, dampers and stops; forces on
markers, laws among them, and joint friction enter through the State.

Many states at once, `model.states(q, v)` or where only q is needed an array (N, nq), give arrays whose first dimension
is N: one compiled loop over the rows, on all cores (`jourdain.model.batch`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, overload

import numpy as np
from numpy.typing import ArrayLike

from ..basics.errors import ModelError
from ..basics.pose import Pose
from ..basics.types import ByName, Configuration, OneOrManyStates, VectorLike
from ..basics.values import as_array, shown, suggestion
from .batch import Poses, States, applied_rows, entries, several, taken, tree_rows
from .contact_states import STORED, apply_contacts, touching
from .kernel_calls import call, checked_efforts, checked_q, checked_qv, checked_vector, model_functions
from .law_forces import laws_before

if TYPE_CHECKING:
    from .model import Model
    from .state import State


@dataclass(frozen=True)
class Energy:
    """Energies of a state [J], of many states (N,); `energy["total"]` works as `energy.total` does."""

    kinetic: Any
    gravity: Any
    strain: Any
    contact: Any

    @property
    def total(self) -> Any:
        """kinetic + gravity + strain + contact."""
        return self.kinetic + self.gravity + self.strain + self.contact

    def __getitem__(self, name: str) -> Any:
        if name not in ("kinetic", "gravity", "strain", "contact", "total"):
            raise KeyError(f"{name}: energies are kinetic, gravity, strain, contact, total")
        return getattr(self, name)


class Momentum(NamedTuple):
    """Angular momentum about the point asked for [kg m^2/s] and linear momentum [kg m/s], world axes."""

    angular: np.ndarray
    linear: np.ndarray


class HybridResult(NamedTuple):
    """Accelerations (nv,), and the efforts (nv,): given where the acceleration was free, found where it was given."""

    acceleration: np.ndarray
    effort: np.ndarray


def dynamics_under_forces(
    model: Model, state: Any, what: str, q: np.ndarray, v: np.ndarray, *arrays: np.ndarray
) -> None:
    """Solves "forward" or "inverse" dynamics under the forces at markers and the friction of a state."""
    kernels, forward = model_functions(), what == "forward"
    _touchable(model, state)
    latched = np.ascontiguousarray(state.z[: model.latched], float)
    given, out = arrays
    if not model.law_forces and not model.contacts.names:
        call(kernels.forward_state if forward else kernels.inverse_state, model, q, v, given, latched, out)
        return
    from ..kernels.tree.line_loads import add_along, line_emf

    contact_wrenches = None
    if model.contacts.names:
        contact_wrenches = touching(model, q[None], v[None], state.z[None])[0, :, :6]
    found = laws_before(model, q, v, state.z, contact_wrenches)
    call(kernels.begin, model, q, v)
    if model.contacts.names:
        apply_contacts(model, q, v, state.z)
    for force, z, s in found:
        emf = [call(line_emf, model, q, v, force.line)] if force.law.more else []
        wrench = force.law.speak(state.time, q, v, z, np.append(s, emf), 6)[0]
        add, where = (kernels.add_wrench, force.marker) if force.line is None else (add_along, force.line)
        call(add, model, where, force.axes, q, v, wrench)
    call(kernels.finish_forward if forward else kernels.finish_inverse, model, q, v, given, latched, out)


def _touchable(model: Model, state: Any) -> None:
    """Refuses a state that lacks what contacts remember, which compiled code would read past its end."""
    needed = len(model.names.z)
    if model.contacts.names and np.size(state.z) < needed:
        raise ModelError.at(
            "z", f"the state has shape {np.shape(state.z)}, its contacts need ({needed},); make it by model.state(q, v)"
        )


def mass_matrix(model: Model, q: Configuration) -> np.ndarray:
    """Mass matrix (nv, nv), by composite inertias; of many states (N, nv, nv)."""
    if several(q):
        from ..kernels.tree.batch import mass_matrix_rows

        rows = taken(model, q, only="q")
        many = np.empty((len(rows), model.nv, model.nv))
        tree_rows(model, mass_matrix_rows, len(rows), lambda a, b: (rows.q[a:b], many[a:b]))
        return many
    out = np.empty((model.nv, model.nv))
    call(model_functions().mass_matrix, model, checked_q(model, q), out)
    return out


def bias(model: Model, q: Configuration, v: ArrayLike | None = None) -> np.ndarray:
    """Efforts (nv,) at zero acceleration: velocity terms, gravity, springs, dampers, stops; of many states (N, nv)."""
    if several(q):
        from ..kernels.tree.batch import bias_rows

        rows = taken(model, q, v)
        many = np.empty((len(rows), model.nv))
        tree_rows(model, bias_rows, len(rows), lambda a, b: (rows.time[a:b], rows.q[a:b], rows.v[a:b], many[a:b]))
        return many
    q, v = checked_qv(model, q, v)
    out = np.empty(model.nv)
    call(model_functions().bias, model, q, v, out)
    return out


def forward_dynamics(model: Model, state: OneOrManyStates, effort: ByName | None = None) -> np.ndarray:
    """Accelerations (nv,) of a state under `effort` (nv numbers, a dict, or none), by articulated inertias.

    Of many states (N, nv); then `effort` is (N, nv), (nv,) for all, or a dict of columns.
    """
    return hybrid_dynamics(model, state, effort, {}).acceleration


def hybrid_dynamics(
    model: Model, state: OneOrManyStates, effort: ByName | None = None, acceleration: ByName | None = None
) -> HybridResult:
    """Accelerations where efforts are given, and efforts where accelerations are.

    effort          nv numbers, or a dict from names to efforts; of many states as in `forward_dynamics`
    acceleration    a dict from names to prescribed accelerations
    """
    given = {} if acceleration is None else acceleration
    if not isinstance(given, Mapping):
        raise ModelError.at("acceleration", f"got {type(given).__name__}; give a dict from names to accelerations")
    if several(state):
        return _hybrid_rows(model, taken(model, state), effort, given)
    q, v = checked_qv(model, state)
    out = checked_efforts(model, given, "acceleration")
    tau = checked_efforts(model, effort)
    ws = model.workspace()
    ws.known[:] = 0
    for name in given:
        ws.known[model.index.v[name]] = 1
    try:
        dynamics_under_forces(model, state, "forward", q, v, tau, out)
    finally:
        ws.known[:] = 0
    return HybridResult(out, ws.supplied.copy())


def _hybrid_rows(model: Model, rows: States, effort: Any, given: Mapping[str, Any]) -> HybridResult:
    from ..kernels.tree.batch import forward_rows

    out = entries(model, given, len(rows), "acceleration")
    tau, supplied = entries(model, effort, len(rows), "effort"), np.empty((len(rows), model.nv))
    known = [model.index.v[name] for name in given]
    applied_rows(model, forward_rows, rows, lambda a, b: (tau[a:b], out[a:b], supplied[a:b]), known)
    return HybridResult(out, supplied)


def inverse_dynamics(model: Model, state: OneOrManyStates, acceleration: ByName | None = None) -> np.ndarray:
    """Efforts (nv,) that give a state the accelerations (nv numbers, a dict, or none), by Newton-Euler recursion.

    Of many states (N, nv); then `acceleration` is (N, nv), (nv,) for all, or a dict of columns.
    """

    if several(state):
        from ..kernels.tree.batch import inverse_rows

        rows = taken(model, state)
        wanted, many = entries(model, acceleration, len(rows), "acceleration"), np.empty((len(rows), model.nv))
        applied_rows(model, inverse_rows, rows, lambda a, b: (wanted[a:b], many[a:b]))
        return many
    q, v = checked_qv(model, state)
    out = np.empty(model.nv)
    dynamics_under_forces(model, state, "inverse", q, v, checked_efforts(model, acceleration, "acceleration"), out)
    return out


def _motion(model: Model, address: str, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    out = np.empty(13)
    call(model_functions().marker_motion, model, model.marker(address), q, v, out)
    return out


def _motion_rows(model: Model, address: str, rows: States) -> np.ndarray:
    out, marker = np.empty((len(rows), 13)), np.array([model.marker(address)])
    tree_rows(
        model, model_functions().marker_path, len(rows), lambda a, b: (marker, rows.q[a:b], rows.v[a:b], out[a:b])
    )
    return out


@overload
def pose(model: Model, address: str, q: States | Sequence[State]) -> Poses: ...
@overload
def pose(model: Model, address: str, q: State | ArrayLike) -> Pose: ...
def pose(model: Model, address: str, q: Configuration) -> Pose | Poses:
    """Pose of a frame in the world; of many states `Poses`, position (N, 3) and quaternion (N, 4)."""
    if several(q):
        motion = _motion_rows(model, address, taken(model, q, only="q"))
        return Poses(motion[:, :3].copy(), motion[:, 3:7].copy())
    motion = _motion(model, address, checked_q(model, q), np.zeros(model.nv))
    return Pose(motion[:3], motion[3:7])


def velocity(model: Model, address: str, state: OneOrManyStates) -> np.ndarray:
    """Velocity (angular, linear) of a frame, world axes, at the frame [rad/s, m/s]; of many states (N, 6)."""
    if several(state):
        return _motion_rows(model, address, taken(model, state))[:, 7:].copy()
    return _motion(model, address, *checked_qv(model, state))[7:]


def acceleration(model: Model, address: str, state: OneOrManyStates, acceleration: ByName | None = None) -> np.ndarray:
    """Acceleration (angular, linear) of a frame, relative to the world, world axes; of many states (N, 6).

    acceleration    of all entries of v; None for those of forward dynamics without effort
    """
    if several(state):
        from ..kernels.tree.batch import acceleration_rows

        rows, marker = taken(model, state), model.marker(address)
        none = acceleration is None
        wanted = forward_dynamics(model, rows) if none else entries(model, acceleration, len(rows), "acceleration")
        many = np.empty((len(rows), 6))

        def part(a: int, b: int) -> tuple[Any, ...]:
            return marker, rows.time[a:b], rows.q[a:b], rows.v[a:b], wanted[a:b], many[a:b]

        tree_rows(model, acceleration_rows, len(rows), part)
        return many
    q, v = checked_qv(model, state)
    given = (
        forward_dynamics(model, state) if acceleration is None else checked_efforts(model, acceleration, "acceleration")
    )
    out = np.empty(6)
    call(model_functions().acceleration, model, model.marker(address), q, v, given, out)
    return out


def bias_acceleration(model: Model, address: str, state: OneOrManyStates) -> np.ndarray:
    """Acceleration (angular, linear) of a frame where no entry of v accelerates, relative to the world, world axes.

    The rate of the Jacobian times v: acceleration = jacobian @ dv/dt + bias_acceleration.
    """
    return acceleration(model, address, state, np.zeros(model.nv))


def body_motion(model: Model, name: str, state: State, acceleration: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Motion of a body's frame and what an orbit's gravity does to it, for the body's own equations, world axes.

    Returns (3, 3): angular velocity, angular acceleration and acceleration of the origin, uniform gravity taken off, as
    seen from axes that do not turn; and (6 + n,): moment, force and forces on the internal coordinates.
    """
    if name not in model.bodies:
        raise ModelError.at("name", f"there is no body {shown(name)}; {suggestion(str(name), model.bodies)}")
    row = model.bodies.index(name) + 1
    q, v = checked_qv(model, state)
    out = np.zeros(15 + sum(owner == name for owner in model.owners))
    call(
        model_functions().body_motion,
        model,
        row,
        q,
        v,
        checked_vector(model, acceleration, "acceleration", model.nv),
        out,
    )
    return out[:9].reshape(3, 3), out[9:]


def jacobian(model: Model, address: str, q: Configuration) -> np.ndarray:
    """Jacobian (6, nv) of a frame: its velocity (angular, linear), world axes, is jacobian @ v.

    Of many states (N, 6, nv).
    """
    if several(q):
        from ..kernels.tree.batch import jacobian_rows

        rows, marker = taken(model, q, only="q"), model.marker(address)
        many = np.empty((len(rows), 6, model.nv))
        tree_rows(model, jacobian_rows, len(rows), lambda a, b: (marker, rows.q[a:b], many[a:b]))
        return many
    out = np.empty((6, model.nv))
    call(model_functions().jacobian, model, model.marker(address), checked_q(model, q), out)
    return out


def energy(model: Model, state: OneOrManyStates) -> Energy:
    """Kinetic, gravity (zero at the world's origin), strain (springs included) and contact energy [J].

    In an orbit, kinetic energy is that of velocities relative to the orbital frame, and gravity includes the potential
    of the centrifugal force. Of many states each is (N,).
    """
    if several(state):
        from ..kernels.tree.batch import energy_rows

        rows = taken(model, state)
        many = np.empty((len(rows), 4))
        applied_rows(model, energy_rows, rows, lambda a, b: (many[a:b],), laws=False)
        return Energy(*many.T.copy())
    q, v = checked_qv(model, state)
    _touchable(model, state)
    out = np.zeros(4)
    z: np.ndarray = state.z  # type: ignore[union-attr]  # lists are several
    call(model_functions().energy, model, q, v, np.ascontiguousarray(z[: model.latched], float), out)
    if model.contacts.names:
        out[3] = touching(model, q[None], v[None], z[None])[0, :, STORED].sum()
    return Energy(*out.tolist())


def momentum(
    model: Model, state: OneOrManyStates, about: VectorLike = (0.0, 0.0, 0.0), unturning: bool = False
) -> Momentum:
    """Angular momentum about a point of the world and linear momentum, world axes; of many states (N, 3) each.

    about        the point, (3,) [m]
    unturning    in an orbit: of motion relative to axes through the origin of the orbital frame that do not turn with
                 it, whose angular momentum gravity's torque changes; otherwise of motion relative to the frame
    """

    if several(state):
        from ..kernels.tree.batch import momentum_rows

        rows, point = taken(model, state), checked_vector(model, about, "about", 3)
        many = np.empty((len(rows), 6))

        def part(a: int, b: int) -> tuple[Any, ...]:
            return int(unturning), rows.time[a:b], rows.q[a:b], rows.v[a:b], point, many[a:b]

        tree_rows(model, momentum_rows, len(rows), part)
        return Momentum(many[:, :3].copy(), many[:, 3:].copy())
    q, v = checked_qv(model, state)
    out = np.empty(6)
    kernel = model_functions().unturning_momentum if unturning else model_functions().momentum
    call(kernel, model, q, v, checked_vector(model, about, "about", 3), out)
    return Momentum(out[:3], out[3:])


def centre_of_mass(model: Model, q: Configuration) -> np.ndarray:
    """Centre of mass of the whole system (3,), world axes [m]; of many states (N, 3)."""
    if several(q):
        from ..kernels.tree.batch import centre_rows

        rows = taken(model, q, only="q")
        many = np.empty((len(rows), 3))
        tree_rows(model, centre_rows, len(rows), lambda a, b: (rows.q[a:b], many[a:b]))
        return many
    out = np.empty(3)
    call(model_functions().centre_of_mass, model, checked_q(model, q), out)
    return out


def frame_path(model: Model, address: str | int | Sequence[str], q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Position, quaternion, angular velocity and velocity of a frame for each row of q and v: (nt, 13); of a list of
    frames (nt, frames, 13), at the cost of one walk through the tree a row."""
    q, v = (np.ascontiguousarray(as_array(one, what)) for one, what in ((q, "q"), (v, "v")))
    for what, one, size in (("q", q, model.nq), ("v", v, model.nv)):
        if one.ndim != 2 or one.shape[1] != size or len(one) != len(q):
            raise ModelError.at(what, f"got shape {one.shape}; give a row of {size} entries for each time")
    many = isinstance(address, Sequence) and not isinstance(address, str)
    wanted: list[Any] = list(address) if many else [address]  # type: ignore[arg-type]
    markers = np.array([model.marker(where) for where in wanted], dtype=np.int64)
    out = np.empty((len(q), 13 * len(markers)))
    call(model_functions().marker_path, model, markers, q, v, out)
    return out.reshape(len(q), len(markers), 13) if many else out


def frame_reader(model: Model, address: str | int) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """A function of q and v that gives those 13 numbers of a frame, into the same array every time and without looking
    at its arguments: for real-time loops."""
    from ..kernels.model_arrays import workspace

    motion = model_functions().marker_motion.ready(model.features).python
    arrays, ws, marker, out = model.arrays, workspace(model.arrays), model.marker(address), np.empty(13)

    def read(q: np.ndarray, v: np.ndarray) -> np.ndarray:
        motion(arrays, ws, marker, q, v, out)
        return out

    return read
