"""What a user says of geometry: solids with their volume, centre and inertia, put on bodies with `at`."""

from __future__ import annotations

import math
import os
from abc import ABC, abstractmethod
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from . import triangles as surfaces
from .errors import ModelError, Problem
from .pose import Pose
from .values import as_array, as_number, as_vector, axis_problems, expect_keys, number_problems, shown


def _diagonal(x: float, y: float, z: float) -> np.ndarray:
    return np.diag([x, y, z]).astype(np.float64)


def _resolution(value: int) -> int:
    if int(value) != value or not 3 <= value <= 4096:
        raise ModelError.at("resolution", f"got {value}; give a whole number from 3 to 4096")
    return int(value)


class Shape(ABC):
    """A solid in its own axes. Every shape knows its volume, centroid and inertia for unit density."""

    kind: ClassVar[str]

    @property
    @abstractmethod
    def volume(self) -> float:
        """Enclosed volume [m^3]."""

    @property
    def centroid(self) -> np.ndarray:
        """Centre of volume in the shape's axes, (3,) [m]."""
        return np.zeros(3)

    @property
    @abstractmethod
    def inertia(self) -> np.ndarray:
        """Inertia about the centroid for unit density, ``integral of (r.r 1 - r r^T) dV``, (3, 3) [m^5]."""

    @abstractmethod
    def check(self, address: str) -> list[Problem]:
        """Everything wrong with the shape, reported at ``address``."""

    @abstractmethod
    def to_mesh(self, resolution: int = 32) -> tuple[np.ndarray, np.ndarray]:
        """Its surface for viewers: vertices (n, 3) [m] and triangles (m, 3), winding outwards.

        resolution    segments of a full turn where the surface is round
        """

    def at(self, address: str, position: Any = (0.0, 0.0, 0.0), rotation: Any = None) -> Placed:
        """The shape put on a frame, at a pose in it."""
        return Placed(self, address, Pose(position, rotation))

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and numbers, with the shape's ``kind``."""
        data: dict[str, Any] = {"kind": self.kind}
        for field in fields(self):  # type: ignore[arg-type]
            value = getattr(self, field.name)
            data[field.name] = list(value) if isinstance(value, tuple) else value
        return data


