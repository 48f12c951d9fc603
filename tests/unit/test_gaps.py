"""How far shapes are apart, which of a pile touch, and stiffness from materials and radii."""

import math

import numpy as np
import pytest

import jourdain as jd

HERTZ = jd.HertzContact(stiffness=1e6, restitution=0.5)
STEEL = jd.Material(E=210e9, nu=0.3)
BRASS = jd.Material(E=100e9, nu=0.34)


def free(system, name, place=(0.0, 0.0, 0.0)):
    system.add(jd.RigidBody(name, mass=1.0, inertia=(1e-3, 1e-3, 1e-3)), jd.Free(f"{name}_free"), position=place)


def test_signed_gap_of_a_pair():
    """A ball of 0.1 m over a plane: its height less the radius, below zero where they overlap."""
    system = jd.System("pair")
    free(system, "ball")
    system.contact("touch", jd.Sphere(0.1).at("ball.origin"), jd.Plane((0, 0, 1)).at("world"), normal=HERTZ)
    model = system.compile()
    for height in (0.35, 0.1, 0.0995):
        state = model.state(q={"ball_free": jd.Pose((3.0, -2.0, height))})
        assert model.gap("touch", state) == pytest.approx(height - 0.1, abs=1e-15)
        assert model.gap("touch", state.q) == model.gap("touch", state)
    with pytest.raises(jd.errors.ModelError, match="no such contact"):
        model.gap("tuch", state)
    start = model.state(q={"ball_free": jd.Pose((0, 0, 0.15))}, v={"ball_free": [0, 0, 0, 0, 0, -1.0]})
    run = jd.simulate(model, start, until=0.1)
    gap = run.contact["touch"].gap
    assert gap.values == pytest.approx(run.frame("ball.origin").position.values[:, 2] - 0.1, abs=1e-14)
    depth = run.contact["touch"].depth.values
    assert depth == pytest.approx(np.maximum(-gap.values, 0.0), abs=1e-14) and depth.max() > 0.0


def test_gap_of_a_volumetric_pair():
    system = jd.System("patch")
    free(system, "box")
    shape = jd.Box((0.2, 0.2, 0.2))
    law = jd.VolumetricContact(stiffness=1e8)
    system.contact("touch", shape.at("box.origin"), jd.Plane((0, 0, 1)).at("world"), normal=law)
    model = system.compile()
    above, inside = (model.gap("touch", model.state(q={"box_free": jd.Pose((0, 0, z))})) for z in (0.15, 0.0999))
    assert 0.0 < above <= 0.05 + 1e-12
    assert -1.3e-4 < inside < -0.9e-4  # of a slab the depth is over-estimated by 22 %


@pytest.fixture(scope="module")
def pile():
    system = jd.System("pile")
    shapes = [jd.Plane((0, 0, 1)).at("world")]
    for i, place in enumerate([(0, 0, 0.0999), (0.1995, 0, 0.1), (0.45, 0, 0.1), (5.0, 0, 2.0)]):
        free(system, f"ball{i}", place)
        shapes.append(jd.Sphere(0.1).at(f"ball{i}.origin"))
    system.collide("pile", shapes, normal=HERTZ)
    return system.compile()


def test_pairs_of_a_pile(pile):
    touching = pile.pairs("pile", pile.state())
    assert [{one.first, one.second} for one in touching][:2] == [
        {"ball0.origin", "ball1.origin"},
        {"ball0.origin", "world"},
    ]
    assert [one.gap for one in touching[:2]] == pytest.approx([math.hypot(0.1995, 1e-4) - 0.2, -1e-4], abs=1e-12)
    assert pile.gap("pile", pile.state()) == touching[0].gap
    near = {frozenset((one.first, one.second)) for one in pile.pairs("pile", pile.state(), within=0.0501)}
    assert frozenset(("ball1.origin", "ball2.origin")) not in near  # 0.0505 m apart
    assert frozenset(("ball2.origin", "world")) in near and not any("ball3.origin" in one for one in near)
    with pytest.raises(jd.errors.ModelError, match="within"):
        pile.pairs("pile", pile.state(), within=-1.0)


