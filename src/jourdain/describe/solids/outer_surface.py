"""What a solid looks like: its surface, carried by some of its nodes."""

from __future__ import annotations

import numpy as np

from ..bodies.appearance.bones import Surface
from .fe_mesh import SolidMesh


def boundary(mesh: SolidMesh, nodes: np.ndarray, thickness: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Vertices (n, 3) [m] and triangles of the surface of a mesh, undeformed, and the node that each vertex is (n,); a
    plane one has walls at its sides."""
    faces = mesh.triangles()
    used, inverse = np.unique(faces, return_inverse=True)
    vertices, faces = nodes[used], inverse.reshape(faces.shape)
    if mesh.dimensions == 3:
        return vertices, faces, used
    half = np.array([0.0, 0.0, 0.5 * thickness])
    sides = np.searchsorted(used, mesh.sides[:, :2])
    m = len(vertices)
    a, b = sides[:, 0], sides[:, 1]
    walls = np.concatenate([np.stack([a, b, b + m], 1), np.stack([a, b + m, a + m], 1)])
    both = np.concatenate([faces[:, ::-1], faces + m, walls])
    return np.vstack([vertices - half, vertices + half]), both, np.concatenate([used, used])


def revolved(mesh: SolidMesh, segments: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Vertices (n, 3) [m] and triangles of the surface that the sides of a half section make about the y axis, and the
    node of each vertex."""
    used, inverse = np.unique(mesh.sides[:, :2], return_inverse=True)
    x, y = mesh.points[used].T
    angle = 2.0 * np.pi / segments * np.arange(segments)[:, None]
    vertices = np.stack([x * np.cos(angle), np.broadcast_to(y, (segments, len(y))), -x * np.sin(angle)], axis=2)
    a, b = inverse.reshape(-1, 2).T
    here = len(used) * np.arange(segments)[:, None]
    there = np.roll(here, -1, axis=0)
    faces = np.concatenate(
        [np.stack([here + a, there + b, here + b], 2), np.stack([here + a, there + a, there + b], 2)]
    )
    faces = faces.reshape(-1, 3)
    at = np.round(vertices.reshape(-1, 3), 12)[faces]
    flat = np.any(np.all(at == np.roll(at, 1, axis=1), axis=2), axis=1)  # at the axis and along it
    return vertices.reshape(-1, 3), faces[~flat], np.tile(used, segments)


def skinned(vertices: np.ndarray, faces: np.ndarray, nodes: np.ndarray, bones: np.ndarray) -> Surface:
    """A surface whose vertices are between the two nearest places (b, 3) that carry it, bones 1, 2, ..."""
    apart = np.linalg.norm(vertices[:, None] - bones[None], axis=2)
    two = np.argsort(apart, axis=1)[:, :2] if len(bones) > 1 else np.zeros((len(vertices), 2), np.int64)
    near = np.take_along_axis(apart, two, axis=1)
    weight = 1.0 / np.maximum(near, 1e-9 * np.max(np.ptp(vertices, axis=0))) ** 2
    weight /= weight.sum(axis=1, keepdims=True)
    return Surface(vertices, faces, two + 1, weight, nodes)


def spread(points: np.ndarray, most: int) -> np.ndarray:
    """Indices of at most so many points that are far from each other, the first one nearest to their middle."""
    if len(points) <= most:
        return np.arange(len(points))
    chosen = [int(np.argmax(np.linalg.norm(points - points.mean(axis=0), axis=1)))]
    apart = np.linalg.norm(points - points[chosen[0]], axis=1)
    while len(chosen) < most:
        chosen.append(int(np.argmax(apart)))
        apart = np.minimum(apart, np.linalg.norm(points - points[chosen[-1]], axis=1))
    return np.array(sorted(chosen))
