"""Volumetric contact of one patch against direct integration over it (Gonthier 2007, chapter 4)."""

import numpy as np
import pytest
from patches import acting, coulomb, disc, rectangle, system_of

import jourdain as jd

R, DEPTH, STIFFNESS = 0.1, 5e-3, 1e7
PLANE = jd.Plane((0, 0, 1)).at("world")
BALL = jd.Sphere(R)
FACTOR = 0.71637527 / 0.5
"""d / e of restitution 0.5 (table of the digest)."""
SLIDING = jd.BristleFriction(kinetic=0.3, stiffness=1e5, stribeck=1e-6)
"""Full Coulomb friction from the first instant: nothing sticks, and the bristles are at their sliding deflection."""


def law(**words):
    return jd.VolumetricContact(**{"stiffness": STIFFNESS, "restitution": 0.5, **words})


def cap():
    """Points, weights and heights of the overlap of the ball with the plane."""
    radius = np.sqrt(2.0 * R * DEPTH - DEPTH**2)
    points, weights = disc(radius)
    return points, weights, np.sqrt(R**2 - np.sum(points**2, axis=1)) - (R - DEPTH)


@pytest.fixture(scope="module")
def ball():
    return system_of(BALL, PLANE, law())


@pytest.fixture(scope="module")
def sliding():
    return {kind: system_of(BALL, PLANE, law(contensou=kind), SLIDING) for kind in ("ansatz", "integrated")}


def test_the_normal_force_is_the_integral_of_the_pressure(ball):
    """f_n = k_v V (1 + a v): exact, whatever the ball's rolling (eq. 4.62). The quadrature is good to 1e-12."""
    points, weights, height = cap()
    w, sinking = np.array([0.4, -0.7, 0.0]), 0.02
    found = acting(ball, jd.Pose((0, 0, R - DEPTH)), w, (0, 0, -sinking))
    rate = sinking - (w[0] * points[:, 1] - w[1] * points[:, 0])
    pressure = STIFFNESS * height * (1.0 + FACTOR / sinking * rate)
    assert found["force"] == pytest.approx([0, 0, np.sum(weights * pressure)], rel=1e-8, abs=1e-9)
    assert found["volume"] == pytest.approx(np.sum(weights * height), rel=1e-11)
    assert found["pressure"] == pytest.approx(found["normal_force"] / weights.sum(), rel=1e-11)
    assert found["peak_pressure"] == pytest.approx(STIFFNESS * DEPTH * (1.0 + FACTOR), rel=1e-7)


def test_rolling_resistance_exceeds_the_integral_by_the_depth_of_the_volume(ball):
    """k_v a J_v w against the exact k_v a J_t w: 0.85 % more at this depth, as the digest has it (3.7.2)."""
    points, weights, height = cap()
    w, sinking = np.array([0.4, 0.0, 0.0]), 0.02
    torque = acting(ball, jd.Pose((0, 0, R - DEPTH)), w, (0, 0, -sinking))["torque"]
    exact = -STIFFNESS * FACTOR / sinking * np.sum(weights * height * points[:, 1] ** 2) * w[0]
    assert torque[1:] == pytest.approx([0, 0], abs=1e-12)
    assert torque[0] / exact == pytest.approx(1.0085, abs=2e-4)


@pytest.mark.parametrize(
    "ratio, force_off, torque_off",
    [(0.1, 0.29, 0.082), (0.5, 0.199, 0.075), (1.0, 0.043, 0.164), (2.0, -0.040, 0.69), (20.0, -0.0006, 1.0)],
)
def test_contensou_factors_against_the_integral(sliding, ratio, force_off, torque_off):
    """The thesis's ansatz deviates as the digest tabulates (3.7.6); the integrated factors are right to 1 %."""
    points, weights, height = cap()
    load = weights * height
    gyration = np.sqrt(np.sum(load * np.sum(points**2, axis=1)) / load.sum())
    spin = 3.0
    slip = ratio * gyration * spin
    (along, _), moment = coulomb(points, load, (slip, 0.0), spin)
    for kind, model in sliding.items():
        found = acting(model, jd.Pose((0, 0, R - DEPTH)), (0, 0, spin), (slip, 0, 0))
        force = -found["force"][0] / (0.3 * found["normal_force"])
        torque = -found["torque"][2] / (0.3 * found["normal_force"])
        off = force / along - 1.0, torque / moment - 1.0
        if kind == "ansatz":
            assert off == pytest.approx((force_off, torque_off), abs=0.015)
            assert force**2 + (torque / gyration) ** 2 == pytest.approx(1.0, rel=1e-9)
        else:
            assert off == pytest.approx((0.0, 0.0), abs=0.01)


