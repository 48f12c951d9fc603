"""Feedback linearisation and impedance of a tip, redundancy by the inertia-weighted pseudoinverse, and the fast loop.

Kim 1999, eqs. 5.26-5.39 (slow part) and 5.1-5.25, 5.40-5.44 (fast part). Coordinates of the control model are driven
(a), free (u) or held straight (f). With the free ones eliminated,

    M q_a'' + h = tau,   x'' = J q_a'' + d,   M = M_aa - M_au M_uu^-1 M_ua,   J = J_a - J_u M_uu^-1 M_ua,

J being the generalised Jacobian of an arm on a free base (Umetani & Yoshida 1989); with none it is the arm's own. Then
q_a'' = b + W^-1 J^T (J W^-1 J^T)^-1 (x''_wanted - d - J b), W = M ("inertia") or 1, b the wish of the null space.
"""

from __future__ import annotations

from ..compiler import entry_point, kernel
from ..linalg.small_dense import cholesky, cholesky_solve
from ..model_arrays import ModelArrays, Workspace
from ..scalar import clip
from ..signatures import Vector
from ..spatial import quaternion_matrix, rotate
from ..tree.composite import composite_mass_matrix
from ..tree.kinematics import kinematics
from ..tree.markers import marker_acceleration, marker_jacobian, marker_state
from .mapping import bias_efforts, entry, gather, number, reference
from .task import sensed_wrench, task_errors, task_reference

# head of p
TIP_NQ, TIP_NV, TIP_NA, TIP_NU, TIP_NF, TIP_NT, TIP_Q_MAP, TIP_Q_REST, TIP_V_MAP, TIP_MARKER = range(10)
TIP_DRIVEN, TIP_DRIVEN_V, TIP_DRIVEN_Q, TIP_FREE, STRAIGHT, TIP_DIRECTIONS = range(10, 16)
MASS_INVERSE, TIP_DAMPING, TIP_STIFFNESS, COMPLIANCE, TIP_LIMIT = range(16, 21)
TIP_PATH, PATH_AT, FRAME, TIP_SEEN, TIP_CONTACT, TIP_OFFSET, SHAPED = range(21, 28)
TIP_FORCE, TIP_RATE, BOUND, TIP_SINCE, WEIGHTED, TIP_SINGULAR, NULL_DAMPING, NULL_STIFFNESS, POSTURE = range(28, 37)
TIP_FAST, TIP_ROOT, TIP_ELASTIC, ELASTIC_Q, ELASTIC_V, TIP_POSES, TIP_POSE, GAINS, SAGS = range(37, 46)
TIP_HEAD = 46

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
def tip_wrench(p, s, motion, J, wrench, h):
    """What the tip does to its surroundings: it enters the equations of motion, h + J^T f, and the impedance."""
    for r in range(6):
        wrench[r] = 0.0
    if int(p[TIP_CONTACT]) >= 0:
        R = quaternion_matrix(motion[3], motion[4], motion[5], motion[6])
        o = int(p[TIP_OFFSET])
        arm = rotate(R, (p[o], p[o + 1], p[o + 2]))
        moment, force = sensed_wrench(s, int(p[TIP_CONTACT]), arm)
        wrench[0], wrench[1], wrench[2] = -moment[0], -moment[1], -moment[2]
        wrench[3], wrench[4], wrench[5] = -force[0], -force[1], -force[2]
        for k in range(h.size):
            for r in range(6):
                h[k] += J[r, k] * wrench[r]


@kernel
def without_free(p, M, h, J, d6, M_uu, X, Ma, ha, Ja, drift):
    """M, h, J and d of the driven coordinates, the free ones eliminated; X = M_uu^-1 [M_ua | h_u]."""
    nu, na, nt = M_uu.shape[0], ha.size, drift.size
    driven, free, directions = int(p[TIP_DRIVEN]), int(p[TIP_FREE]), int(p[TIP_DIRECTIONS])
    for i in range(nu):
        k = int(p[free + i])
        for j in range(nu):
            M_uu[i, j] = M[k, int(p[free + j])]
        for j in range(na):
            X[i, j] = M[k, int(p[driven + j])]
        X[i, na] = h[k]
    cholesky(M_uu)
    cholesky_solve(M_uu, X)
    for i in range(na):
        k = int(p[driven + i])
        ha[i] = h[k]
        for j in range(na):
            Ma[i, j] = M[k, int(p[driven + j])]
        for c in range(nu):
            m = M[k, int(p[free + c])]
            ha[i] -= m * X[c, na]
            for j in range(na):
                Ma[i, j] -= m * X[c, j]
    for i in range(nt):
        r = int(p[directions + i])
        drift[i] = d6[r]
        for j in range(na):
            Ja[i, j] = J[r, int(p[driven + j])]
        for c in range(nu):
            m = J[r, int(p[free + c])]
            drift[i] -= m * X[c, na]
            for j in range(na):
                Ja[i, j] -= m * X[c, j]


