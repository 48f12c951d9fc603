"""The examples with flexible bodies run, and a number from each is held."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from example_files import run_example
from kim_contact import numbers_bar

from jourdain.study.published import FAILED


def run(name: str) -> dict:
    """The names that the example leaves behind; it must have drawn a figure."""
    plt.close("all")
    found = run_example(name)
    figures = [plt.figure(number) for number in plt.get_fignums()]
    assert len(figures) == 1 and all(panel.lines or panel.patches for panel in figures[0].axes)
    figures[0].canvas.draw()
    plt.close("all")
    return found


def test_spin_up():
    peak = run("spin_up")["peak"]
    assert peak["default"] == pytest.approx(peak["segments"], rel=0.01)
    assert peak["default"] == pytest.approx(-0.568, rel=0.01)
    assert peak["exact, 1 stretch mode"] == pytest.approx(-0.1413, rel=0.01)
    assert [peak["consistent"], peak["ruthless"]] == pytest.approx([-0.5819, -0.6285], rel=0.01)
    assert peak["inconsistent"] == pytest.approx(-8.79, rel=0.01)


@pytest.mark.slow
def test_shuttle_arm():
    found = run("space_shuttle_arm")
    bent = {name: np.max(values) for name, values in found["bent"].items()}
    assert bent["default"] == pytest.approx(0.372, rel=0.03)
    assert bent["default"] == pytest.approx(bent["segments"], rel=0.03)
    assert bent["exact, 1 stretch mode"] == pytest.approx(0.183, rel=0.03)
    assert found["pitch"]["default"][-1] > 1.5 > 0.5 > found["pitch"]["exact, 1 stretch mode"][-1]


def test_two_link():
    found = run("arm_on_spacecraft")
    assert found["frequency"]["clamped-free"][:2] == pytest.approx([15.74, 10.95], rel=1e-3)
    assert found["frequency"]["polynomial"][2] == pytest.approx(10.86, rel=1e-3)
    assert found["impulse"][:3] == pytest.approx([26.0, 21.5, 15.2], rel=5e-3)
    assert all(np.max(np.abs(values[-100:])) < 1.0 for values in found["ringing"].values())


def test_bar_impact():
    """Waves in bars: the force is rho c v A for 2 L / c; the dashpots of the nose take 3 % of the energy."""
    found = run("bar_impact")
    assert [row for many in numbers_bar(found) for row in many if row.verdict == FAILED] == []
    energy = found["run"].energy
    assert found["rebound"] == pytest.approx(0.978, abs=2e-3)
    assert np.max(np.abs(energy["balance"].values)) < 1e-4 * energy["kinetic"].values[0]
