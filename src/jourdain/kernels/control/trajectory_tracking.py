"""Efforts of a trajectory that was planned, alone and with feedback about it."""

from __future__ import annotations

from ..compiler import entry_point, kernel
from ..integrate.lie_group import rotation_vector
from ..signatures import Vector
from ..spatial import quaternion_matrix, rotate_back
from ..tree.motions import PIECES, profile

PLANNED_ROW = 2  # numbers of an input: entry of v, place of its profile


@entry_point
def feedforward(t: float, q: Vector, v: Vector, z: Vector, s: Vector, p: Vector, effort: Vector, dz: Vector) -> None:
    """Adds the planned efforts.

    p    number of inputs, then for each its entry of v and where its profile, PIECES of `tree.motions`, begins
    """
    for i in range(int(p[0])):
        row = 1 + PLANNED_ROW * i
        effort[int(p[row])] += profile(PIECES, p, int(p[row + 1]), t)[0]


# numbers of `tracking`, before its tables
INPUTS, VELOCITIES, TRACKED_Q, INTERVALS, ROTATIONS, TRACKED_HEAD = 0, 1, 2, 3, 4, 5
CUBIC = 4  # numbers of a state in an interval: a polynomial of the third degree in the time since it began


@kernel
def _state_at(p, at, j, x):
    """State j of the plan, at the time x since the interval began whose polynomials begin at p[at]."""
    c = at + CUBIC * j
    return p[c] + x * (p[c + 1] + x * (p[c + 2] + x * p[c + 3]))


@kernel
def _answer(p, gains, entries, nu, width, k, off, effort):
    """Adds what the gains of entry k of the tangent space make of a deviation."""
    for i in range(nu):
        effort[int(p[entries + i])] += p[gains + width * i + k] * off


@entry_point
def tracking(t: float, q: Vector, v: Vector, z: Vector, s: Vector, p: Vector, effort: Vector, dz: Vector) -> None:
    """Adds the planned efforts, and gains times the deviation from the planned state, seen in the tangent space.

    p    inputs, velocities, coordinates, intervals, rotations; times of the knots; entry of v of each input;
         coordinate of each velocity, -1 in rotations; three numbers a rotation, as `ModelArrays.groups`; then of each
         interval, and of the time behind the last, two coefficients an input, four a state, and gains, a row an input
    """
    nu, nv, nq, N = int(p[INPUTS]), int(p[VELOCITIES]), int(p[TRACKED_Q]), int(p[INTERVALS])
    entries = TRACKED_HEAD + N + 1
    index = entries + nu
    groups = index + nv
    blocks = groups + 3 * int(p[ROTATIONS])
    width = 2 * nv
    # the interval of now, by bisection, and its coefficients
    low, high = 0, N
    while low < high:
        middle = (low + high + 1) // 2
        if t >= p[TRACKED_HEAD + middle]:
            low = middle
        else:
            high = middle - 1
    x = max(0.0, t - p[TRACKED_HEAD + low])
    at = blocks + low * (2 * nu + CUBIC * (nq + nv) + nu * width)
    states = at + 2 * nu
    gains = states + CUBIC * (nq + nv)
    # planned efforts, linear in an interval
    for i in range(nu):
        effort[int(p[entries + i])] += p[at + 2 * i] + x * p[at + 2 * i + 1]
    # deviations of velocities, and of coordinates that are numbers
    for k in range(nv):
        _answer(p, gains, entries, nu, width, nv + k, v[k] - _state_at(p, states, nq + k, x), effort)
        j = int(p[index + k])
        if j >= 0:
            _answer(p, gains, entries, nu, width, k, q[j] - _state_at(p, states, j, x), effort)
    # rotations: the vector that turns the planned one into that of now, in body axes
    for g in range(int(p[ROTATIONS])):
        j, k, free = int(p[groups + 3 * g]), int(p[groups + 3 * g + 1]), int(p[groups + 3 * g + 2])
        m = j + 3 * free
        a, b = _state_at(p, states, m, x), _state_at(p, states, m + 1, x)
        c, d = _state_at(p, states, m + 2, x), _state_at(p, states, m + 3, x)
        size = (a * a + b * b + c * c + d * d) ** -0.5
        a, b, c, d = size * a, size * b, size * c, size * d
        turn = rotation_vector(
            a * q[m] + b * q[m + 1] + c * q[m + 2] + d * q[m + 3],
            a * q[m + 1] - b * q[m] - c * q[m + 3] + d * q[m + 2],
            a * q[m + 2] + b * q[m + 3] - c * q[m] - d * q[m + 1],
            a * q[m + 3] - b * q[m + 2] + c * q[m + 1] - d * q[m],
        )
        for i in range(3):
            _answer(p, gains, entries, nu, width, k + i, turn[i], effort)
        # places of free joints, in the planned body's axes
        if free == 1:
            away = (
                q[j] - _state_at(p, states, j, x),
                q[j + 1] - _state_at(p, states, j + 1, x),
                q[j + 2] - _state_at(p, states, j + 2, x),
            )
            seen = rotate_back(quaternion_matrix(a, b, c, d), away)
            for i in range(3):
                _answer(p, gains, entries, nu, width, k + 3 + i, seen[i], effort)
