"""Rows of constraints that follow from others: how many there are, found once where a run begins, and what to do.

Planar mechanisms closed by spatial joints have rows that do nothing at all, wherever they go: these are left out of all
solutions. Overconstrained ones, such as Bennett's or Bricard's, have rows that depend on the others on the constraints
and only there. Off them, within a step of a method, such rows contradict the others a little, and a multiplier that
tried to please all would be enormous: so the rank is decided on the constraints, at the start and at places nearby, and
as many rows are taken. Which ones is decided again as the mechanism moves (`kernels.constraints.row_selection`).
"""

from __future__ import annotations

import weakref
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..model.displacement import moved

if TYPE_CHECKING:
    from ..kernels.model_arrays import Workspace
    from ..model.model import Model


class Roles(NamedTuple):
    """What a run has to know of its rows (rows,).

    roles       NEEDED, SURPLUS or IDLE (`kernels.constraints.sparsity`)
    mobility    S = A M^-1 A^T (rows, rows), of a place where nothing is singular
    weights     by which a choice of rows compares them (`row_weights`)
    """

    roles: np.ndarray
    mobility: np.ndarray
    weights: np.ndarray


DEPENDENT = 1e-8
"""What is left of a row that depends on others is below this, over the longest of its constraint."""
CLOSED = 1e-12
"""Violation of a place on the constraints [m, rad]."""
STRIDE = 0.05
"""How far places nearby are, as the largest change of a velocity's entry times one second."""
NEARBY = 2
"""Places nearby that are looked at."""
SMOOTH = 1e-8
"""A pivot of S below this, over what it is where nothing is singular, is let go smoothly. It is the square of a
distance from the singular configuration: large enough that the errors of a step do not carry the motion to another
branch, small enough that rows are obeyed to 1e-8 of their acceleration at a hundredth of a radian from it."""
NOTHING = 1e-13
"""A row shorter than this, over the longest, does nothing at all: its combinations with others are itself."""
SURE = 1e-10
"""Square of a singular value of rows of length one above which they are independent whatever the rounding."""
SINGULAR = 1e-3
"""Singular value of rows of length one below which a run that stopped is told to be at a singular configuration."""

_IDLE: weakref.WeakKeyDictionary[Model, set[tuple[tuple[int, ...], bytes]]] = weakref.WeakKeyDictionary()
"""Entries that are held, and rows that act, of starts around which the other rows were seen to do nothing."""


def inverse_root(model: Model, q: np.ndarray) -> np.ndarray:
    """L^-T of the mass matrix L L^T: the columns of A L^-T weigh the same, whatever the units of the coordinates."""
    from scipy.linalg.lapack import dtrtri

    L = np.linalg.cholesky(model.mass_matrix(q))
    return dtrtri(L.T, lower=0)[0]


def weighted_rows(model: Model, t: float, q: np.ndarray, held: Iterable[int]) -> np.ndarray:
    """A L^-T of the entries that are not held."""
    return weighted(model.constraints.jacobian(q, t), inverse_root(model, q), list(held))


def weighted(A: np.ndarray, root: np.ndarray, held: list[int]) -> np.ndarray:
    """The same of rows A and the root L^-T that are known."""
    if held:
        free = np.setdiff1d(np.arange(A.shape[1]), held)
        A, root = A[:, free], root[np.ix_(free, free)]
    some = np.any(A != 0.0, axis=1)
    out = np.zeros_like(A)
    out[some] = A[some] @ root
    return out


def scaled_rows(model: Model, t: float, q: np.ndarray, held: Iterable[int]) -> np.ndarray:
    """`weighted_rows` that compare (`model.constraints.lengths`), or zero where they do nothing."""
    return comparable(model, weighted_rows(model, t, q, held))


def comparable(model: Model, rows: np.ndarray) -> np.ndarray:
    """Rows over their `lengths`, or zero where they do nothing."""
    return rows / model.constraints.lengths(rows, DEPENDENT)[:, None]


def surely_independent(rows: np.ndarray) -> bool:
    """Whether rows of length one are independent beyond doubt: the squares of their singular values are above SURE.

    Where the factor of their products less SURE exists; what rounding leaves of these is some 1e-14.
    """
    products = rows @ rows.T
    products[np.diag_indices(len(rows))] -= SURE
    try:
        np.linalg.cholesky(products)
    except np.linalg.LinAlgError:
        return False
    return True


