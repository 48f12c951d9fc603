"""Gaps, normals and slips of all nodes at a state."""

from __future__ import annotations

import math

from ..columns import POS
from ..compiler import called, gate, kernel
from ..contact.distance import distance
from ..contact.layout import SHAPE_MARKER, SHAPE_OMEGA, SHAPE_P, SHAPE_R, SHAPE_V
from ..contact.sites import place_shapes
from ..spatial import accumulate3, add, cross, dot, mat, put3, rotate, rotate_back, scale, sub, vec
from ..tree.kinematics import kinematics
from ..tree.markers import marker_frame
from .layout import (
    MORTAR,
    NODE_ACROSS,
    NODE_ALONG,
    NODE_GAP,
    NODE_NORMAL,
    NODE_OUT,
    NODE_POINT,
    NODE_RADIUS,
    NODE_RATE,
    NODE_SLIP,
    ON_FACET,
    PAIR_FACET,
    PAIR_FACETS,
    PAIR_FORM,
    PAIR_NODE,
    PAIR_NODES,
    PAIR_OWN,
    PAIR_OWNS,
    PAIR_PLANE,
    PAIR_SHAPE,
    REACH,
)
from .mortar import lay_mortar
from .search import FAR, facet_normal, has_point, near_facet

FACING = 0.2
"""Cosine between the outward normals of a node and a facet above which they do not face each other."""


@called
def place_points(model, ws, s, q, v):
    """Places and velocities of all points, after `kinematics`."""
    for k in range(s.points.size):
        m = s.points[k]
        r, _, _, velocity = marker_frame(model, ws, m, q, v)
        put3(s.place, k, 0, add(vec(ws.work, model.marker_index[m, 0], POS), r))
        put3(s.place, k, 3, velocity)


@kernel
def plane_axis(model, ws, s, pair, q, v):
    """World direction across the plane of a pair's segments; zero in space."""
    m = s.pairs[pair, PAIR_PLANE]
    if m < 0:
        return (0.0, 0.0, 0.0)
    _, R, _, _ = marker_frame(model, ws, m, q, v)
    return (R[2], R[5], R[8])


@called
def outward(s, pair, e):
    """Outward normals at the nodes of a pair: the mean of those of its facets, by their size."""
    first, last = s.pairs[pair, PAIR_NODE], s.pairs[pair, PAIR_NODE] + s.pairs[pair, PAIR_NODES]
    for i in range(first, last):
        put3(s.node, i, NODE_OUT, (0.0, 0.0, 0.0))
        point = s.nodes[i, NODE_POINT]
        for f in range(s.pairs[pair, PAIR_OWN], s.pairs[pair, PAIR_OWN] + s.pairs[pair, PAIR_OWNS]):
            if has_point(s, f, point) == 1:
                accumulate3(s.node, i, NODE_OUT, facet_normal(s, f, e))
        n = vec(s.node, i, NODE_OUT)
        length = math.sqrt(dot(n, n))
        if length > 0.0:
            put3(s.node, i, NODE_OUT, scale(1.0 / length, n))


@kernel
def tangents(n, e):
    """Two directions across n; the second is e where it can be."""
    b = e
    if dot(e, e) == 0.0 or abs(dot(e, n)) > 0.9:
        b = (0.0, -n[2], n[1]) if n[0] * n[0] < 0.5 else (-n[1], n[0], 0.0)
    b = sub(b, scale(dot(b, n), n))
    b = scale(1.0 / math.sqrt(dot(b, b)), b)
    return cross(b, n), b


@called
def on_shape(model, ws, s, i, row):
    """Gap, normal and relative velocity of node i and a rigid shape."""
    point = s.nodes[i, NODE_POINT]
    s.weights[i, point] = 1.0
    x = vec(s.place, point, 0)
    R = mat(ws.shapes, row, SHAPE_R)
    d, n = distance(model, row, rotate_back(R, sub(x, vec(ws.shapes, row, SHAPE_P))))
    s.node[i, NODE_GAP] = d - s.node[i, NODE_RADIUS]
    put3(s.node, i, NODE_NORMAL, rotate(R, n))
    arm = sub(x, vec(ws.shapes, row, SHAPE_P))
    carried = add(vec(ws.shapes, row, SHAPE_V), cross(vec(ws.shapes, row, SHAPE_OMEGA), arm))
    return sub(vec(s.place, point, 3), carried)


