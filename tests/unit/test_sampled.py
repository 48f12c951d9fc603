"""Digital controllers: their instants, their delay, what their sensors read, and Python functions in the loop."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd


@pytest.fixture(scope="module")
def cart():
    """A mass of 2 kg on a rail."""
    system = jd.System("cart")
    system.add(jd.RigidBody("cart", mass=2.0, inertia=(1, 1, 1)), joint=jd.Prismatic("slide", axis="x"))
    return system.compile()


@pytest.fixture(scope="module")
def arm():
    """Two links and a tool on a weld."""
    system = jd.System("arm")
    link = {"com": (0.5, 0, 0), "inertia": (0.01, 0.1, 0.1), "frames": {"tip": (1.0, 0, 0)}}
    system.add(jd.RigidBody("upper", mass=3.0, **link), joint=jd.Revolute("shoulder", axis="z"))
    system.add(jd.RigidBody("fore", mass=2.0, **link), joint=jd.Revolute("elbow", axis="z"), to="upper.tip")
    system.add(jd.RigidBody("tool", mass=0.5, inertia=(0.01,) * 3), joint=jd.Weld("wrist"), to="fore.tip")
    return system.compile()


@jd.law
def drag(t, q, v, z, s, p, effort, dz):
    effort[0] -= p[0] * v[0]


@jd.law(states=1)
def integral(t, q, v, z, s, p, effort, dz):
    dz[0] = q[0]
    effort[0] -= p[0] * z[0]


@pytest.mark.parametrize("gain", [100.0, 3000.0, 4200.0])
@pytest.mark.parametrize("method", [{"step": 1e-4}, {}])
def test_sampled_velocity_feedback_is_the_geometric_series(cart, gain, method):
    """v_k = (1 - g T / m)^k v_0: Bruels & Golinval 2002, with the zero-order hold; unstable for g T / m > 2."""
    period = 1e-3
    run = jd.simulate(
        cart, cart.state(v={"slide": 1.0}), until=0.02, output=period,
        controller=jd.control.Sampled(drag(gain), period=period), **method,
    )  # fmt: skip
    expected = (1.0 - gain * period / 2.0) ** np.arange(21)
    np.testing.assert_allclose(run.v["slide"].values, expected, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("delay", [0.0, 0.4e-3, 1e-3, 2.7e-3])
def test_delay_shifts_the_effort(cart, delay):
    """The effort of the sample at t_k is held from t_k + delay on."""
    seen = []

    def ask(t, q, v):
        seen.append(t)
        return [1000.0 * t + 1.0]

    run = jd.simulate(cart, cart.state(), until=0.01, step=1e-4, controller=jd.control.Sampled(ask, 1e-3, delay))
    assert np.allclose(seen, np.arange(11) * 1e-3, atol=1e-12)
    times = run.time.values
    latest = np.floor((times - delay) / 1e-3 + 1e-6)
    expected = np.where(latest < 0, 0.0, latest + 1.0)
    np.testing.assert_allclose(run.effort["slide"].values, expected, atol=1e-9)


def test_adaptive_methods_end_their_steps_at_the_instants(cart):
    run = jd.simulate(cart, cart.state(v={"slide": 1.0}), until=0.01, controller=jd.control.Sampled(drag(50.0), 1e-3))
    assert set(np.round(np.arange(11) * 1e-3, 12)) <= set(np.round(run.time.values, 12))
    assert abs(run.energy["balance"].values[-1]) < 1e-14


def test_states_of_a_continuous_law_move_by_euler_steps(cart):
    run = jd.simulate(
        cart, cart.state(q={"slide": 1.0}), until=0.003, step=1e-3,
        controller=jd.control.Sampled(integral(0.0), 1e-3),
    )  # fmt: skip
    own = [i for i, name in enumerate(run.options["z_names"]) if name.startswith("sampled")]
    z = run.record.z[:, own]
    np.testing.assert_allclose(z[:, 1 + 3], [1e-3, 2e-3, 3e-3, 4e-3], rtol=1e-12)


def test_python_function_and_law_agree_to_the_last_bit(arm):
    """Gains are powers of two: a fused product and sum then rounds as the two apart."""

    @jd.law
    def pd(t, q, v, z, s, p, effort, dz):
        for k in range(2):
            effort[k] -= p[0] * q[k] + p[1] * v[k]

    def same(t, q, v):
        return -16.0 * q - 4.0 * v

    start = arm.state(q={"shoulder": 0.4, "elbow": -0.7})
    runs = [
        jd.simulate(arm, start, until=0.2, step=1e-3, controller=jd.control.Sampled(one, 2e-3))
        for one in (pd(16.0, 4.0), same)
    ]
    assert np.array_equal(runs[0].record.q, runs[1].record.q)


def test_a_run_goes_on_from_its_last_state(arm):
    """A sampled controller's memory is part of the state: one run or two, the motion is the same."""
    controller = jd.control.Sampled(drag(5.0), 2e-3, 3e-3)
    start = arm.state(v={"shoulder": 1.0})
    whole = jd.simulate(arm, start, until=0.1, step=1e-3, controller=controller)
    half = jd.simulate(arm, start, until=0.05, step=1e-3, controller=controller)
    rest = jd.simulate(arm, half.state(), until=0.1, step=1e-3, controller=controller)
    np.testing.assert_allclose(rest.record.q[-1], whole.record.q[-1], rtol=1e-13)


