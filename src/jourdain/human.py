"""Human models: segments by height and mass, a skeleton, muscles and how they share a load, comfort, feet."""

# ruff: noqa: F401
from __future__ import annotations as _annotations

from typing import TYPE_CHECKING as _TYPE_CHECKING

from .basics.lazy_import import lazy_imports as _lazy_imports

__getattr__, __dir__, __all__ = _lazy_imports(__name__, renamed={"felt": "exposure"})

if _TYPE_CHECKING:
    from .methods.human.comfort import Comfort, DirectionComfort, comfort, exposure, weigh, weighting_factor
    from .methods.human.dummy import dummy
    from .methods.human.muscles import Muscle, MuscleForces, Muscles, MuscleWarning, Shared, Wrap, share_load
    from .methods.human.occupant import occupant
    from .methods.human.segments import Segment, Segments, segments
    from .methods.human.skeleton import skeleton
    from .methods.human.support import Support, Weaned, hip_turn, trunk_angles, wean
    from .methods.human.walking import Pattern, foot_friction, foot_pressure, stand, walker
    from .methods.human.wobbling import wobble
