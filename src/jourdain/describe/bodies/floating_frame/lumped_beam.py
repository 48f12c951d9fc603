"""Packing of lumped bodies: stations and slices in the order that kernels/bodies/lumped_beam.py reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ....basics.pose import Pose
from ....kernels.kind_registry import LUMPED
from ..body import BodyData


@dataclass(frozen=True, eq=False)
class LumpedStation:
    """A place in a body and how its n internal coordinates move it, in body axes.

    position    undeformed, (3,) [m]
    psi         displacement for a unit of each coordinate, (n, 3)
    theta       rotation for a unit of each coordinate, (n, 3) [rad]
    chi         foreshortening: the place moves by d 1/2 e^T chi e, (n, n), symmetric; d the body's direction
    xi          the place turns about d by 1/2 e^T xi e, (n, n), symmetric [rad]
    path        which of the body's path rotations is its own, -1 for none
    """

    position: np.ndarray
    psi: np.ndarray
    theta: np.ndarray
    chi: np.ndarray
    xi: np.ndarray
    path: int = -1

    def numbers(self, held: Pose) -> np.ndarray:
        """What the kernels read, in the kernel frame."""
        n = len(self.psi)
        R = held.rotation
        shapes = np.concatenate([self.psi @ R, self.theta @ R], axis=1)
        rows = [matrix[k, : k + 1] for matrix in (self.chi, self.xi) for k in range(n)]
        return np.concatenate([R.T @ (self.position - held.position), shapes.ravel(), *rows, [float(self.path)]])


@dataclass(frozen=True, eq=False)
class Slice:
    """A rigid slice: mass [kg], inertia about its own centre (3, 3) [kg m^2], and the station that carries it.

    A slice without mass only adds to constants of the body and costs nothing while running, unless its inertia turns.
    """

    mass: float
    inertia: np.ndarray
    station: LumpedStation


@dataclass(frozen=True, eq=False)
class LumpedBeam:
    """What makes a lumped body.

    slices       where its mass is
    axes         the beam's x, y, z as columns, in body axes (3, 3); x is the direction of foreshortening
    stiffness    (n, n), of the internal coordinates
    damping      (n, n)
    membrane     points of the membrane strain, rows of (EA times weight, u' (n), v' (n), w' (n)), or none
    inertia      code of the inertia, membrane_code of the axial force, scheme of the rotations:
                 kernels.bodies.lumped_beam
    tangent      s of the rotations there, 0, 1/2 or 1
    coupling     points where bending twists, rows of (EI_a - EI_b times weight, phi (n), v'' (n), w'' (n)), or none
    turning      whether the inertia of the slices without mass turns with them
    """

    slices: Sequence[Slice]
    axes: np.ndarray
    stiffness: np.ndarray
    damping: np.ndarray
    membrane: np.ndarray | None = None
    inertia: int = 0
    membrane_code: int = 0
    scheme: int = 0
    tangent: float = 0.0
    coupling: np.ndarray | None = None
    turning: bool = False

    def data(self, held: Pose) -> BodyData:
        """The data of the body in its kernel frame."""
        from ....kernels.bodies.lumped_layout import LumpedBody

        A, n = self.axes, len(self.stiffness)
        mass = sum(one.mass for one in self.slices)
        first, inertia, own = np.zeros(3), np.zeros((3, 3)), np.zeros((3, 3))
        constant, momentum = np.zeros((n, n)), np.zeros((n, 6))
        for one in self.slices:
            s = one.station
            r, psi, theta = A.T @ (s.position - held.position), s.psi @ A, s.theta @ A
            J = A.T @ one.inertia @ A
            first += one.mass * r
            inertia += J + one.mass * (r @ r * np.eye(3) - np.outer(r, r))
            if self.turning:
                J = np.zeros((3, 3))
            own += J
            constant += one.mass * psi @ psi.T + theta @ J @ theta.T
            momentum += np.concatenate([theta @ J, one.mass * psi], axis=1)
        massive = [one for one in self.slices if one.mass]
        shapes = np.array([one.station.psi @ A for one in massive]).reshape(len(massive), n, 3)
        chi = np.array([one.station.chi for one in massive]).reshape(len(massive), n, n)
        ny, nz, moving = _bending(shapes, chi)
        nb = ny + nz
        shortens = bool(np.any(chi))
        packed = []
        for i, one in enumerate(massive):
            position = A.T @ (one.station.position - held.position)
            parts = [shapes[i, :ny, 1], shapes[i, ny:nb, 2], shapes[i, nb:moving]]
            parts += [chi[i, :ny, :ny], chi[i, ny:nb, ny:nb]] if shortens else []
            packed.append(np.concatenate([[one.mass], position, *(part.ravel() for part in parts)]))
        axes = held.rotation.T @ A
        points = np.zeros((0, 1)) if self.membrane is None else self.membrane
        six = [own[0, 0], own[1, 1], own[2, 2], own[0, 1], own[0, 2], own[1, 2]]
        matrices = (self.stiffness, self.damping, constant, np.array(six), momentum, points)
        numbers = [axes[:, 0], axes.T.ravel(), *(matrix.ravel() for matrix in matrices), *packed]
        coupling = np.zeros((0, 1)) if self.coupling is None else self.coupling
        sections = [one for one in self.slices if self.turning and not one.mass]
        head = [[1.0, 0.0, 0.0], np.eye(3).ravel()] if sections else [np.zeros(0)]
        own_axes = Pose(rotation=A)
        turned = np.concatenate(
            [*head, *(np.append(np.diag(A.T @ s.inertia @ A), s.station.numbers(own_axes)) for s in sections)]
        )
        floats = np.concatenate([*numbers, coupling.ravel(), turned])
        header = LumpedBody.made(
            slices=len(massive), membrane_points=len(points), inertia=self.inertia, membrane=self.membrane_code,
            scheme=self.scheme, shortens=shortens, bending_y=ny, bending_z=nz, moving=moving,
            twice_s=round(2.0 * self.tangent), coupling_points=len(coupling),
            coupling=len(floats) - coupling.size - turned.size, sections=len(sections),
            section_head=len(floats) - turned.size,
        )  # fmt: skip
        used = (self.stiffness != 0.0) | (self.damping != 0.0) | (constant != 0.0)
        integers = np.append(header.numbers, np.array([place for row in used for place in _range(row)], np.int64))
        com = first / mass if mass else first
        return BodyData(LUMPED, mass, axes @ com, axes @ inertia @ axes.T, integers, floats)


def _range(used: np.ndarray) -> tuple[int, int]:
    """First and one past the last that are used; 0, 0 where none is."""
    places = np.flatnonzero(used)
    return (int(places[0]), int(places[-1]) + 1) if len(places) else (0, 0)


def _bending(shapes: np.ndarray, chi: np.ndarray) -> tuple[int, int, int]:
    """How many coordinates, the first, bend along y, how many, the next, along z, and one past the last that moves.

    shapes    (slices, n, 3) in the beam's axes; chi (slices, n, n). One that bends moves along its own axis only.
    """
    n = chi.shape[1]
    x, y, z = (np.any(shapes[:, :, c] != 0.0, axis=0) for c in range(3))
    moving = max((k + 1 for k in range(n) if x[k] or y[k] or z[k]), default=0)
    ny = next((k for k in range(n) if x[k] or z[k] or not y[k]), n)
    nb = next((k for k in range(ny, n) if x[k] or y[k] or not z[k]), n)
    couples = np.any(chi != 0.0, axis=0)
    couples[:ny, :ny] = couples[ny:nb, ny:nb] = False
    if np.any(couples):
        raise ValueError("only coordinates that bend along y, and after them those along z, can foreshorten, by plane")
    return ny, nb - ny, moving
