"""Places of a solid: where its nodes, surfaces and frames are, how they move, and what is drawn of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ....basics import quaternions as Q
from ...solids.contact_surfaces import nodal_areas, ring_areas
from ...solids.outer_surface import boundary, revolved, spread
from ..appearance.bones import Skeleton, attached
from ..floating_frame.interfaces import Group
from ..floating_frame.modal_tables import Modal, ModalStation, turning
from ..floating_frame.reference_conditions import on_axis
from .nodal_tables import NodalStation

if TYPE_CHECKING:
    from .solid import Solid


BONES = 80
"""Places that carry what is drawn of a solid."""
RAYS = 8
"""Directions from the axis in which those of a body of revolution are."""
SEGMENTS = 32
"""Vertices around a body of revolution, as it is drawn."""


class Places:
    """Those of a solid whose mesh is where the body is."""

    def __init__(self, body: Solid) -> None:
        self.body = body

    @property
    def count(self) -> int:
        """How many coordinates the body has."""
        return self.body.shapes.shape[1]

    def inertia(self, found: Modal) -> Modal:
        """The integrals of the body, from those of its mesh."""
        return found

    def still(self, place: np.ndarray) -> ModalStation:
        """The station of a place that does not move."""
        none = np.zeros((self.count, 3))
        return ModalStation(place, none, none)

    def middle(self, nodes: Sequence[int]) -> np.ndarray:
        """Where the frame of nodes is, (3,) [m]."""
        return self.body.nodes[list(nodes)].mean(axis=0)

    def node(self, node: int) -> ModalStation:
        """How the frame of a node moves: a point does not turn."""
        psi = self.body.shapes.reshape(-1, 3, self.count)[node].T
        return ModalStation(self.middle((node,)), psi, np.zeros_like(psi))

    def mean(self, nodes: Sequence[int]) -> ModalStation:
        """How the frame of a surface moves: with the mean of its nodes."""
        place = self.middle(nodes)
        return self._at_node(self._carried(np.array(nodes), place), place)

    def ring(self, node: int) -> ModalStation:
        """That of a body of revolution; others have none."""
        raise NotImplementedError

    def point(self, place: np.ndarray) -> ModalStation:
        """How a point moves that the nodes around it carry, place (3,) [m]."""
        return self._at_node(self._carried(self.around(place), place), place)

    def around(self, place: np.ndarray) -> np.ndarray:
        """Nodes that carry a point: those of the cells that have the nearest one."""
        cells = self.body.mesh.cells
        nearest = int(np.argmin(np.linalg.norm(self.body.nodes - place, axis=1)))
        return np.unique(cells[np.any(cells == nearest, axis=1)])

    def _carried(self, nodes: np.ndarray, place: np.ndarray) -> ModalStation:
        """How a place moves with the mean of nodes."""
        body = self.body
        group = Group.of(nodes, body.nodes, 3, body.plane is not None)
        mean = group.station(body.shapes, body.nodes, 3, np.zeros(3))
        return ModalStation(place, mean.psi + np.cross(mean.theta, place - mean.position), mean.theta)

    def _at_node(self, station: ModalStation, place: np.ndarray) -> ModalStation:
        """The same with the displacement of the node itself, where the place is one."""
        apart = np.linalg.norm(self.body.nodes - place, axis=1)
        if np.min(apart) >= 1e-9 * np.max(np.ptp(self.body.nodes, axis=0)):
            return station
        return station._replace(psi=self.body.shapes.reshape(-1, 3, self.count)[int(np.argmin(apart))].T)

    def areas(self, sides: np.ndarray) -> np.ndarray:
        """Areas (N,) [m^2] of sides of the mesh that belong to each node."""
        return nodal_areas(self.body.mesh, sides, self.body.thickness or 1.0)

    @cached_property
    def bones(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Places that carry what is drawn (b, 3), how they move and how they turn for a unit of each coordinate, both
        (b, n, 3)."""
        body = self.body
        outside = body.mesh.surface_nodes if body.plane is None else np.arange(len(body.nodes))
        return self._bones(outside, BONES)

    def _bones(self, candidates: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        nodes = candidates[spread(self.body.nodes[candidates], most)]
        places = self.body.nodes[nodes]
        psi = self.body.shapes.reshape(-1, 3, self.count)[nodes].transpose(0, 2, 1)
        cells = self.body.mesh.cells
        theta = [self._carried(np.unique(cells[np.any(cells == one, axis=1)]), np.zeros(3)).theta for one in nodes]
        return places, psi, np.array(theta)

    def bone_places(self) -> np.ndarray:
        """Places that carry what is drawn, (b, 3) [m]."""
        return self.bones[0]

    def turns(self, e: np.ndarray) -> np.ndarray:
        """How they turn for coordinates (nt, n), (nt, b, 3) [rad]."""
        return np.einsum("tk,bka->tba", e, self.bones[2])

    def boundary(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Vertices (n, 3) [m] and triangles of its surface, and the node of each vertex."""
        return boundary(self.body.mesh, self.body.nodes, self.body.thickness or 0.0)

    def skeleton(self, e: np.ndarray, stations: Mapping[str, ModalStation], frames: Sequence[str]) -> Skeleton:
        """Its bones over time.

        e           coordinates (nt, n)
        stations    of frames that move
        frames      all of them
        """
        places, psi, theta = self.bones
        first, more = len(places), list(stations.values())
        if more:
            psi = np.concatenate([psi, [one.psi for one in more]])
            theta = np.concatenate([theta, [one.theta for one in more]])
            places = np.vstack([places, *(one.position[None] for one in more)])
        moved = places + np.einsum("tk,ska->tsa", e, psi)
        turns = Q.exponential(np.einsum("tk,ska->tsa", e, theta))
        number = {name: first + i for i, name in enumerate(stations)}
        return attached(
            places, np.concatenate([moved, turns], axis=-1), {name: number.get(name, -1) for name in frames}
        )


class RevolvedPlaces(Places):
    """Those of a body of revolution, whose mesh is its half section at z = 0.

    What is at the radius x and the height y of the section, displaced by (u, w), is at the angle p from it at
    ((x + u) cos p, y + w, -(x + u) sin p).
    """

    def inertia(self, found: Modal) -> Modal:
        """The mean over all angles of the integrals that the section has with all of the mass.

        Of int a b^T dm only the diagonal is left, (x x / 2, y y, x x / 2). So the deformation has momentum along the
        axis and no angular one, and changes the moments of inertia but not the principal axes.
        """
        along = np.array([0.0, 1.0, 0.0])
        square = 0.5 * np.trace(found.inertia) * np.eye(3) - found.inertia  # int r r^T dm
        return replace(
            found,
            moment=along * found.moment,
            inertia=0.5 * turning(_mean_over_angles(square)),
            P=along * found.P,
            H=np.zeros_like(found.H),
            first=_mean_over_angles(found.first),
            second=_mean_over_angles(found.second),
        )

    def middle(self, nodes: Sequence[int]) -> np.ndarray:
        return np.array([0.0, 1.0, 0.0]) * super().middle(nodes)

    def node(self, node: int) -> ModalStation:
        return self.mean((node,))

    def ring(self, node: int) -> ModalStation:
        """How the point of the half section at a node moves: outwards and along the axis, without turning. A force
        there does the work of one that is spread over the ring; along the radius it must not move the frame."""
        psi = self.body.shapes.reshape(-1, 3, self.count)[node].T
        return ModalStation(self.body.nodes[node], np.array([1.0, 1.0, 0.0]) * psi, np.zeros_like(psi))

    def mean(self, nodes: Sequence[int]) -> ModalStation:
        psi = self.body.shapes.reshape(-1, 3, self.count)[list(nodes)].mean(axis=0).T
        return ModalStation(self.middle(nodes), np.array([0.0, 1.0, 0.0]) * psi, np.zeros_like(psi))

    def point(self, place: np.ndarray) -> ModalStation:
        section = self._in_section(place)
        found = self._at_node(self._carried(self.around(place), section), section)
        if self._on_axis(section):
            return ModalStation(place, np.array([0.0, 1.0, 0.0]) * found.psi, np.zeros_like(found.theta))
        R = _about_axis(np.arctan2(-place[2], place[0]))
        return ModalStation(place, found.psi @ R.T, found.theta @ R.T)

    def around(self, place: np.ndarray) -> np.ndarray:
        return super().around(self._in_section(place))

    def areas(self, sides: np.ndarray) -> np.ndarray:
        return ring_areas(self.body.mesh, sides)

    @cached_property
    def bones(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        places, psi, theta = self._bones(self.body.mesh.surface_nodes, BONES // RAYS)
        theta[on_axis(places)] = 0.0
        turns = np.stack([_about_axis(2.0 * np.pi * k / RAYS) for k in range(RAYS)])
        places, psi, theta = (
            np.einsum("kab,...b->k...a", turns, one).reshape(-1, *one.shape[1:]) for one in (places, psi, theta)
        )
        return places, psi, theta

    def boundary(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return revolved(self.body.mesh, SEGMENTS)

    def _in_section(self, place: np.ndarray) -> np.ndarray:
        return np.array([np.hypot(place[0], place[2]), place[1], 0.0])

    def _on_axis(self, section: np.ndarray) -> bool:
        return bool(section[0] < 1e-9 * np.max(np.ptp(self.body.nodes, axis=0)))


def _about_axis(angle: float) -> np.ndarray:
    """The rotation about y by an angle [rad]."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]])


def _mean_over_angles(G: np.ndarray) -> np.ndarray:
    """int a b^T dm of a body of revolution from that of its section with all of the mass, over leading axes."""
    out = np.zeros_like(G)
    out[..., 0, 0] = out[..., 2, 2] = 0.5 * G[..., 0, 0]
    out[..., 1, 1] = G[..., 1, 1]
    return out


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
