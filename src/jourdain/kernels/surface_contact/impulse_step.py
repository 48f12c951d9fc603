"""Surfaces that touch by impulses: the nonsmooth generalized-alpha method of Bruels, Acary & Cardona 2014.

What touches is not part of the acceleration that the method remembers. A step's displacement and velocity each have a
part of their own, U and W, that meets gaps by positions and then, where they are closed, slips and rates by velocities:

    q' = q exp(h v + h^2 (...) + U),    M U = P_n^T push + h / 2 P_t^T impulse,    0 <= gap,    0 <= push,
    v' = v + h (...) + W,               M W = P^T impulse,    0 <= rate,    0 <= impulse of closed nodes, with friction.

A node that lands loses its speed along the normal; nothing flickers, and forces, impulse over step, are smooth.
Friction acts evenly over the step, so that what sticks does not creep. In a correction, with S = mu M + C + K / nu,
both change what is smooth: dv = S^-1 (-r - K dU - C dW).
"""

from __future__ import annotations

from ..bodies.body_dispatch import internal_dissipation
from ..compiler import entry_point, kernel, outlined_kernel, separate_kernel
from ..contact.contact_forces import place_shapes
from ..integrate.banded_newton import substitute_band
from ..integrate.implicit_layout import (
    AGAIN,
    BANDED,
    FORM,
    JACOBIANS,
    METHOD_MU,
    METHOD_NU,
    METHOD_SPACING,
    STATES,
    TOLERANCE,
)
from ..integrate.loop_records import Loop
from ..integrate.newton import correct_real
from ..integrate.step_points import residual
from ..linalg.pivoted import factorise, substitute
from ..spatial import dot, vec
from ..tree.composite import composite_mass_matrix
from ..tree.kinematics import kinematics
from .active_set import find_forces, meet_gap
from .complementarity import close_gaps, find_states, soften, softness
from .gap_functions import lay_gaps
from .momentum_balance import follow_momentum
from .saddle_point import begin_step, changed, keep_force, lay_active, refused, turn_slip, unmet, used
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
    NODE_START,
    OPEN,
    REGION,
    REGION_START,
    STICK,
)

TURNS = 60
"""How often pushes and impulses are found in turns at most."""
ROUNDED = 1e-11
"""Part of displacement and velocity by impulses that may be rounding: they are differences of what is stiff."""
MET = 1e-14
"""Rounding of places, whose differences gaps are [m]: over a step it is a velocity that no correction takes away."""
SETTLED = 1e-12
"""Change of the impulses, over the largest, at which they are settled."""


@outlined_kernel
def factorise_mass(co, s):
    """Factors of the mass and the constraints, [M -A^T; A 0], at the last derivatives."""
    if s.known[0] == co.counts[JACOBIANS]:
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
    s.known[0] = co.counts[JACOBIANS]


@kernel
def mass_solve(s, f, out):
    """out = M^-1 f, constraints kept."""
    nv = out.size
    for i in range(s.mass_right.size):
        s.mass_right[i] = f[i] if i < nv else 0.0
    substitute(s.mass, s.mass_pivots, s.mass_right)
    for i in range(nv):
        out[i] = s.mass_right[i]


@outlined_kernel
def smooth_answer(co, matrix, x, known, out):
    """out = S^-1 (matrix x): what a displacement or a velocity by impulses takes from the smooth motion."""
    nv, m, per = co.M.shape[0], co.right.size, 1.0 / co.numbers[METHOD_MU]
    for i in range(m):
        co.right[i] = 0.0
        if i < nv and known[i] == 0:
            y = 0.0
            for j in range(nv):
                y += matrix[i, j] * x[j]
            co.right[i] = per * y
    if co.numbers[BANDED] == 1.0:
        substitute_band(co, co.band, co.pivots, co.band_scale[0], co.right, co.placed)
    else:
        substitute(co.matrix, co.pivots, co.right)
    for i in range(m):
        out[i] = co.right[i]


@outlined_kernel
def lay_columns(co, s, count, known):
    """What a unit push or impulse of every active node does."""
    for c in range(count):
        for k in range(3):
            r = 3 * c + k
            if used(s, c, k):
                mass_solve(s, s.rows[r], s.response[r])
                smooth_answer(co, co.C, s.response[r], known, s.damped[r])
                smooth_answer(co, co.K, s.response[r], known, s.columns[r])


@kernel
def along(s, r, x):
    """Row r times a vector."""
    y = 0.0
    for i in range(s.rows.shape[1]):
        y += s.rows[r, i] * x[i]
    return y


