"""Feedback linearisation and impedance of a tip, redundancy by the inertia-weighted pseudoinverse, and the fast loop.

Kim 1999, eqs. 5.26-5.39 (slow part) and 5.1-5.25, 5.40-5.44 (fast part). Coordinates of the control model are driven
(a), free (u) or held straight (f). With the free ones eliminated,

    M q_a'' + h = tau,   x'' = J q_a'' + d,   M = M_aa - M_au M_uu^-1 M_ua,   J = J_a - J_u M_uu^-1 M_ua,

J being the generalised Jacobian of an arm on a free base (Umetani & Yoshida 1989); with none it is the arm's own. Then
q_a'' = b + W^-1 J^T (J W^-1 J^T)^-1 (x''_wanted - d - J b), W = M ("inertia") or 1, b the wish of the null space.
"""

from __future__ import annotations

from ..algebra import Vec3, rotation_matrix
from ..compiler import entry_point, kernel
from ..flat_arrays import put_value, quaternion_at
from ..linalg.small_dense import cholesky, cholesky_solve
from ..model_arrays import ModelArrays, Workspace
from ..parameter_rows import Block, Part
from ..scalar import clip
from ..signatures import Vector
from ..tree.composite import composite_mass_matrix
from ..tree.kinematics import kinematics
from ..tree.markers import marker_acceleration, marker_jacobian, marker_state
from .mapping import DrivenJoints, Profile, bias_efforts, gather, reference
from .task import TaskReference, sensed_wrench, task_errors, task_reference


class TipParameters(DrivenJoints):
    """Coordinates of the control model are driven (na), free (nu) or held straight (nf); nt directions."""

    marker: int  # the tip
    free: Block[int]  # (nu,) entries of v
    straight: Block[int]  # (nf,) entries of v
    directions: Block[int]  # (nt,) 0 to 5: rotations, translations
    mass_inverse: Block[float]  # (nt, nt) A^-1
    damping: Block[float]  # (nt, nt) Kd
    stiffness: Block[float]  # (nt, nt) Kp
    compliance: Block[float]  # (nt, nt) by which a wanted force moves the reference
    task: Part[TaskReference]
    seen: int  # where in s the tip is measured, -1 where it is not
    contact: int  # where in s its force is, -1 where it is not measured
    offset: Vec3  # from the tip to the origin of its shape, in the tip's axes [m]
    shaped: float  # 1 where the measured force is in the impedance
    force: Block[Profile]  # (nt,) wanted [N m, N]
    correction: float  # rate at which the reference follows what the force lacks [1/s]
    bound: Block[float]  # (nt,) of this correction [rad, m]
    since: float  # when it begins [s]
    weighted: bool  # W = M, else 1
    singular: float
    null_damping: float  # [1/s]
    null_stiffness: float  # [1/s^2]
    posture: Block[float]  # (na,)
    fast: bool  # whether there is a fast loop
    root: float  # eps
    elastic: Block[float]  # (nf, nf) K_ff
    elastic_q: Block[int]  # (nf,) entries of the plant
    elastic_v: Block[int]
    poses: Block[float]  # (poses, na) schedule
    gains: Block[float]  # (poses, na, 2 nf) F
    sags: Block[float]  # (poses, nf, nf) S


TIP_SCRATCH = 48  # scratch of fixed size


def scratch(nq: int, nv: int, na: int, nu: int, nt: int, nf: int) -> int:
    """Floats of scratch that the law wants."""
    square = nv * nv + na * na + nu * nu + nt * nt * 2
    return nq + 6 * nv + 6 * nv + square + nu * (na + 1) + 3 * na + 2 * na * nt + 3 * nt + 2 * nf + TIP_SCRATCH


@kernel
def cut(x, at, size):
    """`size` numbers of the scratch from `at` on, and where the next ones begin."""
    return x[at : at + size], at + size


