"""Systems from URDF and MJCF: what is carried over, flexible links, and files and commands that use them."""

import os
import struct

import numpy as np
import pytest
from broken_imports import MJCF, PARTS, URDF
from typer.testing import CliRunner

import jourdain as jd
from jourdain.commands.cli import app

ARM = """\
<robot name="arm">
  <link name="base"><inertial><mass value="5"/>
    <inertia ixx=".1" iyy=".1" izz=".1" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="upper"><inertial><origin xyz=".5 0 0"/><mass value="2"/>
    <inertia ixx=".002" iyy=".17" izz=".17" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="fore"><inertial><origin xyz=".4 0 0"/><mass value="1"/>
    <inertia ixx=".001" iyy=".06" izz=".06" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision name="tip"><origin xyz=".8 0 0"/><geometry><sphere radius=".05"/></geometry></collision></link>
  <joint name="shoulder" type="continuous"><parent link="base"/><child link="upper"/><axis xyz="0 1 0"/></joint>
  <joint name="elbow" type="continuous"><origin xyz="1 0 0"/><parent link="upper"/><child link="fore"/>
    <axis xyz="0 1 0"/></joint>
</robot>
"""


@pytest.fixture
def folder(tmp_path):
    corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], float)[
        [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]]
    ]
    mesh = b"\0" * 80 + struct.pack("<I", 4)
    for one in corners:
        mesh += struct.pack("<12fH", 0, 0, 0, *one.ravel(), 0)
    inside = tmp_path / "small"
    (inside / "meshes").mkdir(parents=True)
    (inside / "link.stl").write_bytes(mesh)
    (inside / "meshes" / "wedge.stl").write_bytes(mesh)
    (inside / "small.urdf").write_text(URDF)
    (inside / "small.xml").write_text(MJCF)
    (inside / "parts.xml").write_text(PARTS)
    (inside / "arm.urdf").write_text(ARM)
    return inside


def attachment(system, name):
    return next(one for one in system.attachments if one.body.name == name)


def test_urdf_is_carried_over(folder):
    system = jd.System.load(folder / "small.urdf")
    assert [body.name for body in system.bodies] == ["base", "upper", "fore", "finger", "tool"]
    assert [one.joint.kind for one in system.attachments] == ["weld", "revolute", "revolute", "prismatic", "weld"]
    shoulder, elbow = attachment(system, "upper").joint, attachment(system, "fore").joint
    assert shoulder.limits == (-2.0, 2.0) and shoulder.damping == 0.5 and shoulder.friction == 0.1
    assert shoulder.armature == pytest.approx(100.0**2 * 2e-5) and elbow.limits is None
    assert attachment(system, "fore").to == "upper.elbow"
    upper = system.body("upper")
    R = jd.Pose(rotation=_rpy(0.1, 0.2, 0.3)).rotation
    assert upper.inertia == pytest.approx(R @ np.diag([0.002, 0.04, 0.041]) @ R.T, abs=1e-15)
    assert upper.com == pytest.approx([0.25, 0, 0])
    assert system.gravity == pytest.approx([0, 0, -9.81])
    found = system.imported
    assert found.effort_limits == {"shoulder": 50.0, "elbow": 20.0, "slide": 5.0}
    assert found.speed_limits["slide"] == 0.1 and found.transmissions["shoulder"].reduction == 100.0
    assert found.shapes["upper"][0].shape == jd.Box((0.5, 0.05, 0.05)) and "upper skin" in found.named_shapes
    assert found.colours["base"] == (0.5, 0.5, 0.5, 1.0) and found.ignored == ()
    assert upper.shape.shape.vertices.max(axis=0) == pytest.approx([0.75, 0.1, 0.1])


def _rpy(roll, pitch, yaw):
    from scipy.spatial.transform import Rotation

    return Rotation.from_euler("xyz", [roll, pitch, yaw])


def test_mjcf_is_carried_over(folder):
    system = jd.System.load(folder / "small.xml")
    assert [body.name for body in system.bodies] == ["post", "upper/pan", "upper", "fore", "ball", "box"]
    pan, tilt = attachment(system, "upper/pan").joint, attachment(system, "upper").joint
    assert pan.limits == pytest.approx((-np.pi / 2, np.pi / 2)) and pan.armature == 0.01 and pan.damping == 0.1
    assert tilt.stiffness == 2.0 and tilt.rest == pytest.approx(np.deg2rad(5.0))
    assert system.body("upper/pan").mass == 0.0
    capsule = jd.Capsule(0.02, 0.4)
    assert system.body("upper").mass == pytest.approx(800.0 * capsule.volume, rel=1e-12)
    assert system.body("upper").inertia[0, 0] == pytest.approx(800.0 * capsule.inertia[2, 2], rel=1e-12)
    assert system.body("fore").mass == pytest.approx(800.0 * (0.2 * 0.04 * 0.04 + 1e-3 / 6), rel=1e-6)
    a, b, c = 0.1, 0.2, 0.05
    mass = 1000.0 * 4 / 3 * np.pi * a * b * c
    assert np.linalg.eigvalsh(system.body("box").inertia) == pytest.approx(
        sorted(mass / 5 * np.array([b * b + c * c, a * a + c * c, a * a + b * b])), rel=1e-12
    )
    model = system.compile()
    reference = model.state(q={"tilt": np.deg2rad(10.0)})
    assert model.pose("upper.tip", reference).position == pytest.approx([0.4, 0, 0.5], abs=1e-14)
    assert model.pose("ball.origin", reference).position == pytest.approx([0.7, 0, 0.5], abs=1e-14)
    assert set(system.imported.shapes) == {"world", "upper", "fore", "box", "post"}


