"""Trajectory optimisation: problems in named quantities, costs, systems of equations, solutions."""

# ruff: noqa: F401
from __future__ import annotations as _annotations

from typing import TYPE_CHECKING as _TYPE_CHECKING

from .basics.lazy_import import lazy_imports as _lazy_imports

__getattr__, __dir__, __all__ = _lazy_imports(__name__, renamed={"ShotTrajectory": "ShootingTrajectory"})

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
    from .methods.optimal.shooting_trajectory import ShootingTrajectory
    from .methods.optimal.slews import Slew, slew
    from .methods.optimal.trajectory import Trajectory
