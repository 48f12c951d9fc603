"""Cylinder with plane: the cylindrical wedge, whether the plane cuts its side or its ends."""

from __future__ import annotations

import math

from ...compiler import kernel, outlined_kernel
from ...scalar import sinc
from ...spatial import dot, rotate_back
from .gauss_rules import GAUSS_16, add_prism, add_slice, no_moments
from .planar_sections import disc_section, half_angle, segment_section
from .volume_moments import part_of, place_part


@kernel
def plane_in(R, p, n, offset):
    """The half-space n . x <= offset in axes with rotation R and origin p: (s, c, o, ex, ey).

    There it is s x' + c z <= o, where x' is along the unit vector (ex, ey) across z and s >= 0.
    """
    m = rotate_back(R, n)
    s = math.sqrt(m[0] * m[0] + m[1] * m[1])
    o = offset - dot(n, p)
    if s > 0.0:
        return s, m[2], o, m[0] / s, m[1] / s
    return s, m[2], o, 1.0, 0.0


@kernel
def turned_about_z(R, ex, ey):
    """R after the rotation about z that takes x to (ex, ey, 0)."""
    return (
        R[0] * ex + R[1] * ey,
        R[1] * ex - R[0] * ey,
        R[2],
        R[3] * ex + R[4] * ey,
        R[4] * ex - R[3] * ey,
        R[5],
        R[6] * ex + R[7] * ey,
        R[7] * ex - R[6] * ey,
        R[8],
    )


@outlined_kernel
def cylinder_plane(R, p, radius, half, n, offset):
    """(V, c, J) of a cylinder (axis z of R, middle p) and the half-space n . x <= offset, world axes; n is the contact
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
    m = no_moments(radius)
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
        m = add_prism(m, disc_section(radius, -xo, 0.0), bottom - zo, first - zo)
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
            m = add_slice(m, segment_section(radius, -xo, 0.0, -1.0, 0.0, t), z - zo, w)
    if flip < 0.0:
        m = (m[0], m[1], m[2], -m[3], m[4], m[5], m[6], m[7], -m[8], -m[9])
        zo = -zo
    return place_part(turned_about_z(R, ex, ey), p, part_of(m, (xo, 0.0, zo)))
