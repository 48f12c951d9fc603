"""`press_impulse` of a run whose unknowns are parted.

What a unit impulse does takes the mass and the matrix S of the step alone: with K / mu = nu (S - M - C / mu), and
damping C = alpha M + beta K,

    T = 1 / mu S^-1 K M^-1 = nu / (1 + beta nu) (M^-1 - (1 + alpha / mu) S^-1),
        1 / mu S^-1 C M^-1 = alpha / mu S^-1 + beta T.

Of several solids alpha and beta are those of the first, and what weights and velocities add to K and C is left out. In
the correction itself nothing is, and forces of the last correction stay in it: what is found is by how much they
change, so that all this decides about the convergence only.
"""

from __future__ import annotations

from ..bodies.nodal_layout import NODAL_PAIR_INDEX, NODAL_PAIR_ROW, PAIRED, RAYLEIGH, STIFF, floats_of, integers_of
from ..columns import EV, N
from ..compiler import entry_point, optional_kernel, outlined_kernel
from ..contact.contact_forces import place_shapes
from ..integrate.implicit_layout import AGAIN, METHOD_MU, METHOD_NU, METHOD_SPACING, TOLERANCE
from ..integrate.partitioned.matrix_updates import follow_deformation
from ..integrate.partitioned.partitioned_solver import (
    factorise_partition,
    mass_answers,
    partition_correction,
    partition_residual,
    solve_partition,
)
from ..linalg.leading import row_times as product
from ..linalg.supernodal_cholesky import sparse_times
from ..spatial import dot, vec
from ..tree.kinematics import kinematics
from ..tree.mass_products import mass_times
from .complementarity import soften, softness
from .gap_functions import lay_gaps
from .impulse_step import MET, ROUNDED, dissipate, forget_jumps, gather_closed, meet, start_rates_of
from .momentum_balance import still_turning
from .partitioned_layout import LAID_PARTIALS
from .partitioned_saddle_point import TURNED, add_row, lay_compliance, partitioned_rows, row_times, rows_stay
from .saddle_point import begin_step, changed, keep_force, refused, turn_slip, unmet, used
from .surface_layout import (
    CLOSED,
    NO_ROOM,
    NO_STATES,
    NODE_FORCE,
    NODE_GAP,
    NODE_NORMAL,
    NODE_PUSH,
    NODE_RATE,
    NODE_SLIP,
)


@optional_kernel("nodal")
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
        alpha, beta, ev = model.floats[rayleigh], model.floats[rayleigh + 1], model.table[i, EV]
        for k in range(model.table[i, N]):
            x = sparse_times(model.integers, row, index, model.floats, stiff, moved, ev, k)
            if beta != 0.0:
                x += beta * sparse_times(model.integers, row, index, model.floats, stiff, rate, ev, k)
            if alpha != 0.0:
                x += alpha * sparse_times(model.integers, row, index, model.floats, paired, rate, ev, k)
            out[ev + k] += x


@optional_kernel("nodal", returns=(2,))
def rayleigh_of(model, s):
    """alpha and beta of the first sparse body."""
    at = floats_of(model, s.bodies[0], RAYLEIGH)
    return ((model.floats[at], model.floats[at + 1]),)


