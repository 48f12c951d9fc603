"""The shape functions of a beam's coordinates, where they have kinks, and how many points their products take."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from .quadrature import gauss, integrals
from .shape_functions import Family

FINE = 24
"""Gauss points on a quarter of a beam, or on an element, for integrals that are taken once."""
SPECTRAL = 6
"""Points beyond the half waves of a product of eigenfunctions: errors below 1e-8, as measured on all families, and
below 1e-5 for the dual functions, which are differences of such products."""


@dataclass(frozen=True, eq=False)
class Shapes:
    """Shape functions of all n coordinates at points along a beam: (n, points) each; zero where not theirs."""

    u: np.ndarray
    v: np.ndarray
    w: np.ndarray
    twist: np.ndarray


Strains = dict[str, tuple[np.ndarray, str, str]]
"""Strains and internal forces by name: values, unit, and what it is."""


def section_strains(
    axial: np.ndarray, twist: np.ndarray, about_y: np.ndarray, about_z: np.ndarray, stiffness: tuple[Any, Any, Any, Any]
) -> Strains:
    """Strains of a beam's axis and the internal forces of elastic sections.

    axial, twist        [1, rad/m]
    about_y, about_z    curvatures [1/m]
    stiffness           EA [N], EI about z and about y, GJ [N m^2]
    """
    EA, EI_z, EI_y, GJ = stiffness
    return {
        "axial": (axial, "1", "axial strain"),
        "kappa_y": (about_y, "1/m", "curvature about y"),
        "kappa_z": (about_z, "1/m", "curvature about z"),
        "twist": (twist, "rad/m", "twist a length"),
        "force": (EA * axial, "N", "axial force"),
        "moment_y": (EI_y * about_y, "N m", "bending moment about y"),
        "moment_z": (EI_z * about_z, "N m", "bending moment about z"),
        "torque": (GJ * twist, "N m", "torque about x"),
    }


def weighted(one: np.ndarray, weights: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Weighted sums over the points of pieces of the products of functions, (pieces, n, m)."""
    return (one * weights[:, None]) @ np.swapaxes(other, 1, 2)


def about_own_axes(phi: np.ndarray, about_y: np.ndarray, about_z: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Curvatures about the own axes of a section that twist has turned by phi [rad]."""
    c, s = np.cos(phi), np.sin(phi)
    return c * about_y + s * about_z, c * about_z - s * about_y


@dataclass(frozen=True, eq=False)
class BeamShapes:
    """Shape functions of a beam from x = start over its length, in the order of its coordinates.

    bending    along y, along z
    """

    start: float
    length: float
    bending: tuple[Family, Family]
    axial: Family
    torsion: Family

    @property
    def families(self) -> tuple[Family, Family, Family, Family]:
        return (*self.bending, self.axial, self.torsion)

    @property
    def edges(self) -> np.ndarray:
        """Where one function or another is not smooth, and the ends [m]."""
        marks = {k / f.elements for f in self.families for k in range(f.elements + 1)}
        return self.start + self.length * np.array(sorted(marks))

    @property
    def fine_edges(self) -> np.ndarray:
        """Edges of pieces so short that `FINE` points on each integrate any product of four functions."""
        edges = self.edges
        return np.linspace(edges[0], edges[-1], 5) if len(edges) == 2 else edges

    def at(self, x: np.ndarray, derivative: int = 0) -> Shapes:
        """Derivatives of the shapes of all coordinates at points x of the body frame [m]."""
        x = np.atleast_1d(np.asarray(x, float))
        values = [f.at(x, derivative) for f in self.families]
        n, points = sum(len(value) for value in values), len(x)
        parts, at = [], 0
        for value in values:
            whole = np.zeros((n, points))
            whole[at : at + len(value)] = value
            parts.append(whole)
            at += len(value)
        v, w, u, twist = parts
        return Shapes(u, v, w, twist)

    def pieces(self, x: np.ndarray, derivative: int = 0) -> Shapes:
        """`at` places on pieces of the beam, (pieces, points), as (pieces, n, points) each."""
        flat = self.at(x.ravel(), derivative)
        u, v, w, twist = (
            np.moveaxis(one.reshape(len(one), *x.shape), 0, 1) for one in (flat.u, flat.v, flat.w, flat.twist)
        )
        return Shapes(u, v, w, twist)

    def points(self, bending: int = 0, axial: int = 0, torsion: int = 0, derivatives: int = 0) -> int:
        """Gauss points between two edges for the product of so many functions, so many times differentiated in all."""
        b = max(f.order for f in self.bending)
        order = bending * b + axial * self.axial.order + torsion * self.torsion.order
        if all(f.polynomial for f in self.families):
            return max(0, math.floor(order) - derivatives) // 2 + 1
        return math.ceil(order) + SPECTRAL

    def slice_points(self, shortened: bool) -> int:
        """Gauss points between two edges that integrate the mass matrix, to first order in the foreshortening.

        Foreshortening is the integral of a product of two slopes: its degree is one less than that of two functions.
        Its square, of an order that a second-order theory leaves out elsewhere, is integrated to a part in 400.
        """
        products = [self.points(bending=2), self.points(axial=2), self.points(bending=1, axial=1), 2]
        if shortened:
            products += [self.points(bending=3, derivatives=1), self.points(bending=2, axial=1, derivatives=1)]
        return max(products)


def dual(bending: tuple[Family, Family], stretch: Family, start: float, length: float) -> Family:
    """Axial functions that can follow foreshortening, int f_k' f_l' dx, and those asked for, made independent."""
    pairs = [(i, k, m) for i, f in enumerate(bending) for k in range(f.count) for m in range(k + 1)]
    if not pairs:
        return stretch
    plain = BeamShapes(start, length, bending, stretch, Family(0, stretch.function))

    def rows(x: np.ndarray) -> np.ndarray:
        partials = [f.at(x, 1) for f in bending]
        products = [partials[i][k] * partials[i][m] for i, k, m in pairs]
        return np.array([*products, *stretch.at(x, 1)])

    x, weights = gauss(plain.fine_edges, FINE)
    table = rows(x) * np.sqrt(weights)
    norms = np.linalg.norm(table, axis=1)
    norms[norms == 0.0] = np.inf  # elements that do not touch
    left, size, _ = np.linalg.svd(table / norms[:, None], full_matrices=False)
    keep = size > 1e-6 * size[0]
    mix = (left[:, keep] / size[keep]).T / norms

    def summed(s: np.ndarray, w: np.ndarray) -> np.ndarray:
        return np.einsum("kpi,pi->pk", (mix @ rows(s.ravel())).reshape(len(mix), *s.shape), w)

    def values(x: np.ndarray) -> np.ndarray:
        return integrals(summed, x, plain.fine_edges, FINE).T

    largest = np.max(np.abs(values(np.linspace(start, start + length, 401))), axis=1)[:, None]
    polynomial = all(f.polynomial for f in plain.families)
    order = max(2 * max(f.order for f in bending) - (1 if polynomial else 0), stretch.order)
    elements = math.lcm(*(f.elements for f in plain.families))
    return Family(
        len(mix), lambda x, d: (values(x) if d == 0 else mix @ rows(x)) / largest, order, polynomial, elements
    )
