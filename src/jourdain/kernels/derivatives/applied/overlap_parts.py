"""Derivatives of the parts of volumetric contacts.

Volume, centroid, volume inertia and normal of an overlap have no derivatives in closed form for all shapes, so the
wrench of a part is evaluated again at displacements of its first shape (6 ways, both signs), and at changes of its
velocities and of the states of its slot (without the narrow phase): at most 12 calls of the narrow phase for a pair,
whatever the size of the model. Second order, with steps of STEP times the scales on which the laws change: depth,
transition speeds, bristles.

The derivatives are relative to the second shape: with its rotation t, velocities and bristles, which stand still,
change by -t x relative to it, and force and torque by t x in world axes.
"""

from __future__ import annotations

import math

from ...algebra import Motion, Vec3, Wrench, cross
from ...compiler import kernel, optional_kernel
from ...contact.contact_layout import STATE_OFFSET
from ...contact.contact_rows import SLOT, friction_parameters
from ...flat_arrays import add_value, put_value, vector_at
from ...kind_registry import BRISTLE, FRICTIONLESS
from ...rows import copy_row
from ..derivative_layout import PATH_S
from .applied_layout import (
    BY,
    BY_MOTION,
    BY_STATE,
    MOVED,
    MOVED_FORCE,
    MOVED_POINT,
    MOVED_RATES,
    MOVED_TORQUE,
    ON_A,
    ON_B,
    PAIR_C,
    PAIR_F,
    PAIR_FV,
    PAIR_P,
    PAIR_T,
    PAIR_TV,
    PAIR_W,
)
from .contact_geometry import find_sites, move_shape, put_shape, unit_axis
from .contact_wrench import wrench_by_state
from .marker_pairs import add_pair, displaced, hastened, place_pair

STEP = 1e-4
"""Step of the differences over the scale on which a part changes [-]."""


@kernel
def part_scales(model, ap, c, s):
    """Scales on which part s changes: its depth and radius of gyration [m], and a speed [m/s]."""
    row, p = model.contacts[c], model.contact_floats
    site = ap.sites[s]
    n, V = site.normal, site.volume
    gyration = math.sqrt(max((n @ (site.inertia @ n)) / V, 0.0))
    speed = 1e-2
    if row.friction_law != FRICTIONLESS:
        law = friction_parameters(p, row.friction_floats)
        speed = law.small_speed
        if row.friction_law == BRISTLE:
            speed = min(speed, law.stribeck)
    return site.depth, gyration, speed


@kernel
def state_scale(model, ap, c, s, own, x):
    """Scale of the state `own` of the slot of part s."""
    row, p = model.contacts[c], model.contact_floats
    if own < row.normal_states:
        return ap.sites[s].volume if own == STATE_OFFSET else max(abs(x), 1e-6)
    bristle = own - row.normal_states
    if row.friction_law != BRISTLE or bristle > 3:
        return 1.0
    law = friction_parameters(p, row.friction_floats)
    reach = law.kinetic / law.stiffness
    if bristle < 3:
        return reach
    _, gyration, _ = part_scales(model, ap, c, s)
    return reach / max(gyration, 1e-12)


@kernel
def note_part(model, touch, ws, ap, c, f, s, by, factor, z, latched):
    """Adds factor times position, wrench and state rates of site f of ws.sites to row (s, by) of ap.moved."""
    row, dz = model.contacts[c], ap.dz
    states = row.normal_states + row.friction_states
    slot = ap.sites[s].role
    i = row.states + states * slot
    for k in range(i, i + states):
        dz[k] = 0.0
    wrench = Wrench(touch.foundation(model, ws, c, f, row.latched + SLOT * slot, i, z, latched, dz))
    out = ap.moved[s, by]
    add_value(out, MOVED_POINT, factor * ws.sites[f].point)
    add_value(out, MOVED_TORQUE, factor * wrench.moment)
    add_value(out, MOVED_FORCE, factor * wrench.force)
    for k in range(states):
        out[MOVED_RATES + k] += factor * dz[i + k]


