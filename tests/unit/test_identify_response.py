"""Unknowns from measured frequency responses: against closed forms, intervals, and what responses cannot tell."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd

HZ = np.linspace(0.5, 8.0, 60)


@pytest.fixture(scope="module")
def chain() -> jd.Model:
    """Masses of 1 and 2 kg in a row, held by springs and dampers; a third one by itself."""
    system = jd.System("chain")
    system.add(jd.RigidBody("a", mass=1.0), jd.Prismatic("x", axis="x", stiffness=300.0, damping=1.0))
    system.add(jd.RigidBody("b", mass=2.0), jd.Prismatic("y", axis="x", stiffness=500.0, damping=2.0), to="a.origin")
    system.add(jd.RigidBody("c", mass=1.0), jd.Prismatic("z", axis="x", stiffness=50.0, damping=1.0))
    return system.compile()


def by_hand(k1: float, c1: float, k2: float = 500.0, c2: float = 2.0) -> np.ndarray:
    """Displacement of the first mass by the force of its own joint, (K + i w C - w^2 M)^-1 in joint coordinates."""
    out = []
    for w in 2.0 * np.pi * HZ:
        M = np.array([[3.0, 2.0], [2.0, 2.0]])
        Z = np.diag([k1, k2]) + 1j * w * np.diag([c1, c2]) - w**2 * M
        out.append(np.linalg.inv(Z)[0, 0])
    return np.array(out)


def test_stiffness_and_damping_from_a_response(chain) -> None:
    seen = {("x", "x"): (HZ, by_hand(340.0, 1.4))}
    fit = jd.study.identify_response(chain, seen, {"x.stiffness": (10, 1e4), "x.damping": (0.1, 10)}, noise=0.02)
    assert fit.values["x.stiffness"] == pytest.approx(340.0, rel=1e-6)
    assert fit.values["x.damping"] == pytest.approx(1.4, rel=1e-5)
    assert fit.converged and fit.chi2 < 1e-6 and fit.freedom == 2 * len(HZ) - 2
    assert fit.fitted["x", "x"] == pytest.approx(by_hand(340.0, 1.4), rel=1e-6)
    assert "x -> x: 60 lines" in str(fit)
    assert fit.model.parameters["x.stiffness"] == fit.values["x.stiffness"]
    # errors are those of the inverse of the slopes, by hand
    steps = {"k": 1e-3, "c": 1e-5}
    J = np.column_stack(
        [
            np.log(by_hand(340.0 + steps["k"], 1.4) / by_hand(340.0 - steps["k"], 1.4)) / (2 * steps["k"]),
            np.log(by_hand(340.0, 1.4 + steps["c"]) / by_hand(340.0, 1.4 - steps["c"])) / (2 * steps["c"]),
        ]
    )
    J = np.vstack([J.real, J.imag]) / 0.02
    assert list(fit.errors.values()) == pytest.approx(np.sqrt(np.diag(np.linalg.inv(J.T @ J))), rel=1e-3)


def test_intervals_cover_noisy_responses(chain, rng) -> None:
    """Of 40 noisy records 95 % of the intervals hold the truth: 33 of 40 at least, but for one chance in 2,000."""
    true, inside = by_hand(340.0, 1.4), 0
    for _ in range(40):
        noise = rng.normal(size=(2, len(HZ))) * 0.02
        seen = {("x", "x"): (HZ, true * np.exp(noise[0] + 1j * noise[1]))}
        fit = jd.study.identify_response(chain, seen, {"x.stiffness": (10, 1e4)}, noise=0.02)
        low, high = fit.intervals["x.stiffness"]
        inside += low < 340.0 < high
    assert inside >= 33


def test_what_a_response_cannot_tell(chain) -> None:
    """A spring that is not connected with what is measured is told so, and has no value."""
    seen = {("x", "x"): (HZ, by_hand(300.0, 1.0))}
    fit = jd.study.identify_response(chain, seen, ["x.stiffness", "z.stiffness"])
    assert "z.stiffness" in fit.undetermined and np.isnan(fit.values["z.stiffness"])
    assert fit.values["x.stiffness"] == pytest.approx(300.0, rel=1e-6)


@pytest.mark.parametrize(
    "responses, words",
    [
        ({}, "give at least one"),
        ({"x": (HZ, HZ)}, 'give \\("input", "output"\\)'),
        ({("x", "x"): HZ}, "complex values"),
        ({("x", "x"): (HZ, by_hand(300.0, 1.0)[:-1])}, "as many of both"),
        ({("x", "x"): (0.0 * HZ, by_hand(300.0, 1.0))}, "above zero"),
        ({("x", "x"): (HZ, 0.0 * HZ)}, "leave out lines"),
        ({("w", "x"): (HZ, by_hand(300.0, 1.0))}, "w"),
        ({("z", "x"): (HZ, by_hand(300.0, 1.0))}, "nothing connects"),
    ],
)
def test_bad_responses_are_told(chain, responses, words) -> None:
    with pytest.raises(jd.errors.JourdainError, match=words):
        jd.study.identify_response(chain, responses, ["x.stiffness"])
