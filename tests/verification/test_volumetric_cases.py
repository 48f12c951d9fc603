"""The cases of Gonthier 2007, section 5.2: volumetric contact, with the digest's re-runs as second numbers."""

import numpy as np
import pytest

import jourdain as jd

ALONG_Y = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])


def ball_over_table(step: float, until: float) -> jd.Run:
    """Tables 5.5 and 5.6: 2 kg, 0.1 m, dropped from 0.2 m with a push and a spin; the table ends at y = 0.3 m."""
    system = jd.System("ball on a table", gravity=(0, 0, -9.81))
    system.add(jd.RigidBody("ball", mass=2.0, inertia=(0.008, 0.008, 0.008)), jd.Free("free"))
    friction = jd.BristleFriction(0.08, 0.05, stiffness=1e5, damping=np.sqrt(1e5), stribeck=1e-3, dwell=0.3)
    normal = jd.VolumetricContact(stiffness=1e7, restitution=0.5, slow_speed=1e-3, relaxation=1.0)
    table = jd.shapes.Edge((0, 0, 1), (0, 1, 0)).at("world", position=(0, 0.3, 0))
    system.contact("touch", jd.Sphere(0.1).at("ball.origin"), table, normal=normal, friction=friction)
    model = system.compile()
    state = model.state(q={"free": jd.Pose((0, 0, 0.2))}, v={"free": (0, 0, 3.0, 0, 0.3, 0)})
    return jd.simulate(model, state, until=until, method="rk3", step=step, output=1e-3, step_check="warn")


def at(run: jd.Run, values: np.ndarray, time: float) -> np.ndarray:
    return values[np.searchsorted(run.record.time, time - 1e-9)]


@pytest.mark.slow
def test_a_ball_bounces_rolls_and_leaves_the_table():
    """All numbers of the prose and of the digest's re-run at 50 us; no time of the first sample is finer than 1 ms."""
    run = ball_over_table(5e-5, 5.0)
    ball = run.frame("ball.origin")
    v, w = ball.velocity.values, ball.angular_velocity.values
    touch = run.contact["touch"]
    on = touch.sites.values > 0
    switches = run.record.time[1:][on[1:] != on[:-1]]
    assert switches == pytest.approx([0.1428, 0.1738, 0.2946, 0.3451, 0.3624, 4.356], abs=1.5e-3)
    assert at(run, v, 0.25)[1] == pytest.approx(0.2078, abs=1e-4)
    assert at(run, w, 0.25)[0] == pytest.approx(-1.930, abs=1e-3)
    assert at(run, v, 0.35)[1] == pytest.approx(0.1969, abs=1e-4)  # the thesis: 0.197
    for time, speed in ((0.5, 0.1749), (1.0, 0.1073), (1.5, 0.0653), (2.0, 0.0395), (3.0, 0.0145)):
        assert at(run, v, time)[1] == pytest.approx(speed, abs=1e-4)
    assert touch.force.values[:, 2].max() == pytest.approx(437.4, abs=0.5)
    assert run.record.time[np.argmax(w[:, 2] < 0.02)] == pytest.approx(1.889, abs=2e-3)  # all but stopped
    assert run.record.time[np.argmax(w[:, 2] < 0.0)] == pytest.approx(1.9, abs=5e-3)  # as in the thesis
    dwell = run.z["touch.dwell"].values
    for time, value in ((1.90, 0.127), (2.0, 0.374), (2.5, 0.882)):
        assert at(run, dwell, time) == pytest.approx(value, abs=2e-3)
    tilt = np.degrees(np.arcsin(touch.patch.normal.values[:, 2]))
    for time, angle in ((4.0, 88.0), (4.1, 86.0), (4.2, 80.3), (4.3, 41.0)):
        assert at(run, tilt, time) == pytest.approx(angle, abs=0.3)
    assert at(run, touch.force.values, 0.5)[1] == pytest.approx(-0.342, abs=1e-3)
    total = run.energy["total"].values
    assert at(run, total, 0.35) == pytest.approx(2.046, abs=1e-3)
    assert at(run, total, 2.5) == pytest.approx(1.930, abs=1e-3)
    after = run.energy["kinetic"].values[-1] + run.energy["gravity"].values[-1]
    assert after == pytest.approx(1.900, abs=1e-3)
    assert float(touch.remained[-1]) == pytest.approx(-0.0144, abs=1e-4)
    rolling = slice(np.searchsorted(run.record.time, 0.5), np.searchsorted(run.record.time, 4.35))
    assert np.max(np.diff(total[rolling])) <= 1e-12  # never rises
    assert run.energy.error < 1e-7


