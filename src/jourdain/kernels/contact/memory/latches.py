"""Contact memory: touchdown and lift-off at accepted steps, impact speeds, and how many contacts have changed."""

from __future__ import annotations

import math

from ...compiler import entry_point, kernel, optional_kernel
from ...flat_arrays import put_value, vector_at
from ...kind_registry import BRISTLE, FOUNDATION, PILE, SPHERE_PLANE, USER
from ...model_arrays import ModelArrays, Workspace
from ...rows import clear_row
from ...signatures import Vector
from ...stage_functions import ContactFunctions
from ...tree.kinematics import kinematics
from ..contact_forces import find, place_shapes, relative_velocity, stiffness_of
from ..contact_rows import (
    contact_sums,
    foundation_parameters,
    foundation_states,
    memory_of,
    normal_parameters,
    part_of,
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
        if sites[s].role == slot and sites[s].gap < 0.0:
            return True
    return False


@kernel
def release(row, slot, z, latched):
    """Clears the latched values and states of a slot whose contact has ended."""
    states = row.normal_states + row.friction_states
    clear_row(memory_of(row, slot, latched))
    at = row.states + states * slot
    for k in range(states):
        z[at + k] = 0.0


@optional_kernel("patches")
def release_parts(row, ws, count, z, latched):
    """Clears the slots of a volumetric contact whose parts no longer overlap; their remaining elastic work is summed.

    A part may have come and gone within the step, so slots that were never latched are checked too.
    """
    states = row.normal_states + row.friction_states
    for slot in range(row.slots):
        left = foundation_states(z, row.states + states * slot).elastic
        known = memory_of(row, slot, latched).touching or left != 0.0
        if known and not touched(ws.sites, count, slot):
            contact_sums(z, row.sums).remained += left
            release(row, slot, z, latched)
            ws.flags.contact_changed = True


@optional_kernel("patches")
def remember_part(model, ws, c, s, slot, first, located, rate, z, i, latched):
    """Latches position, normal and impact speed of a part of a volumetric contact at an accepted step.

    The impact speed is latched along the normal of the part once it has one. Before that the velocities of approach are
    stored: those at touchdown where its time was located, else those of the step before.
    """
    row, site = model.contacts[c], ws.sites[s]
    memory, part = memory_of(row, slot, latched), part_of(row, slot, latched)
    n, point = site.normal, site.point
    # touchdown: reference volume of relaxation, velocity of approach
    if first and foundation_parameters(model.contact_floats, row.normal_floats).relaxation > 0.0:
        foundation_states(z, i).offset = site.volume
    if first and located == 1:
        remember_approach(ws, row, slot, latched)
    if first or not is_real(row, slot, latched):
        memory.speed = approach_rate(ws, row, slot, latched, point, n)
        if first:
            memory.speed = max(memory.speed, rate)
        if not has_normal(model, ws, row, s):
            part.key = -1.0 - site.key
            return
    # key, and normal n_B and centroid p_BoC_B in the axes of B
    B = ws.shapes[row.second]
    R_WB = B.R_WS
    part.key, part.normal = site.key, R_WB.T @ n
    memory.mark = R_WB.T @ (point - B.p_WS)


@kernel
def keep_in_plane(z, i, n):
    """Removes the component of the bristle deflection at z[i] along the normal."""
    deflection = vector_at(z, i)
    put_value(z, i, deflection - (deflection @ n) * n)


@kernel
def note_peaks(model, ws, c, a, b, s, depth, rate, slip, speed, z, i, scratch):
    """Stores stiffness and damping of site s where they are the largest of its contact."""
    row, p = model.contacts[c], model.contact_floats
    if row.normal_law >= USER:
        return
    at = row.normal_floats
    if row.normal_law == FOUNDATION:
        stiffness, damping, load = foundation_rates(foundation_parameters(p, at), ws.sites[s], rate, speed)
    else:
        law = normal_parameters(p, at)
        load, _, _, stiffness, damping = normal_force(
            row.normal_law, law, stiffness_of(model, c, a, b), depth, rate, speed, True, z, i, scratch
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
    row = model.contacts[c]
    most, other = model.shape_poses[a].half, model.shape_poses[b].half
    if row.family >= SPHERE_PLANE or max(most, other) < math.inf:
        most = min(most, other)
    else:
        most = math.inf
    if row.normal_law < USER:
        most = min(most, normal_parameters(model.contact_floats, row.normal_floats).deepest)
    if depth > most and ws.flags.penetration_exceeded == 0:
        ws.flags.penetration_exceeded = c + 1
        flight = ws.flights[c]
        flight.depth, flight.allowed, flight.first, flight.second = depth, most, a, b


@kernel
def accept_pairs(model, touch, ws, located, z, latched, scratch):
    """Updates the memory of the contacts between pairs; returns the time until the next touchdown [s]."""
    near = math.inf
    ws.flags.contact_changed = False
    for c in range(len(model.contacts)):
        row = model.contacts[c]
        if row.family == PILE:
            continue
        a, b = row.first, row.second
        states = row.normal_states + row.friction_states
        count = find(model, touch, ws, c, latched)
        note_flight(model, ws, c, a, b, count)
        # lift-off: clears the slots whose site no longer overlaps
        if row.family >= SPHERE_PLANE:
            release_parts(row, ws, count, z, latched)
        else:
            for slot in range(row.slots):
                if memory_of(row, slot, latched).touching and not touched(ws.sites, count, slot):
                    release(row, slot, z, latched)
                    ws.flags.contact_changed = True
        # each site: apart, its speed of approach is latched; in contact, its memory is updated
        for s in range(count):
            site = ws.sites[s]
            slot = site.role
            if slot < 0:
                continue
            memory = memory_of(row, slot, latched)
            i = row.states + states * slot
            n, point, depth = site.normal, site.point, -site.gap
            u = relative_velocity(ws.shapes, a, b, point)
            rate = -(u @ n)
            if depth <= 0.0:
                memory.speed = max(rate, 0.0)
                if rate > 0.0:
                    near = min(near, -depth / rate)
                continue
            # impact speed: the present one where touchdown was located, else at least the last speed of approach
            first = not memory.touching
            memory.touching = True
            if first:
                ws.flags.contact_changed = True
            if row.family >= SPHERE_PLANE:
                remember_part(model, ws, c, s, slot, first, located, rate, z, i, latched)
            else:
                if first:
                    memory.speed = max(rate, 0.0 if located == 1 else memory.speed)
                    if row.normal_states == 1 and row.normal_law < FOUNDATION:
                        z[i] = depth
                # p_BoC_B, by which `match_slots` recognises the site
                memory.mark = ws.shapes[b].R_WS.T @ (point - ws.shapes[b].p_WS)
            # bristles are projected into the plane of contact; then stiffness and depth for the check of the step size
            if row.friction_law == BRISTLE:
                keep_in_plane(z, i + row.normal_states, n)
            slip = u + rate * n
            note_peaks(model, ws, c, a, b, s, depth, rate, slip, memory.speed, z, i, scratch)
            note_depth(model, ws, c, a, b, depth)
        if row.family >= SPHERE_PLANE:
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
    for c in range(len(model.contacts)):
        row = model.contacts[c]
        if row.family == PILE:
            continue
        count = find(model, touch, ws, c, latched)
        gap = least_gap(ws.sites, count)
        longest, _ = longest_undetected(model, ws, c, row.first, row.second, gap)
        ws.ledger.max_safe_step = min(ws.ledger.max_safe_step, longest)
        for slot in range(row.slots):
            if memory_of(row, slot, latched).touching and not touched(ws.sites, count, slot):
                changes += 1
        for s in range(count):
            slot = ws.sites[s].role
            if slot >= 0 and ws.sites[s].gap < 0.0 and not memory_of(row, slot, latched).touching:
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
