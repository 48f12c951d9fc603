"""The active set of surface contact, which nodes touch and which of these stick: Newton's method for all at once.

Unknown are forces (or impulses) p and, in the scheme of impulses, the pushes w that meet gaps by positions:

    gap = g + G w + c p,    0 <= gap,  0 <= w,      one of them zero,
    u   = b + B w + D p,    0 <= u_n,  0 <= p_n,    one of them zero, of nodes whose gap is met.

Where there is friction a node that touches sticks, u_t = 0, or slides, with one of the laws of Kim 1999, section 4.2.4:

    from rest        p_t = mu p_n e,               e along p_t - rho u_t (Alart & Curnier 1991),
    in a reversal    p_t = -mu p_n u_t / speed,    below the transition speed, for a node that slid before.

Both directions and slips are unknown with the forces, and derivatives are exact, so that a step has no cycles that come
from a friction of the last correction. Only a coefficient that falls with speed follows the last slip: there is more
than one state then, and this leads to the one that slides. The factors are cached as long as states stay and the
residual shrinks fast.
"""

from __future__ import annotations

import math

from ..algebra import Vec2
from ..compiler import kernel, outlined_kernel, separate_kernel
from ..flat_arrays import plane_vector_at
from ..linalg.leading import factor_leading, row_times, solve_leading
from .stick_slip import coefficient_at, has_friction, reverses, slides
from .surface_layout import OPEN, REVERSING, SLIDING, SLIPPING, STICK

BLOCK_PASSES = 12
"""Passes in which all violated states change; then one does, which without friction and pushes ends."""
SMALL = 1e-9
"""A violation over the largest number of its kind that is rounding."""
EXACT = 1e-12
"""What may be left of equations, over the largest number of their kind."""
ROUGH = 1e-8
"""The same where rounding keeps them from being met better."""
FAST = 0.05
"""Part of the residual that cached factors may leave at most."""
SURE = 1e-6
"""Residual up to which states are judged by forces of cached factors."""

# kinds of unknowns, KINDS c + kind of active node c: the equation that stands for each
CONE_NORMAL, CONE_STUCK, PUSH, SLID, SLOWED, KINDS = 0, 1, 3, 4, 6, 8


@kernel
def length(a):
    """Of a vector."""
    return math.sqrt(a @ a)


@kernel
def along_tangent(a, k):
    """The part of a slip or of a friction force along tangent 1 or 2."""
    return a.x if k == 1 else a.y


@outlined_kernel
def lay_moved(s, count, pushes, b):
    """Gaps, rates and slips under the forces and pushes, into s.gap and s.moved."""
    for c in range(count):
        for k in range(3 if has_friction(s, s.active[c]) else 1):
            r = 3 * c + k
            x = b[r] + row_times(s.compliance, r, s.force, 0, 3 * count)
            if pushes == 1:
                x += row_times(s.back, r, s.push, 0, count)
            s.moved[r] = x
        if pushes == 1:
            x = s.gap_free[c] + row_times(s.closing, c, s.push, 0, count)
            s.gap[c] = x + row_times(s.couple, c, s.force, 0, 3 * count)


@outlined_kernel
def list_unknowns(s, count, pushes):
    """The unknowns of the states at hand, forces first, into s.unknown; (how many, how many of them are forces)."""
    n = 0
    for c in range(count):
        i = s.active[c]
        region = s.state[i].region
        if region == OPEN:
            continue
        s.unknown[n] = KINDS * c + CONE_NORMAL
        n += 1
        if has_friction(s, i):
            kind = CONE_STUCK if region == STICK else SLOWED if region == REVERSING else SLID
            s.unknown[n], s.unknown[n + 1] = KINDS * c + kind, KINDS * c + kind + 1
            n += 2
    forces = n
    if pushes == 1:
        for c in range(count):
            if s.state[s.active[c]].closed == 1:
                s.unknown[n] = KINDS * c + PUSH
                n += 1
    return n, forces


@kernel
def entry_of(unknown):
    """(active node, entry of its force; 3 of its push)."""
    kind = unknown % KINDS
    if kind >= SLID:
        kind = 1 + kind % 2
    return unknown // KINDS, kind


@kernel
def edge_of(s, c):
    """(rho, direction e of friction, its size over its own trial) of a node that slides by Coulomb's law."""
    r = 3 * c
    rho = 2.0 / (s.compliance[r + 1, r + 1] + s.compliance[r + 2, r + 2])
    trial = plane_vector_at(s.force, r + 1) - rho * plane_vector_at(s.moved, r + 1)
    size = length(trial)
    most = s.mu[c] * max(s.force[r], 0.0)
    if size > 0.0:
        return rho, trial / size, min(most / size, 1.0)
    return rho, Vec2(1.0, 0.0), 0.0


