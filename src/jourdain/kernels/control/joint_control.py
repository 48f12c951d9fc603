"""Laws of single joints: PID with feedforward, saturation and anti-windup; a pair of antagonistic tendons."""

from __future__ import annotations

from ..compiler import entry_point, kernel
from ..model_arrays import ModelArrays, Workspace
from ..scalar import clip, positive
from ..signatures import Vector
from ..tree.kinematics import kinematics
from .mapping import bias_efforts, entry, gather, hybrid_efforts, number, reference

# head of p
SERVO_COUNT, SERVO_Q, SERVO_V, SERVO_KP, SERVO_KD, SERVO_KI, SERVO_TRACKING, SERVO_LIMIT, SERVO_REFERENCE = range(9)
SERVO_FEED, SERVO_NQ, SERVO_NV, SERVO_Q_MAP, SERVO_Q_REST, SERVO_V_MAP = range(9, 15)
SERVO_CONTROLLED, SERVO_CONTROLLED_Q = range(15, 17)
SERVO_HEAD = 17

SERVO_GRAVITY, SERVO_ALONG = 1, 2


@kernel
def servo(t, q, v, z, p, i, feed, dz):
    """Effort of joint i: kp e + kd e' + ki z + feed, cut to its limit.

    z' = e + (cut - wanted) / (ki T): back-calculation, the integral lets go within T while the effort is cut
    (Astrom & Hagglund 2006, section 3.5).
    """
    x, rate, _ = reference(p, int(p[SERVO_REFERENCE]), i, t)
    e = x - q[entry(p, SERVO_Q, i)]
    de = rate - v[entry(p, SERVO_V, i)]
    wanted = number(p, SERVO_KP, i) * e + number(p, SERVO_KD, i) * de + feed
    ki = number(p, SERVO_KI, i)
    limit = number(p, SERVO_LIMIT, i)
    if z.size > 0:
        wanted += ki * z[i]
        cut = clip(wanted, -limit, limit)
        dz[i] = 0.0
        if ki > 0.0:
            dz[i] = e + (cut - wanted) / (ki * number(p, SERVO_TRACKING, i))
        return cut
    return clip(wanted, -limit, limit)


@entry_point
def pid(t: float, q: Vector, v: Vector, z: Vector, s: Vector, p: Vector, effort: Vector, dz: Vector) -> None:
    """PID of every joint."""
    for i in range(int(p[SERVO_COUNT])):
        effort[entry(p, SERVO_V, i)] += servo(t, q, v, z, p, i, 0.0, dz)


@entry_point
def pid_with_model(
    control: ModelArrays, cws: Workspace, x: Vector, t: float, q: Vector, v: Vector, z: Vector, s: Vector, p: Vector,
    effort: Vector, dz: Vector,
) -> None:  # fmt: skip
    """PID of every joint, with the effort that the control model asks for.

    GRAVITY    what holds it where it is, at rest
    SERVO_ALONG      what moves the joints along their references, the other coordinates free (hybrid dynamics)
    """
    nq, nv = int(p[SERVO_NQ]), int(p[SERVO_NV])
    qc, vc = x[:nq], x[nq : nq + nv]
    tau = x[nq + nv : nq + 2 * nv]
    acceleration = x[nq + 2 * nv : nq + 3 * nv]
    passive = x[nq + 3 * nv : nq + 4 * nv]
    gather(p, int(p[SERVO_Q_MAP]), int(p[SERVO_Q_REST]), int(p[SERVO_V_MAP]), q, v, qc, vc)
    n, controlled = int(p[SERVO_COUNT]), int(p[SERVO_CONTROLLED])
    if int(p[SERVO_FEED]) == SERVO_GRAVITY:
        for k in range(nv):
            vc[k] = 0.0
        kinematics(control, cws, qc, vc)
        bias_efforts(control, cws, qc, vc, acceleration, passive, tau)
    else:
        for k in range(nv):
            cws.known[k] = 0
        for i in range(n):
            k = int(p[controlled + i])
            cws.known[k] = 1
            qc[entry(p, SERVO_CONTROLLED_Q, i)], vc[k], acceleration[k] = reference(p, int(p[SERVO_REFERENCE]), i, t)
        hybrid_efforts(control, cws, qc, vc, acceleration, tau, passive)
    for i in range(n):
        feed = tau[int(p[controlled + i])]
        effort[entry(p, SERVO_V, i)] += servo(t, q, v, z, p, i, feed, dz)


# head of p of the tendons
PAIR_Q, PAIR_V, TENDON_RADIUS, TENDON_LINEAR, QUADRATIC, TENDON_DAMPING, PAIR_REFERENCE, CO_CONTRACTION = range(8)
PAIR_HEAD = 8


@kernel
def tendon(stretch, k1, k2):
    """Force of a tendon that hardens: k1 d + k2 d^2, none when it is slack [N]."""
    d = positive(stretch)
    return d * (k1 + k2 * d)


@entry_point
def antagonists(t: float, q: Vector, v: Vector, z: Vector, s: Vector, p: Vector, effort: Vector, dz: Vector) -> None:
    """Two tendons on a pulley, pulling against each other (Kostadinov & Boiadjiev 2002).

    With the co-contraction d0 and e = reference - angle, they are stretched by d0 + r e and d0 - r e. Near e = 0 the
    joint has the stiffness 2 r^2 (k1 + 2 k2 d0), and no torque comes from d0 itself.
    """
    j, k = int(p[PAIR_Q]), int(p[PAIR_V])
    x, rate, _ = reference(p, int(p[PAIR_REFERENCE]), 0, t)
    slack, _, _ = reference(p, int(p[CO_CONTRACTION]), 0, t)
    r = p[TENDON_RADIUS]
    stretch = r * (x - q[j])
    agonist = tendon(slack + stretch, p[TENDON_LINEAR], p[QUADRATIC])
    antagonist = tendon(slack - stretch, p[TENDON_LINEAR], p[QUADRATIC])
    effort[k] += r * (agonist - antagonist) + p[TENDON_DAMPING] * (rate - v[k])
