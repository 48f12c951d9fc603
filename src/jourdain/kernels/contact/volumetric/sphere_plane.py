"""Narrow phase of volumetric contact: sphere with half-space or sphere, in closed form."""

from __future__ import annotations

import math

from ...compiler import entry_point
from ...kind_registry import PLANE
from ...model_arrays import ModelArrays, Workspace
from ...signatures import Vector
from ...spatial import dot, mat, rotate, scale, sub, vec
from ..contact_layout import CONTACT_FIRST, CONTACT_SECOND, SHAPE_CODE, SHAPE_FLOATS, SHAPE_P, SHAPE_R
from ..narrow_phase.unit_vectors import three
from ..overlap_volumes.spherical_caps import lens_potential, sphere_plane, sphere_sphere
from ..overlap_volumes.springs import face_springs
from .overlap_parts import put_gap, put_part, put_springs, settle


@entry_point
def find_sphere_plane(model: ModelArrays, ws: Workspace, c: int, latched: Vector) -> int:
    """Overlap part of a sphere A and a plane or a sphere B; returns the number of sites."""
    row = model.contact_index[c]
    a, b = row[CONTACT_FIRST], row[CONTACT_SECOND]
    f, at = model.shape_floats, model.shape_index[b, SHAPE_FLOATS]
    radius = f[model.shape_index[a, SHAPE_FLOATS]]
    centre, origin = vec(ws.shapes, a, SHAPE_P), vec(ws.shapes, b, SHAPE_P)
    if model.shape_index[b, SHAPE_CODE] == PLANE:
        # half-space n . x <= offset, world axes: spherical cap, rim of radius^2 = depth (2 R - depth)
        n = rotate(mat(ws.shapes, b, SHAPE_R), three(f, at))
        offset = dot(n, origin) + f[at + 3]
        depth = min(radius + offset - dot(n, centre), 2.0 * radius)
        if depth <= 0.0:
            put_gap(ws, 0, -depth, sub(centre, scale(radius, n)), n)
            return 1
        area = math.pi * depth * max(2.0 * radius - depth, 1e-6 * radius)
        part = sphere_plane(centre, radius, n, offset)
        put_part(ws, 0, 0, part, n, depth, area)
        put_springs(ws, 0, face_springs(part[0], part[1], n, offset))
        return settle(model, ws, c, 1, latched)
    # two spheres: a lens of two caps, which meet in the plane of their common circle
    other = f[at]
    V, middle, J, n = sphere_sphere(centre, radius, origin, other)
    away = sub(centre, origin)
    length = math.sqrt(dot(away, away))
    depth = min(radius + other - length, 2.0 * min(radius, other))
    if depth <= 0.0:
        put_gap(ws, 0, -depth, sub(centre, scale(radius, n)), n)
        return 1
    # depth of the cap of A, and the area of the common circle
    cut = 0.5 * depth * (other + length - radius) / length if length > 0.0 else radius
    area = math.pi * max(cut * (2.0 * radius - cut), 1e-6 * min(radius, other) ** 2)
    put_part(ws, 0, 0, (V, middle, J), n, depth, area)
    put_springs(ws, 0, (scale(V, n), (0.0, 0.0, 0.0), lens_potential(radius, other, length)))
    return settle(model, ws, c, 1, latched)
