"""Observed orders of the methods, on rotations too: a method on the group keeps the order it has on numbers."""

import numpy as np
import pytest

import jourdain as jd

ORDERS = {"euler": 1, "heun": 2, "rk3": 3, "rk4": 4, "rk5": 5}


def spinning_top() -> tuple[jd.Model, jd.State]:
    top = jd.System("top", gravity=(0, 0, -9.81))
    top.add(jd.RigidBody("top", mass=2.0, com=(0, 0, 0.5), inertia=(0.3, 0.2, 0.15)), joint=jd.Spherical("pivot"))
    model = top.compile()
    return model, model.state(q={"pivot": (np.cos(0.3), np.sin(0.3), 0, 0)}, v={"pivot": (1.0, -2.0, 4.0)})


def free_body() -> tuple[jd.Model, jd.State]:
    body = jd.System("free body", gravity=(0.0, 0.5, -1.0))
    body.add(jd.RigidBody("body", mass=2.0, com=(0.3, -0.2, 0.5), inertia=(0.3, 0.2, 0.15)), joint=jd.Free("free"))
    model = body.compile()
    return model, model.state(v={"free": (1.0, -2.0, 3.0, 0.5, 0.4, -1.0)})


def mixed_chain() -> tuple[jd.Model, jd.State]:
    chain = jd.System("chain", gravity=(0, 0, -9.81))
    joints = (
        jd.Revolute("a", axis="y", stiffness=5.0, damping=0.1),
        jd.Universal("b", axes=("x", "y")),
        jd.Spherical("c"),
        jd.Prismatic("d", axis="x", stiffness=80.0),
    )
    for i, joint in enumerate(joints):
        link = jd.RigidBody(
            f"link{i}", mass=1.0, com=(0.25, 0, 0), inertia=(0.01, 0.02, 0.025), frames={"tip": (0.5, 0, 0)}
        )
        chain.add(link, joint, to=f"link{i - 1}.tip" if i else "world")
    model = chain.compile()
    return model, model.state(q={"a": 0.5, "b.a": 0.3}, v={"c.wx": 2.0, "b.b": -1.0})


CASES = {"spinning top": spinning_top, "free body": free_body, "mixed chain": mixed_chain}
COUNTS = {
    "euler": (3200, 6400),
    "heun": (800, 1600),
    "rk3": (400, 800),
    "rk4": (400, 800),
    "rk5": (200, 800),
    "dopri5": (200, 800),
    "dop853": (24, 48),
}
"""Numbers of steps between which an order is measured: few enough for the error to stand above rounding."""


@pytest.fixture(scope="module", params=CASES)
def case(request):
    """A model, a state, the run from it by dop853 at the tightest tolerance, and numbers of steps."""
    model, state = CASES[request.param]()
    easy = 4 if request.param == "free body" else 1
    counts = {method: (a // easy, b // easy) for method, (a, b) in COUNTS.items()}
    return model, state, jd.simulate(model, state, until=1.0, rtol=1e-14, atol=1e-15, output=0.05), counts


def error(run: jd.Run, truth: jd.Run) -> float:
    """Largest difference of coordinates and velocities at the end."""
    q, v = run.record.q[-1] - truth.record.q[-1], run.record.v[-1] - truth.record.v[-1]
    return float(np.max(np.abs(np.concatenate([q, v]))))


def slope(steps, errors) -> float:
    """Slope of a straight line through errors over step counts, both logarithmic; orders are positive."""
    return -np.polyfit(np.log(steps), np.log(errors), 1)[0]


@pytest.mark.parametrize("method", ORDERS)
def test_fixed_step_orders(case, method):
    model, state, truth, counts = case
    counts = counts[method]
    errors = [error(jd.simulate(model, state, 1.0, step=1.0 / n, method=method, output=1.0), truth) for n in counts]
    assert slope(counts, errors) == pytest.approx(ORDERS[method], abs=0.2)


@pytest.mark.parametrize(("method", "order"), [("dopri5", 5), ("dop853", 8)])
def test_orders_of_the_adaptive_methods_at_forced_steps(case, method, order):
    model, state, truth, counts = case
    counts = counts[method]
    errors = []
    for n in counts:
        run = jd.simulate(model, state, 1.0, method=method, rtol=1e3, atol=1e3, max_step=1.0 / n)
        errors.append(error(run, truth))
    assert slope(counts, errors) == pytest.approx(order, abs=0.3)


@pytest.mark.parametrize("method", ["dopri5", "dop853"])
def test_the_error_follows_the_tolerance(case, method):
    model, state, truth, _ = case
    tolerances = np.array([1e-5, 1e-7, 1e-9, 1e-11])
    errors = [error(jd.simulate(model, state, 1.0, method=method, rtol=t, atol=0.01 * t), truth) for t in tolerances]
    assert np.all(np.array(errors) < 100.0 * tolerances)
    assert np.polyfit(np.log(tolerances), np.log(errors), 1)[0] == pytest.approx(1.0, abs=0.2)


@pytest.mark.parametrize("method", ["dopri5", "dop853"])
@pytest.mark.parametrize("tolerance", [1e-6, 1e-10])
def test_dense_output_is_as_good_as_the_steps(case, method, tolerance):
    model, state, truth, _ = case
    run = jd.simulate(model, state, 1.0, method=method, rtol=tolerance, atol=0.01 * tolerance, output=0.05)
    assert np.array_equal(run.record.time, truth.record.time)
    assert np.max(np.abs(run.record.q - truth.record.q)) < 50.0 * tolerance
    assert np.max(np.abs(run.record.v - truth.record.v)) < 200.0 * tolerance
    # what is interpolated stays on the group, and its energies and efforts are those of the state it shows
    for j, _, free in model.arrays.rotations.array:
        lengths = np.linalg.norm(run.record.q[:, j + 3 * free : j + 3 * free + 4], axis=1)
        assert np.max(np.abs(lengths - 1.0)) < 1e-13
    assert run.record.energy[7, 0] == pytest.approx(model.energy(run.state(7)).kinetic, rel=1e-13)


@pytest.mark.parametrize("method", ["heun", "rk4"])
def test_the_energy_balance_closes_at_the_order_of_the_method(method):
    model, state = mixed_chain()
    counts = {"heun": (400, 800), "rk4": (200, 400)}[method]
    errors = [jd.simulate(model, state, 1.0, step=1.0 / n, method=method, output=0.05).energy.error for n in counts]
    assert slope(counts, errors) > ORDERS[method] - 0.3
