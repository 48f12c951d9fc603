"""Orthogonal decomposition of velocities: Aghili & Piedboeuf, NATO ASI 2002.

v = v_s + v_c, v_s = P v in the null space of A and v_c = -A+ c in its complement (eq. 4 to 7), with
A+ = W^-1 A^T (A W^-1 A^T)^-1 and P = 1 - A+ A. Only v_s is free: every evaluation takes v = P v - A+ c, so that
A v + c = 0 holds at all stages of a step. The rate of v_s, eq. 15, is dv/dt plus the rate of A+ c; the latter needs no
quadrature, as A+ c is known, and what is integrated is dv/dt, with the multipliers of eq. 9. At an accepted step
eq. 21 brings the coordinates back, q - A+ g, and v is decomposed there.

With W = M the split is that of kinetic energy, and A+ c comes of the sweeps; with W = 1, the paper's, of dense rows.
"""

from __future__ import annotations

from ..compiler import entry_point, kernel, outlined_kernel, separate_kernel
from ..flat_arrays import accumulate, get, put
from ..linalg.cholesky import dense_rows, factor_symmetric, method_scratch, solve_symmetric
from ..model_arrays import ModelArrays, RunTables, Workspace
from ..signatures import Vector
from ..tree.kinematics import kinematics
from .constraint_jacobian import lay_rows, violated
from .stabilization import TRIALS, UNREACHED, move_coordinates, settle_velocities, violation

DEPENDENT = 1e-11
"""A pivot of A A^T below this, over its diagonal, is that of a row which depends on others."""


@kernel
def normalised_scratch(model, ws):
    """Where A (rows, nv), A A^T (rows, rows) and a right side begin in Workspace.solve."""
    n = len(ws.constraint_rows)
    rows = method_scratch(model, ws)
    square = rows + n * model.q_index.size
    return rows, square, square + n * n


@outlined_kernel
def take_out(model, ws, q, v, rates):
    """-A+ times the rates of the violation, or the violation of holonomic rows, into solve[delta ...];
    A+ = A^T (A A^T)^-1."""
    solve, nv, n = ws.solve, v.size, len(ws.constraint_rows)
    rows, square, right = normalised_scratch(model, ws)
    dense_rows(model, ws, q, v, rows)
    for r in range(n):
        for k in range(nv if ws.solve_links[ws.layout.taken + r] == 0 else 0):
            put(solve, rows + r * nv + k, 0.0)
    if not rates:
        for c in range(len(model.constraints)):
            first = model.constraints[c].row
            for r in range(first + model.constraints[c].holonomic, first + model.constraints[c].rows):
                for k in range(nv):
                    put(solve, rows + r * nv + k, 0.0)
    for a in range(n):
        put(solve, right + a, -violated(ws.constraint_rows[a], rates))
        for b in range(a + 1):
            x = 0.0
            for k in range(nv):
                x += get(solve, rows + a * nv + k) * get(solve, rows + b * nv + k)
            put(solve, square + a * n + b, x)
    factor_symmetric(solve, square, n, DEPENDENT)
    solve_symmetric(solve, square, n, solve, right)
    delta = ws.layout.delta
    for k in range(nv):
        put(solve, delta + k, 0.0)
        for a in range(n):
            accumulate(solve, delta + k, get(solve, rows + a * nv + k) * get(solve, right + a))


@separate_kernel
def decompose_unit(model, t, q, v, ws):
    """v = P v - A+ c with the metric W = 1."""
    ws.ledger.time = t
    kinematics(model, ws, q, v)
    lay_rows(model, ws, t, q, v)
    take_out(model, ws, q, v, True)
    delta = ws.layout.delta
    for k in range(v.size):
        v[k] += get(ws.solve, delta + k)


@outlined_kernel
def correct_unit(model, t, q, v, ws, tolerance):
    """Eq. 21 with W = 1: q - A+ g until the violation g is rounding; 1 where it does not get there."""
    ws.ledger.time = t
    kinematics(model, ws, q, v)
    lay_rows(model, ws, t, q, v)
    worst = violation(model, ws)
    for _ in range(TRIALS):
        if worst <= tolerance:
            return 0
        take_out(model, ws, q, v, False)
        move_coordinates(model, ws, q)
        kinematics(model, ws, q, v)
        lay_rows(model, ws, t, q, v)
        before = worst
        worst = violation(model, ws)
        if not worst < 0.5 * before:
            break
    return 0 if worst <= UNREACHED * tolerance else 1


@entry_point
def adjust_orthogonal(model: ModelArrays, task: RunTables, t: float, q: Vector, v: Vector, ws: Workspace) -> None:
    """`StageFunctions.adjust` with W = M."""
    ws.ledger.time = t
    kinematics(model, ws, q, v)
    lay_rows(model, ws, t, q, v)
    settle_velocities(model, q, v, ws, 0.0, False)


@entry_point
def settle_orthogonal(
    model: ModelArrays, task: RunTables, t: float, q: Vector, v: Vector, z: Vector, ws: Workspace
) -> int:
    """`StageFunctions.settle` without eq. 21, W = M: the velocity alone."""
    adjust_orthogonal(model, task, t, q, v, ws)
    return 0


@entry_point
def adjust_unit(model: ModelArrays, task: RunTables, t: float, q: Vector, v: Vector, ws: Workspace) -> None:
    """`StageFunctions.adjust` with W = 1."""
    decompose_unit(model, t, q, v, ws)


@entry_point
def settle_unit(model: ModelArrays, task: RunTables, t: float, q: Vector, v: Vector, z: Vector, ws: Workspace) -> int:
    """`StageFunctions.settle` with W = 1: eq. 21, then the velocity."""
    if correct_unit(model, t, q, v, ws, task.stabilization.tolerance) != 0:
        return 1
    decompose_unit(model, t, q, v, ws)
    return 0


@entry_point
def settle_unit_velocity(
    model: ModelArrays, task: RunTables, t: float, q: Vector, v: Vector, z: Vector, ws: Workspace
) -> int:
    """`StageFunctions.settle` without eq. 21, W = 1: the velocity alone."""
    decompose_unit(model, t, q, v, ws)
    return 0
