"""The laws that identification fits: normal force and friction as functions of parameters and of a spline's motion."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ...describe.contact.friction import BristleFriction
from .fitting import DEGREE, MotionSpline

PARTS = 2
"""Steps of friction within an interval, at the least: an even number."""
SMALL = 1e-10
"""Change of a coefficient of the motion by which friction is differenced [m]."""

NORMAL_NAMES = ("stiffness", "exponent", "restitution", "surface")
FRICTION_NAMES = ("static", "kinetic", "bristle_stiffness", "bristle_damping", "viscous", "stribeck", "dwell")


@dataclass(frozen=True)
class LawParameter:
    """A parameter as the fit sees it: theta = ln(value), or value / scale where `scale` is given.

    scale    a change that is much of it
    """

    name: str
    unit: str
    scale: float | None = None

    def theta(self, value: float) -> float:
        """What the fit calls this value."""
        return float(np.log(value)) if self.scale is None else value / self.scale

    def value(self, theta: float) -> float:
        """Back again."""
        return float(np.exp(np.clip(theta, -600.0, 600.0))) if self.scale is None else theta * self.scale


def evaluator(
    parameters: Sequence[LawParameter], fixed: Mapping[str, float]
) -> Callable[[np.ndarray], dict[str, float]]:
    """Values by name, of estimated and fixed parameters, as a function of theta."""
    return lambda theta: dict(fixed) | {one.name: one.value(x) for one, x in zip(parameters, theta, strict=True)}


class NormalForces:
    """k depth^p (1 + D rate / v_i), never pulling (Gonthier 2007, eq. 3.19); depth is `surface` less the position.

    v_i is the speed of touchdown, that of the spline where its depth passes through zero, or `slow_speed` where that is
    more; D the damping factor (`damping_factor`) of the restitution.
    """

    def __init__(
        self,
        motion: MotionSpline,
        force: np.ndarray,
        noise: float,
        slow_speed: float,
        parameters: Sequence[LawParameter],
        fixed: Mapping[str, float],
    ) -> None:
        self.motion, self.force, self.noise, self.slow_speed = motion, force, noise, slow_speed
        self.parameters, self.values = parameters, evaluator(parameters, fixed)
        self.B, self.B1 = motion.B, motion.shapes(motion.time, 1)

    def suit(self, theta: np.ndarray) -> int:
        """Steps within an interval: one will do, nothing is integrated."""
        return 1

    def touchdowns(self, depth: np.ndarray, c: np.ndarray, surface: float) -> list[tuple[int, int, float]]:
        """Every contact: its first sample, the one after its last, and the time of touchdown [s]."""
        time = self.motion.time
        edges = np.flatnonzero(np.diff(np.concatenate([[0], (depth > 0.0).astype(int), [0]])))
        found = []
        for first, last in edges.reshape(-1, 2):
            if first == 0:
                found.append((0, int(last), float(time[0])))
                continue
            low, high = depth[first - 1], depth[first]
            at = time[first - 1] + (time[first] - time[first - 1]) * low / (low - high)
            for _ in range(2):
                rate = -float(self.motion.shapes(np.array([at]), 1)[0] @ c)
                if rate > 0.0:
                    at -= (surface - float(self.motion.shapes(np.array([at]))[0] @ c)) / rate
                at = float(np.clip(at, time[first - 1], time[first]))
            found.append((int(first), int(last), at))
        return found

    def _impact(self, depth: np.ndarray, c: np.ndarray, surface: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """v_i at every sample, (n,), and its derivatives by the coefficients, (n, m), and by the surface, (n,)."""
        n, m = self.B.shape
        speed, by_c, by_surface = np.full(n, self.slow_speed), np.zeros((n, m)), np.zeros(n)
        for first, last, at in self.touchdowns(depth, c, surface):
            when = np.array([at])
            slope, bend = self.motion.shapes(when, 1)[0], self.motion.shapes(when, 2)[0]
            rate = -float(slope @ c)
            if rate <= self.slow_speed:
                continue
            speed[first:last] = rate
            by_c[first:last] = -slope
            if first > 0:
                # touchdown moves: dt = -d(depth) / rate
                turn = float(bend @ c) / rate
                by_c[first:last] -= turn * self.motion.shapes(when)[0]
                by_surface[first:last] = turn
        return speed, by_c, by_surface

    def forces(self, theta: np.ndarray, c: np.ndarray) -> np.ndarray:
        """Normal force of the law at the samples, (n,) [N]."""
        v = self.values(theta)
        depth = v["surface"] - self.B @ c
        speed, _, _ = self._impact(depth, c, v["surface"])
        x = np.maximum(depth, 0.0)
        return v["stiffness"] * x ** v["exponent"] * np.maximum(1.0 - v["damping"] * (self.B1 @ c) / speed, 0.0)

    def residuals(self, theta: np.ndarray, c: np.ndarray) -> np.ndarray:
        """(force of the law - force) / noise."""
        return (self.forces(theta, c) - self.force) / self.noise

    def by_theta(self, theta: np.ndarray, c: np.ndarray) -> np.ndarray:
        """Derivatives of the residuals by theta."""
        return self._partials(theta, c)[0]

    def by_motion(self, theta: np.ndarray, c: np.ndarray) -> np.ndarray:
        """Derivatives of the residuals by the coefficients."""
        return self._partials(theta, c)[1]

    def _partials(self, theta: np.ndarray, c: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        v = self.values(theta)
        k, p, D = v["stiffness"], v["exponent"], v["damping"]
        depth = v["surface"] - self.B @ c
        rate = -(self.B1 @ c)
        speed, speed_by_c, speed_by_surface = self._impact(depth, c, v["surface"])
        x = np.maximum(depth, 0.0)
        elastic = k * x**p
        factor = 1.0 + D * rate / speed
        on = factor > 0.0
        elastic, factor = np.where(on, elastic, 0.0), np.where(on, factor, 0.0)
        by_depth = np.where(on, p * k * x ** (p - 1.0), 0.0) * factor
        by_rate = elastic * D / speed
        by_speed = -elastic * D * rate / speed**2
        by_c = -by_depth[:, None] * self.B - by_rate[:, None] * self.B1 + by_speed[:, None] * speed_by_c
        with np.errstate(divide="ignore"):
            logarithm = np.where(x > 0.0, np.log(x), 0.0)
        columns = {
            "stiffness": elastic * factor,
            "exponent": elastic * factor * logarithm,
            "damping": elastic * rate / speed,
            "surface": by_depth + by_speed * speed_by_surface,
        }
        by_theta = [columns[one.name] * (one.scale or 1.0) for one in self.parameters]
        return np.array(by_theta).reshape(len(by_theta), -1).T / self.noise, by_c / self.noise


class BristleForces:
    """-load g, where the friction ratio g follows from the slip alone (Gonthier 2007, eqs. 3.28 to 3.42).

    The measured load is noisy too. Its true value is eliminated from the least squares sample by sample, which leaves
    (friction + load g) / (noise sqrt(1 + g^2)), exactly.
    """

    def __init__(
        self,
        motion: MotionSpline,
        load: np.ndarray,
        friction: np.ndarray,
        noise: float,
        touching: np.ndarray,
        parameters: Sequence[LawParameter],
        fixed: Mapping[str, float],
    ) -> None:
        from ...kernels.contact.laws import bristle_identification as kernels

        self.kernels = kernels
        self.motion, self.load, self.friction, self.noise = motion, load, friction, noise
        self.parameters, self.values = parameters, evaluator(parameters, fixed)
        self.touching = touching.astype(np.int64)
        self.steps = np.diff(motion.time)
        self.divide(PARTS)

    def divide(self, sub: int) -> None:
        """Sets the steps within an interval."""
        time, n = self.motion.time, len(self.motion.time)
        self.sub = sub
        part = np.arange(2 * sub) / (2.0 * sub)
        fine = np.append((time[:-1, None] + self.steps[:, None] * part).ravel(), time[-1])
        self.fine, self.latest = fine, (np.empty(0), np.empty(0))
        self.shapes = np.ascontiguousarray(self.motion.shapes(fine, 1).T)
        knots, m = self.motion.knots, self.motion.size
        self.first = np.clip(np.searchsorted(time, knots[:m], "right") - 1, 0, n - 1)
        self.last = np.clip(np.searchsorted(time, knots[DEGREE + 1 : m + DEGREE + 1]), 0, n - 1)

    def suit(self, theta: np.ndarray) -> int:
        """Makes steps of a fifth of the bristles' time constant, at most 32 to an interval; returns how many."""
        v = self.values(theta)
        needed = 5.0 * np.max(self.steps) * v["bristle_stiffness"] / v["bristle_damping"]
        sub = int(min(32, max(PARTS, 2 * np.ceil(needed / 2.0))))
        if sub != self.sub:
            self.divide(sub)
        return self.sub

    def speed(self, c: np.ndarray) -> np.ndarray:
        """Slip speed at the points of the kernel [m/s]; kept for the latest coefficients."""
        if not np.array_equal(self.latest[0], c):
            self.latest = c.copy(), self.motion.speed(c, self.fine)
        return self.latest[1]

    def row(self, theta: np.ndarray) -> np.ndarray:
        """Parameters for the kernel."""
        return friction_law(self.values(theta)).numbers()

    def path(self, theta: np.ndarray, c: np.ndarray) -> np.ndarray:
        """Friction ratio, bristles and dwell at the samples, (n, 3)."""
        path = np.zeros((len(self.load), 3))
        if self.touching[0]:
            v = self.values(theta)
            path[0, 1:] = v.get("bristle_at_start", 0.0), v.get("dwell_at_start", 1.0)
        z, dz = np.zeros(4), np.zeros(4)
        self.kernels.bristle_path(self.row(theta), self.speed(c), self.steps, self.sub, self.touching, z, dz, path)
        return path

    def forces(self, theta: np.ndarray, c: np.ndarray) -> np.ndarray:
        """Tangential force of the law under the measured load, (n,) [N]."""
        return -self.load * self.path(theta, c)[:, 0]

    def residuals(self, theta: np.ndarray, c: np.ndarray) -> np.ndarray:
        """(friction + load g) / (noise sqrt(1 + g^2))."""
        g = self.path(theta, c)[:, 0]
        return (self.friction + self.load * g) / (self.noise * np.sqrt(1.0 + g * g))

    def by_theta(self, theta: np.ndarray, c: np.ndarray) -> np.ndarray:
        """Derivatives of the residuals by theta, by central differences."""
        h = 1e-5
        out = np.empty((len(self.load), len(theta)))
        for i, row in enumerate(h * np.eye(len(theta))):
            out[:, i] = (self.residuals(theta + row, c) - self.residuals(theta - row, c)) / (2.0 * h)
        return out

    def by_motion(self, theta: np.ndarray, c: np.ndarray) -> np.ndarray:
        """Derivatives of the residuals by the coefficients."""
        p, path, out = self.row(theta), self.path(theta, c), np.zeros((self.motion.size, len(self.load)))
        given = p, self.speed(c), self.steps, self.sub, self.touching, np.zeros(4), np.zeros(4), path
        self.kernels.bristle_partials(*given, self.shapes, self.first, self.last, SMALL, out)
        g = path[:, 0]
        root = np.sqrt(1.0 + g * g)
        by_g = (self.load - (self.friction + self.load * g) * g / root**2) / (root * self.noise)
        return out.T * by_g[:, None]


def friction_law(values: Mapping[str, float]) -> BristleFriction:
    """The law with these values; a dwell of zero means none."""
    return BristleFriction(
        static=values["static"],
        kinetic=values["kinetic"],
        stiffness=values["bristle_stiffness"],
        damping=values["bristle_damping"],
        viscous=values["viscous"],
        stribeck=values["stribeck"],
        dwell=values["dwell"] or None,
    )
