"""State feedback, of the plant's own state or of an observer's."""

from __future__ import annotations

from ..compiler import entry_point, kernel
from ..parameter_rows import Block, Parameters, Part
from ..scalar import clip
from ..signatures import Vector
from .state_error import Deviation, displacement, velocity_error


class ActuatedInput(Parameters):
    """An effort that a law gives."""

    v: int
    nominal: float  # [N m or N]
    limit: float  # largest effort either way [N m or N]


class FeedbackParameters(Parameters):
    """m inputs, n states of the gain, y measurements."""

    inputs: Block[ActuatedInput]
    states: int
    gain: Block[float]  # (m, n)
    A: Block[float]  # (n, n) of an observer in innovation form, A - L C
    B: Block[float]  # (n, m)
    L: Block[float]  # (n, y)
    measured: Block[int]  # the entry of (displacements, velocities) that each measurement is
    deviation: Part[Deviation]


@kernel
def deviates(deviation, i, t, q, v):
    """Entry i of (displacements, velocities) of a deviation."""
    n = len(deviation.entries)
    return displacement(deviation, i, t, q) if i < n else velocity_error(deviation, i - n, t, v)


@entry_point
def state_feedback(t: float, q: Vector, v: Vector, z: Vector, s: Vector, p: Vector, effort: Vector, dz: Vector) -> None:
    """effort = nominal - gain (x - x wanted), within its limits."""
    law = FeedbackParameters(p)
    n, gain = law.states, law.gain
    for i in range(len(law.inputs)):
        one = law.inputs[i]
        u = one.nominal
        for k in range(n):
            if gain[i * n + k] != 0.0:
                u -= gain[i * n + k] * deviates(law.deviation, k, t, q, v)
        effort[one.v] += clip(u, -one.limit, one.limit)


@entry_point
def observed_feedback(
    t: float, q: Vector, v: Vector, z: Vector, s: Vector, p: Vector, effort: Vector, dz: Vector
) -> None:
    """effort = nominal - gain z;  z' = A z + B u + L (y - C z), y what is measured and u the effort beyond nominal.

    The observer is told the effort that its limits leave. In a discrete one dz is the next z.
    """
    law = FeedbackParameters(p)
    m, n, y = len(law.inputs), law.states, len(law.measured)
    gain, A, B, L = law.gain, law.A, law.B, law.L
    for k in range(n):
        total = 0.0 * z[0]
        for j in range(n):
            total += A[k * n + j] * z[j]
        dz[k] = total
    for i in range(m):
        one = law.inputs[i]
        u = one.nominal
        for k in range(n):
            u -= gain[i * n + k] * z[k]
        u = clip(u, -one.limit, one.limit)
        effort[one.v] += u
        u -= one.nominal
        for k in range(n):
            dz[k] += B[k * m + i] * u
    for i in range(y):
        measured = deviates(law.deviation, law.measured[i], t, q, v)
        for k in range(n):
            dz[k] += L[k * y + i] * measured