@kernel
def tip_acceleration(p, t, z, dz, wrench, drift, e6, de6, a6, push, w):
    """Acceleration that the tip should have beyond its drift: A^-1 (Kd e' + Kp e - f).

    A wanted force is an offset of the reference, by the compliance; what it lacks moves the reference as well, at a
    rate and within a bound (z, dz).
    """
    nt, directions = w.size, int(p[TIP_DIRECTIONS])
    inverse, damping, stiffness, compliance = (
        int(p[MASS_INVERSE]),
        int(p[TIP_DAMPING]),
        int(p[TIP_STIFFNESS]),
        int(p[COMPLIANCE]),
    )
    # the wanted force moves the reference by compliance times force, eq. 5.35
    for i in range(nt):
        offset, offset_rate, offset_acceleration, missing = 0.0, 0.0, 0.0, 0.0
        for j in range(nt):
            f, df, ddf = reference(p, int(p[TIP_FORCE]), j, t)
            c = p[compliance + i * nt + j]
            offset += c * f
            offset_rate += c * df
            offset_acceleration += c * ddf
            missing += c * (f - wrench[int(p[directions + j])])
        r = int(p[directions + i])
        e6[r] += offset
        de6[r] += offset_rate
        a6[r] += offset_acceleration
        # what the force lacks moves it further, eq. 6.9; no winding up beyond the bound
        if z.size > 0:
            bound = number(p, BOUND, i)
            e6[r] += clip(z[i], -bound, bound)
            rate = p[TIP_RATE] * missing if t >= p[TIP_SINCE] else 0.0
            if (z[i] >= bound and rate > 0.0) or (z[i] <= -bound and rate < 0.0):
                rate = 0.0
            dz[i] = rate
    # A^-1 (D e' + K e - f)
    for i in range(nt):
        push[i] = -p[SHAPED] * wrench[int(p[directions + i])]
        for j in range(nt):
            r = int(p[directions + j])
            push[i] += p[damping + i * nt + j] * de6[r] + p[stiffness + i * nt + j] * e6[r]
    for i in range(nt):
        w[i] = a6[int(p[directions + i])] - drift[i]
        for j in range(nt):
            w[i] += p[inverse + i * nt + j] * push[j]


@kernel
def driven_efforts(p, q, v, Ma, ha, Ja, w, push, b, Y, B, L, tau):
    """b = q_a'' that gives the tip its acceleration w, and tau = M q_a'' + h that gives them theirs."""
    na, nt, directions = tau.size, w.size, int(p[TIP_DIRECTIONS])

    # the wish of the null space: back to a posture, and slower
    for j in range(na):
        k, l = entry(p, TIP_DRIVEN_V, j), entry(p, TIP_DRIVEN_Q, j)
        b[j] = p[NULL_STIFFNESS] * (number(p, POSTURE, j) - q[l]) - p[NULL_DAMPING] * v[k]
        for i in range(nt):
            w[i] -= Ja[i, j] * b[j]
            Y[j, i] = Ja[i, j]

    # Y = W^-1 J^T: the factor of Ma goes below its diagonal, Ma itself is read above and put back
    if p[WEIGHTED] == 1.0:
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
        if int(p[directions + i]) < 3:
            turning = max(turning, B[i, i])
        else:
            largest = max(largest, B[i, i])
    for i in range(nt):
        push[i] = turning if int(p[directions + i]) < 3 else largest
    damped_factor(B, L, push, p[TIP_SINGULAR])
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
    nq, nv, na = int(p[TIP_NQ]), int(p[TIP_NV]), int(p[TIP_NA])
    nu, nf, nt = int(p[TIP_NU]), int(p[TIP_NF]), int(p[TIP_NT])
    marker = int(p[TIP_MARKER])
    driven, free, straight = int(p[TIP_DRIVEN]), int(p[TIP_FREE]), int(p[STRAIGHT])

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
    gather(p, int(p[TIP_Q_MAP]), int(p[TIP_Q_REST]), int(p[TIP_V_MAP]), q, v, qc, vc)
    kinematics(control, cws, qc, vc)
    bias_efforts(control, cws, qc, vc, nothing, passive, h)
    marker_state(control, cws, marker, qc, vc, motion, 0)
    marker_acceleration(control, cws, marker, qc, vc, nothing, d6)
    marker_jacobian(control, cws, marker, qc, vc, J)
    composite_mass_matrix(control, cws, M)

    # what is measured: wrench, and the tip itself where it is told
    tip_wrench(p, s, motion, J, wrench, h)

    if int(p[TIP_SEEN]) >= 0:
        for i in range(13):
            motion[i] = s[int(p[TIP_SEEN]) + i]
    target = task_reference(p, int(p[TIP_PATH]), int(p[PATH_AT]), t, s, int(p[FRAME]))
    task_errors(motion, 0, target, e6, de6, a6)

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
    without_free(p, M, h, J, d6, M_uu, X, Ma, ha, Ja, drift)

    w, at = cut(x, at, nt)
    push, at = cut(x, at, nt)
    tip_acceleration(p, t, z, dz, wrench, drift, e6, de6, a6, push, w)

    # the driven ones
    b, at = cut(x, at, na)
    flat, at = cut(x, at, na * nt)
    Y = flat.reshape(na, nt)
    flat, at = cut(x, at, nt * nt)
    B = flat.reshape(nt, nt)
    flat, at = cut(x, at, nt * nt)
    L = flat.reshape(nt, nt)
    tau, at = cut(x, at, na)
    driven_efforts(p, q, v, Ma, ha, Ja, w, push, b, Y, B, L, tau)
    if p[TIP_FAST] == 1.0:
        eta, at = cut(x, at, 2 * nf)
        fast_loop(p, q, v, h, M, b, X, eta, na, nu, nf, driven, free, straight, tau)
    for j in range(na):
        limit = number(p, TIP_LIMIT, j)
        effort[entry(p, TIP_DRIVEN_V, j)] += clip(tau[j], -limit, limit)


