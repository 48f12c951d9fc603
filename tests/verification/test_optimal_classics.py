"""The classical problems of optimal control, against closed forms and published values."""

from __future__ import annotations

import numpy as np
import pytest
from installed import needs
from optimal_systems import BEAD, CART, OSCILLATOR, ROCKET, SWING

import jourdain as jd

needs("casadi")
o = jd.optimal


def bryson_denham(scheme, intervals):
    problem = o.Problem(
        CART, {"x": 0.0, "v": 1.0}, until=1.0, end={"x": 0.0, "v": -1.0}, cost=0.5 * o.effort(),
        limits={"x": (None, 1 / 9)},
    )  # fmt: skip
    best = problem.solve(intervals=intervals, scheme=scheme)
    assert best.converged and np.max(best["x"]) <= 1 / 9 + 1e-8
    return best.cost


@pytest.mark.parametrize("scheme", ["hermite-simpson", "radau"])
def test_bryson_denham(scheme):
    """A limit L of x below 1/6 costs 4 / (9 L) (Bryson & Ho 1975, section 3.11); arcs meet at 3 L, a mesh point.

    Both schemes have the arcs, so that what is left is the solver's: 1e-8 of bounds that it lets slip, by multipliers.
    """
    assert bryson_denham(scheme, 30) == pytest.approx(4.0, rel=1e-6)


def test_bryson_denham_by_trapezoids():
    """The trapezoidal rule is of second order: half the length, a quarter of the error; extrapolated, next to none."""
    coarse, fine = (bryson_denham("trapezoidal", n) - 4.0 for n in (30, 60))
    assert np.log2(coarse / fine) == pytest.approx(2.0, abs=0.2)
    assert abs(4.0 * fine - coarse) / 3.0 < 0.1 * abs(fine)


def test_least_effort_of_a_double_integrator_is_exact():
    """u = 6 - 12 t is a polynomial that the scheme has."""
    best = o.Problem(CART, {"x": 0, "v": 0}, until=1.0, end={"x": 1, "v": 0}, cost=o.effort()).solve(intervals=4)
    assert best.cost == pytest.approx(12.0, abs=1e-10)
    assert best.at("u", [0.0, 0.3, 1.0]) == pytest.approx([6.0, 2.4, -6.0], abs=1e-8)


def test_least_time_of_a_double_integrator():
    """From rest to rest over a distance d with |u| <= a: 2 sqrt(d / a), full ahead and full astern."""
    problem = o.Problem(
        CART, {"x": 0, "v": 0}, until=(0.1, 20), end={"x": 3.0, "v": 0}, cost=o.time(), limits={"u": (-0.5, 0.5)}
    )
    best = problem.solve(intervals=20)
    assert best.duration == pytest.approx(2.0 * np.sqrt(6.0), rel=1e-6)
    inside = np.abs(best.times / best.duration - 0.5) > 0.05
    assert np.abs(best["u"][inside]) == pytest.approx(0.5, abs=1e-4)


@pytest.mark.parametrize("floor", [None, 0.3])
def test_brachistochrone(floor):
    """To a wall at x = 1: half an arch of a cycloid, sqrt(pi l / g); with a floor at h half a smaller arch, then along
    it at constant speed."""
    g = 9.81
    exact = np.sqrt(np.pi / g)
    if floor is not None:
        exact = np.pi * np.sqrt(floor / (2 * g)) + (1.0 - np.pi * floor / 2) / np.sqrt(2 * g * floor)
    limits = {"angle": (0.0, 1.6)} | ({} if floor is None else {"y": (0.0, floor)})
    start = {"x": 0, "y": 0, "v": 0}
    problem = o.Problem(BEAD, start, until=(0.1, 2.0), end={"x": 1.0}, cost=o.time(), limits=limits)
    best = problem.solve(intervals=20, scheme="radau")
    assert best.duration == pytest.approx(exact, rel=1e-8 if floor is None else 2e-6)
    finer = problem.solve(intervals=10, tolerance=1e-6)
    assert finer.error <= 1e-6 and finer.duration == pytest.approx(exact, rel=1e-6)


