"""Derivatives of the sites of a pair by displacements of its first shape, the second fixed.

Exact for a sphere or a capsule on a plane, for two spheres and for corners on a plane: there the normal is fixed in the
second shape, or turns by the curvature of two spheres, 1 / (distance of the centres). For all other pairs the narrow
phase is evaluated again at the six displacements of the first shape, both ways (12 calls, whatever the size of the
model), with steps far below the size of the shapes; gaps, normals and points are smooth there and the depth of a
contact does not enter, so that about ten digits remain.
"""

from __future__ import annotations

import math

from ...algebra import Motion, Vec3, cross
from ...compiler import kernel, outlined_kernel
from ...contact.contact_forces import find
from ...contact.contact_rows import PAIR_SLOTS, listed_pair
from ...contact.granular import find_pair
from ...kind_registry import BOX, CAPSULE, CONVEX, CORNERS_PLANE, PLANE, SPHERE, SPHERE_CAPSULE
from ...rotations import axis_rotation
from ...rows import clear_row, copy_row
from .applied_layout import site_changes

GEOMETRIC_STEP = 1e-6
"""Step of the displacements over the size of the shape [-]: about the cube root of the machine precision."""


@outlined_kernel
def find_sites(model, touch, ws, c, listed, latched):
    """Sites of contact c, or of pair `listed` of a pile; returns how many."""
    if listed < 0:
        return find(model, touch, ws, c, latched)
    return find_pair(model, touch, ws, listed)


@kernel
def slot_of(ws, sites, s, listed):
    """Slot of a site, -1 where it has none."""
    role = sites[s].role
    if listed < 0:
        return role
    return ws.pairs[listed, PAIR_SLOTS + role]


@kernel
def family_of(model, ws, c, listed):
    """Code of the narrow phase of a pair."""
    return model.contacts[c].family if listed < 0 else listed_pair(ws.pairs[listed]).family


@kernel
def lens(model, family, a, b, gap):
    """(exact, radius, curvature) of a pair: where `exact`, its normal turns as that of a sphere of this radius on a
    surface whose distance function has this curvature at the centre.
    """
    first, second = model.shapes[a].code, model.shapes[b].code
    radius = 0.0
    if family == SPHERE_CAPSULE and (first == SPHERE or first == CAPSULE):
        radius = model.shape_floats[model.shapes[a].floats]
        if second == PLANE:
            return True, radius, 0.0
        if first == SPHERE and second == SPHERE:
            length = gap + radius + model.shape_floats[model.shapes[b].floats]
            return True, radius, 1.0 / length if length > 0.0 else 0.0
    if family == CORNERS_PLANE and (first == BOX or first == CONVEX):
        return True, radius, 0.0
    return False, radius, 0.0


@kernel
def site_displaced(exact, radius, curvature, moved, s, n, turn, move, lift):
    """(gap, normal, point) changes of site s, the second shape at rest.

    turn    relative rotation
    move    relative displacement at the point of action
    lift    relative displacement at the origin of the first shape
    """
    if exact:
        # displacement of the centre of the sphere; the normal turns by its part across n times the curvature
        centre = move + radius * cross(turn, n)
        along = n @ centre
        bend = curvature * (centre - along * n)
        return along, bend, centre - radius * bend
    gap, normal, point = 0.0, n.zero, n.zero
    by, changes = tuple(Motion(turn, lift)), site_changes(moved[s])
    for d in range(6):
        change = changes[d]
        gap += by[d] * change.gap
        normal += by[d] * change.normal
        point += by[d] * change.point
    return gap, normal, point


@kernel
def keep_sites(ws, ap, count):
    """Copies the first `count` sites."""
    for s in range(count):
        copy_row(ap.sites[s], ws.sites[s])


@kernel
def unit_axis(d):
    """The unit vector along axis d modulo three."""
    return Vec3(1.0 if d % 3 == 0 else 0.0, 1.0 if d % 3 == 1 else 0.0, 1.0 if d % 3 == 2 else 0.0)


@kernel
def move_shape(ws, a, R, p, d, by):
    """Displaces shape a from its pose (R, p) in one of six ways: rotations about its origin, then translations."""
    axis = unit_axis(d)
    if d < 3:
        ws.shapes[a].R_WS = axis_rotation(axis, by) @ R
    else:
        ws.shapes[a].p_WS = p + by * axis


@kernel
def put_shape(ws, a, R, p):
    """Puts shape a to a pose."""
    ws.shapes[a].R_WS, ws.shapes[a].p_WS = R, p


@kernel
def size_of(model, a, b):
    """Size of the smaller of two shapes [m]."""
    size = min(model.shape_poses[a].ball, model.shape_poses[b].ball)
    return size if size < math.inf else 1.0


@outlined_kernel
def move_sites(model, touch, ws, ap, c, listed, a, b, count, latched):
    """Central differences of the first `count` sites of `ap` by displacements of shape a, into ap.moved."""
    R, p = ws.shapes[a].R_WS, ws.shapes[a].p_WS
    size = size_of(model, a, b)
    for s in range(count):
        for d in range(6):
            clear_row(site_changes(ap.moved[s])[d])
    for d in range(6):
        step = GEOMETRIC_STEP if d < 3 else GEOMETRIC_STEP * size
        for way in (-1.0, 1.0):
            move_shape(ws, a, R, p, d, way * step)
            found = find_sites(model, touch, ws, c, listed, latched)
            factor = way / (2.0 * step)
            for s in range(count):
                change = site_changes(ap.moved[s])[d]
                # sites are matched by their roles
                for f in range(found):
                    site = ws.sites[f]
                    if site.role == ap.sites[s].role:
                        change.gap += factor * site.gap
                        change.normal += factor * site.normal
                        change.point += factor * site.point
                        break
            put_shape(ws, a, R, p)
