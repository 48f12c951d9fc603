"""Force-moment accommodation: a rate command that yields to the measured force, resolved to joint rates."""

from __future__ import annotations

from ..compiler import entry_point, kernel
from ..linalg.small_dense import cholesky_solve
from ..model_arrays import ModelArrays, Workspace
from ..scalar import clip
from ..signatures import Vector
from ..spatial import quaternion_matrix, rotate, rotate_back
from ..tree.kinematics import kinematics
from ..tree.markers import marker_jacobian, marker_state
from .impedance import cut, damped_factor
from .mapping import entry, gather, number, reference
from .task import sensed_wrench

# head of p
(
    GIVE_NQ,
    GIVE_NV,
    GIVE_NA,
    GIVE_NT,
    GIVE_Q_MAP,
    GIVE_Q_REST,
    GIVE_V_MAP,
    GIVE_MARKER,
    GIVE_DRIVEN,
    GIVE_DRIVEN_V,
    GIVE_DRIVEN_Q,
    GIVE_DIRECTIONS,
) = range(12)
COMMAND, GAIN, GIVE_WANTED, DEAD, RATE_LIMIT, FORCE_LIMIT, GIVE_KP, GIVE_KD, GIVE_LIMIT, TOOL, GIVE_SINGULAR, FILTER = (
    range(12, 24)
)
GIVE_CONTACTS, CONTACT_AT, GIVE_CONTROLLED_Q = range(24, 27)
GIVE_HEAD = 27


def scratch(nq: int, nv: int, na: int, nt: int) -> int:
    """Floats of scratch that the law wants."""
    return nq + 7 * nv + 13 + 6 + 2 * nt + na * nt + 2 * nt * nt


@kernel
def beyond(x, dead):
    """What of x is beyond a dead zone of half-width `dead`."""
    return x - clip(x, -dead, dead)


@entry_point
def accommodate(
    control: ModelArrays, cws: Workspace, x: Vector, t: float, q: Vector, v: Vector, z: Vector, s: Vector, p: Vector,
    effort: Vector, dz: Vector,
) -> None:  # fmt: skip
    """Rates (angular, linear) = command + gain (wrench - wanted), cut to their limits, by damped least squares to
    joints.

    z = (joint angles commanded, then the filtered force and moment where there is a filter); the servo is
    kp (z - q) + kd (z' - v). A direction in which the force is beyond its limit takes no command that would raise it.
    """
    nq, nv, na, nt = int(p[GIVE_NQ]), int(p[GIVE_NV]), int(p[GIVE_NA]), int(p[GIVE_NT])
    # scratch
    qc, at = cut(x, 0, nq)
    vc, at = cut(x, at, nv)
    flat, at = cut(x, at, 6 * nv)
    J = flat.reshape(6, nv)
    motion, at = cut(x, at, 13)
    wrench, at = cut(x, at, 6)
    rate, at = cut(x, at, nt)
    scale, at = cut(x, at, nt)
    flat, at = cut(x, at, na * nt)
    Jt = flat.reshape(nt, na)
    flat, at = cut(x, at, nt * nt)
    B = flat.reshape(nt, nt)
    flat, at = cut(x, at, nt * nt)
    L = flat.reshape(nt, nt)

    # the control model where the joints are commanded to be
    gather(p, int(p[GIVE_Q_MAP]), int(p[GIVE_Q_REST]), int(p[GIVE_V_MAP]), q, v, qc, vc)
    for j in range(na):  # along the commanded joints, so that the servo's lag does not turn the command
        qc[entry(p, GIVE_CONTROLLED_Q, j)] = z[j]
    kinematics(control, cws, qc, vc)
    marker_state(control, cws, int(p[GIVE_MARKER]), qc, vc, motion, 0)
    marker_jacobian(control, cws, int(p[GIVE_MARKER]), qc, vc, J)
    R = quaternion_matrix(motion[3], motion[4], motion[5], motion[6])

    # wrench at the tip, of all contacts, in the axes of the directions, filtered
    for i in range(6):
        wrench[i] = 0.0
    for c in range(int(p[GIVE_CONTACTS])):
        o = int(p[CONTACT_AT]) + 4 * c
        moment, force = sensed_wrench(s, int(p[o]), rotate(R, (p[o + 1], p[o + 2], p[o + 3])))
        wrench[0] += moment[0]
        wrench[1] += moment[1]
        wrench[2] += moment[2]
        wrench[3] += force[0]
        wrench[4] += force[1]
        wrench[5] += force[2]
    tool = p[TOOL] == 1.0
    if tool:
        wrench[0], wrench[1], wrench[2] = rotate_back(R, (wrench[0], wrench[1], wrench[2]))
        wrench[3], wrench[4], wrench[5] = rotate_back(R, (wrench[3], wrench[4], wrench[5]))
        for k in range(nv):
            J[0, k], J[1, k], J[2, k] = rotate_back(R, (J[0, k], J[1, k], J[2, k]))
            J[3, k], J[4, k], J[5, k] = rotate_back(R, (J[3, k], J[4, k], J[5, k]))
    if p[FILTER] > 0.0:
        for i in range(6):
            dz[na + i] = (wrench[i] - z[na + i]) / p[FILTER]
            wrench[i] = z[na + i]

    # rates by direction: command and give, each within its limits
    directions = int(p[GIVE_DIRECTIONS])
    turning, largest = 0.0, 0.0
    for i in range(nt):
        r = int(p[directions + i])
        command, _, _ = reference(p, int(p[COMMAND]), i, t)
        wanted, _, _ = reference(p, int(p[GIVE_WANTED]), i, t)
        most = number(p, FORCE_LIMIT, i)
        if (wrench[r] > most and command < 0.0) or (wrench[r] < -most and command > 0.0):
            command = 0.0
        limit = number(p, RATE_LIMIT, i)
        give = number(p, GAIN, i) * beyond(wrench[r] - wanted, number(p, DEAD, i))
        rate[i] = clip(command + give, -limit, limit)
        for j in range(na):
            Jt[i, j] = J[r, entry(p, GIVE_DRIVEN, j)]
    # joint rates J^T (J J^T + damping)^-1 rate; turning and moving are damped by their own sizes
    for i in range(nt):
        for j in range(nt):
            B[i, j] = 0.0
            for k in range(na):
                B[i, j] += Jt[i, k] * Jt[j, k]
        if int(p[directions + i]) < 3:
            turning = max(turning, B[i, i])
        else:
            largest = max(largest, B[i, i])
    for i in range(nt):
        scale[i] = turning if int(p[directions + i]) < 3 else largest
    damped_factor(B, L, scale, p[GIVE_SINGULAR])
    cholesky_solve(L, rate.reshape(nt, 1))
    # the servo follows the commanded joints
    for j in range(na):
        dz[j] = 0.0
        for i in range(nt):
            dz[j] += Jt[i, j] * rate[i]
        k, l = entry(p, GIVE_DRIVEN_V, j), entry(p, GIVE_DRIVEN_Q, j)
        servo = number(p, GIVE_KP, j) * (z[j] - q[l]) + number(p, GIVE_KD, j) * (dz[j] - v[k])
        limit = number(p, GIVE_LIMIT, j)
        effort[k] += clip(servo, -limit, limit)
