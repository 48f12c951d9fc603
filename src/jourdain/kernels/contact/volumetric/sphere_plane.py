"""Narrow phase of volumetric contact: sphere with half-space or sphere, in closed form."""

from __future__ import annotations

import math

from ...compiler import entry_point
from ...flat_arrays import vector_at
from ...kind_registry import PLANE
from ...model_arrays import ModelArrays, Workspace
from ...signatures import Vector
from ..overlap_volumes.overlap_values import Springs
from ..overlap_volumes.spherical_caps import lens_potential, sphere_plane, sphere_sphere
from ..overlap_volumes.springs import face_springs
from .overlap_parts import put_gap, put_part, settle


@entry_point
def find_sphere_plane(model: ModelArrays, ws: Workspace, c: int, latched: Vector) -> int:
    """Overlap part of a sphere A and a plane or a sphere B; returns the number of sites."""
    row = model.contacts[c]
    a, b = row.first, row.second
    f, at = model.shape_floats, model.shapes[b].floats
    radius = f[model.shapes[a].floats]
    centre, origin = ws.shapes[a].p_WS, ws.shapes[b].p_WS
    if model.shapes[b].code == PLANE:
        # half-space n . x <= offset, world axes: spherical cap, rim of radius^2 = depth (2 R - depth)
        n = ws.shapes[b].R_WS @ vector_at(f, at)
        offset = n @ origin + f[at + 3]
        depth = min(radius + offset - n @ centre, 2.0 * radius)
        if depth <= 0.0:
            put_gap(ws, 0, -depth, centre - radius * n, n)
            return 1
        area = math.pi * depth * max(2.0 * radius - depth, 1e-6 * radius)
        part = sphere_plane(centre, radius, n, offset)
        put_part(ws, 0, 0, part, n, depth, area)
        ws.sites[0].springs = face_springs(part.volume, part.centroid, n, offset)
        return settle(model, ws, c, 1, latched)
    # two spheres: a lens of two caps, which meet in the plane of their common circle
    other = f[at]
    part, n = sphere_sphere(centre, radius, origin, other)
    away = centre - origin
    length = math.sqrt(away @ away)
    depth = min(radius + other - length, 2.0 * min(radius, other))
    if depth <= 0.0:
        put_gap(ws, 0, -depth, centre - radius * n, n)
        return 1
    # depth of the cap of A, and the area of the common circle
    cut = 0.5 * depth * (other + length - radius) / length if length > 0.0 else radius
    area = math.pi * max(cut * (2.0 * radius - cut), 1e-6 * min(radius, other) ** 2)
    put_part(ws, 0, 0, part, n, depth, area)
    ws.sites[0].springs = Springs(part.volume * n, n.zero, lens_potential(radius, other, length))
    return settle(model, ws, c, 1, latched)
