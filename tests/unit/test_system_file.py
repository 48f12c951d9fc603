"""Systems saved as YAML and loaded again: the compiled models have the same hash."""

import numpy as np
import pytest
from elements import beam_elements
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import systems

import jourdain as jd
from jourdain.basics.errors import CONTROL, ModelError
from jourdain.files.problems import ScenarioError
from jourdain.files.system_file import dump, load_system, save_system
from jourdain.files.yaml import read_yaml


def again(system, folder, name="arm.yaml"):
    system.save(folder / name)
    return jd.System.load(folder / name)


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(systems(friction=True, forces=2))
def test_random_trees_come_back(tmp_path, case):
    assert again(case.system, tmp_path).compile().hash == case.model.hash


DRIVE = jd.Drive(gear=-100.0, rotor_inertia=1e-4, stiffness=1e4, damping=1 / 3, torque_limit=2.0)
HERTZ = jd.HertzContact(material=(jd.Material(70e9, 0.33), jd.Material(210e9, 0.3)), restitution=0.6, relaxation=0.1)


def beam(name="boom", **options):
    return jd.Beam(name, 2.0, 1 / 3, 1e6, (100.0, 200.0), 50.0, **options)


def reduced():
    M, K, nodes = beam_elements(2.0, 4, mass_per_length=3.0, EA=1e6, EI=(80.0, 90.0), GJ=40.0, inertia_per_length=1e-2)
    return jd.ReducedBody("part", M, K, nodes, {"root": 0, "tip": 4}, modes=2, damping=0.02)


def one_body(body, joint=None, **place):
    system = jd.System("one", gravity=(0.1, -0.2, -9.80665))
    system.add(body, joint or jd.Revolute("joint", axis=(0.0, 1.0, 1 / 3)), **place)
    return system


def on_rail():
    system = one_body(beam())
    system.add(jd.RigidBody("car", 1.0), jd.Rail("rail", limits=(0.5, 1.5), damping=0.1), to="boom")
    return system


def in_contact():
    system = jd.System("touching", environment=jd.Orbit(400e3, eccentricity=0.1, J2=1e-3))
    for i in range(3):
        system.add(jd.RigidBody.from_shape(f"ball{i}", jd.Sphere(0.1), density=1000.0), jd.Free(f"free{i}"))
    ball = jd.Sphere(0.1).at("ball0.origin", rotation=(0.8, 0.6, 0, 0))
    system.contact("floor", ball, jd.Plane((0, 0, 1)).at("world"), normal=HERTZ, friction=jd.BristleFriction(0.5, 0.4))
    linear, coulomb = jd.contact.LinearContact(1e4, adhesive=True), jd.CoulombFriction(0.3)
    cone = jd.Cone(0.2, 0.5, inside=True).at("world", (0, 0, 1 / 3))
    system.contact("hole", jd.Sphere(0.1).at("ball1.origin"), cone, normal=linear, friction=coulomb)
    edge = jd.shapes.Edge((1, 0, 0), (0, 0, 1)).at("world")
    system.contact("edge", jd.Sphere(0.1).at("ball2.origin"), edge, normal=jd.contact.HuntCrossleyContact(1e6))
    capsule = jd.Capsule(0.05, 0.2).at("ball2.origin")
    law = jd.contact.LankaraniNikraveshContact(1e6, exponent=1.25)
    system.contact("capsule", capsule, jd.Plane((0, 1, 0), 0.5).at("world"), normal=law)
    balls = [jd.Sphere(0.1).at(f"ball{i}.origin") for i in range(3)]
    system.collide("pile", [*balls, jd.Plane((0, 0, 1)).at("world")], normal=linear, broad="sweep", sites=9)
    return system


def with_meshes():
    system = jd.System("meshes")
    small, large = jd.Mesh(*jd.Box((1, 2, 3)).to_mesh()), jd.Mesh(*jd.Sphere(0.3).to_mesh(16))
    hull = jd.shapes.ConvexMesh(np.random.default_rng(1).normal(size=(12, 3)))
    for i, shape in enumerate((small, large, hull, jd.shapes.ConvexMesh(*jd.Cylinder(0.1, 0.3).to_mesh(48)))):
        body = jd.RigidBody.from_shape(f"b {i}/<x>", shape.at("origin", (0.1, 0, 0), (0.6, 0, 0.8, 0)), mass=2.0)
        system.add(body, jd.Free(f"f{i}"))
    system.contact(
        "touch", jd.Sphere(0.1).at("b 0/<x>.origin"), large.at("world"), normal=jd.contact.LinearContact(1e4)
    )
    return system


