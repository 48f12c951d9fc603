"""Overlap parts as contact sites: the rows that the narrow phase writes, and the normal and slot of each part.

The narrow phase of a volumetric pair writes one row of `ws.sites` for each connected part of the volume of
interference: a key that names the cells or faces it lies between, volume V [m^3], centroid, volume inertia J [m^5] and
a geometric guess of the normal, all in world axes. Where nothing overlaps it writes one row with a gap, at most the
distance of the shapes. `settle` then assigns slots, normals, depths and areas, alike for all pairs.
"""

from __future__ import annotations

import math

from ...compiler import kernel
from ...spatial import dot, mat, put3, put6, rotate, rotate_back, scale, sub, sym, vec
from ..contact_layout import (
    BALL,
    CAPACITY_POINTS,
    CELL_FLOATS,
    CELL_INTEGERS,
    CONTACT_FIRST,
    CONTACT_NORMAL,
    CONTACT_PARTS,
    CONTACT_SECOND,
    DEPTH,
    GAP,
    INERTIA_NORMAL,
    LATCHED,
    MARK,
    PART,
    PART_KEY,
    PART_NORMAL,
    ROLE,
    SHAPE_P,
    SHAPE_R,
    SITE_AREA,
    SITE_COUPLE,
    SITE_INERTIA,
    SITE_KEY,
    SITE_NORMAL,
    SITE_POINT,
    SITE_POTENTIAL,
    SITE_PUSH,
    SITE_VOLUME,
    SLOT,
    SLOT_TOUCHING,
    SLOTS,
)
from ..overlap_volumes.overlap_layout import BODY_TABLE, CELL_NUMBERS, CELL_VERTICES, PLANES
from ..overlap_volumes.revolution_polyhedron import BREAKS, PANEL_LINE
from ..shape_motion import is_real
from .patch_normal import part_normal, second_moments

NEARBY = 1.0  # distance, in radii of gyration, within which a part with a new key is matched to a remembered one
REAL_DEPTH = 1e-9  # least depth over the size of the coordinates at which the normal of a part is trusted
REAL_WIDTH = 1e-9  # and least ratio of its two second moments across the normal
FACING = 0.8  # least cosine between the normals of two parts that are matched


@kernel
def put_part(ws, s, key, part, guess, depth, area):
    """Writes row s of ws.sites for a part (V, c, J); a depth [m] or area [m^2] of 0 is estimated by `settle`."""
    sites = ws.sites
    sites[s, ROLE] = -1.0
    sites[s, SITE_KEY] = key
    sites[s, SITE_VOLUME] = part[0]
    put3(sites, s, SITE_POINT, part[1])
    put6(sites, s, SITE_INERTIA, part[2])
    put3(sites, s, SITE_NORMAL, guess)
    sites[s, DEPTH] = depth
    sites[s, SITE_AREA] = area
    put_springs(ws, s, ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), -1.0))


@kernel
def put_springs(ws, s, springs):
    """Springs of the part in row s: force and couple about the centroid over k_v, and potential; see
    overlap_volumes/springs.py.
    """
    push, couple, potential = springs
    put3(ws.sites, s, SITE_PUSH, push)
    put3(ws.sites, s, SITE_COUPLE, couple)
    ws.sites[s, SITE_POTENTIAL] = potential


@kernel
def put_gap(ws, role, gap, point, guess):
    """Writes the one row of shapes that do not overlap; role 0: the gap is their distance, -1: a lower bound."""
    sites = ws.sites
    sites[0, ROLE] = role
    sites[0, SITE_KEY] = 0.0
    sites[0, SITE_VOLUME] = 0.0
    sites[0, GAP] = gap
    put3(sites, 0, SITE_POINT, point)
    put3(sites, 0, SITE_NORMAL, guess)


@kernel
def far(model, ws, a, b):
    """Lower bound of the distance of two shapes from their bounding spheres, negative where these overlap [m]."""
    away = sub(vec(ws.shapes, a, SHAPE_P), vec(ws.shapes, b, SHAPE_P))
    return math.sqrt(dot(away, away)) - model.shape_pose[a, BALL] - model.shape_pose[b, BALL]


@kernel
def direction_of(N, instead):
    """(length, direction) of a vector area; the direction is `instead` where the length is zero."""
    length = math.sqrt(dot(N, N))
    if length > 0.0:
        return length, (N[0] / length, N[1] / length, N[2] / length)
    return length, instead


