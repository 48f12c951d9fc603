"""Contact memory: touchdown and lift-off at accepted steps, impact speeds, and how many contacts have changed."""

from __future__ import annotations

import math

from ...compiler import entry_point, kernel
from ...kind_registry import BRISTLE, FOUNDATION, PILE, SPHERE_PLANE, USER
from ...model_arrays import ModelArrays, Workspace
from ...signatures import Vector
from ...spatial import add, dot, mat, rotate_back, scale, sub, sym, vec
from ...stage_functions import ContactFunctions
from ...tree.kinematics import kinematics
from ..contact_forces import find, place_shapes, relative_velocity, stiffness_of
from ..contact_layout import (
    CONTACT_FIRST,
    CONTACT_PARTS,
    CONTACT_SECOND,
    CONTACT_STATES,
    DEEPEST,
    FAMILY,
    FLIGHT_DEPTH,
    FLIGHT_MOST,
    FLIGHT_SHAPES,
    FRICTION_LAW,
    FRICTION_STATES,
    GAP,
    HALF,
    LATCHED,
    MARK,
    NORMAL_FLOATS,
    NORMAL_LAW,
    NORMAL_STATES,
    PART,
    PART_KEY,
    PART_NORMAL,
    RELAXATION,
    REMAINED,
    ROLE,
    SHAPE_P,
    SHAPE_R,
    SITE_AREA,
    SITE_INERTIA,
    SITE_KEY,
    SITE_NORMAL,
    SITE_POINT,
    SITE_VOLUME,
    SLOT,
    SLOT_SPEED,
    SLOT_TOUCHING,
    SLOTS,
    STATE_ELASTIC,
    STATE_OFFSET,
    SUMS,
)
from ..laws.normal_and_friction import normal_force
from ..shape_motion import approach_rate, is_real, remember_approach, remember_approaches
from ..stiffness_peaks import note_peak
from ..tunnelling import least_gap, longest_undetected, note_flight
from ..volumetric.overlap_parts import has_normal
from ..volumetric.patch_forces import foundation_rates


@kernel
def touched(sites, count, slot):
    """Whether a site with that slot overlaps."""
    for s in range(count):
        if sites[s, ROLE] == slot and sites[s, GAP] < 0.0:
            return True
    return False


@kernel
def release(row, slot, z, latched):
    """Clears the latched values and states of a slot whose contact has ended."""
    states = row[NORMAL_STATES] + row[FRICTION_STATES]
    at = row[LATCHED] + SLOT * slot
    for k in range(SLOT):
        latched[at + k] = 0.0
    at = row[CONTACT_STATES] + states * slot
    for k in range(states):
        z[at + k] = 0.0


@kernel
def release_parts(row, ws, count, z, latched):
    """Clears the slots of a volumetric contact whose parts no longer overlap; their remaining elastic work is summed.

    A part may have come and gone within the step, so slots that were never latched are checked too.
    """
    states = row[NORMAL_STATES] + row[FRICTION_STATES]
    for slot in range(row[SLOTS]):
        left = z[row[CONTACT_STATES] + states * slot + STATE_ELASTIC]
        known = latched[row[LATCHED] + SLOT * slot + SLOT_TOUCHING] == 1.0 or left != 0.0
        if known and not touched(ws.sites, count, slot):
            z[row[SUMS] + REMAINED] += left
            release(row, slot, z, latched)
            ws.flags.contact_changed = True


@kernel
def remember_part(model, ws, c, s, slot, first, located, rate, z, i, latched):
    """Latches position, normal and impact speed of a part of a volumetric contact at an accepted step.

    The impact speed is latched along the normal of the part once it has one. Before that the velocities of approach are
    stored: those at touchdown where its time was located, else those of the step before.
    """
    row, sites = model.contact_index[c], ws.sites
    at, part = row[LATCHED] + SLOT * slot, row[CONTACT_PARTS] + PART * slot
    n, point = vec(sites, s, SITE_NORMAL), vec(sites, s, SITE_POINT)
    # touchdown: reference volume of relaxation, velocity of approach
    if first and model.contact_floats[row[NORMAL_FLOATS] + RELAXATION] > 0.0:
        z[i + STATE_OFFSET] = sites[s, SITE_VOLUME]
    if first and located == 1:
        remember_approach(ws, row, slot, latched)
    if first or not is_real(row, slot, latched):
        latched[at + SLOT_SPEED] = approach_rate(ws, row, slot, latched, point, n)
        if first:
            latched[at + SLOT_SPEED] = max(latched[at + SLOT_SPEED], rate)
        if not has_normal(model, ws, row, s):
            latched[part + PART_KEY] = -1.0 - sites[s, SITE_KEY]
            return
    # key, and normal n_B and centroid p_BoC_B in the axes of B
    latched[part + PART_KEY] = sites[s, SITE_KEY]
    R = mat(ws.shapes, row[CONTACT_SECOND], SHAPE_R)
    towards = rotate_back(R, n)
    latched[part + PART_NORMAL], latched[part + PART_NORMAL + 1], latched[part + PART_NORMAL + 2] = towards
    here = rotate_back(R, sub(point, vec(ws.shapes, row[CONTACT_SECOND], SHAPE_P)))
    latched[at + MARK], latched[at + MARK + 1], latched[at + MARK + 2] = here


