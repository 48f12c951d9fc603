"""Cone with plane: quadrature over slices across its axis, which are segments of discs."""

from __future__ import annotations

from ...algebra import Vec3, turned_z
from ...compiler import outlined_kernel
from .cylinder_plane import plane_in
from .gauss_rules import GAUSS_16, slice_moments_of, soft
from .planar_sections import disc_section, half_angle, segment_section
from .volume_moments import no_moments, part_of, place_part


@outlined_kernel
def cone_plane(R, p, radius, length, n, offset):
    """The part of a cone (axis z of R, apex up, mid-height at p) and the half-space n . x <= offset, world axes.

    Sections across the axis are whole discs, segments or empty, and change at roots of linear equations; each interval
    is a panel of 16 Gauss-Legendre points in the variable of `soft`. Error below 1e-10 of the cone.
    """
    s, c, o, ex, ey = plane_in(R, p, n, offset)
    slope, top, base = radius / length, 0.5 * length, -0.5 * length
    m = no_moments()
    b1, b2 = base, top
    # half-space s x + c z <= o in the axes of the cone; it touches the circle where o - c z = +- s slope (top - z)
    for sign in (-1.0, 1.0):
        k = sign * s * slope
        if c - k != 0.0:
            z = (o - k * top) / (c - k)
            if base < z < top:
                if b1 == base:
                    b1 = z
                else:
                    b2 = z
    if b1 > b2:
        b1, b2 = b2, b1
    # panels between the breaks; moments about a point of the first section, so that thin overlaps keep their digits
    xo = zo = 0.0
    started = False
    for panel in range(3):
        low = base if panel == 0 else (b1 if panel == 1 else b2)
        high = b1 if panel == 0 else (b2 if panel == 1 else top)
        if not high > low:
            continue
        z = 0.5 * (low + high)
        r = slope * (top - z)
        reach = s * r + o - c * z
        if not reach > 0.0:
            continue
        if not started:
            started = True
            zo = z
            xo = 0.5 * min(reach / s, 2.0 * r) - r if s > 0.0 else 0.0
        whole = reach >= 2.0 * s * r
        # Gauss-Legendre points of this panel: whole discs, or segments of depth r + (o - c z) / s
        for k in range(16):
            u, w = GAUSS_16[k]
            v, slant = soft(u)
            z = 0.5 * (low + high) + 0.5 * (high - low) * v
            w *= 0.5 * (high - low) * slant
            r = slope * (top - z)
            if whole:
                m += slice_moments_of(disc_section(r, -xo, 0.0), z - zo, w)
            else:
                t = half_angle(r + (o - c * z) / s, r)
                m += slice_moments_of(segment_section(r, -xo, 0.0, -1.0, 0.0, t), z - zo, w)
    return place_part(turned_z(R, ey, ex), p, part_of(m, Vec3(xo, 0.0, zo)))
