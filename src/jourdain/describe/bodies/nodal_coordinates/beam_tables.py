"""A line of nodes with a place and two gradients across it each: mass, tables and factors of a rod's coordinates."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from ....basics.pose import Pose
from ..body import BodyData
from ..finite_element.coordinate_pairs import CoordinatePairs
from ..finite_element.nodal_tables import NodalStation

KEPT = {"clamped": (0, 1, 2), "pinned": (0,), "free": ()}
"""Which of the vectors of the first node the body's frame holds: place and gradients, the place, none."""
GAUSS = 0.5 + np.array([-0.5, 0.5]) / np.sqrt(3.0)
"""Fractions of an element at which its strains are taken."""
SIMPSON = np.array([1.0, 4.0, 1.0]) / 6.0
"""Shares of the length of an element that its nodes have."""


def parabolas(f: np.ndarray, derivative: int = 0) -> np.ndarray:
    """The functions (m, 3) of the nodes at 0, 1/2 and 1, or their derivatives, at fractions f of an element."""
    x = np.asarray(f, float)
    if derivative:
        return np.stack([4.0 * x - 3.0, 4.0 - 8.0 * x, 4.0 * x - 1.0], axis=1)
    return np.stack([(1.0 - x) * (1.0 - 2.0 * x), 4.0 * x * (1.0 - x), x * (2.0 * x - 1.0)], axis=1)


def skew(x: np.ndarray) -> np.ndarray:
    """The matrices (..., 3, 3) that x times are."""
    return np.cross(x[..., None, :], -np.eye(3))


