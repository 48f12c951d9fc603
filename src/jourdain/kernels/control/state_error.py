"""How far a plant is from where it is wanted, in the tangent space: displacements, then velocities."""

from __future__ import annotations

import math

from ..algebra import Quaternion, Vec3, conjugate, rotation_matrix
from ..compiler import kernel
from ..flat_arrays import quaternion_at, vector_at
from ..parameter_rows import Block, Parameters, Part
from .mapping import Profile, reference


class WantedEntry(Parameters):
    """An entry of the tangent space, and what is wanted there."""

    q: int  # -1 where it is part of a rotation, or of the position of a free joint
    v: int
    moves: bool  # whether it has a profile
    value: float  # wanted where it has none
    rate: float
    reference: Part[Profile]


class WantedRotation(Parameters):
    """A rotation, or a free joint: the wanted position is that of its last three entries."""

    first: int  # of its entries
    q: int  # of the quaternion
    position: int  # its entry of q, -1 for none
    quaternion: Quaternion


class Deviation(Parameters):
    """Where a plant is wanted."""

    entries: Block[WantedEntry]
    rotations: Block[WantedRotation]


@kernel
def wanted(entry, t):
    """Value, velocity and acceleration that an entry is to have."""
    if not entry.moves:
        return entry.value, entry.rate, 0.0
    return reference(entry.reference, t)


@kernel
def rotation_error(one, q):
    """Rotation vector of R0^T R, R0 the wanted rotation and R the one in q."""
    r = conjugate(one.quaternion) @ quaternion_at(q, one.q)
    if r.w < 0.0:
        r = -r
    s = math.sqrt(r.x * r.x + r.y * r.y + r.z * r.z)
    k = 2.0 * math.atan2(s, r.w) / s if s > 1e-12 else 2.0
    return k * r.vector


@kernel
def displacement(deviation, i, t, q):
    """Displacement of entry i of a `Deviation`."""
    entries, rotations = deviation.entries, deviation.rotations
    j = entries[i].q
    if j >= 0:
        return q[j] - wanted(entries[i], t)[0]
    for g in range(len(rotations)):
        one = rotations[g]
        first, place = one.first, one.position
        k = i - first
        if 0 <= k < 3:
            turn = rotation_error(one, q)
            return turn.x if k == 0 else (turn.y if k == 1 else turn.z)
        if 3 <= k < 6 and place >= 0:
            there = Vec3(entries[first + 3].value, entries[first + 4].value, entries[first + 5].value)
            away = rotation_matrix(one.quaternion).T @ (vector_at(q, place) - there)
            return away.x if k == 3 else (away.y if k == 4 else away.z)
    return math.nan


@kernel
def velocity_error(deviation, i, t, v):
    """How much faster entry i is than wanted."""
    entry = deviation.entries[i]
    return v[entry.v] - wanted(entry, t)[1]
