"""Derivatives of the dynamics: the recursion against the complex step, and the complex step against differences."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from strategies import systems

import jourdain as jd
from jourdain.functions import displaced


def central(model, state, acceleration, x, dv, step=1e-5):
    """Inverse dynamics along a displacement and a change of velocity, by central differences."""
    sides = []
    for s in (step, -step):
        by = s * np.array(x)
        for j, k, free in model.arrays.groups:
            if free:
                by[k + 3 : k + 6] = jd.Pose(rotation=state.q[j + 3 : j + 7]).rotation @ by[k + 3 : k + 6]
        moved = jd.State(state.time, displaced(model, state.q, by), state.v + s * dv, state.z)
        sides.append(model.inverse_dynamics(moved, acceleration))
    return (sides[0] - sides[1]) / (2.0 * step)


@settings(max_examples=15)
@given(systems(friction=True, forces=2))
def test_complex_step_against_central_differences(case):
    model, state = case.model, case.state
    a, x, dv = case.vector(), case.vector(), case.vector()
    K, C, _ = model.inverse_dynamics_derivatives(state, a, method="complex-step")
    wanted = central(model, state, a, x, dv)
    scale = np.max(np.abs(K)) + np.max(np.abs(C))
    # second order in a step of 1e-5, and rounding over it
    np.testing.assert_allclose(K @ x + C @ dv, wanted, rtol=0, atol=1e-6 * scale)


def test_unknown_method():
    system = jd.System("one")
    system.add(jd.RigidBody("body", 1.0), jd.Prismatic("slide"))
    model = system.compile()
    with pytest.raises(jd.ModelError, match="method: got 'guess'; allowed are analytical, complex-step"):
        model.inverse_dynamics_derivatives(model.state(), method="guess")
