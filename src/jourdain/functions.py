"""The model functions on NumPy arrays. Where they take q they also take a State.

mass_matrix @ acceleration + bias = effort. Bias holds velocity terms, gravity, springs, dampers and stops; forces on
markers, laws among them, and joint friction enter through the State.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from .errors import ModelError
from .pose import Pose
from .values import as_array, suggestion

if TYPE_CHECKING:
    from .model import Model, State


@dataclass(frozen=True)
class Energy:
    """Energies of a state [J]; `energy["total"]` works as `energy.total` does."""

    kinetic: float
    gravity: float
    strain: float
    contact: float

    @property
    def total(self) -> float:
        """kinetic + gravity + strain + contact."""
        return self.kinetic + self.gravity + self.strain + self.contact

    def __getitem__(self, name: str) -> float:
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


def _vector(model: Model, value: Any, what: str, size: int) -> np.ndarray:
    array = as_array(value, what)
    if array.shape != (size,):
        raise ModelError.at(what, f"got shape {array.shape}; this model has {size} entries")
    return np.ascontiguousarray(array)


def _effort(model: Model, value: Any, what: str = "effort") -> np.ndarray:
    """All nv numbers, or a dict from names to numbers, or None for none."""
    if value is None:
        return np.zeros(model.nv)
    if isinstance(value, Mapping):
        out = np.zeros(model.nv)
        for name, number in value.items():
            if name not in model.index.v:
                raise ModelError.at(str(name), f"no such velocity; {suggestion(str(name), model.index.v)}")
            out[model.index.v[name]] = number
        return out
    return _vector(model, value, what, model.nv)


def _q(model: Model, q: Any) -> np.ndarray:
    return _vector(model, getattr(q, "q", q), "q", model.nq)


def _qv(model: Model, state: Any, v: Any = None) -> tuple[np.ndarray, np.ndarray]:
    if v is None:
        if not hasattr(state, "v"):
            raise ModelError.at("state", "give a State, such as model.state(...), or q and v")
        v = state.v
    return _q(model, state), _vector(model, v, "v", model.nv)


def _apply_forces(model: Model, state: State, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Puts the forces at markers into the workspace; returns the friction anchors of the state."""
    from .kernels import functions as kernels

    ws = model.workspace()
    count = len(model.names.z)
    anchors = np.ascontiguousarray(state.z[:count], float)
    at = count
    wrenches = []
    for force in model.law_forces:
        z = np.ascontiguousarray(state.z[at : at + force.law.states], float)
        if len(z) < force.law.states:
            z = np.zeros(force.law.states)
        at += force.law.states
        wrenches.append(force.law.evaluate(model, state.time, q, v, z, 6))
    kernels.begin(model.arrays, ws, q, v)
    for force, wrench in zip(model.law_forces, wrenches, strict=True):
        kernels.add_wrench(model.arrays, ws, force.marker, force.axes, q, v, wrench)
    return anchors


def mass_matrix(model: Model, q: Any) -> np.ndarray:
    """Mass matrix (nv, nv), by composite inertias."""
    from .kernels import functions as kernels

    out = np.empty((model.nv, model.nv))
    kernels.mass_matrix(model.arrays, model.workspace(), _q(model, q), out)
    return out


def bias(model: Model, q: Any, v: Any = None) -> np.ndarray:
    """Efforts (nv,) at zero acceleration: velocity terms, gravity, springs, dampers and stops."""
    from .kernels import functions as kernels

    q, v = _qv(model, q, v)
    out = np.empty(model.nv)
    kernels.bias(model.arrays, model.workspace(), q, v, out)
    return out


def forward_dynamics(model: Model, state: State, effort: Any = None) -> np.ndarray:
    """Accelerations (nv,) of a state under `effort` (nv numbers, a dict, or none), by articulated inertias."""
    return hybrid_dynamics(model, state, effort, {}).acceleration


def hybrid_dynamics(model: Model, state: State, effort: Any = None, acceleration: Any = None) -> HybridResult:
    """Accelerations where efforts are given, and efforts where accelerations are.

    effort          nv numbers, or a dict from names to efforts
    acceleration    a dict from names to prescribed accelerations
    """
    from .kernels import functions as kernels

    q, v = _qv(model, state)
    given = {} if acceleration is None else acceleration
    out = _effort(model, given, "acceleration")
    tau = _effort(model, effort)
    anchors = _apply_forces(model, state, q, v)
    ws = model.workspace()
    ws.known[:] = 0
    for name in given:
        ws.known[model.index.v[name]] = 1
    try:
        kernels.finish_forward(model.arrays, ws, q, v, tau, anchors, out)
    finally:
        ws.known[:] = 0
    return HybridResult(out, ws.supplied.copy())


