"""Motions that make unknowns known: within limits, better than others, and as good as they say."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd
from jourdain.methods.identification.excitation import FourierSeries

NOISE = {"effort:j0": 0.1, "effort:j1": 0.1}
UNKNOWNS = ["link1.mass", "link1.com.x", "j1.damping"]
LIMITS = {"j0": 1.0, "j1": (-1.5, 1.2), "v:j1": 3.0, "effort:j0": (-30.0, 30.0)}


@pytest.fixture(scope="module")
def arm() -> jd.Model:
    system = jd.System("two links", gravity=(0.0, 0.0, -9.81))
    for i, to in enumerate(("world", "link0.origin")):
        body = jd.RigidBody(f"link{i}", mass=2.0, com=(0.2, 0.0, 0.01), inertia=(0.01, 0.03, 0.03))
        system.add(body, jd.Revolute(f"j{i}", axis="y", damping=0.5), to=to, position=(0.4 * i, 0.0, 0.0))
    return system.compile()


@pytest.fixture(scope="module")
def plan(arm: jd.Model):
    return jd.excite(arm, UNKNOWNS, 4.0, LIMITS, noise=NOISE, evaluations=120, samples=81)


def test_series_begin_and_end_at_rest() -> None:
    series = FourierSeries(["a", "b"], np.array([0.3, -0.1]), 4.0, 4, 4001)
    x = np.random.default_rng(0).normal(size=series.free)
    q, v, a = series(x)
    assert q[0] == pytest.approx([0.3, -0.1], abs=1e-12) and q[-1] == pytest.approx(q[0], abs=1e-12)
    assert np.max(np.abs([v[0], v[-1], a[0], a[-1]])) < 1e-12
    # velocities and accelerations are the derivatives
    assert np.gradient(q[:, 0], series.time)[5:-5] == pytest.approx(v[5:-5, 0], abs=1e-4)
    assert np.gradient(v[:, 1], series.time)[5:-5] == pytest.approx(a[5:-5, 1], abs=1e-3)


def test_the_motion_is_within_limits_when_it_is_run(arm, plan) -> None:
    run = jd.simulate(arm, plan.state, plan.until, motions=plan.motions, output=0.02, progress=False)
    for name, given in LIMITS.items():
        low, high = given if isinstance(given, tuple) else (-given, given)
        told = jd.quantity(run, name).values
        assert low <= np.min(told) and np.max(told) <= high, name
    # one of them is met
    ends = {name: given if isinstance(given, tuple) else (-given, given) for name, given in LIMITS.items()}
    reached = [x / end for name, pair in ends.items() for x, end in zip(plan.peaks[name], pair, strict=True)]
    assert 0.68 < max(reached) < 1.0


def test_it_is_better_than_motions_that_were_not_chosen(arm, plan) -> None:
    assert plan.criterion > plan.began + 0.5
    others = [
        jd.excite(arm, UNKNOWNS, 4.0, LIMITS, noise=NOISE, evaluations=1, seed=seed, samples=81).began
        for seed in range(1, 6)
    ]
    assert plan.criterion > max(others)
    least = jd.excite(arm, UNKNOWNS, 4.0, LIMITS, noise=NOISE, evaluations=120, samples=81, criterion="A")
    squared = [sum((one.errors[name] / arm.parameters[name]) ** 2 for name in UNKNOWNS) for one in (least, plan)]
    assert squared[0] < 1.05 * squared[1]


def test_errors_are_those_of_the_fit_that_follows(arm, plan) -> None:
    run = jd.simulate(arm, plan.state, plan.until, motions=plan.motions, output=0.05, progress=False)
    rng = np.random.default_rng(0)
    record = {"time": run.record.time} | {
        name: run.record.effort[:, i] + 0.1 * rng.normal(size=len(run.time)) for i, name in enumerate(NOISE)
    }
    rough = arm.with_parameters({"link1.mass": 1.8, "j1.damping": 0.6})
    fit = jd.identify(rough, record, UNKNOWNS, state=plan.state, motions=plan.motions, noise=NOISE)
    for name in UNKNOWNS:
        assert fit.errors[name] == pytest.approx(plan.errors[name], rel=0.03)
        assert abs(fit.values[name] - arm.parameters[name]) < 4.0 * fit.errors[name]


def test_flexible_bodies_and_what_a_motion_does_not_show() -> None:
    """A beam on a hinge that is moved: its stiffness from its own vibration; a mass that only gravity would show."""
    system = jd.System("slew")
    beam = jd.Beam(
        "fore", length=1.0, mass_per_length=1.0, EA=1e5, EI=20.0, GJ=10.0, modes=jd.Modes(bending_y=1), damping=0.02
    )
    system.add(beam, jd.Revolute("hinge", axis="z"))
    model = system.compile()
    plan = jd.excite(
        model, ["fore.EI", "fore.GJ"], 2.0, {"hinge": 0.1}, quantities=["fore.bending_y[0]"],
        noise={"fore.bending_y[0]": 1e-4}, evaluations=8, samples=41, rtol=1e-7,
    )  # fmt: skip
    assert plan.hidden == ("fore.GJ",)
    assert plan.errors["fore.EI"] < 1.0


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"limits": {}}, "none is of a place"),
        ({"limits": {"effort:j0": 5.0}}, "none is of a place"),
        ({"limits": {"j0": (1.0, -1.0)}}, "lower one first"),
        ({"limits": {"j0": "wide"}}, "give a number or"),
        ({"limits": {"j9": 1.0}}, "j9"),
        ({"limits": {"j0": 1.0}, "joints": ["j0", "j1"]}, "neither its place nor its velocity"),
        ({"limits": LIMITS | {"effort:j0": (50.0, 60.0)}}, "no motion that was tried"),
        ({"unknowns": ["link1.mas"]}, "link1 has mass"),
        ({"unknowns": []}, "give a list"),
        ({"criterion": "E"}, "allowed are D, A"),
        ({"harmonics": 1}, "2 or more"),
    ],
)
def test_what_is_wrong_is_told(arm, more, words) -> None:
    told = {"unknowns": UNKNOWNS, "until": 4.0, "limits": LIMITS, "evaluations": 5} | more
    with pytest.raises(jd.JourdainError, match=words):
        jd.excite(arm, **told)