@outlined_kernel
def lay_reduced(co, s, count, h):
    """Gaps, rates and slips of the active nodes without forces, and what a unit of each force does to them:

    s.closing (gap by push), s.couple (gap by impulse), s.back (rate and slip by push), s.compliance (by impulse).
    """
    nv, nu = co.M.shape[0], co.numbers[METHOD_NU]
    total = 0.0
    # gap at the end of the step without forces
    for c in range(count):
        i = s.active[c]
        gap = s.node[i, NODE_GAP]
        for j in range(nv):
            gap += s.rows[3 * c, j] * (co.residual[j] + s.jump[2, j])
        s.gap_free[c] = gap
        # rate along the normal (k = 0) and slips without forces
        for k in range(3):
            r = 3 * c + k
            s.rate_free[r] = 0.0
            for a in range(3 * count):
                s.compliance[r, a] = 0.0
            if not used(s, c, k):
                continue
            x = s.node[i, NODE_RATE] if k == 0 else s.node[i, NODE_SLIP + k - 1]
            for j in range(nv):
                x += s.rows[r, j] * (co.residual[nv + j] + s.jump[3, j])
            s.rate_free[r] = x
            # what the forces of node d do to them; friction acts over half of the step
            for d in range(count):
                s.back[r, d] = -along(s, r, s.columns[3 * d])
                for e in range(3):
                    if used(s, d, e):
                        a, part = 3 * d + e, (0.0 if e == 0 else 0.5 * h)
                        moved, slowed, held = along(s, r, s.response[a]), along(s, r, s.damped[a]), 0.0
                        if part > 0.0:
                            held = along(s, r, s.columns[a])
                        s.compliance[r, a] = moved - slowed - part * held
                        if k == 0:
                            s.couple[c, a] = part * (moved - held / nu) - slowed / nu
        for d in range(count):
            s.closing[c, d] = along(s, 3 * c, s.response[3 * d]) - along(s, 3 * c, s.columns[3 * d]) / nu
        total += s.closing[c, c]
    # a little softness keeps the matrix regular where nodes are redundant
    for c in range(count):
        s.closing[c, c] += softness(s, s.active[c]) * total / count
    soften(s, count)


@outlined_kernel
def last_forces(s, count, h):
    """Pushes and impulses of the last correction, and the gaps that are met, where a search begins."""
    for c in range(count):
        i = s.active[c]
        if s.gap_free[c] < 0.0:
            meet_gap(s, i)
        if s.state[i, CLOSED] == 0:
            s.state[i, REGION] = OPEN
        f = vec(s.node, i, NODE_FORCE)
        s.push[c] = s.node[i, NODE_PUSH] if s.state[i, CLOSED] == 1 else 0.0
        for k in range(3):
            x = dot(f, vec(s.node, i, NODE_NORMAL + 3 * k)) if used(s, c, k) else 0.0
            s.force[3 * c + k] = h * x if s.state[i, REGION] != OPEN else 0.0


@separate_kernel
def meet(s, count, h):
    """Pushes and impulses that meet gaps by positions and rates by velocities, into s.push and s.force; 1 where none
    were found."""
    last_forces(s, count, h)
    found = 0
    if find_forces(s, count, 1, s.rate_free) != 0:
        found = meet_in_turns(s, count)
    for c in range(count):
        s.node[s.active[c], NODE_PUSH] = s.push[c]
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
            if s.state[i, CLOSED] == 0:
                s.state[i, REGION] = OPEN
            elif s.state[i, REGION] == OPEN:
                s.state[i, REGION] = STICK if s.state[i, REGION_START] == OPEN else s.state[i, REGION_START]
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
    for i in range(s.nodes.shape[0]):
        if s.state[i, REGION] == OPEN:
            continue
        f = vec(s.node, i, NODE_FORCE)
        for k in range(3):
            speed = 0.5 * (s.node[i, NODE_START + k] + s.node[i, NODE_RATE if k == 0 else NODE_SLIP + k - 1])
            power -= dot(f, vec(s.node, i, NODE_NORMAL + 3 * k)) * speed
    s.loss[0] = h * power


@outlined_kernel
def start_rates_of(run):
    """Rates of gaps and slips at the start of the step."""
    s = run.surfaces
    kinematics(run.model, run.ws, run.q, run.v)
    place_shapes(run.model, run.ws, run.q, run.v)
    lay_gaps(run.model, run.ws, s, run.q, run.v)
    for i in range(s.nodes.shape[0]):
        s.node[i, NODE_START] = s.node[i, NODE_RATE]
        s.node[i, NODE_START + 1] = s.node[i, NODE_SLIP]
        s.node[i, NODE_START + 2] = s.node[i, NODE_SLIP + 1]
        s.state[i, CLOSED] = 0
    for k in range(s.jump.shape[1]):
        s.jump[0, k], s.jump[1, k] = 0.0, 0.0


@kernel
def gather_closed(s):
    """Nodes that were closed at the last correction, or are now; how many, -1 where there is no room for them."""
    count = 0
    for i in range(s.nodes.shape[0]):
        if s.state[i, CLOSED] == 1 or s.state[i, REGION] != OPEN or s.node[i, NODE_GAP] < 0.0:
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
def let_go(co, s, known):
    """Changes of U and W that take off all forces, into rows 2 and 3 of s.jump; by the factors of another state, so
    that with the new forces the rest of M U = P^T push shrinks from correction to correction."""
    nv = co.M.shape[0]
    for k in range(2):
        for i in range(nv):
            x = 0.0
            if known[i] == 0:
                for j in range(nv):
                    x -= co.mass[i, j] * s.jump[k, j]
            s.jump[2 + k, i] = x
        mass_solve(s, s.jump[2 + k], s.jump[2 + k])


