"""Solids without end: what lies below a plane, or below two planes that meet in an edge."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from ...basics.arguments import checked
from ...basics.errors import ModelError, Problem
from ...basics.types import VectorLike
from ...basics.values import as_number, as_vector, axis_problems, number_problems, numbers
from .shape import Shape, only_floats


@checked
@dataclass(frozen=True)
class Plane(Shape):
    """The half-space below a plane, ``normal . x <= offset`` with the normal made unit.

    normal    out of the solid, of any length
    offset    of the plane from the origin along the normal [m]
    """

    normal: tuple[float, float, float]
    offset: float = 0.0
    kind: ClassVar[str] = "plane"
    rank: ClassVar[int] = 6
    by_distance: ClassVar[bool] = True
    meets_capsules: ClassVar[bool] = True
    curvatures = (0.0, 0.0)
    if TYPE_CHECKING:  # what may be given; the fields hold what is made of it

        def __init__(self, normal: VectorLike, offset: float = 0.0) -> None: ...

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

    def contact_data(self) -> tuple[np.ndarray, np.ndarray]:
        length = float(np.linalg.norm(self.normal))
        return only_floats(np.array(self.normal) / length, self.offset)

    def to_mesh(self, resolution: int = 32, size: float = 10.0) -> tuple[np.ndarray, np.ndarray]:
        """A square patch of the plane, ``size`` [m] on a side, facing along the normal."""
        n = np.array(self.normal) / np.linalg.norm(self.normal)
        first = np.cross(n, np.eye(3)[int(np.argmin(np.abs(n)))])
        first /= np.linalg.norm(first)
        second = np.cross(n, first)
        corners = [s * first + t * second for s, t in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
        patch = self.offset * n + 0.5 * size * np.array(corners)
        return patch, np.array([(0, 1, 2), (0, 2, 3)], dtype=np.int64)


@checked
@dataclass(frozen=True)
class Edge(Shape):
    """The wedge below two planes through the origin, ``n1 . x <= 0`` and ``n2 . x <= 0``; its edge is along n1 x n2.

    n1, n2    normals out of the solid, of any length; not opposite to each other
    """

    n1: tuple[float, float, float]
    n2: tuple[float, float, float]
    kind: ClassVar[str] = "edge"
    rank: ClassVar[int] = 5
    by_distance: ClassVar[bool] = True
    meets_capsules: ClassVar[bool] = True
    curvatures = (0.0, 0.0)
    if TYPE_CHECKING:  # what may be given; the fields hold what is made of it

        def __init__(self, n1: VectorLike, n2: VectorLike) -> None: ...

    def __post_init__(self) -> None:
        for name in ("n1", "n2"):
            object.__setattr__(self, name, tuple(as_vector(getattr(self, name), f"Edge {name}").tolist()))

    @property
    def volume(self) -> float:
        return math.inf

    @property
    def centroid(self) -> np.ndarray:
        raise ModelError.at("Edge", "a wedge without end has no centre; give the body a shape of finite size")

    @property
    def inertia(self) -> np.ndarray:
        raise ModelError.at("Edge", "a wedge without end has no inertia; give the body a shape of finite size")

    def _normals(self) -> tuple[np.ndarray, np.ndarray]:
        n1, n2 = np.array(self.n1), np.array(self.n2)
        return n1 / np.linalg.norm(n1), n2 / np.linalg.norm(n2)

    def check(self, address: str) -> list[Problem]:
        problems = axis_problems(np.array(self.n1), address, "edge n1")
        problems += axis_problems(np.array(self.n2), address, "edge n2")
        if not problems and np.linalg.norm(np.add(*self._normals())) < 1e-3:
            given = f"edge n1 {numbers(self.n1)} and n2 {numbers(self.n2)}"
            problems.append(Problem(address, f"{given} are opposite, and nothing lies below both; turn one of them"))
        return problems

    def contact_data(self) -> tuple[np.ndarray, np.ndarray]:
        return only_floats(*self._normals())

    def to_mesh(self, resolution: int = 32, size: float = 10.0) -> tuple[np.ndarray, np.ndarray]:
        """A strip of both faces, ``size`` [m] along the edge and half of it down each face."""
        n1, n2 = self._normals()
        e = np.cross(n1, n2)
        if np.linalg.norm(e) < 1e-6:
            return Plane(self.n1).to_mesh(resolution, size)
        e /= np.linalg.norm(e)
        down1, down2 = np.cross(n1, e), np.cross(e, n2)
        corners = [s * e + d for s in (-1.0, 1.0) for d in (down1, np.zeros(3), down2)]
        faces = [(0, 1, 3), (1, 4, 3), (1, 2, 4), (2, 5, 4)]
        return 0.5 * size * np.array(corners), np.array(faces, dtype=np.int64)
