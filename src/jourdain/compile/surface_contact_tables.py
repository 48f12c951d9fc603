"""Contacts by multipliers as the tables that the kernels read."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..describe.contact.multipliers import Side, Touching

FINE = 1e-6
"""Gap that may be left where a gap is to be met, over the size of the facets, where no tolerance is given."""


ALONE, SHARED = 1e-9, 1e-6
"""Compliance added to a normal force's own, over the mean, in one and in two passes: where a node meets a node, both
passes do the same, and each bears its part."""
TURNED = 0.1
"""Sine of the angle between neighbours, over about two, from which on a surface turns away at their common side."""


class SurfaceContactTables(NamedTuple):
    """The tables of `kernels.surface_contact.surface_layout`, by name, and the names of what nodes remember."""

    tables: dict[str, np.ndarray]
    latched_names: tuple[str, ...]


class _SurfaceTables:
    """Collects surfaces behind each other; points are numbered once."""

    def __init__(self, markers: dict[str, int]) -> None:
        self.markers = markers
        self.points: dict[int, int] = {}
        self.facets: list[Any] = []
        self.groups: list[tuple[int, int]] = []
        self.nodes: list[tuple[int, int, int]] = []
        self.radius: list[float] = []
        self.names: list[str] = []

    def marker(self, address: str) -> int:
        return self.markers.get(address, self.markers.get(f"{address}.origin", 0))

    def point(self, address: str) -> int:
        return self.points.setdefault(self.marker(address), len(self.points))

    def surface(self, side: Side, order: list[int] | None = None) -> tuple[int, int]:
        """Lays the facets of a surface, in an order; where they begin and how many they are."""
        from ..kernels.surface_contact.surface_layout import Facet

        first = len(self.facets)
        for k in range(len(side.facets)) if order is None else order:
            facet = side.facets[k]
            numbers = [self.point(side.frame(node)) for node in facet]
            laid = Facet.made(count=len(numbers))
            laid.points[: len(numbers)], laid.nodes[:] = numbers, -1
            self.facets.append(laid)
        return first, len(side.facets)

    def group(self, first: int, count: int, together: int) -> tuple[int, int]:
        """Groups of facets that were laid; where they begin and how many they are."""
        before = len(self.groups)
        for k in range(first, first + count, together):
            self.groups.append((k, min(together, first + count - k)))
        return before, len(self.groups) - before

    def own(self, first: int, count: int, node: int) -> None:
        """Notes for facets which nodes of their pair, from `node` on, are at their points."""
        number = {point: i for i, (point, _, _) in enumerate(self.nodes) if i >= node}
        for facet in self.facets[first : first + count]:
            facet.nodes[: facet.count] = [number.get(point, -1) for point in facet.points[: facet.count].tolist()]


def beside_each_other(middles: np.ndarray, together: int) -> list[int]:
    """An order of places, (n, 3), in which `together` of them that follow each other lie side by side."""

    def halves(some: np.ndarray) -> list[int]:
        if len(some) <= together:
            return [int(k) for k in some]
        axis = int(np.argmax(np.ptp(middles[some], axis=0)))
        some = some[np.argsort(middles[some, axis], kind="stable")]
        half = -(-(len(some) // 2) // together) * together
        return halves(some[:half]) + halves(some[half:])

    return halves(np.arange(len(middles)))


def normals(x: np.ndarray, facets: tuple[tuple[int, ...], ...]) -> np.ndarray:
    """Unit normals of facets of nodes at x, outwards, (k, 3)."""
    out = []
    for facet in facets:
        a, b, c = x[facet[0]], x[facet[1]], x[facet[-1]]
        along = b - a
        out.append(np.array([along[1], -along[0], 0.0]) if len(facet) == 2 else np.cross(along, c - a))
    return np.array([n / np.linalg.norm(n) for n in out]).reshape(-1, 3)


def ends_there(x: np.ndarray, facets: tuple[tuple[int, ...], ...]) -> list[int]:
    """Of each facet of nodes at x, in bits: 1 << k where the surface turns away or ends at side k, from its point k on,
    or at end k of a segment; GONE where it ends at one of them, as no other facet is beside it. A closed skin has no
    ends."""
    from ..kernels.surface_contact.closest_point import GONE

    beside: dict[tuple[int, ...], list[tuple[int, int]]] = {}
    for k, facet in enumerate(facets):
        sides = [(one,) for one in facet] if len(facet) == 2 else list(zip(facet, (*facet[1:], facet[0]), strict=True))
        for side, one in enumerate(sides):
            beside.setdefault(tuple(sorted(one)), []).append((k, side))
    n = normals(x, facets)
    middles = np.array([x[list(facet)].mean(axis=0) for facet in facets]).reshape(-1, 3)
    out = [0] * len(facets)
    for found in beside.values():
        for k, side in found:
            to = [middles[j] - middles[k] for j, _ in found if j != k]
            if not to:
                out[k] |= GONE
            if not to or min(d @ n[k] / np.linalg.norm(d) for d in to) < -TURNED:
                out[k] |= 1 << side
    return out


def facet_size(side: Side, places: dict[str, np.ndarray]) -> float:
    """Mean size of the facets of a surface [m]."""
    nodes = places[side.address]
    return float(np.mean([np.max(np.ptp(nodes[list(facet)], axis=0)) for facet in side.facets]))


def thinnest(side: Side, touched: Side, places: dict[str, np.ndarray]) -> float:
    """Half of how deep the nodes of a surface are behind facets of the same solid that face away from them [m]: a
    surface behind is not one that was passed through."""
    x = places[side.address]
    least = np.inf
    for facet, n in zip(touched.facets, normals(x, touched.facets), strict=True):
        corners = x[list(facet)]
        away = x[side.nodes] - corners.mean(axis=0)
        depth = -(away @ n)
        size = float(np.max(np.ptp(corners, axis=0)))
        over = np.linalg.norm(away + depth[:, None] * n, axis=1) < size
        behind = depth[over & (depth > 1e-6 * size)]
        if len(behind):
            least = min(least, float(behind.min()))
    return 0.5 * least


def lay_touching(
    contacts: list[Touching],
    markers: dict[str, int],
    shapes: dict[int, int],
    places: dict[str, np.ndarray],
    latched_before: int,
    contacts_before: int,
) -> SurfaceContactTables | None:
    """The tables; None without such contacts.

    shapes             rows of placed shapes by their identity
    places             nodes of solids by name, in the axes of their bodies [m]
    latched_before     how many latched values of others come first
    contacts_before    how many contacts of other kinds
    """
    from ..kernels.surface_contact import surface_layout as T

    if not contacts:
        return None
    layer = _SurfaceTables(markers)
    pairs: list[np.ndarray] = []
    laws: list[np.ndarray] = []
    for contact, one in enumerate(contacts):
        for number, (side, touched) in enumerate(one.roles()):
            row, law = T.SurfacePair.made(), T.SurfaceLaw.made()
            row.shape = -1 if touched.placed is None else shapes[id(touched.placed)]
            row.wrench, row.sign = contacts_before + contact, 1 if side is one.first else -1
            row.body = layer.marker(one.first.address.partition(".")[0])
            row.own, row.owns = layer.surface(side)
            order: list[int] = []
            if touched.facets:
                x = places[touched.address]
                middles = np.array([x[list(facet)].mean(axis=0) for facet in touched.facets])
                order = beside_each_other(middles, T.FACETS_OF_A_GROUP)
            row.facet, row.facets = layer.surface(touched, order)
            if touched.facets:
                rims = ends_there(x, touched.facets)
                for facet, k in zip(layer.facets[row.facet :], order, strict=True):
                    facet.rim = rims[k]
            row.group, row.groups = layer.group(row.facet, row.facets, T.FACETS_OF_A_GROUP)
            row.form = T.MORTAR if one.normal.form == "mortar" else T.NODE
            row.plane = -1
            for flat in (touched, side):
                if flat.facets and len(flat.facets[0]) == 2:
                    row.plane = layer.marker(flat.address)
            law.reach = np.inf if touched.placed is not None else facet_size(touched, places)
            if touched.placed is None and touched.address == side.address:
                law.reach = min(law.reach, thinnest(side, touched, places))
            law.softened = SHARED if len(one.roles()) == 2 else ALONE
            law.allowed = one.normal.tolerance or FINE * min(
                (facet_size(k, places) for k in (side, touched) if k.facets), default=1.0
            )
            if one.friction is not None:
                row.friction = 1
                static = one.friction.kinetic if one.friction.static is None else one.friction.static
                law.mu_static, law.mu_kinetic = static, one.friction.kinetic
                law.mu_speed = one.friction.transition_speed
            row.node = len(layer.nodes)
            for k, address in enumerate(side.points):
                at = latched_before + len(layer.names)
                layer.nodes.append((layer.point(address), len(pairs), at))
                layer.radius.append(side.radius)
                node = int(side.nodes[k]) if len(side.nodes) else 0
                word = f"{one.name}{'' if number == 0 else '.second'}[{node}]"
                layer.names += [f"{word}.{what}" for what in T.LATCHED_NODE]
            row.nodes = len(layer.nodes) - row.node
            layer.own(row.own, row.owns, row.node)
            pairs.append(row.numbers)
            laws.append(law.numbers)
    tables = {
        "pairs": np.array(pairs, np.int64),
        "laws": np.array(laws),
        "nodes": np.array(layer.nodes, np.int64),
        "points": np.array(list(layer.points), np.int64),
        "facets": np.array([one.numbers for one in layer.facets], np.int64).reshape(-1, T.Facet.size),
        "groups": np.array(layer.groups, np.int64).reshape(-1, 2),
        "radius": np.array(layer.radius),
    }
    return SurfaceContactTables(tables, tuple(layer.names))
