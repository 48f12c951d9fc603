"""How far shapes are from each other, and which shapes of a pile touch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ..basics.errors import ModelError
from .contact_states import accept, split_states

if TYPE_CHECKING:
    from .model import Model
    from .state import State


class ShapePair(NamedTuple):
    """Two shapes of a contact at the place where they touch or come nearest.

    first, second    addresses that the shapes are at, as the system was told
    gap              signed distance, below zero where they overlap [m]
    point            where the force acts, world axes [m]
    normal           unit, out of the second shape towards the first, world axes
    """

    first: str
    second: str
    gap: float
    point: np.ndarray
    normal: np.ndarray


def site_rows(model: Model, q: np.ndarray, v: np.ndarray, z: np.ndarray) -> np.ndarray:
    """All sites of a state, touching or not, a `ShapeGap` of `kernels.contact.narrow_phase.separation`
    each."""
    from ..kernels.contact.narrow_phase.separation import ShapeGap, contact_gaps
    from .run_stages import touch_of

    latched, states = (one[0] for one in split_states(model, z))
    q, v = np.ascontiguousarray(q, float), np.ascontiguousarray(v, float)
    ws = accept(model, 0, q, v, states, latched) if model.contacts.piles else model.workspace()
    go, touch = contact_gaps.ready(model.features).python, touch_of(model)
    out = np.zeros((max(16, 2 * len(model.contacts.names)), ShapeGap.size))
    count = go(model.arrays, touch, q, v, latched, ws, out)
    if count > len(out):
        out = np.zeros((count, ShapeGap.size))
        go(model.arrays, touch, q, v, latched, ws, out)
    return out[:count]


def gaps(model: Model, q: np.ndarray, v: np.ndarray, z: np.ndarray) -> np.ndarray:
    """Signed distance of each contact, (contacts,) [m]; of a pile the least among its near pairs, or infinity."""
    out = np.full(len(model.contacts.names), np.inf)
    rows = site_rows(model, q, v, z)
    np.minimum.at(out, rows[:, 0].astype(int), rows[:, 4])
    return out


def gap(model: Model, contact: str, state: State | Any) -> float:
    """Signed distance of the two shapes of a contact [m]: below zero where they overlap.

    contact    its name; of a pile it is the least distance among its shapes, infinite where none are near each other
    state      a State, or q

    Between bodies of cells that do not overlap (`VolumetricContact`) it is at most the distance.
    """
    number = model.contact(contact)
    return float(gaps(model, *_state(model, state))[number])


def pairs(model: Model, contact: str, state: State | Any, within: float = 0.0) -> list[ShapePair]:
    """The shapes of a contact, or of a pile, that are nearer than `within` [m] to each other, nearest first.

    within    0 for those that touch. Of a pile only shapes within its margin of each other are known
    """
    number = model.contact(contact)
    if not isinstance(within, int | float) or isinstance(within, bool) or not within >= 0.0:
        raise ModelError.at("within", f"got {within!r}; give a distance of 0 or more [m]")
    rows = site_rows(model, *_state(model, state))
    rows = rows[(rows[:, 0] == number) & (rows[:, 4] <= within)]
    rows = rows[np.argsort(rows[:, 4], kind="stable")]
    names = {shape: shape_address(model, shape) for shape in set(rows[:, 2:4].astype(int).ravel().tolist())}
    return [
        ShapePair(names[int(one[2])], names[int(one[3])], float(one[4]), one[5:8].copy(), one[8:11].copy())
        for one in rows
    ]


def shape_address(model: Model, shape: int) -> str:
    """Where a shape was put: the address of its frame."""
    marker = model.arrays.shapes[shape].marker
    if int(model.arrays.markers.columns.body[marker]) == 0:
        return "world"
    return next(address for address, number in model.markers.items() if number == marker)


def _state(model: Model, state: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    if not hasattr(state, "z"):
        state = model.state(q=state)
    return state.q, state.v, state.z
