"""Logarithmic norms: how fast solutions of x' = f(x) come together or part, without solving anything.

Lambda(A) = lim (|1 + h A| - 1) / h as h falls to 0 bounds every solution of x' = A x by |x(t)| <= exp(Lambda t) |x(0)|,
and two solutions of x' = f(x) by the integral of Lambda(df/dx) (Dahlquist 1959). It depends on the norm, and says more
than eigenvalues where these are on the imaginary axis: Boikov & Boikova 2002 prove stability by it.

Logarithmic norms of equations with delays: how fast solutions of x' = f(x(t), x(t - tau)) fall, whatever the past.

With x' = A x(t) + sum B_i x(t - tau_i) the norm obeys |x|' <= Lambda(A) |x(t)| + sum |B_i| |x(t - tau_i)|, and so lies
below the solution K exp(r t) of the scalar equation with the same numbers, r = Lambda(A) + sum |B_i| exp(-r tau_i)
(Halanay 1966). r is negative just where Lambda(A) + sum |B_i| is, however long the delays: Theorem 2.5 of Boikov &
Boikova 2002, with divided differences of f, one argument switched at a time, for equations that are not linear.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
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
    A = square_matrix(A, "A")
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
    """The largest |B x| / |x| in the norm |P x|: `log_norm` is for differential equations, this for maps."""
    if norm not in (1, 2, np.inf):
        raise ModelError.at("norm", f"got {shown(norm)}; give 1, 2 or np.inf")
    if weight is not None:
        P = regular(weight, len(B))
        B = np.linalg.solve(P.T, (P @ B).T).T
    return float(np.linalg.norm(B, norm))


def square_matrix(A: ArrayLike, what: str) -> np.ndarray:
    found = as_array(A, what)
    if found.ndim != 2 or found.shape[0] != found.shape[1] or not found.size:
        raise ModelError.at(what, f"got shape {found.shape}; give a square matrix")
    if not np.all(np.isfinite(found)):
        raise ModelError.at(what, "has entries that are not finite")
    return found


def regular(weight: ArrayLike, size: int) -> np.ndarray:
    """A weight of a norm: regular, and as large as the matrix."""
    P = square_matrix(weight, "weight")
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

    A = square_matrix(A, "A")
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
    """Factors (times,) by which two neighbouring solutions can at most have diverged, 1 at the first time.

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


@checked
class DelayBound(NamedTuple):
    """A bound of all solutions: |x(t)| <= exp(rate t) K, K = max(1, exp(rate tau)) times the largest |x| up to t = 0.

    rate       r [1/s], the only real root of r = own + sum |B_i| exp(-r tau_i)
    stable     whether it is negative
    own        Lambda(A) [1/s]
    delayed    (k,) norms |B_i| [1/s]
    """

    rate: float
    stable: bool
    own: float
    delayed: np.ndarray


@checked
def delay_bound(
    A: ArrayLike, B: ArrayLike, delay: ArrayLike, norm: float = 2, weight: ArrayLike | None = None
) -> DelayBound:
    """How fast solutions of x' = A x(t) + sum B_i x(t - tau_i) grow at most.

    A         (n, n) [1/s]
    B         (n, n), or (k, n, n) for several delays [1/s]
    delay     tau, or (k,) of them, 0 or more [s]
    norm      1, 2 or np.inf
    weight    P (n, n), regular: the norm is |P x|
    """
    A, B = as_array(A, "A"), as_array(B, "B")
    tau = np.atleast_1d(as_array(delay, "delay"))
    own = log_norm(A, norm, weight)
    B = B[None] if B.ndim == 2 else B
    if B.ndim != 3 or B.shape[1:] != A.shape or tau.shape != (len(B),):
        raise ModelError.at(
            "B", f"got shape {B.shape} and {tau.size} delays; give a matrix {A.shape} for each delay, as A has"
        )
    if not np.all(np.isfinite(tau)) or np.any(tau < 0.0):
        raise ModelError.at("delay", f"got {shown(delay)}; give times from 0 on [s]")
    if not np.all(np.isfinite(B)) or not math.isfinite(own):
        raise ModelError.at("A", "A and B must be of finite numbers")
    delayed = np.array([matrix_norm(one, norm, weight) for one in B])
    rate = _root(own, delayed, tau)
    return DelayBound(rate, rate < 0.0, own, delayed)


@checked
def certify_delays(
    jacobians: Callable[..., Sequence[ArrayLike]], delays: ArrayLike, size: int, radius: float, norm: float = 2,
    weight: ArrayLike | None = None, samples: int = 512, least: float = 1e-6, seed: int = 0,
) -> Certificate:  # fmt: skip
    """Theorem 2.5 of Boikov & Boikova 2002 on samples, for x' = f(x(t), x(t - tau_1), ...) with its rest in the origin.

    jacobians   f(x, y_1, ...) that returns df/dx and every df/dy_i, each (n, n), at x(t) = x and x(t - tau_i) = y_i
    delays      tau_i (k,) [s]
    size        n
    radius      of the ball in which present and past are, in the norm |P x|_2
    least       rate that counts as negative enough for asymptotic stability [1/s]

    f(x, y) = A x + sum B_i y_i with means of these Jacobians while one argument after the other goes from 0 to its
    value, the others before it at 0: the rate of a sample is that of `delay_bound` with these matrices.
    """
    tau = np.atleast_1d(as_array(delays, "delays"))
    if tau.ndim != 1 or not np.all(tau >= 0.0):
        raise ModelError.at("delays", f"got {shown(delays)}; give times from 0 on [s]")
    if not is_whole(seed):
        raise ModelError.at("seed", f"got {shown(seed)}; give a whole number")
    count = len(tau) + 1
    drawn = [sampled_ball(size, radius, weight, samples, seed + i) for i in range(count)]
    rates = []
    for row in range(len(drawn[0])):
        at = [one[row] for one in drawn]
        means = []
        for i in range(count):
            # those before it have not been switched on yet, those behind it are
            points = [[np.zeros(size)] * i + [s * at[i], *at[i + 1 :]] for s in GAUSS[0]]
            means.append(sum(w * np.atleast_2d(np.asarray(jacobians(*x)[i], float)) for x, w in zip(points, GAUSS[1])))
        rates.append(delay_bound(means[0], np.array(means[1:]), tau, norm, weight).rate)
    k = int(np.argmax(rates))
    return Certificate(bool(rates[k] < 0.0), bool(rates[k] <= -least), float(rates[k]), drawn[0][k], len(drawn[0]))


def _root(own: float, delayed: np.ndarray, tau: np.ndarray) -> float:
    """Of r - own - sum b exp(-r tau), which rises with r. Newton's method, from the left of it: it is concave."""
    r = own
    for _ in range(200):
        grown = delayed * np.exp(np.minimum(-r * tau, 600.0))
        step = (r - own - np.sum(grown)) / (1.0 + np.sum(tau * grown))
        r -= step
        if abs(step) <= 1e-15 * max(1.0, abs(r)):
            break
    return float(r)
