"""Coordinates whose velocities change at once: the impact, its impulses and its loss."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from .model import Model


class Impact(NamedTuple):
    """What an impact does.

    v          (nv,) velocities after it
    impulse    (nv,) on the held entries, zero on the free ones
    loss       kinetic energy lost [J]
    work       done by what moves the held entries [J]
    """

    v: np.ndarray
    impulse: np.ndarray
    loss: float
    work: float


def impact(model: Model, q: np.ndarray, v: np.ndarray, wanted: dict[int, float], held: np.ndarray) -> Impact:
    """Entries of v get the velocities `wanted`; those `held` before keep theirs; no impulse acts on the others.

    With d the change of v, (M d)_k = 0 for every free entry k: the momentum of each is kept, and with it whatever the
    held entries cannot exchange with the world, such as linear and angular momentum of a system that floats. Where all
    wanted are zero and nothing else is held, d = -M^-1 P^T (P M^-1 P^T)^-1 P v with P the rows of the wanted entries.
    The kinetic energy changes by (M d)^T v_after - 1/2 d^T M d: the work of what moves the held entries, less Carnot's
    loss, the kinetic energy of the velocities lost.
    """
    change = np.zeros(model.nv)
    for k, speed in wanted.items():
        change[k] = speed - v[k]
    if not np.any(change):
        return Impact(v.copy(), np.zeros(model.nv), 0.0, 0.0)
    from scipy.linalg import solve

    M = model.mass_matrix(q)
    fixed = held.astype(bool).copy()
    fixed[list(wanted)] = True
    free = ~fixed
    if np.any(free):
        change[free] = -solve(M[np.ix_(free, free)], M[np.ix_(free, fixed)] @ change[fixed], assume_a="pos")
    impulse = np.where(fixed, M @ change, 0.0)
    after = v + change
    for k, speed in wanted.items():
        after[k] = speed
    return Impact(after, impulse, 0.5 * float(impulse @ change), float(impulse @ after))
