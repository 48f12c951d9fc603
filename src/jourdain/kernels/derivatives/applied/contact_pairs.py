"""Derivatives of all contacts: pair by pair, site by site, through the columns of the two markers.

Cost: for a pair in contact, the square of the number of entries that move its shapes, and 12 calls of the narrow phase
where its geometry is not known in closed form; nothing for other pairs.
"""

from __future__ import annotations

from ...compiler import kernel, optional_kernel, outlined_kernel
from ...contact.contact_forces import place_shapes, site_force
from ...contact.contact_layout import (
    CONTACT_FIRST,
    CONTACT_SECOND,
    CONTACT_STATES,
    FAMILY,
    FRICTION_LAW,
    FRICTION_STATES,
    GAP,
    LATCHED,
    LIST_COUNT,
    NORMAL_LAW,
    NORMAL_STATES,
    PAIR_A,
    PAIR_B,
    PAIR_PILE,
    SHAPE_MARKER,
    SHAPE_P,
    SITE_POINT,
    SLOT,
)
from ...contact.granular import apart
from ...kind_registry import PILE, SPHERE_PLANE, USER, USER_FRICTION
from ...spatial import add, cross, dot, put3, sub, vec
from ..derivative_layout import PATH_S
from .applied_layout import ON_A, ON_B, PAIR_C, PAIR_F, PAIR_FV, PAIR_P, PAIR_T, PAIR_TV
from .contact_geometry import family_of, find_sites, keep_sites, lens, move_sites, site_displaced, slot_of
from .contact_points import site_change, site_seen, user_friction_partials, user_normal_partials
from .contact_wrench import wrench_by_motion, wrench_by_state
from .marker_pairs import add_pair, add_standing, displaced, gather_pair, hastened, marker_place, place_pair
from .overlap_parts import move_parts, part_partials


@kernel
def touches(ws, sites, s, listed):
    """Whether a site overlaps and has a slot."""
    return sites[s, GAP] < 0.0 and slot_of(ws, sites, s, listed) >= 0


@outlined_kernel
def site_partials(model, touch, ws, ap, c, listed, a, b, s, places, count, z, latched, K, C):
    """Adds the derivatives of the force of site s of ap.sites to K, C and those of states; returns the force on A."""
    row, pair = model.contact_index[c], ap.pair
    place_a, place_b, omega_a, omega_b = places
    slot = slot_of(ws, ap.sites, s, listed)
    states = row[NORMAL_STATES] + row[FRICTION_STATES]
    at, i = row[LATCHED] + SLOT * slot, row[CONTACT_STATES] + states * slot
    # arguments of the contact laws at the site; derivatives of a user's laws by differences
    site = site_seen(model, touch, ws, ap, c, a, b, s, at, i, z, latched, ap.dz)
    if row[NORMAL_LAW] >= USER:
        user_normal_partials(model, touch, ap, c, site, i, z, ap.dz)
    if row[FRICTION_LAW] >= USER_FRICTION and site.load > 0.0:
        user_friction_partials(model, touch, ap, c, site, i + row[NORMAL_STATES], z, ap.dz)
    # geometry: point C, p_AoC_W and p_BoC_W from the markers; derivatives of gap, normal and point
    n, point = site.normal, vec(ap.sites, s, SITE_POINT)
    arm_a, arm_b = sub(point, place_a), sub(point, place_b)
    origin = sub(vec(ws.shapes, a, SHAPE_P), point)
    exact, radius, curvature = lens(model, family_of(model, ws, c, listed), a, b, ap.sites[s, GAP])
    place_pair(ap, count, arm_a, arm_b)
    none, rates = (0.0, 0.0, 0.0), ap.dz
    # by displacements: relative displacement, change of gap, normal and point, change of velocities
    for k in range(count):
        entry = ap.entries[k]
        turn_a, move_a = displaced(pair, k, ON_A, arm_a)
        turn_b, move_b = displaced(pair, k, ON_B, arm_b)
        turn, move = sub(turn_a, turn_b), sub(move_a, move_b)
        lift = add(move, cross(turn, origin))
        gap, bend, shift = site_displaced(exact, radius, curvature, ap.moved, s, n, turn, move, lift)
        bend, shift = add(bend, cross(turn_b, n)), add(shift, move_b)
        _, fast_a = hastened(pair, k, ON_A, arm_a, omega_a, shift)
        spin_b, fast_b = hastened(pair, k, ON_B, arm_b, omega_b, shift)
        force = site_change(model, ap, c, site, i, z, gap, bend, sub(fast_a, fast_b), spin_b, -1, rates)
        put3(pair, k, PAIR_F, force)
        put3(pair, k, PAIR_P, shift)
        put3(pair, k, PAIR_T, none)
        for l in range(states):
            ap.rate_x[i + l, entry] += rates[l]
        # by velocities
        faster = vec(pair, k, PAIR_C)
        spin_b = vec(pair, k, ON_B + PATH_S)
        put3(pair, k, PAIR_FV, site_change(model, ap, c, site, i, z, 0.0, none, faster, spin_b, -1, rates))
        put3(pair, k, PAIR_TV, none)
        for l in range(states):
            ap.rate_v[i + l, entry] += rates[l]
    # by states of the slot
    for l in range(states):
        force = site_change(model, ap, c, site, i, z, 0.0, none, none, none, l, rates)
        for m in range(states):
            ap.rate_z[i + m, i + l] += rates[m]
        for k in range(count):
            ap.by_state[ap.entries[k], i + l] += dot(vec(pair, k, PAIR_C), force)
        if listed < 0:
            wrench_by_state(model, ws, ap, c, point, i + l, force, none)
    force = site_force(model, touch, ws, c, a, b, s, at, i, z, latched, ap.dz)
    add_pair(ap, count, force, K, C)
    return force


