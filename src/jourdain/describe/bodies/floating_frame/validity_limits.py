"""What models of flexible bodies hold for: how far they may turn and be strained before their motion is wrong.

A beam that its bending shortens is right to second order in its slopes: a cantilever under a force at its tip deflects
10 % too far where its slope is 0.5 (the elastica at P L^2 / EI = 1, 0.302 L against L / 3). Without the shortening a
piece of the slope s is stretched by s^2 / 2, 5 % at 0.3. Strains are taken as small beside one in every model.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

SLOPE = 0.5
"""The largest slope of a body that its bending shortens."""
PLAIN_SLOPE = 0.3
"""The largest slope, or rotation, where displacements are linear in the coordinates."""
STRAIN = 0.05


class Excess(NamedTuple):
    """A quantity of a body over time, and the most that its model holds for.

    what      "slope"
    values    (nt,), not negative
    limit     the most
    unit      with a space before it, or ""
    why       "with fidelity ..."
    remedy    what to do where it is more
    """

    what: str
    values: np.ndarray
    limit: float
    unit: str
    why: str
    remedy: str


DIVIDE = "make it of several bodies that are welded to each other, or stiffer"
"""What helps however far a body bends: each part has a frame of its own that turns with it."""


def slope_excess(partials: np.ndarray, shortens: bool, why: str, remedy: str = DIVIDE) -> Excess:
    """Of slopes (nt, m) of an axis, or rotations of places."""
    return Excess("slope", np.max(np.abs(partials), axis=1), SLOPE if shortens else PLAIN_SLOPE, " rad", why, remedy)


def strain_excess(strains: np.ndarray) -> Excess:
    """Of strains (nt, m)."""
    return Excess(
        "strain",
        np.max(np.abs(strains), axis=1),
        STRAIN,
        "",
        "with a linear elastic law",
        "make it stiffer, or load it less",
    )
