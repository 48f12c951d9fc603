"""Hertz stiffness from materials and radii, against closed forms and Johnson's integrals."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad
from scipy.special import ellipe, ellipk

from jourdain.basics.errors import ModelError
from jourdain.describe.contact.hertz import ellipse_stiffness, hertz_stiffness
from jourdain.describe.contact.materials import Material, contact_modulus
from jourdain.describe.shapes import Box, Capsule, Cone, ConvexMesh, Cylinder, Edge, Mesh, Plane, Sphere

STEEL, ALUMINIUM = Material(210e9, 0.3), Material(70e9, 0.33)
E_STAR = 1.0 / ((1 - 0.3**2) / 210e9 + (1 - 0.33**2) / 70e9)
CUBE = Box((1.0, 1.0, 1.0)).to_mesh()


def stiffness(a, b):
    return hertz_stiffness(a, b, STEEL, ALUMINIUM)


def test_two_balls_as_in_the_thesis():
    """Gonthier 2007, eq. 2.2 to 2.4."""
    h = [(1 - m.nu**2) / (math.pi * m.E) for m in (STEEL, ALUMINIUM)]
    expected = 4 / (3 * math.pi * sum(h)) * math.sqrt(0.1 * 0.3 / 0.4)
    assert stiffness(Sphere(0.1), Sphere(0.3)) == pytest.approx(expected, rel=1e-13)
    assert contact_modulus(STEEL, ALUMINIUM) == pytest.approx(E_STAR, rel=1e-15)


@pytest.mark.parametrize(
    "flat", [Plane((0, 0, 1)), Edge((0, 0, 1), (1, 0, 0)), Box((1, 1, 1)), Mesh(*CUBE), ConvexMesh(CUBE[0])]
)
def test_flat_faces(flat):
    expected = 4 / 3 * E_STAR * math.sqrt(0.1)
    assert stiffness(Sphere(0.1), flat) == pytest.approx(expected, rel=1e-13)
    assert stiffness(flat, Sphere(0.1)) == pytest.approx(expected, rel=1e-13)


def deformation(k):
    """Depth and both curvatures that a Hertz pressure of peak E* makes on an ellipse of semi-axes 1 and k.

    Johnson 1985, eq. 3.55 to 3.63: displacement p0 / 2 of the integral over w of
    (1 - x^2 / (1 + w) - y^2 / (k^2 + w)) a b / sqrt((1 + w)(k^2 + w) w).
    """

    def moment(power_a, power_b):
        # w = t^2 / (1 - t)^2 takes both ends of the range away
        def integrand(t):
            w = (t / (1 - t)) ** 2
            root = (1 + w) ** (0.5 + power_a) * (k * k + w) ** (0.5 + power_b)
            return 2.0 / (1 - t) ** 2 / root

        return quad(integrand, 0.0, 1.0, epsabs=0.0, epsrel=1e-12, limit=400)[0]

    return 0.5 * k * moment(0, 0), k * moment(1, 0), k * moment(0, 1)


@given(st.floats(0.02, 1.0), st.floats(0.01, 10.0))
def test_ellipse_against_the_potential_integrals(k, size):
    """Depth and curvatures of a given ellipse by quadrature; force is 2/3 pi a b p0."""
    depth, low, high = deformation(k)
    force = 2 / 3 * math.pi * k
    # lengths in units of `size`: curvatures scale with 1 / size, k with sqrt(size)
    expected = force / depth**1.5 * math.sqrt(size)
    found = ellipse_stiffness(low / size, high / size, 1.0)
    assert found == pytest.approx(expected, rel=1e-9)
    assert ellipse_stiffness(high / size, low / size, 1.0) == found


@pytest.mark.parametrize("m", [0.1, 0.5, 0.9, 0.999])
def test_johnsons_equations_are_satisfied(m):
    """Johnson 1985, eq. 4.26a, 4.27 and 4.28, with Legendre's integrals, for semi-axes a = 1 and b."""
    K, E, b = ellipk(m), ellipe(m), math.sqrt(1 - m)
    ratio = (E / b**2 - K) / (K - E)
    p0 = 1.0
    A = p0 * b / m * (K - E)
    depth, force = p0 * b * K, 2 / 3 * math.pi * b * p0
    assert ellipse_stiffness(2 * A, 2 * A * ratio, 1.0) == pytest.approx(force / depth**1.5, rel=1e-12)


def test_cylinders_lie_between_their_limits():
    flat, ball = stiffness(Sphere(0.1), Plane((0, 0, 1))), stiffness(Sphere(0.1), Sphere(0.5))
    out, bore = stiffness(Sphere(0.1), Cylinder(0.5, 2.0)), stiffness(Sphere(0.1), Cylinder(0.5, 2.0, inside=True))
    assert ball < out < flat < bore
    assert stiffness(Sphere(0.1), Capsule(0.5, 2.0)) == out
    for sign in (False, True):
        # a wide cylinder is a plane, to the first order of the mean curvature
        wide = stiffness(Sphere(0.1), Cylinder(1e6, 1.0, inside=sign))
        assert wide == pytest.approx(flat, rel=1e-6)
    # near the circle k depends on the mean curvature only: k = k_flat (1 + R / 4 r) inside, to first order
    assert stiffness(Sphere(0.1), Cylinder(100.0, 1.0, inside=True)) / flat - 1 == pytest.approx(0.1 / 400, rel=1e-2)


def test_a_tight_bore_is_still_finite():
    values = [stiffness(Sphere(0.1), Cylinder(0.1 * (1 + gap), 1.0, inside=True)) for gap in (1e-2, 1e-6, 1e-12)]
    assert np.all(np.isfinite(values))
    assert values == sorted(values)


@pytest.mark.parametrize(
    ("a", "b", "message"),
    [
        (Box((1, 1, 1)), Plane((0, 0, 1)), "a box with a plane: they touch at points"),
        (Cylinder(1, 1), Plane((0, 0, 1)), "a cylinder with a plane"),
        (Capsule(1, 1), Capsule(1, 1), "a capsule with a capsule"),
        (Plane((0, 0, 1)), ConvexMesh(CUBE[0]), "a plane with a convex"),
        (Cone(1, 1), Sphere(0.1), "a sphere with a cone: the radius of a cone changes"),
        (Sphere(0.1), Cone(1, 1, inside=True), "a hole"),
    ],
)
def test_pairs_without_a_radius_are_refused(a, b, message):
    with pytest.raises(ModelError, match="give stiffness= .*or use volumetric contact") as caught:
        stiffness(a, b)
    assert message in str(caught.value)


@pytest.mark.parametrize("radius", [0.1, 0.05])
def test_a_hole_must_be_wider_than_the_ball(radius):
    with pytest.raises(ModelError, match=r"touch: .*the ball has 0.1 m and the hole"):
        hertz_stiffness(Sphere(0.1), Cylinder(radius, 1.0, inside=True), STEEL, STEEL, address="touch")


@pytest.mark.parametrize(("E", "nu"), [(0.0, 0.3), (-1.0, 0.3), (math.nan, 0.3), (1e9, 0.51), (1e9, -1.0), ("x", 0.3)])
def test_bad_materials_are_refused(E, nu):
    with pytest.raises(ModelError, match="Material"):
        Material(E, nu)


def test_materials_can_be_written_and_read():
    assert Material.from_dict(STEEL.to_dict()) == STEEL
    with pytest.raises(ModelError, match='"nu" is missing'):
        Material.from_dict({"E": 1.0})
