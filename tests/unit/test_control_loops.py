"""Controllers whose model has closed loops: the law knows them, or refuses."""

from __future__ import annotations

import numpy as np
import pytest
from linkages import bennett_frames, linkage
from mechanisms import FOUR_BAR, bar, four_bar, four_bar_state, row_of_four_bars
from random_linkages import Round, random_linkage

import jourdain as jd
from jourdain.live.driver import SafeHold


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


@pytest.mark.parametrize("case", ["delta", "four-bar", "Bennett"])
def test_the_safe_hold_of_a_live_robot_knows_loops(case: str):
    """At rest it carries the whole machine; off by a little, all joints come back with the same w, x'' = -w^2 x - 2 w
    v, though the loops couple them: the arms of a delta carry a platform that has no motor."""
    if case == "delta":
        model, state = delta_robot()
    elif case == "four-bar":
        model = four_bar().compile()
        state = four_bar_state(model)
    else:
        one = random_linkage("Bennett", 0)
        model = one.system().compile()
        state = model.state()
    hold = SafeHold(model)
    hold.engage(state.q)
    A, M, h = model.constraints.jacobian(state), model.mass_matrix(state), model.bias(state.q, 0.0 * state.v)
    rows, nv = np.linalg.matrix_rank(A, tol=1e-9), model.nv
    K = np.block([[M, -A.T], [A, np.zeros((len(A), len(A)))]])
    Z = np.linalg.svd(A)[2][rows:].T

    def accelerations(q: np.ndarray, v: np.ndarray) -> np.ndarray:
        """Of the loops at the first place, the forces those of the hold at another."""
        right = np.concatenate([hold.effort(q, v) - h, np.zeros(len(A))])
        return np.linalg.lstsq(K, right, rcond=1e-12)[0][:nv]

    assert np.max(np.abs(accelerations(state.q, 0.0 * state.v))) < 1e-8
    x = 1e-3 * Z[:, 0]
    w = 4.0 * np.pi
    for q, v, pull in ((x, 0.0 * x, w * w * x), (0.0 * x, x, 2.0 * w * x)):
        moved = state.q.copy()
        moved[hold.places] += q[hold.entries]
        found = accelerations(moved, v)
        assert found[hold.entries] == pytest.approx(-pull[hold.entries], abs=1e-6 * np.max(np.abs(pull)))


def test_computed_torque_where_rows_of_a_loop_vanish():
    """Stretched out, the rows along Bennett's linkage vanish: a microradian from there an error of 1e-10 in what is
    measured of coordinates moved the effort by 2e-3 N m."""
    alpha, beta = np.radians((35.0, 70.0))
    frames = bennett_frames(0.6, 0.6 * np.sin(beta) / np.sin(alpha), alpha, beta, 1e-6)
    one = Round(linkage("stretched", [p for _, p in frames], [R[:, 2] for R, _ in frames], 1.2))
    model = one.system().compile()
    state = one.start(model)
    law = jd.control.ComputedTorque(model, ["hinge1"], kp=0.0, kd=0.0, reference={"hinge1": 0.0}, start=state)
    rng = np.random.default_rng(1)
    effort = law.effort(model, 0.0, state.q, state.v)[0]
    assert effort == pytest.approx(by_hand(model, state, ["hinge1"], [0.0])[0], rel=1e-6)
    for _ in range(5):
        off = law.effort(model, 0.0, state.q + 1e-10 * rng.uniform(-1.0, 1.0, 3), state.v)[0] - effort
        assert abs(off) < 1e-8 * abs(effort)


def test_a_regulator_of_a_loop_is_designed_on_independent_coordinates():
    """What the error of LQR advises: the poles of the design are those of the closed loop of the whole mechanism."""
    from scipy.linalg import expm

    system = four_bar()
    model = system.compile()
    state = four_bar_state(model, 1.0)
    for make in (
        lambda: jd.control.LQR(model, state, 1.0, 1.0, inputs=["crank"]),
        lambda: jd.control.LQG(model, state, 1.0, 1.0, 1.0, 1.0, inputs=["crank"], measured=["crank"]),
        lambda: jd.control.Predictive(model, state, 5, 1.0, 0.01, {"crank": jd.Sine(0.1, 1.0)}, inputs=["crank"]),
    ):
        with pytest.raises(jd.errors.ModelError, match=r"independent=.*to_control"):
            make()
    holds = by_hand(model, state, ["crank"], [0.0])[0]
    linear = model.linearize(state, {"crank": holds}, independent=["crank"])
    A, B = linear.A, linear.B[:, [linear.inputs.index("crank")]]
    gain = jd.control.lqr(A, B, np.diag([100.0, 1.0]), np.eye(1)).gain
    law = jd.control.StateFeedback(gain, state, ["crank"], coordinates=["crank"], effort={"crank": holds})
    off = 1e-5
    begun = model.assemble(model.state(q={**dict(zip(model.names.q, state.q, strict=True)), "crank": 1.0 + off}),
                           hold=("crank",))  # fmt: skip
    run = jd.simulate(model, begun, until=0.5, output=0.1, controller=law)
    for t, q in zip(run.record.time, run.record.q[:, model.index.q["crank"]], strict=True):
        assert q - 1.0 == pytest.approx((expm((A - B @ gain) * t) @ [off, 0.0])[0], abs=2e-3 * off)


