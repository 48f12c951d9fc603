"""Largest stiffness and damping that the sites of a contact have had: what the step size has to resolve."""

from __future__ import annotations

import math

from ..compiler import kernel
from .contact_rows import friction_parameters
from .laws.normal_and_friction import friction_damping, sticking_damping


@kernel
def note_peak(model, ws, c, a, b, s, stiffness, damping, load, slip):
    """Stores stiffness and damping of site s of contact c where they exceed the contact's largest so far; slip is a
    vector.

    Called at every stage of a fixed step: shapes may meet and part within one.
    """
    row, peak = model.contacts[c], ws.peaks[c]
    law = friction_parameters(model.contact_floats, row.friction_floats)
    rubbing = friction_damping(row.friction_law, law, load, math.sqrt(slip @ slip))
    if rubbing > peak.friction:
        peak.sticking = sticking_damping(row.friction_law, law, load)
    if stiffness > peak.stiffness or damping > peak.damping or rubbing > peak.friction:
        peak.stiffness = max(stiffness, peak.stiffness)
        peak.damping = max(damping, peak.damping)
        peak.friction = max(rubbing, peak.friction)
        peak.first, peak.second = a, b
        # point and normal in the axes of both shapes
        n, point, A, B = ws.sites[s].normal, ws.sites[s].point, ws.shapes[a], ws.shapes[b]
        R_WA, R_WB = A.R_WS, B.R_WS
        peak.p_A, peak.n_A = R_WA.T @ (point - A.p_WS), R_WA.T @ n
        peak.p_B, peak.n_B = R_WB.T @ (point - B.p_WS), R_WB.T @ n
