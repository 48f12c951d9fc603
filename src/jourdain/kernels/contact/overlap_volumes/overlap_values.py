"""Values of the overlap of two solids: its volume with the moments, planar sections, and springs.

A *part* is (V, c, J): volume [m^3], centroid [m], and the volume-inertia tensor about the centroid, Gonthier 2007,
eq. 4.36, J = integral of (r.r 1 - r r^T) dV [m^5]. Its *moments* about a point o are ten numbers that add: the
integrals of 1, r and r r^T with r taken from o.
"""

from __future__ import annotations

from ...algebra import Sym3, Vec3
from ...fixed_size import CLASSES, FixedSize, number_property


class Part(FixedSize):
    """(V, c, J) of a part."""

    __slots__ = ()
    size = 10
    volume = number_property(0)
    members = {"centroid": (Vec3, 1), "inertia": (Sym3, 4)}


class Moments(FixedSize):
    """Volume, first and second moments of a solid about a point."""

    __slots__ = ()
    size = 10
    volume = number_property(0)
    members = {"first": (Vec3, 1), "second": (Sym3, 4)}


class Section(FixedSize):
    """Area, first and second moments of a planar section about a point."""

    __slots__ = ()
    size = 6
    area, x, y = number_property(0), number_property(1), number_property(2)
    xx, yy, xy = number_property(3), number_property(4), number_property(5)


class Springs(FixedSize):
    """Force [m^3], couple about the centroid of the overlap [m^4] and energy [m^4] over k_v (springs.py).

    A negative potential means that it is not known.
    """

    __slots__ = ()
    size = 7
    members = {"push": (Vec3, 0), "couple": (Vec3, 3)}
    potential = number_property(6)


class Wall(FixedSize):
    """A piece of a round hole: radius a + b z between two heights."""

    __slots__ = ()
    size = 4
    a, b, low, high = number_property(0), number_property(1), number_property(2), number_property(3)


class Revolved(FixedSize):
    """A solid of revolution, x^2 + y^2 <= a + b z + c z^2 between two heights."""

    __slots__ = ()
    size = 5
    a, b, c = number_property(0), number_property(1), number_property(2)
    low, high = number_property(3), number_property(4)


CLASSES |= {one.__name__: one for one in (Part, Moments, Section, Springs, Wall, Revolved)}
