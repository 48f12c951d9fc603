"""Controllers of joints: PD, PID, computed torque, joint impedance and antagonistic tendons."""

import numpy as np
import pytest
from control_arms import flexible_arm, planar_arm, random_state

import jourdain as jd

JOINTS = ["j0", "j1", "j2"]


@pytest.fixture(scope="module")
def arm():
    return planar_arm()


@pytest.fixture(scope="module")
def bending():
    return flexible_arm()


def cycloid(t: float, begin: float, to: float, duration: float) -> tuple[float, float, float]:
    x, rise, w = t / duration, to - begin, 2 * np.pi
    rate = rise / duration
    return (
        begin + rise * (x - np.sin(w * x) / w),
        rate * (1 - np.cos(w * x)),
        rate / duration * w * np.sin(w * x),
    )


def test_pd_is_its_formula(arm):
    state = random_state(arm)
    pd = jd.control.PD(
        JOINTS,
        {"j0": 10.0, "j1": 20.0, "j2": 30.0},
        [1.0, 2.0, 3.0],
        reference={"j0": jd.Cycloid(1.0, 2.0), "j1": 0.7},
        start={"j0": 0.2, "j2": -0.4},
    )
    place, rate, _ = cycloid(0.5, 0.2, 1.0, 2.0)
    wanted = np.array([place, 0.7, -0.4]) - state.q
    expected = np.array([10.0, 20.0, 30.0]) * wanted + np.array([1.0, 2.0, 3.0]) * (np.array([rate, 0, 0]) - state.v)
    assert pd.effort(arm, 0.5, state.q, state.v) == pytest.approx(expected, rel=1e-13)
    cut = jd.control.PD(JOINTS, 10.0, 1.0, reference=5.0, limit={"j1": 3.0})
    effort = cut.effort(arm, 0.0, state.q, state.v)
    assert effort[1] == 3.0 and effort[0] == pytest.approx(10.0 * (5.0 - state.q[0]) - state.v[0])


def test_feedforward_holds_against_gravity(arm):
    """At its reference and at rest, gravity feedforward is all there is, and nothing accelerates."""
    state = arm.state(q={"j0": 0.3, "j1": -0.7, "j2": 0.5})
    pd = jd.control.PD(JOINTS, 50.0, 5.0, feedforward="gravity", model=arm, start=state)
    effort = pd.effort(arm, 0.0, state.q, state.v)
    assert effort == pytest.approx(arm.bias(state), rel=1e-12)
    assert np.max(np.abs(arm.forward_dynamics(state, effort))) < 1e-12


def test_feedforward_along_the_reference(bending):
    """On the reference the joints have its accelerations, the beam being free."""
    state = random_state(bending, seed=3)
    begin = {"shoulder": 0.2, "elbow": 0.5}
    pd = jd.control.PD(
        ["shoulder", "elbow"],
        40.0,
        4.0,
        reference={"shoulder": jd.Cycloid(1.0, 2.0), "elbow": jd.Cycloid(-0.5, 2.0)},
        feedforward="computed torque",
        model=bending,
        start=begin,
    )
    wanted = [cycloid(0.7, 0.2, 1.0, 2.0), cycloid(0.7, 0.5, -0.5, 2.0)]
    for name, (place, rate, _) in zip(begin, wanted, strict=True):
        state.q[bending.index.q[name]], state.v[bending.index.v[name]] = place, rate
    effort = pd.effort(bending, 0.7, state.q, state.v)
    found = bending.forward_dynamics(state, effort)
    assert [found[bending.index.v[name]] for name in begin] == pytest.approx([a for *_, a in wanted], abs=1e-10)
    assert np.all(effort[[bending.index.v[n] for n in bending.names.v if "bending" in n]] == 0.0)