@optional_kernel("patches")
def move_parts(model, touch, ws, ap, c, count, z, latched):
    """Derivatives of the first `count` parts of ap.sites into ap.moved; present values into its row BY - 1."""
    row = model.contacts[c]
    a = row.first
    R, p = ws.shapes[a].R_WS, ws.shapes[a].p_WS
    omega, velocity = ws.shapes[a].omega, ws.shapes[a].velocity
    states = row.normal_states + row.friction_states
    # steps of the differences: by the smallest part in contact
    step, turn, speed = math.inf, math.inf, math.inf
    for s in range(count):
        for by in range(BY):
            for k in range(MOVED):
                ap.moved[s, by, k] = 0.0
        if ap.sites[s].gap < 0.0 and ap.sites[s].role >= 0:
            depth, gyration, slow = part_scales(model, ap, c, s)
            arm = ap.sites[s].point - p
            step = min(step, STEP * depth)
            turn = min(turn, STEP * depth / max(gyration + math.sqrt(arm @ arm), depth))
            speed = min(speed, STEP * slow)
            note_part(model, touch, ws, ap, c, s, s, BY - 1, 1.0, z, latched)
    # by displacements of the first shape: new overlaps from the narrow phase, matched by their slots
    for d in range(6):
        h = turn if d < 3 else step
        for way in (-1.0, 1.0):
            move_shape(ws, a, R, p, d, way * h)
            found = find_sites(model, touch, ws, c, -1, latched)
            for f in range(found):
                for s in range(count):
                    if ws.sites[f].role == ap.sites[s].role and ap.sites[s].gap < 0.0 and ws.sites[f].gap < 0.0:
                        note_part(model, touch, ws, ap, c, f, s, d, way / (2.0 * h), z, latched)
            put_shape(ws, a, R, p)
    for s in range(count):
        copy_row(ws.sites[s], ap.sites[s])
    # by velocities and states: the overlaps stay, the foundation law is differenced
    for s in range(count):
        if not (ap.sites[s].gap < 0.0 and ap.sites[s].role >= 0):
            continue
        arm = ap.sites[s].point - p
        reach = max(math.sqrt(arm @ arm), part_scales(model, ap, c, s)[1])
        for d in range(6):
            axis = unit_axis(d)
            h = speed / reach if d < 3 else speed
            for way in (-1.0, 1.0):
                ws.shapes[a].omega = omega + (way * h if d < 3 else 0.0) * axis
                ws.shapes[a].velocity = velocity + (0.0 if d < 3 else way * h) * axis
                note_part(model, touch, ws, ap, c, s, s, BY_MOTION + d, way / (2.0 * h), z, latched)
        ws.shapes[a].omega = omega
        ws.shapes[a].velocity = velocity
        first = row.states + states * ap.sites[s].role
        for own in range(states):
            base = z[first + own]
            h = STEP * state_scale(model, ap, c, s, own, base)
            for way in (-1.0, 1.0):
                z[first + own] = base + way * h
                note_part(model, touch, ws, ap, c, s, s, BY_STATE + own, way / (2.0 * h), z, latched)
            z[first + own] = base


@kernel
def moved3(ap, s, by, what):
    """A vector of row (s, by) of ap.moved."""
    return vector_at(ap.moved[s, by], what)


@kernel
def part_changed(ap, s, what, turn, lift, spin, fast, bent, at):
    """Change of a vector of part s relative to the second shape: by relative displacement, relative
    motion, bristles.
    """
    out = Vec3(0.0, 0.0, 0.0)
    by = tuple(Motion(turn, lift)) + tuple(Motion(spin, fast))
    for d in range(12):
        out += by[d] * moved3(ap, s, d, what)
    if at >= 0:
        along = tuple(bent)
        for d in range(3):
            out += along[d] * moved3(ap, s, BY_STATE + at + d, what)
    return out


@kernel
def part_rate_changed(ap, s, state, turn, lift, spin, fast, bent, at):
    """The same of the rate of one state."""
    out = 0.0
    by = tuple(Motion(turn, lift)) + tuple(Motion(spin, fast))
    for d in range(12):
        out += by[d] * ap.moved[s, d, MOVED_RATES + state]
    if at >= 0:
        along = tuple(bent)
        for d in range(3):
            out += along[d] * ap.moved[s, BY_STATE + at + d, MOVED_RATES + state]
    return out