def independent_rows(rows: np.ndarray, holonomic: np.ndarray) -> np.ndarray:
    """Rows (bool) that the others follow from: holonomic ones first, each time the one farthest from those taken."""
    acting = np.any(rows != 0.0, axis=1)
    if acting.sum() <= rows.shape[1] and surely_independent(rows[acting]):
        return acting
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
    A = model.constraints.jacobian(q, t)
    A[:, held] = 0.0
    ways = rng.uniform(-1.0, 1.0, (NEARBY, model.nv)).T
    ways[held] = 0.0
    ways = ways - _least(A, A @ ways)
    for way in ways.T:
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
    """The smallest solution of A x = right, of each column where there are several; by A A^T where rows are surely
    independent."""
    from scipy.linalg import lstsq
    from scipy.linalg.lapack import dposv

    length = np.linalg.norm(A, axis=1)
    most = float(np.max(length, initial=0.0))
    some = length > DEPENDENT * most
    if some.sum() <= A.shape[1] and np.all(some | (length <= NOTHING * most)):
        rows = A[some] / length[some, None]
        if surely_independent(rows):
            return rows.T @ dposv(rows @ rows.T, (right[some].T / length[some]).T)[1]
    return lstsq(A, right, cond=DEPENDENT, lapack_driver="gelsy", check_finite=False)[0]


def closed_near(model: Model, q: np.ndarray, t: float = 0.0, held: Iterable[int] = ()) -> np.ndarray | None:
    """A place on the constraints near q, entries of v being held; None where none was found."""
    return _closed(model, t, q, list(held))


def _closed(model: Model, t: float, q: np.ndarray, held: list[int]) -> np.ndarray | None:
    """The constraints closed from q by Newton's method with the smallest changes; None where it does not converge."""
    for _ in range(12):
        A, table = model.constraints.jacobian_and_table(q, np.zeros(model.nv), t)
        gaps = table.columns.value
        if float(np.max(np.abs(gaps), initial=0.0)) < CLOSED:
            return q
        A[:, held] = 0.0
        A[~model.constraints.holonomic] = 0.0
        q = moved(model, q, -_least(A, gaps))
    return None


def row_roles(model: Model, t: float, q: np.ndarray, held: Iterable[int], here: np.ndarray | None = None) -> Roles:
    """The `Roles` of rows in a run from q.

    As many are needed as are independent where the rank is largest, at q or nearby: a start in a singular configuration
    must not cost rows that are needed soon. Rows that do nothing in any of these places are idle. S is that of the same
    place: what its pivots are when nothing is singular. `here` are the `weighted_rows` at q, where they are known.
    """
    from ..kernels.constraints.sparsity import IDLE, NEEDED, SURPLUS

    held = list(held)
    holonomic = model.constraints.holonomic
    if float(np.max(np.abs(model.constraints.residual(q, t)), initial=0.0)) > CLOSED:
        # rows that follow from others on the constraints contradict them by what the start is off
        place = _closed(model, t, q, held)
        q, here = (q, here) if place is None else (place, None)
    found = [weighted_rows(model, t, q, held) if here is None else here]
    seen = [comparable(model, found[0])]
    first = independent_rows(seen[0], holonomic)
    # rows that did nothing all around another start, where the rest was independent, do nothing on these constraints
    idle = (tuple(held), np.any(seen[0] != 0.0, axis=1).tobytes())
    plain = np.array_equal(first, np.any(seen[0] != 0.0, axis=1))
    if not np.all(first) and not (plain and idle in _IDLE.get(model, ())):
        found += [weighted_rows(model, t, place, held) for place in near(model, t, q, held)]
        seen += [comparable(model, rows) for rows in found[1:]]
    acting = np.any([np.any(rows != 0.0, axis=1) for rows in seen], axis=0)
    if plain and len(seen) > NEARBY and np.array_equal(first, acting):
        _IDLE.setdefault(model, set()).add(idle)
    best, taken = 0, first
    for i in range(1, len(seen)):
        if taken.sum() < acting.sum():  # else the rank is as large as it can be
            more = independent_rows(seen[i], holonomic)
            if more.sum() > taken.sum():
                best, taken = i, more
    some = np.any(found[best] != 0.0, axis=1)
    S = np.zeros((len(taken), len(taken)))
    S[np.ix_(some, some)] = found[best][some] @ found[best][some].T
    roles = np.where(taken, NEEDED, np.where(acting, SURPLUS, IDLE))
    return Roles(roles, S, row_weights(model, S) if np.any(roles == SURPLUS) else np.ones(len(S)))


