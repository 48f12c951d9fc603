"""Linear quadratic regulators and Kalman filters, continuous and discrete, refused by the mode that they cannot have.

Pairs (A, B) and (A, C) are checked by `reachability`. Only modes that do not die out by themselves are
refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..basics.arguments import checked
from ..basics.errors import ModelError
from ..basics.values import as_array, shown
from ..model.linear.reachability import shown_mode, unreached

MARGIN = 1e-7
"""How far from the border, over the largest eigenvalue, a mode counts as dying out; a double zero is known to 1e-8."""


class Regulator(NamedTuple):
    """u = -gain x, the cost x^T cost x that is left, and the poles of the closed loop."""

    gain: np.ndarray
    cost: np.ndarray
    poles: np.ndarray


class Estimator(NamedTuple):
    """Innovation gain, error covariance, and the poles of the error."""

    gain: np.ndarray
    covariance: np.ndarray
    poles: np.ndarray


@checked
def lqr(
    A: ArrayLike,
    B: ArrayLike,
    Q: ArrayLike,
    R: ArrayLike,
    *,
    discrete: bool = False,
    names: Sequence[str] | None = None,
) -> Regulator:
    """Feedback u = -K x that minimises the integral (discrete: the sum) of x^T Q x + u^T R u.

    A, B       x' = A x + B u, or x(k+1) = A x(k) + B u(k)
    Q, R       weights of states (n, n), not negative, and inputs (m, m), positive; a vector is a diagonal, a number all
               of it
    names      of the states, for errors

    K = R^-1 B^T S, A^T S + S A - S B R^-1 B^T S + Q = 0 (Kalman 1960); discrete K = (R + B^T S B)^-1 B^T S A. An
    oscillating, free or growing mode that no input reaches, or that no weight sees, is an error that names it.
    """
    from scipy.linalg import solve, solve_continuous_are, solve_discrete_are

    A, B = pair(A, B, "A", "B")
    Q = weight(Q, len(A), "Q", "states")
    R = weight(R, B.shape[1], "R", "inputs", positive=True)
    labels = _labels(names, len(A))
    refuse_unreached(A, B, labels, "no input reaches", discrete)
    refuse_unreached(A.T, _root(Q), labels, "no weight in Q sees", discrete, border=True)
    try:
        S = (solve_discrete_are if discrete else solve_continuous_are)(A, B, Q, R)
    except np.linalg.LinAlgError as error:
        raise ModelError.at(
            "lqr", f"Riccati's equation has no solution ({error}); scale the states or weights"
        ) from None
    K = solve(R + B.T @ S @ B, B.T @ S @ A, assume_a="pos") if discrete else solve(R, B.T @ S, assume_a="pos")
    return Regulator(K, S, np.linalg.eigvals(A - B @ K))


@checked
def kalman(
    A: ArrayLike,
    C: ArrayLike,
    W: ArrayLike,
    V: ArrayLike,
    *,
    G: ArrayLike | None = None,
    discrete: bool = False,
    names: Sequence[str] | None = None,
) -> Estimator:
    """Gain L of the observer x' = A x + B u + L (y - C x) of least error (Kalman & Bucy 1961).

    A, C       x' = A x + B u + G w,  y = C x + n
    W, V       covariances of w and n: intensities for a continuous filter, per sample for a discrete one
    G          how w enters; None: on every state
    discrete   L = A P C^T (C P C^T + V)^-1, the predictor x(k+1) = A x + B u + L (y - C x)
    names      of the states, for errors
    """
    from scipy.linalg import solve, solve_continuous_are, solve_discrete_are

    A = square(A, "A")
    n = len(A)
    C = matrix(C, "C")
    if C.shape[1] != n:
        raise ModelError.at("C", f"has {C.shape[1]} columns; A has {n} states")
    G = np.eye(n) if G is None else matrix(G, "G")
    if len(G) != n:
        raise ModelError.at("G", f"has {len(G)} rows; A has {n} states")
    W = weight(W, G.shape[1], "W", "disturbances")
    V = weight(V, len(C), "V", "measurements", positive=True)
    labels = _labels(names, n)
    refuse_unreached(A.T, C.T, labels, "no measurement sees", discrete)
    GW = G @ _root(W)
    refuse_unreached(A, GW, labels, "no disturbance in W reaches", discrete, border=True)
    try:
        P = (solve_discrete_are if discrete else solve_continuous_are)(A.T, C.T, GW @ GW.T, V)
    except np.linalg.LinAlgError as error:
        raise ModelError.at("kalman", f"Riccati's equation has no solution ({error}); scale the states") from None
    if discrete:
        L = solve(C @ P @ C.T + V, C @ P @ A.T, assume_a="pos").T
    else:
        L = solve(V, C @ P, assume_a="pos").T
    return Estimator(L, P, np.linalg.eigvals(A - L @ C))


@checked
def discretize(A: ArrayLike, B: ArrayLike, period: float, method: str = "zoh") -> tuple[np.ndarray, np.ndarray]:
    """A and B of x(k+1) = A x(k) + B u(k).

    period    [s]
    method    "zoh": u is held over a period, exact; "tustin": the trapezoidal rule, for x at u(k) and u(k+1) averaged
    """
    from scipy.linalg import expm, solve

    A, B = pair(A, B, "A", "B")
    if not (np.isfinite(period) and period > 0.0):
        raise ModelError.at("period", f"got {period}; give more than zero [s]")
    n, m = B.shape
    if method == "zoh":
        both = expm(period * np.block([[A, B], [np.zeros((m, n + m))]]))
        return both[:n, :n], both[:n, n:]
    if method == "tustin":
        left = np.eye(n) - 0.5 * period * A
        return solve(left, np.eye(n) + 0.5 * period * A), period * solve(left, B)
    raise ModelError.at("method", f'got {shown(method)}; give "zoh" or "tustin"')


def sampled_weights(A: np.ndarray, B: np.ndarray, Q: np.ndarray, R: np.ndarray, period: float) -> tuple[Any, Any, Any]:
    """Weights Q, N, R of x^T Q x + 2 x^T N u + u^T R u at the samples that are the integral's own, u held between.

    Van Loan 1978, IEEE Trans. Automatic Control 23, 395.
    """
    from scipy.linalg import expm

    n, m = B.shape
    F = np.block([[A, B], [np.zeros((m, n + m))]])
    whole = np.block([[Q, np.zeros((n, m))], [np.zeros((m, n)), R]])
    size = n + m
    both = expm(period * np.block([[-F.T, whole], [np.zeros((size, size)), F]]))
    found = both[size:, size:].T @ both[:size, size:]
    found = 0.5 * (found + found.T)
    return found[:n, :n], found[:n, n:], found[n:, n:]


def sampled_lqr(A: Any, B: Any, Q: Any, R: Any, period: float, names: Sequence[str] | None = None) -> Regulator:
    """The discrete regulator whose cost is the integral of `lqr`, with the input held over each period [s]."""
    from scipy.linalg import solve

    A, B = pair(A, B, "A", "B")
    Q = weight(Q, len(A), "Q", "states")
    R = weight(R, B.shape[1], "R", "inputs", positive=True)
    Ad, Bd = discretize(A, B, period)
    refuse_unreached(A, B, _labels(names, len(A)), "no input reaches")
    refuse_unreached(A.T, _root(Q), _labels(names, len(A)), "no weight in Q sees", border=True)
    Qd, N, Rd = sampled_weights(A, B, Q, R, period)
    aside = solve(Rd, N.T, assume_a="pos")
    found = lqr(Ad - Bd @ aside, Bd, Qd - N @ aside, Rd, discrete=True, names=names)
    return Regulator(found.gain + aside, found.cost, found.poles)


def refuse_unreached(
    A: np.ndarray, B: np.ndarray, labels: Sequence[str], what: str, discrete: bool = False, border: bool = False
) -> None:
    """Raises for a mode of A that B does not reach and that does not die out (with `border`: is on the border)."""
    found = unreached(A, B, labels, "reached", discrete).modes
    if not found:
        return
    largest = max(float(np.max(np.abs(np.linalg.eigvals(A)))), 1e-300)
    problems = []
    for value, states in found:
        off = np.log(max(abs(value), 1e-300)) if discrete else value.real / largest
        if off >= -MARGIN and not (border and off > MARGIN):
            problems.append(f"{what} the mode {shown_mode(value)}, in {', '.join(states)}")
    if problems:
        text = "; ".join(dict.fromkeys(problems))
        raise ModelError.at("modes", f"{text}; add inputs, sensors or weights there, or hold those coordinates")


def square(A: Any, what: str) -> np.ndarray:
    """A square matrix of finite numbers."""
    A = matrix(A, what)
    if A.shape[0] != A.shape[1]:
        raise ModelError.at(what, f"is {A.shape[0]} by {A.shape[1]}; it must be square")
    return A


def pair(A: Any, B: Any, first: str, second: str) -> tuple[np.ndarray, np.ndarray]:
    """A square matrix and one with as many rows."""
    A, B = square(A, first), matrix(B, second)
    if len(B) != len(A):
        raise ModelError.at(second, f"has {len(B)} rows; {first} has {len(A)}")
    return A, B


def matrix(A: Any, what: str) -> np.ndarray:
    A = as_array(A, what)
    if A.ndim != 2 or 0 in A.shape:
        raise ModelError.at(what, f"has shape {A.shape}; give rows and columns")
    if not np.all(np.isfinite(A)):
        raise ModelError.at(what, "has entries that are not finite")
    return A


def weight(given: Any, size: int, what: str, of: str, positive: bool = False) -> np.ndarray:
    """A symmetric weight from a matrix, its diagonal, or a number."""
    W = as_array(given, what)
    if W.ndim == 0:
        W = W * np.eye(size)
    elif W.ndim == 1 and len(W) == size:
        W = np.diag(W)
    if W.shape != (size, size):
        raise ModelError.at(what, f"has shape {as_array(given, what).shape}; there are {size} {of}")
    if not np.all(np.isfinite(W)):
        raise ModelError.at(what, "has entries that are not finite")
    top = np.max(np.abs(W))
    if np.max(np.abs(W - W.T)) > 1e-9 * top:
        raise ModelError.at(what, "is not symmetric")
    W = 0.5 * (W + W.T)
    least = float(np.linalg.eigvalsh(W)[0])
    if (positive and least <= 0.0) or least < -1e-12 * top:
        needed = "must be positive" if positive else "must not be negative"
        raise ModelError.at(what, f"has an eigenvalue {least:.3g}; all {needed}")
    return W


def _root(Q: np.ndarray) -> np.ndarray:
    """Q = root root^T; columns that are zero but for rounding are zero."""
    if np.array_equal(Q, np.diag(np.diag(Q))):
        return np.sqrt(np.maximum(Q, 0.0))
    values, X = np.linalg.eigh(Q)
    least = len(Q) * np.finfo(float).eps * np.max(np.abs(values))
    return X * np.sqrt(np.where(values > least, values, 0.0))


def _labels(names: Sequence[str] | None, n: int) -> Sequence[str]:
    if names is None:
        return [f"x[{i}]" for i in range(n)]
    if len(names) != n:
        raise ModelError.at("names", f"{len(names)} names; there are {n} states")
    return names
