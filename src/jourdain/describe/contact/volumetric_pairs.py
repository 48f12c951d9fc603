"""Which pairs of shapes volumetric contact knows, and by which finder."""

from __future__ import annotations

from ...basics.errors import ModelError
from ...kernels.codes import BALLS, CAPS, FLATS, HOLES, MIXED, ROLLS
from ..shapes import Shape

SEVERAL = 16
"""Sub-contacts that shapes which are not convex have room for."""
CORNERS = 8
"""Places where a box or a convex mesh can touch a round hole."""
ROLLING = ("cylinder", "cone", "capsule")


def _hole(shape: Shape) -> bool:
    return bool(getattr(shape, "inside", False))


def _direct(first: Shape, second: Shape) -> tuple[int, int] | None:
    a, b = first.kind, second.kind
    if a == "sphere" and b in ("plane", "sphere"):
        return CAPS, 1
    if a == "sphere" and (b in (*ROLLING, "edge") or (b in ("box", "convex") and not _hole(second))):
        return BALLS, 1
    if a in ROLLING and not _hole(first) and b in ("plane", "edge", "box", "convex") and not _hole(second):
        return ROLLS, 1
    if b == "cylinder" and _hole(second) and not _hole(first):
        if a == "cylinder":
            return HOLES, 2
        if a in ("box", "convex"):
            return HOLES, CORNERS
    return None


def _by_cells(first: Shape, second: Shape, parts: int | None) -> tuple[int, int]:
    """The finder of two bodies of cells; a `ModelError` where it does not know them."""
    from ..shapes.cell_tables import is_flat, pair_problems
    from ..shapes.cells import solid_cells

    one, two = solid_cells(first, "the first shape"), solid_cells(second, "the second shape")
    if problems := pair_problems(one, two, "overlap"):
        raise ModelError(problems)
    convex = len(one) * len(two) == 1 and not one[0].holes and not two[0].holes
    return FLATS if is_flat(one) and is_flat(two) else MIXED, 1 if convex else parts or SEVERAL


def kind_of_overlap(first: Shape, second: Shape, parts: int | None) -> tuple[int, int, bool]:
    """(family, slots, whether the pair is known the other way round); a `ModelError` where it is not known."""
    for one, other, swapped in ((first, second, False), (second, first, True)):
        found = _direct(one, other)
        if found is not None:
            return (*found, swapped)
    endless = ("plane", "edge")
    if first.kind in endless and second.kind in endless:
        raise ModelError.at("overlap", "two half-spaces have no finite overlap; give one body a shape of finite size")
    swapped = first.kind in endless
    pair = (second, first) if swapped else (first, second)
    return (*_by_cells(*pair, parts), swapped)
