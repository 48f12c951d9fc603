"""System -> Model: everything is checked, put in order and laid flat."""

from __future__ import annotations

import heapq
import math
from typing import Any, NamedTuple

import numpy as np

from .bodies.base import BodyData, RailData
from .constraints.connections import Connection
from .constraints.lay import Laid, lay_constraints
from .contact.lay import lay_contacts
from .drives import Drive
from .errors import ModelError
from .formats.description import to_dict
from .joints import Joint, plane_axes, unit
from .laws import as_law
from .model import Contacts, LawForce, Model, Names
from .pose import Pose
from .system import Attachment, System
from .values import suggestion

STOP_FREQUENCY = 20.0
"""Frequency of a stop, or of sticking friction, whose stiffness is not given, against the inertia that the joint feels
at the zero configuration with all others locked [Hz]."""
MOTOR_STICTION = 10.0
"""Least stiffness of sticking friction in a drive, over that of the drive's own spring as the motor feels it: a motor
that sticks holds its end of the spring to one part in ten."""
STICTION_DAMPING = 0.5
"""Damping ratio of the elastic part of sticking friction."""


def compile_system(system: System, checked: bool = False) -> Model:
    """The model of a system; a `ModelError` lists everything that is wrong with it.

    checked    whether `System.check` has found nothing wrong already
    """
    problems = [] if checked else system.check()
    if problems:
        raise ModelError(problems)
    return _Compiler(system).model()


def joint_axes(joint: Joint, turned: np.ndarray) -> np.ndarray:
    """Rotation from a joint's kernel frame to its own: z is the axis of a one-axis joint, x and y a plane's.

    turned    rotation of the joint where it was added: a rail runs along the x of its parent whatever that is
    """
    if joint.kind == "rail":
        x, y = plane_axes(turned[0])
        return np.column_stack([x, y, turned[0]])
    if joint.kind in ("revolute", "prismatic", "screw", "cylindrical"):
        z = unit(joint.axis)
        x, y = plane_axes(z)
        return np.column_stack([x, y, z])
    if joint.kind == "planar":
        x, y = plane_axes(joint.normal)
        return np.column_stack([x, y, unit(joint.normal)])
    return np.eye(3)


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


class _Motor(NamedTuple):
    """A drive's rotor: its row, behind those of all bodies, the name of its coordinate, and the drive."""

    row: int
    name: str
    drive: Drive


