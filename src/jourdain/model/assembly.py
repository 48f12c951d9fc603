"""`model.assemble`: a state on the constraints near a given one.

Positions by Gauss and Newton's method on the group: each step is the smallest in the kinetic metric that closes the
linearised rows, dx = -M^-1 A^T (A M^-1 A^T)^+ g, damped as Levenberg and Marquardt do where the rows are nearly
dependent, and shortened until the gaps shrink. Then velocities by the same projection, once: v - M^-1 A^T (A M^-1
A^T)^+ (A v + c). Held coordinates take no part.

Where the axes of a joint stand more than 60 degrees apart, its two direction rows, whose slopes vanish at a right
angle and which are also met back to front, are replaced by the rotation that brings the axes together.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..basics.errors import ModelError, Problem
from ..basics.values import numbers
from . import functions
from .displacement import moved
from .selection import entries

if TYPE_CHECKING:
    from .model import Model
    from .state import State

LIMIT = 200
"""Iterations at most."""
TIGHT = 1e-14
"""Gap, over the size of the model, at which nothing is left to close."""
OPEN_GAP = 1e-9
"""Gap, over the size of the model, that counts as closed where rounding lets it shrink no further."""
STRIDE = 0.5
"""The longest step [rad, and over the size of the model]."""
SINGULAR = 1e-10
"""Singular value of the rows, over the largest, below which they move nothing."""
TRIES = 6
"""How often a search that is stuck in a singular configuration is begun again from beside it."""
APART = 0.5
"""Cosine of the angle between the axes of a joint below which they are turned together."""


class _Rows(NamedTuple):
    """Gaps, and the rows that move them."""

    gap: np.ndarray
    A: np.ndarray


def size_of(model: Model, q: np.ndarray) -> float:
    """Largest extent of the model at q [m], one at least: what gaps are measured against."""
    columns = model.arrays.constraints.columns
    used = np.union1d(columns.marker_A, columns.marker_B)
    far = 1.0
    for m in used[used >= 0]:
        far = max(far, float(np.linalg.norm(functions.pose(model, m, q).position)))
    return far


class _Search:
    """Gauss and Newton's method from coordinates q, some of them held."""

    def __init__(self, model: Model, q: np.ndarray, time: float, held: list[int]) -> None:
        self.model, self.time = model, float(time)
        self.held = np.array(sorted(held), int)
        self.free = np.setdiff1d(np.arange(model.nv), self.held)
        self.size = size_of(model, q)
        self.wanted = model.constraints.holonomic
        units = model.units.v
        self.reach = STRIDE * np.array([1.0 if unit == "rad/s" else self.size for unit in units])
        self.axes = self._with_axes()

    def rows(self, q: np.ndarray, unfold: bool = True) -> _Rows:
        A, table = self.model.constraints.jacobian_and_table(q, np.zeros(self.model.nv), self.time)
        gap = table.columns.value.copy()
        if unfold:
            for c, r in self.axes:
                self._turn_together(c, r, q, gap, A)
        return _Rows(gap[self.wanted], A[self.wanted])

    def _with_axes(self) -> list[tuple[int, int]]:
        """Constraints with an axis that keeps its direction, and the first row of that direction."""
        from ..describe.joints import JOINTS
        from ..kernels import kind_registry

        before = {code: JOINTS[word].axis_after for code, word in enumerate(kind_registry.JOINTS)}
        return [
            (c, one.row + after)
            for c, one in enumerate(self.model.arrays.constraints)
            if (after := before.get(one.kind)) is not None
        ]

    def _turn_together(self, c: int, r: int, q: np.ndarray, gap: np.ndarray, A: np.ndarray) -> None:
        """Replaces the direction rows, from r on, of a joint whose axes are far apart by the rotation between them."""
        one = self.model.arrays.constraints[c]
        axes = self.model.arrays.constraint_floats[one.floats : one.floats + 9].reshape(3, 3)
        first, second = one.marker_A, one.marker_B
        A_axes = functions.pose(self.model, first, q).rotation @ axes
        z_B = functions.pose(self.model, second, q).rotation @ axes[:, 2]
        cos = float(A_axes[:, 2] @ z_B)
        if cos >= APART:
            return
        turn = np.cross(A_axes[:, 2], z_B)
        sin = float(np.linalg.norm(turn))
        turn = turn / sin if sin > 1e-8 else A_axes[:, 0]
        spin = functions.jacobian(self.model, second, q)[:3] - functions.jacobian(self.model, first, q)[:3]
        gap[r : r + 2] = np.arctan2(sin, cos) * (A_axes[:, :2].T @ turn)
        A[r : r + 2] = A_axes[:, :2].T @ spin

    def measure(self, rows: _Rows) -> float:
        return float(np.max(np.abs(rows.gap), initial=0.0))

    def step(self, q: np.ndarray, rows: _Rows, damping: float) -> np.ndarray:
        """The smallest displacement (nv,) in the kinetic metric that closes the linearised rows, damped."""
        out = np.zeros(self.model.nv)
        if not len(self.free) or not len(rows.gap):
            return out
        L = np.linalg.cholesky(functions.mass_matrix(self.model, q)[np.ix_(self.free, self.free)])
        B = np.linalg.solve(L, rows.A[:, self.free].T).T
        U, singular, V = np.linalg.svd(B, full_matrices=False)
        largest = max(float(singular[0]), 1e-300)
        kept = singular > SINGULAR * largest
        weight = np.where(kept, singular, 0.0) / np.where(kept, singular**2 + (damping * largest) ** 2, 1.0)
        y = -V.T @ (weight * (U.T @ rows.gap))
        out[self.free] = np.linalg.solve(L.T, y)
        return out / max(1.0, float(np.max(np.abs(out) / self.reach)))

    def run(self, q: np.ndarray) -> np.ndarray:
        """Coordinates with the smallest gaps that are found from q."""
        best = self._descend(q)
        gap = self.measure(self.rows(best))
        rng = np.random.default_rng(0)
        tries = 0
        while gap > OPEN_GAP * self.size and tries < TRIES and len(self.free):
            push = np.zeros(self.model.nv)
            push[self.free] = 0.05 * (1 + tries) * rng.normal(size=len(self.free))
            trial = self._descend(moved(self.model, q if tries % 2 else best, push))
            there = self.measure(self.rows(trial))
            if there < gap:
                best, gap = trial, there
            tries += 1
        return best

    def _descend(self, q: np.ndarray) -> np.ndarray:
        rows = self.rows(q)
        damping = 0.0
        for _ in range(LIMIT):
            size = self.measure(rows)
            if size <= TIGHT * self.size:
                break
            norm = float(np.linalg.norm(rows.gap))
            first = True
            for _ in range(10):
                trial = moved(self.model, q, self.step(q, rows, damping))
                there = self.rows(trial)
                if float(np.linalg.norm(there.gap)) < (1.0 - 1e-9) * norm:
                    break
                first = False
                damping = 1e-4 if damping == 0.0 else 10.0 * damping
            else:
                break
            q, rows = trial, there
            damping = 0.0 if first and damping <= 1e-4 else 0.1 * damping
        return q


