"""Scoring by hierarchies, evolutionary search, and what many variants say together."""

import math

import numpy as np
import pytest
import xarray as xr
from studies import write

import jourdain as jd
from jourdain.study.sweeps.statistics import influences, ranked, sobol, wilson

KOVALEV = [
    # Kovalev, as the digest computes it: weights, largest eigenvalue, consistency ratio
    ([[1, 3, 5], ["1/3", 1, 3], ["1/5", "1/3", 1]], (0.636986, 0.258285, 0.104729), 3.038511, 0.0332),
    (
        [[1, 1 / 2, 4, 3], [2, 1, 7, 5], [1 / 4, 1 / 7, 1, 1 / 2], [1 / 3, 1 / 5, 2, 1]],
        (0.288435, 0.532289, 0.067525, 0.111751),
        4.021476,
        (4.021476 - 4.0) / 3.0 / 0.90,
    ),
]


@pytest.mark.parametrize(("matrix", "weights", "largest", "ratio"), KOVALEV, ids=["three", "four"])
def test_weights_of_pairwise_comparisons(matrix, weights, largest, ratio):
    found = jd.study.priorities(matrix)
    assert found.weights == pytest.approx(weights, abs=5e-7) and found.largest == pytest.approx(largest, abs=5e-7)
    assert found.ratio == pytest.approx(ratio, abs=5e-5) and found.weights.sum() == pytest.approx(1.0, abs=1e-15)


def test_reversing_a_pair_inverts_it():
    """Exchanging two of those compared exchanges their weights and nothing else."""
    a = np.array([[1, 3, 5], [1 / 3, 1, 3], [1 / 5, 1 / 3, 1]])
    b = a[[1, 0, 2]][:, [1, 0, 2]]
    assert b[0, 1] == 1.0 / a[0, 1] == a[1, 0]
    assert jd.study.priorities(b).weights == pytest.approx(jd.study.priorities(a).weights[[1, 0, 2]], abs=1e-12)


@pytest.mark.parametrize(
    ("matrix", "words"),
    [
        ([[1, 3], [1, 1]], "inverts the other"),
        ([[1, -3], [-1 / 3, 1]], "above zero"),
        ([[1, 2, 3], [1, 2, 3]], "as many as there are columns"),
        ([[1, "9" * 400], ["1/3", 1]], "give rows of numbers, or of fractions"),
        ([[1, "9" * 5000], ["1/3", 1]], "give rows of numbers, or of fractions"),
        ([[1, 10**400], ["1/3", 1]], "give rows of numbers, or of fractions"),
    ],
)
def test_matrices_that_compare_nothing(matrix, words):
    with pytest.raises(jd.errors.ModelError, match=words):
        jd.study.priorities(matrix)


def results(**columns):
    n = len(next(iter(columns.values())))
    return xr.Dataset(
        {name: ("variant", np.array(values, float)) for name, values in columns.items()}, {"variant": range(n)}
    )


def test_a_hierarchy_ranks_variants():
    """By hand: weights 0.75 and 0.25; a force of 10 is best, 40 worst, and more is rejected."""
    data = results(force=[10, 25, 40, 41, np.nan], time=[4, 2, 3, 1, 1])
    tree = {
        "compare": [[1, 3], ["1/3", 1]],
        "parts": {"gentle": {"variable": "force", "best": 10, "worst": 40}, "quick": {"variable": "time"}},
    }
    found = jd.study.score(data, tree)
    times = [0.0, 2 / 3, 1 / 3, 1.0, 1.0]
    wanted = [0.75 + 0.25 * times[0], 0.75 * 0.5 + 0.25 * times[1], 0.25 * times[2], math.nan, math.nan]
    assert found["score"].values == pytest.approx(wanted, nan_ok=True, abs=1e-12)
    assert found["rank"].values.tolist() == [1, 2, 3, 0, 0]
    assert found["score: gentle"].attrs["weight"] == pytest.approx(0.75, abs=1e-12)
    kept = jd.study.score(data, {"variable": "force", "best": 10, "worst": 40, "reject": False})
    assert kept["score"].values[3] == 0.0 and kept["rank"].values[3] > 0
    high = jd.study.score(data, {"variable": "time", "prefer": "high"})
    assert high["score"].values == pytest.approx([1.0, 1 / 3, 2 / 3, 0.0, 0.0])


def test_classes_and_comparisons_of_variants():
    data = results(force=[5, 15, 35])
    grades = [[1, 3, 5], [1 / 3, 1, 3], [1 / 5, 1 / 3, 1]]
    found = jd.study.score(data, {"variable": "force", "bounds": [10, 20], "grades": grades})
    w = np.array(KOVALEV[0][1])
    assert found["score"].values == pytest.approx(w / w[0], abs=1e-6)
    paired = jd.study.score(data, {"variable": "force", "compare": grades})
    assert paired["score"].values == pytest.approx(w / w[0], abs=1e-6)
    with pytest.raises(jd.errors.ModelError, match="contradicts itself"):
        parts = {name: {"variable": "force"} for name in "abc"}
        jd.study.score(data, {"parts": parts, "compare": [[1, 9, 1 / 9], [1 / 9, 1, 9], [9, 1 / 9, 1]]})


def test_wilson_intervals():
    """Values of the closed form, which for 0 of n ends at z^2 / (n + z^2)."""
    z2 = 1.959963984540054**2
    assert wilson(0, 10)[:3] == pytest.approx((0.0, 0.0, z2 / (10 + z2)))
    assert wilson(10, 10)[:3] == pytest.approx((1.0, 10 / (10 + z2), 1.0))
    share = wilson(8, 10)
    assert (share.low, share.high) == pytest.approx((0.4901625, 0.9433178), abs=1e-6)
    assert math.isnan(wilson(0, 0).rate)


