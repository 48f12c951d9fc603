"""A law that speaks of joints which motors turn through gears.

p: number of gears, then for each the motor's entries in q and v, the joint's entries in q and v, and the gear ratio
(motor angle for a unit of the joint's coordinate); then the parameters of the law behind.
"""

from __future__ import annotations

from ..compiler import entry_point
from ..model_arrays import ModelArrays, Workspace
from ..signatures import Vector
from ..stage_functions import WITH_CONTROL_MODEL, WITHOUT_MODEL

# Columns of a gear in p: entries of the motor and of the joint, and the ratio
GEAR_MOTOR_Q, GEAR_MOTOR_V, GEAR_JOINT_Q, GEAR_JOINT_V, GEAR_RATIO = range(5)
GEAR_ROW = 5
# Scratch: address of the law behind, 1 where it uses a model, where its parameters begin, nq and nv of the plant, 1
# where the motor is measured; then q and v as the law sees them and the effort it asks for; then its own scratch
GEAR_BEHIND, GEAR_MODELLED, GEAR_P, GEAR_PLANT_Q, GEAR_PLANT_V, GEAR_MEASURED = range(6)
GEAR_HEAD = 6


@entry_point
def geared(
    control: ModelArrays, cws: Workspace, x: Vector, t: float, q: Vector, v: Vector, z: Vector, s: Vector, p: Vector,
    effort: Vector, dz: Vector,
) -> None:  # fmt: skip
    """The law behind sees x_m / gear for the joint's coordinate; what it asks of the joint acts on the motor, / gear.

    Power is kept: tau_joint x' = (tau_joint / gear) x_m'.
    """
    nq, nv, p0 = int(x[GEAR_PLANT_Q]), int(x[GEAR_PLANT_V]), int(x[GEAR_P])
    a, b, c = GEAR_HEAD + nq, GEAR_HEAD + nq + nv, GEAR_HEAD + nq + 2 * nv
    seen_q, seen_v, asked = x[GEAR_HEAD:a], x[a:b], x[b:c]
    for j in range(nq):
        seen_q[j] = q[j]
    for k in range(nv):
        seen_v[k] = v[k]
        asked[k] = 0.0
    gears = int(p[0])
    if x[GEAR_MEASURED] == 1.0:
        for i in range(gears):
            row = 1 + GEAR_ROW * i
            ratio = p[row + GEAR_RATIO]
            seen_q[int(p[row + GEAR_JOINT_Q])] = q[int(p[row + GEAR_MOTOR_Q])] / ratio
            seen_v[int(p[row + GEAR_JOINT_V])] = v[int(p[row + GEAR_MOTOR_V])] / ratio
    if x[GEAR_MODELLED] == 1.0:
        WITH_CONTROL_MODEL(int(x[GEAR_BEHIND]))(control, cws, x[c:], t, seen_q, seen_v, z, s, p[p0:], asked, dz)
    else:
        WITHOUT_MODEL(int(x[GEAR_BEHIND]))(t, seen_q, seen_v, z, s, p[p0:], asked, dz)
    for i in range(gears):
        row = 1 + GEAR_ROW * i
        joint = int(p[row + GEAR_JOINT_V])
        asked[int(p[row + GEAR_MOTOR_V])] += asked[joint] / p[row + GEAR_RATIO]
        asked[joint] = 0.0
    for k in range(nv):
        effort[k] += asked[k]
