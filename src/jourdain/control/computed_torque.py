"""Computed torque: feedback linearisation of the joints with everything else free."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics.arguments import checked
from ..basics.errors import ModelError
from ..basics.types import ByName, Goals, Joints, StartLike
from ..basics.values import shown
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


@checked
class ComputedTorque(Controller):
    """Efforts that give the controlled coordinates q_d'' + kd (q_d' - q') + kp (q_d - q), all others free.

    Chen 1999, eqs. 5.1-5.5: Q_r = M v + F with the free coordinates eliminated, here by hybrid dynamics, O(N). With an
    exact model the error obeys e'' + kd e' + kp e = 0. With a rigid model of a flexible plant the law acts as a
    collocated one, and damps the links. Closed loops of the model are kept (`kernels/control/closed_loops.py`): the
    controlled coordinates are then at most as many as its degrees of freedom.

    model        control model; its coordinates are the plant's of the same names. What it does not have is free
    joints       names of the controlled coordinates
    kp, kd       [1/s^2, 1/s]: one for all, a list, or a dict; omega^2 and 2 omega for a critically damped error
    reference    by name: a motion or a number to hold; others hold their start
    loop         "quasi-closed": the model is evaluated at the measured state, free coordinates included;
                 "quasi-open": along the reference, free coordinates being states of the controller that the model
                 predicts, so that only the controlled ones need be measured
    limit        of the effort by joint [N m or N]
    start        State or dict of coordinates that references, and the predicted coordinates, begin from
    """

    binds_at_once = True

    def __init__(
        self,
        model: Model,
        joints: Joints,
        kp: ByName,
        kd: ByName,
        reference: Goals | None = None,
        *,
        loop: str = "quasi-closed",
        limit: ByName | None = None,
        start: StartLike | None = None,
        name: str = "computed torque",
    ) -> None:
        self.name = name
        self.model = control_model(model, name)
        self.binds_at_once = not has_loops(self.model)  # their rank takes kernels
        self.joints, self.kp, self.kd, self.reference = joints, kp, kd, reference
        self.limit, self.start = limit, start
        if loop not in ("quasi-closed", "quasi-open"):
            raise ModelError.at(name, f'loop is {shown(loop)}; give "quasi-closed" or "quasi-open"', "loop")
        self.loop = loop

    def bind(self, model: Model) -> BoundLaw:
        from ..kernels.control import closed_loops
        from ..kernels.control import computed_torque as k

        entries = coordinates(model, self.joints, self.name)
        names = [entry.name for entry in entries]
        control = rigid_gears(self.model, names)
        own = coordinates(control, names, f"{self.name}, its model")
        start = begins(model, self.start, self.name)
        along = mapped(model, control, self.name)
        values = [start.q[entry.q] for entry in entries]
        numbers: dict[str, Any] = {
            **along._asdict(),
            **driven_joints(entries, own),
            "kp": per_name(self.kp, names, "kp", self.name),
            "kd": per_name(self.kd, names, "kd", self.name),
            "limit": limits(self.limit, names, "limit", self.name),
            "reference": profiles(motions(self.reference, names, values, "reference", self.name)),
        }
        options: dict[str, Any] = {"model": control, "scratch": control.nq + 4 * control.nv}
        kernel = k.computed_torque
        if has_loops(control):
            if self.loop == "quasi-open":
                text = f'{self.name}: loop="quasi-open" predicts no closed loops; use "quasi-closed"'
                raise ModelError.at(control.constraints.names[0], text)
            at = control_start(control, along, start).q
            numbers["rank"], numbers["scales"] = independent_loops(control, at, own, self.name)
            options["scratch"] = closed_loops.scratch(control.nq, control.nv, control.constraints.rows, len(own))
            kernel = closed_loops.computed_torque
        elif self.loop == "quasi-open":
            free = [i for i in range(control.nv) if all(i != entry.v for entry in own)]
            places = [int(control.arrays.q_index[i]) for i in free]
            if any(j < 0 for j in places):
                bad = control.names.v[free[int(np.argmin(places))]]
                raise ModelError.at(bad, f'{self.name}: loop="quasi-open" predicts no rotations; use "quasi-closed"')
            numbers |= {"free_q": places, "free_v": free}
            begin = [start.q[int(along.q_map[j])] for j in places] + [start.v[int(along.v_map[i])] for i in free]
            options |= {"states": 2 * len(free), "start": begin}
            kernel = k.computed_torque_open
        bound = BoundLaw(ControlLaw("computed torque", kernel), k.TorqueParameters.packed(**numbers), **options)
        return through_gears(model, entries, bound)
