"""Surfaces that deform, as the nodes of another solid meet them by laws of force.

For each node that may touch there is a *skin*: a plane that is laid at every evaluation through the point of the
facets that is nearest to the node, across the line between the two. Laws know it as any plane. What acts on it goes to
the nodes of the facet by the weights of that point (Kim 1999, eq. 2.63 to 2.67), so that both bodies feel forces of one
line: momentum is kept, and as the gap is a distance, so is the energy of an elastic law.
"""

from __future__ import annotations

import math

from ...compiler import kernel, optional_kernel
from ...spatial import accumulate3, add, cross, dot, put3, put9, scale, sub, vec
from ...surface_contact.closest_point import (
    BEYOND,
    FAR,
    is_over,
    near_quadrangle,
    near_segment,
    near_triangle,
    whole_triangle,
)
from ..contact_layout import (
    SHAPE_FLOATS,
    SHAPE_FORCE,
    SHAPE_INTEGERS,
    SHAPE_MOMENT,
    SHAPE_OMEGA,
    SHAPE_P,
    SHAPE_R,
    SHAPE_V,
    SKIN_FACET,
    SKIN_WEIGHT,
)

# integers of a skin: row of the point that meets it, how many facets; then of each facet how many points it has, their
# rows (4), and the sides at which the surface ends or turns away, in bits
SKIN_NODE, SKIN_FACETS, SKIN_TABLE = 0, 1, 2
FACET_COUNT, FACET_ROW, SKIN_FACET_RIM, FACET_INTEGERS = 0, 1, 5, 6
# its numbers, behind those of a plane: how deep behind a facet is still inside [m]
SKIN_REACH = 4


@optional_kernel("skins")
def place_skin(model, ws, i):
    """Lays skin i where its node is; far below the node where no facet is near. After all points are placed."""
    table, shapes = model.shape_integers, ws.shapes
    at = model.shape_index[i, SHAPE_INTEGERS]
    reach = model.shape_floats[model.shape_index[i, SHAPE_FLOATS] + SKIN_REACH]
    x = vec(shapes, table[at + SKIN_NODE], SHAPE_P)
    best, chosen, over = FAR, -1, 0
    normal, weights = (0.0, 0.0, 1.0), (0.0, 0.0, 0.0, 0.0)
    for f in range(table[at + SKIN_FACETS]):
        row = at + SKIN_TABLE + FACET_INTEGERS * f
        count, rim = table[row + FACET_COUNT], table[row + SKIN_FACET_RIM]
        first = table[row + FACET_ROW]
        a, b = vec(shapes, first, SHAPE_P), vec(shapes, table[row + FACET_ROW + 1], SHAPE_P)
        if count == 2:
            # a plane solid: z of its nodes is across its plane
            e = (shapes[first, SHAPE_R + 2], shapes[first, SHAPE_R + 5], shapes[first, SHAPE_R + 8])
            gap, n, w = near_segment(x, a, b, e, rim)
        else:
            c = vec(shapes, table[row + FACET_ROW + 2], SHAPE_P)
            if count == 3:
                gap, n, (u, v, z) = near_triangle(x, a, b, c, whole_triangle(rim))
                w = (u, v, z, 0.0 * z)
            else:
                gap, n, w = near_quadrangle(x, a, b, c, vec(shapes, table[row + FACET_ROW + 3], SHAPE_P), rim)
        above = is_over(w, count)
        nearer = abs(gap) < abs(best)
        if above != over and chosen >= 0:  # a facet reaches over its rim; the one that the node is over counts
            within = gap if above == 1 else best
            if abs(within) < BEYOND * reach:
                nearer = above == 1
        if nearer and gap > -reach:
            best, chosen, over, normal, weights = gap, row, above, n, w
    _lay(ws, i, table, chosen, best, normal, weights, x)


@kernel
def _lay(ws, i, table, chosen, gap, n, weights, x):
    """The plane of skin i, across n below the point x; it moves with the facet in row `chosen`, if any."""
    shapes = ws.shapes
    shapes[i, SKIN_FACET] = chosen
    velocity, omega = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    most = 0.0
    if chosen >= 0:
        for k in range(table[chosen + FACET_COUNT]):
            row, w = table[chosen + FACET_ROW + k], weights[k]
            shapes[i, SKIN_WEIGHT + k] = w
            velocity = add(velocity, scale(w, vec(shapes, row, SHAPE_V)))
            if w > most:
                most, omega = w, vec(shapes, row, SHAPE_OMEGA)
    t = (0.0, -n[2], n[1]) if n[0] * n[0] < 0.5 else (-n[1], n[0], 0.0)
    t = scale(1.0 / math.sqrt(dot(t, t)), t)
    u = cross(n, t)
    put9(shapes, i, SHAPE_R, (t[0], u[0], n[0], t[1], u[1], n[1], t[2], u[2], n[2]))
    put3(shapes, i, SHAPE_P, add(x, scale(-gap, n)))
    put3(shapes, i, SHAPE_V, velocity)
    put3(shapes, i, SHAPE_OMEGA, omega)


@optional_kernel("skins")
def spread_skin(model, ws, i):
    """Hands what acts on skin i to the nodes of its facet: the force by their weights, and its moment, which friction
    makes, to the nearest of them, with which the skin turns."""
    table, shapes = model.shape_integers, ws.shapes
    chosen = int(shapes[i, SKIN_FACET])
    force, moment = vec(shapes, i, SHAPE_FORCE), vec(shapes, i, SHAPE_MOMENT)
    if chosen >= 0:
        most, nearest, foot = 0.0, -1, (0.0, 0.0, 0.0)
        for k in range(table[chosen + FACET_COUNT]):
            row, w = table[chosen + FACET_ROW + k], shapes[i, SKIN_WEIGHT + k]
            accumulate3(shapes, row, SHAPE_FORCE, scale(w, force))
            foot = add(foot, scale(w, vec(shapes, row, SHAPE_P)))
            if w > most:
                most, nearest = w, row
        if nearest >= 0:  # beyond a rim the forces at its ends are beside the line
            aside = cross(sub(vec(shapes, i, SHAPE_P), foot), force)
            accumulate3(shapes, nearest, SHAPE_MOMENT, add(moment, aside))
    for k in range(6):
        shapes[i, SHAPE_MOMENT + k] = 0.0
