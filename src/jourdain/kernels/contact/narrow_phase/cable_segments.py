"""Segments of a cable as contact shapes: capsules between two points of a line, placed anew at every evaluation.

A segment lies between points a and b of the line, u the unit vector from a to b, L their distance. It moves with the
mean of their velocities and turns with omega = u x (b' - a') / L, which has no component along u: a line has no twist.
A force F and a moment M about its middle have the same power as

    F / 2 - M x u / L on a,    F / 2 + M x u / L on b.

So linear momentum is conserved, and so is angular momentum but for the component of M along u, which has no effect:
that of friction around the line. The narrow phase treats a segment as a capsule of varying length.
"""

from __future__ import annotations

import math

from ...compiler import optional_kernel
from ...spatial import accumulate3, add, cross, dot, put3, put9, scale, sub, vec
from ..contact_layout import (
    SEGMENT_HALF,
    SHAPE_FORCE,
    SHAPE_INTEGERS,
    SHAPE_MOMENT,
    SHAPE_OMEGA,
    SHAPE_P,
    SHAPE_R,
    SHAPE_V,
)

NOTHING = 1e-12
"""Length of a piece below which it has no direction [m]."""


@optional_kernel("strands")
def place_cable_segment(model, ws, i):
    """Places segment i between its two points; these are placed first."""
    shapes = ws.shapes
    at = model.shape_index[i, SHAPE_INTEGERS]
    first, second = model.shape_integers[at], model.shape_integers[at + 1]
    a, b = vec(shapes, first, SHAPE_P), vec(shapes, second, SHAPE_P)
    va, vb = vec(shapes, first, SHAPE_V), vec(shapes, second, SHAPE_V)
    chord = sub(b, a)
    length = max(math.sqrt(dot(chord, chord)), NOTHING)
    u = scale(1.0 / length, chord)
    # any axes across u: columns of R_WS are t, u x t, u
    t = (0.0, -u[2], u[1]) if u[0] * u[0] < 0.5 else (-u[1], u[0], 0.0)
    t = scale(1.0 / math.sqrt(max(dot(t, t), NOTHING)), t)
    w = cross(u, t)
    put9(shapes, i, SHAPE_R, (t[0], w[0], u[0], t[1], w[1], u[1], t[2], w[2], u[2]))
    put3(shapes, i, SHAPE_P, scale(0.5, add(a, b)))
    put3(shapes, i, SHAPE_V, scale(0.5, add(va, vb)))
    put3(shapes, i, SHAPE_OMEGA, scale(1.0 / length, cross(u, sub(vb, va))))
    shapes[i, SEGMENT_HALF] = 0.5 * length


@optional_kernel("strands")
def spread_cable_segment(model, ws, i):
    """Distributes the load of segment i to its two points, by the equation above."""
    shapes = ws.shapes
    at = model.shape_index[i, SHAPE_INTEGERS]
    first, second = model.shape_integers[at], model.shape_integers[at + 1]
    force, moment = scale(0.5, vec(shapes, i, SHAPE_FORCE)), vec(shapes, i, SHAPE_MOMENT)
    u = (shapes[i, SHAPE_R + 2], shapes[i, SHAPE_R + 5], shapes[i, SHAPE_R + 8])
    couple = scale(0.5 / shapes[i, SEGMENT_HALF], cross(moment, u))
    accumulate3(shapes, first, SHAPE_FORCE, sub(force, couple))
    accumulate3(shapes, second, SHAPE_FORCE, add(force, couple))
    for k in range(6):
        shapes[i, SHAPE_MOMENT + k] = 0.0
