"""Inverse kinematics: coordinates, or velocities, that bring a frame where it is wanted.

Damped and weighted pseudoinverse (Wampler 1986, Nakamura & Hanafusa 1986), with the damping of Sugihara 2011, which
goes with the square of what is left and so slows nothing down near the target; motions that do not move the frame go
down an objective (Liegeois 1977). Closed loops are rows beside those of the frame, and are closed with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from ..basics.arguments import checked
from ..basics.errors import ModelError
from ..basics.pose import Pose, rotation_vector
from ..basics.types import PlaceLike
from ..basics.values import as_array, is_number, is_whole, numbers, shown, suggestion
from ..model.displacement import apart, moved
from ..model.selection import entries, joint_entries, joint_limits, motors

if TYPE_CHECKING:
    from ..model.model import Model
    from ..model.state import State

AXES = ("rx", "ry", "rz", "x", "y", "z")
SINGULAR = 1e-9
"""Smallest singular value over the largest one below which a Jacobian counts as singular."""
STUCK = 1e-7
"""Gradient of the residual, over its size and the Jacobian's, below which it does not get smaller."""
DIFFERENCE = 1e-6
"""Step of the central differences of objectives [rad or m]."""

LOOPED = 1e-9
"""Singular value of the rows of loops, over the largest, below which they follow from others."""
FIRST = 1e3
"""What rows of loops count in velocities that are damped: they are met before those of the frame."""

Objective = Callable[[np.ndarray], float]


