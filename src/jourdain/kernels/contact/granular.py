"""Granular piles: contact among many shapes, with a broad phase.

As contact_forces.py and memory/latches.py, but with pairs that come and go and with slots that all pairs share.
"""

from __future__ import annotations

import math

from ..compiler import entry_point, kernel
from ..kind_registry import BRISTLE, FOUNDATION, PILE
from ..model_arrays import ModelArrays, Workspace
from ..rows import clear_row
from ..signatures import Vector
from ..stage_functions import ContactFunctions
from ..tree.kinematics import kinematics
from .broad_phase import list_pairs, margin_of, motion_of
from .contact_forces import (
    apply_contact_force,
    contact_forces_of_pairs,
    find_sites,
    load_bodies,
    place_shapes,
    relative_velocity,
    site_force,
)
from .contact_rows import PAIR_SLOTS, SLOT, listed_pair, memory_of, pair_of
from .memory.latches import accept_pairs, changes_of_pairs, keep_in_plane, note_depth, note_peaks, release

CLOSE = 1e-3  # times the margin of a pile: gap below which a site has a slot before it touches, whatever its speed


@kernel
def place_all(model, ws, q, v):
    """Places all shapes, with only as much of the kinematics as that needs."""
    ws.flags.bare = True
    kinematics(model, ws, q, v)
    ws.flags.bare = False
    place_shapes(model, ws, q, v)


@kernel
def apart(ws, a, b, gap):
    """Whether the bounding spheres of two shapes are farther apart than `gap`; that of a plane is infinite."""
    A, B = ws.shapes[a], ws.shapes[b]
    away = A.p_WS - B.p_WS
    reach = A.ball + B.ball + gap
    return away @ away > reach * reach


@kernel
def time_to_meet(ws, a, b):
    """Time until the bounding spheres of two shapes meet at the present velocities of their origins [s]."""
    A, B = ws.shapes[a], ws.shapes[b]
    away = A.p_WS - B.p_WS
    far = math.sqrt(away @ away)
    closing = -(away @ (A.velocity - B.velocity))
    if closing <= 0.0:
        return math.inf
    return (far - A.ball - B.ball) * far / closing


@kernel
def remembered(ws, k):
    """Whether pair k has a slot for any of its roles."""
    for role in range(PAIR_SLOTS, ws.pairs.shape[1]):
        if ws.pairs[k, role] >= 0:
            return True
    return False


@kernel
def find_pair(model, touch, ws, k):
    """Narrow phase of pair k of the list into ws.sites; returns how many sites."""
    pair = listed_pair(ws.pairs[k])
    count = find_sites(model, touch, ws, pair.family, pair.first, pair.second)
    for s in range(count):
        if ws.sites[s].role < 0:
            ws.sites[s].role = s
    return count


@entry_point
def pile_rates(
    model: ModelArrays, touch: ContactFunctions, q: Vector, v: Vector, z: Vector, latched: Vector, ws: Workspace,
    dz: Vector,
) -> None:  # fmt: skip
    """`contact_rates` of a model with piles; the list of near pairs must be up to date (`accept_piles`)."""
    place_shapes(model, ws, q, v)
    contact_forces_of_pairs(model, touch, ws, z, latched, dz)
    for c in range(len(model.contacts)):
        row = model.contacts[c]
        if row.family == PILE:
            states = (row.normal_states + row.friction_states) * row.slots
            for k in range(row.states, row.states + states):
                dz[k] = 0.0
            clear_row(ws.contact_wrenches[c])
    for k in range(min(ws.lists.count, ws.pairs.shape[0])):
        pair = listed_pair(ws.pairs[k])
        a, b = pair.first, pair.second
        if apart(ws, a, b, 0.0):
            continue
        for s in range(find_pair(model, touch, ws, k)):
            if acts(ws, k, s):
                force = pair_force(model, touch, ws, k, s, z, latched, dz)
                apply_contact_force(ws, a, b, ws.sites[s].point, force)
    load_bodies(model, ws, q, v)


@kernel
def acts(ws, k, s):
    """Whether site s of pair k, as `find_pair` left it, overlaps and has a slot."""
    return ws.sites[s].gap < 0.0 and ws.pairs[k, PAIR_SLOTS + ws.sites[s].role] >= 0