class _Compiler:
    def __init__(self, system: System) -> None:
        self.system = system
        self.items = inside_first(system.attachments)
        self.row = {"world": 0} | {item.body.name: i + 1 for i, item in enumerate(self.items)}
        self.bodies = {item.body.name: item.body for item in self.items}
        self.held: dict[str, Pose] = {"world": Pose()}
        for item in self.items:
            axes = Pose(rotation=joint_axes(item.joint, item.pose.rotation))
            self.held[item.body.name] = item.body.frame(item.at) @ axes
        self.motors: dict[int, _Motor] = {}
        for i, item in enumerate(self.items, start=1):
            name, drive = item.joint.motor_name(), item.joint.drive
            if name is not None and drive is not None:
                self.motors[i] = _Motor(len(self.items) + 1 + len(self.motors), name, drive)
        self.carriers: list[Pose] = [Pose()]  # undeformed, in the parent's kernel frame
        self.integers: list[np.ndarray] = []
        self.floats: list[np.ndarray] = []
        self.integer_count = self.float_count = 0

    def keep(self, integers: np.ndarray, floats: np.ndarray) -> tuple[int, int]:
        """Lays a body's own numbers behind those of the others; returns where they begin."""
        at = self.integer_count, self.float_count
        self.integers.append(np.asarray(integers, np.int64))
        self.floats.append(np.asarray(floats, np.float64))
        self.integer_count += len(integers)
        self.float_count += len(floats)
        return at

    def marker(self, address: str) -> tuple[int, Pose, np.ndarray]:
        """Row of the body, undeformed pose in its kernel frame, and station, of an address."""
        name, _, frame = address.partition(".")
        if name == "world":
            return 0, Pose(), np.zeros(0)
        data = self.bodies[name].marker(frame or "origin", self.held[name])
        return self.row[name], data.pose, data.station

    def model(self) -> Model:
        from .kernels import layout as L

        n = len(self.items) + 1 + len(self.motors)
        table = np.zeros((n, L.TABLE), np.int64)
        data = np.zeros((n, L.DATA))
        data[0, L.CARRIER_R : L.CARRIER_R + 9] = np.eye(3).ravel()
        codes = {
            "weld": L.WELD,
            "revolute": L.REVOLUTE,
            "prismatic": L.PRISMATIC,
            "screw": L.SCREW,
            "cylindrical": L.CYLINDRICAL,
            "universal": L.UNIVERSAL,
            "spherical": L.SPHERICAL,
            "planar": L.PLANAR,
            "free": L.FREE,
            "rail": L.RAIL,
        }
        q_names: list[str] = []
        v_names: list[str] = []
        neutral: list[float] = []
        q_index: list[int] = []
        groups: list[tuple[int, int, int]] = []
        owners: list[str] = []
        ranges: dict[str, tuple[float, float]] = {}
        paths: list[tuple[int, int, int, int]] = []
        flex = 0
        bodies: list[BodyData] = []
        for i, item in enumerate(self.items, start=1):
            joint, body = item.joint, item.body
            parent, carrier, station = self.marker(item.to)
            offset = carrier.rotation @ item.pose.position
            carrier = carrier @ item.pose @ Pose(rotation=joint_axes(joint, item.pose.rotation))
            self.carriers.append(carrier)
            own = body.data(self.held[body.name])
            bodies.append(own)
            table[i, L.PARENT] = parent
            if parent != i - 1:
                table[parent, L.SIDE] = 1
            table[i, L.JOINT] = codes[joint.kind]
            if joint.kind == "rail":
                station = self.rail(item).floats
                table[i, L.JOINT] = L.RAIL if len(station) else L.PRISMATIC
            table[i, L.Q], table[i, L.V] = len(q_names), len(v_names)
            table[i, L.DOFS] = len(joint.v_names())
            table[i, L.KIND], table[i, L.N] = own.kind, len(body.internal)
            if joint.kind in ("spherical", "free"):
                groups.append((len(q_names), len(v_names), int(joint.kind == "free")))
                q_index += [-1] * len(joint.v_names())
            else:
                q_index += [len(q_names) + k for k in range(len(joint.v_names()))]
            q_names += joint.q_names()
            v_names += joint.v_names()
            neutral += joint.neutral().tolist()
            if joint.kind == "rail" and self.limits(item) is not None:
                low, high = self.limits(item)
                ranges[joint.name] = low, high
                neutral[-1] = min(max(0.0, low), high)
            owners += [joint.name] * len(joint.v_names())
            if i in self.motors:
                motor = self.motors[i]
                table[motor.row, L.Q], table[motor.row, L.V] = len(q_names), len(v_names)
                q_index.append(len(q_names))
                q_names.append(motor.name)
                v_names.append(motor.name)
                neutral.append(0.0)
                owners.append(joint.name)
            table[i, L.E], table[i, L.EV] = len(q_names), len(v_names)
            inner = [f"{body.name}.{name}" for name in body.internal]
            q_index += [len(q_names) + k for k in range(len(inner))]
            q_names += inner
            v_names += inner
            neutral += [body.ends[name].low if name in body.ends else 0.0 for name in body.internal]
            ranges |= {f"{body.name}.{name}": (one.low, one.high) for name, one in body.ends.items()}
            owners += [body.name] * len(inner)
            for frame in body.paths:
                held = self.held[body.name]
                where = self.keep(np.zeros(0), body.marker(frame, held).station)[1]
                paths.append((len(q_names), i, where, self.keep(np.zeros(0), held.rotation.ravel())[1]))
                q_names += [f"{body.name}.{frame}.{part}" for part in ("qw", "qx", "qy", "qz")]
                neutral += [1.0, 0.0, 0.0, 0.0]
            table[i, L.INTEGERS], table[i, L.FLOATS] = self.keep(own.integers, own.floats)
            table[i, L.STATION] = self.keep(np.zeros(0), station)[1]
            table[i, L.FLEX] = flex
            flex += len(inner) * (7 + len(inner))
            table[i, L.PHI] = flex
            flex += 6 * int(table[parent, L.N])
            row = data[i]
            row[L.CARRIER_R : L.CARRIER_R + 9] = carrier.rotation.ravel()
            row[L.CARRIER_P : L.CARRIER_P + 3] = offset if table[parent, L.N] else carrier.position
            row[L.MASS] = own.mass
            row[L.MOMENT : L.MOMENT + 3] = own.mass * own.com
            J = own.inertia
            row[L.INERTIA : L.INERTIA + 6] = J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]
            row[L.ARMATURE] = getattr(joint, "armature", 0.0)
            if joint.kind == "screw":
                row[L.PITCH] = joint.pitch
            if joint.kind == "universal":
                row[L.AXIS_A : L.AXIS_A + 3] = unit(joint.axes[0])
                row[L.AXIS_B : L.AXIS_B + 3] = unit(joint.axes[1])

        for i, motor in self.motors.items():
            self.lay_rotor(table, data, i, motor)
            table[motor.row, L.FLEX] = table[motor.row, L.PHI] = flex
            flex += 6 * int(table[table[i, L.PARENT], L.N])
        spring_index, springs, frictions = self.springs(table, data)
        drive_index, drives = self.drives(table)
        addresses, placed, marker_index, marker_pose = self.markers()
        load_index, loads, laws = self.loads(addresses)
        laid = lay_contacts(self.system.contacts, self.system.piles, addresses, len(frictions))
        closed = self.constraints(
            table, addresses | placed, q_names, v_names, np.array(q_index, np.int64), np.array(neutral)
        )
        arrays: dict[str, np.ndarray] = dict(
            table=table,
            flexible=np.flatnonzero(table[:, L.N] > 0).astype(np.int64),
            data=data,
            integers=np.concatenate([np.zeros(0, np.int64), *self.integers]),
            floats=np.concatenate([np.zeros(0), *self.floats]),
            q_index=np.array(q_index, np.int64),
            groups=np.array(groups, np.int64).reshape(-1, 3),
            paths=np.array(paths, np.int64).reshape(-1, 4),
            spring_index=spring_index,
            springs=springs,
            drive_index=drive_index,
            drives=drives,
            marker_index=marker_index,
            marker_pose=marker_pose,
            load_index=load_index,
            loads=loads,
            gravity=self.gravity(),
            shape_index=laid.shape_index,
            shape_pose=laid.shape_pose,
            shape_floats=laid.shape_floats,
            shape_integers=laid.shape_integers,
            contact_index=laid.contact_index,
            contact_floats=laid.contact_floats,
            constraint_index=closed.constraint_index,
            constraint_floats=closed.constraint_floats,
            constraint_entries=closed.constraint_entries,
            strut_index=closed.strut_index,
            struts=closed.struts,
        )
        laid_flat = {name: np.array(array, order="C") for name, array in arrays.items()}
        for array in laid_flat.values():
            array.flags.writeable = False
        return Model(
            name=self.system.name,
            arrays=L.ModelArrays(**laid_flat),
            names=Names(
                tuple(q_names),
                tuple(v_names),
                (*(f"{name}.friction" for name in frictions), *laid.latched_names, *laid.state_names),
            ),
            latched=len(frictions) + len(laid.latched_names),
            contacts=Contacts(
                tuple(item.name for item in [*self.system.contacts, *self.system.piles]),
                laid.normal_laws,
                laid.friction_laws,
                bool(self.system.piles),
                tuple({family for pile in self.system.piles for family in pile.families()}),
            ),
            bodies=tuple(item.body.name for item in self.items),
            joints={item.joint.name: (item.joint.kind, i + 1) for i, item in enumerate(self.items)},
            owners=tuple(owners),
            markers=addresses,
            neutral=np.array(neutral),
            law_forces=laws,
            description=to_dict(self.system),
            ranges=ranges,
            constraints=closed.names,
            springs=closed.struts_named,
        )

    def constraints(
        self,
        table: np.ndarray,
        addresses: dict[Any, int],
        q_names: list[str],
        v_names: list[str],
        q_index: np.ndarray,
        neutral: np.ndarray,
    ) -> Laid:
        """Connections and couplings, laid flat."""

        def entries(name: str, rates: bool) -> tuple[int, int]:
            if rates:
                return -1, v_names.index(name)
            q = q_names.index(name)
            return q, int(np.flatnonzero(q_index == q)[0])

        def distance(one: Connection) -> float:
            a, b = self.place(table, one.first, Pose()), self.place(table, one.second, one.place)
            return float(np.linalg.norm(a - b))

        connections, couplings = self.system.connections, self.system.couplings
        return lay_constraints(connections, couplings, addresses, entries, neutral, distance)

    def place(self, table: np.ndarray, address: str, within: Pose) -> np.ndarray:
        """Position in the zero configuration of a frame `within` another, where the tree alone fixes it."""
        from .kernels import layout as L

        row, pose, _ = self.marker(address)
        pose = pose @ within
        while row > 0:
            item = self.items[row - 1]
            if item.joint.kind == "rail" or item.body.ends:
                raise ModelError.at(
                    address, "its place in the zero configuration is not fixed by the tree; give length="
                )
            pose = self.carriers[row] @ pose
            row = int(table[row, L.PARENT])
        return pose.position

    def gravity(self) -> np.ndarray:
        """Uniform gravity, and the numbers of the orbit where there is one."""
        orbit = self.system.environment
        return np.concatenate([self.system.gravity, np.zeros(0) if orbit is None else orbit.numbers()])

    def lay_rotor(self, table: np.ndarray, data: np.ndarray, i: int, motor: _Motor) -> None:
        """The row of the rotor that drives body i: inertia about the joint's axis, carried by the same marker."""
        from .kernels import layout as L

        self.carriers.append(self.carriers[i])
        row = table[motor.row]
        row[[L.PARENT, L.JOINT, L.DOFS, L.STATION]] = table[i, L.PARENT], L.REVOLUTE, 1, table[i, L.STATION]
        table[table[i, L.PARENT], L.SIDE] = 1
        data[motor.row, : L.MASS] = data[i, : L.MASS]
        data[motor.row, L.INERTIA + 2] = motor.drive.rotor_inertia

    def drives(self, table: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Entries of the driven joints and their motors, and the numbers of the drives."""
        from .kernels import layout as L

        index = np.zeros((len(self.motors), 4), np.int64)
        rows = np.zeros((len(self.motors), L.DRIVE))
        for at, row, (i, motor) in zip(index, rows, self.motors.items(), strict=True):
            d = motor.drive
            at[:] = table[i, L.Q], table[i, L.V], table[motor.row, L.Q], table[motor.row, L.V]
            row[[L.GEAR, L.DRIVE_STIFFNESS, L.DRIVE_DAMPING]] = d.gear, d.stiffness, d.damping
            row[L.TORQUE_LIMIT] = math.inf if d.torque_limit is None else d.torque_limit
        return index, rows

    def rail(self, item: Attachment) -> RailData:
        """What a rail joint travels along."""
        if item.parent == "world":
            return RailData(-math.inf, math.inf)
        return self.bodies[item.parent].rail(self.held[item.parent])

    def limits(self, item: Attachment) -> tuple[float, float] | None:
        """Where the stops of a one-axis joint are: a rail's, if it was given none, at the ends of its parent."""
        given = item.joint.limits  # type: ignore[attr-defined]
        if given is None and item.joint.kind == "rail":
            rail = self.rail(item)
            return (rail.low, rail.high) if math.isfinite(rail.low) else None
        return given

    def felt_inertia(self, table: np.ndarray, data: np.ndarray) -> np.ndarray:
        """Inertia (n,) that each one-axis joint feels at the zero configuration with all others locked."""
        from .kernels import layout as L

        n = len(table)
        poses = [Pose()] * n
        inertia = [np.zeros((6, 6)) for _ in range(n)]  # (angular, linear) about the world's origin, world axes
        for i in range(1, n):
            poses[i] = poses[table[i, L.PARENT]] @ self.carriers[i]
            R, p = poses[i].rotation, poses[i].position
            xx, yy, zz, xy, xz, yz = data[i, L.INERTIA : L.INERTIA + 6]
            J = R @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ R.T
            c = _skew(R @ data[i, L.MOMENT : L.MOMENT + 3])
            own = np.block([[J, c], [c.T, data[i, L.MASS] * np.eye(3)]])
            shift = np.block([[np.eye(3), np.zeros((3, 3))], [-_skew(p), np.eye(3)]])
            inertia[i] = shift.T @ own @ shift
        felt = np.zeros(n)
        for i in range(n - 1, 0, -1):
            inertia[table[i, L.PARENT]] += inertia[i]
            z, p = poses[i].rotation[:, 2], poses[i].position
            turn = np.concatenate([z, np.cross(p, z)])
            slide = np.concatenate([np.zeros(3), z])
            motion = {L.REVOLUTE: turn, L.PRISMATIC: slide, L.SCREW: turn + data[i, L.PITCH] * slide, L.RAIL: slide}
            S = motion.get(table[i, L.JOINT], np.zeros(6))
            felt[i] = S @ inertia[i] @ S + data[i, L.ARMATURE]
        return felt

    def springs(self, table: np.ndarray, data: np.ndarray) -> tuple[np.ndarray, np.ndarray, list[str]]:
        """Passive efforts; joints with friction first, since those have an anchor among the states."""
        from .kernels import layout as L

        rows = []
        felt = None
        for i, item in enumerate(self.items, start=1):
            j = item.joint
            if j.kind not in ("revolute", "prismatic", "screw", "rail"):
                continue
            limits = self.limits(item)
            if j.stiffness == 0.0 and j.damping == 0.0 and j.friction == 0.0 and limits is None:
                continue
            if felt is None:
                felt = self.felt_inertia(table, data)
            default = felt[i] * (2.0 * math.pi * STOP_FREQUENCY) ** 2
            needed = {
                "limit_stiffness": limits is not None and j.limit_stiffness is None,
                "friction_stiffness": j.friction > 0.0 and j.friction_stiffness is None,
            }
            for what, wanted in needed.items():
                if wanted and not default > 0.0:
                    raise ModelError.at(
                        j.name, f"feels no inertia at the zero configuration to choose {what} by; give {what}="
                    )
            row = np.zeros(L.SPRING)
            row[[L.STIFFNESS, L.REST, L.DAMPING, L.FRICTION]] = j.stiffness, j.rest, j.damping, j.friction
            if j.friction > 0.0:
                k = default if j.friction_stiffness is None else j.friction_stiffness
                row[L.FRICTION_STIFFNESS] = k
                row[L.FRICTION_DAMPING] = 2.0 * STICTION_DAMPING * math.sqrt(k * felt[i])
            if limits is not None:
                row[L.LOW], row[L.HIGH] = limits
                row[L.LIMIT_STIFFNESS] = default if j.limit_stiffness is None else j.limit_stiffness
                row[L.LIMIT_DAMPING] = 0.0 if j.limit_damping is None else j.limit_damping
            rows.append((j.friction == 0.0, j.name, table[i, L.Q], table[i, L.V], row))
        rows += self.stops(table, data)
        for motor in self.motors.values():
            d = motor.drive
            if d.friction > 0.0:
                k = d.friction_stiffness
                if k is None:
                    stop = d.rotor_inertia * (2.0 * math.pi * STOP_FREQUENCY) ** 2
                    k = max(stop, MOTOR_STICTION * d.stiffness / d.gear**2)
                row = np.zeros(L.SPRING)
                row[[L.FRICTION, L.FRICTION_STIFFNESS]] = d.friction, k
                row[L.FRICTION_DAMPING] = 2.0 * STICTION_DAMPING * math.sqrt(k * d.rotor_inertia)
                rows.append((False, motor.name, table[motor.row, L.Q], table[motor.row, L.V], row))
        rows.sort(key=lambda entry: entry[0])
        index = np.array([[q, v] for _, _, q, v, _ in rows], np.int64).reshape(-1, 2)
        springs = np.array([row for *_, row in rows]).reshape(-1, L.SPRING)
        return index, springs, [name for smooth, name, *_ in rows if not smooth]

    def stops(self, table: np.ndarray, data: np.ndarray) -> list[tuple[bool, str, int, int, np.ndarray]]:
        """Stops of the internal coordinates that have ends, as rows of `springs`.

        Without a stiffness they get that of `STOP_FREQUENCY` against what moves of the body and all that it carries.
        """
        from .kernels import layout as L

        rows = []
        for i, item in enumerate(self.items, start=1):
            for name, one in item.body.ends.items():
                carried = np.zeros(len(table))
                for j in range(len(table) - 1, i, -1):
                    carried[j] += data[j, L.MASS]
                    carried[table[j, L.PARENT]] += carried[j]
                k = item.body.internal.index(name)
                row = np.zeros(L.SPRING)
                row[L.LOW], row[L.HIGH] = one.low, one.high
                default = (one.inertia + carried[i]) * (2.0 * math.pi * STOP_FREQUENCY) ** 2
                row[L.LIMIT_STIFFNESS] = default if one.stiffness is None else one.stiffness
                row[L.LIMIT_DAMPING] = 0.0 if one.damping is None else one.damping
                rows.append((True, f"{item.body.name}.{name}", table[i, L.E] + k, table[i, L.EV] + k, row))
        return rows

    def markers(self) -> tuple[dict[str, int], dict[Any, int], np.ndarray, np.ndarray]:
        """Numbers of the addresses and of the connections' own places, and what the kernels read of all of them."""
        addresses = {"world": 0}
        placed: dict[Any, int] = {}
        index, poses = [(0, 0)], [np.concatenate([np.eye(3).ravel(), np.zeros(3)])]
        for item in self.items:
            for frame in item.body.frame_names():
                address = f"{item.body.name}.{frame}"
                row, pose, station = self.marker(address)
                addresses[address] = len(index)
                index.append((row, self.keep(np.zeros(0), station)[1]))
                poses.append(np.concatenate([pose.rotation.ravel(), pose.position]))
        for one in self.system.connections:
            if one.placed:
                row, pose, station = self.marker(one.second)
                pose = pose @ one.place
                placed[one] = len(index)
                index.append((row, self.keep(np.zeros(0), station)[1]))
                poses.append(np.concatenate([pose.rotation.ravel(), pose.position]))
        return addresses, placed, np.array(index, np.int64), np.array(poses)

    def loads(self, addresses: dict[str, int]) -> tuple[np.ndarray, np.ndarray, tuple[LawForce, ...]]:
        index, values, laws = [], [], []
        for force in self.system.forces:
            body = force.at.partition(".")[0]
            marker = addresses[force.at if "." in force.at or body == "world" else f"{body}.origin"]
            axes = -1 if force.axes == "world" or body == "world" else addresses[f"{body}.origin"]
            if force.law is not None:
                law = as_law(force.law, force.name)
                for address in law.markers:
                    if address not in addresses and f"{address}.origin" not in addresses:
                        raise ModelError.at(
                            force.name,
                            f'its law senses "{address}", which does not exist; {suggestion(address, addresses)}',
                        )
                laws.append(LawForce(force.name, marker, axes, law))
            else:
                index.append((marker, axes))
                values.append(np.concatenate([force.moment, force.force]))
        shaped = np.array(index, np.int64).reshape(-1, 2), np.array(values, float).reshape(-1, 6)
        return *shaped, tuple(laws)


def _skew(a: np.ndarray) -> np.ndarray:
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])
