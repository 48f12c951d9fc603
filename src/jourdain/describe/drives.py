"""Flexible geared drives: a rotor, a gear and a spring between the rotor and the joint."""

from __future__ import annotations

from dataclasses import dataclass, fields

from ..basics.arguments import checked
from ..basics.errors import Problem
from ..basics.fields import Described
from ..basics.values import as_number, number_problems


@checked
@dataclass(frozen=True)
class Drive(Described):
    """A motor that moves a one-axis joint through a gear and a spring.

    The motor's angle x_m, against the body that carries the joint, is the coordinate ``"NAME.motor"`` [rad]; the gear
    turns it into x_m / gear on the joint's side, where the spring acts on the joint's own coordinate x:

        T = stiffness (x_m / gear - x) + damping (x_m' / gear - x')        on the joint, and -T / gear on the rotor.

    The rotor is a body of its own with the kinetic energy 1/2 rotor_inertia (x_m' + omega . axis)^2, omega being the
    angular velocity of the body that carries it: its reaction on the carrier and its gyroscopic moment are there, which
    Spong (1987) leaves out as smaller by 1 / gear. Its mass and its inertia across the axis belong to the carrier.

    gear             motor angle for a unit of the joint's coordinate [1], [rad/m] on a prismatic joint; a negative
                     one turns the motor the other way
    rotor_inertia    about the motor's own axis, on the motor side [kg m^2]
    stiffness        on the joint's side [N m/rad], [N/m] on a prismatic joint
    damping          on the joint's side [N m s/rad], [N s/m]
    friction         dry friction on the motor side, the most it can hold [N m]
    torque_limit     what the motor can give [N m]: in a run, an effort beyond it on ``"NAME.motor"`` is cut to it, and
                     `run.effort` shows what is left. A prescribed motor takes what it needs. None for no limit
    friction_stiffness    on the motor side, while friction sticks [N m/rad]; None leaves it to `System.compile`
    """

    gear: float
    rotor_inertia: float
    stiffness: float
    damping: float = 0.0
    friction: float = 0.0
    torque_limit: float | None = None
    friction_stiffness: float | None = None

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if value is not None or field.name not in ("torque_limit", "friction_stiffness"):
                object.__setattr__(self, field.name, as_number(value, f"drive: {field.name}"))

    def check(self, address: str) -> list[Problem]:
        """Everything wrong with the drive, reported at ``address``."""
        problems = number_problems(self.gear, address, "drive: gear")
        if self.gear == 0.0:
            problems.append(
                Problem(address, "drive: gear is 0; give the motor's angle for a unit of the joint's", "gear")
            )
        for what in ("rotor_inertia", "stiffness", "torque_limit", "friction_stiffness"):
            value = getattr(self, what)
            if value is not None:
                problems += number_problems(value, address, f"drive: {what}", above=0.0)
        for what in ("damping", "friction"):
            problems += number_problems(getattr(self, what), address, f"drive: {what}", least=0.0)
        return problems
