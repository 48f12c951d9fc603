"""Isoparametric elements, a row of numbers each: reference nodes, powers of the shape functions, sides.

The shape functions of an element are the combinations of its monomials that are one at one node and zero at the others
(Zienkiewicz & Taylor 2000, volume 1, chapter 8). Nodes are in the order of VTK: corners first, then middles of edges.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product

import numpy as np


@dataclass(frozen=True, eq=False)
class Element:
    """One kind of element.

    name      "hex8"
    vtk       its name in meshio
    corners   reference coordinates of the corners, (c, d)
    edges     pairs of corners whose middles are nodes too, behind the corners; none for a linear element
    powers    of the monomials that its shape functions are made of, (k, d)
    sides     nodes of its sides, going round so that the normal points outwards; corners first
    linear    the element of the same corners without middles; itself for a linear one
    """

    name: str
    vtk: str
    corners: np.ndarray
    edges: tuple[tuple[int, int], ...]
    powers: np.ndarray
    sides: tuple[tuple[int, ...], ...]
    linear: str

    @property
    def dimensions(self) -> int:
        """Of its space."""
        return self.corners.shape[1]

    @property
    def size(self) -> int:
        """How many nodes it has."""
        return len(self.powers)

    @property
    def simplex(self) -> bool:
        """Whether it is a triangle or a tetrahedron."""
        return len(self.corners) == self.dimensions + 1

    @cached_property
    def nodes(self) -> np.ndarray:
        """Reference coordinates of all nodes, (k, d)."""
        middles = [0.5 * (self.corners[a] + self.corners[b]) for a, b in self.edges]
        return np.vstack([self.corners, *middles]) if middles else self.corners

    @cached_property
    def _combination(self) -> np.ndarray:
        return np.linalg.inv(self._monomials(self.nodes))

    def _monomials(self, x: np.ndarray) -> np.ndarray:
        return np.prod(x[:, None, :] ** self.powers[None], axis=2)

    def shapes(self, x: np.ndarray) -> np.ndarray:
        """Shape functions at reference points (p, d): (p, k)."""
        return self._monomials(x) @ self._combination

    def partials(self, x: np.ndarray) -> np.ndarray:
        """Their derivatives by the reference coordinates, (p, k, d)."""
        out = []
        for axis in range(self.dimensions):
            lower = self.powers.copy()
            lower[:, axis] = np.maximum(lower[:, axis] - 1, 0)
            terms = self.powers[:, axis] * np.prod(x[:, None, :] ** lower[None], axis=2)
            out.append(terms @ self._combination)
        return np.stack(out, axis=2)

    @cached_property
    def quadrature(self) -> tuple[np.ndarray, np.ndarray]:
        """Points (p, d) and weights (p,): exact for products of two shape functions on straight elements."""
        return simplex_rule(self.dimensions, self._order) if self.simplex else cube_rule(self.dimensions, self._order)

    @property
    def _order(self) -> int:
        return 3 if self.edges else 2


def cube_rule(dimensions: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Gauss's rule with n points a direction on [-1, 1]^d."""
    x, w = np.polynomial.legendre.leggauss(n)
    points = np.array(list(product(x, repeat=dimensions)))
    return points, np.array([np.prod(one) for one in product(w, repeat=dimensions)])


def simplex_rule(dimensions: int, n: int) -> tuple[np.ndarray, np.ndarray]:
    """Stroud's conical product: Gauss-Jacobi rules on the unit triangle or tetrahedron, exact to degree 2 n - 1."""
    from scipy.special import roots_jacobi

    rules = []
    for power in range(dimensions - 1, -1, -1):
        x, w = roots_jacobi(n, power, 0)
        rules.append((0.5 * (1.0 + x), w / 2.0 ** (power + 1)))
    points, weights = [], []
    for choice in product(range(n), repeat=dimensions):
        left, point, weight = 1.0, [], 1.0
        for (x, w), k in zip(rules, choice, strict=True):
            point.append(left * x[k])
            left *= 1.0 - x[k]
            weight *= w[k]
        points.append(point)
        weights.append(weight)
    return np.array(points), np.array(weights)


def _up_to(degree: int, dimensions: int) -> np.ndarray:
    """Powers of all monomials of at most a degree."""
    return np.array([p for p in product(range(degree + 1), repeat=dimensions) if sum(p) <= degree])


def _serendipity(dimensions: int) -> np.ndarray:
    """Powers of the quadratic serendipity elements: squares of one coordinate, times the others to the first power."""
    return np.array([p for p in product(range(3), repeat=dimensions) if sum(one for one in p if one > 1) <= 2])


_TRIANGLE = np.array([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)])
_SQUARE = np.array([(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)])
_TETRAHEDRON = np.array([(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)])
_CUBE = np.vstack([np.column_stack([_SQUARE, np.full(4, z)]) for z in (-1.0, 1.0)])
_ROUND3, _ROUND4 = ((0, 1), (1, 2), (2, 0)), ((0, 1), (1, 2), (2, 3), (3, 0))
_TET_EDGES = ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3))
_HEX_EDGES = (*_ROUND4, (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7))
_TET_SIDES = ((0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2))
_HEX_SIDES = ((0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))


def _with_middles(sides: tuple[tuple[int, ...], ...], edges: tuple[tuple[int, int], ...], corners: int) -> tuple:
    """Sides with the middles of their edges behind their corners."""
    number = {frozenset(edge): corners + i for i, edge in enumerate(edges)}
    out = []
    for side in sides:
        pairs = [(side[0], side[1])] if len(side) == 2 else list(zip(side, (*side[1:], side[0]), strict=True))
        out.append((*side, *(number[frozenset(pair)] for pair in pairs)))
    return tuple(out)


def _family(names: tuple[str, str], vtk: tuple[str, str], corners: np.ndarray, edges: tuple, sides: tuple,
            powers: tuple[np.ndarray, np.ndarray]) -> dict[str, Element]:  # fmt: skip
    low, high = names
    return {
        low: Element(low, vtk[0], corners, (), powers[0], sides, low),
        high: Element(high, vtk[1], corners, edges, powers[1], _with_middles(sides, edges, len(corners)), low),
    }


_ONES2, _ONES3 = (np.array(list(product(range(2), repeat=d))) for d in (2, 3))
ELEMENTS: dict[str, Element] = {
    **_family(("tri3", "tri6"), ("triangle", "triangle6"), _TRIANGLE, _ROUND3, _ROUND3, (_up_to(1, 2), _up_to(2, 2))),
    **_family(("quad4", "quad8"), ("quad", "quad8"), _SQUARE, _ROUND4, _ROUND4, (_ONES2, _serendipity(2))),
    **_family(("tet4", "tet10"), ("tetra", "tetra10"), _TETRAHEDRON, _TET_EDGES, _TET_SIDES,
              (_up_to(1, 3), _up_to(2, 3))),
    **_family(("hex8", "hex20"), ("hexahedron", "hexahedron20"), _CUBE, _HEX_EDGES, _HEX_SIDES,
              (_ONES3, _serendipity(3))),
}  # fmt: skip
"""Elements by name."""
QUADRATIC = {element.linear: name for name, element in ELEMENTS.items() if element.edges}
"""The quadratic element of each linear one."""


def element_of(dimensions: int, nodes: int) -> Element | None:
    """The element with so many nodes in a plane or in space, or None."""
    return next((one for one in ELEMENTS.values() if (one.dimensions, one.size) == (dimensions, nodes)), None)
