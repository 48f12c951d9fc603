"""Contacts by multipliers as the tables that the kernels read."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..describe.contact.multipliers import Side, Touching


class LaidTouching(NamedTuple):
    """The tables of `kernels.touching.layout`, by name, and the names of what nodes remember."""

    tables: dict[str, np.ndarray]
    latched_names: tuple[str, ...]


class _Layer:
    """Lays surfaces behind each other; points are numbered once."""

    def __init__(self, markers: dict[str, int]) -> None:
        self.markers = markers
        self.points: dict[int, int] = {}
        self.facets: list[list[int]] = []
        self.nodes: list[tuple[int, int, int]] = []
        self.radius: list[float] = []
        self.names: list[str] = []

    def marker(self, address: str) -> int:
        return self.markers.get(address, self.markers.get(f"{address}.origin", 0))

    def point(self, address: str) -> int:
        return self.points.setdefault(self.marker(address), len(self.points))

    def surface(self, side: Side) -> tuple[int, int]:
        """Lays the facets of a surface; where they begin and how many they are."""
        first = len(self.facets)
        for facet in side.facets:
            numbers = [self.point(f"{side.address}.node[{node}]") for node in facet]
            self.facets.append([len(numbers), *numbers, *[0] * (4 - len(numbers))])
        return first, len(side.facets)


def facet_size(side: Side, system: dict[str, np.ndarray]) -> float:
    """Mean size of the facets of a surface [m]."""
    nodes = system[side.address]
    return float(np.mean([np.max(np.ptp(nodes[list(facet)], axis=0)) for facet in side.facets]))


def lay_touching(
    contacts: list[Touching],
    markers: dict[str, int],
    shapes: dict[int, int],
    places: dict[str, np.ndarray],
    before: int,
) -> LaidTouching | None:
    """The tables; shapes has the rows of placed shapes by their identity, places the nodes of solids by name, and
    `before` latched values come first. None without such contacts."""
    from ..kernels.touching import layout as T

    if not contacts:
        return None
    layer = _Layer(markers)
    pairs: list[np.ndarray] = []
    numbers: list[np.ndarray] = []
    for one in contacts:
        for number, (side, touched) in enumerate(one.roles()):
            row, floats = np.zeros(T.PAIR, np.int64), np.zeros(T.PAIR_NUMBERS)
            row[T.PAIR_SHAPE] = -1 if touched.placed is None else shapes[id(touched.placed)]
            row[T.PAIR_OWN], row[T.PAIR_OWNS] = layer.surface(side)
            row[T.PAIR_FACET], row[T.PAIR_FACETS] = layer.surface(touched)
            row[T.PAIR_FORM] = T.MORTAR if one.normal.form == "mortar" else T.NODE
            row[T.PAIR_PLANE] = -1
            for flat in (touched, side):
                if flat.facets and len(flat.facets[0]) == 2:
                    row[T.PAIR_PLANE] = layer.marker(flat.address)
            floats[T.REACH] = np.inf if touched.placed is not None else facet_size(touched, places)
            if one.friction is not None:
                row[T.PAIR_FRICTION] = 1
                static = one.friction.kinetic if one.friction.static is None else one.friction.static
                floats[[T.MU_STATIC, T.MU_KINETIC]] = static, one.friction.kinetic
                floats[T.MU_SPEED] = one.friction.transition_speed
            row[T.PAIR_NODE] = len(layer.nodes)
            for k, address in enumerate(side.points):
                at = before + len(layer.names)
                layer.nodes.append((layer.point(address), len(pairs), at))
                layer.radius.append(side.radius)
                node = int(side.nodes[k]) if len(side.nodes) else 0
                word = f"{one.name}{'' if number == 0 else '.second'}[{node}]"
                layer.names += [f"{word}.{what}" for what in T.LATCHED_NODE]
            row[T.PAIR_NODES] = len(layer.nodes) - row[T.PAIR_NODE]
            pairs.append(row)
            numbers.append(floats)
    tables = {
        "pairs": np.array(pairs, np.int64),
        "numbers": np.array(numbers),
        "nodes": np.array(layer.nodes, np.int64),
        "points": np.array(list(layer.points), np.int64),
        "facets": np.array(layer.facets, np.int64).reshape(-1, T.FACET),
        "radius": np.array(layer.radius),
    }
    return LaidTouching(tables, tuple(layer.names))
