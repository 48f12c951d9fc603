"""A wheelset on its track: directions and low speeds of rolling, what its wheels tell, and files that hold it."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.describe.description import from_dict, to_dict

WHEEL = jd.contact.Profile.of(lambda y: y / 20, -0.03, 0.03, 41)
RAIL = jd.contact.Profile.of(lambda y: y / 20 - y**2 / 0.6, -0.03, 0.03, 41)
GAUGE, RADIUS, LOAD, SLOW = 0.75, 0.46, 80e3, 0.1


def track(**more):
    given = dict(half_gauge=GAUGE, radius=RADIUS, load=LOAD, friction=0.3, slow_speed=SLOW) | more
    return jd.contact.Wheelset(WHEEL, RAIL, **given)


def vehicle(guide=1.0, mass=1e4, **more):
    """A car along the track, in it a wheelset that moves across, yaws and spins."""
    system = jd.System("vehicle")
    light = dict(mass=1.0, inertia=(1.0, 1.0, 1.0))
    system.add(jd.RigidBody("car", mass, inertia=(1e4, 1e4, 1e4)), jd.Prismatic("x", "x"))
    system.add(jd.RigidBody("box", **light), jd.Prismatic("sway", "y", stiffness=guide * 2e6), to="car.origin")
    system.add(jd.RigidBody("yoke", **light), jd.Revolute("yaw", "z", stiffness=guide * 4e6), to="box.origin")
    system.add(jd.RigidBody("axle", 1500.0, inertia=(900, 120, 900)), jd.Revolute("spin", "y"), to="yoke.origin")
    system.force("track", "axle.origin", track(**more))
    return system


def forces(law, y, yaw, velocity, turning):
    """(moment, force) on a wheelset at a place across, turned about z, and its motion in world axes."""
    s = np.zeros(13)
    s[1], s[3], s[6] = y, np.cos(yaw / 2), np.sin(yaw / 2)
    s[7:10], s[10:13] = turning, velocity
    return law.speak(0.0, np.zeros(0), np.zeros(0), np.zeros(0), s, 6)[0]


def samples(count=16):
    numbers = np.random.default_rng(1)
    for _ in range(count):
        speed = numbers.choice([-30.0, -1.0, -0.05, -1e-3, 1e-3, 0.05, 1.0, 30.0])
        size = abs(speed)
        y, yaw = numbers.uniform(-4e-3, 4e-3), numbers.uniform(-5e-3, 5e-3)
        velocity = np.array([speed, 3e-3 * size * numbers.normal(), 0.0])
        turning = np.array([0.0, speed / RADIUS * (1 + 3e-3 * numbers.normal()), 1e-2 * size * numbers.normal()])
        yield y, yaw, velocity, turning


FLIP_X = np.array([1, -1, -1, -1, 1, 1])  # moment (a pseudovector), force, mirrored along the track
FLIP_Y = np.array([-1, 1, -1, 1, -1, 1])


def test_rolling_backwards_is_the_mirror_image_of_rolling_forward():
    """Of a patch without symmetry too, to rounding; and the left of a track is the mirror image of the right."""
    patch = track().rolling
    lopsided = jd.contact.RollingPatch.from_dict(
        patch.to_dict()
        | {"strips": (patch.strips + np.outer(np.linspace(0, 1, len(patch.strips)), [2e-3, 0, 1e-3])).tolist()}
    )
    for element in (track(), track(patch=lopsided)):
        law = element.law("track", "axle.origin")
        for y, yaw, velocity, turning in samples():
            there = forces(law, y, yaw, velocity, turning)
            back = forces(law, y, -yaw, velocity * (-1, 1, 1), turning * (1, -1, -1))
            np.testing.assert_allclose(back, FLIP_X * there, atol=1e-9 * LOAD)
            other = forces(law, -y, -yaw, velocity * (1, -1, 1), turning * (-1, 1, -1))
            np.testing.assert_allclose(other, FLIP_Y * there, atol=1e-9 * LOAD)


@pytest.mark.parametrize("speed", [0.0, -60.0, 60.0, -1e-9, 1e-3])
def test_the_load_presses_at_every_speed(speed):
    law = track().law("track", "axle.origin")
    found = forces(law, 0.0, 0.0, (speed, 0.0, 0.0), (0.0, speed / RADIUS, 0.0))
    friction = 2 * 0.3 * LOAD / 20  # creep by spin, in the plane of the contact
    assert found[5] == pytest.approx(2 * LOAD / np.hypot(1, 1 / 20), abs=friction)
    assert np.max(np.abs(found[:5])) < 1e-3 * LOAD


def test_creep_forces_go_through_a_standstill_without_a_step():
    """Forces and slopes by speed agree on both sides of 0 and of the slow speed; at rest they are those of a viscous
    friction with Kalker's coefficients over half the slow speed."""
    element = track()
    law, patch = element.law("track", "axle.origin"), element.rolling
    slips = np.array([0.0, 2e-6, 0.0]), np.array([0.0, 0.0, 1e-6])

    def at(speed):
        return forces(law, 0.0, 0.0, slips[0] + (speed, 0, 0), slips[1] + (0, (speed - 1e-6) / RADIUS, 0))

    for seam in (0.0, SLOW, -SLOW):
        h = 1e-6
        before, there, after = at(seam - h), at(seam), at(seam + h)
        scale = np.max(np.abs(there[:5]))
        assert np.max(np.abs(after - before)) < 1e-4 * max(scale, 1.0)
        one, other = (after - there) / h, (there - before) / h
        assert np.max(np.abs(one - other)) < 1e-3 * np.max(np.abs(one)) + 1e-3 * scale
    a, b, (L1, L2, _) = patch.half_length, patch.half_width, patch.flexibility
    # nowhere slips: 8 a^2 b / 3 L a unit of creepage and wheel (Kalker 1982), a slow speed / 2 is the reference
    rest = at(0.0)
    assert rest[3] == pytest.approx(-2 * 8 * a**2 * b / (3 * L1) * 1e-6 / (SLOW / 2), rel=0.05)
    assert rest[4] == pytest.approx(-2 * 8 * a**2 * b / (3 * L2) * 2e-6 / (SLOW / 2), rel=0.05)


