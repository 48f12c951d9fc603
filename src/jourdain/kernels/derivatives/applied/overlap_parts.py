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

from ...compiler import kernel, optional_kernel
from ...contact.contact_layout import (
    BRISTLE_STIFFNESS,
    CONTACT_FIRST,
    CONTACT_STATES,
    DEPTH,
    FRICTION_FLOATS,
    FRICTION_LAW,
    FRICTION_STATES,
    GAP,
    KINETIC_FRICTION,
    LATCHED,
    NORMAL_STATES,
    ROLE,
    SHAPE_OMEGA,
    SHAPE_P,
    SHAPE_R,
    SHAPE_V,
    SITE,
    SITE_INERTIA,
    SITE_NORMAL,
    SITE_POINT,
    SITE_VOLUME,
    SLOT,
    SMALL_SPEED,
    STATE_OFFSET,
    STRIBECK,
)
from ...kind_registry import BRISTLE, FRICTIONLESS
from ...spatial import add, cross, dot, mat, put3, scale, sub, sym, sym_times, vec
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
from .contact_geometry import find_sites, move_shape, put_shape
from .contact_wrench import wrench_by_state
from .marker_pairs import add_pair, displaced, hastened, place_pair

STEP = 1e-4
"""Step of the differences over the scale on which a part changes [-]."""


@kernel
def part_scales(model, ap, c, s):
    """Scales on which part s changes: its depth and radius of gyration [m], and a speed [m/s]."""
    row, p = model.contact_index[c], model.contact_floats
    n, V = vec(ap.sites, s, SITE_NORMAL), ap.sites[s, SITE_VOLUME]
    gyration = math.sqrt(max(dot(n, sym_times(sym(ap.sites, s, SITE_INERTIA), n)) / V, 0.0))
    speed = 1e-2
    nf = row[FRICTION_FLOATS]
    if row[FRICTION_LAW] != FRICTIONLESS:
        speed = p[nf + SMALL_SPEED]
        if row[FRICTION_LAW] == BRISTLE:
            speed = min(speed, p[nf + STRIBECK])
    return ap.sites[s, DEPTH], gyration, speed


@kernel
def state_scale(model, ap, c, s, own, x):
    """Scale of the state `own` of the slot of part s."""
    row, p = model.contact_index[c], model.contact_floats
    if own < row[NORMAL_STATES]:
        return ap.sites[s, SITE_VOLUME] if own == STATE_OFFSET else max(abs(x), 1e-6)
    nf, bristle = row[FRICTION_FLOATS], own - row[NORMAL_STATES]
    if row[FRICTION_LAW] != BRISTLE or bristle > 3:
        return 1.0
    reach = p[nf + KINETIC_FRICTION] / p[nf + BRISTLE_STIFFNESS]
    if bristle < 3:
        return reach
    _, gyration, _ = part_scales(model, ap, c, s)
    return reach / max(gyration, 1e-12)


@kernel
def note_part(model, touch, ws, ap, c, f, s, by, factor, z, latched):
    """Adds factor times position, wrench and state rates of site f of ws.sites to row (s, by) of ap.moved."""
    row, dz = model.contact_index[c], ap.dz
    states = row[NORMAL_STATES] + row[FRICTION_STATES]
    slot = int(ap.sites[s, ROLE])
    i = row[CONTACT_STATES] + states * slot
    for k in range(i, i + states):
        dz[k] = 0.0
    wrench = touch.foundation(model, ws, c, f, row[LATCHED] + SLOT * slot, i, z, latched, dz)
    out = ap.moved[s, by]
    for k in range(3):
        out[MOVED_POINT + k] += factor * ws.sites[f, SITE_POINT + k]
        out[MOVED_TORQUE + k] += factor * wrench[k]
        out[MOVED_FORCE + k] += factor * wrench[3 + k]
    for k in range(states):
        out[MOVED_RATES + k] += factor * dz[i + k]