def with_cells():
    system = jd.System("cells")
    block = jd.shapes.Cell(jd.Box((1, 1, 0.2)), jd.Cylinder(0.1, 0.3, inside=True).moved((0.2, 0, 0), (0.8, 0.6, 0, 0)))
    pocket = jd.shapes.Cell(jd.Box((1, 1, 0.2)), jd.Box((0.2, 0.3, 0.4), inside=True))
    table = jd.Cells([block, pocket.moved((0, 2, 0)), jd.Box((0.1, 0.1, 0.1)).moved((0, 0, 1 / 3))])
    system.add(jd.RigidBody.from_shape("table", table, density=1000.0), jd.Weld("floor"))
    for i in range(3):
        system.add(jd.RigidBody.from_shape(f"ball{i}", jd.Sphere(0.09), mass=1.0), jd.Free(f"free{i}"))
    steel = jd.Material(210e9, 0.3)
    laws = (
        jd.VolumetricContact(stiffness=(1e9, float("inf")), relaxation=0.5, contensou="integrated", parts=3),
        jd.VolumetricContact(material=(steel, None), depth=0.01, spin_factor=0.65, normal="inertia"),
        jd.VolumetricContact(material=(steel, steel), hertz=True),
    )
    for i, law in enumerate(laws):
        ball = jd.Sphere(0.09).at(f"ball{i}.origin")
        system.contact(f"touch{i}", ball, (jd.Plane((0, 0, 1)) if i else table).at("world"), normal=law)
    return system


def closed():
    system = jd.System("closed")
    for k, at in enumerate(("world", "b0.tip", "b1.tip", "world")):
        frames = {"tip": (1, 0, 0)}
        body = jd.RigidBody(f"b{k}", 1.0, com=(0.5, 0, 0), inertia=(0.1, 0.4, 0.4), frames=frames)
        system.add(body, jd.Spherical(f"j{k}") if k == 3 else jd.Revolute(f"j{k}"), to=at)
    moves = (jd.Sine(0.01, 2.0), None, jd.Table([0, 1, 3], [0, 0.1, 0.2]))
    system.connect(jd.Revolute("pin", axis=(0.1, 0.2, 0.3)), "b2.tip", "world", moves=moves)
    system.connect(jd.Screw("screw", pitch=0.01), "b2.origin", "world")
    system.connect(jd.Universal("cross", axes=("y", (0, 1, 1))), "b2.tip", "b3.tip")
    system.connect(jd.Weld("weld"), "b3.tip", "world", position=(0.1, 0, 0.3), rotation=(0.6, 0.8, 0, 0))
    system.connect(jd.constraints.Rod("stay"), "b1.tip", "b3.tip")
    system.connect(jd.constraints.Rod("leg", length=jd.Polynomial([1.0, 0.1])), "b0.tip", "b3.origin")
    system.connect(jd.constraints.Rod("brace", length=0.7), "b1.tip", "b3.origin")
    system.connect(jd.constraints.Rolling("wheel", radius=0.3, axis="y"), "b3.origin", "world")
    system.connect(jd.constraints.Rolling("ball", radius=0.2), "b2.origin", "world")
    system.connect(jd.constraints.NoSlip("blade", direction="y"), "b3.tip", "world")
    system.connect(
        jd.constraints.Spring("spring", stiffness=100.0, length=0.2, damping=1.0, force=-3.0), "b0.tip", "world"
    )
    system.couple("gear", {"j0": 1.0, "j1": -3.0}, value=0.25)
    system.couple("spin", {"j3.wx": 1.0, "j2": 2.0}, rates=True)
    system.couple("drive", {"j0": 1.0}, value=jd.Cycloid(1.0, 2.0))
    return system


CASES = {
    "loops": closed,
    "beam": lambda: one_body(beam(modes=jd.Modes(bending_y=2, torsion=1), frames={"camera": 0.3})),
    "tapered beam": lambda: one_body(
        jd.Beam("taper", 2.0, ([0, 0.5, 1], [3, 2, 1]), 1e6, (([0, 1], [9, 5]), 7.0), 5.0, rotary_inertia=True)
    ),
    "rigid beam": lambda: one_body(beam(modes=jd.Modes())),
    "finite elements": lambda: one_body(beam(basis="finite-element", modes=jd.Modes(bending=4), damping=(0.1, 1e-3))),
    "clamped": lambda: one_body(beam(basis="clamped-free", tip_mass=3.0, inertia_per_length=0.01)),
    "free-free": lambda: one_body(beam(basis="free-free", fidelity="consistent"), jd.Free("free")),
    "integrated": lambda: one_body(beam(tip_rotation="integrated", axial="dual")),
    "deployable": lambda: one_body(
        jd.DeployableBeam("boom", (1.0, 3.0), 0.5, 1e6, 100.0, 50.0, deployment="stretch", limit_damping=0.1)
    ),
    "deployable by mass": lambda: one_body(jd.DeployableBeam("boom", (1, 3), mass=5.0, EA=1e6, EI=(1e2, 2e2), GJ=5e1)),
    "drive": lambda: one_body(jd.RigidBody("b", 1.0, inertia=(1, 1, 1)), jd.Revolute("j", limits=(-1, 1), drive=DRIVE)),
    "reduced part": lambda: one_body(reduced()),
    "rail": on_rail,
    "contacts, pile, orbit": in_contact,
    "meshes": with_meshes,
    "cells": with_cells,
}


