"""Sampled velocity feedback of a free mass, exactly; the strip of a galvanising line is a published case."""

import numpy as np
import pytest

import jourdain as jd


@pytest.mark.parametrize("ratio", [0.1, 1.0, 1.9, 2.1])
def test_free_mass_under_sampled_velocity_feedback(ratio):
    """v_k = (1 - g T / m)^k v_0 exactly; it grows where g T / m > 2."""
    system = jd.System("mass")
    system.add(jd.RigidBody("mass", mass=2.0), joint=jd.Prismatic("x", axis="x"))
    model = system.compile()
    period = 5e-3
    gain = ratio * 2.0 / period
    law = jd.control.StateFeedback([[0.0, gain]], model.state(), ("x",))
    start = model.state(v={"x": 1.0})
    digital = jd.control.Sampled(law, period)
    run = jd.simulate(model, start, until=0.1, step=1e-3, output=period, controller=digital)
    expected = (1.0 - ratio) ** np.arange(21)
    assert np.max(np.abs(run.v["x"].values - expected)) < 1e-12 * max(1.0, np.max(np.abs(expected)))
