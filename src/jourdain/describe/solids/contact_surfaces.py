"""Surfaces of solids in contact: their nodes, each with the part of the area that belongs to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ...basics.errors import ModelError
from ...basics.pose import Pose
from ...basics.values import shown
from ..shapes.shape import Placed, TouchingShape
from ..shapes.solids import Point

if TYPE_CHECKING:
    from .fe_mesh import SolidMesh


@dataclass(frozen=True, eq=False)
class SolidSurface:
    """A named part of the surface of a solid.

    body     its name
    name     of the part
    nodes    numbers, (k,)
    areas    of the part that belong to each, (k,) [m^2]; of a plane solid length times thickness, of a body of
             revolution those of the rings that the sides make
    facets   its sides as segments, triangles or quadrangles of nodes, normals outwards; quadratic ones in parts, none
             of a body of revolution, which touches planes across its axis
    rings    of a body of revolution: its sides as segments of the half section, which touch those of another one on
             the same axis
    """

    body: str
    name: str
    nodes: np.ndarray
    areas: np.ndarray
    facets: tuple[tuple[int, ...], ...] = ()
    rings: tuple[tuple[int, ...], ...] = ()

    def touching(self) -> list[TouchingShape]:
        """What of it can touch: its nodes."""
        pairs = zip(self.nodes.tolist(), self.areas.tolist(), strict=True)
        return [TouchingShape(Placed(Point(), f"{self.body}.node[{k}]", Pose()), k, area) for k, area in pairs]

    def on_facets(self) -> list[TouchingShape]:
        """What of it meets the facets of another surface: its nodes."""
        return self.touching() if self.facets else []

    @property
    def no_facets(self) -> str:
        """Why it has none and meets none, where that is so."""
        why = f'"{self.body}" is a body of revolution, which touches planes across its axis and nothing else'
        return f"{why}; give such a plane, or a solid in space"


PARTS: dict[int, list[tuple[int, ...]]] = {
    2: [(0, 1)],
    3: [(0, 1, 2)],
    4: [(0, 1, 2, 3)],
    6: [(0, 3, 5), (3, 1, 4), (5, 4, 2), (3, 4, 5)],
    8: [(0, 4, 7), (4, 1, 5), (5, 2, 6), (6, 3, 7), (4, 5, 6, 7)],
}
"""Parts of a side by the number of its nodes: corners, then middles of its edges."""


def flat_parts(sides: np.ndarray, plane: bool) -> tuple[tuple[int, ...], ...]:
    """Sides as segments, triangles and quadrangles of their nodes."""
    halves: list[tuple[int, ...]] = [(0, 2), (2, 1)]
    parts = halves if plane and sides.shape[1] == 3 else PARTS[sides.shape[1]]
    return tuple(tuple(int(side[k]) for k in part) for side in sides for part in parts)


def ring_areas(mesh: SolidMesh, sides: np.ndarray) -> np.ndarray:
    """Areas (N,) of the rings that sides of a half section make about the y axis, that belong to each node.

    The integrals int N_i 2 pi r ds of the shape functions over straight edges, with r linear along them.
    """
    out = np.zeros(len(mesh.points))
    for side in sides:
        x = mesh.points[side[:2]]
        r, length = x[:, 0], float(np.linalg.norm(x[1] - x[0]))
        shares = [r[0], r[1], 2.0 * (r[0] + r[1])] if len(side) == 3 else [2.0 * r[0] + r[1], r[0] + 2.0 * r[1]]
        out[side] += 2.0 * np.pi * length * np.array(shares) / 6.0
    return out


def nodal_areas(mesh: SolidMesh, sides: np.ndarray, thickness: float) -> np.ndarray:
    """Areas (N,) of sides that belong to each node of the mesh.

    Those of straight edges are the integrals of their shape functions. On a quadratic side of a body in space these are
    zero or negative at corners, so that all of its nodes have an equal share.
    """
    out = np.zeros(len(mesh.points))
    corners = 2 if mesh.dimensions == 2 else (3 if mesh.element.simplex else 4)
    for side in sides:
        x = mesh.points[side[:corners]]
        if mesh.dimensions == 2:
            size = thickness * float(np.linalg.norm(x[1] - x[0]))
            shares = [1.0, 1.0, 4.0] if len(side) == 3 else [1.0, 1.0]
        else:
            fan = [np.cross(x[i] - x[0], x[i + 1] - x[0]) for i in range(1, corners - 1)]
            size = 0.5 * float(np.linalg.norm(np.sum(fan, axis=0)))
            shares = [1.0] * len(side)
        out[side] += size * np.array(shares) / np.sum(shares)
    return out


def surface_of(body: Any, name: str, region: tuple[int, ...] | None) -> SolidSurface:
    """A part of the surface of a solid."""
    if region is None:
        raise ModelError.at(f"{body.name}", f"has no surface {shown(name)}; name it in surfaces=")
    nodes = np.intersect1d(region, body.mesh.surface_nodes)
    sides = body.mesh.sides
    within = sides[np.all(np.isin(sides, nodes), axis=1)]
    whole = body.areas(within)[nodes]
    if not np.any(whole > 0.0):
        raise ModelError.at(f"{body.name}.{name}", "holds no whole side of the mesh; take more of its nodes")
    keep = whole > 0.0
    parts = flat_parts(within, body.mesh.dimensions == 2)
    facets, rings = ((), parts) if body.plane == "axisymmetric" else (parts, ())
    return SolidSurface(str(body.name), str(name), nodes[keep], whole[keep], facets, rings)
