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
from .triangles import mass_properties, surface_problems

PATCHES = 8  # places where a ball can touch a triangle mesh at once
CONVEX_TOLERANCE = 1e-6  # of the size: what single-precision files round off


@checked
class TriangleSurface(Shape):
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
    def triangle_surface(self) -> tuple[np.ndarray, np.ndarray]:
        """Vertices and triangles of the surface."""
        assert self.triangles is not None
        return self.vertices, self.triangles

    @cached_property
    def _properties(self) -> tuple[float, np.ndarray, np.ndarray]:
        return surfaces.mass_properties(*self.triangle_surface)

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
        return mesh_data(*self.to_mesh())

    def to_mesh(self, resolution: int = 32) -> tuple[np.ndarray, np.ndarray]:
        vertices, triangles = self.triangle_surface
        outward = triangles if self._properties[0] >= 0.0 else triangles[:, ::-1]
        return vertices.copy(), outward.copy()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TriangleSurface) or type(other) is not type(self):
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
class Mesh(TriangleSurface):
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
class ConvexMesh(TriangleSurface):
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
        return np.inf if self.inside else surfaces.half_width(*self.triangle_surface)

    @cached_property
    def triangle_surface(self) -> tuple[np.ndarray, np.ndarray]:
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


LEAF = 4
"""Most triangles in a leaf of the tree of boxes."""


def mesh_data(vertices: np.ndarray, triangles: np.ndarray, address: str = "mesh") -> tuple[np.ndarray, np.ndarray]:
    """Integers and floats of a closed surface, as the kernels read them.

    vertices     (n, 3) [m]
    triangles    (m, 3) indices into the vertices, all winding outwards or all inwards
    address      of the shape, for errors

    The integers begin with a `MeshHeader` (kernels/contact/narrow_phase/sphere_mesh.py), the floats with the vertices.

    Triangles are put in the order of the tree. Corner k of triangle t is entry h = 3 t + k; the half-edge h runs from
    it to the next corner, and its twin is the same edge in the neighbour. A node of the tree is (node after all below
    it, first triangle, number of triangles: 0 unless it is a leaf), parents before children; its box is (low, high).
    """
    from ...kernels.contact.narrow_phase.sphere_mesh import MeshHeader

    vertices = np.array(vertices, dtype=np.float64)
    triangles = np.array(triangles, dtype=np.int64)
    problems = surface_problems(vertices, triangles, address)
    if problems:
        raise ModelError(problems)
    if mass_properties(vertices, triangles)[0] < 0.0:
        triangles = triangles[:, ::-1]

    order, nodes, boxes = _tree(vertices[triangles])
    triangles = np.ascontiguousarray(triangles[order])
    twins = _twins(triangles, len(vertices))
    normals = _normals(vertices[triangles], twins)
    tables = [triangles, twins, nodes]
    blocks = [vertices, normals, _pseudonormals(vertices, triangles, normals), boxes]
    starts = MeshHeader.size + np.cumsum([0] + [table.size for table in tables[:-1]])
    offsets = np.cumsum([block.size for block in blocks[:-1]])
    header = np.concatenate([[len(vertices), len(triangles), len(nodes)], starts, offsets])
    integers = np.concatenate([header, *(table.ravel() for table in tables)]).astype(np.int64)
    return integers, np.concatenate([block.ravel() for block in blocks])


def convex_problems(vertices: np.ndarray, triangles: np.ndarray, address: str) -> list[Problem]:
    """Whether a closed surface is convex: it then encloses as much as its hull, to one part in a million."""
    from scipy.spatial import ConvexHull

    volume = abs(mass_properties(vertices, triangles)[0])
    hull = ConvexHull(vertices).volume
    if volume >= (1.0 - 1e-6) * hull:
        return []
    share = f"it encloses {volume:.6g} m^3 of the {hull:.6g} m^3 of its hull"
    return [Problem(address, f"is not convex: {share}; give it as Mesh, or give its convex parts")]


