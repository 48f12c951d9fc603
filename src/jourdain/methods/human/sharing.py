"""How muscles share a load: a quadratic program.

With activations a, F = S a + F_p and arms R (joints, muscles),

    minimise  1/2 sum (a_i - c)^2    such that  R (S a + F_p) = tau,  0 <= a <= 1,     S = diag(strength).

F_p are the passive forces, none unless given. A muscle of no strength can do nothing, and stays at c.

Its dual in the multipliers mu of the joints is smooth and piecewise quadratic: a = clip(c + S R^T mu, 0, 1), and
Newton's method with halved steps ends after finitely many of them. The last active set is then solved for exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ...basics.arguments import checked
from ...basics.errors import ModelError
from ...basics.values import as_array, as_number, numbers, shown

STEPS = 200
"""Of Newton's method at most."""
TOLERANCE = 1e-12
"""Of the efforts, over the largest that the muscles can make together."""


@checked
class Shared(NamedTuple):
    """How a load is shared.

    forces         of the muscles [N]
    activations    forces less passive ones over strengths
    multipliers    of the joints' equations: what a unit of effort more costs
    cost           sqrt(sum (a - c)^2) over the muscles that are free (Benes 2002, eq. 1)
    """

    forces: np.ndarray
    activations: np.ndarray
    multipliers: np.ndarray
    cost: float


@checked
def share_load(
    arms: ArrayLike,
    efforts: ArrayLike,
    strength: ArrayLike,
    *,
    co_contraction: float = 0.0,
    held: Sequence[int] = (),
    passive: ArrayLike | None = None,
) -> Shared:
    """Muscle forces that make efforts with the least sum of squared activations beyond the co-contraction.

    arms              effort of a unit force (joints, muscles) [m]
    efforts           wanted (joints,) [N m]
    strength          largest active forces (muscles,) [N], 0 for those that cannot act
    co_contraction    c that activations stay near, 0 to 1
    held              numbers of muscles that stay at c: antagonists
    passive           forces without activation (muscles,) [N]; None for none
    """
    R = np.atleast_2d(as_array(arms, "arms"))
    tau, most = np.atleast_1d(as_array(efforts, "efforts")), np.atleast_1d(as_array(strength, "strength"))
    c = as_number(co_contraction, "co_contraction")
    if R.ndim != 2 or R.shape != (len(tau), len(most)):
        raise ModelError.at("arms", f"has shape {R.shape}; give ({len(tau)} joints, {len(most)} muscles)")
    if not np.all(np.isfinite(R)) or not np.all(np.isfinite(tau)) or not np.all((most >= 0.0) & np.isfinite(most)):
        raise ModelError.at(
            "strength", f"got {numbers(most)}; give finite arms and efforts, and strengths of 0 or more"
        )
    resting = np.zeros(len(most)) if passive is None else np.atleast_1d(as_array(passive, "passive"))
    if resting.shape != most.shape or not np.all(np.isfinite(resting)):
        raise ModelError.at("passive", f"got {numbers(resting)}; give {len(most)} finite forces, one a muscle")
    if not 0.0 <= c <= 1.0:
        raise ModelError.at("co_contraction", f"is {shown(c)}; give 0 to 1")
    free = np.ones(len(most), bool)
    free[list(held)] = False
    G = R * most
    wanted = tau - c * G[:, ~free].sum(axis=1) - R @ resting
    a = np.full(len(most), c)
    a[free], mu = _nearest(G[:, free], wanted, c)
    return Shared(most * a + resting, a, mu, float(np.linalg.norm(a[free] - c)))


def _nearest(G: np.ndarray, b: np.ndarray, c: float) -> tuple[np.ndarray, np.ndarray]:
    """The point of 0 <= a <= 1, G a = b that is nearest to c, and the multipliers."""
    scale = np.abs(G).sum(axis=1)
    if np.any((scale == 0.0) & (b != 0.0)):
        raise _cannot(G, b)
    scale[scale == 0.0] = 1.0
    G, b = G / scale[:, None], b / scale
    mu = np.zeros(len(b))

    def dual(m: np.ndarray) -> float:
        y = c + m @ G
        a = np.clip(y, 0.0, 1.0)
        return float(m @ b - (y @ a - 0.5 * a @ a))

    for _ in range(STEPS):
        y = c + mu @ G
        a = np.clip(y, 0.0, 1.0)
        left = b - G @ a
        if np.max(np.abs(left)) < TOLERANCE:
            return a, mu / scale
        inside = (y >= 0.0) & (y <= 1.0)
        H = G[:, inside] @ G[:, inside].T
        step = np.linalg.solve(H + (1e-12 + 1e-6 * np.linalg.norm(left)) * np.eye(len(b)), left)
        now, size = dual(mu), 1.0
        while size > 1e-10 and dual(mu + size * step) < now + 1e-4 * size * (step @ left) - 1e-15 * abs(now):
            size *= 0.5
        mu = mu + size * step
        if np.max(np.abs(mu)) > 1e12:
            break
    raise _cannot(G * scale[:, None], b * scale)


def _cannot(G: np.ndarray, b: np.ndarray) -> ModelError:
    """Says how much of the efforts the muscles can make."""
    from scipy.optimize import linprog

    n = G.shape[1]
    rows = np.hstack([G, -b[:, None]])
    found = linprog(
        np.append(np.zeros(n), -1.0), A_eq=rows, b_eq=np.zeros(len(b)), bounds=[(0, 1)] * n + [(None, None)]
    )
    part = f"; they can make {found.x[-1]:.4g} of it" if found.status == 0 else ""
    words = f"the muscles that are free cannot make {numbers(b)}{part}: give more strength, other arms or less load"
    return ModelError.at("efforts", words)
