"""Forces that laws give: where they act, and what their laws have before them at a state."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from .model import Model


class LawForce(NamedTuple):
    """A force given by a law.

    marker    where it acts, `kernels.law_rows.ALONG` where it acts along a line
    axes      the marker whose axes it is given in, -1 for the world
    law       bound, as it is called
    given     what the system was given as such
    line      numbers of the line that it acts along (`kernels.tree.line_loads`), None for none
    """

    name: str
    marker: int
    axes: int
    law: Any
    given: Any = None
    line: np.ndarray | None = None


def laws_before(
    model: Model, q: np.ndarray, v: np.ndarray, z: np.ndarray, contact_wrenches: np.ndarray | None
) -> list[tuple[LawForce, np.ndarray, np.ndarray]]:
    """The forces by laws, each with the states of its law among z, zero where z has none, and what it senses of markers
    and contacts; contact_wrenches (contacts, 6), None for none."""
    at, out = len(model.names.z), []
    for force in model.law_forces:
        own = np.zeros(force.law.states)
        there = z[at : at + force.law.states]
        if len(there) == len(own):
            own[:] = there
        at += force.law.states
        out.append((force, own, force.law.sensed_at(model, q, v, contact_wrenches)))
    return out