def test_a_vehicle_rolls_to_a_stop_and_back():
    """Pushed back by a constant force it turns as rolling masses do, creeps little, and the energy balance closes."""
    system = vehicle()
    system.force("push", "car.origin", (-2e4, 0.0, 0.0))
    model = system.compile()
    start = model.state(v={"x": 0.5, "spin": 0.5 / RADIUS})
    run = jd.simulate(model, start, 0.6, method="radau", rtol=1e-8, atol=1e-10, output=0.01)
    inertia = 1e4 + 1.0 + 1.0 + 1500.0 + 120.0 / RADIUS**2
    assert run.trusted and float(run.v["x"][-1]) == pytest.approx(0.5 - 2e4 / inertia * 0.6, abs=2e-3)
    creep = np.abs(run.contact["track.left"].creepage.values[:, 0])
    assert np.all(creep[np.abs(run.v["x"].values) > SLOW] < 1e-4)
    for side in ("left", "right"):
        assert np.all(run.contact[f"track.{side}"].normal_force.values == LOAD)


def test_wheels_are_contacts_with_creepages(tmp_path):
    """Forces of both wheels are the force of the track; creepages are slip over speed; the same from the file."""
    model = vehicle().compile()
    start = model.state({"sway": 2e-3, "yaw": 1e-3}, {"x": 20.0, "spin": 20.0 / RADIUS * 1.001, "yaw": 0.02})
    run = jd.simulate(model, start, 0.05, step=1e-3, method="rk4")
    left, right = run.contact["track.left"], run.contact["track.right"]
    assert run.contact.display_names == ["track.left", "track.right"] and "track.left" in run.contact
    law = model.law_forces[0].law
    for i in (0, 20, -1):
        state = run.state(i)
        whole = law.evaluate(model, 0.0, state.q, state.v, np.zeros(0), 6)
        both = [np.concatenate([one.torque.values[i], one.force.values[i]]) for one in (left, right)]
        np.testing.assert_allclose(sum(both), whole, atol=1e-9 * LOAD)
        for one in (left, right):
            middle = run.frame("axle.origin").position.values[i]
            arm = one.point.values[i] - middle
            np.testing.assert_allclose(np.cross(arm, one.force.values[i]), one.torque.values[i], atol=1e-6)
    # at the start: (V -+ s yaw' - omega r) / V along, (- V yaw) / V across, yaw' and the cone's spin over V about z
    spin = 20.0 / RADIUS * 1.001
    for sign, one in ((1, left), (-1, right)):
        along, across, turn = one.creepage.values[0]
        radius = float(one.rolling_radius[0])
        assert along == pytest.approx((20.0 - sign * GAUGE * 0.02 - spin * radius) / 20.0, abs=2e-6)
        assert across == pytest.approx(-1e-3, abs=6e-6)  # to first order in the contact angle times creepage along
        assert turn == pytest.approx((0.02 - sign * spin * np.sin(float(one.contact_angle[0]))) / 20.0, rel=1e-3)
        assert float(one.slip[0]) == pytest.approx(20.0 * np.hypot(along, across), rel=1e-6)
        assert 0.0 < float(one.sliding[0]) <= 1.0
    assert left.patch.half_length > left.patch.half_width > 1e-3 and float(left.pressure[0]) == left.patch.peak
    shown = jd.quantity(run, "contact:track.left.creepage.spin")
    np.testing.assert_array_equal(shown.values, left.creepage.values[:, 2])
    assert shown.unit == "1/m" and jd.quantity(run, "contact:track.right.force.z").values[0] > 0.9 * LOAD
    assert jd.quantity(run, "contact:track.left.creepage").values[0] == pytest.approx(float(left.slip[0]) / 20.0)
    with pytest.raises(jd.JourdainError, match=r"creepage\.spin"):
        jd.quantity(run, "contact:track.left.creepage.sping")
    run.save(tmp_path / "run.nc")
    again = jd.load(tmp_path / "run.nc")
    np.testing.assert_array_equal(again.contact["track.left"].force.values, left.force.values)
    # what was a law that files did not hold kept reactions from being worked out
    np.testing.assert_array_equal(again.reaction["sway"].force.values, run.reaction["sway"].force.values)
    run.report(tmp_path / "report.html")
    assert "track.left" in (tmp_path / "report.html").read_text()


def test_files_hold_wheelsets_and_tyres(tmp_path):
    system = vehicle(patch=track().rolling, steps=30)
    road = jd.contact.Road.from_spectrum("B", length=20.0, spacing=0.5, seed=1)
    system.force("tyre", "car.origin", jd.contact.tyre("car.origin", road, radius=0.3, stiffness=1e5, speed=10.0))
    system.save(tmp_path / "vehicle.yaml")
    again = jd.System.load(tmp_path / "vehicle.yaml")
    model = system.compile()
    assert again.compile().hash == model.hash == from_dict(to_dict(system)).compile().hash
    for one, other in zip(model.law_forces, again.compile().law_forces, strict=True):
        np.testing.assert_array_equal(one.law.parameters, other.law.parameters)
        assert one.law.markers == other.law.markers
    system.force("beside", "axle", track(), along=True)
    assert "acts at a frame, not along a body" in " ".join(one.message for one in system.check())
    system.forces.pop()
    given = to_dict(system)
    given["forces"][0]["force"]["load"] = -1.0
    with pytest.raises(jd.JourdainError, match="load: is -1; give a finite number above 0"):
        from_dict(given)
