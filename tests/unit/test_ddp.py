"""Differential dynamic programming: exact values of the discrete problem, derivatives, limits, feedback, contact."""

from __future__ import annotations

import numpy as np
import pytest
from control_arms import planar_arm
from differences import sixth
from optimal_systems import CART, ODD, SWING, flyer_reach, hopper
from scipy.linalg import expm, solve_discrete_are
from sensitive_systems import driven, flexible, orbiting, rigid, started

import jourdain as jd
from jourdain.kernels.optimal.multiple_shooting import shooting_jacobian_rows, shooting_rows
from jourdain.methods.optimal.shooting_problem import shooting_arrays

o = jd.optimal


@pytest.fixture(scope="module")
def flyer():
    return flyer_reach()


@pytest.fixture(scope="module")
def reach():
    arm = planar_arm(2, gravity=0.0)
    limits = {"effort:j0": (-60.0, 60.0), "effort:j1": (-30.0, 30.0), "v:j1": (-2.5, 2.5)}
    start = arm.state(q={"j0": 0.2, "j1": 0.4})
    problem = o.Problem(arm, start, until=1.0, end={"j0": 1.0, "j1": -0.4}, cost=o.effort(), limits=limits)
    return problem, problem.solve("ddp", intervals=40)


def walk(task, sh, T, p, X, U):
    """Where intervals lead and what they cost, by the kernels."""
    sh.controlled.p[:] = p
    fractions, latched = np.linspace(0, 1, len(X)), np.tile(getattr(task.plant, "begun", np.zeros(0)), (len(X), 1))
    ends, cost = np.zeros((len(X) - 1, X.shape[1])), np.zeros(len(X) - 1)
    shooting_rows.ready().python(sh, task.begin, T, fractions, X, U, latched, ends, cost)
    return ends, cost


def partials(task, sh, T, p, X, U, width):
    sh.controlled.p[:] = p
    N, nx = len(X) - 1, X.shape[1]
    fractions, latched = np.linspace(0, 1, len(X)), np.tile(getattr(task.plant, "begun", np.zeros(0)), (len(X), 1))
    out = np.zeros((N, nx)), np.zeros(N), np.zeros((N, nx, width)), np.zeros((N, width)), np.zeros((N, width, width))
    remembered = np.zeros(latched.shape[1])
    shooting_jacobian_rows.ready().python(sh, task.begin, T, fractions, X, U, latched, remembered, *out)
    return out


def compare_steps(task, sh, rng, X, linear, T=0.7, h=3e-3):
    """Error of the slopes of ends of steps and of their cost, by first state, inputs, duration and parameters."""
    nx, nu, count = task.nx, task.nu, task.parameters
    U, p = rng.normal(size=(2, nu)), 5.0 + rng.random(count)
    width = nx + nu * (1 + linear) + 1 + count
    ends, cost, S, g, _ = partials(task, sh, T, p, X, U, width)
    again = walk(task, sh, T, p, X, U)
    assert ends == pytest.approx(again[0], abs=1e-12) and cost == pytest.approx(again[1], abs=1e-12)

    def moved(k, by):
        x, u, t, q = X.copy(), U.copy(), T, p.copy()
        if k < nx:
            x[0, k] += by
        elif k < width - 1 - count:
            u.ravel()[k - nx] += by
        elif k == width - 1 - count:
            t += by
        else:
            q[k - width + count] += by
        end, cost = walk(task, sh, t, q, x, u)
        return np.append(end[0], cost[0])

    wanted = np.stack([sixth(lambda by, k=k: moved(k, by), h) for k in range(width)], 1)
    return np.max(np.abs(np.vstack([S[0], g[0]]) - wanted)) / max(1.0, np.max(np.abs(wanted)))


@pytest.mark.parametrize("integrator, linear", [("rk4", True), ("rk4", False), ("semi-implicit", False)])
def test_derivatives_of_steps(flyer, integrator, linear):
    """Two steps of equations in which time is and nothing is affine, and of a body whose quaternion is not of length
    one, against differences of sixth order, which err by 1e-12."""
    rng = np.random.default_rng(4)
    problem = o.Problem(
        ODD, {"x": 0.1, "v": 0.2}, until=1.0, cost=o.effort() + o.square("x", 0.3) + o.integral("v"),
        unknowns={"k": (1, 20)},
    )  # fmt: skip
    for task in (problem.task, flyer.task):
        if task is problem.task and integrator != "rk4":
            continue
        X = np.tile(task.x_start[:, 0], (2, 1)) + 0.2 * rng.normal(size=(2, task.nx))
        assert compare_steps(task, shooting_arrays(task, integrator, 2, linear, unknown=True), rng, X, linear) < 1e-10