@kernel
def line_scratch(model, ws, c):
    """Scratch for slices of a curved solid: planes (k, 4), lines of a slice (k, PANEL_LINE), breaks between panels, and
    the planes (k, 4) of the cell of points that are nearest to one face.
    """
    count = model.contact_index[c, CAPACITY_POINTS]
    planes = ws.overlap_scratch[: 4 * count].reshape((count, 4))
    lines = ws.overlap_scratch[4 * count : (4 + PANEL_LINE) * count].reshape((count, PANEL_LINE))
    at = (4 + PANEL_LINE) * count + BREAKS
    return (
        planes,
        lines,
        ws.overlap_scratch[at - BREAKS : at],
        ws.overlap_scratch[at : at + 4 * count].reshape((count, 4)),
    )


@kernel
def lay_planes(model, ws, b, planes):
    """Planes (n, d), n . x <= d, of shape b in world axes: a convex polyhedron, half-space or wedge;
    returns how many.
    """
    x, n = model.shape_floats, model.shape_integers
    fo, io = model.shape_index[b, CELL_FLOATS], model.shape_index[b, CELL_INTEGERS]
    row = io + n[io + BODY_TABLE]
    at, count = fo + n[row + CELL_NUMBERS] + 3 * n[row + CELL_VERTICES], n[row + PLANES]
    # n_W = R_WB n_B and d_W = d_B + n_W . p_WoBo
    R, p = mat(ws.shapes, b, SHAPE_R), vec(ws.shapes, b, SHAPE_P)
    for k in range(count):
        m = rotate(R, (x[at + 4 * k], x[at + 4 * k + 1], x[at + 4 * k + 2]))
        planes[k, 0], planes[k, 1], planes[k, 2] = m
        planes[k, 3] = x[at + 4 * k + 3] + dot(m, p)
    return count


@kernel
def extent(J, n, V, depth, area):
    """Depth [m] and area [m^2] of a part; those that are zero are estimated from its second moments.

    area     4 pi sqrt(s_1 s_2) / V: exact for an ellipse under even depth, 5 % too large for a rectangle, two thirds of
             the area of a thin spherical cap
    depth    the smaller of sqrt(18 s_n / V) and 2 V / area: exact for a wedge and a thin cap, 22 % too large for a slab
    """
    sn, s1, s2 = second_moments(J, n)
    if area <= 0.0:
        area = 4.0 * math.pi * math.sqrt(s1 * s2) / V
    if depth <= 0.0:
        depth = min(math.sqrt(max(18.0 * sn / V, 0.0)), 2.0 * V / area)
    return depth, area


@kernel
def has_slot(sites, count, slot):
    """Whether one of the first `count` sites has that slot."""
    for s in range(count):
        if sites[s, ROLE] == slot:
            return True
    return False


@kernel
def has_key(sites, count, key):
    """Whether one of the first `count` sites has that key."""
    for s in range(count):
        if sites[s, SITE_KEY] == key:
            return True
    return False


@kernel
def assign_slots(row, ws, count, latched):
    """Assigns the slots of a volumetric contact to its parts: by key, else by nearness, else a free one.

    A part for which no slot is left keeps -1.
    """
    sites, b = ws.sites, row[CONTACT_SECOND]
    # 1. the slot in contact that remembers the same key
    for s in range(count):
        for slot in range(row[SLOTS]):
            if (
                latched[row[LATCHED] + SLOT * slot + SLOT_TOUCHING] == 1.0
                and kept_key(row, slot, latched) == sites[s, SITE_KEY]
                and not has_slot(sites, count, slot)
            ):
                sites[s, ROLE] = slot
                break
    # 2. the nearest slot whose key has disappeared, within NEARBY radii of gyration and with a similar normal;
    # centroid and normal are compared in the axes of the second shape, in which they were remembered
    for s in range(count):
        if sites[s, ROLE] >= 0.0:
            continue
        J, V = sym(sites, s, SITE_INERTIA), sites[s, SITE_VOLUME]
        least = NEARBY * NEARBY * 0.5 * (J[0] + J[1] + J[2]) / V
        here = rotate_back(mat(ws.shapes, b, SHAPE_R), sub(vec(sites, s, SITE_POINT), vec(ws.shapes, b, SHAPE_P)))
        towards = rotate_back(mat(ws.shapes, b, SHAPE_R), vec(sites, s, SITE_NORMAL))
        for slot in range(row[SLOTS]):
            at = row[LATCHED] + SLOT * slot
            if (
                latched[at + SLOT_TOUCHING] == 0.0
                or not is_real(row, slot, latched)
                or has_slot(sites, count, slot)
                or has_key(sites, count, kept_key(row, slot, latched))
            ):
                continue
            away = sub(here, (latched[at + MARK], latched[at + MARK + 1], latched[at + MARK + 2]))
            k = row[CONTACT_PARTS] + PART * slot + PART_NORMAL
            facing = dot(towards, (latched[k], latched[k + 1], latched[k + 2])) > FACING
            if facing and dot(away, away) < least:
                least = dot(away, away)
                sites[s, ROLE] = slot
    # 3. new parts take free slots
    for s in range(count):
        if sites[s, ROLE] >= 0.0:
            continue
        for slot in range(row[SLOTS]):
            if latched[row[LATCHED] + SLOT * slot + SLOT_TOUCHING] == 0.0 and not has_slot(sites, count, slot):
                sites[s, ROLE] = slot
                break


