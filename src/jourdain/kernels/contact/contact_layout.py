"""Columns of the tables of contact.

A *shape* is put on a marker; a *contact* is a pair of shapes with its laws; a *site* is one place where they touch. A
contact has a number of slots for sites; what is remembered of a site (latched values, states) is in its slot.

In the kernels A is the first shape of a pair and B the second, W the world; the normal n of a site points from B to A.
"""

from __future__ import annotations

FACET_PLANE = -1  # CLASS of a plane that is placed on a deformable surface at every evaluation

# ModelArrays.shape_index: integers of a shape
SHAPE_MARKER = 0  # marker that carries it
SHAPE_CODE = 1  # its place in kind_registry.SHAPES
SHAPE_FLOATS = 2  # where its parameters begin in ModelArrays.shape_floats
SHAPE_INTEGERS = 3  # where its integers begin in ModelArrays.shape_integers
SHAPE_RANK = 4  # of the two shapes of a pair the one of lower rank comes first
CLASS = 5  # class of kind and size in its pile, or FACET_PLANE
CELL_FLOATS = 6  # for volumetric contact: where its floats as a body of cells begin in ModelArrays.shape_floats
CELL_INTEGERS = 7  # and its integers as such in ModelArrays.shape_integers
LINK = 8  # of a strand, a segment of a cable: its number from 1 on, else 0; strands touch others of their own cable
LINK_APART = 9  # strands whose numbers differ by no more than this are neighbours, which do not touch
LINK_NET = 10  # of a strand of a net: number of the net from 1 on, else 0
LINK_ROW = 11  # its line among those of the net from 1 on, negative for those along y
LINK_SIDE = 12  # number of strands along a side of a mesh of the net
SHAPE_TABLE = 13

# ModelArrays.shape_pose: R_MS (9) and p_MoSo_M (3) of the shape S on its marker M, then
BALL = 12  # radius of its bounding sphere about its origin, infinite for planes [m]
THICKNESS = 13  # infinite for half-spaces [m]
HALF = 14  # largest allowed penetration: half its thickness, infinite for half-spaces [m]
SHAPE_POSE = 15

# parameters of a shape, in its own axes [m]
# plane: unit normal (3), offset         sphere: radius               edge: unit normals n1 (3), n2 (3)
# cylinder: radius, half length, 1 for a hole      cone: radius of the base, length, 1 for a hole
# box: half lengths (3)                  capsule: radius, half length
# convex, mesh: see narrow_phase/sphere_mesh.py

# Workspace.shapes: motion and load of a shape, world axes. A row is four cache lines of eight numbers. In a pile most
# listed pairs do not touch: for these only the third line of each shape is read
FACET_PLANE_WEIGHT = 0  # of a skin: shape functions of the points of the facet under its node (4)
SEGMENT_HALF = 0  # of a strand: half its present length [m]
SHAPE_OMEGA = 4  # angular velocity omega_WS
SHAPE_R = 7  # rotation R_WS
SHAPE_P = 16  # position p_WoSo; a pose is both, in this order
SHAPE_BALL = 19  # copy of BALL (constant)
SHAPE_V = 20  # velocity of So
SHAPE_ON = 23  # rigid body whose frame the shape has, else 0 (constant)
SHAPE_MOMENT = 24  # its load: moment about So, force
SHAPE_FORCE = 27
FACET_PLANE_AT = 30  # of a skin: where that facet begins in ModelArrays.shape_integers, -1 for none
SHAPE_WORK = 32

# Workspace.sites: the sites of one pair, one a row
ROLE = 0  # slot among those of the contact, or -1 where the slot is assigned by proximity (meshes)
GAP = 1  # signed distance, negative where the shapes overlap [m]
SITE_NORMAL = 2  # unit normal n from the second shape B to the first A
SITE_POINT = 5  # point C where the force acts; of an overlap part the centroid
# of an overlap part also; the narrow phase writes a guess of the normal, `settle` the normal and the slot
SITE_VOLUME = 8  # [m^3]
SITE_INERTIA = 9  # about the centroid, without density, xx yy zz xy xz yz [m^5]
DEPTH = 15  # its extent along the normal [m]
SITE_AREA = 16  # of the surface of contact [m^2]
SITE_KEY = 17  # names the cells or faces it lies between
SITE_PUSH = 18  # force of its foundation on A over k_v, from the narrow phase or `settle` [m^3]
SITE_COUPLE = 21  # torque about the centroid over k_v [m^4]
SITE_POTENTIAL = 24  # energy over k_v, negative where it is not known [m^4]
SITE = 25

