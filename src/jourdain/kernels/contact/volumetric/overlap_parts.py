"""Overlap parts as contact sites: the rows that the narrow phase writes, and the normal and slot of each part.

The narrow phase of a volumetric pair writes one row of `ws.sites` for each connected part of the volume of
interference: a key that names the cells or faces it lies between, volume V [m^3], centroid, volume inertia J [m^5] and
a geometric guess of the normal, all in world axes. Where nothing overlaps it writes one row with a gap, at most the
distance of the shapes. `settle` then assigns slots, normals, depths and areas, alike for all pairs.
"""

from __future__ import annotations

import math

from ...compiler import kernel
from ..contact_layout import INERTIA_NORMAL
from ..contact_rows import memory_of, part_of
from ..overlap_volumes.overlap_layout import LINE, cell_rows, half_spaces, header_at, slice_lines
from ..overlap_volumes.revolution_polyhedron import BREAKS
from ..overlap_volumes.springs import unknown_springs
from ..shape_motion import is_real
from .patch_normal import part_normal, second_moments

NEARBY = 1.0  # distance, in radii of gyration, within which a part with a new key is matched to a remembered one
REAL_DEPTH = 1e-9  # least depth over the size of the coordinates at which the normal of a part is trusted
REAL_WIDTH = 1e-9  # and least ratio of its two second moments across the normal
FACING = 0.8  # least cosine between the normals of two parts that are matched


@kernel
def put_part(ws, s, key, part, guess, depth, area):
    """Writes row s of ws.sites for a part without springs; a depth [m] or area [m^2] of 0 is estimated by `settle`."""
    site = ws.sites[s]
    site.role, site.key, site.volume = -1, key, part.volume
    site.point, site.inertia, site.normal = part.centroid, part.inertia, guess
    site.depth, site.area = depth, area
    site.springs = unknown_springs(0.0, guess.zero)


@kernel
def put_gap(ws, role, gap, point, guess):
    """Writes the one row of shapes that do not overlap; role 0: the gap is their distance, -1: a lower bound."""
    site = ws.sites[0]
    site.role, site.key, site.volume, site.gap = role, 0.0, 0.0, gap
    site.point, site.normal = point, guess


@kernel
def far(model, ws, a, b):
    """Lower bound of the distance of two shapes from their bounding spheres, negative where these overlap [m]."""
    away = ws.shapes[a].p_WS - ws.shapes[b].p_WS
    return math.sqrt(away @ away) - model.shape_poses[a].ball - model.shape_poses[b].ball


@kernel
def direction_of(N, instead):
    """(length, direction) of a vector area; the direction is `instead` where the length is zero."""
    length = math.sqrt(N @ N)
    return length, N / length if length > 0.0 else instead


@kernel
def line_scratch(model, ws, c):
    """Scratch for slices of a curved solid: planes, lines of a slice, breaks between panels, and the planes of the cell
    of points that are nearest to one face.
    """
    count, scratch = model.contacts[c].capacity_points, ws.overlap_scratch
    breaks = (4 + LINE) * count
    cell = breaks + BREAKS
    lines = slice_lines(scratch, 4 * count)
    return half_spaces(scratch, 0), lines, scratch[breaks:cell], half_spaces(scratch, cell)


@kernel
def lay_planes(model, ws, b, planes):
    """Planes (n, d), n . x <= d, of shape b in world axes: a convex polyhedron, half-space or wedge;
    returns how many.
    """
    n, row = model.shape_integers, model.shapes[b]
    cell = cell_rows(n, row.cell_integers + header_at(n, row.cell_integers).table)[0]
    own = half_spaces(model.shape_floats, row.cell_floats + cell.floats + 3 * cell.vertices)
    # n_W = R_WB n_B and d_W = d_B + n_W . p_WoBo
    R, p = ws.shapes[b].R_WS, ws.shapes[b].p_WS
    for k in range(cell.planes):
        m = R @ own[k].normal
        planes[k].normal, planes[k].offset = m, own[k].offset + m @ p
    return cell.planes


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
        if sites[s].role == slot:
            return True
    return False


@kernel
def has_key(sites, count, key):
    """Whether one of the first `count` sites has that key."""
    for s in range(count):
        if sites[s].key == key:
            return True
    return False