@pytest.mark.parametrize("make", [rigid, driven, pytest.param(flexible, marks=pytest.mark.slow), orbiting])
def test_derivatives_of_steps_of_random_models(make):
    """Trees on springs, with a geared elastic drive, with a beam, and in the frame of an orbit."""
    rng = np.random.default_rng(5)
    model, state = started(make, rng)
    problem = o.Problem(model, state, until=0.02, cost=o.effort() + o.square("v:j0"), inputs=("j0", "j1"))
    task = problem.task
    X = np.tile(np.concatenate([state.q, state.v]), (2, 1))
    assert compare_steps(task, shooting_arrays(task, "rk4", 2, True, unknown=True), rng, X, True, 0.02, 1e-3) < 1e-10


def test_least_effort_with_constant_inputs_is_exact():
    """N constant inputs: the least is 12 / (1 - 1 / N^2), linear in the middles of the intervals."""
    best = o.Problem(CART, {"x": 0, "v": 0}, until=1.0, end={"x": 1, "v": 0}, cost=o.effort()).solve("ddp", intervals=8)
    assert best.converged and best.cost == pytest.approx(12.0 / (1.0 - 1.0 / 64.0), rel=1e-5)
    assert best.error == pytest.approx(0.0, abs=1e-12)  # a parabola, which the method has


def test_what_cannot_be_met_is_named():
    """Too little effort, and too little speed: the trajectory that comes nearest says what it misses."""
    for limits, words in (
        ({"u": (-2.0, 2.0)}, "end: x is missed by 0.4"),
        ({"v": (-0.5, 0.5)}, "limits: v is missed by"),
    ):
        end = {"x": 1.0, "v": 0.0}
        problem = o.Problem(CART, {"x": 0, "v": 0}, until=1.0, end=end, cost=o.effort(), limits=limits)
        with pytest.raises(jd.errors.OptimisationError, match=words) as told:
            problem.solve("ddp")
        near = problem.solve("ddp", allow_unconverged=True)
        assert not near.converged and words in near.status and words in repr(near)
        assert told.value.partial.cost == near.cost and told.value.partial.status == near.status


def test_order_of_constant_inputs():
    """31.2759 by Pontryagin's equations: what constant inputs cost more falls with the square of their length."""
    swing = o.Problem(SWING, {"x": 0, "v": 0}, until=1.0, end={"x": 1.5, "v": 0}, cost=o.effort())
    coarse, fine = (swing.solve("ddp", intervals=n, feasibility=1e-8).cost for n in (20, 40))
    assert (4.0 * fine - coarse) / 3.0 == pytest.approx(31.2759, abs=1e-4)
    assert np.log2((coarse - 31.27588) / (fine - 31.27588)) == pytest.approx(2.0, abs=0.02)


def test_gains_are_those_of_riccati():
    """Far from the end: the gain of the sampled regulator, its integrals by van Loan's exponential (1978)."""
    h, A, B = 0.05, np.array([[0, 1.0], [0, 0]]), np.array([[0.0], [1.0]])
    whole = np.zeros((6, 6))
    F, Q = np.block([[A, B], [np.zeros((1, 3))]]), np.diag([1.0, 0.5, 2.0])
    whole[:3, :3], whole[:3, 3:], whole[3:, 3:] = -F.T, Q, F
    grown = expm(h * whole)
    D = grown[3:, 3:]
    W = D.T @ grown[:3, 3:]
    P = solve_discrete_are(D[:2, :2], D[:2, 2:], W[:2, :2], W[2:, 2:], s=W[:2, 2:])
    G = W[2:, 2:] + D[:2, 2:].T @ P @ D[:2, 2:]
    wanted = -np.linalg.solve(G, D[:2, 2:].T @ P @ D[:2, :2] + W[2:, :2])
    cost = o.square("x") + 0.5 * o.square("v") + 2.0 * o.effort()
    best = o.Problem(CART, {"x": 1, "v": 0}, until=20.0, cost=cost).solve("ddp", intervals=400)
    assert best.gains[0] == pytest.approx(wanted, abs=1e-7)  # Simpson's rule of a quartic: h^4 / 120


def test_limits_and_ends(reach):
    """The cost of collocation, more by what constant inputs cost; limits of inputs exactly, others as told.

    Where a limit of a state begins and ends to act falls between nodes, so that the order is between one and two.
    """
    problem, best = reach
    assert best.converged
    assert np.all(np.abs(best.inputs) <= [60.0, 30.0]) and np.max(np.abs(best["v:j1"])) <= 2.5 * (1.0 + 1e-6)
    assert best.states[-1] == pytest.approx([1.0, -0.4, 0.0, 0.0], abs=1e-5)
    finer = problem.solve("ddp", intervals=80, guess=best)
    pytest.importorskip("casadi")
    exact = problem.solve("collocation", intervals=40).cost
    assert 1.0 < np.log2((best.cost - exact) / (finer.cost - exact)) < 2.1