def test_van_der_pol():
    """-0.3 <= u <= 1 for 5 s: 2.86726 (Rutquist & Edvall 2010, PROPT manual, "Van der Pol oscillator")."""
    problem = o.Problem(
        OSCILLATOR, {"x1": 0, "x2": 1}, until=5.0, cost=o.square("x1") + o.square("x2") + o.effort(),
        limits={"u": (-0.3, 1.0)},
    )  # fmt: skip
    assert problem.solve(intervals=100, scheme="radau").cost == pytest.approx(2.867259538, rel=1e-6)


def test_goddard():
    """Highest flight with drag: h = 1.01283 of the planet's radius (Dolan, More & Munson 2004, COPS 3, problem 10)."""
    limits = {"thrust": (0.0, 3.5), "h": (1.0, 2.0), "v": (0.0, 1.0), "m": (0.6, 1.0)}
    problem = o.Problem(
        ROCKET, {"h": 1, "v": 0, "m": 1}, until=(0.05, 0.5), end={"m": 0.6}, cost=-o.final("h"), limits=limits
    )
    best = problem.solve(intervals=100)
    assert -best.cost == pytest.approx(1.01283, abs=1e-5)
    assert np.max(best["thrust"]) == pytest.approx(3.5, abs=1e-3) and best["thrust"][-1] == pytest.approx(0, abs=1e-3)


def test_observed_orders():
    """Costs of x'' = u - 9 sin x from 0 to 1.5, whose Pontryagin equations give 31.2759: orders 2, 4 and 5."""
    problem = o.Problem(SWING, {"x": 0, "v": 0}, until=1.0, end={"x": 1.5, "v": 0}, cost=o.effort())
    exact = problem.solve(intervals=100, scheme="radau", accuracy=1e-12).cost
    assert exact == pytest.approx(31.2759, abs=1e-4)
    for scheme, order in (("trapezoidal", 2), ("hermite-simpson", 4), ("radau", 5)):
        coarse, fine = (abs(problem.solve(intervals=n, scheme=scheme, accuracy=1e-12).cost - exact) for n in (8, 16))
        assert np.log2(coarse / fine) == pytest.approx(order, abs=0.15)


def test_costates_are_those_of_pontryagin():
    """Multipliers of the equations of v: u = lambda_v / 2 where the cost is the integral of u^2."""
    best = o.Problem(CART, {"x": 0, "v": 0}, until=1.0, end={"x": 1, "v": 0}, cost=o.effort()).solve(
        intervals=40, scheme="trapezoidal"
    )
    middle = 0.5 * (best["u"][1:] + best["u"][:-1])
    inner = slice(1, -1)  # at the ends the quadrature has half a weight
    assert best.costates[inner, 1] == pytest.approx(2.0 * middle[inner], abs=1e-6)


def test_a_parameter_among_the_unknowns():
    """The spring that swings a mass over without effort: k such that half a swing of a pendulum takes the time."""
    problem = o.Problem(
        SWING, {"x": 0.0, "v": 0.4}, until=2.0, end={"x": 0.0}, cost=o.effort(), unknowns={"k": (1.0, 4.0)}
    )
    best = problem.solve(intervals=30)
    amplitude = 2.0 * np.arcsin(0.4 / (2.0 * np.sqrt(best.parameters["k"])))
    from scipy.special import ellipk

    period = 4.0 / np.sqrt(best.parameters["k"]) * ellipk(np.sin(amplitude / 2) ** 2)
    assert best.cost == pytest.approx(0.0, abs=1e-8) and period / 2 == pytest.approx(2.0, abs=1e-4)


def test_periodic():
    """Without effort Van der Pol's oscillator has one orbit, of amplitude 2.00861986 and period 6.66328686 (mu = 1)."""
    start = {"x1": 0.0, "x2": 2.0}
    near = o.Problem(OSCILLATOR, start, until=6.5, cost=o.effort()).solve(intervals=40)
    problem = o.Problem(OSCILLATOR, start, until=(6.0, 8.0), cost=o.effort(), periodic=True, free=("x2",))
    best = problem.solve(intervals=40, scheme="radau", guess=near)
    assert best.states[0] == pytest.approx(best.states[-1], abs=1e-8)
    assert best.cost == pytest.approx(0.0, abs=1e-8)
    assert best.duration == pytest.approx(6.66328686, rel=1e-6) and best["x2"][0] == pytest.approx(2.00861986, rel=1e-6)
