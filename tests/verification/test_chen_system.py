"""Chen's orbiting manipulator (1999): frequencies, equilibrium attitudes and the coupling of orbit and libration."""

from __future__ import annotations

import numpy as np
import pytest
from chen_system import CHEN, libration, manipulator

import jourdain as jd


def test_libration_moves_the_orbit():
    """Case V3-1: platform and four rigid modules on one line, pitched by 30 degrees, one orbit. The line swings as a
    whole, its joints hardly move (all slender parts have the same angular acceleration), and the platform's radius
    changes by 5.6 m."""
    run = libration()
    assert np.degrees(np.ptp(run.q["twist1"].values)) < 2e-3
    assert np.max(np.abs(run.energy["balance"].values)) < 1e-9 * np.ptp(run.energy["kinetic"].values)


def test_a_bent_platform_shakes_its_arm():
    """Case 4-6 in motion, 100 s: everything flexible, in orbit; the energy balance closes."""
    model = manipulator(1, base=30.0).compile()
    state = model.state(q={"slew1": np.radians(50), "platform.bending_y[0]": CHEN["bent"](2.0)})
    held = {"slew1": jd.Polynomial([np.radians(50)])}
    run = jd.simulate(model, state, until=100.0, output=0.5, motions=held, rtol=1e-9, atol=1e-10)
    assert np.max(np.abs(run.energy["balance"].values)) < 1e-8 * np.ptp(run.energy["kinetic"].values)
    assert 5.0 < np.degrees(np.max(run.q["twist1"].values)) < 8.0


def test_lengths_must_fit():
    with pytest.raises(ValueError, match="lengths has 3 entries for 2 modules"):
        manipulator(2, lengths=[1.0, 2.0, 3.0])
