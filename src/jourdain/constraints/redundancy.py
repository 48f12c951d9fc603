"""Rows of constraints that follow from others wherever a model goes: found once, and left out of every solution.

Planar mechanisms closed by spatial joints have rows that do nothing at all; overconstrained ones, such as Bricard's,
have rows that depend on the others on the constraints and only there. Off them, within a step of a method, such rows
contradict the others a little, and a multiplier that tried to please all would be enormous: so which rows depend is
decided on the constraints, at the start and at places nearby, not within a step.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from ..pose import Pose

if TYPE_CHECKING:
    from ..model import Model
    from ..run import Run

DEPENDENT = 1e-8
"""What is left of a row of length one that depends on others is below this."""
STRIDE = 0.05
"""How far places nearby are, as the largest change of a velocity's entry times one second."""
PLACES = 2
"""Places nearby that are looked at."""
SINGULAR = 1e-3
"""Singular value of rows of length one below which a run that stopped is told to be at a singular configuration."""


def moved(model: Model, q: np.ndarray, change: np.ndarray) -> np.ndarray:
    """q after a change (nv,) in the directions of v: free joints move along their own axes."""
    from ..functions import displaced

    change = np.array(change)
    for j, k, free in model.arrays.groups:
        if free:
            R = Pose((0.0, 0.0, 0.0), q[j + 3 : j + 7]).rotation
            change[k + 3 : k + 6] = R @ change[k + 3 : k + 6]
    return displaced(model, q, change)


def inverse_root(model: Model, q: np.ndarray) -> np.ndarray:
    """L^-T of the mass matrix L L^T: the columns of A L^-T weigh the same, whatever the units of the coordinates."""
    from scipy.linalg import cholesky, solve_triangular

    L = cholesky(model.mass_matrix(q), lower=True)
    return solve_triangular(L, np.eye(len(L)), lower=True, trans="T")


def scaled_rows(model: Model, t: float, q: np.ndarray, held: Iterable[int]) -> np.ndarray:
    """A L^-T of the entries that are not held; rows of length one, or zero where they do nothing."""
    A = model.constraints.jacobian(q, t)
    free = np.setdiff1d(np.arange(model.nv), list(held))
    rows = A[:, free] @ inverse_root(model, q)[np.ix_(free, free)]
    length = np.linalg.norm(rows, axis=1)
    most = float(np.max(length, initial=0.0))
    some = length > DEPENDENT * most
    return np.where(some[:, None], rows / np.where(some, length, 1.0)[:, None], 0.0)


def independent_rows(rows: np.ndarray, holonomic: np.ndarray) -> np.ndarray:
    """Rows (bool) that the others follow from: holonomic ones first, each time the one farthest from those taken."""
    left = rows.copy()
    taken = np.zeros(len(rows), bool)
    for group in (holonomic, ~holonomic):
        while True:
            length = np.where(group & ~taken, np.linalg.norm(left, axis=1), 0.0)
            best = int(np.argmax(length)) if len(length) else 0
            if not len(length) or length[best] <= DEPENDENT:
                break
            taken[best] = True
            direction = left[best] / length[best]
            for _ in range(2):  # twice is enough (Kahan)
                left -= np.outer(left @ direction, direction)
    return taken


def near(model: Model, t: float, q: np.ndarray, held: Iterable[int]) -> list[np.ndarray]:
    """Places nearby on the constraints."""
    rng = np.random.default_rng(0)
    held = list(held)
    out = []
    for _ in range(PLACES):
        A = model.constraints.jacobian(q, t)
        A[:, held] = 0.0
        way = rng.uniform(-1.0, 1.0, model.nv)
        way[held] = 0.0
        way -= _least(A, A @ way)
        size = float(np.max(np.abs(way), initial=0.0))
        if size < 1e-6:
            continue
        for stride in (STRIDE, 0.2 * STRIDE):
            found = _closed(model, t, moved(model, q, stride / size * way), held)
            if found is not None:
                out.append(found)
                break
    return out


def _least(A: np.ndarray, right: np.ndarray) -> np.ndarray:
    """The smallest solution of A x = right."""
    from scipy.linalg import lstsq

    return lstsq(A, right, cond=DEPENDENT, lapack_driver="gelsy", check_finite=False)[0]


def _closed(model: Model, t: float, q: np.ndarray, held: list[int]) -> np.ndarray | None:
    """The constraints closed from q by Newton's method with the smallest changes; None where it does not converge."""
    for _ in range(12):
        gaps = model.constraints.residual(q, t)
        if float(np.max(np.abs(gaps), initial=0.0)) < 1e-12:
            return q
        A = model.constraints.jacobian(q, t)
        A[:, held] = 0.0
        A[~model.constraints.holonomic] = 0.0
        q = moved(model, q, -_least(A, gaps))
    return None


def idle_rows(model: Model, t: float, q: np.ndarray, held: Iterable[int]) -> np.ndarray:
    """Rows (bool) that follow from the others at q and nearby.

    Chosen where the rank is largest: a start in a singular configuration must not cost rows that are needed soon.
    """
    held = list(held)
    holonomic = model.constraints.holonomic
    seen = [scaled_rows(model, t, place, held) for place in (q, *near(model, t, q, held))]
    chosen = [independent_rows(rows, holonomic) for rows in seen]
    best = max(range(len(seen)), key=lambda i: int(chosen[i].sum()))
    taken = chosen[best]
    for rows, other in zip(seen, chosen, strict=True):
        if other.sum() == taken.sum() and independent_rows(rows[taken], holonomic[taken]).sum() < taken.sum():
            return ~np.any([np.any(rows != 0.0, axis=1) for rows in seen], axis=0)
    return ~taken


def near_singular(model: Model, run: Run, held: Iterable[int]) -> tuple[str, str] | None:
    """What to say of a run that stopped where its mechanism is singular: why, and the remedy; None where it is not.

    The last sample is compared with the first: a direction in which the rows that were independent hold less than
    SINGULAR of what they held is one that they are about to let go.
    """
    if not len(model.constraints):
        return None
    first, last = (scaled_rows(model, float(run.record.time[i]), run.record.q[i], held) for i in (0, -1))
    taken = independent_rows(first, model.constraints.holonomic)
    values = np.linalg.svd(last[taken], compute_uv=False)
    rank = int(np.sum(values > SINGULAR))
    if not np.all(np.isfinite(values)) or rank >= int(taken.sum()):
        return None
    t = float(run.record.time[-1])
    why = (
        f"the mechanism comes to a singular configuration near t = {t:.6g} s, where {taken.sum()} independent rows of "
        f"constraints become {rank}"
    )
    return why, "pass it with a fixed step or a looser rtol, or start so that it is not met"
