"""Predictive control: the digest's numbers, both forms alike, allocation, and tracking in the loop."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

import jourdain as jd
from jourdain.control.predictive import GPC
from jourdain.kernels.linalg.small_dense import least_squares, matrix_exponential, solve_positive
from jourdain.kernels.tree.motions import profile

RTT = np.array([[1.0, 0.0, 0.6], [0.0, 1.0, 0.8]])
"""Three drives for two forces."""


@given(st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=20)
def test_dense_kernels(seed):
    from scipy.linalg import expm

    rng = np.random.default_rng(seed)
    n, more = int(rng.integers(1, 8)), int(rng.integers(0, 6))
    A, b = rng.normal(size=(n + more, n)), rng.normal(size=n + more)
    x, S = np.zeros(n), np.column_stack([A, b])
    assert least_squares(S, n, x) == 0
    assert x == pytest.approx(np.linalg.lstsq(A, b, rcond=None)[0], abs=1e-9 * np.linalg.cond(A))
    assert np.sum(S[n:, n] ** 2) == pytest.approx(np.sum((A @ x - b) ** 2), abs=1e-12)
    H = A.T @ A + np.eye(n)
    X = rng.normal(size=(n, 2))
    Y = X.copy()
    assert solve_positive(H.copy(), Y) == 0 and H @ Y == pytest.approx(X, abs=1e-11)
    assert solve_positive(-H, Y) == 1
    F, E = rng.normal(size=(n, n)), np.zeros((n, n))
    F *= 2.0 * rng.random() / np.max(np.sum(np.abs(F), axis=1))  # a sampling period is short beside the motion
    matrix_exponential(F.copy(), E, np.zeros((n, n)), np.zeros((n, n)))
    doubled = 8.0  # two squarings, each of which doubles the rounding before it, and the condition exp(|F|)
    assert np.linalg.norm(E - expm(F)) < 4.0 * doubled * n * np.finfo(float).eps * np.linalg.norm(E)


@pytest.mark.parametrize("form", ["qr", "normal"])
def test_double_integrator_of_the_digest(form):
    A, B = jd.control.discretize([[0, 1], [0, 0]], [[0], [1]], 0.1)
    gpc = GPC(A, B, [[1, 0]], 10, 1e-3, form)
    assert gpc.state_gain[0] == pytest.approx([21.2901305, 6.5183332], abs=5e-8)
    assert sorted(gpc.poles, key=np.imag) == [
        pytest.approx(0.6208580 - 0.2629689j, abs=5e-8),
        pytest.approx(0.6208580 + 0.2629689j, abs=5e-8),
    ]
    x = np.zeros(2)
    plan = gpc.plan(x, [1.0])
    assert plan.inputs[0] == pytest.approx([21.2901305], abs=5e-8)
    assert plan.cost == pytest.approx(2.0632855, abs=5e-8)
    steps = []
    for _ in range(20):
        x = A @ x + B @ gpc.move(x, [1.0])
        steps.append(x[0])
    assert [steps[k] for k in (0, 4, 9, 19)] == pytest.approx([0.1064507, 0.9271992, 1.0279225, 0.9996736], abs=5e-8)


@pytest.mark.parametrize("form", ["qr", "normal"])
def test_redundant_drives_of_the_digest(form):
    """Drives directly, and generalised forces first: alike where the forces' penalty is that of the drives."""
    I, Z = np.eye(2), np.zeros((2, 2))
    Ac, C, w, rest = np.block([[Z, I], [Z, Z]]), np.hstack([I, Z]), (0.1, -0.05), np.zeros(4)
    direct = GPC(*jd.control.discretize(Ac, np.vstack([np.zeros((2, 3)), RTT / 2]), 0.1), C, 8, 1e-2, form)
    u = direct.move(rest, w)
    assert u == pytest.approx([0.81408584, -0.46130488, 0.11940760], abs=5e-9)
    A, B = jd.control.discretize(Ac, np.vstack([Z, I / 2]), 0.1)
    plain = jd.control.allocate(RTT, GPC(A, B, C, 8, 1e-2, form).move(rest, w))
    assert plain == pytest.approx([0.79306228, -0.48933630, 0.08436833], abs=5e-9)
    matched = GPC(A, B, C, 8, 1e-2 * np.linalg.inv(RTT @ RTT.T), form)
    assert jd.control.allocate(RTT, matched.move(rest, w)) == pytest.approx(u, abs=1e-12)


