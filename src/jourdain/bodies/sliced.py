"""Packing of sliced bodies: stations and slices in the order that kernels/slices.py reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..pose import Pose
from .base import SLICED, BodyData


@dataclass(frozen=True, eq=False)
class Station:
    """A place in a body and how its n internal coordinates move it, in body axes.

    position    undeformed, (3,) [m]
    psi         displacement for a unit of each coordinate, (n, 3)
    theta       rotation for a unit of each coordinate, (n, 3) [rad]
    chi         foreshortening: the place moves by d 1/2 e^T chi e, (n, n), symmetric; d the body's direction
    xi          the place turns about d by 1/2 e^T xi e, (n, n), symmetric [rad]
    """

    position: np.ndarray
    psi: np.ndarray
    theta: np.ndarray
    chi: np.ndarray
    xi: np.ndarray

    def numbers(self, held: Pose) -> np.ndarray:
        """What the kernels read, in the kernel frame."""
        n = len(self.psi)
        R = held.rotation
        shapes = np.concatenate([self.psi @ R, self.theta @ R], axis=1)
        rows = [matrix[k, : k + 1] for matrix in (self.chi, self.xi) for k in range(n)]
        return np.concatenate([R.T @ (self.position - held.position), shapes.ravel(), *rows])


@dataclass(frozen=True, eq=False)
class Slice:
    """A rigid slice: mass [kg], inertia about its own centre (3, 3) [kg m^2], and the station that carries it."""

    mass: float
    inertia: np.ndarray
    station: Station


@dataclass(frozen=True, eq=False)
class Sliced:
    """What makes a sliced body.

    slices       where its mass is
    axes         the beam's x, y, z as columns, in body axes (3, 3); x is the direction of foreshortening
    stiffness    (n, n), of the internal coordinates
    damping      (n, n)
    membrane     points of the membrane strain, rows of (EA times weight, u' (n), v' (n), w' (n)), or none
    inertia      code of the inertia, membrane_code of the axial force, scheme of the rotations: see kernels/slices.py
    """

    slices: Sequence[Slice]
    axes: np.ndarray
    stiffness: np.ndarray
    damping: np.ndarray
    membrane: np.ndarray | None = None
    inertia: int = 0
    membrane_code: int = 0
    scheme: int = 0

    def data(self, held: Pose) -> BodyData:
        """The data of the body in its kernel frame."""
        R = held.rotation
        n = len(self.stiffness)
        mass = sum(one.mass for one in self.slices)
        first, inertia, own = np.zeros(3), np.zeros((3, 3)), np.zeros((3, 3))
        constant, turning = np.zeros((n, n)), np.zeros((n, 3))
        shortening = max([0, *(int(np.max(np.nonzero(one.station.chi)[0], initial=-1)) + 1 for one in self.slices)])
        packed = []
        for one in self.slices:
            s = one.station
            r, psi, theta = R.T @ (s.position - held.position), s.psi @ R, s.theta @ R
            J = R.T @ one.inertia @ R
            first += one.mass * r
            own += J
            inertia += J + one.mass * (r @ r * np.eye(3) - np.outer(r, r))
            constant += one.mass * psi @ psi.T + theta @ J @ theta.T
            turning += theta @ J
            rows = [s.chi[k, : k + 1] for k in range(shortening)]
            packed.append(np.concatenate([[one.mass], r, psi.ravel(), *rows]))
        axes = R.T @ self.axes
        if any(np.any(np.abs(one.station.psi[:shortening] @ self.axes[:, 0]) > 0.0) for one in self.slices):
            raise ValueError("coordinates that foreshorten must not displace along the axis themselves")
        points = np.zeros((0, 1)) if self.membrane is None else self.membrane
        six = [own[0, 0], own[1, 1], own[2, 2], own[0, 1], own[0, 2], own[1, 2]]
        matrices = (self.stiffness, self.damping, constant, np.array(six), turning, points)
        numbers = [axes[:, 0], axes.T.ravel(), *(matrix.ravel() for matrix in matrices), *packed]
        codes = [len(self.slices), len(points), self.inertia, self.membrane_code, self.scheme, shortening]
        com = first / mass if mass else first
        return BodyData(SLICED, mass, com, inertia, np.array(codes), np.concatenate(numbers))
