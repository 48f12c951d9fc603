"""The equations of motion to first order about a state, in the tangent space.

With x the displacement seen from the moving state, u the change of velocity and w that of the internal states,

    x' = u + G x,    M u' + C u + K x - E w = B r,    w' = Z_x x + Z_v u + Z_z w

K and C are those of the tree (`tree_derivatives`) less those of all else that acts (`AppliedModel`). G carries
displacements
of rotations and free joints along with the axes in which they are seen: G = -ad(v).

With constraints x and u are those of the independent entries only, and the letters those of `constrained`.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...basics.errors import ModelError
from ..derivatives import tree_derivatives
from ..displacement import transport
from ..kernel_calls import checked_efforts
from ..selection import entries
from . import constrained as reduced
from .applied_forces import AppliedModel, Point, tree_accelerations, tree_efforts

if TYPE_CHECKING:
    from ..model import Model
    from ..state import State


@dataclass(frozen=True, eq=False)
class Tangent:
    """First-order equations about a point; see the module for the letters.

    free            velocities that are neither held nor dependent (n,); all matrices are of these only
    placed          the same of displacements (nx,); more than of velocities where constraints bind velocities only
    chosen          integrated states that enter (nz,)
    acceleration    at the point (nv,), zero where held
    effort          given, and where held found (nv,)
    rates           of all integrated states at the point
    contact_wrenches            what contacts do at the point (contacts, 6), and its derivatives by x, u, w
    X, W, U         displacements of all by x (nv, nx), velocities of all by u (nv, n) and by x (nv, nx)
    V               how fast u displaces (nx, n); the unit matrix but where constraints bind velocities only
    multipliers     of the constraints at the point (rows,)
    K_applied        the part of K that laws and contacts make
    """

    model: Model
    applied: AppliedModel
    point: Point
    free: np.ndarray
    placed: np.ndarray
    chosen: np.ndarray
    acceleration: np.ndarray
    effort: np.ndarray
    rates: np.ndarray
    contact_wrenches: np.ndarray
    wrench_partials: tuple[np.ndarray, np.ndarray, np.ndarray]
    M: np.ndarray
    K: np.ndarray
    C: np.ndarray
    E: np.ndarray
    G: np.ndarray
    Zx: np.ndarray
    Zv: np.ndarray
    Zz: np.ndarray
    X: np.ndarray
    W: np.ndarray
    U: np.ndarray
    V: np.ndarray
    multipliers: np.ndarray
    K_applied: np.ndarray

    @property
    def first_order(self) -> np.ndarray:
        """A of (x, u, w)' = A (x, u, w)."""
        nx, nz = len(self.placed), len(self.chosen)
        lower = solve_mass(self, np.hstack([-self.K, -self.C, self.E]))
        return np.block([[self.G, self.V, np.zeros((nx, nz))], [lower], [self.Zx, self.Zv, self.Zz]])


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
    applied: AppliedModel | None = None,
    chosen: np.ndarray | None = None,
    independent: Iterable[str] | None = None,
) -> Tangent:
    """The first-order equations about a state under `effort`; `chosen` overrules which states of contacts enter, and
    `independent` which velocities stay where constraints bind the others."""
    applied = AppliedModel(model, controller) if applied is None else applied
    point = applied.begin(state)
    held = entries(model, hold, "hold")
    free = np.setdiff1d(np.arange(model.nv), held)
    bound = reduced.constrained(model)
    if independent is not None and not bound:
        raise ModelError.at("independent", "this model has no constraints: all its velocities are independent")
    if bound:
        reduced.closed_state(model, applied.state(point))
    acting = applied.at(point)
    total = checked_efforts(model, effort) + acting.forces
    acceleration, supplied = tree_accelerations(model, applied.state(point), total, held)
    if not np.all(np.isfinite(acceleration)):
        bad = model.names.v[int(np.argmin(np.isfinite(acceleration)))]
        raise ModelError.at(
            "state", f'the acceleration of "{bad}" is not finite: its mass matrix is singular, or a law divides by zero'
        )
    multipliers = np.zeros(0)
    if bound:
        acceleration, multipliers, A = reduced.reaction(model, applied.state(point), free, acceleration)
        supplied = supplied.copy()
        needed = tree_efforts(model, applied.state(point), acceleration) - A.T @ multipliers
        supplied[held] = needed[held]
    chosen = applied.entering(point) if chosen is None else np.asarray(chosen, int)
    K, C, M = tree_derivatives(model, applied.state(point), acceleration)
    partials = applied.partials(point, chosen)
    whole = _Whole(
        M=M[np.ix_(free, free)],
        K=(K - partials.forces[0])[np.ix_(free, free)],
        C=(C - partials.forces[1])[np.ix_(free, free)],
        E=partials.forces[2][free],
        G=transport(model, point.v)[np.ix_(free, free)],
        Zx=partials.rates[0][np.ix_(chosen, free)],
        Zv=partials.rates[1][np.ix_(chosen, free)],
        wrench_partials=tuple(one[..., free] if i < 2 else one for i, one in enumerate(partials.contact_wrenches)),  # type: ignore[arg-type]
    )
    unit = np.eye(model.nv)[:, free]
    maps: tuple[np.ndarray, ...] = (free, free, unit, unit, 0.0 * unit, np.eye(len(free)))
    if bound:
        whole, maps = _reduced(model, applied.state(point), free, whole, M, acceleration, multipliers, independent)
    moving, placed, X, W, U, V = maps
    K_applied = partials.forces[0][np.ix_(free, free)]
    return Tangent(
        model=model,
        applied=applied,
        point=point,
        free=moving,
        placed=placed,
        chosen=chosen,
        acceleration=acceleration,
        effort=supplied - acting.forces,
        rates=acting.rates,
        contact_wrenches=acting.contact_wrenches,
        **whole._asdict(),
        Zz=partials.rates[2][chosen],
        X=X,
        W=W,
        U=U,
        V=V,
        multipliers=multipliers,
        K_applied=W[free].T @ K_applied @ X[free] if bound else K_applied,
    )


