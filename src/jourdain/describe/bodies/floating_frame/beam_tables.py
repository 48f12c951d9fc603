"""What the kernels read of a beam: stations, slices, stiffness, and the points where bending stretches or twists it.

The shapes of a beam as piecewise polynomials of x, for what travels along it, in the order of
kernels/bodies/rails.py.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ..appearance.bones import section_turn
from ..body import RailData
from .beam_shapes import FINE, BeamShapes, weighted
from .cross_section import Section
from .lumped_beam import LumpedBeam, LumpedStation, Slice
from .modal_tables import damping_matrix
from .quadrature import gauss, gauss_of_density, integrals

if TYPE_CHECKING:
    from .beam import Beam


ROTATIONS = {"exponential": 0, "none": 1, "linear": 2, "euler-321": 3, "euler-123": 4, "integrated": 5}

TWIST = {
    "exponential": (0.5, 0.5),
    "none": (0.0, 0.0),
    "linear": (0.5, 0.5),
    "euler-321": (1.0, 0.0),
    "euler-123": (0.0, 1.0),
    "integrated": (0.0, 0.0),
}
"""Elastic twist phi' + p w' v'' - q v' w'' of a section turned by each scheme, to second order; none for those that
take the rotation, or its rate, to first order."""

TANGENT = {"linear": 0.5, "euler-123": 1.0}
"""s of the schemes: to second order a section turned by (phi, -w' + s phi v', v' + s phi w') is across the axis; 0 for
those not named."""


class BeamParts:
    """The parts of a beam, each by the quadrature that is exact for it."""

    def __init__(self, beam: Beam, shapes: BeamShapes) -> None:
        self.beam, self.shapes = beam, shapes
        self.n = sum(f.count for f in shapes.families)
        exact = beam.fidelity == "exact"
        self.shortens = exact and beam.axial == "auto"
        self.turns_to_second_order = exact and beam.axial != "modes"

    def fraction(self, x: np.ndarray) -> np.ndarray:
        """Fraction of the length at x."""
        return (x - self.shapes.start) / self.shapes.length

    def kinks(self, *sections: Section) -> np.ndarray:
        """Where properties along the beam change their slope, x [m]."""
        inner = [section.fractions for section in sections if len(section.fractions) > 1]
        return self.shapes.start + self.shapes.length * np.unique(np.concatenate([np.zeros(0), *inner]))

    def quadrature(self, points: int, *sections: Section, fine: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """Gauss points for an integrand that holds properties besides shapes: one more where one of them varies."""
        kinks = self.kinks(*sections)
        edges = self.shapes.fine_edges if fine else self.shapes.edges
        return gauss(np.union1d(edges, kinks), points + (1 if len(kinks) else 0))

    def stations(self, x: Sequence[float] | np.ndarray) -> list[LumpedStation]:
        """How the coordinates move the sections at places of the body frame.

        chi_kl = -int (v_k' v_l' + w_k' w_l') dx from the frame's origin. A section turned by exp(-w', v') exp(phi) has
        the elastic twist phi' + 1/2 (w' v'' - v' w'') to second order (3-2-1 angles: phi' + w' v'', 1-2-3: phi' -
        v' w''), so without elastic twist phi = 1/2 e^T xi e = -int (p w' v'' - q v' w'') dx, with (p, q) of the scheme.
        """
        x = np.asarray(x, float)
        here, slope = self.shapes.at(x), self.shapes.at(x, 1)
        psi = np.stack([here.u, here.v, here.w], axis=-1)
        theta = np.stack([here.twist, -slope.w, slope.v], axis=-1)
        p, q = TWIST[self.beam.tip_rotation]

        def tables(s: np.ndarray, weights: np.ndarray) -> np.ndarray:
            first = self.shapes.pieces(s, 1)
            chi = -weighted(first.v, weights, first.v) - weighted(first.w, weights, first.w)
            return np.stack([chi if self.shortens else 0.0 * chi, self._twist(s, weights, p, q)], axis=1)

        if self.turns_to_second_order and self.n:
            second = integrals(tables, x, self.shapes.fine_edges, self._enough)
        else:
            second = np.zeros((len(x), 2, self.n, self.n))
        return [
            LumpedStation(np.array([at, 0.0, 0.0]), psi[:, i], theta[:, i], *second[i])
            for i, at in enumerate(x.tolist())
        ]

    def moved(self, e: np.ndarray, x: np.ndarray, inverse: float | np.ndarray = 1.0) -> tuple[np.ndarray, np.ndarray]:
        """Displacements (nt, m, 3) and rotations (nt, m, 4) of the sections at places x, as those of markers there.

        e          coordinates (nt, n)
        inverse    of the length (nt, 1), where the beam is the unit one of a beam whose length changes
        """
        stations = self.stations(x)
        psi, theta = (np.array([getattr(one, what) for one in stations]) for what in ("psi", "theta"))
        chi, xi = (np.array([getattr(one, what) for one in stations]) for what in ("chi", "xi"))

        def quadratic(table: np.ndarray) -> np.ndarray:
            return 0.5 * np.einsum("tsk,tk->ts", np.einsum("tl,skl->tsk", e, table), e)

        displaced = np.einsum("tk,ska->tsa", e, psi)
        displaced[..., 0] += inverse * quadratic(chi)
        turn = np.einsum("tk,ska->tsa", e, theta)
        turn[..., 1:] *= np.asarray(inverse)[..., None]
        s = TANGENT.get(self.beam.tip_rotation, 0.0) if self.turns_to_second_order else 0.0
        turn = turn + s * turn[..., :1] * np.cross(turn, np.array([1.0, 0.0, 0.0]))
        turn[..., 0] += np.square(inverse) * quadratic(xi)
        scheme = "none" if self.beam.fidelity == "ruthless" else self.beam.tip_rotation
        return displaced, section_turn(scheme, turn)

    @property
    def _enough(self) -> int:
        """Points on a piece between fine edges for the product of two slopes."""
        points = self.shapes.points(bending=2, derivatives=2)
        return points if all(f.polynomial for f in self.shapes.families) else FINE

    @cached_property
    def slices(self) -> tuple[Slice, ...]:
        """Masses at as few places as are exact, and, without mass, the inertia of the sections about their centres."""
        b = self.beam
        count = self.shapes.slice_points(self.shortens)
        kinks = self.kinks(b.mass_per_length)
        x, mass = gauss_of_density(self.shapes.edges, count, lambda x: b.mass_per_length(self.fraction(x)), kinks)
        none = np.zeros((3, 3))
        heavy = [Slice(float(m), none, s) for m, s in zip(mass, self.stations(x), strict=True)]

        return (*heavy, *self._sections())

    @property
    def turning(self) -> bool:
        """Whether the inertia of the sections turns with them: where they have any about y and z.

        Without it neither is that about x taken to turn. In a spinning shaft the two are of one size, and their
        gyroscopic terms cancel where the section is flat, so that one without the other would be worse than none.
        """
        b = self.beam
        has = b.rotary_inertia or isinstance(b.inertia_per_length, tuple)
        return bool(has and self.n and b.fidelity != "ruthless")

    def _sections(self) -> list[Slice]:
        """Slices without mass: the inertia of the sections about x, y and z.

        Where it turns they are at places that are exact for the product of three turns, of polynomials: the mass matrix
        is then exact to first order in e. What does not turn costs nothing, and has as many places as it likes.
        A homogeneous section has mass_per_length EI / EA about y and z. All of its mass is in its plane, so that the
        inertia about x is that about y and z together; one number for it is divided as the two EI are.
        """
        b, n = self.beam, self.n
        given = b.inertia_per_length
        sections = [b.mass_per_length, b.EA, *b.EI, *(given if isinstance(given, tuple) else [given] if given else [])]
        if self.turning:
            polynomial = all(family.polynomial for family in self.shapes.families)
            bending = self.shapes.points(bending=3 if polynomial else 2, derivatives=3 if polynomial else 2)
            mixed = self.shapes.points(bending=2, torsion=1, derivatives=2) if polynomial else 0
            x, weight = self.quadrature(max(bending, mixed, self.shapes.points(torsion=2)), *sections)
        else:
            x, weight = self.quadrature(FINE, *sections, fine=True)
        f = self.fraction(x)
        if isinstance(given, tuple):
            inertia = np.stack([one(f) for one in given], axis=1)
        else:
            a, c = b.EI[0](f), b.EI[1](f)  # a resists v, by turning about z; c resists w, by turning about y
            polar = b.mass_per_length(f) * (a + c) / b.EA(f) if given is None else given(f)
            across = polar / (a + c) if b.rotary_inertia else 0.0 * polar
            inertia = np.stack([polar, across * c, across * a], axis=1)
        here, slope = self.shapes.at(x), self.shapes.at(x, 1)
        theta = np.stack([here.twist, -slope.w, slope.v], axis=-1)
        xi = np.zeros((len(x), n, n))
        if self.turning and self.turns_to_second_order:
            xi = integrals(lambda s, w: self._twist(s, w, 0.5, 0.5), x, self.shapes.fine_edges, self._enough)
        still, flat = np.zeros((n, 3)), np.zeros((n, n))
        return [
            Slice(0.0, np.diag(w * J), LumpedStation(np.array([at, 0.0, 0.0]), still, theta[:, i], flat, xi[i]))
            for i, (at, w, J) in enumerate(zip(x.tolist(), weight, inertia, strict=True))
        ]

    def _twist(self, s: np.ndarray, weights: np.ndarray, p: float, q: float) -> np.ndarray:
        """Integrals of xi over pieces, (pieces, n, n): see `stations`."""
        first, second = self.shapes.pieces(s, 1), self.shapes.pieces(s, 2)
        xi = q * weighted(second.w, weights, first.v) - p * weighted(first.w, weights, second.v)
        return xi + np.swapaxes(xi, 1, 2)

    @cached_property
    def stiffness(self) -> np.ndarray:
        b = self.beam
        x, weight = self.quadrature(FINE, b.EA, *b.EI, b.GJ, fine=True)
        f = self.fraction(x)
        first, second = self.shapes.at(x, 1), self.shapes.at(x, 2)
        K = (first.u * (weight * b.EA(f))) @ first.u.T + (first.twist * (weight * b.GJ(f))) @ first.twist.T
        K += (second.v * (weight * b.EI[0](f))) @ second.v.T + (second.w * (weight * b.EI[1](f))) @ second.w.T
        return 0.5 * (K + K.T)

    @cached_property
    def mass_matrix(self) -> np.ndarray:
        M = np.zeros((self.n, self.n))
        for one in self.slices:
            s = one.station
            M += one.mass * s.psi @ s.psi.T + s.theta @ one.inertia @ s.theta.T
        return M

    def membrane(self) -> np.ndarray | None:
        """Points of the membrane strain u' + 1/2 (v'^2 + w'^2), whose square is of fourth degree in the slopes."""
        b = self.beam
        if b.fidelity not in ("exact", "consistent") or self.shortens:
            return None
        four, two = self.shapes.points(bending=4, derivatives=4), self.shapes.points(axial=2, derivatives=2)
        mixed = self.shapes.points(bending=2, axial=1, derivatives=3)
        x, weight = self.quadrature(max(four, two, mixed), b.EA)
        slope = self.shapes.at(x, 1)
        EA = b.EA(self.fraction(x)) * weight
        return np.concatenate([EA[:, None], slope.u.T, slope.v.T, slope.w.T], axis=1)

    def coupling(self) -> np.ndarray | None:
        """Points where bending in two planes of unequal stiffness twists the beam.

        The curvatures about the section's own axes are kappa_y = v'' sin phi - w'' cos phi, kappa_z = v'' cos phi +
        w'' sin phi, so 1/2 int EI_b kappa_y^2 + EI_a kappa_z^2 dx has besides the stiffness's part
        int (EI_a - EI_b) (phi v'' w'' + 1/2 phi^2 (w''^2 - v''^2)) dx + O(phi^3). The second term is of fourth order,
        but what bends a flat strip across is divided by its small GJ: it bounds the twist that the first one makes.
        """
        b = self.beam
        y, z, _, torsion = b.modes.counts()
        if b.fidelity != "exact" or not (y and z and torsion):
            return None
        x, weight = self.quadrature(self.shapes.points(bending=2, torsion=2, derivatives=4), *b.EI)
        f = self.fraction(x)
        EI = weight * (b.EI[0](f) - b.EI[1](f))
        if not np.any(EI):
            return None
        here, second = self.shapes.at(x), self.shapes.at(x, 2)
        return np.concatenate([EI[:, None], here.twist.T, second.v.T, second.w.T], axis=1)

    def lumped(self) -> LumpedBeam:
        """All of it, as the kernels take it."""
        from ....kernels.bodies import lumped_layout as codes

        b = self.beam
        inertia, membrane = {
            "ruthless": (codes.UNDEFORMED, codes.NO_MEMBRANE),
            "inconsistent": (codes.DEFORMED, codes.NO_MEMBRANE),
            "consistent": (codes.UNDEFORMED_MASS, codes.AXIAL_LOAD),
            "exact": (codes.DEFORMED, codes.FULL_MEMBRANE),
        }[b.fidelity]
        return LumpedBeam(
            slices=self.slices,
            axes=np.eye(3),
            stiffness=self.stiffness,
            damping=damping_matrix(self.mass_matrix, self.stiffness, b.damping),
            membrane=self.membrane(),
            inertia=inertia if self.n else codes.DEFORMED,
            membrane_code=codes.NO_MEMBRANE if self.shortens else membrane,
            scheme=ROTATIONS["none" if b.fidelity == "ruthless" else b.tip_rotation],
            tangent=TANGENT.get(b.tip_rotation, 0.0) if self.turns_to_second_order else 0.0,
            coupling=self.coupling(),
            turning=self.turning,
        )


