"""`Winch`: a drum that winds a cable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ...basics.arguments import checked
from ...basics.errors import ModelError, Problem
from ...basics.types import AxisLike
from ...basics.values import as_number, number_problems, shown
from ...kernels import kind_registry
from .joint import unit
from .one_axis import TURNING, OneAxis

if TYPE_CHECKING:
    from ..bodies.body import Body

ASKEW = 1e-9
"""Cosine of the angle between the axis and x, at most."""


@checked
@dataclass(frozen=True, eq=False)
class Winch(OneAxis):
    __doc__ = f"""A drum that lets a `Cable` out and winds it in; the coordinate is the drum's angle [rad].

    The joint sits where the cable leaves the drum, its x along the cable at rest, and holds the cable's origin. A
    positive turn lets cable out: the length that is out is ``deployed + radius * angle``. Cable passes through the
    outlet with its mass and its momentum, and is without strain while it is on the drum. What is out has the elements
    of the cable, whose length changes with it. The root of the cable is "clamped" (it leaves along x) or "pinned" (it
    leaves in any direction).

    name                  unique in its system; it is also the coordinate's name
    axis                  of the drum, across x: "y", "z" or three numbers. Mass and inertia of the drum across its
                          axis belong to the body that carries it
    radius                of the drum [m], the same however much is on it
    inertia               of the empty drum about its axis [kg m^2]; that of the cable on it is added
    deployed              length that is out where the angle is zero [m]; None for the whole cable
    shortest              least length that stays out [m]; None for a hundredth of the cable
    stored                whether what is not out turns with the drum; False where it goes on to another winch, as over
                          a pulley, and only rests at the outlet{TURNING}
    limits are where ``shortest`` and the whole cable are out where they are not given; stops push back there, and
    states and profiles must lie between. See docs/build/cables.md."""
    axis: AxisLike = "y"
    radius: float = None  # type: ignore[assignment]
    inertia: float = 0.0
    deployed: float | None = None
    shortest: float | None = None
    stored: bool = True
    kind: ClassVar[str] = "winch"
    closes: ClassVar[bool] = False

    @property
    def code(self) -> int:
        """The frame that it holds does not move; what moves is the body's (`Body.lent`)."""
        return kind_registry.WELD

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.radius is None:
            raise ModelError.at(self.name, "a winch takes radius= [m], that of its drum")
        if not isinstance(self.stored, bool):
            raise ModelError.at(self.name, f"stored is {shown(self.stored)}; give True or False", "stored")
        for what in ("radius", "inertia", "deployed", "shortest"):
            if getattr(self, what) is not None:
                object.__setattr__(self, what, as_number(getattr(self, what), f"{self.name}: {what}"))

    def motion_subspace(self) -> np.ndarray:
        return np.zeros((6, 0))

    def holds(self, body: Body) -> Body:
        wound = getattr(body, "wound_as", None)
        if wound is None:
            raise ModelError.at(self.name, f"a winch winds a jd.Cable, and holds {shown(body)}")
        return wound(body, self)

    def check(self, address: str) -> list[Problem]:
        problems = super().check(address)
        problems += number_problems(self.radius, address, "radius [m]", above=0.0)
        problems += number_problems(self.inertia, address, "inertia [kg m^2]", least=0.0)
        for what in ("deployed", "shortest"):
            if getattr(self, what) is not None:
                problems += number_problems(getattr(self, what), address, f"{what} [m]", above=0.0)
        if not problems and abs(unit(self.axis)[0]) > ASKEW:
            problems.append(
                Problem(address, f"axis is {shown(self.axis)}; the cable leaves along x, give one across it", "axis")
            )
        return problems