@pytest.mark.slow
@pytest.mark.parametrize("step, leaves", [(2.5e-4, 4.029), (1e-3, 3.746)])
@pytest.mark.filterwarnings("ignore::jourdain.contact.StepWarning")
def test_longer_steps_gain_no_energy(step, leaves):
    """The digest has 4.029 and 3.746 s with a fourth-order method; steps of 1 ms are beyond what friction bears, so the
    time of leaving, an instability, differs by the method: 3.714 s here."""
    run = ball_over_table(step, 5.0)
    on = run.contact["touch"].sites.values > 0
    assert run.record.time[np.flatnonzero(on)[-1]] == pytest.approx(leaves, abs=0.002 if step < 1e-3 else 0.05)
    total = run.energy["total"].values
    rolling = slice(np.searchsorted(run.record.time, 0.5), np.flatnonzero(on)[-1])
    assert np.max(np.diff(total[rolling])) <= 1e-12


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::jourdain.contact.StepWarning")
def test_a_ball_in_a_cylinder_comes_to_rest():
    """Section 5.2.1: velocities and energy decay and the motion along the axis stops, with no parameter for rolling.

    50 us is what bristles of 1e5 1/m under its weight ask of the step; impacts ask for 7 us, which is not insisted on.
    """
    system = jd.System("ball in a cylinder", gravity=(0, 0, -9.81))
    system.add(jd.RigidBody("ball", mass=2.0, inertia=(0.008, 0.008, 0.008)), jd.Free("free"))
    hole = jd.Cylinder(1.0, 20.0, inside=True).at("world", position=(0, 0, 1.0), rotation=ALONG_Y)
    friction = jd.BristleFriction(0.45, 0.4, stiffness=1e5, damping=1e2, stribeck=0.1, dwell=0.01)
    normal = jd.VolumetricContact(stiffness=5e6, restitution=0.5, slow_speed=1e-3, relaxation=1.0)
    system.contact("touch", jd.Sphere(0.1).at("ball.origin"), hole, normal=normal, friction=friction)
    model = system.compile()
    state = model.state(q={"free": jd.Pose((0.3, 0, 0.5))}, v={"free": (0, 0, 0, 0, 0.3, 0)})
    run = jd.simulate(model, state, until=20.0, method="rk5", step=5e-5, output=1e-3, step_check="warn")
    on = run.contact["touch"].sites.values > 0
    down = run.record.time[1:][on[1:] & ~on[:-1]]
    assert down[0] == pytest.approx(0.2666, abs=1e-3)  # as with point contact: the ball has not touched before
    assert len(down) >= 3
    speed = run.frame("ball.origin").velocity.values
    along = [abs(at(run, speed, time)[1]) for time in (1.5, 5.0, 10.0, 15.0)]
    assert all(later < 0.6 * sooner for sooner, later in zip(along, along[1:], strict=False))
    assert along[-1] < 0.02 * along[0] + 2e-3
    total = run.energy["total"].values
    rolling = np.searchsorted(run.record.time, 1.5)
    assert np.max(np.diff(total[rolling:])) < 1e-9
    assert run.energy.error < 1e-4


def tippe_top(spin: float, factor: float, contensou: str = "ansatz") -> tuple[jd.Run, np.ndarray]:
    """Tables 5.7 and 5.8: two spheres on one body; returns the run and the tilt of its axis."""
    system = jd.System("tippe-top", gravity=(0, 0, -9.81))
    system.add(jd.RigidBody("top", mass=6e-3, inertia=(8e-7, 8e-7, 7e-7)), jd.Free("free"))
    friction = jd.BristleFriction(0.3, 0.3, stiffness=1e5, damping=np.sqrt(1e5), stribeck=1e-3, dwell=0.01)
    normal = jd.VolumetricContact(
        stiffness=1.798e10, restitution=0.975, relaxation=1.0, spin_factor=factor, contensou=contensou
    )
    for name, radius, height in (("body", 0.015, 0.003), ("stem", 0.005, 0.016)):
        sphere = jd.Sphere(radius).at("top.origin", position=(0, 0, height))
        system.contact(name, sphere, jd.Plane((0, 0, 1)).at("world"), normal=normal, friction=friction)
    model = system.compile()
    c, s = np.cos(0.1), np.sin(0.1)
    pose = jd.Pose((0, 0, 0.015 - 0.003 * c - 8.34e-6), [[1, 0, 0], [0, c, -s], [0, s, c]])
    state = model.state(q={"free": pose}, v={"free": (0, 0, spin, 0, 0, 0)})
    run = jd.simulate(model, state, until=6.0, step=2e-5, output=1e-3)
    x, y = run.q["free.qx"].values, run.q["free.qy"].values
    return run, np.arccos(np.clip(1.0 - 2.0 * (x**2 + y**2), -1.0, 1.0))


