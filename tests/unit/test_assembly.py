"""Closing loops from rough states, and counting how mechanisms can move."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies import Case, systems

import jourdain as jd
from jourdain.basics.errors import ModelError
from jourdain.model.displacement import moved

AB, BC, CD, CE, DE, EF, LINE = 0.10, 0.28, 0.20, 0.15, 0.30, 0.35, 0.10


def bar(name: str, length: float, **frames: tuple[float, float, float]) -> jd.RigidBody:
    """A slender bar along x, with its end "tip"."""
    J = length**2 / 12.0
    return jd.RigidBody(
        name,
        mass=1.0,
        com=(length / 2, 0.0, 0.0),
        inertia=np.diag([1e-4, J, J]),
        frames={"tip": (length, 0.0, 0.0)} | frames,
    )


def six_bar() -> jd.System:
    """Talaba's six-bar: crank AB, coupler BC, ternary CDE on D, coupler EF, slider F on y = 0.1."""
    cos = (CD**2 + DE**2 - CE**2) / (2 * CD * DE)
    angle = np.arccos(cos)
    e = (DE * np.cos(angle), DE * np.sin(angle), 0.0)
    s = jd.System("six-bar")
    s.add(bar("crank", AB), jd.Revolute("A"))
    s.add(bar("coupler", BC), jd.Revolute("B"), to="crank.tip")
    s.add(bar("rocker", CD, e=e), jd.Revolute("D"), position=(0.30, 0.0, 0.0))
    s.add(bar("link", EF), jd.Revolute("E"), to="rocker.e")
    s.add(
        jd.RigidBody("slider", mass=1.0, inertia=np.eye(3) * 1e-3), jd.Prismatic("F", axis="x"), position=(0, LINE, 0)
    )
    s.connect(jd.Revolute("C"), "coupler.tip", "rocker.tip")
    s.connect(jd.Revolute("G"), "link.tip", "slider.origin")
    return s


@pytest.mark.parametrize("turned", [None, (0.0, 0.6, 0.8, 0.0)])
def test_a_chain_is_closed_to_a_point_of_the_world(turned):
    """A joint of its own place, whose axes begin far apart too; and one that is out of reach says where."""
    s = jd.System("arch", gravity=(0, -9.81, 0))
    s.add(bar("first", 0.7), jd.Spherical("foot"))
    s.add(bar("second", 0.6), jd.Spherical("knee"), to="first.tip")
    s.connect(jd.Revolute("pin"), "second.tip", "world", position=(0.8, 0.2, 0.1), rotation=turned)
    model = s.compile()
    state = model.assemble(model.state())
    assert model.pose("second.tip", state).position == pytest.approx([0.8, 0.2, 0.1], abs=1e-12)
    axis = np.array([0.0, 0.0, 1.0]) if turned is None else jd.Pose(rotation=turned).rotation[:, 2]
    assert model.pose("second.tip", state).rotation[:, 2] == pytest.approx(axis, abs=1e-10)
    assert model.mobility(state).degrees == 1
    run = jd.simulate(model, state, until=0.1, step=1e-3, output=0.05)
    assert run.frame("second.tip").position.values == pytest.approx(np.tile([0.8, 0.2, 0.1], (3, 1)), abs=1e-10)
    far = jd.System("arch")
    far.add(bar("first", 0.7), jd.Revolute("foot"))
    far.connect(jd.Spherical("pin"), "first.tip", "world", position=(2.0, 0.0, 0.0))
    with pytest.raises(ModelError, match=r'pin: cannot be closed between "first.tip" and "world" at \(2, 0, 0\) m'):
        far.compile().assemble(far.compile().state({"foot": 0.2}))


TABLE = {
    0: (0.296000, 0.199960, 0.161335, 0.266030, 0.469448),
    60: (0.306050, 0.199908, 0.174874, 0.272660, 0.479322),
    120: (0.213797, 0.180469, 0.063867, 0.185044, 0.403378),
    180: (0.148000, 0.129985, 0.009104, 0.073346, 0.358088),
    240: (None, None, None, None, 0.351731),
    300: (None, None, None, None, 0.381079),
}


def guess(model: jd.Model, degrees: float) -> jd.State:
    """Angles read off a sketch: C above B and D0, E above and left of C, F to the right."""
    theta = np.radians(degrees)
    return model.state({"A": theta, "B": 1.0 - theta, "D": 1.7, "E": -2.6, "F": 0.4}, v={"A": 1.0})