STAGE = """\
jourdain: 1
name: A stage
system:
  bodies:
    - {kind: RigidBody, name: stage, mass: 12, inertia: [1, 1, 1], joint: {kind: Prismatic, name: x, axis: x}}
controller:
  {kind: PID, joints: x, kp: 3000, kd: 50, ki: 3000, reference: {x: {kind: Polynomial, coefficients: [1.0e-3]}}}
simulation: {until: 2.0, step: 2.0e-3}
limits: [{name: place, quantity: x, at_most: 1.05e-3, after: 1.0}]
"""
GAINS = """\
jourdain: 1
name: Gains of a stage
scenario: pendulum.yaml
parameters:
  kp: {at: controller.kp, range: [100, 10000], scale: log}
  ki: {at: controller.ki, range: [1, 10000], scale: log}
  kd: {at: controller.kd, range: [10, 2000], scale: log}
criteria:
  overshoot: {quantity: x, take: overshoot, target: 1.0e-3}
  settling: {quantity: x, take: settling, target: 1.0e-3, band: 2.0e-5}
search: {minimise: {overshoot: 1000, settling: 0.1}, population: 12, generations: 5, seed: 4}
"""


def test_a_search_finds_gains_and_is_the_same_for_all(tmp_path):
    """Müller's example: gains by evolution, the overshoot cut by 70 % and more, whoever runs it, in pieces too."""
    path = write(tmp_path, GAINS, STAGE)
    data = jd.study.evolve(path, workers=1, mode="threads", progress=False)
    assert data.sizes["variant"] == 12 + 4 * 10 == jd.study.load_study(path).size
    best = data.sel(variant=data.attrs["best"])
    first = jd.load_scenario(tmp_path / "pendulum.yaml").simulate(progress=False)
    before = float(first.record.q[:, 0].max() - 1e-3)
    assert before > 0.3e-3, "it begins with an overshoot of 30 % and more"
    assert float(best["overshoot"]) < 0.3 * before
    costs = [float(data["cost"].values[data["generation"].values <= g].min()) for g in range(5)]
    assert costs == sorted(costs, reverse=True) and costs[-1] < costs[0]
    assert data.identical(jd.study.evolve(path, workers=2, mode="threads", progress=False))
    other = jd.study.Search(minimise={"overshoot": 1000, "settling": 0.1}, population=12, generations=1, seed=5)
    again = jd.study.evolve(path, other, mode="threads", progress=False)
    assert again.sizes["variant"] == 12 and not np.array_equal(again["kp"].values, data["kp"].values[:12])


def test_a_search_goes_on_where_it_stopped(tmp_path, monkeypatch):
    path = write(tmp_path, GAINS.replace("generations: 5", "generations: 3"), STAGE)
    whole = jd.study.evolve(path, mode="threads", workers=1, progress=False)
    from jourdain.study.sweeps import sweep as module

    count = []
    before = module.Memory.keep

    def stopping(self, first, rows):
        before(self, first, rows)
        count.append(first)
        if len(count) == 16:
            raise KeyboardInterrupt

    monkeypatch.setattr(module.Memory, "keep", stopping)
    with pytest.raises(KeyboardInterrupt):
        jd.study.evolve(path, out=tmp_path / "o", mode="threads", workers=1, progress=False)
    monkeypatch.undo()
    assert whole.identical(jd.study.evolve(path, out=tmp_path / "o", mode="threads", workers=1, progress=False))


def test_a_search_stops_at_its_goal_and_outlives_failures(tmp_path):
    text = GAINS.replace("seed: 4", "seed: 4, goal: 1000").replace(
        "range: [10, 2000], scale: log", "values: [50, 400, -50]"
    )
    data = jd.study.evolve(write(tmp_path, text, STAGE), mode="threads", progress=False)
    assert data.sizes["variant"] == 12 and set(data["generation"].values) == {0}
    bad = data["kd"].values < 0.0
    assert bad.any() and np.all(data["status"].values[bad] == 2) and np.all(np.isinf(data["cost"].values[bad]))


def test_indices_of_the_ishigami_function():
    """Saltelli's estimators against the closed form of Ishigami and Homma 1990 (a = 7, b = 0.1)."""
    from types import SimpleNamespace

    some = tuple(jd.study.Parameter(name, range=(-math.pi, math.pi), name=name) for name in "abc")
    design = jd.study.Design("saltelli", 4096, seed=2)
    x = np.array(design.rows(some))
    y = np.sin(x[:, 0]) + 7.0 * np.sin(x[:, 1]) ** 2 + 0.1 * x[:, 2] ** 4 * np.sin(x[:, 0])
    data = results(y=y)
    first, total = sobol(SimpleNamespace(design=design, parameters=some), data, "y")
    # errors of the estimators fall with the square root of the samples: 0.03 are two of them
    assert list(first.values()) == pytest.approx([0.3139, 0.4424, 0.0], abs=0.03)
    assert list(total.values()) == pytest.approx([0.5576, 0.4424, 0.2437], abs=0.03)


def test_sensitivities_of_a_grid(tmp_path):
    data = jd.sweep(write(tmp_path), mode="threads", progress=False)
    study = jd.study.load_study(tmp_path / "study.yaml")
    found = influences(study, data, "end")
    cube = data["end"].values.reshape(4, 3)
    assert found["mass"].first == pytest.approx(np.var(cube.mean(1)) / np.var(cube))
    assert found["speed"].first == pytest.approx(np.var(cube.mean(0)) / np.var(cube))
    assert abs(found["speed"].rank) <= 1.0 and math.isnan(found["speed"].total)
    order = ranked(study, data)
    assert list(data["margin"].values[order]) == sorted(data["margin"].values)
