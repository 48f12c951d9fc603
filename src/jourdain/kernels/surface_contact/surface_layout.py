"""Columns of the tables of surface contact by Lagrange multipliers, node to segment and mortar.

A pair is a surface whose nodes touch, and what they touch: a rigid shape, or facets of another surface. A node's gap
is linear in the places of the points around it, n . sum_k weights[k] x_k, less the shape's own place.
"""

from __future__ import annotations

# SurfaceContact.pairs
PAIR_SHAPE = 0  # row of the shape that is touched, -1 where it is a surface
PAIR_FACET = 1  # first facet that is touched
PAIR_FACETS = 2
PAIR_OWN = 3  # first facet of the surface whose nodes touch
PAIR_OWNS = 4
PAIR_NODE = 5  # first node
PAIR_NODES = 6
PAIR_FORM = 7  # NODE or MORTAR
PAIR_PLANE = 8  # marker whose z axis is across the plane of the segments, -1 in space
PAIR_FRICTION = 9  # 1 where there is friction
PAIR_GROUP = 10  # first group of the facets that are touched
PAIR_GROUPS = 11
PAIR_WRENCH = 12  # row of Workspace.contact_wrenches
PAIR_SIGN = 13  # 1 where the nodes are those of the first body named, -1 of the second
PAIR_BODY = 14  # marker at the origin of the first body
PAIR_COLUMNS = 15
NODE, MORTAR = 0, 1

# SurfaceContact.numbers, of a pair
MU_STATIC, MU_KINETIC, MU_SPEED = 0, 1, 2
REACH = 3  # how deep behind a facet is still inside of it [m]
ALLOWED = 4  # gap that may be left where a gap is to be met [m]
SOFTENED = 5  # compliance of a normal force that is added to its own, over the mean
PAIR_NUMBERS = 6

# SurfaceContact.nodes
NODE_POINT, NODE_PAIR, NODE_LATCHED = 0, 1, 2
NODE_COLUMNS = 3

# SurfaceContact.facets: how many points, their numbers, the nodes of its pair that are there, -1 where none, and where
# the surface ends or turns away, in bits (`closest_point.GONE`)
FACET_POINT, FACET_NODE, FACET_RIM = 1, 5, 9
FACET = 10
TOGETHER = 8
"""Facets of a group, which lie beside each other: those of a far group are not looked at."""

# SurfaceContact.node: what is known of a node at the last evaluation
NODE_GAP = 0  # [m]
NODE_NORMAL = 1  # out of what is touched, world axes
NODE_ALONG = 4  # tangents
NODE_ACROSS = 7
NODE_SLIP = 10  # velocity relative to what is touched, along both tangents [m/s]
NODE_FORCE = 12  # on the node, world axes [N]
NODE_OUT = 15  # outward normal of the surface at the node; zero where it has no facets
NODE_SIDE = 18  # unit slip against which friction acts, along both tangents
NODE_RADIUS = 20  # of the ball around it, 0 of a node [m]
NODE_AREA = 21  # mortar: of the part of the surface that its gap is the mean of [m^2 or m]
NODE_RATE = 22  # of the gap [m/s]
NODE_START = 23  # rate and slips at the start of the step [m/s]
NODE_PUSH = 26  # what meets its gap, of the last correction [N s^2]
NODE_SEEN = 27  # normal at the start of the step, zero where there is none yet
NODE_FLOATS = 30

# SurfaceContact.state: regions of the friction law (Kim 1999, section 4.2.4) now, at the start of the step and in the
# last correction, and the facet
REGION, REGION_START, REGION_BEFORE, ON_FACET = 0, 1, 2, 3
CLOSED = 4  # 1 where its gap is met, so that velocities are too
TWIN = 5  # 1 more than the node that it meets, and that touches in its place; 0 where there is none
STATE_COLUMNS = 6
OPEN, STICK, SLIPPING, SLIDING, REVERSING = 0, 1, 2, 3, 4

# SurfaceContact.fault: why the last step could not be made, and a node that has to do with it
FAULT, FAULT_NODE = 0, 1
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
