"""How the coordinates of another code follow from ours: one block a joint.

With q, v ours and Q, V the peer's: Q = f(q), V = T(q) v, so A = T a + dT/dt v for accelerations and
effort = T^T EFFORT for their power-duals.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from jourdain.basics.pose import Pose, matrix_from_quaternion, quaternion_from_matrix


@dataclass
class Same:
    """The same numbers in the same order."""

    nq: int
    nv: int

    def position(self, q: np.ndarray) -> np.ndarray:
        """Q of this joint, from its q."""
        return q

    def map(self, q: np.ndarray) -> np.ndarray:
        """T of this joint."""
        return np.eye(self.nv)

    def drift(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """dT/dt v of this joint."""
        return np.zeros(self.nv)


class ScalarLast(Same):
    """A spherical joint of Pinocchio: the quaternion ends with its scalar."""

    def __init__(self) -> None:
        super().__init__(4, 3)

    def position(self, q: np.ndarray) -> np.ndarray:
        return q[[1, 2, 3, 0]]


class LinearFirst(Same):
    """A free joint of Pinocchio: linear velocity before angular, both in body axes."""

    def __init__(self) -> None:
        super().__init__(7, 6)

    def position(self, q: np.ndarray) -> np.ndarray:
        return q[[0, 1, 2, 4, 5, 6, 3]]

    def map(self, q: np.ndarray) -> np.ndarray:
        return np.eye(6)[[3, 4, 5, 0, 1, 2]]


class TurningPlane(Same):
    """A planar joint of Pinocchio: cosine and sine of the angle, and the velocity in body axes."""

    def __init__(self) -> None:
        super().__init__(4, 3)

    def position(self, q: np.ndarray) -> np.ndarray:
        return np.array([q[0], q[1], np.cos(q[2]), np.sin(q[2])])

    def map(self, q: np.ndarray) -> np.ndarray:
        c, s = np.cos(q[2]), np.sin(q[2])
        return np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])

    def drift(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        x, y, _ = self.map(q) @ v
        return v[2] * np.array([y, -x, 0.0])


@dataclass
class FixedAxes(Same):
    """A free joint of MuJoCo: linear velocity in fixed axes, then angular in body axes.

    carrier    pose of the joint's fixed side in the frame that MuJoCo's coordinates refer to
    """

    carrier: Pose = field(default_factory=Pose)

    def position(self, q: np.ndarray) -> np.ndarray:
        pose = self.carrier @ Pose(q[:3], q[3:])
        return np.concatenate([pose.position, quaternion_from_matrix(pose.rotation)])

    def map(self, q: np.ndarray) -> np.ndarray:
        T = np.zeros((6, 6))
        T[:3, 3:] = self.carrier.rotation @ matrix_from_quaternion(q[3:])
        T[3:, :3] = np.eye(3)
        return T

    def drift(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        return np.concatenate([self.map(q)[:3, 3:] @ np.cross(v[:3], v[3:]), np.zeros(3)])


@dataclass
class Coordinates:
    """The blocks of all joints, each with where its entries begin: q, v of ours, Q, V of the peer."""

    nq: int
    nv: int
    blocks: list[tuple[Same, int, int, int, int]] = field(default_factory=list)

    def add(self, block: Same, q: int, v: int, Q: int, V: int) -> None:
        """Add the block of a joint."""
        self.blocks.append((block, q, v, Q, V))

    def _own(self, block: Same, q: np.ndarray, at: int) -> np.ndarray:
        size = 3 if isinstance(block, TurningPlane) else block.nq
        return q[at : at + size]

    def position(self, q: np.ndarray) -> np.ndarray:
        """The peer's position coordinates (nq,)."""
        out = np.zeros(self.nq)
        for block, i, _, I, _ in self.blocks:
            out[I : I + block.nq] = block.position(self._own(block, q, i))
        return out

    def map(self, q: np.ndarray) -> np.ndarray:
        """T (nv, nv): the peer's velocities are T v."""
        out = np.zeros((self.nv, self.nv))
        for block, i, k, _, K in self.blocks:
            out[K : K + block.nv, k : k + block.nv] = block.map(self._own(block, q, i))
        return out

    def drift(self, q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """dT/dt v (nv,): the peer's accelerations are T a plus this."""
        out = np.zeros(self.nv)
        for block, i, k, _, K in self.blocks:
            out[K : K + block.nv] = block.drift(self._own(block, q, i), v[k : k + block.nv])
        return out
