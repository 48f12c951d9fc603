"""Displacements in the tangent space of a model: as many numbers as velocities.

For a number the displacement is a plain difference. For a rotation it is the rotation vector of R0^T R, in body axes;
for a free joint that, then the translation in the axes of the held side, so that at rest displacements are integrated
velocities.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .functions import displaced
from .pose import matrix_from_quaternion, rotation_vector

if TYPE_CHECKING:
    from .model import Model


def moved(model: Model, q: np.ndarray, x: np.ndarray) -> np.ndarray:
    """q displaced by x (nv,): entry k as a unit of v_k would in a unit of time."""
    step = np.array(x, float)
    for j, k, free in model.arrays.groups:
        if free:
            step[k + 3 : k + 6] = matrix_from_quaternion(q[j + 3 : j + 7]) @ step[k + 3 : k + 6]
    return displaced(model, q, step)


def moved_along(model: Model, q: np.ndarray, k: int, by: float) -> np.ndarray:
    """q displaced by entry k alone."""
    x = np.zeros(model.nv)
    x[k] = by
    return moved(model, q, x)


def apart(model: Model, q0: np.ndarray, q: np.ndarray) -> np.ndarray:
    """The displacement (nv,) that leads from q0 to q."""
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
