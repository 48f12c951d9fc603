"""Position, velocity and acceleration analysis under drivers, and the reactions.

At each time Newton's method solves Phi(q, t) = 0; then Phi_q v = -Phi_t and Phi_q a = Gamma (Fraczek 2002, eqs. 4, 5,
8). Between two times the way is divided until the prediction is nearly right, so that no other branch is jumped to;
where no division helps, the mechanism is locked up, and the turning point is found on the curve of closures.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ...basics.arguments import checked
from ...basics.errors import ModelError
from ...basics.types import Drivers
from ...basics.values import as_array, is_whole, shown
from .curve import Closure, dofs_error, have_worn, independent_rows, rank_of

if TYPE_CHECKING:
    from ...model.model import Model
    from ...model.state import State

TOLERANCE = 1e-11
"""Of closures [m, rad]."""
NEWTON = 12
"""Iterations at most."""
SHORTEST = 1e-7
"""Division of the way between two times below which the mechanism counts as locked."""


class LockUp(ModelError):
    """A mechanism that its drivers cannot move on.

    time       where it locks [s]
    state      there
    partial    the Kinematics up to the last time before
    """

    time: float
    state: State
    partial: Kinematics


@checked
@dataclass(frozen=True, eq=False)
class Kinematics:
    """A motion that drivers prescribe.

    time           (times,) [s]
    q, v, a        coordinates, velocities, accelerations (times, ...)
    names          of the entries of v and a
    coordinates    names of the entries of q
    drivers        names of what is driven
    effort         what the drivers exert (times, drivers) [N m, N]; None without reactions
    multipliers    of the rows of the constraints, minimum-norm where redundant (times, rows); None without reactions
    """

    model: Model
    time: np.ndarray
    q: np.ndarray
    v: np.ndarray
    a: np.ndarray
    drivers: tuple[str, ...]
    effort: np.ndarray | None = None
    multipliers: np.ndarray | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the entries of v and a."""
        return self.model.names.v

    @property
    def coordinates(self) -> tuple[str, ...]:
        """Names of the entries of q."""
        return self.model.names.q

    def __len__(self) -> int:
        return len(self.time)

    def state(self, i: int) -> State:
        """The state at a time, by its number."""
        if not is_whole(i) or not -len(self) <= i < len(self):
            raise ModelError.at("i", f"got {shown(i)}; there are {len(self)} times, from 0")
        i = int(i)
        return self.model.state(q=self.q[i], v=self.v[i], time=float(self.time[i]))

    def position(self, address: str) -> np.ndarray:
        """Where a frame is (times, 3) [m], world axes."""
        return np.array([self.model.pose(address, q).position for q in self.q])

    def force(self, name: str) -> np.ndarray:
        """Force of a constraint on the first body that it names, at its marker (times, 3) [N], world axes."""
        return self._wrench(name)[:, 3:]

    def moment(self, name: str) -> np.ndarray:
        """Moment of a constraint on the first body that it names, about its marker (times, 3) [N m], world axes."""
        return self._wrench(name)[:, :3]

    def _wrench(self, name: str) -> np.ndarray:
        rows = self.model.constraints.slice(name)
        if self.multipliers is None:
            raise ModelError.at(name, "its force was not asked for; call positions with reactions=True")
        out = []
        for t, q, v, x in zip(self.time, self.q, self.v, self.multipliers, strict=True):
            wrenches = self.model.constraints.table(q, v, float(t)).columns.on_A
            out.append(x[rows] @ wrenches[rows])
        return np.array(out)

    def __repr__(self) -> str:
        span = f"{self.time[0]:g} to {self.time[-1]:g} s" if len(self) else "nowhere"
        return f"<Kinematics of {self.model.name!r}: {len(self)} times, {span}, driven by {', '.join(self.drivers)}>"


