"""Tip paths: their derivatives, their ends, and joint motions that follow them."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation, Slerp

import jourdain as jd

TURNED = jd.Pose((0.4, -0.2, 0.9), Rotation.from_rotvec((0.3, -1.1, 0.6)))
START = jd.Pose((1.0, 0.5, 0.2), Rotation.from_rotvec((0.2, 0.1, -0.4)))


def line(law="cycloidal", **more):
    return jd.control.Line(START, TURNED, duration=3.0, law=law, begin=0.5, **more)


PATHS = {
    "trapezoidal": line("trapezoidal"),
    "cycloidal": line(),
    "quintic": line("quintic"),
    "circle": jd.control.Circle(
        (0, 0, 1), (1, 2, 2), 0.3, duration=4.0, begin=0.2, rotation=START.rotation, follow=True
    ),
    "via": jd.control.Via([START, jd.Pose((0, 0, 1)), TURNED], (0.5, 1.5, 4.0)),
    "sequence": jd.control.Sequence(
        line(), jd.control.Line(TURNED, START, 2.0, law="quintic"), jd.control.Line(START, (0, 0, 0), 1.0), pause=0.25
    ),
}


@pytest.mark.parametrize("name", PATHS)
def test_derivatives_are_those_of_the_path(name):
    """Central differences in the middle of pieces: their error is h^2 times third derivatives of size 10."""
    path = PATHS[name]
    t = np.linspace(path.begin, path.end, 23)[1:-1] + 0.0123
    h = 1e-5
    before, now, after = path.sample(t - h), path.sample(t), path.sample(t + h)
    slope = (after - before) / (2 * h)
    assert np.max(np.abs(slope[:, :3] - now[:, 3:6])) < 1e-8
    assert np.max(np.abs(slope[:, 3:6] - now[:, 6:9])) < 1e-7
    turn = (
        Rotation.from_quat(after[:, 9:13], scalar_first=True)
        * Rotation.from_quat(before[:, 9:13], scalar_first=True).inv()
    )
    assert np.max(np.abs(turn.as_rotvec() / (2 * h) - now[:, 13:16])) < 1e-8
    assert np.max(np.abs(slope[:, 13:16] - now[:, 16:])) < 1e-7


@pytest.mark.parametrize("name", PATHS)
def test_held_beyond_the_ends(name):
    path = PATHS[name]
    for t, end in ((path.begin - 1.0, path.begin), (path.end + 1.0, path.end)):
        assert path.position(t) == pytest.approx(path.position(end), abs=1e-12)
        assert np.all(path.velocity(t) == 0.0) and np.all(path.angular_velocity(t) == 0.0)
        assert np.max(np.abs(path.velocity(end))) < 1e-12


@given(st.floats(0.0, 1.0), st.sampled_from(["trapezoidal", "cycloidal", "quintic"]))
@settings(deadline=None)
def test_a_line_is_straight_and_slerps(x, law):
    path = line(law)
    found = path.sample(0.5 + 3.0 * x)
    away = found[:3] - START.position
    along = TURNED.position - START.position
    part = away @ along / (along @ along)
    assert np.linalg.norm(away - part * along) < 1e-12
    slerp = Slerp([0.0, 1.0], Rotation.from_matrix([START.rotation, TURNED.rotation]))
    off = slerp(np.clip(part, 0.0, 1.0)).inv() * Rotation.from_quat(found[9:13], scalar_first=True)
    assert off.magnitude() < 1e-7  # arccos near one


def test_peaks_of_the_laws():
    """Cycloidal: rate 2 d / T and acceleration 2 pi d / T^2 (Chen, eq. 2.74); trapezoidal: d / (T (1 - ramp))."""
    t = np.linspace(0.0, 2.0, 40001)
    path = jd.control.Line((0, 0, 0), (3, 0, 0), duration=2.0)
    assert np.max(path.velocity(t)[:, 0]) == pytest.approx(3.0, rel=1e-9)
    assert np.max(path.acceleration(t)[:, 0]) == pytest.approx(2 * np.pi * 3 / 4, rel=1e-7)
    path = jd.control.Line((0, 0, 0), (3, 0, 0), duration=2.0, law="trapezoidal", ramp=0.2)
    assert np.max(path.velocity(t)[:, 0]) == pytest.approx(3.0 / 2.0 / 0.8, rel=1e-12)
    assert np.max(path.acceleration(t)[:, 0]) == pytest.approx(3.0 / 4.0 / (0.8 * 0.2), rel=1e-12)


def test_a_circle_keeps_its_radius():
    path = jd.control.Circle((1, 0, 0), "y", start=(1, 0, 0.5), duration=2.0, angle=np.pi)
    found = path.position(np.linspace(0, 2, 50)) - (1, 0, 0)
    assert np.linalg.norm(found, axis=1) == pytest.approx(0.5, abs=1e-12)
    assert path.position(2.0) == pytest.approx((1, 0, -0.5), abs=1e-12)
    assert path.position(1.0) == pytest.approx((1.5, 0, 0), abs=1e-12)


def arm():
    system = jd.System("arm")
    to = "world"
    for i in range(3):
        link = jd.RigidBody(f"link{i}", mass=1.0, com=(0.5, 0, 0), inertia=(0.01, 0.1, 0.1), frames={"tip": (1, 0, 0)})
        system.add(link, joint=jd.Revolute(f"joint{i}", axis="z"), to=to)
        to = f"link{i}.tip"
    return system.compile()


def test_joint_reference_follows_the_path():
    model = arm()
    path = jd.control.Line((2.0, 0.5, 0.0), (1.0, 1.5, 0.0), duration=2.0)
    near = model.state({"joint0": -0.3, "joint1": 0.8, "joint2": 0.4})
    motions = path.joint_reference(model, "link2.tip", near, axes=("x", "y"), samples=81)
    assert set(motions) == {"joint0", "joint1", "joint2"}
    start = {name: float(table.values[0]) for name, table in motions.items()}
    run = jd.simulate(model, model.state(start), until=2.0, step=1e-2, motions=motions)
    off = run.frame("link2.tip").position.values - path.position(run.time.values)
    assert np.max(np.abs(off)) < 2e-6  # fourth order in 1/80 of a path of 1.4 m


def test_a_path_out_of_reach_says_when():
    model = arm()
    path = jd.control.Line((2.0, 0.5, 0.0), (4.0, 0.5, 0.0), duration=2.0)
    near = model.state({"joint0": -0.3, "joint1": 0.8, "joint2": 0.4})
    with pytest.raises(jd.errors.ModelError, match=r"link2.tip at 0\.98 s: the target is out of reach from here"):
        path.joint_reference(model, "link2.tip", near, axes=("x", "y"))


BAD = {
    "law": (lambda: line("linear"), "did you mean|cycloidal, quintic, trapezoidal"),
    "duration": (lambda: jd.control.Line((0, 0, 0), (1, 0, 0), 0.0), "duration is 0 s"),
    "point": (lambda: jd.control.Line((0, 0), (1, 0, 0), 1.0), "start: got .*three numbers"),
    "ramp": (lambda: line("trapezoidal", ramp=0.6), "ramp is 0.6"),
    "normal": (lambda: jd.control.Circle((0, 0, 0), (0, 0, 0), 1.0, duration=1.0), "normal is .*zero length"),
    "radius": (lambda: jd.control.Circle((0, 0, 0), "z", duration=1.0), "give radius or start"),
    "off the circle": (
        lambda: jd.control.Circle((0, 0, 0), "z", start=(1, 0, 0.1), duration=1.0),
        "0.1 m off the plane",
    ),
    "gap": (lambda: jd.control.Sequence(line(), line()), "path 1 begins .* from where path 0 ends"),
    "times": (lambda: jd.control.Via([(0, 0, 0), (1, 0, 0)], (0.0, 0.0)), "must be finite and increase"),
    "mixed": (lambda: jd.control.Via([(0, 0, 0), START], (0.0, 1.0)), r"points\[0\] has no orientation"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_paths_say_what_is_wrong(name):
    make, text = BAD[name]
    with pytest.raises(jd.errors.ModelError, match=text):
        make()


@pytest.mark.parametrize("name", PATHS)
def test_ends_are_those_of_the_path(name):
    path = PATHS[name]
    for time, pose in zip((path.begin, path.end), path.ends(), strict=True):
        assert np.allclose(path.pose(time).position, pose.position, atol=1e-12)
        assert np.allclose(path.pose(time).rotation, pose.rotation, atol=1e-12)
