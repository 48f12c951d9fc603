"""A surface of nodes with places, gradients and twists: mass, tables and factors of a shell's coordinates."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ....basics.pose import Pose
from ...shells.element_tables import BENDING_ORDER, MASS_ORDER, Elements, gauss, stretch_rule
from ..body import BodyData
from ..finite_element.coordinate_pairs import CoordinatePairs
from ..finite_element.nested_dissection import dissected
from ..finite_element.nodal_tables import NodalStation

SIX = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))
"""Entries of a symmetric matrix in the order of the kernels."""
EDGE = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0], [0.0, 0.0]])


class ShellSection(NamedTuple):
    """What a shell is made of.

    area        mass over the area [kg/m^2]
    stretch     N = A E, (3, 3) [N/m]
    bending     M = D K, (3, 3) [N m]
    damping     of the stretch and of the curvature [s]
    tension     N without deformation, (3,) [N/m]
    wrinkles    E t [N/m] and nu of a membrane that wrinkles, else zeros
    fold        stiffness of an edge along which it is folded, over its length [N]
    share       of the rule that sees all of the stretch
    """

    area: float
    stretch: np.ndarray
    bending: np.ndarray
    damping: tuple[float, float]
    tension: np.ndarray
    wrinkles: tuple[float, float]
    fold: float
    share: float


class ShellTables(CoordinatePairs):
    """Matrices of a shell: "nodes" are places, gradients and twists.

    elements    of its surface
    elastic     what it is made of
    held        of each vector the directions in which it is held, (k, 3) orthonormal
    """

    def __init__(self, elements: Elements, elastic: ShellSection, held: dict[int, np.ndarray]) -> None:
        from scipy.sparse import coo_array, csr_array, kron

        self.elements, self.elastic = elements, elastic
        values = elements.gradients.values
        count = len(values)
        rows, columns, data = [], [], []
        for vectors, mass in zip(elements.vectors, self._element_masses(), strict=True):
            rows.append(np.repeat(vectors, len(vectors)))
            columns.append(np.tile(vectors, len(vectors)))
            data.append(mass.ravel())
        masses = coo_array(
            (np.concatenate(data), (np.concatenate(rows), np.concatenate(columns))), shape=(count, count)
        )
        ways = [_free(held.get(a)) for a in range(count)]
        owner = np.repeat(np.arange(count), [len(one) for one in ways])
        flat = np.concatenate(ways)
        k, axis = np.nonzero(flat)
        shapes = coo_array((flat[k, axis], (3 * owner[k] + axis, k)), shape=(3 * count, len(flat)))
        none = csr_array((3 * count, 3 * count))
        mass = kron(masses.tocsr(), np.eye(3), format="csr")
        super().__init__(mass, none, shapes, values, (0.0, 0.0), carried=elements.placing.astype(float))

    def _element_masses(self) -> list[np.ndarray]:
        """Of all elements, (P, P) [kg]."""
        x, y, w = gauss(MASS_ORDER)
        known: dict[int, np.ndarray] = {}
        for k in np.unique(self.elements.alike).tolist():
            there = self.elements.at(k, x, y)
            known[k] = self.elastic.area * np.einsum("p,pa,pb->ab", w * there.area, there.S[0], there.S[0])
        return [known[k] for k in self.elements.alike.tolist()]

    # ------------------------------------------------------------------ who meets whom

    @cached_property
    def lists(self) -> list[np.ndarray]:
        """Vectors of all elements, and of all folds."""
        folds = [np.union1d(self.elements.vectors[a[0]], self.elements.vectors[b[0]]) for a, b in self.folded]
        return [*self.elements.vectors, *folds]

    @property
    def folded(self) -> list[tuple[tuple[int, int], tuple[int, int]]]:
        """Edges with a spring."""
        return self.elements.gradients.folds if self.elastic.fold > 0.0 else []

    @cached_property
    def groups(self) -> list[np.ndarray]:
        """Vectors in the order in which they are eliminated: those of a node together."""
        from scipy.sparse import coo_array

        owner, mesh = self.elements.gradients.nodes, self.elements.gradients.mesh
        meets = self.graph.tocoo()
        count = len(mesh.points)
        graph = coo_array((np.ones(meets.nnz), (owner[meets.row], owner[meets.col])), shape=(count, count)).tocsr()
        first = np.searchsorted(owner, np.arange(count + 1))
        return [
            np.concatenate([np.arange(first[a], first[a + 1]) for a in group])
            for group in dissected(graph, mesh.points)
        ]

    # ------------------------------------------------------------------ what the kernels read besides

    @cached_property
    def _rule(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return stretch_rule(self.elastic.share)

    def _table(self, k: int) -> np.ndarray:
        """The numbers of element k: see `kernels/bodies/nodal_layout.py`."""
        x, y, w = self._rule
        there = self.elements.at(k, x, y)
        stretch = np.concatenate([(w * there.area)[:, None], there.S[1], there.S[2]], axis=1)
        if not np.any(self.elastic.bending):
            return stretch.ravel()
        x, y, w = gauss(BENDING_ORDER)
        there = self.elements.at(k, x, y)
        bending = np.concatenate([(w * there.area)[:, None], there.bent, *there.S[1:]], axis=1)
        return np.concatenate([stretch.ravel(), bending.ravel()])

    def _fold_table(self, one: tuple[int, int], other: tuple[int, int], vectors: np.ndarray) -> np.ndarray:
        """The numbers of a fold between a side of one element and a side of another."""
        from ....kernels.bodies.nodal_layout import FOLD_POINTS

        x, w = np.polynomial.legendre.leggauss(FOLD_POINTS)
        f = 0.5 * (x + 1.0)
        cells = self.elements.gradients.mesh.cells
        sides = []
        for (k, side), turned in ((one, False), (other, cells[one[0]][one[1]] != cells[other[0]][other[1]])):
            g = 1.0 - f if turned else f
            place = EDGE[side] + g[:, None] * (EDGE[side + 1] - EDGE[side])
            raw = _first(self.elements, k, place)
            along = (EDGE[side + 1] - EDGE[side]) * (-1.0 if turned else 1.0)
            inward = np.array([[0.0, 1.0], [-1.0, 0.0], [0.0, -1.0], [1.0, 0.0]])[side]
            S = np.zeros((2, len(f), len(vectors)))
            at = np.searchsorted(vectors, self.elements.vectors[k])
            S[0][:, at], S[1][:, at] = (np.einsum("d,dpa->pa", way, raw) for way in (along, inward))
            sides.append(S)
        still = self.elements.gradients.values[vectors]
        t, a, b = sides[0][0] @ still, sides[0][1] @ still, sides[1][1] @ still
        g = np.linalg.norm(t, axis=1)
        t = t / g[:, None]
        a, b = (v - np.sum(v * t, axis=1)[:, None] * t for v in (a, b))
        a, b = (v / np.linalg.norm(v, axis=1)[:, None] for v in (a, b))
        cosine, sine = np.sum(a * b, axis=1), np.sum(t * np.cross(a, b), axis=1)
        head = np.stack([0.5 * w * g, cosine, sine], axis=1)
        return np.concatenate([head, sides[0][0], sides[0][1], sides[1][1]], axis=1).ravel()

    @cached_property
    def _own(self) -> tuple[np.ndarray, np.ndarray]:
        """Integers and floats of the shell itself, in no axes."""
        from ....kernels.bodies.nodal_layout import ElementRow

        m = self.elastic
        rest = np.linalg.solve(m.stretch, m.tension)
        head = [[m.stretch[i, j] for i, j in SIX], [m.bending[i, j] for i, j in SIX], m.damping, rest, m.wrinkles]
        tables = [np.concatenate([*map(np.asarray, head), [m.fold]])]
        size = len(tables[0])
        known: dict[int, int] = {}
        rows = np.zeros((len(self.lists), ElementRow.size), np.int64)
        behind: list[np.ndarray] = []
        at = rows.size
        for k, vectors in enumerate(self.lists):
            fold = k >= len(self.elements)
            key = k if fold else int(self.elements.alike[k])
            if key not in known:
                tables.append(
                    self._fold_table(*self.folded[k - len(self.elements)], vectors) if fold else self._table(k)
                )
                known[key], size = size, size + len(tables[-1])
            parts = [vectors, self.elements.placing[vectors], self.offsets(vectors).ravel()]
            rows[k] = known[key], len(vectors), at, at + 2 * len(vectors)
            behind += [np.asarray(one, np.int64) for one in parts]
            at += sum(len(one) for one in parts)
        return np.concatenate([rows.ravel(), *behind]), np.concatenate(tables)

    def data(self, held: Pose) -> BodyData:
        """The data of the body in its kernel frame."""
        from ....kernels.bodies.nodal_layout import NodalBody

        made = super().data(held)
        integers, floats = self._own
        header = NodalBody(made.integers.copy())
        bends = BENDING_ORDER**2 if np.any(self.elastic.bending) else 0
        header.stretch_points, header.bending_points = len(self._rule[0]), bends
        header.shells, header.folds = len(self.elements), len(self.folded)
        header.lay(table=len(made.integers), line=len(made.floats))
        return replace(
            made, integers=np.concatenate([header.numbers, integers]), floats=np.concatenate([made.floats, floats])
        )

    # ------------------------------------------------------------------ stations and linear answers

    def station(self, k: int, x: float, y: float) -> tuple[NodalStation, np.ndarray, np.ndarray]:
        """A point of element k: its place with entries, directions of these and their parts of place, r,1 and r,2 (in
        the place of rotations); and r,1, r,2 without deformation."""
        there = self.elements.at(k, np.array([x]), np.array([y]))
        vectors = self.elements.vectors[k]
        S = there.S[:3, 0]
        used = np.any(np.abs(S) > 1e-14 * np.max(np.abs(S), axis=1, keepdims=True), axis=0)
        entries = self.coordinates_of(np.sort(vectors[used]))
        parts = S[:, np.argsort(vectors)[np.searchsorted(np.sort(vectors), self.owner[entries])]].T
        place = S[0] @ self.nodes[vectors]
        return NodalStation(place, entries, self.ways[entries], parts), *there.axes[0]

    def stiffness(self) -> Any:
        """K without deformation, sparse (n, n): material, and what the pretension contributes."""
        from scipy.sparse import coo_array

        count = 3 * len(self.nodes)
        rows, columns, data = [], [], []
        known = {k: self._element_stiffness(k) for k in np.unique(self.elements.alike).tolist()}
        for k, vectors in zip(self.elements.alike.tolist(), self.elements.vectors, strict=True):
            K = known[k]
            at = (3 * vectors[:, None] + np.arange(3)).ravel()
            rows.append(np.repeat(at, len(at)))
            columns.append(np.tile(at, len(at)))
            data.append(K.ravel())
        for one, other in self.folded:
            vectors = np.union1d(self.elements.vectors[one[0]], self.elements.vectors[other[0]])
            turns = self._fold_turns(one, other, vectors)
            at = (3 * vectors[:, None] + np.arange(3)).ravel()
            rows.append(np.repeat(at, len(at)))
            columns.append(np.tile(at, len(at)))
            data.append((turns.T @ turns).ravel())
        total = coo_array((np.concatenate(data), (np.concatenate(rows), np.concatenate(columns))), shape=(count, count))
        return (self.shapes.T @ total.tocsr() @ self.shapes).tocsr()

    def _element_stiffness(self, k: int) -> np.ndarray:
        m = self.elastic
        x, y, w = self._rule
        there = self.elements.at(k, x, y)
        w, S, axes = w * there.area, there.S, there.axes
        size = S.shape[2]
        B = np.zeros((len(w), 3, size, 3))
        B[:, 0] = np.einsum("pa,pc->pac", S[1], axes[:, 0])
        B[:, 1] = np.einsum("pa,pc->pac", S[2], axes[:, 1])
        B[:, 2] = np.einsum("pa,pc->pac", S[1], axes[:, 1]) + np.einsum("pa,pc->pac", S[2], axes[:, 0])
        K = np.einsum("p,piac,ij,pjbd->acbd", w, B, m.stretch, B, optimize=True)
        N = m.tension
        pull = np.einsum("p,pa,pb->ab", w * N[0], S[1], S[1]) + np.einsum("p,pa,pb->ab", w * N[1], S[2], S[2])
        mixed = np.einsum("p,pa,pb->ab", w * N[2], S[1], S[2])
        K += np.einsum("ab,cd->acbd", pull + mixed + mixed.T, np.eye(3))
        if np.any(m.bending):
            x, y, w = gauss(BENDING_ORDER)
            there = self.elements.at(k, x, y)
            w, S, axes = w * there.area, there.S, there.axes
            normal = np.cross(axes[:, 0], axes[:, 1])
            second = S[3:] @ self.nodes[self.elements.vectors[k]]
            B = np.zeros((len(w), 3, size, 3))
            for i, factor in enumerate((1.0, 1.0, 2.0)):
                p = second[i] - np.sum(second[i] * normal, axis=1)[:, None] * normal
                turn = np.einsum("pa,pc->pac", S[1], np.cross(axes[:, 1], p))
                turn += np.einsum("pa,pc->pac", S[2], np.cross(p, axes[:, 0]))
                B[:, i] = factor * (np.einsum("pa,pc->pac", S[3 + i], normal) + turn)
            K += np.einsum("p,piac,ij,pjbd->acbd", w, B, m.bending, B, optimize=True)
        return K.reshape(3 * size, 3 * size)

    def _fold_turns(self, one: tuple[int, int], other: tuple[int, int], vectors: np.ndarray) -> np.ndarray:
        """The root of weight and stiffness times the derivative of the angle of a fold by its vectors, at its points
        without deformation, (points, 3 P)."""
        out = []
        still = self.nodes[vectors]
        for row in self._fold_table(one, other, vectors).reshape(-1, 3 + 3 * len(vectors)):
            t, a, b = row[3:].reshape(3, -1)
            tangent = t @ still
            g = np.linalg.norm(tangent)
            unit, by = tangent / g, np.zeros((len(vectors), 3))
            for S, sign in ((a, -1.0), (b, 1.0)):
                v = S @ still
                w = v - (v @ unit) * unit
                m = sign * np.cross(unit, w) / (w @ w)
                by += S[:, None] * m - t[:, None] * (v @ unit) / g * m
            out.append(np.sqrt(self.elastic.fold * row[0]) * by.ravel())
        return np.array(out)

    def frequencies(self) -> np.ndarray:
        """A bound of the highest natural frequency, the highest of an element by itself [rad/s]."""
        from scipy.linalg import eigh

        masses = self._element_masses()
        top = 0.0
        for k in np.unique(self.elements.alike).tolist():
            mass = np.kron(masses[k], np.eye(3))
            top = max(top, float(eigh(self._element_stiffness(k), mass, eigvals_only=True)[-1]))
        fold = 0.0
        for one, other in self.folded:
            vectors = np.union1d(self.elements.vectors[one[0]], self.elements.vectors[other[0]])
            mass = np.zeros((len(vectors), len(vectors)))
            for k, _ in (one, other):  # an element has four edges
                at = np.searchsorted(vectors, self.elements.vectors[k])
                mass[np.ix_(at, at)] += 0.25 * masses[k]
            by = np.linalg.solve(np.kron(mass, np.eye(3)), self._fold_turns(one, other, vectors).T)
            fold = max(fold, float(np.linalg.norm(self._fold_turns(one, other, vectors) @ by, 2)))
        return np.array([np.sqrt(top + fold)])


def _free(held: np.ndarray | None) -> np.ndarray:
    """Directions (k, 3) in which a vector can move: x, y, z, or what is across those in which it is held."""
    if held is None or not len(held):
        return np.eye(3)
    rest = np.eye(3) - held.T @ held
    out: list[np.ndarray] = []
    for axis in rest[np.argsort(-np.round(np.linalg.norm(rest, axis=1), 9), kind="stable")]:
        axis = axis - sum((axis @ one) * one for one in out)
        if np.linalg.norm(axis) > 1e-6 and len(out) < 3 - len(held):
            out.append(axis / np.linalg.norm(axis))
    return np.array(out).reshape(-1, 3)


def _first(elements: Elements, k: int, place: np.ndarray) -> np.ndarray:
    """What each vector adds to r_x and r_y of element k at places of its parameters, (2, p, P)."""
    from ...shells.element_tables import bicubic

    return bicubic(place[:, 0], place[:, 1])[1:3] @ elements.maps[k]