@kernel
def damped_factor(B, L, scale, singular):
    """Cholesky factor of B, damped where B is nearly singular: the law of Nakamura & Hanafusa 1986, another measure.

    Theirs is the manipulability sqrt(det B). Here it is the least pivot over `scale`, the largest diagonal of its kind,
    which has no units. Below `singular`, the square of 1 - measure / singular, times singular and scale, is added to
    the diagonal.
    """
    n = B.shape[0]
    for i in range(n):
        for j in range(n):
            L[i, j] = B[i, j]
    bad = cholesky(L)
    measure = 1.0
    if bad > 0:
        measure = 0.0
    else:
        for i in range(n):
            measure = min(measure, L[i, i] * L[i, i] / scale[i])
    if measure < singular:
        short = 1.0 - measure / singular
        for i in range(n):
            for j in range(n):
                L[i, j] = B[i, j]
            L[i, i] += scale[i] * singular * short * short
        cholesky(L)


@kernel
def tip_wrench(law, s, motion, J, wrench, h):
    """What the tip does to its surroundings: it enters the equations of motion, h + J^T f, and the impedance."""
    wrench[:] = 0.0
    if law.contact >= 0:
        R = rotation_matrix(quaternion_at(motion, 3))
        put_value(wrench, 0, -sensed_wrench(s, law.contact, R @ law.offset))
        for k in range(h.size):
            for r in range(6):
                h[k] += J[r, k] * wrench[r]


@kernel
def without_free(law, M, h, J, d6, M_uu, X, Ma, ha, Ja, drift):
    """M, h, J and d of the driven coordinates, the free ones eliminated; X = M_uu^-1 [M_ua | h_u]."""
    nu, na, nt = M_uu.shape[0], ha.size, drift.size
    driven, free, directions = law.controlled, law.free, law.directions
    for i in range(nu):
        k = free[i]
        for j in range(nu):
            M_uu[i, j] = M[k, free[j]]
        for j in range(na):
            X[i, j] = M[k, driven[j]]
        X[i, na] = h[k]
    cholesky(M_uu)
    cholesky_solve(M_uu, X)
    for i in range(na):
        k = driven[i]
        ha[i] = h[k]
        for j in range(na):
            Ma[i, j] = M[k, driven[j]]
        for c in range(nu):
            m = M[k, free[c]]
            ha[i] -= m * X[c, na]
            for j in range(na):
                Ma[i, j] -= m * X[c, j]
    for i in range(nt):
        r = directions[i]
        drift[i] = d6[r]
        for j in range(na):
            Ja[i, j] = J[r, driven[j]]
        for c in range(nu):
            m = J[r, free[c]]
            drift[i] -= m * X[c, na]
            for j in range(na):
                Ja[i, j] -= m * X[c, j]


@kernel
def tip_acceleration(law, t, z, dz, wrench, drift, e6, de6, a6, push, w):
    """Acceleration that the tip should have beyond its drift: A^-1 (Kd e' + Kp e - f).

    A wanted force is an offset of the reference, by the compliance; what it lacks moves the reference as well, at a
    rate and within a bound (z, dz).
    """
    nt, directions, compliance = w.size, law.directions, law.compliance
    inverse, damping, stiffness = law.mass_inverse, law.damping, law.stiffness
    # the wanted force moves the reference by compliance times force, eq. 5.35
    for i in range(nt):
        offset, offset_rate, offset_acceleration, missing = 0.0, 0.0, 0.0, 0.0
        for j in range(nt):
            f, df, ddf = reference(law.force[j], t)
            c = compliance[i * nt + j]
            offset += c * f
            offset_rate += c * df
            offset_acceleration += c * ddf
            missing += c * (f - wrench[directions[j]])
        r = directions[i]
        e6[r] += offset
        de6[r] += offset_rate
        a6[r] += offset_acceleration
        # what the force lacks moves it further, eq. 6.9; no winding up beyond the bound
        if z.size > 0:
            bound = law.bound[i]
            e6[r] += clip(z[i], -bound, bound)
            rate = law.correction * missing if t >= law.since else 0.0
            if (z[i] >= bound and rate > 0.0) or (z[i] <= -bound and rate < 0.0):
                rate = 0.0
            dz[i] = rate
    # A^-1 (D e' + K e - f)
    for i in range(nt):
        push[i] = -law.shaped * wrench[directions[i]]
        for j in range(nt):
            r = directions[j]
            push[i] += damping[i * nt + j] * de6[r] + stiffness[i * nt + j] * e6[r]
    for i in range(nt):
        w[i] = a6[directions[i]] - drift[i]
        for j in range(nt):
            w[i] += inverse[i * nt + j] * push[j]


