"""What a node of a surface meets where it presses on the surface of another solid by a law of force."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from ...basics.errors import ModelError, Problem
from ...basics.pose import Pose
from ...basics.value_types import Array, ValueType
from ...basics.values import shown
from ...kernels.kind_registry import SPHERE_CAPSULE
from .shape import Placed, Shape, only_floats
from .solids import Point, Sphere


@dataclass(frozen=True)
class DeformableFacets(Shape):
    """The facets of a surface, as one node of another body meets them: a plane through the nearest of their points.

    node       address of the node that meets it
    surface    its own address, as "pad.face"
    facets     of the numbers of its nodes, normals outwards; segments, triangles or quadrangles
    radius     of the ball at the node that meets it, 0 for a point [m]
    """

    node: str
    surface: str
    facets: tuple[tuple[int, ...], ...]
    radius: float = 0.0
    kind: ClassVar[str] = "skin"
    coded_as: ClassVar[str] = "plane"
    in_files: ClassVar[bool] = False
    rank: ClassVar[int] = 6
    field_types: ClassVar[Mapping[str, ValueType]] = {"facets": Array(depth=2)}
    optional_fields: ClassVar[tuple[str, ...]] = ("radius",)

    def __post_init__(self) -> None:
        try:
            facets = tuple(tuple(int(k) for k in one) for one in self.facets)
        except (TypeError, ValueError):
            raise ModelError.at("facets", f"got {shown(self.facets)}; give lists of the numbers of nodes") from None
        object.__setattr__(self, "facets", facets)

    @property
    def body(self) -> str:
        """The name of its body."""
        return self.surface.partition(".")[0]

    @property
    def met(self) -> Placed:
        """What meets it: a point, or a ball."""
        return Placed(Sphere(self.radius) if self.radius > 0.0 else Point(), self.node, Pose())

    @property
    def nodes(self) -> list[int]:
        """Array of its nodes, rising."""
        return sorted({k for one in self.facets for k in one})

    @property
    def points(self) -> list[str]:
        """Addresses of its nodes."""
        return [f"{self.body}.node[{k}]" for k in self.nodes]

    def ball_sites(self) -> tuple[int, int]:
        return SPHERE_CAPSULE, 1

    @property
    def reach(self) -> float:
        return math.inf

    @property
    def volume(self) -> float:
        return math.inf

    @property
    def inertia(self) -> np.ndarray:
        return np.full((3, 3), math.inf)

    def check(self, address: str) -> list[Problem]:
        if not self.facets or any(len(one) not in (2, 3, 4) for one in self.facets):
            return [Problem(address, f'the surface "{self.surface}" has no segments, triangles or quadrangles')]
        return []

    def contact_data(self) -> tuple[np.ndarray, np.ndarray]:
        return only_floats(0.0, 0.0, 1.0, 0.0)

    def to_mesh(self, resolution: int = 32) -> tuple[np.ndarray, np.ndarray]:
        corners = 1e-6 * np.array([(1.0, 0, 0), (0, 1.0, 0), (0, 0, 1.0), (0, 0, 0)])
        return corners, np.array([(0, 1, 2), (0, 2, 3), (0, 3, 1), (1, 3, 2)])
