"""Rotations and poses by the array: unit quaternions (..., 4), scalar first; poses (..., 7), position and quaternion.

Everything broadcasts over leading axes. A pose maps a frame to an outer one, as `Pose` does.
"""

from __future__ import annotations

import numpy as np

IDENTITY = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
"""The pose that changes nothing."""


def multiply(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Hamilton's product: turns by b, then by a."""
    w, u = a[..., :1], a[..., 1:]
    s, v = b[..., :1], b[..., 1:]
    scalar = w * s - np.sum(u * v, axis=-1, keepdims=True)
    return np.concatenate([scalar, w * v + s * u + np.cross(u, v)], axis=-1)


def conjugate(q: np.ndarray) -> np.ndarray:
    """The inverse rotation of a unit quaternion."""
    return q * np.array([1.0, -1.0, -1.0, -1.0])


def rotate(q: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Vectors (..., 3) turned: ``x + 2 w (u x x) + 2 u x (u x x)`` (Euler-Rodrigues)."""
    u = q[..., 1:]
    t = 2.0 * np.cross(u, x)
    return x + q[..., :1] * t + np.cross(u, t)


def exponential(theta: np.ndarray) -> np.ndarray:
    """The quaternion of rotation vectors (..., 3) [rad]."""
    angle = np.linalg.norm(theta, axis=-1, keepdims=True)
    return np.concatenate([np.cos(0.5 * angle), 0.5 * np.sinc(angle / (2.0 * np.pi)) * theta], axis=-1)


def logarithm(q: np.ndarray) -> np.ndarray:
    """The rotation vectors (..., 3) of quaternions, no longer than pi [rad]."""
    q = np.where(q[..., :1] < 0.0, -q, q)
    s = np.linalg.norm(q[..., 1:], axis=-1, keepdims=True)
    small = s < 1e-8
    factor = np.where(small, 2.0, 2.0 * np.arctan2(s, q[..., :1]) / np.where(small, 1.0, s))
    return factor * q[..., 1:]


def normalised(q: np.ndarray) -> np.ndarray:
    """Quaternions made unit."""
    return q / np.linalg.norm(q, axis=-1, keepdims=True)


def slerp(a: np.ndarray, b: np.ndarray, s: np.ndarray) -> np.ndarray:
    """The rotation a fraction s (...) of the shorter way from a to b (Shoemake 1985)."""
    return normalised(multiply(a, exponential(np.asarray(s)[..., None] * logarithm(multiply(conjugate(a), b)))))


def compose(outer: np.ndarray, inner: np.ndarray) -> np.ndarray:
    """The inner pose, given in the outer one, where the outer one is given."""
    position = outer[..., :3] + rotate(outer[..., 3:], inner[..., :3])
    return np.concatenate([position, multiply(outer[..., 3:], inner[..., 3:])], axis=-1)


def inverse(pose: np.ndarray) -> np.ndarray:
    """The pose of the outer frame in this one."""
    back = conjugate(pose[..., 3:])
    return np.concatenate([-rotate(back, pose[..., :3]), back], axis=-1)


def relative(outer: np.ndarray, pose: np.ndarray) -> np.ndarray:
    """A pose seen from another, both given in the same axes."""
    return compose(inverse(outer), pose)
