"""What is drawn between bodies: springs, rods, joints that close loops, rails, sensors, and surfaces of contact."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.basics import quaternions as Q
from jourdain.results.run import Record, Run
from jourdain.view.connection_shapes import COLOURS, along, along_x, coil
from jourdain.view.forces import Patch, highest_pressure
from jourdain.view.packing import Packer, pack_scene
from jourdain.view.scene import scene


def written(model: jd.Model, q: np.ndarray, **options) -> Run:
    """A run that nobody simulated."""
    nt = len(q)
    rest = np.zeros((nt, model.nv))
    record = Record(0.1 * np.arange(nt), q, rest, np.zeros((nt, len(model.names.z))), rest, np.zeros((nt, 6)))
    return Run(model, record, options)


def hung() -> jd.Model:
    """A ball on a spring from a beam that is held at its root, on a rope from the world, and a pin between the two."""
    system = jd.System("hung")
    system.add(jd.Beam("boom", 2.0, 1.0, 1e6, (2e3, 3e3), 1e3), jd.Weld("root"))
    system.add(jd.RigidBody.from_shape("ball", jd.Sphere(0.1), mass=1.0, frames={"ear": (0, 0, 0.1)}), jd.Free("f"))
    spring = jd.constraints.Spring("coil", stiffness=10.0)
    system.connect(spring, "boom.tip", "ball.ear", position=(0.0, 0.2, 0.0))
    system.connect(jd.constraints.Rod("rope", length=1.0), "ball.origin", "world")
    system.connect(jd.Revolute("pin", axis="x"), "ball.origin", "boom.tip")
    return system.compile()


@pytest.fixture(scope="module")
def hanging():
    model = hung()
    q = np.tile(model.neutral, (5, 1))
    q[:, model.index.q["f.x"]] = 1.5
    q[:, model.index.q["f.z"]] = -1.0 - 0.1 * np.arange(5)
    q[:, next(i for i, name in enumerate(model.names.q) if name.startswith("boom."))] = np.linspace(0.0, 0.1, 5)
    return model, written(model, q, sensors=[["pose", "ball.ear"], ["force", "ball.origin"], ["joint", "f"]])


def test_springs_and_rods_reach_from_end_to_end(hanging):
    model, run = hanging
    shown = scene(run, times=run.record.time)
    parts = {part.name: part for part in shown.parts if part.kind == "link"}
    sensors = {"sensor of ball.ear", "view of ball.ear", "sensor of ball.origin", "sensor of f"}
    assert set(parts) == {"coil", "rope", "pin"} | sensors
    rest = np.zeros((len(shown.time), model.nv))
    q = run.record.q
    paths = model.frame_path(["ball.ear", "boom.tip", "ball.origin"], q, rest)
    ends = {
        "coil": (paths[:, 1, :3], paths[:, 0, :3] + Q.rotate(paths[:, 0, 3:7], np.array([0.0, 0.2, 0.0]))),
        "rope": (paths[:, 2, :3], np.zeros((len(q), 3))),
    }
    for name, (first, second) in ends.items():
        way = second - first
        length = np.linalg.norm(way, axis=1)
        points = shown.skinned(parts[name], shown.bones.poses)
        along_it = np.einsum("tnk,tk->tn", points - first[:, None], way / length[:, None])
        knob = np.ptp(along_it, axis=1) - length  # the balls at both ends
        assert np.all(knob >= -1e-5) and np.ptp(knob) < 1e-3, "it stretches with its ends, and its ends do not"
        assert np.allclose(along_it.min(axis=1), -(along_it.max(axis=1) - length), atol=1e-3)
    assert parts["coil"].colour == COLOURS["spring"] and parts["pin"].colour == COLOURS["joint"]


def test_magnified_deflections_carry_the_ends_of_a_spring(hanging):
    _, run = hanging
    shown = scene(run)
    part = next(part for part in shown.parts if part.name == "coil")
    first = int(part.bones.min())
    tip = next(mark for mark in shown.frames if mark.name == "boom.tip")
    plain, large = shown.bones.poses, shown.magnified(20.0)
    away = [Q.rotate(Q.conjugate(p[:, tip.bone, 3:]), p[:, first, :3] - p[:, tip.bone, :3]) for p in (plain, large)]
    assert np.allclose(away[0], away[1], atol=1e-9), "the end stays where it is on the beam"


def test_a_link_is_there_while_an_event_has_it_connected():
    system = jd.System("caught")
    system.add(jd.RigidBody.from_shape("ball", jd.Sphere(0.1), mass=1.0), jd.Free("f"))
    system.connect(jd.constraints.Rod("rope"), "ball.origin", "world", position=(0.0, 0.0, 1.0), active=False)
    model = system.compile()
    caught = jd.Event(at=0.1, connect=["rope"])
    run = jd.simulate(model, model.state(), until=0.2, step=0.01, output=0.01, events=[caught])
    shown = scene(run, times=np.array([0.0, 0.05, 0.15, 0.2]))
    rope = next(part for part in shown.parts if part.name == "rope")
    assert rope.shown is not None and rope.shown.tolist() == [False, False, True, True]
    packer = Packer()
    packed = next(part for part in pack_scene(shown, packer, 1.0)["parts"] if part.get("name") == "rope")
    assert packed["shown"]["n"] == 4 and packed["kind"] == "link"


def test_rails_lie_beside_the_beam_and_bend_with_it():
    system = jd.System("rail")
    system.add(jd.Beam("boom", 2.0, 1.0, 1e6, (2e3, 3e3), 1e3), jd.Weld("root"))
    system.add(jd.RigidBody.from_shape("cart", jd.Box((0.1, 0.1, 0.1)), mass=1.0), jd.Rail("way"), to="boom")
    model = system.compile()
    q = np.tile(model.neutral, (3, 1))
    bent = next(i for i, name in enumerate(model.names.q) if name.startswith("boom."))
    q[:, bent] = [0.0, 0.1, 0.2]
    q[:, model.index.q["way"]] = [0.2, 1.0, 1.8]
    run = written(model, q)
    shown = scene(run, times=run.record.time)
    rail = next(part for part in shown.parts if part.name == "way")
    points = shown.skinned(rail, shown.bones.poses)
    tip = model.frame_path("boom.tip", q, np.zeros((3, model.nv)))[:, :3]
    far = points[:, rail.vertices[:, 0] > 1.999].mean(axis=1)
    assert np.allclose(far, tip, atol=1e-6)


def test_turns_along_a_line_are_the_shortest_and_never_jump():
    t = np.linspace(0.0, 2.0 * np.pi, 200)
    way = np.stack([np.cos(t), np.sin(t), 0.2 * np.sin(3 * t)], axis=1)[:, None]
    turns = along(way)
    unit = way / np.linalg.norm(way, axis=2, keepdims=True)
    assert np.allclose(Q.rotate(turns, np.array([1.0, 0.0, 0.0])), unit, atol=1e-12)
    assert np.all(np.abs(np.einsum("tik,tik->ti", turns[1:], turns[:-1])) > 0.99)
    back = along(np.array([[[1.0, 0, 0]], [[-1.0, 0, 0]], [[0.0, 0, 0]]]))
    assert np.allclose(Q.rotate(back[1], np.array([1.0, 0.0, 0.0])), [-1.0, 0.0, 0.0])
    assert np.allclose(back[2], back[1]), "ends at one place keep the direction"


def test_a_surface_between_bones_has_their_partials():
    places = np.array([[0.0, 0, 0], [0.0, 0, 0], [1.0, 0, 0], [2.0, 0, 0]])
    x = np.linspace(0.0, 2.0, 401)
    skin = along_x(np.column_stack([x, 0 * x, 0 * x]), np.zeros((0, 3), int), places)
    angle = np.array([0.0, 0.0, 0.1, 0.3])
    moved = np.array([[0.0, 0], [0.0, 0], [1.0, 0.04], [1.97, 0.2]])
    poses = [
        moved[b] + (x - places[b, 0])[:, None] * np.column_stack([np.cos(angle[b]), np.sin(angle[b])])
        for b in skin.bones.T
    ]
    curve = skin.weights[:, :1] * poses[0] + skin.weights[:, 1:] * poses[1]
    slope = np.gradient(curve[:, 1], curve[:, 0])
    assert np.allclose(slope[[200, -1]], np.tan([0.1, 0.3]), atol=2e-3)
    assert np.max(np.abs(np.diff(slope))) < 0.02, "no kink"


def test_a_coil_is_a_closed_wire_around_its_line():
    vertices, faces = coil(1.0, 0.1)
    away = np.hypot(vertices[:, 1], vertices[:, 2])
    assert vertices[:, 0].min() > -0.02 and vertices[:, 0].max() < 1.02
    assert 0.11 < away.max() < 0.12
    assert faces.max() == len(vertices) - 1


def test_patches_have_the_area_of_the_contact_and_the_share_of_its_pressure():
    system = jd.System("press", gravity=(0.0, 0.0, -9.81))
    system.add(jd.RigidBody.from_shape("ball", jd.Sphere(0.1), mass=4.0), jd.Free("b"))
    law = jd.VolumetricContact(stiffness=2e6)
    system.contact("rest", jd.Sphere(0.1).at("ball.origin"), jd.Plane((0, 0, 1)).at("world"), normal=law)
    model = system.compile()
    q = np.tile(model.neutral, (3, 1))
    q[:, model.index.q["b.z"]] = [0.2, 0.095, 0.09]
    run = written(model, q)
    arrow = scene(run).arrows[0]
    (patch,) = arrow.patches
    area = run.contact["rest"].patch.area.values
    assert np.allclose(np.pi * patch.radius**2, area) and patch.radius[0] == 0.0 and area[2] > area[1] > 0.0
    assert np.allclose(patch.normal, [0.0, 0.0, 1.0], atol=1e-9)
    assert highest_pressure([arrow]) == patch.pressure.max() == patch.pressure[2]
    packed = pack_scene(scene(run), Packer(), 1.0)["arrows"][0]["patches"]
    assert packed["count"] == 1 and packed["highest"] == patch.pressure.max()
    still = Patch(patch.point, patch.normal, patch.radius, patch.along, 0.0 * patch.pressure)
    assert np.all(still.share(0.0) == 0.0)
    assert np.allclose(np.linalg.norm(patch.along, axis=1)[1:], patch.radius[1:]), "a cap is round"


def lying(shape, turn, heights) -> Run:
    """A shape that is pressed into a plane, turned."""
    system = jd.System("lying", gravity=(0.0, 0.0, -9.81))
    system.add(jd.RigidBody.from_shape("log", shape, mass=4.0), jd.Free("b"))
    law = jd.VolumetricContact(stiffness=2e6)
    system.contact("rest", shape.at("log.origin"), jd.Plane((0, 0, 1)).at("world"), normal=law)
    model = system.compile()
    q = np.tile(model.neutral, (len(heights), 1))
    q[:, model.index.q["b.z"]] = heights
    q[:, model.index.q["b.qw"] : model.index.q["b.qw"] + 4] = turn
    return written(model, q)


def test_a_patch_is_an_ellipse_along_the_longer_side():
    """Sides of a box are as the roots of their second moments: exact. A lying cylinder of length l sinks in as a
    parabola of half width c to order d / R, whose second moments are l^2 / 12 and c^2 / 5 of its volume."""
    yaw = np.array([np.cos(0.3), 0.0, 0.0, np.sin(0.3)])
    along = np.array([np.cos(0.6), np.sin(0.6), 0.0])
    run = lying(jd.Box((0.3, 0.1, 0.2)), yaw, [0.2, 0.0999, 0.099])
    axes = run.contact["rest"].patch.axes
    assert axes.dims == ("time", "side", "axis") and np.all(axes.values[0] == 0.0)
    long, short = np.linalg.norm(axes.values, axis=2).T
    assert np.allclose(long[1:] / short[1:], 3.0, rtol=1e-9)
    assert np.allclose(np.pi * long * short, run.contact["rest"].patch.area.values, rtol=1e-12)
    assert np.allclose(np.abs(axes.values[1:, 0] @ along), long[1:], rtol=1e-9)

    radius, length, depth = 0.1, 0.3, 1e-5
    down = Q.multiply(yaw, np.array([np.cos(np.pi / 4), 0.0, np.sin(np.pi / 4), 0.0]))  # its axis along x, then turned
    run = lying(jd.Cylinder(radius, length), down, [radius - depth])
    patch = scene(run).arrows[0].patches[0]
    half = np.sqrt(2.0 * radius * depth)
    long, short = (np.linalg.norm(one) for one in patch.half_axes(0, 0.0))
    assert np.isclose(long / short, np.sqrt(length**2 / 12.0 / (half**2 / 5.0)), rtol=5.0 * depth / radius)
    assert np.isclose(abs(patch.along[0] @ along), long, rtol=1e-6)


def test_a_ring_is_around_the_axis_of_a_joint_that_is_read():
    system = jd.System("read")
    rod = jd.RigidBody.from_shape("rod", jd.Box((1.0, 0.1, 0.1)), mass=1.0, frames={"end": (-0.5, 0, 0)})
    system.add(rod, jd.Revolute("hinge", axis=(0.0, 0.6, 0.8)), at="end")
    model = system.compile()
    digital = jd.control.Sampled(jd.control.PD(["hinge"], 1.0, 0.1), 0.01, sensors=[jd.control.JointSensor(noise=1e-3)])
    run = jd.simulate(model, model.state(), until=0.02, step=0.01, output=0.01, controller=digital)
    assert run.options["sensors"] == [["joint", "hinge"]]
    ring = next(part for part in scene(run).parts if part.name == "sensor of hinge")
    away = ring.vertices - [-0.5, 0.0, 0.0]
    height = away @ [0.0, 0.6, 0.8]
    out = np.linalg.norm(away - np.outer(height, [0.0, 0.6, 0.8]), axis=1)
    assert np.ptp(height) < 0.3 * out.max() and out.min() > 0.8 * out.max()
