"""LQR, Kalman filters, state feedback, observers and filters: against python-control, theory, and in the loop."""

import control
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import expm

import jourdain as jd
from jourdain.control.linear_plant import linear_plant
from jourdain.control.linear_quadratic import sampled_lqr
from jourdain.model.displacement import apart, moved


@given(st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=20)
def test_gains_are_those_of_python_control(seed):
    rng = np.random.default_rng(seed)
    A, B, C = rng.normal(size=(5, 5)), rng.normal(size=(5, 2)), rng.normal(size=(2, 5))
    Q, R, W, V = np.diag(rng.uniform(0.1, 2, 5)), np.eye(2), np.eye(5), np.diag([0.5, 2.0])
    Ad, Bd = jd.control.discretize(A, B, 0.1)
    system = control.c2d(control.ss(A, B, C, 0), 0.1)
    assert np.max(np.abs(Ad - system.A)) < 1e-13 and np.max(np.abs(Bd - system.B)) < 1e-13
    for discrete, mine, theirs in (
        (False, jd.control.lqr(A, B, Q, R), control.lqr(A, B, Q, R)),
        (True, jd.control.lqr(Ad, Bd, Q, R, discrete=True), control.dlqr(Ad, Bd, Q, R)),
        (False, jd.control.kalman(A, C, W, V), control.lqe(A, np.eye(5), C, W, V)),
        (True, jd.control.kalman(Ad, C, W, V, discrete=True), control.dlqe(Ad, np.eye(5), C, W, V)),
    ):
        scale = np.max(np.abs(theirs[0]))
        assert np.max(np.abs(mine.gain - theirs[0])) < 1e-8 * scale
        stable = np.abs(mine.poles) < 1.0 if discrete else mine.poles.real < 0.0
        assert np.all(stable)


def test_sampled_regulator_has_the_continuous_cost():
    """The cost of the sampled one is that of the integral; it falls to the continuous one as the period squared."""
    A, B = np.array([[0.0, 1.0], [-4.0, 0.3]]), np.array([[0.0], [1.0]])
    Q, R = np.diag([3.0, 1.0]), np.array([[0.2]])
    best = jd.control.lqr(A, B, Q, R).cost
    more = [np.max(np.abs(sampled_lqr(A, B, Q, R, h).cost - best)) for h in (0.04, 0.02)]
    assert more[0] / more[1] == pytest.approx(4.0, rel=0.05)
    found = sampled_lqr(A, B, Q, R, 0.1)
    Ad, Bd = jd.control.discretize(A, B, 0.1)
    x = np.array([1.0, -0.5])
    total, fine = 0.0, 200
    Af, Bf = jd.control.discretize(A, B, 0.1 / fine)
    start = x.copy()
    for _ in range(300):
        u = -found.gain @ x
        for _ in range(fine):
            after = Af @ x + Bf @ u
            total += 0.1 / fine * (0.5 * (x @ Q @ x + after @ Q @ after) + u @ R @ u)
            x = after
    assert total == pytest.approx(start @ found.cost @ start, rel=1e-5)
    assert np.max(np.abs(np.linalg.eigvals(Ad - Bd @ found.gain))) < 1.0


