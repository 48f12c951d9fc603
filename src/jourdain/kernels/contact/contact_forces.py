"""Contact forces: places the shapes, runs the narrow phase and the contact laws, and applies the forces to the bodies.

A is the first shape of a pair and B the second; the normal n of a site points from B to A; vectors are in world axes.
"""

from __future__ import annotations

import math

from ..columns import FORCE, POS, ROT, N
from ..compiler import entry_point, kernel, separate_kernel
from ..kind_registry import BRISTLE, COULOMB, FRICTIONLESS, PILE, SPHERE_CAPSULE, SPHERE_PLANE, USER, USER_FRICTION
from ..model_arrays import ModelArrays, Workspace
from ..signatures import Vector
from ..spatial import accumulate3, add, cross, dot, mat, matmul, put3, put9, rotate, rotate_back, scale, sub, vec
from ..stage_functions import FINDER, PARTS, ContactFunctions
from ..stage_functions import FRICTION as OWN_FRICTION
from ..stage_functions import NORMAL as OWN_NORMAL
from ..tree.markers import apply_wrench, marker_frame
from ..tree.orbit import relative_motion
from .contact_layout import (
    CLASS,
    CLASSES,
    CONTACT_FIRST,
    CONTACT_SECOND,
    CONTACT_STATES,
    CONTACT_WRENCH,
    FACET_PLANE,
    FAMILY,
    FLOATS_END,
    FRICTION_FLOATS,
    FRICTION_LAW,
    FRICTION_STATES,
    GAP,
    LATCHED,
    LAW_STIFFNESS,
    LINK,
    MARK,
    NORMAL_FLOATS,
    NORMAL_LAW,
    NORMAL_STATES,
    PATCH,
    PATCHES,
    RELAXED,
    REMAINED,
    ROLE,
    SHAPE_FORCE,
    SHAPE_MARKER,
    SHAPE_MOMENT,
    SHAPE_OMEGA,
    SHAPE_ON,
    SHAPE_P,
    SHAPE_R,
    SHAPE_V,
    SIGN,
    SITE_NORMAL,
    SITE_POINT,
    SLOT,
    SLOT_SPEED,
    SLOT_TOUCHING,
    SLOTS,
    STATE_ELASTIC,
    STIFFNESSES,
    SUMS,
    WRENCH_DEPTH,
    WRENCH_FORCE,
    WRENCH_LOAD,
    WRENCH_POINT,
    WRENCH_SITES,
    WRENCH_SLIP,
    WRENCH_STORED,
    WRENCH_TORQUE,
)
from .laws.normal_and_friction import bristle_force, coulomb_force, normal_force
from .narrow_phase.cable_segments import place_cable_segment, spread_cable_segment
from .narrow_phase.deformable_facets import place_facet_plane, spread_facet_load
from .narrow_phase.sphere_capsule import find_simple, is_simple
from .shape_motion import relative_velocity
from .stiffness_peaks import note_peak
from .volumetric.overlap_cache import keep_parts, kept_parts


@separate_kernel
def place_shapes(model, ws, q, v):
    """Poses and velocities of all shapes from the motion of the bodies; their loads are set to zero."""
    ws.flags.laid = False
    for i in range(model.shape_index.shape[0]):
        place_shape(model, ws, i, q, v)
    if not ws.flags.laid:
        return
    for i in range(model.shape_index.shape[0]):
        if model.shape_index[i, CLASS] == FACET_PLANE:
            place_facet_plane(model, ws, i)
        elif model.shape_index[i, LINK] > 0:
            place_cable_segment(model, ws, i)


@kernel
def place_shape(model, ws, i, q, v):
    """Pose and velocity of shape i; its load is set to zero."""
    shapes = ws.shapes
    for k in range(6):
        shapes[i, SHAPE_MOMENT + k] = 0.0
    # most shapes of a pile have the frame of their body: R_WS = R_WB, p_WoSo = p_WoBo
    body = int(shapes[i, SHAPE_ON].real)
    if body > 0:
        V = relative_motion(model, ws, body)
        omega, velocity = tuple(V.angular), tuple(V.linear)
        put9(shapes, i, SHAPE_R, mat(ws.work, body, ROT))
        put3(shapes, i, SHAPE_P, vec(ws.work, body, POS))
        put3(shapes, i, SHAPE_OMEGA, omega)
        put3(shapes, i, SHAPE_V, velocity)
    else:
        # on a marker M: R_WS = R_WM R_MS, p_WoSo = p_WoBo + p_BoMo + p_MoSo, v_So = v_Mo + omega x p_MoSo
        m = model.shape_index[i, SHAPE_MARKER]
        r, R, omega, velocity = marker_frame(model, ws, m, q, v)
        offset = rotate(R, vec(model.shape_pose, i, 9))
        put9(shapes, i, SHAPE_R, matmul(R, mat(model.shape_pose, i, 0)))
        put3(shapes, i, SHAPE_P, add(add(vec(ws.work, model.marker_index[m, 0], POS), r), offset))
        put3(shapes, i, SHAPE_OMEGA, omega)
        put3(shapes, i, SHAPE_V, add(velocity, cross(omega, offset)))
        if model.shape_index[i, CLASS] == FACET_PLANE or model.shape_index[i, LINK] > 0:
            ws.flags.laid = True


