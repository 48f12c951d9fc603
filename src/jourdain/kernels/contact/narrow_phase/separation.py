"""All contact sites with their gaps, touching or not: the length scale on which contact forces change."""

from __future__ import annotations

from ...compiler import entry_point, kernel
from ...flat_arrays import put_value
from ...kind_registry import PILE
from ...model_arrays import ModelArrays, Workspace
from ...signatures import Matrix, Vector
from ...stage_functions import ContactFunctions
from ...tree.kinematics import kinematics
from ..contact_forces import find, place_shapes
from ..contact_rows import PAIR_SLOTS, listed_pair
from ..granular import find_pair

# a row of `contact_gaps`: contact, slot (-1 where there is none), the shapes (2), gap [m], point (3), normal (3)
GAP_ROW = 11


@kernel
def _put(out, row, c, slot, a, b, sites, s):
    if row < out.shape[0]:
        out[row, 0], out[row, 1], out[row, 2], out[row, 3] = float(c), float(slot), float(a), float(b)
        out[row, 4] = sites[s].gap
        put_value(out[row], 5, sites[s].point)
        put_value(out[row], 8, sites[s].normal)
    return row + 1


@entry_point
def contact_gaps(
    model: ModelArrays, touch: ContactFunctions, q: Vector, v: Vector, latched: Vector, ws: Workspace, out: Matrix
) -> int:
    """All sites of all contacts, touching or not, a row of `out` (rows, GAP_ROW) each; returns how many there are.

    With piles the list of near pairs must be up to date in ws. Sites beyond the rows of `out` are only counted.
    """
    kinematics(model, ws, q, v)
    place_shapes(model, ws, q, v)
    row = 0
    for c in range(len(model.contacts)):
        contact = model.contacts[c]
        if contact.family == PILE:
            continue
        a, b = contact.first, contact.second
        for s in range(find(model, touch, ws, c, latched)):
            row = _put(out, row, c, ws.sites[s].role, a, b, ws.sites, s)
    for k in range(min(ws.lists.count, ws.pairs.shape[0])):
        pair = listed_pair(ws.pairs[k])
        for s in range(find_pair(model, touch, ws, k)):
            slot = ws.pairs[k, PAIR_SLOTS + ws.sites[s].role]
            row = _put(out, row, pair.pile, slot, pair.first, pair.second, ws.sites, s)
    return row
