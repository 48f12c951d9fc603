"""What contacts remember: touchdown and lift-off at accepted steps, and how to find the time when they happen."""

from __future__ import annotations

import math

from ..compiler import gate, kernel
from ..kinematics import kinematics
from ..layout import NEAR, UNSEEN
from ..spatial import dot, mat, put3, rotate_back, sub, sym, vec
from .laws import friction_damping, normal_force
from .layout import (
    AREA,
    BRISTLE,
    CAPS,
    ELASTIC,
    FAMILY,
    FIRST,
    FOUNDATION,
    FRICTION_FLOATS,
    FRICTION_LAW,
    FRICTION_STATES,
    GAP,
    INERTIA,
    KEY,
    LATCHED,
    MARK,
    NORMAL,
    NORMAL_FLOATS,
    NORMAL_LAW,
    NORMAL_STATES,
    OFFSET,
    PART,
    PART_KEY,
    PART_NORMAL,
    PARTS,
    PEAK_DAMPING,
    PEAK_FIRST,
    PEAK_FRICTION,
    PEAK_NORMAL,
    PEAK_POINT,
    PEAK_SECOND,
    PEAK_STIFFNESS,
    PILE,
    POINT,
    RELAXATION,
    REMAINED,
    ROLE,
    SECOND,
    SHAPE_P,
    SHAPE_R,
    SLOT,
    SLOTS,
    SPEED,
    STATES,
    SUMS,
    TOUCHING,
    USER,
    VOLUME,
)
from .passing import least_gap, longest_unseen, note_flight
from .sites import find, place_shapes, relative_velocity, stiffness_of
from .volumetric import foundation_rates


@kernel
def touched(sites, count, slot):
    """Whether a site with that slot overlaps."""
    for s in range(count):
        if sites[s, ROLE] == slot and sites[s, GAP] < 0.0:
            return True
    return False


@kernel
def release(row, slot, z, latched):
    """Forgets a site that does not touch any more."""
    states = row[NORMAL_STATES] + row[FRICTION_STATES]
    at = row[LATCHED] + SLOT * slot
    for k in range(SLOT):
        latched[at + k] = 0.0
    at = row[STATES] + states * slot
    for k in range(states):
        z[at + k] = 0.0


@kernel
def release_parts(row, sites, count, z, latched):
    """Forgets the parts of a volumetric contact that overlap no more; what is left of their elastic work is summed.

    A part may have come and gone within the step, so slots that were never latched are looked at too.
    """
    states = row[NORMAL_STATES] + row[FRICTION_STATES]
    for slot in range(row[SLOTS]):
        left = z[row[STATES] + states * slot + ELASTIC]
        if (latched[row[LATCHED] + SLOT * slot + TOUCHING] == 1.0 or left != 0.0) and not touched(sites, count, slot):
            z[row[SUMS] + REMAINED] += left
            release(row, slot, z, latched)


@kernel
def remember_part(model, ws, c, s, slot, first, z, i, latched):
    """Key and normal of a part for the next step, and what it relaxes from where it is new."""
    row, sites = model.contact_index[c], ws.sites
    if first and model.contact_floats[row[NORMAL_FLOATS] + RELAXATION] > 0.0:
        z[i + OFFSET] = sites[s, VOLUME]
    at = row[PARTS] + PART * slot
    latched[at + PART_KEY] = sites[s, KEY]
    n = rotate_back(mat(ws.shapes, row[SECOND], SHAPE_R), vec(sites, s, NORMAL))
    latched[at + PART_NORMAL], latched[at + PART_NORMAL + 1], latched[at + PART_NORMAL + 2] = n


@kernel
def keep_in_plane(z, i, n):
    """Takes from the bristles at z[i] what points along the normal."""
    across = z[i] * n[0] + z[i + 1] * n[1] + z[i + 2] * n[2]
    for k in range(3):
        z[i + k] -= across * n[k]


@kernel
def note_peaks(model, ws, c, a, b, s, depth, rate, speed, z, i, scratch):
    """Keeps the stiffness and damping of site s where they are the largest that the contact has had."""
    row, p, peaks = model.contact_index[c], model.contact_floats, ws.peaks
    if row[NORMAL_LAW] >= USER:
        return
    at = row[NORMAL_FLOATS]
    if row[NORMAL_LAW] == FOUNDATION:
        J, n, V, area = sym(ws.sites, s, INERTIA), vec(ws.sites, s, NORMAL), ws.sites[s, VOLUME], ws.sites[s, AREA]
        stiffness, damping, load = foundation_rates(p, at, V, area, J, n, rate, speed)
    else:
        load, _, _, stiffness, damping = normal_force(
            row[NORMAL_LAW], p, at, stiffness_of(model, c, a, b), depth, rate, speed, True, z, i, scratch
        )
    rubbing = 0.0
    if abs(rate) <= 1e-3:  # [m/s]; in the short time of an impact friction has no time to tremble
        rubbing = friction_damping(row[FRICTION_LAW], p, row[FRICTION_FLOATS], load)
    if stiffness > peaks[c, PEAK_STIFFNESS] or damping > peaks[c, PEAK_DAMPING] or rubbing > peaks[c, PEAK_FRICTION]:
        peaks[c, PEAK_STIFFNESS] = max(stiffness, peaks[c, PEAK_STIFFNESS])
        peaks[c, PEAK_DAMPING] = max(damping, peaks[c, PEAK_DAMPING])
        peaks[c, PEAK_FRICTION] = max(rubbing, peaks[c, PEAK_FRICTION])
        put3(peaks, c, PEAK_POINT, vec(ws.sites, s, POINT))
        put3(peaks, c, PEAK_NORMAL, vec(ws.sites, s, NORMAL))
        peaks[c, PEAK_FIRST], peaks[c, PEAK_SECOND] = float(a), float(b)


