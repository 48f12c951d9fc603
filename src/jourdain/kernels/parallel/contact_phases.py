"""A part's share of the pairs of piles: what they do, what they remember, and which there are.

Two threads may press on one shape. So a pair notes what each of its sites does, and the part that has the shape adds
that up, pair by pair, in the order of their list, as one thread alone would.
"""

from __future__ import annotations

import math

from ..compiler import kernel
from ..contact.broad_phase import large_of, list_shape, margin_of, search_cells
from ..contact.contact_forces import load_shape, relative_velocity
from ..contact.contact_layout import PAIR_A, PAIR_B, PAIR_PILE, PAIR_SLOTS
from ..contact.contact_rows import memory_of, pair_of
from ..contact.granular import accept_site, acts, apart, find_pair, is_far, is_found, meets, pair_force
from ..contact.memory.latches import release
from ..records import record_at
from ..rows import clear_row, copy_row


@kernel
def share(total, pool, part):
    """First, and one past the last, of so many things that are a part's."""
    parts = len(pool.bounds)
    return total * part // parts, total * (part + 1) // parts


@kernel
def begin_sums(ws, mine, pool):
    """The ledger of a part before its pairs act: their sums are zero, what was the largest is that of all."""
    copy_row(mine.ledger, ws.ledger)
    copy_row(mine.flags, ws.flags)
    mine.ledger.loss_rate, mine.ledger.contact, mine.ledger.held = 0.0, 0.0, 0.0
    for n in range(pool.piles.size):
        c = pool.piles[n]
        clear_row(mine.contact_wrenches[c])
        copy_row(mine.peaks[c], ws.peaks[c])
        copy_row(mine.flights[c], ws.flights[c])


@kernel
def contact_forces_of_part(model, touch, ws, mine, pool, part, z, latched, dz):
    """Lets the pairs of a part act: forces into crew.forces, rates of their states into dz."""
    begin_sums(ws, mine, pool)
    each = mine.pairs.shape[1] - PAIR_SLOTS
    for j in range(pool.first_pair[part], pool.first_pair[part + 1]):
        k, hits = pool.mine[j], 0
        if not apart(mine, mine.pairs[k, PAIR_A], mine.pairs[k, PAIR_B], 0.0):
            for s in range(find_pair(model, touch, mine, k)):
                if acts(mine, k, s):
                    force = pair_force(model, touch, mine, k, s, z, latched, dz)
                    hit = pool.forces[each * k + hits]
                    hit.force, hit.point = force, mine.sites[s].point
                    hits += 1
        pool.links[k].hits = hits
    end_sums(ws, mine, pool, part)


@kernel
def gather_forces(ws, pool, i):
    """What the pairs of shape i do to it, as `apply_contact_force` adds it."""
    each = ws.pairs.shape[1] - PAIR_SLOTS
    entry = pool.heads[i]
    while entry >= 0:
        k, side = entry >> 1, entry & 1
        for s in range(pool.links[k].hits):
            hit = pool.forces[each * k + s]
            load_shape(ws.shapes[i], hit.point, -hit.force if side == 1 else hit.force)
        entry = pool.links[k].following[side]


@kernel
def keeps_slots(model, ws, k, count, latched):
    """Whether pair k, its sites found, needs no other slots than it has."""
    c = ws.pairs[k, PAIR_PILE]
    for role in range(ws.pairs.shape[1] - PAIR_SLOTS):
        if ws.pairs[k, PAIR_SLOTS + role] >= 0 and not is_found(ws, count, role):
            return False
    for s in range(count):
        slot = ws.pairs[k, PAIR_SLOTS + ws.sites[s].role]
        gap = ws.sites[s].gap
        if gap < 0.0:
            if slot < 0:
                return False
            continue
        u = relative_velocity(ws.shapes, ws.pairs[k, PAIR_A], ws.pairs[k, PAIR_B], ws.sites[s].point)
        rate = -(u @ ws.sites[s].normal)
        far = is_far(model, ws, c, gap, gap / rate if rate > 0.0 else math.inf)
        if slot < 0:
            if not far:
                return False
        elif far or memory_of(model.contacts[c], slot, latched).touching:
            return False
    return True


