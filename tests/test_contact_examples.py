"""Every example of contact runs, and a number from each is held."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from example_files import run_example


def run(name: str) -> dict:
    """The names that the example leaves behind; it must have drawn a figure."""
    plt.close("all")
    found = run_example(name)
    figures = [plt.figure(number) for number in plt.get_fignums()]
    assert len(figures) == 1 and all(panel.lines for panel in figures[0].axes)
    figures[0].canvas.draw()
    plt.close("all")
    return found


def restitution(found):
    assert found["worst"] < 1e-5
    assert found["delivered"]["Hunt and Crossley"][5] == pytest.approx(0.66296, abs=1e-4)
    assert found["delivered"]["Lankarani and Nikravesh"][5] == pytest.approx(0.72524, abs=1e-4)
    assert found["deepest"][0.5] == pytest.approx(1.5088e-3, rel=0.01)  # the deepest sample
    assert found["largest"][0.5] == pytest.approx(271.2, rel=0.01)


def stick_slip(found):
    assert found["peaks"][0.05][0] == pytest.approx((15.158, 0.75542), abs=2e-3)
    assert found["peaks"][0.10][:2] == [pytest.approx(p, abs=2e-3) for p in ((7.740, 0.76436), (14.851, 0.74016))]
    assert found["peaks"][0.15][1] == pytest.approx((10.915, 0.72096), abs=2e-3)
    assert [force[0] for force in found["breakaway"].values()] == pytest.approx([1.5] * 3, rel=2e-3)
    assert found["breakaway"][0.15][2] < found["breakaway"][0.10][2] < 1.5
    assert found["balance"] < 1e-6


def ball_in_a_cylinder(found):
    assert found["touchdowns"] == pytest.approx([0.2666, 0.5090, 0.6295, 0.6887], abs=2e-4)
    assert found["fastest"] == pytest.approx([2.414, 9.839, 0.712], abs=2e-3)
    assert found["slip"] < 1e-5 and 0.0 <= found["lost"] < 1e-4


def touching_a_plate(found):
    assert found["pressed"] == pytest.approx(30.0, abs=1e-3)
    assert found["depth"] == pytest.approx((30.0 / 2.5413e8) ** (2 / 3), rel=1e-4)
    assert found["rubbed"] == pytest.approx(30.0 * (0.1 + 0.06 * np.exp(-0.01)), rel=1e-3)
    assert found["balance"] < 1e-4


def identification(found):
    assert all(abs(error) < 4.0 for error in found["off"].values())  # standard errors, nine of them
    assert {"static", "kinetic", "dwell"} <= set(found["partial"].undetermined)


def ball_over_the_edge(found):
    assert found["landed"] == pytest.approx(0.197, abs=5e-4)
    assert found["stops"] == pytest.approx(1.89, abs=0.01)
    assert found["leaves"] == pytest.approx(4.3, abs=0.1)  # an instability, which the step decides
    assert found["remained"] == pytest.approx(-0.0144, abs=3e-4)
    assert found["balance"] < 1e-5


def tippe_top(found):
    assert list(found["turned"].values())[:2] == pytest.approx([1.66, 1.51], abs=0.02)
    assert 1.4 < list(found["turned"].values())[2] < 1.6


def peg_in_hole(found):
    assert found["ends"][0.05] > 0.025  # goes in
    assert found["twice"] < found["ends"][0.3] < 0.3 * 0.02  # wedges where Whitney says it can
    assert found["deepest"] < 1e-5 and found["balance"] < 1e-5


CHECKS = {
    "restitution": restitution,
    "stick_slip_belt": stick_slip,
    "ball_in_a_cylinder": ball_in_a_cylinder,
    "touching_a_plate": touching_a_plate,
    "contact_parameters": identification,
    "ball_over_the_edge": ball_over_the_edge,
    "tippe_top": tippe_top,
    "peg_insertion": peg_in_hole,
}


LONG = ("contact_parameters",)
"""Run by `make verify`; the page on identification, which has the same example, runs with the quick tests."""


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.slow if n in LONG else ()) for n in CHECKS])
def test_example(name):
    CHECKS[name](run(name))
