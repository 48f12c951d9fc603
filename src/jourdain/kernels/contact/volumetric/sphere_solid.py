"""Narrow phase of volumetric contact: sphere with solids that have edges, curved faces or holes."""

from __future__ import annotations

from ...algebra import Vec3
from ...compiler import entry_point
from ...kind_registry import CAPSULE, CONE, CONVEX, CYLINDER, SPHERE
from ...model_arrays import ModelArrays, Workspace
from ...signatures import Vector
from ..contact_layout import INERTIA_NORMAL
from ..narrow_phase.signed_distance import distance
from ..overlap_volumes.sphere_overlap import sphere_capsule, sphere_cone, sphere_cylinder, sphere_polyhedron
from ..overlap_volumes.springs import ball_springs
from ..overlap_volumes.springs_round import round_springs
from .overlap_parts import direction_of, far, lay_planes, line_scratch, put_gap, put_part, settle


@entry_point
def find_sphere_solid(model: ModelArrays, ws: Workspace, c: int, latched: Vector) -> int:
    """Overlap part of a sphere A and a wedge, box, convex mesh, cylinder, cone, capsule, or a cylindrical or conical
    hole B; returns the number of sites.
    """
    row = model.contacts[c]
    a, b = row.first, row.second
    f, at = model.shape_floats, model.shapes[b].floats
    radius = f[model.shapes[a].floats]
    centre, origin, R = ws.shapes[a].p_WS, ws.shapes[b].p_WS, ws.shapes[b].R_WS
    shape = model.shapes[b].code
    depth, n = 0.0, Vec3(0.0, 0.0, 1.0)
    curved = shape == CYLINDER or shape == CONE or shape == CAPSULE
    planes, lines, breaks, cell = line_scratch(model, ws, c)
    count = 0
    # separation: bounding spheres for convex meshes, else the signed distance of the centre from B, with p_BoC_B
    if shape == CONVEX:
        gap = far(model, ws, a, b)
        if gap > 0.0:
            put_gap(ws, -1, gap, centre, n)
            return 1
    else:
        d, own = distance(model, b, R.T @ (centre - origin))
        depth, n = radius - d, R @ own
        if depth <= 0.0:
            put_gap(ws, 0, -depth, centre - radius * n, n)
            return 1
    # the overlap and its vector area N, world axes
    if shape == CYLINDER:
        part, N = sphere_cylinder(R, origin, f[at], f[at + 1], f[at + 2] == 1.0, centre, radius)
    elif shape == CONE:
        part, N = sphere_cone(R, origin, f[at], f[at + 1], f[at + 2] == 1.0, centre, radius)
    elif shape == CAPSULE:
        part, N = sphere_capsule(R, origin, f[at], f[at + 1], centre, radius)
    else:
        count = lay_planes(model, ws, b, planes)
        part, N = sphere_polyhedron(centre, radius, planes, count, lines, breaks)
    if not part.volume > 0.0:
        put_gap(ws, -1, 0.0, centre, n)
        return 1
    area, guess = direction_of(N, n if shape != CONVEX else direction_of(centre - origin, n)[1])
    put_part(ws, 0, 0, part, guess, 0.0, area)
    # springs of the foundation: in the flat faces of B, or in the sphere where B is curved
    if row.normal_kind != INERTIA_NORMAL:
        springs = ball_springs(part, centre, radius)
        if not curved:
            springs = round_springs(SPHERE, R, centre, radius, 0.0, planes, count, 0, cell, lines, breaks, part, N)
        ws.sites[0].springs = springs
    return settle(model, ws, c, 1, latched)