@optional_kernel("patches")
def move_parts(model, touch, ws, ap, c, count, z, latched):
    """Derivatives of the first `count` parts of ap.sites into ap.moved; present values into its row BY - 1."""
    row = model.contact_index[c]
    a = row[CONTACT_FIRST]
    R, p = mat(ws.shapes, a, SHAPE_R), vec(ws.shapes, a, SHAPE_P)
    omega, velocity = vec(ws.shapes, a, SHAPE_OMEGA), vec(ws.shapes, a, SHAPE_V)
    states = row[NORMAL_STATES] + row[FRICTION_STATES]
    # steps of the differences: by the smallest part in contact
    step, turn, speed = math.inf, math.inf, math.inf
    for s in range(count):
        for by in range(BY):
            for k in range(MOVED):
                ap.moved[s, by, k] = 0.0
        if ap.sites[s, GAP] < 0.0 and ap.sites[s, ROLE] >= 0.0:
            depth, gyration, slow = part_scales(model, ap, c, s)
            arm = sub(vec(ap.sites, s, SITE_POINT), p)
            step = min(step, STEP * depth)
            turn = min(turn, STEP * depth / max(gyration + math.sqrt(dot(arm, arm)), depth))
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
                    if ws.sites[f, ROLE] == ap.sites[s, ROLE] and ap.sites[s, GAP] < 0.0 and ws.sites[f, GAP] < 0.0:
                        note_part(model, touch, ws, ap, c, f, s, d, way / (2.0 * h), z, latched)
            put_shape(ws, a, R, p)
    for s in range(count):
        for k in range(SITE):
            ws.sites[s, k] = ap.sites[s, k]
    # by velocities and states: the overlaps stay, the foundation law is differenced
    for s in range(count):
        if not (ap.sites[s, GAP] < 0.0 and ap.sites[s, ROLE] >= 0.0):
            continue
        arm = sub(vec(ap.sites, s, SITE_POINT), p)
        reach = max(math.sqrt(dot(arm, arm)), part_scales(model, ap, c, s)[1])
        for d in range(6):
            axis = (1.0 if d % 3 == 0 else 0.0, 1.0 if d % 3 == 1 else 0.0, 1.0 if d % 3 == 2 else 0.0)
            h = speed / reach if d < 3 else speed
            for way in (-1.0, 1.0):
                put3(ws.shapes, a, SHAPE_OMEGA, add(omega, scale(way * h if d < 3 else 0.0, axis)))
                put3(ws.shapes, a, SHAPE_V, add(velocity, scale(0.0 if d < 3 else way * h, axis)))
                note_part(model, touch, ws, ap, c, s, s, BY_MOTION + d, way / (2.0 * h), z, latched)
        put3(ws.shapes, a, SHAPE_OMEGA, omega)
        put3(ws.shapes, a, SHAPE_V, velocity)
        first = row[CONTACT_STATES] + states * int(ap.sites[s, ROLE])
        for own in range(states):
            base = z[first + own]
            h = STEP * state_scale(model, ap, c, s, own, base)
            for way in (-1.0, 1.0):
                z[first + own] = base + way * h
                note_part(model, touch, ws, ap, c, s, s, BY_STATE + own, way / (2.0 * h), z, latched)
            z[first + own] = base


@kernel
def moved3(ap, s, by, what):
    """Three numbers of row (s, by) of ap.moved."""
    return (ap.moved[s, by, what], ap.moved[s, by, what + 1], ap.moved[s, by, what + 2])


@kernel
def part_changed(ap, s, what, turn, lift, spin, fast, bent, at):
    """Change of a vector of part s relative to the second shape: by relative displacement, relative
    motion, bristles.
    """
    out = (0.0, 0.0, 0.0)
    by = (turn[0], turn[1], turn[2], lift[0], lift[1], lift[2], spin[0], spin[1], spin[2], fast[0], fast[1], fast[2])
    for d in range(12):
        out = add(out, scale(by[d], moved3(ap, s, d, what)))
    if at >= 0:
        for d in range(3):
            out = add(out, scale(bent[d], moved3(ap, s, BY_STATE + at + d, what)))
    return out


@kernel
def part_rate_changed(ap, s, state, turn, lift, spin, fast, bent, at):
    """The same of the rate of one state."""
    out = 0.0
    by = (turn[0], turn[1], turn[2], lift[0], lift[1], lift[2], spin[0], spin[1], spin[2], fast[0], fast[1], fast[2])
    for d in range(12):
        out += by[d] * ap.moved[s, d, MOVED_RATES + state]
    if at >= 0:
        for d in range(3):
            out += bent[d] * ap.moved[s, BY_STATE + at + d, MOVED_RATES + state]
    return out


