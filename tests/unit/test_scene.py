"""What a run looks like: bones where the bodies are, surfaces on them, forces and frames."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import jourdain as jd
from jourdain.basics import quaternions as Q
from jourdain.describe.bodies import body_from_dict
from jourdain.describe.bodies.appearance.bones import box_of_inertia
from jourdain.describe.shapes.tessellation import mesh_of
from jourdain.results.run import Record, Run
from jourdain.view.sampling import coordinates_at, nearest
from jourdain.view.scene import scene

RNG = np.random.default_rng(3)


def made(model, time, q, v=None) -> Run:
    """A run that nobody simulated: samples as given."""
    nt = len(time)
    v = np.zeros((nt, model.nv)) if v is None else v
    z = np.zeros((nt, len(model.names.z)))
    return Run(model, Record(time, q, v, z, np.zeros((nt, model.nv)), np.zeros((nt, 6))))


def moving(model, nt=9, size=0.05) -> Run:
    """Every coordinate somewhere, rotations unit, lengths within their ends."""
    q = np.tile(model.neutral, (nt, 1)) + size * RNG.normal(size=(nt, model.nq))
    for i, name in enumerate(model.names.q):
        if name.endswith(".qw"):
            q[:, i : i + 4] = Q.normalised(q[:, i : i + 4])
        if name in model.ranges:
            low, high = model.ranges[name]
            q[:, i] = RNG.uniform(low, high, nt)
    return made(model, 0.1 * np.arange(nt), q)


def chain(**options) -> jd.Model:
    """A flexible link on a free base, with a rigid hand."""
    system = jd.System("chain")
    system.add(
        jd.RigidBody.from_shape("base", jd.Box((1, 1, 1)), mass=10.0, frames={"side": (0.5, 0, 0)}), jd.Free("f")
    )
    words = dict(modes=jd.Modes(bending=2, torsion=1, axial=1), frames={"eye": 0.83})
    beam = jd.Beam("link", 2.0, 1.0, 1e6, (2e3, 3e3), 1e3, **(words | options))
    at = "origin" if options.get("basis") == "free-free" else "root"
    system.add(beam, jd.Revolute("hinge", axis=(0, 1, 0)), to="base.side", rotation=(0.5, 0.5, 0.5, 0.5), at=at)
    hand = jd.RigidBody("hand", 1.0, com=(0.1, 0, 0), inertia=(0.01, 0.02, 0.02), frames={"tool": (0.4, 0.1, 0)})
    system.add(hand, jd.Weld("wrist"), to="link.tip", position=(0.0, 0.1, 0.0))
    return system.compile()


def plate() -> jd.ReducedBody:
    """Three nodes in a row, one end held."""
    L, EI = 1.0, 50.0
    k = EI / L**3
    element = k * np.array([[12, 6, -12, 6], [6, 4, -6, 2], [-12, -6, 12, -6], [6, 2, -6, 4]])
    K, M = np.zeros((18, 18)), np.eye(18)
    for a, b in ((0, 1), (1, 2)):
        for lateral, turn, sign in ((1, 5, 1.0), (2, 4, -1.0)):
            dofs = [6 * a + lateral, 6 * a + turn, 6 * b + lateral, 6 * b + turn]
            turned = np.diag([1.0, sign, 1.0, sign])
            K[np.ix_(dofs, dofs)] += turned @ element @ turned
        for axial in (0, 3):
            dofs = [6 * a + axial, 6 * b + axial]
            K[np.ix_(dofs, dofs)] += 1e3 * np.array([[1, -1], [-1, 1]])
    nodes = [(0, 0, 0), (1, 0, 0), (2, 0, 0)]
    return jd.ReducedBody("part", M, K, nodes, {"root": 0, "tip": 2}, modes=2, frames={"middle": 1})


def alone(body, **joint) -> jd.Model:
    system = jd.System("alone")
    system.add(body, jd.Revolute("hinge", axis=(0, 0, 1)))
    system.add(jd.RigidBody("load", 1.0), jd.Weld("grip"), to=f"{body.name}.tip")
    return system.compile()


def apart(a, b) -> float:
    """Largest difference of two arrays of poses, a quaternion and its negative being one rotation."""
    sign = np.sign(np.sum(a[..., 3:] * b[..., 3:], axis=-1, keepdims=True))
    return max(np.abs(a[..., :3] - b[..., :3]).max(), np.abs(a[..., 3:] - sign * b[..., 3:]).max())


SCHEMES = ("exponential", "none", "linear", "euler-321", "euler-123", "integrated")
MODELS = {
    **{scheme: (lambda scheme=scheme: chain(tip_rotation=scheme)) for scheme in SCHEMES},
    "modes": lambda: chain(axial="modes"),
    "free-free": lambda: chain(basis="free-free"),
    "elements": lambda: chain(basis="finite-element"),
    "deployable": lambda: alone(
        jd.DeployableBeam("boom", (0.5, 3.0), mass=2.0, EA=1e6, EI=(2e3, 1e3), GJ=1e3, frames={"half": 0.5})
    ),
    "reduced": lambda: alone(plate()),
}


@pytest.mark.parametrize("name", MODELS)
def test_frames_are_where_the_run_has_them(name):
    """Every frame, carried by its bone, is where the dynamics puts its marker."""
    run = moving(MODELS[name]())
    picture = scene(run, frames_per_second=10.0)
    assert picture.time == pytest.approx(run.record.time)
    for mark in picture.frames:
        found = picture.frame_poses(mark)
        want = run.model.frame_path(mark.name, run.record.q, run.record.v)[:, :7]
        assert apart(found, want) < 1e-12, mark.name


@pytest.mark.parametrize("name", ["exponential", "modes", "free-free", "elements", "deployable"])
def test_bones_are_displaced_as_the_deflection_says(name):
    run = moving(MODELS[name]())
    picture = scene(run, frames_per_second=10.0)
    bones = picture.bones
    body = next(one for one in run.model.bodies if any(key.startswith(f"{one}.") for key in run.model.names.v))
    mine = [i for i, one in enumerate(bones.body) if one == body and bones.elastic[i]]
    assert 12 <= len(mine) <= 24
    carriers = bones.parent[mine]
    local = Q.relative(bones.poses[:, carriers], bones.poses[:, mine])[..., :3] - bones.rest[mine, :3]
    x = bones.bound[mine, 0] / (0.5 if name == "deployable" else 1.0)
    assert np.abs(local - run.deflection(body, x).values).max() < 1e-14


def test_what_is_drawn_of_a_bent_link_follows_its_axis():
    """Rings of the tube: their middles are where the deflection puts the axis, their points the radius away."""
    run = moving(chain(), size=0.02)
    picture = scene(run, frames_per_second=10.0)
    part = next(one for one in picture.parts if one.name == "link")
    drawn = picture.skinned(part, picture.bones.poses[4])
    stations = np.unique(part.vertices[:, 0])
    root = run.model.frame_path("link.origin", run.record.q, run.record.v)[4, :7]
    axis = run.deflection("link", stations).values[4] + np.outer(stations, [1.0, 0.0, 0.0])
    axis = Q.rotate(root[3:], axis) + root[:3]
    # solid ellipses: 2 sqrt(EI / EA)
    wide, high = 2.0 * np.sqrt(2e-3), 2.0 * np.sqrt(3e-3)
    for at, middle in zip(stations, axis, strict=True):
        ring = drawn[(part.vertices[:, 0] == at) & (np.abs(part.vertices[:, 1:]).max(axis=1) > 1e-6)]
        assert ring.mean(axis=0) == pytest.approx(middle, abs=1e-6)
        reach = np.linalg.norm(ring - middle, axis=1)
        assert reach.max() == pytest.approx(high, rel=1e-5) and reach.min() == pytest.approx(wide, rel=1e-5)


def test_rigid_surfaces_go_with_their_bodies():
    run = moving(chain())
    picture = scene(run, frames_per_second=10.0)
    part = next(one for one in picture.parts if one.name == "base")
    drawn = picture.skinned(part, picture.bones.poses)
    pose = run.model.frame_path("base.origin", run.record.q, run.record.v)[:, :7]
    want = Q.rotate(pose[:, None, 3:], part.vertices) + pose[:, None, :3]
    assert np.abs(drawn - want).max() < 1e-6
    low, high = picture.bounds()
    assert np.all(low <= drawn.min(axis=(0, 1)) + 1e-6) and np.all(high >= drawn.max(axis=(0, 1)) - 1e-6)
    one_low, one_high = picture.bounds(3)
    assert np.all(one_low >= low - 1e-12) and np.all(one_high <= high + 1e-12)


def test_magnified_deflections_carry_what_is_outboard():
    run = moving(chain())
    picture = scene(run, frames_per_second=10.0)
    bones = picture.bones
    assert apart(picture.magnified(1.0), bones.poses) == 0.0
    for factor in (0.0, 7.0):
        large = picture.magnified(factor)
        tip = next(mark.bone for mark in picture.frames if mark.name == "link.tip")
        hand, base = bones.name.index("hand"), bones.name.index("base")
        assert apart(large[:, base], bones.poses[:, base]) < 1e-12
        held = Q.relative(bones.poses[:, tip], bones.poses[:, hand])
        assert apart(Q.relative(large[:, tip], large[:, hand]), held) < 1e-12
        root = bones.parent[tip]
        before = Q.relative(bones.poses[:, root], bones.poses[:, tip])
        after = Q.relative(large[:, root], large[:, tip])
        assert after[:, :3] - bones.rest[tip, :3] == pytest.approx(factor * (before[:, :3] - bones.rest[tip, :3]))
        assert Q.logarithm(after[:, 3:]) == pytest.approx(factor * Q.logarithm(before[:, 3:]), abs=1e-12)


def test_a_length_is_not_a_deflection():
    """Magnifying the bending of a beam that deploys leaves its length."""
    run = moving(MODELS["deployable"](), size=0.0)
    picture = scene(run, frames_per_second=10.0)
    assert apart(picture.magnified(50.0), picture.bones.poses) < 1e-12
    tip = next(mark for mark in picture.frames if mark.name == "boom.tip")
    lengths = np.linalg.norm(picture.frame_poses(tip)[:, :3], axis=1)
    assert lengths == pytest.approx(run.record.q[:, run.model.index.q["boom.length"]])
    part = next(one for one in picture.parts if one.name == "boom")
    drawn = picture.skinned(part, Q.relative(picture.bones.poses[:, 1:2], picture.bones.poses))
    assert drawn[..., 0].max(axis=1) == pytest.approx(lengths)


def test_every_kind_of_body_shows_itself():
    """Surfaces are closed enough to be seen, bound to bones that exist, by weights that add up."""
    bodies = [
        jd.RigidBody("point", 2.0),
        jd.RigidBody("stub", 0.0, frames={"tip": (1.0, 0.0, 0.0)}),
        jd.RigidBody("rod", 1.0, com=(0.5, 0, 0), inertia=(0, 1 / 12, 1 / 12), frames={"tip": (1.5, 0, 0)}),
        jd.RigidBody("wall", 1.0, inertia=(1, 1, 1), shape=jd.Plane((0, 0, 1))),
        jd.Beam("beam", 2.0, 1.0, 1e6, 1e3, 1e3, modes=jd.Modes()),
        plate(),
        body_from_dict(plate().to_dict()),
        jd.DeployableBeam("boom", (0.5, 3.0), mass=2.0, EA=1e6, EI=1e3, GJ=1e3),
    ]
    for body in bodies:
        e = np.zeros((2, len(body.internal)))
        if "length" in body.internal:
            e[:, 0] = 1.0
        skeleton = body.skeleton(e)
        nb = len(skeleton.rest)
        assert skeleton.poses.shape == (2, nb, 7) and skeleton.parent[0] == -1
        assert set(skeleton.frames) == set(body.frame_names())
        assert np.all(skeleton.parent[1:] < np.arange(1, nb))
        for one in body.surfaces():
            assert one.faces.max() < len(one.vertices) and one.bones.max() < nb
            assert one.weights.sum(axis=1) == pytest.approx(1.0)


def test_a_body_without_a_shape_is_the_box_of_its_inertia():
    lengths, mass = np.array([0.3, 0.5, 2.0]), 4.0
    turn = jd.Pose(rotation=(0.5, 0.5, -0.5, 0.5)).rotation
    inertia = mass / lengths.prod() * turn @ jd.Box(lengths).inertia @ turn.T
    found, axes = box_of_inertia(mass, inertia)
    assert np.sort(found) == pytest.approx(np.sort(lengths))
    assert np.linalg.det(axes) == pytest.approx(1.0)
    again = axes @ (mass / found.prod() * jd.Box(found).inertia) @ axes.T
    assert again == pytest.approx(inertia)
    assert box_of_inertia(1.0, np.zeros((3, 3))) is None
    body = jd.RigidBody("link", mass, com=(1, 0, 0), inertia=inertia, frames={"far": (3, 0, 0), "near": (1, 0, 0)})
    assert len(body.surfaces()) == 3  # the box, and rods to the origin and to the far frame


def test_between_samples_joints_move_as_their_speeds_say():
    """A cubic in time is met exactly; a turn at an even rate too; a quaternion's sign does not matter."""
    system = jd.System("free")
    system.add(jd.RigidBody("a", 1.0, inertia=(1, 1, 1)), jd.Free("f"))
    system.add(jd.RigidBody("b", 1.0), jd.Prismatic("s", axis=(1, 0, 0)), to="a.origin")
    model = system.compile()
    time = np.array([0.0, 0.4, 1.0, 1.1])
    axis = np.array([0.6, 0.0, 0.8])
    q, v = np.zeros((4, model.nq)), np.zeros((4, model.nv))
    q[:, 3:7] = Q.exponential(np.outer(2.0 * time, axis)) * np.array([1, -1, 1, -1])[:, None]
    slide = model.index.q["s"], model.index.v["s"]
    q[:, slide[0]], v[:, slide[1]] = time**3 - time, 3 * time**2 - 1
    at = np.linspace(0.0, 1.1, 23)
    found = coordinates_at(made(model, time, q, v), at)
    assert found[:, slide[0]] == pytest.approx(at**3 - at, abs=1e-14)
    want = Q.exponential(np.outer(2.0 * at, axis))
    assert np.abs(np.abs(np.sum(found[:, 3:7] * want, axis=1)) - 1.0).max() < 1e-14
    picture = scene(made(model, time, q, v), frames_per_second=1000.0, limit=50)
    assert len(picture.time) == 50 and picture.time[-1] == 1.1
    assert scene(made(model, time[:1], q[:1])).bones.poses.shape[0] == 1


