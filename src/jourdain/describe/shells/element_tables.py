"""Tables of the elements of a shell: what each vector of an element does at its points of integration."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from ..bodies.nodal_coordinates.cable_tables import hermite
from .gradients import Gradients

ENDS = ((0, 0), (1, 0), (1, 1), (0, 1))
"""Corners of an element: x and y."""
BENDING_ORDER = 3
"""Points of Gauss along each side at which curvatures are taken."""
MASS_ORDER = 4
LEAST = 3e-4
"""Least share of the rule that sees all of the stretch."""
DERIVATIVES = ((0, 0), (1, 0), (0, 1), (2, 0), (0, 2), (1, 1))
"""Orders along x and y of the rows of `bicubic`: r, r_x, r_y, r_xx, r_yy, r_xy."""


def bicubic(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The sixteen products of cubics and their derivatives at points (p,): (6, p, 16), place, r_x, r_y and r_xy of
    each corner (Dmitrotchenko 2003; digest B 1 with the twist)."""
    out = np.zeros((6, len(x), 16))
    for row, (i, j) in enumerate(DERIVATIVES):
        along, across = hermite(x, 1.0, i), hermite(y, 1.0, j)
        for c, (a, b) in enumerate(ENDS):
            for kind, (u, v) in enumerate(((0, 0), (1, 0), (0, 1), (1, 1))):
                out[row, :, 4 * c + kind] = along[:, 2 * a + u] * across[:, 2 * b + v]
    return out


def gauss(order: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Points x, y and weights of the square from 0 to 1."""
    x, w = np.polynomial.legendre.leggauss(order)
    along, across = np.meshgrid(0.5 * (x + 1.0), 0.5 * (x + 1.0), indexing="ij")
    return along.ravel(), across.ravel(), 0.25 * np.outer(w, w).ravel()


def stretch_rule(share: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Points and weights at which the stretch of an element is taken.

    A bicubic that bends also stretches a little. Where a shell is thin that resists bending more than its own stiffness
    does: membrane locking. Two points a side see only what the element can be rid of, but leave motions without
    stiffness. So a share of three a side is mixed in, which see all; 1 takes these alone.
    """
    fine = gauss(3)
    if share >= 1.0:
        return fine
    x, y, w = gauss(2)
    return (
        np.concatenate([x, fine[0]]),
        np.concatenate([y, fine[1]]),
        np.concatenate([(1.0 - share) * w, share * fine[2]]),
    )


class ElementTable(NamedTuple):
    """An element at some points.

    S         of each vector, and its derivatives along two orthonormal axes: S, S_1, S_2, S_11, S_22, S_12 (6, p, P)
    area      of the surface over that of the parameters (p,) [m^2]
    axes      the two axes (p, 2, 3)
    bent      curvature without deformation, n . r_ab (p, 3) [1/m]
    """

    S: np.ndarray
    area: np.ndarray
    axes: np.ndarray
    bent: np.ndarray


class Elements:
    """Elements of the surface of a shell.

    gradients    its vectors
    """

    def __init__(self, gradients: Gradients) -> None:
        self.gradients = gradients
        self.vectors: list[np.ndarray] = []
        """Numbers of the vectors of each element, a place first."""
        self.maps: list[np.ndarray] = []
        """What they add to the sixteen of `bicubic`, (16, P)."""
        for corners in gradients.corners:
            used: dict[int, int] = {}
            rows: list[tuple[int, int, float]] = []
            for c, corner in enumerate(corners):
                rows.append((4 * c, used.setdefault(corner.place, len(used)), 1.0))
                for vector, x, y in corner.gradients:
                    at = used.setdefault(vector, len(used))
                    rows += [(4 * c + 1, at, x), (4 * c + 2, at, y)]
                rows.append((4 * c + 3, used.setdefault(corner.twist, len(used)), corner.twisting))
            made = np.zeros((16, len(used)))
            for row, column, x in rows:
                made[row, column] += x
            self.vectors.append(np.array(list(used), np.int64))
            self.maps.append(made)

    def __len__(self) -> int:
        return len(self.vectors)

    @cached_property
    def placing(self) -> np.ndarray:
        """Which vectors are places, (V,)."""
        return np.array([name == "" for name in self.gradients.names])

    @cached_property
    def alike(self) -> np.ndarray:
        """The first element that each is a copy of, moved but not turned, (m,)."""
        known: dict[bytes, int] = {}
        out = []
        for k, (vectors, made) in enumerate(zip(self.vectors, self.maps, strict=True)):
            still = self.gradients.values[vectors] - np.outer(self.placing[vectors], self.gradients.values[vectors[0]])
            size = max(float(np.max(np.abs(still))), float(np.max(np.abs(made))))
            key = np.round(np.concatenate([still.ravel(), made.ravel()]) / size, 10) + 0.0
            out.append(known.setdefault(key.tobytes(), k))
        return np.array(out)

    def at(self, k: int, x: np.ndarray, y: np.ndarray) -> ElementTable:
        """Element k at points (p,) of its parameters."""
        raw = bicubic(np.asarray(x, float), np.asarray(y, float)) @ self.maps[k]
        still = raw @ self.gradients.values[self.vectors[k]]  # (6, p, 3)
        axes, J = local_axes(still[1], still[2])
        back = np.linalg.inv(J)  # d(parameters) / d(axes), (p, parameter, axis)
        first = np.einsum("dpa,pdi->ipa", raw[1:3], back)
        second = np.stack([np.stack([raw[3], raw[5]]), np.stack([raw[5], raw[4]])])
        turned = np.einsum("dcpa,pdi,pcj->ijpa", second, back, back)
        S = np.stack([raw[0], first[0], first[1], turned[0, 0], turned[1, 1], turned[0, 1]])
        normal = np.cross(axes[:, 0], axes[:, 1])
        bent = np.einsum("dpc,pc->pd", S[3:] @ self.gradients.values[self.vectors[k]], normal)
        return ElementTable(S, np.abs(np.linalg.det(J)), axes, bent)


def local_axes(along: np.ndarray, across: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Two orthonormal axes (p, 2, 3) in the planes of tangents (p, 3), the first nearest to x (to y where x is across
    the plane), the second so that tangents and axes go round the same way; and the tangents in these, (p, axis, 2)."""
    normal = np.cross(along, across)
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    way = np.where(np.abs(normal[:, :1]) < 0.9, np.array([[1.0, 0.0, 0.0]]), np.array([[0.0, 1.0, 0.0]]))
    one = way - np.sum(way * normal, axis=1)[:, None] * normal
    one /= np.linalg.norm(one, axis=1)[:, None]
    axes = np.stack([one, np.cross(normal, one)], axis=1)
    return axes, np.einsum("pic,dpc->pid", axes, np.stack([along, across]))


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
