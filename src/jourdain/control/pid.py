"""PD and PID control of joints, with feedforward, saturation and anti-windup."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics.arguments import checked
from ..basics.errors import ModelError
from ..basics.types import ByName, Goals, Joints, StartLike
from ..basics.values import suggestion
from ..describe.laws import BoundLaw, ControlLaw
from .closed_loops import has_loops, independent_loops
from .controller import Controller
from .gearing import rigid_gears, through_gears
from .parameters import (
    begins,
    control_model,
    coordinates,
    driven_joints,
    limits,
    mapped,
    motions,
    per_name,
    profiles,
)
from .tip_task import control_start

if TYPE_CHECKING:
    from ..model.model import Model

FEEDFORWARD = {"none": 0, "gravity": 1, "computed torque": 2}


@checked
class PID(Controller):
    """effort = kp e + kd e' + ki (integral of e) + feedforward, with e = reference - coordinate.

    joints         names of the coordinates; a joint with a drive is driven by its motor through the gear: numbers
                   are the joint's own, and what is seen of it is x_m / gear. "shoulder.motor" names the motor itself
    kp, kd, ki     gains [N m/rad or N/m, N m s/rad or N s/m, N m/(rad s) or N/(m s)]: one for all, a list, or a dict
                   by name
    reference      by name: a motion (Cycloid, Table, Polynomial, Sine) or a number to hold [rad or m]; others
                   hold their start
    feedforward    "none"; "gravity": what holds the model where it is; "computed torque": what moves it along the
                   reference, the coordinates that are not named being free (both need `model`). Closed loops of the
                   model are kept; it is then evaluated at the measured coordinates
    model          control model of the feedforward: the plant's own, or another with coordinates of the same names
    limit          of the effort, by joint [N m or N]; None for none
    tracking       time within which the integral lets go while the effort is cut [s]; None: (kd / ki)^1/2, or kp / ki
    start          State or dict of coordinates that references begin from; None for the zero configuration
    """

    binds_at_once = True

    def __init__(
        self,
        joints: Joints,
        kp: ByName,
        kd: ByName,
        ki: ByName = 0.0,
        *,
        reference: Goals | None = None,
        feedforward: str = "none",
        model: Model | None = None,
        limit: ByName | None = None,
        tracking: ByName | None = None,
        start: StartLike | None = None,
        name: str = "pid",
    ) -> None:
        self.name = name
        self.joints, self.kp, self.kd, self.ki = joints, kp, kd, ki
        self.reference, self.limit, self.tracking, self.start = reference, limit, tracking, start
        if feedforward not in FEEDFORWARD:
            raise ModelError.at(
                name, f'feedforward "{feedforward}" is unknown; {suggestion(feedforward, FEEDFORWARD)}', "feedforward"
            )
        if feedforward != "none" and model is None:
            raise ModelError.at(
                name, f'feedforward="{feedforward}" needs a model to compute with; give model=', "feedforward"
            )
        self.feedforward = feedforward
        self.model = None if feedforward == "none" else control_model(model, name)
        self.binds_at_once = self.model is None or not has_loops(self.model)  # their rank takes kernels

    def bind(self, model: Model) -> BoundLaw:
        from ..kernels.control import closed_loops
        from ..kernels.control import joint_control as k

        entries = coordinates(model, self.joints, self.name)
        names = [entry.name for entry in entries]
        kp, kd, ki = (
            per_name(value, names, what, self.name)
            for what, value in (("kp", self.kp), ("kd", self.kd), ("ki", self.ki))
        )
        start = begins(model, self.start, self.name)
        values = [start.q[entry.q] for entry in entries]
        numbers: dict[str, Any] = {
            **driven_joints(entries, ()),
            "kp": kp,
            "kd": kd,
            "ki": ki,
            "tracking": self._tracking(names, kp, kd, ki),
            "limit": limits(self.limit, names, "limit", self.name),
            "reference": profiles(motions(self.reference, names, values, "reference", self.name)),
        }
        states = len(entries) if np.any(ki > 0.0) else 0
        if self.model is None:
            law = BoundLaw(ControlLaw("pid", k.pid), k.ServoParameters.packed(**numbers), states=states)
            return through_gears(model, entries, law)
        control = rigid_gears(self.model, names)
        along = mapped(model, control, self.name)
        own = coordinates(control, names, f"{self.name}, its model")
        numbers |= along._asdict() | driven_joints(entries, own) | {"feedforward": FEEDFORWARD[self.feedforward]}
        kernel, scratch = k.pid_with_model, control.nq + 4 * control.nv
        if has_loops(control):
            at = control_start(control, along, start).q
            numbers["rank"], numbers["scales"] = independent_loops(control, at, own, self.name)
            kernel = closed_loops.pid_with_model
            scratch = closed_loops.scratch(control.nq, control.nv, control.constraints.rows, len(own))
        p = k.ServoParameters.packed(**numbers)
        bound = BoundLaw(ControlLaw("pid", kernel), p, states=states, model=control, scratch=scratch)
        return through_gears(model, entries, bound)

    def _tracking(self, names: list[str], kp: np.ndarray, kd: np.ndarray, ki: np.ndarray) -> np.ndarray:
        if self.tracking is not None:
            given = per_name(self.tracking, names, "tracking", self.name)
            if np.any(given == 0.0):
                raise ModelError.at(self.name, "tracking is zero; give a time above zero [s]", "tracking")
            return given
        some = np.where(ki > 0.0, ki, 1.0)
        own = np.where(kd > 0.0, np.sqrt(kd / some), kp / some)
        return np.where((ki > 0.0) & (own > 0.0), own, 1.0)


@checked
class PD(PID):
    """`PID` without the integral: effort = kp e + kd e' + feedforward."""

    def __init__(self, joints: Joints, kp: ByName, kd: ByName, *, name: str = "pd", **options: Any) -> None:
        if "ki" in options:
            raise ModelError.at(name, "PD has no integral; use PID(joints, kp, kd, ki)")
        super().__init__(joints, kp, kd, name=name, **options)
