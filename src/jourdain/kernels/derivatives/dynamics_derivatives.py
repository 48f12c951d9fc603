"""Derivatives of inverse and forward dynamics, for Python and for compiled user code.

Each takes `model.arrays`, a workspace, the scratch `partials(model.arrays)` of derivative_layout.py and arrays.
Springs, dampers, stops, friction at `latched`, drives, struts and the model's constant loads are included. Columns are
displacements of the tangent space.
"""

from __future__ import annotations

from ..compiler import entry_point, kernel, separate_kernel
from ..model_arrays import ModelArrays, Workspace
from ..signatures import Matrix, Vector
from ..tree.articulated import articulated_accelerations
from ..tree.joint_springs import passive_efforts
from ..tree.kinematics import kinematics
from ..tree.markers import apply_loads
from ..tree.newton_euler import newton_euler_efforts
from ..tree.struts import apply_struts
from .applied.struts import strut_partials
from .composite_sums import efforts_inward
from .constant_loads import load_partials
from .derivative_layout import DerivativeScratch
from .joint_spring_derivatives import passive_partials
from .motion_columns import columns_outward
from .spd_inverse import invert, minus_product


@separate_kernel
def _inverse(model, ws, sl, q, v, acceleration, latched, K, C, M):
    # struts are left out of the forces here: `strut_partials` has all of their derivatives
    newton_euler_efforts(model, ws, acceleration, ws.effort)
    for i in range(v.size):
        for j in range(v.size):
            K[i, j] = 0.0
            C[i, j] = 0.0
            M[i, j] = 0.0
    # outward pass, loads, inward pass
    columns_outward(model, ws, sl, q, v, acceleration, K, C, M)
    load_partials(model, ws, sl, q, v, K)
    efforts_inward(model, ws, sl, K, C, M)
    # armature inertia, passive efforts, struts
    for i in range(1, len(model.tree)):
        for k in range(model.tree[i].v, model.tree[i].v + model.tree[i].nv):
            M[k, k] += model.bodies[i].armature
    passive_partials(model, q, v, latched, K, C)
    if len(model.strut_parameters) > 0:
        strut_partials(model, ws, sl, q, v, K, C)


@entry_point
def inverse_derivatives(
    model: ModelArrays, ws: Workspace, sl: DerivativeScratch, q: Vector, v: Vector, acceleration: Vector,
    latched: Vector, dq: Matrix, dv: Matrix, mass: Matrix,
) -> None:  # fmt: skip
    """Derivatives (nv, nv) of inverse dynamics by displacements, velocities and accelerations."""
    kinematics(model, ws, q, v)
    apply_loads(model, ws, q, v)
    _inverse(model, ws, sl, q, v, acceleration, latched, dq, dv, mass)


@kernel
def minus_weighted(A, w, out):
    """out = -w^T A."""
    for j in range(w.size):
        out[j] = 0.0
    for i in range(w.size):
        for j in range(w.size):
            out[j] -= w[i] * A[i, j]


@entry_point
def forward_derivatives(
    model: ModelArrays, ws: Workspace, sl: DerivativeScratch, q: Vector, v: Vector, effort: Vector, latched: Vector,
    acceleration: Vector, dq: Matrix, dv: Matrix, minv: Matrix,
) -> None:  # fmt: skip
    """Accelerations (nv,) of forward dynamics, and their derivatives (nv, nv) by displacements, velocities, efforts."""
    for solved in (False, True):  # the articulated-body algorithm overwrites results of `kinematics`
        kinematics(model, ws, q, v)
        apply_loads(model, ws, q, v)
        if solved:
            _inverse(model, ws, sl, q, v, acceleration, latched, sl.stiffness, sl.damping, sl.mass)
        else:
            apply_struts(model, ws, q, v)
            for k in range(v.size):
                ws.effort[k] = effort[k]
            passive_efforts(model, q, v, latched, ws.effort)
            articulated_accelerations(model, ws, ws.effort, acceleration)
    # M a + h = u differentiated: da = M^-1 (du - K dq - C dv)
    invert(sl.mass, minv)
    minus_product(minv, sl.stiffness, dq)
    minus_product(minv, sl.damping, dv)
