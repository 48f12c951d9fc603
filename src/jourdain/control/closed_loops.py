"""Closed loops of a control model: which controllers take them, and which coordinates they leave to be controlled."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..basics.errors import ModelError
from ..run.redundancy import closed_near, independent_rows, near, row_weights, scaled_rows, weighted_rows

if TYPE_CHECKING:
    from ..model.model import Model
    from .parameters import Entry


def has_loops(control: Model) -> bool:
    """Whether a control model has constraints."""
    return bool(len(control.constraints))


def refuse_loops(control: Model, where: str) -> None:
    """An error for a controller whose law is that of a tree."""
    if has_loops(control):
        raise ModelError.at(
            control.constraints.names[0],
            f'{where}: the control model "{control.name}" has closed loops, which this law does not know; give a '
            "control model without constraints, or control independent joints with jd.control.ComputedTorque or PD",
        )


def independent_loops(control: Model, q: np.ndarray, own: Sequence[Entry], where: str) -> tuple[int, np.ndarray]:
    """Rank of the loops' rows near q, the largest of several places on them, and what each row (rows,) is multiplied by
    where they are compared.

    own    the controlled coordinates: an error where these are more than the loops leave free, because accelerations
           that contradict each other would be asked for
    """
    held = [entry.v for entry in own]
    place = closed_near(control, q)
    places = [q] if place is None else [place, *near(control, 0.0, place, ())]
    rank, left = 0, 0
    for at in places:
        rows = independent_rows(scaled_rows(control, 0.0, at, ()), control.constraints.holonomic)
        free = independent_rows(scaled_rows(control, 0.0, at, held), control.constraints.holonomic)
        rank, left = max(rank, int(rows.sum())), max(left, int(free.sum()))
    if left < rank:
        names = ", ".join(entry.name for entry in own)
        raise ModelError.at(
            own[-1].name,
            f"{where}: the loops of the control model leave {len(own) - (rank - left)} of the coordinates {names} "
            "independent; name that many of them in joints",
        )
    weighed = weighted_rows(control, 0.0, places[0], ())
    return rank, np.sqrt(row_weights(control, weighed @ weighed.T))
