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

from ...algebra import Vec3, cross
from ...compiler import kernel, outlined_kernel
from ...fixed_size import CLASSES, FixedSize, number_property, operation
from .overlap_values import Springs
from .volume_moments import part_of

SURFACE, WITHIN = 1, 2  # kind of an end of a hole: a surface across its axis, or an interior face between two cells
GAUSS_2 = 0.5773502691896258
JOINED = 1e-9  # times the radius: largest step between two pieces of a continuous wall


class Ray(FixedSize):
    """A force and its torque in a half-plane through the axis: A along the direction, B along the axis, K about it."""

    __slots__ = ()
    size = 3
    A, B, K = number_property(0), number_property(1), number_property(2)


class Rays(FixedSize):
    """What a half-plane, or a ray in it, adds to the sums of a hole: the three forces, and U_w."""

    __slots__ = ()
    size = 10
    members = {"wall": (Ray, 0), "top": (Ray, 3), "surface": (Ray, 6)}
    energy = number_property(9)


class HoleForce(FixedSize):
    """A force on all rays, and its torque about the origin of the hole, across the axis."""

    __slots__ = ()
    size = 5
    members = {"force": (Vec3, 0)}
    turn_x, turn_y = number_property(3), number_property(4)


class HoleSums(FixedSize):
    """Force of the depth under the wall, of that under the upper face on the surface, of the surface alone; and U_w."""

    __slots__ = ()
    size = 16
    members = {"wall": (HoleForce, 0), "top": (HoleForce, 5), "surface": (HoleForce, 10)}
    energy = number_property(15)


CLASSES |= {one.__name__: one for one in (Ray, Rays, HoleForce, HoleSums)}


@operation
def no_sums():
    """Zero sums."""
    return HoleSums.of((0.0,) * 16)


@operation
def no_rays():
    """Zero rays."""
    return Rays.of((0.0,) * 10)


def _around(ray, v, a, b):
    """The force of a ray of weight v in the direction (a, b) / v."""
    return HoleForce(a * ray.A, b * ray.A, v * ray.B, b * ray.K, -a * ray.K)


@operation
def ray_sums(v, rays, c, s):
    """Sums of rays of weight v in the direction (c, s)."""
    a, b = v * c, v * s
    wall, top, surface = _around(rays.wall, v, a, b), _around(rays.top, v, a, b), _around(rays.surface, v, a, b)
    return HoleSums(wall, top, surface, v * rays.energy)


@kernel
def volume_rays(slope, rho, middle, s0, s1, s3):
    """Rays of the volume beyond a stretch of wall of that slope, radius rho at its middle, from integrals in a
    half-plane.

    s0, s1, s3    integrals of rho, of rho times the distance beyond the middle of the wall, and of rho times the height
                  over the middle
    """
    k = 1.0 / math.sqrt(1.0 + slope * slope)
    K = k * (slope * (s1 + rho * s0) + middle * s0 + s3)
    none = no_rays()
    return Rays(Ray(-k * s0, slope * k * s0, K), none.top, none.surface, k * (s1 - slope * s3))


@kernel
def volume_ray(v, slope, w, z, near, t):
    """A ray of weight v through the overlap at a height z, from `near` beyond the wall on, of length t.

    w, slope    radius of the wall there, and its derivative by the height
    """
    k = v / math.sqrt(1.0 + slope * slope)
    # integrals over the ray of e and e^2, e the distance beyond the wall, then of rho and rho^2
    e1 = t * (near + 0.5 * t)
    e2 = t * (near * near + near * t + t * t / 3.0)
    i0 = w * t + e1
    i1 = w * w * t + 2.0 * w * e1 + e2
    none = no_rays()
    return Rays(Ray(-k * i0, slope * k * i0, slope * k * i1 + z * k * i0), none.top, none.surface, k * (w * e1 + e2))


@operation
def wall_ray(v, slope, w, z, top):
    """A stretch of wall of height v inside the peg; top is the height of the upper face."""
    surface = Ray(-v * w, v * slope * w, v * (slope * w + z) * w)
    return Rays(no_rays().wall, (top - z) * surface, surface, 0.0)


@kernel
def end_ray(way, slope, w, near, t, depth, face):
    """The end of a piece of wall inside the peg, upper (way 1) or lower (-1): its depth presses on the end.

    depth    of the end under the upper face
    face     whether it is an end of the hole, not only of a piece
    """
    k = way / math.sqrt(1.0 + slope * slope)
    e1 = t * (near + 0.5 * t)
    e2 = t * (near * near + near * t + t * t / 3.0)
    e3 = 0.25 * t * (2.0 * near + t) * (near * near + (near + t) * (near + t))
    wall = Ray(0.0, k * (w * e1 + e2), k * (w * w * e1 + 2.0 * w * e2 + e3))
    surface = Ray(0.0, 0.0, 0.0)
    if face:
        surface = Ray(0.0, way * (w * t + e1), way * (w * w * t + 2.0 * w * e1 + e2))
    return Rays(wall, depth * surface, surface, 0.0)


@kernel
def wall_stretch(slope, w, low, high, middle, top):
    """`wall_ray` over heights low to high about the middle, radius w there: exact with 2 Gauss-Legendre points."""
    mean, half = 0.5 * (low + high), 0.5 * (high - low)
    y, x = mean - GAUSS_2 * half, mean + GAUSS_2 * half
    below = wall_ray(half, slope, w + slope * y, middle + y, top)
    return below + wall_ray(half, slope, w + slope * x, middle + x, top)


@outlined_kernel
def joined(holes):
    """Whether the wall of a hole is continuous from piece to piece."""
    whole = True
    for i in range(len(holes) - 1):
        one, two = holes[i], holes[i + 1]
        gap = one.a + one.b * one.high - two.a - two.b * two.low
        whole = whole and (one.high == one.low or two.high == two.low or abs(gap) <= JOINED * one.a)
    return whole


@kernel
def face_energies(m, o, low, high, ends):
    """U_t and U_b of moments m about o; infinite for an end that is no surface."""
    above, below = math.inf, math.inf
    if ends[1] == SURFACE:
        above = (high - o.z) * m.volume - m.first.z
    if ends[0] == SURFACE:
        below = (o.z - low) * m.volume + m.first.z
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
    part = part_of(m, o)
    V, c, H = part.volume, part.centroid, high - low
    # upper face: its depth over volume and surface; lower face: H minus that depth, so the surface alone times H
    x, y = m.first.x + o.x * V, m.first.y + o.y * V
    t = HoleForce(f.top.force.x, f.top.force.y, V + f.top.force.z, y + f.top.turn_x, f.top.turn_y - x)
    # weighted forces and torques; the couple is about the centroid c
    F = wall * f.wall + (above - below) * t + below * H * f.surface
    couple = Vec3(F.turn_x, F.turn_y, 0.0) - cross(c, F.force)
    return Springs(R @ F.force, R @ couple, share * f.energy)
