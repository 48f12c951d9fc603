"""A measured record: a frequency response that the wheel of vibration_toolbox carries, fitted by a resonance.

Slater & Timbo, vibration_toolbox 0.6.10 (MIT), data/case1.mat: a response up to 500 Hz, every 0.3125 Hz, whose specimen
and units are not told. `pip install --no-deps vibration-toolbox`; the file is read, and nothing is imported.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
from installed import needs
from scipy.io import loadmat

import jourdain as jd

needs("vibration_toolbox")
pytestmark = pytest.mark.peer
THEIRS = 212.092530551, 8.1009e-4
"""Frequency [Hz] and damping ratio by the toolbox's `sdof_cf`, of lines 500 to 1000; the former is in its docstring."""


def test_a_resonance_of_a_measured_response():
    """Within a tenth of a line of the toolbox's frequency, which a rational function with residual terms gives, and
    within a tenth of its damping ratio: on other lines its own ratio differs by 5 %."""
    found = find_spec("vibration_toolbox")
    data = loadmat(Path(found.submodule_search_locations[0]) / "data" / "case1.mat")
    hz, H = data["Freq_domain"].ravel().astype(float), 2.3e-8 * data["Hf_chan_2"].ravel()  # a mass of about 1 kg
    at = (hz >= 205.0) & (hz < 220.0)
    system = jd.System("resonance")
    turn = 2.0 * np.pi * 211.0
    system.add(jd.RigidBody("mass", mass=1.0), jd.Prismatic("x", axis="x", stiffness=turn**2, damping=0.006 * turn))
    unknowns = {"mass.mass": (0.1, 10.0), "x.stiffness": (1e5, 1e8), "x.damping": (0.01, 100.0)}
    fit = jd.study.identify_response(system.compile(), {("x", "x"): (hz[at], H[at])}, unknowns, noise=0.2)
    m, k, c = (fit.values[name] for name in unknowns)
    assert fit.converged and not fit.undetermined
    assert np.sqrt(k / m) / (2.0 * np.pi) == pytest.approx(THEIRS[0], abs=0.1 * 0.3125)
    assert 0.5 * c / np.sqrt(k * m) == pytest.approx(THEIRS[1], rel=0.1)