@outlined_kernel
def partitioned_matrices(run, count, h):
    """What a unit of each force does to gaps, rates and slips, as `impulse_step.lay_reduced`."""
    co, s, parts = run.memory, run.surfaces, run.partition
    x, nu, per = parts.surfaces, co.numbers[METHOD_NU], 1.0 / co.numbers[METHOD_MU]
    ((alpha, beta),) = rayleigh_of(run.model, parts)
    of_held, of_slowed = nu / (1.0 + beta * nu), 1.0 + alpha * per
    total = 0.0
    for c in range(count):
        for k in range(3):
            r = 3 * c + k
            for a in range(3 * count):
                s.compliance[r, a] = 0.0
            if not used(s, c, k):
                continue
            for a in range(3 * count):
                if not used(s, a // 3, a % 3):
                    continue
                moved = x.by_mass[r, a]
                held = of_held * (moved - of_slowed * x.by_step[r, a])
                slowed = alpha * per * x.by_step[r, a] + beta * held
                share = 0.0 if a % 3 == 0 else 0.5 * h
                s.compliance[r, a] = moved - slowed - share * held
                if a % 3 == 0:
                    s.back[r, a // 3] = -held
                    if k == 0:
                        s.closing[c, a // 3] = moved - held / nu
                if k == 0:
                    s.couple[c, a] = share * (moved - held / nu) - slowed / nu
        total += s.closing[c, c]
    for c in range(count):
        s.closing[c, c] += softness(s, s.active[c]) * total / count
    soften(s, count)


@outlined_kernel
def partitioned_free(run, count):
    """Gaps, rates and slips without forces, as `impulse_step.lay_reduced`: those with the forces of the last
    correction, less what these do."""
    co, s, parts, nv = run.memory, run.surfaces, run.partition, run.ws.known.size
    for c in range(count):
        i = s.active[c]
        gap = s.node[i, NODE_GAP] + row_times(parts, 3 * c, co.residual, 0)
        gap += row_times(parts, 3 * c, s.jump[2], 0) - product(s.closing, c, s.old_push, 0, count)
        s.gap_free[c] = gap - product(s.couple, c, s.old, 0, 3 * count)
        for k in range(3):
            r = 3 * c + k
            s.rate_free[r] = 0.0
            if used(s, c, k):
                rate = s.node[i, NODE_RATE] if k == 0 else s.node[i, NODE_SLIP + k - 1]
                rate += row_times(parts, r, co.residual, nv) + row_times(parts, r, s.jump[3], 0)
                rate -= product(s.back, r, s.old_push, 0, count)
                s.rate_free[r] = rate - product(s.compliance, r, s.old, 0, 3 * count)


@outlined_kernel
def acting_forces(s, count, h, first):
    """Pushes and impulses that the trial has been made with, into s.old_push and s.old; none at the first one."""
    for c in range(count):
        i = s.active[c]
        f = vec(s.node, i, NODE_FORCE)
        s.old_push[c] = s.node[i, NODE_PUSH] if first == 0 else 0.0
        for k in range(3):
            acts = first == 0 and used(s, c, k)
            s.old[3 * c + k] = h * dot(f, vec(s.node, i, NODE_NORMAL + 3 * k)) if acts else 0.0


@outlined_kernel
def partitioned_behind(run, count, h):
    """Changes of U and W, by the factors of another state, that the forces of the last correction lack, into rows 2
    and 3 of s.jump; adds what they take from the smooth motion to the residual."""
    co, s, parts, known = run.memory, run.surfaces, run.partition, run.ws.known
    x, nv = parts.surfaces, known.size
    work = 0.0  # of what moves prescribed entries, as `impulse.moving_work`
    for k in range(2):
        mass_times(run.model, run.ws, s.jump[k], x.more, parts.motion)
        for i in range(nv):
            if k == 1 and known[i] != 0:
                work += 0.5 * (run.v[i] + run.buffers.v[i]) * x.more[i]
        for i in range(nv):
            x.more[i] = -x.more[i] if known[i] == 0 else 0.0
        for c in range(count):
            add_row(parts, 3 * c, s.old_push[c] if k == 0 else s.old[3 * c], x.more, 0)
            if used(s, c, 1):
                for r in range(3 * c + 1, 3 * c + 3):
                    add_row(parts, r, (0.5 * h if k == 0 else 1.0) * s.old[r], x.more, 0)
        solve_partition(run.model, parts, known, 0, x.more, s.jump[2 + k])
    for r in range(3 * count):
        if used(s, r // 3, r % 3):
            work -= s.old[r] * x.driven[r]
    s.loss[1] = work
    elastic_times(run.model, parts, s.jump[2], s.jump[3], x.more)
    for i in range(nv):
        if known[i] == 0:
            co.residual[nv + i] += x.more[i]


@outlined_kernel
def partitioned_take(run, count, h):
    """As `impulse_step.take_pushes` and `impulse_step.take_impulses`: the size of the change over the tolerances."""
    co, s, parts, known = run.memory, run.surfaces, run.partition, run.ws.known
    x, nv, nu, per = parts.surfaces, known.size, co.numbers[METHOD_NU], 1.0 / co.numbers[METHOD_MU]
    pushed, struck = parts.vectors[3], parts.vectors[4]
    for k in range(nv):
        pushed[k], struck[k] = 0.0, 0.0
    # pushes displace, impulses change velocities; sliding ones displace over half a step too
    for c in range(count):
        add_row(parts, 3 * c, s.push[c] - s.old_push[c], pushed, 0)
        for k in range(3):
            r = 3 * c + k
            more = s.force[r] - s.old[r]
            if used(s, c, k) and more != 0.0:
                add_row(parts, r, more, struck, 0)
                if k > 0:
                    add_row(parts, r, 0.5 * h * more, pushed, 0)
        keep_force(s, c, 1.0 / h)
    # jumps of displacements and velocities, by the mass alone
    solve_partition(run.model, parts, known, 0, pushed, x.answer)
    for k in range(nv):
        pushed[k] = x.answer[k]
    solve_partition(run.model, parts, known, 0, struck, x.answer)
    for k in range(nv):
        struck[k] = x.answer[k]
        s.jump[2, k] += pushed[k]
        s.jump[3, k] += struck[k]
    # what the jumps do to forces, which the correction then takes out
    elastic_times(run.model, parts, pushed, struck, x.more)
    for k in range(nv):
        x.more[k] = per * x.more[k] if known[k] == 0 else 0.0
    solve_partition(run.model, parts, known, 1, x.more, x.answer)
    # the size of what changed, and what of it may be rounding
    size, largest, finest = 0.0, 0.0, 0.0
    for k in range(nv):
        co.residual[nv + k] -= x.answer[k]
        co.residual[k] -= x.answer[k] / nu
        size = max(size, co.scale[k] * abs(s.jump[2, k]))
        size = max(size, co.scale[nv + k] * abs(s.jump[3, k]))
        finest = max(finest, co.scale[nv + k])
        s.jump[0, k] += s.jump[2, k]
        s.jump[1, k] += s.jump[3, k]
        largest = max(largest, co.scale[nv + k] * max(nu * abs(s.jump[0, k]), abs(s.jump[1, k])))
    s.floor[0] = max(ROUNDED * largest, MET * nu * finest)
    return size


@entry_point
def press_impulse_partitioned(run, t, first):
    """`press_impulse` of a run whose unknowns are parted."""
    model, ws, b, co, s = run.model, run.ws, run.buffers, run.memory, run.surfaces
    x, h = run.partition.surfaces, co.numbers[METHOD_SPACING]
    # at the start of a step: rates of now, and the mass of the deformed body
    if first == 1:
        begin_step(run)
        start_rates_of(run)
    made = factorise_partition(run)
    kinematics(model, ws, b.q, b.v)
    if (first == 1 or made == 1) and follow_deformation(run) == 1:
        x.kept[LAID_PARTIALS] = -1.0
    # momentum of floating trees, then gaps and slips of the trial
    turned = still_turning(run, h, first, x.kept)
    place_shapes(model, ws, b.q, b.v)
    lay_gaps(model, ws, s, b.q, b.v)
    turn_slip(s)
    # rows of the nodes that touch
    count = gather_closed(s)
    if count < 0 or partitioned_rows(run, count) != 0:
        return refused(s, NO_ROOM)
    off = -1 if first == 1 else unmet(s, CLOSED)
    if first == 0:
        dissipate(run, h)
    partition_residual(run, co.residual)
    # nothing touches: a plain correction
    if count == 0:
        partition_correction(run)
        s.floor[0] = 0.0
        return AGAIN + 1 if forget_jumps(s) == 1 else (AGAIN if turned else 0)
    # what forces do to gaps and slips is laid anew only where rows have turned
    mass_answers(run)
    acting_forces(s, count, h, first)
    partitioned_behind(run, count, h)
    partition_correction(run)
    if not rows_stay(run, count, TURNED):
        if lay_compliance(run, 1, count, x.by_step) != 0 or lay_compliance(run, 0, count, x.by_mass) != 0:
            return refused(s, NO_ROOM)
        partitioned_matrices(run, count, h)
    partitioned_free(run, count)
    # the forces that close the gaps and hold or brake the slips
    if meet(s, count, h) != 0:
        return refused(s, NO_STATES)
    size = partitioned_take(run, count, h)
    if off < 0 and (turned or size > max(co.numbers[TOLERANCE], s.floor[0])):
        off = s.active[0]
    return changed(s, count, off)
