"""Cylinder with plane: the cylindrical wedge, whether the plane cuts its side or its ends."""

from __future__ import annotations

import math

from ...algebra import Vec3, turned_z
from ...compiler import kernel, outlined_kernel
from ...fixed_size import operation
from ...scalar import sinc
from .gauss_rules import GAUSS_16, prism_moments, slice_moments_of
from .overlap_values import Moments
from .planar_sections import disc_section, half_angle, segment_section
from .volume_moments import no_moments, part_of, place_part


@kernel
def plane_in(R, p, n, offset):
    """The half-space n . x <= offset in axes with rotation R and origin p: (s, c, o, ex, ey).

    There it is s x' + c z <= o, where x' is along the unit vector (ex, ey) across z and s >= 0.
    """
    m = R.T @ n
    s = math.hypot(m.x, m.y)  # a sum of squares would vanish where m.x is tiny
    o = offset - n @ p
    if s > 0.0:
        return s, m.z, o, m.x / s, m.y / s
    return s, m.z, o, 1.0, 0.0


@operation
def mirrored(m):
    """Moments of a solid mirrored at the plane z = 0."""
    (x, y, z), (xx, yy, zz, xy, xz, yz) = m.first, m.second
    return Moments(m.volume, x, y, -z, xx, yy, zz, xy, -xz, -yz)


@outlined_kernel
def cylinder_plane(R, p, radius, half, n, offset):
    """The part of a cylinder (axis z of R, middle p) and the half-space n . x <= offset, world axes; n is the contact
    normal.

    The sections across the axis are segments whose depth is linear along it. With the half angle t of the segment as
    the variable instead of the height, depth = r (1 - cos t), every moment is the integral of t and of sines and
    cosines up to 7 t: 16 Gauss-Legendre points integrate it to 1e-12 of the cylinder over the whole range (0, pi), to
    rounding over shorter ones, and unlike the antiderivatives this does not cancel for a thin wedge or a plane along
    the axis. Where the whole disc is below the plane the overlap is a prism.
    """
    # depth under the plane decreases along z; mirrored where it would increase (flip)
    s, c, o, ex, ey = plane_in(R, p, n, offset)
    flip = 1.0
    if c < 0.0:
        flip, c = -1.0, -c
    middle = s * radius + o
    low, high = middle + c * half, middle - c * half
    full = 2.0 * s * radius
    m = no_moments()
    if not low > 0.0:
        return part_of(m, p)
    # heights up to which the whole disc is below the plane, and up to which a part of it is
    bottom = -half
    first = -half
    if low > full:
        first = (o - s * radius) / c if high < full else half
    last = half if high >= 0.0 else middle / c
    # moments about a point in the overlap, so that thin ones keep their digits; the prism
    at_first, at_last = min(low, full), min(max(high, 0.0), full)
    depth = (0.5 * (at_first + at_last) / s if s > 0.0 else radius) if last - first > first - bottom else radius
    xo, zo = min(depth, radius) - radius, 0.5 * (bottom + last)
    if first > bottom:
        m += prism_moments(disc_section(radius, -xo, 0.0), bottom - zo, first - zo)
    # segments: Gauss-Legendre points in the half angle t; c dz = -s r sin t dt, with sinc so that c may be 0
    if last > first:
        t1, t2 = half_angle(at_first / s, radius), half_angle(at_last / s, radius)
        span, mean = t1 - t2, math.sin(0.5 * (t1 + t2))
        per_arc = (last - first) / sinc(0.25 * span * span)
        for k in range(16):
            u, w = GAUSS_16[k]
            x = 0.5 + 0.5 * u
            t = t2 + span * x
            if mean > 0.0:
                below = x * sinc(0.25 * span * span * x * x) * math.sin(0.5 * (t + t2)) / mean
                w = 0.5 * w * per_arc * math.sin(t) / mean
                z = last - below * per_arc
            else:
                w, z = 0.5 * w * (last - first), last - x * (last - first)
            m += slice_moments_of(segment_section(radius, -xo, 0.0, -1.0, 0.0, t), z - zo, w)
    if flip < 0.0:
        m, zo = mirrored(m), -zo
    return place_part(turned_z(R, ey, ex), p, part_of(m, Vec3(xo, 0.0, zo)))
