"""What models of flexible bodies hold for: how far they may turn and be strained before their motion is wrong.

A piece of a beam's axis with the slope s is as long as before if it moves along the beam by sqrt(1 - s^2) - 1. With the
foreshortening -s^2 / 2 it is too long by s^4 / 8, without by s^2 / 2. Where that is more than 5 %, what is computed is
another beam. Strains are taken as small beside one in every model, and 5 % is the most here too.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

STRETCHED = 0.05
"""How much longer than it is a piece may become."""
SLOPE = round(float((8.0 * STRETCHED) ** 0.25), 2)
"""The largest slope of a body that its bending shortens."""
PLAIN_SLOPE = round(float((2.0 * STRETCHED) ** 0.5), 2)
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


def slope_excess(slopes: np.ndarray, shortens: bool, why: str, remedy: str = DIVIDE) -> Excess:
    """Of slopes (nt, m) of an axis, or rotations of places."""
    return Excess("slope", np.max(np.abs(slopes), axis=1), SLOPE if shortens else PLAIN_SLOPE, " rad", why, remedy)


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
