"""State feedback, of the plant's own state or of an observer's.

p of both: m inputs, x states of the gain, y measurements (0 without an observer), then for each input its entry in v,
the nominal effort and the largest effort either way; the gain (m, x); for an observer A (x, x), B (x, m) and L (x, y),
A being that of the innovation form, A - L C; then, of the measurements, the entry of the deviation that each is (those
from n on are velocities); then the deviation.
"""

from __future__ import annotations

from ..compiler import entry_point, kernel
from ..scalar import clip
from ..signatures import Vector
from .state_error import displacement, size_of, velocity_error

# Head of p: counts of inputs, states and measurements; columns of an input: its entry in v, nominal and largest effort
FEED_INPUTS, FEED_STATES, FEED_MEASURED = range(3)
FEED_HEAD = 3
FEED_V, FEED_NOMINAL, FEED_MOST = range(3)
FEED_ROW = 3


@kernel
def deviates(p, at, i, t, q, v):
    """Entry i of (displacements, velocities) of the deviation at p[at]."""
    n = size_of(p, at)
    return displacement(p, at, i, t, q) if i < n else velocity_error(p, at, i - n, t, v)


@entry_point
def state_feedback(t: float, q: Vector, v: Vector, z: Vector, s: Vector, p: Vector, effort: Vector, dz: Vector) -> None:
    """effort = nominal - gain (x - x wanted), within its limits."""
    m, n = int(p[FEED_INPUTS]), int(p[FEED_STATES])
    gain = FEED_HEAD + FEED_ROW * m
    at = gain + m * n
    for i in range(m):
        row = FEED_HEAD + FEED_ROW * i
        u = p[row + FEED_NOMINAL]
        for k in range(n):
            if p[gain + i * n + k] != 0.0:
                u -= p[gain + i * n + k] * deviates(p, at, k, t, q, v)
        effort[int(p[row + FEED_V])] += clip(u, -p[row + FEED_MOST], p[row + FEED_MOST])


@entry_point
def observed_feedback(
    t: float, q: Vector, v: Vector, z: Vector, s: Vector, p: Vector, effort: Vector, dz: Vector
) -> None:
    """effort = nominal - gain z;  z' = A z + B u + L (y - C z), y what is measured and u the effort beyond nominal.

    The observer is told the effort that its limits leave. In a discrete one dz is the next z.
    """
    m, n, y = int(p[FEED_INPUTS]), int(p[FEED_STATES]), int(p[FEED_MEASURED])
    gain = FEED_HEAD + FEED_ROW * m
    A = gain + m * n
    B = A + n * n
    L = B + n * m
    seen = L + n * y
    at = seen + y
    for k in range(n):
        total = 0.0 * z[0]
        for j in range(n):
            total += p[A + k * n + j] * z[j]
        dz[k] = total
    for i in range(m):
        row = FEED_HEAD + FEED_ROW * i
        u = p[row + FEED_NOMINAL]
        for k in range(n):
            u -= p[gain + i * n + k] * z[k]
        u = clip(u, -p[row + FEED_MOST], p[row + FEED_MOST])
        effort[int(p[row + FEED_V])] += u
        u -= p[row + FEED_NOMINAL]
        for k in range(n):
            dz[k] += p[B + k * m + i] * u
    for i in range(y):
        measured = deviates(p, at, int(p[seen + i]), t, q, v)
        for k in range(n):
            dz[k] += p[L + k * y + i] * measured
