"""A cylindrical peg in a round hole, tilted or not, with a chamfer: two parts, towards either end of the hole.

Each part is the volume of the peg beyond the wall, integrated directly, not as a difference of two large volumes: by
half-planes through the axis of the hole (peg_hole_half_planes.py), and by slices across it where the peg reaches far
around (peg_hole_slices.py).
"""

from __future__ import annotations

import math

from ...compiler import kernel, outlined_kernel
from ...spatial import add, rotate, rotate_back, sub
from .gauss_rules import no_moments
from .peg_hole_half_planes import fan_moments
from .peg_hole_slices import end_angles, face_area, slice_moments
from .springs import put_row_springs
from .springs_hole import add_sums, face_energies, hole_springs, joined, no_sums
from .volume_moments import add_moments, part_of, place_part, put_row


@outlined_kernel
def wall_moments(peg, wall, ends, angle, o, border):
    """Overlap of a peg and the solid around one piece of a hole, on one side of the axis: its moments about o, N, and
    the sums of its springs (springs_hole.py). In the axes of the hole.

    wall     (a, b, z0, z1): radius a + b z of the hole between two heights
    ends     (bool, bool): whether these heights are faces of the solid
    angle    direction of that side from the axis of the hole [rad]
    border   (whether springs are needed, height of the upper face of the solid, whether the lower and the upper height
             are ends of the piece, and whether they are ends of the hole)
    N        area of the wall in the peg times its mean normal
    """
    a, b, low, high = wall
    changes = (
        end_angles(peg, a + b * low, low, -1.0, angle),
        end_angles(peg, a + b * low, low, 1.0, angle),
        end_angles(peg, a + b * high, high, -1.0, angle),
        end_angles(peg, a + b * high, high, 1.0, angle),
    )
    done, m, N, sums = fan_moments(peg, wall, angle, o, changes, border)
    if not done:
        m, N, sums = slice_moments(peg, wall, angle, o, border)
    if ends[0]:
        N = face_area(N, peg, a + b * low, low, -1.0, angle)
    if ends[1]:
        N = face_area(N, peg, a + b * high, high, 1.0, angle)
    return m, N, sums


@outlined_kernel
def peg_hole(R, p, holes, ends, Q, q, radius, half, rows, borders, sprung):
    """Parts of a peg, the first, and the solid around a round hole, the second, world axes; returns how many, 2 at
    most.

    R, p      rotation and origin of the hole, whose axis is z
    holes     its pieces upwards, each (a, b, z0, z1): radius a + b z between two heights
    ends      (bool, bool): whether the lowest and the highest height are faces of the solid
    Q, q      rotation and middle of the peg, whose axis is z; radius and half length
    rows      the parts found, a row each: V, c (3), J (6), N (3), key, springs (7)
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
    u = rotate_back(R, (Q[2], Q[5], Q[8]))
    if u[2] < 0.0:
        u = (-u[0], -u[1], -u[2])
    x = rotate_back(R, sub(q, p))
    peg = (x, u, radius, half)
    up = half * u[2] + radius * math.sqrt(max(1.0 - u[2] * u[2], 0.0))
    bottom, top = holes[0][2], holes[len(holes) - 1][3]
    low, high = max(bottom, x[2] - up), min(top, x[2] + up)
    if not high > low or u[2] < 0.1:
        return 0
    # height `split` that divides the two parts, by the equation above
    tx, ty = u[0] / u[2], u[1] / u[2]
    middle, h = 0.5 * (low + high), 0.5 * (high - low)
    ex, ey = x[0] + (middle - x[2]) * tx, x[1] + (middle - x[2]) * ty
    narrow = math.inf
    for i in range(len(holes)):
        a, b, z0, z1 = holes[i]
        narrow = min(narrow, a + b * max(z0, low), a + b * min(z1, high))
    slope = max(narrow - radius, 1e-6 * radius) / h
    split = middle - (ex * tx + ey * ty) / (tx * tx + ty * ty + slope * slope)
    split = min(max(split, low), high)
    # moments, sums and vector area of each part, about the point of the wall that it lies on
    total = 0
    ends_at = (ends[0] and low == bottom, ends[1] and high == top)
    ms = (no_moments(radius), no_moments(radius))
    fs = (no_sums(), no_sums())
    sprung = sprung and borders[0] > 0 and borders[1] > 0 and joined(holes)
    Ns = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    way = (_way(x, tx, ty, low, ex, ey), _way(x, tx, ty, high, ex, ey))
    os = (
        (narrow * math.cos(way[0]), narrow * math.sin(way[0]), low),
        (narrow * math.cos(way[1]), narrow * math.sin(way[1]), high),
    )
    # a wide peg may touch the opposite wall too; that overlap belongs to the part on that side
    together = math.cos(way[0] - way[1]) > 0.0
    # over the pieces of the hole, each clipped at the division
    for side in range(2):
        for i in range(len(holes)):
            a, b, first, last = holes[i]
            z0, z1 = max(first, low), min(last, high)
            z0, z1 = (z0, min(z1, split)) if side == 0 else (max(z0, split), z1)
            if not z1 > z0:
                continue
            faces = (ends_at[0] and z0 == low, ends_at[1] and z1 == high)
            border = (sprung, top, z0 == first, z1 == last, z0 == bottom, z1 == top)
            # the wall on this side, and that across where the peg is wider than the hole
            for opposite in range(2):
                if opposite > 0 and radius <= u[2] * min(a + b * z0, a + b * z1):
                    continue
                to = side if opposite == 0 or together else 1 - side
                angle = way[side] + opposite * math.pi
                m, N, f = wall_moments(peg, (a, b, z0, z1), faces, angle, os[to], border)
                if to == 0:
                    ms, Ns = (add_moments(ms[0], m), ms[1]), (add(Ns[0], N), Ns[1])
                    fs = (add_sums(fs[0], f), fs[1])
                else:
                    ms, Ns = (ms[0], add_moments(ms[1], m)), (Ns[0], add(Ns[1], N))
                    fs = (fs[0], add_sums(fs[1], f))
    # energies U_w, U_t, U_b of both parts together, to be connected in series
    one, two = face_energies(ms[0], os[0], bottom, top, borders), face_energies(ms[1], os[1], bottom, top, borders)
    energies = (fs[0][15] + fs[1][15], one[0] + two[0], one[1] + two[1])
    # a row for each part that has volume
    for side in range(2):
        if ms[side][0] > 0.0:
            V, c, J = place_part(R, p, part_of(ms[side], os[side]))
            put_row(rows, total, V, c, J, rotate(R, Ns[side]), side)
            if sprung:
                put_row_springs(rows, total, hole_springs(fs[side], ms[side], os[side], R, energies, bottom, top))
            total += 1
    return total


@kernel
def _way(x, tx, ty, z, ex, ey):
    """Direction of the offset of the axis of the peg from that of the hole at a height; at zero that at the middle."""
    ax, ay = x[0] + (z - x[2]) * tx, x[1] + (z - x[2]) * ty
    if ax * ax + ay * ay > 0.0:
        return math.atan2(ay, ax)
    return math.atan2(ey, ex)
