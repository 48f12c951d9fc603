"""The linear operator of a correction with dense matrices (`linear_operator`): LU factors of S and M.

The matrices are those of the last derivatives, with rows of constraints and integrated states where there are any; what
is multiplied by M, the mass at the trial.
"""

from __future__ import annotations

from ..compiler import entry_point, outlined_kernel
from ..integrate.linear_operator import MASS_MATRIX, STEP_MATRIX
from ..integrate.loop_records import Loop
from ..integrate.newton import correct_real, solve_real
from ..integrate.step_points import residual
from ..linalg.pivoted import factorise, substitute
from ..signatures import Vector
from ..tree.composite import composite_mass_matrix
from .contact_rows import row_times, used


@outlined_kernel
def factorise_mass(co, s):
    """Factors of the mass and the constraints, [M -A^T; A 0], at the last derivatives."""
    if s.known[0] == co.counts.jacobians:
        return
    nv, m = co.M.shape[0], s.mass.shape[0]
    for i in range(m):
        for j in range(m):
            s.mass[i, j] = 0.0
    for i in range(nv):
        for j in range(nv):
            s.mass[i, j] = co.M[i, j]
        for r in range(m - nv):
            s.mass[i, nv + r] = -co.A[r, i]
            s.mass[nv + r, i] = co.A[r, i]
    factorise(s.mass, s.mass_pivots, s.mass_right)
    s.known[0] = co.counts.jacobians


@entry_point
def dense_refactor(run: Loop, first: int, count: int) -> None:
    """The mass at the trial, and where impulses act the factors of that of the last derivatives."""
    s, co = run.surfaces, run.memory
    if co.integrator.form == 0 and (count > 0 or s.by_impulse[0] == 0):
        composite_mass_matrix(run.model, run.ws, co.mass)
    if count > 0 and s.by_impulse[0] == 1:
        factorise_mass(co, s)


@entry_point
def dense_residual(run: Loop) -> float:
    """The residual of `step_points.residual`. Forces without impulses take the mass at the trial: they are compared
    with forces, not with accelerations."""
    known, b, co = run.ws.known, run.buffers, run.memory
    nv, power = known.size, 0.0
    residual(run, 1, b.y, co.trial[0], co.force[1], co.residual)
    if co.integrator.form != 0 or run.surfaces.by_impulse[0] == 1:
        return power  # with constraints `residual` has it
    for i in range(nv):
        x = 0.0
        for j in range(nv):
            x += co.mass[i, j] * b.acceleration[j]
        co.residual[nv + i] = x if known[i] == 0 else 0.0
        power += 0.0 if known[i] == 0 else x * b.v[i]
    return power


@entry_point
def dense_correct(run: Loop) -> None:
    """The correction for memory.residual, in its place."""
    correct_real(run.memory)


@entry_point
def dense_solve(run: Loop, which: int, b: Vector, x: Vector) -> None:
    """x = M^-1 b, constraints met, or S^-1 b; prescribed entries of b are not seen by the latter."""
    co, s, known = run.memory, run.surfaces, run.ws.known
    nv = known.size
    if which == MASS_MATRIX:
        for i in range(s.mass_right.size):
            s.mass_right[i] = b[i] if i < nv else 0.0
        substitute(s.mass, s.mass_pivots, s.mass_right)
        for i in range(nv):
            x[i] = s.mass_right[i]
        return
    for i in range(co.right.size):
        co.right[i] = b[i] if i < nv and known[i] == 0 else 0.0
    solve_real(co)
    for i in range(x.size):
        x[i] = co.right[i]


@entry_point
def dense_multiply(run: Loop, which: int, x: Vector, v: Vector, out: Vector) -> None:
    """out = M x, or K x + C v."""
    co = run.memory
    for i in range(out.size):
        y = 0.0
        if which == MASS_MATRIX:
            for j in range(out.size):
                y += co.mass[i, j] * x[j]
        else:
            for j in range(out.size):
                y += co.K[i, j] * x[j] + co.C[i, j] * v[j]
        out[i] = y


@outlined_kernel
def answer_to_gaps(s, r, count, x, out):
    """Column r of a Delassus operator, P x."""
    for c in range(count):
        for k in range(3):
            if used(s, c, k):
                out[3 * c + k, r] = row_times(s.rows, 3 * c + k, x, 0)


@outlined_kernel
def smooth_answer(run, matrix, x):
    """S^-1 matrix x / mu, into SurfaceContact.answer: what the smooth motion loses by damping or elasticity of x."""
    s, per = run.surfaces, 1.0 / run.memory.integrator.mu
    for i in range(x.size):
        y = 0.0
        for j in range(x.size):
            y += matrix[i, j] * x[j]
        s.effort[i] = per * y
    run.operator.solve(run, STEP_MATRIX, s.effort, s.answer)


@entry_point
def dense_compliance(run: Loop, count: int) -> int:
    """The Delassus operators, column by column; new in every correction."""
    co, s, per = run.memory, run.surfaces, 1.0 / run.memory.integrator.mu
    impulse, response = s.by_impulse[0] == 1, s.jump[4]
    for r in range(3 * count):
        if impulse and used(s, r // 3, r % 3):
            run.operator.solve(run, MASS_MATRIX, s.rows.dense[r], response)
            answer_to_gaps(s, r, count, response, s.inertial)
            smooth_answer(run, co.C, response)
            answer_to_gaps(s, r, count, s.answer, s.damped)
            smooth_answer(run, co.K, response)
            answer_to_gaps(s, r, count, s.answer, s.stiffened)
        elif not impulse:
            for a in range(3 * count):
                s.compliance[a, r] = 0.0
            if used(s, r // 3, r % 3):
                for i in range(response.size):
                    s.effort[i] = per * s.rows.dense[r, i]
                run.operator.solve(run, STEP_MATRIX, s.effort, s.answer)
                answer_to_gaps(s, r, count, s.answer, s.compliance)
    return 1
