"""A station of a rod or of a shell: its place and the two vectors that its axes follow, with their rates."""

from __future__ import annotations

from ..compiler import kernel
from ..flat_arrays import vec1
from ..spatial import add, scale
from .nodal_layout import STATION_COUNT, STATION_ENTRY


@kernel
def station_vectors(floats, at, q, e, v, ev, none):
    """(place, its rate, a, a', b, b') of the station at `at`: each the value at rest and w_k x_k along way k, summed.

    none    zeros of the type of the coordinates
    """
    count, first = int(floats[at + STATION_COUNT]), at + STATION_COUNT + 1
    behind = first + STATION_ENTRY * count
    r, velocity = add(vec1(floats, at), none), none
    a, b, da, db = add(vec1(floats, behind), none), add(vec1(floats, behind + 3), none), none, none
    for j in range(count):
        entry = first + STATION_ENTRY * j
        k, way = int(floats[entry]), vec1(floats, entry + 1)
        x, y = scale(q[e + k], way), scale(v[ev + k], way)
        r, velocity = add(r, scale(floats[entry + 4], x)), add(velocity, scale(floats[entry + 4], y))
        a, da = add(a, scale(floats[entry + 5], x)), add(da, scale(floats[entry + 5], y))
        b, db = add(b, scale(floats[entry + 6], x)), add(db, scale(floats[entry + 6], y))
    return r, velocity, a, da, b, db
