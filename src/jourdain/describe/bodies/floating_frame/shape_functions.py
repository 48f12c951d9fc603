"""Shape functions of beams: what a beam's bending, stretch and twist are made of.

Every family vanishes, with its slope for bending, at the frame that the inboard joint holds: the root, or mid-length
for free-free beams. Functions are scaled to 1 at their largest, with a positive value at the tip.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

BASES = ("polynomial", "clamped-free", "pinned-free", "free-free", "finite-element")
MOST = {"polynomial": 8, "clamped-free": 12, "pinned-free": 12, "free-free": 12, "finite-element": 64}
"""How many functions a direction a family can give: beyond it rounding spoils them."""


@dataclass(frozen=True, eq=False)
class Family:
    """n functions of x on a beam; `at(x, d)` gives their d-th derivatives, (n, len(x)).

    order         degree of polynomials between the edges of their elements, or number of half waves of eigenfunctions
    polynomial    which of the two
    elements      equal pieces of the beam on each of which the functions are smooth
    """

    count: int
    function: Callable[[np.ndarray, int], np.ndarray]
    order: float = 0.0
    polynomial: bool = True
    elements: int = 1

    def at(self, x: np.ndarray | float, derivative: int = 0) -> np.ndarray:
        points = np.atleast_1d(np.asarray(x, float))
        if self.count == 0:
            return np.zeros((0, len(points)))
        return self.function(points, derivative)


def _scaled(
    count: int,
    function: Callable[[np.ndarray, int], np.ndarray],
    low: float,
    high: float,
    order: float,
    polynomial: bool = False,
) -> Family:
    """The functions at 1 where they are largest on [low, high], positive at the tip."""
    values = function(np.linspace(low, high, 2001), 0)
    size = np.max(np.abs(values), axis=1)
    factor = np.where(values[:, -1] < 0.0, -1.0, 1.0) / size
    return Family(count, lambda x, d: factor[:, None] * function(x, d), order, polynomial)


def _polynomials(curvatures: list[np.polynomial.Polynomial], integrals: int, length: float) -> Callable:
    """Functions of x whose `integrals`-th derivative is the given polynomial of x / length, zero at the root."""
    functions = [c.integ(integrals) for c in curvatures]
    derivatives = {0: functions}

    def function(x: np.ndarray, d: int) -> np.ndarray:
        xi = x / length
        if d not in derivatives:
            derivatives[d] = [f.deriv(d) for f in functions]
        return np.array([f(xi) for f in derivatives[d]]) / length**d

    return function


def _orthogonal(
    start: list[np.polynomial.Polynomial], weight: Callable[[np.ndarray], np.ndarray]
) -> list[np.polynomial.Polynomial]:
    """Gram and Schmidt in the inner product of the weight on [0, 1]."""
    points, weights = np.polynomial.legendre.leggauss(40)
    points, weights = 0.5 * (points + 1.0), 0.5 * weights
    weights = weights * weight(points)
    out: list[np.polynomial.Polynomial] = []
    for p in start:
        for _ in range(2):
            for q in out:
                p = p - q * float(np.sum(weights * p(points) * q(points)))
        out.append(p / np.sqrt(np.sum(weights * p(points) ** 2)))
    return out


def polynomial(count: int, length: float, kind: str, stiffness: Callable[[np.ndarray], np.ndarray]) -> Family:
    """Static shapes of a cantilever under a tip force, then a tip moment, then higher polynomials.

    Curvatures (or strains) are orthogonal in the stiffness, so that the stiffness matrix is diagonal.
    """
    xi = np.polynomial.Polynomial([0.0, 1.0])
    if kind == "bending":
        start = [1.0 - xi, 1.0 + 0.0 * xi, *(xi**k for k in range(2, count))]
        integrals = 2
    else:
        start = [1.0 + 0.0 * xi, *(xi**k for k in range(1, count))]
        integrals = 1
    shapes = _polynomials(_orthogonal(start[:count], stiffness), integrals, length)
    order = max(p.degree() for p in start[:count]) + integrals
    return _scaled(count, shapes, 0.0, length, order, polynomial=True)


@lru_cache(maxsize=256)
def cantilever_roots(count: int, tip_ratio: float = 0.0) -> np.ndarray:
    """Roots of 1 + cos b cosh b + r b (cos b sinh b - sin b cosh b) = 0, r the tip mass over the beam's."""

    def equation(b: np.ndarray) -> np.ndarray:
        return 1.0 / np.cosh(b) + np.cos(b) + tip_ratio * b * (np.cos(b) * np.tanh(b) - np.sin(b))  # divided by cosh b

    grid = np.linspace(1e-6, (count + 1) * np.pi, 400 * (count + 1))
    values = equation(grid)
    at = np.flatnonzero(values[:-1] * values[1:] < 0.0)[:count]
    low, high, sign = grid[at], grid[at + 1], np.sign(values[at])
    for _ in range(60):  # of a bracket of 1/128: to the last bit
        middle = 0.5 * (low + high)
        same = np.sign(equation(middle)) == sign
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    found = np.where(np.abs(equation(low)) <= np.abs(equation(high)), low, high)
    found.flags.writeable = False
    return found


