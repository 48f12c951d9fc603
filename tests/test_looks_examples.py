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


def test_rover():
    """On the flat the loads are those of the levers. With its left front wheel on the ledge, 1.5 m ahead of the bogie's
    pivot, the left rocker leans by asin(0.12 / 1.5), but for wheels that sink in by 2 mm, and the body by half."""
    plt.close("all")
    found = runpy.run_path(str(LOOKS / "ex02_rover.py"))
    assert len(plt.get_fignums()) == 1
    plt.close("all")
    run, expected, felt = found["run"], found["expected"], found["felt"]
    for name, load in expected.items():
        assert abs(felt[name] / load - 1.0) < 1e-3, name
    assert abs(sum(felt.values()) / (2.0 * found["weight"]) - 1.0) < 1e-4
    front = run.frame("left front wheel.origin").position.values[:, 0]
    standing = (front > 1.75) & (front < 1.95)
    leaning = found["pitch"].values[standing]
    assert standing.sum() > 10 and np.allclose(leaning, 0.5 * np.arcsin(0.12 / 1.5), rtol=0.03)
    assert float(np.abs(run.q["left rocking"] + run.q["right rocking"]).max()) < 1e-6
    assert float(front[-1]) > 4.5 and run.trusted
