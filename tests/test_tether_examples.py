"""The short electrodynamic tether (NATO ASI, part B, section 16): the digest's list of numbers, and the examples."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest
from example_files import beside, run_example

import jourdain as jd


@pytest.fixture(autouse=True)
def paper():
    """The paper's system, imported from beside the examples."""
    with beside("short_tether"):
        import short_tether

        yield short_tether


def spinning(model, rate):
    """Modes in the turning axes, the spin being held."""
    return model.frequencies(model.state(v={"spin": rate}), hold=["spin"])


def test_deflection(paper):
    """The tip under the drag of 40e-6 N/m [m]; frequencies are held by the published cases."""
    system = paper.tether(3)
    for k in range(3):
        system.force(f"y{k}", f"t{k}", (0, 40e-6, 40e-6), along=True)
    model = system.compile()
    tip = model.pose("disk.origin", model.equilibrium(model.state(), hold=["spin"]).state).position
    np.testing.assert_allclose(tip[1:], (0.107, 0.193), atol=1e-3)


def test_damping_of_substructures_vanishes_with_their_number(paper):
    """5 % in the modes of each beam are 1.36, 0.12 and 0.028 % in the first of the whole: growth at 0.1 rad/s [1/s]."""
    for count, ratio, growth in ((1, 0.0136, 9.2e-4), (3, 1.20e-3, 8.1e-5), (6, 2.77e-4, 1.87e-5)):
        model = paper.tether(count, damping=0.05).compile()
        assert spinning(model, 0.0).damping[0] == pytest.approx(ratio, rel=0.01)
        assert np.max(spinning(model, 0.1).eigenvalues.real) == pytest.approx(growth, rel=0.01)


def test_the_end_state_is_an_elastica(paper):
    """Beams welded to each other and the cable, turning as one piece, against the boundary value problem."""
    end = paper.elastica(paper.ROUND, 0.1)
    misses = []
    for line, most in ((6, 0.02), (10, 0.004), ("cable", 1e-4)):
        system = paper.tether(line, paper.ROUND, paper.ALIKE if line == "cable" else (0.0, paper.ALIKE))
        model = system.compile()
        state = paper.bent(model, system, end)
        state.v[model.index.v["spin"]] = 0.1
        found = model.equilibrium(state, hold=["spin"])
        x, y, z = model.pose("disk.origin", found.state).position / paper.L
        misses.append(abs(np.hypot(y, z) / (end(paper.L)[2] / paper.L) - 1.0))
        assert misses[-1] < most
        if line != "cable":
            assert found.stable
    assert misses[0] > 4 * misses[1] > 16 * misses[2]


def test_momentum_and_energy_are_kept_without_damping(paper):
    """A hub that nothing drives: angular momentum about the axis and energy of beams and of the cable."""
    for line, options in ((3, {"rtol": 1e-9}), ("cable", {"rtol": 1e-8})):
        system = paper.tether(line, paper.ROUND)
        model = system.compile()
        state = paper.bent(model, system, paper.offset(0.1))
        state.v[model.index.v["spin"]] = 0.1
        run = jd.simulate(model, state, until=20.0, progress=False, output=5.0, **options)
        spin = [model.momentum(run.state(i)).angular[0] for i in (0, -1)]
        assert spin[1] == pytest.approx(spin[0], rel=1e-7)
        assert np.ptp(run.energy["total"].values) < 1e-6 * np.ptp(run.energy["strain"].values)


@pytest.mark.slow
def test_the_example_of_the_spinning_tether(monkeypatch):
    monkeypatch.setattr(plt, "show", lambda: None)
    found = run_example("spinning_tether")
    radius, end = found["radius"], found["end"](found["L"])[2] / found["L"]
    below, above = (radius(found["cable"][rate]) for rate in (0.02, 0.1))
    assert below.max() < 0.1 and below[-1] < 0.011  # it decays
    assert above.max() < 0.9 and above[-1] == pytest.approx(end, rel=2e-4)  # bounded, and an elastica
    for rate, (y, z) in {0.02: (3.32, 3.10), 0.1: (2.98, 0.44)}.items():  # the paper: 8 and 10, 5 and 3 m
        most = np.max(np.abs(found["beams"][rate].frame("disk.origin").path[:, 1:3]), axis=0)
        np.testing.assert_allclose(most, (y, z), atol=0.03)
    plt.close("all")


@pytest.mark.slow
def test_the_example_of_the_reeled_tether(monkeypatch):
    monkeypatch.setattr(plt, "show", lambda: None)
    found = run_example("reeled_tether")
    angle, theory = found["angle"], found["theory"]
    np.testing.assert_allclose(angle, theory, atol=0.1)  # it stretches by 4e-5 and bows out a little
    assert angle.max() > 20.0  # winding in pumps the swing
    assert abs(found["run"].energy["balance"].values[-1]) < 1e-4
    plt.close("all")


@pytest.mark.slow
def test_the_example_of_the_electrodynamic_tether(monkeypatch):
    monkeypatch.setattr(plt, "show", lambda: None)
    found = run_example("electrodynamic_tether")
    run, emf, power, axis = (found[name] for name in ("run", "emf", "power", "axis"))
    assert emf.min() == pytest.approx(-282.0, abs=2.0) and emf.max() == pytest.approx(-172.0, abs=2.0)
    np.testing.assert_allclose(power, emf**2 / 180.0, rtol=1e-12)
    # the orbit falls by what the force takes, 4 % more than the power in axes that turn with the Earth
    lost = np.trapezoid(power, run.time) / (500.0 + 20.0 + 2000.0 * 2.7e-3)
    fall = -2.0 * axis[0] ** 2 / found["orbit"].mu * lost
    assert 1.0 < (axis[-1] - axis[0]) / fall < 1.15
    assert np.max(np.abs(found["pitch"])) < np.radians(17.0)
    plt.close("all")
