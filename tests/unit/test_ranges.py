"""Flexible bodies that leave what their models hold for are warned of, with the time, the reason and the remedy."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import jourdain as jd
from jourdain.describe.bodies.floating_frame.validity_limits import PLAIN_SLOPE, SLOPE

BEAM = {"length": 8.0, "mass_per_length": 2.0, "EA": 1e7, "EI": 2e3, "GJ": 1e3}


def bent(model: jd.Model, slope: float) -> np.ndarray:
    """q of a clamped beam whose tip has a slope, of the first static shape 3/2 of the deflection over the length."""
    q = model.neutral.copy()
    q[model.index.q["b.bending_y[0]"]] = slope * 8.0 / 1.5
    return q


def beam(**options) -> jd.Model:
    system = jd.System("boom")
    system.add(jd.Beam("b", **BEAM, modes=jd.Modes(bending_y=2), **options), jd.Weld("root"))
    return system.compile()


def told(model: jd.Model, q: np.ndarray, **options) -> list[str]:
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        jd.simulate(model, model.state(q), until=1e-3, step=5e-4, progress=False, **options)
    return [str(one.message) for one in found if issubclass(one.category, jd.errors.RangeWarning)]


@pytest.mark.parametrize(
    ("fidelity", "limit"), [("exact", SLOPE), ("consistent", PLAIN_SLOPE), ("inconsistent", PLAIN_SLOPE)]
)
def test_partials_beyond_the_fidelity(fidelity, limit):
    model = beam(fidelity=fidelity)
    assert told(model, bent(model, 0.97 * limit)) == []
    (message,) = told(model, bent(model, 1.1 * limit))
    assert f'boom: body "b" leaves what its model holds for at t = 0 s: its slope reaches {1.1 * limit:.3g}' in message
    assert f"{limit:g} rad is the most" in message
    assert ('give fidelity="exact"' in message) is (fidelity != "exact")


def test_the_limits_are_where_models_err_by_a_tenth_and_a_twentieth():
    """A cantilever of unit length and stiffness under a force at its tip that makes the slope in linear theory, that
    of the model: P = 2 s, deflection 2 s / 3. The elastica t'' = -P cos t has less. And an axis of slope s that
    does not shorten is sqrt(1 + s^2) long."""
    load = 2.0 * SLOPE

    def bend(_, y):
        return [y[1], -load * np.cos(y[0]), np.sin(y[0])]

    def end(curvature):
        return solve_ivp(bend, (0, 1), [0.0, curvature, 0.0], rtol=1e-10, atol=1e-12).y[:, -1]

    root = brentq(lambda curvature: end(curvature)[1], 0.1 * load, load)
    assert (2 * SLOPE / 3) / end(root)[2] == pytest.approx(1.1, abs=0.01)
    assert np.hypot(PLAIN_SLOPE, 1.0) == pytest.approx(1.05, abs=0.01)


def test_a_beam_that_runs_away_says_when():
    """An inconsistent beam under a load that bends it by twenty times its length."""
    system = jd.System("soft")
    system.add(jd.Beam("b", **BEAM, modes=jd.Modes(bending_y=2), fidelity="inconsistent"), jd.Weld("root"))
    system.force("pull", "b.tip", force=(0.0, 1e3, 0.0))
    model = system.compile()
    with pytest.warns(jd.errors.RangeWarning, match=r'body "b" leaves what its model holds for at t = 0\.\d+ s'):
        run = jd.simulate(model, model.state(), until=1.0, step=2e-3, progress=False)
    deflection = run.deflection("b").values[:, -1, 1]
    assert np.max(np.abs(deflection)) > 8.0
    with pytest.warns(jd.errors.RangeWarning):
        jd.simulate_many(model, [model.state()] * 2, until=1.0, step=2e-3)


def test_strains_and_reduced_bodies():
    """The first static shape of a clamped beam has the curvature 3 y / L^2 at its root."""
    stubby = jd.System("stubby")
    short = jd.Beam("b", 0.5, 2.0, 1e5, 2e3, 1e3, modes=jd.Modes(bending_y=2))
    stubby.add(short, jd.Weld("root"))
    model = stubby.compile()
    q = model.neutral.copy()
    q[model.index.q["b.bending_y[0]"]] = 0.06 / (np.sqrt(2e3 / 1e5) * 3.0 / 0.5**2)  # 6 % at the radius of gyration
    (message,) = told(model, q)
    assert "its strain reaches 0.06" in message and "0.05 is the most" in message
    strain = {one.what: one.values[0] for one in short.excesses(q[None])}["strain"]
    assert strain == pytest.approx(0.06, rel=1e-9)
    reduced = jd.System("lump")
    M, K, nodes = lump()
    reduced.add(jd.ReducedBody("part", M, K, nodes, {"root": 0, "tip": 1}), jd.Weld("mount"))
    model = reduced.compile()
    q = model.neutral.copy()
    q[model.index.q["part.constraint[5]"]] = 0.5
    (message,) = told(model, q)
    assert 'body "part"' in message and "its slope reaches 0.5 rad" in message


def lump() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Two nodes of six degrees of freedom on springs."""
    from elements import beam_elements

    return beam_elements(2.0, 1, mass_per_length=3.0, EA=1e6, EI=(80.0, 90.0), GJ=40.0, inertia_per_length=1e-2)
