"""Surfaces that are only looked at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from ...basics.errors import ModelError, Problem
from .meshes import _Surface


@dataclass(frozen=True, eq=False, repr=False)
class Looks(_Surface):
    """Triangles that a body is drawn with, and nothing else: they need not enclose anything, and nothing touches them.

    vertices     (n, 3) [m]
    triangles    (m, 3) indices into the vertices, from 0
    """

    vertices: np.ndarray
    triangles: np.ndarray
    kind: ClassVar[str] = "looks"
    if TYPE_CHECKING:  # what may be given; the fields hold what is made of it

        def __init__(self, vertices: ArrayLike, triangles: ArrayLike) -> None: ...

    def _only(self) -> ModelError:
        return ModelError.at("Looks", "is only looked at and encloses nothing; give a solid, such as a Mesh")

    @property
    def code(self) -> int:
        raise self._only()

    @property
    def volume(self) -> float:
        raise self._only()

    @property
    def centroid(self) -> np.ndarray:
        raise self._only()

    @property
    def inertia(self) -> np.ndarray:
        raise self._only()

    @property
    def reach(self) -> float:
        return float(np.max(np.linalg.norm(self.vertices, axis=1), initial=0.0))

    def contact_data(self) -> tuple[np.ndarray, np.ndarray]:
        raise self._only()

    def to_mesh(self, resolution: int = 32) -> tuple[np.ndarray, np.ndarray]:
        assert self.triangles is not None
        return self.vertices.copy(), self.triangles.copy()

    def check(self, address: str) -> list[Problem]:
        if not np.all(np.isfinite(self.vertices)):
            return [Problem(address, "a vertex of its looks is not finite")]
        assert self.triangles is not None
        corners = self.triangles
        if len(corners) and (corners.min() < 0 or corners.max() >= len(self.vertices)):
            return [Problem(address, f"its looks name vertices beyond the {len(self.vertices)} that there are")]
        return []
