"""Trajectory optimisation: derivatives of the program, names, errors, and what becomes of a solution."""

from __future__ import annotations

import math

import numpy as np
import pytest
from control_arms import planar_arm, spatial_arm
from differences import sixth
from installed import needs
from optimal_systems import CART, ODD, cart_rates, flyer_reach, free_flyer

import jourdain as jd
from jourdain.methods.optimal import ipopt
from jourdain.methods.optimal.guesses import first_guess
from jourdain.methods.optimal.model_plant import ModelPlant
from jourdain.methods.optimal.plants import Nodes
from jourdain.methods.optimal.schemes import POINTS, even_mesh, scheme_named
from jourdain.methods.optimal.transcription import Transcription

needs("casadi")
o = jd.optimal


@pytest.fixture(scope="module")
def arm():
    return planar_arm(2, gravity=0.0)


@pytest.fixture(scope="module")
def reach(arm):
    """The arm reaches over in a second, within limits of effort and speed."""
    limits = {"effort:j0": (-60.0, 60.0), "effort:j1": (-30.0, 30.0), "v:j1": (-2.5, 2.5)}
    problem = o.Problem(
        arm, arm.state(q={"j0": 0.2, "j1": 0.4}), until=1.0, end={"j0": 1.0, "j1": -0.4}, cost=o.effort(), limits=limits
    )
    return problem.solve(intervals=20, tolerance=1e-6)


def dense(program, which, x, *more):
    at = program.jacobian_at if which == "jacobian" else program.hessian_at
    out = np.zeros((len(program.g_low), len(x)) if which == "jacobian" else (len(x), len(x)))
    np.add.at(out, at, getattr(program, which)(x, *more))
    return out


@pytest.mark.parametrize("scheme", POINTS)
def test_derivatives_of_the_program(scheme):
    """Gradient, Jacobian and Hessian against differences of sixth order, at random unknowns in random scales."""
    problem = o.Problem(
        ODD, {"x": 0.1, "v": 0.2}, until=(0.5, 3.0), end={"power": (-1.0, 1.0)}, periodic=["v"],
        unknowns={"k": (1, 20)},
        cost=o.effort() + 0.3 * o.integral("power") + 0.2 * o.square("power", 0.1) + 2.0 * o.time()
        + 0.5 * o.final_square("x", 1.0) + 0.2 * o.final("power"), limits={"power": (-5.0, 5.0)},
    )  # fmt: skip
    rng = np.random.default_rng(3)
    mesh = even_mesh(scheme_named(scheme), 3)
    count = mesh.size * 3 + 2
    program = Transcription(problem.task, mesh, 0.5 + rng.random(count), "exact")
    x, multipliers = rng.random(count), rng.normal(size=len(program.g_low))

    def lagrange(y):
        return 0.7 * program.gradient(y) + dense(program, "jacobian", y).T @ multipliers

    def by_unknowns(f):
        return np.stack([sixth(lambda h, e=e: f(x + h * e)) for e in np.eye(count)], -1)

    rows, slope, bend = by_unknowns(program.constraints), by_unknowns(program.value), by_unknowns(lagrange)
    found = np.tril(dense(program, "hessian", x, 0.7, multipliers))
    assert dense(program, "jacobian", x) == pytest.approx(rows, abs=1e-10)
    assert program.gradient(x) == pytest.approx(slope, abs=1e-10)
    assert found + np.tril(found, -1).T == pytest.approx(bend, abs=1e-9)


@pytest.mark.parametrize("which", ["arm", "flyer"])
def test_derivatives_of_a_model(which):
    """Rates and quantities against differences of sixth order, with quaternions that are not quite of length one."""
    model = spatial_arm() if which == "arm" else free_flyer()
    names = ["l6.tip.x", "l6.tip.wy", "l6.tip.speed", "distance:l6.tip:l2.tip", "energy:kinetic", "reaction:j0.force"]
    names = names if which == "arm" else ["link.tip.x", "link.tip.vy", "effort:elbow", "v:base.wx"]
    plant = ModelPlant(model, model.state(v=0.3 * np.ones(model.nv)))
    rng = np.random.default_rng(1)
    X = np.concatenate([plant.state.q, plant.state.v]) + 0.05 * rng.normal(size=(3, len(plant.states)))
    nodes = Nodes(np.linspace(0, 1, 3), X, rng.normal(size=(3, len(plant.inputs))), np.zeros(0))

    def differences(f):
        return np.stack([sixth(lambda h, j=j: f(nodes.moved(j, h)), 1e-3) for j in range(nodes.local)], -1)

    rates, partials = plant.partials(nodes)
    assert rates == pytest.approx(plant.rates(nodes), abs=1e-12)
    assert np.max(np.abs(partials - differences(plant.rates))) < 1e-10 * np.max(np.abs(partials))
    assert np.all((np.abs(partials[:, :, :-1]).max(axis=0) < 1e-12) | plant.pattern)
    for name in names:
        found = plant.quantity(name)
        values, partials = found.partials(nodes)
        assert values == pytest.approx(found.values(nodes), abs=1e-12), name
        wanted = differences(found.values)
        assert np.max(np.abs(partials - wanted)) < 1e-8 * max(1.0, np.max(np.abs(wanted))), name


