"""Efforts of a trajectory that was planned."""

from __future__ import annotations

from ..compiler import gate
from ..tree.motions import PIECES, profile

PLANNED_ROW = 2  # numbers of an input: entry of v, place of its profile


@gate
def feedforward(t, q, v, z, s, p, effort, dz):
    """Adds the planned efforts.

    p    number of inputs, then for each its entry of v and where its profile, PIECES of `tree.motions`, begins
    """
    for i in range(int(p[0])):
        row = 1 + PLANNED_ROW * i
        effort[int(p[row])] += profile(PIECES, p, int(p[row + 1]), t)[0]
