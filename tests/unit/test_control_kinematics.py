"""Inverse kinematics: random arms come where they are asked, within limits, and errors say why they do not."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import least_squares

import jourdain as jd
from jourdain.model.displacement import apart, moved

ADDRESS = "link6.tip"


@pytest.fixture(scope="module")
def arm():
    """Seven axes, as an arm in orbit has."""
    system = jd.System("arm")
    to = "world"
    for i, axis in enumerate("zyzyzyz"):
        link = jd.RigidBody(
            f"link{i}", mass=2.0, com=(0, 0, 0.15), inertia=(0.01, 0.01, 0.01), frames={"tip": (0, 0, 0.3)}
        )
        system.add(link, joint=jd.Revolute(f"joint{i}", axis=axis, limits=(-2.6, 2.6)), to=to)
        to = f"link{i}.tip"
    return system.compile()


@pytest.fixture(scope="module")
def floating():
    """A free base with two beams, one of them behind a geared drive."""
    system = jd.System("free-flyer")
    base = jd.RigidBody("base", mass=50.0, inertia=(5, 6, 7), frames={"mount": (0.5, 0, 0)})
    system.add(base, joint=jd.Free("free"))
    beam = {"mass_per_length": 1.0, "EA": 1e6, "EI": 500.0, "GJ": 400.0, "modes": jd.Modes(bending=1)}
    system.add(jd.Beam("upper", 1.0, **beam), joint=jd.Revolute("shoulder", axis="z"), to="base.mount")
    drive = jd.Drive(gear=50.0, rotor_inertia=1e-4, stiffness=1e4)
    system.add(jd.Beam("fore", 1.0, **beam), joint=jd.Revolute("elbow", axis="z", drive=drive), to="upper.tip")
    return system.compile()


@given(st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=25)
def test_reachable_poses_are_reached(arm, seed):
    rng = np.random.default_rng(seed)
    target = arm.pose(ADDRESS, rng.uniform(-2.4, 2.4, 7))
    begin = arm.state(rng.uniform(-0.5, 0.5, 7))
    found = jd.control.inverse_kinematics(arm, ADDRESS, target, begin, restarts=20)
    pose = arm.pose(ADDRESS, found)
    assert np.max(np.abs(pose.position - target.position)) < 1e-10
    assert np.max(np.abs(pose.rotation - target.rotation)) < 1e-9
    assert np.all(np.abs(found.q) <= 2.6 + 1e-12)


@given(st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=20)
def test_steps_of_the_tangent_space_come_back(floating, seed):
    rng = np.random.default_rng(seed)
    q = moved(floating, floating.neutral, rng.normal(size=floating.nv))
    step = 0.5 * rng.normal(size=floating.nv)
    assert apart(floating, q, moved(floating, q, step)) == pytest.approx(step, abs=1e-12)


def test_internal_coordinates_and_what_is_held_stay(floating):
    state = floating.state({"upper.bending_y[0]": 0.02, "shoulder": 0.3, "elbow": 0.8})
    target = floating.pose("fore.tip", floating.state({"upper.bending_y[0]": 0.02, "shoulder": 0.7, "elbow": 0.2}))
    found = jd.control.inverse_kinematics(floating, "fore.tip", target.position, state, axes="xy", hold=("free",))
    assert floating.pose("fore.tip", found).position[:2] == pytest.approx(target.position[:2], abs=1e-10)
    index = floating.index.q
    assert np.all(found.q[:7] == state.q[:7])
    assert found.q[index["upper.bending_y[0]"]] == 0.02
    assert found.q[index["elbow.motor"]] == pytest.approx(50.0 * found.q[index["elbow"]], rel=1e-12)
    free = jd.control.inverse_kinematics(floating, "fore.tip", target, state)
    assert np.max(np.abs(floating.pose("fore.tip", free).rotation - target.rotation)) < 1e-9
    assert not np.allclose(free.q[:7], state.q[:7])


def test_weights_choose_who_moves(arm):
    begin = arm.state(np.array([0.3, 0.5, -0.2, 1.6, 0.1, 0.9, 0.0]))
    target = arm.pose(ADDRESS, begin).position + (0.05, 0.02, -0.03)
    lazy = jd.control.inverse_kinematics(arm, ADDRESS, target, begin, weights={"joint1": 1e6})
    plain = jd.control.inverse_kinematics(arm, ADDRESS, target, begin)
    shift = [abs(found.q[1] - begin.q[1]) for found in (lazy, plain)]
    assert shift[0] < 1e-4 * shift[1]


def objective_values(arm, kind, q):
    J = arm.jacobian(ADDRESS, q)
    return {"limits": np.sum(q**2), "manipulability": -np.sqrt(np.linalg.det(J @ J.T))}[kind]


@pytest.mark.parametrize("kind", ["limits", "manipulability"])
def test_null_space_goes_down_the_objective_and_leaves_the_tip(arm, kind):
    """At the end no motion that leaves the tip still lowers the objective: its slope along the null space is zero."""
    begin = arm.state(np.array([-0.5, 1.1, -1.2, 0.8, 0.5, -0.7, -1.2]))
    target = arm.pose(ADDRESS, begin)
    found = jd.control.inverse_kinematics(arm, ADDRESS, target, begin, null_space=kind)
    assert np.max(np.abs(arm.pose(ADDRESS, found).position - target.position)) < 1e-10
    assert objective_values(arm, kind, found.q) < objective_values(arm, kind, begin.q)
    still = np.linalg.svd(arm.jacobian(ADDRESS, found))[2][-1]
    h = 1e-5
    slope = (objective_values(arm, kind, found.q + h * still) - objective_values(arm, kind, found.q - h * still)) / (
        2 * h
    )
    assert abs(slope) < 1e-6


def test_null_space_keeps_a_posture(arm):
    posture = arm.state(np.array([0.1, 0.6, 0.4, 0.9, 0.0, 0.3, 0.2]))
    target = arm.pose(ADDRESS, posture).position
    begin = arm.state(np.array([0.5, 0.2, -0.4, 1.2, 0.3, -0.3, 0.6]))
    found = jd.control.inverse_kinematics(arm, ADDRESS, target, begin, null_space=posture)
    assert found.q == pytest.approx(posture.q, abs=1e-6)
    one = jd.control.inverse_kinematics(arm, ADDRESS, target, begin, null_space={"joint6": 0.25})
    assert one.q[6] == pytest.approx(0.25, abs=1e-6)


def test_limits_are_respected_and_named(arm):
    """With one joint kept within 0.4 rad a target stays 0.246 m away, as SciPy's bounded least squares find too."""
    begin, limits = arm.state(np.full(7, 0.3)), {"joint1": (-0.4, 0.4)}
    found = jd.control.inverse_kinematics(arm, ADDRESS, (0.7, 0.5, 0.4), begin, limits=limits)
    assert arm.pose(ADDRESS, found).position == pytest.approx((0.7, 0.5, 0.4), abs=1e-10)
    assert found.q[1] <= 0.4
    target = arm.pose(ADDRESS, arm.state(np.array([0.3, 0.9, 0.3, 1.5, 0.3, 0.3, 0.3]))).position
    most = np.array([2.6, 0.4, 2.6, 2.6, 2.6, 2.6, 2.6])
    nearest = least_squares(lambda q: target - arm.pose(ADDRESS, q).position, begin.q, bounds=(-most, most)).fun
    off = ", ".join(f"{axis} {x:.3g} m" for axis, x in zip("xyz", nearest, strict=True))
    with pytest.raises(jd.errors.ModelError, match=f"out of reach from here: .* off by {off}, with joint1 at a limit"):
        jd.control.inverse_kinematics(arm, ADDRESS, target, begin, limits=limits)