@outlined_kernel
def take_impulses(co, s, count, h):
    """Adds what pushes and impulses do to the correction; returns the size of their change over the tolerances, and
    leaves in s.floor what of it may be rounding."""
    nv, nu = co.M.shape[0], co.numbers[METHOD_NU]
    states = int(co.numbers[STATES])
    for c in range(count):
        push = s.push[c]
        if push != 0.0:
            for j in range(nv):
                s.jump[2, j] += s.response[3 * c, j] * push
        for k in range(3):
            r = 3 * c + k
            if used(s, c, k) and s.force[r] != 0.0:
                part = 0.0 if k == 0 else 0.5 * h
                for j in range(nv):
                    s.jump[2, j] += part * s.response[r, j] * s.force[r]
                    s.jump[3, j] += s.response[r, j] * s.force[r]
                    x = (s.damped[r, j] + part * s.columns[r, j]) * s.force[r]
                    co.residual[nv + j] -= x
                    co.residual[j] -= x / nu
                for j in range(nv, nv + states):
                    co.residual[nv + j] -= (s.damped[r, j] + part * s.columns[r, j]) * s.force[r]
        keep_force(s, c, 1.0 / h)
    size, largest, finest = 0.0, 0.0, 0.0
    for k in range(nv):
        finest = max(finest, co.scale[nv + k])
        size = max(size, co.scale[k] * abs(s.jump[2, k]))
        if co.numbers[FORM] != 3.0:
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
    ws, b, co, s, nv = run.ws, run.buffers, run.memory, run.surfaces, run.ws.known.size
    work = 0.0
    for i in range(nv):
        if ws.known[i] == 0:
            continue
        x = 0.0
        for j in range(nv):
            x += co.mass[i, j] * s.jump[1, j]
        work += 0.5 * (run.v[i] + b.v[i]) * x
    for r in range(3 * count):
        if used(s, r // 3, r % 3):
            work -= s.driven[r] * s.force[r]
    s.loss[1] = work


@outlined_kernel
def take_pushes(co, s, count):
    """Adds what the pushes do to the smooth correction."""
    nv, nu = co.M.shape[0], co.numbers[METHOD_NU]
    states = int(co.numbers[STATES])
    for c in range(count):
        push = s.push[c]
        if push != 0.0:
            for j in range(nv):
                x = s.columns[3 * c, j] * push
                co.residual[nv + j] -= x
                co.residual[j] -= x / nu
            for j in range(states):
                co.residual[2 * nv + j] -= s.columns[3 * c, nv + j] * push


@entry_point
def press_impulse(run: Loop, t: float, first: int) -> int:
    """As `press`, by impulses."""
    model, ws, b, co, s = run.model, run.ws, run.buffers, run.memory, run.surfaces
    nv, h = ws.known.size, co.numbers[METHOD_SPACING]
    if first == 1:
        begin_step(run)
        start_rates_of(run)
    # gaps where the trial is, and the nodes that are closed
    kinematics(model, ws, b.q, b.v)
    turned = follow_momentum(run, h, first) > co.numbers[TOLERANCE]
    place_shapes(model, ws, b.q, b.v)
    lay_gaps(model, ws, s, b.q, b.v)
    turn_slip(s)
    off = -1 if first == 1 else unmet(s, CLOSED)
    count = gather_closed(s)
    if count < 0:
        return refused(s, NO_ROOM)
    if first == 0:
        dissipate(run, h)
    residual(run, 1, b.y, co.trial[0], co.force[1], co.residual)
    if count == 0:
        correct_real(co)
        s.floor[0] = 0.0
        return AGAIN + 1 if forget_jumps(s) == 1 else (AGAIN if turned else 0)
    # what the impulses of the last correction did to forces belongs to the residual
    factorise_mass(co, s)
    if co.numbers[FORM] == 0.0:
        composite_mass_matrix(model, ws, co.mass)
    let_go(co, s, ws.known)
    for i in range(nv):
        x = 0.0
        if ws.known[i] == 0:
            for j in range(nv):
                x += co.K[i, j] * s.jump[2, j] + co.C[i, j] * s.jump[3, j]
        co.residual[nv + i] += x
    correct_real(co)
    # impulses of the closed nodes, with those that part or slide sorted out, and what they change
    lay_active(run, count, b.q, b.v)
    lay_columns(co, s, count, ws.known)
    lay_reduced(co, s, count, h)
    if meet(s, count, h) != 0:
        return refused(s, NO_STATES)
    take_pushes(co, s, count)
    size = take_impulses(co, s, count, h)
    moving_work(run, count)
    if off < 0 and (turned or size > max(co.numbers[TOLERANCE], s.floor[0])):
        off = s.active[0]
    return changed(s, count, off)
