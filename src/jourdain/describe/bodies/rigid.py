"""Rigid bodies."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ...basics.arguments import checked
from ...basics.composite_types import MappingOf, ObjectOf
from ...basics.errors import ModelError, Problem
from ...basics.pose import Pose
from ...basics.types import PlaceLike, VectorLike
from ...basics.value_types import Array, ValueType
from ...basics.values import (
    as_array,
    as_number,
    as_vector,
    finite_problems,
    name_problems,
    number_problems,
    numbers,
    readonly,
    shown,
)
from ...kernels.kind_registry import RIGID
from ..shapes import Placed, Shape
from .appearance.bones import Surface, as_placed, place_of, shape_problems
from .body import Body, BodyData, MarkerData, RailData

INERTIA_TOLERANCE = 1e-9
"""Rounding allowed in symmetry, sign and triangle inequality, relative to the largest entry."""


def as_inertia(value: Any, what: str) -> np.ndarray:
    """A read-only 3x3 from three numbers (xx, yy, zz), six (xx, yy, zz, xy, xz, yz) or a 3x3 [kg m^2]."""
    array = as_array(value, what)
    if array.shape == (3,):
        return readonly(np.diag(array))
    if array.shape == (6,):
        xx, yy, zz, xy, xz, yz = array
        return readonly(np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))
    if array.shape == (3, 3):
        return readonly(array)
    allowed = "three numbers (xx, yy, zz), six (xx, yy, zz, xy, xz, yz) or a 3x3"
    raise ModelError.at(what, f"got {shown(value)}; give {allowed}")


def inertia_problems(inertia: np.ndarray, address: str) -> list[Problem]:
    """Whether a real body can have this inertia about its centre of mass.

    The principal moments are ``integral of (y^2 + z^2) dm`` and so on: none is negative, and none exceeds the
    sum of the other two. It equals that sum when the body is flat.
    """
    if problems := finite_problems(inertia, address, "inertia [kg m^2]"):
        return problems
    largest = float(np.max(np.abs(inertia)))
    tolerance = INERTIA_TOLERANCE * largest
    skew = float(np.max(np.abs(inertia - inertia.T)))
    if skew > tolerance:
        return [
            Problem(address, f"inertia {numbers(inertia)} is not symmetric; it is off by {skew:g} kg m^2", "inertia")
        ]
    low, middle, high = np.linalg.eigvalsh(inertia)
    moments = f"principal moments of inertia are {numbers((low, middle, high))} kg m^2"
    if low < -tolerance:
        return [Problem(address, f"{moments}; none can be negative", "inertia")]
    if high > low + middle + tolerance:
        broken = f"the largest exceeds the sum of the other two by {high - low - middle:g} kg m^2"
        return [Problem(address, f"{moments}; {broken}, which no real body can have (triangle inequality)", "inertia")]
    return []


@checked
@dataclass(frozen=True, eq=False)
class RigidBody(Body):
    """A rigid body.

    name       unique in its system
    mass       [kg]
    com        centre of mass in body axes [m]
    inertia    about the centre of mass, in body axes [kg m^2]: three numbers (xx, yy, zz), six
               (xx, yy, zz, xy, xz, yz), the tensor's entries with their signs, or a 3x3; zero is a point mass
    frames     names and places on the body: a position [m] or a `Pose`; "origin" exists always
    shape      what it looks like, a shape or ``shape.at("frame", position, rotation)``; it adds no mass
    """

    kind: ClassVar[str] = "rigid"
    keeps_momentum = True
    name: str
    mass: float
    com: Any = (0.0, 0.0, 0.0)
    inertia: Any = (0.0, 0.0, 0.0)
    frames: Any = None
    shape: Any = None
    internal: tuple[str, ...] = field(default=(), init=False, repr=False)
    field_types: ClassVar[Mapping[str, ValueType]] = {
        "com": Array(3),
        "inertia": Array(),
        "frames": MappingOf(ObjectOf(Pose)),
        "shape": ObjectOf(Placed),
    }
    if TYPE_CHECKING:  # what may be given; the fields hold what is made of it

        def __init__(
            self,
            name: str,
            mass: float,
            com: VectorLike = (0.0, 0.0, 0.0),
            inertia: ArrayLike = (0.0, 0.0, 0.0),
            frames: Mapping[str, PlaceLike] | None = None,
            shape: Shape | Placed | None = None,
        ) -> None: ...

    def __post_init__(self) -> None:
        put = object.__setattr__
        put(self, "mass", as_number(self.mass, f"{self.name}: mass"))
        put(self, "com", as_vector(self.com, f"{self.name}: com"))
        put(self, "inertia", as_inertia(self.inertia, f"{self.name}: inertia"))
        frames = {} if self.frames is None else self.frames
        if not isinstance(frames, Mapping):
            raise ModelError.at(
                f"{self.name}: frames", f"got {shown(frames)}; give a dict of names to positions or Poses"
            )
        put(self, "frames", {key: self._as_pose(key, value) for key, value in frames.items()})
        put(self, "shape", as_placed(self.shape, self.name))

    def _as_pose(self, key: Any, value: Any) -> Pose:
        return value if isinstance(value, Pose) else Pose(as_vector(value, f"{self.name}.{key}"))

    @classmethod
    def from_shape(
        cls,
        name: str,
        shape: Shape | Placed,
        density: float | None = None,
        frames: Mapping[str, PlaceLike] | None = None,
        *,
        mass: float | None = None,
    ) -> RigidBody:
        """A homogeneous body of a shape.

        shape      at the body's origin, or ``shape.at("frame", position, rotation)`` for another place
        density    [kg/m^3], or instead
        mass       [kg]
        """
        body = cls(name, 0.0, frames=frames, shape=shape)
        if body.shape is None:
            raise ModelError.at(f"{name}: shape", "got None; give a shape")
        problems = body._shape_problems()
        given = 0.0
        if (density is None) == (mass is None):
            problems.append(Problem(name, "give either density [kg/m^3] or mass [kg], and not both"))
        else:
            what = "density [kg/m^3]" if mass is None else "mass [kg]"
            given = as_number(density if mass is None else mass, f"{name}: {what}")
            problems += number_problems(given, name, what, above=0.0)
        if problems:
            raise ModelError(problems)
        solid = body.shape.shape
        if not math.isfinite(solid.volume):
            raise ModelError.at(name, f"a {solid.kind} has no finite volume; give a shape that encloses one")
        scale = given if mass is None else given / solid.volume
        place = body.shape_pose()
        turned = place.rotation @ solid.inertia @ place.rotation.T
        return cls(
            name,
            mass=scale * solid.volume if mass is None else given,
            com=place.apply(solid.centroid),
            inertia=scale * 0.5 * (turned + turned.T),
            frames=body.frames,
            shape=body.shape,
        )

    def frame_names(self) -> tuple[str, ...]:
        return ("origin", *(name for name in self.frames if name != "origin"))

    def frame(self, name: str) -> Pose:
        if name == "origin":
            return Pose()
        if name not in self.frames:
            raise self.unknown_frame(name)
        return self.frames[name]

    def shape_pose(self) -> Pose:
        """Pose of the shape in body axes."""
        if self.shape is None:
            raise ModelError.at(self.name, "the body has no shape")
        return place_of(self.shape, self)

    def _shape_problems(self) -> list[Problem]:
        if self.shape is None:
            return []
        return shape_problems(self.shape, self)

    def check(self) -> list[Problem]:
        address = str(self.name)
        problems = name_problems(self.name, address, "body")
        problems += number_problems(self.mass, address, "mass [kg]", least=0.0)
        problems += finite_problems(self.com, address, "com [m]")
        problems += inertia_problems(self.inertia, address)
        for key, pose in self.frames.items():
            problems += name_problems(key, f"{address}.{key}", "frame")
            if key == "origin":
                problems.append(Problem(f"{address}.origin", '"origin" is the body\'s own; choose another name'))
            problems += pose.check(f"{address}.{key}")
        return problems + self._shape_problems()

    def rail(self, held: Pose) -> RailData:
        return RailData(-math.inf, math.inf)

    def data(self, held: Pose) -> BodyData:
        """Mass properties in the kernel frame, inertia about its origin: ``R^T I R + m (c.c 1 - c c^T)``."""
        turned = held.rotation.T @ self.inertia @ held.rotation
        com = held.rotation.T @ (self.com - held.position)
        inertia = 0.5 * (turned + turned.T) + self.mass * (com @ com * np.eye(3) - np.outer(com, com))
        return BodyData(RIGID, self.mass, com, inertia)

    def marker(self, name: str, held: Pose) -> MarkerData:
        return MarkerData(held.inverse() @ self.frame(name))

    @property
    def likeness(self) -> str:  # type: ignore[override]
        if self.shape is None:
            return "none"
        return "mesh" if self.shape.shape.kind == "looks" else "own"

    def stand_in(self, radius: float) -> list[Surface]:
        from .appearance.bones import small_ball

        return small_ball(self.com, radius) if self.mass > 0.0 else []

    def surfaces(self, size: float = 1.0) -> list[Surface]:
        """Its shape; without one the box that has its inertia, and rods out to its frames."""
        from .appearance.bones import shape_surfaces, surfaces_of_inertia

        if self.shape is not None:
            return shape_surfaces(self.shape, self.shape_pose(), size)
        places = [self.frame(name).position for name in self.frame_names()]
        return surfaces_of_inertia(self.mass, self.com, self.inertia, places)

    def __repr__(self) -> str:
        frames = f", frames={list(self.frames)}" if self.frames else ""
        return f'RigidBody("{self.name}", mass={self.mass:g}, com={numbers(self.com)}{frames})'