def test_a_model_without_formulas_takes_a_complex_step():
    system = jd.System("orbiting", environment=jd.Orbit(altitude=500e3, eccentricity=0.1))
    system.add(jd.RigidBody("craft", 10.0, inertia=(3, 4, 5)), jd.Planar("drift"))
    system.add(
        jd.RigidBody("link", 2.0, (0.5, 0, 0), (0.1, 0.2, 0.2)), jd.Revolute("elbow", axis="z"), to="craft.origin"
    )
    model = system.compile()
    plant = ModelPlant(model, model.state(), ("elbow",))
    rng = np.random.default_rng(1)
    nodes = Nodes(np.zeros(2), 0.3 * rng.normal(size=(2, 8)), rng.normal(size=(2, 1)), np.zeros(0))
    partials = plant.partials(nodes)[1]
    for j in range(9):
        assert partials[:, :, j] == pytest.approx(sixth(lambda h, j=j: plant.rates(nodes.moved(j, h))), abs=1e-8)


def test_efforts_and_motions_drive_a_simulation(arm, reach):
    """Feedforward alone arrives within the error of the collocation, prescribed motions exactly."""
    assert reach.converged and reach.error < 1e-6
    start = arm.state(q={"j0": 0.2, "j1": 0.4})
    run = jd.simulate(arm, start, 1.0, controller=reach.efforts)
    assert run.record.q[-1] == pytest.approx([1.0, -0.4], abs=1e-5)
    assert run.record.v[-1] == pytest.approx([0.0, 0.0], abs=1e-4)
    followed = jd.simulate(arm, start, 1.0, motions=reach.motions)
    assert followed.record.q[-1] == pytest.approx([1.0, -0.4], abs=1e-9)
    assert np.max(np.abs(reach["effort:j1"])) <= 30.0 + 1e-6 and np.max(np.abs(reach["v:j1"])) <= 2.5 + 1e-6


def test_a_trajectory_is_a_run(reach, tmp_path):
    run = reach.run
    assert run.q["j0"].values[-1] == pytest.approx(1.0) and run.trusted
    assert np.trapezoid(np.sum(run.record.effort**2, axis=1), run.record.time) == pytest.approx(reach.cost, rel=1e-2)
    page = reach.report(tmp_path / "best.html")
    assert "cost" in page.read_text(encoding="utf-8")


def test_a_guess_is_taken(reach):
    assert reach.problem.solve(intervals=20, guess=reach).iterations < reach.history["iterations"][0]
    # on the first mesh, whose solution is one whatever the guess, to the accuracy of the solver
    again = reach.problem.solve(intervals=20, guess=reach.run)
    assert again.cost == pytest.approx(reach.history["cost"][0], rel=1e-7)
    with pytest.raises(jd.JourdainError, match="guess: got 3"):
        reach.problem.solve(guess=3)


def test_curvature_from_elsewhere_leads_to_the_same_place(reach):
    for hessian in ("gauss-newton", "l-bfgs"):
        found = reach.problem.solve(intervals=20, hessian=hessian)
        assert found.cost == pytest.approx(reach.history["cost"][0], rel=1e-5)


def test_a_free_flyer_turns_round():
    """Quaternions end where they are to, with the rest of the pose; the simulation gets there too."""
    problem = flyer_reach()
    model = problem.model
    best = problem.solve(intervals=16)
    run = jd.simulate(model, model.state(), 3.0, controller=best.efforts)
    wanted = model.state(q=problem.end).q
    assert run.record.q[-1] == pytest.approx(wanted, abs=1e-5)
    # rates keep the length; each of the 16 intervals may change it by its error, which is over 1 + the size of a state
    most = 16 * best.error * (1.0 + np.max(np.abs(best.states)))
    assert most < 1e-3 and np.linalg.norm(best.states[:, 3:7], axis=1) == pytest.approx(1.0, abs=most)


