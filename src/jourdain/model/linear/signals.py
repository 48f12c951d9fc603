"""Inputs and outputs of a model by name: what goes in and comes out of a linear model or a block.

Inputs
    "elbow"                      effort on that velocity; the name of a joint means all of its entries
    "payload.origin.fx"          force at an address, world axes; fx fy fz [N], mx my mz [N m]
Outputs
    "elbow", "free.qx"           a coordinate; the name of a joint means all of its entries
    "x:elbow", "x:free.wx"       displacement in the tangent space, as a velocity would make it (linear models only)
    "v:elbow"                    a velocity
    "z:touch.bristle.x"          an integrated state of a contact or a law
    "payload.origin.x"           x y z position, vx vy vz velocity, wx wy wz angular velocity, qw qx qy qz quaternion of
                                 a frame, world axes; rx ry rz rotation from where it was (linear models only)
    "touch.fx"                   fx fy fz force on the first body of a contact, tx ty tz torque on it, world axes
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...basics.errors import ModelError, Problem
from ...basics.values import shown, suggestion
from ..derivatives import analytical, displacements, marker_partials
from ..kernel_calls import call
from ..selection import members
from .differences import by_place

if TYPE_CHECKING:
    from ..model import Model
    from .tangent import Tangent

WRENCH = ("mx", "my", "mz", "fx", "fy", "fz")
MOTION = ("x", "y", "z", "qw", "qx", "qy", "qz", "wx", "wy", "wz", "vx", "vy", "vz")
TURN = ("rx", "ry", "rz")
WRENCH_PARTS = ("fx", "fy", "fz", "tx", "ty", "tz")


class Signal(NamedTuple):
    """One input or output: its name, what it is, of which marker, contact or entry, and which component."""

    name: str
    kind: str
    where: int
    part: int = 0


def listed(names: Any, what: str) -> list[str]:
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise ModelError.at(what, f'got {shown(names)}; give a list of names, such as {what}=["elbow"]')
    return [str(name) for name in names]


def _unique(signals: list[Signal], what: str) -> tuple[Signal, ...]:
    seen: set[str] = set()
    for signal in signals:
        if signal.name in seen:
            raise ModelError.at(signal.name, f"{what}: named twice; name it once")
        seen.add(signal.name)
    return tuple(signals)


def at_address(model: Model, name: str, parts: Sequence[str]) -> tuple[int, int] | None:
    """Marker and component of "address.part"."""
    address, _, part = name.rpartition(".")
    for known in (address, f"{address}.origin"):
        if part in parts and known in model.markers:
            return model.markers[known], parts.index(part)
    return None


def read_inputs(model: Model, names: Any, held: Sequence[int] = ()) -> tuple[Signal, ...]:
    """Inputs by name; None for all efforts but those of the held velocities."""
    if names is None:
        return tuple(Signal(name, "effort", k) for k, name in enumerate(model.names.v) if k not in held)
    out, problems = [], []
    for name in listed(names, "inputs"):
        own = members(model, model.names.v, name)
        found = at_address(model, name, WRENCH)
        if own:
            fixed = [model.names.v[k] for k in own if k in held]
            if fixed:
                problems.append(Problem(fixed[0], "inputs: it is held, so that an effort does nothing; leave it out"))
            out += [Signal(model.names.v[k], "effort", k) for k in own]
        elif found:
            out.append(Signal(name, "wrench", *found))
        else:
            known = [*model.index.v, *(f"{address}.{part}" for address in model.markers for part in WRENCH)]
            problems.append(Problem(name, f"inputs: no such input; {suggestion(name, known)}"))
    if problems:
        raise ModelError(problems)
    return _unique(out, "inputs")


def read_outputs(model: Model, names: Any, states: Sequence[str], linear: bool) -> tuple[Signal, ...]:
    """Outputs by name; `states` are the integrated ones that there are. None: positions and velocities."""
    if names is None:
        start = [f"x:{name}" for name in model.names.v] if linear else list(model.names.q)
        names = [*start, *(f"v:{name}" for name in model.names.v)]
    out, problems = [], []
    for name in listed(names, "outputs"):
        found = _output(model, name, states, linear)
        if found:
            out += found
            continue
        prefixes = ("x:", "v:") if linear else ("v:",)
        known = [*model.names.q, *(f"{p}{v}" for p in prefixes for v in model.names.v), *(f"z:{z}" for z in states)]
        known += [f"{address}.{part}" for address in model.markers for part in (*MOTION, *(TURN if linear else ()))]
        known += [f"{contact}.{part}" for contact in model.contacts.names for part in WRENCH_PARTS]
        problems.append(Problem(name, f"outputs: no such output; {suggestion(name, known)}"))
    if problems:
        raise ModelError(problems)
    return _unique(out, "outputs")


def _output(model: Model, name: str, states: Sequence[str], linear: bool) -> list[Signal]:
    prefix, _, rest = name.partition(":")
    if rest and prefix in ("x", "v") and (linear or prefix == "v"):
        return [Signal(f"{prefix}:{model.names.v[k]}", prefix, k) for k in members(model, model.names.v, rest)]
    if rest and prefix == "z" and rest in states:
        return [Signal(name, "z", list(states).index(rest))]
    own = members(model, model.names.q, name)
    if own:
        return [Signal(model.names.q[j], "q", j) for j in own]
    contact, _, part = name.rpartition(".")
    pairs = len(model.description["contacts"])
    if contact in model.contacts.names[:pairs] and part in WRENCH_PARTS:
        return [Signal(name, "contact_wrench", model.contacts.names.index(contact), WRENCH_PARTS.index(part))]
    found = at_address(model, name, MOTION)
    if found:
        return [Signal(name, "motion", *found)]
    found = at_address(model, name, TURN) if linear else None
    return [Signal(name, "turn", *found)] if found else []


def input_matrix(model: Model, inputs: Sequence[Signal], q: np.ndarray) -> np.ndarray:
    """Generalised forces (nv, inputs) of unit inputs."""
    out = np.zeros((model.nv, len(inputs)))
    for i, signal in enumerate(inputs):
        if signal.kind == "effort":
            out[signal.where, i] = 1.0
        else:
            out[:, i] = _jacobian(model, signal.where, q)[signal.part]
    return out


def output_values(
    model: Model, outputs: Sequence[Signal], q: np.ndarray, v: np.ndarray, z: np.ndarray, contact_wrenches: np.ndarray
) -> np.ndarray:
    """The outputs at a state; displacements and turns are zero there."""
    out = np.zeros(len(outputs))
    motions: dict[int, np.ndarray] = {}
    for i, signal in enumerate(outputs):
        if signal.kind == "motion":
            if signal.where not in motions:
                motions[signal.where] = _motion(model, signal.where, q, v)
            out[i] = motions[signal.where][signal.part]
        elif signal.kind == "contact_wrench":
            out[i] = contact_wrenches[signal.where, signal.part]
        elif signal.kind in ("q", "v", "z"):
            out[i] = {"q": q, "v": v, "z": z}[signal.kind][signal.where]
    return out


def output_matrix(linear: Tangent, outputs: Sequence[Signal]) -> np.ndarray:
    """C: the outputs by displacements, velocities and internal states (outputs, nx + n + nz)."""
    model, point = linear.model, linear.point
    nx, n = len(linear.placed), len(linear.free)
    out = np.zeros((len(outputs), nx + n + len(linear.chosen)))
    turned = displacements(model, point.q)
    frames: dict[int, tuple[np.ndarray, np.ndarray]] = {}

    def put(i: int, by_x: np.ndarray, by_v: np.ndarray) -> None:
        out[i, :nx], out[i, nx : nx + n] = by_x @ linear.X + by_v @ linear.U, by_v @ linear.W

    nothing = np.zeros(model.nv)
    for i, (name, kind, where, part) in enumerate(outputs):
        unit = np.eye(1, model.nv, where)[0] if kind in ("x", "v") else nothing
        if kind in ("x", "v") and not np.any(linear.X[where]) and not np.any(linear.W[where]):
            raise ModelError.at(name, "outputs: it is held and does not move; leave it out")
        if kind == "x":
            put(i, unit, nothing)
        elif kind == "v":
            put(i, nothing, unit)
        elif kind == "z":
            out[i, nx + n + where] = 1.0
        elif kind == "q":
            put(i, turned[where], nothing)
        elif kind == "contact_wrench":
            partials = [one[where, part] for one in linear.wrench_partials]
            out[i] = np.concatenate(partials)
        else:
            if where not in frames:
                frames[where] = _frame_partials(model, where, point.q, point.v)
            by_x, by_v = frames[where]
            row = part if kind == "motion" else 13 + part
            put(i, by_x[row], by_v[row])
    return out


def _frame_partials(model: Model, marker: int, q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Derivatives (16, nv) of the 13 numbers of a frame, and of its turn, by x and by v."""
    J = _jacobian(model, marker, q)
    w, x, y, z = _motion(model, marker, q, v)[3:7]
    # dquaternion = 1/2 (0, turn) quaternion, the turn in world axes
    half = 0.5 * np.array([[-x, -y, -z], [w, z, -y], [-z, w, x], [y, -x, w]])
    by_x, by_v = np.zeros((16, model.nv)), np.zeros((16, model.nv))
    by_x[:3], by_x[3:7], by_x[13:] = J[3:], half @ J[:3], J[:3]
    by_v[7:10], by_v[10:13] = J[:3], J[3:]
    if np.any(v) and analytical(model):
        by_x[7:13] = marker_partials(model, marker, q, v)
    elif np.any(v):
        by_x[7:13] = by_place(model, q, lambda at: _motion(model, marker, at, v)[7:])
    return by_x, by_v


def _jacobian(model: Model, marker: int, q: np.ndarray) -> np.ndarray:
    from ...kernels.tree import model_functions as kernels

    out = np.empty((6, model.nv))
    call(kernels.jacobian, model, marker, q, out)
    return out


def _motion(model: Model, marker: int, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    from ...kernels.tree import model_functions as kernels

    out = np.empty(13)
    call(kernels.marker_motion, model, marker, q, v, out)
    return out


def control_names(names: Sequence[str]) -> list[str]:
    """Names as python-control takes them: no dots and colons."""
    out = [name.replace(".", "_").replace(":", "_") for name in names]
    for name, original in zip(out, names, strict=True):
        if out.count(name) > 1:
            raise ModelError.at(original, f'two signals would be called "{name}" in python-control; rename an element')
    return out


def import_control() -> Any:
    """python-control, or one line that says how to get it."""
    try:
        import control
    except ImportError:
        raise ModelError.at("control", 'python-control is not installed; pip install "jourdain[control]"') from None
    return control
