"""Gaps, normals and slips of all nodes at a state."""

from __future__ import annotations

import math

from ..algebra import Vec3
from ..compiler import entry_point, kernel, outlined_kernel, separate_kernel
from ..contact.contact_forces import place_shapes
from ..contact.narrow_phase.signed_distance import distance
from ..contact.shape_motion import velocity_at
from ..model_arrays import ModelArrays, Workspace
from ..signatures import Vector
from ..spatial import add, cross, dot, put3, scale, sub, vec
from ..tree.kinematics import kinematics
from ..tree.markers import marker_frame
from .closest_point import BEYOND, FAR, facet_normal, has_point, is_over, near_facet
from .mortar_2d import lay_mortar
from .mortar_3d import lay_mortar_in_space
from .surface_layout import (
    FACET_NODE,
    FACET_POINT,
    MORTAR,
)
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
        m = s.points[k]
        r, _, _, velocity = marker_frame(model, ws, m, q, v)
        put3(s.place, k, 0, add(tuple(ws.bodies[model.marker_index[m, 0]].p_WB), r))
        put3(s.place, k, 3, velocity)


@kernel
def plane_axis(model, ws, s, pair, q, v):
    """World direction across the plane of a pair's segments; zero in space."""
    m = s.pairs[pair].plane
    if m < 0:
        return (0.0, 0.0, 0.0)
    _, R, _, _ = marker_frame(model, ws, m, q, v)
    return (R[2], R[5], R[8])


@outlined_kernel
def outward(s, pair, e):
    """Outward normals at the nodes of a pair: the mean of those of its facets, by their size."""
    first, last = s.pairs[pair].node, s.pairs[pair].node + s.pairs[pair].nodes
    for i in range(first, last):
        s.node[i].outward = Vec3(0.0, 0.0, 0.0)
    for f in range(s.pairs[pair].own, s.pairs[pair].own + s.pairs[pair].owns):
        n = facet_normal(s, f, e)
        for k in range(s.facets[f, 0]):
            i = s.facets[f, FACET_NODE + k]
            if i >= 0:
                s.node[i].outward += Vec3(n)
    for i in range(first, last):
        n = tuple(s.node[i].outward)
        length = math.sqrt(dot(n, n))
        if length > 0.0:
            s.node[i].outward = Vec3(scale(1.0 / length, n))


@kernel
def tangents(n, e):
    """Two directions across n; the second is e where it can be."""
    b = e
    if dot(e, e) == 0.0 or abs(dot(e, n)) > 0.9:
        b = (0.0, -n[2], n[1]) if n[0] * n[0] < 0.5 else (-n[1], n[0], 0.0)
    b = sub(b, scale(dot(b, n), n))
    b = scale(1.0 / math.sqrt(dot(b, b)), b)
    return cross(b, n), b


@outlined_kernel
def on_shape(model, ws, s, i, row):
    """Gap, normal and relative velocity of node i and a rigid shape."""
    point = s.nodes[i].point
    s.weights[i, point] = 1.0
    x = vec(s.place, point, 0)
    shape = ws.shapes[row]
    R_WS = shape.R_WS
    d, n = distance(model, row, R_WS.T @ (Vec3(x) - shape.p_WS))
    s.node[i].gap = d - s.node[i].radius
    s.node[i].normal = R_WS @ n
    return sub(vec(s.place, point, 3), tuple(velocity_at(shape, Vec3(x))))


@outlined_kernel
def lay_boxes(s, pair):
    """Boxes around the groups of the facets that a pair touches."""
    for g in range(s.pairs[pair].group, s.pairs[pair].group + s.pairs[pair].groups):
        for d in range(3):
            s.boxes[g, d], s.boxes[g, 3 + d] = FAR, -FAR
        for f in range(s.groups[g, 0], s.groups[g, 0] + s.groups[g, 1]):
            for k in range(s.facets[f, 0]):
                point = s.facets[f, FACET_POINT + k]
                for d in range(3):
                    s.boxes[g, d] = min(s.boxes[g, d], s.place[point, d])
                    s.boxes[g, 3 + d] = max(s.boxes[g, 3 + d], s.place[point, d])


