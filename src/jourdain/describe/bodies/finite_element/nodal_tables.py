"""Packing of nodal bodies: sparse matrices and stations in the order that kernels/bodies/nodal_body.py reads."""

from __future__ import annotations

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ....basics.pose import Pose
from ....kernels.kind_registry import NODAL
from ..body import BodyData
from ..floating_frame.interfaces import rigid_motions
from .nested_dissection import Factor, dissected, structure_of


class NodalStation(NamedTuple):
    """A place in a body and how the coordinates that move it do so, in body axes.

    position    undeformed, (3,) [m]
    entries     numbers of the coordinates, (c,)
    psi         displacement for a unit of each, (c, 3)
    theta       rotation for a unit of each, (c, 3) [rad]
    """

    position: np.ndarray
    entries: np.ndarray
    psi: np.ndarray
    theta: np.ndarray

    def numbers(self, held: Pose) -> np.ndarray:
        """What the kernels read, in the kernel frame."""
        R = held.rotation
        shapes = np.concatenate([self.entries[:, None], self.psi @ R, self.theta @ R], axis=1)
        return np.concatenate([R.T @ (self.position - held.position), [len(self.entries)], shapes.ravel()])

    def moved(self, e: np.ndarray) -> np.ndarray:
        """Displacements (nt, 3) for coordinates (nt, n) [m]."""
        return e[:, self.entries] @ self.psi

    def turned(self, e: np.ndarray) -> np.ndarray:
        """Rotations (nt, 3) for coordinates (nt, n) [rad]."""
        return e[:, self.entries] @ self.theta