@given(st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=15)
def test_both_forms_minimise_the_criterion(seed):
    rng = np.random.default_rng(seed)
    n, m, y, N = 4, 2, 2, 6
    A, B, C = 0.5 * rng.normal(size=(n, n)), rng.normal(size=(n, m)), rng.normal(size=(y, n))
    options = {"increments": [0.05, 0.2], "weights": [1.0, 3.0]}
    x, w, c, last = rng.normal(size=n), rng.normal(size=(N, y)), 0.1 * rng.normal(size=n), rng.normal(size=m)
    plans = [GPC(A, B, C, N, 0.1, form, **options).plan(x, w, affine=c, before=last) for form in ("qr", "normal")]
    assert plans[0].inputs == pytest.approx(plans[1].inputs, abs=1e-10)

    def cost(u):
        total, now, before = 0.0, x, last
        for k in range(N):
            now = A @ now + B @ u[k] + c
            total += np.sum([1.0, 3.0] * (C @ now - w[k]) ** 2) + 0.1 * u[k] @ u[k]
            total += np.sum([0.05, 0.2] * (u[k] - before) ** 2)
            before = u[k]
        return total

    best = cost(plans[0].inputs)
    assert plans[0].cost == pytest.approx(best, rel=1e-12)
    for _ in range(5):
        aside = rng.normal(size=(N, m))
        # at a minimum a quadratic function is the same on both sides
        up, down = cost(plans[0].inputs + 1e-3 * aside), cost(plans[0].inputs - 1e-3 * aside)
        assert up - best > 0.0 and up == pytest.approx(down, rel=1e-9)


@given(st.integers(0, 2**32 - 1))
@settings(deadline=None, max_examples=30)
def test_allocation_gives_the_force_and_keeps_the_signs(seed):
    rng = np.random.default_rng(seed)
    T, FM, least = rng.normal(size=(3, 5)), rng.normal(size=3), rng.uniform(0.0, 0.5, 5)
    signs = np.sign(rng.normal(size=5))
    u = jd.control.allocate(T, FM)
    assert T @ u == pytest.approx(FM, abs=1e-10) and u == pytest.approx(np.linalg.pinv(T) @ FM, abs=1e-10)
    possible = linprog(np.zeros(5), -np.diag(signs), -least, T, FM, bounds=(None, None)).status == 0
    if not possible:
        with pytest.raises(jd.errors.ModelError, match="least: the null space cannot keep the signs of drives"):
            jd.control.allocate(T, FM, least=least, signs=signs)
        return
    kept = jd.control.allocate(T, FM, least=least, signs=signs)
    assert T @ kept == pytest.approx(FM, abs=1e-8)
    assert np.all(signs * kept >= least - 1e-8)
    assert np.linalg.norm(kept) >= np.linalg.norm(u) - 1e-9


def arm(scale=1.0):
    system = jd.System("arm", gravity=(0, -9.81, 0))
    upper = jd.RigidBody(
        "upper", mass=3 * scale, com=(0.3, 0, 0), inertia=(0.01, 0.1, 0.1), frames={"tip": (0.6, 0, 0)}
    )
    system.add(upper, joint=jd.Revolute("shoulder", axis="z"))
    fore = jd.RigidBody("fore", mass=2 * scale, com=(0.25, 0, 0), inertia=(0.01, 0.05, 0.05))
    system.add(fore, joint=jd.Revolute("elbow", axis="z"), to="upper.tip")
    return system.compile()


REFERENCE = {"shoulder": jd.Cycloid(to=0.8, duration=1.0), "elbow": jd.Cycloid(to=-1.0, duration=1.0)}


def off(run, state):
    """Largest distance from the reference."""
    found = []
    for i, (name, motion) in enumerate(REFERENCE.items()):
        numbers = motion.numbers(state.q[i], name)
        wanted = [profile.py_func(motion.code, numbers, 0, t)[0] for t in run.time.values]
        found.append(np.max(np.abs(run.q[name].values - wanted)))
    return max(found)


@pytest.fixture(scope="module")
def tracked():
    """Runs of the arm under predictive control: gains beforehand, and relinearised in both forms."""
    model = arm()
    state = model.state({"shoulder": -1.2, "elbow": 0.4})
    out = {}
    for name, options in {
        "scheduled": {"relinearize": False},
        "qr": {},
        "normal": {"form": "normal"},
    }.items():
        law = jd.control.Predictive(model, state, 15, 1e-9, 0.01, REFERENCE, **options)
        out[name] = jd.simulate(model, state, until=1.5, step=1e-3, controller=jd.control.Sampled(law, 0.01))
    return model, state, out


def test_relinearised_control_follows_a_motion_that_fixed_gains_do_not(tracked):
    """A swing of 2 rad: the linearisation at every sample predicts it to the second order in the horizon of 0.15 s."""
    _, state, runs = tracked
    assert off(runs["qr"], state) < 2e-5 < 1e-3 < off(runs["scheduled"], state)
    assert np.max(np.abs(runs["qr"].record.q - runs["normal"].record.q)) < 1e-9