@checked
def positions(
    model: Model, drivers: Drivers | None, times: ArrayLike, start: State | None = None, reactions: bool = False
) -> Kinematics:
    """Where the mechanism is at some times, how fast it moves, how it accelerates, and what that takes.

    drivers      from coordinates to profiles ("crank": jd.Polynomial([0.0, 6.28])), or to a value for each time,
                 through which a spline gives the rates. As many as the mechanism has degrees of freedom, less those
                 that
                 constraints which move take
    times        [s], increasing
    start        a rough guess of the first position; None for the zero configuration
    reactions    whether efforts of drivers and multipliers of constraints are worked out too

    Where the mechanism locks up a `LockUp` says when and in which position, and has all before in `partial`.
    """
    times = as_array(times, "times")
    if times.ndim != 1 or not len(times) or not np.all(np.isfinite(times)) or np.any(np.diff(times) <= 0.0):
        raise ModelError.at("times", "give finite times that increase, one at least")
    start = model.state(time=float(times[0])) if start is None else start
    curve = Closure(model, drivers, times, start)
    q = first_closure(curve, start.q, float(times[0]))
    A = curve.jacobian(q, float(times[0]))
    spare = model.nv - rank_of(A)
    if spare:
        raise dofs_error(curve, curve.partials(q, float(times[0])), spare)
    found = [q]
    for i in range(1, len(times)):
        step = _advance(curve, found[-1], float(times[i - 1]), float(times[i]))
        if step is None:
            raise _locked(curve, _analysed(curve, times[:i], found, reactions))
        found.append(step)
    return _analysed(curve, times, found, reactions)


@checked
def velocities(model: Model, state: State, drivers: Drivers | None = None) -> np.ndarray:
    """Velocities (nv,) that drivers and moving constraints ask for in a closed position: Phi_q v = -Phi_t."""
    curve = Closure(model, drivers, None, state)
    return _solved(curve, state.q, state.time, -curve.drift(state.q, state.time))


@checked
def accelerations(model: Model, state: State, drivers: Drivers | None = None) -> np.ndarray:
    """Accelerations (nv,) in a closed position with the velocities of the state: Phi_q a = Gamma."""
    curve = Closure(model, drivers, None, state)
    return _solved(curve, state.q, state.time, -curve.second(state.q, state.v, state.time))


def first_closure(curve: Closure, q: np.ndarray, t: float) -> np.ndarray:
    """The closure near a guess at a time; an error says how far apart a loop stays."""
    found = closed(curve, q, t, 60)
    if found is None:
        left = curve.residual(_nearest(curve, q, t), t)
        row = int(np.argmax(np.abs(left)))
        raise ModelError.at(
            row_name(curve, row),
            f"the loops do not close at {t:g} s: {abs(left[row]):.3g} stays open; begin nearer to a closure, "
            "or look for one with jd.mechanism.assembly_modes",
        )
    return found


def row_name(curve: Closure, row: int) -> str:
    """Name of the constraint, or driver, that a row belongs to."""
    constraints = curve.model.constraints
    if row >= constraints.rows:
        return curve.drivers[row - constraints.rows].name
    for name, one in zip(constraints.names, curve.model.arrays.constraints, strict=True):
        if one.row <= row < one.row + one.rows:
            return str(name)
    return "constraints"


def closed(curve: Closure, q: np.ndarray, t: float, limit: int = NEWTON) -> np.ndarray | None:
    """Newton's method at a fixed time, shortened where it must be; None where it does not converge."""
    left = curve.residual(q, t)
    for _ in range(limit):
        size = float(np.max(np.abs(left), initial=0.0))
        if size < TOLERANCE:
            return q
        step = np.linalg.lstsq(curve.jacobian(q, t), -left, rcond=1e-10)[0]
        step /= max(1.0, float(np.max(np.abs(step))))
        for part in (1.0, 0.5, 0.25, 0.1):
            trial = curve.moved(q, part * step)
            after = curve.residual(trial, t)
            if np.linalg.norm(after) < np.linalg.norm(left):
                break
        if not np.linalg.norm(after) < np.linalg.norm(left):
            return q if size < 100.0 * TOLERANCE else None
        q, left = trial, after
    return None


def _nearest(curve: Closure, q: np.ndarray, t: float) -> np.ndarray:
    """Where the gap is smallest, near a guess (Levenberg and Marquardt)."""
    drag = 1e-2
    left = curve.residual(q, t)
    for _ in range(100):
        A = curve.jacobian(q, t)
        step = np.linalg.solve(A.T @ A + drag * np.eye(len(q[: A.shape[1]])), -A.T @ left)
        trial = curve.moved(q, step)
        after = curve.residual(trial, t)
        if np.linalg.norm(after) < np.linalg.norm(left):
            q, left, drag = trial, after, drag / 3.0
        else:
            drag *= 4.0
        if drag > 1e8 or np.linalg.norm(step) < 1e-12:
            break
    return q


