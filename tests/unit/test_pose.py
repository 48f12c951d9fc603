"""Poses, rotations and axes."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jourdain.basics.errors import ModelError
from jourdain.basics.pose import Pose, as_axis, as_rotation, as_vector, matrix_from_quaternion, quaternion_from_matrix

number = st.floats(-10.0, 10.0)
vector = st.tuples(number, number, number)
quaternion = (
    st.tuples(*[st.floats(-1.0, 1.0)] * 4)
    .filter(lambda q: np.linalg.norm(q) > 1e-3)
    .map(lambda q: np.array(q) / np.linalg.norm(q))
)
pose = st.builds(Pose, vector, quaternion)


def close(a: Pose, b: Pose) -> bool:
    return np.allclose(a.position, b.position, atol=1e-12) and np.allclose(a.rotation, b.rotation, atol=1e-12)


@given(quaternion)
def test_quaternion_and_matrix_are_inverse_to_each_other(q):
    R = matrix_from_quaternion(q)
    assert np.allclose(R @ R.T, np.eye(3), atol=1e-14)
    assert np.linalg.det(R) == pytest.approx(1.0, abs=1e-14)
    back = quaternion_from_matrix(R)
    assert back[0] >= 0.0
    assert np.allclose(matrix_from_quaternion(back), R, atol=1e-14)
    assert min(np.abs(back - q).max(), np.abs(back + q).max()) < 1e-14


@pytest.mark.parametrize("axis", [(1, 0, 0), (0, 1, 0), (0, 0, 1), (0.6, 0.0, 0.8), (-1, 0, 0)])
@pytest.mark.parametrize("angle", [0.0, 1e-9, 1.0, np.pi - 1e-9, np.pi])
def test_quaternion_from_matrix_is_accurate_at_small_and_half_turns(axis, angle):
    q = np.array([np.cos(angle / 2), *(np.sin(angle / 2) * np.array(axis))])
    back = quaternion_from_matrix(matrix_from_quaternion(q))
    assert min(np.abs(back - q).max(), np.abs(back + q).max()) < 4e-16


def test_rotation_agrees_with_scipy():
    Rotation = pytest.importorskip("scipy.spatial.transform").Rotation
    turn = Rotation.from_rotvec([0.3, -0.2, 0.9])
    x, y, z, w = turn.as_quat()
    assert np.allclose(as_rotation(turn), turn.as_matrix(), atol=1e-15)
    assert np.allclose(as_rotation((w, x, y, z)), turn.as_matrix(), atol=1e-15)
    assert np.allclose(Pose(rotation=turn).quaternion, (w, x, y, z), atol=1e-15)


@given(pose, pose, pose, vector)
def test_poses_are_a_group_that_acts_on_points(a, b, c, point):
    assert close((a @ b) @ c, a @ (b @ c)) or np.abs(a.position).max() > 1e3
    assert close(a @ a.inverse(), Pose())
    assert close(a.inverse() @ a, Pose())
    assert np.allclose((a @ b).apply(point), a.apply(b.apply(point)), atol=1e-12)


def test_pose_is_immutable_and_survives_pickling_and_writing():
    one = Pose((1, 2, 3), (0.5, 0.5, -0.5, 0.5))
    with pytest.raises(AttributeError):
        one.position = (0, 0, 0)
    with pytest.raises(ValueError):
        one.rotation[0, 0] = 2.0
    assert pickle.loads(pickle.dumps(one)) == one
    assert not pickle.loads(pickle.dumps(one)).position.flags.writeable
    assert Pose.from_dict(one.to_dict()) == one
    assert Pose.from_dict(Pose((1, 0, 0)).to_dict()) == Pose((1, 0, 0))
    assert len({one, Pose.from_dict(one.to_dict())}) == 1


@given(quaternion)
def test_written_rotation_is_exact(q):
    one = Pose((0.1, 0.2, 0.3), q)
    assert Pose.from_dict(one.to_dict()) == one


def test_apply_takes_many_points():
    quarter = Pose((0, 0, 1), (np.sqrt(0.5), 0, 0, np.sqrt(0.5)))
    assert np.allclose(quarter.apply([[1, 0, 0], [0, 1, 0]]), [[0, 1, 1], [-1, 0, 1]])
    with pytest.raises(ModelError, match="points"):
        quarter.apply([1, 2])


def test_a_nearly_unit_quaternion_is_normalised():
    R = as_rotation(np.array([1.0, 1e-3, 0, 0]) / np.sqrt(1 + 1e-6) * (1 + 5e-7))
    assert np.allclose(R @ R.T, np.eye(3), atol=1e-15)


def test_a_nearly_orthogonal_matrix_becomes_the_nearest_rotation():
    exact = matrix_from_quaternion(np.array([0.8, 0.0, 0.6, 0.0]))
    R = as_rotation(np.round(exact, 7) + 1e-8)
    assert np.allclose(R @ R.T, np.eye(3), atol=1e-15)
    assert np.allclose(R, exact, atol=1e-7)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ((1, 1, 0, 0), "length 1.41421356"),
        ((0, 0, 0, 0), "length 0"),
        ((1, np.nan, 0, 0), "finite"),
        (2 * np.eye(3), "not orthogonal"),
        (np.diag([1.0, 1.0, -1.0]), "left-handed"),
        ((1, 0, 0), "shape"),
        ("z", "real numbers"),
        (1j * np.eye(3), "real numbers"),
        ([[1, 0, 0], [0, 1]], "different lengths"),
    ],
)
def test_what_is_no_rotation_is_refused(value, message):
    with pytest.raises(ModelError, match=message) as caught:
        as_rotation(value, "upper: rotation")
    assert caught.value.problems[0].address == "upper: rotation"


def test_axes_and_vectors():
    assert as_axis("y").tolist() == [0.0, 1.0, 0.0]
    assert as_axis((0, 0, 2)).tolist() == [0.0, 0.0, 2.0]
    with pytest.raises(ModelError, match=r'elbow: axis: got "w"'):
        as_axis("w", "elbow: axis")
    with pytest.raises(ModelError, match="tip: .*give 3 numbers"):
        as_vector((1, 2), "tip")
    with pytest.raises(ModelError, match="tip: .*real numbers"):
        as_vector(("1", "2", "3"), "tip")
    with pytest.raises(ModelError, match="tip: .*real numbers"):
        as_vector((True, False, True), "tip")