def _hyperbolic(b: np.ndarray, missing: np.ndarray, xi: np.ndarray, d: int) -> np.ndarray:
    """d-th derivative by b xi of cosh - sigma sinh, sigma = 1 - missing, through exponentials: no cancellation."""
    return 0.5 * missing * np.exp(b * xi) + (-1) ** d * (1.0 - 0.5 * missing) * np.exp(-b * xi)


def _circular(sigma: np.ndarray, phase: np.ndarray, d: int) -> np.ndarray:
    """d-th derivative by the phase of cos - sigma sin."""
    return np.cos(phase + 0.5 * np.pi * d) - sigma * np.sin(phase + 0.5 * np.pi * d)


def clamped_free(count: int, length: float, tip_ratio: float = 0.0) -> Family:
    """Bending eigenfunctions of a uniform cantilever, with a tip mass if one is given."""
    b = cantilever_roots(count, tip_ratio)[:, None]
    missing = (np.sin(b) - np.cos(b) - np.exp(-b)) / (np.sin(b) + np.sinh(b))  # 1 - sigma
    sigma = 1.0 - missing

    def function(x: np.ndarray, d: int) -> np.ndarray:
        xi = x[None] / length
        return (_hyperbolic(b, missing, xi, d) - _circular(sigma, b * xi, d)) * (b / length) ** d

    return _scaled(count, function, 0.0, length, count)


def pinned_free(count: int, length: float) -> Family:
    """Elastic bending eigenfunctions of a pinned-free beam, less the rotation of their root."""
    k = np.arange(1, count + 1)[:, None]
    b = (k + 0.25) * np.pi
    for _ in range(60):  # tan b = tanh b, by Newton on sin b - tanh(b) cos b
        t = np.tanh(b)
        f = np.sin(b) - t * np.cos(b)
        slope = np.cos(b) + t * np.sin(b) - (1.0 - t * t) * np.cos(b)
        b = b - f / slope
    ratio = np.sin(b) / np.sinh(b)

    def function(x: np.ndarray, d: int) -> np.ndarray:
        xi = x[None] / length
        wave = np.sin(b * xi + 0.5 * np.pi * d)
        grow = ratio * (np.sinh(b * xi) if d % 2 == 0 else np.cosh(b * xi))
        value = (wave + grow) * (b / length) ** d
        root = (1.0 + ratio) * b / length
        return value - (root * x if d == 0 else (root if d == 1 else 0.0))

    return _scaled(count, function, 0.0, length, count)


