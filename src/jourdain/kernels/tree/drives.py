"""Drives: the spring between a motor and its joint, through the gear, and the motor's limit.

The rotor itself is a row of the tree, so that nothing else need know of drives.
"""

from __future__ import annotations

from ..columns import DRIVE_DAMPING, DRIVE_STIFFNESS, GEAR, TORQUE_LIMIT
from ..compiler import kernel
from ..scalar import clip


@kernel
def drive_efforts(model, q, v, effort):
    """Adds the spring's and damper's torque to the efforts on joint and motor. Returns the power dissipated [W]."""
    dissipated = 0.0 * v[0] if v.size > 0 else 0.0
    for i in range(model.drives.shape[0]):
        p, at = model.drives[i], model.drive_index[i]
        ratio = 1.0 / p[GEAR]
        rate = ratio * v[at[3]] - v[at[1]]
        damper = p[DRIVE_DAMPING] * rate
        torque = p[DRIVE_STIFFNESS] * (ratio * q[at[2]] - q[at[0]]) + damper
        effort[at[1]] += torque
        effort[at[3]] -= ratio * torque
        dissipated += damper * rate
    return dissipated


@kernel
def drive_energy(model, q):
    """Energy stored in the springs of the drives [J]."""
    energy = 0.0 * q[0] if q.size > 0 else 0.0
    for i in range(model.drives.shape[0]):
        p, at = model.drives[i], model.drive_index[i]
        energy += 0.5 * p[DRIVE_STIFFNESS] * (q[at[2]] / p[GEAR] - q[at[0]]) ** 2
    return energy


@kernel
def limit_motors(model, known, supplied):
    """Cuts what controllers ask of the motors to what these can give; prescribed motors take what they need."""
    for i in range(model.drives.shape[0]):
        k = model.drive_index[i, 3]
        if known[k] == 0:
            limit = model.drives[i, TORQUE_LIMIT]
            supplied[k] = clip(supplied[k], -limit, limit)