def test_a_flexible_arm_comes_to_rest():
    """Modes end where they stay: behind the end, held by the planned effort, nothing moves."""
    system = jd.System("slew")
    hub = jd.RigidBody("hub", 5.0, inertia=(1, 1, 1))
    system.add(hub, jd.Revolute("axis", axis="z"))
    system.add(jd.Beam("boom", 3.0, 0.8, 2e6, 400.0, 70.0, jd.Modes(bending_y=1)), jd.Weld("root"), to="hub.origin")
    model = system.compile()
    problem = o.Problem(model, model.state(), until=2.0, end={"axis": 0.5}, cost=o.effort())
    best = problem.solve(intervals=40, scheme="radau", tolerance=1e-8)
    run = jd.simulate(model, model.state(), 4.0, controller=best.efforts, output=0.01)
    after = run.record.time > 2.0
    assert run.q["axis"].values[after] == pytest.approx(0.5, abs=1e-6)
    assert np.ptp(run.record.q[after, 1]) < 1e-5 * np.ptp(run.record.q[:, 1])


def test_what_cannot_be_met_is_named():
    """Half the distance is all that the effort reaches: the end is missed by the rest."""
    problem = o.Problem(
        CART, {"x": 0, "v": 0}, until=1.0, end={"x": 1.0, "v": 0.0}, cost=o.effort(), limits={"u": (-2.0, 2.0)}
    )
    with pytest.raises(jd.JourdainError, match=r"end: x is missed by 0\.5, held back by .*limits: u"):
        problem.solve()
    with pytest.raises(jd.errors.OptimisationError, match="no optimum was found: infeasible"):
        problem.solve(check=False)
    assert not problem.solve(check=False, allow_unconverged=True).converged


def math_rates(t, x, u, p, dx):
    dx[0] = x[1]
    dx[1] = u[0] - math.sin(x[0])


def test_functions_of_math_are_differenced():
    system = o.Ode(math_rates, ("x", "v"), ("u",))
    rng = np.random.default_rng(0)
    X = rng.normal(size=(4, 2))
    partials = system.partials(Nodes(np.zeros(4), X, np.zeros((4, 1)), np.zeros(0)))[1]
    assert partials[:, 1, 0] == pytest.approx(-np.cos(X[:, 0]), abs=1e-9)


def broken_rates(t, x, u, p, dx):
    dx[0] = open(x)


@pytest.mark.parametrize(
    "make, told",
    [
        (lambda: o.Problem(CART, {"x": 0}, until=1, cost=o.time()), "v: state: has no value"),
        (lambda: o.Problem(CART, {"x": 0, "w": 0}, until=1, cost=o.time()), "w: state: no such state"),
        (lambda: o.Problem(CART, {"x": np.nan, "v": 0}, until=1, cost=o.time()), "x: state: got nan; give a finite"),
        (lambda: o.Problem(CART, {"x": 0, "v": 0}, until=0, cost=o.time()), "until: got 0"),
        (lambda: o.Problem(CART, {"x": 0, "v": 0}, until=1, cost=3.0), "cost: got 3.0"),
        (lambda: o.Problem(CART, {"x": 0, "v": 0}, until=1, cost=o.square("y")), "no such quantity of cart"),
        (lambda: o.Problem(CART, {"x": 0, "v": 0}, until=1, cost=o.time(), limits={"u": (1, -1)}), "low one"),
        (lambda: o.Problem(CART, {"x": 0, "v": 0}, until=1, cost=o.time(), limits={"x": (1, 2)}), "begins at 0"),
        (lambda: o.Problem(CART, {"x": 0, "v": 0}, until=1, cost=o.time(), unknowns={"m": (1, 2)}), "no such param"),
        (lambda: o.Problem(CART, {"x": 0, "v": 0}, until=1, cost=o.time(), inputs=("u",)), "leave it out"),
        (lambda: o.Ode(cart_rates, ("x", "x"), ("u",)), "'x' is there twice"),
        (lambda: o.Ode(cart_rates, ("x",), ("u",), output_names=("y",)), "come together"),
        (lambda: o.time() + 3, "beside a cost"),
        (lambda: o.Problem(CART, {"x": 0, "v": 0}, until=1, cost=o.time()).solve("simplex"), "method: got"),
        (lambda: o.Problem(CART, {"x": 0, "v": 0}, until=1, cost=o.time()).solve(scheme="euler"), "scheme: got"),
        (lambda: o.Problem(CART, {"x": 0, "v": 0}, until=1, cost=o.time()).solve(hessian="none"), "hessian: got"),
        (lambda: o.Problem(CART, {"x": 0, "v": 0}, until=1, cost=o.time()).solve(intervals=0), "intervals: got"),
        (lambda: o.Problem(CART, {"x": 0, "v": 0}, until=1, cost=o.effort()).solve(options={"tolle": 1.0}), "tolle"),
        (
            lambda: o.Problem(o.Ode(broken_rates, ("x",), ("u",)), {"x": 0}, until=1, cost=o.time()).solve(),
            "does not compile",
        ),
    ],
)  # fmt: skip
def test_mistakes_are_named(make, told):
    with pytest.raises(jd.JourdainError, match=told):
        make()


