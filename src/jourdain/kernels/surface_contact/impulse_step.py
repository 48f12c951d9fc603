"""Surface contact by impulses: the nonsmooth generalized-alpha method of Bruels, Acary & Cardona 2014.

Contact forces are not part of the acceleration that the method remembers. A step's displacement and velocity each have
a part of their own, U and W, that meets gaps by positions and then, where they are closed, slips and rates by
velocities:

    q' = q exp(h v + h^2 (...) + U),    M U = P_n^T push + h / 2 P_t^T impulse,    0 <= gap,    0 <= push,
    v' = v + h (...) + W,               M W = P^T impulse,    0 <= rate,    0 <= impulse of closed nodes, with friction.

A node that lands loses its speed along the normal; nothing flickers, and forces, impulse over step, are smooth.
Friction acts evenly over the step, so that what sticks does not creep. In a correction, with S = M + C / mu + K / (mu
nu) (`linear_operator`), both change what is smooth: dv = -S^-1 (r + K dU + C dW) / mu.
"""

from __future__ import annotations

from ..bodies.body_dispatch import internal_dissipation
from ..compiler import entry_point, kernel, outlined_kernel, separate_kernel
from ..contact.contact_forces import place_shapes
from ..flat_arrays import vector_at
from ..integrate.implicit_layout import AGAIN
from ..integrate.linear_operator import MASS_MATRIX, STEP_MATRIX
from ..integrate.loop_records import Loop
from ..linalg.leading import row_times as product
from ..records import given
from ..tree.kinematics import kinematics
from .active_set import find_forces, meet_gap
from .complementarity import close_gaps, find_states, soften, softness
from .contact_rows import add_row, lay_rows, row_times, used
from .gap_functions import lay_gaps
from .saddle_point import add_answer, begin_step, changed, refused, store_force, trial_gaps, unmet
from .surface_layout import CAPACITY_EXCEEDED, NO_STATES, OPEN, STICK

TURNS = 60
"""How often pushes and impulses are found in turns at most."""
ROUNDED = 1e-11
"""Part of displacement and velocity by impulses that may be rounding: they are differences of what is stiff."""
MET = 1e-14
"""Rounding of places, whose differences gaps are [m]: over a step it is a velocity that no correction takes away."""
SETTLED = 1e-12
"""Change of the impulses, over the largest, at which they are settled."""


