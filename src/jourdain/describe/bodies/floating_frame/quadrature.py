"""Gauss quadrature on pieces of a line, and with a density as its weight."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np

Density = Callable[[np.ndarray], np.ndarray]


@lru_cache(maxsize=64)
def _legendre(points: int) -> tuple[np.ndarray, np.ndarray]:
    return np.polynomial.legendre.leggauss(points)


def gauss(edges: np.ndarray, points: int) -> tuple[np.ndarray, np.ndarray]:
    """Places and weights of so many Gauss points between every two rising edges: exact to degree 2 points - 1."""
    nodes, weights = _legendre(points)
    half = 0.5 * np.diff(edges)[:, None]
    middle = 0.5 * (edges[1:] + edges[:-1])[:, None]
    return (middle + half * nodes).ravel(), (half * weights).ravel()


def gauss_of_density(edges: np.ndarray, points: int, density: Density, kinks: np.ndarray) -> tuple[np.ndarray, ...]:
    """`gauss` whose weights hold a density: exact to degree 2 points - 1 times the density, whatever its shape.

    The density is smooth between its kinks. Lanczos' recurrence over a fine rule gives the orthogonal polynomials, and
    the eigenvalues of their Jacobi matrix the places (Golub & Welsch 1969; Gautschi 2004, section 2.2.3).
    """
    places, weights = [], []
    for low, high in zip(edges[:-1], edges[1:], strict=True):
        inner = kinks[(kinks > low) & (kinks < high)]
        x, w = gauss(np.array([low, *inner, high]), points + 8)
        w = w * density(x)
        middle, half = 0.5 * (low + high), 0.5 * (high - low)
        s = (x - middle) / half
        total = float(np.sum(w))
        basis = [np.sqrt(w / total)]
        jacobi = np.zeros((points, points))
        for k in range(points):
            r = s * basis[k]
            for _ in range(2):
                for b in basis:
                    r = r - b * (b @ r)
            jacobi[k, k] = basis[k] @ (s * basis[k])
            if k + 1 < points:
                jacobi[k, k + 1] = jacobi[k + 1, k] = np.linalg.norm(r)
                basis.append(r / np.linalg.norm(r))
        nodes, vectors = np.linalg.eigh(jacobi)
        places.append(middle + half * nodes)
        weights.append(total * vectors[0] ** 2)
    return np.concatenate(places), np.concatenate(weights)


def integrals(
    f: Callable[[np.ndarray, np.ndarray], np.ndarray], ends: np.ndarray, edges: np.ndarray, points: int
) -> np.ndarray:
    """int_0^x of a function for each x of `ends`, by Gauss points between the edges.

    f    takes places and weights (pieces, points), and gives the weighted sum over each piece, (pieces, ...)
    """
    low, high = np.min(ends, initial=0.0), np.max(ends, initial=0.0)
    marks = np.unique([0.0, *ends, *edges[(edges > low) & (edges < high)]])
    places, weights = (one.reshape(len(marks) - 1, points) for one in gauss(marks, points))
    pieces = f(places, weights)
    whole = np.concatenate([np.zeros((1, *pieces.shape[1:])), np.cumsum(pieces, axis=0)])
    return whole[np.searchsorted(marks, ends)] - whole[np.searchsorted(marks, 0.0)]
