"""One number for each contact, which changes its sign where that begins or ends, for solvers that look for roots."""

from __future__ import annotations

from ...compiler import entry_point
from ...kind_registry import PILE
from ...tree.kinematics import kinematics
from ..contact_forces import find, place_shapes
from ..contact_layout import FAMILY, GAP, LATCHED, ROLE, SLOT, SLOT_TOUCHING, SLOTS

FAR = 1.0
"""The most that an indicator is; what no site is left of is as far on the other side [m]."""


@entry_point
def contact_indicators(model, touch, q, v, latched, ws, out):
    """How far each contact (nc,) is from beginning or ending anywhere [m]; negative while it is to.

    Of a site that does not touch that is its gap, of one that does its depth; the least of all sites counts. Where a
    change is accepted the sign turns, without a jump.
    """
    kinematics(model, ws, q, v)
    place_shapes(model, ws, q, v)
    for c in range(model.contact_index.shape[0]):
        out[c] = FAR
        row = model.contact_index[c]
        if row[FAMILY] == PILE:
            continue
        count = find(model, touch, ws, c, latched)
        for s in range(count):
            slot = int(ws.sites[s, ROLE])
            if slot >= 0:
                touching = latched[row[LATCHED] + SLOT * slot + SLOT_TOUCHING] == 1.0
                out[c] = min(out[c], -ws.sites[s, GAP] if touching else ws.sites[s, GAP])
        for slot in range(row[SLOTS]):
            found = False
            for s in range(count):
                found = found or ws.sites[s, ROLE] == slot
            if latched[row[LATCHED] + SLOT * slot + SLOT_TOUCHING] == 1.0 and not found:
                out[c] = -FAR
