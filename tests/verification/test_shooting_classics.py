"""The classical problems of optimal control by multiple shooting, against closed forms and published values."""

from __future__ import annotations

import numpy as np
import pytest
from differences import sixth
from optimal_systems import BEAD, CART, ODD, OSCILLATOR, RUNAWAY, SWING, hopper

import jourdain as jd
from jourdain.methods.optimal.multiple_shooting import Shooting
from jourdain.methods.optimal.schemes import even_mesh, scheme_named

pytest.importorskip("casadi")
o = jd.optimal


def dense(program, which, x, *more):
    at = program.jacobian_at if which == "jacobian" else program.hessian_at
    out = np.zeros((len(program.g_low), len(x)) if which == "jacobian" else (len(x), len(x)))
    np.add.at(out, at, getattr(program, which)(x, *more))
    return out


@pytest.mark.parametrize("linear", [True, False])
def test_derivatives_of_the_program(linear):
    """Gradient, Jacobian and Hessian against differences of sixth order, at random unknowns in random scales."""
    problem = o.Problem(
        ODD, {"x": 0.1, "v": 0.2}, until=(0.5, 3.0), end={"power": (-1.0, 1.0)}, periodic=["v"],
        unknowns={"k": (1, 20)},
        cost=o.effort() + 0.3 * o.integral("power") + 0.2 * o.square("power", 0.1) + 2.0 * o.time()
        + 0.5 * o.final_square("x", 1.0) + o.square("v", 0.2) + 0.2 * o.final("power"), limits={"power": (-5.0, 5.0)},
    )  # fmt: skip
    rng = np.random.default_rng(3)
    mesh = even_mesh(scheme_named("trapezoidal"), 3)
    count = mesh.size * 3 + 2
    program = Shooting(problem, mesh, 0.5 + rng.random(count), "exact", "rk4", 2, linear)
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


def test_bryson_denham():
    """4 / (9 L) (Bryson & Ho 1975, section 3.11): linear inputs and cubic states have the arcs, which meet at nodes."""
    problem = o.Problem(
        CART, {"x": 0.0, "v": 1.0}, until=1.0, end={"x": 0.0, "v": -1.0}, cost=0.5 * o.effort(),
        limits={"x": (None, 1 / 9)},
    )  # fmt: skip
    best = problem.solve("shooting", intervals=30)
    assert best.converged and best.cost == pytest.approx(4.0, rel=1e-6)
    assert np.max(best["x"]) <= 1 / 9 + 1e-8


def test_least_effort_is_exact():
    """12 with linear inputs, 12 / (1 - 1 / N^2) with constant ones."""
    rest = o.Problem(CART, {"x": 0, "v": 0}, until=1.0, end={"x": 1, "v": 0}, cost=o.effort())
    assert rest.solve("shooting", intervals=4).cost == pytest.approx(12.0, abs=1e-10)
    held = rest.solve("shooting", intervals=8, inputs="constant")
    assert held.cost == pytest.approx(12.0 / (1.0 - 1.0 / 64.0), rel=1e-10)


def slew():
    system = jd.System("slew")
    system.add(jd.RigidBody("hub", 5.0, inertia=(1, 1, 2.0)), jd.Revolute("axis", axis="z"))
    return system.compile()


@pytest.mark.parametrize("which", ["equations", "model"])
def test_full_ahead_and_full_astern(which):
    """Least time over a distance d with |u| <= a: 2 sqrt(d / a), of a double integrator and of a hub that turns."""
    if which == "equations":
        plant, start, end, limits, exact = CART, {"x": 0, "v": 0}, {"x": 3.0, "v": 0}, {"u": (-0.5, 0.5)}, np.sqrt(24)
    else:
        plant = slew()
        start, end, limits, exact = plant.state(), {"axis": 1.5}, {"effort:axis": (-0.5, 0.5)}, 2 * np.sqrt(6.0)
    problem = o.Problem(plant, start, until=(0.1, 20), end=end, cost=o.time(), limits=limits)
    best = problem.solve("shooting", intervals=20, inputs="constant")
    assert best.duration == pytest.approx(exact, rel=1e-6)
    assert np.abs(best.inputs) == pytest.approx(0.5, abs=1e-3)