@kernel
def driven_efforts(law, q, v, Ma, ha, Ja, w, push, b, Y, B, L, tau):
    """b = q_a'' that gives the tip its acceleration w, and tau = M q_a'' + h that gives them theirs."""
    na, nt, directions = tau.size, w.size, law.directions

    # the wish of the null space: back to a posture, and slower
    for j in range(na):
        b[j] = law.null_stiffness * (law.posture[j] - q[law.q[j]]) - law.null_damping * v[law.v[j]]
        for i in range(nt):
            w[i] -= Ja[i, j] * b[j]
            Y[j, i] = Ja[i, j]

    # Y = W^-1 J^T: the factor of Ma goes below its diagonal, Ma itself is read above and put back
    if law.weighted:
        for i in range(na):
            tau[i] = Ma[i, i]
        cholesky(Ma)
        cholesky_solve(Ma, Y)
        for i in range(na):
            Ma[i, i] = tau[i]
            for j in range(i):
                Ma[i, j] = Ma[j, i]

    # B = J W^-1 J^T, damped where it is nearly singular, measured apart for turning and moving
    largest, turning = 0.0, 0.0
    for i in range(nt):
        for j in range(nt):
            B[i, j] = 0.0
            for k in range(na):
                B[i, j] += Ja[i, k] * Y[k, j]
        if directions[i] < 3:
            turning = max(turning, B[i, i])
        else:
            largest = max(largest, B[i, i])
    for i in range(nt):
        push[i] = turning if directions[i] < 3 else largest
    damped_factor(B, L, push, law.singular)
    cholesky_solve(L, w.reshape(nt, 1))

    for j in range(na):
        for i in range(nt):
            b[j] += Y[j, i] * w[i]
    for i in range(na):
        tau[i] = ha[i]
        for j in range(na):
            tau[i] += Ma[i, j] * b[j]


@entry_point
def impedance(
    control: ModelArrays, cws: Workspace, x: Vector, t: float, q: Vector, v: Vector, z: Vector, s: Vector, p: Vector,
    effort: Vector, dz: Vector,
) -> None:  # fmt: skip
    """Impedance or Cartesian feedback linearisation, and the fast loop of composite control where it has gains."""
    law = TipParameters(p)
    nq, nv, na = len(law.q_map), len(law.v_map), len(law.controlled)
    nu, nf, nt = len(law.free), len(law.straight), len(law.directions)
    marker = law.marker

    # the control model at the plant's state, in its own scratch
    qc, at = cut(x, 0, nq)
    vc, at = cut(x, at, nv)
    h, at = cut(x, at, nv)
    nothing, at = cut(x, at, nv)
    passive, at = cut(x, at, nv)
    flat, at = cut(x, at, 6 * nv)
    J = flat.reshape(6, nv)
    flat, at = cut(x, at, nv * nv)
    M = flat.reshape(nv, nv)
    motion, at = cut(x, at, 13)
    e6, at = cut(x, at, 6)
    de6, at = cut(x, at, 6)
    a6, at = cut(x, at, 6)
    d6, at = cut(x, at, 6)
    wrench, at = cut(x, at, 6)

    # its kinematics, bias efforts, Jacobian, drift of the tip and mass matrix
    gather(law, q, v, qc, vc)
    kinematics(control, cws, qc, vc)
    bias_efforts(control, cws, qc, vc, nothing, passive, h)
    marker_state(control, cws, marker, qc, vc, motion, 0)
    marker_acceleration(control, cws, marker, qc, vc, nothing, d6)
    marker_jacobian(control, cws, marker, qc, vc, J)
    composite_mass_matrix(control, cws, M)

    # what is measured: wrench, and the tip itself where it is told
    tip_wrench(law, s, motion, J, wrench, h)

    if law.seen >= 0:
        for i in range(13):
            motion[i] = s[law.seen + i]
    target = task_reference(law.task, t, s)
    task_errors(motion, target, e6, de6, a6)

    # the free coordinates go
    flat, at = cut(x, at, nu * nu)
    M_uu = flat.reshape(nu, nu)
    flat, at = cut(x, at, nu * (na + 1))
    X = flat.reshape(nu, na + 1)
    flat, at = cut(x, at, na * na)
    Ma = flat.reshape(na, na)
    ha, at = cut(x, at, na)
    flat, at = cut(x, at, nt * na)
    Ja = flat.reshape(nt, na)
    drift, at = cut(x, at, nt)
    without_free(law, M, h, J, d6, M_uu, X, Ma, ha, Ja, drift)

    w, at = cut(x, at, nt)
    push, at = cut(x, at, nt)
    tip_acceleration(law, t, z, dz, wrench, drift, e6, de6, a6, push, w)

    # the driven ones
    b, at = cut(x, at, na)
    flat, at = cut(x, at, na * nt)
    Y = flat.reshape(na, nt)
    flat, at = cut(x, at, nt * nt)
    B = flat.reshape(nt, nt)
    flat, at = cut(x, at, nt * nt)
    L = flat.reshape(nt, nt)
    tau, at = cut(x, at, na)
    driven_efforts(law, q, v, Ma, ha, Ja, w, push, b, Y, B, L, tau)
    if law.fast:
        eta, at = cut(x, at, 2 * nf)
        fast_loop(law, q, v, h, M, b, X, eta, na, nu, nf, tau)
    for j in range(na):
        limit = law.limit[j]
        effort[law.v[j]] += clip(tau[j], -limit, limit)


