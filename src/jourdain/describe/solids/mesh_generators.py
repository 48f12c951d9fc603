"""Meshes of simple bodies: blocks, rectangles, discs and their halves, polygons, balls and half balls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...basics.arguments import checked
from ...basics.errors import ModelError
from ...basics.values import as_array, as_number, shown
from ...basics.warn import warn
from .fe_mesh import MeshWarning, SolidMesh

CORE = 0.45
"""Half side of the square or cube in the middle of a disc or ball, over the radius."""
OFF = 0.01
"""Part of the volume of the round body that a mesh stands for that may be missing without a warning."""
BULGE = 0.35
"""How far that is rounded: 0 for straight sides, 1 for a circle."""


@checked
def rectangle(lengths: ArrayLike, cells: Sequence[int], of: str = "quad", start: ArrayLike = (0.0, 0.0)) -> SolidMesh:
    """A rectangle in the plane.

    lengths    along x and y [m]
    cells      how many along each
    of         "quad", or "tri" for two triangles in each
    start      its lowest corner [m]
    """
    size, counts = _sizes(lengths, cells, 2)
    _one_of(of, ("quad", "tri"))
    points, (i, j) = _grid(size, counts)

    def number(a: Any, b: Any) -> Any:
        return (a * (counts[1] + 1) + b).ravel()

    quads = np.stack([number(i, j), number(i + 1, j), number(i + 1, j + 1), number(i, j + 1)], axis=1)
    out = quads if of == "quad" else np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    return SolidMesh(points + as_array(start, "mesh: start"), out)


@checked
def block(lengths: ArrayLike, cells: Sequence[int], of: str = "hex", start: ArrayLike = (0.0, 0.0, 0.0)) -> SolidMesh:
    """A box in space.

    lengths    along x, y and z [m]
    cells      how many along each
    of         "hex", or "tet" for six tetrahedra in each
    start      its lowest corner [m]
    """
    size, counts = _sizes(lengths, cells, 3)
    _one_of(of, ("hex", "tet"))
    points, (i, j, k) = _grid(size, counts)

    def number(a: Any, b: Any, c: Any) -> Any:
        return ((a * (counts[1] + 1) + b) * (counts[2] + 1) + c).ravel()

    square = ((0, 0), (1, 0), (1, 1), (0, 1))
    hexes = np.stack([number(i + a, j + b, k + c) for c in (0, 1) for a, b in square], axis=1)
    return SolidMesh(points + as_array(start, "mesh: start"), hexes if of == "hex" else _tetrahedra(hexes))


def _grid(size: np.ndarray, counts: list[int]) -> tuple[np.ndarray, list[np.ndarray]]:
    """Points of a regular grid, and the numbers of its cells along each side."""
    x = [np.linspace(0.0, a, n + 1) for a, n in zip(size, counts, strict=True)]
    points = np.stack(np.meshgrid(*x, indexing="ij"), axis=-1).reshape(-1, len(counts))
    return points, list(np.meshgrid(*(np.arange(n) for n in counts), indexing="ij"))


def _tetrahedra(hexes: np.ndarray) -> np.ndarray:
    """Six tetrahedra about the diagonal of each hexahedron: those of neighbours meet (Kuhn 1960)."""
    six = ((0, 1, 2, 6), (0, 2, 3, 6), (0, 3, 7, 6), (0, 7, 4, 6), (0, 4, 5, 6), (0, 5, 1, 6))
    return np.concatenate([hexes[:, list(one)] for one in six])


@checked
def disc(
    radius: float,
    cells: int = 4,
    layers: int = 3,
    grade: float = 0.0,
    towards: ArrayLike = (0.0, -1.0),
    keep: str = "radius",
) -> SolidMesh:
    """A disc of quadrangles about the origin of the plane.

    radius     [m]
    cells      along a quarter of the circle, even or odd
    layers     from the square in the middle to the circle
    grade      0 for even cells, towards 1 for ever smaller ones where `towards` points
    towards    a direction
    keep       "radius": nodes lie on the circle, cells within it, so that some of the disc is missing; "volume": the
               mesh is as much larger as it takes to have the disc's area
    """
    return _full(_round(radius, cells, layers, grade, towards, 2), np.pi * float(radius) ** 2, keep, "disc")


@checked
def half_disc(radius: float, cells: int = 4, layers: int = 3, grade: float = 0.0, keep: str = "radius") -> SolidMesh:
    """The half of a disc at x >= 0, of quadrangles: the section of a ball with plane="axisymmetric".

    radius    [m]
    cells     along a quarter of the circle; even
    layers    from the half square in the middle to the circle
    grade     0 for even cells, towards 1 for ever smaller ones at (0, -radius)
    keep      as of `disc`
    """
    whole = _count(cells, "cells")
    if whole % 2:
        raise ModelError.at("mesh: cells", f"got {cells}; give an even number, so that half of them are at x >= 0")
    mesh = _round(radius, whole, layers, grade, (0.0, -1.0), 2)
    points = np.where(np.abs(mesh.points) < 1e-12 * float(radius), 0.0, mesh.points)
    half = SolidMesh(points, mesh.cells[mesh.points[mesh.cells].mean(axis=1)[:, 0] > 0.0]).tidied()
    return _full(half, 0.5 * np.pi * float(radius) ** 2, keep, "half disc")


@checked
def ball(
    radius: float,
    cells: int = 4,
    layers: int = 3,
    grade: float = 0.0,
    towards: ArrayLike = (0.0, 0.0, -1.0),
    keep: str = "radius",
) -> SolidMesh:
    """A ball of hexahedra about the origin.

    radius     [m]
    cells      along a quarter of a great circle
    layers     from the cube in the middle to the sphere
    grade      0 for even cells, towards 1 for ever smaller ones where `towards` points
    towards    a direction
    keep       "radius": nodes lie on the sphere, cells within it, so that some of the ball is missing; "volume": the
               mesh is as much larger as it takes to have the ball's volume
    """
    volume = 4.0 / 3.0 * np.pi * float(radius) ** 3
    return _full(_round(radius, cells, layers, grade, towards, 3), volume, keep, "ball")


@checked
def half_ball(radius: float, cells: int = 4, layers: int = 3, grade: float = 0.0, keep: str = "radius") -> SolidMesh:
    """The half of a ball below z = 0, of hexahedra; its pole is at z = -radius.

    radius    [m]
    cells     along a quarter of a great circle; even
    layers    from the half cube in the middle to the sphere
    grade     0 for even cells, towards 1 for ever smaller ones at the pole
    keep      as of `ball`
    """
    whole = _count(cells, "cells")
    if whole % 2:
        raise ModelError.at("mesh: cells", f"got {cells}; give an even number, so that half of them are below z = 0")
    mesh = _round(radius, whole, layers, 0.0, (0.0, 0.0, -1.0), 3)
    below = mesh.points[mesh.cells].mean(axis=1)[:, 2] < 0.0
    mesh = SolidMesh(mesh.points, mesh.cells[below]).tidied()
    g = _grade(grade)
    volume = 2.0 / 3.0 * np.pi * float(radius) ** 3
    if g == 0.0:
        return _full(mesh, volume, keep, "half ball")
    # angles from the pole and depths below the sphere are drawn towards zero; equator and sphere stay
    k, R = (1.0 - g) / (1.0 + g), float(radius)
    x, y, z = mesh.points.T
    r, across = np.linalg.norm(mesh.points, axis=1), np.hypot(x, y)
    angle = np.arctan2(across, -z)
    angle = 0.5 * np.pi * np.arctan(k * np.tan(0.5 * angle)) / np.arctan(k)
    depth = 1.0 - np.minimum(r / R, 1.0)
    r = R * (1.0 - depth * (k + (1.0 - k) * depth))
    along = np.divide(1.0, across, out=np.zeros_like(across), where=across > 0.0)
    points = np.stack([r * np.sin(angle) * x * along, r * np.sin(angle) * y * along, -r * np.cos(angle)], axis=1)
    points[np.linalg.norm(mesh.points, axis=1) == 0.0] = 0.0
    return _full(SolidMesh(points, mesh.cells), volume, keep, "half ball")


def _full(mesh: SolidMesh, volume: float, keep: str, what: str) -> SolidMesh:
    """A mesh about the origin with the volume of what it stands for, or a warning of how much of that is missing."""
    if keep not in ("radius", "volume"):
        raise ModelError.at("mesh: keep", f"got {shown(keep)}; give 'radius' or 'volume'")
    part = mesh.volume / volume
    if keep == "volume":
        return mesh.scaled(part ** (-1.0 / mesh.dimensions))
    if abs(part - 1.0) > OFF:
        warn(
            f"mesh: its cells have {100.0 * part:.3g} % of the volume of the {what}, and so of its mass; give more "
            f"cells= with less grade=, or keep='volume', which makes it larger by "
            f"{100.0 * (part ** (-1.0 / mesh.dimensions) - 1.0):.2g} %",
            MeshWarning,
        )
    return mesh


def _round(radius: float, cells: int, layers: int, grade: float, towards: ArrayLike, d: int) -> SolidMesh:
    """A square or cube in the middle, and layers of cells from its surface to the circle or sphere."""
    R, n, m, g = as_number(radius, "mesh: radius"), _count(cells, "cells"), _count(layers, "layers"), _grade(grade)
    if not R > 0.0:
        raise ModelError.at("mesh: radius", f"got {shown(radius)}; it must be positive")
    make = rectangle if d == 2 else block
    unit = make([2.0] * d, [n] * d, start=[-1.0] * d)
    inner = CORE * ((1.0 - BULGE) * unit.points + BULGE * _on_sphere(unit.points))
    points, hexes = [inner], [unit.cells]
    sides, at = unit.sides, len(inner)
    edge = unit.points[unit.surface_nodes]
    place = np.full(len(unit.points), -1)
    place[unit.surface_nodes] = np.arange(len(edge))
    low = CORE * ((1.0 - BULGE) * edge + BULGE * _on_sphere(edge))
    outer = _on_sphere(edge)
    previous = unit.surface_nodes
    for layer in range(1, m + 1):
        s = layer / m
        points.append((1.0 - s) * low + s * outer)
        new = at + np.arange(len(edge))
        here, there = previous[place[sides]], new[place[sides]]
        hexes.append(np.hstack([here[:, ::-1], there[:, ::-1]])[:, [0, 1, 3, 2] if d == 2 else range(8)])
        previous, at = new, at + len(edge)
    x = np.vstack(points)
    if g > 0.0:
        x = _drawn(x, g, as_array(towards, "mesh: towards"))
    return SolidMesh(R * x, np.concatenate(hexes)).turned()


def _on_sphere(x: np.ndarray) -> np.ndarray:
    """Points of the cube [-1, 1]^d to the ball: shells of the cube become spheres, with even angles."""
    shell = np.max(np.abs(x), axis=1, keepdims=True)
    safe = np.where(shell > 0.0, shell, 1.0)
    even = np.tan(0.25 * np.pi * x / safe)
    return shell * even / np.maximum(np.linalg.norm(even, axis=1, keepdims=True), 1e-300)


def _drawn(x: np.ndarray, g: float, towards: np.ndarray) -> np.ndarray:
    """The Moebius map of the unit ball onto itself that draws its points towards a place of the sphere."""
    length = float(np.linalg.norm(towards))
    if towards.shape != (x.shape[1],) or not length > 0.0:
        raise ModelError.at("mesh: towards", f"got {shown(towards)}; give a direction with {x.shape[1]} entries")
    a = g * towards / length
    along, square = x @ a, np.sum(x * x, axis=1)
    top = (1.0 + 2.0 * along + square)[:, None] * a + (1.0 - g * g) * x
    return top / (1.0 + 2.0 * along + g * g * square)[:, None]


@checked
def polygon(corners: ArrayLike, size: float) -> SolidMesh:
    """A polygon in the plane, of triangles.

    corners    in order round it, (k, 2) [m]
    size       of a triangle's side, about [m]
    """
    from scipy.spatial import Delaunay

    c = as_array(corners, "mesh: corners")
    h = as_number(size, "mesh: size")
    if c.ndim != 2 or c.shape[1] != 2 or len(c) < 3:
        raise ModelError.at("mesh: corners", f"got an array of shape {c.shape}; give (k, 2), three or more")
    if not 0.0 < h:
        raise ModelError.at("mesh: size", f"got {shown(size)}; it must be positive")
    nxt = np.roll(c, -1, axis=0)
    if np.sum(c[:, 0] * nxt[:, 1] - nxt[:, 0] * c[:, 1]) < 0.0:
        c = c[::-1]
        nxt = np.roll(c, -1, axis=0)
    edge = []
    for a, b in zip(c, nxt, strict=True):
        n = max(1, round(float(np.linalg.norm(b - a)) / h))
        edge.append(a + np.linspace(0.0, 1.0, n, endpoint=False)[:, None] * (b - a))
    border = np.vstack(edge)
    low, high = c.min(axis=0), c.max(axis=0)
    rows = np.arange(low[1] + 0.5 * h, high[1], 0.5 * np.sqrt(3.0) * h)
    inside = []
    for k, y in enumerate(rows):
        x = np.arange(low[0] + 0.5 * h * (1 + k % 2), high[0], h)
        inside.append(np.column_stack([x, np.full(len(x), y)]))
    grid = np.vstack(inside) if inside else np.zeros((0, 2))
    keep = _within(grid, c) & (_distance(grid, c) > 0.6 * h)
    points = np.vstack([border, grid[keep]])
    cells = Delaunay(points).simplices
    middles = points[cells].mean(axis=1)
    corner = points[cells]
    u, v = corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0]
    area = 0.5 * np.abs(u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0])
    return SolidMesh(points, cells[_within(middles, c) & (area > 1e-6 * h * h)]).turned().tidied()


def _within(x: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """Which points are in a polygon: by how many sides a ray along x crosses."""
    out = np.zeros(len(x), bool)
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        spans = (a[1] > x[:, 1]) != (b[1] > x[:, 1])
        if a[1] != b[1]:
            out ^= spans & (x[:, 0] < a[0] + (x[:, 1] - a[1]) * (b[0] - a[0]) / (b[1] - a[1]))
    return out


def _distance(x: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """Distances of points from the sides of a polygon."""
    out = np.full(len(x), np.inf)
    for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        d = b - a
        s = np.clip((x - a) @ d / (d @ d), 0.0, 1.0)
        out = np.minimum(out, np.linalg.norm(x - a - s[:, None] * d, axis=1))
    return out


def _sizes(lengths: ArrayLike, cells: Sequence[int], d: int) -> tuple[np.ndarray, list[int]]:
    size = as_array(lengths, "mesh: lengths")
    if size.shape != (d,) or not np.all(np.isfinite(size)) or np.any(size <= 0.0):
        raise ModelError.at("mesh: lengths", f"got {shown(lengths)}; give {d} positive numbers [m]")
    if not isinstance(cells, Sequence | np.ndarray) or len(cells) != d:
        raise ModelError.at("mesh: cells", f"got {shown(cells)}; give {d} whole numbers")
    return size, [_count(one, "cells") for one in cells]


def _count(value: Any, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or value < 1:
        raise ModelError.at(f"mesh: {what}", f"got {shown(value)}; give a whole number above zero")
    return int(value)


def _grade(value: Any) -> float:
    g = as_number(value, "mesh: grade")
    if not 0.0 <= g < 1.0:
        raise ModelError.at("mesh: grade", f"got {shown(value)}; give 0 to below 1")
    return g


def _one_of(of: Any, known: tuple[str, ...]) -> None:
    if of not in known:
        raise ModelError.at("mesh: of", f"got {shown(of)}; give {' or '.join(map(repr, known))}")