def test_quantised_positions_and_differenced_velocities(arm):
    read = []

    def look(t, q, v):
        read.append((q.copy(), v.copy()))
        return np.zeros(2)

    step = 0.01
    start = arm.state(v={"shoulder": 1.0, "elbow": 0.3})
    run = jd.simulate(arm, start, until=0.1, step=1e-3, controller=jd.control.Sampled(look, 1e-2, quantisation=step))
    q = np.array([one for one, _ in read])
    v = np.array([one for _, one in read])
    true = run.record.q[::10]
    np.testing.assert_allclose(q / step, np.round(q / step), atol=1e-9)
    assert np.max(np.abs(q - true)) <= step / 2 + 1e-12
    np.testing.assert_allclose(v[1:], np.diff(q, axis=0) / 1e-2, atol=1e-9)


def test_noise_has_the_asked_statistics_and_its_seed_repeats_it(arm):
    def record(seed):
        read = []

        def look(t, q, v):
            read.append(np.concatenate([q, v]))
            return np.zeros(2)

        sensor = jd.control.JointSensor(noise=2e-3, bias=0.01, velocity_noise=0.05, velocity_bias=-0.2)
        jd.simulate(
            arm, arm.state(), until=4.0, step=1e-3,
            controller=jd.control.Sampled(look, 1e-3, sensors=[sensor], seed=seed),
        )  # fmt: skip
        return np.array(read)

    first, again, other = record(1), record(1), record(2)
    assert np.array_equal(first, again)
    assert not np.array_equal(first, other)
    count = len(first)
    # five standard errors of the mean and of the standard deviation
    for column, mean, deviation in ((0, 0.01, 2e-3), (1, 0.01, 2e-3), (2, -0.2, 0.05), (3, -0.2, 0.05)):
        assert abs(first[:, column].mean() - mean) < 5.0 * deviation / np.sqrt(count)
        assert abs(first[:, column].std() - deviation) < 5.0 * deviation / np.sqrt(2.0 * count)
    correlations = np.corrcoef(first.T) - np.eye(4)
    assert np.max(np.abs(correlations)) < 5.0 / np.sqrt(count)
    lagged = np.corrcoef(first[1:, 0], first[:-1, 0])[0, 1]
    assert abs(lagged) < 5.0 / np.sqrt(count)


