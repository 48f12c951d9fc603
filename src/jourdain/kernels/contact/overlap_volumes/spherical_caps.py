"""Spheres with planes and with spheres: spherical caps, in closed form."""

from __future__ import annotations

import math

from ...algebra import Sym3, Vec3
from ...compiler import kernel
from ...fixed_size import operation
from .gauss_rules import GAUSS_6
from .overlap_values import Part
from .volume_moments import join_parts

PI = math.pi


@operation
def axial_inertia(across, along, n):
    """Inertia tensor with `along` about the unit axis n and `across` about every axis perpendicular to it."""
    d = along - across
    x, y, z = n
    return Sym3(across + d * x * x, across + d * y * y, across + d * z * z, d * x * y, d * x * z, d * y * z)


@operation
def nothing(at):
    """The empty part, at a place."""
    return Part(at.zero.x, at, *(at.zero.x,) * 6)


@operation
def cap(centre, radius, n, depth):
    """The cap of a sphere beyond a plane: its pole is at centre - radius n, its depth 0 to 2 radius.

    In powers of the depth d, which keeps every digit of a thin cap: with u the distance from the pole, the section is
    pi u (2 R - u), so V = pi d^2 (R - d/3), int u = pi d^3 (2R/3 - d/4), J_nn = pi/2 d^3 (4R^2/3 - R d + d^2/5), int
    u^2 = pi d^4 (R/2 - d/5) and J_tt = J_nn / 2 + int u^2 - V u_c^2. The last difference is written out, so that it
    does not cancel either: pi d^4 (R^2/18 - R d/30 + d^2/240) / (R - d/3).
    """
    R, d = radius, depth
    V = PI * d * d * (R - d / 3.0)
    u = d * (2.0 / 3.0 * R - 0.25 * d) / (R - d / 3.0)
    along = 0.5 * PI * d**3 * (4.0 / 3.0 * R * R - R * d + 0.2 * d * d)
    spread = PI * d**4 * (R * R / 18.0 - R * d / 30.0 + d * d / 240.0) / (R - d / 3.0)
    return Part(V, centre - (radius - u) * n, axial_inertia(0.5 * along + spread, along, n))


@kernel
def sphere_plane(centre, radius, n, offset):
    """The part of a sphere and the half-space n . x <= offset, world axes; n is the contact normal.

    The whole sphere where it is submerged. Continuous with its first derivatives through first touch and submersion;
    the derivative of V by depth is the area of the section, pi d (2 R - d).
    """
    depth = radius + offset - n @ centre
    if not depth.real > 0.0:
        return nothing(centre - radius * n)
    if depth.real > 2.0 * radius:
        depth = 2.0 * radius + 0.0 * depth
    return cap(centre, radius, n, depth)


@kernel
def sphere_sphere(a, ra, b, rb):
    """(part, n) of two spheres: two caps on the plane of the common circle; n is from the second towards the first.

    The smaller sphere where it is inside the other. n is along z where the centres coincide.
    """
    w = a - b
    e = (w @ w) ** 0.5
    n = Vec3(0.0 * e, 0.0 * e, 1.0 + 0.0 * e)
    if e.real > 0.0:
        n = 1.0 / e * w
    if e.real >= ra + rb:
        return nothing(b + rb * n), n
    if e.real + ra <= rb:
        return cap(a, ra, n, 2.0 * ra + 0.0 * e), n
    if e.real + rb <= ra:
        return cap(b, rb, n, 2.0 * rb + 0.0 * e), n
    overlap = ra + rb - e
    da = overlap * (rb - ra + e) / (2.0 * e)
    db = overlap * (ra - rb + e) / (2.0 * e)
    return join_parts(cap(a, ra, n, da), cap(b, rb, -n, db)), n


@kernel
def lens_potential(ra, rb, e):
    """Integral of the common volume of two spheres over the distance of their centres from e to infinity [m^4].

    V = pi w^2 (s^2 + 2 s (ra + rb) - 3 (ra - rb)^2) / 12 s at the distance s with w = ra + rb - s, by 6 Gauss-Legendre
    points: to rounding for lenses thin beside the spheres. Where one is inside the other V is constant.
    """
    apart, least = ra + rb, abs(ra - rb)
    low = max(e, least)
    middle, half = 0.5 * (apart + low), 0.5 * (apart - low)
    total = 0.0
    for k in range(6):
        u, weight = GAUSS_6[k]
        s = middle + half * u
        w = apart - s
        total += weight * w * w * (s * s + 2.0 * s * apart - 3.0 * least * least) / s
    r = min(ra, rb)
    return PI / 12.0 * half * total + 4.0 / 3.0 * PI * r**3 * max(least - e, 0.0)
