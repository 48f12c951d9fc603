"""Coordinates whose velocities change at once: the impact, its impulses and its loss."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..basics.errors import ModelError

if TYPE_CHECKING:
    from ..model.model import Model


class Impact(NamedTuple):
    """What an impact does.

    v          (nv,) velocities after it
    impulse    (nv,) on the held entries, zero on the free ones
    loss       kinetic energy lost [J]
    work       done by what moves the held entries [J]
    rows       (rows,) impulses of the rows of the constraints
    """

    v: np.ndarray
    impulse: np.ndarray
    loss: float
    work: float
    rows: np.ndarray


def impact(
    model: Model,
    q: np.ndarray,
    v: np.ndarray,
    wanted: dict[int, float],
    held: np.ndarray,
    time: float = 0.0,
    closes: bool = False,
) -> Impact:
    """Entries of v get the velocities `wanted`; those `held` before keep theirs; no impulse acts on the others.

    With d the change of v, (M d)_k = 0 for every free entry k: the momentum of each is kept, and with it whatever the
    held entries cannot exchange with the world, such as linear and angular momentum of a system that floats. Where all
    wanted are zero and nothing else is held, d = -M^-1 P^T (P M^-1 P^T)^-1 P v with P the rows of the wanted entries.
    The kinetic energy changes by (M d)^T v_after - 1/2 d^T M d: the work of what moves the held entries, less Carnot's
    loss, the kinetic energy of the velocities lost. Constraints at `time` exchange impulses too: A d = 0, and (M d)_k
    is what their multipliers leave there, (A^T x)_k.

    Where constraints close (`closes`), the velocities before need not obey them: A d = -(A v + c). Their impulses are
    inner ones of the system and do no work on A v + c = 0, so that what is lost is Carnot's 1/2 d^T M d; between two
    free particles that is 1/2 m1 m2 / (m1 + m2) u^2 (Routh, Elementary Rigid Dynamics, art. 171 and 377).
    """
    change = np.zeros(model.nv)
    for k, speed in wanted.items():
        change[k] = speed - v[k]
    nothing = np.zeros(model.constraints.rows)
    if not np.any(change) and not closes:
        return Impact(v.copy(), np.zeros(model.nv), 0.0, 0.0, nothing)
    from scipy.linalg import solve

    M = model.mass_matrix(q)
    fixed = held.astype(bool).copy()
    fixed[list(wanted)] = True
    free = ~fixed
    through, rows = np.zeros(model.nv), nothing
    if len(model.constraints):
        through, rows = _linked(model, (q, v, time), M, free, change, closes)
    elif np.any(free):
        change[free] = -solve(M[np.ix_(free, free)], M[np.ix_(free, fixed)] @ change[fixed], assume_a="pos")
    impulse = np.where(fixed, M @ change - through, 0.0)
    after = v + change
    for k, speed in wanted.items():
        after[k] = speed
    gained = impulse + through
    return Impact(after, impulse, 0.5 * float(gained @ change), float(gained @ after), rows)


def _linked(
    model: Model,
    now: tuple[np.ndarray, np.ndarray, float],
    M: np.ndarray,
    free: np.ndarray,
    change: np.ndarray,
    closes: bool,
) -> tuple[np.ndarray, np.ndarray]:
    """Completes the change of v under the constraints, in place; returns the impulses (nv,) of these, and those of
    their rows. now: q, v and the time.

    With M = L L^T on the free entries and G = A L^-T, L^T d = w + G^+ (r - G w), where w is what there would be without
    constraints and r what the given entries ask of them.
    """
    from scipy.linalg import cholesky, solve_triangular

    A, table = model.constraints.jacobian_and_table(*now)
    fixed = ~free
    asked = -A[:, fixed] @ change[fixed]
    scale = max(float(np.max(np.abs(A[:, fixed] * change[fixed]), initial=0.0)), 1e-300)
    if closes:
        asked -= table.columns.rate
        scale = max(scale, float(np.max(np.abs(A * now[1]), initial=0.0)))
    x = np.zeros(len(A))
    left = asked
    if np.any(free):
        L = cholesky(M[np.ix_(free, free)], lower=True)
        G = solve_triangular(L, A[:, free].T, lower=True).T
        w = -solve_triangular(L, M[np.ix_(free, fixed)] @ change[fixed], lower=True)
        inverse = np.linalg.pinv(G, rcond=1e-9)
        w = w + inverse @ (asked - G @ w)
        left = asked - G @ w
        change[free] = solve_triangular(L, w, lower=True, trans="T")
        x = inverse.T @ (w + solve_triangular(L, M[np.ix_(free, fixed)] @ change[fixed], lower=True))
    if np.max(np.abs(left), initial=0.0) > 1e-7 * scale:
        worst = model.constraints.owners[int(np.argmax(np.abs(left)))]
        raise ModelError.at(
            worst, "the velocities that the event asks for break this constraint; hold fewer coordinates, or others"
        )
    return A.T @ x, x