def test_the_integral_removes_a_steady_error_and_does_not_wind_up():
    """A slider against a constant force ends on its reference; cut short, it overshoots far less than unchecked."""
    system = jd.System("slider")
    system.add(jd.RigidBody("cart", 1.0), jd.Prismatic("x", axis="x"))
    system.force("load", at="cart.origin", force=(-2.0, 0, 0))
    model = system.compile()
    ends, peaks = {}, {}
    for what, tracking in (("checked", None), ("unchecked", 1e9)):
        pid = jd.control.PID(["x"], 9.0, 5.0, 4.0, reference=1.0, limit=4.0, tracking=tracking)
        run = jd.simulate(model, model.state(), until=20.0, step=2e-3, method="rk4", controller=pid, progress=False)
        ends[what], peaks[what] = float(run.q["x"][-1]), float(run.q["x"].max())
        assert float(np.abs(run.effort["x"]).max()) <= 4.0
    assert ends["checked"] == pytest.approx(1.0, abs=1e-4)
    assert peaks["checked"] - 1.0 < 0.5 * (peaks["unchecked"] - 1.0)


def test_computed_torque_gives_the_designed_errors(arm, bending):
    """e'' + kd e' + kp e = 0 to rounding where the model is the plant, links bent and ringing included."""
    for model, joints in ((arm, JOINTS), (bending, ["shoulder", "elbow"])):
        for seed in range(4):
            state = random_state(model, seed=seed)
            control = jd.control.ComputedTorque(
                model, joints, 4.0, [3.0, 5.0, 6.0][: len(joints)], {joints[0]: jd.Cycloid(1.0, 2.0)}
            )
            found = model.forward_dynamics(state, control.effort(model, 0.6, state.q, state.v))
            for i, name in enumerate(joints):
                place, rate, wanted = cycloid(0.6, 0.0, 1.0, 2.0) if i == 0 else (0.0, 0.0, 0.0)
                k = model.index.v[name]
                e, de = place - state.q[model.index.q[name]], rate - state.v[k]
                assert found[k] == pytest.approx(wanted + [3.0, 5.0, 6.0][i] * de + 4.0 * e, abs=2e-11)


def test_computed_torque_of_some_joints_leaves_the_others_free(arm):
    state = random_state(arm)
    control = jd.control.ComputedTorque(arm, ["j2", "j0"], 4.0, 4.0)
    effort = control.effort(arm, 0.0, state.q, state.v)
    assert effort[1] == 0.0
    found = arm.forward_dynamics(state, effort)
    assert found[[0, 2]] == pytest.approx(-4.0 * state.q[[0, 2]] - 4.0 * state.v[[0, 2]], abs=1e-11)


def test_the_closed_loop_follows_the_designed_error(bending):
    """A step of 0.4 rad: the error is the critically damped one, to the tolerance of the method."""
    state = bending.state(q={"shoulder": 0.3, "elbow": 0.2})
    control = jd.control.ComputedTorque(bending, ["shoulder", "elbow"], 9.0, 6.0, {"shoulder": 0.7, "elbow": -0.2})
    run = jd.simulate(bending, state, until=2.0, output=0.05, controller=control, progress=False)
    t = run.time.values
    for name, goal in (("shoulder", 0.7), ("elbow", -0.2)):
        begin = state.q[bending.index.q[name]]
        assert run.q[name].values == pytest.approx(goal - (goal - begin) * (1 + 3 * t) * np.exp(-3 * t), abs=1e-7)


def test_a_rigid_model_damps_a_flexible_plant(bending):
    """Collocated: with the rigid model the ringing dies out, with the exact one it goes on at its own damping."""
    system_state = bending.state(q={"shoulder": 0.3, "elbow": 0.2, "fore.bending_y[0]": 0.02})
    ringing = {}
    for what, model in (("rigid", flexible_arm(0)), ("exact", bending)):
        control = jd.control.ComputedTorque(model, ["shoulder", "elbow"], 25.0, 10.0, start=system_state)
        run = jd.simulate(bending, system_state, until=4.0, output=0.01, controller=control, progress=False)
        tip = run.q["fore.bending_y[0]"].values[-100:]
        ringing[what] = tip.max() - tip.min()
    assert ringing["rigid"] < 0.2 * ringing["exact"]