def test_pairs_of_a_run(pile):
    run = jd.simulate(pile, pile.state(), until=1e-3, step=5e-5)
    assert [one.gap for one in run.contact["pile"].pairs(0)] == [one.gap for one in pile.pairs("pile", pile.state())]
    assert run.contact["pile"].gap.values[0] == pile.gap("pile", pile.state())


def test_balls_of_a_pile_that_start_in_each_other_are_named(pile):
    places = {"ball2_free": jd.Pose((-0.15, 0.0, 0.0))}
    with pytest.raises(
        jd.errors.ModelError, match=r"pile: the shapes at ball[12]\.origin and ball[12]\.origin start 0\.0995 m"
    ):
        jd.simulate(pile, pile.state(q=places), until=0.01, step=1e-4)


def test_point_contact_on_cells_names_what_knows_them():
    system = jd.System("cells")
    free(system, "ball")
    block = jd.Cells([jd.Box((1.0, 1.0, 0.1))])
    system.contact("touch", jd.Box((0.1, 0.1, 0.1)).at("ball.origin"), block.at("world"), normal=HERTZ)
    with pytest.raises(jd.errors.ModelError, match=r"point contact does not know box with cells.*VolumetricContact"):
        system.compile()


def test_hertz_stiffness_of_materials_and_radii():
    """4/3 E* sqrt(R) for a ball; radii say what shapes do."""
    modulus = 1.0 / ((1 - 0.3**2) / 210e9 + (1 - 0.34**2) / 100e9)
    flat = jd.contact.hertz_stiffness(0.02, math.inf, STEEL, BRASS)
    assert flat == pytest.approx(4 / 3 * modulus * math.sqrt(0.02), rel=1e-12)
    assert flat == pytest.approx(
        jd.contact.hertz_stiffness(jd.Sphere(0.02), jd.Plane((0, 0, 1)), STEEL, BRASS), rel=1e-12
    )
    both = jd.contact.hertz_stiffness(0.02, 0.03, STEEL, BRASS)
    assert both == pytest.approx(4 / 3 * modulus * math.sqrt(0.012), rel=1e-12)
    flank = jd.contact.hertz_stiffness(0.02, (math.inf, 0.05), STEEL, BRASS)
    assert flank == pytest.approx(
        jd.contact.hertz_stiffness(jd.Sphere(0.02), jd.Cylinder(0.05, 1.0), STEEL, BRASS), rel=1e-12
    )
    hollow = jd.contact.hertz_stiffness(0.02, -0.05, STEEL, BRASS)
    assert hollow == pytest.approx(4 / 3 * modulus / math.sqrt(1 / 0.02 - 1 / 0.05), rel=1e-12)


@pytest.mark.parametrize(
    ("radii", "said"),
    [
        ((0.02, -0.01), "leave no gap"),
        ((math.inf, math.inf), "leave no gap"),
        ((0.0, 0.1), "other than 0"),
        (("x", 0.1), "a radius is"),
        ((jd.Sphere(0.1), 0.1), "two shapes, or two radii"),
    ],
)
def test_radii_that_do_not_touch_at_a_point(radii, said):
    with pytest.raises(jd.errors.ModelError, match=said):
        jd.contact.hertz_stiffness(*radii, STEEL, BRASS)


