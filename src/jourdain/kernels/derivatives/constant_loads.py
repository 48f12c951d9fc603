"""Derivatives of constant loads at markers.

A load in the axes of its body turns with it and contributes its part of the force only. One in world axes stays while
its body turns: relative to the body, a rotation t changes (moment, force) at the marker by -t x.
"""

from __future__ import annotations

from ..columns import POS, N
from ..compiler import kernel
from ..linalg.row_matrices import skew, skew_product
from ..spatial import accumulate9, add, add9, scale, sub, vec
from ..tree.markers import marker_frame
from .derivative_layout import C_TURN_F, C_TURN_N, REF
from .internal_at_markers import flexible_load


@kernel
def left_behind(x, moment, force):
    """Derivatives by the rotation of the body of (moment about a point at -x, force), from which a load (moment, force)
    in world axes is subtracted: 3x3 each.
    """
    turn_n = add9(skew(scale(-1.0, moment)), skew_product(scale(-1.0, x), force))
    return turn_n, skew(scale(-1.0, force))


@kernel
def load_partials(model, ws, sl, q, v, K):
    """Adds loads in world axes to the composites of their bodies, and all on flexible bodies to their entries."""
    for i in range(model.loads.shape[0]):
        m, axes = model.load_index[i, 0], model.load_index[i, 1]
        body = model.marker_index[m, 0]
        if body == 0:
            continue
        if axes < 0:
            r, _, _, _ = marker_frame(model, ws, m, q, v)
            x = sub(add(vec(ws.work, body, POS), r), vec(sl.bodies, body, REF))
            turn_n, turn_f = left_behind(x, vec(model.loads, i, 0), vec(model.loads, i, 3))
            accumulate9(sl.bodies, body, C_TURN_N, turn_n)
            accumulate9(sl.bodies, body, C_TURN_F, turn_f)
        if model.table[body, N] > 0:
            flexible_load(model, ws, sl, i, q, v, K)
