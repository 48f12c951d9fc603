"""Rolling contact: the patch that a given load makes where two profiles touch, and its creep forces.

Non-elliptic patches after Yazykov 2003, who changes the method of Kik & Piotrowski 1996: the load is given, and the
depth u = delta - z with z = x^2 / 2 R + h(y) only shapes patch and pressure p = k_p u. The displacement of the middle
of a half-space under p is half of delta, so that

    N = delta pi E / (2 (1 - nu^2)) * int u-bar dy / int w dy,
    w = (delta - h + y^2 / 4 R) asinh(a / |y|) - a sqrt(a^2 + y^2) / 4 R,

a(y) = sqrt(2 R (delta - h)) half the length of a strip and u-bar = delta a - h a - a^3 / 6 R; solved for delta.

Creep coefficients of Kalker's linear theory of rolling contact, for elliptic patches.

Kalker 1990, Three-Dimensional Elastic Bodies in Rolling Contact, table E.3; the digits were compared with a public
listing of that table, not with the book.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from ...basics.arguments import checked
from ...basics.errors import ModelError
from ...basics.fields import Described
from ...basics.value_types import Array, ValueType
from ...basics.values import as_array, as_number, shown

NODES = 48
"""Of the quadrature of a zone, on each side of the middle."""
CLOSE = 1e-12
"""Relative change of the depth below which it is found."""
MOST = 60
"""Iterations at most."""


@checked
@dataclass(frozen=True, eq=False)
class RollingPatch(Described):
    """Where a wheel presses on a rail.

    depth          delta, by which undeformed surfaces overlap [m]
    load           [N]
    pressure       k_p, pressure for a depth of overlap [Pa/m]; `peak` the largest pressure [Pa]
    zones          from and to across the rail (n, 2) [m]
    strips         place across, width and half length (m, 3) [m]
    flexibility    L for x, y and spin [m/Pa]
    radius         R of rolling [m]
    iterations     that the depth took
    """

    depth: float
    load: float
    pressure: float
    peak: float
    zones: np.ndarray
    strips: np.ndarray
    flexibility: tuple[float, float, float]
    radius: float
    iterations: int
    field_types: ClassVar[Mapping[str, ValueType]] = dict.fromkeys(("zones", "strips"), Array(depth=2))

    def __post_init__(self) -> None:
        for what, width in (("zones", 2), ("strips", 3)):
            rows = np.array(as_array(getattr(self, what), what), float)
            if rows.ndim != 2 or rows.shape[1] != width or not len(rows) or not np.all(np.isfinite(rows)):
                raise ModelError.at(what, f"has the shape {rows.shape}; give rows of {width} finite numbers")
            rows.flags.writeable = False
            object.__setattr__(self, what, rows)
        for what in ("depth", "load", "pressure", "peak", "radius"):
            value = as_number(getattr(self, what), what)
            if not np.isfinite(value) or value <= 0.0:
                raise ModelError.at(what, f"is {value:g}; give a finite number above 0")
            object.__setattr__(self, what, value)
        flexible = tuple(float(one) for one in as_array(self.flexibility, "flexibility"))
        if len(flexible) != 3 or not all(np.isfinite(one) and one > 0.0 for one in flexible):
            raise ModelError.at("flexibility", f"is {flexible}; give three numbers above 0 [m/Pa]")
        object.__setattr__(self, "flexibility", flexible)

    @property
    def half_length(self) -> float:
        """The largest half length, a [m]."""
        return float(np.sqrt(2.0 * self.radius * self.peak / self.pressure))

    @property
    def area(self) -> float:
        """Of the patch [m^2]."""
        return float(2.0 * self.strips[:, 1] @ self.strips[:, 2])

    @property
    def half_width(self) -> float:
        """b of the ellipse with the same half length and area [m]."""
        return self.area / (np.pi * self.half_length)

    def numbers(self, friction: float) -> np.ndarray:
        """What `kernels.contact.laws.fastsim` reads of it besides strips."""
        return np.array([self.radius, self.pressure, friction, *self.flexibility])

    def creep_force(
        self, x: float = 0.0, y: float = 0.0, spin: float = 0.0, *, friction: float, steps: int = 100
    ) -> tuple[float, float, float]:
        """Forces along and across the track [N], and the part of the patch that slips, by FASTSIM (Kalker 1982).

        x, y        creepages: speeds of the wheel's surface against the rail over that of rolling
        spin        turning rate about the normal over the speed of rolling [1/m]
        friction    coefficient
        steps       of a strip. Forces are in the sense of the creepages; on the wheel they act against them
        """
        from ...kernels.contact.laws.fastsim import creep_forces

        out = np.zeros(3)
        creepages = np.array([as_number(x, "x"), as_number(y, "y"), as_number(spin, "spin")])
        mu = as_number(friction, "friction")
        if mu <= 0.0 or not isinstance(steps, int) or steps < 2:
            raise ModelError.at(
                "friction", f"is {mu:g} with {shown(steps)} steps; give more than 0 and 2 steps at least"
            )
        creep_forces(np.ascontiguousarray(self.strips.ravel()), self.numbers(mu), creepages, steps, out)
        return float(out[0]), float(out[1]), float(out[2])


@checked
def rolling_patch(
    gap: Callable[[np.ndarray], Any],
    radius: float,
    load: float,
    *,
    within: tuple[float, float],
    young: float = 2.1e11,
    poisson: float = 0.28,
    flexibility: float | None = None,
    start: float | None = None,
    strips: int = 24,
) -> RollingPatch:
    """The patch under a given load; the load is known, so that nothing stiff enters the motion.

    gap            h(y) [m], distance of the undeformed profiles across the rail (array of y to array), 0 at y = 0
    radius         R of rolling [m]
    load           [N]
    within         (from, to) across, where the profiles lie [m]; the patch must end inside
    young          E [Pa] and `poisson` ratio, of both
    flexibility    L [m/Pa] for all directions; None for those of Kalker's linear theory
    start          a depth to begin with [m], such as that of the step before; None for that of a ball
    strips         of each zone, for creep forces
    """
    R, N = as_number(radius, "radius"), as_number(load, "load")
    E, nu = as_number(young, "young"), as_number(poisson, "poisson")
    low, high = float(within[0]), float(within[1])
    if R <= 0.0 or N <= 0.0 or E <= 0.0 or not 0.0 <= nu <= 0.5 or not low < 0.0 < high:
        raise ModelError.at(
            "load", f"is {N:g} N on a radius of {R:g} m within {low:g} to {high:g} m; give more than 0, around y = 0"
        )
    grid = np.linspace(low, high, 2001)
    heights = np.asarray(gap(grid), float)
    if heights.shape != grid.shape or not np.all(np.isfinite(heights)):
        raise ModelError.at("gap", f"gave the shape {heights.shape} for {grid.shape} places; give each a finite gap")
    ball = (N * (1.0 - nu**2) / (0.833 * E * np.sqrt(R))) ** (2.0 / 3.0)
    begin = ball if start is None else as_number(start, "start")
    across = _Across(gap, grid, heights, R)
    at, volume, count = _depth(across, N, np.pi * E / (2.0 * (1.0 - nu**2)), begin)
    zones = _zones(across, at)
    if zones[0][0] <= low or zones[-1][1] >= high:
        raise ModelError.at("within", f"the patch reaches {zones[0][0]:g} to {zones[-1][1]:g} m, its end; give more")
    rows = []
    for c, d in zones:
        y, w = _nodes(c, d, strips)
        a = np.sqrt(np.maximum(2.0 * R * (at - np.asarray(gap(y), float)), 0.0))
        rows.append(np.column_stack([y, w, a]))
    laid = np.vstack(rows)
    pressure = N / (2.0 * volume)
    peak = pressure * (at - float(min(heights.min(), 0.0)))
    a = np.sqrt(2.0 * R * peak / pressure)
    b = 2.0 * laid[:, 1] @ laid[:, 2] / (np.pi * a)
    flexes = (as_number(flexibility, "flexibility"),) * 3 if flexibility is not None else _flexibilities(a, b, E, nu)
    return RollingPatch(float(at), N, float(pressure), float(peak), np.array(zones), laid, flexes, R, count)


class _Across(NamedTuple):
    """A gap across the rail, its heights over a grid, and the radius of rolling."""

    gap: Callable[[np.ndarray], Any]
    y: np.ndarray
    h: np.ndarray
    radius: float


def _depth(across: _Across, load: float, stiffness: float, begin: float) -> tuple[float, float, int]:
    """The depth that carries a load, the integral of its overlaps, and the iterations.

    The load grows like a power of the depth near 3/2: Newton's method on logarithms, the power by secants.
    """
    at, power, count = begin, 1.5, 0
    force, volume = _carried(across, stiffness, at)
    while count < MOST:
        step = np.log(load / force) / power
        if abs(step) < CLOSE:
            return at, volume, count
        count += 1
        following = at * np.exp(step)
        new, volume = _carried(across, stiffness, following)
        if abs(step) > 1e-7:
            power = float(np.clip(np.log(new / force) / step, 0.5, 3.0))
        at, force = following, new
    raise ModelError.at("load", f"no depth that carries {load:g} N was found in {MOST} iterations; the last is {at:g}")


def _carried(across: _Across, stiffness: float, delta: float) -> tuple[float, float]:
    """The load at a depth, and the integral of overlaps."""
    R, volume, below = across.radius, 0.0, 0.0
    for c, d in _halves(_zones(across, delta)):
        y, w = _nodes(c, d, NODES)
        h = np.asarray(across.gap(y), float)
        a = np.sqrt(np.maximum(2.0 * R * (delta - h), 0.0))
        volume += w @ (delta * a - h * a - a**3 / (6.0 * R))
        below += w @ ((delta - h + y**2 / (4.0 * R)) * np.arcsinh(a / np.abs(y)) - a * np.hypot(a, y) / (4.0 * R))
    return delta * stiffness * volume / below, volume


def _flexibilities(a: float, b: float, E: float, nu: float) -> tuple[float, float, float]:
    """8 a / 3 G C11, 8 a / 3 G C22, pi a^2 / 4 G C23 sqrt(a b) (Kalker 1982)."""
    G = E / (2.0 * (1.0 + nu))
    c = [kalker_coefficient(which, a / b, nu) for which in ("11", "22", "23")]
    return 8.0 * a / (3.0 * G * c[0]), 8.0 * a / (3.0 * G * c[1]), np.pi * a**2 / (4.0 * G * c[2] * np.sqrt(a * b))


def _zones(across: _Across, delta: float) -> list[tuple[float, float]]:
    """Where the gap is less than the depth: from and to."""
    from scipy.optimize import brentq

    y, inside = across.y, across.h < delta
    if not inside.any():
        raise ModelError.at(
            "gap", f"is {across.h.min():g} m at least, more than the depth {delta:g} m; it must be 0 at y = 0"
        )

    def left(x: float) -> float:
        return float(np.asarray(across.gap(np.array([x])))[0]) - delta

    roots = [float(brentq(left, y[i], y[i + 1], xtol=1e-15)) for i in np.flatnonzero(inside[1:] != inside[:-1])]
    if inside[0]:
        roots.insert(0, float(y[0]))
    if inside[-1]:
        roots.append(float(y[-1]))
    return [(roots[k], roots[k + 1]) for k in range(0, len(roots), 2)]


def _halves(zones: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Zones, that around the middle in two: the kernel of displacements is singular there."""
    out: list[tuple[float, float]] = []
    for c, d in zones:
        out += [(c, 0.0), (0.0, d)] if c < 0.0 < d else [(c, d)]
    return out


