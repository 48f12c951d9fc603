"""Narrow phase of volumetric contact: cylinder, cone or capsule with half-spaces and convex polyhedra."""

from __future__ import annotations

import math

from ...algebra import Vec3
from ...compiler import entry_point, kernel
from ...flat_arrays import vector_at
from ...kind_registry import CONE, CYLINDER, PLANE
from ...model_arrays import ModelArrays, Workspace
from ...signatures import Vector
from ..contact_layout import INERTIA_NORMAL
from ..overlap_volumes.capsule_overlap import capsule_polyhedron
from ..overlap_volumes.cone_plane import cone_plane
from ..overlap_volumes.cylinder_plane import cylinder_plane
from ..overlap_volumes.springs import face_springs
from ..overlap_volumes.springs_round import round_flat, round_springs
from .overlap_parts import direction_of, far, lay_planes, line_scratch, put_gap, put_part, settle


@kernel
def lowest(shape, f, i, m):
    """Support function of a solid of revolution: how far it reaches from its middle along -m, m in its own axes [m]."""
    across = math.sqrt(max(1.0 - m.z * m.z, 0.0))
    if shape == CYLINDER:
        return f[i] * across + f[i + 1] * abs(m.z)
    if shape == CONE:
        return max(-0.5 * f[i + 1] * m.z, f[i] * across + 0.5 * f[i + 1] * m.z)
    return f[i] + f[i + 1] * abs(m.z)


@entry_point
def find_cylinder_polyhedron(model: ModelArrays, ws: Workspace, c: int, latched: Vector) -> int:
    """Overlap part of a cylinder, cone or capsule A and a plane, wedge, box or convex mesh B; returns how many."""
    row = model.contacts[c]
    a, b = row.first, row.second
    f, i, j = model.shape_floats, model.shapes[a].floats, model.shapes[b].floats
    shape, second = model.shapes[a].code, model.shapes[b].code
    # R_WA, p_WoAo, p_WoBo; n points from B to A, N is the vector area of the part
    R, p, origin = ws.shapes[a].R_WS, ws.shapes[a].p_WS, ws.shapes[b].p_WS
    depth, n = 0.0, Vec3(0.0, 0.0, 1.0)
    planes, lines, breaks, cell = line_scratch(model, ws, c)
    count, offset, up = 0, 0.0, n
    # half-space n . x <= offset: depth from the support function; closed forms for cylinder and cone
    if second == PLANE:
        n = ws.shapes[b].R_WS @ vector_at(f, j)
        offset = n @ origin + f[j + 3]
        reach = lowest(shape, f, i, R.T @ n)
        depth = reach - n @ p + offset
        if depth <= 0.0:
            put_gap(ws, 0, -depth, p - reach * n, n)
            return 1
        N, up = n.zero, n
        if shape == CYLINDER:
            part = cylinder_plane(R, p, f[i], f[i + 1], n, offset)
        elif shape == CONE:
            part = cone_plane(R, p, f[i], f[i + 1], n, offset)
        else:
            planes[0].normal, planes[0].offset = n, offset
            part, N = capsule_polyhedron(R, p, f[i], f[i + 1], planes, 1, lines, breaks)
    # polyhedron: quadrature over slices across the axis of A; `settle` estimates the depth
    else:
        gap = far(model, ws, a, b)
        if gap > 0.0:
            put_gap(ws, -1, gap, p, n)
            return 1
        count = lay_planes(model, ws, b, planes)
        part, N = round_flat(shape, R, p, f[i], f[i + 1], planes, count, lines, breaks)
        n = direction_of(p - origin, n)[1]
    if not part.volume > 0.0:
        put_gap(ws, -1, 0.0, p, n)
        return 1
    # area and guess of the normal from the vector area; springs where the law asks for a potential
    area, guess = direction_of(N, n)
    put_part(ws, 0, 0, part, guess, depth, area)
    if row.normal_kind != INERTIA_NORMAL:
        springs = face_springs(part.volume, part.centroid, up, offset)
        if second != PLANE:
            springs = round_springs(shape, R, p, f[i], f[i + 1], planes, count, 0, cell, lines, breaks, part, N)
        ws.sites[0].springs = springs
    return settle(model, ws, c, 1, latched)
