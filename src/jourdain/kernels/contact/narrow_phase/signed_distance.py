"""Signed distance functions (SDF): distance of a point from a solid and the outward normal, for spheres against any
shape.

The distance is negative inside. It is exact everywhere, so its gradient is the normal, and outside a convex solid the
normal is continuous over edges and corners (Gonthier 2007, appendix A.2). Where several points of the surface are
nearest, the normal is one of theirs: towards x off an axis or a centre, the first of equal faces, the positive side.
Points and normals are in the axes of the shape.
"""

from __future__ import annotations

import math

from ...algebra import Vec3, cross
from ...compiler import kernel
from ...flat_arrays import vector_at
from ...kind_dispatch import chain
from ...kind_registry import BOX, CONE, CYLINDER, EDGE, PLANE, SPHERE
from ...shapes.plugin_shapes import MODULES
from .unit_vectors import NOTHING, across, from_centre, from_corner

SHARP = 1e-6  # sine of the angle between the planes of an edge below which it is one plane


@kernel
def plane_distance(numbers, i, p):
    """Half-space below a plane."""
    n = vector_at(numbers, i)
    return n @ p - numbers[i + 3], n


@kernel
def edge_distance(n1, n2, p):
    """Wedge below two planes that meet in a line through the origin, Gonthier 2007, eqs. A.5 to A.10.

    Two corrections to the thesis: over the edge the normal is divided by the length of its own part across the edge;
    and a face is nearest only to points above it, or a wedge of less than a right angle would push a point over its
    second face out through its first.
    """
    e = cross(n1, n2)
    sine = math.sqrt(e @ e)
    middle = from_centre(n1 + n2, n1)[1]
    if sine <= SHARP:
        return middle @ p, middle
    e = 1.0 / sine * e
    # heights over the planes: inside, the nearest face
    h1, h2 = n1 @ p, n2 @ p
    if h1 <= 0.0 and h2 <= 0.0:
        if h1 >= h2:
            return h1, n1
        return h2, n2
    # over a face: n1 x e and e x n2 point from the edge into the faces
    if h1 >= 0.0 and cross(n1, e) @ p >= 0.0:
        return h1, n1
    if h2 >= 0.0 and cross(e, n2) @ p >= 0.0:
        return h2, n2
    # over the edge: the distance across e
    along = e @ p
    return from_centre(p - along * e, middle)


@kernel
def cylinder_distance(radius, half, hole, p):
    """Cylinder along z, or what remains of the slab |z| <= half around a hole of that radius.

    In the half-plane (rho, z) both are a corner, so one code serves: the solid of a hole is on the other side of it.
    """
    side = -1.0 if hole > 0.0 else 1.0
    rho, x, y = across(p)
    up = -1.0 if p[2] < 0.0 else 1.0
    r = side * (rho - radius)
    z = up * p[2] - half
    if r > 0.0 and z > 0.0:
        d, a, b = from_corner(r, z, 1.0, 0.0)
        a, b = side * a, up * b
    elif r >= z:
        d, a, b = r, side, 0.0 * r
    else:
        d, a, b = z, 0.0 * z, up
    return d, Vec3(a * x, a * y, b)


@kernel
def cone_distance(radius, length, hole, p):
    """Cone along z, mid-height at the origin, apex up; or what surrounds such a hole, above its base.

    In the half-plane (rho, z): `off` is the height over the flank, `along` the coordinate from the rim towards the
    apex. Over flank and tip: Gonthier 2007, eqs. A.17 to A.24, the apex angle being 2 atan(radius / length).
    """
    # sine s and cosine c of half the apex angle; (c, s) is the normal of the flank, (-s, c) runs up along it
    slant = math.sqrt(radius * radius + length * length)
    s, c = radius / slant, length / slant
    rho, x, y = across(p)
    r, z = rho - radius, p[2] + 0.5 * length
    off, along = c * r + s * z, c * z - s * r
    top = z - length
    # conical hole: the solid is above flank and base plane; inside the solid the nearest of tip, flank and base
    if hole > 0.0:
        if off >= 0.0 and z >= 0.0:
            if along > slant:
                d, a, b = from_corner(rho, top, c, s)
                d, a, b = -d, -a, -b
                if d >= -z:
                    return d, Vec3(a * x, a * y, b)
            elif -off >= -z:
                return -off, Vec3(-c * x, -c * y, -s)
            return -z, Vec3(0.0 * x, 0.0 * y, 0.0 * z - 1.0)
        # in the hole: the flank, the base plane beside it, or the rim between them
        if along >= 0.0:
            return -off, Vec3(-c * x, -c * y, -s)
        if r >= 0.0:
            return -z, Vec3(0.0 * x, 0.0 * y, 0.0 * z - 1.0)
        d, a, b = from_corner(r, z, -c, -s)
        return d, Vec3(a * x, a * y, b)
    # cone, inside: the nearer of flank and base
    if off <= 0.0 and z >= 0.0:
        if off >= -z:
            if rho <= NOTHING:  # all around it is as near: along the axis, as Gonthier has it
                return off, Vec3(0.0 * x, 0.0 * y, 1.0 + 0.0 * z)
            return off, Vec3(c * x, c * y, s)
        return -z, Vec3(0.0 * x, 0.0 * y, 0.0 * z - 1.0)
    # outside: under the base, else the rim, the tip or the flank
    if z <= 0.0 and r <= 0.0:
        return -z, Vec3(0.0 * x, 0.0 * y, 0.0 * z - 1.0)
    if along < 0.0:
        d, a, b = from_corner(r, z, c, s)
    elif along > slant:
        d, a, b = from_corner(rho, top, c, s)
    else:
        d, a, b = off, c, s
    return d, Vec3(a * x, a * y, b)


