"""What an exported model is asked by those who integrate it themselves: unit rotations, accepted states, changes."""

from __future__ import annotations

import math

from ..compiler import entry_point, kernel
from ..model_arrays import ModelArrays
from ..records import given
from ..signatures import Vector
from ..tree.joint_springs import move_anchors
from .loop_records import Loop

NEARLY = 1e-10
"""A quaternion whose squared length is this near to one is left as it is, to the last bit."""


@kernel
def made_unit(q, j):
    """Scales the quaternion at q[j] to length one; one without a direction becomes no rotation."""
    square = q[j] * q[j] + q[j + 1] * q[j + 1] + q[j + 2] * q[j + 2] + q[j + 3] * q[j + 3]
    if abs(square - 1.0) <= NEARLY:
        return
    fine = 1e-300 < square < 1e300
    for i in range(4):
        q[j + i] = q[j + i] / math.sqrt(square) if fine else (1.0 if i == 0 else 0.0)


@entry_point
def unit_rotations(model: ModelArrays, q: Vector) -> None:
    """Makes all quaternions in q unit ones."""
    for g in range(len(model.rotations)):
        made_unit(q, model.rotations[g].q + 3 * model.rotations[g].free)
    for p in range(model.paths.shape[0]):
        made_unit(q, model.paths[p, 0])


@entry_point
def accept_state(run: Loop, located: int) -> None:
    """What is latched changes as at the end of a step; located is 1 where a contact just began or ended there."""
    move_anchors(run.model, run.q, run.latched)
    stages = run.stages
    if given(stages.accept):
        stages.accept(run.model, stages.touch, located, run.q, run.v, run.z, run.latched, run.ws, run.buffers.dz)


@entry_point
def state_changes(run: Loop) -> int:
    """How many contacts begin or end at the state since what is latched was."""
    if not given(run.stages.changed):
        return 0
    return run.stages.changed(run.model, run.stages.touch, run.q, run.v, run.latched, run.ws)
