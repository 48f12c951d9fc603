"""Collocation: where the nodes of an interval are, and what joins their states to their rates.

On an interval of length h the rate is the polynomial through its values at K points c_i, and the state its integral,

    x(c_i) = x(0) + h sum_j A_ij f_j,    A_ij = integral of the j-th Lagrange polynomial from 0 to c_i.

Lobatto points with 0 and 1 among them make Lobatto IIIA: two are the trapezoidal rule, of order 2, three
Hermite-Simpson, of order 4 (Hairer & Wanner 1996, IV.5; Betts 2010, section 4.5). Radau points with 1 make Radau IIA,
of order 2 K - 1, here 5.

Rows of an interval are mixed, so that fewer rates stand in each: the solutions are the same, and the derivatives of
rates, which are most of the Jacobian's numbers, stand there fewer times. Hermite-Simpson's two rows then have two rates
each instead of three, h (f_0 + 2 f_m) / 5 and h (2 f_m + f_1) / 5, and those of Radau one each, the differential form
(Betts 2010, section 4.6.6 on sparsity).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.polynomial import Polynomial

from ...basics.errors import ModelError
from ...basics.values import suggestion

POINTS: dict[str, tuple[tuple[float, ...], int]] = {
    "trapezoidal": ((0.0, 1.0), 2),
    "hermite-simpson": ((0.0, 0.5, 1.0), 4),
    "radau": (((4.0 - 6.0**0.5) / 10.0, (4.0 + 6.0**0.5) / 10.0, 1.0), 5),
}
"""Points of an interval, and the order of what they give."""


@dataclass(frozen=True)
class Scheme:
    """One of the collocations.

    name      "trapezoidal", "hermite-simpson" or "radau"
    points    c (K,), of an interval of length one
    order     in which errors at the ends of intervals vanish with the length of these
    """

    name: str
    points: tuple[float, ...]
    order: int

    @property
    def shared(self) -> bool:
        """Whether the first point of an interval is the last of the one before."""
        return self.points[0] == 0.0

    @cached_property
    def lagrange(self) -> list[Polynomial]:
        """Polynomials that are one at one point and zero at the others."""
        c = np.array(self.points)
        return [Polynomial.fromroots(np.delete(c, j)) / np.prod(c[j] - np.delete(c, j)) for j in range(len(c))]

    @cached_property
    def matrix(self) -> np.ndarray:
        """A (K, K)."""
        return self.integrals(np.array(self.points))

    @cached_property
    def mixing(self) -> np.ndarray:
        """Rows of an interval as they stand in the equations, by those with the integrals (rows, rows).

        The largest number of a state in a row is one.
        """
        if not self.shared:
            out = np.linalg.inv(self.matrix)
            return out / np.maximum(np.abs(out).max(1), np.abs(out.sum(1)))[:, None]
        return np.array([[0.8, 0.2], [-0.8, 1.0]]) if len(self.points) == 3 else np.eye(len(self.points) - 1)

    def integrals(self, s: np.ndarray) -> np.ndarray:
        """Integrals of the Lagrange polynomials from 0 to each s (len(s), K)."""
        return np.stack([one.integ()(s) for one in self.lagrange], axis=-1)

    def values(self, s: np.ndarray) -> np.ndarray:
        """Lagrange polynomials at each s (len(s), K)."""
        return np.stack([one(s) for one in self.lagrange], axis=-1)


def scheme_named(name: Any) -> Scheme:
    """The collocation of that name."""
    if name not in POINTS:
        raise ModelError.at("scheme", f"got {name!r}; {suggestion(str(name), POINTS)}")
    points, order = POINTS[name]
    return Scheme(name, points, order)


class TimeMesh:
    """Intervals of a horizon of length one, their nodes, and the equations between states and rates at the nodes.

    fractions     (N + 1,) ends of the intervals, from 0 to 1
    times         (n,) nodes; the first is at 0
    weights       (n,) of the quadrature, whose sum is one
    state_at      (row, node, number) of the states in the equations: sum of x less T times sum of rates is zero
    rate_at       (row, node, number) of the rates in them
    own           (N, K) nodes at which an interval has its rates
    begins        (N,) node at which an interval begins
    """

    def __init__(self, scheme: Scheme, fractions: np.ndarray) -> None:
        self.scheme, self.fractions = scheme, np.asarray(fractions, float)
        self.lengths = np.diff(self.fractions)
        count, K = len(self.lengths), len(scheme.points)
        inner = K - 1 if scheme.shared else K
        self.begins = np.arange(count) * inner
        self.own = self.begins[:, None] + (np.arange(K) if scheme.shared else np.arange(1, K + 1))
        self.size = count * inner + 1
        self.times, self.weights = np.zeros(self.size), np.zeros(self.size)
        self.times[self.own] = self.fractions[:-1, None] + self.lengths[:, None] * np.array(scheme.points)
        self.times[0], self.times[-1] = 0.0, 1.0
        np.add.at(self.weights, self.own, self.lengths[:, None] * scheme.matrix[-1])
        rows = np.arange(count * inner).reshape(count, inner)
        first = 1 if scheme.shared else 0
        states = np.concatenate([self.begins[:, None], self.own[:, first:]], axis=1)
        mixing = scheme.mixing
        self.state_at = _placed(rows, states, np.column_stack([-mixing.sum(1), mixing]), np.ones(count))
        self.rate_at = _placed(rows, self.own, mixing @ scheme.matrix[first:], self.lengths)
        self.rows = count * inner

    def unmixed(self, multipliers: np.ndarray) -> np.ndarray:
        """Multipliers (rows, nx) of the rows with the integrals, by those of the rows as they stand."""
        per = multipliers.reshape(len(self.lengths), len(self.scheme.mixing), -1)
        return np.einsum("ij,nix->njx", self.scheme.mixing, per).reshape(multipliers.shape)

    @property
    def ruled(self) -> np.ndarray:
        """Whether the rates at a node count (n,): those at the very beginning do not with Radau's points."""
        out = np.ones(self.size, bool)
        out[0] = self.scheme.shared
        return out

    def sample(
        self, s: np.ndarray, X: np.ndarray, U: np.ndarray, F: np.ndarray, duration: float
    ) -> tuple[np.ndarray, np.ndarray]:
        """States and inputs at fractions s of the horizon, by the polynomials of the scheme."""
        at = np.clip(np.searchsorted(self.fractions, s, "right") - 1, 0, len(self.lengths) - 1)
        local = (s - self.fractions[at]) / self.lengths[at]
        h = duration * self.lengths[at]
        own = self.own[at]
        grown = np.einsum("ij,ijk->ik", self.scheme.integrals(local), F[own])
        states = X[self.begins[at]] + h[:, None] * grown
        inputs = np.einsum("ij,ijk->ik", self.scheme.values(local), U[own])
        return states, inputs


def _placed(
    rows: np.ndarray, nodes: np.ndarray, numbers: np.ndarray, factors: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Rows, nodes and numbers of one matrix for every interval, times the interval's factor, without its zeros."""
    shape = (len(rows), *numbers.shape)
    kept = np.broadcast_to(np.abs(numbers) > 1e-14, shape)
    filled = (rows[:, :, None], nodes[:, None, :], factors[:, None, None] * numbers)
    row, node, number = (np.broadcast_to(one, shape)[kept] for one in filled)
    return row, node, number


def even_mesh(scheme: Scheme, intervals: int) -> TimeMesh:
    """Intervals of one length."""
    return TimeMesh(scheme, np.linspace(0.0, 1.0, intervals + 1))
