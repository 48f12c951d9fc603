"""Contact forces of a run as arrows: one of every contact, and of a surface of a solid a field of small ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from ..model.bodies import body_of

if TYPE_CHECKING:
    from ..results.run import Run

DARTS = 40
"""Arrows that are drawn of a surface at most; nodes near each other then share one."""


@dataclass(frozen=True, eq=False)
class Patch:
    """The surface of a part of a volumetric contact as an ellipse of its area, at every recorded sample.

    point       its middle (nr, 3) [m]; without contact where it last was, or first will be
    normal      unit (nr, 3)
    radius      of the disc with its area (nr,) [m]; zero without contact
    along       the longer half axis (nr, 3) [m]
    pressure    mean over it (nr,) [Pa]
    """

    point: np.ndarray
    normal: np.ndarray
    radius: np.ndarray
    along: np.ndarray
    pressure: np.ndarray

    def half_axes(self, i: int, least: float) -> tuple[np.ndarray, np.ndarray]:
        """The longer and the shorter half axis (3,) at a sample, `least` at least [m]; along none, the disc's."""
        long = float(np.linalg.norm(self.along[i]))
        if long > 0.0:
            first = self.along[i] / long
        else:
            first = np.cross(self.normal[i], (1.0, 0.0, 0.0) if abs(self.normal[i][0]) < 0.9 else (0.0, 1.0, 0.0))
            first /= np.linalg.norm(first)
            long = float(self.radius[i])
        short = float(self.radius[i]) ** 2 / long if long > 0.0 else 0.0
        return max(long, least) * first, max(short, least) * np.cross(self.normal[i], first)

    def share(self, highest: float) -> np.ndarray:
        """Pressures (nr,) over the highest of all."""
        return np.clip(self.pressure / highest, 0.0, 1.0) if highest > 0.0 else np.zeros_like(self.pressure)


@dataclass(frozen=True, eq=False)
class Arrow:
    """The force of a contact on its first body, world axes, at every recorded sample.

    time      of the samples (nr,) [s]
    point     where it acts (nr, 3) [m]; without contact where it last did, or first will
    force     (nr, 3) [N]
    active    whether there is contact (nr,)
    bone      that carries the first body's shape, and the point with it where deflections are magnified
    darts     of a surface: the forces on parts of it, which are drawn in place of the whole
    patches   of a volumetric contact: the surfaces of its parts
    """

    name: str
    time: np.ndarray
    point: np.ndarray
    force: np.ndarray
    active: np.ndarray
    bone: int = 0
    darts: list[Arrow] = field(default_factory=list)
    patches: list[Patch] = field(default_factory=list)


def arrows(run: Run, bone: Callable[[str], int]) -> list[Arrow]:
    """Arrows of all contacts but piles; `bone` carries an address."""
    contact, time = run.contact, run.record.time
    described = run.model.description.get("contacts", [])
    out = []
    for name in contact.display_names:
        if name in contact.surfaces:
            touch, body = contact[name], body_of(run.model, contact[name].body)
            assert body is not None  # descriptions make every solid again
            carriers = [bone(described[i]["first"]["address"]) for i in contact.surfaces[name]]
            out.append(_surface(name, touch, time, body.node_places()[touch.nodes], carriers))
        elif name in contact.wheels:
            touch = contact[name]
            out.append(_arrow(name, time, touch.plain("point"), touch.plain("force"), bone(touch.at)))
        elif contact.names.index(name) not in contact.piles:
            carrier = bone(described[contact.names.index(name)]["first"]["address"])
            out.append(_arrow(name, time, contact[name].point.values, contact[name].force.values, carrier))
            if described[contact.names.index(name)].get("normal", {}).get("kind") == "volumetric":
                out[-1].patches.extend(_patches(contact[name]))
    return out


def highest_pressure(arrows: list[Arrow]) -> float:
    """Of all patches over the run [Pa]; what their colours are relative to."""
    return max((float(one.pressure.max(initial=0.0)) for arrow in arrows for one in arrow.patches), default=0.0)


def _patches(touch: Any) -> list[Patch]:
    """The parts of a volumetric contact that ever touch."""
    out = []
    for part in touch.parts:
        point, normal, area = part.point.values, part.normal.values, part.area.values
        there = np.isfinite(point[:, 0]) & np.isfinite(normal[:, 0]) & (area > 0.0)
        if there.any():
            radius = np.where(there, np.sqrt(np.maximum(area, 0.0) / np.pi), 0.0)
            pressure = np.nan_to_num(np.where(there, part.pressure.values, 0.0))
            along = _filled(part.axes.values[:, 0], there)
            out.append(Patch(_filled(point, there), _filled(normal, there), radius, along, pressure))
    return out


def _arrow(name: str, time: np.ndarray, point: np.ndarray, force: np.ndarray, bone: int) -> Arrow:
    touching = np.isfinite(point[:, 0])
    return Arrow(name, time, _filled(point, touching), force, touching, bone)


def _surface(name: str, touch: Any, time: np.ndarray, places: np.ndarray, bones: list[int]) -> Arrow:
    """The whole of a surface, and its darts: each the sum of the forces of nodes that are near each other.

    places    of its nodes, undeformed (k, 3) [m]
    bones     that carry the first bodies of their contacts (k)
    """
    from ..describe.solids.outer_surface import spread

    forces, points = touch.forces.values, touch.points.values
    whole = _arrow(name, time, touch.point.values, touch.force.values, bones[0])
    ever = np.isfinite(points[:, :, 0]).any(axis=0)
    shown = np.flatnonzero(ever)
    if not len(shown):
        return whole
    where = places[shown]
    middles = spread(where, DARTS)
    share = np.argmin(np.linalg.norm(where[:, None] - where[None, middles], axis=2), axis=1)
    size = np.linalg.norm(forces, axis=2)
    for k, middle in enumerate(middles):
        mine = shown[share == k]
        load = np.where(np.isfinite(points[:, mine, 0]), size[:, mine], 0.0)
        total = load.sum(axis=1, keepdims=True)
        with np.errstate(invalid="ignore", divide="ignore"):
            centre = (load[:, :, None] * np.nan_to_num(points[:, mine])).sum(axis=1) / np.where(
                total > 0, total, np.nan
            )
        whole.darts.append(_arrow(name, time, centre, forces[:, mine].sum(axis=1), bones[shown[middle]]))
    return whole


def _filled(values: np.ndarray, valid: np.ndarray) -> np.ndarray:
    """Values (nt, 3) with those that are not valid taken from the last that was, or the first that will be."""
    if not valid.any():
        return np.zeros_like(values)
    index = np.where(valid, np.arange(len(valid)), -1)
    index = np.maximum.accumulate(index)
    return values[np.where(index < 0, int(np.argmax(valid)), index)]
