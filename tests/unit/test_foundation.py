"""Exact volumes against the foundation integrated over its patch, and the constant that makes it Hertz's."""

import math

import numpy as np
import pytest
from foundation import ball_on_plane, box_on_edge, contensou, cylinder_on_plane, disc, normal_load
from overlaps import ORIGIN, cylinder_plane, second_moments, sphere_plane
from scipy.spatial.transform import Rotation

UP = (0.0, 0.0, 1.0)
HERTZ = 0.3465


def test_a_cap_is_the_integral_of_its_heights():
    found, patch = sphere_plane((0.0, 0.0, 0.095), 0.1, UP, 0.0), ball_on_plane(0.1, 0.005)
    assert found.V == pytest.approx(patch.volume, rel=1e-12)
    assert math.sqrt(found.J[2] / found.V) == pytest.approx(patch.gyration, rel=1e-12)


@pytest.mark.parametrize("tilt", [0.0, 1e-3, 0.02, 0.2])
@pytest.mark.parametrize("depth", [1e-4, 5e-3])
def test_a_tilted_cylinder_is_the_integral_of_its_heights(tilt, depth):
    radius, length = 0.05, 0.2
    patch = cylinder_on_plane(radius, length, depth, tilt)
    R = Rotation.from_euler("y", 0.5 * math.pi - tilt).as_matrix()
    height = radius * math.cos(tilt) + 0.5 * length * math.sin(tilt) - depth
    found = cylinder_plane(R, (0.0, 0.0, height), radius, 0.5 * length, UP, 0.0)
    assert found.V == pytest.approx(patch.volume, rel=1e-5)
    assert found.c[0] == pytest.approx(patch.centroid[0], abs=1e-5 * length)
    assert math.sqrt(found.J[2] / found.V) == pytest.approx(patch.gyration, rel=1e-4)


@pytest.mark.parametrize("tilt", [0.01, 0.3, 1.2])
def test_the_normal_load_is_exact_and_rolling_is_the_surface_inertia(tilt):
    patch = box_on_edge(0.3, 0.2, 0.01, tilt)
    force, torque = normal_load(patch, 1e7, 0.4, -0.3, (0.2, -0.5))
    assert force == pytest.approx(1e7 * patch.volume * (1.0 + 0.4 * 0.3), rel=1e-12)
    off = patch.points - patch.centroid
    S = (off.T * (patch.heights * patch.areas)) @ off
    J = np.trace(S) * np.eye(2) - S
    np.testing.assert_allclose(torque, -1e7 * 0.4 * J @ (0.2, -0.5), rtol=1e-9, atol=1e-12)


def test_rolling_by_the_volume_exceeds_the_surface_by_the_spread_along_the_normal():
    """Gonthier's J_v in place of J_t: +0.85 % for a ball of 0.1 m at a depth of 5 mm."""
    found, patch = sphere_plane((0.0, 0.0, 0.095), 0.1, UP, 0.0), ball_on_plane(0.1, 0.005)
    _, torque = normal_load(patch, 1.0, 1.0, 0.0, (1.0, 0.0))
    assert found.J[0] / -torque[0] - 1.0 == pytest.approx(0.0085, abs=1e-4)
    spread = second_moments(found.J)[2, 2]
    assert found.J[0] + torque[0] == pytest.approx(spread, rel=1e-9)


@pytest.mark.parametrize(
    ("ratio", "force", "torque"),
    [
        (0.1, 0.0769, 0.5311),
        (0.5, 0.3730, 0.4804),
        (1.0, 0.6777, 0.3508),
        (2.0, 0.9319, 0.1527),
        (20.0, 0.9994, 0.0144),
    ],
)
def test_contensou_factors_of_a_parabolic_patch(ratio, force, torque):
    """The exact columns of the table; the ansatz C_v = x / sqrt(1 + x^2) is off by up to 29 % there, and twice."""
    patch = disc(1.0, "parabolic")
    assert patch.gyration == pytest.approx(1.0 / math.sqrt(3.0), rel=1e-12)
    C_v, C_w = contensou(patch, ratio)
    assert C_v == pytest.approx(force, abs=2e-4)
    assert C_w * patch.gyration == pytest.approx(torque, abs=2e-4)


@pytest.mark.parametrize(("profile", "limit"), [("uniform", 2 / 3), ("parabolic", 8 / 15), ("hertz", 3 * math.pi / 16)])
def test_pure_spin(profile, limit):
    patch = disc(1.0, profile)
    assert contensou(patch, 0.0)[1] * patch.gyration == pytest.approx(limit, rel=1e-5)


def test_stiffness_over_the_radius_of_gyration_is_hertz_for_thin_caps():
    """k_v = 0.3465 E* / r_gyr: 4/3 / (pi sqrt(3/2)) exactly, and 1 - d / 8R of Hertz's force at a finite depth."""
    exact = 4.0 / 3.0 / (math.pi * math.sqrt(1.5))
    assert exact == pytest.approx(HERTZ, abs=5e-5)
    for depth in (1e-6, 1e-3, 1e-2):
        found = sphere_plane((0.0, 0.0, 1.0 - depth), 1.0, UP, 0.0)
        force = exact / math.sqrt(found.J[2] / found.V) * found.V
        assert force / (4.0 / 3.0 * depth**1.5) == pytest.approx(1.0 - depth / 8.0, abs=depth**2 + 1e-16 / depth)


def test_a_flat_punch_is_softer_than_the_half_space_by_23_percent():
    """Cylinder of radius a standing on a plane: 0.3465 sqrt(2) pi = 1.5397 against 2 E* a d of the elastic punch."""
    found = cylinder_plane(np.eye(3), (0.0, 0.0, 0.1 - 1e-4), 0.02, 0.1, UP, 0.0)
    force = 4.0 / 3.0 / (math.pi * math.sqrt(1.5)) / math.sqrt(found.J[2] / found.V) * found.V
    assert force / (2.0 * 0.02 * 1e-4) == pytest.approx(0.7698, abs=1e-4)
    np.testing.assert_allclose(found.c[:2], ORIGIN[:2], atol=1e-16)
