"""Coordinate partitioning: independent coordinates are integrated, dependent ones follow at every evaluation.

Wehage & Haug 1982, with the choice of `partition_selection` kept from step to step until the pivots of its block A_d
have worn, or other rows are taken (`exchange`)."""

from __future__ import annotations

import math

from ..compiler import entry_point, kernel, outlined_kernel, separate_kernel
from ..flat_arrays import get, put
from ..model_arrays import ModelArrays, RunTables, Workspace
from ..signatures import Vector
from ..tree.kinematics import kinematics
from .articulated_inertias import articulated_inertias
from .constraint_jacobian import lay_rows
from .partition_selection import (
    dense_jacobian,
    is_near,
    is_regular,
    move_dependent,
    numbers_of,
    pivots,
    prepare_choice,
    settle_dependent_positions,
)
from .schur_complement import factor_rows, reduce_rows
from .stabilization import is_holonomic

WORN = 0.2
"""Part of its largest value below which the smallest pivot of a choice may not fall."""
HALF = 0.5
"""The same, below which a singular configuration may be near."""
PIVOT = 1
"""Numbers that the method has behind those of `partition_selection.partition_scratch`: the largest that the smallest
pivot was."""


@kernel
def pivot_at(model, ws):
    """Where that pivot is kept."""
    _, _, _, _, right = numbers_of(model, ws)
    return right + len(ws.constraint_rows)


@kernel
def velocity_level(model):
    """Whose choice serves velocities: that of positions (0) where all rows are holonomic, else one of their own."""
    return 0 if is_holonomic(model) else 1


@kernel
def smallest_pivot(model, ws, level):
    """Smallest over largest pivot of the block that `move_dependent` has factored."""
    low, high = pivots(model, ws, level)
    return low / high if high > 0.0 else 1.0


@outlined_kernel
def follow(model, task, t, q, v, ws, laid):
    """Dependent coordinates and velocities of the independent ones, by the choice at hand; 1 where there are none.

    laid    whether kinematics and rows are those of the state
    """
    if not laid:
        ws.ledger.time = t
        kinematics(model, ws, q, v)
        lay_rows(model, ws, t, q, v)
    if settle_dependent_positions(model, ws, t, q, v, task.stabilization.tolerance) != 0:
        return 1
    level = velocity_level(model)
    if move_dependent(model, ws, q, v, level, True) != 0 or not is_regular(model, ws, level):
        return 1
    delta = ws.layout.delta
    for k in range(v.size):
        v[k] += get(ws.solve, delta + k)
    return 0


@separate_kernel
def choose(model, t, q, v, ws):
    """Chooses the dependent coordinates and velocities at a state; 1 where those that may be dependent do not reach.

    The choice before is kept then, and counts as worn, so that the next step chooses again.
    """
    put(ws.solve, pivot_at(model, ws), math.inf)
    ws.ledger.time = t
    for level in range(velocity_level(model) + 1):
        kinematics(model, ws, q, v)
        lay_rows(model, ws, t, q, v)
        if prepare_choice(model, ws, t, q, v, level) < 0:
            return 1
    level = velocity_level(model)
    if move_dependent(model, ws, q, v, level, True) != 0:
        return 1
    put(ws.solve, pivot_at(model, ws), smallest_pivot(model, ws, level))
    return 0


@kernel
def choose_where_new(model, t, q, v, ws):
    """A choice where a run begins, and where other rows were taken (`exchange`)."""
    if ws.flags.cached < 0 or ws.layout.changed:
        choose(model, t, q, v, ws)
        ws.flags.cached = max(ws.flags.cached, 0)
        ws.layout.changed = False


@entry_point
def adjust_choice(model: ModelArrays, task: RunTables, t: float, q: Vector, v: Vector, ws: Workspace) -> None:
    """`StageFunctions.adjust` of a method that moves dependent entries at accepted steps only."""
    choose_where_new(model, t, q, v, ws)


@entry_point
def adjust_partition(model: ModelArrays, task: RunTables, t: float, q: Vector, v: Vector, ws: Workspace) -> None:
    """`StageFunctions.adjust` of coordinate partitioning."""
    choose_where_new(model, t, q, v, ws)
    if follow(model, task, t, q, v, ws, False) != 0:
        # near a singular position the trial stays as it is, which is near enough; what leads nowhere is not a number:
        # an adaptive step is taken shorter, a fixed one ends the run
        if not is_near(model, ws, task.stabilization.tolerance):
            v[0] = math.nan


@outlined_kernel
def renew_worn(model, t, q, v, ws):
    """Chooses anew where a step has led to a place at which the choice at hand has worn.

    Before the dependent entries follow: near a place where an independent one does not move they cannot follow it, and
    the error of the step would be carried into the motion, over the smallest pivot. Returns whether kinematics and
    rows are those of the state.
    """
    ws.ledger.time = t
    kinematics(model, ws, q, v)
    lay_rows(model, ws, t, q, v)
    dense_jacobian(model, ws, q, v)
    level, at = velocity_level(model), pivot_at(model, ws)
    singular = move_dependent(model, ws, q, v, level, True) != 0
    if singular or not smallest_pivot(model, ws, level) >= WORN * get(ws.solve, at):
        choose(model, t, q, v, ws)
        return False
    return True


@entry_point
def settle_choice(model: ModelArrays, task: RunTables, t: float, q: Vector, v: Vector, z: Vector, ws: Workspace) -> int:
    """`StageFunctions.settle` of coordinate partitioning and null spaces; 1 where the constraints cannot be met."""
    choose_where_new(model, t, q, v, ws)
    laid = renew_worn(model, t, q, v, ws)
    if follow(model, task, t, q, v, ws, laid) != 0:
        if choose(model, t, q, v, ws) == 0 and follow(model, task, t, q, v, ws, False) == 0:
            return 0
        return 0 if is_near(model, ws, task.stabilization.tolerance) else 1
    pivot, at = smallest_pivot(model, ws, velocity_level(model)), pivot_at(model, ws)
    if pivot < HALF * get(ws.solve, at):
        # maybe near a singular configuration, which `exchange.note_nearness` tells by a factor
        articulated_inertias(model, ws)
        reduce_rows(model, ws, q, v)
        factor_rows(model, ws, True)
    # one chosen near a singular position is better further on
    put(ws.solve, at, max(pivot, get(ws.solve, at)))
    return 0