@kernel
def fast_loop(p, q, v, h, M, b, X, eta, na, nu, nf, driven, free, straight, tau):
    """tau - F eta, eta = (xi - xi_slow, eps xi'), xi = K_ff q_f: Kim, eqs. 5.21-5.42.

    xi_slow = -(h_f + M_fa q_a'' + M_fu q_u'') is the elastic force of links that follow the slow motion without
    ringing: eq. 5.15, in the form f_f - M_fr M_rr^-1 (f_r + tau). Free coordinates follow the driven ones,
    q_u'' = -M_uu^-1 (h_u + M_ua q_a''), X = M_uu^-1 [M_ua | h_u] (nu, na + 1). Gravity on the deflected links, G q_f,
    lets them sag further: xi_slow is S times as much, S = K (K + G)^-1 at the poses of the schedule.
    """
    left, part = on_schedule(p, q, na)
    sags = int(p[SAGS]) + left * nf * nf
    elastic = int(p[TIP_ELASTIC])
    # xi_slow, eq. 5.15
    for i in range(nf):
        k = int(p[straight + i])
        slow = h[k]
        for j in range(na):
            slow += M[k, int(p[driven + j])] * b[j]
        for c in range(nu):
            follows = X[c, na]
            for j in range(na):
                follows += X[c, j] * b[j]
            slow -= M[k, int(p[free + c])] * follows
        eta[nf + i] = slow
    # xi - xi_slow, with the sag between two poses of the schedule
    for i in range(nf):
        eta[i] = 0.0
        for j in range(nf):
            sag = p[sags + i * nf + j]
            if part > 0.0:
                sag += part * (p[sags + nf * nf + i * nf + j] - sag)
            eta[i] += sag * eta[nf + j] + p[elastic + i * nf + j] * q[entry(p, ELASTIC_Q, j)]
    # eps xi'
    for i in range(nf):
        rate = 0.0
        for j in range(nf):
            rate += p[elastic + i * nf + j] * v[entry(p, ELASTIC_V, j)]
        eta[nf + i] = p[TIP_ROOT] * rate
    # gains between two poses of the schedule
    size = na * 2 * nf
    first = int(p[GAINS]) + left * size
    for i in range(na):
        for j in range(2 * nf):
            gain = p[first + i * 2 * nf + j]
            if part > 0.0:
                gain += part * (p[first + size + i * 2 * nf + j] - gain)
            tau[i] -= gain * eta[j]


@kernel
def on_schedule(p, q, na):
    """Nearest point of the line through the poses of the schedule: the pose before it, and the part of the way to the
    next one."""
    count, pose, index = int(p[TIP_POSES]), int(p[TIP_POSE]), int(p[TIP_DRIVEN_Q])
    left, part, nearest = 0, 0.0, -1.0
    for c in range(count - 1):
        along, length = 0.0, 0.0
        for j in range(na):
            d = p[pose + (c + 1) * na + j] - p[pose + c * na + j]
            along += d * (q[int(p[index + j])] - p[pose + c * na + j])
            length += d * d
        x = min(max(along / length, 0.0), 1.0)
        off = 0.0
        for j in range(na):
            here = p[pose + c * na + j]
            d = q[int(p[index + j])] - here - x * (p[pose + (c + 1) * na + j] - here)
            off += d * d
        if nearest < 0.0 or off < nearest:
            left, part, nearest = c, x, off
    return left, part
