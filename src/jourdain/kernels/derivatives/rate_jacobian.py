"""Jacobian of the whole right-hand side of a run by coordinates, velocities, states and efforts.

With M a + h(q, v) = effort + Q(t, q, v, z) and dz/dt = g(t, q, v, z), K and C of the tree less those of all applied
forces (applied/all_applied.py), and x the displacement that a change of the coordinates is,

    d(dv/dt) = M^-1 (-K x - C dv + Q_z dz + d effort),    d(dz/dt) = g_x x + g_v dv + g_z dz.

Coordinates are those of a state, quaternions among them. Rates use the normalised quaternion
(integrate/external_integration.py), so that a change along itself has no effect, and x = 2 W^T dp for the others, W
being the matrix of dp/dt = W omega / 2.
"""

from __future__ import annotations

from math import sqrt

from ..algebra import Vec3, cross, rotation_matrix
from ..compiler import entry_point, kernel, outlined_kernel
from ..flat_arrays import add_value, put_value, quaternion_at, vector_at
from ..linalg.small_dense import cholesky, cholesky_solve
from ..model_arrays import ModelArrays, RunTables, Workspace
from ..signatures import Integers, Matrix, Vector
from ..stage_functions import StageFunctions
from ..tree.model_functions import jacobian, marker_motion
from .applied.all_applied import applied_partials, marker_partials
from .applied.applied_layout import AppliedDerivatives
from .derivative_layout import DerivativeScratch
from .dynamics_derivatives import inverse_derivatives

MOTION = 13
"""Numbers of the motion of a marker: position, quaternion, angular velocity, velocity."""


@kernel
def turning(q, j):
    """W, four rows: dp/dt = W omega / 2 of the quaternion at q[j], omega in the axes of the body."""
    w, x, y, z = q[j], q[j + 1], q[j + 2], q[j + 3]
    return (-x, -y, -z), (w, -z, y), (z, w, -x), (-y, x, w)


@outlined_kernel
def by_coordinates(model, q, a, factor, out):
    """Chain rule: adds to `out` (nq,) the derivative by coordinates, factor a (nv,) being that by displacements."""
    for k in range(a.size):
        if model.q_index[k] >= 0:
            out[model.q_index[k]] += factor * a[k]
    for g in range(len(model.rotations)):
        group = model.rotations[g]
        j, k = group.q, group.v
        if group.free:
            add_value(out, j, factor * (rotation_matrix(quaternion_at(q, j + 3)) @ vector_at(a, k + 3)))
            j += 3
        W = turning(q, j)
        for c in range(4):
            for i in range(3):
                out[j + c] += 2.0 * factor * W[c][i] * a[k + i]


@outlined_kernel
def coordinate_rate_partials(model, q, v, J):
    """Rows of dq/dt: derivatives by coordinates and by velocities."""
    nq = q.size
    for k in range(v.size):
        if model.q_index[k] >= 0:
            J[model.q_index[k], nq + k] = 1.0
    for g in range(len(model.rotations)):
        group = model.rotations[g]
        j, k, at = group.q, group.v, group.q + (3 if group.free else 0)
        W = turning(q, at)
        if group.free:  # d(R v) = R (x x v), x = 2 W^T dp
            R, u = rotation_matrix(quaternion_at(q, at)), vector_at(v, k + 3)
            put_value(J[j], nq + k + 3, R.x_row)
            put_value(J[j + 1], nq + k + 3, R.y_row)
            put_value(J[j + 2], nq + k + 3, R.z_row)
            for n in range(4):
                by = R @ cross(2.0 * Vec3(W[n][0], W[n][1], W[n][2]), u)
                J[j, at + n], J[j + 1, at + n], J[j + 2, at + n] = by.x, by.y, by.z
        # quaternion: p' = W(p) omega / 2 = L(omega) p, projected across p
        a, b, c = 0.5 * v[k], 0.5 * v[k + 1], 0.5 * v[k + 2]
        L = ((0.0, -a, -b, -c), (a, 0.0, c, -b), (b, -c, 0.0, a), (c, b, -a, 0.0))
        for r in range(4):
            along = 0.0
            for n in range(4):
                along += L[r][n] * q[at + n]
            for n in range(4):
                J[at + r, at + n] = L[r][n] - along * q[at + n]
            for i in range(3):
                J[at + r, nq + k + i] = 0.5 * W[r][i]


