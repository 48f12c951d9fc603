"""Public robots read from URDF and MJCF, against Pinocchio's and MuJoCo's own reading of the same files, to 1e-9."""

from __future__ import annotations

import pytest

import jourdain as jd
from peers.robots import OfMujoco, OfPinocchio, bare, compare, described_robots, package

pytestmark = pytest.mark.peer
TOLERANCE = 1e-9

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
    "jaco arm": ("dm_control", "third_party/kinova/jaco_arm.xml"),
    "jaco hand": ("dm_control", "third_party/kinova/jaco_hand.xml"),
    "quadruped": ("dm_control", "suite/quadruped.xml"),
    "suite humanoid": ("dm_control", "suite/humanoid.xml"),
    "CMU humanoid": ("dm_control", "suite/humanoid_CMU.xml"),
    "manipulator": ("dm_control", "suite/manipulator.xml"),
    "fish": ("dm_control", "suite/fish.xml"),
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
    system = bare(system, damping=False)
    model = system.compile()
    found = compare(system, model, OfPinocchio(robots / path, system, model, free))
    assert max(found.values()) < TOLERANCE, found


@pytest.mark.parametrize("robot", MJCF)
def test_an_mjcf_robot_is_what_mujoco_reads(robot):
    pytest.importorskip("mujoco", reason="mujoco is not installed; the extra `peers` brings it")
    home, path = MJCF[robot]
    path = package(home) / path
    system = bare(jd.System.load(path, root=package(home), ignore=True))
    model = system.compile()
    found = compare(system, model, OfMujoco(path, system, model))
    assert max(found.values()) < TOLERANCE, found
