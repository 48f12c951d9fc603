"""Contact forces: places the shapes, runs the narrow phase and the contact laws, and applies the forces to the bodies.

A is the first shape of a pair and B the second; the normal n of a site points from B to A; vectors are in world axes.
"""

from __future__ import annotations

import math

from ..algebra import Vec3, Wrench, cross
from ..compiler import entry_point, kernel, optional_kernel, separate_kernel
from ..kind_registry import BRISTLE, COULOMB, FRICTIONLESS, PILE, SPHERE_CAPSULE, SPHERE_PLANE, USER, USER_FRICTION
from ..model_arrays import ModelArrays, Workspace
from ..rows import clear_row
from ..signatures import Vector
from ..stage_functions import FINDER, PARTS, ContactFunctions
from ..stage_functions import FRICTION as OWN_FRICTION
from ..stage_functions import NORMAL as OWN_NORMAL
from ..tree.markers import marker_kinematics, push_marker
from ..tree.orbit import relative_motion
from .contact_layout import FACET_PLANE
from .contact_results import add_energy
from .contact_rows import (
    SLOT,
    contact_sums,
    foundation_states,
    friction_parameters,
    memory_of,
    normal_parameters,
    site_memory,
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
    for i in range(len(model.shapes)):
        place_shape(model, ws, i, q, v)
    if not ws.flags.laid:
        return
    for i in range(len(model.shapes)):
        if model.shapes[i].size_class == FACET_PLANE:
            place_facet_plane(model, ws, i)
        elif model.shapes[i].link > 0:
            place_cable_segment(model, ws, i)


@kernel
def place_shape(model, ws, i, q, v):
    """Pose and velocity of shape i; its load is set to zero."""
    shape = ws.shapes[i]
    shape.moment = shape.force = Vec3(0.0, 0.0, 0.0)
    # most shapes of a pile have the frame of their body: R_WS = R_WB, p_WoSo = p_WoBo
    on = shape.body
    if on > 0:
        body, V = ws.bodies[on], relative_motion(model, ws, on)
        shape.R_WS, shape.p_WS = body.R_WB, body.p_WB
        shape.omega, shape.velocity = V.angular, V.linear
    else:
        # on a marker M: R_WS = R_WM R_MS, p_WoSo = p_WoBo + p_BoMo + p_MoSo, v_So = v_Mo + omega x p_MoSo
        own, pose = model.shapes[i], model.shape_poses[i]
        r, R_WM, V = marker_kinematics(model, ws, own.marker, q, v)
        offset = R_WM @ pose.p_MS
        shape.R_WS = R_WM @ pose.R_MS
        shape.p_WS = ws.bodies[model.markers[own.marker].body].p_WB + r + offset
        shape.omega, shape.velocity = V.angular, V.linear + cross(V.angular, offset)
        if own.size_class == FACET_PLANE or own.link > 0:
            ws.flags.laid = True


@optional_kernel("patches", returns=int)
def parts_of(model, touch, ws, c, latched):
    """Narrow phase of volumetric contact c: its parts into ws.sites, each with its slot; returns how many."""
    row = model.contacts[c]
    count = kept_parts(row, ws, c)
    if count < 0:
        find_parts = PARTS(touch.finders[row.family])
        count = find_parts(model, ws, c, latched)
        keep_parts(row, ws, c, count)
    return count


@separate_kernel
def find(model, touch, ws, c, latched):
    """Narrow phase of contact c: its sites into ws.sites, each with its slot; returns how many."""
    row = model.contacts[c]
    family = row.family
    if family >= SPHERE_PLANE:
        return parts_of(model, touch, ws, c, latched)
    count = find_sites(model, touch, ws, family, row.first, row.second)
    if count > 0 and ws.sites[0].role < 0 and row.slots > 1:
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
        if sites[s].role == slot:
            return True
    return False


@kernel
def match_slots(model, ws, c, count, latched):
    """Assigns slots to sites without a role: greedily the nearest pair of a site and a slot in contact; else a free
    slot.

    So the order in which the narrow phase lists its sites does not matter. A site for which no slot is left keeps -1.
    """
    row, sites = model.contacts[c], ws.sites
    b = row.second
    R, origin = ws.shapes[b].R_WS, ws.shapes[b].p_WS
    # positions are compared in the axes of B, p_BoC_B, in which the slots remember them
    for _ in range(count):
        site, best, least = -1, -1, math.inf
        for s in range(count):
            if sites[s].role >= 0:
                continue
            here = R.T @ (sites[s].point - origin)
            for slot in range(row.slots):
                memory = memory_of(row, slot, latched)
                if memory.touching and not taken(sites, count, slot):
                    away = here - memory.mark
                    if away @ away < least:
                        site, best, least = s, slot, away @ away
        if site < 0:
            break
        sites[site].role = best
    # the others are new contacts and take free slots
    for s in range(count):
        if sites[s].role >= 0:
            continue
        for slot in range(row.slots):
            if not memory_of(row, slot, latched).touching and not taken(sites, count, slot):
                sites[s].role = slot
                break


@kernel
def stiffness_of(model, c, a, b):
    """Stiffness of a built-in law between two shapes [N/m^p]: the contact's, or in a pile that of their classes."""
    row = model.contacts[c]
    if row.classes > 0:
        at = row.stiffnesses + row.classes * model.shapes[a].size_class + model.shapes[b].size_class
        return model.contact_floats[at]
    return normal_parameters(model.contact_floats, row.normal_floats).stiffness


@kernel
def site_force(model, touch, ws, c, a, b, s, at, i, z, latched, dz):
    """Force of site s on shape a, world axes [N], and its power and energy; latched from `at` on, states from z[i]."""
    row, p, site, memory = model.contacts[c], model.contact_floats, ws.sites[s], site_memory(latched, at)
    # relative velocity of A to B at the site: rate along -n, slip across n (Gonthier 2007, eqs. 3.3 to 3.8)
    depth, n, point = -site.gap, site.normal, site.point
    u = relative_velocity(ws.shapes, a, b, point)
    rate = -(u @ n)
    slip = u + rate * n
    speed, touching = memory.speed, memory.touching
    if not touching:
        speed = max(speed, rate)
    ni, nf = row.normal_floats, row.friction_floats
    zi = i + row.normal_states
    end = zi + row.friction_states
    for k in range(i, end):
        dz[k] = 0.0
    # normal law: load, its elastic part, stored energy
    if row.normal_law >= USER:
        own_law = OWN_NORMAL(touch.normals[row.normal_law - USER])
        load = own_law(depth, rate, speed, z[i:zi], p[ni:nf], dz[i:zi])
        elastic, stored = 0.0, 0.0
    else:
        stiffness = stiffness_of(model, c, a, b)
        load, elastic, stored, stiff, damped = normal_force(
            row.normal_law, normal_parameters(p, ni), stiffness, depth, rate, speed, touching, z, i, dz
        )
        if ws.ledger.step > 0.0:
            note_peak(model, ws, c, a, b, s, stiff, damped, load, slip)
    # power stored in the spring; with relaxation its rest depth z[i] moves
    storing = elastic * rate
    if row.normal_law < USER and row.normal_states == 1:
        storing -= elastic * dz[i]
    # friction law: force on A; a user's law gets the slip in the order in which the user named the shapes
    held = 0.0
    law = row.friction_law
    if law == FRICTIONLESS or load <= 0.0:
        rub = Vec3(0.0, 0.0, 0.0)
    elif law == BRISTLE:
        rub, held = bristle_force(friction_parameters(p, nf), load, slip, n, ws.shapes[b].omega, z, zi, dz)
    elif law == COULOMB:
        rub = coulomb_force(friction_parameters(p, nf), load, slip)
    else:
        sign = -1.0 if row.sign < 0 else 1.0
        own_law = OWN_FRICTION(touch.frictions[law - USER_FRICTION])
        own = own_law(load, tuple(sign * slip), z[zi:end], p[nf : row.floats_end], dz[zi:end])
        rub = sign * Vec3(own)
    # dissipated power = normal and friction power less the stored power; energies and sums for results
    ws.ledger.loss_rate += load * rate - storing - rub @ slip
    if ws.flags.energies_wanted:
        add_energy(ws, c, load, depth, slip, point, stored, held)
    return load * n + rub


@kernel
def load_shape(shape, point, force):
    """Adds a force at a point to the load of a shape."""
    shape.moment += cross(point - shape.p_WS, force)
    shape.force += force


@kernel
def apply_contact_force(ws, a, b, point, force):
    """Adds a force at a point to the load of shape a, and its opposite to that of shape b."""
    load_shape(ws.shapes[a], point, force)
    load_shape(ws.shapes[b], point, -force)


@optional_kernel("patches")
def begin_patches(ws, c, row, states, z, dz):
    """Before the parts of volumetric contact c: zeroes its sums and adds the elastic work of all its slots."""
    clear_row(contact_sums(dz, row.sums))
    if ws.flags.energies_wanted:
        ws.ledger.held -= contact_sums(z, row.sums).remained
        for slot in range(row.slots):
            work = foundation_states(z, row.states + states * slot).elastic
            ws.ledger.contact += work
            ws.contact_wrenches[c].stored += work
            clear_row(ws.patches[row.patches + slot])


@optional_kernel("patches", returns=Vec3)
def patch_wrench(model, touch, ws, c, s, at, i, z, latched, dz):
    """Adds the torque of part s of volumetric contact c to the loads of its shapes; returns its force on A [N]."""
    row = model.contacts[c]
    a, b = row.first, row.second
    f = Wrench(touch.foundation(model, ws, c, s, at, i, z, latched, dz))
    torque, force = f.moment, f.force
    ws.shapes[a].moment += torque
    ws.shapes[b].moment -= torque
    ws.contact_wrenches[c].torque += float(row.sign) * torque
    return force


@kernel
def load_bodies(model, ws, q, v):
    """Applies the loads of the shapes to their bodies."""
    if ws.flags.laid:
        for i in range(len(model.shapes)):
            if model.shapes[i].size_class == FACET_PLANE:
                spread_facet_load(model, ws, i)
            elif model.shapes[i].link > 0:
                spread_cable_segment(model, ws, i)
    for i in range(len(model.shapes)):
        load_body(model, ws, i, q, v)


@kernel
def load_body(model, ws, i, q, v):
    """Applies the load of shape i to its body."""
    shape = ws.shapes[i]
    force, moment = shape.force, shape.moment
    if force @ force + moment @ moment != 0.0:
        # to a body with internal coordinates through its marker, moment about Mo; else about Bo
        m, on = model.shapes[i].marker, shape.body
        place = model.markers[m].body
        if on > 0:
            ws.bodies[on].bias_force -= Wrench(moment, force)
        elif model.tree[place].ne > 0:
            r, _, _ = marker_kinematics(model, ws, m, q, v)
            offset = shape.p_WS - (ws.bodies[place].p_WB + r)
            push_marker(model, ws, m, r, Wrench(moment + cross(offset, force), force))
        elif place > 0:
            arm = shape.p_WS - ws.bodies[place].p_WB
            ws.bodies[place].bias_force -= Wrench(moment + cross(arm, force), force)


@kernel
def contact_forces_of_pairs(model, touch, ws, z, latched, dz):
    """Evaluates all contacts between pairs of shapes: loads of the shapes, rates of the states, results in
    ws.contact_wrenches."""
    for c in range(len(model.contacts)):
        row = model.contacts[c]
        if row.family == PILE:
            continue
        a, b = row.first, row.second
        # rates and sums start at zero
        states = row.normal_states + row.friction_states
        for k in range(row.states, row.states + states * row.slots):
            dz[k] = 0.0
        result = ws.contact_wrenches[c]
        clear_row(result)
        if row.family >= SPHERE_PLANE:
            begin_patches(ws, c, row, states, z, dz)
        first = ws.shapes[a if row.sign > 0 else b]
        for s in range(find(model, touch, ws, c, latched)):
            site = ws.sites[s]
            slot = site.role
            if site.gap >= 0.0 or slot < 0:
                continue
            # only sites in overlap that have a slot act
            at = row.latched + SLOT * slot
            i = row.states + states * slot
            if row.family >= SPHERE_PLANE:
                force = patch_wrench(model, touch, ws, c, s, at, i, z, latched, dz)
            else:
                force = site_force(model, touch, ws, c, a, b, s, at, i, z, latched, dz)
            # the force acts at the site on both shapes; the result is about the shape that the user named first
            point = site.point
            apply_contact_force(ws, a, b, point, force)
            force = float(row.sign) * force
            result.force += force
            result.torque += cross(point - first.p_WS, force)


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
