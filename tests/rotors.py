"""Rotors in axes that do not turn, for checking spinning shafts: Rayleigh's beam, and finite elements of it.

With z = v + i w of an isotropic shaft that spins at W about its axis, m its mass a length, j and jx the inertia a
length of its sections about a diameter and about the axis,

    EI z'''' + m z'' - d/dx (j dz''/dx - i W jx dz'/dx) = 0    (primes of z by time, d by x)

(Rayleigh 1877, section 161; with the gyroscopic moment Nelson & McVaugh 1976). Whirl z = Z(x) exp(i p t) is forward
where p > 0; seen from the shaft it is at p - W. Nothing of the package is used.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import eig
from scipy.optimize import brentq


def cantilever_whirl(
    length: float, m: float, EI: float, jx: float, j: float, spin: float, count: int = 2
) -> np.ndarray:
    """The first `count` forward and backward speeds p of a cantilever [rad/s], each to rounding.

    EI Z'''' + c Z'' - m p^2 Z = 0, c = j p^2 - jx W p; at the free end Z'' = 0, EI Z''' + c Z' = 0.
    """

    def determinant(p: float) -> float:
        c = j * p * p - jx * spin * p
        root = np.sqrt(c * c + 4.0 * EI * m * p * p)
        a, b = np.sqrt((root - c) / (2.0 * EI)), np.sqrt((root + c) / (2.0 * EI))
        ch, sh, co, si = np.cosh(a * length), np.sinh(a * length), np.cos(b * length), np.sin(b * length)
        # Z = A (cosh ax - cos bx) + B (sinh(ax) / a - sin(bx) / b)
        moment = a * a * ch + b * b * co, a * sh + b * si
        shear = (
            EI * (a**3 * sh - b**3 * si) + c * (a * sh + b * si),
            EI * (a * a * ch + b * b * co) + c * (ch - co),
        )
        return moment[0] * shear[1] - moment[1] * shear[0]

    speeds: list[float] = []
    highest = 1.2 * (np.pi * (count + 0.5) / length) ** 2 * np.sqrt(EI / m) + 4.0 * abs(spin)
    for sign in (1.0, -1.0):
        grid = sign * np.linspace(1e-3 * highest, highest, 4000)
        values = [determinant(p) for p in grid]
        ends = [(p, q) for p, q, f, g in zip(grid, grid[1:], values, values[1:], strict=False) if f * g < 0.0]
        speeds += [brentq(determinant, p, q, xtol=1e-12) for p, q in ends[:count]]
    return np.array(speeds)


def element_whirl(
    length: float, m: float, EI: float, jx: float, j: float, spin: float, disc: tuple[float, float, float, float]
) -> np.ndarray:
    """All speeds p of a cantilever of 48 cubic elements with a disc at its end, rising [rad/s].

    disc    mass, inertia about the axis and about a diameter, how far its centre is beyond the end
    """
    count = 48
    h = length / count
    points, weights = np.polynomial.legendre.leggauss(4)
    s, w = 0.5 * (points + 1.0), 0.5 * weights * h
    shape = np.array([1 - 3 * s**2 + 2 * s**3, h * (s - 2 * s**2 + s**3), 3 * s**2 - 2 * s**3, h * (s**3 - s**2)])
    slope = np.array([6 * (s**2 - s) / h, 1 - 4 * s + 3 * s**2, 6 * (s - s**2) / h, 3 * s**2 - 2 * s])
    bend = np.array([(12 * s - 6) / h**2, (6 * s - 4) / h, (6 - 12 * s) / h**2, (6 * s - 2) / h])
    size = 2 * (count + 1)
    M, G, K = np.zeros((size, size)), np.zeros((size, size)), np.zeros((size, size))
    for k in range(count):
        here = slice(2 * k, 2 * k + 4)
        turn = (slope * w) @ slope.T
        M[here, here] += m * (shape * w) @ shape.T + j * turn
        G[here, here] += jx * turn
        K[here, here] += EI * (bend * w) @ bend.T
    mass, polar, across, beyond = disc
    M[-2:, -2:] += mass * np.array([[1.0, beyond], [beyond, beyond**2]]) + np.diag([0.0, across])
    G[-1, -1] += polar
    M, G, K = M[2:, 2:], G[2:, 2:], K[2:, 2:]
    # (K + p W G - p^2 M) Z = 0
    n = len(M)
    first = np.block([[np.zeros((n, n)), np.eye(n)], [K, spin * G]])
    values = eig(first, np.block([[np.eye(n), np.zeros((n, n))], [np.zeros((n, n)), M]]), right=False)
    return np.sort(values.real)