# ModelArrays.contact_index: integers of a contact
CONTACT_FIRST = 0  # the two shapes, in the order of their ranks
CONTACT_SECOND = 1
SIGN = 2  # 1, or -1 where the user named them in the other order
FAMILY = 3  # narrow phase of the pair: kind_registry.FINDERS; those from SPHERE_PLANE on find overlap parts
SLOTS = 4  # largest number of sites at once
LATCHED = 5  # where its slots begin among the latched values, SLOT numbers each
CONTACT_STATES = 6  # where its slots begin in z, NORMAL_STATES + FRICTION_STATES numbers each
NORMAL_LAW = 7  # code of the normal law
NORMAL_FLOATS = 8  # where the parameters begin in ModelArrays.contact_floats
NORMAL_STATES = 9
FRICTION_LAW = 10  # code of the friction law
FRICTION_FLOATS = 11
FRICTION_STATES = 12
FLOATS_END = 13  # where the parameters of this contact end
CLASSES = 14  # number of classes of shapes of a pile whose stiffness depends on them, or 0
STIFFNESSES = 15  # where a pile's table of stiffnesses, classes x classes, begins in ModelArrays.contact_floats
CONTACT_SIZES = 16  # where a pile's margin and the size above which its shapes are large [m] begin in contact_floats
CONTACT_PARTS = (
    17  # of a volumetric contact: where further memory of its slots begins among the latched values, PART each
)
SUMS = 18  # where its sums begin in z
PATCHES = 19  # where its slots begin in Workspace.patches
CAPACITY_POINTS = 20  # scratch capacity of its overlaps: vertices, or planes of a polyhedron
CAPACITY_PAIRS = 21  # pairs of cells
CAPACITY_STACK = 22  # pairs of nodes of the two bounding-volume hierarchies
CONTACT_NORMAL = 23  # of a volumetric contact: direction of the force of its parts, one of
CONTACT_TABLE = 24
INERTIA_NORMAL, CONSERVATIVE, POTENTIAL = range(3)
# principal axis of the volume inertia; springs (overlap_volumes/springs.py); springs with a known potential
CELLS, SWEEP, LISTS = range(3)
# a pile is a contact among many shapes: CONTACT_FIRST is the first of them, CONTACT_SECOND one past the last, SIGN the
# broad phase: linked cells, sweep and prune, Verlet list

# latched values of a slot; they change only when a step is accepted
SLOT_TOUCHING = 0  # 1 in contact
SLOT_SPEED = 1  # impact speed; without contact the speed of approach [m/s]
MARK = 2  # last position p_BoC_B; in a pile the two shapes and the role
# of an overlap part without a normal yet: relative velocity of A to B at Ao, in the axes of B
SLOT = 5
# further memory of a slot of a volumetric contact
PART_KEY = 0  # key of the part; -1 - key while it has no normal yet
PART_NORMAL = 1  # normal n_B; before there is one, the relative angular velocity omega_BA_B
PART = 4

# parameters of a power law
LAW_STIFFNESS = 0  # [N/m^p]
EXPONENT = 1
LAW_DAMPING = 2  # d / e = a times the impact speed [-]; of a dashpot [N s/m]
SLOW_SPEED = 3  # least impact speed of the damping [m/s]
RELAXATION = 4  # time constant [s], 0 for none
ADHESIVE = 5  # 1 where the force may be tensile
DEEPEST = 6  # depth up to which the law is valid [m]; infinite where that is not known
NORMAL_PARAMETERS = 7
# parameters of a foundation: as above, LAW_STIFFNESS in [N/m^3], or [N/m^2] where FOLLOWING, and
FOLLOWING = 1  # 1 where k_v is LAW_STIFFNESS over the radius of gyration
SPIN_FACTOR = 5  # factor of the spinning torque
LAW_INTEGRATED = 7  # 1 where the Contensou factors are integrated
FOUNDATION_PARAMETERS = 8
# its states
STATE_ELASTIC = 0  # elastic work done on the foundation so far [J]
STATE_OFFSET = 1  # volume at touchdown that has not relaxed yet [m^3]
# sums of a volumetric contact
REMAINED = 0  # elastic work left over when parts vanished [J]
RELAXED = 1  # work of relaxation [J]
SUMMED = 2

