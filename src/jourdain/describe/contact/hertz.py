"""Stiffness of a contact from the materials and the radii, after Hertz."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...basics.arguments import checked
from ...basics.errors import ModelError
from ...basics.values import shown
from ..shapes import Shape
from .materials import Material, contact_modulus

REMEDY = "give stiffness= [N/m^1.5], or use volumetric contact"


@checked
def hertz_stiffness(
    shape_a: Shape | float | Sequence[float],
    shape_b: Shape | float | Sequence[float],
    material_a: Material,
    material_b: Material,
    address: str = "stiffness",
) -> float:
    """k of ``force = k depth^1.5`` [N/m^1.5], from materials and shapes or radii (Johnson 1985, sections 4.1 and 4.2).

    A radius [m] stands for a surface of that radius: infinite where it is flat, below zero where it is hollow. A pair
    of radii stands for one that bends differently two ways, the first ways of both surfaces along each other.

    Of two shapes one is a ball. The other is a ball, a flat face (plane, edge, box, mesh: 4/3 E* sqrt(R)), or the flank
    of a cylinder, of a hole or of a capsule. A flank bends one way only, and the contact is an ellipse. Where the ball
    touches the cap of a cylinder or the end of a capsule instead, k is still that of the flank.

    ModelError, at ``address``, where Hertz has no radius or where it changes from place to place.
    """
    for one in (material_a, material_b):
        if not isinstance(one, Material):
            raise ModelError.at(address, f"a material is {shown(one)}; give jd.Material(E=..., nu=...)")
    if not isinstance(shape_a, Shape) and not isinstance(shape_b, Shape):
        along, across = curvatures(shape_a, address) + curvatures(shape_b, address)
        if not (along > 0.0 and across > 0.0):
            stated = f"the radii {shown(shape_a)} and {shown(shape_b)}"
            raise ModelError.at(
                address, f"{stated} leave no gap around the point of contact; Hertz needs 1/R1 + 1/R2 > 0 either way"
            )
        return ellipse_stiffness(along, across, contact_modulus(material_a, material_b))
    if not (isinstance(shape_a, Shape) and isinstance(shape_b, Shape)):
        raise ModelError.at(address, "one is a shape and the other a radius; give two shapes, or two radii [m]")
    if _is_ball(shape_b) and not _is_ball(shape_a):
        shape_a, shape_b = shape_b, shape_a
    pair = f"{_name(shape_a)} with {_name(shape_b)}"
    if not _is_ball(shape_a):
        why = "they touch at points or along lines, where Hertz has no radius"
        raise ModelError.at(address, f"materials give no stiffness for {pair}: {why}; {REMEDY}")
    if shape_b.curvatures is None:
        raise ModelError.at(address, f"materials give no stiffness for {pair}: {shape_b.no_radius}; {REMEDY}")
    curvature = shape_a.curvatures[0]  # type: ignore[index]
    along, across = curvature + shape_b.curvatures[0], curvature + shape_b.curvatures[1]
    if min(along, across) <= 0.0:
        radii = f"the ball has {1.0 / curvature:g} m and the hole {-1.0 / min(shape_b.curvatures):g} m"
        raise ModelError.at(address, f"materials give no stiffness for {pair}: {radii}; give a wider hole")
    return ellipse_stiffness(along, across, contact_modulus(material_a, material_b))


def curvatures(radius: Any, address: str) -> np.ndarray:
    """Two principal curvatures [1/m] of a surface given by its radius or its two radii [m]."""
    try:
        radii = np.broadcast_to(np.asarray(radius, float), (2,))
    except (TypeError, ValueError):
        radii = np.full(2, np.nan)
    if np.any(np.isnan(radii)) or np.any(radii == 0.0):
        raise ModelError.at(
            address, f"a radius is {shown(radius)}; give a number other than 0 [m], math.inf for flat, or two of them"
        )
    return 1.0 / radii


def ellipse_stiffness(first: float, second: float, modulus: float) -> float:
    """k of ``force = k depth^1.5`` [N/m^1.5] for two principal relative curvatures [1/m], both above 0.

    With A <= B half the curvatures and m the squared eccentricity of the ellipse of contact (Johnson 1985, eq. 4.26 to
    4.32, multiplied out),

        B / A = (K - D) / ((1 - m) D),    D = (K - E) / m,
        k     = 2 pi / 3 E* sqrt(D / A) / K^1.5,

    K and E being the complete elliptic integrals; K and D in Carlson's form, which is exact for the circle too. Equal
    curvatures 1 / R give 4/3 E* sqrt(R).
    """
    low = min(first, second)
    _, K, D = _eccentricity(first, second)
    return 2.0 * math.pi / 3.0 * modulus * math.sqrt(2.0 * D / low) / K**1.5


def contact_ellipse(first: float, second: float, modulus: float, force: float) -> tuple[float, float, float]:
    """(half axes, the longer one first [m], largest pressure [Pa]) of that contact under a force [N].

    In the symbols of `ellipse_stiffness`, a^3 = 3 F D / (2 pi E* A), b = a sqrt(1 - m), p = 3 F / (2 pi a b) (Johnson
    1985, eq. 4.24 and 4.26).
    """
    rest, _, D = _eccentricity(first, second)
    a = (3.0 * force * D / (math.pi * modulus * min(first, second))) ** (1.0 / 3.0)
    b = a * math.sqrt(rest)
    return a, b, 1.5 * force / (math.pi * a * b)


def _eccentricity(first: float, second: float) -> tuple[float, float, float]:
    """(1 - m, K, D) of the ellipse of contact of two relative curvatures."""
    from scipy.optimize import brentq
    from scipy.special import elliprd, elliprf

    low, high = min(first, second), max(first, second)

    def integrals(log_rest: float) -> tuple[float, float, float]:
        rest = math.exp(log_rest)
        return rest, float(elliprf(0.0, rest, 1.0)), float(elliprd(0.0, rest, 1.0)) / 3.0

    def excess(log_rest: float) -> float:
        rest, K, D = integrals(log_rest)
        return math.log((K - D) / (rest * D)) - math.log(high / low)

    log_rest = 0.0 if excess(0.0) >= 0.0 else brentq(excess, -80.0, 0.0, xtol=1e-15, rtol=1e-14)
    return integrals(log_rest)


def _is_ball(shape: Shape) -> bool:
    return shape.meets_as == "ball" and shape.curvatures is not None


def _name(shape: Shape) -> str:
    return f"a hole ({shape.kind})" if getattr(shape, "inside", False) else f"a {shape.kind}"
