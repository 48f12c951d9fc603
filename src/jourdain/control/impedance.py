"""Cartesian feedback linearisation and impedance control of a tip, redundant arms included."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..basics.arguments import checked
from ..basics.errors import ModelError
from ..basics.types import ByName, Directions, Goals, Joints, StartLike, TipGoals
from ..basics.values import as_number, shown
from ..describe.laws import BoundLaw, ControlLaw
from .closed_loops import refuse_loops
from .controller import Controller
from .gearing import rigid_gears, through_gears
from .parameters import (
    HUGE,
    Entry,
    begins,
    control_model,
    coordinates,
    driven_joints,
    internal_entries,
    limits,
    mapped,
    motions,
    per_name,
    profiles,
)
from .tip_task import DIRECTIONS, as_directions, check_reach, control_start, square, target, wrench_offset

if TYPE_CHECKING:
    from ..model.model import Model
    from ..model.state import State

FEEDBACK = ("rigid", "tip", "flexible")


class TaskParameters(NamedTuple):
    """A task, for the law itself and for those built on it."""

    numbers: dict[str, Any]
    driven: list[Entry]
    own: list[Entry]
    straight: list[int]
    rows: list[int]
    start: State
    options: dict[str, Any]

    def packed(self, **more: Any) -> np.ndarray:
        """Parameters of `kernels.control.impedance`, with those of a fast loop or without."""
        from ..kernels.control.impedance import TipParameters

        return TipParameters.packed(**self.numbers, **more)


class TipTask(NamedTuple):
    """Arguments that `Cartesian` and `Impedance` have in common; see `Cartesian` for their meaning."""

    directions: Directions
    joints: Joints | None
    frame: str | None
    feedback: str
    redundancy: str
    null_damping: float
    null_stiffness: float
    posture: StartLike | None
    limit: ByName | None
    singular: float
    start: StartLike | None


@checked
class TipController(Controller):
    """What `Cartesian` and `Impedance` share; see there."""

    mass: Any
    damping: Any
    stiffness: Any

    def __init__(self, model: Model, at: str, reference: TipGoals | None, name: str, task: TipTask) -> None:
        self.name = name
        self.model = control_model(model, name)
        refuse_loops(self.model, name)
        self.model.marker(at)
        self.at, self.joints, self.reference, self.frame = at, task.joints, reference, task.frame
        self.contact: str | None = None
        self.rows = as_directions(task.directions, name)
        if task.feedback not in FEEDBACK:
            raise ModelError.at(
                name, f'feedback is {shown(task.feedback)}; give "rigid", "tip" or "flexible"', "feedback"
            )
        if task.redundancy not in ("inertia", "euclidean"):
            raise ModelError.at(
                name, f'redundancy is {shown(task.redundancy)}; give "inertia" or "euclidean"', "redundancy"
            )
        self.feedback, self.redundancy = task.feedback, task.redundancy
        (self.null_damping,) = per_name(task.null_damping, [name], "null_damping", name)
        (self.null_stiffness,) = per_name(task.null_stiffness, [name], "null_stiffness", name)
        (self.singular,) = per_name(task.singular, [name], "singular", name)
        self.posture, self.limit, self.start = task.posture, task.limit, task.start
        self.force: Goals | None = None
        self.correction: tuple[float, Any, float] = (0.0, None, 0.0)

    def law(self) -> ControlLaw:
        """The compiled law, under the name of this controller."""
        from ..kernels.control.impedance import impedance

        return ControlLaw(self.name, impedance)

    def bind(self, model: Model) -> BoundLaw:
        laid = self.lay(model)
        return through_gears(model, laid.driven, BoundLaw(self.law(), laid.packed(), **laid.options))

    def lay(self, plant: Model) -> TaskParameters:
        """All numbers of the law for a plant; those of a fast loop are left empty."""
        from ..kernels.control import impedance as k

        control, name = rigid_gears(self.model, self.joints), self.name
        straight = [] if self.feedback == "flexible" else internal_entries(control)
        flexible = internal_entries(control) if self.feedback == "flexible" else []
        along = mapped(plant, control, name, straight)
        joints: Joints
        if self.joints is None:
            joints = [
                control.names.v[i]
                for i in range(control.nv)
                if i not in straight and i not in flexible and control.arrays.q_index[i] >= 0
            ]
        else:
            joints = self.joints
        driven = coordinates(plant, joints, name)
        names = [entry.name for entry in driven]
        own = coordinates(control, names, f"{name}, its model")
        free = [i for i in range(control.nv) if i not in straight and all(i != entry.v for entry in own)]
        start = begins(plant, self.start, name)
        at_start = control_start(control, along, start)
        weighted = self.redundancy == "inertia"
        check_reach(control, at_start, self.at, own, free, self.rows, name, weighted)

        seen, frame, contact = -1, -1, -1
        markers: list[str] = []
        if self.feedback == "tip":
            plant.marker(self.at)
            seen = 0
            markers.append(self.at)
        here = control.pose(self.at, at_start)
        if self.frame is not None:
            here = plant.pose(self.frame, start).inverse() @ here
            frame = 13 * len(markers)
            markers.append(self.frame)
        offset, contacts = np.zeros(3), []
        if self.contact is not None:
            offset = wrench_offset(plant, self.contact, self.at, name)
            contact = 13 * len(markers)
            contacts.append(self.contact)
        goal = target(self.reference, here, self.rows, name)
        values = [start.q[entry.q] for entry in driven]
        numbers = {
            **along._asdict(),
            **driven_joints(driven, own),
            "limit": limits(self.limit, names, "limit", name),
            "marker": control.marker(self.at),
            "free": free,
            "straight": straight,
            "directions": self.rows,
            "task": goal._asdict() | {"profiles": profiles(goal.profiles), "frame": frame},
            "seen": seen,
            "contact": contact,
            "offset": offset,
            "weighted": weighted,
            "singular": self.singular,
            "null_damping": self.null_damping,
            "null_stiffness": self.null_stiffness,
            "posture": values if self.posture is None else [*_posture(self.posture, names, values, name)],
            **self._target(),
        }
        states = len(self.rows) if self.correction[0] > 0.0 else 0
        scratch = k.scratch(control.nq, control.nv, len(driven), len(free), len(self.rows), len(straight))
        options = {"states": states, "markers": markers, "contacts": contacts, "model": control, "scratch": scratch}
        return TaskParameters(
            numbers=numbers, driven=driven, own=own, straight=straight, rows=self.rows, start=start, options=options
        )

    def _target(self) -> dict[str, Any]:
        """The wanted impedance and the force command."""
        name, names = self.name, [DIRECTIONS[r] for r in self.rows]
        mass = square(self.mass, self.rows, "mass", name, positive=True)
        damping = square(self.damping, self.rows, "damping", name)
        stiffness = square(self.stiffness, self.rows, "stiffness", name)
        rate, bound, since = self.correction
        compliance = np.zeros_like(stiffness)
        if self.force is not None or rate > 0.0:
            if np.linalg.eigvalsh(stiffness)[0] <= 0.0:
                raise ModelError.at(
                    name, "a force is commanded as an offset of the reference, force / stiffness; give a stiffness"
                )
            compliance = np.linalg.inv(stiffness)
        return {
            "mass_inverse": np.linalg.inv(mass),
            "damping": damping,
            "stiffness": stiffness,
            "compliance": compliance,
            "shaped": self.contact is not None,
            "force": profiles(motions(self.force, names, np.zeros(len(names)), "force", name)),
            "correction": rate,
            "bound": limits(bound, names, "correction_limit", name),
            "since": since,
        }


def _posture(given: Any, names: list[str], values: list[float], where: str) -> list[float]:
    if isinstance(given, dict):
        for name in given:
            if name not in names:
                raise ModelError.at(str(name), f"{where}: posture of a joint that is not driven")
        return [float(given.get(name, value)) for name, value in zip(names, values, strict=True)]
    return list(per_name(given, names, "posture", where, least=-HUGE))


@checked
class Cartesian(TipController):
    """Feedback linearisation of a tip's path: its errors obey e'' + kd e' + kp e = 0 with an exact model.

    model            control model: the plant's own, or another; coordinates are the plant's of the same names
    at               address of the tip, in the control model (and in the plant, for feedback="tip")
    kp, kd           [1/s^2, 1/s]: one number, one a direction, a dict, or a matrix over the directions
    reference        a path of `jd.control` (Line, Circle, ...), or a dict from "x", "y", "z" to motions or numbers and
                     from "rotation" to a rotation; what is not said stays where it is at the start
    directions       "xy", "xyz" or names out of rx, ry, rz, x, y, z, world axes; rotations by their rotation vector
    joints           driven coordinates; None for all joints of the control model. Others are free: a free-floating base
                     enters through the generalised Jacobian
    frame            address on the plant that the reference is relative to, measured while it moves
    feedback         "rigid": from the control model's kinematics, bodies held straight, as encoders give it (Kim);
                     "tip": measured there; "flexible": internal coordinates measured too, and free in the model
    redundancy       "inertia": least kinetic energy, J_M+ = M^-1 J^T (J M^-1 J^T)^-1; "euclidean": least accelerations
    null_damping     of motion that does not move the tip [1/s], with null_stiffness [1/s^2] towards `posture`
    limit            of the efforts by joint
    singular         below this measure (least pivot of J M^-1 J^T over its largest diagonal) accelerations are damped
    start            State or dict of coordinates that references begin from
    """

    def __init__(
        self,
        model: Model,
        at: str,
        kp: ByName,
        kd: ByName,
        reference: TipGoals | None = None,
        *,
        directions: Directions = "xyz",
        joints: Joints | None = None,
        frame: str | None = None,
        feedback: str = "rigid",
        redundancy: str = "inertia",
        null_damping: float = 0.0,
        null_stiffness: float = 0.0,
        posture: StartLike | None = None,
        limit: ByName | None = None,
        singular: float = 1e-6,
        start: StartLike | None = None,
        name: str = "cartesian",
    ) -> None:
        task = TipTask(
            directions=directions,
            joints=joints,
            frame=frame,
            feedback=feedback,
            redundancy=redundancy,
            null_damping=null_damping,
            null_stiffness=null_stiffness,
            posture=posture,
            limit=limit,
            singular=singular,
            start=start,
        )
        super().__init__(model, at, reference, name, task)
        self.mass, self.damping, self.stiffness = 1.0, kd, kp


@checked
class Impedance(TipController):
    """The tip behaves as mass e'' + damping e' + stiffness e = -f, e = x - x_ref, f its force on what it touches.

    Kim 1999, eqs. 5.26-5.39. Without `contact` the force is not measured and the tip's own inertia is in it.

    mass, damping,   target, symmetric: one number, one a direction, a dict, or a matrix [kg, N s/m, N/m; kg m^2 ...]
    stiffness
    contact          contact of the plant whose force is measured; the tip's shape is its first
    force            by direction, force that the tip shall exert [N, N m]: a motion or a number; it moves the
                     reference by force / stiffness (eq. 5.35)
    correction       rate at which the reference follows what the force lacks, rate (f_wanted - f) / stiffness [1/s]:
                     eq. 6.9 applied all the time; 0 for none
    correction_limit largest correction by direction [m, rad]
    correction_from  time at which it begins [s]

    Everything else is as in `Cartesian`.
    """

    def __init__(
        self,
        model: Model,
        at: str,
        mass: ByName,
        damping: ByName,
        stiffness: ByName,
        reference: TipGoals | None = None,
        *,
        directions: Directions = "xyz",
        joints: Joints | None = None,
        frame: str | None = None,
        feedback: str = "rigid",
        contact: str | None = None,
        force: Goals | None = None,
        correction: float = 0.0,
        correction_limit: ByName | None = None,
        correction_from: float = 0.0,
        redundancy: str = "inertia",
        null_damping: float = 0.0,
        null_stiffness: float = 0.0,
        posture: StartLike | None = None,
        limit: ByName | None = None,
        singular: float = 1e-6,
        start: StartLike | None = None,
        name: str = "impedance",
    ) -> None:
        task = TipTask(
            directions=directions,
            joints=joints,
            frame=frame,
            feedback=feedback,
            redundancy=redundancy,
            null_damping=null_damping,
            null_stiffness=null_stiffness,
            posture=posture,
            limit=limit,
            singular=singular,
            start=start,
        )
        super().__init__(model, at, reference, name, task)
        self.mass, self.damping, self.stiffness, self.force, self.contact = mass, damping, stiffness, force, contact
        (rate,) = per_name(correction, [name], "correction", name)
        if rate > 0.0 and contact is None:
            raise ModelError.at(name, "correction needs a measured force; give contact=", "correction")
        self.correction = (float(rate), correction_limit, as_number(correction_from, f"{name}: correction_from"))
        for what, value, positive in (
            ("mass", mass, True),
            ("damping", damping, False),
            ("stiffness", stiffness, False),
        ):
            square(value, self.rows, what, name, positive=positive)
