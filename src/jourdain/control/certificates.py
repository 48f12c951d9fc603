"""Stability of maps, of systems with a small parameter, and by comparison: the other theorems of Boikov & Boikova 2002.

Maps x(n+1) = f(x(n)) (theorems 2.3 and 2.4): f(u) = M u with the mean M of df/dx from 0 to u, so |M| < 1 brings every
point of a ball nearer. The print asks for "negative s-numbers", which none are: singular values below 1 are meant. Of
orthogonal eigenvectors these are the moduli of the eigenvalues.

A small parameter, x' = Q(x, y), mu y' = H(x, y) with Q(0, y) = 0 and H(x, 0) = 0 (2.6 and 2.7, whose conditions are
paired wrongly in print): Q = A x and H = D y with mean slopes, and so |x| falls at -Lambda(A), |y| at -Lambda(D) / mu.

Comparison, x' = f(t, x) near L(t, z) x (3.1, eqs. 3.3 to 3.7): |x|' <= Lambda(L) |x| + |f - L x|, in Euclid's norm with
the largest eigenvalue of Re L for Lambda (remark 1).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..basics.arguments import checked
from ..basics.errors import ModelError
from ..basics.values import as_array, is_number, numbers, shown
from .logarithmic_norms import GAUSS, Certificate, log_norm, matrix_norm, regular, sampled_ball, square_matrix


@checked
def map_weight(A: ArrayLike, part: float = 0.9) -> np.ndarray:
    """A weight P in whose norm a map contracts: |A x|_P < r^part |x|_P, r < 1 the largest modulus of the eigenvalues.

    part    above or equal to 0 and below 1; the nearer to 1, the larger cond(P) may be

    P^T P = S with S - B^T S B = 1, B = A / r^part (Stein).
    """
    from scipy.linalg import solve_discrete_lyapunov

    A = square_matrix(A, "A")
    if not is_number(part) or not 0.0 <= part < 1.0:
        raise ModelError.at("part", f"got {shown(part)}; give a number from 0 to below 1")
    worst = float(np.max(np.abs(np.linalg.eigvals(A))))
    if worst >= 1.0:
        raise ModelError.at("A", f"has an eigenvalue of modulus {worst:g}; give a map that contracts in some norm")
    B = A / max(worst, 1e-3) ** part
    return np.linalg.cholesky(solve_discrete_lyapunov(B.T, np.eye(len(A)))).T


@checked
class MapCertificate(NamedTuple):
    """What samples of a ball say of x(n+1) = f(x(n)) about its rest in the origin.

    stable        every sample has a factor below 1: each step brings it nearer
    asymptotic    every sample has a factor of 1 - least or below
    factor        the largest |M| found: |f(u)| <= factor |u|
    worst         (n,) where
    samples       how many; a sample is no proof between them
    """

    stable: bool
    asymptotic: bool
    factor: float
    worst: np.ndarray
    samples: int


@checked
def certify_map(
    jacobian: Callable[[np.ndarray], ArrayLike], size: int, radius: float, norm: float = 2,
    weight: ArrayLike | None = None, samples: int = 512, least: float = 1e-6, seed: int = 0,
) -> MapCertificate:  # fmt: skip
    """Theorems 2.3 and 2.4 of Boikov & Boikova 2002 on samples: the mean of df/dx from 0 to u has a norm below 1.

    jacobian    df/dx (n, n) at x (n,)
    size        n
    radius      of the ball in which u is, in the norm |P x|_2
    least       by how much below 1 counts as asymptotic stability
    """
    away = sampled_ball(size, radius, weight, samples, seed)
    factors = np.array([matrix_norm(_mean(jacobian, u, size), norm, weight) for u in away])
    k = int(np.argmax(factors))
    return MapCertificate(bool(factors[k] < 1.0), bool(factors[k] <= 1.0 - least), float(factors[k]), away[k], samples)


@checked
class PerturbedCertificate(NamedTuple):
    """What samples say of x' = Q(x, y, mu), mu y' = H(x, y, mu) about the origin, for every mu up to the largest.

    stable        both rates are negative on every sample
    asymptotic    both are -least or below
    slow          the largest Lambda of mean slopes of Q by x found [1/s]
    fast          the same of H by y; over mu it is a rate
    rate          max(slow, fast / largest mu): no solution falls more slowly, uniformly in mu [1/s]
    samples       how many; a sample is no proof between them
    """

    stable: bool
    asymptotic: bool
    slow: float
    fast: float
    rate: float
    samples: int


@checked
def certify_perturbed(
    slow: Callable[..., ArrayLike], fast: Callable[..., ArrayLike], sizes: tuple[int, int], radius: float, mu: float,
    norm: float = 2, samples: int = 512, least: float = 1e-6, seed: int = 0,
) -> PerturbedCertificate:  # fmt: skip
    """Theorems 2.6 and 2.7 of Boikov & Boikova 2002 on samples, for a system with a small parameter.

    slow, fast   dQ/dx (n, n) and dH/dy (m, m), functions of (x, y, mu)
    sizes        n and m
    radius       of the balls in which x and y are
    mu           the largest that the parameter becomes, above 0
    """
    if not is_number(mu) or not mu > 0.0 or not np.isfinite(mu):
        raise ModelError.at("mu", f"got {shown(mu)}; give a positive number")
    if not isinstance(sizes, tuple | list) or len(sizes) != 2:
        raise ModelError.at("sizes", f"got {shown(sizes)}; give two whole numbers")
    x, y = (sampled_ball(size, radius, None, samples, seed) for size in sizes)
    y = y[np.random.default_rng(seed).permutation(len(y))]
    small = mu * 10.0 ** (-3.0 * np.linspace(0.0, 1.0, len(x)))
    own = quick = -np.inf
    for a, b, m in zip(x, y, small.tolist(), strict=True):
        own = max(own, log_norm(_mean(partial(_at_x, slow, b, m), a, sizes[0]), norm))
        quick = max(quick, log_norm(_mean(partial(_at_y, fast, a, m), b, sizes[1]), norm))
    both = max(own, quick)
    return PerturbedCertificate(both < 0.0, both <= -least, own, quick, max(own, quick / float(mu)), len(x))


@checked
def certify_comparison(
    rates: Callable[[float, np.ndarray], ArrayLike], operator: Callable[[float, np.ndarray], ArrayLike], size: int,
    radius: float, times: ArrayLike = (0.0,), norm: float = 2, weight: ArrayLike | None = None, samples: int = 512,
    least: float = 1e-6, seed: int = 0,
) -> Certificate:  # fmt: skip
    """Theorem 3.1 of Boikov & Boikova 2002 on samples: x' = f(t, x) beside linear operators, each near its own point.

    rates       f (n,) at a time and x
    operator    L (n, n) at a time and z: f(t, x) is nearly L x for x near z
    times       instants at which it is looked at [s]

    The rate of a sample is Lambda(L) + |f - L z| / |z|, by which |x| grows there at most (eq. 3.7); with an L that is
    exact at its point nothing is added.
    """
    away = sampled_ball(size, radius, weight, samples, seed)
    P = np.eye(int(size)) if weight is None else regular(weight, int(size))
    when = np.atleast_1d(as_array(times, "times"))
    if when.ndim != 1 or not len(when) or not np.all(np.isfinite(when)):
        raise ModelError.at("times", f"got {shown(times)}; give a list of times [s]")
    found = np.empty((len(when), len(away)))
    for i, t in enumerate(when.tolist()):
        for k, z in enumerate(away):
            L = np.atleast_2d(np.asarray(operator(t, z), float))
            off = P @ (np.asarray(rates(t, z), float).reshape(-1) - L @ z)
            found[i, k] = log_norm(L, norm, weight) + np.linalg.norm(off, norm) / np.linalg.norm(P @ z, norm)
    k = int(np.argmax(np.max(found, axis=0)))
    rate = float(np.max(found))
    return Certificate(rate < 0.0, rate <= -least, rate, away[k], len(away) * len(when))


def _at_x(slope: Callable[..., ArrayLike], y: np.ndarray, mu: float, x: np.ndarray) -> ArrayLike:
    """A slope as a function of x, which is given last."""
    return slope(x, y, mu)


def _at_y(slope: Callable[..., ArrayLike], x: np.ndarray, mu: float, y: np.ndarray) -> ArrayLike:
    """The same of y."""
    return slope(x, y, mu)


def _mean(jacobian: Callable[[np.ndarray], ArrayLike], u: np.ndarray, size: int) -> np.ndarray:
    """Mean of a Jacobian from the origin to u, which times u is what the function itself is at u."""
    found = np.zeros((int(size), int(size)))
    for s, w in zip(*GAUSS, strict=True):
        try:
            gave = jacobian(s * u)
        except (TypeError, ValueError) as error:
            raise ModelError.at("jacobian", f"cannot be called with {numbers(s * u)}: {error}") from error
        here = np.atleast_2d(as_array(gave, "jacobian"))
        if here.shape != (size, size):
            raise ModelError.at("jacobian", f"gave shape {here.shape}; give ({size}, {size})")
        if not np.all(np.isfinite(here)):
            raise ModelError.at("jacobian", f"gave entries that are not finite at {numbers(s * u)}")
        found += w * here
    return found
