"""Force-moment accommodation: the rates that a hand controller commands yield to the contact force at the tip."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics.arguments import checked
from ..basics.errors import ModelError
from ..basics.types import ByName, Contacts, Directions, Goals, Joints, RateGoals, StartLike
from ..basics.values import as_number, shown, suggestion
from ..describe.laws import BoundLaw, ControlLaw
from ..describe.motions import PIECES
from .closed_loops import refuse_loops
from .controller import Controller
from .gearing import rigid_gears, through_gears
from .parameters import (
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
from .tip_task import DIRECTIONS, as_directions, check_reach, control_start, wrench_offset

if TYPE_CHECKING:
    from ..model.model import Model


@checked
class ForceMomentAccommodation(Controller):
    """Rates of the tip = command + gain (measured - wanted), resolved to joint rates, and a servo of the joints.

    As the station's dexterous robot is driven: a hand controller or a sequence commands rates, and the measured force
    and moment soften them. Rates are cut to their limits; forces within the dead zone do not count; a command that
    would raise a force beyond its limit is not taken.

    model          control model, for the kinematics; bodies held straight
    at             address of the tip
    rate_command   by direction [rad/s, m/s]: a motion whose value is the rate, or a number; or a sequence of
                   (from, to, {direction: rate}) [s]; or a Python function of time that gives such a dict, read every
                   `period` until `until`
    gain           [rad/s per N m, m/s per N] by direction: one number, a list, or a dict
    contacts       contacts of the plant that are measured, the tip's shape being the first of each
    kp, kd         servo of the joints [N m/rad, N m s/rad]
    force          wanted (on the tip) by direction [N m, N]: a motion or a number
    dead_zone      half-width by direction [N m, N]
    rate_limit     by direction [rad/s, m/s]
    force_limit    by direction [N m, N]
    filter         time constant of the force measurement [s]; 0 for none
    axes           of directions, commands and forces: "tool" (the tip's) or "world"
    limit          of the efforts by joint
    """

    def __init__(
        self,
        model: Model,
        at: str,
        rate_command: RateGoals,
        gain: ByName,
        contacts: Contacts,
        kp: ByName,
        kd: ByName,
        *,
        joints: Joints | None = None,
        directions: Directions = DIRECTIONS,
        force: Goals | None = None,
        dead_zone: ByName = 0.0,
        rate_limit: ByName | None = None,
        force_limit: ByName | None = None,
        filter: float = 0.0,
        axes: str = "tool",
        limit: ByName | None = None,
        singular: float = 1e-6,
        until: float | None = None,
        period: float = 0.02,
        start: StartLike | None = None,
        name: str = "accommodation",
    ) -> None:
        self.name = name
        self.model = control_model(model, name)
        refuse_loops(self.model, name)
        self.model.marker(at)
        self.at, self.rate_command, self.gain, self.kp, self.kd = at, rate_command, gain, kp, kd
        self.contacts = (contacts,) if isinstance(contacts, str) else tuple(contacts)
        self.rows, self.joints = as_directions(directions, name), joints
        self.force, self.dead_zone, self.rate_limit, self.force_limit = force, dead_zone, rate_limit, force_limit
        (self.filter,) = per_name(filter, [name], "filter", name)
        (self.singular,) = per_name(singular, [name], "singular", name)
        if axes not in ("tool", "world"):
            raise ModelError.at(name, f'axes is {shown(axes)}; give "tool" or "world"', "axes")
        self.axes, self.limit, self.start, self.until, self.period = axes, limit, start, until, period

    def bind(self, model: Model) -> BoundLaw:
        from ..kernels.control import accommodation as k

        control, name = rigid_gears(self.model, self.joints), self.name
        straight = internal_entries(control)
        along = mapped(model, control, name, straight)
        joints = self.joints
        if joints is None:
            moving = [i for i in range(control.nv) if i not in straight and control.arrays.q_index[i] >= 0]
            joints = [control.names.v[i] for i in moving]
        driven = coordinates(model, joints, name)
        names = [entry.name for entry in driven]
        own = coordinates(control, names, f"{name}, its model")
        start = begins(model, self.start, name)
        check_reach(control, control_start(control, along, start), self.at, own, [], self.rows, name, weighted=False)

        words = [DIRECTIONS[r] for r in self.rows]
        zeros = np.zeros(len(words))
        numbers = k.AccommodationParameters.packed(
            **along._asdict(),
            **driven_joints(driven, own),
            kp=per_name(self.kp, names, "kp", name),
            kd=per_name(self.kd, names, "kd", name),
            limit=limits(self.limit, names, "limit", name),
            marker=control.marker(self.at),
            directions=self.rows,
            command=profiles(self._commands(words)),
            gain=per_name(self.gain, words, "gain", name),
            force=profiles(motions(self.force, words, zeros, "force", name)),
            dead_zone=per_name(self.dead_zone, words, "dead_zone", name),
            rate_limit=limits(self.rate_limit, words, "rate_limit", name),
            force_limit=limits(self.force_limit, words, "force_limit", name),
            tool=self.axes == "tool",
            singular=self.singular,
            filter=self.filter,
            contacts=[
                {"at": 6 * i, "offset": wrench_offset(model, one, self.at, name)} for i, one in enumerate(self.contacts)
            ],
        )
        begin = [start.q[entry.q] for entry in driven]
        if self.filter > 0.0:
            begin += [0.0] * 6
        bound = BoundLaw(
            ControlLaw(name, k.accommodate),
            numbers,
            states=len(begin),
            start=begin,
            contacts=self.contacts,
            model=control,
            scratch=k.scratch(control.nq, control.nv, len(driven), len(words)),
        )
        return through_gears(model, driven, bound)

    def _commands(self, words: list[str]) -> list[tuple[int, Any]]:
        """Profiles of the commanded rates."""
        given = self.rate_command
        if callable(given):
            if self.until is None or not self.until > 0.0 or not self.period > 0.0:
                raise ModelError.at(
                    self.name, "a Python rate_command is read every `period` until `until`; give until="
                )
            times = np.arange(0.0, self.until, self.period)
            given = [(t, t + self.period, given(float(t))) for t in times]
        if given is None or isinstance(given, Mapping):
            return motions(given, words, np.zeros(len(words)), "rate_command", self.name)
        table: dict[str, list[tuple[float, float]]] = {word: [] for word in words}
        last = -np.inf
        for begin, end, rates in given:
            if not last <= begin + 1e-12 or not begin < end:
                raise ModelError.at(
                    self.name,
                    f"rate_command: ({begin:g}, {end:g}) does not come after the one before; order them in time",
                    "rate_command",
                )
            for word in rates:
                if word not in words:
                    hint = suggestion(str(word), words)
                    raise ModelError.at(str(word), f"{self.name}: rate_command of a direction it does not have; {hint}")
            for word in words:
                steps = table[word]
                if steps and abs(begin - last) <= 1e-12:
                    steps.pop()
                steps += [(begin, as_number(rates.get(word, 0.0), f"{self.name}: rate_command")), (end, 0.0)]
            last = end
        if not np.isfinite(last):
            raise ModelError.at(self.name, "rate_command: the sequence is empty", "rate_command")
        return [(PIECES, _steps(table[word])) for word in words]


def _steps(steps: list[tuple[float, float]]) -> np.ndarray:
    """A piecewise constant profile, zero before its first step."""
    times = [steps[0][0] - 1.0, *(t for t, _ in steps), steps[-1][0] + 1.0]
    values = [0.0, *(x for _, x in steps)]
    return np.array([0.0, len(values), 0.0, 1.0, *times, *values])
