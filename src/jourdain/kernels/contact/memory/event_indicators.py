"""Event indicators of contact for root finding: a function for each that changes sign at touchdown and lift-off."""

from __future__ import annotations

from ...compiler import entry_point
from ...kind_registry import PILE
from ...model_arrays import ModelArrays, Workspace
from ...signatures import Vector
from ...stage_functions import ContactFunctions
from ...tree.kinematics import kinematics
from ..contact_forces import find, place_shapes
from ..contact_rows import memory_of

FAR = 1.0
"""Largest value of an indicator; a contact in a slot without any site has the opposite value [m]."""


@entry_point
def contact_indicators(
    model: ModelArrays, touch: ContactFunctions, q: Vector, v: Vector, latched: Vector, ws: Workspace, out: Vector
) -> None:
    """Event indicators of the contacts (nc,): distance from touchdown or lift-off at any site [m]; negative once it is
    due.

    For a site that is apart that is its gap, for one in contact its depth; the smallest of all sites counts. When a
    change is accepted the indicator changes sign.
    """
    kinematics(model, ws, q, v)
    place_shapes(model, ws, q, v)
    for c in range(len(model.contacts)):
        out[c] = FAR
        row = model.contacts[c]
        if row.family == PILE:
            continue
        count = find(model, touch, ws, c, latched)
        for s in range(count):
            slot, gap = ws.sites[s].role, ws.sites[s].gap
            if slot >= 0:
                out[c] = min(out[c], -gap if memory_of(row, slot, latched).touching else gap)
        for slot in range(row.slots):
            found = False
            for s in range(count):
                found = found or ws.sites[s].role == slot
            if memory_of(row, slot, latched).touching and not found:
                out[c] = -FAR
