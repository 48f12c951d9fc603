"""Connected components of the overlaps of cells: overlaps that are connected become one part.

Two overlaps are connected where they meet across a face that two cells of one body share: where that face, a polygon
known in advance, and the other cell have an area in common. A body that is divided into cells then behaves as if it
were not. Around a round hole the face is the polygon less the hole. Where a face between cells of the first body lies
in one between cells of the second, two overlaps can meet there although all four cells differ; faces are then clipped
by slightly enlarged cells. The components are kept by union-find.
"""

from __future__ import annotations

import math

from ...algebra import cross
from ...compiler import kernel, outlined_kernel, separate_kernel
from ...flat_arrays import vector_at
from ...kind_registry import CONE, CYLINDER, PLANE, SPHERE
from ...rows import copy_row
from .overlap_layout import AXES, axes_at, bore_at, bore_pieces, planes_of, round_at
from .overlap_values import Springs
from .polyhedron_clipping import clip_polygon
from .volume_moments import join_parts

SUBMERGED = 1e-6  # vector area over V^(2/3) below which it determines no normal
NEAR = 1e-9  # of the size of a face: enlargement of a cell where two faces may be coplanar


@kernel
def nearest_to_origin(points, count, u, v):
    """Distance of a convex polygon from the origin in projection along u x v (u, v orthonormal); zero inside."""
    least = math.inf
    turns_left, turns_right = True, True
    for i in range(count):
        p, q = points[i].place, points[i + 1 if i + 1 < count else 0].place
        a, b = u @ p, v @ p
        e, f = u @ q - a, v @ q - b
        # the origin is inside where it is on the same side of all edges; else the nearest point of an edge
        side = e * b - f * a
        turns_left = turns_left and side <= 0.0
        turns_right = turns_right and side >= 0.0
        l2 = e * e + f * f
        s = 0.0 if l2 == 0.0 else min(1.0, max(0.0, -(a * e + b * f) / l2))
        least = min(least, math.hypot(a + s * e, b + s * f))
    if (turns_left or turns_right) and not (turns_left and turns_right):
        return 0.0
    return least


@kernel
def clip_face(body, cell, shift, points, count, spare, margin):
    """Clips the polygon in the first rows by the planes of a polyhedron, enlarged by `margin`."""
    planes = planes_of(body, cell)
    for f in range(cell.planes):
        normal = body.R @ planes[f].normal
        count = clip_polygon(points, count, spare, normal, planes[f].offset + normal @ shift + margin)
        if count == 0:
            break
    return count


@kernel
def polygon_area(points, count):
    """Area of the polygon in the first rows [m^2]."""
    o = points[0].place
    total = o.zero
    for i in range(1, count - 1):
        total += cross(points[i].place - o, points[i + 1].place - o)
    return 0.5 * math.sqrt(total @ total)


@kernel
def face_meets(body, cell, shift, points, count, spare, margin):
    """Clips the polygon in the first rows by a cell, by its flat faces only, the origin of the body being at `shift`.

    Returns how many corners remain; 0 where it has no area in common with the cell.
    """
    kind = cell.kind
    if kind != SPHERE and kind != CYLINDER and kind != CONE:
        return clip_face(body, cell, shift, points, count, spare, margin)
    # round cell: axes u, v, w and centre; corners are taken from the centre
    own = round_at(body.floats, cell.floats)
    T, centre, radius = body.R @ own.R, shift + body.R @ own.p, own.radius
    u, v, w = T.x_axis, T.y_axis, T.z_axis
    for i in range(count):
        points[i].place -= centre
    if kind == SPHERE:
        # sphere: distance of the polygon from the centre, within its plane and across
        first = points[0].place
        a = points[1].place - first
        normal = cross(a, points[2].place - first)
        normal = 1.0 / math.sqrt(normal @ normal) * normal
        height = normal @ first
        e = 1.0 / math.sqrt(a @ a) * a
        d = nearest_to_origin(points, count, e, cross(normal, e))
        return count if d * d + height * height < radius * radius else 0
    # cylinder and cone: clip by the ends, then distance from the axis; a cone by central projection from its apex
    half = own.length if kind == CYLINDER else 0.5 * own.length
    top = half if kind == CYLINDER else half * (1.0 - 1e-9)
    count = clip_polygon(points, count, spare, w, top)
    if count > 0:
        count = clip_polygon(points, count, spare, -w, half)
    if count == 0:
        return 0
    if kind == CONE:
        for i in range(count):
            p = points[i].place
            along = w @ p
            points[i].place = 2.0 * half / (half - along) * (p - along * w)
    return count if nearest_to_origin(points, count, u, v) < radius else 0


