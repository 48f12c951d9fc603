"""Logarithmic norms: how fast solutions of x' = f(x) come together or part, without solving anything.

Lambda(A) = lim (|1 + h A| - 1) / h as h falls to 0 bounds every solution of x' = A x by |x(t)| <= exp(Lambda t) |x(0)|,
and two solutions of x' = f(x) by the integral of Lambda(df/dx) (Dahlquist 1959). It depends on the norm, and says more
than eigenvalues where these are on the imaginary axis: Boikov & Boikova 2002 prove stability by it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..basics.arguments import checked
from ..basics.errors import ModelError
from ..basics.values import as_array, is_number, is_whole, random_from, shown

_AT, _SHARE = np.polynomial.legendre.leggauss(16)
GAUSS = 0.5 * (_AT + 1.0), 0.5 * _SHARE
"""Places and weights of Gauss's rule from 0 to 1: from the origin to a sample."""


@checked
def log_norm(A: ArrayLike, norm: float = 2, weight: ArrayLike | None = None) -> float:
    """The logarithmic norm of a matrix [1/s].

    norm      1: max over columns of a_jj + sum |a_ij|; 2: largest eigenvalue of (A + A^T) / 2; np.inf: as 1, over rows
    weight    P (n, n), regular: that of the norm |P x|, which is log_norm(P A P^-1)
    """
    A = _square(A, "A")
    if weight is not None:
        P = regular(weight, len(A))
        A = np.linalg.solve(P.T, (P @ A).T).T
    if norm == 2:
        return float(np.linalg.eigvalsh(0.5 * (A + A.T))[-1])
    if norm not in (1, np.inf):
        raise ModelError.at("norm", f"got {shown(norm)}; give 1, 2 or np.inf")
    own = np.diag(A)
    return float(np.max(own + np.sum(np.abs(A - np.diag(own)), axis=0 if norm == 1 else 1)))


def matrix_norm(B: np.ndarray, norm: float, weight: ArrayLike | None) -> float:
    """The largest |B x| / |x| in the norm |P x|: `log_norm` tells of differential equations, this of maps."""
    if norm not in (1, 2, np.inf):
        raise ModelError.at("norm", f"got {shown(norm)}; give 1, 2 or np.inf")
    if weight is not None:
        P = regular(weight, len(B))
        B = np.linalg.solve(P.T, (P @ B).T).T
    return float(np.linalg.norm(B, norm))


def _square(A: ArrayLike, what: str) -> np.ndarray:
    found = as_array(A, what)
    if found.ndim != 2 or found.shape[0] != found.shape[1] or not found.size:
        raise ModelError.at(what, f"got shape {found.shape}; give a square matrix")
    if not np.all(np.isfinite(found)):
        raise ModelError.at(what, "has entries that are not finite")
    return found


def regular(weight: ArrayLike, size: int) -> np.ndarray:
    """A weight of a norm: regular, and as large as the matrix."""
    P = _square(weight, "weight")
    if len(P) != size:
        raise ModelError.at("weight", f"got shape {P.shape}; give ({size}, {size}), as A has")
    if np.linalg.matrix_rank(P) < size:
        raise ModelError.at("weight", f"has rank {np.linalg.matrix_rank(P)} of {size}; give a regular matrix")
    return P


@checked
def norm_weight(A: ArrayLike, part: float = 0.9) -> np.ndarray:
    """A weight P with log_norm(A, 2, P) < -part |a|, a < 0 the largest real part of the eigenvalues of A.

    part    above or equal to 0 and below 1; the nearer to 1, the larger cond(P) may be

    P^T P = S with B^T S + S B = -1, B = A + part |a| (Lyapunov): every stable linear system contracts in some norm.
    """
    from scipy.linalg import solve_continuous_lyapunov

    A = _square(A, "A")
    if not is_number(part) or not 0.0 <= part < 1.0:
        raise ModelError.at("part", f"got {shown(part)}; give a number from 0 to below 1")
    worst = float(np.max(np.linalg.eigvals(A).real))
    if worst >= 0.0:
        raise ModelError.at(
            "A", f"has an eigenvalue of real part {worst:g}; give a stable matrix, no norm suits others"
        )
    B = A - part * worst * np.eye(len(A))
    return np.linalg.cholesky(solve_continuous_lyapunov(B.T, -np.eye(len(A)))).T