def test_effort_is_the_plan_of_the_linear_design(tracked):
    """At the state that it was linearised about, both laws give what the design says for the linear plant."""
    model, state, _ = tracked
    w = np.array([[profile.py_func(m.code, m.numbers(state.q[i], n), 0, 0.01 * k)[0] - state.q[i]
                   for i, (n, m) in enumerate(REFERENCE.items())] for k in range(1, 16)])  # fmt: skip
    for relinearize, tolerance in ((False, 1e-9), (True, 1e-5)):
        law = jd.control.Predictive(model, state, 15, 1e-9, 0.01, REFERENCE, relinearize=relinearize, increments=1e-8)
        expected = law.design.move(np.zeros(4), w)
        given = law.effort(model, 0.0, state.q, state.v) - model.inverse_dynamics(state)
        if not relinearize:
            assert given == pytest.approx(expected, abs=tolerance)
        else:
            # the penalty is on the whole effort there, that of gravity included
            assert given == pytest.approx(expected, rel=0.05)


def test_models_that_are_wrong_by_a_fifth_still_follow():
    plant = arm(1.2)
    model = arm()
    state = model.state({"shoulder": -1.2, "elbow": 0.4})
    law = jd.control.Predictive(model, state, 15, 1e-9, 0.01, REFERENCE)
    run = jd.simulate(plant, state, until=1.5, step=1e-3, controller=jd.control.Sampled(law, 0.01))
    assert off(run, state) < 0.02


MODEL_STATE = {"shoulder": -1.2}
BAD = {
    "form": (lambda: GPC(np.eye(2), np.ones((2, 1)), np.eye(2), 5, 1.0, "cholesky"), "form: got 'cholesky'"),
    "horizon": (lambda: GPC(np.eye(2), np.ones((2, 1)), np.eye(2), 0, 1.0), "horizon: got 0"),
    "sizes": (lambda: GPC(np.eye(2), np.ones((3, 1)), np.eye(2), 5, 1.0), "B: has 3 rows; A has 2"),
    "penalty": (
        lambda: GPC(np.eye(2), np.ones((2, 1)), np.eye(2), 5, [1.0, 2.0]),
        r"penalty: has shape \(2,\); there are 1",
    ),
    "undetermined": (
        lambda: GPC(np.eye(2), np.zeros((2, 1)), np.eye(2), 5, 0.0).move([0, 0], 1),
        "the inputs are not determined",
    ),
    "reference": (
        lambda: GPC(np.eye(2), np.ones((2, 1)), np.eye(2), 5, 1.0).move([0, 0], [1, 2, 3]),
        "give .5, 2. or .2,.",
    ),
    "drives": (lambda: jd.control.allocate(RTT.T, [1, 2, 3]), "2 drives do not give every one of 3 forces"),
    "name": (
        lambda: jd.control.Predictive(arm(), arm().state(MODEL_STATE), 5, 1.0, 0.01, {"elbw": jd.Sine(1, 1)}),
        'elbw: reference: no such coordinate; did you mean "elbow"',
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_designs_say_what_is_wrong(name):
    make, text = BAD[name]
    with pytest.raises(jd.errors.ModelError, match=text):
        make()


def test_a_limit_that_the_plan_does_not_know_is_refused():
    """A cart that is to go 1 m at once with 0.5 N: cut inputs overshoot by 0.6 m; with a larger penalty and a longer
    horizon the plan keeps within the limit, and overshoots by a quarter of that."""
    system = jd.System("cart")
    system.add(jd.RigidBody("cart", 1.0, inertia=(1, 1, 1)), jd.Prismatic("x", axis="x"))
    model = system.compile()
    goal = {"x": jd.Cycloid(to=1.0, duration=0.05)}
    with pytest.raises(jd.errors.ModelError, match="knows no limits: .*cut=True, or leave limit out and give a larger"):
        jd.control.Predictive(model, model.state(), 10, 1e-3, 0.1, goal, limit=0.5)

    def furthest(penalty, horizon, **told):
        law = jd.control.Predictive(model, model.state(), horizon, penalty, 0.1, goal, relinearize=False, **told)
        run = jd.simulate(model, model.state(), until=15.0, step=0.01, controller=jd.control.Sampled(law, 0.1))
        return float(np.max(run.q["x"])), float(np.max(np.abs(run.effort["x"])))

    far, most = furthest(1e-3, 10, limit=0.5, cut=True)
    assert most == pytest.approx(0.5) and far > 1.55
    far, most = furthest(10.0, 30)
    assert most < 0.5 and far < 1.16