STATIC, KINETIC_FRICTION, BRISTLE_STIFFNESS, BRISTLE_DAMPING, VISCOUS, STRIBECK, DWELL, SMALL_SPEED = range(8)
FRICTION_PARAMETERS = 8

# Workspace.pairs: pairs of the broad phase, shapes of piles that may touch soon
PAIR_A = 0
PAIR_B = 1
PAIR_FAMILY = 2
PAIR_PILE = 3
PAIR_NEXT = 4  # the next pair with the same first shape
PAIR_SLOTS = 5  # slots of the roles, -1 where there is none
PAIR = 5

# Workspace.listed: a shape when the pairs were listed: its position (3), then
LISTED_BALL = 3  # BALL
LISTED_RANK = 4
LISTED_CODE = 5
LISTED_ON = 6  # SHAPE_ON, where that body floats on a free joint, else 0
LISTED = 8  # a cache line

# Workspace.lists
BUILT = 0  # 1 once the pairs have been listed
LIST_COUNT = 1  # number of pairs, also beyond the capacity of the list
LIST_NUMBER = 2  # number of times they have been listed
LIST = 3

# Workspace.contact_wrenches: the wrench of a contact, sums over all its sites
WRENCH_FORCE = 0  # on the first body, world axes [N]
WRENCH_TORQUE = 3  # about the origin of the first body's shape [N m]
WRENCH_POINT = 6  # sum of points of action times normal forces
WRENCH_LOAD = 9  # sum of normal forces [N]
WRENCH_DEPTH = 10  # largest depth [m]
WRENCH_SLIP = 11  # largest slip speed [m/s]
WRENCH_SITES = 12  # number of sites
WRENCH_STORED = 13  # stored energy [J]
CONTACT_WRENCH = 14

# Workspace.patches: results of each part of a volumetric contact
PATCH_FORCE = 0  # on the first body, world axes [N]
PATCH_TORQUE = 3  # about the centroid: rolling resistance and spinning friction [N m]
PATCH_POINT = 6  # centroid [m]
PATCH_NORMAL = 9  # from the second body to the first
PATCH_VOLUME = 12  # [m^3]
PATCH_AREA = 13  # [m^2]
PATCH_DEPTH = 14  # [m]
PATCH_LOAD = 15  # normal force [N]
PATCH_PRESSURE = 16  # normal force over area [Pa]
PATCH_PEAK = 17  # largest pressure of the foundation [Pa]
PATCH_STICK = 18  # 0 sliding, 1 sticking
PATCH_SLIP = 19  # [m/s]
PATCH_SPIN = 20  # relative angular velocity about the normal [rad/s]
PATCH_ENERGY = 21  # elastic energy and that of the bristles [J]
PATCH_INERTIA = 22  # about the centroid, without density, xx yy zz xy xz yz [m^5]
PATCH = 28

# Workspace.found: cache of the overlap parts of volumetric contacts, by their PATCHES; then a row for each contact
FOUND_HOW_MANY = 0  # number of cached parts + FOUND_NONE + 1; FOUND_NONE while empty, 0 outside of runs
FOUND_FIRST = 1  # pose of the first shape
FOUND_SECOND = 13  # and of the second
FOUND_WIDTH = 25
FOUND_NONE = 1

# Workspace.peaks: largest stiffness and damping of a contact since the last check of the step size
PEAK_STIFFNESS = 0  # of the normal force [N/m]
PEAK_DAMPING = 1  # of the normal force [N s/m]
PEAK_FRICTION = 2  # damping along the surface [N s/m]
PEAK_STICK = 3  # damping along the surface if the site of PEAK_FRICTION sticks [N s/m]
PEAK_SHAPES = 4  # the two shapes
PEAK_FIRST = 6  # point and normal in the axes of the first shape
PEAK_SECOND = 12  # and of the second: both have moved by the time of the check
PEAK = 18

# Workspace.flights: a contact at the last accepted step, for the detection of tunnelling
FLIGHT_GAP = 0  # smallest gap of its sites, negative in contact or where it is not known yet [m]
FLIGHT_SPEED = 1  # upper bound of the rate of the gap [m/s]
FLIGHT_STEP = 2  # step that would not have missed a contact where a fixed step may have, or 0 [s]
FLIGHT_DEPTH = 3  # where the penetration is too deep: the depth [m]
FLIGHT_MOST = 4  # and the allowed one [m]
FLIGHT_SHAPES = 5  # and the two shapes
FLIGHT = 7