def closest(model: Model, q: np.ndarray, time: float) -> np.ndarray:
    """Coordinates near q with the smallest gaps."""
    return _Search(model, q, time, []).run(q)


def assemble(model: Model, state: State, hold: Iterable[str] = ()) -> State:
    """The state near a rough one that meets all constraints, positions and velocities.

    state    where to begin; profiles of constraints count at its time
    hold     names of coordinates, or of joints, that keep their position and velocity

    What moves is as little as possible, measured with the mass matrix. Motors follow their joints. Where the loops
    cannot be closed, a `ModelError` names the constraint, how far it is open, and what is held in its way.
    """
    held = entries(model, hold, "hold")
    search = _Search(model, state.q, state.time, held)
    q = search.run(state.q)
    if not search.measure(search.rows(q)) <= OPEN_GAP * search.size:
        raise _cannot_close(search, q)
    q = _follow(model, state.q, q, held, 0)
    v = _follow(model, state.v, _velocities(search, state.v, q), held, 1)
    z = state.z.copy()
    _move_anchors(model, state.q, q, z)
    problems = [
        Problem(
            name,
            f"closing the loops takes it to {q[model.index.q[name]]:g} m; it must lie between {low:g} and {high:g} m; "
            "begin from another state, or hold it",
        )
        for name, (low, high) in model.ranges.items()
        if not low <= q[model.index.q[name]] <= high
    ]
    if problems:
        raise ModelError(problems)
    return type(state)(state.time, q, v, z)


def _follow(model: Model, old: np.ndarray, new: np.ndarray, held: list[int], column: int) -> np.ndarray:
    """Motors that nothing constrains turn with their joints, so that closing a loop winds no spring of a drive.

    column    0 for coordinates, 1 for velocities
    """
    out = new.copy()
    coupled = set(model.arrays.coupled_entries.columns.v)
    for at, drive in zip(model.arrays.drive_entries, model.arrays.joint_drives, strict=True):
        if at.motor_v not in held and at.motor_v not in coupled:
            joint, motor = (at.joint_q, at.motor_q) if column == 0 else (at.joint_v, at.motor_v)
            out[motor] = old[motor] + drive.gear * (new[joint] - old[joint])
    return out


