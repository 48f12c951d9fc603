"""Surfaces that touch by multipliers: their record for a run, and gaps of given states."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .bodies import body_of

if TYPE_CHECKING:
    from .model import Model


def surfaces_of(model: Model, unknowns: int, multipliers: int = 0, small: int = -1) -> Any:
    """The record of the surfaces of a model that has some; see `surface_contact` for the sizes."""
    from ..kernels.surface_contact.surface_records import surface_contact

    tables = model.touching
    assert tables is not None
    return surface_contact(model.arrays, tables, unknowns, multipliers, small, floating(model), is_by_impulse(model))


def is_by_impulse(model: Model) -> bool:
    """Whether the surfaces of a model touch by impulses."""
    return bool(model.description["touching"][0]["normal"]["scheme"] == "impulse")


def floating(model: Model) -> tuple[int, ...]:
    """Rows of the bodies on the world, held by a joint that leaves all motion of the plane or of space free, whose
    trees are of bodies with a momentum that their forces of velocities keep."""
    from ..kernels.kind_registry import FREE, PLANAR

    if model.in_orbit:
        return ()
    tree = model.arrays.tree
    root = [0] * len(tree)
    off = set()
    for i in range(1, len(tree)):
        root[i] = i if tree[i].parent == 0 else root[tree[i].parent]
        body = body_of(model, model.bodies[i - 1])
        if body is None or not body.keeps_momentum:
            off.add(root[i])
    return tuple(i for i in sorted(set(root[1:]) - off) if tree[i].joint in (FREE, PLANAR))


def nodes_at(model: Model, q: np.ndarray, v: np.ndarray, field: str) -> np.ndarray:
    """A field of `kernels.surface_contact.surface_layout.NodeContact` of all nodes in states (nt, ...), (nt, nodes).

    From one to the next nodes know which side of a surface they came from.
    """
    from ..kernels.surface_contact.gap_functions import touching_gaps

    surfaces = surfaces_of(model, 1)
    out = np.zeros((len(q), len(surfaces.nodes)))
    for i, (qi, vi) in enumerate(zip(q, v, strict=True)):
        touching_gaps.ready(model.features).python(model.arrays, model.workspace(), surfaces, qi, vi)
        out[i] = getattr(surfaces.node.columns, field)
        surfaces.node.columns.normal_start[:] = surfaces.node.columns.normal
    return out


def gaps_of(model: Model, q: np.ndarray, v: np.ndarray) -> np.ndarray:
    """Gaps of all nodes in states (nt, ...), (nt, nodes) [m]; infinite where nothing is near."""
    from ..kernels.surface_contact.closest_point import FAR

    out = nodes_at(model, q, v, "gap")
    return np.where(out > 0.5 * FAR, np.inf, out)
