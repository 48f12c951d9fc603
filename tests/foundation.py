"""The elastic foundation integrated point by point over the patch: what the volumetric model is compared with.

A patch is points of the contact plane (n, 2), the height of interference over each and its share of the area.
Gonthier 2007, eq. 4.2 to 4.8, with the pressure k_v f (1 - a v_n) of eq. 4.59 in its all-positive form.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np


class Patch(NamedTuple):
    """points (n, 2) [m], heights (n,) [m], areas (n,) [m^2]"""

    points: np.ndarray
    heights: np.ndarray
    areas: np.ndarray

    @property
    def volume(self) -> float:
        """Of the interference, eq. 4.4 [m^3]."""
        return float(self.heights @ self.areas)

    @property
    def centroid(self) -> np.ndarray:
        """Of the heights, eq. 4.7 [m]."""
        return (self.heights * self.areas) @ self.points / self.volume

    @property
    def gyration(self) -> float:
        """Radius of gyration about the normal through the centroid [m]."""
        off = self.points - self.centroid
        return math.sqrt((self.heights * self.areas) @ np.sum(off**2, axis=1) / self.volume)


def _disc(radius: float, rings: int, angles: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """(distances, points, areas) of a disc: Gauss in the squared distance, even angles."""
    x, w = np.polynomial.legendre.leggauss(rings)
    rho = radius * np.sqrt(0.5 * (x + 1.0))
    turn = (np.arange(angles) + 0.5) * 2.0 * np.pi / angles
    points = np.stack([np.outer(rho, np.cos(turn)), np.outer(rho, np.sin(turn))], axis=-1).reshape(-1, 2)
    areas = np.repeat(0.5 * w * math.pi * radius**2 / angles, angles)
    return np.repeat(rho, angles), points, areas


def disc(radius: float, profile: str, rings: int = 120, angles: int = 240) -> Patch:
    """A disc with heights that are "uniform", "parabolic", or the half ellipse of "hertz"."""
    rho, points, areas = _disc(radius, rings, angles)
    inside = 1.0 - (rho / radius) ** 2
    heights = {"uniform": np.ones_like(inside), "parabolic": inside, "hertz": np.sqrt(inside)}[profile]
    return Patch(points, heights, areas)


def ball_on_plane(radius: float, depth: float, rings: int = 60, angles: int = 120) -> Patch:
    """The cap of a ball."""
    rho, points, areas = _disc(math.sqrt(depth * (2.0 * radius - depth)), rings, angles)
    return Patch(points, np.sqrt(radius**2 - rho**2) - (radius - depth), areas)


def box_on_edge(width: float, length: float, depth: float, tilt: float, n: int = 80) -> Patch:
    """A box tilted about its edge, along y, by `tilt`; its face reaches up towards x > 0, its side towards x < 0."""
    u, w = np.polynomial.legendre.leggauss(n)
    ends = [-depth * math.tan(tilt), 0.0, min(depth / math.tan(tilt), width * math.cos(tilt))]
    x, heights, weights = [], [], []
    for low, high in zip(ends, ends[1:], strict=False):
        at = 0.5 * (low + high) + 0.5 * (high - low) * u
        x.append(at)
        weights.append(0.5 * (high - low) * w)
        heights.append(depth - at * math.tan(tilt) if low >= 0.0 else depth + at / math.tan(tilt))
    x, heights, weights = map(np.concatenate, (x, heights, weights))
    y = 0.5 * length * u
    points = np.stack(np.meshgrid(x, y, indexing="ij"), axis=-1).reshape(-1, 2)
    return Patch(points, np.repeat(heights, n), np.outer(weights, 0.5 * length * w).ravel())


def cylinder_on_plane(radius: float, length: float, depth: float, tilt: float, n: int = 120) -> Patch:
    """A cylinder that lies along x with its end at x < 0 lower by `tilt`; `depth` is that of the lowest rim.

    Heights are those of vertical columns through the cylinder and its end face, exactly.
    """
    s, c = math.sin(tilt), math.cos(tilt)
    z0 = radius * c + 0.5 * length * s - depth  # of the middle
    u, w = np.polynomial.legendre.leggauss(n)
    reach = math.sqrt(radius**2 - max(radius - depth / c, 0.0) ** 2)
    points, heights, areas = [], [], []
    y, wy = reach * np.sin(0.5 * np.pi * u), reach * 0.5 * np.pi * np.cos(0.5 * np.pi * u) * w
    for at, weight in zip(y, wy, strict=True):
        drop = math.sqrt(radius**2 - at**2)
        # Where the lower line of this slice passes the plane and where its end begins: rotated by the tilt.
        start = -0.5 * length * c + drop * s
        through = (drop - z0 * c) / s if s > 0.0 else math.inf
        face = -(0.5 * length - z0 * s) / c
        stop = min(through, 0.5 * length * c + drop * s)
        for low, high in ((min(start, face), max(start, face)), (max(start, face), stop)):
            if not high > low:
                continue
            x = 0.5 * (low + high) + 0.5 * (high - low) * u
            lower = z0 + (x * s - drop) / c
            end = z0 + (-0.5 * length - x * c) / s if s > 0.0 else np.full_like(x, -math.inf)
            points.append(np.stack([x, np.full_like(x, at)], axis=1))
            heights.append(np.maximum(-np.maximum(lower, end), 0.0))
            areas.append(weight * 0.5 * (high - low) * w)
    return Patch(np.concatenate(points), np.concatenate(heights), np.concatenate(areas))


def normal_load(patch: Patch, stiffness: float, damping: float, separation: float, roll) -> tuple[float, np.ndarray]:
    """(normal force [N], rolling torque (2,) about the centroid [N m]), eq. 4.59 to 4.67.

    stiffness     k_v [N/m^3]
    damping       a >= 0 [s/m]
    separation    speed at the centroid [m/s]
    roll          angular velocity in the plane (2,) [rad/s]
    """
    off = patch.points - patch.centroid
    speed = separation + roll[0] * off[:, 1] - roll[1] * off[:, 0]
    pressure = stiffness * patch.heights * (1.0 - damping * speed) * patch.areas
    return float(pressure.sum()), np.array([pressure @ off[:, 1], -(pressure @ off[:, 0])])


def sliding(patch: Patch, velocity, spin: float) -> tuple[np.ndarray, float]:
    """(force over mu N (2,), torque about the centroid over mu N [m]) of Coulomb friction that opposes the motion."""
    off = patch.points - patch.centroid
    slip = np.asarray(velocity) + spin * np.stack([-off[:, 1], off[:, 0]], axis=1)
    share = patch.heights * patch.areas / patch.volume
    way = slip / np.linalg.norm(slip, axis=1, keepdims=True)
    return -(share @ way), float(-share @ (off[:, 0] * way[:, 1] - off[:, 1] * way[:, 0]))


def contensou(patch: Patch, ratio: float) -> tuple[float, float]:
    """(C_v, C_w) by integration, at |v| = ratio times r_gyr |w|: force over mu N, torque over mu N r_gyr."""
    r = patch.gyration
    force, torque = sliding(patch, (ratio * r, 0.0), 1.0)
    return float(-force[0]), -torque / r
