"""First-order equations on the constraints: what is left of x, u of a tree when loops bind them.

Rows say A v + c = 0, and those that are holonomic Phi(q, t) = 0 as well. Near a state on the constraints

    A_h x = 0,    A u + N x = 0,    A u' + g_x x + g_v u = 0

with N = d(A v + c)/dx and g = A a + (dA/dt v + dc/dt). Some entries are independent: y of x, w of u. The others follow,

    x = X y,    u = W w + U y,    u' = W w' - D (g_x x + g_v u)

where D solves the rows for the dependent entries, and Jourdain's principle, W^T (...) = 0, leaves the multipliers out,
but for the geometric stiffness -d(A^T lambda)/dx of those that act in the state. (The reduction of Kuebler & Eberhard's
equation 10, and of Belda's 2, to independent coordinates, carried out to first order.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from .displacement import moved_along
from .errors import ModelError
from .selection import entries

if TYPE_CHECKING:
    from .model import Model, State

OPEN = 1e-6
"""How far a loop may be open, or move open, in a state to be linearised [m, rad, and per s]."""
RANK = 1e-9
"""Singular value over the largest that counts as zero."""
STEP = 1e-3
"""Of the fourth-order differences of rows [rad, m, and per s]."""


class Bound(NamedTuple):
    """How constraints bind the free entries of v, nf of them, at a state.

    placed       independent displacements, as entries of v (nx,)
    moving       independent velocities, as entries of v (n,)
    X, W, U      (nf, nx), (nf, n), (nf, nx); see the module
    D            (nf, rows)
    A            (rows, nf)
    """

    placed: np.ndarray
    moving: np.ndarray
    X: np.ndarray
    W: np.ndarray
    U: np.ndarray
    D: np.ndarray
    A: np.ndarray


def constrained(model: Model) -> bool:
    """Whether a model has constraints."""
    return bool(model.arrays.constraint_index.shape[0])


def closed_state(model: Model, state: State) -> None:
    """Refuses a state whose loops are open, or are coming open."""
    gap = model.constraints.residual(state.q, time=state.time)
    rate = model.constraints.rate(state)
    for what, left, unit in (("are open by", gap, ""), ("come open at", rate, " per second")):
        if np.max(np.abs(left), initial=0.0) > OPEN:
            row = int(np.argmax(np.abs(left)))
            raise ModelError.at(
                model.constraints.owners[row],
                f"the loops {what} {abs(left[row]):.3g}{unit} in this state; close them with model.assemble(state)",
            )


def reaction(
    model: Model, state: State, free: np.ndarray, acceleration: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Accelerations with the constraints, multipliers of least norm, and A, from accelerations of the tree alone."""
    A = model.constraints.jacobian(state.q, time=state.time)
    M = model.mass_matrix(state.q)[np.ix_(free, free)]
    left = A @ acceleration + model.constraints.bias(state)
    push = np.linalg.solve(M, A[:, free].T) if len(free) else np.zeros((0, len(A)))
    multipliers = np.linalg.lstsq(A[:, free] @ push, -left, rcond=RANK)[0]
    out = acceleration.copy()
    out[free] += push @ multipliers
    stays = np.abs(A @ out + model.constraints.bias(state))
    if np.max(stays, initial=0.0) > 1e-6 * max(1.0, float(np.max(np.abs(left), initial=0.0))):
        name = model.constraints.owners[int(np.argmax(stays))]
        raise ModelError.at(name, "what is held and the loops contradict each other; hold less")
    return out, multipliers, A


def bound(
    model: Model, state: State, free: np.ndarray, mass: np.ndarray, independent: Iterable[str] | None = None
) -> Bound:
    """The independent entries and how the others follow.

    mass           M (nv, nv): dependent become those that the rows bind most (Terze & Lefeber's projective criterion)
    independent    names of velocities that are to be independent; None to choose
    """
    A = model.constraints.jacobian(state.q, time=state.time)[:, free]
    hard = model.constraints.holonomic
    weight = 1.0 / np.sqrt(np.maximum(np.diag(mass)[free], 1e-300))
    wanted = np.zeros(len(free), bool)
    if independent is not None:
        wanted = np.isin(free, entries(model, independent, "independent"))
    first = _dependent(A[hard] * weight, wanted, np.zeros(len(free), bool))
    second = _dependent(A * weight, wanted, first)
    if independent is not None and np.sum(~second) != np.sum(wanted):
        names = ", ".join(f'"{model.names.v[k]}"' for k in free[~second])
        raise ModelError.at(
            "independent", f"{int(np.sum(wanted))} are named that {int(np.sum(~second))} must be; such as {names}"
        )
    X, _ = _follow(A[hard], first)
    W, D = _follow(A, second)
    N = _by_place(model, state, free, lambda q: model.constraints.rate(model.state(q=q, v=state.v, time=state.time)))
    return Bound(free[~first], free[~second], X, W, -D @ N @ X, D, A)


