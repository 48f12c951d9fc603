"""A beam that comes out of a rigid guide, by finite elements fixed to the material: the independent reference.

Nodes are particles, at distances i h from the tip; those still in the guide do not move. Between them there are plain
cubic elements with plain mass and stiffness, and the geometric stiffness of the axial force -rho s l'' that pushes the
part beyond s out. Nothing is convected. The one element that is not fixed to the material lies between the mouth, where
it is clamped, and the innermost particle outside; it grows until a particle more is out, or shrinks until one is in.
Plane bending, small deflections; Newmark's average acceleration.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np


class Path(NamedTuple):
    """What the beam did: times (nt,), its length, deflection of the tip, energy of bending and motion across."""

    time: np.ndarray
    length: np.ndarray
    tip: np.ndarray
    energy: np.ndarray


def element(h: float, EI: float, density: float, N: float) -> tuple[np.ndarray, np.ndarray]:
    """Mass and stiffness (4, 4) of a cubic element under the axial force N, tension positive: w, w' at both ends."""
    M = density * h / 420 * np.array(
        [[156, 22 * h, 54, -13 * h], [22 * h, 4 * h**2, 13 * h, -3 * h**2],
         [54, 13 * h, 156, -22 * h], [-13 * h, -3 * h**2, -22 * h, 4 * h**2]]
    )  # fmt: skip
    K = EI / h**3 * np.array(
        [[12, 6 * h, -12, 6 * h], [6 * h, 4 * h**2, -6 * h, 2 * h**2],
         [-12, -6 * h, 12, -6 * h], [6 * h, 2 * h**2, -6 * h, 4 * h**2]]
    )  # fmt: skip
    G = N / (30 * h) * np.array(
        [[36, 3 * h, -36, 3 * h], [3 * h, 4 * h**2, -3 * h, -(h**2)],
         [-36, -3 * h, 36, -3 * h], [3 * h, -(h**2), -3 * h, 4 * h**2]]
    )  # fmt: skip
    return M, K + G


def matrices(count: int, h: float, first: float, EI: float, density: float, tip_mass: float, push: float):
    """M and K of `count` particles outside, the tip last; `first` is the innermost's distance from the mouth."""
    M, K = np.zeros((2, 2 * count + 2, 2 * count + 2))
    for i in range(count):
        size = first if i == 0 else h
        s = (count - 1 - i) * h + 0.5 * size
        if i == 0:
            s = (count - 1) * h + 0.5 * first
        m, k = element(size, EI, density, -push * (density * s + tip_mass))
        at = slice(2 * i, 2 * i + 4)
        M[at, at] += m
        K[at, at] += k
    M[-2, -2] += tip_mass
    return M[2:, 2:], K[2:, 2:]


def passing(first: float, x: float, rate: float, w: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Deflection and slope, and their rates, of the particle at x in the element at the mouth; w, v: its outer end."""
    t = x / first
    N = np.array([[3 * t**2 - 2 * t**3, first * (t**3 - t**2)], [(6 * t - 6 * t**2) / first, 3 * t**2 - 2 * t]])
    # derivatives by t at fixed `first`, then by `first`; both change at the same rate as x does
    by_t = np.array([[6 * t - 6 * t**2, first * (3 * t**2 - 2 * t)], [(6 - 12 * t) / first, 6 * t - 2]])
    by_first = np.array([[0.0, t**3 - t**2], [-(6 * t - 6 * t**2) / first**2, 0.0]])
    dt = rate * (1.0 - t) / first
    return N @ w, N @ v + (by_t * dt + by_first * rate) @ w


def emerge(
    length: Callable[[float], tuple[float, float, float]],
    shape: Callable[[np.ndarray], tuple[np.ndarray, np.ndarray]],
    EI: float,
    density: float,
    until: float,
    h: float,
    step: float,
    tip_mass: float = 0.0,
) -> Path:
    """Free vibration of a beam whose length(t), with its rate and acceleration, is given, from a shape at rest across.

    shape(x)    deflection and slope at places x of the beam as it is at first [m]
    """
    l, rate, push = length(0.0)
    count = round(l / h - 0.5)
    first = l - (count - 1) * h
    places = first + h * np.arange(count)
    w = np.stack(shape(places), axis=1).ravel()
    v = np.zeros_like(w)
    M, K = matrices(count, h, first, EI, density, tip_mass, push)
    a = np.linalg.solve(M, -K @ w)
    rows = []
    for n in range(round(until / step) + 1):
        rows.append((n * step, l, w[-2], 0.5 * v @ M @ v + 0.5 * w @ K @ w))
        l, rate, push = length((n + 1) * step)
        first = l - (count - 1) * h
        while first > 1.5 * h:
            new_w, new_v = passing(first, first - h, rate, w[:2], v[:2])
            w, v = np.concatenate([new_w, w]), np.concatenate([new_v, v])
            a = np.concatenate([np.zeros(2), a])
            count, first = count + 1, first - h
        while first < 0.5 * h:
            w, v, a = w[2:], v[2:], a[2:]
            count, first = count - 1, first + h
        M, K = matrices(count, h, first, EI, density, tip_mass, push)
        guess, speed = w + step * v + 0.25 * step**2 * a, v + 0.5 * step * a
        a = np.linalg.solve(M + 0.25 * step**2 * K, -K @ guess)
        w, v = guess + 0.25 * step**2 * a, speed + 0.5 * step * a
    return Path(*np.array(rows).T)