@kernel
def bore_radius(pieces, count, z):
    """Radius of a round hole at a height; beyond an end that of the end."""
    for k in range(count):
        wall = pieces[k].wall
        if z <= wall.high or k == count - 1:
            return wall.a + wall.b * min(max(z, wall.low), wall.high)
    return 0.0


@outlined_kernel
def reaches_past_hole(block, cell, shift, body, two, away, points, count, height):
    """Whether the area common to a cell and a face extends beyond the round hole that ends in the face.

    cell      of the block, with the hole; `shift` the origin of the block
    two       the other cell, of a body whose origin is `away`
    points    `count` corners of the area common to a flat cell and the face
    height    of the face along the axis of the hole
    """
    # axes T and origin t of the hole; its radius at the face
    bore = bore_at(block.integers, cell.bore)
    axes = axes_at(block.floats, bore.floats)
    T, t = block.R @ axes.R, shift + block.R @ axes.p
    wide = bore_radius(bore_pieces(block.floats, bore.floats + AXES), bore.pieces, height)
    kind = two.kind
    if kind != SPHERE and kind != CYLINDER:
        far = 0.0
        for k in range(count):
            v = T.T @ (points[k].place - t)
            far = max(far, math.hypot(v.x, v.y))
        return far > wide
    # round cell in the axes of the hole: a sphere makes a disc in the face, a cylinder an ellipse
    own = round_at(body.floats, two.floats)
    c, radius = T.T @ (away + body.R @ own.p - t), own.radius
    if kind == SPHERE:
        return math.hypot(c.x, c.y) + math.sqrt(max(radius * radius - (c.z - height) ** 2, 0.0)) > wide
    u = T.T @ (body.R @ own.R.z_axis)
    if u.z == 0.0:
        return True
    f = (height - c.z) / u.z
    return math.hypot(c.x + f * u.x, c.y + f * u.y) + radius / abs(u.z) > wide


@kernel
def height_along_hole(block, cell, face):
    """Height of a face along the axis of the hole of a block; nan for a face that is not across the axis."""
    axes = axes_at(block.floats, bore_at(block.integers, cell.bore).floats)
    axis = axes.R.z_axis
    low, high = math.inf, -math.inf
    size = 0.0
    for k in range(face.corners):
        v = vector_at(block.floats, face.polygon + 3 * k) - axes.p
        along = axis @ v
        low, high = min(low, along), max(high, along)
        size = max(size, v @ v)
    return 0.5 * (low + high) if (high - low) ** 2 <= NEAR * NEAR * size else math.nan


@outlined_kernel
def meet_across(body, first, second, others, cell, other, o, points):
    """Whether a face between two cells of one body has an area in common with a cell of another body.

    first, second    the cells that share the face
    cell, other      of the other body; where they differ the face must meet both, each slightly enlarged
    o                a point nearby, from which positions are taken
    """
    row = body.cells[first]
    spare = len(points) // 2
    shift, away = body.p - o, others.p - o
    for k in range(row.face_count):
        face = body.faces[row.faces + k]
        if face.other != second:
            continue
        # corners of the shared face, from o
        count = face.corners
        size = 0.0
        for i in range(count):
            corner = shift + body.R @ vector_at(body.floats, face.polygon + 3 * i)
            points[i].place = corner
            size = max(size, abs(corner.x), abs(corner.y), abs(corner.z))
        margin = 0.0 if cell == other else NEAR * size
        # clipped by the cell, or by both cells
        count = face_meets(others, others.cells[cell], away, points, count, spare, margin)
        if cell != other and count > 2:
            count = face_meets(others, others.cells[other], away, points, count, spare, margin)
        if count <= 2 or (cell == other and not polygon_area(points, count) > 0.0):
            continue
        # an area within the hole of a block is no connection
        through = True
        for side in range(2):
            block = body.cells[first if side == 0 else second]
            if block.holes & 1 == 1:
                height = height_along_hole(body, block, face)
                if not math.isnan(height):
                    through = through and reaches_past_hole(
                        body, block, shift, others, others.cells[cell], away, points, count, height
                    )
        if through:
            return True
    return False


