"""The packaged scenario of a net that catches a tumbling satellite: its limits hold, and its energy is kept."""

from __future__ import annotations

from importlib.resources import files

import numpy as np
import pytest

import jourdain as jd


@pytest.mark.slow
def test_the_net_closes_round_the_target():
    scenario = jd.load_scenario(str(files("jourdain").joinpath("scenarios", "net_capture.yaml")))
    run = scenario.simulate(progress=False)
    verdict = jd.study.judge(run)
    assert len(verdict) == 5 and all(one.passed for one in verdict)
    tension, pull = (np.max(jd.quantity(run, name).values) for name in ("tension:tether", "reaction:tied.force"))
    assert 0.5 < tension < 3.0 and pull == pytest.approx(tension, rel=0.05)  # what the arm feels where it is tied
    first, last = run.record.energy[0], run.record.energy[-1]
    moved = last[5] - first[5]  # what the shoulder and the closing of the net have done
    assert last[:5].sum() - first[:5].sum() == pytest.approx(moved, rel=0.02)
    opening = jd.quantity(run, "distance:net_x0.root:net_x2.tip").values
    assert opening[0] > 2.8 and opening[-1] < 0.6