@optional_kernel("patches", returns=(Vec3, Vec3))
def part_partials(model, ws, ap, c, a, b, s, places, count, z, K, C):
    """Adds the derivatives of part s of ap.sites to K, C and those of states, from the table of `move_parts`; returns
    its torque and force on the first shape.
    """
    row, pair = model.contacts[c], ap.pair
    place_a, place_b, omega_a, omega_b = places
    states = row.normal_states + row.friction_states
    i = row.states + states * ap.sites[s].role
    # present wrench, and poses and velocities of the shapes A and B
    torque, force = moved3(ap, s, BY - 1, MOVED_TORQUE), moved3(ap, s, BY - 1, MOVED_FORCE)
    point = ap.sites[s].point
    origin_a, origin_b = ws.shapes[a].p_WS, ws.shapes[b].p_WS
    spin_a, fast_a = ws.shapes[a].omega, ws.shapes[a].velocity
    spin_b, fast_b = ws.shapes[b].omega, ws.shapes[b].velocity
    # bristle deflection: a vector in world axes that turns with B
    bristles = row.normal_states if row.friction_law == BRISTLE else -1
    state = Vec3(0.0, 0.0, 0.0)
    if bristles >= 0:
        state = vector_at(z, i + bristles)
    bend = moved3(ap, s, BY - 1, MOVED_RATES + max(bristles, 0))
    none = Vec3(0.0, 0.0, 0.0)
    place_pair(ap, count, point - place_a, point - place_b)
    # by displacements, then by velocities: the motion of A relative to B
    for k in range(count):
        entry = ap.entries[k]
        turn_a, lift_a = displaced(pair, k, ON_A, origin_a - place_a)
        turn_b, lift_b = displaced(pair, k, ON_B, origin_a - place_b)
        _, own_b = displaced(pair, k, ON_B, origin_b - place_b)
        turn, lift = turn_a - turn_b, lift_a - lift_b
        for moving in (False, True):
            if moving:
                t, turn_r, lift_r = none, none, none
                wa, wb = vector_at(pair[k], ON_A + PATH_S), vector_at(pair[k], ON_B + PATH_S)
                ua = vector_at(pair[k], ON_A + PATH_S + 3) + cross(wa, origin_a - place_a)
                ub = vector_at(pair[k], ON_B + PATH_S + 3) + cross(wb, origin_b - place_b)
            else:
                t, turn_r, lift_r = turn_b, turn, lift
                wa, ua = hastened(pair, k, ON_A, origin_a - place_a, omega_a, lift_a)
                wb, ub = hastened(pair, k, ON_B, origin_b - place_b, omega_b, own_b)
                wa, ua = wa - cross(t, spin_a), ua - cross(t, fast_a)
                wb, ub = wb - cross(t, spin_b), ub - cross(t, fast_b)
            # table of differences along the relative motion; then the rotation t of B
            spin = wa - wb
            fast = ua - (ub + cross(wb, origin_a - origin_b))
            bent = -cross(t, state)
            df = part_changed(ap, s, MOVED_FORCE, turn_r, lift_r, spin, fast, bent, bristles)
            dt = part_changed(ap, s, MOVED_TORQUE, turn_r, lift_r, spin, fast, bent, bristles)
            df, dt = df + cross(t, force), dt + cross(t, torque)
            put_value(pair[k], PAIR_FV if moving else PAIR_F, df)
            put_value(pair[k], PAIR_TV if moving else PAIR_T, dt)
            if not moving:
                _, at_point = displaced(pair, k, ON_B, point - place_b)
                shift = part_changed(ap, s, MOVED_POINT, turn_r, lift_r, none, none, none, -1)
                put_value(pair[k], PAIR_P, shift + at_point)
            # rates of the states; those of the bristles turn with B
            more = tuple(cross(t, bend) + cross(wb, state))
            for l in range(states):
                rate = part_rate_changed(ap, s, l, turn_r, lift_r, spin, fast, bent, bristles)
                if bristles >= 0 and bristles <= l < bristles + 3:
                    rate += more[l - bristles]
                if moving:
                    ap.rate_v[i + l, entry] += rate
                else:
                    ap.rate_x[i + l, entry] += rate
    # by states of the slot
    for l in range(states):
        f, t = moved3(ap, s, BY_STATE + l, MOVED_FORCE), moved3(ap, s, BY_STATE + l, MOVED_TORQUE)
        for m in range(states):
            ap.rate_z[i + m, i + l] += ap.moved[s, BY_STATE + l, MOVED_RATES + m]
        for k in range(count):
            ap.by_state[ap.entries[k], i + l] += vector_at(pair[k], PAIR_C) @ f + vector_at(pair[k], PAIR_W) @ t
        wrench_by_state(model, ws, ap, c, point, i + l, f, t)
    add_pair(ap, count, force, K, C)
    return torque, force