@checked
def solution_bound(
    times: ArrayLike, matrices: ArrayLike, norm: float = 2, weight: ArrayLike | None = None
) -> np.ndarray:
    """Factors (times,) by which two neighbouring solutions can at most have parted, 1 at the first time.

    times       (k,) [s]
    matrices    (k, n, n) df/dx along a solution at these times, or one (n, n) for all

    It is exp of the integral of Lambda, by the trapezoidal rule; exact bounds want times that resolve Lambda.
    """
    t, A = as_array(times, "times"), as_array(matrices, "matrices")
    if t.ndim != 1 or len(t) < 2 or np.any(np.diff(t) <= 0.0):
        raise ModelError.at("times", "give two or more, rising")
    A = np.broadcast_to(A, (len(t), *A.shape[-2:]))
    rates = np.array([log_norm(one, norm, weight) for one in A])
    return np.exp(np.concatenate([[0.0], np.cumsum(0.5 * (rates[1:] + rates[:-1]) * np.diff(t))]))


@checked
class Certificate(NamedTuple):
    """What samples of a ball say of x' = f(x) about its rest in the origin.

    stable        every sample has a negative rate: solutions that begin in the ball come nearer
    asymptotic    every sample has a rate of -least or below: they come nearer at that rate
    rate          the largest Lambda found [1/s]
    worst         (n,) where
    samples       how many; a sample is no proof between them
    """

    stable: bool
    asymptotic: bool
    rate: float
    worst: np.ndarray
    samples: int


@checked
def certify(
    jacobian: Callable[[np.ndarray], ArrayLike], size: int, radius: float, norm: float = 2,
    weight: ArrayLike | None = None, samples: int = 512, least: float = 1e-6, seed: int = 0,
) -> Certificate:  # fmt: skip
    """Theorem 2.2 of Boikov & Boikova 2002 on samples: Lambda of the mean of df/dx from 0 to u is negative for all u.

    jacobian    df/dx (n, n) at x (n,)
    size        n
    radius      of the ball in which u is, in the norm |P x|_2
    least       rate that counts as negative enough for asymptotic stability [1/s]

    Directions are spread evenly (Sobol), lengths reach from a thousandth of the radius to all of it.
    """
    away = sampled_ball(size, radius, weight, samples, seed)
    rates = np.array([
        log_norm(sum(w * np.atleast_2d(np.asarray(jacobian(s * u), float)) for s, w in zip(*GAUSS)), norm, weight)
        for u in away
    ])  # fmt: skip
    k = int(np.argmax(rates))
    return Certificate(bool(rates[k] < 0.0), bool(rates[k] <= -least), float(rates[k]), away[k], samples)


def sampled_ball(size: int, radius: float, weight: ArrayLike | None, samples: int, seed: int) -> np.ndarray:
    """Points (samples, n) of a ball of the norm |P x|_2: even directions, lengths from a thousandth of the radius."""
    from scipy.stats import norm as normal
    from scipy.stats import qmc

    if not is_number(radius) or not radius > 0.0:
        raise ModelError.at("radius", f"got {shown(radius)}; give a positive number")
    if not is_whole(size) or size < 1 or not is_whole(samples) or samples < 1:
        raise ModelError.at("size, samples", f"got {shown(size)}, {shown(samples)}; give whole numbers, 1 or more")
    size, samples = int(size), int(samples)
    drawn = qmc.Sobol(size + 1, rng=random_from(seed)).random(samples)
    away = normal.ppf(np.clip(drawn[:, :size], 1e-12, 1 - 1e-12))
    away *= (radius * 10.0 ** (-3.0 * drawn[:, size]) / np.maximum(np.linalg.norm(away, axis=1), 1e-300))[:, None]
    if weight is not None:
        away = np.linalg.solve(regular(weight, size), away.T).T
    return away
