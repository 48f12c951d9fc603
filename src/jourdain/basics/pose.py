"""Poses: where a frame is and how it is turned, as a user gives them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from .arguments import checked
from .errors import ModelError, Problem
from .types import RotationLike, VectorLike
from .values import as_array, as_axis, as_vector, expect_keys, finite_problems, numbers, readonly, shown

__all__ = [
    "Pose",
    "as_axis",
    "as_rotation",
    "as_vector",
    "matrix_from_quaternion",
    "quaternion_from_matrix",
]

UNIT_TOLERANCE = 1e-6
"""How far from unit length, or from orthogonal, a rotation may be and still be taken as meant."""

EXACT_TOLERANCE = 1e-13
"""A matrix this close to orthogonal is kept as it is, so that descriptions survive a round trip."""


def matrix_from_quaternion(quaternion: Any) -> np.ndarray:
    """The 3x3 rotation of a unit quaternion (w, x, y, z): ``R = 1 + 2 w [u] + 2 [u]^2`` (Euler-Rodrigues)."""
    w, x, y, z = (float(entry) for entry in quaternion)
    return np.array(
        [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y)],
            [2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x)],
            [2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y)],
        ]
    )


def quaternion_from_matrix(matrix: Any) -> np.ndarray:
    """The unit quaternion (w, x, y, z), w >= 0, of a 3x3 rotation.

    The largest of the four is found from the diagonal and the others are divided by it, which keeps full
    accuracy at every angle (Shepperd 1978, J. Guidance and Control 1, 223).
    """
    R = np.asarray(matrix, dtype=np.float64)
    trace = R[0, 0] + R[1, 1] + R[2, 2]
    q = np.empty(4)
    choice = int(np.argmax([trace, R[0, 0], R[1, 1], R[2, 2]]))
    if choice == 0:
        q[0] = 1.0 + trace
        q[1:] = R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]
    else:
        i = choice - 1
        j, k = (i + 1) % 3, (i + 2) % 3
        q[0] = R[k, j] - R[j, k]
        q[1 + i] = 1.0 + 2.0 * R[i, i] - trace
        q[1 + j] = R[i, j] + R[j, i]
        q[1 + k] = R[i, k] + R[k, i]
    q /= np.linalg.norm(q)
    return -q if q[0] < 0.0 else q


def rotation_vector(R: np.ndarray) -> np.ndarray:
    """Rotation vector (3,) of a 3x3 rotation, its length at most pi."""
    quaternion = quaternion_from_matrix(R)
    w, u = quaternion[0], quaternion[1:]
    s = np.linalg.norm(u)
    return 2.0 * u / w if s < 1e-8 else 2.0 * np.arctan2(s, w) / s * u


def cross_matrix(a: np.ndarray) -> np.ndarray:
    """The 3x3 matrix of ``b -> a x b``."""
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def as_rotation(value: Any, what: str = "rotation") -> np.ndarray:
    """A read-only 3x3 rotation from None, a quaternion (w, x, y, z), a 3x3 or a SciPy ``Rotation``.

    A quaternion within 1e-6 of unit length is normalised and a matrix within 1e-6 of orthogonal is replaced
    by the nearest rotation; anything further off is refused, and so are reflections.
    """
    if value is None:
        return readonly(np.eye(3))
    array = as_array(value.as_matrix() if hasattr(value, "as_matrix") else value, what)
    if array.shape not in ((4,), (3, 3)):
        allowed = "give a quaternion (w, x, y, z), a 3x3 matrix or a SciPy Rotation"
        raise ModelError.at(what, f"got {shown(value)}, of shape {array.shape}; {allowed}")
    if not np.all(np.isfinite(array)):
        raise ModelError.at(what, f"got {numbers(array)}; every entry must be a finite number")
    if array.shape == (4,):
        length = float(np.linalg.norm(array))
        if abs(length - 1.0) > UNIT_TOLERANCE:
            raise ModelError.at(
                what,
                f"quaternion {numbers(array)} has length {length:.9g}, not 1 within {UNIT_TOLERANCE:g}; "
                "divide it by its length, and write it scalar first",
            )
        return readonly(matrix_from_quaternion(array / length))
    deviation = float(np.max(np.abs(array @ array.T - np.eye(3))))
    if deviation > UNIT_TOLERANCE:
        raise ModelError.at(
            what,
            f"matrix {numbers(array)} is not orthogonal: R R^T is off the identity by {deviation:.3g}, "
            f"where {UNIT_TOLERANCE:g} is allowed",
        )
    if np.linalg.det(array) < 0.0:
        raise ModelError.at(
            what, f"matrix {numbers(array)} is left-handed (determinant -1): it mirrors; give a rotation"
        )
    if deviation > EXACT_TOLERANCE:
        left, _, right = np.linalg.svd(array)
        array = left @ right
    return readonly(array)


@checked
class Pose:
    """A frame's place in another: ``x_outer = position + rotation @ x_inner``. Immutable.

    position    origin of the frame in the outer axes [m], three numbers
    rotation    from the frame's axes to the outer ones: a quaternion (w, x, y, z), a 3x3 or a SciPy
                ``Rotation``; None is no rotation
    """

    __slots__ = ("_position", "_rotation")
    _position: np.ndarray
    _rotation: np.ndarray

    def __init__(self, position: VectorLike = (0.0, 0.0, 0.0), rotation: RotationLike | None = None) -> None:
        object.__setattr__(self, "_position", as_vector(position, "position"))
        object.__setattr__(self, "_rotation", as_rotation(rotation))

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError(f"a Pose cannot be changed; make another one instead of setting {name}")

    @property
    def position(self) -> np.ndarray:
        """Origin of the frame in the outer axes, (3,), read-only [m]."""
        return self._position

    @property
    def rotation(self) -> np.ndarray:
        """Rotation from the frame's axes to the outer ones, (3, 3), read-only."""
        return self._rotation

    @property
    def quaternion(self) -> np.ndarray:
        """The rotation as a unit quaternion (w, x, y, z) with w >= 0, (4,)."""
        return quaternion_from_matrix(self._rotation)

    def __matmul__(self, other: Pose) -> Pose:
        """``outer @ inner``: the inner frame seen from where the outer one is seen."""
        if not isinstance(other, Pose):
            return NotImplemented
        return Pose(self._position + self._rotation @ other._position, self._rotation @ other._rotation)

    def inverse(self) -> Pose:
        """The pose of the outer frame in this one."""
        return Pose(-(self._rotation.T @ self._position), self._rotation.T)

    def apply(self, points: ArrayLike) -> np.ndarray:
        """Points given in this frame, (3,) or (..., 3), in the outer axes [m]."""
        array = as_array(points, "points")
        if array.ndim == 0 or array.shape[-1] != 3:
            raise ModelError.at("points", f"got shape {array.shape}; give (..., 3)")
        return array @ self._rotation.T + self._position

    def check(self, address: str) -> list[Problem]:
        """What is wrong with it; its rotation was checked when it was made."""
        return finite_problems(self._position, address, "position")

    def to_dict(self) -> dict[str, Any]:
        """Plain lists and numbers; the rotation is a 3x3, None when there is none."""
        turned = not np.array_equal(self._rotation, np.eye(3))
        return {"position": self._position.tolist(), "rotation": self._rotation.tolist() if turned else None}

    @classmethod
    def from_dict(cls, data: Any, address: str = "pose") -> Pose:
        """The pose that `to_dict` wrote."""
        data = expect_keys(data, address, ("position",), ("rotation",))
        position = as_vector(data["position"], f"{address}.position")
        return cls(position, as_rotation(data.get("rotation"), f"{address}.rotation"))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Pose):
            return NotImplemented
        same_place = np.array_equal(self._position, other._position)
        return same_place and np.array_equal(self._rotation, other._rotation)

    def __hash__(self) -> int:
        return hash((tuple(self._position.tolist()), tuple(self._rotation.ravel().tolist())))

    def __reduce__(self) -> tuple[Any, ...]:
        return Pose, (self._position, self._rotation)

    def __repr__(self) -> str:
        return f"Pose(position={numbers(self._position)}, quaternion={numbers(self.quaternion)})"
