"""Bodies, joints and the rotors of drives as rows of the kernels' tables, with the names of their coordinates."""

from __future__ import annotations

import heapq
import math
from typing import NamedTuple

import numpy as np

from ..basics.errors import ModelError
from ..basics.pose import Pose
from ..describe.bodies.body import Body, RailData
from ..describe.drives import Drive
from ..describe.joints import Joint
from ..describe.joints.one_axis import OneAxis
from ..describe.system import Attachment, System
from ..kernels.bodies.nodal_layout import NodalBody
from ..kernels.kind_registry import NODAL, PRISMATIC, RAIL, REVOLUTE
from ..kernels.model_arrays import carried_block, own_block
from ..kernels.tree.tree_rows import BodyParameters, TreeNode

NODE, BODY = TreeNode.columns, BodyParameters.columns


class Motor(NamedTuple):
    """A drive's rotor: its row, behind those of all bodies, the name of its coordinate, and the drive."""

    row: int
    name: str
    drive: Drive


class Tree:
    """The tree of a system, laid flat.

    items       the bodies with their joints, parents first; row i + 1 of the tables is item i
    motors      rotors of drives, by the row of the body that they move
    held        pose of each body's kernel frame in its own axes
    carriers    undeformed pose of each row's kernel frame in that of its parent
    table, data                     `ModelArrays.tree` and `.bodies`; `kernels.tree.tree_rows` has what stands where
    q_names, v_names, neutral       names of the coordinates and of their rates, and the zero configuration
    q_index                         entry of q that an entry of v is the rate of, -1 where there is none
    owners                          the joint or body that each entry of v belongs to
    groups, paths, lags, ranges     quaternions of joints and of bodies, wrenches of compliant joints, ends
    """

    def __init__(self, system: System) -> None:
        self.items = inside_first(system.attachments)
        self.row = {"world": 0} | {item.body.name: i + 1 for i, item in enumerate(self.items)}
        self.bodies: dict[str, Body] = {item.body.name: item.body for item in self.items}
        self.held: dict[str, Pose] = {"world": Pose()}
        for item in self.items:
            axes = Pose(rotation=item.joint.kernel_axes(item.pose.rotation))
            self.held[item.body.name] = item.body.frame(item.at) @ axes
        self.motors: dict[int, Motor] = {}
        for i, item in enumerate(self.items, start=1):
            name, drive = item.joint.motor_name(), item.joint.drive
            if name is not None and drive is not None:
                self.motors[i] = Motor(len(self.items) + 1 + len(self.motors), name, drive)
        self.carriers: list[Pose] = [Pose()]
        self.integers: list[np.ndarray] = []
        self.floats: list[np.ndarray] = []
        self.integer_count = self.float_count = 0

        self.q_names: list[str] = []
        self.v_names: list[str] = []
        self.neutral: list[float] = []
        self.q_index: list[int] = []
        self.owners: list[str] = []
        self.groups: list[tuple[int, int, int]] = []
        self.paths: list[tuple[int, int, int, int]] = []
        self.lags: list[tuple[int, int]] = []
        self.ranges: dict[str, tuple[float, float]] = {}
        n = len(self.items) + 1 + len(self.motors)
        self.table = np.zeros((n, TreeNode.size), np.int64)
        self.data = np.zeros((n, BodyParameters.size))
        self.data[0, BODY.R_PM] = np.eye(3).ravel()
        flex = 0
        for i, item in enumerate(self.items, start=1):
            flex = self._lay_body(i, item, flex)
        for i, motor in self.motors.items():
            flex = self._lay_rotor(i, motor, flex)

    def keep(self, integers: np.ndarray, floats: np.ndarray) -> tuple[int, int]:
        """Lays a body's own numbers behind those of the others; returns where they begin."""
        at = self.integer_count, self.float_count
        self.integers.append(np.asarray(integers, np.int64))
        self.floats.append(np.asarray(floats, np.float64))
        self.integer_count += len(integers)
        self.float_count += len(floats)
        return at

    def keep_floats(self, floats: np.ndarray) -> int:
        """The same for numbers without integers."""
        return self.keep(np.zeros(0), floats)[1]

    def marker(self, address: str) -> tuple[int, Pose, np.ndarray]:
        """Row of the body, undeformed pose in its kernel frame, and station, of an address."""
        name, _, frame = address.partition(".")
        if name == "world":
            return 0, Pose(), np.zeros(0)
        data = self.bodies[name].marker(frame or "origin", self.held[name])
        return self.row[name], data.pose, data.station

    def place(self, address: str, within: Pose) -> np.ndarray:
        """Position in the zero configuration of a frame `within` another, where the tree alone fixes it."""
        row, pose, _ = self.marker(address)
        pose = pose @ within
        while row > 0:
            item = self.items[row - 1]
            if item.joint.travels or item.body.ends:
                raise ModelError.at(
                    address, "its place in the zero configuration is not fixed by the tree; give length="
                )
            pose = self.carriers[row] @ pose
            row = int(self.table[row, NODE.parent])
        return pose.position

    def rail(self, item: Attachment) -> RailData:
        """What a rail joint travels along."""
        if item.parent == "world":
            return RailData(-math.inf, math.inf)
        return self.bodies[item.parent].rail(self.held[item.parent])

    def limits(self, item: Attachment, joint: OneAxis) -> tuple[float, float] | None:
        """Where the stops of a one-axis joint are: if it was given none, a rail's at the ends of its parent, a winch's
        at those of its cable."""
        if joint.limits is None and item.body.reach is not None:
            return item.body.reach
        if joint.limits is None and joint.travels:
            rail = self.rail(item)
            return (rail.low, rail.high) if math.isfinite(rail.low) else None
        return joint.limits

    def _lay_body(self, i: int, item: Attachment, flex: int) -> int:
        """Row i; `flex` is where its block of `Workspace.flex` begins, and what is returned where the next one does."""
        joint, body, row = item.joint, item.body, self.table[i]
        parent, carrier, station = self.marker(item.to)
        row[NODE.parent], row[NODE.joint] = parent, joint.code
        if parent != i - 1:
            self.table[parent, NODE.branches] = 1
        if joint.travels:
            station = self.rail(item).floats
            row[NODE.joint] = RAIL if len(station) else PRISMATIC

        # what the joint carries: its kernel frame, on a body that bends without the marker's own place
        offset = carrier.rotation @ item.pose.position
        carrier = carrier @ item.pose @ Pose(rotation=joint.kernel_axes(item.pose.rotation))
        self.carriers.append(carrier)
        numbers = self.data[i]
        numbers[BODY.R_PM] = carrier.rotation.ravel()
        bends = self.table[parent, NODE.ne] > 0
        numbers[BODY.p_PM] = offset if bends else carrier.position
        joint.lay(BodyParameters(numbers))
        own_floats = joint.floats()
        if len(own_floats):
            numbers[BODY.table] = self.keep_floats(own_floats)

        # the body
        own = body.data(self.held[body.name])
        row[NODE.kind], row[NODE.ne] = own.kind, len(body.internal)
        numbers[BODY.mass] = own.mass
        numbers[BODY.first_moment] = own.mass * own.com
        J = own.inertia
        numbers[BODY.inertia] = J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]

        # coordinates: of the joint, of its motor, of the body
        if i in self.motors and body.lent:  # a coordinate that the joint lends its body is the first of that
            self._name_motor(self.motors[i], joint)
        self._name_joint(i, row, item)
        if i in self.motors and not body.lent:
            self._name_motor(self.motors[i], joint)
        self._name_internal(i, row, body)
        row[NODE.integers], row[NODE.floats] = self.keep(own.integers, own.floats)
        row[NODE.station] = self.keep_floats(station)

        # blocks of the workspace: its own flexible part, and the shapes of the marker that carries it
        row[NODE.flex] = flex
        nodes = NodalBody(own.integers).nodes if own.kind == NODAL else 0
        flex += own_block(own.kind, len(body.internal), nodes)
        row[NODE.phi] = flex
        return flex + self._carried(parent)

    def _carried(self, parent: int) -> int:
        """Numbers that a body on another one has in `Workspace.flex`."""
        return carried_block(int(self.table[parent, NODE.kind]), int(self.table[parent, NODE.ne]))

    def _name_joint(self, i: int, row: np.ndarray, item: Attachment) -> None:
        """Names and zero configuration of a joint's coordinates."""
        joint = item.joint
        q, v, count = len(self.q_names), len(self.v_names), len(joint.v_names())
        row[NODE.q], row[NODE.v], row[NODE.nv] = q, v, count - item.body.lent
        if joint.turns_freely:
            self.groups.append((q, v, int(joint.kind == "free")))
            self.q_index += [-1] * count
        else:
            self.q_index += range(q, q + count)
            if len(joint.q_names()) > count:  # the wrench of a compliant joint
                self.lags.append((i, q + count))
        self.q_names += joint.q_names()
        self.v_names += joint.v_names()
        self.neutral += joint.neutral().tolist()
        ranged = joint.travels or (isinstance(joint, OneAxis) and item.body.reach is not None)
        limits = self.limits(item, joint) if ranged else None  # type: ignore[arg-type]
        if limits is not None:
            low, high = limits
            self.ranges[joint.name] = low, high
            self.neutral[-1] = min(max(0.0, low), high)
        self.owners += [joint.name] * count

    def _name_motor(self, motor: Motor, joint: Joint) -> None:
        """The coordinate of a motor, behind those of its joint."""
        row = self.table[motor.row]
        row[NODE.q], row[NODE.v] = len(self.q_names), len(self.v_names)
        self.q_index.append(len(self.q_names))
        self.q_names.append(motor.name)
        self.v_names.append(motor.name)
        self.neutral.append(0.0)
        self.owners.append(joint.name)

    def _name_internal(self, i: int, row: np.ndarray, body: Body) -> None:
        """Names of a body's internal coordinates, and of the quaternions that depend on the way it deformed."""
        q, inner = len(self.q_names), body.coordinate_names()[body.lent :]
        row[NODE.e], row[NODE.ev] = q - body.lent, len(self.v_names) - body.lent
        self.q_index += range(q, q + len(inner))
        self.q_names += inner
        self.v_names += inner
        own = body.internal[body.lent :]
        self.neutral += [body.ends[name].low if name in body.ends else 0.0 for name in own]
        self.ranges |= {f"{body.name}.{name}": (one.low, one.high) for name, one in body.ends.items()}
        self.owners += [body.name] * len(inner)
        for frame in body.paths:
            held = self.held[body.name]
            where = self.keep_floats(body.marker(frame, held).station)
            self.paths.append((len(self.q_names), i, where, self.keep_floats(held.rotation.ravel())))
            self.q_names += [f"{body.name}.{frame}.{part}" for part in ("qw", "qx", "qy", "qz")]
            self.neutral += [1.0, 0.0, 0.0, 0.0]

    def _lay_rotor(self, i: int, motor: Motor, flex: int) -> int:
        """The row of the rotor that drives body i: inertia about the joint's axis, carried by the same marker."""
        self.carriers.append(self.carriers[i])
        row, driven = self.table[motor.row], self.table[i]
        row[NODE.parent], row[NODE.station] = driven[NODE.parent], driven[NODE.station]
        row[NODE.joint], row[NODE.nv] = REVOLUTE, 1
        row[NODE.flex] = row[NODE.phi] = flex
        self.table[driven[NODE.parent], NODE.branches] = 1
        self.data[motor.row, : BODY.mass] = self.data[i, : BODY.mass]
        self.data[motor.row, BODY.inertia.start + 2] = motor.drive.rotor_inertia
        return flex + self._carried(int(driven[NODE.parent]))


def inside_first(attachments: list[Attachment]) -> list[Attachment]:
    """The attachments, parents before children, otherwise in the order in which they were added."""
    children: dict[str, list[int]] = {}
    for i, item in enumerate(attachments):
        children.setdefault(item.parent, []).append(i)
    ready = list(children.get("world", []))
    heapq.heapify(ready)
    order = []
    while ready:
        i = heapq.heappop(ready)
        order.append(attachments[i])
        for child in children.get(attachments[i].body.name, []):
            heapq.heappush(ready, child)
    return order