@pytest.mark.slow
def test_the_tippe_top_turns_over():
    """The thesis: upright at 0.15 s, inverted at 1.6 s. The digest: 0.16 and 1.66 s, spin 142, 111, 100 rad/s."""
    run, tilt = tippe_top(200.0, 1.0)
    time = run.record.time
    assert time[np.argmin(tilt[time < 0.5])] == pytest.approx(0.15, abs=0.03)
    assert time[np.argmax(tilt > 0.95 * np.pi)] == pytest.approx(1.66, abs=0.01)
    spin = run.frame("top.origin").angular_velocity.values[:, 2]
    assert [at(run, spin, t) for t in (1.0, 2.0, 4.0)] == pytest.approx([142, 111, 100], abs=1.0)
    assert tilt[-1] > 0.95 * np.pi  # exact caps keep it up at 6 s; the thesis's voxels let it fall at 4 s
    stem = run.contact["stem"].patch
    assert stem.area.values[-1] > 0.0 and run.contact["body"].patch.area.values[-1] == 0.0
    assert run.energy.error < 1e-9


@pytest.mark.slow
@pytest.mark.parametrize(
    "spin, factor, contensou, flips, falls",
    [(185.0, 0.65, "ansatz", 1.51, None), (180.0, 1.0, "ansatz", 1.47, 5.4), (180.0, 1.0, "integrated", 1.47, 5.8)],
)
def test_the_modified_tippe_top(spin, factor, contensou, flips, falls):
    """The digest: 1.51 s with 0.65 of the spinning torque; 1.47 s with all of it, fallen at 5.2 to 5.6 s."""
    run, tilt = tippe_top(spin, factor, contensou)
    time = run.record.time
    assert time[np.argmax(tilt > 0.95 * np.pi)] == pytest.approx(flips, abs=0.01)
    down = time[(time > 3.0) & (tilt < 0.8 * np.pi)]
    if falls is None:
        assert not len(down)
    else:
        assert down[0] == pytest.approx(falls, abs=0.4)


def battery_box(**sizes: object) -> tuple[jd.Run, float]:
    """100 kg, gravity 1 m/s^2, 2 degrees askew about y and x, rk3 at 0.25 ms; and the angle that it ends at [rad]."""
    parts = jd.worksites.battery_box(**sizes)
    system = jd.System("battery box", gravity=(1.0, 0, 0))
    system.add(jd.RigidBody.from_shape("box", parts.box, density=100.0 / parts.box.volume), jd.Free("free"))
    normal = jd.VolumetricContact(stiffness=1e9, restitution=0.6, slow_speed=0.05, relaxation=1.0, parts=32)
    friction = jd.BristleFriction(0.3, 0.3, stiffness=1e5, damping=np.sqrt(1e5), stribeck=0.1, dwell=1e-3)
    worksite = parts.worksite.at("world")
    system.contact("fit", parts.box.at("box.origin"), worksite, normal=normal, friction=friction)
    model = system.compile()
    c, s = np.cos(np.radians(2.0)), np.sin(np.radians(2.0))
    turned = np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]]) @ np.array([[1, 0, 0], [0, c, -s], [0, s, c]])
    state = model.state(q={"free": jd.Pose((-0.35, 0, -0.095), turned)})
    run = jd.simulate(model, state, until=4.0, method="rk3", step=2.5e-4, output=2.5e-3, step_check="warn")
    return run, 2.0 * np.arccos(min(1.0, abs(run.q["free.qw"].values[-1])))


BLUNT = {"depth": 0.25, "lead_in": (0.12, 0.13)}


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::jourdain.contact.StepWarning")
@pytest.mark.parametrize("sizes, goes_in", [({}, True), (BLUNT, False)], ids=["lead-in", "blunt"])
def test_the_battery_box_comes_to_rest(sizes, goes_in):
    """Section 5.2.2, on stand-ins for the lost drawing: the thesis has it inserted, at rest after 2 s, under -100 N.

    Plates 25 degrees off the way in let it in; ones of 47 degrees catch it. Cell pairs come and go in both.
    """
    run, angle = battery_box(**sizes)
    fit, late = run.contact["fit"], run.record.time > 3.0
    assert np.mean(fit.force.values[late], axis=0) == pytest.approx([-100.0, 0, 0], abs=0.1)
    assert np.max(np.abs(run.record.v[late])) < 1e-3
    assert np.max(np.abs(run.record.v[run.record.time > 2.5])) < 0.02
    place = run.frame("box.origin").position.values[-1]
    if goes_in:  # the frames coincide but for half the clearance, and for how deep the floor yields
        assert abs(place[0]) < 1e-5 and np.all(np.abs(place[1:]) < 1e-3)
        assert angle < 0.002 / 0.3
    else:
        assert place[0] < -0.1
    switches = sum(np.abs(np.diff(part.touching.values)).sum() for part in fit.parts)
    assert switches > 20
    assert fit.depth.max() < 5e-3
    total = run.energy["total"].values
    assert total[-1] < total[0]
    assert run.energy.error < 1e-3