@separate_kernel
def find(model, touch, ws, c, latched):
    """Narrow phase of contact c: its sites into ws.sites, each with its slot; returns how many."""
    row = model.contact_index[c]
    family = row[FAMILY]
    if family >= SPHERE_PLANE:
        count = kept_parts(row, ws, c)
        if count < 0:
            find_parts = PARTS(touch.finders[family])
            count = find_parts(model, ws, c, latched)
            keep_parts(row, ws, c, count)
        return count
    count = find_sites(model, touch, ws, family, row[CONTACT_FIRST], row[CONTACT_SECOND])
    if count > 0 and ws.sites[0, ROLE] < 0.0 and row[SLOTS] > 1:
        match_slots(model, ws, c, count, latched)
    return count


@kernel
def find_sites(model, touch, ws, family, a, b):
    """Narrow phase of shapes a and b into ws.sites; returns how many. The simplest need no indirect call."""
    if family == SPHERE_CAPSULE and is_simple(model, a, b):
        return find_simple(model, ws, a, b)
    finder = FINDER(touch.finders[family])
    return finder(model, ws, a, b)


@kernel
def taken(sites, count, slot):
    """Whether one of the first `count` sites has that slot."""
    for s in range(count):
        if sites[s, ROLE] == slot:
            return True
    return False


@kernel
def match_slots(model, ws, c, count, latched):
    """Assigns slots to sites without a role: greedily the nearest pair of a site and a slot in contact; else a free
    slot.

    So the order in which the narrow phase lists its sites does not matter. A site for which no slot is left keeps -1.
    """
    row, sites = model.contact_index[c], ws.sites
    b = row[CONTACT_SECOND]
    R, origin = mat(ws.shapes, b, SHAPE_R), vec(ws.shapes, b, SHAPE_P)
    # positions are compared in the axes of B, p_BoC_B, in which the slots remember them
    for _ in range(count):
        site, best, least = -1, -1, math.inf
        for s in range(count):
            if sites[s, ROLE] >= 0.0:
                continue
            here = rotate_back(R, sub(vec(sites, s, SITE_POINT), origin))
            for slot in range(row[SLOTS]):
                at = row[LATCHED] + SLOT * slot
                if latched[at + SLOT_TOUCHING] == 1.0 and not taken(sites, count, slot):
                    away = sub(here, (latched[at + MARK], latched[at + MARK + 1], latched[at + MARK + 2]))
                    if dot(away, away) < least:
                        site, best, least = s, slot, dot(away, away)
        if site < 0:
            break
        sites[site, ROLE] = best
    # the others are new contacts and take free slots
    for s in range(count):
        if sites[s, ROLE] >= 0.0:
            continue
        for slot in range(row[SLOTS]):
            if latched[row[LATCHED] + SLOT * slot + SLOT_TOUCHING] == 0.0 and not taken(sites, count, slot):
                sites[s, ROLE] = slot
                break


@kernel
def stiffness_of(model, c, a, b):
    """Stiffness of a built-in law between two shapes [N/m^p]: the contact's, or in a pile that of their classes."""
    row = model.contact_index[c]
    if row[CLASSES] > 0:
        at = row[STIFFNESSES] + row[CLASSES] * model.shape_index[a, CLASS] + model.shape_index[b, CLASS]
        return model.contact_floats[at]
    return model.contact_floats[row[NORMAL_FLOATS] + LAW_STIFFNESS]


