"""What a muscle is: its path, its strength and its lengths, and the cylinder that it goes round."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ...basics.arguments import checked
from ...basics.errors import ModelError
from ...basics.fields import Described
from ...basics.values import as_number, shown


@checked
@dataclass(frozen=True)
class Wrap(Described):
    """A cylinder that a muscle goes round, where it is in its way.

    at        address of a frame whose z is the axis
    radius    [m]
    way       1: from x to y about z, on the way along the muscle; -1: the other way
    behind    number of the point of the path behind which the cylinder is met
    """

    at: str
    radius: float
    way: int = 1
    behind: int = 0


@checked
@dataclass(frozen=True)
class Muscle(Described):
    """A muscle with a tendon that does not stretch: F = strength (a f_l f_v + f_p).

    name              unique among the muscles
    path              addresses of frames from origin to insertion, via points in between
    strength          largest isometric force [N]
    optimal_length    of the fibres, where they pull most [m]
    slack             length of the tendon [m]
    fastest           largest speed of shortening [optimal lengths a second]
    rise, fall        time constants of activation and deactivation [s]
    wrap              a cylinder to go round

    Curves: f_l = exp(-(l - 1)^2 / 0.45) and the exponential f_p of Thelen 2003, Hill's hyperbola f_v of a / F = 0.25,
    which goes on to 1.4 in lengthening; rates of the activation a towards the excitation by Thelen 2003, eqs. 1, 2.
    Fibres are as long as the path less the slack. Below half of their optimal length f_l goes to zero at no length;
    above 1.6 of it f_p goes on along its tangent. A run that begins with fibres longer than that is refused.
    """

    name: str
    path: Sequence[str]
    strength: float
    optimal_length: float = 0.1
    slack: float = 0.0
    fastest: float = 10.0
    rise: float = 0.015
    fall: float = 0.050
    wrap: Wrap | None = None

    def __post_init__(self) -> None:
        if isinstance(self.path, str) or len(self.path) < 2:
            raise ModelError.at(self.name, f"path is {shown(self.path)}; give two addresses or more", "path")
        for what in ("strength", "optimal_length", "fastest", "rise", "fall"):
            given = as_number(getattr(self, what), f"{self.name}: {what}")
            if not math.isfinite(given) or given <= 0.0:
                raise ModelError.at(self.name, f"{what} is {shown(given)}; give a number above 0", what)
            object.__setattr__(self, what, given)
        slack = as_number(self.slack, f"{self.name}: slack")
        if not math.isfinite(slack) or slack < 0.0:
            raise ModelError.at(self.name, f"slack is {shown(slack)} m; give 0 or more", "slack")
        object.__setattr__(self, "slack", slack)
        if self.wrap is not None:
            last = len(self.path) - 2
            if self.wrap.way not in (1, -1) or not 0 <= self.wrap.behind <= last or not self.wrap.radius > 0.0:
                allowed = f"a radius above 0, way 1 or -1, behind 0 to {last}"
                raise ModelError.at(self.name, f"wrap is {shown(self.wrap)}; give {allowed}", "wrap")
