"""Forces of nodes that may touch with friction by the nonsmooth Gauss-Seidel method, node by node in sweeps.

Each node in turn takes the force that it would have were those of the others right: a normal one that cannot pull, and
friction within its cone, turned against what is left of the slip (Jourdan, Alart & Jean 1998). States are
found elsewhere (`complementarity`) with the directions of slip that were there before; where nodes slide to many sides,
those follow from the forces, and only sweeps find both. They also find forces where no set of states is found.
"""

from __future__ import annotations

import math

from ..algebra import Vec2
from ..compiler import kernel, outlined_kernel
from ..flat_arrays import plane_vector_at, put_value
from .stick_slip import coefficient, has_friction, region_of_slip, slides
from .surface_layout import (
    OPEN,
    SLIPPING,
    STICK,
)

SWEEPS = 5000
"""Sweeps after which the search is given up."""
STILL = 1e-11
"""Change of a force within a sweep, over the largest force, at which the sweeps end."""
ON_CONE = 1e-9
"""Distance from the edge of the cone, over the force there, that counts as on it."""


@kernel
def limit_of(s, i):
    """Coefficient of friction of a node: of a sliding one by its law, else the static one."""
    pair = s.nodes[i].pair
    if not has_friction(s, i):
        return 0.0
    return coefficient(s, i) if slides(s.state[i].region) else s.laws[pair].mu_static


@kernel
def response(s, count, r):
    """Gap rate or slip r under the forces of all nodes."""
    x = s.free[r]
    for j in range(3 * count):
        if s.force[j] != 0.0:
            x += s.compliance[r, j] * s.force[j]
    return x


@outlined_kernel
def turn_node(s, c, count, mu):
    """Gives a node the force that suits those of the others; returns the largest change of an entry."""
    r = 3 * c
    before = s.force[r]
    s.force[r] = max(0.0, before - response(s, count, r) / s.compliance[r, r])
    change = abs(s.force[r] - before)
    if mu == 0.0:
        return change
    had = plane_vector_at(s.force, r + 1)
    # a step along the slip that is short enough for both tangents, then back into the cone
    softest = s.compliance[r + 1, r + 1] + s.compliance[r + 2, r + 2]
    f = had - Vec2(response(s, count, r + 1), response(s, count, r + 2)) / softest
    size, most = math.sqrt(f @ f), mu * s.force[r]
    if size > most:
        f = f * most / size if size > 0.0 else f.zero
    put_value(s.force, r + 1, f)
    return max(change, max(abs(f.x - had.x), abs(f.y - had.y)))


@outlined_kernel
def sweep_forces(s, count):
    """Forces of the nodes active[:count], those that may not touch left out; 0, or 1 where they do not come to rest."""
    for c in range(count):
        if s.state[s.active[c]].closed == 0 or not s.force[3 * c] > 0.0:
            for k in range(3):
                s.force[3 * c + k] = 0.0
    for _ in range(SWEEPS):
        change, largest = 0.0, 0.0
        for c in range(count):
            i = s.active[c]
            if s.state[i].closed == 1:
                change = max(change, turn_node(s, c, count, limit_of(s, i)))
                largest = max(largest, s.force[3 * c])
        if change <= STILL * largest:
            return 0
    return 1


@outlined_kernel
def sweep_states(s, count):
    """States and forces of the nodes active[:count] by sweeps; 0, or 1 where they do not come to rest."""
    if sweep_forces(s, count) != 0:
        return 1
    for c in range(count):
        i = s.active[c]
        f = plane_vector_at(s.force, 3 * c + 1)
        size, most = math.sqrt(f @ f), limit_of(s, i) * s.force[3 * c]
        if s.force[3 * c] == 0.0:
            s.state[i].region = OPEN
        elif most > 0.0 and size >= (1.0 - ON_CONE) * most:
            s.node[i].side = -f / size
            if not slides(s.state[i].region):
                s.state[i].region = SLIPPING if s.state[i].region_start == STICK else region_of_slip(s, i)
        else:
            s.state[i].region = STICK
    return 0
