"""A station of a rod or of a shell: its place and the two vectors that its axes follow, with their rates."""

from __future__ import annotations

from ..compiler import kernel
from .nodal_layout import station_of


@kernel
def station_vectors(floats, at, q, e, v, ev, none):
    """(place, its rate, a, a', b, b') of the station at `at`: each the value at rest and w_k x_k along way k, summed.

    none    zeros of the type of the coordinates
    """
    head, entries, end = station_of(floats, at)
    r, velocity, a, b, da, db = head.place + none, none, end.a + none, end.b + none, none, none
    for j in range(head.count):
        entry = entries[j]
        x, y = q[e + entry.k] * entry.psi, v[ev + entry.k] * entry.psi
        r, velocity = r + entry.place * x, velocity + entry.place * y
        a, da = a + entry.a * x, da + entry.a * y
        b, db = b + entry.b * x, db + entry.b * y
    return r, velocity, a, da, b, db
