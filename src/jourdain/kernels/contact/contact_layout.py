"""Columns of the tables of contact.

A *shape* is put on a marker; a *contact* is a pair of shapes with its laws; a *site* is one place where they touch. A
contact has a number of slots for sites; what is remembered of a site (latched values, states) is in its slot.

In the kernels A is the first shape of a pair and B the second, W the world; the normal n of a site points from B to A.
"""

from __future__ import annotations

SKIN = -1  # CLASS of a plane that is placed on a deformable surface at every evaluation

# ModelArrays.shape_index: integers of a shape
SHAPE_MARKER = 0  # that carries it
SHAPE_CODE = 1  # its place in kind_registry.SHAPES
SHAPE_FLOATS = 2  # where its numbers begin in ModelArrays.shape_floats
SHAPE_INTEGERS = 3  # where its integers begin in ModelArrays.shape_integers
SHAPE_RANK = 4  # of two shapes that may touch, the one of the lower rank comes first
CLASS = 5  # among the kinds and sizes of shapes in its pile, or SKIN
CELL_FLOATS = 6  # where its numbers as a body of cells begin in ModelArrays.shape_floats, for volumetric contact
CELL_INTEGERS = 7  # where its integers as such begin in ModelArrays.shape_integers
LINK = 8  # of a strand, a piece of a line: its number, from 1 on; 0 for all else. Strands touch others of their line
LINK_APART = 9  # strands so many numbers away, or nearer, are its neighbours, which it does not touch
LINK_NET = 10  # of a strand of a net: number of the net, from 1 on; 0 for all else
LINK_ROW = 11  # its line among those of the net, from 1 on, negative for those along y
LINK_SIDE = 12  # how many strands a side of a mesh has
SHAPE_TABLE = 13

# ModelArrays.shape_pose: behind rotation and position in the axes of the marker
BALL = 12  # radius of the ball about its origin that holds it, infinite for planes [m]
THICKNESS = 13  # infinite for half-spaces [m]
HALF = 14  # how deep another shape may go into it: half its thickness, infinite for half-spaces [m]
SHAPE_POSE = 15

# numbers of a shape, in its own axes [m]
# plane: unit normal (3), offset         sphere: radius               edge: unit normals n1 (3), n2 (3)
# cylinder: radius, half length, 1 for a hole      cone: radius of the base, length, 1 for a hole
# box: half lengths (3)                  capsule: radius, half length
# convex, mesh: see narrow_phase/sphere_mesh.py

# Workspace.shapes: motion and load of a shape, world axes. A row is four cache lines of eight numbers. In a pile most
# listed pairs do not touch: for these only the third line of each shape is read
SKIN_WEIGHT = 0  # of a skin: the weights of the points of the facet under its node (4)
STRAND_HALF = 0  # of a strand: half its length now [m]
SHAPE_OMEGA = 4  # angular velocity
SHAPE_R = 7  # rotation
SHAPE_P = 16  # position; a pose is both, in this order
SHAPE_BALL = 19  # BALL of the shape again: this does not change
SHAPE_V = 20  # velocity
SHAPE_ON = 23  # body, where a shape sits on a rigid one without turn or offset, else 0: this does not change
SHAPE_MOMENT = 24  # what acts on it, about its own origin
SHAPE_FORCE = 27
SKIN_FACET = 30  # of a skin: where that facet is in ModelArrays.shape_integers, -1 where there is none
SHAPE_WORK = 32

