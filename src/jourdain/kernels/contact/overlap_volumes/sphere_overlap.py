"""Spheres with convex polyhedra, and with cylinders, cones, capsules and round holes."""

from __future__ import annotations

import math

from ...algebra import Mat3, Vec3, turned_z
from ...compiler import kernel, outlined_kernel
from .gauss_rules import GAUSS_16, quadratic_roots, slice_moments_of, soft
from .overlap_values import Revolved
from .planar_sections import common_depths, disc_outside_disc, discs_common, half_angle
from .revolution_polyhedron import revolved_polyhedron
from .spherical_caps import cap, nothing
from .volume_moments import join_parts, no_moments, part_of, place_part


@kernel
def frame_about(n):
    """A rotation matrix whose z axis is the unit vector n (Duff et al. 2017, J. Computer Graphics Techniques 6(1))."""
    s = math.copysign(1.0, n.z)
    a = -1.0 / (s + n.z)
    b = n.x * n.y * a
    return Mat3(1.0 + s * n.x * n.x * a, b, n.x, s * b, s + n.y * n.y * a, n.y, -s * n.x, -n.y, n.z)


@outlined_kernel
def sphere_polyhedron(centre, radius, planes, count, lines, breaks):
    """(part, N) of a sphere and a convex polyhedron, world axes; arguments as of `revolved_polyhedron`.

    Where one face alone cuts the sphere this is a cap, in closed form; else slices parallel to the least deep face.
    """
    active, first, top = 0, 0, -math.inf
    # height of the centre over each face; which faces cut the sphere
    for i in range(count):
        height = planes[i].normal @ centre - planes[i].offset
        if height >= radius:
            return nothing(centre), centre.zero
        if height > -radius:
            active += 1
        if height > top:
            top, first = height, i
    n = planes[first].normal
    if active <= 1:
        depth = min(radius - top, 2.0 * radius)
        return cap(centre, radius, n, depth), math.pi * depth * (2.0 * radius - depth) * n
    solid = Revolved(radius * radius, 0.0, -1.0, -radius, radius)
    return revolved_polyhedron(frame_about(n), centre, solid, planes, count, lines, breaks)


@kernel
def _round(second, z):
    """Radius r of the second solid at a height z, and -r dr/dz."""
    a, b, ball = second[0], second[1], second[2]
    if ball:
        return math.sqrt(max((a - z + b) * (a + z - b), 0.0)), z - b
    r = max(a + b * z, 0.0)
    return r, -b * r


@kernel
def _wall(r, R, e):
    """Chord and angle of the arc of the circle R about (0, 0) inside the disc r about (e, 0)."""
    if e >= r + R or e + r <= R:
        return 0.0, 0.0
    if e + R <= r:
        return 0.0, 2.0 * math.pi
    half = half_angle(common_depths(r, R, e)[1], R)
    return 2.0 * R * math.sin(half), 2.0 * half