@pytest.mark.parametrize("name", CASES)
def test_everything_comes_back(name, tmp_path):
    system = CASES[name]()
    back = again(system, tmp_path)
    assert back.compile().hash == system.compile().hash
    assert back.name == system.name


def test_large_things_lie_beside(tmp_path):
    with_meshes().save(tmp_path / "all.yaml")
    assert sorted(one.name for one in tmp_path.iterdir()) == ["all.mesh.obj", "all.mesh2.obj", "all.yaml"]
    one_body(reduced()).save(tmp_path / "part.yaml")
    assert (tmp_path / "part.part.json").exists()


@given(st.text(min_size=1, max_size=12), st.floats(allow_nan=False, allow_infinity=False))
def test_text_and_numbers_survive(text, number):
    """What is no text, as an escape of a terminal, is refused when it is written as when it is read."""
    if CONTROL.search(text):
        with pytest.raises(ModelError, match="has a character that is no text"):
            dump({"a": text})
        text = CONTROL.sub("", text)
    root, mistakes = read_yaml(dump({"a": text, "b": [number, -number], "c": {"d": text}}), "t")
    assert not mistakes
    assert root.plain() == {"a": text, "b": [number, -number], "c": {"d": text}}
    assert np.signbit(root.plain()["b"][0]) == np.signbit(number)


def test_laws_are_named():
    class Push:
        is_law = True
        name = "thruster"

    @jd.contact.normal_law
    def soft(depth, rate, impact_speed, z, p, dz):
        return 10.0 * depth

    system = one_body(jd.RigidBody("b", 1.0, inertia=(1, 1, 1)))
    system.force("burn", at="b.origin", force=Push())
    system.contact("touch", jd.Sphere(0.1).at("b.origin"), jd.Plane((0, 0, 1)).at("world"), normal=soft)
    with pytest.raises(ModelError) as caught:
        system.save("never.yaml")
    first, second = str(caught.value).splitlines()
    assert first.startswith('burn: the force is the law "thruster"')
    assert second.startswith("touch: ") and '"soft"' in second


@pytest.mark.parametrize("name", ["arm.urdf", "arm.xml", "arm.txt", "arm"])
def test_other_formats_say_so(name):
    with pytest.raises(ModelError, match="not written; use a .yaml|give .yaml"):
        save_system(jd.System("s"), name)
    with pytest.raises((ModelError, jd.errors.ScenarioError), match="no such file|give .yaml, .urdf or .xml"):
        load_system(name)


def test_a_failed_save_leaves_the_old_file(tmp_path):
    path = tmp_path / "arm.yaml"
    one_body(jd.RigidBody("b", 1.0)).save(path)
    old = path.read_text()
    with pytest.raises(ModelError, match="finite"):
        one_body(jd.RigidBody("b", np.nan)).save(path)
    assert path.read_text() == old
    assert [one.name for one in tmp_path.iterdir()] == ["arm.yaml"]


def test_the_system_of_a_scenario_and_of_a_file_that_names_another(tmp_path):
    one_body(jd.RigidBody("b", 2.0, inertia=(1, 1, 1))).save(tmp_path / "arm.yaml")
    (tmp_path / "task.yaml").write_text("jourdain: 1\nname: task\nsystem: {file: arm.yaml}\nsimulation: {until: 1}\n")
    assert jd.System.load(tmp_path / "task.yaml").body("b").mass == 2.0


def test_mistakes_have_lines(tmp_path):
    path = tmp_path / "bad.yaml"
    path.write_text(
        "jourdain: 1\nsystem:\n  bodies:\n    - {kind: RigidBody, name: b, mass: -1, joint: {kind: Free, name: f}}\n"
        "    - {kind: Beem, name: c, joint: {kind: Weld, name: w}}\n"
    )
    with pytest.raises(ScenarioError) as caught:
        jd.System.load(path)
    assert [one.line for one in caught.value.problems] == [4, 5]
    assert caught.value.problems[0].address == "system.bodies.b.mass"
    assert 'did you mean "Beam"' in caught.value.problems[1].message
