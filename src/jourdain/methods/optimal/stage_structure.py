"""Matrices whose unknowns come in stages, factored front by front, and the stages of a transcription."""

from __future__ import annotations

import numpy as np

from .transcription import Transcription

SMALL = 1e-10
"""Residuals beside the right-hand side that need no further improvement."""


class StageMatrix:
    """A symmetric matrix by the coordinates of one triangle, whose unknowns touch their own stage and the next alone.

    rows, columns    (numbers,) coordinates, which may occur twice
    stage            (unknowns,) of each unknown, from 0
    rank             (unknowns,) in whose order a stage is eliminated where pivots are large enough
    last             number of the last stage, the border, whose unknowns may touch all
    """

    def __init__(self, rows: np.ndarray, columns: np.ndarray, stage: np.ndarray, rank: np.ndarray, last: int) -> None:
        self.rows, self.columns = rows.astype(np.int64), columns.astype(np.int64)
        low, high = np.minimum(stage[rows], stage[columns]), np.maximum(stage[rows], stage[columns])
        assert np.all((high - low <= 1) | (high == last)), "unknowns touch more than the next stage"
        order = np.lexsort((rank, stage))
        self.own = np.bincount(stage, minlength=last + 1)
        begin = np.cumsum(self.own) - self.own
        place = np.empty(len(stage), np.int64)
        place[order] = np.arange(len(stage)) - begin[stage[order]]
        # what a stage touches of the next one
        touched = np.zeros(len(stage), bool)
        across = (low < high) & (high < last)
        for one in (self.rows, self.columns):
            touched[one[across & (stage[one] == high)]] = True
        seen = order[touched[order]]
        counts = np.bincount(stage[seen], minlength=last + 1)
        before = np.full(len(stage), -1, np.int64)
        before[seen] = np.arange(len(seen)) - (np.cumsum(counts) - counts)[stage[seen]]
        border = order[stage[order] == last]
        self.size = self.own + np.append(counts[1:], 0) + np.where(np.arange(last + 1) < last, len(border), 0)
        self.start = np.cumsum(self.size) - self.size
        self._lay(order, stage, place, before, low)

    def _lay(
        self, order: np.ndarray, stage: np.ndarray, place: np.ndarray, before: np.ndarray, low: np.ndarray
    ) -> None:
        """Unknowns of every front, where they are in the next one, and the places of the coordinates."""
        last = len(self.own) - 1
        of = [order[stage[order] == s] for s in range(last + 1)]
        border, unknown, onward = of[last], [], []
        for s in range(last + 1):
            ahead = of[s + 1][before[of[s + 1]] >= 0] if s + 1 < last else border[:0]
            left = np.concatenate([ahead, border]) if s < last else border[:0]
            unknown += [of[s], left]
            onward.append(np.zeros(len(of[s]), np.int64))
            if s < last:
                behind = self.size[s + 1] - len(border) + np.arange(len(border))
                onward += [place[ahead], behind]
        self.unknown, self.onward = np.concatenate(unknown).astype(np.int64), np.concatenate(onward)
        local = []
        for one in (self.rows, self.columns):
            inner = np.where(stage[one] == low, place[one], self.own[low] + before[one])
            outer = self.size[low] - len(border) + place[one]
            local.append(np.where((stage[one] == last) & (low < last), outer, inner))
        which = np.argsort(low, kind="stable")
        self.which, self.entry_start = which, np.searchsorted(low[which], np.arange(last + 2))
        self.at_row, self.at_column = np.minimum(*local)[which], np.maximum(*local)[which]
        # capacity for unknowns that find no pivot in their stage, as many in each as the largest stage has
        self.capacity = most = int(self.size.max() + self.own.max())
        self.work, self.laid = np.zeros(3 * most**2 + 4 * most), np.zeros(4 * (last + 1), np.int64)
        self.order = np.zeros(most * (last + 1), np.int64)
        self.double = np.zeros_like(self.order)
        self.factors = np.zeros(int(np.sum(2 * self.own * (self.size + self.own)) + most**2))
        self.values = np.zeros(len(self.rows))
        self.allowed = np.cumsum(self.own)

    def expect(self, rows: np.ndarray) -> None:
        """Lets a factorisation end at the first stage that shows that a saddle's matrix has a wrong inertia.

        rows    (stages,) of the constraints among the unknowns of each stage. With the right inertia a part of the
                matrix has no more negative eigenvalues than there are rows that touch it: those of its stages and of
                the border. For each further one, rows beyond would bring one more, since they do not touch the part
        """
        self.allowed = np.cumsum(rows) + rows[-1] * (np.arange(len(rows)) < len(rows) - 1)

    def factor(self, values: np.ndarray) -> tuple[int, int]:
        """Factors the matrix of these numbers; how many eigenvalues are negative, and how many are undecided."""
        from ...kernels.optimal.multifrontal import factor_fronts

        self.values = np.ascontiguousarray(values, float)
        negative, weak = factor_fronts.ready().python(
            self.own, self.size, self.start, self.unknown, self.onward, self.entry_start, self.at_row, self.at_column,
            self.which, self.values, self.allowed, self.capacity, self.work, self.laid, self.order, self.double,
            self.factors,
        )  # fmt: skip
        return int(negative), int(weak)

    def solve(self, b: np.ndarray, rounds: int = 5) -> tuple[np.ndarray, float]:
        """The solution, improved by its residuals once at least, and how large these are beside b and the solution."""
        from ...kernels.optimal.multifrontal import less_product, solve_fronts

        solve, less = solve_fronts.ready().python, less_product.ready().python
        known = (self.laid, self.order, self.double, self.factors, self.work)
        right = float(np.max(np.abs(b), initial=0.0))
        x = np.array(b, float)
        solve(*known, x)
        off = np.inf
        for k in range(rounds + 1):
            left = b.copy()
            less(self.rows, self.columns, self.values, x, left)
            size = right + min(float(np.max(np.abs(x), initial=0.0)), 1e6 * right)
            off = float(np.max(np.abs(left), initial=0.0)) / max(size, 1e-300)
            if k == rounds or (k > 0 and off < SMALL) or not np.isfinite(off):
                break
            solve(*known, left)
            x += left
        return x, off