def _tree(corners: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Order of the triangles, nodes (n, 3) and boxes (n, 6) of a tree of boxes."""
    low, high = corners.min(axis=1), corners.max(axis=1)
    order: list[np.ndarray] = []
    nodes: list[list[int]] = []
    boxes: list[np.ndarray] = []

    def grow(members: np.ndarray, first: int) -> None:
        node = [0, first, len(members)]
        nodes.append(node)
        boxes.append(np.concatenate([low[members].min(axis=0), high[members].max(axis=0)]))
        if len(members) <= LEAF:
            order.append(members)
        else:
            node[2] = 0
            left, right = _split(members, low[members], high[members])
            grow(left, first)
            grow(right, first + len(left))
        node[0] = len(nodes)

    grow(np.arange(len(corners)), 0)
    return np.concatenate(order), np.array(nodes), np.array(boxes)


def _split(members: np.ndarray, low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two parts along the axis and at the place where the sum of (area of the box) x (triangles in it) is least.

    The surface area heuristic (Goldsmith & Salmon, IEEE CG&A 7(5), 1987), which keeps the long triangles of flat faces
    apart from small ones; no part has less than an eighth, so that the tree is not deep.
    """
    n = len(members)
    sizes = np.arange(max(1, n // 8), n - max(1, n // 8) + 1)
    best, parts = np.inf, (members, members)
    for axis in range(3):
        order = np.argsort(low[:, axis] + high[:, axis], kind="stable")
        a, b = low[order], high[order]
        area = []
        for p, q in ((a, b), (a[::-1], b[::-1])):
            side = np.maximum.accumulate(q) - np.minimum.accumulate(p)
            area.append((side * np.roll(side, 1, axis=1)).sum(axis=1))
        cost = sizes * area[0][sizes - 1] + (n - sizes) * area[1][n - sizes - 1]
        least = int(cost.argmin())
        if cost[least] < best:
            best, parts = cost[least], (members[order[: sizes[least]]], members[order[sizes[least] :]])
    return parts


def _twins(triangles: np.ndarray, n: int) -> np.ndarray:
    """The half-edge that runs the other way, for every half-edge 3 t + k, corner k to corner k + 1 of triangle t."""
    start, end = triangles.ravel(), np.roll(triangles, -1, axis=1).ravel()
    forward, backward = np.argsort(start * n + end), np.argsort(end * n + start)
    twins = np.empty_like(start)
    twins[forward] = backward
    return twins


def _normals(corners: np.ndarray, twins: np.ndarray) -> np.ndarray:
    """Unit normals (m, 3); a triangle without area takes that of the neighbour across its longest edge."""
    edges = np.roll(corners, -1, axis=1) - corners
    area = np.cross(edges[:, 0], edges[:, 1])
    length = np.linalg.norm(edges, axis=2)
    size = np.linalg.norm(area, axis=1)
    sliver = size <= 1e-12 * length.max(axis=1) ** 2
    normals = area / np.where(sliver, 1.0, size)[:, None]
    longest = twins.reshape(-1, 3)[np.arange(len(corners)), length.argmax(axis=1)] // 3
    for _ in range(int(sliver.sum())):
        ready = sliver & ~sliver[longest]
        if not ready.any():
            break
        normals[ready] = normals[longest[ready]]
        sliver = sliver & ~ready
    return normals


def _pseudonormals(vertices: np.ndarray, triangles: np.ndarray, normals: np.ndarray) -> np.ndarray:
    """Normals of the triangles at a vertex, weighted by their angles there (n, 3), not made unit.

    Seen from the nearest vertex, the side of a point is the sign of its product with this vector: Baerentzen & Aanaes,
    Signed distance computation using the angle weighted pseudonormal, IEEE Trans. Visualization 11(3), 2005.
    """
    corners = vertices[triangles]
    out = np.zeros_like(vertices)
    for k in range(3):
        a, b = corners[:, (k + 1) % 3] - corners[:, k], corners[:, (k + 2) % 3] - corners[:, k]
        angle = np.arctan2(np.linalg.norm(np.cross(a, b), axis=1), np.einsum("ij,ij->i", a, b))
        np.add.at(out, triangles[:, k], angle[:, None] * normals)
    return out