def test_what_is_out_of_reach_says_by_how_much(arm):
    """The first joint turns the first link on itself: 1.8 m of arm from (0, 0, 0.3), so 3.015 - 1.8 m are left."""
    left = 1.0 - 1.8 / np.hypot(3.0, 0.3)
    text = rf"link6.tip: the target is out of reach from here: .*x {3.0 * left:.3g} m, .* z {-0.3 * left:.3g} m"
    with pytest.raises(jd.errors.ModelError, match=text):
        jd.control.inverse_kinematics(arm, ADDRESS, (3.0, 0.0, 0.0), arm.state(np.full(7, 0.2)), limits=False)


def test_resolved_rate_moves_the_frame(arm):
    rng = np.random.default_rng(3)
    for _ in range(10):
        state = arm.state(rng.uniform(-1.5, 1.5, 7))
        twist = rng.normal(size=6)
        J = arm.jacobian(ADDRESS, state)
        v = jd.control.resolved_rate(arm, ADDRESS, twist, state)
        assert J @ v == pytest.approx(twist, abs=1e-8)
        assert v == pytest.approx(np.linalg.pinv(J) @ twist, abs=1e-8)
        aside = jd.control.resolved_rate(arm, ADDRESS, twist, state, null_space={"joint3": 1.0})
        assert J @ aside == pytest.approx(twist, abs=1e-8)
        away = (np.eye(7) - np.linalg.pinv(J) @ J)[:, 3]
        assert aside - v == pytest.approx(away, abs=1e-8)


