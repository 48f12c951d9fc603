"""A model on a page before it runs: sliders, loops that close again, modes that swing."""

import numpy as np
import pytest
from installed import needs

import jourdain as jd

needs("viser")


@pytest.fixture
def shown():
    """Opens pages, and closes them."""
    pages = []

    def call(model, state=None, **given):
        pages.append(model.view(state, open_browser=False, block=False, **given))
        return pages[-1]

    yield call
    for page in pages:
        page.stop()


def arm():
    system = jd.System("arm", gravity=(0.0, 0.0, -9.81))
    box = jd.Box((0.2, 0.1, 0.1))
    system.add(jd.RigidBody("craft", mass=5.0, inertia=(1, 1, 1), shape=box), joint=jd.Free("free"))
    system.add(
        jd.RigidBody("link", mass=1.0, inertia=(0.1, 0.1, 0.1), com=(0.5, 0, 0), shape=box),
        joint=jd.Revolute("elbow", axis="y", stiffness=10.0),
        to="craft.origin",
    )
    return system


def test_a_coordinate_is_moved_and_the_pose_is_told(shown, capsys):
    page = shown(arm().compile())
    assert page.address in capsys.readouterr().out
    page.set("elbow", 0.5)
    assert page.state.q[page.model.index.q["elbow"]] == 0.5
    assert page.text() == "state:\n  q: {elbow: 0.5}"
    assert page.text(python=True) == 'model.state(q={"elbow": 0.5})'


def test_turns_of_a_free_body_are_yaw_then_pitch_then_roll(shown):
    page = shown(arm().compile())
    page.set("free.yaw", np.pi / 2)
    page.set("free.roll", np.pi / 2)
    pose = page.model.pose("craft.origin", page.state)
    np.testing.assert_allclose(pose.rotation, [[0, 0, 1], [1, 0, 0], [0, 1, 0]], atol=1e-12)
    page._reset()
    np.testing.assert_array_equal(page.state.q, page.model.state().q)


def test_a_loop_closes_again_around_what_was_moved(shown):
    system = jd.System("four bars")
    rod = jd.RigidBody("crank", mass=1.0, inertia=(1, 1, 1), frames={"tip": (0.3, 0, 0)})
    system.add(rod, joint=jd.Revolute("drive", axis="z"))
    other = jd.RigidBody("rocker", mass=1.0, inertia=(1, 1, 1), frames={"tip": (0.3, 0, 0)})
    system.add(other, joint=jd.Revolute("rock", axis="z"), position=(1.0, 0, 0))
    system.connect(jd.constraints.Rod("coupler", length=1.0), "crank.tip", "rocker.tip")
    model = system.compile()
    page = shown(model, model.assemble(model.state(q={"drive": 0.2, "rock": 0.2})))
    page.set("drive", 0.9)
    assert page.state.q[0] == 0.9 and page.open == ""
    ends = [model.pose(name, page.state).position for name in ("crank.tip", "rocker.tip")]
    assert np.linalg.norm(ends[1] - ends[0]) == pytest.approx(1.0, abs=1e-9)


def test_a_mode_swings_along_its_shape(shown):
    model = arm().compile()
    state = model.state(q={"elbow": 0.3})
    page = shown(model, state, modes=model.frequencies(state))
    assert page._mode.value.startswith("1: ")
    step = page._swung(0, state.q)
    shape = np.real(page.found.shapes[:, 0])
    np.testing.assert_allclose(np.abs(step[-1] * shape), np.abs(shape[-1] * step), atol=1e-9)
    page.swing(None)
    assert page._mode.value == "none"


def test_modes_of_no_model_say_where_to_get_them():
    from jourdain.model.linear.modes import resting_frequencies

    model = arm().compile()
    with pytest.raises(jd.JourdainError, match=r"take those of model.frequencies\(state\)"):
        resting_frequencies(model, model.state().q).view()


def test_a_name_stays_a_name_where_the_pose_is_copied(shown):
    """Names come from files: what is pasted into a program or a scenario is no more than the pose."""
    from jourdain.files.yaml import read_yaml

    name = 'hinge": 0}); print("mine'
    system = jd.System("arm")
    system.add(jd.RigidBody("link", mass=1.0, inertia=(1, 1, 1)), joint=jd.Revolute(name, axis="z"))
    page = shown(system.compile())
    page.set(name, 0.5)
    asked = []
    eval(page.text(python=True), {"model": type("M", (), {"state": lambda **given: asked.append(given)})})
    assert asked == [{"q": {name: 0.5}}]
    node, mistakes = read_yaml(page.text(), "pose")
    assert not mistakes and node.plain() == {"state": {"q": {name: 0.5}}}
