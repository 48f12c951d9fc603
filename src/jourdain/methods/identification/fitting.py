"""Weighted least squares in which the motion is unknown too.

Forces follow from the parameters theta and from the motion, of which only noisy positions x are known. The motion is a
cubic spline x = B c, and theta and c are estimated together, as the minimum of

    |B c - x|^2 / noise^2 + |r(theta, c)|^2,

r being the residuals of the forces over their noise. With Gaussian noise this is the maximum of the likelihood, so an
error of position counts with the slope of the force, and nothing is differentiated but the spline. The covariance of
theta is the inverse of the Schur complement in which c has been eliminated (Seber & Wild 1989, ch. 10).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

SETTLED, QUIET, SLOW = 1e-3, 1e-2, 0.1
"""A fit ends when a step promises to lower the weighted sum of squares by less than the first, or when three steps in
turn lower it by less than the second, as happens at the kinks of friction. Where it ends otherwise, it counts as
converged if the last step lowered it by less than the third: it then drifts along what the record does not show. One
standard error makes 1."""

DEGREE = 3
FEWEST = 4
"""Samples between two knots, at the least."""


class MotionSpline:
    """A cubic spline with evenly spaced knots through noisy positions.

    time        (n,) of the samples [s]
    position    (n,) [m]
    noise       standard deviation of a position [m]
    spacing     of the knots [s], shortened so that the whole time is a multiple
    """

    def __init__(self, time: np.ndarray, position: np.ndarray, noise: float, spacing: float) -> None:
        self.time, self.position, self.noise = time, position, noise
        pieces = max(1, int(np.ceil((time[-1] - time[0]) / spacing - 1e-9)))
        knots = np.linspace(time[0], time[-1], pieces + 1)
        self.spacing = float(knots[1] - knots[0])
        self.knots = np.concatenate([[knots[0]] * DEGREE, knots, [knots[-1]] * DEGREE])
        self.size = pieces + DEGREE
        self.B = self.shapes(time)
        self.BB = self.B.T @ self.B / noise**2
        self.Bx = self.B.T @ position / noise**2

    @classmethod
    def suited(cls, time: np.ndarray, position: np.ndarray, noise: float) -> MotionSpline:
        """With the knots that the positions ask for by Akaike's criterion, of spacings that shrink by 0.7."""
        best, found, spacing = np.inf, None, 0.25 * (time[-1] - time[0])
        while found is None or spacing * len(time) >= FEWEST * (time[-1] - time[0]):
            motion = cls(time, position, noise, spacing)
            criterion = motion.chi2(motion.smooth()) + 2 * motion.size
            if criterion < best:
                best, found = criterion, motion
            spacing *= 0.7
        return found

    def halved(self) -> MotionSpline | None:
        """With half the spacing; None where too few samples would lie between knots."""
        if 2 * FEWEST * (self.size - DEGREE) > len(self.time):
            return None
        return MotionSpline(self.time, self.position, self.noise, 0.5 * self.spacing)

    @property
    def centres(self) -> np.ndarray:
        """A time for every coefficient at which it has its say (Greville's) [s]."""
        return np.array([np.mean(self.knots[i + 1 : i + 1 + DEGREE]) for i in range(self.size)])

    def shapes(self, time: np.ndarray, derivative: int = 0) -> np.ndarray:
        """What every coefficient makes at the times, (times, size), or a derivative of it."""
        from scipy.interpolate import BSpline

        spline = BSpline(self.knots, np.eye(self.size), DEGREE)
        return spline(time, nu=derivative)

    def speed(self, c: np.ndarray, time: np.ndarray) -> np.ndarray:
        """Rate of the spline at the times [m/s]."""
        from scipy.interpolate import BSpline

        return BSpline(self.knots, c, DEGREE)(time, nu=1)

    def smooth(self) -> np.ndarray:
        """Coefficients from the positions alone. Knots without samples between them take the straightest spline."""
        bend = np.diff(np.eye(self.size), 2, axis=0) * 1e-6 / self.noise
        return np.linalg.solve(self.BB + bend.T @ bend, self.Bx)

    def chi2(self, c: np.ndarray) -> float:
        """Weighted sum of squares of the positions."""
        return float(np.sum((self.B @ c - self.position) ** 2)) / self.noise**2


class LawResiduals(Protocol):
    """What the fit asks of a law: residuals of forces over their noise."""

    motion: MotionSpline

    def suit(self, theta: np.ndarray) -> int:
        """Chooses the steps within an interval that the parameters ask for; returns how many."""

    def residuals(self, theta: np.ndarray, c: np.ndarray) -> np.ndarray:
        """(n,) residuals."""

    def by_theta(self, theta: np.ndarray, c: np.ndarray) -> np.ndarray:
        """Their derivatives, (n, parameters)."""

    def by_motion(self, theta: np.ndarray, c: np.ndarray) -> np.ndarray:
        """Their derivatives, (n, coefficients)."""