@kernel
def accept_part(model, touch, ws, mine, pool, part, z, latched, scratch):
    """What the pairs of a part remember; those whose slots come or go are noted, and wait."""
    begin_sums(ws, mine, pool)
    first, last = pool.first_pair[part], pool.first_pair[part + 1]
    near, waiting = math.inf, 0
    for j in range(first, last):
        k = pool.mine[j]
        meeting, looked_at = meets(model, mine, k)
        near = min(near, meeting)
        if not looked_at:
            continue
        count = find_pair(model, touch, mine, k)
        if not keeps_slots(model, mine, k, count, latched):
            pool.waiting[first + waiting] = k
            waiting += 1
            continue
        for s in range(count):
            near = min(near, accept_site(model, mine, k, s, pool.words.located, z, latched, scratch))
    found = pool.found[part]
    found.near, found.waiting, found.taken = near, waiting, 0
    end_sums(ws, mine, pool, part)


@kernel
def list_part(model, ws, pool, part):
    """What the search reads of the shapes of a part."""
    pile = model.contacts[pool.words.pile]
    first, last = share(pile.second - pile.first, pool, part)
    for i in range(pile.first + first, pile.first + last):
        list_shape(model, ws, i)


@kernel
def search_part(model, own, pool, part):
    """The pairs that the shapes of a part find, into the list of its own."""
    c = pool.words.pile
    pile = model.contacts[c]
    first, last = share(pile.second - pile.first, pool, part)
    grid = pool.numbers.cells, pool.numbers.along, pool.numbers.across
    begin = pile.first
    large, margin = large_of(model, c), margin_of(model, c)
    pool.found[part].listed = search_cells(model, own, c, begin + first, begin + last, grid, large, margin, 0)


@kernel
def copy_part(ws, own, pool, part):
    """The pairs that a part has found, behind those of the parts before it."""
    at = pool.words.pairs
    for p in range(part):
        at += pool.found[p].listed
    for k in range(pool.found[part].listed):
        for c in range(ws.pairs.shape[1]):
            ws.pairs[at + k, c] = own.pairs[k, c]


@kernel
def slots_part(model, ws, pool, part, z, latched):
    """Hands the slots of a part, of those in use, to their pairs; one whose pair is not near any more is forgotten."""
    for n in range(pool.piles.size):
        c = pool.piles[n]
        row = model.contacts[c]
        first, last = share(row.slots, pool, part)
        for slot in range(first, last):
            memory = pair_of(row, slot, latched)
            if memory.first + memory.second == 0:
                continue
            entry = pool.heads[memory.first]
            while entry >= 0:
                k = entry >> 1
                if ws.pairs[k, PAIR_B] == memory.second and ws.pairs[k, PAIR_PILE] == c and entry & 1 == 0:
                    ws.pairs[k, PAIR_SLOTS + memory.role] = slot
                    break
                entry = pool.links[k].following[entry & 1]
            if entry < 0:
                release(row, slot, z, latched)


@kernel
def link_pairs(ws, pool):
    """Links the pairs of each shape, the first of the list first."""
    for i in range(pool.heads.size):
        pool.heads[i] = -1
    for k in range(pool.words.pairs - 1, -1, -1):
        for side in range(2):
            i = ws.pairs[k, PAIR_A + side]
            pool.links[k].following[side] = pool.heads[i]
            pool.heads[i] = 2 * k + side
    deal_pairs(ws, pool)
    pool.words.linked = ws.lists.number


@kernel
def deal_pairs(ws, pool):
    """Gives the parts their pairs: what a thread has written of a shape is in its own cache when it comes to them."""
    first, parts = pool.first_pair, len(pool.bounds)
    for part in range(parts + 1):
        first[part] = 0
    for k in range(pool.words.pairs):
        first[owner_of(ws, pool, k) + 1] += 1
    for part in range(parts):
        first[part + 1] += first[part]
    # while they are dealt, first[p] is where the next of part p goes, which in the end is where part p + 1 begins
    for k in range(pool.words.pairs):
        part = owner_of(ws, pool, k)
        pool.mine[first[part]] = k
        first[part] += 1
    for part in range(parts, 0, -1):
        first[part] = first[part - 1]
    first[0] = 0


