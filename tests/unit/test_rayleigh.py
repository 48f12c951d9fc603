"""Rayleigh damping from two ratios, and the masses of bodies."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from elements import beam_elements

import jourdain as jd


def test_two_ratios_give_the_coefficients():
    """The clamped beam has exactly these ratios at its first two frequencies."""
    plain = {"length": 2.0, "mass_per_length": 1.0, "EA": 1e6, "EI": 100.0, "GJ": 50.0, "modes": jd.Modes(bending_y=3)}
    hz = jd.Beam("b", **plain).clamped_frequencies()[:2] / (2 * np.pi)
    damping = jd.Rayleigh(ratios=((hz[0], 0.01), (hz[1], 0.03)))
    assert damping.ratio(hz) == pytest.approx([0.01, 0.03], rel=1e-12)
    system = jd.System("beam")
    system.add(jd.Beam("b", **plain, damping=damping), jd.Weld("root"))
    model = system.compile()
    assert model.frequencies(model.state()).damping[:2] == pytest.approx([0.01, 0.03], rel=1e-9)
    assert tuple(damping) == (damping.alpha, damping.beta) and pickle.loads(pickle.dumps(damping)) == damping
    assert jd.Rayleigh(0.1, 1e-3) == (0.1, 1e-3)


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"ratios": ((1.0, 0.01), (10.0, 0.5))}, r"the second can be 0.001 to 0.1"),
        ({"ratios": ((1.0, 0.01), (1.0, 0.02))}, "two different frequencies"),
        ({"ratios": (1.0, 0.01)}, "give two pairs"),
        ({"alpha": 1.0}, "give alpha and beta, or ratios="),
        ({"alpha": -1.0, "beta": 0.0}, "none negative"),
        ({"alpha": 1.0, "beta": 0.0, "ratios": ((1.0, 0.01), (10.0, 0.02))}, "one or the other"),
    ],
)
def test_mistakes_are_named(given, told):
    with pytest.raises(jd.errors.ModelError, match=told):
        jd.Rayleigh(**given)


def test_bodies_know_their_mass():
    M, K, nodes = beam_elements(2.0, 4, mass_per_length=3.0, EA=1e6, EI=(80.0, 90.0), GJ=40.0, inertia_per_length=1e-2)
    part = jd.ReducedBody("part", M, K, nodes, {"root": 0, "tip": 4}, damping=jd.Rayleigh(0.1, 1e-4))
    assert part.mass == pytest.approx(6.0, rel=1e-12)
    assert part.com == pytest.approx([1.0, 0.0, 0.0], abs=1e-12)
    even = jd.Beam("b", 2.0, 3.0, 1e6, 100.0, 50.0)
    tapered = jd.Beam("b", 2.0, ([0, 0.5, 1], [3, 2, 0.5]), 1e6, 100.0, 50.0)
    assert even.mass == pytest.approx(6.0, rel=1e-12)
    assert tapered.mass == pytest.approx(2.0 * (0.5 * 2.5 + 0.5 * 1.25), rel=1e-12)
    assert tapered.mass == pytest.approx(tapered.data(jd.Pose()).mass, rel=1e-12)