@kernel
def site_force(model, touch, ws, c, a, b, s, at, i, z, latched, dz):
    """Force of site s on shape a, world axes [N], and its power and energy; latched from `at` on, states from z[i]."""
    row, p = model.contact_index[c], model.contact_floats
    # relative velocity of A to B at the site: rate along -n, slip across n (Gonthier 2007, eqs. 3.3 to 3.8)
    depth = -ws.sites[s, GAP]
    n = vec(ws.sites, s, SITE_NORMAL)
    u = relative_velocity(ws.shapes, a, b, vec(ws.sites, s, SITE_POINT))
    rate = -dot(u, n)
    slip = add(u, scale(rate, n))
    speed = latched[at + SLOT_SPEED]
    touching = latched[at + SLOT_TOUCHING] == 1.0
    if not touching:
        speed = max(speed, rate)
    ni, nf = row[NORMAL_FLOATS], row[FRICTION_FLOATS]
    zi = i + row[NORMAL_STATES]
    end = zi + row[FRICTION_STATES]
    for k in range(i, end):
        dz[k] = 0.0
    # normal law: load, its elastic part, stored energy
    if row[NORMAL_LAW] >= USER:
        own_law = OWN_NORMAL(touch.normals[row[NORMAL_LAW] - USER])
        load = own_law(depth, rate, speed, z[i:zi], p[ni:nf], dz[i:zi])
        elastic, stored = 0.0, 0.0
    else:
        stiffness = stiffness_of(model, c, a, b)
        load, elastic, stored, stiff, damped = normal_force(
            row[NORMAL_LAW], p, ni, stiffness, depth, rate, speed, touching, z, i, dz
        )
        if ws.ledger.step > 0.0:
            note_peak(model, ws, c, a, b, s, stiff, damped, load, slip)
    # power stored in the spring; with relaxation its rest depth z[i] moves
    storing = elastic * rate
    if row[NORMAL_LAW] < USER and row[NORMAL_STATES] == 1:
        storing -= elastic * dz[i]
    # friction law: force on A; a user's law gets the slip in the order in which the user named the shapes
    held = 0.0
    law = row[FRICTION_LAW]
    if law == FRICTIONLESS or load <= 0.0:
        rub = (0.0, 0.0, 0.0)
    elif law == BRISTLE:
        rub, held = bristle_force(p, nf, load, slip, n, vec(ws.shapes, b, SHAPE_OMEGA), z, zi, dz)
    elif law == COULOMB:
        rub = coulomb_force(p, nf, load, slip)
    else:
        sign = -1.0 if row[SIGN] < 0 else 1.0
        own_law = OWN_FRICTION(touch.frictions[law - USER_FRICTION])
        own = own_law(load, scale(sign, slip), z[zi:end], p[nf : row[FLOATS_END]], dz[zi:end])
        rub = scale(sign, own)
    # dissipated power = normal and friction power less the stored power; energies and sums for results
    ws.ledger.loss_rate += load * rate - storing - dot(rub, slip)
    if ws.flags.energies_wanted:
        ws.ledger.contact += stored + held
        ws.ledger.held += held
        accumulate3(ws.contact_wrenches, c, WRENCH_POINT, scale(load, vec(ws.sites, s, SITE_POINT)))
        ws.contact_wrenches[c, WRENCH_LOAD] += load
        ws.contact_wrenches[c, WRENCH_DEPTH] = max(ws.contact_wrenches[c, WRENCH_DEPTH], depth)
        ws.contact_wrenches[c, WRENCH_SLIP] = max(ws.contact_wrenches[c, WRENCH_SLIP], math.sqrt(dot(slip, slip)))
        ws.contact_wrenches[c, WRENCH_SITES] += 1.0
        ws.contact_wrenches[c, WRENCH_STORED] += stored + held
    return add(scale(load, n), rub)


@kernel
def apply_contact_force(ws, a, b, point, force):
    """Adds a force at a point to the load of shape a, and its opposite to that of shape b."""
    accumulate3(ws.shapes, a, SHAPE_MOMENT, cross(sub(point, vec(ws.shapes, a, SHAPE_P)), force))
    accumulate3(ws.shapes, a, SHAPE_FORCE, force)
    opposite = scale(-1.0, force)
    accumulate3(ws.shapes, b, SHAPE_MOMENT, cross(sub(point, vec(ws.shapes, b, SHAPE_P)), opposite))
    accumulate3(ws.shapes, b, SHAPE_FORCE, opposite)


@kernel
def begin_patches(ws, c, row, states, z, dz):
    """Before the parts of volumetric contact c: zeroes its sums and adds the elastic work of all its slots."""
    dz[row[SUMS] + RELAXED] = 0.0
    dz[row[SUMS] + REMAINED] = 0.0
    if ws.flags.energies_wanted:
        ws.ledger.held -= z[row[SUMS] + REMAINED]
        for slot in range(row[SLOTS]):
            work = z[row[CONTACT_STATES] + states * slot + STATE_ELASTIC]
            ws.ledger.contact += work
            ws.contact_wrenches[c, WRENCH_STORED] += work
            for k in range(PATCH):
                ws.patches[row[PATCHES] + slot, k] = 0.0


@kernel
def patch_wrench(model, touch, ws, c, s, at, i, z, latched, dz):
    """Adds the torque of part s of volumetric contact c to the loads of its shapes; returns its force on A [N]."""
    row = model.contact_index[c]
    a, b = row[CONTACT_FIRST], row[CONTACT_SECOND]
    wrench = touch.foundation(model, ws, c, s, at, i, z, latched, dz)
    torque, force = (wrench[0], wrench[1], wrench[2]), (wrench[3], wrench[4], wrench[5])
    accumulate3(ws.shapes, a, SHAPE_MOMENT, torque)
    accumulate3(ws.shapes, b, SHAPE_MOMENT, scale(-1.0, torque))
    accumulate3(ws.contact_wrenches, c, WRENCH_TORQUE, scale(float(row[SIGN]), torque))
    return force