def test_actuators_act(folder):
    system = jd.System.load(folder / "small.xml")
    names = [one.name for one in system.imported.actuators]
    assert names == ["pan motor", "elbow servo"]
    system.gravity = (0, 0, 0)
    model = system.compile()
    state = model.state(q={"tilt": np.deg2rad(5.0), "elbow": 0.2}, v={"elbow": 0.4})
    law = system.imported.control(model, {"pan motor": 3.0, "elbow servo": 0.5})
    run = jd.simulate(model, state, until=1e-6, step=1e-6, method="rk4", controller=law, progress=False)
    assert float(run.effort["pan"][0]) == pytest.approx(50.0 * 1.0)  # the command is cut to its range
    assert float(run.effort["elbow"][0]) == pytest.approx(20.0 * (0.5 - 0.2) - 2.0 * 0.4)
    with pytest.raises(jd.errors.ModelError, match="did you mean"):
        system.imported.control(model, {"pan moter": 1.0})


def test_the_base_can_be_free(folder):
    system = jd.System.load(folder / "arm.urdf", free_base=True)
    assert system.attachments[0].joint.kind == "free" and system.attachments[0].joint.name == "root_joint"
    assert len(system.compile().names.v) == 8


def test_other_joints_and_a_link_called_world(tmp_path):
    text = ARM.replace('<link name="base">', '<link name="world"/><link name="base">')
    text = text.replace("</robot>", '<joint name="plane" type="planar"><parent link="world"/><child link="base"/>'
                        '<axis xyz="0 0 1"/><origin xyz="0 0 2"/></joint></robot>')  # fmt: skip
    (tmp_path / "a.urdf").write_text(text)
    system = jd.System.load(tmp_path / "a.urdf")
    assert attachment(system, "base").to == "world" and attachment(system, "base").joint.kind == "planar"
    model = system.compile()
    assert model.pose("base.origin", model.state()).position == pytest.approx([0, 0, 2])
    (tmp_path / "b.urdf").write_text(text.replace('type="planar"', 'type="floating"'))
    assert attachment(jd.System.load(tmp_path / "b.urdf"), "base").joint.kind == "free"


def test_a_mimic_joint_is_a_coupling(folder):
    text = ARM.replace(
        '<child link="fore"/>', '<child link="fore"/><mimic joint="shoulder" multiplier="-2" offset="0.3"/>'
    )
    (folder / "m.urdf").write_text(text)
    system = jd.System.load(folder / "m.urdf")
    coupling = system.couplings[0]
    assert coupling.terms == {"elbow": 1.0, "shoulder": 2.0} and coupling.value == 0.3
    model = system.compile()
    assert model.constraints.residual(model.state(q={"shoulder": 0.5, "elbow": -0.7}).q) == pytest.approx(
        [0.0], abs=1e-15
    )


BEAM = {"mass_per_length": 2.0, "EA": 1e7, "EI": (2000.0, 2000.0), "GJ": 1500.0}


def test_an_imported_link_is_made_flexible_in_one_line(folder):
    system = jd.System.load(folder / "arm.urdf")
    system.make_flexible("upper", jd.Beam("upper", length=1.0, modes=jd.Modes(bending=1), **BEAM))
    model = system.compile()
    assert model.names.q == ("shoulder", "upper.bending_y[0]", "upper.bending_z[0]", "elbow")
    bent = model.state(q={"upper.bending_z[0]": 0.01})
    assert model.pose("upper.elbow", bent).position[2] == pytest.approx(0.01, rel=1e-6)


def test_a_link_between_any_two_frames_is_made_flexible(folder):
    text = ARM.replace('<origin xyz="1 0 0"/><parent', '<origin xyz="0.6 0 0.8"/><parent')
    (folder / "b.urdf").write_text(text)
    system = jd.System.load(folder / "b.urdf")
    system.make_flexible("upper", jd.Beam("x", length=1.0, **BEAM), along=("origin", "elbow"))
    model = system.compile()
    assert model.pose("fore.origin", model.state()).position == pytest.approx([0.6, 0, 0.8], abs=1e-12)


