"""Trajectory optimisation: problems in named quantities, costs, systems of equations, solutions."""

# ruff: noqa: F401
from __future__ import annotations as _annotations

from typing import TYPE_CHECKING as _TYPE_CHECKING

from .basics.lazy_import import lazy_imports as _lazy_imports

_HOMES = {
    "methods.optimal.problem": ("Problem",),
    "methods.optimal.plants": ("Ode",),
    "methods.optimal.costs": (
        "Cost",
        "effort",
        "final",
        "final_square",
        "integral",
        "peak",
        "residual",
        "square",
        "time",
    ),
    "methods.optimal.trajectory": ("Trajectory",),
    "methods.optimal.shot_trajectory": ("ShotTrajectory",),
    "methods.optimal.planned": ("Feedforward", "PlannedMotion", "Tracking"),
    "methods.optimal.collocation": ("collocation",),
    "methods.optimal.phases": ("PhasedTrajectory", "Phases"),
    "methods.optimal.multiple_shooting": ("shooting",),
    "methods.optimal.ddp": ("ddp",),
    "methods.optimal.scgra": ("scgra",),
    "methods.optimal.slews": ("Slew", "slew"),
}
__getattr__, __dir__, __all__ = _lazy_imports(__name__, _HOMES)

if _TYPE_CHECKING:
    from .methods.optimal.collocation import collocation
    from .methods.optimal.costs import Cost, effort, final, final_square, integral, peak, residual, square, time
    from .methods.optimal.ddp import ddp
    from .methods.optimal.multiple_shooting import shooting
    from .methods.optimal.phases import PhasedTrajectory, Phases
    from .methods.optimal.planned import Feedforward, PlannedMotion, Tracking
    from .methods.optimal.plants import Ode
    from .methods.optimal.problem import Problem
    from .methods.optimal.scgra import scgra
    from .methods.optimal.shot_trajectory import ShotTrajectory
    from .methods.optimal.slews import Slew, slew
    from .methods.optimal.trajectory import Trajectory
