"""Optimal trajectories in any units, and searches that end without an optimum."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import jourdain as jd

pytest.importorskip("casadi")
o = jd.optimal


def least_effort(limit: float) -> float:
    """Cost of moving a unit mass by 1 m in 1 s, |u| <= limit between 4 and 6: u = c (1 - 2 t), cut at the limit up to w
    and from 1 - w on (Pontryagin), and the way is limit (w - w^2 + (1 - 2 w)^2 / 6) = 1."""
    w = 0.5 * (1.0 - np.sqrt(3.0 - 12.0 / limit))
    return limit**2 * (1.0 + 4.0 * w) / 3.0


def mover(inertia: float, duration: float, way: float = 1.0, part: float = 5.0, axis: str = "turn") -> o.Problem:
    """A body from rest to rest, its effort limited to a part of I way / T^2; the least without limits takes 6."""
    system = jd.System("mover")
    joint = jd.Revolute("x", axis="z") if axis == "turn" else jd.Prismatic("x", axis="x")
    mass = 1.0 if axis == "turn" else inertia
    system.add(jd.RigidBody("body", mass, inertia=(inertia,) * 3), joint)
    model = system.compile()
    limit = part * inertia * way / duration**2
    limits = {"effort:x": (-limit, limit)}
    return o.Problem(model, model.state(), until=duration, end={"x": way}, cost=o.effort(), limits=limits)


METHODS = [
    ("collocation", {}, 2e-6),
    ("collocation", {"solver": "stage"}, 2e-6),
    ("collocation", {"hessian": "l-bfgs"}, 2e-6),
    ("shooting", {}, 2e-5),
    ("ddp", {}, 1e-3),  # constant inputs: of second order in the intervals
]


@pytest.mark.parametrize(("method", "options", "tolerance"), METHODS)
@pytest.mark.parametrize(
    ("inertia", "duration", "way", "axis"),
    [
        (0.03, 120.0, 1.0, "turn"),
        (1e-4, 10.0, 1.0, "slide"),  # a cart of 0.1 g
        pytest.param(1e-6, 3600.0, 1e-3, "slide", marks=pytest.mark.slow),
        pytest.param(5e6, 1e-2, 10.0, "slide", marks=pytest.mark.slow),
        pytest.param(2.0, 1.5, 1.0, "turn", marks=pytest.mark.slow),
    ],
)
def test_a_slew_costs_what_it_must_in_any_units(method, options, tolerance, inertia, duration, way, axis):
    """I^2 way^2 / T^3 times the cost of one kilogram, one metre and one second: 12.0901 with |effort| <= 5."""
    assert least_effort(5.0) == pytest.approx(12.0901, abs=1e-4) and least_effort(6.0) == pytest.approx(12.0)
    problem = mover(inertia, duration, way, 5.0, axis)
    best = problem.solve(method, intervals=40, **options)
    expected = least_effort(5.0) * inertia**2 * way**2 / duration**3
    assert best.cost == pytest.approx(expected, rel=tolerance)
    assert np.max(np.abs(best["effort:x"])) == pytest.approx(5.0 * inertia * way / duration**2, rel=1e-5)
    assert best.problem is problem and best.at("x", [duration])[0] == pytest.approx(way, rel=1e-6)


def test_costates_are_of_the_cost_as_it_was_given():
    """dcost/dway = 24 I^2 way / T^3 is the costate of the place, whatever the units."""
    for inertia, duration in ((1.0, 1.0), (1e-4, 10.0)):
        best = mover(inertia, duration, 1.0, 100.0, "slide").solve("collocation", intervals=10)
        expected = 24.0 * inertia**2 / duration**3
        assert np.abs(best.costates[1::2, 0]) / expected == pytest.approx(np.ones(10), rel=1e-6)


def test_small_limits_along_the_way_are_kept_and_used():
    """1 um in a second no faster than 1.2 um/s, where 1.5 would be best: kept, and used, to 1e-4 of that."""
    system = jd.System("tip")
    body = jd.RigidBody("body", 1.0, inertia=(1, 1, 1), frames={"tip": (0, 0, 0)})
    system.add(body, jd.Prismatic("y", axis="y"))
    model = system.compile()
    limits = {"body.tip.vy": (None, 1.2e-6)}
    problem = o.Problem(model, model.state(), until=1.0, end={"y": 1e-6}, cost=o.effort(), limits=limits)
    best = problem.solve(intervals=20)
    assert np.max(best["body.tip.vy"]) == pytest.approx(1.2e-6, rel=1e-4)


@pytest.mark.parametrize("method", ["collocation", "shooting", "ddp", "scgra"])
def test_a_cost_without_a_least_value_is_named(method):
    system = jd.System("sled")
    system.add(jd.RigidBody("sled", 1.0), jd.Prismatic("x", axis="x"))
    model = system.compile()
    problem = o.Problem(model, model.state(), until=1.0, end={"x": 1.0}, cost=-1 * o.effort())
    with pytest.raises(jd.errors.OptimisationError, match='no least value: it fell to -.*"effort:x".*give it limits='):
        problem.solve(method)


def test_a_search_that_ends_early_raises_and_keeps_what_there_is():
    problem = mover(2.0, 1.5)
    with pytest.raises(
        jd.errors.OptimisationError, match="too many iterations, after 2 iterations; give another"
    ) as told:
        problem.solve(iterations=2)
    kept = told.value.partial
    assert not kept.converged and kept.problem is problem and kept.states.shape[1] == 2
    assert problem.solve(iterations=2, allow_unconverged=True).cost == kept.cost
    assert isinstance(told.value, jd.JourdainError) and str(
        pickle.loads(pickle.dumps(jd.errors.OptimisationError("x", 1)))
    )
    with pytest.raises(jd.errors.OptimisationError):
        o.Phases([problem, problem]).solve(intervals=5, iterations=1)