def test_the_nearest_sample():
    time = np.array([0.0, 0.4, 1.0])
    assert nearest(time, np.array([-1.0, 0.1, 0.2, 0.21, 0.4, 0.71, 9.0])).tolist() == [0, 0, 0, 1, 1, 2, 2]
    assert int(nearest(time[:1], 3.0)) == 0


@pytest.fixture(scope="module")
def pressed() -> Run:
    """A ball on a floor and beside a box, pushed 1 mm into the floor in the middle of the run."""
    system = jd.System("pressed", gravity=(0, 0, -9.81))
    system.add(jd.RigidBody.from_shape("ball", jd.Sphere(0.2), mass=1.0), jd.Prismatic("z", axis=(0, 0, 1)))
    law = jd.HertzContact(stiffness=1e6, restitution=0.9)
    system.contact("floor", jd.Sphere(0.2).at("ball.origin"), jd.Plane((0, 0, 1)).at("world"), law)
    system.contact("tip", jd.Sphere(0.05).at("ball.origin", (0, 0, -0.3)), jd.Plane((0, 0, 1), -9).at("world"), law)
    model = system.compile()
    time = np.linspace(0.0, 1.0, 201)
    height = np.where(np.abs(time - 0.5) < 0.004, 0.199, 0.25)
    return made(model, time, height[:, None])