def stages_of(program: Transcription) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Stages of the unknowns and of the rows of a transcription, and the ranks in which they are eliminated.

    A stage is an interval without its end, which is the next one's; the last node is a stage, and what the whole has
    in common (the final time, parameters, rows that join the end to the beginning) the border. In a stage nodes within
    the interval come first, inputs before states, and rows last: what is eliminated early then touches little.
    """
    mesh, task, stride = program.mesh, program.task, program.stride
    count = len(mesh.lengths)
    inner = (mesh.size - 1) // count
    node = np.arange(mesh.size)
    x_stage = np.concatenate([np.repeat(node // inner, stride), np.full(len(program.globals), count + 1)])
    state = np.tile(np.arange(stride) < task.nx, mesh.size)
    rank = np.repeat(2 * ((inner - node) % inner + inner * (node % inner == 0)), stride) + state
    x_rank = np.concatenate([rank, np.zeros(len(program.globals), int)])
    rows = len(program.g_low)
    g_stage, g_rank = np.full(rows, count), np.full(rows, 4 * inner + 2)
    g_stage[: program.defects] = np.repeat(np.arange(mesh.rows) // inner, task.nx)
    path = slice(int(program.first[1]), int(program.first[2]))
    g_stage[path] = np.repeat(program.ruled // inner, len(program.limited))
    g_rank[path] = 4 * inner + 1
    if task.periodic:
        g_stage[-len(task.periodic) :] = count + 1
    return x_stage, g_stage, x_rank, g_rank
