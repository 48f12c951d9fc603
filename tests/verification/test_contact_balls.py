"""A ball that bounces, slides and rolls: Gonthier 2007, section 5.1.3, Table 5.2, with the digest's re-run."""

import numpy as np
import pytest

import jourdain as jd

SLOPE = np.radians(20.0)
# x downhill, z out of the plane
R_LW = np.array([[np.cos(SLOPE), 0, -np.sin(SLOPE)], [0, 1, 0], [np.sin(SLOPE), 0, np.cos(SLOPE)]])


def ball(ground) -> jd.Model:
    """2 kg, radius 0.1 m, with the laws of Table 5.2."""
    system = jd.System("ball", gravity=(0, 0, -9.81))
    system.add(jd.RigidBody("ball", mass=2.0, inertia=(0.008, 0.008, 0.008)), joint=jd.Free("free"))
    friction = jd.BristleFriction(0.45, 0.4, stiffness=1e5, damping=1e2, stribeck=0.1, dwell=0.01)
    normal = jd.HertzContact(stiffness=1e6, restitution=0.5, slow_speed=1e-3)
    system.contact("touch", jd.Sphere(0.1).at("ball.origin"), ground, normal=normal, friction=friction)
    return system.compile()


def touchdowns(run) -> np.ndarray:
    """Samples at which contact begins."""
    on = run.contact["touch"].sites.values > 0
    return np.flatnonzero(on[1:] & ~on[:-1]) + 1


def on_the_incline(**how):
    model = ball(jd.Plane(R_LW[2], 0.4).at("world"))
    state = model.state(q={"free": jd.Pose((0, 0, 2.0))}, v={"free": (0, 0, 0, -1.0, 0.5, 0)})
    run = jd.simulate(model, state, until=3.0, **how)
    frame = run.frame("ball.origin")
    return run, *(x.values @ R_LW.T for x in (frame.position, frame.velocity, frame.angular_velocity))


def at(run, x: np.ndarray, time: float) -> np.ndarray:
    return np.array([np.interp(time, run.record.time, column) for column in x.T])


def test_ball_on_an_incline():
    """Impacts, then rolling at 5/7 g sin 20; all numbers of the re-run."""
    run, p, v, w = on_the_incline()
    t, down = run.record.time, touchdowns(run)
    assert t[down] == pytest.approx([0.5112, 1.0646, 1.3404, 1.4770, 1.5438], abs=1e-4)
    assert v[down, 2] == pytest.approx([-5.0546, -2.4873, -1.1969, -0.5423, -0.1971], abs=1e-4)
    assert at(run, p, 2.0) == pytest.approx([2.9377, 0.7875, 0.4993], abs=1e-4)
    assert at(run, v, 2.0) == pytest.approx([4.1220, 0.35714, 0.0], abs=1e-4)
    assert at(run, w, 2.0) == pytest.approx([-3.5714, 41.2196, 0.0], abs=1e-4)
    assert at(run, v, 3.0)[0] == pytest.approx(6.5185, abs=1e-4)
    rolling = t > 2.0
    pull = np.polyfit(t[rolling], v[rolling, 0], 1)[0]
    assert pull == pytest.approx(5.0 / 7.0 * 9.81 * np.sin(SLOPE), rel=1e-8)
    assert v[-1, 1] == pytest.approx(5.0 / 7.0 * 0.5, rel=1e-7)  # angular momentum about the line of touch
    assert v[-1, 0] == pytest.approx(0.1 * w[-1, 1], rel=1e-5)
    assert run.energy.error < 1e-8
    assert np.max(np.diff(run.energy["total"].values)) < 1e-7


@pytest.mark.filterwarnings("ignore::jourdain.contact.StepWarning")
def test_ball_on_an_incline_at_a_fixed_step_and_a_loose_tolerance():
    """The thesis: a tolerance of 1e-3 is accurate in position already. Fixed steps hit the table to their kinks."""
    for how in ({"step": 2e-5, "step_check": "warn"}, {"rtol": 1e-3, "atol": 1e-5}):
        run, p, v, _ = on_the_incline(**how)
        assert at(run, p, 2.0) == pytest.approx([2.9377, 0.7875, 0.4993], abs=2e-3)
        assert at(run, v, 2.0) == pytest.approx([4.1220, 0.35714, 0.0], abs=2e-3)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::jourdain.contact.StepWarning")
def test_energy_of_fixed_steps_closes_as_they_shorten():
    """In the first impact friction's damping asks 17 over 20 us, and rk4 bears 2.8: it trembles."""
    coarse, fine = (on_the_incline(step=h, step_check="warn")[0].energy.error for h in (2e-5, 1e-6))
    assert coarse < 5e-3 and fine < 1e-5


@pytest.mark.parametrize("speed", [0.0, 0.3])
def test_ball_in_a_cylinder(speed):
    """Inside a cylinder of 1 m along y, whose bottom is at z = 0; released at x = 0.3, z = 0.5 m."""
    along_y = np.array([[1.0, 0, 0], [0, 0, -1.0], [0, 1.0, 0]])
    hole = jd.Cylinder(1.0, 40.0, inside=True).at("world", position=(0, 0, 1.0), rotation=along_y)
    model = ball(hole)
    state = model.state(q={"free": jd.Pose((0.3, 0, 0.5))}, v={"free": (0, 0, 0, 0, speed, 0)})
    run = jd.simulate(model, state, until=10.0)
    t, frame = run.record.time, run.frame("ball.origin")
    p, v, w = frame.position.values, frame.velocity.values, frame.angular_velocity.values
    assert t[touchdowns(run)] == pytest.approx([0.2666, 0.5090, 0.6295, 0.6887], abs=1.5e-4)
    rolling = t > 1.5
    total = run.energy["total"].values
    assert np.max(np.hypot(v[rolling, 0], v[rolling, 2])) == pytest.approx(0.9839, abs=1e-4)
    assert np.abs(p[rolling, 0]).max() == pytest.approx(0.3459, abs=1e-4)
    peaks = np.abs(w[rolling]).max(axis=0)
    if speed:
        assert total[[0, -1]] == pytest.approx([9.90, 3.3729], abs=1e-4)
        assert peaks == pytest.approx([2.414, 9.839, 0.712], abs=1e-3)
        assert [v[rolling, 1].min(), v[rolling, 1].max()] == pytest.approx([0.1982, 0.2142], abs=1e-4)
    else:
        assert total[[0, -1]] == pytest.approx([9.81, 3.3088], abs=1.5e-4)
        assert peaks == pytest.approx([0.0, 9.839, 0.0], abs=1e-3)
    # creep of the bristles under a load that changes: 5e-6 J a second
    assert 0.0 <= total[rolling][0] - total[-1] < 1e-4
    assert np.abs(w[t > 8.5]).max(axis=0)[1] == pytest.approx(peaks[1], rel=1e-3)  # no decay
    assert run.energy.error < 1e-8
