"""Passive efforts: springs, dampers, dry friction and stops of joints, of motors and of internal coordinates."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ..basics.errors import ModelError
from ..basics.pose import Pose
from ..describe.joints.one_axis import OneAxis
from ..kernels.tree.tree_rows import BodyParameters, JointDrive, JointSpring, TreeNode
from .tree_tables import Tree

NODE, BODY, SPRING, DRIVE = TreeNode.columns, BodyParameters.columns, JointSpring.columns, JointDrive.columns

STOP_FREQUENCY = 20.0
"""Frequency of a stop, or of sticking friction, whose stiffness is not given, against the inertia that the joint feels
at the zero configuration with all others locked [Hz]."""
MOTOR_STICTION = 10.0
"""Least stiffness of sticking friction in a drive, over that of the drive's own spring as the motor feels it: a motor
that sticks holds its end of the spring to one part in ten."""
STICTION_DAMPING = 0.5
"""Damping ratio of the elastic part of sticking friction."""


class Spring(NamedTuple):
    """The passive effort of one coordinate: its name, entries of q and v, row of `ModelArrays.joint_springs`."""

    name: str
    q: int
    v: int
    row: np.ndarray


def lay_springs(tree: Tree) -> tuple[np.ndarray, np.ndarray, list[str]]:
    """Entries, rows, and names of those with friction, which come first: they have an anchor among the states."""
    springs = [*_of_joints(tree), *_of_internal(tree), *_of_motors(tree)]
    springs.sort(key=lambda one: one.row[SPRING.friction] == 0.0)
    index = np.array([[one.q, one.v] for one in springs], np.int64).reshape(-1, 2)
    rows = np.array([one.row for one in springs]).reshape(-1, JointSpring.size)
    return index, rows, [one.name for one in springs if one.row[SPRING.friction] > 0.0]


def lay_drives(tree: Tree) -> tuple[np.ndarray, np.ndarray]:
    """Entries of the driven joints and their motors, and the numbers of the drives."""
    index = np.zeros((len(tree.motors), 4), np.int64)
    rows = np.zeros((len(tree.motors), JointDrive.size))
    for at, row, (i, motor) in zip(index, rows, tree.motors.items(), strict=True):
        d = motor.drive
        at[:] = [tree.table[k, column] for k in (i, motor.row) for column in (NODE.q, NODE.v)]
        row[[DRIVE.gear, DRIVE.stiffness, DRIVE.damping]] = d.gear, d.stiffness, d.damping
        row[DRIVE.torque_limit] = math.inf if d.torque_limit is None else d.torque_limit
    return index, rows


def effective_inertia(tree: Tree) -> np.ndarray:
    """Effective inertia (n,) about each one-axis joint at the zero configuration with all others locked."""
    table, data = tree.table, tree.data
    n = len(table)
    poses = [Pose()] * n
    inertia = [np.zeros((6, 6)) for _ in range(n)]  # (angular, linear) about the world's origin, world axes
    for i in range(1, n):
        poses[i] = poses[table[i, NODE.parent]] @ tree.carriers[i]
        R, p = poses[i].rotation, poses[i].position
        xx, yy, zz, xy, xz, yz = data[i, BODY.inertia]
        J = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
        c = _skew(R @ data[i, BODY.first_moment])
        own = np.block([[J, c], [c.T, data[i, BODY.mass] * np.eye(3)]])
        shift = np.block([[np.eye(3), np.zeros((3, 3))], [-_skew(p), np.eye(3)]])
        inertia[i] = shift.T @ own @ shift
    effective = np.zeros(n)
    for i in range(n - 1, 0, -1):
        inertia[table[i, NODE.parent]] += inertia[i]
        z, p = poses[i].rotation[:, 2], poses[i].position
        turn = np.concatenate([z, np.cross(p, z)])
        slide = np.concatenate([np.zeros(3), z])
        turns, slides = tree.items[i - 1].joint.along_axis if i <= len(tree.items) else (1.0, 0.0)  # or a rotor
        S = turns * turn + slides * slide
        effective[i] = S @ inertia[i] @ S + data[i, BODY.armature]
        if i <= len(tree.items):  # a coordinate that it lends its body
            body = tree.items[i - 1].body
            effective[i] += body.lent_inertia + body.lent_arm**2 * inertia[i][5, 5]
    return effective


def _of_joints(tree: Tree) -> list[Spring]:
    found = []
    effective: np.ndarray | None = None
    for i, item in enumerate(tree.items, start=1):
        j = item.joint
        if not isinstance(j, OneAxis):
            continue
        limits = tree.limits(item, j)
        if j.stiffness == 0.0 and j.damping == 0.0 and j.friction == 0.0 and limits is None:
            continue
        if effective is None:
            effective = effective_inertia(tree)
        row = _of_joint(j, limits, effective[i])
        found.append(Spring(j.name, int(tree.table[i, NODE.q]), int(tree.table[i, NODE.v]), row))
    return found


def _of_joint(j: OneAxis, limits: tuple[float, float] | None, effective: float) -> np.ndarray:
    """The row of a one-axis joint with this effective inertia; what is not given is chosen by that."""
    default = effective * (2.0 * math.pi * STOP_FREQUENCY) ** 2
    needed = {
        "limit_stiffness": limits is not None and j.limit_stiffness is None,
        "friction_stiffness": j.friction > 0.0 and j.friction_stiffness is None,
    }
    for what, wanted in needed.items():
        if wanted and not default > 0.0:
            raise ModelError.at(j.name, f"feels no inertia at the zero configuration to choose {what} by; give {what}=")
    row = np.zeros(JointSpring.size)
    row[SPRING.stiffness], row[SPRING.rest] = j.stiffness, j.rest
    row[SPRING.damping], row[SPRING.friction] = j.damping, j.friction
    if j.friction > 0.0:
        k = default if j.friction_stiffness is None else j.friction_stiffness
        row[SPRING.friction_stiffness] = k
        row[SPRING.friction_damping] = 2.0 * STICTION_DAMPING * math.sqrt(k * effective)
    if limits is not None:
        row[SPRING.low], row[SPRING.high] = limits
        row[SPRING.limit_stiffness] = default if j.limit_stiffness is None else j.limit_stiffness
        row[SPRING.limit_damping] = 0.0 if j.limit_damping is None else j.limit_damping
    return row


def _of_internal(tree: Tree) -> list[Spring]:
    """Stops of the internal coordinates that have ends.

    Without a stiffness they get that of `STOP_FREQUENCY` against what moves of the body and all that it carries.
    """
    table, data = tree.table, tree.data
    found = []
    for i, item in enumerate(tree.items, start=1):
        for name, one in item.body.ends.items():
            carried = np.zeros(len(table))
            for j in range(len(table) - 1, i, -1):
                carried[j] += data[j, BODY.mass]
                carried[table[j, NODE.parent]] += carried[j]
            row = np.zeros(JointSpring.size)
            row[SPRING.low], row[SPRING.high] = one.low, one.high
            default = (one.inertia + carried[i]) * (2.0 * math.pi * STOP_FREQUENCY) ** 2
            row[SPRING.limit_stiffness] = default if one.stiffness is None else one.stiffness
            row[SPRING.limit_damping] = 0.0 if one.damping is None else one.damping
            k = item.body.internal.index(name)
            q, v = int(table[i, NODE.e]) + k, int(table[i, NODE.ev]) + k
            found.append(Spring(f"{item.body.name}.{name}", q, v, row))
    return found


def _of_motors(tree: Tree) -> list[Spring]:
    """Dry friction of the motors that have it."""
    found = []
    for motor in tree.motors.values():
        d = motor.drive
        if d.friction > 0.0:
            k = d.friction_stiffness
            if k is None:
                stop = d.rotor_inertia * (2.0 * math.pi * STOP_FREQUENCY) ** 2
                k = max(stop, MOTOR_STICTION * d.stiffness / d.gear**2)
            row = np.zeros(JointSpring.size)
            row[[SPRING.friction, SPRING.friction_stiffness]] = d.friction, k
            row[SPRING.friction_damping] = 2.0 * STICTION_DAMPING * math.sqrt(k * d.rotor_inertia)
            at = tree.table[motor.row]
            found.append(Spring(motor.name, int(at[NODE.q]), int(at[NODE.v]), row))
    return found


def _skew(a: np.ndarray) -> np.ndarray:
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])
