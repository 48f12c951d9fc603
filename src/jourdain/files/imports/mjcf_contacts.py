"""Which bodies of an MJCF file touch each other: by masks, pairs and exclusions, as MuJoCo chooses them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..xml import Element

if TYPE_CHECKING:
    from .mjcf import Link, MjcfReading

WORLD = "world"
MOST = 10_000
"""Pairs of bodies that are listed."""


def colliding(model: MjcfReading) -> dict[tuple[str, str], Element]:
    """Pairs of bodies with a geom of the first: one's contype meets the other's conaffinity, or <pair> names geoms.

    Bodies that are fixed to each other do not touch, nor do parent and child, unless the parent is fixed in the world
    (MuJoCo documentation, "Collision detection", selection).
    """
    groups = {name: _fixed_to(model.link(name)) for name, _ in model.colliders}
    parents = {name: _parent(model.link(name)) for name in groups}
    reader = model.reader
    excluded = {frozenset(reader.label(one, model.document.root) for one in pair) for pair in model.imported.excluded}
    masks = {one[1] for one in model.colliders}
    if not any(_meet(one, other) for one in masks for other in masks):
        return _named(model)
    out = _named(model)
    every = list(model.colliders.items())
    for k, ((one, mask), element) in enumerate(every):
        for (other, against), _ in every[k + 1 :]:
            if len(out) >= MOST:
                return out
            if groups[one] == groups[other] or not _meet(mask, against) or frozenset((one, other)) in excluded:
                continue
            near = (parents[one] == groups[other] != WORLD) or (parents[other] == groups[one] != WORLD)
            if not near:
                out.setdefault((one, other), element)
    return out


def _named(model: MjcfReading) -> dict[tuple[str, str], Element]:
    """Those whose geoms <pair> names."""
    addresses = {name: placed.address.partition(".")[0] for name, placed in model.imported.named_shapes.items()}
    return {
        (addresses.get(one, one), addresses.get(other, other)): model.document.root
        for one, other in model.imported.pairs
    }


def _meet(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return bool(one[0] & other[1]) or bool(other[0] & one[1])


def _fixed_to(link: Link | None) -> str:
    """The outermost body that a body moves with: itself, or that which it is welded to."""
    while link is not None and not link.joints:
        link = link.parent
    return WORLD if link is None else link.name


def _parent(link: Link | None) -> str:
    """The body that the one which a body moves with hangs on, as the same."""
    while link is not None and not link.joints:
        link = link.parent
    return WORLD if link is None else _fixed_to(link.parent)
