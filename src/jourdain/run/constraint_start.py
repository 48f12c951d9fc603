"""What must hold of constraints where a run begins: they are met, and contradict neither each other nor motions."""

from __future__ import annotations

import weakref
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics.errors import ModelError, Problem
from ..basics.warn import warn
from ..describe.constraints.methods import model_size
from .redundancy import NOTHING, Roles, inverse_root, row_roles, surely_independent, weighted

if TYPE_CHECKING:
    from ..model.model import Model

MET = 1e-8
"""Violation with which a run may begin, over the size of the model: what an assembly by hand leaves; projection takes
it out with the first step."""
DEPENDENT = 1e-9
"""A direction of the rows whose singular value is below this, over the largest, depends on the others."""


_WARNED: weakref.WeakSet[Model] = weakref.WeakSet()
"""Models whose redundant constraints were warned of."""


ROUNDED = 1e-12
"""Rounding of the accelerations of rows, over the size of the model times the square of its speed."""


class ConstraintWarning(UserWarning):
    """Constraints that a run can do without, redundant ones, and constraints that it did not keep."""


def check_start(
    model: Model, t: float, q: np.ndarray, v: np.ndarray, held: Mapping[int, Any], warns: bool = True
) -> np.ndarray | None:
    """Refuses, by name, a state that is not on the constraints, constraints that contradict each other, and
    coordinates that are prescribed and constrained at once. Redundant constraints are a `ConstraintWarning`, once a
    model; rows that do nothing, as those across the plane of a planar loop, are not warned of.

    held    profiles (code, numbers) of the entries of v whose motion is prescribed
    warns   False to keep quiet about redundant ones

    Returns the rows, weighted by masses (`redundancy.weighted_rows`); None where there are none.
    """
    from ..kernels.tree.motions import profile

    if not len(model.arrays.constraints):
        return None
    service = model.constraints
    A, rows = service.jacobian_and_table(q, v, t)
    size = model_size(model, q)
    _check_met(model, t, rows.columns.value, rows.columns.rate, size, _speed(v))
    root = inverse_root(model, q)
    owners = np.array(service.owners)
    over = sorted(set(held))
    if over:
        _check_prescribed(model, A, root, np.setdiff1d(np.arange(model.nv), over), over, owners)
    seen = weighted(A, root, over)
    bias = rows.columns.bias + A[:, over] @ np.array([profile.py_func(*held[k], 0, t)[2] for k in over])
    # what the state is off its constraints, their accelerations contradict each other by
    off, opens = (float(np.max(np.abs(one), initial=0.0)) for one in (rows.columns.value, rows.columns.rate))
    rounding = _speed(v) * (_speed(v) * (ROUNDED * max(size, 1.0) + 10.0 * off) + 10.0 * opens)
    dependent, contradiction = _dependent(seen, bias, rounding, service.lengths(seen, DEPENDENT))
    if contradiction is not None:
        names = sorted(set(owners[contradiction]), key=list(service.names).index)
        listed = ", ".join(f'"{name}"' for name in names)
        raise ModelError.at(
            names[0], f"the constraints {listed} contradict each other: no acceleration meets all; leave one out"
        )
    if warns and model not in _WARNED:
        length = np.linalg.norm(seen, axis=1)
        surplus = dependent[length[dependent] > DEPENDENT * np.max(length, initial=0.0)]
        if len(surplus):
            _WARNED.add(model)
            listed = ", ".join(f'"{name}"' for name in dict.fromkeys(owners[surplus]))
            warn(
                f"{model.name}: {len(surplus)} of {len(A)} rows of constraints follow from the others ({listed}); the "
                "motion does not need them, and their forces are the smallest that fit",
                ConstraintWarning,
            )
    return seen


_LAST_START: weakref.WeakKeyDictionary[Model, tuple[Any, Roles | None]] = weakref.WeakKeyDictionary()
"""Where a run of a model began last, and the roles of its rows there."""


def start_roles(
    model: Model, t: float, q: np.ndarray, v: np.ndarray, held: Mapping[int, Any], skips: bool
) -> Roles | None:
    """`check_start`, then `redundancy.row_roles` where rows are skipped; both known where the last run began there too.

    A start that was refused is looked at again.
    """
    motions = tuple((k, code, np.asarray(numbers, float).tobytes()) for k, (code, numbers) in sorted(held.items()))
    place = (t, q.tobytes(), v.tobytes(), motions, skips)
    known = _LAST_START.get(model)
    if known is None or known[0] != place:
        rows = check_start(model, t, q, v, held)
        roles = row_roles(model, t, q, held, rows) if skips and rows is not None else None
        known = _LAST_START[model] = (place, roles)
    return None if known[1] is None else Roles(*(part.copy() for part in known[1]))


def _speed(v: np.ndarray) -> float:
    return 1.0 + float(np.max(np.abs(v), initial=0.0))


