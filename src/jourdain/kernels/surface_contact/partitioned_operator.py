"""The linear operator of a correction with sparse bodies (`linear_operator`): a Schur complement.

With P = (P_r, P_e) the rows of gaps and slips and the small matrix D of `solver_layout`,

    P S^-1 P^T = P_e S_ee^-1 P_e^T + left D^-1 right,    left = (P_r - P_e S_ee^-1 C, -P_e S_ee^-1 U),
                                                         right = (P_r^T - B S_ee^-1 P_e^T, Q U^T S_ee^-1 P_e^T).

What a unit impulse does takes the mass and S alone: with K / (mu nu) = S - M - C / mu, and Rayleigh damping
C = alpha M + beta K,

    T = 1 / mu S^-1 K M^-1 = nu / (1 + beta nu) (M^-1 - (1 + alpha / mu) S^-1),
        1 / mu S^-1 C M^-1 = alpha / mu S^-1 + beta T.

Of several solids alpha and beta are those of the first, and what weights and velocities add to K and C is left out. In
the correction itself nothing is, and forces of the last correction stay in it: what is found is by how much they
change, so that all this decides about the convergence only.
"""

from __future__ import annotations

from ..bodies.nodal_layout import NODAL_PAIR_INDEX, NODAL_PAIR_ROW, PAIRED, RAYLEIGH, STIFF, floats_of, integers_of
from ..compiler import entry_point, outlined_kernel
from ..integrate.linear_operator import MASS_MATRIX, STEP_MATRIX
from ..integrate.loop_records import Loop
from ..integrate.partitioned.matrix_updates import follow_deformation
from ..integrate.partitioned.partitioned_solver import (
    factorise_partition,
    mass_answers,
    partition_correction,
    partition_residual,
    solve_bodies,
    solve_partition,
)
from ..linalg.pivoted import substitute
from ..linalg.supernodal_cholesky import sparse_times
from ..signatures import Vector
from ..tree.mass_products import mass_times
from .contact_rows import used

TURNED = 1e-4
"""Change of a row, over the largest number of rows, up to which Delassus operators serve: changes of forces are found
by them, so that it decides about the convergence of the corrections only."""


@outlined_kernel
def cache_column(run, which, d):
    """Caches what a unit force on coordinate d of those in the rows does to all others there; 1 where the capacity is
    exceeded."""
    s, x, y = run.surfaces, run.surfaces.rows, run.surfaces.columns
    slots = y.step_slot if which == STEP_MATRIX else y.mass_slot
    columns = y.step_columns if which == STEP_MATRIX else y.mass_columns
    if slots[d] >= 0:
        return 0
    at = y.cached.step if which == STEP_MATRIX else y.cached.mass
    if at == columns.shape[0]:
        return 1
    y.unit[x.dofs[d]] = 1.0
    solve_bodies(run.model, run.partition, which, y.unit, s.answer)
    y.unit[x.dofs[d]] = 0.0
    for j in range(x.dofs.size):
        columns[at, j] = s.answer[x.dofs[j]]
    slots[d] = at
    if which == STEP_MATRIX:
        y.cached.step = at + 1
    else:
        y.cached.mass = at + 1
    return 0


