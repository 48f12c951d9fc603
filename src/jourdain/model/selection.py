"""Entries of a model's velocities and coordinates by name: joints, bodies, motors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics.errors import ModelError
from ..basics.values import shown, suggestion

if TYPE_CHECKING:
    from .model import Model


def members(model: Model, names: Sequence[str], name: str) -> list[int]:
    """Where a name is in `names` (`model.names.v` or `.q`); that of a joint or of a body stands for all of its own."""
    found = [k for k, entry in enumerate(names) if entry == name]
    if not found and (name in model.joints or name in model.bodies):
        found = [k for k, entry in enumerate(names) if entry.startswith(f"{name}.")]
    return found


def entries(model: Model, names: Iterable[str], what: str) -> list[int]:
    """Entries of v by name, each once; the name of a joint or of a body stands for all of its own."""
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise ModelError.at(what, f'got {shown(names)}; give a tuple of names, such as ("elbow",)')
    out: list[int] = []
    for name in names:
        found = members(model, model.names.v, name)
        if not found:
            known = [*model.index.v, *dict.fromkeys(model.owners)]
            raise ModelError.at(str(name), f"{what}: no such velocity; {suggestion(str(name), known)}")
        out += [i for i in found if i not in out]
    return out


def motors(model: Model) -> dict[int, tuple[int, float]]:
    """Entry in v of each motor behind a gear: that of its joint, and the gear ratio."""
    rows = zip(model.arrays.drive_entries, model.arrays.joint_drives, strict=True)
    return {at.motor_v: (at.joint_v, float(drive.gear)) for at, drive in rows}


def joint_entries(model: Model, hold: Iterable[str] = ()) -> np.ndarray:
    """Entries of v of the joints, without motors, internal coordinates and what is held."""
    held = {*entries(model, hold, "hold"), *motors(model), *internal_entries(model)}
    return np.array([k for k in range(model.nv) if k not in held], int)


def internal_entries(model: Model) -> set[int]:
    """Entries of v that are internal coordinates of bodies; a body may have the name of its joint."""
    return {node.ev + i for node in model.arrays.tree for i in range(node.ne)}


def joint_limits(model: Model, given: Any = True) -> tuple[np.ndarray, np.ndarray]:
    """Lowest and highest displacement coordinate of every entry of v, infinite where it has no limits.

    given    True: the joints' own `limits`; False: none; a dict from names to (low, high) replaces some of the joints'
    """
    low, high = np.full(model.nv, -np.inf), np.full(model.nv, np.inf)
    if given is False:
        return low, high
    for entry, spring in zip(model.arrays.spring_entries, model.arrays.joint_springs, strict=True):
        if spring.low < spring.high:
            low[entry.v], high[entry.v] = spring.low, spring.high
    if given is True:
        return low, high
    if not isinstance(given, dict):
        raise ModelError.at("limits", f"got {shown(given)}; give True, False or a dict from names to (low, high)")
    for name, pair in given.items():
        (k,) = entries(model, (name,), "limits")
        if model.arrays.q_index[k] < 0:
            raise ModelError.at(name, "limits: the entries of a rotation have none; name a one-axis joint")
        low[k], high[k] = (float(x) for x in pair)
        if not low[k] < high[k]:
            raise ModelError.at(name, f"limits are ({low[k]:g}, {high[k]:g}); the low one must come first")
    return low, high
