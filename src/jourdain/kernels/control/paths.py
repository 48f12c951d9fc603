"""Paths of a frame in space: position and orientation with two derivatives at a time.

A path is a code and numbers, of which the first is at p[at]. LINE, CIRCLE and SPLINE are one segment, a record of
RECORD numbers; SEQUENCE is the count of its segments, then their records, each with its own code. A path is held before
its beginning and after its end.

record    0 code                        1 law                   2 beginning [s]           3 duration [s]
          4 ramp (TRAPEZOIDAL)          5 angle (CIRCLE) [rad]
          6 a, 9 b, 12 c, 15 d          three numbers each: LINE a + s b; CIRCLE a + b cos(s angle) + c sin(s angle);
                                        SPLINE a + b x + c x^2 + d x^3, x the time since the beginning
          18 quaternion at the start    22 rotation vector of the whole segment, in the axes at its start

where s goes from 0 to 1 by the law.
"""

from __future__ import annotations

import math

from ..compiler import entry_point, kernel
from ..signatures import Matrix, Vector
from ..spatial import quaternion_increment, quaternion_matrix, rotate, scale

PATH_LINE, CIRCLE, SPLINE, SEQUENCE = 0, 1, 2, 3
TRAPEZOIDAL, CYCLOIDAL, QUINTIC = 0, 1, 2
PATH_RECORD = 25


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
def _segment(code, p, at, t):
    """Code and place of the segment that holds at time t."""
    if code != SEQUENCE:
        return code, at
    first = at + 1
    low, high = 0, int(p[at]) - 1
    while low < high:
        middle = (low + high + 1) // 2
        if t >= p[first + middle * PATH_RECORD + 2]:
            low = middle
        else:
            high = middle - 1
    found = first + low * PATH_RECORD
    return int(p[found]), found


@kernel
def _progress(p, at, t):
    """s and its two derivatives by time in the segment at p[at], and the time since its beginning; held outside."""
    duration = p[at + 3]
    clock = t - p[at + 2]
    if clock < 0.0:
        return 0.0, 0.0, 0.0, 0.0
    if clock > duration:
        return 1.0, 0.0, 0.0, duration
    s, rate, acceleration = law_of_motion(int(p[at + 1]), p[at + 4], clock / duration)
    return s, rate / duration, acceleration / (duration * duration), clock


@kernel
def tip_path(code, p, at, t):
    """Position, velocity and acceleration of a path at time t: nine numbers, world axes."""
    code, at = _segment(code, p, at, t)
    s, ds, dds, clock = _progress(p, at, t)
    ax, ay, az = p[at + 6], p[at + 7], p[at + 8]
    bx, by, bz = p[at + 9], p[at + 10], p[at + 11]
    if code == PATH_LINE:
        return ax + s * bx, ay + s * by, az + s * bz, ds * bx, ds * by, ds * bz, dds * bx, dds * by, dds * bz
    cx, cy, cz = p[at + 12], p[at + 13], p[at + 14]
    if code == CIRCLE:
        angle = p[at + 5]
        sine, cosine = math.sin(s * angle), math.cos(s * angle)
        w, dw = angle * ds, angle * dds
        x, y, z = cosine * bx + sine * cx, cosine * by + sine * cy, cosine * bz + sine * cz
        ux, uy, uz = cosine * cx - sine * bx, cosine * cy - sine * by, cosine * cz - sine * bz
        return (
            ax + x,
            ay + y,
            az + z,
            w * ux,
            w * uy,
            w * uz,
            dw * ux - w * w * x,
            dw * uy - w * w * y,
            dw * uz - w * w * z,
        )
    dx, dy, dz = p[at + 15], p[at + 16], p[at + 17]
    h = clock
    moving = 1.0 if 0.0 <= t - p[at + 2] <= p[at + 3] else 0.0
    return (
        ax + h * (bx + h * (cx + h * dx)),
        ay + h * (by + h * (cy + h * dy)),
        az + h * (bz + h * (cz + h * dz)),
        moving * (bx + h * (2.0 * cx + 3.0 * h * dx)),
        moving * (by + h * (2.0 * cy + 3.0 * h * dy)),
        moving * (bz + h * (2.0 * cz + 3.0 * h * dz)),
        moving * (2.0 * cx + 6.0 * h * dx),
        moving * (2.0 * cy + 6.0 * h * dy),
        moving * (2.0 * cz + 6.0 * h * dz),
    )


@kernel
def tip_turn(code, p, at, t):
    """Quaternion, angular velocity and angular acceleration of a path at time t: ten numbers, world axes.

    Slerp (Shoemake 1985): the segment turns about one axis, by s times its rotation vector.
    """
    code, at = _segment(code, p, at, t)
    s, ds, dds, _ = _progress(p, at, t)
    w, x, y, z = p[at + 18], p[at + 19], p[at + 20], p[at + 21]
    theta = (p[at + 22], p[at + 23], p[at + 24])
    axis = rotate(quaternion_matrix(w, x, y, z), theta)
    w, x, y, z = quaternion_increment(w, x, y, z, scale(s, theta))
    return (
        w,
        x,
        y,
        z,
        ds * axis[0],
        ds * axis[1],
        ds * axis[2],
        dds * axis[0],
        dds * axis[1],
        dds * axis[2],
    )


@entry_point
def sample_path(code: int, p: Vector, times: Vector, out: Matrix) -> None:
    """`tip_path` and `tip_turn` at every time, into the rows of out (nt, 19)."""
    for i in range(times.size):
        place = tip_path(code, p, 0, times[i])
        turn = tip_turn(code, p, 0, times[i])
        out[i, 0], out[i, 1], out[i, 2] = place[0], place[1], place[2]
        out[i, 3], out[i, 4], out[i, 5] = place[3], place[4], place[5]
        out[i, 6], out[i, 7], out[i, 8] = place[6], place[7], place[8]
        out[i, 9], out[i, 10], out[i, 11], out[i, 12] = turn[0], turn[1], turn[2], turn[3]
        out[i, 13], out[i, 14], out[i, 15] = turn[4], turn[5], turn[6]
        out[i, 16], out[i, 17], out[i, 18] = turn[7], turn[8], turn[9]