def test_the_quasi_open_loop_predicts_what_is_free(bending):
    """Started together, prediction and plant stay together, and no internal coordinate need be measured."""
    joints = ["shoulder", "elbow"]
    goal = {"shoulder": jd.Cycloid(0.8, 1.5), "elbow": jd.Cycloid(-0.3, 1.5)}
    state = bending.state(q={"shoulder": 0.3, "elbow": 0.2})
    control = jd.control.ComputedTorque(bending, joints, 9.0, 6.0, goal, loop="quasi-open", start=state)
    run = jd.simulate(bending, state, until=2.0, output=0.1, controller=control, progress=False)
    names = [n for n in bending.names.v if "bending" in n]
    measured = np.stack([run.q[n].values for n in names])
    predicted = run.record.z[:, : len(names)].T
    assert np.max(np.abs(measured)) > 1e-3
    assert predicted == pytest.approx(measured, abs=1e-8)
    assert float(run.q["shoulder"][-1]) == pytest.approx(0.8, abs=1e-7)
    blind = state.q.copy()
    blind[bending.index.q[names[0]]] += 0.1
    z = control.bind(bending).start
    assert control.effort(bending, 0.2, blind, state.v, z) == pytest.approx(
        control.effort(bending, 0.2, state.q, state.v, z), rel=1e-14
    )


def test_parameter_errors_bend_the_error_dynamics_and_no_more(arm):
    """Control models whose masses are off by up to 20 %: the step still settles, with a steady error from gravity."""
    state = arm.state(q={"j0": -1.2, "j1": 0.3, "j2": 0.2})
    goal = {"j0": -1.0, "j1": 0.5, "j2": 0.4}
    worst = {}
    for masses in (0.8, 0.9, 1.0, 1.1, 1.2):
        control = jd.control.ComputedTorque(planar_arm(masses=masses), JOINTS, 100.0, 20.0, goal)
        run = jd.simulate(arm, state, until=3.0, output=0.05, controller=control, progress=False)
        worst[masses] = max(abs(float(run.q[name][-1]) - x) for name, x in goal.items())
    assert worst[1.0] < 1e-9
    for masses in (0.8, 0.9, 1.1, 1.2):
        gravity = np.abs(np.linalg.solve(arm.mass_matrix([-1.0, 0.5, 0.4]), arm.bias([-1.0, 0.5, 0.4], np.zeros(3))))
        assert 1e-4 < worst[masses] < 2.0 * abs(1 - 1 / masses) * gravity.max() / 100.0


def test_joint_impedance_of_the_paper():
    """Kostadinov & Boiadjiev 2002, eq. 8: J 0.1, K 400, damping ratio 0.7; torque step of 5 N m.

    Final deflection 0.0125 rad; peak 0.0130748 rad at 0.0695560 s.
    """
    system = jd.System("equipment")
    system.add(jd.RigidBody("table", 1.0, inertia=(0.1, 0.1, 0.1)), jd.Revolute("turn", axis="z"))
    system.force("disturbance", at="table.origin", moment=(0, 0, 5.0))
    model = system.compile()
    damping = 2 * 0.7 * np.sqrt(400.0 * 0.1)
    assert damping == pytest.approx(8.854377, abs=1e-6)
    impedance = jd.control.JointImpedance(["turn"], 400.0, damping)
    run = jd.simulate(model, model.state(), until=0.5, output=1e-5, controller=impedance, progress=False)
    angle = run.q["turn"].values
    assert angle[-1] == pytest.approx(0.0125, rel=1e-8)
    peak = int(np.argmax(angle))
    assert angle[peak] == pytest.approx(0.0130748, abs=1e-7)
    assert float(run.time[peak]) == pytest.approx(0.0695560, abs=1e-5)


def test_co_contraction_sets_the_stiffness_and_makes_no_torque():
    system = jd.System("joint")
    system.add(jd.RigidBody("link", 1.0, inertia=(0.1, 0.1, 0.1)), jd.Revolute("turn", axis="z"))
    model = system.compile()
    measured = []
    for slack in (0.002, 0.005, 0.01):
        pair = jd.control.Antagonists("turn", 0.05, 2e4, 3e6, slack)
        here, there = (pair.effort(model, 0.0, [angle], [0.0])[0] for angle in (-1e-4, 1e-4))
        measured.append((here - there) / 2e-4)
        assert abs(pair.effort(model, 0.0, [0.0], [0.0])[0]) < 1e-15
        assert measured[-1] == pytest.approx(2 * 0.05**2 * (2e4 + 2 * 3e6 * slack), rel=1e-10)
        assert measured[-1] == pytest.approx(pair.stiffness(slack), rel=1e-10)
    assert measured[2] > 1.5 * measured[0]
    slack = jd.control.Antagonists("turn", 0.05, 2e4, 3e6, 0.001)
    one = slack.effort(model, 0.0, [-0.1], [0.0])[0]
    assert one == pytest.approx(0.05 * (2e4 * 0.006 + 3e6 * 0.006**2), rel=1e-12), "the slack tendon does not push"


