"""Rotations: matrices, quaternions and rotation vectors, where a branch or a sine is needed (the rest: `algebra`)."""

from __future__ import annotations

from .algebra import Quaternion, cross, rodrigues
from .compiler import kernel
from .scalar import inverse_tangent_factor, sinc, sine_cosine


@kernel
def axis_rotation(a, angle):
    """Rotation about the unit axis a."""
    s, c = sine_cosine(angle)
    return rodrigues(a, s, c)


@kernel
def turned_quaternion(q, theta):
    """q exp(theta), theta a rotation vector in the body's axes; the result has unit length."""
    h2 = 0.25 * (theta @ theta)
    c = sine_cosine(h2**0.5)[1]
    s = 0.5 * sinc(h2)
    p = q @ Quaternion(c, s * theta.x, s * theta.y, s * theta.z)
    return (p.w * p.w + p.x * p.x + p.y * p.y + p.z * p.z) ** -0.5 * p


@kernel
def rotation_vector_rate(theta, omega):
    """Rate of the rotation vector theta of R_n exp(theta) that spins at omega, in the body's axes.

    The closed-form inverse tangent map; with the plain exponential a method of order above two loses it.
    """
    t = cross(theta, omega)
    return omega + 0.5 * t + inverse_tangent_factor(theta @ theta) * cross(theta, t)


@kernel
def matrix_quaternion(R):
    """Unit quaternion of a rotation matrix, scalar part not negative (Shepperd 1978: the largest pivot)."""
    trace = R[0] + R[4] + R[8]
    a, b, c, t = R[0].real, R[4].real, R[8].real, trace.real
    if t >= a and t >= b and t >= c:
        q = Quaternion(1.0 + trace, R[7] - R[5], R[2] - R[6], R[3] - R[1])
    elif a >= b and a >= c:
        q = Quaternion(R[7] - R[5], 1.0 + 2.0 * R[0] - trace, R[1] + R[3], R[2] + R[6])
    elif b >= c:
        q = Quaternion(R[2] - R[6], R[1] + R[3], 1.0 + 2.0 * R[4] - trace, R[5] + R[7])
    else:
        q = Quaternion(R[3] - R[1], R[2] + R[6], R[5] + R[7], 1.0 + 2.0 * R[8] - trace)
    k = (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z) ** -0.5
    if q.w.real < 0.0:
        k = -k
    return k * q
