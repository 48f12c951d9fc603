"""The linear complementarity problem (LCP) of the nodes that may touch: which are open, stick or slide.

With b the gaps (times nu, so that they are velocities) and slips without forces, and D what forces do to them, each
node meets one of (Kim 1999, sections 2.4 and 4.2.4)

    open      p = 0,                              b_n + (D p)_n >= 0
    stick     b + D p = 0,                        p_n >= 0,  |p_t| <= mu_s p_n
    slide     b_n + (D p)_n = 0,  p_t = -mu p_n s,    s the direction of slip.

The set of states is found by changing all that are violated at once; where that does not end, by changing the first
one only, which without friction ends for any D that is positive definite (Murty 1974; Judice & Pires 1994). With it
there may be no such set, or none that is found so; then forces are found in sweeps (`gauss_seidel`).
"""

from __future__ import annotations

import math

from ..algebra import Vec2
from ..compiler import kernel, outlined_kernel, separate_kernel
from ..flat_arrays import plane_vector_at, put_value
from ..linalg.leading import factor_leading, solve_leading
from .active_set import BLOCK_PASSES, SMALL, find_forces, forget_factors
from .gauss_seidel import response, sweep_states
from .stick_slip import coefficient, has_friction, region_of_slip, slides
from .surface_layout import OPEN, SLIPPING, STICK

SOFT = 1e-9
"""Compliance added to that of a friction force, over the mean: of forces that do the same, all bear their part. Of
normal forces it is a number of the pair."""


