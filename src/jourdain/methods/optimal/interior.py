"""An interior-point method for programs in stages: line search with a filter (Waechter & Biegler 2006, algorithm A).

Steps are those of the primal-dual equations of barrier problems, regularised until their matrix has as many negative
eigenvalues as there are rows; a step is taken where it lowers the violation or the barrier function by enough and no
earlier point was better in both. Constants are those of the paper, as IPOPT has them. There is no restoration of
feasibility: where a step becomes too short, the search gives up, and IPOPT takes it over from the beginning.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from .ipopt import Program, Solution
from .slacked import Equations, Slacked

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
    """Where the search is: w, multipliers y of c, those of lower and upper bounds, and what was computed there."""

    w: np.ndarray
    y: np.ndarray
    z_low: np.ndarray
    z_high: np.ndarray
    f: float = 0.0
    c: np.ndarray = field(default_factory=lambda: np.zeros(0))
    gradient: np.ndarray = field(default_factory=lambda: np.zeros(0))
    slopes: np.ndarray = field(default_factory=lambda: np.zeros(0))
    pull: np.ndarray = field(default_factory=lambda: np.zeros(0))


class Interior:
    """The search. Distances and multipliers of bounds are whole vectors; where there is no bound they are inf and 0."""

    def __init__(self, slacked: Slacked, equations: Equations, accuracy: float) -> None:
        self.slacked, self.equations, self.accuracy = slacked, equations, accuracy
        self.has_low, self.has_high = np.isfinite(slacked.low), np.isfinite(slacked.high)
        self.bounds = int(self.has_low.sum() + self.has_high.sum())
        self.lean = DAMPED * (self.has_low & ~self.has_high).astype(float)
        self.lean -= DAMPED * (self.has_high & ~self.has_low)
        self.mu, self.last_more = FIRST_MU, 0.0
        self.filter: list[tuple[float, float]] = []
        self.soft_steps = 0
        self.at = self._begin()
        theta = float(np.sum(np.abs(self.at.c)))
        self.most, self.least = 1e4 * max(1.0, theta), 1e-4 * max(1.0, theta)

    def _begin(self) -> _Iterate:
        """The start, pushed off its bounds, with multipliers by least squares (section 3.6)."""
        low, high, w = self.slacked.low, self.slacked.high, self.slacked.start.copy()
        has, span = self.has_low, STAY * (high - low)
        w[has] = np.maximum(w[has], low[has] + np.minimum(STAY * np.maximum(1.0, np.abs(low[has])), span[has]))
        has = self.has_high
        w[has] = np.minimum(w[has], high[has] - np.minimum(STAY * np.maximum(1.0, np.abs(high[has])), span[has]))
        at = _Iterate(w, np.zeros(self.slacked.m), self.has_low.astype(float), self.has_high.astype(float))
        self._evaluate(at)
        bend, ones = np.zeros(len(self.slacked.program.hessian_at[0])), np.ones(len(w))  # type: ignore[index]
        if self.equations.factor(bend, at.slopes, ones, 0.0, 0.0):
            y = self.equations.solve(at.gradient - at.z_low + at.z_high, np.zeros(self.slacked.m))[1]
            if np.max(np.abs(y), initial=0.0) <= 1e3:
                at.y = y
                at.pull = self.slacked.pulled(at.slopes, y)
        return at

    def _evaluate(self, at: _Iterate) -> None:
        """Derivatives first, since these bring the values with them."""
        slacked = self.slacked
        at.slopes, at.gradient = slacked.slopes(at.w), slacked.gradient(at.w)
        at.f, at.c = slacked.value(at.w), slacked.residual(at.w)
        at.pull = slacked.pulled(at.slopes, at.y)

    def distances(self, w: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """From both bounds, infinite where there is none."""
        return w - self.slacked.low, self.slacked.high - w

    def barrier(self, w: np.ndarray, f: float) -> float:
        """phi (eq. 3a, with the damping of section 3.7)."""
        below, above = self.distances(w)
        logs = float(np.sum(np.log(below[self.has_low]))) + float(np.sum(np.log(above[self.has_high])))
        lean = self.lean
        far = float(lean[lean > 0.0] @ below[lean > 0.0] - lean[lean < 0.0] @ above[lean < 0.0])
        return f - self.mu * logs + self.mu * far

    def barrier_slope(self, at: _Iterate) -> np.ndarray:
        below, above = self.distances(at.w)
        return at.gradient - self.mu / below + self.mu / above + self.mu * self.lean

    def error(self, at: _Iterate, mu: float) -> float:
        """E_mu (eq. 5)."""
        z = float(np.sum(at.z_low) + np.sum(at.z_high))
        s_d = max(100.0, (float(np.sum(np.abs(at.y))) + z) / max(len(at.y) + self.bounds, 1)) / 100.0
        s_c = max(100.0, z / max(self.bounds, 1)) / 100.0
        dual, primal, product = self.residuals(at, mu)
        return max(
            float(np.max(np.abs(dual), initial=0.0)) / s_d,
            float(np.max(np.abs(primal), initial=0.0)),
            float(np.max(np.abs(product), initial=0.0)) / s_c,
        )

    def residuals(self, at: _Iterate, mu: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Of the equations of the barrier problem: dual, primal, products of distances and multipliers."""
        below, above = self.distances(at.w)
        low, high = self.has_low, self.has_high
        product = np.concatenate([below[low] * at.z_low[low] - mu, above[high] * at.z_high[high] - mu])
        return at.gradient + at.pull - at.z_low + at.z_high, at.c, product

    def done(self) -> bool:
        """Whether the conditions of an optimum hold, in the units of the program too (section 3.8)."""
        slacked, at = self.slacked, self.at
        dual, primal, product = self.residuals(at, 0.0)
        return self.error(at, 0.0) <= self.accuracy and bool(
            np.max(np.abs(primal) / slacked.row_scale, initial=0.0) <= 1e-4
            and np.max(np.abs(dual), initial=0.0) <= slacked.scale
            and np.max(np.abs(product), initial=0.0) <= 1e-4 * slacked.scale
        )

    def lower_mu(self) -> None:
        """Section 2.1, eq. 7, as often as the barrier problem is solved well enough."""
        while self.mu > self.accuracy / 11.0 and self.error(self.at, self.mu) <= 10.0 * self.mu:
            self.mu = max(self.accuracy / 11.0, min(0.2 * self.mu, self.mu**1.5))
            self.filter, self.soft_steps = [], 0

    def factored(self) -> None:
        """Factors the equations, regularised until their inertia is right (section 3.1, algorithm IC)."""
        at = self.at
        below, above = self.distances(at.w)
        stiffness = at.z_low / below + at.z_high / above
        bend = self.slacked.bend(at.w, at.y)
        less, more = 0.0, 0.0
        self.stiffness = stiffness
        while not self._fits(bend, stiffness, more, less):
            if self.equations.weak and less == 0.0:
                less = 1e-8 * self.mu**0.25
            if more == 0.0:
                more = 1e-4 if self.last_more == 0.0 else max(1e-20, self.last_more / 3.0)
            else:
                more *= 100.0 if self.last_more == 0.0 else 8.0
            if more > 1e20:
                raise _Stuck
        self.last_more = more or self.last_more

    def _fits(self, bend: np.ndarray, stiffness: np.ndarray, more: float, less: float) -> bool:
        """Whether the matrix has the right inertia and solves its equations; the step is kept."""
        if not self.equations.factor(bend, self.at.slopes, stiffness, more, less):
            return False
        slope = self.barrier_slope(self.at)
        self.dw, self.dy, off = self.equations.solve(slope + self.at.pull, self.at.c)
        if not off < EXACT:
            self.equations.weak = 1
            return False
        self.descent = float(slope @ self.dw)
        return bool(np.isfinite(self.descent))

    def _duals(self, dw: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Steps of the multipliers of bounds (eq. 12)."""
        below, above = self.distances(self.at.w)
        low = np.where(self.has_low, self.mu / below - self.at.z_low - self.at.z_low / below * dw, 0.0)
        return low, np.where(self.has_high, self.mu / above - self.at.z_high + self.at.z_high / above * dw, 0.0)

    def _longest(self, dw: np.ndarray, z: np.ndarray, dz: np.ndarray) -> tuple[float, float]:
        """Fractions to the boundary (eq. 15) of w and of the multipliers."""
        stay = max(LEAST_STAY, 1.0 - self.mu)
        below, above = self.distances(self.at.w)
        primal = max(float(np.max(-dw / below, initial=0.0)), float(np.max(dw / above, initial=0.0)))
        has = z > 0.0
        dual = float(np.max(-dz[has] / z[has], initial=0.0))
        return min(1.0, stay / max(primal, 1e-300)), min(1.0, stay / max(dual, 1e-300))

    def step(self) -> None:
        """One step of the search."""
        at = self.at
        self.factored()
        z, dz = np.concatenate([at.z_low, at.z_high]), np.concatenate(self._duals(self.dw))
        longest, dual = self._longest(self.dw, z, dz)
        tiny = float(np.max(np.abs(self.dw) / (1.0 + np.abs(at.w)), initial=0.0)) < 10.0 * np.finfo(float).eps
        if tiny:
            self._take(at.w + longest * self.dw, longest, dz, dual)
            return
        try:
            w, length, dw = self._searched(longest)
            dz = np.concatenate(self._duals(dw))
            self._take(w, length, dz, self._longest(dw, z, dz)[1])
            self.soft_steps = 0
        except _Stuck:
            self._soft(min(longest, dual), dz)

    def _searched(self, longest: float) -> tuple[np.ndarray, float, np.ndarray]:
        """The point that the line search takes (section 2.3), how long the step was, and along what."""
        at, dw, descent = self.at, self.dw, self.descent
        theta, phi = float(np.sum(np.abs(at.c))), self.barrier(at.w, at.f)
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
            theta = float(np.sum(np.abs(c)))
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
        slope, rows, old = self.barrier_slope(at) + at.pull, length * at.c + c, theta
        nothing = np.zeros(0)
        for _ in range(CORRECTIONS):
            dw, dy, _ = self.equations.solve(slope, rows)
            step = self._longest(dw, nothing, nothing)[0]
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

    def _soft(self, length: float, dz: np.ndarray) -> None:
        """A step in spite of the filter, if it makes the residuals of all equations smaller (section 3.3, remark)."""
        if self.soft_steps >= SOFT_STEPS:
            raise _Stuck
        before, kept, mu = self.at, self._sum(self.at), self.mu
        self._remember(float(np.sum(np.abs(before.c))), self.barrier(before.w, before.f))
        self._take(before.w + length * self.dw, length, dz, length)
        if not self._sum(self.at) <= SOFT * kept:
            self.at, self.mu = before, mu
            raise _Stuck
        self.soft_steps += 1

    def _sum(self, at: _Iterate) -> float:
        return sum(float(np.sum(np.abs(one))) / max(one.size, 1) for one in self.residuals(at, self.mu))

    def _take(self, w: np.ndarray, length: float, dz: np.ndarray, dual: float) -> None:
        """Goes to a point; multipliers of bounds are kept within SCATTER of mu over the distance (eq. 16)."""
        at, n = self.at, len(w)
        new = _Iterate(w, at.y + length * self.dy, at.z_low + dual * dz[:n], at.z_high + dual * dz[n:])
        for z, gap, has in zip((new.z_low, new.z_high), self.distances(w), (self.has_low, self.has_high), strict=True):
            near = self.mu / gap[has]
            z[has] = np.clip(z[has], near / SCATTER, near * SCATTER)
        self._evaluate(new)
        self.at = new


def stage_minimise(
    program: Program, x: np.ndarray, stages: tuple[np.ndarray, ...], accuracy: float, iterations: int
) -> Solution:
    """A local minimum from the unknowns x; not solved where the search gave up.

    stages    of the unknowns and rows, and their ranks, as `stages.stages_of` gives them
    """
    slacked = Slacked(program, x)
    border = int(max(np.max(stages[0]), np.max(stages[1], initial=0)))
    search = Interior(slacked, Equations(slacked, stages, border), accuracy)  # type: ignore[arg-type]
    status, near, count = "too many iterations", 0, 0
    for count in range(iterations + 1):
        done = search.done()
        near = near + 1 if search.error(search.at, 0.0) <= NEAR else 0
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


def _solution(search: Interior, status: str, count: int) -> Solution:
    """In the unknowns and rows of the program."""
    at, slacked = search.at, search.slacked
    program, nf = slacked.program, len(slacked.free)
    x = slacked.full(at.w)
    bounds = [np.zeros(len(x)), np.zeros(len(x))]
    for out, z in zip(bounds, (at.z_low, at.z_high), strict=True):
        out[slacked.free] = z[:nf] / slacked.scale
    y = at.y * slacked.row_scale / slacked.scale
    return Solution(x, program.value(x), y, bounds[0], bounds[1], program.constraints(x), status,
                    status.startswith("solved"), False, count)  # fmt: skip