def test_pure_spin_and_pure_slip(sliding):
    """Pure spin: 8/15 of mu N a for a cap, 1/sqrt(3) with the ansatz. Pure slip: mu N."""
    points, weights, height = cap()
    _, moment = coulomb(points, weights * height, (0.0, 0.0), 3.0)
    pose, radius = jd.Pose((0, 0, R - DEPTH)), np.sqrt(2.0 * R * DEPTH - DEPTH**2)
    assert moment / radius == pytest.approx(8.0 / 15.0, rel=0.01)
    for kind, part in (("ansatz", 1.083), ("integrated", 1.0)):
        found = acting(sliding[kind], pose, (0, 0, 3.0))
        assert -found["torque"][2] / (0.3 * found["normal_force"] * moment) == pytest.approx(part, abs=0.01)
        found = acting(sliding[kind], pose, v=(0.2, 0, 0))
        assert -found["force"][0] == pytest.approx(0.3 * found["normal_force"], rel=1e-9)


def test_a_box_that_spins_on_its_face():
    """Even pressure on a rectangle: the integrated torque to 1 %; the ansatz is 6 to 7 % over (digest 3.7.6)."""
    box, depth = jd.Box((0.06, 0.04, 0.05)), 1e-5
    points, weights = rectangle(0.06, 0.04)
    for kind, part, off in (("ansatz", 1.067, 0.01), ("integrated", 1.0, 0.01)):
        model = system_of(box, PLANE, law(stiffness=1e9, contensou=kind), SLIDING)
        for slip in (0.0, 0.05):
            (along, _), moment = coulomb(points, weights, (slip, 0.0), 3.0)
            found = acting(model, jd.Pose((0, 0, 0.025 - depth)), (0, 0, 3.0), (slip, 0, 0))
            load = 0.3 * found["normal_force"]
            if slip == 0.0:
                assert -found["torque"][2] / (load * moment) == pytest.approx(part, abs=off)
            elif kind == "integrated":
                assert -found["force"][0] / (load * along) == pytest.approx(1.0, abs=0.01)
                assert -found["torque"][2] / (load * moment) == pytest.approx(1.0, abs=0.02)
        assert found["area"] == pytest.approx(0.06 * 0.04, rel=1e-9)
        assert found["normal_force"] == pytest.approx(1e9 * 0.06 * 0.04 * depth, rel=1e-9)


@pytest.mark.parametrize(
    "tilt, normal", [(1, 0.500), (5, 2.481), (10, 4.843), (20, 8.620), (30, 9.553), (45, 0.0), (60, -9.553)]
)
def test_the_normal_of_a_box_on_its_edge(tilt, normal):
    """A wedge 10 mm deep and 0.2 m long: the principal axis bisects the two faces, as the digest tabulates (3.7.5).

    The conservative normal is that of the plane; force and centroid are the same.
    """
    box = jd.Box((2.0, 0.2, 2.0))
    a = np.radians(tilt)
    turned = np.array([[np.cos(a), 0, np.sin(a)], [0, 1, 0], [-np.sin(a), 0, np.cos(a)]])
    lowest = np.cos(a) + np.sin(a)
    pose = jd.Pose((0, 0, lowest - 0.01), turned)
    found = acting(system_of(box, PLANE, law(normal="inertia")), pose)
    face = turned @ np.array([0.0, 0.0, 1.0])
    side = np.sign(face[0])
    assert np.degrees(np.arctan2(side * found["normal"][0], found["normal"][2])) == pytest.approx(normal, abs=2e-3)
    plain = acting(system_of(box, PLANE, law()), pose)
    assert plain["normal"] == pytest.approx([0, 0, 1], abs=1e-15)
    for name in ("volume", "point", "normal_force", "area"):
        assert plain[name] == pytest.approx(found[name], rel=1e-12), name


