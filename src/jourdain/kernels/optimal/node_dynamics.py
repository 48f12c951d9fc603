"""Forward dynamics with first and second derivatives at all nodes of a trajectory in one call (direct collocation)."""

from __future__ import annotations

from typing import Annotated

from ..compiler import entry_point, kernel
from ..derivatives.applied.all_applied import marker_partials
from ..derivatives.derivative_layout import DerivativeScratch
from ..derivatives.dynamics_derivatives import forward_derivatives, inverse_derivatives, minus_weighted
from ..derivatives.hessian import weighted_curvature
from ..model_arrays import ModelArrays, Workspace
from ..signatures import COMPLEX, ComplexVector, Cube, Matrix, Vector
from ..tree.model_functions import forward_state

STEP = 1e-40


@entry_point
def forward_derivative_rows(
    model: ModelArrays, ws: Workspace, sl: DerivativeScratch, t: Vector, q: Matrix, v: Matrix, effort: Matrix,
    latched: Vector, acceleration: Matrix, dq: Cube, dv: Cube, minv: Cube,
) -> None:  # fmt: skip
    """Accelerations (rows, nv) and their derivatives (rows, nv, nv) by displacements, velocities and efforts."""
    for i in range(q.shape[0]):
        ws.ledger.time = t[i]
        forward_derivatives(model, ws, sl, q[i], v[i], effort[i], latched, acceleration[i], dq[i], dv[i], minv[i])


@entry_point
def forward_step_rows(
    model: ModelArrays, ws: Annotated[Workspace, COMPLEX], t: Vector, q: Matrix, v: Matrix, effort: Matrix,
    latched: Vector, moves: Cube, qs: ComplexVector, vs: ComplexVector, es: ComplexVector, out: ComplexVector,
    dq: Cube, dv: Cube, minv: Cube,
) -> None:  # fmt: skip
    """The same derivatives by a complex step of forward dynamics, for models without analytical derivatives.

    ws            a complex workspace
    moves         (rows, nv, nq) change of the coordinates by a unit of each entry of v
    qs, vs, es, out    complex scratch (nq,), (nv,), (nv,), (nv,)
    """
    nq, nv = q.shape[1], v.shape[1]
    for i in range(q.shape[0]):
        ws.ledger.time = t[i]
        for j in range(3 * nv):
            for k in range(nq):
                qs[k] = q[i, k] + 0.0j
            for k in range(nv):
                vs[k] = v[i, k] + 0.0j
                es[k] = effort[i, k] + 0.0j
            # imaginary step along displacement, velocity or effort j
            if j < nv:
                for k in range(nq):
                    qs[k] += STEP * 1j * moves[i, j, k]
            elif j < 2 * nv:
                vs[j - nv] += STEP * 1j
            else:
                es[j - 2 * nv] += STEP * 1j
            forward_state(model, ws, qs, vs, es, latched, out)
            for k in range(nv):
                slope = out[k].imag / STEP
                if j < nv:
                    dq[i, k, j] = slope
                elif j < 2 * nv:
                    dv[i, k, j - nv] = slope
                else:
                    minv[i, k, j - 2 * nv] = slope


