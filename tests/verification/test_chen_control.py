"""Chen 1999, chapter 5: feedback-linearised manoeuvres, against the digest's independent re-runs of them."""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pytest
from chen_cases import numbers_linearised
from example_files import run_example

import jourdain as jd
from jourdain.study.published import FAILED


@pytest.fixture(scope="module")
def told():
    """What the example leaves behind; it must have drawn its figure."""
    plt.close("all")
    found = run_example("feedback_linearisation")
    figures = [plt.figure(number) for number in plt.get_fignums()]
    assert len(figures) == 1 and all(panel.lines for panel in figures[0].axes)
    plt.close("all")
    return found


def test_published_numbers(told):
    """Torques, twists, tips, and what holds it across the vertical."""
    assert [row for many in numbers_linearised(told) for row in many if row.verdict == FAILED] == []


def test_the_slew_arrives_without_overshoot_and_the_platform_does_not_move(told):
    run = told["runs"]["5-3, base at 30 m"]
    slew = np.degrees(run.q["slew1"].values)
    assert slew.min() > -120.0
    assert np.max(np.abs(run.q["platform.angle"].values)) < 1e-12


def test_holding_torques_across_the_vertical(told):
    """Gravity gradient on platform, arm and payload. These are peaks:
    joint and link begin straight and ring undamped, so that the torque on the joint goes from 0 to twice its static
    0.0786 N m, which is what inverse dynamics gives at the start."""
    model = told["unstable"].model
    static = model.inverse_dynamics(told["unstable"].state(0))[model.index.v["slew1"]]
    assert told["holding"]["slew1"] == pytest.approx(2.0 * abs(static), rel=0.01)
    assert abs(float(told["unstable"].effort["slew1"][0])) < 1e-6


def test_the_error_obeys_its_design_to_the_tolerance_of_the_method(told):
    """e(t) = e_0 (p1 exp(-p2 t) - p2 exp(-p1 t)) / (p1 - p2), digest 3.5."""
    p1, p2 = np.sort(np.roots([1.0, told["KD"][1], told["KP"][1]]))[:2] * -1.0
    for name, run in told["runs"].items():
        start, to = told["CASES"][name][1:3]
        t = run.time.values
        designed = (p1 * np.exp(-p2 * t) - p2 * np.exp(-p1 * t)) / (p1 - p2)
        error = (np.degrees(run.q["slew1"].values) - to) / (start - to)
        np.testing.assert_allclose(error, designed, atol=1e-7)


def test_the_slew_does_not_know_how_stiff_the_link_is(told):
    """5-7: three stiffnesses, one slew; only the link's deflection changes, as 1 / EI."""
    runs = [told["manoeuvre"](30.0, 30.0, 120.0, EI=EI, until=60.0) for EI in (2.75e5, 5.5e5, 1.1e6)]
    slews = [run.q["slew1"].values for run in runs]
    np.testing.assert_allclose(slews[1:], [slews[0]] * 2, atol=1e-7)
    tips = [told["peaks"](run)[3] for run in runs]
    assert tips[0] / tips[1] == pytest.approx(2.0, rel=0.1)
    assert tips[1] / tips[2] == pytest.approx(2.0, rel=0.1)


@pytest.mark.slow
def test_wrong_masses_leave_an_error_that_grows_with_them(told):
    """Robustness: the controller believes in another payload; the slew still arrives, the pitch is disturbed."""
    from_system = told["manipulator"]
    plant = from_system(1, 30.0, 10.0, 400.0).compile()
    start = plant.state(q={"slew1": np.radians(-30.0)})
    pitch = []
    for believed in (400.0, 440.0, 480.0, 300.0):
        controller = jd.control.ComputedTorque(
            from_system(1, 30.0, 10.0, believed).compile(), told["JOINTS"], told["KP"], told["KD"],
            reference={"platform.angle": 0.0, "slew1": np.radians(-120.0)},
        )  # fmt: skip
        run = jd.simulate(plant, start, until=350.0, output=0.5, controller=controller, rtol=1e-7)
        assert abs(np.degrees(run.q["slew1"].values[-1]) + 120.0) < 2.0
        pitch.append(np.degrees(np.max(np.abs(run.q["platform.angle"].values))))
    assert pitch[0] < 1e-12
    assert 0.0 < pitch[1] < pitch[2] < 0.05
    assert 0.0 < pitch[3] < 0.05