@kernel
def pair_force(model, touch, ws, k, s, z, latched, dz):
    """Force of site s of pair k on its first shape, world axes [N]; adds powers and energies."""
    pair = listed_pair(ws.pairs[k])
    row = model.contacts[pair.pile]
    slot = ws.pairs[k, PAIR_SLOTS + ws.sites[s].role]
    at = row.latched + SLOT * slot
    i = row.states + (row.normal_states + row.friction_states) * slot
    return site_force(model, touch, ws, pair.pile, pair.first, pair.second, s, at, i, z, latched, dz)


@kernel
def free_slot(row, a, latched):
    """A free slot of a pile, -1 where there is none.

    The search begins at a place in proportion to the number of the shape, so that pairs that are evaluated one after
    the other have slots that are near in memory.
    """
    n = row.slots
    first = (a - row.first) * n // (row.second - row.first)
    for k in range(n):
        slot = (first + k) % n
        memory = pair_of(row, slot, latched)
        if memory.first + memory.second == 0:
            return slot
    return -1


@kernel
def forget(row, ws, k, role, z, latched):
    """Frees the slot that pair k of the list has for a role."""
    release(row, ws.pairs[k, PAIR_SLOTS + role], z, latched)
    ws.pairs[k, PAIR_SLOTS + role] = -1
    ws.flags.contact_changed = True


@kernel
def is_far(model, ws, c, gap, near):
    """Whether a site of pile c needs no slot, by its gap [m] and the time until it touches [s]."""
    return near > 2.0 * ws.ledger.step and gap > CLOSE * margin_of(model, c)


@kernel
def accept_site(model, ws, k, s, located, z, latched, scratch):
    """Updates the memory of site s of pair k at an accepted step; returns the time until it touches [s]."""
    pair = listed_pair(ws.pairs[k])
    c, a, b = pair.pile, pair.first, pair.second
    row = model.contacts[c]
    site = ws.sites[s]
    role = site.role
    n, depth = site.normal, -site.gap
    u = relative_velocity(ws.shapes, a, b, site.point)
    rate = -(u @ n)
    near = math.inf
    slot = ws.pairs[k, PAIR_SLOTS + role]
    # separated: frees the slot where the contact has ended or the shapes are far apart
    if depth <= 0.0:
        near = -depth / rate if rate > 0.0 else math.inf
        far = is_far(model, ws, c, -depth, near)
        if slot >= 0 and (far or memory_of(row, slot, latched).touching):
            forget(row, ws, k, role, z, latched)
            slot = -1
        if far:
            return near
    # near: gets a slot before it touches, so that the speed of approach is known at touchdown
    if slot < 0:
        slot = free_slot(row, a, latched)
        if slot < 0:
            ws.flags.capacity_exceeded = 2
            return near
        ws.pairs[k, PAIR_SLOTS + role] = slot
        memory = pair_of(row, slot, latched)
        memory.first, memory.second, memory.role = a, b, role
    # latched speed: of approach while apart, of the impact at touchdown (Gonthier 2007, eq. 3.24)
    memory = pair_of(row, slot, latched)
    i = row.states + (row.normal_states + row.friction_states) * slot
    if depth <= 0.0:
        memory.speed = max(rate, 0.0)
        return near
    if not memory.touching:
        ws.flags.contact_changed = True
        memory.touching = True
        memory.speed = max(rate, 0.0 if located == 1 else memory.speed)
        if row.normal_law < FOUNDATION and row.normal_states == 1:
            z[i] = depth
    # bristles are projected into the plane of contact; then stiffness and depth for the check of the step size
    if row.friction_law == BRISTLE:
        keep_in_plane(z, i + row.normal_states, n)
    slip = u + rate * n
    note_peaks(model, ws, c, a, b, s, depth, rate, slip, memory.speed, z, i, scratch)
    note_depth(model, ws, c, a, b, depth)
    return near


@kernel
def outgrown(model, ws, c, far, fast):
    """Whether the pair list of pile c has expired, where its fastest shape has speed `fast` [m/s] and one has moved by
    `far` [m]; and the time that `renew_lists` returns for it [s].
    """
    margin = margin_of(model, c)
    ahead = 2.0 * ws.ledger.step * fast if ws.ledger.step > 0.0 else 0.25 * margin
    return far + ahead > 0.5 * margin, 0.125 * margin / fast if fast > 0.0 else math.inf


