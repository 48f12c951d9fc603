"""Displacements in the tangent space of a model: as many numbers as velocities.

For a number the displacement is a plain difference. For a rotation it is the rotation vector of R0^T R, in body axes;
for a free joint that, then the translation in the axes of the held side, so that at rest displacements are integrated
velocities.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from ..errors import ModelError
from ..functions import displaced
from ..pose import matrix_from_quaternion, quaternion_from_matrix
from ..values import shown, suggestion

if TYPE_CHECKING:
    from ..model import Model


def rotation_vector(R: np.ndarray) -> np.ndarray:
    """Rotation vector (3,) of a rotation, its length at most pi."""
    w, *u = quaternion_from_matrix(R)
    u = np.array(u)
    s = np.linalg.norm(u)
    return 2.0 * u / w if s < 1e-8 else 2.0 * np.arctan2(s, w) / s * u


def moved(model: Model, q: np.ndarray, step: np.ndarray) -> np.ndarray:
    """q displaced by a step (nv,) of the tangent space."""
    step = np.array(step, float)
    for j, k, free in model.arrays.groups:
        if free:
            step[k + 3 : k + 6] = matrix_from_quaternion(q[j + 3 : j + 7]) @ step[k + 3 : k + 6]
    return displaced(model, q, step)


def apart(model: Model, q0: np.ndarray, q: np.ndarray) -> np.ndarray:
    """The step (nv,) of the tangent space that leads from q0 to q."""
    index = model.arrays.q_index
    out = np.zeros(model.nv)
    plain = index >= 0
    out[plain] = (q - q0)[index[plain]]
    for j, k, free in model.arrays.groups:
        at = j + 3 * free
        R0 = matrix_from_quaternion(q0[at : at + 4])
        out[k : k + 3] = rotation_vector(R0.T @ matrix_from_quaternion(q[at : at + 4]))
        if free:
            out[k + 3 : k + 6] = R0.T @ (q[j : j + 3] - q0[j : j + 3])
    return out


def entries(model: Model, names: Iterable[str], what: str) -> list[int]:
    """Entries of v by name; the name of a joint or of a body stands for all of its own."""
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise ModelError.at(what, f'got {shown(names)}; give a tuple of names, such as ("elbow",)')
    out: list[int] = []
    for name in names:
        found = [i for i, entry in enumerate(model.names.v) if entry == name]
        found = found or [i for i, owner in enumerate(model.owners) if owner == name]
        if not found:
            known = [*model.index.v, *model.owners]
            raise ModelError.at(str(name), f"{what}: no such velocity; {suggestion(str(name), known)}")
        out += [i for i in found if i not in out]
    return out


def motors(model: Model) -> dict[int, tuple[int, float]]:
    """Entry in v of each motor behind a gear: that of its joint, and the gear ratio."""
    rows = zip(model.arrays.drive_index, model.arrays.drives, strict=True)
    return {int(at[3]): (int(at[1]), float(gear)) for at, (gear, *_) in rows}


def joint_entries(model: Model, hold: Iterable[str] = ()) -> np.ndarray:
    """Entries of v of the joints, without motors, internal coordinates and what is held."""
    held = {*entries(model, hold, "hold"), *motors(model)}
    bodies = set(model.bodies)
    return np.array([k for k, owner in enumerate(model.owners) if owner not in bodies and k not in held], int)


def joint_limits(model: Model, given: Any = True) -> tuple[np.ndarray, np.ndarray]:
    """Lowest and highest displacement coordinate of every entry of v, infinite where it has no limits.

    given    True: the joints' own `limits`; False: none; a dict from names to (low, high) replaces some of the joints'
    """
    from ..kernels.layout import HIGH, LOW

    low, high = np.full(model.nv, -np.inf), np.full(model.nv, np.inf)
    if given is False:
        return low, high
    springs = model.arrays.springs
    for (_, k), spring in zip(model.arrays.spring_index, springs, strict=True):
        if spring[LOW] < spring[HIGH]:
            low[k], high[k] = spring[LOW], spring[HIGH]
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
