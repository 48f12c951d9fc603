"""What every shape can say of itself, and a shape put on a frame."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from ...basics.arguments import checked
from ...basics.composite_types import ObjectOf
from ...basics.errors import ModelError, Problem
from ...basics.fields import Described
from ...basics.pose import Pose
from ...basics.registry import Kinds
from ...basics.types import RotationLike, VectorLike
from ...basics.value_types import ValueType
from ...kernels import kind_registry

if TYPE_CHECKING:
    from .looks import Paint


def only_floats(*values: Any) -> tuple[np.ndarray, np.ndarray]:
    """The contact data of a shape that has no integers."""
    return np.zeros(0, np.int64), np.hstack(values).astype(np.float64)


SHAPES: Kinds[Shape] = Kinds("shape")
"""The kinds of shapes."""


@checked
class Shape(Described, ABC):
    """A solid in its own axes. Every shape knows its volume, centroid and inertia for unit density."""

    kind: ClassVar[str]
    coded_as: ClassVar[str] = ""
    """The kind whose kernels it has, where they are not its own."""
    in_files: ClassVar[bool] = True
    """Whether files may say it."""
    rank: ClassVar[int] = 2
    """Of two shapes that may touch, the one of the lower rank comes first."""
    by_distance: ClassVar[bool] = False
    """Whether kernels know how far a point is from it, inside and outside
    (`kernels.contact.narrow_phase.signed_distance`)."""
    meets_as: ClassVar[str] = ""
    """What it meets others with: "ball", "capsule", or "" where only its corners can."""
    meets_capsules: ClassVar[bool] = False
    """Whether a capsule finds where it touches it: it is convex, and `by_distance`."""
    no_radius: ClassVar[str] = "Hertz has no radius"
    """Why it has no `curvatures`."""

    def __init_subclass__(cls, **stated: Any) -> None:
        super().__init_subclass__(**stated)
        SHAPES.enter(cls)

    @property
    def code(self) -> int:
        """The shape's code in the kernels of contact."""
        return kind_registry.SHAPES.index(self.coded_as or self.kind)

    def ball_sites(self) -> tuple[int, int] | None:
        """Finder and number of the places where a ball touches it; None where none can."""
        return (kind_registry.SPHERE_CAPSULE, 1) if self.by_distance else None

    def corners(self) -> int:
        """How many corners can touch a plane."""
        return 0

    @property
    def curvatures(self) -> tuple[float, float] | None:
        """Principal curvatures of its surface where a ball touches it [1/m], below zero where it is hollow; None where
        they change from place to place."""
        return None

    @abstractmethod
    def contact_data(self) -> tuple[np.ndarray, np.ndarray]:
        """What the kernels of contact know of it: integers and floats, in the order of
        `kernels.contact.contact_layout`."""

    @property
    @abstractmethod
    def volume(self) -> float:
        """Enclosed volume [m^3]."""

    @property
    def centroid(self) -> np.ndarray:
        """Centre of volume in the shape's axes, (3,) [m]."""
        return np.zeros(3)

    @property
    def reach(self) -> float:
        """Distance of its farthest point from the origin [m]; infinite for half-spaces and holes."""
        try:
            if not np.isfinite(self.volume):
                return np.inf
        except ModelError:
            return np.inf
        return float(np.max(np.linalg.norm(self.to_mesh()[0], axis=1)))

    @property
    def thickness(self) -> float:
        """How far apart its sides are [m]: twice volume over surface, the wall of a shell; infinite for half-spaces."""
        if not np.isfinite(self.reach):
            return np.inf
        vertices, triangles = self.to_mesh()
        a, b, c = np.moveaxis(vertices[triangles], 1, 0)
        return 4.0 * self.volume / float(np.sum(np.linalg.norm(np.cross(b - a, c - a), axis=1)))

    @property
    def half_thickness(self) -> float:
        """How deep another shape may go into it [m]; infinite for half-spaces.

        Half its thickness where that is known; of a surface that may be hollow the whole wall.
        """
        return self.thickness

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

    def pieces(self) -> list[tuple[Paint, np.ndarray, np.ndarray | None]]:
        """Each paint with the triangles (m, 3) of `to_mesh` that it covers, and the places of all vertices in its
        picture (n, 2); nothing where a viewer chooses the colour."""
        return []

    def at(self, address: str, position: VectorLike = (0.0, 0.0, 0.0), rotation: RotationLike | None = None) -> Placed:
        """The shape put on a frame, at a pose in it."""
        return Placed(self, address, Pose(position, rotation))

    def moved(self, position: VectorLike = (0.0, 0.0, 0.0), rotation: RotationLike | None = None) -> Moved:
        """The shape at a place in a `Cell` or in `Cells`."""
        return Moved(self, Pose(position, rotation))


@dataclass(frozen=True)
class Moved(Described):
    """A shape and its place in a shape that is made of several."""

    shape: Shape
    pose: Pose
    field_types: ClassVar[Mapping[str, ValueType]] = {"shape": ObjectOf(SHAPES)}

    def moved(self, position: VectorLike = (0.0, 0.0, 0.0), rotation: RotationLike | None = None) -> Moved:
        """The same, moved on."""
        return Moved(self.shape, Pose(position, rotation) @ self.pose)

    def check(self, address: str) -> list[Problem]:
        """Everything wrong with the shape and its place, reported at ``address``."""
        return [*self.shape.check(address), *self.pose.check(address)]


@dataclass(frozen=True)
class Placed(Described):
    """A shape on a frame: ``address`` names the frame and ``pose`` is the shape's place in it."""

    shape: Shape
    address: str
    pose: Pose
    field_types: ClassVar[Mapping[str, ValueType]] = {"shape": ObjectOf(SHAPES)}

    def check(self, address: str) -> list[Problem]:
        """Everything wrong with the shape and its place, reported at ``address``."""
        return [*self.shape.check(address), *self.pose.check(address)]

    def touching(self) -> list[TouchingShape]:
        """What of it can touch: itself."""
        return [TouchingShape(self)]


class TouchingShape(NamedTuple):
    """A shape that touches by itself, of what a user lets touch.

    node    its number where it is a node of a surface of a solid, None otherwise
    area    of the surface that belongs to it [m^2]
    """

    placed: Placed
    node: int | None = None
    area: float | None = None


def shape_from_dict(data: Any, address: str = "shape") -> Shape:
    """The shape that its `to_dict` wrote."""
    return SHAPES.from_dict(data, address)


def placed_from_dict(data: Any, address: str = "shape") -> Placed:
    """The placed shape that its `to_dict` wrote."""
    return Placed.from_dict(data, address)
