"""How shapes move where they touch."""

from __future__ import annotations

from ..compiler import kernel
from ..spatial import add, cross, sub, vec
from .layout import SHAPE_OMEGA, SHAPE_P, SHAPE_V


@kernel
def relative_velocity(shapes, a, b, point):
    """Velocity of shape a relative to shape b at a point."""
    ra = sub(point, vec(shapes, a, SHAPE_P))
    rb = sub(point, vec(shapes, b, SHAPE_P))
    va = add(vec(shapes, a, SHAPE_V), cross(vec(shapes, a, SHAPE_OMEGA), ra))
    return sub(va, add(vec(shapes, b, SHAPE_V), cross(vec(shapes, b, SHAPE_OMEGA), rb)))
