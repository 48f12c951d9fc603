"""Friction of nodes by multipliers: the four regions of Kim 1999, section 4.2.4, and their coefficients."""

from __future__ import annotations

import math

from ..compiler import kernel
from .surface_layout import (
    REVERSING,
    SLIDING,
    SLIPPING,
    STICK,
)


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
    pair = s.nodes[i].pair
    static, kinetic = s.laws[pair].mu_static, s.laws[pair].mu_kinetic
    if reverses(s.state[i].region_start):
        return kinetic
    return static + (kinetic - static) * min(slip / s.laws[pair].mu_speed, 1.0)


@kernel
def coefficient(s, i):
    """Coefficient of friction of a sliding node: falling from the static one after breakaway, the kinetic one, or
    linear through a reversal (Kim 1999, section 4.2.4)."""
    pair = s.nodes[i].pair
    static, kinetic, speed = s.laws[pair].mu_static, s.laws[pair].mu_kinetic, s.laws[pair].mu_speed
    x, y = s.node[i].slip[0], s.node[i].slip[1]
    part = min(math.sqrt(x * x + y * y) / speed, 1.0) if speed > 0.0 else 1.0
    if s.state[i].region == SLIPPING:
        return static + (kinetic - static) * part
    if s.state[i].region == REVERSING:
        return kinetic * part
    return kinetic


@kernel
def region_of_slip(s, i):
    """The region of a node that slides, by its speed and where it comes from (Kim 1999, table 4.1)."""
    x, y = s.node[i].slip[0], s.node[i].slip[1]
    fast = math.sqrt(x * x + y * y) >= s.laws[s.nodes[i].pair].mu_speed
    before = s.state[i].region_start
    if before == STICK:  # breakaway takes a step of its own; beyond the transition its coefficient is the kinetic one
        return SLIPPING
    if fast:
        return SLIDING
    return REVERSING if before == SLIDING or before == REVERSING else SLIPPING
