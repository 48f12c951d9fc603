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
    chi         foreshortening: the place moves by d 1/2 e^T chi e, (n, n), symmetric
    """

    position: np.ndarray
    psi: np.ndarray
    theta: np.ndarray
    chi: np.ndarray

    def numbers(self, held: Pose) -> np.ndarray:
        """What the kernels read, in the kernel frame."""
        n = len(self.psi)
        R = held.rotation
        shapes = np.concatenate([self.psi @ R, self.theta @ R], axis=1)
        rows = [self.chi[k, : k + 1] for k in range(n)]
        return np.concatenate([R.T @ (self.position - held.position), shapes.ravel(), *rows])


@dataclass(frozen=True, eq=False)
class Slice:
    """A rigid slice: mass [kg], inertia about its own centre (3, 3) [kg m^2], and the station that carries it."""

    mass: float
    inertia: np.ndarray
    station: Station


def sliced_data(
    slices: Sequence[Slice], direction: np.ndarray, stiffness: np.ndarray, damping: np.ndarray, held: Pose
) -> BodyData:
    """The data of a sliced body in its kernel frame.

    direction    along which foreshortening acts, (3,)
    stiffness    (n, n), of the internal coordinates
    damping      (n, n)
    """
    R = held.rotation
    mass = sum(one.mass for one in slices)
    first = np.zeros(3)
    inertia = np.zeros((3, 3))
    numbers = [R.T @ direction, stiffness.ravel(), damping.ravel()]
    for one in slices:
        r = R.T @ (one.station.position - held.position)
        J = R.T @ one.inertia @ R
        first += one.mass * r
        inertia += J + one.mass * (r @ r * np.eye(3) - np.outer(r, r))
        six = [J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]]
        numbers += [np.array([one.mass, *six]), one.station.numbers(held)]
    com = first / mass if mass else first
    return BodyData(SLICED, mass, com, inertia, np.array([len(slices)]), np.concatenate(numbers))
