"""A cylindrical peg in a round hole, tilted or not, with a chamfer: two parts, towards either end of the hole.

Each part is the volume of the peg beyond the wall, integrated directly, not as a difference of two large volumes: by
half-planes through the axis of the hole (peg_hole_half_planes.py), and by slices across it where the peg reaches far
around (peg_hole_slices.py).
"""

from __future__ import annotations

import math

from ...algebra import Vec3
from ...compiler import kernel, outlined_kernel
from .overlap_values import Wall
from .peg_hole_half_planes import fan_moments
from .peg_hole_slices import Border, Peg, end_angles, face_area, slice_moments
from .springs_hole import face_energies, hole_springs, joined, no_sums
from .volume_moments import no_moments, part_of, place_part, put_row


@outlined_kernel
def wall_moments(peg, wall, ends, angle, o, border):
    """Overlap of a peg and the solid around one piece of a hole, on one side of the axis: its moments about o, N, and
    the sums of its springs (springs_hole.py). In the axes of the hole.

    ends     (bool, bool): whether these heights are faces of the solid
    angle    direction of that side from the axis of the hole [rad]
    N        area of the wall in the peg times its mean normal
    """
    low, high = wall.low, wall.high
    w_low, w_high = wall.a + wall.b * low, wall.a + wall.b * high
    changes = (
        end_angles(peg, w_low, low, -1.0, angle),
        end_angles(peg, w_low, low, 1.0, angle),
        end_angles(peg, w_high, high, -1.0, angle),
        end_angles(peg, w_high, high, 1.0, angle),
    )
    done, m, N, sums = fan_moments(peg, wall, angle, o, changes, border)
    if not done:
        m, N, sums = slice_moments(peg, wall, angle, o, border)
    if ends[0]:
        N = face_area(N, peg, w_low, low, -1.0, angle)
    if ends[1]:
        N = face_area(N, peg, w_high, high, 1.0, angle)
    return m, N, sums


@outlined_kernel
def peg_hole(R, p, holes, ends, Q, q, radius, half, rows, borders, sprung):
    """Parts of a peg, the first, and the solid around a round hole, the second, world axes; returns how many, 2 at
    most.

    R, p      rotation and origin of the hole, whose axis is z
    holes     its pieces upwards, a `Wall` each
    ends      (bool, bool): whether the lowest and the highest height are faces of the solid
    Q, q      rotation and middle of the peg, whose axis is z; radius and half length
    rows      the parts found, a `SlicedPart` each
    borders   kinds of the ends for the springs (springs_hole.py): SURFACE, WITHIN or 0
    sprung    whether springs are needed

    Key 0 is the part towards the lower end of the hole, 1 towards the upper one. They are divided where the axis of the
    peg is nearest to that of the hole, so a tilted peg has one on either side; with less tilt the division moves
    towards the middle, so that neither jumps for a peg along the wall. With clearance c and inserted half length h it
    is at z = middle - e.t / (t^2 + (c/h)^2), e the offset of the axes at the middle and t the slope of the peg.

    The axis of the peg must pass through the hole. Error 1e-7 of the peg where it overlaps by no more than the
    clearance, 1e-5 where by several times that; tilts up to 0.2 rad.
    """
    # axis u and middle x of the peg in the axes of the hole, R^T u and R^T (q - p), u upwards; heights they share
    u = R.T @ Q.z_axis
    if u.z < 0.0:
        u = -u
    x = R.T @ (q - p)
    peg = Peg(x, u, radius, half)
    up = half * u.z + radius * math.sqrt(max(1.0 - u.z * u.z, 0.0))
    bottom, top = holes[0].low, holes[len(holes) - 1].high
    low, high = max(bottom, x.z - up), min(top, x.z + up)
    if not high > low or u.z < 0.1:
        return 0
    # height `split` that divides the two parts, by the equation above
    tx, ty = u.x / u.z, u.y / u.z
    middle, h = 0.5 * (low + high), 0.5 * (high - low)
    ex, ey = x.x + (middle - x.z) * tx, x.y + (middle - x.z) * ty
    narrow = math.inf
    for i in range(len(holes)):
        wall = holes[i]
        narrow = min(narrow, wall.a + wall.b * max(wall.low, low), wall.a + wall.b * min(wall.high, high))
    slope = max(narrow - radius, 1e-6 * radius) / h
    split = middle - (ex * tx + ey * ty) / (tx * tx + ty * ty + slope * slope)
    split = min(max(split, low), high)
    # moments, sums and vector area of each part, about the point of the wall that it lies on
    total = 0
    ends_at = (ends[0] and low == bottom, ends[1] and high == top)
    none = (no_moments(), u.zero, no_sums())
    found = (none, none)
    sprung = sprung and borders[0] > 0 and borders[1] > 0 and joined(holes)
    way = (_way(x, tx, ty, low, ex, ey), _way(x, tx, ty, high, ex, ey))
    os = (
        Vec3(narrow * math.cos(way[0]), narrow * math.sin(way[0]), low),
        Vec3(narrow * math.cos(way[1]), narrow * math.sin(way[1]), high),
    )
    # a wide peg may touch the opposite wall too; that overlap belongs to the part on that side
    together = math.cos(way[0] - way[1]) > 0.0
    # over the pieces of the hole, each clipped at the division
    for side in range(2):
        for i in range(len(holes)):
            wall = holes[i]
            z0, z1 = max(wall.low, low), min(wall.high, high)
            z0, z1 = (z0, min(z1, split)) if side == 0 else (max(z0, split), z1)
            if not z1 > z0:
                continue
            faces = (ends_at[0] and z0 == low, ends_at[1] and z1 == high)
            border = Border(sprung, top, z0 == wall.low, z1 == wall.high, z0 == bottom, z1 == top)
            wall = Wall(wall.a, wall.b, z0, z1)
            # the wall on this side, and that across where the peg is wider than the hole
            for opposite in range(2):
                if opposite > 0 and radius <= u.z * min(wall.a + wall.b * z0, wall.a + wall.b * z1):
                    continue
                to = side if opposite == 0 or together else 1 - side
                angle = way[side] + opposite * math.pi
                m, N, f = wall_moments(peg, wall, faces, angle, os[to], border)
                more = (found[to][0] + m, found[to][1] + N, found[to][2] + f)
                found = (more, found[1]) if to == 0 else (found[0], more)
    # energies U_w, U_t, U_b of both parts together, to be connected in series
    one, two = (
        face_energies(found[0][0], os[0], bottom, top, borders),
        face_energies(found[1][0], os[1], bottom, top, borders),
    )
    energies = (found[0][2].energy + found[1][2].energy, one[0] + two[0], one[1] + two[1])
    # a row for each part that has volume
    for side in range(2):
        m, N, f = found[side]
        if m.volume > 0.0:
            put_row(rows[total], place_part(R, p, part_of(m, os[side])), R @ N, side)
            if sprung:
                rows[total].springs = hole_springs(f, m, os[side], R, energies, bottom, top)
            total += 1
    return total


@kernel
def _way(x, tx, ty, z, ex, ey):
    """Direction of the offset of the axis of the peg from that of the hole at a height; at zero that at the middle."""
    ax, ay = x.x + (z - x.z) * tx, x.y + (z - x.z) * ty
    if ax * ax + ay * ay > 0.0:
        return math.atan2(ay, ax)
    return math.atan2(ey, ex)
