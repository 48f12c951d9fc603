"""Pieces of a line that touches along its whole length: those of a cable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...basics.errors import Problem
from ...basics.pose import Pose
from ...basics.values import number_problems
from .shape import Placed, TouchingShape
from .solids import Capsule, Sphere

TIGHTEST = np.pi
"""A line bends back upon itself within so many of its radii at least; what is nearer along it does not touch it."""


def place_of(body: str, k: int) -> str:
    """Address of node k of a line as a place, which moves and does not turn."""
    return f"{body}.place[{k}]"


@dataclass(frozen=True)
class CableSegment(Capsule):
    """A piece of a line, which it touches with as a capsule does, and which may touch other pieces of its line.

    radius    [m]
    length    of the piece [m]
    line      name of the body
    number    of the piece along the line, from 1 on
    apart     pieces so many numbers away, or nearer, do not touch it
    net       name of the net that the line is part of, "" for none: at a knot its lines do not touch
    row       number of the line in the net, from 1 on, negative for a line along y
    side      how many pieces are between two knots
    """

    line: str = ""
    number: int = 1
    apart: int = 1
    net: str = ""
    row: int = 0
    side: int = 0
    kind: ClassVar[str] = "strand"
    coded_as: ClassVar[str] = "capsule"
    in_files: ClassVar[bool] = False
    optional_fields: ClassVar[tuple[str, ...]] = ("net", "row", "side")

    def __post_init__(self) -> None:
        object.__setattr__(self, "radius", float(self.radius))
        object.__setattr__(self, "length", float(self.length))

    @property
    def points(self) -> list[str]:
        """Addresses of its two ends."""
        return [place_of(self.line, self.number - 1), place_of(self.line, self.number)]

    @property
    def reach(self) -> float:
        return 0.55 * self.length + self.radius  # it may be stretched

    def check(self, address: str) -> list[Problem]:
        pairs = (("radius", self.radius), ("length", self.length))
        return [one for what, x in pairs for one in number_problems(x, address, f"strand {what} [m]", above=0.0)]


@dataclass(frozen=True, eq=False)
class LineSurface:
    """The surface of a cable: a capsule along each of its elements.

    body        its name
    radius      [m]
    length      [m]
    elements    how many
    knots       of a line of a net: its name, the number of the line, and how many elements are between two knots
    """

    body: str
    radius: float
    length: float
    elements: int
    knots: tuple[str, int, int] = ("", 0, 0)
    name: ClassVar[str] = "line"
    facets: ClassVar[tuple[tuple[int, ...], ...]] = ()

    @property
    def no_facets(self) -> str:
        """Why it is no side with facets."""
        why = f'"{self.body}" is a cable, which meets the surface of a solid by its nodes and another cable by segments'
        return f"{why}; name it before the solid, or let cables touch with collide(name, [one.surface(), ...])"

    def touching(self) -> list[TouchingShape]:
        """What of it can touch: its pieces, one an element."""
        part = self.length / self.elements
        apart = 1 + int(TIGHTEST * self.radius / part)
        area, found = 2.0 * np.pi * self.radius * part, []
        for k in range(self.elements):
            strand = CableSegment(self.radius, part, self.body, k + 1, apart, *self.knots)
            found.append(TouchingShape(Placed(strand, place_of(self.body, k), Pose()), k, area))
        return found

    def on_facets(self) -> list[TouchingShape]:
        """What of it meets the facets of a solid: balls at its nodes, each with the area of the line around it."""
        part = self.length / self.elements
        weights = np.full(self.elements + 1, 1.0)
        weights[[0, -1]] = 0.5
        areas = 2.0 * np.pi * self.radius * part * weights
        return [
            TouchingShape(Placed(Sphere(self.radius), place_of(self.body, k), Pose()), k, float(area))
            for k, area in enumerate(areas)
        ]