def test_a_sampled_computed_torque_holds_a_loop():
    """Sampled ten times as fast as its poles, it holds what the continuous law holds."""
    model = four_bar().compile()
    state = four_bar_state(model, 1.0)
    inner = jd.control.ComputedTorque(model, ["crank"], kp=100.0, kd=20.0, reference={"crank": 0.4}, start=state)
    run = jd.simulate(model, state, until=3.0, controller=jd.control.Sampled(inner, period=2e-3))
    assert float(run.q["crank"][-1]) == pytest.approx(0.4, abs=1e-6)


def test_optimal_trajectories_refuse_loops():
    model = four_bar().compile()
    state = four_bar_state(model, 1.0)
    given = dict(until=1.0, end={"crank": 0.4}, cost=jd.optimal.effort(), inputs=["crank"])
    for make in (
        lambda: jd.optimal.Problem(model, state, **given),
        lambda: jd.optimal.Slew(model, state, end={"crank": 0.4}, until=1.0),
    ):
        with pytest.raises(jd.errors.ModelError, match="closes a loop"):
            make()


def test_inverse_kinematics_closes_the_loops():
    """Of a delta robot in closed form: each rod spans its length from the arm's end to the platform."""
    model, state = delta_robot()
    place = np.array([0.05, -0.03, -0.45])
    found = jd.control.inverse_kinematics(model, "platform.origin", place, state)
    assert model.pose("platform.origin", found).position == pytest.approx(place, abs=1e-10)
    assert np.max(np.abs(model.constraints.residual(found))) < 1e-10
    for i in range(3):
        turn = 2.0 * np.pi * i / 3.0
        out = np.array([np.cos(turn), np.sin(turn), 0.0])
        side = np.array([-np.sin(turn), np.cos(turn), 0.0])
        to = place + 0.05 * out - 0.2 * out
        # 0.3 (cos a out - sin a z) to `to` is 0.6 m long: p cos a + q sin a = r
        along, up, across = to @ out, to[2], to @ side
        p, q = along, -up
        r = (0.3**2 + along**2 + up**2 + across**2 - 0.6**2) / 0.6
        angle = np.arctan2(q, p) - np.arccos(r / np.hypot(p, q))
        assert found.q[model.index.q[f"motor{i}"]] == pytest.approx(angle, abs=1e-9)
    v = jd.control.resolved_rate(model, "platform.origin", (0.1, 0.2, 0.3), found)
    assert model.constraints.jacobian(found) @ v == pytest.approx(np.zeros(6), abs=1e-12)
    assert model.jacobian("platform.origin", found) @ v == pytest.approx([0, 0, 0, 0.1, 0.2, 0.3], abs=1e-12)
    v = jd.control.resolved_rate(model, "platform.origin", (0.1, 0.2, 0.3), found, damping=0.1)
    assert model.constraints.jacobian(found) @ v == pytest.approx(np.zeros(6), abs=1e-9)


def test_inverse_kinematics_of_a_loop_that_cannot():
    model = four_bar().compile()
    state = four_bar_state(model, 1.0)
    with pytest.raises(jd.errors.ModelError, match=r"out of reach.*with loops open by"):
        jd.control.inverse_kinematics(model, "coupler.tip", (5.0, 0.0, 0.0), state, axes=("x", "y"))
    moving = model.state(q=state.q, v={"crank": 1.0})
    with pytest.raises(jd.errors.ModelError, match="opens this loop"):
        jd.control.resolved_rate(model, "coupler.tip", (0.1, 0.0, 0.0), moving, axes=("x",), hold=["crank", "elbow"],
                                 damping=1e-3)  # fmt: skip


def test_inverse_kinematics_of_an_overconstrained_loop():
    """Rows that follow from others contradict them where the loop is open; closed, they do not."""
    one = random_linkage("Bennett", 0)
    model = one.system().compile()
    for k in (5, 15, 25, 40):
        q = one.way.points[k][:3]
        found = jd.control.inverse_kinematics(
            model, "link1.end", model.pose("link1.end", q).position, model.state(one.way.points[k - 2][:3])
        )
        assert found.q == pytest.approx(q, abs=1e-7)