@kernel
def has_normal(model, ws, row, s):
    """Whether part s is larger than rounding errors, so that its inertia determines its normal.

    Its depth must be well above the rounding of the coordinates of its corners. Where the normal is a principal axis
    the smaller second moment must also be above the rounding of the larger: a box that lands on an edge overlaps in a
    line first.
    """
    sites, point = ws.sites, vec(ws.sites, s, SITE_POINT)
    size = min(model.shape_pose[row[CONTACT_FIRST], BALL], model.shape_pose[row[CONTACT_SECOND], BALL])
    if size == math.inf:
        size = 0.0
    size += abs(point[0]) + abs(point[1]) + abs(point[2])
    _, s1, s2 = second_moments(sym(sites, s, SITE_INERTIA), vec(sites, s, SITE_NORMAL))
    wide = row[CONTACT_NORMAL] != INERTIA_NORMAL or s2 >= REAL_WIDTH * s1
    return sites[s, DEPTH] >= REAL_DEPTH * size and wide


@kernel
def kept_key(row, slot, latched):
    """Key that a slot remembers; stored as -1 - key until the part has had a normal."""
    key = latched[row[CONTACT_PARTS] + PART * slot + PART_KEY]
    return key if key >= 0.0 else -1.0 - key


@kernel
def inertia_normal(row, R, s, sites, latched):
    """Normal of part s, a principal axis of its volume inertia, from the guess and the last normal; R is R_WB."""
    guess = vec(sites, s, SITE_NORMAL)
    last = guess
    slot = int(sites[s, ROLE])
    if slot >= 0 and latched[row[LATCHED] + SLOT * slot + SLOT_TOUCHING] == 1.0 and is_real(row, slot, latched):
        at = row[CONTACT_PARTS] + PART * slot + PART_NORMAL
        last = rotate(R, (latched[at], latched[at + 1], latched[at + 2]))
    return part_normal(sym(sites, s, SITE_INERTIA), guess, last, sites[s, SITE_VOLUME], sites[s, SITE_AREA])


@kernel
def pushed_normal(sites, s):
    """Normal of part s along the resultant of its springs, world axes. Where the narrow phase gave none, the resultant
    becomes V along the guess.
    """
    push, guess = vec(sites, s, SITE_PUSH), vec(sites, s, SITE_NORMAL)
    size, n = direction_of(push, guess)
    if sites[s, SITE_POTENTIAL] < 0.0 and not size > 0.0:
        put3(sites, s, SITE_PUSH, scale(sites[s, SITE_VOLUME], guess))
    return n


@kernel
def settle(model, ws, c, count, latched):
    """Assigns slots, normals, depths and areas to the first `count` parts of contact c; returns the number of sites."""
    row, sites = model.contact_index[c], ws.sites
    if count == 1 and not sites[0, SITE_VOLUME] > 0.0:
        return 1
    if row[SLOTS] == 1:
        sites[0, ROLE] = 0.0
    else:
        assign_slots(row, ws, count, latched)
    R = mat(ws.shapes, row[CONTACT_SECOND], SHAPE_R)
    for s in range(count):
        if sites[s, ROLE] < 0.0:
            ws.flags.capacity_exceeded = 2
        # normal: principal axis of J (Gonthier 2007), or the resultant of the springs over k_v
        V, J = sites[s, SITE_VOLUME], sym(sites, s, SITE_INERTIA)
        if row[CONTACT_NORMAL] == INERTIA_NORMAL:
            n = inertia_normal(row, R, s, sites, latched)
            put3(sites, s, SITE_PUSH, scale(V, n))
        else:
            n = pushed_normal(sites, s)
        depth, area = extent(J, n, V, sites[s, DEPTH], sites[s, SITE_AREA])
        put3(sites, s, SITE_NORMAL, n)
        sites[s, DEPTH], sites[s, SITE_AREA] = depth, area
        sites[s, GAP] = -max(depth, 1e-300)
    return count
