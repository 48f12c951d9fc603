"""Non-dominated sorting, and the search by it, against fronts that are known."""

import numpy as np
import pytest

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
    """What is found is the first front of all that was tried: of distances from three points, about their triangle.

    A design outside an edge by d is dominated from a lens of d along and d^2 / 2a across, a half the edge; of sixty in
    an area of 1/2 one is in it where d = (a / 120)^(1/3) = 0.16. Twice that is outlived by none.
    """
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
    x, y = found.values["x"], found.values["y"]
    assert np.max(np.maximum(np.maximum(-x, -y), (x + y - 1.0) / np.sqrt(2))) < 0.32


def test_mistakes():
    for ranges, told in (({}, "by name"), ({"x": (1.0, 0.0)}, "low, high")):
        with pytest.raises(jd.errors.ModelError, match=told):
            pareto(lambda p: (0.0,), ranges)
    with pytest.raises(jd.errors.ModelError, match="none of"):
        pareto(lambda p: (np.nan, 1.0), {"x": (0.0, 1.0)}, population=4, generations=2)