@dataclass(frozen=True)
class Placed:
    """A shape on a frame: ``address`` names the frame and ``pose`` is the shape's place in it."""

    shape: Shape
    address: str
    pose: Pose

    def check(self, address: str) -> list[Problem]:
        """Everything wrong with the shape and its place, reported at ``address``."""
        return [*self.shape.check(address), *self.pose.check(address)]

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and numbers."""
        return {"shape": self.shape.to_dict(), "address": self.address, "pose": self.pose.to_dict()}


class _Measured(Shape):
    """A shape whose fields are positive lengths."""

    def __post_init__(self) -> None:
        for field in fields(self):  # type: ignore[arg-type]
            what = f"{type(self).__name__} {field.name}"
            object.__setattr__(self, field.name, as_number(getattr(self, field.name), what))

    def check(self, address: str) -> list[Problem]:
        problems = []
        for field in fields(self):  # type: ignore[arg-type]
            what = f"{self.kind} {field.name} [m]"
            problems += number_problems(getattr(self, field.name), address, what, above=0.0)
        return problems


@dataclass(frozen=True)
class Sphere(_Measured):
    """A ball about the origin. radius [m]"""

    radius: float
    kind: ClassVar[str] = "sphere"

    @property
    def volume(self) -> float:
        return 4.0 / 3.0 * math.pi * self.radius**3

    @property
    def inertia(self) -> np.ndarray:
        return self.volume * 0.4 * self.radius**2 * np.eye(3)

    def to_mesh(self, resolution: int = 32) -> tuple[np.ndarray, np.ndarray]:
        return surfaces.revolve(_arcs(self.radius, 0.0, _resolution(resolution)), int(resolution))


@dataclass(frozen=True)
class Box(Shape):
    """A box centred at the origin. lengths: the three full edge lengths along x, y, z [m]"""

    lengths: tuple[float, float, float]
    kind: ClassVar[str] = "box"

    def __post_init__(self) -> None:
        object.__setattr__(self, "lengths", tuple(as_vector(self.lengths, "Box lengths").tolist()))

    @property
    def volume(self) -> float:
        return math.prod(self.lengths)

    @property
    def inertia(self) -> np.ndarray:
        x, y, z = (length**2 for length in self.lengths)
        return self.volume / 12.0 * _diagonal(y + z, x + z, x + y)

    def check(self, address: str) -> list[Problem]:
        problems = []
        for axis, length in zip("xyz", self.lengths, strict=True):
            problems += number_problems(length, address, f"box length along {axis} [m]", above=0.0)
        return problems

    def to_mesh(self, resolution: int = 32) -> tuple[np.ndarray, np.ndarray]:
        corners = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
        quads = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
        faces = [face for a, b, c, d in quads for face in ((a, b, c), (a, c, d))]
        return corners * np.array(self.lengths), np.array(faces, dtype=np.int64)


@dataclass(frozen=True)
class Cylinder(_Measured):
    """A cylinder along z, centred at the origin. radius [m], length [m]"""

    radius: float
    length: float
    kind: ClassVar[str] = "cylinder"

    @property
    def volume(self) -> float:
        return math.pi * self.radius**2 * self.length

    @property
    def inertia(self) -> np.ndarray:
        across = self.radius**2 / 4.0 + self.length**2 / 12.0
        return self.volume * _diagonal(across, across, self.radius**2 / 2.0)

    def to_mesh(self, resolution: int = 32) -> tuple[np.ndarray, np.ndarray]:
        r, h = self.radius, 0.5 * self.length
        return surfaces.revolve([(0.0, -h), (r, -h), (r, h), (0.0, h)], _resolution(resolution))


@dataclass(frozen=True)
class Cone(_Measured):
    """A cone along z, apex towards +z, mid-height at the origin. radius of the base [m], length [m]"""

    radius: float
    length: float
    kind: ClassVar[str] = "cone"

    @property
    def volume(self) -> float:
        return math.pi * self.radius**2 * self.length / 3.0

    @property
    def centroid(self) -> np.ndarray:
        return np.array([0.0, 0.0, -0.25 * self.length])

    @property
    def inertia(self) -> np.ndarray:
        across = 3.0 / 20.0 * self.radius**2 + 3.0 / 80.0 * self.length**2
        return self.volume * _diagonal(across, across, 0.3 * self.radius**2)

    def to_mesh(self, resolution: int = 32) -> tuple[np.ndarray, np.ndarray]:
        h = 0.5 * self.length
        return surfaces.revolve([(0.0, -h), (self.radius, -h), (0.0, h)], _resolution(resolution))


@dataclass(frozen=True)
class Capsule(_Measured):
    """A cylinder along z closed by two half balls, centred. radius [m], length of the cylindrical part [m]"""

    radius: float
    length: float
    kind: ClassVar[str] = "capsule"

    @property
    def volume(self) -> float:
        return math.pi * self.radius**2 * (self.length + 4.0 / 3.0 * self.radius)

    @property
    def inertia(self) -> np.ndarray:
        r, length = self.radius, self.length
        tube, balls = math.pi * r**2 * length, 4.0 / 3.0 * math.pi * r**3
        across = tube * (r**2 / 4.0 + length**2 / 12.0)
        across += balls * (0.4 * r**2 + length**2 / 4.0 + 3.0 / 8.0 * length * r)
        return _diagonal(across, across, tube * r**2 / 2.0 + balls * 0.4 * r**2)

    def to_mesh(self, resolution: int = 32) -> tuple[np.ndarray, np.ndarray]:
        return surfaces.revolve(_arcs(self.radius, 0.5 * self.length, _resolution(resolution)), int(resolution))


def _arcs(radius: float, shift: float, resolution: int) -> list[tuple[float, float]]:
    """A half circle from pole to pole, its halves moved apart by ``shift`` along z each."""
    steps = max(2, resolution // 4)
    quarter = [0.5 * math.pi * i / steps for i in range(1, steps + 1)]
    lower = [(radius * math.sin(a), -shift - radius * math.cos(a)) for a in quarter]
    upper = [(r, -z) for r, z in reversed(lower)]
    return [(0.0, -shift - radius), *lower, *(upper if shift > 0.0 else upper[1:]), (0.0, shift + radius)]


@dataclass(frozen=True, eq=False)
class Mesh(Shape):
    """The solid inside a closed triangle surface.

    vertices     (n, 3) [m]
    triangles    (m, 3) indices into the vertices, from 0; every edge is shared by two triangles that run
                 along it in opposite senses. All may wind outwards, or all inwards.
    """

    vertices: np.ndarray
    triangles: np.ndarray
    kind: ClassVar[str] = "mesh"

    def __post_init__(self) -> None:
        vertices = as_array(self.vertices, "Mesh vertices")
        corners = np.asarray(self.triangles)
        if vertices.ndim != 2 or vertices.shape[1] != 3:
            raise ModelError.at("Mesh vertices", f"got shape {vertices.shape}; give (n, 3) numbers")
        if corners.ndim != 2 or corners.shape[1] != 3 or corners.dtype.kind not in "iu":
            raise ModelError.at("Mesh triangles", f"got {shown(self.triangles)}; give (m, 3) whole numbers")
        for name, array in (("vertices", vertices), ("triangles", corners.astype(np.int64))):
            array.setflags(write=False)
            object.__setattr__(self, name, array)

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], scale: float = 1.0) -> Mesh:
        """A mesh from an STL (text or binary) or OBJ file.

        scale    metres in one unit of the file, 0.001 for a file in millimetres

        Equal points of an STL file become one vertex, and triangles that this makes collapse are left out.
        """
        from .formats.mesh_files import read_mesh

        vertices, corners = read_mesh(path)
        scale = as_number(scale, "scale")
        if not (math.isfinite(scale) and scale > 0.0):
            raise ModelError.at("scale", f"got {scale:g}; give metres per unit of the file, above 0")
        return cls(vertices * scale, corners)

    @cached_property
    def _properties(self) -> tuple[float, np.ndarray, np.ndarray]:
        return surfaces.mass_properties(self.vertices, self.triangles)

    @property
    def volume(self) -> float:
        return abs(self._properties[0])

    @property
    def centroid(self) -> np.ndarray:
        return self._properties[1].copy()

    @property
    def inertia(self) -> np.ndarray:
        return self._properties[2].copy()

    def check(self, address: str) -> list[Problem]:
        return surfaces.surface_problems(self.vertices, self.triangles, address)

    def to_mesh(self, resolution: int = 32) -> tuple[np.ndarray, np.ndarray]:
        outward = self.triangles if self._properties[0] >= 0.0 else self.triangles[:, ::-1]
        return self.vertices.copy(), outward.copy()

    def to_dict(self) -> dict[str, Any]:
        return {"kind": self.kind, "vertices": self.vertices.tolist(), "triangles": self.triangles.tolist()}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mesh):
            return NotImplemented
        same = np.array_equal(self.vertices, other.vertices)
        return same and np.array_equal(self.triangles, other.triangles)

    def __hash__(self) -> int:
        return hash((self.vertices.tobytes(), self.triangles.tobytes()))

    def __repr__(self) -> str:
        return f"Mesh({len(self.vertices)} vertices, {len(self.triangles)} triangles)"


@dataclass(frozen=True)
class Plane(Shape):
    """The half-space below a plane, ``normal . x <= offset`` with the normal made unit.

    normal    out of the solid, of any length
    offset    of the plane from the origin along the normal [m]
    """

    normal: tuple[float, float, float]
    offset: float = 0.0
    kind: ClassVar[str] = "plane"

    def __post_init__(self) -> None:
        object.__setattr__(self, "normal", tuple(as_vector(self.normal, "Plane normal").tolist()))
        object.__setattr__(self, "offset", as_number(self.offset, "Plane offset"))

    @property
    def volume(self) -> float:
        return math.inf

    @property
    def centroid(self) -> np.ndarray:
        raise ModelError.at("Plane", "a half-space has no centre; give the body a shape of finite size")

    @property
    def inertia(self) -> np.ndarray:
        raise ModelError.at("Plane", "a half-space has no inertia; give the body a shape of finite size")

    def check(self, address: str) -> list[Problem]:
        problems = axis_problems(np.array(self.normal), address, "plane normal")
        return problems + number_problems(self.offset, address, "plane offset [m]")

    def to_mesh(self, resolution: int = 32, size: float = 10.0) -> tuple[np.ndarray, np.ndarray]:
        """A square patch of the plane, ``size`` [m] on a side, facing along the normal."""
        n = np.array(self.normal) / np.linalg.norm(self.normal)
        first = np.cross(n, np.eye(3)[int(np.argmin(np.abs(n)))])
        first /= np.linalg.norm(first)
        second = np.cross(n, first)
        corners = [s * first + t * second for s, t in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        patch = self.offset * n + 0.5 * size * np.array(corners)
        return patch, np.array([(0, 1, 2), (0, 2, 3)], dtype=np.int64)


KINDS: dict[str, type[Shape]] = {shape.kind: shape for shape in (Sphere, Box, Cylinder, Cone, Capsule, Mesh, Plane)}


def shape_from_dict(data: Any, address: str = "shape") -> Shape:
    """The shape that its `to_dict` wrote."""
    kind = data.get("kind") if isinstance(data, dict) else data
    if not isinstance(kind, str) or kind not in KINDS:
        raise ModelError.at(address, f"kind is {shown(kind)}; it must be one of {', '.join(KINDS)}")
    cls = KINDS[kind]
    names = [field.name for field in fields(cls)]  # type: ignore[arg-type]
    data = expect_keys(data, address, ["kind", *names])
    try:
        return cls(**{name: data[name] for name in names})
    except ModelError as error:
        found = [Problem(address, str(problem)) for problem in error.problems]
        raise ModelError(found) from None


def placed_from_dict(data: Any, address: str = "shape") -> Placed:
    """The placed shape that its `to_dict` wrote."""
    data = expect_keys(data, address, ("shape", "address", "pose"))
    if not isinstance(data["address"], str):
        raise ModelError.at(f"{address}.address", f"got {shown(data['address'])}; give text")
    pose = Pose.from_dict(data["pose"], f"{address}.pose")
    return Placed(shape_from_dict(data["shape"], f"{address}.shape"), data["address"], pose)
