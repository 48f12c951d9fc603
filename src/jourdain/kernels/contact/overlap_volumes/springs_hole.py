"""Springs of a peg in a round hole, the foundation being in the wall of the hole and in the faces at its ends.

The wall consists of a few cylindrical or conical pieces, each with a depth d_i under it that is a linear function of
the distance from the axis and the height. Summed over the pieces between their heights,

    U_w = sum int d_i dV,

and with the depths under the upper and the lower face U_t = int (z_t - z) dV and U_b = int (z - z_b) dV. Each is a
function of the pose alone; where d does not vanish at the end of its region, as at the rim, it acts as a pressure on
that end, so that the gradient is exact. Near one wall or face its own energy is by far the smallest, by the depth over
the size of the hole, so the three are connected in series:

    1 / U = 1 / U_w + 1 / U_t + 1 / U_b,    F = sum (U / U_i)^2 F_i.

So a peg in the bore is pressed by the wall, one beside the hole by the face, and the force is continuous in between.

In a half-plane through the axis, in the direction (c, s), a force (A along it, B along the axis) that acts at the
distance rho and the height z has the torque K (s, -c) about the origin, K = B rho - A z. *Sums* are three rows of (A c,
A s, B, K s, -K c) over all rays: of the wall's depth, of the face's on the surface, and of that surface alone, its area
times normal; and U_w. The axes are those of the hole.
"""

from __future__ import annotations

import math

from ...compiler import kernel, outlined_kernel
from ...spatial import cross, rotate, sub
from .volume_moments import part_of

SURFACE, WITHIN = 1, 2  # kind of an end of a hole: a surface across its axis, or an interior face between two cells
GAUSS_2 = 0.5773502691896258
JOINED = 1e-9  # times the radius: largest step between two pieces of a continuous wall


