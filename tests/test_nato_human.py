"""The examples of human models, locomotion and vibration of the NATO collection run, and their numbers are held."""

from __future__ import annotations

import runpy
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest

import jourdain as jd

FOLDER = Path(__file__).resolve().parents[1] / "examples" / "nato"


def told(name):
    """What an example found; it draws one figure."""
    plt.close("all")
    found = runpy.run_path(str(FOLDER / name))
    assert len(plt.get_fignums()) == 1
    plt.close("all")
    return found


@pytest.mark.slow
def test_crawling():
    """Angles at which other points begin to move, to a step; the best centre gets a third of a link a round."""
    found = told("ex11_crawling.py")
    for short, wanted in {0.8: (8.6822, 83.1301), 0.6: (26.4427, 66.8699), 0.4: (53.1301,)}.items():
        assert found["changes"][short] == pytest.approx(wanted, abs=0.9)
    heavy = found["masses"] > 0.59
    np.testing.assert_allclose(found["advance"][heavy], found["free"][heavy], atol=1e-3)
    assert found["best"] == pytest.approx(0.6) and np.all(found["advance"][~heavy] < found["free"][~heavy] - 0.05)


@pytest.mark.slow
def test_a_vibrator_with_its_coil():
    """Energy, pull-in, and what adjusting one voltage or both does under 30 N."""
    found = told("ex16_vibrator.py")
    model, magnet, shake = found["model"], found["magnet"], found["shake"]
    M, C, BETA, GAP, KAPPA, R = (found[name] for name in ("M", "C", "BETA", "GAP", "KAPPA", "R"))
    # source = coil + dashpot + change of kinetic, elastic and magnetic energy; no stop is touched
    run = shake(found["U0"], found["U1"], until=1.0, step=5e-5)
    x, v, z = run.q["x"].values, run.v["x"].values, run.z.values
    field = 0.5 * KAPPA * z[:, 0] ** 2 * (GAP - x)
    stored = 0.5 * M * v**2 + 0.5 * C * x**2 + field
    from scipy.integrate import simpson

    lost = simpson(BETA * v**2, x=run.time.values)
    assert z[-1, 1] == pytest.approx(z[-1, 2] + lost + stored[-1] - stored[0], rel=1e-5)
    # a constant voltage: equilibrium below the pull-in, none above it, and a third of the gap at it
    for part in (0.5, 0.9, 0.999):
        still = jd.simulate(model, model.state(), 60.0 if part > 0.99 else 20.0, rtol=1e-8, output=10.0,
                            controller=magnet(part * found["PULL_IN"], 0.0, 0.0, 0.0))  # fmt: skip
        end = still.q["x"].values[-1]
        roots = np.roots([1.0, -2.0 * GAP, GAP**2, -((part * found["PULL_IN"]) ** 2) / (2 * C * KAPPA * R**2)])
        assert end == pytest.approx(min(roots.real), rel=1e-3) and end < GAP / 3
    # a double root: GAP sqrt(4 (1 - part^2) / 27) short of it, to first order
    assert GAP / 3 - end == pytest.approx(GAP * np.sqrt(4 * (1 - part**2) / 27), rel=0.02)
    over = shake(1.02 * found["PULL_IN"], 0.0, until=20.0)  # pulled in, and held by the stop
    assert over.q["x"].values[-1] > GAP / 3
    # amplitude back by the mean voltage, centre not, and the stop is met; both back by both
    swings, wanted = found["swings"], found["wanted"]
    assert swings["mean voltage"][:, 1] == pytest.approx(wanted[1], rel=1e-4)
    assert swings["mean voltage"][-1, 0] < wanted[0] - 0.6e-3
    assert np.min(found["runs"]["mean voltage"][-1].q["x"]) < -0.9e-3
    np.testing.assert_allclose(swings["both voltages"], np.tile(wanted, (4, 1)), rtol=1e-4)