@pytest.mark.parametrize(
    ("make", "says"),
    [
        (lambda m: jd.control.PD(["j0", "jay"], 1.0, 1.0), r"jay: .*no such coordinate"),
        (lambda m: jd.control.PD("j0", 1.0, 1.0), "give a list of names"),
        (lambda m: jd.control.PD([], 1.0, 1.0), "empty"),
        (lambda m: jd.control.PD(["j0", "j0"], 1.0, 1.0), "named twice"),
        (lambda m: jd.control.PD(["j0", "j1"], [1.0, 2.0, 3.0], 1.0), r"kp has shape \(3,\)"),
        (lambda m: jd.control.PD(["j0"], -1.0, 1.0), "kp is -1"),
        (lambda m: jd.control.PD(["j0", "j1"], {"j0": 1.0}, 1.0), "j1: .*kp is missing"),
        (lambda m: jd.control.PD(["j0"], {"j0": 1.0, "j3": 1.0}, 1.0), "j3: .*kp for a name"),
        (lambda m: jd.control.PD(["j0"], 1.0, 1.0, reference={"j1": 1.0}), "j1: .*reference for a name"),
        (lambda m: jd.control.PD(["j0"], 1.0, 1.0, feedforward="gravity"), "needs a model"),
        (lambda m: jd.control.PD(["j0"], 1.0, 1.0, feedforward="graviti", model=m), 'did you mean "gravity"'),
        (lambda m: jd.control.PD(["j0"], 1.0, 1.0, ki=2.0), "PD has no integral"),
        (lambda m: jd.control.ComputedTorque(m, ["j0"], 1.0, 1.0, loop="open"), "quasi-closed"),
        (lambda m: jd.control.ComputedTorque("arm", ["j0"], 1.0, 1.0), "give a compiled model"),
        (lambda m: jd.control.ComputedTorque(planar_arm(4), ["j0"], 1.0, 1.0), "j3: .*the plant does not"),
        (lambda m: jd.control.Antagonists("j0", 0.0, 1.0, 1.0, 0.1), "radius is zero"),
        (lambda m: jd.control.Antagonists("j0", 0.1, 1.0, 1.0, -0.1), "co_contraction is -0.1"),
    ],
)
def test_mistakes_are_named(arm, make, says):
    state = arm.state()
    with pytest.raises(jd.errors.ModelError, match=says):
        make(arm).effort(arm, 0.0, state.q, state.v)


def test_a_joint_with_a_drive_is_driven_at_its_motor():
    system = jd.System("geared")
    drive = jd.Drive(gear=50.0, rotor_inertia=1e-3, stiffness=1e4, damping=1.0)
    system.add(jd.RigidBody("link", 1.0, inertia=(1, 1, 1)), jd.Revolute("turn", axis="z", drive=drive))
    model = system.compile()
    by_joint = jd.control.PD(["turn"], 50.0**2, 0.0, reference=2.0 / 50.0).effort(model, 0.0, *_at_rest(model))
    assert by_joint.tolist() == pytest.approx([0.0, 2.0])
    effort = jd.control.PD(["turn.motor"], 1.0, 0.0, reference=2.0).effort(model, 0.0, *_at_rest(model))
    assert effort[model.index.v["turn.motor"]] == 2.0 and effort[model.index.v["turn"]] == 0.0


def _at_rest(model):
    state = model.state()
    return state.q, state.v


def test_controllers_are_quick_to_import_and_pickle(arm):
    import pickle

    control = jd.control.ComputedTorque(arm, JOINTS, 4.0, 4.0)
    again = pickle.loads(pickle.dumps(control))
    state = random_state(arm)
    assert np.array_equal(again.effort(arm, 0.1, state.q, state.v), control.effort(arm, 0.1, state.q, state.v))
