"""Efforts of a trajectory that was planned, alone and with feedback about it."""

from __future__ import annotations

from ..algebra import Quaternion, Vec3, conjugate, rotation_matrix
from ..compiler import entry_point, kernel
from ..flat_arrays import quaternion_at, vector_at
from ..integrate.lie_group import rotation_vector
from ..parameter_rows import Block, Parameters, Part
from ..signatures import Vector
from .mapping import Profile, reference


class PlannedInput(Parameters):
    """An effort as a function of time."""

    v: int
    effort: Part[Profile]  # [N m or N]


class PlannedParameters(Parameters):
    """All planned efforts."""

    inputs: Block[PlannedInput]


@entry_point
def feedforward(t: float, q: Vector, v: Vector, z: Vector, s: Vector, p: Vector, effort: Vector, dz: Vector) -> None:
    """Adds the planned efforts."""
    inputs = PlannedParameters(p).inputs
    for i in range(len(inputs)):
        effort[inputs[i].v] += reference(inputs[i].effort, t)[0]


class PlannedRotation(Parameters):
    """A rotation, as `ModelArrays.rotations`."""

    q: int  # first of its entries
    v: int
    free: bool  # whether it is that of a free joint, whose place comes first in q and last in v


class TrackingParameters(Parameters):
    """A plan with N intervals: of each, and of the time behind the last, polynomials of the time since it began."""

    times: Block[float]  # (N + 1,) knots [s]
    inputs: Block[int]  # (nu,) entries of v
    q_index: Block[int]  # (nv,) coordinate of each velocity, -1 in rotations
    rotations: Block[PlannedRotation]
    efforts: Block[float]  # (N + 1, nu, 2)
    states: Block[float]  # (N + 1, nq + nv, CUBIC)
    gains: Block[float]  # (N + 1, nu, 2 nv) by displacements and by velocities


CUBIC = 4  # numbers of a state in an interval: a polynomial of the third degree


@kernel
def _state_at(states, j, x):
    """State j of the plan, at the time x since the interval began whose polynomials are given."""
    c = CUBIC * j
    return states[c] + x * (states[c + 1] + x * (states[c + 2] + x * states[c + 3]))


@kernel
def _answer(law, gains, k, off, effort):
    """Adds what the gains of entry k of the tangent space make of a deviation."""
    inputs, width = law.inputs, 2 * len(law.q_index)
    for i in range(len(inputs)):
        effort[inputs[i]] += gains[width * i + k] * off


@entry_point
def tracking(t: float, q: Vector, v: Vector, z: Vector, s: Vector, p: Vector, effort: Vector, dz: Vector) -> None:
    """Adds the planned efforts, and gains times the deviation from the planned state, seen in the tangent space."""
    law = TrackingParameters(p)
    times, inputs, index, rotations = law.times, law.inputs, law.q_index, law.rotations
    nu, nv, nq = len(inputs), len(index), q.size
    # the interval of now, by bisection, and its coefficients
    low, high = 0, times.size - 1
    while low < high:
        middle = (low + high + 1) // 2
        if t >= times[middle]:
            low = middle
        else:
            high = middle - 1
    x = max(0.0, t - times[low])
    efforts, gains = law.efforts[2 * nu * low :], law.gains[2 * nv * nu * low :]
    states = law.states[CUBIC * (nq + nv) * low :]
    # planned efforts, linear in an interval
    for i in range(nu):
        effort[inputs[i]] += efforts[2 * i] + x * efforts[2 * i + 1]
    # deviations of velocities, and of coordinates that are numbers
    for k in range(nv):
        _answer(law, gains, nv + k, v[k] - _state_at(states, nq + k, x), effort)
        j = index[k]
        if j >= 0:
            _answer(law, gains, k, q[j] - _state_at(states, j, x), effort)
    # rotations: the vector that turns the planned one into that of now, in body axes
    for g in range(len(rotations)):
        one = rotations[g]
        j, k = one.q, one.v
        m = j + 3 if one.free else j
        planned = Quaternion(
            _state_at(states, m, x),
            _state_at(states, m + 1, x),
            _state_at(states, m + 2, x),
            _state_at(states, m + 3, x),
        )
        w, a, b, c = planned.w, planned.x, planned.y, planned.z
        planned = (w * w + a * a + b * b + c * c) ** -0.5 * planned
        turn = tuple(rotation_vector(conjugate(planned) @ quaternion_at(q, m)))
        for i in range(3):
            _answer(law, gains, k + i, turn[i], effort)
        # places of free joints, in the planned body's axes
        if one.free:
            there = Vec3(_state_at(states, j, x), _state_at(states, j + 1, x), _state_at(states, j + 2, x))
            seen = tuple(rotation_matrix(planned).T @ (vector_at(q, j) - there))
            for i in range(3):
                _answer(law, gains, k + 3 + i, seen[i], effort)
