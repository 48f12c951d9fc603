"""Contacts of given states: forces for the model functions, histories for results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from .model import Model

STORED = 13
"""Column of `touching` with the energy that a contact holds [J]."""
PAIRS = 12
"""Pairs of piles, a shape, that there is room for at first."""


def split_states(model: Model, z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Latched values and integrated states of the contacts, (nt, ...) each."""
    z = np.atleast_2d(np.asarray(z, float))
    return z[:, : model.latched].copy(), z[:, model.latched : len(model.names.z)].copy()


def accept(
    model: Model, located: int, q: np.ndarray, v: np.ndarray, z: np.ndarray, latched: np.ndarray, pairs: int = PAIRS
) -> Any:
    """Lets the contacts of a state remember, in place; returns a workspace with room for the pairs of its piles."""
    from ..kernels.model_arrays import workspace
    from .run_stages import touch_of

    touch = touch_of(model)
    while True:
        ws = workspace(model.arrays, pairs=pairs)
        contact_accept(model, touch, located, q, v, z, latched, ws)
        if ws.flags.capacity_exceeded != 1:
            return ws
        pairs *= 2


def contact_accept(model: Model, touch: Any, located: int, q: Any, v: Any, z: Any, latched: Any, ws: Any) -> None:
    """Calls the stage by which contacts remember."""
    from .run_stages import contact_stages

    accept = contact_stages(model)[1].ready(model.features).python
    accept(model.arrays, touch, located, q, v, z, latched, ws, np.zeros(len(z)))


def _history(
    model: Model, q: np.ndarray, v: np.ndarray, z: np.ndarray, latched: np.ndarray
) -> tuple[np.ndarray, float]:
    from ..kernels.contact.contact_rows import ContactResult
    from ..kernels.contact.memory.recorded_states import contact_history
    from .run_stages import assemble

    out = np.zeros((len(q), len(model.contacts.names), ContactResult.size))
    stages = assemble(model)
    if not len(q):
        return out, 0.0
    ws = model.workspace()
    held = 0.0
    if not model.contacts.piles:
        rows = [slice(None)]
    else:
        rows = [slice(i, i + 1) for i in range(len(q))]
    for row in rows:
        if model.contacts.piles:
            ws = accept(model, 0, q[row][0], v[row][0], z[row][0], latched[row][0])
        held = contact_history.ready(model.features).python(
            model.arrays,
            stages,
            q[row],
            v[row],
            z[row],
            latched[row],
            ws,
            np.zeros(z.shape[1]),
            out[row],
        )
    return out, held


def touching(model: Model, q: np.ndarray, v: np.ndarray, z: np.ndarray) -> np.ndarray:
    """What every contact does in states (nt, ...): (nt, contacts, ContactResult.size), the columns of
    `kernels.contact.contact_rows.ContactResult`."""
    latched, states = split_states(model, z)
    return _history(model, np.ascontiguousarray(q, float), np.ascontiguousarray(v, float), states, latched)[0]


def touching_sites(model: Model, q: np.ndarray, v: np.ndarray, z: np.ndarray, latched: np.ndarray) -> np.ndarray:
    """Sites of pairs that touch, a row each: contact, shapes (2), point (3), normal (3), stiffness, two dampings."""
    from ..kernels.contact.memory.recorded_states import contact_sites
    from ..kernels.kind_registry import PILE
    from .run_stages import touch_of

    index = model.arrays.contacts.columns
    out = np.zeros((int(index.slots[index.family != PILE].sum()), 12))
    count = contact_sites.ready(model.features).python(
        model.arrays, touch_of(model), q, v, z, latched, model.workspace(), np.zeros(len(z)), out
    )
    return out[:count]


def held_energy(model: Model, q: np.ndarray, v: np.ndarray, z: np.ndarray, latched: np.ndarray) -> float:
    """Energy that the friction of contacts holds in a state [J]; z has the states of the contacts first."""
    return _history(model, q[None], v[None], z[None].copy(), latched[None].copy())[1]


def apply_contacts(model: Model, q: np.ndarray, v: np.ndarray, z: np.ndarray) -> None:
    """Lets the contacts of a state act on the bodies, whose motion the model's workspace holds."""
    from .run_stages import contact_stages, touch_of

    latched, states = split_states(model, z)
    ws = model.workspace()
    dz = np.zeros(states.shape[1])
    if model.contacts.piles:
        near = accept(model, 0, q, v, states[0], latched[0])
        ws = ws._replace(pairs=near.pairs, lists=near.lists.numbers, listed=near.listed.array, cells=near.cells)
    act = contact_stages(model)[0].ready(model.features).python
    act(model.arrays, touch_of(model), q, v, states[0], latched[0], ws, dz)