def helix(s: np.ndarray, curvature: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Places (m, 3) and axes (m, 3, 3) of a line from the origin along x, at lengths s, that turns at a constant rate.

    The axes are R(s) = exp(s kappa~), in columns, and the line is their first integrated.
    """
    turn = np.linalg.norm(curvature) * s
    W = skew(np.asarray(curvature, float))[None] * s[:, None, None]
    half = 0.5 * np.sinc(0.5 * turn / np.pi) ** 2  # (1 - cos) / turn^2
    small = turn < 1e-2
    t = np.where(small, 1.0, turn)
    third = np.where(small, 1.0 / 6.0 - turn**2 / 120.0 + turn**4 / 5040.0, (t - np.sin(t)) / t**3)
    one = np.sinc(turn / np.pi)
    axes = np.eye(3) + one[:, None, None] * W + half[:, None, None] * (W @ W)
    mean = np.eye(3) + half[:, None, None] * W + third[:, None, None] * (W @ W)
    return s[:, None] * mean[:, :, 0], axes


def triads(a: np.ndarray, b: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Axes (..., 3, 3), in columns, of gradients d_2 and d_3 (..., 3) with weights (..., 2)."""
    t1 = np.cross(a, b)
    t1 = t1 / np.linalg.norm(t1, axis=-1, keepdims=True)
    t2 = weights[..., :1] * a + weights[..., 1:] * np.cross(b, t1)
    t2 = t2 / np.linalg.norm(t2, axis=-1, keepdims=True)
    return np.stack([t1, t2, np.cross(t1, t2)], axis=-1)


def strains(u: np.ndarray, a: np.ndarray, b: np.ndarray, da: np.ndarray, db: np.ndarray) -> np.ndarray:
    """Gamma and K (..., 6) of u = r', directors and their derivatives: see `kernels/bodies/simo_reissner_beam.py`."""
    d = np.cross(a, b)
    parts = [d * u, a * u, b * u, 0.5 * (b * da - a * db), d * db, -d * da]
    return np.stack([np.sum(one, axis=-1) for one in parts], axis=-1)


class Fibre(NamedTuple):
    """What a rod is made of, by fractions of its length.

    stiffness    EA, GA_y, GA_z [N], GJ, EI about y, EI about z [N m^2], (m, 6) at fractions (m,)
    mass         over the length [kg/m], and of y^2 and z^2 over the section [kg m], (m, 3)
    damping      of the stretch and shear, and of the curvature [s]
    rigidity     frequency of a strained section over that of its shear
    even         whether nothing varies along it
    """

    stiffness: Callable[[np.ndarray], np.ndarray]
    mass: Callable[[np.ndarray], np.ndarray]
    damping: tuple[float, float]
    rigidity: float
    even: bool


class BeamTables(CoordinatePairs):
    """Matrices of a rod: "nodes" are places and two gradients in turn.

    length       without deformation [m]
    elements     how many, with three nodes each
    curvature    without deformation, about x, y and z of its sections, (3,) [1/m]
    fibre        what it is made of
    root         a word of `KEPT`
    """

    def __init__(self, length: float, elements: int, curvature: np.ndarray, fibre: Fibre, root: str) -> None:
        from scipy.sparse import coo_array, csr_array, kron

        from ....kernels.bodies.nodal_layout import RodStepScratch

        self.scratch = RodStepScratch.size
        self.length, self.elements, self.fibre = length / elements, elements, fibre
        place, axes = helix(np.linspace(0.0, length, 2 * elements + 1), curvature)
        vectors = np.stack([place, axes[:, :, 1], axes[:, :, 2]], axis=1).reshape(-1, 3)
        count = len(vectors)
        free = np.setdiff1d(np.arange(count), KEPT[root])
        rows = [np.repeat(one, 3) for k in range(3) for one in self._ends + k]
        columns = [np.tile(one, 3) for k in range(3) for one in self._ends + k]
        data = [one.ravel() for k in range(3) for one in self._element_masses[:, k]]
        masses = coo_array(
            (np.concatenate(data), (np.concatenate(rows), np.concatenate(columns))), shape=(count, count)
        )
        chosen = (3 * free[:, None] + np.arange(3)).ravel()
        shapes = coo_array((np.ones(len(chosen)), (chosen, np.arange(len(chosen)))), shape=(3 * count, len(chosen)))
        carried = (np.arange(count) % 3 == 0).astype(float)
        mass = kron(masses.tocsr(), np.eye(3), format="csr")
        super().__init__(mass, csr_array((3 * count, 3 * count)), shapes, vectors, (0.0, 0.0), carried=carried)

    @property
    def _ends(self) -> np.ndarray:
        """Places of the nodes of each element among the vectors, (elements, 3)."""
        return 6 * np.arange(self.elements)[:, None] + 3 * np.arange(3)

    def _fractions(self, f: np.ndarray) -> np.ndarray:
        """Fractions of the length of places f in each element, (elements, m)."""
        return (np.arange(self.elements)[:, None] + f) / self.elements

    @cached_property
    def _element_masses(self) -> np.ndarray:
        """int N_a N_b dm of places and gradients in each element, (elements, 3, 3, 3) [kg, kg m^2]."""
        x, w = np.polynomial.legendre.leggauss(4)
        f = 0.5 * (x + 1.0)
        N, density = parabolas(f), self.fibre.mass(self._fractions(f).ravel()).reshape(self.elements, len(f), 3)
        return np.einsum("p,epk,pa,pb->ekab", 0.5 * self.length * w, density, N, N)

    @cached_property
    def lists(self) -> list[np.ndarray]:
        return [6 * k + np.arange(9) for k in range(self.elements)]

    @cached_property
    def groups(self) -> list[np.ndarray]:
        """Along the line, two nodes at a time."""
        return [*(6 * k + np.arange(6) for k in range(self.elements)), 6 * self.elements + np.arange(3)]

    # ------------------------------------------------------------------ what the kernels read besides

    @cached_property
    def _sections(self) -> np.ndarray:
        """C_22, C_33 and C_23 of nodes, times the length that they have in each element, (elements, 3, 3) [N m].

        A strained section rings as fast as its shear does, or `rigidity` times that: omega^2 = GA / int y^2 dm.
        """
        f = self._fractions(np.array([0.0, 0.5, 1.0])).ravel()
        y, z = self.fibre.mass(f)[:, 1:].T
        shear = self.fibre.stiffness(f)[:, 1:3].T
        square = self.fibre.rigidity**2 * np.maximum(shear[0] / y, shear[1] / z)
        C = (square * np.stack([y, z, 0.25 * (y + z)])).T.reshape(self.elements, 3, 3)
        return self.length * SIMPSON[:, None] * C

    def weights_at(self, f: np.ndarray) -> np.ndarray:
        """w_2 and w_3 at fractions f of the length, (m, 2): as int y^2 dm and int z^2 dm."""
        both = self.fibre.mass(f)[:, 1:]
        return both / np.sum(both, axis=1, keepdims=True)

    @cached_property
    def weights(self) -> np.ndarray:
        """Of the nodes, (N, 2)."""
        return self.weights_at(np.linspace(0.0, 1.0, 2 * self.elements + 1))

    @cached_property
    def rest(self) -> np.ndarray:
        """Gamma and K without deformation at the points of each element, (elements, 2, 6)."""
        return self.taken(self.nodes[None])[0]

    @cached_property
    def _tables(self) -> np.ndarray:
        """The numbers of each element: see `kernels/bodies/nodal_layout.py`."""
        D = self.fibre.stiffness(self._fractions(GAUSS).ravel()).reshape(self.elements, 2, 6)
        functions = np.concatenate([parabolas(GAUSS), parabolas(GAUSS, 1) / self.length], axis=1)
        weights = np.full((2, 1), 0.5 * self.length)
        same = np.broadcast_to(np.concatenate([weights, functions], axis=1), (self.elements, 2, 7))
        points = np.concatenate([same, D, self.rest], axis=2)
        nodes = 2 * np.arange(self.elements)[:, None] + np.arange(3)
        sections = np.concatenate([self._sections, self.weights[nodes]], axis=2)
        return np.concatenate([points.reshape(self.elements, -1), sections.reshape(self.elements, -1)], axis=1)

    def data(self, held: Pose) -> BodyData:
        """The data of the body in its kernel frame."""
        from ....kernels.bodies.nodal_layout import ElementRow, NodalBody

        made = super().data(held)
        kinds = 1 if self.fibre.even else self.elements
        rows = np.zeros((self.elements, ElementRow.size), np.int64)
        width, behind = self._tables.shape[1], []
        at = rows.size
        for k, vectors in enumerate(self.lists):
            rows[k] = 2 + width * min(k, kinds - 1), len(vectors), at, at + len(vectors)
            behind += [vectors, self.offsets(vectors).ravel()]
            at += len(vectors) * (1 + len(vectors))
        header = NodalBody(made.integers.copy())
        header.rods = self.elements
        header.lay(table=len(made.integers), line=len(made.floats))
        floats = np.concatenate([made.floats, self.fibre.damping, self._tables[:kinds].ravel()])
        return replace(made, integers=np.concatenate([header.numbers, rows.ravel(), *behind]), floats=floats)

    # ------------------------------------------------------------------ stations, strains, linear answers

    def blend(self, s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """First node (m,) of the elements of places s along the line [m], and the functions (m, 3) of their nodes."""
        k = np.minimum((s / self.length).astype(int), self.elements - 1)
        f = s / self.length - k
        f = np.where(np.abs(2.0 * f - np.round(2.0 * f)) < 1e-12, 0.5 * np.round(2.0 * f), f)
        return 2 * k, parabolas(f)

    def along(self, vectors: np.ndarray, s: np.ndarray) -> np.ndarray:
        """Places and gradients (nt, m, 3, 3) at places s [m], of vectors (nt, V, 3)."""
        first, N = self.blend(s)
        nodes = vectors.reshape(len(vectors), -1, 3, 3)[:, first[:, None] + np.arange(3)]
        return np.einsum("ma,tmakc->tmkc", N, nodes)

    def taken(self, vectors: np.ndarray, rates: np.ndarray | None = None) -> np.ndarray:
        """Gamma and K at the points of all elements, (nt, elements, 2, 6), of vectors (nt, V, 3); or their rates."""
        nodes = vectors.reshape(len(vectors), -1, 3, 3)
        axes = triads(nodes[:, :, 1], nodes[:, :, 2], self.weights)
        lines = np.stack([nodes[:, :, 0], axes[..., 1], axes[..., 2]], axis=2)
        ends = 2 * np.arange(self.elements)[:, None] + np.arange(3)
        N, D = parabolas(GAUSS), parabolas(GAUSS, 1) / self.length

        def at(x: np.ndarray) -> list[np.ndarray]:
            value, slope = (np.einsum("pa,teakc->tepkc", one, x[:, ends]) for one in (N, D))
            return [slope[..., 0, :], value[..., 1, :], value[..., 2, :], slope[..., 1, :], slope[..., 2, :]]

        p = at(lines)
        if rates is None:
            return strains(*p)
        change = rates.reshape(nodes.shape)
        turn = turning(axes, self.weights, nodes[:, :, 1], nodes[:, :, 2], change[:, :, 1], change[:, :, 2])
        moved = [change[:, :, 0], np.cross(turn, axes[..., 1]), np.cross(turn, axes[..., 2])]
        r = at(np.stack(moved, axis=2))
        # of third degree at most: two differences give the derivative
        ends_ = [strains(*(x + h * y for x, y in zip(p, r, strict=True))) for h in (-1.0, 1.0, -0.5, 0.5)]
        return (8.0 * (ends_[3] - ends_[2]) - (ends_[1] - ends_[0])) / 6.0

    def station(self, s: float) -> tuple[NodalStation, np.ndarray, np.ndarray]:
        """A place along the line [m]: coordinates, their directions and their parts of place, d_2 and d_3 (in the place
        of rotations), which are orthonormal without deformation; and these two."""
        (first,), (N,) = self.blend(np.array([s]))
        nodes = self.nodes.reshape(-1, 3, 3)[first : first + 3]
        place, u, v = np.einsum("a,akc->kc", N, nodes)
        g = float(np.linalg.norm(u))
        along = float(u @ v) / g**2
        c = float(np.linalg.norm(v - along * u))
        used = 3 * (first + np.flatnonzero(N != 0.0))
        entries = self.coordinates_of((used[:, None] + np.arange(3)).ravel())
        owner = self.owner[entries]
        share = N[owner // 3 - first]
        parts = np.array([[1.0, 0.0, 0.0], [0.0, 1.0 / g, -along / c], [0.0, 0.0, 1.0 / c]])[owner % 3]
        return NodalStation(place, entries, self.ways[entries], share[:, None] * parts), u / g, (v - along * u) / c

    @cached_property
    def _element_stiffness(self) -> np.ndarray:
        """Without deformation, (elements, 27, 27)."""
        nodes = self.nodes.reshape(-1, 3, 3)
        T = np.zeros((len(nodes), 9, 9))
        T[:, :3, :3] = np.eye(3)
        axes = triads(nodes[:, 1], nodes[:, 2], self.weights)
        for j in range(6):
            unit = np.zeros((2, len(nodes), 3))
            unit[j // 3, :, j % 3] = 1.0
            turn = turning(axes, self.weights, nodes[:, 1], nodes[:, 2], unit[0], unit[1])
            T[:, 3:6, 3 + j], T[:, 6:, 3 + j] = np.cross(turn, nodes[:, 1]), np.cross(turn, nodes[:, 2])
        K = np.zeros((self.elements, 27, 27))
        N, S = parabolas(GAUSS), parabolas(GAUSS, 1) / self.length
        D = self._tables[:, : 2 * 19].reshape(self.elements, 2, 19)[:, :, 7:13]
        for e in range(self.elements):
            mine = nodes[2 * e : 2 * e + 3]
            for p in range(2):
                u, a, b = S[p] @ mine[:, 0], N[p] @ mine[:, 1], N[p] @ mine[:, 2]
                by = _partials(u, a, b, S[p] @ mine[:, 1], S[p] @ mine[:, 2])
                B = np.zeros((6, 3, 9))
                for j in range(3):
                    B[:, j, :3] = S[p, j] * by[:, 0]
                    B[:, j, 3:6] = N[p, j] * by[:, 1] + S[p, j] * by[:, 3]
                    B[:, j, 6:] = N[p, j] * by[:, 2] + S[p, j] * by[:, 4]
                    B[:, j] = B[:, j] @ T[2 * e + j]
                flat = B.reshape(6, 27)
                K[e] += 0.5 * self.length * (flat.T * D[e, p]) @ flat
            for j in range(3):
                a, b, none = mine[j, 1], mine[j, 2], np.zeros(3)
                rows = np.array([[*a, *none], [*none, *b], [*b, *a]])
                at = slice(9 * j + 3, 9 * j + 9)
                K[e, at, at] += (rows.T * self._sections[e, j]) @ rows
        return K

    def stiffness(self) -> Any:
        """K without deformation, sparse (n, n)."""
        from scipy.sparse import coo_array

        count = 3 * len(self.nodes)
        at = 18 * np.arange(self.elements)[:, None] + np.arange(27)
        rows, columns = np.repeat(at, 27, axis=1).ravel(), np.tile(at, (1, 27)).ravel()
        total = coo_array((self._element_stiffness.ravel(), (rows, columns)), shape=(count, count)).tocsr()
        return (self.shapes.T @ total @ self.shapes).tocsr()

    def frequencies(self) -> np.ndarray:
        """A bound of the highest natural frequency, the highest of an element by itself [rad/s]."""
        from scipy.linalg import block_diag, eigh

        top = 0.0
        for k in range(1 if self.fibre.even else self.elements):
            order = (np.arange(3)[:, None] + 3 * np.arange(3)).ravel()  # kinds of vectors to nodes
            mass = np.kron(block_diag(*self._element_masses[k])[np.ix_(order, order)], np.eye(3))
            top = max(top, float(eigh(self._element_stiffness[k], mass, eigvals_only=True)[-1]))
        return np.array([np.sqrt(top)])


def turning(
    axes: np.ndarray, weights: np.ndarray, a: np.ndarray, b: np.ndarray, da: np.ndarray, db: np.ndarray
) -> np.ndarray:
    """How triads with axes (..., 3, 3), in columns, of gradients a and b turn where these change, (..., 3)."""
    t1, t2, t3 = (axes[..., k] for k in range(3))
    w2, w3 = weights[..., :1], weights[..., 1:]

    def dot(x: np.ndarray, y: np.ndarray) -> np.ndarray:
        return np.sum(x * y, axis=-1, keepdims=True)

    a2, b2, a3, b3 = dot(a, t2), dot(a, t3), dot(b, t2), dot(b, t3)
    x2, x3, J = dot(t1, da), dot(t1, db), a2 * b3 - a3 * b2
    about1 = (w2 * dot(t3, da) - w3 * dot(t2, db)) / (w2 * a2 + w3 * b3)
    return about1 * t1 + (a2 * x3 - a3 * x2) / J * t2 + (b2 * x3 - b3 * x2) / J * t3


def _partials(u: np.ndarray, a: np.ndarray, b: np.ndarray, da: np.ndarray, db: np.ndarray) -> np.ndarray:
    """Derivatives (6, 5, 3) of `strains` by u, a, b, a', b'."""
    d, none = np.cross(a, b), np.zeros(3)
    return np.array(
        [
            [d, np.cross(b, u), np.cross(u, a), none, none],
            [a, u, none, none, none],
            [b, none, u, none, none],
            [none, -0.5 * db, 0.5 * da, 0.5 * b, -0.5 * a],
            [none, np.cross(b, db), np.cross(db, a), none, d],
            [none, np.cross(da, b), np.cross(a, da), -d, none],
        ]
    )
