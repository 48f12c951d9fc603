"""How a small rotation vector turns a section: the schemes of Damaren & Sharf 1995, section 2.4, and the exponential.

Each gives the rotation R of the section, the map T from the rate of theta to its angular velocity, and what is left of
the angular acceleration when theta does not accelerate; all in the axes that theta is in. The rows of `axes` are the
beam's own axes, about which the Euler angles turn.
"""

from __future__ import annotations

from ..algebra import Mat3, cross, operation, outer, scaled_unit
from ..compiler import kernel
from ..rotations import axis_rotation
from ..scalar import sinc, tangent_factors

EXPONENTIAL, NONE, LINEAR, EULER_321, EULER_123, INTEGRATED = range(6)


@operation
def map_of(theta, s, a, b):
    """s 1 + a theta~ + b theta~^2."""
    x, y, z = theta
    return Mat3(
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
def vector_rotation(theta, rate):
    """R = exp(theta~) of a rotation vector, T and the remaining angular acceleration.

    The tangent map is 1 + a theta~ + c theta~^2, a = (1 - cos) / theta^2, c = (theta - sin) / theta^3.
    """
    x2 = theta @ theta
    a, c, da, dc = tangent_factors(x2)
    t = cross(theta, rate)
    slope = 2.0 * (theta @ rate)
    bias = da * slope * t + (dc * slope * cross(theta, t) + c * cross(rate, t))
    return map_of(theta, 1.0, sinc(x2), a), map_of(theta, 1.0, a, c), bias


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
    first = axes.x_row
    # bent, then twisted
    if scheme == EXPONENTIAL:
        phi, roll = first @ theta, first @ rate
        bend, swing = theta - phi * first, rate - roll * first
        R, T, bias = vector_rotation(bend, swing)
        axis = R @ first
        bias += roll * cross(T @ swing, axis)
        return R @ axis_rotation(first, phi), T + outer(axis - T @ first, first), bias
    # angular velocities as if rotations were small
    if scheme == NONE or scheme == INTEGRATED:
        T = scaled_unit(1.0 + theta.zero.x)
        return T, T, theta.zero
    # Rodrigues parameters
    if scheme == LINEAR:
        s = 1.0 / (1.0 + 0.25 * (theta @ theta))
        w = rate + 0.5 * cross(theta, rate)
        return map_of(theta, 1.0, s, 0.5 * s), map_of(theta, s, 0.5 * s, 0.0), -0.5 * s * s * (theta @ rate) * w
    # three turns in a row, each about an axis that those before it carry
    second, third = axes.y_row, axes.z_row
    if scheme == EULER_321:
        a1, middle, inner = third, second, first
    else:
        a1, middle, inner = first, second, third
    R1 = axis_rotation(a1, a1 @ theta)
    R2 = R1 @ axis_rotation(middle, middle @ theta)
    a2, a3 = R1 @ middle, R2 @ inner
    w1 = (a1 @ rate) * a1
    w2 = w1 + (middle @ rate) * a2
    bias = (middle @ rate) * cross(w1, a2) + (inner @ rate) * cross(w2, a3)
    T = outer(a1, a1) + outer(a2, middle) + outer(a3, inner)
    return R2 @ axis_rotation(inner, inner @ theta), T, bias
