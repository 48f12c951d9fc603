"""Finite-element meshes of one kind of element, and what can be wrong with them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from ...basics.arguments import checked
from ...basics.errors import ModelError, Problem
from ...basics.values import as_array, expect_keys, numbers, readonly, shown
from .elements import ELEMENTS, QUADRATIC, Element, element_of

SLIM = 1e-9
"""A cell whose volume is below this, over that of the box around it, has none."""


class MeshWarning(UserWarning):
    """A mesh that has not the volume, or the area, of what it stands for."""


@checked
@dataclass(frozen=True, eq=False)
class CellMesh:
    """Nodes (N, d) [m] and the cells (m, k) between them."""

    points: np.ndarray
    cells: np.ndarray

    def _hold(self, points: np.ndarray, cells: np.ndarray) -> None:
        own = cells.astype(np.int64)
        own.flags.writeable = False
        object.__setattr__(self, "points", readonly(points))
        object.__setattr__(self, "cells", own)

    def number_problems(self, address: str) -> list[Problem]:
        """Positions that are not finite, and cells of nodes that do not exist."""
        wrong = np.flatnonzero(~np.all(np.isfinite(self.points), axis=1))
        if len(wrong):
            place = numbers(self.points[wrong[0]])
            return [Problem(address, f"mesh: node {wrong[0]} is at {place}; give finite positions [m]", "mesh")]
        last = len(self.points) - 1
        bad = np.flatnonzero(np.any((self.cells < 0) | (self.cells > last), axis=1))
        if len(bad):
            given = self.cells[bad[0]].tolist()
            return [Problem(address, f"mesh: cell {bad[0]} has the nodes {given}; the nodes are 0 to {last}", "mesh")]
        return []

    def nodes_where(self, given: Any, address: str) -> np.ndarray:
        """Nodes of a part, of the surface of a solid: from a function of positions (d, N), from the lowest and highest
        corner of a box that they are in, or as they are given."""
        if callable(given):
            return self._chosen(given, address)
        index = np.atleast_1d(np.asarray(given))
        if index.shape == (2, self.points.shape[1]) and index.dtype.kind in "iuf":
            low, high = index.astype(float)[:, :, None]
            return self._chosen(lambda x: np.all((x >= low) & (x <= high), axis=0), address)
        if index.ndim != 1 or index.dtype.kind not in "iu" or not index.size:
            words = "give numbers of nodes, two corners of a box, or a function, lambda x: x[2] > 0.0"
            raise ModelError.at(address, f"got {shown(given)}; {words}")
        wrong = index[(index < 0) | (index >= len(self.points))]
        if len(wrong):
            raise ModelError.at(address, f"names node {wrong[0]}; the nodes are 0 to {len(self.points) - 1}")
        return np.unique(index.astype(np.int64))

    def _mask(self, function: Callable[[np.ndarray], Any], address: str) -> np.ndarray:
        """What a function says of the positions of the nodes."""
        try:
            return np.asarray(function(self.points.T))
        except Exception as error:
            raise ModelError.at(address, f"its function failed on the positions of the nodes: {error}") from error

    def _chosen(self, function: Callable[[np.ndarray], Any], address: str) -> np.ndarray:
        """The nodes that a function of positions chooses."""
        raise NotImplementedError

    def moved(self, by: ArrayLike) -> Self:
        """The mesh moved along a vector [m]."""
        return type(self)(self.points + as_array(by, "mesh: by"), self.cells)

    def to_dict(self) -> dict[str, Any]:
        """Plain lists."""
        return {"points": self.points.tolist(), "cells": self.cells.tolist()}

    @classmethod
    def from_dict(cls, data: Any, address: str) -> Self:
        """The mesh that `to_dict` wrote."""
        data = expect_keys(data, address, ("points", "cells"))
        return cls(data["points"], data["cells"])


@checked
@dataclass(frozen=True, eq=False)
class SolidMesh(CellMesh):
    """Nodes and cells of a solid: triangles or quadrangles in a plane, tetrahedra or hexahedra in space.

    points    (N, 2) or (N, 3) [m]
    cells     nodes of each, (m, k), in the order of VTK: corners first, then middles of edges

    The number of nodes of a cell determines its kind: 3 or 6, 4 or 8 in a plane, 4 or 10, 8 or 20 in space.
    """

    def __init__(self, points: ArrayLike, cells: ArrayLike) -> None:
        x = as_array(points, "mesh: points")
        if x.ndim != 2 or x.shape[1] not in (2, 3) or not len(x):
            raise ModelError.at("mesh: points", f"got an array of shape {x.shape}; give (N, 3), or (N, 2) in a plane")
        try:
            given = np.asarray(cells)
        except ValueError:
            raise ModelError.at("mesh: cells", f"rows of different lengths in {shown(cells)}") from None
        if given.ndim != 2 or given.dtype.kind not in "iu" or not len(given):
            raise ModelError.at("mesh: cells", f"got {shown(cells)}; give an array (m, k) of the numbers of nodes")
        if element_of(x.shape[1], given.shape[1]) is None:
            known = ", ".join(f"{one.size} ({one.name})" for one in ELEMENTS.values() if one.dimensions == x.shape[1])
            raise ModelError.at(
                "mesh: cells", f"have {given.shape[1]} nodes each in {x.shape[1]} dimensions; known are {known}"
            )
        self._hold(x, given)

    @cached_property
    def element(self) -> Element:
        """The kind of its cells."""
        found = element_of(self.dimensions, self.cells.shape[1])
        assert found is not None
        return found

    @property
    def dimensions(self) -> int:
        """2 in a plane, 3 in space."""
        return self.points.shape[1]

    def check(self, address: str) -> list[Problem]:
        """Everything wrong with it, reported at `address`."""
        problems = self.number_problems(address)
        if problems:
            return problems
        loose = np.setdiff1d(np.arange(len(self.points)), self.cells)
        if len(loose):
            listed = ", ".join(map(str, loose[:6])) + (f", ... ({len(loose)} in all)" if len(loose) > 6 else "")
            problems.append(
                Problem(address, f"mesh: no cell has node {listed}; leave such nodes out (mesh.tidied())", "mesh")
            )
        least = np.min(self.jacobians(), axis=1)
        sizes = np.prod(np.maximum(np.ptp(self.points[self.cells], axis=1), 1e-300), axis=1)
        turned = np.flatnonzero(least <= SLIM * sizes)
        if len(turned):
            what = "inside out" if np.all(least[turned] < 0.0) else "flat or inside out"
            some = ", ".join(map(str, turned[:6])) + (f", ... ({len(turned)} in all)" if len(turned) > 6 else "")
            problems.append(
                Problem(
                    address,
                    f"mesh: cell {some} is {what}: going round its nodes the volume is {least[turned[0]]:.3g}; give "
                    "corners counter-clockwise, the bottom of a hexahedron before its top, or try mesh.turned()",
                    "mesh",
                )
            )
        return problems

    def jacobians(self) -> np.ndarray:
        """Determinants of the maps of all cells at their integration points, (m, p)."""
        partials = self.element.partials(self.element.quadrature[0])
        return np.linalg.det(np.einsum("pki,mkj->mpij", partials, self.points[self.cells]))

    @cached_property
    def volumes(self) -> np.ndarray:
        """Of all cells, (m,) [m^3], in a plane their areas [m^2]."""
        return self.jacobians() @ self.element.quadrature[1]

    @property
    def volume(self) -> float:
        """Of the whole [m^3], in a plane its area [m^2]."""
        return float(np.sum(self.volumes))

    @cached_property
    def sides(self) -> np.ndarray:
        """Nodes of the sides of the surface, (s, k), corners first, normals outwards."""
        element = self.element
        corners = len(element.sides[0]) - sum(1 for one in element.sides[0] if one >= len(element.corners))
        every = np.concatenate([self.cells[:, list(side)] for side in element.sides])
        _, first, counts = np.unique(np.sort(every[:, :corners], axis=1), axis=0, return_index=True, return_counts=True)
        return every[np.sort(first[counts == 1])]

    @cached_property
    def surface_nodes(self) -> np.ndarray:
        """Nodes of the surface, rising."""
        return np.unique(self.sides)

    def triangles(self) -> np.ndarray:
        """The surface of a solid in space as triangles of its corners, (t, 3); of a plane one its cells."""
        rows = self.sides if self.dimensions == 3 else self.cells
        corners = 4 if len(self.element.corners) in (4, 8) and not self.element.simplex else 3
        rows = rows[:, :corners]
        return rows if corners == 3 else np.concatenate([rows[:, [0, 1, 2]], rows[:, [0, 2, 3]]])

    def quadratic(self) -> SolidMesh:
        """The mesh with nodes in the middles of its edges."""
        if self.element.edges:
            return self
        edges = ELEMENTS[QUADRATIC[self.element.name]].edges
        pairs = np.sort(np.stack([self.cells[:, list(edge)] for edge in edges], axis=1), axis=2)
        unique, inverse = np.unique(pairs.reshape(-1, 2), axis=0, return_inverse=True)
        middles = self.points[unique].mean(axis=1)
        new = inverse.reshape(pairs.shape[:2]) + len(self.points)
        return SolidMesh(np.vstack([self.points, middles]), np.hstack([self.cells, new]))

    def linear(self) -> SolidMesh:
        """The mesh of its corners only."""
        if not self.element.edges:
            return self
        return SolidMesh(self.points, self.cells[:, : len(self.element.corners)]).tidied()

    def tidied(self) -> SolidMesh:
        """The mesh without nodes that no cell has."""
        used, cells = np.unique(self.cells, return_inverse=True)
        return SolidMesh(self.points[used], cells.reshape(self.cells.shape))

    def turned(self) -> SolidMesh:
        """The mesh with cells that are inside out put right."""
        element = self.element
        corners = len(element.corners)
        mirror = {3: [0, 2, 1], 4: [0, 2, 1, 3] if self.dimensions == 3 else [0, 3, 2, 1], 8: [0, 3, 2, 1, 4, 7, 6, 5]}
        order = mirror[corners]
        number = {frozenset(edge): corners + i for i, edge in enumerate(element.edges)}
        back = [*order, *(number[frozenset((order[a], order[b]))] for a, b in element.edges)]
        cells = self.cells.copy()
        wrong = self.jacobians().mean(axis=1) < 0.0
        cells[wrong] = cells[wrong][:, back]
        return SolidMesh(self.points, cells)

    def scaled(self, by: float) -> SolidMesh:
        """The mesh with all lengths times a number: 0.001 for one in millimetres."""
        return SolidMesh(self.points * float(by), self.cells)

    def nodes_where(self, given: Any, address: str) -> np.ndarray:
        nodes = super().nodes_where(given, address)
        return nodes if callable(given) else self._with_middles(nodes)

    def _with_middles(self, nodes: np.ndarray) -> np.ndarray:
        """Nodes, and those of the surface in the middle of edges between two of them: edges of a round body are
        straight, so that a function of the radius does not hold there."""
        corners = len(self.element.corners)
        inside = np.isin(self.cells, nodes)
        more = [self.cells[inside[:, a] & inside[:, b], corners + i] for i, (a, b) in enumerate(self.element.edges)]
        middles = np.concatenate([nodes[:0], *more])
        return np.unique(np.concatenate([nodes, middles[np.isin(middles, self.surface_nodes)]]))

    def _chosen(self, function: Callable[[np.ndarray], Any], address: str) -> np.ndarray:
        mask = self._mask(function, address)
        if mask.shape != (len(self.points),) or mask.dtype != bool:
            raise ModelError.at(
                address,
                f"its function returned {shown(mask)}; it takes positions (d, N) and returns True or False for each",
            )
        found = np.intersect1d(np.flatnonzero(mask), self.surface_nodes)
        if not len(found):
            low, high = (numbers(one) for one in (self.points.min(axis=0), self.points.max(axis=0)))
            raise ModelError.at(address, f"holds for no node of the surface; the mesh reaches from {low} to {high}")
        return self._with_middles(found)

    def __repr__(self) -> str:
        return f"<mesh: {len(self.points)} nodes, {len(self.cells)} {self.element.name}>"