@entry_point
def forward_curvature_rows(
    model: ModelArrays, ws: Workspace, sl: DerivativeScratch, t: Vector, q: Matrix, v: Matrix, effort: Matrix,
    latched: Vector, pull: Matrix, acceleration: Matrix, scratch: Matrix, qq: Cube, qv: Cube, qu: Cube, vv: Cube,
) -> None:  # fmt: skip
    """Hessians (rows, nv, nv) of pull . a, a being accelerations: by coordinates twice, by coordinates and velocities,
    by coordinates and efforts, by velocities twice. For models without quaternions.

    Inverse dynamics u = R(q, v, a) differentiated twice, with w = M^-1 pull and M = R_a, gives

        pull . a_xy = -w . (R_xy + R_xa a_y + a_x^T R_ay),

    so that derivatives of R with a and w held constant suffice, and forward dynamics are solved once a row. Those by
    coordinates are central differences of the exact first ones, with a relative error of about 1e-10. R is quadratic in
    the velocities as long as no friction changes between stick and slip, so that one-sided differences are exact but
    for rounding. scratch is (7 + 4 nv, nv). Efforts enter affinely.
    """
    nv = v.shape[1]
    w, low_q, low_v, low_a, high_q, high_v, high_a = (
        scratch[0], scratch[1], scratch[2], scratch[3], scratch[4], scratch[5], scratch[6],
    )  # fmt: skip
    by_q, by_v = scratch[7 : 7 + nv], scratch[7 + nv : 7 + 2 * nv]
    by_u, hessian = scratch[7 + 2 * nv : 7 + 3 * nv], scratch[7 + 3 * nv : 7 + 4 * nv]
    for i in range(q.shape[0]):
        ws.ledger.time = t[i]
        x, u, a = q[i], v[i], acceleration[i]
        forward_derivatives(model, ws, sl, x, u, effort[i], latched, a, by_q, by_v, by_u)
        # w = M^-1 pull, M^-1 being the derivative of a by efforts
        for k in range(nv):
            w[k] = 0.0
            for j in range(nv):
                w[k] += by_u[k, j] * pull[i, j]
        # -w . R_vv: one-sided differences, since R is quadratic in v
        minus_weighted(sl.damping, w, low_v)
        for j in range(nv):
            own = u[j]
            h = 1e-3 * max(1.0, abs(own))
            u[j] = own + h
            inverse_derivatives(model, ws, sl, x, u, a, latched, sl.stiffness, sl.damping, sl.mass)
            minus_weighted(sl.damping, w, high_v)
            u[j] = own
            for k in range(nv):
                vv[i, j, k] = (high_v[k] - low_v[k]) / h
        # -w . R_qq, R_qv and R_qa: central differences
        for j in range(nv):
            at = model.q_index[j]
            own = x[at]
            h = 6e-6 * max(1.0, abs(own))
            x[at] = own - h
            inverse_derivatives(model, ws, sl, x, u, a, latched, sl.stiffness, sl.damping, sl.mass)
            minus_weighted(sl.stiffness, w, low_q)
            minus_weighted(sl.damping, w, low_v)
            minus_weighted(sl.mass, w, low_a)
            x[at] = own + h
            inverse_derivatives(model, ws, sl, x, u, a, latched, sl.stiffness, sl.damping, sl.mass)
            minus_weighted(sl.stiffness, w, high_q)
            minus_weighted(sl.damping, w, high_v)
            minus_weighted(sl.mass, w, high_a)
            x[at] = own
            for k in range(nv):
                qq[i, j, k] = (high_q[k] - low_q[k]) / (2.0 * h)
                qv[i, j, k] = (high_v[k] - low_v[k]) / (2.0 * h)
                hessian[j, k] = (high_a[k] - low_a[k]) / (2.0 * h)
        # the terms R_qa a_y and their transposes
        _through_accelerations(hessian, by_q, by_v, by_u, qq[i], qv[i], qu[i])


@entry_point
def rigid_curvature_rows(
    model: ModelArrays, ws: Workspace, sl: DerivativeScratch, t: Vector, q: Matrix, v: Matrix, latched: Vector,
    pull: Matrix, acceleration: Matrix, by_q: Cube, by_v: Cube, by_u: Cube, weight: Vector, bodies: Matrix,
    entries: Matrix, hessian: Matrix, qq: Cube, qv: Cube, qu: Cube, vv: Cube,
) -> None:  # fmt: skip
    """The same for rigid bodies, in closed form (derivatives/hessian.py), from given accelerations and their
    derivatives.

    weight is (nv,), bend (nv, nv); bodies and entries are scratch of `weighted_curvature`.
    """
    for i in range(q.shape[0]):
        ws.ledger.time = t[i]
        inverse_derivatives(model, ws, sl, q[i], v[i], acceleration[i], latched, sl.stiffness, sl.damping, sl.mass)
        for k in range(weight.size):
            weight[k] = 0.0
            for j in range(weight.size):
                weight[k] += by_u[i, k, j] * pull[i, j]
        weighted_curvature(model, ws, sl, weight, bodies, entries, qq[i], qv[i], hessian, vv[i])
        _through_accelerations(hessian, by_q[i], by_v[i], by_u[i], qq[i], qv[i], qu[i])


@kernel
def _through_accelerations(hessian, by_q, by_v, by_u, qq, qv, qu):
    """Adds the products of -w . R_qa, which is `hessian`, with the derivatives of accelerations; qu is that alone."""
    for j in range(qq.shape[0]):
        for k in range(qq.shape[0]):
            qu[j, k] = 0.0
            for n in range(qq.shape[0]):
                change = hessian[j, n] * by_q[n, k]
                qq[j, k] += change
                qq[k, j] += change
                qv[j, k] += hessian[j, n] * by_v[n, k]
                qu[j, k] += hessian[j, n] * by_u[n, k]


@entry_point
def marker_jacobian_rows(
    model: ModelArrays, ws: Workspace, sl: DerivativeScratch, marker: int, q: Matrix, v: Matrix, out: Cube
) -> None:
    """Derivatives of the velocity (angular, linear) of a marker by displacements (rows, 6, nv)."""
    for i in range(q.shape[0]):
        marker_partials(model, ws, sl, marker, q[i], v[i], out[i])
