"""The controlled plant of an optimal control problem: state rates under inputs at one time, and their derivatives.

States are coordinates then velocities. Quaternions are four numbers each, whose rate is half their product with the
angular velocity, whatever their norm; everything else uses the normalised quaternion. Derivatives have a column for
each state, input and parameter, then one for time.
"""

from __future__ import annotations

from ..algebra import Vec3, cross, rotation_matrix
from ..compiler import entry_point, kernel
from ..derivatives.applied.all_applied import applied_partials
from ..derivatives.applied.applied_layout import AppliedDerivatives
from ..derivatives.derivative_layout import DerivativeScratch
from ..derivatives.dynamics_derivatives import forward_derivatives, inverse_derivatives
from ..derivatives.rate_jacobian import by_coordinates, turning
from ..derivatives.spd_inverse import invert, minus_product
from ..flat_arrays import put_value, quaternion_at, vector_at
from ..model_arrays import ModelArrays, RunTables, Workspace
from ..records import Function, NestedRecord, Record, c128, f64, given, i64
from ..signatures import Matrix, Vector
from ..stage_functions import ACCEPT, StageFunctions, f, m, none, x
from ..tree.batch import load
from ..tree.kinematics import kinematics
from ..tree.model_functions import solve_forward
from .user_ode import STEP, UserOde, difference


class ControlledPlant(Record, name="Sd"):
    """A model, or a user's equations, with the arrays in which its rates are evaluated.

    model ... applied    of a model, None of equations; partials where derivatives are analytical, applied with contacts
    accept               update of the contact memory, None without contacts
    plain                of equations
    acting               (nu,) entries of v on which inputs act
    p                    parameters of equations
    q, v, effort, acceleration    (nq,), (nv,), (nv,), (nv,)
    z, dz                states and their rates: none of contacts, only the two of the energy balance
    dq, dv, minv         (nv, nv) derivatives of the acceleration by displacements, velocities and efforts
    low, high, kept      (nx,), (nx,), (nx + nu,) of differences
    zx, zu, zp, zf       complex states, inputs, parameters, rates
    """

    model = NestedRecord(ModelArrays)
    task = NestedRecord(RunTables)
    stages = NestedRecord(StageFunctions)
    ws = NestedRecord(Workspace)
    partials = NestedRecord(DerivativeScratch)
    applied = NestedRecord(AppliedDerivatives)
    accept = ACCEPT
    plain = NestedRecord(UserOde)
    actuated = i64(1)
    p = f64(1)
    q = f64(1)
    v = f64(1)
    effort = f64(1)
    acceleration = f64(1)
    z = f64(1)
    dz = f64(1)
    dq = f64(2)
    dv = f64(2)
    minv = f64(2)
    low = f64(1)
    high = f64(1)
    kept = f64(1)
    zx = c128(1)
    zu = c128(1)
    zp = c128(1)
    zf = c128(1)


RATE_AT = Function(none, ControlledPlant, f, x, x, x, x)
"""rates(sd, t, x, u, latched, out)."""
SLOPE_AT = Function(none, ControlledPlant, f, x, x, x, x, m)
"""partials(sd, t, x, u, latched, out, J)."""
REMEMBER = Function(none, ControlledPlant, x, x)
"""remember(sd, x, latched): update of the contact memory at an accepted state."""


@kernel
def take(sd, x, u):
    """Coordinates with unit quaternions, velocities and efforts from a state x and inputs u."""
    q, v, rotations = sd.q, sd.v, sd.model.rotations
    for j in range(q.size):
        q[j] = x[j]
    for g in range(len(rotations)):
        at = rotations[g].q + 3 * rotations[g].free
        s = (q[at] ** 2 + q[at + 1] ** 2 + q[at + 2] ** 2 + q[at + 3] ** 2) ** -0.5
        put_value(q, at, s * quaternion_at(q, at))
    for k in range(v.size):
        v[k] = x[q.size + k]
        sd.effort[k] = 0.0
    for i in range(sd.actuated.size):
        sd.effort[sd.actuated[i]] = u[i]


@kernel
def coordinate_rates_at(rotations, q_index, x, nq, v, first, out):
    """dq/dt of coordinates x with raw quaternions at velocities v[first:]."""
    for k in range(q_index.size):
        if q_index[k] >= 0:
            out[q_index[k]] = v[first + k]
    for g in range(len(rotations)):
        j, k = rotations[g].q, first + rotations[g].v
        if rotations[g].free:
            # free joint: p' = R v, v in the axes of the body
            put_value(out, j, rotation_matrix(quaternion_at(x, j + 3)) @ vector_at(v, k + 3))
            j += 3
        # quaternion: p' = W omega / 2
        W, omega = turning(x, j), vector_at(v, k)
        for r in range(4):
            out[j + r] = 0.5 * (Vec3(W[r]) @ omega)