def _move_anchors(model: Model, old: np.ndarray, new: np.ndarray, z: np.ndarray) -> None:
    """Anchors of sticking friction move with their coordinates."""
    sticking = model.arrays.joint_springs.columns.friction > 0.0
    at = model.arrays.spring_entries.columns.q[sticking]
    z[: len(at)] += new[at] - old[at]


def _velocities(search: _Search, v: np.ndarray, q: np.ndarray) -> np.ndarray:
    """v changed as little as possible in the kinetic metric so that all rows are at rest."""
    model, free = search.model, search.free
    A, table = model.constraints.jacobian_and_table(q, v, search.time)
    out = v.copy()
    if not len(A):
        return out
    rate = table.columns.rate
    if len(free):
        L = np.linalg.cholesky(functions.mass_matrix(model, q)[np.ix_(free, free)])
        B = np.linalg.solve(L, A[:, free].T).T
        change = np.linalg.lstsq(B, -rate, rcond=SINGULAR)[0]
        out[free] += np.linalg.solve(L.T, change)
    left = np.abs(A @ (out - v) + rate)
    fast = max(1.0, float(np.max(np.abs(out))), float(np.max(np.abs(table.columns.rate))))
    if np.max(left) > OPEN_GAP * search.size * fast:
        worst = int(np.argmax(left))
        name = model.constraints.owners[worst]
        blocking = _blocking(search, A, rate)
        remedy = f"release one of {blocking}" if blocking else "its profile contradicts the other constraints"
        raise ModelError.at(name, f"no velocities meet it: {left[worst]:.4g} m/s or rad/s is left over; {remedy}")
    return out


def _blocking(search: _Search, A: np.ndarray, right: np.ndarray) -> str:
    """Names of the held velocities on which those combinations of rows depend that nothing else can meet."""
    if not len(search.held):
        return ""
    U, singular, _ = np.linalg.svd(A[:, search.free]) if len(search.free) else (np.eye(len(A)), np.zeros(0), None)
    rank = int(np.sum(singular > 1e-9 * max(float(np.max(singular, initial=0.0)), 1e-300)))
    stuck = U[:, rank:]
    share = np.abs((stuck @ (stuck.T @ right)) @ A[:, search.held])
    names = [search.model.names.v[k] for k, x in zip(search.held, share, strict=True) if x > 1e-6 * max(share)]
    return ", ".join(f'"{name}"' for name in names) if np.max(share) > 0.0 else ""


def _cannot_close(search: _Search, q: np.ndarray) -> ModelError:
    """The error that names the constraint that stays open farthest, and what is in the way."""
    model, c = search.model, search.model.constraints
    table = c.table(q, np.zeros(model.nv), search.time)
    rows = search.rows(q)
    open_rows = np.zeros(c.rows)
    open_rows[search.wanted] = np.abs(rows.gap)
    name = c.owners[int(np.argmax(open_rows))]
    own = c.slice(name)
    places = np.any(table.columns.on_A[own, 3:] != 0.0, axis=1)
    gaps = []
    if model.arrays.constraints[c.names.index(name)].marker_A >= 0:
        far = float(np.linalg.norm(table.columns.value[own][places & search.wanted[own]]))
        turned = float(np.linalg.norm(open_rows[own][~places]))
        gaps = [f"{far:.4g} m"] if far > OPEN_GAP * search.size else []
        gaps += [f"{turned:.4g} rad"] if turned > OPEN_GAP else []
        between = _between(next(one for one in model.description["connections"] if one["element"]["name"] == name))
    else:
        gaps, between = [f"{open_rows[own][0]:.4g}"], ""
    blocking = _blocking(search, rows.A, rows.gap)
    if not blocking and len(search.held):
        again = _Search(model, q, search.time, [])
        if again.measure(again.rows(again.run(q))) <= OPEN_GAP * again.size:
            blocking = ", ".join(f'"{model.names.v[k]}"' for k in search.held)
    if blocking:
        return ModelError.at(
            name,
            f"cannot be closed{between} while {blocking} is held: {' and '.join(gaps)} stays open; the coordinate is "
            "over-prescribed: release it, or give it another value",
        )
    return ModelError.at(
        name,
        f"cannot be closed{between}: {' and '.join(gaps)} stays open at best; check lengths and axes, or begin from a "
        "state nearer to the assembled one",
    )


def _between(connection: dict[str, Any]) -> str:
    """Between which frames a connection is, as it was described."""
    place = connection.get("place", {}).get("position")
    where = f" at {numbers(place)} m" if place else ""
    return f' between "{connection["first"]}" and "{connection["second"]}"{where}'
