"""Derivatives of the map T from the rate of a rotation vector to angular velocity, for every scheme of
bodies/rotation_schemes.py.

Each gives T, its first and second rate along theta(t), and N, the derivative of T^T m by theta for a fixed m.
"""

from __future__ import annotations

from ..algebra import Mat3, cross, operation, outer, scaled_unit
from ..bodies.rotation_schemes import EULER_321, EXPONENTIAL, INTEGRATED, LINEAR, NONE
from ..compiler import kernel
from ..rotations import axis_rotation
from ..scalar import sinc, sine_cosine, tangent_factors


@operation
def map_with(s, a, p, q):
    """s 1 + a~ + (p q^T + q p^T) / 2."""
    xy, xz, yz = 0.5 * (p.x * q.y + p.y * q.x), 0.5 * (p.x * q.z + p.z * q.x), 0.5 * (p.y * q.z + p.z * q.y)
    return Mat3(s + p.x * q.x, xy - a.z, xz + a.y, xy + a.z, s + p.y * q.y, yz - a.x, xz - a.y, yz + a.x, s + p.z * q.z)


@kernel
def tangent_curvatures(x2):
    """Second derivatives by x^2 of a = (1 - cos x) / x^2 and b = (x - sin x) / x^3, as functions of x^2."""
    y = x2
    if y < 1.0:
        # sum k (k - 1) (-y)^(k - 2) / (2 k + 2)! and / (2 k + 3)!, exact to rounding below one
        a = 1.0 - y / 171.42857142857142 * (1.0 - y / 229.5 * (1.0 - y / 295.55555555555554))
        a = 1.0 - y / 45.0 * (1.0 - y / 79.2 * (1.0 - y / 121.33333333333333 * a))
        b = 1.0 - y / 194.28571428571428 * (1.0 - y / 256.5 * (1.0 - y / 326.6666666666667))
        b = 1.0 - y / 55.0 * (1.0 - y / 93.6 * (1.0 - y / 140.0 * b))
        return 1.0 / 360.0 - y / 6720.0 * a, 1.0 / 2520.0 - y / 60480.0 * b
    x = y**0.5
    s, c = sine_cosine(x)
    a, df = (1.0 - c) / y, 0.5 * (c - s / x) / y
    da = 0.5 * (s / x - 2.0 * a) / y
    db = 0.5 * (a - 3.0 * (x - s) / (y * x)) / y
    return (0.5 * df - 2.0 * da) / y, (0.5 * da - 2.5 * db) / y


@kernel
def family_partials(theta, rate, second, m, zeroth, first, last):
    """T = f 1 + a theta~ + b theta~^2, its rates and N, from (f, f', f''), (a, ...), (b, ...), by theta^2."""
    x2 = theta @ theta
    x, xx = 2.0 * (theta @ rate), 2.0 * (rate @ rate + theta @ second)
    f, df, d2f = zeroth[0], zeroth[1] * x, zeroth[2] * x * x + zeroth[1] * xx
    a, da, d2a = first[0], first[1] * x, first[2] * x * x + first[1] * xx
    b, db, d2b = last[0], last[1] * x, last[2] * x * x + last[1] * xx
    # theta~^2 = theta theta^T - theta^2, and so on for its rates
    T = map_with(f - b * x2, a * theta, theta, b * theta)
    # d (b theta theta^T) = theta (db theta + 2 b rate)^T, its symmetric part
    T1 = map_with(df - db * x2 - b * x, da * theta + a * rate, theta, db * theta + 2.0 * b * rate)
    T2 = map_with(
        d2f - d2b * x2 - 2.0 * db * x - b * xx,
        d2a * theta + (2.0 * da * rate + a * second),
        theta,
        d2b * theta + (4.0 * db * rate + 2.0 * b * second),
    )
    T2 += outer(2.0 * b * rate, rate)
    t = cross(theta, m)
    slope = zeroth[1] * m + (last[1] * cross(theta, t) - first[1] * t)
    # N = 2 slope theta^T + a m~ - b (theta~ m~ + (theta x m)~),  theta~ m~ = m theta^T - theta . m
    N = map_with(b * (theta @ m), a * m - b * t, m.zero, m)
    return T, T1, T2, N + outer(2.0 * slope, theta) - outer(b * m, theta)


