"""Columns of the tables of surface contact by Lagrange multipliers, node to segment and mortar.

A pair is a surface whose nodes touch, and what they touch: a rigid shape, or facets of another surface. A node's gap
is linear in the places of the points around it, n . sum_k weights[k] x_k, less the shape's own place.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from ..algebra import Vec2, Vec3, Wrench
from ..rows import Row, row_at


class SurfacePair(Row):
    """`SurfaceContact.pairs`."""

    shape: int  # row of the shape that is touched, -1 where it is a surface
    facet: int  # first facet that is touched
    facets: int
    own: int  # first facet of the surface whose nodes touch
    owns: int
    node: int  # first node
    nodes: int
    form: int  # NODE or MORTAR
    plane: int  # marker whose z axis is across the plane of the segments, -1 in space
    friction: int  # 1 where there is friction
    group: int  # first group of the facets that are touched
    groups: int
    wrench: int  # row of Workspace.contact_wrenches
    sign: int  # 1 where the nodes are those of the first body named, -1 of the second
    body: int  # marker at the origin of the first body


class SurfaceLaw(Row):
    """`SurfaceContact.laws`, of a pair."""

    mu_static: float
    mu_kinetic: float
    mu_speed: float  # below which friction falls from one to the other [m/s]
    reach: float  # how deep behind a facet is still inside of it [m]
    allowed: float  # gap that may be left where a gap is to be met [m]
    softened: float  # compliance of a normal force that is added to its own, over the mean


class SurfaceNode(Row):
    """`SurfaceContact.nodes`."""

    point: int
    pair: int
    latched: int  # where what is remembered of it begins in Loop.latched


class NodeState(Row):
    """`SurfaceContact.state`: regions of the friction law (Kim 1999, section 4.2.4) and what a node meets."""

    region: int  # now
    region_start: int  # at the start of the step
    region_before: int  # in the last correction
    facet: int  # that it is over, -1 for none
    closed: int  # 1 where its gap is met, so that velocities are too
    twin: int  # 1 more than the node that it meets, and that touches in its place; 0 where there is none


class Fault(Row):
    """`SurfaceContact.fault`: why the last step could not be made, and a node that has to do with it."""

    reason: int
    node: int


NODE, MORTAR = 0, 1


class SurfacePoint(Row):
    """`SurfaceContact.place`: of a point, world axes."""

    position: Vec3  # [m]
    velocity: Vec3  # [m/s]


class Facet(Row):
    """`SurfaceContact.facets`."""

    count: int  # of its points
    points: Annotated[np.ndarray, 4, int]
    nodes: Annotated[np.ndarray, 4, int]  # of its pair that are at these points, -1 where none
    rim: int  # where the surface ends or turns away, in bits (`closest_point.GONE`)


class FacetGroup(Row):
    """`SurfaceContact.groups`: facets that lie beside each other; those of a far group are not looked at."""

    facet: int  # the first
    facets: int


class FacetBox(Row):
    """`SurfaceContact.boxes`: least and largest coordinates of the points of a group [m]."""

    low: Vec3
    high: Vec3


class PolygonCorner(Row):
    """`SurfaceContact.polygon`: of the overlap of two triangles, in the plane of the first (`mortar_3d`)."""

    place: Vec2  # [m]
    side: int  # that begins there: 0 ... 2 of the other triangle, or OWN_SIDE
    kind: int  # 0 ... 2 a corner of the other triangle, OWN_CORNER, or from CUT on where two sides cut
    by_x: Vec3  # derivatives of the integrals of the three weights by its place
    by_y: Vec3


FACETS_OF_A_GROUP = 8


class NodeContact(Row):
    """`SurfaceContact.node`: what is known of a node at the last evaluation, in world axes."""

    gap: float  # [m]
    normal: Vec3  # out of what is touched
    along: Vec3  # tangents
    across: Vec3
    force: Vec3  # on the node [N]
    outward: Vec3  # normal of the surface at the node; zero where it has no facets
    side: Vec2  # unit slip against which friction acts, along both tangents
    radius: float  # of the ball around it, 0 of a node [m]
    area: float  # mortar: of the part of the surface that its gap is the mean of [m^2 or m]
    rate: float  # of the gap [m/s]
    slip: Vec2  # velocity relative to what is touched, along both tangents [m/s]
    start: Annotated[np.ndarray, 3]  # rate and slip at the start of the step [m/s]
    push: float  # what meets its gap, of the last correction [N s^2]
    normal_start: Vec3  # normal at the start of the step, zero where there is none yet
    axes: Annotated[np.ndarray, 9, "normal"]  # normal and tangents
    rates: Annotated[np.ndarray, 3, "rate"]  # of the gap, and slip


OPEN, STICK, SLIPPING, SLIDING, REVERSING = 0, 1, 2, 3, 4

# reasons of a fault, of which 0 is none
NO_STATES, CAPACITY_EXCEEDED, UNSETTLED = 1, 2, 3


class TreeMomentum(Row):
    """`SurfaceContact.balance`: spatial momentum of a tree and what acts on it, about the world's origin."""

    momentum: Wrench  # at the start of the step
    wrench: Wrench  # what acts there
    mean: Wrench  # its mean as the method has it
    trial_wrench: Wrench  # the same at the end
    trial_mean: Wrench
    surfaces: Wrench  # forces of surfaces, or their impulses over the step
    trial: Wrench  # momentum at the end of the trial, then what it lacks


class LatchedNode(Row):
    """What `Loop.latched` remembers of a node from step to step."""

    region: int
    force: Vec3  # on the node [N]
    normal: Vec3


latched_node = row_at(LatchedNode)

LATCHED_NODE = ("region", "force.x", "force.y", "force.z", "normal.x", "normal.y", "normal.z")
"""Its numbers by name."""


class CachedFactors(Row):
    """`SurfaceContact.cached`: what the factors in `matrix` are of, -1 where none are cached."""

    nodes: int
    unknowns: int


CLOSED_AT_MOST = 1000
"""Nodes that can touch at once: their forces are found by a dense matrix, three rows a node."""


class CachedColumns(Row):
    """`ComplianceColumns.cached`."""

    step: int  # how many columns of S^-1 are cached
    mass: int  # and of M^-1
    mu: float  # of the step that they are of
    nu: float
    laid_nodes: int  # nodes, Jacobian and step of the Delassus operators at hand, -1 where there are none
    laid_jacobian: int
    laid_mu: float
    laid_nu: float
