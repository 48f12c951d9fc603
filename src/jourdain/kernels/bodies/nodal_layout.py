"""Where the numbers of nodal bodies stand: all places are counted from the beginning of a body's own."""

from __future__ import annotations

from ..columns import FLOATS, INTEGERS
from ..compiler import kernel

# integers: how many nodes, then where arrays of integers begin
NODAL_NODES = 0
NODAL_FIRST = 1  # (N + 1,) first coordinate of each node
MASS_ROW = 2  # (N + 1,) rows of m
MASS_INDEX = 3  # columns of m
NODAL_PAIR_ROW = 4  # (n + 1,) rows of stiffness and mass of the coordinates
NODAL_PAIR_INDEX = 5  # their columns
MASS_FACTOR = 6  # structure of the factor of the mass of the coordinates
STEP_FACTOR = 7  # structure of the factor of mass and stiffness
STEP_TARGET = 8  # where each pair goes in its values, -1 above the diagonal
# where arrays of floats begin
NODAL_PLACES = 9  # (N, 3) of the nodes [m]
WAYS = 10  # (n, 3) directions of the coordinates
NODAL_SHARES = 11  # (N,) s_a [kg]
MASSES = 12  # m_ab [kg]
STIFF = 13  # K_kl
PAIRED = 14  # M_kl
RAYLEIGH = 15  # alpha [1/s], beta [s]
FACTORED = 16  # values of the factor of the mass
NODAL_STILL = 17  # (N, 3) m times the places [kg m]
NODAL_RIGID = 18  # (n, 6) of M^-1 times M_re what does not follow the deformation: of rotations, of displacements
TIED = 19  # for each direction in which a node that moves is held: its node, the direction, M^-1 m along it (n)
NODAL_DEFORMED = 20  # 1 for a mass with deformation
NODAL_APPLIED = 21  # 1 with forces of velocities on the coordinates
TIES = 22  # how many such directions there are
# of a cable (cable.py)
NODAL_LINE = 23  # where its numbers begin among the floats, below
ELEMENTS = 24  # how many it has, 0 for a body that is no cable
STRETCH_POINTS = 25  # points of an element at which its stretch alone is taken
BENDING_POINTS = 26  # and its curvature too
# of a shell (shell.py), whose numbers begin at NODAL_LINE too; STRETCH_POINTS and BENDING_POINTS are of its elements
SHELLS = 27  # how many elements it has, 0 for a body that is no shell
SHELL_TABLE = 28  # where its own integers begin: rows of its elements, of its folds, and what these point to
FOLDS = 29  # how many edges it is folded along
# of a rod (rod.py), whose numbers begin at NODAL_LINE too, and rows of elements at SHELL_TABLE
RODS = 30  # how many elements it has, 0 for a body that is no rod
NODAL_HEADER = 31

# a cable's own floats: EA [N], EI [N m^2], c of the stretch and of the curvature [s], N_0 [N], mass of an element over
# the 4 x 4 products of its functions S_a S_b (16); then the points
CABLE_EA, CABLE_EI, CABLE_C, CABLE_CB, CABLE_N0, CABLE_MASS, CABLE_POINTS = 0, 1, 2, 3, 4, 5, 21
STRETCH_POINT, STRETCH_REST = 5, 4  # of each: weight [m], S_a' of chord and gradients (3), eps_0
# of each: weight [m], S_a' (3), S_a'' (3), kappa_0 [1/m], weight [m] and eps_0 of the stretch; then c_a at rest (N, 3)
BENDING_POINT, BENDING_REST, BENDING_STRETCH, BENDING_STRETCH_REST = 10, 7, 8, 9
CABLE_BLOCK = 57
"""Numbers of a node in the factor of the matrix of a step of a cable: a block of 6 by 6, and 21 of a symmetric one."""
LANES = 4
"""Elements of a cable that are taken at a time, so that a processor does several at once."""
CABLE_SCRATCH = 27 * LANES
"""Scratch of a cable: chord and gradients of so many elements, their rates, and the forces on them."""
# a shell's own floats: stretching stiffness (11, 22, 33, 12, 13, 23) [N/m], bending stiffness the same [N m], c of both
# [s], strain at rest (11, 22, shear), E t [N/m] and nu of a membrane that wrinkles, else 0, stiffness of a fold over
# its length [N]; then tables
SHELL_A, SHELL_D, SHELL_C, SHELL_CB, SHELL_E0, SHELL_WRINKLE, SHELL_NU, SHELL_FOLD, SHELL_TABLES = (
    0,
    6,
    12,
    13,
    14,
    17,
    18,
    19,
    20,
)
SHELL_ROW = 4  # of each element: where its table begins, how many vectors P it has, where these begin, and their pairs
# a table: points of the stretch: weight [m^2], S_1 and S_2 of each vector; of the curvature: weight, curvature at rest
# (3) [1/m], S_1, S_2, S_11, S_22, S_12 of each. Of a fold: points with weight [m], cos and sin of the angle at rest, of
# each vector what it adds to the tangents along it, across it in the first element and in the second
STRETCH_HEAD, BENDING_HEAD, FOLD_HEAD, FOLD_POINTS = 1, 4, 3, 3
# a rod's own floats: c of the stretch and shear and of the curvature [s]; then tables. A table: two points, each with
# its weight [m], N_a and N_a' of three nodes, EA, GA_y, GA_z, GJ, EI about y and z, Gamma and K at rest; then of each
# node C_22, C_33 and C_23 of its section, times length, and its weights w_2, w_3
ROD_C, ROD_CB = 0, 1
ROD_N, ROD_SLOPE, ROD_D, ROD_REST, ROD_POINT, ROD_NODES, ROD_SECTION, ROD_WEIGHTS = 1, 4, 7, 13, 19, 38, 5, 3
ROD_SCRATCH = 1062
"""Scratch for the matrix of a step of an element (rod_step.py)."""
CABLE_FACTOR = 8
"""Numbers of a row of the factor of its mass: 1 / d and three of L, along x; the same along y and z."""

# ws.flex, of each coordinate: M_re (6), b, answer to the frame (6), to all else, scratch (3); of each node: place, y,
# u', z and scratch (3 each), twice
NODAL_B, NODAL_ANSWER, NODAL_REST, NODAL_SPARE, NODAL_COLUMN, OF_NODES = 6, 7, 13, 14, 16, 17
NODAL_BLOCK, NODE_BLOCK = 17, 18
STATION_COUNT, STATION_ENTRY = 3, 7
CHILD_BLOCK, CHILD_MORE = 12, 72
"""Numbers of a carried body: shapes and answers of each coordinate, and a small matrix."""


@kernel
def integers_of(model, i, what):
    """Where an array of integers of body i begins."""
    at = model.table[i, INTEGERS]
    return at + model.integers[at + what]


@kernel
def floats_of(model, i, what):
    """Where an array of floats of body i begins."""
    return model.table[i, FLOATS] + model.integers[model.table[i, INTEGERS] + what]


@kernel
def chosen(model, i, what):
    """A number of the header."""
    return model.integers[model.table[i, INTEGERS] + what]
