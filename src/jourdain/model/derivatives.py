"""Partial derivatives of inverse and forward dynamics by coordinates, velocities and efforts.

A change of the coordinates is a displacement x of the tangent space: x_k is what a unit of v_k makes in a unit of time,
for rotations and free joints in the axes of the held side. So are the columns of all matrices here, and

    d effort = K x + C dv + M d acceleration,    d acceleration = M^-1 (d effort - K x - C dv).

`method="analytical"` is the compiled recursion of `kernels/derivatives/dynamics_derivatives.py`; "complex-step" takes
the same
derivatives from the kernels of dynamics themselves, one column at a time, exact to rounding (Squire & Trapp 1998), as a
check.

What acts besides the tree, and constraints, have the compiled slopes of `kernels/derivatives/applied`; linear models
and
implicit methods take the same ones. Which derivatives have formulas is decided there, part by part, and for whole
models in one place here, by `analytical`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..basics.errors import ModelError
from ..basics.types import ByName
from ..basics.values import shown
from .kernel_calls import call_with_derivatives, checked_efforts, checked_qv, derivative_scratch

if TYPE_CHECKING:
    from .model import Model
    from .state import State

METHODS = ("analytical", "complex-step")
WITH_PARTIALS = {"lumped", "modal"}
"""Kinds of bodies with internal coordinates whose derivatives are known by formulas."""
DENSE = 1500
"""Velocities of a model with sparse matrices of which dense ones are still made."""
STEP = 1e-40
"""Imaginary step: its square is nothing beside any number, so that a derivative has no error but rounding."""


class InverseDerivatives(NamedTuple):
    """Derivatives of the efforts of inverse dynamics, (nv, nv) each; column k is a change of entry k.

    dq             by displacements
    dv             by velocities
    mass_matrix    by accelerations
    """

    dq: np.ndarray
    dv: np.ndarray
    mass_matrix: np.ndarray


class ForwardDerivatives(NamedTuple):
    """Derivatives of the accelerations of forward dynamics, (nv, nv) each; column k is a change of entry k.

    dq      by displacements
    dv      by velocities
    minv    by efforts: the inverse of the mass matrix
    """

    dq: np.ndarray
    dv: np.ndarray
    minv: np.ndarray


def inverse_dynamics_derivatives(
    model: Model, state: State, acceleration: ByName | None = None, method: str = "analytical"
) -> InverseDerivatives:
    """Derivatives of `inverse_dynamics` at a state and its accelerations (nv numbers, a dict, or none).

    method    "analytical", or "complex-step" for the slow check

    Gravity, velocity terms, springs, dampers, stops, sticking friction, drives, strain and constant forces are all in
    it. Contacts and forces that are laws have no derivative here: a model with those is linearised as a whole.
    """
    _without_laws(model, "inverse_dynamics_derivatives")
    return InverseDerivatives(*_tree(model, state, checked_efforts(model, acceleration, "acceleration"), method))


def forward_dynamics_derivatives(
    model: Model, state: State, effort: ByName | None = None, method: str = "analytical"
) -> ForwardDerivatives:
    """Derivatives of `forward_dynamics` at a state under efforts (nv numbers, a dict, or none).

    d acceleration = -M^-1 (K x + C dv - d effort), K and C at the acceleration itself. For what counts, and `method`,
    see `inverse_dynamics_derivatives`.
    """
    _without_laws(model, "forward_dynamics_derivatives")
    tau = checked_efforts(model, effort)
    _known_method(method)
    check_dense(model, "derivatives")
    if method == "complex-step" or not analytical(model):
        return ForwardDerivatives(*_complex_step(model, state, tau, "forward"))
    return ForwardDerivatives(*_recursion(model, state, tau, "forward"))


def tree_derivatives(model: Model, state: State, acceleration: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """K, C and the mass matrix (nv, nv) of the tree: derivatives of inverse dynamics without contacts and laws."""
    return _tree(model, state, checked_efforts(model, acceleration, "acceleration"), "analytical")


def _known_method(method: str) -> None:
    if method not in METHODS:
        raise ModelError.at("method", f"got {shown(method)}; allowed are {', '.join(METHODS)}")


def _without_laws(model: Model, what: str) -> None:
    found = [*model.contacts.names, *(force.name for force in model.law_forces)]
    if found:
        raise ModelError.at(
            found[0], f"{what} knows no derivatives of contacts and laws; linearise the model, model.linearize(state)"
        )


def check_dense(model: Model, what: str) -> None:
    """Refuses what makes dense matrices of all coordinates of a solid with sparse ones, where these are many."""
    if "nodal" in model.features and model.nv > DENSE:
        words = f"would make dense matrices of its {model.nv} velocities, and {DENSE} are the most"
        raise ModelError.at(what, f"{words}; give the solid modes= or masters=")


def _tree(
    model: Model, state: State, acceleration: np.ndarray, method: str
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    _known_method(method)
    if method == "complex-step" or not analytical(model):
        return _complex_step(model, state, acceleration, "inverse")
    return _recursion(model, state, acceleration, "inverse")


def analytical(model: Model) -> bool:
    """Whether the recursion of the tree and the slopes of contacts, laws and constraints cover the model.

    They do not where a beam with the tip rotation "none" carries a body (so do all "ruthless" ones): the acceleration
    there then depends on the velocity of the carrier in the world, Damaren & Sharf 1995, eq. 28. Nor do they in an
    orbit, where gravity depends on the pose of every body and velocities are seen from a turning frame, or where
    lengths change and rails run along bodies that deform. Instead a complex step is taken of the tree, differences of
    all else (`linear.differences`), and by implicit methods differences of everything (`difference_jacobian`).
    """
    found = getattr(model.scratch, "analytical", None)
    if found is None:
        from ..kernels.joints.plugin_joints import OWN_COLUMNS
        from ..kernels.kind_registry import BODIES, JOINTS

        without = {"rail", "orbit", "skins", "strands", *BODIES, *(JOINTS[code] for code in OWN_COLUMNS)}
        covered = not model.features & (without - WITH_PARTIALS) and not rotations_neglected(model)
        found = model.scratch.analytical = covered
    return found


def rotations_neglected(model: Model) -> list[str]:
    """Beams with the tip rotation "none" that carry a body: its axes do not follow its angular velocity."""
    from ..kernels.bodies.lumped_layout import LumpedBody
    from ..kernels.bodies.rotation_schemes import NONE
    from ..kernels.kind_registry import LUMPED

    tree, integers = model.arrays.tree, model.arrays.integers
    carriers = [
        p
        for p in sorted(set(tree.columns.parent[1:].tolist()))
        if tree[p].ne > 0 and tree[p].kind == LUMPED and LumpedBody(integers[tree[p].integers :]).scheme == NONE
    ]
    return [model.bodies[p - 1] for p in carriers]


def _recursion(model: Model, state: State, given: np.ndarray, what: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    from ..kernels.derivatives.dynamics_derivatives import forward_derivatives, inverse_derivatives

    q, v = checked_qv(model, state)
    latched = np.ascontiguousarray(state.z[: model.latched], float)
    out = tuple(np.empty((model.nv, model.nv)) for _ in range(3))
    if what == "forward":
        call_with_derivatives(forward_derivatives, model, q, v, given, latched, np.empty(model.nv), *out)
    else:
        call_with_derivatives(inverse_derivatives, model, q, v, given, latched, *out)
    return out  # type: ignore[return-value]


def applied_force_partials(
    model: Model, stages: Any, task: Any, laws: int, point: Any, parameters: np.ndarray, ws: Any
) -> tuple[np.ndarray, np.ndarray, Any]:
    """dQ/dx and dQ/dv (nv, nv) of all that acts besides the tree, and the record `AppliedDerivatives` with all other
    derivatives.

    laws      the first state of a law among the integrated ones, -1 where there are no laws
    point     time, q, v, z and latched values
    ws        a workspace with room for the laws, in which the pairs of piles that are near are listed
    """
    from ..kernels.derivatives.applied.all_applied import applied_partials
    from ..kernels.derivatives.applied.applied_layout import applied

    z = np.concatenate([point.z, np.zeros(2)])
    ap = applied(model.arrays, ws, len(point.z), model.nq, fine=True)
    K, C = np.zeros((model.nv, model.nv)), np.zeros((model.nv, model.nv))
    ws.ledger.time = point.time
    applied_partials.ready(model.features | ({"laws"} if laws >= 0 else set())).python(
        model.arrays, task, stages, point.time, point.q, point.v, z, point.latched, parameters, ws,
        derivative_scratch(model), ap, laws, K, C,
    )  # fmt: skip
    return -K, -C, ap


def row_partials(model: Model, state: State, multipliers: np.ndarray | None = None) -> tuple[np.ndarray, np.ndarray]:
    """d(A^T lambda)/dx (nv, nv) and d(A v + c)/dx (rows, nv) of the constraints, at constant multipliers and v."""
    from ..kernels.derivatives.applied.all_applied import multiplier_partials
    from ..kernels.derivatives.applied.applied_layout import applied

    ws = model.workspace()
    ws.constraint_rows.columns.multiplier[:] = 0.0 if multipliers is None else multipliers
    ap = applied(model.arrays, ws, 0, model.nq, fine=True)
    K, rates = np.zeros((model.nv, model.nv)), np.zeros((len(ws.constraint_rows), model.nv))
    q, v = np.ascontiguousarray(state.q, float), np.ascontiguousarray(state.v, float)
    multiplier_partials.ready(model.features).python(
        model.arrays, state.time, q, v, ws, derivative_scratch(model), ap, K, rates
    )
    return -K, rates


def marker_partials(model: Model, marker: int, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Velocity (angular, linear) of a marker by displacements (6, nv)."""
    from ..kernels.derivatives.applied.all_applied import marker_partials

    out = np.empty((6, model.nv))
    call_with_derivatives(marker_partials, model, marker, q, v, out)
    return out


