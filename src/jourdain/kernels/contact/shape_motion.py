"""Relative motion of two shapes at a point of contact, and their velocity of approach before it."""

from __future__ import annotations

from ..compiler import kernel
from ..spatial import add, cross, dot, mat, rotate, rotate_back, sub, vec
from .contact_layout import (
    CONTACT_FIRST,
    CONTACT_PARTS,
    CONTACT_SECOND,
    LATCHED,
    MARK,
    PART,
    PART_KEY,
    PART_NORMAL,
    SHAPE_OMEGA,
    SHAPE_P,
    SHAPE_R,
    SHAPE_V,
    SLOT,
    SLOT_TOUCHING,
    SLOTS,
)


@kernel
def relative_velocity(shapes, a, b, point):
    """Velocity of shape a relative to shape b at a point C, v_BC_W = v_WA(C) - v_WB(C), world axes [m/s]."""
    ra = sub(point, vec(shapes, a, SHAPE_P))
    rb = sub(point, vec(shapes, b, SHAPE_P))
    va = add(vec(shapes, a, SHAPE_V), cross(vec(shapes, a, SHAPE_OMEGA), ra))
    return sub(va, add(vec(shapes, b, SHAPE_V), cross(vec(shapes, b, SHAPE_OMEGA), rb)))


@kernel
def remember_approach(ws, row, slot, latched):
    """Stores the relative velocity of A to B for a part of a volumetric contact that has no normal yet.

    The normal is not known before there is an overlap, so velocities are stored, not a speed: v_BAo_B and omega_BA_B,
    in the axes of B.
    """
    a, b = row[CONTACT_FIRST], row[CONTACT_SECOND]
    R = mat(ws.shapes, b, SHAPE_R)
    u = rotate_back(R, relative_velocity(ws.shapes, a, b, vec(ws.shapes, a, SHAPE_P)))
    w = rotate_back(R, sub(vec(ws.shapes, a, SHAPE_OMEGA), vec(ws.shapes, b, SHAPE_OMEGA)))
    at, part = row[LATCHED] + SLOT * slot + MARK, row[CONTACT_PARTS] + PART * slot + PART_NORMAL
    latched[at], latched[at + 1], latched[at + 2] = u
    latched[part], latched[part + 1], latched[part + 2] = w


@kernel
def remember_approaches(ws, row, latched):
    """`remember_approach` of all slots that are not in contact."""
    for slot in range(row[SLOTS]):
        if latched[row[LATCHED] + SLOT * slot + SLOT_TOUCHING] == 0.0:
            remember_approach(ws, row, slot, latched)


@kernel
def is_real(row, slot, latched):
    """Whether the part in a slot has had a normal yet."""
    return latched[row[CONTACT_PARTS] + PART * slot + PART_KEY] >= 0.0


@kernel
def approach_rate(ws, row, slot, latched, point, n):
    """Speed along a normal n with which the shapes of a part without a normal yet approached each other [m/s]."""
    a, b = row[CONTACT_FIRST], row[CONTACT_SECOND]
    at, part = row[LATCHED] + SLOT * slot + MARK, row[CONTACT_PARTS] + PART * slot + PART_NORMAL
    R = mat(ws.shapes, b, SHAPE_R)
    u = rotate(R, (latched[at], latched[at + 1], latched[at + 2]))
    w = rotate(R, (latched[part], latched[part + 1], latched[part + 2]))
    arm = sub(point, vec(ws.shapes, a, SHAPE_P))
    return max(-dot(add(u, cross(w, arm)), n), 0.0)