@kernel
def hole_across(numbers, i, cone, p):
    """(distance, normal) of a point from the wall of a round hole on the far side of its axis; cone: 0 or 1.

    On the axis of a hole the nearest wall is a whole circle, and a force from the near wall alone would push a centred
    sphere aside. The wall on the far side, a segment in the half-plane of the point, is as near then and pushes back:
    two sites make a force that is continuous as a sphere crosses the axis.
    """
    # foot of the point on the segment of the far wall, at parameter `part` in [0, 1]
    half = 0.5 * numbers[i + 1] if cone == 1 else numbers[i + 1]
    rho, x, y = across(p)
    r, z = rho + numbers[i], p[2] + half
    along, up = (numbers[i] if cone == 1 else 0.0), 2.0 * half
    part = min(max((r * along + z * up) / (along * along + up * up), 0.0), 1.0)
    d, a, b = from_corner(r - part * along, z - part * up, 1.0, 0.0)
    return d, Vec3(a * x, a * y, b)


@kernel
def box_distance(half, p):
    """Box: faces, edges and corners outside; the nearest face inside."""
    # by symmetry in the octant of the point
    sx = -1.0 if p[0] < 0.0 else 1.0
    sy = -1.0 if p[1] < 0.0 else 1.0
    sz = -1.0 if p[2] < 0.0 else 1.0
    x, y, z = sx * p[0] - half[0], sy * p[1] - half[1], sz * p[2] - half[2]
    zero = 0.0 * x
    if x <= 0.0 and y <= 0.0 and z <= 0.0:
        if x >= y and x >= z:
            return x, Vec3(sx, zero, zero)
        if y >= z:
            return y, Vec3(zero, sy, zero)
        return z, Vec3(zero, zero, sz)
    d, n = from_centre(Vec3(max(x, 0.0), max(y, 0.0), max(z, 0.0)), Vec3(1.0, 0.0, 0.0))
    return d, Vec3(sx * n[0], sy * n[1], sz * n[2])


@kernel
def capsule_distance(radius, half, p):
    """Capsule along z."""
    z = p[2] - min(max(p[2], -half), half)
    d, n = from_centre(Vec3(p[0], p[1], z), Vec3(1.0, 0.0, 0.0))
    return d - radius, n


@kernel
def known_distance(model, row, p):
    """(signed distance [m], unit outward normal) of a point p from shape `row`, in the axes of the shape.

    For planes, spheres, edges, cylinders, cones, boxes and capsules; plug-in shapes (`kernels.shapes`) and meshes have
    their own kernels.
    """
    shape, i, numbers = model.shapes[row].code, model.shapes[row].floats, model.shape_floats
    if shape == PLANE:
        return plane_distance(numbers, i, p)
    if shape == SPHERE:
        d, n = from_centre(p, Vec3(1.0, 0.0, 0.0))
        return d - numbers[i], n
    if shape == EDGE:
        return edge_distance(vector_at(numbers, i), vector_at(numbers, i + 3), p)
    if shape == CYLINDER:
        return cylinder_distance(numbers[i], numbers[i + 1], numbers[i + 2], p)
    if shape == CONE:
        return cone_distance(numbers[i], numbers[i + 1], numbers[i + 2], p)
    if shape == BOX:
        return box_distance(vector_at(numbers, i), p)
    return capsule_distance(numbers[i], numbers[i + 1], p)


distance = chain("distance", "distance", "model, row, p", "model.shapes[row].code", MODULES, known_distance, __name__)