@kernel
def accept_pairs(model, touch, ws, located, z, latched, scratch):
    """What the contacts that are pairs remember; returns the time until the next touches at the present speeds [s]."""
    near = math.inf
    for c in range(model.contact_index.shape[0]):
        row = model.contact_index[c]
        if row[FAMILY] == PILE:
            continue
        a, b = row[FIRST], row[SECOND]
        states = row[NORMAL_STATES] + row[FRICTION_STATES]
        count = find(model, touch, ws, c, latched)
        note_flight(model, ws, c, a, b, count)
        if row[FAMILY] >= CAPS:
            release_parts(row, ws.sites, count, z, latched)
        else:
            for slot in range(row[SLOTS]):
                if latched[row[LATCHED] + SLOT * slot + TOUCHING] == 1.0 and not touched(ws.sites, count, slot):
                    release(row, slot, z, latched)
        for s in range(count):
            slot = int(ws.sites[s, ROLE])
            if slot < 0:
                continue
            at = row[LATCHED] + SLOT * slot
            i = row[STATES] + states * slot
            n, point = vec(ws.sites, s, NORMAL), vec(ws.sites, s, POINT)
            rate = -dot(relative_velocity(ws.shapes, a, b, point), n)
            depth = -ws.sites[s, GAP]
            if depth <= 0.0:
                latched[at + SPEED] = max(rate, 0.0)
                if rate > 0.0:
                    near = min(near, -depth / rate)
                continue
            first = latched[at + TOUCHING] == 0.0
            if first:
                latched[at + TOUCHING] = 1.0
                latched[at + SPEED] = max(rate, 0.0 if located == 1 else latched[at + SPEED])
                if row[NORMAL_LAW] < FOUNDATION and row[NORMAL_STATES] == 1:
                    z[i] = depth
            here = rotate_back(mat(ws.shapes, b, SHAPE_R), sub(point, vec(ws.shapes, b, SHAPE_P)))
            latched[at + MARK], latched[at + MARK + 1], latched[at + MARK + 2] = here
            if row[FAMILY] >= CAPS:
                remember_part(model, ws, c, s, slot, first, z, i, latched)
            if row[FRICTION_LAW] == BRISTLE:
                keep_in_plane(z, i + row[NORMAL_STATES], n)
            note_peaks(model, ws, c, a, b, s, depth, rate, latched[at + SPEED], z, i, scratch)
    return near


@gate
def accept_contacts(model, touch, located, q, v, z, latched, ws, scratch):
    """After an accepted step: sites come and go, impact speeds latch, bristles stay in the surface.

    A site that has just touched takes the larger of its speed of approach at the last accepted step and its speed
    now; where the time was located (1), the speed now. ws.books[NEAR] becomes the time until the next touchdown at the
    present speeds. `scratch` has the size of z.
    """
    kinematics(model, ws, q, v)
    place_shapes(model, ws, q, v)
    ws.books[NEAR] = accept_pairs(model, touch, ws, located, z, latched, scratch)


@kernel
def changes_of_pairs(model, touch, ws, latched):
    """How many sites of the contacts that are pairs begin or end; ws.books[UNSEEN] is left for all of them."""
    changes = 0
    ws.books[UNSEEN] = math.inf
    for c in range(model.contact_index.shape[0]):
        row = model.contact_index[c]
        if row[FAMILY] == PILE:
            continue
        count = find(model, touch, ws, c, latched)
        gap = least_gap(ws.sites, count)
        longest, _ = longest_unseen(model, ws, c, row[FIRST], row[SECOND], gap)
        ws.books[UNSEEN] = min(ws.books[UNSEEN], longest)
        for slot in range(row[SLOTS]):
            if latched[row[LATCHED] + SLOT * slot + TOUCHING] == 1.0 and not touched(ws.sites, count, slot):
                changes += 1
        for s in range(count):
            slot = int(ws.sites[s, ROLE])
            if slot >= 0 and ws.sites[s, GAP] < 0.0 and latched[row[LATCHED] + SLOT * slot + TOUCHING] == 0.0:
                changes += 1
    return changes


@gate
def changed_contacts(model, touch, q, v, latched, ws):
    """How many sites touch that did not at the last accepted step, or no longer touch.

    ws.books[UNSEEN] becomes the longest step to this state in which no shapes can have passed through each other.
    """
    kinematics(model, ws, q, v)
    place_shapes(model, ws, q, v)
    return changes_of_pairs(model, touch, ws, latched)
