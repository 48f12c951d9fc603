"""Parts of a co-simulation that are exact, and the theory of two masses that are coupled by data at macro points.

A part is one mass: m x'' = -k x - d x' + u, with u a polynomial of time; its motion is a matrix exponential. What a
whole macro step does to both masses is then a matrix too, and whether the coupling is stable is its spectral radius.
"""

from __future__ import annotations

from functools import cache

import numpy as np

import jourdain as jd


def expm(A: np.ndarray) -> np.ndarray:
    """Exponential of a small matrix, by its series and squaring; no library that would start threads for it."""
    halvings = max(0, int(np.ceil(np.log2(max(1e-300, np.max(np.sum(np.abs(A), axis=1)))))) + 2)
    B = A / 2.0**halvings
    E = term = np.eye(len(A))
    for k in range(1, 16):  # |B| <= 1/4: the rest is below 1e-22
        term = term @ B / k
        E = E + term
    for _ in range(halvings):
        E = E @ E
    return E


@cache
def flow(m: float, k: float, d: float, h: float) -> tuple[np.ndarray, np.ndarray]:
    """Over a time h, the matrix of (x, v), and columns of what u = 1, u = s, u = s^2 (s from 0 to h) add."""
    A = np.zeros((5, 5))
    A[0, 1] = 1.0
    A[1] = [-k / m, -d / m, 1.0 / m, 0.0, 0.0]
    A[2, 3], A[3, 4] = 1.0, 2.0  # u' and u'' of a polynomial
    E = expm(A * h)
    return E[:2, :2], E[:2, 2:]


class Oscillator(jd.cosimulation.Part):
    """One mass, exact for inputs that are polynomials up to the second degree."""

    def __init__(self, name: str, m: float, k: float, d: float, x: float) -> None:
        self.name, self.inputs, self.outputs = name, ["force"], ["x", "v"]
        self.numbers, self.start = (m, k, d), np.array([x, 0.0])
        self.work = np.zeros(1)

    def begin(self, inputs):
        self.y = self.start.copy()
        self.work[:] = 0.0
        return 0.0

    def read(self):
        return self.y.copy()

    def advance(self, t, h, inputs):
        a, b, c = (float(inputs(t + s)[0]) for s in (0.0, 0.5 * h, h))
        E, B = flow(*self.numbers, h)
        first, second = (-3 * a + 4 * b - c) / h, 4 * (a - 2 * b + c) / h**2
        # the state of the polynomial is (u, u', u'' / 2) in the chain u' = w, w' = 2 r
        self.y = E @ self.y + B @ np.array([a, first, second / 2])

    def keep(self):
        return self.y.copy()

    def back(self, kept):
        self.y = kept.copy()


def held(one: tuple, two: tuple, c: float, H: float) -> np.ndarray:
    """The map of (x1, v1, x2, v2) over a macro step in which each mass knows the other's place at its beginning; the
    coupling spring c is among the stiffness of both."""
    G = np.zeros((4, 4))
    for i, (m, k, d) in enumerate((one, two)):
        E, B = flow(m, k, d, H)
        own, other = 2 * i, 2 - 2 * i
        G[own : own + 2, own : own + 2] = E
        G[own : own + 2, other] = c * B[:, 0]
    return G


def implicit(one: tuple, two: tuple, c: float, H: float) -> np.ndarray:
    """The same where each mass knows the other's place as a straight line to where it will be: solved, not iterated."""
    left, right = np.eye(4), np.zeros((4, 4))
    for i, (m, k, d) in enumerate((one, two)):
        E, B = flow(m, k, d, H)
        own, other = 2 * i, 2 - 2 * i
        right[own : own + 2, own : own + 2] = E
        right[own : own + 2, other] = c * (B[:, 0] - B[:, 1] / H)
        left[own : own + 2, other] -= c * B[:, 1] / H
    return np.linalg.solve(left, right)


def radius(G: np.ndarray) -> float:
    return float(np.max(np.abs(np.linalg.eigvals(G))))


def limit(one: tuple, two: tuple, c: float, low: float, high: float) -> float:
    """The macro step at which held data just become unstable."""
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if radius(held(one, two, c, middle)) < 1.0 else (low, middle)
    return low
