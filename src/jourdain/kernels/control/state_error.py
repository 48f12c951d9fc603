"""How far a plant is from where it is wanted, in the tangent space: displacements, then velocities.

Numbers of a deviation, from p[at] on: n entries, g rotations, then a row of five numbers for each entry, then a row of
nine for each rotation.

entry       q index (-1: part of a rotation), v index, profile code (-1: constant), then the wanted value and velocity,
            or the place of the profile's numbers in p and nothing
rotation    first of its entries, q index of the quaternion, q index of the position (-1: none), the wanted quaternion;
            the wanted position is in the rows of its last three entries
"""

from __future__ import annotations

import math

from ..compiler import kernel
from ..spatial import quaternion_matrix, rotate_back
from ..tree.motions import profile

ENTRY, ROTATION = 5, 9


@kernel
def size_of(p, at):
    """How many entries a deviation has."""
    return int(p[at])


@kernel
def wanted(p, row, t):
    """Value, velocity and acceleration that an entry is to have."""
    code = int(p[row + 2])
    if code < 0:
        return p[row + 3], p[row + 4], 0.0
    return profile(code, p, int(p[row + 3]), t)


@kernel
def rotation_error(p, row, q):
    """Rotation vector of R0^T R, R0 the wanted rotation of a row and R the one in q."""
    j = int(p[row + 1])
    a, b, c, d = p[row + 3], -p[row + 4], -p[row + 5], -p[row + 6]
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
def displacement(p, at, i, t, q):
    """Displacement of entry i of the deviation whose numbers begin at p[at]."""
    row = at + 2 + ENTRY * i
    j = int(p[row])
    if j >= 0:
        return q[j] - wanted(p, row, t)[0]
    turn = at + 2 + ENTRY * int(p[at])
    for g in range(int(p[at + 1])):
        r = turn + ROTATION * g
        first, place = int(p[r]), int(p[r + 2])
        k = i - first
        if 0 <= k < 3:
            x, y, z = rotation_error(p, r, q)
            return x if k == 0 else (y if k == 1 else z)
        if 3 <= k < 6 and place >= 0:
            rows = at + 2 + ENTRY * (first + 3)
            away = (
                q[place] - p[rows + 3],
                q[place + 1] - p[rows + ENTRY + 3],
                q[place + 2] - p[rows + 2 * ENTRY + 3],
            )
            x, y, z = rotate_back(quaternion_matrix(p[r + 3], p[r + 4], p[r + 5], p[r + 6]), away)
            return x if k == 3 else (y if k == 4 else z)
    return math.nan


@kernel
def velocity_error(p, at, i, t, v):
    """How much faster entry i is than wanted."""
    row = at + 2 + ENTRY * i
    return v[int(p[row + 1])] - wanted(p, row, t)[1]