def test_a_camera_is_slow_and_late(arm):
    read = []

    def look(t, q, v, s):
        read.append(s.copy())
        return np.zeros(2)

    camera = jd.control.PoseSensor("tool.origin", period=3e-3, delay=2e-3, position_bias=(0.5, 0.0, 0.0))
    run = jd.simulate(
        arm, arm.state(v={"shoulder": 1.0}), until=0.03, step=1e-3,
        controller=jd.control.Sampled(look, 1e-3, sensors=[camera], markers=["tool.origin"]),
    )  # fmt: skip
    true = run.frame("tool.origin").position.values
    for k, s in enumerate(read):
        taken = 3 * (max(0, k - 2) // 3)
        np.testing.assert_allclose(s[:3], true[taken] + [0.5, 0.0, 0.0], atol=1e-12)


def test_camera_noise_keeps_quaternions_unit_and_turns_by_the_asked_angle(arm):
    read = []

    def look(t, q, v, s):
        read.append(s.copy())
        return np.zeros(2)

    sigma = 0.02
    camera = jd.control.PoseSensor("tool.origin", rotation_noise=sigma)
    jd.simulate(
        arm, arm.state(), until=3.0, step=1e-3,
        controller=jd.control.Sampled(look, 1e-3, sensors=[camera], markers=["tool.origin"]),
    )  # fmt: skip
    quaternions = np.array(read)[:, 3:7]
    np.testing.assert_allclose(np.linalg.norm(quaternions, axis=1), 1.0, atol=1e-12)
    angles = 2.0 * quaternions[:, 1:]  # small turns about the frame's axes, which are the world's here
    assert np.allclose(angles.std(axis=0), sigma, rtol=5.0 / np.sqrt(2.0 * len(angles)) + sigma**2)


def test_a_force_sensor_feels_what_the_weld_transmits(arm):
    """The tool's inertia and nothing else: force on the fore-arm = - m a of the tool, torque - J alpha."""
    read = []

    def look(t, q, v, s):
        read.append(s.copy())
        return {"shoulder": 2.0}

    sensor = jd.control.ForceSensor(joint="wrist")
    run = jd.simulate(
        arm, arm.state(v={"shoulder": 1.0, "elbow": -0.5}), until=0.02, step=1e-3,
        controller=jd.control.Sampled(look, 1e-3, sensors=[sensor]),
    )  # fmt: skip
    for k in (0, 7, 20):
        effort = {"shoulder": 0.0 if k == 0 else 2.0}  # before the first sample nothing is held
        state = run.state(k)
        state = arm.state(q=state.q, v=state.v)
        acceleration = arm.acceleration("tool.origin", state, arm.forward_dynamics(state, effort))
        np.testing.assert_allclose(read[k][:3], -0.5 * acceleration[3:], atol=1e-10)
        np.testing.assert_allclose(read[k][3:], -0.01 * acceleration[:3], atol=1e-10)


def test_each_case_of_an_ensemble_has_its_own_noise(arm):
    @jd.law
    def pd(t, q, v, z, s, p, effort, dz):
        for k in range(2):
            effort[k] -= 20.0 * q[k] + 3.0 * v[k]

    sensor = jd.control.JointSensor(noise=1e-3)
    controller = jd.control.Sampled(pd, 1e-2, sensors=[sensor], seed=3)
    many = jd.simulate_many(arm, [arm.state()] * 3, until=0.1, step=1e-3, controller=controller)
    ends = many.record.q[:, -1]
    assert len({tuple(row) for row in ends}) == 3
    alone = jd.simulate(arm, arm.state(), until=0.1, step=1e-3, controller=controller)
    np.testing.assert_array_equal(ends[0], alone.record.q[-1])
    assert alone.options["seed"] == {"sampled pd": 3}


def test_an_error_in_a_python_controller_comes_out_with_what_was_computed(arm):
    def stumble(t, q, v):
        if t > 0.0101:
            raise RuntimeError("lost it")
        return np.zeros(2)

    for method in ({"step": 1e-3}, {}):
        with pytest.raises(RuntimeError, match="lost it") as caught:
            jd.simulate(arm, arm.state(), until=1.0, controller=jd.control.Sampled(stumble, 1e-3), **method)
        assert caught.value.partial.time.values[-1] >= 0.009
        assert "stumble at t = 0.011" in caught.value.__notes__[0]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: jd.control.Sampled(drag(1.0), 0.0), "period is 0.0; give a time"),
        (lambda: jd.control.Sampled(drag(1.0), 1e-3, -1.0), "delay is -1.0; give a time"),
        (lambda: jd.control.Sampled(drag(1.0), 1e-3, seed=-1), "seed is -1"),
        (lambda: jd.control.Sampled(drag(1.0), 1e-3, sensors=["eye"]), "got str; give JointSensor"),
        (lambda: jd.control.Sampled(3.0, 1e-3), "got float; give a controller"),
        (lambda: jd.control.Sampled(lambda t: 0.0, 1e-3), "takes 1 arguments"),
        (lambda: jd.control.Sampled(drag(1.0), 1.5e-3), "period of 0.0015 s is no whole number of steps of 0.001 s"),
        (lambda: jd.control.Sampled(drag(1.0), 1e-3, quantisation={"elbwo": 1.0}), 'elbwo.*did you mean "elbow"'),
        (lambda: jd.control.Sampled(drag(1.0), 1e-3, quantisation=-1.0), "quantisation is -1.0"),
        (lambda: jd.control.Sampled(drag(1.0), 1e-3, sensors=[jd.control.JointSensor(names=["x"])]), "no such coord"),
        (lambda: jd.control.Sampled(drag(1.0), 1e-3, sensors=[jd.control.JointSensor(noise=-1)]), "noise is -1"),
        (lambda: jd.control.Sampled(drag(1.0), 1e-3, sensors=[jd.control.PoseSensor("tool.origin")]), "not sense"),
        (lambda: jd.control.Sampled(drag(1.0), 1e-3, sensors=[jd.control.ForceSensor("wirst")]), "no such joint"),
        (lambda: jd.control.Sampled(drag(1.0), 1e-3, sensors=[jd.control.ForceSensor()]), "give the joint"),
        (lambda: jd.control.Sampled(lambda t, q, v: np.zeros(5), 1e-3), "returned shape"),
        (lambda: jd.control.Sampled(lambda t, q, v: {"elbo": 1.0}, 1e-3), "no such velocity"),
        (lambda: jd.control.Sampled(jd.control.Sampled(drag(1.0), 1e-3), 1e-3), "cannot be sampled again"),
        (lambda: lambda t, q, v: np.zeros(2), "say how often it is called"),
    ],
)  # fmt: skip
def test_bad_input_is_refused_by_name(arm, make, words):
    with pytest.raises(jd.errors.ModelError, match=words):
        jd.simulate(arm, arm.state(), until=0.01, step=1e-3, controller=make())


def test_a_python_controller_cannot_run_on_all_cores(arm):
    controller = jd.control.Sampled(lambda t, q, v: np.zeros(2), 1e-3)
    with pytest.raises(jd.errors.ModelError, match="cannot run on all cores"):
        jd.simulate_many(arm, [arm.state()] * 2, until=0.01, step=1e-3, controller=controller)