def displacements(model: Model, q: np.ndarray) -> np.ndarray:
    """What a unit of each entry of v does to the coordinates (nq, nv): dq = displacements @ x."""
    from ..basics.pose import Pose
    from .functions import jacobian, pose

    out = np.zeros((model.nq, model.nv))
    for k, j in enumerate(model.arrays.q_index):
        if j >= 0:
            out[j, k] = 1.0
    for j, k, free in model.arrays.rotations.array:
        at = j + 3 * free
        w, x, y, z = q[at : at + 4]
        out[at : at + 4, k : k + 3] = 0.5 * np.array([[-x, -y, -z], [w, -z, y], [z, w, -x], [-y, x, w]])
        if free:
            out[j : j + 3, k + 3 : k + 6] = Pose(rotation=q[j + 3 : j + 7]).rotation
    for j, body, *_ in model.arrays.paths:
        address = model.names.q[j].removesuffix(".qw")
        axes = pose(model, address.partition(".")[0], q).rotation
        turns = jacobian(model, address, q)[:3]
        node = model.arrays.tree[body]
        for k in range(node.ev, node.ev + node.ne):
            x, y, z = axes.T @ turns[:, k]
            rate = np.array([[0.0, -x, -y, -z], [x, 0.0, -z, y], [y, z, 0.0, -x], [z, -y, x, 0.0]])
            out[j : j + 4, k] = 0.5 * rate @ q[j : j + 4]
    return out


def _complex_step(
    model: Model, state: State, given: np.ndarray, what: str
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Derivatives of "inverse" or "forward" dynamics by displacements, velocities and what is given, step by step."""
    from ..kernels.model_arrays import workspace
    from ..kernels.tree import model_functions as kernels

    q, v = checked_qv(model, state)
    ws = workspace(model.arrays, np.complex128)
    ws.ledger.time = state.time
    run = kernels.forward_state if what == "forward" else kernels.inverse_state
    latched = np.ascontiguousarray(state.z[: model.latched], float)
    out = np.empty(model.nv, complex)
    blocks = []
    for which, directions in enumerate((displacements(model, q), np.eye(model.nv), np.eye(model.nv))):
        block = np.empty((model.nv, model.nv))
        for k in range(model.nv):
            at = [q.astype(complex), v.astype(complex), given.astype(complex)]
            at[which] += 1j * STEP * directions[:, k]
            run(model.arrays, ws, *at, latched, out)
            block[:, k] = out.imag / STEP
        blocks.append(block)
    return tuple(blocks)  # type: ignore[return-value]
