"""Public robots read from URDF and MJCF, against Pinocchio's and MuJoCo's own reading of the same files, to 1e-9."""

from __future__ import annotations

import numpy as np
import pytest
from broken_imports import MJCF as SMALL_MJCF
from broken_imports import URDF as SMALL_URDF

import jourdain as jd
from peers.robots import OfMujoco, OfPinocchio, bare, compare, described_robots, package

pytestmark = pytest.mark.peer
TOLERANCE = 1e-9
MESHES = 1e-6
"""Where inertia comes from meshes: MuJoCo's axes of a mesh's inertia are off by 1e-8 (it stops turning them there), and
a mass matrix whose condition is some 1e2 gives that to the accelerations."""

URDF = {
    "panda": ("panda_description/urdf/panda.urdf", False),
    "ur5": ("ur_description/urdf/ur5_robot.urdf", False),
    "kinova": ("kinova_description/robots/kinova.urdf", False),
    "xarm7": ("xarm_description/urdf/xarm7.urdf", False),
    "so101": ("so_arm_description/urdf/so101.urdf", False),
    "solo12": ("solo_description/robots/solo12.urdf", True),
    "a1": ("a1_description/urdf/a1.urdf", True),
    "go2": ("go2_description/urdf/go2.urdf", True),
    "laikago": ("laikago_description/urdf/laikago.urdf", True),
    "talos": ("talos_data/robots/talos_reduced.urdf", True),
    "g1": ("g1_description/urdf/g1_29dof_rev_1_0.urdf", True),
    "icub": ("icub_description/robots/icub.urdf", True),
}
MJCF = {
    "ant": ("gymnasium", "envs/mujoco/assets/ant.xml"),
    "humanoid": ("gymnasium", "envs/mujoco/assets/humanoid.xml"),
    "half cheetah": ("gymnasium", "envs/mujoco/assets/half_cheetah.xml"),
    "pusher arm": ("gymnasium", "envs/mujoco/assets/pusher_v5.xml"),
    "walker": ("gymnasium", "envs/mujoco/assets/walker2d_v5.xml"),
    "quadruped": ("dm_control", "suite/quadruped.xml"),
    "suite humanoid": ("dm_control", "suite/humanoid.xml"),
    "CMU humanoid": ("dm_control", "suite/humanoid_CMU.xml"),
    "manipulator": ("dm_control", "suite/manipulator.xml"),
    "fish": ("dm_control", "suite/fish.xml"),
}
OF_MESHES = {
    "jaco arm": ("dm_control", "third_party/kinova/jaco_arm.xml"),
    "jaco hand": ("dm_control", "third_party/kinova/jaco_hand.xml"),
    "dog": ("dm_control", "suite/dog.xml"),
}


@pytest.mark.parametrize("robot", URDF)
def test_a_urdf_robot_is_what_pinocchio_reads(robot):
    pytest.importorskip("pinocchio", reason="pinocchio is not installed; the extra `peers` brings it")
    path, free = URDF[robot]
    robots = described_robots()
    system = jd.System.load(
        robots / path, root=robots, packages={"example-robot-data": robots.parent}, ignore=True, free_base=free
    )
    system = bare(system, passive=False)
    model = system.compile()
    found = compare(system, model, OfPinocchio(robots / path, system, model, free))
    assert max(found.values()) < TOLERANCE, found


@pytest.mark.parametrize("robot", [*MJCF, *OF_MESHES])
def test_an_mjcf_robot_is_what_mujoco_reads(robot):
    pytest.importorskip("mujoco", reason="mujoco is not installed; the extra `peers` brings it")
    home, path = (MJCF | OF_MESHES)[robot]
    path = package(home) / path
    passive = robot != "dog"  # its springdamper, which MuJoCo turns into springs, is not carried over
    system = bare(jd.System.load(path, root=package(home), ignore=True), passive)
    model = system.compile()
    found = compare(system, model, OfMujoco(path, system, model, passive))
    assert max(found.values()) < (MESHES if robot in OF_MESHES else TOLERANCE), found


def test_a_small_urdf_arm_is_what_pinocchio_reads(tmp_path):
    pytest.importorskip("pinocchio", reason="pinocchio is not installed; the extra `peers` brings it")
    (tmp_path / "arm.urdf").write_text(SMALL_URDF)
    system = bare(jd.System.load(tmp_path / "arm.urdf", ignore=("mesh",), free_base=True), passive=False)
    model = system.compile()
    peer = OfPinocchio(tmp_path / "arm.urdf", system, model, free=True)
    rotor = peer.model.idx_vs[peer.model.getJointId("shoulder")]
    peer.model.armature[rotor] = 100.0**2 * 2e-5  # Pinocchio leaves rotors to the user
    found = compare(system, model, peer, seeds=5)
    assert max(found.values()) < TOLERANCE, found


