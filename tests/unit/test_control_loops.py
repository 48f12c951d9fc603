"""Controllers whose model has closed loops: the law knows them, or refuses."""

from __future__ import annotations

import numpy as np
import pytest
from mechanisms import FOUR_BAR, bar, four_bar, four_bar_state, row_of_four_bars

import jourdain as jd


def by_hand(
    model: jd.Model, state: jd.State, controlled: list[str], wanted: list[float], h: np.ndarray | None = None
) -> np.ndarray:
    """Efforts of the controlled coordinates from the KKT equations, dense, multipliers of least norm."""
    M, A = model.mass_matrix(state), model.constraints.jacobian(state)
    h = model.bias(state.q, state.v) if h is None else h
    E = np.eye(model.nv)[[model.index.v[name] for name in controlled]]
    J = np.vstack([A, E])
    K = np.block([[M, -J.T], [J, np.zeros((len(J), len(J)))]])
    right = np.concatenate([-h, -model.constraints.bias(state), wanted])
    return np.linalg.lstsq(K, right, rcond=1e-11)[0][model.nv + len(A) :]


def flexible_four_bar() -> tuple[jd.Model, jd.State]:
    """The four-bar with a coupler that bends: one coordinate is controlled, those of the coupler are free."""
    system = jd.System("flexible four-bar", gravity=(0.0, -9.81, 0.0))
    length, mass, _ = FOUR_BAR["coupler"]
    beam = jd.Beam("coupler", length=length, mass_per_length=mass / length, EA=1e6, EI=(50.0, 50.0), GJ=40.0,
                   modes=jd.Modes(bending_y=2))  # fmt: skip
    system.add(bar("crank"), jd.Revolute("crank", axis="z"))
    system.add(beam, jd.Revolute("elbow", axis="z"), to="crank.tip")
    system.add(bar("rocker"), jd.Revolute("rocker", axis="z"), position=(0.55, 0.0, 0.0))
    system.connect(jd.Revolute("pin", axis="z"), "coupler.tip", "rocker.tip")
    model = system.compile()
    return model, four_bar_state(model)


def on_the_loops(model: jd.Model, state: jd.State, rng: np.random.Generator) -> jd.State:
    """The state with random velocities that the loops allow."""
    A = model.constraints.jacobian(state)
    v = rng.uniform(-1.0, 1.0, model.nv)
    state.v[:] = v - np.linalg.pinv(A, rcond=1e-9) @ (A @ v)
    return state


@pytest.mark.parametrize("case", ["four-bar", "flexible", "two parallelograms"])
def test_efforts_are_those_of_the_constrained_inverse_dynamics(case: str, rng: np.random.Generator):
    if case == "four-bar":
        model = four_bar().compile()
        state, names = four_bar_state(model), ["crank"]
    elif case == "flexible":
        (model, state), names = flexible_four_bar(), ["crank"]
    else:
        model, state = row_of_four_bars(2)
        names = [model.names.v[0]]
    state = on_the_loops(model, state, rng)
    law = jd.control.ComputedTorque(model, names, kp=0.0, kd=0.0, reference={names[0]: 0.7}, start=state)
    effort = law.effort(model, 0.0, state.q, state.v)
    expected = by_hand(model, state, names, [0.0])
    assert effort[model.index.v[names[0]]] == pytest.approx(expected[0], rel=1e-9)
    assert np.count_nonzero(effort) == 1
    # and the efforts do what they are for: the controlled coordinate does not accelerate
    run = jd.simulate(model, state, until=1e-3, step=1e-5, method="rk4", controller=law)
    assert float(run.v[names[0]][-1]) == pytest.approx(state.v[model.index.v[names[0]]], abs=1e-9)


def test_a_four_bar_holds_what_it_is_told():
    """The error obeys e'' + kd e' + kp e = 0: from rest at e0, e0 (1 + 10 t) exp(-10 t)."""
    model = four_bar().compile()
    state = four_bar_state(model, 1.0)
    law = jd.control.ComputedTorque(model, ["crank"], kp=100.0, kd=20.0, reference={"crank": 0.4}, start=state)
    run = jd.simulate(model, state, until=3.0, controller=law)
    t = np.asarray(run.time)
    expected = 0.4 + 0.6 * (1.0 + 10.0 * t) * np.exp(-10.0 * t)
    np.testing.assert_allclose(np.asarray(run.q["crank"]), expected, atol=1e-8)
    assert run.trusted


