"""`Net`: cables across each other that are tied at knots."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..basics.arguments import checked
from ..basics.errors import ModelError, Problem
from ..basics.pose import Pose
from ..basics.types import RotationLike, VectorLike
from ..basics.values import as_array, as_number, name_problems, number_problems, shown
from .bodies.nodal_coordinates.cable import Cable
from .constraints.connections import Spring
from .joints import Weld
from .shapes.cable_segments import LineSurface
from .system import System

STIFF = 5.0
"""Stiffness of a knot over that of a side of a mesh, where none is given."""
CROSS = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
"""Turns x, along which a cable lies, onto y."""


@checked
@dataclass(frozen=True, eq=False)
class Net:
    """A net: cables along x and y of a rectangle, tied where they cross. It is no body but several, with springs.

    A knot is a spring of no length between two cables: it costs no multipliers, and gives by a part of what the sides
    of the meshes do.

    name               of the net; its cables are NAME_x0, NAME_x1, ... and NAME_y0, ...
    size               along x and y [m]
    meshes             how many along x and along y
    mass_per_length    of the cables [kg/m]
    EA                 their stiffness to stretching [N]
    EI                 and to bending [N m^2]
    elements           of each side of a mesh
    damping            of the cables, a time constant [s]
    radius             of the cables [m]; None for a net that touches nothing
    knot               stiffness of the knots [N/m]; None for five times that of a side of a mesh
    knot_damping       [N s/m]
    """

    name: str
    size: tuple[float, float]
    meshes: tuple[int, int]
    mass_per_length: float
    EA: float
    EI: float
    elements: int = 2
    damping: float = 0.0
    radius: float | None = None
    knot: float | None = None
    knot_damping: float = 0.0

    def __post_init__(self) -> None:
        sides = as_array(self.size, f"{self.name}: size").ravel()
        problems = name_problems(self.name, str(self.name), "net")
        problems += [one for x in sides for one in number_problems(x, str(self.name), "size [m]", above=0.0)]
        counts = np.ravel(np.asarray(self.meshes, object)).tolist()
        if len(sides) != 2:
            problems.append(Problem(str(self.name), f"size is {shown(self.size)}; give two lengths [m]", "size"))
        if len(counts) != 2 or any(isinstance(n, bool) or not isinstance(n, int) or n < 1 for n in counts):
            words = f"meshes is {shown(self.meshes)}; give two whole numbers of 1 or more"
            problems.append(Problem(str(self.name), words))
        for what in ("knot", "knot_damping"):
            if getattr(self, what) is not None:
                value = as_number(getattr(self, what), f"{self.name}: {what}")
                problems += number_problems(value, str(self.name), what, least=0.0)
        if problems:
            raise ModelError(problems)
        object.__setattr__(self, "size", (float(sides[0]), float(sides[1])))
        object.__setattr__(self, "meshes", (counts[0], counts[1]))
        faults = [one for cable in self.cables.values() for one in cable.check()]
        if faults:
            raise ModelError(faults)

    @property
    def cables(self) -> dict[str, Cable]:
        """The cables by name: those along x, then those along y."""
        out = {}
        for along, other in ((0, 1), (1, 0)):
            for k in range(self.meshes[other] + 1):
                name = f"{self.name}_{'xy'[along]}{k}"
                out[name] = Cable(
                    name,
                    self.size[along],
                    self.mass_per_length,
                    self.EA,
                    self.EI,
                    elements=self.elements * self.meshes[along],
                    damping=self.damping,
                    radius=self.radius,
                    root="free",
                )
        return out

    def knot_at(self, i: int, j: int, along: str = "x") -> str:
        """Address of knot i along x, j along y: the node of the cable along x, or of that along y."""
        if not (0 <= i <= self.meshes[0] and 0 <= j <= self.meshes[1]) or along not in ("x", "y"):
            raise ModelError.at(
                str(self.name), f"has no knot {(i, j)} along {shown(along)}; it has {self.meshes} meshes"
            )
        row, node = (j, i) if along == "x" else (i, j)
        return f"{self.name}_{along}{row}.node[{self.elements * node}]"

    @property
    def corners(self) -> list[str]:
        """Addresses of its corners, round it from the origin."""
        m, n = self.meshes
        return [self.knot_at(i, j) for i, j in ((0, 0), (m, 0), (m, n), (0, n))]

    def put(
        self,
        system: System,
        to: str = "world",
        position: VectorLike = (0.0, 0.0, 0.0),
        rotation: RotationLike | None = None,
    ) -> None:
        """Adds its cables and knots to a system; its corner is at a place of the frame `to`, whose axes its coordinates
        are in. Nothing holds it there: connect its corners to what shall."""
        own = Pose(position, rotation)
        stiffness = self.knot
        if stiffness is None:
            stiffness = STIFF * self.EA * max(n / size for n, size in zip(self.meshes, self.size, strict=True))
        for name, cable in self.cables.items():
            place = own @ self._place(name)
            system.add(cable, joint=Weld(f"{name}_at"), to=to, position=place.position, rotation=place.rotation)
        for i in range(self.meshes[0] + 1):
            for j in range(self.meshes[1] + 1):
                tie = Spring(f"{self.name}_{i}_{j}", stiffness=stiffness, length=0.0, damping=self.knot_damping)
                system.connect(tie, self.knot_at(i, j), self.knot_at(i, j, "y"))

    def _place(self, name: str) -> Pose:
        """Of a cable in the net."""
        along, k = name.rpartition("_")[2][0], int(name.rpartition("_")[2][1:])
        if along == "x":
            return Pose((0.0, self.size[1] * k / self.meshes[1], 0.0))
        return Pose((self.size[0] * k / self.meshes[0], 0.0, 0.0), CROSS)

    def laid(self, place: Callable[[float, float], ArrayLike]) -> dict[str, float]:
        """Coordinates by name, for ``model.state(q=...)``, that lay it on a surface.

        place    for a place x, y in the net [m], in the axes that it was put with
        """
        out: dict[str, float] = {}
        for name, cable in self.cables.items():
            own = self._place(name)
            turned = own.inverse()

            def curve(s: float, own: Pose = own, turned: Pose = turned) -> np.ndarray:
                x, y, _ = own.position + own.rotation @ (s, 0.0, 0.0)
                return turned.position + turned.rotation @ np.asarray(place(float(x), float(y)), float)

            out |= cable.laid(curve)
        return out

    @property
    def surfaces(self) -> list[LineSurface]:
        """Surfaces of its cables, which do not touch at knots: ``system.collide("self", net.surfaces, normal)`` lets it
        touch itself, and ``[*net.surfaces, *other.surfaces]`` another net too."""
        out = []
        for name, cable in self.cables.items():
            along, k = name.rpartition("_")[2][0], int(name.rpartition("_")[2][1:])
            row = k + 1 if along == "x" else -k - 1
            out.append(replace(cable.surface(), knots=(str(self.name), row, self.elements)))
        return out

    def touch_itself(self, system: System, name: str, normal: Any, friction: Any = None) -> None:
        """Lets its cables touch each other, and each itself, but where they are tied."""
        system.collide(name, self.surfaces, normal, friction)

    def touch(self, system: System, name: str, other: Any, normal: Any, friction: Any = None) -> None:
        """Lets all its cables touch a shape or the surface of a solid: contacts NAME_x0, NAME_x1, ..."""
        for key, cable in self.cables.items():
            system.contact(f"{name}_{key.rpartition('_')[2]}", cable.surface(), other, normal, friction)
