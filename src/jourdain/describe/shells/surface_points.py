"""Places on the surface of a shell: in which element they are, and how that carries them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from .element_tables import Elements, bicubic

TRIED = 12
"""Elements in which a place is sought."""


class SurfacePoint(NamedTuple):
    """A place on a surface.

    cell        its element
    x, y        its parameters there, 0 to 1
    place       without deformation, (3,) [m]
    rotation    its axes without deformation, the third normal to the surface, (3, 3)
    apart       how far off the place is that was sought [m]
    size        of the element [m]
    """

    cell: int
    x: float
    y: float
    place: np.ndarray
    rotation: np.ndarray
    apart: float
    size: float

    def pose(self, elements: Elements, vectors: np.ndarray) -> np.ndarray:
        """Place and turn from that without deformation, (nt, 7), for vectors (nt, V, 3)."""
        from scipy.spatial.transform import Rotation

        S = elements.at(self.cell, np.array([self.x]), np.array([self.y])).S[:3, 0]
        place, u, v = np.einsum("da,tac->dtc", S, vectors[:, elements.vectors[self.cell]])
        one = u / np.linalg.norm(u, axis=1)[:, None]
        normal = np.cross(u, v)
        normal /= np.linalg.norm(normal, axis=1)[:, None]
        R = np.stack([one, np.cross(normal, one), normal], axis=2) @ self.rotation.T
        turn = Rotation.from_matrix(R).as_quat()
        return np.concatenate([place, turn[:, 3:], turn[:, :3]], axis=1)


def located(elements: Elements, k: int, x: float, y: float, apart: float = 0.0) -> SurfacePoint:
    """A point of element k."""
    there = elements.at(k, np.array([x]), np.array([y]))
    place = there.S[0, 0] @ elements.gradients.values[elements.vectors[k]]
    one, two = there.axes[0]
    rotation = np.stack([one, two, np.cross(one, two)], axis=1)
    return SurfacePoint(k, x, y, place, rotation, apart, float(np.sqrt(there.area[0])))


def nearest(elements: Elements, place: np.ndarray) -> SurfacePoint:
    """The point of a surface that is nearest to a place."""
    mesh = elements.gradients.mesh
    far = np.linalg.norm(mesh.points[mesh.cells].mean(axis=1) - place, axis=1)
    best: SurfacePoint | None = None
    for k in np.argsort(far, kind="stable")[:TRIED].tolist():
        x, y, apart = _within(elements, k, place)
        if best is None or apart < best.apart - 1e-12 * best.size:
            best = located(elements, k, x, y, apart)
    assert best is not None
    return best


def _within(elements: Elements, k: int, place: np.ndarray) -> tuple[float, float, float]:
    """Parameters of the point of element k that is nearest to a place, by Gauss and Newton, and how far off it is."""
    at, still = np.array([0.5, 0.5]), elements.gradients.values[elements.vectors[k]]
    for _ in range(30):
        r, u, v = bicubic(at[:1], at[1:])[:3, 0] @ elements.maps[k] @ still
        step = np.linalg.lstsq(np.stack([u, v], axis=1), place - r, rcond=None)[0]
        after = np.clip(at + step, 0.0, 1.0)
        if np.max(np.abs(after - at)) < 1e-14:
            break
        at = after
    at = np.where(np.abs(at - np.round(at)) < 1e-12, np.round(at), at)
    r = bicubic(at[:1], at[1:])[0, 0] @ elements.maps[k] @ still
    return float(at[0]), float(at[1]), float(np.linalg.norm(place - r))