@kernel
def first_of(pairs, r):
    """Root of row r in the union-find forest."""
    while pairs[r].part != r:
        r = pairs[r].part
    return r


@kernel
def way_out(A, i, B, j):
    """Unit vector along which to push the first body out where a cell is wholly inside the other."""
    one, two = A.cells[i], B.cells[j]
    if two.kind == PLANE:
        return B.R @ vector_at(B.floats, two.floats)
    if one.kind == PLANE:
        return -(A.R @ vector_at(A.floats, one.floats))
    # between the centres of the boxes about all cells
    way = (A.p + A.R @ A.boxes[0].middle) - (B.p + B.R @ B.boxes[0].middle)
    size = math.sqrt(way @ way)
    return 1.0 / size * way if size > 0.0 else way


@kernel
def join_springs(one, other, c):
    """Springs of two parts together; couples are moved to the centroid c of both."""
    f, g = one.springs, other.springs
    couple = f.couple + cross(one.centroid - c, f.push)
    couple += g.couple + cross(other.centroid - c, g.push)
    known = f.potential >= 0.0 and g.potential >= 0.0
    return Springs(f.push + g.push, couple, f.potential + g.potential if known else -1.0)


@separate_kernel
def merge(A, B, scratch, count):
    """Merges the connected overlaps in the first `count` rows of scratch.parts and scratch.pairs; returns how many
    parts remain.

    A part has the key of its largest overlap, and scratch.pairs tells for every pair of cells to which part it belongs.
    Guesses of the normal come as vector areas and are left as unit vectors; where a cell is wholly inside the other and
    there is no such area, the guess is the line between the centres of the bodies, or the normal of a half-space.
    """
    parts, pairs = scratch.parts, scratch.pairs
    # union-find: every overlap is its own root
    for r in range(count):
        pairs[r].part = r
        parts[r].largest = parts[r].volume
    # union of two overlaps that meet across the face that two cells share
    for r in range(count):
        for s in range(r):
            u, w = first_of(pairs, s), first_of(pairs, r)
            if u == w:
                continue
            i, j, k, l = pairs[s].first, pairs[s].second, pairs[r].first, pairs[r].second
            o = parts[r].centroid
            if i != k:
                one = meet_across(A, i, k, B, j, l, o, scratch.points)
            else:
                one = meet_across(B, j, l, A, i, i, o, scratch.points)
            if one:
                pairs[max(u, w)].part = min(u, w)
    # volumes, moments, springs and vector areas add up in the root; the key of the largest overlap stays
    for r in range(count):
        u = first_of(pairs, r)
        if u == r:
            continue
        root, more = parts[u], parts[r]
        part = join_parts(root.part, more.part)
        root.springs = join_springs(root, more, part.centroid)
        root.part = part
        root.guess += more.guess
        if more.largest > root.largest:
            root.largest, root.key = more.largest, more.key
    for r in range(count):
        pairs[r].part = first_of(pairs, r)
    # compact the parts to the first rows; their vector areas become area and unit normal
    total = 0
    for r in range(count):
        pair, part = pairs[r], parts[total]
        if pair.part != r:
            pair.part = pairs[pair.part].part
            continue
        copy_row(part, parts[r])
        area = part.guess
        size = math.sqrt(area @ area)
        part.area = size
        if size > SUBMERGED * part.volume ** (2.0 / 3.0):
            part.guess = 1.0 / size * area
        else:
            part.guess = way_out(A, pair.first, B, pair.second)
        pair.part = total
        total += 1
    if count < len(pairs):
        pairs[count].first = -1
    return total


@kernel
def part_with(pairs, key):
    """The part that the overlap of this key belongs to, or -1: how a part is recognised from step to step.

    A part that spreads over several cells has the key of its largest overlap, which changes as it moves; the overlap
    that was the largest still belongs to some part.
    """
    for r in range(len(pairs)):
        if pairs[r].first < 0:
            break
        if pairs[r].key == key:
            return pairs[r].part
    return -1
