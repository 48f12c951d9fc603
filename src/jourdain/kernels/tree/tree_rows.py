"""Rows of the tables of a tree: what the recursions read of a model, and what they leave in a workspace.

Row 0 of a table of bodies is the world, so that roots need no branch; bodies are 1 ... nb, parents before children.
"""

from __future__ import annotations

from typing import Annotated

from ..algebra import Inertia, Mat3, Motion, Sym3, Vec3, Wrench
from ..rows import Row


class TreeNode(Row):
    """`ModelArrays.tree`: whole numbers of a body and of its inboard joint."""

    parent: int  # row of the body that carries the inboard joint
    joint: int  # joint code
    q: int  # first entry of the joint in q
    v: int  # first entry of the joint in v
    nv: int  # how many entries of v the joint has
    kind: int  # body code
    ne: int  # number of internal coordinates
    e: int  # first internal coordinate in q
    ev: int  # first internal coordinate in v
    integers: int  # where its own integers begin
    floats: int  # where its own floats begin
    station: int  # where the floats of the marker that carries the joint begin, in the parent's own data
    flex: int  # where its blocks begin in Workspace.flex: M_re (n x 6), M_ee (n x n), b (n); or as nodal_layout.py says
    phi: int  # where the shapes of the carrying marker begin in Workspace.flex: (n of the parent) x 6
    branches: bool  # whether a child other than the next body hangs on it


class BodyParameters(Row):
    """`ModelArrays.bodies`: numbers of a body B on its parent P, in its kernel frame."""

    R_PM: Mat3  # rotation of the carrying marker M
    p_PM: Vec3  # its position [m]; from the station where the parent has internal coordinates
    mass: float  # [kg]
    first_moment: Vec3  # mass times centre of mass [kg m]
    inertia: Sym3  # about the frame's origin [kg m^2]
    pitch: float  # of a screw [m/rad]
    table: Annotated[int, "pitch"]  # of a joint from a table: where its splines begin in ModelArrays.floats
    first_axis: Vec3  # of a universal joint, in the carrier's axes
    second_axis: Vec3  # in the body's axes
    armature: float  # of a one-axis joint: inertia that only its own rate feels [kg m^2], [kg]


class BodyState(Row):
    """`Workspace.bodies`: what changes of a body B on its parent P, in world axes.

    Moments and inertias are about the body's own origin; velocities and accelerations as seen from axes that do not
    turn (in an orbit, row 0 does).
    """

    R_WB: Mat3
    p_WB: Vec3
    omega: Vec3
    velocity: Vec3
    p_PB: Vec3  # from the parent's origin to this one
    bias: Motion  # velocity-product acceleration of the joint and its carrier
    articulated: Inertia  # inertia of what hangs on it, articulated or composite
    bias_force: Wrench  # less what is applied
    acceleration: Motion  # gravity taken off
    first_moment: Vec3  # of mass
    inertia: Sym3
    rest: Motion  # acceleration where no coordinate accelerates, gravity taken off (constraints only)
    # in canonical momenta: momentum (angular about the origin, linear) of the body and all that hangs on it, what acts
    # on them, and the part of the bias force that is not applied
    momentum: Annotated[Wrench, "articulated"]
    load: Annotated[Wrench, "articulated", 6]
    inertial: Annotated[Wrench, "articulated", 12]


class DofState(Row):
    """`Workspace.dofs`: of each entry of v, in the symbols of Featherstone 2008, table 7.1."""

    S: Motion  # motion of the entry
    U: Wrench  # inertia times that motion
    S_root: Annotated[Motion, "U"]  # in the composite algorithm: S about the origin of the root of the tree
    D: float  # apparent inertia of the entry, or its inverse
    u: float  # what is left of the effort, or of the bias force where the acceleration is known


class JointSpring(Row):
    """`ModelArrays.joint_springs`: passive effort of a one-axis joint; [N m] and [rad], or [N] and [m]."""

    stiffness: float
    rest: float
    damping: float
    friction: float
    friction_stiffness: float
    friction_damping: float
    low: float
    high: float
    limit_stiffness: float
    limit_damping: float


class SpringEntries(Row):
    """`ModelArrays.spring_entries`: the entries of the joint of a row of `joint_springs`."""

    q: int
    v: int


class JointDrive(Row):
    """`ModelArrays.joint_drives`: the gear between a motor and its joint, and the motor's limit."""

    gear: float
    stiffness: float
    damping: float
    torque_limit: float


class DriveEntries(Row):
    """`ModelArrays.drive_entries`: the entries of joint and motor of a row of `joint_drives`."""

    joint_q: int
    joint_v: int
    motor_q: int
    motor_v: int


class MarkerPlace(Row):
    """`ModelArrays.markers`: the body, and where the numbers of the station begin where it has internal coordinates."""

    body: int
    station: int


class MarkerPose(Row):
    """`ModelArrays.marker_poses`: of marker M in the kernel frame of its body B."""

    R_BM: Mat3
    p_BM: Vec3


class LoadMarkers(Row):
    """`ModelArrays.load_markers`: where a constant load acts, and the marker in whose axes it is given, -1: world."""

    marker: int
    axes: int


class ConstantLoad(Row):
    """`ModelArrays.constant_loads`."""

    wrench: Wrench


class StrutMarkers(Row):
    """`ModelArrays.strut_markers`: the ends of a strut."""

    first: int
    second: int


class Strut(Row):
    """`ModelArrays.strut_parameters`."""

    stiffness: float  # [N/m]
    length: float  # where the spring has no force [m]
    damping: float  # [N s/m]
    pull: float  # [N]


class PrescribedEntry(Row):
    """`RunTables.motions`: an entry of v that a motion prescribes."""

    v: int
    profile: int  # code of `motions.profile`
    first: int  # where its numbers begin in RunTables.motion_data


SENSES_MARKER, SENSES_CONTACT = 0, 1


class SensedQuantity(Row):
    """`RunTables.sensed_quantities`: what laws sense."""

    kind: int  # SENSES_MARKER or SENSES_CONTACT
    number: int  # of the marker or contact
    first: int  # where it is laid in Workspace.sensed


class RotationGroup(Row):
    """`ModelArrays.rotations`: a joint with a quaternion; its entry in q (of a free one that of the position) and v."""

    q: int
    v: int
    free: bool


class Orbit(Row):
    """`ModelArrays.orbit`: uniform gravity; in an orbital frame what follows is there too."""

    gravity: Vec3  # [m/s^2]
    mu: float  # of the attracting body [m^3/s^2]
    semi_axis: float  # [m]
    eccentricity: float
    mean_anomaly: float  # at time zero [rad]
    mean_motion: float  # [rad/s]
    oblateness: float  # J2 times the square of the equatorial radius [m^2]
    inclination: float  # [rad]
    perigee: float  # its angle from the ascending node [rad]
