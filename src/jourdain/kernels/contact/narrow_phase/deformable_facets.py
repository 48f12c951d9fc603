"""Deformable surfaces in contact with the nodes of another solid by penalty laws (node-to-segment contact).

For each node that may touch there is a *skin*: a plane that is placed at every evaluation through the point of the
facets nearest to the node, normal to the line between the two. Contact laws treat it as any plane. Its load goes to the
nodes of the facet by the shape functions at that point (Kim 1999, eqs. 2.63 to 2.67), so both bodies get forces along
one line: momentum is conserved, and as the gap is a distance, so is energy with an elastic law.
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
    FACET_PLANE_AT,
    FACET_PLANE_WEIGHT,
    SHAPE_FLOATS,
    SHAPE_FORCE,
    SHAPE_INTEGERS,
    SHAPE_MOMENT,
    SHAPE_OMEGA,
    SHAPE_P,
    SHAPE_R,
    SHAPE_V,
)

# integers of a skin: row of its node, number of facets; then of each facet the number of its points, their rows (4) and
# in bits the sides at which the surface ends or turns away
FACET_PLANE_NODE, FACET_PLANE_COUNT, FACET_PLANE_TABLE = 0, 1, 2
FACET_COUNT, FACET_ROW, FACET_PLANE_RIM, FACET_INTEGERS = 0, 1, 5, 6
# its numbers, behind those of a plane: largest depth behind a facet that counts as inside [m]
FACET_PLANE_REACH = 4


@optional_kernel("skins")
def place_facet_plane(model, ws, i):
    """Places skin i under its node, far below where no facet is near; all points are placed first."""
    table, shapes = model.shape_integers, ws.shapes
    at = model.shape_index[i, SHAPE_INTEGERS]
    reach = model.shape_floats[model.shape_index[i, SHAPE_FLOATS] + FACET_PLANE_REACH]
    x = vec(shapes, table[at + FACET_PLANE_NODE], SHAPE_P)
    best, chosen, over = FAR, -1, 0
    normal, weights = (0.0, 0.0, 1.0), (0.0, 0.0, 0.0, 0.0)
    for f in range(table[at + FACET_PLANE_COUNT]):
        row = at + FACET_PLANE_TABLE + FACET_INTEGERS * f
        count, rim = table[row + FACET_COUNT], table[row + FACET_PLANE_RIM]
        first = table[row + FACET_ROW]
        a, b = vec(shapes, first, SHAPE_P), vec(shapes, table[row + FACET_ROW + 1], SHAPE_P)
        # gap, unit normal n and weights w (shape functions) of the nearest point of this facet
        if count == 2:
            # plane solid: z of its nodes is normal to its plane
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
        if above != over and chosen >= 0:  # one facet extends beyond its rim: the one under the node wins
            within = gap if above == 1 else best
            if abs(within) < BEYOND * reach:
                nearer = above == 1
        if nearer and gap > -reach:
            best, chosen, over, normal, weights = gap, row, above, n, w
    _lay(ws, i, table, chosen, best, normal, weights, x)


@kernel
def _lay(ws, i, table, chosen, gap, n, weights, x):
    """Places the plane of skin i below the point x, normal to n; it moves with the facet in row `chosen`, if any."""
    shapes = ws.shapes
    shapes[i, FACET_PLANE_AT] = chosen
    velocity, omega = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    most = 0.0
    # velocity interpolated by the shape functions; angular velocity of the node with the largest weight
    if chosen >= 0:
        for k in range(table[chosen + FACET_COUNT]):
            row, w = table[chosen + FACET_ROW + k], weights[k]
            shapes[i, FACET_PLANE_WEIGHT + k] = w
            velocity = add(velocity, scale(w, vec(shapes, row, SHAPE_V)))
            if w > most:
                most, omega = w, vec(shapes, row, SHAPE_OMEGA)
    # any axes across n: R_WS = (t, n x t, n)
    t = (0.0, -n[2], n[1]) if n[0] * n[0] < 0.5 else (-n[1], n[0], 0.0)
    t = scale(1.0 / math.sqrt(dot(t, t)), t)
    u = cross(n, t)
    put9(shapes, i, SHAPE_R, (t[0], u[0], n[0], t[1], u[1], n[1], t[2], u[2], n[2]))
    put3(shapes, i, SHAPE_P, add(x, scale(-gap, n)))
    put3(shapes, i, SHAPE_V, velocity)
    put3(shapes, i, SHAPE_OMEGA, omega)


@optional_kernel("skins")
def spread_facet_load(model, ws, i):
    """Distributes the load of skin i to the nodes of its facet: the force by the shape functions, the moment of
    friction to the node with the largest weight, with which the skin turns.
    """
    table, shapes = model.shape_integers, ws.shapes
    chosen = int(shapes[i, FACET_PLANE_AT])
    force, moment = vec(shapes, i, SHAPE_FORCE), vec(shapes, i, SHAPE_MOMENT)
    if chosen >= 0:
        most, nearest, foot = 0.0, -1, (0.0, 0.0, 0.0)
        for k in range(table[chosen + FACET_COUNT]):
            row, w = table[chosen + FACET_ROW + k], shapes[i, FACET_PLANE_WEIGHT + k]
            accumulate3(shapes, row, SHAPE_FORCE, scale(w, force))
            foot = add(foot, scale(w, vec(shapes, row, SHAPE_P)))
            if w > most:
                most, nearest = w, row
        if nearest >= 0:  # beyond a rim the foot is not on the line of the force
            aside = cross(sub(vec(shapes, i, SHAPE_P), foot), force)
            accumulate3(shapes, nearest, SHAPE_MOMENT, add(moment, aside))
    for k in range(6):
        shapes[i, SHAPE_MOMENT + k] = 0.0
