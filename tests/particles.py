"""Equations of motion from mass points: an oracle for bodies whose points move as any analytic function of coordinates.

A system is a list of (mass, place) with place(q) analytic, and a potential V(q). Jourdain's principle for particles,
sum m J^T (J q'' + d^2 place[q', q']) = effort - dV/dq, needs nothing else: J by complex step, the second derivative
along the motion by central differences of eighth order of the first. Rigid bodies are clusters of points.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

Place = Callable[[np.ndarray], np.ndarray]
H = 1e-30
WEIGHTS = (4 / 5, -1 / 5, 4 / 105, -1 / 280)


def jacobian(place: Place, q: np.ndarray) -> np.ndarray:
    """d place / d q by complex step, (..., nq)."""
    columns = [place(q + 1j * H * unit).imag / H for unit in np.eye(len(q))]
    return np.stack(columns, axis=-1)


def second(place: Place, q: np.ndarray, v: np.ndarray, h: float = 2e-2) -> np.ndarray:
    """Second derivative of place(q + s v) by s at s = 0."""

    def slope(s: float) -> np.ndarray:
        return place(q + s * v + 1j * H * v).imag / H

    return sum(w * (slope(k * h) - slope(-k * h)) for k, w in enumerate(WEIGHTS, start=1)) / h


def equations(
    masses: np.ndarray, places: Place, potential: Callable[[np.ndarray], complex], q: np.ndarray, v: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Mass matrix and bias: M q'' + bias = effort. places(q) is (points, 3)."""
    J = jacobian(places, q)
    M = np.einsum("p,pci,pcj->ij", masses, J, J)
    bias = np.einsum("p,pci,pc->i", masses, J, second(places, q, v))
    slope = np.array([potential(q + 1j * H * unit).imag / H for unit in np.eye(len(q))])
    return M, bias + slope


def turn(axis: np.ndarray, angle: complex) -> np.ndarray:
    """Rodrigues' rotation about a unit axis."""
    x, y, z = axis
    K = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    return np.eye(3) + np.sin(angle) * K + (1 - np.cos(angle)) * K @ K


def exponential(theta: np.ndarray) -> np.ndarray:
    """exp of a rotation vector, analytic at zero."""
    x, y, z = theta
    K = np.array([[0 * x, -z, y], [z, 0 * x, -x], [-y, x, 0 * x]])
    out, power = np.eye(3), np.eye(3)
    for k in range(1, 24):
        power = power @ K / k
        out = out + power
    return out


def cluster(mass: float, com: np.ndarray, inertia: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Six points of equal mass with this mass, centre and principal inertia (3,) about it: masses, places."""
    a = np.sqrt(1.5 * (np.sum(inertia) - 2.0 * np.asarray(inertia)) / mass)
    points = np.concatenate([np.diag(a), -np.diag(a)]) + np.asarray(com)
    return np.full(6, mass / 6), points


class BeamFunctions:
    """Shapes of a beam of unit length as polynomials of xi, fitted to the values that a `Beam` gives."""

    def __init__(self, unit, degree: int = 12) -> None:
        xi = 0.5 + 0.5 * np.cos(np.pi * np.arange(80) / 79)
        here = unit.shapes(xi)
        self.kinds, self.shapes = [], []
        for k in range(len(unit.internal)):
            for kind in ("v", "w", "u", "twist"):
                values = getattr(here, kind)[k]
                if np.any(values):
                    fit = np.polynomial.Chebyshev.fit(xi, values, degree, domain=[0, 1])
                    self.kinds.append(kind)
                    self.shapes.append(fit)

    def field(self, e: np.ndarray, kind: str):
        """sum e_k shape_k over one direction, as a polynomial of xi with complex coefficients."""
        total = np.polynomial.Chebyshev([0.0 * e[0] if len(e) else 0.0], domain=[0, 1])
        for amplitude, own, shape in zip(e, self.kinds, self.shapes, strict=True):
            if own == kind:
                total = total + np.polynomial.Chebyshev(amplitude * shape.coef, domain=[0, 1])
        return total

    def axis(self, e: np.ndarray, length: complex) -> Callable[[np.ndarray], np.ndarray]:
        """Places (points, 3) of the axis at fractions xi, foreshortening from the slopes' own integral."""
        u, v, w = (self.field(e, kind) for kind in "uvw")
        partials = v.deriv() ** 2 + w.deriv() ** 2
        short = partials.integ(lbnd=0.0)

        def place(xi: np.ndarray) -> np.ndarray:
            return np.stack([xi * length + u(xi) - 0.5 * short(xi) / length, v(xi), w(xi)], axis=-1)

        return place

    def section(self, e: np.ndarray, length: complex, xi: float = 1.0) -> np.ndarray:
        """Rotation of a section: bent by (-w', v'), then twisted, by as much as leaves phi alone elastic."""
        v, w, twist = (self.field(e, kind) for kind in ("v", "w", "twist"))
        dv, dw = v.deriv() / length, w.deriv() / length
        # phi = twist - 1/2 int (w' v'' - v' w'') dx
        geometric = (dw * dv.deriv() - dv * dw.deriv()).integ(lbnd=0.0)
        phi = twist(xi) - 0.5 * geometric(xi)
        return exponential(np.array([0 * phi, -dw(xi), dv(xi)])) @ turn(np.array([1.0, 0.0, 0.0]), phi)

    def strain(self, e: np.ndarray, length: complex, EA: float, EI: tuple[float, float], GJ: float) -> complex:
        """1/2 int EA u'^2 + GJ phi'^2 + EI_b kappa_y^2 + EI_a kappa_z^2 dx, curvatures about the twisted section's axes
        to second order in the twist."""
        x, weights = np.polynomial.legendre.leggauss(40)
        x, weights = 0.5 * (x + 1.0), 0.5 * weights
        u1, t, t1 = self.field(e, "u").deriv()(x), self.field(e, "twist")(x), self.field(e, "twist").deriv()(x)
        v2, w2 = self.field(e, "v").deriv(2)(x), self.field(e, "w").deriv(2)(x)
        bend = EI[0] * v2**2 + EI[1] * w2**2 + 2 * (EI[0] - EI[1]) * (t * v2 * w2 + 0.5 * t**2 * (w2**2 - v2**2))
        return np.sum(weights * (0.5 * (EA * u1**2 + GJ * t1**2) / length + 0.5 * bend / length**3))
