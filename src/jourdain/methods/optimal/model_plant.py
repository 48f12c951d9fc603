"""A model as a plant: states (q, v), inputs the efforts that actuators give.

Rates are dq/dt = E(q) v and forward dynamics; derivatives those of the compiled recursion, or of a complex step where a
model has no formulas, at all nodes in one call. Quaternions are four states each, whose rate is half their product
with the angular velocity, so that their length stays what it is. All functions take them divided by their length, and
the derivative along it is zero: dx = 4 E^T dq / |q|.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ...basics.errors import ModelError
from ...kernels.derivatives.hessian import WeighedBody, WeighedEntry
from ...model.derivatives import analytical
from ...model.kernel_calls import derivative_scratch
from ...model.selection import entries, joint_entries, motors
from .plants import Nodes, Plant, PlantQuantity

if TYPE_CHECKING:
    from ...model.model import Model
    from ...model.state import State


class ModelPlant(Plant):
    """A model without laws and loops; contacts for methods that shoot.

    model     of the mechanism
    state     whose internal values (anchors of friction) are kept
    actuated    entries of v on which efforts act
    """

    parameters: tuple[str, ...] = ()
    _known: Any = None  # nodes at which derivatives were taken last, and these: curvature is asked for at the same

    def __init__(self, model: Model, state: State, inputs: Iterable[str] | None = None) -> None:
        self.model, self.state, self.name = model, state, model.name
        _refused(model)
        self.actuated = actuated(model, inputs)
        self.states = (*model.names.q, *(f"v:{name}" for name in model.names.v))
        self.inputs = tuple(f"effort:{model.names.v[k]}" for k in self.actuated)
        self.latched = np.ascontiguousarray(state.z[: model.latched], float)

    @property
    def plain(self) -> bool:
        """Whether it is the model alone: efforts for inputs, no parameters among the unknowns."""
        own = ("rates", "partials", "split")
        return not self.parameters and all(getattr(type(self), one) is getattr(ModelPlant, one) for one in own)

    @cached_property
    def begun(self) -> np.ndarray:
        """Latched values as a run begins with them: contacts that touch have latched."""
        latched = self.latched.copy()
        if self.model.contacts.names:
            from ...model.contact_start import begin_contacts

            own = len(self.model.names.z) - self.model.latched
            begin_contacts(self.model, self.state.q.copy(), self.state.v.copy(), np.zeros(own + 2), latched)
        return latched

    @cached_property
    def turning(self) -> bool:
        """Whether quaternions are among the coordinates."""
        return len(self.model.arrays.rotations) > 0

    @property
    def pattern(self) -> np.ndarray:
        nq, nv, nu = self.model.nq, self.model.nv, len(self.actuated)
        out = np.ones((nq + nv, nq + nv + nu), bool)
        out[:nq] = False
        for k, j in enumerate(self.model.arrays.q_index):
            if j >= 0:
                out[j, nq + k] = True
        for j, k, free in self.model.arrays.rotations.array:
            size = 4 + 3 * free
            out[j : j + size, j + 3 * free : j + size] = True
            out[j : j + size, nq + k : nq + k + 3 + 3 * free] = True
        return out

    @property
    def curved(self) -> list[int]:
        """Efforts enter affinely, and their products with states are seen from the states."""
        return list(range(len(self.states)))

    @property
    def bent(self) -> np.ndarray:
        """Efforts are multiplied by functions of coordinates alone."""
        out, nq, nx = super().bent, self.model.nq, len(self.states)
        if self.plain:
            out[nq:nx, nx:] = out[nx:, nq:nx] = False
        return out

    def split(self, nodes: Nodes) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Coordinates with quaternions of length one, velocities, efforts on all entries: (n, nq), (n, nv), (n, nv)."""
        nq = self.model.nq
        q, v = nodes.X[:, :nq].copy(), np.ascontiguousarray(nodes.X[:, nq:])
        for j in self.model.quaternions:
            q[:, j : j + 4] /= np.linalg.norm(q[:, j : j + 4], axis=1)[:, None]
        effort = np.zeros((len(q), self.model.nv))
        effort[:, self.actuated] = nodes.U
        return q, v, effort

    def rates(self, nodes: Nodes) -> np.ndarray:
        q, v, effort = self.split(nodes)
        return np.concatenate(
            [self.coordinate_rates(nodes.X[:, : self.model.nq], q, v), self.accelerations(nodes.t, q, v, effort)],
            axis=1,
        )

    def accelerations(self, t: np.ndarray, q: np.ndarray, v: np.ndarray, effort: np.ndarray) -> np.ndarray:
        """Forward dynamics (n, nv)."""
        from ...kernels.tree.batch import forward_rows
        from ...model.batch import AppliedLoads

        model = self.model
        acceleration, supplied = np.empty_like(v), np.empty_like(v)
        applied = getattr(self, "_applied_loads", None)
        if applied is None:
            applied = self._applied_loads = AppliedLoads(model)
        latched = np.tile(self.latched, (len(q), 1))
        z, dz = np.zeros((len(q), 0)), np.zeros(2)
        call = forward_rows.ready(model.features).python
        call(applied.stages, model.arrays, applied.task, applied.p, self.workspace, 0, np.ascontiguousarray(t), q, v, z,
             latched, dz, effort, acceleration, supplied)  # fmt: skip
        return acceleration

    @cached_property
    def workspace(self) -> Any:
        """Scratch of the thread that this plant is evaluated on."""
        from ...kernels.model_arrays import workspace

        return workspace(self.model.arrays)

    def coordinate_rates(self, raw: np.ndarray, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """dq/dt (n, nq); quaternions as they are in `raw`."""
        model = self.model
        out = np.zeros_like(raw)
        for k, j in enumerate(model.arrays.q_index):
            if j >= 0:
                out[:, j] = v[:, k]
        for j, k, free in model.arrays.rotations.array:
            if free:
                R = _matrices(q[:, j + 3 : j + 7])
                out[:, j : j + 3] = np.einsum("nij,nj->ni", R, v[:, k + 3 : k + 6])
            at = j + 3 * free
            out[:, at : at + 4] = np.einsum("nij,nj->ni", _halves(raw[:, at : at + 4]), v[:, k : k + 3])
        return out

    def partials(self, nodes: Nodes) -> tuple[np.ndarray, np.ndarray]:
        model, nq, nv = self.model, self.model.nq, self.model.nv
        q, v, effort = self.split(nodes)
        raw = nodes.X[:, :nq]
        acceleration, by_q, by_v, by_effort = self.forward(nodes.t, q, v, effort)
        n = len(q)
        J = np.zeros((n, nq + nv, nodes.local))
        J[:, nq:, :nq] = by_q @ self.tangent(raw) if self.turning else by_q[:, :, self._entry_of_q]
        J[:, nq:, nq : nq + nv] = by_v
        J[:, nq:, nq + nv : nq + nv + len(self.actuated)] = by_effort[:, :, self.actuated]
        for k, j in enumerate(model.arrays.q_index):
            if j >= 0:
                J[:, j, nq + k] = 1.0
        for j, k, free in model.arrays.rotations.array:
            at = j + 3 * free
            J[:, at : at + 4, nq + k : nq + k + 3] = _halves(raw[:, at : at + 4])
            J[:, at : at + 4, at : at + 4] = _turning(v[:, k : k + 3])
            if free:
                R = _matrices(q[:, at : at + 4])
                J[:, j : j + 3, nq + k + 3 : nq + k + 6] = R
                turned = -R @ _crosses(v[:, k + 3 : k + 6])
                J[:, j : j + 3, at : at + 4] = turned @ self.tangent(raw)[:, k : k + 3, at : at + 4]
        if model.in_orbit:
            h = 1e-3
            J[:, :, -1] = (
                self.rates(nodes.moved(nodes.local - 1, h)) - self.rates(nodes.moved(nodes.local - 1, -h))
            ) / (2.0 * h)
        return np.concatenate([self.coordinate_rates(raw, q, v), acceleration], axis=1), J

    def curvature(self, nodes: Nodes, weights: np.ndarray) -> np.ndarray | None:
        """Compiled, of trees with formulas and without quaternions: dq/dt is linear, and accelerations alone bend."""
        from ...kernels.optimal.node_dynamics import forward_curvature_rows, rigid_curvature_rows

        model, nq, nv = self.model, self.model.nq, self.model.nv
        if self.turning or not analytical(model) or not self.plain:
            return None
        q, v, effort = self.split(nodes)
        n, inputs = len(q), nq + nv + np.arange(len(self.actuated))
        blocks = [np.empty((n, nv, nv)) for _ in range(4)]
        t, pull = np.ascontiguousarray(nodes.t, float), np.ascontiguousarray(weights[:, nq:])
        if self.closed:
            bodies, entries = np.zeros((len(model.arrays.tree), WeighedBody.size)), np.empty((nv, WeighedEntry.size))
            rigid_curvature_rows.ready(model.features).python(
                model.arrays, self.workspace, derivative_scratch(model), t, q, v, self.latched, pull,
                *self.forward(t, q, v, effort), np.empty(nv), bodies, entries, np.empty((nv, nv)), *blocks,
            )  # fmt: skip
        else:
            forward_curvature_rows.ready(model.features).python(
                model.arrays, self.workspace, derivative_scratch(model), t, q, v, effort, self.latched, pull,
                np.empty((n, nv)), np.empty((7 + 4 * nv, nv)), *blocks,
            )  # fmt: skip
        out = np.zeros((n, nodes.local, nodes.local))
        places, speeds = model.arrays.q_index, nq + np.arange(nv)
        for one, two, block in (
            (places, places, 0.5 * (blocks[0] + blocks[0].swapaxes(1, 2))),
            (places, speeds, blocks[1]),
            (places, inputs, blocks[2][:, :, self.actuated]),
            (speeds, speeds, 0.5 * (blocks[3] + blocks[3].swapaxes(1, 2))),
        ):
            out[:, one[:, None], two] = block
            out[:, two[:, None], one] = block.swapaxes(1, 2)
        return out

    @cached_property
    def closed(self) -> bool:
        """Whether rigid bodies alone bend: springs, dampers, drives and friction are linear, or so by parts."""
        arrays = self.model.arrays
        stops = arrays.joint_springs.columns.limit_stiffness > 0.0
        return not (len(arrays.flexible) or len(arrays.constant_loads) or len(arrays.strut_parameters) or stops.any())

    @cached_property
    def _entry_of_q(self) -> np.ndarray:
        """The velocity of each coordinate, where none is a quaternion."""
        return np.argsort(self.model.arrays.q_index)

    def forward(
        self, t: np.ndarray, q: np.ndarray, v: np.ndarray, effort: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Accelerations (n, nv) and their derivatives (n, nv, nv) by displacements, velocities and efforts."""
        from ...kernels.optimal.node_dynamics import forward_derivative_rows, forward_step_rows

        model, n, nv = self.model, len(q), self.model.nv
        t = np.ascontiguousarray(t, float)
        acceleration = np.empty((n, nv))
        out = tuple(np.empty((n, nv, nv)) for _ in range(3))
        if analytical(model):
            known = self._known
            if known is not None and all(np.array_equal(a, b) for a, b in zip(known[0], (t, q, v, effort))):
                return known[1]
            forward_derivative_rows.ready(model.features).python(
                model.arrays, self.workspace, derivative_scratch(model), t, q, v, effort, self.latched, acceleration,
                *out,
            )  # fmt: skip
            self._known = (t, q, v, effort), (acceleration, *out)
            return self._known[1]
        from ...kernels.model_arrays import workspace
        from ...model.derivatives import displacements

        moves = np.stack([displacements(model, one).T for one in q])
        scratch = [np.zeros(k, complex) for k in (model.nq, nv, nv, nv)]
        ws = workspace(model.arrays, np.complex128)
        forward_step_rows.ready(model.features).python(
            model.arrays, ws, t, q, v, effort, self.latched, np.ascontiguousarray(moves), *scratch, *out
        )
        return self.accelerations(t, q, v, effort), *out  # type: ignore[return-value]

    def tangent(self, raw: np.ndarray) -> np.ndarray:
        """Displacements by coordinates (n, nv, nq): dx = tangent dq."""
        model = self.model
        out = np.zeros((len(raw), model.nv, model.nq))
        for k, j in enumerate(model.arrays.q_index):
            if j >= 0:
                out[:, k, j] = 1.0
        for j, k, free in model.arrays.rotations.array:
            at = j + 3 * free
            length = np.linalg.norm(raw[:, at : at + 4], axis=1)[:, None]
            unit = raw[:, at : at + 4] / length
            out[:, k : k + 3, at : at + 4] = 4.0 * _halves(unit).swapaxes(1, 2) / length[:, :, None]
            if free:
                out[:, k + 3 : k + 6, j : j + 3] = _matrices(unit).swapaxes(1, 2)
        return out

    def quantity(self, name: str) -> PlantQuantity:
        from .quantities import model_quantity

        return model_quantity(self, name)


def actuated(model: Model, inputs: Iterable[str] | None) -> list[int]:
    """Entries of v on which efforts act: of a joint with a drive its motor's. None: every joint of one axis."""
    driven = {joint: motor for motor, (joint, _) in motors(model).items()}
    if inputs is None:
        found = [int(k) for k in joint_entries(model) if model.arrays.q_index[k] >= 0]
    else:
        found = entries(model, inputs, "inputs")
    out = list(dict.fromkeys(driven.get(k, k) for k in found))
    if not out:
        raise ModelError.at("inputs", "there are none; name velocities on which efforts act")
    return out


def _refused(model: Model) -> None:
    """What a trajectory by derivatives of the tree alone does not know."""
    from ...model.linear.constrained import constrained

    if constrained(model):
        text = "closes a loop, and trajectories are optimised of trees only; open it, or prescribe the motion"
        raise ModelError.at(model.constraints.names[0], text)
    found = [force.name for force in model.law_forces]
    if found:
        raise ModelError.at(found[0], "forces by laws have no place in optimisation; leave them out of the model")
    if len(model.arrays.paths):
        raise ModelError.at(
            model.name, 'tip_rotation="integrated" has no place in optimisation; take another scheme', "tip_rotation"
        )


def _halves(q: np.ndarray) -> np.ndarray:
    """(n, 4, 3): rate of a quaternion by angular velocity in body axes, half of q times (0, w)."""
    w, x, y, z = q.T
    rows = [[-x, -y, -z], [w, -z, y], [z, w, -x], [-y, x, w]]
    return 0.5 * np.stack([np.stack(row, axis=1) for row in rows], axis=1)


def _turning(w: np.ndarray) -> np.ndarray:
    """(n, 4, 4): the same rate by the quaternion."""
    a, b, c = 0.5 * w.T
    o = np.zeros_like(a)
    rows = [[o, -a, -b, -c], [a, o, c, -b], [b, -c, o, a], [c, b, -a, o]]
    return np.stack([np.stack(row, axis=1) for row in rows], axis=1)


def _crosses(v: np.ndarray) -> np.ndarray:
    """(n, 3, 3): matrices of cross products."""
    x, y, z = v.T
    o = np.zeros_like(x)
    return np.stack([np.stack(row, axis=1) for row in ([o, -z, y], [z, o, -x], [-y, x, o])], axis=1)


def _matrices(q: np.ndarray) -> np.ndarray:
    """(n, 3, 3) of unit quaternions."""
    w, x, y, z = q.T
    rows = [
        [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
        [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
        [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
    ]
    return np.stack([np.stack(row, axis=1) for row in rows], axis=1)