def test_mistakes_with_models_are_named(arm):
    state = arm.state()
    for given, told in (
        (dict(end={"j9": 1.0}), "j9"),
        (dict(end={"j0": 1.0}, inputs=("elbow",)), "no such velocity"),
        (dict(limits={"tip.x": (0, 1)}), "tip.x"),
    ):
        with pytest.raises(jd.JourdainError, match=told):
            o.Problem(arm, state, until=1.0, cost=o.effort(), **given)
    with pytest.raises(jd.JourdainError, match="give a state"):
        o.Problem(arm, {"j0": 0.0}, until=1.0, cost=o.effort())
    best = o.Problem(CART, {"x": 0, "v": 0}, until=1.0, cost=o.effort()).solve(intervals=2)
    with pytest.raises(jd.JourdainError, match="a system of equations has none"):
        _ = best.run
    with pytest.raises(jd.JourdainError, match="from 0 to 1 s"):
        best.sample(2.0)


def test_without_ipopt_the_extra_is_named(monkeypatch):
    ipopt.library.cache_clear()
    monkeypatch.setattr(ipopt.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(jd.JourdainError, match=r"jourdain\[optimal\]"):
        ipopt.library()
    ipopt.library.cache_clear()


def test_an_error_inside_reaches_the_caller():
    class Broken:
        x_low, x_high, g_low, g_high = np.zeros(1), np.ones(1), np.zeros(0), np.zeros(0)
        jacobian_at, hessian_at = (np.zeros(0, int), np.zeros(0, int)), None

        def value(self, x):
            raise ZeroDivisionError("inside")

        gradient = value

    with pytest.raises(ZeroDivisionError, match="inside"):
        ipopt.minimise(Broken(), np.array([0.5]))


def test_the_first_guess_is_within_the_limits(arm):
    problem = o.Problem(
        arm, arm.state(), until=1.0, end={"j0": 2.0}, cost=o.effort(), limits={"effort:j0": (-1.0, 1.0)}
    )
    point = first_guess(problem, even_mesh(scheme_named("radau"), 5), None)
    assert np.max(np.abs(point.U[:, 0])) <= 1.0 and point.X[-1, :2] == pytest.approx([2.0, 0.0])


def test_curvature_of_accelerations_is_that_of_the_partials():
    """Second derivatives through inverse dynamics beside differences of the exact slopes of forward dynamics, on a
    tree with a beam, a drive, springs, stops and gravity; rounding over steps of 6e-6 leaves 1e-8 of the largest."""
    system = jd.System("bent", gravity=(0, 0, -9.81))
    drive = jd.Drive(gear=10.0, rotor_inertia=1e-3, stiffness=20.0, damping=0.05)
    link = jd.RigidBody("link", 2.0, (0.3, 0.1, 0), (0.1, 0.2, 0.2), frames={"tip": (1, 0, 0)})
    system.add(link, jd.Revolute("shoulder", axis="y", drive=drive))
    beam = jd.Beam("fore", 1.0, mass_per_length=1.0, EA=1e4, EI=10.0, GJ=5.0, modes=jd.Modes(bending_y=1))
    system.add(beam, jd.Revolute("elbow", axis="z", stiffness=3.0, damping=0.2, limits=(-0.4, 0.4)), to="link.tip")
    model = system.compile()
    problem = o.Problem(model, model.state(), until=1.0, cost=o.effort())
    plant, rng = problem.plant, np.random.default_rng(4)
    n, nx, nu = 6, len(plant.states), len(plant.inputs)
    nodes = Nodes(np.zeros(n), 0.7 * rng.normal(size=(n, nx)), rng.normal(size=(n, nu)), np.zeros(0))
    pull = rng.normal(size=(n, nx))
    partials = lambda at: np.einsum("nr,nrl->nl", pull, plant.partials(at)[1])  # noqa: E731
    wanted = problem.task._differenced(nodes, plant.curved, partials)
    found = plant.curvature(nodes, pull)
    scale = np.max(np.abs(wanted), axis=(1, 2), keepdims=True)
    assert np.max(np.abs(found - wanted) / scale) < 1e-7