@kernel
def assign_slots(row, ws, count, latched):
    """Assigns the slots of a volumetric contact to its parts: by key, else by nearness, else a free one.

    A part for which no slot is left keeps -1.
    """
    sites, b = ws.sites, row.second
    # 1. the slot in contact that remembers the same key
    for s in range(count):
        for slot in range(row.slots):
            if (
                memory_of(row, slot, latched).touching
                and kept_key(row, slot, latched) == sites[s].key
                and not has_slot(sites, count, slot)
            ):
                sites[s].role = slot
                break
    # 2. the nearest slot whose key has disappeared, within NEARBY radii of gyration and with a similar normal;
    # centroid and normal are compared in the axes of the second shape, in which they were remembered
    for s in range(count):
        if sites[s].role >= 0:
            continue
        site, B = sites[s], ws.shapes[b]
        J, R_WB = site.inertia, B.R_WS
        least = NEARBY * NEARBY * 0.5 * (J.xx + J.yy + J.zz) / site.volume
        here = R_WB.T @ (site.point - B.p_WS)
        towards = R_WB.T @ site.normal
        for slot in range(row.slots):
            memory = memory_of(row, slot, latched)
            if (
                not memory.touching
                or not is_real(row, slot, latched)
                or has_slot(sites, count, slot)
                or has_key(sites, count, kept_key(row, slot, latched))
            ):
                continue
            away = here - memory.mark
            facing = towards @ part_of(row, slot, latched).normal > FACING
            if facing and away @ away < least:
                least = away @ away
                site.role = slot
    # 3. new parts take free slots
    for s in range(count):
        if sites[s].role >= 0:
            continue
        for slot in range(row.slots):
            if not memory_of(row, slot, latched).touching and not has_slot(sites, count, slot):
                sites[s].role = slot
                break


@kernel
def has_normal(model, ws, row, s):
    """Whether part s is larger than rounding errors, so that its inertia determines its normal.

    Its depth must be well above the rounding of the coordinates of its corners. Where the normal is a principal axis
    the smaller second moment must also be above the rounding of the larger: a box that lands on an edge overlaps in a
    line first.
    """
    site, point = ws.sites[s], ws.sites[s].point
    size = min(model.shape_poses[row.first].ball, model.shape_poses[row.second].ball)
    if size == math.inf:
        size = 0.0
    size += abs(point.x) + abs(point.y) + abs(point.z)
    _, s1, s2 = second_moments(site.inertia, site.normal)
    wide = row.normal_kind != INERTIA_NORMAL or s2 >= REAL_WIDTH * s1
    return site.depth >= REAL_DEPTH * size and wide


@kernel
def kept_key(row, slot, latched):
    """Key that a slot remembers; stored as -1 - key until the part has had a normal."""
    key = part_of(row, slot, latched).key
    return key if key >= 0.0 else -1.0 - key


@kernel
def inertia_normal(row, R_WB, site, latched):
    """Normal of a part, a principal axis of its volume inertia, from the guess and the last normal."""
    guess = site.normal
    last = guess
    slot = site.role
    if slot >= 0 and memory_of(row, slot, latched).touching and is_real(row, slot, latched):
        last = R_WB @ part_of(row, slot, latched).normal
    return part_normal(site.inertia, guess, last, site.volume, site.area)


@kernel
def pushed_normal(site):
    """Normal of a part along the resultant of its springs, world axes. Where the narrow phase gave none, the resultant
    becomes V along the guess.
    """
    push, guess = site.push, site.normal
    size = math.sqrt(push @ push)
    if site.potential < 0.0 and not size > 0.0:
        site.push = site.volume * guess
    return push / size if size > 0.0 else guess


@kernel
def settle(model, ws, c, count, latched):
    """Assigns slots, normals, depths and areas to the first `count` parts of contact c; returns the number of sites."""
    row, sites = model.contacts[c], ws.sites
    if count == 1 and not sites[0].volume > 0.0:
        return 1
    if row.slots == 1:
        sites[0].role = 0
    else:
        assign_slots(row, ws, count, latched)
    R_WB = ws.shapes[row.second].R_WS
    for s in range(count):
        site = sites[s]
        if site.role < 0:
            ws.flags.capacity_exceeded = 2
        # normal: principal axis of J (Gonthier 2007), or the resultant of the springs over k_v
        V, J = site.volume, site.inertia
        if row.normal_kind == INERTIA_NORMAL:
            n = inertia_normal(row, R_WB, site, latched)
            site.push = V * n
        else:
            n = pushed_normal(site)
        depth, area = extent(J, n, V, site.depth, site.area)
        site.normal, site.depth, site.area = n, depth, area
        site.gap = -max(depth, 1e-300)
    return count