def free_free(count: int, length: float) -> Family:
    """Elastic bending eigenfunctions of a free-free beam, less their displacement and rotation at mid-length.

    x runs from -length/2 to length/2.
    """
    k = np.arange(1, count + 1)[:, None]
    b = (k + 0.5) * np.pi
    for _ in range(60):  # cos b cosh b = 1
        f = np.cos(b) - 1.0 / np.cosh(b)
        b = b - f / (-np.sin(b) + np.tanh(b) / np.cosh(b))
    missing = (np.cos(b) - np.sin(b) - np.exp(-b)) / (np.sinh(b) - np.sin(b))
    sigma = 1.0 - missing

    def raw(x: np.ndarray, d: int) -> np.ndarray:
        xi = x[None] / length + 0.5
        return (_hyperbolic(b, missing, xi, d) + _circular(sigma, b * xi, d)) * (b / length) ** d

    middle = np.zeros(1)

    def function(x: np.ndarray, d: int) -> np.ndarray:
        value = raw(x, d)
        if d == 0:
            return value - raw(middle, 0) - raw(middle, 1) * x
        return value - raw(middle, 1) if d == 1 else value

    return _scaled(count, function, -0.5 * length, 0.5 * length, count + 0.5)


def rod(count: int, length: float, free: bool) -> Family:
    """Stretch or torsion eigenfunctions: clamped-free sines, or free-free cosines less their value at mid-length."""
    k = np.arange(1, count + 1)[:, None]
    if not free:
        b = (k - 0.5) * np.pi / length
        return _scaled(count, lambda x, d: np.sin(b * x + 0.5 * np.pi * d) * b**d, 0.0, length, count)
    b = k * np.pi / length

    def function(x: np.ndarray, d: int) -> np.ndarray:
        value = np.cos(b * (x + 0.5 * length) + 0.5 * np.pi * d) * b**d
        return value - np.cos(b * 0.5 * length) if d == 0 else value

    return _scaled(count, function, -0.5 * length, 0.5 * length, count + 0.5)


def hermite(count: int, length: float, kind: str) -> Family:
    """Nodal functions of equal elements as global functions, the clamped node left out.

    Bending: displacement then slope of each node, cubic Hermite, count = 2 elements; else linear, one an element.
    """
    if kind != "bending":
        h = length / count

        def hat(x: np.ndarray, d: int) -> np.ndarray:
            out = np.zeros((count, len(x)))
            for j in range(count):
                s = x / h - (j + 1)
                inside = (s >= -1.0) & (s < 0.0) if j + 1 < count else (s >= -1.0)
                after = (s >= 0.0) & (s < 1.0) & (j + 1 < count)
                rise, fall = (1.0 + s, 1.0 - s) if d == 0 else ((1.0 / h, -1.0 / h) if d == 1 else (0.0, 0.0))
                out[j] = np.where(inside, rise, np.where(after, fall, 0.0))
            return out

        return Family(count, hat, 1, True, count)
    elements = count // 2
    h = length / elements
    P = np.polynomial.Polynomial
    left = (P([1, 0, -3, 2]), P([0, 1, -2, 1]))
    right = (P([0, 0, 3, -2]), P([0, 0, -1, 1]))

    def function(x: np.ndarray, d: int) -> np.ndarray:
        out = np.zeros((count, len(x)))
        element = np.clip((x / h).astype(int), 0, elements - 1)
        s, points, inner = x / h - element, np.arange(len(x)), np.flatnonzero(element)
        for c in range(2):
            scale = (h if c else 1.0) / h**d
            out[2 * element + c, points] = scale * right[c].deriv(d)(s)
            out[2 * (element[inner] - 1) + c, inner] = scale * left[c].deriv(d)(s[inner])
        return out

    return Family(count, function, 3, True, elements)


def family(
    basis: str, kind: str, count: int, length: float, stiffness: Callable[[np.ndarray], np.ndarray], tip_ratio: float
) -> Family:
    """`count` functions of a family: kind "bending", "axial" or "torsion"; stiffness over x / length."""
    if count == 0:
        return Family(0, lambda x, d: np.zeros((0, len(x))))
    if basis == "finite-element":
        return hermite(count, length, kind)
    if basis == "polynomial":
        return polynomial(count, length, kind, stiffness)
    if kind != "bending":
        return rod(count, length, free=basis == "free-free")
    if basis == "clamped-free":
        return clamped_free(count, length, tip_ratio)
    return pinned_free(count, length) if basis == "pinned-free" else free_free(count, length)