def test_two_balls_and_a_ball_on_a_box():
    """A lens is two caps; a ball on the middle of a face is a ball on a plane."""
    alone = acting(system_of(BALL, PLANE, law()), jd.Pose((0, 0, R - DEPTH)), (0.1, 0.2, 0.3), (0.01, 0, -0.02))
    on_box = jd.Box((1, 1, 1)).at("world", position=(0, 0, -0.5))
    same = acting(system_of(BALL, on_box, law()), jd.Pose((0, 0, R - DEPTH)), (0.1, 0.2, 0.3), (0.01, 0, -0.02))
    for name in ("force", "torque", "point", "normal", "volume", "area"):
        assert same[name] == pytest.approx(alone[name], rel=1e-9, abs=1e-12), name
    other = jd.Sphere(R).at("world", position=(0, 0, -R))
    lens = acting(system_of(BALL, other, law()), jd.Pose((0, 0, R - 2.0 * DEPTH)))
    assert lens["volume"] == pytest.approx(2.0 * alone["volume"], rel=1e-12)
    assert lens["point"] == pytest.approx([0, 0, -DEPTH], abs=1e-12)


def test_stiffness_that_follows_the_patch_obeys_hertz():
    """0.3465 E* / r_gyr: 4/3 E* R^1/2 d^3/2 for thin caps, to the order of depth over radius."""
    steel = jd.Material(2e11, 0.3)
    model = system_of(BALL, PLANE, jd.VolumetricContact(material=(steel, None), hertz=True))
    modulus = steel.plane_modulus
    for depth, off in ((1e-6, 1e-5), (1e-4, 1e-3)):
        found = acting(model, jd.Pose((0, 0, R - depth)))
        assert found["normal_force"] == pytest.approx(4 / 3 * modulus * np.sqrt(R) * depth**1.5, rel=off)


def test_stiffness_of_materials_and_of_two_foundations():
    """A confined layer each, in series; a rigid partner counts for nothing (eq. 4.132)."""
    rubber = jd.Material(5e6, 0.3)
    modulus = 5e6 * 0.7 / (1.3 * 0.4)
    assert jd.VolumetricContact(material=(rubber, None), depth=0.01).foundation() == pytest.approx(modulus / 0.01)
    both = jd.VolumetricContact(material=(rubber, rubber), depth=(0.01, 0.03)).foundation()
    assert both == pytest.approx(modulus / 0.04)
    assert jd.VolumetricContact(stiffness=(3e8, np.inf)).foundation() == 3e8
    assert jd.VolumetricContact(stiffness=(3e8, 1e8)).foundation() == pytest.approx(7.5e7)


def test_spin_factor_scales_the_spinning_torque_alone():
    pose = jd.Pose((0, 0, R - DEPTH))
    one, less = (
        acting(system_of(BALL, PLANE, law(spin_factor=x), SLIDING), pose, (0.5, 0, 3.0), (0.05, 0, 0))
        for x in (1, 0.65)
    )
    assert less["force"] == pytest.approx(one["force"], rel=1e-12)
    assert less["torque"][2] == pytest.approx(0.65 * one["torque"][2], rel=1e-12)
    assert less["torque"][:2] == pytest.approx(one["torque"][:2], rel=1e-12)


def test_a_pair_named_the_other_way_round_acts_the_other_way():
    system = jd.System("two", gravity=(0, 0, 0))
    system.add(jd.RigidBody("body", mass=2.0, inertia=(0.008, 0.008, 0.008)), jd.Free("free"))
    system.contact("touch", PLANE, BALL.at("body.origin"), normal=law(), friction=SLIDING)
    one = acting(system.compile(), jd.Pose((0, 0, R - DEPTH)), (0.5, 0, 3.0), (0.05, 0, -0.01))
    two = acting(system_of(BALL, PLANE, law(), SLIDING), jd.Pose((0, 0, R - DEPTH)), (0.5, 0, 3.0), (0.05, 0, -0.01))
    for name in ("force", "torque", "normal"):
        assert one[name] == pytest.approx(-two[name], rel=1e-12), name