def _check_met(model: Model, t: float, gaps: np.ndarray, rates: np.ndarray, size: float, speed: float) -> None:
    if np.all(np.abs(gaps) <= MET * max(size, 1.0)) and np.all(np.abs(rates) <= MET * max(size, 1.0) * speed):
        return
    problems = []
    for name in model.constraints.names:
        part = model.constraints.slice(name)
        gap, rate = np.max(np.abs(gaps[part]), initial=0.0), np.max(np.abs(rates[part]), initial=0.0)
        what = None
        if not gap <= MET * max(size, 1.0):
            what = f"open by {gap:.3g} m or rad"
        elif not rate <= MET * max(size, 1.0) * speed:
            what = f"closed, but opens at {rate:.3g} m/s or rad/s"
        if what is not None:
            do = "start from model.assemble(state), which closes it"
            problems.append(Problem(name, f"at t = {t:g} s the constraint is {what}; {do}"))
    if problems:
        raise ModelError(problems)


def not_met(model: Model, t: float, q: np.ndarray, names: Iterable[str]) -> list[Problem]:
    """Connections among `names` that an event closes and that are not met: they are as described, not where frames
    are."""
    gaps = model.constraints.residual(q, t)
    problems = []
    for name in names:
        if name not in model.constraints.names:
            continue
        gap = np.max(np.abs(gaps[model.constraints.slice(name)]), initial=0.0)
        if not gap <= MET * max(model_size(model, q), 1.0):
            do = "leave out its length, close it when it is met, or connect a joint, which closes where the frames are"
            problems.append(Problem(name, f"it would be connected open by {gap:.3g} m or rad; {do}"))
    return problems


def _dependent(
    A: np.ndarray, bias: np.ndarray, rounding: float, lengths: np.ndarray
) -> tuple[np.ndarray, np.ndarray | None]:
    """Rows that follow from those before them, and the rows of a contradiction (None where there is none).

    Rows are divided by `lengths` first: metres and radians weigh the same. Accelerations `bias` below `rounding` are
    none: where a linkage moves straight on, all of them are.
    """
    from scipy.linalg import qr

    acts = np.isfinite(lengths)
    if not np.any(acts):
        return np.arange(len(A)), None
    length, most = np.linalg.norm(A, axis=1), float(np.max(np.linalg.norm(A, axis=1)))
    weight = np.where(acts, lengths, most)
    scaled, off = A / weight[:, None], np.abs(bias / weight)
    scale = float(np.max(off, initial=0.0))
    allowed = max(1e-6 * scale, rounding / np.min(weight))
    nothing = length <= NOTHING * most
    if np.all(nothing | acts) and surely_independent(scaled[~nothing]):
        if not np.any(off[nothing] > 0.5 * allowed):
            return np.flatnonzero(nothing), None
    _, R, order = qr(scaled.T, mode="economic", pivoting=True)
    steps = np.abs(np.diag(R)) if R.size else np.zeros(0)
    rank = int(np.sum(steps > DEPENDENT * max(steps[0] if len(steps) else 0.0, 1e-300)))
    dependent = np.sort(order[rank:])
    if not len(dependent):
        return dependent, None
    U, values, _ = np.linalg.svd(scaled)
    null = U[:, int(np.sum(values > DEPENDENT * values[0])) :].T
    off = null @ (bias / weight)
    if not np.any(np.abs(off) > allowed):
        return dependent, None
    worst = null[int(np.argmax(np.abs(off)))]
    return dependent, np.flatnonzero(np.abs(worst) > 1e-6 * np.max(np.abs(worst)))


def _check_prescribed(
    model: Model, A: np.ndarray, root: np.ndarray, free: np.ndarray, over: list[int], owners: np.ndarray
) -> None:
    """Combinations of rows in which only prescribed coordinates are left."""
    lengths = model.constraints.lengths(A @ root, DEPENDENT)
    some = np.isfinite(lengths)
    A, owners = A[some] / lengths[some, None], owners[some]
    if not len(A):
        return
    left = A[:, free] @ root[np.ix_(free, free)] if len(free) else np.zeros((len(A), 1))
    U, values, _ = np.linalg.svd(left)
    rank = int(np.sum(values > DEPENDENT))
    for combination in U[:, rank:].T:
        stays = combination @ A[:, over]
        scale = np.max(np.abs(combination[:, None] * A[:, over]), initial=0.0)
        if scale > 0.0 and np.max(np.abs(stays)) > 1e-7 * scale:
            worst = model.names.v[over[int(np.argmax(np.abs(stays)))]]
            names = list(dict.fromkeys(owners[np.abs(combination) > 1e-6 * np.max(np.abs(combination))]))
            listed = ", ".join(f'"{name}"' for name in names)
            raise ModelError.at(
                worst,
                f"its motion is prescribed, and the constraints {listed} fix it too; leave out the motion, or a "
                "constraint, or prescribe another coordinate",
            )
