"""Turning points and bifurcations to the last digit, and the tangents of the branches that cross.

A turning point is a regular solution of  Phi(q, t) = 0, Phi_q h = 0, h_k = 1  (Fraczek 2002, eq. 12), with unknowns q,
t and h. A crossing of two branches is not: there this system is singular. It is a regular solution of

    Phi(y) + mu u = 0,    Phi_y^T u = 0,    u . u = 1

with y = (q, t) and mu = 0 in the end (Moore 1980). Its tangents follow from the branching equation: in the basis (a, b)
of the null space of Phi_y, with u the left null vector, c = alpha a + beta b such that u . Phi_yy[c, c] = 0.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .curve import Curve

STEP = 1e-5
"""Of the differences of Jacobians [rad, m, s]."""


def refined_turning(curve: Curve, rows: np.ndarray, q: np.ndarray, t: float) -> tuple[np.ndarray, float]:
    """The turning point near a point of the curve, by Newton's method."""
    n = len(rows)
    h = np.linalg.svd(curve.partials(q, t)[rows, :-1])[2][-1]
    k = int(np.argmax(np.abs(h)))
    h = h / h[k]
    for _ in range(6):
        partials = curve.partials(q, t)[rows]
        left = np.concatenate([curve.residual(q, t)[rows], partials[:, :-1] @ h])
        if np.max(np.abs(left)) < 1e-13:
            break
        second = _differences(curve, rows, q, t, _Along(h))
        J = np.zeros((2 * n + 1, 2 * n + 1))
        J[:n, : n + 1], J[n : 2 * n, : n + 1], J[n : 2 * n, n + 1 :] = partials, second, partials[:, :-1]
        J[2 * n, n + 1 + k] = 1.0
        step = np.linalg.lstsq(J, -np.append(left, 0.0), rcond=1e-13)[0]
        if np.linalg.norm(step[: n + 1]) > 0.1:
            break
        q, t, h = curve.moved(q, step[:n]), t + float(step[n]), h + step[n + 1 :]
    return q, t


def refined_bifurcation(curve: Curve, rows: np.ndarray, q: np.ndarray, t: float) -> tuple[np.ndarray, float]:
    """The crossing near a point of the curve, by Newton's method; the point itself where that does not converge."""
    n, start = len(rows), (q, t)
    u = np.linalg.svd(curve.partials(q, t)[rows])[0][:, -1]
    mu = 0.0
    for _ in range(8):
        partials = curve.partials(q, t)[rows]
        left = np.concatenate([curve.residual(q, t)[rows] + mu * u, partials.T @ u, [u @ u - 1.0]])
        if np.max(np.abs(left)) < 1e-13:
            break
        J = np.zeros((2 * n + 2, 2 * n + 2))
        J[:n, : n + 1], J[:n, n + 1], J[:n, n + 2 :] = partials, u, mu * np.eye(n)
        J[n : 2 * n + 1, : n + 1] = _differences(curve, rows, q, t, _Across(u))
        J[n : 2 * n + 1, n + 2 :] = partials.T
        J[2 * n + 1, n + 2 :] = 2.0 * u
        step = np.linalg.lstsq(J, -left, rcond=1e-12)[0]
        if np.linalg.norm(step[: n + 1]) > 0.1:
            return start
        q, t, mu, u = curve.moved(q, step[:n]), t + float(step[n]), mu + float(step[n + 1]), u + step[n + 2 :]
    return (q, t) if abs(mu) < 1e-9 else start


def branch_tangents(curve: Curve, rows: np.ndarray, q: np.ndarray, t: float, along: np.ndarray) -> np.ndarray:
    """Unit tangents of the branches at a crossing, the nearest to `along` first, time going the same way in all."""
    U, singular, V = np.linalg.svd(curve.partials(q, t)[rows])
    if int(np.sum(singular < 1e-6 * singular[0])) != 1:
        return along[None]
    u, a, b = U[:, -1], V[-2], V[-1]

    def form(c: np.ndarray) -> float:
        return float(u @ curve.curvature(q, t, c)[rows])

    aa, bb = form(a), form(b)
    ab = 0.5 * (form(a + b) - aa - bb)
    size = max(abs(aa), abs(bb), abs(ab))
    inside = ab * ab - aa * bb
    if size == 0.0 or inside <= 1e-12 * size**2:
        return along[None]
    # each root in the form that has no cancellation
    large = ab + np.copysign(np.sqrt(inside), ab)
    pairs = [(-large, aa), (-bb, large)]
    found = [x * a + y * b for x, y in pairs]
    found = [one / np.linalg.norm(one) for one in found]
    sides = [one[-1] * along[-1] if abs(one[-1] * along[-1]) > 1e-6 else one @ along for one in found]
    found = [one if side >= 0.0 else -one for one, side in zip(found, sides, strict=True)]
    return np.array(sorted(found, key=lambda one: -abs(one @ along)))


class _Along:
    """Phi_q h of Jacobians."""

    def __init__(self, h: np.ndarray) -> None:
        self.h = h

    def __call__(self, partials: np.ndarray) -> np.ndarray:
        return partials[:, :-1] @ self.h


class _Across:
    """Phi_y^T u of Jacobians."""

    def __init__(self, u: np.ndarray) -> None:
        self.u = u

    def __call__(self, partials: np.ndarray) -> np.ndarray:
        return partials.T @ self.u


def _differences(
    curve: Curve, rows: np.ndarray, q: np.ndarray, t: float, of: Callable[[np.ndarray], np.ndarray]
) -> np.ndarray:
    """A function of the Jacobians by displacements and by t, central differences."""
    columns = []
    for k in range(curve.size + 1):
        x = np.zeros(curve.size)
        if k < curve.size:
            x[k] = STEP
        late = STEP if k == curve.size else 0.0
        up = of(curve.partials(curve.moved(q, x), t + late)[rows])
        down = of(curve.partials(curve.moved(q, -x), t - late)[rows])
        columns.append((up - down) / (2.0 * STEP))
    return np.column_stack(columns)
