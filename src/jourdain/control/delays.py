"""Logarithmic norms of equations with delays: how fast solutions of x' = f(x(t), x(t - tau)) fall, whatever the past.

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
from ..basics.values import as_array, is_whole, shown
from .logarithmic_norms import GAUSS, Certificate, log_norm, matrix_norm, sampled_ball


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