def test_feedback_holds_the_way(reach):
    """Begun a little beside, the efforts alone end beside too; with the gains the deviation is a tenth at most."""
    problem, best = reach
    model = problem.model
    aside = model.state(q={"j0": 0.25, "j1": 0.35})
    along = jd.simulate(model, problem.plant.state, 1.0, controller=best.efforts)
    assert along.record.q[-1] == pytest.approx([1.0, -0.4], abs=10 * best.error + 1e-5)
    ends = [jd.simulate(model, aside, 1.0, controller=one).record.q[-1] for one in (best.efforts, best.feedback)]
    alone, held = (np.linalg.norm(end - [1.0, -0.4]) for end in ends)
    assert held < 0.1 * alone


def test_rotations_are_points_of_a_group(flyer):
    """A free flyer turns by a right angle; its quaternions are of length one, and feedback is of six displacements."""
    best = flyer.solve("ddp", intervals=24, feasibility=1e-7)
    assert best.converged and best.gains.shape == (24, 7, 14)
    assert np.linalg.norm(best.states[:, 3:7], axis=1) == pytest.approx(1.0, abs=1e-14)
    wanted = flyer.model.state(q=flyer.end).q
    run = jd.simulate(flyer.model, flyer.model.state(), 3.0, controller=best.efforts)
    assert run.record.q[-1] == pytest.approx(wanted, abs=1e-5)
    aside = flyer.model.state(q={"elbow": 0.1, "base": jd.Pose((0.05, 0, 0))})
    ends = [jd.simulate(flyer.model, aside, 3.0, controller=one).record.q[-1] for one in (best.efforts, best.feedback)]
    alone, held = (np.linalg.norm(end - wanted) for end in ends)
    assert held < 0.3 * alone


def test_a_hopper_leaps_through_its_contact():
    """The leg pushes off a floor: the height that the law of contact lets it reach is that of a simulation."""
    model, start = hopper()
    problem = o.Problem(
        model, start, until=0.5, inputs=("leg",), rest=False, limits={"effort:leg": (-150.0, 50.0)},
        cost=1e-4 * o.effort() + 200.0 * o.final_square("height", 0.8) + 20.0 * o.final_square("leg", -0.5),
    )  # fmt: skip
    best = problem.solve("ddp", intervals=25, steps=10, gaps=False, accuracy=1e-5)
    assert best["height"][-1] == pytest.approx(0.8, abs=0.02)  # the effort costs something too
    assert np.max(best["height"] + best["leg"]) > 0.1  # the foot leaves the floor
    run = jd.simulate(model, start, 0.5, controller=best.efforts)
    assert run.record.q[-1] == pytest.approx(best.states[-1, :2], abs=10 * best.error)


@pytest.mark.parametrize(
    "options, told",
    [
        (dict(until=(0.5, 2.0)), "until: .*fixed final time"),
        (dict(periodic=["v"]), "periodic: .*begins at a given state"),
        (dict(free=["v"]), "free: .*begins at a given state"),
    ],
)
def test_what_it_does_not_know(options, told):
    given = dict(until=1.0, cost=o.effort()) | options
    with pytest.raises(jd.JourdainError, match=told):
        o.Problem(CART, {"x": 0, "v": 0}, **given).solve("ddp")


def test_mistakes_are_named(reach):
    problem = o.Problem(CART, {"x": 0, "v": 0}, until=1.0, end={"x": 1.0}, cost=o.effort())
    for options, told in (
        (dict(integrator="euler"), "integrator: got"),
        (dict(integrator="semi-implicit"), 'take "rk4"'),
        (dict(steps=0), "steps: got 0"),
        (dict(intervals=0), "intervals: got 0"),
    ):
        with pytest.raises(jd.JourdainError, match=told):
            problem.solve("ddp", **options)
    with pytest.raises(jd.JourdainError, match="u: is an input"):
        o.Problem(CART, {"x": 0, "v": 0}, until=1.0, cost=o.effort() + o.final("u")).solve("ddp")
    impossible = o.Problem(
        CART, {"x": 0, "v": 0}, until=1.0, end={"x": 1.0, "v": 0.0}, cost=o.effort(), limits={"u": (-2.0, 2.0)}
    )
    with pytest.raises(jd.errors.OptimisationError, match="missed by"):
        impossible.solve("ddp", intervals=10, rounds=8)
