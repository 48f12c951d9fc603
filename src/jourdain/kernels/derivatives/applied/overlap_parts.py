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

from ...algebra import Motion, Vec3, Wrench, cross, shift
from ...compiler import kernel, optional_kernel
from ...contact.contact_rows import SLOT, FoundationStates, friction_parameters
from ...flat_arrays import vector_at
from ...kind_registry import BRISTLE, FRICTIONLESS
from ...rows import clear_row, copy_row
from .applied_layout import BY_NOTHING, BY_STATE, BY_VELOCITY, site_changes
from .contact_geometry import find_sites, move_shape, put_shape, unit_axis
from .contact_wrench import wrench_by_state
from .marker_pairs import add_pair, hastened, place_pair

OFFSET = FoundationStates.columns.offset
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
        return ap.sites[s].volume if own == OFFSET else max(abs(x), 1e-6)
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
    change = site_changes(ap.moved[s])[by]
    change.point += factor * ws.sites[f].point
    change.torque += factor * wrench.moment
    change.force += factor * wrench.force
    rates = change.rates
    for k in range(states):
        rates[k] += factor * dz[i + k]


@optional_kernel("patches")
def move_parts(model, touch, ws, ap, c, count, z, latched):
    """Derivatives of the first `count` parts of ap.sites into ap.moved; present values into its row BY_NOTHING."""
    row = model.contacts[c]
    a = row.first
    R, p = ws.shapes[a].R_WS, ws.shapes[a].p_WS
    omega, velocity = ws.shapes[a].omega, ws.shapes[a].velocity
    states = row.normal_states + row.friction_states
    # steps of the differences: by the smallest part in contact
    step, turn, speed = math.inf, math.inf, math.inf
    for s in range(count):
        for by in range(BY_NOTHING + 1):
            clear_row(site_changes(ap.moved[s])[by])
        if ap.sites[s].gap < 0.0 and ap.sites[s].role >= 0:
            depth, gyration, slow = part_scales(model, ap, c, s)
            arm = ap.sites[s].point - p
            step = min(step, STEP * depth)
            turn = min(turn, STEP * depth / max(gyration + math.sqrt(arm @ arm), depth))
            speed = min(speed, STEP * slow)
            note_part(model, touch, ws, ap, c, s, s, BY_NOTHING, 1.0, z, latched)
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
                note_part(model, touch, ws, ap, c, s, s, BY_VELOCITY + d, way / (2.0 * h), z, latched)
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
def part_changed(changes, moved, faster, bent, at):
    """Change of the force, the torque and the point of a part relative to the second shape: by relative displacement
    and motion of the first, and by its bristles, whose deflection is state `at`."""
    force, torque, point = bent.zero, bent.zero, bent.zero
    by = tuple(moved) + tuple(faster) + tuple(bent)
    for d in range(15 if at >= 0 else BY_STATE):
        change = changes[d if d < BY_STATE else at + d]
        force += by[d] * change.force
        torque += by[d] * change.torque
        point += by[d] * change.point
    return force, torque, point


@kernel
def part_rate_changed(changes, state, moved, faster, bent, at):
    """The same of the rate of one state."""
    rate = 0.0
    by = tuple(moved) + tuple(faster) + tuple(bent)
    for d in range(15 if at >= 0 else BY_STATE):
        rate += by[d] * changes[d if d < BY_STATE else at + d].rates[state]
    return rate


@optional_kernel("patches", returns=(Vec3, Vec3))
def part_partials(model, ws, ap, c, a, b, s, places, count, z, K, C):
    """Adds the derivatives of part s of ap.sites to K, C and those of states, from the table of `move_parts`; returns
    its torque and force on the first shape.
    """
    row, changes = model.contacts[c], site_changes(ap.moved[s])
    place_a, place_b, omega_a, omega_b = places
    states = row.normal_states + row.friction_states
    i = row.states + states * ap.sites[s].role
    # present wrench, and poses and velocities of the shapes A and B
    torque, force = changes[BY_NOTHING].torque, changes[BY_NOTHING].force
    point = ap.sites[s].point
    A, B = ws.shapes[a], ws.shapes[b]
    origin_a, origin_b = A.p_WS, B.p_WS
    # bristle deflection: a vector in world axes that turns with B
    bristles = row.normal_states if row.friction_law == BRISTLE else -1
    state, bend = point.zero, point.zero
    if bristles >= 0:
        state, bend = vector_at(z, i + bristles), vector_at(changes[BY_NOTHING].rates, bristles)
    still = Motion(point.zero, point.zero)
    place_pair(ap, count, point - place_a, point - place_b)
    # by displacements, then by velocities: the motion of A relative to B
    for k in range(count):
        entry, pair = ap.entries[k], ap.pairs[k]
        X_A, X_B = pair.displacement_A, pair.displacement_B
        moved_a, moved_b = shift(X_A, origin_a - place_a), shift(X_B, origin_a - place_b)
        for moving in (False, True):
            if moving:
                t, moved = point.zero, still
                V_A, V_B = shift(pair.S_A, origin_a - place_a), shift(pair.S_B, origin_b - place_b)
            else:
                t, moved = moved_b.angular, moved_a - moved_b
                own_b = shift(X_B, origin_b - place_b).linear
                V_A = hastened(pair.rate_A, X_A, origin_a - place_a, omega_a, moved_a.linear)
                V_B = hastened(pair.rate_B, X_B, origin_b - place_b, omega_b, own_b)
                V_A -= Motion(cross(t, A.omega), cross(t, A.velocity))
                V_B -= Motion(cross(t, B.omega), cross(t, B.velocity))
            # table of differences along the relative motion; then the rotation t of B
            faster = V_A - shift(V_B, origin_a - origin_b)
            bent = -cross(t, state)
            df, dt, away = part_changed(changes, moved, faster, bent, bristles)
            df, dt = df + cross(t, force), dt + cross(t, torque)
            if moving:
                pair.force_v, pair.torque_v = df, dt
            else:
                pair.force, pair.torque = df, dt
                pair.point = away + shift(X_B, point - place_b).linear
            # rates of the states; those of the bristles turn with B
            more = tuple(cross(t, bend) + cross(V_B.angular, state))
            for l in range(states):
                rate = part_rate_changed(changes, l, moved, faster, bent, bristles)
                if bristles >= 0 and bristles <= l < bristles + 3:
                    rate += more[l - bristles]
                if moving:
                    ap.rate_v[i + l, entry] += rate
                else:
                    ap.rate_x[i + l, entry] += rate
    # by states of the slot
    for l in range(states):
        change = changes[BY_STATE + l]
        f, t = change.force, change.torque
        for m in range(states):
            ap.rate_z[i + m, i + l] += change.rates[m]
        for k in range(count):
            ap.by_state[ap.entries[k], i + l] += ap.pairs[k].velocity @ f + ap.pairs[k].omega @ t
        wrench_by_state(model, ws, ap, c, point, i + l, f, t)
    add_pair(ap, count, force, K, C)
    return torque, force