@outlined_kernel
def solve_states(s, count):
    """Forces of the nodes active[:count] in the states that they have."""
    unknowns = 0
    for c in range(count):
        i = s.active[c]
        region = s.state[i].region
        for k in range(3):
            s.force[3 * c + k] = 0.0
        if region == OPEN:
            continue
        for k in range(3 if region == STICK and has_friction(s, i) else 1):
            s.unknown[unknowns] = 3 * c + k
            unknowns += 1
    for a in range(unknowns):
        r = s.unknown[a]
        s.right[a] = -s.free[r]
        for b in range(unknowns):
            j = s.unknown[b]
            x = s.compliance[r, j]
            i = s.active[j // 3]
            if j % 3 == 0 and slides(s.state[i].region) and has_friction(s, i):
                mu, side = coefficient(s, i), s.node[i].side
                x -= mu * (side.x * s.compliance[r, j + 1])
                x -= mu * (side.y * s.compliance[r, j + 2])
            s.matrix[a, b] = x
    factorise_part(s, unknowns)
    for a in range(unknowns):
        s.force[s.unknown[a]] = s.right[a]
    for c in range(count):
        i = s.active[c]
        if slides(s.state[i].region) and has_friction(s, i):
            mu = coefficient(s, i)
            put_value(s.force, 3 * c + 1, -mu * s.node[i].side * s.force[3 * c])


@outlined_kernel
def factorise_part(s, n):
    """Solves the leading n equations of s.matrix, into s.right; unknowns that lack a pivot are zero."""
    forget_factors(s)
    factor_leading(s.matrix, n, s.pivots)
    solve_leading(s.matrix, n, s.pivots, s.right)


@outlined_kernel
def closing_state(s, c, count, speed_scale, settled):
    """The state of a node that closes again. One that slid at the start of the step, or slips while no state but open
    can be found for it, slides: held fast, it would have to pull."""
    i = s.active[c]
    if not has_friction(s, i) or (settled == 0 and not slides(s.state[i].region_start)):
        return STICK
    slip = Vec2(response(s, count, 3 * c + 1), response(s, count, 3 * c + 2))
    size = math.sqrt(slip @ slip)
    if size <= SMALL * speed_scale:
        return STICK
    s.node[i].side = slip / size
    return region_of_slip(s, i)


@outlined_kernel
def next_state(s, c, count, force_scale, speed_scale, settled):
    """The state that a node should have instead of its own, or its own. settled: 1 where sliding nodes stay so."""
    i = s.active[c]
    region = s.state[i].region
    r = 3 * c
    if region == OPEN:
        if s.state[i].closed == 1 and response(s, count, r) < -SMALL * speed_scale:
            return closing_state(s, c, count, speed_scale, settled)
        return OPEN
    if s.force[r] < -SMALL * force_scale:
        return OPEN
    pair = s.nodes[i].pair
    if not has_friction(s, i):
        return region
    if region == STICK:
        held = plane_vector_at(s.force, r + 1)
        size = math.sqrt(held @ held)
        if size > s.laws[pair].mu_static * s.force[r] + SMALL * force_scale:
            s.node[i].side = -held / size
            return SLIPPING if s.state[i].region_start == STICK else region_of_slip(s, i)
        return STICK
    if settled == 0:
        along = s.node[i].side @ Vec2(response(s, count, r + 1), response(s, count, r + 2))
        if along < -SMALL * speed_scale:
            return STICK
    return region


@kernel
def softness(s, i):
    """Compliance that is added to that of the normal force of node i, over the mean."""
    return s.laws[s.nodes[i].pair].softened


@outlined_kernel
def soften(s, count):
    """Adds the compliance of `SOFT` and of the pairs."""
    total = 0.0
    for c in range(count):
        total += s.compliance[3 * c, 3 * c]
    for c in range(count):
        s.compliance[3 * c, 3 * c] += softness(s, s.active[c]) * total / count
        s.compliance[3 * c + 1, 3 * c + 1] += SOFT * total / count
        s.compliance[3 * c + 2, 3 * c + 2] += SOFT * total / count


@outlined_kernel
def turned_slides(s, count):
    """Lets sliding nodes of a set of states that was found slide where the forces lead them; where no such directions
    are found, all is left as it is. 0 always."""
    sliding = 0
    for c in range(count):
        i = s.active[c]
        if slides(s.state[i].region) and has_friction(s, i):
            sliding += 1
    if sliding == 0:
        return 0
    for r in range(3 * count):
        s.sizes[r] = s.force[r]
    if sweep_states(s, count) != 0:
        for r in range(3 * count):
            s.force[r] = s.sizes[r]
    return 0


@separate_kernel
def find_states(s, count):
    """States and forces of the nodes active[:count]; 0, or 1 where no set of states was found."""
    speed_scale, rubs = 0.0, 0
    for c in range(count):
        i = s.active[c]
        rubs = max(rubs, 1 if has_friction(s, i) else 0)
        if slides(s.state[i].region):
            s.state[i].region = region_of_slip(s, i)
    for r in range(3 * count):
        speed_scale = max(speed_scale, abs(s.free[r]))
    for trial in range(BLOCK_PASSES + (2 * BLOCK_PASSES if rubs == 1 else 6 * count + 10)):
        solve_states(s, count)
        force_scale = 0.0
        for c in range(count):
            force_scale = max(force_scale, abs(s.force[3 * c]))
        changes = 0
        for c in range(count):
            wanted = next_state(s, c, count, force_scale, speed_scale, 1 if trial >= BLOCK_PASSES else 0)
            if wanted != s.state[s.active[c]].region:
                s.sizes[c] = float(wanted)
                changes += 1
            else:
                s.sizes[c] = -1.0
        if changes == 0:
            return turned_slides(s, count)
        for c in range(count):
            if s.sizes[c] >= 0.0:
                s.state[s.active[c]].region = int(s.sizes[c])
                if trial >= BLOCK_PASSES:
                    break
    return sweep_states(s, count) if rubs == 1 else 1


@outlined_kernel
def solve_complementarity(s, count):
    """States and forces of the nodes active[:count], from those in s.force on; 0, or 1 where none were found."""
    for c in range(count):
        if s.state[s.active[c]].region == OPEN:
            for k in range(3):
                s.force[3 * c + k] = 0.0
    if find_forces(s, count, 0, s.free) == 0:
        return 0
    return find_states(s, count)


@separate_kernel
def close_gaps(s, count):
    """What closes the gaps of the nodes active[:count], into s.push: 0 <= gap, 0 <= push, one of them zero.

    s.gap are the gaps without, s.closing what a unit of each does. 1 where no set was found.
    """
    # first guess: what has a gap below zero is closed
    gap_scale = 0.0
    for c in range(count):
        s.state[s.active[c]].closed = 1 if s.gap[c] < 0.0 else 0
        gap_scale = max(gap_scale, abs(s.gap[c]))
    for trial in range(BLOCK_PASSES + 6 * count + 10):
        # pushes that make the gaps of the closed ones zero
        n = 0
        for c in range(count):
            s.push[c] = 0.0
            if s.state[s.active[c]].closed == 1:
                s.unknown[n] = c
                n += 1
        for a in range(n):
            s.right[a] = -s.gap[s.unknown[a]]
            for b in range(n):
                s.matrix[a, b] = s.closing[s.unknown[a], s.unknown[b]]
        factorise_part(s, n)
        force_scale = 0.0
        for a in range(n):
            s.push[s.unknown[a]] = s.right[a]
            force_scale = max(force_scale, abs(s.right[a]))
        # closed ones that pull open, open ones that overlap close; in the end one at a time, which cannot cycle
        changes = 0
        for c in range(count):
            i = s.active[c]
            if s.state[i].closed == 1:
                wrong = s.push[c] < -SMALL * force_scale
            else:
                x = s.gap[c]
                for d in range(count):
                    x += s.closing[c, d] * s.push[d]
                wrong = x < -SMALL * gap_scale
            if wrong and (trial < BLOCK_PASSES or changes == 0):
                s.state[i].closed = 1 - s.state[i].closed
                changes += 1
        if changes == 0:
            return 0
    return 1
