"""Double pendulums that strike a plane: Gonthier 2007, section 5.1.3; losses after Ahmed et al. 1999."""

import numpy as np
import pytest
from gonthier_balls import LOSSES, comes_to_rest, impact_of_pendulum, on_a_plane, pendulum

import jourdain as jd


@pytest.mark.parametrize("rate", [130.0, 250.0])
def test_double_pendulum_comes_to_rest_on_a_plane(rate):
    """Bounces, slides, sticks off centre, as in two re-runs: 130 deg/s relative to the first link, or absolute."""
    run, (first, second), _ = comes_to_rest(rate)
    assert np.degrees(run.q["joint1"].values).max() > 45.0  # the second joint goes positive first
    assert -2.24 <= first <= 2.71  # the cone of friction
    assert -63.90 <= first + second <= -63.70
    assert run.record.z[-1, run.model.names.z.index("tip.dwell")] > 0.99
    assert np.abs(run.record.v[-1]).max() < 1e-9
    total = run.energy["total"].values
    assert np.max(total - np.minimum.accumulate(total)) < 1e-6
    assert run.energy.error < 1e-6


def test_double_pendulum_can_lock():
    """Both angles absolute: the second link strikes upright and stays within the cone of friction, 8.5 degrees."""
    model = on_a_plane()
    run = jd.simulate(model, model.state(np.radians([45.0, -45.0]), np.radians([-120.0, 250.0])), until=4.0)
    lean = np.degrees(np.sum(run.record.q[-1]))
    assert abs(lean) < np.degrees(np.arctan(0.15)) and lean == pytest.approx(3.82, abs=0.01)
    assert np.abs(run.record.v[-1]).max() < 1e-6 and run.energy.error < 1e-8


def test_without_stick_slip_the_pendulum_centres():
    """With viscous friction alone the tip slides until the first link hangs straight (section 5.1.3)."""
    normal = jd.HertzContact(stiffness=1e6, restitution=0.9, slow_speed=1e-3)

    @jd.contact.friction_law
    def viscous(load, slip, z, p, dz):
        return (-p[0] * load * slip[0], -p[0] * load * slip[1], -p[0] * load * slip[2])

    inertias = (5.0 * 0.25 / 12, 2.0 * 0.0625 / 12)
    model = pendulum((0.5, 0.25), (5.0, 2.0), inertias, 0.61, normal, viscous(2.0), 9.81)
    start = np.radians([3.0, -66.8]), [0.0, 0.0]
    run = jd.simulate(model, model.state(*start), until=20.0, rtol=1e-8, atol=1e-10, output=0.1)
    settled = np.degrees(run.q["joint0"].values[-1])
    assert abs(settled) < 0.1 and np.abs(run.record.v[-1]).max() < 1e-3


@pytest.mark.parametrize("case, e", LOSSES)
def test_losses_of_the_benchmark_pendulum(case, e):
    """One impact is over by then, and its energy adds up; the losses are held by the published cases."""
    for mu in (0.0, 1.0):
        run = impact_of_pendulum(case, e, mu)
        assert run.contact["tip"].sites.values[-1] == 0.0 and run.energy.error < 1e-5