@outlined_kernel
def lay_residual(s, n, speed_scale, gap_scale):
    """Minus what is left of the equations, into s.right; the largest, over speed_scale and gap_scale."""
    most = 0.0
    for a in range(n):
        c, k = entry_of(s.unknown[a])
        kind, r, i = s.unknown[a] % KINDS, 3 * c, s.active[c]
        if kind == PUSH:
            x = s.gap[c]
            most = max(most, abs(x) / gap_scale)
        elif kind < SLID:
            x = s.moved[r + k]
            most = max(most, abs(x) / speed_scale)
        elif kind < SLOWED:
            rho, e, _ = edge_of(s, c)
            x = (s.force[r + k] - s.mu[c] * s.force[r] * along_tangent(e, k)) / rho
            most = max(most, abs(x) / speed_scale)
        else:
            rho = 2.0 / (s.compliance[r + 1, r + 1] + s.compliance[r + 2, r + 2])
            law = s.laws[s.nodes[i].pair]
            x = (s.force[r + k] + law.mu_kinetic / law.mu_speed * s.force[r] * s.moved[r + k]) / rho
            most = max(most, abs(x) / speed_scale)
        s.right[a] = -x
    return most


@outlined_kernel
def add_rates(s, a, part, r, n, forces):
    """Adds a part of the derivatives of rate or slip r to row a of the matrix."""
    for b in range(forces):
        s.matrix[a, b] += part * s.compliance[r, s.column[b]]
    for b in range(forces, n):
        s.matrix[a, b] += part * s.back[r, s.column[b]]


@outlined_kernel
def lay_matrix(s, n, forces):
    """Derivatives of the equations by the unknowns, into s.matrix."""
    for b in range(n):
        c, k = entry_of(s.unknown[b])
        s.column[b] = 3 * c + k if b < forces else c
    for a in range(n):
        c, k = entry_of(s.unknown[a])
        kind, r = s.unknown[a] % KINDS, 3 * c
        for b in range(n):
            s.matrix[a, b] = 0.0
        if kind == PUSH:
            for b in range(forces):
                s.matrix[a, b] = s.couple[c, s.column[b]]
            for b in range(forces, n):
                s.matrix[a, b] = s.closing[c, s.column[b]]
        elif kind < SLID:
            add_rates(s, a, 1.0, r + k, n, forces)
        elif kind < SLOWED:
            # along e friction is mu p_n; across, it turns with its trial
            rho, e, part = edge_of(s, c)
            mine = along_tangent(e, k)
            at = a - k
            for j in range(1, 3):
                across = 1.0 * (k == j) - mine * along_tangent(e, j)
                add_rates(s, a, part * across, r + j, n, forces)
                s.matrix[a, at + j] += (1.0 * (k == j) - part * across) / rho
            s.matrix[a, at] -= s.mu[c] * mine / rho
        else:
            rho = 2.0 / (s.compliance[r + 1, r + 1] + s.compliance[r + 2, r + 2])
            law = s.laws[s.nodes[s.active[c]].pair]
            slope = law.mu_kinetic / (law.mu_speed * rho)
            add_rates(s, a, slope * max(s.force[r], 0.0), r + k, n, forces)
            s.matrix[a, a] += 1.0 / rho
            s.matrix[a, a - k] += slope * s.moved[r + k]


@outlined_kernel
def next_state(s, c, force_scale, speed_scale, settled):
    """The state that a node whose gap is met should have, its own where that is right. settled: 1 where nodes that
    close slide: held fast, they would have to pull."""
    i, r = s.active[c], 3 * c
    law, region, start = s.laws[s.nodes[i].pair], s.state[i].region, s.state[i].region_start
    if region == OPEN:
        if s.moved[r] >= -SMALL * speed_scale:
            return OPEN
        if not has_friction(s, i) or (settled == 0 and not slides(start)):
            return STICK
        return SLIDING if reverses(start) else SLIPPING
    if s.force[r] < -SMALL * force_scale:
        return OPEN
    if not has_friction(s, i):
        return region
    if region == STICK:
        if length(plane_vector_at(s.force, r + 1)) <= law.mu_static * s.force[r] + SMALL * force_scale:
            return STICK
        s.mark[c] = 1
        return REVERSING if reverses(start) else SLIPPING
    moved = plane_vector_at(s.moved, r + 1)
    fast = length(moved) >= law.mu_speed
    if region == REVERSING:
        # at rest if that can be, which is asked in every step (Kim 1999, section 4.2.4): it would creep for ever
        return SLIDING if fast else STICK if s.mark[c] == 0 else REVERSING
    _, e, _ = edge_of(s, c)
    along = -e @ moved
    if reverses(start):
        # too slow to go on as it did: at rest if that can be, else through the reversal
        if along >= law.mu_speed:
            return SLIDING
        return STICK if s.mark[c] == 0 else REVERSING
    if along < -SMALL * speed_scale:
        return STICK
    # breakaway takes a step of its own (Kim 1999, table 4.1); its force is that of a slide
    return SLIDING if fast and start != STICK else SLIPPING


@kernel
def kind_of(region):
    """Which equations a state has: those of a slide do not depend on its speed."""
    return SLIPPING if region == SLIDING else region


