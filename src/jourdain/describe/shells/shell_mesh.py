"""Meshes of quadrangles in space, for shells, and what can be wrong with them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ...basics.arguments import checked
from ...basics.errors import ModelError, Problem
from ...basics.values import as_array, shown
from ..solids.fe_mesh import CellMesh

TWISTED = 0.5
"""Cosine of the angle between the normals at a corner of a cell and in its middle, at least."""
SMOOTH = np.radians(35.0)
"""Angle between edges of a rim below which they stand for a curve [rad]."""
SLIM = 1e-9
"""Area of a cell, over the square of its longest side, below which it has none."""


@checked
@dataclass(frozen=True, eq=False)
class ShellMesh(CellMesh):
    """Nodes and quadrangles of a surface in space, which may be folded and branched.

    points    (N, 3) [m]
    cells     nodes of each, (m, 4), going round; neighbours go round the same way

    A grid of cells that continue each other is best; a smooth surface is one whose neighbours meet at small angles.
    """

    def __init__(self, points: ArrayLike, cells: ArrayLike) -> None:
        x = as_array(points, "mesh: points")
        if x.ndim != 2 or x.shape[1] != 3 or not len(x):
            raise ModelError.at("mesh: points", f"got an array of shape {x.shape}; give (N, 3)")
        given = np.asarray(cells)
        if given.ndim != 2 or given.shape[1] != 4 or given.dtype.kind not in "iu" or not len(given):
            raise ModelError.at("mesh: cells", f"got {shown(cells)}; give an array (m, 4) of the numbers of nodes")
        self._hold(x, given)

    # ------------------------------------------------------------------ what is wrong with it

    def check(self, address: str) -> list[Problem]:
        """Everything wrong with it, reported at `address`."""
        if problems := self.number_problems(address):
            return problems
        loose = np.setdiff1d(np.arange(len(self.points)), self.cells)
        if len(loose):
            return [Problem(address, f"mesh: no cell has node {loose[0]}; leave such nodes out", "mesh")]
        return self._flat_problems(address) or self._turned_problems(address)

    def _flat_problems(self, address: str) -> list[Problem]:
        """Cells without area, and twisted ones."""
        x = self.points[self.cells]
        longest = np.max(np.linalg.norm(np.roll(x, -1, axis=1) - x, axis=2), axis=1)
        middle = np.cross(x[:, 2] - x[:, 0], x[:, 3] - x[:, 1])
        flat = np.flatnonzero(0.5 * np.linalg.norm(middle, axis=1) <= SLIM * longest**2)
        if len(flat):
            return [Problem(address, f"mesh: cell {flat[0]} has no area; its corners go round it, each once", "mesh")]
        middle /= np.linalg.norm(middle, axis=1)[:, None]
        least = np.min(np.einsum("mkc,mc->mk", self.corner_normals, middle), axis=1)
        twisted = np.flatnonzero(least < TWISTED)
        if len(twisted):
            k = twisted[0]
            words = "twisted or folded over" if least[k] < 0.0 else "twisted by more than 60 degrees"
            return [
                Problem(
                    address, f"mesh: cell {k} is {words}; give its corners in their order, or smaller cells", "mesh"
                )
            ]
        return []

    def _turned_problems(self, address: str) -> list[Problem]:
        """Neighbours that do not go round the same way."""
        for nodes, sides in self.edges.items():
            if len(sides) == 2 and sides[0][1] == sides[1][1]:
                first, second = sides[0][0], sides[1][0]
                words = f"mesh: cell {second} is inverted against cell {first}, with which it shares nodes {nodes[0]}"
                return [Problem(address, f"{words} and {nodes[1]}; let neighbours go round the same way")]
        return []

    @cached_property
    def corner_normals(self) -> np.ndarray:
        """Unit normals of the corners of all cells, (m, 4, 3); zero where two sides are along each other."""
        x = self.points[self.cells]
        normal = np.cross(np.roll(x, -1, axis=1) - x, np.roll(x, 1, axis=1) - x)
        size = np.linalg.norm(normal, axis=2, keepdims=True)
        return np.where(size > 0.0, normal / np.where(size > 0.0, size, 1.0), 0.0)

    @cached_property
    def edges(self) -> dict[tuple[int, int], list[tuple[int, bool, int]]]:
        """By the two nodes of each edge, lower first: the cells that have it, whether they go from the lower to the
        higher, and which of their sides it is."""
        out: dict[tuple[int, int], list[tuple[int, bool, int]]] = {}
        for k, cell in enumerate(self.cells.tolist()):
            for side in range(4):
                a, b = cell[side], cell[(side + 1) % 4]
                out.setdefault((min(a, b), max(a, b)), []).append((k, a < b, side))
        return out

    @cached_property
    def missing(self) -> float:
        """Area that rims which curve within the surface have beyond the straight edges of its cells, over that of the
        cells; negative where they have less.

        A rim that turns by less than `SMOOTH` at a node is taken as a curve there: the segment between an arc that
        turns by t and its chord of length l has the area l^2 t / 12 to lowest order in t.
        """
        normal = np.zeros((len(self.points), 3))
        np.add.at(normal, self.cells.ravel(), self.corner_normals.reshape(-1, 3))
        after: dict[int, int] = {}
        branched = set()
        for (a, b), sides in self.edges.items():
            if len(sides) == 1:
                first, second = (a, b) if sides[0][1] else (b, a)
                if first in after:
                    branched.add(first)
                after[first] = second
        before = {second: first for first, second in after.items()}
        turn = {}
        for node in after:
            if node in before and node not in branched:
                n = normal[node] / max(float(np.linalg.norm(normal[node])), 1e-300)
                one, two = self.points[node] - self.points[before[node]], self.points[after[node]] - self.points[node]
                one, two = one - n * (n @ one), two - n * (n @ two)
                angle = float(np.arctan2(n @ np.cross(one, two), one @ two))
                if abs(angle) < SMOOTH:
                    turn[node] = angle
        total = 0.0
        for first, second in after.items():
            known = [turn[one] for one in (first, second) if one in turn]
            if known:
                length = float(np.linalg.norm(self.points[second] - self.points[first]))
                total += length**2 * sum(known) / (12.0 * len(known))
        x = self.points[self.cells]
        area = 0.5 * np.sum(np.linalg.norm(np.cross(x[:, 2] - x[:, 0], x[:, 3] - x[:, 1]), axis=1))
        return total / float(area)

    # ------------------------------------------------------------------ parts of it, and others made of it

    def _chosen(self, function: Callable[[np.ndarray], Any], address: str) -> np.ndarray:
        mask = self._mask(function, address)
        if mask.shape != (len(self.points),) or mask.dtype != bool or not np.any(mask):
            words = "it takes positions (3, N) and returns True or False for each, True of one at least"
            raise ModelError.at(address, f"its function returned {shown(mask)}; {words}")
        return np.flatnonzero(mask)

    def joined(self, *others: ShellMesh, within: float = 1e-9) -> ShellMesh:
        """One mesh of several; nodes that are nearer than `within` [m] become one."""
        points = np.concatenate([one.points for one in (self, *others)])
        first = np.cumsum([0, *(len(one.points) for one in (self, *others))])
        cells = np.concatenate([one.cells + k for one, k in zip((self, *others), first[:-1], strict=True)])
        keys = (
            np.round(points / max(within, 1e-300)).astype(np.int64) if within > 0.0 else np.arange(len(points))[:, None]
        )
        _, chosen, inverse = np.unique(keys, axis=0, return_index=True, return_inverse=True)
        order = np.argsort(chosen)
        rank = np.empty(len(order), np.int64)
        rank[order] = np.arange(len(order))
        return ShellMesh(points[chosen[order]], rank[inverse.ravel()][cells])

    def __repr__(self) -> str:
        return f"<mesh: {len(self.points)} nodes, {len(self.cells)} quadrangles>"


@checked
def sheet(
    lengths: ArrayLike,
    cells: Sequence[int],
    start: ArrayLike = (0.0, 0.0, 0.0),
    first: ArrayLike = (1.0, 0.0, 0.0),
    second: ArrayLike = (0.0, 1.0, 0.0),
) -> ShellMesh:
    """A flat rectangle in space, as a mesh of a shell.

    lengths    of its sides [m]
    cells      how many along each
    start      a corner [m]
    first      direction of the first side
    second     of the second
    """
    size, counts = as_array(lengths, "sheet: lengths"), [int(n) for n in cells]
    if size.shape != (2,) or not np.all(size > 0.0) or len(counts) != 2 or min(counts) < 1:
        raise ModelError.at(
            "sheet", f"got lengths {shown(lengths)} and cells {shown(cells)}; give two of each, above 0"
        )
    a, b = (_unit(one, "sheet") for one in (first, second))
    s, t = (np.linspace(0.0, x, n + 1) for x, n in zip(size, counts, strict=True))
    return grid(as_array(start, "sheet: start") + s[:, None, None] * a + t[None, :, None] * b)


@checked
def tube(radius: float, length: float, cells: Sequence[int], angle: float = 2.0 * np.pi) -> ShellMesh:
    """A round tube about the x axis, or a part of one that begins on the y axis, as a mesh of a shell.

    radius    [m]
    length    along x [m]
    cells     how many along it, and around
    angle     that it goes around [rad]
    """
    counts = [int(n) for n in cells]
    if not (radius > 0.0 and length > 0.0 and 0.0 < angle <= 2.0 * np.pi) or len(counts) != 2 or min(counts) < 1:
        raise ModelError.at("tube", "give radius and length above 0, an angle of up to 2 pi, and two numbers of cells")
    x, turn = np.linspace(0.0, length, counts[0] + 1), np.linspace(0.0, angle, counts[1] + 1)
    ring = np.stack([np.zeros_like(turn), radius * np.cos(turn), radius * np.sin(turn)], axis=1)
    made = grid(x[:, None, None] * np.array([1.0, 0.0, 0.0]) + ring[None])
    return made.joined(within=1e-9 * radius) if angle > 2.0 * np.pi * (1.0 - 1e-12) else made


@checked
def grid(points: ArrayLike) -> ShellMesh:
    """A mesh whose nodes are a grid of places, (m + 1, n + 1, 3) [m]: any surface that has two families of lines."""
    x = as_array(points, "grid: points")
    if x.ndim != 3 or x.shape[2] != 3 or min(x.shape[:2]) < 2:
        raise ModelError.at("grid: points", f"got an array of shape {x.shape}; give (m + 1, n + 1, 3)")
    i, j = np.meshgrid(np.arange(x.shape[0] - 1), np.arange(x.shape[1] - 1), indexing="ij")
    at = (i * x.shape[1] + j).ravel()
    return ShellMesh(x.reshape(-1, 3), np.stack([at, at + x.shape[1], at + x.shape[1] + 1, at + 1], axis=1))


def _unit(given: ArrayLike, address: str) -> np.ndarray:
    way = as_array(given, address)
    if way.shape != (3,) or not np.linalg.norm(way) > 0.0:
        raise ModelError.at(address, f"got the direction {shown(given)}; give three numbers, not all zero")
    return way / np.linalg.norm(way)
