"""Bodies with internal coordinates whose kind was added after those of `kinds`, each in a file of its own.

A file, named by the word of the kind in `kind_registry.BODIES`, defines these parts under that word (`compiler.part`). They may
leave out arguments.

    inertia(model, ws, i, q, v)                   rows of ws.work and its blocks of ws.flex, as `kinds.flexible_inertia`
    station(model, ws, i, at, q, v)               a marker, as `kinds.flexible_station`
    strain(model, i, q)                           energy stored [J]
    dissipation(model, i, q, v)                   power dissipated [W]
    attraction(model, ws, i, q, v, G)             what the gradient of gravity does in an orbit
"""

from __future__ import annotations

from ..kind_dispatch import added
from ..kind_registry import ADDED_BODIES, BODIES

PARTS = ("inertia", "station", "strain", "dissipation", "attraction")
MODULES = added(__package__, BODIES, ADDED_BODIES, PARTS)