# Workspace.sites: the sites of one pair, one a row
ROLE = 0  # slot among those of the contact, or -1 where the slot is found by nearness (meshes)
GAP = 1  # signed distance, negative where the shapes overlap [m]
SITE_NORMAL = 2  # unit, out of the second shape towards the first
SITE_POINT = 5  # where the force acts; of an overlap part the centroid
# of an overlap part besides; the finder writes a guess of the normal, and `settle` the normal and the slot
SITE_VOLUME = 8  # [m^3]
SITE_INERTIA = 9  # about the centroid, without density, xx yy zz xy xz yz [m^5]
DEPTH = 15  # its extent along the normal [m]
SITE_AREA = 16  # of the surface of contact [m^2]
SITE_KEY = 17  # names where it is
SITE_PUSH = 18  # force of its foundation on the first shape, over k_v; set by `settle` where the finder cannot [m^3]
SITE_COUPLE = 21  # torque about the centroid over k_v [m^4]
SITE_POTENTIAL = 24  # energy over k_v, negative where it is not known [m^4]
SITE = 25

# ModelArrays.contact_index: integers of a contact
CONTACT_FIRST = 0  # the two shapes, the round one first
CONTACT_SECOND = 1
SIGN = 2  # 1, or -1 where the user named them the other way round
FAMILY = 3  # narrow phase of the pair: kind_registry.FINDERS; those from SPHERE_PLANE on find overlap parts
SLOTS = 4  # how many sites it can have at once
LATCHED = 5  # where its slots begin among the latched values, SLOT numbers each
CONTACT_STATES = 6  # where its slots begin in z, NORMAL_STATES + FRICTION_STATES numbers each
NORMAL_LAW = 7  # code of the normal law
NORMAL_FLOATS = 8  # where the parameters begin in ModelArrays.contact_floats
NORMAL_STATES = 9
FRICTION_LAW = 10  # code of the friction law
FRICTION_FLOATS = 11
FRICTION_STATES = 12
FLOATS_END = 13  # where the parameters of this contact end
CLASSES = 14  # of the shapes of a pile whose stiffness depends on them, or 0
STIFFNESSES = 15  # where a pile's table of stiffnesses, classes x classes, begins in ModelArrays.contact_floats
CONTACT_SIZES = 16  # where a pile's margin and the size above which its shapes are large [m] begin in contact_floats
CONTACT_PARTS = (
    17  # of a volumetric contact: where the memory of its slots goes on among the latched values, PART numbers each
)
SUMS = 18  # where its sums begin in z
PATCHES = 19  # where its slots begin in Workspace.patches
ROOM_POINTS = 20  # how many vertices, or planes of a polyhedron, its overlaps need room for
ROOM_PAIRS = 21  # how many pairs of cells
ROOM_STACK = 22  # how many nodes of two trees
CONTACT_NORMAL = 23  # of a volumetric contact: which way its parts push, see below
CONTACT_TABLE = 24
INERTIA_NORMAL, CONSERVATIVE, POTENTIAL = range(3)
# principal axes of the volume inertia; springs; springs whose potential is known for all parts that the pair can have
# a pile is a contact among many shapes: FIRST is the first of them, SECOND one past the last, SIGN the broad phase
CELLS, SWEEP, LISTS = range(3)

# latched values of a slot; they change only when a step is accepted
SLOT_TOUCHING = 0  # 1 while it touches
SLOT_SPEED = 1  # of the impact; while it does not touch, the speed of approach [m/s]
MARK = 2  # where it touched last, in the axes of the second shape; in a pile the two shapes and the role
# of a part of a volume that is not real yet, MARK is the velocity of the first shape over the second, at its origin
SLOT = 5
# what a slot of a volumetric contact remembers besides
PART_KEY = 0  # -1 less the key while it touches and is not real yet
PART_NORMAL = 1  # in the axes of the second shape; before the part is real, the relative angular velocity
PART = 4

