"""Places of a solid all of whose nodes are coordinates: each is moved by those of a few nodes only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ....basics import quaternions as Q
from ...solids.outer_surface import spread
from ..appearance.bones import Skeleton, attached
from ..floating_frame.interfaces import Group
from .nodal_tables import NodalStation
from .node_places import BONES, Places


class NodalPlaces(Places):
    """As `Places`; stations say which coordinates move them."""

    def _local(self, nodes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Coordinates that move some nodes (c,), and the displacements of these for a unit of each, (3 k, c)."""
        nodal = self.body.nodal
        entries = nodal.coordinates_of(np.unique(nodes))
        rows = (3 * nodes[:, None] + np.arange(3)).ravel()
        return entries, nodal.shapes[:, entries].tocsr()[rows].toarray()

    def still(self, place: np.ndarray) -> Any:
        """The station of a place that does not move."""
        none = np.zeros((0, 3))
        return NodalStation(place, np.zeros(0, np.int64), none, none)

    def node(self, node: int) -> Any:
        entries, moved = self._local(np.array([node]))
        return NodalStation(self.middle((node,)), entries, moved.T, np.zeros((len(entries), 3)))

    def mean(self, nodes: Sequence[int]) -> Any:
        place = self.middle(nodes)
        return self._at_node(self._carried(np.array(nodes), place), place)

    def point(self, place: np.ndarray) -> Any:
        return self._at_node(self._carried(self.around(place), place), place)

    def _carried(self, nodes: np.ndarray, place: np.ndarray) -> Any:
        entries, moved = self._local(nodes)
        near = self.body.nodes[nodes]
        group = Group.of(np.arange(len(nodes)), near, 3, self.body.plane is not None)
        mean = group.station(moved, near, 3, np.zeros(3))
        return NodalStation(place, entries, mean.psi + np.cross(mean.theta, place - mean.position), mean.theta)

    def _at_node(self, station: Any, place: np.ndarray) -> Any:
        apart = np.linalg.norm(self.body.nodes - place, axis=1)
        if np.min(apart) >= 1e-9 * np.max(np.ptp(self.body.nodes, axis=0)):
            return station
        own = self.node(int(np.argmin(apart)))
        entries = np.union1d(station.entries, own.entries)
        psi, theta = np.zeros((len(entries), 3)), np.zeros((len(entries), 3))
        psi[np.searchsorted(entries, own.entries)] = own.psi
        theta[np.searchsorted(entries, station.entries)] = station.theta
        return NodalStation(place, entries, psi, theta)

    @cached_property
    def carriers(self) -> list[Any]:
        """Stations of the places that carry what is drawn."""
        body = self.body
        outside = body.mesh.surface_nodes if body.plane is None else np.arange(len(body.nodes))
        cells, out = body.mesh.cells, []
        for node in outside[spread(body.nodes[outside], BONES)]:
            around = self._carried(np.unique(cells[np.any(cells == node, axis=1)]), body.nodes[node])
            out.append(self._at_node(around, body.nodes[node]))
        return out

    def bone_places(self) -> np.ndarray:
        return np.array([one.position for one in self.carriers])

    def turns(self, e: np.ndarray) -> np.ndarray:
        return np.stack([one.turned(e) for one in self.carriers], axis=1)

    def skeleton(self, e: np.ndarray, stations: Mapping[str, Any], frames: Sequence[str]) -> Skeleton:
        every = [*self.carriers, *stations.values()]
        places = np.array([one.position for one in every])
        moved = places + np.stack([one.moved(e) for one in every], axis=1)
        turns = Q.exponential(np.stack([one.turned(e) for one in every], axis=1))
        number = {name: len(self.carriers) + i for i, name in enumerate(stations)}
        return attached(
            places, np.concatenate([moved, turns], axis=-1), {name: number.get(name, -1) for name in frames}
        )
