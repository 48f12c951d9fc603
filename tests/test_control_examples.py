"""Every example of control runs, and a number from each is held."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from example_files import run_example
from nato_control import numbers_impedance

from jourdain.study.published import FAILED


def run(name: str) -> dict:
    """The names that the example leaves behind; it must have drawn a figure."""
    if name.startswith("optimal"):
        pytest.importorskip("casadi")
    plt.close("all")
    found = run_example(name)
    figures = [plt.figure(number) for number in plt.get_fignums()]
    assert len(figures) == 1 and all(panel.lines for panel in figures[0].axes)
    figures[0].canvas.draw()
    plt.close("all")
    return found


def predictive_parallel_robot(found):
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


def flexible_arm_force_control(found):
    """Digest: 13.4 to 13.7 N uncorrected at 20 s, 15 N corrected; link 2 stays bent more than link 1 (thesis)."""
    assert found["held"]["as designed"] == pytest.approx(13.38, abs=0.02)
    assert found["held"]["with the integral"] == pytest.approx(15.0, abs=0.03)
    assert found["bent"] == pytest.approx([0.0072, 0.0240], abs=3e-4)


def joint_impedance(found):
    assert [row for many in numbers_impedance(found) for row in many if row.verdict == FAILED] == []


def slewing_deployable_arm(found):
    typical = found["typical"]
    for path, count in (("line", 0.02), ("circle", 0.03)):
        assert typical[path, "FLT", False] < min(count, 0.7 * typical[path, "PID", False])
        assert typical[path, "FLT", True] == pytest.approx(0.5 / (0.2 * 1600) * 1e3, rel=0.2)  # friction / stiffness
        assert typical[path, "PID", True] < 0.15 * typical[path, "FLT", True]


def optimal_slew(found):
    """Less than 1 % of what shaping leaves, and within 5 % of the unshaped swing across the band."""
    amplitude = {name: one[2] for name, one in found["short"].items()}
    assert found["best"].converged and amplitude["optimal"] < 0.01 * amplitude["ZV"] < 0.01 * amplitude["unshaped"]
    assert np.max(found["left"]["robust"]) < 0.04
    assert np.max(found["left"]["ZVD"]) > 0.15 and np.max(found["left"]["optimal"]) > 0.15


CHECKS = {
    "predictive_parallel_robot": predictive_parallel_robot,
    "slewing_deployable_arm": slewing_deployable_arm,
    "flexible_arm_force_control": flexible_arm_force_control,
    "joint_impedance": joint_impedance,
    "optimal_slew": optimal_slew,
    "input_shaping": shaping,
}


@pytest.mark.parametrize("name", CHECKS)
def test_example(name):
    CHECKS[name](run(name))
