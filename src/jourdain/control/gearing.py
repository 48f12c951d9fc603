"""Controllers of joints that motors turn through gears: what they say of the joint is turned into the motor's.

A joint with a `Drive` is moved by its motor. A controller that names the joint speaks in the joint's own units: it
sees x_m / gear, what an encoder on the motor measures of the joint, and the effort that it asks for acts on the motor,
divided by the gear. References, gains and limits need no conversion by hand, and the loop is closed around the motor,
not through the spring. A controller that names the motor, "shoulder.motor", speaks of the motor.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..basics.errors import ModelError
from ..describe.laws import AnyLaw, BoundLaw, ControlLaw

if TYPE_CHECKING:
    from ..model.model import Model
    from .parameters import Entry


class Gear(NamedTuple):
    """A drive: entries in q and v of its motor and of its joint, and the motor's angle for a unit of the joint's."""

    motor_q: int
    motor_v: int
    joint_q: int
    joint_v: int
    ratio: float


def gears(model: Model) -> dict[int, Gear]:
    """The drives of a model by the entries of their joints in v."""
    rows = zip(model.arrays.drive_entries, model.arrays.joint_drives, strict=True)
    found = [Gear(at.motor_q, at.motor_v, at.joint_q, at.joint_v, float(drive.gear)) for at, drive in rows]
    return {one.joint_v: one for one in found}


def through_gears(model: Model, named: Sequence[Entry], bound: BoundLaw, measured: bool = True) -> BoundLaw:
    """The law as it acts on the motors of the joints that it names; itself where none of them has a drive.

    measured    False: the law sees the coordinates as they are, the joint's and the motor's, and only acts by the gear
    """
    known = gears(model)
    used = [known[entry.v] for entry in named if entry.v in known]
    return GearedLaw(model, used, bound, measured) if used else bound


def refuse_gears(model: Model, named: Sequence[Entry], where: str) -> None:
    """An error for a controller that must have the motor itself."""
    known = gears(model)
    for entry in named:
        if entry.v in known:
            motor = model.names.v[known[entry.v].motor_v]
            raise ModelError.at(entry.name, f'{where}: this joint has a drive, and efforts act there; name "{motor}"')


def rigid_gears(control: Model, names: Iterable[str] | None) -> Model:
    """A control model in which the named joints (None: all) have their rotors behind stiff gears.

    The rotor is an armature of gear^2 rotor_inertia on the joint: the model of Spong (1987) with an infinite stiffness,
    which is what a controller that sees the joint through the gear can know.
    """
    wanted = None if names is None else set(names)
    description = copy.deepcopy(dict(control.description))
    changed = False
    for item in description["bodies"]:
        joint = item["joint"]
        drive = joint.get("drive")
        if drive is None or (wanted is not None and joint["name"] not in wanted):
            continue
        joint["armature"] = joint.get("armature", 0.0) + drive["gear"] ** 2 * drive["rotor_inertia"]
        joint["drive"] = None
        changed = True
    if not changed:
        return control
    if control.law_forces:
        raise ModelError.at(
            control.law_forces[0].name,
            f'is a law of the control model "{control.name}", which has drives; give a model without drives',
        )
    return type(control).from_description(description)


class ThroughGears(ControlLaw):
    """A law behind gears."""

    def __init__(self, inner: AnyLaw) -> None:
        from ..kernels.control.gearing import geared

        super().__init__(inner.name, geared, discrete=inner.discrete)
        self.inner_law = inner

    def _key(self) -> tuple[Any, ...]:
        return (*super()._key(), self.inner_law)


class GearedLaw(BoundLaw):
    """A law behind gears, with its numbers; its scratch begins with where that is.

    gears    by the entries of their joints in v, where the motor is what is measured
    """

    def __init__(self, model: Model, used: Sequence[Gear], inner: BoundLaw, measured: bool) -> None:
        from ..kernels.control.filters import LAW_BEHIND
        from ..kernels.control.gearing import GearParameters

        rows = [one._asdict() for one in used]
        super().__init__(
            ThroughGears(inner.law),
            GearParameters.packed(gears=rows, measured=measured, behind=inner.parameters),
            states=inner.states,
            start=inner.start,
            markers=inner.markers,
            contacts=inner.contacts,
            model=inner.model if inner.law.uses_model else model,
            scratch=LAW_BEHIND + model.nq + 2 * model.nv + inner.scratch,
        )
        self.name, self.inner_law = inner.name, inner
        self.gears = {one.joint_v: one for one in used} if measured else {}

    def initial_scratch(self) -> np.ndarray:
        return scratch_before(self, self.inner_law)


def scratch_before(bound: BoundLaw, behind: BoundLaw) -> np.ndarray:
    """Scratch of a law that has another one behind it: where that is, then zeros, the scratch of that at the end."""
    from ..kernels.control.filters import WrappedLaw

    found = behind.law.compiled().ready(bound.features())
    head = WrappedLaw.packed(address=found.address, uses_model=behind.law.uses_model)
    return np.concatenate([head, np.zeros(bound.scratch - len(head) - behind.scratch), behind.initial_scratch()])


def at_motor(bound: BoundLaw, entry: int) -> Gear | None:
    """The gear through which a law measures the joint of that entry in v; None where it sees the joint itself."""
    return getattr(bound, "gears", {}).get(entry)
