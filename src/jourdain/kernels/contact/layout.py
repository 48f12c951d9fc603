"""Where things stand in the tables of contact.

A *shape* is put on a marker; a *contact* is a pair of shapes with its laws; a *site* is one place where they touch. A
contact has so many slots for sites, and what is remembered of a site (latched values, states) is in its slot.
"""

from __future__ import annotations

# shape codes
PLANE, SPHERE, EDGE, CYLINDER, CONE, BOX, CAPSULE, CONVEX, MESH, CELL = range(10)

# ModelArrays.shape_index: integers of a shape
MARKER = 0  # that carries it
SHAPE = 1  # shape code
SHAPE_FLOATS = 2  # where its numbers begin in ModelArrays.shape_floats
SHAPE_INTEGERS = 3  # where its integers begin in ModelArrays.shape_integers
RANK = 4  # of two shapes that may touch, the one of the lower rank comes first
CLASS = 5  # among the kinds and sizes of shapes in its pile
SHAPE_TABLE = 6

# ModelArrays.shape_pose: behind rotation and position in the axes of the marker
BALL = 12  # radius of the ball about its origin that holds it, infinite for planes [m]
THICKNESS = 13  # infinite for half-spaces [m]
SHAPE_POSE = 14

# numbers of a shape, in its own axes [m]
# plane: unit normal (3), offset         sphere: radius               edge: unit normals n1 (3), n2 (3)
# cylinder: radius, half length, 1 for a hole      cone: radius of the base, length, 1 for a hole
# box: half lengths (3)                  capsule: radius, half length
# convex, mesh: see `meshes`

# Workspace.shapes: what changes, world axes
SHAPE_R = 0  # rotation
SHAPE_P = 9  # position
SHAPE_OMEGA = 12  # angular velocity
SHAPE_V = 15  # velocity
SHAPE_MOMENT = 18  # what acts on it, about its own origin
SHAPE_FORCE = 21
SHAPE_WORK = 24

# Workspace.sites: the sites of one pair, one a row
ROLE = 0  # slot among those of the contact, or -1 where the slot is found by nearness (meshes)
GAP = 1  # signed distance, negative where the shapes overlap [m]
NORMAL = 2  # unit, out of the second shape towards the first
POINT = 5  # where the force acts
SITE = 8

# ModelArrays.contact_index: integers of a contact
FIRST = 0  # the two shapes, the round one first
SECOND = 1
SIGN = 2  # 1, or -1 where the user named them the other way round
FAMILY = 3  # which finder knows the pair
SLOTS = 4  # how many sites it can have at once
LATCHED = 5  # where its slots begin among the latched values, SLOT numbers each
STATES = 6  # where its slots begin in z, NORMAL_STATES + FRICTION_STATES numbers each
NORMAL_LAW = 7
NORMAL_FLOATS = 8  # where the parameters begin in ModelArrays.contact_floats
NORMAL_STATES = 9
FRICTION_LAW = 10
FRICTION_FLOATS = 11
FRICTION_STATES = 12
FLOATS_END = 13  # where the parameters of this contact end
CLASSES = 14  # of the shapes of a pile whose stiffness depends on them, or 0
STIFFNESSES = 15  # where a pile's table of stiffnesses, classes x classes, begins in ModelArrays.contact_floats
SIZES = 16  # where a pile's margin and the size above which its shapes are large [m] begin in contact_floats
CONTACT_TABLE = 17
# a pile is a contact among many shapes: FIRST is the first of them, SECOND one past the last, SIGN the broad phase
CELLS, SWEEP, LISTS = range(3)

# finders
ROUND, POINTS, MESHES, PILE = range(4)

# latched values of a slot; they change only when a step is accepted
TOUCHING = 0  # 1 while it touches
SPEED = 1  # of the impact; while it does not touch, the speed of approach [m/s]
MARK = 2  # where it touched last, in the axes of the second shape; in a pile the two shapes and the role
SLOT = 5

# normal laws: a power of the depth with damping in proportion; a spring and a dashpot; a user's, from USER on
POWER, KELVIN, USER = 0, 1, 2
# parameters of a power law
STIFFNESS = 0  # [N/m^p]
EXPONENT = 1
DAMPING = 2  # times the impact speed: a v, without unit; of a dashpot [N s/m]
SLOW_SPEED = 3  # [m/s]
RELAXATION = 4  # time constant [s], 0 for none
ADHESIVE = 5  # 1 where it may pull
NORMAL_PARAMETERS = 6

# friction laws; a user's from USER_FRICTION on
FRICTIONLESS, BRISTLE, COULOMB, USER_FRICTION = 0, 1, 2, 3
STATIC, KINETIC_FRICTION, BRISTLE_STIFFNESS, BRISTLE_DAMPING, VISCOUS, STRIBECK, DWELL, SMALL_SPEED = range(8)
FRICTION_PARAMETERS = 8

# Workspace.pairs: shapes of piles that may touch soon
PAIR_A = 0
PAIR_B = 1
PAIR_FAMILY = 2
PAIR_PILE = 3
PAIR_NEXT = 4  # the next pair with the same first shape
PAIR_SLOTS = 5  # slots of the roles, -1 where there is none
PAIR = 5

# Workspace.lists
BUILT = 0  # 1 when the pairs have been listed
COUNT = 1  # how many there are, even where there was no room for all
CURSOR = 2  # where to look for a free slot
LIST = 3

# Workspace.felt: what a contact does, all its sites together
FELT_FORCE = 0  # on the first body, world axes [N]
FELT_TORQUE = 3  # about the origin of the first body's shape [N m]
FELT_POINT = 6  # points of action times normal forces
FELT_LOAD = 9  # normal forces [N]
FELT_DEPTH = 10  # the deepest [m]
FELT_SLIP = 11  # the fastest [m/s]
FELT_SITES = 12  # how many
FELT_STORED = 13  # energy [J]
FELT = 14

# Workspace.peaks: what a contact asked of the step since it was last looked at
PEAK_STIFFNESS = 0  # of the normal force [N/m]
PEAK_DAMPING = 1  # of the normal force [N s/m]
PEAK_FRICTION = 2  # damping along the surface [N s/m]
PEAK_POINT = 3
PEAK_NORMAL = 6
PEAK_FIRST = 9  # the shapes
PEAK_SECOND = 10
PEAK = 11

# Workspace.flights: a contact at the last accepted step, and whether fixed steps are too long for it
FLIGHT_GAP = 0  # the smallest of its sites, negative where it touches or nothing is known yet [m]
FLIGHT_SPEED = 1  # at which the gap changes at most [m/s]
FLIGHT_STEP = 2  # the step that would have seen a touch that the last ones may have missed, or 0 [s]
FLIGHT = 3
