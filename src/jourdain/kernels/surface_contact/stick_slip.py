"""Friction of nodes by multipliers: the four regions of Kim 1999, section 4.2.4, and their coefficients."""

from __future__ import annotations

import math

from ..compiler import kernel
from .surface_layout import (
    MU_KINETIC,
    MU_SPEED,
    MU_STATIC,
    NODE_PAIR,
    NODE_SLIP,
    PAIR_FRICTION,
    REGION,
    REGION_START,
    REVERSING,
    SLIDING,
    SLIPPING,
    STICK,
)


@kernel
def has_friction(s, i):
    """Whether node i has friction."""
    return s.pairs[s.nodes[i, NODE_PAIR], PAIR_FRICTION] == 1


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
    pair = s.nodes[i, NODE_PAIR]
    static, kinetic = s.numbers[pair, MU_STATIC], s.numbers[pair, MU_KINETIC]
    if reverses(s.state[i, REGION_START]):
        return kinetic
    return static + (kinetic - static) * min(slip / s.numbers[pair, MU_SPEED], 1.0)


@kernel
def coefficient(s, i):
    """Coefficient of friction of a sliding node: falling from the static one after breakaway, the kinetic one, or
    linear through a reversal (Kim 1999, section 4.2.4)."""
    pair = s.nodes[i, NODE_PAIR]
    static, kinetic, speed = s.numbers[pair, MU_STATIC], s.numbers[pair, MU_KINETIC], s.numbers[pair, MU_SPEED]
    x, y = s.node[i, NODE_SLIP], s.node[i, NODE_SLIP + 1]
    part = min(math.sqrt(x * x + y * y) / speed, 1.0) if speed > 0.0 else 1.0
    if s.state[i, REGION] == SLIPPING:
        return static + (kinetic - static) * part
    if s.state[i, REGION] == REVERSING:
        return kinetic * part
    return kinetic


@kernel
def region_of_slip(s, i):
    """The region of a node that slides, by its speed and where it comes from (Kim 1999, table 4.1)."""
    x, y = s.node[i, NODE_SLIP], s.node[i, NODE_SLIP + 1]
    fast = math.sqrt(x * x + y * y) >= s.numbers[s.nodes[i, NODE_PAIR], MU_SPEED]
    before = s.state[i, REGION_START]
    if before == STICK:  # breakaway takes a step of its own; beyond the transition its coefficient is the kinetic one
        return SLIPPING
    if fast:
        return SLIDING
    return REVERSING if before == SLIDING or before == REVERSING else SLIPPING