@dataclass
class LawFit:
    """What least squares found.

    theta          (p,) parameters
    c              (m,) coefficients of the motion
    information    (p, p) of theta, the motion being unknown; empty where it was not asked for
    chi2           weighted sum of squares, of positions and forces
    freedom        number of samples less number of unknowns
    converged      whether the last step was negligible
    """

    theta: np.ndarray
    c: np.ndarray
    information: np.ndarray
    chi2: float
    freedom: int
    converged: bool

    @property
    def criterion(self) -> float:
        """Akaike's, up to a constant: smaller is better."""
        return self.chi2 - 2.0 * self.freedom


def fit(
    forces: LawResiduals,
    motion: MotionSpline,
    theta: np.ndarray,
    c: np.ndarray,
    *,
    still: bool = False,
    informed: bool = True,
    most: int = 60,
) -> LawFit:
    """Levenberg-Marquardt on theta and c; with `still`, on theta alone, and c stays. `informed`: with its information.

    A step changes no theta by more than 1: they are logarithms, or in units in which 1 is much.
    """
    from scipy.linalg import cho_factor, cho_solve

    def ended(theta: np.ndarray, c: np.ndarray, chi2: float, converged: bool) -> LawFit:
        information = _information(forces, motion, theta, c) if informed else np.zeros((0, 0))
        return LawFit(theta, c, information, chi2, 2 * len(motion.time) - motion.size - p, converged)

    p = len(theta)
    m = 0 if still else motion.size
    residuals = forces.residuals(theta, c)
    chi2 = motion.chi2(c) + float(residuals @ residuals)
    damping, quiet, drop, converged = 1e-4, 0, np.inf, False
    for _ in range(most):
        J = forces.by_theta(theta, c)
        if not still:
            J = np.hstack([J, forces.by_motion(theta, c)])
        A, b = J.T @ J, -(J.T @ residuals)
        if not still:
            A[p:, p:] += motion.BB
            b[p:] += motion.Bx - motion.BB @ c
        scale = np.sqrt(np.maximum(np.diag(A), np.concatenate([np.ones(p), np.full(m, 1.0 / motion.noise**2)])))
        A, b = A / np.outer(scale, scale), b / scale
        while True:
            step = cho_solve(cho_factor(A + damping * np.eye(p + m)), b)
            gain = float(b @ step + damping * step @ step)
            change = step / scale
            change *= min(1.0, 1.0 / max(np.max(np.abs(change[:p]), initial=0.0), 1e-300))
            new_theta, new_c = theta + change[:p], c if still else c + change[p:]
            new = forces.residuals(new_theta, new_c)
            found = motion.chi2(new_c) + float(new @ new)
            if np.isfinite(found) and found <= chi2 + 1e-9 * chi2:
                break
            damping *= 8.0
            if damping > 1e9:
                return ended(theta, c, chi2, drop < SLOW)
        drop = chi2 - found
        quiet = quiet + 1 if drop < QUIET else 0
        converged = gain < SETTLED or quiet == 3
        theta, c, residuals, chi2 = new_theta, new_c, new, found
        damping = max(damping / 8.0, 1e-12)
        if converged:
            break
    return ended(theta, c, chi2, converged or drop < SLOW)


def _information(forces: LawResiduals, motion: MotionSpline, theta: np.ndarray, c: np.ndarray) -> np.ndarray:
    from scipy.linalg import cho_factor, cho_solve

    by_theta, by_c = forces.by_theta(theta, c), forces.by_motion(theta, c)
    mixed = by_c.T @ by_theta
    A = motion.BB + by_c.T @ by_c
    A[np.diag_indices_from(A)] += 1e-9 / motion.noise**2
    found = by_theta.T @ by_theta - mixed.T @ cho_solve(cho_factor(A), mixed)
    return 0.5 * (found + found.T)


def uncertainty(information: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Standard errors and correlations of theta; what the record does not determine at all gets enormous errors."""
    scale = np.sqrt(np.maximum(np.diag(information), 1e-8))
    values, vectors = np.linalg.eigh(information / np.outer(scale, scale))
    covariance = (vectors / np.maximum(values, 1e-13)) @ vectors.T / np.outer(scale, scale)
    errors = np.sqrt(np.diag(covariance))
    return errors, covariance / np.outer(errors, errors)