@kernel
def fast_loop(law, q, v, h, M, b, X, eta, na, nu, nf, tau):
    """tau - F eta, eta = (xi - xi_slow, eps xi'), xi = K_ff q_f: Kim, eqs. 5.21-5.42.

    xi_slow = -(h_f + M_fa q_a'' + M_fu q_u'') is the elastic force of links that follow the slow motion without
    ringing: eq. 5.15, in the form f_f - M_fr M_rr^-1 (f_r + tau). Free coordinates follow the driven ones,
    q_u'' = -M_uu^-1 (h_u + M_ua q_a''), X = M_uu^-1 [M_ua | h_u] (nu, na + 1). Gravity on the deflected links, G q_f,
    lets them sag further: xi_slow is S times as much, S = K (K + G)^-1 at the poses of the schedule.
    """
    left, part = on_schedule(law, q, na)
    driven, free, straight, elastic = law.controlled, law.free, law.straight, law.elastic
    sags = law.sags[left * nf * nf :]
    # xi_slow, eq. 5.15
    for i in range(nf):
        k = straight[i]
        slow = h[k]
        for j in range(na):
            slow += M[k, driven[j]] * b[j]
        for c in range(nu):
            follows = X[c, na]
            for j in range(na):
                follows += X[c, j] * b[j]
            slow -= M[k, free[c]] * follows
        eta[nf + i] = slow
    # xi - xi_slow, with the sag between two poses of the schedule
    for i in range(nf):
        eta[i] = 0.0
        for j in range(nf):
            sag = sags[i * nf + j]
            if part > 0.0:
                sag += part * (sags[nf * nf + i * nf + j] - sag)
            eta[i] += sag * eta[nf + j] + elastic[i * nf + j] * q[law.elastic_q[j]]
    # eps xi'
    for i in range(nf):
        rate = 0.0
        for j in range(nf):
            rate += elastic[i * nf + j] * v[law.elastic_v[j]]
        eta[nf + i] = law.root * rate
    # gains between two poses of the schedule
    size = na * 2 * nf
    gains = law.gains[left * size :]
    for i in range(na):
        for j in range(2 * nf):
            gain = gains[i * 2 * nf + j]
            if part > 0.0:
                gain += part * (gains[size + i * 2 * nf + j] - gain)
            tau[i] -= gain * eta[j]


@kernel
def on_schedule(law, q, na):
    """Nearest point of the line through the poses of the schedule: the pose before it, and the part of the way to the
    next one."""
    poses, index = law.poses, law.q
    left, part, nearest = 0, 0.0, -1.0
    for c in range(poses.size // na - 1):
        along, length = 0.0, 0.0
        for j in range(na):
            d = poses[(c + 1) * na + j] - poses[c * na + j]
            along += d * (q[index[j]] - poses[c * na + j])
            length += d * d
        x = min(max(along / length, 0.0), 1.0)
        off = 0.0
        for j in range(na):
            here = poses[c * na + j]
            d = q[index[j]] - here - x * (poses[(c + 1) * na + j] - here)
            off += d * d
        if nearest < 0.0 or off < nearest:
            left, part, nearest = c, x, off
    return left, part
