"""Kim's two-link flexible arm: what converges, and what is kept; its numbers are held by the published cases."""

import numpy as np
import pytest
from kim_arm import START, arm, frequencies

import jourdain as jd


def test_converged_frequency_of_the_arm():
    """Three static shapes reach what eight clamped-free modes crawl to: one mode errs by a half."""
    ours = [frequencies(m, m.state(START).q)[0] for m in (arm(3, basis="polynomial"), arm(5, basis="polynomial"))]
    assert ours[0] == pytest.approx(ours[1], rel=2e-3)
    assert frequencies(arm(8), arm(8).state(START).q)[0] == pytest.approx(ours[1], rel=2e-2)
    assert 1.4 < 15.74 / ours[1] < 1.5


def test_arm_keeps_its_energy():
    """Swinging freely with its links bent, nothing gets lost; the spacecraft turns back against the arm."""
    model = arm(2)
    state = model.state({**START, "link1.bending_y[0]": 0.05}, {"joint1": 0.02, "joint2": -0.03})
    run = jd.simulate(model, state, until=5.0, progress=False)
    total = run.energy["total"].values
    assert np.max(np.abs(total - total[0])) < 1e-8 * total[0]
    begin, end = (model.momentum(run.state(i)).angular[2] for i in (0, -1))
    assert end == pytest.approx(begin, rel=1e-7)