@outlined_kernel
def change_states(s, count, pushes, settled, speed_scale, gap_scale):
    """Changes states that are violated, of `settled` nodes the first only; how many changed."""
    force_scale, push_scale = 0.0, 0.0
    for c in range(count):
        force_scale = max(force_scale, abs(s.force[3 * c]))
        push_scale = max(push_scale, abs(s.push[c])) if pushes == 1 else 0.0
    changes = 0
    for c in range(count):
        i = s.active[c]
        if pushes == 1 and s.state[i].closed == 0:
            if s.gap[c] < -SMALL * gap_scale:
                meet_gap(s, i)
                changes += 1
        elif pushes == 1 and s.push[c] < -SMALL * push_scale:
            s.state[i].closed, s.state[i].region = 0, OPEN
            changes += 1
        else:
            region = s.state[i].region
            s.state[i].region = next_state(s, c, force_scale, speed_scale, settled)
            if kind_of(s.state[i].region) != kind_of(region):
                changes += 1
        if s.state[i].region == OPEN:
            for k in range(3):
                s.force[3 * c + k] = 0.0
        if pushes == 1 and s.state[i].closed == 0:
            s.push[c] = 0.0
        if settled == 1 and changes > 0:
            break
    return changes


@kernel
def meet_gap(s, i):
    """The gap of node i is met from now on; it touches as it did at the start of the step."""
    s.state[i].closed = 1
    if s.state[i].region == OPEN:
        s.state[i].region = STICK if s.state[i].region_start == OPEN else s.state[i].region_start


@outlined_kernel
def factors_serve(s, count, n):
    """Whether the cached factors have these unknowns; these are noted if not."""
    same = s.cached.nodes == count and s.cached.unknowns == n
    if same:
        for c in range(count):
            same &= s.cached_node[c] == s.active[c]
        for a in range(n):
            same &= s.cached_unknown[a] == s.unknown[a]
    if same:
        return True
    s.cached.nodes, s.cached.unknowns = count, n
    for c in range(count):
        s.cached_node[c] = s.active[c]
    for a in range(n):
        s.cached_unknown[a] = s.unknown[a]
    return False


@kernel
def forget_factors(s):
    """The matrix is used for something else."""
    s.cached.nodes = -1


@outlined_kernel
def coefficients(s, count, measured):
    """Coefficients of sliding nodes, by the slips of the last evaluation (1) or of the forces at hand."""
    for c in range(count):
        i = s.active[c]
        if not has_friction(s, i):
            continue
        slip = s.node[i].slip if measured == 1 else plane_vector_at(s.moved, 3 * c + 1)
        s.mu[c] = coefficient_at(s, i, length(slip))


@outlined_kernel
def store_slip_directions(s, count):
    """Directions of slip of the nodes that slide."""
    for c in range(count):
        i = s.active[c]
        f = plane_vector_at(s.force, 3 * c + 1)
        if slides(s.state[i].region) and length(f) > 0.0:
            s.node[i].side = -f / length(f)


@separate_kernel
def find_forces(s, count, pushes, b):
    """Forces of the nodes active[:count], and pushes (1), from those in s.force and s.push on; 0, or 1 where none were
    found. b (3 count,): rates and slips without both."""
    # sizes of gaps and slips, by which states are next_state
    speed_scale, gap_scale, rub = 1e-300, 1e-300, 0
    for c in range(count):
        rub = max(rub, 1 if has_friction(s, s.active[c]) else 0)
        s.mark[c] = 0
        if pushes == 1:
            gap_scale = max(gap_scale, abs(s.gap_free[c]))
    for r in range(3 * count):
        speed_scale = max(speed_scale, abs(b[r]))
    coefficients(s, count, 1)
    lay_moved(s, count, pushes, b)
    passes, renew = 0, False
    for _ in range(5 * BLOCK_PASSES if rub == 1 or pushes == 1 else 2 * BLOCK_PASSES + 6 * count + 10):
        # a step of Newton's method, by the factors at hand where these have the same unknowns
        n, forces = list_unknowns(s, count, pushes)
        fresh = not factors_serve(s, count, n) or renew
        before = lay_residual(s, n, speed_scale, gap_scale)
        if fresh:
            lay_matrix(s, n, forces)
            factor_leading(s.matrix, n, s.pivots)
        solve_leading(s.matrix, n, s.pivots, s.right)
        for a in range(n):
            c, k = entry_of(s.unknown[a])
            if k == 3:
                s.push[c] += s.right[a]
            else:
                s.force[3 * c + k] += s.right[a]
        lay_moved(s, count, pushes, b)
        coefficients(s, count, 0)
        rest = lay_residual(s, n, speed_scale, gap_scale)
        renew = not rest <= FAST * before
        # states by these forces, unless they are too far off
        if fresh or rest <= SURE:
            if change_states(s, count, pushes, 1 if passes >= BLOCK_PASSES else 0, speed_scale, gap_scale) > 0:
                passes += 1
                renew = False
                lay_moved(s, count, pushes, b)
            elif rest <= EXACT or (rest <= ROUGH and rest > 0.5 * before):
                store_slip_directions(s, count)
                return 0
    forget_factors(s)
    return 1
