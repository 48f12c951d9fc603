"""What a user says of joints, gains and references, checked and laid flat for the compiled laws."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..basics.errors import ModelError
from ..basics.values import as_array, as_number, shown, suggestion
from ..describe.motions import Motion, Polynomial

if TYPE_CHECKING:
    from ..model.model import Model
    from ..model.state import State

HUGE = 1e300
"""In place of an infinite limit: parameters of laws are finite."""


class Entry(NamedTuple):
    """A coordinate of one number: its name and its places in q and v."""

    name: str
    q: int
    v: int


def coordinates(model: Model, names: Any, where: str) -> list[Entry]:
    """The coordinates that are named, each of them one number; all that is wrong with the names is an error."""
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise ModelError.at(where, f'joints: got {shown(names)}; give a list of names, such as ["elbow"]', "joints")
    names = list(names)
    if not names:
        raise ModelError.at(where, "joints: the list is empty; name those that are driven", "joints")
    motors = {model.names.v[at.motor_v]: model.names.v[at.joint_v] for at in model.arrays.drive_entries}
    out: list[Entry] = []
    for name in names:
        if name not in model.index.v:
            known = [n for n, k in model.index.v.items() if model.arrays.q_index[k] >= 0]
            raise ModelError.at(str(name), f"{where}: no such coordinate; {suggestion(str(name), known)}")
        if name in motors and motors[name] in names:
            raise ModelError.at(
                name, f'{where}: is the motor of "{motors[name]}", which is named too; name one of them'
            )
        k = model.index.v[name]
        if model.arrays.q_index[k] < 0:
            raise ModelError.at(name, f"{where}: an entry of a rotation has no coordinate of its own; name another")
        if any(name == entry.name for entry in out):
            raise ModelError.at(name, f"{where}: named twice in joints")
        out.append(Entry(str(name), int(model.arrays.q_index[k]), k))
    return out


def per_name(value: Any, names: Sequence[str], what: str, where: str, least: float = 0.0) -> np.ndarray:
    """A number for each name: one for all, a list in their order, or a dict; finite and at least `least`."""
    if isinstance(value, Mapping):
        for name in value:
            if name not in names:
                raise ModelError.at(
                    str(name), f"{where}: {what} for a name it does not have; {suggestion(name, names)}"
                )
        missing = [name for name in names if name not in value]
        if missing:
            raise ModelError.at(missing[0], f"{where}: {what} is missing; give it for {', '.join(names)}")
        value = [as_number(value[name], f"{where}: {what}") for name in names]
    array = as_array(value, f"{where}: {what}")
    if array.ndim == 0:
        array = np.full(len(names), float(array))
    if array.shape != (len(names),):
        raise ModelError.at(
            where,
            f"{what} has shape {array.shape}; give one number, {len(names)} of them ({', '.join(names)}), or a dict",
            what,
        )
    for name, x in zip(names, array, strict=True):
        if not np.isfinite(x) or x < least:
            raise ModelError.at(name, f"{where}: {what} is {x:g}; give a finite number, {least:g} or more")
    return array


def limits(value: Any, names: Sequence[str], what: str, where: str) -> np.ndarray:
    """`per_name` with None for no limit, in a dict too."""
    if value is None:
        return np.full(len(names), HUGE)
    if isinstance(value, Mapping):
        unlimited = dict.fromkeys(names, HUGE)
        value = unlimited | {name: HUGE if x is None else x for name, x in value.items()}
    return np.minimum(per_name(value, names, what, where), HUGE)


def motions(
    given: Any, names: Sequence[str], values: Sequence[float] | np.ndarray, what: str, where: str
) -> list[tuple[int, Any]]:
    """Code and numbers of a profile for each name: a motion, a number to hold, or nothing to stay at its value."""
    if given is None:
        given = {}
    if isinstance(given, Motion) or np.ndim(given) == 0 and not isinstance(given, Mapping):
        given = dict.fromkeys(names, given)
    if not isinstance(given, Mapping):
        listed = list(given)
        if len(listed) != len(names):
            raise ModelError.at(
                where, f"{what} has {len(listed)} entries; give {len(names)} ({', '.join(names)})", what
            )
        given = dict(zip(names, listed, strict=True))
    for name in given:
        if name not in names:
            raise ModelError.at(
                str(name), f"{where}: {what} for a name it does not have; {suggestion(str(name), names)}"
            )
    return [motion(given.get(name, value), value, f"{name}: {what}") for name, value in zip(names, values, strict=True)]


def driven_joints(driven: Sequence[Entry], own: Sequence[Entry]) -> dict[str, list[int]]:
    """Entries of `kernels.control.mapping.DrivenJoints`: of the plant, and of the control model."""
    return {
        "q": [entry.q for entry in driven],
        "v": [entry.v for entry in driven],
        "controlled_q": [entry.q for entry in own],
        "controlled": [entry.v for entry in own],
    }


def profiles(motions: Iterable[tuple[int, Any]]) -> list[dict[str, Any]]:
    """Rows of `kernels.control.mapping.Profile`."""
    return [{"code": code, "data": numbers} for code, numbers in motions]


def motion(given: Any, value: float, what: str) -> tuple[int, np.ndarray]:
    """Code and numbers of a profile that starts from `value` where it is free to."""
    one = given if isinstance(given, Motion) else Polynomial([as_number(given, what)])
    return one.code, one.numbers(float(value), what)


def begins(model: Model, start: Any, where: str) -> State:
    """The state that references begin from: a State, a dict of coordinates, or None for the zero configuration."""
    if start is None or isinstance(start, Mapping):
        return model.state(q=start)
    q = getattr(start, "q", None)
    if q is None or np.shape(q) != (model.nq,):
        raise ModelError.at(
            where, f"start is {shown(start)}; give a State of this model, or a dict of coordinates", "start"
        )
    return start


class CoordinateMap(NamedTuple):
    """How a control model's coordinates follow from the plant's: indices, -1 for none, and the values there."""

    q_map: np.ndarray
    q_rest: np.ndarray
    v_map: np.ndarray


def internal_entries(model: Model) -> list[int]:
    """Entries of v that are internal coordinates of bodies."""
    return [node.ev + k for node in model.arrays.tree for k in range(node.ne)]


def mapped(plant: Model, control: Model, where: str, straight: Sequence[int] = ()) -> CoordinateMap:
    """Coordinates by name; those of `straight`, entries of v of the control model, stay where they are at rest."""
    held_q = {int(control.arrays.q_index[k]) for k in straight}
    q_map, v_map = np.full(control.nq, -1), np.full(control.nv, -1)
    for names, index, out, held in (
        (control.names.q, plant.index.q, q_map, held_q),
        (control.names.v, plant.index.v, v_map, set(straight)),
    ):
        for j, name in enumerate(names):
            if j in held:
                continue
            if name not in index:
                raise ModelError.at(
                    name,
                    f'{where}: the control model "{control.name}" has this coordinate and the plant does not; '
                    f"{suggestion(name, index)}",
                )
            out[j] = index[name]
    return CoordinateMap(q_map, control.neutral, v_map)


def control_model(given: Any, where: str) -> Model:
    """A compiled model, or an error that says what to give."""
    from ..model.model import Model

    if not isinstance(given, Model):
        raise ModelError.at(where, f"model is {shown(given)}; give a compiled model, such as arm.compile()", "model")
    return given