@kernel
def load_bodies(model, ws, q, v):
    """Applies the loads of the shapes to their bodies."""
    if ws.flags.laid:
        for i in range(model.shape_index.shape[0]):
            if model.shape_index[i, CLASS] == FACET_PLANE:
                spread_facet_load(model, ws, i)
            elif model.shape_index[i, LINK] > 0:
                spread_cable_segment(model, ws, i)
    for i in range(model.shape_index.shape[0]):
        load_body(model, ws, i, q, v)


@kernel
def load_body(model, ws, i, q, v):
    """Applies the load of shape i to its body."""
    force = vec(ws.shapes, i, SHAPE_FORCE)
    moment = vec(ws.shapes, i, SHAPE_MOMENT)
    if dot(force, force) + dot(moment, moment) != 0.0:
        # to a body with internal coordinates through its marker, moment about Mo; else about Bo
        m = model.shape_index[i, SHAPE_MARKER]
        on, body = int(ws.shapes[i, SHAPE_ON].real), model.marker_index[m, 0]
        if on > 0:
            accumulate3(ws.work, on, FORCE, scale(-1.0, moment))
            accumulate3(ws.work, on, FORCE + 3, scale(-1.0, force))
        elif model.table[body, N] > 0:
            r, _, _, _ = marker_frame(model, ws, m, q, v)
            offset = sub(vec(ws.shapes, i, SHAPE_P), add(vec(ws.work, body, POS), r))
            apply_wrench(model, ws, m, q, v, add(moment, cross(offset, force)), force)
        elif body > 0:
            arm = sub(vec(ws.shapes, i, SHAPE_P), vec(ws.work, body, POS))
            accumulate3(ws.work, body, FORCE, scale(-1.0, add(moment, cross(arm, force))))
            accumulate3(ws.work, body, FORCE + 3, scale(-1.0, force))


@kernel
def contact_forces_of_pairs(model, touch, ws, z, latched, dz):
    """Evaluates all contacts between pairs of shapes: loads of the shapes, rates of the states, results in
    ws.contact_wrenches."""
    for c in range(model.contact_index.shape[0]):
        row = model.contact_index[c]
        if row[FAMILY] == PILE:
            continue
        a, b = row[CONTACT_FIRST], row[CONTACT_SECOND]
        # rates and sums start at zero
        states = row[NORMAL_STATES] + row[FRICTION_STATES]
        for k in range(row[CONTACT_STATES], row[CONTACT_STATES] + states * row[SLOTS]):
            dz[k] = 0.0
        for k in range(CONTACT_WRENCH):
            ws.contact_wrenches[c, k] = 0.0
        if row[FAMILY] >= SPHERE_PLANE:
            begin_patches(ws, c, row, states, z, dz)
        first = a if row[SIGN] > 0 else b
        for s in range(find(model, touch, ws, c, latched)):
            slot = int(ws.sites[s, ROLE])
            if ws.sites[s, GAP] >= 0.0 or slot < 0:
                continue
            # only sites in overlap that have a slot act
            at = row[LATCHED] + SLOT * slot
            i = row[CONTACT_STATES] + states * slot
            if row[FAMILY] >= SPHERE_PLANE:
                force = patch_wrench(model, touch, ws, c, s, at, i, z, latched, dz)
            else:
                force = site_force(model, touch, ws, c, a, b, s, at, i, z, latched, dz)
            # the force acts at the site on both shapes; ws.contact_wrenches is about the shape that the user named
            # first
            point = vec(ws.sites, s, SITE_POINT)
            apply_contact_force(ws, a, b, point, force)
            force = scale(float(row[SIGN]), force)
            accumulate3(ws.contact_wrenches, c, WRENCH_FORCE, force)
            accumulate3(ws.contact_wrenches, c, WRENCH_TORQUE, cross(sub(point, vec(ws.shapes, first, SHAPE_P)), force))


@entry_point
def contact_rates(
    model: ModelArrays, touch: ContactFunctions, q: Vector, v: Vector, z: Vector, latched: Vector, ws: Workspace,
    dz: Vector,
) -> None:  # fmt: skip
    """All contact forces: forces onto the bodies, rates of the contact states into dz, energies and losses into
    ws.ledger.

    ws.contact_wrenches gets the force on the first body of each contact, and its torque about the origin of that body's
    shape. Needs `kinematics` first.
    """
    place_shapes(model, ws, q, v)
    contact_forces_of_pairs(model, touch, ws, z, latched, dz)
    load_bodies(model, ws, q, v)
