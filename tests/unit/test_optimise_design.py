"""Designs: against closed forms, gradients against the sensitivities of runs, limits kept, and what is wrong told."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.study import Criterion, Limit


@pytest.fixture(scope="module")
def oscillator() -> jd.Model:
    """A unit mass on a spring of 100 N/m: 10 rad/s."""
    system = jd.System("oscillator", gravity=(0.0, 0.0, -10.0))
    system.add(jd.RigidBody("mass", mass=1.0), jd.Prismatic("x", axis="x", stiffness=100.0, damping=2.0))
    return system.compile()


@pytest.mark.parametrize("method", ["SLSQP", "trust-constr"])
def test_the_damping_that_settles_best(oscillator, method) -> None:
    """The integral of x^2 after a release is (1/w)(z + 1/(4 z)): least at a ratio of one half, c = w."""
    cost = Criterion("x", "rms")
    best = jd.optimise_design(
        oscillator, oscillator.state(q={"x": 1.0}), 4.0, {"x.damping": (0.5, 40.0)}, cost, method=method
    )
    # after 4 s exp(-20) is left; the trapezoidal sum of 400 samples errs by 1e-5
    assert best.values["x.damping"] == pytest.approx(10.0, rel=2e-3)
    assert best.cost**2 * 4.0 == pytest.approx(0.1, rel=1e-3)
    assert best.converged and best.cost < best.began and best.model.parameters["x.damping"] == best.values["x.damping"]
    assert abs(best.gradient["x.damping"]) < 1e-4


def test_the_softest_spring_that_keeps_a_limit() -> None:
    """A mass let go on a spring under gravity sinks by 2 m g / k: the softest that sinks by 20 mm has 2 m g / 0.02."""
    system = jd.System("scale", gravity=(0.0, 0.0, -10.0))
    system.add(jd.RigidBody("mass", mass=1.0), jd.Prismatic("z", axis="z", stiffness=4000.0))
    model = system.compile()
    limit = Limit("sag", "z", at_least=-0.02)
    best = jd.optimise_design(
        model, model.state(), 1.0, {"z.stiffness": (300.0, 5000.0)}, lambda run: run.model.parameters["z.stiffness"],
        [limit], output=1e-3,
    )  # fmt: skip
    assert best.values["z.stiffness"] == pytest.approx(1000.0, rel=2e-3)
    assert best.converged and abs(best.margins["sag"]) < 1e-3
    impossible = Limit("sag", "z", at_least=-0.001)
    none = jd.optimise_design(
        model, model.state(), 1.0, {"z.stiffness": (300.0, 5000.0)}, Criterion("v:z", "peak"), [impossible]
    )
    assert not none.converged and "sag is missed by" in none.message


def test_gradients_are_those_of_the_partials_of_runs(oscillator) -> None:
    """Of the value at the end and of the mean, wherever the search ends: those of `jd.sensitivity`, taken alike."""
    state = oscillator.state(q={"x": 1.0})
    for take in ("final", "mean"):
        found = jd.optimise_design(
            oscillator, state, 1.0, {"x.damping": (1.0, 3.0)}, Criterion("x", take), output=0.01, iterations=1
        )
        there = oscillator.with_parameters(found.values)
        slope = jd.sensitivity(there, state, ["x"], ["x.damping"], 1.0, output=0.01)["x", "x.damping"]
        wanted = slope[-1] if take == "final" else np.trapezoid(slope, dx=0.01)
        # a difference to one side, where the other is beyond the bound, errs by half of its step over the scale
        aside = min(found.values["x.damping"] - 1.0, 3.0 - found.values["x.damping"]) < 1e-3
        assert found.gradient["x.damping"] == pytest.approx(wanted, rel=1e-3 if aside else 1e-5)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"method": "magic"}, "allowed are"),
        ({"parameters": {}}, "give addresses with bounds"),
        ({"parameters": {"x.dampin": (0, 1)}}, "x has stiffness"),
        ({"parameters": {"x.damping": (1, 0)}}, "lower one first"),
        ({"parameters": {"x.damping": 3}}, "give .lowest, highest."),
        ({"cost": 3.0}, "give a Criterion"),
        ({"cost": []}, "there is none"),
        ({"limits": [Limit("late", "x", at_most=1.0, by=1.0)]}, "without a deadline"),
        ({"until": -1.0}, "a time after"),
    ],
)
def test_what_is_wrong_is_told(oscillator, more, words) -> None:
    told = {"until": 1.0, "parameters": {"x.damping": (0.5, 4.0)}, "cost": Criterion("x", "rms"), "limits": []} | more
    with pytest.raises(jd.JourdainError, match=words):
        jd.optimise_design(oscillator, oscillator.state(q={"x": 1.0}), **told)
