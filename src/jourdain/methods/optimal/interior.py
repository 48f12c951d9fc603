"""An interior-point method for programs in stages: line search with a filter (Waechter & Biegler 2006, algorithm A).

Steps are those of the primal-dual equations of barrier problems, regularised until their matrix has as many negative
eigenvalues as there are rows; a step is taken where it lowers the violation or the barrier function by enough and no
earlier point was better in both. Constants are those of the paper, as IPOPT has them. There is no restoration of
feasibility: where a step becomes too short, the search gives up, and IPOPT takes it over from the beginning.

A nonlinear program as an interior-point method takes it: fixed unknowns left out, slacks for what may vary, scaled.

    minimise f(w)   such that   c(w) = 0,   low <= w <= high,       w = (x, s),   c = (g_e - b, g_i - s)

Objective and rows whose gradients at the start are above 100 are scaled down to that, bounds widened by 1e-8 of their
size (Waechter & Biegler 2006, sections 3.8 and 3.5), as IPOPT does it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .ipopt import NonlinearProgram, Solution
from .stage_structure import StageMatrix

FIRST_MU, LEAST_STAY, STAY = 0.1, 0.99, 1e-2
DAMPED = 1e-5
"""kappa_d: weight of the distance from a bound that has no counterpart."""
GAIN_THETA, GAIN_PHI, ARMIJO = 1e-5, 1e-8, 1e-8
POWER_THETA, POWER_PHI = 1.1, 2.3
SHORTEST = 0.05
CORRECTIONS, CORRECTED = 4, 0.99
SOFT = 0.9999
"""Part of the residuals of the equations that a step may leave when it is taken in spite of the filter."""
SOFT_STEPS = 10
NEAR, NEAR_ROUNDS = 1e-6, 15
"""Accuracy that is taken in the end if so many steps in a row do not better it."""
SCATTER = 1e10
"""Factor by which multipliers of bounds may be off mu over the distance."""
EXACT = 1e-5
"""Part of the right-hand side that a solution of the linear equations may leave."""


class _Stuck(Exception):
    """No step is left that a filter takes."""


@dataclass
class _Iterate:
    """Where the search is: w, multipliers y of c and of lower and upper bounds; what was computed there.

    below, above    distances from the bounds, infinite where there is none
    residual        of the dual equations
    products        of distances and multipliers of all bounds
    largest         of the dual equations and of the rows, and what the former and the products are divided by (eq. 6)
    """

    w: np.ndarray
    y: np.ndarray
    z_low: np.ndarray
    z_high: np.ndarray
    below: np.ndarray
    above: np.ndarray
    f: float
    c: np.ndarray
    gradient: np.ndarray
    partials: np.ndarray
    pull: np.ndarray
    residual: np.ndarray
    products: np.ndarray
    largest: tuple[float, float, float, float]


class InteriorPoint:
    """The search. Distances and multipliers of bounds are whole vectors; where there is no bound they are inf and 0."""

    def __init__(self, slacked: SlackProgram, equations: Equations, accuracy: float) -> None:
        self.slacked, self.equations, self.accuracy = slacked, equations, accuracy
        self.has_low, self.has_high = np.isfinite(slacked.low), np.isfinite(slacked.high)
        self.lows, self.highs = np.flatnonzero(self.has_low), np.flatnonzero(self.has_high)
        self.bounds = max(len(self.lows) + len(self.highs), 1)
        self.lean = DAMPED * (self.has_low & ~self.has_high).astype(float)
        self.lean -= DAMPED * (self.has_high & ~self.has_low)
        self.mu, self.last_more = FIRST_MU, 0.0
        self.filter: list[tuple[float, float]] = []
        self.soft_steps = 0
        self.at = self._begin()
        theta = float(np.abs(self.at.c).sum())
        self.most, self.least = 1e4 * max(1.0, theta), 1e-4 * max(1.0, theta)

    def _begin(self) -> _Iterate:
        """The start, pushed off its bounds, with multipliers by least squares (section 3.6)."""
        low, high, w = self.slacked.low, self.slacked.high, self.slacked.start.copy()
        has, span = self.has_low, STAY * (high - low)
        w[has] = np.maximum(w[has], low[has] + np.minimum(STAY * np.maximum(1.0, np.abs(low[has])), span[has]))
        has = self.has_high
        w[has] = np.minimum(w[has], high[has] - np.minimum(STAY * np.maximum(1.0, np.abs(high[has])), span[has]))
        low, high = self.has_low.astype(float), self.has_high.astype(float)
        at = self._evaluated(w, np.zeros(self.slacked.m), low, high)
        hessian, ones = np.zeros(len(self.slacked.program.hessian_at[0])), np.ones(len(w))  # type: ignore[index]
        if self.equations.factor(hessian, at.partials, ones, 0.0, 0.0):
            y = self.equations.solve(at.gradient - low + high, np.zeros(self.slacked.m))[1]
            if _most(y) <= 1e3:
                return self._evaluated(w, y, low, high)
        return at

    def _evaluated(self, w: np.ndarray, y: np.ndarray, z_low: np.ndarray, z_high: np.ndarray) -> _Iterate:
        """Everything at a point; derivatives first, since these bring the values with them."""
        slacked = self.slacked
        partials, gradient = slacked.partials(w), slacked.gradient(w)
        f, c, pull = slacked.value(w), slacked.residual(w), slacked.pulled(partials, y)
        below, above = w - slacked.low, slacked.high - w
        residual = gradient + pull - z_low + z_high
        products = np.concatenate([below[self.lows] * z_low[self.lows], above[self.highs] * z_high[self.highs]])
        z = float(z_low.sum() + z_high.sum())
        s_d = max(100.0, (float(np.abs(y).sum()) + z) / (len(y) + self.bounds)) / 100.0
        s_c = max(100.0, z / self.bounds) / 100.0
        largest = _most(residual), _most(c), s_d, s_c
        return _Iterate(
            w=w,
            y=y,
            z_low=z_low,
            z_high=z_high,
            below=below,
            above=above,
            f=f,
            c=c,
            gradient=gradient,
            partials=partials,
            pull=pull,
            residual=residual,
            products=products,
            largest=largest,
        )

    def barrier(self, w: np.ndarray, f: float) -> float:
        """phi (eq. 3a, with the damping of section 3.7)."""
        below, above = (w - self.slacked.low)[self.lows], (self.slacked.high - w)[self.highs]
        lean = self.lean
        far = float(lean[self.lows].clip(0.0) @ below - lean[self.highs].clip(None, 0.0) @ above)
        return f - self.mu * float(np.log(below).sum() + np.log(above).sum() - far)

    def barrier_gradient(self, at: _Iterate) -> np.ndarray:
        return at.gradient - self.mu / at.below + self.mu / at.above + self.mu * self.lean

    def error(self, mu: float) -> float:
        """E_mu (eq. 5)."""
        dual, primal, s_d, s_c = self.at.largest
        return max(dual / s_d, primal, _most(self.at.products - mu) / s_c)

    def done(self) -> bool:
        """Whether the conditions of an optimum hold, in the units of the program too (section 3.8)."""
        slacked, at = self.slacked, self.at
        return self.error(0.0) <= self.accuracy and (
            _most(at.c / slacked.row_scale) <= 1e-4
            and at.largest[0] <= slacked.scale
            and _most(at.products) <= 1e-4 * slacked.scale
        )

    def lower_mu(self) -> None:
        """Section 2.1, eq. 7, as often as the barrier problem is solved well enough."""
        while self.mu > self.accuracy / 11.0 and self.error(self.mu) <= 10.0 * self.mu:
            self.mu = max(self.accuracy / 11.0, min(0.2 * self.mu, self.mu**1.5))
            self.filter, self.soft_steps = [], 0

    def factored(self) -> None:
        """Factors the equations, regularised until their inertia is right (section 3.1, algorithm IC)."""
        at = self.at
        stiffness = at.z_low / at.below + at.z_high / at.above
        hessian = self.slacked.hessian(at.w, at.y)
        less, more = 0.0, 0.0
        while not self._fits(hessian, stiffness, more, less):
            if self.equations.weak and less == 0.0:
                less = 1e-8 * self.mu**0.25
            if more == 0.0:
                more = 1e-4 if self.last_more == 0.0 else max(1e-20, self.last_more / 3.0)
            else:
                more *= 100.0 if self.last_more == 0.0 else 8.0
            if more > 1e20:
                raise _Stuck
        self.last_more = more or self.last_more

    def _fits(self, hessian: np.ndarray, stiffness: np.ndarray, more: float, less: float) -> bool:
        """Whether the matrix has the right inertia and solves its equations; the step is kept."""
        if not self.equations.factor(hessian, self.at.partials, stiffness, more, less):
            return False
        slope = self.barrier_gradient(self.at)
        self.dw, self.dy, off = self.equations.solve(slope + self.at.pull, self.at.c)
        if not off < EXACT:
            self.equations.weak = 1
            return False
        self.descent = float(slope @ self.dw)
        return bool(np.isfinite(self.descent))

    def _duals(self, dw: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Steps of the multipliers of bounds (eq. 12)."""
        at, mu = self.at, self.mu
        return (mu - at.z_low * dw) / at.below - at.z_low, (mu + at.z_high * dw) / at.above - at.z_high

    def _longest(self, dw: np.ndarray) -> float:
        """Fraction to the boundary (eq. 15a)."""
        most = max(float((-dw / self.at.below).max(initial=0.0)), float((dw / self.at.above).max(initial=0.0)))
        return min(1.0, self._stay / max(most, 1e-300))

    def _longest_dual(self, steps: tuple[np.ndarray, np.ndarray]) -> float:
        """The same of the multipliers of bounds (eq. 15b)."""
        at, most = self.at, 1e-300
        for z, dz, has in ((at.z_low, steps[0], self.lows), (at.z_high, steps[1], self.highs)):
            most = max(most, float((-dz[has] / z[has]).max(initial=0.0)))
        return min(1.0, self._stay / most)

    @property
    def _stay(self) -> float:
        return max(LEAST_STAY, 1.0 - self.mu)

    def step(self) -> None:
        """One step of the search."""
        at = self.at
        self.factored()
        duals, longest = self._duals(self.dw), self._longest(self.dw)
        if _most(self.dw / (1.0 + np.abs(at.w))) < 10.0 * np.finfo(float).eps:
            self._take(at.w + longest * self.dw, longest, duals, self._longest_dual(duals))
            return
        try:
            w, length, dw = self._searched(longest)
        except _Stuck:
            self._soft(min(longest, self._longest_dual(duals)), duals)
            return
        duals = duals if dw is self.dw else self._duals(dw)
        self._take(w, length, duals, self._longest_dual(duals))
        self.soft_steps = 0

    def _searched(self, longest: float) -> tuple[np.ndarray, float, np.ndarray]:
        """The point that the line search takes (section 2.3), how long the step was, and along what."""
        at, dw, descent = self.at, self.dw, self.descent
        theta, phi = float(np.abs(at.c).sum()), self.barrier(at.w, at.f)
        shortest = self._shortest(theta, descent)
        length, first = longest, True
        while length > shortest or first:
            w = at.w + length * dw
            found = self._tried(w)
            if found is not None and self._taken(*found[:2], theta, phi, length):
                return w, length, dw
            if first and found is not None and found[0] >= theta:
                corrected = self._corrected(found[2], theta, phi, length)
                if corrected is not None:
                    return corrected
            first = False
            length *= 0.5
        raise _Stuck

    def _shortest(self, theta: float, descent: float) -> float:
        """Eq. 23."""
        out = GAIN_THETA
        if descent < 0.0:
            out = min(out, GAIN_PHI * theta / -descent)
            if theta <= self.least:
                out = min(out, theta**POWER_THETA / (-descent) ** POWER_PHI)
        return SHORTEST * out

    def _tried(self, w: np.ndarray) -> tuple[float, float, np.ndarray] | None:
        """Violation, barrier function and rows at a point; None where they are not finite."""
        with np.errstate(all="ignore"):
            phi, c = self.barrier(w, self.slacked.value(w)), self.slacked.residual(w)
            theta = float(np.abs(c).sum())
        return (theta, phi, c) if np.isfinite(theta) and np.isfinite(phi) else None

    def _taken(self, theta: float, phi: float, was: float, before: float, length: float) -> bool:
        """Whether a point is better by enough, and not in the filter; the filter grows (eq. 22)."""
        rounding = 10.0 * np.finfo(float).eps * abs(before)
        switched = self.descent < 0.0 and length * (-self.descent) ** POWER_PHI > was**POWER_THETA
        armijo = phi - before <= ARMIJO * length * self.descent + rounding
        if theta > self.most or (switched and was <= self.least and not armijo):
            return False
        if not (switched and was <= self.least):
            better = theta <= (1.0 - GAIN_THETA) * was or phi - before <= -GAIN_PHI * was + rounding
            if not better:
                return False
        if any(theta > one and phi > other for one, other in self.filter):
            return False
        if not (switched and armijo):
            self._remember(was, before)
        return True

    def _remember(self, theta: float, phi: float) -> None:
        self.filter.append(((1.0 - GAIN_THETA) * theta, phi - GAIN_PHI * theta))

    def _corrected(
        self, c: np.ndarray, theta: float, phi: float, length: float
    ) -> tuple[np.ndarray, float, np.ndarray] | None:
        """A point behind second-order corrections of the rows (section 2.4), or None."""
        at = self.at
        slope, rows, old = self.barrier_gradient(at) + at.pull, length * at.c + c, theta
        for _ in range(CORRECTIONS):
            dw, dy, _ = self.equations.solve(slope, rows)
            step = self._longest(dw)
            w = at.w + step * dw
            found = self._tried(w)
            if found is None:
                return None
            if self._taken(*found[:2], theta, phi, length):
                self.dy = dy
                return w, step, dw
            if found[0] > CORRECTED * old:
                return None
            old, rows = found[0], step * rows + found[2]
        return None

    def _soft(self, length: float, duals: tuple[np.ndarray, np.ndarray]) -> None:
        """A step in spite of the filter, if it makes the residuals of all equations smaller (section 3.3, remark)."""
        if self.soft_steps >= SOFT_STEPS:
            raise _Stuck
        before, kept = self.at, self._sum()
        self._remember(float(np.abs(before.c).sum()), self.barrier(before.w, before.f))
        self._take(before.w + length * self.dw, length, duals, length)
        if not self._sum() <= SOFT * kept:
            self.at = before
            raise _Stuck
        self.soft_steps += 1

    def _sum(self) -> float:
        at = self.at
        return sum(float(np.abs(one).sum()) / max(one.size, 1) for one in (at.residual, at.c, at.products - self.mu))

    def _take(self, w: np.ndarray, length: float, duals: tuple[np.ndarray, np.ndarray], dual: float) -> None:
        """Goes to a point; multipliers of bounds are kept within SCATTER of mu over the distance (eq. 16)."""
        at = self.at
        z_low, z_high = at.z_low + dual * duals[0], at.z_high + dual * duals[1]
        gaps = w - self.slacked.low, self.slacked.high - w
        for z, gap, has in zip((z_low, z_high), gaps, (self.lows, self.highs), strict=True):
            near = self.mu / gap[has]
            z[has] = np.clip(z[has], near / SCATTER, near * SCATTER)
        self.at = self._evaluated(w, at.y + length * self.dy, z_low, z_high)