@pytest.mark.parametrize("angle", ("degree", "radian"))
@pytest.mark.parametrize("sequence", ("xyz", "XYZ", "zyx", "xYz"))
def test_a_small_mjcf_arm_is_what_mujoco_reads(tmp_path, angle, sequence):
    pytest.importorskip("mujoco", reason="mujoco is not installed; the extra `peers` brings it")
    text = SMALL_MJCF.replace('<include file="parts.xml"/>', "").replace('mesh="wedge"', 'type="sphere" size="0.03"')
    text = text.replace('angle="degree"', f'angle="{angle}" eulerseq="{sequence}"').replace('type="mesh" type', "type")
    text = text.replace('pos="0.4 0 0" quat="1 0 0 0"', 'pos="0.4 0 0" euler="0.3 -0.7 1.1"')
    text = text.replace('<asset><mesh name="wedge" file="wedge.stl" scale="0.1 0.1 0.1"/></asset>', "")
    (tmp_path / "arm.xml").write_text(text)
    system = bare(jd.System.load(tmp_path / "arm.xml"))
    model = system.compile()
    found = compare(system, model, OfMujoco(tmp_path / "arm.xml", system, model), seeds=4)
    assert max(found.values()) < TOLERANCE, found


LOOPED = """
<mujoco>
  <compiler angle="degree"/>
  <worldbody>
    <site name="post" pos="0.3 0.2 1"/>
    <body name="a" pos="0 0 1"><joint name="a" axis="0 1 0" ref="20"/>
      <geom type="capsule" size=".02" fromto="0 0 0 .4 0 0"/>
      <site name="tip" pos="0.4 0 0"/>
      <body name="b" pos="0.4 0 0"><joint name="b" axis="0 1 0" ref="-30"/><joint name="b2" axis="0 0 1"/>
        <geom type="capsule" size=".02" fromto="0 0 0 .3 0 0"/></body>
    </body>
    <body name="c" pos="0 0.5 1"><joint name="c" axis="1 0 0"/><joint name="cs" type="slide" axis="0 0 1"/>
      <geom type="box" size=".1 .1 .2"/>
      <body name="d" pos="0 0 .2"><joint name="d" axis="0 1 0"/><geom type="sphere" size=".1" pos=".1 0 0"/></body>
    </body>
    <body name="e" pos="0 0 2"><freejoint/><geom type="box" size=".1 .2 .3"/></body>
    <body name="f" pos="0.1 0.3 2"><freejoint/><geom type="box" size=".1 .2 .3"/></body>
  </worldbody>
  <tendon>
    <fixed name="both"><joint joint="c" coef="2"/><joint joint="d" coef="-1"/></fixed>
    <spatial name="cable" stiffness="40" damping="3"><site site="tip"/><site site="post"/></spatial>
  </tendon>
  <equality>
    <connect name="pin" body1="b" body2="c" anchor="0.1 0.05 0.02"/>
    <weld name="glue" body1="e" body2="f"/>
    <connect name="hang" body1="e" anchor="0 0 0.1"/>
    <joint name="gear" joint1="a" joint2="b" polycoef="0.1 -2 0 0 0"/>
    <tendon name="sum" tendon1="both"/>
  </equality>
</mujoco>
"""


def test_what_closes_loops_is_what_mujoco_reads(tmp_path):
    """Rows of constraints span the same space as MuJoCo's at the reference configuration, where loops are closed."""
    mujoco = pytest.importorskip("mujoco", reason="mujoco is not installed; the extra `peers` brings it")
    path = tmp_path / "loops.xml"
    path.write_text(LOOPED)
    system = jd.System.load(path)
    assert [one.name for one in system.connections] == ["cable", "pin", "glue", "hang"]
    model = system.compile()
    peer = OfMujoco(path, system, model)
    m, d = peer.model, peer.data
    q = at_reference(model)
    peer._at(q, np.zeros(model.nv))
    mujoco.mj_forward(m, d)
    names = np.array(model.constraints.owners)
    ours, residual = model.constraints.jacobian(q), model.constraints.residual(q)
    theirs = d.efc_J.reshape(-1, m.nv)[: d.ne] @ peer.coordinates.map(q)
    for name in ("pin", "glue", "hang", "gear", "sum"):
        mine, other = ours[names == name], theirs[d.efc_id[: d.ne] == m.eq(name).id]
        rank = np.linalg.matrix_rank(mine)
        assert rank == {"pin": 3, "glue": 6, "hang": 3}.get(name, 1)
        assert np.linalg.matrix_rank(np.vstack([mine, other]), tol=1e-9) == rank
    assert np.max(np.abs(residual[names != "gear"])) < 1e-14
    assert residual[names == "gear"] == pytest.approx([-0.1], abs=1e-12)


def test_a_tendon_is_the_spring_that_mujoco_reads(tmp_path):
    mujoco = pytest.importorskip("mujoco", reason="mujoco is not installed; the extra `peers` brings it")
    path = tmp_path / "loops.xml"
    path.write_text(LOOPED)
    wire, m = jd.System.load(path).connections[0], mujoco.MjModel.from_xml_path(str(path))
    cable = m.tendon("cable").id
    ends = (wire.first, wire.second)
    assert ends == ("a.tip", "post_anchor.origin")
    assert wire.element.length == pytest.approx(float(m.tendon_lengthspring[cable, 0]), rel=1e-12)
    assert wire.element.stiffness == float(np.ravel(m.tendon_stiffness[cable])[0])
    assert wire.element.damping == float(np.ravel(m.tendon_damping[cable])[0])


def at_reference(model):
    q = model.state().q.copy()
    q[model.index.q["a"]], q[model.index.q["b"]] = np.deg2rad(20.0), np.deg2rad(-30.0)
    return q