@outlined_kernel
def pair_partials(model, touch, ws, sl, ap, c, listed, a, b, q, v, z, latched, K, C):
    """Adds the derivatives of the contact forces of one pair of shapes to K, C and those of states."""
    found = find_sites(model, touch, ws, c, listed, latched)
    touching = 0
    for s in range(found):
        if touches(ws, ws.sites, s, listed):
            touching += 1
    if touching == 0:
        return
    # geometry: derivatives of the sites or of the overlap parts, by differences where they are not exact
    keep_sites(ws, ap, found)
    parts = listed < 0 and model.contact_index[c, FAMILY] >= SPHERE_PLANE
    if parts:
        move_parts(model, touch, ws, ap, c, found, z, latched)
    else:
        exact, _, _ = lens(model, family_of(model, ws, c, listed), a, b, 0.0)
        if not exact:
            move_sites(model, touch, ws, ap, c, listed, a, b, found, latched)
        # the differences have overwritten ws.sites
        for s in range(found):
            for k in range(ws.sites.shape[1]):
                ws.sites[s, k] = ap.sites[s, k]
    # markers A and B of the shapes, and their columns
    first, second = model.shape_index[a, SHAPE_MARKER], model.shape_index[b, SHAPE_MARKER]
    place_a, omega_a, _ = marker_place(model, ws, first, q, v)
    place_b, omega_b, _ = marker_place(model, ws, second, q, v)
    na, nb, count = gather_pair(model, ws, sl, ap, first, second, q, v)
    total, on_a, on_b = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    for s in range(found):
        if not touches(ws, ap.sites, s, listed):
            continue
        torque = (0.0, 0.0, 0.0)
        places = (place_a, place_b, omega_a, omega_b)
        if parts:
            torque, force = part_partials(model, ws, ap, c, a, b, s, places, count, z, K, C)
        else:
            force = site_partials(model, touch, ws, ap, c, listed, a, b, s, places, count, z, latched, K, C)
        point = vec(ap.sites, s, SITE_POINT)
        if listed < 0:
            wrench_by_motion(model, ws, ap, c, point, place_a, place_b, count, force)
        # resultant at both markers, as a standing wrench under their displacement
        total = add(total, force)
        on_a = add(on_a, add(torque, cross(sub(point, place_a), force)))
        on_b = add(on_b, add(torque, cross(sub(point, place_b), force)))
    add_standing(model, ws, sl, na, nb, first, second, on_a, on_b, total, q, v, K)


@optional_kernel("contact")
def contact_partials(model, touch, ws, sl, ap, q, v, z, latched, K, C):
    """Adds -dQ/dx of all contacts to K, -dQ/dv to C, and the derivatives of their states to the arrays of `ap`; after
    `kinematics`. With piles the list of near pairs must be up to date in ws.
    """
    wanted = ws.flags.energies_wanted
    ws.flags.energies_wanted = False
    place_shapes(model, ws, q, v)
    for c in range(model.contact_index.shape[0]):
        row = model.contact_index[c]
        if row[FAMILY] != PILE:
            pair_partials(
                model, touch, ws, sl, ap, c, -1, row[CONTACT_FIRST], row[CONTACT_SECOND], q, v, z, latched, K, C
            )
    for k in range(min(ws.lists[LIST_COUNT], ws.pairs.shape[0])):
        a, b = ws.pairs[k, PAIR_A], ws.pairs[k, PAIR_B]
        if not apart(ws, a, b, 0.0):
            pair_partials(model, touch, ws, sl, ap, ws.pairs[k, PAIR_PILE], k, a, b, q, v, z, latched, K, C)
    ws.flags.energies_wanted = wanted