def _most(values: np.ndarray) -> float:
    """The largest magnitude, 0 of none."""
    return float(np.abs(values).max(initial=0.0))


def stage_minimise(
    program: NonlinearProgram, x: np.ndarray, stages: tuple[np.ndarray, ...], accuracy: float, iterations: int
) -> Solution:
    """A local minimum from the unknowns x; not solved where the search gave up.

    stages    of the unknowns and rows, and their ranks, as `stages.stages_of` gives them
    """
    slacked = SlackProgram(program, x)
    border = int(max(np.max(stages[0]), np.max(stages[1], initial=0)))
    search = InteriorPoint(slacked, Equations(slacked, stages, border), accuracy)  # type: ignore[arg-type]
    status, near, count = "too many iterations", 0, 0
    for count in range(iterations + 1):
        done = search.done()
        near = near + 1 if search.error(0.0) <= NEAR else 0
        if done or near >= NEAR_ROUNDS:
            status = "solved" if done else "solved to the acceptable tolerance"
            break
        if count == iterations:
            break
        try:
            search.lower_mu()
            search.step()
        except _Stuck:
            status = "steps became too small"
            break
    return _solution(search, status, count)


def _solution(search: InteriorPoint, status: str, count: int) -> Solution:
    """In the unknowns and rows of the program."""
    at, slacked = search.at, search.slacked
    program, nf = slacked.program, len(slacked.free)
    x = slacked.full(at.w)
    bounds = [np.zeros(len(x)), np.zeros(len(x))]
    for out, z in zip(bounds, (at.z_low, at.z_high), strict=True):
        out[slacked.free] = z[:nf] / slacked.scale
    y = at.y * slacked.row_scale / slacked.scale
    return Solution(
        x=x,
        value=program.value(x),
        multipliers=y,
        bound_low=bounds[0],
        bound_high=bounds[1],
        constraints=program.constraints(x),
        status=status,
        solved=status.startswith("solved"),
        infeasible=False,
        iterations=count,
    )


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

    def __init__(self, program: NonlinearProgram, x: np.ndarray) -> None:
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

    def hessian(self, w: np.ndarray, y: np.ndarray) -> np.ndarray:
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

    def factor(
        self, hessian: np.ndarray, partials: np.ndarray, stiffness: np.ndarray, more: float, less: float
    ) -> bool:
        """Factors with the diagonal `stiffness` (n,) and more = d_w, less = d_c; whether the inertia is right."""
        self.soft = 1.0 / (stiffness[self.nf :] + more)
        rows = np.full(self.slacked.m, -less)
        rows[self.slacked.slack] -= self.soft
        negative, self.weak = self.matrix.factor(
            np.concatenate([hessian[self.bent], partials[self.steep], stiffness[: self.nf] + more, rows])
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
