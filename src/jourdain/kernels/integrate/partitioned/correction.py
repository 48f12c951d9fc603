"""The correction of a trial where unknowns are parted (`solver_layout`), without surfaces that touch."""

from __future__ import annotations

from ...compiler import entry_point
from ...linalg.pivoted import substitute
from ...tree.kinematics import kinematics
from ..implicit_layout import METHOD_MU, METHOD_NU
from ..step_points import lay_constraints
from .applied_forces import lay_felt
from .loop_correction import add_loop, lay_loops, loop_forces, row_of
from .partitioned_solver import (
    factorise_partition,
    free_correction,
    partition_correction,
    partition_residual,
    place_velocities,
    solve_partition,
)


@entry_point
def partition_press(run, t, first):
    """The correction of a trial whose rates were evaluated last.

    Where bodies are carried, or move besides, the evaluation has left eliminated inertias in place of their own.
    """
    s, acts = run.partition, run.partition.felt.entries.size > 0
    if factorise_partition(run) == 1 and acts:
        lay_felt(run, t)
    if s.rest.size + s.ports.size > 0 or acts:
        kinematics(run.model, run.ws, run.buffers.q, run.buffers.v)
    partition_residual(run, run.memory.residual)
    partition_correction(run)
    return 0


@entry_point
def partition_close(run, t, first):
    """`partition_press` of a run with loops, whose rows were laid last."""
    co, s, loops = run.memory, run.partition, run.partition.loops
    if factorise_partition(run) == 1:
        if s.felt.entries.size > 0:
            lay_felt(run, t)
            lay_constraints(run, t)
        lay_loops(run)
    partition_residual(run, co.residual)
    loop_forces(run)
    free_correction(run)
    for r in range(loops.count.size):
        if co.by_velocity[r] == 0.0:
            goal = row_of(loops, r, co.residual) - co.numbers[METHOD_NU] * co.gap[0, r]
        else:
            goal = -co.gap[1, r]
        loops.right[r] = goal - row_of(loops, r, s.vectors[4])
    substitute(loops.small, loops.pivots, loops.right)
    for r in range(loops.count.size):
        add_loop(loops, r, loops.right[r], s.vectors[3])
    solve_partition(run.model, s, run.ws.known, 1, s.vectors[3], s.vectors[4])
    place_velocities(run)
    for r in range(loops.count.size):
        co.residual[co.scale.size + r] = co.numbers[METHOD_MU] * loops.right[r]
    return 0
