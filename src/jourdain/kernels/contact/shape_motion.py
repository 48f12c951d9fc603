"""Relative motion of two shapes at a point of contact, and their velocity of approach before it."""

from __future__ import annotations

from ..algebra import cross
from ..compiler import kernel, optional_kernel
from .contact_rows import memory_of, part_of


@kernel
def velocity_at(shape, point):
    """Velocity of the point of a shape that is at a place of the world [m/s]."""
    return shape.velocity + cross(shape.omega, point - shape.p_WS)


@kernel
def relative_velocity(shapes, a, b, point):
    """Velocity of shape a relative to shape b at a point C, v_BC_W = v_WA(C) - v_WB(C), world axes [m/s]."""
    return velocity_at(shapes[a], point) - velocity_at(shapes[b], point)


@kernel
def remember_approach(ws, row, slot, latched):
    """Stores the relative velocity of A to B for a part of a volumetric contact that has no normal yet.

    The normal is not known before there is an overlap, so velocities are stored, not a speed: v_BAo_B and omega_BA_B,
    in the axes of B.
    """
    A, B = ws.shapes[row.first], ws.shapes[row.second]
    R_WB = B.R_WS
    u = R_WB.T @ relative_velocity(ws.shapes, row.first, row.second, A.p_WS)
    w = R_WB.T @ (A.omega - B.omega)
    memory_of(row, slot, latched).mark = u
    part_of(row, slot, latched).normal = w


@optional_kernel("patches")
def remember_approaches(ws, row, latched):
    """`remember_approach` of all slots that are not in contact."""
    for slot in range(row.slots):
        if not memory_of(row, slot, latched).touching:
            remember_approach(ws, row, slot, latched)


@kernel
def is_real(row, slot, latched):
    """Whether the part in a slot has had a normal yet."""
    return part_of(row, slot, latched).key >= 0.0


@kernel
def approach_rate(ws, row, slot, latched, point, n):
    """Speed along a normal n with which the shapes of a part without a normal yet approached each other [m/s]."""
    R_WB = ws.shapes[row.second].R_WS
    u = R_WB @ memory_of(row, slot, latched).mark
    w = R_WB @ part_of(row, slot, latched).normal
    arm = point - ws.shapes[row.first].p_WS
    return max(-((u + cross(w, arm)) @ n), 0.0)
