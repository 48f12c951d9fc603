"""Columns of the tables of surface contact by Lagrange multipliers, node to segment and mortar.

A pair is a surface whose nodes touch, and what they touch: a rigid shape, or facets of another surface. A node's gap
is linear in the places of the points around it, n . sum_k weights[k] x_k, less the shape's own place.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from ..algebra import Vec3
from ..rows import Row


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

# SurfaceContact.facets: how many points, their numbers, the nodes of its pair that are there, -1 where none, and where
# the surface ends or turns away, in bits (`closest_point.GONE`)
FACET_POINT, FACET_NODE, FACET_RIM = 1, 5, 9
FACET = 10
TOGETHER = 8
"""Facets of a group, which lie beside each other: those of a far group are not looked at."""


class NodeContact(Row):
    """`SurfaceContact.node`: what is known of a node at the last evaluation, in world axes."""

    gap: float  # [m]
    normal: Vec3  # out of what is touched
    along: Vec3  # tangents
    across: Vec3
    slip: Annotated[np.ndarray, 2]  # velocity relative to what is touched, along both tangents [m/s]
    force: Vec3  # on the node [N]
    outward: Vec3  # normal of the surface at the node; zero where it has no facets
    side: Annotated[np.ndarray, 2]  # unit slip against which friction acts, along both tangents
    radius: float  # of the ball around it, 0 of a node [m]
    area: float  # mortar: of the part of the surface that its gap is the mean of [m^2 or m]
    rate: float  # of the gap [m/s]
    start: Annotated[np.ndarray, 3]  # rate and slips at the start of the step [m/s]
    push: float  # what meets its gap, of the last correction [N s^2]
    normal_start: Vec3  # normal at the start of the step, zero where there is none yet
    axes: Annotated[np.ndarray, 9, "normal"]  # normal and tangents
    force_numbers: Annotated[np.ndarray, 3, "force"]


OPEN, STICK, SLIPPING, SLIDING, REVERSING = 0, 1, 2, 3, 4

NO_FAULT, NO_STATES, CAPACITY_EXCEEDED, UNSETTLED = 0, 1, 2, 3

# SurfaceContact.balance: wrenches and momenta of a tree (angular or moment, linear or force), about the world's origin
OF_MOMENTUM = 0  # at the start of the step
OF_WRENCH, OF_MEAN = 6, 12  # what acts there, and its mean as the method has it
OF_TRIAL_WRENCH, OF_TRIAL_MEAN = 18, 24  # the same at the end
OF_SURFACES = 30  # forces of surfaces
OF_TRIAL = 36  # what is lacking
BALANCE_COLUMNS = 42

# what is remembered of a node from step to step: region, force (3), normal (3)
LATCHED_NODE = ("region", "force.x", "force.y", "force.z", "normal.x", "normal.y", "normal.z")

# SurfaceContact.cached: of the factors in `matrix`
CACHED_NODES, CACHED_UNKNOWNS = 0, 1

MOST = 1000
"""Nodes that can touch at once: their forces are found by a dense matrix, three rows a node."""

# ComplianceColumns.cached
CACHED_STEP, CACHED_MASS = 0, 1  # how many columns are cached
CACHED_MU, CACHED_NU = 2, 3  # of the step that they are of
LAID_NODES, LAID_PARTIALS, LAID_MU, LAID_NU = 4, 5, 6, 7  # nodes, derivatives and step of the Delassus operators
CACHED = 8