@pytest.mark.parametrize("degrees", list(TABLE))
def test_six_bar_assembles_to_the_published_positions(degrees: int) -> None:
    model = six_bar().compile()
    state = model.assemble(guess(model, degrees), hold=("A",))
    cx, cy, ex, ey, xf = TABLE[degrees]
    c, e = model.pose("coupler.tip", state).position, model.pose("rocker.e", state).position
    if cx is not None:
        np.testing.assert_allclose(c[:2], (cx, cy), atol=6e-7)
        np.testing.assert_allclose(e[:2], (ex, ey), atol=6e-7)
    assert state.q[model.index.q["F"]] == pytest.approx(xf, abs=6e-7)
    assert state.q[model.index.q["A"]] == np.radians(degrees)
    assert state.v[model.index.v["A"]] == 1.0
    assert np.max(np.abs(model.constraints.residual(state))) < 1e-13
    assert np.max(np.abs(model.constraints.rate(state))) < 1e-12
    found = model.mobility(state)
    assert (found.degrees, found.velocities, found.rows, found.rank) == (1, 5, 10, 4)
    assert found.redundant == ["C", "G"]
    assert found.conflicting == []


def haug_slider_crank() -> jd.System:
    """The spatial slider-crank: crank on a revolute, rod between two spherical joints, slider on the x axis."""
    s = jd.System("spatial slider-crank", gravity=(0.0, 0.0, -9.81))
    crank = jd.RigidBody("crank", mass=0.12, inertia=np.diag([1e-4, 5e-5, 5e-5]), frames={"pin": (0.0, 0.0, 0.08)})
    rod = jd.RigidBody(
        "rod",
        mass=0.5,
        com=(0.15, 0.0, 0.0),
        inertia=np.diag([4e-4, 4e-3, 4e-3]),
        frames={"end": (0.3, 0.0, 0.0)},
    )
    slider = jd.RigidBody("slider", mass=2.0, inertia=np.eye(3) * 1e-4)
    s.add(crank, jd.Revolute("theta", axis="x"), position=(0.0, 0.1, 0.12))
    s.add(rod, jd.Spherical("ball"), to="crank.pin")
    s.add(slider, jd.Prismatic("slide", axis="x"))
    s.connect(jd.Spherical("joint"), "rod.end", "slider.origin")
    return s


def test_spatial_slider_crank_closes_and_has_two_degrees_of_freedom() -> None:
    model = haug_slider_crank().compile()
    state = model.assemble(model.state({"slide": 0.25}, v={"theta": 6.0}), hold=("theta",))
    assert state.q[model.index.q["slide"]] == pytest.approx(0.2, abs=1e-12)  # sqrt(0.3^2 - 0.1^2 - 0.2^2)
    found = model.mobility(state)
    assert (found.degrees, found.rank, found.redundant, found.conflicting) == (2, 3, [], [])
    # pin (0, 0.1, 0.2) moves with (0, -0.48, 0) m/s: along the rod (0.2, -0.1, -0.2) / 0.3 that is 0.16 m/s, which the
    # slider, held to x, does with 0.16 / (2/3) = 0.24 m/s
    assert state.v[model.index.v["slide"]] == pytest.approx(0.24, abs=1e-12)


def four_bar(ground: float = 0.4, out: float = 0.0, **closing: object) -> jd.System:
    s = jd.System("four-bar")
    s.add(bar("crank", 0.2), jd.Revolute("crank"))
    s.add(bar("coupler", 0.4), jd.Revolute("b"), to="crank.tip")
    s.add(bar("rocker", 0.2), jd.Revolute("rocker"), position=(ground, 0.0, out))
    s.connect(jd.Revolute("pin", **closing), "coupler.tip", "rocker.tip")
    return s


def test_a_parallelogram_closes_from_its_singular_position() -> None:
    model = four_bar().compile()
    state = model.assemble(model.state({"crank": 0.0, "b": 0.02, "rocker": 0.0}))
    assert np.max(np.abs(model.constraints.residual(state))) < 1e-9
    flat = model.state()  # both branches cross here: two velocities are free, not one
    assert model.mobility(flat).degrees == 2
    assert model.mobility(model.assemble(model.state({"crank": 1.0, "b": -1.0, "rocker": 1.0}))).degrees == 1


def test_axes_that_begin_far_apart_are_turned_together() -> None:
    s = jd.System("turned")
    s.add(jd.RigidBody("wheel", mass=1.0, inertia=np.diag([0.2, 0.3, 0.4])), jd.Free("free"))
    s.connect(jd.Revolute("axle", axis=(1.0, 1.0, 0.0)), "wheel.origin", "world")
    model = s.compile()
    rng = np.random.default_rng(3)
    for angle in (0.5, 1.5, np.pi / 2, 2.8, np.pi):
        axis = rng.normal(size=3)
        axis /= np.linalg.norm(axis)
        q = jd.Pose((0.3, -0.2, 0.1), (np.cos(angle / 2), *(np.sin(angle / 2) * axis)))
        state = model.assemble(model.state({"free": q}))
        z = np.array([1.0, 1.0, 0.0]) / np.sqrt(2.0)
        assert model.pose("wheel.origin", state).rotation @ z @ z == pytest.approx(1.0, abs=1e-12)