class NodalTables:
    """Matrices of a body with the nodes of a mesh as coordinates.

    mass, stiffness    of all nodes, x, y and z of each behind each other, sparse (3 N, 3 N)
    shapes             the map (3 N, n) from coordinates to displacements: each moves one node, nodes in their order
    nodes              places (N, 3) [m]
    damping            Rayleigh's coefficients (alpha [1/s], beta [s])
    deformed           whether the mass matrix of frame and coordinates is that of the deformed body
    gyroscopic         whether centrifugal and Coriolis forces act on the coordinates
    carried            (N,) how far a unit displacement of the body moves each node: all by one, but gradients by none
    """

    def __init__(
        self,
        mass: Any,
        stiffness: Any,
        shapes: Any,
        nodes: np.ndarray,
        damping: tuple[float, float],
        deformed: bool = True,
        gyroscopic: bool = True,
        carried: np.ndarray | None = None,
    ) -> None:
        self.carried = np.ones(len(nodes)) if carried is None else carried
        self.nodes, self.shapes, self.damping = nodes, shapes.tocsc(), damping
        self.deformed, self.gyroscopic = deformed, gyroscopic
        self.masses = mass.tocsr()[0::3, 0::3].tocsr()
        """m_ab = int N_a N_b dm, sparse (N, N) [kg]."""
        self.M, self.K = ((self.shapes.T @ one @ self.shapes).tocsr() for one in (mass, stiffness))
        """Mass and stiffness of the coordinates, sparse (n, n)."""

    @cached_property
    def owner(self) -> np.ndarray:
        """The node that each coordinate moves, (n,)."""
        return self.shapes.indices[self.shapes.indptr[:-1]] // 3

    @cached_property
    def ways(self) -> np.ndarray:
        """Its direction, (n, 3)."""
        out = np.zeros((self.shapes.shape[1], 3))
        column = np.repeat(np.arange(len(out)), np.diff(self.shapes.indptr))
        out[column, self.shapes.indices % 3] = self.shapes.data
        return out

    @cached_property
    def groups(self) -> list[np.ndarray]:
        """Nodes in the order in which they are eliminated."""
        return dissected(self.masses, self.nodes)

    def coordinates_of(self, nodes: np.ndarray) -> np.ndarray:
        """Those of some nodes."""
        first = np.searchsorted(self.owner, np.arange(len(self.nodes) + 1))
        return np.concatenate([np.arange(first[a], first[a + 1]) for a in nodes] or [np.zeros(0, np.int64)])

    def pairs(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Rows, columns, stiffness and mass of all pairs of coordinates that meet, by rows, and where rows begin."""
        from scipy.sparse import csr_array

        one = csr_array((np.ones(self.K.nnz), self.K.indices, self.K.indptr), shape=self.K.shape)
        other = csr_array((np.ones(self.M.nnz), self.M.indices, self.M.indptr), shape=self.M.shape)
        union = (one + other).tocsr()
        union.sort_indices()
        row = np.repeat(np.arange(union.shape[0]), np.diff(union.indptr))
        keys = row * union.shape[1] + union.indices
        values = []
        for matrix in (self.K, self.M):
            found = np.zeros(len(keys))
            coo = matrix.tocoo()
            at = np.searchsorted(keys, coo.row.astype(np.int64) * union.shape[1] + coo.col)
            np.add.at(found, at, coo.data)
            values.append(found)
        return row, union.indices.astype(np.int64), values[0], values[1], union.indptr.astype(np.int64)

    @cached_property
    def arrays(self) -> tuple[list[np.ndarray], list[np.ndarray]]:
        """What does not depend on the kernel frame: integers from `FIRST` on, floats of masses, stiffness, mass and
        the factor of the mass."""
        row, column, stiff, paired, begin = self.pairs()
        step_factor = structure_of(
            (abs(self.K) + abs(self.M)).tocsc(), [self.coordinates_of(group) for group in self.groups]
        )
        first = np.searchsorted(self.owner, np.arange(len(self.nodes) + 1))
        integers = [
            first,
            self.masses.indptr,
            self.masses.indices,
            begin,
            column,
            self.mass_factor.structure.integers,
            step_factor.integers,
            step_factor.target(row, column),
        ]
        return [one.astype(np.int64) for one in integers], [self.masses.data, stiff, paired, self.mass_factor.values]

    def factor(self, matrix: Any, apart: bool = False) -> Factor:
        """The factor of a symmetric positive matrix of the coordinates, sparse; apart: directions do not meet in it."""
        grouped = [self.coordinates_of(group) for group in self.groups]
        if apart:  # each direction is a panel of its own, the last one of coordinates that have several
            leading = np.argmax(np.abs(self.ways), axis=1)
            leading[np.count_nonzero(self.ways, axis=1) > 1] = 3
            grouped = [one[leading[one] == axis] for one in grouped for axis in range(3)]
            grouped.append(np.flatnonzero(leading == 3))
        return Factor(matrix, structure_of(matrix.tocsc(), grouped))

    @cached_property
    def mass_factor(self) -> Factor:
        """That of the mass."""
        return self.factor(self.M, apart=True)

    @cached_property
    def _frozen(self) -> Any:
        """What the mass makes of displacements of all nodes for the coordinates, sparse (n, 3 N)."""
        from scipy.sparse import kron

        return (self.shapes.T @ kron(self.masses, np.eye(3), format="csr")).tocsr()

    def _rigid(self, places: np.ndarray) -> np.ndarray:
        """M^-1 M_re of the undeformed body less the motions of its coordinates if all were places, (n, 6) in body
        axes."""
        motions = rigid_motions(places, 3)
        motions[:, :3] *= np.repeat(self.carried, 3)[:, None]
        held = motions - self.shapes @ (self.shapes.T @ motions)
        answer = self.mass_factor.solve(np.asarray(self._frozen @ held))
        answer[:, :3] += (self.carried[self.owner] - 1.0)[:, None] * self.ways
        return answer[:, [3, 4, 5, 0, 1, 2]]

    def _ties(self, R: np.ndarray) -> list[np.ndarray]:
        """Node, direction in the kernel frame, and M^-1 m along it, of the directions in which nodes that have
        coordinates are held."""
        out = []
        count = np.bincount(self.owner, minlength=len(self.nodes))
        plane = np.unique(np.flatnonzero(np.any(self.ways != 0.0, axis=0)))
        for node in np.flatnonzero((count > 0) & (count < len(plane))):
            own = self.ways[self.owner == node]
            across = np.eye(3)[plane] - (np.eye(3)[plane] @ own.T) @ own
            for way in np.linalg.svd(across)[2][: len(plane) - count[node]]:
                unit = np.zeros(3 * len(self.nodes))
                unit[3 * node : 3 * node + 3] = way
                out.append(np.concatenate([[node], way @ R, self.mass_factor.solve(self._frozen @ unit)]))
        return out

    def as_a_whole(self, e: np.ndarray) -> np.ndarray:
        """What its coordinates do in three unit displacements and three unit rotations about zero of the body as a
        whole, in its own axes, deformed as it is by coordinates e (n,): (n, 6)."""
        places = self.nodes + np.asarray(self.shapes @ e).reshape(-1, 3)
        motions = rigid_motions(places, 3)
        motions[:, :3] *= np.repeat(self.carried, 3)[:, None]
        return np.asarray(self.shapes.T @ motions)

    def data(self, held: Pose) -> BodyData:
        """The data of the body in its kernel frame."""
        from ....kernels.bodies.nodal_layout import FLOAT_ARRAYS, INTEGER_ARRAYS, NodalBody

        R = held.rotation
        places = (self.nodes - np.outer(self.carried, held.position)) @ R
        still = self.masses @ places
        shares = np.asarray(self.masses @ self.carried).ravel()
        integers, (masses, stiff, paired, factored) = self.arrays
        rigid = self._rigid(self.nodes - np.outer(self.carried, held.position))
        rigid = np.concatenate([rigid[:, :3] @ R, rigid[:, 3:] @ R], axis=1)
        ties = self._ties(R)
        floats = [places, self.ways @ R, shares, masses, stiff, paired, np.array(self.damping), factored, still, rigid]
        floats.append(np.concatenate([np.zeros(0), *ties]))
        more, line = self.line()
        floats.append(line)
        places_of = dict(zip(INTEGER_ARRAYS, np.cumsum([NodalBody.size, *map(len, integers[:-1])]), strict=True))
        places_of |= zip(FLOAT_ARRAYS, np.cumsum([0, *(one.size for one in floats[:-1])]), strict=True)
        counts = dict(zip(("elements", "stretch_points", "bending_points"), more, strict=True))
        header = NodalBody.made(
            nodes=len(self.nodes), deformed=self.deformed, gyroscopic=self.gyroscopic, ties=len(ties),
            **places_of, **counts,
        )  # fmt: skip
        total = float(shares @ self.carried)
        second = places.T @ still
        inertia = np.trace(second) * np.eye(3) - 0.5 * (second + second.T)
        flat = np.concatenate([np.ascontiguousarray(one, float).ravel() for one in floats])
        return BodyData(
            NODAL, total, shares @ places / total, inertia, np.concatenate([header.numbers, *integers]), flat
        )

    def line(self) -> tuple[tuple[int, int, int], np.ndarray]:
        """Of a cable: how many elements, points of the stretch and of the curvature it has, and its own numbers."""
        return (0, 0, 0), np.zeros(0)

    def frequencies(self) -> np.ndarray:
        """The lowest and the highest natural frequency with the frame held [rad/s]."""
        from scipy.sparse.linalg import LinearOperator, eigsh

        size = self.K.shape[0]
        start = np.cos(np.arange(size) ** 2.0)
        K, M = self.K.tocsc(), self.M.tocsc()
        softest = LinearOperator((size, size), matvec=self.factor(self.K).solve, dtype=float)
        low = eigsh(K, 1, M, sigma=0.0, OPinv=softest, v0=start, return_eigenvectors=False)
        inverse = LinearOperator((size, size), matvec=self.mass_factor.solve, dtype=float)
        high = eigsh(K, 1, M, Minv=inverse, which="LM", v0=start, tol=1e-4, return_eigenvectors=False)
        return np.sqrt(np.maximum(np.array([low[0], high[0]]), 0.0))
