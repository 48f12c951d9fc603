"""In which order the unknowns of a sparse symmetric matrix are eliminated, and what its factor looks like.

Nested dissection (George 1973, SIAM J. Numer. Anal. 10, 345) by the places of the nodes: a layer of nodes parts the
body in two, both halves are eliminated first and the layer last, and so on within the halves. Each layer, and each
piece that is not cut any more, is a panel of the factor (`kernels/linalg/supernodal_cholesky.py`); of a body in space a
factor has of the order of n^(4/3) numbers.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

LEAF = 10
"""Nodes of a piece that is not cut any more, at most."""
WINDOW = 0.15
"""Part of the nodes of a piece, on both sides of its middle, among which it may be cut."""


class FactorStructure(NamedTuple):
    """The structure of a factor.

    integers    as `kernels.linalg.supernodal_cholesky` reads them
    values      how many numbers the factor has
    rank        place of each unknown, (n,)
    """

    integers: np.ndarray
    values: int
    rank: np.ndarray

    def target(self, row: np.ndarray, column: np.ndarray) -> np.ndarray:
        """Where entries of the matrix go in the values of the factor, -1 above the diagonal."""
        from ....kernels.linalg.supernodal_cholesky import FactorHeader

        header, panels = FactorHeader(self.integers), FactorHeader(self.integers).panels
        n, member, rows = header.n, self.integers[header.member :], self.integers[header.rows :]
        start, row_at, value_at = (
            self.integers[at:][: panels + 1] for at in (header.start, header.row_at, header.value_at)
        )
        i, j = self.rank[row], self.rank[column]
        out = np.full(len(i), -1, np.int64)
        lower = np.flatnonzero(i >= j)
        panel = member[j[lower]]
        # the rows of all panels behind each other rise within each: one search finds all
        keys = np.repeat(np.arange(panels), np.diff(row_at)) * n + rows[: row_at[-1]]
        found = np.searchsorted(keys, panel * n + i[lower])
        local = found - row_at[panel]
        height = np.diff(row_at)[panel]
        out[lower] = value_at[panel] + (j[lower] - start[panel]) * height + local
        return out


def between_planes(x: np.ndarray) -> int:
    """How many of some nodes, at rising places x, are before the gap nearest to their middle that is among the widest
    ones: where nodes are in planes, a layer of one plane is the smallest that parts them."""
    n = len(x)
    low, high = max(1, int((0.5 - WINDOW) * n)), min(n - 1, int((0.5 + WINDOW) * n) + 1)
    gaps = x[low:high] - x[low - 1 : high - 1]
    wide = low + np.flatnonzero(gaps >= 0.5 * gaps.max())
    return int(wide[np.argmin(np.abs(wide - n // 2))])


def dissected(graph: Any, places: np.ndarray) -> list[np.ndarray]:
    """Groups of nodes in the order in which they are eliminated.

    graph     which nodes meet, sparse (N, N)
    places    (N, 3) [m]
    """
    out: list[np.ndarray] = []
    side = np.zeros(len(places))

    def cut(nodes: np.ndarray) -> None:
        if len(nodes) <= LEAF:
            out.append(nodes)
            return
        x = places[nodes]
        axis = int(np.argmax(np.ptp(x, axis=0)))
        order = np.argsort(x[:, axis], kind="stable")
        # in the middle, or between two planes of nodes near it; a layer on either side parts them
        best, least = None, (len(nodes), len(nodes))
        for first in {len(nodes) // 2, between_planes(x[order, axis])}:
            for one, other in ((order[:first], order[first:]), (order[first:], order[:first])):
                low, high = nodes[one], nodes[other]
                side[low] = 1.0
                touching = np.asarray(graph[high] @ side > 0.0)
                side[low] = 0.0
                size = int(touching.sum())
                found = (size, max(len(low), len(high) - size))
                if found < least:
                    best, least = (low, high[~touching], high[touching]), found
        if best is None:  # all meet all
            out.append(nodes)
            return
        low, rest, layer = best
        cut(low)
        if len(rest):
            cut(rest)
        if len(layer):
            out.append(layer)

    cut(np.arange(len(places)))
    return out


def structure_of(pattern: Any, groups: list[np.ndarray]) -> FactorStructure:
    """The structure of the factor of a matrix whose unknowns are eliminated group by group.

    pattern    of the matrix, both triangles, sparse (n, n), by columns
    groups     unknowns of each panel
    """
    from ....kernels.linalg.supernodal_cholesky import FactorHeader

    groups = [np.asarray(one, np.int64) for one in groups if len(one)]
    order = np.concatenate(groups)
    n, panels = len(order), len(groups)
    rank = np.empty(n, np.int64)
    rank[order] = np.arange(n)
    start = np.concatenate([[0], np.cumsum([len(one) for one in groups])]).astype(np.int64)
    member = np.repeat(np.arange(panels), np.diff(start))
    below: list[list[np.ndarray]] = [[] for _ in range(panels)]
    rows: list[np.ndarray] = []
    for j, group in enumerate(groups):
        met = [rank[pattern.indices[pattern.indptr[k] : pattern.indptr[k + 1]]] for k in group]
        beyond = np.unique(np.concatenate([*met, *below[j]]))
        beyond = beyond[beyond >= start[j + 1]]
        below[j] = []
        if len(beyond):
            below[member[beyond[0]]].append(beyond)
        rows.append(np.concatenate([np.arange(start[j], start[j + 1]), beyond]))
    height = np.array([len(one) for one in rows])
    width = np.diff(start)
    row_at = np.concatenate([[0], np.cumsum(height)]).astype(np.int64)
    value_at = np.concatenate([[0], np.cumsum(height * width)]).astype(np.int64)
    widest = 1
    for j, one in enumerate(rows):  # the largest update of a panel by this one
        beyond = one[width[j] :]
        if len(beyond):
            owners, first, count = np.unique(member[beyond], return_index=True, return_counts=True)
            widest = max(widest, int(np.max((len(beyond) - first) * count)))
    parts = [order, start, row_at, value_at, member, np.concatenate(rows)]
    at = np.cumsum([FactorHeader.size, *(len(one) for one in parts[:-1])])
    begin = dict(zip(("order", "start", "row_at", "value_at", "member", "rows"), at, strict=True))
    header = FactorHeader.made(n=n, panels=panels, values=value_at[-1], widest=widest, **begin)
    return FactorStructure(np.concatenate([header.numbers, *parts]).astype(np.int64), int(value_at[-1]), rank)


class Factor:
    """The factor of a symmetric positive matrix, sparse (n, n); a `RuntimeError` where it is not positive."""

    def __init__(self, matrix: Any, structure: FactorStructure) -> None:
        from ....kernels.linalg import supernodal_cholesky

        self.structure = structure
        coo = matrix.tocoo()
        target = structure.target(coo.row, coo.col)
        self.values = np.zeros(structure.values)
        np.add.at(self.values, target[target >= 0], coo.data[target >= 0])
        size = supernodal_cholesky.FactorHeader(structure.integers)
        links, update = np.zeros(3 * size.panels + size.n, np.int64), np.zeros(size.widest)
        if supernodal_cholesky.factor_sparse(structure.integers, 0, self.values, 0, links, update) != 0:
            raise RuntimeError("the matrix is not positive")

    def solve(self, b: np.ndarray) -> np.ndarray:
        """The matrix to the power -1 times b, (n,) or (n, m)."""
        from ....kernels.linalg import supernodal_cholesky

        b = np.asarray(b, float)
        columns = np.ascontiguousarray(b.reshape(len(b), -1).T)
        out, spare = np.zeros_like(columns), np.zeros(2 * len(b))
        for column, x in zip(columns, out, strict=True):
            supernodal_cholesky.solve_sparse(self.structure.integers, 0, self.values, 0, column, x, spare)
        return np.ascontiguousarray(out.T).reshape(b.shape)
