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

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ...basics.errors import ModelError
from ..derivatives import analytical, row_partials
from ..displacement import moved, transport
from ..selection import entries
from ..state import State
from .differences import along, by_place

if TYPE_CHECKING:
    from ..model import Model

OPEN = 1e-6
"""How far a loop may be open, or move open, in a state to be linearised [m, rad, and per s]."""
RANK = 1e-9
"""Singular value over the largest that counts as zero."""


class ConstraintReduction(NamedTuple):
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
    return bool(len(model.arrays.constraints))


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
) -> ConstraintReduction:
    """The independent entries and how the others follow.

    mass           M (nv, nv): dependent become those that the rows bind most, see `projections`
    independent    names of velocities that are to be independent; None to choose
    """
    A = model.constraints.jacobian(state.q, time=state.time)[:, free]
    hard = model.constraints.holonomic
    own = mass[np.ix_(free, free)]
    lengths = model.constraints.lengths(np.linalg.solve(np.linalg.cholesky(own), A.T).T) if A.size else np.ones(len(A))
    wanted = np.zeros(len(free), bool)
    if independent is not None:
        wanted = np.isin(free, entries(model, independent, "independent"))
    first = _dependent(projections(A[hard], own, lengths[hard]), wanted, np.zeros(len(free), bool))
    second = _dependent(projections(A, own, lengths), wanted, first)
    if independent is not None and np.sum(~second) != np.sum(wanted):
        names = ", ".join(f'"{model.names.v[k]}"' for k in free[~second])
        raise ModelError.at(
            "independent", f"{int(np.sum(wanted))} are named that {int(np.sum(~second))} must be; such as {names}"
        )
    X, _ = _follow(A[hard], first)
    W, D = _follow(A, second)
    N = rate_partials(model, state)[:, free]
    return ConstraintReduction(placed=free[~first], moving=free[~second], X=X, W=W, U=-D @ N @ X, D=D, A=A)


def projections(A: np.ndarray, mass: np.ndarray, lengths: np.ndarray | None = None) -> np.ndarray:
    """S with S^T S = diag(M)^(-1/2) A^T (A M^-1 A^T)^-1 A diag(M)^(-1/2), as many rows as A has rank.

    The length of column k, between 0 and 1, is how much of the direction of entry k lies across the constraints in the
    metric of the kinetic energy: the projective criterion of Blajer, Schiehlen & Schirm, after Terze & Lefeber 2002. It
    depends neither on the units of entries and rows nor on which combinations of rows state the constraints. With
    diag(M)^(-1/2) M diag(M)^(-1/2) = L L^T, and V the right singular vectors of A diag(M)^(-1/2) L^-T, S = V L^T. For
    its rank rows are divided by `lengths` (`model.constraints.lengths`), or, without, by their own.
    """
    scale = 1.0 / np.sqrt(np.maximum(np.diag(mass), 1e-300))
    values, vectors = np.linalg.eigh(mass * scale * scale[:, None])
    root = np.sqrt(np.maximum(values, np.finfo(float).eps))
    rows = ((A * scale) @ vectors) / root
    if lengths is None:
        lengths = np.linalg.norm(rows, axis=1)
    _, sizes, right = np.linalg.svd(rows / np.where(lengths > 0.0, lengths, 1.0)[:, None], full_matrices=False)
    rank = int(np.sum(sizes > RANK * max(1.0, float(np.max(sizes, initial=0.0)))))
    return (right[:rank] * root) @ vectors.T


def _dependent(A: np.ndarray, wanted: np.ndarray, already: np.ndarray) -> np.ndarray:
    """Which entries depend on the others: those in `already`, then by pivoted QR, the `wanted` ones last.

    A    rows of the constraints, or what `projections` makes of them: the pivot is the longest column that is left
    """
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


def rate_partials(model: Model, state: State) -> np.ndarray:
    """N = d(A v + c)/dx (rows, nv)."""
    if analytical(model):
        return row_partials(model, state)[1]
    return by_place(model, state.q, lambda q: model.constraints.rate(State(state.time, q, state.v)))


def geometric_stiffness(model: Model, state: State, multipliers: np.ndarray) -> np.ndarray:
    """d(A^T lambda)/dx (nv, nv) of constant multipliers."""
    if analytical(model):
        return row_partials(model, state, multipliers)[0]
    return by_place(model, state.q, lambda q: model.constraints.jacobian(q, time=state.time).T @ multipliers)


def acceleration_partials(model: Model, state: State, acceleration: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """g_x and g_v (rows, nv) of g = A a + dA/dt v + dc/dt.

    With f = A v + c, the bias dA/dt v + dc/dt is the rate of f along v at a constant v, and derivatives along two
    directions of the tangent space differ by that along their commutator, [x, v] = G x. So with N = df/dx

        g_x = d(A a)/dx + dN/dt + N G,    g_v = N + dA/dt,

    dN/dt and dA/dt by differences along the motion alone, the rest as it is known. Where frames are displaced in time,
    so that N and A depend on it as fast as one likes, g itself is differenced.
    """
    from ...kernels.constraints.constraint_layout import MOVES

    rows, q, v, time = model.constraints, state.q, state.v, state.time
    if not analytical(model) or np.any(model.arrays.constraints.columns.motion == MOVES):
        by_x = by_place(
            model, q, lambda at: rows.jacobian(at, time=time) @ acceleration + rows.bias(State(time, at, v))
        )
        unit = np.eye(model.nv)  # a quadratic in v, of which differences are exact
        columns = [0.5 * (rows.bias(State(time, q, v + e)) - rows.bias(State(time, q, v - e))) for e in unit]
        return by_x, np.stack(columns, axis=-1)
    N = rate_partials(model, state)
    pulled = rate_partials(model, State(time, q, acceleration)) - rate_partials(model, State(time, q, 0.0 * v))
    size = 1.0 / max(1.0, float(np.max(np.abs(v), initial=0.0)))
    N_rate = along(lambda s: rate_partials(model, State(time, moved(model, q, s * v), v)), size)
    A_rate = along(lambda s: rows.jacobian(moved(model, q, s * v), time=time), size)
    return pulled + N_rate + N @ transport(model, v), N + A_rate
