"""Friction laws: what resists slip where shapes touch."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from ...basics.arguments import checked
from ...basics.errors import Problem
from ...basics.registry import Kinds
from ...basics.values import number_problems
from ...kernels.kind_registry import BRISTLE, COULOMB
from .normal import SiteLaw, as_numbers

PRESLIDING = 1e-4
"""Displacement over which a contact whose bristle stiffness is not given breaks away [m] (Gonthier 2007, 3.3.2)."""


FRICTION_LAWS: Kinds[FrictionLaw] = Kinds("friction law")
"""Friction laws by their kind."""


@checked
class FrictionLaw(SiteLaw):
    """A law of friction. It sees load and slip of a site."""

    laws: ClassVar[Kinds[Any]] = FRICTION_LAWS

    @abstractmethod
    def numbers(self) -> np.ndarray:
        """Parameters for the kernels."""


@checked
@dataclass(frozen=True)
class BristleFriction(FrictionLaw):
    """Friction that sticks, breaks away and slides, in three dimensions (Gonthier 2007, eqs. 3.28 to 3.42).

    static       coefficient of friction at breakaway after a long rest; None for `kinetic`: no stick-slip
    kinetic      coefficient of friction while sliding
    stiffness    of the bristles, relative to the load [1/m]; None for breakaway within 0.1 mm
    damping      of the bristles, relative to the load [s/m]; None for critical damping under the weight on Earth
    viscous      coefficient, relative to the load [s/m]
    stribeck     speed at which sliding sets in [m/s]
    dwell        time constant with which friction rises at rest [s]; None for at once
    """

    static: float | None = None
    kinetic: float = 0.5
    stiffness: float | None = None
    damping: float | None = None
    viscous: float = 0.0
    stribeck: float = 1e-3
    dwell: float | None = None
    kind: ClassVar[str] = "bristle"
    code: ClassVar[int] = BRISTLE

    def __post_init__(self) -> None:
        as_numbers(self, ("static", "stiffness", "damping", "dwell"))

    def check(self, address: str) -> list[Problem]:
        problems = number_problems(self.kinetic, address, "kinetic friction", above=0.0, field="kinetic")
        for what, value in (("stiffness [1/m]", self.stiffness), ("damping [s/m]", self.damping)):
            if value is not None:
                problems += number_problems(value, address, f"bristle {what}", above=0.0)
        problems += number_problems(self.viscous, address, "viscous friction [s/m]", least=0.0, field="viscous")
        problems += number_problems(self.stribeck, address, "stribeck [m/s]", above=0.0)
        if self.dwell is not None:
            problems += number_problems(self.dwell, address, "dwell [s]", above=0.0)
        if self.static is not None:
            found = number_problems(self.static, address, "static friction", above=0.0, field="static")
            if not found and not problems and self.static < self.kinetic:
                found = [
                    Problem(
                        address,
                        f"static friction {self.static:g} is below the kinetic {self.kinetic:g}; "
                        "give at least the kinetic one",
                    )
                ]
            problems += found
        return problems

    @property
    def state_names(self) -> tuple[str, ...]:
        bristles = ("bristle.x", "bristle.y", "bristle.z")
        return bristles if self.dwell is None else (*bristles, "dwell")

    def numbers(self) -> np.ndarray:
        from ...kernels.contact.contact_rows import FrictionParameters

        static = self.kinetic if self.static is None else self.static
        stiffness = static / PRESLIDING if self.stiffness is None else self.stiffness
        damping = 2.0 * math.sqrt(stiffness / 9.81) if self.damping is None else self.damping
        row = FrictionParameters(np.zeros(FrictionParameters.size))
        row.static, row.kinetic, row.stiffness = static, self.kinetic, stiffness
        row.damping, row.viscous, row.stribeck = damping, self.viscous, self.stribeck
        row.dwell, row.small_speed = self.dwell or 0.0, 0.01 * self.stribeck
        return row.numbers


@checked
@dataclass(frozen=True)
class CoulombFriction(FrictionLaw):
    """Coulomb's friction.

    kinetic             coefficient of friction while sliding
    transition_speed    below which it passes smoothly through zero, or from the static to the kinetic one [m/s]
    static              coefficient at breakaway, for `MultiplierContact`; None for `kinetic`

    With `MultiplierContact` nodes stick. With other laws it is kinetic friction only, made smooth below a speed: it
    creeps under load, and is there for comparison.
    """

    kinetic: float
    transition_speed: float = 1e-3
    static: float | None = None
    kind: ClassVar[str] = "coulomb"
    optional_fields: ClassVar[tuple[str, ...]] = ("static",)
    code: ClassVar[int] = COULOMB

    def __post_init__(self) -> None:
        as_numbers(self, ("static",))

    def check(self, address: str) -> list[Problem]:
        problems = number_problems(self.kinetic, address, "kinetic friction", above=0.0, field="kinetic")
        problems += number_problems(self.transition_speed, address, "transition_speed [m/s]", above=0.0)
        if self.static is not None:
            problems += number_problems(self.static, address, "static friction", least=self.kinetic, field="static")
        return problems

    @property
    def state_names(self) -> tuple[str, ...]:
        return ()

    def numbers(self) -> np.ndarray:
        from ...kernels.contact.contact_rows import FrictionParameters

        row = FrictionParameters(np.zeros(FrictionParameters.size))
        row.kinetic, row.small_speed = self.kinetic, self.transition_speed
        return row.numbers