@outlined_kernel
def lay_responses(run, count, h):
    """What a unit of each force does to gaps, rates and slips, from the Delassus operators:

    s.closing (gap by push), s.couple (gap by impulse), s.back (rate and slip by push), s.compliance (by impulse).
    """
    s, nu, total = run.surfaces, run.memory.integrator.nu, 0.0
    for r in range(3 * count):
        c, k = r // 3, r % 3
        for a in range(3 * count):
            s.compliance[r, a] = 0.0
        if not used(s, c, k):
            continue
        for a in range(3 * count):
            if not used(s, a // 3, a % 3):
                continue
            moved, slowed, stiffened = s.inertial[r, a], s.damped[r, a], s.stiffened[r, a]
            share = 0.0 if a % 3 == 0 else 0.5 * h  # friction acts evenly over the step
            s.compliance[r, a] = moved - slowed - share * stiffened
            if a % 3 == 0:
                s.back[r, a // 3] = -stiffened
                if k == 0:
                    s.closing[c, a // 3] = moved - stiffened / nu
            if k == 0:
                s.couple[c, a] = share * (moved - stiffened / nu) - slowed / nu
        if k == 0:
            total += s.closing[c, c]
    # a little softness keeps the matrix regular where nodes are redundant
    for c in range(count):
        s.closing[c, c] += softness(s, s.active[c]) * total / count
    soften(s, count)


@outlined_kernel
def free_motion(run, count):
    """Gaps, rates and slips without forces: those with the forces of the last correction, less what these do."""
    co, s, nv = run.memory, run.surfaces, run.ws.known.size
    for r in range(3 * count):
        c, k, i = r // 3, r % 3, s.active[r // 3]
        if k == 0:
            gap = s.node[i].gap + row_times(s.rows, r, co.residual, 0)
            gap += row_times(s.rows, r, s.jump[2], 0) - product(s.closing, c, s.old_push, 0, count)
            s.gap_free[c] = gap - product(s.couple, c, s.old, 0, 3 * count)
        s.rate_free[r] = 0.0
        if used(s, c, k):
            rate = s.node[i].rates[k] + row_times(s.rows, r, co.residual, nv) + row_times(s.rows, r, s.jump[3], 0)
            rate -= product(s.back, r, s.old_push, 0, count)
            s.rate_free[r] = rate - product(s.compliance, r, s.old, 0, 3 * count)


@outlined_kernel
def last_forces(s, count, h):
    """Pushes and impulses of the last correction, and the gaps that are met, where a search begins."""
    for c in range(count):
        i = s.active[c]
        if s.gap_free[c] < 0.0:
            meet_gap(s, i)
        if s.state[i].closed == 0:
            s.state[i].region = OPEN
        f = s.node[i].force
        s.push[c] = s.node[i].push if s.state[i].closed == 1 else 0.0
        for k in range(3):
            x = f @ vector_at(s.node[i].axes, 3 * k) if used(s, c, k) else 0.0
            s.force[3 * c + k] = h * x if s.state[i].region != OPEN else 0.0


@separate_kernel
def meet(s, count, h):
    """Pushes and impulses that meet gaps by positions and rates by velocities, into s.push and s.force; 1 where none
    were found."""
    last_forces(s, count, h)
    found = 0
    if find_forces(s, count, 1, s.rate_free) != 0:
        found = meet_in_turns(s, count)
    for c in range(count):
        s.node[s.active[c]].push = s.push[c]
    return found


@outlined_kernel
def meet_in_turns(s, count):
    """The same in turns, as each moves the other through damping: where states go round, this is slower and ends."""
    for _ in range(TURNS):
        for c in range(count):
            x = s.gap_free[c]
            for a in range(3 * count):
                if s.force[a] != 0.0:
                    x += s.couple[c, a] * s.force[a]
            s.gap[c] = x
        if close_gaps(s, count) != 0:
            return 1
        for r in range(3 * count):
            x = s.rate_free[r]
            for d in range(count):
                if s.push[d] != 0.0 and used(s, r // 3, r % 3):
                    x += s.back[r, d] * s.push[d]
            s.free[r] = x
            s.before[r] = s.force[r]
        for c in range(count):
            i = s.active[c]
            if s.state[i].closed == 0:
                s.state[i].region = OPEN
            elif s.state[i].region == OPEN:
                s.state[i].region = STICK if s.state[i].region_start == OPEN else s.state[i].region_start
        if find_states(s, count) != 0:
            return 1
        largest, change = 0.0, 0.0
        for r in range(3 * count):
            largest = max(largest, abs(s.force[r]))
            change = max(change, abs(s.force[r] - s.before[r]))
        if change <= SETTLED * largest:
            break
    return 0


@outlined_kernel
def dissipate(run, h):
    """What friction and the speed that landing nodes lose take in this step, into s.loss [J].

    A force's work over a step is that on the mean velocity. Of damping the ledger has the mean of the powers at both
    ends, which is more by a quarter of the power of the difference: where nodes land that is not small.
    """
    b, s, nv = run.buffers, run.surfaces, run.ws.known.size
    change = s.jump[2]
    for k in range(nv):
        change[k] = b.v[k] - run.v[k]
    power = -0.25 * internal_dissipation(run.model, b.q, change)
    for i in range(len(s.nodes)):
        if s.state[i].region == OPEN:
            continue
        f = s.node[i].force
        for k in range(3):
            speed = 0.5 * (s.node[i].start[k] + s.node[i].rates[k])
            power -= (f @ vector_at(s.node[i].axes, 3 * k)) * speed
    s.loss[0] = h * power


@outlined_kernel
def start_rates_of(run):
    """Rates of gaps and slips at the start of the step."""
    s = run.surfaces
    kinematics(run.model, run.ws, run.q, run.v)
    place_shapes(run.model, run.ws, run.q, run.v)
    lay_gaps(run.model, run.ws, s, run.q, run.v)
    for i in range(len(s.nodes)):
        for k in range(3):
            s.node[i].start[k] = s.node[i].rates[k]
        s.state[i].closed = 0
    for k in range(s.jump.shape[1]):
        s.jump[0, k], s.jump[1, k] = 0.0, 0.0


@kernel
def gather_closed(s):
    """Nodes that were closed at the last correction, or are now.

    How many, -1 where they are more than CLOSED_AT_MOST.
    """
    count = 0
    for i in range(len(s.nodes)):
        if s.state[i].closed == 1 or s.state[i].region != OPEN or s.node[i].gap < 0.0:
            if count == s.active.size:
                return -1
            s.active[count] = i
            count += 1
    return count


@kernel
def forget_jumps(s):
    """Takes U and W away where nothing is closed any more; 1 where there were any."""
    had = 0
    for k in range(s.jump.shape[1]):
        if s.jump[0, k] != 0.0 or s.jump[1, k] != 0.0:
            had = 1
        s.jump[0, k], s.jump[1, k] = 0.0, 0.0
    s.loss[1] = 0.0
    return had


@outlined_kernel
def contact_generalised_impulses(run, count, h, first):
    """Pushes and impulses that stay in the trial, into s.old_push and s.old.

    A partition's Delassus operators are not quite those of the trial: by them the change of the forces is found, so
    that they decide about the convergence only. Those of dense matrices are, and all forces are found anew.
    """
    s = run.surfaces
    stay = first == 0 and given(run.partition)
    for c in range(count):
        i = s.active[c]
        f = s.node[i].force
        s.old_push[c] = s.node[i].push if stay else 0.0
        for k in range(3):
            acts = stay and used(s, c, k)
            s.old[3 * c + k] = h * (f @ vector_at(s.node[i].axes, 3 * k)) if acts else 0.0


@outlined_kernel
def lacking_jumps(run, count, h):
    """Changes of U and W that the forces which stay lack, by the factors of another state, into rows 2 and 3 of s.jump;
    adds to the residual what they take from the smooth motion. So the rest of M U = P^T push shrinks from correction to
    correction."""
    co, s, known, operator = run.memory, run.surfaces, run.ws.known, run.operator
    nv = known.size
    for k in range(2):
        operator.multiply(run, MASS_MATRIX, s.jump[k], s.jump[k], s.effort)
        for i in range(nv):
            s.effort[i] = -s.effort[i] if known[i] == 0 else 0.0
        for c in range(count):
            add_row(s.rows, 3 * c, s.old_push[c] if k == 0 else s.old[3 * c], s.effort, 0)
            for r in range(3 * c + 1, 3 * c + 3 if used(s, c, 1) else 3 * c + 1):
                add_row(s.rows, r, (0.5 * h if k == 0 else 1.0) * s.old[r], s.effort, 0)
        operator.solve(run, MASS_MATRIX, s.effort, s.jump[2 + k])
    operator.multiply(run, STEP_MATRIX, s.jump[2], s.jump[3], s.effort)
    for i in range(nv):
        if known[i] == 0:
            co.residual[nv + i] += s.effort[i]


@outlined_kernel
def take_impulses(run, count, h):
    """Adds what the change of pushes and impulses does to the correction; returns the size of the jumps' change over
    the tolerances, and leaves in s.floor what of it may be rounding."""
    co, s, known, operator = run.memory, run.surfaces, run.ws.known, run.operator
    nv, nu, per = known.size, co.integrator.nu, 1.0 / co.integrator.mu
    displaced, struck = s.jump[4], s.jump[5]
    # efforts of pushes, which displace, and of impulses, which change velocities; friction displaces over half a step
    for k in range(nv):
        s.effort[k], struck[k] = 0.0, 0.0
    for c in range(count):
        add_row(s.rows, 3 * c, s.push[c] - s.old_push[c], s.effort, 0)
        for k in range(3):
            r = 3 * c + k
            more = s.force[r] - s.old[r]
            if used(s, c, k) and more != 0.0:
                add_row(s.rows, r, more, struck, 0)
                if k > 0:
                    add_row(s.rows, r, 0.5 * h * more, s.effort, 0)
        store_force(s, c, 1.0 / h)
    # jumps of displacements and velocities, M^-1 of these
    operator.solve(run, MASS_MATRIX, s.effort, displaced)
    for k in range(nv):
        s.effort[k] = struck[k]
    operator.solve(run, MASS_MATRIX, s.effort, struck)
    for k in range(nv):
        s.jump[2, k] += displaced[k]
        s.jump[3, k] += struck[k]
    # what the jumps do to elastic and damping forces, which the smooth correction takes out
    operator.multiply(run, STEP_MATRIX, displaced, struck, s.effort)
    for k in range(nv):
        s.effort[k] = per * s.effort[k] if known[k] == 0 else 0.0
    operator.solve(run, STEP_MATRIX, s.effort, s.answer)
    add_answer(run, -1.0, 0)
    # the size of what changed, and what of it may be rounding
    size, largest, finest = 0.0, 0.0, 0.0
    for k in range(nv):
        finest = max(finest, co.scale[nv + k])
        size = max(size, co.scale[k] * abs(s.jump[2, k]))
        if co.integrator.form != 3:
            size = max(size, co.scale[nv + k] * abs(s.jump[3, k]))
        s.jump[0, k] += s.jump[2, k]
        s.jump[1, k] += s.jump[3, k]
        largest = max(largest, co.scale[nv + k] * max(nu * abs(s.jump[0, k]), abs(s.jump[1, k])))
    s.floor[0] = max(ROUNDED * largest, MET * nu * finest)
    return size


@outlined_kernel
def moving_work(run, count):
    """What moves prescribed entries against the impulses of this step, into s.loss [J]: the impulse that holds an entry
    is M W - P^T p, by its row, and its way is that of the mean velocity."""
    ws, b, s, work, prescribed = run.ws, run.buffers, run.surfaces, 0.0, 0
    for k in range(ws.known.size):
        prescribed += 1 if ws.known[k] != 0 else 0
    if prescribed > 0:
        run.operator.multiply(run, MASS_MATRIX, s.jump[1], s.jump[1], s.effort)
        for k in range(ws.known.size):
            if ws.known[k] != 0:
                work += 0.5 * (run.v[k] + b.v[k]) * s.effort[k]
        for r in range(3 * count):
            if used(s, r // 3, r % 3):
                work -= s.rows.driven[r] * s.force[r]
    s.loss[1] = work


@entry_point
def impulse_correction(run: Loop, t: float, first: int) -> int:
    """The correction of a trial with the impulses of its surfaces, as `saddle_point_correction`."""
    b, co, s, operator, h = run.buffers, run.memory, run.surfaces, run.operator, run.memory.integrator.spacing
    if first == 1:
        begin_step(run)
        start_rates_of(run)
    # gaps where the trial is, and the nodes that are closed
    turning = trial_gaps(run, first)
    off = -1 if first == 1 else unmet(s, True)
    count = gather_closed(s)
    if count < 0:
        return refused(s, CAPACITY_EXCEEDED)
    operator.refactor(run, first, count)
    if first == 0:
        dissipate(run, h)
    operator.residual(run)
    if count == 0:
        operator.correct(run)
        s.floor[0] = 0.0
        return AGAIN + 1 if forget_jumps(s) == 1 else (AGAIN if turning else 0)
    # what impulses did to forces belongs to the residual
    if lay_rows(run, count, b.q, b.v) != 0:
        return refused(s, CAPACITY_EXCEEDED)
    contact_generalised_impulses(run, count, h, first)
    lacking_jumps(run, count, h)
    operator.correct(run)
    # responses of gaps, rates and slips
    made = operator.compliance(run, count)
    if made < 0:
        return refused(s, CAPACITY_EXCEEDED)
    if made == 1:
        lay_responses(run, count, h)
    free_motion(run, count)
    # impulses of the closed nodes, with those that part or slide sorted out, and what they change
    if meet(s, count, h) != 0:
        return refused(s, NO_STATES)
    size = take_impulses(run, count, h)
    moving_work(run, count)
    if off < 0 and (turning or size > max(co.integrator.tolerance, s.floor[0])):
        off = s.active[0]
    return changed(s, count, off)