@optional_kernel("patches", returns=(3, 3))
def part_partials(model, ws, ap, c, a, b, s, places, count, z, K, C):
    """Adds the derivatives of part s of ap.sites to K, C and those of states, from the table of `move_parts`; returns
    its torque and force on the first shape.
    """
    row, pair = model.contact_index[c], ap.pair
    place_a, place_b, omega_a, omega_b = places
    states = row[NORMAL_STATES] + row[FRICTION_STATES]
    i = row[CONTACT_STATES] + states * int(ap.sites[s, ROLE])
    # present wrench, and poses and velocities of the shapes A and B
    torque, force = moved3(ap, s, BY - 1, MOVED_TORQUE), moved3(ap, s, BY - 1, MOVED_FORCE)
    point = vec(ap.sites, s, SITE_POINT)
    origin_a, origin_b = vec(ws.shapes, a, SHAPE_P), vec(ws.shapes, b, SHAPE_P)
    spin_a, fast_a = vec(ws.shapes, a, SHAPE_OMEGA), vec(ws.shapes, a, SHAPE_V)
    spin_b, fast_b = vec(ws.shapes, b, SHAPE_OMEGA), vec(ws.shapes, b, SHAPE_V)
    # bristle deflection: a vector in world axes that turns with B
    bristles = row[NORMAL_STATES] if row[FRICTION_LAW] == BRISTLE else -1
    state = (0.0, 0.0, 0.0)
    if bristles >= 0:
        state = (z[i + bristles], z[i + bristles + 1], z[i + bristles + 2])
    bend = moved3(ap, s, BY - 1, MOVED_RATES + max(bristles, 0))
    none = (0.0, 0.0, 0.0)
    place_pair(ap, count, sub(point, place_a), sub(point, place_b))
    # by displacements, then by velocities: the motion of A relative to B
    for k in range(count):
        entry = ap.entries[k]
        turn_a, lift_a = displaced(pair, k, ON_A, sub(origin_a, place_a))
        turn_b, lift_b = displaced(pair, k, ON_B, sub(origin_a, place_b))
        _, own_b = displaced(pair, k, ON_B, sub(origin_b, place_b))
        turn, lift = sub(turn_a, turn_b), sub(lift_a, lift_b)
        for moving in (False, True):
            if moving:
                t, turn_r, lift_r = none, none, none
                wa, wb = vec(pair, k, ON_A + PATH_S), vec(pair, k, ON_B + PATH_S)
                ua = add(vec(pair, k, ON_A + PATH_S + 3), cross(wa, sub(origin_a, place_a)))
                ub = add(vec(pair, k, ON_B + PATH_S + 3), cross(wb, sub(origin_b, place_b)))
            else:
                t, turn_r, lift_r = turn_b, turn, lift
                wa, ua = hastened(pair, k, ON_A, sub(origin_a, place_a), omega_a, lift_a)
                wb, ub = hastened(pair, k, ON_B, sub(origin_b, place_b), omega_b, own_b)
                wa, ua = sub(wa, cross(t, spin_a)), sub(ua, cross(t, fast_a))
                wb, ub = sub(wb, cross(t, spin_b)), sub(ub, cross(t, fast_b))
            # table of differences along the relative motion; then the rotation t of B
            spin = sub(wa, wb)
            fast = sub(ua, add(ub, cross(wb, sub(origin_a, origin_b))))
            bent = scale(-1.0, cross(t, state))
            df = part_changed(ap, s, MOVED_FORCE, turn_r, lift_r, spin, fast, bent, bristles)
            dt = part_changed(ap, s, MOVED_TORQUE, turn_r, lift_r, spin, fast, bent, bristles)
            df, dt = add(df, cross(t, force)), add(dt, cross(t, torque))
            put3(pair, k, PAIR_FV if moving else PAIR_F, df)
            put3(pair, k, PAIR_TV if moving else PAIR_T, dt)
            if not moving:
                _, at_point = displaced(pair, k, ON_B, sub(point, place_b))
                shift = part_changed(ap, s, MOVED_POINT, turn_r, lift_r, none, none, none, -1)
                put3(pair, k, PAIR_P, add(shift, at_point))
            # rates of the states; those of the bristles turn with B
            more = add(cross(t, bend), cross(wb, state))
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
            ap.by_state[ap.entries[k], i + l] += dot(vec(pair, k, PAIR_C), f) + dot(vec(pair, k, PAIR_W), t)
        wrench_by_state(model, ws, ap, c, point, i + l, f, t)
    add_pair(ap, count, force, K, C)
    return torque, force
