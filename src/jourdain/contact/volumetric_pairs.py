"""Which pairs of shapes volumetric contact knows, and by which finder."""

from __future__ import annotations

from ..shapes import Shape

CAPS, BALLS, ROLLS, FLATS, HOLES, CELLULAR = range(4, 10)
SEVERAL = 16
"""Sub-contacts that shapes which are not convex have room for."""
CORNERS = 8
"""Places where a box or a convex mesh can touch a round hole."""
FLAT = ("box", "convex", "mesh", "cell", "cells")
ROLLING = ("cylinder", "cone", "capsule")
OVERLAPS = (
    "a sphere with every shape but a mesh that is not convex, a cylinder, cone or capsule with a plane, an edge, a box "
    "or a convex mesh, a cylinder, box or convex mesh in a cylindrical hole, and boxes, convex meshes and Cells "
    "of such with each other, a plane or an edge"
)
"""Pairs whose overlap is known, as errors say them."""


def _hole(shape: Shape) -> bool:
    return bool(getattr(shape, "inside", False))


def _flat_cells(shape: Shape) -> int:
    """How many cells a body with flat faces has; 0 where it has curved ones."""
    from ..shapes.cells import solid_cells

    cells = solid_cells(shape)
    return 0 if any(cell.curved is not None or cell.holes for cell in cells) else len(cells)


def _known(first: Shape, second: Shape, parts: int | None) -> tuple[int, int] | None:
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
    if a in FLAT and not _hole(first) and b in (*FLAT, "plane", "edge") and not _hole(second):
        one, two = _flat_cells(first), _flat_cells(second)
        if one == 0 or two == 0:
            return None
        return FLATS, 1 if one * two == 1 else parts or SEVERAL
    return None


def kind_of_overlap(first: Shape, second: Shape, parts: int | None) -> tuple[int, int, bool] | None:
    """(family, slots, whether the pair is known the other way round); None where the overlap is not known."""
    found = _known(first, second, parts)
    if found is not None:
        return (*found, False)
    found = _known(second, first, parts)
    return None if found is None else (*found, True)
