"""Nodal bodies whose elements have forces of their own: which vectors meet, and where pairs of coordinates go."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from ....basics.errors import ModelError
from ....basics.values import is_whole, shown
from .nested_dissection import structure_of
from .nodal_tables import NodalTables


class CoordinatePairs(NodalTables):
    """A body of elements, each of which several vectors meet in: places, gradients, twists."""

    scratch: int = 0
    """Numbers that the matrix of an element is worked out in, more than those of the widest."""

    @property
    def lists(self) -> list[np.ndarray]:
        """Vectors of all elements."""
        raise NotImplementedError

    def stiffness(self) -> Any:
        """K without deformation, sparse (n, n)."""
        raise NotImplementedError

    @cached_property
    def graph(self) -> Any:
        """Which vectors meet, sparse (V, V)."""
        from scipy.sparse import coo_array

        rows = np.concatenate([np.repeat(one, len(one)) for one in self.lists])
        columns = np.concatenate([np.tile(one, len(one)) for one in self.lists])
        count = len(self.nodes)
        made = coo_array((np.ones(len(rows)), (rows, columns)), shape=(count, count)).tocsr()
        made.sum_duplicates()
        made.sort_indices()
        return made

    @cached_property
    def _begin(self) -> np.ndarray:
        """First coordinate of each vector, (V + 1,)."""
        return np.searchsorted(self.owner, np.arange(len(self.nodes) + 1))

    def pairs(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """As `NodalTables.pairs`: all coordinates of two vectors that meet are pairs; the stiffness is none of
        constants."""
        graph, begin = self.graph, self._begin
        columns = [
            np.concatenate(
                [np.arange(begin[b], begin[b + 1]) for b in graph.indices[graph.indptr[a] : graph.indptr[a + 1]]]
            )
            for a in range(len(self.nodes))
        ]
        each = [columns[a] for a in self.owner]
        row = np.repeat(np.arange(len(each)), [len(one) for one in each])
        column = np.concatenate(each)
        start = np.concatenate([[0], np.cumsum([len(one) for one in each])])
        found = np.zeros(len(column))
        coo = self.M.tocoo()
        keys = row * len(each) + column
        np.add.at(found, np.searchsorted(keys, coo.row.astype(np.int64) * len(each) + coo.col), coo.data)
        return row, column, np.zeros(0), found, start

    @cached_property
    def arrays(self) -> tuple[list[np.ndarray], list[np.ndarray]]:
        from scipy.sparse import csr_array

        from ....kernels.linalg.supernodal_cholesky import FactorHeader

        row, column, stiff, paired, begin = self.pairs()
        size = len(self.owner)
        pattern = csr_array((np.ones(len(column)), column, begin), shape=(size, size)).tocsc()
        step = structure_of(pattern, [self.coordinates_of(group) for group in self.groups])
        widest = max(9 * len(one) ** 2 for one in self.lists)
        header = FactorHeader(step.integers)
        header.widest = max(header.widest, widest, self.scratch)
        integers = [self._begin, self.masses.indptr, self.masses.indices, begin, column]
        integers += [self.mass_factor.structure.integers, step.integers, step.target(row, column)]
        return [np.asarray(one, np.int64) for one in integers], [
            self.masses.data,
            stiff,
            paired,
            self.mass_factor.values,
        ]

    def offsets(self, vectors: np.ndarray) -> np.ndarray:
        """Where the coordinates of each vector begin among the pairs of those of each other, (P, P)."""
        graph, begin = self.graph, self._begin
        out = np.zeros((len(vectors), len(vectors)), np.int64)
        for j, a in enumerate(vectors):
            met = graph.indices[graph.indptr[a] : graph.indptr[a + 1]]
            before = np.concatenate([[0], np.cumsum(begin[met + 1] - begin[met])])
            out[j] = before[np.searchsorted(met, vectors)]
        return out

    def natural_frequencies(self, count: int) -> np.ndarray:
        """The lowest ones without deformation, with the frame held, rising [rad/s]; those of free motions are zero."""
        from scipy.sparse.linalg import LinearOperator, eigsh

        K, M = self.stiffness(), self.M
        if not is_whole(count) or not 0 < count < K.shape[0]:
            raise ModelError.at("count", f"got {shown(count)}; give a whole number from 1 to {K.shape[0] - 1}")
        # a shift below zero, so that free motions do no harm
        shift = -1e-6 * float(np.median(K.diagonal() / M.diagonal()))
        inverse = self.factor((K - shift * M).tocsr())
        lowest = LinearOperator(K.shape, matvec=inverse.solve, dtype=float)
        start = np.cos(np.arange(K.shape[0]) ** 2.0)
        found = eigsh(K.tocsc(), count, M.tocsc(), sigma=shift, OPinv=lowest, v0=start, return_eigenvectors=False)
        return np.sqrt(np.maximum(np.sort(found), 0.0))