class FrameTask:
    """What a frame is asked for, the coordinates that may move for it, and the loops that they are to keep closed."""

    def __init__(
        self,
        model: Model,
        address: str,
        axes: Iterable[str],
        hold: Iterable[str],
        weights: Any,
        limits: Any,
        time: float = 0.0,
    ) -> None:
        model.marker(address)
        self.time = time
        self.loops = len(model.constraints) > 0
        self.model, self.address = model, address
        self.axes = tuple(axes)
        self.rows = _rows(self.axes)
        self.columns = joint_entries(model, hold)
        if not len(self.columns):
            raise ModelError.at(address, "no coordinate may move; hold fewer, or add joints")
        self.weights = _weights(model, weights)[self.columns]
        self.low, self.high = joint_limits(model, limits)

    def jacobian(self, q: np.ndarray) -> np.ndarray:
        """Rows asked for, then those of loops; columns that may move."""
        own = self.model.jacobian(self.address, q)[np.ix_(self.rows, self.columns)]
        if not self.loops:
            return own
        closing = self.model.constraints.jacobian(q, self.time)[self.model.constraints.holonomic]
        return np.vstack([own, closing[:, self.columns]])

    def gaps(self, q: np.ndarray) -> np.ndarray:
        """How far the loops are open."""
        if not self.loops:
            return np.zeros(0)
        return self.model.constraints.residual(q, self.time)[self.model.constraints.holonomic]

    def reached(self, q: np.ndarray) -> np.ndarray:
        """What the frame can do (rows asked for, directions) with the loops closed, a unit of weighted velocity each
        direction."""
        J = self.jacobian(q) / np.sqrt(self.weights)
        own, closing = J[: len(self.rows)], J[len(self.rows) :]
        if not len(closing):
            return own
        _, values, Vt = np.linalg.svd(closing)
        return own @ Vt[int(np.sum(values > LOOPED * max(values[0], 1e-300))) :].T

    def spread(self, step: np.ndarray) -> np.ndarray:
        """A step of all coordinates: motors follow their joints."""
        out = np.zeros(self.model.nv)
        out[self.columns] = step
        for motor, (joint, gear) in motors(self.model).items():
            out[motor] = gear * out[joint]
        return out

    def moved(self, q: np.ndarray, step: np.ndarray) -> np.ndarray:
        """q after a step of the coordinates that may move."""
        return moved(self.model, q, self.spread(step))

    def margins(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """How far each coordinate may go down and up."""
        at = self.model.arrays.q_index[self.columns]
        here = np.where(at >= 0, q[np.maximum(at, 0)], 0.0)
        return np.minimum(self.low[self.columns] - here, 0.0), np.maximum(self.high[self.columns] - here, 0.0)

    def step(self, J: np.ndarray, e: np.ndarray, damping: float, low: np.ndarray, high: np.ndarray) -> np.ndarray:
        """Smallest weighted step with J step = e, damped, in bounds: what would leave it is put on the bound, one
        after the other, and the rest makes up for it."""
        step = np.zeros(len(self.columns))
        free = np.ones(len(step), bool)
        for _ in range(len(step)):
            fixed = np.where(free, 0.0, step)
            Jf, w = J[:, free], 1.0 / self.weights[free]
            A = (Jf * w) @ Jf.T + damping * np.eye(len(e))
            step = fixed
            step[free] = w * (Jf.T @ np.linalg.lstsq(A, e - J @ fixed, rcond=None)[0])
            beyond = np.maximum(step - high, low - step)
            worst = int(np.argmax(beyond))
            if not beyond[worst] > 0.0:
                return step
            step[worst] = np.clip(step[worst], low[worst], high[worst])
            free[worst] = False
            if not np.any(free):
                return step
        return step

    def along(self, J: np.ndarray, slope: np.ndarray, low: np.ndarray, high: np.ndarray) -> np.ndarray:
        """Descent direction that does not move the frame, and into no bound."""
        free = np.ones(len(slope), bool)
        out = np.zeros(len(slope))
        while np.any(free):
            w = 1.0 / self.weights[free]
            Jf = J[:, free]
            down = -w * slope[free]
            least = LOOPED if self.loops else SINGULAR**2
            back = np.linalg.lstsq((Jf * w) @ Jf.T, Jf @ down, rcond=least)[0]
            out[:] = 0.0
            out[free] = down - w * (Jf.T @ back)
            stopped = free & (((out > 0.0) & (high <= 0.0)) | ((out < 0.0) & (low >= 0.0)))
            if not np.any(stopped):
                break
            free &= ~stopped
        return out


@checked
def inverse_kinematics(
    model: Model,
    address: str,
    target: PlaceLike,
    state: State,
    *,
    axes: Iterable[str] | None = None,
    weights: Mapping[str, float] | None = None,
    damping: float = 0.0,
    limits: bool | Mapping[str, tuple[float, float]] = True,
    null_space: str | State | Mapping[str, float] | Callable | None = None,
    hold: Iterable[str] = (),
    tolerance: float = 1e-10,
    iterations: int = 500,
    restarts: int = 0,
) -> State:
    """The state in which a frame is where it is wanted, and all loops are closed.

    target        a `Pose` in the world, or a position (3,) [m]
    state         where the search begins; internal coordinates, motors and what is held stay as they are (motors turn
                  with their joints). Velocities and time are kept
    axes          which of "rx", "ry", "rz", "x", "y", "z" (world axes) count; None: all that the target has
    weights       how reluctantly coordinates move: a dict from names to weights, all others 1
    damping       added to J W^-1 J^T beside the method's own, for calm steps near singular places
    limits        True: within the joints' `limits`; False: anywhere; or a dict from names to (low, high)
    null_space    what the coordinates that are left over do: "limits" (stay in the middle of the limits),
                  "manipulability" (stay off singular places), a State or a dict of coordinates (stay near that
                  posture), or a function of q that is to be small
    hold          names of joints that stay as they are
    tolerance     largest residual allowed [rad and m]
    restarts      how many other starting points, drawn within the limits (or a turn either way), are tried where the
                  search gets stuck

    Where the frame does not get there, a `ModelError` says how far off it stays and why: out of reach, or stopped by
    limits.
    """
    for what, count in (("restarts", restarts), ("iterations", iterations)):
        if not is_whole(count) or not 0 <= count < 10**9:
            raise ModelError.at(what, f"got {shown(count)}; give a whole number, 0 or more")
    place, turn = _target(target)
    wanted = AXES if turn is not None else AXES[3:]
    task = FrameTask(model, address, wanted if axes is None else axes, hold, weights, limits, state.time)
    if turn is None and any(axis in AXES[:3] for axis in task.axes):
        raise ModelError.at(address, f"axes are {task.axes}, but the target is a position; give a Pose", "axes")
    objective = _objective(task, null_space)

    def error(q: np.ndarray) -> np.ndarray:
        pose = model.pose(address, q)
        turned = rotation_vector(turn @ pose.rotation.T) if turn is not None else np.zeros(3)
        return np.concatenate([np.concatenate([turned, place - pose.position])[task.rows], -task.gaps(q)])

    begin = _within(task, np.array(state.q, float))
    rng = np.random.default_rng(0)
    best: tuple[float, np.ndarray, bool] | None = None
    for attempt in range(restarts + 1):
        start = begin if attempt == 0 else _drawn(task, begin, rng)
        q, stuck = _approach(task, error, start, damping, tolerance, iterations)
        off = float(np.max(np.abs(error(q))))
        if off <= tolerance:
            if objective is not None:
                q = _descend(task, error, objective, q, damping, tolerance, iterations)
            return model.state(q, state.v, state.time)
        if best is None or off < best[0]:
            best = off, q, stuck
    assert best is not None
    raise ModelError.at(address, _missed(task, error(best[1]), *best[1:], restarts))


@checked
def resolved_rate(
    model: Model,
    address: str,
    twist: ArrayLike,
    state: State,
    *,
    axes: Iterable[str] | None = None,
    weights: Mapping[str, float] | None = None,
    damping: float = 0.0,
    limits: bool | Mapping[str, tuple[float, float]] = True,
    null_space: str | State | Mapping[str, float] | Callable | None = None,
    gain: float = 1.0,
    hold: Iterable[str] = (),
) -> np.ndarray:
    """Velocities (nv,) that move a frame as wanted (Whitney 1969): v = J# (twist - J_h v_h) + (1 - J# J) v_0.

    Those of closed loops obey A v + c = 0 besides, at a state that is on the loops.

    twist         velocity of the frame (angular, linear), world axes, six numbers; or three, linear
    axes          which of "rx", "ry", "rz", "x", "y", "z" count; None: all that the twist has
    weights       how reluctantly coordinates move: a dict from names to weights, all others 1
    damping       of the pseudoinverse J^T (J J^T + damping)^-1; without it a singular place is an error
    limits        True: no joint moves on into one of its `limits`; False: they do not count; or a dict, as in
                  `inverse_kinematics`
    null_space    v_0: a dict from names to velocities or nv numbers; or an objective of `inverse_kinematics`, of which
                  v_0 is `gain` times the way down
    hold          names of joints that keep the velocity v_h of the state, as internal coordinates do
    """
    array = as_array(twist, "twist")
    if array.shape not in ((3,), (6,)):
        raise ModelError.at("twist", f"got shape {array.shape}; give six numbers (angular, linear), or three, linear")
    full = np.concatenate([np.zeros(6 - len(array)), array])
    task = FrameTask(
        model, address, AXES[6 - len(array) :] if axes is None else axes, hold, weights, limits, state.time
    )
    values = np.linalg.svd(task.reached(state.q), compute_uv=False)
    if damping == 0.0 and (len(values) < len(task.rows) or values[-1] <= SINGULAR * values[0]):
        text = f"the Jacobian for {', '.join(task.axes)} is singular here (singular values {numbers(values)})"
        raise ModelError.at(address, f"{text}; give damping, fewer axes, or move off")
    rest = np.array(state.v, float)
    rest[task.columns] = 0.0
    for motor in motors(model):
        rest[motor] = 0.0
    J = (model.jacobian(address, state.q))[np.ix_(task.rows, task.columns)]
    e = full[task.rows] - (model.jacobian(address, state.q) @ rest)[task.rows]
    A, opening = _loops_at(task, state, rest)
    first = FIRST if damping > 0.0 else 1.0
    J, e = np.vstack([J, first * A]), np.concatenate([e, -first * opening])
    low, high = task.margins(np.asarray(state.q))
    low, high = np.where(low >= 0.0, 0.0, -np.inf), np.where(high <= 0.0, 0.0, np.inf)
    slope = _slope(task, null_space, gain, np.asarray(state.q))
    aside = task.along(J, slope, low, high) if slope is not None else np.zeros(len(task.columns))
    v = task.step(J, e - J @ aside, damping, low - aside, high - aside) + aside
    if task.loops:
        v = _kept(task, A, opening, v)
    return rest + task.spread(v)


def _loops_at(task: FrameTask, state: State, rest: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A of the columns that may move, and the rates (rows,) that all others leave of the rows of loops."""
    if not task.loops:
        return np.zeros((0, len(task.columns))), np.zeros(0)
    A, table = task.model.constraints.jacobian_and_table(state.q, rest, task.time)
    return A[:, task.columns], table.columns.rate


def _kept(task: FrameTask, A: np.ndarray, opening: np.ndarray, v: np.ndarray) -> np.ndarray:
    """The velocities nearest to v that keep the loops; an error where what is held does not let them."""
    root = 1.0 / np.sqrt(task.weights)
    out = v - root * np.linalg.lstsq(A * root, A @ v + opening, rcond=LOOPED)[0]
    left = A @ out + opening
    if np.max(np.abs(left)) > 1e-6 * (np.max(np.abs(opening)) + np.max(np.abs(A)) * np.max(np.abs(v)) + 1e-300):
        owner = task.model.constraints.owners[int(np.argmax(np.abs(left)))]
        raise ModelError.at(owner, "what is held, or moves by itself, opens this loop; hold less, or start from rest")
    return out


def _slope(task: FrameTask, given: Any, gain: float, q: np.ndarray) -> np.ndarray | None:
    """What the null space is to go down, in the weights' metric, so that the way down of velocities is themselves."""
    model = task.model
    if isinstance(given, np.ndarray | list | tuple):
        v0 = as_array(given, "null_space")
        if v0.shape != (model.nv,):
            raise ModelError.at("null_space", f"got shape {v0.shape}; this model has {model.nv} velocities")
        return -task.weights * v0[task.columns]
    if isinstance(given, Mapping):
        v0 = np.zeros(model.nv)
        for name, value in given.items():
            v0[entries(model, (name,), "null_space")] = value
        return -task.weights * v0[task.columns]
    objective = _objective(task, given)
    return None if objective is None else gain * _gradient(task, objective, q)


def _approach(
    task: FrameTask, error: Callable, q: np.ndarray, damping: float, tolerance: float, iterations: int
) -> tuple[np.ndarray, bool]:
    """Goes on until the residual is small, or does not get smaller; the second says that it was a minimum."""
    e = error(q)
    extra = 1.0
    for _ in range(iterations):
        if np.max(np.abs(e)) <= tolerance:
            return q, False
        J = task.jacobian(q)
        low, high = task.margins(q)
        slope = J.T @ e
        slope[((slope > 0.0) & (high <= 0.0)) | ((slope < 0.0) & (low >= 0.0))] = 0.0
        if np.linalg.norm(slope) <= STUCK * np.linalg.norm(J) * np.linalg.norm(e):
            return q, True
        half = 0.5 * float(e @ e)
        while True:
            trial = task.moved(q, task.step(J, e, extra * half + damping, low, high))
            found = error(trial)
            if found @ found < e @ e:
                q, e = trial, found
                extra = max(0.1 * extra, 1e-6)
                break
            extra *= 10.0
            if extra * half > 1e12 * (1.0 + np.linalg.norm(J) ** 2):
                return q, True
    return q, False


def _descend(
    task: FrameTask,
    error: Callable,
    objective: Objective,
    q: np.ndarray,
    damping: float,
    tolerance: float,
    iterations: int,
) -> np.ndarray:
    """Goes down the objective without moving the frame, with the step lengths of Barzilai & Borwein 1988."""
    value, length = objective(q), 1.0
    before: tuple[np.ndarray, np.ndarray] | None = None
    for _ in range(iterations):
        low, high = task.margins(q)
        way = task.along(task.jacobian(q), _gradient(task, objective, q), low, high)
        if np.max(np.abs(way)) <= 1e-8 * (1.0 + abs(value)):
            return q
        if before is not None:
            s, y = before[0], before[1] - way
            length = float(s @ s) / float(s @ y) if s @ y > 0.0 else 2.0 * length
        length = min(length, 0.5 / float(np.max(np.abs(way))))
        while True:
            step = np.clip(length * way, low, high)
            trial, _ = _approach(task, error, task.moved(q, step), damping, tolerance, 50)
            if np.max(np.abs(error(trial))) <= tolerance and objective(trial) < value:
                break
            length *= 0.5
            if length * np.max(np.abs(way)) < 1e-9:
                return q
        before = apart(task.model, q, trial)[task.columns], way
        q, value = trial, objective(trial)
    return q


def _gradient(task: FrameTask, objective: Objective, q: np.ndarray) -> np.ndarray:
    out = np.zeros(len(task.columns))
    for i in range(len(out)):
        step = np.zeros(len(out))
        step[i] = DIFFERENCE
        out[i] = (objective(task.moved(q, step)) - objective(task.moved(q, -step))) / (2.0 * DIFFERENCE)
    return out


def _objective(task: FrameTask, given: Any) -> Objective | None:
    model = task.model
    if given is None:
        return None
    if isinstance(given, str) and given == "limits":
        bounded = [k for k in task.columns if np.isfinite(task.high[k] - task.low[k])]
        if not bounded:
            raise ModelError.at("null_space", 'no joint that may move has limits; "limits" has nothing to keep')
        low, high, at = task.low[bounded], task.high[bounded], model.arrays.q_index[bounded]
        return lambda q: float(np.sum(((2.0 * q[at] - low - high) / (high - low)) ** 2)) / 2.0
    if isinstance(given, str) and given == "manipulability":

        def singular(q: np.ndarray) -> float:
            J = task.reached(q) if task.loops else task.jacobian(q)
            return -float(np.sqrt(max(np.linalg.det(J @ J.T), 0.0)))

        return singular
    if isinstance(given, str):
        raise ModelError.at("null_space", f'got "{given}"; {suggestion(given, ("limits", "manipulability"))}')
    if isinstance(given, Mapping) and not given:
        raise ModelError.at("null_space", "got no coordinates; name one at least")
    if hasattr(given, "q") or isinstance(given, Mapping):
        posture = given.q if hasattr(given, "q") else model.state(dict(given)).q
        named = task.columns
        if isinstance(given, Mapping):
            named = np.intersect1d(entries(model, tuple(given), "null_space"), task.columns)
        return lambda q: 0.5 * float(np.sum(apart(model, posture, q)[named] ** 2))
    if callable(given) and not isinstance(given, type):

        def asked(q: np.ndarray) -> float:
            value = given(q)
            if not is_number(value):
                raise ModelError.at("null_space", f"the function gave {shown(value)}; it must give a number")
            return float(value)

        return asked
    raise ModelError.at(
        "null_space", f'got {shown(given)}; give "limits", "manipulability", a State, a dict or a function of q'
    )


def _target(target: Any) -> tuple[np.ndarray, np.ndarray | None]:
    if isinstance(target, Pose):
        return target.position, target.rotation
    place = as_array(target, "target")
    if place.shape != (3,):
        raise ModelError.at("target", f"got {shown(target)}; give a Pose or a position, three numbers [m]")
    if not np.all(np.isfinite(place)):
        raise ModelError.at("target", f"got {numbers(place)}; give finite numbers")
    return place, None


def _rows(axes: tuple[str, ...]) -> np.ndarray:
    for axis in axes:
        if axis not in AXES:
            raise ModelError.at("axes", f"got {shown(axis)}; {suggestion(str(axis), AXES)}")
    if not axes or len(set(axes)) < len(axes):
        raise ModelError.at("axes", f"got {axes}; name each axis once, at least one of {', '.join(AXES)}")
    return np.array([AXES.index(axis) for axis in axes])


def _weights(model: Model, given: Any) -> np.ndarray:
    out = np.ones(model.nv)
    if given is None:
        return out
    if not isinstance(given, Mapping):
        raise ModelError.at("weights", f"got {shown(given)}; give a dict from names to weights")
    for name, weight in given.items():
        out[entries(model, (name,), "weights")] = weight
        if not (np.isfinite(weight) and weight > 0.0):
            raise ModelError.at(str(name), f"weight is {weight}; give more than zero")
    return out


def _within(task: FrameTask, q: np.ndarray) -> np.ndarray:
    """q, put within the limits."""
    at = task.model.arrays.q_index[task.columns]
    plain = at >= 0
    q[at[plain]] = np.clip(q[at[plain]], task.low[task.columns[plain]], task.high[task.columns[plain]])
    return q


def _drawn(task: FrameTask, q: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    low, high = task.margins(q)
    low, high = np.where(np.isfinite(low), low, -np.pi), np.where(np.isfinite(high), high, np.pi)
    return task.moved(q, rng.uniform(low, high))


def _missed(task: FrameTask, e: np.ndarray, q: np.ndarray, stuck: bool, restarts: int) -> str:
    units = ["rad" if axis in AXES[:3] else "m" for axis in task.axes]
    off = ", ".join(f"{axis} {x:.3g} {unit}" for axis, x, unit in zip(task.axes, e, units, strict=False))
    if task.loops:
        off += f", with loops open by {np.max(np.abs(e[len(units) :])):.3g}"
    if not stuck:
        return f"not there yet; still off by {off}; allow more iterations, or begin nearer"
    low, high = task.margins(q)
    stopped = [task.model.names.v[k] for k, a, b in zip(task.columns, low, high, strict=True) if a >= 0.0 or b <= 0.0]
    at = f", with {', '.join(stopped)} at a limit" if stopped else ""
    others = f" from here and from {restarts} other starting points" if restarts else " from here"
    return (
        f"the target is out of reach{others}: the nearest found is off by {off}{at}; "
        "move the target, ask for fewer axes, or begin elsewhere (restarts=)"
    )
