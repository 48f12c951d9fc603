"""Packing of deployable beams: slices, stations and matrices in the order that kernels/bodies/deployable_beam.py
reads."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ....basics.pose import Pose
from ....kernels.kind_registry import DEPLOYING
from ..body import BodyData
from .modal_tables import damping_matrix
from .quadrature import gauss

if TYPE_CHECKING:
    from .deployable_beam import DeployableBeam


class DeployableTables:
    """The parts of a deployable beam, of unit length; the length scales them while it runs."""

    def __init__(self, beam: DeployableBeam) -> None:
        self.beam, self.unit = beam, beam.unit
        self.shapes, self.parts = beam.unit.shape_functions, beam.unit.tables
        self.m = self.parts.n
        y, z, _, _ = beam.modes.counts()
        self.bending = np.arange(self.m) < y + z

    @property
    def points(self) -> int:
        """Gauss points of the mass.

        Particles of a stretching beam stay at them, so that whatever they are is a body, and as few as `Beam` has will
        do. Those of an emerging one pass by: the sums must be integrals, of the square of the foreshortening too.
        """
        count = max(self.shapes.slice_points(True), self.shapes.points(torsion=2))
        if not self.beam.emerges:
            return count
        return max(count, self.shapes.points(bending=4, derivatives=2), self.shapes.points(bending=2, axial=1))

    def functions(self, xi: np.ndarray, derivative: int) -> np.ndarray:
        """Shapes of all amplitudes, each in its own direction, (m, points)."""
        here = self.shapes.at(xi, derivative)
        return here.u + here.v + here.w + here.twist

    @cached_property
    def damping(self) -> tuple[np.ndarray, np.ndarray, list[float]]:
        """Two damping matrices at unit length, and the exponents of the length that scale them: those of bending and
        of the others for the first, then for the second.

        A modal ratio is kept at every length, C ~ sqrt(M K): mass is as l^p, p = 1 if the beam emerges and 0 if it
        stretches, stiffness as l^-3 (bending) or l^-1. Rayleigh's alpha M and beta K scale as M and K do.
        """
        p = 1.0 if self.beam.emerges else 0.0
        M = self.unit.mass_matrix * self.beam.whole_mass / (self.beam.length[1] if self.beam.emerges else 1.0)
        K, given = self.unit.stiffness, self.beam.damping
        if isinstance(given, tuple):
            alpha, beta = given
            return alpha * M, beta * K, [p, p, -3.0, -1.0]
        C = damping_matrix(M, K, given)
        C[self.bending[:, None] != self.bending] = 0.0
        return C, np.zeros_like(C), [0.5 * (p - 3.0), 0.5 * (p - 1.0), 0.0, 0.0]

    def station(self, xi: float) -> np.ndarray:
        """What the kernels read of a marker at a fraction of the deployed length."""
        at = np.array([xi])
        one = self.parts.stations(at)[0]
        shapes = np.stack([self.functions(at, 0)[:, 0], self.functions(at, 1)[:, 0]], axis=1)
        rows = [matrix[k, : k + 1] for matrix in (one.chi, one.xi) for k in range(self.m)]
        return np.concatenate([[xi], shapes.ravel(), *rows])

    def slices(self) -> np.ndarray:
        """Rows of the slices: fraction, weight, shapes and two derivatives, foreshortening."""
        y, z, _, _ = self.beam.modes.counts()
        xi, weights = gauss(np.array([0.0, 1.0]), self.points)
        shapes = np.stack([self.functions(xi, d) for d in range(3)], axis=-1)
        rows: list[np.ndarray] = []
        for i, station in enumerate(self.parts.stations(xi)):
            chi = station.chi
            head = np.array([xi[i], weights[i]])
            parts = [head, shapes[:, i].ravel(), chi[:y, :y].ravel(), chi[y : y + z, y : y + z].ravel()]
            rows.append(np.concatenate(parts))
        return np.array(rows)

    def data(self, held: Pose) -> BodyData:
        """The data of the body in its kernel frame; mass centre and inertia at the least length, undeformed."""
        b, mass = self.beam, self.beam.whole_mass
        low, high = b.length
        axes = held.rotation.T
        gyration = float(self.unit.inertia_per_length(np.zeros(1))[0])
        first, second, exponents = self.damping
        slices, coupling = self.slices(), self.parts.coupling()
        coupling = np.zeros((0, 1)) if coupling is None else coupling
        fixed, density = (0.0, mass / high) if b.emerges else (mass, 0.0)
        head = np.array([fixed, density, float(b.emerges), high, gyration, *exponents])
        K = self.unit.stiffness
        root = self.functions(np.zeros(1), 1)[:, 0]
        numbers = [axes[:, 0], axes.T.ravel(), head, K.ravel(), first.ravel(), second.ravel(), root]
        before = sum(len(part) for part in numbers)
        floats = np.concatenate([*numbers, slices.ravel(), coupling.ravel()])
        codes = [len(slices), *b.modes.counts(), len(coupling), before, before + slices.size]
        # a rod from low - high (stowed) or 0 to low
        start = low - high if b.emerges else 0.0
        com = 0.5 * (start + low)
        across = mass * (low**3 - start**3) / (3.0 * (low - start))
        inertia = np.diag([mass * gyration, across, across])
        return BodyData(
            DEPLOYING, mass, axes @ np.array([com, 0.0, 0.0]), axes @ inertia @ axes.T, np.array(codes), floats
        )
