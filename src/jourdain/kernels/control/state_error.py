"""How far a plant is from where it is wanted, in the tangent space: displacements, then velocities."""

from __future__ import annotations

import math

from ..algebra import Quaternion
from ..compiler import kernel
from ..parameter_rows import Block, Parameters, Part
from ..spatial import quaternion_matrix, rotate_back
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
    j = one.q
    a, b, c, d = tuple(one.quaternion)
    b, c, d = -b, -c, -d
    w, x, y, z = q[j], q[j + 1], q[j + 2], q[j + 3]
    rw = a * w - b * x - c * y - d * z
    rx = a * x + b * w + c * z - d * y
    ry = a * y - b * z + c * w + d * x
    rz = a * z + b * y - c * x + d * w
    if rw < 0.0:
        rw, rx, ry, rz = -rw, -rx, -ry, -rz
    s = math.sqrt(rx * rx + ry * ry + rz * rz)
    k = 2.0 * math.atan2(s, rw) / s if s > 1e-12 else 2.0
    return k * rx, k * ry, k * rz


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
            x, y, z = rotation_error(one, q)
            return x if k == 0 else (y if k == 1 else z)
        if 3 <= k < 6 and place >= 0:
            away = (
                q[place] - entries[first + 3].value,
                q[place + 1] - entries[first + 4].value,
                q[place + 2] - entries[first + 5].value,
            )
            a, b, c, d = tuple(one.quaternion)
            x, y, z = rotate_back(quaternion_matrix(a, b, c, d), away)
            return x if k == 3 else (y if k == 4 else z)
    return math.nan


@kernel
def velocity_error(deviation, i, t, v):
    """How much faster entry i is than wanted."""
    entry = deviation.entries[i]
    return v[entry.v] - wanted(entry, t)[1]
