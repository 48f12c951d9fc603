"""The correction of a trial with partitioned unknowns (`solver_layout`), without surface contact; with loops also their
multipliers.

Rows of loops are met by positions (index 3) or by velocities (index 2), as in `newton`: A dv = -nu g or A dv = -g'. The
matrix has the rows of the last derivatives, the residual those of the trial; what rows and their rates change with the
coordinates is left out of the matrix, but for the rest, whose derivatives are differences under the multipliers.
"""

from __future__ import annotations

from ...compiler import entry_point, kernel, outlined_kernel
from ...constraints.constraint_jacobian import rows_transposed
from ...constraints.constraint_layout import DRIFT, ROW_FORCE
from ...linalg.pivoted import factorise, substitute
from ...tree.kinematics import kinematics
from ..loop_records import Loop
from ..step_points import lay_constraints
from .applied_forces import lay_applied_forces
from .partitioned_solver import (
    factorise_partition,
    free_correction,
    partition_correction,
    partition_residual,
    place_velocities,
    solve_partition,
)


@kernel
def row_of(loops, r, y):
    """Row r times y."""
    total = 0.0
    for j in range(loops.count[r]):
        total += loops.values[r, j] * y[loops.entries[r, j]]
    return total


@kernel
def add_loop(loops, r, force, y):
    """Adds a force times row r to y."""
    for j in range(loops.count[r]):
        y[loops.entries[r, j]] += force * loops.values[r, j]


@outlined_kernel
def lay_loops(run):
    """Entries of the rows, what their forces do, and the factors of A X^-1 A^T; redundant rows have no entries."""
    co, s, known, loops = run.memory, run.partition, run.ws.known, run.partition.loops
    nr, nv = loops.count.size, known.size
    one = s.vectors[3]
    for r in range(nr):
        count = 0
        for k in range(nv):
            one[k] = co.A[r, k] if known[k] == 0 else 0.0
            if one[k] != 0.0:
                loops.entries[r, count], loops.values[r, count] = k, one[k]
                count += 1
        loops.count[r] = count
        if count > 0:
            solve_partition(run.model, s, known, 1, one, loops.answer[r])
    for r in range(nr):
        for c in range(nr):
            taken = loops.count[r] > 0 and loops.count[c] > 0
            loops.small[r, c] = row_of(loops, r, loops.answer[c]) if taken else 1.0 * (r == c)
    factorise(loops.small, loops.pivots, loops.sizes)


@outlined_kernel
def loop_forces(run):
    """Takes the forces of the rows off co.residual, and completes the power of what moves prescribed entries and rows
    that move with time, as `step_points.residual` does."""
    ws, b, co, s = run.ws, run.buffers, run.memory, run.partition
    nv, pushed, power = ws.known.size, s.vectors[0], 0.0
    for r in range(s.loops.count.size):
        ws.rows[r, ROW_FORCE] = co.force[1, r]
        power -= co.force[1, r] * ws.rows[r, DRIFT]
    for k in range(nv):
        pushed[k] = 0.0
    rows_transposed(run.model, ws, b.q, b.v, pushed)
    for k in range(nv):
        if ws.known[k] == 0:
            co.residual[nv + k] -= pushed[k]
        else:
            power += (s.vectors[5, k] - pushed[k]) * b.v[k]
    co.residual[2 * nv + b.z.size - 2] -= power


@entry_point
def partitioned_correction(run: Loop, t: float, first: int) -> int:
    """The correction of a trial whose rates were evaluated last.

    Where bodies are carried, or move besides, the evaluation has left eliminated inertias in place of their own.
    """
    s, acts = run.partition, run.partition.applied.entries.size > 0
    if factorise_partition(run) == 1 and acts:
        lay_applied_forces(run, t)
    if s.rest.size + s.ports.size > 0 or acts:
        kinematics(run.model, run.ws, run.buffers.q, run.buffers.v)
    partition_residual(run, run.memory.residual)
    partition_correction(run)
    return 0


@entry_point
def partitioned_loop_correction(run: Loop, t: float, first: int) -> int:
    """`partitioned_correction` of a run with loops, whose rows were laid last."""
    co, s, loops = run.memory, run.partition, run.partition.loops
    if factorise_partition(run) == 1:
        if s.applied.entries.size > 0:
            lay_applied_forces(run, t)
            lay_constraints(run, t)
        lay_loops(run)
    partition_residual(run, co.residual)
    loop_forces(run)
    free_correction(run)
    for r in range(loops.count.size):
        if co.by_velocity[r] == 0.0:
            goal = row_of(loops, r, co.residual) - co.integrator.nu * co.gap[0, r]
        else:
            goal = -co.gap[1, r]
        loops.right[r] = goal - row_of(loops, r, s.vectors[4])
    substitute(loops.small, loops.pivots, loops.right)
    for r in range(loops.count.size):
        add_loop(loops, r, loops.right[r], s.vectors[3])
    solve_partition(run.model, s, run.ws.known, 1, s.vectors[3], s.vectors[4])
    place_velocities(run)
    for r in range(loops.count.size):
        co.residual[co.scale.size + r] = co.integrator.mu * loops.right[r]
    return 0
