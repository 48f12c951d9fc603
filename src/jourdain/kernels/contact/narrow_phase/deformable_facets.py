"""Deformable surfaces in contact with the nodes of another solid by penalty laws (node-to-segment contact).

For each node that may touch there is a *skin*: a plane that is placed at every evaluation through the point of the
facets nearest to the node, normal to the line between the two. Contact laws treat it as any plane. Its load goes to the
nodes of the facet by the shape functions at that point (Kim 1999, eqs. 2.63 to 2.67), so both bodies get forces along
one line: momentum is conserved, and as the gap is a distance, so is energy with an elastic law.
"""

from __future__ import annotations

import math

from ...algebra import Vec3, cross
from ...compiler import kernel, optional_kernel
from ...surface_contact.closest_point import (
    BEYOND,
    FAR,
    is_over,
    near_quadrangle,
    near_segment,
    near_triangle,
    whole_triangle,
)
from .unit_vectors import across_vector, axes_about

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
    at = model.shapes[i].integers
    reach = model.shape_floats[model.shapes[i].floats + FACET_PLANE_REACH]
    x = shapes[table[at + FACET_PLANE_NODE]].p_WS
    best, chosen, over = FAR, -1, 0
    normal, weights = Vec3(0.0, 0.0, 1.0), (0.0, 0.0, 0.0, 0.0)
    for f in range(table[at + FACET_PLANE_COUNT]):
        row = at + FACET_PLANE_TABLE + FACET_INTEGERS * f
        count, rim = table[row + FACET_COUNT], table[row + FACET_PLANE_RIM]
        first = table[row + FACET_ROW]
        a, b = shapes[first].p_WS, shapes[table[row + FACET_ROW + 1]].p_WS
        # gap, unit normal n and weights w (shape functions) of the nearest point of this facet
        if count == 2:
            # plane solid: z of its nodes is normal to its plane
            gap, n, w = near_segment(x, a, b, shapes[first].R_WS.z_axis, rim)
        else:
            c = shapes[table[row + FACET_ROW + 2]].p_WS
            if count == 3:
                gap, n, (u, v, z) = near_triangle(x, a, b, c, whole_triangle(rim))
                w = (u, v, z, 0.0 * z)
            else:
                gap, n, w = near_quadrangle(x, a, b, c, shapes[table[row + FACET_ROW + 3]].p_WS, rim)
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
    shapes, skin = ws.shapes, ws.shapes[i]
    skin.facet = chosen
    velocity, omega = Vec3(0.0, 0.0, 0.0), Vec3(0.0, 0.0, 0.0)
    most = 0.0
    # velocity interpolated by the shape functions; angular velocity of the node with the largest weight
    if chosen >= 0:
        stored = skin.facet_weights
        for k in range(table[chosen + FACET_COUNT]):
            row, w = table[chosen + FACET_ROW + k], weights[k]
            stored[k] = w
            velocity += w * shapes[row].velocity
            if w > most:
                most, omega = w, shapes[row].omega
    # any axes across n: R_WS = (t, n x t, n)
    t = across_vector(n)
    t = 1.0 / math.sqrt(t @ t) * t
    skin.R_WS, skin.p_WS = axes_about(t, n), x - gap * n
    skin.velocity, skin.omega = velocity, omega


@optional_kernel("skins")
def spread_facet_load(model, ws, i):
    """Distributes the load of skin i to the nodes of its facet: the force by the shape functions, the moment of
    friction to the node with the largest weight, with which the skin turns.
    """
    table, shapes, skin = model.shape_integers, ws.shapes, ws.shapes[i]
    chosen, weights = skin.facet, skin.facet_weights
    force, moment = skin.force, skin.moment
    if chosen >= 0:
        most, nearest, foot = 0.0, -1, Vec3(0.0, 0.0, 0.0)
        for k in range(table[chosen + FACET_COUNT]):
            row, w = table[chosen + FACET_ROW + k], weights[k]
            shapes[row].force += w * force
            foot += w * shapes[row].p_WS
            if w > most:
                most, nearest = w, row
        if nearest >= 0:  # beyond a rim the foot is not on the line of the force
            shapes[nearest].moment += moment + cross(skin.p_WS - foot, force)
    skin.moment = skin.force = force.zero
