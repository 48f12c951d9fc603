"""Derivatives of all contacts: pair by pair, site by site, through the columns of the two markers.

Cost: for a pair in contact, the square of the number of entries that move its shapes, and 12 calls of the narrow phase
where its geometry is not known in closed form; nothing for other pairs.
"""

from __future__ import annotations

from ...algebra import Vec3, cross, shift
from ...compiler import kernel, optional_kernel, outlined_kernel
from ...contact.contact_forces import place_shapes, site_force
from ...contact.contact_rows import SLOT, listed_pair
from ...contact.granular import apart
from ...kind_registry import PILE, SPHERE_PLANE, USER, USER_FRICTION
from ...rows import copy_row
from .contact_geometry import family_of, find_sites, keep_sites, lens, move_sites, site_displaced, slot_of
from .contact_points import site_change, site_seen, user_friction_partials, user_normal_partials
from .contact_wrench import wrench_by_motion, wrench_by_state
from .marker_pairs import add_pair, add_standing, gather_pair, hastened, marker_place, place_pair
from .overlap_parts import move_parts, part_partials


@kernel
def touches(ws, sites, s, listed):
    """Whether a site overlaps and has a slot."""
    return sites[s].gap < 0.0 and slot_of(ws, sites, s, listed) >= 0


@outlined_kernel
def site_partials(model, touch, ws, ap, c, listed, a, b, s, places, count, z, latched, K, C):
    """Adds the derivatives of the force of site s of ap.sites to K, C and those of states; returns the force on A."""
    row = model.contacts[c]
    place_a, place_b, omega_a, omega_b = places
    slot = slot_of(ws, ap.sites, s, listed)
    states = row.normal_states + row.friction_states
    at, i = row.latched + SLOT * slot, row.states + states * slot
    # arguments of the contact laws at the site; derivatives of a user's laws by differences
    site = site_seen(model, touch, ws, ap, c, a, b, s, at, i, z, latched, ap.dz)
    if row.normal_law >= USER:
        user_normal_partials(model, touch, ap, c, site, i, z, ap.dz)
    if row.friction_law >= USER_FRICTION and site.load > 0.0:
        user_friction_partials(model, touch, ap, c, site, i + row.normal_states, z, ap.dz)
    # geometry: point C, p_AoC_W and p_BoC_W from the markers; derivatives of gap, normal and point
    n, point = site.normal, ap.sites[s].point
    arm_a, arm_b = point - place_a, point - place_b
    origin = ws.shapes[a].p_WS - point
    exact, radius, curvature = lens(model, family_of(model, ws, c, listed), a, b, ap.sites[s].gap)
    place_pair(ap, count, arm_a, arm_b)
    none, rates = Vec3(0.0, 0.0, 0.0), ap.dz
    # by displacements: relative displacement, change of gap, normal and point, change of velocities
    for k in range(count):
        entry, pair = ap.entries[k], ap.pairs[k]
        X_A, X_B = pair.displacement_A, pair.displacement_B
        moved_b = shift(X_B, arm_b)
        moved = shift(X_A, arm_a) - moved_b
        turn, move = moved.angular, moved.linear
        lift = move + cross(turn, origin)
        gap, bend, away = site_displaced(exact, radius, curvature, ap.moved, s, n, turn, move, lift)
        bend, away = bend + cross(moved_b.angular, n), away + moved_b.linear
        faster_a = hastened(pair.rate_A, X_A, arm_a, omega_a, away)
        faster_b = hastened(pair.rate_B, X_B, arm_b, omega_b, away)
        faster, spin_b = faster_a.linear - faster_b.linear, faster_b.angular
        pair.force = site_change(model, ap, c, site, i, z, gap, bend, faster, spin_b, -1, rates)
        pair.point, pair.torque, pair.torque_v = away, none, none
        for l in range(states):
            ap.rate_x[i + l, entry] += rates[l]
        # by velocities
        faster, spin_b = pair.velocity, pair.S_B.angular
        pair.force_v = site_change(model, ap, c, site, i, z, 0.0, none, faster, spin_b, -1, rates)
        for l in range(states):
            ap.rate_v[i + l, entry] += rates[l]
    # by states of the slot
    for l in range(states):
        force = site_change(model, ap, c, site, i, z, 0.0, none, none, none, l, rates)
        for m in range(states):
            ap.rate_z[i + m, i + l] += rates[m]
        for k in range(count):
            ap.by_state[ap.entries[k], i + l] += ap.pairs[k].velocity @ force
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
    parts = listed < 0 and model.contacts[c].family >= SPHERE_PLANE
    if parts:
        move_parts(model, touch, ws, ap, c, found, z, latched)
    else:
        exact, _, _ = lens(model, family_of(model, ws, c, listed), a, b, 0.0)
        if not exact:
            move_sites(model, touch, ws, ap, c, listed, a, b, found, latched)
        # the differences have overwritten ws.sites
        for s in range(found):
            copy_row(ws.sites[s], ap.sites[s])
    # markers A and B of the shapes, and their columns
    first, second = model.shapes[a].marker, model.shapes[b].marker
    place_a, omega_a, _ = marker_place(model, ws, first, q, v)
    place_b, omega_b, _ = marker_place(model, ws, second, q, v)
    na, nb, count = gather_pair(model, ws, sl, ap, first, second, q, v)
    total, on_a, on_b = Vec3(0.0, 0.0, 0.0), Vec3(0.0, 0.0, 0.0), Vec3(0.0, 0.0, 0.0)
    for s in range(found):
        if not touches(ws, ap.sites, s, listed):
            continue
        torque = Vec3(0.0, 0.0, 0.0)
        places = (place_a, place_b, omega_a, omega_b)
        if parts:
            torque, force = part_partials(model, ws, ap, c, a, b, s, places, count, z, K, C)
        else:
            force = site_partials(model, touch, ws, ap, c, listed, a, b, s, places, count, z, latched, K, C)
        point = ap.sites[s].point
        if listed < 0:
            wrench_by_motion(model, ws, ap, c, point, place_a, place_b, count, force)
        # resultant at both markers, as a standing wrench under their displacement
        total += force
        on_a += torque + cross(point - place_a, force)
        on_b += torque + cross(point - place_b, force)
    add_standing(model, ws, sl, na, nb, first, second, on_a, on_b, total, q, v, K)


@optional_kernel("contact")
def contact_partials(model, touch, ws, sl, ap, q, v, z, latched, K, C):
    """Adds -dQ/dx of all contacts to K, -dQ/dv to C, and the derivatives of their states to the arrays of `ap`; after
    `kinematics`. With piles the list of near pairs must be up to date in ws.
    """
    wanted = ws.flags.energies_wanted
    ws.flags.energies_wanted = False
    place_shapes(model, ws, q, v)
    for c in range(len(model.contacts)):
        row = model.contacts[c]
        if row.family != PILE:
            pair_partials(model, touch, ws, sl, ap, c, -1, row.first, row.second, q, v, z, latched, K, C)
    for k in range(min(ws.lists.count, ws.pairs.shape[0])):
        pair = listed_pair(ws.pairs[k])
        a, b = pair.first, pair.second
        if not apart(ws, a, b, 0.0):
            pair_partials(model, touch, ws, sl, ap, pair.pile, k, a, b, q, v, z, latched, K, C)
    ws.flags.energies_wanted = wanted
