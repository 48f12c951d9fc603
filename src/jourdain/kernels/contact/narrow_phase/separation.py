"""All contact sites with their gaps, touching or not: the length scale on which contact forces change."""

from __future__ import annotations

from ...algebra import Vec3
from ...compiler import entry_point, kernel
from ...kind_registry import PILE
from ...model_arrays import ModelArrays, Workspace
from ...rows import Row, table_of
from ...signatures import Matrix, Vector
from ...stage_functions import ContactFunctions
from ...tree.kinematics import kinematics
from ..contact_forces import find, place_shapes
from ..contact_rows import PAIR_SLOTS, listed_pair
from ..granular import find_pair


class ShapeGap(Row):
    """A site of two shapes, touching or not."""

    contact: int
    slot: int  # -1 where there is none
    first: int  # the two shapes
    second: int
    gap: float  # [m]
    point: Vec3
    normal: Vec3


gap_rows = table_of(ShapeGap)


@kernel
def _put(rows, row, c, slot, a, b, site):
    if row < len(rows):
        out = rows[row]
        out.contact, out.slot, out.first, out.second = c, slot, a, b
        out.gap, out.point, out.normal = site.gap, site.point, site.normal
    return row + 1


@entry_point
def contact_gaps(
    model: ModelArrays, touch: ContactFunctions, q: Vector, v: Vector, latched: Vector, ws: Workspace, out: Matrix
) -> int:
    """All sites of all contacts, touching or not, a `ShapeGap` of `out` each; returns how many there are.

    With piles the list of near pairs must be up to date in ws. Sites beyond the rows of `out` are only counted.
    """
    kinematics(model, ws, q, v)
    place_shapes(model, ws, q, v)
    row, rows = 0, gap_rows(out)
    for c in range(len(model.contacts)):
        contact = model.contacts[c]
        if contact.family == PILE:
            continue
        a, b = contact.first, contact.second
        for s in range(find(model, touch, ws, c, latched)):
            row = _put(rows, row, c, ws.sites[s].role, a, b, ws.sites[s])
    for k in range(min(ws.lists.count, ws.pairs.shape[0])):
        pair = listed_pair(ws.pairs[k])
        for s in range(find_pair(model, touch, ws, k)):
            slot = ws.pairs[k, PAIR_SLOTS + ws.sites[s].role]
            row = _put(rows, row, pair.pile, slot, pair.first, pair.second, ws.sites[s])
    return row