def inverse_dynamics(model: Model, state: State, acceleration: Any = None) -> np.ndarray:
    """Efforts (nv,) that give a state the accelerations (nv numbers, a dict, or none), by Newton-Euler recursion."""
    from .kernels import functions as kernels

    q, v = _qv(model, state)
    anchors = _apply_forces(model, state, q, v)
    out = np.empty(model.nv)
    kernels.finish_inverse(
        model.arrays, model.workspace(), q, v, _effort(model, acceleration, "acceleration"), anchors, out
    )
    return out


def _motion(model: Model, address: str, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    from .kernels import functions as kernels

    out = np.empty(13)
    kernels.marker_motion(model.arrays, model.workspace(), model.marker(address), q, v, out)
    return out


def pose(model: Model, address: str, q: Any) -> Pose:
    """Pose of a frame in the world."""
    motion = _motion(model, address, _q(model, q), np.zeros(model.nv))
    return Pose(motion[:3], motion[3:7])


def velocity(model: Model, address: str, state: State) -> np.ndarray:
    """Velocity (angular, linear) of a frame, world axes, at the frame [rad/s, m/s]."""
    return _motion(model, address, *_qv(model, state))[7:]


def acceleration(model: Model, address: str, state: State, acceleration: Any = None) -> np.ndarray:
    """Acceleration (angular, linear) of a frame, world axes.

    acceleration    of all entries of v; None for those of forward dynamics without effort
    """
    from .kernels import functions as kernels

    q, v = _qv(model, state)
    given = forward_dynamics(model, state) if acceleration is None else _effort(model, acceleration)
    out = np.empty(6)
    kernels.acceleration(model.arrays, model.workspace(), model.marker(address), q, v, given, out)
    return out


def jacobian(model: Model, address: str, q: Any) -> np.ndarray:
    """Jacobian (6, nv) of a frame: its velocity (angular, linear), world axes, is jacobian @ v."""
    from .kernels import functions as kernels

    out = np.empty((6, model.nv))
    kernels.jacobian(model.arrays, model.workspace(), model.marker(address), _q(model, q), out)
    return out


def energy(model: Model, state: State) -> Energy:
    """Kinetic, gravity (zero at the world's origin), strain (springs included) and contact energy [J]."""
    from .kernels import functions as kernels

    q, v = _qv(model, state)
    out = np.zeros(4)
    anchors = np.ascontiguousarray(state.z[: len(model.names.z)], float)
    kernels.energy(model.arrays, model.workspace(), q, v, anchors, out)
    return Energy(*out.tolist())


def momentum(model: Model, state: State, about: Any = (0.0, 0.0, 0.0)) -> Momentum:
    """Angular momentum about a point of the world and linear momentum, world axes."""
    from .kernels import functions as kernels

    q, v = _qv(model, state)
    out = np.empty(6)
    kernels.momentum(model.arrays, model.workspace(), q, v, _vector(model, about, "about", 3), out)
    return Momentum(out[:3], out[3:])


def centre_of_mass(model: Model, q: Any) -> np.ndarray:
    """Centre of mass of the whole system (3,), world axes [m]."""
    from .kernels import functions as kernels

    out = np.empty(3)
    kernels.centre_of_mass(model.arrays, model.workspace(), _q(model, q), out)
    return out


def frame_path(model: Model, address: str, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Position, quaternion, angular velocity and velocity of a frame for each row of q and v: (nt, 13)."""
    from .kernels import functions as kernels

    out = np.empty((len(q), 13))
    q, v = np.ascontiguousarray(q, float), np.ascontiguousarray(v, float)
    kernels.marker_path(model.arrays, model.workspace(), model.marker(address), q, v, out)
    return out


def frequencies(model: Model, state: State, hold: tuple[str, ...] = ()) -> Any:
    """Natural frequencies; they come with flexible bodies."""
    raise ModelError.at("frequencies", "natural frequencies are not there yet; they come with flexible bodies")


def linearize(model: Model, state: State, effort: Any = None) -> Any:
    """Linearised model; it comes with control."""
    raise ModelError.at("linearize", "linearisation is not there yet; it comes with control")
