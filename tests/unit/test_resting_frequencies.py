"""Frequencies by differences, as reports list them, are those of the analytical derivatives."""

import numpy as np
import pytest

import jourdain as jd
from jourdain.model.linear.modes import resting_frequencies


def test_differences_find_the_modes_of_a_beam_on_a_free_base():
    """The differences are of second order with steps of 1e-4, of functions that are linear but for foreshortening."""
    system = jd.System("boom on a base")
    system.add(jd.RigidBody("base", 50.0, inertia=(5.0, 6.0, 7.0)), joint=jd.Free("free"))
    boom = jd.Beam("boom", 4.0, 1.5, EA=1e6, EI=400.0, GJ=300.0, modes=jd.Modes(bending=2), damping=0.01)
    system.add(boom, joint=jd.Revolute("hinge", axis="z", stiffness=30.0, damping=2.0, rest=0.4), to="base.origin")
    model = system.compile()
    state = model.state(q={"free": jd.Pose((1, 2, 3), (0.8, 0.0, 0.6, 0.0)), "hinge": 0.4})
    found, exact = resting_frequencies(model, state.q), model.frequencies(state)
    assert found.rad == pytest.approx(exact.rad, rel=1e-6)
    assert found.damping == pytest.approx(exact.damping, abs=1e-6)
    assert found.rigid == exact.rigid == 6
    inner = slice(6, None)  # the free joint's own axes are those of the body here, and of the world there
    largest = np.max(np.abs(exact.shapes))
    assert np.abs(found.shapes[inner]) == pytest.approx(np.abs(exact.shapes[inner]), abs=1e-5 * largest)