def test_resolved_rate_allows_for_what_is_held(floating):
    state = floating.state(
        {"shoulder": 0.3, "elbow": 0.8}, {"free": (0, 0, 0.2, 0.1, 0, 0), "upper.bending_y[0]": 0.05}
    )
    v = jd.control.resolved_rate(floating, "fore.tip", (0.1, -0.2, 0.0), state, axes=("x", "y"), hold=("free",))
    assert (floating.jacobian("fore.tip", state) @ v)[3:5] == pytest.approx((0.1, -0.2), abs=1e-12)
    assert v[:6] == pytest.approx(state.v[:6])
    assert v[floating.index.v["elbow.motor"]] == pytest.approx(50 * v[floating.index.v["elbow"]])


def test_resolved_rate_stops_at_limits(arm):
    state = arm.state(np.array([0.2, 2.6, 0.1, 0.4, 0.3, 0.5, 0.1]))
    J = arm.jacobian(ADDRESS, state)[3:]
    twist = J[:, 1] + 0.2 * J[:, 3]
    free = jd.control.resolved_rate(arm, ADDRESS, twist, state, limits=False)
    kept = jd.control.resolved_rate(arm, ADDRESS, twist, state)
    assert free[1] > 0.0 and kept[1] == 0.0
    assert J @ kept == pytest.approx(twist, abs=1e-10)


BAD = {
    "address": (lambda m, s: ("link6.tap", (1, 0, 0), s), {}, "link6.tap: no such address; did you mean"),
    "target": (lambda m, s: (ADDRESS, (1, 0), s), {}, "target: got .*a Pose or a position"),
    "axes": (lambda m, s: (ADDRESS, (1, 0, 0), s), {"axes": ("x", "w")}, "axes: got 'w'"),
    "turn": (lambda m, s: (ADDRESS, (1, 0, 0), s), {"axes": ("rx",)}, "the target is a position; give a Pose"),
    "hold": (lambda m, s: (ADDRESS, (1, 0, 0), s), {"hold": ("elbow",)}, "elbow: hold: no such velocity"),
    "weights": (lambda m, s: (ADDRESS, (1, 0, 0), s), {"weights": {"joint1": 0.0}}, "joint1: weight is 0"),
    "objective": (lambda m, s: (ADDRESS, (1, 0, 0), s), {"null_space": "limit"}, 'did you mean "limits"'),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_requests_say_what_is_wrong(arm, name):
    arguments, options, text = BAD[name]
    with pytest.raises(jd.errors.ModelError, match=text):
        jd.control.inverse_kinematics(arm, *arguments(arm, arm.state(np.full(7, 0.2))), **options)


def test_a_singular_jacobian_is_named(arm):
    with pytest.raises(jd.errors.ModelError, match="link6.tip: the Jacobian for rx, ry, rz, x, y, z is singular here"):
        jd.control.resolved_rate(arm, ADDRESS, np.ones(6), arm.state())
    v = jd.control.resolved_rate(arm, ADDRESS, np.ones(6), arm.state(), damping=1e-2)
    assert np.all(np.isfinite(v))