class _Whole(NamedTuple):
    """The matrices of some entries; see `Tangent`."""

    M: np.ndarray
    K: np.ndarray
    C: np.ndarray
    E: np.ndarray
    G: np.ndarray
    Zx: np.ndarray
    Zv: np.ndarray
    wrench_partials: tuple[np.ndarray, np.ndarray, np.ndarray]


def _reduced(
    model: Model,
    state: State,
    free: np.ndarray,
    whole: _Whole,
    mass: np.ndarray,
    acceleration: np.ndarray,
    multipliers: np.ndarray,
    independent: Iterable[str] | None,
) -> tuple[_Whole, tuple[np.ndarray, ...]]:
    """The equations of the independent entries, and what leads from those to all entries of v."""
    by = reduced.bound(model, state, free, mass, independent)
    K = whole.K - reduced.geometric_stiffness(model, state, multipliers)[np.ix_(free, free)]
    by_place, by_speed = (one[:, free] for one in reduced.acceleration_partials(model, state, acceleration))
    X, W, U, D = by.X, by.W, by.U, by.D
    lag = whole.M @ D
    at_x = np.searchsorted(free, by.placed)
    wrench_by_x, wrench_by_u, wrench_by_z = whole.wrench_partials
    out = _Whole(
        M=W.T @ whole.M @ W,
        K=W.T @ (K @ X + whole.C @ U - lag @ (by_place @ X + by_speed @ U)),
        C=W.T @ (whole.C @ W - lag @ by_speed @ W),
        E=W.T @ whole.E,
        G=(U + whole.G @ X)[at_x],
        Zx=whole.Zx @ X + whole.Zv @ U,
        Zv=whole.Zv @ W,
        wrench_partials=(wrench_by_x @ X + wrench_by_u @ U, wrench_by_u @ W, wrench_by_z),
    )
    wide = np.eye(model.nv)[:, free]
    return out, (by.moving, by.placed, wide @ X, wide @ W, wide @ U, W[at_x])
