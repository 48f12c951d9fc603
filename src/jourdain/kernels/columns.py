"""Columns of the tables of bodies and joints, for kernels that do not read them by name yet (`tree/tree_rows.py`).

Row 0 of every body table is the world, so that roots need no branch; bodies are 1 ... nb, parents before children.
"""

from __future__ import annotations

# ModelArrays.table: integers of a body
PARENT = 0  # row of the body that carries the inboard joint
JOINT = 1  # joint code
Q = 2  # first entry of the joint in q
V = 3  # first entry of the joint in v
DOFS = 4  # how many entries of v the joint has
KIND = 5  # body code
N = 6  # number of internal coordinates
E = 7  # first internal coordinate in q
EV = 8  # first internal coordinate in v
INTEGERS = 9  # where its own integers begin
FLOATS = 10  # where its own floats begin
STATION = 11  # where the floats of the marker that carries the joint begin, in the parent's own data
FLEX = 12  # where its blocks begin in Workspace.flex: M_re (n x 6), M_ee (n x n), b (n); or as bodies/nodal.py has it
PHI = 13  # where the shapes of the carrying marker begin in Workspace.flex: (n of the parent) x 6
SIDE = 14  # 1 where a child other than the next body hangs on it

# ModelArrays.data: floats of a body, in its kernel frame
MASS = 12  # [kg]
MOMENT = 13  # mass times centre of mass [kg m]
INERTIA = 16  # about the frame's origin [kg m^2], xx yy zz xy xz yz

# ModelArrays.springs: passive effort of a one-axis joint
SPRING_STIFFNESS, SPRING_DAMPING, SPRING_FRICTION, FRICTION_STIFFNESS, FRICTION_DAMPING = 0, 2, 3, 4, 5
LOW, HIGH, LIMIT_STIFFNESS, LIMIT_DAMPING = 6, 7, 8, 9

# ModelArrays.drives
GEAR, DRIVE_STIFFNESS, DRIVE_DAMPING = 0, 1, 2

# Workspace.work: what changes, in world axes; moments and inertias about the body's own origin; velocities and
# accelerations as seen from axes that do not turn (in an orbit, row 0 does)
ROT = 0
POS = 9
OMEGA = 12
VEL = 15
ART_J = 27  # inertia of what hangs on it, articulated or composite: J, H, M
ART_H = 33
ART_M = 42
FORCE = 48  # bias force (moment, force), less what is applied
ACC = 54  # acceleration (angular, linear), gravity taken off
MC = 60  # first moment of mass
JW = 63  # inertia

# Workspace.dof: one row for each entry of v
S = 0  # motion of the entry (angular, linear)

# Task.sensors
SENSES_MARKER, SENSES_CONTACT = 0, 1

# places in the integers of a lumped body (the others are in lumped_beam.py)
TURNING = 12  # number of sections whose inertia turns with them
TURNING_AT = 13  # where they begin in its floats