@kernel
def try_facet(s, i, f, e, best, over):
    """(1, gap, normal, weights, over) where facet f faces node i and is nearer than `best`; 0 first elsewhere. over: 1
    where the node is above or below the facet, 0 where it is beyond its rim.

    Where a surface is hollow, a node beyond the rim of one facet may be inside of the next: that one is taken then,
    although the first, which reaches over its rim, seems nearer. Differences within what a gap may be off do not count,
    as rounding would choose between two normals at an edge in turn, unless the node is well within the facet.
    """
    point = s.nodes[i].point
    allowed = s.laws[s.nodes[i].pair].allowed
    x, out = vec(s.place, point, 0), tuple(s.node[i].outward)
    n = facet_normal(s, f, e)
    taken = 0
    gap, weights = best, (0.0, 0.0, 0.0, 0.0)
    size = math.sqrt(dot(n, n))
    if has_point(s, f, point) == 0 and dot(n, out) <= FACING * size:
        # seen from below at the start of the step: then it went by the end of the surface, and is beside it
        below = 1 if dot(tuple(s.node[i].normal_start), n) < 0.0 else 0
        near, normal, w = near_facet(s, f, x, e, below)
        if s.facets[f, 0] > 2:
            size = math.sqrt(size)
        above = is_over(w, s.facets[f, 0])
        nearer = abs(near) < abs(best) - allowed or (above > over and abs(near) < abs(best) + allowed)
        if above != over and abs(best) < FAR:
            within, beside = (near, best) if above == 1 else (best, near)
            if within < beside - allowed and within > -BEYOND * size:
                nearer = above == 1
        if nearer and near > -s.laws[s.nodes[i].pair].reach:
            taken, gap, n, weights, over = 1, near, normal, w, above
    return taken, gap, n, weights, over


@outlined_kernel
def on_facets(s, i, pair, e):
    """The same with the nearest facet of a surface that faces the node; FAR where there is none.

    The facet of the last evaluation is looked at first; then groups of facets whose box is farther away than it are
    not looked at.
    """
    point = s.nodes[i].point
    x = vec(s.place, point, 0)
    best, chosen, last, over = FAR, -1, s.state[i].facet, 0
    normal, weights = (0.0, 0.0, 1.0), (0.0, 0.0, 0.0, 0.0)
    if last >= 0:
        taken, gap, n, w, over = try_facet(s, i, last, e, best, over)
        if taken == 1:
            best, normal, weights, chosen = gap, n, w, last
    first, margin = s.pairs[pair].group, BEYOND * s.laws[pair].reach
    for g in range(first, first + s.pairs[pair].groups):
        away = 0.0
        for d in range(3):
            off = max(max(s.boxes[g, d] - x[d], x[d] - s.boxes[g, 3 + d]), 0.0)
            away += off * off
        reach = abs(best) if over == 1 else max(abs(best), margin)
        if away > reach * reach:
            continue
        for f in range(s.groups[g, 0], s.groups[g, 0] + s.groups[g, 1]):
            if f == last:
                continue
            taken, gap, n, w, over = try_facet(s, i, f, e, best, over)
            if taken == 1:
                best, normal, weights, chosen = gap, n, w, f
    s.state[i].facet = chosen
    s.node[i].gap = best - s.node[i].radius
    s.node[i].normal = Vec3(normal)
    relative = vec(s.place, point, 3)
    if chosen >= 0:
        s.weights[i, point] = 1.0
        for k in range(s.facets[chosen, 0]):
            s.weights[i, s.facets[chosen, FACET_POINT + k]] -= weights[k]
            relative = sub(relative, scale(weights[k], vec(s.place, s.facets[chosen, FACET_POINT + k], 3)))
    return relative


@kernel
def facing(s, i, j, within):
    """Whether nodes i and j are over each other, each at the end of a facet of the other's within a part of it, and
    their normals are opposite."""
    at, there = s.nodes[i].point, s.nodes[j].point
    if s.weights[i, there] > within - 1.0 or s.weights[j, at] > within - 1.0:
        return False
    return dot(tuple(s.node[i].normal), tuple(s.node[j].normal)) < OPPOSITE


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
            rate = 0.0
            if mortar:
                relative = (0.0, 0.0, 0.0)
                for k in range(s.points.size):
                    if s.weights[i, k] != 0.0:
                        relative = add(relative, scale(s.weights[i, k], vec(s.place, k, 3)))
                        rate += dot(vec(s.arrows, i, 3 * k), vec(s.place, k, 3))
            elif s.pairs[pair].shape >= 0:
                relative = on_shape(model, ws, s, i, s.pairs[pair].shape)
            else:
                relative = on_facets(s, i, pair, e)
            along, across = tangents(tuple(s.node[i].normal), e)
            s.node[i].along = Vec3(along)
            s.node[i].across = Vec3(across)
            s.node[i].rate = rate if mortar else dot(tuple(s.node[i].normal), relative)
            s.node[i].slip[0] = dot(along, relative)
            s.node[i].slip[1] = dot(across, relative)
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