def _dependent(A: np.ndarray, wanted: np.ndarray, already: np.ndarray) -> np.ndarray:
    """Which entries depend on the others: those in `already`, then by pivoted QR, the `wanted` ones last."""
    from scipy.linalg import qr

    out = already.copy()
    if not A.size:
        return out
    top = float(np.linalg.norm(A, 2))
    if np.any(already):
        # what the rows still say once the entries that depend already are eliminated
        basis, _ = _follow(A, already, loose=True)
        Q, _ = np.linalg.qr(A[:, already])
        A = A @ basis if basis.size else A
        A = A - Q @ (Q.T @ A)
        left = np.flatnonzero(~already)
    else:
        left = np.arange(A.shape[1])
    for group in (~wanted[left], wanted[left]):
        columns = np.flatnonzero(group)
        if not len(columns) or top == 0.0:
            continue
        Q, R, order = qr(A[:, columns], mode="economic", pivoting=True)
        rank = int(np.sum(np.abs(np.diag(R)) > RANK * top))
        out[left[columns[order[:rank]]]] = True
        A = A - Q[:, :rank] @ (Q[:, :rank].T @ A)
    return out


def _follow(A: np.ndarray, dependent: np.ndarray, loose: bool = False) -> tuple[np.ndarray, np.ndarray]:
    """Basis of the null space with ones at the independent entries, and the solution of the rows for the dependent."""
    n = len(dependent)
    free = np.flatnonzero(~dependent)
    solve = np.zeros((n, len(A)))
    if np.any(dependent):
        solve[dependent] = np.linalg.pinv(A[:, dependent], rcond=RANK)
    basis = np.eye(n)[:, free]
    basis = basis - solve @ A[:, free]
    if not loose and A.size and np.max(np.abs(A @ basis), initial=0.0) > 1e-6 * max(1.0, float(np.max(np.abs(A)))):
        raise ModelError.at("independent", "those named do not determine the others; name others")
    return basis, solve


def _by_place(model: Model, state: State, free: np.ndarray, of: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    """Derivative of rows by displacement (..., nf), fourth-order differences."""
    columns = []
    for k in free:
        four = [of(moved_along(model, state.q, int(k), s * STEP)) for s in (-2, -1, 1, 2)]
        columns.append((8.0 * (four[2] - four[1]) - (four[3] - four[0])) / (12.0 * STEP))
    return np.stack(columns, axis=-1) if columns else np.zeros((*of(state.q).shape, 0))


def geometric_stiffness(model: Model, state: State, free: np.ndarray, multipliers: np.ndarray) -> np.ndarray:
    """d(A^T lambda)/dx (nv, nf) of constant multipliers."""
    return _by_place(model, state, free, lambda q: model.constraints.jacobian(q, time=state.time).T @ multipliers)


def acceleration_slopes(
    model: Model, state: State, free: np.ndarray, acceleration: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """g_x and g_v (rows, nf) of g = A a + dA/dt v + dc/dt; in v it is a quadratic, so that differences are exact."""
    rows = model.constraints

    def bias(q: np.ndarray, v: np.ndarray) -> np.ndarray:
        return rows.bias(model.state(q=q, v=v, time=state.time))

    by_place = _by_place(
        model, state, free, lambda q: rows.jacobian(q, time=state.time) @ acceleration + bias(q, state.v)
    )
    unit = np.eye(model.nv)
    columns = [0.5 * (bias(state.q, state.v + unit[k]) - bias(state.q, state.v - unit[k])) for k in free]
    return by_place, np.stack(columns, axis=-1) if columns else np.zeros((rows.rows, 0))
