"""A pilot's commands: rates of an arm's tip resolved to its joints, rates of joints, turning and thrust of the craft.

The commands are rows of a table, one row a period: a `PilotCommand`, then rates of the joints. Whoever steps the model
by hand has a table of one row and writes there.
"""

from __future__ import annotations

import math

from ..algebra import Motion, Vec3, Wrench, rotation_matrix
from ..compiler import entry_point, kernel
from ..flat_arrays import add_value, put_value, quaternion_at, vector_at
from ..linalg.small_dense import cholesky_solve
from ..model_arrays import ModelArrays, Workspace
from ..parameter_rows import Block, Parameters
from ..scalar import clip
from ..signatures import Vector
from ..tree.kinematics import kinematics
from ..tree.markers import column_motion, lay_motion, marker_jacobian, marker_state
from .impedance import cut, damped_factor
from .mapping import ServoedJoints, gather


class PilotCommand(Parameters):
    """What a row of commands begins with; rates of the joints are behind it."""

    tip: Motion  # rates of the tip: turning [rad/s], then moving [m/s], in its own axes
    craft_turn: Vec3  # turning rates of the craft, in its axes [rad/s]
    craft_push: Vec3  # thrust, in its axes [N]


class PilotParameters(ServoedJoints):
    """The servo of the joints has kp [N m/rad] and kd [N m s/rad]."""

    marker: int  # the tip
    singular: float
    craft: int  # first of its six entries of v, -1 for none
    turn_gain: float  # [N m s/rad]
    turn_limit: float  # [N m]
    period: float  # of the rows of commands [s]
    late: float  # after which the first row begins [s]
    commands: Block[float]  # (rows, PilotCommand.size + joints)


TASK, JOINT_RATES = 6, PilotCommand.size


def scratch(nq: int, nv: int, joints: int) -> int:
    """Floats of scratch that the law wants."""
    return nq + 7 * nv + 13 + 2 * TASK + joints * TASK + 2 * TASK * TASK


@kernel
def command_place(law, t):
    """Where in the table the commands of time t begin."""
    width = JOINT_RATES + len(law.controlled)
    row = int(math.floor((t - law.late) / law.period))
    return min(max(row, 0), law.commands.size // width - 1) * width


@kernel
def craft_efforts(law, command, v, effort):
    """Thrust, and a turning moment gain (wanted - rate) within its limit, on the six entries of a free joint."""
    first = law.craft
    if first >= 0:
        limit = law.turn_limit
        moment = law.turn_gain * (command.craft_turn - vector_at(v, first))
        moment = Vec3(clip(moment.x, -limit, limit), clip(moment.y, -limit, limit), clip(moment.z, -limit, limit))
        add_value(effort, first, Wrench(moment, command.craft_push))


@entry_point
def fly(
    control: ModelArrays, cws: Workspace, x: Vector, t: float, q: Vector, v: Vector, z: Vector, s: Vector, p: Vector,
    effort: Vector, dz: Vector,
) -> None:  # fmt: skip
    """Joint rates J^T (J J^T + damping)^-1 (tip rates) + (joint rates), and a servo of the joints that follows them.

    z = joint angles commanded. J is of the joints alone: tip rates are relative to the craft (Whitney 1969; damped near
    singular poses as Nakamura & Hanafusa 1986). A command stops where the servo is at its limit and would go further.
    """
    law = PilotParameters(p)
    nq, nv, na = len(law.q_map), len(law.v_map), len(law.controlled)
    # scratch
    qc, at = cut(x, 0, nq)
    vc, at = cut(x, at, nv)
    flat, at = cut(x, at, 6 * nv)
    J = flat.reshape(6, nv)
    motion, at = cut(x, at, 13)
    rate, at = cut(x, at, TASK)
    scale, at = cut(x, at, TASK)
    flat, at = cut(x, at, na * TASK)
    Jt = flat.reshape(TASK, na)
    flat, at = cut(x, at, TASK * TASK)
    B = flat.reshape(TASK, TASK)
    flat, at = cut(x, at, TASK * TASK)
    L = flat.reshape(TASK, TASK)

    # Jacobian of the tip where the joints are commanded to be, in the tip's axes
    gather(law, q, v, qc, vc)
    for j in range(na):
        qc[law.controlled_q[j]] = z[j]
    kinematics(control, cws, qc, vc)
    marker_state(control, cws, law.marker, qc, vc, motion, 0)
    marker_jacobian(control, cws, law.marker, qc, vc, J)
    R = rotation_matrix(quaternion_at(motion, 3))
    for j in range(na):
        S = column_motion(J, law.controlled[j])
        lay_motion(Jt, j, Motion(R.T @ S.angular, R.T @ S.linear))

    # joint rates; turning and moving are damped by their own sizes
    row = law.commands[command_place(law, t) :]
    command = PilotCommand(row)
    put_value(rate, 0, command.tip)
    turning, largest = 0.0, 0.0
    for i in range(TASK):
        for j in range(TASK):
            B[i, j] = 0.0
            for k in range(na):
                B[i, j] += Jt[i, k] * Jt[j, k]
        if i < 3:
            turning = max(turning, B[i, i])
        else:
            largest = max(largest, B[i, i])
    for i in range(TASK):
        scale[i] = turning if i < 3 else largest
    damped_factor(B, L, scale, law.singular)
    cholesky_solve(L, rate.reshape(TASK, 1))

    # the servo follows the commanded joints
    for j in range(na):
        dz[j] = row[JOINT_RATES + j]
        for i in range(TASK):
            dz[j] += Jt[i, j] * rate[i]
        k, l = law.v[j], law.q[j]
        lead, limit = law.kp[j] * (z[j] - q[l]), law.limit[j]
        if (lead > limit and dz[j] > 0.0) or (lead < -limit and dz[j] < 0.0):
            dz[j] = 0.0
        effort[k] += clip(lead + law.kd[j] * (dz[j] - v[k]), -limit, limit)
    craft_efforts(law, command, v, effort)
