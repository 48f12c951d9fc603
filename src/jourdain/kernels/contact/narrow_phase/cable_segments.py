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

from ...algebra import cross
from ...compiler import optional_kernel
from .unit_vectors import across_vector, axes_about

NOTHING = 1e-12
"""Length of a piece below which it has no direction [m]."""


@optional_kernel("strands")
def place_cable_segment(model, ws, i):
    """Places segment i between its two points; these are placed first."""
    shapes = ws.shapes
    at = model.shapes[i].integers
    first, second = model.shape_integers[at], model.shape_integers[at + 1]
    A, B, segment = shapes[first], shapes[second], shapes[i]
    a, b, va, vb = A.p_WS, B.p_WS, A.velocity, B.velocity
    chord = b - a
    length = max(math.sqrt(chord @ chord), NOTHING)
    u = 1.0 / length * chord
    # any axes across u: columns of R_WS are t, u x t, u
    t = across_vector(u)
    t = 1.0 / math.sqrt(max(t @ t, NOTHING)) * t
    segment.R_WS, segment.p_WS = axes_about(t, u), 0.5 * (a + b)
    segment.velocity = 0.5 * (va + vb)
    segment.omega = 1.0 / length * cross(u, vb - va)
    segment.half_length = 0.5 * length


@optional_kernel("strands")
def spread_cable_segment(model, ws, i):
    """Distributes the load of segment i to its two points, by the equation above."""
    shapes = ws.shapes
    at = model.shapes[i].integers
    first, second = model.shape_integers[at], model.shape_integers[at + 1]
    segment = shapes[i]
    force, moment, u = 0.5 * segment.force, segment.moment, segment.R_WS.z_axis
    couple = 0.5 / segment.half_length * cross(moment, u)
    shapes[first].force += force - couple
    shapes[second].force += force + couple
    segment.moment = segment.force = force.zero
