"""A nonlinear program as an interior-point method takes it: fixed unknowns left out, slacks for what may vary, scaled.

    minimise f(w)   such that   c(w) = 0,   low <= w <= high,       w = (x, s),   c = (g_e - b, g_i - s)

Objective and rows whose gradients at the start are above 100 are scaled down to that, bounds widened by 1e-8 of their
size (Waechter & Biegler 2006, sections 3.8 and 3.5), as IPOPT does it.
"""

from __future__ import annotations

import numpy as np

from .ipopt import Program
from .stage_structure import StageMatrix

STEEP = 100.0
"""Gradients above this are scaled down."""
WIDENED = 1e-8
"""Part of a bound, or of one, by which it is widened."""


class SlackProgram:
    """A program with slacks.

    low, high    (n,) bounds of w
    free         (nf,) unknowns of the program that are not fixed; the first nf of w
    slack        (ni,) rows with two different bounds; the others of w are their values
    """

    def __init__(self, program: Program, x: np.ndarray) -> None:
        self.program = program
        fixed = program.x_low == program.x_high
        self.free = np.flatnonzero(~fixed)
        self.base = np.where(fixed, program.x_low, x)
        equal = program.g_low == program.g_high
        self.slack = np.flatnonzero(~equal)
        self.rows, self.columns = program.jacobian_at
        steep = np.zeros(len(equal))
        partials = np.abs(program.jacobian(self.base))
        seen = ~fixed[self.columns]
        np.maximum.at(steep, self.rows[seen], partials[seen])
        self.row_scale = np.minimum(1.0, STEEP / np.maximum(steep, 1e-2))
        most = float(np.max(np.abs(program.gradient(self.base)[self.free]), initial=0.0))
        self.scale = max(min(1.0, STEEP / max(most, 1e-2)), 1e-8)
        self.wanted = np.where(equal, program.g_low * self.row_scale, 0.0)
        low = np.concatenate([program.x_low[self.free], (program.g_low * self.row_scale)[self.slack]])
        high = np.concatenate([program.x_high[self.free], (program.g_high * self.row_scale)[self.slack]])
        self.low = low - WIDENED * np.maximum(1.0, np.abs(low))
        self.high = high + WIDENED * np.maximum(1.0, np.abs(high))
        self.count, self.m = len(self.low), len(equal)
        self.start = np.concatenate([self.base[self.free], np.zeros(len(self.slack))])
        self.start[len(self.free) :] = self._rows(self.start)[self.slack]

    def full(self, w: np.ndarray) -> np.ndarray:
        """All unknowns of the program."""
        x = self.base.copy()
        x[self.free] = w[: len(self.free)]
        return x

    def value(self, w: np.ndarray) -> float:
        return self.scale * self.program.value(self.full(w))

    def gradient(self, w: np.ndarray) -> np.ndarray:
        out = np.zeros(self.count)
        out[: len(self.free)] = self.scale * self.program.gradient(self.full(w))[self.free]
        return out

    def _rows(self, w: np.ndarray) -> np.ndarray:
        return self.program.constraints(self.full(w)) * self.row_scale

    def residual(self, w: np.ndarray) -> np.ndarray:
        """c (m,)."""
        out = self._rows(w) - self.wanted
        out[self.slack] -= w[len(self.free) :]
        return out

    def partials(self, w: np.ndarray) -> np.ndarray:
        """Numbers of the Jacobian of the scaled rows."""
        return self.program.jacobian(self.full(w)) * self.row_scale[self.rows]

    def pulled(self, partials: np.ndarray, y: np.ndarray) -> np.ndarray:
        """A^T y (n,), A being the derivative of c by w."""
        by_x = np.bincount(self.columns, partials * y[self.rows], len(self.base))
        return np.concatenate([by_x[self.free], -y[self.slack]])

    def bend(self, w: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Numbers of the Hessian of the Lagrangian."""
        return self.program.hessian(self.full(w), self.scale, self.row_scale * y)


class Equations:
    """The linear equations of a step, of which slacks are eliminated, in stages.

    [ W + S + d_w    A^T  ] (dw)     (r_w)
    [ A             -d_c  ] (dy) = - (r_c)
    """

    def __init__(
        self, slacked: SlackProgram, stages: tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray], border: int
    ) -> None:
        self.slacked, self.nf = slacked, len(slacked.free)
        program = slacked.program
        assert program.hessian_at is not None
        number = np.full(len(slacked.base), -1)
        number[slacked.free] = np.arange(self.nf)
        rows, columns = (number[one] for one in program.hessian_at)
        self.bent = np.flatnonzero((rows >= 0) & (columns >= 0))
        self.steep = np.flatnonzero(number[slacked.columns] >= 0)
        every, others = np.arange(self.nf), self.nf + np.arange(slacked.m)
        x_stage, g_stage, x_rank, g_rank = stages
        self.matrix = StageMatrix(
            np.concatenate([rows[self.bent], self.nf + slacked.rows[self.steep], every, others]),
            np.concatenate([columns[self.bent], number[slacked.columns[self.steep]], every, others]),
            np.concatenate([x_stage[slacked.free], g_stage]),
            np.concatenate([x_rank[slacked.free], g_rank]),
            border,
        )
        self.matrix.expect(np.bincount(g_stage, minlength=border + 1))

    def factor(self, bend: np.ndarray, partials: np.ndarray, stiffness: np.ndarray, more: float, less: float) -> bool:
        """Factors with the diagonal `stiffness` (n,) and more = d_w, less = d_c; whether the inertia is right."""
        self.soft = 1.0 / (stiffness[self.nf :] + more)
        rows = np.full(self.slacked.m, -less)
        rows[self.slacked.slack] -= self.soft
        negative, self.weak = self.matrix.factor(
            np.concatenate([bend[self.bent], partials[self.steep], stiffness[: self.nf] + more, rows])
        )
        return self.weak == 0 and negative == self.slacked.m

    def solve(self, r_w: np.ndarray, r_c: np.ndarray) -> tuple[np.ndarray, np.ndarray, float]:
        """dw (n,), dy (m,), and what is left over of the right-hand side."""
        slack = self.slacked.slack
        right = -np.concatenate([r_w[: self.nf], r_c])
        right[self.nf + slack] -= self.soft * r_w[self.nf :]
        found, off = self.matrix.solve(right)
        dy = found[self.nf :]
        return np.concatenate([found[: self.nf], self.soft * (dy[slack] - r_w[self.nf :])]), dy, off
