"""Displacements in the tangent space of a model: as many numbers as velocities.

For a number the displacement is a plain difference. For a rotation it is the rotation vector of R0^T R, in body axes;
for a free joint that, then the translation in the axes of the held side, so that at rest displacements are integrated
velocities.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics.pose import cross_matrix, matrix_from_quaternion, rotation_vector
from .kernel_calls import call, checked_q, checked_vector

if TYPE_CHECKING:
    from .model import Model


def displaced(model: Model, q: np.ndarray, increment: np.ndarray) -> np.ndarray:
    """q moved by an increment (nv,) of the tangent space: added to numbers, on the group for rotations."""
    from ..kernels.tree import model_functions as kernels

    out = np.empty(model.nq)
    call(kernels.displaced, model, checked_q(model, q), checked_vector(model, increment, "increment", model.nv), out)
    return out


def moved(model: Model, q: np.ndarray, x: np.ndarray) -> np.ndarray:
    """q displaced by x (nv,): entry k as a unit of v_k would in a unit of time."""
    step = np.array(x, float)
    for j, k, free in model.arrays.rotations.array:
        if free:
            step[k + 3 : k + 6] = matrix_from_quaternion(q[j + 3 : j + 7]) @ step[k + 3 : k + 6]
    return displaced(model, q, step)


def moved_along(model: Model, q: np.ndarray, k: int, by: float) -> np.ndarray:
    """q displaced by entry k alone."""
    x = np.zeros(model.nv)
    x[k] = by
    return moved(model, q, x)


def set_path_rotations(model: Model, values: np.ndarray, given: Any) -> None:
    """Rotations that depend on the path of a deformation, and that a dict does not name, follow from the internal
    coordinates along the straight path from the zero configuration."""
    if not isinstance(given, Mapping) or not len(model.arrays.paths):
        return
    increment = np.zeros(model.nv)
    plain = model.arrays.q_index >= 0
    increment[plain] = (values - model.neutral)[model.arrays.q_index[plain]]
    straight = displaced(model, model.neutral, increment)
    for j in model.arrays.paths[:, 0]:
        if not any(name in given for name in model.names.q[j : j + 4]):
            values[j : j + 4] = straight[j : j + 4]


def apart(model: Model, q0: np.ndarray, q: np.ndarray) -> np.ndarray:
    """The displacement (nv,) that leads from q0 to q."""
    index = model.arrays.q_index
    out = np.zeros(model.nv)
    plain = index >= 0
    out[plain] = (q - q0)[index[plain]]
    for j, k, free in model.arrays.rotations.array:
        at = j + 3 * free
        R0 = matrix_from_quaternion(q0[at : at + 4])
        out[k : k + 3] = rotation_vector(R0.T @ matrix_from_quaternion(q[at : at + 4]))
        if free:
            out[k + 3 : k + 6] = R0.T @ (q[j : j + 3] - q0[j : j + 3])
    return out


def transport(model: Model, v: np.ndarray) -> np.ndarray:
    """G (nv, nv): displacements x are seen from axes that move with the state, so that x' = u + G x with the change u
    of the velocity v; G = -ad(v) for rotations and free joints, else zero."""
    G = np.zeros((model.nv, model.nv))
    for _, k, free in model.arrays.rotations.array:
        turn = -cross_matrix(v[k : k + 3])
        G[k : k + 3, k : k + 3] = turn
        if free:
            G[k + 3 : k + 6, k + 3 : k + 6] = turn
            G[k + 3 : k + 6, k : k + 3] = -cross_matrix(v[k + 3 : k + 6])
    return G


def relative_motion(model: Model, q: np.ndarray, a: int, b: int, where: np.ndarray) -> np.ndarray:
    """Velocity of shape a relative to shape b at a point of the world, by unit velocities: (3, nv)."""
    from ..kernels.tree import model_functions as kernels

    out = np.zeros((3, model.nv))
    for shape, sign in ((a, 1.0), (b, -1.0)):
        marker = model.arrays.shapes[shape].marker
        J, motion = np.empty((6, model.nv)), np.empty(13)
        call(kernels.jacobian, model, marker, q, J)
        call(kernels.marker_motion, model, marker, q, np.zeros(model.nv), motion)
        out += sign * (J[3:] + np.cross(J[:3], where - motion[:3], axis=0))
    return out