def test_profiles_count_at_the_time_of_the_state() -> None:
    s = jd.System("moved")
    s.add(bar("arm", 0.5), jd.Revolute("arm"))
    s.connect(jd.constraints.Rod("rod", length=jd.Sine(0.1, 0.5, offset=0.6)), "arm.tip", "world")
    with pytest.raises(ModelError, match=r'rod: cannot be closed between "arm.tip" and "world": 0.1 m stays open'):
        s.compile().assemble(s.compile().state())
    s = jd.System("moved")
    s.add(bar("arm", 0.5), jd.Revolute("arm"))
    s.add(bar("load", 0.1), jd.Prismatic("load", axis="y"))
    s.connect(jd.constraints.Rod("rod", length=jd.Sine(0.1, 0.5, offset=0.6)), "arm.tip", "load.origin")
    s.couple("turn", {"arm": 1.0, "load": 2.0}, value=jd.Polynomial([0.2, 0.3]))
    model = s.compile()
    state = model.assemble(model.state({"arm": 0.1}, time=0.4))
    gap = model.pose("arm.tip", state).position - model.pose("load.origin", state).position
    assert np.linalg.norm(gap) == pytest.approx(0.6 + 0.1 * np.sin(np.pi * 0.4), abs=1e-12)
    x, v = dict(zip(model.names.q, state.q)), dict(zip(model.names.v, state.v))
    assert x["arm"] + 2.0 * x["load"] == pytest.approx(0.2 + 0.3 * 0.4, abs=1e-12)
    assert v["arm"] + 2.0 * v["load"] == pytest.approx(0.3, abs=1e-12)
    assert np.max(np.abs(model.constraints.rate(state))) < 1e-12
    assert model.mobility(state).degrees == 0


def test_a_loop_that_cannot_close_is_named_with_its_gap() -> None:
    model = four_bar(ground=1.0).compile()
    with pytest.raises(ModelError, match=r'pin: cannot be closed between "coupler.tip" and "rocker.tip": 0\.2 m'):
        model.assemble(model.state())
    model = four_bar(out=0.03).compile()
    with pytest.raises(ModelError, match=r"pin: .*0\.03 m stays open at best; check lengths and axes"):
        model.assemble(model.state({"crank": 1.0, "b": -1.0, "rocker": 1.0}))
    found = model.mobility(model.state({"crank": 1.0, "b": -1.0, "rocker": 1.0}))
    assert found.conflicting == ["pin"]


def test_held_coordinates_that_leave_no_room_are_named() -> None:
    model = four_bar().compile()
    rough = model.state({"crank": 1.0, "b": -1.0, "rocker": 0.7})
    with pytest.raises(ModelError, match=r'pin: .* while "crank", "rocker" is held.*over-prescribed'):
        model.assemble(rough, hold=("crank", "rocker"))
    closed = model.assemble(rough, hold=("crank",))
    moving = jd.State(0.0, closed.q, np.array([1.0, 0.0, 0.3]))
    with pytest.raises(ModelError, match=r'pin: no velocities meet it: .*release one of "crank", "rocker"'):
        model.assemble(moving, hold=("crank", "rocker"))
    with pytest.raises(ModelError, match="hold: no such velocity"):
        model.assemble(rough, hold=("cranck",))


def test_redundant_and_conflicting_constraints_are_told_apart() -> None:
    s = four_bar()
    s.couple("same", {"crank": 1.0, "b": 1.0}, value=0.0)  # the coupler of a parallelogram does not turn
    s.couple("drive", {"crank": 1.0}, value=jd.Polynomial([1.0, 0.5]))
    s.couple("twin", {"rocker": 1.0}, value=jd.Polynomial([1.0, 0.5]))
    model = s.compile()
    state = model.assemble(model.state({"crank": 1.0, "b": -1.0, "rocker": 1.0}))
    found = model.mobility(state)
    assert found.degrees == 0
    assert set(found.redundant) == {"pin", "same", "twin"}
    assert found.conflicting == []
    assert "structural count -5" in found.text
    s.couplings[-1] = type(s.couplings[-1])("twin", {"rocker": 1.0}, jd.Polynomial([1.0, 0.6]))
    model = s.compile()
    found = model.mobility(jd.State(0.0, state.q, state.v))
    assert {"drive", "twin"} <= set(found.conflicting)
    with pytest.raises(ModelError, match="its profile contradicts the other constraints"):
        model.assemble(state)