@kernel
def no_sums():
    """Zero sums."""
    return (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@kernel
def add_sums(f, g):
    """Sums of two sets of rays together."""
    return (
        f[0] + g[0], f[1] + g[1], f[2] + g[2], f[3] + g[3], f[4] + g[4], f[5] + g[5], f[6] + g[6], f[7] + g[7],
        f[8] + g[8], f[9] + g[9], f[10] + g[10], f[11] + g[11], f[12] + g[12], f[13] + g[13], f[14] + g[14],
        f[15] + g[15],
    )  # fmt: skip


@kernel
def no_rays():
    """Zero rays: A, B, K of the three rows, and U_w."""
    return (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@kernel
def add_rays(f, v, r, c, s):
    """Adds to sums f rays r of weight v in the direction (c, s)."""
    a, b = v * c, v * s
    return (
        f[0] + a * r[0], f[1] + b * r[0], f[2] + v * r[1], f[3] + b * r[2], f[4] - a * r[2],
        f[5] + a * r[3], f[6] + b * r[3], f[7] + v * r[4], f[8] + b * r[5], f[9] - a * r[5],
        f[10] + a * r[6], f[11] + b * r[6], f[12] + v * r[7], f[13] + b * r[8], f[14] - a * r[8],
        f[15] + v * r[9],
    )  # fmt: skip


@kernel
def volume_rays(slope, rho, middle, s0, s1, s3):
    """Rays of the volume beyond a stretch of wall of that slope, radius rho at its middle, from integrals in a
    half-plane.

    s0, s1, s3    integrals of rho, of rho times the distance beyond the middle of the wall, and of rho times the height
                  over the middle
    """
    k = 1.0 / math.sqrt(1.0 + slope * slope)
    K = k * (slope * (s1 + rho * s0) + middle * s0 + s3)
    return (-k * s0, slope * k * s0, K, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, k * (s1 - slope * s3))


@kernel
def volume_ray(r, v, slope, w, z, near, t):
    """Adds to rays r one of weight v through the overlap at a height z, from `near` beyond the wall on, of length t.

    w, slope    radius of the wall there, and its derivative by the height
    """
    k = v / math.sqrt(1.0 + slope * slope)
    # integrals over the ray of e and e^2, e the distance beyond the wall, then of rho and rho^2
    e1 = t * (near + 0.5 * t)
    e2 = t * (near * near + near * t + t * t / 3.0)
    i0 = w * t + e1
    i1 = w * w * t + 2.0 * w * e1 + e2
    A, B, K = -k * i0, slope * k * i0, slope * k * i1 + z * k * i0
    return (r[0] + A, r[1] + B, r[2] + K, r[3], r[4], r[5], r[6], r[7], r[8], r[9] + k * (w * e1 + e2))


@kernel
def wall_ray(r, v, slope, w, z, top):
    """Adds to rays r a stretch of wall of height v inside the peg; top is the height of the upper face."""
    A, B, K = -v * w, v * slope * w, v * (slope * w + z) * w
    d = top - z
    return (r[0], r[1], r[2], r[3] + d * A, r[4] + d * B, r[5] + d * K, r[6] + A, r[7] + B, r[8] + K, r[9])


@kernel
def end_ray(r, way, slope, w, near, t, depth, face):
    """Adds to rays r the end of a piece of wall inside the peg, upper (way 1) or lower (-1): its depth presses on the
    end.

    depth    of the end under the upper face
    face     whether it is an end of the hole, not only of a piece
    """
    k = way / math.sqrt(1.0 + slope * slope)
    e1 = t * (near + 0.5 * t)
    e2 = t * (near * near + near * t + t * t / 3.0)
    e3 = 0.25 * t * (2.0 * near + t) * (near * near + (near + t) * (near + t))
    B, K = k * (w * e1 + e2), k * (w * w * e1 + 2.0 * w * e2 + e3)
    area, arm = 0.0, 0.0
    if face:
        area, arm = way * (w * t + e1), way * (w * w * t + 2.0 * w * e1 + e2)
    return (
        r[0], r[1] + B, r[2] + K, r[3], r[4] + depth * area, r[5] + depth * arm, r[6], r[7] + area, r[8] + arm, r[9]
    )  # fmt: skip


@kernel
def wall_stretch(r, slope, w, low, high, middle, top):
    """`wall_ray` over heights low to high about the middle, radius w there: exact with 2 Gauss-Legendre points."""
    mean, half = 0.5 * (low + high), 0.5 * (high - low)
    for i in range(2):
        y = mean + (GAUSS_2 if i > 0 else -GAUSS_2) * half
        r = wall_ray(r, half, slope, w + slope * y, middle + y, top)
    return r


@outlined_kernel
def joined(holes):
    """Whether the wall of a hole is continuous from piece to piece."""
    whole = True
    for i in range(len(holes) - 1):
        one, two = holes[i], holes[i + 1]
        gap = one[0] + one[1] * one[3] - two[0] - two[1] * two[2]
        whole = whole and (one[3] == one[2] or two[3] == two[2] or abs(gap) <= JOINED * one[0])
    return whole


@kernel
def face_energies(m, o, low, high, ends):
    """U_t and U_b of moments m about o; infinite for an end that is no surface."""
    above, below = math.inf, math.inf
    if ends[1] == SURFACE:
        above = (high - o[2]) * m[0] - m[3]
    if ends[0] == SURFACE:
        below = (o[2] - low) * m[0] + m[3]
    return above, below


@outlined_kernel
def hole_springs(f, m, o, R, energies, low, high):
    """Springs of a part with sums f and moments m about o, in a hole of rotation R between two heights.

    energies    U_w, U_t and U_b of all parts together
    """
    U_w, U_t, U_b = energies
    # weights (U / U_i)^2 of the three forces, and share = U / U_w
    above, below = U_w / U_t, U_w / U_b
    share = 1.0 / (1.0 + above + below)
    wall, above, below = share * share, above * above * share * share, below * below * share * share
    V, c, _J = part_of(m, o)
    H = high - low
    # upper face: its depth over volume and surface; lower face: H minus that depth, so the surface alone times H
    x, y = m[1] + o[0] * V, m[2] + o[1] * V
    t = (f[5], f[6], V + f[7], y + f[8], f[9] - x)
    up, down = above - below, below * H
    # weighted forces and torques, in world axes; the couple is about the centroid c
    push = (
        wall * f[0] + up * t[0] + down * f[10],
        wall * f[1] + up * t[1] + down * f[11],
        wall * f[2] + up * t[2] + down * f[12],
    )
    turn = (wall * f[3] + up * t[3] + down * f[13], wall * f[4] + up * t[4] + down * f[14], 0.0)
    return rotate(R, push), rotate(R, sub(turn, cross(c, push))), share * f[15]
