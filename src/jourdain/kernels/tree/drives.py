"""Drives: the spring between a motor and its joint, through the gear, and the motor's limit.

The rotor itself is a row of the tree, so that nothing else need know of drives.
"""

from __future__ import annotations

from ..compiler import kernel, optional_kernel
from ..scalar import clip


@optional_kernel("drives", returns=1)
def turn_drives(model, q, v, effort):
    """`drive_efforts` of a model that has drives."""
    dissipated = 0.0 * v[0]
    for i in range(len(model.joint_drives)):
        p, at = model.joint_drives[i], model.drive_entries[i]
        ratio = 1.0 / p.gear
        rate = ratio * v[at.motor_v] - v[at.joint_v]
        damper = p.damping * rate
        torque = p.stiffness * (ratio * q[at.motor_q] - q[at.joint_q]) + damper
        effort[at.joint_v] += torque
        effort[at.motor_v] -= ratio * torque
        dissipated += damper * rate
    return dissipated


@kernel
def drive_efforts(model, q, v, effort):
    """Adds the spring's and damper's torque to the efforts on joint and motor. Returns the power dissipated [W]."""
    if len(model.joint_drives) > 0:
        return turn_drives(model, q, v, effort)
    return 0.0 * v[0] if v.size > 0 else 0.0


@optional_kernel("drives", returns=1)
def stored_in_drives(model, q):
    """`drive_energy` of a model that has drives."""
    energy = 0.0 * q[0]
    for i in range(len(model.joint_drives)):
        p, at = model.joint_drives[i], model.drive_entries[i]
        energy += 0.5 * p.stiffness * (q[at.motor_q] / p.gear - q[at.joint_q]) ** 2
    return energy


@kernel
def drive_energy(model, q):
    """Energy stored in the springs of the drives [J]."""
    if len(model.joint_drives) > 0:
        return stored_in_drives(model, q)
    return 0.0 * q[0] if q.size > 0 else 0.0


@optional_kernel("drives")
def cut_efforts(model, known, supplied):
    """`limit_motors` of a model that has drives."""
    for i in range(len(model.joint_drives)):
        k = model.drive_entries[i].motor_v
        if known[k] == 0:
            limit = model.joint_drives[i].torque_limit
            supplied[k] = clip(supplied[k], -limit, limit)


@kernel
def limit_motors(model, known, supplied):
    """Cuts what controllers ask of the motors to what these can give; prescribed motors take what they need."""
    if len(model.joint_drives) > 0:
        cut_efforts(model, known, supplied)
