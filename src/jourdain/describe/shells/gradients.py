"""Nodal gradients of the surface of a shell: which vectors its nodes have, and what the elements make of them.

An element needs at each corner the place, r_x, r_y along its own parameters x and y, which go from 0 to 1, and r_xy.
Elements that meet at a node share its gradients g_l along axes a_l, two in a smooth surface, three where it is folded,
and r_x = sum g_l (a_l . t), t the tangent r_x without deformation: the slope transform of Mikkola & Shabana (2003, eq.
4 to 9), which keeps the mass constant whatever the angle between them is. A twist is shared by those elements at a node
whose lines continue each other there; others have their own.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from .shell_mesh import ShellMesh

FOLDED = 0.1
"""Third singular value of the tangents at a node over the first, above which these span space: a fold."""
SAME = 1e-6
"""Sine of the angle between lines that are one."""
ALONG = ((1, 3), (0, 2), (3, 1), (2, 0))
"""Of each corner of a cell the other end of its side along x, and along y."""
SIGNS = ((1, 1), (-1, 1), (-1, -1), (1, -1))
"""Whether x and y rise from that corner on."""


class Corner(NamedTuple):
    """What an element has at one of its corners.

    place         number of the vector
    gradients     numbers of the vectors, and their parts of r_x and r_y (k, 2)
    twist         number of the vector
    twisting      r_xy for a unit of it
    """

    place: int
    gradients: tuple[tuple[int, float, float], ...]
    twist: int
    twisting: float


class Gradients:
    """Vectors of all nodes: place, gradients and twists of each behind each other.

    crease    angle at which a line ends and the surface is folded [rad]
    values    without deformation, (V, 3)
    names     of each, "" for a place, "1" to "3" for gradients, "12" and "12b", ... for twists
    nodes     of each, (V,)
    corners   by cell and corner
    """

    def __init__(self, mesh: ShellMesh, crease: float) -> None:
        self.mesh, self.crease = mesh, crease
        self._values: list[np.ndarray] = []
        self._nodes: list[int] = []
        self.names: list[str] = []
        self.axes: list[np.ndarray] = []
        """Of each node, (2, 3) or (3, 3)."""
        self.first: list[int] = []
        """Of each node, the number of its place; gradients are behind it."""
        self.corners: list[list[Corner]] = [[None] * 4 for _ in mesh.cells]  # type: ignore[list-item]
        self.members: list[list[list[tuple[int, int]]]] = []
        """Of each node its twists: cells and corners that share each."""
        around: list[list[tuple[int, int]]] = [[] for _ in mesh.points]
        for k, cell in enumerate(mesh.cells.tolist()):
            for c, node in enumerate(cell):
                around[node].append((k, c))
        for node, mine in enumerate(around):
            self._lay(node, mine)
        self.values, self.nodes = np.array(self._values), np.array(self._nodes)

    def _add(self, node: int, name: str, value: np.ndarray) -> int:
        self._values.append(value)
        self.names.append(name)
        self._nodes.append(node)
        return len(self.names) - 1

    def _lay(self, node: int, around: list[tuple[int, int]]) -> None:
        """Axes, vectors and corners of one node."""
        tangents = np.array([self._parameters(k, c) for k, c in around])  # (corners, 2, 3)
        axes = self._axes(tangents.reshape(-1, 3))
        self.axes.append(axes)
        self.first.append(self._add(node, "", self.mesh.points[node]))
        grads = [self._add(node, str(i + 1), axis) for i, axis in enumerate(axes)]
        flat = tangents @ axes.T @ axes  # of a smooth surface what is in its plane
        size = np.linalg.norm(flat, axis=2, keepdims=True)
        flat *= np.linalg.norm(tangents, axis=2, keepdims=True) / size
        groups = self._groups(flat)
        self.members.append([[around[j] for j in group] for group in groups])
        for number, group in enumerate(groups):
            first = flat[group[0]] / np.linalg.norm(flat[group[0]], axis=1)[:, None]
            sizes = []
            for j in group:
                straight = first @ flat[j].T
                swapped = abs(straight[0, 0]) < abs(straight[0, 1])
                sizes.append(straight[0, 1] * straight[1, 0] if swapped else straight[0, 0] * straight[1, 1])
            at_rest = np.mean([self._twist(*around[j]) / x for j, x in zip(group, sizes, strict=True)], axis=0)
            twist = self._add(node, "12" + (chr(97 + number) if number else ""), at_rest)
            for j, x in zip(group, sizes, strict=True):
                parts = flat[j] @ axes.T  # (2, axes)
                some = np.abs(parts) > 1e-12 * np.abs(parts).max()
                used = tuple(
                    (grads[l], float(parts[0, l]) * some[0, l], float(parts[1, l]) * some[1, l])
                    for l in range(len(axes))
                    if np.any(some[:, l])
                )
                k, c = around[j]
                self.corners[k][c] = Corner(self.first[node], used, twist, float(x))

    def _axes(self, tangents: np.ndarray) -> np.ndarray:
        """Orthonormal axes that the tangents at a node span: along the line nearest to x first."""
        unit = tangents / np.linalg.norm(tangents, axis=1)[:, None]
        singular, V = np.linalg.svd(unit, full_matrices=False)[1:]
        rank = 3 if len(singular) > 2 and singular[2] > FOLDED * singular[0] else 2
        basis = V[:rank]
        lines = unit @ basis.T @ basis
        out: list[np.ndarray] = []
        while len(out) < rank:
            rest = lines - lines @ np.array(out).reshape(-1, 3).T @ np.array(out).reshape(-1, 3)
            size = np.round(np.linalg.norm(rest, axis=1), 9)
            if not out:
                size = np.round(np.abs(rest) @ (4.0, 2.0, 1.0), 9)
            best = rest[int(np.argmax(size))]
            best = best / np.linalg.norm(best)
            out.append(best if best[int(np.argmax(np.abs(best) > 1e-6))] > 0.0 else -best)
        return np.array(out)

    @staticmethod
    def _groups(tangents: np.ndarray) -> list[list[int]]:
        """Corners (n, 2, 3) at a node whose two lines are the same."""
        unit = tangents / np.linalg.norm(tangents, axis=2, keepdims=True)
        out: list[list[int]] = []
        for j, two in enumerate(unit):
            for group in out:
                sines = np.linalg.norm(np.cross(two[:, None], unit[group[0]][None]), axis=2)
                if max(sines[0, 0], sines[1, 1]) < SAME or max(sines[0, 1], sines[1, 0]) < SAME:
                    group.append(j)
                    break
            else:
                out.append([j])
        return out

    # ------------------------------------------------------------------ the surface without deformation

    def _parameters(self, k: int, c: int) -> np.ndarray:
        """r_x and r_y of cell k at its corner c, (2, 3)."""
        cell = self.mesh.cells[k]
        return np.array([s * self.tangents[cell[c], cell[d]] for s, d in zip(SIGNS[c], ALONG[c], strict=True)])

    def _twist(self, k: int, c: int) -> np.ndarray:
        """r_xy of cell k at its corner c: differences of r_x along y and of r_y along x."""
        along, beside = ALONG[c]
        here = self._parameters(k, c)
        x, y = SIGNS[c]
        return 0.5 * (y * (self._parameters(k, beside)[0] - here[0]) + x * (self._parameters(k, along)[1] - here[1]))

    @cached_property
    def _neighbours(self) -> list[dict[int, set[int]]]:
        """Of each node, its neighbours and the cells that have the edge to them."""
        out: list[dict[int, set[int]]] = [{} for _ in self.mesh.points]
        for (a, b), sides in self.mesh.edges.items():
            out[a][b] = out[b][a] = {side[0] for side in sides}
        return out

    @cached_property
    def _straight(self) -> np.ndarray:
        """Nodes around which all is flat, (N,)."""
        low, high = np.full((len(self.mesh.points), 3), np.inf), np.full((len(self.mesh.points), 3), -np.inf)
        np.minimum.at(low, self.mesh.cells.ravel(), self.mesh.corner_normals.reshape(-1, 3))
        np.maximum.at(high, self.mesh.cells.ravel(), self.mesh.corner_normals.reshape(-1, 3))
        return np.max(high - low, axis=1) < 1e-9

    def _opposite(self, node: int, other: int) -> int | None:
        """The neighbour on the far side of a node from another one, on the line that both may be on."""
        x, mine = self.mesh.points, self._neighbours[node]
        way = x[other] - x[node]
        best, found = -np.cos(self.crease), None
        for one, cells in mine.items():
            if one != other and not cells & mine[other]:
                back = x[one] - x[node]
                cosine = float(back @ way / np.linalg.norm(back) / np.linalg.norm(way))
                if cosine < best:
                    best, found = cosine, one
        return found

    def _direction(self, node: int, other: int) -> np.ndarray | None:
        """Direction at a node of the line to another: that of the circle through three nodes; None where it ends."""
        x = self.mesh.points
        beyond = self._opposite(node, other)
        if beyond is None:
            return None
        if self._straight[node]:
            return x[other] - x[node]
        a, b = x[node] - x[beyond], x[other] - x[node]
        return a / (a @ a) + b / (b @ b)

    @cached_property
    def tangents(self) -> dict[tuple[int, int], np.ndarray]:
        """By node and neighbour, the tangent of the edge there, as long as the arc is."""
        out, x = {}, self.mesh.points
        for a, b in self.mesh.edges:
            for node, other in ((a, b), (b, a)):
                chord = x[other] - x[node]
                c = chord / np.linalg.norm(chord)
                way = self._direction(node, other)
                if way is None:  # the line ends here: a circle as at the other end
                    there = self._direction(other, node)
                    way = c if there is None else 2.0 * (there @ c) * c - there
                    way = way if way @ c > 0.0 else -way
                way = way / np.linalg.norm(way)
                turn = float(np.arctan2(np.linalg.norm(np.cross(way, c)), way @ c))
                out[node, other] = way * np.linalg.norm(chord) / np.sinc(turn / np.pi)
        return out

    @cached_property
    def leaving(self) -> list[dict[int, np.ndarray]]:
        """Of each node, the tangents of its edges by the node at their other end."""
        out: list[dict[int, np.ndarray]] = [{} for _ in self.mesh.points]
        for (node, other), way in self.tangents.items():
            out[node][other] = way
        return out

    # ------------------------------------------------------------------ folds

    @cached_property
    def folds(self) -> list[tuple[tuple[int, int], tuple[int, int]]]:
        """Edges along which two cells do not share twists: cell and side of both."""
        shared = [
            {frozenset((i, j)) for group in groups for i, _ in group for j, _ in group} for groups in self.members
        ]
        out = []
        for (a, b), sides in self.mesh.edges.items():
            for k, other in enumerate(sides[1:], start=1):
                for one in sides[:k]:
                    pair = frozenset((one[0], other[0]))
                    if pair in shared[a] and pair in shared[b]:
                        break
                else:
                    out.append(((sides[0][0], sides[0][2]), (other[0], other[2])))
        return out
