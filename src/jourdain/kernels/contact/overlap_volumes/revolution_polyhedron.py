"""Solids of revolution with convex polyhedra: closed-form slices across the axis, Gauss-Legendre panels along it.

The solid is z0 <= z <= z1, x^2 + y^2 <= a + b z + c z^2: a sphere, a cylinder, a cone or a piece of one. Each slice is
a disc within a convex polygon, in closed form (planar_sections.py). The slice changes its form where a face touches the
disc, an edge passes through its rim or a corner begins, all roots of quadratic or linear equations; between these
*breaks* the integrand is smooth but for square roots at the ends, and each interval is one panel of 16 points in the
variable of `soft`. The rule is not adaptive: the result is as smooth in the pose as the overlap, but for its error.
That is 1e-9 of the solid at worst, for the volume and for second moments in units of its size (a corner that almost
touches the surface puts a square root just outside of a panel); the median over random poses is 1e-14.
"""

from __future__ import annotations

import math

from ...algebra import Vec3, cross
from ...compiler import kernel, outlined_kernel
from ...rows import copy_row
from .gauss_rules import GAUSS_16, quadratic_roots, slice_moments_of, soft, sort_breaks
from .overlap_values import Revolved
from .planar_sections import disc_in_lines
from .volume_moments import no_moments, part_of, place_part

# sine s of the angle between a face and the slices below which it counts as parallel to them: an error of s in its
# normal, where the lines that it cuts would lose 1e-16 / s
FLAT = 1e-9
BREAKS = 128  # capacity for breaks; more than 7 faces in one contact could need more, and then lose accuracy only


@outlined_kernel
def box_planes(R, p, half, planes):
    """The six half-spaces of a box, world axes, into `planes`; returns 6."""
    for k in range(6):
        axis = R.x_axis if k < 2 else R.y_axis if k < 4 else R.z_axis
        n = (1.0 if k & 1 else -1.0) * axis
        planes[k].normal, planes[k].offset = n, n @ p + half[k >> 1]
    return 6


@kernel
def _reach(solid, s, nz):
    """Upper bound of s sqrt(x^2 + y^2) + nz z on the solid: of its support function."""
    a, b, c, z0, z1 = solid.a, solid.b, solid.c, solid.low, solid.high
    r2 = max(a + z0 * (b + c * z0), a + z1 * (b + c * z1))
    bound = math.inf
    if c < 0.0:
        middle = -0.5 * b / c
        top = a + 0.5 * b * middle
        if z0 < middle < z1:
            r2 = top
        bound = nz * middle + math.sqrt(top * max(s * s - nz * nz / c, 0.0))
    return min(bound, s * math.sqrt(max(r2, 0.0)) + max(nz * z0, nz * z1))


@outlined_kernel
def lay_lines(R, p, solid, planes, count, lines, cull):
    """The half-spaces as lines in the slices, sorted by angle, in the axes of the solid, which has rotation R and
    origin p.

    cull    whether half-spaces that contain the whole solid are left out; one that excludes it ends the search

    Returns (how many, the range of z left by the faces across the axis, which face limits it below, and above, or -1);
    a count of -1 means that nothing is left.
    """
    z0, z1, k = solid.low, solid.high, 0
    below, above = -1, -1
    for i in range(count):
        world = planes[i].normal
        n, o = R.T @ world, planes[i].offset - world @ p
        s = math.sqrt(n.x * n.x + n.y * n.y)
        # by the support function: the plane contains the solid, or excludes it
        if cull and _reach(solid, s, n.z) <= o:
            continue
        if cull and -_reach(solid, s, -n.z) >= o:
            return -1, z0, z1, below, above
        # a face parallel to the slices limits z
        if s < FLAT:
            z = o / n.z
            if n.z > 0.0:
                if z < z1:
                    z1, above = z, i
            elif z > z0:
                z0, below = z, i
            continue
        # n_x x + n_y y <= o - n_z z as a line, inserted by its angle
        angle = math.atan2(n.y, n.x)
        j = k
        while j > 0 and lines[j - 1].angle > angle:
            copy_row(lines[j], lines[j - 1])
            j -= 1
        line = lines[j]
        line.ux, line.uy, line.d, line.slope, line.angle = n.x / s, n.y / s, o / s, -n.z / s, angle
        line.normal, line.offset = n, o
        k += 1
    if not z1 > z0:
        return -1, z0, z1, below, above
    return k, z0, z1, below, above


@kernel
def _keep(breaks, n, z, z0, z1):
    if z0 < z < z1 and n < breaks.size:
        breaks[n] = z
        n += 1
    return n


@outlined_kernel
def _on_side(lines, k, i, z):
    """Whether the point of a line nearest to the axis is on the polygon, to rounding."""
    d = lines[i].d + lines[i].slope * z
    x, y = d * lines[i].ux, d * lines[i].uy
    for j in range(k):
        e = lines[j].d + lines[j].slope * z
        if j != i and lines[j].ux * x + lines[j].uy * y - e > 1e-9 * math.fabs(d):
            return False
    return True