TWO = np.array([[0, 1, 0, 0], [-4, 0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 0.0]])
FIRST, SECOND = np.array([[0], [1], [0], [0.0]]), np.array([[0], [0], [0], [1.0]])
BAD = {
    "unreached free": (lambda: jd.control.lqr(TWO, FIRST, 1, 1), r"no input reaches the mode 0, in x\[3\]"),
    "unreached mode": (
        lambda: jd.control.lqr(TWO, SECOND, 1, 1),
        r"no input reaches the mode 0 \+- 2 i, in x\[0\], x\[1\]",
    ),
    "unweighed": (
        lambda: jd.control.lqr(TWO, np.hstack([FIRST, SECOND]), [1, 1, 0, 0], 1),
        r"no weight in Q sees the mode 0, in x\[2\]",
    ),
    "unseen": (lambda: jd.control.kalman(TWO, [[0, 1, 0, 1]], 1, 1), r"no measurement sees the mode 0, in x\[2\]"),
    "undisturbed": (
        lambda: jd.control.kalman(TWO, [[1, 0, 1, 0]], 1, 1, G=SECOND),
        r"no disturbance in W reaches the mode 0 \+- 2 i",
    ),
    "discrete": (
        lambda: jd.control.lqr(np.diag([1.1, 0.5]), [[0], [1]], 1, 1, discrete=True, names=("a", "b")),
        "no input reaches the mode 1.1, in a",
    ),
    "square": (lambda: jd.control.lqr(np.ones((2, 3)), np.ones((2, 1)), 1, 1), "A: is 2 by 3; it must be square"),
    "rows": (lambda: jd.control.lqr(np.eye(2), np.ones((3, 1)), 1, 1), "B: has 3 rows; A has 2"),
    "R": (lambda: jd.control.lqr(TWO, FIRST, 1, 0.0), "R: has an eigenvalue 0; all must be positive"),
    "Q": (lambda: jd.control.lqr(TWO, FIRST, [1, 1, 1, -1], 1), "Q: has an eigenvalue -1; all must not be negative"),
    "sizes": (lambda: jd.control.lqr(TWO, FIRST, [1, 1], 1), r"Q: has shape \(2,\); there are 4 states"),
    "observer": (lambda: jd.control.Observer(TWO, FIRST, np.eye(4)[:2], np.ones((4, 1))), r"gain: has shape \(4, 1\)"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_designs_say_what_is_wrong(name):
    make, text = BAD[name]
    with pytest.raises(jd.errors.ModelError, match=text):
        make()


def test_stable_modes_need_no_input():
    poles = jd.control.lqr(np.diag([-1.0, 2.0]), [[0], [1]], 1, 1).poles
    assert np.min(np.abs(poles + 1.0)) < 1e-12 and np.all(poles.real < 0.0)


@pytest.fixture(scope="module")
def pendulum():
    """A hub and a flexible forearm that hang, in the plane."""
    system = jd.System("arm", gravity=(0, 0, -9.81))
    hub = jd.RigidBody("hub", mass=5.0, com=(0.3, 0, 0), inertia=(0.1, 0.2, 0.3), frames={"tip": (0.5, 0, 0)})
    system.add(hub, joint=jd.Revolute("shoulder", axis="y"))
    shapes = {"modes": jd.Modes(bending_z=1), "damping": 0.01}
    beam = jd.Beam("fore", 1.0, mass_per_length=1.0, EA=1e6, EI=200.0, GJ=100.0, **shapes)
    system.add(beam, joint=jd.Revolute("elbow", axis="y"), to="hub.tip")
    model = system.compile()
    return model, model.state({"shoulder": np.pi / 2})


Q = {"shoulder": (100.0, 1.0), "elbow": (100.0, 1.0), "fore.bending_z[0]": (10.0, 1.0)}


def test_plant_has_the_frequencies_of_the_model(pendulum):
    model, state = pendulum
    plant = linear_plant(model, state)
    modes = np.sort(np.abs(np.linalg.eigvals(plant.A)))[::2]
    assert modes == pytest.approx(model.frequencies(state).rad, rel=1e-6)
    assert plant.inputs == ("shoulder", "elbow")


def test_closed_loop_is_the_designed_one(pendulum):
    """Near the state the deviation is exp((A - B K) t) x0, up to its own square."""
    model, state = pendulum
    law = jd.control.LQR(model, state, Q, 0.1)
    begin = model.state({"shoulder": np.pi / 2 + 2e-4, "elbow": 1e-4})
    run = jd.simulate(model, begin, until=1.0, step=5e-4, controller=law)
    x0 = np.concatenate([apart(model, state.q, begin.q), np.zeros(3)])
    closed = law.plant.A - law.plant.B @ law.gain
    for i in (200, 600, 2000):
        x = np.concatenate([apart(model, state.q, run.record.q[i]), run.record.v[i]])
        assert np.max(np.abs(x - expm(closed * run.record.time[i]) @ x0)[:3]) < 1e-7


def test_observer_converges_as_designed(pendulum):
    """Separation: the error of the estimate is exp((A - L C) t) e0, whatever the feedback does."""
    model, state = pendulum
    law = jd.control.LQG(model, state, Q, 0.1, W=1e-2, V=1e-6, measured=("shoulder", "elbow"))
    begin = model.state({"shoulder": np.pi / 2 + 2e-4, "elbow": 1e-4})
    run = jd.simulate(model, begin, until=0.5, step=5e-4, controller=law)
    e0 = np.concatenate([apart(model, state.q, begin.q), np.zeros(3)])
    one = law.observer
    for i in (100, 400, 1000):
        x = np.concatenate([apart(model, state.q, run.record.q[i]), run.record.v[i]])
        error = expm((one.A - one.gain @ one.C) * run.record.time[i]) @ e0
        assert np.max(np.abs(x - run.record.z[i] - error)[:3]) < 1e-7


def test_digital_regulator_and_filter(pendulum):
    """At the samples the linear closed loop is that of the discrete design."""
    model, state = pendulum
    law = jd.control.LQG(model, state, Q, 0.1, W=1e-2, V=1e-4, measured=("shoulder", "elbow"), period=5e-3)
    assert np.max(np.abs(law.poles)) < 1.0
    begin = model.state({"shoulder": np.pi / 2 + 2e-4, "elbow": 1e-4})
    digital = jd.control.Sampled(law, 5e-3)
    run = jd.simulate(model, begin, until=0.5, step=5e-4, output=5e-3, controller=digital)
    one = law.observer
    x, z = np.concatenate([apart(model, state.q, begin.q), np.zeros(3)]), np.zeros(6)
    for k in range(100):
        u = -law.gain @ z
        x, z = one.A @ x + one.B @ u, one.A @ z + one.B @ u + one.gain @ (one.C @ (x - z))
        found = apart(model, state.q, run.record.q[k + 1])
        assert np.max(np.abs(found - x[:3])) < 1e-7


def test_robust_to_masses_that_are_wrong(pendulum):
    """LQR has a gain margin from 1/2 up: fifteen plants with masses and stiffness off by 30 % or less come to rest."""
    model, state = pendulum
    law = jd.control.LQR(model, state, Q, 0.1)
    rng = np.random.default_rng(4)
    for _ in range(15):
        a, b, c = rng.uniform(0.7, 1.3, 3)
        system = jd.System("arm", gravity=(0, 0, -9.81))
        inertia = a * np.array([0.1, 0.2, 0.3])
        hub = jd.RigidBody("hub", mass=5.0 * a, com=(0.3, 0, 0), inertia=inertia, frames={"tip": (0.5, 0, 0)})
        system.add(hub, joint=jd.Revolute("shoulder", axis="y"))
        shapes = {"modes": jd.Modes(bending_z=1), "damping": 0.01}
        beam = jd.Beam("fore", 1.0, mass_per_length=b, EA=1e6, EI=200.0 * c, GJ=100.0, **shapes)
        system.add(beam, joint=jd.Revolute("elbow", axis="y"), to="hub.tip")
        plant = linear_plant(system.compile(), state)
        assert np.max(np.linalg.eigvals(plant.A - plant.B @ law.gain).real) < 0.0


def test_feedback_follows_a_reference(pendulum):
    """It comes to rest where the linear plant does, -(A - B K)^-1 B K r: short of r, for gravity is not fed forward."""
    model, state = pendulum
    law = jd.control.LQR(model, state, Q, 0.1, reference={"shoulder": jd.Cycloid(to=np.pi / 2 + 0.02, duration=2.0)})
    run = jd.simulate(model, state, until=8.0, step=1e-3, controller=law)
    A, B, K = law.plant.A, law.plant.B, law.gain
    rest = np.linalg.solve(A - B @ K, -B @ K @ np.array([0.02, 0, 0, 0, 0, 0]))
    assert apart(model, state.q, run.record.q[-1]) == pytest.approx(rest[:3], abs=1e-5)


def test_limits_hold(pendulum):
    model, state = pendulum
    away = state.q + np.array([0.3, 0.0, 0.0])
    law = jd.control.LQR(model, state, Q, 0.1, limit={"shoulder": 0.5})
    effort = law.effort(model, 0.0, away, state.v)
    free = jd.control.LQR(model, state, Q, 0.1).effort(model, 0.0, away, state.v)
    assert abs(free[0]) > 0.5 and effort[0] == 0.5 * np.sign(free[0]) and effort[1] == free[1]


def test_rotations_are_fed_back_by_their_rotation_vector():
    """A free body turned and shifted: effort = -K (log R0^T R, R0^T (x - x0), v) in body axes."""
    system = jd.System("satellite")
    system.add(jd.RigidBody("bus", mass=10.0, inertia=(1, 2, 3)), joint=jd.Free("free"))
    model = system.compile()
    rng = np.random.default_rng(8)
    state = model.state(moved(model, model.neutral, rng.normal(size=6)))
    law = jd.control.LQR(model, state, 1.0, 0.1)
    assert law.inputs == model.names.v
    for _ in range(5):
        step, v = rng.normal(size=6), rng.normal(size=6)
        expected = -law.gain @ np.concatenate([step, v])
        assert law.effort(model, 0.0, moved(model, state.q, step), v) == pytest.approx(expected, abs=1e-9)
    run = jd.simulate(model, model.state(moved(model, state.q, np.full(6, 0.8))), until=15.0, controller=law)
    assert np.max(np.abs(apart(model, state.q, run.record.q[-1]))) < 1e-3


def test_controllers_name_what_does_not_fit(pendulum):
    model, state = pendulum
    with pytest.raises(jd.errors.ModelError, match="wrist: Q: no such coordinate"):
        jd.control.LQR(model, state, {"wrist": 1.0}, 1.0)
    with pytest.raises(jd.errors.ModelError, match="wrist: inputs: no such velocity"):
        jd.control.LQR(model, state, 1.0, 1.0, inputs=("wrist",))
    with pytest.raises(jd.errors.ModelError, match="shoulder: the state is no equilibrium: .*is no input"):
        jd.control.LQR(model, model.state(), 1.0, 1.0, inputs=("elbow",))
    with pytest.raises(jd.errors.ModelError, match="measured: nothing is"):
        jd.control.LQG(model, state, 1.0, 1.0, 1.0, 1.0)
    law = jd.control.StateFeedback(np.ones((2, 4)), state, ("shoulder", "elbow"))
    with pytest.raises(jd.errors.ModelError, match="the gain has 4 columns; 3 coordinates and their rates take 6"):
        law.bind(model)


@jd.law(states=1)
def wake(t, q, v, z, s, p, effort, dz):
    effort[3] += p[0] * z[0]
    dz[0] = (-v[0] - z[0]) / p[1]


def test_states_that_no_coordinate_shows():
    """A drag that lags behind: its state is refused by name where it is not estimated; with it the poles are right."""
    system = jd.System("sled")
    system.add(jd.RigidBody("sled", 2.0), jd.Prismatic("slide", axis="x", stiffness=3.0))
    system.force("drag", at="sled.origin", force=wake(4.0, 0.5))
    model = system.compile()
    state = model.state()
    with pytest.raises(
        jd.errors.ModelError, match=r"z:wake.*LQR: 1 of the plant's states.*estimate them .jd.control.LQG."
    ):
        jd.control.LQR(model, state, 1.0, 1.0)
    with pytest.raises(jd.errors.ModelError, match=r"z:wake.*GPC: 1 of the plant's states"):
        jd.control.Predictive(model, state, 5, 1.0, 0.01, {"slide": jd.Sine(1, 1)})
    law = jd.control.LQG(model, state, {"slide": (5.0, 1.0)}, 0.1, W=1e-2, V=1e-4, measured=("slide",))
    assert law.plant.states[:2] == ("x:slide", "v:slide") and law.plant.states[2].startswith("z:wake")
    assert law.plant.A == pytest.approx(np.array([[0, 1, 0], [-1.5, 0, 2], [0, -2, -2.0]]), abs=1e-9)
    weighed = jd.control.LQG(
        model, state, {"slide": 5.0, law.plant.states[2]: 1.0}, 0.1, W=1e-2, V=1e-4, measured=("slide",)
    )
    assert weighed.gain != pytest.approx(law.gain, rel=1e-3)
    closed = model.linearize(state, controller=law).eigenvalues
    assert np.sort_complex(closed) == pytest.approx(np.sort_complex(law.poles), abs=1e-7)


def test_filters_are_those_of_python_control():
    hz = np.array([0.1, 3.0, 10.0, 40.0])
    w = 2 * np.pi * 10.0
    s = control.tf("s")
    for mine, theirs in (
        (jd.control.Filter.low_pass(10.0), w / (s + w)),
        (jd.control.Filter.low_pass(10.0, 0.7), w**2 / (s**2 + 1.4 * w * s + w**2)),
        (jd.control.Filter.notch(10.0, 0.2, 0.1), (s**2 + 0.04 * w * s + w**2) / (s**2 + 0.4 * w * s + w**2)),
        (jd.control.Filter.lead_lag(2.0, 20.0), (1 + s / (4 * np.pi)) / (1 + s / (40 * np.pi))),
        (jd.control.Filter.differentiator(10.0), s * w / (s + w)),
    ):
        assert mine.response(hz) == pytest.approx(theirs(2j * np.pi * hz), abs=1e-9)
        assert jd.control.Filter(theirs).response(hz) == pytest.approx(mine.response(hz), abs=1e-9)
        tustin = control.c2d(theirs, 2e-3, "tustin")
        digital = mine.discrete(2e-3)
        assert digital.response(hz) == pytest.approx(tustin(np.exp(2j * np.pi * hz * 2e-3)), abs=1e-6)
        assert mine.discrete(2e-3, prewarp=10.0).response(10.0) == pytest.approx(mine.response(10.0), abs=1e-9)
    both = jd.control.Filter.low_pass(10.0) * jd.control.Filter.notch(30.0)
    product = jd.control.Filter.low_pass(10.0).response(hz) * jd.control.Filter.notch(30.0).response(hz)
    assert both.response(hz) == pytest.approx(product, abs=1e-12)
    low, high = jd.control.Filter.low_pass(10.0), jd.control.Filter.differentiator(10.0)
    assert low.response(hz) + high.response(hz) / w == pytest.approx(np.ones(4), abs=1e-12)  # complementary
    assert low(np.full(50, 3.0), 1e-3) == pytest.approx(np.full(50, 3.0))


def test_filters_chain_before_a_controller(pendulum):
    """A fast filter changes little; one made of positions alone stands in for the velocities."""
    model, state = pendulum
    law = jd.control.LQR(model, state, Q, 0.1)
    begin = model.state({"shoulder": np.pi / 2 + 0.05, "elbow": 0.02})
    plain = jd.simulate(model, begin, until=1.0, step=1e-3, controller=law)
    quick = jd.control.Filtered(law, jd.control.Filter.low_pass(500.0), signal="velocity")
    run = jd.simulate(model, begin, until=1.0, step=1e-4, output=1e-3, controller=quick)
    assert np.max(np.abs(run.record.q - plain.record.q)) < 1e-3
    made = jd.control.Filter.differentiator(200.0).discrete(1e-3)
    blind = jd.control.Filtered(law, made, signal="derivative", state=begin)
    run = jd.simulate(model, begin, until=1.0, step=1e-3, controller=jd.control.Sampled(blind, 1e-3))
    assert np.max(np.abs(run.record.q - plain.record.q)) < 2e-3
    slow = jd.control.Filtered(law, jd.control.Filter.low_pass(0.5), on=("elbow",), signal="effort")
    first = slow.effort(model, 0.0, begin.q, begin.v)
    assert first[1] == 0.0 and first[0] == law.effort(model, 0.0, begin.q, begin.v)[0]


def test_bad_filters_say_what_is_wrong(pendulum):
    model, state = pendulum
    with pytest.raises(jd.errors.ModelError, match="rises without bound"):
        jd.control.Filter([1, 0, 0], [1, 1])
    with pytest.raises(jd.errors.ModelError, match="beyond half the sampling rate"):
        jd.control.Filter.low_pass(10.0).discrete(0.1, prewarp=8.0)
    law = jd.control.LQR(model, state, Q, 0.1)
    with pytest.raises(jd.errors.ModelError, match="signal is .speed.; "):
        jd.control.Filtered(law, jd.control.Filter.low_pass(1.0), signal="speed")
    with pytest.raises(jd.errors.ModelError, match="put the filter inside"):
        jd.control.Filtered(jd.control.Sampled(law, 1e-3), jd.control.Filter.low_pass(1.0)).bind(model)