@kernel
def owner_of(ws, pool, k):
    """The part that has pair k: that of its first shape, or where this is the world's, of its second."""
    a, b = pool.part_of[ws.pairs[k, PAIR_A]], pool.part_of[ws.pairs[k, PAIR_B]]
    return a if a >= 0 else max(b, 0)


@kernel
def next_waiting(pool):
    """The first pair in the order of the list that still waits, which then waits no more; -1 where there is none."""
    best, least = -1, -1
    for part in range(len(pool.bounds)):
        if pool.found[part].waiting > pool.found[part].taken:
            k = pool.waiting[pool.first_pair[part] + pool.found[part].taken]
            if best < 0 or k < least:
                best, least = part, k
    if best >= 0:
        pool.found[best].taken += 1
    return least


@kernel
def count_pairs(ws, pool):
    """How many pairs there are now; they are linked where another than the crew listed them."""
    pool.words.pairs = min(ws.lists.count, ws.pairs.shape[0])
    if pool.words.linked != ws.lists.number:
        link_pairs(ws, pool)


@kernel
def end_sums(ws, mine, pool, part):
    """What the pairs of a part did, where all can read it at once."""
    sums, ledger, flags = pool.sums[part], mine.ledger, mine.flags
    sums.loss, sums.contact, sums.held = ledger.loss_rate, ledger.contact, ledger.held
    sums.started, sums.penetration_exceeded = flags.contact_changed, flags.penetration_exceeded
    sums.raised = False
    for n in range(pool.piles.size):
        if is_higher(ws.peaks, mine.peaks, pool.piles[n]):
            sums.raised = True


@kernel
def sum_up(ws, pool, part):
    """Adds what the pairs of a part did to the ledger of all."""
    ledger, flags, sums = ws.ledger, ws.flags, pool.sums[part]
    mine = record_at(ws, pool.workspaces[part, 0])
    ledger.loss_rate += sums.loss
    ledger.contact += sums.contact
    ledger.held += sums.held
    if sums.started:
        flags.contact_changed = True
    for n in range(pool.piles.size):
        if flags.energies_wanted:
            sum_wrenches(ws.contact_wrenches, mine.contact_wrenches, pool.piles[n])
        if sums.raised:
            raise_peak(ws.peaks, mine.peaks, pool.piles[n])
    if flags.penetration_exceeded == 0 and sums.penetration_exceeded != 0:
        flags.penetration_exceeded = sums.penetration_exceeded
        c = flags.penetration_exceeded - 1
        copy_row(ws.flights[c], mine.flights[c])


@kernel
def sum_wrenches(contact_wrenches, more, c):
    """Adds what contact c does in a part: sums, but the deepest and the fastest."""
    total, part = contact_wrenches[c], more[c]
    total.force += part.force
    total.torque += part.torque
    total.point += part.point
    total.load += part.load
    total.depth = max(total.depth, part.depth)
    total.slip = max(total.slip, part.slip)
    total.sites += part.sites
    total.stored += part.stored


@kernel
def raise_peak(peaks, more, c):
    """What contact c asks of the step in a part, where that is more than it asked yet (`note_peak`)."""
    if not is_higher(peaks, more, c):
        return
    peak, part = peaks[c], more[c]
    stiffness, damping = max(peak.stiffness, part.stiffness), max(peak.damping, part.damping)
    friction = max(peak.friction, part.friction)
    sticking = part.sticking if part.friction > peak.friction else peak.sticking
    copy_row(peak, part)
    peak.stiffness, peak.damping, peak.friction, peak.sticking = stiffness, damping, friction, sticking


@kernel
def is_higher(peaks, more, c):
    """Whether contact c asks more of the step than it asked yet."""
    peak, part = peaks[c], more[c]
    return part.stiffness > peak.stiffness or part.damping > peak.damping or part.friction > peak.friction
