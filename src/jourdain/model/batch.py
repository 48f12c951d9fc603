"""Many states at once: `States`, and the model functions over their rows, compiled and on all cores.

Rows are handed to threads in blocks, each thread with a workspace of its own; kernels release the interpreter's lock.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..basics.arguments import checked
from ..basics.errors import ModelError
from ..basics.types import ByName, Coordinates
from ..basics.values import as_array, suggestion
from .displacement import set_path_rotations
from .run_stages import contact_stages, gather, law_stage, tables, touch_of

if TYPE_CHECKING:
    from .model import Model
    from .state import State

WORTH = 128
"""Rows a thread from which another thread is worth its start."""
BLOCKS = 4
"""Blocks of rows a thread, so that none waits long for the last."""


@checked
@dataclass(frozen=True)
class States:
    """Many states of a model, a row each; `states[i]` is one of them. `model.states` makes them.

    time    (N,) [s]
    q       (N, nq) coordinates, as `model.names.q`
    v       (N, nv) velocities, as `model.names.v`
    z       (N, nz) internal states, as of `State`
    """

    time: np.ndarray
    q: np.ndarray
    v: np.ndarray
    z: np.ndarray

    def __len__(self) -> int:
        return len(self.q)

    def __getitem__(self, i: int) -> State:
        from .state import State

        i = range(len(self))[i]
        return State(float(self.time[i]), self.q[i].copy(), self.v[i].copy(), self.z[i].copy())

    def __iter__(self) -> Iterator[State]:
        return (self[i] for i in range(len(self)))

    def __repr__(self) -> str:
        return f"<{len(self)} states: q {self.q.shape}, v {self.v.shape}, z {self.z.shape}>"


class Poses(NamedTuple):
    """Poses of a frame in the world: position (N, 3) [m], quaternion (N, 4), scalar first."""

    position: np.ndarray
    quaternion: np.ndarray


def several(value: Any) -> bool:
    """Whether a model function was given many states: `States`, a list of states, or an array of two dimensions."""
    if isinstance(value, list | tuple):
        return bool(value) and (hasattr(value[0], "q") or isinstance(value[0], list | tuple | np.ndarray))
    return getattr(getattr(value, "q", value), "ndim", 0) == 2


def states(
    model: Model, q: Coordinates | None = None, v: ByName | None = None, time: ArrayLike = 0.0, z: ByName | None = None
) -> States:
    """Many states at once, for the model functions and for `jd.simulate_many`.

    q       (N, nq), or a dict from names to columns of N numbers, or to one for all; what is not named is as in `state`
    v       (N, nv), or a dict in the same way; at rest without it
    time    one for all, or (N,) [s]
    z       (N, nz) internal states, one row for all, or None for those of `state`

    All model functions that take a state take these, and give arrays with N as their first dimension:
    ``model.inverse_dynamics(model.states(q, v), acceleration)``.
    """
    times = as_array(time, "time")
    if times.ndim > 1 or times.size == 0:
        raise ModelError.at("time", f"got shape {times.shape}; give one for all, or one a state, (N,)")
    sizes = {len(times)} if times.ndim else set()
    for what, given in (("q", q), ("v", v)):
        if isinstance(given, Mapping):
            columns = [as_array(one, f"{name}: {what}") for name, one in given.items()]
        else:
            columns = [] if given is None else [as_array(given, what)]
        sizes |= {len(one) for one in columns if one.ndim}
    sizes -= {1}
    if len(sizes) > 1:
        stated = ", ".join(map(str, sorted(sizes)))
        raise ModelError.at("states", f"q, v and time have {stated} rows; give as many of each, or one for all")
    count = sizes.pop() if sizes else 1
    coordinates = _filled(model.neutral, model.index.q, q, "q", count)
    velocities = _filled(np.zeros(model.nv), model.index.v, v, "v", count)
    set_motors(model, coordinates, q, model.names.q, 0)
    set_motors(model, velocities, v, model.names.v, 1)
    for row in coordinates if len(model.arrays.paths) else ():
        set_path_rotations(model, row, q)
    found = _checked(model, States(np.full(count, times), coordinates, velocities, np.zeros((count, 0))))
    return States(found.time, found.q, velocities, _internal(model, found.q, z))


def set_motors(model: Model, values: np.ndarray, given: Any, names: tuple[str, ...], column: int) -> None:
    """Motors that a dict does not name turn with their joints."""
    if not isinstance(given, Mapping):
        return
    for at, drive in zip(model.arrays.drive_entries, model.arrays.joint_drives, strict=True):
        joint, motor = (at.joint_q, at.motor_q) if column == 0 else (at.joint_v, at.motor_v)
        if names[motor] not in given:
            values[..., motor] = drive.gear * values[..., joint]


def _filled(start: np.ndarray, index: dict[str, int], given: Any, what: str, count: int) -> np.ndarray:
    """Rows (count, n) of coordinates or velocities from an array or from columns by name."""
    out = np.tile(start, (count, 1))
    if given is None:
        return out
    if not isinstance(given, Mapping):
        array = as_array(given, what)
        if array.shape not in ((count, len(start)), (1, len(start))):
            raise ModelError.at(what, f"got shape {array.shape}; give ({count}, {len(start)}), a row a state")
        out[:] = array
        return out
    for name, value in given.items():
        if name not in index:
            raise ModelError.at(str(name), f"no such entry in {what}; {suggestion(str(name), index)}")
        column = as_array(value, f"{name}: {what}")
        if column.shape not in ((), (1,), (count,)):
            raise ModelError.at(name, f"{what} has shape {column.shape}; give one number, or ({count},), one a state")
        out[:, index[name]] = column
    return out


def _checked(model: Model, rows: States) -> States:
    """The same with quaternions of length one; numbers that are no state are refused, with the first bad row."""
    for what, values, names in (
        ("q", rows.q, model.names.q),
        ("v", rows.v, model.names.v),
        ("time", rows.time[:, None], ("time",)),
    ):
        if not np.all(np.isfinite(values)):
            i, j = np.argwhere(~np.isfinite(values))[0]
            raise ModelError.at(names[j], f"{what} is {values[i, j]} in row {i}; give finite numbers")
    q = rows.q.copy()
    for j in model.quaternions:
        length = np.linalg.norm(q[:, j : j + 4], axis=1)
        off = np.abs(length - 1.0) >= 1e-6
        if np.any(off):
            i = int(np.argmax(off))
            name = model.names.q[j].removesuffix(".qw")
            raise ModelError.at(name, f"its quaternion in row {i} of q has length {length[i]:g}; give length one")
        q[:, j : j + 4] /= length[:, None]
    for name, (low, high) in model.ranges.items():
        x = q[:, model.index.q[name]]
        off = (x < low) | (x > high)
        if np.any(off):
            i = int(np.argmax(off))
            raise ModelError.at(name, f"q is {x[i]:g} m in row {i}; it must lie between {low:g} and {high:g} m")
    return States(rows.time, q, rows.v, rows.z)


def _internal(model: Model, q: np.ndarray, z: Any) -> np.ndarray:
    """Internal states (N, nz): those given, or friction at rest where the joints are and contacts that touch nothing.

    States without any, which one makes oneself, have no joint friction; contacts must have theirs.
    """
    count, size = len(q), len(model.names.z)
    if z is None:
        out = np.zeros((count, size))
        sticking = model.arrays.joint_springs.columns.friction > 0.0
        out[:, : np.sum(sticking)] = q[:, model.arrays.spring_entries.columns.q[sticking]]
        return out
    array = np.atleast_2d(as_array(z, "z"))
    needed = size if model.contacts.names or np.size(array) else 0
    if array.ndim != 2 or array.shape[0] not in (1, count) or array.shape[1] < needed:
        raise ModelError.at("z", f"got shape {np.shape(z)}; give ({count}, {size}), a row a state, or one row for all")
    return np.array(np.broadcast_to(array, (count, array.shape[1])))


def taken(model: Model, value: Any, v: Any = None, only: str = "") -> States:
    """What a model function was given as many states; arrays are checked, and errors say their shapes.

    v       velocities (N, nv) where `value` is coordinates alone
    only    "q" where the function needs no velocities
    """
    if isinstance(value, list | tuple) and hasattr(value[0], "q"):
        value = _stacked(model, value)
    q = _rows(getattr(value, "q", value), "q", model.nq)
    count = len(q)
    if v is None and not hasattr(value, "v") and not only:
        raise ModelError.at("state", f"got an array of shape {q.shape}; give many states, model.states(q, v)")
    speeds = np.zeros((count, model.nv)) if only else _rows(value.v if v is None else v, "v", model.nv)
    if len(speeds) != count:
        raise ModelError.at("v", f"got shape {speeds.shape} with q of {q.shape}; give ({count}, {model.nv})")
    times = as_array(getattr(value, "time", 0.0), "time")
    if times.shape not in ((), (count,)):
        raise ModelError.at("time", f"got shape {times.shape}; give one for all, or ({count},)")
    z = np.zeros((count, 0)) if only else _internal(model, q, getattr(value, "z", None))
    return States(np.array(np.broadcast_to(times, (count,))), q, speeds, z)


def _stacked(model: Model, given: Sequence[Any]) -> States:
    """Many states from a list of them."""
    for i, one in enumerate(given):
        for what, size in (("q", model.nq), ("v", model.nv)):
            got = np.shape(getattr(one, what, ()))
            if got != (size,):
                raise ModelError.at(f"states[{i}]", f"{what} has shape {got}; give a State of this model, ({size},)")
        got, first = (np.shape(getattr(state, "z", 0.0)) for state in (one, given[0]))
        if got != first or len(got) != 1:
            raise ModelError.at(f"states[{i}]", f"z has shape {got}, that of the first {first}; give states alike")
    return States(*(as_array([getattr(one, what, 0.0) for one in given], what) for what in ("time", "q", "v", "z")))


def _rows(value: Any, what: str, size: int) -> np.ndarray:
    array = as_array(value, what)
    if array.ndim != 2 or array.shape[1] != size:
        raise ModelError.at(what, f"got shape {array.shape}; give (N, {size}), a row a state")
    return np.ascontiguousarray(array)


def entries(model: Model, value: Any, count: int, what: str) -> np.ndarray:
    """Efforts or accelerations (count, nv): given so, or one row for all, or a dict of columns, or None for zeros."""
    if value is None or isinstance(value, Mapping):
        return _filled(np.zeros(model.nv), model.index.v, value, what, count)
    array = as_array(value, what)
    if array.shape not in ((count, model.nv), (model.nv,)):
        raise ModelError.at(
            what, f"got shape {array.shape}; give ({count}, {model.nv}), a row a state, or ({model.nv},) for all"
        )
    return np.array(np.broadcast_to(array, (count, model.nv)), order="C")


class WorkspacePool:
    """Workspaces for the threads that a call spreads its rows over, made once."""

    def __init__(
        self, model: Model, sensed: int = 0, control: Any = None, control_workspaces: Sequence[Any] = ()
    ) -> None:
        self.model, self.sensed, self.control, self.control_workspaces = model, sensed, control, control_workspaces
        self.made: list[Any] = []
        self.pairs = 12

    def take(self, count: int) -> list[Any]:
        """So many of them."""
        while len(self.made) < count:
            self.made.append(self.make())
        return self.made[:count]

    def make(self) -> Any:
        """One more."""
        from ..kernels.model_arrays import workspace

        return workspace(
            self.model.arrays, sensed=self.sensed, control=self.control, control_workspaces=self.control_workspaces,
            pairs=self.pairs,
            surfaces=len(self.model.description.get("touching", ())),
        )  # fmt: skip

    def widen(self) -> None:
        """From now on, twice the room for pairs of piles that are near each other."""
        self.pairs *= 2
        self.made.clear()


class AppliedLoads:
    """What acts at the states of a model besides efforts, as kernels read it.

    stages, task, p    contacts and forces by laws
    states             how many integrated states contacts and laws have
    """

    def __init__(self, model: Model) -> None:
        from ..kernels.law_table import run_tables
        from ..kernels.stage_functions import StageFunctions

        self.model, self.laws = model, gather(model, None)
        contact, accept, _ = contact_stages(model)
        kernels = {
            "law": law_stage(self.laws),
            "contact": contact,
            "accept": accept if model.contacts.piles else None,
        }
        found = {what: one.ready(model.features) for what, one in kernels.items() if one is not None}
        self.stages = StageFunctions(**(dict.fromkeys(StageFunctions.fields) | found | {"touch": touch_of(model)}))
        self.task = run_tables(sensors=self.laws.sensors, **tables(self.laws))
        self.p = self.laws.parameters
        self.states = len(model.names.z) - model.latched + self.laws.states
        self.pool = WorkspacePool(
            model, self.laws.sensed, self.laws.control, [one.arrays for one in self.laws.control_workspaces]
        )

    def split(self, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Integrated and latched states, copies, as the kernels read them; states of laws that are not given are 0."""
        integrated = np.zeros((len(z), self.states + 2))
        kept = z[:, self.model.latched :][:, : self.states]
        integrated[:, : kept.shape[1]] = kept
        return integrated, np.array(z[:, : self.model.latched], order="C")


