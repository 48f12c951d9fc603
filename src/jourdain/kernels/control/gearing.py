"""A law that speaks of joints which motors turn through gears."""

from __future__ import annotations

from ..compiler import entry_point
from ..model_arrays import ModelArrays, Workspace
from ..parameter_rows import Block, Parameters
from ..signatures import Vector
from .filters import call_behind, scratch_behind


class GearEntries(Parameters):
    """A gear: entries of the motor and of the joint, and the motor's angle for a unit of the joint's coordinate."""

    motor_q: int
    motor_v: int
    joint_q: int
    joint_v: int
    ratio: float


class GearParameters(Parameters):
    """Gears, and the parameters of the law behind them."""

    gears: Block[GearEntries]
    measured: bool  # whether the law sees the joint through its motor
    behind: Block[float]


@entry_point
def geared(
    control: ModelArrays, cws: Workspace, x: Vector, t: float, q: Vector, v: Vector, z: Vector, s: Vector, p: Vector,
    effort: Vector, dz: Vector,
) -> None:  # fmt: skip
    """The law behind sees x_m / gear for the joint's coordinate; what it asks of the joint acts on the motor, / gear.

    Power is kept: tau_joint x' = (tau_joint / gear) x_m'.
    """
    law = GearParameters(p)
    gears = law.gears
    seen_q, seen_v, asked = scratch_behind(x, q.size, v.size)
    for j in range(q.size):
        seen_q[j] = q[j]
    for k in range(v.size):
        seen_v[k] = v[k]
    if law.measured:
        for i in range(len(gears)):
            gear = gears[i]
            ratio = gear.ratio
            seen_q[gear.joint_q] = q[gear.motor_q] / ratio
            seen_v[gear.joint_v] = v[gear.motor_v] / ratio
    call_behind(control, cws, x, t, seen_q, seen_v, z, s, law.behind, asked, dz)
    for i in range(len(gears)):
        gear = gears[i]
        asked[gear.motor_v] += asked[gear.joint_v] / gear.ratio
        asked[gear.joint_v] = 0.0
    for k in range(v.size):
        effort[k] += asked[k]
