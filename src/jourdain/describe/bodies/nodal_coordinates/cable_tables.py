"""A line of nodes with a place and a gradient each: functions, mass and factor of a cable's coordinates."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from ..finite_element.nodal_tables import NodalStation, NodalTables

HELD = {"clamped": 5, "pinned": 3, "free": 0}
"""How many of the six coordinates of the first node the body's frame holds: all but the stretch, its place, none."""
BENDING_POINTS = 3
"""Points of Gauss at which the curvature of an element is taken."""
LEAST = 1e-4
"""Least share of the rule that sees all of the stretch."""
END = [2, 1, 3]
"""Functions of the chord, which is the difference of the places, and of the gradients."""


def hermite(f: np.ndarray, length: float, derivative: int = 0) -> np.ndarray:
    """The cubics (m, 4) of place and gradient at both ends of an element, at fractions f of its length [m].

    s_1 = 1 - 3 f^2 + 2 f^3, s_2 = l (f - 2 f^2 + f^3), s_3 = 3 f^2 - 2 f^3, s_4 = l (f^3 - f^2).
    """
    x, l = np.asarray(f, float), length
    one = np.ones_like(x)
    if derivative == 0:
        rows = [1 - 3 * x**2 + 2 * x**3, l * (x - 2 * x**2 + x**3), 3 * x**2 - 2 * x**3, l * (x**3 - x**2)]
    elif derivative == 1:
        rows = [(6 * x**2 - 6 * x) / l, 1 - 4 * x + 3 * x**2, (6 * x - 6 * x**2) / l, 3 * x**2 - 2 * x]
    elif derivative == 2:
        rows = [(12 * x - 6) / l**2, (6 * x - 4) / l, (6 - 12 * x) / l**2, (6 * x - 2) / l]
    else:
        rows = [12 * one / l**3, 6 * one / l**2, -12 * one / l**3, 6 * one / l**2]
    return np.stack(rows, axis=1)


def stretch_rule(length: float, EA: float, EI: float) -> tuple[tuple[np.ndarray, ...], tuple[np.ndarray, ...]]:
    """Fractions and weights [m] of the points at which the stretch of an element is taken: of those where only the
    stretch is, and of those where the curvature is too, whose weights come last.

    A cubic that bends also stretches a little, to fourth order in its turn. Where EA is large that resists bending more
    than EI does: membrane locking. Two points of Gauss see only the part of the stretch that is linear along the
    element, which a cubic can be rid of, but leave one motion along the cable without stiffness. So a share
    EI / (EA l^2) of three points is mixed in, which see all.
    """
    share = float(np.clip(EI / (EA * length**2), LEAST, 1.0))
    (x, w), (y, u) = (np.polynomial.legendre.leggauss(k) for k in (2, BENDING_POINTS))
    half = 0.5 * length
    return (0.5 * (x + 1.0), half * (1.0 - share) * w), (0.5 * (y + 1.0), half * share * u, half * u)


def element_mass(length: float) -> np.ndarray:
    """int S_a S_b ds (4, 4) of an element [m, m^2, m^3]."""
    x, w = np.polynomial.legendre.leggauss(4)
    S = hermite(0.5 * (x + 1.0), length)
    return 0.5 * length * (S.T * w) @ S


class ChainFactor:
    """The factor L D L^T of the mass of each direction, which has three diagonals.

    values    of each place or gradient 1 / d and three of L along x, the same along y and z, (N, 8)
    """

    def __init__(self, masses: Any, free: np.ndarray) -> None:
        from scipy.linalg import cholesky_banded

        self.free = free
        self.bands, rows = [], []
        count = len(free)
        for axis in (0, 1):
            mine = free[:, axis]
            band = np.zeros((4, count))
            for k in range(4):
                band[k, : count - k] = np.where(mine[: count - k] & mine[k:], masses.diagonal(-k), 0.0)
            band[0, ~mine] = 1.0
            L = cholesky_banded(band, lower=True)
            row = np.zeros((count, 4))
            row[:, 0] = L[0] ** -2
            for k in (1, 2, 3):
                row[k:, k] = L[k, : count - k] / L[0, : count - k]
            self.bands.append(L)
            rows.append(row)
        self.values = np.concatenate(rows, axis=1)

    def solve(self, b: np.ndarray) -> np.ndarray:
        """The mass of the coordinates to the power -1 times b, (n,) or (n, m)."""
        from scipy.linalg import cho_solve_banded

        columns = np.asarray(b, float).reshape(len(b), -1)
        full = np.zeros((*self.free.shape, columns.shape[1]))
        full[self.free] = columns
        for axis in range(3):
            full[:, axis] = cho_solve_banded((self.bands[min(axis, 1)], True), full[:, axis])
        return full[self.free].reshape(np.shape(b))


