"""Every example of control runs, and a number from each is held."""

import runpy
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pytest

CONTROL = Path(__file__).resolve().parents[1] / "examples" / "control"


def run(name: str) -> dict:
    """The names that the example leaves behind; it must have drawn a figure."""
    plt.close("all")
    found = runpy.run_path(str(CONTROL / f"{name}.py"))
    figures = [plt.figure(number) for number in plt.get_fignums()]
    assert len(figures) == 1 and all(panel.lines for panel in figures[0].axes)
    figures[0].canvas.draw()
    plt.close("all")
    return found


def belda_gpc(found):
    assert found["alike"] < 1e-9
    assert np.max(found["off"]["root form"]) < 3e-4
    assert found["least"]["pull of 5 N at least"] == pytest.approx(5.0, abs=1e-9)
    assert found["least"]["root form"] < -10.0
    jump = {name: np.max(np.abs(pulls[0])) for name, pulls in found["pulls"].items()}
    assert jump["increments penalised"] < 0.15 * jump["root form"]


def shaping(found):
    assert found["mode"].hz[0] == pytest.approx(0.6945, rel=1e-3)
    for kind, one in found["shapers"].items():
        theory = one.residual(found["ratio"] * found["mode"].hz[0])
        assert found["left"][kind] == pytest.approx(theory, abs=2e-3)
    assert found["histories"]["unshaped"][2] == pytest.approx(0.490, rel=5e-3)


CHECKS = {"belda_gpc": belda_gpc, "shaping": shaping}


@pytest.mark.parametrize("name", CHECKS)
def test_example(name):
    CHECKS[name](run(name))


def test_every_example_is_held_by_a_number():
    assert sorted(CHECKS) == sorted(path.stem for path in CONTROL.glob("*.py"))
