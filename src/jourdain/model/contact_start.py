"""Contacts at the start of a run: what touches is latched, and shapes that overlap too far are refused."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

import numpy as np

from ..basics.errors import ModelError, Problem
from .contact_states import accept, held_energy, touching

if TYPE_CHECKING:
    from ..describe.shapes import Shape
    from .model import Model

DEEPEST = 0.25
"""Part of the size of the smaller shape beyond which shapes that overlap at the start are refused."""


def begin_contacts(model: Model, q: np.ndarray, v: np.ndarray, z: np.ndarray, latched: np.ndarray) -> float:
    """Latches what touches at the start, in place; returns the energy that friction holds then [J].

    The peaks of the model's own workspace are left with what the contacts ask of a step there.
    """

    ws = accept(model, 1, q, v, z, latched)
    if ws.flags.capacity_exceeded != 0:
        raise ModelError(capacity_problems(model))
    model.workspace().peaks.array[:] = ws.peaks.array
    depths = touching(model, q[None], v[None], np.concatenate([latched, z])[None])[0, :, 10]
    problems = []
    for c, (name, depth) in enumerate(zip(model.contacts.names, depths, strict=True)):
        size = _smaller(model, c) if depth > 0.0 else np.inf
        if depth > DEEPEST * size:
            who = _which(model, name, q, v, np.concatenate([latched, z]))
            problems.append(
                Problem(
                    name,
                    f"the shapes{who} start {depth:.3g} m inside each other, and the smaller one measures "
                    f"{size:.3g} m; move them apart in the state",
                )
            )
    if problems:
        raise ModelError(problems)
    return held_energy(model, q, v, z, latched)


def penetration(model: Model, ws: Any) -> tuple[str, str]:
    """Name of the contact whose shapes are too deep in each other, and what to say of it."""
    from .shape_distances import shape_address

    c = int(ws.flags.penetration_exceeded) - 1
    name = model.contacts.names[c]
    flight = ws.flights[c]
    depth, most, shapes = flight.depth, flight.allowed, (flight.first, flight.second)
    who = " and ".join(shape_address(model, shape) for shape in shapes)
    thin = most == min(model.arrays.shape_poses[shape].half for shape in shapes)
    limit = "half the thinner one" if thin else "the depth that its law holds for"
    return name, (
        f'contact "{name}": the shapes at {who} are {depth:.3g} m inside each other, beyond {limit}, {most:.3g} m: '
        "the law is too soft for this impact; give a stiffer one, a thicker shape or a slower approach"
    )


def _which(model: Model, name: str, q: np.ndarray, v: np.ndarray, z: np.ndarray) -> str:
    """The two shapes that are deepest in each other, in words."""
    from .shape_distances import pairs
    from .state import State

    found = pairs(model, name, State(0.0, q, v, z))
    return f" at {found[0].first} and {found[0].second}" if found else ""


def capacity_problems(model: Model) -> list[Problem]:
    """What to say when more sites touch than a pile or a volumetric contact has room for."""
    from ..kernels.kind_registry import SPHERE_PLANE

    index = model.arrays.contacts
    several = [
        Problem(contact["name"], f"its overlap has more than {row.slots} parts; give VolumetricContact(..., parts=)")
        for contact, row in zip(model.description["contacts"], index, strict=False)
        if row.family >= SPHERE_PLANE and row.slots > 1
    ]
    return several + [
        Problem(pile["name"], f"more places touch than the {slots} that there is room for; give collide(..., sites=)")
        for pile, slots in zip(
            model.description["piles"], index.columns.slots[len(model.description["contacts"]) :], strict=True
        )
    ]


_SIZES: weakref.WeakKeyDictionary[Model, dict[int, float]] = weakref.WeakKeyDictionary()
"""Sizes of the smaller shapes of contacts that touched at a start, by model: a shape with holes takes a while."""


def _smaller(model: Model, c: int) -> float:
    """Size of the smallest shape of contact or pile c [m]."""
    from ..describe.shapes import shape_from_dict

    known = _SIZES.setdefault(model, {})
    if c not in known:
        contacts, piles = model.description["contacts"], model.description["piles"]
        if c < len(contacts):
            placed = [contacts[c]["first"], contacts[c]["second"]]
        else:
            placed = piles[c - len(contacts)]["shapes"]
        known[c] = min(_size(shape_from_dict(one["shape"])) for one in placed)
    return known[c]


def _size(shape: Shape) -> float:
    """Cube root of the volume [m]; infinite for half-spaces and holes."""
    try:
        return float(np.cbrt(shape.volume))
    except ModelError:
        return np.inf