def test_contact_forces_are_arrows(pressed):
    picture = scene(pressed, frames_per_second=10.0)
    floor, tip = picture.arrows
    force = pressed.contact["floor"].force.values
    assert force[:, 2].max() > 1.0 and np.any(floor.active) and not np.any(tip.active)
    assert np.array_equal(floor.force, force) and np.array_equal(floor.time, pressed.record.time)
    assert floor.active.sum() == 1 and floor.time[floor.active] == pytest.approx(0.5)
    assert floor.point[:, :2] == pytest.approx(0.0) and np.all(np.isfinite(floor.point))
    assert picture.bones.name[floor.bone] == "ball"
    assert np.all(tip.force == 0.0)


def test_touchdowns_and_peaks_are_pictures_of_their_own(pressed):
    """Between even pictures 0.1 s apart: the touch, and the samples without it on both sides, are in the scene."""
    record = pressed.record
    moved = Run(pressed.model, replace(record, q=np.roll(record.q, 7, axis=0)))
    picture = scene(moved, frames_per_second=10.0, also=[0.123])
    touching = record.time[np.isfinite(moved.contact["floor"].point.values[:, 0])]
    assert len(touching) == 1 and touching[0] == pytest.approx(0.535)
    for t in (touching[0] - 0.005, touching[0], touching[0] + 0.005, 0.123):
        assert np.min(np.abs(picture.time - t)) < 1e-12
    assert len(picture.time) == 11 + 4 and np.all(np.diff(picture.time) > 0.0)
    assert len(scene(moved, frames_per_second=10.0, limit=6).time) <= 6


