"""Contact forces of a run as arrows: one of every contact, and of a surface of a solid a field of small ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ..describe.solids.skin import spread
from ..model.bodies import body_of

if TYPE_CHECKING:
    from ..results.run import Run

DARTS = 40
"""Arrows that are drawn of a surface at most; nodes near each other then share one."""


@dataclass(frozen=True, eq=False)
class Arrow:
    """The force of a contact on its first body, world axes, at every recorded sample.

    time      of the samples (nr,) [s]
    point     where it acts (nr, 3) [m]; without contact where it last did, or first will
    force     (nr, 3) [N]
    active    whether there is contact (nr,)
    bone      that carries the first body's shape, and the point with it where deflections are magnified
    darts     of a surface: the forces on parts of it, which are drawn in place of the whole
    """

    name: str
    time: np.ndarray
    point: np.ndarray
    force: np.ndarray
    active: np.ndarray
    bone: int = 0
    darts: list[Arrow] = field(default_factory=list)


def arrows(run: Run, bone: Callable[[str], int]) -> list[Arrow]:
    """Arrows of all contacts but piles; `bone` carries an address."""
    contact, time = run.contact, run.record.time
    described = run.model.description.get("contacts", [])
    out = []
    for name in contact.told:
        if name in contact.surfaces:
            touch, body = contact[name], body_of(run.model, contact[name].body)
            assert body is not None  # descriptions make every solid again
            carriers = [bone(described[i]["first"]["address"]) for i in contact.surfaces[name]]
            out.append(_surface(name, touch, time, body.node_places()[touch.nodes], carriers))
        elif contact.names.index(name) not in contact.piles:
            carrier = bone(described[contact.names.index(name)]["first"]["address"])
            out.append(_arrow(name, time, contact[name].point.values, contact[name].force.values, carrier))
    return out


def _arrow(name: str, time: np.ndarray, point: np.ndarray, force: np.ndarray, bone: int) -> Arrow:
    touching = np.isfinite(point[:, 0])
    return Arrow(name, time, _filled(point, touching), force, touching, bone)


def _surface(name: str, touch: Any, time: np.ndarray, places: np.ndarray, bones: list[int]) -> Arrow:
    """The whole of a surface, and its darts: each the sum of the forces of nodes that are near each other.

    places    of its nodes, undeformed (k, 3) [m]
    bones     that carry the first bodies of their contacts (k)
    """
    forces, points = touch.forces.values, touch.points.values
    whole = _arrow(name, time, touch.point.values, touch.force.values, bones[0])
    ever = np.isfinite(points[:, :, 0]).any(axis=0)
    felt = np.flatnonzero(ever)
    if not len(felt):
        return whole
    where = places[felt]
    middles = spread(where, DARTS)
    share = np.argmin(np.linalg.norm(where[:, None] - where[None, middles], axis=2), axis=1)
    size = np.linalg.norm(forces, axis=2)
    for k, middle in enumerate(middles):
        mine = felt[share == k]
        load = np.where(np.isfinite(points[:, mine, 0]), size[:, mine], 0.0)
        total = load.sum(axis=1, keepdims=True)
        with np.errstate(invalid="ignore", divide="ignore"):
            centre = (load[:, :, None] * np.nan_to_num(points[:, mine])).sum(axis=1) / np.where(
                total > 0, total, np.nan
            )
        whole.darts.append(_arrow(name, time, centre, forces[:, mine].sum(axis=1), bones[felt[middle]]))
    return whole


def _filled(values: np.ndarray, valid: np.ndarray) -> np.ndarray:
    """Values (nt, 3) with those that are not valid taken from the last that was, or the first that will be."""
    if not valid.any():
        return np.zeros_like(values)
    index = np.where(valid, np.arange(len(valid)), -1)
    index = np.maximum.accumulate(index)
    return values[np.where(index < 0, int(np.argmax(valid)), index)]
