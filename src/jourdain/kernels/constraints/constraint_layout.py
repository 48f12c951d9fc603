"""Where the numbers of constraints stand.

A row says  a . v + c = 0  with  a . v = m_A . omega_A + f_A . v_A + m_B . omega_B + f_B . v_B + sum of k_j v_j :
(m, f) are its unit wrenches on its two markers, world axes, at the markers, and k_j coefficients of single velocities.
A multiplier of one lets these wrenches and efforts act. Everything else is made of them.
"""

from __future__ import annotations

# ModelArrays.constraint_index: integers of a constraint
CODE = 0  # kind of constraint
CONSTRAINT_FIRST = 1  # its markers, -1 for none
CONSTRAINT_SECOND = 2
CONSTRAINT_ROW = 3  # its first row
CONSTRAINT_ROWS = 4  # how many rows it has, the holonomic ones first
HOLONOMIC = 5  # how many of them are holonomic
CONSTRAINT_FLOATS = 6  # where its numbers begin in ModelArrays.constraint_floats
ENTRIES = 7  # its first row in ModelArrays.constraint_entries
CONSTRAINT_COUNT = 8  # how many it has there
CONSTRAINT_MOTION = (
    9  # code of the profile of a length or a coupling, MOVES for those of a displaced frame, -1 for none
)
MOTION_FLOATS = 10  # where its numbers begin in ModelArrays.constraint_floats; of MOVES, three times (code, place)
CONSTRAINT = 11

# kinds of constraints: the joint codes of kernels.layout, and
ROD, ROLLING, NO_SLIP, COUPLING, RATE_COUPLING = 20, 21, 22, 23, 24
MOVES = 100

# ModelArrays.constraint_floats, of each kind
AXES = 0  # joints: rotation whose z is the axis, in both frames' axes (9)
ADVANCE = 9  # screw: pitch [m/rad]
AXIS_FIRST = 0  # universal: its axis in the first frame, that in the second, their product and the scale of its row
AXIS_SECOND = 3
PRODUCT = 6
SLANT = 7
LENGTH = 0  # rod [m]
RADIUS_ROLLED = 0  # rolling [m]; then 1 for a disk and 0 for a ball, and the axis of the disk in the first frame
IS_DISK = 1
AXIS_ROLLED = 2
DIRECTION = 0  # no slip: in the first frame (3)
GOAL = 0  # coupling: what it is to be where no profile says so; then its coefficients

# ModelArrays.constraint_entries: entry of q (-1 for a coupling of velocities), entry of v, place of its coefficient
CONSTRAINT_ENTRY = 3

# Workspace.rows
ON_FIRST = 0  # moment, force on the first marker
ON_SECOND = 6  # moment, force on the second marker
VALUE = 12  # how far the row is violated [m, rad]; 0 of rows that are not holonomic
ROW_RATE = 13  # a . v + c
BIAS = 14  # da/dt . v + dc/dt: what a row's acceleration has besides a . dv/dt
DRIFT = 15  # c
ROW_FORCE = 16  # its multiplier
SWING = 17  # dw/dt . V + dc/dt: what a row's acceleration has besides its wrenches times the markers' accelerations
ROW_WORK = 18

# RunTables.constraining
GAIN_VALUE = 0  # what Baumgarte's method adds for the violation of a row [1/s^2]
GAIN_RATE = 1  # and for its rate [1/s]
KEEP_TOLERANCE = 2  # of what is solved by iteration, over the size of the model
KEEP_APPLIED = 3  # 1 where the three stages are called in models without constraints too
KEEP_MOVED = 4  # 1 where constraints move with time
PRECISION = 5  # of conjugate gradients: what is left of the right side, over it, in the norm of the preconditioner
REFRESH = 6  # evaluations after which their preconditioner is made anew
BLOCKS = 7  # 1 where it is the blocks on the diagonal, 0 where it is a factor
OPENING = 8  # violation of a row at an accepted step beyond which a run has left its constraints [m, rad]
KEEP_LOOKS = 9  # 1 where nothing has laid the rows at an accepted step before it is looked at
CONSTRAINING = 10

# ModelArrays.struts: springs and dampers between two markers, along the line through them
STRUT_STIFFNESS, STRUT_LENGTH, STRUT_DAMPING, STRUT_PULL = 0, 1, 2, 3
STRUT = 4
