"""Overlaps of spheres, cylinders and cones with planes and spheres, against quadrature and in their limits."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from overlaps import (
    ORIGIN,
    Part,
    cone_plane,
    cylinder_plane,
    moments,
    solid_part,
    sphere_plane,
    sphere_sphere,
)
from scipy.integrate import quad
from scipy.spatial.transform import Rotation

from jourdain.describe.shapes import Cone, Cylinder, Sphere

angles = st.floats(-math.pi, math.pi)
shares = st.floats(-1.0, 1.0)
NODES = np.polynomial.legendre.leggauss(60)


def segment(r, d):
    """(area, int x, int xx, int yy) of what of a disc is at x <= d, from the middle of the disc."""
    t = math.acos(-min(max(d / r, -1.0), 1.0)) if r > 0.0 else 0.0
    return np.array(
        [
            r * r * (t - math.sin(t) * math.cos(t)),
            -2.0 / 3.0 * (r * math.sin(t)) ** 3,
            r**4 / 4.0 * (t - math.sin(4.0 * t) / 4.0),
            2.0 / 3.0 * r**4 * (3.0 * t / 8.0 - math.sin(2.0 * t) / 4.0 + math.sin(4.0 * t) / 32.0),
        ]
    )


def revolved_below(radius, low, high, s, c, o, breaks):
    """Ten moments about the origin of what of a solid of revolution is at s x + c z <= o: 60 points between breaks."""
    ends = sorted({low, high, *(b for b in breaks if low < b < high)})
    total = np.zeros(10)
    for a, b in zip(ends, ends[1:], strict=False):
        for u, w in zip(*NODES, strict=True):
            t = 0.5 * math.pi * (u + 1.0)
            z = 0.5 * (a + b) - 0.5 * (b - a) * math.cos(t)
            A, x, xx, yy = 0.25 * math.pi * (b - a) * w * math.sin(t) * segment(radius(z), (o - c * z) / s)
            total += [A, x, 0.0, A * z, xx, yy, A * z * z, 0.0, x * z, 0.0]
    return total


@given(depth=st.floats(1e-9, 2.0))
def test_a_cap_is_the_integral_of_its_sections(depth):
    R = 1.0
    found = sphere_plane((0.0, 0.0, R - depth), R, (0.0, 0.0, 1.0), 0.0)

    def over(f):
        """Of u from the pole, in units of the depth, so that thin caps are as easy as thick ones."""
        return quad(lambda x: f(x) * math.pi * x * (2.0 * R - depth * x), 0.0, 1.0, epsrel=1e-13)[0]

    V = depth**2 * over(lambda x: 1.0)
    assert found.V == pytest.approx(V, rel=1e-12)
    mean = over(lambda x: x) / over(lambda x: 1.0)
    assert depth + found.c[2] == pytest.approx(depth * mean, rel=1e-12, abs=1e-15)
    along = depth**3 * over(lambda x: 0.5 * x * (2.0 * R - depth * x))
    spread = depth**4 * over(lambda x: (x - mean) ** 2)
    assert found.J[2] == pytest.approx(along, rel=1e-11)
    assert found.J[0] == pytest.approx(0.5 * along + spread, rel=1e-11)


def test_a_ball_under_the_plane_is_whole_and_one_above_it_is_nothing():
    ball = Sphere(0.3)
    under = sphere_plane((1.0, 2.0, -0.31), 0.3, (0.0, 0.0, 1.0), 0.0)
    assert under.V == pytest.approx(ball.volume, rel=1e-14)
    np.testing.assert_allclose(under.c, (1.0, 2.0, -0.31), rtol=1e-14)
    np.testing.assert_allclose(under.J[:3], np.diag(ball.inertia), rtol=1e-13)
    assert sphere_plane((0.0, 0.0, 0.3), 0.3, (0.0, 0.0, 1.0), 0.0).V == 0.0


@given(angle=angles, share=shares)
def test_a_ball_is_the_sum_of_what_is_on_both_sides(angle, share):
    n = np.array([math.sin(angle), 0.0, math.cos(angle)])
    both = [sphere_plane(ORIGIN, 0.4, n, 0.4 * share), sphere_plane(ORIGIN, 0.4, -n, -0.4 * share)]
    ball = Sphere(0.4)
    np.testing.assert_allclose(moments(both), moments([solid_part(ball.volume, ball.inertia)]), atol=1e-15)


@given(ra=st.floats(0.1, 1.0), rb=st.floats(0.1, 1.0), share=st.floats(0.0, 1.1))
def test_two_balls_against_quadrature(ra, rb, share):
    e = abs(ra - rb) + share * (ra + rb - abs(ra - rb))
    found = sphere_sphere((0.0, 0.0, e), ra, ORIGIN, rb)
    np.testing.assert_allclose(found.N, (0.0, 0.0, 1.0), atol=1e-15)
    smaller = 4.0 / 3.0 * math.pi * min(ra, rb) ** 3

    def area(z):
        return math.pi * max(min(ra * ra - (z - e) ** 2, rb * rb - z * z), 0.0)

    common = (rb * rb - ra * ra + e * e) / (2.0 * e) if e > 0.0 else 0.0
    V = quad(area, -2.0, 2.0, points=sorted((-rb, rb, e - ra, e + ra, common)), epsabs=1e-13, limit=400)[0]
    assert found.V == pytest.approx(V, abs=1e-9 * smaller)


def test_one_ball_in_another_is_whole_and_equal_balls_are_symmetric():
    found = sphere_sphere((0.05, 0.0, 0.0), 0.1, ORIGIN, 0.3)
    assert found.V == pytest.approx(Sphere(0.1).volume, rel=1e-14)
    found = sphere_sphere((0.3, 0.0, 0.0), 0.2, ORIGIN, 0.2)
    np.testing.assert_allclose(found.c, (0.15, 0.0, 0.0), atol=1e-16)


def cylinder_case(angle, share):
    s, c = math.sin(angle), math.cos(angle)
    o = share * (abs(s) * 0.3 + abs(c) * 0.7)
    found = cylinder_plane(np.eye(3), ORIGIN, 0.3, 0.7, (s, 0.0, c), o)
    breaks = [(o + 0.3 * s) / c, (o - 0.3 * s) / c] if c != 0.0 else []
    return found, revolved_below(lambda z: 0.3, -0.7, 0.7, s, c, o, breaks), Cylinder(0.3, 1.4)


def cone_case(angle, share):
    s, c, k = math.sin(angle), math.cos(angle), 0.3 / 1.4
    o = share * (abs(s) * 0.3 + abs(c) * 0.7)
    found = cone_plane(np.eye(3), ORIGIN, 0.3, 1.4, (s, 0.0, c), o)
    breaks = [(o - sign * s * k * 0.7) / (c - sign * s * k) for sign in (-1.0, 1.0)]
    return found, revolved_below(lambda z: k * (0.7 - z), -0.7, 0.7, s, c, o, breaks), Cone(0.3, 1.4)


@settings(max_examples=60)
@given(angle=st.floats(1e-6, math.pi - 1e-6), share=shares)
@pytest.mark.parametrize("case", [cylinder_case, cone_case])
def test_wedges_against_quadrature(case, angle, share):
    found, expected, solid = case(angle, share)
    np.testing.assert_allclose(moments([found]), expected, atol=1e-9 * solid.volume)


@pytest.mark.parametrize("angle", [1e-12, 1e-7, 0.5 * math.pi - 1e-7, 0.5 * math.pi, math.pi - 1e-9])
@pytest.mark.parametrize("depth", [1e-8, 1e-5, 1e-2])
def test_thin_wedges_of_a_cylinder_keep_their_digits(angle, depth):
    s, c = math.sin(angle), math.cos(angle)
    o = depth - (s * 0.3 + abs(c) * 0.7)
    found = cylinder_plane(np.eye(3), ORIGIN, 0.3, 0.7, (s, 0.0, c), o)
    # Heights over the plane, exact for thin wedges: int over the depth of the section's area.
    area = 0.0 if depth <= 0 else section_area(s, c, o)
    assert 0.0 < found.V < area * depth * (1.0 + 1e-6)
    assert np.all(np.linalg.eigvalsh(np.diag(found.J[:3])) > 0.0)


def section_area(s, c, o):
    """Area of the section of the cylinder by the plane s x + c z = o."""
    r, h = 0.3, 0.7

    def chord(t):
        x, z = s * o + c * t, c * o - s * t
        return 2.0 * math.sqrt(max(r * r - x * x, 0.0)) if abs(z) <= h else 0.0

    ends = []
    if c != 0.0:
        ends += [(x - s * o) / c for x in (-r, r)]
    if s != 0.0:
        ends += [(c * o - z) / s for z in (-h, h)]
    ends = sorted(x for x in ends if abs(x) < 2.0)
    return sum(quad(chord, a, b, epsabs=1e-13, limit=200)[0] for a, b in zip(ends, ends[1:], strict=False))


@settings(max_examples=40)
@given(angle=st.floats(0.0, math.pi), share=st.floats(-0.99, 0.99))
def test_volume_grows_by_the_area_of_the_section(angle, share):
    s, c = math.sin(angle), math.cos(angle)
    o = share * (s * 0.3 + abs(c) * 0.7)
    low, high = o - 1e-3, o + 1e-3
    grown = [cylinder_plane(np.eye(3), ORIGIN, 0.3, 0.7, (s, 0.0, c), x).V for x in (low, high)]
    expected = quad(lambda x: section_area(s, c, x), low, high, epsabs=1e-12, limit=50)[0]
    assert grown[1] - grown[0] == pytest.approx(expected, abs=1e-9)


@settings(max_examples=40)
@given(turn=st.tuples(angles, angles, angles), angle=angles, share=shares)
@pytest.mark.parametrize("kind", ["cylinder", "cone"])
def test_both_sides_of_a_plane_make_the_whole_solid_at_any_pose(kind, turn, angle, share):
    R, p = Rotation.from_euler("xyz", turn).as_matrix(), np.array([0.3, -0.2, 0.5])
    n = np.array([math.sin(angle), 0.6 * math.cos(angle), 0.8 * math.cos(angle)])
    offset = n @ p + 0.7 * share
    if kind == "cylinder":
        solid, both = Cylinder(0.3, 1.4), [cylinder_plane(R, p, 0.3, 0.7, k * n, k * offset) for k in (1, -1)]
    else:
        solid, both = Cone(0.3, 1.4), [cone_plane(R, p, 0.3, 1.4, k * n, k * offset) for k in (1, -1)]
    whole = solid_part(solid.volume, solid.inertia, R, p, solid.centroid)
    np.testing.assert_allclose(moments(both), moments([whole]), atol=1e-9 * solid.volume)


@settings(max_examples=30)
@given(turn=st.tuples(angles, angles, angles), angle=angles, share=st.floats(-0.9, 0.9))
def test_moving_both_moves_the_part(turn, angle, share):
    R, p = Rotation.from_euler("xyz", turn).as_matrix(), np.array([0.3, -0.2, 0.5])
    n = np.array([math.sin(angle), 0.0, math.cos(angle)])
    here = cylinder_plane(np.eye(3), ORIGIN, 0.3, 0.7, n, 0.5 * share)
    there = cylinder_plane(R, p, 0.3, 0.7, R @ n, 0.5 * share + (R @ n) @ p)
    assert there.V == pytest.approx(here.V, abs=1e-14)
    if here.V > 1e-6:
        np.testing.assert_allclose(there.c, p + R @ here.c, atol=1e-11)
        turned = solid_part(here.V, tensor(here), R)
        np.testing.assert_allclose(there.J, turned.J, atol=1e-13)


def tensor(part: Part) -> np.ndarray:
    xx, yy, zz, xy, xz, yz = part.J
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
