"""Derivatives of constant loads at markers.

A load in the axes of its body turns with it and contributes its part of the force only. One in world axes stays while
its body turns: relative to the body, a rotation t changes (moment, force) at the marker by -t x.
"""

from __future__ import annotations

from ..algebra import skew, skew_product
from ..compiler import kernel, optional_kernel
from ..tree.markers import marker_kinematics
from .internal_at_markers import flexible_load


@optional_kernel("loads")
def turn_loads(model, ws, sl, q, v, K):
    """`load_partials` of a model that has some."""
    for i in range(len(model.constant_loads)):
        where, f = model.load_markers[i], model.constant_loads[i].wrench
        body = model.markers[where.marker].body
        if body == 0:
            continue
        if where.axes < 0:
            # by the rotation of the body, of (moment about the reference point, force), from which a load that stays
            # in world axes is subtracted
            r, _, _ = marker_kinematics(model, ws, where.marker, q, v)
            sums = sl.composites[body]
            x = ws.bodies[body].p_WB + r - sums.reference
            sums.moment_turn += skew(-f.moment) + skew_product(-x, f.force)
            sums.force_turn += skew(-f.force)
        if model.tree[body].ne > 0:
            flexible_load(model, ws, sl, i, q, v, K)


@kernel
def load_partials(model, ws, sl, q, v, K):
    """Adds loads in world axes to the composites of their bodies, and all on flexible bodies to their entries."""
    if len(model.constant_loads) > 0:
        turn_loads(model, ws, sl, q, v, K)
