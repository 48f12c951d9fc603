"""Overlaps integrated by panels: partitions, independent slicings, gradients, limits, and meshes of manifold3d."""

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from overlaps import (
    ORIGIN,
    box_planes,
    capsule_polyhedron,
    cone_polyhedron,
    cylinder_cylinder,
    cylinder_polyhedron,
    lune,
    moments,
    placed,
    refined,
    slope,
    solid_part,
    sphere_along,
    sphere_capsule,
    sphere_cone,
    sphere_cylinder,
    sphere_plane,
    sphere_polyhedron,
)
from scipy.spatial.transform import Rotation

from jourdain.describe.shapes import Box, Capsule, Cone, Cylinder, Sphere

HALF = (0.4, 0.3, 0.25)
PANELS = 1e-9  # of the solid: what `panels` says of its error
DISCS = 3e-8  # what `spheres` says of two discs

angles = st.floats(-math.pi, math.pi)
turns = st.tuples(angles, angles, angles)
places = st.tuples(*[st.floats(-0.6, 0.6)] * 3)


def rotation(turn):
    return Rotation.from_euler("xyz", turn).as_matrix()


def cylinder(R, p, planes):
    return cylinder_polyhedron(R, p, 0.2, 0.3, planes)


def cone(R, p, planes):
    return cone_polyhedron(R, p, 0.2, 0.6, planes)


def capsule(R, p, planes):
    return capsule_polyhedron(R, p, 0.2, 0.3, planes)


def ball(R, p, planes):
    return sphere_polyhedron(p, 0.3, planes)


SOLIDS = {cylinder: Cylinder(0.2, 0.6), cone: Cone(0.2, 0.6), capsule: Capsule(0.2, 0.6), ball: Sphere(0.3)}
every = pytest.mark.parametrize("overlap", list(SOLIDS), ids=lambda f: f.__name__)


@settings(max_examples=40, deadline=None)
@given(turn=turns, place=places, normal=places, share=st.floats(-0.3, 0.3))
@every
def test_a_cut_through_the_polyhedron_changes_nothing(overlap, turn, place, normal, share):
    R, planes = rotation(turn), box_planes(np.eye(3), ORIGIN, HALF)
    n = np.array(normal) + (0.0, 0.0, 1e-3)
    n /= np.linalg.norm(n)
    halves = [overlap(R, place, np.vstack([planes, [*(k * n), k * share]])) for k in (1.0, -1.0)]
    volume = SOLIDS[overlap].volume
    np.testing.assert_allclose(moments(halves), moments([overlap(R, place, planes)]), atol=3.0 * PANELS * volume)


@settings(max_examples=40, deadline=None)
@given(turn=turns, place=places)
def test_a_ball_is_the_same_in_slices_across_any_axis(turn, place):
    planes = box_planes(np.eye(3), ORIGIN, HALF)
    here, there = sphere_polyhedron(place, 0.3, planes), sphere_along(rotation(turn), place, 0.3, planes)
    volume = Sphere(0.3).volume
    np.testing.assert_allclose(moments([here]), moments([there]), atol=30.0 * PANELS * volume)
    np.testing.assert_allclose(here.N, there.N, atol=1e-6)


@settings(max_examples=25, deadline=None)
@given(turn=turns, box_turn=turns, place=places)
@every
def test_moving_both_moves_the_part(overlap, turn, box_turn, place):
    R, B, p = rotation(turn), rotation(box_turn), np.array(place)
    here = overlap(R, p, box_planes(np.eye(3), ORIGIN, HALF))
    there = overlap(B @ R, B @ p + 1.0, box_planes(B, (1.0, 1.0, 1.0), HALF))
    volume = SOLIDS[overlap].volume
    assert there.V == pytest.approx(here.V, abs=30.0 * PANELS * volume)
    if here.V > 1e-3 * volume:
        np.testing.assert_allclose(there.c, B @ here.c + 1.0, atol=1e-6)
        np.testing.assert_allclose(there.N, B @ here.N, atol=1e-6)


@every
def test_the_whole_solid_in_a_large_box_and_nothing_beside_it(overlap):
    R, solid = rotation((0.3, -0.5, 1.1)), SOLIDS[overlap]
    p = np.array([0.2, 0.1, -0.3])
    inside = overlap(R, p, box_planes(np.eye(3), ORIGIN, (3.0, 3.0, 3.0)))
    whole = solid_part(solid.volume, solid.inertia, R, p, solid.centroid)
    np.testing.assert_allclose(moments([inside]), moments([whole]), atol=1e-13)
    np.testing.assert_allclose(inside.N, 0.0, atol=1e-12)
    assert overlap(R, p, box_planes(np.eye(3), (3.0, 0.0, 0.0), HALF)).V == 0.0


