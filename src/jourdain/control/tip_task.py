"""The task of a tip: which of its six directions are controlled, where it should be, and what it touches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..basics.errors import ModelError
from ..basics.pose import Pose, as_rotation, quaternion_from_matrix
from ..basics.values import as_array, shown, suggestion
from ..basics.warn import warn
from .parameters import CoordinateMap, Entry, motions

if TYPE_CHECKING:
    from ..model.model import Model
    from ..model.state import State

DIRECTIONS = ("rx", "ry", "rz", "x", "y", "z")
REACH = 1e-8
"""Least eigenvalue of J W^-1 J^T, over its largest diagonal of the same kind, that counts as reachable."""


class SingularTaskWarning(UserWarning):
    """A direction of the task cannot be driven where the run begins; its acceleration is damped there."""


def as_directions(given: Any, where: str) -> list[int]:
    """Rows of the Jacobian (angular, linear): "xy", or names out of rx, ry, rz, x, y, z."""
    names = list(given) if isinstance(given, str | Sequence) else [given]
    for name in names:
        if not isinstance(name, str) or name not in DIRECTIONS:
            raise ModelError.at(
                where, f"direction {shown(name)} is unknown; {suggestion(str(name), DIRECTIONS)}", "directions"
            )
    if not names or len(set(names)) != len(names):
        raise ModelError.at(
            where, f"directions are {shown(given)}; give some of {', '.join(DIRECTIONS)}, each once", "directions"
        )
    return [DIRECTIONS.index(name) for name in names]


def square(value: Any, rows: Sequence[int], what: str, where: str, positive: bool = False) -> np.ndarray:
    """A symmetric matrix over the task's directions: one number, one a direction, a dict, or the matrix itself."""
    names = [DIRECTIONS[r] for r in rows]
    if isinstance(value, Mapping):
        unknown = [name for name in value if name not in names]
        missing = [name for name in names if name not in value]
        if unknown or missing:
            raise ModelError.at(where, f"{what} is given for {', '.join(value)}; give it for {', '.join(names)}", what)
        value = [value[name] for name in names]
    array = as_array(value, f"{where}: {what}")
    n = len(rows)
    if array.ndim == 0:
        array = float(array) * np.eye(n)
    elif array.shape == (n,):
        array = np.diag(array)
    if array.shape != (n, n):
        raise ModelError.at(
            where, f"{what} has shape {array.shape}; give one number, {n} ({', '.join(names)}), or ({n}, {n})", what
        )
    if not np.all(np.isfinite(array)) or not np.allclose(array, array.T, rtol=1e-9, atol=0.0):
        raise ModelError.at(where, f"{what} is {shown(array)}; give a symmetric matrix of finite numbers", what)
    least = np.linalg.eigvalsh(array)[0]
    if least < 0.0 or (positive and least == 0.0):
        sign = "positive definite" if positive else "positive semidefinite"
        raise ModelError.at(where, f"{what} has the eigenvalue {least:g}; it must be {sign}", what)
    return array


class TipReference(NamedTuple):
    """A reference as `kernels.control.task` has it: a path, or -1 for profiles and an orientation."""

    path: int
    profiles: list[tuple[int, Any]]
    data: Any = ()
    quaternion: Any = (1.0, 0.0, 0.0, 0.0)


def target(reference: Any, here: Pose, rows: Sequence[int], where: str) -> TipReference:
    """A path of `jd.control`, or a dict from x, y, z to motions or numbers and from "rotation" to a rotation.

    here    pose of the tip at the start, in the axes of the reference: what is not said stays there
    """
    from .paths import Path

    if isinstance(reference, Path):
        return TipReference(reference.code, [], reference.numbers())
    given = dict(reference) if isinstance(reference, Mapping) else {} if reference is None else None
    if given is None:
        raise ModelError.at(
            where, f"reference is {shown(reference)}; give a path or a dict from directions to motions", "reference"
        )
    turn = given.pop("rotation", None)
    known = [DIRECTIONS[r] for r in rows if r >= 3]
    for name in given:
        if name not in known:
            hint = suggestion(str(name), [*known, "rotation"])
            raise ModelError.at(str(name), f"{where}: reference for a direction that the task does not have; {hint}")
    quaternion = here.quaternion if turn is None else quaternion_from_matrix(as_rotation(turn, f"{where}: rotation"))
    found = motions(given, ("x", "y", "z"), here.position, "reference", where)
    return TipReference(-1, found, quaternion=quaternion)


