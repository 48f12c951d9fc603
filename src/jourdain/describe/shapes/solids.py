"""Solids with closed forms of their volume, centre and inertia, and the holes of the same forms."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ...basics.arguments import checked
from ...basics.errors import ModelError, Problem
from ...basics.types import VectorLike
from ...basics.values import as_number, as_vector, number_problems, shown
from ...kernels.kind_registry import SPHERE_CAPSULE
from . import triangles as surfaces
from .shape import Shape, only_floats


def _diagonal(x: float, y: float, z: float) -> np.ndarray:
    return np.diag([x, y, z]).astype(np.float64)


def _resolution(value: int) -> int:
    if int(value) != value or not 3 <= value <= 4096:
        raise ModelError.at("resolution", f"got {value}; give a whole number from 3 to 4096")
    return int(value)


@checked
class _Measured(Shape):
    """A shape whose fields are positive lengths, and ``inside`` where it may be a hole."""

    def __post_init__(self) -> None:
        for field in fields(self):  # type: ignore[arg-type]
            what, value = f"{type(self).__name__} {field.name}", getattr(self, field.name)
            if field.name != "inside":
                object.__setattr__(self, field.name, as_number(value, what))
            elif not isinstance(value, bool):
                raise ModelError.at(what, f"got {shown(value)}; give True for a hole or False for a solid")

    def check(self, address: str) -> list[Problem]:
        problems = []
        for field in fields(self):  # type: ignore[arg-type]
            if field.name != "inside":
                what = f"{self.kind} {field.name} [m]"
                problems += number_problems(getattr(self, field.name), address, what, above=0.0)
        return problems


def _enclosed(shape: Shape, what: str) -> None:
    if getattr(shape, "inside", False):
        name = type(shape).__name__
        raise ModelError.at(name, f"a hole (inside=True) has no {what}; give the body a solid shape")


@checked
@dataclass(frozen=True)
class Sphere(_Measured):
    """A ball about the origin.

    radius    [m]
    """

    radius: float
    kind: ClassVar[str] = "sphere"
    rank: ClassVar[int] = 0
    by_distance: ClassVar[bool] = True
    meets_as: ClassVar[str] = "ball"

    @property
    def curvatures(self) -> tuple[float, float]:
        return 1.0 / self.radius, 1.0 / self.radius

    @property
    def reach(self) -> float:
        return self.radius

    @property
    def thickness(self) -> float:
        return 2.0 * self.radius

    @property
    def half_thickness(self) -> float:
        return self.radius

    @property
    def volume(self) -> float:
        return 4.0 / 3.0 * math.pi * self.radius**3

    @property
    def inertia(self) -> np.ndarray:
        return self.volume * 0.4 * self.radius**2 * np.eye(3)

    def contact_data(self) -> tuple[np.ndarray, np.ndarray]:
        return only_floats(self.radius)

    def to_mesh(self, resolution: int = 32) -> tuple[np.ndarray, np.ndarray]:
        return surfaces.revolve(_arcs(self.radius, 0.0, _resolution(resolution)), int(resolution))


@checked
@dataclass(frozen=True)
class Point(Shape):
    """A point, as the nodes of a solid are in contact: a ball without radius, into which nothing goes."""

    kind: ClassVar[str] = "point"
    coded_as: ClassVar[str] = "sphere"
    rank: ClassVar[int] = 0
    meets_as: ClassVar[str] = "ball"

    @property
    def reach(self) -> float:
        return 0.0

    @property
    def thickness(self) -> float:
        return math.inf

    @property
    def volume(self) -> float:
        return 0.0

    @property
    def inertia(self) -> np.ndarray:
        return np.zeros((3, 3))

    def check(self, address: str) -> list[Problem]:
        return []

    def contact_data(self) -> tuple[np.ndarray, np.ndarray]:
        return only_floats(0.0)

    def to_mesh(self, resolution: int = 32) -> tuple[np.ndarray, np.ndarray]:
        corners = 1e-6 * np.array([(1.0, 0, 0), (0, 1.0, 0), (0, 0, 1.0), (0, 0, 0)])
        return corners, np.array([(0, 1, 2), (0, 2, 3), (0, 3, 1), (1, 3, 2)])


@checked
@dataclass(frozen=True)
class Box(Shape):
    """A box centred at the origin, or a hole of that form in a `Cell`.

    lengths    the three full edge lengths along x, y, z [m]
    inside     True for a hole: the solid is everything outside, and a `Cell` says how far it goes
    """

    lengths: tuple[float, float, float]
    inside: bool = False
    kind: ClassVar[str] = "box"
    by_distance: ClassVar[bool] = True
    meets_capsules: ClassVar[bool] = True
    curvatures = (0.0, 0.0)
    if TYPE_CHECKING:  # what may be given; the fields hold what is made of it

        def __init__(self, lengths: VectorLike, inside: bool = False) -> None: ...

    def __post_init__(self) -> None:
        object.__setattr__(self, "lengths", tuple(as_vector(self.lengths, "Box lengths").tolist()))
        if not isinstance(self.inside, bool):
            raise ModelError.at("Box inside", f"got {shown(self.inside)}; give True for a hole or False for a solid")

    def ball_sites(self) -> tuple[int, int] | None:
        return None if self.inside else super().ball_sites()

    def corners(self) -> int:
        return 0 if self.inside else 8

    @property
    def volume(self) -> float:
        _enclosed(self, "volume")
        return math.prod(self.lengths)

    @property
    def centroid(self) -> np.ndarray:
        _enclosed(self, "centre")
        return np.zeros(3)

    @property
    def thickness(self) -> float:
        return min(self.lengths)

    @property
    def half_thickness(self) -> float:
        return 0.5 * self.thickness

    @property
    def inertia(self) -> np.ndarray:
        _enclosed(self, "inertia")
        x, y, z = (length**2 for length in self.lengths)
        return self.volume / 12.0 * _diagonal(y + z, x + z, x + y)

    def check(self, address: str) -> list[Problem]:
        problems = []
        for axis, length in zip("xyz", self.lengths, strict=True):
            problems += number_problems(length, address, f"box length along {axis} [m]", above=0.0, field="lengths")
        return problems

    def contact_data(self) -> tuple[np.ndarray, np.ndarray]:
        return only_floats(0.5 * np.array(self.lengths))

    def to_mesh(self, resolution: int = 32) -> tuple[np.ndarray, np.ndarray]:
        corners = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
        quads = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
        faces = [face for a, b, c, d in quads for face in ((a, b, c), (a, c, d))]
        winding = 1 if not self.inside else -1
        return corners * np.array(self.lengths), np.array(faces, dtype=np.int64)[:, ::winding]


@checked
@dataclass(frozen=True)
class Cylinder(_Measured):
    """A cylinder along z, centred at the origin, or a hole of that form.

    radius    [m]
    length    [m]
    inside    True for a hole: the solid is a slab of that thickness, across z, without end sideways, around the hole
    """

    radius: float
    length: float
    inside: bool = False
    kind: ClassVar[str] = "cylinder"
    by_distance: ClassVar[bool] = True
    meets_capsules: ClassVar[bool] = True

    @property
    def curvatures(self) -> tuple[float, float]:
        return 0.0, (-1.0 if self.inside else 1.0) / self.radius

    def ball_sites(self) -> tuple[int, int] | None:
        return (SPHERE_CAPSULE, 2) if self.inside else super().ball_sites()

    def corners(self) -> int:
        return 0 if self.inside else 6

    @property
    def volume(self) -> float:
        _enclosed(self, "volume")
        return math.pi * self.radius**2 * self.length

    @property
    def thickness(self) -> float:
        return self.length if self.inside else min(2.0 * self.radius, self.length)

    @property
    def half_thickness(self) -> float:
        return 0.5 * self.thickness

    @property
    def centroid(self) -> np.ndarray:
        _enclosed(self, "centre")
        return np.zeros(3)

    @property
    def inertia(self) -> np.ndarray:
        _enclosed(self, "inertia")
        across = self.radius**2 / 4.0 + self.length**2 / 12.0
        return self.volume * _diagonal(across, across, self.radius**2 / 2.0)

    def contact_data(self) -> tuple[np.ndarray, np.ndarray]:
        return only_floats(self.radius, 0.5 * self.length, self.inside)

    def to_mesh(self, resolution: int = 32) -> tuple[np.ndarray, np.ndarray]:
        r, h = self.radius, 0.5 * self.length
        closed = surfaces.revolve([(0.0, -h), (r, -h), (r, h), (0.0, h)], _resolution(resolution))
        return _wall(*closed, open_ends=2) if self.inside else closed


@checked
@dataclass(frozen=True)
class Cone(_Measured):
    """A cone along z, apex towards +z, mid-height at the origin, or a hole of that form.

    radius    of the base [m]
    length    [m]
    inside    True for a hole, open at the base: the solid is all that is above the base and not in the cone
    """

    radius: float
    length: float
    inside: bool = False
    kind: ClassVar[str] = "cone"
    by_distance: ClassVar[bool] = True
    meets_capsules: ClassVar[bool] = True
    no_radius: ClassVar[str] = "the radius of a cone changes along its flank"

    def ball_sites(self) -> tuple[int, int] | None:
        return (SPHERE_CAPSULE, 2) if self.inside else super().ball_sites()

    def corners(self) -> int:
        return 0 if self.inside else 4

    @property
    def volume(self) -> float:
        _enclosed(self, "volume")
        return math.pi * self.radius**2 * self.length / 3.0

    @property
    def half_thickness(self) -> float:
        if self.inside:
            return math.inf
        return self.radius * self.length / (self.radius + math.hypot(self.radius, self.length))

    @property
    def centroid(self) -> np.ndarray:
        _enclosed(self, "centre")
        return np.array([0.0, 0.0, -0.25 * self.length])

    @property
    def inertia(self) -> np.ndarray:
        _enclosed(self, "inertia")
        across = 3.0 / 20.0 * self.radius**2 + 3.0 / 80.0 * self.length**2
        return self.volume * _diagonal(across, across, 0.3 * self.radius**2)

    def contact_data(self) -> tuple[np.ndarray, np.ndarray]:
        return only_floats(self.radius, self.length, self.inside)

    def to_mesh(self, resolution: int = 32) -> tuple[np.ndarray, np.ndarray]:
        h = 0.5 * self.length
        closed = surfaces.revolve([(0.0, -h), (self.radius, -h), (0.0, h)], _resolution(resolution))
        return _wall(*closed, open_ends=1) if self.inside else closed


@checked
@dataclass(frozen=True)
class Capsule(_Measured):
    """A cylinder along z closed by two half balls, centred.

    radius    [m]
    length    of the cylindrical part [m]
    """

    radius: float
    length: float
    kind: ClassVar[str] = "capsule"
    rank: ClassVar[int] = 1
    by_distance: ClassVar[bool] = True
    meets_as: ClassVar[str] = "capsule"
    meets_capsules: ClassVar[bool] = True

    @property
    def curvatures(self) -> tuple[float, float]:
        return 0.0, 1.0 / self.radius

    @property
    def volume(self) -> float:
        return math.pi * self.radius**2 * (self.length + 4.0 / 3.0 * self.radius)

    @property
    def thickness(self) -> float:
        return 2.0 * self.radius

    @property
    def half_thickness(self) -> float:
        return self.radius

    @property
    def inertia(self) -> np.ndarray:
        r, length = self.radius, self.length
        tube, balls = math.pi * r**2 * length, 4.0 / 3.0 * math.pi * r**3
        across = tube * (r**2 / 4.0 + length**2 / 12.0)
        across += balls * (0.4 * r**2 + length**2 / 4.0 + 3.0 / 8.0 * length * r)
        return _diagonal(across, across, tube * r**2 / 2.0 + balls * 0.4 * r**2)

    def contact_data(self) -> tuple[np.ndarray, np.ndarray]:
        return only_floats(self.radius, 0.5 * self.length)

    def to_mesh(self, resolution: int = 32) -> tuple[np.ndarray, np.ndarray]:
        return surfaces.revolve(_arcs(self.radius, 0.5 * self.length, _resolution(resolution)), int(resolution))


def _wall(vertices: np.ndarray, triangles: np.ndarray, open_ends: int) -> tuple[np.ndarray, np.ndarray]:
    """The wall of a hole, seen from its axis: a closed surface turned inside out, without its first end or both."""
    wall = triangles[(triangles >= open_ends).all(axis=1), ::-1]
    return vertices[open_ends:], wall - open_ends


def _arcs(radius: float, shift: float, resolution: int) -> list[tuple[float, float]]:
    """A half circle from pole to pole, its halves moved apart by ``shift`` along z each."""
    steps = max(2, resolution // 4)
    quarter = [0.5 * math.pi * i / steps for i in range(1, steps + 1)]
    lower = [(radius * math.sin(a), -shift - radius * math.cos(a)) for a in quarter]
    upper = [(r, -z) for r, z in reversed(lower)]
    return [(0.0, -shift - radius), *lower, *(upper if shift > 0.0 else upper[1:]), (0.0, shift + radius)]
