"""Feedback linearisation and impedance of a tip, redundancy by the inertia-weighted pseudoinverse, and the fast loop.

Kim 1999, eqs. 5.26-5.39 (slow part) and 5.1-5.25, 5.40-5.44 (fast part). Coordinates of the control model are driven
(a), free (u) or held straight (f). With the free ones eliminated,

    M q_a'' + h = tau,   x'' = J q_a'' + d,   M = M_aa - M_au M_uu^-1 M_ua,   J = J_a - J_u M_uu^-1 M_ua,

J being the generalised Jacobian of an arm on a free base (Umetani & Yoshida 1989); with none it is the arm's own. Then
q_a'' = b + W^-1 J^T (J W^-1 J^T)^-1 (x''_wanted - d - J b), W = M ("inertia") or 1, b the wish of the null space.
"""

from __future__ import annotations

from ..compiler import gate, kernel
from ..composite import composite_mass_matrix
from ..kinematics import kinematics
from ..markers import marker_acceleration, marker_jacobian, marker_state
from ..scalar import clip
from ..spatial import quaternion_matrix, rotate
from .dense import cholesky, cholesky_solve
from .mapping import bias_efforts, gather, reference
from .task import felt_wrench, task_errors, task_reference

# head of p
NQ, NV, NA, NU, NF, NT, Q_MAP, Q_REST, V_MAP, MARKER = range(10)
DRIVEN, DRIVEN_V, DRIVEN_Q, FREE, STRAIGHT, DIRECTIONS = range(10, 16)
MASS_INVERSE, DAMPING, STIFFNESS, COMPLIANCE, LIMIT = range(16, 21)
PATH, PATH_AT, FRAME, TIP, CONTACT, OFFSET, SHAPED = range(21, 28)
FORCE, RATE, BOUND, SINCE, WEIGHTED, SINGULAR, NULL_DAMPING, NULL_STIFFNESS, POSTURE = range(28, 37)
FAST, ROOT, ELASTIC, ELASTIC_Q, ELASTIC_V, POSES, POSE, GAINS, SAGS = range(37, 46)
HEAD = 46

SMALL = 48  # scratch of fixed size


def scratch(nq: int, nv: int, na: int, nu: int, nt: int, nf: int) -> int:
    """Floats of scratch that the law wants."""
    square = nv * nv + na * na + nu * nu + nt * nt * 2
    return nq + 6 * nv + 6 * nv + square + nu * (na + 1) + 3 * na + 2 * na * nt + 3 * nt + 2 * nf + SMALL


@kernel
def cut(x, at, size):
    """`size` numbers of the scratch from `at` on, and where the next ones begin."""
    return x[at : at + size], at + size


