"""Gaps, normals and slips of all nodes at a state."""

from __future__ import annotations

import math

from ..algebra import Vec2, Vec3, cross
from ..compiler import entry_point, kernel, outlined_kernel, separate_kernel
from ..contact.contact_forces import place_shapes
from ..contact.narrow_phase.signed_distance import distance
from ..contact.shape_motion import velocity_at
from ..flat_arrays import vector_at
from ..model_arrays import ModelArrays, Workspace
from ..signatures import Vector
from ..tree.kinematics import kinematics
from ..tree.markers import marker_kinematics
from .closest_point import (
    BEYOND,
    FAR,
    distance_of_box,
    facet_normal,
    farther,
    has_point,
    is_over,
    near_facet,
    point_of,
)
from .mortar_2d import lay_mortar
from .mortar_3d import lay_mortar_in_space
from .surface_layout import MORTAR
from .surface_records import SurfaceContact

FACING = 0.2
"""Cosine between the outward normals of a node and a facet above which they do not face each other."""
MEETING, APART, OPPOSITE = 1e-4, 1e-2, -0.999
"""How near two nodes meet each other, and how far they are apart again, over the size of the facets; the cosine of
their normals that it takes."""


@outlined_kernel
def place_points(model, ws, s, q, v):
    """Places and velocities of all points, after `kinematics`."""
    for k in range(s.points.size):
        r, _, V = marker_kinematics(model, ws, s.points[k], q, v)
        s.place[k].position = ws.bodies[model.markers[s.points[k]].body].p_WB + r
        s.place[k].velocity = V.linear


@kernel
def plane_axis(model, ws, s, pair, q, v):
    """World direction across the plane of a pair's segments; zero in space."""
    m = s.pairs[pair].plane
    if m < 0:
        return Vec3(0.0, 0.0, 0.0)
    _, R, _ = marker_kinematics(model, ws, m, q, v)
    return R.z_axis


@outlined_kernel
def outward(s, pair, e):
    """Outward normals at the nodes of a pair: the mean of those of its facets, by their size."""
    first, last = s.pairs[pair].node, s.pairs[pair].node + s.pairs[pair].nodes
    for i in range(first, last):
        s.node[i].outward = Vec3(0.0, 0.0, 0.0)
    for f in range(s.pairs[pair].own, s.pairs[pair].own + s.pairs[pair].owns):
        facet = s.facets[f]
        n = facet_normal(s, facet, e)
        for k in range(facet.count):
            if facet.nodes[k] >= 0:
                s.node[facet.nodes[k]].outward += n
    for i in range(first, last):
        n = s.node[i].outward
        length = math.sqrt(n @ n)
        if length > 0.0:
            s.node[i].outward = 1.0 / length * n


@kernel
def tangents(n, e):
    """Two directions across n; the second is e where it can be."""
    b = e
    if e @ e == 0.0 or abs(e @ n) > 0.9:
        b = Vec3(0.0, -n.z, n.y) if n.x * n.x < 0.5 else Vec3(-n.y, n.x, 0.0)
    b = b - (b @ n) * n
    b = 1.0 / math.sqrt(b @ b) * b
    return cross(b, n), b


@outlined_kernel
def on_shape(model, ws, s, i, row):
    """Gap, normal and relative velocity of node i and a rigid shape."""
    point, node, shape = s.nodes[i].point, s.node[i], ws.shapes[row]
    s.weights[i, point] = 1.0
    x, R_WS = s.place[point].position, shape.R_WS
    d, n = distance(model, row, R_WS.T @ (x - shape.p_WS))
    node.gap = d - node.radius
    node.normal = R_WS @ n
    return s.place[point].velocity - velocity_at(shape, x)


@outlined_kernel
def lay_boxes(s, pair):
    """Boxes around the groups of the facets that a pair touches."""
    for g in range(s.pairs[pair].group, s.pairs[pair].group + s.pairs[pair].groups):
        low = high = point_of(s, s.facets[s.groups[g].facet], 0)
        for f in range(s.groups[g].facet, s.groups[g].facet + s.groups[g].facets):
            for k in range(s.facets[f].count):
                x = point_of(s, s.facets[f], k)
                low, high = -farther(-low, -x), farther(high, x)
        s.boxes[g].low, s.boxes[g].high = low, high


@kernel
def try_facet(s, i, f, e, best, over):
    """(1, gap, normal, weights, over) where facet f faces node i and is nearer than `best`; 0 first elsewhere. over: 1
    where the node is above or below the facet, 0 where it is beyond its rim.

    Where a surface is hollow, a node beyond the rim of one facet may be inside of the next: that one is taken then,
    although the first, which reaches over its rim, seems nearer. Differences within what a gap may be off do not count,
    as rounding would choose between two normals at an edge in turn, unless the node is well within the facet.
    """
    node, law, facet = s.node[i], s.laws[s.nodes[i].pair], s.facets[f]
    allowed = law.allowed
    n = facet_normal(s, facet, e)
    taken = 0
    gap, weights = best, (0.0, 0.0, 0.0, 0.0)
    size = math.sqrt(n @ n)
    if not has_point(facet, s.nodes[i].point) and n @ node.outward <= FACING * size:
        # seen from below at the start of the step: then it went by the end of the surface, and is beside it
        below = 1 if node.normal_start @ n < 0.0 else 0
        near, normal, w = near_facet(s, facet, s.place[s.nodes[i].point].position, e, below)
        if facet.count > 2:
            size = math.sqrt(size)
        above = is_over(w, facet.count)
        nearer = abs(near) < abs(best) - allowed or (above > over and abs(near) < abs(best) + allowed)
        if above != over and abs(best) < FAR:
            within, beside = (near, best) if above == 1 else (best, near)
            if within < beside - allowed and within > -BEYOND * size:
                nearer = above == 1
        if nearer and near > -law.reach:
            taken, gap, n, weights, over = 1, near, normal, w, above
    return taken, gap, n, weights, over