def row_weights(model: Model, S: np.ndarray) -> np.ndarray:
    """Weights (rows,) that make one of metres and radians and do not change with a place (`model.constraints.units`).

    The rows of couplings do not vanish anywhere, and count as the mean of all.
    """
    from ..kernels.kind_registry import COUPLING

    columns = model.arrays.constraints.columns
    pairs = np.repeat(columns.kind < COUPLING, columns.rows)
    weights = np.where(pairs, model.constraints.units**-2, 0.0)
    size = weights * np.diag(S)
    mean = float(np.mean(size[size > 0.0])) if np.any(size > 0.0) else 1.0
    diagonal = np.diag(S)
    coupled = np.where(diagonal > 0.0, 1.0 / np.where(diagonal > 0.0, diagonal, 1.0), 1.0)
    return np.where(pairs, weights / mean, coupled)


def least_pivots(S: np.ndarray, places: np.ndarray, taken: np.ndarray) -> np.ndarray:
    """Pivots (rows,), by places, below which a place is singular: SMOOTH of what they are in S, the rows taken being
    eliminated in the order of their places."""
    out = np.zeros(len(S))
    order = np.array([r for r in np.argsort(places, kind="stable") if taken[r]], int)
    try:
        factor = np.linalg.cholesky(S[np.ix_(order, order)])
    except np.linalg.LinAlgError:
        return out
    out[places[order]] = SMOOTH * np.diag(factor) ** 2
    return out


def set_pivots(ws: Workspace, known: Roles) -> None:
    """Tells a workspace the `least_pivots` of its places, for now and for every start, and the weights of rows."""
    S, n, layout = known.mobility, len(known.mobility), ws.layout
    places, taken = (ws.solve_links[at : at + n] for at in (layout.places, layout.taken))
    ws.solve[layout.least : layout.least + 2 * n] = np.tile(least_pivots(S, places, taken != 0), 2)
    if layout.spare > 0:
        at = layout.choice + layout.place_count
        ws.solve[at : at + n] = known.weights


def loops_losing(model: Model, rows: np.ndarray, rank: int) -> tuple[str, ...]:
    """Constraints of the combination of rows that vanishes where fewer than `rank` are independent."""
    U, _, _ = np.linalg.svd(rows)
    share = np.abs(U[:, rank - 1])
    owners = np.array(model.constraints.owners)
    return tuple(dict.fromkeys(owners[share > 0.1 * np.max(share)].tolist()))


def near_singular(
    model: Model, start: tuple[float, np.ndarray], end: tuple[float, np.ndarray], held: Iterable[int]
) -> tuple[str, str] | None:
    """What to say of a run that stopped where its mechanism is singular: why, and the remedy; None where it is not.

    start, end    times and coordinates. Where all rows together hold less than SINGULAR in a direction at the end,
                  and did not at the start, they are about to let it go
    """
    if not len(model.constraints) or not np.all(np.isfinite(end[1])):
        return None
    first, last = (scaled_rows(model, t, q, held) for t, q in (start, end))
    wanted = int(independent_rows(first, model.constraints.holonomic).sum())
    rank = int(np.sum(np.linalg.svd(last, compute_uv=False) > SINGULAR))
    if rank >= wanted:
        return None
    names = ", ".join(f'"{name}"' for name in loops_losing(model, last, wanted))
    why = (
        f"the mechanism comes to a singular configuration near t = {end[0]:.6g} s, where {wanted} independent "
        f"rows of constraints become {rank}, of {names}"
    )
    return why, "pass it with a fixed step or a looser rtol, or start so that it is not met"