def _advance(curve: Closure, q: np.ndarray, t0: float, t1: float) -> np.ndarray | None:
    """The closure at t1 on the same branch; None where it is not to be had."""
    t, part = t0, 1.0
    rows = independent_rows(curve.jacobian(q, t), curve.model.nv)
    side = _side(curve, q, t, rows)
    while t < t1:
        h = min(part * (t1 - t0), t1 - t)
        A = curve.jacobian(q, t)
        v = np.linalg.lstsq(A, -curve.drift(q, t), rcond=1e-10)[0]
        a = np.linalg.lstsq(A, -curve.second(q, v, t), rcond=1e-10)[0]
        ahead = h * v + 0.5 * h * h * a
        after = t1 if h == t1 - t else t + h
        guess = curve.moved(q, ahead)
        found = closed(curve, guess, after, 6)
        way = np.linalg.norm(h * v)
        if (
            found is not None
            and np.linalg.norm(curve.apart(guess, found)) <= 0.1 * way + 1e-8
            and 0.5 * h * h * np.linalg.norm(a) <= 0.5 * way + 1e-6
            and _side(curve, found, after, rows) * side > 0.0
        ):
            q, t, part = found, after, min(1.0, 2.0 * part)
            partials = curve.jacobian(q, t)
            if have_worn(partials, rows):
                rows = independent_rows(partials, len(rows))
                side = _side(curve, q, t, rows)
            continue
        part *= 0.5
        if part < SHORTEST:
            return None
    return q


def _side(curve: Closure, q: np.ndarray, t: float, rows: np.ndarray) -> float:
    """Sign of det Phi_q, of rows that are independent; it changes where branches meet."""
    return float(np.linalg.slogdet(curve.jacobian(q, t)[rows])[0])


def _locked(curve: Closure, partial: Kinematics) -> LockUp:
    from .continuation import trace

    last = partial.state(len(partial) - 1)
    t, state = float(last.time), last
    way = max(1.0, 4.0 * float(np.linalg.norm(partial.v[-1])))
    path = trace(curve, start=last, length=way, step=0.01 * way)
    event = next((one for one in path.events if one.kind == "turning"), None)
    if event is not None:
        t, state = event.time, curve.model.state(q=event.q, time=event.time)
    _, _, V = np.linalg.svd(curve.jacobian(state.q, t))
    name = curve.names[int(np.argmax(np.abs(V[-1])))]
    text = ", ".join(f"{n} {x:.6g}" for n, x in list(zip(curve.model.names.q, state.q, strict=True))[:6])
    locked = LockUp.at(
        name,
        f"the mechanism locks up at {t:.8g} s ({text}): its drivers ask for more than the loops allow. Turn back, or "
        "follow the curve with jd.mechanism.trace",
    )
    assert isinstance(locked, LockUp)
    locked.time, locked.state, locked.partial = t, state, partial
    return locked


def _solved(curve: Closure, q: np.ndarray, t: float, right: np.ndarray) -> np.ndarray:
    A = curve.jacobian(q, t)
    spare = curve.model.nv - rank_of(A)
    if spare:
        raise dofs_error(curve, curve.partials(q, t), spare)
    return np.linalg.lstsq(A, right, rcond=1e-10)[0]


def _analysed(curve: Closure, times: np.ndarray, found: list[np.ndarray], reactions: bool) -> Kinematics:
    model = curve.model
    v, a, multipliers, efforts = [], [], [], []
    for t, q in zip(times, found, strict=True):
        A = curve.jacobian(q, float(t))
        v.append(np.linalg.lstsq(A, -curve.drift(q, float(t)), rcond=1e-10)[0])
        a.append(np.linalg.lstsq(A, -curve.second(q, v[-1], float(t)), rcond=1e-10)[0])
        if reactions:
            needed = model.inverse_dynamics(model.state(q=q, v=v[-1], time=float(t)), a[-1])
            both = np.linalg.lstsq(A.T, needed, rcond=1e-10)[0]
            rows = len(both) - len(curve.drivers)
            multipliers.append(both[:rows])
            efforts.append(both[rows:])
    return Kinematics(
        model,
        np.array(times, float),
        np.array(found),
        np.array(v),
        np.array(a),
        tuple(one.name for one in curve.drivers),
        np.array(efforts) if reactions else None,
        np.array(multipliers) if reactions else None,
    )
