"""The shapes of a beam as piecewise polynomials of x, for what travels along it, in the order of
kernels/bodies/rails.py."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ..body import RailData

if TYPE_CHECKING:
    from .beam_tables import BeamParts

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