DEGREE = 14
"""Of the polynomials that stand for eigenfunctions and their products, a quarter wave of the former a piece: of twelve
functions, errors of value and slope are below 1e-11, of the second derivative below 1e-8 and of the third below 1e-5,
relative to the largest of each."""


def pieces_and_degree(parts: BeamParts) -> tuple[int, int]:
    """How many equal pieces, and polynomials of which degree: exact for polynomial shapes."""
    families = [f for f in parts.shapes.families if f.count]
    elements = math.lcm(*(f.elements for f in families))
    bending = max(f.order for f in parts.shapes.bending)
    if all(f.polynomial for f in families):
        return elements, int(max(2 * bending - 1, *(f.order for f in families), 3))
    waves = 2 * math.ceil(max(f.order for f in families))
    return elements * math.ceil(waves / elements), DEGREE


def beam_rail(parts: BeamParts) -> RailData:
    """All functions of a beam that its coordinates have at a place x, as polynomials."""
    shapes = parts.shapes
    y, z, axial, torsion = (f.count for f in shapes.families)
    pieces, degree = pieces_and_degree(parts)
    h = shapes.length / pieces
    shortens, turns = parts.shortens, parts.turns_to_second_order and y > 0 and z > 0
    t = np.cos(np.pi * (np.arange(degree + 1) + 0.5) / (degree + 1))
    # from values at Chebyshev's points to powers of t
    to_powers = np.linalg.inv(np.polynomial.chebyshev.chebvander(t, degree))
    powers = np.zeros((degree + 1, degree + 1))
    for k in range(degree + 1):
        powers[: k + 1, k] = np.polynomial.chebyshev.cheb2poly(np.eye(degree + 1)[k])[: k + 1]
    out = [np.array([pieces, degree, shapes.start, 1.0 / h, y, z, axial, torsion, shortens, turns], float)]
    x = shapes.start + h * (np.arange(pieces)[:, None] + 0.5 * (t + 1.0)).ravel()
    here = shapes.at(x)
    rows = [here.u + here.v + here.w + here.twist]
    if shortens or turns:
        stations = parts.stations(x)
        if shortens:
            chi = np.array([one.chi for one in stations])
            pairs = [(k, l) for k in range(y) for l in range(k + 1)]
            pairs += [(k, l) for k in range(y, y + z) for l in range(y, k + 1)]
            rows.append(np.array([chi[:, k, l] for k, l in pairs]).reshape(-1, len(x)))
        if turns:
            xi = np.array([one.xi for one in stations])
            rows.append(np.array([xi[:, k, l] for k in range(y) for l in range(y, y + z)]))
    values = np.concatenate(rows).reshape(-1, pieces, degree + 1)
    out += [(values[:, piece] @ to_powers.T @ powers.T).ravel() for piece in range(pieces)]
    floats = np.concatenate(out)
    floats.flags.writeable = False
    return RailData(shapes.start, shapes.start + shapes.length, floats)