@kernel
def coordinate_partials_at(rotations, q_index, x, nq, v, first, J, by):
    """Derivatives of `coordinate_rates_at` by raw coordinates, and by velocities from column `by` on; the rest of these
    rows of J is zero already.
    """
    for k in range(q_index.size):
        if q_index[k] >= 0:
            J[q_index[k], by + k] = 1.0
    for g in range(len(rotations)):
        rotation = rotations[g]
        j, k, at = rotation.q, rotation.v, rotation.q + 3 * rotation.free
        W = turning(x, at)
        if rotation.free:
            # free joint: d(R v) = R (d theta x v), d theta = 2 W^T dp / |p|^2
            square = x[at] ** 2 + x[at + 1] ** 2 + x[at + 2] ** 2 + x[at + 3] ** 2
            R, speed = rotation_matrix(quaternion_at(x, at)), vector_at(v, first + k + 3)
            put_value(J[j], by + k + 3, R.x_row)
            put_value(J[j + 1], by + k + 3, R.y_row)
            put_value(J[j + 2], by + k + 3, R.z_row)
            for n in range(4):
                moved = R @ cross(2.0 * Vec3(W[n]) / square, speed)
                J[j, at + n], J[j + 1, at + n], J[j + 2, at + n] = moved.x, moved.y, moved.z
        # quaternion: p' = W(p) omega / 2 = L(omega) p
        a, b, c = 0.5 * v[first + k], 0.5 * v[first + k + 1], 0.5 * v[first + k + 2]
        L = ((0.0, -a, -b, -c), (a, 0.0, c, -b), (b, -c, 0.0, a), (c, b, -a, 0.0))
        for r in range(4):
            for n in range(4):
                J[at + r, at + n] = L[r][n]
            for i in range(3):
                J[at + r, by + k + i] = 0.5 * W[r][i]


@kernel
def lay_rates(sd, x, out):
    """Rates of a state whose acceleration is known."""
    nq = sd.q.size
    coordinate_rates_at(sd.model.rotations, sd.model.q_index, x, nq, sd.v, 0, out)
    for k in range(sd.v.size):
        out[nq + k] = sd.acceleration[k]


@kernel
def accelerate(sd, t, x, u, latched):
    """Forward dynamics under inputs and contacts, into sd.acceleration."""
    take(sd, x, u)
    sd.ws.ledger.time = t
    kinematics(sd.model, sd.ws, sd.q, sd.v)
    load(sd.model, sd.task, sd.stages, t, sd.q, sd.v, sd.z, latched, sd.p, sd.ws, sd.dz)
    solve_forward(sd.model, sd.ws, sd.q, sd.v, sd.effort, latched, sd.acceleration)


@kernel
def lay_partials(sd, x, J):
    """J of a model from the derivatives of its acceleration in the tangent space."""
    model, q, v, nq, nv = sd.model, sd.q, sd.v, sd.q.size, sd.v.size
    for r in range(J.shape[0]):
        for c in range(J.shape[1]):
            J[r, c] = 0.0
    coordinate_partials_at(model.rotations, model.q_index, x, nq, v, 0, J, nq)
    for k in range(nv):
        row = J[nq + k]
        by_coordinates(model, q, sd.dq[k], 1.0, row[:nq])
        for i in range(nv):
            row[nq + i] = sd.dv[k, i]
        for i in range(sd.actuated.size):
            row[nq + nv + i] = sd.minv[k, sd.actuated[i]]
    # by raw instead of normalised quaternions: divided by the norm
    for g in range(len(model.rotations)):
        at = model.rotations[g].q + 3 * model.rotations[g].free
        s = (x[at] ** 2 + x[at + 1] ** 2 + x[at + 2] ** 2 + x[at + 3] ** 2) ** -0.5
        for k in range(nv):
            for j in range(at, at + 4):
                J[nq + k, j] *= s


@entry_point
def tree_rate(sd: ControlledPlant, t: float, x: Vector, u: Vector, latched: Vector, out: Vector) -> None:
    """State rates of a model."""
    accelerate(sd, t, x, u, latched)
    lay_rates(sd, x, out)


@entry_point
def tree_jacobian(sd: ControlledPlant, t: float, x: Vector, u: Vector, latched: Vector, out: Vector, J: Matrix) -> None:
    """State rates of a model without contacts, and their analytical derivatives."""
    take(sd, x, u)
    sd.ws.ledger.time = t
    forward_derivatives(
        sd.model, sd.ws, sd.partials, sd.q, sd.v, sd.effort, latched, sd.acceleration, sd.dq, sd.dv, sd.minv
    )
    lay_rates(sd, x, out)
    lay_partials(sd, x, J)


