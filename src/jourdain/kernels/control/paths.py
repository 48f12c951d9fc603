"""Paths of a frame in space: position and orientation with two derivatives at a time.

A path is a code and numbers p. LINE, CIRCLE and SPLINE are one `PathSegment`; SEQUENCE is
a `PathSequence`, whose segments have codes of their own. A path is held before its beginning and after its end.
"""

from __future__ import annotations

import math

from ..algebra import Motion, Quaternion, Vec3, rotation_matrix
from ..compiler import entry_point, kernel
from ..flat_arrays import put_value
from ..parameter_rows import Block, Parameters
from ..rotations import turned_quaternion
from ..signatures import Matrix, Vector

PATH_LINE, CIRCLE, SPLINE, SEQUENCE = 0, 1, 2, 3
TRAPEZOIDAL, CYCLOIDAL, QUINTIC = 0, 1, 2


class PathSegment(Parameters):
    """A segment, along which s goes from 0 to 1 by the law.

    LINE a + s b; CIRCLE a + b cos(s angle) + c sin(s angle); SPLINE a + b x + c x^2 + d x^3, x the time since the
    beginning.
    """

    code: int
    law: int
    begin: float  # [s]
    duration: float  # [s]
    ramp: float  # TRAPEZOIDAL
    angle: float  # CIRCLE [rad]
    a: Vec3
    b: Vec3
    c: Vec3
    d: Vec3
    start: Quaternion  # orientation at the start
    turn: Vec3  # rotation vector of the whole segment, in the axes at its start


class PathSequence(Parameters):
    """Segments one after the other."""

    segments: Block[PathSegment]


@kernel
def law_of_motion(law, ramp, x):
    """s(x), s'(x), s''(x), from 0 at x = 0 to 1 at x = 1, at rest at both ends.

    TRAPEZOIDAL  constant acceleration for a part `ramp` of the time, constant speed, constant deceleration
    CYCLOIDAL    x - sin(2 pi x) / 2 pi (Chen, eq. 2.74)
    QUINTIC      10 x^3 - 15 x^4 + 6 x^5
    """
    if law == CYCLOIDAL:
        w = 2.0 * math.pi
        s, c = math.sin(w * x), math.cos(w * x)
        return x - s / w, 1.0 - c, w * s
    if law == QUINTIC:
        y = 1.0 - x
        return x * x * x * (10.0 - 15.0 * x + 6.0 * x * x), 30.0 * x * x * y * y, 60.0 * x * y * (1.0 - 2.0 * x)
    speed = 1.0 / (1.0 - ramp)
    pull = speed / ramp
    if x < ramp:
        return 0.5 * pull * x * x, pull * x, pull
    if x <= 1.0 - ramp:
        return speed * (x - 0.5 * ramp), speed, 0.0
    y = 1.0 - x
    return 1.0 - 0.5 * pull * y * y, pull * y, -pull


@kernel
def _segment(code, p, t):
    """The segment that holds at time t."""
    if code != SEQUENCE:
        return PathSegment(p)
    segments = PathSequence(p).segments
    low, high = 0, len(segments) - 1
    while low < high:
        middle = (low + high + 1) // 2
        if t >= segments[middle].begin:
            low = middle
        else:
            high = middle - 1
    return segments[low]


@kernel
def _progress(one, t):
    """s and its two derivatives by time in a segment, and the time since its beginning; held outside."""
    duration = one.duration
    clock = t - one.begin
    if clock < 0.0:
        return 0.0, 0.0, 0.0, 0.0
    if clock > duration:
        return 1.0, 0.0, 0.0, duration
    s, rate, acceleration = law_of_motion(one.law, one.ramp, clock / duration)
    return s, rate / duration, acceleration / (duration * duration), clock


@kernel
def _translation(one, s, ds, dds, h, t):
    """Position, velocity and acceleration in a segment, of `_progress` (s, ds, dds, h) at time t."""
    a, b, c = one.a, one.b, one.c
    if one.code == PATH_LINE:
        return a + s * b, ds * b, dds * b
    if one.code == CIRCLE:
        angle = one.angle
        sine, cosine = math.sin(s * angle), math.cos(s * angle)
        w, dw = angle * ds, angle * dds
        r, u = cosine * b + sine * c, cosine * c - sine * b
        return a + r, w * u, dw * u - w * w * r
    d = one.d
    moving = 1.0 if 0.0 <= t - one.begin <= one.duration else 0.0
    rate = moving * (b + h * (2.0 * c + 3.0 * h * d))
    return a + h * (b + h * (c + h * d)), rate, moving * (2.0 * c + 6.0 * h * d)


@kernel
def path_motion(code, p, t):
    """Position, quaternion, velocity and acceleration (angular, linear) of a path at time t, world axes.

    Slerp (Shoemake 1985): the segment turns about one axis, by s times its rotation vector.
    """
    one = _segment(code, p, t)
    s, ds, dds, h = _progress(one, t)
    place, velocity, acceleration = _translation(one, s, ds, dds, h, t)
    axis = rotation_matrix(one.start) @ one.turn
    q = turned_quaternion(one.start, s * one.turn)
    return place, q, Motion(ds * axis, velocity), Motion(dds * axis, acceleration)


@entry_point
def sample_path(code: int, p: Vector, times: Vector, out: Matrix) -> None:
    """`path_motion` at every time, into the rows of out (nt, 19).

    A row is position, velocity, acceleration, quaternion, angular velocity, angular acceleration.
    """
    for i in range(times.size):
        place, q, V, A = path_motion(code, p, times[i])
        row = out[i]
        put_value(row, 0, place)
        put_value(row, 3, V.linear)
        put_value(row, 6, A.linear)
        put_value(row, 9, q)
        put_value(row, 13, V.angular)
        put_value(row, 16, A.angular)
