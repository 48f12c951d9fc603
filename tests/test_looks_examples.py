"""The examples of machines that look like what they are run, and a number from each is held."""

import runpy
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np

LOOKS = Path(__file__).resolve().parents[1] / "examples" / "looks"


def test_satellite():
    """Momentum stays zero; the satellite ends up about the angle that it gives, on the mean over what still rings: 4.4
    periods of 0.058 rad, of which a part of one is 0.058 / (2 pi 4.4) = 0.002 rad."""
    plt.close("all")
    found = runpy.run_path(str(LOOKS / "ex01_satellite.py"))
    assert len(plt.get_fignums()) == 1
    plt.close("all")
    assert found["momentum"] < 1e-9
    assert abs(np.mean(found["rung"])) < 0.002 * 2.0 and 0.02 < np.ptp(found["rung"]) < 0.15
