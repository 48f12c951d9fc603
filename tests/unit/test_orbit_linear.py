"""Linear models in orbit: gravity gradient and the turning frame are in them."""

from __future__ import annotations

import numpy as np

import jourdain as jd


def test_libration_of_a_rigid_body_from_its_linear_model():
    """Pitch n sqrt(3 (B - A) / C); roll and yaw from the biquadratic of Hughes 1986, section 9.2."""
    A, B, C = 30.0, 60.0, 80.0  # about the local vertical, the flight direction, the orbit normal
    orbit = jd.Orbit(altitude=400e3)
    system = jd.System("satellite", environment=orbit)
    system.add(jd.RigidBody("bus", mass=100.0, inertia=(A, B, C)), joint=jd.Spherical("attitude"))
    model = system.compile()
    found = np.sort(model.frequencies(model.state()).rad) / orbit.mean_motion
    pitch = np.sqrt(3.0 * (B - A) / C)
    k_yaw, k_roll = (C - B) / A, (C - A) / B
    middle = 1.0 + 3.0 * k_roll + k_roll * k_yaw
    root = np.sqrt(middle**2 - 16.0 * k_roll * k_yaw)
    expected = np.sort([pitch, np.sqrt((middle + root) / 2.0), np.sqrt((middle - root) / 2.0)])
    np.testing.assert_allclose(found, expected, rtol=1e-9)


def test_particle_near_the_frame_has_the_clohessy_wiltshire_modes():
    """In-plane drift and oscillation at n, out of plane at n; the gradient is exact, so to rounding."""
    orbit = jd.Orbit(altitude=400e3)
    system = jd.System("particle", environment=orbit)
    system.add(jd.RigidBody("ball", mass=1.0, inertia=(1, 1, 1)), joint=jd.Free("free"))
    model = system.compile()
    linear = model.linearize(model.state())
    n = orbit.mean_motion
    rows = [linear.states.index(f"v:free.{axis}") for axis in ("vx", "vy", "vz")]
    positions = [linear.states.index(f"x:free.{axis}") for axis in ("vx", "vy", "vz")]
    np.testing.assert_allclose(linear.A[np.ix_(rows, positions)], n**2 * np.diag([3.0, 0.0, -1.0]), atol=1e-9 * n**2)
    speeds = linear.A[np.ix_(rows, rows)]
    np.testing.assert_allclose(speeds, 2.0 * n * np.array([[0, 1, 0], [-1, 0, 0], [0, 0, 0]]), atol=1e-9 * n)
