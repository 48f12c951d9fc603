"""Stiffness of a contact from the materials and the radii, after Hertz."""

from __future__ import annotations

import math

from ..errors import ModelError
from ..shapes import Box, Capsule, Cone, ConvexMesh, Cylinder, Edge, Mesh, Plane, Shape, Sphere
from .materials import Material, contact_modulus

FLAT = (Plane, Edge, Box, ConvexMesh, Mesh)
REMEDY = "give stiffness= [N/m^1.5], or use volumetric contact"


def hertz_stiffness(
    shape_a: Shape, shape_b: Shape, material_a: Material, material_b: Material, address: str = "stiffness"
) -> float:
    """k of ``force = k depth^1.5`` [N/m^1.5], from materials (Johnson, Contact Mechanics, 1985, section 4.2).

    One of the shapes is a ball; the other a ball, a flat face (plane, edge, box, mesh: 4/3 E* sqrt(R)), or the flank of
    a cylinder, of a hole or of a capsule. A flank bends one way only, and the contact is an ellipse. Where the ball
    touches the cap of a cylinder or the end of a capsule instead, k is still that of the flank.

    ModelError, at ``address``, where Hertz has no radius or where it changes from place to place.
    """
    if isinstance(shape_b, Sphere) and not isinstance(shape_a, Sphere):
        shape_a, shape_b = shape_b, shape_a
    pair = f"{_name(shape_a)} with {_name(shape_b)}"
    if not isinstance(shape_a, Sphere):
        why = "they touch at points or along lines, where Hertz has no radius"
        raise ModelError.at(address, f"materials give no stiffness for {pair}: {why}; {REMEDY}")
    curvature = 1.0 / shape_a.radius
    if isinstance(shape_b, Sphere):
        along = across = curvature + 1.0 / shape_b.radius
    elif isinstance(shape_b, FLAT):
        along = across = curvature
    elif isinstance(shape_b, Cylinder) and shape_b.inside:
        if shape_b.radius <= shape_a.radius:
            radii = f"the ball has {shape_a.radius:g} m and the hole {shape_b.radius:g} m"
            raise ModelError.at(address, f"materials give no stiffness for {pair}: {radii}; give a wider hole")
        along, across = curvature, curvature - 1.0 / shape_b.radius
    elif isinstance(shape_b, (Cylinder, Capsule)):
        along, across = curvature, curvature + 1.0 / shape_b.radius
    else:
        why = "the radius of a cone changes along its flank" if isinstance(shape_b, Cone) else "Hertz has no radius"
        raise ModelError.at(address, f"materials give no stiffness for {pair}: {why}; {REMEDY}")
    return ellipse_stiffness(along, across, contact_modulus(material_a, material_b))


def ellipse_stiffness(first: float, second: float, modulus: float) -> float:
    """k of ``force = k depth^1.5`` [N/m^1.5] for two principal relative curvatures [1/m], both above 0.

    With A <= B half the curvatures and m the squared eccentricity of the ellipse of contact (Johnson 1985, eq. 4.26 to
    4.32, multiplied out),

        B / A = (K - D) / ((1 - m) D),    D = (K - E) / m,
        k     = 2 pi / 3 E* sqrt(D / A) / K^1.5,

    K and E being the complete elliptic integrals; K and D in Carlson's form, which is exact for the circle too. Equal
    curvatures 1 / R give 4/3 E* sqrt(R).
    """
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
    _, K, D = integrals(log_rest)
    return 2.0 * math.pi / 3.0 * modulus * math.sqrt(2.0 * D / low) / K**1.5


def _name(shape: Shape) -> str:
    return f"a hole ({shape.kind})" if getattr(shape, "inside", False) else f"a {shape.kind}"
