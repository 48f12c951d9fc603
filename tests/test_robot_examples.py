"""The example of an imported arm runs, and its numbers are held."""

import matplotlib.pyplot as plt
import pytest
from example_files import FOLDER, run_example

import jourdain as jd


def test_the_imported_arm_presses_on_the_table():
    plt.close("all")
    found = run_example("imported_arm")
    assert len(plt.get_fignums()) == 1
    plt.close("all")
    assert found["armature"] == pytest.approx(0.64)
    assert found["felt"] == pytest.approx(0.64 + 0.11 + 2 * 0.4**2 + 0.3 * 0.8**2 + 2e-4, rel=1e-12)
    assert found["balance"] < 1e-6
    assert found["pressed"] == pytest.approx(149.443, rel=1e-4)
    assert found["bend"][-1] == pytest.approx(6.0, rel=0.02)


def test_the_scenario_is_sound():
    assert jd.study.check_scenario(FOLDER / "robots" / "touch.yaml") == []
