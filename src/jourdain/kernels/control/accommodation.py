"""Force-moment accommodation: a rate command that yields to the measured force, resolved to joint rates."""

from __future__ import annotations

from ..algebra import Motion, Vec3, Wrench, rotation_matrix
from ..compiler import entry_point, kernel
from ..flat_arrays import add_value, put_value, quaternion_at, wrench_at
from ..linalg.small_dense import cholesky_solve
from ..model_arrays import ModelArrays, Workspace
from ..parameter_rows import Block, Parameters
from ..scalar import clip
from ..signatures import Vector
from ..tree.kinematics import kinematics
from ..tree.markers import column_motion, lay_motion, marker_jacobian, marker_state
from .impedance import cut, damped_factor
from .mapping import Profile, ServoedJoints, gather, reference
from .task import sensed_wrench


class MeasuredContact(Parameters):
    """A contact of the tip."""

    at: int  # where in s its force begins
    offset: Vec3  # from the tip to the origin of its shape, in the tip's axes [m]


class AccommodationParameters(ServoedJoints):
    """By direction but for the joints, whose servo has kp [N m/rad] and kd [N m s/rad]."""

    marker: int  # the tip
    directions: Block[int]  # 0 to 5: rotations, translations
    command: Block[Profile]  # [rad/s, m/s]
    gain: Block[float]  # [rad/s per N m, m/s per N]
    force: Block[Profile]  # wanted [N m, N]
    dead_zone: Block[float]  # half-width [N m, N]
    rate_limit: Block[float]  # [rad/s, m/s]
    force_limit: Block[float]  # [N m, N]
    tool: bool  # whether directions are those of the tip's axes
    singular: float
    filter: float  # time constant of the force measurement [s], 0 for none
    contacts: Block[MeasuredContact]


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
    law = AccommodationParameters(p)
    directions = law.directions
    nq, nv, na, nt = len(law.q_map), len(law.v_map), len(law.controlled), len(directions)
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
    gather(law, q, v, qc, vc)
    for j in range(na):  # along the commanded joints, so that the servo's lag does not turn the command
        qc[law.controlled_q[j]] = z[j]
    kinematics(control, cws, qc, vc)
    marker_state(control, cws, law.marker, qc, vc, motion, 0)
    marker_jacobian(control, cws, law.marker, qc, vc, J)
    R = rotation_matrix(quaternion_at(motion, 3))

    # wrench at the tip, of all contacts, in the axes of the directions, filtered
    wrench[:] = 0.0
    for c in range(len(law.contacts)):
        one = law.contacts[c]
        add_value(wrench, 0, sensed_wrench(s, one.at, R @ one.offset))
    if law.tool:
        f = wrench_at(wrench, 0)
        put_value(wrench, 0, Wrench(R.T @ f.moment, R.T @ f.force))
        for k in range(nv):
            S = column_motion(J, k)
            lay_motion(J, k, Motion(R.T @ S.angular, R.T @ S.linear))
    if law.filter > 0.0:
        for i in range(6):
            dz[na + i] = (wrench[i] - z[na + i]) / law.filter
            wrench[i] = z[na + i]

    # rates by direction: command and give, each within its limits
    turning, largest = 0.0, 0.0
    for i in range(nt):
        r = directions[i]
        command, _, _ = reference(law.command[i], t)
        wanted, _, _ = reference(law.force[i], t)
        most = law.force_limit[i]
        if (wrench[r] > most and command < 0.0) or (wrench[r] < -most and command > 0.0):
            command = 0.0
        limit = law.rate_limit[i]
        give = law.gain[i] * beyond(wrench[r] - wanted, law.dead_zone[i])
        rate[i] = clip(command + give, -limit, limit)
        for j in range(na):
            Jt[i, j] = J[r, law.controlled[j]]
    # joint rates J^T (J J^T + damping)^-1 rate; turning and moving are damped by their own sizes
    for i in range(nt):
        for j in range(nt):
            B[i, j] = 0.0
            for k in range(na):
                B[i, j] += Jt[i, k] * Jt[j, k]
        if directions[i] < 3:
            turning = max(turning, B[i, i])
        else:
            largest = max(largest, B[i, i])
    for i in range(nt):
        scale[i] = turning if directions[i] < 3 else largest
    damped_factor(B, L, scale, law.singular)
    cholesky_solve(L, rate.reshape(nt, 1))
    # the servo follows the commanded joints
    for j in range(na):
        dz[j] = 0.0
        for i in range(nt):
            dz[j] += Jt[i, j] * rate[i]
        k, l = law.v[j], law.q[j]
        servo = law.kp[j] * (z[j] - q[l]) + law.kd[j] * (dz[j] - v[k])
        limit = law.limit[j]
        effort[k] += clip(servo, -limit, limit)
