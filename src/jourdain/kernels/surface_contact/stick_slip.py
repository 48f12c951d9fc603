"""Friction of nodes by multipliers: the four regions of Kim 1999, section 4.2.4, and their coefficients."""

from __future__ import annotations

import math

from ..compiler import kernel
from .surface_layout import REVERSING, SLIDING, SLIPPING, STICK


@kernel
def has_friction(s, i):
    """Whether node i has friction."""
    return s.pairs[s.nodes[i].pair].friction == 1


@kernel
def slides(region):
    """Whether a node slides."""
    return region >= SLIPPING


@kernel
def reverses(region):
    """Whether a node that was in this region at the start of a step goes through a reversal when it is slow."""
    return region == SLIDING or region == REVERSING


@kernel
def coefficient_at(s, i, slip):
    """Coefficient of friction of a node that slides at a speed, but for a reversal: falling from the static one after
    breakaway, or the kinetic one (Kim 1999, section 4.2.4)."""
    law = s.laws[s.nodes[i].pair]
    static, kinetic = law.mu_static, law.mu_kinetic
    if reverses(s.state[i].region_start):
        return kinetic
    return static + (kinetic - static) * min(slip / law.mu_speed, 1.0)


@kernel
def coefficient(s, i):
    """Coefficient of friction of a sliding node: falling from the static one after breakaway, the kinetic one, or
    linear through a reversal (Kim 1999, section 4.2.4)."""
    law, slip = s.laws[s.nodes[i].pair], s.node[i].slip
    static, kinetic, speed = law.mu_static, law.mu_kinetic, law.mu_speed
    part = min(math.sqrt(slip @ slip) / speed, 1.0) if speed > 0.0 else 1.0
    if s.state[i].region == SLIPPING:
        return static + (kinetic - static) * part
    if s.state[i].region == REVERSING:
        return kinetic * part
    return kinetic


@kernel
def region_of_slip(s, i):
    """The region of a node that slides, by its speed and where it comes from (Kim 1999, table 4.1)."""
    slip = s.node[i].slip
    fast = math.sqrt(slip @ slip) >= s.laws[s.nodes[i].pair].mu_speed
    before = s.state[i].region_start
    if before == STICK:  # breakaway takes a step of its own; beyond the transition its coefficient is the kinetic one
        return SLIPPING
    if fast:
        return SLIDING
    return REVERSING if before == SLIDING or before == REVERSING else SLIPPING
