"""Bodies with internal coordinates whose kind was added after those of `body_dispatch`, each in a file of its own.

A file, named by the word of the kind in `kind_registry.BODIES`, defines these kernels as optional kernels under that
word (`compiler.optional_kernel`). They may leave out arguments.

    inertia(model, ws, i, q, v)                   row i of ws.bodies and its blocks of ws.flex,
                                                  as `body_dispatch.flexible_inertia`
    station(model, ws, i, at, q, v)               a marker, as `body_dispatch.flexible_station`
    strain(model, i, q)                           energy stored [J]
    dissipation(model, i, q, v)                   power dissipated [W]
    attraction(model, ws, i, q, v, G)             what the gradient of gravity does in an orbit
"""

from __future__ import annotations

from ..kind_dispatch import plugin_modules
from ..kind_registry import ADDED_BODIES, BODIES

PARTS = ("inertia", "station", "strain", "dissipation", "attraction")
MODULES = plugin_modules(__package__, BODIES, ADDED_BODIES, PARTS)
