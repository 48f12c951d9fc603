"""Momentum that a run has to keep: which one, as the description of the model says, and how it changed."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from ..model.model import Model
    from .samples import Record

ROUNDING = 1e-9
"""Part of the greatest momentum that its change may be off by: rounding of a sum, in tens of thousands of steps."""
LINEAR, ANGULAR = "linear momentum", "angular momentum"


@dataclass(frozen=True)
class Conserved:
    """A system on which nothing acts from outside but uniform gravity, or which a spherical joint holds besides.

    Free of the world (Newton's second law for the whole, and its moment about the centre of mass):

        p(t) - m g t    is constant, and
        L(t)            about the centre of mass, as uniform gravity has no moment about it

    Held by a spherical joint at a place of the world: L about that place, along g where there is gravity.

    model      of the run
    mass       m [kg]
    gravity    g (3,) [m/s^2]
    place      of the spherical joint (3,) [m]; None for a system that is free
    """

    model: Model
    mass: float
    gravity: np.ndarray
    place: np.ndarray | None

    @property
    def about(self) -> dict[str, str]:
        """About what each is taken, in words."""
        fixed = "about the spherical joint that holds the system"
        return {LINEAR: "of the system", ANGULAR: "about the centre of mass" if self.place is None else fixed}

    def drift(self, record: Record, at: np.ndarray) -> Iterator[tuple[str, np.ndarray, float, float]]:
        """(name, change in each of some samples, what it is a part of, rounding) of each momentum."""
        from ..model.batch import States

        model = self.model
        rows = States(record.time[at], record.q[at], record.v[at], record.z[at])
        found = model.momentum(rows)
        kinetic = record.energy[at, 0]
        centre = model.centre_of_mass(rows)
        reach = np.sqrt(size_squared(model, record.q[at]))
        if self.place is None:
            p = found.linear
            inner = np.maximum(kinetic - 0.5 * np.sum(p**2, axis=1) / self.mass, 0.0)
            scale, most = (np.sqrt(2.0 * self.mass * np.max(energy)) for energy in (inner, kinetic))
            held = p - self.mass * self.gravity * (rows.time - rows.time[0])[:, None]
            yield LINEAR, np.linalg.norm(held - held[0], axis=1), float(scale), ROUNDING * float(most)
            L = found.angular - np.cross(centre, p)
            far = float(np.max(np.linalg.norm(centre, axis=1)))
            yield (
                ANGULAR,
                np.linalg.norm(L - L[0], axis=1),
                float(scale * reach),
                ROUNDING * float(most * (reach + far)),
            )
            return
        far = reach + float(np.max(np.linalg.norm(centre - self.place, axis=1)))
        most = float(np.sqrt(2.0 * self.mass * np.max(kinetic)) * far)
        L = found.angular - np.cross(self.place, found.linear)
        size = float(np.linalg.norm(self.gravity))
        if size > 0.0:
            L = L @ np.outer(self.gravity, self.gravity) / size**2
        yield ANGULAR, np.linalg.norm(L - L[0], axis=1), most, ROUNDING * most


def size_squared(model: Model, q: np.ndarray) -> float:
    """A bound of the largest squared radius of gyration about the centre of mass over some samples [m^2]."""
    from ..describe.constraints.methods import model_size

    bodies = model.arrays.bodies.columns
    mass = float(np.sum(bodies.mass))
    own = float(np.sum(np.abs(bodies.inertia[:, :3])))
    return model_size(model, q[0]) ** 2 + (0.5 * own / mass if mass > 0.0 else 0.0)


def conserved(model: Model, record: Record) -> Conserved | None:
    """What a run of this model keeps; None where something acts on it from outside, or may."""

    description = model.description
    bodies = description.get("bodies", ())
    outside = description.get("environment") is not None or description.get("forces") or model.law_forces
    if outside or getattr(model, "absent_forces", ()) or not bodies:
        return None
    roots = [item for item in bodies if _of_world(item["to"])]
    kinds = [item["joint"]["kind"] for item in roots]
    held = kinds == ["spherical"]
    if not held and set(kinds) != {"free"}:
        return None
    names = tuple(item["joint"]["name"] for item in roots)
    sections = ("contacts", "piles", "connections", "touching")
    if any(_reaches_world(description.get(section, ())) for section in sections):
        return None
    for one in description.get("couplings", ()):
        if any(_entry_of(str(term), names) for term in one.get("terms", ())) or not isinstance(one.get("terms"), dict):
            return None
    if any(item["body"].get("fidelity", "exact") != "exact" for item in bodies):
        return None
    rooted = [k for k, name in enumerate(model.names.v) if _entry_of(name, names)]
    if np.any(record.effort[:, rooted] != 0.0):
        return None
    mass = float(np.sum(model.arrays.bodies.columns.mass))
    place = np.asarray(roots[0]["pose"]["position"], float) if held else None
    if held and _moved_in_world(roots[0]):
        return None
    return Conserved(model, mass, np.asarray(description.get("gravity", (0.0, 0.0, 0.0)), float), place)


def _of_world(address: Any) -> bool:
    return str(address).partition(".")[0] == "world"


def _moved_in_world(item: dict[str, Any]) -> bool:
    """Whether a joint sits at a frame of the world that is not its origin, whose place is not told with the joint."""
    return str(item["to"]) not in ("world", "world.origin")


def _entry_of(name: str, joints: tuple[str, ...]) -> bool:
    """Whether a coordinate is one of these joints'."""
    return any(name == joint or name.startswith(f"{joint}.") for joint in joints)


def _reaches_world(node: Any) -> bool:
    """Whether an address of the world stands anywhere in a part of a description; shapes and numbers have none."""
    if isinstance(node, dict):
        return any(_reaches_world(one) for key, one in node.items() if key not in ("shape", "mesh", "pose"))
    if isinstance(node, list | tuple):
        return not (node and isinstance(node[0], int | float)) and any(_reaches_world(one) for one in node)
    return isinstance(node, str) and _of_world(node)
