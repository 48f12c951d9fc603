"""A pilot's commands: rates of an arm's tip resolved to its joints, rates of joints, turning and thrust of the craft.

The commands are rows of a table, one row a period. A row: turning rates of the tip (3) [rad/s] and its velocity (3)
[m/s] in the tip's own axes; turning rates of the craft (3) [rad/s] and thrust (3) [N] in the craft's axes; joint rates.
Whoever steps the model by hand has a table of one row and writes there.
"""

from __future__ import annotations

import math

from ..compiler import entry_point, kernel
from ..linalg.small_dense import cholesky_solve
from ..model_arrays import ModelArrays, Workspace
from ..scalar import clip
from ..signatures import Vector
from ..spatial import quaternion_matrix, rotate_back
from ..tree.kinematics import kinematics
from ..tree.markers import marker_jacobian, marker_state
from .impedance import cut, damped_factor
from .mapping import entry, gather, number

# head of p
(
    FLY_NQ,
    FLY_NV,
    FLY_JOINTS,
    FLY_Q_MAP,
    FLY_Q_REST,
    FLY_V_MAP,
    FLY_MARKER,
    FLY_DRIVEN,
    FLY_CONTROLLED_Q,
    FLY_DRIVEN_V,
    FLY_DRIVEN_Q,
    FLY_KP,
    FLY_KD,
    FLY_LIMIT,
    FLY_SINGULAR,
    FLY_CRAFT,
    FLY_TURN_GAIN,
    FLY_TURN_LIMIT,
    FLY_PERIOD,
    FLY_LATE,
    FLY_ROWS,
    FLY_TABLE,
) = range(22)
FLY_HEAD = 22
TIP, CRAFT_TURN, CRAFT_PUSH, JOINT_RATES = 0, 6, 9, 12
"""Where what begins in a row of commands."""
TASK = 6


def scratch(nq: int, nv: int, joints: int) -> int:
    """Floats of scratch that the law wants."""
    return nq + 7 * nv + 13 + 2 * TASK + joints * TASK + 2 * TASK * TASK


@kernel
def command_row(p, t):
    """Where in p the commands of time t begin."""
    row = int(math.floor((t - p[FLY_LATE]) / p[FLY_PERIOD]))
    row = min(max(row, 0), int(p[FLY_ROWS]) - 1)
    return int(p[FLY_TABLE]) + row * (JOINT_RATES + int(p[FLY_JOINTS]))


@kernel
def craft_efforts(p, at, v, effort):
    """Thrust, and a turning moment gain (wanted - rate) within its limit, on the six entries of a free joint."""
    first = int(p[FLY_CRAFT])
    if first >= 0:
        limit = p[FLY_TURN_LIMIT]
        for i in range(3):
            effort[first + i] += clip(p[FLY_TURN_GAIN] * (p[at + CRAFT_TURN + i] - v[first + i]), -limit, limit)
            effort[first + 3 + i] += p[at + CRAFT_PUSH + i]


@entry_point
def fly(
    control: ModelArrays, cws: Workspace, x: Vector, t: float, q: Vector, v: Vector, z: Vector, s: Vector, p: Vector,
    effort: Vector, dz: Vector,
) -> None:  # fmt: skip
    """Joint rates J^T (J J^T + damping)^-1 (tip rates) + (joint rates), and a servo of the joints that follows them.

    z = joint angles commanded. J is of the joints alone: tip rates are relative to the craft (Whitney 1969; damped near
    singular poses as Nakamura & Hanafusa 1986). A command stops where the servo is at its limit and would go further.
    """
    nq, nv, na = int(p[FLY_NQ]), int(p[FLY_NV]), int(p[FLY_JOINTS])
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
    gather(p, int(p[FLY_Q_MAP]), int(p[FLY_Q_REST]), int(p[FLY_V_MAP]), q, v, qc, vc)
    for j in range(na):
        qc[entry(p, FLY_CONTROLLED_Q, j)] = z[j]
    kinematics(control, cws, qc, vc)
    marker_state(control, cws, int(p[FLY_MARKER]), qc, vc, motion, 0)
    marker_jacobian(control, cws, int(p[FLY_MARKER]), qc, vc, J)
    R = quaternion_matrix(motion[3], motion[4], motion[5], motion[6])
    for j in range(na):
        k = entry(p, FLY_DRIVEN, j)
        Jt[0, j], Jt[1, j], Jt[2, j] = rotate_back(R, (J[0, k], J[1, k], J[2, k]))
        Jt[3, j], Jt[4, j], Jt[5, j] = rotate_back(R, (J[3, k], J[4, k], J[5, k]))

    # joint rates; turning and moving are damped by their own sizes
    row = command_row(p, t)
    turning, largest = 0.0, 0.0
    for i in range(TASK):
        rate[i] = p[row + TIP + i]
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
    damped_factor(B, L, scale, p[FLY_SINGULAR])
    cholesky_solve(L, rate.reshape(TASK, 1))

    # the servo follows the commanded joints
    for j in range(na):
        dz[j] = p[row + JOINT_RATES + j]
        for i in range(TASK):
            dz[j] += Jt[i, j] * rate[i]
        k, l = entry(p, FLY_DRIVEN_V, j), entry(p, FLY_DRIVEN_Q, j)
        lead, limit = number(p, FLY_KP, j) * (z[j] - q[l]), number(p, FLY_LIMIT, j)
        if (lead > limit and dz[j] > 0.0) or (lead < -limit and dz[j] < 0.0):
            dz[j] = 0.0
        effort[k] += clip(lead + number(p, FLY_KD, j) * (dz[j] - v[k]), -limit, limit)
    craft_efforts(p, row, v, effort)
