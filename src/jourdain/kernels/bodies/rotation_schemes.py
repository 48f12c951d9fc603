"""How a small rotation vector turns a section: the schemes of Damaren & Sharf 1995, section 2.4, and the exponential.

Each gives the rotation R of the section, the map T from the rate of theta to its angular velocity, and what is left of
the angular acceleration when theta does not accelerate; all in the axes that theta is in. The rows of `axes` are the
beam's own axes, about which the Euler angles turn.
"""

from __future__ import annotations

from ..compiler import kernel
from ..scalar import sinc, tangent_factors
from ..spatial import add, axis_rotation, cross, dot, matmul, rotate, scale

EXPONENTIAL, NONE, LINEAR, EULER_321, EULER_123, INTEGRATED = range(6)


@kernel
def map_of(theta, s, a, b):
    """s 1 + a theta~ + b theta~^2."""
    x, y, z = theta
    return (
        s - b * (y * y + z * z),
        b * x * y - a * z,
        b * x * z + a * y,
        b * x * y + a * z,
        s - b * (x * x + z * z),
        b * y * z - a * x,
        b * x * z - a * y,
        b * y * z + a * x,
        s - b * (x * x + y * y),
    )


@kernel
def add_outer(m, a, b):
    """m + a b^T."""
    return (
        m[0] + a[0] * b[0],
        m[1] + a[0] * b[1],
        m[2] + a[0] * b[2],
        m[3] + a[1] * b[0],
        m[4] + a[1] * b[1],
        m[5] + a[1] * b[2],
        m[6] + a[2] * b[0],
        m[7] + a[2] * b[1],
        m[8] + a[2] * b[2],
    )


@kernel
def vector_rotation(theta, rate):
    """R = exp(theta~) of a rotation vector, T and the remaining angular acceleration.

    The tangent map is 1 + a theta~ + c theta~^2, a = (1 - cos) / theta^2, c = (theta - sin) / theta^3.
    """
    one = 1.0 + 0.0 * theta[0]
    x2 = dot(theta, theta)
    a, c, da, dc = tangent_factors(x2)
    t = cross(theta, rate)
    slope = 2.0 * dot(theta, rate)
    bias = add(scale(da * slope, t), add(scale(dc * slope, cross(theta, t)), scale(c, cross(rate, t))))
    return map_of(theta, one, sinc(x2), a), map_of(theta, one, a, c), bias


@kernel
def section_rotation(scheme, axes, theta, rate):
    """R, T and the remaining angular acceleration of a section turned by theta, which changes at `rate`.

    exponential    R = exp(b~) exp(phi d~): theta = b + phi d, bent by b, then twisted about the bent axis
    none           R = 1, T = 1
    integrated     T = 1; R is a state of the body's, not known here
    linear         quaternion (1, theta / 2), normalised: T = s (1 + theta~ / 2), s = 1 / (1 + theta^2 / 4)
    euler-321      about the beam's z, then y, then x: the twist is applied last
    euler-123      about x, then y, then z
    """
    one = 1.0 + 0.0 * theta[0]
    zero = 0.0 * theta[0]
    x2 = dot(theta, theta)
    first = (axes[0], axes[1], axes[2])
    # bent, then twisted
    if scheme == EXPONENTIAL:
        phi, roll = dot(first, theta), dot(first, rate)
        bend, swing = add(theta, scale(-phi, first)), add(rate, scale(-roll, first))
        R, T, bias = vector_rotation(bend, swing)
        axis = rotate(R, first)
        bias = add(bias, scale(roll, cross(rotate(T, swing), axis)))
        more = add(axis, scale(-1.0, rotate(T, first)))
        return matmul(R, axis_rotation(first, phi)), add_outer(T, more, first), bias
    # angular velocities as if rotations were small
    if scheme == NONE or scheme == INTEGRATED:
        T = map_of(theta, one, zero, zero)
        return T, T, scale(zero, theta)
    # Rodrigues parameters
    if scheme == LINEAR:
        s = 1.0 / (1.0 + 0.25 * x2)
        w = add(rate, scale(0.5, cross(theta, rate)))
        T = map_of(theta, s, 0.5 * s, zero)
        return map_of(theta, one, s, 0.5 * s), T, scale(-0.5 * s * s * dot(theta, rate), w)
    # three turns in a row, each about an axis that those before it carry
    second = (axes[3], axes[4], axes[5])
    third = (axes[6], axes[7], axes[8])
    if scheme == EULER_321:
        outer, middle, inner = third, second, first
    else:
        outer, middle, inner = first, second, third
    R1 = axis_rotation(outer, dot(outer, theta))
    R2 = matmul(R1, axis_rotation(middle, dot(middle, theta)))
    a1, a2, a3 = outer, rotate(R1, middle), rotate(R2, inner)
    r1, r2, r3 = dot(outer, rate), dot(middle, rate), dot(inner, rate)
    w1 = scale(r1, a1)
    w2 = add(w1, scale(r2, a2))
    bias = add(scale(r2, cross(w1, a2)), scale(r3, cross(w2, a3)))
    T = (
        a1[0] * outer[0] + a2[0] * middle[0] + a3[0] * inner[0],
        a1[0] * outer[1] + a2[0] * middle[1] + a3[0] * inner[1],
        a1[0] * outer[2] + a2[0] * middle[2] + a3[0] * inner[2],
        a1[1] * outer[0] + a2[1] * middle[0] + a3[1] * inner[0],
        a1[1] * outer[1] + a2[1] * middle[1] + a3[1] * inner[1],
        a1[1] * outer[2] + a2[1] * middle[2] + a3[1] * inner[2],
        a1[2] * outer[0] + a2[2] * middle[0] + a3[2] * inner[0],
        a1[2] * outer[1] + a2[2] * middle[1] + a3[2] * inner[1],
        a1[2] * outer[2] + a2[2] * middle[2] + a3[2] * inner[2],
    )
    return matmul(R2, axis_rotation(inner, dot(inner, theta))), T, bias
