"""Linear models in orbit: gravity gradient and the turning frame are in them."""

from __future__ import annotations

import numpy as np
from scipy.linalg import expm

import jourdain as jd
from jourdain.model.displacement import apart, moved


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


def test_regulator_of_a_gravity_gradient_satellite():
    """The loop around the satellite has the designed poles, and a run decays with them up to the deviation's square.

    Pitch is decoupled, x'' = -w^2 x + u / C. Its poles are the stable ones of the symmetric root locus
    s^4 + (2 w^2 - q' / r) s^2 + w^4 + q / r = 0, with q, q' the weights of x, x' and r = R C^2 (Kailath 1980, ch. 3).
    """
    A, B, C = 30.0, 60.0, 80.0
    orbit = jd.Orbit(altitude=400e3)
    n = orbit.mean_motion
    system = jd.System("satellite", environment=orbit)
    system.add(jd.RigidBody("bus", mass=100.0, inertia=(A, B, C)), joint=jd.Spherical("attitude"))
    model = system.compile()
    rest = model.state()
    R = 1.0 / (C * n**2) ** 2
    law = jd.control.LQR(model, rest, dict.fromkeys(model.names.v, (1.0, n**-2)), R)
    w, r = 3.0 * (B - A) / C, 1.0
    pitch = np.roots([1.0, 0.0, 2.0 * w - 1.0 / r, 0.0, w**2 + 1.0 / r])
    for pole in pitch[pitch.real < 0.0]:
        assert np.min(np.abs(law.poles / n - pole)) < 1e-9
    closed = np.sort_complex(model.linearize(rest, controller=law).eigenvalues)
    np.testing.assert_allclose(closed, np.sort_complex(law.poles), rtol=1e-9)
    x0 = np.array([1e-4, -2e-4, 3e-4, 0.0, 0.0, 0.0])
    run = jd.simulate(model, model.state(moved(model, rest.q, x0[:3])), until=2000.0, step=2.0, controller=law)
    loop = law.plant.A - law.plant.B @ law.gain
    for i in (100, 400, 1000):
        expected = (expm(loop * run.record.time[i]) @ x0)[:3]
        np.testing.assert_allclose(apart(model, rest.q, run.record.q[i]), expected, atol=1e-7)