@every
def test_a_small_box_inside_is_whole(overlap):
    R, box = rotation((0.3, -0.5, 1.1)), Box((0.04, 0.05, 0.06))
    p = np.array([0.2, 0.1, -0.3])
    B = rotation((0.7, 0.1, -0.4))
    at = p + R @ np.array([0.01, 0.02, -0.1])
    inside = overlap(R, p, box_planes(B, at, (0.02, 0.025, 0.03)))
    np.testing.assert_allclose(moments([inside]), moments([solid_part(box.volume, box.inertia, B, at)]), atol=1e-15)


@every
def test_volume_changes_by_the_surface_that_moves_through_edges_corners_and_submersion(overlap):
    planes = box_planes(rotation((0.2, 0.1, 0.4)), ORIGIN, HALF)
    R, way = rotation((0.3, -0.9, 0.2)), np.array([0.6, 0.48, 0.64])
    volume = SOLIDS[overlap].volume
    stations = np.linspace(-1.1, 1.1, 400)
    found = [overlap(R, s * way + (0.13, -0.11, 0.02), planes) for s in stations]
    V, N = np.array([f.V for f in found]), np.array([f.N @ way for f in found])
    assert V[0] == V[-1] == 0.0 and V.max() > 0.3 * volume
    # Simpson's rule over each pair of steps: the volume is the integral of its derivative, -N along the way.
    h = stations[1] - stations[0]
    grown = h / 3.0 * (N[:-2] + 4.0 * N[1:-1] + N[2:])
    error = np.abs(V[2:] - V[:-2] + grown)
    # A ball that meets a face gains 2 pi R a unit of depth from then on: at such a kink the rule errs by k h^2 / 6.
    assert error.max() < 2.0 * math.pi * 0.3 * h**2 / 6.0
    assert np.quantile(error, 0.8) < 1e-8


@settings(max_examples=40, deadline=None)
@given(e=st.floats(1e-3, 0.54), z=st.floats(-0.5, 0.5))
@pytest.mark.parametrize("hole", [False, True])
def test_a_ball_and_a_cylinder_against_quadrature(hole, e, z):
    r, wide, half = 0.3, 0.25, 0.3
    found = sphere_cylinder(np.eye(3), ORIGIN, wide, half, hole, (e, 0.0, z), r)

    def outside(h):
        own = math.sqrt(max(r * r - (h - z) ** 2, 0.0))
        if own == 0.0 or e + own <= wide:
            return 0.0
        if e >= own + wide:
            return math.pi * own**2
        return math.pi * (own**2 - wide**2) if e + wide <= own else lune(own, wide, e)

    low, high = max(-half, z - r), min(half, z + r)
    off = [math.sqrt(r * r - x * x) for x in (abs(e - wide), e + wide) if x < r]
    ends = sorted({low, high, *(x for d in off for x in (z - d, z + d) if low < x < high)})
    V = 0.0
    for a, b in zip(ends, ends[1:], strict=False):
        t, w = np.polynomial.legendre.leggauss(150)
        at = 0.5 * (a + b) - 0.5 * (b - a) * np.cos(0.5 * math.pi * (t + 1.0))
        w = w * 0.25 * math.pi * (b - a) * np.sin(0.5 * math.pi * (t + 1.0))
        areas = np.array([outside(x) if hole else math.pi * max(r * r - (x - z) ** 2, 0.0) - outside(x) for x in at])
        V += w @ areas
    assert found.V == pytest.approx(V, abs=DISCS * Sphere(r).volume)


@settings(max_examples=25, deadline=None)
@given(place=places)
@pytest.mark.parametrize("half", [0.3, 0.15])
def test_a_ball_in_a_cylinder_and_around_it_is_the_ball_in_the_slab(place, half):
    R, p = rotation((0.4, 0.3, -0.2)), np.array([0.1, -0.2, 0.3])
    centre = p + R @ np.array(place)
    both = [sphere_cylinder(R, p, 0.25, half, hole, centre, 0.3) for hole in (False, True)]
    n = R[:, 2]
    planes = np.array([[*n, n @ p + half], [*-n, half - n @ p]])
    slab = sphere_along(R, centre, 0.3, planes)
    np.testing.assert_allclose(moments(both), moments([slab]), atol=2.0 * DISCS * Sphere(0.3).volume)


@settings(max_examples=25, deadline=None)
@given(place=places)
def test_a_ball_in_a_cone_and_around_it_is_the_ball_above_the_base(place):
    centre = np.array(place)
    both = [sphere_cone(np.eye(3), ORIGIN, 0.4, 0.6, hole, centre, 0.3) for hole in (False, True)]
    above = sphere_plane(centre, 0.3, (0.0, 0.0, -1.0), 0.3)
    np.testing.assert_allclose(moments(both), moments([above]), atol=2.0 * DISCS * Sphere(0.3).volume)