def wrench_offset(plant: Model, contact: str, at: str, where: str) -> np.ndarray:
    """From the tip to the origin of the shape, or of the solid, with which it touches, in the tip's axes (3,)."""
    surfaces = {one["name"]: one["first"] for one in plant.description.get("touching", ())}
    if contact in surfaces:
        first = surfaces[contact]
        body = str(first.get("body", first.get("address"))).partition(".")[0]
    else:
        number = plant.contact(contact)
        if number >= len(plant.description["contacts"]):
            raise ModelError.at(where, f'contact "{contact}" is a pile, which has no one force; name a pair')
        first = plant.description["contacts"][number]["first"]
        body = str(first["address"]).partition(".")[0]
    if body != at.partition(".")[0]:
        raise ModelError.at(
            where,
            f'the first shape of contact "{contact}" is on "{body}", the tip is "{at}"; name the shape of the '
            "tip's body first, since the force is that on the first",
        )
    if contact in surfaces:
        shape = plant.pose(f"{body}.origin", plant.neutral)
    else:
        shape = plant.pose(first["address"], plant.neutral) @ Pose.from_dict(first["pose"])
    return (plant.pose(at, plant.neutral).inverse() @ shape).position


def check_reach(
    control: Model,
    state: State,
    marker: str,
    driven: Sequence[Entry],
    free: Sequence[int],
    rows: Sequence[int],
    where: str,
    weighted: bool = True,
) -> None:
    """An error where the arm can nowhere drive a direction of the task, a warning where it cannot at the start."""
    found = _blocked(control, state.q, marker, driven, free, rows, weighted)
    if found is None:
        return
    numbers = np.random.default_rng(0)
    for _ in range(4):
        q = state.q.copy()
        for entry in driven:
            q[entry.q] += numbers.uniform(-0.5, 0.5)
        if _blocked(control, q, marker, driven, free, rows, weighted) is None:
            warn(
                f"{where}: at the start the joints cannot accelerate {marker} along {found}; it is damped there",
                SingularTaskWarning,
            )
            return
    raise ModelError.at(
        where,
        f"the joints {', '.join(entry.name for entry in driven)} cannot accelerate {marker} along {found}; "
        "leave that direction out of the task, or drive more joints",
    )


def _blocked(
    control: Model,
    q: np.ndarray,
    marker: str,
    driven: Sequence[Entry],
    free: Sequence[int],
    rows: Sequence[int],
    weighted: bool,
) -> str | None:
    """The direction that cannot be driven, None where all can."""
    M, J = control.mass_matrix(q), control.jacobian(marker, q)[list(rows)]
    a, u = [entry.v for entry in driven], list(free)
    eliminated = np.linalg.solve(M[np.ix_(u, u)], M[np.ix_(u, a)])
    Ma = M[np.ix_(a, a)] - M[np.ix_(a, u)] @ eliminated
    Ja = J[:, a] - J[:, u] @ eliminated
    B = Ja @ np.linalg.solve(Ma, Ja.T) if weighted else Ja @ Ja.T
    kind = np.array([r < 3 for r in rows])
    scale = np.array([np.max(np.diag(B)[kind == one]) for one in kind])
    if np.any(scale <= 0.0):
        return DIRECTIONS[rows[int(np.argmin(scale))]]
    values, vectors = np.linalg.eigh(B / np.sqrt(np.outer(scale, scale)))
    if values[0] > REACH:
        return None
    parts = [(abs(x), DIRECTIONS[r], x) for x, r in zip(vectors[:, 0], rows, strict=True)]
    large = [part for part in sorted(parts, reverse=True) if part[0] > 0.1]
    return large[0][1] if len(large) == 1 else " ".join(f"{x:+.2f} {name}" for _, name, x in large)


def control_start(control: Model, along: CoordinateMap, start: State) -> State:
    """The control model's state that goes with one of the plant."""
    out = control.state()
    out.q[:] = [start.q[k] if k >= 0 else rest for k, rest in zip(along.q_map, along.q_rest, strict=True)]
    out.v[:] = [start.v[k] if k >= 0 else 0.0 for k in along.v_map]
    return out
