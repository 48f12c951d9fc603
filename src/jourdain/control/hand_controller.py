"""A hand controller: what a pilot commands of an arm and of the craft that carries it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics.arguments import checked
from ..basics.errors import ModelError
from ..basics.types import ByName, Joints, StartLike
from ..basics.values import as_array
from ..describe.laws import BoundLaw, ControlLaw
from .closed_loops import refuse_loops
from .controller import Controller
from .gearing import refuse_gears
from .parameters import (
    begins,
    control_model,
    coordinates,
    driven_joints,
    internal_entries,
    limits,
    mapped,
    per_name,
)

if TYPE_CHECKING:
    from ..model.model import Model

TIP = ("tip.wx", "tip.wy", "tip.wz", "tip.vx", "tip.vy", "tip.vz")
CRAFT = ("craft.wx", "craft.wy", "craft.wz", "craft.fx", "craft.fy", "craft.fz")
UNITS = ("rad/s",) * 3 + ("m/s",) * 3 + ("rad/s",) * 3 + ("N",) * 3


@checked
class HandController(Controller):
    """Rates of an arm's tip, rates of its joints, and turning and thrust of its craft, as a pilot commands them.

    Rates of the tip are in its own axes and relative to the craft; they are resolved to joint rates, and a servo of the
    joints follows. The commands are a table, one row a period: turning rates of the tip (3) [rad/s], its velocity (3)
    [m/s], turning rates of the craft (3) [rad/s], thrust on it (3) [N], both in its axes, then joint rates. In an
    exported model the commands are inputs: "pilot.tip.vx", "pilot.craft.fx", "pilot.elbow".

    model        control model, for the kinematics; bodies held straight
    at           address of the tip
    joints       that are driven
    kp, kd       servo of the joints [N m/rad, N m s/rad]
    limit        of the efforts by joint
    craft        name of the free joint that the craft is on; None: nothing acts on it
    turn_gain    moment for each rad/s by which the craft turns otherwise than commanded [N m s/rad]
    turn_limit   of that moment [N m]
    commands     (rows, 12 + joints); None for one row of zeros
    period       of a row [s]
    late         how much later than its time a row is taken [s]
    singular     measure below which the resolved rates are damped
    start        state that the commanded joints begin from
    """

    def __init__(
        self,
        model: Model,
        at: str,
        joints: Joints,
        kp: ByName,
        kd: ByName,
        *,
        limit: ByName | None = None,
        craft: str | None = None,
        turn_gain: float = 0.0,
        turn_limit: float = 0.0,
        commands: Any = None,
        period: float = 0.02,
        late: float = 0.0,
        singular: float = 0.01,
        start: StartLike | None = None,
        name: str = "pilot",
    ) -> None:
        self.name = name
        self.model = control_model(model, name)
        refuse_loops(self.model, name)
        self.model.marker(at)
        self.at, self.joints, self.kp, self.kd, self.limit = at, list(joints), kp, kd, limit
        self.craft, self.start = craft, start
        (self.turn_gain,) = per_name(turn_gain, [name], "turn_gain", name)
        (self.turn_limit,) = per_name(turn_limit, [name], "turn_limit", name)
        (self.period,) = per_name(period, [name], "period", name)
        (self.late,) = per_name(late, [name], "late", name)
        (self.singular,) = per_name(singular, [name], "singular", name)
        if not self.period > 0.0:
            raise ModelError.at(name, f"period is {period:g} s; give a time above 0", "period")
        width = len(UNITS) + len(self.joints)
        rows = np.zeros((1, width)) if commands is None else as_array(commands, f"{name}: commands")
        if rows.ndim != 2 or rows.shape[1] != width or not len(rows):
            raise ModelError.at(name, f"commands have shape {rows.shape}; give rows of {width} numbers", "commands")
        self.commands = rows

    def bind(self, model: Model) -> BoundLaw:
        from ..kernels.control import hand_controller as k

        control, name = self.model, self.name
        along = mapped(model, control, name, internal_entries(control))
        driven = coordinates(model, self.joints, name)
        refuse_gears(model, driven, name)
        names = [entry.name for entry in driven]
        own = coordinates(control, names, f"{name}, its model")
        start = begins(model, self.start, name)
        values = k.PilotParameters.packed(
            **along._asdict(),
            **driven_joints(driven, own),
            kp=per_name(self.kp, names, "kp", name),
            kd=per_name(self.kd, names, "kd", name),
            limit=limits(self.limit, names, "limit", name),
            marker=control.marker(self.at),
            singular=self.singular,
            craft=self._craft(model),
            turn_gain=self.turn_gain,
            turn_limit=self.turn_limit,
            period=self.period,
            late=self.late,
            commands=self.commands,
        )
        bound = BoundLaw(
            ControlLaw(name, k.fly),
            values,
            states=len(driven),
            start=[start.q[entry.q] for entry in driven],
            model=control,
            scratch=k.scratch(control.nq, control.nv, len(driven)),
        )
        units = [*UNITS, *(model.units.v[entry.v] for entry in driven)]
        table = k.PilotParameters(values).place("commands")
        bound.inputs = {f"{name}.{word}": (table + i, units[i]) for i, word in enumerate((*TIP, *CRAFT, *names))}
        return bound

    def _craft(self, model: Model) -> int:
        """The first of six entries of v of the craft's free joint, -1 without one."""
        if self.craft is None:
            return -1
        first = f"{self.craft}.wx"
        if first not in model.index.v or f"{self.craft}.vz" not in model.index.v:
            raise ModelError.at(str(self.craft), f"{self.name}: craft names a free joint, and this is none")
        return model.index.v[first]