@outlined_kernel
def cache_columns(run, which, count):
    """`cache_column` of all coordinates of the active rows; 1 where the capacity is exceeded."""
    s, mu, nu = run.surfaces, run.memory.integrator.mu, run.memory.integrator.nu
    x, y = s.rows, s.columns
    slots = y.step_slot if which == STEP_MATRIX else y.mass_slot
    if which == STEP_MATRIX and (y.cached.mu != mu or y.cached.nu != nu):
        for d in range(slots.size):
            slots[d] = -1
        y.cached.step, y.cached.mu, y.cached.nu = 0, mu, nu
    for _ in range(2):
        full = 0
        for r in range(3 * count):
            if used(s, r // 3, r % 3):
                for j in range(x.count[r]):
                    full += cache_column(run, which, x.entries[r, j])
        if full == 0:
            return 0
        for d in range(slots.size):  # those of nodes that touch no more are dropped
            slots[d] = -1
        if which == STEP_MATRIX:
            y.cached.step = 0
        else:
            y.cached.mass = 0
    return 1


@outlined_kernel
def lay_sides(run, which, count):
    """left and right of the active rows."""
    s, parts, known = run.surfaces, run.partition, run.ws.known
    x, cached, y = s.rows, s.columns, (parts.step if which == STEP_MATRIX else parts.weight)
    n = x.others.size
    for r in range(3 * count):
        if not used(s, r // 3, r % 3):
            continue
        # P_e S_ee^-1 (C, U) and B S_ee^-1 P_e^T
        for l in range(y.right.size):
            through, back = 0.0, 0.0
            for j in range(x.count[r]):
                entry = x.dofs[x.entries[r, j]]
                through += x.values[r, j] * y.answer[l, entry]
                if l < n:
                    back += x.values[r, j] * y.back[l, entry]
            cached.left[r, l] = (x.dense[r, l] if l < n else 0.0) - through
            y.right[l] = x.dense[r, l] - back if l < n else 0.0
            y.sizes[l] = through
        # Q U^T S_ee^-1 P_e^T
        for port in range(parts.ports.size):
            for j in range(6):
                for l in range(6):
                    q = parts.inertia[6 * port + j, l]
                    y.right[n + 6 * port + l] += q * y.sizes[n + 6 * port + j]
        for l in range(n):
            if known[x.others[l]] != 0:
                y.right[l] = 0.0
        substitute(y.small, y.pivots, y.right)
        for l in range(y.right.size):
            cached.right[r, l] = y.right[l]


@outlined_kernel
def lay_compliance(run, which, count, out):
    """out = P S^-1 P^T or P M^-1 P^T; 1 where the capacity is exceeded."""
    s, x, y = run.surfaces, run.surfaces.rows, run.surfaces.columns
    if cache_columns(run, which, count) != 0:
        return 1
    lay_sides(run, which, count)
    slots = y.step_slot if which == STEP_MATRIX else y.mass_slot
    columns = y.step_columns if which == STEP_MATRIX else y.mass_columns
    for r in range(3 * count):
        for j in range(r + 1):
            if not (used(s, r // 3, r % 3) and used(s, j // 3, j % 3)):
                out[j, r], out[r, j] = 0.0, 0.0
                continue
            total = 0.0
            for a in range(x.count[r]):
                column = slots[x.entries[r, a]]
                part = 0.0
                for b in range(x.count[j]):
                    part += x.values[j, b] * columns[column, x.entries[j, b]]
                total += x.values[r, a] * part
            small, other = 0.0, 0.0
            for l in range(y.left.shape[1]):
                small += y.left[j, l] * y.right[r, l]
                other += y.left[r, l] * y.right[j, l]
            out[j, r], out[r, j] = total + small, total + other
    return 0


@outlined_kernel
def rows_stay(run, count):
    """Whether the Delassus operators are of the same nodes, and of rows that differ from these by TURNED at most, over
    the largest number; those at hand are noted if not."""
    integrator, s = run.memory.integrator, run.surfaces
    x, y, laid, jacobian = s.rows, s.columns, s.columns.cached, run.memory.counts.jacobians
    same = laid.laid_nodes == count and laid.laid_jacobian == jacobian
    same &= laid.laid_mu == integrator.mu and laid.laid_nu == integrator.nu
    largest, change = 0.0, 0.0
    for r in range(3 * count):
        same = same and y.laid_node[r // 3] == s.active[r // 3]
        if not same or not used(s, r // 3, r % 3):
            continue
        same &= y.laid_count[r] == x.count[r]
        for j in range(x.count[r]):
            same &= y.laid_entries[r, j] == x.entries[r, j]
            largest = max(largest, abs(x.values[r, j]))
            change = max(change, abs(x.values[r, j] - y.laid_values[r, j]))
        for l in range(x.others.size):
            change = max(change, abs(x.dense[r, l] - y.laid_dense[r, l]))
    if same and change <= TURNED * largest:
        return True
    laid.laid_nodes, laid.laid_jacobian = count, jacobian
    laid.laid_mu, laid.laid_nu = integrator.mu, integrator.nu
    for r in range(3 * count):
        y.laid_node[r // 3] = s.active[r // 3]
        y.laid_count[r] = x.count[r]
        for j in range(x.count[r]):
            y.laid_entries[r, j], y.laid_values[r, j] = x.entries[r, j], x.values[r, j]
        for l in range(x.others.size):
            y.laid_dense[r, l] = x.dense[r, l]
    return False


@outlined_kernel
def elastic_times(model, s, moved, rate, out):
    """out = K times a displacement plus C times a velocity, all (nv,)."""
    for k in range(out.size):
        out[k] = 0.0
    for r in range(s.rest.size):
        x, y = moved[s.rest[r]], rate[s.rest[r]]
        if x != 0.0 or y != 0.0:
            for k in range(out.size):
                out[k] += s.stiffness[r, k] * x + s.damping[r, k] * y
    for j in range(s.bodies.size):
        i = s.bodies[j]
        row, index = integers_of(model, i, NODAL_PAIR_ROW), integers_of(model, i, NODAL_PAIR_INDEX)
        stiff, paired, rayleigh = floats_of(model, i, STIFF), floats_of(model, i, PAIRED), floats_of(model, i, RAYLEIGH)
        alpha, beta, ev = model.floats[rayleigh], model.floats[rayleigh + 1], model.tree[i].ev
        for k in range(model.tree[i].ne):
            x = sparse_times(model.integers, row, index, model.floats, stiff, moved, ev, k)
            if beta != 0.0:
                x += beta * sparse_times(model.integers, row, index, model.floats, stiff, rate, ev, k)
            if alpha != 0.0:
                x += alpha * sparse_times(model.integers, row, index, model.floats, paired, rate, ev, k)
            out[ev + k] += x


@entry_point
def partitioned_refactor(run: Loop, first: int, count: int) -> None:
    """Factors of S, with the deformation of the trial where they are new or a step begins; of M where impulses act."""
    made = factorise_partition(run)
    if (first == 1 or made == 1) and follow_deformation(run) == 1:
        run.surfaces.columns.cached.laid_jacobian = -1
    if count > 0 and run.surfaces.by_impulse[0] == 1:
        mass_answers(run)


@entry_point
def partitioned_residual(run: Loop) -> float:
    """M (a' - a) at the trial."""
    partition_residual(run, run.memory.residual)
    power = 0.0
    for k in range(run.ws.known.size):
        if run.ws.known[k] != 0:
            power += run.partition.vectors[5, k] * run.buffers.v[k]
    return power


@entry_point
def partitioned_correct(run: Loop) -> None:
    """The correction for memory.residual, in its place."""
    partition_correction(run)


@entry_point
def partitioned_solve(run: Loop, which: int, b: Vector, x: Vector) -> None:
    """x = M^-1 b or S^-1 b."""
    solve_partition(run.model, run.partition, run.ws.known, which, b, x)


@entry_point
def partitioned_multiply(run: Loop, which: int, x: Vector, v: Vector, out: Vector) -> None:
    """out = M x, or K x + C v."""
    if which == MASS_MATRIX:
        mass_times(run.model, run.ws, x, out, run.partition.motion)
    else:
        elastic_times(run.model, run.partition, x, v, out)


@entry_point
def partitioned_compliance(run: Loop, count: int) -> int:
    """The Delassus operators, where rows have turned since they were laid."""
    s, integrator = run.surfaces, run.memory.integrator
    nu, per = integrator.nu, 1.0 / integrator.mu
    if rows_stay(run, count):
        return 0
    if s.by_impulse[0] == 0:
        if lay_compliance(run, STEP_MATRIX, count, s.compliance) != 0:
            return -1
        for r in range(3 * count):
            for a in range(3 * count):
                s.compliance[r, a] *= per
        return 1
    if (
        lay_compliance(run, STEP_MATRIX, count, s.damped) != 0
        or lay_compliance(run, MASS_MATRIX, count, s.inertial) != 0
    ):
        return -1
    rayleigh = floats_of(run.model, run.partition.bodies[0], RAYLEIGH)
    alpha, beta = run.model.floats[rayleigh], run.model.floats[rayleigh + 1]
    of_stiffness, of_mass = nu / (1.0 + beta * nu), 1.0 + alpha * per
    for r in range(3 * count):
        for a in range(3 * count):
            by_step = s.damped[r, a]
            s.stiffened[r, a] = of_stiffness * (s.inertial[r, a] - of_mass * by_step)
            s.damped[r, a] = alpha * per * by_step + beta * s.stiffened[r, a]
    return 1