def test_shapes_that_touch_are_drawn_once(pressed):
    """The ball is a body's own shape, the tip is not; both planes are pieces of the world."""
    picture = scene(pressed, frames_per_second=10.0)
    kinds = {part.name: part.kind for part in picture.parts}
    assert kinds == {"ball": "body", "floor: world": "world", "tip: ball.origin": "contact", "tip: world": "world"}
    tip = next(part for part in picture.parts if part.kind == "contact")
    assert tip.vertices.mean(axis=0) == pytest.approx([0.0, 0.0, -0.3], abs=1e-6)
    low, high = picture.bounds()
    ground = next(part for part in picture.parts if part.name == "floor: world").vertices
    assert ground[:, 2].max() == pytest.approx(0.0, abs=1e-6)
    assert ground[:, :2].min() < low[:2].min() and ground[:, :2].max() > high[:2].max()


def test_up_and_orbit():
    assert scene(moving(chain())).up.tolist() == [0.0, 0.0, 1.0]
    system = jd.System("orbit", environment=jd.Orbit(altitude=400e3))
    system.add(jd.RigidBody("a", 1.0, inertia=(1, 1, 1)), jd.Free("f"))
    picture = scene(moving(system.compile()))
    assert picture.up.tolist() == [1.0, 0.0, 0.0]
    assert picture.orbit["altitude"] == pytest.approx(400e3)
    assert picture.orbit["radius"] == pytest.approx(picture.orbit["altitude"] + picture.orbit["earth_radius"])


def test_a_scene_of_a_plane_only_body_has_bounds():
    system = jd.System("wall")
    system.add(jd.RigidBody("wall", 1.0, inertia=(1, 1, 1), shape=jd.Plane((0, 0, 1))), jd.Free("f"))
    low, high = scene(moving(system.compile())).bounds()
    assert np.all(np.isfinite(low)) and np.all(high > low)
    assert np.ptp(mesh_of(jd.Plane((0, 0, 1)))[0], axis=0)[:2] == pytest.approx(1.0)