@outlined_kernel
def acceleration_partials(model, ws, q, ap, K, C, M, J):
    """Rows of dv/dt; prescribed accelerations have zero derivatives. K, C, M and ap.by_state are overwritten."""
    nq, nv, nz = q.size, M.shape[0], ap.rate_z.shape[0]
    for k in range(nv):
        for i in range(nv):
            ap.scratch[k, i] = 0.0
        ap.scratch[k, k] = 1.0
        if ws.known[k] != 0:
            for i in range(nv):
                K[k, i] = C[k, i] = M[k, i] = M[i, k] = 0.0
            for i in range(nz):
                ap.by_state[k, i] = 0.0
            ap.scratch[k, k], M[k, k] = 0.0, 1.0
    # M^-1 (-K, -C, Q_z, 1) by Cholesky factorisation
    cholesky(M)
    cholesky_solve(M, K)
    cholesky_solve(M, C)
    cholesky_solve(M, ap.by_state)
    cholesky_solve(M, ap.scratch)
    for k in range(nv):
        row = J[nq + k]
        by_coordinates(model, q, K[k], -1.0, row[:nq])
        for i in range(nv):
            row[nq + i] = -C[k, i]
            row[nq + nv + nz + i] = ap.scratch[k, i]
        for i in range(nz):
            row[nq + nv + i] = ap.by_state[k, i]


@outlined_kernel
def motion_partials(model, ws, sl, marker, q, v, turns, moves, out, J):
    """Derivatives of the 13 numbers of the motion of a marker; turns and moves are (6, nv), out (13,)."""
    nq = q.size
    jacobian(model, ws, marker, q, turns)
    marker_partials(model, ws, sl, marker, q, v, moves)
    marker_motion(model, ws, marker, q, v, out)
    w, x, y, z = out[3], out[4], out[5], out[6]
    half = ((-x, -y, -z), (w, z, -y), (-z, w, x), (y, -x, w))  # dp = half . turn, for a rotation in world axes
    for i in range(3):
        by_coordinates(model, q, turns[3 + i], 1.0, J[i, :nq])
        by_coordinates(model, q, moves[i], 1.0, J[7 + i, :nq])
        by_coordinates(model, q, moves[3 + i], 1.0, J[10 + i, :nq])
        for n in range(4):
            by_coordinates(model, q, turns[i], 0.5 * half[n][i], J[3 + n, :nq])
        for k in range(v.size):
            J[7 + i, nq + k] = turns[i, k]
            J[10 + i, nq + k] = turns[3 + i, k]


@entry_point
def rate_partials(
    model: ModelArrays, task: RunTables, stages: StageFunctions, t: float, q: Vector, v: Vector, z: Vector,
    latched: Vector, p: Vector, ws: Workspace, sl: DerivativeScratch, ap: AppliedDerivatives, laws: int,
    acceleration: Vector, K: Matrix, C: Matrix, M: Matrix, markers: Integers, turns: Matrix, moves: Matrix,
    out: Vector, given: Vector, J: Matrix,
) -> None:  # fmt: skip
    """Derivatives of dq/dt, dv/dt, dz/dt and of the motion of markers by q, v, z and efforts, into J.

    laws            first state of a law in z, -1 where there is no law
    acceleration    dv/dt there
    K, C, M         (nv, nv) scratch; so are turns and moves (6, nv), and out (13,)
    markers         markers whose motions are differentiated
    given           the coordinates before their quaternions were made unit ones
    J               (nq + nv + nz + 13 markers, nq + nv + nz + nv)

    Quaternions in q are of length one. Latched values are frozen, and z ends with the two states of the energy balance.
    """
    nq, nv, nz = q.size, v.size, ap.rate_z.shape[0]
    for r in range(J.shape[0]):
        for k in range(J.shape[1]):
            J[r, k] = 0.0
    inverse_derivatives(model, ws, sl, q, v, acceleration, latched, K, C, M)
    applied_partials(model, task, stages, t, q, v, z, latched, p, ws, sl, ap, laws, K, C)
    coordinate_rate_partials(model, q, v, J)
    acceleration_partials(model, ws, q, ap, K, C, M, J)
    # rows of dz/dt
    for i in range(nz):
        row = J[nq + nv + i]
        by_coordinates(model, q, ap.rate_x[i], 1.0, row[:nq])
        for k in range(nv):
            row[nq + k] = ap.rate_v[i, k]
        for k in range(nz):
            row[nq + nv + k] = ap.rate_z[i, k]
    # rows of the motions of markers
    first = nq + nv + nz
    for n in range(markers.size):
        rows = J[first + MOTION * n : first + MOTION * (n + 1)]
        motion_partials(model, ws, sl, markers[n], q, v, turns, moves, out, rows)
    # by raw instead of normalised quaternions: divided by the norm
    for g in range(len(model.rotations)):
        at = model.rotations[g].q + (3 if model.rotations[g].free else 0)
        length = sqrt(given[at] ** 2 + given[at + 1] ** 2 + given[at + 2] ** 2 + given[at + 3] ** 2)
        for r in range(J.shape[0]):
            for k in range(at, at + 4):
                J[r, k] /= length