# parameters of a power law
LAW_STIFFNESS = 0  # [N/m^p]
EXPONENT = 1
LAW_DAMPING = 2  # times the impact speed: a v, without unit; of a dashpot [N s/m]
SLOW_SPEED = 3  # [m/s]
RELAXATION = 4  # time constant [s], 0 for none
ADHESIVE = 5  # 1 where it may pull
DEEPEST = 6  # depth beyond which the law does not hold [m]; infinite where that is not known
NORMAL_PARAMETERS = 7
# parameters of a foundation: as above, STIFFNESS in [N/m^3], or [N/m^2] where it follows the patch, and
FOLLOWING = 1  # 1 where the stiffness is STIFFNESS over the radius of gyration
SPIN_FACTOR = 5  # of the spinning torque
LAW_INTEGRATED = 7  # 1 where the Contensou factors are integrated
FOUNDATION_PARAMETERS = 8
# its states
STATE_ELASTIC = 0  # elastic work done on the foundation so far [J]
STATE_OFFSET = 1  # volume found at touchdown that has not relaxed yet [m^3]
# sums of a volumetric contact
REMAINED = 0  # elastic work left over when parts vanished [J]
RELAXED = 1  # work of relaxation [J]
SUMMED = 2

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

# Workspace.listed: what was known of a shape when the pairs were listed, behind its place
LISTED_BALL = 3  # BALL
LISTED_RANK = 4
LISTED_CODE = 5
LISTED_ON = 6  # SHAPE_ON, where that body floats on a free joint, else 0
LISTED = 8  # a line of cache

# Workspace.lists
BUILT = 0  # 1 when the pairs have been listed
LIST_COUNT = 1  # how many there are, even where there was no room for all
LIST_NUMBER = 2  # how often they have been listed
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

# Workspace.patches: what each part of a volumetric contact does
PATCH_FORCE = 0  # on the first body, world axes [N]
PATCH_TORQUE = 3  # about the centroid: rolling resistance and spinning friction [N m]
PATCH_POINT = 6  # centroid [m]
PATCH_NORMAL = 9  # out of the second body
PATCH_VOLUME = 12  # [m^3]
PATCH_AREA = 13  # [m^2]
PATCH_DEPTH = 14  # [m]
PATCH_LOAD = 15  # normal force [N]
PATCH_PRESSURE = 16  # normal force over area [Pa]
PATCH_PEAK = 17  # largest pressure of the foundation [Pa]
PATCH_STICK = 18  # 0 while it slides, 1 when it sticks
PATCH_SLIP = 19  # [m/s]
PATCH_SPIN = 20  # relative angular velocity about the normal [rad/s]
PATCH_ENERGY = 21  # elastic and in the bristles [J]
PATCH_INERTIA = 22  # about the centroid, without density, xx yy zz xy xz yz [m^5]
PATCH = 28

# Workspace.found: sites of the parts that volumetric contacts had last, by their PATCHES; behind them a row a contact
FOUND_HOW_MANY = 0  # how many parts, over FOUND_NONE + 1; FOUND_NONE where none are kept yet, 0 outside of runs
FOUND_FIRST = 1  # pose of the first shape with them
FOUND_SECOND = 13  # and of the second
FOUND_WIDTH = 25
FOUND_NONE = 1

# Workspace.peaks: what a contact asked of the step since it was last looked at
PEAK_STIFFNESS = 0  # of the normal force [N/m]
PEAK_DAMPING = 1  # of the normal force [N s/m]
PEAK_FRICTION = 2  # damping along the surface [N s/m]
PEAK_STICK = 3  # damping along the surface where the site of PEAK_FRICTION comes to stick [N s/m]
PEAK_SHAPES = 4  # the two shapes
PEAK_FIRST = 6  # point and normal in the axes of the first shape
PEAK_SECOND = 12  # and of the second: the shapes have moved on when it is looked at
PEAK = 18

# Workspace.flights: a contact at the last accepted step, and whether fixed steps are too long for it
FLIGHT_GAP = 0  # the smallest of its sites, negative where it touches or nothing is known yet [m]
FLIGHT_SPEED = 1  # at which the gap changes at most [m/s]
FLIGHT_STEP = 2  # the step that would have seen a touch that the last ones may have missed, or 0 [s]
FLIGHT_DEPTH = 3  # where it is too deep: how deep [m]
FLIGHT_MOST = 4  # and what is allowed [m]
FLIGHT_SHAPES = 5  # of which two shapes
FLIGHT = 7
