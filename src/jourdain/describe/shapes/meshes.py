"""Solids inside a triangle surface."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from ...basics.arguments import checked
from ...basics.errors import ModelError, Problem
from ...basics.values import as_array, as_number, shown
from ...kernels.kind_registry import SPHERE_MESH
from . import triangles as surfaces
from .shape import Shape

PATCHES = 8  # places where a ball can touch a triangle mesh at once
CONVEX_TOLERANCE = 1e-6  # of the size: what single-precision files round off


@checked
class _Surface(Shape):
    """A shape with vertices and triangles."""

    vertices: np.ndarray
    triangles: np.ndarray | None

    def __post_init__(self) -> None:
        name = type(self).__name__
        vertices = as_array(self.vertices, f"{name} vertices")
        if vertices.ndim != 2 or vertices.shape[1] != 3:
            raise ModelError.at(f"{name} vertices", f"got shape {vertices.shape}; give (n, 3) numbers")
        vertices.setflags(write=False)
        object.__setattr__(self, "vertices", vertices)
        if self.triangles is None:
            return
        corners = np.asarray(self.triangles)
        if corners.ndim != 2 or corners.shape[1] != 3 or corners.dtype.kind not in "iu":
            raise ModelError.at(f"{name} triangles", f"got {shown(self.triangles)}; give (m, 3) whole numbers")
        corners = corners.astype(np.int64)
        corners.setflags(write=False)
        object.__setattr__(self, "triangles", corners)

    @classmethod
    def from_file(cls, path: str | os.PathLike[str], scale: float = 1.0) -> Self:
        """A mesh from an STL (text or binary) or OBJ file.

        scale    metres in one unit of the file, 0.001 for a file in millimetres

        Equal points of an STL file become one vertex, and triangles that this makes collapse are left out.
        """
        from .mesh_files import read_mesh

        vertices, corners = read_mesh(path)
        scale = as_number(scale, "scale")
        if not (math.isfinite(scale) and scale > 0.0):
            raise ModelError.at("scale", f"got {scale:g}; give metres per unit of the file, above 0")
        return cls(vertices * scale, corners)  # type: ignore[call-arg]

    @cached_property
    def _surface(self) -> tuple[np.ndarray, np.ndarray]:
        """Vertices and triangles of the surface."""
        assert self.triangles is not None
        return self.vertices, self.triangles

    @cached_property
    def _properties(self) -> tuple[float, np.ndarray, np.ndarray]:
        return surfaces.mass_properties(*self._surface)

    @property
    def volume(self) -> float:
        return abs(self._properties[0])

    @property
    def centroid(self) -> np.ndarray:
        return self._properties[1].copy()

    @property
    def inertia(self) -> np.ndarray:
        return self._properties[2].copy()

    def contact_data(self) -> tuple[np.ndarray, np.ndarray]:
        from .surface_tables import mesh_data

        return mesh_data(*self.to_mesh())

    def to_mesh(self, resolution: int = 32) -> tuple[np.ndarray, np.ndarray]:
        vertices, triangles = self._surface
        outward = triangles if self._properties[0] >= 0.0 else triangles[:, ::-1]
        return vertices.copy(), outward.copy()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Surface) or type(other) is not type(self):
            return NotImplemented
        if self.triangles is None or other.triangles is None:
            same = self.triangles is other.triangles
        else:
            same = np.array_equal(self.triangles, other.triangles)
        same = same and getattr(self, "inside", False) == getattr(other, "inside", False)
        return same and np.array_equal(self.vertices, other.vertices)

    def __hash__(self) -> int:
        triangles = b"" if self.triangles is None else self.triangles.tobytes()
        return hash((self.kind, self.vertices.tobytes(), triangles))

    def __repr__(self) -> str:
        count = "hull" if self.triangles is None else f"{len(self.triangles)} triangles"
        return f"{type(self).__name__}({len(self.vertices)} vertices, {count})"


@checked
@dataclass(frozen=True, eq=False, repr=False)
class Mesh(_Surface):
    """The solid inside a closed triangle surface.

    vertices     (n, 3) [m]
    triangles    (m, 3) indices into the vertices, from 0; every edge is shared by two triangles that run
                 along it in opposite senses. All may wind outwards, or all inwards.
    """

    vertices: np.ndarray
    triangles: np.ndarray
    kind: ClassVar[str] = "mesh"
    rank: ClassVar[int] = 4
    curvatures = (0.0, 0.0)
    if TYPE_CHECKING:  # what may be given; the fields hold what is made of it

        def __init__(self, vertices: ArrayLike, triangles: ArrayLike) -> None: ...

    def ball_sites(self) -> tuple[int, int]:
        return SPHERE_MESH, PATCHES

    def check(self, address: str) -> list[Problem]:
        return surfaces.surface_problems(self.vertices, self.triangles, address)


@checked
@dataclass(frozen=True, eq=False, repr=False)
class ConvexMesh(_Surface):
    """A convex solid with flat faces.

    vertices     (n, 3) [m]
    triangles    (m, 3) its closed surface, as in `Mesh`; None for the convex hull of the vertices
    inside       True for a hole of that form in a `Cell`: the solid is everything outside
    """

    vertices: np.ndarray
    triangles: np.ndarray | None = None
    inside: bool = False
    kind: ClassVar[str] = "convex"
    rank: ClassVar[int] = 3
    curvatures = (0.0, 0.0)
    if TYPE_CHECKING:  # what may be given; the fields hold what is made of it

        def __init__(self, vertices: ArrayLike, triangles: ArrayLike | None = None, inside: bool = False) -> None: ...

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.inside, bool):
            raise ModelError.at("ConvexMesh inside", f"got {shown(self.inside)}; give True or False")

    def ball_sites(self) -> tuple[int, int] | None:
        return None if self.inside else (SPHERE_MESH, 1)

    def corners(self) -> int:
        return 0 if self.inside else len(self.vertices)

    @property
    def volume(self) -> float:
        if self.inside:
            raise ModelError.at("ConvexMesh", "a hole (inside=True) has no volume; give the body a solid shape")
        return abs(self._properties[0])

    @property
    def half_thickness(self) -> float:
        return np.inf if self.inside else surfaces.half_width(*self._surface)

    @cached_property
    def _surface(self) -> tuple[np.ndarray, np.ndarray]:
        """Vertices and triangles of the surface; of a hull only the vertices that are on it."""
        if self.triangles is not None:
            return self.vertices, self.triangles
        from scipy.spatial import ConvexHull

        hull = ConvexHull(self.vertices)
        kept = np.sort(hull.vertices)
        triangles = np.searchsorted(kept, hull.simplices).astype(np.int64)
        a, b, c = np.moveaxis(self.vertices[hull.simplices], 1, 0)
        inwards = np.einsum("ij,ij->i", np.cross(b - a, c - a), hull.equations[:, :3]) < 0.0
        triangles[inwards] = triangles[inwards, ::-1]
        return self.vertices[kept], triangles

    def check(self, address: str) -> list[Problem]:
        if self.triangles is None:
            return self._point_problems(address)
        problems = surfaces.surface_problems(self.vertices, self.triangles, address)
        return problems or self._convex_problems(address)

    def _point_problems(self, address: str) -> list[Problem]:
        rows = np.flatnonzero(~np.isfinite(self.vertices).all(axis=1))
        if len(rows):
            return [Problem(address, f"convex vertex {rows[0]} is not finite ({len(rows)} such vertices)")]
        centred = self.vertices - self.vertices.mean(axis=0) if len(self.vertices) else self.vertices
        spread = np.linalg.svd(centred, compute_uv=False) if len(self.vertices) >= 4 else np.zeros(3)
        if not spread[-1] > 1e-9 * spread[0]:
            got = f"convex has {len(self.vertices)} vertices, which enclose no volume"
            return [Problem(address, f"{got}; give at least 4 that are not in one plane")]
        return []

    def _convex_problems(self, address: str) -> list[Problem]:
        """The vertex that stands farthest out of the plane of a triangle, where one does."""
        vertices, triangles = self.to_mesh()
        a, b, c = np.moveaxis(vertices[triangles], 1, 0)
        normals = np.cross(b - a, c - a)
        areas = np.linalg.norm(normals, axis=1)
        size = float(np.linalg.norm(vertices.max(axis=0) - vertices.min(axis=0)))
        faces = np.flatnonzero(areas > 1e-12 * size**2)
        worst, vertex, face = 0.0, -1, -1
        for some in np.array_split(faces, max(1, len(faces) * len(vertices) // 1_000_000)):
            unit = normals[some] / areas[some, None]
            out = unit @ vertices.T - np.einsum("ij,ij->i", unit, a[some])[:, None]
            row, column = np.unravel_index(int(np.argmax(out)), out.shape)
            if out[row, column] > worst:
                worst, vertex, face = float(out[row, column]), int(column), int(some[row])
        if worst <= CONVEX_TOLERANCE * size:
            return []
        got = f"is not convex: vertex {vertex} stands {worst:.3g} m out of the plane of triangle {face}"
        return [Problem(address, f"mesh {got}; give jd.Mesh, or several convex parts")]