@kernel
def vector_partials(theta, rate, second, m):
    """`family_partials` of the rotation vector: T = 1 + a theta~ + b theta~^2, as in `vector_rotation`."""
    x2 = theta @ theta
    a, b, da, db = tangent_factors(x2)
    d2a, d2b = tangent_curvatures(x2)
    return family_partials(theta, rate, second, m, (1.0, 0.0, 0.0), (a, da, d2a), (b, db, d2b))


@kernel
def with_column(T, axis, d):
    """T, changed so that it maps the unit vector d to `axis`."""
    return T + outer(axis - T @ d, d)


@kernel
def euler_partials(first, middle, inner, theta, rate, second, m):
    """Euler angles about three axes in turn: the columns of T are the axes, each turned by the rotations before it."""
    R1 = axis_rotation(first, first @ theta)
    R2 = R1 @ axis_rotation(middle, middle @ theta)
    a2, a3 = R1 @ middle, R2 @ inner
    # rates and second rates b, c of the turned axes, by the angular velocity of what turns them
    w = (first @ rate) * first
    alpha = (first @ second) * first
    b2 = cross(w, a2)
    c2 = cross(alpha, a2) + cross(w, b2)
    alpha += (middle @ second) * a2 + (middle @ rate) * b2
    w += (middle @ rate) * a2
    b3 = cross(w, a3)
    c3 = cross(alpha, a3) + cross(w, b3)
    T = outer(first, first) + outer(a2, middle) + outer(a3, inner)
    T1 = outer(b2, middle) + outer(b3, inner)
    T2 = outer(c2, middle) + outer(c3, inner)
    by_first = (m @ cross(first, a2)) * middle + (m @ cross(first, a3)) * inner
    return T, T1, T2, outer(by_first, first) + outer((m @ cross(a2, a3)) * inner, middle)


@kernel
def bend_partials(d, theta, rate, second, m):
    """R = exp(b~) exp(phi d~), theta = b + phi d: T maps d to the bent axis R d, and the rest as the
    rotation vector b.
    """
    bend = theta - (d @ theta) * d
    swing = rate - (d @ rate) * d
    more = second - (d @ second) * d
    V, V1, V2, NV = vector_partials(bend, swing, more, m)
    # Rodrigues: R d = d + sinc(|b|) b x d + a b x (b x d), and its rates
    x2 = bend @ bend
    t = cross(bend, d)
    axis = d + (sinc(x2) * t + tangent_factors(x2)[0] * cross(bend, t))
    w = V @ swing
    alpha = V @ more + V1 @ swing
    axis1 = cross(w, axis)
    axis2 = cross(alpha, axis) + cross(w, axis1)
    # N = P NV P + d (V P)^T (axis x m), P = 1 - d d^T
    right = NV - outer(NV @ d, d)
    N = right - outer(d, right.T @ d)
    turned = V.T @ cross(axis, m)
    N += outer(d, turned - (turned @ d) * d)
    return with_column(V, axis, d), with_column(V1, axis1, d), with_column(V2, axis2, d), N


@kernel
def section_partials(scheme, axes, theta, rate, second, m):
    """T, its rates and N of a section that turns by a scheme of `section_rotation`."""
    first = axes.x_row
    if scheme == EXPONENTIAL:
        return bend_partials(first, theta, rate, second, m)
    if scheme == LINEAR:
        s = 1.0 / (1.0 + 0.25 * (theta @ theta))
        ds, d2s = -0.25 * s * s, 0.125 * s * s * s
        half = (0.5 * s, 0.5 * ds, 0.5 * d2s)
        return family_partials(theta, rate, second, m, (s, ds, d2s), half, (0.0, 0.0, 0.0))
    if scheme == NONE or scheme == INTEGRATED:
        none = scaled_unit(0.0)
        return scaled_unit(1.0), none, none, none
    if scheme == EULER_321:
        return euler_partials(axes.z_row, axes.y_row, first, theta, rate, second, m)
    return euler_partials(first, axes.y_row, axes.z_row, theta, rate, second, m)