@outlined_kernel
def sphere_round(R, p, second, z0, z1, ends, hole, centre, radius):
    """(part, N) of a sphere and a solid of revolution, or the solid around such a hole, world axes.

    R, p      rotation and origin of the second, whose axis is z
    second    (a, b, False): radius a + b z, none where that is negative; (R, h, True): a sphere of radius R at height h
    z0, z1    its ends
    ends      (bool, bool): whether these ends are faces of it, rather than cuts to another piece of the same solid
    hole      whether the solid is around the hole, between the ends, rather than in it
    N         area of the second's surface in the sphere times its mean normal

    Slices across the axis are two discs: their intersection, or a lune, in closed form. 16 Gauss-Legendre points a
    panel, in the variable of `soft`, between exact breaks: error below 3e-8 of the sphere, the median 1e-12.
    """
    # centre of the sphere in the axes of the second, R^T (centre - p), turned about z so that it is at (e, 0, zc)
    q = R.T @ (centre - p)
    e = math.sqrt(q.x * q.x + q.y * q.y)
    ex, ey = 1.0, 0.0
    if e > 0.0:
        ex, ey = q.x / e, q.y / e
    m, N = no_moments(), q.zero
    low, high = max(z0, q.z - radius), min(z1, q.z + radius)
    if not high > low:
        return part_of(m, centre), N
    a, b, ball = second
    r2, zc = radius * radius, q.z
    b1 = b2 = b3 = b4 = b5 = b6 = high
    if ball:
        # breaks, where the two circles touch: (r1^2 - r2^2 - e^2)^2 = 4 e^2 r2^2, and r1^2 - r2^2 is linear in z
        f, g = r2 - a * a - zc * zc + b * b - e * e, 2.0 * (zc - b)
        k = 4.0 * e * e
        b1, b2 = quadratic_roots(g * g + k, 2.0 * f * g - 2.0 * k * b, f * f - k * (a * a - b * b))
    else:
        # breaks for radius a + b z: tangent circles |a + b z +- e| = r1(z), and the tip of a cone
        b1, b2 = quadratic_roots(1.0 + b * b, 2.0 * ((e + a) * b - zc), (e + a) ** 2 + zc * zc - r2)
        b3, b4 = quadratic_roots(1.0 + b * b, 2.0 * ((a - e) * b - zc), (a - e) ** 2 + zc * zc - r2)
        if b != 0.0:
            b5 = -a / b
        # a break where the wall is deepest in the sphere, if its circle is nearly or just inside the sphere there
        widest = zc - radius * b / math.sqrt(1.0 + b * b)
        if e + _round(second, widest)[0] < 1.5 * radius:
            b6 = widest
    # panels between the breaks; moments about the centroid of the first slice that is not empty
    start = low
    o, found = q.zero, False
    for _ in range(7):
        stop = high
        for z in (b1, b2, b3, b4, b5, b6):
            if start < z < stop:
                stop = z
        if not stop > start:
            break
        middle, half = 0.5 * (start + stop), 0.5 * (stop - start)
        start = stop
        s = _two_discs(second, hole, middle, zc, radius, e, 0.0)
        if not s.area > 0.0:
            continue
        if not found:
            found, o = True, Vec3(s.x / s.area, 0.0, middle)
        for j in range(len(GAUSS_16)):
            u, w = GAUSS_16[j]
            v, slope = soft(u)
            z, w = middle + half * v, half * w * slope
            m += slice_moments_of(_two_discs(second, hole, z, zc, radius, e, o.x), z - o.z, w)
            # vector area of the wall in this slice: the chord along x, -r dr/dz times the angle of the arc along z
            r = math.sqrt(max((radius - z + zc) * (radius + z - zc), 0.0))
            wide, rise = _round(second, z)
            chord, angle = _wall(r, wide, e)
            if hole:
                w = -w
            N += Vec3(w * chord, 0.0, w * rise * angle)
    # plane faces at the ends: the area of the slice, along z
    if ends[1] and high == z1:
        N += Vec3(0.0, 0.0, _two_discs(second, hole, z1, zc, radius, e, 0.0).area)
    if ends[0] and low == z0:
        N -= Vec3(0.0, 0.0, _two_discs(second, hole, z0, zc, radius, e, 0.0).area)
    T = turned_z(R, ey, ex)
    return place_part(T, p, part_of(m, o)), T @ N


@outlined_kernel
def _two_discs(second, hole, z, zc, radius, e, ox):
    r = math.sqrt(max((radius - z + zc) * (radius + z - zc), 0.0))
    wide = _round(second, z)[0]
    if hole:
        return disc_outside_disc(r, wide, e, ox)
    return discs_common(r, wide, e, ox)


@kernel
def sphere_cylinder(R, p, wide, half, hole, centre, radius):
    """(part, N) of a sphere and a cylinder of radius `wide`, or the slab around such a hole (`sphere_round`)."""
    return sphere_round(R, p, (wide, 0.0, False), -half, half, (True, True), hole, centre, radius)


@kernel
def sphere_cone(R, p, wide, length, hole, centre, radius):
    """(part, N) of a sphere and a cone of base radius `wide`, apex up, mid-height p, or around such a hole."""
    k, top = wide / length, 0.5 * length
    end = math.inf if hole else top
    return sphere_round(R, p, (k * top, -k, False), -top, end, (True, False), hole, centre, radius)


@outlined_kernel
def sphere_capsule(R, p, wide, half, centre, radius):
    """(part, N) of a sphere and a capsule of radius `wide`, cylindrical part 2 `half` (`sphere_round`)."""
    ends = (False, False)
    part, N = sphere_round(R, p, (wide, 0.0, False), -half, half, ends, False, centre, radius)
    for side in (-1.0, 1.0):
        low = half if side > 0.0 else -half - wide
        end, M = sphere_round(R, p, (wide, side * half, True), low, low + wide, ends, False, centre, radius)
        part, N = join_parts(part, end), N + M
    return part, N