class Chain(NodalTables):
    """Matrices of a cable: "nodes" are places and gradients in turn.

    vectors            places [m] and gradients without deformation, (N, 3)
    length             of an element [m]
    mass_per_length    [kg/m]
    stiffness          EA [N], EI [N m^2]
    damping            of the stretch and of the curvature [s]
    tension            without deformation [N]
    root               a word of `HELD`
    bends              whether the line is curved without deformation, and so at rest
    """

    def __init__(
        self,
        vectors: np.ndarray,
        length: float,
        mass_per_length: float,
        stiffness: tuple[float, float],
        damping: tuple[float, float],
        tension: float,
        root: str,
        bends: bool,
    ) -> None:
        from scipy.sparse import coo_array, csr_array, kron

        count = len(vectors)
        self.length, self.elastic, self.tension, self.bends = length, (*stiffness, *damping), tension, bends
        self.element_mass = mass_per_length * element_mass(length)
        self.free = np.ones((count, 3), bool)
        self.free.ravel()[:6] = {5: (0, 0, 0, 1, 0, 0), 3: (0, 0, 0, 1, 1, 1), 0: (1, 1, 1, 1, 1, 1)}[HELD[root]]
        ends = 2 * np.arange(count // 2 - 1)[:, None] + np.arange(4)
        rows, columns = np.repeat(ends, 4, axis=1).ravel(), np.tile(ends, (1, 4)).ravel()
        data = np.tile(self.element_mass.ravel(), len(ends))
        masses = coo_array((data, (rows, columns)), shape=(count, count)).tocsr()
        masses.sum_duplicates()
        chosen = np.flatnonzero(self.free.ravel())
        size = len(chosen)
        shapes = coo_array((np.ones(size), (chosen, np.arange(size))), shape=(3 * count, size))
        none = csr_array((3 * count, 3 * count))
        carried = np.arange(count) % 2 == 0
        super().__init__(
            kron(masses, np.eye(3), format="csr"), none, shapes, vectors, (0.0, 0.0), carried=carried.astype(float)
        )

    @cached_property
    def mass_factor(self) -> Any:
        return ChainFactor(self.masses, self.free)

    @cached_property
    def arrays(self) -> tuple[list[np.ndarray], list[np.ndarray]]:
        from ....kernels.bodies.nodal_layout import CABLE_BLOCK
        from ....kernels.linalg.supernodal_cholesky import FactorHeader

        _, column, stiff, paired, begin = self.pairs()
        step = FactorHeader.made(n=self.free.sum(), values=CABLE_BLOCK * (len(self.nodes) // 2), widest=1).numbers
        first = np.concatenate([[0], np.cumsum(self.free.sum(axis=1))])
        none = np.zeros(0, np.int64)
        integers = [first, self.masses.indptr, self.masses.indices, begin, column, none, step, none]
        return [np.asarray(one, np.int64) for one in integers], [
            self.masses.data,
            stiff,
            paired,
            self.mass_factor.values,
        ]

    def line(self) -> tuple[tuple[int, int, int], np.ndarray]:
        l = self.length
        first = self.nodes[:4]  # all elements are alike
        parts = [np.array([*self.elastic, self.tension]), self.element_mass.ravel()]
        apart, both = stretch_rule(l, *self.elastic[:2])
        partials, rest = self._partials(apart[0])
        parts.append(np.column_stack([apart[1], partials[:, END], rest]).ravel())
        count = len(partials)
        f, along, across = both
        (partials, rest), seconds = self._partials(f), hermite(f, l, 2)
        kappa = curvature(partials @ first, seconds @ first) if self.bends else np.zeros(len(f))
        parts.append(np.column_stack([across, partials[:, END], seconds[:, END], kappa, along, rest]).ravel())
        parts.append(self.nodes.ravel())
        return (len(self.nodes) // 2 - 1, count, BENDING_POINTS), np.concatenate(parts)

    def _partials(self, f: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """First derivatives of the functions at fractions f of an element, and the stretch there at rest."""
        partials = hermite(f, self.length, 1)
        rest = np.linalg.norm(partials @ self.nodes[:4], axis=1) - 1.0 if self.bends else np.zeros(len(f))
        return partials, rest

    def station(self, s: float) -> tuple[NodalStation, np.ndarray]:
        """A place along the line [m], with what adds to the gradient in the place of rotations; and the gradient."""
        k = min(int(s / self.length), len(self.nodes) // 2 - 2)
        f = np.array([s / self.length - k])
        if abs(f[0] - round(f[0])) < 1e-12:
            f = np.round(f)
        place, slope = hermite(f, self.length)[0], hermite(f, self.length, 1)[0]
        ends = 2 * k + np.arange(4)
        used = ends[(place != 0.0) | (slope != 0.0)]
        entries = self.coordinates_of(used)
        owner = self.owner[entries] - 2 * k
        ways = self.ways[entries]
        found = NodalStation(place @ self.nodes[ends], entries, place[owner, None] * ways, slope[owner, None] * ways)
        return found, slope @ self.nodes[ends]

    def frequencies(self) -> np.ndarray:
        """A bound of the highest natural frequency, the highest of an element by itself [rad/s]."""
        from scipy.linalg import eigh

        EA, EI = self.elastic[:2]
        top = 0.0
        x, w = np.polynomial.legendre.leggauss(4)
        f, w = 0.5 * (x + 1.0), 0.5 * self.length * w
        slope, second = (hermite(f, self.length, k) for k in (1, 2))
        stretching = (slope.T * w) @ slope
        for K in (EA * stretching, EI * (second.T * w) @ second + max(self.tension, 0.0) * stretching):
            top = max(top, float(eigh(K, self.element_mass, eigvals_only=True)[-1]))
        return np.array([np.sqrt(top)])


def curvature(slope: np.ndarray, second: np.ndarray) -> np.ndarray:
    """|r' x r''| / |r'|^2 of vectors (..., 3) [1/m]."""
    return np.linalg.norm(np.cross(slope, second), axis=-1) / np.sum(slope * slope, axis=-1)
