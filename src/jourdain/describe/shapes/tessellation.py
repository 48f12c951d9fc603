"""Triangles for what is drawn: every shape, tubes, boxes and rods; few of them, winding outwards.

A mesh is a pair: vertices (n, 3) [m] and faces (m, 3). A shape without end is drawn as a finite piece of its solid: a
slab under a plane, a wedge under an edge, a sleeve around a hole.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ...basics.pose import Pose
from . import Box, Shape
from .triangles import revolve

Mesh = tuple[np.ndarray, np.ndarray]

SEGMENTS = 24
"""Segments of a full turn: a circle of radius r is off by r (1 - cos(pi / 24)), one part in 117."""
SLAB = 0.01
"""Thickness of the slab drawn for a plane, over its side."""
SLEEVE = 1.35
"""Outer radius of the sleeve drawn for a hole, over that of the hole."""
CREASE = np.deg2rad(35.0)
"""Faces that meet at a larger angle are drawn with an edge between them."""


def mesh_of(shape: Shape, size: float = 1.0, segments: int = SEGMENTS, centre: np.ndarray | None = None) -> Mesh:
    """The surface of any shape, closed.

    size      side of what is drawn of a half-space or a wedge [m]
    centre    a point (3,) in the shape's axes over which the piece of a plane is put; its own origin without it
    """
    if getattr(shape, "inside", False):
        return _sleeve(shape, segments)
    if np.isfinite(shape.reach):
        vertices, faces = shape.to_mesh(segments)
        return np.asarray(vertices, float), np.asarray(faces, np.int64)
    top, faces = shape.to_mesh(segments, size)  # type: ignore[call-arg]
    if shape.kind == "plane":
        normal = face_normals(top, faces)[0]
        if centre is not None:
            top = top + (centre - normal * (normal @ centre))
        return _thickened(top, faces, SLAB * size * normal)
    return _wedge(top)


def _thickened(top: np.ndarray, faces: np.ndarray, depth: np.ndarray) -> Mesh:
    """A closed slab under a convex patch whose vertices go around it."""
    n = len(top)
    here = np.arange(n)
    there = (here + 1) % n
    sides = [np.column_stack([here, n + here, n + there]), np.column_stack([here, n + there, there])]
    return np.concatenate([top, top - depth]), np.concatenate([faces, n + faces[:, ::-1], *sides])


def _wedge(strip: np.ndarray) -> Mesh:
    """The prism under two faces that meet in an edge: (down, edge, down) at one end, then at the other."""
    faces = [(0, 1, 3), (1, 4, 3), (1, 2, 4), (2, 5, 4), (0, 3, 2), (2, 3, 5), (0, 2, 1), (3, 4, 5)]
    return strip, outward(strip, np.array(faces, np.int64))


def outward(vertices: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """The faces of a closed surface, turned over if they wind inwards."""
    a, b, c = np.moveaxis(vertices[faces] - vertices.mean(axis=0), 1, 0)
    return faces if np.einsum("ij,ij->", a, np.cross(b, c)) >= 0.0 else faces[:, ::-1]


def _sleeve(shape: Shape, segments: int) -> Mesh:
    """A wall around a hole along z: that of a cylinder is open at both ends, that of a cone at its base."""
    r, h = shape.radius, 0.5 * shape.length  # type: ignore[attr-defined]
    around = SLEEVE * r
    if shape.kind == "cylinder":
        return ring([(r, -h), (around, -h), (around, h), (r, h)], segments)
    tip = h + (around - r)
    return revolve([(0.0, h), (r, -h), (around, -h), (around, tip), (0.0, tip)], segments)


def ring(profile: list[tuple[float, float]], segments: int) -> Mesh:
    """A closed profile of points (radius, z), around which the solid is on the left, turned about z: a ring."""
    angles = 2.0 * np.pi * np.arange(segments) / segments
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    vertices = np.concatenate([np.column_stack([r * circle, np.full(segments, z)]) for r, z in profile])
    here = np.arange(segments)
    there = (here + 1) % segments
    faces = []
    for i in range(len(profile)):
        low, high = i * segments, (i + 1) % len(profile) * segments
        faces += [np.column_stack([low + here, low + there, high + there])]
        faces += [np.column_stack([low + here, high + there, high + here])]
    return vertices, outward(vertices, np.concatenate(faces))


def box(lengths: Iterable[float], centre: np.ndarray, rotation: np.ndarray) -> Mesh:
    """A box of the given edge lengths, turned and put at a place."""
    vertices, faces = Box(tuple(lengths)).to_mesh()
    return vertices @ rotation.T + centre, faces


def tube(x: np.ndarray, radii: np.ndarray, segments: int = 16) -> Mesh:
    """A closed tube along x with elliptic sections.

    x        stations, rising (m,) [m]
    radii    half axes along y and z at each station (m, 2) [m]

    Vertices are rings of `segments`, one a station in the order of x, then the two middles of the ends.
    """
    angles = 2.0 * np.pi * np.arange(segments) / segments
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    sides = radii[:, None, :] * circle
    along = np.broadcast_to(x[:, None, None], (len(x), segments, 1))
    rings = np.concatenate([along, sides], axis=2).reshape(-1, 3)
    ends = np.array([[x[0], 0.0, 0.0], [x[-1], 0.0, 0.0]])
    here = np.arange(segments)
    there = (here + 1) % segments
    faces = []
    for i in range(len(x) - 1):
        low, high = i * segments, (i + 1) * segments
        faces.append(np.column_stack([low + here, low + there, high + there]))
        faces.append(np.column_stack([low + here, high + there, high + here]))
    first, last = len(rings), len(rings) + 1
    faces.append(np.column_stack([np.full_like(here, first), there, here]))
    top = (len(x) - 1) * segments
    faces.append(np.column_stack([np.full_like(here, last), top + here, top + there]))
    vertices, triangles = np.concatenate([rings, ends]), np.concatenate(faces)
    return vertices, outward(vertices, triangles)


def rod(start: np.ndarray, end: np.ndarray, radius: float, stations: int = 2, segments: int = 12) -> Mesh:
    """A round rod between two points; its rings, as those of `tube`, are at equal distances."""
    way = np.asarray(end, float) - start
    length = float(np.linalg.norm(way))
    x = way / length
    y = np.cross(x, np.eye(3)[int(np.argmin(np.abs(x)))])
    y /= np.linalg.norm(y)
    turn = Pose(start, np.column_stack([x, y, np.cross(x, y)]))
    vertices, faces = tube(np.linspace(0.0, length, stations), np.full((stations, 2), radius), segments)
    return turn.apply(vertices), faces


def face_normals(vertices: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """Unit normals (m, 3); zero for a face without area."""
    a, b, c = np.moveaxis(vertices[faces], 1, 0)
    normal = np.cross(b - a, c - a)
    size = np.linalg.norm(normal, axis=1, keepdims=True)
    return normal / np.where(size > 0.0, size, 1.0)


def creased(vertices: np.ndarray, faces: np.ndarray, angle: float = CREASE) -> tuple[np.ndarray, np.ndarray]:
    """Which vertex each new one copies (k,), and faces of the new ones, so that edges sharper than the angle are split.

    Renderers shade smoothly across what shares a vertex: a box needs three of every corner. At each vertex the faces
    around it are gathered in turn by the normal of the first that is not yet in a group.
    """
    normals = face_normals(vertices, faces)
    corners = faces.ravel()
    left = np.argsort(corners, kind="stable")
    least = np.cos(angle)
    group = np.zeros(len(corners), np.int64)
    rounds = 0
    while len(left):
        vertex = corners[left]
        first = np.flatnonzero(np.diff(vertex, prepend=-1))
        leader = np.repeat(left[first], np.diff(first, append=len(left)))
        near = np.einsum("ij,ij->i", normals[left // 3], normals[leader // 3]) >= least
        near[first] = True
        group[left[near]] = rounds
        left = left[~near]
        rounds += 1
    copies, new = np.unique(corners * max(rounds, 1) + group, return_inverse=True)
    return copies // max(rounds, 1), new.reshape(-1, 3)