def test_brachistochrone():
    """sqrt(pi l / g) to a wall: the angle is linear in time, so that what is left is the method's, of fourth order."""
    exact = np.sqrt(np.pi / 9.81)
    problem = o.Problem(
        BEAD, {"x": 0, "y": 0, "v": 0}, until=(0.1, 2.0), end={"x": 1.0}, cost=o.time(), limits={"angle": (0.0, 1.6)}
    )
    off = [abs(problem.solve("shooting", intervals=n, accuracy=1e-11).duration - exact) for n in (8, 16)]
    assert np.log2(off[0] / off[1]) == pytest.approx(4.0, abs=0.2) and off[1] < 1e-7
    floor = 0.3
    limited = o.Problem(
        BEAD, {"x": 0, "y": 0, "v": 0}, until=(0.1, 2.0), end={"x": 1.0}, cost=o.time(),
        limits={"angle": (0.0, 1.6), "y": (0.0, floor)},
    )  # fmt: skip
    exact = np.pi * np.sqrt(floor / (2 * 9.81)) + (1.0 - np.pi * floor / 2) / np.sqrt(2 * 9.81 * floor)
    best = limited.solve("shooting", intervals=20)
    # where the arc meets the floor falls within an interval of length h, which costs a part h^3 at most
    assert best.duration == pytest.approx(exact, rel=1.0 / 20**3)


def test_van_der_pol():
    """2.867259538 (Rutquist & Edvall 2010): where a limit of u ends falls within an interval, of which 50 and 100."""
    problem = o.Problem(
        OSCILLATOR, {"x1": 0, "x2": 1}, until=5.0, cost=o.square("x1") + o.square("x2") + o.effort(),
        limits={"u": (-0.3, 1.0)},
    )  # fmt: skip
    coarse, fine = (problem.solve("shooting", intervals=n).cost - 2.867259538 for n in (50, 100))
    assert 0.0 < fine < coarse / 4.0 and fine < 1e-5


def test_observed_order():
    """Costs of a swing, 31.2759 by Pontryagin: linear inputs are nearest in the mean, and cost h^4 more."""
    swing = o.Problem(SWING, {"x": 0, "v": 0}, until=1.0, end={"x": 1.5, "v": 0}, cost=o.effort())
    costs = [swing.solve("shooting", intervals=n, accuracy=1e-12).cost for n in (8, 16, 32)]
    assert np.log2((costs[0] - costs[1]) / (costs[1] - costs[2])) == pytest.approx(4.0, abs=0.2)
    assert costs[2] == pytest.approx(31.2759, abs=1e-4)


def test_an_unstable_plant():
    """dx/dt = 3 x + u for 10 s, from 1 to 0: a state grows by 1e13, and the least effort is 6 / (1 - exp(-60)).

    By multiple shooting, and by dynamic programming, whose gaps keep the guess from growing.
    """
    problem = o.Problem(RUNAWAY, {"x": 1.0}, until=10.0, end={"x": 0.0}, cost=o.effort())
    coarse, fine = (problem.solve("shooting", intervals=n).cost for n in (100, 200))
    assert (16.0 * fine - coarse) / 15.0 == pytest.approx(6.0, rel=1e-4) and fine == pytest.approx(6.0, rel=1e-3)
    held = problem.solve("ddp", intervals=200)
    # u(t) = -6 exp(-3 t): what a constant input leaves out in the mean square is (3 h)^2 / 12 of it
    assert held.converged and held.cost == pytest.approx(6.0 * (1.0 + (3 * 0.05) ** 2 / 12), rel=1e-3)


def test_a_hopper_by_shooting():
    """Through the contact with the floor, from the leap that dynamic programming finds: no worse than that."""
    model, start = hopper()
    problem = o.Problem(
        model, start, until=0.5, inputs=("leg",), rest=False, limits={"effort:leg": (-150.0, 50.0)},
        cost=1e-4 * o.effort() + 200.0 * o.final_square("height", 0.8) + 20.0 * o.final_square("leg", -0.5),
    )  # fmt: skip
    first = problem.solve("ddp", intervals=25, steps=10, gaps=False, accuracy=1e-5)
    best = problem.solve(
        "shooting", intervals=25, steps=10, guess=first, inputs="constant", hessian="gauss-newton", iterations=60
    )
    assert best.cost <= first.cost * (1.0 + 1e-3)