@called
def on_facets(s, i, pair, e):
    """The same with the nearest facet of a surface that faces the node; FAR where there is none."""
    point = s.nodes[i, NODE_POINT]
    x, out = vec(s.place, point, 0), vec(s.node, i, NODE_OUT)
    best, chosen = FAR, -1
    reach = s.numbers[pair, REACH]
    normal, weights = (0.0, 0.0, 1.0), (0.0, 0.0, 0.0, 0.0)
    first = s.pairs[pair, PAIR_FACET]
    for f in range(first, first + s.pairs[pair, PAIR_FACETS]):
        # a facet farther away than the best so far, by the ball around it, is not looked at
        a = vec(s.place, s.facets[f, 1], 0)
        away, size = sub(x, a), 0.0
        for k in range(2, s.facets[f, 0] + 1):
            side = sub(vec(s.place, s.facets[f, k], 0), a)
            size = max(size, dot(side, side))
        if math.sqrt(dot(away, away)) - math.sqrt(size) > abs(best):
            continue
        n = facet_normal(s, f, e)
        if has_point(s, f, point) == 1 or dot(n, out) > FACING * math.sqrt(dot(n, n)):
            continue
        gap, n, w = near_facet(s, f, x, e)
        if abs(gap) < abs(best) and gap > -reach:
            best, normal, weights, chosen = gap, n, w, f
    s.state[i, ON_FACET] = chosen
    s.node[i, NODE_GAP] = best - s.node[i, NODE_RADIUS]
    put3(s.node, i, NODE_NORMAL, normal)
    relative = vec(s.place, point, 3)
    if chosen >= 0:
        s.weights[i, point] = 1.0
        for k in range(s.facets[chosen, 0]):
            s.weights[i, s.facets[chosen, k + 1]] -= weights[k]
            relative = sub(relative, scale(weights[k], vec(s.place, s.facets[chosen, k + 1], 3)))
    return relative


@called
def lay_gaps(model, ws, s, q, v):
    """Gap, normal, tangents, slip and weights of every node, after `kinematics` and `place_shapes`."""
    place_points(model, ws, s, q, v)
    for pair in range(s.pairs.shape[0]):
        e = plane_axis(model, ws, s, pair, q, v)
        first, last = s.pairs[pair, PAIR_NODE], s.pairs[pair, PAIR_NODE] + s.pairs[pair, PAIR_NODES]
        outward(s, pair, e)
        for i in range(first, last):
            for k in range(s.points.size):
                s.weights[i, k] = 0.0
        mortar = s.pairs[pair, PAIR_FORM] == MORTAR
        if mortar:
            lay_mortar(s, pair, e)
        for i in range(first, last):
            if mortar:
                relative = (0.0, 0.0, 0.0)
                for k in range(s.points.size):
                    if s.weights[i, k] != 0.0:
                        relative = add(relative, scale(s.weights[i, k], vec(s.place, k, 3)))
            elif s.pairs[pair, PAIR_SHAPE] >= 0:
                relative = on_shape(model, ws, s, i, s.pairs[pair, PAIR_SHAPE])
            else:
                relative = on_facets(s, i, pair, e)
            along, across = tangents(vec(s.node, i, NODE_NORMAL), e)
            put3(s.node, i, NODE_ALONG, along)
            put3(s.node, i, NODE_ACROSS, across)
            s.node[i, NODE_RATE] = dot(vec(s.node, i, NODE_NORMAL), relative)
            s.node[i, NODE_SLIP] = dot(along, relative)
            s.node[i, NODE_SLIP + 1] = dot(across, relative)


@gate
def touching_gaps(model, ws, s, q, v):
    """`lay_gaps` at a state."""
    kinematics(model, ws, q, v)
    place_shapes(model, ws, q, v)
    lay_gaps(model, ws, s, q, v)


@kernel
def shape_marker(model, row):
    """The marker that carries a shape."""
    return model.shape_index[row, SHAPE_MARKER]
