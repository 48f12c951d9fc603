"""The equations of motion to first order about a state, in the tangent space.

With x the displacement seen from the moving state, u the change of velocity and w that of the internal states,

    x' = u + G x,    M u' + C u + K x - E w = B r,    w' = Z_x x + Z_v u + Z_z w

K and C are those of the tree (`tree_derivatives`) less those of all else that acts (`Applied`). G carries displacements
of rotations and free joints along with the axes in which they are seen: G = -ad(v).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from .applied import Applied, Point, tree_accelerations
from .derivatives import tree_derivatives
from .errors import ModelError
from .functions import _effort
from .pose import cross_matrix
from .selection import entries

if TYPE_CHECKING:
    from .model import Model, State


@dataclass(frozen=True, eq=False)
class Tangent:
    """First-order equations about a point; see the module for the letters.

    free            velocities that are not held (n,); all matrices are of these only
    chosen          integrated states that enter (nz,)
    acceleration    at the point (nv,), zero where held
    effort          given, and where held found (nv,)
    rates           of all integrated states at the point
    felt            what contacts do at the point (contacts, 6), and its derivatives by x, u, w
    """

    model: Model
    applied: Applied
    point: Point
    free: np.ndarray
    chosen: np.ndarray
    acceleration: np.ndarray
    effort: np.ndarray
    rates: np.ndarray
    felt: np.ndarray
    felt_slopes: tuple[np.ndarray, np.ndarray, np.ndarray]
    M: np.ndarray
    K: np.ndarray
    C: np.ndarray
    E: np.ndarray
    G: np.ndarray
    Zx: np.ndarray
    Zv: np.ndarray
    Zz: np.ndarray

    @property
    def first_order(self) -> np.ndarray:
        """A of (x, u, w)' = A (x, u, w)."""
        n, nz = len(self.free), len(self.chosen)
        lower = solve_mass(self, np.hstack([-self.K, -self.C, self.E]))
        return np.block([[self.G, np.eye(n), np.zeros((n, nz))], [lower], [self.Zx, self.Zv, self.Zz]])


def solve_mass(tangent: Tangent, right: np.ndarray) -> np.ndarray:
    """M^-1 times a matrix; a singular M names its coordinate."""
    from scipy.linalg import cho_factor, cho_solve

    if not len(tangent.free):
        return np.zeros_like(right)
    try:
        factor = cho_factor(tangent.M)
    except (np.linalg.LinAlgError, ValueError):
        values, vectors = np.linalg.eigh(np.nan_to_num(tangent.M))
        name = tangent.model.names.v[tangent.free[int(np.argmax(np.abs(vectors[:, 0])))]]
        raise ModelError.at(
            "state", f'the mass matrix is singular there: nothing resists "{name}"; give it inertia, or hold it'
        ) from None
    return cho_solve(factor, right)


def tangent(
    model: Model,
    state: State,
    effort: Any = None,
    hold: Iterable[str] = (),
    controller: Any = None,
    applied: Applied | None = None,
    chosen: np.ndarray | None = None,
) -> Tangent:
    """The first-order equations about a state under `effort`; `chosen` overrules which states of contacts enter."""
    applied = Applied(model, controller) if applied is None else applied
    point = applied.begin(state)
    held = entries(model, hold, "hold")
    free = np.setdiff1d(np.arange(model.nv), held)
    acting = applied.at(point)
    total = _effort(model, effort) + acting.forces
    acceleration, supplied = tree_accelerations(model, applied.state(point), total, held)
    if not np.all(np.isfinite(acceleration)):
        bad = model.names.v[int(np.argmin(np.isfinite(acceleration)))]
        raise ModelError.at(
            "state", f'the acceleration of "{bad}" is not finite: its mass matrix is singular, or a law divides by zero'
        )
    chosen = applied.entering(point) if chosen is None else np.asarray(chosen, int)
    K, C, M = tree_derivatives(model, applied.state(point), acceleration)
    slopes = applied.slopes(point, chosen)
    block = np.ix_(free, free)
    return Tangent(
        model,
        applied,
        point,
        free,
        chosen,
        acceleration,
        supplied - acting.forces,
        acting.rates,
        acting.felt,
        tuple(one[..., free] if i < 2 else one for i, one in enumerate(slopes.felt)),  # type: ignore[arg-type]
        M[block],
        (K - slopes.forces[0])[block],
        (C - slopes.forces[1])[block],
        slopes.forces[2][free],
        transport(model, point)[block],
        slopes.rates[0][np.ix_(chosen, free)],
        slopes.rates[1][np.ix_(chosen, free)],
        slopes.rates[2][chosen],
    )


def transport(model: Model, point: Point) -> np.ndarray:
    """G: displacements are seen from axes that move with the state: x' = u - ad(v) x for rotations and free joints."""
    G = np.zeros((model.nv, model.nv))
    for k, free in _rotations(model):
        turn = -cross_matrix(point.v[k : k + 3])
        G[k : k + 3, k : k + 3] = turn
        if free:
            G[k + 3 : k + 6, k + 3 : k + 6] = turn
            G[k + 3 : k + 6, k : k + 3] = -cross_matrix(point.v[k + 3 : k + 6])
    return G


def _rotations(model: Model) -> Iterator[tuple[int, bool]]:
    for _, k, free in model.arrays.groups:
        yield int(k), bool(free)
