"""Prescribed profiles: value, rate and acceleration at a time.

Each profile is a code and a run of numbers, the first of which is the value that is added to all.
"""

from __future__ import annotations

import math

from ..compiler import kernel, separate_kernel

PIECES, CYCLOID, SINE = 0, 1, 2


@kernel
def profile(code, data, at, t):
    """(value, rate, acceleration) of the profile whose numbers begin at data[at].

    CYCLOID  offset, start, duration, rise: rise (x - sin(2 pi x) / 2 pi), x = (t - start) / duration, held outside
    SINE     offset, amplitude, angular frequency, phase
    PIECES   offset, count, degree, held, then count + 1 times, then (degree + 1) coefficients a piece, in rising powers
             of the time since the piece began; held outside where `held` is 1, else the end pieces go on
    """
    offset = data[at]
    if code == CYCLOID:
        duration, rise = data[at + 2], data[at + 3]
        x = (t - data[at + 1]) / duration
        if x <= 0.0:
            return offset, 0.0, 0.0
        if x >= 1.0:
            return offset + rise, 0.0, 0.0
        w = 2.0 * math.pi
        rate = rise / duration
        return (
            offset + rise * (x - math.sin(w * x) / w),
            rate * (1.0 - math.cos(w * x)),
            rate / duration * w * math.sin(w * x),
        )
    if code == SINE:
        a, w, phase = data[at + 1], data[at + 2], data[at + 3]
        s = math.sin(w * t + phase)
        return offset + a * s, a * w * math.cos(w * t + phase), -a * w * w * s
    # the piece that the time is in, by bisection
    count, degree, held = int(data[at + 1]), int(data[at + 2]), data[at + 3]
    times = at + 4
    low, high = 0, count - 1
    while low < high:
        middle = (low + high + 1) // 2
        if t >= data[times + middle]:
            low = middle
        else:
            high = middle - 1
    # time since the piece began; outside the pieces the end is held, or goes on
    clock = t
    if held == 1.0:
        clock = min(max(t, data[times]), data[times + count])
    x = clock - data[times + low]
    c = times + count + 1 + low * (degree + 1)
    # Horner's scheme for a polynomial and its two derivatives
    value, rate, acceleration = 0.0, 0.0, 0.0
    for j in range(degree, -1, -1):
        acceleration = acceleration * x + 2.0 * rate
        rate = rate * x + value
        value = value * x + data[c + j]
    if clock != t:
        rate, acceleration = 0.0, 0.0
    return offset + value, rate, acceleration


@separate_kernel
def follow_profiles(model, task, t, q, v, acceleration):
    """`prescribe` of a run that has motions."""
    for i in range(len(task.motions)):
        motion = task.motions[i]
        k = motion.v
        x, rate, acc = profile(motion.profile, task.motion_data, motion.first, t)
        q[model.q_index[k]] = x
        v[k] = rate
        acceleration[k] = acc


@kernel
def prescribe(model, task, t, q, v, acceleration):
    """Writes the prescribed coordinates, their rates and accelerations at time t."""
    if len(task.motions) > 0:
        follow_profiles(model, task, t, q, v, acceleration)