@kernel
def renew_lists(model, ws, z, latched):
    """Renews the pair list where shapes may move farther than half the margin before the next check.

    With a fixed step the motion of two steps is allowed for. Otherwise the next step is bounded by the time returned,
    in which no shape moves farther than an eighth of the margin at its present speed; a step takes at most twice that
    [s].
    """
    needed = not ws.lists.built
    near = math.inf
    for c in range(len(model.contacts)):
        if model.contacts[c].family == PILE:
            far, fast = motion_of(model, ws, c)
            too_far, soon = outgrown(model, ws, c, far, fast)
            needed = needed or too_far
            near = min(near, soon)
    if needed:
        list_pairs(model, ws, z, latched)
        if ws.lists.count > ws.pairs.shape[0]:
            ws.flags.capacity_exceeded = 1
    return near


@entry_point
def accept_piles(
    model: ModelArrays, touch: ContactFunctions, located: int, q: Vector, v: Vector, z: Vector, latched: Vector,
    ws: Workspace, scratch: Vector,
) -> None:  # fmt: skip
    """`accept_contacts` of a model with piles; also keeps the list of near pairs up to date.

    ws.flags.capacity_exceeded becomes 1 where the list of pairs is full, 2 where the slots of a pile are.
    """
    place_all(model, ws, q, v)
    near = accept_pairs(model, touch, ws, located, z, latched, scratch)
    near = min(near, renew_lists(model, ws, z, latched))
    for k in range(min(ws.lists.count, ws.pairs.shape[0])):
        meeting, looked_at = meets(model, ws, k)
        near = min(near, meeting)
        if looked_at:
            near = min(near, accept_pair(model, touch, ws, k, located, z, latched, scratch))
    ws.ledger.time_to_contact = near


@kernel
def meets(model, ws, k):
    """Time until pair k may touch [s], and whether the narrow phase has to look at it."""
    pair = listed_pair(ws.pairs[k])
    a, b = pair.first, pair.second
    if apart(ws, a, b, CLOSE * margin_of(model, pair.pile)) and not remembered(ws, k):
        meeting = time_to_meet(ws, a, b)
        return meeting, not meeting > 2.0 * ws.ledger.step
    return math.inf, True


@kernel
def is_found(ws, count, role):
    """Whether one of the first `count` sites has that role."""
    for s in range(count):
        if ws.sites[s].role == role:
            return True
    return False


@kernel
def accept_pair(model, touch, ws, k, located, z, latched, scratch):
    """Updates the memory of pair k at an accepted step; returns the time until it touches at the present speed [s]."""
    near = math.inf
    count = find_pair(model, touch, ws, k)
    # roles that the narrow phase no longer finds free their slots
    for role in range(ws.pairs.shape[1] - PAIR_SLOTS):
        if ws.pairs[k, PAIR_SLOTS + role] >= 0 and not is_found(ws, count, role):
            forget(model.contacts[listed_pair(ws.pairs[k]).pile], ws, k, role, z, latched)
    for s in range(count):
        near = min(near, accept_site(model, ws, k, s, located, z, latched, scratch))
    return near


@entry_point
def changed_piles(
    model: ModelArrays, touch: ContactFunctions, q: Vector, v: Vector, latched: Vector, ws: Workspace
) -> int:
    """`changed_contacts` of a model with piles."""
    place_all(model, ws, q, v)
    changes = changes_of_pairs(model, touch, ws, latched)
    for k in range(min(ws.lists.count, ws.pairs.shape[0])):
        pair = listed_pair(ws.pairs[k])
        row = model.contacts[pair.pile]
        held, seen = 0, 0
        # contacts remembered, and how many of them the narrow phase finds again
        for role in range(ws.pairs.shape[1] - PAIR_SLOTS):
            slot = ws.pairs[k, PAIR_SLOTS + role]
            if slot >= 0 and memory_of(row, slot, latched).touching:
                held += 1
        if held == 0 and apart(ws, pair.first, pair.second, 0.0):
            continue
        for s in range(find_pair(model, touch, ws, k)):
            if ws.sites[s].gap < 0.0:
                slot = ws.pairs[k, PAIR_SLOTS + ws.sites[s].role]
                if slot >= 0 and memory_of(row, slot, latched).touching:
                    seen += 1
                else:
                    changes += 1
        changes += held - seen
    return changes