def test_an_imported_system_is_saved_and_comes_back(folder):
    system = jd.System.load(folder / "small.urdf")
    system.save(folder / "again.yaml")
    assert jd.System.load(folder / "again.yaml").compile().hash == system.compile().hash


SCENARIO = """\
jourdain: 1
name: An imported arm touches the floor
system:
  file: arm.urdf
  flexible:
    - {kind: Beam, name: upper, length: 1.0, mass_per_length: 2, EA: 1e7, EI: [2000, 2000], GJ: 1500,
       modes: {bending: 1}}
  bodies:
    - {kind: RigidBody, name: tool, mass: 0.2, inertia: [1e-3, 1e-3, 1e-3], joint: {kind: Weld, name: grip},
       to: fore.origin, position: [0.8, 0, 0]}
  contacts:
    - {name: touch, first: {kind: Sphere, radius: 0.05, at: tool.origin},
       second: {kind: Plane, normal: [0, 0, 1], offset: -1.2, at: world},
       normal: {kind: HertzContact, stiffness: 1e6, restitution: 0.5}}
state: {q: {shoulder: 0.6}}
simulation: {until: 0.02, step: 1e-4, method: rk4}
"""


def test_a_scenario_names_an_imported_arm(folder):
    (folder / "task.yaml").write_text(SCENARIO)
    assert jd.study.check_scenario(folder / "task.yaml") == []
    scenario = jd.load_scenario(folder / "task.yaml")
    assert "upper.bending_y[0]" in scenario.model.names.q and scenario.model.contacts.names == ("touch",)
    assert any(name.endswith("arm.urdf") for name in scenario.files)
    assert jd.System.load(folder / "task.yaml").compile().hash == scenario.model.hash


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("file: arm.urdf", "file: ../arm.urdf", "leads out"),
        ("file: arm.urdf", "file: other.urdf", "no such file"),
        ("file: arm.urdf", "file: arm.urdf\n  ignore: perhaps", "ignore"),
        ("file: arm.urdf", "file: arm.urdf\n  free_base: 3", "free_base"),
        ("file: arm.urdf", "file: arm.urdf\n  bodis: []", "did you mean"),
        ("name: upper", "name: uper", "did you mean"),
        ("to: fore.origin", "to: for.origin", "did you mean"),
        ("length: 1.0, mass", "length: 0.7, mass", "0.7 m long"),
    ],
)
def test_what_is_wrong_beside_an_import_is_told_with_its_line(folder, old, new, words):
    (folder / "task.yaml").write_text(SCENARIO.replace(old, new))
    found = jd.study.check_scenario(folder / "task.yaml")
    assert found and any(words in str(one) for one in found), found


def test_the_command_line_reads_imports(folder):
    run = CliRunner().invoke
    task = folder / "task.yaml"
    task.write_text(SCENARIO.replace("file: arm.urdf", "file: more.urdf"))
    text = ARM.replace("</robot>", "<gazebo/></robot>").replace(
        '<sphere radius=".05"/>', '<mesh filename="package://parts/ball.obj"/>'
    )
    (folder / "more.urdf").write_text(text)
    outside = folder.parent / "elsewhere"
    outside.mkdir()
    (outside / "ball.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    found = run(app, ["check", str(task)])
    assert found.exit_code == 2 and 'package "parts" is not known' in found.output
    found = run(app, ["check", str(task), "--package", f"parts={outside}"])
    assert found.exit_code == 2 and "gazebo is not carried over" in found.output
    found = run(app, ["check", str(task), "--package", f"parts={outside}", "--ignore"])
    assert found.exit_code == 0, found.output
    os.symlink(outside, folder / "parts")
    found = run(app, ["check", str(task), "--ignore"])
    assert found.exit_code == 2 and "leads out" in found.output
    found = run(app, ["check", str(task), "--ignore", "--root", str(folder.parent)])
    assert found.exit_code == 0, found.output
    assert run(app, ["check", str(task), "--package", "parts"]).exit_code == 2


def test_looks_are_only_looked_at():
    looks = jd.shapes.Looks([[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 1, 2]])
    system = jd.System("s")
    system.add(jd.RigidBody("a", 1.0, inertia=(1, 1, 1), shape=looks), jd.Free("f"))
    assert system.check() == []
    with pytest.raises(jd.errors.ModelError, match="only looked at"):
        jd.RigidBody.from_shape("b", looks, density=1.0)
    assert looks.reach == 1.0
    system.contact("c", looks.at("a.origin"), jd.Plane((0, 0, 1)).at("world"), normal=jd.HertzContact(1e6, 0.5))
    assert system.check()