def delta_robot() -> tuple[jd.Model, jd.State]:
    """Clavel's delta: three driven arms, and a platform on three pairs of rods, which keep it from turning."""
    system = jd.System("delta", gravity=(0.0, 0.0, -9.81))
    platform = {}
    for i in range(3):
        turn = 2.0 * np.pi * i / 3.0
        out, side = np.array([np.cos(turn), np.sin(turn), 0.0]), np.array([-np.sin(turn), np.cos(turn), 0.0])
        arm = jd.RigidBody(f"arm{i}", mass=0.4, inertia=(1e-4, 3e-3, 3e-3), com=(0.15, 0.0, 0.0),
                           frames={"a": (0.3, 0.05, 0.0), "b": (0.3, -0.05, 0.0)})  # fmt: skip
        axes = np.column_stack([out, side, [0.0, 0.0, 1.0]])
        system.add(arm, jd.Revolute(f"motor{i}", axis="y"), position=0.2 * out, rotation=axes)
        platform |= {f"a{i}": tuple(0.05 * out + 0.05 * side), f"b{i}": tuple(0.05 * out - 0.05 * side)}
    system.add(jd.RigidBody("platform", mass=0.5, inertia=(1e-3, 1e-3, 2e-3), frames=platform), jd.Free("free"))
    for i in range(3):
        for end in "ab":
            system.connect(jd.constraints.Rod(f"rod{i}{end}", length=0.6), f"arm{i}.{end}", f"platform.{end}{i}")
    model = system.compile()
    # with all arms level their ends are at 0.5 m, those of the platform at 0.05 m
    down = -float(np.sqrt(0.6**2 - 0.45**2))
    return model, model.state(q={"free": jd.Pose((0.0, 0.0, down))})


def test_a_delta_robot_follows_its_references():
    """Three motors, three degrees of freedom: each error obeys its own equation, whatever the platform does."""
    model, state = delta_robot()
    joints = ["motor0", "motor1", "motor2"]
    goal = {"motor0": 0.3, "motor1": -0.2, "motor2": 0.1}
    law = jd.control.ComputedTorque(model, joints, kp=400.0, kd=40.0, reference=goal, start=state)
    run = jd.simulate(model, state, until=0.5, controller=law)
    t = np.asarray(run.time)
    for name, value in goal.items():
        expected = value * (1.0 - (1.0 + 20.0 * t) * np.exp(-20.0 * t))
        np.testing.assert_allclose(np.asarray(run.q[name]), expected, atol=1e-7)
    np.testing.assert_allclose(run.frame("platform.origin").quaternion[-1], [1.0, 0.0, 0.0, 0.0], atol=1e-7)


@pytest.mark.parametrize("feedforward", ["gravity", "computed torque"])
def test_feedforward_holds_the_loop_against_gravity(feedforward: str):
    model = four_bar().compile()
    state = four_bar_state(model, 0.4)
    law = jd.control.PD(["crank"], kp=1.0, kd=1.0, feedforward=feedforward, model=model, start=state)
    run = jd.simulate(model, state, until=1.0, controller=law)
    np.testing.assert_allclose(np.asarray(run.q["crank"]), 0.4, atol=1e-9)


def test_more_coordinates_than_degrees_of_freedom_are_refused():
    model = four_bar().compile()
    state = four_bar_state(model)
    for law in (
        jd.control.ComputedTorque(model, ["crank", "rocker"], kp=1.0, kd=1.0, start=state),
        jd.control.PD(["crank", "rocker"], kp=1.0, kd=1.0, feedforward="gravity", model=model, start=state),
    ):
        with pytest.raises(jd.errors.ModelError, match="leave 1 of the coordinates crank, rocker independent"):
            law.bind(model)


def test_laws_of_trees_refuse_loops():
    model = four_bar().compile()
    state = four_bar_state(model)
    for make in (
        lambda: jd.control.Cartesian(model, "coupler.tip", 1.0, 1.0, directions="xy"),
        lambda: jd.control.Impedance(model, "coupler.tip", 1.0, 1.0, 1.0, directions="xy"),
        lambda: jd.control.HandController(model, "coupler.tip", joints=["crank"], kp=1.0, kd=1.0),
    ):
        with pytest.raises(jd.errors.ModelError, match="closed loops"):
            make()
    law = jd.control.ComputedTorque(model, ["crank"], kp=1.0, kd=1.0, loop="quasi-open", start=state)
    with pytest.raises(jd.errors.ModelError, match="quasi-closed"):
        law.bind(model)