@outlined_kernel
def on_facets(s, i, pair, e):
    """The same with the nearest facet of a surface that faces the node; FAR where there is none.

    The facet of the last evaluation is looked at first; then groups of facets whose box is farther away than it are
    not looked at.
    """
    node, place = s.node[i], s.place[s.nodes[i].point]
    best, chosen, last, over = FAR, -1, s.state[i].facet, 0
    normal, weights = Vec3(0.0, 0.0, 1.0), (0.0, 0.0, 0.0, 0.0)
    if last >= 0:
        taken, gap, n, w, over = try_facet(s, i, last, e, best, over)
        if taken == 1:
            best, normal, weights, chosen = gap, n, w, last
    first, margin = s.pairs[pair].group, BEYOND * s.laws[pair].reach
    for g in range(first, first + s.pairs[pair].groups):
        reach = abs(best) if over == 1 else max(abs(best), margin)
        if distance_of_box(s.boxes[g], place.position) > reach * reach:
            continue
        for f in range(s.groups[g].facet, s.groups[g].facet + s.groups[g].facets):
            if f == last:
                continue
            taken, gap, n, w, over = try_facet(s, i, f, e, best, over)
            if taken == 1:
                best, normal, weights, chosen = gap, n, w, f
    s.state[i].facet = chosen
    node.gap = best - node.radius
    node.normal = normal
    relative = place.velocity
    if chosen >= 0:
        s.weights[i, s.nodes[i].point] = 1.0
        facet = s.facets[chosen]
        for k in range(facet.count):
            s.weights[i, facet.points[k]] -= weights[k]
            relative = relative - weights[k] * s.place[facet.points[k]].velocity
    return relative


@kernel
def facing(s, i, j, within):
    """Whether nodes i and j are over each other, each at the end of a facet of the other's within a part of it, and
    their normals are opposite."""
    at, there = s.nodes[i].point, s.nodes[j].point
    if s.weights[i, there] > within - 1.0 or s.weights[j, at] > within - 1.0:
        return False
    return s.node[i].normal @ s.node[j].normal < OPPOSITE


@outlined_kernel
def part_twins(s):
    """Of two nodes that meet each other, the second touches nothing, and the first stands for both: its
    gap is the lesser of the two. It stays so until they are apart, so that a step does not change its mind about
    them."""
    for i in range(len(s.nodes)):
        pair = s.nodes[i].pair
        if s.pairs[pair].shape >= 0 or s.pairs[pair].form == MORTAR:
            continue
        margin, gap = APART * s.laws[pair].reach, s.node[i].gap
        before, s.state[i].twin = s.state[i].twin - 1, 0
        if before >= 0:
            if abs(gap) < margin and s.node[before].gap < margin and facing(s, i, before, APART):
                s.state[i].twin = before + 1
        elif abs(gap) < MEETING * s.laws[pair].reach:
            for j in range(i):
                other = s.nodes[j].pair
                if s.pairs[other].wrench == s.pairs[pair].wrench and s.state[j].twin == 0:
                    if facing(s, i, j, MEETING):
                        s.state[i].twin = j + 1
        if s.state[i].twin > 0:
            j = s.state[i].twin - 1
            s.node[j].gap = min(s.node[j].gap, gap)
            s.node[i].gap = FAR


@separate_kernel
def lay_gaps(model, ws, s, q, v):
    """Gap, normal, tangents, slip and weights of every node, after `kinematics` and `place_shapes`."""
    place_points(model, ws, s, q, v)
    for pair in range(len(s.pairs)):
        e = plane_axis(model, ws, s, pair, q, v)
        first, last = s.pairs[pair].node, s.pairs[pair].node + s.pairs[pair].nodes
        outward(s, pair, e)
        lay_boxes(s, pair)
        for i in range(first, last):
            for k in range(s.points.size):
                s.weights[i, k] = 0.0
        mortar = s.pairs[pair].form == MORTAR
        if mortar and s.pairs[pair].plane >= 0:
            lay_mortar(s, pair, e)
        elif mortar:
            lay_mortar_in_space(s, pair)
        for i in range(first, last):
            node, rate = s.node[i], 0.0
            if mortar:
                relative = Vec3(0.0, 0.0, 0.0)
                for k in range(s.points.size):
                    if s.weights[i, k] != 0.0:
                        relative += s.weights[i, k] * s.place[k].velocity
                        rate += vector_at(s.arrows[i], 3 * k) @ s.place[k].velocity
            elif s.pairs[pair].shape >= 0:
                relative = on_shape(model, ws, s, i, s.pairs[pair].shape)
            else:
                relative = on_facets(s, i, pair, e)
            along, across = tangents(node.normal, e)
            node.along, node.across = along, across
            node.rate = rate if mortar else node.normal @ relative
            node.slip = Vec2(along @ relative, across @ relative)
    part_twins(s)


@entry_point
def touching_gaps(model: ModelArrays, ws: Workspace, s: SurfaceContact, q: Vector, v: Vector) -> None:
    """`lay_gaps` at a state."""
    kinematics(model, ws, q, v)
    place_shapes(model, ws, q, v)
    lay_gaps(model, ws, s, q, v)


@kernel
def shape_marker(model, row):
    """The marker that carries a shape."""
    return model.shapes[row].marker
