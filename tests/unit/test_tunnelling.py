"""Shapes do not pass through each other within a step, however long the method would like it."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import jourdain as jd

HERTZ = jd.HertzContact(stiffness=1e6, restitution=0.6)
HARD = jd.HertzContact(stiffness=2e10, restitution=0.6)
BALL = jd.Sphere(0.05)
PLATE = jd.Box((1.0, 1.0, 0.002))
LYING = (np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0)


def ball_and(shape, gravity=-9.81, friction=None, normal=HERTZ):
    """A free ball of 1 kg and a shape fixed in the world."""
    system = jd.System("passing", gravity=(0.0, 0.0, gravity))
    system.add(jd.RigidBody("ball", mass=1.0, inertia=(0.001, 0.001, 0.001)), jd.Free("free"))
    if shape is not None:
        system.contact("hit", BALL.at("ball.origin"), shape.at("world"), normal=normal, friction=friction)
    return system.compile()


def thrown(model, place, velocity=(0.0, 0.0, 0.0), spin=(0.0, 0.0, 0.0), until=1.0, **options):
    state = model.state(q={"free": jd.Pose(place)}, v={"free": [*spin, *velocity]})
    return jd.simulate(model, state, until=until, **options)


def touchdown(run):
    """Time at which the contact first touches [s]."""
    touching = run.z["hit.touching"].values == 1.0
    assert touching.any()
    return run.record.time[int(np.argmax(touching))]


def passing_warnings(told):
    return [str(one.message) for one in told if "passed through" in str(one.message)]


@pytest.mark.parametrize(
    "plate",
    [PLATE, jd.Cylinder(0.5, 0.002), jd.shapes.ConvexMesh(PLATE.to_mesh()[0]), jd.Capsule(0.001, 0.5)],
    ids=lambda plate: plate.kind,
)
def test_ball_dropped_on_a_thin_plate_touches_it(plate):
    """5 m of free fall are exact for any step, so only the plate holds the ball up."""
    top = 0.251 if plate.kind == "capsule" else 0.001
    run = thrown(ball_and(plate, normal=HARD), (0.0, 0.0, 5.05 + top), until=1.05)
    assert touchdown(run) == pytest.approx(np.sqrt(2.0 * 5.0 / 9.81), abs=1e-9)
    assert run.q.values[-1, 2] > top


def test_ball_smaller_than_the_plate_is_thick():
    system = jd.System("passing", gravity=(0.0, 0.0, -9.81))
    system.add(jd.RigidBody("ball", mass=1e-5, inertia=(1e-12, 1e-12, 1e-12)), jd.Free("free"))
    system.contact("hit", jd.Sphere(0.0005).at("ball.origin"), PLATE.at("world"), normal=HERTZ)
    run = thrown(system.compile(), (0.1, 0.2, 5.0015), until=1.02)
    assert touchdown(run) == pytest.approx(np.sqrt(2.0 * 5.0 / 9.81), abs=1e-9)
    assert run.q.values[-1, 2] > 0.001


@pytest.mark.parametrize("ball_first", [True, False])
def test_spinning_thin_bar_hits_a_ball_at_rest(ball_first):
    """A bar of 4 mm at 20 rad/s: its flank reaches the ball, 0.9 m out, at the angle pi/2 - asin(0.052 / 0.9)."""
    system = jd.System("bar")
    system.add(jd.RigidBody("ball", mass=1.0, inertia=(0.001, 0.001, 0.001)), jd.Free("free"))
    system.add(jd.RigidBody("bar", mass=10.0, inertia=(1.0, 1.0, 1.0)), jd.Revolute("hinge", axis=(0, 0, 1)))
    pair = BALL.at("ball.origin"), jd.Capsule(0.002, 2.0).at("bar.origin", rotation=LYING)
    system.contact("hit", *(pair if ball_first else pair[::-1]), normal=HARD)
    model = system.compile()
    state = model.state(q={"free": jd.Pose((0.0, 0.9, 0.0))}, v={"hinge": 20.0})
    run = jd.simulate(model, state, until=0.1)
    assert touchdown(run) == pytest.approx((0.5 * np.pi - np.arcsin(0.052 / 0.9)) / 20.0, abs=1e-9)
    assert run.q.values[-1, 0] < -0.1


def test_rolling_and_bouncing_take_no_more_steps_than_on_a_plane():
    """Nothing passes through a plane, so the rule does not bear on it."""
    grip = jd.BristleFriction(static=0.4, kinetic=0.3)
    counts = []
    for ground in (jd.Plane((0, 0, 1)).at("world"), jd.Box((10.0, 1.0, 0.1)).at("world", (0, 0, -0.05))):
        system = jd.System("ground", gravity=(0.0, 0.0, -9.81))
        system.add(jd.RigidBody("ball", mass=1.0, inertia=(0.001, 0.001, 0.001)), jd.Free("free"))
        system.contact("hit", BALL.at("ball.origin"), ground, normal=HERTZ, friction=grip)
        model = system.compile()
        rolling = thrown(model, (0.0, 0.0, 0.0495), (1.0, 0.0, 0.0), (0.0, 20.0, 0.0), until=0.2)
        bouncing = thrown(model, (0.0, 0.0, 1.05), until=1.0)
        counts.append([len(rolling.record.time), len(bouncing.record.time)])
    np.testing.assert_allclose(counts[1], counts[0], rtol=0.03)


@pytest.mark.parametrize(("distance", "more"), [(0.5, 2), (0.05, 6)])
def test_flight_past_a_box_takes_hardly_more_steps_than_without_it(distance, more):
    """Ten metres in a second; the gaps at both ends of a step leave room for long ones."""
    counts = []
    for shape in (None, jd.Box((0.1, 0.1, 0.1))):
        run = thrown(ball_and(shape, 0.0), (-5.0, 0.0, 0.1 + distance), (10.0, 0.0, 0.0), (0.1, 0.2, 0.3))
        counts.append(len(run.record.time))
    assert counts[1] <= counts[0] + more


def test_fixed_step_through_a_plate_is_warned_of_once_and_the_step_named_does():
    model = ball_and(PLATE)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        run = thrown(model, (0.0, 0.0, 5.051), until=1.5, step=0.03)
    assert run.q.values[-1, 2] < -1.0
    (message,) = passing_warnings(told)
    assert '"hit"' in message
    step = float(message.split("step=")[1].split(",")[0])
    said = '"hit".* m inside each other, beyond half the thinner one, 0.001 m'
    with pytest.raises(jd.errors.SimulationError, match=said) as deep:
        thrown(model, (0.0, 0.0, 5.051), until=round(1.05 / step) * step, step=step)
    assert deep.value.culprit == "hit"
    assert deep.value.time == pytest.approx(np.sqrt(2.0 * 5.0 / 9.81), abs=step)


def test_thickness_of_shapes():
    assert BALL.thickness == 0.1
    assert PLATE.thickness == 0.002
    assert jd.Capsule(0.01, 1.0).thickness == 0.02
    assert jd.Cylinder(0.01, 1.0).thickness == 0.02
    assert jd.Cylinder(1.0, 0.01).thickness == jd.Cylinder(1.0, 0.01, inside=True).thickness == 0.01
    for endless in (jd.Plane((0, 0, 1)), jd.shapes.Edge((0, 0, 1), (1, 0, 0)), jd.Cone(1.0, 1.0, inside=True)):
        assert endless.thickness == np.inf
    # twice volume over surface: of a plate its thickness but for the rim, of a cube a third of the edge
    assert jd.shapes.ConvexMesh(PLATE.to_mesh()[0]).thickness == pytest.approx(0.002 / 1.004)
    assert jd.Mesh(*jd.Box((0.3, 0.3, 0.3)).to_mesh()).thickness == pytest.approx(0.1)
