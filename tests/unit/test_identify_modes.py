"""Unknowns from natural frequencies: against closed forms, and what modes cannot tell."""

from __future__ import annotations

import numpy as np
import pytest

import jourdain as jd


@pytest.fixture(scope="module")
def chain() -> jd.Model:
    """Two masses on three springs in a row: k1 to the wall, k2 between, masses of 1 and 2 kg."""
    system = jd.System("chain")
    system.add(jd.RigidBody("a", mass=1.0), jd.Prismatic("x", axis="x", stiffness=300.0, damping=1.0))
    system.add(jd.RigidBody("b", mass=2.0), jd.Prismatic("y", axis="x", stiffness=500.0, damping=2.0), to="a.origin")
    return system.compile()


def hertz(k1: float, k2: float) -> np.ndarray:
    """By hand: K = [[k1 + k2, -k2], [-k2, k2]], M = diag(1, 2), in displacements of the masses."""
    values = np.linalg.eigvals(np.array([[k1 + k2, -k2], [-k2 / 2.0, k2 / 2.0]]))
    return np.sqrt(np.sort(values)) / (2.0 * np.pi)


def test_stiffness_from_two_frequencies(chain) -> None:
    """As many modes as unknowns: both are met, and errors are those of the inverse of the slopes, by hand."""
    told = hertz(340.0, 450.0)
    undamped = chain.with_parameters({"x.damping": 0.0, "y.damping": 0.0})
    fit = jd.study.identify_modes(undamped, told, {"x.stiffness": (10, 1e4), "y.stiffness": (10, 1e4)}, noise=0.01)
    assert fit.values["x.stiffness"] == pytest.approx(340.0, rel=1e-4)
    assert fit.values["y.stiffness"] == pytest.approx(450.0, rel=1e-4)
    assert fit.fitted == pytest.approx(told, rel=1e-5) and fit.converged and fit.chi2 < 1e-4
    step = 1e-4
    J = np.column_stack([
        (np.log(hertz(340 + step, 450)) - np.log(hertz(340 - step, 450))) / (2 * step),
        (np.log(hertz(340, 450 + step)) - np.log(hertz(340, 450 - step))) / (2 * step),
    ])  # fmt: skip
    wanted = np.sqrt(np.diag(np.linalg.inv(J.T @ J / 0.01**2)))
    assert list(fit.errors.values()) == pytest.approx(wanted, rel=2e-3)
    low, high = fit.intervals["x.stiffness"]
    assert low < 340.0 < high and "Hz" in str(fit)
    assert fit.model.parameters["x.stiffness"] == fit.values["x.stiffness"]


def test_damping_from_ratios_and_modes_that_pass_each_other(chain) -> None:
    true = chain.with_parameters({"x.damping": 1.6, "y.damping": 3.0})
    seen = true.frequencies(true.state())
    fit = jd.study.identify_modes(
        chain, seen.hz, ["x.damping", "y.damping", "x.stiffness"], damping=seen.damping, damping_noise=1e-3
    )
    assert [fit.values[name] for name in ("x.damping", "y.damping")] == pytest.approx([1.6, 3.0], rel=1e-3)
    # two pendulums side by side whose frequencies are given in the other order than the model has them
    system = jd.System("pair")
    for name, k in (("p", 100.0), ("q", 121.0)):
        system.add(jd.RigidBody(f"m{name}", mass=1.0), jd.Prismatic(name, axis="x", stiffness=k))
    model = system.compile()
    crossed = np.sqrt([144.0, 121.0]) / (2.0 * np.pi)
    fit = jd.study.identify_modes(model, crossed, {"p.stiffness": (50, 500), "q.stiffness": (50, 500)}, noise=1e-3)
    assert [fit.values["p.stiffness"], fit.values["q.stiffness"]] == pytest.approx([144.0, 121.0], rel=1e-4)


def test_a_beam_and_what_its_modes_cannot_tell() -> None:
    """A cantilever's frequencies tell EI over the mass per length: 3.5160 sqrt(EI / (m L^4)) for the first."""
    system = jd.System("cantilever")
    beam = jd.Beam(
        "boom", length=2.0, mass_per_length=1.5, EA=1e6, EI=(80.0, 80.0), GJ=50.0, modes=jd.Modes(bending_y=3)
    )
    system.add(beam, jd.Weld("wall"))
    model = system.compile()
    told = [3.51602 * np.sqrt(120.0 / 1.5) / 4.0 / (2 * np.pi)]
    fit = jd.study.identify_modes(model, told, {"boom.EI": (10, 1000)}, noise=0.005)
    assert fit.values["boom.EI"] == pytest.approx(120.0, rel=1e-3)
    assert fit.errors["boom.EI"] == pytest.approx(2 * 0.005 * 120.0, rel=1e-2)
    both = jd.study.identify_modes(model, told, {"boom.EI": (10, 1000), "boom.mass_per_length": (0.1, 10)}, noise=0.005)
    assert set(both.undetermined) == {"boom.EI", "boom.mass_per_length"} and np.isnan(both.values["boom.EI"])


@pytest.mark.parametrize(
    ("told", "more", "words"),
    [
        ([], {}, "numbers above zero"),
        ([-1.0], {}, "numbers above zero"),
        ([1.0, 2.0, 3.0], {}, "the model has 2"),
        ([1.0], {"modes": [1, 2]}, "each once"),
        ([1.0], {"damping": [0.1, 0.2]}, "as many of both"),
        ([1.0], {"noise": 0.0}, "above zero"),
        ([1.0], {"unknowns": ["state.q.x"]}, "parameters of the model only"),
        ([1.0], {"unknowns": ["x.stiffnes"]}, "x has stiffness"),
    ],
)
def test_what_is_wrong_is_told(chain, told, more, words) -> None:
    with pytest.raises(jd.JourdainError, match=words):
        jd.study.identify_modes(chain, told, **({"unknowns": ["x.stiffness"]} | more))