def test_what_moves_is_as_little_as_possible_in_the_kinetic_metric() -> None:
    s = jd.System("two masses")
    for name, mass in (("light", 1.0), ("heavy", 9.0)):
        s.add(jd.RigidBody(name, mass=mass, inertia=np.eye(3)), jd.Prismatic(name, axis="x"))
    s.couple("meet", {"light": 1.0, "heavy": -1.0})
    model = s.compile()
    state = model.assemble(model.state({"light": 0.0, "heavy": 1.0}, v={"light": 0.0, "heavy": 1.0}))
    np.testing.assert_allclose(state.q, 0.9, rtol=1e-14)  # the common centre of mass, as in an inelastic impact
    np.testing.assert_allclose(state.v, 0.9, rtol=1e-14)


def test_motors_and_friction_anchors_follow_their_joints() -> None:
    s = jd.System("driven")
    s.add(bar("a", 0.3), jd.Revolute("a", drive=jd.Drive(gear=50.0, rotor_inertia=1e-4, stiffness=1e3)))
    s.add(bar("b", 0.3), jd.Revolute("b", friction=1.0), to="a.tip")
    s.couple("gear", {"a": 1.0, "b": -2.0}, value=0.3)
    model = s.compile()
    state = model.assemble(model.state(v={"b": 0.5}))
    x = dict(zip(model.names.q, state.q))
    assert x["a"] - 2.0 * x["b"] == pytest.approx(0.3, abs=1e-14)
    assert x["a.motor"] == pytest.approx(50.0 * x["a"])
    assert state.v[model.index.v["a.motor"]] == pytest.approx(50.0 * state.v[model.index.v["a"]])
    assert state.z[model.index.z["b.friction"]] == pytest.approx(x["b"])


def test_a_tree_is_as_it_is() -> None:
    s = jd.System("tree")
    s.add(bar("arm", 0.5), jd.Revolute("arm"))
    model = s.compile()
    state = model.state({"arm": 0.3}, v={"arm": 1.0})
    closed = model.assemble(state)
    assert (closed.q.tolist(), closed.v.tolist()) == (state.q.tolist(), state.v.tolist())
    found = model.mobility(state)
    assert (found.degrees, found.rows, found.redundant, found.text) == (
        1,
        0,
        [],
        "1 velocities - rank 0 of 0 rows = mobility 1",
    )


def test_a_model_with_loops_can_be_pickled() -> None:
    model = four_bar().compile()
    back = pickle.loads(pickle.dumps(model))
    assert back.hash == model.hash
    assert back.constraints.names == ("pin",)


def test_a_run_file_has_the_constraints(tmp_path) -> None:
    model = haug_slider_crank().compile()
    state = model.assemble(model.state({"slide": 0.25}, v={"theta": 6.0}), hold=("theta",))
    run = jd.simulate(model, state, until=0.01, step=1e-3, progress=False)
    run.save(tmp_path / "slider.nc")
    back = jd.load(tmp_path / "slider.nc")
    assert back.model.hash == model.hash
    assert back.model.constraints.names == ("joint",)
    assert back.model.constraints.residual(back.record.q[-1]) == pytest.approx(0.0, abs=1e-12)


@settings(max_examples=20, deadline=None)
@given(systems(passive=False, gravity=False), st.integers(1, 3))
def test_random_loops_close_from_beside(case: Case, count: int) -> None:
    """Rods as long as they are in one configuration: there is a closed one near every configuration beside it."""
    model, rng = case.model, case.rng
    there = moved(model, model.neutral.copy(), rng.uniform(-0.7, 0.7, model.nv))
    frames = list(model.frame_names)
    for k in range(count):
        first, second = (frames[i] for i in rng.choice(len(frames), 2, replace=False))
        far = float(np.linalg.norm(model.pose(first, there).position - model.pose(second, there).position))
        if first.partition(".")[0] != second.partition(".")[0] and far > 0.05:
            case.system.connect(jd.constraints.Rod(f"rod{k}", length=far), first, second)
    closed = case.system.compile()
    rough = closed.state(q=moved(closed, there, rng.uniform(-0.02, 0.02, closed.nv)), v=rng.normal(size=closed.nv))
    state = closed.assemble(rough)
    assert np.max(np.abs(closed.constraints.residual(state)), initial=0.0) < 1e-9
    assert np.max(np.abs(closed.constraints.rate(state)), initial=0.0) < 1e-8
    # the change of the velocity is orthogonal, in the kinetic metric, to every motion that the constraints allow
    A, M = closed.constraints.jacobian(state), closed.mass_matrix(state)
    change = M @ (state.v - rough.v)
    left = change - A.T @ np.linalg.lstsq(A.T, change, rcond=None)[0] if len(A) else change
    assert np.max(np.abs(left)) < 1e-7 * max(1.0, float(np.max(np.abs(change))))
