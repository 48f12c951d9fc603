"""Non-dominated sorting, and the search by it, against fronts that are known."""

import numpy as np
import pytest
from studies import schaffer

import jourdain as jd
from jourdain.study import crowding, fronts, pareto


def test_fronts_are_those_of_the_definition(rng):
    costs = rng.integers(0, 6, (60, 3)).astype(float)
    rank = fronts(costs)
    for i, one in enumerate(costs):
        above = [k for k, other in enumerate(costs) if np.all(other <= one) and np.any(other < one)]
        assert rank[i] == (1 + max(rank[k] for k in above) if above else 0)


def test_what_failed_comes_last():
    assert fronts([[1.0, 2.0], [np.nan, 0.0], [2.0, 1.0], [3.0, 3.0]]).tolist() == [0, 2, 0, 1]


def test_crowding():
    assert crowding([[0.0, 4.0], [1.0, 2.0], [4.0, 0.0]]).tolist() == [np.inf, 2.0, np.inf]


def test_schaffer():
    """x^2 and (x - 2)^2: the front is x from 0 to 2, where sqrt(f1) + sqrt(f2) = 2."""
    found = pareto(lambda p: (p["x"] ** 2, (p["x"] - 2) ** 2), {"x": (-10.0, 10.0)}, population=40, generations=30)
    x = found.values["x"]
    assert np.all((x > -0.02) & (x < 2.02)) and x.min() < 0.05 and x.max() > 1.95 and len(x) > 30
    assert np.sum(np.sqrt(found.costs), axis=1) == pytest.approx(2.0, abs=0.05)
    assert np.all(np.diff(found.costs[:, 0]) >= 0) and np.all(np.diff(found.costs[:, 1]) <= 0)
    again = pareto(lambda p: (p["x"] ** 2, (p["x"] - 2) ** 2), {"x": (-10.0, 10.0)}, population=40, generations=30)
    assert np.array_equal(again.costs, found.costs) and found.tried == 1200


def test_three_costs_and_designs_that_fail():
    """What is found is the first front of all that was tried: of distances from three points, about their triangle, and
    nearer to it than the first front of as many designs by chance."""
    corners, tried = np.array([(0.0, 0.0), (1.0, 0.0), (0.0, 1.0)]), []

    def cost(p):
        at = np.array([p["x"], p["y"]])
        if at.min() < -0.5:
            raise jd.errors.ModelError.at("x", "outside")
        tried.append(np.sum((corners - at) ** 2, axis=1))
        return tried[-1]

    found = pareto(cost, {"x": (-1.0, 2.0), "y": (-1.0, 2.0)}, population=60, generations=12, seed=4)
    assert found.costs == pytest.approx(np.unique(np.array(tried)[fronts(tried) == 0], axis=0))
    assert found.failed == 12 * 60 - len(tried) and found.failed > 5

    def outside(x, y):
        return np.mean(np.maximum(np.maximum(np.maximum(-x, -y), (x + y - 1.0) / np.sqrt(2)), 0.0))

    chance = np.random.default_rng(4).uniform(-1.0, 2.0, (12 * 60, 2))
    first = chance[fronts(np.sum((chance[:, None] - corners) ** 2, axis=2)) == 0]
    assert outside(found.values["x"], found.values["y"]) < outside(*first.T)


@pytest.mark.parametrize("mode", ["threads", "processes", "auto"])
def test_whoever_works_costs_out_they_are_the_same(mode):
    """Designs, costs and failures, in the order of the population and not of who was ready first."""
    options = {"population": 12, "generations": 5, "seed": 2}
    alone = pareto(schaffer, {"x": (-8.0, 8.0)}, **options)
    together = pareto(schaffer, {"x": (-8.0, 8.0)}, **options, workers=2, mode=mode)
    assert np.array_equal(alone.costs, together.costs) and np.array_equal(alone.values["x"], together.values["x"])
    assert alone.failed == together.failed > 0


def test_a_design_that_takes_its_process_with_it_has_no_costs():
    """It is tried three times; the others are worked out by processes that are started again."""
    found = pareto(schaffer, {"x": (-4.0, 12.0)}, population=6, generations=2, workers=2)
    assert found.failed >= 1 and np.all(found.values["x"] <= 9.0)


def test_who_can_work():
    for more, told in (({"workers": 0}, "whole number"), ({"mode": "cluster"}, "processes")):
        with pytest.raises(jd.errors.ModelError, match=told):
            pareto(schaffer, {"x": (0.0, 1.0)}, **more)
    with pytest.raises(jd.errors.ModelError, match="in a module"):
        pareto(lambda p: (p["x"],), {"x": (0.0, 1.0)}, population=4, generations=1, workers=2, mode="processes")
    inner = pareto(lambda p: (p["x"],), {"x": (0.0, 1.0)}, population=4, generations=2, workers=2)  # in threads
    assert inner.costs.shape == (1, 1)


def test_mistakes():
    for ranges, told in (({}, "by name"), ({"x": (1.0, 0.0)}, "low, high")):
        with pytest.raises(jd.errors.ModelError, match=told):
            pareto(lambda p: (0.0,), ranges)
    with pytest.raises(jd.errors.ModelError, match="none of"):
        pareto(lambda p: (np.nan, 1.0), {"x": (0.0, 1.0)}, population=4, generations=2)
