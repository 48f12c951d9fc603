"""Corrections of cables that rest on the world begin from forces, not from accelerations."""

from __future__ import annotations

from ...bodies.ancf_cable import rests
from ...bodies.ancf_cable_forces import cable_mass_times
from ...bodies.body_dispatch import has_banded_mass
from ...compiler import optional_kernel


@optional_kernel("nodal", returns=1)
def forces_asked(model, s):
    """1 where all that moves are cables that rest on the world and nothing acts on their nodes: then points of
    corrections ask for forces, from which corrections begin, and M^-1 and M are left out."""
    if s.rest.size + s.ports.size + s.applied.entries.size > 0:
        return 0.0
    for j in range(s.bodies.size):
        if not (has_banded_mass(model, s.bodies[j]) and rests(model, s.bodies[j])):
            return 0.0
    return 1.0


@optional_kernel("nodal")
def force_residual(model, s, rate, K, out):
    """`partition_residual` where forces f stand in K: out = M a' - f."""
    nv = s.place.size
    for k in range(nv):
        out[k] = 0.0
        out[nv + k] = -K[1, nv + k]
    for j in range(s.bodies.size):
        i, ev = s.bodies[j], model.tree[s.bodies[j]].ev
        cable_mass_times(model, i, rate, nv + ev, out, nv + ev)
