"""`model.to_control`: a model as a block of python-control, its right-hand side compiled.

The state of the block is (q, v, z): coordinates, velocities and the integrated states of contacts and laws, in the
order of `model.names`. Quaternions are states as they are; they are made unit before anything is computed from them, so
that what a solver adds to their length does nothing. The latched values are those of the state that the block was made
with and stay as they are: a solver of python-control accepts no steps. A contact that touches and holds behaves as in a
run; impacts, whose damping depends on the speed of approach, belong to `jd.simulate`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...basics.errors import ModelError
from ...basics.values import as_array
from ..kernel_calls import call
from ..state import State
from .applied_forces import AppliedForces, AppliedModel, Point, tree_accelerations
from .signals import control_names, import_control, input_matrix, output_values, read_inputs, read_outputs

if TYPE_CHECKING:
    from ..model import Model


class _Plant:
    """What the functions of a block compute."""

    def __init__(self, model: Model, inputs: Any, outputs: Any, controller: Any, state: State) -> None:
        self.model = model
        self.applied = AppliedModel(model, controller)
        if model.contacts.piles:
            raise ModelError.at(
                model.contacts.names[-1], "a pile has no fixed list of places that touch; simulate it, jd.simulate"
            )
        groups = [int(j + 3 * free) for j, _, free in model.arrays.rotations.array]
        self.quaternions = (*groups, *(int(j) for j in model.arrays.paths[:, 0]))
        self.latched = self.applied.begin(state).latched
        self.inputs = read_inputs(model, inputs)
        self.outputs = read_outputs(model, outputs, self.applied.names, linear=False)
        self.feels = any(signal.kind == "contact_wrench" for signal in self.outputs)
        self.constant = all(signal.kind == "effort" for signal in self.inputs)
        self.names = (*model.names.q, *(f"v:{name}" for name in model.names.v), *(f"z:{n}" for n in self.applied.names))
        self.matrix = input_matrix(model, self.inputs, model.neutral) if self.constant else None

    def split(self, t: float, x: Any) -> tuple[Point, np.ndarray]:
        """The point with unit quaternions, and the length that every coordinate's quaternion had (nq,)."""
        x = np.asarray(x, float)
        nq, nv = self.model.nq, self.model.nv
        q, lengths = x[:nq].copy(), np.ones(nq)
        for j in self.quaternions:
            lengths[j : j + 4] = np.linalg.norm(q[j : j + 4])
        return Point(float(t), q / lengths, x[nq : nq + nv].copy(), self.latched, x[nq + nv :].copy()), lengths

    def _acting(self, point: Point, params: Mapping[str, Any]) -> AppliedForces:
        given = self._parameters(params)
        rows = self.applied.rows(point, point.q[None], point.v[None], point.z[None], given)
        return AppliedForces(*(array[0] for array in rows))

    def _parameters(self, params: Mapping[str, Any]) -> np.ndarray:
        """Parameters of the laws, some replaced; names that are not those of laws belong to other blocks."""
        laws = self.applied.laws
        out = laws.parameters.copy()
        for piece, law in zip(laws.pieces, laws.bound, strict=True):
            if law.name in params:
                first, end = piece.p
                values = np.atleast_1d(as_array(params[law.name], law.name))
                if values.shape != (end - first,):
                    raise ModelError.at(law.name, f"params has {values.shape} numbers; the law has ({end - first},)")
                out[first:end] = values
        return out

    def update(self, t: float, x: Any, u: Any, params: Mapping[str, Any]) -> np.ndarray:
        """Rates of the state."""
        from ...kernels.tree.batch_right_hand_side import coordinate_rates

        model = self.model
        point, lengths = self.split(t, x)
        acting = self._acting(point, params)
        matrix = self.matrix if self.matrix is not None else input_matrix(model, self.inputs, point.q)
        effort = self._within_limits(matrix @ np.atleast_1d(np.asarray(u, float)), acting.supplied)
        acceleration, _ = tree_accelerations(model, self.applied.state(point), effort + acting.forces)
        rate = np.zeros(model.nq)
        call(coordinate_rates, model, point.q, point.v, rate)
        return np.concatenate([lengths * rate, acceleration, acting.rates])

    def _within_limits(self, effort: np.ndarray, supplied: np.ndarray) -> np.ndarray:
        """Efforts, those on motors cut to what their limits leave beside the controller's."""
        effort = effort.copy()
        for at, drive in zip(self.model.arrays.drive_entries, self.model.arrays.joint_drives, strict=True):
            motor, limit = at.motor_v, drive.torque_limit
            effort[motor] = np.clip(supplied[motor] + effort[motor], -limit, limit) - supplied[motor]
        return effort

    def output(self, t: float, x: Any, u: Any, params: Mapping[str, Any]) -> np.ndarray:
        """The outputs."""
        point, _ = self.split(t, x)
        contact_wrenches = self._acting(point, params).contact_wrenches if self.feels else np.zeros((0, 6))
        return output_values(self.model, self.outputs, point.q, point.v, point.z, contact_wrenches)

    def start(self, state: State) -> np.ndarray:
        """The block's state vector of a State."""
        point = self.applied.begin(state)
        return np.concatenate([point.q, point.v, point.z])

    def state(self, x: Any, time: float = 0.0) -> State:
        """The State of a block's state vector."""
        return self.applied.state(self.split(time, x)[0])


def to_control(
    model: Model,
    inputs: Sequence[str] | None = None,
    outputs: Sequence[str] | None = None,
    controller: Any = None,
    name: str | None = None,
    state: State | None = None,
) -> Any:
    """The model as a `control.NonlinearIOSystem`; see `Model.to_control`.

    Dots and colons in names become underscores: the output "v:elbow" is "v_elbow". `block.start(state)` is the state
    vector of a State, `block.state(x, time)` the State of a vector. `params={"brake": (5.0,)}` replaces the parameters
    of a law inside the block. The limit of a motor cuts the sum of what the law inside and the input ask of it.
    """
    control = import_control()
    plant = _Plant(model, inputs, outputs, controller, model.state() if state is None else state)
    if name is not None and (not isinstance(name, str) or not name or "." in name):
        raise ModelError.at("name", f"got {name!r}; give text without dots")
    block = control.nlsys(
        plant.update,
        plant.output,
        name=name or model.name.replace(".", "_"),
        states=control_names(plant.names),
        inputs=control_names([signal.name for signal in plant.inputs]),
        outputs=control_names([signal.name for signal in plant.outputs]),
    )
    block.start, block.state = plant.start, plant.state
    return block
