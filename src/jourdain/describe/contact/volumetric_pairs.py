"""Which pairs of shapes volumetric contact knows, and by which finder."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from ...basics.errors import ModelError
from ...kernels.kind_registry import (
    CYLINDER_POLYHEDRON,
    MIXED_CELLS,
    PEG_HOLE,
    POLYHEDRON_POLYHEDRON,
    SPHERE_PLANE,
    SPHERE_SOLID,
)
from ..shapes import Shape

if TYPE_CHECKING:
    from ..shapes.bores import Bore
    from ..shapes.cells import SolidCell

SEVERAL = 16
"""Capacity of sub-contacts of shapes which are not convex."""
CORNERS = 8
"""Places where a box or a convex mesh can touch a round hole."""
JOINED = 1e-9
"""Of its radius: how far apart two pieces of a round hole may be where they meet."""
ROLLING = ("cylinder", "cone", "capsule")


def _hole(shape: Shape) -> bool:
    return bool(getattr(shape, "inside", False))


def _direct(first: Shape, second: Shape) -> tuple[int, int] | None:
    a, b = first.kind, second.kind
    if a == "sphere" and b in ("plane", "sphere"):
        return SPHERE_PLANE, 1
    if a == "sphere" and (b in (*ROLLING, "edge") or (b in ("box", "convex") and not _hole(second))):
        return SPHERE_SOLID, 1
    if a in ROLLING and not _hole(first) and b in ("plane", "edge", "box", "convex") and not _hole(second):
        return CYLINDER_POLYHEDRON, 1
    if b == "cylinder" and _hole(second) and not _hole(first):
        if a == "cylinder":
            return PEG_HOLE, 2
        if a in ("box", "convex"):
            return PEG_HOLE, CORNERS
    return None


def _by_cells(first: Shape, second: Shape, parts: int | None) -> tuple[int, int]:
    """The finder of two bodies of cells; a `ModelError` where it does not know them."""
    from ..shapes.cell_tables import is_flat, pair_problems
    from ..shapes.cells import solid_cells

    one, two = solid_cells(first, "the first shape"), solid_cells(second, "the second shape")
    if problems := pair_problems(one, two, "overlap"):
        raise ModelError(problems)
    convex = len(one) * len(two) == 1 and not one[0].holes and not two[0].holes
    return POLYHEDRON_POLYHEDRON if is_flat(one) and is_flat(two) else MIXED_CELLS, 1 if convex else parts or SEVERAL


def kind_of_overlap(first: Shape, second: Shape, parts: int | None, normal: str = "inertia") -> tuple[int, int, bool]:
    """(family, slots, whether the pair is taken the other way round); a `ModelError` where it is not known.

    The foundation is in the second of the pair: where both are bounded and it matters, in the one of larger volume.
    """
    for one, other, swapped in ((first, second, False), (second, first, True)):
        found = _direct(one, other)
        if found is not None:
            return (*found, swapped)
    endless = ("plane", "edge")
    if first.kind in endless and second.kind in endless:
        raise ModelError.at("overlap", "two half-spaces have no finite overlap; give one body a shape of finite size")
    swapped = first.kind in endless
    if normal == "conservative" and not swapped and second.kind not in endless:
        swapped = _volume(first) > _volume(second)
    pair = (second, first) if swapped else (first, second)
    return (*_by_cells(*pair, parts), swapped)


def _volume(shape: Shape) -> float:
    from ..shapes.cells import solid_cells

    solid_cells(shape, "overlap")  # refuses what encloses nothing
    return float(shape.volume)


def _known(first: list[SolidCell], second: list[SolidCell]) -> bool:
    """Whether all overlaps of two bodies of cells have a potential.

    Those of balls and of flat faces have; those of other round cells with flat ones, and of cylinders in round holes,
    too, if no faces of these lie between two cells, on which a jump of the depth is not looked for; those of two
    cylinders, and of flat cells in round holes, have not.
    """
    from ..shapes.polyhedra import shared_faces

    plain = [not any(shared_faces([cell.solid for cell in body])) for body in (first, second)]
    return all(_potential(one, two, plain) for one in first for two in second)


def _joined(bore: Bore) -> bool:
    """Whether the pieces of a round hole go on without a step."""
    radii = [(below[0] + below[1] * below[3], above[0] + above[1] * above[2]) for below, above in pairwise(bore.pieces)]
    return all(abs(one - two) <= JOINED * one for one, two in radii)


def _potential(one: SolidCell, two: SolidCell, plain: list[bool]) -> bool:
    kinds = [None if cell.curved is None else cell.curved.shape.kind for cell in (one, two)]
    if "sphere" in kinds:
        return True
    if one.holes or two.holes:
        drilled = 0 if one.holes else 1
        return kinds[1 - drilled] == "cylinder" and plain[drilled] and _joined((one, two)[drilled].holes[0])
    if kinds == [None, None]:
        return True
    return None in kinds and plain[kinds.index(None)]


def pushing(first: Shape, second: Shape, parts: int | None, normal: str) -> int:
    """Which way the parts of an overlap push, as the kernels know it (`CONTACT_NORMAL`)."""
    from ...kernels.contact import contact_layout as C
    from ..shapes.cells import solid_cells

    if normal == "inertia":
        return C.INERTIA_NORMAL
    family, _, _ = kind_of_overlap(first, second, parts, normal)
    if family == PEG_HOLE:
        return C.POTENTIAL if first.kind == second.kind == "cylinder" else C.CONSERVATIVE
    if family == MIXED_CELLS and not _known(solid_cells(first), solid_cells(second)):
        return C.CONSERVATIVE
    return C.POTENTIAL