@kernel
def damped_factor(B, L, scale, singular):
    """Cholesky factor of B, damped where B is nearly singular (Nakamura & Hanafusa 1986).

    The measure is the least pivot over `scale`, the largest diagonal of its kind. Below `singular`, the square of
    1 - measure / singular, times singular and scale, is added to the diagonal.
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


@gate
def impedance(control, cws, x, t, q, v, z, s, p, effort, dz):
    """Impedance or Cartesian feedback linearisation, and the fast loop of composite control where it has gains."""
    nq, nv, na, nu, nf, nt = int(p[NQ]), int(p[NV]), int(p[NA]), int(p[NU]), int(p[NF]), int(p[NT])
    marker = int(p[MARKER])
    driven, free, straight = int(p[DRIVEN]), int(p[FREE]), int(p[STRAIGHT])
    directions = int(p[DIRECTIONS])

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

    gather(p, int(p[Q_MAP]), int(p[Q_REST]), int(p[V_MAP]), q, v, qc, vc)
    kinematics(control, cws, qc, vc)
    bias_efforts(control, cws, qc, vc, nothing, passive, h)
    marker_state(control, cws, marker, qc, vc, motion, 0)
    marker_acceleration(control, cws, marker, qc, vc, nothing, d6)
    marker_jacobian(control, cws, marker, qc, vc, J)
    composite_mass_matrix(control, cws, M)

    # what the tip does to its surroundings enters the equations of motion, h + J^T f, and the impedance
    for r in range(6):
        wrench[r] = 0.0
    if int(p[CONTACT]) >= 0:
        R = quaternion_matrix(motion[3], motion[4], motion[5], motion[6])
        o = int(p[OFFSET])
        arm = rotate(R, (p[o], p[o + 1], p[o + 2]))
        moment, force = felt_wrench(s, int(p[CONTACT]), arm)
        wrench[0], wrench[1], wrench[2] = -moment[0], -moment[1], -moment[2]
        wrench[3], wrench[4], wrench[5] = -force[0], -force[1], -force[2]
        for k in range(nv):
            for r in range(6):
                h[k] += J[r, k] * wrench[r]

    if int(p[TIP]) >= 0:
        for i in range(13):
            motion[i] = s[int(p[TIP]) + i]
    target = task_reference(p, int(p[PATH]), int(p[PATH_AT]), t, s, int(p[FRAME]))
    task_errors(motion, 0, target, e6, de6, a6)

    # free coordinates are eliminated
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

    # acceleration that the tip should have: A^-1 (Kd e' + Kp e - f), a wanted force being an offset of the reference
    w, at = cut(x, at, nt)
    push, at = cut(x, at, nt)
    inverse, damping, stiffness, compliance = (
        int(p[MASS_INVERSE]),
        int(p[DAMPING]),
        int(p[STIFFNESS]),
        int(p[COMPLIANCE]),
    )
    for i in range(nt):
        offset, offset_rate, offset_acceleration, missing = 0.0, 0.0, 0.0, 0.0
        for j in range(nt):
            f, df, ddf = reference(p, int(p[FORCE]), j, t)
            c = p[compliance + i * nt + j]
            offset += c * f
            offset_rate += c * df
            offset_acceleration += c * ddf
            missing += c * (f - wrench[int(p[directions + j])])
        r = int(p[directions + i])
        e6[r] += offset
        de6[r] += offset_rate
        a6[r] += offset_acceleration
        if z.size > 0:
            bound = p[int(p[BOUND]) + i]
            e6[r] += clip(z[i], -bound, bound)
            rate = p[RATE] * missing if t >= p[SINCE] else 0.0
            if (z[i] >= bound and rate > 0.0) or (z[i] <= -bound and rate < 0.0):
                rate = 0.0
            dz[i] = rate
    for i in range(nt):
        push[i] = -p[SHAPED] * wrench[int(p[directions + i])]
        for j in range(nt):
            r = int(p[directions + j])
            push[i] += p[damping + i * nt + j] * de6[r] + p[stiffness + i * nt + j] * e6[r]
    for i in range(nt):
        w[i] = a6[int(p[directions + i])] - drift[i]
        for j in range(nt):
            w[i] += p[inverse + i * nt + j] * push[j]

    # accelerations of the driven coordinates
    b, at = cut(x, at, na)
    flat, at = cut(x, at, na * nt)
    Y = flat.reshape(na, nt)
    flat, at = cut(x, at, nt * nt)
    B = flat.reshape(nt, nt)
    flat, at = cut(x, at, nt * nt)
    L = flat.reshape(nt, nt)
    for j in range(na):
        k, l = int(p[int(p[DRIVEN_V]) + j]), int(p[int(p[DRIVEN_Q]) + j])
        b[j] = p[NULL_STIFFNESS] * (p[int(p[POSTURE]) + j] - q[l]) - p[NULL_DAMPING] * v[k]
        for i in range(nt):
            w[i] -= Ja[i, j] * b[j]
            Y[j, i] = Ja[i, j]
    tau, at = cut(x, at, na)
    if p[WEIGHTED] == 1.0:
        for i in range(na):  # the factor goes below the diagonal, Ma itself is read above
            tau[i] = Ma[i, i]
        cholesky(Ma)
        cholesky_solve(Ma, Y)
        for i in range(na):
            Ma[i, i] = tau[i]
            for j in range(i):
                Ma[i, j] = Ma[j, i]
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
    damped_factor(B, L, push, p[SINGULAR])
    cholesky_solve(L, w.reshape(nt, 1))
    for j in range(na):
        for i in range(nt):
            b[j] += Y[j, i] * w[i]
    for i in range(na):
        tau[i] = ha[i]
        for j in range(na):
            tau[i] += Ma[i, j] * b[j]
    if p[FAST] == 1.0:
        eta, at = cut(x, at, 2 * nf)
        fast_loop(p, q, v, h, M, b, X, eta, na, nu, nf, driven, free, straight, tau)
    for j in range(na):
        limit = p[int(p[LIMIT]) + j]
        effort[int(p[int(p[DRIVEN_V]) + j])] += clip(tau[j], -limit, limit)


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
    elastic = int(p[ELASTIC])
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
    for i in range(nf):
        eta[i] = 0.0
        for j in range(nf):
            sag = p[sags + i * nf + j]
            if part > 0.0:
                sag += part * (p[sags + nf * nf + i * nf + j] - sag)
            eta[i] += sag * eta[nf + j] + p[elastic + i * nf + j] * q[int(p[int(p[ELASTIC_Q]) + j])]
    for i in range(nf):
        rate = 0.0
        for j in range(nf):
            rate += p[elastic + i * nf + j] * v[int(p[int(p[ELASTIC_V]) + j])]
        eta[nf + i] = p[ROOT] * rate
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
    count, pose, index = int(p[POSES]), int(p[POSE]), int(p[DRIVEN_Q])
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
