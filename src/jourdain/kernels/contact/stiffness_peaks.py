"""Largest stiffness and damping that the sites of a contact have had: what the step size has to resolve."""

from __future__ import annotations

import math

from ..compiler import kernel
from ..spatial import dot, mat, put3, rotate_back, sub, vec
from .contact_layout import (
    FRICTION_FLOATS,
    FRICTION_LAW,
    PEAK_DAMPING,
    PEAK_FIRST,
    PEAK_FRICTION,
    PEAK_SECOND,
    PEAK_SHAPES,
    PEAK_STICK,
    PEAK_STIFFNESS,
    SHAPE_P,
    SHAPE_R,
    SITE_NORMAL,
    SITE_POINT,
)
from .laws.normal_and_friction import friction_damping, sticking_damping


@kernel
def note_peak(model, ws, c, a, b, s, stiffness, damping, load, slip):
    """Stores stiffness and damping of site s of contact c where they exceed the contact's largest so far; slip is a
    vector.

    Called at every stage of a fixed step: shapes may meet and part within one.
    """
    row, p, peaks = model.contact_index[c], model.contact_floats, ws.peaks
    rubbing = friction_damping(row[FRICTION_LAW], p, row[FRICTION_FLOATS], load, math.sqrt(dot(slip, slip)))
    if rubbing > peaks[c, PEAK_FRICTION]:
        peaks[c, PEAK_STICK] = sticking_damping(row[FRICTION_LAW], p, row[FRICTION_FLOATS], load)
    if stiffness > peaks[c, PEAK_STIFFNESS] or damping > peaks[c, PEAK_DAMPING] or rubbing > peaks[c, PEAK_FRICTION]:
        peaks[c, PEAK_STIFFNESS] = max(stiffness, peaks[c, PEAK_STIFFNESS])
        peaks[c, PEAK_DAMPING] = max(damping, peaks[c, PEAK_DAMPING])
        peaks[c, PEAK_FRICTION] = max(rubbing, peaks[c, PEAK_FRICTION])
        peaks[c, PEAK_SHAPES], peaks[c, PEAK_SHAPES + 1] = float(a), float(b)
        place_peak(ws, c, s, a, PEAK_FIRST)
        place_peak(ws, c, s, b, PEAK_SECOND)


@kernel
def place_peak(ws, c, s, shape, at):
    """Stores point and normal of site s with the peak of contact c, in the axes of a shape, from column `at` on."""
    R = mat(ws.shapes, shape, SHAPE_R)
    arm = sub(vec(ws.sites, s, SITE_POINT), vec(ws.shapes, shape, SHAPE_P))
    put3(ws.peaks, c, at, rotate_back(R, arm))
    put3(ws.peaks, c, at + 3, rotate_back(R, vec(ws.sites, s, SITE_NORMAL)))
