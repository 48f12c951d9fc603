"""Laws of single joints: PID with feedforward, saturation and anti-windup; a pair of antagonistic tendons."""

from __future__ import annotations

from ..compiler import entry_point, kernel
from ..model_arrays import ModelArrays, Workspace
from ..parameter_rows import Block, Parameters, Part
from ..scalar import clip, positive
from ..signatures import Vector
from ..tree.kinematics import kinematics
from .mapping import FollowingJoints, Profile, bias_efforts, gather, hybrid_efforts, reference

SERVO_GRAVITY, SERVO_ALONG = 1, 2


class ServoParameters(FollowingJoints):
    """PID of joints: kp [N m/rad or N/m], kd [N m s/rad or N s/m]; the control model is of the feedforward."""

    ki: Block[float]  # [N m/(rad s) or N/(m s)]
    tracking: Block[float]  # time within which the integral lets go while the effort is cut [s]
    feedforward: int  # 0, SERVO_GRAVITY or SERVO_ALONG


@kernel
def servo(t, q, v, z, law, i, feed, dz):
    """Effort of joint i: kp e + kd e' + ki z + feed, cut to its limit.

    z' = e + (cut - wanted) / (ki T): back-calculation, the integral lets go within T while the effort is cut
    (Astrom & Hagglund 2006, section 3.5).
    """
    x, rate, _ = reference(law.reference[i], t)
    e = x - q[law.q[i]]
    de = rate - v[law.v[i]]
    wanted = law.kp[i] * e + law.kd[i] * de + feed
    ki = law.ki[i]
    limit = law.limit[i]
    if z.size > 0:
        wanted += ki * z[i]
        cut = clip(wanted, -limit, limit)
        dz[i] = 0.0
        if ki > 0.0:
            dz[i] = e + (cut - wanted) / (ki * law.tracking[i])
        return cut
    return clip(wanted, -limit, limit)


@entry_point
def pid(t: float, q: Vector, v: Vector, z: Vector, s: Vector, p: Vector, effort: Vector, dz: Vector) -> None:
    """PID of every joint."""
    law = ServoParameters(p)
    for i in range(len(law.q)):
        effort[law.v[i]] += servo(t, q, v, z, law, i, 0.0, dz)


@entry_point
def pid_with_model(
    control: ModelArrays, cws: Workspace, x: Vector, t: float, q: Vector, v: Vector, z: Vector, s: Vector, p: Vector,
    effort: Vector, dz: Vector,
) -> None:  # fmt: skip
    """PID of every joint, with the effort that the control model asks for.

    SERVO_GRAVITY    what holds it where it is, at rest
    SERVO_ALONG      what moves the joints along their references, the other coordinates free (hybrid dynamics)
    """
    law = ServoParameters(p)
    nq, nv = len(law.q_map), len(law.v_map)
    qc, vc = x[:nq], x[nq : nq + nv]
    tau = x[nq + nv : nq + 2 * nv]
    acceleration = x[nq + 2 * nv : nq + 3 * nv]
    passive = x[nq + 3 * nv : nq + 4 * nv]
    gather(law, q, v, qc, vc)
    n = len(law.q)
    if law.feedforward == SERVO_GRAVITY:
        for k in range(nv):
            vc[k] = 0.0
        kinematics(control, cws, qc, vc)
        bias_efforts(control, cws, qc, vc, acceleration, passive, tau)
    else:
        for k in range(nv):
            cws.known[k] = 0
        for i in range(n):
            k = law.controlled[i]
            cws.known[k] = 1
            qc[law.controlled_q[i]], vc[k], acceleration[k] = reference(law.reference[i], t)
        hybrid_efforts(control, cws, qc, vc, acceleration, tau, passive)
    for i in range(n):
        effort[law.v[i]] += servo(t, q, v, z, law, i, tau[law.controlled[i]], dz)


class TendonParameters(Parameters):
    """Two tendons on the pulley of a joint."""

    q: int
    v: int
    radius: float  # of the pulley [m]
    linear: float  # k1 [N/m]
    quadratic: float  # k2 [N/m^2]
    damping: float  # [N m s/rad]
    reference: Part[Profile]
    co_contraction: Part[Profile]


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
    law = TendonParameters(p)
    x, rate, _ = reference(law.reference, t)
    slack, _, _ = reference(law.co_contraction, t)
    r = law.radius
    stretch = r * (x - q[law.q])
    agonist = tendon(slack + stretch, law.linear, law.quadratic)
    antagonist = tendon(slack - stretch, law.linear, law.quadratic)
    effort[law.v] += r * (agonist - antagonist) + law.damping * (rate - v[law.v])