def _nodes(c: float, d: float, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Places and weights from c to d, dense at both ends, where half lengths have roots."""
    u, w = np.polynomial.legendre.leggauss(count)
    angle = 0.5 * np.pi * (u + 1.0)
    return c + 0.5 * (d - c) * (1.0 - np.cos(angle)), 0.25 * np.pi * (d - c) * np.sin(angle) * w


POISSON = (0.0, 0.25, 0.5)
"""Ratios of which the table has columns."""
ROWS = np.array([
    # a / b, C11, C22 and C23 for these ratios
    (1 / 10, 2.51, 3.31, 4.85, 2.51, 2.52, 2.53, 0.334, 0.473, 0.731),
    (2 / 10, 2.59, 3.37, 4.81, 2.59, 2.63, 2.66, 0.483, 0.603, 0.809),
    (3 / 10, 2.68, 3.44, 4.80, 2.68, 2.75, 2.81, 0.607, 0.715, 0.889),
    (4 / 10, 2.78, 3.53, 4.82, 2.78, 2.88, 2.98, 0.720, 0.823, 0.977),
    (5 / 10, 2.88, 3.62, 4.83, 2.88, 3.01, 3.14, 0.827, 0.929, 1.07),
    (6 / 10, 2.98, 3.72, 4.91, 2.98, 3.14, 3.31, 0.930, 1.03, 1.18),
    (7 / 10, 3.09, 3.81, 4.97, 3.09, 3.28, 3.48, 1.03, 1.14, 1.29),
    (8 / 10, 3.19, 3.91, 5.05, 3.19, 3.41, 3.65, 1.13, 1.25, 1.40),
    (9 / 10, 3.29, 4.01, 5.12, 3.29, 3.54, 3.82, 1.23, 1.36, 1.51),
    (1.0, 3.40, 4.12, 5.20, 3.40, 3.67, 3.98, 1.33, 1.47, 1.63),
    (10 / 9, 3.51, 4.22, 5.30, 3.51, 3.81, 4.16, 1.44, 1.59, 1.77),
    (10 / 8, 3.65, 4.36, 5.42, 3.65, 3.99, 4.39, 1.58, 1.75, 1.94),
    (10 / 7, 3.82, 4.54, 5.58, 3.82, 4.21, 4.67, 1.76, 1.95, 2.18),
    (10 / 6, 4.06, 4.78, 5.80, 4.06, 4.50, 5.04, 2.01, 2.23, 2.50),
    (10 / 5, 4.37, 5.10, 6.11, 4.37, 4.90, 5.56, 2.35, 2.62, 2.96),
    (10 / 4, 4.84, 5.57, 6.57, 4.84, 5.48, 6.31, 2.88, 3.24, 3.70),
    (10 / 3, 5.57, 6.34, 7.34, 5.57, 6.40, 7.51, 3.79, 4.32, 5.01),
    (10 / 2, 6.96, 7.78, 8.82, 6.96, 8.14, 9.79, 5.72, 6.63, 7.89),
    (10 / 1, 10.7, 11.7, 12.9, 10.7, 12.8, 16.0, 12.2, 14.6, 18.0),
])  # fmt: skip
FIRST = {"11": 1, "22": 4, "23": 7}
"""Where the columns of a coefficient begin."""


def kalker_coefficient(which: str, ratio: float, poisson: float) -> float:
    """C_11, C_22 or C_23 of an ellipse with the half axes a, along rolling, over b = `ratio`.

    Between rows it is straight over the logarithm of the ratio, between Poisson's ratios a parabola.
    """
    if which not in FIRST:
        raise ModelError.at("which", f"got {shown(which)}; give one of {', '.join(FIRST)}")
    if not 0.1 <= ratio <= 10.0:
        raise ModelError.at("ratio", f"of half axes is {ratio:g}; the table has 0.1 to 10")
    k = FIRST[which]
    values = [np.interp(np.log(ratio), np.log(ROWS[:, 0]), ROWS[:, k + i]) for i in range(3)]
    return float(np.polyval(np.polyfit(POISSON, values, 2), poisson))