@outlined_kernel
def find_breaks(solid, lines, k, z0, z1, breaks, inside):
    """Heights at which a slice changes its form, sorted, z0 and z1 among them; returns how many.

    inside    whether the corners of the polyhedron inside the solid count, or those outside of it
    """
    a, b, c = solid.a, solid.b, solid.c
    breaks[0], breaks[1] = z0, z1
    n = 2
    # heights at which a side touches the circle of the slice
    for i in range(k):
        d, e = lines[i].d, lines[i].slope
        # (d + e z)^2 = a + b z + c z^2; for |e| > 1 from where the line crosses the axis, against cancellation
        at = -d / e if e * e > 1.0 else 0.0
        off = d + e * at if at == 0.0 else 0.0
        low, high = quadratic_roots(e * e - c, 2.0 * off * e - b - 2.0 * c * at, off * off - a - at * (b + c * at))
        for y in (low, high):
            z = at + y
            if z0 < z < z1 and _on_side(lines, k, i, z):
                n = _keep(breaks, n, z, z0, z1)
        # edges point + t w of planes i and j: clipped by the other planes to low < t < high
        p = lines[i].normal
        for j in range(i + 1, k):
            q = lines[j].normal
            w = cross(p, q)
            w2 = w @ w
            if w2 < 1e-20:
                continue
            point = 1.0 / w2 * cross(lines[i].offset * q - lines[j].offset * p, w)
            low, high = -math.inf, math.inf
            for m in range(k):
                if m == i or m == j:
                    continue
                r = lines[m].normal
                scratch, along = lines[m].offset - r @ point, r @ w
                if along > 0.0:
                    high = min(high, scratch / along)
                elif along < 0.0:
                    low = max(low, scratch / along)
                elif scratch < 0.0:
                    low, high = 1.0, -1.0
            if not low < high:
                continue
            # x^2 + y^2 - a - b z - c z^2 = f t^2 + 2 g t + h on the edge: its crossings, and its end points
            f = w.x * w.x + w.y * w.y - c * w.z * w.z
            g = w.x * point.x + w.y * point.y - 0.5 * b * w.z - c * w.z * point.z
            h = point.x * point.x + point.y * point.y - a - b * point.z - c * point.z * point.z
            first, last = quadratic_roots(f, 2.0 * g, h)
            if low < first < high:
                n = _keep(breaks, n, point.z + first * w.z, z0, z1)
            if low < last < high:
                n = _keep(breaks, n, point.z + last * w.z, z0, z1)
            if low > -math.inf and (h + low * (2.0 * g + f * low) > 0.0) != inside:
                n = _keep(breaks, n, point.z + low * w.z, z0, z1)
            if high < math.inf and (h + high * (2.0 * g + f * high) > 0.0) != inside:
                n = _keep(breaks, n, point.z + high * w.z, z0, z1)
    sort_breaks(breaks, n)
    return n


@kernel
def radius_at(solid, z):
    """Radius of a solid of revolution at a height."""
    return math.sqrt(max(solid.a + z * (solid.b + solid.c * z), 0.0))


@outlined_kernel
def revolved_polyhedron(R, p, solid, planes, count, lines, breaks):
    """(part, N) of a solid of revolution and a convex polyhedron, the second; world axes.

    R, p      rotation and origin of the solid, whose axis is z
    planes    of the polyhedron, world axes; `count` of them
    lines     scratch, `count` rows
    breaks    scratch, BREAKS numbers
    N         area of the polyhedron's surface in the solid, times its mean normal: a guess of the contact normal times
              the area of the patch; zero where the solid is all inside
    """
    k, z0, z1, below, above = lay_lines(R, p, solid, planes, count, lines, True)
    m, o, N = no_moments(), p.zero, p.zero
    if k < 0:
        return part_of(m, p), N
    # panels between breaks, in which the section has the same sides and its moments are smooth
    n = find_breaks(solid, lines, k, z0, z1, breaks, True)
    found = False
    tiny = 1e-15 * (solid.high - solid.low)
    for i in range(n - 1):
        middle, half = 0.5 * (breaks[i] + breaks[i + 1]), 0.5 * (breaks[i + 1] - breaks[i])
        if half <= tiny:
            continue
        s = disc_in_lines(radius_at(solid, middle), lines, k, middle, 0.0, 0.0)[0]
        if not s.area > 0.0:
            continue
        # moments about a point in the overlap, so that thin slices keep their digits; 16 Gauss-Legendre points
        if not found:
            found, o = True, Vec3(s.x / s.area, s.y / s.area, middle)
        for j in range(len(GAUSS_16)):
            u, w = GAUSS_16[j]
            v, slope = soft(u)
            z, w = middle + half * v, half * w * slope
            s, sides = disc_in_lines(radius_at(solid, z), lines, k, z, o.x, o.y)
            m += slice_moments_of(s, z - o.z, w)
            N += w * sides
    # faces across the axis add their area to N
    if below >= 0:
        N -= Vec3(0.0, 0.0, disc_in_lines(radius_at(solid, z0), lines, k, z0, 0.0, 0.0)[0].area)
    if above >= 0:
        N += Vec3(0.0, 0.0, disc_in_lines(radius_at(solid, z1), lines, k, z1, 0.0, 0.0)[0].area)
    return place_part(R, p, part_of(m, o)), R @ N


@kernel
def cylinder_polyhedron(R, p, radius, half, planes, count, lines, breaks):
    """(part, N) of a cylinder (axis z of R, middle p) and a convex polyhedron; see `revolved_polyhedron`."""
    return revolved_polyhedron(R, p, Revolved(radius * radius, 0.0, 0.0, -half, half), planes, count, lines, breaks)


@kernel
def cone_polyhedron(R, p, radius, length, planes, count, lines, breaks):
    """(part, N) of a cone (axis z of R, apex up, mid-height p) and a convex polyhedron."""
    k, top = radius / length, 0.5 * length
    solid = Revolved(k * k * top * top, -2.0 * k * k * top, k * k, -top, top)
    return revolved_polyhedron(R, p, solid, planes, count, lines, breaks)
