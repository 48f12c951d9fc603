"""What joints say of themselves."""

import pickle

import numpy as np
import pytest

from jourdain.basics.errors import ModelError
from jourdain.describe.joints import (
    Cylindrical,
    Free,
    Planar,
    Prismatic,
    Revolute,
    Screw,
    Spherical,
    Universal,
    Weld,
    joint_from_dict,
    plane_axes,
)

ALL = [
    Revolute("r", axis=(1, 2, 3), stiffness=1.0, damping=0.1, rest=0.2, friction=0.3, limits=(-1, 1)),
    Prismatic("p", "x", limits=(0.0, 0.1), limit_stiffness=1e5, limit_damping=0.5, friction_stiffness=1e4),
    Screw("s", "y", 0.01, friction=0.1),
    Cylindrical("c", "x"),
    Universal("u", axes=("x", (0, 1, 1))),
    Spherical("b"),
    Planar("plane", normal=(0, 1, 0)),
    Free("f"),
    Weld("w"),
]


@pytest.mark.parametrize(
    ("joint", "q", "v"),
    [
        (Revolute("shoulder"), "shoulder", "shoulder"),
        (Prismatic("slide"), "slide", "slide"),
        (Screw("jack", pitch=0.1), "jack", "jack"),
        (Cylindrical("c"), "c.angle c.slide", "c.angle c.slide"),
        (Universal("u"), "u.a u.b", "u.a u.b"),
        (Spherical("s"), "s.qw s.qx s.qy s.qz", "s.wx s.wy s.wz"),
        (Planar("p"), "p.x p.y p.angle", "p.x p.y p.angle"),
        (Free("f"), "f.x f.y f.z f.qw f.qx f.qy f.qz", "f.wx f.wy f.wz f.vx f.vy f.vz"),
        (Weld("w"), "", ""),
    ],
)
def test_names_and_neutral(joint, q, v):
    assert joint.q_names() == tuple(q.split())
    assert joint.v_names() == tuple(v.split())
    neutral = dict(zip(joint.q_names(), joint.neutral(), strict=True))
    assert all(value == (1.0 if name.endswith(".qw") else 0.0) for name, value in neutral.items())
    assert joint.motion_subspace().shape == (6, len(joint.v_names()))


@pytest.mark.parametrize("joint", ALL, ids=lambda joint: joint.kind)
def test_joints_are_sound_and_can_be_written_pickled_and_read(joint):
    assert joint.check(joint.name) == []
    assert joint_from_dict(joint.to_dict()) == joint
    assert pickle.loads(pickle.dumps(joint)) == joint
    assert np.linalg.matrix_rank(joint.motion_subspace()) == len(joint.v_names())


def test_subspaces_are_unit_and_in_order():
    assert Revolute("r", axis=(0, 0, 5)).motion_subspace().ravel().tolist() == [0, 0, 1, 0, 0, 0]
    assert Screw("s", "x", 0.2).motion_subspace().ravel().tolist() == [1, 0, 0, 0.2, 0, 0]
    assert Cylindrical("c", "y").motion_subspace().T.tolist() == [[0, 1, 0, 0, 0, 0], [0, 0, 0, 0, 1, 0]]
    planar = Planar("p").motion_subspace().T.tolist()
    assert planar == [[0, 0, 0, 1, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, 1, 0, 0, 0]]


@pytest.mark.parametrize("normal", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (0.3, -2, 1), (0, 0, -1)])
def test_plane_axes_are_right_handed(normal):
    x, y = plane_axes(np.array(normal, dtype=float))
    n = np.array(normal) / np.linalg.norm(normal)
    assert np.allclose(np.column_stack([x, y, n]).T @ np.column_stack([x, y, n]), np.eye(3), atol=1e-15)
    assert np.linalg.det(np.column_stack([x, y, n])) == pytest.approx(1.0)


@pytest.mark.parametrize("cls", [Revolute, Prismatic, Screw])
def test_what_is_no_drive_is_refused_in_one_line(cls):
    with pytest.raises(ModelError, match="drive is .*; give jd.Drive") as caught:
        cls("shoulder", "z", drive=object(), **({"pitch": 0.1} if cls is Screw else {}))
    assert "\n" not in str(caught.value)
    assert caught.value.problems[0].address == "shoulder"


def test_screw_needs_a_pitch():
    with pytest.raises(ModelError, match="jack: a screw takes pitch="):
        Screw("jack", "z")
    with pytest.raises(TypeError):
        Screw("jack", "z", 0.1, stifness=1.0)


def test_joints_cannot_be_changed():
    with pytest.raises(AttributeError):
        Revolute("r").stiffness = 2.0
    with pytest.raises(ValueError):
        Revolute("r").axis[0] = 2.0


def test_unknown_kinds_and_keys_are_refused():
    with pytest.raises(ModelError, match=r"bodies\[0\].joint: kind is 'hinge'"):
        joint_from_dict({"kind": "hinge", "name": "h"}, "bodies[0].joint")
    with pytest.raises(ModelError, match='unknown key "stifness"; did you mean "stiffness"'):
        joint_from_dict({"kind": "revolute", "name": "h", "stifness": 1.0})
    with pytest.raises(ModelError, match="give text"):
        joint_from_dict({"kind": "weld", "name": 3})
