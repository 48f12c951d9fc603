"""Vectors of shells and rods: displacements by their coordinates, and those of an element."""

from __future__ import annotations

from typing import NamedTuple

from ..algebra import Vec3
from ..body_data import Values
from ..compiler import kernel


class Element(NamedTuple):
    """An element or a fold."""

    n: int  # how many vectors it has
    vectors: Values  # their numbers (n,), then 1 for places, 0 for gradients
    table: Values  # numbers of its points


@kernel
def element_of(body, k):
    """Element k of a shell or rod; folds come behind the elements."""
    row = body.rows[k]
    return Element(row.count, body.table[row.vectors :], body.line[row.table :])


@kernel
def displacement(body, x, of, a):
    """The displacement of node or vector a for coordinates x[of ...]."""
    u = x[of] * Vec3(0.0, 0.0, 0.0)
    for k in range(body.first[a], body.first[a + 1]):
        u += x[of + k] * body.ways[k]
    return u