@kernel
def keep_in_plane(z, i, n):
    """Removes the component of the bristle deflection at z[i] along the normal."""
    across = z[i] * n[0] + z[i + 1] * n[1] + z[i + 2] * n[2]
    for k in range(3):
        z[i + k] -= across * n[k]


@kernel
def note_peaks(model, ws, c, a, b, s, depth, rate, slip, speed, z, i, scratch):
    """Stores stiffness and damping of site s where they are the largest of its contact."""
    row, p = model.contact_index[c], model.contact_floats
    if row[NORMAL_LAW] >= USER:
        return
    at = row[NORMAL_FLOATS]
    if row[NORMAL_LAW] == FOUNDATION:
        J, n, V, area = (
            sym(ws.sites, s, SITE_INERTIA),
            vec(ws.sites, s, SITE_NORMAL),
            ws.sites[s, SITE_VOLUME],
            ws.sites[s, SITE_AREA],
        )
        stiffness, damping, load = foundation_rates(p, at, V, area, J, n, rate, speed)
    else:
        load, _, _, stiffness, damping = normal_force(
            row[NORMAL_LAW], p, at, stiffness_of(model, c, a, b), depth, rate, speed, True, z, i, scratch
        )
    note_peak(model, ws, c, a, b, s, stiffness, damping, load, slip)


@kernel
def note_depth(model, ws, c, a, b, depth):
    """Reports shapes that are deeper in each other than half the thinner one, or than the law of contact c is valid
    for.

    Beyond the middle the nearest exit is on the other side: a shape that deep passes through. The exit from a
    half-space is the same at any depth, so that a tiny sphere may stand for a point on a plane; for volumetric contact
    the depth counts there too.
    """
    row = model.contact_index[c]
    most, other = model.shape_pose[a, HALF], model.shape_pose[b, HALF]
    if row[FAMILY] >= SPHERE_PLANE or max(most, other) < math.inf:
        most = min(most, other)
    else:
        most = math.inf
    if row[NORMAL_LAW] < USER:
        most = min(most, model.contact_floats[row[NORMAL_FLOATS] + DEEPEST])
    if depth > most and ws.flags.penetration_exceeded == 0:
        ws.flags.penetration_exceeded = c + 1
        flights = ws.flights
        flights[c, FLIGHT_DEPTH], flights[c, FLIGHT_MOST] = depth, most
        flights[c, FLIGHT_SHAPES], flights[c, FLIGHT_SHAPES + 1] = float(a), float(b)