def spread(workspaces: WorkspacePool, count: int, work: Callable[[Any, int, int], Any]) -> None:
    """Calls work(workspace, from, to) for all rows: in blocks, on as many threads as there are cores and work for."""
    threads = max(1, min(os.cpu_count() or 1, count // WORTH))
    if threads == 1:
        work(workspaces.take(1)[0], 0, count)
        return
    bounds = np.linspace(0, count, BLOCKS * threads + 1).astype(int).tolist()
    blocks = iter(list(zip(bounds[:-1], bounds[1:], strict=True)))

    def go(ws: Any) -> None:
        for a, b in blocks:
            work(ws, a, b)

    with ThreadPoolExecutor(threads) as pool:
        for one in [pool.submit(go, ws) for ws in workspaces.take(threads)]:
            one.result()


def tree_rows(model: Model, kernel: Any, count: int, arguments: Callable[[int, int], Sequence[Any]]) -> None:
    """Calls a kernel of rows that the tree alone enters: kernel(model, ws, *arguments(from, to))."""
    pool = getattr(model.scratch, "pool", None)
    if pool is None:
        pool = model.scratch.pool = WorkspacePool(model)
    call = kernel.ready(model.features).python
    spread(pool, count, lambda ws, a, b: call(model.arrays, ws, *arguments(a, b)))


def applied_rows(
    model: Model,
    kernel: Any,
    rows: States,
    arguments: Callable[[int, int], Sequence[Any]],
    known: Sequence[int] = (),
    laws: bool = True,
) -> None:
    """Calls a kernel of rows that all that acts enters.

    known    entries of v whose accelerations are given
    laws     whether the kernel takes forces by laws
    """
    acting = getattr(model.scratch, "acting", None)
    if acting is None:
        acting = model.scratch.acting = AppliedLoads(model)
    for law in acting.laws.bound if len(rows) else ():
        law.check(model, float(rows.time[0]), rows.q[0], rows.v[0], 6)
    call = kernel.ready(model.features).python
    reading = (acting.task, acting.p) if laws else ()
    overflowed = []

    def work(ws: Any, a: int, b: int) -> None:
        ws.known[:] = 0
        ws.known[list(known)] = 1
        z, latched = acting.split(rows.z[a:b])
        state = (rows.time[a:b], rows.q[a:b], rows.v[a:b], z, latched, np.zeros(z.shape[1]))
        if call(acting.stages, model.arrays, *reading, ws, 0, *state, *arguments(a, b)) < b - a:
            overflowed.append((a, b))

    spread(acting.pool, len(rows), work)
    while overflowed:
        acting.pool.widen()
        again = overflowed.copy()
        overflowed.clear()
        for a, b in again:
            work(acting.pool.take(1)[0], a, b)
