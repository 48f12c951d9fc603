"""Double pendulums that strike a plane: Gonthier 2007, section 5.1.3; losses after Ahmed et al. 1999."""

import numpy as np
import pytest

import jourdain as jd


def pendulum(lengths, masses, inertias, height, normal, friction, gravity) -> jd.Model:
    """Two links that hang down at zero angle; positive angles swing to +x; the plane is `height` below."""
    system = jd.System("double pendulum", gravity=(0, 0, -gravity))
    to = "world"
    for k, (length, mass, J) in enumerate(zip(lengths, masses, inertias)):
        link = jd.RigidBody(f"link{k}", mass, (0, 0, -length / 2), (J, J, 0.0), frames={"tip": (0, 0, -length)})
        system.add(link, joint=jd.Revolute(f"joint{k}", axis=(0, -1, 0)), to=to)
        to = f"link{k}.tip"
    point = jd.Sphere(1e-6).at("link1.tip")
    system.contact("tip", point, jd.Plane((0, 0, 1), -height - 1e-6).at("world"), normal=normal, friction=friction)
    return system.compile()


def on_a_plane() -> jd.Model:
    """Table 5.3."""
    friction = jd.BristleFriction(0.15, 0.12, stiffness=1e5, damping=10**2.5, stribeck=0.1, dwell=0.75)
    normal = jd.HertzContact(stiffness=1e6, restitution=0.9, slow_speed=1e-3)
    masses, lengths = (5.0, 2.0), (0.5, 0.25)
    inertias = [m * l**2 / 12 for m, l in zip(masses, lengths)]
    return pendulum(lengths, masses, inertias, 0.61, normal, friction, 9.81)


@pytest.mark.parametrize("rate, rest, stuck", [(130.0, (-0.35, -63.4), 7.9), (250.0, (1.74, -65.5), 7.5)])
def test_double_pendulum_comes_to_rest_on_a_plane(rate, rest, stuck):
    """Bounces, slides, sticks off centre, as in two re-runs: 130 deg/s relative to the first link, or absolute."""
    model = on_a_plane()
    start = np.radians([45.0, 0.0]), np.radians([-120.0, rate])
    run = jd.simulate(model, model.state(*start), until=12.0, rtol=1e-8, atol=1e-10)
    t = run.record.time
    first, second = (np.degrees(run.q[f"joint{k}"].values) for k in (0, 1))
    dwell = run.record.z[:, model.names.z.index("tip.dwell")]
    assert second.max() > 45.0  # the second joint goes positive first
    assert -2.24 <= first[-1] <= 2.71  # the cone of friction
    assert -63.90 <= first[-1] + second[-1] <= -63.70
    assert [first[-1], second[-1]] == pytest.approx(rest, abs=0.05)
    assert dwell[-1] > 0.99
    assert t[np.flatnonzero(dwell < 0.5)[-1]] == pytest.approx(stuck, abs=0.1)
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


LOSSES = {
    ("a", 0.1): (76.7, 94.8, 94.8, 94.8, 94.8, 94.8),
    ("a", 0.5): (58.1, 61.3, 62.8, 63.6, 64.0, 64.3),
    ("a", 1.0): (0.0, 22.1, 29.0, 32.4, 34.5, 35.8),
    ("b", 0.1): (6.4, 14.5, 19.1, 22.2, 24.3, 25.9),
    ("b", 0.5): (4.9, 15.8, 22.0, 26.0, 28.8, 30.9),
    ("b", 1.0): (0.0, 14.4, 22.4, 27.6, 31.1, 33.7),
    ("relative a", 0.1): (35.2, 42.2, 46.4, 49.2, 51.2, 52.7),
    ("relative a", 0.5): (26.7, 36.0, 41.5, 45.0, 47.7, 49.7),
    ("relative a", 1.0): (0.0, 17.9, 27.5, 32.0, 36.1, 39.6),
    ("relative b", 0.1): (14.8, 26.2, 32.7, 36.9, 39.8, 41.9),
    ("relative b", 0.5): (11.2, 26.6, 35.2, 40.5, 44.3, 46.9),
    ("relative b", 1.0): (0.0, 20.2, 31.1, 37.8, 42.3, 45.5),
}
KINETIC = {"a": 2.6612, "b": 2.6021, "relative a": 4.6230, "relative b": 4.5376}


@pytest.mark.parametrize("case, e", LOSSES)
def test_losses_of_the_benchmark_pendulum(case, e):
    """Loss of one impact in per cent over mu = 0 ... 1; neither contact is quite rigid: hence 0.15."""
    first, second = np.radians((18.0, 12.0) if case.endswith("a") else (0.0, 20.7))
    relative = case.startswith("relative")
    q = (first, second if relative else second - first)
    v = (-1.0, -1.0 if relative else 0.0)
    height = np.cos(q[0]) + np.cos(q[0] + q[1])
    normal = jd.HertzContact(stiffness=1e11, restitution=e)
    lost = []
    for mu in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0):
        friction = jd.BristleFriction(kinetic=mu, stiffness=1e7, damping=10.0, stribeck=1e-3) if mu else None
        model = pendulum((1.0, 1.0), (2.0, 2.0), (1 / 6, 1 / 6), height, normal, friction, 0.0)
        run = jd.simulate(model, model.state(q, v), until=3e-3, rtol=1e-8, atol=1e-12)
        kinetic = run.energy["kinetic"].values
        assert run.contact["tip"].sites.values[-1] == 0.0
        assert kinetic[0] == pytest.approx(KINETIC[case], abs=1e-4)
        assert run.energy.error < 1e-5
        lost.append(100.0 * (1.0 - kinetic[-1] / kinetic[0]))
    assert lost == pytest.approx(LOSSES[case, e], abs=0.15)