def test_half_thickness_of_shapes():
    """A box comes to its middle, a ball to its centre, a cone to that of the largest ball in it."""
    box = jd.Box((0.3, 0.2, 0.1))
    assert box.half_thickness == 0.05 and jd.Sphere(0.1).half_thickness == 0.1
    assert jd.shapes.ConvexMesh(box.to_mesh()[0]).half_thickness == pytest.approx(0.05, rel=1e-12)
    assert jd.Cylinder(0.1, 1.0).half_thickness == 0.1 and jd.Cylinder(1.0, 0.1).half_thickness == 0.05
    assert jd.Capsule(0.1, 1.0).half_thickness == 0.1
    assert jd.Cone(3.0, 4.0).half_thickness == pytest.approx(1.5)
    assert jd.Cells([box]).half_thickness == pytest.approx(0.05, rel=1e-12)
    for endless in (jd.Plane((0, 0, 1)), jd.shapes.Edge((0, 0, 1), (1, 0, 0)), jd.Cone(1.0, 1.0, inside=True)):
        assert endless.half_thickness == math.inf


def socket(hole, normal=HERTZ, friction=None):
    """A ball of 0.1 m under a hole that opens downwards, and its model."""
    system = jd.System("socket")
    free(system, "ball")
    system.contact("touch", jd.Sphere(0.1).at("ball.origin"), hole.at("world"), normal=normal, friction=friction)
    return system.compile()


@pytest.mark.parametrize(
    "hole", [jd.Cone(0.2, 0.2, inside=True), jd.Cone(0.05, 0.1, inside=True), jd.Cylinder(0.08, 0.2, inside=True)]
)
def test_a_ball_on_the_axis_of_a_hole_is_pushed_along_it(hole):
    """On the axis the nearest wall is a whole circle: the force is along the axis, and does not jump across it."""
    model = socket(hole)
    rim = hole.to_mesh()[0][:, 2].min() if hole.kind == "cone" else -0.1
    low = next(z for z in np.linspace(rim - 0.2, 0.2, 4000) if model.gap("touch", on_axis(model, z)) < -1e-4)

    def force(x, y=0.0):
        state = on_axis(model, low, x, y)
        return model.forward_dynamics(state)[3:6]

    middle = force(0.0)
    assert middle[2] < 0.0 and np.abs(middle[:2]).max() < 1e-12 * abs(middle[2])
    stiff = 1.5 * 1e6 * math.sqrt(2e-4) * 2.0
    for x in (1e-12, 1e-9, 1e-7):
        for way in ((x, 0.0), (-x, 0.0), (0.0, x), (0.6 * x, -0.8 * x)):
            beside = force(*way)
            assert beside == pytest.approx(middle, abs=stiff * x + 1e-9 * abs(middle[2]))
            assert np.dot(beside[:2], way) <= 1e-12 * abs(middle[2])  # back to the axis


def on_axis(model, z, x=0.0, y=0.0):
    return model.state(q={"ball_free": jd.Pose((x, y, z))})


def test_energy_of_a_ball_that_bounces_in_a_socket():
    """It comes down beside the axis and passes over it again and again; nothing is lost or made."""
    model = socket(jd.Cone(0.2, 0.2, inside=True), jd.HertzContact(stiffness=1e6, restitution=1.0))
    start = model.state(q={"ball_free": jd.Pose((2e-4, 0.0, -0.06))}, v={"ball_free": [0, 0, 0, 0.05, 0.02, 1.0]})
    run = jd.simulate(model, start, until=0.3)
    assert run.contact["touch"].sites.max() == 2
    assert run.trusted and run.energy.error < 1e-7


def test_the_normal_on_the_axis_of_a_cone_is_the_axis():
    system = jd.System("cone")
    free(system, "ball")
    system.contact("touch", jd.Sphere(0.1).at("ball.origin"), jd.Cone(0.3, 1.0).at("world"), normal=HERTZ)
    model = system.compile()
    (pair,) = model.pairs("touch", model.state(q={"ball_free": jd.Pose((0.0, 0.0, 0.4))}))
    assert pair.normal.tolist() == [0.0, 0.0, 1.0]
    assert pair.gap == pytest.approx(-0.1 * 0.3 / math.hypot(0.3, 1.0) - 0.1)