@kernel
def accept_pairs(model, touch, ws, located, z, latched, scratch):
    """Updates the memory of the contacts between pairs; returns the time until the next touchdown [s]."""
    near = math.inf
    ws.flags.contact_changed = False
    for c in range(model.contact_index.shape[0]):
        row = model.contact_index[c]
        if row[FAMILY] == PILE:
            continue
        a, b = row[CONTACT_FIRST], row[CONTACT_SECOND]
        states = row[NORMAL_STATES] + row[FRICTION_STATES]
        count = find(model, touch, ws, c, latched)
        note_flight(model, ws, c, a, b, count)
        # lift-off: clears the slots whose site no longer overlaps
        if row[FAMILY] >= SPHERE_PLANE:
            release_parts(row, ws, count, z, latched)
        else:
            for slot in range(row[SLOTS]):
                if latched[row[LATCHED] + SLOT * slot + SLOT_TOUCHING] == 1.0 and not touched(ws.sites, count, slot):
                    release(row, slot, z, latched)
                    ws.flags.contact_changed = True
        # each site: apart, its speed of approach is latched; in contact, its memory is updated
        for s in range(count):
            slot = int(ws.sites[s, ROLE])
            if slot < 0:
                continue
            at = row[LATCHED] + SLOT * slot
            i = row[CONTACT_STATES] + states * slot
            n, point = vec(ws.sites, s, SITE_NORMAL), vec(ws.sites, s, SITE_POINT)
            u = relative_velocity(ws.shapes, a, b, point)
            rate = -dot(u, n)
            depth = -ws.sites[s, GAP]
            if depth <= 0.0:
                latched[at + SLOT_SPEED] = max(rate, 0.0)
                if rate > 0.0:
                    near = min(near, -depth / rate)
                continue
            # impact speed: the present one where touchdown was located, else at least the last speed of approach
            first = latched[at + SLOT_TOUCHING] == 0.0
            latched[at + SLOT_TOUCHING] = 1.0
            if first:
                ws.flags.contact_changed = True
            if row[FAMILY] >= SPHERE_PLANE:
                remember_part(model, ws, c, s, slot, first, located, rate, z, i, latched)
            else:
                if first:
                    latched[at + SLOT_SPEED] = max(rate, 0.0 if located == 1 else latched[at + SLOT_SPEED])
                    if row[NORMAL_STATES] == 1 and row[NORMAL_LAW] < FOUNDATION:
                        z[i] = depth
                # p_BoC_B, by which `match_slots` recognises the site
                here = rotate_back(mat(ws.shapes, b, SHAPE_R), sub(point, vec(ws.shapes, b, SHAPE_P)))
                latched[at + MARK], latched[at + MARK + 1], latched[at + MARK + 2] = here
            # bristles are projected into the plane of contact; then stiffness and depth for the check of the step size
            if row[FRICTION_LAW] == BRISTLE:
                keep_in_plane(z, i + row[NORMAL_STATES], n)
            slip = add(u, scale(rate, n))
            note_peaks(model, ws, c, a, b, s, depth, rate, slip, latched[at + SLOT_SPEED], z, i, scratch)
            note_depth(model, ws, c, a, b, depth)
        if row[FAMILY] >= SPHERE_PLANE:
            remember_approaches(ws, row, latched)
    return near


@entry_point
def accept_contacts(
    model: ModelArrays, touch: ContactFunctions, located: int, q: Vector, v: Vector, z: Vector, latched: Vector,
    ws: Workspace, scratch: Vector,
) -> None:  # fmt: skip
    """Update of the contact memory after an accepted step: sites begin and end, impact speeds are latched, bristles are
    projected into the plane of contact.

    A site that has just touched takes the larger of its speed of approach at the last accepted step and its speed now;
    where the time was located (1), the speed now. ws.ledger.time_to_contact becomes the time until the next
    touchdown at the present speeds [s]. `scratch` has the size of z.
    """
    kinematics(model, ws, q, v)
    place_shapes(model, ws, q, v)
    ws.ledger.time_to_contact = accept_pairs(model, touch, ws, located, z, latched, scratch)


@kernel
def changes_of_pairs(model, touch, ws, latched):
    """How many sites of the contacts between pairs begin or end; ws.ledger.max_safe_step becomes the smallest
    safe step of all of them [s].
    """
    changes = 0
    ws.ledger.max_safe_step = math.inf
    for c in range(model.contact_index.shape[0]):
        row = model.contact_index[c]
        if row[FAMILY] == PILE:
            continue
        count = find(model, touch, ws, c, latched)
        gap = least_gap(ws.sites, count)
        longest, _ = longest_undetected(model, ws, c, row[CONTACT_FIRST], row[CONTACT_SECOND], gap)
        ws.ledger.max_safe_step = min(ws.ledger.max_safe_step, longest)
        for slot in range(row[SLOTS]):
            if latched[row[LATCHED] + SLOT * slot + SLOT_TOUCHING] == 1.0 and not touched(ws.sites, count, slot):
                changes += 1
        for s in range(count):
            slot = int(ws.sites[s, ROLE])
            if slot >= 0 and ws.sites[s, GAP] < 0.0 and latched[row[LATCHED] + SLOT * slot + SLOT_TOUCHING] == 0.0:
                changes += 1
    return changes


@entry_point
def changed_contacts(
    model: ModelArrays, touch: ContactFunctions, q: Vector, v: Vector, latched: Vector, ws: Workspace
) -> int:
    """How many sites touch that did not at the last accepted step, or no longer touch.

    ws.ledger.max_safe_step becomes the longest step to this state in which no shapes can have passed through
    each other [s].
    """
    kinematics(model, ws, q, v)
    place_shapes(model, ws, q, v)
    return changes_of_pairs(model, touch, ws, latched)
