"""Rows of the tables of constraints.

A row of a constraint says  a . v + c = 0  with  a . v = F_A . V_A + F_B . V_B + sum of k_j v_j : F_A and F_B are its
unit wrenches on its two markers, world axes, at the markers, and k_j coefficients of single velocities. A multiplier of
one lets these wrenches and efforts act. Everything else is made of them.
"""

from __future__ import annotations

from ..algebra import Mat3, Vec3, Wrench
from ..rows import Row, table_of

MOVES = 100
"""The `motion` of a constraint whose second frame is displaced."""


class Constraint(Row):
    """`ModelArrays.constraints`: whole numbers of a constraint."""

    kind: int
    marker_A: int  # its markers, -1 for none
    marker_B: int
    row: int  # its first row
    rows: int  # how many rows it has, the holonomic ones first
    holonomic: int  # how many of them are holonomic
    floats: int  # where its numbers begin in ModelArrays.constraint_floats
    entry: int  # its first row in ModelArrays.coupled_entries
    entries: int  # how many it has there
    motion: int  # profile of a length or a coupling, MOVES for those of a displaced frame, -1 for none
    motion_floats: int  # where its numbers begin in constraint_floats; of MOVES, three times (profile, place)


class CoupledEntry(Row):
    """`ModelArrays.coupled_entries`: a coordinate that a coupling has in its sum."""

    q: int  # -1 for a coupling of velocities
    v: int
    coefficient: int  # its place in constraint_floats


class JointNumbers(Row):
    """In `ModelArrays.constraint_floats`, of a joint with an axis."""

    axes: Mat3  # rotation whose z is the joint's axis, in both frames' axes


class ScrewNumbers(JointNumbers):
    """The same of a screw."""

    pitch: float  # [m/rad]


class UniversalNumbers(Row):
    """The same of a universal joint."""

    axis_A: Vec3  # its axis in the first frame
    axis_B: Vec3  # and in the second
    product: float  # of both
    scale: float  # of its row


class RollingNumbers(Row):
    """The same of a disk or a ball that rolls."""

    radius: float  # [m]
    disk: bool
    axis: Vec3  # of the disk in the first frame


class ConstraintRow(Row):
    """`Workspace.constraint_rows`: of a row of a constraint."""

    on_A: Wrench  # at marker A
    on_B: Wrench  # at marker B
    value: float  # how far the row is violated [m, rad]; 0 of rows that are not holonomic
    rate: float  # a . v + c
    bias: float  # da/dt . v + dc/dt: what a row's acceleration has besides a . dv/dt
    drift: float  # c
    multiplier: float
    swing: float  # dF/dt . V + dc/dt: what a row's acceleration has besides F . A of the markers' accelerations A


class Stabilization(Row):
    """`RunTables.stabilization`: how a run is kept on its constraints."""

    value_gain: float  # what Baumgarte's method adds for the violation of a row [1/s^2]
    rate_gain: float  # and for its rate [1/s]
    tolerance: float  # of what is solved by iteration, over the size of the model
    in_trees: bool  # whether the three stages are called in models without constraints too
    rheonomic: bool  # whether constraints move with time
    residual: float  # that conjugate gradients leave, over the right side, in the norm of the preconditioner
    refresh: float  # evaluations after which their preconditioner is made anew
    block_diagonal: bool  # whether it is the blocks on the diagonal; a factor otherwise
    drift_limit: float  # violation at an accepted step beyond which a run has left its constraints [m, rad]
    rows_stale: bool  # whether nothing has laid the rows at an accepted step before it is looked at


joint_numbers, screw_numbers = map(table_of, (JointNumbers, ScrewNumbers))
universal_numbers, rolling_numbers = map(table_of, (UniversalNumbers, RollingNumbers))