@entry_point
def contact_jacobian_of_rate(
    sd: ControlledPlant, t: float, x: Vector, u: Vector, latched: Vector, out: Vector, J: Matrix
) -> None:
    """The same for a model with contacts, by the derivatives of the contact laws; latched values are frozen."""
    sl = sd.partials
    accelerate(sd, t, x, u, latched)
    # inverse dynamics M a + h = Q: K, C and M, then da = M^-1 (-K dx - C dv + du)
    inverse_derivatives(sd.model, sd.ws, sl, sd.q, sd.v, sd.acceleration, latched, sl.stiffness, sl.damping, sl.mass)
    applied_partials(
        sd.model, sd.task, sd.stages, t, sd.q, sd.v, sd.z, latched, sd.p, sd.ws, sl, sd.applied, -1, sl.stiffness,
        sl.damping,
    )  # fmt: skip
    invert(sl.mass, sd.minv)
    minus_product(sd.minv, sl.stiffness, sd.dq)
    minus_product(sd.minv, sl.damping, sd.dv)
    lay_rates(sd, x, out)
    lay_partials(sd, x, J)


@entry_point
def differenced_jacobian(
    sd: ControlledPlant, t: float, x: Vector, u: Vector, latched: Vector, out: Vector, J: Matrix
) -> None:
    """The same by central differences, for models without analytical derivatives (`model.derivatives.analytical`)."""
    nx, nu, kept = x.size, u.size, sd.kept
    for j in range(nx):
        kept[j] = x[j]
    for i in range(nu):
        kept[nx + i] = u[i]
    for j in range(nx + nu + 1):
        own = t if j == nx + nu else kept[j]
        h = 6e-6 * max(abs(own), 1.0) if j < nx + nu else 1e-3
        # rates with state, input or time displaced to either side
        for side in range(2):
            moved = own + h if side == 1 else own - h
            s = t
            if j < nx:
                x[j] = moved
            elif j < nx + nu:
                u[j - nx] = moved
            else:
                s = moved
            accelerate(sd, s, x, u, latched)
            lay_rates(sd, x, sd.high if side == 1 else sd.low)
        if j < nx:
            x[j] = own
        elif j < nx + nu:
            u[j - nx] = own
        for r in range(nx):
            J[r, j] = (sd.high[r] - sd.low[r]) / (2.0 * h)
    accelerate(sd, t, x, u, latched)
    lay_rates(sd, x, out)


@entry_point
def remember_touching(sd: ControlledPlant, x: Vector, latched: Vector) -> None:
    """Updates the contact memory at an accepted state."""
    for j in range(sd.q.size):
        sd.q[j] = x[j]
    for k in range(sd.v.size):
        sd.v[k] = x[sd.q.size + k]
    sd.accept(sd.model, sd.stages.touch, 1, sd.q, sd.v, sd.z, latched, sd.ws, sd.dz)


@entry_point
def ode_rate(sd: ControlledPlant, t: float, x: Vector, u: Vector, latched: Vector, out: Vector) -> None:
    """State rates of a user's equations."""
    sd.plain.value(t, x, u, sd.p, out)


@entry_point
def ode_jacobian(sd: ControlledPlant, t: float, x: Vector, u: Vector, latched: Vector, out: Vector, J: Matrix) -> None:
    """Rates of a user's equations and their derivatives by a complex step, or by differences if not compiled for it."""
    nx, nu, np = x.size, u.size, sd.p.size
    plain = sd.plain
    for j in range(nx + nu + np + 1):
        if given(plain.step):
            # complex step: df/dx_j = Im f(x + i h e_j) / h
            for k in range(nx):
                sd.zx[k] = x[k] + 0.0j
            for k in range(nu):
                sd.zu[k] = u[k] + 0.0j
            for k in range(np):
                sd.zp[k] = sd.p[k] + 0.0j
            s = t + 0.0j
            if j < nx:
                sd.zx[j] += STEP * 1j
            elif j < nx + nu:
                sd.zu[j - nx] += STEP * 1j
            elif j < nx + nu + np:
                sd.zp[j - nx - nu] += STEP * 1j
            else:
                s += STEP * 1j
            plain.step(s, sd.zx, sd.zu, sd.zp, sd.zf)
            for r in range(nx):
                J[r, j] = sd.zf[r].imag / STEP
        else:
            difference(plain, t, x, u, sd.p, j, sd.low, sd.high)
            for r in range(nx):
                J[r, j] = sd.high[r]
    plain.value(t, x, u, sd.p, out)