def test_a_ball_on_the_rim_of_a_hole_touches_all_around():
    found = sphere_cylinder(np.eye(3), ORIGIN, 0.2, 0.5, True, (0.0, 0.0, 0.715), 0.3)
    assert found.V > 0.0
    np.testing.assert_allclose(found.c[:2], 0.0, atol=1e-15)
    np.testing.assert_allclose(found.N[:2], 0.0, atol=1e-15)
    assert found.N[2] > 0.0
    assert found.J[2] > found.J[0]


@pytest.mark.parametrize("place", [(0.0, 0.0, 0.0), (0.35, 0.1, 0.2), (0.2, 0.0, 0.55), (0.0, 0.1, -0.62)])
def test_a_ball_and_a_capsule_are_a_ball_and_its_three_pieces(place):
    # The same by slices of the capsule where the ball is larger than it is: a ball as large as a half-space.
    found = sphere_capsule(np.eye(3), ORIGIN, 0.2, 0.3, place, 0.25)
    swapped = slope(lambda x: sphere_capsule(np.eye(3), ORIGIN, 0.2, 0.3, (place[0] + x, *place[1:]), 0.25).V)
    assert found.N[0] == pytest.approx(-swapped, abs=1e-6)
    whole = sphere_capsule(np.eye(3), ORIGIN, 0.2, 0.3, place, 2.0)
    solid = Capsule(0.2, 0.6)
    np.testing.assert_allclose(moments([whole]), moments([solid_part(solid.volume, solid.inertia)]), atol=1e-12)


def test_crossed_cylinders_are_steinmetz_solid():
    X = rotation((0.0, 0.5 * math.pi, 0.0))
    found = cylinder_cylinder(np.eye(3), ORIGIN, 0.3, 1.0, X, ORIGIN, 0.3, 1.0)
    assert found.V == pytest.approx(16.0 / 3.0 * 0.3**3, rel=1e-12)
    np.testing.assert_allclose(found.c, 0.0, atol=1e-15)


@pytest.mark.parametrize("shift", [0.0, 0.4, 0.9])
@pytest.mark.parametrize("tilt", [0.0, 1e-12, 1e-10, 1e-7])
def test_parallel_cylinders_are_a_lens_as_long_as_they_run_beside_each_other(shift, tilt):
    T = rotation((tilt, 0.5 * tilt, 0.0))
    found = cylinder_cylinder(np.eye(3), ORIGIN, 0.3, 0.5, T, (0.25, 0.2, shift), 0.2, 0.5)
    e = math.hypot(0.25, 0.2)
    lens = math.pi * 0.04 - lune(0.2, 0.3, e)
    assert found.V == pytest.approx(lens * (1.0 - shift), abs=1e-9 + tilt)


@settings(max_examples=25, deadline=None)
@given(turn=turns, place=places)
@example(turn=(0.0, 0.0, 0.5), place=(0.0, 0.0, 0.5))  # on one axis
def test_two_cylinders_are_the_same_either_way_round(turn, place):
    R = rotation(turn)
    here = cylinder_cylinder(np.eye(3), ORIGIN, 0.3, 0.5, R, place, 0.25, 0.6)
    there = cylinder_cylinder(R, place, 0.25, 0.6, np.eye(3), ORIGIN, 0.3, 0.5)
    np.testing.assert_allclose(moments([here]), moments([there]), atol=1e-7 * Cylinder(0.25, 1.2).volume)


@pytest.mark.parametrize("seed", range(4))
def test_curved_solids_against_meshes(seed):
    """Meshes of n and 2n segments, extrapolated: what remains of the chord error is (correction) times 1e-3."""
    manifold3d = pytest.importorskip("manifold3d")
    Manifold = manifold3d.Manifold
    rng = np.random.default_rng(seed)
    R, B, C = (Rotation.random(random_state=rng).as_matrix() for _ in range(3))
    p, q = rng.uniform(-0.35, 0.35, 3), rng.uniform(-0.2, 0.2, 3)
    planes = box_planes(B, ORIGIN, HALF)
    box = placed(Manifold.cube([0.8, 0.6, 0.5], True), B, ORIGIN)
    n = 256

    def rod(r, s, h):
        return lambda k: placed(Manifold.cylinder(2.0 * h, r, s, k, True), R, p)

    def other(k):
        return placed(Manifold.cylinder(1.2, 0.25, 0.25, k, True), C, q)

    cases = [
        (cylinder(R, p, planes), lambda k: rod(0.2, 0.2, 0.3)(k) ^ box),
        (cone(R, p, planes), lambda k: rod(0.2, 0.0, 0.3)(k) ^ box),
        (cylinder_cylinder(R, p, 0.2, 0.3, C, q, 0.25, 0.6), lambda k: rod(0.2, 0.2, 0.3)(k) ^ other(k)),
    ]
    for found, build in cases:
        expected, correction = refined(build, n)
        np.testing.assert_allclose(moments([found]), expected, atol=1e-8 + 1e-3 * correction.max())
